/* Which cases are kept for a proof on few cases (case_subset.c), and what that should take. */
#include "prove/subset_plan.h"
#include "clause/covering.h"
#include "rule/literal_columns.h"
#include <math.h>

uint64_t irl_subset_work(const irl_subset *x) {
  return x->search->work - x->start;
}

irl_limit irl_subset_limit(const irl_subset *x) {
  return irl_limit_left(&x->limit, irl_subset_work(x));
}

/* ---- which cases ---- */

static uint64_t *new_cases(irl_subset *x) {
  return irl_arena_alloc_aligned(&x->arena, x->merged->data->cases.stride, sizeof(uint64_t));
}

/* What the best rule covers and misses. */
bool irl_subset_look_at_rule(irl_subset *x) {
  const irl_search *search = x->search;
  const irl_data *data = x->merged->data;
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t words = data->cases.stride;
  uint64_t *once = new_cases(x), *twice = new_cases(x), *heavy = x->heavy = new_cases(x);
  uint64_t *controls = irl_arena_alloc_aligned(&x->arena, data->controls.stride, sizeof *controls);
  x->n = search->best.n;
  x->keep = new_cases(x);
  x->missed = new_cases(x);
  if (!once || !twice || !heavy || !controls || !x->keep || !x->missed) return false;
  assert(x->n && x->n <= search->problem->K);
  x->unit = x->merged->weights[0] ? x->merged->common[0] : x->merged->weight[0];
  for (uint32_t i = 0; i < data->n_cases; i++)
    if (!x->merged->weights[0] || x->merged->weights[0][i] >= x->unit) irl_bits_set(heavy, i);
  for (uint32_t k = 0; k < x->n; k++) {
    const uint32_t number = search->best.clauses[k], size = search->pool.sizes[number];
    const uint32_t *literals = irl_clause_set_literals(&search->pool, number);
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
  assert(x->unit > 0 && irl_bits_is_subset(x->missed, heavy, words));
  return true;
}

/* How many cases of clause k are kept. */
static uint32_t n_kept_of(const irl_subset *x, uint32_t level, uint32_t k) {
  const int64_t wanted = (int64_t)level + x->cost[k] / x->unit;
  assert(k < x->n && x->unit > 0 && wanted >= 0);
  return wanted < x->n_single[k] ? (uint32_t)wanted : x->n_single[k];
}

/* Adds n of these cases, spread evenly; n_from: how many there are. */
static void spread_cases(irl_subset *x, const uint64_t *from, uint64_t n_from, uint64_t n) {
  uint64_t seen = 0;
  assert(n <= n_from);
  for (size_t w = 0; n && w < x->merged->data->cases.stride; w++)
    for (uint64_t bits = from[w]; bits; bits &= bits - 1, seen++)
      if ((seen + 1) * n / n_from > seen * n / n_from) x->keep[w] |= bits & -bits;
}

/* The kept cases: one in so many, or those that the best rule misses and some of each clause. */
void irl_subset_choose_cases(irl_subset *x, irl_subset_plan *p) {
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
 * paid and so many clauses left (rule_list.c); 0: none. */
int64_t irl_subset_threshold(const irl_subset *x, const irl_subset_plan *p, int64_t uncovered,
                             int64_t paid, int64_t left) {
  const int64_t gain = x->unit * uncovered + paid - (p->target - 1), part = 2 * left * x->unit;
  assert(left > 0 && uncovered >= 0 && paid >= 0);
  const int64_t twice = 2 * gain - (p->is_priced ? paid : 0);
  return twice <= 0 ? 0 : (twice + part - 1) / part;
}

/* Kept cases that clauses i and j cover. */
static int64_t n_kept_in(const irl_subset *x, uint32_t i, uint32_t j) {
  int64_t n = 0;
  for (size_t w = 0; w < x->merged->data->cases.stride; w++)
    n += __builtin_popcountll(x->keep[w] & (x->cover[i][w] | x->cover[j][w]));
  return n;
}

/* The threshold of the list: that of the root, and of the nodes with one or two clauses of the best
 * rule if many more are to follow. Nodes below it list clauses by themselves. */
static uint32_t choose_least(const irl_subset *x, const irl_subset_plan *p) {
  const int64_t K = x->search->problem->K;
  int64_t least = irl_subset_threshold(x, p, p->n_kept, 0, K);
  for (uint32_t i = 0; i < x->n && K > 3; i++)
    for (uint32_t j = i; j < x->n; j++) {
      const int64_t n = n_kept_in(x, i, j), paid = x->cost[i] + (j > i ? x->cost[j] : 0);
      const int64_t left = K - (j > i ? 2 : 1);
      const int64_t here = irl_subset_threshold(x, p, p->n_kept - n, paid, left);
      if (paid < p->target && left > 2 && here > 0 && here < least) least = here;
    }
  return least > 0 ? (uint32_t)least : 0;
}

/* ---- the list ---- */

/* A model over the kept cases and all controls. */
irl_status irl_subset_make_model(const irl_subset *x, const irl_subset_plan *p,
                                 irl_clause_problem *problem, irl_clause_model *model) {
  const irl_problem *whole = x->search->problem;
  irl_clause_problem_init(problem, x->merged->data);
  problem->live_cases = x->keep;
  problem->case_weight = 2 * (int64_t)whole->K * x->unit;
  problem->control_weight = x->merged->weight[1];
  problem->budget = IRL_CLAUSE_NO_LIMIT;
  problem->min_cases = p->least;
  problem->max_size = whole->M;
  problem->negations = whole->negations;
  problem->groups = whole->data->groups;
  problem->keeps_all = true;
  const irl_status status = irl_clause_model_init(x->search->env, model, problem);
  if (!status) x->search->work += model->work;
  return status;
}

static uint32_t max_controls(const irl_subset *x, int64_t target) {
  assert(target > 0 && x->merged->weight[1] > 0);
  const uint64_t most = (uint64_t)(target - 1) / (uint64_t)x->merged->weight[1];
  const uint32_t n_controls = x->merged->data->n_controls;
  return most < n_controls ? (uint32_t)most : n_controls;
}

/* A random triple covers an eighth of the controls. Where that is not far beyond what a rule may
 * cover, the number of controls alone says little about a clause, so that they are given a price.
 */
bool irl_subset_needs_price(const irl_subset *x, int64_t target) {
  return 16 * (uint64_t)max_controls(x, target) >= x->merged->data->n_controls;
}

irl_clause_thresholds irl_subset_thresholds(const irl_subset *x, const irl_subset_plan *p) {
  const int64_t factor = 2 * (int64_t)x->search->problem->K * x->unit;
  return (irl_clause_thresholds){.min_cases = p->least,
                                 .max_controls = max_controls(x, p->target),
                                 .min_value = p->is_priced ? factor * ((int64_t)p->least - 1) + 1
                                                           : IRL_CLAUSE_ANY_VALUE};
}

/* What a plan with that threshold would take, in p; its cases are chosen. */
irl_status irl_subset_estimate_list(irl_subset *x, irl_subset_plan *p) {
  irl_search *search = x->search;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_covering_estimate e = {0};
  const irl_limit part = irl_subset_limit(x);
  p->work = INFINITY;
  if (!p->least) return IRL_STATUS_OK;
  irl_status status = irl_subset_make_model(x, p, &problem, &model);
  if (status) return status;
  const irl_clause_thresholds thresholds = irl_subset_thresholds(x, p);
  const uint64_t words = (uint64_t)model.root.set.n * model.root.case_words + 1;
  const irl_tuning *tuning = &search->settings.tuning;
  const uint64_t pairs = tuning->pair_work / words, most = tuning->pairs, least = most / 16;
  const uint32_t n_sampled = (uint32_t)(pairs < least ? least : pairs > most ? most : pairs);
  status = irl_clause_estimate_covering(
      &(irl_clause_search){search->env, &model, &part, search->settings.threads, &search->work},
      &thresholds, n_sampled, &e);
  /* A long list has many children of the root, each of which scans a part of it. */
  const double nodes = (double)((uint64_t)1 << (search->problem->K < 10 ? search->problem->K : 10));
  p->work = e.work + nodes * e.clauses * (double)x->merged->data->cases.stride +
            e.clauses * e.clauses * (p->n_kept / 64 + 1) / (double)tuning->scanned;
  p->n_expected = e.clauses;
  p->n_triples = e.triples;
  if (e.clauses > (double)x->cap) p->work = INFINITY;
  irl_clause_model_free(&model);
  return status;
}

double irl_subset_long_work(const irl_subset *x) {
  return 4 * (double)x->search->settings.tuning.prove;
}

/* What the plan would take, in p. */
irl_status irl_subset_estimate(irl_subset *x, irl_subset_plan *p) {
  irl_subset_choose_cases(x, p);
  p->least = p->n_kept <= IRL_COVERING_MAX_CASES ? choose_least(x, p) : 0;
  irl_status status = irl_subset_estimate_list(x, p);
  if (status || !p->is_priced || p->work < irl_subset_long_work(x)) return status;
  /* With a price nodes where controls are paid ask for fewer cases, which may be too few; the list
   * is then longer, and more nodes list clauses by themselves. */
  irl_subset_plan plain = *p;
  plain.is_priced = false;
  plain.least = p->n_kept <= IRL_COVERING_MAX_CASES ? choose_least(x, &plain) : 0;
  status = irl_subset_estimate_list(x, &plain);
  if (plain.work < p->work) *p = plain;
  return status;
}

/* The cheapest plan for a target. */
irl_status irl_subset_make_plan(irl_subset *x, int64_t target, irl_subset_plan *best) {
  uint32_t most = 0;
  irl_status status = IRL_STATUS_OK;
  for (uint32_t k = 0; k < x->n; k++) {
    const int64_t level = x->n_single[k] - x->cost[k] / x->unit;
    if (level > (int64_t)most) most = (uint32_t)level;
  }
  static const uint32_t every[] = {1, 2, 3, 4, 6, 8, 12, 16};
  *best = (irl_subset_plan){.target = target, .level = most, .work = INFINITY};
  for (uint32_t level = most; level && !status; level = (uint32_t)((uint64_t)level * 3 / 4)) {
    irl_subset_plan p = {
        .target = target, .level = level, .is_priced = irl_subset_needs_price(x, target)};
    if (irl_limit_poll(&x->limit)) break;
    status = irl_subset_estimate(x, &p);
    if (p.work < best->work || best->level == most) *best = p;
    if (p.work > 4 * best->work && best->work < INFINITY) break; /* it only gets worse */
  }
  /* A proof that is an extra begins only what is short. */
  const bool is_wanted = x->search->settings.prove;
  for (size_t i = 0; is_wanted && i < sizeof every / sizeof *every && !status; i++) {
    irl_subset_plan p = {
        .target = target, .every = every[i], .is_priced = irl_subset_needs_price(x, target)};
    if (best->work < (double)x->search->settings.tuning.prove || irl_limit_poll(&x->limit)) break;
    status = irl_subset_estimate(x, &p);
    if (i && p.work > 4 * best->work) break;
    if (p.work < best->work) *best = p;
  }
  return status;
}

/* Does the target raise the bound? */
bool irl_subset_is_above(const irl_subset *x, int64_t target) {
  return target > 0 && irl_merged_loss(x->merged, target) > x->search->proof.bound;
}

/* Does the plan raise the bound, within the work that is left? */
bool irl_subset_is_worth(const irl_subset *x, const irl_subset_plan *p) {
  return irl_subset_is_above(x, p->target) && p->work <= (double)irl_subset_limit(x).max_work;
}
