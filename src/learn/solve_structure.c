/* A model with AND/OR structure (milp/andor.h), solved by the engines on bits: the best clause
 * (src/clause) of (SP) and its like, the best choice (src/select) of (MP), a rule by learning it.
 * Every solution is a point of the model as it was given and is checked against all its rows; the
 * bound holds for the model because the structure leaves rows out but adds none. Where rows were
 * left out and the best rule does not meet them, what is proven stays a bound and the general
 * search goes on.
 *
 * The paper's plain models have exactly K clauses, and clauses without literals. A rule of fewer
 * repeats one; where the empty rule is best, a second run finds the best one that has a clause. A
 * clause without literals covers everything, so that a rule with it loses at least all controls. */
#include "learn/solve_structure.h"
#include "base/clock.h"
#include "base/memory.h"
#include "clause/solve.h"
#include "learn/learn.h"
#include "milp/andor.h"
#include <inttypes.h>
#include <math.h>

typedef struct run {
  irl_milp_search *milp;
  irl_andor andor;
  irl_andor_problem question;
  irl_learner learner;
  irl_env *env; /* of the engines: without a log, its progress comes here */
  irl_andor_rule rule;
  uint32_t *filler, n_filler; /* literals of a clause that covers few controls, */
  uint64_t filler_controls;   /* so many */
  uint64_t *cover;            /* scratch: a vector of controls */
  double *x;
  int64_t tried;        /* the loss of the learner's last rule that was offered */
  uint64_t nodes, work; /* of a run before this one */
  int64_t bound;        /* no point of the model loses less; INT64_MAX: there is none */
  bool is_cut;
  irl_status status;
} run;

/* ---- rules as points ---- */

/* Takes the point of the rule if it is one of the model, and better. */
static irl_status offer(run *r) {
  irl_milp_search *milp = r->milp;
  double objective;
  const irl_status status = irl_andor_point(&r->andor, &r->rule, r->x);
  if (status || !irl_milp_check_solution(&milp->original, r->x, 1, &objective) ||
      objective >= milp->objective)
    return status;
  memcpy(milp->point, r->x, milp->original.n_columns * sizeof *r->x);
  milp->objective = objective;
  milp->has_point = true;
  milp->best_seconds = irl_clock_now() - milp->env->started;
  irl_milp_report(milp, '*');
  return IRL_STATUS_OK;
}

static irl_status offer_all(run *r) {
  r->rule.n = 1;
  r->rule.sizes[0] = 0;
  return offer(r);
}

/* ---- what is known ---- */

static double objective_of(const irl_andor *a, int64_t loss) {
  return a->base + a->unit * (double)loss;
}

/* What an engine has come to becomes the state of the model's search; true: the bound rose. A rule
 * that covers everything may be better than all others. */
static bool take_state(run *r, uint64_t nodes, uint64_t work, int64_t bound) {
  irl_milp_search *milp = r->milp;
  const int64_t all = r->question.loss_of_all, least = bound < all ? bound : all;
  milp->nodes = r->nodes + nodes;
  milp->work = r->work + work;
  if (least <= r->bound) return false;
  r->bound = least;
  if (least == INT64_MAX) return false;
  milp->root_bound = fmax(milp->root_bound, objective_of(&r->andor, least));
  return true;
}

static void log_structure(const irl_milp_search *milp, const irl_andor *a) {
  irl_log(milp->env, IRL_LOG_NOTE,
          "  AND/OR structure: %" PRIu32 " %s of at most %" PRIu32 " of %" PRIu32
          " literals, %" PRIu32 " cases, %" PRIu32 " controls%s%s; searched on bits",
          a->K, a->K == 1 ? "clause" : "clauses", a->M, a->n_literals, a->cases.n_samples,
          a->controls.n_samples, a->n_rows > 1 ? ", limits on sums" : "",
          a->is_relaxed ? ", other rows left out and checked" : "");
}

/* ---- the best clause, the best choice ---- */

static bool is_clause_problem(const irl_andor *a, const irl_problem *p) {
  return a->K == 1 && !a->is_choice && !a->may_be_unused && !p->penalty && p->max_literals &&
         p->max_complexity == UINT64_MAX;
}

/* *is_found is false if no clause within the limits that covers a case gains anything by it: one
 * that covers none may be the best then, which is not looked for here. */
static irl_status find_clause(run *r, const irl_limit *limit, bool *is_found) {
  const irl_problem *p = &r->question.problem;
  const irl_milp_options *o = r->milp->options;
  irl_clause_problem problem;
  irl_clause_result result;
  irl_clause_problem_init(&problem, p->data);
  problem.case_weight = p->case_weight;
  problem.control_weight = p->control_weight;
  problem.budget = p->max_controls;
  problem.max_size = p->M < p->max_literals ? p->M : (uint32_t)p->max_literals;
  problem.threads = o->threads;
  if (p->min_cases > problem.min_cases) problem.min_cases = p->min_cases;
  const irl_status status = irl_clause_problem_solve(
      r->env, &problem, limit, &(irl_clause_effort){o->threads, o->seed, true}, NULL, &result);
  if (status) return status;
  *is_found = result.outcome != IRL_OUTCOME_INFEASIBLE && result.bound >= 0;
  r->is_cut = *is_found && result.outcome != IRL_OUTCOME_OPTIMAL;
  const int64_t all = p->case_weight * p->data->n_cases;
  take_state(r, result.nodes, result.work,
             *is_found && result.bound < all ? all - result.bound : 0);
  if (!result.best.n) return IRL_STATUS_OK;
  r->rule.n = 1;
  r->rule.sizes[0] = result.best.n;
  for (uint32_t l = 0; l < result.best.n; l++)
    r->rule.literals[l] = irl_literal_feature(result.best.literals[l]);
  return offer(r);
}

static irl_status choose(run *r, const irl_limit *limit) {
  const irl_problem *p = &r->question.problem;
  irl_clause_set clauses;
  irl_select_result result;
  uint32_t chosen[IRL_MAX_K];
  irl_status status = IRL_STATUS_OK;
  irl_clause_set_init(&clauses, p->data, 1);
  for (irl_literal l = 0; l < p->data->n_features && !status; l++)
    status = irl_clause_set_add(r->env, &clauses, &(irl_literal){irl_literal_make(l, false)}, 1,
                                NULL, NULL);
  const irl_select_task task = irl_select_task_of(p, &clauses, r->milp->options->threads);
  if (!status) status = irl_select_solve(r->env, &task, limit, chosen, &result);
  for (uint32_t k = 0; !status && k < result.n; k++)
    r->rule.literals[k] = irl_literal_feature(*irl_clause_set_literals(&clauses, chosen[k]));
  irl_clause_set_free(&clauses);
  if (status) return status;
  const bool is_feasible = result.outcome != IRL_OUTCOME_INFEASIBLE;
  r->is_cut = is_feasible && result.outcome != IRL_OUTCOME_OPTIMAL;
  take_state(r, result.nodes, result.work, is_feasible ? result.bound : INT64_MAX);
  if (result.loss == IRL_NO_LOSS) return IRL_STATUS_OK;
  r->rule.n = result.n;
  for (uint32_t k = 0; k < result.n; k++) r->rule.sizes[k] = 1;
  return offer(r);
}

/* ---- the best rule ---- */

/* By greed, a clause that covers few controls: one for the places of a rule of too few clauses. */
static void find_filler(run *r) {
  const irl_bits_matrix *controls = &r->question.data->controls;
  const irl_kernels *kernels = irl_bits_kernels();
  irl_bits_fill(r->cover, controls->n_bits, controls->stride);
  r->filler_controls = UINT64_MAX;
  for (r->n_filler = 0; r->n_filler < r->andor.M && r->filler_controls; r->n_filler++) {
    uint32_t best = IRL_ANDOR_NONE;
    for (uint32_t l = 0; l < r->andor.n_literals; l++) {
      const uint64_t covered =
          kernels->and_count(r->cover, irl_bits_vector(controls, l), controls->stride);
      if (covered >= r->filler_controls) continue;
      r->filler_controls = covered;
      best = l;
    }
    if (best == IRL_ANDOR_NONE) break;
    r->filler[r->n_filler] = best;
    kernels->and_into(r->cover, r->cover, irl_bits_vector(controls, best), controls->stride);
  }
}

/* The filler becomes the first clause, which is repeated. */
static void add_filler(run *r) {
  uint32_t *literals = r->rule.literals, n = r->rule.n++;
  const size_t M = r->andor.M;
  memmove(literals + n * M, literals, M * sizeof *literals);
  r->rule.sizes[n] = r->rule.sizes[0];
  memcpy(literals, r->filler, M * sizeof *literals);
  r->rule.sizes[0] = r->n_filler;
}

/* The best rule of the learner. Where it has too few clauses, the one that covers fewest controls
 * is first. */
static irl_status offer_best(run *r) {
  const irl_clause_set *pool = &r->learner.search.pool;
  const size_t M = r->andor.M;
  irl_search_rule best = r->learner.search.best;
  uint64_t least = UINT64_MAX;
  r->tried = best.loss;
  for (uint32_t i = 0; i < best.n; i++) {
    const uint32_t k = best.clauses[i];
    const uint64_t covered =
        irl_bits_kernels()->count(irl_bits_vector(&pool->controls, k), pool->controls.stride);
    if (covered >= least) continue;
    least = covered;
    best.clauses[i] = best.clauses[0];
    best.clauses[0] = k;
  }
  r->rule.n = best.n;
  irl_clause_set_copy(pool, best.clauses, best.n, r->rule.sizes, r->rule.literals);
  for (uint32_t i = 0; i < best.n; i++)
    for (uint32_t l = 0; l < r->rule.sizes[i]; l++)
      r->rule.literals[i * M + l] = irl_literal_feature(r->rule.literals[i * M + l]);
  const bool needs_filler =
      !best.n || (best.n < r->andor.K && !irl_problem_shares_controls(&r->question.problem));
  if (needs_filler && !r->andor.may_be_unused && r->filler_controls < least) add_filler(r);
  return offer(r);
}

static bool take_learner(run *r) {
  const irl_search *search = &r->learner.search;
  return take_state(r, search->nodes, search->work,
                    r->learner.outcome == IRL_OUTCOME_INFEASIBLE
                        ? INT64_MAX
                        : search->proof.bound / r->question.scale);
}

static int note(void *user, const irl_progress *progress) {
  run *r = user;
  (void)progress;
  if (r->learner.search.env && take_learner(r)) irl_milp_report(r->milp, '.');
  if (r->learner.search.best.loss < r->tried && !r->status) r->status = offer_best(r);
  irl_callbacks_poll(r->milp->env);
  return r->status != IRL_STATUS_OK;
}

/* Where controls have no weight, one still costs something, less than any case. */
static irl_status learn(run *r, const irl_limit *limit) {
  const irl_milp_options *o = r->milp->options;
  irl_problem problem = r->question.problem;
  const irl_learn_settings settings = {
      .search = {
          .threads = o->threads, .seed = o->seed, .memory_limit_mb = limit->max_mb, .prove = true}};
  problem.case_weight *= r->question.scale;
  if (!problem.control_weight) problem.control_weight = 1;
  irl_status status = irl_learner_init(&r->learner, r->env, &problem, &settings, limit);
  r->tried = IRL_NO_LOSS;
  if (!r->andor.may_be_unused) find_filler(r);
  if (!status) status = irl_learn(&r->learner);
  if (!status) status = r->status;
  r->is_cut = irl_search_limit_reached(&r->learner.search);
  if (!status) take_learner(r);
  if (!status && irl_search_has_rule(&r->learner.search)) status = offer_best(r);
  return status;
}

/* The best rule that has a clause. */
static irl_status learn_with_clause(run *r) {
  bool is_one;
  r->nodes = r->milp->nodes;
  r->work = r->milp->work;
  r->tried = 0;
  irl_learner_free(&r->learner);
  r->learner = (irl_learner){.data = NULL};
  irl_andor_problem_free(&r->question);
  const irl_status status = irl_andor_problem_init(&r->question, r->env, &r->andor, true, &is_one);
  assert(status || is_one);
  irl_limit limit = irl_limit_left(&r->milp->options->limit, r->work);
  limit.env = r->env;
  return status ? status : learn(r, &limit);
}

/* ---- the whole ---- */

static bool is_proven(const run *r) {
  const irl_milp_search *milp = r->milp;
  const double loss = (milp->objective - r->andor.base) / r->andor.unit;
  return milp->has_point && loss <= (double)r->bound + 1e-6;
}

/* How the search of the structure leaves that of the model. */
static void conclude(const run *r, irl_andor_end *end, double *bound) {
  const bool is_none = r->bound == INT64_MAX, is_best = is_proven(r);
  *end = is_best || is_none ? IRL_ANDOR_DONE : r->is_cut ? IRL_ANDOR_CUT : IRL_ANDOR_BOUNDED;
  *bound = is_best ? r->milp->objective : is_none ? -INFINITY : objective_of(&r->andor, r->bound);
}

static irl_status run_engine(run *r) {
  const irl_andor *a = &r->andor;
  irl_limit limit = r->milp->options->limit;
  bool has_clause = true;
  limit.env = r->env;
  irl_status status = a->may_be_empty ? offer_all(r) : IRL_STATUS_OK;
  if (status) return status;
  if (a->is_choice) {
    status = choose(r, &limit);
  } else if (is_clause_problem(a, &r->question.problem)) {
    status = find_clause(r, &limit, &has_clause);
  } else {
    status = learn(r, &limit);
    has_clause = a->may_be_unused || r->learner.search.best.n || r->is_cut || is_proven(r);
  }
  return status || has_clause ? status : learn_with_clause(r);
}

static irl_status solve(run *r) {
  const size_t K = r->andor.K, M = r->andor.M;
  irl_arena arena;
  irl_arena_init(&arena, &r->env->allocator);
  r->x = irl_arena_alloc(&arena, r->milp->original.n_columns, sizeof *r->x);
  r->rule.sizes = irl_arena_alloc(&arena, K, sizeof *r->rule.sizes);
  r->rule.literals = irl_arena_alloc(&arena, K * M, sizeof *r->rule.literals);
  r->filler = irl_arena_alloc(&arena, M, sizeof *r->filler);
  r->cover = irl_arena_alloc_aligned(&arena, r->question.data->controls.stride, sizeof *r->cover);
  const bool has_memory = r->x && r->rule.sizes && r->rule.literals && r->filler && r->cover;
  const irl_status status = has_memory ? run_engine(r) : irl_fail_memory(r->env);
  irl_arena_free(&arena);
  return status;
}

irl_status irl_learn_structure(irl_milp_search *milp, irl_andor_end *end, double *bound) {
  run r = {.milp = milp, .bound = -1};
  bool is_found = false;
  *end = IRL_ANDOR_NOT_FOUND;
  irl_status status = irl_andor_find(&r.andor, &milp->original, &milp->options->limit, &is_found);
  if (status || !is_found) return status;
  status = irl_env_create_child(milp->env, &r.env);
  if (status) {
    irl_andor_free(&r.andor);
    return irl_fail_memory(milp->env);
  }
  r.env->watch = &r.env->own_watch;
  irl_env_set_progress(r.env, note, &r);
  irl_callbacks_begin(r.env);
  status = irl_andor_problem_init(&r.question, r.env, &r.andor, false, &is_found);
  if (!status && is_found) {
    log_structure(milp, &r.andor);
    status = solve(&r);
    if (!status) conclude(&r, end, bound);
    irl_learner_free(&r.learner);
  }
  if (status) irl_fail(milp->env, status, "%s", irl_env_error(r.env));
  irl_andor_problem_free(&r.question);
  irl_andor_free(&r.andor);
  irl_env_free(r.env);
  return status;
}
