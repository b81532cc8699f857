/* PLINK's .raw files, as `plink --recode A` writes them: FID IID PAT MAT SEX PHENOTYPE and a column
 * of allele counts for each variant, `rs123_A`; columns rs123_HET of --recode AD are left out. Rows
 * are people, so the columns are known from the first line and the people from the number of
 * lines. The file does not say where variants lie. */
#include "base/limit.h"
#include "base/memory.h"
#include "read/vcf.h"

#define N_FIXED 6u

typedef struct counts {
  irl_cell_store store; /* first */
  irl_file file;
  uint32_t *into; /* per column of the file: its place in the store, or IRL_NO_NAME */
  size_t n_columns, into_capacity, line;
  const char *at, *end;
} counts;

static irl_status fail_at(const counts *r, const char *where, const char *what) {
  return irl_source_fail(r->store.g.env,
                         (irl_place){r->store.g.source->path, r->file.bytes, where, {0, 0}}, "%s",
                         what);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* The next field of the line, of length 0 at its end. */
static irl_slice next_field(counts *r) {
  while (r->at < r->end && is_blank(*r->at)) r->at++;
  const char *from = r->at;
  while (r->at < r->end && !is_blank(*r->at) && *r->at != '\n') r->at++;
  return (irl_slice){from, (size_t)(r->at - from)};
}

/* The name of a column without its last part: the identifier and the allele. */
static irl_variant_line split_name(irl_slice name) {
  size_t n = name.length;
  while (n && name.text[n - 1] != '_') n--;
  const irl_slice none = {".", 1};
  if (!n || n == name.length || n == 1) return (irl_variant_line){none, name, none, none, 0};
  irl_slice counted = {name.text + n, name.length - n};
  const char *open = memchr(counted.text, '(', counted.length); /* rs1_A(/G) */
  const size_t rest = open ? (size_t)(counted.text + counted.length - open) : 0;
  irl_slice other = none;
  if (rest > 3 && open[1] == '/' && open[rest - 1] == ')') {
    other = (irl_slice){open + 2, rest - 3};
    counted.length -= rest;
  }
  return (irl_variant_line){none, {name.text, n - 1}, counted, other, 0};
}

static irl_status read_header(counts *r) {
  static const char *const fixed[N_FIXED] = {"FID", "IID", "PAT", "MAT", "SEX", "PHENOTYPE"};
  irl_genotypes *g = &r->store.g;
  irl_status status = irl_variant_choice_init(g);
  for (size_t i = 0; i < N_FIXED && !status; i++) {
    const irl_slice name = next_field(r);
    if (!irl_slice_is(&name, fixed[i]))
      return fail_at(r, name.text, "a .raw file begins with FID IID PAT MAT SEX PHENOTYPE");
  }
  while (!status) {
    const irl_slice name = next_field(r);
    if (!name.length) break;
    if (memchr(name.text, '\0', name.length)) return fail_at(r, name.text, "there is a NUL byte");
    const irl_variant_line line = split_name(name);
    bool is_twice = false;
    if (!irl_mem_reserve(&g->env->allocator, &r->into, &r->into_capacity, r->n_columns,
                         sizeof *r->into))
      return irl_fail_memory(g->env);
    r->into[r->n_columns] = IRL_NO_NAME;
    g->n_read = g->names.n;
    if (!irl_slice_is(&line.counted, "HET") && irl_variant_is_chosen(g, &line)) {
      r->into[r->n_columns] = (uint32_t)g->names.n;
      status = irl_variants_take(g, &line, &is_twice);
    }
    if (is_twice) return fail_at(r, name.text, "this variant is there twice");
    r->n_columns++;
  }
  g->n_read = r->n_columns;
  return status;
}

static irl_status read_person(counts *r, irl_slice fields[N_FIXED]) {
  irl_genotypes *g = &r->store.g;
  irl_phenotype phenotype = IRL_NO_PHENOTYPE;
  if (!g->options.pheno && !g->source->no_labels && !irl_phenotype_parse(g, fields[5], &phenotype))
    return fail_at(r, fields[5].text,
                   "this phenotype is not 1 (control), 2 (case), 0 or -9 (missing)");
  return irl_people_add_fam(g, fields, phenotype);
}

/* Cells of one person; false: one is no count. */
static irl_status read_cells(counts *r, size_t person) {
  for (size_t j = 0; j < r->n_columns; j++) {
    const irl_slice cell = next_field(r);
    unsigned value = IRL_CELL_MISSING;
    if (cell.length == 1 && *cell.text >= '0' && *cell.text <= '2')
      value = (unsigned)(*cell.text - '0');
    else if (!irl_slice_is(&cell, "NA"))
      return fail_at(r, cell.text,
                     cell.length ? "this is not 0, 1, 2 or NA"
                                 : "the line has fewer fields than the header");
    if (r->into[j] == IRL_NO_NAME) continue;
    irl_packed cells = irl_store_cells(&r->store, r->into[j]);
    irl_packed_set(&cells, person, value);
  }
  const irl_slice more = next_field(r);
  return more.length ? fail_at(r, more.text, "the line has more fields than the header")
                     : IRL_STATUS_OK;
}

/* Both walks over the lines: people first, then cells. */
static irl_status walk(counts *r, bool takes_cells) {
  irl_status status = IRL_STATUS_OK;
  for (size_t person = 0; r->at < r->end && !status;) {
    irl_slice fields[N_FIXED];
    if (*r->at == '\n') r->at++;
    for (size_t i = 0; i < N_FIXED; i++) fields[i] = next_field(r);
    if (!fields[0].length) continue; /* a blank line */
    if (!fields[5].length) return fail_at(r, fields[0].text, "a line needs at least six fields");
    if (takes_cells) {
      status = read_cells(r, person);
    } else {
      status = read_person(r, fields);
      const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
      r->at = newline ? newline : r->end;
    }
    person++;
    if (!status && irl_reading_limit_reached(r->store.g.env))
      status = irl_reading_fail(r->store.g.env, r->store.g.source->path);
  }
  return status;
}

irl_status irl_counts_read(irl_env *env, const irl_source *source, irl_table *table) {
  counts r = {.line = 1};
  irl_store_init(&r.store, env, source);
  irl_status status = irl_file_open(env, source->path, &r.file);
  if (!status) {
    r.at = r.file.bytes;
    r.end = r.at + r.file.size;
    status = read_header(&r);
  }
  const char *rows = r.at;
  if (!status) status = walk(&r, false);
  r.store.g.has_phenotype = true;
  if (!status && !r.store.g.n_people) status = fail_at(&r, rows, "there are no people");
  if (!status) status = irl_people_finish(&r.store.g);
  for (size_t v = 0; v < r.store.g.names.n && !status; v++) status = irl_store_add(&r.store);
  r.at = rows;
  if (!status) status = walk(&r, true);
  if (!status) status = irl_genotypes_table(&r.store.g, table);
  irl_file_close(&r.file);
  irl_mem_free(&env->allocator, r.into);
  irl_store_free(&r.store);
  return status;
}
