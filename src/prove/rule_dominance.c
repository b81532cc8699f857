/* The children of a node of the rule branch and bound, in order, without the dominated ones.
 *
 * Clause c dominates clause d at a node if, among the samples that are uncovered there, c covers
 * all cases of d and no control but those of d (and is not longer, where literals count). Any rule
 * that has the clauses of the node and d is then no better than with c in the place of d. So d is
 * left out if c is an earlier child, or was closed at the node or above it: there every better rule
 * with c was found already. Equal clauses dominate each other; the first one stays. */
#include "base/memory.h"
#include "prove/rule_bnb_node.h"
#include "rule/literal_columns.h"
#include <stdlib.h>

static size_t cover_words(const irl_rule_bnb *s) {
  return s->data->cases.stride + s->data->controls.stride;
}

void irl_rule_bnb_cover(const irl_data *data, bool is_control, const irl_clause *clause,
                        const uint64_t *live, uint64_t *cover) {
  irl_literals_cover(data, is_control, clause->literals, clause->n, cover);
  irl_bits_kernels()->and_into(cover, cover, live,
                               (is_control ? &data->controls : &data->cases)->stride);
}

/* Room for n covers; it is the same number each time. */
static irl_status make_dominators(irl_rule_bnb *s, size_t n) {
  irl_rule_dominators *a = &s->dominators;
  a->n = 0;
  if (a->covers) return IRL_STATUS_OK;
  a->sizes = irl_arena_alloc(&s->arena, n, sizeof *a->sizes);
  a->covers = irl_arena_alloc_aligned(&s->arena, n * cover_words(s), sizeof *a->covers);
  return a->sizes && a->covers ? IRL_STATUS_OK : irl_fail_memory(s->env);
}

/* The cover of a clause on what it gains and pays at the node becomes that of number a->n. */
static void put_dominator(irl_rule_bnb *s, const irl_rule_bnb_node *at, const irl_clause *clause) {
  const irl_data *data = s->data;
  const irl_rule_bnb_level *here = &s->levels[at->n];
  irl_rule_dominators *a = &s->dominators;
  uint64_t *cases = a->covers + a->n * cover_words(s), *controls = cases + data->cases.stride;
  assert(a->n <= s->search->settings.tuning.dominators && clause->n &&
         clause->n <= s->search->problem->M);
  irl_rule_bnb_cover(data, false, clause, here->cases, cases);
  irl_rule_bnb_cover(data, true, clause, irl_rule_bnb_unpaid(s, at->n), controls);
  a->sizes[a->n] = clause->n;
}

/* Does one of the first a->n dominate number a->n? */
static bool is_dominated(const irl_rule_bnb *s) {
  const irl_rule_dominators *a = &s->dominators;
  const bool counts_literals = irl_problem_counts_literals(s->search->problem);
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
  uint32_t rank; /* the size of a small clause: shorter ones first, then all others */
  const irl_literal *literals;
  uint32_t n, i;
} ranked;

/* As irl_clause_better. */
static int by_value(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  if (a->n != b->n) return a->n < b->n ? -1 : 1;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->literals[i] != b->literals[i]) return a->literals[i] < b->literals[i] ? -1 : 1;
  return 0;
}

irl_status irl_rule_bnb_sort(irl_rule_bnb *s, irl_rule_bnb_level *here) {
  const irl_allocator *allocator = &s->search->env->allocator;
  const irl_clause_array *list = &here->clauses;
  const size_t n = list->n;
  here->n_order = 0;
  if (n > here->order_capacity) {
    uint32_t *order = irl_mem_grow(allocator, here->order, n, sizeof *order);
    if (!order) return irl_fail_memory(s->env);
    here->order = order;
    here->order_capacity = n;
  }
  ranked *all = irl_mem_alloc(allocator, n, sizeof *all);
  if (!all) return irl_fail_memory(s->env);
  for (size_t i = 0; i < n; i++)
    all[i] = (ranked){.value = list->values[i],
                      .rank = list->sizes[i] <= here->small ? list->sizes[i] : UINT32_MAX,
                      .literals = list->literals + i * list->max_size,
                      .n = list->sizes[i],
                      .i = (uint32_t)i};
  qsort(all, n, sizeof *all, by_value);
  for (size_t i = 0; i < n; i++) here->order[here->n_order++] = all[i].i;
  assert(here->n_order == n && here->n_order <= here->order_capacity);
  irl_mem_free(allocator, all);
  return IRL_STATUS_OK;
}

/* Does the clause cover more without one of its literals, whichever it is? */
static bool is_short(irl_rule_bnb *s, const irl_clause *clause) {
  const irl_data *data = s->data;
  const irl_kernels *kernels = irl_bits_kernels();
  uint64_t *cases = s->dominators.covers, *controls = cases + data->cases.stride, before = 0;
  assert(cases && clause->n);
  for (uint32_t without = clause->n; without != UINT32_MAX; without--) {
    irl_literal shorter[IRL_CLAUSE_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < clause->n; i++)
      if (i != without) shorter[n++] = clause->literals[i];
    irl_literals_cover(data, false, shorter, n, cases);
    irl_literals_cover(data, true, shorter, n, controls);
    const uint64_t covered =
        kernels->count(cases, data->cases.stride) + kernels->count(controls, data->controls.stride);
    if (without < clause->n && clause->n > 1 && covered == before) return false;
    before = without == clause->n ? covered : before;
  }
  return true;
}

irl_status irl_rule_bnb_drop_repeated(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_rule_bnb_level *here = &s->levels[at->n];
  irl_clause clause;
  size_t kept = 0;
  const irl_clause_array *closed = &s->closed;
  const irl_status status = make_dominators(s, 1);
  if (status) return status;
  for (size_t i = 0; i < here->n_order; i++) {
    irl_clause_array_get(&here->clauses, here->order[i], &clause);
    bool is_closed = false;
    for (size_t k = 0; k < closed->n && !is_closed; k++)
      is_closed = closed->sizes[k] == clause.n &&
                  !memcmp(closed->literals + k * closed->max_size, clause.literals,
                          clause.n * sizeof *clause.literals);
    if (!is_closed && is_short(s, &clause)) here->order[kept++] = here->order[i];
  }
  assert(kept <= here->n_order);
  s->work += (s->closed.n + cover_words(s)) * here->n_order;
  here->n_order = kept;
  return IRL_STATUS_OK;
}

irl_status irl_rule_bnb_drop_dominated(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_rule_bnb_level *here = &s->levels[at->n];
  irl_rule_dominators *a = &s->dominators;
  irl_clause clause;
  size_t kept = 0;
  const irl_status status = make_dominators(s, s->search->settings.tuning.dominators + 1);
  if (status) return status;
  for (size_t i = 0; i < s->closed.n && a->n < s->search->settings.tuning.dominators; i++, a->n++) {
    irl_clause_array_get(&s->closed, i, &clause);
    put_dominator(s, at, &clause);
  }
  for (size_t i = 0; i < here->n_order; i++) {
    irl_clause_array_get(&here->clauses, here->order[i], &clause);
    put_dominator(s, at, &clause);
    /* The enumeration limits the number of controls, which says all unless they have weights. */
    const uint64_t *controls = a->covers + a->n * cover_words(s) + s->data->cases.stride;
    const bool is_too_dear = s->merged->weights[1] && irl_merged_weigh(s->merged, 1, controls) >
                                                          s->target - 1 - at->cost_so_far;
    if (is_too_dear || is_dominated(s)) continue;
    a->n += a->n < s->search->settings.tuning.dominators;
    here->order[kept++] = here->order[i];
  }
  assert(kept <= here->n_order && a->n <= s->search->settings.tuning.dominators);
  s->work += (a->n + here->n_order) * cover_words(s);
  here->n_order = kept;
  return IRL_STATUS_OK;
}
