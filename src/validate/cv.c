/* Cross-validation: folds in parallel, then the table and the choice.
 *
 * Every fold is a task of its own with its own environment and one thread, and writes its scores to
 * its own place, so the result does not depend on the number of threads. What is learnt in a fold,
 * the coding of raw columns included, has not seen the fold's samples.
 *
 * The standard error of a mean is the standard deviation over the folds divided by the root of
 * their number; repeats lower the deviation's own error but are not independent samples, so they do
 * not count there. The choice is that of Breiman et al. (1984): the simplest setting whose mean is
 * within one standard error of the best. (The error of the paired difference to the best is
 * smaller, but by the nested estimate what it chooses is no better: bench/results/RESULTS.md.)
 *
 * The mean of the chosen setting is a little too good, because it was chosen by it. --nested
 * repeats the choice for each fold by a cross-validation of the other samples alone. */
#include "validate/cv.h"
#include "base/memory.h"
#include "search/parallel_jobs.h"
#include "validate/folds.h"
#include <math.h>

#define INNER_FOLDS  5u                  /* of the nested choice, at most */
#define INNER_STREAM ((uint64_t)1 << 42) /* of its random numbers */

typedef struct validator {
  irl_env *env;
  const irl_table *table;
  irl_options options;
  irl_cv_axes axes;
  irl_limit limit;
  uint8_t *labels;
  uint32_t n, n_rows;
  uint32_t n_folds, n_outer, n_inner; /* n_outer: folds of all repeats; n_inner: of each of them */
  uint32_t *fold_of;                  /* n for each repeat */
  irl_cv_score *outer;                /* n_rows for each fold */
  irl_cv_score *inner;                /* n_rows for each inner fold of each fold */
} validator;

/* ---- the samples of a task ---- */

typedef struct division {
  uint32_t *train, *test;
  uint32_t n_train, n_test;
} division;

static irl_status divide(irl_env *env, const uint32_t *samples, const uint32_t *fold_of, uint32_t n,
                         uint32_t fold, division *d) {
  d->train = irl_mem_alloc(&env->allocator, n, sizeof *d->train);
  d->test = irl_mem_alloc(&env->allocator, n, sizeof *d->test);
  if (!d->train || !d->test) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t sample = samples ? samples[i] : i;
    if (fold_of[i] == fold)
      d->test[d->n_test++] = sample;
    else
      d->train[d->n_train++] = sample;
  }
  return IRL_OK;
}

static void free_division(irl_env *env, division *d) {
  irl_mem_free(&env->allocator, d->train);
  irl_mem_free(&env->allocator, d->test);
}

/* An inner division of the training samples of an outer one. */
static irl_status divide_again(irl_env *env, const validator *v, const division *outer,
                               uint32_t task, uint32_t fold, division *d) {
  const uint32_t n = outer->n_train;
  uint8_t *labels = irl_mem_alloc(&env->allocator, n, 1);
  uint32_t *fold_of = irl_mem_alloc(&env->allocator, n, sizeof *fold_of);
  irl_status status = labels && fold_of ? IRL_OK : irl_fail_memory(env);
  for (uint32_t i = 0; i < n && !status; i++) labels[i] = v->labels[outer->train[i]];
  if (!status)
    status = irl_folds_make(env, labels, n, v->n_inner, (uint64_t)v->options.seed,
                            INNER_STREAM + task, fold_of);
  if (!status) status = divide(env, outer->train, fold_of, n, fold, d);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, fold_of);
  return status;
}

/* ---- tasks ---- */

static irl_status learn_division(irl_env *env, const validator *v, const division *d,
                                 irl_cv_score *scores) {
  const irl_rows train_rows = {d->train, d->n_train, NULL}, test_rows = {d->test, d->n_test, NULL};
  irl_data *train = NULL, *test = NULL;
  irl_status status =
      irl_fit_split(env, v->table, &v->options, &train_rows, &test_rows, &train, &test);
  if (!status) status = irl_cv_fold(env, &v->limit, train, test, &v->options, &v->axes, scores);
  irl_data_free(train);
  irl_data_free(test);
  return status;
}

/* Task t: fold t % n_outer of the whole, or of its inner folds number t / n_outer - 1. */
static irl_status run_task(irl_env *env, void *user, uint32_t t) {
  const validator *v = user;
  const uint32_t o = t % v->n_outer, inner = t / v->n_outer;
  division outer = {0}, own = {0};
  irl_status status =
      divide(env, NULL, v->fold_of + (size_t)(o / v->n_folds) * v->n, v->n, o % v->n_folds, &outer);
  if (!status && inner) status = divide_again(env, v, &outer, o, inner - 1, &own);
  irl_cv_score *scores = inner ? v->inner + ((size_t)o * v->n_inner + inner - 1) * v->n_rows
                               : v->outer + (size_t)o * v->n_rows;
  if (!status) status = learn_division(env, v, inner ? &own : &outer, scores);
  free_division(env, &outer);
  free_division(env, &own);
  return status;
}

static irl_status run_tasks(validator *v, int threads) {
  const irl_parallel_jobs jobs = {.env = v->env,
                                  .limit = &v->limit,
                                  .threads = threads,
                                  .n = v->n_outer * (1 + v->n_inner),
                                  .title = "cross-validation",
                                  .unit = "folds",
                                  .user = v,
                                  .run = run_task};
  return irl_parallel_jobs_run(&jobs);
}

/* ---- the table ---- */

typedef struct sums {
  double sum, squares;
} sums;

static void add(sums *s, double x) {
  s->sum += x;
  s->squares += x * x;
}

/* `folds` of one repeat, n values in all. */
static irl_cv_measure measure(const sums *s, uint32_t n, uint32_t folds) {
  const double mean = n ? s->sum / n : NAN;
  const double variance = n > 1 ? fmax(0, (s->squares - s->sum * mean) / (n - 1)) : NAN;
  return (irl_cv_measure){mean, sqrt(variance / (n < folds ? n : folds))};
}

/* Scores of n folds, `stride` apart; `folds` of them are of one repeat. */
typedef struct scored {
  const irl_cv_score *scores;
  uint32_t n;
  size_t stride;
  uint32_t folds;
} scored;

/* Setting `number` over the folds. */
static void make_row(const scored *s, uint32_t number, irl_cv_row *row) {
  sums accuracy = {0}, balanced = {0}, sensitivity = {0}, specificity = {0};
  sums weighed = {0}, weighed_balanced = {0};
  for (uint32_t i = 0; i < s->n; i++) {
    const irl_cv_score *score = s->scores + i * s->stride + number;
    if (!score->is_done) continue;
    row->folds++;
    row->clauses += score->clauses;
    row->literals += score->literals;
    row->proven += score->is_proven;
    add(&accuracy, score->e.accuracy);
    add(&balanced, score->e.balanced_accuracy);
    add(&sensitivity, score->e.sensitivity);
    add(&specificity, score->e.specificity);
    add(&weighed, score->e.accuracy_by_weight);
    add(&weighed_balanced, score->e.balanced_accuracy_by_weight);
  }
  row->accuracy = measure(&accuracy, row->folds, s->folds);
  row->balanced_accuracy = measure(&balanced, row->folds, s->folds);
  row->sensitivity = measure(&sensitivity, row->folds, s->folds);
  row->specificity = measure(&specificity, row->folds, s->folds);
  row->accuracy_by_weight = measure(&weighed, row->folds, s->folds);
  row->balanced_accuracy_by_weight = measure(&weighed_balanced, row->folds, s->folds);
  row->clauses /= row->folds;
  row->literals /= row->folds;
}

static void make_rows(const validator *v, const scored *s, irl_cv_row *rows) {
  const irl_cv_axes *axes = &v->axes;
  for (uint32_t m = 0; m < axes->n_M; m++)
    for (uint32_t p = 0; p < axes->n_penalties; p++)
      for (uint32_t k = 0; k < axes->n_K; k++) {
        const uint32_t number = irl_cv_number(axes, m, p, k);
        rows[number] =
            (irl_cv_row){.K = axes->K[k], .M = axes->M[m], .penalty = axes->penalties[p]};
        make_row(s, number, &rows[number]);
      }
}

static const irl_cv_measure *measure_of(const irl_cv_result *result, const irl_cv_row *row) {
  if (result->by_weight)
    return result->by_accuracy ? &row->accuracy_by_weight : &row->balanced_accuracy_by_weight;
  return result->by_accuracy ? &row->accuracy : &row->balanced_accuracy;
}

/* Is row a preferred to row b, both good enough? */
static bool is_simpler(const irl_cv_result *result, const irl_cv_row *a, const irl_cv_row *b) {
  const double size_a = a->clauses + a->literals, size_b = b->clauses + b->literals;
  if (size_a != size_b) return size_a < size_b;
  return measure_of(result, a)->mean > measure_of(result, b)->mean;
}

/* The best row, and the chosen one; n_rows if no fold was ended. */
static uint32_t choose_row(const irl_cv_result *result, const irl_cv_row *rows, uint32_t n_rows,
                           uint32_t *best) {
  uint32_t chosen = n_rows;
  *best = n_rows;
  for (uint32_t i = 0; i < n_rows; i++)
    if (rows[i].folds && (*best == n_rows || measure_of(result, &rows[i])->mean >
                                                 measure_of(result, &rows[*best])->mean))
      *best = i;
  if (*best == n_rows || result->by_best) return *best;
  const irl_cv_measure *top = measure_of(result, &rows[*best]);
  const double least = top->mean - (isnan(top->error) ? 0 : top->error);
  for (uint32_t i = 0; i < n_rows; i++) {
    if (!rows[i].folds || measure_of(result, &rows[i])->mean < least) continue;
    if (chosen == n_rows || is_simpler(result, &rows[i], &rows[chosen])) chosen = i;
  }
  return chosen;
}

/* ---- the nested estimate ---- */

/* For each fold the score of the setting that its inner folds choose. */
static irl_status make_nested(const validator *v, irl_cv_result *result) {
  irl_cv_row *rows = irl_mem_alloc(&v->env->allocator, v->n_rows, sizeof *rows);
  irl_cv_score *scores = irl_mem_alloc(&v->env->allocator, v->n_outer, sizeof *scores);
  const bool is_ready = rows && scores;
  for (uint32_t o = 0; o < v->n_outer && is_ready; o++) {
    uint32_t best;
    const scored inner = {v->inner + (size_t)o * v->n_inner * v->n_rows, v->n_inner, v->n_rows,
                          v->n_inner};
    make_rows(v, &inner, rows);
    const uint32_t chosen = choose_row(result, rows, v->n_rows, &best);
    if (chosen < v->n_rows) scores[o] = v->outer[(size_t)o * v->n_rows + chosen];
  }
  const scored chosen = {scores, v->n_outer, 1, v->n_folds};
  if (is_ready) make_row(&chosen, 0, &result->info.nested);
  irl_mem_free(&v->env->allocator, rows);
  irl_mem_free(&v->env->allocator, scores);
  return is_ready ? IRL_OK : irl_fail_memory(v->env);
}

/* ---- the run ---- */

/* Every entry forbids a literal of the whole table; that a fold may lack it is no mistake. */
static irl_status check_forbidden(irl_env *env, const irl_table *table,
                                  const irl_options *options) {
  irl_coding *coding = NULL;
  const irl_status status = irl_table_code(env, table, NULL, options, &coding);
  irl_coding_free(coding);
  return status;
}

static irl_status check(irl_env *env, const irl_table *table, const irl_options *options) {
  irl_table_info info;
  irl_table_describe(table, &info);
  const uint64_t least = info.cases < info.controls ? info.cases : info.controls;
  if (!info.has_labels)
    return irl_fail(env, IRL_BAD_INPUT, "the data has no labels; --target names theirs");
  if (least < (uint64_t)options->folds)
    return irl_fail(env, IRL_BAD_INPUT,
                    "%lld folds need as many samples of each class, and there are %llu and %llu",
                    (long long)options->folds, (unsigned long long)info.cases,
                    (unsigned long long)info.controls);
  return options->forbid ? check_forbidden(env, table, options) : IRL_OK;
}

static irl_status make_folds(validator *v) {
  const irl_allocator *allocator = &v->env->allocator;
  const uint32_t repeats = v->n_outer / v->n_folds;
  v->labels = irl_fit_labels(v->env, v->table);
  v->fold_of = irl_mem_alloc(allocator, (size_t)v->n * repeats, sizeof *v->fold_of);
  v->outer = irl_mem_alloc(allocator, (size_t)v->n_outer * v->n_rows, sizeof *v->outer);
  v->inner =
      irl_mem_alloc(allocator, (size_t)v->n_outer * v->n_inner * v->n_rows, sizeof *v->inner);
  if (!v->labels || !v->fold_of || !v->outer || !v->inner) return irl_fail_memory(v->env);
  irl_status status = IRL_OK;
  for (uint32_t r = 0; r < repeats && !status; r++)
    status = irl_folds_make(v->env, v->labels, v->n, v->n_folds, (uint64_t)v->options.seed, r,
                            v->fold_of + (size_t)r * v->n);
  return status;
}

static irl_status make_validator(irl_env *env, const irl_table *table, const irl_options *options,
                                 const irl_cv_grid *grid, validator *v) {
  irl_table_info info;
  irl_table_describe(table, &info);
  *v = (validator){.env = env,
                   .table = table,
                   .options = *options,
                   .n = (uint32_t)info.samples,
                   .n_folds = (uint32_t)options->folds};
  if (info.has_weights && !v->options.weights) v->options.weights = "unit"; /* as fit does */
  v->options.checkpoint = v->options.resume = v->options.pool = v->options.save_pool = NULL;
  v->options.start = v->options.certificate = NULL;
  irl_limit_init(&v->limit, env, options);
  const irl_status status = irl_cv_parse_grid(env, options, grid, &v->axes);
  if (status) return status;
  v->n_rows = irl_cv_n_rows(&v->axes);
  v->n_outer = v->n_folds * (uint32_t)options->repeats;
  if (options->nested) v->n_inner = v->n_folds < INNER_FOLDS ? v->n_folds : INNER_FOLDS;
  return make_folds(v);
}

static void free_validator(validator *v) {
  const irl_allocator *allocator = &v->env->allocator;
  irl_mem_free(allocator, v->labels);
  irl_mem_free(allocator, v->fold_of);
  irl_mem_free(allocator, v->outer);
  irl_mem_free(allocator, v->inner);
}

static irl_status make_result(const validator *v, irl_cv_result **out) {
  irl_table_info info;
  irl_table_describe(v->table, &info);
  irl_cv_result *result = irl_mem_alloc(&v->env->allocator, 1, sizeof *result);
  if (!result) return irl_fail_memory(v->env);
  const bool is_ended = irl_limit_poll(&v->limit);
  *result =
      (irl_cv_result){.allocator = v->env->allocator,
                      .info = {.outcome = is_ended ? irl_limit_outcome(&v->limit) : IRL_FEASIBLE,
                               .rows = v->n_rows},
                      .folds = v->n_folds,
                      .repeats = v->n_outer / v->n_folds,
                      .inner_folds = v->n_inner,
                      .is_nested = v->options.nested,
                      .by_accuracy = v->options.weights && !strcmp(v->options.weights, "unit"),
                      .by_weight = info.has_weights,
                      .by_best = v->options.choose && !strcmp(v->options.choose, "best"),
                      .samples = info.samples,
                      .cases = info.cases,
                      .seed = (uint64_t)v->options.seed};
  result->rows = irl_mem_alloc(&v->env->allocator, v->n_rows, sizeof *result->rows);
  irl_status status = result->rows ? IRL_OK : irl_fail_memory(v->env);
  if (!status) {
    const scored all = {v->outer, v->n_outer, v->n_rows, v->n_folds};
    make_rows(v, &all, result->rows);
    result->info.chosen = choose_row(result, result->rows, v->n_rows, &result->info.best);
    if (v->n_inner) status = make_nested(v, result);
  }
  if (status)
    irl_cv_free(result);
  else
    *out = result;
  return status;
}

irl_status irl_cv(irl_env *env, const irl_table *table, const irl_options *options,
                  const irl_cv_grid *grid, irl_cv_result **result) {
  validator v = {.env = env};
  irl_status status = irl_options_check(env, options, IRL_FOR_LEARN | IRL_FOR_CV, 0);
  if (!status && (options->pool || options->save_pool))
    status = irl_fail(env, IRL_BAD_ARGUMENT,
                      "a pool is of one data set; every fold of a cross-validation has its own");
  if (!status && options->cnf)
    status =
        irl_fail(env, IRL_BAD_ARGUMENT, "cross-validation is of DNFs: option cnf goes with fit");
  if (!status) status = check(env, table, options);
  if (!status) status = make_validator(env, table, options, grid, &v);
  if (!status) status = run_tasks(&v, irl_threads(env, options->threads));
  if (!status) status = make_result(&v, result);
  free_validator(&v);
  return status;
}

void irl_cv_free(irl_cv_result *result) {
  if (!result) return;
  const irl_allocator allocator = result->allocator;
  irl_mem_free(&allocator, result->rows);
  irl_mem_free(&allocator, result);
}

void irl_cv_describe(const irl_cv_result *result, irl_cv_info *info) {
  *info = result->info;
}

void irl_cv_row_at(const irl_cv_result *result, uint32_t i, irl_cv_row *row) {
  if (i < result->info.rows) *row = result->rows[i];
}
