/* The candidates of a node and the bounds that drop them.
 *
 * A node has chosen some clauses and may add `left` more. A candidate's benefit is the weight of
 * the cases that it would newly cover, less its cost. What `left` clauses gain together is at most
 * the sum of their benefits (overlaps only lose) less the controls they newly cover; a control is
 * paid once however many of them cover it, so at least 1/left of the sum of their new controls is
 * paid. Hence with value = left * benefit - weight of new controls,
 *
 *   left * (gain of all)  <=  sum of their values.
 *
 * To be of interest the gain must reach `required_gain`. A candidate is dropped if its value and
 * the largest left - 1 positive values do not sum up to left * required_gain: a negative value
 * alone is no reason, because its controls may be shared. Benefits alone are compared first, as
 * that needs no controls.
 *
 * These sums count a case once for each clause that covers it, and where clauses resemble each
 * other the bound is hopeless. So some cases get multiplier 1: let D be a set of them. The clauses
 * gain at most the weight of D and what they gain on the other cases, so the values counted without
 * D must sum up to left * (required_gain - weight of D). D grows by the cases that more than one of
 * the largest values count, as long as that makes the bound smaller; the empty set and the D of the
 * parent are tried too, and of all these that set is taken which leaves the fewest clauses to begin
 * with. This is a Lagrangian bound with multipliers 0 or 1, which need no arithmetic but counting.
 *
 * A further bound of a node has its place in irl_select_list: it sees the candidates with their new
 * cases and controls, and may drop some or all of them. */
#include "base/memory.h"
#include "search/top.h"
#include "select/select_search.h"
#include <stdlib.h>

#define CHUNK            128u /* covers that are weighed while they are in cache */
#define MAX_RELAX_ROUNDS 12u  /* sets that are tried at a node, at most */

/* ---- weights ---- */

void irl_select_weigh_many(irl_select_worker *w, int class, const uint64_t *vector, uint32_t n) {
  const irl_select_pool *pool = w->pool;
  const irl_select_covers *covers = &pool->covers[class];
  const irl_merged *merged = pool->problem->merged;
  assert(n <= pool->n);
  if (class && !pool->counts_controls) {
    memset(w->counts, 0, n * sizeof *w->counts);
    memset(w->weights, 0, n * sizeof *w->weights);
    return;
  }
  w->work += n * covers->n_words;
  if (!merged) {
    pool->kernels->and_count_many(vector, covers->words, covers->stride, w->ids, n, covers->n_words,
                                  w->counts);
    for (uint32_t i = 0; i < n; i++) w->weights[i] = pool->weight[class] * w->counts[i];
    return;
  }
  w->work += 2 * n * (merged->n_words[class] - merged->first_word[class]);
  for (uint32_t first = 0; first < n; first += CHUNK) {
    const uint32_t end = n - first < CHUNK ? n : first + CHUNK;
    pool->kernels->and_count_many(vector, covers->words, covers->stride, w->ids + first,
                                  end - first, covers->n_words, w->counts + first);
    for (uint32_t i = first; i < end; i++)
      w->weights[i] = irl_merged_weigh_counted(
          merged, class, vector, irl_select_cover(pool, class, w->ids[i]), w->counts[i]);
  }
}

/* ---- new cases and new controls ---- */

/* New cases of each candidate; those whose benefits or cases do not suffice are dropped. False: no
 * choice is better. */
static bool add_cases(irl_select_worker *w, irl_select_node *node, const irl_select_candidate *from,
                      uint32_t n) {
  const irl_select_pool *pool = w->pool;
  const int64_t required_gain = irl_select_required_gain(w, node);
  const int64_t missing = (int64_t)pool->min_cases - (int64_t)node->cases;
  const uint64_t max_size =
      irl_select_literal_budget(pool->problem, pool->problem->K - node->left, node->literals);
  irl_top benefits, cases;
  uint32_t n_ids = 0;
  irl_top_init(&benefits, node->left);
  irl_top_init(&cases, node->left);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t k = from ? from[i].k : i;
    if (pool->size[k] <= max_size) w->ids[n_ids++] = k;
  }
  irl_select_weigh_many(w, 0, node->live, n_ids);
  for (uint32_t i = 0; i < n_ids; i++) {
    assert(w->counts[i] <= pool->covers[0].n_samples && w->weights[i] <= node->uncovered);
    w->weights[i] -= irl_select_cost(pool, w->ids[i]);
    irl_top_put(&benefits, w->weights[i], i);
    irl_top_put(&cases, w->counts[i], i);
  }
  const irl_top_total most = irl_top_add(&benefits), most_cases = irl_top_add(&cases);
  if (most_cases.sum < missing || most.sum < required_gain) return false;
  if (n_ids > node->capacity) {
    irl_select_candidate *grown = irl_mem_grow(&pool->allocator, node->list, n_ids, sizeof *grown);
    w->is_out_of_memory = !grown;
    if (!grown) return false;
    node->list = grown;
    node->capacity = n_ids;
  }
  for (uint32_t i = 0; i < n_ids; i++) {
    if (!w->counts[i] || irl_top_with(most, w->weights[i]) < required_gain ||
        irl_top_with(most_cases, w->counts[i]) < missing)
      continue;
    node->list[node->n++] =
        (irl_select_candidate){.benefit = w->weights[i], .k = w->ids[i], .cases = w->counts[i]};
  }
  assert(node->n <= node->capacity);
  return node->n > 0;
}

/* New controls of each candidate; those that cover or cost too many are dropped. */
static void add_controls(irl_select_worker *w, irl_select_node *node) {
  const irl_select_pool *pool = w->pool;
  const int64_t budget = node->uncovered - irl_select_required_gain(w, node);
  const uint64_t max_controls = pool->max_controls - node->controls;
  uint32_t kept = 0;
  assert(node->controls <= pool->max_controls);
  for (uint32_t i = 0; i < node->n; i++) w->ids[i] = node->list[i].k;
  irl_select_weigh_many(w, 1, node->live + pool->covers[0].n_words, node->n);
  for (uint32_t i = 0; i < node->n; i++) {
    if (w->weights[i] > budget || w->counts[i] > max_controls) continue;
    node->list[kept] = node->list[i];
    node->list[kept].controls = w->counts[i];
    node->list[kept++].price = w->weights[i];
  }
  node->n = kept;
}

/* ---- values and multipliers ---- */

/* Values without the relaxed cases; the largest of them. */
static void set_values(irl_select_worker *w, irl_select_node *node, irl_top *values) {
  const irl_select_pool *pool = w->pool;
  const int64_t left = node->left;
  irl_top_init(values, node->left);
  if (node->relaxed_weight) {
    const size_t n_words = pool->covers[0].n_words;
    for (size_t i = 0; i < n_words; i++) w->counted[i] = node->live[i] & ~node->relaxed[i];
    for (uint32_t i = 0; i < node->n; i++) w->ids[i] = node->list[i].k;
    irl_select_weigh_many(w, 0, w->counted, node->n);
  }
  for (uint32_t i = 0; i < node->n; i++) {
    irl_select_candidate *c = &node->list[i];
    const int64_t benefit =
        node->relaxed_weight ? w->weights[i] - irl_select_cost(pool, c->k) : c->benefit;
    assert(benefit <= c->benefit && c->price >= 0);
    c->value = left * benefit - c->price;
    irl_top_put(values, c->value, i);
  }
}

/* No choice gains more, times the clauses left. */
static int64_t most_gain(const irl_select_node *node, const irl_top *values) {
  return node->left * node->relaxed_weight + irl_top_add(values).sum;
}

/* Drops what cannot be part of a better choice by its value. False: no choice is better. */
static bool drop_by_value(irl_select_worker *w, irl_select_node *node, irl_top *values) {
  const int64_t wanted = node->left * (irl_select_required_gain(w, node) - node->relaxed_weight);
  set_values(w, node, values);
  const irl_top_total most = irl_top_add(values);
  uint32_t kept = 0;
  if (most.sum < wanted) return false;
  for (uint32_t i = 0; i < node->n; i++)
    if (irl_top_with(most, node->list[i].value) >= wanted) node->list[kept++] = node->list[i];
  node->n = kept;
  return true;
}

/* Drops candidates with the relaxed cases of now, and remembers these if fewer clauses than with
 * any set before could be the first of a better choice: by value, that one has the average of what
 * is needed at least. False: no choice is better. */
static bool try_relaxed(irl_select_worker *w, irl_select_node *node, irl_top *values) {
  const int64_t least = irl_select_required_gain(w, node) - node->relaxed_weight;
  uint32_t n_first = 0;
  if (!drop_by_value(w, node, values)) return false;
  for (uint32_t i = 0; i < node->n; i++) n_first += node->list[i].value >= least;
  if (n_first >= w->n_first) return true;
  w->n_first = n_first;
  memcpy(w->best_relaxed, node->relaxed, w->pool->covers[0].n_words * sizeof *node->relaxed);
  return true;
}

static void relax_none(irl_select_worker *w, irl_select_node *node) {
  memset(node->relaxed, 0, w->pool->covers[0].n_words * sizeof *node->relaxed);
  node->relaxed_weight = 0;
}

/* Relaxes the cases that several of the largest values count; false: there are none. */
static bool relax_more(irl_select_worker *w, irl_select_node *node, const irl_top *values) {
  const size_t n_words = w->pool->covers[0].n_words;
  memset(w->once, 0, n_words * sizeof *w->once);
  memset(w->twice, 0, n_words * sizeof *w->twice);
  for (uint32_t j = 0; j < values->used; j++) {
    const uint64_t *cover = irl_select_cover(w->pool, 0, node->list[values->place[j]].k);
    for (size_t i = 0; i < n_words; i++) {
      const uint64_t counted = cover[i] & node->live[i] & ~node->relaxed[i];
      w->twice[i] |= w->once[i] & counted;
      w->once[i] |= counted;
    }
  }
  w->work += values->used * n_words;
  const int64_t more = irl_select_weigh_vector(w->pool, 0, w->twice);
  for (size_t i = 0; i < n_words; i++) node->relaxed[i] |= w->twice[i];
  node->relaxed_weight += more;
  assert(more >= 0 && node->relaxed_weight <= node->uncovered);
  return more > 0;
}

/* Tries no multipliers, those of the parent, and more as long as that makes the bound smaller.
 * False: no choice is better. */
static bool find_multipliers(irl_select_worker *w, irl_select_node *node) {
  const size_t n_words = w->pool->covers[0].n_words;
  irl_top values;
  w->n_first = UINT32_MAX;
  for (size_t i = 0; i < n_words; i++) w->once[i] = node->relaxed[i] & node->live[i];
  relax_none(w, node);
  if (!try_relaxed(w, node, &values)) return false;
  const int64_t without = most_gain(node, &values);
  node->relaxed_weight = irl_select_weigh_vector(w->pool, 0, w->once);
  if (node->relaxed_weight) {
    memcpy(node->relaxed, w->once, n_words * sizeof *node->relaxed);
    if (!try_relaxed(w, node, &values)) return false;
    if (most_gain(node, &values) >= without) relax_none(w, node);
  }
  for (uint32_t round = 0; round < MAX_RELAX_ROUNDS && node->n > 1; round++) {
    set_values(w, node, &values); /* their places have changed */
    const int64_t before = most_gain(node, &values);
    if (!relax_more(w, node, &values)) break;
    if (!try_relaxed(w, node, &values)) return false;
    if (most_gain(node, &values) >= before) break;
  }
  memcpy(node->relaxed, w->best_relaxed, n_words * sizeof *node->relaxed);
  node->relaxed_weight = irl_select_weigh_vector(w->pool, 0, node->relaxed);
  set_values(w, node, &values);
  assert(irl_bits_is_subset(node->relaxed, node->live, n_words));
  return true;
}

void irl_select_list(irl_select_worker *w, uint32_t depth, const irl_select_candidate *from,
                     uint32_t n) {
  irl_select_node *node = &w->nodes[depth];
  /* The last two clauses are tried as pairs, one by one. */
  const bool has_multipliers = w->pool->problem->has_multipliers && node->left > 2;
  irl_top values;
  assert(node->left && node->left <= IRL_SELECT_MAX_K);
  node->n = 0;
  if (!add_cases(w, node, from, n)) return;
  add_controls(w, node);
  if (!has_multipliers) node->relaxed_weight = 0;
  if (!(has_multipliers ? find_multipliers(w, node) : drop_by_value(w, node, &values))) node->n = 0;
}

static int by_value(const void *x, const void *y) {
  const irl_select_candidate *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

void irl_select_sort_by_value(irl_select_node *node) {
  if (node->n) qsort(node->list, node->n, sizeof *node->list, by_value);
}

int64_t irl_select_bound(const irl_select_node *node, const irl_select_candidate *list, uint32_t n,
                         uint32_t i) {
  const int64_t left = node->left;
  int64_t sum = list[i].value + left * node->relaxed_weight;
  assert(i < n && (i + 1 == n || list[i].value >= list[i + 1].value));
  for (uint32_t j = i + 1; j < n && j < i + node->left && list[j].value > 0; j++)
    sum += list[j].value;
  return node->loss - (sum >= 0 ? sum / left : -((-sum + left - 1) / left));
}
