/* Divided data: each process holds a part of the bits, all hold names, labels and sizes.
 *
 * The processes form a grid of F rows and S columns, rank = row * S + column. A row has a block of
 * the features, a column a block of the samples (whole blocks of 512, of the cases and of the
 * controls apart): a process holds, of the features of its row, the samples of its column. Where a
 * search needs whole columns, the processes of a row turn theirs around so that each has 1/S of the
 * row's features over all samples, its own features: these are divided over all processes and stand
 * in the order of the ranks.
 *
 * The matrices of a divided data set have sizes but no words. Whoever needs a feature's bits asks
 * for them (irl_literals_want), and then finds them by irl_data_column: on whole data that is the
 * vector itself, here a copy in a cache of the first process. */
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

typedef struct irl_data_cache irl_data_cache;
void irl_data_cache_free(irl_data_cache *cache, const irl_allocator *allocator);

struct irl_shard {
  irl_env *env; /* whose communicator it is */
  uint64_t id;
  uint32_t rows, columns;  /* of the grid */
  irl_range features, own; /* that are held; that are this process's to turn around */
  irl_range words[2];      /* of a vector that are held: cases, controls */
  irl_bits_matrix held[2];
  irl_data_cache *cache;      /* of the first process */
  uint64_t ones, least, most; /* in all features, in the sparsest and in the densest */
  bool varies;                /* is any feature not constant? */
  uint64_t hashes[2];         /* XXH3 of the whole matrices; the first process has them */
};

/* Block b of n things in B blocks. */
irl_range irl_range_block(size_t n, size_t b, size_t B);
/* Batch b of a range, `size` things each but for the last ones, which may be empty. */
irl_range irl_range_batch(irl_range range, size_t size, size_t b);
/* The features that process `rank` holds some samples of. */
irl_range irl_shard_held(const irl_data *data, int rank);
/* The words of cases (0) or controls (1) that it holds. */
irl_range irl_shard_words(const irl_data *data, int rank, int class);
/* Who turns this feature around. */
int irl_shard_owner(const irl_data *data, uint32_t feature);

/* What does not work on parts: the option that asks for it, NULL if there is none. */
const char *irl_shard_needs_whole(const irl_options *options);
/* Can this file be divided? */
bool irl_shard_may_read(irl_env *env, const irl_source *source);
/* Reads a file in parts; by the first process. *data stays NULL if the file turns out to be none
 * that can be divided. */
irl_status irl_shard_read(irl_env *env, const irl_source *source, irl_data **data);
/* The formats, collectively; a CSV file may turn out to be none of 0/1. */
irl_status irl_irb_read_shard(irl_env *env, const irl_source *source, irl_data **data);
irl_status irl_plink_read_shard(irl_env *env, const irl_source *source, irl_data **data);
irl_status irl_csv_read_shard(irl_env *env, const irl_source *source, irl_data **data);
/* Fails unless all have the same hash, that of a file or of what stands for it. Collective. */
irl_status irl_shard_compare(irl_env *env, const char *path, uint64_t hash);
/* A divided data set without bits: plan and memory, which is stated, and refused if it is more than
 * there is. Collective. */
irl_status irl_shard_create(irl_env *env, const irl_source *source, irl_data *data);
/* The hashes of the matrices, for the first process, through which all columns go once. Collective.
 */
irl_status irl_shard_hash(irl_env *env, const irl_data *data);
/* All parts are there: sums them up. Collective. */
irl_status irl_shard_finish(irl_env *env, irl_data *data);
void irl_shard_free(irl_shard *shard);
void irl_shard_swap_classes(irl_shard *shard);

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

/* A feature's words as they are held, cases then controls, to `to`; returns what follows. */
char *irl_shard_put(const irl_shard *shard, size_t feature, char *to);
/* The words of a process in that column of the grid, into whole vectors; returns what follows. */
const char *irl_shard_get(const irl_data *data, uint32_t column, const char *from, uint64_t *cases,
                          uint64_t *controls);
/* How many bytes that are. */
size_t irl_shard_vector_bytes(const irl_data *data, uint32_t column);

/* These features into the cache. The first IRL_SHARD_WANTED of them
 * are there afterwards, more if there is room. */
#define IRL_SHARD_WANTED 256u
irl_status irl_shard_want(irl_env *env, const irl_data *data, const uint32_t *features, size_t n);
const uint64_t *irl_shard_column(const irl_data *data, bool is_control, uint32_t feature);

/* The bits of a feature over the cases or the controls. */
static inline const uint64_t *irl_data_column(const irl_data *data, bool is_control,
                                              uint32_t feature) {
  if (data->shard) return irl_shard_column(data, is_control, feature);
  return irl_bits_vector(is_control ? &data->controls : &data->cases, feature);
}

/* A whole copy for the first process, which must have the memory. */
irl_status irl_shard_whole(irl_env *env, const irl_data *data, const char *why, irl_data **whole);
/* Whole data of the first process for all processes, under a number. */
irl_status irl_shard_copy(irl_env *env, irl_data *data);

/* What the others do when they are called. */
void irl_shard_free_item(void *data); /* irl_data_free */
irl_status irl_shard_serve_read(irl_env *env, irl_message *message);
irl_status irl_shard_serve(irl_env *env, irl_comm_code code, irl_message *message);

#endif
