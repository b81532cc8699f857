/* Some samples of a data set as a data set of their own: folds, hold-outs, shuffled labels, those
 * that weigh something. The bits go through rows and back, which the transposition makes cheap;
 * few of many are gathered bit by bit instead.
 */
#include "base/contract.h"
#include "base/memory.h"
#include "base/threads.h"
#include "ireland_data.h"
#include "table/raw_table.h"

irl_status irl_rows_check(irl_env *env, const irl_rows *rows, uint32_t n, const char *what) {
  for (uint32_t i = 0; i < rows->n; i++)
    if (irl_rows_sample(rows, i) >= n)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "there is no sample %u; the %s has %u",
                      irl_rows_sample(rows, i), what, n);
  return rows->n ? IRL_STATUS_OK
                 : irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "no samples are selected");
}

irl_status irl_rows_take(irl_env *env, const irl_table *table, const irl_rows **rows,
                         irl_rows *own) {
  if (!*rows) return IRL_STATUS_OK;
  const irl_status status = irl_sized_need(env, *rows, "rows");
  if (status) return status;
  irl_sized_copy_in(*rows, own, sizeof *own);
  *rows = own;
  return irl_rows_check(env, own, table->n_samples, "table");
}

/* Data with the features of `data` and these labels (NULL: none), its bits zero. */
static irl_status create_like(irl_env *env, const irl_data *data, size_t n, const uint8_t *labels,
                              irl_data **out) {
  irl_names names = {0};
  irl_data *made = NULL;
  if (!irl_names_copy(&names, &data->names, &env->allocator)) {
    irl_names_free(&names);
    return irl_fail_memory(env);
  }
  const irl_data_frame frame = {
      "selection",
      &names,
      n,
      labels,
      {data->target, data->positive, data->negative, data->has_opposites}};
  irl_status status = irl_data_create(env, &frame, &made);
  irl_names_free(&names);
  if (!status) made->is_rest = data->is_rest;
  if (!status) made->is_reflected = data->is_reflected;
  if (!status && data->has_opposites)
    status = irl_data_set_conditions(env, made, &data->conditions, data->groups);
  return irl_data_deliver(status, made, out);
}

/* The weights of these members of `data`. */
static irl_status take_weights(irl_env *env, const irl_data *data, const irl_members *members,
                               irl_data *made) {
  irl_status status = IRL_STATUS_OK;
  made->weight_unit = data->weight_unit;
  made->is_rounded = data->is_rounded;
  for (int class = 0; class < 2 && irl_data_has_weights(data) && !status; class ++) {
    irl_sample_weights *weights = &made->weights[class];
    status = irl_sample_weights_init(env, weights, members->n[class]);
    for (uint32_t i = 0; i < members->n[class] && !status; i++)
      weights->each[i] = data->weights[class].each[members->numbers[class][i]];
    if (!status) status = irl_sample_weights_finish(env, weights, members->n[class]);
  }
  return status;
}

irl_status irl_data_subset(irl_env *env, const irl_data *data, const irl_rows *rows, int threads,
                           irl_data **selected) {
  irl_data_rows bits = {{0}, {0}};
  const irl_rows whole = {.size = sizeof whole, .n = data->n_samples};
  irl_data *made = NULL;
  if (!rows) rows = &whole;
  irl_status status = irl_rows_check(env, rows, data->n_samples, "data");
  if (status) return status;
  const uint64_t **all = irl_mem_alloc(&env->allocator, data->n_samples, sizeof *all);
  const uint64_t **chosen = irl_mem_alloc(&env->allocator, rows->n, sizeof *chosen);
  uint8_t *labels = irl_mem_alloc(&env->allocator, rows->n, 1);
  status = all && chosen && labels ? irl_data_rows_init(env, &bits, data, threads)
                                   : irl_fail_memory(env);
  if (!status) {
    /* Where each sample's row is, then the selected rows and labels in their order. */
    uint32_t a = 0, b = 0;
    for (uint32_t i = 0; i < data->n_samples; i++)
      all[i] = irl_bits_get(data->labels, i) ? irl_bits_vector(&bits.cases, a++)
                                             : irl_bits_vector(&bits.controls, b++);
    for (uint32_t i = 0; i < rows->n; i++) {
      const uint32_t sample = irl_rows_sample(rows, i);
      chosen[i] = all[sample];
      labels[i] = rows->labels ? rows->labels[i] != 0 : irl_bits_get(data->labels, sample);
    }
    const bool has_labels = data->has_labels || rows->labels;
    status = create_like(env, data, rows->n, has_labels ? labels : NULL, &made);
  }
  if (!status) status = irl_data_fill(env, made, chosen, threads);
  irl_data_rows_free(&bits);
  irl_mem_free(&env->allocator, all);
  irl_mem_free(&env->allocator, chosen);
  irl_mem_free(&env->allocator, labels);
  return irl_data_deliver(status, made, selected);
}

irl_status irl_data_gather(irl_env *env, const irl_data *data, const irl_members *members,
                           int threads, irl_data **selected) {
  (void)threads; /* without OpenMP */
  const size_t n = (size_t)members->n[0] + members->n[1];
  irl_data *made = NULL;
  irl_status status = irl_data_check_whole(env, data);
  if (status) return status;
  uint8_t *labels = irl_mem_alloc(&env->allocator, n, 1);
  if (!labels) return irl_fail_memory(env);
  memset(labels, 1, members->n[0]); /* cases first */
  status = create_like(env, data, n, labels, &made);
  irl_mem_free(&env->allocator, labels);
  if (!status) status = take_weights(env, data, members, made);
  if (status) return irl_data_deliver(status, made, selected);
  for (int class = 0; class < 2; class ++) {
    const irl_bits_matrix *from = class ? &data->controls : &data->cases;
    const irl_bits_matrix *to = class ? &made->controls : &made->cases;
    const uint32_t *numbers = members->numbers[class];
#pragma omp parallel for num_threads(irl_threads_here(threads)) schedule(static)
    for (size_t j = 0; j < from->n_vectors; j++) {
      const uint64_t *source = irl_bits_vector(from, j);
      uint64_t *target = irl_bits_vector(to, j);
      for (size_t i = 0; i < to->n_bits; i++) {
        assert(numbers[i] < from->n_bits);
        target[i / 64] |= (uint64_t)irl_bits_get(source, numbers[i]) << i % 64;
      }
    }
  }
  assert(irl_data_check(made));
  *selected = made;
  return IRL_STATUS_OK;
}

irl_status irl_data_drop_weightless(irl_env *env, const irl_data *data, int threads,
                                    irl_data **kept) {
  const uint32_t n[2] = {data->n_cases, data->n_controls};
  *kept = NULL;
  if (!irl_data_has_weights(data)) return IRL_STATUS_OK;
  if (!data->weights[0].total || !data->weights[1].total)
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "all %s have weight 0 here, so there is only one class to learn from",
                    data->weights[0].total ? "controls" : "cases");
  if (data->weights[0].least && data->weights[1].least) return IRL_STATUS_OK;
  uint32_t *numbers = irl_mem_alloc(&env->allocator, data->n_samples, sizeof *numbers);
  if (!numbers) return irl_fail_memory(env);
  irl_members members = {.numbers = {numbers, numbers + n[0]}};
  for (int class = 0; class < 2; class ++)
    for (uint32_t i = 0; i < n[class]; i++)
      if (data->weights[class].each[i]) numbers[class * n[0] + members.n[class]++] = i;
  const irl_status status = irl_data_gather(env, data, &members, threads, kept);
  irl_mem_free(&env->allocator, numbers);
  return status;
}
