/* Cross-validation inside: the settings that are tried, and what a fold gives for each. */
#ifndef IRL_VALIDATE_CV_H
#define IRL_VALIDATE_CV_H

#include "ireland_study.h"
#include "validate/resampling.h"

#define IRL_CV_MAX_LIST 64u

/* Numbers to try, ascending. */
typedef struct irl_cv_list {
  double numbers[IRL_CV_MAX_LIST];
  uint32_t n;
} irl_cv_list;

typedef struct irl_cv_axes {
  irl_cv_list K, M, penalty;
  irl_cv_list negations; /* 0: literals as they are, 1: also negated; none in a fold, whose data are
                          * coded for one of them */
  uint32_t first_M;      /* so many of M are tried at once; more, one by one, while that helps */
} irl_cv_axes;

/* Settings of one coding. */
static inline uint32_t irl_cv_n_rows(const irl_cv_axes *axes) {
  return axes->M.n * axes->penalty.n * axes->K.n;
}

typedef struct irl_cv_setting {
  uint32_t K, M;
  double penalty;
} irl_cv_setting;

/* Settings of a coding are numbered by M, then by penalty, then by K. */
static inline irl_cv_setting irl_cv_setting_at(const irl_cv_axes *axes, uint32_t number) {
  const uint32_t path = number / axes->K.n;
  assert(number < irl_cv_n_rows(axes));
  return (irl_cv_setting){(uint32_t)axes->K.numbers[number % axes->K.n],
                          (uint32_t)axes->M.numbers[path / axes->penalty.n],
                          axes->penalty.numbers[path % axes->penalty.n]};
}

/* Does every setting have a fit of its own? */
static inline bool irl_cv_is_each(const irl_options *options) {
  return options->search.prove || options->search.method > IRL_METHOD_IRELAND ||
         options->search.profile == IRL_PROFILE_PAPER || options->search.effort == IRL_EFFORT_FULL;
}

/* `has_words`: are there columns whose literals have no opposite unless negations are allowed? */
irl_status irl_cv_parse_grid(irl_env *env, const irl_options *options, const irl_cv_grid *grid,
                             bool has_words, irl_cv_axes *axes);

/* A rule on the samples of a fold. */
typedef struct irl_cv_score {
  irl_evaluation e, train; /* the latter on what it was learnt from, if that is wanted */
  uint32_t clauses, literals;
  bool is_done, is_proven;
  bool is_cut; /* a limit on work ended its search, and more of it may well have helped */
} irl_cv_score;

typedef struct irl_cv_fold {
  const irl_resampling *from; /* whose limit and threads it has */
  /* Coded. Test rows without data are those that a rule is coded on when it is there; where there
   * are no test rows the rule is tested on what it was learnt from. */
  const irl_split *split;
  const irl_cv_axes *axes;
  irl_cv_score *scores; /* one of each setting */
  bool wants_train;     /* scores on the training samples too */
  uint8_t *predicted;   /* by each, of all test samples; NULL: they are not wanted */
  /* A search that had this much work, and nothing better for the greater part of it, was not cut
   * short; 0: whatever a limit ends was. */
  uint64_t enough_work;
  uint64_t search_work; /* for the clauses of one M; 0: any. What is found by then has to do */
  irl_rule **rule;      /* of the one setting: where it goes; NULL: nowhere */
} irl_cv_fold;

/* Learns a rule for every setting and tests it. A fold that the limit cuts leaves scores that are
 * not done. */
irl_status irl_cv_fold_run(irl_env *env, const irl_cv_fold *fold, const irl_options *options);
/* The one setting that the options name. */
irl_cv_axes irl_cv_one_setting(const irl_options *options);

/* What a setting is measured by; the last ones, by weight, are there with a weight column only. */
typedef struct irl_cv_figure {
  const char *key, *title;
  size_t of_evaluation, of_row; /* offsets of the figure in both structs */
  bool is_by_weight;
} irl_cv_figure;

#define IRL_CV_N_FIGURES 6u
#define IRL_CV_BY_WEIGHT 4u /* the first of those by weight; each time accuracy, then balanced */
extern const irl_cv_figure irl_cv_figures[IRL_CV_N_FIGURES];

static inline const irl_cv_measure *irl_cv_figure_of(const irl_cv_row *row, size_t i) {
  assert(i < IRL_CV_N_FIGURES);
  return (const irl_cv_measure *)((const char *)row + irl_cv_figures[i].of_row);
}

/* Scores of n folds, `stride` apart; `folds` of them are of one repeat. */
typedef struct irl_cv_scored {
  const irl_cv_score *scores;
  uint32_t n;
  size_t stride;
  uint32_t folds;
} irl_cv_scored;

/* Setting `number` over the folds; K, M and the like are the caller's. */
void irl_cv_make_row(const irl_cv_scored *s, uint32_t number, irl_cv_row *row);

struct irl_cv_result {
  irl_allocator allocator;
  irl_cv_info info;
  irl_cv_row *rows, nested;
  uint32_t folds, repeats, inner_folds;
  uint32_t chosen_by;   /* the figure that decides */
  double margin;        /* standard errors below the best that the chosen one may be */
  bool tries_negations; /* literals both as they are and also negated: rows say which */
  irl_cuts cuts;        /* of number columns */
  uint64_t samples, cases, seed;
  char *data_path;      /* that the table was read from */
  char *command;        /* that fits the chosen setting; NULL: none is chosen */
  uint32_t least_folds; /* that a setting has to have ended to be chosen */
  bool shows_all;       /* rows, in the text */
  bool wants_predictions;
  char *predictions; /* as CSV; NULL: they could not be kept */
  char *positive;    /* label of the cases */
};

/* Fewer ended folds than half of those that were asked for, or than two, choose nothing. */
static inline uint32_t irl_cv_least_folds(uint32_t n_folds) {
  return n_folds < 4 ? 2 : (n_folds + 1) / 2;
}

/* The command of a fit with the chosen setting and the options of the cross-validation. */
irl_status irl_cv_make_command(irl_env *env, const irl_table *table, const irl_options *options,
                               irl_cv_result *result);

#endif
