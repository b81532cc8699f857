/* Applying a coding to samples of a table: a bit vector per feature, each feature on its own and in
 * parallel. */
#include "base/contract.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/threads.h"
#include "bits/sieve.h"
#include "ireland_data.h"
#include "table/raw_table.h"

/* One feature on the samples of one class. */
typedef struct filler {
  const irl_column *column;
  const irl_packed *cells; /* of a packed column */
  irl_condition condition;
  uint32_t code;     /* of a category's value in this table; IRL_NO_VALUE: it does not occur */
  unsigned accepted; /* of a packed column: a bit for each cell on which it holds, and one beyond */
} filler;

#define IS_PACKED 16u /* so that `accepted` is not 0 */

static bool holds(const filler *f, uint32_t sample) {
  const irl_condition *c = &f->condition;
  if (f->column->type == IRL_COLUMN_CATEGORY) {
    const uint32_t code = f->column->codes[sample];
    if (code == IRL_NO_VALUE) return c->is_true_missing;
    return (code == f->code) == (c->relation == IRL_EQUALS);
  }
  return f->accepted ? f->accepted >> irl_packed_get(f->cells, sample) & 1
                     : irl_condition_holds(c, f->column->numbers[sample]);
}

/* False: the table lacks the column of the feature, or its type does not fit. Cells that cannot be
 * read are none at all. */
static bool make_filler(irl_cell_reader *cells, const irl_coding *coding, uint32_t feature,
                        filler *f) {
  const irl_table *table = cells->table;
  const irl_conditions *conditions = &coding->conditions;
  assert(feature < conditions->n && conditions->n == coding->features.n);
  *f = (filler){.condition = conditions->items[feature], .code = IRL_NO_VALUE - 1};
  const char *name = irl_names_get(&conditions->columns, f->condition.column);
  const uint32_t j = irl_names_find(&table->names, name, strlen(name));
  if (j == IRL_NO_NAME || table->columns[j].type == IRL_COLUMN_IGNORED) return false;
  f->column = &table->columns[j];
  const bool is_category = f->column->type == IRL_COLUMN_CATEGORY;
  if (irl_condition_is_text(&f->condition) != is_category) return false;
  if (is_category) {
    const char *value = irl_names_get(&conditions->values, f->condition.value);
    const uint32_t found = irl_names_find(f->column->values, value, strlen(value));
    if (found != IRL_NO_NAME) f->code = found;
  } else if (irl_type_is_packed(f->column->type)) {
    f->accepted = IS_PACKED;
    f->cells = irl_cells_read(cells, j);
    for (unsigned value = 0; value <= IRL_CELL_MISSING; value++)
      if (irl_condition_holds(&f->condition, value == IRL_CELL_MISSING ? (double)NAN : value))
        f->accepted |= 1u << value;
  }
  return true;
}

/* The samples of a data set: in what order, and where it is that of the file, as masks. */
typedef struct samples {
  uint32_t *order;    /* cases first */
  bool is_ascending;  /* in each class */
  irl_sieve sieve[2]; /* of cases, of controls */
} samples;

static void fill_class(const filler *f, const samples *s, const irl_data *data, int class,
                       uint64_t *bits) {
  /* A packed column takes a few operations for 64 samples that come in the order of the file. */
  if (f->accepted && s->is_ascending) {
    for (size_t w = 0; w < s->sieve[class].n_words; w++)
      irl_sieve_gather(&s->sieve[class], w, irl_packed_are(f->cells, w, f->accepted), bits);
    return;
  }
  const uint32_t *order = class ? s->order + data->n_cases : s->order;
  const size_t n = class ? data->n_controls : data->n_cases;
  for (size_t w = 0; 64 * w < n; w++) {
    const size_t left = n - 64 * w < 64 ? n - 64 * w : 64;
    uint64_t word = 0;
    for (size_t b = 0; b < left; b++) word |= (uint64_t)holds(f, order[64 * w + b]) << b;
    bits[w] = word;
  }
}

static irl_status code_columns(irl_env *env, const irl_table *table, const irl_coding *coding,
                               const samples *s, irl_data *data) {
  const uint32_t step = (uint32_t)(IRL_READING_STEP / (data->n_samples + 1)) + 1;
  uint32_t failed = UINT32_MAX;
  bool is_cut = false, is_whole = true;
#pragma omp parallel num_threads(irl_threads_here(table->threads))                                 \
    reduction(min : failed) reduction(|| : is_cut) reduction(&& : is_whole)
  {
    irl_cell_reader cells;
    irl_cell_reader_init(&cells, table, &env->allocator);
#pragma omp for schedule(static)
    for (uint32_t j = 0; j < data->n_features; j++) {
      filler f;
      is_cut = is_cut || (j % step == step - 1 && irl_reading_limit_reached(env));
      if (is_cut || cells.has_failed) continue;
      if (!make_filler(&cells, coding, j, &f)) {
        failed = j < failed ? j : failed;
      } else if (!f.accepted || f.cells) {
        if (data->n_cases) fill_class(&f, s, data, 0, irl_bits_vector(&data->cases, j));
        if (data->n_controls) fill_class(&f, s, data, 1, irl_bits_vector(&data->controls, j));
      }
    }
    is_whole = irl_cell_reader_end(&cells);
  }
  if (is_cut) return irl_reading_fail(env, table->path);
  const irl_status status = irl_cells_check(env, table, is_whole);
  if (status) return status;
  if (failed == UINT32_MAX) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: no column fits '%s'", table->path,
                  irl_names_get(&data->names, failed));
}

/* Weights as integers, in units that all samples of the table share. */
static irl_status set_weights(irl_env *env, const irl_table *table, const uint32_t *order,
                              irl_data *data) {
  if (!table->weights) return IRL_STATUS_OK;
  const uint32_t n[2] = {data->n_cases, data->n_controls};
  irl_status status = IRL_STATUS_OK;
  data->weight_unit = table->weight_unit;
  data->is_rounded = table->is_rounded;
  for (int class = 0; class < 2 && !status; class ++) {
    status = irl_sample_weights_init(env, &data->weights[class], n[class]);
    if (status || !data->is_rounded) continue;
    data->given[class] = irl_mem_alloc(&env->allocator, n[class], sizeof(double));
    if (!data->given[class]) status = irl_fail_memory(env);
  }
  if (status) return status;
  assert(data->weight_unit > 0);
  for (uint32_t i = 0; i < data->n_samples; i++) {
    /* Labels may be others than those of the table: they are shuffled within strata. */
    const double given =
        table->strata ? table->stratum_weights[2 * table->strata[order[i]] + (i < data->n_cases)]
                      : table->weights[order[i]];
    const int64_t rounded = llround(given / table->weight_unit);
    const int64_t weight = given > 0 && !rounded ? 1 : rounded;
    const bool is_control = i >= n[0];
    const uint32_t at = is_control ? i - n[0] : i;
    data->weights[is_control].each[at] = weight;
    if (data->is_rounded) data->given[is_control][at] = given;
  }
  status = irl_sample_weights_finish(env, &data->weights[0], n[0]);
  return status ? status : irl_sample_weights_finish(env, &data->weights[1], n[1]);
}

/* Masks of the samples of each class, if they are there once each in the order of the file. */
static irl_status sift(irl_env *env, const irl_table *table, uint32_t n, uint32_t n_cases,
                       samples *s) {
  const size_t words = irl_packed_words(table->n_samples);
  irl_status status = IRL_STATUS_OK;
  s->is_ascending = true;
  for (uint32_t i = 1; i < n; i++) s->is_ascending &= i == n_cases || s->order[i] > s->order[i - 1];
  for (int class = 0; class < 2 && s->is_ascending && !status; class ++) {
    const uint32_t last = class ? n : n_cases;
    uint64_t *mask = irl_mem_alloc(&env->allocator, words, sizeof *mask);
    for (uint32_t i = class ? n_cases : 0; mask && i < last; i++) irl_bits_set(mask, s->order[i]);
    status = mask ? irl_sieve_init(env, &s->sieve[class], mask, words) : irl_fail_memory(env);
    irl_mem_free(&env->allocator, mask);
  }
  return status;
}

irl_status irl_table_data(irl_env *env, const irl_table *table, const irl_coding *coding,
                          const irl_rows *rows, irl_data **out) {
  IRL_NEED(env, "env, table, coding, data", env, table, coding, out);
  irl_names names = {0};
  irl_data *data = NULL;
  irl_rows own;
  irl_status status = irl_rows_take(env, table, &rows, &own);
  if (status) return status;
  assert(irl_table_check(table));
  const uint32_t n = rows ? rows->n : table->n_samples;
  uint8_t *labels = irl_mem_alloc(&env->allocator, n, 1);
  samples s = {.order = irl_mem_alloc(&env->allocator, n, sizeof *s.order)};
  status = labels && s.order ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status && !irl_names_copy(&names, &coding->features, &env->allocator))
    status = irl_fail_memory(env);
  if (!status) {
    /* Labels of the samples, and the samples themselves: cases first. */
    uint32_t a = 0, b = 0;
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t sample = irl_rows_sample(rows, i);
      labels[i] =
          rows && rows->labels ? rows->labels[i] != 0 : table->labels && table->labels[sample];
      b += labels[i];
    }
    for (uint32_t i = 0; i < n; i++) s.order[labels[i] ? a++ : b++] = irl_rows_sample(rows, i);
    const bool has_labels = table->has_labels || (rows && rows->labels);
    const irl_data_frame frame = {
        table->path,
        &names,
        n,
        has_labels ? labels : NULL,
        {table->target, table->positive, table->negative, !coding->is_identity}};
    status = irl_data_create(env, &frame, &data);
  }
  if (!status && !coding->is_identity)
    status = irl_data_set_conditions(env, data, &coding->conditions, coding->groups);
  if (!status) data->is_rest = table->is_rest;
  if (!status) status = sift(env, table, n, data->n_cases, &s);
  if (!status) status = code_columns(env, table, coding, &s, data);
  if (!status) status = set_weights(env, table, s.order, data);
  if (!status && coding->is_reflected) irl_data_reflect(data);
  assert(status || irl_data_check(data));
  irl_names_free(&names);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, s.order);
  irl_sieve_free(&s.sieve[0]);
  irl_sieve_free(&s.sieve[1]);
  return irl_data_deliver(status, data, out);
}

irl_status irl_table_bits(irl_env *env, const irl_table *table, irl_data **data) {
  irl_options usual;
  irl_coding *coding = NULL;
  irl_options_init(&usual, sizeof usual);
  assert(irl_table_is_binary(table));
  irl_status status = irl_table_code_part(env, table, NULL, &usual, &coding);
  if (!status) status = irl_table_data(env, table, coding, NULL, data);
  irl_coding_free(coding);
  return status;
}
