/* All rules that are as good as the best, or nearly; see alike.c. */
#ifndef IRL_LEARN_ALIKE_H
#define IRL_LEARN_ALIKE_H

#include "learn/learner.h"

/* Rules side by side: sizes and literals of K clauses each, M literals a clause. */
typedef struct irl_learn_alike {
  irl_allocator allocator;
  uint32_t K, M;
  size_t n, capacity;
  uint32_t *clauses;     /* how many each rule has */
  uint32_t *sizes;       /* K each */
  irl_literal *literals; /* K * M each */
  int64_t *losses;
  bool is_complete; /* there are no others */
} irl_learn_alike;

/* Up to `max` rules with a loss of at most `most`, in which every clause and every literal matters:
 * without it the loss is larger. The best rule must be proven. */
irl_status irl_learn_find_alike(irl_learner *learner, int64_t most, size_t max,
                                irl_learn_alike *alike);
void irl_learn_alike_free(irl_learn_alike *alike);

static inline const irl_literal *irl_learn_alike_clause(const irl_learn_alike *alike, size_t rule,
                                                        uint32_t clause) {
  return alike->literals + (rule * alike->K + clause) * alike->M;
}

#endif
