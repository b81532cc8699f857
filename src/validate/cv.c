/* Cross-validation: folds in parallel, then the table and the choice.
 *
 * Every fold is a task of its own with its own environment and one thread, and writes its scores to
 * its own place, so the result does not depend on the number of threads. What is learnt in a fold,
 * the coding of raw columns included, has not seen the fold's samples.
 *
 * The standard error of a mean is the standard deviation over the folds divided by the root of
 * their number; repeats lower the deviation's own error but are not independent samples, so they do
 * not count there. The choice is as that of Breiman et al. (1984): the simplest setting whose mean
 * is within a margin of the best, half a standard error unless their whole one is asked for, which
 * gives up more than it saves (src/doc/statistics.md). (The error of the paired difference to the
 * best is smaller, but by the nested estimate what it chooses is no better.)
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

#define USUAL_MARGIN 0.5 /* standard errors: see above */

const irl_cv_figure irl_cv_figures[IRL_CV_N_FIGURES] = {
#define FIGURE(name, title, is_by_weight)                                                          \
  { #name, title, offsetof(irl_evaluation, name), offsetof(irl_cv_row, name), is_by_weight }
    FIGURE(accuracy, "accuracy", false),
    FIGURE(balanced_accuracy, "balanced", false),
    FIGURE(sensitivity, "sensitivity", false),
    FIGURE(specificity, "specificity", false),
    FIGURE(accuracy_by_weight, "by weight", true),
    FIGURE(balanced_accuracy_by_weight, "balanced, by w.", true),
#undef FIGURE
};

typedef struct validator {
  irl_env *env;
  const irl_table *table;
  irl_options options;
  irl_cv_axes axes;
  irl_limit limit;
  irl_arena arena; /* for what follows */
  uint8_t *labels;
  uint32_t n, n_rows;
  uint32_t n_folds, n_outer, n_inner; /* n_outer: folds of all repeats; n_inner: of each of them */
  uint32_t *fold_of;                  /* n for each repeat */
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

/* Task t: fold t % n_outer of the whole, or of its inner folds number t / n_outer - 1. */
static irl_status run_task(irl_env *env, void *user, uint32_t t) {
  const validator *v = user;
  const uint32_t o = t % v->n_outer, inner = t / v->n_outer;
  const irl_rows all = {.size = sizeof all, .n = v->n};
  const uint32_t *fold_of = v->fold_of + (size_t)(o / v->n_folds) * v->n;
  irl_split outer = {0}, own = {0}, *split = inner ? &own : &outer;
  assert(inner <= v->n_inner);
  irl_status status = irl_split_make(env, &outer, &all, fold_of, o % v->n_folds);
  if (!status && inner) status = split_again(env, v, &outer.train_rows, o, inner - 1, &own);
  if (!status) status = irl_split_code(env, v->table, &v->options, split);
  uint8_t *predicted = NULL;
  const size_t n_predicted = (size_t)split->test_rows.n * v->n_rows;
  if (!status && !inner && v->predicted) {
    predicted = irl_mem_alloc(&env->allocator, n_predicted, 1);
    if (!predicted) status = irl_fail_memory(env);
  }
  const irl_cv_fold fold = {.limit = &v->limit,
                            .predicted = predicted,
                            .train = split->train,
                            .test = split->test,
                            .table = v->table,
                            .test_rows = &split->test_rows,
                            .threads = v->threads,
                            .axes = &v->axes,
                            .scores =
                                inner ? v->inner + ((size_t)o * v->n_inner + inner - 1) * v->n_rows
                                      : v->outer + (size_t)o * v->n_rows};
  if (!status) status = irl_cv_fold_run(env, &fold, &v->options);
  if (!status && predicted) status = irl_cv_pack(env, predicted, n_predicted, &v->predicted[o]);
  irl_mem_free(&env->allocator, predicted);
  irl_split_free(env, &outer);
  irl_split_free(env, &own);
  return status;
}

/* ---- the table ---- */

/* Scores of n folds, `stride` apart; `folds` of them are of one repeat. */
typedef struct scored {
  const irl_cv_score *scores;
  uint32_t n;
  size_t stride;
  uint32_t folds;
} scored;

/* Setting `number` over the folds. */
static void make_row(const scored *s, uint32_t number, irl_cv_row *row) {
  double sums[IRL_CV_N_FIGURES] = {0}, squares[IRL_CV_N_FIGURES] = {0};
  assert(number < s->stride);
  for (uint32_t i = 0; i < s->n; i++) {
    const irl_cv_score *score = s->scores + i * s->stride + number;
    if (!score->is_done) continue;
    row->folds++;
    row->clauses += score->clauses;
    row->literals += score->literals;
    row->proven += score->is_proven;
    for (size_t f = 0; f < IRL_CV_N_FIGURES; f++) {
      const char *evaluation = (const char *)&score->e;
      const double x = *(const double *)(evaluation + irl_cv_figures[f].of_evaluation);
      sums[f] += x;
      squares[f] += x * x;
    }
  }
  const uint32_t n = row->folds;
  for (size_t f = 0; f < IRL_CV_N_FIGURES; f++) {
    const double mean = n ? sums[f] / n : NAN;
    const double variance = n > 1 ? fmax(0, (squares[f] - sums[f] * mean) / (n - 1)) : NAN;
    const irl_cv_measure measure = {mean, sqrt(variance / (n < s->folds ? n : s->folds))};
    *(irl_cv_measure *)((char *)row + irl_cv_figures[f].of_row) = measure;
  }
  row->clauses /= n;
  row->literals /= n;
}

static void make_rows(const validator *v, const scored *s, irl_cv_row *rows) {
  for (uint32_t number = 0; number < v->n_rows; number++) {
    const irl_cv_setting setting = irl_cv_setting_at(&v->axes, number);
    rows[number] = (irl_cv_row){.K = setting.K, .M = setting.M, .penalty = setting.penalty};
    make_row(s, number, &rows[number]);
  }
}

/* The best row by the result's own figure, and the chosen one: the simplest of those within one
 * standard error of it, of two as simple the better; n_rows if none has ended enough of the folds.
 */
static uint32_t choose_row(const irl_cv_result *result, const irl_cv_row *rows, uint32_t n_folds,
                           uint32_t *best) {
  const size_t by = result->chosen_by;
  const uint32_t n_rows = result->info.rows, needed = irl_cv_least_folds(n_folds);
  uint32_t chosen = n_rows;
  double top = NAN, least_size = NAN;
  *best = n_rows;
  for (uint32_t i = 0; i < n_rows; i++) {
    const double mean = irl_cv_figure_of(&rows[i], by)->mean;
    if (rows[i].folds < needed || (*best < n_rows && !(mean > top))) continue;
    *best = i;
    top = mean;
  }
  if (*best == n_rows || !(result->margin > 0)) return *best;
  const double error = irl_cv_figure_of(&rows[*best], by)->error;
  const double least = top - (isnan(error) ? 0 : result->margin * error);
  for (uint32_t i = 0; i < n_rows; i++) {
    const double mean = irl_cv_figure_of(&rows[i], by)->mean;
    const double size = rows[i].clauses + rows[i].literals;
    if (rows[i].folds < needed || mean < least) continue;
    if (chosen < n_rows &&
        (size != least_size ? size > least_size
                            : !(mean > irl_cv_figure_of(&rows[chosen], by)->mean)))
      continue;
    chosen = i;
    least_size = size;
  }
  assert(chosen < n_rows);
  return chosen;
}

/* The nested estimate: for each fold the score of the setting that its inner folds choose. */
static irl_status make_nested(const validator *v, irl_cv_result *result) {
  irl_cv_row *rows = irl_mem_alloc(&v->env->allocator, v->n_rows, sizeof *rows);
  irl_cv_score *scores = irl_mem_alloc(&v->env->allocator, v->n_outer, sizeof *scores);
  const bool is_ready = rows && scores;
  for (uint32_t o = 0; o < v->n_outer && is_ready; o++) {
    uint32_t best;
    const scored inner = {v->inner + (size_t)o * v->n_inner * v->n_rows, v->n_inner, v->n_rows,
                          v->n_inner};
    make_rows(v, &inner, rows);
    const uint32_t chosen = choose_row(result, rows, v->n_inner, &best);
    if (result->nested_chosen) result->nested_chosen[o] = chosen;
    if (chosen < v->n_rows) scores[o] = v->outer[(size_t)o * v->n_rows + chosen];
  }
  const scored chosen = {scores, v->n_outer, 1, v->n_folds};
  if (is_ready) make_row(&chosen, 0, &result->nested);
  irl_mem_free(&v->env->allocator, rows);
  irl_mem_free(&v->env->allocator, scores);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(v->env);
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
  result->is_ended = irl_mem_alloc(allocator, v->n_outer, sizeof *result->is_ended);
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
    result->is_ended[o] = v->predicted[o] != NULL;
    for (uint32_t i = 0; i < v->n_rows; i++)
      result->is_ended[o] &= v->outer[(size_t)o * v->n_rows + i].is_done;
    result->nested_chosen[o] = v->n_rows;
  }
  return IRL_STATUS_OK;
}

static irl_status make_result(const validator *v, const irl_table_info *info, irl_cv_result **out) {
  const bool is_unit = v->options.rule.weights == IRL_WEIGHTS_UNIT;
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
      .chosen_by = (info->has_weights ? IRL_CV_BY_WEIGHT : 0) + (is_unit ? 0 : 1),
      .margin = v->options.output.choose == IRL_CHOICE_BEST     ? 0
                : v->options.output.choose == IRL_CHOICE_ONE_SE ? 1
                                                                : USUAL_MARGIN,
      .least_folds = irl_cv_least_folds(v->n_outer),
      .cuts = v->options.data.cuts,
      .samples = info->samples,
      .cases = info->cases,
      .seed = (uint64_t)v->options.search.seed};
  result->rows = irl_mem_alloc(&v->env->allocator, v->n_rows, sizeof *result->rows);
  irl_status status =
      result->rows ? irl_cv_keep_names(v->env, v->table, result) : irl_fail_memory(v->env);
  if (!status) {
    const scored all = {v->outer, v->n_outer, v->n_rows, v->n_folds};
    make_rows(v, &all, result->rows);
    result->info.chosen = choose_row(result, result->rows, v->n_outer, &result->info.best);
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
  status = irl_cv_parse_grid(env, options, grid, &v.axes);
  if (status) return status;
  v.n = (uint32_t)info.samples;
  v.n_rows = irl_cv_n_rows(&v.axes);
  v.n_folds = table->folds.of ? table->folds.n : (uint32_t)options->output.folds;
  v.n_outer = v.n_folds * (uint32_t)options->output.repeats;
  const uint32_t left = table->folds.of ? v.n_folds - 1 : v.n_folds; /* of given ones */
  if (options->output.nested) v.n_inner = left < INNER_FOLDS ? left : INNER_FOLDS;
  if (v.n_inner == 1)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "option nested needs three given folds or more");
  irl_arena_init(&v.arena, &env->allocator);
  status = make_folds(&v);
  if (!status) {
    const int threads = irl_threads(env, options->limits.threads);
    const irl_parallel_jobs jobs = {.env = env,
                                    .limit = &v.limit,
                                    .threads = irl_split_jobs(v.table, threads),
                                    .n = v.n_outer * (1 + v.n_inner),
                                    .title = "cross-validation",
                                    .unit = "folds",
                                    .user = &v,
                                    .run = run_task};
    if (jobs.threads == 1) v.threads = threads;
    status = irl_parallel_jobs_run(&jobs);
  }
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
