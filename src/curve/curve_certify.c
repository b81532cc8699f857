/* Certificates of the proven points of a curve, one after the other in a file.
 *
 * A point of true and false positives is proven if no rule has as many true ones, as few false ones
 * and is better in either: among the rules that cover at least as many cases and at most as many
 * controls none has less loss, by any weights. A point of a complexity curve is proven if no rule
 * with as few literals, or clauses, has less loss. So each is the claim of a fit with other limits
 * (least sensitivity and specificity, literals, K), and its certificate is that of such a fit.
 *
 * Where the curve's pool has all clauses that there are, the proof is `list`: the checker lists
 * them and goes through the selections, as the search has done. A point whose loss is that of the
 * best rule of all has the proof of the fit. Losses count samples by their weights alone: what the
 * curve shows, whatever loss the clauses were learnt by. */
#include "curve/curve.h"
#include "prove/prove.h"
#include <stdlib.h>

/* The lines of the fit's proof: those behind its head, without the last one; NULL: none. */
static const char *proof_of_fit(const irl_fit_result *fit, size_t *length, uint64_t *n_nodes) {
  static const char key[] = "\nend ";
  const char *at = fit->certificate, *end = NULL;
  if (!at || !irl_problem_is_weighted(&fit->problem)) return NULL;
  const uint32_t n_lines = 8 + fit->best.n; /* up to the clauses of the rule */
  for (uint32_t i = 0; i < n_lines && at; i++) {
    at = strchr(at, '\n');
    if (at) at++;
  }
  for (const char *next = at; next && (next = strstr(next, key)); next++) end = next + 1;
  if (!at || !end || end < at) return NULL;
  *length = (size_t)(end - at);
  *n_nodes = strtoull(end + sizeof key - 2, NULL, 10);
  return at;
}

/* The claim of a point by itself: limits and scope in the same words. */
static void limit_claim(const irl_curve *curve, irl_curve_kind kind,
                        const irl_curve_solution *solution, irl_certificate_claim *claim,
                        irl_scope *scope) {
  const uint64_t n1 = irl_data_total(claim->problem.data, 0);
  const uint64_t n0 = irl_data_total(claim->problem.data, 1);
  const irl_search_rule *rule = &solution->rule;
  const irl_learn_settings *fit = &curve->fit->settings;
  claim->problem.min_cases = fit->least_tp;
  claim->problem.max_controls = fit->most_fp < n0 ? fit->most_fp : n0;
  if (kind == IRL_CURVE_TRADEOFF) {
    claim->problem.min_cases = rule->tp;
    claim->problem.max_controls = rule->fp;
  } else if (kind == IRL_CURVE_LITERALS) {
    claim->problem.max_literals = solution->literals ? solution->literals : 1; /* 0: any number */
    scope->max_literals = (int64_t)claim->problem.max_literals;
  } else {
    claim->problem.K = rule->n ? rule->n : 1;
    scope->K = claim->problem.K;
  }
  scope->min_sensitivity = (double)claim->problem.min_cases / (double)n1;
  scope->min_specificity = (double)(n0 - claim->problem.max_controls) / (double)n0;
}

static irl_status put_point(irl_text *text, const irl_curve *curve, irl_curve_kind kind,
                            const irl_curve_solution *solution) {
  const irl_fit_result *fit = curve->fit;
  const size_t from = text->length;
  /* Without a penalty nothing needs a finer unit. */
  const int64_t n0 = (int64_t)irl_data_total(fit->data, 1);
  const int64_t unit = fit->problem.case_weight / (fit->settings.is_unit ? 1 : n0);
  irl_search_rule rule = solution->rule;
  size_t length = 0;
  uint64_t n_nodes = 1;
  irl_scope *scope, as_shown;
  irl_certificate_claim claim = {
      .problem = irl_problem_weighted(&fit->problem, fit->problem.case_weight / unit,
                                      fit->problem.control_weight / unit),
      .pool = &curve->pool,
      .rule = &rule};
  irl_status status = irl_scope_copy(text->env, fit->scope, &scope);
  if (status) return status;
  as_shown = *scope; /* its texts are those of the copy */
  char weighted[] = "weighted";
  as_shown.loss = weighted;
  as_shown.penalty = as_shown.min_sensitivity = as_shown.min_specificity = 0;
  claim.scope = &as_shown;
  claim.problem.max_controls = (uint64_t)n0;
  rule.loss /= unit;
  assert(rule.loss * unit == solution->rule.loss);
  const bool is_best = solution->rule.loss == fit->bound && fit->bound == fit->best.loss;
  const char *proof = is_best ? proof_of_fit(fit, &length, &n_nodes) : NULL;
  if (proof)
    claim.is_merged = strstr(fit->certificate, "\nsamples merged\n") != NULL;
  else
    limit_claim(curve, kind, solution, &claim, &as_shown);
  status = irl_certificate_put_head(text, &claim);
  if (proof)
    irl_text_add(text, proof, length);
  else
    irl_text_puts(text, "0 list\n");
  irl_certificate_put_end(text, from, proof ? n_nodes : 1);
  irl_scope_free(scope);
  return status;
}

irl_status irl_curve_certify(irl_env *env, const irl_curve *curve, char **out) {
  const irl_fit_result *fit = curve->fit;
  irl_text text;
  uint64_t n = 0, n_without = 0;
  irl_status status = IRL_STATUS_OK;
  irl_text_init(&text, env);
  for (irl_curve_kind kind = 0; kind < IRL_N_CURVE_KINDS && fit->scope; kind++)
    for (size_t i = 0; i < curve->lines[kind].n && !status; i++) {
      const irl_curve_solution *solution = &curve->lines[kind].solutions[i];
      const bool is_known = fit->is_complete || !solution->rule.loss ||
                            (fit->certificate && solution->rule.loss == fit->best.loss);
      if (solution->outcome != IRL_OUTCOME_OPTIMAL || !is_known) {
        n_without++;
        continue;
      }
      status = put_point(&text, curve, kind, solution);
      n++;
    }
  if (!status && n_without)
    irl_log(env, IRL_LOG_WARNING, "%llu point%s not proven and have no certificate",
            (unsigned long long)n_without, n_without == 1 ? " is" : "s are");
  if (!status && n) return irl_text_take(&text, out);
  irl_text_drop(&text);
  return status;
}
