/* Effort of methods that are being measured (see search/tuning.h for all others). */
#ifndef IRL_PROVE_PROVE_EFFORT_H
#define IRL_PROVE_PROVE_EFFORT_H

#include <stddef.h>
#include <stdint.h>

/* ---- ranges of budgets (proof_ranges.c) ---- */

/* A list of more clauses is made by ranges. */
#define IRL_PROVE_LONG_LIST ((size_t)1000000)
/* Ranges, about; twice as many at most. */
#define IRL_PROVE_MAX_RANGES 64u
/* Steps of the search for prices, clauses that are listed to improve them, and how often. */
#define IRL_PROVE_RANGE_STEPS  200u
#define IRL_PROVE_RANGE_PRICED ((size_t)20000)
#define IRL_PROVE_RANGE_ROUNDS 20u

#endif
