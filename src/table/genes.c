/* Genes of a file in BED or GFF: a line that has a number in its second and third field is BED
 * (from 0, end excluded), one that has them in its fourth and fifth is GFF (from 1, end included),
 * of which only those count whose third field is gene. The name is BED's fourth field, or GFF's
 * Name=, gene_name, gene_id or ID=. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/text.h"
#include "table/variant_facts.h"

#define NEAR     50000u
#define N_FIELDS 9

typedef struct field {
  const char *text;
  size_t length;
} field;

static bool read_number(const field *f, int64_t *value) {
  *value = 0;
  for (size_t i = 0; i < f->length; i++) {
    if (!irl_c_is_digit(f->text[i]) || i > 12) return false;
    *value = 10 * *value + (f->text[i] - '0');
  }
  return f->length > 0;
}

static int split(const char *at, const char *end, field fields[N_FIELDS]) {
  int n = 0;
  while (n < N_FIELDS) {
    const char *tab = memchr(at, '\t', (size_t)(end - at));
    fields[n++] = (field){at, (size_t)((tab ? tab : end) - at)};
    if (!tab) break;
    at = tab + 1;
  }
  return n;
}

/* The value of an attribute: `Name=X;` or `gene_name "X";`. */
static bool find_attribute(const field *all, const char *key, field *value) {
  const size_t n = strlen(key);
  for (size_t i = 0; i + n < all->length; i++) {
    if ((i && all->text[i - 1] != ';' && all->text[i - 1] != ' ') || memcmp(all->text + i, key, n))
      continue;
    size_t from = i + n;
    if (all->text[from] != '=' && all->text[from] != ' ') continue;
    while (from < all->length && strchr("= \"", all->text[from])) from++;
    size_t to = from;
    while (to < all->length && !strchr(";\"", all->text[to])) to++;
    *value = (field){all->text + from, to - from};
    return to > from;
  }
  return false;
}

/* First and last position of a gene and its name; false: the line is none. */
static bool read_line(const field *fields, int n, int64_t range[2], field *name) {
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

irl_status irl_genes_check(irl_env *env, const irl_bytes *genes) {
  const char *at = genes->data ? genes->data : "", *end = at + genes->size;
  while (at < end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
    field fields[N_FIELDS], name;
    int64_t range[2];
    const int n = split(at, stop > at && stop[-1] == '\r' ? stop - 1 : stop, fields);
    if (read_line(fields, n, range, &name)) return IRL_STATUS_OK;
    at = newline ? newline + 1 : end;
  }
  return irl_fail(env, IRL_STATUS_BAD_INPUT,
                  "%s: there are no genes: lines of BED (chromosome, start, end, name) or GFF, "
                  "with tabs between, are read",
                  genes->name ? genes->name : "genes");
}

irl_status irl_gene_at(irl_env *env, const irl_bytes *genes, const char *chromosome,
                       uint32_t position, char **gene) {
  const char *at = genes->data ? genes->data : "", *end = at + genes->size;
  int64_t nearest = NEAR + 1;
  field best = {NULL, 0};
  *gene = NULL;
  while (at < end && nearest) {
    const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
    field fields[N_FIELDS], name;
    int64_t range[2];
    char here[IRL_CHROMOSOME_SIZE];
    const int n = split(at, stop > at && stop[-1] == '\r' ? stop - 1 : stop, fields);
    at = newline ? newline + 1 : end;
    if (!read_line(fields, n, range, &name)) continue;
    irl_chromosome_name(fields[0].text, fields[0].length, here);
    if (strcmp(here, chromosome)) continue;
    const int64_t before = range[0] - (int64_t)position, after = (int64_t)position - range[1];
    const int64_t away = before > 0 ? before : after > 0 ? after : 0;
    if (away < nearest) {
      nearest = away;
      best = name;
    }
  }
  if (!best.text) return IRL_STATUS_OK;
  irl_text text;
  irl_text_init(&text, env);
  if (nearest) irl_text_puts(&text, "near ");
  irl_text_add(&text, best.text, best.length);
  if (nearest) irl_text_printf(&text, " (%d kb)", (int)((nearest + 999) / 1000));
  return irl_text_take(&text, gene);
}
