/* The rule branch and bound as a method of the prover (rule_bnb.c has the search). A node fixes
 * some clauses and enumerates those of which a better rule must add one: fast where few clauses
 * stand out, however many there are in all. */
#include "prove/methods.h"
#include "prove/prove.h"
#include "prove/rule_bnb.h"

#define MOST_TIMES   512.0  /* times what a search had that it is taken to need, at most */
#define FEW_LITERALS 1024.0 /* one rule in so many is met where literals are limited */

static size_t max_cap(const irl_search *search) {
  const size_t bytes = sizeof(int64_t) + (3 + (size_t)search->problem->M) * sizeof(uint32_t);
  return irl_search_affords(search, IRL_PROVE_MEMORY) / 2 / bytes / search->problem->K;
}

static bool rule_bnb_applies(const irl_prover *p) {
  return p->search->best.loss < p->bnb_full_at;
}

/* It is the method that counts literals (rule_sizes.c): where they are limited, most of the rules
 * of so many literals are never met. */
static double estimate_rule_bnb(const irl_prover *p) {
  const irl_problem *problem = p->search->problem;
  const double unknown = irl_prover_unknown(p), n = irl_prover_n_literals(p->search);
  double all = irl_prover_words(p->search) / 2 / FEW_LITERALS;
  if (p->bnb_work) return (double)p->bnb_work;
  if (problem->max_literals >= (uint64_t)problem->K * problem->M) return unknown;
  for (uint64_t i = 0; i < problem->max_literals && all < 1e18; i++) all *= n;
  return all < unknown ? all : unknown;
}

/* The proof is closed, by nodes that are evidence if the search ended with the target that it began
 * with. */
static void close_by_nodes(irl_search *search, const irl_rule_bnb_task *task, int64_t target) {
  irl_proof_evidence evidence = {.way = IRL_PROOF_BY_RULE_BNB, .target = target};
  irl_text *nodes = task->nodes;
  if (nodes && !nodes->failed && target == task->target) {
    evidence.nodes = nodes->bytes;
    evidence.n_nodes = task->n_nodes;
    nodes->bytes = NULL;
  }
  irl_proof_close(&search->proof, search->best.loss, &evidence, &search->env->allocator);
}

static irl_status run_rule_bnb(irl_prover *p) {
  irl_search *search = p->search;
  const irl_tuning *tuning = &search->settings.tuning;
  const uint64_t before = search->work;
  const int64_t target = irl_search_target(search);
  const irl_limit part = irl_prover_limit(p);
  const size_t most = max_cap(search);
  irl_text nodes;
  irl_text_init(&nodes, search->env);
  irl_rule_bnb_task task = {.cap = irl_prover_cap(p, tuning->list_cap, most),
                            .target = target,
                            .trial_work = part.max_work / tuning->prove_trial,
                            .nodes = search->settings.prove == IRL_SEARCH_CERTIFY ? &nodes : NULL};
  const irl_status status = irl_rule_bnb_solve(search, &part, &task);
  assert(status || (task.bound <= task.target && task.target <= target));
  if (!status && !task.ending && task.target == irl_search_target(search))
    close_by_nodes(search, &task, target);
  else if (!status)
    irl_proof_raise(&search->proof, task.bound, search->best.loss);
  irl_text_drop(&nodes);
  /* By the share that is closed, which is a guess: a wild one is not believed. */
  const double share = task.share * MOST_TIMES > 1 ? task.share : 1.0 / MOST_TIMES;
  if (!status) p->bnb_work = 1 + (uint64_t)((double)(search->work - before) / share);
  if (!status && task.ending == IRL_ENDED_BY_CAP && (p->cap || task.cap >= most))
    p->bnb_full_at = search->best.loss;
  return status;
}

const irl_prover_method irl_method_rule_bnb = {true, 4, rule_bnb_applies, estimate_rule_bnb,
                                               run_rule_bnb};
