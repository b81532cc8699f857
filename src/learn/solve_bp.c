/* The direct way: one of the paper's models BP1 .. BP6 (milp/bp.h) for the whole rule at once,
 * written out and solved as the paper has it (--plain), or at least without a rule to begin with
 * (--no-start). Otherwise the loop and the proof answer the same question (learn/run.c), without
 * the model. */
#include "base/arena.h"
#include "learn/learn.h"
#include "learn/learner.h"
#include "learn/solve_structure.h"
#include "milp/bp.h"
#include "milp/milp.h"
#include <math.h>

/* Bytes that a row takes, with its name, its entries and its place in the LP, and what one more
 * entry takes; and how much the model may take if nothing is said. */
#define ROW_BYTES      400.0
#define ENTRY_BYTES    100.0
#define DEFAULT_MEMORY 2e9

/* A rule in literals, as the model has them. */
typedef struct clauses {
  uint32_t *sizes;
  irl_literal *literals; /* those of clause k from k * M on */
} clauses;

/* What branch and bound found, in terms of the learner. What the rule loses is counted on the data:
 * where a limit ends the search the point's variables for samples may say more than that. A model
 * has negated literals behind all others, a pool has literals in ascending order. */
static irl_status take_result(irl_learner *learner, const irl_bp *bp, const double *x,
                              const irl_milp_result *result, clauses *c) {
  irl_status status = IRL_STATUS_OK;
  learner->search.work += result->work;
  learner->search.nodes += result->nodes;
  learner->outcome = result->outcome;
  if (isfinite(result->bound) && result->bound >= (double)learner->search.proof.bound) {
    learner->search.proof.bound = (int64_t)ceil(result->bound);
    learner->search.proof.bound_by = IRL_PROOF_DIRECT_MODEL;
  }
  if (!result->has_point) return IRL_STATUS_OK;
  irl_search_rule rule = {.n = irl_bp_clauses(bp, x, c->sizes, c->literals)};
  assert(rule.n <= learner->problem.K);
  for (uint32_t i = 0; i < rule.n && !status; i++) {
    irl_literal *literals = c->literals + (size_t)i * learner->problem.M;
    for (uint32_t l = 1; l < c->sizes[i]; l++) irl_literal_insert(literals, l, literals[l]);
    status = irl_clause_set_add(learner->search.env, &learner->search.pool, literals, c->sizes[i],
                                &rule.clauses[i], NULL);
  }
  if (!status) irl_search_weigh(&learner->search, &rule);
  if (!status) learner->search.best = rule;
  assert(status || (double)learner->search.best.loss <= nearbyint(result->objective));
  if (!status && learner->search.best.loss <= learner->search.proof.bound)
    learner->outcome = IRL_OUTCOME_OPTIMAL;
  learner->search.best_seconds = result->best_seconds;
  return status;
}

static irl_status solve(irl_learner *learner, const irl_bp *bp) {
  const size_t n = irl_lp_n_columns(bp->named.lp);
  irl_arena arena;
  irl_arena_init(&arena, &learner->search.env->allocator);
  double *x = irl_arena_alloc(&arena, n, sizeof *x);
  clauses c = {
      irl_arena_alloc(&arena, learner->problem.K, sizeof *c.sizes),
      irl_arena_alloc(&arena, (size_t)learner->problem.K * learner->problem.M, sizeof *c.literals)};
  irl_status status =
      x && c.sizes && c.literals ? IRL_STATUS_OK : irl_fail_memory(learner->search.env);
  irl_milp_problem problem;
  irl_milp_result result;
  irl_milp_options options;
  irl_milp_options_init(&options, learner->search.env);
  options.limit = irl_search_sublimit(&learner->search, UINT64_MAX);
  options.seed = learner->search.settings.seed;
  options.threads = learner->search.settings.threads;
  options.divisor = learner->problem.divisor;
  options.solve_structure = irl_learn_structure;
  if (learner->search.settings.memory_limit_mb > 0)
    options.max_memory = (size_t)(learner->search.settings.memory_limit_mb * 1e6);
  irl_milp_problem_init(&problem, bp->named.lp, bp->named.is_integer);
  problem.priority = bp->priority.items;
  problem.bound = (double)learner->search.proof.bound;
  problem.grid = irl_milp_greatest_common((double)learner->problem.case_weight,
                                          (double)learner->problem.control_weight);
  if (!status) status = irl_milp_solve(learner->search.env, &problem, &options, x, &result);
  if (!status) status = take_result(learner, bp, x, &result, &c);
  irl_arena_free(&arena);
  return status;
}

irl_status irl_learn_solve_bp(irl_learner *learner) {
  const irl_learn_settings *s = &learner->settings;
  const irl_bp_style style = {
      .form = irl_learn_form(s), .is_binary = s->is_binary, .is_plain = s->is_plain};
  irl_bp bp;
  assert(irl_learn_is_model(s));
  learner->search.best.loss = IRL_NO_LOSS;
  learner->outcome = irl_limit_outcome(&learner->search.limit);
  const double rows = irl_bp_count_rows(&learner->problem, &style);
  const double memory = learner->search.settings.memory_limit_mb > 0
                            ? learner->search.settings.memory_limit_mb * 1e6
                            : DEFAULT_MEMORY;
  const double misses = irl_bp_count_misses(&learner->problem, &style);
  if (rows * ROW_BYTES + misses * ENTRY_BYTES > memory)
    return irl_fail(learner->search.env, IRL_STATUS_BAD_ARGUMENT,
                    "bp%u has %.0f rows and %.0f entries on this data, too many for %.0f MB; "
                    "without --plain and --no-start no model is needed",
                    irl_learn_form(s), rows, misses, memory / 1e6);
  irl_status status = irl_bp_init(&bp, learner->search.env, &learner->problem, &style);
  if (status) return status;
  status = solve(learner, &bp);
  irl_bp_free(&bp);
  return status;
}
