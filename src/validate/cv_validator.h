/* A cross-validation while it runs: its folds (cv_tasks.c) and its rounds (cv_rounds.c). */
#ifndef IRL_VALIDATE_CV_VALIDATOR_H
#define IRL_VALIDATE_CV_VALIDATOR_H

#include "base/arena.h"
#include "base/limit.h"
#include "validate/cv.h"

#define IRL_CV_MAX_CODINGS 2u /* literals as they are, and also negated */

/* A fold, and for each coding which of the numbers of literals it tries now. */
typedef struct irl_cv_job {
  uint32_t task;
  uint32_t begin[IRL_CV_MAX_CODINGS], end[IRL_CV_MAX_CODINGS];
} irl_cv_job;

typedef struct irl_cv_validator {
  irl_env *env;
  const irl_table *table;
  irl_options options;
  irl_cv_axes axes;
  irl_limit limit;
  irl_arena arena; /* for what follows */
  uint8_t *labels;
  uint32_t n, n_rows;                 /* n_rows: settings of all codings */
  uint32_t n_folds, n_outer, n_inner; /* n_outer: folds of all repeats; n_inner: of each of them */
  uint32_t *fold_of;                  /* n for each repeat */
  const irl_cv_job *jobs;             /* of this round */
  irl_cv_job *tried;                  /* by each group that chooses: up to `end` */
  uint32_t chosen_by;                 /* the figure that decides */
  irl_cv_score *outer;                /* n_rows for each fold */
  irl_cv_score *inner;                /* n_rows for each inner fold of each fold */
  uint64_t **predicted;               /* with the option: of each fold, a bit per row and sample */
  int threads;                        /* of the search of a fold; 0: one */
  bool is_cut;                        /* memory ran out; folds that ended before count */
} irl_cv_validator;

/* The folds of each repeat, inner ones too, each of which must have both classes, and room for the
 * scores. */
irl_status irl_cv_make_folds(irl_cv_validator *v);
/* Runs number `number` of the round's jobs; `user` is the validator. */
irl_status irl_cv_run_job(irl_env *env, void *user, uint32_t number);

/* The rows of group g: 0, the folds of the whole; 1 + o, the inner folds of fold o. Rows that the
 * group has not tried have no fold, whatever else was done in its folds. */
void irl_cv_make_rows(const irl_cv_validator *v, uint32_t g, irl_cv_row *rows);
/* Round after round, until no group goes on; then what the nested choices need. */
irl_status irl_cv_run_rounds(irl_cv_validator *v);
/* Standard errors below the best that the chosen setting may be. */
double irl_cv_margin(const irl_options *options);

#endif
