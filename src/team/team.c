#include "team/team.h"
#include "base/clock.h"
#include "base/endian.h"
#include "base/memory.h"
#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

#define PROTOCOL 2u /* goes up when calls or messages change */

irl_status irl_env_set_team(irl_env *env, const irl_team *team) {
  irl_mem_free(&env->allocator, env->team);
  env->team = NULL;
  if (!team) return IRL_OK;
  irl_team_state *state = irl_mem_alloc(&env->allocator, 1, sizeof *state);
  if (!state) return irl_fail_memory(env);
  state->team = *team;
  env->team = state;
  env->sharing = team->on_this_machine;
  return IRL_OK;
}

static irl_status check(irl_env *env, bool is_done) {
  if (is_done && !env->team->is_lost) return IRL_OK;
  env->team->is_lost = true;
  return irl_fail(env, IRL_LOST,
                  "a process of this run has ended, and with it its part of the data");
}

irl_status irl_team_broadcast(irl_env *env, int root, void *bytes, size_t n) {
  if (!irl_team_is_several(env) || !n) return IRL_OK;
  const irl_team *team = &env->team->team;
  return check(env, !env->team->is_lost && team->broadcast(team->user, root, bytes, n));
}

irl_status irl_team_sum(irl_env *env, uint64_t *numbers, size_t n) {
  if (!irl_team_is_several(env) || !n) return IRL_OK;
  const irl_team *team = &env->team->team;
  return check(env, !env->team->is_lost && team->sum(team->user, numbers, n));
}

irl_status irl_team_decide(irl_env *env, bool *yes) {
  uint64_t says[2] = {!irl_team_rank(env) && *yes, irl_callbacks_memory_is_full(env)};
  const irl_status status = irl_team_sum(env, says, 2);
  if (status) return status;
  if (says[1]) irl_callbacks_set_memory_full(env, true);
  *yes = says[0] || says[1];
  return IRL_OK;
}

irl_status irl_team_gather(irl_env *env, const void *mine, void *all, const size_t *sizes) {
  const irl_team *team = &env->team->team;
  return check(env, !env->team->is_lost && team->gather(team->user, mine, all, sizes));
}

irl_status irl_team_collect(irl_env *env, const void *mine, size_t n, void **all, size_t **sizes) {
  const int size = irl_team_size(env);
  uint64_t *lengths = irl_mem_alloc(&env->allocator, (size_t)size, sizeof *lengths);
  *sizes = irl_mem_alloc(&env->allocator, (size_t)size, sizeof **sizes);
  *all = NULL;
  irl_status status = irl_team_agree(env, lengths && *sizes ? IRL_OK : irl_fail_memory(env));
  if (!status) {
    lengths[irl_team_rank(env)] = n;
    status = irl_team_sum(env, lengths, (size_t)size);
  }
  size_t total = 0;
  for (int i = 0; !status && i < size; i++) total += (*sizes)[i] = lengths[i];
  if (!status) {
    *all = irl_mem_alloc(&env->allocator, total, 1);
    status = irl_team_agree(env, *all ? IRL_OK : irl_fail_memory(env));
  }
  if (!status) status = irl_team_gather(env, mine, *all, *sizes);
  irl_mem_free(&env->allocator, lengths);
  if (!status) return IRL_OK;
  irl_mem_free(&env->allocator, *all);
  irl_mem_free(&env->allocator, *sizes);
  *all = NULL;
  *sizes = NULL;
  return status;
}

irl_status irl_team_exchange(irl_env *env, const void *out, const size_t *out_sizes, void *in,
                             const size_t *in_sizes) {
  const irl_team *team = &env->team->team;
  return check(env,
               !env->team->is_lost && team->exchange(team->user, out, out_sizes, in, in_sizes));
}

uint64_t irl_team_take(const irl_env *env) {
  return env->team->team.take(env->team->team.user);
}

void irl_team_restart(const irl_env *env) {
  env->team->team.restart(env->team->team.user);
}

/* Who fails first says why. */
irl_status irl_team_agree(irl_env *env, irl_status status) {
  if (!irl_team_is_several(env)) return status;
  const int size = irl_team_size(env), rank = irl_team_rank(env);
  uint64_t n_failed = status != IRL_OK;
  const irl_status lost = irl_team_sum(env, &n_failed, 1);
  if (lost) return lost;
  if (!n_failed) return IRL_OK;
  for (int root = 0; root < size; root++) {
    struct {
      int32_t status;
      char error[IRL_ERROR_SIZE];
    } said = {.status = 0};
    if (rank == root) {
      said.status = (int32_t)status;
      memcpy(said.error, env->error, sizeof said.error);
    }
    const irl_status gone = irl_team_broadcast(env, root, &said, sizeof said);
    if (gone) return gone;
    if (!said.status) continue;
    if (said.status == IRL_LOST) env->team->is_lost = true;
    if (rank != root) memcpy(env->error, said.error, sizeof env->error);
    return (irl_status)said.status;
  }
  return IRL_INTERNAL;
}

/* The option table stands for what a version can do; words and their order for the machine. */
void irl_team_name_build(char name[IRL_TEAM_MAX_BUILD]) {
  size_t n;
  const irl_option_info *table = irl_options_table(&n);
  uint64_t hash = sizeof(irl_options);
  for (size_t i = 0; i < n; i++)
    hash = XXH3_64bits_withSeed(table[i].name, strlen(table[i].name), hash + table[i].offset);
  snprintf(name, IRL_TEAM_MAX_BUILD, "%s (protocol %u, options %016" PRIx64 ", %zu-bit %s)",
           IRL_VERSION, PROTOCOL, hash, 8 * sizeof(void *),
           IRL_IS_LITTLE_ENDIAN ? "little" : "big");
}

irl_status irl_team_serve_hello(irl_env *env, irl_message *message) {
  char mine[IRL_TEAM_MAX_BUILD];
  irl_team_name_build(mine);
  const void *first = irl_message_get(message, sizeof mine);
  const bool is_same = first && !strncmp(first, mine, sizeof mine);
  return irl_team_agree(
      env, is_same ? IRL_OK
                   : irl_fail(env, IRL_BAD_ARGUMENT,
                              "process %d is ireland %s and the first one %.*s: all processes of a "
                              "run need the same build",
                              irl_team_rank(env), mine, first ? IRL_TEAM_MAX_BUILD - 1 : 1,
                              first ? (const char *)first : "?"));
}

static irl_status send_call(irl_env *env, irl_team_code code, const irl_message *message);

/* Asks once, by the first call. */
static irl_status greet(irl_env *env) {
  irl_team_state *state = env->team;
  irl_message message;
  char mine[IRL_TEAM_MAX_BUILD] = {0};
  if (state->has_greeted) return state->greeting; /* its sentence stands */
  state->has_greeted = true;
  irl_team_name_build(mine);
  irl_message_init(&message, env);
  irl_message_put(&message, mine, sizeof mine);
  irl_status status = send_call(env, IRL_TEAM_HELLO, &message);
  if (!status) status = irl_team_agree(env, IRL_OK);
  irl_message_free(&message);
  return state->greeting = status;
}

irl_status irl_team_call(irl_env *env, irl_team_code code, const irl_message *message) {
  const irl_status status = code == IRL_TEAM_END ? IRL_OK : greet(env);
  return status ? status : send_call(env, code, message);
}

static irl_status send_call(irl_env *env, irl_team_code code, const irl_message *message) {
  uint64_t head[2] = {code, message ? message->n : 0};
  if (message && message->failed) return irl_fail_memory(env);
  irl_status status = irl_team_broadcast(env, 0, head, sizeof head);
  if (!status && head[1]) status = irl_team_broadcast(env, 0, message->bytes, message->n);
  if (code == IRL_TEAM_END) env->team->is_over = true;
  return status;
}

irl_status irl_team_listen(irl_env *env, irl_team_code *code, irl_message *message) {
  uint64_t head[2];
  irl_message_init(message, env);
  irl_status status = irl_team_broadcast(env, 0, head, sizeof head);
  if (status) return status;
  *code = (irl_team_code)head[0];
  message->bytes = irl_mem_alloc(&env->allocator, head[1], 1);
  /* Without room for a message there is no way to go on in step. */
  if (!message->bytes) return irl_fail(env, IRL_LOST, "out of memory for a message");
  message->n = message->capacity = head[1];
  if (head[1]) status = irl_team_broadcast(env, 0, message->bytes, message->n);
  return status;
}

/* ---- things ---- */

uint64_t irl_team_new_id(irl_env *env) {
  return ++env->team->last_id;
}

irl_status irl_team_keep(irl_env *env, uint64_t id, void *item, void (*free)(void *item)) {
  irl_team_state *state = env->team;
  if (!irl_mem_reserve(&env->allocator, (void **)&state->things, &state->capacity, state->n_things,
                       sizeof *state->things))
    return irl_fail_memory(env);
  state->things[state->n_things++] = (irl_team_thing){id, item, free};
  return IRL_OK;
}

void *irl_team_find(const irl_env *env, uint64_t id) {
  for (size_t i = 0; i < env->team->n_things; i++)
    if (env->team->things[i].id == id) return env->team->things[i].item;
  return NULL;
}

void irl_team_drop(irl_env *env, uint64_t id) {
  irl_team_state *state = env->team;
  for (size_t i = 0; i < state->n_things; i++) {
    if (state->things[i].id != id) continue;
    state->things[i].free(state->things[i].item);
    state->n_things--;
    memmove(state->things + i, state->things + i + 1,
            (state->n_things - i) * sizeof *state->things);
    return;
  }
}

void irl_team_drop_all(irl_env *env) {
  irl_team_state *state = env->team;
  while (state->n_things) { /* the last first: models stand on data */
    const irl_team_thing thing = state->things[--state->n_things];
    thing.free(thing.item);
  }
  irl_mem_free(&env->allocator, state->things);
  state->things = NULL;
  state->capacity = 0;
}

void irl_team_forget(irl_env *env, uint64_t id) {
  irl_message message;
  if (!id || !env->team || env->team->is_lost || env->team->is_over) return;
  irl_message_init(&message, env);
  irl_message_put_number(&message, id);
  irl_team_call(env, IRL_TEAM_DROP, &message);
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
  if (message->failed || !n) return;
  if (message->capacity - message->n < n) {
    const size_t capacity = message->n + message->n / 2 + n + 64;
    char *grown = irl_mem_grow(&message->allocator, message->bytes, capacity, 1);
    message->failed = !grown;
    if (!grown) return;
    message->bytes = grown;
    message->capacity = capacity;
  }
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
  if (message->n - message->at < n) {
    message->failed = true;
    return NULL;
  }
  message->at += n;
  return message->bytes + message->at - n;
}

uint64_t irl_message_get_number(irl_message *message) {
  uint64_t number = 0;
  const void *bytes = irl_message_get(message, sizeof number);
  if (bytes) memcpy(&number, bytes, sizeof number);
  return number;
}

const char *irl_message_get_text(irl_message *message) {
  const size_t n = irl_message_get_number(message);
  return n ? irl_message_get(message, n) : NULL;
}

void irl_limit_put(irl_message *message, const irl_limit *limit) {
  const double left = limit->deadline > 0 ? limit->deadline - irl_clock_now() : 0;
  irl_message_put_number(message, limit->max_work);
  irl_message_put_number(message, limit->deadline > 0);
  irl_message_put(message, &left, sizeof left);
  irl_message_put(message, &limit->max_mb, sizeof limit->max_mb);
}

void irl_limit_get(irl_message *message, const irl_env *env, irl_limit *limit) {
  double left = 0;
  *limit = (irl_limit){.env = env, .max_work = irl_message_get_number(message)};
  const bool is_limited = irl_message_get_number(message);
  const void *bytes = irl_message_get(message, sizeof left);
  if (bytes) memcpy(&left, bytes, sizeof left);
  if (is_limited) limit->deadline = irl_clock_now() + left;
  const void *memory = irl_message_get(message, sizeof limit->max_mb);
  if (memory) memcpy(&limit->max_mb, memory, sizeof limit->max_mb);
  limit->base_mb = irl_callbacks_memory_base(env);
  irl_callbacks_set_memory_full(env, false);
}
