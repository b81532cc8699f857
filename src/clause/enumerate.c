/* The enumeration in parallel: blocks of the root's children are tasks, each fills a store of its
 * own, and the stores are joined in the order of the tasks. Processes may share the tasks. */
#include "clause/enumerate.h"
#include "base/memory.h"
#include "clause/distributed.h"
#include "search/rounds.h"
#include <stdatomic.h>

struct listing {
  const irl_clause_search *search;
  const irl_clause_thresholds *thresholds;
  irl_clause_table table;
  irl_clause_worker *workers;
  irl_clause_array *stores; /* of each task, empty once joined */
  irl_clause_array *all;
  size_t cap;
  irl_ending ending;
  bool is_together; /* several processes share the tasks */
  atomic_bool is_out_of_memory;
};

/* A task may keep one clause more than the list has room for: that one says that there are more. */
struct sink {
  const struct listing *listing;
  irl_clause_array *store;
  size_t room;
};

static irl_ending keep(void *user, const irl_clause *clause) {
  struct sink *sink = user;
  assert(clause->cases >= sink->listing->thresholds->min_cases);
  assert(clause->controls <= sink->listing->thresholds->max_controls);
  assert(clause->value >= sink->listing->thresholds->min_value);
  if (sink->store->n >= sink->room) return IRL_ENDED_BY_CAP;
  return irl_clause_array_add(sink->store, clause) ? IRL_ENDED : IRL_ENDED_BY_MEMORY;
}

static uint64_t run_task(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done) {
  struct listing *listing = user;
  irl_clause_worker *worker = &listing->workers[thread];
  irl_clause_array *store = &listing->stores[task];
  struct sink sink = {listing, store, listing->cap + 1};
  irl_clause_worker_reset(worker, listing->search->model);
  worker->limit = listing->search->limit;
  worker->max_work = max_work;
  irl_clause_set_thresholds(worker, listing->thresholds);
  worker->visit = keep;
  worker->user = &sink;
  store->n = 0;
  const uint32_t first = task * IRL_CLAUSE_BLOCK, left = listing->table.set.n - first;
  assert(first < listing->table.set.n);
  irl_clause_bnb_branch(worker, &listing->table, 0, first,
                        first + (left < IRL_CLAUSE_BLOCK ? left : IRL_CLAUSE_BLOCK),
                        listing->search->model->max_size);
  assert(worker->path.n == 0 && store->n <= listing->cap + 1);
  if (worker->ending == IRL_ENDED_BY_MEMORY) listing->is_out_of_memory = true;
  *is_done = !worker->ending || store->n > listing->cap;
  return worker->work;
}

static void merge_task(void *user, uint32_t task, bool is_done) {
  struct listing *listing = user;
  irl_clause_array *store = &listing->stores[task];
  irl_clause clause;
  for (size_t i = 0; is_done && i < store->n; i++) {
    if (listing->all->n >= listing->cap) {
      listing->ending = IRL_ENDED_BY_CAP;
      break;
    }
    irl_clause_array_get(store, i, &clause);
    if (!irl_clause_array_add(listing->all, &clause)) listing->is_out_of_memory = true;
  }
  assert(listing->all->n <= listing->cap);
  irl_clause_array_free(store);
  irl_clause_array_init(store, &listing->search->env->allocator, listing->search->model->max_size);
}

static bool is_well(void *user) {
  return !((const struct listing *)user)->is_out_of_memory;
}

static bool report(void *user, uint32_t n_open, uint64_t work) {
  const struct listing *listing = user;
  (void)n_open;
  (void)work;
  return !listing->ending && !listing->is_out_of_memory;
}

/* What a task found, to the others and from them. */
static void put_task(void *user, uint32_t task, irl_message *message) {
  const struct listing *listing = user;
  const irl_clause_array *store = &listing->stores[task];
  irl_clause clause;
  irl_message_put_number(message, listing->is_out_of_memory);
  irl_message_put_number(message, store->n);
  for (size_t i = 0; i < store->n; i++) {
    irl_clause_array_get(store, i, &clause);
    irl_clause_put(message, &clause);
  }
}

static bool get_task(void *user, uint32_t task, irl_message *message) {
  struct listing *listing = user;
  irl_clause_array *store = &listing->stores[task];
  if (irl_message_get_number(message)) listing->is_out_of_memory = true;
  const size_t n = irl_message_get_number(message);
  store->n = 0;
  for (size_t i = 0; i < n; i++) {
    irl_clause clause;
    if (!irl_clause_get(message, &clause) || !irl_clause_array_add(store, &clause)) return false;
  }
  return true;
}

static irl_status search_tasks(struct listing *listing) {
  const irl_clause_search *search = listing->search;
  const irl_allocator *allocator = &search->env->allocator;
  const uint32_t n_tasks = search->model->max_size < 2
                               ? 0
                               : (listing->table.set.n + IRL_CLAUSE_BLOCK - 1) / IRL_CLAUSE_BLOCK;
  irl_search_rounds rounds = {.env = search->env,
                              .limit = search->limit,
                              .threads = search->threads,
                              .n_tasks = n_tasks,
                              .task_work = irl_clause_task_work(search->model),
                              .user = listing,
                              .run = run_task,
                              .merge = merge_task,
                              .report = report,
                              .put = listing->is_together ? put_task : NULL,
                              .get = listing->is_together ? get_task : NULL,
                              .is_well = listing->is_together ? is_well : NULL};
  listing->stores = irl_mem_alloc(allocator, (size_t)n_tasks + 1, sizeof *listing->stores);
  irl_status status = listing->stores ? IRL_STATUS_OK : irl_fail_memory(search->env);
  if (listing->is_together) status = irl_comm_agree(search->env, status);
  if (status) return status;
  for (uint32_t i = 0; i < n_tasks; i++)
    irl_clause_array_init(&listing->stores[i], allocator, search->model->max_size);
  status = irl_search_run(&rounds);
  *search->work += rounds.work;
  if (rounds.n_open && !listing->ending) listing->ending = IRL_ENDED_BY_LIMIT;
  irl_mem_free(allocator, rounds.is_open);
  for (uint32_t i = 0; i < n_tasks; i++) irl_clause_array_free(&listing->stores[i]);
  irl_mem_free(allocator, listing->stores);
  return status;
}

/* The enumeration once the model is there, by one process, or by all together. */
static irl_status list_model(struct listing *listing) {
  const irl_clause_search *search = listing->search;
  const irl_clause_model *model = search->model;
  if (listing->cap == SIZE_MAX) listing->cap--;
  irl_clause_worker *worker = listing->workers = irl_clause_workers_create(model, search->threads);
  struct sink sink = {listing, listing->all, listing->cap};
  irl_status status = worker ? IRL_STATUS_OK : irl_fail_memory(search->env);
  if (listing->is_together) status = irl_comm_agree(search->env, status);
  if (!status) {
    irl_clause_set_thresholds(worker, listing->thresholds);
    worker->visit = keep;
    worker->user = &sink;
    status = irl_clause_open_root(search->env, worker, listing->is_together, &listing->table);
    *search->work += status ? 0 : worker->work;
    listing->ending = worker->ending;
  }
  if (!status && !listing->ending) status = search_tasks(listing);
  if (!status && listing->is_out_of_memory) status = irl_fail_memory(search->env);
  irl_clause_workers_free(listing->workers, search->threads, &search->env->allocator);
  irl_clause_table_free(&search->env->allocator, &listing->table);
  return status;
}

/* What a process does that was called, once it has the model. */
static irl_status serve_list(irl_env *env, const irl_clause_model *model, irl_message *message,
                             irl_status status) {
  irl_clause_thresholds thresholds = {0};
  irl_clause_array store;
  irl_limit limit;
  uint64_t work = 0;
  irl_message_copy(message, &thresholds, sizeof thresholds);
  const size_t cap = irl_message_get_number(message);
  irl_limit_get(message, env, &limit);
  const int threads = (int)irl_message_get_number(message);
  const irl_clause_search search = {env, model, &limit, threads, &work};
  status = irl_comm_agree(env, status);
  if (status) return status;
  struct listing listing = {
      .search = &search, .thresholds = &thresholds, .all = &store, .cap = cap, .is_together = true};
  irl_clause_array_init(&store, &env->allocator, model->max_size);
  status = list_model(&listing);
  irl_clause_array_free(&store);
  return status;
}

irl_status irl_clause_serve_enumerate(irl_env *env, irl_message *message) {
  const uint64_t id = irl_message_get_number(message);
  irl_clause_problem problem = {0};
  irl_clause_model model = {0};
  irl_arena arena;
  if (id) {
    const irl_clause_model *kept = irl_clause_served_model(env, id);
    return kept ? serve_list(env, kept, message, IRL_STATUS_OK)
                : irl_fail(env, IRL_STATUS_PROCESS_LOST, "a clause problem is not there");
  }
  irl_arena_init(&arena, &env->allocator);
  irl_status status = irl_clause_problem_get(env, message, &arena, &problem);
  if (!status) status = irl_clause_model_init(env, &model, &problem);
  status = serve_list(env, &model, message, status);
  irl_clause_model_free(&model);
  irl_arena_free(&arena);
  return status;
}

irl_status irl_clause_enumerate_all(const irl_clause_search *search,
                                    const irl_clause_thresholds *thresholds, size_t cap,
                                    irl_clause_array *store, irl_ending *ending) {
  const irl_clause_model *model = search->model;
  struct listing listing = {.search = search,
                            .thresholds = thresholds,
                            .all = store,
                            .cap = cap,
                            .is_together = model->id || model->is_shared};
  irl_status status = IRL_STATUS_OK;
  if (listing.is_together) {
    /* The other processes take part: with a model that they have, or one that they can make from a
     * copy of the data. */
    irl_message message;
    irl_message_init(&message, search->env);
    irl_message_put_number(&message, model->id);
    if (!model->id) irl_clause_problem_put(&message, model->problem);
    irl_message_put(&message, thresholds, sizeof *thresholds);
    irl_message_put_number(&message, cap);
    irl_limit_put(&message, search->limit);
    irl_message_put_number(&message, (uint64_t)search->threads);
    status = irl_comm_call_and_agree(search->env, IRL_COMM_ENUMERATE, &message);
  }
  if (!status) status = list_model(&listing);
  *ending = listing.ending;
  return status;
}
