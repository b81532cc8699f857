/* Which variants of a file are read: by chromosome and position (chr, from_bp, to_bp, region) and
 * by identifier (extract, exclude). What passes gets the name of a column: the identifier, or the
 * place if there is none, and the allele that is counted. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "read/genotypes.h"

typedef struct place {
  char chromosome[IRL_CHROMOSOME_SIZE];
  uint32_t from, to;
  int first, last; /* of a range of numbered chromosomes; 0: none */
} place;

struct irl_variant_choice {
  place *chromosomes, *regions; /* none: all */
  size_t n_chromosomes, n_regions, capacity[2];
  irl_names extract, exclude;
  bool has_extract, has_exclude;
};

static irl_status add_place(irl_genotypes *g, bool is_region, const place *p) {
  irl_variant_choice *c = g->choice;
  place **items = is_region ? &c->regions : &c->chromosomes;
  size_t *n = is_region ? &c->n_regions : &c->n_chromosomes;
  if (!irl_mem_reserve(&g->env->allocator, items, &c->capacity[is_region], *n, sizeof **items))
    return irl_fail_memory(g->env);
  (*items)[(*n)++] = *p;
  return IRL_STATUS_OK;
}

/* A whole number with nothing behind it, or -1. */
static int64_t parse_number(const char *text, size_t length) {
  int64_t value = 0;
  if (!length || length > 10) return -1;
  for (size_t i = 0; i < length; i++) {
    if (!irl_c_is_digit(text[i])) return -1;
    value = 10 * value + (text[i] - '0');
  }
  return value <= UINT32_MAX ? value : -1;
}

/* The number of a chromosome, 1 to 26, or 0. */
static int chromosome_number(const char *text, size_t length) {
  static const char *const last[] = {"X", "Y", "XY", "MT"};
  char name[IRL_CHROMOSOME_SIZE];
  const size_t n = irl_chromosome_name(text, length, name);
  for (int i = 0; i < 4; i++)
    if (!strcmp(name, last[i])) return 23 + i;
  const int64_t number = parse_number(name, n);
  return number > 0 && number < 23 ? (int)number : 0;
}

/* 4, X or 1-4; false: it is none of these. */
static bool read_chromosome(const char *at, size_t n, place *p) {
  const char *dash = memchr(at, '-', n);
  if (dash && chromosome_number(at, (size_t)(dash - at))) {
    p->first = chromosome_number(at, (size_t)(dash - at));
    p->last = chromosome_number(dash + 1, n - (size_t)(dash - at) - 1);
  }
  irl_chromosome_name(at, n, p->chromosome);
  return p->last >= p->first;
}

/* X, 2:1000, 2:1000- or 2:1000-5000. */
static bool read_region(const char *at, size_t n, place *p) {
  const char *colon = memchr(at, ':', n);
  irl_chromosome_name(at, colon ? (size_t)(colon - at) : n, p->chromosome);
  if (!colon) return true;
  const char *from = colon + 1, *end = at + n;
  const char *dash = memchr(from, '-', (size_t)(end - from)), *stop = dash ? dash : end;
  const int64_t first = parse_number(from, (size_t)(stop - from));
  const int64_t last = !dash             ? first
                       : dash + 1 == end ? (int64_t)UINT32_MAX
                                         : parse_number(dash + 1, (size_t)(end - dash) - 1);
  p->from = (uint32_t)first;
  p->to = (uint32_t)last;
  return first >= 0 && last >= first;
}

static irl_status read_places(irl_genotypes *g, bool is_region, const char *list) {
  irl_status status = IRL_STATUS_OK;
  for (const char *at = list; *at && !status;) {
    const size_t n = strcspn(at, ", \n");
    place p = {.to = UINT32_MAX};
    if (n && !(is_region ? read_region : read_chromosome)(at, n, &p))
      return irl_fail(g->env, IRL_STATUS_BAD_ARGUMENT,
                      is_region ? "option region takes places as 2:1000-5000,X, not '%.*s'"
                                : "option chr takes chromosomes as 1-4,22,X, not '%.*s'",
                      (int)n, at);
    if (n) status = add_place(g, is_region, &p);
    at += n;
    at += *at != '\0';
  }
  return status;
}

/* All words of a file. */
static irl_status read_identifiers(irl_env *env, const irl_bytes *bytes, irl_names *names) {
  irl_word_rows rows = irl_word_rows_open(env, bytes, "identifiers");
  irl_status status = IRL_STATUS_OK;
  while (!status && irl_word_rows_next(&rows, &status))
    for (size_t i = 0; i < rows.n && !status; i++) {
      uint32_t number;
      if (!irl_names_intern(names, rows.words[i].text, rows.words[i].length, &number))
        status = irl_fail_memory(env);
    }
  irl_word_rows_close(&rows);
  if (status || names->n) return status;
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: there are no identifiers", rows.path);
}

irl_status irl_variant_choice_init(irl_genotypes *g) {
  const irl_genotypes_options *o = &g->options;
  irl_variant_choice *c = g->choice = irl_mem_alloc(&g->env->allocator, 1, sizeof *c);
  irl_status status = IRL_STATUS_OK;
  if (!c) return irl_fail_memory(g->env);
  irl_names_init(&c->extract, &g->env->allocator);
  irl_names_init(&c->exclude, &g->env->allocator);
  if (g->source->only) return IRL_STATUS_OK; /* a rule says which */
  if (o->chr) status = read_places(g, false, o->chr);
  if (!status && (o->from_bp || o->to_bp)) {
    if (c->n_chromosomes != 1 || c->chromosomes[0].first)
      return irl_fail(g->env, IRL_STATUS_BAD_ARGUMENT,
                      "options from_bp and to_bp need one chromosome by option chr");
    c->chromosomes[0].from = (uint32_t)o->from_bp;
    if (o->to_bp) c->chromosomes[0].to = (uint32_t)o->to_bp;
    if (c->chromosomes[0].to < c->chromosomes[0].from)
      return irl_fail(g->env, IRL_STATUS_BAD_ARGUMENT, "option to_bp is before from_bp");
  }
  if (!status && o->region) status = read_places(g, true, o->region);
  c->has_extract = o->extract != NULL;
  c->has_exclude = o->exclude != NULL;
  if (!status && o->extract) status = read_identifiers(g->env, o->extract, &c->extract);
  if (!status && o->exclude) status = read_identifiers(g->env, o->exclude, &c->exclude);
  return status;
}

void irl_variant_choice_free(irl_genotypes *g) {
  irl_variant_choice *c = g->choice;
  if (!c) return;
  irl_names_free(&c->extract);
  irl_names_free(&c->exclude);
  irl_mem_free(&g->env->allocator, c->chromosomes);
  irl_mem_free(&g->env->allocator, c->regions);
  irl_mem_free(&g->env->allocator, c);
  g->choice = NULL;
}

static bool is_at(const place *places, size_t n, const char *chromosome, uint32_t position) {
  for (size_t i = 0; i < n; i++) {
    const int number = places[i].first ? chromosome_number(chromosome, strlen(chromosome)) : 0;
    if ((places[i].first ? number >= places[i].first && number <= places[i].last
                         : !strcmp(places[i].chromosome, chromosome)) &&
        position >= places[i].from && position <= places[i].to)
      return true;
  }
  return !n;
}

bool irl_variant_is_chosen(const irl_genotypes *g, const irl_variant_line *line) {
  const irl_variant_choice *c = g->choice;
  if (c->n_chromosomes || c->n_regions) {
    char chromosome[IRL_CHROMOSOME_SIZE];
    irl_chromosome_name(line->chromosome.text, line->chromosome.length, chromosome);
    if (!is_at(c->chromosomes, c->n_chromosomes, chromosome, line->position) ||
        !is_at(c->regions, c->n_regions, chromosome, line->position))
      return false;
  }
  const irl_slice *id = &line->id;
  if (c->has_extract && irl_names_find(&c->extract, id->text, id->length) == IRL_NO_NAME)
    return false;
  return !c->has_exclude || irl_names_find(&c->exclude, id->text, id->length) == IRL_NO_NAME;
}

/* `.` stands for no identifier; chromosome and position then name the variant, and where that is
 * not enough both alleles. */
static void print_name(irl_text *name, const irl_variant_line *line, bool is_long) {
  name->length = 0;
  if (irl_slice_is(&line->id, ".")) {
    irl_text_add(name, line->chromosome.text, line->chromosome.length);
    irl_text_printf(name, ":%u", line->position);
    if (is_long)
      irl_text_printf(name, ":%.*s:%.*s", (int)line->other.length, line->other.text,
                      (int)line->counted.length, line->counted.text);
  } else {
    irl_text_add(name, line->id.text, line->id.length);
  }
  if (irl_slice_is(&line->counted, ".")) return;
  irl_text_puts(name, "_");
  irl_text_add(name, line->counted.text, line->counted.length);
}

irl_status irl_variants_take(irl_genotypes *g, const irl_variant_line *line, bool *is_twice) {
  irl_text name;
  uint32_t number = 0;
  const irl_variant_text text = {line->chromosome.text,   line->counted.text,   line->other.text,
                                 line->chromosome.length, line->counted.length, line->other.length,
                                 line->position};
  irl_text_init(&name, g->env);
  bool done = irl_mem_reserve(&g->env->allocator, &g->places, &g->places_capacity, g->names.n,
                              sizeof *g->places);
  *is_twice = done;
  for (int is_long = 0; is_long < 2 && done && *is_twice; is_long++) {
    const size_t before = g->names.n;
    print_name(&name, line, is_long);
    done = !name.failed && irl_names_intern(&g->names, name.bytes, name.length, &number);
    *is_twice = done && g->names.n == before;
  }
  if (done && !*is_twice) {
    g->places[number] = g->n_read;
    done = irl_variants_add(&g->variants, &text);
  }
  irl_text_drop(&name);
  return done ? IRL_STATUS_OK : irl_fail_memory(g->env);
}
