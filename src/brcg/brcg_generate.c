/* Rounds of column generation. The means of pricing stand in the order of what they cost; the next
 * one is taken when the one before brings no clause that the master violates, and after a success
 * it goes on with the first:
 *
 *   all        all clauses that the master violates, where enumerating takes less than a beam
 *   plain      a narrow beam at the master's solution
 *   smoothed   a narrow beam between the master's solution and the best point so far (Wentges 1997)
 *   short      an exact search that may end early: on small data it is over before a wide beam
 *   wide       a wide beam
 *   exact      an exact search with more and more work
 *
 * Smoothing comes second because it was found to take more rounds as the first means: with sixty
 * clauses per round the solutions do not jump about as they do with one.
 *
 * The LP is solved when an exact search ends without a clause that comes in. Rounds also end when
 * the bound, rounded up to a loss that a rule can have, has reached the LP's value rounded up:
 * solving it to the end would not raise the bound. */
#include "brcg/brcg.h"
#include <math.h>

enum { ALL, PLAIN, SMOOTHED, SHORT, WIDE, EXACT };

#define TOWARDS_CENTER 0.5                /* of the way from the master's solution */
#define COARSE         ((int64_t)1 << 6)  /* units for a control, for a beam */
#define FINE           ((int64_t)1 << 16) /* and for a proof */
#define ROUNDING       1e-7               /* of the LP's value */

/* So much, but no more than is left. */
static uint64_t work_for(const irl_brcg *cg, uint64_t wanted) {
  const uint64_t used = cg->search->work, left = cg->end > used ? cg->end - used : 1;
  return wanted < left ? wanted : left;
}

/* The point of the prices becomes the center if its bound, as far as the pool knows, is better. */
static void move_center(irl_brcg *cg, const irl_brcg_point *point) {
  assert(point != &cg->center && cg->prices.control > 0);
  const irl_brcg_prices *prices = &cg->prices;
  const double best = (double)(irl_brcg_best_of_pool(cg) - prices->complexity);
  double value = (double)prices->sum - (best > 0 ? best : 0) * cg->problem.K;
  if (cg->problem.max_complexity != UINT64_MAX)
    value -= (double)prices->complexity * (double)cg->problem.max_complexity;
  if (cg->problem.max_literals != UINT64_MAX)
    value -= (double)prices->literals * (double)cg->problem.max_literals;
  value /= (double)prices->control;
  if (value <= cg->center_value) return;
  double *worth = cg->center.worth;
  memcpy(worth, point->worth, cg->n_groups * sizeof *worth);
  cg->center = *point;
  cg->center.worth = worth;
  cg->center_value = value;
}

/* Clauses at the prices of a point into the pool, by the heuristic. */
static irl_status generate_at(irl_brcg *cg, const irl_brcg_point *point, uint64_t work) {
  irl_search *search = cg->search;
  const irl_brcg_prices *prices = &cg->prices;
  irl_generated generated;
  irl_brcg_set_prices(cg, point, irl_brcg_unit(cg, COARSE));
  const irl_subproblem subproblem = {.goal = irl_problem_weighted(&cg->problem, 1, prices->control),
                                     .live_cases = prices->live_cases,
                                     .max_work = work_for(cg, work),
                                     .case_weights = prices->worth,
                                     .min_value = prices->clause + prices->complexity + 1,
                                     .literal_weight = prices->literal_weight};
  const uint64_t before = search->work;
  const irl_status status = irl_search_generate(search, &subproblem, &generated);
  cg->last_work = search->work - before;
  if (!status) move_center(cg, point);
  return status;
}

/* All violated clauses, or the best one, at the master's solution. If there are too many to
 * enumerate, a beam finds better ones than the first of them. */
static irl_status price_exactly(irl_brcg *cg, bool takes_all, uint64_t work) {
  irl_brcg_set_prices(cg, &cg->now, irl_brcg_unit(cg, FINE));
  const uint64_t before = cg->search->work;
  const irl_status status = takes_all
                                ? irl_brcg_price_all(cg, work_for(cg, work), &cg->was_proven)
                                : irl_brcg_price_best(cg, work_for(cg, work), &cg->was_proven);
  const uint64_t used = cg->search->work - before;
  cg->enumerates = cg->was_proven &&
                   (takes_all || used / cg->search->settings.tuning.prove_overrun <= cg->last_work);
  if (!status) move_center(cg, &cg->now);
  return status;
}

static irl_status price(irl_brcg *cg) {
  const double share = TOWARDS_CENTER;
  const irl_brcg_point *center = &cg->center, *now = &cg->now;
  irl_brcg_point *trial = &cg->trial;
  const uint64_t growth = cg->search->settings.tuning.column_growth;
  const uint64_t short_work = cg->search->settings.tuning.column_proof * cg->beam_work;
  switch (cg->level) {
  case ALL:
    return price_exactly(cg, true, short_work);
  case PLAIN:
    return generate_at(cg, now, cg->beam_work);
  case SMOOTHED:
    for (uint32_t g = 0; g < cg->n_groups; g++)
      trial->worth[g] = share * center->worth[g] + (1 - share) * now->worth[g];
    trial->clause = share * center->clause + (1 - share) * now->clause;
    trial->complexity = share * center->complexity + (1 - share) * now->complexity;
    trial->literal = share * center->literal + (1 - share) * now->literal;
    return generate_at(cg, trial, cg->beam_work);
  case SHORT:
    return price_exactly(cg, false, short_work > cg->search->work ? short_work : cg->search->work);
  case WIDE:
    return generate_at(cg, now, growth * growth * cg->beam_work);
  default:
    cg->proof_work *= growth;
    return price_exactly(cg, false, cg->proof_work);
  }
}

irl_status irl_brcg_step(irl_brcg *cg, int64_t goal, bool *is_done) {
  size_t n_added;
  if (!cg->beam_work) {
    cg->beam_work = irl_search_pass_work(cg->search, cg->search->settings.tuning.column_beam);
    cg->proof_work = cg->search->settings.tuning.column_proof * cg->beam_work;
    cg->level = ALL - 1;
  }
  irl_status status = irl_brcg_solve(cg, &n_added);
  cg->is_solved = cg->was_proven && !n_added && !cg->is_stuck;
  /* The bound reaches the goal, or cannot grow to something below it any more. */
  const double least = ceil(cg->value - ROUNDING * fabs(cg->value) - ROUNDING);
  const int64_t rounded = irl_loss_round_up((int64_t)least, cg->problem.case_weight,
                                            cg->problem.control_weight, cg->n_cases);
  /* A bound of 0 need not come from the proof, which reduced costs start from. */
  const double lesser =
      (double)(cg->problem.case_weight < cg->problem.control_weight ? cg->problem.case_weight
                                                                    : cg->problem.control_weight);
  const bool is_closed = cg->bound >= goal || (goal < INT64_MAX && cg->proof.control &&
                                               cg->bound >= rounded && cg->lp_bound > -lesser);
  *is_done = cg->is_solved || cg->is_stuck || is_closed || !cg->problem.K ||
             irl_search_is_done(cg->search);
  if (status || *is_done) return status;
  cg->was_proven = false;
  if (n_added) cg->level = ALL - 1;
  if (cg->level < EXACT) cg->level++;
  if (cg->level == ALL && !cg->enumerates) cg->level = PLAIN;
  assert(cg->level >= ALL && cg->level <= EXACT && cg->beam_work > 0);
  return price(cg);
}

irl_status irl_brcg_generate(irl_brcg *cg, int64_t goal, uint64_t max_work) {
  const uint64_t used = cg->search->work;
  bool is_done = false;
  irl_status status = IRL_STATUS_OK;
  cg->end = max_work < UINT64_MAX - used ? used + max_work : UINT64_MAX;
  while (!status && !is_done && cg->search->work < cg->end)
    status = irl_brcg_step(cg, goal, &is_done);
  return status;
}
