/* The checksums of divided data that no file stores: those of the whole matrices, so that
 * several processes and one alone mean the same data by them, in `info` and in the keys of
 * checkpoints. The columns of all features go through the first process once, in order, some at a
 * time. */
#include "base/endian.h"
#include "data/shard.h"
#include <xxhash.h>

#define HASH_BYTES ((size_t)16 << 20) /* of vectors at a time, about */

/* A batch of features and, at the first process, their vectors and a state for each matrix. */
typedef struct hashing {
  uint32_t batch;
  uint32_t features[IRL_SHARD_WANTED];
  uint64_t *vectors[2][IRL_SHARD_WANTED];
  irl_bits_matrix columns[2];
  XXH3_state_t *states[2];
} hashing;

static irl_status init_class(irl_env *env, const irl_data *data, hashing *h, int class) {
  const irl_status status = irl_bits_matrix_init(env, &h->columns[class], h->batch,
                                                 class ? data->n_controls : data->n_cases);
  if (status) return status;
  for (uint32_t i = 0; i < h->batch; i++)
    h->vectors[class][i] = irl_bits_vector(&h->columns[class], i);
  h->states[class] = XXH3_createState();
  if (!h->states[class]) return irl_fail_memory(env);
  XXH3_64bits_reset(h->states[class]);
  return IRL_OK;
}

static irl_status hashing_init(irl_env *env, const irl_data *data, hashing *h) {
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const size_t n = HASH_BYTES / bytes + 1;
  *h = (hashing){.batch = n < IRL_SHARD_WANTED ? (uint32_t)n : IRL_SHARD_WANTED};
  if (irl_comm_rank(env)) return IRL_OK;
  const irl_status status = init_class(env, data, h, 0);
  return status ? status : init_class(env, data, h, 1);
}

/* The features from `first` on. Collective. */
static irl_status hash_batch(irl_env *env, const irl_data *data, hashing *h, uint32_t first) {
  const uint32_t left = data->n_features - first, n = left < h->batch ? left : h->batch;
  for (uint32_t i = 0; i < n; i++) h->features[i] = first + i;
  const irl_status status = irl_shard_send(env, data, h->features, n, h->vectors[0], h->vectors[1]);
  for (int class = 0; class < 2 && !status && h->states[class]; class ++) {
    const size_t n_words = n * h->columns[class].stride;
    irl_endian_convert(h->columns[class].words, n_words);
    XXH3_64bits_update(h->states[class], h->columns[class].words, n_words * sizeof(uint64_t));
  }
  return status;
}

irl_status irl_shard_hash(irl_env *env, const irl_data *data) {
  hashing h;
  irl_status status = irl_comm_agree(env, hashing_init(env, data, &h));
  for (uint32_t first = 0; first < data->n_features && !status; first += h.batch)
    status = hash_batch(env, data, &h, first);
  for (int class = 0; class < 2 && !status && h.states[class]; class ++)
    data->shard->hashes[class] = XXH3_64bits_digest(h.states[class]);
  for (int class = 0; class < 2; class ++) {
    irl_bits_matrix_free(&h.columns[class]);
    XXH3_freeState(h.states[class]);
  }
  return status;
}
