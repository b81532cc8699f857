/* All rules that are as good as the best, or nearly: the evidence behind one of them.
 *
 * The nested search, with a target above the largest loss that is wanted, meets every rule below it
 * once. Of these the ones are kept in which nothing is superfluous: any clause or literal that is
 * dropped makes the loss larger. (Otherwise doubled clauses and idle literals would bury the rest.)
 * They are sorted by loss, then by length, then by their literals. */
#include "learn/alike.h"
#include "base/memory.h"
#include "learn/nest.h"
#include <stdlib.h>

typedef struct search {
  irl_learner *learner;
  irl_learn_alike *alike;
  size_t max;
  uint64_t *words; /* scratch: union and cover, cases then controls */
  irl_status status;
} search;

void irl_learn_alike_free(irl_learn_alike *alike) {
  if (!alike->allocator.resize) return;
  irl_mem_free(&alike->allocator, alike->clauses);
  irl_mem_free(&alike->allocator, alike->sizes);
  irl_mem_free(&alike->allocator, alike->literals);
  irl_mem_free(&alike->allocator, alike->losses);
  *alike = (irl_learn_alike){0};
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

static bool reserve(irl_learn_alike *alike) {
  if (alike->n < alike->capacity) return true;
  const size_t capacity = 2 * alike->capacity + 16, K = alike->K;
  uint32_t *clauses = irl_mem_grow(&alike->allocator, alike->clauses, capacity, sizeof *clauses);
  if (clauses) alike->clauses = clauses;
  uint32_t *sizes = irl_mem_grow(&alike->allocator, alike->sizes, capacity * K, sizeof *sizes);
  if (sizes) alike->sizes = sizes;
  irl_literal *literals =
      irl_mem_grow(&alike->allocator, alike->literals, capacity * K * alike->M, sizeof *literals);
  if (literals) alike->literals = literals;
  int64_t *losses = irl_mem_grow(&alike->allocator, alike->losses, capacity, sizeof *losses);
  if (losses) alike->losses = losses;
  if (!clauses || !sizes || !literals || !losses) return false;
  alike->capacity = capacity;
  return true;
}

static int by_literals(const void *x, const void *y) {
  const irl_clause *a = x, *b = y;
  for (uint32_t i = 0; i < a->n && i < b->n; i++)
    if (a->literals[i] != b->literals[i]) return a->literals[i] < b->literals[i] ? -1 : 1;
  return (a->n > b->n) - (a->n < b->n);
}

static void put(irl_learn_alike *alike, const irl_clause *clauses, uint32_t n, int64_t loss) {
  irl_clause sorted[IRL_LEARN_MAX_K];
  const size_t rule = alike->n++;
  memcpy(sorted, clauses, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, by_literals);
  alike->clauses[rule] = n;
  alike->losses[rule] = loss;
  memset(alike->sizes + rule * alike->K, 0, alike->K * sizeof *alike->sizes);
  memset(alike->literals + rule * alike->K * alike->M, 0,
         (size_t)alike->K * alike->M * sizeof *alike->literals);
  for (uint32_t k = 0; k < n; k++) {
    alike->sizes[rule * alike->K + k] = sorted[k].n;
    memcpy(alike->literals + (rule * alike->K + k) * alike->M, sorted[k].literals,
           sorted[k].n * sizeof *sorted[k].literals);
  }
}

static bool found(void *user, const irl_clause *clauses, uint32_t n) {
  search *s = user;
  const int64_t loss = weigh(s, clauses, n, n, 0);
  s->learner->work += (1 + n * s->learner->settings.M) * n *
                      (s->learner->data->cases.stride + s->learner->data->controls.stride);
  if (!is_tight(s, clauses, n, loss)) return false;
  if (s->alike->n == s->max) return true;
  if (!reserve(s->alike)) {
    s->status = irl_fail_memory(s->learner->env);
    return true;
  }
  put(s->alike, clauses, n, loss);
  return false;
}

/* ---- order ---- */

typedef struct place {
  const irl_learn_alike *alike;
  size_t rule;
} place;

static uint32_t length_of(const irl_learn_alike *alike, size_t rule) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < alike->clauses[rule]; k++) n += alike->sizes[rule * alike->K + k];
  return n;
}

static int compare_rules(const void *x, const void *y) {
  const place *a = x, *b = y;
  const irl_learn_alike *alike = a->alike;
  if (alike->losses[a->rule] != alike->losses[b->rule])
    return alike->losses[a->rule] < alike->losses[b->rule] ? -1 : 1;
  const uint32_t m = length_of(alike, a->rule), n = length_of(alike, b->rule);
  if (m != n) return m < n ? -1 : 1;
  for (uint32_t k = 0; k < alike->clauses[a->rule] && k < alike->clauses[b->rule]; k++) {
    const irl_literal *p = irl_learn_alike_clause(alike, a->rule, k);
    const irl_literal *q = irl_learn_alike_clause(alike, b->rule, k);
    const uint32_t np = alike->sizes[a->rule * alike->K + k],
                   nq = alike->sizes[b->rule * alike->K + k];
    for (uint32_t i = 0; i < np && i < nq; i++)
      if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
    if (np != nq) return np < nq ? -1 : 1;
  }
  return alike->clauses[a->rule] < alike->clauses[b->rule] ? -1 : 1;
}

static irl_status sort(irl_env *env, irl_learn_alike *alike) {
  irl_learn_alike sorted = {.allocator = alike->allocator,
                            .K = alike->K,
                            .M = alike->M,
                            .is_complete = alike->is_complete};
  const size_t K = alike->K, M = alike->M;
  place *order = irl_mem_alloc(&env->allocator, alike->n, sizeof *order);
  bool is_ready = order != NULL;
  for (size_t i = 0; i < alike->n && is_ready; i++) order[i] = (place){alike, i};
  if (is_ready) qsort(order, alike->n, sizeof *order, compare_rules);
  for (size_t i = 0; i < alike->n && (is_ready = is_ready && reserve(&sorted)); i++) {
    const size_t from = order[i].rule, to = sorted.n++;
    sorted.clauses[to] = alike->clauses[from];
    sorted.losses[to] = alike->losses[from];
    memcpy(sorted.sizes + to * K, alike->sizes + from * K, K * sizeof *sorted.sizes);
    memcpy(sorted.literals + to * K * M, alike->literals + from * K * M,
           K * M * sizeof *sorted.literals);
  }
  irl_mem_free(&env->allocator, order);
  irl_learn_alike_free(is_ready ? alike : &sorted);
  if (!is_ready) return irl_fail_memory(env);
  *alike = sorted;
  return IRL_OK;
}

irl_status irl_learn_find_alike(irl_learner *learner, int64_t most, size_t max,
                                irl_learn_alike *out) {
  const irl_data *data = learner->data;
  irl_learn_alike alike = {
      .allocator = learner->env->allocator, .K = learner->settings.K, .M = learner->settings.M};
  search s = {.learner = learner, .alike = &alike, .max = max};
  irl_learn_nesting nesting = {.cap = SIZE_MAX / 2, .target = most + 1, .found = found, .user = &s};
  const irl_limit part = irl_learner_part(learner, UINT64_MAX);
  s.words = irl_mem_alloc_aligned(
      &alike.allocator, 2 * (data->cases.stride + data->controls.stride), sizeof *s.words);
  irl_status status =
      s.words ? irl_learn_nest(learner, &part, &nesting) : irl_fail_memory(learner->env);
  if (!status) status = s.status;
  alike.is_complete = nesting.is_proven;
  assert(status || alike.n || !nesting.is_proven); /* the best rule, or what of it matters */
  irl_mem_free_aligned(&alike.allocator, s.words);
  if (!status) status = sort(learner->env, &alike);
  if (status)
    irl_learn_alike_free(&alike);
  else
    *out = alike;
  return status;
}
