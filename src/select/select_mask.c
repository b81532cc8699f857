/* Budget masks: the bound of the search.
 *
 * A node has a choice of loss L and may add r more clauses. To beat U they must gain G = L - (U -
 * 1) or more together: the weight of the new cases that they cover less their costs and the price
 * of the new controls that they cover. Let a better choice cover controls of B units in all, of
 * which the node has paid P: the r clauses cover exactly B - P new ones, and pay u * (B - P). The
 * masks say with which B a candidate may be part of a better choice, a bit for each B, or for each
 * of at most 64 ranges of equal width (a power of two): every test below takes the least B of a
 * bit, not below P, for which it is weakest, and so is right for all of them.
 *
 * Every case i has a multiplier l_i in [0, 1]. With w_i its weight and c_k the cost of clause k,
 * let
 *
 *   v_k = (sum of l_i * w_i over the new cases of k) - c_k,    g = sum of (1 - l_i) * w_i.
 *
 * (L1) The v of the clauses that a better choice adds sum up to T(B) = G + u * (B - P) - g or more.
 * For they cover new cases of weight G + u * (B - P) + (their costs) at least, and what they cover
 * is at most g and the sum of l_i * w_i over the clauses that cover case i. Let f(B) be the largest
 * v of a candidate with B in its mask, or 0 if that is more. Then B leaves the mask of k if v_k +
 * (r - 1) * f(B) < T(B). The clause with the largest v of a better choice has r times its v at T(B)
 * or more if T(B) is positive, and v >= T(B) if it is not (s < r clauses need not use all of r): if
 * no candidate has that, B leaves all masks.
 *
 * (L2) All clauses of a better choice have its B in their masks. So after A is chosen the mask of k
 * is what it shares with that of A, without B below what A and k cover together with the choice so
 * far; nothing is shifted, since B counts from the root.
 *
 * (L3) The clause that is branched on is the first of its choice by v, with one set of multipliers;
 * then the others are later ones, and each has v_k >= T(B) - v_A - (r - 2) * f: as v without A's
 * cases is no larger, only that prefix of the list by v is looked at, with B in the masks that have
 * it there (select_followers.c).
 *
 * (L5) A clause whose cases are among those of another and whose controls contain the other's, no
 * shorter and no cheaper where that counts, is dropped at the root (select_dominance.c).
 *
 * (L7) The budgets of the root may be split into ranges, each searched with masks of its own, finer
 * ones, multipliers and order: a better choice has one B.
 *
 * Masks may be tightened with any multipliers, one set after another, each from the masks that the
 * one before left. Multipliers are whole sevenths: then 7 * v_k is a sum of bit counts, the
 * products of weights and sevenths being bit planes, and all tests are of integers. They are found
 * by a subgradient method at the budget with the most slack: cases that many of the largest values
 * count get smaller multipliers, cases that few of them count larger ones.
 *
 * The tables of masks by value have at most 8192 entries. Where values are more, one entry has
 * several of them, and all count as its largest: f and v_k are rounded up, never down. */
#include "select/select_search.h"

#define ALL          ((uint16_t)(IRL_SELECT_PARTS * IRL_SELECT_FINE)) /* multiplier 1 */
#define FIRST_STEP   512                                              /* of 1024 */
#define LEAST_STEP   31
#define STEP_FACTOR  952
#define MAX_TOP      64u /* candidates that decide a step */
#define PLAIN_ROUNDS 3u
#define MANY_EMPTY                                                                                 \
  8u /* more than one in so many candidates without budgets are dropped at once                    \
      */
#define FEW_BUCKETS 1024u /* values that are told apart, and four for each candidate */

/* ---- budgets ---- */

int64_t irl_select_most_controls(const irl_select_worker *w, const irl_select_node *node) {
  const irl_select_pool *pool = w->pool;
  const int64_t loss_left = w->to_beat - 1 - pool->lost - node->costs;
  const int64_t most = pool->control_units;
  if (loss_left < 0) return -1;
  return pool->unit[1] && loss_left / pool->unit[1] < most ? loss_left / pool->unit[1] : most;
}

void irl_select_set_range(irl_select_range *range, int64_t base, int64_t last) {
  assert(base <= last);
  *range = (irl_select_range){base, last, 0};
  while ((uint64_t)(last - base) >> range->shift > 63) range->shift++;
  assert(irl_select_from(range, base) == ~(uint64_t)0 && irl_select_up_to(range, last));
}

int64_t irl_select_needed(const irl_select_worker *w, const irl_select_node *node, int64_t given,
                          unsigned bit) {
  int64_t controls = w->range.base + (int64_t)((uint64_t)bit << w->range.shift);
  assert(bit < 64 && controls <= w->range.last);
  if (controls < node->paid) controls = node->paid;
  return IRL_SELECT_PARTS *
             (irl_select_required_gain(w, node) + w->pool->unit[1] * (controls - node->paid)) -
         given;
}

uint64_t irl_select_lead_mask(const irl_select_worker *w, const irl_select_node *node, uint32_t i) {
  uint64_t lead = 0;
  for (uint64_t left = node->mask[i]; left; left &= left - 1) {
    const unsigned bit = (unsigned)__builtin_ctzll(left);
    /* What is needed grows with the budget. */
    if (!irl_select_may_lead(node->value[i], node->left,
                             irl_select_needed(w, node, node->given, bit)))
      break;
    lead |= left & -left;
  }
  return lead;
}

/* ---- tightening ---- */

/* The table entry from which on values are `value` or more. */
static uint64_t entry_of(int64_t value, int64_t least, unsigned shift) {
  return value <= least ? 0 : (uint64_t)(value - least) >> shift;
}

/* For each budget the largest value, and from it the least values of a candidate that may be part
 * of a better choice and of one that may lead it; into the tables. */
static void set_tables(irl_select_worker *w, const irl_select_node *node, int64_t given,
                       int64_t least, unsigned shift, uint64_t n_entries) {
  const int64_t r = node->left;
  int64_t most_slack = INT64_MIN;
  uint64_t open = 0;
  memset(w->any, 0, n_entries * sizeof *w->any);
  memset(w->keep, 0, n_entries * sizeof *w->keep);
  memset(w->first, 0, n_entries * sizeof *w->first);
  uint64_t *any = w->any;
  for (uint32_t i = 0; i < node->n; i++) {
    any[(uint64_t)(node->value[i] - least) >> shift] |= node->mask[i];
    open |= node->mask[i];
  }
  for (uint64_t entry = n_entries; entry-- && open;) {
    const int64_t top = least + (int64_t)((entry + 1) << shift) - 1, f = top > 0 ? top : 0;
    uint64_t met = w->any[entry] & open;
    open &= ~met;
    for (; met; met &= met - 1) {
      const unsigned bit = (unsigned)__builtin_ctzll(met);
      const int64_t needed = irl_select_needed(w, node, given, bit);
      if (!irl_select_may_lead(top, node->left, needed)) continue;
      if (r * f - needed > most_slack) {
        most_slack = r * f - needed;
        w->weakest = bit;
        w->weakest_top = top;
      }
      const int64_t lead = needed > 0 ? (needed + r - 1) / r : needed;
      assert(needed - (r - 1) * f <= top && lead <= top); /* they are in the tables */
      w->keep[entry_of(needed - (r - 1) * f, least, shift)] |= (uint64_t)1 << bit;
      w->first[entry_of(lead, least, shift)] |= (uint64_t)1 << bit;
    }
  }
  for (uint64_t entry = 1; entry < n_entries; entry++) {
    w->keep[entry] |= w->keep[entry - 1];
    w->first[entry] |= w->first[entry - 1];
  }
}

/* The candidates that have a budget left. */
static void compact(irl_select_node *node) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < node->n; i++)
    if (node->mask[i]) irl_select_keep(node, kept++, i, node->mask[i]);
  node->n = kept;
}

/* Takes budgets from masks by the values as they are. Candidates without any stay for now unless
 * they are many. */
static void tighten_masks(irl_select_worker *w, irl_select_node *node, int64_t given) {
  int64_t least = INT64_MAX, most = INT64_MIN;
  uint64_t limit = FEW_BUCKETS + 4 * (uint64_t)node->n;
  unsigned shift = 0;
  uint32_t kept = 0;
  w->n_first = 0;
  if (!node->n) return;
  if (limit > IRL_SELECT_BUCKETS) limit = IRL_SELECT_BUCKETS;
  for (uint32_t i = 0; i < node->n; i++) {
    least = node->value[i] < least ? node->value[i] : least;
    most = node->value[i] > most ? node->value[i] : most;
  }
  while ((uint64_t)(most - least) >> shift >= limit) shift++;
  set_tables(w, node, given, least, shift, ((uint64_t)(most - least) >> shift) + 1);
  const uint64_t *keep = w->keep, *first = w->first;
  const int64_t *values = node->value;
  uint64_t *masks = node->mask;
  uint32_t n_first = 0;
  for (uint32_t i = 0; i < node->n; i++) { /* masks only lose budgets */
    const uint64_t entry = (uint64_t)(values[i] - least) >> shift;
    const uint64_t mask = masks[i] & keep[entry];
    n_first += (mask & first[entry]) != 0;
    kept += mask != 0;
    masks[i] = mask;
  }
  assert(n_first <= kept && kept <= node->n);
  w->n_first = n_first;
  w->work += node->n;
  if (!kept || node->n - kept > node->n / MANY_EMPTY) compact(node);
  assert(kept || !node->n);
}

void irl_select_tighten(irl_select_worker *w, irl_select_node *node, int64_t given) {
  tighten_masks(w, node, given);
  compact(node);
}

void irl_select_tighten_plain(irl_select_worker *w, irl_select_node *node) {
  uint32_t before = UINT32_MAX;
  for (uint32_t i = 0; i < node->n; i++)
    node->value[i] = IRL_SELECT_PARTS * irl_select_benefit(w, node, i);
  node->given = 0;
  for (uint32_t round = 0; round < PLAIN_ROUNDS && node->n && node->n < before; round++) {
    before = node->n;
    irl_select_tighten(w, node, 0);
  }
}

/* ---- multipliers ---- */

static uint32_t part_of(uint16_t fine) {
  return (fine + IRL_SELECT_FINE / 2u) / IRL_SELECT_FINE;
}

int64_t irl_select_set_planes(const irl_select_worker *w, const irl_select_node *node,
                              const uint16_t *fine, uint64_t *planes) {
  const irl_select_pool *pool = w->pool;
  const int64_t *weights = pool->sample_weights[0];
  const size_t words = node->words[0];
  int64_t given = 0;
  if (words) memset(planes, 0, pool->n_value_planes * words * sizeof *planes);
  for (uint32_t i = 0; i < node->n_samples[0]; i++) {
    const int64_t weight = weights ? weights[node->sample[0][i]] / pool->divisor[0] : 1;
    const uint32_t part = part_of(fine[i]);
    const uint64_t product = part * (uint64_t)weight;
    assert(part <= IRL_SELECT_PARTS && !(product >> pool->n_value_planes));
    given += (IRL_SELECT_PARTS - part) * weight;
    for (uint64_t t = 0; product >> t; t++)
      planes[t * words + i / 64] |= (product >> t & 1) << i % 64;
  }
  return pool->unit[0] * given;
}

/* Values by bit planes. */
static void set_values(irl_select_worker *w, irl_select_node *node, const uint64_t *planes) {
  const irl_select_pool *pool = w->pool;
  irl_select_weigh_columns(w, node, 0, planes, pool->n_value_planes, node->column, node->n,
                           node->value);
  for (uint32_t i = 0; i < node->n; i++)
    node->value[i] =
        pool->unit[0] * node->value[i] - IRL_SELECT_PARTS * irl_select_cost(pool, node->clause[i]);
}

/* A step from the multipliers of now: what each case is counted by the largest values at the
 * weakest budget, against once in all. False: there is nothing to go by. */
static bool step(irl_select_worker *w, irl_select_node *node, int64_t length) {
  const int64_t tolerance =
      (w->weakest_top > 0 ? w->weakest_top / 32 : 0) + (w->pool->unit[0] ? w->pool->unit[0] : 1);
  uint32_t n = 0;
  if (node->n_samples[0]) memset(w->counts, 0, node->n_samples[0] * sizeof *w->counts);
  for (uint32_t i = 0; i < node->n && n < MAX_TOP; i++) {
    if (node->value[i] < w->weakest_top - tolerance || !(node->mask[i] >> w->weakest & 1)) continue;
    const uint64_t *column = node->columns + node->column[i] * node->stride;
    for (size_t word = 0; word < node->words[0]; word++)
      for (uint64_t left = column[word]; left; left &= left - 1)
        w->counts[64 * word + (size_t)__builtin_ctzll(left)]++;
    n++;
  }
  w->work += node->n / 8 + n * node->words[0];
  if (!n) return false;
  for (uint32_t i = 0; i < node->n_samples[0]; i++) {
    const int64_t slope = (int64_t)n - (int64_t)node->left * w->counts[i];
    const int64_t fine = node->fine[i] + ALL * length * slope / (1024 * (int64_t)n);
    node->fine[i] = (uint16_t)(fine < 0 ? 0 : fine > ALL ? ALL : fine);
  }
  return true;
}

/* The multipliers of now become those of the node. */
static void keep_multipliers(irl_select_node *node) {
  for (uint32_t i = 0; i < node->n_samples[0]; i++)
    node->parts[i] = (uint8_t)part_of(node->fine[i]);
}

void irl_select_find_multipliers(irl_select_worker *w, irl_select_node *node, uint32_t n_rounds) {
  uint32_t best = UINT32_MAX;
  int64_t length = FIRST_STEP;
  for (uint32_t round = 0; round < n_rounds && node->n; round++) {
    const int64_t given = irl_select_set_planes(w, node, node->fine, w->scratch);
    set_values(w, node, w->scratch);
    tighten_masks(w, node, given);
    if (w->n_first < best || !node->n) {
      best = w->n_first;
      keep_multipliers(node);
    }
    if (round + 1 == n_rounds || !node->n || !step(w, node, length)) break;
    length = length * STEP_FACTOR / 1024 > LEAST_STEP ? length * STEP_FACTOR / 1024 : LEAST_STEP;
  }
  compact(node);
  for (uint32_t i = 0; i < node->n_samples[0]; i++)
    node->fine[i] = (uint16_t)(node->parts[i] * IRL_SELECT_FINE);
  if (node->n_samples[0]) memcpy(node->hint, node->fine, node->n_samples[0] * sizeof *node->hint);
  node->given = irl_select_set_planes(w, node, node->fine, node->planes);
  if (node->n) set_values(w, node, node->planes);
}
