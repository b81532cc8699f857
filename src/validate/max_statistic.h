/* The strongest of all clauses under shuffled labels, for many shuffles at once. */
#ifndef IRL_VALIDATE_MAX_STATISTIC_H
#define IRL_VALIDATE_MAX_STATISTIC_H

#include "base/limit.h"
#include "data/dataset.h"

/* All samples side by side: cases first, then controls; a vector per feature and, with negations
 * that the data may have, another per opposite behind these. */
irl_status irl_classes_join(irl_env *env, const irl_data *data, bool negations,
                            irl_bits_matrix *literals);
/* Words touched by a walk over all clauses of at most M literals of these data, for so many
 * shuffles. */
double irl_max_work(const irl_data *data, bool negations, uint32_t M, double n_shuffles);

/* Tails of the hypergeometric distribution, as logarithms, the weakest (greatest) first. */
typedef struct irl_tails {
  const double *log_p;
  uint32_t n;
} irl_tails;

typedef struct irl_max_problem {
  const irl_bits_matrix *literals; /* joined */
  uint32_t n_cases, M;
  irl_tails tails;
  const irl_bits_matrix *shuffles; /* the cases of each */
  const irl_limit *limit;
} irl_max_problem;

/* levels[b]: how many of the tails the strongest clause reaches if the cases are those of shuffle
 * b. Says false in *is_done if the limit cut it. */
irl_status irl_max_statistic(irl_env *env, const irl_max_problem *problem, uint32_t *levels,
                             bool *is_done);

#endif
