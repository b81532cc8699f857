/* Checking a certificate: that no rule within its limits is better than the one it names.
 *
 * The checker shares no code with the search: it sees the data, the rule and the text. verify.c
 * replays the proof node by node, verify_scope.c lists clauses in a plain depth-first way,
 * verify_choose.c goes through the choices from a list, verify_read.c reads the lines. Its cost is
 * about that of the search: a listing per node. The format is described in verify.c. */
#ifndef IRL_VERIFY_VERIFY_H
#define IRL_VERIFY_VERIFY_H

#include "rule/rule.h"

#define IRL_VERIFY_VERSION 1u
#define IRL_VERIFY_REASON  400u

typedef struct irl_verify_result {
  bool is_valid;
  size_t line; /* where the certificate is wrong; 0: valid */
  char reason[IRL_VERIFY_REASON];
  uint64_t nodes, clauses; /* of the proof; clauses that were listed for it */
  int64_t loss;            /* of the rule, as the certificate weighs it */
} irl_verify_result;

/* Fails only without memory, file or time; whether the certificate holds is in the result. */
irl_status irl_verify_run(irl_env *env, const irl_rule *rule, const irl_data *data,
                          const char *path, irl_verify_result *result);
/* The same for a certificate in memory. */
irl_status irl_verify_text_run(irl_env *env, const irl_rule *rule, const irl_data *data,
                               const char *bytes, size_t size, irl_verify_result *result);

#endif
