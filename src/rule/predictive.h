/* What sensitivity and specificity say of one person: likelihood ratios, predictive values at a
 * prevalence, net benefit; with intervals that come from those of the two shares. */
#ifndef IRL_RULE_PREDICTIVE_H
#define IRL_RULE_PREDICTIVE_H

#include <stdbool.h>

/* A quantity with its 95 % interval. */
typedef struct irl_interval {
  double value, low, high;
} irl_interval;

/* How often a rule is right about cases, and about controls. */
typedef struct irl_two_shares {
  irl_interval sensitivity, specificity;
} irl_two_shares;

/* The ratio of two shares that were measured on different samples; NaN if both are 0. */
irl_interval irl_interval_ratio(irl_interval above, irl_interval below);
/* How much likelier a case is than a control to be called a case, and to be called a control. */
irl_interval irl_likelihood_ratio(const irl_two_shares *s, bool is_positive);
/* The share of cases among those that are called cases, or of controls among those that are called
 * controls, where `prevalence` of all are cases. */
irl_interval irl_predictive_value(const irl_two_shares *s, double prevalence, bool is_positive);
/* Net benefit of acting on the rule, as a share of the greatest there is (that of a rule without
 * errors), for somebody who acts from a risk of `threshold` on. */
irl_interval irl_net_benefit(const irl_two_shares *s, double prevalence, double threshold);

#endif
