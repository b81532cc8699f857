/* All rules that are as good as the best, or nearly.
 *
 * The rule branch and bound, with a target above the largest loss that is wanted, meets every rule
 * below it once. Of these the ones are kept in which nothing is superfluous: any clause or literal
 * that is dropped makes the loss larger. (Otherwise doubled clauses and idle literals would bury
 * the rest.) They are sorted by loss, then by length, then by their literals. */
#include "prove/optimal_rules.h"
#include "base/memory.h"
#include "prove/rule_bnb.h"
#include "rule/literal_columns.h"
#include <stdlib.h>

typedef struct tree {
  irl_search *search;
  irl_optimal_rules *found;
  size_t max;
  uint64_t *words; /* scratch: union and cover, cases then controls */
  irl_status status;
} tree;

void irl_optimal_rules_free(irl_optimal_rules *rules) {
  if (rules->allocator.resize) irl_mem_free(&rules->allocator, rules->items);
  *rules = (irl_optimal_rules){0};
}

/* ---- what matters ---- */

/* The loss of a rule without literal l of clause k, or (l = its size) without the clause, or
 * (k = n) with all. */
static int64_t weigh(const tree *s, const irl_clause *clauses, uint32_t n, uint32_t k, uint32_t l) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_problem *problem = s->search->problem;
  const irl_data *data = problem->data;
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  uint64_t *cases = s->words, *controls = cases + case_words, *cover = controls + control_words;
  irl_cover_counts counts = {0};
  uint32_t n_clauses = 0;
  memset(cases, 0, (case_words + control_words) * sizeof *cases);
  for (uint32_t i = 0; i < n; i++) {
    irl_clause clause = clauses[i];
    if (i == k && l == clause.n) continue;
    if (i == k) {
      clause.n--;
      memmove(clause.literals + l, clause.literals + l + 1,
              (clause.n - l) * sizeof *clause.literals);
    }
    n_clauses++;
    counts.literals += clause.n;
    irl_literals_cover(data, false, clause.literals, clause.n, cover);
    kernels->or_into(cases, cases, cover, case_words);
    irl_literals_cover(data, true, clause.literals, clause.n, cover);
    counts.control_covers += irl_data_weigh(data, 1, cover);
    kernels->or_into(controls, controls, cover, control_words);
  }
  counts.cases = irl_data_weigh(data, 0, cases);
  counts.controls = irl_data_weigh(data, 1, controls);
  assert(counts.controls <= counts.control_covers);
  return irl_problem_loss(problem, n_clauses, &counts);
}

/* ---- keeping ---- */

/* Clauses by their literals, a shorter one before one that goes on. */
static int compare_clauses(const irl_literal *a, uint32_t m, const irl_literal *b, uint32_t n) {
  for (uint32_t i = 0; i < m && i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return (m > n) - (m < n);
}

static int by_literals(const void *x, const void *y) {
  const irl_clause *a = x, *b = y;
  return compare_clauses(a->literals, a->n, b->literals, b->n);
}

/* Keeps a rule in which nothing is superfluous; true ends the search. */
static bool keep_tight(void *user, const irl_clause *clauses, uint32_t n) {
  tree *s = user;
  irl_optimal_rules *rules = s->found;
  irl_clause sorted[IRL_MAX_K];
  const int64_t loss = weigh(s, clauses, n, n, 0);
  assert(loss >= s->search->best.loss && n <= rules->K);
  s->search->work +=
      (1 + n * s->search->problem->M) * n *
      (s->search->problem->data->cases.stride + s->search->problem->data->controls.stride);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t l = 0; l <= clauses[k].n; l++) {
      if (clauses[k].n == 1 && !l) continue; /* a clause has a literal */
      if (weigh(s, clauses, n, k, l) <= loss) return false;
    }
  if (rules->n == s->max) return true;
  if (!irl_mem_reserve(&rules->allocator, &rules->items, &rules->capacity, rules->n,
                       rules->stride)) {
    s->status = irl_fail_memory(s->search->env);
    return true;
  }
  irl_optimal_rule *rule = irl_optimal_rules_at(rules, rules->n++);
  memset(rule, 0, rules->stride);
  *rule = (irl_optimal_rule){.loss = loss, .K = rules->K, .M = rules->M, .n = n};
  memcpy(sorted, clauses, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, by_literals);
  for (uint32_t k = 0; k < n; k++) {
    assert(sorted[k].n && sorted[k].n <= rules->M);
    rule->words[k] = sorted[k].n;
    rule->n_literals += sorted[k].n;
    memcpy(rule->words + rules->K + (size_t)k * rules->M, sorted[k].literals,
           sorted[k].n * sizeof *sorted[k].literals);
  }
  return false;
}

/* By loss, then length, then literals. */
static int compare_rules(const void *x, const void *y) {
  const irl_optimal_rule *a = x, *b = y;
  if (a->loss != b->loss) return a->loss < b->loss ? -1 : 1;
  if (a->n_literals != b->n_literals) return a->n_literals < b->n_literals ? -1 : 1;
  for (uint32_t k = 0; k < a->n && k < b->n; k++) {
    const int order = compare_clauses(irl_optimal_rule_clause(a, k), a->words[k],
                                      irl_optimal_rule_clause(b, k), b->words[k]);
    if (order) return order;
  }
  return (a->n > b->n) - (a->n < b->n);
}

irl_status irl_prove_optimal_rules(irl_search *search, int64_t most, size_t max,
                                   irl_optimal_rules *out) {
  const irl_data *data = search->problem->data;
  const size_t K = search->problem->K, M = search->problem->M, align = sizeof(int64_t);
  irl_optimal_rules rules = {
      .allocator = search->env->allocator, .K = (uint32_t)K, .M = (uint32_t)M, .most = most};
  tree s = {.search = search, .found = &rules, .max = max};
  irl_rule_bnb_task task = {
      .cap = SIZE_MAX / 2, .target = most + 1, .found = keep_tight, .user = &s};
  const irl_limit part = irl_search_sublimit(search, UINT64_MAX);
  assert(irl_search_is_proven(search));
  rules.stride = (sizeof(irl_optimal_rule) + K * (1 + M) * sizeof(uint32_t) + align - 1) / align;
  rules.stride *= align;
  s.words = irl_mem_alloc_aligned(
      &rules.allocator, 2 * (data->cases.stride + data->controls.stride), sizeof *s.words);
  irl_status status =
      s.words ? irl_rule_bnb_solve(search, &part, &task) : irl_fail_memory(search->env);
  if (!status) status = s.status;
  rules.is_complete = !task.ending;
  assert(status || rules.n || task.ending); /* the best rule, or what of it matters */
  irl_mem_free_aligned(&rules.allocator, s.words);
  if (rules.n) qsort(rules.items, rules.n, rules.stride, compare_rules);
  if (status)
    irl_optimal_rules_free(&rules);
  else
    *out = rules;
  return status;
}

irl_status irl_optimal_rules_get(irl_env *env, const irl_data *data, const irl_optimal_rules *rules,
                                 size_t i, irl_rule **out) {
  assert(i < rules->n);
  const irl_optimal_rule *rule = irl_optimal_rules_at(rules, i);
  const irl_clause_list list = {rules->K, rules->M, rule->n, rule->words,
                                irl_optimal_rule_clause(rule, 0)};
  return irl_rule_from_literals(env, data, &list, out);
}
