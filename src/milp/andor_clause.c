/* Branch and bound over the literals of one clause.
 *
 * A node is a set of literals. What it covers is the AND of its literals' vectors: a literal that
 * is chosen switches off the samples that miss it, by words. Its candidates come after its last
 * literal in the node's order. For each candidate the cases a and the controls c that it leaves are
 * counted; of q literals that may still follow each removes at most what it would remove now, so
 * that every clause below has at least max(0, c - the q largest removals) of the controls, and at
 * most a of the cases. A candidate whose value in some row is too small by that is struck out, for
 * the whole subtree: a case that must be covered forbids the literals that it lacks, a control that
 * may not be covered asks for one of those that it lacks.
 *
 * A literal that removes no control is needless: without it the clause covers no fewer cases and
 * the same controls.
 *
 * Nothing is copied but masks and candidates of the way down, a level each; the way back is free.
 */
#include "milp/andor_clause.h"
#include "bits/kernels.h"
#include <stdlib.h>

#define MAX_TOP   16u /* literals to come that removals are summed for; more may remove all */
#define POLL_WORK ((uint64_t)1 << 22)

typedef struct candidate {
  int64_t value,
      bound; /* of the clause that ends with it, of all that contain it: the query's row */
  uint32_t literal;
  bool is_wanted; /* by all rows but the query's, as a clause that ends with it */
} candidate;

struct irl_andor_level {
  uint64_t *cases, *controls;
  candidate *candidates;
  uint32_t *ids, n;
  uint32_t *case_counts, *control_counts; /* by segment and candidate */
  int64_t spent[IRL_ANDOR_MAX_ROWS];      /* costs of the literals so far, with the row's factor */
};

static size_t words_of(const irl_andor_side *side) {
  return side->start[side->n_segments];
}

irl_status irl_andor_seeker_init(irl_andor_seeker *s, const irl_andor *a, const irl_limit *limit) {
  *s = (irl_andor_seeker){.andor = a, .limit = limit};
  irl_arena_init(&s->arena, &a->env->allocator);
  const size_t n = a->n_literals, n_levels = (size_t)a->M + 1;
  bool has_memory = (s->levels = irl_arena_alloc(&s->arena, n_levels, sizeof *s->levels)) &&
                    (s->chosen = irl_arena_alloc(&s->arena, n_levels, sizeof *s->chosen));
  for (uint32_t d = 0; d < n_levels && has_memory; d++) {
    irl_andor_level *l = &s->levels[d];
    has_memory = (l->cases = irl_arena_alloc_aligned(&s->arena, words_of(&a->cases), 8)) &&
                 (l->controls = irl_arena_alloc_aligned(&s->arena, words_of(&a->controls), 8)) &&
                 (l->ids = irl_arena_alloc(&s->arena, n, sizeof *l->ids)) &&
                 (l->candidates = irl_arena_alloc(&s->arena, n, sizeof *l->candidates)) &&
                 (l->case_counts = irl_arena_alloc(&s->arena, n * (a->cases.n_segments + 1),
                                                   sizeof *l->case_counts)) &&
                 (l->control_counts = irl_arena_alloc(&s->arena, n * (a->controls.n_segments + 1),
                                                      sizeof *l->control_counts));
  }
  if (has_memory) return IRL_STATUS_OK;
  irl_andor_seeker_free(s);
  return irl_fail_memory(a->env);
}

void irl_andor_seeker_free(irl_andor_seeker *s) {
  irl_arena_free(&s->arena);
  s->levels = NULL;
}

void irl_andor_list_free(const irl_allocator *allocator, irl_andor_list *list) {
  irl_array_free(allocator, &list->clauses);
  irl_array_free(allocator, &list->literals);
}

/* ---- weights ---- */

static void load_query(irl_andor_seeker *s, const irl_andor_query *q) {
  const irl_andor *a = s->andor;
  assert(q->row < a->n_rows && q->factor >= 1 && q->cases && q->controls);
  s->query = q;
  s->n_rows = 0;
  for (uint32_t i = 0; i < a->n_rows; i++) {
    const irl_andor_row *row = &a->rows[i];
    const int64_t factor = s->factor[i] = i == q->row ? q->factor : 1;
    s->need[i] = i == q->row ? q->least : q->need[i];
    for (uint32_t g = 0; g < a->cases.n_segments; g++)
      s->case_weight[i][g] = factor * row->case_weight[g];
    for (uint32_t g = 0; g < a->controls.n_segments; g++)
      s->control_weight[i][g] = (a->controls.is_private[g] ? factor : 1) * row->control_weight[g];
  }
  s->rows[s->n_rows++] = q->row;
  for (uint32_t i = 0; i < a->n_rows; i++)
    if (i != q->row && q->need[i] != INT64_MIN) s->rows[s->n_rows++] = i;
  assert(s->n_rows <= a->n_rows);
}

/* The weight of candidate k by its counts in the segments. */
static int64_t weigh_counts(const uint32_t *counts, uint32_t stride, uint32_t n_segments,
                            const int64_t *weights, uint32_t k) {
  int64_t sum = 0;
  assert(k < stride);
  for (uint32_t g = 0; g < n_segments; g++)
    sum += weights[g] * (int64_t)counts[(size_t)g * stride + k];
  return sum;
}

static void count_candidates(irl_andor_seeker *s, irl_andor_level *l) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_andor *a = s->andor;
  for (int is_control = 0; is_control < 2; is_control++) {
    const irl_andor_side *side = is_control ? &a->controls : &a->cases;
    const uint64_t *mask = is_control ? l->controls : l->cases;
    uint32_t *counts = is_control ? l->control_counts : l->case_counts;
    for (uint32_t g = 0; g < side->n_segments; g++)
      kernels->and_count_many(mask + side->start[g], side->bits.words + side->start[g],
                              side->bits.stride, l->ids, l->n, side->start[g + 1] - side->start[g],
                              counts + (size_t)g * a->n_literals);
    s->work += l->n * words_of(side);
  }
}

/* ---- what is found ---- */

#ifndef NDEBUG
/* The value of the chosen clause in a row, sample by sample: what counting by words and segments
 * must come to. For assertions. */
static int64_t naive_value(const irl_andor_seeker *s, uint32_t size, uint32_t row) {
  const irl_andor *a = s->andor;
  int64_t value = -s->factor[row] * a->rows[row].clause_cost;
  for (uint32_t i = 0; i < size && a->rows[row].literal_cost; i++)
    value -= s->factor[row] * a->rows[row].literal_cost[s->chosen[i]];
  for (int is_control = 0; is_control < 2; is_control++) {
    const irl_andor_side *side = is_control ? &a->controls : &a->cases;
    const uint64_t *mask = is_control ? s->query->controls : s->query->cases;
    for (uint32_t g = 0; g < side->n_segments; g++)
      for (size_t at = 64 * side->start[g]; at < 64 * side->start[g + 1]; at++) {
        bool is_covered = irl_bits_get(mask, at);
        for (uint32_t i = 0; i < size && is_covered; i++)
          is_covered = irl_bits_get(irl_bits_vector(&side->bits, s->chosen[i]), at);
        if (!is_covered) continue;
        value += is_control ? -s->control_weight[row][g] : s->case_weight[row][g];
      }
  }
  return value;
}

/* Has the clause that value in the query's row, and enough in the others? */
static bool is_value_right(const irl_andor_seeker *s, uint32_t size, int64_t value) {
  for (uint32_t r = 0; r < s->n_rows; r++) {
    const int64_t own = naive_value(s, size, s->rows[r]);
    if (r == 0 ? own != value : own < s->need[s->rows[r]]) return false;
  }
  return true;
}
#endif

static void keep_clause(irl_andor_seeker *s, uint32_t size, int64_t value) {
  const irl_allocator *allocator = &s->andor->env->allocator;
  irl_andor_list *list = s->list;
  assert(size <= s->andor->M && value >= s->need[s->query->row]);
  assert(is_value_right(s, size, value));
  if (s->query->wants_best) {
    list->clauses.n = list->literals.n = 0;
    s->need[s->query->row] = value + 1;
  }
  if (list->clauses.n >= s->query->max_clauses) {
    s->is_cut = true;
    return;
  }
  const irl_andor_found found = {value, (uint32_t)list->literals.n, size};
  bool has_memory = irl_array_push(allocator, &list->clauses, found);
  for (uint32_t i = 0; i < size && has_memory; i++)
    has_memory = irl_array_push(allocator, &list->literals, s->chosen[i]);
  if (!has_memory) s->is_cut = s->is_out_of_memory = true;
}

/* ---- candidates ---- */

/* The sum of the q largest removals in row i, all of it if there may be many. */
static int64_t top_removals(const irl_andor_seeker *s, const irl_andor_level *l, uint32_t i,
                            uint32_t q, int64_t all) {
  const irl_andor *a = s->andor;
  int64_t top[MAX_TOP] = {0}, sum = 0;
  if (!a->rows[i].has_controls || q == 0) return 0;
  if (q > MAX_TOP) return all;
  for (uint32_t k = 0; k < l->n; k++) {
    const int64_t removed = all - weigh_counts(l->control_counts, a->n_literals,
                                               a->controls.n_segments, s->control_weight[i], k);
    uint32_t at = q;
    if (removed <= top[q - 1]) continue;
    for (at = q - 1; at > 0 && top[at - 1] < removed; at--) top[at] = top[at - 1];
    top[at] = removed;
  }
  for (uint32_t k = 0; k < q; k++) sum += top[k];
  return sum < all ? sum : all;
}

/* The value in row i of the clause that ends with candidate k, and a bound on those below it. */
static void value_candidate(const irl_andor_seeker *s, const irl_andor_level *l, uint32_t i,
                            uint32_t k, int64_t removals, int64_t values[2]) {
  const irl_andor *a = s->andor;
  const irl_andor_row *row = &a->rows[i];
  int64_t gain = -l->spent[i], paid = 0;
  if (row->literal_cost) gain -= s->factor[i] * row->literal_cost[l->ids[k]];
  if (row->has_cases)
    gain += weigh_counts(l->case_counts, a->n_literals, a->cases.n_segments, s->case_weight[i], k);
  if (row->has_controls)
    paid = weigh_counts(l->control_counts, a->n_literals, a->controls.n_segments,
                        s->control_weight[i], k);
  assert(paid >= 0 && removals >= 0); /* weights of controls are costs */
  values[0] = gain - paid;
  values[1] = gain - (paid > removals ? paid - removals : 0);
}

/* Does candidate k leave fewer than `all` controls? */
static bool removes_controls(const irl_andor *a, const irl_andor_level *l, uint32_t k,
                             uint64_t all) {
  for (uint32_t g = 0; g < a->controls.n_segments; g++)
    all -= l->control_counts[(size_t)g * a->n_literals + k];
  return all > 0;
}

/* Counts the candidates of a node with `depth` literals and keeps those that may lead to a clause
 * that is wanted. */
static void filter_candidates(irl_andor_seeker *s, irl_andor_level *l, uint32_t depth) {
  const irl_andor *a = s->andor;
  int64_t removals[IRL_ANDOR_MAX_ROWS];
  uint32_t n = 0;
  count_candidates(s, l);
  const uint64_t all = irl_bits_kernels()->count(l->controls, words_of(&a->controls));
  for (uint32_t r = 0; r < s->n_rows; r++) {
    const uint32_t i = s->rows[r];
    const int64_t weight = irl_andor_weigh(&a->controls, s->control_weight[i], l->controls);
    removals[r] = top_removals(s, l, i, a->M - depth - 1, weight);
  }
  const bool is_needed = depth == 0 && !a->may_be_empty;
  for (uint32_t k = 0; k < l->n; k++) {
    candidate c = {.literal = l->ids[k], .is_wanted = true};
    bool is_kept = is_needed || removes_controls(a, l, k, all);
    for (uint32_t r = 0; r < s->n_rows && is_kept; r++) {
      int64_t values[2];
      value_candidate(s, l, s->rows[r], k, removals[r], values);
      is_kept = values[1] >= s->need[s->rows[r]];
      if (r > 0) c.is_wanted &= values[0] >= s->need[s->rows[r]];
      if (r > 0) continue;
      assert(values[1] >= values[0]);
      c.value = values[0];
      c.bound = values[1];
    }
    if (is_kept) l->candidates[n++] = c;
  }
  l->n = n;
}

/* The best first. */
static int by_falling_value(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return (a->literal > b->literal) - (a->literal < b->literal);
}

/* The weakest first, since it has all others after it. */
static int by_rising_bound(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->bound != b->bound) return a->bound < b->bound ? -1 : 1;
  return (a->literal > b->literal) - (a->literal < b->literal);
}

/* ---- the search ---- */

static bool is_over(irl_andor_seeker *s) {
  if (s->work - s->start_work > s->query->max_work) s->is_cut = true;
  if (s->work >= s->next_poll) {
    s->next_poll = s->work + POLL_WORK;
    if (irl_limit_poll(s->limit)) s->is_cut = true;
  }
  return s->is_cut;
}

/* The level below after candidate k: what is covered, and those after it. */
static void descend(irl_andor_seeker *s, uint32_t depth, uint32_t k) {
  const irl_andor *a = s->andor;
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_andor_level *l = &s->levels[depth];
  irl_andor_level *below = &s->levels[depth + 1];
  const uint32_t literal = l->candidates[k].literal;
  assert(depth + 1 < a->M && k < l->n && literal < a->n_literals);
  kernels->and_into(below->cases, l->cases, irl_bits_vector(&a->cases.bits, literal),
                    words_of(&a->cases));
  kernels->and_into(below->controls, l->controls, irl_bits_vector(&a->controls.bits, literal),
                    words_of(&a->controls));
  for (uint32_t i = 0; i < a->n_rows; i++) {
    const int64_t *costs = a->rows[i].literal_cost;
    below->spent[i] = l->spent[i] + (costs ? s->factor[i] * costs[literal] : 0);
  }
  assert(irl_bits_is_subset(below->cases, l->cases, words_of(&a->cases)));
  assert(irl_bits_is_subset(below->controls, l->controls, words_of(&a->controls)));
  below->n = 0;
  for (uint32_t i = k + 1; i < l->n; i++) below->ids[below->n++] = l->candidates[i].literal;
}

static void visit(irl_andor_seeker *s, uint32_t depth) {
  irl_andor_level *l = &s->levels[depth];
  const uint32_t row = s->query->row;
  assert(depth < s->andor->M && l->n <= s->andor->n_literals);
  s->nodes++;
  filter_candidates(s, l, depth);
  qsort(l->candidates, l->n, sizeof *l->candidates,
        s->query->wants_best ? by_falling_value : by_rising_bound);
  for (uint32_t k = 0; k < l->n && !is_over(s); k++) {
    const candidate c = l->candidates[k];
    if (c.bound < s->need[row]) continue;
    s->chosen[depth] = c.literal;
    if (c.is_wanted && c.value >= s->need[row]) keep_clause(s, depth + 1, c.value);
    if (depth + 1 == s->andor->M || k + 1 == l->n || c.bound < s->need[row]) continue;
    descend(s, depth, k);
    visit(s, depth + 1);
  }
}

/* The clause without literals covers all. */
static void visit_empty(irl_andor_seeker *s) {
  const irl_andor *a = s->andor;
  const irl_andor_level *l = &s->levels[0];
  int64_t first = 0;
  for (uint32_t r = 0; r < s->n_rows; r++) {
    const uint32_t i = s->rows[r];
    const int64_t value = irl_andor_weigh(&a->cases, s->case_weight[i], l->cases) -
                          irl_andor_weigh(&a->controls, s->control_weight[i], l->controls) -
                          l->spent[i];
    if (value < s->need[i]) return;
    if (r == 0) first = value;
  }
  keep_clause(s, 0, first);
}

irl_status irl_andor_seek(irl_andor_seeker *s, const irl_andor_query *query, irl_andor_list *list,
                          bool *is_complete) {
  const irl_andor *a = s->andor;
  irl_andor_level *l = &s->levels[0];
  assert(irl_bits_is_subset(query->cases, a->cases.all, words_of(&a->cases)));
  assert(irl_bits_is_subset(query->controls, a->controls.all, words_of(&a->controls)));
  load_query(s, query);
  s->list = list;
  s->is_cut = s->is_out_of_memory = false;
  s->start_work = s->work;
  list->clauses.n = list->literals.n = 0;
  memcpy(l->cases, query->cases, words_of(&a->cases) * sizeof *l->cases);
  memcpy(l->controls, query->controls, words_of(&a->controls) * sizeof *l->controls);
  for (uint32_t i = 0; i < a->n_rows; i++) l->spent[i] = s->factor[i] * a->rows[i].clause_cost;
  l->n = a->n_literals;
  for (uint32_t j = 0; j < l->n; j++) l->ids[j] = j;
  if (a->may_be_empty && !a->is_choice) visit_empty(s);
  visit(s, 0);
  *is_complete = !s->is_cut;
  assert(!query->wants_best || list->clauses.n <= 1);
  return s->is_out_of_memory ? irl_fail_memory(a->env) : IRL_STATUS_OK;
}
