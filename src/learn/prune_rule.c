/* Simpler rules of the same loss.
 *
 * Pruning drops clauses and literals one by one as long as the rule does not get worse. It ends
 * where nothing more can be dropped, but another rule of the same loss may still be simpler.
 *
 * Shortening looks for that: clauses of every smaller length are generated for each place of the
 * rule, and the pool is asked once more, for the least loss, then the fewest clauses, then the
 * fewest literals (irl_problem_simplest). The selection is exact as far as its work allows, and the
 * pool holds what was found: in general the rule is the simplest of those met, not provably of all.
 */
#include "base/memory.h"
#include "data/shard.h"
#include "learn/learn.h"

/* ---- pruning ---- */

irl_status irl_learn_prune(const irl_pruning *p, irl_search_rule *rule) {
  irl_status status = IRL_STATUS_OK;
  for (bool is_dropped = true; is_dropped && !status;) {
    is_dropped = false;
    for (uint32_t i = 0; i < rule->n;) {
      irl_search_rule without = *rule;
      without.n--;
      memmove(without.clauses + i, without.clauses + i + 1,
              (without.n - i) * sizeof *without.clauses);
      const bool is_idle = p->is_no_worse(p->user, &without, rule);
      if (is_idle) *rule = without;
      i = is_idle ? 0 : i + 1;
    }
    /* A shorter clause with the same cover takes the place of the longer one in the pool itself. */
    for (uint32_t i = 0; i < rule->n && !status;) {
      const uint32_t k = rule->clauses[i], n = p->pool->sizes[k];
      bool is_shorter = false;
      assert(k < p->pool->n);
      for (uint32_t l = 0; l < n && n > 1 && !status && !is_shorter; l++) {
        irl_literal shorter[IRL_CLAUSE_MAX];
        irl_search_rule with = *rule;
        memcpy(shorter, irl_clause_set_literals(p->pool, k), n * sizeof *shorter);
        memmove(shorter + l, shorter + l + 1, (n - l - 1) * sizeof *shorter);
        status = irl_clause_set_add(p->env, p->pool, shorter, n - 1, &with.clauses[i], NULL);
        assert(status || p->pool->sizes[with.clauses[i]] < n);
        is_shorter = !status && p->is_no_worse(p->user, &with, rule);
        if (is_shorter) *rule = with;
      }
      is_dropped |= is_shorter;
      i += !is_shorter;
    }
  }
  return status;
}

static bool loses_no_more(void *user, irl_search_rule *candidate, const irl_search_rule *rule) {
  irl_search_weigh(user, candidate);
  return candidate->loss <= rule->loss;
}

irl_status irl_learn_prune_rule(irl_learner *learner) {
  const irl_pruning pruning = {learner->search.env, &learner->search.pool, loses_no_more,
                               &learner->search};
  const int64_t before = learner->search.best.loss;
  const irl_status status = irl_learn_prune(&pruning, &learner->search.best);
  assert(learner->search.best.loss <= before);
  (void)before;
  return status;
}

/* ---- shortening ---- */

/* A tenth of the usual work where it has to be quick. */
static uint64_t work_of(const irl_learner *learner, uint64_t work) {
  return learner->search.settings.effort != IRL_SEARCH_FULL ? work / 10 : work;
}

/* The best choice from the pool by loss, clauses and literals, in this order. */
static irl_status select_simplest(irl_learner *learner) {
  irl_search_rule rule = learner->search.best;
  bool is_countable;
  const irl_problem problem = irl_problem_simplest(&learner->problem, rule.n, &is_countable);
  irl_select_task task =
      irl_select_task_of(&problem, &learner->search.pool, learner->search.settings.threads);
  irl_select_result result;
  if (!is_countable) return IRL_STATUS_OK;
  task.n_start = rule.n;
  const irl_limit part = irl_search_sublimit(
      &learner->search,
      work_of(learner, irl_tuning_select_short(&learner->search.settings.tuning)));
  const irl_status status =
      irl_select_solve(learner->search.env, &task, &part, rule.clauses, &result);
  if (status) return status;
  learner->search.work += result.work;
  assert(result.n <= rule.n);
  rule.n = result.n;
  return irl_search_offer(&learner->search, &rule, NULL);
}

static bool has_work(const irl_learner *learner) {
  return irl_search_left(&learner->search) && !irl_search_limit_reached(&learner->search);
}

bool irl_learn_shorten_is_due(const irl_learner *learner) {
  return !learner->settings.is_paper && learner->search.best.literals > 1 && !learner->is_settled &&
         has_work(learner);
}

/* Could another literal be part of a clause that is shorter and as good at the place of clause i?
 * It would have to cover as many of the live cases as the clause is worth; where none does, pruning
 * has shown that there is no such clause. */
static irl_status look_for_literal(irl_learner *learner, uint32_t i, uint64_t *counts,
                                   bool *has_any) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = learner->data;
  const irl_clause_set *pool = &learner->search.pool;
  const uint32_t k = learner->search.best.clauses[i], n = pool->sizes[k];
  *has_any = true; /* what is live is counted, not weighed */
  if (irl_data_has_weights(data)) return IRL_STATUS_OK;
  const int64_t n_live = (int64_t)kernels->count(learner->live_cases, data->cases.stride);
  const int64_t cases = (int64_t)kernels->and_count(
      learner->live_cases, irl_bits_vector(&pool->cases, k), data->cases.stride);
  const int64_t controls = (int64_t)kernels->and_count(
      learner->live_controls, irl_bits_vector(&pool->controls, k), data->controls.stride);
  const int64_t least =
      learner->problem.case_weight * cases - learner->problem.control_weight * controls -
      (irl_problem_cost(learner->search.problem, n) - irl_problem_cost(learner->search.problem, 1));
  *has_any = false;
  const irl_status status =
      irl_data_count(learner->search.env, data, learner->live_cases, learner->live_controls,
                     irl_search_threads(&learner->search), counts);
  learner->search.work += irl_search_words(&learner->search);
  for (uint32_t j = 0; j < data->n_features && !status && !*has_any; j++) {
    const int64_t ones = (int64_t)(counts[j] & UINT32_MAX);
    const bool may_negate = learner->problem.negations && irl_data_may_negate(data);
    const int64_t most = may_negate && n_live - ones > ones ? n_live - ones : ones;
    bool is_held = learner->problem.case_weight * most < least;
    for (uint32_t l = 0; l < n && !is_held; l++)
      is_held = irl_literal_feature(irl_clause_set_literals(pool, k)[l]) == j;
    *has_any = !is_held;
  }
  return status;
}

/* Work of the search for clauses of m literals for place i: as much as each of the others has that
 * are to come, and the selection after them. */
static uint64_t fair_part(const irl_learner *learner, uint32_t i, uint32_t m) {
  const uint64_t each = learner->problem.M - 1;
  const uint64_t n = (learner->search.best.n - i) * each - (m - 1) + 1;
  const uint64_t part = irl_search_left(&learner->search) / n;
  const uint64_t most = work_of(learner, learner->search.settings.tuning.generate / 10);
  assert(i < learner->search.best.n && m && m <= each);
  return part < most ? part : most;
}

irl_status irl_learn_shorten_rule(irl_learner *learner) {
  const irl_allocator *allocator = &learner->search.env->allocator;
  irl_subproblem problem =
      irl_learn_uncovered_problem(learner, 0); /* which each search has its own of */
  uint64_t *counts = irl_mem_alloc(allocator, learner->data->n_features, sizeof *counts);
  irl_status status = counts ? IRL_STATUS_OK : irl_fail_memory(learner->search.env);
  /* Clauses of fewer literals for the place of each clause. */
  for (uint32_t i = 0; i < learner->search.best.n && !status && !learner->settings.has_pool; i++) {
    bool has_any;
    if (!has_work(learner)) break;
    if (!irl_learner_uncovered(learner, &learner->search.best, i)) continue;
    status = look_for_literal(learner, i, counts, &has_any);
    for (uint32_t m = 1; m < learner->problem.M && !status && has_any; m++) {
      irl_generated result;
      if (!has_work(learner)) break;
      problem.goal.M = m;
      problem.max_work = fair_part(learner, i, m);
      status = irl_search_generate(&learner->search, &problem, &result);
    }
  }
  irl_mem_free(allocator, counts);
  return status || !has_work(learner) ? status : select_simplest(learner);
}
