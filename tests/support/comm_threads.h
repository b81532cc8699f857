/* A team of threads in one process: the operations of irl_comm over shared memory and a barrier. */
#ifndef TEAM_THREADS_H
#define TEAM_THREADS_H

#include "base/memory.h"
#include "data/shard.h"
#include "ireland.h"
#include "ireland_comm.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TEAM_MAX 8

typedef struct team_shared {
  int size;
  pthread_barrier_t barrier;
  const void *out[TEAM_MAX];
  const size_t *sizes[TEAM_MAX];
  atomic_ullong counter;
  atomic_int fails_after; /* operations of the last member until it is lost; negative: never */
} team_shared;

typedef struct team_member {
  team_shared *shared;
  int rank;
} team_member;

static inline bool team_meet(team_member *m) {
  if (m->rank == m->shared->size - 1) atomic_fetch_sub(&m->shared->fails_after, 1);
  pthread_barrier_wait(&m->shared->barrier);
  return atomic_load(&m->shared->fails_after) != 0;
}

static inline bool team_broadcast(void *user, int root, void *bytes, size_t n) {
  team_member *m = user;
  if (m->rank == root) m->shared->out[root] = bytes;
  if (!team_meet(m)) return false;
  if (m->rank != root) memcpy(bytes, m->shared->out[root], n);
  pthread_barrier_wait(&m->shared->barrier);
  return true;
}

static inline bool team_sum(void *user, uint64_t *numbers, size_t n) {
  team_member *m = user;
  uint64_t *mine = malloc(n * sizeof *mine + 1);
  memcpy(mine, numbers, n * sizeof *mine);
  m->shared->out[m->rank] = mine;
  const bool is_there = team_meet(m);
  memset(numbers, 0, n * sizeof *numbers);
  for (int r = 0; is_there && r < m->shared->size; r++)
    for (size_t i = 0; i < n; i++) numbers[i] += ((const uint64_t *)m->shared->out[r])[i];
  pthread_barrier_wait(&m->shared->barrier);
  free(mine);
  return is_there;
}

static inline bool team_gather(void *user, const void *mine, void *all, const size_t *sizes) {
  team_member *m = user;
  m->shared->out[m->rank] = mine;
  const bool is_there = team_meet(m);
  char *at = all;
  for (int r = 0; is_there && r < m->shared->size; at += sizes[r++])
    if (sizes[r]) memcpy(at, m->shared->out[r], sizes[r]);
  pthread_barrier_wait(&m->shared->barrier);
  return is_there;
}

static inline bool team_exchange(void *user, const void *out, const size_t *out_sizes, void *in,
                                 const size_t *in_sizes) {
  team_member *m = user;
  m->shared->out[m->rank] = out;
  m->shared->sizes[m->rank] = out_sizes;
  const bool is_there = team_meet(m);
  char *at = in;
  for (int r = 0; is_there && r < m->shared->size; at += in_sizes[r++]) {
    const char *from = m->shared->out[r];
    for (int before = 0; before < m->rank; before++) from += m->shared->sizes[r][before];
    if (in_sizes[r]) memcpy(at, from, in_sizes[r]);
  }
  pthread_barrier_wait(&m->shared->barrier);
  return is_there;
}

static inline uint64_t team_take(void *user) {
  return atomic_fetch_add(&((team_member *)user)->shared->counter, 1);
}

static inline void team_restart(void *user) {
  atomic_store(&((team_member *)user)->shared->counter, 0);
}

static inline irl_comm team_ways(team_member *m) {
  return (irl_comm){.size = sizeof(irl_comm),
                    .rank = m->rank,
                    .n_processes = m->shared->size,
                    .on_this_machine = m->shared->size,
                    .user = m,
                    .broadcast = team_broadcast,
                    .allreduce = team_sum,
                    .allgatherv = team_gather,
                    .alltoallv = team_exchange,
                    .fetch_add = team_take,
                    .reset_counter = team_restart};
}

static inline void *team_serve(void *user) {
  const irl_comm comm = team_ways(user);
  irl_env *env;
  if (irl_env_create(NULL, &env)) abort();
  if (irl_env_set_comm(env, &comm)) abort();
  irl_comm_serve(env);
  irl_env_free(env);
  return NULL;
}

typedef struct team_run {
  team_shared shared;
  team_member members[TEAM_MAX];
  pthread_t threads[TEAM_MAX];
} team_run;

/* The others begin to serve; the first member's env joins the team. */
static inline void team_begin_with(team_run *run, irl_env *env, int size, int fails_after,
                                   void *(*serve)(void *)) {
  run->shared.size = size;
  atomic_init(&run->shared.counter, 0);
  atomic_init(&run->shared.fails_after, fails_after);
  pthread_barrier_init(&run->shared.barrier, NULL, (unsigned)size);
  for (int r = 0; r < size; r++) run->members[r] = (team_member){&run->shared, r};
  const irl_comm comm = team_ways(&run->members[0]);
  if (irl_env_set_comm(env, &comm)) abort();
  for (int r = 1; r < size; r++) pthread_create(&run->threads[r], NULL, serve, &run->members[r]);
}

static inline void team_begin(team_run *run, irl_env *env, int size, int fails_after) {
  team_begin_with(run, env, size, fails_after, team_serve);
}

static inline void team_finish(team_run *run, irl_env *env) {
  irl_comm_end(env);
  for (int r = 1; r < run->shared.size; r++) pthread_join(run->threads[r], NULL);
  irl_env_set_comm(env, NULL);
  pthread_barrier_destroy(&run->shared.barrier);
}

/* Of counts that all members make of the bits of two samples in three. */
static inline uint64_t counts_checksum(irl_env *env, const irl_data *data) {
  const size_t words = data->cases.stride + data->controls.stride;
  uint64_t *live = irl_mem_alloc_aligned(&env->allocator, words, sizeof *live);
  uint64_t *counts = calloc(data->n_features + 1, sizeof *counts), sum = 0;
  if (!live || !counts) abort();
  for (size_t i = 0; i < words; i++) live[i] = 0xdb6db6db6db6db6d << i % 3;
  if (irl_data_count(env, data, live, live + data->cases.stride, 1, counts)) sum = 1;
  for (uint32_t j = 0; j < data->n_features; j++) sum = sum * 0x9e3779b97f4a7c15 + counts[j];
  irl_mem_free_aligned(&env->allocator, live);
  free(counts);
  return sum;
}

#endif
