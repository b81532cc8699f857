#include "search/rounds.h"
#include "base/arena.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define FIRST_ROUND 8u  /* tasks: small, so that what they find helps the rest */
#define LAST_ROUND  64u /* rounds double up to this */

struct state {
  uint32_t *open; /* tasks of this pass */
  uint64_t *work; /* each task of a round: what it used */
  bool *is_done;
  bool *is_mine;  /* taken by this process */
  double largest; /* work of a task so far, or about that of one */
};

/* Runs a round's tasks that this process takes, and makes the results of all known to all. */
static irl_status run_processes(irl_search_rounds *rounds, struct state *state, uint32_t first,
                                uint32_t n, uint64_t allowance) {
  irl_env *env = rounds->env;
  irl_message mine;
  void *all = NULL;
  size_t *sizes = NULL;
  memset(state->is_mine, 0, n * sizeof *state->is_mine);
#pragma omp parallel num_threads(irl_threads_here(rounds->threads))
  for (uint64_t i = irl_comm_fetch_add(env); i < n; i = irl_comm_fetch_add(env)) {
    state->is_mine[i] = true;
    state->work[i] = rounds->run(rounds->user, irl_thread_number(), state->open[first + i],
                                 allowance, &state->is_done[i]);
  }
  irl_message_init(&mine, env);
  for (uint32_t i = 0; i < n; i++) {
    if (!state->is_mine[i]) continue;
    irl_message_put_number(&mine, i);
    irl_message_put_number(&mine, state->work[i]);
    irl_message_put_number(&mine, state->is_done[i]);
    rounds->put(rounds->user, state->open[first + i], &mine);
  }
  irl_status status = irl_comm_agree(env, mine.failed ? irl_fail_memory(env) : IRL_STATUS_OK);
  if (!status) status = irl_comm_allgather_sizes(env, mine.bytes, mine.n, &all, &sizes);
  bool is_ready = true;
  size_t at = 0;
  for (int rank = 0; !status && rank < irl_comm_size(env); at += sizes[rank++]) {
    irl_message theirs = {.bytes = (char *)all + at, .n = sizes[rank]};
    if (rank == irl_comm_rank(env)) continue;
    while (theirs.at < theirs.n && is_ready) {
      const uint32_t i = (uint32_t)irl_message_get_number(&theirs);
      assert(i < n && !state->is_mine[i]);
      state->work[i] = irl_message_get_number(&theirs);
      state->is_done[i] = irl_message_get_number(&theirs);
      is_ready = rounds->get(rounds->user, state->open[first + i], &theirs) && !theirs.failed;
    }
  }
  irl_message_free(&mine);
  irl_mem_free(&env->allocator, all);
  irl_mem_free(&env->allocator, sizes);
  return status ? status : irl_comm_agree(env, is_ready ? IRL_STATUS_OK : irl_fail_memory(env));
}

#ifndef NDEBUG
/* Are as many tasks open as are said to be? For assertions. */
static bool rounds_check(const irl_search_rounds *rounds) {
  uint32_t n = 0;
  for (uint32_t task = 0; task < rounds->n_tasks; task++) n += rounds->is_open[task];
  return n == rounds->n_open;
}
#endif

static irl_status run_round(irl_search_rounds *rounds, struct state *state, uint32_t first,
                            uint32_t n, uint64_t allowance) {
  irl_status status = IRL_STATUS_OK;
  if (rounds->put) {
    status = run_processes(rounds, state, first, n, allowance);
  } else {
#pragma omp parallel for num_threads(irl_threads_for(rounds->threads, n, state->largest))          \
    schedule(dynamic, 1)
    for (uint32_t i = 0; i < n; i++)
      state->work[i] = rounds->run(rounds->user, irl_thread_number(), state->open[first + i],
                                   allowance, &state->is_done[i]);
  }
  for (uint32_t i = 0; i < n && !status; i++) {
    const uint32_t task = state->open[first + i];
    if ((double)state->work[i] > state->largest) state->largest = (double)state->work[i];
    assert(task < rounds->n_tasks && rounds->is_open[task]);
    rounds->work += state->work[i];
    rounds->merge(rounds->user, task, state->is_done[i]);
    if (!state->is_done[i]) continue;
    rounds->is_open[task] = false;
    rounds->n_open--;
  }
  assert(status || rounds_check(rounds));
  if (status || !rounds->put || !rounds->is_well) return status;
  return irl_comm_agree(rounds->env, rounds->is_well(rounds->user) ? IRL_STATUS_OK
                                                                   : irl_fail_memory(rounds->env));
}

/* All open tasks once. `*granted` is what the first round's tasks got; *is_cut: by a limit. */
static irl_status run_pass(irl_search_rounds *rounds, struct state *state, uint64_t *granted,
                           bool *is_cut) {
  const irl_limit *limit = rounds->limit;
  irl_status status = IRL_STATUS_OK;
  uint32_t n = 0, size = FIRST_ROUND;
  *is_cut = true;
  for (uint32_t task = 0; task < rounds->n_tasks; task++)
    if (rounds->is_open[task]) state->open[n++] = task;
  for (uint32_t first = 0; first < n; first += size, size *= size < LAST_ROUND ? 2 : 1) {
    if (size > n - first) size = n - first;
    bool is_reached = irl_limit_reached(limit, rounds->work);
    if (rounds->put) { /* the root resets the counter that hands out tasks */
      if (!irl_comm_rank(rounds->env)) irl_comm_reset_counter(rounds->env);
      status = irl_comm_any(rounds->env, &is_reached);
    }
    if (status || is_reached) return status;
    const uint64_t allowance = limit->max_work == UINT64_MAX
                                   ? UINT64_MAX
                                   : (limit->max_work - rounds->work + size - 1) / size;
    if (!first) {
      if (allowance / 2 < *granted) return IRL_STATUS_OK;
      *granted = allowance;
    }
    assert(size && first + size <= n);
    status = run_round(rounds, state, first, size, allowance);
    if (status) return status;
    if (rounds->report && !rounds->report(rounds->user, rounds->n_open, rounds->work))
      return IRL_STATUS_OK;
  }
  *is_cut = false;
  return IRL_STATUS_OK;
}

irl_status irl_search_run(irl_search_rounds *rounds) {
  const irl_allocator *allocator = &rounds->env->allocator;
  const size_t n = rounds->n_tasks;
  struct state state = {.largest = rounds->task_work > 0 ? rounds->task_work : INFINITY};
  irl_arena arena;
  assert(rounds->run && rounds->merge && rounds->threads > 0 && !rounds->put == !rounds->get);
  irl_arena_init(&arena, allocator);
  rounds->work = 0;
  rounds->n_open = rounds->n_tasks;
  rounds->is_open = irl_mem_alloc(allocator, n, sizeof *rounds->is_open);
  const bool has_memory = rounds->is_open &&
                          (state.open = irl_arena_alloc(&arena, n, sizeof *state.open)) &&
                          (state.work = irl_arena_alloc(&arena, n, sizeof *state.work)) &&
                          (state.is_done = irl_arena_alloc(&arena, n, sizeof *state.is_done)) &&
                          (state.is_mine = irl_arena_alloc(&arena, n, sizeof *state.is_mine));
  irl_status status = has_memory ? IRL_STATUS_OK : irl_fail_memory(rounds->env);
  if (rounds->put) status = irl_comm_agree(rounds->env, status);
  if (!status) memset(rounds->is_open, true, n * sizeof *rounds->is_open);
  uint64_t granted = 0;
  bool is_cut = false;
  while (rounds->n_open && !is_cut && !status) status = run_pass(rounds, &state, &granted, &is_cut);
  irl_arena_free(&arena);
  if (!status) return IRL_STATUS_OK;
  irl_mem_free(allocator, rounds->is_open);
  rounds->is_open = NULL;
  return status;
}
