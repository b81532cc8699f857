#include "rule/clause_rows.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "rule/rule_json.h"
#include "rule/statistics.h"
#include <inttypes.h>

#define LEAST_P 1e-300 /* smaller ones are not told apart */

irl_statistics irl_clause_row(const irl_bound_rule *bound, size_t k) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = bound->data;
  const uint64_t tp = kernels->count(irl_bits_vector(&bound->cases, k), bound->cases.stride),
                 fp = kernels->count(irl_bits_vector(&bound->controls, k), bound->controls.stride);
  irl_statistics statistics;
  assert(k < bound->rule->n_clauses && tp <= data->n_cases && fp <= data->n_controls);
  irl_statistics_compute(tp, fp, data->n_cases - tp, data->n_controls - fp, &statistics);
  return statistics;
}

/* What each clause does, in order; `added`: the cases that no clause before it covers. */
typedef void (*row_visit)(void *user, const irl_bound_rule *bound, size_t k, uint64_t added);

static irl_status visit_rows(irl_env *env, const irl_rule *rule, const irl_data *data,
                             row_visit visit, void *user) {
  irl_bound_rule bound;
  const irl_status status = irl_rule_bind(env, rule, data, &bound);
  if (status) return status;
  const size_t words = bound.cases.stride;
  uint64_t *covered = irl_mem_alloc_aligned(&env->allocator, words, sizeof *covered);
  uint64_t before = 0;
  for (size_t k = 0; k < rule->n_clauses && covered; k++) {
    const uint64_t after =
        irl_bits_kernels()->or_into(covered, covered, irl_bits_vector(&bound.cases, k), words);
    assert(after >= before && after <= data->n_cases);
    visit(user, &bound, k, after - before);
    before = after;
  }
  irl_mem_free_aligned(&env->allocator, covered);
  irl_bound_rule_free(env, &bound);
  return covered ? IRL_OK : irl_fail_memory(env);
}

typedef struct printer {
  irl_text *text;
  bool has_star; /* something is to be explained */
} printer;

static void print_row(void *user, const irl_bound_rule *bound, size_t k, uint64_t added) {
  printer *to = user;
  irl_text *text = to->text;
  const irl_statistics s = irl_clause_row(bound, k);
  irl_text_printf(text, "%7" PRIu64 " %7" PRIu64 " %7" PRIu64, s.tp, s.fp, added);
  if (s.tp + s.fp)
    irl_text_printf(text, "  %9.4f", s.precision);
  else
    irl_text_printf(text, "  %9s", "-");
  irl_text_printf(text, "  %.4f-%.4f %9.4g%c", s.precision_low, s.precision_high, s.odds_ratio,
                  s.is_corrected ? '*' : ' ');
  to->has_star |= s.is_corrected;
  if (s.fisher_p < LEAST_P)
    irl_text_printf(text, " %9s", "<1e-300");
  else
    irl_text_printf(text, " %9.3g", s.fisher_p);
  irl_text_puts(text, "  ");
  irl_rule_print_clause(text, bound->rule, k);
  irl_text_puts(text, "\n");
}

irl_status irl_clause_rows_print(irl_env *env, const irl_rule *rule, const irl_data *data,
                                 irl_text *text) {
  irl_text_printf(text, "\n%7s %7s %7s  %9s  %13s %9s  %9s  clause\n", "tp", "fp", "adds",
                  "precision", "95 % interval", "odds", "Fisher p");
  printer to = {.text = text};
  const irl_status status = visit_rows(env, rule, data, print_row, &to);
  if (to.has_star)
    irl_text_puts(text, "* a cell of the table is 0, so one half was added to each\n");
  return status;
}

static void put_row(void *user, const irl_bound_rule *bound, size_t k, uint64_t added) {
  irl_json *json = user;
  const irl_statistics s = irl_clause_row(bound, k);
  irl_json_open_flat(json, NULL, '{');
  irl_rule_put_clause(json, "clause", bound->rule, k);
  irl_statistics_put(json, &s);
  irl_json_unsigned(json, "adds", added);
  irl_json_close(json, '}');
}

irl_status irl_clause_rows_put(irl_env *env, const irl_rule *rule, const irl_data *data,
                               irl_json *json, const char *key) {
  irl_json_open(json, key, '[');
  const irl_status status = visit_rows(env, rule, data, put_row, json);
  irl_json_close(json, ']');
  return status;
}
