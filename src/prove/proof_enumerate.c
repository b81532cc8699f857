/* Proving by a list: all clauses that can be part of a rule better than the best one known, and the
 * best choice of K of them.
 *
 * A rule of less loss than U pays for every control that one of its clauses covers, so each clause
 * covers controls of at most U - 1 in weight. That alone leaves millions of clauses where there is
 * noise. So cases are given away (choose.c): with D the cases that several good clauses cover, the
 * values v = K * (cases outside D) - controls of the clauses of a better rule sum up to
 * K * (need - weight of D) or more. If no clause has a value above m, each of them has at least
 * K * (need - weight of D) - (K - 1) * m. D comes from the clauses that are known, and m is guessed
 * from them; the list itself shows whether the guess was right, since it holds all clauses above
 * the threshold.
 *
 * Where samples cannot be merged (merge_samples.c) the selection engine makes the choice. */
#include "prove/proof_enumerate.h"
#include "base/memory.h"
#include "clause/enumerate.h"
#include "prove/choose.h"
#include "prove/multipliers.h"
#include <stdlib.h>

#define CLOCK_CLAUSES 4096u /* put into a pool between two looks at the clock */
#define MAX_GUESSES   8u    /* of the largest value */
#define MAX_NEW       200u  /* clauses that a wrong guess makes known */

typedef struct enumerator {
  irl_learner *learner;
  irl_proof_enumeration *listing;
  irl_limit part;
  uint64_t before;      /* work, at the start */
  int64_t target;       /* reduced */
  irl_clause_set known; /* clauses by which cases are given away; data NULL: none are */
  uint64_t *relaxed, *counted;
  int64_t weight, largest, least;
} enumerator;

/* ---- choosing ---- */

typedef struct place {
  int64_t value;
  size_t i;
} place;

static int by_value(const void *x, const void *y) {
  const place *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->i < b->i ? -1 : 1;
}

/* The list by about the value that its clauses have for the choice, which goes through them in that
 * order: their covers are then next to each other. NULL: out of memory. */
static place *order_of(const irl_learner *learner, const irl_clause_array *store) {
  const irl_merged *merged = &learner->merged;
  place *order = irl_mem_alloc(&learner->env->allocator, store->n, sizeof *order);
  for (size_t i = 0; order && i < store->n; i++)
    order[i] = (place){learner->settings.K * merged->common[0] * store->cases[i] -
                           merged->common[1] * store->controls[i],
                       i};
  if (order) qsort(order, store->n, sizeof *order, by_value);
  return order;
}

/* The pool of all clauses of the list; only part of it if *is_cut by clock or stop request. */
static irl_status make_pool(irl_learner *learner, const irl_clause_array *store,
                            irl_clause_set *pool, bool *is_cut) {
  irl_status status = IRL_OK;
  irl_clause clause;
  uint32_t number;
  bool is_new;
  *is_cut = false;
  place *order = order_of(learner, store);
  if (!order) return irl_fail_memory(learner->env);
  for (size_t i = 0; i < store->n && !status && !*is_cut; i++) {
    if (i % CLOCK_CLAUSES == CLOCK_CLAUSES - 1) *is_cut = irl_limit_poll(&learner->limit);
    irl_clause_array_get(store, order[i].i, &clause);
    status = irl_clause_set_add(learner->env, pool, clause.literals, clause.n, &number, &is_new);
  }
  learner->work += store->n * (pool->cases.stride + pool->controls.stride);
  irl_mem_free(&learner->env->allocator, order);
  return status;
}

/* The rule that was found in the list becomes the best, its clauses part of the pool. */
static irl_status take_better(irl_learner *learner, const irl_clause_set *list,
                              const uint32_t *chosen, uint32_t n) {
  irl_learn_rule rule = {.n = n};
  irl_status status = IRL_OK;
  bool is_new;
  for (uint32_t i = 0; i < n && !status; i++)
    status =
        irl_clause_set_add(learner->env, &learner->pool, irl_clause_set_literals(list, chosen[i]),
                           list->sizes[chosen[i]], &rule.clauses[i], &is_new);
  if (status) return status;
  bool is_better;
  status = irl_learner_offer(learner, &rule, &is_better);
  if (is_better) irl_learner_log(learner, "proof", UINT64_MAX);
  return status;
}

static irl_limit rest_of(const enumerator *l) {
  irl_limit part = l->part;
  const uint64_t used = l->learner->work - l->before;
  if (part.max_work != UINT64_MAX) part.max_work = part.max_work > used ? part.max_work - used : 1;
  return part;
}

static irl_status select_from(enumerator *l, const irl_clause_set *list, const irl_limit *part) {
  irl_learner *learner = l->learner;
  irl_select_problem problem;
  irl_select_result result;
  uint32_t chosen[IRL_LEARN_MAX_K];

  irl_learner_set_goal(learner, UINT64_MAX, &problem);
  problem.cases = &list->cases;
  problem.controls = &list->controls;
  problem.sizes = list->sizes;
  problem.to_beat = irl_learner_target(learner);
  const irl_status status =
      irl_select_solve(learner->env, &problem, part, learner->settings.threads, chosen, 0, &result);
  if (status) return status;
  learner->work += result.work;
  learner->nodes += result.nodes;
  l->listing->bound = result.bound >= problem.to_beat ? IRL_SELECT_NO_LOSS : result.bound;
  return result.loss < problem.to_beat ? take_better(learner, list, chosen, result.n) : IRL_OK;
}

static irl_status choose_from(enumerator *l, const irl_clause_set *list, const irl_limit *part) {
  irl_learner *learner = l->learner;
  uint32_t chosen[IRL_LEARN_MAX_K];
  irl_learn_choosing choosing = {.merged = &learner->merged,
                                 .list = list,
                                 .K = learner->settings.K,
                                 .max_literals = learner->settings.max_literals,
                                 .target = l->target,
                                 .divisor = learner->settings.divisor,
                                 .threads = learner->settings.threads,
                                 .chosen = chosen};
  const irl_status status = irl_learn_choose(learner->env, part, &choosing);
  if (status) return status;
  learner->work += choosing.work;
  learner->nodes += choosing.nodes;
  l->listing->bound = choosing.bound >= l->target
                          ? IRL_SELECT_NO_LOSS
                          : irl_merged_loss(&learner->merged, choosing.bound);
  return choosing.n == UINT32_MAX ? IRL_OK : take_better(learner, list, chosen, choosing.n);
}

static irl_status use_list(enumerator *l, const irl_clause_array *store) {
  irl_learner *learner = l->learner;
  irl_clause_set list;
  bool is_cut;
  if (!store->n) { /* no clause may be in a better rule */
    l->listing->bound = IRL_SELECT_NO_LOSS;
    return IRL_OK;
  }
  irl_clause_set_init(&list, learner->merged.data, learner->settings.M);
  irl_status status = make_pool(learner, store, &list, &is_cut);
  const irl_limit part = rest_of(l);
  if (!status && !is_cut)
    status = irl_learner_is_simple(learner) ? choose_from(l, &list, &part)
                                            : select_from(l, &list, &part);
  irl_clause_set_free(&list);
  return status;
}

/* ---- listing ---- */

/* What a better rule must gain outside what is given away. */
static int64_t required_gain_of(const enumerator *l) {
  const irl_merged *merged = &l->learner->merged;
  int64_t all = 0;
  for (uint32_t i = 0; merged->own && i < merged->data->n_cases; i++) all += merged->weights[0][i];
  if (!merged->own) all = merged->weight[0] * (int64_t)merged->data->n_cases;
  return all - (l->target - 1) - l->weight;
}

/* The cases that the best rule covers more than once. */
static irl_status find_shared(enumerator *l) {
  irl_learner *learner = l->learner;
  const size_t words = learner->merged.data->cases.stride;
  irl_status status = IRL_OK;
  uint32_t number;
  bool is_new;
  memset(l->relaxed, 0, words * sizeof *l->relaxed);
  memset(l->counted, 0, words * sizeof *l->counted);
  for (uint32_t i = 0; i < learner->best.n && !status; i++) {
    const uint32_t k = learner->best.clauses[i];
    status = irl_clause_set_add(learner->env, &l->known, irl_clause_set_literals(&learner->pool, k),
                                learner->pool.sizes[k], &number, &is_new);
    const uint64_t *cover = status ? NULL : irl_bits_vector(&l->known.cases, number);
    for (size_t w = 0; w < words && cover; w++) {
      l->relaxed[w] |= l->counted[w] & cover[w];
      l->counted[w] |= cover[w];
    }
  }
  return status;
}

/* What to give away, as far as known clauses show it. */
static irl_status find_multipliers(enumerator *l) {
  irl_learner *learner = l->learner;
  const size_t words = learner->merged.data->cases.stride;
  irl_status status = find_shared(l);
  if (status) return status;
  l->weight = 0;
  irl_multipliers giving = {.merged = &learner->merged,
                            .known = &l->known,
                            .K = learner->settings.K,
                            .required_gain = required_gain_of(l),
                            .budget = l->target - 1,
                            .relaxed = l->relaxed};
  status = irl_multipliers_search(learner->env, &giving);
  learner->work += giving.work;
  l->weight = giving.weight;
  l->largest = giving.largest;
  irl_bits_fill(l->counted, learner->merged.data->n_cases, words);
  irl_bits_kernels()->andnot_into(l->counted, l->counted, l->relaxed, words);
  return status;
}

/* The clauses of the pool are known. */
static irl_status begin_giving(enumerator *l) {
  irl_learner *learner = l->learner;
  const irl_data *data = learner->merged.data;
  irl_status status = IRL_OK;
  uint32_t number;
  bool is_new;
  irl_clause_set_init(&l->known, data, learner->pool.max_literals);
  l->relaxed =
      irl_mem_alloc_aligned(&learner->env->allocator, data->cases.stride, sizeof *l->relaxed);
  l->counted =
      irl_mem_alloc_aligned(&learner->env->allocator, data->cases.stride, sizeof *l->counted);
  if (!l->relaxed || !l->counted) return irl_fail_memory(learner->env);
  for (size_t k = 0; k < learner->pool.n && !status; k++)
    status = irl_clause_set_add(learner->env, &l->known, irl_clause_set_literals(&learner->pool, k),
                                learner->pool.sizes[k], &number, &is_new);
  return status ? status : find_multipliers(l);
}

/* What to ask of the clause engine: values without the cases that are given away. `weights` is the
 * caller's to free. */
static irl_status make_problem(const enumerator *l, irl_clause_problem *problem,
                               int64_t **weights) {
  const irl_learn_settings *settings = &l->learner->settings;
  const irl_merged *merged = &l->learner->merged;
  const bool is_simple_value = l->counted != NULL;
  *weights = NULL;
  irl_clause_problem_init(problem, merged->data);
  if (merged->own) {
    *weights = irl_mem_alloc(&l->learner->env->allocator, merged->data->n_cases, sizeof **weights);
    if (!*weights) return irl_fail_memory(l->learner->env);
    for (uint32_t i = 0; i < merged->data->n_cases; i++)
      (*weights)[i] = settings->K * merged->weights[0][i];
  }
  problem->live_cases = l->counted;
  problem->case_weights = *weights;
  problem->control_weights = merged->weights[1];
  problem->case_weight = settings->K * merged->weight[0];
  problem->control_weight = merged->weight[1];
  if (settings->is_hamming) problem->control_weight *= settings->K;
  problem->budget = IRL_CLAUSE_NO_LIMIT;
  problem->max_literals = settings->M;
  problem->negations = settings->negations;
  problem->groups = l->learner->data->groups;
  /* A clause that covers more of what is counted may cover less of what is given away; and where
   * literals count a long clause is no replacement. */
  problem->keeps_all = is_simple_value || settings->max_literals != UINT64_MAX || settings->penalty;
  return IRL_OK;
}

/* That a clause of a better rule covers, at most. */
static uint32_t max_controls(const enumerator *l) {
  const irl_merged *merged = &l->learner->merged;
  const uint64_t limit = l->learner->max_controls;
  const uint64_t budget = (uint64_t)(l->target - 1) / (uint64_t)merged->weight[1];
  uint64_t most = merged->data->n_controls;
  if (limit < most) most = limit;
  return (uint32_t)(budget < most ? budget : most);
}

/* Clauses whose controls weigh no more than the room, and of the least value if there is one. */
static irl_status list_clauses(enumerator *l, irl_clause_array *store, bool *is_complete) {
  irl_learner *learner = l->learner;
  const irl_learn_settings *settings = &learner->settings;
  const irl_merged *merged = &learner->merged;
  irl_clause_thresholds thresholds = {.min_cases = 1,
                                      .max_controls = max_controls(l),
                                      .min_value = l->least > 0 ? l->least : IRL_CLAUSE_NO_VALUE};
  irl_clause_problem problem;
  irl_clause_model model;
  int64_t *weights;
  irl_status status = make_problem(l, &problem, &weights);
  if (!status && l->least <= 0) { /* all cases again; of merged samples only the cost counts */
    problem.live_cases = NULL;
    problem.keeps_all = settings->max_literals != UINT64_MAX || settings->penalty;
    if (weights) memset(weights, 0, merged->data->n_cases * sizeof *weights);
    if (weights) thresholds.min_value = -(l->target - 1);
  }
  if (!status) status = irl_clause_model_init(learner->env, &model, &problem);
  if (!status) {
    const irl_limit part = rest_of(l);
    model.is_shared = merged->data->copy_id;
    status = irl_clause_enumerate_all(learner->env, &model, &part, settings->threads, &thresholds,
                                      l->listing->cap, store, is_complete, &learner->work);
    irl_clause_model_free(&model);
  }
  irl_mem_free(&learner->env->allocator, weights);
  return status;
}

/* Clauses of the list whose value was not expected become known; how many. */
static irl_status learn_more(enumerator *l, const irl_clause_array *store, uint32_t *n) {
  irl_status status = IRL_OK;
  irl_clause clause;
  uint32_t number;
  bool is_new;
  *n = 0;
  for (size_t i = 0; i < store->n && !status; i++) {
    if (store->values[i] <= l->largest || ++*n > MAX_NEW) continue;
    irl_clause_array_get(store, i, &clause);
    status =
        irl_clause_set_add(l->learner->env, &l->known, clause.literals, clause.n, &number, &is_new);
  }
  return status;
}

/* The list, with a largest value that no clause exceeds. At least one clause of a better rule has
 * the need of all, so the largest is taken to be that or more: then the threshold is not above it,
 * and what would exceed it is in the list. */
static irl_status make_list(enumerator *l, irl_clause_array *store, bool *is_complete) {
  const int64_t K = l->learner->settings.K;
  irl_status status = IRL_OK;
  uint32_t n_new;
  for (uint32_t guess = 0;; guess++) {
    const int64_t required_gain = required_gain_of(l);
    l->least = l->relaxed && guess < MAX_GUESSES ? K * required_gain - (K - 1) * l->largest : 0;
    assert(l->least <= 0 || l->largest >= required_gain);
    store->n = 0;
    status = list_clauses(l, store, is_complete);
    if (status || !*is_complete || l->least <= 0) return status;
    status = learn_more(l, store, &n_new);
    if (status || !n_new) return status;
    status = find_multipliers(l);
    if (status) return status;
  }
}

/* What was given away, in terms of the original cases, for a certificate. */
static irl_status keep_given(enumerator *l) {
  irl_learner *learner = l->learner;
  const irl_merged *merged = &learner->merged;
  irl_mem_free_aligned(&learner->env->allocator, learner->relaxed);
  learner->relaxed = NULL;
  if (l->least <= 0) return IRL_OK;
  uint64_t *relaxed =
      irl_mem_alloc_aligned(&learner->env->allocator, learner->data->cases.stride, sizeof *relaxed);
  if (!relaxed) return irl_fail_memory(learner->env);
  for (uint32_t i = 0; i < merged->data->n_cases; i++)
    if (irl_bits_get(l->relaxed, i)) irl_bits_set(relaxed, merged->own ? merged->case_index[i] : i);
  learner->relaxed = relaxed;
  learner->largest = merged->unit * l->largest;
  return IRL_OK;
}

static enumerator init_enumerator(irl_learner *learner, const irl_limit *limit) {
  return (enumerator){.learner = learner,
                      .part = *limit,
                      .before = learner->work,
                      .target = irl_merged_target(&learner->merged, irl_learner_target(learner))};
}

static void end(enumerator *l) {
  if (l->known.data) irl_clause_set_free(&l->known);
  irl_mem_free_aligned(&l->learner->env->allocator, l->relaxed);
  irl_mem_free_aligned(&l->learner->env->allocator, l->counted);
}

irl_status irl_proof_enumerate(irl_learner *learner, const irl_limit *limit,
                               irl_proof_enumeration *listing) {
  const int64_t target = irl_learner_target(learner);
  enumerator l = init_enumerator(learner, limit);
  irl_clause_array store;
  bool is_complete = false;
  l.listing = listing;
  listing->bound = 0;
  listing->is_full = false;
  if (!l.target) { /* no rule has less than what all lose */
    listing->bound = IRL_SELECT_NO_LOSS;
    return IRL_OK;
  }
  irl_clause_array_init(&store, &learner->env->allocator, learner->settings.M);
  irl_status status = irl_learner_is_simple(learner) ? begin_giving(&l) : IRL_OK;
  if (!status) status = make_list(&l, &store, &is_complete);
  listing->is_full = !is_complete && store.n >= listing->cap;
  if (!status && is_complete) status = use_list(&l, &store);
  if (!status && is_complete) status = keep_given(&l);
  if (!status && is_complete) learner->enumerated_target = target;
  irl_clause_array_free(&store);
  end(&l);
  return status;
}
