/* Which literals the near-optimal rules have: in all of them, in most, in few; as text and JSON.
 * What all of them need is not a matter of taste; what few have is. */
#include "base/memory.h"
#include "report/report.h"
#include "rule/rule_json.h"
#include <inttypes.h>
#include <stdlib.h>

#define SHOWN 20u /* literals, in the text */

/* A literal, and how many of the near-optimal rules have it. */
typedef struct share {
  irl_literal literal; /* of the data */
  uint64_t count;
} share;

/* All of them, the most frequent first. */
typedef struct share_list {
  share *items;
  size_t n;
  uint64_t n_rules;
  irl_rule *rule; /* a clause for each, in words */
} share_list;

static void free_shares(irl_env *env, share_list *shares) {
  irl_mem_free(&env->allocator, shares->items);
  irl_rule_free(shares->rule);
}

/* Distinct literals of one rule, counted. */
static void count_rule(const irl_optimal_rule *rule, uint64_t *counts) {
  for (uint32_t k = 0; k < rule->n; k++)
    for (uint32_t l = 0; l < rule->words[k]; l++) {
      const irl_literal literal = irl_optimal_rule_clause(rule, k)[l];
      bool is_first = true;
      for (uint32_t i = 0; i <= k; i++)
        for (uint32_t m = 0; m < (i < k ? rule->words[i] : l); m++)
          is_first &= irl_optimal_rule_clause(rule, i)[m] != literal;
      counts[literal] += is_first;
    }
}

static int compare(const void *a, const void *b) {
  const share *x = a, *y = b;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return (x->literal > y->literal) - (x->literal < y->literal);
}

/* The literals as clauses of a rule, one each. */
static irl_status make_rule(irl_env *env, const irl_data *data, share_list *shares) {
  const uint32_t n = (uint32_t)shares->n;
  uint32_t *sizes = irl_mem_alloc(&env->allocator, n, sizeof *sizes);
  irl_literal *literals = irl_mem_alloc(&env->allocator, n, sizeof *literals);
  irl_status status = sizes && literals ? IRL_STATUS_OK : irl_fail_memory(env);
  for (uint32_t i = 0; i < n && !status; i++) {
    sizes[i] = 1;
    literals[i] = shares->items[i].literal;
  }
  const irl_clause_list list = {.K = n, .M = 1, .n = n, .sizes = sizes, .literals = literals};
  if (!status) status = irl_rule_from_literals(env, data, &list, &shares->rule);
  irl_mem_free(&env->allocator, sizes);
  irl_mem_free(&env->allocator, literals);
  return status;
}

/* Shares from the number of rules that have each literal. */
static irl_status make_shares(irl_env *env, const irl_data *data, const uint64_t *counts,
                              share_list *shares) {
  const size_t n_literals = 2 * (size_t)data->n_features;
  size_t n = 0;
  for (size_t i = 0; i < n_literals; i++) n += counts[i] > 0;
  shares->items = irl_mem_alloc(&env->allocator, n, sizeof *shares->items);
  if (!shares->items) return irl_fail_memory(env);
  for (size_t i = 0; i < n_literals; i++)
    if (counts[i]) shares->items[shares->n++] = (share){(irl_literal)i, counts[i]};
  if (n) qsort(shares->items, n, sizeof *shares->items, compare);
  const irl_status status = make_rule(env, data, shares);
  if (status) free_shares(env, shares);
  return status;
}

static irl_status count_rules(irl_env *env, const irl_fit_result *result, share_list *shares) {
  const irl_optimal_rules *rules = &result->optimal_rules;
  const size_t n_literals = 2 * (size_t)result->data->n_features;
  uint64_t *counts = irl_mem_alloc(&env->allocator, n_literals, sizeof *counts);
  *shares = (share_list){.n_rules = rules->n};
  if (!counts) return irl_fail_memory(env);
  for (size_t r = 0; r < rules->n; r++) count_rule(irl_optimal_rules_at(rules, r), counts);
  const irl_status status = make_shares(env, result->data, counts, shares);
  irl_mem_free(&env->allocator, counts);
  return status;
}

/* In how many of the rules it is. */
static const char *share_word(const share_list *shares, size_t i) {
  const uint64_t count = shares->items[i].count;
  return count == shares->n_rules ? "all" : 2 * count >= shares->n_rules ? "most" : "few";
}

/* Literal i in words. */
static void put_literal(irl_text *text, const irl_fit_result *result, const share_list *shares,
                        size_t i) {
  const irl_literal literal = shares->rule->literals[i];
  if (result->data->is_reflected)
    irl_rule_print_opposite(text, shares->rule, literal, IRL_NEGATION);
  else
    irl_text_printf(text, "%s%s", irl_literal_is_negated(literal) ? IRL_NEGATION : "",
                    irl_rule_name(shares->rule, literal));
}

/* A row for each literal, the most frequent first. */
static void print_rows(irl_text *text, const irl_fit_result *result, const share_list *shares) {
  int width = 5;
  for (uint64_t most = 99999; shares->n_rules > most && most < UINT64_MAX / 10; most *= 10) width++;
  irl_text_printf(text, "%*s  literal\n", width, "rules");
  for (size_t i = 0; i < shares->n && i < SHOWN; i++) {
    irl_text_printf(text, "%*" PRIu64 "  ", width, shares->items[i].count);
    put_literal(text, result, shares, i);
    irl_text_printf(text, " (in %s)\n", share_word(shares, i));
  }
  if (shares->n > SHOWN) irl_text_printf(text, "and %zu literals more\n", shares->n - SHOWN);
}

irl_status irl_literal_shares_print(irl_env *env, irl_text *text, const irl_fit_result *result) {
  share_list shares;
  const irl_status status = count_rules(env, result, &shares);
  if (status) return status;
  if (shares.n_rules > 1) print_rows(text, result, &shares);
  free_shares(env, &shares);
  return IRL_STATUS_OK;
}

static void put_rows(irl_env *env, irl_json *json, const irl_fit_result *result,
                     const share_list *shares) {
  irl_text name;
  irl_text_init(&name, env);
  irl_json_open(json, "literal_shares", '[');
  for (size_t i = 0; i < shares->n; i++) {
    name.length = 0;
    put_literal(&name, result, shares, i);
    irl_json_open_flat(json, NULL, '{');
    irl_json_string(json, "literal", name.failed ? "" : name.bytes);
    irl_json_unsigned(json, "rules", shares->items[i].count);
    irl_json_string(json, "in", share_word(shares, i));
    irl_json_close(json, '}');
  }
  irl_json_close(json, ']');
  json->text.failed |= name.failed;
  irl_text_drop(&name);
}

irl_status irl_literal_shares_put(irl_env *env, irl_json *json, const irl_fit_result *result) {
  share_list shares;
  const irl_status status = count_rules(env, result, &shares);
  if (status) return status;
  put_rows(env, json, result, &shares);
  free_shares(env, &shares);
  return IRL_STATUS_OK;
}

irl_status irl_rule_count_print(irl_env *env, irl_text *text, const irl_fit_result *result) {
  const irl_rule_count *count = &result->within;
  share_list shares = {.n_rules = count->n};
  if (!count->literals || count->none_since) return IRL_STATUS_OK;
  const irl_status status = make_shares(env, result->data, count->literals, &shares);
  if (status) return status;
  irl_text_printf(text,
                  "\n%s%" PRIu64 " rules have an objective of at most %.6g: sets of at most %u of "
                  "%" PRIu64 " clauses, superfluous ones and all\n",
                  count->is_complete ? "" : "at least ", count->n,
                  (double)count->most / result->problem.divisor, result->problem.K,
                  count->n_clauses);
  print_rows(text, result, &shares);
  free_shares(env, &shares);
  return IRL_STATUS_OK;
}

irl_status irl_rule_count_put(irl_env *env, irl_json *json, const irl_fit_result *result) {
  const irl_rule_count *count = &result->within;
  share_list shares = {.n_rules = count->n};
  if (!count->literals || count->none_since) return IRL_STATUS_OK;
  const irl_status status = make_shares(env, result->data, count->literals, &shares);
  if (status) return status;
  irl_json_open(json, "within_count", '{');
  irl_json_unsigned(json, "rules", count->n);
  irl_json_bool(json, "complete", count->is_complete);
  irl_json_real(json, "objective", (double)count->most / result->problem.divisor);
  irl_json_unsigned(json, "clauses", count->n_clauses);
  put_rows(env, json, result, &shares);
  irl_json_close(json, '}');
  free_shares(env, &shares);
  return IRL_STATUS_OK;
}
