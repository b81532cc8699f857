/* The listing of clauses that cover many of some cases.
 *
 * Checked: every clause of at most M literals that covers at least `least` of the kept cases, and
 * what else is wanted of it, is put into the pool. Literals are taken by ascending kept cases, so
 * that each clause is met once: the first one a, then c among those after it that cover enough kept
 * cases with a, then all others at once. The columns of the candidates of a are packed to the kept
 * cases that a covers and turned to rows of bits, one per candidate; a third literal may miss at
 * most as many of the rows of a and c as they have more than `least`, which the row kernel counts.
 * Literals beyond the third are among those that it leaves, since a clause covers no more than any
 * three of its literals.
 *
 * First literals are given to threads, in rounds, after each of which work and memory are added up:
 * whether a limit cuts the list does not depend on threads. Nor does the list, which whoever uses
 * it brings into an order of its own. */
#include "base/parallel.h"
#include "base/threads.h"
#include "verify/verify_kept.h"
#include "verify/verify_rows.h"
#include <assert.h>
#include <stdlib.h>

struct ranked {
  uint32_t column;
  uint64_t cases;
};

/* The columns by ascending kept cases, and packed to these. */
typedef struct ordered {
  struct ranked *list;
  uint64_t *columns;
  size_t stride; /* words of each */
} ordered;

#define ROUND 64u /* first literals between two looks at the limits */

/* What one thread has. */
typedef struct walk {
  irl_verify_view view_of_thread; /* the same but for its meter: */
  irl_verify_meter meter;
  const irl_verify_view *view;
  const irl_verify_kept *kept;
  irl_verify_pool pool;
  const ordered *order;
  irl_verify_rows rows; /* candidates of the first literal, among the kept cases with it */
  uint32_t *id, *places, *counts; /* of the candidates: columns, their places, kept cases */
  uint64_t *after;                /* candidates after the second literal, as bits */
  uint32_t *further;              /* candidates for the third and later literals, by depth */
  uint32_t *columns;              /* of the last ones, which are weighed at once, */
  int64_t *sums;                  /* and the controls that the clause covers with each */
  uint64_t *masked;               /* the cover of the clause, by the weights of controls */
  uint64_t *covers, *joints;      /* by depth: of the clause among all that is live; packed */
  bool is_ended, is_out_of_memory, is_above;
} walk;

static uint64_t *cover_at(const walk *w, uint32_t depth) {
  return w->covers + depth * w->view->stride;
}

/* The cover with one more literal. */
static void take(const walk *w, uint32_t n, uint32_t column) {
  const irl_verify_view *view = w->view;
  view->kernels->and_into(cover_at(w, n + 1), cover_at(w, n), irl_verify_column(view, column),
                          view->stride);
}

/* The clause of n literals, whose cover is at that depth, with one more, of `covered` kept cases in
 * all: into the pool if it is wanted. */
static void keep(walk *w, uint32_t n, uint32_t column, uint64_t covered) {
  const irl_verify_view *view = w->view;
  const irl_verify_kept *kept = w->kept;
  const irl_verify_wanted *wanted = kept->wanted;
  const int64_t controls =
      irl_verify_weigh_both(view, &view->controls, cover_at(w, n), irl_verify_column(view, column));
  if (controls > kept->max_controls) return;
  if (wanted) {
    const int64_t cost = irl_verify_cost(wanted->penalty, n + 1);
    const int64_t cases = view->cases.weight * (int64_t)covered;
    const int64_t value = wanted->case_factor * (cases - cost) - wanted->control_factor * controls;
    assert(!view->cases.planes);
    if (cases < wanted->min_cover || controls + cost > wanted->budget || value < wanted->min_value)
      return;
    if (value > kept->largest) w->is_above = w->is_ended = true;
  }
  take(w, n, column);
  if (irl_verify_pool_add(view, &w->pool, cover_at(w, n + 1), n + 1)) return;
  w->is_out_of_memory = !view->meter->is_cut;
  w->is_ended = true;
}

/* Of n candidates those that a clause with candidate c may have, into `to`, which may be the same;
 * how many. */
static uint32_t copy_unbound(const walk *w, uint32_t c, const uint32_t *ids, uint32_t n,
                             uint32_t *to) {
  uint32_t n_left = 0;
  for (uint32_t i = 0; i < n; i++)
    if (!irl_verify_are_bound(w->view, w->id[c], w->id[ids[i]])) to[n_left++] = ids[i];
  return n_left;
}

/* The weight of controls that a wanted clause of n literals with at most `covered` kept cases may
 * cover; below 0: there is no such clause. */
static int64_t most_controls(const walk *w, uint32_t n, uint64_t covered) {
  const irl_verify_wanted *wanted = w->kept->wanted;
  int64_t most = w->kept->max_controls;
  if (!wanted) return most;
  const int64_t cost = irl_verify_cost(wanted->penalty, n);
  const int64_t cases = w->view->cases.weight * (int64_t)covered;
  const int64_t room = wanted->case_factor * (cases - cost) - wanted->min_value;
  if (room < 0) return -1;
  if (room / wanted->control_factor < most) most = room / wanted->control_factor;
  return wanted->budget - cost < most ? wanted->budget - cost : most;
}

/* Of the candidates after n literals those with which these cover controls of at most `most`, in
 * their place; how many. */
static uint32_t keep_cheap(const walk *w, uint32_t n, uint32_t *ids, uint32_t n_ids, int64_t most) {
  uint32_t n_left = 0;
  for (uint32_t i = 0; i < n_ids; i++) w->columns[i] = w->id[ids[i]];
  irl_verify_mask(&w->view->controls, cover_at(w, n), w->masked);
  irl_verify_weigh_columns(w->view, &w->view->controls, w->masked, w->columns, n_ids, w->sums);
  for (uint32_t i = 0; i < n_ids; i++) {
    ids[n_left] = ids[i];
    n_left += w->sums[i] <= most;
  }
  return n_left;
}

/* Each of the candidates after n literals, of `covered` kept cases, all of which cover enough with
 * them, and more. Of last ones the controls are looked at first, which leave few. */
static void extend(walk *w, uint32_t n, const uint64_t *joint, uint64_t covered_before,
                   uint32_t *ids, uint32_t n_ids) {
  uint64_t *next = w->joints + n * w->rows.words;
  const bool is_last = n + 1 >= w->kept->max_size;
  const int64_t most = most_controls(w, n + 1, covered_before);
  if (is_last && most < 0) return;
  w->is_ended = irl_verify_spend(w->view->meter,
                                 (uint64_t)n_ids * (w->view->stride + n_ids * w->rows.words / 2));
  if (is_last) n_ids = keep_cheap(w, n, ids, n_ids, most);
  for (uint32_t i = 0; i < n_ids && !w->is_ended; i++) {
    const uint64_t *packed = w->rows.packed + ids[i] * w->rows.words;
    uint64_t covered = 0;
    for (size_t k = 0; k < w->rows.words; k++) {
      next[k] = joint[k] & packed[k];
      covered += (uint64_t)__builtin_popcountll(next[k]);
    }
    assert(covered >= w->kept->least);
    keep(w, n, w->id[ids[i]], covered);
    if (w->is_ended) return;
    if (is_last || i + 1 == n_ids) continue;
    uint32_t *after = ids + n_ids;
    const uint32_t n_after = copy_unbound(w, ids[i], ids + i + 1, n_ids - i - 1, after);
    const uint32_t left =
        irl_verify_rows_keep(&w->rows, next, after, n_after, (uint32_t)(covered - w->kept->least));
    if (!left) continue;
    take(w, n, w->id[ids[i]]);
    extend(w, n + 1, next, covered, after, left);
  }
}

/* Candidate c as the second literal; those before it are no longer among the others. */
static void try_second(walk *w, uint32_t c) {
  const uint64_t *joint = w->rows.packed + c * w->rows.words;
  const uint32_t covered = w->counts[c];
  assert(covered >= w->kept->least);
  irl_bits_clear(w->after, c);
  uint32_t n =
      irl_verify_rows_find(&w->rows, joint, w->after, c, covered - w->kept->least, w->further);
  const size_t n_blocks =
      (irl_verify_rows_stride(w->rows.n) - irl_verify_rows_stride(c + 1)) / IRL_BITS_BLOCK;
  w->is_ended = irl_verify_spend(w->view->meter, covered * (n_blocks + 1));
  if (!n || w->is_ended) return;
  if (w->view->groups) n = copy_unbound(w, c, w->further, n, w->further);
  take(w, 1, w->id[c]);
  extend(w, 2, joint, covered, w->further, n);
}

static void try_first(walk *w, uint32_t a) {
  const irl_verify_view *view = w->view;
  const irl_kernels *kernels = view->kernels;
  const ordered *order = w->order;
  const uint64_t n_kept = order->list[a].cases;
  const uint64_t *column = order->columns + a * order->stride;
  if (n_kept < w->kept->least) return;
  memcpy(cover_at(w, 0), w->kept->live, view->stride * sizeof *w->covers);
  keep(w, 0, order->list[a].column, n_kept);
  take(w, 0, order->list[a].column);
  const size_t n_close =
      kernels->and_select(column, column + order->stride, order->stride, view->n - a - 1,
                          order->stride, (uint32_t)w->kept->least, a + 1, w->places, w->counts);
  w->rows.n = 0;
  for (size_t i = 0; i < n_close; i++) {
    const uint32_t other = order->list[w->places[i]].column;
    w->places[w->rows.n] = w->places[i];
    w->counts[w->rows.n] = w->counts[i];
    w->id[w->rows.n] = other;
    w->rows.n += !irl_verify_are_bound(view, order->list[a].column, other);
  }
  w->is_ended = w->is_ended || irl_verify_spend(view->meter, (view->n - a) * order->stride);
  for (uint32_t i = 0; i < w->rows.n && !w->is_ended && w->kept->max_size > 1; i++) {
    keep(w, 1, w->id[i], w->counts[i]);
  }
  if (w->rows.n < 2 || w->is_ended || w->kept->max_size < 3) return;
  w->rows.words = ((size_t)n_kept + 63) / 64;
  assert(n_kept <= w->kept->n && w->rows.n < view->n);
  kernels->gather_many(w->rows.packed, w->rows.words, w->rows.words, order->columns, order->stride,
                       w->places, w->rows.n, column, order->stride);
  irl_verify_rows_turn(&w->rows);
  irl_bits_fill(w->after, w->rows.n, irl_verify_rows_stride(w->rows.n));
  for (uint32_t c = 0; c + 1 < w->rows.n && !w->is_ended; c++) try_second(w, c);
}

static int by_cases(const void *x, const void *y) {
  const struct ranked *a = x, *b = y;
  if (a->cases != b->cases) return a->cases < b->cases ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

static bool set_order(irl_arena *arena, const irl_verify_view *view, const irl_verify_kept *kept,
                      ordered *order) {
  const irl_kernels *kernels = view->kernels;
  order->stride = irl_bits_stride(kept->n);
  order->list = irl_arena_alloc(arena, view->n + 1u, sizeof *order->list);
  order->columns = irl_arena_alloc_aligned(arena, (view->n + 1u) * order->stride, sizeof(uint64_t));
  if (!order->list || !order->columns) return false;
  for (uint32_t i = 0; i < view->n; i++)
    order->list[i] = (struct ranked){
        i, kernels->and_count(kept->cases, irl_verify_column(view, i), view->cases.words)};
  qsort(order->list, view->n, sizeof *order->list, by_cases);
  for (uint32_t i = 0; i < view->n; i++)
    kernels->gather_many(order->columns + i * order->stride, order->stride, order->stride,
                         irl_verify_column(view, order->list[i].column), view->stride, NULL, 1,
                         kept->cases, view->cases.words);
  return true;
}

static bool make_walk(irl_arena *arena, const irl_verify_view *view, const irl_verify_kept *kept,
                      walk *w) {
  const size_t words = (kept->n + 63) / 64 + 1, depth = kept->max_size + 1, n = view->n + 1u;
  w->view_of_thread = *view;
  w->view_of_thread.meter = &w->meter;
  w->view = &w->view_of_thread;
  w->kept = kept;
  w->id = irl_arena_alloc(arena, n, sizeof *w->id);
  w->places = irl_arena_alloc(arena, n, sizeof *w->places);
  w->counts = irl_arena_alloc(arena, n, sizeof *w->counts);
  w->after = irl_arena_alloc_aligned(arena, irl_verify_rows_stride(view->n), sizeof *w->after);
  w->further = irl_arena_alloc(arena, n * depth, sizeof *w->further);
  w->columns = irl_arena_alloc(arena, n, sizeof *w->columns);
  w->sums = irl_arena_alloc(arena, n, sizeof *w->sums);
  w->masked = irl_verify_new_mask(arena, view);
  w->covers = irl_arena_alloc_aligned(arena, depth * view->stride, sizeof *w->covers);
  w->joints = irl_arena_alloc_aligned(arena, depth * words, sizeof *w->joints);
  return irl_verify_rows_make(arena, view->n, words, &w->rows) && w->id && w->places && w->counts &&
         w->after && w->further && w->columns && w->sums && w->masked && w->covers && w->joints;
}

/* Before a round: each thread may do what is left of memory; work is looked at after it. */
static void begin_round(const irl_verify_meter *meter, walk *w) {
  w->meter = *meter;
  w->meter.work = 0;
  w->meter.limit.max_work = UINT64_MAX;
}

/* After it: what the thread did, and its clauses, which go into the pool. */
static bool end_round(const irl_verify_view *view, walk *w, irl_verify_pool *pool) {
  irl_verify_meter *meter = view->meter;
  meter->is_full = meter->is_full || w->meter.is_full;
  meter->is_cut = meter->is_cut || w->meter.is_cut;
  irl_verify_spend(meter, w->meter.work);
  bool is_ready = !w->is_out_of_memory;
  assert(meter != &w->meter);
  for (size_t k = 0; k < w->pool.n && is_ready && !meter->is_cut; k++)
    is_ready =
        irl_verify_pool_add(view, pool, w->pool.covers + k * view->stride, w->pool.sizes[k]) ||
        meter->is_cut;
  irl_verify_pool_free(w->view, &w->pool);
  return is_ready;
}

bool irl_verify_kept_ask(const irl_verify_view *view, const irl_verify_wanted *wanted,
                         irl_verify_kept *kept) {
  const uint64_t n = view->kernels->count(kept->cases, view->cases.words);
  const int64_t each = wanted->case_factor * view->cases.weight;
  if (view->cases.planes || n > IRL_ROWS_MAX || wanted->min_value <= 0 || wanted->budget < 0)
    return false;
  const int64_t least = (wanted->min_value + each - 1) / each; /* as if they covered no controls */
  kept->n = (uint32_t)n;
  kept->least = least > (int64_t)n ? (uint32_t)n + 1 : (uint32_t)least;
  kept->max_controls =
      wanted->max_controls < wanted->budget ? wanted->max_controls : wanted->budget;
  kept->max_size = wanted->max_size;
  kept->wanted = wanted;
  return true;
}

irl_status irl_verify_kept_list(irl_env *env, const irl_verify_view *view,
                                const irl_verify_kept *kept, irl_verify_pool *pool,
                                bool *is_above) {
  const int n_threads = irl_threads_here(kept->threads);
  irl_arena arena;
  if (kept->least > kept->n) return IRL_STATUS_OK; /* no clause has so much */
  irl_arena_init(&arena, &env->allocator);
  assert(kept->least && kept->n <= IRL_ROWS_MAX && irl_verify_view_has(view, kept->live));
  ordered order;
  walk *walks = irl_arena_alloc(&arena, (size_t)n_threads, sizeof *walks);
  bool is_ready = walks && set_order(&arena, view, kept, &order), is_ended = false;
  for (int i = 0; i < n_threads && is_ready; i++) {
    is_ready = make_walk(&arena, view, kept, &walks[i]);
    walks[i].order = &order;
  }
  for (uint32_t first = 0; first < view->n && is_ready && !is_ended; first += ROUND) {
    const uint32_t end = view->n - first < ROUND ? view->n : first + ROUND;
    for (int i = 0; i < n_threads; i++) begin_round(view->meter, &walks[i]);
#pragma omp parallel for num_threads(irl_threads_here(kept->threads)) schedule(dynamic, 1)
    for (uint32_t a = first; a < end; a++) {
      walk *w = &walks[irl_thread_number()];
      if (!w->is_ended) try_first(w, a);
    }
    for (int i = 0; i < n_threads; i++) {
      is_ready = end_round(view, &walks[i], pool) && is_ready;
      *is_above = *is_above || walks[i].is_above;
    }
    is_ended = *is_above || view->meter->is_cut;
  }
  irl_arena_free(&arena);
  return is_ready || view->meter->is_cut ? IRL_STATUS_OK : irl_fail_memory(env);
}
