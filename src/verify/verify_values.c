/* Values and masks of the options of a level: the multipliers m, the sums v and the tests of
 * budgets that verify_choose.c explains. Multipliers are looked for by steps: those of cases that
 * the largest values share go down, those of cases that none of them has go up. Whatever they are,
 * the tests hold. */
#include "verify/verify_choose.h"
#include <assert.h>

#define MANY        40u  /* options, from which on multipliers are looked for, */
#define MANY_PAIRS  150u /* with two clauses left from so many on */
#define ROUNDS      24u  /* of that search */
#define FIRST_STEPS 2u   /* one over this is its first step, and each one is 15/16 of the last */

/* The planes of a level's multipliers. */
static void set_planes(const irl_verify_selector *s, irl_verify_level *l) {
  const size_t words = s->view->cases.words;
  memset(l->planes, 0, s->n_planes * words * sizeof *l->planes);
  l->given = 0;
  for (uint32_t i = 0; i < s->view->n_cases; i++) {
    if (!irl_bits_get(s->coverable, i)) continue;
    const uint64_t product = irl_verify_part(l->fine[i]) * (uint64_t)s->weights[i];
    l->given += s->unit * (IRL_VERIFY_PARTS * s->weights[i] - (int64_t)product);
    for (uint32_t t = 0; t < s->n_planes; t++)
      if (product >> t & 1) irl_bits_set(l->planes + t * words, i);
  }
}

void irl_verify_weigh_options(irl_verify_selector *s, const uint64_t *planes,
                              const irl_verify_option *options, uint32_t n) {
  assert(n <= s->pool->n && s->unit > 0);
  for (uint32_t i = 0; i < n; i++) s->ids[i] = options[i].clause;
  s->view->kernels->and_weigh_many(planes, s->n_planes, s->pool->covers, s->view->stride, s->ids, n,
                                   s->view->cases.words, s->sums);
  for (uint32_t i = 0; i < n; i++) s->sums[i] *= s->unit;
  irl_verify_spend(s->view->meter, n * s->n_planes * s->view->cases.words);
}

/* The options by falling value; equal ones stay as they were. */
static void sort_options(irl_verify_selector *s, irl_verify_level *l) {
  for (uint32_t i = 0; i < l->n; i++) s->sums[i] = l->options[i].value;
  const uint32_t *order = irl_verify_order(s->sums, l->n, s->order, s->ids);
  for (uint32_t i = 0; i < l->n; i++) s->spare[i] = l->options[order[i]];
  irl_verify_option *options = l->options;
  l->options = s->spare;
  s->spare = options;
}

/* Budgets out of masks, and options without any. The options stand by value afterwards. */
static void prune(irl_verify_selector *s, irl_verify_level *l) {
  const int64_t left = l->state.left;
  int64_t least[64];
  uint64_t open = ~(uint64_t)0, alive = 0;
  uint32_t kept = 0;
  sort_options(s, l);
  for (uint32_t i = 0; i < l->n && open; i++)
    for (uint64_t met = l->options[i].mask & open; met; met &= met - 1) {
      const unsigned bit = irl_verify_lowest(met);
      const int64_t top = l->options[i].value, f = top > 0 ? top : 0;
      open &= ~(met & -met);
      const int64_t needed = irl_verify_needed(&s->budgets, &l->state, l->given, bit);
      least[bit] = needed - (left - 1) * f;
      if (irl_verify_may_lead(top, l->state.left, needed)) alive |= met & -met;
    }
  int64_t highest = INT64_MAX; /* of what the bits that are alive ask */
  for (uint32_t i = 0; i < l->n; i++) {
    irl_verify_option *o = &l->options[i];
    if (o->value < highest) { /* values fall: what one is too small for, all later ones are */
      highest = INT64_MIN;
      for (uint64_t bits = alive; bits; bits &= bits - 1) {
        const unsigned bit = irl_verify_lowest(bits);
        if (least[bit] > o->value)
          alive &= ~((uint64_t)1 << bit);
        else if (least[bit] > highest)
          highest = least[bit];
      }
    }
    o->mask &= alive;
    if (o->mask) l->options[kept++] = *o;
  }
  l->n = kept;
}

/* The same in the fast form, which leaves the options in their order. Returns how many may lead a
 * selection. */
static uint32_t prune_fast(irl_verify_selector *s, irl_verify_level *l) {
  irl_verify_demand d;
  int64_t most = INT64_MIN;
  uint32_t kept = 0, n_lead = 0;
  irl_verify_demand_clear(&d);
  for (uint32_t i = 0; i < l->n; i++)
    irl_verify_demand_count(&d, l->options[i].mask, l->options[i].value);
  const uint64_t alive = irl_verify_demand_set(&s->budgets, &l->state, l->given, &d);
  for (uint64_t bits = alive; bits; bits &= bits - 1) {
    const unsigned bit = irl_verify_lowest(bits);
    const int64_t f = d.top[bit] > 0 ? d.top[bit] : 0;
    if (l->state.left * f - d.needed[bit] <= most) continue;
    most = l->state.left * f - d.needed[bit];
    s->weakest = bit;
    s->weakest_top = d.top[bit];
  }
  for (uint32_t i = 0; i < l->n; i++) {
    irl_verify_option *o = &l->options[i];
    if (o->value < d.from[irl_verify_lowest(o->mask)]) continue;
    o->mask &= alive;
    while (o->mask && o->value < d.least[irl_verify_lowest(o->mask)]) o->mask &= o->mask - 1;
    if (!o->mask) continue;
    n_lead += irl_verify_may_lead(o->value, l->state.left, d.needed[irl_verify_lowest(o->mask)]);
    if (kept != i) l->options[kept] = *o;
    kept++;
  }
  l->n = kept;
  return n_lead;
}

/* A step of the multipliers: cases that the largest values at the weakest budget share go down. */
static void step(irl_verify_selector *s, irl_verify_level *l, int64_t length) {
  const size_t words = s->view->cases.words;
  uint32_t n = 0;
  memset(s->counts, 0, s->view->n_cases * sizeof *s->counts);
  for (uint32_t i = 0; i < l->n && n < 50; i++) {
    const irl_verify_option *o = &l->options[i];
    if (o->value < s->weakest_top - (s->weakest_top > 0 ? s->weakest_top / 30 : 0)) continue;
    if (!(o->mask >> s->weakest & 1)) continue;
    const uint64_t *cover = irl_verify_cover_of(s, o->clause);
    for (size_t w = 0; w < words; w++)
      for (uint64_t bits = cover[w] & s->coverable[w]; bits; bits &= bits - 1)
        s->counts[64 * w + irl_verify_lowest(bits)]++;
    n++;
  }
  for (uint32_t i = 0; i < s->view->n_cases && n; i++) {
    const int64_t slope = (int64_t)n - (int64_t)l->state.left * s->counts[i];
    const int64_t fine = l->fine[i] + length * slope / (int64_t)n;
    l->fine[i] =
        (uint16_t)(fine < 0                                    ? 0
                   : fine > IRL_VERIFY_PARTS * IRL_VERIFY_FINE ? IRL_VERIFY_PARTS * IRL_VERIFY_FINE
                                                               : fine);
  }
}

/* Values by the multipliers of now. */
static void set_values(irl_verify_selector *s, irl_verify_level *l) {
  set_planes(s, l);
  irl_verify_weigh_options(s, l->planes, l->options, l->n);
  for (uint32_t i = 0; i < l->n; i++)
    l->options[i].value = s->sums[i] - irl_verify_charge(s, &l->options[i]);
}

void irl_verify_bound_level(irl_verify_selector *s, irl_verify_level *l, uint16_t *best) {
  const irl_verify_view *view = s->view;
  const bool has_multipliers = l->n > (l->state.left > 2 ? MANY : MANY_PAIRS);
  uint32_t fewest = UINT32_MAX;
  memset(s->coverable, 0, view->cases.words * sizeof *s->coverable);
  for (uint32_t i = 0; i < l->n; i++) {
    const uint64_t *cover = irl_verify_cover_of(s, l->options[i].clause);
    for (size_t w = 0; w < view->cases.words; w++) s->coverable[w] |= cover[w];
  }
  for (size_t w = 0; w < view->cases.words; w++) s->coverable[w] &= l->state.live[w];
  for (uint32_t i = 0; i < l->n; i++)
    l->options[i].value =
        IRL_VERIFY_PARTS * l->options[i].new_cases - irl_verify_charge(s, &l->options[i]);
  l->given = 0;
  prune_fast(s, l);
  if (!has_multipliers)
    for (uint32_t i = 0; i < view->n_cases; i++) l->fine[i] = IRL_VERIFY_PARTS * IRL_VERIFY_FINE;
  else {
    int64_t length = IRL_VERIFY_PARTS * IRL_VERIFY_FINE / FIRST_STEPS;
    for (uint32_t round = 0; round < ROUNDS && l->n > 1 && !view->meter->is_cut; round++) {
      set_values(s, l);
      const uint32_t n_lead = prune_fast(s, l);
      if (n_lead < fewest) {
        fewest = n_lead;
        memcpy(best, l->fine, view->n_cases * sizeof *best);
      }
      step(s, l, length);
      length = length * 15 / 16 > IRL_VERIFY_FINE / 4 ? length * 15 / 16 : IRL_VERIFY_FINE / 4;
    }
    if (fewest < UINT32_MAX) memcpy(l->fine, best, view->n_cases * sizeof *best);
  }
  set_values(s, l);
  prune(s, l);
}
