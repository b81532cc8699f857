#include "comm/comm.h"
#include "base/clock.h"
#include "base/contract.h"
#include "base/endian.h"
#include "base/memory.h"
#include "ireland_comm.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#define PROTOCOL 3u /* goes up when calls or messages change */

/* Are they all there, and is this one of the processes? */
static irl_status check_ways(irl_env *env, const irl_comm *comm) {
  const bool is_whole = comm->broadcast && comm->allreduce && comm->allgatherv && comm->alltoallv &&
                        comm->fetch_add && comm->reset_counter;
  if (!is_whole)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "argument 'comm' lacks one of its functions");
  if (comm->n_processes < 1 || comm->rank < 0 || comm->rank >= comm->n_processes)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "argument 'comm' has rank %d of %d processes, which is none of them",
                    comm->rank, comm->n_processes);
  return IRL_STATUS_OK;
}

irl_status irl_env_set_comm(irl_env *env, const irl_comm *comm) {
  irl_comm own;
  IRL_NEED(env, "env", env);
  irl_status status = comm ? irl_sized_need(env, comm, "comm") : IRL_STATUS_OK;
  if (!status && comm) {
    irl_sized_copy_in(comm, &own, sizeof own);
    status = check_ways(env, &own);
  }
  if (status) return status;
  irl_mem_free(&env->allocator, env->comm);
  env->comm = NULL;
  if (!comm) return IRL_STATUS_OK;
  irl_comm_state *state = irl_mem_alloc(&env->allocator, 1, sizeof *state);
  if (!state) return irl_fail_memory(env);
  state->comm = own;
  env->comm = state;
  env->sharing = own.on_this_machine;
  return IRL_STATUS_OK;
}

static irl_status check(irl_env *env, bool is_done) {
  if (is_done && !env->comm->is_lost) return IRL_STATUS_OK;
  env->comm->is_lost = true;
  return irl_fail(env, IRL_STATUS_PROCESS_LOST,
                  "a process of this run has ended, and with it its part of the data");
}

irl_status irl_comm_broadcast(irl_env *env, int root, void *bytes, size_t n) {
  if (!irl_comm_is_parallel(env) || !n) return IRL_STATUS_OK;
  const irl_comm *comm = &env->comm->comm;
  assert(root >= 0 && root < comm->n_processes);
  return check(env, !env->comm->is_lost && comm->broadcast(comm->user, root, bytes, n));
}

irl_status irl_comm_allreduce(irl_env *env, uint64_t *numbers, size_t n) {
  if (!irl_comm_is_parallel(env) || !n) return IRL_STATUS_OK;
  const irl_comm *comm = &env->comm->comm;
  return check(env, !env->comm->is_lost && comm->allreduce(comm->user, numbers, n));
}

irl_status irl_comm_any(irl_env *env, bool *yes) {
  uint64_t says[2] = {!irl_comm_rank(env) && *yes, env->watch->is_full};
  const irl_status status = irl_comm_allreduce(env, says, 2);
  if (status) return status;
  if (says[1]) env->watch->is_full = true;
  *yes = says[0] || says[1];
  return IRL_STATUS_OK;
}

irl_status irl_comm_allgatherv(irl_env *env, const void *mine, void *all, const size_t *sizes) {
  const irl_comm *comm = &env->comm->comm;
  return check(env, !env->comm->is_lost && comm->allgatherv(comm->user, mine, all, sizes));
}

irl_status irl_comm_allgather_sizes(irl_env *env, const void *mine, size_t n, void **all,
                                    size_t **sizes) {
  const size_t size = (size_t)irl_comm_size(env);
  uint64_t *lengths = irl_mem_alloc(&env->allocator, size, sizeof *lengths);
  size_t *list = irl_mem_alloc(&env->allocator, size, sizeof *list), total = 0;
  void *bytes = NULL;
  irl_status status = irl_comm_agree(env, lengths && list ? IRL_STATUS_OK : irl_fail_memory(env));
  if (status) goto done;
  lengths[irl_comm_rank(env)] = n;
  status = irl_comm_allreduce(env, lengths, size);
  if (status) goto done;
  for (size_t i = 0; i < size; i++) total += list[i] = lengths[i];
  bytes = irl_mem_alloc(&env->allocator, total, 1);
  status = irl_comm_agree(env, bytes ? IRL_STATUS_OK : irl_fail_memory(env));
  if (!status) status = irl_comm_allgatherv(env, mine, bytes, list);
done:
  irl_mem_free(&env->allocator, lengths);
  if (status) {
    irl_mem_free(&env->allocator, bytes);
    irl_mem_free(&env->allocator, list);
  }
  *all = status ? NULL : bytes;
  *sizes = status ? NULL : list;
  return status;
}

irl_status irl_comm_alltoallv(irl_env *env, const void *out, const size_t *out_sizes, void *in,
                              const size_t *in_sizes) {
  const irl_comm *comm = &env->comm->comm;
  return check(env,
               !env->comm->is_lost && comm->alltoallv(comm->user, out, out_sizes, in, in_sizes));
}

uint64_t irl_comm_fetch_add(const irl_env *env) {
  return env->comm->comm.fetch_add(env->comm->comm.user);
}

void irl_comm_reset_counter(const irl_env *env) {
  assert(!irl_comm_rank(env));
  env->comm->comm.reset_counter(env->comm->comm.user);
}

irl_status irl_comm_agree(irl_env *env, irl_status status) {
  if (!irl_comm_is_parallel(env)) return status;
  const int size = irl_comm_size(env), rank = irl_comm_rank(env);
  uint64_t n_failed = status != IRL_STATUS_OK;
  const irl_status lost = irl_comm_allreduce(env, &n_failed, 1);
  if (lost) return lost;
  if (!n_failed) return IRL_STATUS_OK;
  for (int root = 0; root < size; root++) {
    struct {
      int32_t status;
      char error[IRL_ERROR_SIZE];
    } said = {.status = 0};
    if (rank == root) {
      said.status = (int32_t)status;
      memcpy(said.error, env->error, sizeof said.error);
    }
    const irl_status gone = irl_comm_broadcast(env, root, &said, sizeof said);
    if (gone) return gone;
    if (!said.status) continue;
    if (said.status == IRL_STATUS_PROCESS_LOST) env->comm->is_lost = true;
    if (rank != root) memcpy(env->error, said.error, sizeof env->error);
    return (irl_status)said.status;
  }
  return IRL_STATUS_INTERNAL;
}

/* The option table stands for what a version can do; words and their order for the machine. */
void irl_comm_name_build(char name[IRL_COMM_MAX_BUILD]) {
  size_t n;
  const irl_option_info *table = irl_options_table(&n);
  uint64_t hash = sizeof(irl_options);
  for (size_t i = 0; i < n; i++)
    hash = XXH3_64bits_withSeed(table[i].name, strlen(table[i].name), hash + table[i].offset);
  snprintf(name, IRL_COMM_MAX_BUILD, "%s (protocol %u, options %016" PRIx64 ", %zu-bit %s)",
           IRL_VERSION, PROTOCOL, hash, 8 * sizeof(void *),
           IRL_IS_LITTLE_ENDIAN ? "little" : "big");
}

irl_status irl_comm_serve_hello(irl_env *env, irl_message *message) {
  char mine[IRL_COMM_MAX_BUILD];
  irl_comm_name_build(mine);
  const void *first = irl_message_get(message, sizeof mine);
  const bool is_same = first && !strncmp(first, mine, sizeof mine);
  return irl_comm_agree(
      env, is_same ? IRL_STATUS_OK
                   : irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                              "process %d is ireland %s and the first one %.*s: all processes of a "
                              "run need the same build",
                              irl_comm_rank(env), mine, first ? IRL_COMM_MAX_BUILD - 1 : 1,
                              first ? (const char *)first : "?"));
}

static irl_status send_call(irl_env *env, irl_comm_code code, const irl_message *message) {
  uint64_t head[2] = {code, message ? message->n : 0};
  if (message && message->failed) return irl_fail_memory(env);
  irl_status status = irl_comm_broadcast(env, 0, head, sizeof head);
  if (!status && head[1]) status = irl_comm_broadcast(env, 0, message->bytes, message->n);
  if (code == IRL_COMM_END) env->comm->is_over = true;
  return status;
}

irl_status irl_comm_call(irl_env *env, irl_comm_code code, const irl_message *message) {
  irl_comm_state *state = env->comm;
  assert(!irl_comm_rank(env));
  if (code != IRL_COMM_END && !state->has_greeted) { /* asks all for their builds, once */
    char mine[IRL_COMM_MAX_BUILD] = {0};
    const irl_message hello = {.bytes = mine, .n = sizeof mine};
    state->has_greeted = true;
    irl_comm_name_build(mine);
    state->greeting = send_call(env, IRL_COMM_HELLO, &hello);
    if (!state->greeting) state->greeting = irl_comm_agree(env, IRL_STATUS_OK);
  }
  /* The sentence of a greeting that failed stands. */
  return code != IRL_COMM_END && state->greeting ? state->greeting : send_call(env, code, message);
}

irl_status irl_comm_call_and_agree(irl_env *env, irl_comm_code code, irl_message *message) {
  const irl_status status = irl_comm_call(env, code, message);
  irl_message_free(message);
  return status ? status : irl_comm_agree(env, IRL_STATUS_OK);
}

irl_status irl_comm_listen(irl_env *env, irl_comm_code *code, irl_message *message) {
  uint64_t head[2];
  irl_message_init(message, env);
  irl_status status = irl_comm_broadcast(env, 0, head, sizeof head);
  if (status) return status;
  *code = (irl_comm_code)head[0];
  message->bytes = irl_mem_alloc(&env->allocator, head[1], 1);
  /* Without memory for a message this process cannot enter the collectives that follow. */
  if (!message->bytes) return irl_fail(env, IRL_STATUS_PROCESS_LOST, "out of memory for a message");
  message->n = message->capacity = head[1];
  if (head[1]) status = irl_comm_broadcast(env, 0, message->bytes, message->n);
  return status;
}

/* ---- objects ---- */

uint64_t irl_comm_new_id(irl_env *env) {
  assert(!irl_comm_rank(env));
  return ++env->comm->last_id;
}

irl_status irl_comm_keep(irl_env *env, uint64_t id, void *item, void (*free)(void *item)) {
  assert(id && item && !irl_comm_find(env, id));
  const irl_comm_object object = {id, item, free};
  return irl_array_push(&env->allocator, &env->comm->objects, object) ? IRL_STATUS_OK
                                                                      : irl_fail_memory(env);
}

void *irl_comm_find(const irl_env *env, uint64_t id) {
  for (size_t i = 0; i < env->comm->objects.n; i++)
    if (env->comm->objects.items[i].id == id) return env->comm->objects.items[i].item;
  return NULL;
}

void irl_comm_drop(irl_env *env, uint64_t id) {
  irl_comm_object *objects = env->comm->objects.items;
  for (size_t i = 0; i < env->comm->objects.n; i++) {
    if (objects[i].id != id) continue;
    objects[i].free(objects[i].item);
    memmove(objects + i, objects + i + 1, (--env->comm->objects.n - i) * sizeof *objects);
    return;
  }
}

void irl_comm_drop_all(irl_env *env) {
  irl_comm_state *state = env->comm;
  while (state->objects.n) { /* the last first: models stand on data */
    const irl_comm_object object = state->objects.items[--state->objects.n];
    object.free(object.item);
  }
  irl_array_free(&env->allocator, &state->objects);
}

void irl_comm_forget(irl_env *env, uint64_t id) {
  irl_message message;
  if (!id || !env->comm || env->comm->is_lost || env->comm->is_over) return;
  irl_message_init(&message, env);
  irl_message_put_number(&message, id);
  irl_comm_call(env, IRL_COMM_DROP, &message);
  irl_message_free(&message);
}

/* ---- messages ---- */

void irl_message_init(irl_message *message, const irl_env *env) {
  *message = (irl_message){.allocator = env->allocator};
}

void irl_message_free(irl_message *message) {
  irl_mem_free(&message->allocator, message->bytes);
}

void irl_message_put(irl_message *message, const void *bytes, size_t n) {
  assert(message->n <= message->capacity);
  if (message->failed || !n) return;
  message->failed = !irl_mem_reserve_more(&message->allocator, &message->bytes, &message->capacity,
                                          message->n, n, 1);
  if (message->failed) return;
  memcpy(message->bytes + message->n, bytes, n);
  message->n += n;
}

void irl_message_put_number(irl_message *message, uint64_t number) {
  irl_message_put(message, &number, sizeof number);
}

void irl_message_put_text(irl_message *message, const char *text) {
  irl_message_put_number(message, text ? strlen(text) + 1 : 0);
  if (text) irl_message_put(message, text, strlen(text) + 1);
}

const void *irl_message_get(irl_message *message, size_t n) {
  assert(message->at <= message->n);
  if (message->n - message->at < n) {
    message->failed = true;
    return NULL;
  }
  message->at += n;
  return message->bytes + message->at - n;
}

bool irl_message_copy(irl_message *message, void *to, size_t n) {
  const void *bytes = irl_message_get(message, n);
  if (bytes) memcpy(to, bytes, n);
  return bytes;
}

uint64_t irl_message_get_number(irl_message *message) {
  uint64_t number = 0;
  irl_message_copy(message, &number, sizeof number);
  return number;
}

const char *irl_message_get_text(irl_message *message) {
  const size_t n = irl_message_get_number(message);
  return n ? irl_message_get(message, n) : NULL;
}

void irl_limit_put(irl_message *message, const irl_limit *limit) {
  irl_limit sent = *limit;
  sent.deadline = limit->deadline > 0 ? limit->deadline - irl_clock_now() : INFINITY;
  irl_message_put(message, &sent, sizeof sent);
}

void irl_limit_get(irl_message *message, const irl_env *env, irl_limit *limit) {
  *limit = (irl_limit){.deadline = INFINITY};
  irl_message_copy(message, limit, sizeof *limit);
  limit->env = env;
  limit->deadline = isinf(limit->deadline) ? 0 : irl_clock_now() + limit->deadline;
  limit->base_mb = env->watch->base_mb;
  env->watch->is_full = false;
}
