/* The listing of clauses.
 *
 * Checked: every clause of min_size to max_size literals that is wanted is visited. The
 * walk is a plain depth-first one over subsets of the columns, which stand by ascending weight of
 * cases, so that each clause is met once, less those that hold two columns of a group that binds. A
 * candidate is left out only if no clause with it and the literals of the path can be wanted: the
 * cases of a clause only shrink as literals are added, and further literals remove at most the sum
 * of what each of them removes by itself from the controls.
 *
 * Most of the work are third literals. Where they have to leave many of the cases of the first two,
 * those that do are found by rows: the columns of all that may follow the first literal are packed
 * to its cases and turned to rows of bits, one per column, and a third literal may miss at most as
 * many of the rows of the first two as these have more than are wanted. */
#include "bits/row_kernels.h"
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdlib.h>

#define MANY_ROWS 64u /* candidates, from which on they are turned to rows, */
#define FEW_SPARE 8u  /* if at least one of so many of their cases has to be left */

/* A column, and the weights of what the path with it covers. */
typedef struct candidate {
  uint32_t column;
  int64_t cases, controls;
} candidate;

/* A path of literals. */
typedef struct frame {
  uint64_t *cover;
  int64_t controls; /* the weight of those that it covers */
  candidate *list;  /* literals that may follow */
  uint32_t n;
} frame;

/* The candidates after the first literal, among its cases. */
typedef struct rows {
  const irl_row_kernels *kernels;
  uint32_t n;              /* 0: there are none */
  size_t words;            /* of each column, packed */
  uint64_t *packed, *bits; /* columns; as rows, a block of columns after another */
  uint64_t *alive;         /* what is left of a block */
  uint16_t *list;          /* rows that are counted */
} rows;

typedef struct walk {
  const irl_verify_view *view;
  const irl_verify_wanted *wanted;
  irl_verify_visit visit;
  void *user;
  frame frames[IRL_VERIFY_MAX_M];
  irl_literal path[IRL_VERIFY_MAX_M];
  int64_t heaviest; /* weight of a case, at most */
  rows rows;
  uint64_t *cover;  /* of a clause that is visited */
  uint64_t *masked; /* that of a frame, by weights */
  uint32_t *ids;    /* columns that are weighed at once, */
  int64_t *sums;    /* and what they weigh */
  bool is_ended;
} walk;

/* Can a clause of n literals or more, with at most these cases and at least these controls, be
 * wanted? */
static bool is_wanted(const irl_verify_wanted *wanted, int64_t cases, int64_t controls,
                      uint32_t n) {
  const int64_t cost = irl_verify_cost(wanted->penalty, n);
  if (controls < 0) controls = 0;
  return cases >= wanted->min_cover && controls <= wanted->max_controls &&
         controls + cost <= wanted->budget &&
         wanted->case_factor * (cases - cost) - wanted->control_factor * controls >=
             wanted->min_value;
}

/* The number of cases that a wanted clause has at least. */
static int64_t fewest_cases(const walk *w) {
  const irl_verify_wanted *wanted = w->wanted;
  const int64_t value = wanted->min_value > 0 ? wanted->min_value : 0;
  const int64_t by_value = (value + wanted->case_factor - 1) / wanted->case_factor;
  const int64_t enough = by_value > wanted->min_cover ? by_value : wanted->min_cover;
  assert(wanted->min_cover > 0 && w->heaviest > 0);
  return (enough + w->heaviest - 1) / w->heaviest;
}

static int compare_literals(const void *x, const void *y) {
  const irl_literal a = *(const irl_literal *)x, b = *(const irl_literal *)y;
  return (a > b) - (a < b);
}

/* ---- candidates by rows ---- */

static bool make_rows(irl_arena *arena, walk *w) {
  const irl_verify_view *view = w->view;
  rows *r = &w->rows;
  const size_t most = view->cases.words, n_rows = 64 * most;
  const size_t n_blocks = ((size_t)view->n + IRL_ROWS_COLUMNS - 1) / IRL_ROWS_COLUMNS;
  r->packed = irl_arena_alloc_unset(arena, view->n * most, sizeof *r->packed);
  r->bits = irl_arena_alloc_unset(arena, n_blocks * IRL_BITS_BLOCK * n_rows, sizeof *r->bits);
  r->alive = irl_arena_alloc_aligned(arena, IRL_BITS_BLOCK, sizeof *r->alive);
  r->list = irl_arena_alloc(arena, n_rows + IRL_ROWS_SLACK, sizeof *r->list);
  r->kernels = irl_bits_row_kernels();
  return r->packed && r->bits && r->alive && r->list;
}

/* The rows of the candidates after the first literal, if these are many and few cases to spare. */
static void turn_candidates(walk *w) {
  const irl_verify_view *view = w->view;
  const frame *f = &w->frames[1];
  rows *r = &w->rows;
  uint64_t tile[64];
  r->n = 0;
  if (!r->packed || f->n < MANY_ROWS) return;
  const uint64_t n_cases = view->kernels->count(f->cover, view->cases.words);
  if (n_cases > FEW_SPARE * (uint64_t)fewest_cases(w)) return;
  r->n = f->n;
  r->words = (n_cases + 63) / 64;
  for (uint32_t i = 0; i < f->n; i++) w->ids[i] = f->list[i].column;
  view->kernels->gather_many(r->packed, r->words, r->words, view->columns, view->stride, w->ids,
                             f->n, f->cover, view->cases.words);
  for (uint32_t g = 0; g < f->n; g += 64)
    for (size_t k = 0; k < r->words; k++) {
      uint64_t *into = r->bits + (g / IRL_ROWS_COLUMNS * r->words + k) * 64 * IRL_BITS_BLOCK +
                       g % IRL_ROWS_COLUMNS / 64;
      for (uint32_t i = 0; i < 64; i++)
        tile[i] = g + i < f->n ? ~r->packed[(g + i) * r->words + k] : 0;
      irl_bits_transpose_tile(tile);
      for (uint32_t i = 0; i < 64; i++) into[i * IRL_BITS_BLOCK] = tile[i];
    }
  irl_verify_spend(view->meter, 2 * f->n * r->words);
}

/* Of the candidates after number i those that leave enough cases of it, in w->ids; how many. */
static uint32_t find_by_rows(walk *w, uint32_t i) {
  rows *r = &w->rows;
  const uint64_t *column = r->packed + i * r->words;
  const size_t n_rows = r->kernels->list_rows(column, r->words, IRL_BITS_BLOCK, r->list);
  const int64_t spare = (int64_t)n_rows - fewest_cases(w);
  uint32_t n = 0;
  for (uint32_t block = (i + 1) / IRL_ROWS_COLUMNS * IRL_ROWS_COLUMNS; block < r->n && spare >= 0;
       block += IRL_ROWS_COLUMNS) {
    const uint32_t first = i + 1 > block ? i + 1 - block : 0;
    const uint32_t end = r->n - block < IRL_ROWS_COLUMNS ? r->n - block : IRL_ROWS_COLUMNS;
    irl_bits_fill(r->alive, end, IRL_BITS_BLOCK);
    for (uint32_t k = 0; k < first / 64; k++) r->alive[k] = 0;
    if (first % 64) r->alive[first / 64] &= ~(uint64_t)0 << first % 64;
    irl_verify_spend(w->view->meter, n_rows);
    if (!r->kernels->few_rows(r->alive, r->alive,
                              r->bits +
                                  (size_t)block / IRL_ROWS_COLUMNS * r->words * 64 * IRL_BITS_BLOCK,
                              r->list, n_rows, (unsigned)spare))
      continue;
    for (uint32_t k = 0; k < IRL_BITS_BLOCK; k++)
      for (uint64_t bits = r->alive[k]; bits; bits &= bits - 1)
        w->ids[n++] = block + 64 * k + (uint32_t)__builtin_ctzll(bits);
  }
  assert(!n || (w->ids[0] > i && w->ids[n - 1] < r->n));
  return n;
}

/* ---- candidates ---- */

/* Drops candidates for literal number n of a path that it and those after it cannot make wanted. */
static void drop_hopeless(const walk *w, frame *f, uint32_t n) {
  const uint32_t left = w->wanted->max_size - n + 1;
  int64_t most[IRL_VERIFY_MAX_M] = {0}, sum = 0; /* the left - 1 largest removals, descending */
  assert(n && n <= w->wanted->max_size);
  for (uint32_t i = 0; i < f->n; i++) {
    assert(f->controls >= f->list[i].controls);
    irl_verify_put_largest(most, left - 1, f->controls - f->list[i].controls);
  }
  for (uint32_t k = 0; k + 1 < left; k++) sum += most[k];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->n; i++)
    if (is_wanted(w->wanted, f->list[i].cases, f->list[i].controls - sum, n))
      f->list[kept++] = f->list[i];
  f->n = kept;
}

/* Sets one weight of the candidates for literal number n, and drops those that are hopeless then;
 * the other weight is what it is, or a bound. The controls of a last literal are those of the
 * clause, those of others may all be removed. */
static void weigh_candidates(walk *w, frame *f, bool of_controls, uint32_t n) {
  const irl_verify_view *view = w->view;
  const bool is_last = n == w->wanted->max_size;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->n; i++) w->ids[i] = f->list[i].column;
  const irl_verify_class *class = of_controls ? &view->controls : &view->cases;
  irl_verify_mask(class, f->cover, w->masked);
  irl_verify_weigh_many(view, class, w->masked, view->columns, w->ids, f->n, w->sums);
  irl_verify_spend(view->meter, f->n * class->words);
  for (uint32_t i = 0; i < f->n; i++) {
    candidate c = f->list[i];
    assert(of_controls ? w->sums[i] >= c.controls : w->sums[i] <= c.cases);
    if (of_controls)
      c.controls = w->sums[i];
    else
      c.cases = w->sums[i];
    f->list[kept] = c;
    kept += is_wanted(w->wanted, c.cases, is_last ? c.controls : 0, n);
  }
  f->n = kept;
}

/* Candidate number j of a frame for the path with number i, if that may be wanted. */
static void pass_on(walk *w, uint32_t depth, uint32_t i, uint32_t j) {
  const frame *f = &w->frames[depth];
  frame *child = &w->frames[depth + 1];
  const candidate *taken = &f->list[i], *other = &f->list[j];
  if (irl_verify_are_bound(w->view, taken->column, other->column)) return;
  /* With one literal left, both together remove at most what each does. */
  const bool is_last = depth + 2 == w->wanted->max_size;
  const int64_t least = is_last ? taken->controls + other->controls - f->controls : 0;
  const int64_t fewer = taken->cases < other->cases ? taken->cases : other->cases;
  if (is_wanted(w->wanted, fewer, least, depth + 2))
    child->list[child->n++] = (candidate){other->column, fewer, least};
}

/* Candidates after number i of frame `depth`, for the path with that one. Last ones are decided by
 * their controls more often than by their cases. */
static void extend_path(walk *w, uint32_t depth, uint32_t i) {
  const irl_verify_view *view = w->view;
  const frame *f = &w->frames[depth];
  frame *child = &w->frames[depth + 1];
  const candidate *taken = &f->list[i];
  const bool is_last = depth + 2 == w->wanted->max_size;
  const bool by_rows = depth == 1 && w->rows.n;
  const uint32_t n = by_rows ? find_by_rows(w, i) : f->n - i - 1;
  child->n = 0;
  for (uint32_t k = 0; k < n; k++) pass_on(w, depth, i, by_rows ? w->ids[k] : i + 1 + k);
  if (!child->n) return;
  view->kernels->and_into(child->cover, f->cover, irl_verify_column(view, taken->column),
                          view->stride);
  child->controls = taken->controls;
  weigh_candidates(w, child, is_last, depth + 2);
  weigh_candidates(w, child, !is_last, depth + 2);
  if (!is_last) drop_hopeless(w, child, depth + 2);
  if (!depth) turn_candidates(w);
}

static void visit_clause(walk *w, uint32_t depth, const candidate *c) {
  const irl_verify_view *view = w->view;
  irl_literal literals[IRL_VERIFY_MAX_M];
  view->kernels->and_into(w->cover, w->frames[depth].cover, irl_verify_column(view, c->column),
                          view->stride);
  assert(c->cases == irl_verify_weigh(view, &view->cases, w->cover));
  assert(c->controls == irl_verify_weigh(view, &view->controls, w->cover));
  memcpy(literals, w->path, (depth + 1) * sizeof *literals);
  qsort(literals, depth + 1, sizeof *literals, compare_literals);
  const irl_verify_clause clause = {w->cover, c->cases, c->controls, depth + 1, literals};
  w->is_ended = w->visit(w->user, &clause);
}

static void descend(walk *w, uint32_t depth) {
  const irl_verify_view *view = w->view;
  const frame *f = &w->frames[depth];
  assert(depth < w->wanted->max_size);
  for (uint32_t i = 0; i < f->n && !w->is_ended; i++) {
    const candidate *c = &f->list[i];
    if (irl_verify_spend(view->meter, view->stride + (f->n - i) / 8)) w->is_ended = true;
    if (w->is_ended) return;
    w->path[depth] = view->literals[c->column];
    if (depth + 1 >= w->wanted->min_size && is_wanted(w->wanted, c->cases, c->controls, depth + 1))
      visit_clause(w, depth, c);
    if (w->is_ended || depth + 1 == w->wanted->max_size || i + 1 == f->n) continue;
    extend_path(w, depth, i);
    if (w->frames[depth + 1].n) descend(w, depth + 1);
  }
}

/* ---- the root ---- */

static int by_cases(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->cases != b->cases) return a->cases < b->cases ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

static void start(walk *w, const uint64_t *live) {
  const irl_verify_view *view = w->view;
  frame *root = &w->frames[0];
  if (live)
    memcpy(root->cover, live, view->stride * sizeof *live);
  else
    irl_verify_fill(view, root->cover);
  root->controls = irl_verify_weigh(view, &view->controls, root->cover);
  root->n = view->n;
  const int64_t cases = irl_verify_weigh(view, &view->cases, root->cover);
  for (uint32_t i = 0; i < view->n; i++) root->list[i] = (candidate){i, cases, 0};
  weigh_candidates(w, root, false, 1);
  weigh_candidates(w, root, true, 1);
  drop_hopeless(w, root, 1);
  if (root->n) qsort(root->list, root->n, sizeof *root->list, by_cases);
}

irl_status irl_verify_list(const irl_verify_view *view, const uint64_t *live,
                           const irl_verify_wanted *wanted, irl_verify_visit visit, void *user) {
  irl_arena arena;
  const size_t depth = wanted->max_size;
  if (wanted->budget < 0 || !depth) return IRL_STATUS_OK; /* nothing is wanted */
  assert(depth <= IRL_VERIFY_MAX_M && (!live || irl_verify_view_has(view, live)));
  irl_arena_init(&arena, &view->env->allocator);
  walk *w = irl_arena_alloc(&arena, 1, sizeof *w);
  uint64_t *covers = irl_arena_alloc_aligned(&arena, depth + 1, view->stride * sizeof(uint64_t));
  candidate *lists = irl_arena_alloc(&arena, depth, view->n * sizeof *lists);
  uint32_t *ids = irl_arena_alloc(&arena, view->n + 1u, sizeof *ids);
  int64_t *sums = irl_arena_alloc(&arena, view->n + 1u, sizeof *sums);
  uint64_t *masked = irl_verify_new_mask(&arena, view);
  bool is_made = w && covers && lists && ids && sums && masked;
  if (is_made) {
    *w = (walk){.view = view,
                .wanted = wanted,
                .visit = visit,
                .user = user,
                .heaviest = view->cases.weight,
                .cover = covers + depth * view->stride,
                .masked = masked,
                .ids = ids,
                .sums = sums};
    if (view->cases.planes) w->heaviest <<= view->cases.n_planes;
    for (size_t i = 0; i < depth; i++)
      w->frames[i] = (frame){.cover = covers + i * view->stride, .list = lists + i * view->n};
    if (depth > 2 && fewest_cases(w) > 1 && view->n_cases <= IRL_ROWS_MAX)
      is_made = make_rows(&arena, w);
  }
  if (is_made) {
    start(w, live);
    descend(w, 0);
  }
  irl_arena_free(&arena);
  return is_made ? irl_verify_meter_status(view->env, view->meter) : irl_fail_memory(view->env);
}
