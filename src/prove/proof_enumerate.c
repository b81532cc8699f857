/* Proof by enumeration: all clauses that can be part of a rule better than the incumbent, and the
 * best choice of K of them. Fast where these clauses are few, however large K is.
 *
 * Let U be the loss of the incumbent in units of the merged samples. A rule of loss U - 1 or less
 * pays for every control that one of its clauses covers, so each of its clauses covers controls of
 * weight at most U - 1, the budget. That alone leaves millions of clauses where there is noise.
 *
 * Lemma. Give the cases of a set D the multiplier 1 and all others 0, and let
 *
 *   v(c) = K * (weight of the cases of c outside D) - (weight of the controls of c)
 *   g    = (weight of all cases) - (U - 1) - (weight of D)
 *
 * The values of the K clauses of a better rule (empty ones added) sum up to K * g or more: the rule
 * gains at least g + weight of D against no rule at all, of which the cases of D bring at most
 * their weight; outside D its clauses cover together at least what the rule covers, and a control
 * that several of them cover is paid once by the rule and at most K times by the values. Hence, if
 * no clause has a value above m, every clause of a better rule has v(c) >= K * g - (K - 1) * m.
 *
 * This is a Lagrangian bound with multipliers 0 or 1, which need no arithmetic but counting. D
 * comes from the clauses that are known (multipliers.c), and so does a guess of m; the enumeration
 * shows whether the guess was right, since it has all clauses above the threshold. Clauses that
 * prove it wrong become known, and the search for multipliers starts again.
 *
 * The choice among the clauses is a branch and bound with budget masks and multipliers of its own
 * at each node (select_mask.c).
 *
 * With a cutoff below U all of this is about rules of less loss than the cutoff, and shows that
 * there are none: see proof_cutoffs.c. */
#include "prove/proof_enumerate.h"
#include "base/memory.h"
#include "clause/enumerate.h"
#include "prove/methods.h"
#include "select/select_rule.h"
#include <stdlib.h>

typedef struct enumeration {
  irl_search *search;
  irl_proof_enumeration *task;
  irl_limit limit;
  uint64_t start;       /* work of the search before */
  int64_t cutoff;       /* rules of interest have less loss; */
  int64_t target;       /* the same in units of the merged samples */
  irl_clause_set known; /* clauses that decide the multipliers; data NULL: there are none */
  uint32_t n_pool;      /* so many of them are the search's, the others were found here */
  uint64_t *relaxed;    /* cases with multiplier 1; NULL: there are no multipliers */
  uint64_t *counted;    /* the other cases */
  int64_t weight;       /* of the relaxed cases */
  int64_t largest;      /* no clause is assumed to have a larger value */
  int64_t least;        /* so that clauses of a better rule have this value; 0: any */
} enumeration;

static irl_limit limit_left(const enumeration *e) {
  return irl_limit_left(&e->limit, e->search->work - e->start);
}

/* No rule of interest has less loss. */
static void set_bound(const enumeration *e, int64_t bound) {
  e->task->bound = bound >= e->cutoff && !e->task->cutoff ? IRL_NO_LOSS : bound;
}

/* ---- multipliers ---- */

/* What a better rule must gain on the cases that are not relaxed. */
static int64_t required_gain_of(const enumeration *e) {
  return irl_merged_total(&e->search->problem->merged) - (e->target - 1) - e->weight;
}

/* Multipliers by the known clauses. Cases that the incumbent covers more than once are relaxed at
 * the start. */
static irl_status find_multipliers(enumeration *e) {
  irl_search *search = e->search;
  const irl_merged *merged = &search->problem->merged;
  const size_t words = merged->data->cases.stride;
  irl_status status = IRL_STATUS_OK;
  memset(e->relaxed, 0, words * sizeof *e->relaxed);
  memset(e->counted, 0, words * sizeof *e->counted);
  for (uint32_t i = 0; i < search->best.n; i++) {
    const uint32_t k = search->best.clauses[i];
    uint32_t number = 0;
    status = irl_clause_set_add(search->env, &e->known, irl_clause_set_literals(&search->pool, k),
                                search->pool.sizes[k], &number, NULL);
    if (status) return status;
    const uint64_t *cover = irl_bits_vector(&e->known.cases, number);
    for (size_t w = 0; w < words; w++) {
      e->relaxed[w] |= e->counted[w] & cover[w];
      e->counted[w] |= cover[w];
    }
  }
  e->weight = 0;
  irl_multipliers task = {.tuning = &search->settings.tuning,
                          .merged = merged,
                          .known = &e->known,
                          .n_pool = e->n_pool,
                          .K = search->problem->K,
                          .required_gain = required_gain_of(e),
                          .budget = e->target - 1,
                          .relaxed = e->relaxed};
  status = irl_multipliers_search(search->env, &task);
  search->work += task.work;
  e->weight = task.weight;
  e->largest = task.largest;
  assert(status || e->weight == irl_merged_weigh(merged, 0, e->relaxed));
  irl_bits_fill(e->counted, merged->data->n_cases, words);
  irl_bits_kernels()->andnot_into(e->counted, e->counted, e->relaxed, words);
  return status;
}

/* ---- enumerating ---- */

/* Clauses within the budget, and of the least value at the multipliers if there is one. */
static irl_status enumerate_clauses(enumeration *e, irl_clause_array *found) {
  irl_search *search = e->search;
  const irl_merged *merged = &search->problem->merged;
  const bool has_multipliers = e->least > 0, is_weighted = merged->weights[0];
  assert(e->target > 0 && merged->weight[1] > 0);
  const uint64_t budget = (uint64_t)(e->target - 1) / (uint64_t)merged->weight[1];
  uint64_t max_controls = merged->data->n_controls;
  if (search->problem->max_controls < max_controls) max_controls = search->problem->max_controls;
  if (budget < max_controls) max_controls = budget;
  const irl_clause_thresholds thresholds = {.min_cases = 1,
                                            .max_controls = (uint32_t)max_controls,
                                            .min_value = has_multipliers ? e->least
                                                         : is_weighted   ? -(e->target - 1)
                                                                         : IRL_CLAUSE_NO_VALUE};
  irl_clause_problem problem;
  irl_clause_model model;
  int64_t *weights = NULL;
  if (is_weighted) { /* without a threshold on the value only the controls count */
    weights = irl_mem_alloc(&search->env->allocator, merged->data->n_cases, sizeof *weights);
    if (!weights) return irl_fail_memory(search->env);
    for (uint32_t i = 0; i < merged->data->n_cases && has_multipliers; i++)
      weights[i] = search->problem->K * merged->weights[0][i];
  }
  irl_clause_problem_init(&problem, merged->data);
  problem.live_cases = has_multipliers ? e->counted : NULL;
  problem.case_weights = weights;
  problem.control_weights = merged->weights[1];
  problem.case_weight = search->problem->K * merged->weight[0];
  problem.control_weight =
      (irl_problem_shares_controls(search->problem) ? 1 : search->problem->K) * merged->weight[1];
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_size = search->problem->M;
  problem.negations = search->problem->negations;
  problem.groups = search->problem->data->groups;
  /* A clause that covers more counted cases may cover fewer relaxed ones, and where literals count
   * a longer clause does not dominate a shorter one. */
  problem.keeps_all = has_multipliers || irl_problem_counts_literals(search->problem);
  irl_status status = irl_clause_model_init(search->env, &model, &problem);
  if (!status) {
    const irl_limit part = limit_left(e);
    model.is_shared = merged->data->copy_id;
    status = irl_clause_enumerate_all(
        &(irl_clause_search){search->env, &model, &part, search->settings.threads, &search->work},
        &thresholds, e->task->cap, found, &e->task->ending);
    irl_clause_model_free(&model);
  }
  irl_mem_free(&search->env->allocator, weights);
  return status;
}

/* All clauses of a better rule, with a largest value that none exceeds. At least one clause of a
 * better rule has the required gain, so the largest value is taken to be that or more: then the
 * threshold is not above it, and what would exceed it is among the clauses. */
static irl_status find_clauses(enumeration *e, irl_clause_array *found) {
  const irl_tuning *tuning = &e->search->settings.tuning;
  const int64_t K = e->search->problem->K;
  irl_status status = IRL_STATUS_OK;
  for (uint32_t guess = 0;; guess++) {
    const int64_t required_gain = required_gain_of(e);
    uint32_t n_new = 0;
    e->least = e->relaxed && guess < tuning->guesses ? K * required_gain - (K - 1) * e->largest : 0;
    assert(e->least <= 0 || (e->largest >= required_gain && e->least <= e->largest));
    found->n = 0;
    status = enumerate_clauses(e, found);
    if (status || e->task->ending || e->least <= 0) return status;
    /* Clauses of larger value than was assumed become known. */
    for (size_t i = 0; i < found->n && !status; i++) {
      irl_clause clause;
      if (found->values[i] <= e->largest || ++n_new > tuning->learnt) continue;
      irl_clause_array_get(found, i, &clause);
      assert(clause.value >= e->least);
      status = irl_clause_set_add(e->search->env, &e->known, clause.literals, clause.n, NULL, NULL);
    }
    if (!status && n_new) status = find_multipliers(e);
    if (status || !n_new) return status;
  }
}

/* ---- choosing ---- */

/* A clause and its place in the list. */
typedef struct ranked {
  int64_t value;
  size_t i;
} ranked;

/* By falling value, those that come first in their list first among equals. */
static int by_value(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return (a->i > b->i) - (a->i < b->i);
}

/* The covers of all clauses are made about in the order in which the choice goes through them, so
 * that they are next to each other in memory. */
static irl_status make_covers(irl_search *search, const irl_clause_array *found,
                              irl_clause_set *list, bool *is_cut) {
  const irl_merged *merged = &search->problem->merged;
  ranked *order = irl_mem_alloc(&search->env->allocator, found->n, sizeof *order);
  if (!order) return irl_fail_memory(search->env);
  for (size_t i = 0; i < found->n; i++)
    order[i] = (ranked){search->problem->K * merged->common[0] * found->cases[i] -
                            merged->common[1] * found->controls[i],
                        i};
  qsort(order, found->n, sizeof *order, by_value);
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < found->n && !status && !*is_cut; i++) {
    irl_clause clause;
    if (i % IRL_CLAUSE_SET_CLOCK == IRL_CLAUSE_SET_CLOCK - 1)
      *is_cut = irl_limit_poll(&search->limit);
    irl_clause_array_get(found, order[i].i, &clause);
    status = irl_clause_set_add(search->env, list, clause.literals, clause.n, NULL, NULL);
  }
  search->work += found->n * (list->cases.stride + list->controls.stride);
  irl_mem_free(&search->env->allocator, order);
  assert(status || *is_cut || (list->n && list->n <= found->n));
  return status;
}

/* The search with budget masks (select_mask.c), on merged samples with their weights where the loss
 * allows it. A better rule, if there is one, is offered to the search. */
static irl_status choose_from(enumeration *e, const irl_clause_set *list) {
  irl_search *search = e->search;
  const bool is_merged = irl_problem_is_simple(search->problem);
  const irl_problem problem = is_merged ? irl_problem_on_merged(search->problem) : *search->problem;
  const irl_limit limit = limit_left(e);
  irl_select_task choice = irl_select_task_of(&problem, list, search->settings.threads);
  irl_select_result result;
  uint32_t chosen[IRL_MAX_K];
  choice.to_beat = is_merged ? e->target : e->cutoff;
  choice.trial_work = e->task->trial_work;
  choice.search = is_merged ? search : NULL;
  const irl_status status = irl_select_solve(search->env, &choice, &limit, chosen, &result);
  if (status) return status;
  assert(result.bound <= result.loss && result.bound <= choice.to_beat);
  search->work += result.work;
  search->nodes += result.nodes;
  e->task->work_left = result.work_left;
  const bool is_closed = result.bound >= choice.to_beat;
  assert(result.n <= search->problem->K);
  e->task->is_done = result.outcome == IRL_OUTCOME_OPTIMAL || is_closed;
  set_bound(e, is_closed ? e->cutoff : irl_problem_full_loss(&problem, result.bound));
  if (result.loss >= choice.to_beat) return IRL_STATUS_OK;
  return irl_search_offer_choice(search, list, chosen, result.n, "proof");
}

/* The best choice of all that were found, unless clock or a stop request cut it. */
static irl_status find_choice(enumeration *e, const irl_clause_array *found) {
  irl_search *search = e->search;
  irl_clause_set list;
  bool is_cut = false;
  if (!found->n) { /* no clause can be part of a better rule */
    set_bound(e, e->cutoff);
    e->task->is_done = true;
    return IRL_STATUS_OK;
  }
  irl_clause_set_init(&list, search->problem->merged.data, search->problem->M);
  irl_status status = make_covers(search, found, &list, &is_cut);
  if (!status && !is_cut) status = choose_from(e, &list);
  irl_clause_set_free(&list);
  return status;
}

/* The multipliers in terms of the original cases. */
static irl_status keep_evidence(enumeration *e, int64_t target) {
  irl_search *search = e->search;
  const irl_merged *merged = &search->problem->merged;
  irl_proof_evidence *evidence = &e->task->evidence;
  *evidence = (irl_proof_evidence){.way = IRL_PROOF_BY_ENUMERATION, .target = target};
  if (e->least <= 0) return IRL_STATUS_OK;
  evidence->relaxed = irl_mem_alloc_aligned(
      &search->env->allocator, search->problem->data->cases.stride, sizeof *evidence->relaxed);
  if (!evidence->relaxed) return irl_fail_memory(search->env);
  for (uint32_t i = 0; i < merged->data->n_cases; i++)
    if (irl_bits_get(e->relaxed, i))
      irl_bits_set(evidence->relaxed, merged->own ? merged->case_index[i] : i);
  evidence->largest = merged->unit * e->largest;
  assert(irl_bits_kernels()->count(evidence->relaxed, search->problem->data->cases.stride) ==
         irl_bits_kernels()->count(e->relaxed, merged->data->cases.stride));
  return IRL_STATUS_OK;
}

irl_status irl_proof_enumerate(irl_search *search, const irl_limit *limit,
                               irl_proof_enumeration *task) {
  const irl_allocator *allocator = &search->env->allocator;
  const int64_t target = task->cutoff ? task->cutoff : irl_search_target(search);
  enumeration e = {.search = search,
                   .task = task,
                   .limit = *limit,
                   .start = search->work,
                   .cutoff = target,
                   .target = irl_merged_target(&search->problem->merged, target)};
  irl_clause_array found;
  task->bound = 0;
  task->ending = IRL_ENDED;
  task->is_done = false;
  task->work_left = 0;
  task->evidence = (irl_proof_evidence){.target = -1};
  if (!e.target) { /* no rule has less loss than what merged samples lose in any case */
    set_bound(&e, target);
    task->is_done = true;
    return keep_evidence(&e, target);
  }
  irl_clause_array_init(&found, allocator, search->problem->M);
  irl_status status = IRL_STATUS_OK;
  if (irl_problem_is_simple(search->problem)) { /* the clauses of the pool are known */
    const irl_data *data = search->problem->merged.data;
    const size_t words = data->cases.stride;
    irl_clause_set_init(&e.known, data, search->pool.max_size);
    e.relaxed = irl_mem_alloc_aligned(allocator, 2 * words, sizeof *e.relaxed);
    if (e.relaxed) e.counted = e.relaxed + words;
    status = e.relaxed ? irl_clause_set_add_all(search->env, &e.known, &search->pool)
                       : irl_fail_memory(search->env);
    e.n_pool = (uint32_t)e.known.n;
    if (!status) status = find_multipliers(&e);
  }
  if (!status) status = find_clauses(&e, &found);
  assert(found.n <= task->cap);
  if (!status && !task->ending) status = find_choice(&e, &found);
  if (!status && !task->ending) status = keep_evidence(&e, target);
  irl_clause_array_free(&found);
  if (e.known.data) irl_clause_set_free(&e.known);
  irl_mem_free_aligned(allocator, e.relaxed);
  return status;
}

void irl_proof_take_enumeration(irl_search *search, irl_proof_enumeration *task) {
  const irl_allocator *allocator = &search->env->allocator;
  assert(task->bound <= search->best.loss || task->bound == IRL_NO_LOSS);
  if (task->bound >= search->best.loss)
    irl_proof_close(&search->proof, search->best.loss, &task->evidence, allocator);
  else
    irl_proof_raise(&search->proof, task->bound, search->best.loss);
  irl_proof_evidence_free(&task->evidence, allocator);
}

/* ---- the method ---- */

/* Where cutoffs rise, the last of them is this. */
static bool enumeration_applies(const irl_prover *p) {
  const bool has_cutoffs = irl_prover_is_small(p) && irl_search_uses(p->search, IRL_PROOF_CUTOFFS);
  return !has_cutoffs && p->search->best.loss < p->full_at;
}

static irl_status run_enumeration(irl_prover *p) {
  irl_search *search = p->search;
  const size_t most = irl_prove_max_cap(search);
  irl_proof_enumeration task = {.cap =
                                    irl_prover_cap(p, 10 * search->settings.tuning.list_cap, most)};
  const irl_limit part = irl_prover_limit(p);
  const irl_status status = irl_proof_enumerate(search, &part, &task);
  if (status) return status;
  if (task.ending == IRL_ENDED_BY_CAP && (p->cap || task.cap >= most))
    p->full_at = search->best.loss;
  irl_proof_take_enumeration(search, &task);
  return IRL_STATUS_OK;
}

const irl_prover_method irl_method_enumeration = {true, 2, enumeration_applies, irl_prover_unknown,
                                                  run_enumeration};
