/* All clauses that cover many cases, for many features and few cases.
 *
 * Where a threshold on the cases is all that prunes, almost every pair of literals passes it and
 * hardly any triple: all triples have to be counted, J^3 / 6 of them. So the first literal is
 * fixed, the columns are packed to the cases that it covers and turned to rows, a bit per column,
 * in blocks of 512 columns which stay in the first cache. The second literal then picks the rows of
 * the cases that both cover; a third literal of a block may miss at most as many of them as are
 * beyond the threshold, and one pass of counters over these rows (bits/row_kernels.h) says for all
 * 512 at once which do. A random literal misses half of the rows, so that the whole block is struck
 * out before the last row.
 *
 * What is left are the triples that cover enough cases, exactly. The third literals of a pair are
 * also all that a clause with this pair can be longer by. Where they are few, further literals are
 * tried among them depth first, a column of a few words each; where they are many, as for two
 * literals of a clause that stands out, they are a table of their own, packed to the cases of the
 * pair, and it begins again. Every set of literals is met once, in the order of the columns
 * (ascending cases).
 *
 * Work counts a row of a block as one word, which is about what it takes. */
#include "base/callbacks.h"
#include "base/clock.h"
#include "base/memory.h"
#include "clause/covering_worker.h"
#include "search/rounds.h"
#include <math.h>

#define TASK_FIRSTS 2u /* first literals of a task */

static uint64_t run_task(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done) {
  irl_covering *job = user;
  irl_covering_worker *w = &job->workers[thread];
  const uint32_t n = job->search->model->root.set.n;
  w->store = &job->stores[task];
  w->store->n = 0;
  w->work = w->next_poll = 0;
  w->max_work = max_work;
  w->ending = IRL_ENDED;
  for (uint32_t a = task * TASK_FIRSTS;
       a < n && a < (task + 1) * TASK_FIRSTS && !irl_covering_must_end(w); a++)
    irl_covering_try_first(w, a);
  if (w->ending == IRL_ENDED_BY_MEMORY) job->is_out_of_memory = true;
  *is_done = !w->ending || w->store->n > job->cap;
  return w->work;
}

static void merge_task(void *user, uint32_t task, bool is_done) {
  irl_covering *job = user;
  irl_clause_array *store = &job->stores[task];
  irl_clause clause;
  for (size_t i = 0; is_done && i < store->n; i++) {
    if (job->all->n >= job->cap) {
      job->ending = IRL_ENDED_BY_CAP;
      break;
    }
    irl_clause_array_get(store, i, &clause);
    if (!irl_clause_array_add(job->all, &clause)) job->is_out_of_memory = true;
  }
  irl_clause_array_free(store);
  irl_clause_array_init(store, &job->search->env->allocator, job->search->model->max_size);
}

/* Seconds between two lines of progress. */
#define PROGRESS_PERIOD 0.25

/* What is left are the triples of the columns whose tasks have not run. */
static bool report(void *user, uint32_t n_open, uint64_t work) {
  irl_covering *job = user;
  const double now = irl_clock_now(), left = (double)n_open / job->n_tasks;
  const double done = 1 - left * left * left;
  if (now > job->reported + PROGRESS_PERIOD) {
    job->reported = now;
    irl_callbacks_note_engine(job->search->env, "clause list", work, NAN, NAN);
    irl_log(job->search->env, IRL_LOG_PROGRESS,
            "triples  %.1f %% counted  clauses %zu  work %.3g  %.0f s left", 100 * done,
            job->all->n, (double)work, (now - job->began) * (1 - done) / done);
  }
  return !job->ending && !job->is_out_of_memory;
}

static bool make_worker(const irl_covering *job, irl_covering_worker *w) {
  const irl_clause_model *model = job->search->model;
  const size_t n = model->max_size + 1;
  w->job = job;
  w->tables = irl_mem_alloc(&model->allocator, n, sizeof *w->tables);
  return w->tables &&
         irl_clause_reserve_words(&model->allocator, &w->covers, n * model->root.stride);
}

static void free_worker(irl_covering_worker *w, uint32_t max_size, const irl_allocator *allocator) {
  for (uint32_t i = 0; w->tables && i <= max_size; i++) {
    irl_covering_table *t = &w->tables[i];
    irl_mem_free(allocator, t->column);
    irl_mem_free(allocator, t->cases);
    irl_mem_free(allocator, t->ids);
    irl_mem_free(allocator, t->lists);
    irl_mem_free(allocator, t->control_lists);
    irl_mem_free_aligned(allocator, t->control_columns.words);
    irl_mem_free_aligned(allocator, t->control_rows.words);
    irl_mem_free_aligned(allocator, t->columns.words);
    irl_mem_free_aligned(allocator, t->rows.words);
    irl_mem_free_aligned(allocator, t->alive.words);
  }
  irl_mem_free(allocator, w->tables);
  irl_mem_free_aligned(allocator, w->covers.words);
}

static irl_status search_tasks(irl_covering *job, uint32_t n_tasks) {
  const irl_clause_search *search = job->search;
  irl_search_rounds rounds = {.env = search->env,
                              .limit = search->limit,
                              .threads = search->threads,
                              .n_tasks = n_tasks,
                              .user = job,
                              .run = run_task,
                              .merge = merge_task,
                              .report = report};
  const irl_status status = irl_search_run(&rounds);
  *search->work += rounds.work;
  if (status) return status;
  if (rounds.n_open && !job->ending) job->ending = IRL_ENDED_BY_LIMIT;
  irl_mem_free(&search->env->allocator, rounds.is_open);
  return job->is_out_of_memory ? irl_fail_memory(search->env) : IRL_STATUS_OK;
}

irl_status irl_clause_list_covering(const irl_clause_search *search,
                                    const irl_clause_thresholds *thresholds, size_t cap,
                                    irl_clause_array *store, irl_ending *ending) {
  const irl_allocator *allocator = &search->env->allocator;
  const irl_clause_model *model = search->model;
  const uint32_t n_tasks = (model->root.set.n + TASK_FIRSTS - 1) / TASK_FIRSTS;
  irl_covering job = {.search = search,
                      .thresholds = thresholds,
                      .kernels = irl_bits_row_kernels(),
                      .all = store,
                      .n_tasks = n_tasks,
                      .began = irl_clock_now(),
                      .cap = cap == SIZE_MAX ? cap - 1 : cap};
  job.reported = job.began;
  assert(thresholds->min_cases && !model->root.own && model->max_size > 2);
  assert(model->root.n_cases <= IRL_COVERING_MAX_CASES);
  job.workers = irl_mem_alloc(allocator, (size_t)search->threads, sizeof *job.workers);
  job.stores = irl_mem_alloc(allocator, (size_t)n_tasks + 1, sizeof *job.stores);
  bool is_made = job.workers && job.stores;
  for (int i = 0; is_made && i < search->threads; i++) is_made = make_worker(&job, &job.workers[i]);
  for (uint32_t i = 0; is_made && i < n_tasks; i++)
    irl_clause_array_init(&job.stores[i], allocator, model->max_size);
  const irl_status status = is_made ? search_tasks(&job, n_tasks) : irl_fail_memory(search->env);
  *ending = job.ending;
  for (int i = 0; job.workers && i < search->threads; i++)
    free_worker(&job.workers[i], model->max_size, allocator);
  for (uint32_t i = 0; job.stores && i < n_tasks; i++) irl_clause_array_free(&job.stores[i]);
  irl_mem_free(allocator, job.workers);
  irl_mem_free(allocator, job.stores);
  return status;
}
