/* Clauses by falling value, those that come first in their list first among equals. */
#ifndef IRL_PROVE_RANKED_H
#define IRL_PROVE_RANKED_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct irl_ranked {
  int64_t value;
  size_t i; /* in its list */
} irl_ranked;

static inline int irl_ranked_compare(const void *x, const void *y) {
  const irl_ranked *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return (a->i > b->i) - (a->i < b->i);
}

static inline void irl_ranked_sort(irl_ranked *all, size_t n) {
  if (n) qsort(all, n, sizeof *all, irl_ranked_compare);
}

#endif
