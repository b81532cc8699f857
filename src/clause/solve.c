/* Finds a good clause, then proves it the best or improves it. The heuristic phase gets no more
 * work than the first two or three levels of the exact one would take, so that small problems are
 * not kept waiting for passes that the proof makes superfluous. */
#include "clause/solve.h"
#include "clause/heuristic.h"

#define FIND_WORK  UINT64_C(20000000000) /* a few seconds */
#define PROVE_WORK UINT64_C(10000000000) /* of the exact phase, unless it shall prove */
#define LEAST_WORK UINT64_C(10000000)    /* milliseconds: always given to the heuristic phase */
#define POOL_SIZE  100u

irl_status irl_clause_problem_solve(irl_env *env, const irl_clause_problem *problem,
                                    const irl_limit *limit, const irl_clause_effort *effort,
                                    irl_clause_pool *pool, irl_clause_result *result) {
  irl_clause_model model;
  irl_clause_pool own = {0};
  irl_status status = irl_clause_model_init(env, &model, problem);
  if (status) return status;
  if (!pool && !irl_clause_pool_init(&own, &env->allocator, POOL_SIZE)) {
    status = irl_fail_memory(env);
    goto done;
  }
  if (!pool) pool = &own;
  const double n = model.root.set.n, words = (double)model.root.stride;
  const double levels = n * n / 2 * words * (model.max_size > 3 ? 1 + n / 50 : 1);
  uint64_t most = levels < (double)FIND_WORK ? (uint64_t)levels : FIND_WORK, work = model.work;
  if (most < LEAST_WORK) most = LEAST_WORK;
  if (most > limit->max_work / 4) most = limit->max_work / 4;
  status = irl_clause_heuristic(
      &(irl_clause_search){env, &model, limit, effort->threads, &work},
      &(irl_clause_heuristic_settings){.max_work = most, .seed = effort->seed}, pool);
  if (status) goto done;
  assert(work >= model.work && irl_clause_pool_check(pool));
  irl_limit rest = *limit;
  if (limit->max_work != UINT64_MAX)
    rest.max_work = limit->max_work > work ? limit->max_work - work : 0;
  const bool is_default = !effort->proves && rest.max_work > PROVE_WORK;
  if (is_default) rest.max_work = PROVE_WORK;
  status =
      irl_clause_bnb(env, &model, &rest, effort->threads, pool->n ? pool->clauses : NULL, result);
  result->work += work;
  assert(status || result->bound >= result->best.value);
  if (!status && result->outcome == IRL_OUTCOME_LIMIT && is_default && result->best.n &&
      !irl_limit_poll(limit))
    result->outcome = IRL_OUTCOME_FEASIBLE;
done:
  irl_clause_pool_free(&own);
  irl_clause_model_free(&model);
  return status;
}
