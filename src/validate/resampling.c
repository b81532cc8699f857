#include "validate/resampling.h"
#include "base/memory.h"
#include "base/threads.h"
#include "search/parallel_jobs.h"

#define ATTEMPTS 1000u      /* to draw samples of both classes */
#define LEFT_OUT UINT32_MAX /* of inner folds: a sample that the outer fold is tested on */

irl_status irl_resampling_init(irl_env *env, irl_resampling *r, const irl_table *table,
                               const irl_rows *rows, const irl_options *options,
                               const irl_limit *limit) {
  irl_table_info info = IRL_SIZED(irl_table_info);
  irl_table_describe(table, &info);
  const irl_rows all = {.size = sizeof all, .n = (uint32_t)info.samples};
  const int threads = irl_threads(env, options->limits.threads);
  *r = (irl_resampling){.env = env,
                        .table = table,
                        .rows = rows ? *rows : all,
                        .limit = limit,
                        .seed = (uint64_t)options->search.seed,
                        .jobs = irl_split_jobs(table, threads)};
  r->threads = r->jobs == 1 ? threads : 1;
  r->labels = irl_mem_alloc(&env->allocator, r->rows.n, 1);
  if (!r->labels) return irl_fail_memory(env);
  irl_fit_labels(table, &r->rows, r->labels);
  return irl_units_init(env, &r->units, table, &r->rows, r->labels);
}

void irl_resampling_free(irl_resampling *r) {
  if (!r->env) return;
  irl_units_free(r->env, &r->units);
  irl_mem_free(&r->env->allocator, r->labels);
  irl_mem_free(&r->env->allocator, r->strata);
  irl_mem_free(&r->env->allocator, r->fold_of);
}

/* ---- folds ---- */

/* Inner folds of the rows that fold o leaves to learn from. */
static irl_status make_inner(irl_resampling *r, uint32_t o) {
  irl_env *env = r->env;
  const uint32_t n = r->rows.n, *outer = r->fold_of + (size_t)(o / r->n_folds) * n;
  uint32_t *inner = r->fold_of + ((size_t)r->n_outer / r->n_folds + o) * n, k = 0;
  irl_split split = {0};
  irl_units units = {0};
  irl_random random;
  uint8_t *labels = irl_mem_alloc(&env->allocator, n, 1);
  uint32_t *fold_of = irl_mem_alloc(&env->allocator, n, sizeof *fold_of);
  irl_status status = labels && fold_of ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status) status = irl_split_make(env, &split, &r->rows, outer, o % r->n_folds);
  if (!status) irl_fit_labels(r->table, &split.train_rows, labels);
  if (!status) status = irl_units_init(env, &units, r->table, &split.train_rows, labels);
  irl_random_init(&random, r->seed, IRL_INNER_STREAM + o);
  if (!status && r->table->folds.of) {
    irl_units_given_folds(r->table, &split.train_rows, fold_of);
    for (uint32_t i = 0; i < split.train_rows.n; i++) fold_of[i] %= r->n_inner;
  } else if (!status) {
    status = irl_units_folds(env, &units, labels, &random, r->n_inner, fold_of);
  }
  for (uint32_t i = 0; i < n && !status; i++)
    inner[i] = outer[i] == o % r->n_folds ? LEFT_OUT : fold_of[k++];
  irl_units_free(env, &units);
  irl_split_free(env, &split);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, fold_of);
  return status;
}

irl_status irl_resampling_make_folds(irl_resampling *r, uint32_t n_folds, uint32_t n_repeats,
                                     uint32_t n_inner) {
  const size_t n = r->rows.n, n_lists = n_repeats + (n_inner ? (size_t)n_folds * n_repeats : 0);
  irl_status status = IRL_STATUS_OK;
  r->draw = IRL_DRAW_FOLDS;
  r->n_folds = n_folds;
  r->n_outer = n_folds * n_repeats;
  r->n_inner = n_inner;
  r->fold_of = irl_mem_alloc(&r->env->allocator, n_lists * n, sizeof *r->fold_of);
  if (!r->fold_of) return irl_fail_memory(r->env);
  for (uint32_t repeat = 0; repeat < n_repeats && !status; repeat++) {
    uint32_t *fold_of = r->fold_of + repeat * n;
    irl_random random;
    irl_random_init(&random, r->seed, r->stream + repeat);
    if (r->table->folds.of)
      irl_units_given_folds(r->table, &r->rows, fold_of);
    else
      status = irl_units_folds(r->env, &r->units, r->labels, &random, n_folds, fold_of);
  }
  for (uint32_t o = 0; o < r->n_outer && n_inner && !status; o++) status = make_inner(r, o);
  return status;
}

/* The fold of each row in the repeat, or among the inner folds, that a part belongs to, and which
 * of them the part is tested on. */
static const uint32_t *folds_of(const irl_resampling *r, uint32_t part, uint32_t *fold) {
  const bool is_inner = part >= r->n_outer;
  const uint32_t own = is_inner ? part - r->n_outer : part, n = is_inner ? r->n_inner : r->n_folds;
  assert(part < r->n_outer * (1 + r->n_inner));
  *fold = own % n;
  return r->fold_of + ((is_inner ? r->n_outer / r->n_folds : 0) + own / n) * (size_t)r->rows.n;
}

bool irl_resampling_lacks_class(const irl_resampling *r, bool rest) {
  for (uint32_t part = 0; part < r->n_outer * (1 + r->n_inner); part++) {
    uint32_t fold;
    const uint32_t *fold_of = folds_of(r, part, &fold);
    bool has[2] = {false, false};
    for (uint32_t i = 0; i < r->rows.n; i++)
      if (fold_of[i] != LEFT_OUT && (fold_of[i] == fold) != rest) has[r->labels[i]] = true;
    if (!has[0] || !has[1]) return true;
  }
  return false;
}

/* ---- bags and shuffles ---- */

/* Again and again until both classes are in the bag, and left for the test if there is one. */
static irl_status draw_bag(irl_env *env, const irl_resampling *r, uint32_t part, irl_split *split) {
  const uint32_t n = r->rows.n;
  const bool is_tested = r->draw == IRL_DRAW_TESTED_BAGS;
  uint32_t *in = NULL, *out = irl_mem_alloc(&env->allocator, n, sizeof *out), n_in = 0, n_out = 0;
  uint8_t *is_in = irl_mem_alloc(&env->allocator, n, 1);
  bool is_mixed = false;
  irl_random random;
  irl_status status = out && is_in ? IRL_STATUS_OK : irl_fail_memory(env);
  irl_random_init(&random, r->seed, r->stream + part);
  for (unsigned attempt = 0; !is_mixed && !status && attempt < ATTEMPTS; attempt++) {
    uint32_t classes[2][2] = {{0}};
    n_out = 0;
    irl_mem_free(&env->allocator, in);
    status = irl_units_bag(env, &r->units, &random, &in, &n_in, is_in);
    for (uint32_t i = 0; i < n_in && !status; i++) {
      classes[0][r->labels[in[i]]]++;
      in[i] = irl_rows_sample(&r->rows, in[i]);
    }
    for (uint32_t i = 0; i < n && !status && is_tested; i++)
      if (!is_in[i]) {
        out[n_out++] = irl_rows_sample(&r->rows, i);
        classes[1][r->labels[i]]++;
      }
    is_mixed = classes[0][0] && classes[0][1] && (!is_tested || (classes[1][0] && classes[1][1]));
  }
  split->train_rows.samples = in;
  split->test_rows.samples = out;
  split->train_rows.n = n_in;
  split->test_rows.n = n_out;
  irl_mem_free(&env->allocator, is_in);
  return status;
}

irl_status irl_resampling_make_strata(irl_resampling *r) {
  r->strata = irl_mem_alloc(&r->env->allocator, r->rows.n, sizeof *r->strata);
  if (!r->strata) return irl_fail_memory(r->env);
  for (uint32_t i = 0; i < r->rows.n && r->table->strata; i++)
    r->strata[i] = r->table->strata[irl_rows_sample(&r->rows, i)];
  return irl_units_sort(r->env, &r->units, r->strata);
}

void irl_resampling_shuffle(const irl_resampling *r, uint32_t number, uint32_t *order,
                            uint8_t *labels) {
  irl_random random;
  assert(r->strata);
  irl_random_init(&random, r->seed, IRL_PERMUTE_STREAM + 1 + number);
  irl_units_shuffle(&r->units, r->labels, r->strata, &random, order, labels);
}

/* The rows of all samples, which their list stays with, and labels in another order. */
static irl_status shuffle_labels(irl_env *env, const irl_resampling *r, uint32_t part,
                                 irl_split *split) {
  const irl_allocator *allocator = &env->allocator;
  const uint32_t n = r->rows.n;
  uint32_t *order = irl_mem_alloc(allocator, n, sizeof *order);
  uint32_t *samples = irl_mem_alloc(allocator, n, sizeof *samples);
  uint8_t *labels = irl_mem_alloc(allocator, n, 1);
  const bool is_ready = order && samples && labels;
  split->train_rows.samples = samples;
  split->train_rows.labels = labels;
  split->train_rows.n = n;
  if (is_ready) irl_resampling_shuffle(r, part, order, labels);
  for (uint32_t i = 0; i < n && is_ready; i++) samples[i] = irl_rows_sample(&r->rows, i);
  irl_mem_free(allocator, order);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(env);
}

/* ---- the run ---- */

typedef struct running {
  const irl_resampling *r;
  const irl_parts *parts;
} running;

static irl_status run_part(irl_env *env, void *user, uint32_t job) {
  const running *now = user;
  const irl_resampling *r = now->r;
  const uint32_t part = now->parts->numbers ? now->parts->numbers[job] : job;
  irl_split split = {.train_rows = IRL_SIZED(irl_rows), .test_rows = IRL_SIZED(irl_rows)};
  irl_status status = IRL_STATUS_OK;
  uint32_t fold;
  if (r->draw == IRL_DRAW_FOLDS) {
    const uint32_t *fold_of = folds_of(r, part, &fold);
    status = irl_split_make(env, &split, &r->rows, fold_of, fold);
  } else if (r->draw == IRL_DRAW_SHUFFLES) {
    status = shuffle_labels(env, r, part, &split);
  } else if (r->draw != IRL_DRAW_NOTHING) {
    status = draw_bag(env, r, part, &split);
  }
  if (!status) status = now->parts->learn(env, now->parts->user, job, &split);
  irl_split_free(env, &split);
  return status;
}

irl_status irl_resampling_run(irl_resampling *r, const irl_parts *parts) {
  running now = {r, parts};
  irl_parallel_jobs jobs = {.env = r->env,
                            .limit = r->limit,
                            .threads = r->jobs,
                            .first = parts->first,
                            .n = parts->n,
                            .n_all = parts->n_all,
                            .title = parts->title,
                            .unit = parts->unit,
                            .user = &now,
                            .run = run_part};
  const irl_status status = irl_parallel_jobs_run(&jobs);
  r->n_done += jobs.n_done;
  r->n_missing += jobs.n_failed;
  if (!status || status == IRL_STATUS_PROCESS_LOST || !r->n_done) return status;
  irl_log(r->env, IRL_LOG_WARNING, "%s: %u of %u %s are missing: %s", parts->title, jobs.n_failed,
          parts->n, parts->unit, irl_env_error(r->env));
  return IRL_STATUS_OK;
}
