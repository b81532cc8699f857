/* The choice of rules from a list that has every clause of a better one (andor_search.c): at each
 * node the values of the clauses are counted anew on what is left, by AND and popcount on vectors
 * that are kept. The largest r values must sum up to r g; a clause that with the r - 1 largest does
 * not is struck out for the subtree. Children in falling order of their values take the clauses
 * after them, so no set is met twice.
 *
 * Values count the cases outside of D, the relaxed ones of the list (andor_relax.c), and g falls by
 * the weight of those that are left. */
#include "base/memory.h"
#include "bits/kernels.h"
#include "milp/andor_search.h"
#include <stdlib.h>

typedef struct entry {
  int64_t value;
  uint32_t id;
} entry;

static int by_falling_value(const void *x, const void *y) {
  const entry *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return (a->id > b->id) - (a->id < b->id);
}

static const uint64_t *cover_of(const irl_andor_search *s, uint32_t id) {
  assert(id < s->chosen_from->clauses.n && id < s->covers.capacity);
  return s->covers.words +
         id * (irl_andor_words(&s->andor->cases) + irl_andor_words(&s->andor->controls));
}

static int64_t weigh_both(const irl_andor_side *side, const int64_t *weights, const uint64_t *a,
                          const uint64_t *b) {
  const irl_kernels *kernels = irl_bits_kernels();
  int64_t sum = 0;
  for (uint32_t g = 0; g < side->n_segments; g++)
    if (weights[g])
      sum += weights[g] * (int64_t)kernels->and_count(a + side->start[g], b + side->start[g],
                                                      side->start[g + 1] - side->start[g]);
  return sum;
}

/* The value of a clause of the list in a row, with that factor for cases, costs and private
 * controls. */
static int64_t value_of(irl_andor_search *s, const irl_andor_step *step, const uint64_t *cases,
                        uint32_t row, int64_t factor, uint32_t id) {
  const irl_andor *a = s->andor;
  const irl_andor_row *r = &a->rows[row];
  const irl_andor_found *found = &s->chosen_from->clauses.items[id];
  const uint64_t *cover = cover_of(s, id);
  int64_t weights[IRL_ANDOR_MAX_SEGMENTS];
  for (uint32_t g = 0; g < a->controls.n_segments; g++)
    weights[g] = (a->controls.is_private[g] ? factor : 1) * r->control_weight[g];
  int64_t cost = r->clause_cost;
  for (uint32_t l = 0; l < found->size && r->literal_cost; l++)
    cost += r->literal_cost[s->chosen_from->literals.items[found->first + l]];
  s->work += irl_andor_words(&a->cases) + irl_andor_words(&a->controls);
  return factor * (weigh_both(&a->cases, r->case_weight, cover, cases) - cost) -
         weigh_both(&a->controls, weights, cover + irl_andor_words(&a->cases), step->controls);
}

/* Room for the entries of the level. */
static entry *reserve(irl_andor_search *s, irl_andor_step *step, size_t n) {
  const irl_allocator *allocator = &s->andor->env->allocator;
  if (n > step->entries_capacity) {
    irl_mem_free(allocator, step->entries);
    step->entries = irl_mem_alloc(allocator, n, sizeof(entry));
    step->entries_capacity = step->entries ? n : 0;
  }
  if (!step->entries) {
    s->is_cut = true;
    s->status = irl_fail_memory(s->andor->env);
  }
  return step->entries;
}

/* The last place: the best clause that all rows allow. */
static void choose_last(irl_andor_search *s, uint32_t depth, const entry *from, size_t n) {
  const irl_andor *a = s->andor;
  irl_andor_step *step = &s->steps[depth];
  assert(depth + 1 == a->K && s->path.n == depth);
  int64_t best = step->loss[0] - s->limits[0] - 1;
  uint32_t chosen = IRL_ANDOR_NONE;
  for (size_t k = 0; k < n; k++) {
    const int64_t value = value_of(s, step, step->cases, 0, 1, from[k].id);
    bool is_allowed = value > best;
    for (uint32_t i = 1; i < a->n_rows && is_allowed; i++)
      is_allowed = value_of(s, step, step->cases, i, 1, from[k].id) >= step->loss[i] - s->limits[i];
    if (!is_allowed) continue;
    best = value;
    chosen = from[k].id;
  }
  if (chosen == IRL_ANDOR_NONE) return;
  const irl_andor_found *found = &s->chosen_from->clauses.items[chosen];
  irl_andor_push(s, depth, found->size, irl_andor_literals(s->chosen_from, found));
  irl_andor_offer(s, &s->steps[depth + 1]);
  s->path.n = depth;
}

static int64_t positive(int64_t value) {
  return value > 0 ? value : 0;
}

/* The sum of the largest `count` values from `first` on, as far as they are positive. */
static int64_t sum_of(const entry *entries, size_t n, size_t first, uint32_t count) {
  int64_t sum = 0;
  for (size_t k = first; k < n && k - first < count; k++) {
    assert(k == first || entries[k].value <= entries[k - 1].value);
    sum += positive(entries[k].value);
  }
  return sum;
}

static void visit(irl_andor_search *s, uint32_t depth, const entry *from, size_t n);

static void branch(irl_andor_search *s, uint32_t depth, uint32_t row, size_t n) {
  const irl_andor *a = s->andor;
  irl_andor_step *step = &s->steps[depth];
  const entry *entries = step->entries;
  const uint32_t places = a->K - depth;
  const size_t words = irl_andor_words(&a->cases) + irl_andor_words(&a->controls);
  step->refuted.n = 0;
  if (!irl_andor_covers_reserve(s, &step->refuted, IRL_ANDOR_MAX_REFUTED + 1)) return;
  for (size_t k = 0; k < n && !irl_andor_is_over(s); k++) {
    const int64_t gain = step->loss[row] - s->limits[row] - step->relaxed;
    const irl_andor_found *found = &s->chosen_from->clauses.items[entries[k].id];
    const size_t next = s->needs_all ? k : k + 1;
    const int64_t rest = sum_of(entries, n, next, places - 1);
    if ((gain > 0 && entries[k].value < gain) || entries[k].value + rest < places * gain) {
      s->counts.by_sum++;
      break;
    }
    if (depth == 0 && row == 0) irl_andor_note_bound(s, step->relaxed, entries[k].value);
    /* What is covered already counts no more. */
    uint64_t *cover = step->refuted.words + step->refuted.n * words;
    irl_andor_cover(&a->cases, found->size, irl_andor_literals(s->chosen_from, found), step->cases,
                    cover);
    irl_andor_cover(&a->controls, found->size, irl_andor_literals(s->chosen_from, found),
                    step->controls, cover + irl_andor_words(&a->cases));
    if (!s->has_costs && irl_andor_is_dominated(s, depth, cover)) {
      s->counts.by_dominance++;
      continue;
    }
    irl_andor_push(s, depth, found->size, irl_andor_literals(s->chosen_from, found));
    visit(s, depth + 1, entries + next, n - next);
    s->path.n = depth;
    if (step->refuted.n < IRL_ANDOR_MAX_REFUTED && !s->has_costs) step->refuted.n++;
  }
  step->refuted.n = 0;
}

static void visit(irl_andor_search *s, uint32_t depth, const entry *from, size_t n) {
  const irl_andor *a = s->andor;
  irl_andor_step *step = &s->steps[depth];
  const uint32_t places = a->K - depth;
  assert(depth <= a->K && s->path.n == depth);
  s->nodes++;
  irl_andor_offer(s, step);
  if (irl_andor_is_over(s) || places == 0 || n == 0 || s->best.loss <= s->bound) return;
  step->refuted.n = 0;
  if (places == 1) {
    choose_last(s, depth, from, n);
    return;
  }
  const uint32_t row = irl_andor_choose_row(s, step);
  if (row == IRL_ANDOR_NONE) {
    s->counts.by_limit++;
    return;
  }
  entry *entries = reserve(s, step, n);
  if (!entries) return;
  irl_andor_relax_step(s, step);
  if (row > 0) step->relaxed = 0;
  assert(step->relaxed >= 0);
  const uint64_t *cases = row > 0 ? step->cases : step->counted;
  for (size_t k = 0; k < n; k++)
    entries[k] = (entry){value_of(s, step, cases, row, places, from[k].id), from[k].id};
  qsort(entries, n, sizeof *entries, by_falling_value);
  const int64_t needed = (int64_t)places * (step->loss[row] - s->limits[row] - step->relaxed);
  const int64_t most = sum_of(entries, n, 0, places - 1);
  size_t kept = n;
  while (kept > 0 && entries[kept - 1].value + most < needed) kept--;
  assert(kept <= n);
  if (!kept) s->counts.by_sum++;
  branch(s, depth, row, kept);
}

void irl_andor_select(irl_andor_search *s, uint32_t depth) {
  const irl_andor *a = s->andor;
  irl_andor_step *step = &s->steps[depth];
  const irl_andor_list *list = &step->list;
  const size_t n = list->clauses.n;
  const size_t cases = irl_andor_words(&a->cases), controls = irl_andor_words(&a->controls);
  const irl_allocator *allocator = &a->env->allocator;
  assert(n <= UINT32_MAX && s->nodes > 0);
  if (!irl_andor_covers_reserve(s, &s->covers, (uint32_t)n)) return;
  entry *all = irl_mem_alloc(allocator, n, sizeof *all);
  if (!all) {
    s->is_cut = true;
    s->status = irl_fail_memory(a->env);
    return;
  }
  s->chosen_from = list;
  for (uint32_t k = 0; k < n; k++) {
    const irl_andor_found *found = &list->clauses.items[k];
    uint64_t *cover = s->covers.words + k * (cases + controls);
    irl_andor_cover(&a->cases, found->size, irl_andor_literals(list, found), step->cases, cover);
    irl_andor_cover(&a->controls, found->size, irl_andor_literals(list, found), step->controls,
                    cover + cases);
    all[k] = (entry){found->value, k};
  }
  s->work += n * (cases + controls) * 2;
  s->nodes--; /* it was counted when its list was made */
  visit(s, depth, all, n);
  irl_mem_free(allocator, all);
}
