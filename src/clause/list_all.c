/* The listing in parallel: blocks of the root's children are tasks, each fills a store of its own,
 * and the stores are joined in the order of the tasks. */
#include "base/memory.h"
#include "clause/list.h"
#include "search/rounds.h"
#include <stdatomic.h>

struct listing {
  irl_env *env;
  const irl_clause_model *model;
  const irl_clause_thresholds *thresholds;
  const irl_limit *limit;
  irl_clause_table table;
  irl_clause_worker *workers;
  irl_clause_store *stores; /* of each task, empty once joined */
  irl_clause_store *all;
  size_t cap;
  bool is_full;
  atomic_bool is_out_of_memory;
};

/* A task may keep one clause more than the list has room for: that one says that there are more. */
struct sink {
  struct listing *listing;
  irl_clause_store *store;
  size_t room;
};

static bool keep(void *user, const irl_clause *clause) {
  struct sink *sink = user;
  if (sink->store->n >= sink->room) return true;
  if (irl_clause_store_add(sink->store, clause)) return false;
  sink->listing->is_out_of_memory = true;
  return true;
}

static uint64_t run_task(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done) {
  struct listing *listing = user;
  irl_clause_worker *worker = &listing->workers[thread];
  irl_clause_store *store = &listing->stores[task];
  struct sink sink = {listing, store, listing->cap + 1};
  irl_clause_worker_reset(worker, listing->model);
  worker->limit = listing->limit;
  worker->max_work = max_work;
  irl_clause_set_thresholds(worker, listing->thresholds);
  worker->visit = keep;
  worker->user = &sink;
  store->n = 0;
  const uint32_t first = task * IRL_CLAUSE_BLOCK, left = listing->table.set.n - first;
  irl_clause_branch(worker, &listing->table, 0, first,
                    first + (left < IRL_CLAUSE_BLOCK ? left : IRL_CLAUSE_BLOCK),
                    listing->model->max_literals);
  if (worker->is_out_of_memory) listing->is_out_of_memory = true;
  *is_done = !worker->is_cut || store->n > listing->cap;
  return worker->work;
}

static void merge_task(void *user, uint32_t task, bool is_done) {
  struct listing *listing = user;
  irl_clause_store *store = &listing->stores[task];
  irl_clause clause;
  for (size_t i = 0; is_done && i < store->n; i++) {
    if (listing->all->n >= listing->cap) {
      listing->is_full = true;
      break;
    }
    irl_clause_store_get(store, i, &clause);
    if (!irl_clause_store_add(listing->all, &clause)) listing->is_out_of_memory = true;
  }
  irl_clause_store_free(store);
  irl_clause_store_init(store, &listing->env->allocator, listing->model->max_literals);
}

static bool report(void *user, uint32_t n_open, uint64_t work) {
  const struct listing *listing = user;
  (void)n_open;
  (void)work;
  return !listing->is_full && !listing->is_out_of_memory;
}

/* Single literals, and the table of what is left. */
static bool prepare(struct listing *listing, uint64_t *work) {
  const irl_clause_model *model = listing->model;
  const irl_clause_table *root = &model->root;
  irl_clause_worker *worker = &listing->workers[0];
  irl_clause_set *set = &worker->sorted;
  struct sink sink = {listing, listing->all, listing->cap};
  irl_clause_set_thresholds(worker, listing->thresholds);
  if (!irl_clause_set_reserve(&model->allocator, set, root->set.n)) return false;
  for (uint32_t i = 0; i < root->set.n; i++) {
    irl_clause_set_put(set, i, &root->set, i);
    set->id[i] = i;
  }
  set->n = root->set.n;
  worker->visit = keep;
  worker->user = &sink;
  irl_clause_offer_all(worker, root, set, UINT32_MAX);
  listing->is_full = worker->is_cut;
  irl_clause_filter(worker, set, root->n_controls, root->cost, model->max_literals);
  if (!irl_clause_table_copy(model, root, set, &listing->table)) return false;
  irl_clause_reduce(worker, &listing->table);
  *work += worker->work;
  return !worker->is_out_of_memory;
}

static irl_status search(struct listing *listing, int threads, bool *is_complete, uint64_t *work) {
  irl_search_rounds rounds = {.env = listing->env,
                              .limit = listing->limit,
                              .threads = threads,
                              .user = listing,
                              .run = run_task,
                              .merge = merge_task,
                              .report = report};
  const irl_allocator *allocator = &listing->env->allocator;
  rounds.n_tasks = (listing->table.set.n + IRL_CLAUSE_BLOCK - 1) / IRL_CLAUSE_BLOCK;
  if (listing->model->max_literals < 2) rounds.n_tasks = 0;
  listing->stores = irl_mem_alloc(allocator, (size_t)rounds.n_tasks + 1, sizeof *listing->stores);
  if (!listing->stores) return irl_fail_memory(listing->env);
  for (uint32_t i = 0; i < rounds.n_tasks; i++)
    irl_clause_store_init(&listing->stores[i], allocator, listing->model->max_literals);
  const irl_status status = irl_search_run(&rounds);
  *work += rounds.work;
  *is_complete = !rounds.n_open && !listing->is_full;
  irl_mem_free(allocator, rounds.is_open);
  for (uint32_t i = 0; i < rounds.n_tasks; i++) irl_clause_store_free(&listing->stores[i]);
  irl_mem_free(allocator, listing->stores);
  return status;
}

irl_status irl_clause_list_all(irl_env *env, const irl_clause_model *model, const irl_limit *limit,
                               int threads, const irl_clause_thresholds *thresholds, size_t cap,
                               irl_clause_store *store, bool *is_complete, uint64_t *work) {
  struct listing listing = {.env = env, .model = model, .thresholds = thresholds, .limit = limit};
  listing.all = store;
  listing.cap = cap < SIZE_MAX ? cap : SIZE_MAX - 1;
  listing.workers = irl_mem_alloc(&env->allocator, (size_t)threads, sizeof *listing.workers);
  bool is_ready = listing.workers != NULL;
  for (int i = 0; is_ready && i < threads; i++)
    is_ready = irl_clause_worker_init(&listing.workers[i], model);
  irl_status status = IRL_OK;
  if (!is_ready || !prepare(&listing, work)) status = irl_fail_memory(env);
  *is_complete = false;
  if (!status && !listing.is_full) status = search(&listing, threads, is_complete, work);
  if (!status && listing.is_out_of_memory) status = irl_fail_memory(env);
  for (int i = 0; listing.workers && i < threads; i++)
    irl_clause_worker_free(&listing.workers[i], &env->allocator);
  irl_mem_free(&env->allocator, listing.workers);
  irl_clause_table_free(&env->allocator, &listing.table);
  return status;
}
