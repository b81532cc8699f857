/* Equivalent literals. Features that move together, as SNPs in linkage disequilibrium do, can stand
 * for each other in a rule, and which of them the rule holds is chance: whoever reads the rule
 * wants to know the others. For a literal of a clause, what the rest of the clause covers and the
 * other clauses do not is all that it decides about; every literal of the data is counted on that.
 */
#include "learn/equivalent.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "learn/fit_result.h"
#include "rule/literal_columns.h"
#include <math.h>

/* What one place of the rule decides about, in one class. The bits of the clause are there. */
static void make_open(const irl_bound_rule *bound, bool is_control, size_t clause, uint32_t place,
                      uint64_t *open) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_rule *rule = bound->rule;
  const irl_bits_matrix *covers = is_control ? &bound->controls : &bound->cases;
  irl_literal rest[IRL_CLAUSE_MAX];
  uint32_t n = 0;
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++)
    if (i != rule->start[clause] + place)
      rest[n++] = irl_bound_rule_literal(bound, rule->literals[i]);
  irl_literals_cover(bound->data, is_control, rest, n, open);
  for (size_t k = 0; k < rule->n_clauses; k++)
    if (k != clause) kernels->andnot_into(open, open, irl_bits_vector(covers, k), covers->stride);
}

/* Fetches those. */
static irl_status want_clause(irl_env *env, const irl_bound_rule *bound, size_t clause) {
  const irl_rule *rule = bound->rule;
  irl_literal literals[IRL_CLAUSE_MAX];
  uint32_t n = 0;
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++)
    literals[n++] = irl_bound_rule_literal(bound, rule->literals[i]);
  return irl_literals_want(env, bound->data, literals, n);
}

static void put(irl_equivalents *found, irl_equivalent other) {
  uint32_t at = found->n;
  found->n_all++;
  if (at == IRL_EQUIVALENT_MOST) {
    if (other.change >= found->others[at - 1].change) return;
    at--;
  } else {
    found->n++;
  }
  for (; at && found->others[at - 1].change > other.change; at--)
    found->others[at] = found->others[at - 1];
  found->others[at] = other;
}

/* Does the clause hold the feature, at another place or at this one? */
static bool is_held(const irl_bound_rule *bound, size_t clause, uint32_t feature) {
  const irl_rule *rule = bound->rule;
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++)
    if (irl_literal_feature(irl_bound_rule_literal(bound, rule->literals[i])) == feature)
      return true;
  return false;
}

typedef struct place_counts {
  uint64_t cases, controls;
} place_counts;

static int64_t worth(const irl_learn_settings *settings, place_counts c) {
  return settings->case_weight * (int64_t)c.cases - settings->control_weight * (int64_t)c.controls;
}

/* What another literal at the place would do, and whether that is wanted. */
static void consider(const irl_equivalent_search *s, place_counts own, place_counts other,
                     irl_literal literal, irl_equivalents *found) {
  const int64_t change = worth(s->settings, own) - worth(s->settings, other);
  if (change < s->least || change > s->most) return;
  if (s->tp - own.cases + other.cases < s->min_cases ||
      s->fp - own.controls + other.controls > s->max_controls)
    return;
  put(found, (irl_equivalent){literal, change});
}

/* `counts`: of each feature on what is open, cases in the low half, controls in the high one; `all`
 * of them. */
static void scan(const irl_equivalent_search *s, size_t clause, uint32_t place,
                 const uint64_t *counts, place_counts all, irl_equivalents *found) {
  const irl_bound_rule *bound = s->bound;
  const irl_data *data = bound->data;
  const irl_literal own =
      irl_bound_rule_literal(bound, bound->rule->literals[bound->rule->start[clause] + place]);
  const uint64_t count = counts[irl_literal_feature(own)];
  place_counts now = {count & UINT32_MAX, count >> 32};
  if (irl_literal_is_negated(own))
    now = (place_counts){all.cases - now.cases, all.controls - now.controls};
  for (uint32_t j = 0; j < data->n_features; j++) {
    if (is_held(bound, clause, j)) continue;
    const place_counts ones = {counts[j] & UINT32_MAX, counts[j] >> 32};
    const place_counts zeros = {all.cases - ones.cases, all.controls - ones.controls};
    consider(s, now, ones, irl_literal_make(j, false), found);
    if (s->settings->negations && irl_data_may_negate(data))
      consider(s, now, zeros, irl_literal_make(j, true), found);
  }
}

irl_status irl_equivalents_find(irl_env *env, const irl_equivalent_search *s, size_t clause,
                                uint32_t place, irl_equivalents *found) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = s->bound->data;
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  uint64_t *counts = irl_mem_alloc(&env->allocator, data->n_features, sizeof *counts);
  uint64_t *cases =
      irl_mem_alloc_aligned(&env->allocator, case_words + control_words, sizeof *cases);
  irl_status status = cases && counts ? want_clause(env, s->bound, clause) : irl_fail_memory(env);
  found->n = found->n_all = 0;
  if (!status) {
    uint64_t *controls = cases + case_words;
    make_open(s->bound, false, clause, place, cases);
    make_open(s->bound, true, clause, place, controls);
    status = irl_data_count(env, data, cases, controls, counts);
    const place_counts all = {kernels->count(cases, case_words),
                              kernels->count(controls, control_words)};
    if (!status) scan(s, clause, place, counts, all, found);
  }
  irl_mem_free_aligned(&env->allocator, cases);
  irl_mem_free(&env->allocator, counts);
  return status;
}

/* What a change of the objective may be, in units of the loss: a share of the weights, as the
 * penalty is. */
static int64_t most_of(const irl_fit_result *result) {
  const irl_learn_settings *settings = &result->settings;
  const irl_data *data = result->data;
  const double all = (double)settings->case_weight * data->n_cases +
                     (double)settings->control_weight * data->n_controls;
  return (int64_t)floor(settings->equivalent * all + 1e-6);
}

/* Rules that are no better (what is better has been taken, if it may be) and within the limits. */
static irl_equivalent_search search_of(const irl_fit_result *result, const irl_bound_rule *bound) {
  const irl_learn_settings *settings = &result->settings;
  return (irl_equivalent_search){.bound = bound,
                                 .settings = settings,
                                 .most = most_of(result),
                                 .tp = result->best.tp,
                                 .fp = result->best.fp,
                                 .min_cases = settings->for_curve ? 0 : settings->min_cases,
                                 .max_controls =
                                     settings->for_curve ? UINT64_MAX : settings->max_controls};
}

irl_status irl_equivalents_walk(irl_env *env, const irl_fit_result *result,
                                void (*visit)(void *user, const irl_equivalent_place *place),
                                void *user) {
  const irl_rule *rule = result->rule;
  irl_bound_rule bound;
  if (result->settings.is_hamming || result->data->case_weights) return IRL_OK;
  irl_status status = irl_rule_bind(env, rule, result->data, &bound);
  if (status) return status;
  irl_equivalents *found = irl_mem_alloc(&env->allocator, 1, sizeof *found);
  if (!found) status = irl_fail_memory(env);
  const irl_equivalent_search search = search_of(result, &bound);
  for (size_t k = 0; k < rule->n_clauses && !status; k++)
    for (size_t i = rule->start[k]; i < rule->start[k + 1] && !status; i++) {
      status = irl_equivalents_find(env, &search, k, (uint32_t)(i - rule->start[k]), found);
      const irl_equivalent_place place = {
          rule, result->data, k, rule->literals[i], found, result->settings.divisor};
      if (!status && found->n_all) visit(user, &place);
    }
  irl_mem_free(&env->allocator, found);
  irl_bound_rule_free(env, &bound);
  return status;
}
