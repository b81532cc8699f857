/* A list of all rules of a loss: `0 all T n` and n rules.
 *
 * Claim: every rule within the limits with a loss of at most T in which nothing is superfluous
 * (each clause and each literal that is dropped makes the loss larger, or leaves the limits) is one
 * of the n, and all of these are such rules, none of less loss than the rule of the certificate.
 * Then no rule has less loss: of one that had, drop what is superfluous until nothing is; what is
 * left has no more loss and would be on the list.
 *
 * Here each rule of the list is weighed whole and without each of its parts. verify_choose.c goes
 * through all rules, as if T + 1 were the loss to beat. */
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdlib.h>

/* ---- rules as words ---- */

static int by_rule(const void *x, const void *y) {
  const uint32_t *a = *(const uint32_t *const *)x, *b = *(const uint32_t *const *)y;
  if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
  return memcmp(a + 1, b + 1, a[0] * sizeof *a);
}

/* The rule of n clauses, in order, behind the other words, which are as many as before. */
static bool put_rule(irl_verify_rules *rules, uint32_t n) {
  const irl_allocator *allocator = &rules->env->allocator;
  const uint32_t *sorted[IRL_VERIFY_MAX_K];
  uint32_t size = n;
  assert(n <= rules->limits->K);
  for (uint32_t k = 0; k < n; k++) size += rules->clauses[k][0];
  memcpy(sorted, rules->clauses, sizeof sorted);
  if (n) qsort(sorted, n, sizeof *sorted, irl_verify_by_words);
  if (!irl_array_reserve(allocator, &rules->text, size + 1)) return false;
  uint32_t *at = rules->text.items + rules->text.n;
  *at++ = size;
  for (uint32_t k = 0; k < n; k++) {
    memcpy(at, sorted[k], (sorted[k][0] + 1) * sizeof *at);
    at += sorted[k][0] + 1;
  }
  return true;
}

/* ---- what a rule loses ---- */

/* The loss of n clauses without literal l of clause k, or (l = 0) without the clause, or (k = n) of
 * all; literals count from 1. INT64_MAX: that is not within the limits. */
static int64_t weigh(irl_verify_rules *rules, uint32_t n, uint32_t k, uint32_t l) {
  const irl_verify_view *view = rules->view;
  irl_verify_state *at = &rules->parts[0], *next = &rules->parts[1];
  irl_verify_state_copy(view, at, &rules->root);
  irl_verify_spend(view->meter, 3 * view->stride * (n + 1));
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t *clause = rules->clauses[i];
    irl_literal literals[IRL_VERIFY_MAX_M];
    uint32_t size = 0;
    if (i == k && !l) continue;
    for (uint32_t j = 1; j <= clause[0]; j++)
      if (i != k || j != l) literals[size++] = clause[j];
    irl_verify_cover(view, at->live, literals, size, rules->cover);
    irl_verify_take(view, rules->limits, at, rules->cover, size, next);
    irl_verify_state *swap = at;
    at = next;
    next = swap;
  }
  assert(irl_verify_state_check(view, rules->limits, at));
  return irl_verify_is_within(rules->limits, at) ? at->uncovered + at->cost_so_far : INT64_MAX;
}

/* Is nothing superfluous in a rule of that loss? */
static bool is_tight(irl_verify_rules *rules, uint32_t n, int64_t loss) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t l = 0; l <= (rules->clauses[k][0] > 1 ? rules->clauses[k][0] : 0); l++)
      if (weigh(rules, n, k, l) <= loss) return false;
  return true;
}

irl_status irl_verify_rules_have(irl_verify_rules *rules, uint32_t n, bool *is_met) {
  *is_met = !is_tight(rules, n, weigh(rules, n, n, 0));
  if (*is_met) return IRL_STATUS_OK;
  if (!put_rule(rules, n)) return irl_fail_memory(rules->env);
  const uint32_t *own = rules->text.items + rules->text.n;
  for (size_t low = 0, high = rules->starts.n; low < high && !*is_met;) {
    const size_t middle = low + (high - low) / 2;
    const uint32_t *other = rules->text.items + rules->starts.items[middle];
    const int order = by_rule(&other, &own);
    *is_met = !order;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return IRL_STATUS_OK;
}

/* ---- the list ---- */

/* One rule of the list: within the limits, of a loss that is claimed, with nothing superfluous. */
static irl_status read_rule(irl_verify_replay *v, irl_verify_rules *rules, uint32_t *clauses) {
  const uint32_t width = (uint32_t)v->limits.M + 1;
  uint64_t n;
  irl_status status = irl_verify_expect(v, "rule #", &n);
  if (status) return status;
  const size_t line = v->text.line.number;
  if (n > v->limits.K)
    return irl_verify_reject(v, line, "a rule of the list has %u clauses", (unsigned)n);
  for (uint32_t k = 0; k < n && !status; k++) {
    uint32_t *clause = clauses + k * width;
    status = irl_verify_read_clause(v, clause + 1, clause);
    rules->clauses[k] = clause;
  }
  if (status) return status;
  const int64_t loss = weigh(rules, (uint32_t)n, (uint32_t)n, 0);
  if (loss >= rules->limits->best || loss < v->result->loss)
    return irl_verify_reject(v, line,
                             "a rule of the list is not within the limits, or of another loss");
  if (!is_tight(rules, (uint32_t)n, loss))
    return irl_verify_reject(v, line, "something is superfluous in a rule of the list");
  if (!put_rule(rules, (uint32_t)n) ||
      !irl_array_push(&v->env->allocator, &rules->starts, rules->text.n))
    return irl_fail_memory(v->env);
  rules->text.n += rules->text.items[rules->text.n] + 1;
  return irl_verify_meter_status(v->env, &v->meter);
}

/* Brings the rules in order; none may be there twice. */
static irl_status sort_rules(irl_verify_replay *v, size_t line, irl_verify_rules *rules) {
  const size_t n = rules->starts.n;
  irl_status status = IRL_STATUS_OK;
  const uint32_t *base = rules->text.items;
  const uint32_t **sorted = irl_mem_alloc(&v->env->allocator, n + 1, sizeof *sorted);
  if (!sorted) return irl_fail_memory(v->env);
  for (size_t i = 0; i < n; i++) sorted[i] = base + rules->starts.items[i];
  if (n) qsort(sorted, n, sizeof *sorted, by_rule);
  for (size_t i = 1; i < n; i++)
    if (!by_rule(&sorted[i - 1], &sorted[i]))
      status = irl_verify_reject(v, line, "a rule is there twice");
  for (size_t i = 0; i < n; i++) rules->starts.items[i] = (size_t)(sorted[i] - base);
  irl_mem_free(&v->env->allocator, sorted);
  return status;
}

irl_status irl_verify_rules_read(irl_verify_replay *v, size_t line, const irl_verify_limits *limits,
                                 uint64_t n, irl_verify_rules *rules) {
  const irl_verify_view *view = &v->all;
  irl_env *env = v->env;
  *rules = (irl_verify_rules){.env = env, .view = view, .limits = limits};
  uint32_t *clauses = irl_mem_alloc(&env->allocator, limits->K * (limits->M + 1), sizeof *clauses);
  rules->cover = irl_verify_new_column(view);
  irl_status status = clauses && rules->cover ? irl_verify_state_root(view, limits, &rules->root)
                                              : irl_fail_memory(env);
  for (int i = 0; i < 2 && !status; i++) status = irl_verify_state_init(view, &rules->parts[i]);
  for (uint64_t i = 0; i < n && !status; i++) status = read_rule(v, rules, clauses);
  if (!status) status = sort_rules(v, line, rules);
  irl_mem_free(&env->allocator, clauses);
  return status;
}

void irl_verify_rules_free(irl_verify_rules *rules) {
  if (!rules->env) return;
  const irl_allocator *allocator = &rules->env->allocator;
  irl_verify_state_free(rules->env, &rules->root);
  for (int i = 0; i < 2; i++) irl_verify_state_free(rules->env, &rules->parts[i]);
  irl_mem_free_aligned(allocator, rules->cover);
  irl_array_free(allocator, &rules->text);
  irl_array_free(allocator, &rules->starts);
}
