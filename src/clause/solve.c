/* Finds a good clause, then proves it the best or improves it. The heuristic phase gets no more
 * work than the first two or three levels of the exact one would take, so that small problems are
 * not kept waiting for passes that the proof makes superfluous. */
#include "clause/solve.h"
#include "clause/heuristic.h"

#define SEEK_WORK  UINT64_C(20000000000) /* a few seconds */
#define PROVE_WORK UINT64_C(10000000000) /* of the exact phase, unless it shall prove */
#define LEAST_WORK UINT64_C(10000000)    /* milliseconds: always given to the heuristic phase */
#define POOL_SIZE  100u

static uint64_t heuristic_work(const irl_clause_model *model, const irl_limit *limit) {
  const double n = model->root.set.n, words = (double)model->root.stride;
  const double levels = n * n / 2 * words * (model->max_literals > 3 ? 1 + n / 50 : 1);
  uint64_t work = levels < (double)SEEK_WORK ? (uint64_t)levels : SEEK_WORK;
  if (work < LEAST_WORK) work = LEAST_WORK;
  return limit->max_work / 4 < work ? limit->max_work / 4 : work;
}

static irl_status solve(irl_env *env, const irl_clause_model *model, const irl_limit *limit,
                        const irl_clause_effort *effort, irl_clause_pool *pool,
                        irl_clause_result *result) {
  const irl_clause_heuristic_settings settings = {.max_work = heuristic_work(model, limit),
                                                  .seed = effort->seed};
  uint64_t work = model->work;
  irl_status status = irl_clause_heuristic(
      &(irl_clause_search){env, model, limit, effort->threads, &work}, &settings, pool);
  if (status) return status;
  assert(work >= model->work && irl_clause_pool_check(pool));
  irl_limit rest = *limit;
  const bool is_limited = limit->max_work != UINT64_MAX;
  if (is_limited) rest.max_work = limit->max_work > work ? limit->max_work - work : 0;
  const bool is_default = !effort->proves && rest.max_work > PROVE_WORK;
  if (is_default) rest.max_work = PROVE_WORK;
  status =
      irl_clause_bnb(env, model, &rest, effort->threads, pool->n ? pool->clauses : NULL, result);
  result->work += work;
  assert(status || result->bound >= result->best.value);
  if (!status && result->outcome == IRL_LIMIT && is_default && result->best.n &&
      !irl_limit_poll(limit))
    result->outcome = IRL_FEASIBLE;
  return status;
}

irl_status irl_clause_problem_solve(irl_env *env, const irl_clause_problem *problem,
                                    const irl_limit *limit, const irl_clause_effort *effort,
                                    irl_clause_pool *pool, irl_clause_result *result) {
  irl_clause_model model;
  irl_clause_pool own = {0};
  irl_status status = irl_clause_model_init(env, &model, problem);
  if (status) return status;
  if (!pool) {
    pool = &own;
    if (!irl_clause_pool_init(pool, &env->allocator, POOL_SIZE)) status = irl_fail_memory(env);
  }
  if (!status) status = solve(env, &model, limit, effort, pool, result);
  irl_clause_pool_free(&own);
  irl_clause_model_free(&model);
  return status;
}
