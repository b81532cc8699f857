#include "rule/clause_rows.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "ireland_study.h"
#include "rule/rule_json.h"
#include "rule/statistics.h"
#include <inttypes.h>

#define LEAST_P 1e-300 /* smaller ones are not told apart */

irl_statistics irl_clause_row(const irl_bound_rule *bound, size_t k) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = bound->data;
  const uint64_t tp = kernels->count(irl_bits_vector(&bound->cases, k), bound->cases.stride),
                 fp = kernels->count(irl_bits_vector(&bound->controls, k), bound->controls.stride);
  irl_statistics statistics = IRL_SIZED(irl_statistics);
  assert(k < bound->rule->n_clauses && tp <= data->n_cases && fp <= data->n_controls);
  irl_statistics_compute(tp, fp, data->n_cases - tp, data->n_controls - fp, &statistics);
  return statistics;
}

/* In order, with the cases that no clause before it covers. */
typedef struct row {
  irl_statistics s;
  uint64_t added;
} row;

/* All of them, to be freed; NULL: it failed. */
static row *make_rows(irl_env *env, const irl_rule *rule, const irl_data *data,
                      irl_status *status) {
  irl_bound_rule bound;
  *status = irl_rule_bind(env, rule, data, &bound);
  if (*status) return NULL;
  const size_t words = bound.cases.stride;
  uint64_t *covered = irl_mem_alloc_aligned(&env->allocator, words, sizeof *covered);
  row *rows = irl_mem_alloc(&env->allocator, rule->n_clauses, sizeof *rows);
  uint64_t before = 0;
  if (!covered || !rows) *status = irl_fail_memory(env);
  for (size_t k = 0; k < rule->n_clauses && !*status; k++) {
    const uint64_t after =
        irl_bits_kernels()->or_into(covered, covered, irl_bits_vector(&bound.cases, k), words);
    assert(after >= before && after <= data->n_cases);
    rows[k] = (row){irl_clause_row(&bound, k), after - before};
    before = after;
  }
  irl_mem_free_aligned(&env->allocator, covered);
  irl_bound_rule_free(env, &bound);
  return rows;
}

irl_status irl_clause_rows_print(irl_env *env, const irl_rule *rule, const irl_data *data,
                                 irl_text *text) {
  irl_status status;
  row *rows = make_rows(env, rule, data, &status);
  bool has_star = false; /* something is to be explained */
  irl_text_printf(text, "\n%7s %7s %7s  %9s  %13s %9s  %9s  clause\n", "tp", "fp", "adds",
                  "precision", "95 % interval", "odds", "Fisher p");
  for (size_t k = 0; k < rule->n_clauses && !status; k++) {
    const irl_statistics *s = &rows[k].s;
    irl_text_printf(text, "%7" PRIu64 " %7" PRIu64 " %7" PRIu64, s->tp, s->fp, rows[k].added);
    if (s->tp + s->fp)
      irl_text_printf(text, "  %9.4f", s->precision);
    else
      irl_text_printf(text, "  %9s", "-");
    irl_text_printf(text, "  %.4f-%.4f %9.4g%c", s->precision_low, s->precision_high, s->odds_ratio,
                    s->is_corrected ? '*' : ' ');
    if (s->fisher_p < LEAST_P)
      irl_text_printf(text, " %9s", "<1e-300");
    else
      irl_text_printf(text, " %9.3g", s->fisher_p);
    irl_text_puts(text, "  ");
    irl_rule_print_clause(text, rule, k);
    irl_text_puts(text, "\n");
    has_star |= s->is_corrected;
  }
  if (has_star) irl_text_puts(text, "* a cell of the table is 0, so one half was added to each\n");
  irl_mem_free(&env->allocator, rows);
  return status;
}

irl_status irl_clause_rows_put(irl_env *env, const irl_rule *rule, const irl_data *data,
                               irl_json *json, const char *key) {
  irl_status status;
  row *rows = make_rows(env, rule, data, &status);
  irl_json_open(json, key, '[');
  for (size_t k = 0; k < rule->n_clauses && !status; k++) {
    irl_json_open_flat(json, NULL, '{');
    irl_rule_put_clause(json, "clause", rule, k);
    irl_statistics_put(json, &rows[k].s);
    irl_json_unsigned(json, "adds", rows[k].added);
    irl_json_close(json, '}');
  }
  irl_json_close(json, ']');
  irl_mem_free(&env->allocator, rows);
  return status;
}
