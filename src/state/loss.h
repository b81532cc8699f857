/* The losses that a rule can have. */
#ifndef IRL_STATE_LOSS_H
#define IRL_STATE_LOSS_H

#include <stdint.h>

/* The least case_weight * a + control_weight * b >= bound with 0 <= a <= n_cases and b >= 0: a loss
 * is of this kind, so a bound on it may be rounded up to one. Weights are positive. */
int64_t irl_loss_round_up(int64_t bound, int64_t case_weight, int64_t control_weight,
                          uint32_t n_cases);

#endif
