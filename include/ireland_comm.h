/* Several processes that learn together. */
#ifndef IRELAND_COMM_H
#define IRELAND_COMM_H

#include "ireland.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- communicators ------------------------------------------------------------------------ */

/* Several processes (or threads with an env each) that learn together, each holding a part of the
 * data. The caller brings the collectives; all processes enter them in the same order. They return
 * false if a process has ended, and are not called any more then.
 *
 * The root (rank 0) sets the communicator for its env and uses the library as ever: data that it
 * reads from files is divided, and irl_fit, irl_fit_for_curve, irl_clause_solve, irl_evaluate and
 * irl_predict work on the parts, with the same results as alone. The other processes call
 * irl_comm_serve meanwhile. A divided data set belongs to its env. */
typedef struct irl_comm {
  size_t size;
  int rank, n_processes;
  int on_this_machine; /* processes that share its memory */
  void *user;
  /* `n` bytes of rank `root` to all. */
  bool (*broadcast)(void *user, int root, void *bytes, size_t n);
  /* Each number becomes the sum over all processes. */
  bool (*allreduce)(void *user, uint64_t *numbers, size_t n);
  /* The bytes of all processes, sizes[i] of rank i, one after the other, to all. */
  bool (*allgatherv)(void *user, const void *mine, void *all, const size_t *sizes);
  /* out_sizes[i] bytes to rank i, one after the other in `out`; in_sizes[i] from rank i. */
  bool (*alltoallv)(void *user, const void *out, const size_t *out_sizes, void *in,
                    const size_t *in_sizes);
  /* The next number of a shared counter: 0, 1, 2, ... Called from any thread. */
  uint64_t (*fetch_add)(void *user);
  void (*reset_counter)(void *user);
} irl_comm;

/* NULL: one process. The collectives are copied, not `user`. */
IRL_API irl_status irl_env_set_comm(irl_env *env, const irl_comm *comm);
/* What all processes but the root do, until the root ends it. */
IRL_API irl_status irl_comm_serve(irl_env *env);
/* By the root, after its last job: the other processes return from irl_comm_serve. */
IRL_API irl_status irl_comm_end(irl_env *env);

#ifdef __cplusplus
}
#endif
#endif
