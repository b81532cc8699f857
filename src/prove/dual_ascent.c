/* Dual ascent: a bound on the weighted error by multipliers of the cases.
 *
 * A control is paid once however many of at most K clauses cover it, so
 *
 *   K * error  >=  K * case_weight * (uncovered cases) + control_weight * (covers of controls),
 *
 * and the right side is a Hamming loss. Its LP over all clauses (brcg.h) has one dual variable for
 * each case, here called its price: for any prices between 0 and K * case_weight
 *
 *   bound = (sum of the prices) - K * max over clauses of (prices covered - controls covered),
 *
 * which the clause engine computes exactly. Clauses that cover more controls than a better rule may
 * pay for do not count: the bound is that or the best loss.
 *
 * Good prices make all clauses of a good rule worth the same, so that none of them is charged for
 * another. The first ones are made so from the incumbent: cases that several of its clauses cover
 * have price 0, and those that only one covers so much less that each clause is worth as much as
 * the least. That alone gives the uncovered cases and 1/K of the covered controls, if no other
 * clause is worth more.
 *
 * The ascent is a subgradient method with a softened maximum: a step up for all cases, and down for
 * those that the clauses of largest worth cover, which share K by the exponential of their worth.
 * After some hundred steps, which only look at known clauses, the clause engine enumerates those
 * that are worth more, and so on until there are none. An LP over the known clauses was tried
 * instead: its prices, a vertex, are good for the known clauses and bad for all others, and it took
 * five times as many enumerations to get as far.
 *
 * Clauses that are met here are kept apart from the search's pool. */
#include "base/arena.h"
#include "base/memory.h"
#include "brcg/brcg.h"
#include "prove/prove.h"
#include "prove/prove_effort.h"
#include <math.h>

#define UNIT              ((int64_t)1 << 4) /* for a control: few bits, which make the search fast */
#define STEP              0.1               /* the first, of what a case costs */
#define SOFTMAX_WIDTH     0.02 /* of the largest worth: e times less weight for so much less */
#define BITS_A_WORD       4u   /* cases of a clause that take as long as a word of a search */
#define NEGLIGIBLE_WEIGHT 1e-4 /* weight that does not matter */

/* ---- prices ---- */

/* Prices at which the clauses of the best rule are worth the same, if that is anything: of the
 * cases that only one of them covers. `which` has room for a number for each group. */
static void set_first_prices(const irl_brcg *cg, uint32_t *which, irl_brcg_point *point) {
  enum { NONE = IRL_MAX_K, SHARED };
  const irl_search_rule *best = &cg->search->best;
  double worth[IRL_MAX_K] = {0}, controls[IRL_MAX_K], least = INFINITY;
  for (uint32_t g = 0; g < cg->n_groups; g++) which[g] = NONE;
  for (uint32_t i = 0; i < best->n; i++) {
    const uint64_t *cover = irl_bits_vector(&cg->pool->cases, best->clauses[i]);
    for (uint32_t g = 0; g < cg->n_groups; g++)
      if (irl_bits_get(cover, cg->first[g])) which[g] = which[g] == NONE ? i : (uint32_t)SHARED;
  }
  for (uint32_t g = 0; g < cg->n_groups; g++) {
    point->worth[g] = which[g] == SHARED ? 0 : irl_brcg_most(cg, g);
    if (which[g] < NONE) worth[which[g]] += point->worth[g];
  }
  for (uint32_t i = 0; i < best->n; i++) {
    controls[i] = (double)irl_brcg_controls(cg, best->clauses[i]);
    least = fmin(least, worth[i] - controls[i]);
  }
  point->clause = best->n ? fmax(least, 0) : 0;
  point->complexity = point->literal = 0; /* as everywhere here: clauses alone have a price */
  for (uint32_t g = 0; g < cg->n_groups; g++) {
    const uint32_t i = which[g];
    if (i < NONE && worth[i] > 0)
      point->worth[g] *= fmin(1, (point->clause + controls[i]) / worth[i]);
  }
}

static bool is_ended(const irl_brcg *cg, int64_t goal) {
  return cg->is_stuck || cg->bound >= goal || cg->search->work >= cg->end ||
         irl_search_is_done(cg->search);
}

/* ---- ascent ---- */

/* From the center to better prices, by the known clauses that cover few enough controls, into the
 * trial. */
static irl_status ascend_on_known(irl_brcg *cg) {
  const size_t words = cg->data->cases.stride;
  const uint32_t n_groups = cg->n_groups;
  irl_arena arena;
  irl_arena_init(&arena, &cg->search->env->allocator);
  uint32_t n = 0, *ids = irl_arena_alloc(&arena, cg->pool->n + 1, sizeof *ids);
  double *controls = irl_arena_alloc(&arena, cg->pool->n + 1, sizeof *controls);
  double *values = irl_arena_alloc(&arena, cg->pool->n + 1, sizeof *values);
  double *direction = irl_arena_alloc(&arena, n_groups, sizeof *direction);
  double *worth = irl_arena_alloc(&arena, n_groups, sizeof *worth);
  const bool is_ready = ids && controls && values && direction && worth;
  for (uint32_t k = 0; is_ready && k < cg->pool->n; k++) {
    const uint64_t covered = irl_brcg_controls(cg, k);
    if (covered > cg->max_controls) continue;
    controls[n] = (double)covered;
    ids[n++] = k;
  }
  if (is_ready) memcpy(worth, cg->center.worth, n_groups * sizeof *worth);
  const double scale = STEP * (double)cg->case_weight / (double)cg->control_weight;
  double best = -INFINITY;
  for (unsigned t = 0; is_ready && t < IRL_PROVE_ASCENT_STEPS && !is_ended(cg, INT64_MAX); t++) {
    double sum = 0, largest = 0, weights = 0;
    cg->search->work += (uint64_t)n * n_groups / BITS_A_WORD + 1;
    /* The value of the prices as far as the pool knows; the best on the way is the trial. */
    for (uint32_t g = 0; g < n_groups; g++) sum += worth[g];
    for (uint32_t i = 0; i < n; i++) {
      const uint64_t *cover = irl_bits_vector(&cg->pool->cases, ids[i]);
      double value = -controls[i];
      for (size_t w = 0; w < words; w++)
        for (uint64_t bits = cover[w] & cg->firsts[w]; bits; bits &= bits - 1)
          value += worth[cg->group_of[64 * w + (size_t)__builtin_ctzll(bits)]];
      values[i] = value;
      largest = fmax(largest, value);
    }
    if (sum - cg->K * largest > best) {
      best = sum - cg->K * largest;
      memcpy(cg->trial.worth, worth, n_groups * sizeof *worth);
    }
    /* Up, but down where the clauses that are worth most share their K. */
    for (uint32_t i = 0; i < n; i++) {
      values[i] = exp((values[i] - largest) / (SOFTMAX_WIDTH * largest + NEGLIGIBLE_WEIGHT));
      weights += values[i];
    }
    assert(!n || weights >= 1 || largest == 0); /* the largest counts in full, if it is positive */
    for (uint32_t g = 0; g < n_groups; g++) direction[g] = 1;
    for (uint32_t i = 0; i < n; i++) {
      const double share = weights > 0 ? cg->K * values[i] / weights : 0; /* all may be far below */
      const uint64_t *cover = irl_bits_vector(&cg->pool->cases, ids[i]);
      if (share < NEGLIGIBLE_WEIGHT) continue;
      for (size_t w = 0; w < words; w++)
        for (uint64_t bits = cover[w] & cg->firsts[w]; bits; bits &= bits - 1)
          direction[cg->group_of[64 * w + (size_t)__builtin_ctzll(bits)]] -= share;
    }
    for (uint32_t g = 0; g < n_groups; g++)
      worth[g] =
          fmin(fmax(worth[g] + scale / sqrt(1.0 + t) * direction[g], 0), irl_brcg_most(cg, g));
  }
  irl_arena_free(&arena);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(cg->search->env);
}

/* ---- rounds ---- */

static uint64_t work_left(const irl_brcg *cg, uint64_t wanted) {
  const uint64_t used = cg->search->work, left = cg->end > used ? cg->end - used : 1;
  return wanted < left ? wanted : left;
}

/* Ascends and enumerates until no clause is worth more than the known ones. */
static irl_status ascend(irl_brcg *cg, int64_t goal, uint64_t max_work) {
  const uint64_t part = max_work / IRL_PROVE_ASCENT_PART;
  irl_brcg_prices *prices = &cg->prices;
  uint32_t *which = irl_mem_alloc(&cg->search->env->allocator, cg->n_groups, sizeof *which);
  irl_status status = which ? IRL_STATUS_OK : irl_fail_memory(cg->search->env);
  bool is_new = true;
  if (which) set_first_prices(cg, which, &cg->center);
  irl_mem_free(&cg->search->env->allocator, which);
  while (!status && is_new && !is_ended(cg, goal)) {
    const size_t before = cg->pool->n;
    bool is_proven = false;
    status = ascend_on_known(cg);
    if (status) break;
    /* The bound at the trial prices: all clauses that are worth more than the best known are
     * enumerated, or if they are too many the best one is found. */
    irl_brcg_set_prices(cg, &cg->trial, irl_brcg_unit(cg, UNIT));
    const int64_t known = irl_brcg_best_of_pool(cg);
    prices->clause = known > 0 ? known : 0;
    status = irl_brcg_price_all(cg, work_left(cg, part), &is_proven);
    if (!status && !is_proven) status = irl_brcg_price_best(cg, work_left(cg, part), &is_proven);
    if (status) break;
    /* The trial becomes the center if its bound, good or not, is better. */
    const double most = cg->last_best > 0 ? (double)cg->last_best : 0;
    assert(prices->control > 0);
    const double value = ((double)prices->sum - most * cg->K) / (double)prices->control;
    if (value > cg->center_value) {
      const irl_brcg_point old = cg->center;
      cg->center_value = value;
      cg->center = cg->trial;
      cg->trial = old;
    }
    assert(cg->pool->n >= before);
    is_new = cg->pool->n > before;
  }
  return status;
}

irl_status irl_prove_dual_ascent(irl_search *search, uint64_t max_work) {
  const irl_problem *problem = search->problem;
  const uint32_t K = irl_brcg_most_clauses(problem);
  const int64_t factor = problem->is_hamming ? 1 : K;
  irl_clause_set pool;
  irl_brcg cg = {0};
  if (!K) return IRL_STATUS_OK;
  irl_clause_set_init(&pool, search->problem->data, search->pool.max_size);
  irl_status status = irl_clause_set_add_all(search->env, &pool, &search->pool);
  assert(status || pool.n == search->pool.n); /* so the incumbent's clauses have their numbers */
  if (!status)
    status =
        irl_brcg_init(&cg, search, &pool, factor * problem->case_weight, problem->control_weight);
  cg.end = max_work < UINT64_MAX - search->work ? search->work + max_work : UINT64_MAX;
  cg.max_controls = (uint64_t)((search->best.loss - 1) / problem->control_weight);
  if (!status) status = ascend(&cg, factor * (search->best.loss - 1) + 1, max_work);
  if (!status) { /* the bound of the Hamming loss is `factor` times that of the error */
    assert(cg.bound >= 0);
    const int64_t loss = search->best.loss;
    const int64_t bound = irl_loss_round_up((cg.bound + factor - 1) / factor, problem->case_weight,
                                            problem->control_weight, cg.n_cases);
    irl_proof_evidence none = {.way = IRL_PROOF_BY_BOUND, .target = -1};
    if (bound < loss)
      irl_proof_raise(&search->proof, bound, loss);
    else
      irl_proof_close(&search->proof, loss, &none, &search->env->allocator);
  }
  irl_brcg_free(&cg);
  irl_clause_set_free(&pool);
  return status;
}
