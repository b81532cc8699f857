/* Going through all selections of a few clauses from a list, with budget masks.
 *
 * Checked: no selection of at most r clauses of the pool makes a better rule out of the state.
 *
 * Suppose one did, and took no clause that adds no case. It needs the gain g. With P the weight of
 * the controls of the state, let B be that of the controls of the better rule; each clause of the
 * selection adds b controls of its own, so P + b <= B, and B is at most what loss and limits allow.
 * Each live case i has a multiplier m_i of 0 to 7 sevenths. With w_i its weight, let
 *
 *   v = (sum of m_i * w_i over the live cases of a clause) - 7 * c,
 *   h = sum of (7 - m_i) * w_i over the live cases that some clause covers,
 *   T(B) = 7 * (g + B - P) - h,
 *
 * c being what a clause costs by itself. The clauses selected cover live cases of weight at least
 * g + B - P + (all c), so 7 times that is at most h + (sum of v) + 7 * (all c): their v sum up to
 * T(B) or more. Under the Hamming loss each clause pays for its controls by itself: then 7 * b goes
 * off its v, T is 7 * g - h, and there is one budget for all.
 *
 * A clause has a mask with a bit for each B, or for each of 64 ranges of them, of which the least B
 * counts in every test. Let f(B) be the largest v of the clauses with B in their masks, and 0 at
 * least. B goes out of a mask if v + (r - 1) * f(B) < T(B): all r clauses together would have too
 * little. The clause of largest v in the selection has r * v >= T(B), or v >= T(B) if that is not
 * positive. It is the one that is taken next, the others come after it in the order of v; each of
 * them has the same B in its mask, and v >= T(B) - (v of the first) - (r - 2) * (the largest after
 * it). What a clause adds to a state is no more than what it adds to one before.
 *
 * All that holds with a larger f, too. The fast form of the test takes for f(B) the largest v of
 * the clauses whose least budget is B or less, so that one pass over the clauses finds all f; and a
 * clause needs at least the smallest T(B) - (r - 1) * f(B) of B from its least budget on. A first
 * clause that is taken leaves r - 1, and with the multipliers of before the v of each only falls:
 * f is found among those that may lead, and the others need their old v to be large enough.
 *
 * With two left, pairs are tried: they gain no more than both a - c less the larger b. */
#include "verify/verify_choose.h"
#include "base/arena.h"
#include <assert.h>

/* ---- the search ---- */

/* What n options, named in s->ids, share with the live samples of a class, in s->sums. */
static void weigh_live(irl_verify_selector *s, const irl_verify_class *class, const uint64_t *live,
                       uint32_t n) {
  irl_verify_mask(class, live, s->live_planes);
  s->view->kernels->and_weigh_many(s->live_planes, irl_verify_n_planes(class),
                                   s->pool->covers + class->offset, s->view->stride, s->ids, n,
                                   class->words, s->sums);
  for (uint32_t i = 0; i < n; i++) s->sums[i] *= class->weight;
}

/* Of n options of a level, with their new cases in s->sums, those with some that the fast form of
 * the test leaves, by plain values; s->ids names them. Their new controls are not known yet: masks
 * have too many bits rather than too few, and under the Hamming loss values are too large. */
static uint32_t keep_covering(irl_verify_selector *s, irl_verify_level *l, uint32_t n) {
  irl_verify_demand d;
  uint32_t kept = 0;
  irl_verify_demand_clear(&d);
  for (uint32_t i = 0; i < n; i++) {
    irl_verify_option *o = &l->options[i];
    o->new_cases = s->sums[i];
    o->cost = irl_verify_cost(s->limits->penalty, o->size);
    o->value = IRL_VERIFY_PARTS * (o->new_cases - o->cost);
    if (o->new_cases) irl_verify_demand_count(&d, o->mask, o->value);
  }
  irl_verify_demand_set(&s->budgets, &l->state, 0, &d);
  for (uint32_t i = 0; i < n; i++) {
    const irl_verify_option *o = &l->options[i];
    if (!o->new_cases || o->value < d.from[irl_verify_lowest(o->mask)]) continue;
    s->ids[kept] = o->clause;
    if (kept != i) l->options[kept] = *o;
    kept++;
  }
  return kept;
}

/* The options of a level among n of the level before, with budgets among `mask` and the values that
 * these ask of them, or all of the pool; none if all together cover too few cases. */
static void list_options(irl_verify_selector *s, irl_verify_level *l, const irl_verify_option *from,
                         uint32_t n, uint64_t mask, const int64_t *least_from) {
  const irl_verify_view *view = s->view;
  const uint32_t left = l->state.left, max_size = irl_verify_max_size(s->limits, &l->state);
  const int64_t budget = irl_verify_budget(s->limits, &l->state);
  const int64_t max_controls = irl_verify_max_controls(s->limits, &l->state);
  int64_t covers[IRL_VERIFY_MAX_K] = {0}, covered = 0;
  uint32_t n_listed = 0;
  l->n = 0;
  mask &= irl_verify_budgets_to(&s->budgets, irl_verify_budgets_largest(&s->budgets, &l->state));
  for (uint32_t i = 0; i < n; i++) {
    irl_verify_option o = {.clause = from ? from[i].clause : i,
                           .mask = from ? mask & from[i].mask : mask};
    if (!o.mask || (from && from[i].value < least_from[irl_verify_lowest(o.mask)])) continue;
    o.size = s->pool->sizes[o.clause];
    if (o.size > max_size) continue;
    s->ids[n_listed] = o.clause;
    l->options[n_listed++] = o;
  }
  weigh_live(s, &view->cases, l->state.live, n_listed);
  const uint32_t n_new = keep_covering(s, l, n_listed);
  weigh_live(s, &view->controls, l->state.live, n_new);
  for (uint32_t i = 0; i < n_new; i++) {
    irl_verify_option o = l->options[i];
    o.new_controls = s->sums[i];
    if (o.new_controls > max_controls || o.new_controls + o.cost > budget) continue;
    if (!s->limits->is_hamming)
      o.mask &= irl_verify_budgets_from(&s->budgets, l->state.controls + o.new_controls);
    if (!o.mask) continue;
    irl_verify_put_largest(covers, left, o.new_cases);
    l->options[l->n++] = o;
  }
  assert(l->n <= n_new && n_new <= n_listed && n_listed <= n);
  for (uint32_t i = 0; i < left; i++) covered += covers[i];
  if (covered < irl_verify_required_cases(s->limits, &l->state)) l->n = 0;
}

/* The state with one more option, in the next level; is it better than the best? */
static bool take(irl_verify_selector *s, uint32_t depth, const irl_verify_option *o) {
  irl_verify_state *next = &s->levels[depth + 1].state;
  assert(o->mask && s->levels[depth].state.left);
  irl_verify_take(s->view, s->limits, &s->levels[depth].state, irl_verify_cover_of(s, o->clause),
                  o->size, next);
  return s->is_better = irl_verify_is_better(s->limits, next);
}

/* Pairs of option i and later ones before `end`. */
static void try_pairs(irl_verify_selector *s, uint32_t depth, uint32_t i, uint32_t end) {
  const irl_verify_level *l = &s->levels[depth];
  const irl_verify_state *next = &s->levels[depth + 1].state;
  const irl_verify_option *first = &l->options[i];
  const int64_t required = irl_verify_required_gain(s->limits, &l->state);
  assert(l->state.left == 2);
  for (uint32_t j = i + 1; j < end; j++) {
    const irl_verify_option *second = &l->options[j];
    const int64_t larger =
        first->new_controls > second->new_controls ? first->new_controls : second->new_controls;
    const int64_t paid =
        s->limits->is_hamming ? first->new_controls + second->new_controls : larger;
    const int64_t rest = required + first->cost + second->cost + paid - first->new_cases;
    if (second->new_cases < rest || !(first->mask & second->mask)) continue;
    /* What the second really adds to the first may be less. */
    const int64_t more = irl_verify_weigh_both(s->view, &s->view->cases, next->live,
                                               irl_verify_cover_of(s, second->clause));
    assert(more <= second->new_cases);
    if (more >= rest && take(s, depth + 1, second)) return;
  }
  irl_verify_spend(s->view->meter, (end - i) * 2);
}

/* The end of the options of that value or more, from `first` to `end`. */
static uint32_t end_of(const irl_verify_level *l, uint32_t first, uint32_t end, int64_t least) {
  uint32_t low = first, high = end;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->options[middle].value >= least)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* What the options from `first` to `end` need for the rest of a selection that has the next level's
 * state, with the multipliers of this one. Returns the budgets of `mask` that are left. */
static uint64_t demand_next(irl_verify_selector *s, uint32_t depth, uint32_t first, uint32_t end,
                            uint64_t mask, irl_verify_demand *d) {
  const irl_verify_level *l = &s->levels[depth];
  const irl_verify_state *next = &s->levels[depth + 1].state;
  const size_t words = s->view->cases.words;
  int64_t given = 0;
  for (uint32_t t = 0; t < s->n_planes; t++)
    for (size_t w = 0; w < words; w++)
      s->masked[t * words + w] = l->planes[t * words + w] & next->live[w];
  /* The h of the cases that are still live, whether coverable or not: no less than the least. */
  for (size_t w = 0; w < words; w++)
    for (uint64_t bits = next->live[w]; bits; bits &= bits - 1) {
      const size_t i = 64 * w + irl_verify_lowest(bits);
      given += s->unit * (IRL_VERIFY_PARTS - (int64_t)irl_verify_part(l->fine[i])) * s->weights[i];
    }
  const int64_t needed = irl_verify_needed(&s->budgets, next, given, irl_verify_lowest(mask)),
                left = next->left;
  end = end_of(l, first, end, needed > 0 ? (needed + left - 1) / left : needed);
  irl_verify_weigh_options(s, s->masked, l->options + first, end - first);
  irl_verify_demand_clear(d);
  for (uint32_t i = first; i < end; i++) {
    const uint64_t both = l->options[i].mask & mask;
    if (both)
      irl_verify_demand_count(d, both, s->sums[i - first] - irl_verify_charge(s, &l->options[i]));
  }
  return mask & irl_verify_demand_set(&s->budgets, next, given, d);
}

static void search_level(irl_verify_selector *s, uint32_t depth, const irl_verify_option *from,
                         uint32_t n, uint64_t mask, const int64_t *least_from) {
  irl_verify_level *l = &s->levels[depth];
  const uint32_t left = l->state.left;
  assert(irl_verify_state_check(s->view, s->limits, &l->state));
  if (!left || irl_verify_spend(s->view->meter, n * s->view->stride)) return;
  list_options(s, l, from, n, mask, least_from);
  irl_verify_bound_level(s, l, s->levels[depth + 1].fine);
  for (uint32_t i = 0; i < l->n && !s->is_better && !s->view->meter->is_cut; i++) {
    const irl_verify_option *o = &l->options[i];
    uint64_t lead = 0;
    for (uint64_t bits = o->mask; bits; bits &= bits - 1)
      if (irl_verify_may_lead(
              o->value, left,
              irl_verify_needed(&s->budgets, &l->state, l->given, irl_verify_lowest(bits))))
        lead |= bits & -bits;
    if (!lead) continue;
    if (take(s, depth, o)) return;
    if (left == 1) continue;
    const int64_t next = i + 1 < l->n && l->options[i + 1].value > 0 ? l->options[i + 1].value : 0;
    const int64_t least =
        irl_verify_needed(&s->budgets, &l->state, l->given, irl_verify_lowest(lead)) - o->value -
        (left - 2) * next;
    uint32_t end = end_of(l, i + 1, l->n, least);
    if (end == i + 1) continue;
    if (left == 2) {
      try_pairs(s, depth, i, end);
      continue;
    }
    lead &= irl_verify_budgets_from(&s->budgets, s->levels[depth + 1].state.controls);
    if (s->limits->is_hamming) lead = 1;
    irl_verify_demand d;
    if (lead) lead = demand_next(s, depth, i + 1, end, lead, &d);
    if (!lead) continue;
    end = end_of(l, i + 1, end, d.from[irl_verify_lowest(lead)]);
    memcpy(s->levels[depth + 1].fine, l->fine, s->view->n_cases * sizeof *l->fine);
    search_level(s, depth + 1, l->options + i + 1, end - i - 1, lead, d.from);
  }
}

/* ---- beginning ---- */

/* The weight of each case, and the digits of its products. */
static void set_weights(irl_verify_selector *s) {
  const irl_verify_class *cases = &s->view->cases;
  int64_t most = 0;
  s->unit = cases->weight;
  for (uint32_t i = 0; i < s->view->n_cases; i++) {
    s->weights[i] = cases->n_planes ? 0 : 1;
    for (unsigned t = 0; t < cases->n_planes; t++)
      s->weights[i] += (int64_t)irl_bits_get(cases->planes + t * cases->words, i) << t;
    if (s->weights[i] > most) most = s->weights[i];
  }
  while ((uint64_t)(IRL_VERIFY_PARTS * most) >> s->n_planes) s->n_planes++;
}

irl_status irl_verify_select(irl_env *env, const irl_verify_view *view,
                             const irl_verify_limits *limits, const irl_verify_state *state,
                             irl_verify_pool *pool, bool *is_better) {
  const bool is_reduced = irl_verify_pool_reduce(view, pool, IRL_VERIFY_COMPARED);
  irl_arena arena;
  assert(state->left <= IRL_VERIFY_MAX_K);
  if (view->meter->is_cut) return IRL_STATUS_OK;
  if (!is_reduced) return irl_fail_memory(env);
  const size_t n_levels = state->left + 1, bytes = view->stride * sizeof(uint64_t);
  const size_t n_cases = view->n_cases + 1, words = view->cases.words;
  irl_verify_selector s = {
      .view = view, .limits = limits, .pool = pool, .budgets = {limits, state->controls, 1}};
  irl_arena_init(&arena, &env->allocator);
  s.levels = irl_arena_alloc(&arena, n_levels, sizeof *s.levels);
  s.weights = irl_arena_alloc(&arena, n_cases, sizeof *s.weights);
  if (s.weights) set_weights(&s);
  uint64_t *columns = irl_arena_alloc_aligned(&arena, 2 * n_levels, bytes);
  uint64_t *planes =
      irl_arena_alloc_aligned(&arena, (n_levels + 1) * s.n_planes + 1, words * sizeof *planes);
  irl_verify_option *options = irl_arena_alloc(&arena, n_levels + 1, pool->n * sizeof *options);
  uint16_t *fine = irl_arena_alloc(&arena, n_levels, n_cases * sizeof *fine);
  s.sums = irl_arena_alloc(&arena, pool->n + 1, sizeof *s.sums);
  s.ids = irl_arena_alloc(&arena, pool->n + 1, sizeof *s.ids);
  s.counts = irl_arena_alloc(&arena, n_cases, sizeof *s.counts);
  s.order = irl_arena_alloc(&arena, pool->n + 1, sizeof *s.order);
  s.live_planes = irl_verify_new_mask(&arena, view);
  const bool is_made = s.levels && s.weights && columns && planes && options && fine && s.sums &&
                       s.ids && s.counts && s.order && s.live_planes;
  if (is_made) {
    s.coverable = planes;
    s.spare = options + n_levels * pool->n;
    s.masked = planes + words;
    for (size_t i = 0; i < n_levels; i++) {
      irl_verify_level *l = &s.levels[i];
      if (!i) l->state = *state;
      l->state.live = columns + 2 * i * view->stride;
      l->state.touched = columns + (2 * i + 1) * view->stride;
      l->options = options + i * pool->n;
      l->fine = fine + i * n_cases;
      l->planes = planes + words + (i + 1) * s.n_planes * words;
    }
    memcpy(s.levels[0].state.live, state->live, bytes);
    memcpy(s.levels[0].state.touched, state->touched, bytes);
    for (size_t i = 0; i < n_cases; i++) s.levels[0].fine[i] = IRL_VERIFY_PARTS * IRL_VERIFY_FINE;
    const int64_t range = irl_verify_budgets_largest(&s.budgets, state) - s.budgets.base;
    if (range >= 0 && !limits->is_hamming) s.budgets.width = range / 64 + 1;
    if (range >= 0 || limits->is_hamming)
      search_level(&s, 0, NULL, (uint32_t)pool->n, ~(uint64_t)0, NULL);
    *is_better = s.is_better;
  }
  irl_arena_free(&arena);
  return is_made ? IRL_STATUS_OK : irl_fail_memory(env);
}
