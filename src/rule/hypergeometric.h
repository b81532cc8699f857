/* How unlikely it is that so many of the covered samples are cases, if the labels had nothing to do
 * with the cover: the upper tail of the hypergeometric distribution, as a logarithm. */
#ifndef IRL_RULE_HYPERGEOMETRIC_H
#define IRL_RULE_HYPERGEOMETRIC_H

#include "base/env.h"

typedef struct irl_hypergeometric {
  uint32_t n_cases, n_controls;
  double *log_factorial; /* of 0 .. n_cases + n_controls */
} irl_hypergeometric;

irl_status irl_hypergeometric_init(irl_env *env, irl_hypergeometric *h, uint32_t n_cases,
                                   uint32_t n_controls);
void irl_hypergeometric_free(irl_env *env, irl_hypergeometric *h);
/* ln P(X >= hits), X the cases among `covered` samples that are drawn at random. */
double irl_hypergeometric_tail(const irl_hypergeometric *h, uint32_t covered, uint32_t hits);
/* need[c] for c = 0 .. all samples: the fewest cases among c covered samples whose tail is at most
 * `log_p`; UINT32_MAX where no number is enough. */
void irl_hypergeometric_needs(const irl_hypergeometric *h, double log_p, uint32_t *need);

#endif
