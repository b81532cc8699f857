/* Several processes on one job: a communicator and its collectives.
 *
 * The root (rank 0) runs the job as if it were alone: it alone has the clock, the log and the files
 * that are written, and takes every decision. The other processes serve it. What needs their parts
 * of the data is a call: the root broadcasts a code and a message, and then all processes run the
 * same function, which enters the same collectives in the same order everywhere. So no result
 * depends on the number of processes, and a job alone is the same code with a communicator of size
 * one.
 *
 * A process that fails inside a call (out of memory, a file that it cannot read) must not leave the
 * others waiting: before each collective that follows something that can fail, all processes tell
 * their status (irl_comm_agree) and all fail together, with the sentence of the lowest rank that
 * failed.
 *
 * The collectives themselves are the caller's (`irl_comm` in ireland_comm.h): MPI in src/mpi,
 * threads in the tests. */
#ifndef IRL_COMM_COMM_H
#define IRL_COMM_COMM_H

#include "base/array.h"
#include "base/limit.h"
#include "ireland_comm.h"

/* What the root calls the other processes for. */
typedef enum irl_comm_code {
  IRL_COMM_END,
  IRL_COMM_DIVIDE,
  IRL_COMM_COPY,
  IRL_COMM_DROP,
  IRL_COMM_COUNT,
  IRL_COMM_MODEL,
  IRL_COMM_HEURISTIC,
  IRL_COMM_PROVE,
  IRL_COMM_ENUMERATE,
  IRL_COMM_SELECT,
  IRL_COMM_HELLO = 0x68656c6c /* the first call, the same in all versions */
} irl_comm_code;

/* Objects that every process has its own part or copy of, under one id. */
typedef struct irl_comm_object {
  uint64_t id;
  void *item;
  void (*free)(void *item);
} irl_comm_object;

struct irl_comm_state {
  irl_comm comm;
  uint64_t last_id;
  struct {
    IRL_ARRAY(irl_comm_object)
  } objects;           /* of processes that serve */
  bool has_greeted;    /* the processes were asked for their builds */
  irl_status greeting; /* how that went */
  bool is_lost;        /* a process has ended: no collective is entered any more */
  bool is_over;        /* the processes that serve were told to end */
};

/* Are there several processes? */
static inline bool irl_comm_is_parallel(const irl_env *env) {
  return env->comm && env->comm->comm.n_processes > 1;
}
static inline int irl_comm_rank(const irl_env *env) {
  return env->comm ? env->comm->comm.rank : 0;
}
static inline int irl_comm_size(const irl_env *env) {
  return env->comm ? env->comm->comm.n_processes : 1;
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
/* The next n bytes to `to`, for values of any type: all processes are of one build. False: the
 * message ends before, and nothing is written. */
bool irl_message_copy(irl_message *message, void *to, size_t n);
uint64_t irl_message_get_number(irl_message *message);
const char *irl_message_get_text(irl_message *message);

/* A limit: work, the seconds that are left, and memory, which each process counts for itself from
 * where it began to serve. One that had too much in an earlier call starts afresh. */
void irl_limit_put(irl_message *message, const irl_limit *limit);
void irl_limit_get(irl_message *message, const irl_env *env, irl_limit *limit);

/* What a message means is the business of one build: before its first call the root asks all
 * processes whether they are of its own build, and if one is not, they are called to end only. */
#define IRL_COMM_MAX_BUILD 80
void irl_comm_name_build(char name[IRL_COMM_MAX_BUILD]);
/* The reply of a process that serves. */
irl_status irl_comm_serve_hello(irl_env *env, irl_message *message);

/* The root broadcasts a call. */
irl_status irl_comm_call(irl_env *env, irl_comm_code code, const irl_message *message);
/* The root broadcasts a call that all begin by agreeing whether they can; frees the message. */
irl_status irl_comm_call_and_agree(irl_env *env, irl_comm_code code, irl_message *message);
/* The other processes wait for it. */
irl_status irl_comm_listen(irl_env *env, irl_comm_code *code, irl_message *message);

/* Collectives: every process of the communicator enters them, in the same order. irl_comm_agree
 * gives all processes the status of the lowest rank that failed. */
irl_status irl_comm_agree(irl_env *env, irl_status status);
irl_status irl_comm_broadcast(irl_env *env, int root, void *bytes, size_t n);
irl_status irl_comm_allreduce(irl_env *env, uint64_t *numbers, size_t n);
/* What the root says, for all; yes too if a process has more memory than the limit allows, which
 * then ends the job as if the root had it. */
irl_status irl_comm_any(irl_env *env, bool *yes);
/* The bytes of all processes, rank after rank; `sizes` are known to all. */
irl_status irl_comm_allgatherv(irl_env *env, const void *mine, void *all, const size_t *sizes);
/* An allgatherv where each process knows its own size only; *all and *sizes are allocated here. */
irl_status irl_comm_allgather_sizes(irl_env *env, const void *mine, size_t n, void **all,
                                    size_t **sizes);
/* out_sizes[i] bytes to rank i, in_sizes[i] bytes from rank i. */
irl_status irl_comm_alltoallv(irl_env *env, const void *out, const size_t *out_sizes, void *in,
                              const size_t *in_sizes);
/* A shared counter from 0: each call, of any process and thread, gets the next number. The root
 * resets it between two collectives. */
uint64_t irl_comm_fetch_add(const irl_env *env);
void irl_comm_reset_counter(const irl_env *env);

/* Objects by id: the root draws one and sends it, the other processes keep theirs under it. */
uint64_t irl_comm_new_id(irl_env *env);
irl_status irl_comm_keep(irl_env *env, uint64_t id, void *item, void (*free)(void *item));
/* NULL: there is none; that is an error of the program. */
void *irl_comm_find(const irl_env *env, uint64_t id);
void irl_comm_drop(irl_env *env, uint64_t id);
void irl_comm_drop_all(irl_env *env);
/* The root is done with an object: the other processes drop theirs. */
void irl_comm_forget(irl_env *env, uint64_t id);

#endif
