/* The direct way: one of the paper's models BP1 .. BP6 (milp/bp.h) for the whole rule at once.
 *
 * Unless the model is wanted as the paper has it, or without a start, the loop runs first: its rule
 * is the point that branch and bound begins with, and what is proven about all rules bounds the
 * model. A model too large to be built leaves the start and its bound as the answer. */
#include "base/memory.h"
#include "learn/learn.h"
#include "milp/bp.h"
#include "milp/milp.h"
#include "prove/prove.h"
#include "state/learner.h"
#include <math.h>

/* Bytes that a row takes, with its name, its entries and its place in the LP; and how much the
 * model may take if nothing is said. */
#define ROW_BYTES      400.0
#define DEFAULT_MEMORY 2e9

/* A rule in literals, as the model has them. */
typedef struct clauses {
  uint32_t n, *sizes;
  irl_literal *literals; /* those of clause k from k * M on */
} clauses;

static irl_status clauses_init(clauses *c, irl_learner *learner) {
  const irl_allocator *a = &learner->env->allocator;
  const size_t K = learner->settings.K, M = learner->settings.M;
  *c = (clauses){0, irl_mem_alloc(a, K, sizeof *c->sizes),
                 irl_mem_alloc(a, K * M, sizeof *c->literals)};
  return c->sizes && c->literals ? IRL_OK : irl_fail_memory(learner->env);
}

static void clauses_free(clauses *c, const irl_learner *learner) {
  irl_mem_free(&learner->env->allocator, c->sizes);
  irl_mem_free(&learner->env->allocator, c->literals);
}

static void take_best(const irl_learner *learner, clauses *c) {
  const uint32_t M = learner->settings.M;
  c->n = learner->best.n;
  for (uint32_t i = 0; i < c->n; i++) {
    const uint32_t k = learner->best.clauses[i];
    c->sizes[i] = learner->pool.sizes[k];
    memcpy(c->literals + (size_t)i * M, irl_clause_set_literals(&learner->pool, k),
           c->sizes[i] * sizeof *c->literals);
  }
}

/* The clauses of the model's point become the learner's rule. A model has negated literals behind
 * all others, a pool has literals in ascending order. */
static irl_status put_best(irl_learner *learner, const clauses *c) {
  irl_learn_rule rule = {.n = c->n};
  irl_status status = IRL_OK;
  for (uint32_t i = 0; i < c->n && !status; i++) {
    irl_literal *literals = c->literals + (size_t)i * learner->settings.M;
    for (uint32_t l = 1; l < c->sizes[i]; l++)
      for (uint32_t at = l; at && literals[at - 1] > literals[at]; at--) {
        const irl_literal literal = literals[at];
        literals[at] = literals[at - 1];
        literals[at - 1] = literal;
      }
    status = irl_clause_set_add(learner->env, &learner->pool, literals, c->sizes[i],
                                &rule.clauses[i], NULL);
  }
  if (status) return status;
  irl_learner_weigh(learner, &rule);
  learner->best = rule;
  return IRL_OK;
}

static irl_bp_settings settings_of(const irl_learner *learner) {
  const irl_learn_settings *s = &learner->settings;
  return (irl_bp_settings){.form = s->form,
                           .K = s->K,
                           .M = s->M,
                           .case_weight = s->case_weight,
                           .control_weight = s->control_weight,
                           .negations = s->negations,
                           .is_binary = s->is_binary,
                           .is_plain = s->is_plain};
}

static irl_milp_options options_of(const irl_learner *learner) {
  irl_milp_options o;
  irl_milp_options_init(&o, learner->env);
  o.limit = irl_learner_sublimit(learner, UINT64_MAX);
  o.seed = learner->settings.seed;
  o.threads = learner->settings.threads;
  o.divisor = learner->settings.divisor;
  if (learner->settings.memory_limit_mb > 0)
    o.max_memory = (size_t)(learner->settings.memory_limit_mb * 1e6);
  return o;
}

/* The answer of branch and bound in terms of the learner. What the rule loses is counted on the
 * data: where a limit ends the search the point's variables for samples may say more than that. */
static irl_status take_result(irl_learner *learner, const irl_bp *bp, const double *x,
                              const irl_milp_result *result, clauses *c) {
  irl_status status = IRL_OK;
  const int64_t before = learner->best.loss;
  learner->work += result->work;
  learner->nodes += result->nodes;
  learner->outcome = result->outcome;
  if (isfinite(result->bound) && result->bound >= (double)learner->proof.bound) {
    learner->proof.bound = (int64_t)ceil(result->bound);
    learner->proof.is_read = false;
  }
  learner->best.loss = IRL_SELECT_NO_LOSS;
  if (!result->has_point) return IRL_OK;
  c->n = irl_bp_clauses(bp, x, c->sizes, c->literals);
  status = put_best(learner, c);
  assert(status || (double)learner->best.loss <= nearbyint(result->objective));
  if (!status && learner->best.loss <= learner->proof.bound) learner->outcome = IRL_OPTIMAL;
  if (learner->best.loss < before) learner->best_seconds = result->best_seconds;
  return status;
}

static irl_status solve(irl_learner *learner, const irl_bp *bp, clauses *c) {
  const irl_learn_settings *s = &learner->settings;
  const size_t n = irl_lp_n_columns(bp->named.lp);
  double *x = irl_mem_alloc(&learner->env->allocator, n, sizeof *x);
  double *start = irl_mem_alloc(&learner->env->allocator, n, sizeof *start);
  irl_status status = x && start ? IRL_OK : irl_fail_memory(learner->env);
  irl_milp_problem problem;
  irl_milp_result result;
  const irl_milp_options options = options_of(learner);
  irl_milp_problem_init(&problem, bp->named.lp, bp->named.is_integer);
  problem.priority = bp->priority.items;
  problem.bound = learner->proof.is_read ? 0 : (double)learner->proof.bound;
  problem.grid = irl_milp_greatest_common((double)s->case_weight, (double)s->control_weight);
  if (!status && irl_learner_has_rule(learner)) {
    take_best(learner, c);
    status = irl_bp_point(bp, c->n, c->sizes, c->literals, start);
    problem.start = start;
  }
  if (!status) status = irl_milp_solve(learner->env, &problem, &options, x, &result);
  if (!status) status = take_result(learner, bp, x, &result, c);
  irl_mem_free(&learner->env->allocator, x);
  irl_mem_free(&learner->env->allocator, start);
  return status;
}

static irl_status check_size(irl_learner *learner, const irl_bp_settings *settings, bool *fits) {
  const double rows = irl_bp_count_rows(learner->data, settings);
  const double memory = learner->settings.memory_limit_mb > 0
                            ? learner->settings.memory_limit_mb * 1e6
                            : DEFAULT_MEMORY;
  *fits = rows * ROW_BYTES <= memory;
  if (*fits) return IRL_OK;
  if (!irl_learner_has_rule(learner))
    return irl_fail(learner->env, IRL_BAD_ARGUMENT,
                    "bp%u has %.0f rows on this data, too many for %.0f MB: take bp1, bp3 or bp5, "
                    "or begin with a rule",
                    settings->form, rows, memory / 1e6);
  irl_log(learner->env, IRL_LOG_WARNING,
          "bp%u has %.0f rows, too many for %.0f MB: the answer is the rule to begin with and what "
          "is proven about it",
          settings->form, rows, memory / 1e6);
  return IRL_OK;
}

bool irl_learn_solve_bp_is_due(const irl_learner *learner) {
  return learner->settings.form != 0;
}

irl_status irl_learn_solve_bp(irl_learner *learner) {
  const irl_bp_settings settings = settings_of(learner);
  irl_bp bp;
  clauses c;
  bool fits;
  learner->outcome = irl_limit_outcome(&learner->limit);
  irl_status status = check_size(learner, &settings, &fits);
  if (status) return status;
  if (irl_learner_has_rule(learner) && irl_learner_is_proven(learner)) {
    learner->outcome = IRL_OPTIMAL;
    return IRL_OK;
  }
  if (!fits || (irl_learner_has_rule(learner) && irl_limit_reached(&learner->limit, learner->work)))
    return IRL_OK;
  status = clauses_init(&c, learner);
  if (!status && !(status = irl_bp_init(&bp, learner->env, learner->data, &settings))) {
    status = solve(learner, &bp, &c);
    irl_bp_free(&bp);
  }
  clauses_free(&c, learner);
  return status;
}
