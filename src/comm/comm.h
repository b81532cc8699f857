/* Several processes on one job: the few things that they do together.
 *
 * The first member (rank 0) runs the job as if it were alone: it alone has the clock, the log, the
 * files that are written, and takes every decision. The others serve it. What needs their parts of
 * the data is a call: the first member sends a code and a message, and then all of them run the
 * same function in step, which uses the operations below in the same order everywhere. So no
 * result depends on how many they are, and a job alone is the same code with a team of one.
 *
 * A member that fails inside a call (out of memory, a file that it cannot read) must not leave the
 * others waiting: before each operation that follows something that can fail, all say how they
 * fared (irl_comm_agree) and all fail together, with the sentence of the first that failed.
 *
 * The operations themselves are the caller's (`irl_comm` in ireland.h): MPI in src/mpi, threads in
 * the tests. */
#ifndef IRL_COMM_COMM_H
#define IRL_COMM_COMM_H

#include "base/limit.h"

/* What the first member asks of the others. */
typedef enum irl_comm_code {
  IRL_COMM_END,
  IRL_COMM_READ,
  IRL_COMM_COPY,
  IRL_COMM_DROP,
  IRL_COMM_COLUMNS,
  IRL_COMM_COUNT,
  IRL_COMM_MODEL,
  IRL_COMM_HEURISTIC,
  IRL_COMM_PROVE,
  IRL_COMM_ENUMERATE,
  IRL_COMM_SELECT,
  IRL_COMM_HELLO = 0x68656c6c /* the first call, the same in all versions */
} irl_comm_code;

/* Things that every member has its own part or copy of, under one number. */
typedef struct irl_comm_object {
  uint64_t id;
  void *item;
  void (*free)(void *item);
} irl_comm_object;

struct irl_comm_state {
  irl_comm comm;
  uint64_t last_id;
  irl_comm_object *things; /* of the others */
  size_t n_things, capacity;
  bool has_greeted;    /* the others were asked what they are, */
  irl_status greeting; /* with this answer */
  bool is_lost;        /* a member is gone: nothing is sent any more */
  bool is_over;        /* the others were sent away */
};

/* Are there others? */
static inline bool irl_comm_is_parallel(const irl_env *env) {
  return env->comm && env->comm->comm.size > 1;
}
static inline int irl_comm_rank(const irl_env *env) {
  return env->comm ? env->comm->comm.rank : 0;
}
static inline int irl_comm_size(const irl_env *env) {
  return env->comm ? env->comm->comm.size : 1;
}

/* A message: numbers and bytes, one after the other. Out of memory and reading beyond the end are
 * remembered. */
typedef struct irl_message {
  irl_allocator allocator;
  char *bytes;
  size_t n, capacity, at;
  bool failed;
} irl_message;

void irl_message_init(irl_message *message, const irl_env *env);
void irl_message_free(irl_message *message);
void irl_message_put(irl_message *message, const void *bytes, size_t n);
void irl_message_put_number(irl_message *message, uint64_t number);
/* NULL stays NULL. */
void irl_message_put_text(irl_message *message, const char *text);
/* Bytes in the message, or NULL; they are not aligned. */
const void *irl_message_get(irl_message *message, size_t n);
uint64_t irl_message_get_number(irl_message *message);
const char *irl_message_get_text(irl_message *message);

/* A limit: work, the seconds that are left, and memory, which each member counts for itself from
 * where it began to serve. A member that had too much in an earlier call is asked anew. */
void irl_limit_put(irl_message *message, const irl_limit *limit);
void irl_limit_get(irl_message *message, const irl_env *env, irl_limit *limit);

/* What a message means is the business of one version: before its first call a first member asks
 * the others whether they are of its own, and if one is not, nothing is asked of them but to end.
 */
#define IRL_COMM_MAX_BUILD 80
void irl_comm_name_build(char name[IRL_COMM_MAX_BUILD]);
/* What the others answer. */
irl_status irl_comm_serve_hello(irl_env *env, irl_message *message);

/* From the first member to the others: what comes next. */
irl_status irl_comm_call(irl_env *env, irl_comm_code code, const irl_message *message);
/* The others wait for it. */
irl_status irl_comm_listen(irl_env *env, irl_comm_code *code, irl_message *message);

/* In step. */
irl_status irl_comm_agree(irl_env *env, irl_status status);
irl_status irl_comm_broadcast(irl_env *env, int root, void *bytes, size_t n);
irl_status irl_comm_allreduce(irl_env *env, uint64_t *numbers, size_t n);
/* What the first member thinks; and yes if one of them has more memory than the limit allows, which
 * then ends the job as if the first had it. */
irl_status irl_comm_any(irl_env *env, bool *yes);
/* Everybody's bytes, rank after rank; `sizes` are known to all. */
irl_status irl_comm_allgatherv(irl_env *env, const void *mine, void *all, const size_t *sizes);
/* The same where only the own size is known; *all is allocated, *sizes too (one block each). */
irl_status irl_comm_allgather_sizes(irl_env *env, const void *mine, size_t n, void **all,
                                    size_t **sizes);
/* To each member its bytes, from each member ours. */
irl_status irl_comm_alltoallv(irl_env *env, const void *out, const size_t *out_sizes, void *in,
                              const size_t *in_sizes);
/* The next number that nobody has, from 0; `restart` by the first member, between two operations.
 */
uint64_t irl_comm_fetch_add(const irl_env *env);
void irl_comm_reset_counter(const irl_env *env);

/* Things by number: the first member draws one and sends it, the others keep theirs under it. */
uint64_t irl_comm_new_id(irl_env *env);
irl_status irl_comm_keep(irl_env *env, uint64_t id, void *item, void (*free)(void *item));
/* NULL: there is none; that is an error of the program. */
void *irl_comm_find(const irl_env *env, uint64_t id);
void irl_comm_drop(irl_env *env, uint64_t id);
void irl_comm_drop_all(irl_env *env);
/* The first member is done with a thing: the others drop theirs. */
void irl_comm_forget(irl_env *env, uint64_t id);

#endif
