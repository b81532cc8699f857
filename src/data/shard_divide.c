/* How the processes get their bits. The first one has read the data by the ordinary reader; it
 * divides them, each process keeping its part, or gives each a copy of all. */
#include "base/memory.h"
#include "data/shard.h"

#define BATCH_BYTES ((size_t)16 << 20) /* of vectors that are sent at a time, about */

/* ---- frames ---- */

/* What stands for the data where bits are all that counts. */
static void put_frame(irl_message *message, uint64_t id, const irl_data *data) {
  irl_message_put_number(message, id);
  irl_message_put_number(message, data->n_features);
  irl_message_put_number(message, data->n_samples);
  irl_message_put_number(message, data->has_opposites);
  irl_message_put(message, data->labels, irl_bits_stride(data->n_samples) * sizeof *data->labels);
}

/* Data without matrices, whose features are called f1, f2, ... */
static irl_status get_frame(irl_env *env, irl_message *message, uint64_t *id, irl_data **out) {
  *id = irl_message_get_number(message);
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
  if (status) return status;
  memcpy(data->labels, labels, bytes);
  data->has_labels = true;
  data->has_opposites = has_opposites;
  for (size_t i = 0; i < n_samples; i++) data->n_cases += irl_bits_get(data->labels, i);
  data->n_controls = data->n_samples - data->n_cases;
  *out = data;
  return IRL_STATUS_OK;
}

static void free_item(void *data) {
  irl_data_free(data);
}

/* Another process keeps its data, or frees what it could not make. Collective. */
static irl_status keep(irl_env *env, irl_status status, uint64_t id, irl_data *data) {
  if (!status) status = irl_comm_keep(env, id, data, free_item);
  if (status) irl_data_free(data);
  return irl_comm_agree(env, status);
}

/* ---- parts ---- */

/* The vectors of a class pass by all processes, and each takes what it holds. Collective. */
static irl_status spread_class(irl_env *env, const irl_data *data, int class) {
  const irl_shard *shard = data->shard;
  const irl_bits_matrix *all = class ? &data->controls : &data->cases;
  const irl_range words = shard->words[class];
  const size_t bytes = all->stride * sizeof(uint64_t), n = all->n_vectors;
  const size_t most = bytes ? BATCH_BYTES / bytes + 1 : n, batch = most < n ? most : n;
  const size_t n_buffer = irl_comm_rank(env) ? batch * all->stride : 0;
  uint64_t *buffer = irl_mem_alloc(&env->allocator, n_buffer, sizeof *buffer);
  irl_status status = irl_comm_agree(env, buffer ? IRL_STATUS_OK : irl_fail_memory(env));
  for (size_t first = 0; first < n && bytes && !status; first += batch) {
    const size_t last = n - first < batch ? n : first + batch;
    uint64_t *vectors = n_buffer ? buffer : all->words + first * all->stride;
    status = irl_comm_broadcast(env, 0, vectors, (last - first) * bytes);
    for (size_t j = first; j < last && !status; j++)
      if (j >= shard->features.first && j < shard->features.last && irl_range_size(words))
        memcpy(irl_bits_vector(&shard->held[class], j - shard->features.first),
               vectors + (j - first) * all->stride + words.first,
               irl_range_size(words) * sizeof *vectors);
  }
  irl_mem_free(&env->allocator, buffer);
  return status;
}

/* Collective. */
static irl_status take_part(irl_env *env, const irl_source *source, uint64_t id, irl_data *data) {
  irl_status status = irl_shard_create(env, source, id, data);
  for (int class = 0; class < 2 && !status; class ++) status = spread_class(env, data, class);
  return status;
}

irl_status irl_shard_divide(irl_env *env, const irl_source *source, irl_data *data) {
  irl_message message;
  const uint64_t id = irl_comm_new_id(env);
  const irl_options *options = source->options;
  irl_message_init(&message, env);
  put_frame(&message, id, data);
  irl_message_put_text(&message, source->path);
  irl_message_put_text(&message, options ? options->data.grid : NULL);
  irl_message_put_number(&message, options && options->rule.negations);
  irl_message_put_number(&message, options ? (uint64_t)options->limits.memory_limit : 0);
  irl_status status = irl_comm_call_and_agree(env, IRL_COMM_DIVIDE, &message);
  if (!status) status = take_part(env, source, id, data);
  return status ? status : irl_comm_agree(env, IRL_STATUS_OK);
}

static irl_status serve_divide(irl_env *env, irl_message *message) {
  irl_options options;
  irl_data *data = NULL;
  uint64_t id;
  irl_options_init(&options, sizeof options);
  irl_status status = get_frame(env, message, &id, &data);
  const irl_source source = {.path = irl_message_get_text(message), .options = &options};
  options.data.grid = irl_message_get_text(message);
  options.rule.negations = irl_message_get_number(message);
  options.limits.memory_limit = (int64_t)irl_message_get_number(message);
  status = irl_comm_agree(env, status);
  if (!status) {
    data->cases = irl_bits_borrow(NULL, data->n_features, data->n_cases);
    data->controls = irl_bits_borrow(NULL, data->n_features, data->n_controls);
    status = take_part(env, &source, id, data);
  }
  if (!status) return keep(env, status, id, data);
  irl_data_free(data);
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

irl_status irl_shard_whole(irl_env *env, const irl_data *data, irl_data **whole) {
  irl_data *copy = NULL;
  const irl_status status = copy_frame(env, data, &copy);
  for (int class = 0; class < 2 && !status; class ++) {
    const irl_bits_matrix *from = class ? &data->controls : &data->cases;
    const size_t n = from->n_vectors * from->stride;
    if (n)
      memcpy((class ? copy->controls : copy->cases).words, from->words, n * sizeof *from->words);
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
  put_frame(&message, id, data);
  const irl_status status = irl_comm_call_and_agree(env, IRL_COMM_COPY, &message);
  if (status) {
    irl_comm_forget(env, id);
    return status;
  }
  data->copied_by = env;
  data->copy_id = id;
  return share_words(env, data);
}

static irl_status serve_copy(irl_env *env, irl_message *message) {
  irl_data *data = NULL;
  uint64_t id;
  irl_status status = get_frame(env, message, &id, &data);
  if (!status) status = irl_data_init_matrices(env, data);
  status = keep(env, status, id, data);
  return status ? status : share_words(env, data);
}

/* ---- the others ---- */

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
  if (code == IRL_COMM_DIVIDE) return serve_divide(env, message);
  if (code == IRL_COMM_COPY) return serve_copy(env, message);
  const irl_data *data = irl_comm_find(env, irl_message_get_number(message));
  if (!data) return irl_fail(env, IRL_STATUS_PROCESS_LOST, "a data set is not there");
  return serve_count(env, data, message);
}
