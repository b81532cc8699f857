/* A cross-validation while it runs: its folds (resampling.h) and its rounds (cv_rounds.c). */
#ifndef IRL_VALIDATE_CV_VALIDATOR_H
#define IRL_VALIDATE_CV_VALIDATOR_H

#include "base/arena.h"
#include "validate/cv.h"

#define IRL_CV_MAX_CODINGS 2u /* literals as they are, and also negated */

/* For each coding which of the numbers of literals are tried now. */
typedef struct irl_cv_job {
  uint32_t begin[IRL_CV_MAX_CODINGS], end[IRL_CV_MAX_CODINGS];
} irl_cv_job;

typedef struct irl_cv_validator {
  irl_env *env;
  bool is_tuning; /* for a fit */
  irl_resampling parts;
  irl_options options;
  irl_cv_axes axes;
  irl_arena arena;      /* for what follows */
  uint32_t n_rows;      /* settings of all codings */
  irl_cv_job *jobs;     /* of this round, */
  uint32_t *numbers;    /* and the part of each */
  irl_cv_job *tried;    /* by each group that chooses: up to `end` */
  uint32_t chosen_by;   /* the figure that decides, */
  double margin;        /* and standard errors below the best that the chosen setting may be */
  irl_cv_score *scores; /* n_rows for each part */
  uint64_t **predicted; /* with the option: of each fold, a bit per row and sample */
  uint32_t *nested;     /* the setting that is chosen without each fold; n_rows: none */
} irl_cv_validator;

/* irl_cv on some rows of the table (NULL: all) within a limit. For a fit (the option tune) the
 * folds are as many as the classes bear, and where they bear no inner ones there is no nested
 * estimate. The options have been copied in. */
irl_status irl_cv_run(irl_env *env, const irl_table *table, const irl_rows *rows,
                      const irl_options *options, const irl_cv_grid *grid, const irl_limit *limit,
                      irl_cv_result **result);

/* The rows of group g: 0, the folds of the whole; 1 + o, the inner folds of fold o. Rows that the
 * group has not tried have no fold, whatever else was done in its folds. */
void irl_cv_make_rows(const irl_cv_validator *v, uint32_t g, irl_cv_row *rows);
/* Round after round, until no group goes on; then what the nested choices need. */
irl_status irl_cv_run_rounds(irl_cv_validator *v);
/* The best row, and the chosen one: the simplest of those within the margin of it, of two as simple
 * the better; n_rows if none has ended enough of the folds. */
uint32_t irl_cv_choose(const irl_cv_validator *v, const irl_cv_row *rows, uint32_t n_folds,
                       uint32_t *best);
/* Does a fold have a score of the setting? */
static inline bool irl_cv_has_score(const irl_cv_validator *v, uint32_t fold, uint32_t setting) {
  return setting < v->n_rows && v->scores[(size_t)fold * v->n_rows + setting].is_done;
}
/* A CSV text, a line for each sample of each repeat: what the rule of the chosen setting says that
 * has not seen it, and with inner folds that of the setting which is chosen without it. */
irl_status irl_cv_make_predictions(const irl_cv_validator *v, uint32_t chosen, char **csv);

#endif
