/* The last two clauses of a choice: a loop over pairs by falling benefit, where both benefits less
 * the larger price reject nearly all pairs without touching a bit. What the first clause shares
 * with all partners that remain is then counted at once. */
#include "select/select_search.h"
#include <stdlib.h>

static int by_benefit(const void *x, const void *y) {
  const irl_select_candidate *a = x, *b = y;
  if (a->benefit != b->benefit) return a->benefit > b->benefit ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* Pairs of candidate i and later ones. */
static void try_partners(irl_select_worker *w, const irl_select_node *node, uint32_t i) {
  const irl_select_pool *pool = w->pool;
  const irl_select_candidate *x = &node->list[i];
  const int64_t required_gain = irl_select_required_gain(w, node),
                rest = required_gain - x->benefit;
  const int64_t missing = (int64_t)pool->min_cases - (int64_t)node->cases - x->cases;
  const size_t n_cases = pool->covers[0].n_words, n_controls = pool->covers[1].n_words;
  uint32_t n = 0, kept = 0, j = i + 1;
  /* The later candidates that may complete it. */
  for (; j < node->n && node->list[j].benefit >= rest + x->price; j++)
    if (node->list[j].benefit >= rest + node->list[j].price && node->list[j].cases >= missing) {
      w->ids[n] = node->list[j].k;
      w->partners[n++].place = j;
    }
  assert(n < node->n - i);
  w->work += 1 + (j - i) / 4;
  if (!n) return;
  /* What both cover of the live cases comes off their benefits. */
  pool->kernels->and_into(w->cover, node->live, irl_select_cover(pool, 0, x->k), n_cases);
  irl_select_weigh_many(w, 0, w->cover, n);
  for (j = 0; j < n; j++) {
    const uint32_t place = w->partners[j].place;
    const irl_select_candidate *y = &node->list[place];
    const int64_t gain = x->benefit + y->benefit - w->weights[j] - larger(x->price, y->price);
    const uint32_t cases = x->cases + y->cases - w->counts[j];
    assert(w->counts[j] <= x->cases && w->counts[j] <= y->cases);
    if (gain < required_gain || node->cases + cases < pool->min_cases) continue;
    w->ids[kept] = y->k;
    w->partners[kept++] = (irl_select_partner){gain, place};
  }
  if (!kept) return;
  /* What both cover of the live controls is paid once. */
  pool->kernels->and_into(w->cover + n_cases, node->live + n_cases, irl_select_cover(pool, 1, x->k),
                          n_controls);
  irl_select_weigh_many(w, 1, w->cover + n_cases, kept);
  for (j = 0; j < kept; j++) {
    const irl_select_candidate *y = &node->list[w->partners[j].place];
    const int64_t price = x->price + y->price - w->weights[j];
    const int64_t loss = node->loss - w->partners[j].gain + price - larger(x->price, y->price);
    const uint64_t controls = node->controls + x->controls + y->controls - w->counts[j];
    const uint64_t literals = node->literals + pool->size[x->k] + pool->size[y->k];
    assert(price >= larger(x->price, y->price) && x->k != y->k && loss >= pool->lost);
    if (controls <= pool->max_controls && loss < w->to_beat &&
        irl_select_is_short(pool->problem, pool->problem->K - node->left + 2, literals))
      irl_select_accept(w, loss, (const uint32_t[]){x->k, y->k}, 2);
  }
}

void irl_select_try_pairs(irl_select_worker *w, uint32_t depth) {
  irl_select_node *node = &w->nodes[depth];
  int64_t required_gain = irl_select_required_gain(w, node), most = 0, most_net = 0;
  uint32_t kept = 0;
  assert(node->left == 2);
  /* Candidates stay that some other could complete: what two gain is no more than the benefit of
   * one and the benefit less the price of the other, whichever is which. */
  for (uint32_t i = 0; i < node->n; i++) {
    most = larger(most, node->list[i].benefit);
    most_net = larger(most_net, node->list[i].benefit - node->list[i].price);
  }
  for (uint32_t i = 0; i < node->n; i++) {
    const irl_select_candidate *c = &node->list[i];
    if (c->benefit + most_net >= required_gain && c->benefit - c->price + most >= required_gain)
      node->list[kept++] = *c;
  }
  node->n = kept;
  if (node->n) qsort(node->list, node->n, sizeof *node->list, by_benefit);
  for (uint32_t i = 0; i < node->n && !irl_select_limit_reached(w); i++) {
    const irl_select_candidate *x = &node->list[i];
    assert(!i || node->list[i - 1].benefit >= x->benefit);
    irl_select_try_single(w, node, x);
    required_gain = irl_select_required_gain(w, node);
    /* Then no later pair suffices, and no later one alone, which matters where the required gain is
     * negative because cases must be covered at a cost. */
    if (2 * x->benefit < required_gain && x->benefit < required_gain) return;
    try_partners(w, node, i);
  }
}
