/* How long the parts of learning are tried (those of a proof: prove/prove_effort.h). Work is in
 * words of bit vectors that are read or written, about 1e9 in a second of one core, so that a run
 * repeats exactly. None of these numbers decides what is true, only how good a rule is found. */
#ifndef IRL_SEARCH_EFFORT_H
#define IRL_SEARCH_EFFORT_H

#include <stddef.h>
#include <stdint.h>

/* ---- generating clauses ---- */

/* Work of one search for clauses: a second, after which more of it brings little. */
#define IRL_EFFORT_GENERATE ((uint64_t)1e9)
/* Work if such searches found nothing but chance: far enough to see clauses of three literals. */
#define IRL_EFFORT_GENERATE_FAR ((uint64_t)2.5e10)
/* Work of an exchange once the loop has ended: each search is for one place of the rule. */
#define IRL_EFFORT_EXCHANGE ((uint64_t)3e9)
/* Work of a search that has to be quick, or comes between two others. */
#define IRL_EFFORT_GENERATE_QUICK ((uint64_t)5e7)
/* The same for one of hundreds of fits: such a search rarely brings more than a beam as narrow. */
#define IRL_EFFORT_GENERATE_MANY ((uint64_t)5e6)
/* Work of a search for shorter clauses of a rule that is good already. */
#define IRL_EFFORT_GENERATE_SHORT ((uint64_t)1e8)
/* Work of one pass of a beam, in words of the data for each literal: its width is about this. */
#define IRL_EFFORT_PASS 250u
/* Work after which a search is said to have gone far: what it finds then may be chance. */
#define IRL_EFFORT_FAR ((uint64_t)2e8)
/* Clauses that one search keeps, */
#define IRL_EFFORT_FOUND 400u
/* bytes of their covers that are compared for variety, */
#define IRL_EFFORT_FOUND_BYTES ((size_t)16 << 20)
/* clauses of them that go to the pool at most, so that selections stay fast, */
#define IRL_EFFORT_ADDED 60u
/* of those the first by value, */
#define IRL_EFFORT_ADDED_BEST 8u
/* and bytes of covers that go to the pool, unless that is fewer than twice the best. */
#define IRL_EFFORT_ADDED_BYTES ((size_t)3 << 20)

/* ---- selecting from the pool ---- */

/* Work of one selection: seconds, in which most are proven. */
#define IRL_EFFORT_SELECT ((uint64_t)2e9)
/* Work of a selection that the next clauses will change, or of one of many. Most points of a curve
 * take a hundredth of it, and those that it is not enough for take a thousand times as much. */
#define IRL_EFFORT_SELECT_SHORT ((uint64_t)1e8)
/* Of the work of a selection, the exact search gets this part where clauses are still to come. */
#define IRL_EFFORT_SELECT_PROOF 8u
/* Work of a selection that has to be quick: of one of many folds. */
#define IRL_EFFORT_SELECT_QUICK ((uint64_t)3e6)
/* Of hundreds of fits, a selection of more clauses than this does without an exact part: on heart
 * and spect that took about half of a selection's time and changed hardly a figure. */
#define IRL_EFFORT_SELECT_EXACT 3u
/* Shortening gets so many times less if it has to be quick. */
#define IRL_EFFORT_QUICK_SHARE 10u

/* ---- samples ---- */

/* Cases, and controls, of the first samples: 4 KB of each feature, so that a thousand features stay
 * in a cache, and enough to tell most clauses from chance. */
#define IRL_EFFORT_SAMPLE 16384u
/* The next samples are so many times as large, */
#define IRL_EFFORT_SAMPLE_GROWTH 4u
/* as long as two of them are at most one in so many of all samples. */
#define IRL_EFFORT_SAMPLE_SHARE 4u

/* ---- the loop and what follows it ---- */

/* Rounds of a budget without a better choice before it is left, and rounds in all. */
#define IRL_EFFORT_IDLE_ROUNDS   2u
#define IRL_EFFORT_BUDGET_ROUNDS 200u
/* Sweeps of the exchange over all clauses of the rule; few in between. */
#define IRL_EFFORT_SWEEPS       20u
#define IRL_EFFORT_SWEEPS_QUICK 3u
/* Work of the widest search of a cover, least width of one over all pairs, width after which wider
 * ones bring little, */
#define IRL_EFFORT_COVER        ((uint64_t)1.6e10)
#define IRL_EFFORT_COVER_NARROW 300u
#define IRL_EFFORT_COVER_WIDE   50000u
/* and how many times less likely than once what it accepts would be by chance, as a logarithm. */
#define IRL_EFFORT_COVER_MARGIN 3.0
/* Work of the wide beam: twenty seconds, and only where nothing else tells clauses from chance. */
#define IRL_EFFORT_WIDE ((uint64_t)2e10)
/* Clauses that the wide beam brings, its width in clauses, and bytes that each of them takes. */
#define IRL_EFFORT_WIDE_FOUND     5000u
#define IRL_EFFORT_WIDE_MIN_WIDTH 10000u /* narrower ones are made by the usual searches */
#define IRL_EFFORT_WIDE_MAX_WIDTH 1000000u
#define IRL_EFFORT_WIDE_BYTES     ((size_t)1 << 10)
/* Searches for what a choice from the wide beam leaves, and clauses that it leaves room for. */
#define IRL_EFFORT_WIDE_ROUNDS 3u
#define IRL_EFFORT_WIDE_LEFT   2u
/* Clauses, and bytes of covers, of a pool that has all there are, for a curve that is proven. */
#define IRL_EFFORT_ALL_CLAUSES ((size_t)50000)
#define IRL_EFFORT_ALL_BYTES   ((size_t)1 << 29)

/* ---- what follows the last improvement (allowance.h) ---- */

/* Work, in times of what led to the improvement, and at least: about a second of two threads. */
#define IRL_EFFORT_AFTER       ((uint64_t)2)
#define IRL_EFFORT_AFTER_LEAST ((uint64_t)2e9)
/* The parts of that up to which each phase may go, and those that it may take by itself. */
#define IRL_EFFORT_AFTER_PARTS 8u
#define IRL_EFFORT_SEARCHING   4u, 4u
#define IRL_EFFORT_REFINING    6u, 4u
#define IRL_EFFORT_PROVING     7u, 4u
#define IRL_EFFORT_SHORTENING  8u, 4u

/* ---- column generation ---- */

/* Work for the columns, unless a proof is asked for. */
#define IRL_EFFORT_COLUMNS ((uint64_t)1e10)
/* Words of work of branch and price after it, unless a proof is asked for. */
#define IRL_EFFORT_BRANCH ((uint64_t)1e10)
/* Least work of a narrow beam, where the data is small; */
#define IRL_EFFORT_BEAM ((uint64_t)1000000)
/* times that for a wide one, for a short proof, and for each proof that was cut. */
#define IRL_EFFORT_WIDE_RATIO   16u
#define IRL_EFFORT_PROOF_RATIO  40u
#define IRL_EFFORT_PROOF_GROWTH 4u
/* A proof of so many times the work of a beam is easy: the beam does work that it does not count.
 */
#define IRL_EFFORT_EASY_PROOF 8u
/* Clauses of one enumeration, that enter the LP at once, that a selection sees; rows of the LP
 * beyond which loose ones leave it. */
#define IRL_EFFORT_PRICED     400u
#define IRL_EFFORT_ENTERING   200u
#define IRL_EFFORT_CANDIDATES 4000u
#define IRL_EFFORT_ROWS       1500u
/* Clauses that a node of branch and price enumerates, one that cannot branch, and its depth. */
#define IRL_EFFORT_NODE_CLAUSES ((size_t)2000)
#define IRL_EFFORT_LEAF_CLAUSES ((size_t)50000)
#define IRL_EFFORT_DEPTH        64u

/* ---- anywhere ---- */

/* Clauses that are added to a set between two looks at the clock: some milliseconds. */
#define IRL_EFFORT_CLOCK_CLAUSES 4096u
/* Words of data up to which threads wait for each other too often, */
#define IRL_EFFORT_SMALL_DATA ((uint64_t)1 << 11)
/* and beyond which a proof that nobody asked for is not worth its memory (64 MB). */
#define IRL_EFFORT_LARGE_DATA ((uint64_t)1 << 23)

#endif
