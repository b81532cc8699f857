/* test_stops.c with proofs of little effort: many attempts at rising cutoffs, whose lists are soon
 * too long, so that ranges of budgets (proof_ranges.c) are proven in several of them. */
#include "prove/prove_effort.h"

#undef IRL_PROVE_LONG_LIST
#define IRL_PROVE_LONG_LIST ((size_t)200)
#include "prove/proof_cutoffs.c"

#define STOPS_IN_RANGES
#include "faults/test_stops.c"
