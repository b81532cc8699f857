#include "search/rounds.h"
#include "base/memory.h"
#include <omp.h>

#define FIRST_ROUND 8u  /* tasks: small, so that what they find helps the rest */
#define LAST_ROUND  64u /* rounds double up to this */

struct state {
  uint32_t *open; /* tasks of this pass */
  uint64_t *work; /* each task of a round: what it used */
  bool *is_done;
};

static void run_round(irl_search_rounds *rounds, struct state *state, uint32_t first, uint32_t n,
                      uint64_t allowance) {
#pragma omp parallel for num_threads(rounds->threads) schedule(dynamic, 1)
  for (uint32_t i = 0; i < n; i++)
    state->work[i] = rounds->run(rounds->user, omp_get_thread_num(), state->open[first + i],
                                 allowance, &state->is_done[i]);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t task = state->open[first + i];
    rounds->work += state->work[i];
    rounds->merge(rounds->user, task, state->is_done[i]);
    if (!state->is_done[i]) continue;
    rounds->is_open[task] = false;
    rounds->n_open--;
  }
}

/* All open tasks once. `*granted` is what the first round's tasks got; false: ended by a limit. */
static bool run_pass(irl_search_rounds *rounds, struct state *state, uint64_t *granted) {
  const irl_limit *limit = rounds->limit;
  uint32_t n = 0, size = FIRST_ROUND;
  for (uint32_t task = 0; task < rounds->n_tasks; task++)
    if (rounds->is_open[task]) state->open[n++] = task;
  for (uint32_t first = 0; first < n; first += size, size *= size < LAST_ROUND ? 2 : 1) {
    if (size > n - first) size = n - first;
    if (irl_limit_reached(limit, rounds->work)) return false;
    const uint64_t allowance = limit->max_work == UINT64_MAX
                                   ? UINT64_MAX
                                   : (limit->max_work - rounds->work + size - 1) / size;
    if (!first) {
      if (allowance / 2 < *granted) return false;
      *granted = allowance;
    }
    run_round(rounds, state, first, size, allowance);
    if (rounds->report && !rounds->report(rounds->user, rounds->n_open, rounds->work)) return false;
  }
  return true;
}

irl_status irl_search_run(irl_search_rounds *rounds) {
  const irl_allocator *allocator = &rounds->env->allocator;
  struct state state = {irl_mem_alloc(allocator, rounds->n_tasks, sizeof *state.open),
                        irl_mem_alloc(allocator, rounds->n_tasks, sizeof *state.work),
                        irl_mem_alloc(allocator, rounds->n_tasks, sizeof *state.is_done)};
  rounds->is_open = irl_mem_alloc(allocator, rounds->n_tasks, sizeof *rounds->is_open);
  rounds->work = 0;
  rounds->n_open = rounds->n_tasks;
  const bool is_ready = state.open && state.work && state.is_done && rounds->is_open;
  for (uint32_t task = 0; is_ready && task < rounds->n_tasks; task++) rounds->is_open[task] = true;
  uint64_t granted = 0;
  while (is_ready && rounds->n_open && run_pass(rounds, &state, &granted)) continue;
  irl_mem_free(allocator, state.open);
  irl_mem_free(allocator, state.work);
  irl_mem_free(allocator, state.is_done);
  if (is_ready) return IRL_OK;
  irl_mem_free(allocator, rounds->is_open);
  rounds->is_open = NULL;
  return irl_fail_memory(rounds->env);
}
