#include "data/dataset.h"
#include "base/limit.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "data/shard.h"

irl_status irl_data_labels_copy(irl_env *env, const irl_data_labels *called, char **const into[3]) {
  const char *const texts[] = {called->target ? called->target : "y",
                               called->positive ? called->positive : "1",
                               called->negative ? called->negative : "0"};
  for (int i = 0; i < 3; i++) {
    assert(!*into[i]);
    *into[i] = irl_mem_copy_text(&env->allocator, texts[i], strlen(texts[i]));
    if (!*into[i]) return irl_fail_memory(env);
  }
  return IRL_STATUS_OK;
}

irl_status irl_data_deliver(irl_status status, irl_data *data, irl_data **out) {
  if (status)
    irl_data_free(data);
  else
    *out = data;
  return status;
}

/* A leading ! marks a negation wherever a literal is written; a feature may be called so only if it
 * is the opposite of another one. A coding has looked at the names of the columns for that. */
static irl_status check_names(irl_env *env, const char *place, bool is_coded, irl_names *names) {
  uint32_t twice;
  if (!irl_names_index(names, &twice)) return irl_fail_memory(env);
  if (twice != IRL_NO_NAME)
    return irl_fail(
        env, IRL_STATUS_BAD_INPUT, "%s: feature name '%s' is there twice, as feature %u and %u",
        place, irl_names_get(names, twice),
        irl_names_find(names, irl_names_get(names, twice), strlen(irl_names_get(names, twice))) + 1,
        twice + 1);
  for (size_t i = 0; i < names->n; i++) {
    const char *name = irl_names_get(names, i);
    if (!*name)
      return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: feature %zu has an empty name", place, i + 1);
    if (*name == '!' && !is_coded &&
        irl_names_find(names, name + 1, strlen(name) - 1) == IRL_NO_NAME)
      return irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s: feature name '%s' starts with '!', the negation sign", place, name);
  }
  return IRL_STATUS_OK;
}

irl_status irl_names_check(irl_env *env, const char *place, irl_names *names) {
  return check_names(env, place, false, names);
}

irl_status irl_data_create_unfilled(irl_env *env, const irl_data_frame *frame, irl_data **out) {
  irl_data *data = irl_mem_alloc(&env->allocator, 1, sizeof *data);
  if (!data) return irl_fail_memory(env);
  data->allocator = env->allocator;
  data->names = *frame->names;
  *frame->names = (irl_names){0};
  irl_status status = IRL_STATUS_OK;
  if (frame->n_samples > UINT32_MAX - 512)
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: more than 4294966783 samples", frame->place);
  else if (data->names.n > INT32_MAX) /* a literal is a feature and a sign in 32 bits */
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: more than 2147483647 features", frame->place);
  data->n_samples = (uint32_t)frame->n_samples;
  data->n_features = (uint32_t)data->names.n;
  char **const texts[] = {&data->target, &data->positive, &data->negative};
  if (!status) status = check_names(env, frame->place, frame->called.is_coded, &data->names);
  if (!status) status = irl_data_labels_copy(env, &frame->called, texts);
  const size_t stride = irl_bits_stride(frame->n_samples);
  data->labels = irl_mem_alloc_aligned(&env->allocator, stride, sizeof(uint64_t));
  if (!status && !data->labels) status = irl_fail_memory(env);
  data->has_labels = frame->labels != NULL;
  for (uint32_t i = 0; frame->labels && i < data->n_samples && !status; i++)
    if (frame->labels[i]) {
      irl_bits_set(data->labels, i);
      data->n_cases++;
    }
  data->n_controls = data->n_samples - data->n_cases;
  return irl_data_deliver(status, data, out);
}

/* Gigabytes take seconds to be made zero. */
static irl_status init_matrix(irl_env *env, irl_bits_matrix *matrix, size_t n_vectors,
                              size_t n_bits) {
  const irl_status status = irl_bits_matrix_take(env, matrix, n_vectors, n_bits);
  if (status) return status;
  const size_t n = n_vectors * matrix->stride;
  for (size_t at = 0; at < n; at += IRL_READING_STEP) {
    if (at && irl_reading_limit_reached(env)) return irl_reading_fail(env, "the features");
    const size_t now = n - at < IRL_READING_STEP ? n - at : IRL_READING_STEP;
    memset(matrix->words + at, 0, now * sizeof *matrix->words);
  }
  return IRL_STATUS_OK;
}

irl_status irl_data_init_matrices(irl_env *env, irl_data *data) {
  const size_t stride = irl_bits_stride(data->n_cases) + irl_bits_stride(data->n_controls);
  if (!irl_reading_affords(env, (double)data->n_features * (double)stride * sizeof(uint64_t)))
    return irl_reading_fail(env, "the features");
  const irl_status status = init_matrix(env, &data->cases, data->n_features, data->n_cases);
  return status ? status : init_matrix(env, &data->controls, data->n_features, data->n_controls);
}

irl_status irl_data_create(irl_env *env, const irl_data_frame *frame, irl_data **out) {
  irl_data *data = NULL;
  irl_status status = irl_data_create_unfilled(env, frame, &data);
  if (!status) status = irl_data_init_matrices(env, data);
  return irl_data_deliver(status, data, out);
}

irl_status irl_data_fill(irl_env *env, irl_data *data, const uint64_t *const *rows, int threads) {
  const uint64_t **sorted = irl_mem_alloc(&env->allocator, data->n_samples, sizeof *sorted);
  if (!sorted) return irl_fail_memory(env);
  uint32_t a = 0, b = data->n_cases;
  for (uint32_t i = 0; i < data->n_samples; i++)
    sorted[irl_bits_get(data->labels, i) ? a++ : b++] = rows[i];
  irl_bits_transpose(sorted, data->n_cases, &data->cases, threads);
  irl_bits_transpose(sorted + data->n_cases, data->n_controls, &data->controls, threads);
  irl_mem_free(&env->allocator, sorted);
  assert(irl_data_check(data));
  return IRL_STATUS_OK;
}

irl_status irl_data_rows_init(irl_env *env, irl_data_rows *rows, const irl_data *data,
                              int threads) {
  irl_data_rows made = {{0}, {0}};
  irl_status status = irl_data_check_whole(env, data);
  if (!status) status = irl_bits_transposed(env, &data->cases, &made.cases, threads);
  if (!status) status = irl_bits_transposed(env, &data->controls, &made.controls, threads);
  if (status)
    irl_data_rows_free(&made);
  else
    *rows = made;
  return status;
}

void irl_data_rows_free(irl_data_rows *rows) {
  irl_bits_matrix_free(&rows->cases);
  irl_bits_matrix_free(&rows->controls);
}

void irl_data_free(irl_data *data) {
  if (!data) return;
  const irl_allocator allocator = data->allocator;
  void *const blocks[] = {data->target, data->positive, data->negative,
                          data->groups, data->given[0], data->given[1]};
  if (data->copied_by) irl_comm_forget(data->copied_by, data->copy_id);
  irl_shard_free(data->shard);
  irl_bits_matrix_free(&data->cases);
  irl_bits_matrix_free(&data->controls);
  irl_sample_weights_free(&data->weights[0], &allocator);
  irl_sample_weights_free(&data->weights[1], &allocator);
  irl_mem_free_aligned(&allocator, data->labels);
  irl_names_free(&data->names);
  irl_conditions_free(&data->conditions);
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) irl_mem_free(&allocator, blocks[i]);
  irl_mem_free(&allocator, data);
}

bool irl_groups_bind(const uint32_t *groups, uint32_t n_features) {
  for (uint32_t j = 0; groups && j < n_features; j++)
    if (groups[j] & IRL_GROUP_BINDS) return true;
  return false;
}

irl_status irl_data_set_conditions(irl_env *env, irl_data *data, const irl_conditions *conditions,
                                   const uint32_t *groups) {
  const size_t n = data->n_features;
  assert(conditions->n == n && !irl_has_conditions(&data->conditions));
  if (!irl_conditions_copy(&data->conditions, conditions)) return irl_fail_memory(env);
  data->has_opposites = true;
  if (!groups) return IRL_STATUS_OK;
  data->groups = irl_mem_alloc(&env->allocator, n, sizeof *groups);
  if (!data->groups) return irl_fail_memory(env);
  memcpy(data->groups, groups, n * sizeof *groups);
  return IRL_STATUS_OK;
}

void irl_data_swap_classes(irl_data *data) {
  assert(!data->shard);
  IRL_SWAP(data->weights[0], data->weights[1]);
  IRL_SWAP(data->given[0], data->given[1]);
  IRL_SWAP(data->cases, data->controls);
  IRL_SWAP(data->n_cases, data->n_controls);
  IRL_SWAP(data->positive, data->negative);
  assert(data->n_cases + data->n_controls == data->n_samples);
  for (uint32_t i = 0; i < data->n_samples; i++) data->labels[i / 64] ^= (uint64_t)1 << i % 64;
}

irl_status irl_data_check_whole(irl_env *env, const irl_data *data) {
  if (!data->shard) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "this does not work on data that is divided over a team");
}

irl_status irl_data_check_bits(irl_env *env, const irl_data *data) {
  if (data->cases.n_vectors == data->n_features) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_INPUT,
                  "the data that the rule was learnt from could not be read again");
}

bool irl_data_check(const irl_data *data) {
  const irl_bits_matrix labels = irl_bits_borrow(data->labels, 1, data->n_samples);
  return (!irl_has_conditions(&data->conditions) || data->conditions.n == data->n_features) &&
         data->n_cases + data->n_controls == data->n_samples &&
         data->cases.n_vectors == data->n_features && data->cases.n_bits == data->n_cases &&
         data->controls.n_vectors == data->n_features &&
         data->controls.n_bits == data->n_controls && data->names.n == data->n_features &&
         irl_bits_kernels()->count(data->labels, labels.stride) == data->n_cases &&
         irl_bits_tails_are_zero(&labels) && irl_bits_tails_are_zero(&data->cases) &&
         irl_bits_tails_are_zero(&data->controls);
}
