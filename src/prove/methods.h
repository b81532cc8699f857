/* The methods of the prover: what one is, and what they share. A method is one file, which defines
 * irl_method_NAME, and one row of IRL_PROOF_METHOD_TABLE (search/proof.h): the scheduler (prove.c),
 * the log, `--internal` and the tests against brute force go by the table. */
#ifndef IRL_PROVE_METHODS_H
#define IRL_PROVE_METHODS_H

#include "search/search.h"

/* A proof under way. */
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

typedef struct irl_prover_method {
  bool is_complete; /* with enough effort and memory it ends any proof */
  uint32_t share;   /* the effort of an attempt, in multiples of the round's */
  /* Can it get anywhere with this problem and this effort? */
  bool (*applies)(const irl_prover *p);
  /* The work that it takes to the end of the proof, as far as is known. */
  double (*estimate)(const irl_prover *p);
  /* Raises the bound, finds better rules or closes the proof: rightly for every problem, whether it
   * applies or not. */
  irl_status (*run)(irl_prover *p);
} irl_prover_method;

#define IRL_METHOD_NONE(name, text)
#define IRL_METHOD_DECLARE(id, name, tag) extern const irl_prover_method irl_method_##name;
IRL_PROOF_METHOD_TABLE(IRL_METHOD_NONE, IRL_METHOD_DECLARE)
#undef IRL_METHOD_DECLARE

/* A row of the table. */
typedef struct irl_prover_row {
  irl_proof_method id;
  const char *tag;
  const irl_prover_method *method;
} irl_prover_row;
/* All of them, in the order in which methods of equal estimates are tried. */
const irl_prover_row *irl_prover_table(size_t *n);

/* A prover with `work` from now on. */
irl_prover irl_prover_make(irl_search *search, uint64_t work);
/* What the attempt may still take. */
irl_limit irl_prover_limit(const irl_prover *p);
/* An estimate of what is not known: the most that is tried at all. */
double irl_prover_unknown(const irl_prover *p);
/* Clauses of a list: `least` in the first round, more with more effort, never more than `most`. */
size_t irl_prover_cap(const irl_prover *p, size_t least, size_t most);
/* Are all clauses soon enumerated? What that takes. */
bool irl_prover_is_small(const irl_prover *p);
double irl_prover_work_of_all(const irl_search *search);
/* Literals that there are, and words of the columns of one. */
double irl_prover_n_literals(const irl_search *search);
double irl_prover_words(const irl_search *search);
/* Clauses that an enumeration may have at most, by the memory that their covers take. */
size_t irl_prove_max_cap(const irl_search *search);

#endif
