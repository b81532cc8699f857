/* The listing of clauses.
 *
 * Checked: every clause of min_size to max_size literals that is wanted is visited. The
 * walk is a plain depth-first one over subsets of the columns, which stand by ascending weight of
 * cases, so that each clause is met once, less those that hold two columns of a group that binds. A
 * candidate is left out only if no clause with it and the literals of the path can be wanted: the
 * cases of a clause only shrink as literals are added, and further literals remove at most the sum
 * of what each of them removes by itself from the controls. */
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdlib.h>

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

typedef struct walk {
  const irl_verify_view *view;
  const irl_verify_wanted *wanted;
  irl_verify_visit visit;
  void *user;
  frame frames[IRL_VERIFY_MAX_M];
  irl_literal path[IRL_VERIFY_MAX_M];
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

static int compare_literals(const void *x, const void *y) {
  const irl_literal a = *(const irl_literal *)x, b = *(const irl_literal *)y;
  return (a > b) - (a < b);
}

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
  irl_verify_weigh_columns(view, class, w->masked, w->ids, f->n, w->sums);
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

/* Candidates after number i of frame `depth`, for the path with that one. Last ones are decided by
 * their controls more often than by their cases. */
static void extend_path(walk *w, uint32_t depth, uint32_t i) {
  const irl_verify_view *view = w->view;
  const frame *f = &w->frames[depth];
  frame *child = &w->frames[depth + 1];
  const candidate *taken = &f->list[i];
  const uint32_t n = depth + 2;
  const bool is_last = n == w->wanted->max_size;
  view->kernels->and_into(child->cover, f->cover, irl_verify_column(view, taken->column),
                          view->stride);
  child->controls = taken->controls;
  child->n = 0;
  for (uint32_t j = i + 1; j < f->n; j++) {
    const candidate *other = &f->list[j];
    if (irl_verify_are_bound(view, taken->column, other->column)) continue;
    /* With one literal left, both together remove at most what each does. */
    const int64_t least = is_last ? taken->controls + other->controls - f->controls : 0;
    const int64_t fewer = taken->cases < other->cases ? taken->cases : other->cases;
    if (is_wanted(w->wanted, fewer, least, n))
      child->list[child->n++] = (candidate){other->column, fewer, least};
  }
  weigh_candidates(w, child, is_last, n);
  weigh_candidates(w, child, !is_last, n);
  if (!is_last) drop_hopeless(w, child, n);
}

static void descend(walk *w, uint32_t depth) {
  const irl_verify_view *view = w->view;
  const frame *f = &w->frames[depth];
  assert(depth < w->wanted->max_size);
  for (uint32_t i = 0; i < f->n && !w->is_ended; i++) {
    const candidate *c = &f->list[i];
    if (irl_verify_spend(view->meter, (f->n - i) * view->stride)) w->is_ended = true;
    if (w->is_ended) return;
    w->path[depth] = view->literals[c->column];
    if (depth + 1 >= w->wanted->min_size &&
        is_wanted(w->wanted, c->cases, c->controls, depth + 1)) {
      irl_literal literals[IRL_VERIFY_MAX_M];
      view->kernels->and_into(w->cover, f->cover, irl_verify_column(view, c->column), view->stride);
      assert(c->cases == irl_verify_weigh(view, &view->cases, w->cover));
      assert(c->controls == irl_verify_weigh(view, &view->controls, w->cover));
      memcpy(literals, w->path, (depth + 1) * sizeof *literals);
      qsort(literals, depth + 1, sizeof *literals, compare_literals);
      const irl_verify_clause clause = {w->cover, c->cases, c->controls, depth + 1, literals};
      w->is_ended = w->visit(w->user, &clause);
    }
    if (w->is_ended || depth + 1 == w->wanted->max_size || i + 1 == f->n) continue;
    extend_path(w, depth, i);
    if (w->frames[depth + 1].n) descend(w, depth + 1);
  }
}

static int by_cases(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->cases != b->cases) return a->cases < b->cases ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

irl_status irl_verify_list(irl_env *env, const irl_verify_view *view, const uint64_t *live,
                           const irl_verify_wanted *wanted, irl_verify_visit visit, void *user) {
  irl_arena arena;
  const size_t depth = wanted->max_size;
  if (wanted->budget < 0 || !depth) return IRL_STATUS_OK; /* nothing is wanted */
  assert(depth <= IRL_VERIFY_MAX_M && irl_verify_view_has(view, live));
  irl_arena_init(&arena, &env->allocator);
  walk *w = irl_arena_alloc(&arena, 1, sizeof *w);
  uint64_t *covers = irl_arena_alloc_aligned(&arena, depth + 1, view->stride * sizeof(uint64_t));
  candidate *lists = irl_arena_alloc(&arena, depth, view->n * sizeof *lists);
  uint32_t *ids = irl_arena_alloc(&arena, view->n + 1u, sizeof *ids);
  int64_t *sums = irl_arena_alloc(&arena, view->n + 1u, sizeof *sums);
  uint64_t *masked = irl_verify_new_mask(&arena, view);
  const bool is_made = w && covers && lists && ids && sums && masked;
  if (is_made) {
    *w = (walk){.view = view,
                .wanted = wanted,
                .visit = visit,
                .user = user,
                .cover = covers + depth * view->stride,
                .masked = masked,
                .ids = ids,
                .sums = sums};
    for (size_t i = 0; i < depth; i++)
      w->frames[i] = (frame){.cover = covers + i * view->stride, .list = lists + i * view->n};
    frame *root = &w->frames[0];
    memcpy(root->cover, live, view->stride * sizeof *live);
    root->controls = irl_verify_weigh(view, &view->controls, live);
    for (uint32_t i = 0; i < view->n; i++) {
      const uint64_t *column = irl_verify_column(view, i);
      const int64_t cases = irl_verify_weigh_both(view, &view->cases, live, column);
      if (!is_wanted(wanted, cases, 0, 1)) continue;
      root->list[root->n++] =
          (candidate){i, cases, irl_verify_weigh_both(view, &view->controls, live, column)};
    }
    drop_hopeless(w, root, 1);
    qsort(root->list, root->n, sizeof *root->list, by_cases);
    descend(w, 0);
  }
  irl_arena_free(&arena);
  return is_made ? IRL_STATUS_OK : irl_fail_memory(env);
}
