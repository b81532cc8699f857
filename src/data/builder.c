/* A data set that grows by blocks of rows: rows of bits in one array, which a data set is made of
 * whenever one is asked for, by the way that data from bytes come in. */
#include "base/array.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "ireland_data.h"

#define PLACE     "data in memory"
#define MOST_ROWS (UINT32_MAX - 512)

struct irl_builder {
  irl_allocator allocator;
  irl_names names;
  size_t row_words; /* of a row, one at least */
  size_t n_rows, rows_capacity, labels_capacity;
  uint64_t *rows;
  uint8_t *labels; /* 1 case; of unlabelled rows they say nothing */
  bool has_labels;
};

/* A block may be added as a whole or not at all: room for all of its rows, with zeros. */
static irl_status make_room(irl_env *env, irl_builder *b, uint32_t n_rows, bool has_labels) {
  if (b->n_rows && has_labels != b->has_labels)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "some of the blocks have labels and some have not");
  if (n_rows > MOST_ROWS - b->n_rows)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: more than 4294966783 samples", PLACE);
  const size_t size = b->row_words * sizeof *b->rows;
  if (!irl_mem_reserve_more(&b->allocator, &b->rows, &b->rows_capacity, b->n_rows, n_rows, size) ||
      !irl_mem_reserve_more(&b->allocator, &b->labels, &b->labels_capacity, b->n_rows, n_rows, 1))
    return irl_fail_memory(env);
  memset(b->rows + b->n_rows * b->row_words, 0, n_rows * size);
  memset(b->labels + b->n_rows, 0, n_rows);
  return IRL_STATUS_OK;
}

irl_status irl_builder_create(irl_env *env, uint32_t n_features, const char *const *names,
                              irl_builder **out) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!out) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "there is no place for the builder");
  irl_builder *b = irl_mem_alloc(&env->allocator, 1, sizeof *b);
  if (!b) return irl_fail_memory(env);
  b->allocator = env->allocator;
  b->row_words = n_features ? ((size_t)n_features + 63) / 64 : 1;
  irl_names_init(&b->names, &env->allocator);
  irl_status status = irl_names_take(env, n_features, names, &b->names);
  if (!status) status = irl_names_check(env, PLACE, &b->names);
  if (status)
    irl_builder_free(b);
  else
    *out = b;
  return status;
}

void irl_builder_free(irl_builder *b) {
  if (!b) return;
  const irl_allocator allocator = b->allocator;
  irl_names_free(&b->names);
  irl_mem_free(&allocator, b->rows);
  irl_mem_free(&allocator, b->labels);
  irl_mem_free(&allocator, b);
}

uint64_t irl_builder_n_samples(const irl_builder *b) {
  return b ? b->n_rows : 0;
}

irl_status irl_builder_add_bytes(irl_env *env, irl_builder *b, uint32_t n_rows,
                                 const uint8_t *cells, const uint8_t *labels) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!b || (!cells && n_rows && b->names.n))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a builder and cells are needed");
  if (!n_rows) return IRL_STATUS_OK;
  irl_status status = make_room(env, b, n_rows, labels != NULL);
  for (uint32_t i = 0; i < n_rows && !status; i++) {
    const uint8_t *from = cells + (size_t)i * b->names.n;
    uint64_t *row = b->rows + (b->n_rows + i) * b->row_words;
    for (size_t j = 0; j < b->names.n && !status; j++) {
      if (from[j] > 1)
        status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                          "cell of sample %zu, feature %zu is %u, not 0 or 1", b->n_rows + i, j,
                          from[j]);
      else if (from[j])
        irl_bits_set(row, j);
    }
    if (labels) b->labels[b->n_rows + i] = labels[i] != 0;
  }
  if (status) return status;
  b->n_rows += n_rows;
  b->has_labels = labels != NULL;
  return IRL_STATUS_OK;
}

irl_status irl_builder_add_bits(irl_env *env, irl_builder *b, uint32_t n_rows,
                                const uint64_t *const *columns, const uint64_t *labels) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!b || (!columns && n_rows && b->names.n))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a builder and columns are needed");
  for (size_t j = 0; n_rows && j < b->names.n; j++)
    if (!columns[j]) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "column %zu has no bits", j);
  if (!n_rows) return IRL_STATUS_OK;
  const irl_status status = make_room(env, b, n_rows, labels != NULL);
  if (status) return status;
  for (size_t word = 0; 64 * word < b->names.n; word++) /* tiles of 64 x 64 */
    for (uint32_t first = 0; first < n_rows; first += 64) {
      const uint32_t n = n_rows - first < 64 ? n_rows - first : 64;
      const size_t n_columns = b->names.n - 64 * word < 64 ? b->names.n - 64 * word : 64;
      uint64_t tile[64] = {0};
      for (size_t j = 0; j < n_columns; j++) tile[j] = columns[64 * word + j][first / 64];
      irl_bits_transpose_tile(tile);
      for (uint32_t i = 0; i < n; i++)
        b->rows[(b->n_rows + first + i) * b->row_words + word] = tile[i];
    }
  for (uint32_t i = 0; labels && i < n_rows; i++)
    b->labels[b->n_rows + i] = irl_bits_get(labels, i);
  b->n_rows += n_rows;
  b->has_labels = labels != NULL;
  return IRL_STATUS_OK;
}

/* Can the samples of a data set be rows here? Fails if not. */
static irl_status check_data(irl_env *env, const irl_builder *b, const irl_data *data) {
  if (irl_has_conditions(&data->conditions) || irl_data_has_weights(data) || data->is_reflected)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "only data of 0/1 columns without weights can be added to others");
  if (data->n_features != b->names.n)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "the data has %u features, the others %zu",
                    data->n_features, b->names.n);
  for (size_t j = 0; j < b->names.n; j++)
    if (strcmp(irl_names_get(&b->names, j), irl_names_get(&data->names, j)))
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "feature %zu of the data is called '%s', that of the others '%s'", j,
                      irl_names_get(&data->names, j), irl_names_get(&b->names, j));
  return IRL_STATUS_OK;
}

irl_status irl_builder_add_data(irl_env *env, irl_builder *b, const irl_data *data) {
  irl_data_rows rows;
  uint32_t at[2] = {0, 0};
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!b || !data) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a builder and data are needed");
  irl_status status = check_data(env, b, data);
  if (!status) status = irl_data_rows_init(env, &rows, data, 1);
  if (status) return status;
  status = make_room(env, b, data->n_samples, data->has_labels);
  for (uint32_t i = 0; i < data->n_samples && !status; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const irl_bits_matrix *from = is_case ? &rows.cases : &rows.controls;
    const uint32_t row = at[is_case]++;
    b->labels[b->n_rows + i] = is_case;
    if (b->names.n)
      memcpy(b->rows + (b->n_rows + i) * b->row_words, irl_bits_vector(from, row),
             b->row_words * sizeof *b->rows);
  }
  irl_data_rows_free(&rows);
  if (status) return status;
  b->n_rows += data->n_samples;
  b->has_labels = data->has_labels;
  return IRL_STATUS_OK;
}

irl_status irl_builder_finish(irl_env *env, const irl_builder *b, irl_data **out) {
  irl_names names = {0};
  irl_data *data = NULL;
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!b || !out)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a builder and a place for the data are needed");
  if (!b->n_rows)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a data set needs at least one sample");
  const uint64_t **rows = irl_mem_alloc(&env->allocator, b->n_rows, sizeof *rows);
  if (!rows || !irl_names_copy(&names, &b->names, &env->allocator)) {
    irl_mem_free(&env->allocator, rows);
    irl_names_free(&names);
    return irl_fail_memory(env);
  }
  for (size_t i = 0; i < b->n_rows; i++) rows[i] = b->rows + i * b->row_words;
  const irl_data_frame frame = {PLACE, &names, b->n_rows, b->has_labels ? b->labels : NULL, {0}};
  irl_status status = irl_data_create(env, &frame, &data);
  if (!status) status = irl_data_fill(env, data, rows, 1);
  irl_names_free(&names);
  irl_mem_free(&env->allocator, rows);
  return irl_data_deliver(status, data, out);
}
