/* The children of a node of the rule branch and bound, in order, without the dominated ones.
 *
 * Clause c dominates clause d at a node if, among the samples that are uncovered there, c covers
 * all cases of d and no control but those of d (and is not longer, where literals count). Any rule
 * that has the clauses of the node and d is then no better than with c in the place of d. So d is
 * left out if c is an earlier child, or was closed at the node or above it: there every better rule
 * with c was found already. Equal clauses dominate each other; the first one stays. */
#include "base/memory.h"
#include "prove/prove_effort.h"
#include "prove/rule_bnb_node.h"
#include <stdlib.h>

static size_t cover_words(const irl_rule_bnb *s) {
  return s->data->cases.stride + s->data->controls.stride;
}

void irl_rule_bnb_cover(const irl_bits_matrix *data, const irl_clause *clause, const uint64_t *live,
                        uint64_t *cover) {
  const irl_kernels *kernels = irl_bits_kernels();
  memcpy(cover, live, data->stride * sizeof *cover);
  for (uint32_t i = 0; i < clause->n; i++) {
    const uint64_t *bits = irl_bits_vector(data, irl_literal_feature(clause->literals[i]));
    const bool negated = irl_literal_is_negated(clause->literals[i]);
    (negated ? kernels->andnot_into : kernels->and_into)(cover, cover, bits, data->stride);
  }
}

static bool reserve_dominators(irl_rule_bnb *s, size_t n) {
  const irl_allocator *allocator = &s->learner->env->allocator;
  irl_rule_dominators *a = &s->dominators;
  if (n <= a->capacity) return true;
  const size_t capacity = n + n / 2 + 16, words = cover_words(s);
  uint64_t *covers = irl_mem_alloc_aligned(allocator, capacity * words, sizeof *covers);
  uint32_t *sizes = irl_mem_grow(allocator, a->sizes, capacity, sizeof *sizes);
  if (sizes) a->sizes = sizes;
  if (!covers || !sizes) {
    irl_mem_free_aligned(allocator, covers);
    return false;
  }
  if (a->n) memcpy(covers, a->covers, a->n * words * sizeof *covers);
  irl_mem_free_aligned(allocator, a->covers);
  a->covers = covers;
  a->capacity = capacity;
  return true;
}

/* The cover of a clause on what is uncovered at the node becomes that of number a->n. */
static void put_dominator(irl_rule_bnb *s, const irl_rule_bnb_node *at, const irl_clause *clause) {
  const irl_data *data = s->data;
  const irl_rule_bnb_level *here = &s->levels[at->n];
  irl_rule_dominators *a = &s->dominators;
  uint64_t *cover = a->covers + a->n * cover_words(s);
  assert(a->n < a->capacity && clause->n && clause->n <= s->learner->settings.M);
  irl_rule_bnb_cover(&data->cases, clause, here->cases, cover);
  if (s->learner->settings.is_hamming) {
    irl_bits_fill(cover + data->cases.stride, data->n_controls, data->controls.stride);
    irl_rule_bnb_cover(&data->controls, clause, cover + data->cases.stride,
                       cover + data->cases.stride);
  } else {
    irl_rule_bnb_cover(&data->controls, clause, here->controls, cover + data->cases.stride);
  }
  a->sizes[a->n] = clause->n;
}

/* Does one of the first a->n dominate number a->n? */
static bool is_dominated(const irl_rule_bnb *s) {
  const irl_rule_dominators *a = &s->dominators;
  const irl_learn_settings *settings = &s->learner->settings;
  const bool counts_literals = settings->max_literals != UINT64_MAX || settings->penalty;
  const size_t words = cover_words(s), case_words = s->data->cases.stride;
  const uint64_t *cover = a->covers + a->n * words;
  for (size_t i = 0; i < a->n; i++) {
    const uint64_t *own = a->covers + i * words;
    size_t w = 0;
    if (counts_literals && a->sizes[i] > a->sizes[a->n]) continue;
    while (w < case_words && !(cover[w] & ~own[w])) w++;
    if (w < case_words) continue;
    while (w < words && !(own[w] & ~cover[w])) w++;
    if (w == words) return true;
  }
  return false;
}

typedef struct ranked {
  int64_t value;
  const irl_literal *literals;
  uint32_t n, i;
} ranked;

/* As irl_clause_better. */
static int by_value(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  if (a->n != b->n) return a->n < b->n ? -1 : 1;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->literals[i] != b->literals[i]) return a->literals[i] < b->literals[i] ? -1 : 1;
  return 0;
}

irl_status irl_rule_bnb_sort(irl_rule_bnb *s, irl_rule_bnb_level *here) {
  const irl_allocator *allocator = &s->learner->env->allocator;
  const irl_clause_array *list = &here->clauses;
  const size_t n = list->n;
  here->n_order = 0;
  if (n > here->order_capacity) {
    uint32_t *order = irl_mem_grow(allocator, here->order, n, sizeof *order);
    if (!order) return irl_fail_memory(s->learner->env);
    here->order = order;
    here->order_capacity = n;
  }
  ranked *all = irl_mem_alloc(allocator, n, sizeof *all);
  if (!all) return irl_fail_memory(s->learner->env);
  for (size_t i = 0; i < n; i++)
    all[i] = (ranked){list->values[i], list->literals + i * list->max_literals, list->sizes[i],
                      (uint32_t)i};
  qsort(all, n, sizeof *all, by_value);
  for (size_t i = 0; i < n; i++) here->order[here->n_order++] = all[i].i;
  assert(here->n_order == n && here->n_order <= here->order_capacity);
  irl_mem_free(allocator, all);
  return IRL_OK;
}

/* Does the clause cover more without one of its literals, whichever it is? */
static bool is_short(irl_rule_bnb *s, const irl_clause *clause) {
  const irl_data *data = s->data;
  assert(s->dominators.capacity >= 2 && clause->n);
  irl_bits_fill(s->dominators.covers, data->n_cases, data->cases.stride);
  uint64_t *all_cases = s->dominators.covers, *cases = all_cases + cover_words(s);
  uint64_t *all_controls = all_cases + data->cases.stride, *controls = cases + data->cases.stride;
  irl_bits_fill(all_controls, data->n_controls, data->controls.stride);
  const irl_kernels *kernels = irl_bits_kernels();
  uint64_t before = 0;
  for (uint32_t without = clause->n; without != UINT32_MAX; without--) {
    irl_clause shorter = {.n = 0};
    for (uint32_t i = 0; i < clause->n; i++)
      if (i != without) shorter.literals[shorter.n++] = clause->literals[i];
    irl_rule_bnb_cover(&data->cases, &shorter, all_cases, cases);
    irl_rule_bnb_cover(&data->controls, &shorter, all_controls, controls);
    const uint64_t n =
        kernels->count(cases, data->cases.stride) + kernels->count(controls, data->controls.stride);
    if (without < clause->n && clause->n > 1 && n == before) return false;
    before = without == clause->n ? n : before;
  }
  return true;
}

static bool is_closed(const irl_rule_bnb *s, const irl_clause *clause) {
  const irl_clause_array *closed = &s->closed;
  for (size_t i = 0; i < closed->n; i++)
    if (closed->sizes[i] == clause->n && !memcmp(closed->literals + i * closed->max_literals,
                                                 clause->literals, clause->n * sizeof(irl_literal)))
      return true;
  return false;
}

irl_status irl_rule_bnb_drop_repeated(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_rule_bnb_level *here = &s->levels[at->n];
  irl_clause clause;
  size_t kept = 0;
  if (!reserve_dominators(s, 2)) return irl_fail_memory(s->learner->env);
  for (size_t i = 0; i < here->n_order; i++) {
    irl_clause_array_get(&here->clauses, here->order[i], &clause);
    if (!is_closed(s, &clause) && is_short(s, &clause)) here->order[kept++] = here->order[i];
  }
  assert(kept <= here->n_order);
  s->learner->work += (s->closed.n + cover_words(s)) * here->n_order;
  here->n_order = kept;
  return IRL_OK;
}

/* Does number a->n cover controls of more weight than may be paid? The enumeration limits their
 * number, which says all unless they are merged. */
static bool is_too_dear(const irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  const uint64_t *cover = s->dominators.covers + s->dominators.n * cover_words(s);
  return s->merged->own && irl_merged_weigh(s->merged, 1, cover + s->data->cases.stride) >
                               s->target - 1 - at->cost_so_far;
}

irl_status irl_rule_bnb_drop_dominated(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_rule_bnb_level *here = &s->levels[at->n];
  irl_rule_dominators *a = &s->dominators;
  irl_clause clause;
  size_t kept = 0;
  a->n = 0;
  if (!reserve_dominators(s, IRL_PROVE_MAX_DOMINATORS + 1)) return irl_fail_memory(s->learner->env);
  for (size_t i = 0; i < s->closed.n && a->n < IRL_PROVE_MAX_DOMINATORS; i++, a->n++) {
    irl_clause_array_get(&s->closed, i, &clause);
    put_dominator(s, at, &clause);
  }
  for (size_t i = 0; i < here->n_order; i++) {
    irl_clause_array_get(&here->clauses, here->order[i], &clause);
    put_dominator(s, at, &clause);
    if (is_too_dear(s, at) || is_dominated(s)) continue;
    a->n += a->n < IRL_PROVE_MAX_DOMINATORS;
    here->order[kept++] = here->order[i];
  }
  assert(kept <= here->n_order && a->n <= IRL_PROVE_MAX_DOMINATORS);
  s->learner->work += (a->n + here->n_order) * cover_words(s);
  here->n_order = kept;
  return IRL_OK;
}
