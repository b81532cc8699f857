/* Nodes of the choice: one clause after another, the last two as pairs. See choose.c. */
#include "prove/choose_worker.h"
#include <stdlib.h>

#define CHECK_INTERVAL ((uint64_t)1 << 20) /* words of work between looks at the clock */

/* ---- nodes ---- */

static bool limit_reached(irl_choose_worker *w) {
  if (w->is_cut) return true;
  if (w->work < w->next_check && w->work < w->max_work) return false;
  w->next_check = w->work + CHECK_INTERVAL;
  w->is_cut = w->work >= w->max_work || irl_limit_poll(w->limit);
  return w->is_cut;
}

static void accept(irl_choose_worker *w, int64_t loss, const uint32_t *more, uint32_t n_more) {
  memcpy(w->best, w->path, w->n_path * sizeof *w->best);
  memcpy(w->best + w->n_path, more, n_more * sizeof *w->best);
  w->n_best = w->n_path + n_more;
  w->target = loss;
}

static int by_cases(const void *x, const void *y) {
  const irl_choose_candidate *a = x, *b = y;
  if (a->a != b->a) return a->a > b->a ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

/* Candidates that some other could complete: what the two gain is no more than the cases of one and
 * the cases less the controls of the other, whichever is which. */
static void keep_paired(const irl_choose_worker *w, irl_choose_frame *f) {
  const int64_t required_gain = irl_choose_need(w, f);
  int64_t most = 0, most_net = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    const irl_choose_candidate *c = &f->list[i];
    if (c->a > most) most = c->a;
    if (c->a - c->b > most_net) most_net = c->a - c->b;
  }
  for (uint32_t i = 0; i < f->n; i++) {
    const irl_choose_candidate *c = &f->list[i];
    if (c->a + most_net >= required_gain && c->a - c->b + most >= required_gain)
      f->list[kept++] = *c;
  }
  f->n = kept;
}

/* The places after i in the list of candidates that may complete number i, to w->places; how many.
 */
static uint32_t find_partners(irl_choose_worker *w, const irl_choose_frame *f, uint32_t i) {
  const irl_choose_candidate *x = &f->list[i];
  const int64_t rest = irl_choose_need(w, f) - x->a;
  uint32_t n = 0, j = i + 1;
  for (; j < f->n && f->list[j].a >= rest + x->b; j++)
    if (f->list[j].a >= rest + f->list[j].b) w->places[n++] = j;
  w->work += 1 + (j - i) / 4;
  return n;
}

/* What candidate i shares with each of those in w->places goes off their weights in one class;
 * those that do not reach what is wanted are dropped. `sums` has what the pairs gain. */
static uint32_t drop_partners(irl_choose_worker *w, const irl_choose_frame *f, uint32_t i,
                              int class, uint32_t n) {
  const irl_choose_candidate *x = &f->list[i];
  const int64_t required_gain = irl_choose_need(w, f);
  uint32_t kept = 0;
  for (uint32_t j = 0; j < n; j++) w->ids[j] = f->list[w->places[j]].k;
  irl_choose_weigh(w, class, class ? w->cover + w->case_words : w->cover, n);
  for (uint32_t j = 0; j < n; j++) {
    const irl_choose_candidate *y = &f->list[w->places[j]];
    const int64_t larger = x->b > y->b ? x->b : y->b;
    const int64_t sum = class ? w->sums[j] + w->weights[j] + larger - x->b - y->b
                              : x->a + y->a - w->weights[j] - larger;
    if (sum < required_gain) continue;
    w->places[kept] = w->places[j];
    w->sums[kept++] = sum;
  }
  return kept;
}

/* Pairs of candidate i and later ones. */
static void try_partners(irl_choose_worker *w, const irl_choose_frame *f, uint32_t i) {
  const irl_choose_candidate *x = &f->list[i];
  const uint32_t *sizes = w->choosing->list->sizes;
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t words = w->case_words;
  uint32_t n = find_partners(w, f, i);
  if (!n) return;
  kernels->and_into(w->cover, f->live, irl_choose_cases(w, x->k), words);
  n = drop_partners(w, f, i, 0, n);
  if (!n) return;
  kernels->and_into(w->cover + words, f->live + words, irl_choose_controls(w, x->k),
                    w->control_words);
  n = drop_partners(w, f, i, 1, n);
  for (uint32_t j = 0; j < n; j++) {
    const uint32_t pair[2] = {x->k, f->list[w->places[j]].k};
    const uint64_t literals = f->literals + sizes[pair[0]] + sizes[pair[1]];
    if (f->loss - w->sums[j] < w->target && literals <= w->choosing->max_literals)
      accept(w, f->loss - w->sums[j], pair, 2);
  }
}

/* Two clauses left: all pairs by falling cases. */
static void try_pairs(irl_choose_worker *w, irl_choose_frame *f) {
  keep_paired(w, f);
  qsort(f->list, f->n, sizeof *f->list, by_cases);
  for (uint32_t i = 0; i < f->n && !limit_reached(w); i++) {
    const irl_choose_candidate *x = &f->list[i];
    if (f->loss - x->a + x->b < w->target) accept(w, f->loss - x->a + x->b, &x->k, 1);
    if (2 * x->a < irl_choose_need(w, f)) return; /* nor any later pair */
    try_partners(w, f, i);
  }
}

/* The frame below with one more clause. */
static irl_choose_frame *take(irl_choose_worker *w, uint32_t depth, const irl_choose_candidate *c) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_choose_frame *f = &w->frames[depth];
  irl_choose_frame *child = &w->frames[depth + 1];
  kernels->andnot_into(child->live, f->live, irl_choose_cases(w, c->k), w->case_words);
  kernels->andnot_into(child->live + w->case_words, f->live + w->case_words,
                       irl_choose_controls(w, c->k), w->control_words);
  memcpy(child->relaxed, f->relaxed, w->case_words * sizeof *child->relaxed);
  child->left = f->left - 1;
  child->loss = f->loss - c->a + c->b;
  child->cost_so_far = f->cost_so_far + c->b;
  child->literals = f->literals + w->choosing->list->sizes[c->k];
  w->work += w->case_words + w->control_words;
  return child;
}

int64_t irl_choose_bound(const irl_choose_frame *f, const irl_choose_candidate *list, uint32_t n,
                         uint32_t i) {
  int64_t sum = list[i].value + f->left * f->relaxed_weight;
  for (uint32_t j = i + 1; j < n && j < i + f->left && list[j].value > 0; j++) sum += list[j].value;
  const int64_t left = f->left;
  return f->loss - (sum >= 0 ? sum / left : -((-sum + left - 1) / left));
}

/* How many candidates after number i of a list by value may follow it in a better choice: with the
 * largest others after it their values reach what is needed. */
static uint32_t count_followers(const irl_choose_worker *w, const irl_choose_frame *f,
                                const irl_choose_candidate *list, uint32_t n, uint32_t i) {
  int64_t least = f->left * (irl_choose_need(w, f) - f->relaxed_weight) - list[i].value;
  for (uint32_t j = i + 1; j < n && j < i + f->left - 1 && list[j].value > 0; j++)
    least -= list[j].value;
  uint32_t low = i + 1;
  for (uint32_t high = n; low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    if (list[middle].value >= least)
      low = middle + 1;
    else
      high = middle;
  }
  return low - i - 1;
}

static void expand(irl_choose_worker *w, uint32_t depth, const irl_choose_candidate *from,
                   uint32_t n) {
  irl_choose_frame *f = &w->frames[depth];
  if (limit_reached(w)) return;
  irl_choose_fill(w, depth, from, n);
  if (f->left == 2) {
    try_pairs(w, f);
    return;
  }
  for (uint32_t i = 0; i < f->n && !limit_reached(w); i++) {
    if (irl_choose_bound(f, f->list, f->n, i) >= w->target) return;
    irl_choose_branch(w, depth, f->list, f->n, i);
  }
}

void irl_choose_branch(irl_choose_worker *w, uint32_t depth, const irl_choose_candidate *list,
                       uint32_t n, uint32_t i) {
  const irl_choose_frame *child = take(w, depth, &list[i]);
  w->nodes++;
  if (child->loss < w->target) accept(w, child->loss, &list[i].k, 1);
  if (!child->left) return;
  w->path[w->n_path++] = list[i].k;
  expand(w, depth + 1, list + i + 1, count_followers(w, &w->frames[depth], list, n, i));
  w->n_path--;
}
