#include "clause/worker.h"
#include "base/memory.h"
#include "clause/distributed.h"

bool irl_clause_worker_reset(irl_clause_worker *worker, const irl_clause_model *model) {
  const irl_allocator *allocator = &model->allocator;
  const uint32_t n_frames = model->max_size + 1;
  const size_t n_scratch = (size_t)model->root.set.n + 64;
  assert(n_frames <= IRL_CLAUSE_MAX + 1);
  worker->model = model;
  worker->budget = model->budget;
  worker->min_cases = model->min_cases;
  worker->max_work = UINT64_MAX;
  worker->need = IRL_CLAUSE_ANY_VALUE;
  worker->best = worker->path = (irl_clause){.value = IRL_CLAUSE_NO_VALUE};
  worker->nodes = worker->work = worker->next_check = 0;
  worker->ending = IRL_ENDED;
  worker->open_bound = IRL_CLAUSE_NO_VALUE;
  if (n_frames > worker->n_frames) {
    irl_clause_frame *frames = irl_mem_grow(allocator, worker->frames, n_frames, sizeof *frames);
    if (!frames) return false;
    memset(frames + worker->n_frames, 0, (n_frames - worker->n_frames) * sizeof *frames);
    worker->frames = frames;
    worker->n_frames = n_frames;
  }
  if (n_scratch > worker->n_scratch) { /* counts and ids of candidates, in one block */
    uint32_t *counts = irl_mem_alloc(allocator, n_scratch, 2 * sizeof *counts);
    if (!counts) return false;
    irl_mem_free(allocator, worker->counts);
    worker->counts = counts;
    worker->ids = counts + n_scratch;
    worker->n_scratch = n_scratch;
  }
  return irl_clause_reserve_words(allocator, &worker->cover, model->root.stride + IRL_BITS_BLOCK) &&
         irl_clause_reserve_words(allocator, &worker->joint,
                                  2 * model->root.stride + IRL_BITS_BLOCK);
}

irl_clause_worker *irl_clause_workers_create(const irl_clause_model *model, int threads) {
  irl_clause_worker *workers = irl_mem_alloc(&model->allocator, (size_t)threads, sizeof *workers);
  bool is_made = workers;
  assert(threads > 0);
  for (int i = 0; is_made && i < threads; i++) {
    irl_hash_index_init(&workers[i].index, &model->allocator);
    is_made = irl_clause_worker_reset(&workers[i], model);
  }
  if (is_made) return workers;
  irl_clause_workers_free(workers, threads, &model->allocator);
  return NULL;
}

void irl_clause_workers_free(irl_clause_worker *workers, int threads,
                             const irl_allocator *allocator) {
  for (irl_clause_worker *worker = workers; workers && worker < workers + threads; worker++) {
    for (uint32_t d = 0; d < worker->n_frames; d++) {
      irl_clause_table_free(allocator, &worker->frames[d].table);
      for (uint32_t i = 0; i < IRL_CLAUSE_BLOCK; i++)
        irl_mem_free(allocator, worker->frames[d].children[i].memory);
    }
    irl_mem_free(allocator, worker->frames);
    irl_mem_free(allocator, worker->sorted.memory);
    irl_mem_free(allocator, worker->buckets);
    irl_mem_free(allocator, worker->counts);
    irl_clause_words *const words[] = {&worker->samples,    &worker->rows,  &worker->mask,
                                       &worker->cover,      &worker->joint, &worker->packed,
                                       &worker->signatures, &worker->pairs};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      irl_mem_free_aligned(allocator, words[i]->words);
    if (worker->index.allocator.resize) irl_hash_index_free(&worker->index);
  }
  irl_mem_free(allocator, workers);
}

void irl_clause_set_thresholds(irl_clause_worker *worker, const irl_clause_thresholds *thresholds) {
  worker->min_cases = thresholds->min_cases ? thresholds->min_cases : 1;
  worker->budget = thresholds->max_controls;
  worker->need =
      thresholds->min_value > IRL_CLAUSE_ANY_VALUE ? thresholds->min_value : IRL_CLAUSE_ANY_VALUE;
}

irl_status irl_clause_open_root(irl_env *env, irl_clause_worker *worker, bool is_together,
                                irl_clause_table *table) {
  const irl_clause_table *root = &worker->model->root;
  irl_literal_set *set = &worker->sorted;
  assert(!worker->path.n && !worker->best.n);
  if (irl_literal_set_reserve(&worker->model->allocator, set, root->set.n)) {
    for (set->n = 0; set->n < root->set.n; set->n++) {
      irl_literal_set_put(set, set->n, &root->set, set->n);
      set->id[set->n] = set->n;
    }
    irl_clause_offer_all(worker, root, set, UINT32_MAX);
    irl_clause_filter(worker, set, root->n_controls, root->cost, worker->model->max_size);
  } else {
    worker->ending = IRL_ENDED_BY_MEMORY;
  }
  irl_status status = worker->ending == IRL_ENDED_BY_MEMORY ? irl_fail_memory(env) : IRL_STATUS_OK;
  if (is_together) status = irl_comm_agree(env, status);
  if (status) return status;
  status = irl_clause_take_table(env, worker->model, set, table);
  if (status && root->own) return status; /* that was in step */
  if (!status) irl_clause_drop_dominated(worker, table);
  if (!status && worker->ending == IRL_ENDED_BY_MEMORY) status = irl_fail_memory(env);
  if (is_together) status = irl_comm_agree(env, status);
  assert(status || irl_clause_table_check(worker->model, table));
  return status;
}

bool irl_clause_sort(irl_clause_worker *worker, const irl_literal_set *set, const uint32_t *keys,
                     irl_literal_set *sorted) {
  assert(set != sorted);
  const irl_allocator *allocator = &worker->model->allocator;
  uint32_t least = UINT32_MAX, most = 0;
  sorted->n = 0;
  if (!set->n) return true;
  for (uint32_t i = 0; i < set->n; i++) {
    least = keys[i] < least ? keys[i] : least;
    most = keys[i] > most ? keys[i] : most;
  }
  const size_t n = (size_t)most - least + 2;
  if (n > worker->n_buckets) {
    uint32_t *grown = irl_mem_grow(allocator, worker->buckets, n, sizeof *grown);
    if (!grown) return false;
    worker->buckets = grown;
    worker->n_buckets = n;
  }
  if (!irl_literal_set_reserve(allocator, sorted, set->n)) return false;
  if (n) memset(worker->buckets, 0, n * sizeof *worker->buckets);
  for (uint32_t i = 0; i < set->n; i++) worker->buckets[keys[i] - least + 1]++;
  for (size_t b = 1; b < n; b++) worker->buckets[b] += worker->buckets[b - 1];
  for (uint32_t i = 0; i < set->n; i++)
    irl_literal_set_put(sorted, worker->buckets[keys[i] - least]++, set, i);
  sorted->n = set->n;
  assert(worker->buckets[most - least] == set->n);
  return true;
}

/* Words of work between two looks at the clock: well below a millisecond. */
#define WORK_PER_CHECK 100000u

bool irl_clause_limit_reached(irl_clause_worker *worker) {
  if (worker->ending) return true;
  bool is_reached = worker->work >= worker->max_work;
  if (!is_reached && worker->limit && worker->work >= worker->next_check) {
    worker->next_check = worker->work + WORK_PER_CHECK;
    is_reached = irl_limit_poll(worker->limit);
  }
  if (is_reached) worker->ending = IRL_ENDED_BY_LIMIT;
  return is_reached;
}

void irl_clause_offer(irl_clause_worker *worker, const uint32_t *more, uint32_t n_more,
                      const irl_clause_counts *counts) {
  const int64_t value = counts->gain - counts->cost;
  assert(worker->path.n + n_more <= worker->model->max_size);
  assert(counts->gain >= 0 && counts->cost >= 0);
  if (value < worker->need || counts->controls > worker->budget ||
      counts->cases < worker->min_cases || worker->ending)
    return;
  irl_clause clause = worker->path;
  for (uint32_t i = 0; i < n_more; i++) clause.literals[clause.n++] = more[i];
  clause.value = value;
  clause.cases = counts->cases;
  clause.controls = counts->controls;
  irl_clause_sort_literals(&clause);
  assert(irl_clause_model_check(worker->model, &clause, worker->cover.words));
  if (worker->visit) {
    worker->ending = worker->visit(worker->user, &clause);
    return;
  }
  assert(clause.value > worker->best.value);
  worker->best = clause;
  worker->need = clause.value + 1;
  assert(worker->need > IRL_CLAUSE_ANY_VALUE);
}
