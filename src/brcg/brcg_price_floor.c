/* Bounds where exact pricing at the LP's solution does not end.
 *
 * Every point of the dual gives a bound (brcg_price.c), and the higher the price rho of complexity
 * is, the sooner a search for clauses that are worth more than rho (1 + literals) is over, since
 * fewer sets of literals cover cases of so much worth. So the price is held above that of the LP's
 * solution, as in the boxstep method (Marsten, Hogan, Blankenship 1975), and lowered from proof to
 * proof: a price that is too high by d costs the bound at most d times the complexity that the LP's
 * solution leaves unused at that price (src/doc/method.md).
 *
 * The LP sees a price that is lower by a margin than that of the proof: clauses that nobody has met
 * yet may then be worth somewhat more than those that were met, and the proof holds all the same.
 * Case worths are multiples of a small part of a control's, since planes of bits cost time. A proof
 * takes a power of the price, some 5 on credit data; the next price is the one whose proof would
 * take a part of the work that is left. */
#include "brcg/brcg.h"
#include "state/effort.h"
#include <math.h>

#define MARGIN     0.8  /* the LP's price as a part of the proof's */
#define UNITS      7    /* of a control: three planes */
#define ROUNDS     30u  /* of the master at one price */
#define POWER      5.5  /* of 1 / price that a proof takes */
#define SHARE      0.75 /* of the work that is left, for the next proof */
#define LEAST_STEP 0.95 /* of the price; more of it is not worth a proof, */
#define MOST_STEP  0.5  /* and less is too far from what was seen */
/* The first price: so much of what the best clause is worth if every case counts in full. */
#define FIRST_PRICE 0.125

/* Columns by beams at the price until they bring none that the master violates. */
static irl_status fill_master(irl_brcg *cg) {
  size_t n_added;
  irl_status status = irl_brcg_solve(cg, &n_added);
  for (uint32_t round = 0; round < ROUNDS && !status && cg->learner->work < cg->end; round++) {
    const bool is_wide = round % 2;
    if (cg->is_stuck || irl_learner_is_done(cg->learner)) break;
    status =
        irl_brcg_generate_at(cg, &cg->now, (is_wide ? IRL_EFFORT_WIDE_RATIO : 1) * cg->beam_work);
    if (!status) status = irl_brcg_solve(cg, &n_added);
    if (!n_added && is_wide) break;
  }
  assert(status || cg->now.complexity >= 0);
  return status;
}

/* An exact search with the worths of the LP at a price; its bound is taken, whatever it is.
 * *is_proven: no clause is worth more than it costs. */
static irl_status prove_at(irl_brcg *cg, double price, bool *is_proven) {
  irl_brcg_point *trial = &cg->trial;
  const uint64_t used = cg->learner->work;
  bool has_ended;
  assert(price >= cg->now.complexity && cg->end > used);
  memcpy(trial->worth, cg->now.worth, cg->n_groups * sizeof *trial->worth);
  trial->clause = cg->now.clause;
  trial->literal = cg->now.literal;
  trial->complexity = price;
  irl_brcg_set_prices(cg, trial, irl_brcg_unit(cg, UNITS));
  const irl_status status = irl_brcg_price_best(cg, cg->end - used, &has_ended);
  *is_proven = !status && has_ended && cg->last_best <= cg->prices.clause + cg->prices.complexity;
  return status;
}

/* What the best clause is worth, of those that were met, if every case counts in full. */
static double best_value(irl_brcg *cg) {
  irl_brcg_point *trial = &cg->trial;
  for (uint32_t g = 0; g < cg->n_groups; g++) trial->worth[g] = irl_brcg_most(cg, g);
  trial->clause = trial->complexity = trial->literal = 0;
  irl_brcg_set_prices(cg, trial, irl_brcg_unit(cg, UNITS));
  const int64_t best = irl_brcg_best_of_pool(cg);
  return best > 0 ? (double)best / (double)cg->prices.control : 0;
}

/* The next price as a part of the last one, whose proof took so much work. */
static double next_step(const irl_brcg *cg, uint64_t work) {
  const double left = cg->end > cg->learner->work ? (double)(cg->end - cg->learner->work) : 0;
  const double step = pow(SHARE * left / ((double)work + 1) + 1e-9, -1 / POWER);
  assert(step > 0);
  return step < MOST_STEP ? MOST_STEP : step;
}

irl_status irl_brcg_lower_price(irl_brcg *cg, uint64_t max_work) {
  irl_learner *learner = cg->learner;
  /* Below the LP's own price, or what integers can say, there is nothing to be won. */
  const double last = fmax(cg->now.complexity, 1.0 / (double)irl_brcg_unit(cg, UNITS));
  double price = FIRST_PRICE * best_value(cg);
  bool is_proven;
  irl_status status = IRL_STATUS_OK;
  assert(cg->max_complexity != UINT64_MAX && cg->beam_work);
  cg->end = max_work < UINT64_MAX - learner->work ? learner->work + max_work : UINT64_MAX;
  while (!status && price > last) {
    irl_brcg_set_price_floor(cg, MARGIN * price);
    cg->center_value = -INFINITY;
    status = fill_master(cg);
    if (status || cg->is_stuck || learner->work >= cg->end || irl_learner_is_done(learner) ||
        cg->now.complexity > price)
      break;
    const uint64_t before = learner->work;
    status = prove_at(cg, price, &is_proven);
    irl_proof_raise(&learner->proof, cg->bound, learner->best.loss);
    if (!status) irl_learner_log(learner, "price", UINT64_MAX);
    const double step = is_proven ? next_step(cg, learner->work - before) : 1;
    if (is_proven && step > LEAST_STEP) break;
    price *= step;
  }
  /* Of all this the clauses and the bound stay; the master goes on without a floor. */
  irl_brcg_set_price_floor(cg, 0);
  cg->center_value = -INFINITY;
  cg->level = -1;
  cg->was_proven = cg->is_solved = false;
  return status;
}
