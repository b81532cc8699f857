/* Pricing: the clause problem with what the LP says that cases are worth, and the bound that
 * follows.
 *
 * A point (mu, lambda, rho, sigma) becomes integers: a control costs `control` units, a case its
 * worth in such units, rounded. Whatever they are, as long as no group is worth more than it costs
 * to leave it out, every rule satisfies
 *
 *   its loss  >=  sum of worths - K max(0, v - rho) - C rho - L sigma      (in those units)
 *
 * where v bounds worth - controls - (rho + sigma) * literals over all clauses: leaving a group out
 * costs at least its worth, and each of at most K clauses covers at most its controls and
 * literals, v, and so on. So rounding, and a search that was cut and only gives a bound, cost
 * quality, never truth; and where v is exact and the point optimal it is the LP's value. */
#include "brcg/brcg.h"
#include <math.h>

/* Sums of worths times loss weights stay below 2^60, with room for K of them. */
#define LARGEST ((int64_t)1 << 53)

int64_t irl_brcg_unit(const irl_brcg *cg, int64_t wanted) {
  assert(wanted > 0);
  int64_t times = 1; /* that all cases are worth together, as irl_brcg_most allows */
  for (uint32_t g = 0; g < cg->n_groups; g++) times += cg->states[g] == IRL_BRCG_COVERED;
  const int64_t most = LARGEST / (times * cg->case_weight * (int64_t)cg->n_cases +
                                  cg->control_weight * (int64_t)irl_data_total(cg->data, 1));
  return wanted < most ? wanted : most > 1 ? most : 1;
}

void irl_brcg_set_prices(irl_brcg *cg, const irl_brcg_point *point, int64_t control) {
  irl_brcg_prices *prices = &cg->prices;
  const double unit = (double)control;
  assert(control > 0 && point->clause >= 0 && point->complexity >= 0 && point->literal >= 0);
  prices->control = control;
  for (uint32_t i = 0; prices->controls && i < cg->data->n_controls; i++)
    prices->controls[i] = control * cg->data->weights[1].each[i];
  prices->clause = llround(point->clause * unit);
  prices->complexity = llround(point->complexity * unit);
  prices->literals = llround(point->literal * unit);
  prices->literal_weight = prices->complexity + prices->literals;
  prices->sum = 0;
  memset(prices->worth, 0, cg->data->n_cases * sizeof *prices->worth);
  memset(prices->live_cases, 0, cg->data->cases.stride * sizeof *prices->live_cases);
  for (uint32_t g = 0; g < cg->n_groups; g++) {
    if (cg->states[g] == IRL_BRCG_LEFT) continue;
    /* No more than leaving the group out costs, unless it must be covered. */
    const int64_t most = cg->case_weight * cg->weights[g] * control / cg->control_weight;
    int64_t worth = llround(fmin(point->worth[g], irl_brcg_most(cg, g)) * unit);
    if (cg->states[g] == IRL_BRCG_FREE && worth > most) worth = most;
    if (worth <= 0) continue;
    prices->worth[cg->first[g]] = worth;
    irl_bits_set(prices->live_cases, cg->first[g]);
    prices->sum += worth;
  }
}

int64_t irl_brcg_worth(const irl_brcg *cg, uint32_t number) {
  const irl_brcg_prices *prices = &cg->prices;
  const uint64_t *cover = irl_bits_vector(&cg->pool->cases, number);
  const uint64_t controls = irl_brcg_controls(cg, number);
  int64_t sum = 0;
  assert(prices->control > 0);
  for (size_t w = 0; w < cg->data->cases.stride; w++)
    for (uint64_t bits = cover[w] & prices->live_cases[w]; bits; bits &= bits - 1)
      sum += prices->worth[64 * w + (size_t)__builtin_ctzll(bits)];
  return sum - prices->control * (int64_t)controls -
         prices->literal_weight * cg->pool->sizes[number];
}

int64_t irl_brcg_sum(const irl_brcg *cg, const irl_brcg_prices *prices, int64_t best) {
  const int64_t over = best > prices->complexity ? best - prices->complexity : 0;
  int64_t sum = prices->sum;
  assert(prices->control > 0 && sum >= 0 && prices->complexity >= 0 && prices->literals >= 0);
  assert(sum <= LARGEST && over <= LARGEST);
  sum -= over * cg->K;
  if (cg->max_complexity != UINT64_MAX) sum -= prices->complexity * (int64_t)cg->max_complexity;
  if (cg->max_literals != UINT64_MAX) sum -= prices->literals * (int64_t)cg->max_literals;
  return sum;
}

int64_t irl_brcg_best_of_pool(const irl_brcg *cg) {
  int64_t best = IRL_CLAUSE_NO_VALUE;
  cg->search->work += cg->pool->n * (cg->data->cases.stride + cg->data->controls.stride);
  for (uint32_t k = 0; k < cg->pool->n; k++) {
    const int64_t worth = irl_brcg_worth(cg, k);
    if (worth > best) best = worth;
  }
  return best;
}
