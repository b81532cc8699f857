/* All rules that are as good as the best, or nearly: the evidence behind one of them.
 *
 * The nested search, with a target above the largest loss that is wanted, meets every rule below it
 * once. Of these the ones are kept in which nothing is superfluous: any clause or literal that is
 * dropped makes the loss larger. (Otherwise doubled clauses and idle literals would bury the rest.)
 * They are sorted by loss, then by length, then by their literals. */
#include "prove/optimal_rules.h"
#include "base/memory.h"
#include "prove/rule_bnb.h"
#include <stdlib.h>

typedef struct search {
  irl_learner *learner;
  irl_optimal_rules *optimal_rules;
  size_t max;
  uint64_t *words; /* scratch: union and cover, cases then controls */
  irl_status status;
} search;

void irl_optimal_rules_free(irl_optimal_rules *optimal_rules) {
  if (!optimal_rules->allocator.resize) return;
  irl_mem_free(&optimal_rules->allocator, optimal_rules->clauses);
  irl_mem_free(&optimal_rules->allocator, optimal_rules->sizes);
  irl_mem_free(&optimal_rules->allocator, optimal_rules->literals);
  irl_mem_free(&optimal_rules->allocator, optimal_rules->losses);
  *optimal_rules = (irl_optimal_rules){0};
}

/* ---- weighing ---- */

/* The cover of a clause without one of its literals (clause->n: with all). */
static void make_cover(const irl_bits_matrix *data, const irl_clause *clause, uint32_t without,
                       uint64_t *cover) {
  const irl_kernels *kernels = irl_bits_kernels();
  irl_bits_fill(cover, data->n_bits, data->stride);
  for (uint32_t i = 0; i < clause->n; i++) {
    const uint64_t *bits = irl_bits_vector(data, irl_literal_feature(clause->literals[i]));
    if (i == without) continue;
    if (irl_literal_is_negated(clause->literals[i]))
      kernels->andnot_into(cover, cover, bits, data->stride);
    else
      kernels->and_into(cover, cover, bits, data->stride);
  }
}

/* The loss of a rule without literal l of clause k, or (l = its size) without the clause, or
 * (k = n) with all. */
static int64_t weigh(const search *s, const irl_clause *clauses, uint32_t n, uint32_t k,
                     uint32_t l) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_learn_settings *settings = &s->learner->settings;
  const irl_data *data = s->learner->data;
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  int64_t cost = 0;
  uint64_t *cases = s->words, *controls = cases + case_words;
  uint64_t *cover = controls + control_words;
  uint64_t tp = 0, fp = 0, satisfied = 0;
  memset(cases, 0, (case_words + control_words) * sizeof *cases);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t without = i == k ? l : clauses[i].n;
    if (i == k && l == clauses[i].n) continue;
    cost += irl_learner_cost(s->learner, clauses[i].n - (i == k));
    make_cover(&data->cases, &clauses[i], without, cover);
    tp = kernels->or_into(cases, cases, cover, case_words);
    make_cover(&data->controls, &clauses[i], without, cover);
    satisfied += kernels->count(cover, control_words);
    fp = kernels->or_into(controls, controls, cover, control_words);
  }
  if (tp < s->learner->min_cases || fp > s->learner->max_controls) return IRL_SELECT_NO_LOSS;
  return cost + settings->case_weight * (int64_t)(data->n_cases - tp) +
         settings->control_weight * (int64_t)(settings->is_hamming ? satisfied : fp);
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

static bool reserve(irl_optimal_rules *optimal_rules) {
  if (optimal_rules->n < optimal_rules->capacity) return true;
  const size_t capacity = 2 * optimal_rules->capacity + 16, K = optimal_rules->K;
  uint32_t *clauses =
      irl_mem_grow(&optimal_rules->allocator, optimal_rules->clauses, capacity, sizeof *clauses);
  if (clauses) optimal_rules->clauses = clauses;
  uint32_t *sizes =
      irl_mem_grow(&optimal_rules->allocator, optimal_rules->sizes, capacity * K, sizeof *sizes);
  if (sizes) optimal_rules->sizes = sizes;
  irl_literal *literals = irl_mem_grow(&optimal_rules->allocator, optimal_rules->literals,
                                       capacity * K * optimal_rules->M, sizeof *literals);
  if (literals) optimal_rules->literals = literals;
  int64_t *losses =
      irl_mem_grow(&optimal_rules->allocator, optimal_rules->losses, capacity, sizeof *losses);
  if (losses) optimal_rules->losses = losses;
  if (!clauses || !sizes || !literals || !losses) return false;
  optimal_rules->capacity = capacity;
  return true;
}

static int by_literals(const void *x, const void *y) {
  const irl_clause *a = x, *b = y;
  for (uint32_t i = 0; i < a->n && i < b->n; i++)
    if (a->literals[i] != b->literals[i]) return a->literals[i] < b->literals[i] ? -1 : 1;
  return (a->n > b->n) - (a->n < b->n);
}

static void put(irl_optimal_rules *optimal_rules, const irl_clause *clauses, uint32_t n,
                int64_t loss) {
  irl_clause sorted[IRL_LEARN_MAX_K];
  const size_t rule = optimal_rules->n++;
  memcpy(sorted, clauses, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, by_literals);
  optimal_rules->clauses[rule] = n;
  optimal_rules->losses[rule] = loss;
  memset(optimal_rules->sizes + rule * optimal_rules->K, 0,
         optimal_rules->K * sizeof *optimal_rules->sizes);
  memset(optimal_rules->literals + rule * optimal_rules->K * optimal_rules->M, 0,
         (size_t)optimal_rules->K * optimal_rules->M * sizeof *optimal_rules->literals);
  for (uint32_t k = 0; k < n; k++) {
    optimal_rules->sizes[rule * optimal_rules->K + k] = sorted[k].n;
    memcpy(optimal_rules->literals + (rule * optimal_rules->K + k) * optimal_rules->M,
           sorted[k].literals, sorted[k].n * sizeof *sorted[k].literals);
  }
}

static bool found(void *user, const irl_clause *clauses, uint32_t n) {
  search *s = user;
  const int64_t loss = weigh(s, clauses, n, n, 0);
  s->learner->work += (1 + n * s->learner->settings.M) * n *
                      (s->learner->data->cases.stride + s->learner->data->controls.stride);
  if (!is_tight(s, clauses, n, loss)) return false;
  if (s->optimal_rules->n == s->max) return true;
  if (!reserve(s->optimal_rules)) {
    s->status = irl_fail_memory(s->learner->env);
    return true;
  }
  put(s->optimal_rules, clauses, n, loss);
  return false;
}

/* ---- order ---- */

typedef struct place {
  const irl_optimal_rules *optimal_rules;
  size_t rule;
} place;

static uint32_t length_of(const irl_optimal_rules *optimal_rules, size_t rule) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < optimal_rules->clauses[rule]; k++)
    n += optimal_rules->sizes[rule * optimal_rules->K + k];
  return n;
}

static int compare_rules(const void *x, const void *y) {
  const place *a = x, *b = y;
  const irl_optimal_rules *optimal_rules = a->optimal_rules;
  if (optimal_rules->losses[a->rule] != optimal_rules->losses[b->rule])
    return optimal_rules->losses[a->rule] < optimal_rules->losses[b->rule] ? -1 : 1;
  const uint32_t m = length_of(optimal_rules, a->rule), n = length_of(optimal_rules, b->rule);
  if (m != n) return m < n ? -1 : 1;
  for (uint32_t k = 0; k < optimal_rules->clauses[a->rule] && k < optimal_rules->clauses[b->rule];
       k++) {
    const irl_literal *p = irl_optimal_rules_clause(optimal_rules, a->rule, k);
    const irl_literal *q = irl_optimal_rules_clause(optimal_rules, b->rule, k);
    const uint32_t np = optimal_rules->sizes[a->rule * optimal_rules->K + k],
                   nq = optimal_rules->sizes[b->rule * optimal_rules->K + k];
    for (uint32_t i = 0; i < np && i < nq; i++)
      if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
    if (np != nq) return np < nq ? -1 : 1;
  }
  return optimal_rules->clauses[a->rule] < optimal_rules->clauses[b->rule] ? -1 : 1;
}

static irl_status sort(irl_env *env, irl_optimal_rules *optimal_rules) {
  irl_optimal_rules sorted = {.allocator = optimal_rules->allocator,
                              .K = optimal_rules->K,
                              .M = optimal_rules->M,
                              .is_complete = optimal_rules->is_complete};
  const size_t K = optimal_rules->K, M = optimal_rules->M;
  place *order = irl_mem_alloc(&env->allocator, optimal_rules->n, sizeof *order);
  bool is_ready = order != NULL;
  for (size_t i = 0; i < optimal_rules->n && is_ready; i++) order[i] = (place){optimal_rules, i};
  if (is_ready) qsort(order, optimal_rules->n, sizeof *order, compare_rules);
  for (size_t i = 0; i < optimal_rules->n && (is_ready = is_ready && reserve(&sorted)); i++) {
    const size_t from = order[i].rule, to = sorted.n++;
    sorted.clauses[to] = optimal_rules->clauses[from];
    sorted.losses[to] = optimal_rules->losses[from];
    memcpy(sorted.sizes + to * K, optimal_rules->sizes + from * K, K * sizeof *sorted.sizes);
    memcpy(sorted.literals + to * K * M, optimal_rules->literals + from * K * M,
           K * M * sizeof *sorted.literals);
  }
  irl_mem_free(&env->allocator, order);
  irl_optimal_rules_free(is_ready ? optimal_rules : &sorted);
  if (!is_ready) return irl_fail_memory(env);
  *optimal_rules = sorted;
  return IRL_OK;
}

irl_status irl_prove_optimal_rules(irl_learner *learner, int64_t most, size_t max,
                                   irl_optimal_rules *out) {
  const irl_data *data = learner->data;
  irl_optimal_rules optimal_rules = {
      .allocator = learner->env->allocator, .K = learner->settings.K, .M = learner->settings.M};
  search s = {.learner = learner, .optimal_rules = &optimal_rules, .max = max};
  irl_rule_bnb_task task = {.cap = SIZE_MAX / 2, .target = most + 1, .found = found, .user = &s};
  const irl_limit part = irl_learner_sublimit(learner, UINT64_MAX);
  s.words = irl_mem_alloc_aligned(
      &optimal_rules.allocator, 2 * (data->cases.stride + data->controls.stride), sizeof *s.words);
  irl_status status =
      s.words ? irl_rule_bnb_solve(learner, &part, &task) : irl_fail_memory(learner->env);
  if (!status) status = s.status;
  optimal_rules.is_complete = task.is_proven;
  assert(status || optimal_rules.n || !task.is_proven); /* the best rule, or what of it matters */
  irl_mem_free_aligned(&optimal_rules.allocator, s.words);
  if (!status) status = sort(learner->env, &optimal_rules);
  if (status)
    irl_optimal_rules_free(&optimal_rules);
  else
    *out = optimal_rules;
  return status;
}

irl_status irl_optimal_rules_get(irl_env *env, const irl_data *data,
                                 const irl_optimal_rules *optimal_rules, size_t rule,
                                 irl_rule **out) {
  return irl_rule_from_literals(env, data, optimal_rules->K, optimal_rules->M,
                                optimal_rules->clauses[rule],
                                optimal_rules->sizes + rule * optimal_rules->K,
                                irl_optimal_rules_clause(optimal_rules, rule, 0), out);
}
