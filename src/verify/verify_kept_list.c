/* The listing of clauses that cover many of some cases.
 *
 * Checked: every clause of at most M literals that covers at least `least` of the kept cases, and
 * controls of no more weight than is allowed, is put into the pool. Literals are taken in the order
 * of the view, so that each clause is met once: the first one a, then c among those after it that
 * cover enough kept cases with a, then all others at once. The columns of the candidates of a are
 * packed to the kept cases that a covers and turned to rows of bits, one per candidate; a third
 * literal may miss at most as many of the rows of a and c as they have more than `least`, which the
 * row kernel counts. Literals beyond the third are among those that it leaves, since a clause
 * covers no more than any three of its literals. */
#include "base/arena.h"
#include "bits/row_kernels.h"
#include "verify/verify_kept.h"
#include <assert.h>

typedef struct walk {
  const irl_verify_view *view;
  const irl_verify_kept *kept;
  irl_verify_pool *pool;
  const irl_row_kernels *row_kernels;
  uint64_t *column;         /* of the kept cases alone */
  uint32_t n, *id, *counts; /* candidates of the first literal: columns, kept cases with it */
  size_t words;             /* of a packed column */
  uint64_t *packed, *rows;  /* columns of the candidates; the same as rows, a block after another */
  uint64_t *alive;          /* what the counters leave */
  uint16_t *list;           /* rows of the first two literals */
  uint32_t *further;        /* candidates for the third and later literals, by depth */
  uint64_t *covers, *joints; /* by depth: of the clause among all that is live; packed */
  bool is_ended, is_out_of_memory;
} walk;

static size_t n_blocks(uint32_t n) {
  return ((size_t)n + IRL_ROWS_COLUMNS - 1) / IRL_ROWS_COLUMNS;
}

static uint64_t *cover_at(const walk *w, uint32_t depth) {
  return w->covers + depth * w->view->stride;
}

/* The clause of so many literals, whose cover is at depth n: into the pool if its controls are not
 * too many. */
static void keep(walk *w, uint32_t n) {
  const irl_verify_view *view = w->view;
  const uint64_t *cover = cover_at(w, n);
  if (irl_verify_weigh(view, &view->controls, cover) > w->kept->max_controls) return;
  if (irl_verify_pool_add(view, w->pool, cover, n)) return;
  w->is_out_of_memory = !view->meter->is_cut;
  w->is_ended = true;
}

/* The cover with one more literal. */
static void take(const walk *w, uint32_t n, uint32_t column) {
  const irl_verify_view *view = w->view;
  view->kernels->and_into(cover_at(w, n + 1), cover_at(w, n), irl_verify_column(view, column),
                          view->stride);
}

/* Each of the candidates after n literals, all of which cover enough with them, and more. */
static void extend(walk *w, uint32_t n, const uint64_t *joint, uint32_t *ids, uint32_t n_ids) {
  uint64_t *next = w->joints + n * w->words;
  for (uint32_t i = 0; i < n_ids && !w->is_ended; i++) {
    const uint64_t *packed = w->packed + ids[i] * w->words;
    w->is_ended = irl_verify_spend(w->view->meter, 2 * w->view->stride + (n_ids - i) * w->words);
    take(w, n, w->id[ids[i]]);
    keep(w, n + 1);
    if (n + 1 >= w->kept->max_literals || i + 1 == n_ids) continue;
    for (size_t k = 0; k < w->words; k++) next[k] = joint[k] & packed[k];
    uint32_t *after = ids + n_ids;
    memcpy(after, ids + i + 1, (n_ids - i - 1) * sizeof *after);
    const uint64_t covered =
        w->view->kernels->and_count(w->kept->cases, cover_at(w, n + 1), w->view->cases.words);
    assert(covered >= w->kept->least);
    const size_t left =
        w->row_kernels->keep_close(next, w->words, w->packed, w->words, after, n_ids - i - 1,
                                   (uint32_t)(covered - w->kept->least));
    if (left) extend(w, n + 1, next, after, (uint32_t)left);
  }
}

/* Candidate c as the second literal. */
static void try_second(walk *w, uint32_t c) {
  const uint64_t *joint = w->packed + c * w->words;
  const size_t n_rows = w->row_kernels->list_rows(joint, w->words, IRL_BITS_BLOCK, w->list);
  uint32_t n = 0;
  assert(n_rows == w->counts[c] && n_rows >= w->kept->least);
  for (size_t block = c / IRL_ROWS_COLUMNS; block < n_blocks(w->n); block++) {
    const uint32_t first = (uint32_t)block * IRL_ROWS_COLUMNS;
    const uint32_t end = w->n - first < IRL_ROWS_COLUMNS ? w->n - first : IRL_ROWS_COLUMNS;
    irl_bits_fill(w->alive, end, IRL_BITS_BLOCK);
    for (uint32_t i = first; i <= c; i++) irl_bits_clear(w->alive, i - first);
    if (!w->row_kernels->few_rows(w->alive, w->alive,
                                  w->rows + block * 64 * w->words * IRL_BITS_BLOCK, w->list, n_rows,
                                  (unsigned)(n_rows - w->kept->least)))
      continue;
    for (uint32_t i = 0; i < end; i++)
      if (irl_bits_get(w->alive, i)) w->further[n++] = first + i;
  }
  w->is_ended = irl_verify_spend(w->view->meter, n_rows * (n_blocks(w->n) - c / IRL_ROWS_COLUMNS));
  if (!n || w->is_ended) return;
  take(w, 1, w->id[c]);
  extend(w, 2, joint, w->further, n);
}

/* The candidates as rows: a one where a candidate misses the case. */
static void turn(walk *w) {
  uint64_t tile[64];
  for (uint32_t g = 0; g < w->n; g += 64)
    for (size_t k = 0; k < w->words; k++) {
      uint64_t *rows = w->rows + (n_blocks(g + 1) - 1) * 64 * w->words * IRL_BITS_BLOCK +
                       64 * k * IRL_BITS_BLOCK + g % IRL_ROWS_COLUMNS / 64;
      for (uint32_t i = 0; i < 64; i++)
        tile[i] = g + i < w->n ? ~w->packed[(g + i) * w->words + k] : ~(uint64_t)0;
      irl_bits_transpose_tile(tile);
      for (uint32_t i = 0; i < 64; i++) rows[i * IRL_BITS_BLOCK] = tile[i];
    }
}

static void try_first(walk *w, uint32_t a) {
  const irl_verify_view *view = w->view;
  const irl_kernels *kernels = view->kernels;
  const size_t case_words = view->cases.words;
  const uint64_t n_kept =
      kernels->and_into(w->column, w->kept->cases, irl_verify_column(view, a), case_words);
  if (n_kept < w->kept->least) return;
  memcpy(cover_at(w, 0), w->kept->live, view->stride * sizeof *w->covers);
  take(w, 0, a);
  keep(w, 1);
  w->n = 0;
  for (uint32_t b = a + 1; b < view->n; b++) {
    const uint64_t n = kernels->and_count(w->column, irl_verify_column(view, b), case_words);
    w->id[w->n] = b;
    w->counts[w->n] = (uint32_t)n;
    w->n += n >= w->kept->least;
  }
  w->is_ended = w->is_ended || irl_verify_spend(view->meter, view->n * view->stride);
  for (uint32_t i = 0; i < w->n && !w->is_ended && w->kept->max_literals > 1; i++) {
    take(w, 1, w->id[i]);
    keep(w, 2);
  }
  if (w->n < 2 || w->is_ended || w->kept->max_literals < 3) return;
  w->words = ((size_t)n_kept + 63) / 64;
  kernels->gather_many(w->packed, w->words, w->words, view->columns, view->stride, w->id, w->n,
                       w->column, case_words);
  turn(w);
  for (uint32_t c = 0; c + 1 < w->n && !w->is_ended; c++) try_second(w, c);
}

irl_status irl_verify_kept_list(irl_env *env, const irl_verify_view *view,
                                const irl_verify_kept *kept, irl_verify_pool *pool) {
  const size_t words = (kept->n + 63) / 64 + 1, depth = kept->max_literals + 1, n = view->n + 1u;
  walk w = {.view = view, .kept = kept, .pool = pool, .row_kernels = irl_bits_row_kernels()};
  irl_arena arena;
  irl_arena_init(&arena, &env->allocator);
  assert(kept->least && kept->n <= IRL_ROWS_MAX && irl_verify_view_has(view, kept->live));
  w.column = irl_arena_alloc_aligned(&arena, view->stride, sizeof *w.column);
  w.id = irl_arena_alloc(&arena, n, sizeof *w.id);
  w.counts = irl_arena_alloc(&arena, n, sizeof *w.counts);
  w.packed = irl_arena_alloc_aligned(&arena, n * words, sizeof *w.packed);
  w.rows = irl_arena_alloc_aligned(&arena, n_blocks(view->n) * 64 * words * IRL_BITS_BLOCK,
                                   sizeof *w.rows);
  w.alive = irl_arena_alloc_aligned(&arena, IRL_BITS_BLOCK, sizeof *w.alive);
  w.list = irl_arena_alloc(&arena, 64 * words + IRL_ROWS_SLACK, sizeof *w.list);
  w.further = irl_arena_alloc(&arena, n * depth, sizeof *w.further);
  w.covers = irl_arena_alloc_aligned(&arena, depth * view->stride, sizeof *w.covers);
  w.joints = irl_arena_alloc_aligned(&arena, depth * words, sizeof *w.joints);
  const bool is_made = w.column && w.id && w.counts && w.packed && w.rows && w.alive && w.list &&
                       w.further && w.covers && w.joints;
  for (uint32_t a = 0; is_made && a < view->n && !w.is_ended; a++) try_first(&w, a);
  irl_arena_free(&arena);
  return is_made && !w.is_out_of_memory ? IRL_STATUS_OK : irl_fail_memory(env);
}
