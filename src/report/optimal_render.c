/* The rules that are as good as the best, or nearly, and which literals they have: all of them,
 * most, few; as text and JSON. What all of them need is not a matter of taste; what few have is. */
#include "base/memory.h"
#include "report/report.h"
#include "rule/rule_json.h"
#include <inttypes.h>
#include <stdlib.h>

#define SHOWN 20u /* literals, in the text */

/* A literal of the data, and how many of the rules have it. */
typedef struct share {
  irl_literal literal;
  uint64_t count;
} share;

/* All of them, the most frequent first. */
typedef struct share_list {
  const irl_data *data;
  share *items;
  size_t n;
  uint64_t n_rules;
} share_list;

static int compare(const void *a, const void *b) {
  const share *x = a, *y = b;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return (x->literal > y->literal) - (x->literal < y->literal);
}

/* Shares from the number of rules that have each literal. */
static irl_status make_shares(irl_env *env, const uint64_t *counts, share_list *shares) {
  const size_t n_literals = 2 * (size_t)shares->data->n_features;
  size_t n = 0;
  for (size_t i = 0; i < n_literals; i++) n += counts[i] > 0;
  shares->items = irl_mem_alloc(&env->allocator, n, sizeof *shares->items);
  if (!shares->items) return irl_fail_memory(env);
  for (size_t i = 0; i < n_literals; i++)
    if (counts[i]) shares->items[shares->n++] = (share){(irl_literal)i, counts[i]};
  if (n) qsort(shares->items, n, sizeof *shares->items, compare);
  return IRL_STATUS_OK;
}

/* In how many of the rules it is. */
static const char *share_word(const share_list *shares, size_t i) {
  const uint64_t count = shares->items[i].count;
  return count == shares->n_rules ? "all" : 2 * count >= shares->n_rules ? "most" : "few";
}

/* A row for each literal, the most frequent first. */
static void print_rows(irl_text *text, const share_list *shares) {
  int width = 5;
  for (uint64_t most = 99999; shares->n_rules > most && most < UINT64_MAX / 10; most *= 10) width++;
  irl_text_printf(text, "%*s  literal\n", width, "rules");
  for (size_t i = 0; i < shares->n && i < SHOWN; i++) {
    irl_text_printf(text, "%*" PRIu64 "  ", width, shares->items[i].count);
    irl_literal_print(text, shares->data, shares->items[i].literal, IRL_NEGATION);
    irl_text_printf(text, " (in %s)\n", share_word(shares, i));
  }
  if (shares->n > SHOWN) irl_text_printf(text, "and %zu literals more\n", shares->n - SHOWN);
}

static void put_literal(irl_json *json, const char *key, const irl_data *data, irl_literal literal,
                        const char *negation) {
  irl_text name;
  irl_text_init(&name, json->text.env);
  irl_literal_print(&name, data, literal, negation);
  irl_json_take_text(json, key, &name);
}

static void put_rows(irl_json *json, const share_list *shares) {
  irl_json_open(json, "literal_shares", '[');
  for (size_t i = 0; i < shares->n; i++) {
    irl_json_open_flat(json, NULL, '{');
    put_literal(json, "literal", shares->data, shares->items[i].literal, IRL_NEGATION);
    irl_json_unsigned(json, "rules", shares->items[i].count);
    irl_json_string(json, "in", share_word(shares, i));
    irl_json_close(json, '}');
  }
  irl_json_close(json, ']');
}

/* ---- rules that are listed ---- */

/* How many of them have each literal; and `common`, those that all have, each once, in the order of
 * the first rule. The caller frees both lists, whatever comes of it. */
static irl_status count_rules(irl_env *env, const irl_optimal_rules *rules, share_list *shares,
                              irl_literal **common, size_t *n_common) {
  const size_t n_literals = 2 * (size_t)shares->data->n_features;
  uint64_t *counts = irl_mem_alloc(&env->allocator, n_literals, sizeof *counts);
  size_t *last = irl_mem_alloc(&env->allocator, n_literals, sizeof *last); /* rule that has it */
  size_t n = 0;
  *common = irl_mem_alloc(&env->allocator, (size_t)rules->K * rules->M, sizeof **common);
  irl_status status = counts && last && *common ? IRL_STATUS_OK : irl_fail_memory(env);
  for (size_t r = 0; r < rules->n && !status; r++) {
    const irl_optimal_rule *rule = irl_optimal_rules_at(rules, r);
    for (uint32_t k = 0; k < rule->n; k++)
      for (uint32_t l = 0; l < rule->words[k]; l++) {
        const irl_literal literal = irl_optimal_rule_clause(rule, k)[l];
        if (last[literal] == r + 1) continue;
        last[literal] = r + 1;
        counts[literal]++;
        if (!r) (*common)[n++] = literal;
      }
  }
  for (size_t i = 0; i < n; i++)
    if (counts[(*common)[i]] == rules->n) (*common)[(*n_common)++] = (*common)[i];
  if (!status) status = make_shares(env, counts, shares);
  irl_mem_free(&env->allocator, counts);
  irl_mem_free(&env->allocator, last);
  return status;
}

void irl_report_put_clauses(irl_json *json, const irl_data *data, const irl_rule *rule) {
  if (data->is_reflected)
    irl_rule_put_cnf(json, "clauses", rule);
  else
    irl_rule_put_clauses(json, "clauses", rule);
}

/* The rules themselves; as text if `json` is NULL. */
static irl_status show_rules(irl_env *env, irl_text *text, irl_json *json,
                             const irl_fit_result *result) {
  const irl_optimal_rules *rules = &result->optimal_rules;
  irl_rule *rule;
  for (size_t r = 0; r < rules->n; r++) {
    const double objective = (double)irl_optimal_rules_at(rules, r)->loss / result->problem.divisor;
    const irl_status status = irl_optimal_rules_get(env, result->data, rules, r, &rule);
    if (status) return status;
    if (json) {
      irl_json_open_flat(json, NULL, '{');
      irl_json_real(json, "objective", objective);
      irl_report_put_clauses(json, result->data, rule);
      irl_json_close(json, '}');
    } else {
      irl_text_printf(text, "%9.6g  ", objective);
      (result->data->is_reflected ? irl_rule_print_cnf : irl_rule_print_all)(text, rule);
      irl_text_puts(text, "\n");
    }
    irl_rule_free(rule);
  }
  return IRL_STATUS_OK;
}

static irl_status put_optimal(irl_env *env, irl_json *json, const irl_fit_result *result,
                              const share_list *shares, const irl_literal *common, size_t n) {
  irl_json_open(json, "rules", '[');
  const irl_status status = show_rules(env, NULL, json, result);
  irl_json_close(json, ']');
  irl_json_bool(json, "rules_complete", result->optimal_rules.is_complete);
  irl_json_open_flat(json, "common_literals", '[');
  for (size_t i = 0; i < n; i++) put_literal(json, NULL, result->data, common[i], "!");
  irl_json_close(json, ']');
  put_rows(json, shares);
  return status;
}

static irl_status print_optimal(irl_env *env, irl_text *text, const irl_fit_result *result,
                                const share_list *shares, const irl_literal *common, size_t n) {
  const irl_optimal_rules *rules = &result->optimal_rules;
  irl_text_printf(text, "\n%zu rules in which everything matters%s\n%9s  rule\n", rules->n,
                  rules->is_complete ? ", and no others" : "; there may be others", "objective");
  const irl_status status = show_rules(env, text, NULL, result);
  irl_text_puts(text, "in all of them:");
  for (size_t i = 0; i < n; i++) {
    irl_text_puts(text, i ? ", " : " ");
    irl_literal_print(text, result->data, common[i], IRL_NEGATION);
  }
  irl_text_puts(text, n ? "\n" : " no literal\n");
  if (shares->n_rules > 1) print_rows(text, shares);
  return status;
}

irl_status irl_optimal_rules_show(irl_env *env, irl_text *text, irl_json *json,
                                  const irl_fit_result *result) {
  share_list shares = {.data = result->data, .n_rules = result->optimal_rules.n};
  irl_literal *common;
  size_t n_common = 0;
  if (!result->optimal_rules.K) return IRL_STATUS_OK;
  irl_status status = count_rules(env, &result->optimal_rules, &shares, &common, &n_common);
  if (!status)
    status = json ? put_optimal(env, json, result, &shares, common, n_common)
                  : print_optimal(env, text, result, &shares, common, n_common);
  irl_mem_free(&env->allocator, shares.items);
  irl_mem_free(&env->allocator, common);
  return status;
}

/* ---- rules that are counted ---- */

irl_status irl_rule_count_show(irl_env *env, irl_text *text, irl_json *json,
                               const irl_fit_result *result) {
  const irl_rule_count *count = &result->within;
  const double most = (double)count->most / result->problem.divisor;
  share_list shares = {.data = result->data, .n_rules = count->n};
  if (!count->literals || count->none_since) return IRL_STATUS_OK;
  const irl_status status = make_shares(env, count->literals, &shares);
  if (status) return status;
  if (json) {
    irl_json_open(json, "within_count", '{');
    irl_json_unsigned(json, "rules", count->n);
    irl_json_bool(json, "complete", count->is_complete);
    irl_json_real(json, "objective", most);
    irl_json_unsigned(json, "clauses", count->n_clauses);
    put_rows(json, &shares);
    irl_json_close(json, '}');
  } else {
    irl_text_printf(text,
                    "\n%s%" PRIu64 " rules have an objective of at most %.6g: sets of at most %u "
                    "of %" PRIu64 " clauses, superfluous ones and all\n",
                    count->is_complete ? "" : "at least ", count->n, most, result->problem.K,
                    count->n_clauses);
    print_rows(text, &shares);
  }
  irl_mem_free(&env->allocator, shares.items);
  return IRL_STATUS_OK;
}
