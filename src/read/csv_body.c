/* The body of a CSV file: rows of bits from lines of text.
 *
 * Within a run of columns, 64 cells at a time are taken as 128 bytes that must look like
 * `d,d,d,...`: XOR with '0' and the delimiter leaves the cells' bits and nothing else, which one OR
 * checks, and a multiplication gathers four of them. Whatever looks different (the last cell of a
 * line, blanks, quotes, errors) goes cell by cell. */
#include "base/endian.h"
#include "base/memory.h"
#include "read/csv.h"

static uint64_t load(const char *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return irl_endian_64(word);
}

/* 64 cells from 128 bytes; false if they are not all a digit 0 or 1 and a delimiter. */
static bool pack_64(const char *at, uint64_t pattern, uint64_t *word) {
  uint64_t odd = 0, packed = 0;
  for (unsigned i = 0; i < 16; i++) {
    const uint64_t x = load(at + 8 * i) ^ pattern;
    odd |= x;
    packed |= (x * 0x0001000200040008u >> 48 & 15) << 4 * i;
  }
  *word = packed;
  return !(odd & ~(uint64_t)0x0001000100010001u);
}

/* What a file of 0/1 cannot have, and one with types may. */
#define VALUE_MISTAKE(p, ...) ((p)->mistake.is_value = true, irl_csv_mistake(p, __VA_ARGS__))

static int shown_length(const csv_cell *c) {
  return c->length > 40 ? 40 : (int)c->length;
}

static bool read_label(const csv_plan *plan, csv_piece *p, const csv_cell *c) {
  const char *name = irl_names_get(&plan->columns, plan->target);
  if (irl_typed_is_usual_na(c->text, c->length))
    return VALUE_MISTAKE(p, c->text, "the label in column '%.200s' is %s", name,
                         c->length ? "missing" : "empty");
  if (memchr(c->text, '\0', c->length))
    return irl_csv_mistake(p, c->text, "a NUL byte in a label; this is not a text file");
  const int label = irl_labels_add(&p->known, c->text, c->length);
  if (label < 0)
    return VALUE_MISTAKE(p, c->text,
                         "'%.*s' is the third label in column '%.200s'; two are allowed",
                         shown_length(c), c->text, name);
  p->labels[p->n_rows] = (uint8_t)label;
  return true;
}

static bool read_bit(const csv_plan *plan, csv_piece *p, const csv_cell *c, size_t column,
                     uint64_t *row, size_t bit) {
  const char *name = irl_names_get(&plan->columns, column);
  if (!c->length)
    return VALUE_MISTAKE(p, c->text,
                         "the cell of feature '%.200s' is empty; features must be 0 or 1", name);
  if (c->length != 1 || (*c->text != '0' && *c->text != '1'))
    return VALUE_MISTAKE(p, c->text, "'%.*s' in feature '%.200s' is not 0 or 1", shown_length(c),
                         c->text, name);
  assert(bit < plan->n_kept);
  row[bit >> 6] |= (uint64_t)(*c->text - '0') << (bit & 63);
  return true;
}

/* One cell of a run; `bit` is where it goes. Returns what follows, NULL on a mistake. */
static const char *read_one(const csv_plan *plan, csv_piece *p, const char *at, size_t column,
                            enum csv_kind kind, uint64_t *row, size_t bit) {
  csv_cell c;
  const bool is_whole = irl_csv_cell(p, at, plan->delimiter, &c) ||
                        irl_csv_mistake(p, at, "a quote is not closed, or text follows it");
  const bool is_read = is_whole && (kind == CSV_LABEL  ? read_label(plan, p, &c)
                                    : kind == CSV_KEEP ? read_bit(plan, p, &c, column, row, bit)
                                                       : true);
  return is_read && irl_csv_check_end(plan, p, &c, column) ? c.next : NULL;
}

static const char *read_run(const csv_plan *plan, csv_piece *p, const char *at, size_t column,
                            size_t n, uint64_t *row, size_t bit) {
  const uint64_t pair = (uint64_t)'0' | (uint64_t)(unsigned char)plan->delimiter << 8;
  const uint64_t pattern = pair * 0x0001000100010001u;
  while (n && at) {
    uint64_t word;
    if (n >= 64 && p->end - at >= 128 && column + 64 < plan->n_columns &&
        pack_64(at, pattern, &word)) {
      row[bit >> 6] |= word << (bit & 63);
      if (bit & 63) row[(bit >> 6) + 1] |= word >> (64 - (bit & 63));
      at += 128, n -= 64, column += 64, bit += 64;
      continue;
    }
    size_t singles = n < 64 ? n : 64;
    for (; singles && at; singles--, n--, column++, bit++)
      at = read_one(plan, p, at, column, CSV_KEEP, row, bit);
  }
  return at;
}

static bool add_row(const csv_plan *plan, csv_piece *p) {
  const irl_allocator *allocator = &plan->env->allocator;
  const size_t size = irl_csv_row_words(plan) * sizeof *p->bits;
  if (!irl_mem_reserve(allocator, &p->bits, &p->rows_capacity, p->n_rows, size) ||
      !irl_mem_reserve(allocator, &p->labels, &p->labels_capacity, p->n_rows, 1))
    return false;
  memset(p->bits + p->n_rows * irl_csv_row_words(plan), 0, size);
  return true;
}

static const char *read_row(const csv_plan *plan, csv_piece *p, const char *at) {
  size_t column = 0, bit = 0;
  uint64_t *row = p->bits + p->n_rows * irl_csv_row_words(plan);
  for (size_t s = 0; s < plan->n_steps && at; s++) {
    const csv_step run = plan->steps[s];
    if (run.kind == CSV_KEEP) {
      at = read_run(plan, p, at, column, run.n, row, bit);
      bit += run.n;
    } else {
      for (size_t i = 0; i < run.n && at; i++)
        at = read_one(plan, p, at, column + i, run.kind, row, bit);
    }
    column += run.n;
  }
  assert(!at || (column == plan->n_columns && bit == plan->n_kept));
  return at;
}

void irl_csv_body(const csv_plan *plan, csv_piece *p) {
  const char *at = p->start, *next = NULL;
  while ((at = irl_csv_skip_blank_lines(at, p->end)) < p->end) {
    if (irl_csv_is_cut(plan, p, at, &next)) return;
    if (!add_row(plan, p)) {
      p->out_of_memory = true;
      return;
    }
    at = read_row(plan, p, at);
    if (!at) return;
    p->n_rows++;
  }
}
