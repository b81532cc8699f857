/* A tree over sets of clauses, for a bound under noise and many features (kept_cases.c).
 *
 * A planted clause that covers a control comes with thousands of others, itself and one or two more
 * literals, each of which would be a child of a node of its own. So a child is a set of clauses:
 * it covers all cases that one of them covers and pays for the controls that all of them cover, its
 * relaxed clause. What holds for all completions of the relaxed clause holds for those of every
 * clause of the set (lemma 15 of method.md), and of every other clause that it dominates: such
 * clauses are left out at later siblings and below them. A set that is not refuted is divided, by
 * the literal that most of its clauses have; one clause that is not refuted ends the search.
 *
 * A node counts on few cases (lemma 7), which it may choose anew among those that are uncovered. It
 * scans the list of its parent if that is long enough, and makes its own otherwise, with all that
 * cover g / (r e) of its kept cases. With each clause chosen a larger part of what is left has to
 * be covered by one clause, so that lists get shorter the deeper a node is. A literal that covers
 * few controls is a stem (covering.h), which pays for nothing.
 *
 * No better rule is looked for: for targets below the loss of the best rule. */
#include "prove/relaxed_tree.h"
#include "base/arena.h"
#include "base/memory.h"
#include "clause/covering.h"
#include "prove/prove_effort.h"
#include "rule/literal_columns.h"
#include <math.h>

#define MAX_CLOSED 64u /* relaxed clauses of a node that others are compared with */

/* All clauses that cover at least so many of the kept cases, within the controls. */
typedef struct list {
  uint64_t *kept;
  uint32_t least;
  irl_clause_array clauses;
  uint64_t *covers; /* cases, then controls; none for a stem */
  bool *is_out;     /* of each: refuted for the present node */
} list;

typedef struct level {
  uint64_t *cases, *controls; /* uncovered ones */
  int64_t paid;
  list *list;       /* that it scans */
  list own;         /* if it made one */
  uint64_t *kept;   /* uncovered cases that the list counts */
  int64_t gain;     /* required on these */
  uint64_t *closed; /* relaxed clauses that were refuted, as covers */
  uint32_t n_closed;
} level;

typedef struct tree {
  irl_relaxed_tree *task;
  irl_search *search;
  const irl_merged *merged;
  const irl_kernels *kernels;
  size_t case_words, control_words, stride;
  uint64_t *scratch;   /* a cover */
  uint32_t *frequency; /* of literals, 0 between uses */
  level *levels;
  irl_arena arena;
  irl_status status;
  uint64_t root_work; /* of the list of the root */
  bool is_cut;
} tree;

static bool must_end(tree *t) {
  t->is_cut = t->is_cut || t->status ||
              irl_limit_reached(&t->task->limit, t->search->work - t->task->start);
  return t->is_cut;
}

static uint64_t *cover_of(const tree *t, const list *l, size_t k) {
  assert(k < l->clauses.n);
  return l->covers + k * t->stride;
}

/* ---- lists ---- */

static void free_list(const tree *t, list *l) {
  const irl_allocator *allocator = &t->search->env->allocator;
  irl_clause_array_free(&l->clauses);
  irl_mem_free_aligned(allocator, l->covers);
  irl_mem_free_aligned(allocator, l->kept);
  irl_mem_free(allocator, l->is_out);
  *l = (list){0};
}

/* What the further clauses of a node must gain on these uncovered cases. */
static int64_t required_gain(const tree *t, const level *at, const uint64_t *kept) {
  const int64_t n = (int64_t)t->kernels->count(kept, t->case_words);
  t->search->work += t->case_words;
  return t->task->unit * n + at->paid - (t->task->target - 1);
}

/* Kept cases that one of the r further clauses covers at least; 0: none. */
static uint32_t least_cases(const tree *t, int64_t gain, int64_t left) {
  const int64_t part = left * t->task->unit;
  assert(left > 0 && part > 0);
  return gain <= 0 ? 0 : (uint32_t)((gain + part - 1) / part);
}

/* About n of the uncovered cases that weigh enough, spread evenly. */
static void spread_cases(const tree *t, const level *at, uint64_t n, uint64_t *kept) {
  uint64_t seen = 0;
  const uint64_t all = t->kernels->and_into(t->scratch, at->cases, t->task->heavy, t->case_words);
  assert(n > 0);
  memset(kept, 0, t->case_words * sizeof *kept);
  for (size_t w = 0; w < t->case_words; w++)
    for (uint64_t bits = t->scratch[w]; bits; bits &= bits - 1, seen++)
      if (n >= all || (seen + 1) * n / all > seen * n / all) kept[w] |= bits & -bits;
}

static irl_limit limit_left(const tree *t) {
  return irl_limit_left(&t->task->limit, t->search->work - t->task->start);
}

static irl_clause_thresholds thresholds_of(const tree *t, const level *at, uint32_t least) {
  const uint64_t most = (uint64_t)(t->task->target - 1 - at->paid) / (uint64_t)t->merged->weight[1];
  const uint32_t n_controls = t->merged->data->n_controls;
  assert(least && at->paid < t->task->target);
  return (irl_clause_thresholds){.min_cases = least,
                                 .max_controls = most < n_controls ? (uint32_t)most : n_controls,
                                 .min_value = IRL_CLAUSE_ANY_VALUE};
}

/* A model over the list's kept cases and the uncovered controls. */
static irl_status make_model(tree *t, const level *at, const list *l, irl_clause_problem *problem,
                             irl_clause_model *model) {
  const irl_problem *whole = t->search->problem;
  irl_clause_problem_init(problem, t->merged->data);
  problem->live_cases = l->kept;
  problem->live_controls = at->controls;
  problem->case_weight = t->task->unit;
  problem->control_weight = t->merged->weight[1];
  problem->budget = IRL_CLAUSE_NO_LIMIT;
  problem->min_cases = l->least;
  problem->max_literals = whole->M;
  problem->negations = whole->negations;
  problem->groups = whole->data->groups;
  problem->keeps_all = true;
  const irl_status status = irl_clause_model_init(t->search->env, model, problem);
  if (!status) t->search->work += model->work;
  return status;
}

/* What a list is expected to take. */
static irl_status estimate(tree *t, const level *at, const list *l, double *work) {
  irl_clause_problem problem;
  irl_clause_model model;
  irl_covering_estimate e = {0};
  irl_status status = make_model(t, at, l, &problem, &model);
  if (status) return status;
  const irl_limit part = limit_left(t);
  const irl_clause_thresholds thresholds = thresholds_of(t, at, l->least);
  const uint64_t words = (uint64_t)model.root.set.n * model.root.case_words + 1;
  const uint64_t pairs = IRL_PROVE_SAMPLE_WORK / words;
  const uint32_t n = pairs < IRL_PROVE_MIN_SAMPLE   ? IRL_PROVE_MIN_SAMPLE
                     : pairs > IRL_PROVE_MAX_SAMPLE ? IRL_PROVE_MAX_SAMPLE
                                                    : (uint32_t)pairs;
  status = irl_clause_estimate_covering(&(irl_clause_search){t->search->env, &model, &part,
                                                             t->search->settings.threads,
                                                             &t->search->work},
                                        &thresholds, n, &e);
  irl_clause_model_free(&model);
  *work = e.clauses > (double)t->task->cap ? INFINITY : e.work;
  return status;
}

/* The number of kept cases whose list takes the least work; that work. */
static irl_status choose_kept(tree *t, const level *at, int64_t left, list *l, double *least) {
  static const uint32_t sizes[] = {IRL_COVERING_MAX_CASES, 1024, 512, 256, 128};
  const uint64_t all = t->kernels->and_count(at->cases, t->task->heavy, t->case_words);
  uint64_t best = 0;
  irl_status status = IRL_STATUS_OK;
  *least = INFINITY;
  if (left < 3) { /* pairs and single literals, which take little */
    *least = 0;
    spread_cases(t, at, IRL_PROVE_FEW_KEPT, l->kept);
    l->least = least_cases(t, required_gain(t, at, l->kept), left);
    return status;
  }
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !status; i++) {
    double work = INFINITY;
    if (i && sizes[i] >= all) continue;
    spread_cases(t, at, sizes[i], l->kept);
    l->least = least_cases(t, required_gain(t, at, l->kept), left);
    if (l->least) status = estimate(t, at, l, &work);
    if (i && work > 2 * *least) break;
    if (work >= *least) continue;
    *least = work;
    best = sizes[i];
  }
  if (best) spread_cases(t, at, best, l->kept);
  l->least = best ? least_cases(t, required_gain(t, at, l->kept), left) : 0;
  return status;
}

/* The covers of the listed clauses. */
static irl_status cover_list(tree *t, list *l) {
  const irl_allocator *allocator = &t->search->env->allocator;
  l->covers = irl_mem_alloc_aligned(allocator, l->clauses.n * t->stride + 1, sizeof *l->covers);
  l->is_out = irl_mem_alloc(allocator, l->clauses.n + 1, sizeof *l->is_out);
  if (!l->covers || !l->is_out) return irl_fail_memory(t->search->env);
  for (size_t k = 0; k < l->clauses.n; k++) {
    irl_clause clause;
    irl_clause_array_get(&l->clauses, k, &clause);
    irl_literals_cover(t->merged->data, false, clause.literals, clause.n, cover_of(t, l, k));
    if (clause.value != IRL_COVERING_STEM)
      irl_literals_cover(t->merged->data, true, clause.literals, clause.n,
                         cover_of(t, l, k) + t->case_words);
  }
  t->search->work += l->clauses.n * t->stride;
  return IRL_STATUS_OK;
}

/* A list of the node's own; false: it cannot be made, or the node cannot be refuted. */
static bool make_list(tree *t, level *at, int64_t left) {
  irl_search *search = t->search;
  const irl_allocator *allocator = &search->env->allocator;
  list *l = &at->own;
  irl_clause_problem problem;
  irl_clause_model model;
  bool is_complete = false;
  const bool is_root = at == t->levels;
  double work = 0;
  irl_clause_array_init(&l->clauses, allocator, search->problem->M);
  l->kept = irl_mem_alloc_aligned(allocator, t->case_words, sizeof *l->kept);
  t->status = l->kept ? choose_kept(t, at, left, l, &work) : irl_fail_memory(search->env);
  if (t->status || !l->least) return false;
  irl_limit part = limit_left(t);
  if (work > (double)part.max_work) {
    t->is_cut = is_root;
    return false;
  }
  /* A list that is longer than that of the root is not refuted soon. */
  if (!is_root && part.max_work > t->root_work) part.max_work = t->root_work;
  t->status = make_model(t, at, l, &problem, &model);
  if (t->status) return false;
  const irl_clause_thresholds thresholds = thresholds_of(t, at, l->least);
  const uint64_t before = search->work;
  t->status = irl_clause_list_covering(
      &(irl_clause_search){search->env, &model, &part, search->settings.threads, &search->work},
      &thresholds, t->task->stem_controls, is_root ? t->task->cap : t->task->own_cap, &l->clauses,
      &is_complete);
  irl_clause_model_free(&model);
  if (!t->status && is_complete) t->status = cover_list(t, l);
  if (is_root) t->root_work = search->work - before;
  t->is_cut = t->is_cut || (!is_complete && is_root);
  return !t->status && is_complete;
}

/* ---- sets of clauses ---- */

/* Is a cover dominated by a relaxed clause that was refuted here or above? */
static bool is_closed(const tree *t, uint32_t n, const uint64_t *cover) {
  for (uint32_t i = 0; i <= n; i++) {
    const level *at = &t->levels[i];
    for (uint32_t k = 0; k < at->n_closed; k++) {
      const uint64_t *by = at->closed + k * t->stride;
      bool is_within = true;
      for (size_t w = 0; w < t->case_words && is_within; w++)
        is_within = !(cover[w] & at->cases[w] & ~by[w]);
      for (size_t w = 0; w < t->control_words && is_within; w++)
        is_within = !(by[t->case_words + w] & at->controls[w] & ~cover[t->case_words + w]);
      t->search->work += 4;
      if (is_within) return true;
    }
  }
  return false;
}

/* The clauses of the list one of which every completion below the target has; how many. */
static size_t find_children(tree *t, uint32_t n, uint32_t *ids) {
  const level *at = &t->levels[n];
  const list *l = at->list;
  const int64_t left = t->search->problem->K - n, budget = t->task->target - 1 - at->paid;
  size_t n_ids = 0;
  for (uint32_t k = 0; k < l->clauses.n && !must_end(t); k++) {
    const uint64_t *cover = cover_of(t, l, k);
    if (l->is_out[k]) continue;
    const int64_t cases = (int64_t)t->kernels->and_count(at->kept, cover, t->case_words);
    t->search->work += t->case_words;
    if (left * t->task->unit * cases < at->gain) continue;
    const int64_t cost = irl_merged_weigh_both(t->merged, 1, cover + t->case_words, at->controls);
    t->search->work += t->control_words;
    if (cost > budget || left * t->task->unit * cases - cost < at->gain) continue;
    if (!is_closed(t, n, cover)) ids[n_ids++] = k;
  }
  return n_ids;
}

/* The relaxed clause of a set, as a cover. */
static void relax(const tree *t, const list *l, const uint32_t *ids, size_t n, uint64_t *cover) {
  assert(n);
  memcpy(cover, cover_of(t, l, ids[0]), t->stride * sizeof *cover);
  for (size_t i = 1; i < n; i++) {
    const uint64_t *other = cover_of(t, l, ids[i]);
    t->kernels->or_into(cover, cover, other, t->case_words);
    t->kernels->and_into(cover + t->case_words, cover + t->case_words, other + t->case_words,
                         t->control_words);
  }
  t->search->work += n * t->stride;
}

/* Level n + 1 with a cover more. */
static void descend(tree *t, uint32_t n, const uint64_t *cover) {
  const level *from = &t->levels[n];
  level *to = &t->levels[n + 1];
  const uint64_t *controls = cover + t->case_words;
  to->paid = from->paid + irl_merged_weigh_both(t->merged, 1, controls, from->controls);
  t->kernels->andnot_into(to->cases, from->cases, cover, t->case_words);
  t->kernels->andnot_into(to->controls, from->controls, controls, t->control_words);
  to->list = from->list;
  to->n_closed = 0;
  assert(to->paid >= from->paid && irl_bits_is_subset(to->cases, from->cases, t->case_words));
  t->search->work += 2 * t->stride;
}

/* Is the list of the level enough for it? Sets what it counts. */
static bool is_served(tree *t, uint32_t n) {
  level *at = &t->levels[n];
  const int64_t left = t->search->problem->K - n;
  if (!at->list) return false;
  t->kernels->and_into(at->kept, at->list->kept, at->cases, t->case_words);
  at->gain = required_gain(t, at, at->kept);
  return least_cases(t, at->gain, left) >= at->list->least;
}

static bool refute(tree *t, uint32_t n);
static bool refute_sets(tree *t, uint32_t n, uint32_t *ids, size_t n_ids, bool is_divided);

/* Would the clauses of a set be served by the list, one by one, though together they are not? */
static bool is_better_alone(tree *t, uint32_t n, const uint32_t *ids, size_t n_ids) {
  const uint32_t K = t->search->problem->K;
  if (n_ids < 2 || n + 1 == K || is_served(t, n + 1)) return false;
  for (size_t i = 0; i < n_ids; i++) {
    descend(t, n, cover_of(t, t->levels[n].list, ids[i]));
    if (!is_served(t, n + 1)) return false;
  }
  return true;
}

/* Is no completion of the set below the target? Its clauses are out then. */
static bool refute_set(tree *t, uint32_t n, uint32_t *ids, size_t n_ids) {
  level *at = &t->levels[n];
  uint64_t *cover = irl_mem_alloc_aligned(&t->search->env->allocator, t->stride, sizeof *cover);
  if (!cover) {
    t->status = irl_fail_memory(t->search->env);
    return false;
  }
  relax(t, at->list, ids, n_ids, cover);
  descend(t, n, cover);
  bool is_refuted = false;
  if (!is_better_alone(t, n, ids, n_ids)) {
    descend(t, n, cover);
    is_refuted = refute(t, n + 1);
  }
  if (is_refuted && at->n_closed < MAX_CLOSED)
    memcpy(at->closed + at->n_closed++ * t->stride, cover, t->stride * sizeof *cover);
  irl_mem_free_aligned(&t->search->env->allocator, cover);
  if (!is_refuted && n_ids > 1 && !must_end(t)) return refute_sets(t, n, ids, n_ids, true);
  for (size_t i = 0; i < n_ids && is_refuted; i++) at->list->is_out[ids[i]] = true;
  return is_refuted;
}

/* The literal that most of these clauses have, but not all of them if they are to be divided. */
static irl_literal commonest(const tree *t, const list *l, const uint32_t *ids, size_t n_ids,
                             bool is_divided) {
  irl_literal best = 0, first = UINT32_MAX;
  uint32_t most = 0;
  for (size_t i = 0; i < n_ids; i++)
    for (uint32_t j = 0; j < l->clauses.sizes[ids[i]]; j++) {
      const irl_literal literal = l->clauses.literals[(size_t)ids[i] * l->clauses.max_literals + j];
      /* A stem is the first of all: others are within what it covers. */
      if (!is_divided && l->clauses.values[ids[i]] == IRL_COVERING_STEM) first = literal;
      t->frequency[literal]++;
    }
  for (size_t i = 0; i < n_ids; i++)
    for (uint32_t j = 0; j < l->clauses.sizes[ids[i]]; j++) {
      const irl_literal literal = l->clauses.literals[(size_t)ids[i] * l->clauses.max_literals + j];
      const uint32_t here = t->frequency[literal];
      t->frequency[literal] = 0;
      if (here > most && !(is_divided && here == n_ids)) {
        most = here;
        best = literal;
      }
    }
  return first != UINT32_MAX ? first : best;
}

static bool has_literal(const list *l, uint32_t k, irl_literal literal) {
  for (uint32_t j = 0; j < l->clauses.sizes[k]; j++)
    if (l->clauses.literals[(size_t)k * l->clauses.max_literals + j] == literal) return true;
  return false;
}

/* Divides the clauses by their commonest literals; are all sets refuted? */
static bool refute_sets(tree *t, uint32_t n, uint32_t *ids, size_t n_ids, bool is_divided) {
  const list *l = t->levels[n].list;
  bool is_refuted = true;
  while (n_ids && is_refuted && !must_end(t)) {
    const irl_literal literal = commonest(t, l, ids, n_ids, is_divided);
    size_t n_with = 0;
    for (size_t i = 0; i < n_ids; i++)
      if (has_literal(l, ids[i], literal)) {
        const uint32_t k = ids[i];
        memmove(ids + n_with + 1, ids + n_with, (i - n_with) * sizeof *ids);
        ids[n_with++] = k;
      }
    assert(n_with && n_with <= n_ids && (!is_divided || n_with < n_ids || n_ids == 1));
    is_refuted = refute_set(t, n, ids, n_with);
    ids += n_with;
    n_ids -= n_with;
    is_divided = false;
  }
  return is_refuted && !must_end(t);
}

/* Is none of the children of level n part of a completion below the target? */
static bool refute_children(tree *t, uint32_t n) {
  const irl_allocator *allocator = &t->search->env->allocator;
  const list *l = t->levels[n].list;
  bool is_refuted = false;
  uint32_t *ids = irl_mem_alloc(allocator, l->clauses.n + 1, sizeof *ids);
  uint32_t *sets = irl_mem_alloc(allocator, l->clauses.n + 1, sizeof *sets); /* in their order */
  if (ids && sets) {
    const size_t n_ids = find_children(t, n, ids);
    memcpy(sets, ids, n_ids * sizeof *ids);
    is_refuted = !must_end(t) && refute_sets(t, n, sets, n_ids, false);
    for (size_t i = 0; i < n_ids; i++) l->is_out[ids[i]] = false;
  } else
    t->status = irl_fail_memory(t->search->env);
  irl_mem_free(allocator, sets);
  irl_mem_free(allocator, ids);
  return is_refuted && !t->status;
}

/* Is no completion of level n below the target? */
static bool refute(tree *t, uint32_t n) {
  level *at = &t->levels[n];
  assert(n <= t->search->problem->K);
  const uint32_t left = t->search->problem->K - n;
  t->search->work += t->stride;
  if (irl_merged_weigh(t->merged, 0, at->cases) + at->paid < t->task->target) return false;
  if (!left || at->paid >= t->task->target) return true;
  if (must_end(t)) return false;
  t->search->nodes++;
  if (!is_served(t, n)) {
    const bool is_made = make_list(t, at, left);
    at->list = is_made ? &at->own : NULL;
    if (!is_made || !is_served(t, n)) {
      free_list(t, &at->own);
      return false;
    }
  }
  const bool is_refuted = refute_children(t, n);
  if (at->list == &at->own) free_list(t, &at->own);
  return is_refuted;
}

static bool make_tree(tree *t) {
  const irl_data *data = t->merged->data;
  const uint32_t K = t->search->problem->K;
  t->case_words = data->cases.stride;
  t->control_words = data->controls.stride;
  t->stride = t->case_words + t->control_words;
  t->levels = irl_arena_alloc(&t->arena, K + 1u, sizeof *t->levels);
  t->scratch = irl_arena_alloc_aligned(&t->arena, t->stride, sizeof *t->scratch);
  t->frequency = irl_arena_alloc(&t->arena, 2u * data->n_features + 2, sizeof *t->frequency);
  if (!t->levels || !t->scratch || !t->frequency) return false;
  for (uint32_t i = 0; i <= K; i++) {
    level *l = &t->levels[i];
    l->cases = irl_arena_alloc_aligned(&t->arena, t->case_words, sizeof *l->cases);
    l->controls = irl_arena_alloc_aligned(&t->arena, t->control_words, sizeof *l->controls);
    l->kept = irl_arena_alloc_aligned(&t->arena, t->case_words, sizeof *l->kept);
    l->closed = irl_arena_alloc_aligned(&t->arena, MAX_CLOSED * t->stride, sizeof *l->closed);
    if (!l->cases || !l->controls || !l->kept || !l->closed) return false;
  }
  irl_bits_fill(t->levels[0].cases, data->n_cases, t->case_words);
  irl_bits_fill(t->levels[0].controls, data->n_controls, t->control_words);
  return true;
}

irl_status irl_relaxed_tree_search(irl_relaxed_tree *task) {
  irl_search *search = task->search;
  tree t = {.task = task,
            .search = search,
            .merged = &search->problem->merged,
            .kernels = irl_bits_kernels()};
  assert(task->target > 0 && task->unit > 0 && irl_problem_is_simple(search->problem));
  assert(search->problem->M > 2 && search->problem->K > 0);
  irl_arena_init(&t.arena, &search->env->allocator);
  if (!make_tree(&t)) t.status = irl_fail_memory(search->env);
  task->is_closed = !t.status && refute(&t, 0) && !t.status;
  task->is_cut = t.is_cut;
  irl_arena_free(&t.arena);
  return t.status;
}
