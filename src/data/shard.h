/* Divided data: each process holds a part of the bits, all hold names, labels and sizes.
 *
 * The processes form a grid of F rows and S columns, rank = row * S + column. A row has a block of
 * the features, a column a block of the samples (whole blocks of 512, of the cases and of the
 * controls apart): a process holds, of the features of its row, the samples of its column. Where a
 * search needs whole columns, the processes of a row turn theirs around so that each has 1/S of the
 * row's features over all samples, its own features: these are divided over all processes and stand
 * in the order of the ranks.
 *
 * The first process has read the data and keeps all of them besides its part. In the others the
 * matrices of a divided data set have sizes but no words, and features have numbers for names. */
#ifndef IRL_DATA_SHARD_H
#define IRL_DATA_SHARD_H

#include "comm/comm.h"
#include "data/source.h"

typedef struct irl_range {
  size_t first, last; /* the last is not in it */
} irl_range;

static inline size_t irl_range_size(irl_range range) {
  return range.last - range.first;
}

struct irl_shard {
  irl_env *env; /* whose communicator it is */
  uint64_t id;
  uint32_t rows, columns;  /* of the grid */
  irl_range features, own; /* that are held; that are this process's to turn around */
  irl_range words[2];      /* of a vector that are held: cases, controls */
  irl_bits_matrix held[2];
};

/* Who turns this feature around. */
int irl_shard_owner(const irl_data *data, uint32_t feature);

/* What does not work on parts: the option that asks for it, NULL if there is none. */
const char *irl_shard_needs_whole(const irl_options *options);
/* Divides the data of the first process, which calls this, over all. The plan and the memory that
 * it takes are logged; more than there is, is refused. The options of the source count. */
irl_status irl_shard_divide(irl_env *env, const irl_source *source, irl_data *data);
/* An empty part of data under that number: the plan and its memory. Collective. */
irl_status irl_shard_create(irl_env *env, const irl_source *source, uint64_t id, irl_data *data);
void irl_shard_free(irl_shard *shard);

/* Each feature's live cases in the low half, controls in the high one; NULL: all are live.
 * Collective.
 */
irl_status irl_shard_count(irl_env *env, const irl_data *data, const uint64_t *live_cases,
                           const uint64_t *live_controls, uint64_t *counts);
/* Counts of any data, by the first process, with masks. */
irl_status irl_data_count(irl_env *env, const irl_data *data, const uint64_t *live_cases,
                          const uint64_t *live_controls, int threads, uint64_t *counts);

/* Own features over all samples, a batch at a time: the same number of batches for all. `visit`
 * gets a feature and its two vectors. Collective. */
typedef void (*irl_shard_visit)(void *user, uint32_t feature, const uint64_t *cases,
                                const uint64_t *controls);
irl_status irl_shard_transpose(irl_env *env, const irl_data *data, irl_shard_visit visit,
                               void *user);

/* A copy in the first process that is not divided. */
irl_status irl_shard_whole(irl_env *env, const irl_data *data, irl_data **whole);
/* Whole data of the first process for all processes, under a number. */
irl_status irl_shard_copy(irl_env *env, irl_data *data);

/* What the others do when they are called. */
irl_status irl_shard_serve(irl_env *env, irl_comm_code code, irl_message *message);

#endif
