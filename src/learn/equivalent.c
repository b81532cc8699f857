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

/* `counts`: of each feature on what is open, cases in the low half, controls in the high one; `all`
 * of them. */
static void scan(const irl_bound_rule *bound, const irl_learn_settings *settings, int64_t most,
                 size_t clause, uint32_t place, const uint64_t *counts, place_counts all,
                 irl_equivalents *found) {
  const irl_data *data = bound->data;
  const irl_literal own =
      irl_bound_rule_literal(bound, bound->rule->literals[bound->rule->start[clause] + place]);
  int64_t now = 0;
  for (int pass = 0; pass < 2; pass++) /* first what the literal itself is worth */
    for (uint32_t j = 0; j < data->n_features; j++) {
      if (pass ? is_held(bound, clause, j) : j != irl_literal_feature(own)) continue;
      const place_counts ones = {counts[j] & UINT32_MAX, counts[j] >> 32};
      const place_counts zeros = {all.cases - ones.cases, all.controls - ones.controls};
      if (!pass) now = worth(settings, irl_literal_is_negated(own) ? zeros : ones);
      if (!pass) continue;
      const int64_t change = now - worth(settings, ones);
      if (change <= most) put(found, (irl_equivalent){irl_literal_make(j, false), change});
      const int64_t other = now - worth(settings, zeros);
      if (settings->negations && irl_data_may_negate(data) && other <= most)
        put(found, (irl_equivalent){irl_literal_make(j, true), other});
    }
}

/* All of `clause` at `place` that raise the loss by at most `most`. */
static irl_status find(irl_env *env, const irl_bound_rule *bound,
                       const irl_learn_settings *settings, int64_t most, size_t clause,
                       uint32_t place, irl_equivalents *found) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = bound->data;
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  uint64_t *counts = irl_mem_alloc(&env->allocator, data->n_features, sizeof *counts);
  uint64_t *cases =
      irl_mem_alloc_aligned(&env->allocator, case_words + control_words, sizeof *cases);
  irl_status status = cases && counts ? want_clause(env, bound, clause) : irl_fail_memory(env);
  found->n = found->n_all = 0;
  if (!status) {
    uint64_t *controls = cases + case_words;
    make_open(bound, false, clause, place, cases);
    make_open(bound, true, clause, place, controls);
    status = irl_data_count(env, data, cases, controls, counts);
    const place_counts all = {kernels->count(cases, case_words),
                              kernels->count(controls, control_words)};
    if (!status) scan(bound, settings, most, clause, place, counts, all, found);
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
  for (size_t k = 0; k < rule->n_clauses && !status; k++)
    for (size_t i = rule->start[k]; i < rule->start[k + 1] && !status; i++) {
      status = find(env, &bound, &result->settings, most_of(result), k,
                    (uint32_t)(i - rule->start[k]), found);
      const irl_equivalent_place place = {
          rule, result->data, k, rule->literals[i], found, result->settings.divisor};
      if (!status && found->n_all) visit(user, &place);
    }
  irl_mem_free(&env->allocator, found);
  irl_bound_rule_free(env, &bound);
  return status;
}
