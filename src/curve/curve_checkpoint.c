/* The checkpoint of a fit (checkpoint.h) goes on with the selections that its curves ask for, so
 * that a curve that was killed goes on too.
 *
 * A selection is known by its key: the clauses of the pool, the problem, the choice that it starts
 * from and the work it may take. An entry with another key, as after learning that a time limit cut
 * short and that now goes further, ends the replay: it and what is behind it are of no use. The
 * counts of a choice are computed from the covers, its bound is taken from the entry. */
#include "base/endian.h"
#include "curve/curve.h"

/* An entry: its key, these parts of the result, the clauses. */
enum { KEY, OUTCOME, LOSS, BOUND, NODES, WORK, N_FIXED };

uint64_t irl_curve_key(const irl_curve_subproblem *q) {
  const irl_select_problem *p = q->problem;
  if (!q->solver->checkpoint.env) return 0;
  const uint64_t words[] = {
      q->solver->pool_hash, p->K,         (uint64_t)p->case_weight, (uint64_t)p->control_weight,
      p->max_controls,      p->min_cases, p->max_literals,          (uint64_t)p->to_beat,
      q->max_work};
  const irl_learn_rule *start = &q->solution->rule;
  uint64_t hash = irl_endian_hash(words, sizeof words / sizeof *words);
  for (uint32_t i = 0; i < start->n; i++)
    hash = irl_endian_hash((const uint64_t[]){hash, start->clauses[i]}, 2);
  return hash;
}

irl_status irl_curve_replay(const irl_curve_subproblem *q, irl_select_result *result,
                            bool *is_known) {
  irl_checkpoint *checkpoint = &q->solver->checkpoint;
  const irl_clause_set *pool = &q->solver->fit->pool;
  uint32_t *clauses = q->solution->rule.clauses;
  size_t n = 0;
  const uint64_t *words =
      checkpoint->env ? irl_checkpoint_next(checkpoint, IRL_LEARN_CURVE, &n) : NULL;
  *is_known = false;
  if (!words) return IRL_OK;
  *result = (irl_select_result){0};
  /* Is it this selection, and are its clauses of this pool? */
  bool is_right = n >= N_FIXED && n - N_FIXED <= q->problem->K && words[KEY] == q->key &&
                  words[OUTCOME] < IRL_N_OUTCOME;
  for (size_t i = N_FIXED; i < n && is_right; i++) is_right = words[i] < pool->n;
  if (!is_right) {
    irl_checkpoint_drop(checkpoint, n);
    return IRL_OK;
  }
  for (size_t i = N_FIXED; i < n; i++) clauses[i - N_FIXED] = (uint32_t)words[i];
  const uint32_t n_clauses = (uint32_t)(n - N_FIXED);
  const irl_cover_counts counts =
      irl_clause_set_count(pool, clauses, n_clauses, q->solver->scratch);
  *is_known = true;
  *result = (irl_select_result){.outcome = (irl_outcome)words[OUTCOME],
                                .loss = (int64_t)words[LOSS],
                                .bound = (int64_t)words[BOUND],
                                .nodes = words[NODES],
                                .work = words[WORK],
                                .n = n_clauses,
                                .cases = counts.cases,
                                .controls = counts.controls,
                                .literals = counts.literals};
  return IRL_OK;
}

void irl_curve_record(const irl_curve_subproblem *q, const irl_select_result *result) {
  irl_checkpoint *checkpoint = &q->solver->checkpoint;
  const uint64_t words[N_FIXED] = {
      q->key,        result->outcome, (uint64_t)result->loss, (uint64_t)result->bound,
      result->nodes, result->work};
  if (!checkpoint->env || irl_limit_poll(&q->solver->limit)) return;
  irl_checkpoint_begin(checkpoint, IRL_LEARN_CURVE);
  for (int i = 0; i < N_FIXED; i++) irl_checkpoint_put(checkpoint, words[i]);
  for (uint32_t i = 0; i < result->n; i++)
    irl_checkpoint_put(checkpoint, q->solution->rule.clauses[i]);
  irl_checkpoint_end(checkpoint);
}
