/* Genes of a file in BED or GFF: a line that has a number in its second and third field is BED
 * (from 0, end excluded), one that has them in its fourth and fifth is GFF (from 1, end included),
 * of which only those count whose third field is gene. The name is BED's fourth field, or GFF's
 * Name=, gene_name, gene_id or ID=. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/word_rows.h"
#include "table/variant_facts.h"

#define NEAR     50000u
#define N_FIELDS 9

static bool read_number(const irl_slice *f, int64_t *value) {
  *value = 0;
  for (size_t i = 0; i < f->length; i++) {
    if (!irl_c_is_digit(f->text[i]) || i > 12) return false;
    *value = 10 * *value + (f->text[i] - '0');
  }
  return f->length > 0;
}

/* The value of an attribute: `Name=X;` or `gene_name "X";`. */
static bool find_attribute(const irl_slice *all, const char *key, irl_slice *value) {
  const size_t n = strlen(key);
  for (size_t i = 0; i + n < all->length; i++) {
    if ((i && all->text[i - 1] != ';' && all->text[i - 1] != ' ') || memcmp(all->text + i, key, n))
      continue;
    size_t from = i + n;
    if (all->text[from] != '=' && all->text[from] != ' ') continue;
    while (from < all->length && strchr("= \"", all->text[from])) from++;
    size_t to = from;
    while (to < all->length && !strchr(";\"", all->text[to])) to++;
    *value = (irl_slice){all->text + from, to - from};
    return to > from;
  }
  return false;
}

/* First and last position of a gene and its name; false: the line is none. */
static bool read_line(const irl_slice *fields, size_t n, int64_t range[2], irl_slice *name) {
  static const char *const keys[] = {"Name", "gene_name", "gene_id", "ID"};
  if (n >= 4 && read_number(&fields[1], &range[0]) && read_number(&fields[2], &range[1])) {
    range[0]++;
    *name = fields[3];
    return true;
  }
  if (n < N_FIELDS || fields[2].length != 4 || memcmp(fields[2].text, "gene", 4) ||
      !read_number(&fields[3], &range[0]) || !read_number(&fields[4], &range[1]))
    return false;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (find_attribute(&fields[8], keys[i], name)) return true;
  return false;
}

/* The next gene: its fields, first and last position, name. */
static bool next_gene(irl_word_rows *rows, int64_t range[2], irl_slice *name, irl_status *status) {
  while (irl_word_rows_next(rows, status))
    if (read_line(rows->words, rows->n, range, name)) return true;
  return false;
}

static irl_word_rows open_genes(irl_env *env, const irl_bytes *genes) {
  irl_word_rows rows = irl_word_rows_open(env, genes, "genes");
  rows.delimiter = '\t';
  return rows;
}

irl_status irl_genes_check(irl_env *env, const irl_bytes *genes) {
  irl_word_rows rows = open_genes(env, genes);
  irl_status status = IRL_STATUS_OK;
  int64_t range[2];
  irl_slice name;
  const bool has_genes = next_gene(&rows, range, &name, &status);
  irl_word_rows_close(&rows);
  if (has_genes || status) return status;
  return irl_fail(env, IRL_STATUS_BAD_INPUT,
                  "%s: there are no genes: lines of BED (chromosome, start, end, name) or GFF, "
                  "with tabs between, are read",
                  rows.path);
}

irl_status irl_gene_at(irl_env *env, const irl_bytes *genes, const char *chromosome,
                       uint32_t position, char **gene) {
  irl_word_rows rows = open_genes(env, genes);
  irl_status status = IRL_STATUS_OK;
  int64_t nearest = NEAR + 1, range[2];
  irl_slice best = {NULL, 0}, name;
  *gene = NULL;
  while (nearest && next_gene(&rows, range, &name, &status)) {
    char here[IRL_CHROMOSOME_SIZE];
    irl_chromosome_name(rows.words[0].text, rows.words[0].length, here);
    if (strcmp(here, chromosome)) continue;
    const int64_t before = range[0] - (int64_t)position, after = (int64_t)position - range[1];
    const int64_t away = before > 0 ? before : after > 0 ? after : 0;
    if (away < nearest) {
      nearest = away;
      best = name;
    }
  }
  irl_word_rows_close(&rows);
  if (status) return status;
  if (!best.text) return IRL_STATUS_OK;
  irl_text text;
  irl_text_init(&text, env);
  if (nearest) irl_text_puts(&text, "near ");
  irl_text_add(&text, best.text, best.length);
  if (nearest) irl_text_printf(&text, " (%d kb)", (int)((nearest + 999) / 1000));
  return irl_text_take(&text, gene);
}
