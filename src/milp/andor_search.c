/* Branch and bound over rules, clause by clause.
 *
 * A node has some clauses S, r places left and, in each row, the gain g = loss(S) - limit that the
 * further clauses need together; in row 0 the limit is the best loss known less 1. The gain of
 * further clauses c is at most the sum of a(c) - b(c) / r, with a(c) the new cases less what c
 * itself costs and b(c) the new shared controls: cases count at most once, and a control is paid
 * once however many clauses cover it. So with v(c) = r a(c) - b(c) the values of the further
 * clauses of a better rule sum up to r g, one of them has v >= g, and if none has more than m, each
 * has at least r g - (r - 1) m.
 *
 * Hence: the clause of largest value is searched for first (none of g or more: the node is closed).
 * If the clauses of value r g - (r - 1) m are few, all rules below come from that list and are
 * chosen from it (andor_select.c). Otherwise one clause of value g or more is in every better rule:
 * the node branches on them, the largest value first. As the places are interchangeable the one
 * that is filled is always the next one.
 *
 * A clause e whose child was refuted is in no better rule with S, and no clause is that it
 * dominates: replacing the other by e would make the rule no worse. So later children skip what
 * refuted ones dominate. */
#include "milp/andor_search.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include <stdlib.h>

#define MAX_LIST     20000u                 /* clauses that are chosen from as a list */
#define LIST_WORK    ((uint64_t)100000000)  /* words spent on making one */
#define MIN_RELAXED  3                      /* places left for which cases are relaxed */
#define MAX_CLAUSES  ((size_t)20000000)     /* a node branches on: if nothing else is said */
#define DIVE_WORK    ((uint64_t)200000000)  /* of the first dives; doubled in each round */
#define ROUND_WORK   ((uint64_t)2000000000) /* of the first search, before more dives are tried */
#define ROUND_GROWTH 4u
#define FULL_DIVES   6u /* rounds of dives after a node had too many clauses, each twice as long */

size_t irl_andor_words(const irl_andor_side *side) {
  return side->start[side->n_segments];
}

/* ---- memory ---- */

irl_status irl_andor_search_init(irl_andor_search *s, const irl_andor *a, const irl_limit *limit) {
  const size_t K = a->K, cases = irl_andor_words(&a->cases);
  const size_t controls = irl_andor_words(&a->controls);
  *s = (irl_andor_search){.andor = a,
                          .limit = *limit,
                          .max_nodes = UINT64_MAX,
                          .max_clauses = MAX_CLAUSES,
                          .max_list = MAX_LIST,
                          .seed = 1};
  irl_arena_init(&s->arena, &a->env->allocator);
  bool has_memory = (s->steps = irl_arena_alloc(&s->arena, K + 1, sizeof *s->steps)) &&
                    (s->path.sizes = irl_arena_alloc(&s->arena, K, sizeof(uint32_t))) &&
                    (s->path.literals = irl_arena_alloc(&s->arena, K * a->M, sizeof(uint32_t))) &&
                    (s->best.sizes = irl_arena_alloc(&s->arena, K, sizeof(uint32_t))) &&
                    (s->best.literals = irl_arena_alloc(&s->arena, K * a->M, sizeof(uint32_t)));
  for (uint32_t d = 0; d <= K && has_memory; d++) {
    irl_andor_step *step = &s->steps[d];
    has_memory = (step->cases = irl_arena_alloc_aligned(&s->arena, cases, 8)) &&
                 (step->counted = irl_arena_alloc_aligned(&s->arena, cases, 8)) &&
                 (step->controls = irl_arena_alloc_aligned(&s->arena, controls, 8));
  }
  has_memory = has_memory && irl_andor_beam_init(s) &&
               (s->relaxed = irl_arena_alloc_aligned(&s->arena, cases, 8)) &&
               (s->scratch = irl_arena_alloc_aligned(&s->arena, cases, 8));
  s->best.loss = INT64_MAX;
  s->round_work = UINT64_MAX;
  for (uint32_t i = 0; i < a->n_rows; i++) {
    s->limits[i] = a->rows[i].limit;
    s->has_costs |= a->rows[i].literal_cost != NULL;
    s->needs_all |= a->rows[i].clause_cost > 0 || a->rows[i].literal_cost;
  }
  for (uint32_t g = 0; g < a->controls.n_segments; g++) s->needs_all |= a->controls.is_private[g];
  s->needs_all &= !a->may_be_unused;
  irl_status status =
      has_memory ? irl_andor_seeker_init(&s->seeker, a, &s->limit) : irl_fail_memory(a->env);
  if (status) irl_andor_search_free(s);
  return status;
}

void irl_andor_search_free(irl_andor_search *s) {
  const irl_allocator *allocator = &s->andor->env->allocator;
  for (uint32_t d = 0; d <= s->andor->K && s->steps; d++) {
    irl_andor_list_free(allocator, &s->steps[d].list);
    irl_mem_free_aligned(allocator, s->steps[d].refuted.words);
    irl_mem_free(allocator, s->steps[d].entries);
  }
  irl_mem_free_aligned(allocator, s->covers.words);
  irl_andor_seeker_free(&s->seeker);
  irl_arena_free(&s->arena);
  s->steps = NULL;
}

bool irl_andor_covers_reserve(irl_andor_search *s, irl_andor_covers *c, uint32_t n) {
  const irl_allocator *allocator = &s->andor->env->allocator;
  const size_t words = irl_andor_words(&s->andor->cases) + irl_andor_words(&s->andor->controls);
  if (n <= c->capacity) return true;
  irl_mem_free_aligned(allocator, c->words);
  c->capacity = n;
  c->words = irl_mem_alloc_aligned(allocator, (n + 1) * words, sizeof *c->words);
  if (c->words) return true;
  c->capacity = 0;
  s->is_cut = true;
  s->status = irl_fail_memory(s->andor->env);
  return false;
}

/* ---- rules ---- */

bool irl_andor_is_over(irl_andor_search *s) {
  const uint64_t work = s->work + s->seeker.work;
  if (irl_limit_reached(&s->limit, work) || work >= s->round_work || s->nodes >= s->max_nodes)
    s->is_cut = true;
  return s->is_cut;
}

#ifndef NDEBUG
/* Is every case of `cover` one of `other`, and every control that other covers and that is not paid
 * one of cover? Sample by sample, for assertions. */
static bool dominates(const irl_andor_search *s, const uint64_t *other, const uint64_t *cover,
                      const uint64_t *unpaid) {
  const size_t cases = 64 * irl_andor_words(&s->andor->cases);
  const size_t controls = 64 * irl_andor_words(&s->andor->controls);
  for (size_t i = 0; i < cases; i++)
    if (irl_bits_get(cover, i) && !irl_bits_get(other, i)) return false;
  for (size_t i = 0; i < controls; i++)
    if (irl_bits_get(other, cases + i) && irl_bits_get(unpaid, i) &&
        !irl_bits_get(cover, cases + i))
      return false;
  return true;
}

/* Are the losses of the step those of the path, counted anew? For assertions. */
static bool are_losses_right(const irl_andor_search *s, const irl_andor_step *step) {
  int64_t losses[IRL_ANDOR_MAX_ROWS];
  if (irl_andor_losses(s->andor, &s->path, losses)) return true; /* out of memory */
  for (uint32_t i = 0; i < s->andor->n_rows; i++)
    if (losses[i] != step->loss[i]) return false;
  return true;
}
#endif

void irl_andor_offer(irl_andor_search *s, const irl_andor_step *step) {
  const irl_andor *a = s->andor;
  const uint32_t n = s->path.n;
  assert(n <= a->K && step == &s->steps[n]);
  if (n < a->K && !a->may_be_unused && (n == 0 || s->needs_all)) return;
  for (uint32_t i = 0; i < a->n_rows; i++)
    if (step->loss[i] > s->limits[i]) return;
  assert(are_losses_right(s, step));
  s->best.n = n;
  s->best.loss = step->loss[0];
  memcpy(s->best.sizes, s->path.sizes, n * sizeof *s->best.sizes);
  memcpy(s->best.literals, s->path.literals, (size_t)n * a->M * sizeof *s->best.literals);
  s->limits[0] = step->loss[0] - 1;
  assert(s->best.loss >= s->bound); /* no rule is better than what was proven */
  if (s->note && !s->status) s->status = s->note(s->user, s, true);
  if (s->status) s->is_cut = true;
}

void irl_andor_push(irl_andor_search *s, uint32_t depth, uint32_t size, const uint32_t *literals) {
  const irl_andor *a = s->andor;
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_andor_step *from = &s->steps[depth];
  irl_andor_step *to = &s->steps[depth + 1];
  assert(depth < a->K && size <= a->M && (size || a->may_be_empty));
  for (uint32_t l = 0; l < size; l++) assert(literals[l] < a->n_literals);
  irl_andor_cover(&a->cases, size, literals, from->cases, to->cases);
  irl_andor_cover(&a->controls, size, literals, from->controls, to->controls);
  for (uint32_t i = 0; i < a->n_rows; i++) {
    const irl_andor_row *row = &a->rows[i];
    to->loss[i] = from->loss[i] + row->clause_cost -
                  irl_andor_weigh(&a->cases, row->case_weight, to->cases) +
                  irl_andor_weigh(&a->controls, row->control_weight, to->controls);
    for (uint32_t l = 0; l < size && row->literal_cost; l++)
      to->loss[i] += row->literal_cost[literals[l]];
  }
  kernels->andnot_into(to->cases, from->cases, to->cases, irl_andor_words(&a->cases));
  for (uint32_t g = 0; g < a->controls.n_segments; g++) {
    const size_t first = a->controls.start[g], n = a->controls.start[g + 1] - first;
    if (a->controls.is_private[g])
      memcpy(to->controls + first, from->controls + first, n * sizeof *to->controls);
    else
      kernels->andnot_into(to->controls + first, from->controls + first, to->controls + first, n);
  }
  assert(irl_bits_is_subset(to->cases, from->cases, irl_andor_words(&a->cases)));
  assert(irl_bits_is_subset(to->controls, from->controls, irl_andor_words(&a->controls)));
  s->path.sizes[depth] = size;
  if (size) memcpy(s->path.literals + (size_t)depth * a->M, literals, size * sizeof *literals);
  s->path.n = depth + 1;
  s->work += (size + 2) * (irl_andor_words(&a->cases) + irl_andor_words(&a->controls));
}

void irl_andor_note_bound(irl_andor_search *s, int64_t relaxed, int64_t most) {
  const int64_t bound = s->steps[0].loss[0] - relaxed - (most > 0 ? most : 0);
  assert(relaxed >= 0 && relaxed <= s->steps[0].loss[0]);
  if (bound > s->bound) s->bound = bound;
}

/* ---- dominance ---- */

/* Does a refuted clause of this node or one above dominate the clause that covers (cases,
 * controls) of what is left at `depth`? Literals must cost nothing. */
bool irl_andor_is_dominated(irl_andor_search *s, uint32_t depth, const uint64_t *cover) {
  const size_t cases = irl_andor_words(&s->andor->cases);
  const size_t controls = irl_andor_words(&s->andor->controls);
  for (uint32_t d = 0; d <= depth; d++) {
    const irl_andor_covers *refuted = &s->steps[d].refuted;
    const uint64_t *unpaid = s->steps[depth].controls;
    for (uint32_t e = 0; e < refuted->n; e++) {
      const uint64_t *other = refuted->words + e * (cases + controls);
      s->work += 2;
      if (!irl_bits_is_subset(cover, other, cases)) continue;
      bool is_paid = true;
      for (size_t w = 0; w < controls && is_paid; w++)
        is_paid = !(other[cases + w] & unpaid[w] & ~cover[cases + w]);
      assert(is_paid == dominates(s, other, cover, unpaid));
      if (is_paid) return true;
    }
  }
  return false;
}

/* ---- nodes ---- */

uint32_t irl_andor_choose_row(const irl_andor_search *s, const irl_andor_step *step) {
  uint32_t chosen = 0;
  for (uint32_t i = s->andor->n_rows; i-- > 0;) {
    if (step->loss[i] <= s->limits[i]) continue;
    if (!s->andor->rows[i].has_cases) return IRL_ANDOR_NONE;
    chosen = i;
  }
  return chosen;
}

static uint64_t work_left(const irl_andor_search *s) {
  const uint64_t work = s->work + s->seeker.work;
  const uint64_t most = s->round_work < s->limit.max_work ? s->round_work : s->limit.max_work;
  return most > work ? most - work : 0;
}

static irl_andor_query query_at(const irl_andor_search *s, const irl_andor_step *step, uint32_t row,
                                int64_t places) {
  assert(row < s->andor->n_rows && places >= 1 && places <= s->andor->K);
  irl_andor_query q = {.cases = step->cases,
                       .controls = step->controls,
                       .row = row,
                       .factor = places,
                       .least = step->loss[row] - s->limits[row],
                       .max_clauses = s->max_clauses,
                       .max_work = work_left(s)};
  /* Other rows ask for something of each clause where none can make up for another. */
  for (uint32_t i = 0; i < s->andor->n_rows; i++)
    q.need[i] =
        places == 1 || !s->andor->rows[i].has_cases ? step->loss[i] - s->limits[i] : INT64_MIN;
  return q;
}

static void seek(irl_andor_search *s, const irl_andor_query *q, irl_andor_list *list,
                 bool *is_complete) {
  s->counts.searches++;
  const irl_status status = irl_andor_seek(&s->seeker, q, list, is_complete);
  if (status) {
    s->status = status;
    s->is_cut = true;
  }
}

/* The last place: the clause of largest value is the best rule of the node. */
static void fill_last(irl_andor_search *s, uint32_t depth) {
  irl_andor_step *step = &s->steps[depth];
  assert(depth + 1 == s->andor->K && s->path.n == depth);
  irl_andor_query q = query_at(s, step, 0, 1);
  bool is_complete;
  q.wants_best = true;
  seek(s, &q, &step->list, &is_complete);
  if (!is_complete) s->is_cut = true;
  if (!step->list.clauses.n) return;
  const irl_andor_found *found = &step->list.clauses.items[0];
  irl_andor_push(s, depth, found->size, irl_andor_literals(&step->list, found));
  irl_andor_offer(s, &s->steps[depth + 1]);
  s->path.n = depth;
}

static int by_falling_value(const void *x, const void *y) {
  const irl_andor_found *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

/* Fills the step's list. *is_whole: every better rule comes from it. False: the node is closed, or
 * cut. */
static bool make_list(irl_andor_search *s, uint32_t depth, uint32_t row, bool *is_whole) {
  irl_andor_step *step = &s->steps[depth];
  const int64_t places = (int64_t)(s->andor->K - depth);
  irl_andor_query q = query_at(s, step, row, places);
  const int64_t gain = q.least;
  bool is_complete;
  assert(depth < s->andor->K);
  q.wants_best = true;
  seek(s, &q, &step->list, &is_complete);
  if (!is_complete) s->is_cut = true;
  if (!is_complete) return false;
  if (!step->list.clauses.n) {
    s->counts.by_value++;
    return false;
  }
  const int64_t most = step->list.clauses.items[0].value;
  if (depth == 0 && row == 0) irl_andor_note_bound(s, 0, most);
  q.wants_best = false;
  q.least = places * gain - (places - 1) * (most > 0 ? most : 0);
  q.max_clauses = s->max_list < s->max_clauses ? s->max_list : s->max_clauses;
  if (q.max_work > LIST_WORK) q.max_work = LIST_WORK;
  memset(s->relaxed, 0, irl_andor_words(&s->andor->cases) * sizeof *s->relaxed);
  seek(s, &q, &step->list, is_whole);
  if (!*is_whole && row == 0 && places >= MIN_RELAXED && !irl_andor_is_over(s)) {
    irl_andor_query relaxed = query_at(s, step, row, places);
    int64_t threshold = q.least;
    if (!irl_andor_relax(s, depth, &relaxed, &threshold)) {
      s->counts.by_multipliers++;
      return false;
    }
    relaxed.cases = step->counted;
    relaxed.max_clauses = q.max_clauses;
    if (relaxed.max_work > LIST_WORK) relaxed.max_work = LIST_WORK;
    const bool is_better = threshold > q.least;
    relaxed.least = threshold;
    if (is_better && !s->is_cut) seek(s, &relaxed, &step->list, is_whole);
  }
  if (!*is_whole && !s->is_cut && !irl_limit_poll(&s->limit)) {
    q.least = gain;
    q.max_clauses = s->max_clauses;
    q.max_work = work_left(s);
    seek(s, &q, &step->list, &is_complete);
    if (!is_complete) s->is_cut = true;
    if (step->list.clauses.n == q.max_clauses) s->is_full = true;
  }
  if (step->list.clauses.n)
    qsort(step->list.clauses.items, step->list.clauses.n, sizeof *step->list.clauses.items,
          by_falling_value);
  return !s->is_cut;
}

static void visit(irl_andor_search *s, uint32_t depth);

/* The children of a node, those of largest value first. */
static void branch(irl_andor_search *s, uint32_t depth, uint32_t row) {
  const irl_andor *a = s->andor;
  const size_t cases = irl_andor_words(&a->cases), controls = irl_andor_words(&a->controls);
  irl_andor_step *step = &s->steps[depth];
  step->refuted.n = 0;
  if (!irl_andor_covers_reserve(s, &step->refuted, IRL_ANDOR_MAX_REFUTED + 1)) return;
  for (size_t i = 0; i < step->list.clauses.n && !irl_andor_is_over(s); i++) {
    const irl_andor_found found = step->list.clauses.items[i];
    const uint32_t *literals = irl_andor_literals(&step->list, &found);
    if (found.value < step->loss[row] - s->limits[row]) break;
    if (depth == 0 && row == 0) irl_andor_note_bound(s, 0, found.value);
    uint64_t *cover = step->refuted.words + step->refuted.n * (cases + controls);
    irl_andor_cover(&a->cases, found.size, literals, step->cases, cover);
    irl_andor_cover(&a->controls, found.size, literals, step->controls, cover + cases);
    if (!s->has_costs && irl_andor_is_dominated(s, depth, cover)) {
      s->counts.by_dominance++;
      continue;
    }
    assert(step->refuted.n <= IRL_ANDOR_MAX_REFUTED);
    irl_andor_push(s, depth, found.size, literals);
    visit(s, depth + 1);
    s->path.n = depth;
    if (step->refuted.n < IRL_ANDOR_MAX_REFUTED && !s->has_costs) step->refuted.n++;
  }
  step->refuted.n = 0;
}

static void visit(irl_andor_search *s, uint32_t depth) {
  irl_andor_step *step = &s->steps[depth];
  assert(depth <= s->andor->K && s->path.n == depth);
  s->nodes++;
  irl_andor_offer(s, step);
  if (irl_andor_is_over(s)) return;
  if (s->best.loss <= s->bound) return;
  if (depth == s->andor->K) return;
  const uint32_t row = irl_andor_choose_row(s, step);
  if (row == IRL_ANDOR_NONE) {
    s->counts.by_limit++;
    return;
  }
  step->refuted.n = 0;
  if (depth + 1 == s->andor->K) {
    fill_last(s, depth);
    return;
  }
  bool is_whole = false;
  if (!make_list(s, depth, row, &is_whole)) return;
  s->counts.lists += is_whole;
  if (is_whole)
    irl_andor_select(s, depth);
  else
    branch(s, depth, row);
}

/* More than any rule loses. */
static int64_t worst_loss(const irl_andor *a) {
  const irl_andor_row *row = &a->rows[0];
  const int64_t K = a->K;
  int64_t worst = irl_andor_weigh(&a->cases, row->case_weight, a->cases.all) +
                  K * irl_andor_weigh(&a->controls, row->control_weight, a->controls.all) +
                  K * row->clause_cost;
  for (uint32_t l = 0; l < a->n_literals && row->literal_cost; l++)
    worst += K * row->literal_cost[l];
  return worst;
}

/* Is a limit reached other than that of the round? */
static bool work_is_out(irl_andor_search *s) {
  return s->nodes >= s->max_nodes || irl_limit_reached(&s->limit, s->work + s->seeker.work);
}

irl_status irl_andor_search_run(irl_andor_search *s) {
  const irl_andor *a = s->andor;
  irl_andor_step *root = &s->steps[0];
  memcpy(root->cases, a->cases.all, irl_andor_words(&a->cases) * sizeof *root->cases);
  memcpy(root->controls, a->controls.all, irl_andor_words(&a->controls) * sizeof *root->controls);
  for (uint32_t i = 0; i < a->n_rows; i++)
    root->loss[i] = irl_andor_weigh(&a->cases, a->rows[i].case_weight, root->cases);
  if (s->limits[0] > worst_loss(a)) s->limits[0] = worst_loss(a);
  s->limits[0] = s->limits[0] < s->best.loss - 1 ? s->limits[0] : s->best.loss - 1;
  uint32_t n_full = 0;
  for (uint64_t dive = DIVE_WORK, most = ROUND_WORK;; dive *= 2, most *= ROUND_GROWTH) {
    irl_andor_dive(s, dive);
    if (s->is_cut || s->best.loss <= s->bound) break;
    /* A search that does not fit into memory would not the next time: only dives may go on. */
    if (s->is_full && n_full++ < FULL_DIVES) continue;
    s->is_cut = s->is_full;
    if (s->is_cut) break;
    s->path.n = 0;
    s->round_work = s->work + s->seeker.work + most;
    visit(s, 0);
    const bool is_last = !s->is_cut || s->status || work_is_out(s);
    assert(s->best.loss == INT64_MAX || s->bound <= s->best.loss);
    if (!s->is_cut) s->bound = s->best.loss;
    s->round_work = UINT64_MAX;
    if (s->note && !s->status) s->status = s->note(s->user, s, false);
    if (is_last || s->status) break;
    s->is_cut = false;
  }
  return s->status;
}
