/* The proof of a run: the problem as it is proven, the bound, and the evidence for it.
 *
 * A proof is open while its bound is below the loss of the incumbent, and closed when they are
 * equal. What closed it (the method) and what a checker needs to see it again (the evidence) stay
 * with it. A certificate is written from the evidence; where there is none for the final loss, it
 * is searched for once more (prove/evidence.c). */
#ifndef IRL_SEARCH_PROOF_H
#define IRL_SEARCH_PROOF_H

#include "base/text.h"
#include "ireland.h"

/* What raises a bound, a row each. SOURCE(ID, text) comes from outside the prover. METHOD(ID, name,
 * tag) is a method of the prover: irl_method_NAME in a file of src/prove (prove/methods.h), here in
 * the order in which methods of equal estimates are tried. IRL_PROOF_ID is the enum; the text,
 * which is the name of a method, stands in `bound_by` and `proven_by` of JSON, and `--internal
 * TEXT=0` leaves it out; the tag is for the log. */
#define IRL_PROOF_METHOD_TABLE(SOURCE, METHOD)                                                     \
  SOURCE(MERGED, "equal samples") /* samples with equal features and different labels */           \
  METHOD(RULE_BNB, rule_bnb, "rule-bnb")                                                           \
  METHOD(CUTOFFS, cutoffs, "cutoffs")                                                              \
  METHOD(CASE_SUBSET, case_subset, "subset")                                                       \
  METHOD(ENUMERATE, enumeration, "enum")                                                           \
  SOURCE(CASE_TARGETS, "case_targets") /* case_subset.c for targets below the loss */              \
  SOURCE(COLUMNS, "column_generation") /* BRCG: its LP, choices, branch and price */               \
  SOURCE(DIRECT_MODEL, "direct_model") /* BP1 to BP6 as a MILP */
#define IRL_PROOF_METHOD_ID(id, ...) IRL_PROOF_##id,
typedef enum irl_proof_method {
  IRL_PROOF_METHOD_TABLE(IRL_PROOF_METHOD_ID, IRL_PROOF_METHOD_ID) IRL_N_PROOF_METHODS
} irl_proof_method;
#undef IRL_PROOF_METHOD_ID
const char *irl_proof_method_name(irl_proof_method method);
/* The method of that name; IRL_N_PROOF_METHODS: there is none. */
irl_proof_method irl_proof_method_find(const char *name, size_t length);

/* What a certificate says of a closed proof. */
typedef enum irl_proof_way {
  IRL_PROOF_BY_BOUND,       /* a bound alone: contradicting samples, a direct model */
  IRL_PROOF_BY_RULE_BNB,    /* branch and bound over rules, clause by clause */
  IRL_PROOF_BY_ENUMERATION, /* all clauses of a better rule enumerated, the best choice of K taken
                             */
  IRL_PROOF_BY_CASE_SUBSET  /* branch and bound over one list of clauses, on few cases */
} irl_proof_way;

/* Why no rule has less loss than the target. */
typedef struct irl_proof_evidence {
  irl_proof_way way;
  int64_t target;    /* the loss that no rule is below; -1: there is no evidence */
  uint64_t *relaxed; /* enumeration: original cases with multiplier 1; NULL: none has */
  int64_t largest;   /* and the largest value of a clause at these multipliers; on few cases these
                        are the kept ones, and how many of them a clause of the list covers */
  char *nodes;       /* rule branch and bound: its nodes, a line each; NULL: not recorded */
  uint64_t n_nodes;
} irl_proof_evidence;

/* What attempts showed that did not end the proof of an incumbent of that loss. */
typedef struct irl_proof_attempt {
  int64_t loss;
  uint64_t bnb_work; /* that a rule branch and bound would take; 0: not known */
  int64_t full_at;   /* the loss at which an enumeration met too many clauses */
} irl_proof_attempt;

/* Rising cutoffs (prove/cutoff_steps.c): what the last steps took, in words. 0: no such step. */
typedef struct irl_cutoff_steps {
  int64_t last, before; /* the greatest cutoffs that were reached */
  uint64_t last_work, before_work;
  int64_t failed;       /* one above them that was given up, */
  uint64_t failed_work; /* and what it would have taken */
} irl_cutoff_steps;

typedef struct irl_proof {
  int64_t least;             /* what samples with equal features cost any rule */
  int64_t bound;             /* no rule has less loss */
  irl_proof_method method;   /* under way: what raises the bound next */
  irl_proof_method bound_by; /* what raised it last */
  irl_proof_evidence evidence;
  irl_proof_attempt tried; /* before the budgets of the loop */
  irl_cutoff_steps steps;
} irl_proof;

void irl_proof_init(irl_proof *proof);
void irl_proof_evidence_free(irl_proof_evidence *evidence, const irl_allocator *allocator);

/* Raises the bound, but not above the loss of the incumbent, which is a rule. */
void irl_proof_raise(irl_proof *proof, int64_t bound, int64_t loss);
/* Closes the proof of an incumbent with that loss, and takes the evidence over. */
void irl_proof_close(irl_proof *proof, int64_t loss, irl_proof_evidence *evidence,
                     const irl_allocator *allocator);
/* Opens the proof again: the bound falls to what the merged samples give. */
void irl_proof_restart(irl_proof *proof, const irl_allocator *allocator);

static inline bool irl_proof_is_closed(const irl_proof *proof, int64_t loss) {
  return proof->bound >= loss;
}

/* The least case_weight * a + control_weight * b >= bound with 0 <= a <= n_cases and b >= 0: a loss
 * is of this kind, so a bound on it may be rounded up to one. Weights are positive. */
int64_t irl_loss_round_up(int64_t bound, int64_t case_weight, int64_t control_weight,
                          uint64_t n_cases);

/* Is the proof consistent with an incumbent of that loss? For assertions. */
bool irl_proof_check(const irl_proof *proof, int64_t loss);

#endif
