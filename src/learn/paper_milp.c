/* The paper's loop with the paper's models: (SP)_u, (MP)_u and (MP) are built as the MILPs that
 * they are there (milp/bp.h, as the paper has them) and solved as models, whose structure is
 * recognised (solve_structure.c). The problems are the same as without models, up to ties, and each
 * ends after the seconds that the paper gives it. A sub problem brings one clause, the best. Those
 * whose covers are equal, shorter or longer, are not told apart by the model. */
#include "learn/paper_milp.h"
#include "base/memory.h"
#include "learn/solve_structure.h"
#include "milp/milp.h"
#include "rule/literal_columns.h"
#include <math.h>

/* Solves the model; *x, to be freed, has the values of its columns if there is a point. */
static irl_status solve(irl_search *search, const irl_bp *bp, const irl_limit *limit, double **x,
                        irl_milp_result *result) {
  const irl_search_settings *s = &search->settings;
  irl_milp_problem problem;
  irl_milp_options options;
  irl_milp_problem_init(&problem, bp->named.lp, bp->named.is_integer);
  irl_milp_options_init(&options, search->env);
  options.limit = *limit;
  options.seed = s->seed;
  options.threads = s->threads;
  options.solve_structure = irl_learn_structure;
  if (s->memory_limit_mb > 0) options.max_memory = (size_t)(s->memory_limit_mb * 1e6);
  *x = irl_mem_alloc(&search->env->allocator, irl_lp_n_columns(bp->named.lp), sizeof **x);
  if (!*x) return irl_fail_memory(search->env);
  irl_env *quiet; /* the log of a fit has no room for that of each MILP */
  irl_status status = irl_env_create_child(search->env, &quiet);
  if (status) return irl_fail_memory(search->env);
  status = irl_milp_solve(quiet, &problem, &options, *x, result);
  if (status) irl_fail(search->env, status, "%s", irl_env_error(quiet));
  irl_env_free(quiet);
  return status;
}

/* How many of the live ones the clause covers; *weight: and what they weigh. */
static uint32_t count_covered(const irl_search *search, int class, const uint64_t *live,
                              const irl_clause *clause, int64_t *weight) {
  const irl_data *data = search->problem->data;
  const size_t words = (class ? &data->controls : &data->cases)->stride;
  uint64_t *cover = search->scratch;
  irl_literals_cover(data, class, clause->literals, clause->n, cover);
  if (live) irl_bits_kernels()->and_into(cover, cover, live, words);
  *weight = (int64_t)irl_data_weigh(data, class, cover);
  return (uint32_t)irl_bits_kernels()->count(cover, words);
}

static void take_clause(irl_search *search, const irl_subproblem *subproblem, const irl_bp *bp,
                        const double *x, irl_clause_pool *found) {
  irl_clause clause = {.n = 0};
  for (uint32_t l = 0; l < bp->n_literals; l++) {
    if (x[l] < 0.5) continue;
    assert(clause.n < search->problem->M && clause.n < IRL_CLAUSE_MAX);
    irl_literal_insert(clause.literals, clause.n++, irl_bp_literal(bp, l));
  }
  if (!clause.n) return; /* the empty one, which covers everything, is none */
  int64_t cases, controls;
  clause.cases = count_covered(search, 0, subproblem->live_cases, &clause, &cases);
  clause.controls = count_covered(search, 1, subproblem->live_controls, &clause, &controls);
  clause.value = subproblem->case_weight * cases - subproblem->control_weight * controls;
  assert((uint64_t)controls <= subproblem->budget && found->n == 0);
  if (clause.cases) found->clauses[found->n++] = clause;
}

/* (SP)_u: the clause of at most M literals that covers most cases and at most u controls. */
irl_status irl_learn_build_sub(irl_search *search, const irl_subproblem *subproblem, irl_bp *bp) {
  const irl_bp_settings settings = {.K = 1,
                                    .M = search->problem->M,
                                    .case_weight = 1,
                                    .control_weight = 1,
                                    .negations = search->problem->negations,
                                    .is_plain = true,
                                    .live_cases = subproblem->live_cases};
  assert(!subproblem->live_controls && !subproblem->case_weights && !subproblem->max_size);
  return irl_bp_write_clause(bp, search->env, search->problem->data, &settings, subproblem->budget);
}

static irl_status find_clause(irl_search *search, const irl_subproblem *subproblem,
                              const irl_limit *limit, irl_clause_pool *found) {
  irl_milp_result result;
  irl_bp bp;
  double *x = NULL;
  irl_status status = irl_learn_build_sub(search, subproblem, &bp);
  if (status) return status;
  status = solve(search, &bp, limit, &x, &result);
  if (!status) search->work += result.work;
  if (!status && result.has_point) take_clause(search, subproblem, &bp, x, found);
  irl_mem_free(&search->env->allocator, x);
  irl_bp_free(&bp);
  return status;
}

/* (MP)_u: at most K clauses of the pool that cover most cases and at most u controls; (MP): those
 * of the least loss. */
irl_status irl_learn_build_master(irl_search *search, const irl_select_problem *problem,
                                  irl_bp *bp) {
  const irl_bp_pool pool = {problem->cases, problem->controls, (uint32_t)problem->cases->n_vectors};
  const bool has_budget = problem->max_controls < irl_data_total(search->problem->data, 1);
  const irl_bp_settings settings = {.K = problem->K,
                                    .M = search->problem->M,
                                    .case_weight = has_budget ? 1 : problem->case_weight,
                                    .control_weight = has_budget ? 0 : problem->control_weight,
                                    .is_plain = true,
                                    .has_budget = has_budget,
                                    .budget = problem->max_controls};
  assert(!problem->is_hamming && !problem->clause_cost && !problem->min_cases);
  return irl_bp_write_master(bp, search->env, search->problem->data, &settings, &pool);
}

static irl_status choose(irl_search *search, const irl_select_problem *problem,
                         const irl_limit *limit, uint32_t *chosen, irl_select_result *result) {
  irl_milp_result solved;
  irl_bp bp;
  double *x = NULL;
  irl_status status = irl_learn_build_master(search, problem, &bp);
  if (status) return status;
  status = solve(search, &bp, limit, &x, &solved);
  *result = (irl_select_result){.n = problem->n_start};
  if (!status) result->work = solved.work;
  if (!status && solved.has_point) {
    result->n = 0;
    for (uint32_t k = 0; k < problem->cases->n_vectors; k++) {
      if (x[k] < 0.5) continue;
      assert(result->n < problem->K);
      chosen[result->n++] = k;
    }
  }
  irl_mem_free(&search->env->allocator, x);
  irl_bp_free(&bp);
  return status;
}

const irl_search_engine irl_learn_milp_engine = {find_clause, choose};

bool irl_learn_use_milp_is_due(const irl_learner *learner) {
  return learner->settings.uses_milp;
}

irl_status irl_learn_use_milp(irl_learner *learner) {
  assert(learner->settings.is_paper && !learner->problem.is_hamming);
  if (!learner->search.engine) learner->search.engine = &irl_learn_milp_engine;
  return IRL_STATUS_OK;
}
