/* Cross-validation: folds in parallel, then the table and the choice.
 *
 * Every fold is a task of its own with its own environment and one thread, and writes its scores to
 * its own place, so the result does not depend on the number of threads. What is learnt in a fold,
 * the coding of raw columns included, has not seen the fold's samples.
 *
 * Literals are tried as they are and also negated, each with a coding of its own. Unless numbers
 * of literals are named, the small ones are tried first and a greater one while the greatest so far
 * is as good as any: rounds of jobs, after each of which every group of folds that chooses (the
 * whole, and with --nested the inner folds of each) decides by its own figures whether it goes on.
 *
 * Groups of samples go to one fold, inner ones included (units.h). Folds that a column gives are
 * taken as they are; the inner ones are then made of the others.
 *
 * The mean of the chosen setting is a little too good, because it was chosen by it. --nested
 * repeats the choice for each fold by a cross-validation of the other samples alone. */
#include "validate/cv.h"
#include "base/arena.h"
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "search/parallel_jobs.h"
#include "validate/folds.h"
#include "validate/units.h"
#include <inttypes.h>
#include <math.h>

#define INNER_FOLDS  5u                  /* of the nested choice, at most */
#define INNER_STREAM ((uint64_t)1 << 42) /* of its random numbers */

/* Quantiles besides those of MDL, if no cuts are named: parts of at least so many samples each, but
 * within these numbers, the lesser of which is fit's own (src/doc/statistics.md has figures). */
#define SAMPLES_PER_PART 75u
#define LEAST_QUANTILES  3u
#define MOST_QUANTILES   9u

#define USUAL_MARGIN 0.5 /* standard errors: see cv_choice.c */

/* Words for the clauses of one M in one fold, about a second. Most searches end by themselves with
 * less. On the HIV set (1,600 literals with negations) two and three literals take 14.8 s in two
 * folds without a limit and 2.0 s with half of this one, and its rules predict no worse. */
#define SEARCH_WORK ((uint64_t)1000000000)

#define MAX_CODINGS 2u /* literals as they are, and also negated */

typedef struct validator {
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
  const struct job *jobs;             /* of this round */
  struct job *tried;                  /* by each group that chooses: up to `end` */
  uint32_t chosen_by;                 /* the figure that decides */
  irl_cv_score *outer;                /* n_rows for each fold */
  irl_cv_score *inner;                /* n_rows for each inner fold of each fold */
  uint64_t **predicted;               /* with the option: of each fold, a bit per row and sample */
  int threads;                        /* of the search of a fold; 0: one */
} validator;

/* ---- tasks ---- */

/* Only folds of groups, and folds that are given, can lack a class. */
static irl_status check_classes(irl_env *env, const validator *v, const uint8_t *labels,
                                const uint32_t *fold_of, uint32_t n, uint32_t n_folds) {
  if (!irl_folds_lack_class(labels, fold_of, n, n_folds, false) &&
      !irl_folds_lack_class(labels, fold_of, n, n_folds, true))
    return IRL_STATUS_OK;
  const char *given = v->options.data.fold_column;
  return given ? irl_fail(env, IRL_STATUS_BAD_INPUT,
                          "the folds of column '%s' leave one with samples of a single class, so "
                          "that its sensitivity or specificity cannot be told",
                          given)
               : irl_fail(env, IRL_STATUS_BAD_INPUT,
                          "the groups of column '%s' leave a fold with samples of a single class%s",
                          v->options.data.group ? v->options.data.group : "",
                          n_folds > 2 ? "; fewer folds may do" : "");
}

/* An inner split of the training samples of an outer one. */
static irl_status split_again(irl_env *env, const validator *v, const irl_rows *rows, uint32_t task,
                              uint32_t fold, irl_split *split) {
  irl_random random;
  irl_units units = {0};
  uint8_t *labels = irl_mem_alloc(&env->allocator, rows->n, 1);
  uint32_t *fold_of = irl_mem_alloc(&env->allocator, rows->n, sizeof *fold_of);
  irl_status status = labels && fold_of ? IRL_STATUS_OK : irl_fail_memory(env);
  for (uint32_t i = 0; i < rows->n && !status; i++) labels[i] = v->labels[rows->samples[i]];
  irl_random_init(&random, (uint64_t)v->options.search.seed, INNER_STREAM + task);
  if (!status) status = irl_units_init(env, &units, v->table, rows, labels);
  if (!status && v->table->folds.of) {
    irl_units_given_folds(v->table, rows, fold_of);
    for (uint32_t i = 0; i < rows->n; i++) fold_of[i] %= v->n_inner;
  } else if (!status) {
    status = units.are_groups ? irl_units_folds(env, &units, &random, v->n_inner, fold_of)
                              : irl_folds_make(env, &random, labels, rows->n, v->n_inner, fold_of);
  }
  if (!status) status = check_classes(env, v, labels, fold_of, rows->n, v->n_inner);
  if (!status) status = irl_split_make(env, split, rows, fold_of, fold);
  irl_units_free(env, &units);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, fold_of);
  return status;
}

/* A fold, and for each coding which of the numbers of literals it tries now. */
typedef struct job {
  uint32_t task;
  uint32_t begin[MAX_CODINGS], end[MAX_CODINGS];
} job;

/* Task t: fold t % n_outer of the whole, or of its inner folds number t / n_outer - 1. */
static irl_cv_score *scores_of(const validator *v, uint32_t task) {
  const uint32_t o = task % v->n_outer, inner = task / v->n_outer;
  return inner ? v->inner + ((size_t)o * v->n_inner + inner - 1) * v->n_rows
               : v->outer + (size_t)o * v->n_rows;
}

/* Learns and tests the settings of a job, one coding after the other. `predicted` has room for what
 * those of one say and is kept with the fold's; NULL: that is not wanted. */
static irl_status run_codings(irl_env *env, const validator *v, const job *wanted, irl_split *split,
                              uint8_t *predicted) {
  const uint32_t n_path = v->axes.penalty.n * v->axes.K.n, n_test = split->test_rows.n;
  irl_status status = IRL_STATUS_OK;
  for (uint32_t i = 0; i < v->axes.negations.n && !status; i++) {
    const uint32_t begin = wanted->begin[i], n = wanted->end[i] - begin;
    const size_t first = ((size_t)i * v->axes.M.n + begin) * n_path;
    irl_options own = v->options;
    irl_cv_axes axes = {.K = v->axes.K, .penalty = v->axes.penalty, .M.n = n};
    if (!n) continue;
    memcpy(axes.M.numbers, v->axes.M.numbers + begin, n * sizeof *axes.M.numbers);
    own.rule.negations = v->axes.negations.numbers[i] > 0;
    irl_split_drop(split);
    status = irl_split_code(env, v->table, &own, split);
    if (status) break;
    const irl_cv_fold fold = {.limit = &v->limit,
                              .predicted = predicted,
                              .train = split->train,
                              .test = split->test,
                              .table = v->table,
                              .test_rows = &split->test_rows,
                              .threads = v->threads,
                              .axes = &axes,
                              .search_work = SEARCH_WORK,
                              .scores = scores_of(v, wanted->task) + first};
    status = irl_cv_fold_run(env, &fold, &own);
    if (!status && predicted)
      irl_cv_pack(predicted, (size_t)n * n_path * n_test, first * n_test,
                  v->predicted[wanted->task]);
  }
  return status;
}

static irl_status run_job(irl_env *env, void *user, uint32_t number) {
  const validator *v = user;
  const job *wanted = &v->jobs[number];
  const uint32_t o = wanted->task % v->n_outer, inner = wanted->task / v->n_outer;
  const irl_rows all = {.size = sizeof all, .n = v->n};
  const uint32_t *fold_of = v->fold_of + (size_t)(o / v->n_folds) * v->n;
  irl_split outer = {0}, own = {0}, *split = inner ? &own : &outer;
  assert(inner <= v->n_inner);
  irl_status status = irl_split_make(env, &outer, &all, fold_of, o % v->n_folds);
  if (!status && inner) status = split_again(env, v, &outer.train_rows, o, inner - 1, &own);
  uint8_t *predicted = NULL;
  if (!status && !inner && v->predicted) {
    const size_t n_coding = (size_t)split->test_rows.n * irl_cv_n_rows(&v->axes);
    const size_t n_words = (n_coding * v->axes.negations.n + 63) / 64;
    predicted = irl_mem_alloc(&env->allocator, n_coding, 1);
    if (!v->predicted[o])
      v->predicted[o] = irl_mem_alloc(&env->allocator, n_words, sizeof *v->predicted[o]);
    if (!predicted || !v->predicted[o]) status = irl_fail_memory(env);
  }
  if (!status) status = run_codings(env, v, wanted, split, predicted);
  irl_mem_free(&env->allocator, predicted);
  irl_split_free(env, &outer);
  irl_split_free(env, &own);
  return status;
}

/* ---- the table ---- */

/* The folds that choose together: group 0 those of the whole, group 1 + o the inner ones of o. */
static irl_cv_scored group_at(const validator *v, uint32_t g) {
  if (!g) return (irl_cv_scored){v->outer, v->n_outer, v->n_rows, v->n_folds};
  const irl_cv_score *scores = v->inner + (size_t)(g - 1) * v->n_inner * v->n_rows;
  return (irl_cv_scored){scores, v->n_inner, v->n_rows, v->n_inner};
}

/* The coding of a row, and which of the numbers of literals it has. */
static uint32_t coding_of(const validator *v, uint32_t number, uint32_t *m) {
  const uint32_t n = irl_cv_n_rows(&v->axes);
  *m = number % n / (v->axes.penalty.n * v->axes.K.n);
  return number / n;
}

/* Rows that the group has not tried have no fold, whatever else was done in its folds. */
static void make_rows(const validator *v, uint32_t g, irl_cv_row *rows) {
  const irl_cv_scored all = group_at(v, g), none = {.stride = v->n_rows};
  for (uint32_t number = 0; number < v->n_rows; number++) {
    const irl_cv_setting setting = irl_cv_setting_at(&v->axes, number % irl_cv_n_rows(&v->axes));
    uint32_t m;
    const uint32_t coding = coding_of(v, number, &m);
    rows[number] = (irl_cv_row){.K = setting.K,
                                .M = setting.M,
                                .penalty = setting.penalty,
                                .negations = v->axes.negations.numbers[coding] > 0};
    irl_cv_make_row(m < v->tried[g].end[coding] ? &all : &none, number, &rows[number]);
  }
}

/* The nested estimate: for each fold the score of the setting that its inner folds choose. */
static irl_status make_nested(const validator *v, irl_cv_result *result) {
  irl_cv_row *rows = irl_mem_alloc(&v->env->allocator, v->n_rows, sizeof *rows);
  irl_cv_score *scores = irl_mem_alloc(&v->env->allocator, v->n_outer, sizeof *scores);
  const bool is_ready = rows && scores;
  for (uint32_t o = 0; o < v->n_outer && is_ready; o++) {
    uint32_t best;
    make_rows(v, 1 + o, rows);
    const uint32_t chosen = irl_cv_choose(result, rows, v->n_inner, &best);
    if (result->nested_chosen) result->nested_chosen[o] = chosen;
    if (chosen < v->n_rows) scores[o] = v->outer[(size_t)o * v->n_rows + chosen];
    if (result->is_ended) result->is_ended[2 * o + 1] = scores[o].is_done;
  }
  const irl_cv_scored chosen = {scores, v->n_outer, 1, v->n_folds};
  if (is_ready) irl_cv_make_row(&chosen, 0, &result->nested);
  irl_mem_free(&v->env->allocator, rows);
  irl_mem_free(&v->env->allocator, scores);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(v->env);
}

/* ---- rounds ---- */

/* Standard errors below the best that the chosen setting may be. */
static double margin_of(const irl_options *options) {
  if (options->output.choose == IRL_CHOICE_BEST) return 0;
  return options->output.choose == IRL_CHOICE_ONE_SE ? 1 : USUAL_MARGIN;
}

/* Has the last number of literals that the group tried in this coding other figures than the one
 * before? If not, longer clauses bring nothing there. */
static bool is_other(const validator *v, const irl_cv_row *rows, uint32_t coding, uint32_t end) {
  const uint32_t n = v->axes.penalty.n * v->axes.K.n;
  assert(end > 1 && end <= v->axes.M.n);
  const irl_cv_row *last = rows + ((size_t)coding * v->axes.M.n + end - 1) * n;
  for (uint32_t i = 0; i < n; i++)
    if (irl_cv_figure_of(&last[i], v->chosen_by)->mean !=
        irl_cv_figure_of(&last[i] - n, v->chosen_by)->mean)
      return true;
  return false;
}

/* Has the greatest number of literals that the group tried in this coding a row as good as any
 * other, all of its folds being ended, and does it bring anything? */
static bool wants_more(const validator *v, const irl_cv_row *rows, uint32_t g, uint32_t coding) {
  const uint32_t end = v->tried[g].end[coding], n_folds = group_at(v, g).n;
  double last = -1, others = -1;
  if (end == v->axes.M.n || end < v->axes.first_M) return false;
  for (uint32_t number = 0; number < v->n_rows; number++) {
    uint32_t m;
    const uint32_t other = coding_of(v, number, &m);
    if (m >= v->tried[g].end[other]) continue;
    if (rows[number].folds < n_folds) return false;
    const double mean = irl_cv_figure_of(&rows[number], v->chosen_by)->mean;
    if (other == coding && m + 1 == end)
      last = fmax(last, mean);
    else
      others = fmax(others, mean);
  }
  return last >= others && is_other(v, rows, coding, end);
}

/* Every group goes on as its figures say; returns the number of jobs. */
static uint32_t next_jobs(const validator *v, irl_cv_row *rows, job *jobs) {
  const uint32_t n_groups = v->n_inner ? 1 + v->n_outer : 1;
  uint32_t n = 0;
  for (uint32_t g = 0; g < n_groups; g++) {
    job *tried = &v->tried[g];
    make_rows(v, g, rows);
    uint32_t more[MAX_CODINGS] = {0};
    for (uint32_t i = 0; i < v->axes.negations.n; i++)
      more[i] = tried->end[i] ? wants_more(v, rows, g, i) : v->axes.first_M;
    for (uint32_t i = 0; i < v->axes.negations.n; i++) {
      tried->begin[i] = tried->end[i];
      tried->end[i] += more[i];
    }
  }
  for (uint32_t t = 0; t < v->n_outer * (1 + v->n_inner); t++) {
    const job *tried = &v->tried[t < v->n_outer ? 0 : 1 + t % v->n_outer];
    bool is_wanted = false;
    for (uint32_t i = 0; i < v->axes.negations.n; i++) is_wanted |= tried->end[i] > tried->begin[i];
    jobs[n] = *tried;
    jobs[n].task = t;
    n += is_wanted;
  }
  return n;
}

/* What the inner folds of a fold choose is learnt there too, if the whole has not tried it. */
static uint32_t nested_jobs(const validator *v, const irl_cv_result *by, irl_cv_row *rows,
                            job *jobs) {
  uint32_t n = 0, best, m;
  for (uint32_t o = 0; o < v->n_outer && v->n_inner; o++) {
    make_rows(v, 1 + o, rows);
    const uint32_t chosen = irl_cv_choose(by, rows, v->n_inner, &best);
    if (chosen == v->n_rows) continue;
    const uint32_t coding = coding_of(v, chosen, &m);
    if (m < v->tried[0].end[coding]) continue;
    jobs[n] = (job){.task = o};
    jobs[n].begin[coding] = m;
    jobs[n++].end[coding] = m + 1;
  }
  return n;
}

static irl_status run_rounds(validator *v) {
  const int threads = irl_threads(v->env, v->options.limits.threads);
  const uint32_t n_tasks = v->n_outer * (1 + v->n_inner);
  irl_parallel_jobs jobs = {.env = v->env,
                            .limit = &v->limit,
                            .threads = irl_split_jobs(v->table, threads),
                            .title = "cross-validation",
                            .unit = "folds",
                            .user = v,
                            .run = run_job};
  const irl_cv_result by = {
      .chosen_by = v->chosen_by, .margin = margin_of(&v->options), .info.rows = v->n_rows};
  irl_cv_row *rows = irl_arena_alloc(&v->arena, v->n_rows, sizeof *rows);
  job *list = irl_arena_alloc(&v->arena, n_tasks, sizeof *list);
  v->tried = irl_arena_alloc(&v->arena, 1 + v->n_outer, sizeof *v->tried);
  if (!rows || !list || !v->tried) return irl_fail_memory(v->env);
  if (jobs.threads == 1) v->threads = threads;
  v->jobs = list;
  irl_status status = IRL_STATUS_OK;
  while (!status && (jobs.n = next_jobs(v, rows, list))) status = irl_parallel_jobs_run(&jobs);
  jobs.n = status ? 0 : nested_jobs(v, &by, rows, list);
  return jobs.n ? irl_parallel_jobs_run(&jobs) : status;
}

/* ---- the run ---- */

static irl_status check(irl_env *env, const irl_table *table, const irl_table_info *info,
                        const irl_options *options) {
  const irl_status status = irl_options_check(env, options, IRL_FOR_LEARN | IRL_FOR_CV, 0);
  if (status) return status;
  if (options->search.pool)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a pool is of one data set; every fold of a cross-validation has its own");
  if (options->rule.cnf)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "cross-validation is of DNFs: option cnf goes with fit");
  if (!info->has_labels)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "the data has no labels; --target names theirs");
  if (table->folds.of || table->groups.of) return IRL_STATUS_OK; /* their folds are looked at */
  if ((info->cases < info->controls ? info->cases : info->controls) <
      (uint64_t)options->output.folds)
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "%" PRId64 " folds need as many samples of each class, and there are %" PRIu64
                    " and %" PRIu64,
                    options->output.folds, info->cases, info->controls);
  return IRL_STATUS_OK;
}

/* The folds of each repeat, and room for the scores. */
static irl_status make_folds(validator *v) {
  const uint32_t repeats = v->n_outer / v->n_folds;
  const size_t n_scores = (size_t)v->n_outer * v->n_rows;
  irl_status status = IRL_STATUS_OK;
  v->labels = irl_arena_alloc(&v->arena, v->n, 1);
  v->fold_of = irl_arena_alloc(&v->arena, (size_t)v->n * repeats, sizeof *v->fold_of);
  v->outer = irl_arena_alloc(&v->arena, n_scores, sizeof *v->outer);
  v->inner = irl_arena_alloc(&v->arena, n_scores * v->n_inner, sizeof *v->inner);
  if (v->options.output.predictions) {
    v->predicted = irl_mem_alloc(&v->env->allocator, v->n_outer, sizeof *v->predicted);
    if (!v->predicted) return irl_fail_memory(v->env);
  }
  if (!v->labels || !v->fold_of || !v->outer || !v->inner) return irl_fail_memory(v->env);
  irl_fit_labels(v->table, v->labels);
  const irl_rows all = {.size = sizeof all, .n = v->n};
  irl_units units = {0};
  if (v->table->groups.of) status = irl_units_init(v->env, &units, v->table, &all, v->labels);
  for (uint32_t r = 0; r < repeats && !status; r++) {
    irl_random random;
    irl_random_init(&random, (uint64_t)v->options.search.seed, r);
    uint32_t *fold_of = v->fold_of + (size_t)r * v->n;
    if (v->table->folds.of)
      irl_units_given_folds(v->table, &all, fold_of);
    else
      status = v->table->groups.of
                   ? irl_units_folds(v->env, &units, &random, v->n_folds, fold_of)
                   : irl_folds_make(v->env, &random, v->labels, v->n, v->n_folds, fold_of);
    if (!status) status = check_classes(v->env, v, v->labels, fold_of, v->n, v->n_folds);
  }
  irl_units_free(v->env, &units);
  return status;
}

/* The predictions go to the result, with what they are about. */
static irl_status keep_predictions(const validator *v, irl_cv_result *result) {
  const irl_allocator *allocator = &v->env->allocator;
  const size_t n = (size_t)v->n * result->repeats;
  result->fold_of = irl_mem_alloc(allocator, n, sizeof *result->fold_of);
  result->nested_chosen = irl_mem_alloc(allocator, v->n_outer, sizeof *result->nested_chosen);
  result->is_ended = irl_mem_alloc(allocator, (size_t)v->n_outer * 2, sizeof *result->is_ended);
  result->labels = irl_mem_alloc(allocator, v->n, 1);
  if (!result->fold_of || !result->nested_chosen || !result->is_ended || !result->labels)
    return irl_fail_memory(v->env);
  memcpy(result->fold_of, v->fold_of, n * sizeof *result->fold_of);
  if (v->table->numbers) {
    result->numbers = irl_mem_alloc(allocator, v->n, sizeof *result->numbers);
    if (!result->numbers) return irl_fail_memory(v->env);
    memcpy(result->numbers, v->table->numbers, v->n * sizeof *result->numbers);
  }
  memcpy(result->labels, v->labels, v->n);
  for (uint32_t o = 0; o < v->n_outer; o++) {
    const irl_cv_score *scores = v->outer + (size_t)o * v->n_rows;
    if (result->info.chosen < v->n_rows)
      result->is_ended[2 * o] = v->predicted[o] && scores[result->info.chosen].is_done;
    result->nested_chosen[o] = v->n_rows;
  }
  return IRL_STATUS_OK;
}

static irl_status make_result(const validator *v, const irl_table_info *info, irl_cv_result **out) {
  irl_cv_result *result = irl_mem_alloc(&v->env->allocator, 1, sizeof *result);
  if (!result) return irl_fail_memory(v->env);
  const bool is_ended = irl_limit_poll(&v->limit);
  *result = (irl_cv_result){
      .allocator = v->env->allocator,
      .info = {.outcome = is_ended ? irl_limit_outcome(&v->limit) : IRL_OUTCOME_FEASIBLE,
               .rows = v->n_rows},
      .folds = v->n_folds,
      .repeats = v->n_outer / v->n_folds,
      .inner_folds = v->n_inner,
      .chosen_by = v->chosen_by,
      .margin = margin_of(&v->options),
      .tries_negations = v->axes.negations.n > 1,
      .least_folds = irl_cv_least_folds(v->n_outer),
      .cuts = v->options.data.cuts,
      .samples = info->samples,
      .cases = info->cases,
      .seed = (uint64_t)v->options.search.seed};
  result->rows = irl_mem_alloc(&v->env->allocator, v->n_rows, sizeof *result->rows);
  irl_status status =
      result->rows ? irl_cv_keep_names(v->env, v->table, result) : irl_fail_memory(v->env);
  if (!status) {
    make_rows(v, 0, result->rows);
    result->info.chosen = irl_cv_choose(result, result->rows, v->n_outer, &result->info.best);
    if (v->predicted) status = keep_predictions(v, result);
    if (!status && v->n_inner) status = make_nested(v, result);
  }
  if (status)
    irl_cv_free(result);
  else
    *out = result;
  return status;
}

/* More samples bear more cut points; the command of the result names them. */
static void choose_cuts(const irl_table *table, uint64_t n_samples, irl_options *options) {
  const uint64_t parts = n_samples / SAMPLES_PER_PART;
  const uint64_t n = parts > MOST_QUANTILES ? MOST_QUANTILES : parts ? parts - 1 : 0;
  bool has_numbers = false;
  for (uint32_t j = 0; j < table->names.n && !table->plain; j++)
    has_numbers |= table->columns[j].type == IRL_COLUMN_NUMBER;
  if (options->data.cuts.method != IRL_CUT_DEFAULT || !has_numbers || n <= LEAST_QUANTILES) return;
  options->data.cuts = (irl_cuts){IRL_CUT_MDL, (uint32_t)n};
}

static bool has_genotypes(const irl_table *table) {
  return table->cell_file || table->variants.n;
}

/* Numbers have the literals <= and > in any case, a category of two values both of them. Of
 * genotypes there are many and both alleles may be counted, so negations are tried if they are
 * asked for. */
static bool has_words(const irl_table *table) {
  if (table->plain) return true;
  if (has_genotypes(table)) return false;
  for (uint32_t j = 0; j < table->names.n; j++)
    if (table->columns[j].type == IRL_COLUMN_BINARY ||
        (table->columns[j].type == IRL_COLUMN_CATEGORY && table->columns[j].values->n > 2))
      return true;
  return false;
}

irl_status irl_cv(irl_env *env, const irl_table *table, const irl_options *options,
                  const irl_cv_grid *grid, irl_cv_result **result) {
  IRL_NEED(env, "env, table, options, result", env, table, options, result);
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (status) return status;
  options = &own;
  irl_table_info info = IRL_SIZED(irl_table_info);
  irl_table_describe(table, &info);
  choose_cuts(table, info.samples, &own);
  validator v = {.env = env, .table = table, .options = own};
  status = check(env, table, &info, options);
  if (!status && options->data.forbid) {
    /* Every entry forbids a literal of the whole table; that a fold may lack it is no mistake. */
    irl_coding *coding = NULL;
    status = irl_table_code(env, table, NULL, options, &coding);
    irl_coding_free(coding);
  }
  if (status) return status;
  if (info.has_weights && !v.options.rule.weights)
    v.options.rule.weights = IRL_WEIGHTS_UNIT; /* as fit does */
  irl_options_clear_objects(&v.options);
  irl_limit_init(&v.limit, env, options);
  status = irl_cv_parse_grid(env, options, grid, has_words(table), &v.axes);
  if (status) return status;
  if (has_genotypes(table) && grid && grid->size >= sizeof *grid && grid->negations &&
      !v.axes.negations.numbers[v.axes.negations.n - 1])
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option no-negations: negations of genotypes are not tried in any case");
  v.chosen_by = (info.has_weights ? IRL_CV_BY_WEIGHT : 0) +
                (v.options.rule.weights == IRL_WEIGHTS_UNIT ? 0 : 1);
  v.n = (uint32_t)info.samples;
  v.n_rows = irl_cv_n_rows(&v.axes) * v.axes.negations.n;
  v.n_folds = table->folds.of ? table->folds.n : (uint32_t)options->output.folds;
  v.n_outer = v.n_folds * (uint32_t)options->output.repeats;
  const uint32_t left = table->folds.of ? v.n_folds - 1 : v.n_folds; /* of given ones */
  if (options->output.nested) v.n_inner = left < INNER_FOLDS ? left : INNER_FOLDS;
  if (v.n_inner == 1)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "option nested needs three given folds or more");
  irl_arena_init(&v.arena, &env->allocator);
  status = make_folds(&v);
  if (!status) status = run_rounds(&v);
  irl_cv_result *made = NULL;
  if (!status) status = make_result(&v, &info, &made);
  const bool is_file = strcmp(table->path, IRL_TABLE_IN_MEMORY) != 0;
  if (!status && made->info.chosen < made->info.rows && is_file)
    status = irl_cv_make_command(env, table, options, made);
  if (!status) {
    made->predicted = v.predicted;
    *result = made;
  } else {
    for (uint32_t o = 0; v.predicted && o < v.n_outer; o++)
      irl_mem_free(&env->allocator, v.predicted[o]);
    irl_mem_free(&env->allocator, v.predicted);
    irl_cv_free(made);
  }
  irl_arena_free(&v.arena);
  return status;
}

void irl_cv_free(irl_cv_result *result) {
  if (!result) return;
  const irl_allocator allocator = result->allocator;
  for (uint32_t o = 0; result->predicted && o < result->folds * result->repeats; o++)
    irl_mem_free(&allocator, result->predicted[o]);
  irl_mem_free(&allocator, result->predicted);
  irl_mem_free(&allocator, result->fold_of);
  irl_mem_free(&allocator, result->numbers);
  irl_mem_free(&allocator, result->nested_chosen);
  irl_mem_free(&allocator, result->is_ended);
  irl_mem_free(&allocator, result->labels);
  for (int c = 0; c < 2; c++) irl_mem_free(&allocator, result->label_names[c]);
  irl_mem_free(&allocator, result->command);
  irl_mem_free(&allocator, result->data_path);
  irl_mem_free(&allocator, result->rows);
  irl_mem_free(&allocator, result);
}

const char *irl_cv_command(const irl_cv_result *result) {
  return result ? result->command : NULL;
}

irl_status irl_cv_describe(const irl_cv_result *result, irl_cv_info *info) {
  return result ? irl_sized_copy_out(info, &result->info, sizeof *info) : IRL_STATUS_BAD_ARGUMENT;
}

irl_status irl_cv_row_at(const irl_cv_result *result, uint32_t i, irl_cv_row *row) {
  if (!result || i >= result->info.rows) return IRL_STATUS_BAD_ARGUMENT;
  return irl_sized_copy_out(row, &result->rows[i], sizeof *row);
}

irl_status irl_cv_nested(const irl_cv_result *result, irl_cv_row *row) {
  return result ? irl_sized_copy_out(row, &result->nested, sizeof *row) : IRL_STATUS_BAD_ARGUMENT;
}
