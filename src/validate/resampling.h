/* Parts of the samples and what is learnt from each: the one engine under cross-validation,
 * estimates, stability and permutations.
 *
 * A split maker says which samples a part learns from and which it is tested on: folds with their
 * repeats and inner folds, bags, or shuffled labels, always of whole groups (units.h). `learn` gets
 * the split and an environment of its own, fits, and leaves what it finds in the part's own place,
 * so that nothing depends on the number of threads.
 *
 * A part that fails or runs out of memory is missing, as is one that a limit leaves out: the others
 * count. Only if no part at all could be made does the run fail, with the sentence of the first. */
#ifndef IRL_VALIDATE_RESAMPLING_H
#define IRL_VALIDATE_RESAMPLING_H

#include "validate/hold_out.h"
#include "validate/units.h"

/* Streams of random numbers: one for each repeat of cv, and apart from these */
#define IRL_PERMUTE_STREAM   ((uint64_t)1 << 41)
#define IRL_INNER_STREAM     ((uint64_t)1 << 42)
#define IRL_ESTIMATE_STREAM  ((uint64_t)1 << 43)
#define IRL_STABILITY_STREAM ((uint64_t)1 << 44)

typedef enum irl_draw {
  IRL_DRAW_FOLDS,
  IRL_DRAW_BAGS,        /* with replacement, as many units as there are; both classes are in it */
  IRL_DRAW_TESTED_BAGS, /* and both classes are left for the test */
  IRL_DRAW_SHUFFLES,    /* all samples, with labels in random order within strata */
  IRL_DRAW_NOTHING      /* `learn` makes what it needs */
} irl_draw;

typedef struct irl_resampling {
  irl_env *env;
  const irl_table *table;
  irl_rows rows; /* that parts are made of */
  const irl_limit *limit;
  uint64_t seed, stream;
  irl_draw draw;
  uint8_t *labels; /* of the rows, a byte each */
  irl_units units;
  uint32_t *strata; /* of the rows; NULL: labels are not shuffled */
  /* Folds: those of each repeat, then the inner ones of each of these. */
  uint32_t n_folds, n_outer, n_inner;
  uint32_t *fold_of; /* of each row in each repeat, then among the inner folds of each fold */
  int jobs, threads; /* parts at once, and threads of each search */
  uint32_t n_done, n_missing; /* parts that did not fail, and those that did */
} irl_resampling;

typedef struct irl_parts {
  const char *title, *unit; /* for the progress line */
  uint32_t first, n, n_all; /* as of irl_parallel_jobs */
  const uint32_t *numbers;  /* of the part of each job; NULL: that of the job */
  void *user;
  /* Without a split if nothing is drawn. */
  irl_status (*learn)(irl_env *env, void *user, uint32_t job, irl_split *split);
} irl_parts;

/* Labels and units of these rows, NULL: all of the table. Also one that failed has to be freed.
 * `table`, `limit` and the samples of the rows stay the caller's. */
irl_status irl_resampling_init(irl_env *env, irl_resampling *r, const irl_table *table,
                               const irl_rows *rows, const irl_options *options,
                               const irl_limit *limit);
void irl_resampling_free(irl_resampling *r);

/* n_folds folds in each of so many repeats, each with n_inner inner folds (0: none) of the other
 * samples. Folds that a column gives are taken as they are; inner ones are made of the others. */
irl_status irl_resampling_make_folds(irl_resampling *r, uint32_t n_folds, uint32_t n_repeats,
                                     uint32_t n_inner);
/* Has a fold, or (`rest`) what is left without one, samples of one class only? */
bool irl_resampling_lacks_class(const irl_resampling *r, bool rest);
/* Prepares shuffles within the strata of the table. */
irl_status irl_resampling_make_strata(irl_resampling *r);
/* The labels of a shuffle, by row; `order` is room for a number of each row. */
void irl_resampling_shuffle(const irl_resampling *r, uint32_t number, uint32_t *order,
                            uint8_t *labels);

/* All jobs that the limit allows. */
irl_status irl_resampling_run(irl_resampling *r, const irl_parts *parts);

#endif
