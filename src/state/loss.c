#include "state/loss.h"

int64_t irl_loss_round_up(int64_t bound, int64_t case_weight, int64_t control_weight,
                          uint32_t n_cases) {
  int64_t least = INT64_MAX;
  if (bound <= 0) return 0;
  for (int64_t a = 0; a <= n_cases && least > bound; a++) {
    const int64_t rest = bound - a * case_weight;
    const int64_t b = rest > 0 ? (rest + control_weight - 1) / control_weight : 0;
    const int64_t loss = a * case_weight + b * control_weight;
    if (loss < least) least = loss;
    if (rest <= 0) break;
  }
  return least;
}
