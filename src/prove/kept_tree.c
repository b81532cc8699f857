/* The tree over one list of clauses, for a proof on few cases (kept_cases.c).
 *
 * A node has chosen some clauses, and r more may follow. Let u be the number of kept cases that are
 * uncovered, p what is paid for controls, and each kept case weigh e or more. A rule below the
 * target t has w(uncovered kept cases) + w(covered controls) <= t - 1, so that its further clauses
 * must gain g = e * u + p - (t - 1) on the kept cases.
 *
 * Lemma. With v(c) = r * e * (kept cases that c newly covers) - w(controls that it newly covers)
 * the values of the at most r further clauses sum up to r * g or more, since a control that several
 * of them cover is paid once. So for g > 0 one of them has v(c) >= g, and it covers at least
 * g / (r * e) kept cases that are uncovered, so no fewer of all kept cases. If that is more than
 * s - 1, the clause is in the list of all clauses with s kept cases: a scan of it gives all
 * children.
 *
 * Where controls have a price, a list is shorter. Of all controls of that clause, of
 * weight b, those not yet covered weigh at least b - p and at least 0, so at least (b - p) / 2, and
 * 2 * r * e * a - b >= 2 * g - p for its kept cases a. If 2 * g - p > 2 * r * e * (s - 1), the
 * clause is in the list of the threshold s, which has all clauses with a >= s and
 * 2 * K * e * (a - s + 1) > b.
 *
 * Otherwise the node lists clauses by itself, on all uncovered cases, as rule_bnb.c does. This
 * happens where few clauses are left to choose, and then many cases have to be covered by each: the
 * listing is short.
 *
 * A clause that was branched on is in no rule sought that holds the clauses of the node; it is left
 * out at later siblings and below them. Of clauses with the same cover the list has one. What a
 * clause newly covers shrinks on the way down, so children scan only what reached the threshold of
 * the list at their parent; and of that, by falling kept cases, only those that cover as many as
 * the children of the node must newly cover. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "clause/enumerate.h"
#include "prove/kept_cases.h"
#include "prove/prove_effort.h"
#include "rule/literal_columns.h"
#include <stdlib.h>

#define PACKED_WORDS 6u /* of the kept cases: more are counted faster in whole blocks */

typedef struct child {
  int64_t value;
  uint32_t k; /* in the list, or among the node's own clauses */
} child;

typedef struct level {
  uint64_t *cases, *kept, *controls; /* uncovered ones; `kept` of the kept cases */
  int64_t uncovered, paid;
  /* Of the list, by falling kept cases: what reaches its threshold here and is not out, as far as
   * children had to look. */
  uint32_t *ids, n_ids;
  uint32_t n_seen; /* of the parent's ids */
  child *children;
  size_t n_children, capacity;
  irl_clause_array own; /* clauses that the node listed by itself */
  irl_clause clause;    /* that leads to the node */
  double width;         /* the node's share of the tree, if all children of a node are alike */
} level;

typedef struct tree {
  irl_kept_tree *task;
  irl_learner *learner;
  const irl_merged *merged;
  const irl_kernels *kernels;
  int threads;
  level *levels;
  uint32_t *counts, *kept_of_part; /* scratch for a scan of the list */
  uint64_t *packed;                /* the list on the kept cases, NULL if these are many */
  size_t n_words;                  /* of a packed column */
  uint32_t *totals;                /* of the list: kept cases */
  uint32_t *starts; /* of clauses with so many kept cases, in the order of the root */
  bool *is_out;     /* of the list: in no rule sought with the clauses of the path */
  uint64_t *all_controls;
  irl_arena arena;
  double share;       /* of the tree that is closed */
  uint64_t trial_end; /* work by which a share must be closed */
  double last_line;
  bool is_cut;
} tree;

static int by_value(const void *x, const void *y) {
  const child *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

static bool must_end(tree *t) {
  const uint64_t used = t->learner->work - t->task->start;
  t->is_cut = t->is_cut || irl_limit_reached(&t->task->limit, used) ||
              (used > t->trial_end && t->share < IRL_PROVE_LEAST_SHARE);
  return t->is_cut;
}

/* ---- what a node has ---- */

/* Offers the clauses down to level n as a rule, if they are better than all before. */
static irl_status offer(tree *t, uint32_t n) {
  irl_learner *learner = t->learner;
  const level *at = &t->levels[n];
  irl_learn_rule rule = {.n = n};
  irl_status status = IRL_STATUS_OK;
  if (irl_merged_loss(t->merged, at->uncovered + at->paid) >= irl_learner_target(learner))
    return IRL_STATUS_OK;
  for (uint32_t i = 1; i <= n && !status; i++)
    status = irl_clause_set_add(learner->env, &learner->pool, t->levels[i].clause.literals,
                                t->levels[i].clause.n, &rule.clauses[i - 1], NULL);
  if (!status) status = irl_learner_offer_logged(learner, &rule, "proof", UINT64_MAX);
  const int64_t target = irl_merged_target(t->merged, irl_learner_target(learner));
  assert(status ||
         irl_learner_target(learner) <= irl_merged_loss(t->merged, at->uncovered + at->paid));
  if (target < t->task->target) t->task->target = target;
  return status;
}

/* Level n + 1 with one more clause, whose cover is given. */
static void descend(tree *t, uint32_t n, const uint64_t *cases, const uint64_t *controls) {
  const irl_data *data = t->merged->data;
  const level *from = &t->levels[n];
  level *to = &t->levels[n + 1];
  /* The cover may stand where the cases of the child go. */
  t->kernels->andnot_into(to->kept, from->kept, cases, data->cases.stride);
  t->kernels->andnot_into(to->cases, from->cases, cases, data->cases.stride);
  t->kernels->andnot_into(to->controls, from->controls, controls, data->controls.stride);
  to->uncovered = irl_merged_weigh(t->merged, 0, to->cases);
  to->paid = irl_merged_weigh(t->merged, 1, t->all_controls) -
             irl_merged_weigh(t->merged, 1, to->controls);
  assert(to->uncovered <= from->uncovered && to->paid >= from->paid);
  t->learner->work += 3 * data->cases.stride + 2 * data->controls.stride;
}

/* What the further clauses of a node must gain on the kept cases. */
static int64_t required_gain(const tree *t, const level *at) {
  const int64_t kept = (int64_t)t->kernels->count(at->kept, t->merged->data->cases.stride);
  return t->task->unit * kept + at->paid - (t->task->target - 1);
}

/* ---- children ---- */

static bool add_child(tree *t, level *at, int64_t value, uint32_t k) {
  if (!irl_mem_reserve(&t->learner->env->allocator, &at->children, &at->capacity, at->n_children,
                       sizeof *at->children))
    return false;
  at->children[at->n_children++] = (child){value, k};
  return true;
}

/* Scans go in parts, in parallel where that pays. */
#define SCAN_PART 4096u

static uint32_t n_parts(uint32_t n) {
  return (n + SCAN_PART - 1) / SCAN_PART;
}
static uint32_t part_size(uint32_t n, uint32_t part) {
  return n - part * SCAN_PART < SCAN_PART ? n - part * SCAN_PART : SCAN_PART;
}

/* Kept cases that each of these clauses covers. */
static void count_kept(const tree *t, const uint64_t *kept, const uint32_t *ids, uint32_t n) {
  const irl_bits_matrix *cases = &t->task->list->cases;
  const uint32_t parts = n_parts(n);
#pragma omp parallel for num_threads(irl_threads_here(parts > 4 ? t->threads : 1)) schedule(static)
  for (uint32_t part = 0; part < parts; part++)
    t->kernels->and_count_many(kept, cases->words, cases->stride, ids + part * SCAN_PART,
                               part_size(n, part), cases->stride, t->counts + part * SCAN_PART);
  t->learner->work += n * cases->stride;
}

/* Of these clauses those that newly cover as many kept cases as the list asks for: `into`, which
 * must not be before `ids` in the same array. How many. */
static uint32_t keep_close(const tree *t, level *at, const uint32_t *ids, uint32_t n,
                           uint32_t *into) {
  uint32_t kept = 0;
  if (!t->packed) {
    count_kept(t, at->kept, ids, n);
    for (uint32_t i = 0; i < n; i++) {
      into[kept] = ids[i];
      kept += t->counts[i] >= t->task->least && !t->is_out[ids[i]];
    }
    return kept;
  }
  const uint32_t parts = n_parts(n);
  uint64_t live[PACKED_WORDS];
  t->kernels->gather_many(live, t->n_words, t->n_words, at->kept, t->merged->data->cases.stride,
                          NULL, 1, t->task->keep, t->merged->data->cases.stride);
  memcpy(t->counts, ids, n * sizeof *ids);
#pragma omp parallel for num_threads(irl_threads_here(parts > 4 ? t->threads : 1)) schedule(static)
  for (uint32_t part = 0; part < parts; part++)
    t->kept_of_part[part] = (uint32_t)t->kernels->and_keep(live, t->n_words, t->packed, t->n_words,
                                                           t->counts + part * SCAN_PART,
                                                           part_size(n, part), t->task->least);
  for (uint32_t part = 0; part < parts; part++)
    for (uint32_t i = 0; i < t->kept_of_part[part]; i++) {
      const uint32_t k = t->counts[part * SCAN_PART + i];
      into[kept] = k;
      kept += !t->is_out[k];
    }
  t->learner->work += n * t->n_words;
  return kept;
}

/* Looks so far that level n has all clauses of so many kept cases. */
static void extend_ids(tree *t, uint32_t n, uint32_t need) {
  level *at = &t->levels[n];
  if (!n) return;
  const level *parent = &t->levels[n - 1];
  extend_ids(t, n - 1, need);
  const uint32_t first = at->n_seen;
  while (at->n_seen < parent->n_ids && t->totals[parent->ids[at->n_seen]] >= need) at->n_seen++;
  assert(at->n_ids <= first && at->n_seen <= t->task->list->n);
  if (at->n_seen > first)
    at->n_ids += keep_close(t, at, parent->ids + first, at->n_seen - first, at->ids + at->n_ids);
}

/* The children of level n from the list, by falling value. */
static irl_status scan_list(tree *t, uint32_t n, int64_t gain) {
  const irl_clause_set *list = t->task->list;
  level *at = &t->levels[n];
  const int64_t left = t->learner->settings.K - n, factor = left * t->task->unit;
  const int64_t budget = t->task->target - 1 - at->paid, need = (gain + factor - 1) / factor;
  at->n_children = 0;
  if (need > UINT32_MAX) return IRL_STATUS_OK;
  extend_ids(t, n, (uint32_t)need);
  for (uint32_t i = 0; i < at->n_ids && t->totals[at->ids[i]] >= need; i++) {
    const uint32_t k = at->ids[i];
    if (t->is_out[k]) continue;
    const int64_t count = (int64_t)t->kernels->and_count(at->kept, irl_bits_vector(&list->cases, k),
                                                         list->cases.stride);
    t->learner->work += list->cases.stride;
    if (factor * count < gain) continue;
    const int64_t cost =
        irl_merged_weigh_both(t->merged, 1, irl_bits_vector(&list->controls, k), at->controls);
    t->learner->work += list->controls.stride;
    if (cost > budget || factor * count - cost < gain) continue;
    if (!add_child(t, at, factor * count - cost, k)) return irl_fail_memory(t->learner->env);
  }
  if (at->n_children) qsort(at->children, at->n_children, sizeof *at->children, by_value);
  return IRL_STATUS_OK;
}

/* The children of level n from a listing of its own, on all cases. */
static irl_status list_own(tree *t, uint32_t n) {
  irl_learner *learner = t->learner;
  const irl_learn_settings *settings = &learner->settings;
  const irl_merged *merged = t->merged;
  level *at = &t->levels[n];
  const int64_t left = settings->K - n, budget = t->task->target - 1 - at->paid;
  const uint64_t max_controls = (uint64_t)budget / (uint64_t)merged->weight[1];
  int64_t *weights = NULL;
  irl_clause_problem problem;
  irl_clause_model model;
  bool is_complete = false;
  assert(budget >= 0 && left > 0);
  irl_clause_problem_init(&problem, merged->data);
  if (merged->weights[0]) {
    weights = irl_mem_alloc(&learner->env->allocator, merged->data->n_cases, sizeof *weights);
    if (!weights) return irl_fail_memory(learner->env);
    for (uint32_t i = 0; i < merged->data->n_cases; i++) weights[i] = left * merged->weights[0][i];
  }
  problem.live_cases = at->cases;
  problem.live_controls = at->controls;
  problem.case_weight = left * merged->weight[0];
  problem.control_weight = merged->weight[1];
  problem.case_weights = weights;
  problem.control_weights = merged->weights[1];
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_literals = settings->M;
  problem.negations = settings->negations;
  problem.groups = learner->data->groups;
  const irl_clause_thresholds thresholds = {
      .min_cases = 1,
      .max_controls = max_controls < merged->data->n_controls ? (uint32_t)max_controls
                                                              : merged->data->n_controls,
      .min_value = at->uncovered + at->paid - (t->task->target - 1)};
  at->own.n = at->n_children = 0;
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (!status) {
    irl_limit part = t->task->limit;
    const uint64_t used = learner->work - t->task->start;
    if (part.max_work != UINT64_MAX)
      part.max_work = part.max_work > used ? part.max_work - used : 1;
    learner->work += model.work;
    status = irl_clause_enumerate_all(
        &(irl_clause_search){learner->env, &model, &part, t->threads, &learner->work}, &thresholds,
        IRL_PROVE_BNB_CAP, &at->own, &is_complete);
    irl_clause_model_free(&model);
  }
  irl_mem_free(&learner->env->allocator, weights);
  t->is_cut = t->is_cut || !is_complete;
  for (size_t i = 0; i < at->own.n && !status; i++)
    if (!add_child(t, at, at->own.values[i], (uint32_t)i)) status = irl_fail_memory(learner->env);
  if (at->n_children) qsort(at->children, at->n_children, sizeof *at->children, by_value);
  return status;
}

/* ---- nodes ---- */

static void log_progress(tree *t) {
  const double now = irl_clock_now();
  if (now - t->last_line < IRL_PROVE_PROGRESS_PERIOD) return;
  t->last_line = now;
  irl_log(t->learner->env, IRL_LOG_PROGRESS,
          "kept  nodes %llu  clauses %zu  %.1f %% done  work %.3g",
          (unsigned long long)t->learner->nodes, t->task->list->n, 100 * t->share,
          (double)t->learner->work);
}

static irl_status visit(tree *t, uint32_t n);

static irl_status visit_child(tree *t, uint32_t n, uint32_t k, bool is_own) {
  const irl_clause_set *list = t->task->list;
  const irl_data *data = t->merged->data;
  level *at = &t->levels[n], *to = &t->levels[n + 1];
  if (!is_own) {
    to->clause.n = list->sizes[k];
    memcpy(to->clause.literals, irl_clause_set_literals(list, k),
           to->clause.n * sizeof *to->clause.literals);
    descend(t, n, irl_bits_vector(&list->cases, k), irl_bits_vector(&list->controls, k));
    return visit(t, n + 1);
  }
  irl_clause_array_get(&at->own, k, &to->clause);
  irl_literals_cover(data, false, to->clause.literals, to->clause.n, to->cases);
  irl_literals_cover(data, true, to->clause.literals, to->clause.n, to->controls);
  descend(t, n, to->cases, to->controls);
  return visit(t, n + 1);
}

static irl_status visit(tree *t, uint32_t n) {
  level *at = &t->levels[n];
  const int64_t left = t->learner->settings.K - n;
  const double begin = t->share;
  irl_status status = offer(t, n);
  if (status || must_end(t)) return status;
  t->share = begin + at->width;
  if (!left) return status;
  t->learner->nodes++;
  log_progress(t);
  int64_t gain = required_gain(t, at);
  if (at->paid > t->task->target - 1) return IRL_STATUS_OK;
  t->share = begin;
  if (n) at->n_ids = at->n_seen = 0;
  const int64_t twice = 2 * gain - (t->task->is_priced ? at->paid : 0);
  const bool is_own = twice <= 2 * left * t->task->unit * ((int64_t)t->task->least - 1);
  status = is_own ? list_own(t, n) : scan_list(t, n, gain);
  const int64_t before = t->task->target;
  for (size_t i = 0; i < at->n_children && !status && !must_end(t); i++) {
    const child next = at->children[i];
    /* A better rule found below asks for more. */
    if (!is_own && next.value < gain + (before - t->task->target)) break;
    t->levels[n + 1].width = at->width / (double)at->n_children;
    status = visit_child(t, n, next.k, is_own);
    if (!is_own) t->is_out[next.k] = true;
  }
  for (size_t i = 0; i < at->n_children && !is_own; i++) t->is_out[at->children[i].k] = false;
  if (!t->is_cut) t->share = begin + at->width;
  return status;
}

/* All clauses of the list, by falling kept cases: they are counted by these and placed. */
static void sort_root(tree *t, level *root) {
  const uint32_t n = (uint32_t)t->task->list->n, n_cases = t->merged->data->n_cases;
  uint32_t at = 0;
  for (uint32_t i = 0; i < n; i++) root->ids[i] = i;
  count_kept(t, root->kept, root->ids, n);
  memcpy(t->totals, t->counts, n * sizeof *t->totals);
  for (uint32_t i = 0; i < n; i++) t->starts[t->totals[i]]++;
  for (uint32_t c = n_cases + 1; c-- > 0;) {
    const uint32_t here = t->starts[c];
    t->starts[c] = at;
    at += here;
  }
  assert(at == n);
  for (uint32_t i = 0; i < n; i++) root->ids[t->starts[t->totals[i]]++] = i;
  root->n_ids = n;
}

/* Columns of few kept cases are packed: scans read a word or a few in place of a block. */
static bool pack_list(tree *t) {
  const irl_bits_matrix *cases = &t->task->list->cases;
  t->n_words = (t->kernels->count(t->task->keep, cases->stride) + 63) / 64;
  if (t->n_words > PACKED_WORDS) return true;
  t->packed = irl_arena_alloc_aligned(&t->arena, t->task->list->n * t->n_words + 1, 8);
  if (!t->packed) return false;
  t->kernels->gather_many(t->packed, t->n_words, t->n_words, cases->words, cases->stride, NULL,
                          t->task->list->n, t->task->keep, cases->stride);
  t->learner->work += t->task->list->n * cases->stride;
  return true;
}

static bool make_tree(tree *t) {
  const irl_data *data = t->merged->data;
  const irl_clause_set *list = t->task->list;
  const uint32_t K = t->learner->settings.K;
  t->levels = irl_arena_alloc(&t->arena, K + 2, sizeof *t->levels);
  t->counts = irl_arena_alloc(&t->arena, list->n + 1, sizeof *t->counts);
  t->totals = irl_arena_alloc(&t->arena, list->n + 1, sizeof *t->totals);
  t->kept_of_part = irl_arena_alloc(&t->arena, n_parts((uint32_t)list->n) + 1u, sizeof *t->counts);
  t->starts = irl_arena_alloc(&t->arena, data->n_cases + 1u, sizeof *t->starts);
  t->is_out = irl_arena_alloc(&t->arena, list->n + 1, sizeof *t->is_out);
  t->all_controls = irl_arena_alloc_aligned(&t->arena, data->controls.stride, 8);
  if (!t->levels || !t->counts || !t->kept_of_part || !t->totals || !t->starts || !t->is_out ||
      !t->all_controls)
    return false;
  for (uint32_t i = 0; i <= K; i++) {
    level *l = &t->levels[i];
    irl_clause_array_init(&l->own, &t->learner->env->allocator, t->learner->settings.M);
    l->cases = irl_arena_alloc_aligned(&t->arena, data->cases.stride, sizeof *l->cases);
    l->kept = irl_arena_alloc_aligned(&t->arena, data->cases.stride, sizeof *l->kept);
    l->controls = irl_arena_alloc_aligned(&t->arena, data->controls.stride, sizeof *l->controls);
    l->ids = irl_arena_alloc(&t->arena, list->n + 1, sizeof *l->ids);
    if (!l->cases || !l->kept || !l->controls || !l->ids) return false;
  }
  level *root = &t->levels[0];
  irl_bits_fill(root->cases, data->n_cases, data->cases.stride);
  irl_bits_fill(root->controls, data->n_controls, data->controls.stride);
  irl_bits_fill(t->all_controls, data->n_controls, data->controls.stride);
  memcpy(root->kept, t->task->keep, data->cases.stride * sizeof *root->kept);
  root->uncovered = irl_merged_total(t->merged);
  root->width = 1;
  sort_root(t, root);
  return pack_list(t);
}

irl_status irl_kept_tree_search(irl_kept_tree *task) {
  irl_learner *learner = task->learner;
  const irl_allocator *allocator = &learner->env->allocator;
  tree t = {.task = task,
            .learner = learner,
            .merged = &learner->proof.merged,
            .kernels = irl_bits_kernels(),
            .threads = learner->settings.threads};
  const uint64_t used = learner->work - task->start, most = task->limit.max_work;
  t.trial_end = most > used ? used + (most - used) / 4 : used;
  irl_arena_init(&t.arena, allocator);
  assert(task->least && task->target > 0 && task->unit > 0 && irl_learner_is_simple(learner));
  const irl_status status = make_tree(&t) ? visit(&t, 0) : irl_fail_memory(learner->env);
  task->is_closed = !status && !t.is_cut;
  for (uint32_t i = 0; t.levels && i <= learner->settings.K; i++) {
    irl_clause_array_free(&t.levels[i].own);
    irl_mem_free(allocator, t.levels[i].children);
  }
  irl_arena_free(&t.arena);
  return status;
}
