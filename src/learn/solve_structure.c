/* A model with AND/OR structure (milp/andor.h), solved by learning its rule, and (MP) by the best
 * choice of its clauses (src/select). Every solution is a point of the model as it was given and is
 * checked against all its rows; the bound holds for the model because the structure leaves rows out
 * but adds none. Where the best rule is no solution, what is proven stays a bound and the general
 * search goes on.
 *
 * The paper's plain models have exactly K clauses, and clauses without literals. A rule of fewer
 * repeats one; where the empty rule is best, a second run finds the best one that has a clause. A
 * clause without literals covers everything, so that a rule with it loses at least all controls. */
#include "learn/solve_structure.h"
#include "base/clock.h"
#include "base/memory.h"
#include "learn/learn.h"
#include "milp/andor.h"
#include <inttypes.h>
#include <math.h>

typedef struct run {
  irl_milp_search *milp;
  irl_andor andor;
  irl_learner learner;
  irl_env *env; /* of the learner: without a log, its progress comes here */
  irl_andor_rule rule;
  double *x;
  int64_t bound;        /* no point of the model loses less; INT64_MAX: there is none */
  uint64_t nodes, work; /* of the run before this one */
  bool is_cut;
  irl_status status;
} run;

/* Takes the point of the rule if it is one of the model, and better. */
static irl_status offer(run *r) {
  irl_milp_search *milp = r->milp;
  bool is_met;
  double objective;
  const irl_status status = irl_andor_point(&r->andor, &r->rule, r->x, &is_met);
  if (status || !is_met || !irl_milp_check_solution(&milp->original, r->x, 1, &objective) ||
      objective >= milp->objective)
    return status;
  memcpy(milp->point, r->x, milp->original.n_columns * sizeof *r->x);
  milp->objective = objective;
  milp->has_point = true;
  milp->best_seconds = irl_clock_now() - milp->env->started;
  irl_milp_report(milp, '*');
  return IRL_STATUS_OK;
}

/* The best rule of the learner. */
static irl_status offer_best(run *r) {
  const irl_search_rule *best = &r->learner.search.best;
  r->rule.n = best->n;
  irl_clause_set_copy(&r->learner.search.pool, best->clauses, best->n, r->rule.sizes,
                      r->rule.literals);
  for (uint32_t i = 0; i < best->n; i++)
    for (uint32_t l = 0; l < r->rule.sizes[i]; l++) {
      uint32_t *literal = &r->rule.literals[i * r->andor.problem.M + l];
      *literal = irl_literal_feature(*literal);
    }
  return offer(r);
}

static double objective_of(const run *r) {
  return r->andor.base + r->andor.unit * (double)r->bound;
}

/* What an engine has come to becomes the state of the model's search; true: the bound rose. A
 * rule that covers everything may be better than all others. */
static bool take_state(run *r, uint64_t nodes, uint64_t work, int64_t bound) {
  if (bound > r->andor.loss_of_all) bound = r->andor.loss_of_all;
  r->milp->nodes = r->nodes + nodes;
  r->milp->work = r->work + work;
  if (bound <= r->bound) return false;
  r->bound = bound;
  if (bound == INT64_MAX) return false;
  r->milp->root_bound = fmax(r->milp->root_bound, objective_of(r));
  return true;
}

static bool take_learner(run *r) {
  const irl_search *search = &r->learner.search;
  return take_state(r, search->nodes, search->work,
                    r->learner.outcome == IRL_OUTCOME_INFEASIBLE
                        ? INT64_MAX
                        : search->proof.bound / r->andor.scale);
}

/* Only what is shown depends on the clock: rules are offered when they are found. */
static int note(void *user, const irl_progress *progress) {
  run *r = user;
  (void)progress;
  if (r->learner.search.env && take_learner(r)) irl_milp_report(r->milp, '.');
  irl_callbacks_poll(r->milp->env);
  return 0;
}

static int take_rule(void *user, const irl_incumbent *incumbent) {
  run *r = user;
  (void)incumbent;
  if (!r->status) r->status = offer_best(r);
  return r->status != IRL_STATUS_OK;
}

/* Where controls have no weight, one still costs something, less than any case. */
static irl_status learn(run *r) {
  const irl_milp_options *o = r->milp->options;
  irl_problem problem = r->andor.problem;
  irl_limit limit = irl_limit_left(&o->limit, r->work);
  const irl_learn_settings settings = {.search = {.threads = o->threads,
                                                  .seed = o->seed,
                                                  .memory_limit_mb = limit.max_mb,
                                                  .prove = IRL_SEARCH_PROVE}};
  limit.env = r->env;
  problem.case_weight *= r->andor.scale;
  if (!problem.control_weight) problem.control_weight = 1;
  irl_status status = irl_learner_init(&r->learner, r->env, &problem, &settings, &limit);
  if (!status) status = irl_learn(&r->learner);
  if (!status) status = r->status;
  r->is_cut = irl_search_limit_reached(&r->learner.search);
  if (!status) take_learner(r);
  if (!status && irl_search_has_rule(&r->learner.search)) status = offer_best(r);
  return status;
}

/* The literals are the clauses to choose from. */
static irl_status choose(run *r) {
  const irl_problem *p = &r->andor.problem;
  irl_limit limit = r->milp->options->limit;
  irl_clause_set clauses;
  irl_select_result result;
  irl_status status = IRL_STATUS_OK;
  limit.env = r->env;
  irl_clause_set_init(&clauses, p->data, 1);
  for (uint32_t l = 0; l < p->data->n_features && !status; l++)
    status = irl_clause_set_add(r->env, &clauses, &(irl_literal){irl_literal_make(l, false)}, 1,
                                NULL, NULL);
  const irl_select_task task = irl_select_task_of(p, &clauses, r->milp->options->threads);
  if (!status) status = irl_select_solve(r->env, &task, &limit, r->rule.literals, &result);
  irl_clause_set_free(&clauses); /* its clauses have the numbers of the literals */
  if (status) return status;
  const bool is_feasible = result.outcome != IRL_OUTCOME_INFEASIBLE;
  r->is_cut = is_feasible && result.outcome != IRL_OUTCOME_OPTIMAL;
  take_state(r, result.nodes, result.work, is_feasible ? result.bound : INT64_MAX);
  r->rule.n = result.n;
  for (uint32_t k = 0; k < result.n; k++) r->rule.sizes[k] = 1;
  return result.loss == IRL_NO_LOSS ? IRL_STATUS_OK : offer(r);
}

/* ---- the whole ---- */

static bool is_best(const run *r) {
  const double loss = (r->milp->objective - r->andor.base) / r->andor.unit;
  return r->milp->has_point && loss <= (double)r->bound + 1e-6;
}

/* How the search of the structure leaves that of the model. */
static void conclude(const run *r, irl_andor_end *end, double *bound) {
  const bool is_none = r->bound == INT64_MAX;
  *end = is_best(r) || is_none ? IRL_ANDOR_DONE : r->is_cut ? IRL_ANDOR_CUT : IRL_ANDOR_BOUNDED;
  *bound = is_best(r) ? r->milp->objective : is_none ? -INFINITY : objective_of(r);
}

static void log_structure(const run *r) {
  const irl_andor *a = &r->andor;
  irl_log(r->milp->env, IRL_LOG_NOTE,
          "  AND/OR structure: %" PRIu32 " %s of at most %" PRIu32 " of %" PRIu32
          " literals, %" PRIu32 " cases, %" PRIu32 " controls%s%s; searched on bits",
          a->problem.K, a->problem.K == 1 ? "clause" : "clauses", a->problem.M, a->n_literals,
          a->n_samples[1], a->n_samples[0], a->has_limits ? ", limits on sums" : "",
          a->is_relaxed ? ", other rows left out and checked" : "");
}

/* Learns the rule of a structure that was found. */
static irl_status solve(run *r) {
  const irl_andor *a = &r->andor;
  const size_t K = a->problem.K, M = a->problem.M;
  irl_arena arena;
  irl_arena_init(&arena, &r->env->allocator);
  r->x = irl_arena_alloc(&arena, r->milp->original.n_columns, sizeof *r->x);
  r->rule.sizes = irl_arena_alloc(&arena, K, sizeof *r->rule.sizes);
  r->rule.literals = irl_arena_alloc(&arena, K * M, sizeof *r->rule.literals);
  irl_status status =
      r->x && r->rule.sizes && r->rule.literals ? IRL_STATUS_OK : irl_fail_memory(r->env);
  r->rule.n = 1; /* of no literals */
  if (!status && a->may_be_empty) status = offer(r);
  if (!status) status = a->is_choice ? choose(r) : learn(r);
  irl_arena_free(&arena);
  return status;
}

/* Is the empty rule best, which is no point? */
static bool lacks_clause(const run *r) {
  return !r->andor.may_be_unused && !r->learner.search.best.n && !r->is_cut && !is_best(r);
}

irl_status irl_learn_structure(irl_milp_search *milp, irl_andor_end *end, double *bound) {
  run r = {.milp = milp, .bound = -1};
  bool is_found = true, again = false;
  irl_status status = irl_env_create_child(milp->env, &r.env);
  if (status) return irl_fail_memory(milp->env);
  *end = IRL_ANDOR_NOT_FOUND;
  r.env->watch = &r.env->own_watch;
  irl_env_set_progress(r.env, note, &r);
  irl_env_set_incumbent(r.env, take_rule, &r);
  irl_callbacks_begin(r.env);
  for (bool needs_clause = false; !needs_clause || again; needs_clause = true) {
    r.nodes = milp->nodes;
    r.work = milp->work;
    status =
        irl_andor_find(&r.andor, &milp->original, needs_clause, &milp->options->limit, &is_found);
    if (status || !is_found) break;
    if (!needs_clause) log_structure(&r);
    status = solve(&r);
    again = !status && !needs_clause && lacks_clause(&r);
    if (!status) conclude(&r, end, bound);
    irl_learner_free(&r.learner);
    r.learner = (irl_learner){.data = NULL};
    irl_andor_free(&r.andor);
    if (status) irl_fail(milp->env, status, "%s", irl_env_error(r.env));
  }
  irl_env_free(r.env);
  return status;
}
