/* The tasks of a cross-validation: its folds, and what is learnt and tested in each.
 *
 * Every fold is a task of its own with its own environment and one thread, and writes its scores to
 * its own place, so the result does not depend on the number of threads. What is learnt in a fold,
 * the coding of raw columns included, has not seen the fold's samples.
 *
 * Groups of samples go to one fold, inner ones included (units.h). Folds that a column gives are
 * taken as they are; the inner ones are then made of the others. */
#include "base/memory.h"
#include "ireland_data.h"
#include "validate/cv_validator.h"
#include "validate/folds.h"
#include "validate/units.h"

#define INNER_STREAM ((uint64_t)1 << 42) /* of its random numbers */

/* Words for the clauses of one M in one fold, about a second. Most searches end by themselves with
 * less. On the HIV set (1,600 literals with negations) two and three literals take 14.8 s in two
 * folds without a limit and 2.0 s with half of this one, and its rules predict no worse. */
#define SEARCH_WORK ((uint64_t)1000000000)

/* ---- folds ---- */

/* Only folds of groups, and folds that are given, can lack a class. */
static irl_status check_classes(irl_env *env, const irl_cv_validator *v, const uint8_t *labels,
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
static irl_status split_again(irl_env *env, const irl_cv_validator *v, const irl_rows *rows,
                              uint32_t task, uint32_t fold, irl_split *split) {
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
    status = irl_units_folds(env, &units, labels, &random, v->n_inner, fold_of);
  }
  if (!status) status = check_classes(env, v, labels, fold_of, rows->n, v->n_inner);
  if (!status) status = irl_split_make(env, split, rows, fold_of, fold);
  irl_units_free(env, &units);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, fold_of);
  return status;
}

/* Inner folds are made where they are needed; here each is looked at once. */
static irl_status check_inner(const irl_cv_validator *v, const irl_rows *all) {
  irl_status status = IRL_STATUS_OK;
  for (uint32_t o = 0; o < v->n_outer && !status; o++) {
    irl_split outer = {0}, inner = {0};
    const uint32_t *fold_of = v->fold_of + (size_t)(o / v->n_folds) * v->n;
    status = irl_split_make(v->env, &outer, all, fold_of, o % v->n_folds);
    if (!status) status = split_again(v->env, v, &outer.train_rows, o, 0, &inner);
    irl_split_free(v->env, &outer);
    irl_split_free(v->env, &inner);
  }
  return status;
}

irl_status irl_cv_make_folds(irl_cv_validator *v) {
  const uint32_t repeats = v->n_outer / v->n_folds;
  const size_t n_scores = (size_t)v->n_outer * v->n_rows;
  v->labels = irl_arena_alloc(&v->arena, v->n, 1);
  v->fold_of = irl_arena_alloc(&v->arena, (size_t)v->n * repeats, sizeof *v->fold_of);
  v->outer = irl_arena_alloc(&v->arena, n_scores, sizeof *v->outer);
  v->inner = irl_arena_alloc(&v->arena, n_scores * v->n_inner, sizeof *v->inner);
  if (v->options.output.predictions) {
    v->predicted = irl_mem_alloc(&v->env->allocator, v->n_outer, sizeof *v->predicted);
    if (!v->predicted) return irl_fail_memory(v->env);
  }
  if (!v->labels || !v->fold_of || !v->outer || !v->inner) return irl_fail_memory(v->env);
  const irl_rows all = {.size = sizeof all, .n = v->n};
  irl_fit_labels(v->table, &all, v->labels);
  irl_units units = {0};
  irl_status status = irl_units_init(v->env, &units, v->table, &all, v->labels);
  for (uint32_t r = 0; r < repeats && !status; r++) {
    irl_random random;
    irl_random_init(&random, (uint64_t)v->options.search.seed, r);
    uint32_t *fold_of = v->fold_of + (size_t)r * v->n;
    if (v->table->folds.of)
      irl_units_given_folds(v->table, &all, fold_of);
    else
      status = irl_units_folds(v->env, &units, v->labels, &random, v->n_folds, fold_of);
    if (!status) status = check_classes(v->env, v, v->labels, fold_of, v->n, v->n_folds);
  }
  irl_units_free(v->env, &units);
  return status || !v->n_inner ? status : check_inner(v, &all);
}

/* ---- tasks ---- */

/* Task t: fold t % n_outer of the whole, or of its inner folds number t / n_outer - 1. */
static irl_cv_score *scores_of(const irl_cv_validator *v, uint32_t task) {
  const uint32_t o = task % v->n_outer, inner = task / v->n_outer;
  return inner ? v->inner + ((size_t)o * v->n_inner + inner - 1) * v->n_rows
               : v->outer + (size_t)o * v->n_rows;
}

/* Learns and tests the settings of a job, one coding after the other. `predicted` has room for what
 * those of one say and is kept with the fold's; NULL: that is not wanted. */
static irl_status run_codings(irl_env *env, const irl_cv_validator *v, const irl_cv_job *wanted,
                              irl_split *split, uint8_t *predicted) {
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

irl_status irl_cv_run_job(irl_env *env, void *user, uint32_t number) {
  const irl_cv_validator *v = user;
  const irl_cv_job *wanted = &v->jobs[number];
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
