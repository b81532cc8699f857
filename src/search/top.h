/* The largest few of many numbers. Bounds ask what a candidate and so many others could reach
 * together: at most its own number and the largest others. */
#ifndef IRL_SEARCH_TOP_H
#define IRL_SEARCH_TOP_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define IRL_TOP_MAX 64u

typedef struct irl_top_total {
  int64_t sum, least; /* of the largest n: their sum, the smallest of them */
} irl_top_total;

/* The largest n of the positive numbers put in, descending, zeros after them. */
typedef struct irl_top {
  uint32_t n, used;
  int64_t number[IRL_TOP_MAX];
  uint32_t place[IRL_TOP_MAX]; /* of each in the list that it comes from */
} irl_top;

static inline void irl_top_init(irl_top *top, uint32_t n) {
  assert(n && n <= IRL_TOP_MAX);
  top->n = n;
  top->used = 0;
  memset(top->number, 0, n * sizeof *top->number);
}

static inline void irl_top_put(irl_top *top, int64_t number, uint32_t place) {
  if (number <= top->number[top->n - 1]) return;
  uint32_t at = top->used < top->n ? top->used++ : top->n - 1;
  for (; at && top->number[at - 1] < number; at--) {
    top->number[at] = top->number[at - 1];
    top->place[at] = top->place[at - 1];
  }
  top->number[at] = number;
  top->place[at] = place;
  assert(!at || top->number[at - 1] >= number);
}

static inline irl_top_total irl_top_add(const irl_top *top) {
  irl_top_total total = {0, top->number[top->n - 1]};
  for (uint32_t i = 0; i < top->used; i++) total.sum += top->number[i];
  return total;
}

/* With this one among the n: the number itself and the largest n - 1 others. */
static inline int64_t irl_top_with(irl_top_total total, int64_t number) {
  return number >= total.least ? total.sum : total.sum - total.least + number;
}

#endif
