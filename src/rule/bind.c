/* A rule meets a data set: features matched by name, covers of the clauses computed. */
#include "base/memory.h"
#include "bits/kernels.h"
#include "rule/rule.h"

#define NAMES_SHOWN 10u

irl_status irl_rule_match(irl_env *env, const irl_rule *rule, const irl_data *data,
                          const char *place, uint32_t *feature) {
  irl_text missing;
  size_t n_missing = 0;
  irl_text_init(&missing, env);
  for (size_t i = 0; i < rule->names.n; i++) {
    const char *name = irl_names_get(&rule->names, i);
    const uint32_t found = irl_names_find(&data->names, name, strlen(name));
    if (feature) feature[i] = found;
    if (found != IRL_NO_NAME) continue;
    if (n_missing++ < NAMES_SHOWN)
      irl_text_printf(&missing, "%s'%s'", n_missing > 1 ? ", " : "", name);
  }
  irl_status status = IRL_OK;
  if (n_missing)
    status = irl_fail(env, IRL_BAD_INPUT, "%s: %zu of the rule's %zu features %s missing: %s%s",
                      place, n_missing, rule->names.n, n_missing == 1 ? "is" : "are",
                      missing.failed ? "" : missing.bytes, n_missing > NAMES_SHOWN ? ", ..." : "");
  irl_text_drop(&missing);
  return status;
}

static void make_cover(const irl_rule *rule, size_t clause, const uint32_t *feature,
                       const irl_bits_matrix *matrix, uint64_t *cover) {
  const irl_kernels *kernels = irl_bits_kernels();
  irl_bits_fill(cover, matrix->n_bits, matrix->stride);
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++) {
    const irl_literal literal = rule->literals[i];
    const uint64_t *bits = irl_bits_vector(matrix, feature[irl_literal_feature(literal)]);
    if (irl_literal_is_negated(literal))
      kernels->andnot_into(cover, cover, bits, matrix->stride);
    else
      kernels->and_into(cover, cover, bits, matrix->stride);
  }
}

irl_status irl_rule_bind(irl_env *env, const irl_rule *rule, const irl_data *data,
                         irl_bound_rule *bound) {
  irl_bound_rule made = {.rule = rule, .data = data};
  made.feature = irl_mem_alloc(&env->allocator, rule->names.n, sizeof *made.feature);
  irl_status status = made.feature ? IRL_OK : irl_fail_memory(env);
  if (!status) status = irl_rule_match(env, rule, data, "data", made.feature);
  if (!status) status = irl_bits_matrix_init(env, &made.cases, rule->n_clauses, data->n_cases);
  if (!status)
    status = irl_bits_matrix_init(env, &made.controls, rule->n_clauses, data->n_controls);
  if (status) {
    irl_bound_rule_free(env, &made);
    return status;
  }
  for (size_t k = 0; k < rule->n_clauses; k++) {
    make_cover(rule, k, made.feature, &data->cases, irl_bits_vector(&made.cases, k));
    make_cover(rule, k, made.feature, &data->controls, irl_bits_vector(&made.controls, k));
  }
  *bound = made;
  return IRL_OK;
}

void irl_bound_rule_free(irl_env *env, irl_bound_rule *bound) {
  irl_mem_free(&env->allocator, bound->feature);
  irl_bits_matrix_free(&bound->cases);
  irl_bits_matrix_free(&bound->controls);
}
