/* Proof by ranges of budgets, where all clauses are too many for one list.
 *
 * A rule of loss below the target t covers controls of some weight B, at most t - 1, and none of
 * its clauses covers more. So each range of B is a question of its own, in which only clauses that
 * cover at most the greatest B count, and all of the least B is paid.
 *
 * Lemma 11 (method.md). Give the cases prices q_i, integers with u q_i <= P w_i for a unit u and P
 * parts, let v(c) be the sum of the prices of the cases of c, and X = P (t - 1 - B) / u, rounded
 * down, for the least B of the range. Then the v of the clauses of a rule of the range sum up to T
 * = (sum of all q_i) - X or more. If no clause of the range has v above m >= 0 and K m < T, there
 * is no such rule; otherwise each of its clauses has v of T - (K - 1) m or more.
 *
 * Prices are found by a subgradient method with a softened maximum over known clauses: a step up
 * for all cases, and down for those that the clauses of largest worth cover, which share K by the
 * exponential of their worth. An LP over the known clauses was tried instead: its prices, a vertex,
 * are good for the known clauses and bad for all others. Then the clause engine lists the clauses
 * that are worth more than all known ones, which become known, until there are none. What is left
 * of the range is a bound, and a list that is far shorter than that of all clauses within the
 * budget; the best choice from it closes the range. Ranges that do not close are split in two as
 * long as they are wide. */
#include "base/arena.h"
#include "base/memory.h"
#include "clause/enumerate.h"
#include "prove/proof_choice.h"
#include "prove/proof_enumerate.h"
#include "prove/prove_effort.h"
#include "prove/ranked.h"
#include <math.h>

#define PARTS         15   /* P: prices have four binary digits where cases weigh the same */
#define N_PLANES      63u  /* binary digits of a price, at most */
#define FIRST_STEP    0.1  /* of the most that a case may be worth */
#define SOFTMAX_WIDTH 0.02 /* of the largest worth: e times less weight for so much less */
#define ROOM          (4 * IRL_PROVE_MAX_RANGES)
#define NEGLIGIBLE    1e-3 /* share of a clause that does not matter */

typedef struct range {
  int64_t least, most; /* controls */
  int64_t bound;       /* no rule of the range has less loss */
  bool is_priced;      /* by prices of its own */
} range;

typedef struct irl_proof_ranges prover;

struct irl_proof_ranges {
  irl_search *search;
  const irl_merged *merged;
  irl_limit limit;
  uint64_t start; /* work of the search before */
  int64_t cutoff, target;
  int64_t whole; /* the first target */
  int64_t unit;  /* u */
  irl_arena arena;
  irl_clause_set known; /* data NULL: none */
  irl_clause_array found;
  range *ranges;
  uint32_t n_ranges;
  /* Prices, by case: the most, now, on the way, the best. */
  int64_t *most, *prices, *best;
  double *worth, *direction;
  uint64_t *planes;
  uint32_t n_planes;
};

static irl_limit limit_left(const prover *p) {
  return irl_limit_left(&p->limit, p->search->work - p->start);
}

static bool is_cut(const prover *p) {
  return irl_limit_reached(&p->limit, p->search->work - p->start);
}

static int64_t sum_of(const prover *p, const int64_t *prices) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < p->merged->data->n_cases; i++) sum += prices[i];
  return sum;
}

/* T: what the values of a better rule of the range sum up to, at least. */
static int64_t needed(const prover *p, const range *r, int64_t sum) {
  assert(r->least <= r->most && r->most < p->target);
  return sum - PARTS * (p->target - 1 - r->least) / p->unit;
}

/* ---- prices ---- */

/* Whole prices and their binary digits. */
static int64_t round_prices(prover *p) {
  const size_t words = p->merged->data->cases.stride;
  int64_t sum = 0;
  memset(p->planes, 0, p->n_planes * words * sizeof *p->planes);
  for (uint32_t i = 0; i < p->merged->data->n_cases; i++) {
    const int64_t price = (int64_t)(p->worth[i] + 0.5);
    p->prices[i] = price < 0 ? 0 : price > p->most[i] ? p->most[i] : price;
    sum += p->prices[i];
    assert(p->prices[i] >= 0 && p->prices[i] <= p->most[i]);
    for (uint32_t t = 0; p->prices[i] >> t; t++)
      p->planes[t * words + i / 64] |= (uint64_t)(p->prices[i] >> t & 1) << i % 64;
  }
  return sum;
}

/* The known clauses that the range allows. */
static uint32_t list_known(prover *p, const range *r, uint32_t *ids) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < p->known.n; k++)
    if (irl_merged_weigh(p->merged, 1, irl_bits_vector(&p->known.controls, k)) <= r->most)
      ids[n++] = k;
  p->search->work += p->known.n * p->known.controls.stride;
  return n;
}

/* One step: up, but down where the clauses that are worth most share their K. */
static void step(prover *p, const uint32_t *ids, const int64_t *values, uint32_t n, double length) {
  const size_t words = p->merged->data->cases.stride;
  const uint32_t n_cases = p->merged->data->n_cases;
  double largest = 0, weights = 0;
  for (uint32_t i = 0; i < n; i++) largest = fmax(largest, (double)values[i]);
  const double width = SOFTMAX_WIDTH * largest + 1;
  for (uint32_t i = 0; i < n; i++) weights += exp(((double)values[i] - largest) / width);
  for (uint32_t i = 0; i < n_cases; i++) p->direction[i] = 1;
  for (uint32_t i = 0; i < n; i++) {
    const double share =
        p->search->problem->K * exp(((double)values[i] - largest) / width) / weights;
    if (share < NEGLIGIBLE) continue;
    const uint64_t *cover = irl_bits_vector(&p->known.cases, ids[i]);
    for (size_t w = 0; w < words; w++)
      for (uint64_t left = cover[w]; left; left &= left - 1)
        p->direction[64 * w + (size_t)__builtin_ctzll(left)] -= share;
  }
  for (uint32_t i = 0; i < n_cases; i++)
    p->worth[i] = fmin(fmax(p->worth[i] + length * p->direction[i], 0), (double)p->most[i]);
  p->search->work += n + n_cases;
}

/* From the best prices to better ones, by the known clauses; returns the largest value of one of
 * them, at least 0. */
static irl_status ascend(prover *p, const range *r, uint32_t n_steps, int64_t *largest) {
  const int64_t K = p->search->problem->K;
  const size_t words = p->merged->data->cases.stride;
  const uint32_t n_cases = p->merged->data->n_cases;
  irl_arena arena;
  irl_arena_init(&arena, &p->search->env->allocator);
  uint32_t *ids = irl_arena_alloc(&arena, p->known.n + 1, sizeof *ids);
  int64_t *values = irl_arena_alloc(&arena, p->known.n + 1, sizeof *values);
  const bool is_ready = ids && values;
  const uint32_t n = is_ready ? list_known(p, r, ids) : 0;
  int64_t best = INT64_MIN;
  for (uint32_t i = 0; i < n_cases; i++) p->worth[i] = (double)p->best[i];
  for (uint32_t t = 0; is_ready && t < n_steps && !is_cut(p); t++) {
    const int64_t sum = round_prices(p);
    int64_t most = 0;
    irl_bits_kernels()->and_weigh_many(p->planes, p->n_planes, p->known.cases.words,
                                       p->known.cases.stride, ids, n, words, values);
    p->search->work += (uint64_t)n * words * p->n_planes;
    for (uint32_t i = 0; i < n; i++) most = values[i] > most ? values[i] : most;
    if (sum - K * most > best) {
      best = sum - K * most;
      *largest = most;
      memcpy(p->best, p->prices, n_cases * sizeof *p->best);
    }
    step(p, ids, values, n, PARTS * FIRST_STEP / sqrt(1.0 + t));
  }
  irl_arena_free(&arena);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(p->search->env);
}

/* ---- listing ---- */

/* All clauses of the range that are worth so much, by the best prices. */
static irl_status list_clauses(prover *p, const range *r, int64_t least_value, size_t cap,
                               bool *is_complete) {
  irl_search *search = p->search;
  const irl_data *data = p->merged->data;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_problem_init(&problem, data);
  problem.case_weights = p->best;
  problem.control_weight = 0;
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_size = search->problem->M;
  problem.negations = search->problem->negations;
  problem.groups = search->problem->data->groups;
  problem.keeps_all = irl_problem_counts_literals(search->problem);
  assert(p->merged->weight[1] > 0); /* the least of a control */
  const int64_t controls = r->most / p->merged->weight[1];
  const irl_clause_thresholds thresholds = {
      .min_cases = 1,
      .max_controls = controls < data->n_controls ? (uint32_t)controls : data->n_controls,
      .min_value = least_value > 0 ? least_value : 0};
  const irl_limit part = limit_left(p);
  p->found.n = 0;
  irl_status status = irl_clause_model_init(search->env, &model, &problem);
  if (status) return status;
  model.is_shared = data->copy_id;
  status = irl_clause_enumerate_all(
      &(irl_clause_search){search->env, &model, &part, search->settings.threads, &search->work},
      &thresholds, cap, &p->found, is_complete);
  irl_clause_model_free(&model);
  return status;
}

/* The found clauses that are worth most become known; controls may weigh more than the least, so
 * some of them may not belong to the range. *n_new: those that do. */
static irl_status learn_found(prover *p, const range *r, uint32_t *n_new) {
  const size_t n = p->found.n;
  irl_ranked *order = irl_mem_alloc(&p->search->env->allocator, n, sizeof *order);
  if (!order) return irl_fail_memory(p->search->env);
  irl_status status = IRL_STATUS_OK;
  *n_new = 0;
  for (size_t i = 0; i < n; i++) order[i] = (irl_ranked){p->found.values[i], i};
  irl_ranked_sort(order, n);
  for (size_t i = 0; i < n && *n_new < p->search->settings.tuning.learnt && !status; i++) {
    irl_clause clause;
    uint32_t number = 0;
    irl_clause_array_get(&p->found, order[i].i, &clause);
    status =
        irl_clause_set_add(p->search->env, &p->known, clause.literals, clause.n, &number, NULL);
    if (!status)
      *n_new +=
          irl_merged_weigh(p->merged, 1, irl_bits_vector(&p->known.controls, number)) <= r->most;
  }
  p->search->work += n * (p->known.cases.stride + p->known.controls.stride);
  irl_mem_free(&p->search->env->allocator, order);
  return status;
}

/* ---- ranges ---- */

/* The bound of a range: prices by known clauses, then all that are worth more, until there are
 * none. *most: no clause is worth more; -1: that was not found out. */
static irl_status bound_range(prover *p, range *r, int64_t *most) {
  const int64_t K = p->search->problem->K;
  irl_status status = IRL_STATUS_OK;
  *most = -1;
  r->is_priced = true;
  for (uint32_t round = 0; round < IRL_PROVE_RANGE_ROUNDS && !status && !is_cut(p); round++) {
    int64_t largest = 0;
    bool is_complete = false;
    uint32_t n_new = 0;
    status = ascend(p, r, IRL_PROVE_RANGE_STEPS, &largest);
    if (status || is_cut(p)) break;
    const int64_t sum = sum_of(p, p->best), T = needed(p, r, sum);
    /* No clause at this value or above: the bound holds. */
    const int64_t share = T > 0 ? (T + K - 1) / K : 0;
    const int64_t value = share > largest ? share : largest + 1;
    status = list_clauses(p, r, value, IRL_PROVE_RANGE_PRICED, &is_complete);
    if (!status && p->found.n) status = learn_found(p, r, &n_new);
    if (status || n_new) continue;
    if (!is_complete) break;
    const int64_t worth = p->unit * (sum - K * (value - 1));
    const int64_t bound = r->least + (worth > 0 ? (worth + PARTS - 1) / PARTS : 0);
    assert(K * (value - 1) >= T || bound >= p->target);
    *most = value - 1;
    assert(*most >= 0 && r->bound >= 0);
    if (bound > r->bound) r->bound = bound;
    break;
  }
  return status;
}

/* What a range has above the middle becomes one of its own. */
static void split(prover *p, range *r, int64_t middle) {
  assert(p->n_ranges < ROOM && r->least <= middle && middle < r->most);
  p->ranges[p->n_ranges++] =
      (range){middle + 1, r->most, r->bound > middle + 1 ? r->bound : middle + 1, false};
  r->most = middle;
  r->is_priced = false;
}

/* The rules of a range that is open: from the list of its clauses the best choice. */
static irl_status close_range(prover *p, range *r, irl_proof_enumeration *task) {
  const int64_t K = p->search->problem->K;
  bool is_complete = false;
  int64_t most = -1;
  irl_status status = bound_range(p, r, &most);
  if (status || r->bound >= p->target || is_cut(p)) return status;
  const int64_t T = needed(p, r, sum_of(p, p->best));
  status = list_clauses(p, r, most < 0 ? 0 : T - (K - 1) * most, task->cap, &is_complete);
  task->is_full = !is_complete && p->found.n >= task->cap;
  if (status || !is_complete) return status;
  irl_proof_choice choice = {.limit = limit_left(p),
                             .cutoff = p->cutoff,
                             .target = p->target,
                             .least_controls = r->least,
                             .most_controls = r->most,
                             .trial_work = task->trial_work};
  status = irl_proof_choose(p->search, &p->found, &choice);
  if (status) return status;
  task->work_left = choice.work_left;
  const int64_t bound = irl_merged_target(p->merged, choice.bound);
  if (bound > r->bound) r->bound = bound;
  return status;
}

/* The range of the least bound. */
static range *hardest(const prover *p) {
  range *least = &p->ranges[0];
  for (uint32_t i = 1; i < p->n_ranges; i++)
    if (p->ranges[i].bound < least->bound) least = &p->ranges[i];
  return least;
}

/* Bounds and splits the hardest range until there is none below the target, or it is narrow: then
 * it is given back. */
static irl_status find_hardest(prover *p, range **out) {
  const int64_t narrow = (p->whole + IRL_PROVE_MAX_RANGES - 1) / IRL_PROVE_MAX_RANGES;
  irl_status status = IRL_STATUS_OK;
  *out = NULL;
  while (!status && !is_cut(p)) {
    range *r = hardest(p);
    int64_t most;
    if (r->bound >= p->target) return IRL_STATUS_OK;
    if (r->most >= p->target) { /* what is beyond is closed, for now */
      if (p->n_ranges == ROOM) return IRL_STATUS_OK;
      split(p, r, p->target - 1);
    }
    if (!r->is_priced)
      status = bound_range(p, r, &most);
    else if (r->most - r->least >= narrow && p->n_ranges < 2 * IRL_PROVE_MAX_RANGES)
      split(p, r, r->least + (r->most - r->least) / 2);
    else {
      *out = r;
      return IRL_STATUS_OK;
    }
  }
  return status;
}

/* ---- the whole ---- */

static irl_status init(prover *p) {
  const irl_data *data = p->merged->data;
  const size_t n = data->n_cases + 1;
  p->ranges = irl_arena_alloc(&p->arena, ROOM, sizeof *p->ranges);
  p->most = irl_arena_alloc(&p->arena, n, sizeof *p->most);
  p->prices = irl_arena_alloc(&p->arena, n, sizeof *p->prices);
  p->best = irl_arena_alloc(&p->arena, n, sizeof *p->best);
  p->worth = irl_arena_alloc(&p->arena, n, sizeof *p->worth);
  p->direction = irl_arena_alloc(&p->arena, n, sizeof *p->direction);
  if (!p->ranges || !p->most || !p->prices || !p->best || !p->worth || !p->direction)
    return irl_fail_memory(p->search->env);
  p->unit = p->merged->common[0] > 0 ? p->merged->common[0] : 1; /* there may be no case */
  int64_t most = 1;
  for (uint32_t i = 0; i < data->n_cases; i++) {
    const int64_t weight = p->merged->weights[0] ? p->merged->weights[0][i] : p->merged->weight[0];
    p->most[i] = PARTS * weight / p->unit;
    p->best[i] = p->most[i];
    if (p->most[i] > most) most = p->most[i];
  }
  while (most >> p->n_planes) p->n_planes++;
  assert(p->n_planes <= N_PLANES);
  p->planes =
      irl_arena_alloc_aligned(&p->arena, p->n_planes * data->cases.stride, sizeof *p->planes);
  if (!p->planes) return irl_fail_memory(p->search->env);
  irl_clause_set_init(&p->known, data, p->search->pool.max_size);
  return irl_clause_set_add_all(p->search->env, &p->known, &p->search->pool);
}

void irl_proof_ranges_free(irl_proof_ranges *p) {
  if (!p) return;
  const irl_allocator allocator = p->search->env->allocator;
  if (p->known.data) irl_clause_set_free(&p->known);
  irl_clause_array_free(&p->found);
  irl_arena_free(&p->arena);
  irl_mem_free(&allocator, p);
}

/* What is looked for from now on, and with how much work. */
static void aim(prover *p, const irl_limit *limit, int64_t target) {
  p->limit = *limit;
  p->start = p->search->work;
  p->cutoff = target;
  p->target = irl_merged_target(p->merged, target);
}

irl_status irl_proof_ranges_create(irl_search *search, irl_proof_ranges **out) {
  prover *p = irl_mem_alloc(&search->env->allocator, 1, sizeof *p);
  if (!p) return irl_fail_memory(search->env);
  assert(irl_problem_is_simple(search->problem));
  *p = (prover){.search = search, .merged = &search->problem->merged};
  irl_arena_init(&p->arena, &search->env->allocator);
  irl_clause_array_init(&p->found, &search->env->allocator, search->problem->M);
  aim(p, &search->limit, irl_search_target(search));
  irl_status status = init(p);
  p->whole = p->target;
  if (!status && p->target) p->ranges[p->n_ranges++] = (range){0, p->target - 1, 0, false};
  if (status)
    irl_proof_ranges_free(p);
  else
    *out = p;
  return status;
}

static int64_t bound_of(const prover *p) {
  return p->n_ranges ? irl_merged_loss(p->merged, hardest(p)->bound) : p->merged->offset;
}

irl_status irl_proof_ranges_raise(irl_proof_ranges *p, const irl_limit *limit,
                                  irl_proof_enumeration *task) {
  irl_search *search = p->search;
  const int64_t target = task->cutoff ? task->cutoff : irl_search_target(search);
  const int64_t before = search->best.loss;
  irl_status status = IRL_STATUS_OK;
  task->is_full = task->is_done = false;
  task->work_left = 0;
  task->evidence = (irl_proof_evidence){.target = -1};
  aim(p, limit, target);
  /* The hardest first: what is left open ends it. */
  while (!status && p->n_ranges && !is_cut(p) && search->best.loss == before) {
    range *r;
    status = find_hardest(p, &r);
    if (status || !r || task->is_bound_only) break;
    status = close_range(p, r, task);
    if (r->bound < p->target) break;
  }
  const int64_t bound = bound_of(p);
  task->is_done = search->best.loss < before || bound >= target;
  task->bound = bound < target ? bound : task->cutoff ? target : IRL_NO_LOSS;
  if (bound >= target && !task->cutoff)
    task->evidence = (irl_proof_evidence){.way = IRL_PROOF_BY_ENUMERATION, .target = target};
  return status;
}
