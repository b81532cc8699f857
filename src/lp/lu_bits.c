/* Bits inside the factors.
 *
 * In an AND/OR model nearly every row has a slack or an indicator of its own in the basis. These
 * columns are pivots first and lead the triangle; what the columns of bits have in their rows would
 * be most of the entries of U. They stay bits: U = [U_A  N; 0  U_B] with N the bits of the basic
 * columns in the leading rows. Columns of bits are never pivots in the leading rows, so N is a
 * plain product between the two triangular solves: by byte tables if many columns take part, since
 * eight columns cost one look-up per row, and by set bits if few rows do.
 *
 * N is kept row by row, the basic columns only, so that a product streams over it. A column that
 * enters is appended: the updates (lu_solve.c) refer to columns of bits by number, as if the
 * vector had further coordinates, one multiplier for each column. Hence neither a factorisation nor
 * an update writes out a column of bits. */
#include "base/memory.h"
#include "lp/lu.h"
#include <math.h>

#define NONE UINT32_MAX

bool irl_lp_lu_bits_init(irl_lp_lu_bits *bits, irl_arena *a, size_t capacity) {
  if (!bits->n_blocks) return true;
  bits->capacity = capacity;
  bool has_all = (bits->panels = irl_arena_alloc(a, bits->n_blocks, sizeof *bits->panels)) &&
                 (bits->table = irl_arena_alloc(a, IRL_LP_BLOCK_TABLE, sizeof *bits->table)) &&
                 (bits->name = irl_arena_alloc(a, capacity, sizeof *bits->name)) &&
                 (bits->row = irl_arena_alloc(a, capacity, sizeof *bits->row)) &&
                 (bits->x = irl_arena_alloc(a, capacity, sizeof *bits->x)) &&
                 (bits->kept = irl_arena_alloc(a, capacity, sizeof *bits->kept));
  for (size_t b = 0; b < bits->n_blocks && has_all; b++) {
    irl_lp_lu_panel *p = &bits->panels[b];
    const size_t n_bits = bits->blocks[b].bits->n_bits;
    p->block = &bits->blocks[b];
    has_all = (p->row = irl_arena_alloc(a, n_bits, sizeof *p->row)) &&
              (p->place = irl_arena_alloc(a, n_bits, sizeof *p->place)) &&
              (p->column = irl_arena_alloc(a, capacity, sizeof *p->column));
  }
  return has_all;
}

void irl_lp_lu_bits_free(irl_lp_lu_bits *bits) {
  for (size_t b = 0; b < bits->n_blocks && bits->panels; b++)
    irl_mem_free(&bits->allocator, bits->panels[b].bytes);
}

bool irl_lp_lu_bits_has(const irl_lp_lu_bits *bits, uint32_t column) {
  for (size_t b = 0; b < bits->n_blocks; b++)
    if (irl_lp_block_has_column(&bits->blocks[b], column)) return true;
  return false;
}

static uint32_t place_of(const irl_lp_lu_panel *p, uint32_t row) {
  const uint32_t i = row - p->block->first_row;
  return row >= p->block->first_row && i < p->block->bits->n_bits ? p->place[i] : NONE;
}

bool irl_lp_lu_bits_has_row(const irl_lp_lu_bits *bits, uint32_t i) {
  for (size_t b = 0; b < bits->n_blocks; b++)
    if (place_of(&bits->panels[b], i) != NONE) return true;
  return false;
}

/* Writes bits 8 g .. 8 g + 7 of every row: eight columns, turned by 8 x 8 bits. */
static void fill_group(irl_lp_lu_panel *p, const irl_lp_lu_bits *bits, uint32_t g) {
  assert(8 * g < p->n_columns && g < p->stride);
  const irl_bits_matrix *from = p->block->bits;
  const uint64_t *vector[8];
  const uint32_t n = p->n_columns - 8 * g < 8 ? p->n_columns - 8 * g : 8;
  for (uint32_t k = 0; k < n; k++)
    vector[k] = irl_bits_vector(from, bits->name[p->column[8 * g + k]] - p->block->first_column);
  for (size_t i = 0; i < from->n_bits; i += 8) {
    uint64_t square = 0;
    for (uint32_t k = 0; k < n; k++) square |= (vector[k][i / 64] >> i % 64 & 255) << 8 * k;
    square = irl_lp_transpose_8x8(square);
    for (size_t k = i; k < i + 8 && k < from->n_bits; k++, square >>= 8)
      if (p->place[k] != NONE)
        p->bytes[(size_t)p->place[k] * p->stride + g] = (uint8_t)(square & 255);
  }
}

bool irl_lp_lu_bits_build(irl_lp_lu_bits *bits, const bool *is_leading, uint32_t n,
                          const uint32_t *name, const uint32_t *row, uint32_t more) {
  assert(bits->n_blocks > 0 && (size_t)n + more <= bits->capacity);
  bits->n = bits->n_basic = n;
  memcpy(bits->name, name, n * sizeof *name);
  memcpy(bits->row, row, n * sizeof *row);
  for (size_t b = 0; b < bits->n_blocks; b++) {
    irl_lp_lu_panel *p = &bits->panels[b];
    p->n_rows = p->n_columns = 0;
    for (uint32_t i = 0; i < p->block->bits->n_bits; i++) {
      const uint32_t leading = p->block->first_row + i;
      p->place[i] = is_leading[leading] ? p->n_rows : NONE;
      if (is_leading[leading]) p->row[p->n_rows++] = leading;
    }
    for (uint32_t c = 0; c < n; c++)
      if (irl_lp_block_has_column(p->block, name[c])) p->column[p->n_columns++] = c;
    p->stride = (p->n_columns + more + 7) / 8;
    const size_t size = (size_t)p->n_rows * p->stride;
    if (!irl_mem_reserve_more(&bits->allocator, &p->bytes, &p->bytes_capacity, 0, size + 1, 1))
      return false;
    memset(p->bytes, 0, size);
    for (uint32_t g = 0; g * 8 < p->n_columns; g++) fill_group(p, bits, g);
  }
  return true;
}

void irl_lp_lu_bits_append(irl_lp_lu_bits *bits, uint32_t column) {
  assert(bits->n < bits->capacity);
  bits->name[bits->n] = column;
  for (size_t b = 0; b < bits->n_blocks; b++) {
    irl_lp_lu_panel *p = &bits->panels[b];
    if (!irl_lp_block_has_column(p->block, column)) continue;
    const uint64_t *vector = irl_bits_vector(p->block->bits, column - p->block->first_column);
    const uint32_t c = p->n_columns++;
    assert(c < 8 * p->stride);
    p->column[c] = bits->n;
    for (uint32_t r = 0; r < p->n_rows; r++) {
      const unsigned bit = irl_bits_get(vector, p->row[r] - p->block->first_row);
      p->bytes[(size_t)r * p->stride + c / 8] |= (uint8_t)(bit << c % 8);
    }
  }
  bits->n++;
}

/* Up to IRL_LP_BLOCK_GROUPS bytes of each row that have a multiplier, with their tables. */
typedef struct groups {
  uint32_t byte[IRL_LP_BLOCK_GROUPS];
  uint32_t n;
} groups;

static void add_tables(const irl_lp_lu_panel *p, const groups *g, const double *table, double rest,
                       double *x) {
  const uint8_t *bytes = p->bytes;
  for (uint32_t r = 0; r < p->n_rows; r++, bytes += p->stride) {
    double even = rest, odd = 0;
    uint32_t k = 0;
    for (; k + 1 < g->n; k += 2) {
      even += table[256 * k + bytes[g->byte[k]]];
      odd += table[256 * (k + 1) + bytes[g->byte[k + 1]]];
    }
    if (k < g->n) even += table[256 * k + bytes[g->byte[k]]];
    x[p->row[r]] += even + odd;
  }
}

uint64_t irl_lp_lu_bits_multiply(irl_lp_lu_bits *bits, double *x) {
  uint64_t work = 0;
  for (const irl_lp_lu_panel *p = bits->panels; p < bits->panels + bits->n_blocks; p++) {
    const double coefficient = p->block->coefficient;
    const double sign = p->block->is_complemented ? -coefficient : coefficient;
    double rest = 0; /* of the complement, what all rows get */
    groups g = {.n = 0};
    work += p->n_columns;
    for (uint32_t c = 0; c < p->n_columns; c += 8) {
      double value[8] = {0};
      bool has_any = false;
      for (uint32_t k = c; k < c + 8 && k < p->n_columns; k++) {
        value[k - c] = sign * bits->x[p->column[k]];
        has_any |= value[k - c] != 0;
        if (p->block->is_complemented) rest -= value[k - c];
      }
      if (!has_any) continue;
      irl_lp_fill_table(value, bits->table + (size_t)256 * g.n);
      g.byte[g.n++] = c / 8;
      assert(g.n <= IRL_LP_BLOCK_GROUPS && c / 8 < p->stride);
      work += p->n_rows + 256;
      if (g.n < IRL_LP_BLOCK_GROUPS) continue;
      add_tables(p, &g, bits->table, rest, x);
      g.n = 0;
      rest = 0;
    }
    if (g.n) add_tables(p, &g, bits->table, rest, x);
  }
  return work;
}

/* to[column of bit] += value over the set bits of row r. */
static uint32_t add_set_bits(const irl_lp_lu_panel *p, uint32_t r, double value, double *to) {
  const uint8_t *bytes = p->bytes + (size_t)r * p->stride;
  uint32_t n = 0;
  for (uint32_t g = 0; g * 8 < p->n_columns; g++)
    for (unsigned byte = bytes[g]; byte; byte &= byte - 1, n++)
      to[p->column[8 * g + (unsigned)__builtin_ctz(byte)]] += value;
  return n;
}

static void add_to_all(const irl_lp_lu_panel *p, double value, double *to) {
  for (uint32_t c = 0; c < p->n_columns; c++) to[p->column[c]] += value;
}

uint64_t irl_lp_lu_bits_price(irl_lp_lu_bits *bits, const double *y) {
  uint64_t work = 0;
  memset(bits->x, 0, bits->n * sizeof *bits->x);
  for (size_t b = 0; b < bits->n_blocks; b++) {
    const irl_lp_lu_panel *p = &bits->panels[b];
    const double coefficient = p->block->coefficient;
    const double sign = p->block->is_complemented ? -coefficient : coefficient;
    double total = 0;
    if (!p->n_columns) continue;
    for (uint32_t r = 0; r < p->n_rows; r++) {
      const double value = y[p->row[r]];
      if (value == 0) continue;
      total += value;
      work += add_set_bits(p, r, sign * value, bits->x);
    }
    if (p->block->is_complemented && total != 0) add_to_all(p, coefficient * total, bits->x);
    work += p->n_rows / 4;
  }
  return work;
}

void irl_lp_lu_bits_add_row(irl_lp_lu_bits *bits, uint32_t i, double value) {
  for (size_t b = 0; b < bits->n_blocks; b++) {
    const irl_lp_lu_panel *p = &bits->panels[b];
    const uint32_t r = place_of(p, i);
    if (r == NONE) continue;
    const double term = value * p->block->coefficient;
    add_set_bits(p, r, p->block->is_complemented ? -term : term, bits->x);
    if (p->block->is_complemented) add_to_all(p, term, bits->x);
  }
}

double irl_lp_lu_bits_dot_row(const irl_lp_lu_bits *bits, uint32_t i) {
  double sum = 0;
  for (size_t b = 0; b < bits->n_blocks; b++) {
    const irl_lp_lu_panel *p = &bits->panels[b];
    const uint32_t r = place_of(p, i);
    if (r == NONE) continue;
    const uint8_t *bytes = p->bytes + (size_t)r * p->stride;
    const unsigned flip = p->block->is_complemented ? 1 : 0;
    double part = 0;
    for (uint32_t c = 0; c < p->n_columns; c++) {
      const double value = bits->x[p->column[c]];
      if (value != 0 && ((bytes[c / 8] >> c % 8 & 1u) ^ flip)) part += value;
    }
    sum += part * p->block->coefficient;
  }
  return sum;
}

double irl_lp_lu_bits_get(const irl_lp_lu_bits *bits, uint32_t i, uint32_t column) {
  double sum = 0;
  for (size_t b = 0; b < bits->n_blocks && column != UINT32_MAX; b++) {
    const irl_lp_block *block = &bits->blocks[b];
    if (irl_lp_block_has_column(block, column) && i >= block->first_row &&
        i - block->first_row < block->bits->n_bits &&
        irl_lp_block_get(block, i - block->first_row, column - block->first_column))
      sum += block->coefficient;
  }
  return sum;
}

void irl_lp_lu_bits_scatter(const irl_lp_lu_bits *bits, uint32_t column, bool is_leading,
                            double *x) {
  for (size_t b = 0; b < bits->n_blocks; b++) {
    const irl_lp_lu_panel *p = &bits->panels[b];
    if (!irl_lp_block_has_column(p->block, column)) continue;
    const uint64_t *vector = irl_bits_vector(p->block->bits, column - p->block->first_column);
    for (size_t w = 0; w * 64 < p->block->bits->n_bits; w++) {
      uint64_t word = irl_lp_block_word(p->block, vector, w);
      for (; word; word &= word - 1) {
        const size_t i = w * 64 + (size_t)__builtin_ctzll(word);
        if ((p->place[i] != NONE) == is_leading)
          x[p->block->first_row + i] += p->block->coefficient;
      }
    }
  }
}
