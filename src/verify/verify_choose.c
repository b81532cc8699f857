/* Going through all choices of a few clauses: the only tree over clauses of the checker.
 *
 * Checked: the clauses of a state and at most r more, each of the pool, make no better rule. Every
 * better rule has only clauses of the pool, or, where less is known of the pool, has one of those
 * that are listed anew on the way.
 *
 * Suppose that there is one, and that it takes no clause that adds no case. With r clauses left it
 * needs the gain g. Let x be what a clause newly covers of the cases less what it costs by itself,
 * b the weight of the controls that it newly covers, and B that of the new controls of all
 * together: their x sum up to g + B or more, and B is no less than any b (lemma 8; under the
 * Hamming loss each clause pays for its controls by itself: then b goes off its x, and counts as 0
 * here). The clause of largest x has r * x >= g + B, or x >= g + B if that is not positive. It is
 * taken next; the others come after it in the order of x, and with b' that of the first, each of
 * them has x >= g + max(b, b') less the x of the rest, which is at most that of the first, and 0 at
 * least. What a clause adds to a state is no more than what it adds to one before.
 *
 * Kept cases. Where only some cases count, each as the least weight of them, a rule loses no more
 * than by all, so that all the above holds for these cases. The pool has the clauses that cover so
 * many of them that x > known. If g > r * known, the clause of largest x is one of the pool, and
 * those beside it may have `known` each; otherwise the clauses of which a better rule has one are
 * listed anew on all cases (lemma 1), each refuted for those after it.
 *
 * All rules (lemma 10). A rule R that the list shall have is tight: a clause of R covers a case
 * that no other one of R covers, since without it the loss were not larger otherwise; and without
 * any of its literals (if it has more than one) it would cover more controls that count, since else
 * the loss were not larger either. Of the clauses that lemma 1 speaks of those of that kind are
 * listed at each node. Below one of them no rule is looked for that has an earlier one of it or of
 * the nodes above: these were met there. */
#include "base/memory.h"
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdlib.h>

/* A clause of the pool and what it would add to a state: x and b. */
typedef struct option {
  int64_t gain, controls;
  uint32_t clause;
} option;

typedef struct level {
  irl_verify_state state;
  option *options;         /* by falling x */
  irl_verify_pool own;     /* clauses that were listed anew, */
  const uint32_t **sorted; /* and in order, for who looks one up; */
  size_t at;               /* those before this one are refuted */
} level;

typedef struct chooser {
  irl_verify_choice *c;
  const irl_verify_view *view;
  const irl_verify_limits *limits;
  const uint64_t *covers; /* of the pool, for what counts of the cases: */
  size_t stride;
  irl_verify_class cases;
  uint64_t *planes; /* those that are live, by their weights */
  uint32_t *ids;
  int64_t *sums;
  uint64_t *cover;
  level levels[IRL_VERIFY_MAX_K + 1];
  uint32_t depth; /* of the level that lists anew */
  irl_status status;
} chooser;

static bool is_ended(const chooser *s) {
  return s->status || s->c->is_better || s->view->meter->is_cut;
}

/* ---- options ---- */

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* No less than the x of any clause that is not an option, or not taken. */
static int64_t floor_of(const chooser *s) {
  return larger(s->c->known, 0);
}

static int by_gain(const void *x, const void *y) {
  const option *a = x, *b = y;
  if (a->gain != b->gain) return a->gain > b->gain ? -1 : 1;
  return (a->clause > b->clause) - (a->clause < b->clause);
}

/* The weight of the live cases that count, and these as planes. */
static int64_t mask_live(chooser *s, const irl_verify_state *state) {
  const irl_verify_view *view = s->view;
  if (!s->c->counted) {
    irl_verify_mask(&s->cases, state->live, s->planes);
    return state->uncovered;
  }
  view->kernels->gather_many(s->planes, s->cases.words, s->cases.words, state->live, view->stride,
                             NULL, 1, s->c->counted, view->cases.words);
  return s->cases.weight * (int64_t)view->kernels->count(s->planes, s->cases.words);
}

/* Of n options (NULL: all of the pool) those that a choice of the level may have, by falling x; how
 * many. */
static uint32_t weigh_options(chooser *s, level *l, const option *from, uint32_t n, int64_t gain) {
  const irl_verify_wanted wanted = irl_verify_want_all(s->limits, &l->state);
  const bool is_shared = wanted.control_factor == 1; /* controls are paid once */
  const irl_verify_pool *pool = s->c->pool;
  const int64_t left = l->state.left;
  const unsigned n_planes = irl_verify_n_planes(&s->cases);
  int64_t most = 0;
  uint32_t kept = 0, n_left = 0;
  const int64_t others = from && n ? (left - 1) * larger(from->gain, floor_of(s)) : 0;
  while (from && n && from[n - 1].gain < gain - others) n--; /* they add no more than before */
  for (uint32_t i = 0; i < n; i++) s->ids[i] = from ? from[i].clause : i;
  s->view->kernels->and_weigh_many(s->planes, n_planes, s->covers, s->stride, s->ids, n,
                                   s->cases.words, s->sums);
  irl_verify_spend(s->view->meter, n * n_planes * s->cases.words);
  for (uint32_t i = 0; i < n; i++) most = larger(most, s->cases.weight * s->sums[i]);
  if (!s->c->counted && left * most < irl_verify_required_cases(s->limits, &l->state)) return 0;
  const int64_t least = gain - (left - 1) * larger(most, floor_of(s));
  for (uint32_t i = 0; i < n; i++) {
    const int64_t cases = s->cases.weight * s->sums[i];
    const uint32_t size = *irl_verify_pool_words(pool, s->ids[i]);
    const int64_t x = cases - irl_verify_cost(wanted.penalty, size);
    if (!cases || x < least || size > wanted.max_size) continue;
    s->ids[kept] = s->ids[i];
    l->options[kept++] = (option){x, 0, s->ids[i]};
  }
  irl_verify_mask(&s->view->controls, l->state.live, s->planes);
  irl_verify_weigh_many(s->view, &s->view->controls, s->planes, pool->covers, s->ids, kept,
                        s->sums);
  irl_verify_spend(s->view->meter, kept * s->view->controls.words);
  for (uint32_t i = 0; i < kept; i++) {
    option o = l->options[i];
    const uint32_t size = *irl_verify_pool_words(pool, o.clause);
    if (s->sums[i] > wanted.max_controls ||
        s->sums[i] + irl_verify_cost(wanted.penalty, size) > wanted.budget)
      continue;
    if (is_shared)
      o.controls = s->sums[i];
    else
      o.gain -= s->sums[i];
    if (o.gain >= least + o.controls) l->options[n_left++] = o;
  }
  if (n_left) qsort(l->options, n_left, sizeof *l->options, by_gain);
  return n_left;
}

/* ---- nodes ---- */

static void visit(chooser *s, uint32_t depth, const option *from, uint32_t n);

/* The next level with a clause of a pool, and n options. */
static void visit_child(chooser *s, uint32_t depth, const irl_verify_pool *pool, size_t k,
                        const option *from, uint32_t n) {
  const irl_verify_state *state = &s->levels[depth].state;
  s->view->kernels->and_into(s->cover, state->live, irl_verify_pool_cover(s->view, pool, k),
                             s->view->stride);
  irl_verify_take(s->view, s->limits, state, s->cover, *irl_verify_pool_words(pool, k),
                  &s->levels[depth + 1].state);
  if (s->c->rules) s->c->rules->clauses[depth] = irl_verify_pool_words(pool, k);
  irl_verify_spend(s->view->meter, 4 * s->view->stride);
  visit(s, depth + 1, from, n);
}

/* Each of n options in turn as the one of largest x, with those after it that may be beside it. */
static void go_through(chooser *s, uint32_t depth, uint32_t n, int64_t gain) {
  const level *l = &s->levels[depth];
  option *beside = s->levels[depth + 1].options;
  const int64_t left = l->state.left;
  for (uint32_t i = 0; i < n && !is_ended(s); i++) {
    const option *first = &l->options[i];
    const int64_t needed = gain + first->controls;
    const int64_t next = larger(i + 1 < n ? first[1].gain : 0, floor_of(s));
    const int64_t rest = gain - first->gain - (left - 2) * next;
    uint32_t n_beside = 0;
    if ((needed > 0 ? left : 1) * first->gain < needed) continue;
    for (uint32_t j = i + 1; left > 1 && j < n && l->options[j].gain >= rest + first->controls; j++)
      if (l->options[j].gain >= rest + l->options[j].controls) beside[n_beside++] = l->options[j];
    if (n_beside || first->gain + (left - 1) * floor_of(s) >= needed)
      visit_child(s, depth, s->c->pool, first->clause, beside, n_beside);
  }
}

/* ---- clauses that are listed anew ---- */

/* Is the clause refuted on the way to this level? */
static bool is_met(const chooser *s, uint32_t depth, const uint32_t *words) {
  for (uint32_t i = 0; i < depth; i++) {
    const level *l = &s->levels[i];
    if (!l->at) continue;
    const uint32_t **found =
        bsearch(&words, l->sorted, l->own.n, sizeof *l->sorted, irl_verify_by_words);
    if (found && (size_t)(*found - l->own.words) / l->own.width < l->at) return true;
  }
  return false;
}

/* Would it leave out no control that counts without one of its literals? */
static bool has_idle_literal(chooser *s, const irl_verify_state *state,
                             const irl_verify_clause *clause) {
  for (uint32_t l = 0; l < clause->n && clause->n > 1; l++) {
    irl_literal literals[IRL_VERIFY_MAX_M];
    for (uint32_t i = 0, n = 0; i < clause->n; i++)
      if (i != l) literals[n++] = clause->literals[i];
    irl_verify_cover(s->view, state->live, literals, clause->n - 1, s->cover);
    if (irl_verify_weigh(s->view, &s->view->controls, s->cover) == clause->controls) return true;
  }
  return false;
}

static bool collect(void *user, const irl_verify_clause *clause) {
  chooser *s = user;
  level *l = &s->levels[s->depth];
  uint32_t words[IRL_VERIFY_MAX_M + 1] = {clause->n};
  memcpy(words + 1, clause->literals, clause->n * sizeof *words);
  s->c->n_listed++;
  if (is_met(s, s->depth, words)) return false;
  if (s->c->rules) {
    if (irl_verify_spend(s->view->meter, clause->n * s->view->stride)) return true;
    if (has_idle_literal(s, &l->state, clause)) return false;
  }
  s->status = irl_verify_pool_add(s->view, &l->own, clause->cover, clause->literals, clause->n);
  return s->status;
}

static void list_anew(chooser *s, uint32_t depth, const option *from, uint32_t n) {
  level *l = &s->levels[depth];
  const int64_t gain = l->state.uncovered - irl_verify_budget(s->limits, &l->state);
  irl_verify_wanted wanted = irl_verify_want_all(s->limits, &l->state);
  wanted.min_value = irl_verify_least_value(s->limits, l->state.left, gain);
  s->depth = depth;
  l->own = (irl_verify_pool){.width = (uint32_t)s->limits->M + 1};
  const irl_status status = irl_verify_list(s->view, l->state.live, &wanted, collect, s);
  if (!s->status) s->status = status;
  if (!is_ended(s) && !s->c->rules) s->status = irl_verify_pool_reduce(s->view, &l->own);
  l->sorted = irl_mem_alloc(&s->view->env->allocator, l->own.n + 1, sizeof *l->sorted);
  if (!l->sorted && !s->status) s->status = irl_fail_memory(s->view->env);
  for (size_t k = 0; k < l->own.n && l->sorted; k++)
    l->sorted[k] = irl_verify_pool_words(&l->own, k);
  if (l->own.n && l->sorted) qsort(l->sorted, l->own.n, sizeof *l->sorted, irl_verify_by_words);
  for (l->at = 0; l->at < l->own.n && !is_ended(s); l->at++)
    visit_child(s, depth, &l->own, l->at, from, n);
  l->at = 0;
  irl_mem_free(&s->view->env->allocator, l->sorted);
  irl_verify_pool_free(s->view, &l->own);
}

static void visit(chooser *s, uint32_t depth, const option *from, uint32_t n) {
  level *l = &s->levels[depth];
  const irl_verify_state *state = &l->state;
  bool is_better = irl_verify_is_better(s->limits, state), is_known = false;
  assert(irl_verify_state_check(s->view, s->limits, state));
  if (is_better && s->c->rules) {
    s->status = irl_verify_rules_have(s->c->rules, depth, &is_known);
    is_better = !s->status && !is_known;
  }
  if (is_better) {
    s->c->is_better = true;
    s->c->n_clauses = depth;
    s->c->loss = state->cost_so_far + state->uncovered;
  }
  if (is_ended(s) || !state->left || irl_verify_budget(s->limits, state) < 0 ||
      state->controls > s->limits->max_controls)
    return; /* no clause takes back what it pays */
  const int64_t gain = mask_live(s, state) - irl_verify_budget(s->limits, state);
  if (gain <= state->left * s->c->known) {
    list_anew(s, depth, from, n);
    return;
  }
  n = weigh_options(s, l, from, n, gain);
  go_through(s, depth, n, gain);
}

/* ---- beginning ---- */

static bool make_room(chooser *s, irl_arena *arena) {
  const irl_verify_view *view = s->view;
  const irl_verify_pool *pool = s->c->pool;
  const size_t n = pool->n + 1;
  s->covers = pool->covers;
  s->stride = view->stride;
  s->cases = view->cases;
  if (s->c->counted) { /* the covers among these cases alone */
    const size_t words = irl_bits_stride(view->kernels->count(s->c->counted, view->cases.words));
    uint64_t *packed = irl_arena_alloc_aligned(arena, n * words, sizeof *packed);
    if (!packed) return false;
    view->kernels->gather_many(packed, words, words, pool->covers, view->stride, NULL, pool->n,
                               s->c->counted, view->cases.words);
    s->covers = packed;
    s->stride = words;
    s->cases = (irl_verify_class){.words = words, .weight = s->c->unit};
  }
  s->planes = irl_verify_new_mask(arena, view);
  s->ids = irl_arena_alloc(arena, n, sizeof *s->ids);
  s->sums = irl_arena_alloc(arena, n, sizeof *s->sums);
  s->cover = irl_arena_alloc_aligned(arena, view->stride, sizeof *s->cover);
  return s->planes && s->ids && s->sums && s->cover;
}

irl_status irl_verify_choose(irl_verify_choice *choice) {
  irl_env *env = choice->view->env;
  const uint32_t left = choice->state->left;
  irl_arena arena;
  assert(left <= IRL_VERIFY_MAX_K && (!choice->counted || choice->unit > 0));
  chooser *s = irl_mem_alloc(&env->allocator, 1, sizeof *s);
  if (!s) return irl_fail_memory(env);
  *s = (chooser){.c = choice, .view = choice->view, .limits = choice->limits};
  irl_arena_init(&arena, &env->allocator);
  bool is_made = make_room(s, &arena);
  for (uint32_t i = 0; i <= left && is_made; i++) {
    s->levels[i].options = irl_arena_alloc_unset(&arena, choice->pool->n + 1, sizeof(option));
    is_made = s->levels[i].options && !irl_verify_state_init(s->view, &s->levels[i].state);
  }
  s->status = is_made ? IRL_STATUS_OK : irl_fail_memory(env);
  if (is_made) {
    irl_verify_state_copy(s->view, &s->levels[0].state, choice->state);
    visit(s, 0, NULL, (uint32_t)choice->pool->n);
  }
  const irl_status status = s->status ? s->status : irl_verify_meter_status(env, s->view->meter);
  for (uint32_t i = 0; i <= left; i++) irl_verify_state_free(env, &s->levels[i].state);
  irl_arena_free(&arena);
  irl_mem_free(&env->allocator, s);
  return status;
}
