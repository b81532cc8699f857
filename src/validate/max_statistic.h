/* The strongest of all clauses under shuffled labels, for many shuffles at once. */
#ifndef IRL_VALIDATE_MAX_STATISTIC_H
#define IRL_VALIDATE_MAX_STATISTIC_H

#include "base/limit.h"
#include "data/dataset.h"

/* All samples side by side: cases first, then controls; a vector per literal. */
typedef struct irl_joined {
  irl_bits_matrix literals;
  uint32_t n_cases, n_controls;
} irl_joined;

irl_status irl_joined_init(irl_env *env, irl_joined *joined, const irl_data *data, bool negations);
void irl_joined_free(irl_joined *joined);
/* Words touched by a walk over all clauses of at most M literals, for so many shuffles. */
double irl_joined_work(const irl_joined *joined, uint32_t M, double n_shuffles);

/* Tails of the hypergeometric distribution, as logarithms, the weakest (greatest) first. */
typedef struct irl_tails {
  const double *log_p;
  uint32_t n;
} irl_tails;

typedef struct irl_max_problem {
  const irl_joined *joined;
  uint32_t M;
  irl_tails tails;
  const irl_bits_matrix *shuffles; /* the cases of each */
  const irl_limit *limit;
} irl_max_problem;

/* levels[b]: how many of the tails the strongest clause reaches if the cases are those of shuffle
 * b. Says false in *is_done if the limit cut it. */
irl_status irl_max_statistic(irl_env *env, const irl_max_problem *problem, uint32_t *levels,
                             bool *is_done);

#endif
