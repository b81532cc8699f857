#include "clause/distributed.h"
#include "base/memory.h"
#include "clause/enumerate.h"
#include "clause/heuristic.h"
#include "clause/solve.h"
#include <stddef.h>

/* ---- columns ---- */

bool irl_clause_assign_own(const irl_clause_model *model, irl_clause_table *table) {
  const irl_range own = model->problem->data->shard->own;
  table->own = irl_mem_alloc(&model->allocator, table->set.n, sizeof *table->own);
  if (!table->own) return false;
  table->n_own = 0;
  for (uint32_t i = 0; i < table->set.n; i++) {
    const uint32_t feature = irl_literal_feature(table->set.id[i]);
    if (feature >= own.first && feature < own.last) table->own[table->n_own++] = i;
  }
  return true;
}

uint32_t irl_clause_find_own(const irl_clause_table *table, uint32_t number) {
  uint32_t low = 0, high = table->n_own;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (table->own[middle] <= number)
      low = middle;
    else
      high = middle;
  }
  assert(table->own[low] == number);
  return low;
}

irl_status irl_clause_fetch(irl_env *env, const irl_clause_model *model,
                            const irl_clause_table *table, const uint32_t *numbers, size_t n,
                            uint64_t *into) {
  const int size = irl_comm_size(env), rank = irl_comm_rank(env);
  const size_t bytes = table->stride * sizeof *into;
  irl_arena arena;
  irl_arena_init(&arena, &env->allocator);
  size_t *sizes = irl_arena_alloc(&arena, 2 * (size_t)size, sizeof *sizes);
  int *owners = irl_arena_alloc(&arena, n, sizeof *owners);
  char *all = irl_arena_alloc(&arena, n, bytes), *mine = NULL;
  size_t n_mine = 0;
  for (size_t i = 0; sizes && owners && i < n; i++) {
    assert(numbers[i] < table->set.n);
    owners[i] =
        irl_shard_owner(model->problem->data, irl_literal_feature(table->set.id[numbers[i]]));
    assert(owners[i] >= 0 && owners[i] < size);
    sizes[owners[i]] += bytes;
  }
  if (sizes) mine = irl_arena_alloc(&arena, sizes[rank], 1);
  irl_status status =
      irl_comm_agree(env, sizes && owners && all && mine ? IRL_STATUS_OK : irl_fail_memory(env));
  for (size_t i = 0; !status && i < n; i++)
    if (owners[i] == rank)
      memcpy(mine + bytes * n_mine++,
             irl_clause_cases(table, irl_clause_find_own(table, numbers[i])), bytes);
  assert(status || n_mine * bytes == sizes[rank]);
  if (!status) status = irl_comm_allgatherv(env, mine, all, sizes);
  if (!status) {
    size_t *at = sizes + size; /* of each rank in `all` */
    for (int r = 1; r < size; r++) at[r] = at[r - 1] + sizes[r - 1];
    for (size_t i = 0; i < n; i++, at[owners[i - 1]] += bytes)
      memcpy(into + i * table->stride, all + at[owners[i]], bytes);
  }
  irl_arena_free(&arena);
  return status;
}

irl_status irl_clause_take_table(irl_env *env, const irl_clause_model *model,
                                 const irl_literal_set *set, irl_clause_table *into) {
  const irl_clause_table *from = &model->root;
  if (!from->own)
    return irl_clause_table_copy(model, from, set, into) ? IRL_STATUS_OK : irl_fail_memory(env);
  const uint32_t batch = irl_clause_fetch_size(from);
  irl_status status = irl_clause_table_shape(model, into, set->n, from->n_cases, from->n_controls)
                          ? IRL_STATUS_OK
                          : irl_fail_memory(env);
  status = irl_comm_agree(env, status);
  for (uint32_t first = 0; first < set->n && !status; first += batch) {
    const uint32_t n = set->n - first < batch ? set->n - first : batch;
    status = irl_clause_fetch(env, model, from, set->id + first, n, irl_clause_cases(into, first));
  }
  if (!status) irl_clause_table_copy_rest(model, from, set, into);
  return status;
}

/* ---- clauses and pools ---- */

#define HEAD offsetof(irl_clause, literals) /* bytes of a clause before its literals */

void irl_clause_put(irl_message *message, const irl_clause *clause) {
  assert(irl_clause_is_ascending(clause));
  irl_message_put(message, clause, HEAD + clause->n * sizeof *clause->literals);
}

bool irl_clause_get(irl_message *message, irl_clause *clause) {
  *clause = (irl_clause){0};
  return irl_message_copy(message, clause, HEAD) && clause->n <= IRL_CLAUSE_MAX &&
         irl_message_copy(message, clause->literals, clause->n * sizeof *clause->literals);
}

irl_status irl_clause_pool_share(irl_env *env, irl_clause_pool *pool) {
  irl_message mine;
  void *all = NULL;
  size_t *sizes = NULL, total = 0;
  irl_clause_pool_trim(pool);
  irl_message_init(&mine, env);
  for (uint32_t i = 0; i < pool->n; i++) irl_clause_put(&mine, &pool->clauses[i]);
  irl_status status = irl_comm_agree(env, mine.failed ? irl_fail_memory(env) : IRL_STATUS_OK);
  if (!status) status = irl_comm_allgather_sizes(env, mine.bytes, mine.n, &all, &sizes);
  irl_message_free(&mine);
  if (status) return status;
  for (int rank = 0; rank < irl_comm_size(env); rank++) total += sizes[rank];
  irl_message theirs = {.bytes = all, .n = total};
  pool->n = 0;
  for (irl_clause c; theirs.at < theirs.n && irl_clause_get(&theirs, &c);)
    irl_clause_pool_add(pool, &c);
  irl_clause_pool_trim(pool);
  irl_mem_free(&env->allocator, all);
  irl_mem_free(&env->allocator, sizes);
  return IRL_STATUS_OK;
}

/* ---- problems as messages ---- */

void irl_clause_problem_put(irl_message *message, const irl_clause_problem *problem) {
  const irl_data *data = problem->data;
  irl_message_put_number(message, data->shard ? data->shard->id : data->copy_id);
  irl_message_put(message, problem, sizeof *problem);
#define PUT(items, n)                                                                              \
  if (problem->items) irl_message_put(message, problem->items, (n) * sizeof *problem->items)
  PUT(live_cases, data->cases.stride);
  PUT(live_controls, data->controls.stride);
  PUT(case_weights, data->n_cases);
  PUT(control_weights, data->n_controls);
  PUT(groups, data->n_features);
#undef PUT
}

/* An aligned copy of an array, unless the sender had none. */
static void *get_array(irl_message *message, irl_arena *arena, const void *sent, size_t bytes) {
  if (!sent) return NULL;
  void *copy = irl_arena_alloc_aligned(arena, bytes, 1);
  const bool is_there = copy && irl_message_copy(message, copy, bytes);
  message->failed = message->failed || !is_there;
  return copy;
}

irl_status irl_clause_problem_get(irl_env *env, irl_message *message, irl_arena *arena,
                                  irl_clause_problem *p) {
  const irl_data *data = irl_comm_find(env, irl_message_get_number(message));
  if (!data) return irl_fail(env, IRL_STATUS_PROCESS_LOST, "a data set is not there");
  if (!irl_message_copy(message, p, sizeof *p)) return irl_fail_memory(env);
  p->data = data;
  p->kernels = NULL;
#define GET(items, n) p->items = get_array(message, arena, p->items, (n) * sizeof *p->items)
  GET(live_cases, data->cases.stride);
  GET(live_controls, data->controls.stride);
  GET(case_weights, data->n_cases);
  GET(control_weights, data->n_controls);
  GET(groups, data->n_features);
#undef GET
  return message->failed ? irl_fail_memory(env) : IRL_STATUS_OK;
}

/* ---- models ---- */

irl_status irl_clause_model_ask(irl_env *env, irl_clause_model *model,
                                const irl_clause_problem *problem) {
  irl_message message;
  const uint64_t id = irl_comm_new_id(env);
  irl_message_init(&message, env);
  irl_message_put_number(&message, id);
  irl_clause_problem_put(&message, problem);
  irl_status status = irl_comm_call_and_agree(env, IRL_COMM_MODEL, &message);
  if (!status) status = irl_clause_model_prepare(env, model, problem);
  if (status) {
    irl_comm_forget(env, id);
    return status;
  }
  model->comm = env;
  model->id = id;
  return IRL_STATUS_OK;
}

/* A model that a process keeps while it serves, with its problem. */
typedef struct served {
  irl_allocator allocator;
  irl_arena arena; /* of the problem's arrays */
  irl_clause_problem problem;
  irl_clause_model model;
} served;

static void free_served(void *item) {
  served *s = item;
  const irl_allocator allocator = s->allocator;
  irl_clause_model_free(&s->model);
  irl_arena_free(&s->arena);
  irl_mem_free(&allocator, s);
}

static irl_status serve_model(irl_env *env, irl_message *message) {
  const uint64_t id = irl_message_get_number(message);
  served *s = irl_mem_alloc(&env->allocator, 1, sizeof *s);
  irl_status status = s ? IRL_STATUS_OK : irl_fail_memory(env);
  if (s) {
    s->allocator = env->allocator;
    irl_arena_init(&s->arena, &env->allocator);
    status = irl_clause_problem_get(env, message, &s->arena, &s->problem);
    if (!status) status = irl_comm_keep(env, id, s, free_served);
    if (status) free_served(s);
  }
  status = irl_comm_agree(env, status);
  return status ? status : irl_clause_model_prepare(env, &s->model, &s->problem);
}

const irl_clause_model *irl_clause_served_model(const irl_env *env, uint64_t id) {
  const served *s = irl_comm_find(env, id);
  return s ? &s->model : NULL;
}

irl_status irl_clause_serve(irl_env *env, irl_comm_code code, irl_message *message) {
  if (code == IRL_COMM_MODEL) return serve_model(env, message);
  if (code == IRL_COMM_ENUMERATE) return irl_clause_serve_enumerate(env, message);
  const irl_clause_model *model = irl_clause_served_model(env, irl_message_get_number(message));
  if (!model) return irl_fail(env, IRL_STATUS_PROCESS_LOST, "a clause problem is not there");
  return code == IRL_COMM_HEURISTIC ? irl_clause_serve_heuristic(env, model, message)
                                    : irl_clause_serve_bnb(env, model, message);
}
