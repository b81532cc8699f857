/* Statistics of a two by two table; irl_statistics_compute (ireland.h) gives all of them. */
#ifndef IRL_RULE_STATISTICS_H
#define IRL_RULE_STATISTICS_H

#include "base/fields.h"
#include "ireland_study.h"

/* The 95 % interval of Wilson (1927) for `hits` of `n`; 0 to 1 if n is 0. */
void irl_statistics_wilson(uint64_t hits, uint64_t n, double *low, double *high);
/* Of a share of so many samples, of which there may be a part. */
void irl_statistics_wilson_share(double share, double count, double *low, double *high);
/* All of them. */
extern const irl_field irl_statistics_fields[];

#endif
