#include "table/packed.h"
#include "base/memory.h"

bool irl_packed_init(irl_packed *cells, const irl_allocator *allocator, size_t n_cells) {
  const size_t n = irl_packed_words(n_cells);
  cells->low = irl_mem_alloc(allocator, 2 * n, sizeof *cells->low);
  cells->high = cells->low ? cells->low + n : NULL;
  return cells->low != NULL;
}

void irl_packed_free(irl_packed *cells, const irl_allocator *allocator) {
  irl_mem_free(allocator, cells->low);
  *cells = (irl_packed){0};
}

bool irl_packed_tails_are_zero(const irl_packed *cells, size_t n_cells) {
  const size_t w = n_cells / 64, left = n_cells % 64;
  return !left || !((cells->low[w] | cells->high[w]) >> left);
}

size_t irl_packed_count(const irl_packed *cells, size_t n_cells, unsigned value) {
  size_t n = 0;
  for (size_t w = 0; w < irl_packed_words(n_cells); w++)
    n += (size_t)__builtin_popcountll(irl_packed_are(cells, w, 1u << value));
  if (!value) n -= 64 * irl_packed_words(n_cells) - n_cells; /* the tail is zero */
  return n;
}

void irl_packed_move(irl_packed *cells, size_t to, size_t from) {
  const unsigned value = irl_packed_get(cells, from);
  irl_bits_clear(cells->low, to);
  irl_bits_clear(cells->high, to);
  if (value & 1) irl_bits_set(cells->low, to);
  if (value & 2) irl_bits_set(cells->high, to);
}

void irl_packed_cut(irl_packed *cells, size_t n, size_t n_before) {
  for (size_t i = n; i < n_before; i++) {
    irl_bits_clear(cells->low, i);
    irl_bits_clear(cells->high, i);
  }
  for (size_t i = n; i < n_before; i++) assert(!irl_packed_get(cells, i));
  assert(n <= n_before && irl_packed_tails_are_zero(cells, n));
}
