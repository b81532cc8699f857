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

typedef struct search {
  irl_learner *learner;
  irl_optimal_rules *found;
  size_t max;
  uint64_t *words; /* scratch: union and cover, cases then controls */
  irl_status status;
} search;

void irl_optimal_rules_free(irl_optimal_rules *rules) {
  if (!rules->allocator.resize) return;
  irl_mem_free(&rules->allocator, rules->clauses);
  irl_mem_free(&rules->allocator, rules->sizes);
  irl_mem_free(&rules->allocator, rules->literals);
  irl_mem_free(&rules->allocator, rules->losses);
  *rules = (irl_optimal_rules){0};
}

/* ---- what matters ---- */

/* The loss of a rule without literal l of clause k, or (l = its size) without the clause, or
 * (k = n) with all. */
static int64_t weigh(const search *s, const irl_clause *clauses, uint32_t n, uint32_t k,
                     uint32_t l) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_learn_settings *settings = &s->learner->settings;
  const irl_data *data = s->learner->data;
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  uint64_t *cases = s->words, *controls = cases + case_words, *cover = controls + control_words;
  uint64_t tp = 0, fp = 0, covers = 0;
  int64_t cost = 0;
  memset(cases, 0, (case_words + control_words) * sizeof *cases);
  for (uint32_t i = 0; i < n; i++) {
    irl_clause clause = clauses[i];
    if (i == k && l == clause.n) continue;
    if (i == k) {
      clause.n--;
      memmove(clause.literals + l, clause.literals + l + 1,
              (clause.n - l) * sizeof *clause.literals);
    }
    cost += irl_learner_cost(s->learner, clause.n);
    irl_literals_cover(data, false, clause.literals, clause.n, cover);
    tp = kernels->or_into(cases, cases, cover, case_words);
    irl_literals_cover(data, true, clause.literals, clause.n, cover);
    covers += kernels->count(cover, control_words);
    fp = kernels->or_into(controls, controls, cover, control_words);
  }
  assert(tp <= data->n_cases && fp <= covers);
  if (tp < s->learner->min_cases || fp > s->learner->max_controls) return IRL_SELECT_NO_LOSS;
  return cost + settings->case_weight * (int64_t)(data->n_cases - tp) +
         settings->control_weight * (int64_t)(settings->is_hamming ? covers : fp);
}

static bool is_tight(const search *s, const irl_clause *clauses, uint32_t n, int64_t loss) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t l = 0; l <= clauses[k].n; l++) {
      if (clauses[k].n == 1 && !l) continue; /* a clause has a literal */
      if (weigh(s, clauses, n, k, l) <= loss) return false;
    }
  return true;
}

/* ---- keeping ---- */

static bool reserve(irl_optimal_rules *rules, size_t capacity) {
  const size_t K = rules->K;
  uint32_t *clauses = irl_mem_grow(&rules->allocator, rules->clauses, capacity, sizeof *clauses);
  if (clauses) rules->clauses = clauses;
  uint32_t *sizes = irl_mem_grow(&rules->allocator, rules->sizes, capacity * K, sizeof *sizes);
  if (sizes) rules->sizes = sizes;
  irl_literal *literals =
      irl_mem_grow(&rules->allocator, rules->literals, capacity * K * rules->M, sizeof *literals);
  if (literals) rules->literals = literals;
  int64_t *losses = irl_mem_grow(&rules->allocator, rules->losses, capacity, sizeof *losses);
  if (losses) rules->losses = losses;
  if (!clauses || !sizes || !literals || !losses) return false;
  rules->capacity = capacity;
  return true;
}

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

static void put_rule(irl_optimal_rules *rules, const irl_clause *clauses, uint32_t n,
                     int64_t loss) {
  irl_clause sorted[IRL_LEARN_MAX_K];
  const size_t rule = rules->n++, first = rule * rules->K;
  assert(rule < rules->capacity && n <= rules->K);
  memcpy(sorted, clauses, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, by_literals);
  rules->clauses[rule] = n;
  rules->losses[rule] = loss;
  memset(rules->sizes + first, 0, rules->K * sizeof *rules->sizes);
  memset(rules->literals + first * rules->M, 0,
         (size_t)rules->K * rules->M * sizeof *rules->literals);
  for (uint32_t k = 0; k < n; k++) {
    assert(sorted[k].n <= rules->M);
    rules->sizes[first + k] = sorted[k].n;
    memcpy(rules->literals + (first + k) * rules->M, sorted[k].literals,
           sorted[k].n * sizeof *sorted[k].literals);
  }
}

static bool keep_tight(void *user, const irl_clause *clauses, uint32_t n) {
  search *s = user;
  irl_optimal_rules *rules = s->found;
  const int64_t loss = weigh(s, clauses, n, n, 0);
  s->learner->work += (1 + n * s->learner->settings.M) * n *
                      (s->learner->data->cases.stride + s->learner->data->controls.stride);
  assert(loss >= s->learner->best.loss);
  if (!is_tight(s, clauses, n, loss)) return false;
  if (rules->n == s->max) return true;
  if (rules->n == rules->capacity && !reserve(rules, 2 * rules->capacity + 16)) {
    s->status = irl_fail_memory(s->learner->env);
    return true;
  }
  put_rule(rules, clauses, n, loss);
  return false;
}

/* ---- order ---- */

typedef struct place {
  const irl_optimal_rules *rules;
  size_t rule;
  uint32_t n_literals;
} place;

static int compare_rules(const void *x, const void *y) {
  const place *a = x, *b = y;
  const irl_optimal_rules *rules = a->rules;
  const int64_t loss = rules->losses[a->rule] - rules->losses[b->rule];
  if (loss) return loss < 0 ? -1 : 1;
  if (a->n_literals != b->n_literals) return a->n_literals < b->n_literals ? -1 : 1;
  const uint32_t m = rules->clauses[a->rule], n = rules->clauses[b->rule];
  for (uint32_t k = 0; k < m && k < n; k++) {
    const int order = compare_clauses(
        irl_optimal_rules_clause(rules, a->rule, k), rules->sizes[a->rule * rules->K + k],
        irl_optimal_rules_clause(rules, b->rule, k), rules->sizes[b->rule * rules->K + k]);
    if (order) return order;
  }
  return m < n ? -1 : 1;
}

static irl_status sort_rules(irl_env *env, irl_optimal_rules *rules) {
  irl_optimal_rules sorted = *rules;
  const size_t K = rules->K, M = rules->M;
  place *order = irl_mem_alloc(&env->allocator, rules->n, sizeof *order);
  sorted.n = sorted.capacity = 0;
  sorted.clauses = sorted.sizes = NULL;
  sorted.literals = NULL;
  sorted.losses = NULL;
  const bool is_ready = order && reserve(&sorted, rules->n + 1);
  for (size_t i = 0; i < rules->n && is_ready; i++) {
    order[i] = (place){rules, i, 0};
    for (uint32_t k = 0; k < rules->clauses[i]; k++) order[i].n_literals += rules->sizes[i * K + k];
  }
  if (is_ready) qsort(order, rules->n, sizeof *order, compare_rules);
  for (size_t to = 0; to < rules->n && is_ready; to++) {
    const size_t from = order[to].rule;
    sorted.clauses[to] = rules->clauses[from];
    sorted.losses[to] = rules->losses[from];
    memcpy(sorted.sizes + to * K, rules->sizes + from * K, K * sizeof *sorted.sizes);
    memcpy(sorted.literals + to * K * M, rules->literals + from * K * M,
           K * M * sizeof *sorted.literals);
    assert(!to || sorted.losses[to - 1] <= sorted.losses[to]);
    sorted.n++;
  }
  irl_mem_free(&env->allocator, order);
  irl_optimal_rules_free(is_ready ? rules : &sorted);
  if (!is_ready) return irl_fail_memory(env);
  *rules = sorted;
  return IRL_OK;
}

irl_status irl_prove_optimal_rules(irl_learner *learner, int64_t most, size_t max,
                                   irl_optimal_rules *out) {
  const irl_data *data = learner->data;
  irl_optimal_rules rules = {
      .allocator = learner->env->allocator, .K = learner->settings.K, .M = learner->settings.M};
  search s = {.learner = learner, .found = &rules, .max = max};
  irl_rule_bnb_task task = {
      .cap = SIZE_MAX / 2, .target = most + 1, .found = keep_tight, .user = &s};
  const irl_limit part = irl_learner_sublimit(learner, UINT64_MAX);
  assert(irl_learner_is_proven(learner));
  s.words = irl_mem_alloc_aligned(
      &rules.allocator, 2 * (data->cases.stride + data->controls.stride), sizeof *s.words);
  irl_status status =
      s.words ? irl_rule_bnb_solve(learner, &part, &task) : irl_fail_memory(learner->env);
  if (!status) status = s.status;
  rules.is_complete = task.is_proven;
  assert(status || rules.n || !task.is_proven); /* the best rule, or what of it matters */
  irl_mem_free_aligned(&rules.allocator, s.words);
  if (!status) status = sort_rules(learner->env, &rules);
  if (status)
    irl_optimal_rules_free(&rules);
  else
    *out = rules;
  return status;
}

irl_status irl_optimal_rules_get(irl_env *env, const irl_data *data, const irl_optimal_rules *rules,
                                 size_t rule, irl_rule **out) {
  assert(rule < rules->n);
  return irl_rule_from_literals(env, data, rules->K, rules->M, rules->clauses[rule],
                                rules->sizes + rule * rules->K,
                                irl_optimal_rules_clause(rules, rule, 0), out);
}
