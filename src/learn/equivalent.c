/* Equivalent literals. Features that move together, as SNPs in linkage disequilibrium do, can stand
 * for each other in a rule, and which of them the rule holds is chance: whoever reads the rule
 * wants to know the others. For a literal of a clause, what the rest of the clause covers and the
 * other clauses do not is all that it decides about; every literal of the data is counted on that.
 */
#include "learn/equivalent.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "data/shard.h"
#include "learn/fit.h"
#include "rule/literal_columns.h"
#include <math.h>

/* What one place of a clause decides about, in one class: what the other literals, which are
 * `rest`, cover and the other clauses do not. Their bits are there. */
static void make_open(const irl_bound_rule *bound, bool is_control, size_t clause,
                      const irl_literal *rest, uint32_t n, uint64_t *open) {
  const irl_bits_matrix *covers = is_control ? &bound->controls : &bound->cases;
  irl_literals_cover(bound->data, is_control, rest, n, open);
  for (size_t k = 0; k < bound->rule->n_clauses; k++)
    if (k != clause)
      irl_bits_kernels()->andnot_into(open, open, irl_bits_vector(covers, k), covers->stride);
}

typedef struct place_counts {
  uint64_t cases, controls;
} place_counts;

static int64_t worth(const irl_problem *problem, place_counts c) {
  return irl_problem_gain(problem, (int64_t)c.cases, (int64_t)c.controls);
}

/* What another literal at the place would do, and whether that is wanted. Those that change least
 * are kept, in order. */
static void consider(const irl_equivalent_search *s, place_counts own, place_counts other,
                     irl_literal literal, irl_equivalents *found) {
  const int64_t change = worth(s->problem, own) - worth(s->problem, other);
  if (change < s->least || change > s->most) return;
  const irl_cover_counts counts = {.cases = s->tp - own.cases + other.cases,
                                   .controls = s->fp - own.controls + other.controls};
  if (!irl_problem_allows_cover(s->problem, &counts)) return;
  uint32_t at = found->n;
  found->n_all++;
  if (at < IRL_EQUIVALENT_MOST)
    found->n++;
  else if (change >= found->others[--at].change)
    return;
  for (; at && found->others[at - 1].change > change; at--)
    found->others[at] = found->others[at - 1];
  found->others[at] = (irl_equivalent){literal, change};
  assert(found->n <= IRL_EQUIVALENT_MOST && found->n <= found->n_all);
}

/* The weight of the open samples that each feature has. */
static irl_status weigh_features(irl_env *env, const irl_equivalent_search *s,
                                 const uint64_t *cases, const uint64_t *controls,
                                 place_counts *sums) {
  const irl_data *data = s->bound->data;
  uint64_t *counts = irl_mem_alloc(&env->allocator, data->n_features, sizeof *counts);
  irl_status status = counts ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status && !irl_data_has_weights(data))
    status = irl_data_count(env, data, cases, controls, s->threads, counts);
  for (uint32_t j = 0; j < data->n_features && !status; j++)
    sums[j] =
        irl_data_has_weights(data)
            ? (place_counts){irl_data_weigh_both(data, 0, cases, irl_bits_vector(&data->cases, j)),
                             irl_data_weigh_both(data, 1, controls,
                                                 irl_bits_vector(&data->controls, j))}
            : (place_counts){counts[j] & UINT32_MAX, counts[j] >> 32};
  irl_mem_free(&env->allocator, counts);
  return status;
}

/* Counts every literal of the data on what the place decides about. */
irl_status irl_equivalents_find(irl_env *env, const irl_equivalent_search *s, size_t clause,
                                uint32_t place, irl_equivalents *found) {
  const irl_bound_rule *bound = s->bound;
  const irl_data *data = bound->data;
  const irl_rule *rule = bound->rule;
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  irl_literal literals[IRL_CLAUSE_MAX]; /* of the clause, that of the place at the end */
  uint32_t n = 0;
  assert(clause < rule->n_clauses && place < rule->start[clause + 1] - rule->start[clause]);
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++)
    if (i != rule->start[clause] + place)
      literals[n++] = irl_bound_rule_literal(bound, rule->literals[i]);
  const irl_literal own =
      irl_bound_rule_literal(bound, rule->literals[rule->start[clause] + place]);
  literals[n] = own;
  found->n = found->n_all = 0;

  place_counts *counts = irl_mem_alloc(&env->allocator, data->n_features, sizeof *counts);
  uint64_t *cases =
      irl_mem_alloc_aligned(&env->allocator, case_words + control_words, sizeof *cases);
  irl_status status = cases && counts ? IRL_STATUS_OK : irl_fail_memory(env);
  if (status) goto done;
  uint64_t *controls = cases + case_words;
  make_open(bound, false, clause, literals, n, cases);
  make_open(bound, true, clause, literals, n, controls);
  status = weigh_features(env, s, cases, controls, counts);
  if (status) goto done;
  const place_counts all = {irl_data_weigh(data, 0, cases), irl_data_weigh(data, 1, controls)};
  place_counts now = counts[irl_literal_feature(own)];
  if (irl_literal_is_negated(own))
    now = (place_counts){all.cases - now.cases, all.controls - now.controls};
  assert(now.cases <= s->tp && now.controls <= s->fp);
  for (uint32_t j = 0; j < data->n_features; j++) {
    bool is_held = false; /* by the clause, here or at another place */
    for (uint32_t i = 0; i <= n; i++) is_held |= irl_literal_feature(literals[i]) == j;
    for (uint32_t i = 0; i < n; i++)
      is_held |= irl_data_are_bound(data->groups, irl_literal_feature(literals[i]), j);
    if (is_held) continue;
    const place_counts ones = counts[j];
    const place_counts zeros = {all.cases - ones.cases, all.controls - ones.controls};
    assert(ones.cases <= all.cases && ones.controls <= all.controls);
    consider(s, now, ones, irl_literal_make(j, false), found);
    if (s->problem->negations && irl_data_may_negate(data))
      consider(s, now, zeros, irl_literal_make(j, true), found);
  }
done:
  irl_mem_free_aligned(&env->allocator, cases);
  irl_mem_free(&env->allocator, counts);
  return status;
}

irl_status irl_equivalents_walk(irl_env *env, const irl_fit_result *result,
                                void (*visit)(void *user, const irl_equivalent_place *place),
                                void *user) {
  const irl_rule *rule = result->rule;
  const irl_learn_settings *settings = &result->settings;
  const irl_problem *problem = &result->problem;
  const irl_data *data = result->data;
  irl_bound_rule bound;
  if (!irl_problem_shares_controls(problem) || irl_data_has_weights(data)) return IRL_STATUS_OK;
  irl_status status = irl_rule_bind(env, rule, data, &bound);
  if (status) return status;
  irl_equivalents *found = irl_mem_alloc(&env->allocator, 1, sizeof *found);
  if (!found) status = irl_fail_memory(env);
  /* Rules that are no better (what is better has been taken, if it may be) and within the limits.
   * The change is a share of all weights, as the penalty is. */
  const double all = (double)problem->case_weight * data->n_cases +
                     (double)problem->control_weight * data->n_controls;
  const irl_equivalent_search search = {
      .bound = &bound,
      .problem = problem,
      .threads = settings->search.threads,
      .most = (int64_t)floor(settings->equivalent * all + IRL_FIT_ROUNDING),
      .tp = result->best.tp,
      .fp = result->best.fp};
  for (size_t k = 0; k < rule->n_clauses && !status; k++)
    for (size_t i = rule->start[k]; i < rule->start[k + 1] && !status; i++) {
      status = irl_equivalents_find(env, &search, k, (uint32_t)(i - rule->start[k]), found);
      const irl_equivalent_place place = {
          rule, data, k, rule->literals[i], found, problem->divisor};
      if (!status && found->n_all) visit(user, &place);
    }
  irl_mem_free(&env->allocator, found);
  irl_bound_rule_free(env, &bound);
  return status;
}
