/* What each budget asks, in the fast form of the test that verify_choose.c explains: f(B) is the
 * largest value of the clauses whose least budget is B or less, so that one pass over the clauses
 * finds all f, and a clause needs at least the smallest T(B) - (r - 1) * f(B) of B from its least
 * budget on. A larger f is right as well. */
#include "verify/verify_demand.h"

uint64_t irl_verify_budgets_from(const irl_verify_budgets *budgets, int64_t controls) {
  assert(budgets->width > 0);
  const int64_t more = controls - budgets->base, bit = more <= 0 ? 0 : more / budgets->width;
  return bit >= IRL_VERIFY_BUDGETS ? 0 : ~(uint64_t)0 << bit;
}

int64_t irl_verify_budgets_largest(const irl_verify_budgets *budgets,
                                   const irl_verify_state *state) {
  const int64_t by_loss = state->controls + irl_verify_budget(budgets->limits, state);
  return by_loss < budgets->limits->max_controls ? by_loss : budgets->limits->max_controls;
}

uint64_t irl_verify_budgets_to(const irl_verify_budgets *budgets, int64_t controls) {
  assert(budgets->width > 0);
  if (budgets->limits->is_hamming) return 1;
  if (controls < budgets->base) return 0;
  const int64_t bit = (controls - budgets->base) / budgets->width;
  return bit >= IRL_VERIFY_BUDGETS - 1 ? ~(uint64_t)0 : ((uint64_t)1 << (bit + 1)) - 1;
}

/* The same for a required gain that is known. */
static int64_t needed_for(const irl_verify_budgets *budgets, const irl_verify_state *state,
                          int64_t gain, int64_t given, unsigned bit) {
  assert(bit < IRL_VERIFY_BUDGETS && given >= 0);
  const int64_t least = budgets->base + bit * budgets->width;
  const bool is_paid = budgets->limits->is_hamming || least < state->controls;
  return IRL_VERIFY_PARTS * (gain + (is_paid ? 0 : least - state->controls)) - given;
}

int64_t irl_verify_needed(const irl_verify_budgets *budgets, const irl_verify_state *state,
                          int64_t given, unsigned bit) {
  return needed_for(budgets, state, irl_verify_required_gain(budgets->limits, state), given, bit);
}

void irl_verify_demand_clear(irl_verify_demand *demand) {
  for (unsigned bit = 0; bit < IRL_VERIFY_BUDGETS; bit++) demand->top[bit] = INT64_MIN;
}

uint64_t irl_verify_demand_set(const irl_verify_budgets *budgets, const irl_verify_state *state,
                               int64_t given, irl_verify_demand *demand) {
  const int64_t gain = irl_verify_required_gain(budgets->limits, state), left = state->left;
  int64_t top = INT64_MIN, from = INT64_MAX;
  uint64_t alive = 0;
  assert(left > 0);
  for (unsigned bit = 0; bit < IRL_VERIFY_BUDGETS; bit++) {
    demand->needed[bit] = needed_for(budgets, state, gain, given, bit);
    assert(!bit || demand->needed[bit] >= demand->needed[bit - 1]);
    demand->top[bit] = top = demand->top[bit] > top ? demand->top[bit] : top;
    demand->least[bit] = INT64_MAX;
    if (top == INT64_MIN || !irl_verify_may_lead(top, state->left, demand->needed[bit])) continue;
    demand->least[bit] = demand->needed[bit] - (left - 1) * (top > 0 ? top : 0);
    alive |= (uint64_t)1 << bit;
  }
  for (unsigned bit = IRL_VERIFY_BUDGETS; bit-- > 0;)
    demand->from[bit] = from = demand->least[bit] < from ? demand->least[bit] : from;
  return alive;
}
