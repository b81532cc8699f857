/* How long the parts of a search are tried: the one table of effort.
 *
 * A row has a name, the usual value, the least and the greatest legal one, and what it means. It
 * gives the member of irl_tuning, which is part of the settings of a search and does not change
 * during a run, and a word of the hidden option `--internal NAME=VALUE,...`, by which a developer
 * can change it without a rebuild and `make attack` draws it. Work is in words of bit vectors that
 * are read or written, about 1e9 in a second of one core, so that a run repeats exactly; lists are
 * counted in clauses. No value decides what is true, only how good a rule is found and how soon it
 * is proven. Limits of memory, what threads need and tolerances are no effort: they stand where
 * they are used. */
#ifndef IRL_SEARCH_TUNING_H
#define IRL_SEARCH_TUNING_H

#include "base/env.h"

#define IRL_TUNING_MOST_WORK  1000000000000000 /* words: small multiples of it are numbers, too */
#define IRL_TUNING_MOST_ADDED 256              /* clauses, for arrays */

#define IRL_TUNING_SEARCH(X)                                                                       \
  X(generate, 1000000000, 1000, IRL_TUNING_MOST_WORK, "work of one search for clauses")            \
  X(beam_width, 250, 1, 100000, "words of the data that a pass of a beam reads for each literal")  \
  X(found, 400, 1, 100000, "clauses that one search keeps")                                        \
  X(added, 60, 1, IRL_TUNING_MOST_ADDED, "clauses of them that go to the pool")                    \
  X(select, 2000000000, 1000, IRL_TUNING_MOST_WORK, "work of one selection from the pool")         \
  X(select_quick, 3000000, 1000, IRL_TUNING_MOST_WORK, "the same in a quick fit")                  \
  X(select_proof, 8, 1, 1000, "one part in so many of it is exact while clauses are to come")      \
  X(select_exact, 3, 1, 64, "clauses of a rule up to which a resample has an exact part")          \
  X(sample, 16384, 2, 1000000000, "cases, and controls, of the first samples of many samples")     \
  X(sample_growth, 4, 2, 1000, "the next are so many times as large, up to that part of all")      \
  X(idle_rounds, 2, 1, 1000, "rounds of a budget without a better choice before it is left")       \
  X(sweeps, 20, 1, 100000, "sweeps of the exchange over all clauses of a rule")                    \
  X(wide_width, 10000, 1, 1000000, "clauses of a level in a beam that is called wide")             \
  X(wide_rounds, 3, 1, 64, "searches for what a choice from the wide beam leaves")                 \
  X(all_clauses, 50000, 1, 100000000, "clauses of a pool that has all there are")                  \
  X(after, 2, 1, 1000, "work after the last improvement, in times of what led to it,")             \
  X(after_least, 2000000000, 1000, IRL_TUNING_MOST_WORK, "and at least")

#define IRL_TUNING_COLUMNS(X)                                                                      \
  X(columns, 10000000000, 1000, IRL_TUNING_MOST_WORK, "work for columns, and for branching")       \
  X(column_beam, 1000000, 1000, IRL_TUNING_MOST_WORK, "work of a narrow beam on small data")       \
  X(column_growth, 4, 2, 1000, "times more for a proof that was cut; its square for a wide beam")  \
  X(column_proof, 40, 1, 100000, "times more for a short proof")                                   \
  X(column_rows, 1500, 1, 1000000, "rows of the LP beyond which loose ones leave it")

#define IRL_TUNING_PROOF(X)                                                                        \
  X(prove, 1000000000, 1000, IRL_TUNING_MOST_WORK, "work of an attempt in the first round")        \
  X(prove_growth, 6, 2, 1000, "the next round has so many times the work")                         \
  X(prove_overrun, 8, 1, 1000, "times its work that an attempt may need to be begun or to go on")  \
  X(prove_trial, 8, 2, 1000, "one part in so many of an attempt decides whether it goes on")       \
  X(prove_early, 3, 1, 1000, "one part in so many of the work for proofs comes before budgets,")   \
  X(prove_easy, 60, 1, 100000, "of which one part in so many comes first, for easy data")          \
  X(list_cap, 20000, 1, 10000000, "clauses of a node's list in the first round")                   \
  X(list_fill, 80, 1, 100, "percent of what is left that a step which seems to fit may take")      \
  X(cutoff_first, 3, 1, 1000, "the first cutoff is one part in so many of the gap")                \
  X(cutoff_small_gap, 5, 1, 1000, "or all of it, if it is less than that part of the loss")        \
  X(cutoff_growth, 32, 2, 100000, "times the work of the last cutoff that the next may take")      \
  X(cutoff_straight, 2, 1, 1000, "the last cutoff may take one part in so many of what is left")   \
  X(few_nodes, 50, 1, 1000000000, "nodes of a certificate that is not made shorter")               \
  X(guesses, 8, 1, 1000, "guesses of the largest value before all clauses are listed")             \
  X(learnt, 200, 1, 100000, "clauses that a wrong guess adds to the known ones")                   \
  X(multiplier_steps, 400, 1, 1000000, "steps of the search for multipliers")                      \
  X(dominators, 5000, 1, 1000000, "closed clauses that a clause of a node is compared with")       \
  X(pairs, 512, 16, 1000000, "pairs of literals by which the length of a list is estimated,")      \
  X(pair_work, 6000000, 1, IRL_TUNING_MOST_WORK, "as far as so much work allows")                  \
  X(tree_ratio, 4, 1, 1000, "times the work of an attempt for the tree over a list")               \
  X(tree_share, 1000, 1, 1000000000, "a tree goes on if one part in so many was closed")           \
  X(tree_nodes, 4, 1, 1000000, "or a worker has had fewer nodes")                                  \
  X(scanned, 16, 1, 1000000, "one pair in so many of a list is expected to be looked at")          \
  X(thresholds, 6, 1, 1000, "lower thresholds of a list that are tried")                           \
  X(target_share, 3, 2, 1000, "one part in so many of what is left is for one bound target")       \
  X(target_halves, 2, 1, 64, "targets half way to one that was not reached")

#define IRL_TUNING(X) IRL_TUNING_SEARCH(X) IRL_TUNING_COLUMNS(X) IRL_TUNING_PROOF(X)

typedef struct irl_tuning {
#define IRL_TUNING_MEMBER(name, usual, low, high, meaning) uint64_t name;
  IRL_TUNING(IRL_TUNING_MEMBER)
#undef IRL_TUNING_MEMBER
} irl_tuning;

/* Work of a selection that the next clauses will change, or of one of many. Most points of a curve
 * take a hundredth of it, and those that it is not enough for take a thousand times as much. */
static inline uint64_t irl_tuning_select_short(const irl_tuning *tuning) {
  return tuning->select / 20;
}

extern const irl_tuning irl_tuning_usual;
/* Members that are 0 get their usual values. */
void irl_tuning_fill(irl_tuning *tuning);
/* Sets a value from "NAME=VALUE", of which the name has n letters and the value ends at a comma or
 * with the text; the error says what is legal. */
irl_status irl_tuning_parse(irl_env *env, irl_tuning *tuning, const char *text, size_t n);

#endif
