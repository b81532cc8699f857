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

/* Features called `!x`: the opposite of x where values are missing. */
static irl_status find_opposites(irl_env *env, const irl_rule *rule, const irl_data *data,
                                 uint32_t *opposite) {
  irl_text name;
  irl_text_init(&name, env);
  for (size_t i = 0; i < rule->names.n && !name.failed; i++) {
    name.length = 0;
    irl_text_printf(&name, "!%s", irl_names_get(&rule->names, i));
    if (!name.failed) opposite[i] = irl_names_find(&data->names, name.bytes, name.length);
  }
  const bool failed = name.failed;
  irl_text_drop(&name);
  return failed ? irl_fail_memory(env) : IRL_OK;
}

irl_literal irl_bound_rule_literal(const irl_bound_rule *bound, irl_literal literal) {
  const uint32_t name = irl_literal_feature(literal);
  const bool negated = irl_literal_is_negated(literal);
  return negated && bound->opposite[name] != IRL_NO_NAME
             ? irl_literal_make(bound->opposite[name], false)
             : irl_literal_make(bound->feature[name], negated);
}

static void make_cover(const irl_bound_rule *bound, size_t clause, const irl_bits_matrix *matrix,
                       uint64_t *cover) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_rule *rule = bound->rule;
  irl_bits_fill(cover, matrix->n_bits, matrix->stride);
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++) {
    const irl_literal literal = irl_bound_rule_literal(bound, rule->literals[i]);
    const uint64_t *bits = irl_bits_vector(matrix, irl_literal_feature(literal));
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
  made.opposite = irl_mem_alloc(&env->allocator, rule->names.n, sizeof *made.opposite);
  irl_status status = made.feature && made.opposite ? IRL_OK : irl_fail_memory(env);
  if (!status) status = irl_rule_match(env, rule, data, "data", made.feature);
  if (!status) status = find_opposites(env, rule, data, made.opposite);
  if (!status) status = irl_bits_matrix_init(env, &made.cases, rule->n_clauses, data->n_cases);
  if (!status)
    status = irl_bits_matrix_init(env, &made.controls, rule->n_clauses, data->n_controls);
  if (status) {
    irl_bound_rule_free(env, &made);
    return status;
  }
  for (size_t k = 0; k < rule->n_clauses; k++) {
    make_cover(&made, k, &data->cases, irl_bits_vector(&made.cases, k));
    make_cover(&made, k, &data->controls, irl_bits_vector(&made.controls, k));
  }
  *bound = made;
  return IRL_OK;
}

void irl_bound_rule_free(irl_env *env, irl_bound_rule *bound) {
  irl_mem_free(&env->allocator, bound->feature);
  irl_mem_free(&env->allocator, bound->opposite);
  irl_bits_matrix_free(&bound->cases);
  irl_bits_matrix_free(&bound->controls);
}
