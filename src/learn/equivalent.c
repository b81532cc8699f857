/* Equivalent literals. Features that move together, as SNPs in linkage disequilibrium do, can stand
 * for each other in a rule, and which of them the rule holds is chance: whoever reads the rule
 * wants to know the others. For a literal of a clause, what the rest of the clause covers and the
 * other clauses do not is all that it decides about; every literal of the data is counted on that.
 */
#include "learn/equivalent.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "learn/fit_result.h"
#include <math.h>

/* What one place of the rule decides about, in one class. */
static void make_open(const irl_bound_rule *bound, const irl_bits_matrix *data,
                      const irl_bits_matrix *covers, size_t clause, uint32_t place,
                      uint64_t *open) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_rule *rule = bound->rule;
  irl_bits_fill(open, data->n_bits, data->stride);
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++) {
    if (i == rule->start[clause] + place) continue;
    const irl_literal literal = irl_bound_rule_literal(bound, rule->literals[i]);
    const uint64_t *bits = irl_bits_vector(data, irl_literal_feature(literal));
    (irl_literal_is_negated(literal) ? kernels->andnot_into : kernels->and_into)(open, open, bits,
                                                                                 data->stride);
  }
  for (size_t k = 0; k < rule->n_clauses; k++)
    if (k != clause) kernels->andnot_into(open, open, irl_bits_vector(covers, k), data->stride);
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

static void scan(const irl_bound_rule *bound, const irl_learn_settings *settings, int64_t most,
                 size_t clause, uint32_t place, const uint64_t *cases, const uint64_t *controls,
                 irl_equivalents *found) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = bound->data;
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  const place_counts all = {kernels->count(cases, case_words),
                            kernels->count(controls, control_words)};
  const irl_literal own =
      irl_bound_rule_literal(bound, bound->rule->literals[bound->rule->start[clause] + place]);
  int64_t now = 0;
  for (int pass = 0; pass < 2; pass++) /* first what the literal itself is worth */
    for (uint32_t j = 0; j < data->n_features; j++) {
      if (pass ? is_held(bound, clause, j) : j != irl_literal_feature(own)) continue;
      const place_counts ones = {
          kernels->and_count(cases, irl_bits_vector(&data->cases, j), case_words),
          kernels->and_count(controls, irl_bits_vector(&data->controls, j), control_words)};
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
  const irl_data *data = bound->data;
  uint64_t *cases = irl_mem_alloc_aligned(
      &env->allocator, data->cases.stride + data->controls.stride, sizeof *cases);
  if (!cases) return irl_fail_memory(env);
  uint64_t *controls = cases + data->cases.stride;
  found->n = found->n_all = 0;
  make_open(bound, &data->cases, &bound->cases, clause, place, cases);
  make_open(bound, &data->controls, &bound->controls, clause, place, controls);
  scan(bound, settings, most, clause, place, cases, controls, found);
  irl_mem_free_aligned(&env->allocator, cases);
  return IRL_OK;
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
          rule,  result->data,
          k,     rule->literals[i],
          found, 1 / ((double)result->settings.unit * result->data->n_samples)};
      if (!status && found->n_all) visit(user, &place);
    }
  irl_mem_free(&env->allocator, found);
  irl_bound_rule_free(env, &bound);
  return status;
}
