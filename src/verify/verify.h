/* Checking a certificate: that no rule of its scope is better than the one it names.
 *
 * The checker shares no code with the search: it sees the data, the rule and the text. verify.c
 * replays the proof node by node and says why that suffices, verify_limits.c knows limits and
 * losses, and holds the numbers of the proof against what the scope says in words, verify_view.c
 * has the samples as bits, verify_list.c lists clauses in a plain depth-first way, verify_pool.c
 * keeps those that matter, verify_choose.c goes through the choices from a list, verify_rules.c
 * weighs lists of rules, and verify_head.c reads the lines. The functions follow ireland_check.py,
 * which checks the same certificates. Its cost is about that of the search: a listing per node. The
 * format is described in verify.c.
 *
 * Trusted, since the search uses them too: that the data are what the file says (read, table,
 * data), how the rule's literals are bound to them (rule/bind.c), the words of the scope
 * (rule/scope.h), and the bit kernels, which count and intersect (bits/kernels.h; the tests compare
 * each of them with the scalar one). tests/check.sh holds the includes of this folder to these
 * layers. Checksums only tell a damaged file from a false one; no proof rests on them. */
#ifndef IRL_VERIFY_VERIFY_H
#define IRL_VERIFY_VERIFY_H

#include "base/limit.h"
#include "rule/rule.h"

#define IRL_VERIFY_VERSION 3u
#define IRL_VERIFY_REASON  400u

typedef struct irl_verify_result {
  bool is_valid;
  bool is_cut; /* a limit or a request to stop came first: it is neither valid nor invalid */
  size_t line; /* where the certificate is wrong; 0: valid, or cut */
  char reason[IRL_VERIFY_REASON];
  uint64_t nodes, clauses, work; /* of the proof; clauses that were listed for it */
  int64_t loss;                  /* of the rule, as the certificate weighs it */
  uint64_t cases, controls;      /* that the rule covers */
  uint64_t rules;                /* of a list that is complete; 0: there is none, */
  int64_t most;                  /* and the largest loss of its rules */
  char rule[IRL_VERIFY_REASON];  /* in words, if it was taken from the certificate */
} irl_verify_result;

/* What is to be checked, and within which limits. */
typedef struct irl_verify_job {
  const irl_rule *rule; /* NULL: the one that the certificate has */
  const irl_data *data; /* as the search saw them: samples that weigh something, reflected for a
                           CNF */
  irl_limit limit;
  const char *bytes; /* the certificate */
  size_t size;
} irl_verify_job;

/* The scope in the head of a certificate. NULL in *scope: there is none, and the result says why.
 */
irl_status irl_verify_read_scope(irl_env *env, const char *bytes, size_t size, irl_scope **scope,
                                 irl_verify_result *result);
/* Fails only without memory; whether the certificate holds is in the result. */
irl_status irl_verify_run(irl_env *env, const irl_verify_job *job, irl_verify_result *result);

#endif
