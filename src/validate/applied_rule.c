/* A rule on the training samples: what its literals, its clauses and the whole of it cover, in
 * whatever coding it was learnt, so that rules of different resamples can be compared. */
#include "validate/applied_rule.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "rule/literal_columns.h"
#include <math.h>

/* ---- literals ---- */

/* The cut point of a literal that is written with one; NaN: it is not. */
double irl_literal_cut(const irl_rule *rule, irl_literal literal) {
  const irl_named_condition asked =
      irl_condition_of(&rule->conditions, &rule->names, irl_literal_feature(literal));
  const size_t n = strlen(asked.column);
  const char *name = irl_rule_name(rule, literal);
  return irl_condition_is_cut(&asked.condition) && !strncmp(name, asked.column, n) && name[n] == ' '
             ? asked.condition.cut
             : (double)NAN;
}

/* A literal without its cut point, as "age >", "!smoker": what is the same in all resamples. */
static void print_core(irl_text *text, const irl_rule *rule, irl_literal literal) {
  const irl_named_condition asked =
      irl_condition_of(&rule->conditions, &rule->names, irl_literal_feature(literal));
  if (irl_literal_is_negated(literal)) irl_text_puts(text, IRL_NEGATION);
  if (isnan(irl_literal_cut(rule, literal)))
    irl_text_puts(text, irl_rule_name(rule, literal));
  else
    irl_text_printf(text, "%s %s", asked.column, irl_relation_text(asked.condition.relation));
}

static irl_status add_cores(irl_env *env, const irl_rule *rule, irl_names *cores) {
  irl_text text;
  irl_text_init(&text, env);
  irl_names_init(cores, &env->allocator);
  bool is_ready = true;
  for (size_t i = 0; i < rule->n_literals && is_ready; i++) {
    text.length = 0;
    print_core(&text, rule, rule->literals[i]);
    is_ready = !text.failed && irl_names_add(cores, text.bytes, text.length);
  }
  irl_text_drop(&text);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(env);
}

/* ---- a rule on the training samples ---- */

void irl_applied_free(irl_env *env, irl_applied_rule *a) {
  if (a->bound.rule) irl_bound_rule_free(env, &a->bound);
  for (int class = 0; class < 2; class ++) {
    irl_bits_matrix_free(&a->literals[class]);
    irl_mem_free_aligned(&env->allocator, a->predicted[class]);
  }
  irl_names_free(&a->cores);
  irl_data_free(a->data);
}

static irl_status make_vectors(irl_env *env, irl_applied_rule *a, int class) {
  const irl_rule *rule = a->bound.rule;
  const irl_bits_matrix *covers = class ? &a->bound.controls : &a->bound.cases;
  irl_status status =
      irl_bits_matrix_init(env, &a->literals[class], rule->n_literals, covers->n_bits);
  a->predicted[class] = irl_mem_alloc_aligned(&env->allocator, covers->stride, sizeof(uint64_t));
  if (!status && !a->predicted[class]) status = irl_fail_memory(env);
  for (size_t i = 0; i < rule->n_literals && !status; i++) {
    const irl_literal literal = irl_bound_rule_literal(&a->bound, rule->literals[i]);
    irl_literals_cover(a->bound.data, class, &literal, 1, irl_bits_vector(&a->literals[class], i));
  }
  for (size_t k = 0; k < rule->n_clauses && !status; k++)
    for (size_t w = 0; w < covers->stride; w++)
      a->predicted[class][w] |= irl_bits_vector(covers, k)[w];
  return status;
}

irl_status irl_applied_make(irl_env *env, const irl_table *table, const irl_rows *rows,
                            const irl_rule *rule, irl_applied_rule *a) {
  irl_status status = irl_rule_code_table(env, rule, table, rows, &a->data);
  if (!status) status = irl_rule_bind(env, rule, a->data, &a->bound);
  for (int class = 0; class < 2 && !status; class ++) status = make_vectors(env, a, class);
  if (!status) status = add_cores(env, rule, &a->cores);
  return status;
}

/* ---- how two rules compare ---- */

/* Samples that two vectors over the cases and two over the controls share. */
double irl_cover_shared(const uint64_t *const a[2], const uint64_t *const b[2],
                        const size_t words[2]) {
  const irl_kernels *kernels = irl_bits_kernels();
  return (double)(kernels->and_count(a[0], b[0], words[0]) +
                  kernels->and_count(a[1], b[1], words[1]));
}

irl_cover irl_applied_literal(const irl_applied_rule *a, size_t i) {
  return (irl_cover){{irl_bits_vector(&a->literals[0], i), irl_bits_vector(&a->literals[1], i)}};
}

irl_cover irl_applied_clause(const irl_applied_rule *a, size_t k) {
  return (irl_cover){{irl_bits_vector(&a->bound.cases, k), irl_bits_vector(&a->bound.controls, k)}};
}

double irl_cover_correlate(irl_cover a, irl_cover b, const size_t words[2], double n) {
  const double x = irl_cover_shared(a.of, a.of, words), y = irl_cover_shared(b.of, b.of, words),
               both = irl_cover_shared(a.of, b.of, words);
  const double spread = x * (n - x) * y * (n - y);
  return spread > 0 ? (n * both - x * y) / sqrt(spread) : 0;
}

double irl_cover_overlap(irl_cover a, irl_cover b, const size_t words[2]) {
  const double both = irl_cover_shared(a.of, b.of, words);
  const double either =
      irl_cover_shared(a.of, a.of, words) + irl_cover_shared(b.of, b.of, words) - both;
  return either > 0 ? both / either : 0;
}

/* Have clause k of one rule and clause l of another the same literals? */
bool irl_applied_same_clause(const irl_applied_rule *a, size_t k, const irl_applied_rule *b,
                             size_t l) {
  const size_t *i = &a->bound.rule->start[k], *j = &b->bound.rule->start[l];
  if (i[1] - i[0] != j[1] - j[0]) return false;
  for (size_t p = i[0]; p < i[1]; p++) {
    bool is_there = false;
    for (size_t q = j[0]; q < j[1]; q++)
      is_there |= !strcmp(irl_names_get(&a->cores, p), irl_names_get(&b->cores, q));
    if (!is_there) return false;
  }
  return true;
}
