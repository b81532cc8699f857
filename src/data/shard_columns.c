/* What the first process gets from the parts: columns of features, into a cache or into a whole
 * copy of the data; and copies of its own for the others.
 *
 * The cache is a ring: a column that is not there takes the place of the oldest one, unless that
 * one is asked for at the same time. */
#include "base/memory.h"
#include "data/shard.h"

#define CACHE_BYTES                                                                                \
  ((size_t)64 << 20) /* unless columns are so long that fewer are asked for at once */
#define NO_PLACE UINT32_MAX

struct irl_data_cache {
  irl_bits_matrix columns[2];
  uint32_t *place;   /* of each feature; NO_PLACE: not there */
  uint32_t *feature; /* at each place */
  uint64_t *asked;   /* the request that last asked for it */
  uint32_t next;     /* place to be used */
  uint64_t request;
};

void irl_data_cache_free(irl_data_cache *cache, const irl_allocator *allocator) {
  if (!cache) return;
  irl_bits_matrix_free(&cache->columns[0]);
  irl_bits_matrix_free(&cache->columns[1]);
  irl_mem_free(allocator, cache->place);
  irl_mem_free(allocator, cache->feature);
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
  cache->place = irl_mem_alloc(&env->allocator, data->n_features, sizeof *cache->place);
  cache->feature = irl_mem_alloc(&env->allocator, n, sizeof *cache->feature);
  cache->asked = irl_mem_alloc(&env->allocator, n, sizeof *cache->asked);
  irl_status status =
      cache->place && cache->feature && cache->asked ? IRL_OK : irl_fail_memory(env);
  if (!status) status = irl_bits_matrix_init(env, &cache->columns[0], n, data->n_cases);
  if (!status) status = irl_bits_matrix_init(env, &cache->columns[1], n, data->n_controls);
  if (status) {
    irl_data_cache_free(cache, &env->allocator);
    return status;
  }
  memset(cache->place, 0xff, data->n_features * sizeof *cache->place);
  memset(cache->feature, 0xff, n * sizeof *cache->feature);
  data->shard->cache = cache;
  return IRL_OK;
}

/* ---- columns ---- */

/* How many bytes of these features each process has to send. */
static void count_bytes(const irl_data *data, const uint32_t *features, size_t n, int size,
                        size_t *sizes) {
  for (int rank = 0; rank < size; rank++) {
    const irl_range held = irl_shard_held(data, rank);
    const size_t each = irl_shard_vector_bytes(data, (uint32_t)rank % data->shard->columns);
    sizes[rank] = 0;
    for (size_t i = 0; i < n; i++)
      if (features[i] >= held.first && features[i] < held.last) sizes[rank] += each;
  }
}

/* Where the words of each feature go, for the first process. */
typedef struct places {
  uint64_t **cases, **controls;
} places;

static void unpack(const irl_data *data, const uint32_t *features, size_t n, int size,
                   const char *from, const places *to) {
  for (int rank = 0; rank < size; rank++) {
    const irl_range held = irl_shard_held(data, rank);
    for (size_t i = 0; i < n; i++)
      if (features[i] >= held.first && features[i] < held.last)
        from = irl_shard_get(data, (uint32_t)rank % data->shard->columns, from, to->cases[i],
                             to->controls[i]);
  }
}

/* All send what they hold of these features to the first. Collective. */
static irl_status send_columns(irl_env *env, const irl_data *data, const uint32_t *features,
                               size_t n, const places *to) {
  const int size = irl_comm_size(env), rank = irl_comm_rank(env);
  size_t *sizes = irl_mem_alloc(&env->allocator, 2 * (size_t)size, sizeof *sizes), total = 0;
  size_t *out_sizes = sizes + size; /* all to the first */
  char *in = NULL, *out = NULL;
  if (sizes) {
    count_bytes(data, features, n, size, sizes);
    for (int i = 0; i < size; i++) total += sizes[i];
    in = irl_mem_alloc(&env->allocator, rank ? 0 : total, 1);
    out = irl_mem_alloc(&env->allocator, sizes[rank], 1);
  }
  irl_status status = irl_comm_agree(env, in && out ? IRL_OK : irl_fail_memory(env));
  if (!status) {
    char *at = out;
    for (size_t i = 0; i < n; i++)
      if (features[i] >= data->shard->features.first && features[i] < data->shard->features.last)
        at = irl_shard_put(data->shard, features[i], at);
    out_sizes[0] = sizes[rank];
    if (rank) memset(sizes, 0, (size_t)size * sizeof *sizes);
    status = irl_comm_alltoallv(env, out, out_sizes, in, sizes);
  }
  if (!status && !rank) unpack(data, features, n, size, in, to);
  irl_mem_free(&env->allocator, in);
  irl_mem_free(&env->allocator, out);
  irl_mem_free(&env->allocator, sizes);
  return status;
}

static irl_status ask_some(irl_env *env, const irl_data *data, const uint32_t *features, size_t n,
                           const places *to) {
  irl_message message;
  irl_message_init(&message, env);
  irl_message_put_number(&message, data->shard->id);
  irl_message_put_number(&message, n);
  irl_message_put(&message, features, n * sizeof *features);
  irl_status status = irl_comm_call(env, IRL_COMM_COLUMNS, &message);
  irl_message_free(&message);
  return status ? status : send_columns(env, data, features, n, to);
}

/* Some at a time, so that what comes in at once stays small. */
static irl_status ask_columns(irl_env *env, const irl_data *data, const uint32_t *features,
                              size_t n, const places *to) {
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const size_t most = CACHE_BYTES / (bytes + 1) + 1;
  irl_status status = IRL_OK;
  for (size_t first = 0; first < n && !status; first += most) {
    const places part = {to->cases + first, to->controls + first};
    status = ask_some(env, data, features + first, n - first < most ? n - first : most, &part);
  }
  return status;
}

/* ---- the cache ---- */

/* A place for a feature that is not there; NO_PLACE: all are asked for now. */
static uint32_t find_place(irl_data_cache *cache) {
  const uint32_t n = (uint32_t)cache->columns[0].n_vectors;
  for (uint32_t tried = 0; tried < n; tried++) {
    const uint32_t at = cache->next;
    cache->next = (cache->next + 1) % n;
    if (cache->asked[at] != cache->request) return at;
  }
  return NO_PLACE;
}

/* Marks what is there and gives places to the rest; returns how many are missing. */
static size_t find_missing(irl_data_cache *cache, const uint32_t *features, size_t n,
                           uint32_t *missing, const places *to) {
  size_t n_missing = 0;
  cache->request++;
  for (size_t i = 0; i < n; i++)
    if (cache->place[features[i]] != NO_PLACE)
      cache->asked[cache->place[features[i]]] = cache->request;
  for (size_t i = 0; i < n; i++) {
    if (cache->place[features[i]] != NO_PLACE) continue;
    const uint32_t at = find_place(cache);
    if (at == NO_PLACE) break;
    if (cache->feature[at] != UINT32_MAX) cache->place[cache->feature[at]] = NO_PLACE;
    assert(at < cache->columns[0].n_vectors);
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
  irl_status status = data->shard->cache ? IRL_OK : make_cache(env, data);
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

irl_status irl_shard_send(irl_env *env, const irl_data *data, const uint32_t *features, size_t n,
                          uint64_t **cases, uint64_t **controls) {
  const places to = {cases, controls};
  return send_columns(env, data, features, n, &to);
}

/* ---- whole copies ---- */

/* All features into the matrices of `whole`, some at a time. */
static irl_status fetch_all(irl_env *env, const irl_data *data, irl_data *whole) {
  uint32_t features[IRL_SHARD_WANTED];
  uint64_t *pointers[2][IRL_SHARD_WANTED];
  const places to = {pointers[0], pointers[1]};
  irl_status status = IRL_OK;
  for (uint32_t first = 0; first < data->n_features && !status; first += IRL_SHARD_WANTED) {
    const uint32_t left = data->n_features - first;
    const uint32_t n = left < IRL_SHARD_WANTED ? left : IRL_SHARD_WANTED;
    for (uint32_t i = 0; i < n; i++) {
      features[i] = first + i;
      pointers[0][i] = irl_bits_vector(&whole->cases, first + i);
      pointers[1][i] = irl_bits_vector(&whole->controls, first + i);
    }
    status = ask_columns(env, data, features, n, &to);
  }
  return status;
}

/* Copies names, labels and conditions; the matrices are zeros. */
static irl_status copy_frame(irl_env *env, const irl_data *data, irl_data **out) {
  const irl_data_labels called = {data->target, data->positive, data->negative,
                                  data->has_opposites};
  irl_names names;
  irl_data *copy = NULL;
  if (!irl_names_copy(&names, &data->names, &env->allocator)) return irl_fail_memory(env);
  irl_status status =
      irl_data_create_unfilled(env, "data", &names, data->n_samples, &called, &copy);
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
  if (status)
    irl_data_free(copy);
  else
    *out = copy;
  return status;
}

irl_status irl_shard_whole(irl_env *env, const irl_data *data, const char *why, irl_data **whole) {
  irl_data *copy = NULL;
  const double bytes = (double)data->n_features *
                       (double)(data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  irl_log(env, IRL_LOG_NOTE, "%s: the first process takes a whole copy of the data, %.0f MB", why,
          1e-6 * bytes);
  irl_status status = copy_frame(env, data, &copy);
  if (status) return status;
  status = fetch_all(env, data, copy);
  if (status)
    irl_data_free(copy);
  else
    *whole = copy;
  return status;
}

/* The words of both matrices to all. Collective. */
static irl_status share_words(irl_env *env, irl_data *data) {
  irl_status status = IRL_OK;
  for (int class = 0; class < 2 && !status; class ++) {
    const irl_bits_matrix *matrix = class ? &data->controls : &data->cases;
    status = irl_comm_broadcast(env, 0, matrix->words,
                                matrix->n_vectors * matrix->stride * sizeof(uint64_t));
  }
  return status;
}

irl_status irl_shard_copy(irl_env *env, irl_data *data) {
  irl_message message;
  if (!irl_comm_is_parallel(env)) return IRL_OK;
  const uint64_t id = irl_comm_new_id(env);
  irl_message_init(&message, env);
  irl_message_put_number(&message, id);
  irl_message_put_number(&message, data->n_features);
  irl_message_put_number(&message, data->n_samples);
  irl_message_put_number(&message, data->has_opposites);
  irl_message_put(&message, data->labels, irl_bits_stride(data->n_samples) * sizeof *data->labels);
  irl_status status = irl_comm_call(env, IRL_COMM_COPY, &message);
  irl_message_free(&message);
  if (!status) status = irl_comm_agree(env, IRL_OK);
  if (status) {
    irl_comm_forget(env, id);
    return status;
  }
  data->copied_by = env;
  data->copy_id = id;
  return share_words(env, data);
}

/* ---- the others ---- */

/* What it made stays in *out, also if it fails. */
static irl_status make_copy(irl_env *env, irl_message *message, irl_data **out) {
  const size_t n_features = irl_message_get_number(message);
  const size_t n_samples = irl_message_get_number(message);
  const bool has_opposites = irl_message_get_number(message);
  const size_t bytes = irl_bits_stride(n_samples) * sizeof(uint64_t);
  const void *labels = irl_message_get(message, bytes);
  const irl_data_labels called = {0};
  irl_names names;
  irl_names_init(&names, &env->allocator);
  irl_status status =
      labels && irl_names_add_numbered(&names, n_features) ? IRL_OK : irl_fail_memory(env);
  if (!status) status = irl_data_create_unfilled(env, "copy", &names, n_samples, &called, out);
  irl_names_free(&names);
  if (status) return status;
  irl_data *data = *out;
  memcpy(data->labels, labels, bytes);
  data->has_labels = true;
  data->has_opposites = has_opposites;
  for (size_t i = 0; i < n_samples; i++) data->n_cases += irl_bits_get(data->labels, i);
  data->n_controls = data->n_samples - data->n_cases;
  return irl_data_init_matrices(env, data);
}

static irl_status serve_copy(irl_env *env, irl_message *message) {
  const uint64_t id = irl_message_get_number(message);
  irl_data *data = NULL;
  irl_status status = make_copy(env, message, &data);
  if (!status) status = irl_comm_keep(env, id, data, irl_shard_free_item);
  if (status) irl_data_free(data);
  status = irl_comm_agree(env, status);
  return status ? status : share_words(env, data);
}

static irl_status serve_columns(irl_env *env, const irl_data *data, irl_message *message) {
  const size_t n = irl_message_get_number(message);
  const void *bytes = irl_message_get(message, n * sizeof(uint32_t));
  uint32_t *features = irl_mem_alloc(&env->allocator, n, sizeof *features);
  if (!features || !bytes) {
    irl_mem_free(&env->allocator, features);
    return irl_comm_agree(env, irl_fail_memory(env));
  }
  memcpy(features, bytes, n * sizeof *features);
  const irl_status status = send_columns(env, data, features, n, NULL);
  irl_mem_free(&env->allocator, features);
  return status;
}

static irl_status serve_count(irl_env *env, const irl_data *data, irl_message *message) {
  const size_t words = data->cases.stride + data->controls.stride;
  const void *bytes = irl_message_get(message, words * sizeof(uint64_t));
  uint64_t *live = irl_mem_alloc_aligned(&env->allocator, words, sizeof *live);
  uint64_t *counts = irl_mem_alloc(&env->allocator, data->n_features, sizeof *counts);
  irl_status status = irl_comm_agree(env, counts && live && bytes ? IRL_OK : irl_fail_memory(env));
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
  if (!data) return irl_fail(env, IRL_LOST, "a data set is not there");
  return code == IRL_COMM_COLUMNS ? serve_columns(env, data, message)
                                  : serve_count(env, data, message);
}
