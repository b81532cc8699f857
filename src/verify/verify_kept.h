/* The node of a proof on few cases: verify_kept.c, verify_kept_list.c. */
#ifndef IRL_VERIFY_VERIFY_KEPT_H
#define IRL_VERIFY_VERIFY_KEPT_H

#include "bits/bits.h"
#include "verify/verify_replay.h"

/* What the clauses of the list have. */
typedef struct irl_verify_kept {
  const uint64_t *live;  /* all samples, as a column */
  const uint64_t *cases; /* the kept cases, as a column */
  uint32_t n;            /* their number */
  uint32_t least;        /* that a clause covers */
  int64_t max_controls;  /* weight */
  uint32_t max_size;
  const irl_verify_wanted *wanted; /* what else is asked of them; NULL: nothing */
  int64_t largest;                 /* value that they may have then */
  int threads;
} irl_verify_kept;

/* *is_above: one has a larger value, and the list is not whole. */
irl_status irl_verify_kept_list(irl_env *env, const irl_verify_view *view,
                                const irl_verify_kept *kept, irl_verify_pool *pool, bool *is_above);

/* The wanted clauses of verify_parts.h by rows, if they have to cover several of not too many cases
 * that weigh the same: of what `kept` has to say sets n, least, and what is wanted; it has live
 * samples and cases. False: it is not for that. */
bool irl_verify_kept_ask(const irl_verify_view *view, const irl_verify_wanted *wanted,
                         irl_verify_kept *kept);

/* The root of a proof, whose line says that at least `least` cases of a set in hexadecimal are
 * covered by each clause of the list. */
typedef struct irl_verify_kept_node {
  size_t line;
  uint64_t least;
  const char *digits;
  size_t n_digits;
} irl_verify_kept_node;

irl_status irl_verify_check_kept(irl_verify_replay *v, const irl_verify_kept_node *at,
                                 const irl_verify_state *root);

#endif
