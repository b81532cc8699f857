/* The node 'kept T CASES', for the root of a weighted loss without penalties and limits.
 *
 * Of the cases the set CASES is kept, each of which weighs e or more. A better rule leaves kept
 * cases uncovered and covers controls of at most best - 1 together, counting e for each of the
 * former. So with u kept cases uncovered and r clauses left, these must gain
 * g = e * u + (controls so far) - (best - 1). The values r * e * a - b of the clauses, a the kept
 * cases and b the weight of the controls that each newly covers, sum up to r * g or more, since a
 * control that several of them cover is paid once. If g > r * e * (T - 1), one of them has a value
 * of g or more, hence a >= T: it is in the list of all clauses that cover T kept cases and controls
 * of at most best - 1. All such clauses are gone through, one after the other, each refuted for
 * those after it. A node needs those that cover T kept cases which are uncovered there: they are
 * found among those of its parent, which has no fewer of them, or by rows (verify_rows.c) among the
 * whole list if the parent has many.
 *
 * Where g is less, the clauses of the node are listed anew on all cases, as for 'branch value'. */
#include "verify/verify_kept.h"
#include "base/arena.h"
#include "base/memory.h"
#include "verify/verify_rows.h"
#include <assert.h>
#include <stdlib.h>

#define LONG_LIST                                                                                  \
  4096u            /* clauses, beyond which the list has rows, by which it is gone through         \
                    * faster than dominated ones are found */
#define SPARSE 64u /* rows count so many clauses in the time that one takes by itself */

typedef struct option {
  int64_t value;
  uint32_t clause;
} option;

typedef struct level {
  irl_verify_state state;
  uint32_t *ids, n_ids; /* of the list: those with T kept cases that are uncovered */
  option *options;
  irl_verify_pool own; /* clauses that were listed anew */
} level;

typedef struct replay {
  irl_verify_replay *v;
  const irl_verify_kept_node *at;
  const irl_verify_view *view;
  irl_verify_pool list;
  uint64_t *kept;
  int64_t unit;
  int64_t *sums;
  uint64_t *open;       /* bits of the list: 0 if in no better rule with those of the path */
  irl_verify_rows rows; /* of the list among the kept cases; n is 0: it is short */
  uint64_t *packed;     /* the uncovered kept cases in their terms */
  level levels[IRL_VERIFY_MAX_K + 1];
  bool is_out_of_memory;
} replay;

/* ---- the kept cases ---- */

/* The weight of one case. */
static int64_t weight_of(const irl_verify_view *view, uint32_t sample) {
  int64_t weight = 0;
  if (!view->cases.planes) return view->cases.weight;
  for (unsigned b = 0; b < view->cases.n_planes; b++)
    if (irl_bits_get(view->cases.planes + b * view->cases.words, sample)) weight |= (int64_t)1 << b;
  return view->cases.weight * weight;
}

/* The set of the line; its size, 0 if it is none. */
static uint32_t read_cases(replay *p) {
  static const char digits[] = "0123456789abcdef";
  irl_verify_replay *v = p->v;
  const irl_verify_view *view = p->view;
  const uint32_t n = v->data->n_cases;
  p->unit = INT64_MAX;
  if (p->at->n_digits != (n + 3) / 4) {
    irl_verify_reject(v, p->at->line, "%u cases take %u digits", n, (n + 3) / 4);
    return 0;
  }
  for (uint32_t i = 0; i < 4 * (uint32_t)p->at->n_digits; i++) {
    const char *digit = memchr(digits, p->at->digits[i / 4], 16);
    const bool is_kept = digit && (digit - digits) >> i % 4 & 1;
    if (!digit || (is_kept && i >= n)) {
      irl_verify_reject(v, p->at->line, "the digits are no set of cases");
      return 0;
    }
    const uint32_t sample = !is_kept ? UINT32_MAX : view->case_of ? view->case_of[i] : i;
    if (sample == UINT32_MAX) continue;
    irl_bits_set(p->kept, sample);
    if (weight_of(view, sample) < p->unit) p->unit = weight_of(view, sample);
  }
  assert(irl_verify_view_has(view, p->kept));
  return (uint32_t)view->kernels->count(p->kept, view->cases.words);
}

/* ---- nodes ---- */

static int by_value(const void *x, const void *y) {
  const option *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return (a->clause > b->clause) - (a->clause < b->clause);
}

static int64_t uncovered_kept(const replay *p, const uint64_t *live) {
  return (int64_t)p->view->kernels->and_count(p->kept, live, p->view->cases.words);
}

/* Kept cases that clauses of the list, named by their numbers, newly cover, in p->sums. */
static void weigh_kept(const replay *p, const uint64_t *live, const uint32_t *ids, uint32_t n,
                       uint64_t *scratch) {
  const irl_kernels *kernels = p->view->kernels;
  const size_t words = p->view->cases.words;
  assert(n <= p->list.n && (!n || ids[n - 1] < p->list.n));
  kernels->and_into(scratch, p->kept, live, words);
  kernels->and_weigh_many(scratch, 1, p->list.covers, p->view->stride, ids, n, words, p->sums);
}

static irl_status check_level(replay *p, uint32_t depth);

/* The next level with a clause of a pool. */
static irl_status check_child(replay *p, uint32_t depth, const irl_verify_pool *pool, uint32_t k,
                              uint64_t *cover) {
  const irl_verify_view *view = p->view;
  const irl_verify_state *state = &p->levels[depth].state;
  assert(k < pool->n && state->left);
  view->kernels->and_into(cover, state->live, pool->covers + k * view->stride, view->stride);
  irl_verify_take(view, &p->v->limits, state, cover, pool->sizes[k], &p->levels[depth + 1].state);
  return check_level(p, depth + 1);
}

/* The clauses of the list that a level may have, those that its parent has and are not refuted, or
 * fewer: not those with less than T uncovered kept cases, of which there are n_kept. `kept` is a
 * column for them. */
static uint32_t open_clauses(replay *p, uint32_t depth, uint64_t *kept) {
  const level *l = &p->levels[depth], *before = depth ? l - 1 : NULL;
  const irl_verify_view *view = p->view;
  const uint32_t n = before ? before->n_ids : (uint32_t)p->list.n;
  const uint64_t n_kept = view->kernels->and_into(kept, p->kept, l->state.live, view->cases.words);
  uint32_t n_open = 0;
  if (p->rows.n && n > p->rows.n / SPARSE && n_kept >= p->at->least) {
    view->kernels->gather_many(p->packed, p->rows.words, p->rows.words, kept, view->cases.words,
                               NULL, 1, p->kept, view->cases.words);
    irl_verify_spend(view->meter, n_kept * irl_verify_rows_stride(p->rows.n));
    return irl_verify_rows_find(&p->rows, p->packed, p->open, 0, (uint32_t)(n_kept - p->at->least),
                                l->ids);
  }
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t k = before ? before->ids[i] : i;
    if (irl_bits_get(p->open, k)) l->ids[n_open++] = k;
  }
  irl_verify_spend(view->meter, n * view->stride);
  return n_open;
}

/* All options of a level that is served by the list. */
static irl_status scan_list(replay *p, uint32_t depth, int64_t gain) {
  level *l = &p->levels[depth];
  const irl_verify_view *view = p->view;
  const int64_t left = l->state.left, budget = irl_verify_budget(&p->v->limits, &l->state);
  irl_status status = IRL_STATUS_OK;
  uint64_t *cover = irl_verify_new_column(p->v->env, view);
  if (!cover) return irl_fail_memory(p->v->env);
  uint32_t n_options = 0;
  const uint32_t n_open = open_clauses(p, depth, cover);
  weigh_kept(p, l->state.live, l->ids, n_open, cover);
  l->n_ids = 0;
  for (uint32_t i = 0; i < n_open; i++) {
    const uint32_t k = l->ids[i];
    const int64_t cases = p->sums[i];
    if (cases < (int64_t)p->at->least) continue;
    l->ids[l->n_ids++] = k;
    if (left * p->unit * cases < gain) continue; /* its controls can only lower the value */
    const int64_t controls = irl_verify_weigh_both(view, &view->controls, l->state.live,
                                                   p->list.covers + k * view->stride);
    const int64_t value = left * p->unit * cases - controls;
    assert(cases <= uncovered_kept(p, l->state.live) && controls >= 0);
    if (value >= gain && controls <= budget) l->options[n_options++] = (option){value, k};
  }
  if (n_options) qsort(l->options, n_options, sizeof *l->options, by_value);
  if (irl_verify_spend(view->meter, n_open * view->stride)) n_options = 0;
  uint32_t n_done = 0;
  for (; n_done < n_options && !status && !p->v->is_rejected && !view->meter->is_cut; n_done++) {
    status = check_child(p, depth, &p->list, l->options[n_done].clause, cover);
    irl_bits_clear(p->open, l->options[n_done].clause);
  }
  for (uint32_t i = 0; i < n_done; i++) irl_bits_set(p->open, l->options[i].clause);
  irl_mem_free_aligned(&p->v->env->allocator, cover);
  return status;
}

typedef struct collector {
  replay *p;
  irl_verify_pool *pool;
} collector;

static bool collect(void *user, const irl_verify_clause *clause) {
  collector *c = user;
  if (irl_verify_pool_add(c->p->view, c->pool, clause->cover, clause->n)) return false;
  c->p->is_out_of_memory = !c->p->view->meter->is_cut;
  return true;
}

/* All clauses of a level by a listing of its own, on all cases. */
static irl_status list_anew(replay *p, uint32_t depth) {
  level *l = &p->levels[depth];
  const irl_verify_limits *limits = &p->v->limits;
  const irl_verify_view *view = p->view;
  const irl_verify_wanted wanted = {.case_factor = l->state.left,
                                    .control_factor = 1,
                                    .min_value = irl_verify_required_gain(limits, &l->state),
                                    .min_cover = 1,
                                    .max_controls = irl_verify_max_controls(limits, &l->state),
                                    .budget = irl_verify_budget(limits, &l->state),
                                    .max_size = irl_verify_max_size(limits, &l->state)};
  collector c = {p, &l->own};
  uint64_t *cover = irl_verify_new_column(p->v->env, view);
  if (!cover) return irl_fail_memory(p->v->env);
  irl_verify_kept kept = {.live = l->state.live,
                          .cases = l->state.live,
                          .largest = INT64_MAX,
                          .threads = p->v->threads};
  bool is_above = false;
  irl_status status = l->state.left > 1 && irl_verify_kept_ask(view, &wanted, &kept)
                          ? irl_verify_kept_list(p->v->env, view, &kept, &l->own, &is_above)
                          : irl_verify_list(p->v->env, view, l->state.live, &wanted, collect, &c);
  if (!status && p->is_out_of_memory) status = irl_fail_memory(p->v->env);
  if (!status && !view->meter->is_cut && l->own.n &&
      !irl_verify_pool_reduce(view, &l->own, IRL_VERIFY_COMPARED))
    status = irl_fail_memory(p->v->env);
  /* What the list has for the children is what it had for the node. */
  l->n_ids = open_clauses(p, depth, cover);
  for (uint32_t k = 0; k < l->own.n && !status && !p->v->is_rejected && !view->meter->is_cut; k++)
    status = check_child(p, depth, &l->own, k, cover);
  irl_verify_pool_free(view, &l->own);
  irl_mem_free_aligned(&p->v->env->allocator, cover);
  return status;
}

static irl_status check_level(replay *p, uint32_t depth) {
  level *l = &p->levels[depth];
  const irl_verify_limits *limits = &p->v->limits;
  const int64_t left = l->state.left;
  assert(irl_verify_state_check(p->view, limits, &l->state));
  if (irl_verify_is_better(limits, &l->state)) {
    irl_verify_reject(p->v, p->at->line, "there is a better rule");
    return IRL_STATUS_OK;
  }
  if (!left || irl_verify_budget(limits, &l->state) < 0) return IRL_STATUS_OK;
  const int64_t gain =
      p->unit * uncovered_kept(p, l->state.live) + l->state.cost_so_far - (limits->best - 1);
  return gain > left * p->unit * ((int64_t)p->at->least - 1) ? scan_list(p, depth, gain)
                                                             : list_anew(p, depth);
}

/* ---- the root ---- */

static irl_status make_levels(replay *p, const irl_verify_state *root, irl_arena *arena) {
  const size_t n = p->list.n + 1;
  irl_status status = IRL_STATUS_OK;
  p->open = irl_arena_alloc_aligned(arena, irl_verify_rows_stride((uint32_t)n), sizeof *p->open);
  p->sums = irl_arena_alloc(arena, n, sizeof *p->sums);
  if (!p->open || !p->sums) return irl_fail_memory(p->v->env);
  irl_bits_fill(p->open, p->list.n, irl_verify_rows_stride((uint32_t)n));
  for (uint32_t i = 0; i <= root->left && !status; i++) {
    level *l = &p->levels[i];
    l->ids = irl_arena_alloc(arena, n, sizeof *l->ids);
    l->options = irl_arena_alloc(arena, n, sizeof *l->options);
    if (!l->ids || !l->options) return irl_fail_memory(p->v->env);
    status = irl_verify_state_init(p->v->env, p->view, &l->state);
  }
  if (status) return status;
  irl_verify_state *first = &p->levels[0].state;
  uint64_t *live = first->live, *touched = first->touched;
  *first = *root;
  first->live = memcpy(live, root->live, p->view->stride * sizeof *live);
  first->touched = memcpy(touched, root->touched, p->view->stride * sizeof *touched);
  return IRL_STATUS_OK;
}

/* Rows for a long list, if it leaves room for them: they take what the list takes or less. */
static irl_status make_rows(replay *p, uint32_t n_kept, irl_arena *arena) {
  const irl_verify_view *view = p->view;
  const irl_verify_meter *meter = view->meter;
  const uint32_t n = (uint32_t)p->list.n;
  const size_t words = ((size_t)n_kept + 63) / 64;
  const double bytes = 2.0 * 8 * (double)words * ((double)n + IRL_ROWS_COLUMNS);
  if (n <= LONG_LIST || (double)meter->bytes + bytes > (double)meter->max_bytes)
    return IRL_STATUS_OK;
  p->packed = irl_arena_alloc_aligned(arena, words, sizeof *p->packed);
  if (!irl_verify_rows_make(arena, n, words, &p->rows) || !p->packed)
    return irl_fail_memory(p->v->env);
  p->rows.n = n;
  p->rows.words = words;
  view->kernels->gather_many(p->rows.packed, words, words, p->list.covers, view->stride, NULL, n,
                             p->kept, view->cases.words);
  irl_verify_rows_turn(&p->rows);
  return IRL_STATUS_OK;
}

irl_status irl_verify_check_kept(irl_verify_replay *v, const irl_verify_kept_node *at,
                                 const irl_verify_state *root) {
  const irl_verify_limits *limits = &v->limits;
  const irl_verify_view *view = &v->all;
  irl_arena arena;
  irl_status status = IRL_STATUS_OK;
  assert(!limits->is_hamming && !limits->penalty && limits->max_literals == UINT64_MAX);
  replay *p = irl_mem_alloc(&v->env->allocator, 1, sizeof *p);
  if (!p) return irl_fail_memory(v->env);
  *p = (replay){.v = v, .at = at, .view = view};
  irl_arena_init(&arena, &v->env->allocator);
  p->kept = irl_arena_alloc_aligned(&arena, view->stride, sizeof *p->kept);
  const uint32_t n = p->kept ? read_cases(p) : 0;
  irl_verify_kept kept = {.live = root->live,
                          .cases = p->kept,
                          .n = n,
                          .least = (uint32_t)at->least,
                          .max_controls = limits->best - 1,
                          .max_size = irl_verify_max_size(limits, root),
                          .threads = v->threads};
  bool is_above = false;
  if (!p->kept) status = irl_fail_memory(v->env);
  if (!status && !v->is_rejected && (!n || n > IRL_ROWS_MAX || !at->least || at->least > n))
    irl_verify_reject(v, at->line, "so many cases cannot be kept, or not be covered");
  if (!status && !v->is_rejected)
    status = irl_verify_kept_list(v->env, view, &kept, &p->list, &is_above);
  if (!status && !v->is_rejected && !v->meter.is_cut && p->list.n &&
      !irl_verify_pool_reduce(view, &p->list, LONG_LIST))
    status = irl_fail_memory(v->env);
  if (!status && !v->is_rejected && !v->meter.is_cut) {
    v->result->clauses += p->list.n;
    status = make_levels(p, root, &arena);
    if (!status) status = make_rows(p, n, &arena);
    if (!status) status = check_level(p, 0);
  }
  if (v->meter.is_cut) status = irl_verify_cut(v);
  for (uint32_t i = 0; i <= root->left; i++) irl_verify_state_free(v->env, &p->levels[i].state);
  irl_verify_pool_free(view, &p->list);
  irl_arena_free(&arena);
  irl_mem_free(&v->env->allocator, p);
  return status;
}
