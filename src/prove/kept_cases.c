/* Proving on few cases, for noise and many features.
 *
 * Let U be the target: rules of less loss are sought. Keep any set of cases, each of which weighs e
 * or more, and forget the others: e * (kept cases left uncovered) + (weight of covered controls) is
 * at most the loss of a rule. So a proof may look at the kept cases alone. At the root, with W kept
 * cases, one of the K clauses covers at least T = (e * W - (U - 1)) / (K * e) of them (the lemma of
 * kept_tree.c). Which cases are kept decides how sharp that is:
 *
 *   those that the best rule leaves uncovered   their loss is in U already;
 *   k of each of its clauses, which no other    once a clause of the best rule is taken, the same
 *   of its clauses covers, and one more for     number of cases is left to each of the others: T is
 *   each case's worth of controls it covers     about k at the root and at all nodes below.
 *
 * Hence ONE list of all clauses with at least T kept cases and at most (U - 1) / w0 controls serves
 * the whole tree, where a branch and bound that counts all cases lists clauses anew at each node;
 * and the columns are short, a few hundred bits, so that all triples of literals can be counted
 * (clause/covering.c). A random triple covers an eighth of the kept cases, and about 1/K of them
 * are asked for: with K up to 6 or 7 there are few such triples, and few clauses. With more clauses
 * to a rule random triples pass and the list has no end; then there is nothing to be had here.
 *
 * Where the clauses of the best rule overlap, few cases are left to one of them alone; then all
 * cases, or one in so many, are kept instead.
 *
 * More kept cases tell a planted clause from a random one more surely, fewer are counted faster:
 * which are kept is chosen by a sample of the triples (clause/covering_estimate.c), and the listing
 * begins only if it is expected to end within the work allowed. A target below the loss of the best
 * rule asks for clauses that cover more cases and fewer controls, which takes less. So targets rise
 * from low ones, each with a part of the work that is left: a long proof begins with them, and
 * where it is out of reach they leave a bound.
 *
 * For the weighted loss without penalties and limits; other losses need other values. */
#include "prove/kept_cases.h"
#include "base/memory.h"
#include "clause/covering.h"
#include "prove/prove_effort.h"
#include "prove/relaxed_tree.h"
#include "rule/literal_columns.h"
#include <math.h>

/* A choice of cases for a target, and what it is expected to take. */
typedef struct plan {
  int64_t target;    /* in units of the merged samples */
  uint32_t every;    /* one case of so many is kept, of all; 0: by the level */
  uint32_t level;    /* k */
  bool is_priced;    /* the list asks for more cases of clauses that cover controls (kept_tree.c) */
  uint32_t n_kept;   /* cases */
  uint32_t least;    /* kept cases that the clauses of the list cover */
  double work;       /* that listing and tree take; INFINITY: out of reach */
  double n_expected; /* clauses of the list */
  double n_triples;  /* of literals that cover enough */
} plan;

/* The best rule, on the merged samples. */
typedef struct kept {
  irl_learner *learner;
  irl_kept_cases *task;
  const irl_merged *merged;
  irl_limit limit;
  uint64_t start;                    /* work of the learner before */
  int64_t unit;                      /* what every kept case weighs or more */
  uint32_t n;                        /* clauses */
  uint64_t *cover[IRL_LEARN_MAX_K];  /* cases of each, */
  uint64_t *single[IRL_LEARN_MAX_K]; /* those that no other covers, heavy enough */
  uint32_t n_single[IRL_LEARN_MAX_K];
  int64_t cost[IRL_LEARN_MAX_K]; /* of its controls */
  uint64_t *missed;              /* cases that none covers, heavy enough */
  uint64_t *heavy;               /* all that weigh enough */
  uint64_t *keep;                /* the cases that are kept */
  irl_arena arena;
} kept;

static uint64_t work_used(const kept *x) {
  return x->learner->work - x->start;
}

static irl_limit limit_left(const kept *x) {
  return irl_limit_left(&x->limit, work_used(x));
}

/* ---- which cases ---- */

static uint64_t *new_cases(kept *x) {
  return irl_arena_alloc_aligned(&x->arena, x->merged->data->cases.stride, sizeof(uint64_t));
}

/* What the best rule covers and misses. */
static bool look_at_rule(kept *x) {
  const irl_learner *learner = x->learner;
  const irl_data *data = x->merged->data;
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t words = data->cases.stride;
  uint64_t *once = new_cases(x), *twice = new_cases(x), *heavy = x->heavy = new_cases(x);
  uint64_t *controls = irl_arena_alloc_aligned(&x->arena, data->controls.stride, sizeof *controls);
  x->n = learner->best.n;
  x->keep = new_cases(x);
  x->missed = new_cases(x);
  if (!once || !twice || !heavy || !controls || !x->keep || !x->missed) return false;
  x->unit = x->merged->weights[0] ? x->merged->common[0] : x->merged->weight[0];
  for (uint32_t i = 0; i < data->n_cases; i++)
    if (!x->merged->weights[0] || x->merged->weights[0][i] >= x->unit) irl_bits_set(heavy, i);
  for (uint32_t k = 0; k < x->n; k++) {
    const uint32_t number = learner->best.clauses[k], size = learner->pool.sizes[number];
    const uint32_t *literals = irl_clause_set_literals(&learner->pool, number);
    x->single[k] = new_cases(x);
    x->cover[k] = new_cases(x);
    if (!x->single[k] || !x->cover[k]) return false;
    irl_literals_cover(data, false, literals, size, x->single[k]);
    memcpy(x->cover[k], x->single[k], words * sizeof *x->cover[k]);
    irl_literals_cover(data, true, literals, size, controls);
    x->cost[k] = irl_merged_weigh(x->merged, 1, controls);
    for (size_t w = 0; w < words; w++) {
      twice[w] |= once[w] & x->single[k][w];
      once[w] |= x->single[k][w];
    }
  }
  for (uint32_t k = 0; k < x->n; k++) {
    kernels->andnot_into(x->single[k], x->single[k], twice, words);
    x->n_single[k] = (uint32_t)kernels->and_into(x->single[k], x->single[k], heavy, words);
  }
  kernels->andnot_into(x->missed, heavy, once, words);
  return true;
}

/* How many cases of clause k are kept. */
static uint32_t n_kept_of(const kept *x, uint32_t level, uint32_t k) {
  const int64_t wanted = (int64_t)level + x->cost[k] / x->unit;
  assert(k < x->n && x->unit > 0 && wanted >= 0);
  return wanted < x->n_single[k] ? (uint32_t)wanted : x->n_single[k];
}

/* Adds n of these cases, spread evenly; n_from: how many there are. */
static void spread_cases(kept *x, const uint64_t *from, uint64_t n_from, uint64_t n) {
  uint64_t seen = 0;
  assert(n <= n_from);
  for (size_t w = 0; n && w < x->merged->data->cases.stride; w++)
    for (uint64_t bits = from[w]; bits; bits &= bits - 1, seen++)
      if ((seen + 1) * n / n_from > seen * n / n_from) x->keep[w] |= bits & -bits;
}

/* The kept cases: one in so many, or those that the best rule leaves out and some of each clause.
 */
static void choose_cases(kept *x, plan *p) {
  const irl_data *data = x->merged->data;
  const size_t words = data->cases.stride;
  memset(x->keep, 0, words * sizeof *x->keep);
  if (p->every) {
    const uint64_t n = irl_bits_kernels()->count(x->heavy, words);
    spread_cases(x, x->heavy, n, (n + p->every - 1) / p->every);
  } else {
    memcpy(x->keep, x->missed, words * sizeof *x->keep);
    for (uint32_t k = 0; k < x->n; k++)
      spread_cases(x, x->single[k], x->n_single[k], n_kept_of(x, p->level, k));
  }
  p->n_kept = (uint32_t)irl_bits_kernels()->count(x->keep, words);
  assert(p->n_kept <= data->n_cases);
}

/* The largest threshold of a list that serves a node with so many kept cases uncovered, so much
 * paid and so many clauses left (kept_tree.c); 0: none. */
static int64_t threshold(const kept *x, const plan *p, int64_t uncovered, int64_t paid,
                         int64_t left) {
  const int64_t gain = x->unit * uncovered + paid - (p->target - 1), part = 2 * left * x->unit;
  assert(uncovered >= 0 && paid >= 0 && left > 0);
  const int64_t twice = 2 * gain - (p->is_priced ? paid : 0);
  return twice <= 0 ? 0 : (twice + part - 1) / part;
}

/* Kept cases that clauses i and j cover. */
static int64_t n_kept_in(const kept *x, uint32_t i, uint32_t j) {
  int64_t n = 0;
  for (size_t w = 0; w < x->merged->data->cases.stride; w++)
    n += __builtin_popcountll(x->keep[w] & (x->cover[i][w] | x->cover[j][w]));
  return n;
}

/* The threshold of the list: that of the root, and of the nodes with one or two clauses of the best
 * rule if many more are to follow. Nodes below it list clauses by themselves. */
static uint32_t choose_least(const kept *x, const plan *p) {
  const int64_t K = x->learner->settings.K;
  int64_t least = threshold(x, p, p->n_kept, 0, K);
  for (uint32_t i = 0; i < x->n && K > 3; i++)
    for (uint32_t j = i; j < x->n; j++) {
      const int64_t n = n_kept_in(x, i, j), paid = x->cost[i] + (j > i ? x->cost[j] : 0);
      const int64_t left = K - (j > i ? 2 : 1);
      const int64_t here = threshold(x, p, p->n_kept - n, paid, left);
      if (paid < p->target && left > 2 && here > 0 && here < least) least = here;
    }
  return least > 0 ? (uint32_t)least : 0;
}

/* ---- the list ---- */

/* A model over the kept cases and all controls. */
static irl_status make_model(const kept *x, const plan *p, irl_clause_problem *problem,
                             irl_clause_model *model) {
  const irl_learn_settings *settings = &x->learner->settings;
  irl_clause_problem_init(problem, x->merged->data);
  problem->live_cases = x->keep;
  problem->case_weight = 2 * (int64_t)settings->K * x->unit;
  problem->control_weight = x->merged->weight[1];
  problem->budget = IRL_CLAUSE_NO_LIMIT;
  problem->min_cases = p->least;
  problem->max_literals = settings->M;
  problem->negations = settings->negations;
  problem->groups = x->learner->data->groups;
  problem->keeps_all = true;
  const irl_status status = irl_clause_model_init(x->learner->env, model, problem);
  if (!status) x->learner->work += model->work;
  return status;
}

static uint32_t max_controls(const kept *x, int64_t target) {
  assert(target > 0 && x->merged->weight[1] > 0);
  const uint64_t most = (uint64_t)(target - 1) / (uint64_t)x->merged->weight[1];
  const uint32_t n_controls = x->merged->data->n_controls;
  return most < n_controls ? (uint32_t)most : n_controls;
}

/* A random triple covers an eighth of the controls. Where that is not far beyond what a rule may
 * cover, the number of controls alone says little about a clause, so that they are given a price.
 */
static bool needs_price(const kept *x, int64_t target) {
  return 16 * (uint64_t)max_controls(x, target) >= x->merged->data->n_controls;
}

static irl_clause_thresholds thresholds_of(const kept *x, const plan *p) {
  const int64_t factor = 2 * (int64_t)x->learner->settings.K * x->unit;
  return (irl_clause_thresholds){.min_cases = p->least,
                                 .max_controls = max_controls(x, p->target),
                                 .min_value = p->is_priced ? factor * ((int64_t)p->least - 1) + 1
                                                           : IRL_CLAUSE_ANY_VALUE};
}

/* What a plan with that threshold would take, in p; its cases are chosen. */
static irl_status estimate_list(kept *x, plan *p) {
  irl_learner *learner = x->learner;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_covering_estimate e = {0};
  const irl_limit part = limit_left(x);
  p->work = INFINITY;
  if (!p->least) return IRL_STATUS_OK;
  irl_status status = make_model(x, p, &problem, &model);
  if (status) return status;
  const irl_clause_thresholds thresholds = thresholds_of(x, p);
  const uint64_t words = (uint64_t)model.root.set.n * model.root.case_words + 1;
  const uint64_t pairs = IRL_PROVE_SAMPLE_WORK / words;
  const uint32_t n_sampled = pairs < IRL_PROVE_MIN_SAMPLE   ? IRL_PROVE_MIN_SAMPLE
                             : pairs > IRL_PROVE_MAX_SAMPLE ? IRL_PROVE_MAX_SAMPLE
                                                            : (uint32_t)pairs;
  status = irl_clause_estimate_covering(
      &(irl_clause_search){learner->env, &model, &part, learner->settings.threads, &learner->work},
      &thresholds, n_sampled, &e);
  /* A long list has many children of the root, each of which scans a part of it. */
  const double nodes =
      (double)((uint64_t)1 << (learner->settings.K < 10 ? learner->settings.K : 10));
  p->work = e.work + nodes * e.clauses * (double)x->merged->data->cases.stride +
            e.clauses * e.clauses * (p->n_kept / 64 + 1) / IRL_PROVE_SCANNED_PART;
  p->n_expected = e.clauses;
  p->n_triples = e.triples;
  if (e.clauses > (double)x->task->cap) p->work = INFINITY;
  irl_clause_model_free(&model);
  return status;
}

/* What the plan would take, in p. */
static irl_status estimate(kept *x, plan *p) {
  choose_cases(x, p);
  p->least = p->n_kept <= IRL_COVERING_MAX_CASES ? choose_least(x, p) : 0;
  irl_status status = estimate_list(x, p);
  if (status || !p->is_priced || p->work <= (double)limit_left(x).max_work / 2) return status;
  /* With a price nodes where controls are paid ask for fewer cases, which may be too few. */
  plan plain = *p;
  plain.is_priced = false;
  plain.least = p->n_kept <= IRL_COVERING_MAX_CASES ? choose_least(x, &plain) : 0;
  status = estimate_list(x, &plain);
  if (plain.work < p->work) *p = plain;
  return status;
}

/* The cheapest plan for a target. */
static irl_status make_plan(kept *x, int64_t target, plan *best) {
  uint32_t most = 0;
  irl_status status = IRL_STATUS_OK;
  for (uint32_t k = 0; k < x->n; k++) {
    const int64_t level = x->n_single[k] - x->cost[k] / x->unit;
    if (level > (int64_t)most) most = (uint32_t)level;
  }
  static const uint32_t every[] = {1, 2, 3, 4, 6, 8, 12, 16};
  *best = (plan){.target = target, .level = most, .work = INFINITY};
  for (uint32_t level = most; level >= IRL_PROVE_MIN_LEVEL && !status;
       level = (uint32_t)((uint64_t)level * 3 / 4)) {
    plan p = {.target = target, .level = level, .is_priced = needs_price(x, target)};
    if (irl_limit_poll(&x->limit)) break;
    status = estimate(x, &p);
    if (p.work < best->work || best->level == most) *best = p;
    if (p.work > 4 * best->work && best->work < INFINITY) break; /* it only gets worse */
  }
  /* A proof that is an extra begins only what is short. */
  const bool is_wanted = x->learner->settings.prove;
  for (size_t i = 0; is_wanted && i < sizeof every / sizeof *every && !status; i++) {
    plan p = {.target = target, .every = every[i], .is_priced = needs_price(x, target)};
    if (best->work < IRL_PROVE_SHORT_LISTING || irl_limit_poll(&x->limit)) break;
    status = estimate(x, &p);
    if (i && p.work > 4 * best->work) break;
    if (p.work < best->work) *best = p;
  }
  return status;
}

/* ---- a run ---- */

static irl_status make_list(const kept *x, const irl_clause_array *found, irl_clause_set *list) {
  irl_learner *learner = x->learner;
  irl_status status = IRL_STATUS_OK;
  irl_clause_set_init(list, x->merged->data, learner->settings.M);
  for (size_t i = 0; i < found->n && !status; i++) {
    irl_clause clause;
    irl_clause_array_get(found, i, &clause);
    status = irl_clause_set_add(learner->env, list, clause.literals, clause.n, NULL, NULL);
  }
  learner->work += found->n * (list->cases.stride + list->controls.stride);
  return status;
}

/* The tree over a list, which takes no more work than its share: what it needs is not foreseen. */
static irl_status run_tree(kept *x, const plan *p, const irl_clause_set *list, uint64_t most,
                           bool *is_closed) {
  irl_limit limit = x->limit;
  const uint64_t used = work_used(x);
  if (limit.max_work - used > most) limit.max_work = used + most;
  irl_kept_tree tree = {.learner = x->learner,
                        .limit = limit,
                        .start = x->start,
                        .list = list,
                        .keep = x->keep,
                        .unit = x->unit,
                        .least = p->least,
                        .is_priced = p->is_priced,
                        .target = p->target};
  const irl_status status = irl_kept_tree_search(&tree);
  *is_closed = !status && tree.is_closed;
  if (!status && !tree.is_closed && x->learner->settings.prove)
    irl_log(x->learner->env, IRL_LOG_NOTE, "  the tree over %zu clauses did not end", list->n);
  return status;
}

/* ---- a lower threshold ---- */

/* How many children of the root ask for so many kept cases of the next clause. */
static void count_thresholds(const kept *x, const plan *p, const irl_clause_set *list,
                             uint32_t *counts) {
  const irl_kernels *kernels = irl_bits_kernels();
  const int64_t K = x->learner->settings.K, most = p->target - 1;
  const int64_t gain = x->unit * p->n_kept - most;
  for (uint32_t k = 0; k < list->n; k++) {
    const int64_t cases =
        (int64_t)kernels->and_count(x->keep, irl_bits_vector(&list->cases, k), list->cases.stride);
    const int64_t cost = irl_merged_weigh(x->merged, 1, irl_bits_vector(&list->controls, k));
    if (cost > most || K * x->unit * cases - cost < gain) continue;
    const int64_t next = threshold(x, p, p->n_kept - cases, cost, K - 1);
    counts[next < p->least ? next : p->least]++;
  }
  x->learner->work += list->n * (list->cases.stride + list->controls.stride);
}

/* Where many children of the root are below the threshold of the list, each would list clauses by
 * itself: a lower threshold, if that is expected to take less. The lower plan in p, or the same. */
static irl_status lower_threshold(kept *x, const irl_clause_set *list, plan *p, bool *is_lower) {
  const irl_data *data = x->merged->data;
  const double n = data->n_features * (x->learner->settings.negations ? 2.0 : 1.0);
  /* With four literals or more it is about as long as the list. */
  const double pairs = n * n / 2 * IRL_PROVE_OWN_WORDS;
  const double own = x->learner->settings.M > 3 && p->work / 2 > pairs ? p->work / 2 : pairs;
  irl_status status = IRL_STATUS_OK;
  *is_lower = false;
  uint32_t *counts = irl_arena_alloc(&x->arena, p->least + 1u, sizeof *counts);
  if (!counts) return irl_fail_memory(x->learner->env);
  count_thresholds(x, p, list, counts);
  double below = 0, best = 0;
  for (uint32_t i = 0; i < p->least; i++) best += counts[i] * own;
  if (best <= p->work) return IRL_STATUS_OK;
  plan chosen = *p;
  uint32_t n_tried = 0;
  for (uint32_t i = 1; i < p->least && !status && n_tried < IRL_PROVE_MAX_LOWER; i++) {
    below += counts[i - 1];
    if (!counts[i]) continue;
    plan lower = *p;
    lower.least = i;
    n_tried++;
    status = estimate_list(x, &lower);
    if (status || lower.work + below * own >= best) continue;
    best = lower.work + below * own;
    chosen = lower;
  }
  *is_lower = chosen.least < p->least && chosen.work <= (double)limit_left(x).max_work;
  if (*is_lower) *p = chosen;
  return status;
}

/* ---- a list and its tree ---- */

/* All clauses of a plan; not complete: a limit or the cap ended it. */
static irl_status list_clauses(kept *x, const plan *p, irl_clause_set *list, bool *is_complete) {
  irl_learner *learner = x->learner;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_array found;
  *is_complete = false;
  irl_clause_set_init(list, x->merged->data, learner->settings.M);
  irl_status status = make_model(x, p, &problem, &model);
  if (status) return status;
  irl_clause_array_init(&found, &learner->env->allocator, learner->settings.M);
  const irl_limit part = limit_left(x);
  const irl_clause_thresholds thresholds = thresholds_of(x, p);
  irl_log(learner->env, IRL_LOG_NOTE,
          "  kept %u cases: clauses with %u of them and at most %u controls, for a bound of %.6g, "
          "work %.2g",
          p->n_kept, p->least, thresholds.max_controls,
          irl_learner_objective(learner, irl_merged_loss(x->merged, p->target)), p->work);
  status = irl_clause_list_covering(
      &(irl_clause_search){learner->env, &model, &part, learner->settings.threads, &learner->work},
      &thresholds, IRL_COVERING_NO_STEMS, x->task->cap, &found, is_complete);
  irl_clause_model_free(&model);
  if (!status && !*is_complete && found.n >= x->task->cap)
    irl_log(learner->env, IRL_LOG_NOTE, "  more than %zu such clauses: given up", x->task->cap);
  if (!status && *is_complete) status = make_list(x, &found, list);
  irl_clause_array_free(&found);
  return status;
}

/* Lists the clauses of a plan and goes through the tree. *is_closed: no rule is below the target,
 * but for those that were offered. */
static irl_status run_plan(kept *x, plan *p, bool *is_closed) {
  irl_clause_set list;
  bool is_complete, is_lower = false;
  const uint64_t before = x->learner->work;
  *is_closed = false;
  choose_cases(x, p);
  irl_status status = list_clauses(x, p, &list, &is_complete);
  if (!status && is_complete) status = lower_threshold(x, &list, p, &is_lower);
  if (!status && is_lower) {
    irl_clause_set_free(&list);
    status = list_clauses(x, p, &list, &is_complete);
  }
  const uint64_t used = x->learner->work - before;
  const bool is_part = p->target < irl_merged_target(x->merged, irl_learner_target(x->learner));
  const uint64_t most = is_part ? 0 : x->task->tree_work; /* a bound takes no more than its list */
  if (!status && is_complete) status = run_tree(x, p, &list, used > most ? used : most, is_closed);
  irl_clause_set_free(&list);
  return status;
}

/* The kept cases in terms of the original ones. */
static irl_status keep_evidence(kept *x, const plan *p, int64_t target) {
  irl_learner *learner = x->learner;
  irl_proof_evidence *evidence = &x->task->evidence;
  const size_t words = learner->data->cases.stride;
  *evidence = (irl_proof_evidence){.way = IRL_PROOF_BY_KEPT_CASES, .target = target};
  evidence->relaxed =
      irl_mem_alloc_aligned(&learner->env->allocator, words, sizeof *evidence->relaxed);
  if (!evidence->relaxed) return irl_fail_memory(learner->env);
  for (uint32_t i = 0; i < x->merged->data->n_cases; i++)
    if (irl_bits_get(x->keep, i))
      irl_bits_set(evidence->relaxed, x->merged->own ? x->merged->case_index[i] : i);
  evidence->largest = p->least;
  return IRL_STATUS_OK;
}

/* A target at that share of the loss of the best rule. */
static int64_t target_at(const kept *x, double share) {
  const int64_t most = irl_merged_target(x->merged, irl_learner_target(x->learner));
  const int64_t target = (int64_t)ceil(share * (double)most);
  return target < most ? target : most;
}

/* Does the target raise the bound? */
static bool is_above(const kept *x, int64_t target) {
  return target > 0 && irl_merged_loss(x->merged, target) > x->learner->proof.bound;
}

/* Does the plan raise the bound, within the work that is left? */
static bool is_worth(const kept *x, const plan *p) {
  return is_above(x, p->target) && p->work <= (double)limit_left(x).max_work;
}

/* Says why nothing was tried, where a proof is wanted. */
static void log_refusal(const kept *x, const plan *p) {
  if (!x->learner->settings.prove || x->task->is_whole) return;
  if (p->work < INFINITY)
    irl_log(x->learner->env, IRL_LOG_NOTE,
            "  kept cases: about %.2g words of work for all clauses with %u of %u cases: not tried",
            p->work, p->least, p->n_kept);
  else
    irl_log(x->learner->env, IRL_LOG_NOTE,
            "  kept cases: %u of %u are no more than chance covers, about %.2g triples of literals "
            "do: not tried",
            p->least, p->n_kept, p->n_triples);
}

/* A plan with one part in so many of the work that is left. */
static irl_status run_part(kept *x, plan *p, double part, bool *is_closed) {
  const irl_limit all = x->limit;
  if (all.max_work != UINT64_MAX)
    x->limit.max_work = work_used(x) + (uint64_t)((double)limit_left(x).max_work / part);
  const irl_status status = run_plan(x, p, is_closed);
  x->limit = all;
  return status;
}

/* Raises the bound to a target, if that is within reach. */
static irl_status raise_to(kept *x, int64_t target, bool *is_raised) {
  irl_learner *learner = x->learner;
  plan p;
  plan sharp = {.target = target, .every = 1, .is_priced = needs_price(x, target)};
  *is_raised = false;
  irl_status status = make_plan(x, target, &p);
  if (!status) status = estimate(x, &sharp);
  if (status) return status;
  /* With all cases the nodes below the root are sharper too, which no estimate sees. */
  if (sharp.work <= (double)limit_left(x).max_work / IRL_PROVE_SHARP_SHARE) p = sharp;
  /* The first bound of all is worth more. */
  const double part = learner->proof.bound > 0 ? IRL_PROVE_RUNG_SHARE : IRL_PROVE_FIRST_RUNG_SHARE;
  if (!is_worth(x, &p) || p.work > (double)limit_left(x).max_work / part) return IRL_STATUS_OK;
  status = run_part(x, &p, part, is_raised);
  if (status || !*is_raised) return status;
  irl_proof_raise(&learner->proof, irl_merged_loss(x->merged, p.target), learner->best.loss);
  irl_learner_log(learner, "kept", UINT64_MAX);
  return IRL_STATUS_OK;
}

/* Bounds on the way to a long proof, and where it is out of reach or did not end. Rungs rise from
 * low ones, which are cheap: clauses have to cover more cases and fewer controls. Each is begun
 * only if it is expected to take a part of the work that is left, and given up after that part;
 * then one half way to it is tried. */
static irl_status climb(kept *x, double most_share) {
  static const double shares[] = {0.05, 0.2, 0.5, 0.8};
  const int64_t goal = irl_learner_target(x->learner);
  double low = 0, high = 0;
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < sizeof shares / sizeof *shares && !status && !high; i++) {
    bool is_raised;
    if (shares[i] > most_share || !is_above(x, target_at(x, shares[i]))) continue;
    status = raise_to(x, target_at(x, shares[i]), &is_raised);
    if (is_raised) low = shares[i];
    if (!is_raised) high = shares[i];
    if (irl_learner_target(x->learner) != goal) return status;
  }
  for (unsigned i = 0; i < IRL_PROVE_RUNG_HALVES && !status && high; i++) {
    bool is_raised;
    const double middle = (low + high) / 2;
    if (irl_limit_reached(&x->limit, work_used(x))) break;
    if (!is_above(x, target_at(x, middle))) {
      low = middle;
      continue;
    }
    status = raise_to(x, target_at(x, middle), &is_raised);
    if (is_raised) low = middle;
    if (!is_raised) high = middle;
    if (irl_learner_target(x->learner) != goal) return status;
  }
  return status;
}

/* Raises the bound to a target by sets of clauses, with a part of the work that is left. */
static irl_status relax_to(kept *x, int64_t target, bool *is_raised) {
  irl_learner *learner = x->learner;
  irl_relaxed_tree tree = {.learner = learner,
                           .limit = irl_learner_sublimit(learner, UINT64_MAX),
                           .start = learner->work,
                           .heavy = x->heavy,
                           .unit = x->unit,
                           .cap = x->task->cap,
                           .own_cap = IRL_PROVE_RELAXED_CAP,
                           .stem_controls = x->merged->data->n_controls / IRL_PROVE_STEM_PART,
                           .target = target};
  const double part =
      learner->proof.bound > 0 ? IRL_PROVE_RELAXED_SHARE : IRL_PROVE_FIRST_RELAXED_SHARE;
  if (tree.limit.max_work != UINT64_MAX)
    tree.limit.max_work = (uint64_t)((double)tree.limit.max_work / part);
  const irl_status status = irl_relaxed_tree_search(&tree);
  *is_raised = !status && tree.is_closed;
  if (!*is_raised) return status;
  irl_proof_raise(&learner->proof, irl_merged_loss(x->merged, target), learner->best.loss);
  irl_learner_log(learner, "sets", UINT64_MAX);
  return status;
}

/* Bounds by sets of clauses (relaxed_tree.c), from a low one on. */
static irl_status relax(kept *x) {
  static const double shares[] = {0.05, 0.25, 0.5, 0.75};
  const int64_t *weight = x->merged->weight;
  const int64_t first = weight[0] < weight[1] ? weight[0] : weight[1];
  irl_status status = IRL_STATUS_OK;
  bool is_raised = true;
  for (size_t i = 0; i < sizeof shares / sizeof *shares && !status && is_raised; i++) {
    const int64_t target = target_at(x, shares[i]);
    if (!is_above(x, target)) continue;
    status = relax_to(x, target, &is_raised);
    /* The lowest of all: no rule is without errors. */
    if (!status && !is_raised && !i && first < target && is_above(x, first))
      status = relax_to(x, first, &is_raised);
  }
  return status;
}

static irl_status prove(kept *x) {
  irl_learner *learner = x->learner;
  const int64_t target = irl_learner_target(learner);
  plan whole;
  irl_status status = make_plan(x, irl_merged_target(x->merged, target), &whole);
  if (status) return status;
  /* A long list comes first if half of the work is enough for it; otherwise low targets do. */
  const bool is_in_reach = is_worth(x, &whole);
  const bool is_first =
      whole.work < IRL_PROVE_LONG_LISTING || whole.work <= (double)limit_left(x).max_work / 2;
  if (!is_in_reach) log_refusal(x, &whole);
  const uint64_t left = irl_learner_sublimit(learner, UINT64_MAX).max_work;
  if (x->task->is_whole && learner->settings.prove && whole.work > (double)left) status = relax(x);
  /* What listing takes is foreseen, the tree is not: if it does not end, a bound has the rest. */
  if (is_in_reach && is_first)
    status =
        run_part(x, &whole, x->task->is_whole ? 1 : IRL_PROVE_WHOLE_SHARE, &x->task->is_closed);
  if (!status && !x->task->is_closed && !x->task->is_whole && irl_learner_target(learner) == target)
    status = climb(x, is_in_reach && !is_first ? IRL_PROVE_FIRST_RUNGS : 1);
  if (!status && is_in_reach && !is_first && irl_learner_target(learner) == target)
    status = run_part(x, &whole, 1, &x->task->is_closed);
  if (!status && is_in_reach && !is_first && !x->task->is_closed && !x->task->is_whole &&
      irl_learner_target(learner) == target)
    status = climb(x, 1);
  if (!status && !x->task->is_closed && !x->task->is_whole && learner->settings.prove &&
      !learner->proof.bound)
    status = relax(x);
  if (status || !x->task->is_closed) return status;
  if (irl_learner_target(learner) == target) return keep_evidence(x, &whole, target);
  /* A better rule was found and is proven; a certificate wants to know it from the start. */
  bool is_closed = false;
  const int64_t next = irl_merged_target(x->merged, irl_learner_target(learner));
  if (!learner->settings.certify || !learner->best.n || next <= 0 || !look_at_rule(x))
    return status;
  status = make_plan(x, next, &whole);
  if (!status && whole.work < INFINITY) status = run_plan(x, &whole, &is_closed);
  return status || !is_closed ? status : keep_evidence(x, &whole, irl_learner_target(learner));
}

irl_status irl_prove_kept_cases(irl_learner *learner, const irl_limit *limit,
                                irl_kept_cases *task) {
  const irl_learn_settings *settings = &learner->settings;
  kept x = {.learner = learner,
            .task = task,
            .merged = &learner->proof.merged,
            .limit = *limit,
            .start = learner->work};
  task->is_closed = false;
  task->evidence = (irl_proof_evidence){.target = -1};
  if (!irl_learner_is_simple(learner) || settings->max_literals != UINT64_MAX || settings->M < 3 ||
      settings->K < 2 || !irl_learner_has_rule(learner) || !learner->best.n ||
      irl_merged_target(x.merged, irl_learner_target(learner)) <= 0)
    return IRL_STATUS_OK;
  irl_arena_init(&x.arena, &learner->env->allocator);
  const irl_status status = look_at_rule(&x) ? prove(&x) : irl_fail_memory(learner->env);
  irl_arena_free(&x.arena);
  return status;
}
