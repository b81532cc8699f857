/* The nodes of the tree over one list of clauses, for a proof on few cases (kept_cases.c).
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
#include "prove/kept_node.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "prove/prove_effort.h"
#include "rule/literal_columns.h"

/* ---- what a node has ---- */

/* Keeps the clauses down to level n as the best rule that the worker found. */
static void keep_rule(irl_kept_worker *t, uint32_t n) {
  const irl_kept_level *at = &t->levels[n];
  assert(at->uncovered + at->paid < t->best);
  t->n_found = n;
  t->best = at->uncovered + at->paid;
  if (t->best < t->target) t->target = t->best;
  for (uint32_t i = 1; i <= n; i++) t->found[i - 1] = t->levels[i].clause;
}

/* Level n + 1 with one more clause, whose cover is given. */
static void choose_clause(irl_kept_worker *t, uint32_t n, const uint64_t *cases,
                          const uint64_t *controls) {
  const irl_merged *merged = t->view->merged;
  const irl_data *data = merged->data;
  const irl_kernels *kernels = t->view->kernels;
  const irl_kept_level *from = &t->levels[n];
  irl_kept_level *to = &t->levels[n + 1];
  /* The cover may stand where the cases of the child go. */
  kernels->andnot_into(to->kept, from->kept, cases, data->cases.stride);
  kernels->andnot_into(to->cases, from->cases, cases, data->cases.stride);
  kernels->andnot_into(to->controls, from->controls, controls, data->controls.stride);
  to->uncovered = irl_merged_weigh(merged, 0, to->cases);
  to->paid = irl_merged_weigh(merged, 1, t->view->all_controls) -
             irl_merged_weigh(merged, 1, to->controls);
  assert(to->uncovered <= from->uncovered && to->paid >= from->paid);
  t->work += 3 * data->cases.stride + 2 * data->controls.stride;
}

/* What the further clauses of a node must gain on the kept cases. */
static int64_t required_gain(const irl_kept_worker *t, const irl_kept_level *at) {
  const irl_kept_view *view = t->view;
  const int64_t kept = (int64_t)view->kernels->count(at->kept, view->merged->data->cases.stride);
  return view->task->unit * kept + at->paid - (t->target - 1);
}

/* ---- children ---- */

static irl_status add_child(irl_kept_worker *t, irl_kept_level *at, int64_t value, uint32_t k) {
  if (!irl_mem_reserve(&t->env->allocator, &at->children, &at->capacity, at->n_children,
                       sizeof *at->children))
    return irl_fail_memory(t->env);
  at->children[at->n_children++] = (irl_ranked){value, k};
  return IRL_STATUS_OK;
}

/* Scans go in parts, in parallel where that pays. */
#define SCAN_PART 4096u

static uint32_t n_parts(size_t n) {
  return (uint32_t)((n + SCAN_PART - 1) / SCAN_PART);
}
static uint32_t part_size(uint32_t n, uint32_t part) {
  return n - part * SCAN_PART < SCAN_PART ? n - part * SCAN_PART : SCAN_PART;
}

/* One more than are asked for: an empty list has arrays too. */
bool irl_kept_reserve(irl_kept_worker *t, size_t n) {
  const irl_allocator *allocator = &t->env->allocator;
  return irl_mem_reserve_more(allocator, &t->counts, &t->count_capacity, 0, n + 1,
                              sizeof *t->counts) &&
         irl_mem_reserve_more(allocator, &t->kept_of_part, &t->part_capacity, 0, n_parts(n) + 1u,
                              sizeof *t->kept_of_part);
}

void irl_kept_count(irl_kept_worker *t, const uint64_t *kept, const uint32_t *ids, uint32_t n) {
  const irl_bits_matrix *cases = &t->view->task->list->cases;
  const irl_kernels *kernels = t->view->kernels;
  const uint32_t parts = n_parts(n);
  assert(t->counts && n <= t->count_capacity);
#pragma omp parallel for num_threads(irl_threads_here(parts > 4 ? t->threads : 1)) schedule(static)
  for (uint32_t part = 0; part < parts; part++)
    kernels->and_count_many(kept, cases->words, cases->stride, ids + part * SCAN_PART,
                            part_size(n, part), cases->stride, t->counts + part * SCAN_PART);
  t->work += n * cases->stride;
}

/* Of these clauses those that newly cover as many kept cases as the list asks for: `into`, which
 * must not be before `ids` in the same array. How many. */
static uint32_t keep_close(irl_kept_worker *t, const irl_kept_level *at, const uint32_t *ids,
                           uint32_t n, uint32_t *into) {
  const irl_kept_view *view = t->view;
  const size_t stride = view->merged->data->cases.stride;
  const uint32_t least = view->task->least;
  uint32_t kept = 0;
  if (!view->packed) {
    irl_kept_count(t, at->kept, ids, n);
    for (uint32_t i = 0; i < n; i++) {
      into[kept] = ids[i];
      kept += t->counts[i] >= least && !t->is_out[ids[i]];
    }
    return kept;
  }
  const uint32_t parts = n_parts(n);
  uint64_t live[IRL_KEPT_PACKED_WORDS];
  assert(view->n_words <= IRL_KEPT_PACKED_WORDS && parts < t->part_capacity);
  view->kernels->gather_many(live, view->n_words, view->n_words, at->kept, stride, NULL, 1,
                             view->task->keep, stride);
  memcpy(t->counts, ids, n * sizeof *ids);
#pragma omp parallel for num_threads(irl_threads_here(parts > 4 ? t->threads : 1)) schedule(static)
  for (uint32_t part = 0; part < parts; part++)
    t->kept_of_part[part] =
        (uint32_t)view->kernels->and_keep(live, view->n_words, view->packed, view->n_words,
                                          t->counts + part * SCAN_PART, part_size(n, part), least);
  for (uint32_t part = 0; part < parts; part++)
    for (uint32_t i = 0; i < t->kept_of_part[part]; i++) {
      const uint32_t k = t->counts[part * SCAN_PART + i];
      into[kept] = k;
      kept += !t->is_out[k];
    }
  t->work += n * view->n_words;
  return kept;
}

/* Looks so far that level n has all clauses of so many kept cases. A clause that is out below a
 * node was its child, and seen there before: it is missing nowhere once it is no longer out. */
static irl_status extend_ids(irl_kept_worker *t, uint32_t n, uint32_t need) {
  irl_kept_level *at = &t->levels[n];
  if (!n) return IRL_STATUS_OK;
  const irl_kept_level *parent = &t->levels[n - 1];
  const irl_status status = extend_ids(t, n - 1, need);
  if (status) return status;
  const uint32_t first = at->n_seen;
  while (at->n_seen < parent->n_ids && t->view->totals[parent->ids[at->n_seen]] >= need)
    at->n_seen++;
  const uint32_t more = at->n_seen - first;
  assert(at->n_ids <= first && at->n_seen <= t->view->task->list->n);
  if (!more) return IRL_STATUS_OK;
  if (!irl_mem_reserve_more(&t->env->allocator, &at->ids, &at->id_capacity, at->n_ids, more + 1u,
                            sizeof *at->ids) ||
      !irl_kept_reserve(t, more))
    return irl_fail_memory(t->env);
  at->n_ids += keep_close(t, at, parent->ids + first, more, at->ids + at->n_ids);
  return IRL_STATUS_OK;
}

/* The children of level n from the list, by falling value. */
static irl_status scan_list(irl_kept_worker *t, uint32_t n, int64_t gain) {
  const irl_kept_view *view = t->view;
  const irl_clause_set *list = view->task->list;
  irl_kept_level *at = &t->levels[n];
  const int64_t left = view->search->problem->K - n, factor = left * view->task->unit;
  const int64_t budget = t->target - 1 - at->paid, need = (gain + factor - 1) / factor;
  assert(gain > 0 && budget >= 0);
  if (need > UINT32_MAX) return IRL_STATUS_OK;
  irl_status status = extend_ids(t, n, (uint32_t)need);
  for (uint32_t i = 0; i < at->n_ids && view->totals[at->ids[i]] >= need && !status; i++) {
    const uint32_t k = at->ids[i];
    if (t->is_out[k]) continue;
    const int64_t count = (int64_t)view->kernels->and_count(
        at->kept, irl_bits_vector(&list->cases, k), list->cases.stride);
    t->work += list->cases.stride;
    if (factor * count < gain) continue;
    const int64_t cost =
        irl_merged_weigh_both(view->merged, 1, irl_bits_vector(&list->controls, k), at->controls);
    t->work += list->controls.stride;
    if (cost > budget || factor * count - cost < gain) continue;
    status = add_child(t, at, factor * count - cost, k);
  }
  return status;
}

/* The children of level n from a listing of its own, on all cases. */
static irl_status list_own(irl_kept_worker *t, uint32_t n) {
  const irl_search *search = t->view->search;
  const irl_merged *merged = t->view->merged;
  irl_kept_level *at = &t->levels[n];
  const int64_t left = search->problem->K - n, budget = t->target - 1 - at->paid;
  const uint64_t max_controls = (uint64_t)budget / (uint64_t)merged->weight[1];
  int64_t *weights = NULL;
  irl_clause_problem problem;
  irl_clause_model model;
  bool is_complete = false;
  assert(budget >= 0 && left > 0);
  irl_clause_problem_init(&problem, merged->data);
  if (merged->weights[0]) {
    weights = irl_mem_alloc(&t->env->allocator, merged->data->n_cases, sizeof *weights);
    if (!weights) return irl_fail_memory(t->env);
    for (uint32_t i = 0; i < merged->data->n_cases; i++) weights[i] = left * merged->weights[0][i];
  }
  problem.live_cases = at->cases;
  problem.live_controls = at->controls;
  problem.case_weight = left * merged->weight[0];
  problem.control_weight = merged->weight[1];
  problem.case_weights = weights;
  problem.control_weights = merged->weights[1];
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_size = search->problem->M;
  problem.negations = search->problem->negations;
  problem.groups = search->problem->data->groups;
  const irl_clause_thresholds thresholds = {
      .min_cases = 1,
      .max_controls = max_controls < merged->data->n_controls ? (uint32_t)max_controls
                                                              : merged->data->n_controls,
      .min_value = at->uncovered + at->paid - (t->target - 1)};
  at->own.n = 0;
  irl_status status = irl_clause_model_init(t->env, &model, &problem);
  if (!status) {
    const irl_limit part = irl_limit_left(&t->limit, t->work);
    t->work += model.work;
    status =
        irl_clause_enumerate_all(&(irl_clause_search){t->env, &model, &part, t->threads, &t->work},
                                 &thresholds, IRL_PROVE_BNB_CAP, &at->own, &is_complete);
    irl_clause_model_free(&model);
  }
  irl_mem_free(&t->env->allocator, weights);
  t->is_cut = t->is_cut || !is_complete;
  for (size_t i = 0; i < at->own.n && !status; i++)
    status = add_child(t, at, at->own.values[i], (uint32_t)i);
  return status;
}

/* ---- nodes ---- */

irl_status irl_kept_open(irl_kept_worker *t, uint32_t n) {
  const irl_kept_tree *task = t->view->task;
  irl_kept_level *at = &t->levels[n];
  const int64_t left = t->view->search->problem->K - n;
  assert(left >= 0 && at->uncovered >= 0 && at->paid >= 0);
  at->n_children = at->n_out = 0;
  if (n) at->n_ids = at->n_seen = 0;
  if (at->uncovered + at->paid < t->best) keep_rule(t, n);
  if (!left) return IRL_STATUS_OK;
  t->nodes++;
  if (at->paid > t->target - 1) return IRL_STATUS_OK;
  at->gain = required_gain(t, at);
  at->target = t->target;
  const int64_t twice = 2 * at->gain - (task->is_priced ? at->paid : 0);
  at->is_own = twice <= 2 * left * task->unit * ((int64_t)task->least - 1);
  const irl_status status = at->is_own ? list_own(t, n) : scan_list(t, n, at->gain);
  irl_ranked_sort(at->children, at->n_children);
  return status;
}

bool irl_kept_descend(irl_kept_worker *t, uint32_t n, size_t i) {
  const irl_clause_set *list = t->view->task->list;
  const irl_data *data = t->view->merged->data;
  const irl_kept_level *at = &t->levels[n];
  irl_kept_level *to = &t->levels[n + 1];
  const irl_ranked next = at->children[i];
  assert(i < at->n_children && (!i || next.value <= at->children[i - 1].value));
  /* A better rule that was found asks for more. */
  if (!at->is_own && next.value < at->gain + (at->target - t->target)) return false;
  if (!at->is_own) {
    to->clause.n = list->sizes[next.i];
    memcpy(to->clause.literals, irl_clause_set_literals(list, next.i),
           to->clause.n * sizeof *to->clause.literals);
    choose_clause(t, n, irl_bits_vector(&list->cases, next.i),
                  irl_bits_vector(&list->controls, next.i));
    return true;
  }
  irl_clause_array_get(&at->own, next.i, &to->clause);
  irl_literals_cover(data, false, to->clause.literals, to->clause.n, to->cases);
  irl_literals_cover(data, true, to->clause.literals, to->clause.n, to->controls);
  choose_clause(t, n, to->cases, to->controls);
  return true;
}

void irl_kept_close(irl_kept_worker *t, uint32_t n, size_t i) {
  irl_kept_level *at = &t->levels[n], *below = &t->levels[n + 1];
  for (size_t k = 0; k < below->n_out; k++) t->is_out[below->children[k].i] = false;
  below->n_out = 0;
  assert(i < at->n_children && at->n_out <= i + 1);
  for (; !at->is_own && at->n_out <= i; at->n_out++) t->is_out[at->children[at->n_out].i] = true;
}
