/* Cross-validation inside: the settings that are tried, and what a fold gives for each. */
#ifndef IRL_VALIDATE_CV_H
#define IRL_VALIDATE_CV_H

#include "validate/hold_out.h"

#define IRL_CV_MAX_LIST 64u

/* Numbers of clauses, of literals and penalties, each ascending. */
typedef struct irl_cv_axes {
  uint32_t n_K, n_M, n_penalties;
  uint32_t K[IRL_CV_MAX_LIST], M[IRL_CV_MAX_LIST];
  double penalties[IRL_CV_MAX_LIST];
} irl_cv_axes;

static inline uint32_t irl_cv_n_rows(const irl_cv_axes *axes) {
  return axes->n_M * axes->n_penalties * axes->n_K;
}

/* The number of a setting. */
static inline uint32_t irl_cv_number(const irl_cv_axes *axes, uint32_t m, uint32_t p, uint32_t k) {
  return (m * axes->n_penalties + p) * axes->n_K + k;
}

irl_status irl_cv_parse_grid(irl_env *env, const irl_options *options, const irl_cv_grid *grid,
                             irl_cv_axes *axes);

/* A rule on the samples of a fold. */
typedef struct irl_cv_score {
  irl_evaluation e;
  uint32_t clauses, literals;
  bool is_done, is_proven;
} irl_cv_score;

/* Learns a rule for every setting from `train` and tests it on `test`. A fold that the limit cuts
 * leaves scores that are not done. */
irl_status irl_cv_fold(irl_env *env, const irl_limit *limit, const irl_data *train,
                       const irl_data *test, const irl_options *options, const irl_cv_axes *axes,
                       irl_cv_score *scores);

struct irl_cv_result {
  irl_allocator allocator;
  irl_cv_info info;
  irl_cv_row *rows;
  uint32_t folds, repeats, inner_folds;
  bool is_nested, by_accuracy, by_weight, by_best;
  uint64_t samples, cases, seed;
};

#endif
