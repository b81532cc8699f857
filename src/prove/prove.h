/* Proofs about all rules of the scope: the best rule is optimal, or a bound on any rule's loss. */
#ifndef IRL_PROVE_PROVE_H
#define IRL_PROVE_PROVE_H

#include "base/text.h"
#include "prove/optimal_rules.h"

/* Bytes of covers in an enumeration, or of clauses in a branch and bound, unless limited. */
#define IRL_PROVE_MEMORY ((uint64_t)2 << 30)

/* Proves the best rule, finds better ones on the way, or raises the bound; prove.c. */
irl_status irl_prove_rule(irl_search *search);
/* Tries that with little work, between two parts of a run. */
irl_status irl_prove_early(irl_search *search);
/* Evidence of a closed proof for the final loss: is it there? If not, it is searched for;
 * evidence.c. */
bool irl_prove_has_evidence(const irl_search *search);
irl_status irl_prove_find_evidence(irl_search *search);
/* The proof of the best rule, which has evidence, as a certificate for verify.c. */
irl_status irl_prove_certify(const irl_search *search, char **text);
/* That a complete list has all rules of its loss or less; it is that of the best rule too. */
irl_status irl_prove_certify_all(const irl_search *search, const irl_optimal_rules *rules,
                                 char **text);

/* What a certificate is about: no rule of the scope has less loss than this one. */
typedef struct irl_certificate_claim {
  irl_problem problem;
  const irl_scope *scope;
  const irl_clause_set *pool; /* of the rule's clauses */
  const irl_search_rule *rule;
  bool is_merged;
} irl_certificate_claim;

/* All lines before the proof. */
irl_status irl_certificate_put_head(irl_text *text, const irl_certificate_claim *claim);
/* The last line: the number of nodes, and a hash of all bytes behind `from`. */
void irl_certificate_put_end(irl_text *text, size_t from, uint64_t n);

#endif
