/* Vectors with an index of their nonzeros, and lists of sparse vectors. */
#ifndef IRL_LP_SPARSE_H
#define IRL_LP_SPARSE_H

#include "base/arena.h"
#include <stdint.h>

/* A dense vector that knows where it is not zero. */
typedef struct irl_lp_vector {
  double *x;
  uint32_t *index; /* of the nonzeros, ascending after a solve */
  uint32_t n, size;
} irl_lp_vector;

/* Its arrays live as long as the arena. */
bool irl_lp_vector_init(irl_arena *arena, irl_lp_vector *v, uint32_t size);
/* Zeroes what the index names. */
void irl_lp_vector_clear(irl_lp_vector *v);
/* Drops noise and lists what is left. */
void irl_lp_vector_pack(irl_lp_vector *v);
void irl_lp_vector_copy(irl_lp_vector *to, const irl_lp_vector *from);
/* The sum of squares. */
double irl_lp_vector_norm2(const irl_lp_vector *v);
/* Are the nonzeros in the index, each once? For assertions: it looks at every place. */
bool irl_lp_vector_check(const irl_lp_vector *v);

/* Sparse vectors one after the other: number k is start[k] .. start[k + 1]. */
typedef struct irl_lp_lists {
  size_t *start;
  uint32_t *index;
  double *value;
  size_t n, start_capacity, used, capacity;
} irl_lp_lists;

/* Room for `n` lists and one more, with `used` entries in all. */
bool irl_lp_lists_reserve(const irl_allocator *allocator, irl_lp_lists *lists, size_t n,
                          size_t used);
bool irl_lp_lists_push(const irl_allocator *allocator, irl_lp_lists *lists, uint32_t index,
                       double value);
/* Ends the current list. */
bool irl_lp_lists_close(const irl_allocator *allocator, irl_lp_lists *lists);
/* to[slot[index]] gets (name[k], value) for each entry of from[k], in the order of k; NULL: numbers
 * stay as they are. */
bool irl_lp_lists_transpose(const irl_allocator *allocator, const irl_lp_lists *from,
                            const uint32_t *name, const uint32_t *slot, size_t n_slots,
                            irl_lp_lists *to);
void irl_lp_lists_free(const irl_allocator *allocator, irl_lp_lists *lists);

#endif
