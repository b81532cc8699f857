/* The last two clauses of a choice: a loop over pairs by falling benefit, where both benefits less
 * the larger price reject nearly all pairs without touching a bit. What the first clause shares
 * with all partners that remain is then counted at once. */
#include "select/select_search.h"
#include <stdlib.h>

/* Candidates that some other could complete: what two gain is no more than the benefit of one and
 * the benefit less the price of the other, whichever is which. */
static void keep_paired(const irl_select_worker *w, irl_select_node *node) {
  const int64_t required_gain = irl_select_required_gain(w, node);
  int64_t most = 0, most_net = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < node->n; i++) {
    const irl_select_candidate *c = &node->list[i];
    if (c->benefit > most) most = c->benefit;
    if (c->benefit - c->price > most_net) most_net = c->benefit - c->price;
  }
  for (uint32_t i = 0; i < node->n; i++) {
    const irl_select_candidate *c = &node->list[i];
    if (c->benefit + most_net >= required_gain && c->benefit - c->price + most >= required_gain)
      node->list[kept++] = *c;
  }
  node->n = kept;
}

static int by_benefit(const void *x, const void *y) {
  const irl_select_candidate *a = x, *b = y;
  if (a->benefit != b->benefit) return a->benefit > b->benefit ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

/* The candidates after number i that may complete it, to w->partners; how many. */
static uint32_t find_partners(irl_select_worker *w, const irl_select_node *node, uint32_t i) {
  const irl_select_candidate *x = &node->list[i];
  const int64_t rest = irl_select_required_gain(w, node) - x->benefit;
  const int64_t missing = (int64_t)w->pool->min_cases - (int64_t)node->cases - x->cases;
  uint32_t n = 0, j = i + 1;
  for (; j < node->n && node->list[j].benefit >= rest + x->price; j++)
    if (node->list[j].benefit >= rest + node->list[j].price && node->list[j].cases >= missing)
      w->partners[n++].place = j;
  assert(n < node->n - i);
  w->work += 1 + (j - i) / 4;
  return n;
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* Takes off the benefits what candidate i and each of n partners share, with w->cover what i covers
 * of the live cases; the number of partners that still suffice. */
static uint32_t share_cases(irl_select_worker *w, const irl_select_node *node, uint32_t i,
                            uint32_t n) {
  const irl_select_candidate *x = &node->list[i];
  const int64_t required_gain = irl_select_required_gain(w, node);
  uint32_t kept = 0;
  for (uint32_t j = 0; j < n; j++) w->ids[j] = node->list[w->partners[j].place].k;
  irl_select_weigh_many(w, 0, w->cover, n);
  for (uint32_t j = 0; j < n; j++) {
    const uint32_t place = w->partners[j].place;
    const irl_select_candidate *y = &node->list[place];
    const int64_t gain = x->benefit + y->benefit - w->weights[j] - larger(x->price, y->price);
    const uint32_t cases = x->cases + y->cases - w->counts[j];
    assert(w->counts[j] <= x->cases && w->counts[j] <= y->cases);
    if (gain >= required_gain && node->cases + cases >= w->pool->min_cases)
      w->partners[kept++] = (irl_select_partner){gain, place, cases};
  }
  return kept;
}

/* Sets the true gains of n partners of candidate i, with what i covers of the live controls in the
 * second part of w->cover; the number of those that are allowed. */
static uint32_t share_controls(irl_select_worker *w, const irl_select_node *node, uint32_t i,
                               uint32_t n) {
  const irl_select_candidate *x = &node->list[i];
  uint32_t kept = 0;
  for (uint32_t j = 0; j < n; j++) w->ids[j] = node->list[w->partners[j].place].k;
  irl_select_weigh_many(w, 1, w->cover + w->pool->covers[0].n_words, n);
  for (uint32_t j = 0; j < n; j++) {
    irl_select_partner partner = w->partners[j];
    const irl_select_candidate *y = &node->list[partner.place];
    const int64_t price = x->price + y->price - w->weights[j];
    const uint64_t controls = node->controls + x->controls + y->controls - w->counts[j];
    assert(price >= larger(x->price, y->price));
    partner.gain += larger(x->price, y->price) - price;
    if (controls <= w->pool->max_controls) w->partners[kept++] = partner;
  }
  return kept;
}

/* Pairs of candidate i and later ones. */
static void try_partners(irl_select_worker *w, const irl_select_node *node, uint32_t i) {
  const irl_select_pool *pool = w->pool;
  const irl_select_problem *problem = pool->problem;
  const size_t n_cases = pool->covers[0].n_words, n_controls = pool->covers[1].n_words;
  const uint32_t k = node->list[i].k, n_chosen = problem->K - node->left + 2;
  uint32_t n = find_partners(w, node, i);
  if (!n) return;
  pool->kernels->and_into(w->cover, node->live, irl_select_cover(pool, 0, k), n_cases);
  n = share_cases(w, node, i, n);
  if (!n) return;
  pool->kernels->and_into(w->cover + n_cases, node->live + n_cases, irl_select_cover(pool, 1, k),
                          n_controls);
  n = share_controls(w, node, i, n);
  for (uint32_t j = 0; j < n; j++) {
    const uint32_t pair[2] = {k, node->list[w->partners[j].place].k};
    const int64_t loss = node->loss - w->partners[j].gain;
    assert(pair[0] != pair[1] && loss >= pool->lost);
    const uint64_t literals = node->literals + pool->size[pair[0]] + pool->size[pair[1]];
    if (loss < w->to_beat && irl_select_is_short(problem, n_chosen, literals))
      irl_select_accept(w, loss, pair, 2);
  }
}

void irl_select_try_pairs(irl_select_worker *w, uint32_t depth) {
  irl_select_node *node = &w->nodes[depth];
  assert(node->left == 2);
  keep_paired(w, node);
  if (node->n) qsort(node->list, node->n, sizeof *node->list, by_benefit);
  for (uint32_t i = 0; i < node->n && !irl_select_limit_reached(w); i++) {
    const irl_select_candidate *x = &node->list[i];
    assert(!i || node->list[i - 1].benefit >= x->benefit);
    irl_select_try_single(w, node, x);
    const int64_t required_gain = irl_select_required_gain(w, node);
    /* Then no later pair suffices, and no later one alone, which matters where the required gain is
     * negative because cases must be covered at a cost. */
    if (2 * x->benefit < required_gain && x->benefit < required_gain) return;
    try_partners(w, node, i);
  }
}
