/* What the parts of a replay share: the head with limits and rule (verify_head.c), the claim
 * (verify_claim.c), the nodes (verify.c). */
#ifndef IRL_VERIFY_VERIFY_REPLAY_H
#define IRL_VERIFY_VERIFY_REPLAY_H

#include "base/array.h"
#include "verify/verify_parts.h"

/* No sum of weights times K comes near the end of the integers. */
#define IRL_VERIFY_MAX_WEIGHT ((int64_t)1 << 54)

typedef struct irl_verify_replay {
  irl_env *env;
  const irl_data *data;
  const irl_rule *rule;
  int threads;
  irl_verify_text text;
  irl_verify_meter meter;
  irl_scope *scope;         /* what it is about, */
  irl_verify_limits limits; /* and the same in numbers */
  irl_verify_weights weights;
  uint64_t min_cases, max_controls; /* by what samples weigh, not by what their class does */
  irl_verify_view all;
  bool is_merged;
  int64_t offset; /* that every rule loses */
  /* Refuted clauses: each is in no better rule together with those of the path. */
  struct {
    IRL_ARRAY(irl_literal)
  } refuted; /* room for M literals of each */
  struct {
    IRL_ARRAY(uint32_t)
  } refuted_sizes;
  irl_verify_result *result;
  bool is_rejected;
} irl_verify_replay;

/* The certificate is wrong there; the first reason counts. False, for those who say so too. */
bool irl_verify_reject(irl_verify_replay *v, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool irl_verify_expect_line(irl_verify_replay *v);
/* The next line has exactly these words; '#' stands for a number, which goes to `numbers`. */
bool irl_verify_expect(irl_verify_replay *v, const char *pattern, uint64_t *numbers);
/* A limit came: the certificate is neither valid nor invalid. */
irl_status irl_verify_cut(irl_verify_replay *v);
/* What came, in the result. */
void irl_verify_name_cut(irl_verify_replay *v);
/* Version and scope. */
irl_status irl_verify_read_head(irl_verify_replay *v);
/* Do the limits and weights say what the scope says? */
void irl_verify_check_claim(irl_verify_replay *v);
irl_status irl_verify_read_data(irl_verify_replay *v);
void irl_verify_read_limits(irl_verify_replay *v);
/* A line "clause" with literals: 1 and more of them. */
bool irl_verify_read_clause(irl_verify_replay *v, irl_literal *literals, uint32_t *n);
/* Literals from word `at` on up to a word that is none; false: not ascending literals of features.
 */
bool irl_verify_read_literals(const irl_verify_replay *v, uint32_t *at, irl_literal *literals,
                              uint32_t *n);
/* The rule that the certificate has, in place of one that is given; its lines are read again. */
irl_status irl_verify_read_rule(irl_verify_replay *v);
/* That the rules after this line are all of at most that loss; verify_all.c. */
irl_status irl_verify_check_all(irl_verify_replay *v, size_t line, uint64_t most, uint64_t n);
/* Nothing is selected yet. */
irl_status irl_verify_make_root(irl_verify_replay *v, irl_verify_state *state);
/* From the samples as they are, on which the rule was weighed, to merged ones. */
irl_status irl_verify_merge(irl_verify_replay *v);
/* The rule's own clauses one after the other: its loss is the one claimed. */
irl_status irl_verify_check_rule(irl_verify_replay *v);

#endif
