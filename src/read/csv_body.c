/* Cells of CSV text, one at a time: quotes, blanks, line ends; and the body of a file of 0/1: rows
 * of bits from lines of text.
 *
 * Within a run of columns, 64 cells at a time are taken as 128 bytes that must look like
 * `d,d,d,...`: XOR with '0' and the delimiter leaves the cells' bits and nothing else, which one OR
 * checks, and a multiplication gathers four of them. Whatever looks different (the last cell of a
 * line, blanks, quotes, errors) goes cell by cell. */
#include "base/c_locale.h"
#include "base/endian.h"
#include "base/memory.h"
#include "base/number.h"
#include "read/csv.h"

/* ---- cells ---- */

bool irl_csv_number(bool has_decimal_commas, const char *text, size_t length, double *value) {
  char point[64];
  const char *comma = has_decimal_commas ? memchr(text, ',', length) : NULL;
  if (has_decimal_commas && memchr(text, '.', length)) return false;
  if (!comma) return irl_number_parse(text, length, value);
  if (length >= sizeof point) return false;
  memcpy(point, text, length);
  point[comma - text] = '.';
  return irl_number_parse(point, length, value);
}

bool irl_csv_cell(csv_piece *p, const char *at, char delimiter, csv_cell *found) {
  while (at < p->end && *at == ' ' && delimiter != ' ') at++;
  const bool is_quoted = at < p->end && *at == '"';
  const char *stop = is_quoted ? ++at : at;
  if (is_quoted) { /* doubled quotes stay doubled here */
    p->has_quotes = true;
    for (; stop < p->end; stop++) {
      if (*stop == '\n') p->has_quoted_line_end = true;
      if (*stop != '"') continue;
      if (stop + 1 == p->end || stop[1] != '"') break;
      stop++;
    }
    if (stop >= p->end) return false;
  } else {
    while (stop < p->end && *stop != delimiter && *stop != '\n') stop++;
  }
  const char *next = stop;
  if (is_quoted) { /* blanks may follow it, unless they are the delimiter */
    for (next++; next < p->end && (*next == ' ' || *next == '\r') && *next != delimiter; next++) {
    }
    if (next < p->end && *next != delimiter && *next != '\n') return false;
  } else {
    while (stop > at && (stop[-1] == ' ' || stop[-1] == '\r' || stop[-1] == '\t')) stop--;
  }
  *found = (csv_cell){.text = at,
                      .length = (size_t)(stop - at),
                      .after = next < p->end ? *next : '\0',
                      .next = next < p->end ? next + 1 : next};
  return true;
}

char *irl_csv_unquote(irl_env *env, const char *text, size_t length, size_t *unquoted_length) {
  char *copy = irl_mem_alloc(&env->allocator, length + 1, 1);
  size_t n = 0;
  for (size_t i = 0; copy && i < length; i++) {
    copy[n++] = text[i];
    if (text[i] == '"' && i + 1 < length && text[i + 1] == '"') i++;
  }
  *unquoted_length = n;
  return copy;
}

bool irl_csv_mistake(csv_piece *p, const char *at, const char *format, ...) {
  va_list arguments;
  p->mistake.at = at;
  va_start(arguments, format);
  irl_c_vsnprintf(p->mistake.text, sizeof p->mistake.text, format, arguments);
  va_end(arguments);
  return false;
}

bool irl_csv_check_end(const csv_plan *plan, csv_piece *p, const csv_cell *c, size_t column) {
  const bool is_last = column + 1 == plan->n_columns, has_more = c->after == plan->delimiter;
  if (has_more != is_last) return true;
  return irl_csv_mistake(p, has_more ? c->next - 1 : c->text + c->length,
                         "this row has %s%zu columns, where %s has %zu",
                         has_more ? "more than " : "", column + 1,
                         plan->source->no_header ? "the first row" : "the header", plan->n_columns);
}

irl_status irl_csv_check_piece(const csv_plan *plan, const csv_piece *p) {
  if (p->out_of_memory) return irl_fail_memory(plan->env);
  if (p->is_cut) return irl_reading_fail(plan->env, plan->source->path);
  return p->mistake.at ? irl_csv_fail(plan, p->mistake.at, "%s", p->mistake.text) : IRL_STATUS_OK;
}

/* ---- rows of bits ---- */

/* 64 cells from 128 bytes; false if they are not all a digit 0 or 1 and a delimiter. */
static bool pack_64(const char *at, uint64_t pattern, uint64_t *word) {
  uint64_t odd = 0, packed = 0;
  for (unsigned i = 0; i < 16; i++) {
    uint64_t x;
    memcpy(&x, at + 8 * i, sizeof x);
    x = irl_endian_64(x) ^ pattern;
    odd |= x;
    packed |= (x * 0x0001000200040008u >> 48 & 15) << 4 * i;
  }
  *word = packed;
  return !(odd & ~(uint64_t)0x0001000100010001u);
}

/* One cell; `bit` is where it goes in the row. Returns what follows, NULL if it does not fit. */
static const char *read_one(const csv_plan *plan, csv_piece *p, const char *at, size_t column,
                            enum csv_kind kind, size_t bit) {
  const bool is_last = column + 1 == plan->n_columns;
  csv_cell c;
  if (!irl_csv_cell(p, at, plan->delimiter, &c) || (c.after == plan->delimiter) == is_last)
    return NULL;
  if (kind == CSV_LABEL) {
    const bool is_text =
        !irl_typed_is_usual_na(c.text, c.length) && !memchr(c.text, '\0', c.length);
    const int label = is_text ? irl_labels_add(&p->known, c.text, c.length) : -1;
    if (label < 0) return NULL;
    p->labels[p->n_rows] = (uint8_t)label;
  } else if (kind == CSV_KEEP) {
    assert(bit < plan->n_kept);
    if (c.length != 1 || (*c.text != '0' && *c.text != '1')) return NULL;
    if (*c.text == '1') irl_bits_set(p->bits + p->n_rows * irl_csv_row_words(plan), bit);
  }
  return c.next;
}

static const char *read_row(const csv_plan *plan, csv_piece *p, const char *at) {
  const uint64_t pair = (uint64_t)'0' | (uint64_t)(unsigned char)plan->delimiter << 8;
  const uint64_t pattern = pair * 0x0001000100010001u;
  size_t column = 0, bit = 0;
  uint64_t *row = p->bits + p->n_rows * irl_csv_row_words(plan), word;
  for (size_t s = 0; s < plan->n_steps; s++) {
    const enum csv_kind kind = plan->steps[s].kind;
    for (size_t n = plan->steps[s].n; n && at;) {
      if (kind == CSV_KEEP && n >= 64 && p->end - at >= 128 && column + 64 < plan->n_columns &&
          pack_64(at, pattern, &word)) {
        row[bit >> 6] |= word << (bit & 63);
        if (bit & 63) row[(bit >> 6) + 1] |= word >> (64 - (bit & 63));
        at += 128, n -= 64, column += 64, bit += 64;
        continue;
      }
      const char *next = NULL;
      while (kind == CSV_SKIP && n && column + 1 < plan->n_columns &&
             (next = irl_csv_skip_cell(p, at, plan->delimiter)))
        at = next, n--, column++;
      for (size_t singles = n < 64 ? n : 64; singles && at; singles--, n--, column++) {
        at = read_one(plan, p, at, column, kind, bit);
        bit += kind == CSV_KEEP;
      }
    }
  }
  assert(!at || (column == plan->n_columns && bit == plan->n_kept));
  return at;
}

void irl_csv_body(const csv_plan *plan, csv_piece *p) {
  const irl_allocator *allocator = &plan->env->allocator;
  const size_t size = irl_csv_row_words(plan) * sizeof *p->bits;
  const char *at = p->start, *next = NULL;
  while ((at = irl_csv_skip_blank_lines(at, p->end)) < p->end) {
    if (irl_csv_is_cut(plan, p, at, &next)) return;
    if (!irl_mem_reserve(allocator, &p->bits, &p->rows_capacity, p->n_rows, size) ||
        !irl_mem_reserve(allocator, &p->labels, &p->labels_capacity, p->n_rows, 1)) {
      p->out_of_memory = true;
      return;
    }
    memset(p->bits + p->n_rows * irl_csv_row_words(plan), 0, size);
    at = read_row(plan, p, at);
    p->is_other = !at;
    if (!at) return;
    p->n_rows++;
  }
}
