/* test_stops.c with proofs of little effort: many attempts at rising cutoffs, whose lists are soon
 * too long, so that ranges of budgets (proof_ranges.c) are proven in several of them. */
#include "prove/prove_effort.h"

#undef IRL_PROVE_CUTOFF_OVERRUN
#define IRL_PROVE_CUTOFF_OVERRUN 1u
#undef IRL_PROVE_CUTOFF_WORK
#define IRL_PROVE_CUTOFF_WORK ((uint64_t)100000)
#undef IRL_PROVE_LONG_LIST
#define IRL_PROVE_LONG_LIST ((size_t)200)
#undef IRL_PROVE_BNB_CAP
#define IRL_PROVE_BNB_CAP ((size_t)10)
#include "prove/methods.c"
#include "prove/proof_cutoffs.c"
#include "prove/prove.c"

#define STOPS_IN_RANGES
#include "faults/test_stops.c"
