/* The table of proof methods. A new method is one file and one row in methods.c: the scheduler
 * (prove.c), the log, `--internal` and the tests against brute force go by the table. */
#ifndef IRL_PROVE_METHODS_H
#define IRL_PROVE_METHODS_H

#include "prove/proof_enumerate.h"

/* A proof under way: what the methods share. */
typedef struct irl_prover {
  irl_search *search;
  uint64_t end;         /* work of the search at which the proof ends, */
  uint64_t last;        /* and at which an attempt that is about to close it does */
  uint64_t effort;      /* work of an attempt in this round, about */
  bool is_once;         /* a proof or nothing: there is no later round to prepare */
  uint64_t attempt_end; /* work of the search at which the attempt ends */
  size_t cap;           /* clauses of a list now; 0: as many as the effort allows */
  /* What attempts have shown. */
  uint64_t bnb_work;   /* that the rule branch and bound would take; 0: not known */
  int64_t bnb_full_at; /* losses at which it, */
  int64_t full_at;     /* and an enumeration, met too many clauses for any effort */
} irl_prover;

/* One row of the table. */
typedef struct irl_prover_method {
  irl_proof_method id;
  const char *tag;  /* in the log */
  bool is_complete; /* with enough effort and memory it ends any proof */
  uint32_t share;   /* an attempt has so many times the effort of the round */
  /* Can it get anywhere with this problem and this effort? */
  bool (*applies)(const irl_prover *p);
  /* The work that it takes to the end of the proof, as far as is known. */
  double (*estimate)(const irl_prover *p);
  irl_status (*run)(irl_prover *p);
} irl_prover_method;

/* The table, in the order in which methods of equal estimates are tried. */
const irl_prover_method *irl_prover_methods(size_t *n);
/* A prover with `work` from now on. */
irl_prover irl_prover_make(irl_search *search, uint64_t work);
/* Clauses that an enumeration may have at most, by the memory that their covers take. */
size_t irl_prove_max_cap(const irl_search *search);

#endif
