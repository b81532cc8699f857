/* How long the parts of a proof are tried. Work is in words of bit vectors that are read or written
 * (about 1e9 in a second of one core); caps are in clauses unless another unit is named. None of
 * these numbers decides whether a proof is right, only when and how it is found. */
#ifndef IRL_PROVE_PROVE_EFFORT_H
#define IRL_PROVE_PROVE_EFFORT_H

#include <stddef.h>
#include <stdint.h>

/* ---- rounds (prove.c, methods.c) ---- */

/* Without --prove a proof is an extra: a quarter of the run's work, or this much. */
#define IRL_PROVE_QUICK_WORK ((uint64_t)2e9)
/* An enumeration that is an extra stays small. */
#define IRL_PROVE_QUICK_CAP ((size_t)100000)
/* The first effort with --prove: a second or two, so that the right method is found soon. */
#define IRL_PROVE_FIRST_WORK ((uint64_t)1e9)
/* A proof before the budgets of the loop, which a proven rule saves: at least this much, */
#define IRL_PROVE_EARLY_WORK ((uint64_t)2e7)
/* and this much where a proof is wanted anyway. */
#define IRL_PROVE_EARLY_PROOF_WORK ((uint64_t)3e9)
/* Without --prove it takes at most one in so many parts of what is left for proofs. */
#define IRL_PROVE_EARLY_SHARE 3u
/* One in so many parts of an early proof comes first: easy data is done with it. */
#define IRL_PROVE_FIRST_SHARE 60u
/* One in so many parts of an attempt is a trial in which the rule branch and bound must get on. */
#define IRL_PROVE_TRIAL_SHARE 8u
/* The next round has so many times the effort: failed ones cost a fifth of the last. */
#define IRL_PROVE_WORK_GROWTH 6u
/* A method that seems to need so many times the effort of a round waits for a later one. */
#define IRL_PROVE_SKIP_RATIO 8u
/* A branch and bound that was cut is taken to need at most so many times what it has had. */
#define IRL_PROVE_MOST_TIMES 512.0
/* Where literals are limited one part in so many of all rules is met, about. */
#define IRL_PROVE_FEW_LITERALS 1024.0
/* Methods that plan or price before they begin want at least this effort. */
#define IRL_PROVE_PLAN_EFFORT ((uint64_t)1e8)
/* Bytes of covers in an enumeration, or of clauses in a branch and bound, unless limited. */
#define IRL_PROVE_MAX_MEMORY ((uint64_t)2 << 30)
/* Clauses of the first enumeration, and of the first branch and bound at each node. */
#define IRL_PROVE_ENUMERATION_CAP ((size_t)200000)
#define IRL_PROVE_BNB_CAP         ((size_t)20000)

/* ---- rising cutoffs (proof_cutoffs.c) ---- */

/* The first cutoff: one in so many parts of the gap above the bound. */
#define IRL_PROVE_FIRST_CUTOFF 3
/* or the whole gap, if it is less than one in so many parts of the loss. */
#define IRL_PROVE_SMALL_GAP 5
/* The next cutoff may take so many times the work of the last one: guesses of more are wild. */
#define IRL_PROVE_CUTOFF_GROWTH 32.0
/* A step is expected to take this part of what is left, at most; */
#define IRL_PROVE_CUTOFF_FILL 0.8
/* and goes straight to the best rule if that is expected to take one part in so many. */
#define IRL_PROVE_CUTOFF_STRAIGHT 2.0
/* One part in so many of what a step is to take decides whether it will end. */
#define IRL_PROVE_CUTOFF_TRIAL 16u
/* Work beyond what a time limit seemed to allow: one in so many parts of that so far may follow. */
#define IRL_PROVE_BEYOND_PLAN 2u
/* A cutoff that will end within so many times its turn is not broken off. */
#define IRL_PROVE_CUTOFF_OVERRUN 8u
/* Words that a cutoff gets at least, if they are there. */
#define IRL_PROVE_CUTOFF_WORK ((uint64_t)1e8)

/* ---- ranges of budgets (proof_ranges.c) ---- */

/* A list of more clauses is made by ranges. */
#define IRL_PROVE_LONG_LIST ((size_t)1000000)
/* Ranges, about; twice as many at most. */
#define IRL_PROVE_MAX_RANGES 64u
/* Steps of the search for prices, clauses that are listed to improve them, and how often. */
#define IRL_PROVE_RANGE_STEPS  200u
#define IRL_PROVE_RANGE_PRICED ((size_t)20000)
#define IRL_PROVE_RANGE_ROUNDS 20u

/* ---- certificates (certificate.c) ---- */

/* Nodes that a checker goes through in less time than an enumeration takes. */
#define IRL_PROVE_FEW_NODES 50u
/* For an enumeration that makes a certificate of many nodes shorter. */
#define IRL_PROVE_SHORTER_WORK ((uint64_t)1e9)

/* ---- enumeration (proof_enumerate.c, multipliers.c) ---- */

/* Guesses of the largest value before all clauses within the budget are enumerated. */
#define IRL_PROVE_MAX_GUESSES 8u
/* Clauses that a wrong guess adds to the known ones: more would only slow the multipliers down. */
#define IRL_PROVE_MAX_LEARNT 200u
/* Steps of the search for multipliers, */
#define IRL_PROVE_MULTIPLIER_STEPS 400u
/* and known clauses that it looks at, the best by value. */
#define IRL_PROVE_MAX_KNOWN 600u

/* ---- rule branch and bound (rule_bnb.c, rule_dominance.c) ---- */

/* Words of data from which on the enumeration at a node is worth more than one thread. */
#define IRL_PROVE_WORTH_THREADS ((uint64_t)1 << 13)
/* A trial is passed if the whole is expected to take at most so many times the attempt's work: the
 * first children take more than the others. */
#define IRL_PROVE_MAX_OVERRUN 4.0
/* Closed clauses that each clause of a node is compared with. */
#define IRL_PROVE_MAX_DOMINATORS ((size_t)5000)

/* Words of a worker's turn: some milliseconds, so that waiting for the last one costs little. */
#define IRL_PROVE_TURN_WORK ((uint64_t)2000000)
/* Many workers only if each could enumerate as often as this what the root did. */
#define IRL_PROVE_ROOT_PART 4u
/* A list below the root has at most so many times the clauses of the root's, for memory. */
#define IRL_PROVE_LONGER_LIST 4u

/* ---- dual ascent (dual_ascent.c) ---- */

/* Subgradient steps between two enumerations. */
#define IRL_PROVE_ASCENT_STEPS 300u
/* One in so many parts of the work is for one enumeration, and for one search of the best. */
#define IRL_PROVE_ASCENT_PART 2u

/* ---- few cases (case_subset.c) ---- */

/* Words of work for a sample of pairs of literals, and the least and most pairs in it. */
#define IRL_PROVE_SAMPLE_WORK ((uint64_t)6000000)
#define IRL_PROVE_MIN_SAMPLE  32u
#define IRL_PROVE_MAX_SAMPLE  512u
/* Cases that are kept of each clause, at least. */
#define IRL_PROVE_MIN_LEVEL 1u
/* For less work than this no other choice of cases is looked for. */
#define IRL_PROVE_SHORT_LISTING 1e9
/* A proof of more work begins with a bound. */
#define IRL_PROVE_LONG_LISTING 4e9
/* One that fits into half of the work gets one part in so many, the rest is for a bound. */
#define IRL_PROVE_WHOLE_SHARE 1.25
/* A bound alone is expected to take, and gets, one part in so many of what is left. */
#define IRL_PROVE_TARGET_SHARE 3.0
/* The first bound above 0 gets one part in so many. */
#define IRL_PROVE_FIRST_TARGET_SHARE 1.5
/* All cases are kept for a bound if that is expected to take one part in so many. */
#define IRL_PROVE_SHARP_SHARE 6.0
/* Bounds half way to one that was not reached. */
#define IRL_PROVE_TARGET_HALVES 2u
/* Before a long proof bounds of at most this share of the loss are proven. */
#define IRL_PROVE_FIRST_TARGETS 0.5
/* So many times the work of other attempts is for the tree over a list, if the list took less. */
#define IRL_PROVE_TREE_RATIO 4u
/* One pair in so many of the clauses of a list is scanned in its tree. */
#define IRL_PROVE_SCANNED_PART 16.0
/* One part in so many of the work of a tree over a list decides whether it goes on: */
#define IRL_PROVE_LIST_TRIAL 4u
/* a tree that has closed less than this share by then is given up. */
#define IRL_PROVE_LEAST_SHARE 1e-3
/* But where each worker has had fewer nodes than this, they may all be about to close. */
#define IRL_PROVE_TRIAL_NODES 4u
/* Words that a node which lists clauses by itself reads for each pair of literals, about, */
#define IRL_PROVE_OWN_WORDS 2.0
/* and thresholds that are tried so that fewer nodes have to. */
#define IRL_PROVE_MAX_LOWER 6u

/* Seconds between two lines of progress. */
#define IRL_PROVE_PROGRESS_PERIOD 0.25

#endif
