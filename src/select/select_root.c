/* The root of the search: all clauses of the pool with their masks, and a split of the budgets into
 * ranges (L7 of select_mask.c).
 *
 * Masks have 64 bits. Where the root's budgets are more, a range of them has finer bits; and where
 * many clauses may lead a choice, ranges have other multipliers and another order each. So the
 * budgets are divided where about equally many clauses lead on both sides. */
#include "select/select_search.h"

#define WORTH_RANGES 64u /* clauses that may lead a choice, from which on a split is tried */
#define LEAST_LEFT   4u  /* clauses to choose, from which on it pays */

/* Masks of what each candidate covers, within the range. */
static void set_masks(irl_select_worker *w, irl_select_node *root) {
  const uint64_t all = irl_select_up_to(&w->range, w->range.last);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < root->n; i++) {
    const uint64_t mask = all & irl_select_from(&w->range, root->controls[i]);
    if (root->controls[i] > w->range.last || !mask || !root->cases[i]) continue;
    irl_select_keep(root, kept++, i, mask);
  }
  assert(kept <= root->n);
  root->n = kept;
}

/* Where the ranges end, in bits: after as many leads each as can be. Returns how many there are. */
static uint32_t split_bits(const irl_select_worker *w, const irl_select_node *root,
                           uint32_t ends[IRL_SELECT_MAX_RANGES]) {
  uint64_t counts[64] = {0}, sum = 0, before = 0;
  uint32_t n = 0, last = 0;
  for (uint32_t i = 0; i < root->n; i++) {
    const uint64_t lead = irl_select_lead_mask(w, root, i);
    n += lead != 0;
    for (uint64_t left = lead; left; left &= left - 1, sum++) counts[__builtin_ctzll(left)]++;
  }
  const unsigned rules = w->pool->task->rules;
  if (rules & (IRL_SELECT_WITHOUT_RANGES | IRL_SELECT_WITHOUT_MASKS) ||
      (!(rules & IRL_SELECT_ALWAYS) && (root->left < LEAST_LEFT || n < WORTH_RANGES)))
    return 1;
  n = 0;
  for (uint32_t bit = 0; bit < 64; bit++)
    if (counts[bit]) last = bit;
  for (uint32_t bit = 0; bit < last && n + 1 < IRL_SELECT_MAX_RANGES; bit++) {
    before += counts[bit];
    if (before * IRL_SELECT_MAX_RANGES >= sum * (n + 1)) ends[n++] = bit + 1;
  }
  ends[n++] = last + 1;
  assert(n <= IRL_SELECT_MAX_RANGES && ends[n - 1] <= 64);
  return n;
}

/* The root of budgets `first` to `end` of the bits of the whole range, with bits of its own. */
static void make_range(irl_select_worker *w, const irl_select_root *whole, irl_select_root *part,
                       uint32_t first, uint32_t end) {
  const irl_select_range *range = &whole->range;
  const irl_select_node *from = &whole->node;
  const int64_t base = range->base + (int64_t)((uint64_t)first << range->shift);
  int64_t last = range->base + (int64_t)((uint64_t)end << range->shift) - 1;
  uint64_t bits[64]; /* of the whole, that each bit of the part is in */
  uint64_t *masks = w->moved;
  assert(first < end && end <= 64 && base <= range->last);
  if (last > range->last) last = range->last;
  irl_select_set_range(&part->range, base, last);
  w->range = part->range;
  for (uint32_t t = 0; t < 64; t++) {
    const uint64_t bit = first + (((uint64_t)t << part->range.shift) >> range->shift);
    bits[t] = bit < end ? (uint64_t)1 << bit : 0;
  }
  /* Its masks, for a moment in place of the others. */
  memcpy(masks, from->mask, from->n * sizeof *masks);
  for (uint32_t i = 0; i < from->n; i++) {
    uint64_t mask = 0;
    for (uint32_t t = 0; t < 64; t++) mask |= (uint64_t)((masks[i] & bits[t]) != 0) << t;
    from->mask[i] = from->controls[i] > last ? 0
                                             : mask & irl_select_up_to(&w->range, last) &
                                                   irl_select_from(&w->range, from->controls[i]);
  }
  irl_select_copy(w, &part->node, from);
  memcpy(from->mask, w->moved, from->n * sizeof *masks);
}

uint32_t irl_select_make_roots(irl_select_worker *w, irl_select_root *roots) {
  irl_select_root whole = {.node = {.n = 0}};
  irl_select_node *root = &whole.node;
  uint32_t n = 1, ends[IRL_SELECT_MAX_RANGES];
  irl_select_make_root(w, root);
  if (w->ending != IRL_ENDED_BY_MEMORY) {
    const int64_t most = irl_select_most_controls(w, root);
    int64_t least = most;
    for (uint32_t i = 0; i < root->n; i++)
      if (root->controls[i] < least) least = root->controls[i];
    if (most < 0) root->n = 0;
    irl_select_set_range(&whole.range, least < 0 ? 0 : least, most < 0 ? 0 : most);
    if (w->pool->task->rules & IRL_SELECT_WITHOUT_MASKS) whole.range.shift = 62;
    w->range = whole.range;
    set_masks(w, root);
    irl_select_drop_by_cases(w->pool, root);
    irl_select_tighten_plain(w, root);
    irl_select_order(w, root, true);
    if (w->ending != IRL_ENDED_BY_MEMORY) n = split_bits(w, root, ends);
  }
  if (n == 1) {
    roots[0] = whole;
    return 1;
  }
  for (uint32_t i = 0, first = 0; i < n && w->ending != IRL_ENDED_BY_MEMORY; first = ends[i++]) {
    make_range(w, &whole, &roots[i], first, ends[i]);
    if (w->ending == IRL_ENDED_BY_MEMORY) break;
    irl_select_tighten_plain(w, &roots[i].node);
    irl_select_order(w, &roots[i].node, true);
  }
  irl_select_node_free(w->pool, root);
  return n;
}

void irl_select_begin(irl_select_worker *w, const irl_select_root *root) {
  irl_select_node *node = &w->nodes[0];
  assert(root->range.base <= root->range.last && root->node.left == w->pool->problem->K);
  *node = root->node;
  node->hint = w->root_hint;
  node->closers = w->root_closers;
  node->n_closers = 0;
  if (node->n_samples[0]) memcpy(node->hint, node->fine, node->n_samples[0] * sizeof *node->hint);
  w->range = root->range;
  w->path.n = 0;
}

int64_t irl_select_bound(const irl_select_worker *w, uint32_t i) {
  const irl_select_node *node = &w->nodes[0];
  assert(i < node->n && node->mask[i]);
  const uint64_t lead = irl_select_lead_mask(w, node, i);
  if (!lead) return INT64_MAX;
  const int64_t controls =
      w->range.base + (int64_t)((uint64_t)__builtin_ctzll(lead) << w->range.shift);
  const int64_t value = node->value[i], most = node->given + (value > 0 ? node->left : 1) * value;
  /* Rounded up: no choice gains more. */
  const int64_t gain = most >= 0 ? most / IRL_SELECT_PARTS : -(-most / IRL_SELECT_PARTS);
  return node->loss - gain + w->pool->unit[1] * controls;
}
