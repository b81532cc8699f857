/* The problem of column generation without its LP: groups of equal cases, what they may be worth,
 * the points and prices. */
#include "base/memory.h"
#include "brcg/brcg.h"
#include <assert.h>
#include <math.h>

static irl_status find_groups(irl_brcg *cg) {
  irl_env *env = cg->search->env;
  uint32_t *sizes = irl_arena_alloc(&cg->arena, cg->data->n_cases, sizeof *sizes);
  irl_equal_rows groups = {.group_of = cg->group_of, .first = cg->first, .size = sizes};
  irl_bits_matrix rows;
  if (!sizes) return irl_fail_memory(env);
  irl_status status =
      irl_bits_transposed(env, &cg->data->cases, &rows, cg->search->settings.threads);
  if (status) return status;
  status = irl_equal_rows_find(env, &rows, NULL, &groups);
  cg->n_groups = groups.n;
  for (uint32_t g = 0; g < groups.n && !status; g++) irl_bits_set(cg->firsts, cg->first[g]);
  for (uint32_t i = 0; i < cg->data->n_cases && !status; i++)
    cg->weights[cg->group_of[i]] +=
        irl_data_has_weights(cg->data) ? cg->data->weights[0].each[i] : 1;
  irl_bits_matrix_free(&rows);
  assert(status || irl_bits_kernels()->count(cg->firsts, cg->data->cases.stride) == cg->n_groups);
  return status;
}

static double worth_of(const irl_brcg *cg, uint32_t group) {
  return (double)cg->weights[group] * (double)cg->problem.case_weight /
         (double)cg->problem.control_weight;
}

double irl_brcg_most(const irl_brcg *cg, uint32_t group) {
  assert(group < cg->n_groups);
  const double usual = worth_of(cg, group);
  switch (cg->states[group]) {
  case IRL_BRCG_LEFT:
    return 0;
  case IRL_BRCG_COVERED: /* as much as all cases: no bound of interest needs more */
    return usual + (double)cg->n_cases * (double)cg->problem.case_weight /
                       (double)cg->problem.control_weight;
  default:
    return usual;
  }
}

uint64_t irl_brcg_controls(const irl_brcg *cg, uint32_t k) {
  assert(k < cg->search->pool.n);
  return irl_data_weigh(cg->data, 1, irl_bits_vector(&cg->search->pool.controls, k));
}

/* Bounds on size that K and M imply are left out. */
static irl_problem in_room(const irl_problem *problem) {
  irl_problem room = *problem;
  if (room.max_literals < room.K) room.K = (uint32_t)room.max_literals;
  if (room.max_complexity / 2 < room.K) room.K = (uint32_t)(room.max_complexity / 2);
  if (room.max_literals >= (uint64_t)room.K * room.M) room.max_literals = UINT64_MAX;
  if (room.max_complexity >= (uint64_t)room.K * (1 + room.M)) room.max_complexity = UINT64_MAX;
  return room;
}

irl_status irl_brcg_init(irl_brcg *cg, irl_search *search) {
  const irl_problem *problem = search->problem;
  const irl_data *data = problem->whole;
  assert(!irl_problem_shares_controls(problem) && problem->M > 0 && !data->shard);
  assert(problem->case_weight > 0 && problem->control_weight > 0);
  *cg = (irl_brcg){.search = search,
                   .problem = in_room(problem),
                   .data = data,
                   .n_cases = irl_data_total(data, 0),
                   .center_value = -INFINITY,
                   .lp_bound = -INFINITY,
                   .node_cap = 5 * search->settings.tuning.found,
                   .leaf_cap = search->settings.tuning.all_clauses};
  irl_arena *arena = &cg->arena;
  const size_t n = data->n_cases, words = data->cases.stride, d = sizeof(double);
  irl_arena_init(arena, &search->env->allocator);
  const int64_t all = cg->problem.case_weight * (int64_t)cg->n_cases;
  cg->value = (double)all;
  if (!cg->problem.K) cg->bound = all;
  if (!(cg->group_of = irl_arena_alloc(arena, n, sizeof *cg->group_of)) ||
      !(cg->first = irl_arena_alloc(arena, n, sizeof *cg->first)) ||
      !(cg->weights = irl_arena_alloc(arena, n, sizeof *cg->weights)) ||
      !(cg->states = irl_arena_alloc(arena, n, sizeof *cg->states)) ||
      !(cg->prices.worth = irl_arena_alloc(arena, n, sizeof *cg->prices.worth)) ||
      !(cg->proof.worth = irl_arena_alloc(arena, n, sizeof *cg->proof.worth)) ||
      !(cg->firsts = irl_arena_alloc_aligned(arena, words, sizeof *cg->firsts)) ||
      !(cg->prices.live_cases = irl_arena_alloc_aligned(arena, words, sizeof *cg->firsts)))
    return irl_fail_memory(search->env);
  const size_t n_controls = irl_data_has_weights(cg->data) ? cg->data->n_controls : 0;
  if (n_controls &&
      (!(cg->prices.controls = irl_arena_alloc(arena, n_controls, sizeof *cg->prices.controls)) ||
       !(cg->proof.controls = irl_arena_alloc(arena, n_controls, sizeof *cg->proof.controls))))
    return irl_fail_memory(search->env);
  irl_status status = find_groups(cg);
  if (status) return status;
  if (!(cg->now.worth = irl_arena_alloc(arena, cg->n_groups, d)) ||
      !(cg->center.worth = irl_arena_alloc(arena, cg->n_groups, d)) ||
      !(cg->trial.worth = irl_arena_alloc(arena, cg->n_groups, d)))
    return irl_fail_memory(search->env);
  for (uint32_t g = 0; g < cg->n_groups; g++)
    cg->now.worth[g] = cg->center.worth[g] = cg->trial.worth[g] = worth_of(cg, g);
  return IRL_STATUS_OK;
}

void irl_brcg_free(irl_brcg *cg) {
  if (!cg->search) return;
  assert(!cg->lp); /* the master goes first */
  irl_arena_free(&cg->arena);
  *cg = (irl_brcg){0};
}
