/* What the first process gets from the parts: columns of features, into a cache or into a whole
 * copy of the data; and copies of its own for the others.
 *
 * The cache is a ring: a column that is not there takes the place of the oldest one, unless that
 * one is asked for at the same time.
 *
 * The checksums of divided data that no file stores are those of the whole matrices, so that
 * several processes and one alone mean the same data by them, in `info` and in the keys of
 * checkpoints. The columns of all features go through the first process once, in order, some at a
 * time. */
#include "base/endian.h"
#include "base/memory.h"
#include "data/shard.h"
#include <xxhash.h>

#define CACHE_BYTES                                                                                \
  ((size_t)64 << 20) /* unless columns are so long that fewer are asked for at once */
#define HASH_BYTES ((size_t)16 << 20) /* of vectors at a time, about */
#define NO_PLACE   UINT32_MAX

struct irl_data_cache {
  irl_bits_matrix columns[2];
  uint64_t *asked;   /* per place: the request that last asked for it; begins the one block of */
  uint32_t *feature; /* what is at each place, */
  uint32_t *place;   /* and the place of each feature; NO_PLACE: it is not there */
  uint32_t next;     /* place to be used */
  uint64_t request;
};

void irl_data_cache_free(irl_data_cache *cache, const irl_allocator *allocator) {
  if (!cache) return;
  irl_bits_matrix_free(&cache->columns[0]);
  irl_bits_matrix_free(&cache->columns[1]);
  irl_mem_free(allocator, cache->asked);
  irl_mem_free(allocator, cache);
}

static irl_status make_cache(irl_env *env, const irl_data *data) {
  const size_t words = data->cases.stride + data->controls.stride;
  size_t n = CACHE_BYTES / (words * sizeof(uint64_t));
  if (n < 2 * IRL_SHARD_WANTED) n = 2 * IRL_SHARD_WANTED;
  if (n > data->n_features) n = data->n_features;
  irl_data_cache *cache = irl_mem_alloc(&env->allocator, 1, sizeof *cache);
  if (!cache) return irl_fail_memory(env);
  const size_t n_all = n + (n + data->n_features + 1) / 2;
  cache->asked = irl_mem_alloc(&env->allocator, n_all, sizeof *cache->asked);
  irl_status status = cache->asked ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status) status = irl_bits_matrix_init(env, &cache->columns[0], n, data->n_cases);
  if (!status) status = irl_bits_matrix_init(env, &cache->columns[1], n, data->n_controls);
  if (status) {
    irl_data_cache_free(cache, &env->allocator);
    return status;
  }
  cache->feature = (uint32_t *)(cache->asked + n);
  cache->place = cache->feature + n;
  memset(cache->feature, 0xff, (n + data->n_features) * sizeof *cache->feature);
  data->shard->cache = cache;
  return IRL_STATUS_OK;
}

/* ---- columns ---- */

static bool is_held_by(const irl_data *data, int rank, uint32_t feature) {
  const irl_range held = irl_shard_held(data, rank);
  return feature >= held.first && feature < held.last;
}

/* Where the words of each feature go, for the first process. */
typedef struct places {
  uint64_t **cases, **controls;
} places;

/* All send what they hold of these features to the first. Collective. */
static irl_status send_columns(irl_env *env, const irl_data *data, const uint32_t *features,
                               size_t n, const places *to) {
  const int size = irl_comm_size(env), rank = irl_comm_rank(env);
  size_t *sizes = irl_mem_alloc(&env->allocator, 2 * (size_t)size, sizeof *sizes), total = 0;
  char *in = NULL, *out = NULL;
  for (int i = 0; i < size && sizes; i++) {
    const size_t each = irl_shard_vector_bytes(data, (uint32_t)i % data->shard->columns);
    for (size_t k = 0; k < n; k++) sizes[i] += is_held_by(data, i, features[k]) ? each : 0;
    total += sizes[i];
  }
  if (sizes) in = irl_mem_alloc(&env->allocator, rank ? 0 : total, 1);
  if (sizes) out = irl_mem_alloc(&env->allocator, sizes[rank], 1);
  irl_status status = irl_comm_agree(env, in && out ? IRL_STATUS_OK : irl_fail_memory(env));
  if (!status) {
    char *at = out;
    for (size_t k = 0; k < n; k++)
      if (is_held_by(data, rank, features[k])) at = irl_shard_put(data->shard, features[k], at);
    size_t *out_sizes = sizes + size; /* all to the first */
    out_sizes[0] = sizes[rank];
    if (rank) memset(sizes, 0, (size_t)size * sizeof *sizes);
    status = irl_comm_alltoallv(env, out, out_sizes, in, sizes);
  }
  const char *from = in;
  for (int i = 0; i < size && !status && !rank; i++)
    for (size_t k = 0; k < n; k++)
      if (is_held_by(data, i, features[k]))
        from = irl_shard_get(data, (uint32_t)i % data->shard->columns, from, to->cases[k],
                             to->controls[k]);
  irl_mem_free(&env->allocator, in);
  irl_mem_free(&env->allocator, out);
  irl_mem_free(&env->allocator, sizes);
  return status;
}

/* Some at a time, so that what comes in at once stays small. */
static irl_status ask_columns(irl_env *env, const irl_data *data, const uint32_t *features,
                              size_t n, const places *to) {
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const size_t most = CACHE_BYTES / (bytes + 1) + 1;
  irl_status status = IRL_STATUS_OK;
  for (size_t first = 0; first < n && !status; first += most) {
    const places part = {to->cases + first, to->controls + first};
    const size_t n_part = n - first < most ? n - first : most;
    irl_message message;
    irl_message_init(&message, env);
    irl_message_put_number(&message, data->shard->id);
    irl_message_put_number(&message, n_part);
    irl_message_put(&message, features + first, n_part * sizeof *features);
    status = irl_comm_call(env, IRL_COMM_COLUMNS, &message);
    irl_message_free(&message);
    if (!status) status = send_columns(env, data, features + first, n_part, &part);
  }
  return status;
}

/* ---- the cache ---- */

/* Marks what is there and gives places to the rest; returns how many are missing. */
static size_t find_missing(irl_data_cache *cache, const uint32_t *features, size_t n,
                           uint32_t *missing, const places *to) {
  const uint32_t n_places = (uint32_t)cache->columns[0].n_vectors;
  size_t n_missing = 0;
  cache->request++;
  for (size_t i = 0; i < n; i++)
    if (cache->place[features[i]] != NO_PLACE)
      cache->asked[cache->place[features[i]]] = cache->request;
  for (size_t i = 0; i < n; i++) {
    if (cache->place[features[i]] != NO_PLACE) continue;
    uint32_t at = cache->next, tried = 0;
    for (; tried < n_places && cache->asked[at] == cache->request; tried++)
      at = (at + 1) % n_places;
    if (tried == n_places) break; /* all of them are asked for now */
    cache->next = (at + 1) % n_places;
    if (cache->feature[at] != UINT32_MAX) cache->place[cache->feature[at]] = NO_PLACE;
    assert(at < n_places);
    cache->feature[at] = features[i];
    cache->place[features[i]] = at;
    cache->asked[at] = cache->request;
    to->cases[n_missing] = irl_bits_vector(&cache->columns[0], at);
    to->controls[n_missing] = irl_bits_vector(&cache->columns[1], at);
    missing[n_missing++] = features[i];
  }
  return n_missing;
}

irl_status irl_shard_want(irl_env *env, const irl_data *data, const uint32_t *features, size_t n) {
  irl_status status = data->shard->cache ? IRL_STATUS_OK : make_cache(env, data);
  if (status) return status;
  uint32_t *missing = irl_mem_alloc(&env->allocator, n, sizeof *missing);
  uint64_t **pointers = irl_mem_alloc(&env->allocator, 2 * n, sizeof *pointers);
  if (missing && pointers) {
    const places to = {pointers, pointers + n};
    const size_t n_missing = find_missing(data->shard->cache, features, n, missing, &to);
    if (n_missing) status = ask_columns(env, data, missing, n_missing, &to);
    for (size_t i = 0; status && i < n_missing; i++) { /* nothing came */
      data->shard->cache->feature[data->shard->cache->place[missing[i]]] = UINT32_MAX;
      data->shard->cache->place[missing[i]] = NO_PLACE;
    }
  } else {
    status = irl_fail_memory(env);
  }
  irl_mem_free(&env->allocator, missing);
  irl_mem_free(&env->allocator, pointers);
  return status;
}

const uint64_t *irl_shard_column(const irl_data *data, bool is_control, uint32_t feature) {
  const irl_data_cache *cache = data->shard->cache;
  assert(cache && cache->place[feature] != NO_PLACE);
  return irl_bits_vector(&cache->columns[is_control], cache->place[feature]);
}

/* ---- checksums ---- */

irl_status irl_shard_hash(irl_env *env, const irl_data *data) {
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const size_t most = HASH_BYTES / bytes + 1;
  const uint32_t batch = most < IRL_SHARD_WANTED ? (uint32_t)most : IRL_SHARD_WANTED;
  uint32_t features[IRL_SHARD_WANTED];
  uint64_t *vectors[2][IRL_SHARD_WANTED];
  const places to = {vectors[0], vectors[1]};
  irl_bits_matrix columns[2] = {{0}, {0}};
  XXH3_state_t *states[2] = {NULL, NULL};
  irl_status status = IRL_STATUS_OK;
  for (int class = 0; class < 2 && !status && !irl_comm_rank(env); class ++) {
    status =
        irl_bits_matrix_init(env, &columns[class], batch, class ? data->n_controls : data->n_cases);
    for (uint32_t i = 0; i < batch && !status; i++)
      vectors[class][i] = irl_bits_vector(&columns[class], i);
    if (!status) states[class] = XXH3_createState();
    if (!status && !states[class]) status = irl_fail_memory(env);
    if (!status) XXH3_64bits_reset(states[class]);
  }
  status = irl_comm_agree(env, status);
  for (uint32_t first = 0; first < data->n_features && !status; first += batch) {
    const uint32_t left = data->n_features - first, n = left < batch ? left : batch;
    for (uint32_t i = 0; i < n; i++) features[i] = first + i;
    status = send_columns(env, data, features, n, &to);
    for (int class = 0; class < 2 && !status && states[class]; class ++) {
      const size_t n_words = n * columns[class].stride;
      irl_endian_convert(columns[class].words, n_words);
      XXH3_64bits_update(states[class], columns[class].words, n_words * sizeof(uint64_t));
    }
  }
  for (int class = 0; class < 2; class ++) {
    if (!status && states[class]) data->shard->hashes[class] = XXH3_64bits_digest(states[class]);
    irl_bits_matrix_free(&columns[class]);
    XXH3_freeState(states[class]);
  }
  return status;
}

/* ---- whole copies ---- */

/* Copies names, labels and conditions; the matrices are zeros. */
static irl_status copy_frame(irl_env *env, const irl_data *data, irl_data **out) {
  irl_names names;
  irl_data *copy = NULL;
  if (!irl_names_copy(&names, &data->names, &env->allocator)) return irl_fail_memory(env);
  const irl_data_frame frame = {
      "data",
      &names,
      data->n_samples,
      NULL,
      {data->target, data->positive, data->negative, data->has_opposites}};
  irl_status status = irl_data_create_unfilled(env, &frame, &copy);
  irl_names_free(&names);
  if (status) return status;
  memcpy(copy->labels, data->labels, irl_bits_stride(data->n_samples) * sizeof *copy->labels);
  copy->n_cases = data->n_cases;
  copy->n_controls = data->n_controls;
  copy->has_labels = data->has_labels;
  copy->is_rest = data->is_rest;
  status = irl_data_init_matrices(env, copy);
  if (!status && data->has_opposites)
    status = irl_data_set_conditions(env, copy, &data->conditions, data->groups);
  return irl_data_deliver(status, copy, out);
}

irl_status irl_shard_whole(irl_env *env, const irl_data *data, const char *why, irl_data **whole) {
  uint32_t features[IRL_SHARD_WANTED];
  uint64_t *pointers[2][IRL_SHARD_WANTED];
  const places to = {pointers[0], pointers[1]};
  irl_data *copy = NULL;
  const double bytes = (double)data->n_features *
                       (double)(data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  irl_log(env, IRL_LOG_NOTE, "%s: the first process takes a whole copy of the data, %.0f MB", why,
          1e-6 * bytes);
  irl_status status = copy_frame(env, data, &copy);
  /* All features into the matrices, some at a time. */
  for (uint32_t first = 0; first < data->n_features && !status; first += IRL_SHARD_WANTED) {
    const uint32_t left = data->n_features - first;
    const uint32_t n = left < IRL_SHARD_WANTED ? left : IRL_SHARD_WANTED;
    for (uint32_t i = 0; i < n; i++) {
      features[i] = first + i;
      pointers[0][i] = irl_bits_vector(&copy->cases, first + i);
      pointers[1][i] = irl_bits_vector(&copy->controls, first + i);
    }
    status = ask_columns(env, data, features, n, &to);
  }
  return irl_data_deliver(status, copy, whole);
}

/* The words of both matrices to all. Collective. */
static irl_status share_words(irl_env *env, irl_data *data) {
  irl_status status = IRL_STATUS_OK;
  for (int class = 0; class < 2 && !status; class ++) {
    const irl_bits_matrix *matrix = class ? &data->controls : &data->cases;
    status = irl_comm_broadcast(env, 0, matrix->words,
                                matrix->n_vectors * matrix->stride * sizeof(uint64_t));
  }
  return status;
}

irl_status irl_shard_copy(irl_env *env, irl_data *data) {
  irl_message message;
  if (!irl_comm_is_parallel(env)) return IRL_STATUS_OK;
  const uint64_t id = irl_comm_new_id(env);
  irl_message_init(&message, env);
  irl_message_put_number(&message, id);
  irl_message_put_number(&message, data->n_features);
  irl_message_put_number(&message, data->n_samples);
  irl_message_put_number(&message, data->has_opposites);
  irl_message_put(&message, data->labels, irl_bits_stride(data->n_samples) * sizeof *data->labels);
  irl_status status = irl_comm_call(env, IRL_COMM_COPY, &message);
  irl_message_free(&message);
  if (!status) status = irl_comm_agree(env, IRL_STATUS_OK);
  if (status) {
    irl_comm_forget(env, id);
    return status;
  }
  data->copied_by = env;
  data->copy_id = id;
  return share_words(env, data);
}

/* ---- the others ---- */

static irl_status serve_copy(irl_env *env, irl_message *message) {
  const uint64_t id = irl_message_get_number(message);
  const size_t n_features = irl_message_get_number(message);
  const size_t n_samples = irl_message_get_number(message);
  const bool has_opposites = irl_message_get_number(message);
  const size_t bytes = irl_bits_stride(n_samples) * sizeof(uint64_t);
  const void *labels = irl_message_get(message, bytes);
  irl_data *data = NULL;
  irl_names names;
  irl_names_init(&names, &env->allocator);
  const irl_data_frame frame = {"copy", &names, n_samples, NULL, {0}};
  irl_status status =
      labels && irl_names_add_numbered(&names, n_features) ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status) status = irl_data_create_unfilled(env, &frame, &data);
  irl_names_free(&names);
  if (!status) {
    memcpy(data->labels, labels, bytes);
    data->has_labels = true;
    data->has_opposites = has_opposites;
    for (size_t i = 0; i < n_samples; i++) data->n_cases += irl_bits_get(data->labels, i);
    data->n_controls = data->n_samples - data->n_cases;
    status = irl_data_init_matrices(env, data);
  }
  if (!status) status = irl_comm_keep(env, id, data, irl_shard_free_item);
  if (status) irl_data_free(data);
  status = irl_comm_agree(env, status);
  return status ? status : share_words(env, data);
}

static irl_status serve_columns(irl_env *env, const irl_data *data, irl_message *message) {
  const size_t n = irl_message_get_number(message);
  const void *bytes = irl_message_get(message, n * sizeof(uint32_t));
  uint32_t *features = irl_mem_alloc(&env->allocator, n, sizeof *features);
  const bool is_ready = features && bytes;
  if (is_ready) memcpy(features, bytes, n * sizeof *features);
  const irl_status status = is_ready ? send_columns(env, data, features, n, NULL)
                                     : irl_comm_agree(env, irl_fail_memory(env));
  irl_mem_free(&env->allocator, features);
  return status;
}

static irl_status serve_count(irl_env *env, const irl_data *data, irl_message *message) {
  const size_t words = data->cases.stride + data->controls.stride;
  const void *bytes = irl_message_get(message, words * sizeof(uint64_t));
  uint64_t *live = irl_mem_alloc_aligned(&env->allocator, words, sizeof *live);
  uint64_t *counts = irl_mem_alloc(&env->allocator, data->n_features, sizeof *counts);
  irl_status status =
      irl_comm_agree(env, counts && live && bytes ? IRL_STATUS_OK : irl_fail_memory(env));
  if (!status) {
    memcpy(live, bytes, words * sizeof *live);
    status = irl_shard_count(env, data, live, live + data->cases.stride, counts);
  }
  irl_mem_free(&env->allocator, counts);
  irl_mem_free_aligned(&env->allocator, live);
  return status;
}

irl_status irl_shard_serve(irl_env *env, irl_comm_code code, irl_message *message) {
  if (code == IRL_COMM_READ) return irl_shard_serve_read(env, message);
  if (code == IRL_COMM_COPY) return serve_copy(env, message);
  const irl_data *data = irl_comm_find(env, irl_message_get_number(message));
  if (!data) return irl_fail(env, IRL_STATUS_PROCESS_LOST, "a data set is not there");
  return code == IRL_COMM_COLUMNS ? serve_columns(env, data, message)
                                  : serve_count(env, data, message);
}
