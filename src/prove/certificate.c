/* The certificate of a proven rule: the evidence of its proof as text. What its lines mean is said
 * in verify.c.
 *
 * A rule branch and bound leaves one line for each node. An enumeration leaves one line with its
 * multipliers, since the checker enumerates the clauses and goes through their choices by itself; a
 * proof on few cases one line with these. That a list of rules is complete takes the list and no
 * evidence: the checker goes through all rules as the search did.
 * Nothing is searched for here: evidence.c has done that. */
#include "prove/prove.h"
#include "prove/rule_bnb.h"
#include "rule/rule_json.h"
#include "verify/verify.h"
#include <xxhash.h>

static void put_rule_head(irl_text *text, uint32_t n) {
  irl_text_printf(text, "rule %u\n", n);
}

static void put_clause(irl_text *text, const irl_literal *literals, uint32_t n) {
  irl_text_puts(text, "clause");
  irl_rule_bnb_put_literals(text, literals, n);
  irl_text_puts(text, "\n");
}

irl_status irl_certificate_put_head(irl_text *text, const irl_certificate_claim *claim) {
  const irl_problem *problem = &claim->problem;
  const irl_clause_set *pool = claim->pool;
  const irl_data *data = problem->data;
  irl_json json;
  char *scope, *features;
  irl_json_init(&json, text->env);
  irl_scope_put(&json, NULL, true, claim->scope);
  irl_status status = irl_json_take(&json, &scope);
  if (status) return status;
  irl_text_printf(text, "ireland certificate %u\nscope %s", IRL_VERIFY_VERSION, scope);
  irl_text_free(text->env, scope); /* with its newline */
  const unsigned long long n1 = irl_data_total(data, 0), n0 = irl_data_total(data, 1);
  irl_text_printf(text, "data %016llx samples %llu cases %llu controls %llu features %u\n",
                  (unsigned long long)irl_data_checksum(data), n1 + n0, n1, n0, data->n_features);
  status = irl_rule_format_features(text->env, data, &features);
  if (status) return status;
  irl_text_printf(text, "features %s", features);
  irl_text_free(text->env, features);
  irl_text_printf(text, "limits K %u M %u negations %d literals %llu cases %llu controls %llu\n",
                  problem->K, problem->M, problem->negations,
                  problem->max_literals == UINT64_MAX ? 0ULL
                                                      : (unsigned long long)problem->max_literals,
                  (unsigned long long)problem->min_cases,
                  problem->max_controls < n0 ? (unsigned long long)problem->max_controls : n0);
  irl_text_printf(text, "loss %s case %lld control %lld penalty %lld best %lld\n",
                  irl_problem_shares_controls(problem) ? "weighted" : "hamming",
                  (long long)problem->case_weight, (long long)problem->control_weight,
                  (long long)problem->penalty, (long long)claim->rule->loss);
  irl_text_printf(text, "samples %s\n", claim->is_merged ? "merged" : "plain");
  put_rule_head(text, claim->rule->n);
  for (uint32_t i = 0; i < claim->rule->n; i++) {
    const uint32_t k = claim->rule->clauses[i];
    assert(k < pool->n && pool->sizes[k] <= problem->M);
    put_clause(text, irl_clause_set_literals(pool, k), pool->sizes[k]);
  }
  return IRL_STATUS_OK;
}

void irl_certificate_put_end(irl_text *text, size_t from, uint64_t n) {
  assert(from <= text->length);
  const uint64_t hash = text->failed ? 0 : XXH3_64bits(text->bytes + from, text->length - from);
  irl_text_printf(text, "end %llu %016llx\n", (unsigned long long)n, (unsigned long long)hash);
}

static irl_status put_head(const irl_search *search, irl_text *text) {
  const irl_certificate_claim claim = {.problem = *search->problem,
                                       .scope = search->problem->scope,
                                       .pool = &search->pool,
                                       .rule = &search->best,
                                       .is_merged = search->problem->merged.own != NULL};
  return irl_certificate_put_head(text, &claim);
}

static irl_status put_certificate(const irl_search *search, irl_text *text) {
  const irl_proof_evidence *evidence = &search->proof.evidence;
  assert(irl_prove_has_evidence(search));
  const irl_status status = put_head(search, text);
  if (status) return status;
  /* Multipliers stand in hexadecimal, four cases to a digit. */
  const bool is_line = evidence->way != IRL_PROOF_BY_RULE_BNB;
  irl_text_puts(text, evidence->way == IRL_PROOF_BY_ENUMERATION   ? "0 list"
                      : evidence->way == IRL_PROOF_BY_CASE_SUBSET ? "0 kept"
                                                                  : evidence->nodes);
  if (evidence->relaxed) irl_text_printf(text, " %lld ", (long long)evidence->largest);
  for (uint32_t i = 0; i < search->problem->data->n_cases && evidence->relaxed; i += 4)
    irl_text_printf(text, "%x", (unsigned)(evidence->relaxed[i / 64] >> i % 64 & 15));
  if (is_line) irl_text_puts(text, "\n");
  irl_certificate_put_end(text, 0, is_line ? 1 : evidence->n_nodes);
  return IRL_STATUS_OK;
}

irl_status irl_prove_certify(const irl_search *search, char **out) {
  irl_text text;
  assert(search->problem->scope && irl_search_is_proven(search));
  irl_text_init(&text, search->env);
  const irl_status status = put_certificate(search, &text);
  if (!status) return irl_text_take(&text, out);
  irl_text_drop(&text);
  return status;
}

irl_status irl_prove_certify_all(const irl_search *search, const irl_optimal_rules *rules,
                                 char **out) {
  irl_text text;
  assert(search->problem->scope && rules->is_complete && rules->most >= search->best.loss);
  irl_text_init(&text, search->env);
  const irl_status status = put_head(search, &text);
  irl_text_printf(&text, "0 all %lld %zu\n", (long long)rules->most, rules->n);
  for (size_t i = 0; i < rules->n; i++) {
    const irl_optimal_rule *rule = irl_optimal_rules_at(rules, i);
    put_rule_head(&text, rule->n);
    for (uint32_t k = 0; k < rule->n; k++)
      put_clause(&text, irl_optimal_rule_clause(rule, k), rule->words[k]);
  }
  irl_certificate_put_end(&text, 0, 1);
  if (!status) return irl_text_take(&text, out);
  irl_text_drop(&text);
  return status;
}
