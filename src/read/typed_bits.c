/* The body of a file of 0/1: rows of bits from lines of text (csv_body.c), which are then
 * transposed into columns of the table. */
#include "base/limit.h"
#include "base/memory.h"
#include "base/threads.h"
#include "read/typed.h"

#define BATCH 512u /* columns that are transposed at a time: a line of the cache of each row */

/* Can what is asked for be bits: are no other types wanted, and is neither 0 nor 1 a missing value?
 */
static bool may_be_bits(const typed_plan *plan) {
  if (plan->is_arff || irl_typed_is_missing(&plan->na, "0", 1) ||
      irl_typed_is_missing(&plan->na, "1", 1))
    return false;
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    const typed_column *c = &plan->columns[i];
    const bool is_free = !c->na && (c->forced == IRL_NOT_FORCED || c->forced == IRL_COLUMN_BINARY);
    if (c->role == TYPED_WEIGHT || c->role == TYPED_ID || (c->role == TYPED_KEEP && !is_free))
      return false;
  }
  return true;
}

static irl_status add_steps(typed_plan *plan) {
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    const enum typed_role role = plan->columns[i].role;
    status = irl_csv_add_step(&plan->csv, role == TYPED_KEEP    ? CSV_KEEP
                                          : role == TYPED_LABEL ? CSV_LABEL
                                                                : CSV_SKIP);
  }
  return status;
}

/* Is the piece one of bits, with no label that is missing? Its labels get their numbers then. */
static bool is_plain(const typed_plan *plan, typed_piece *piece) {
  const csv_piece *p = &piece->csv;
  if (p->is_other || p->has_quoted_line_end || p->out_of_memory || p->is_cut) return false;
  for (size_t k = 0; k < p->known.n; k++) {
    const typed_na *na = irl_typed_na_of(plan, plan->csv.target);
    uint32_t number;
    if (irl_typed_is_missing(na, p->known.text[k], p->known.length[k]) ||
        !irl_typed_add_label(plan, piece, p->known.text[k], p->known.length[k], &number) ||
        number != k)
      return false;
  }
  return true;
}

/* As if nobody had looked at it. */
static void reset(const typed_plan *plan, typed_piece *piece) {
  const irl_allocator *allocator = &plan->csv.env->allocator;
  irl_mem_free(allocator, piece->csv.bits);
  irl_mem_free(allocator, piece->csv.labels);
  irl_names_free(&piece->labels);
  *piece = (typed_piece){.csv = {.start = piece->csv.start, .end = piece->csv.end}};
  irl_names_init(&piece->labels, allocator);
}

irl_status irl_typed_find_bits(typed_plan *plan) {
  if (!may_be_bits(plan)) return IRL_STATUS_OK;
  irl_status status = add_steps(plan);
  if (status) return status;
#pragma omp parallel for num_threads(irl_threads_here(plan->csv.source->threads)) schedule(dynamic)
  for (size_t i = 0; i < plan->n_pieces; i++) irl_csv_body(&plan->csv, &plan->pieces[i].csv);
  plan->is_bits = true;
  for (size_t i = 0; i < plan->n_pieces && !status; i++) {
    plan->is_bits = plan->is_bits && is_plain(plan, &plan->pieces[i]);
    status = irl_csv_check_piece(&plan->csv, &plan->pieces[i].csv);
  }
  for (size_t i = 0; i < plan->n_pieces && !status && !plan->is_bits; i++)
    reset(plan, &plan->pieces[i]);
  return status;
}

/* `n` columns from the `first` on, from as many bits of each row. */
static irl_status take_batch(typed_plan *plan, const uint64_t **rows, size_t first, size_t n) {
  const csv_plan *csv = &plan->csv;
  const size_t n_words = irl_packed_words(plan->n_rows);
  irl_bits_matrix columns;
  size_t row = 0;
  for (size_t i = 0; i < plan->n_pieces; i++) {
    const csv_piece *p = &plan->pieces[i].csv;
    for (size_t r = 0; r < p->n_rows; r++)
      rows[row++] = p->bits + r * irl_csv_row_words(csv) + first / 64;
  }
  assert(row == plan->n_rows && first % 64 == 0);
  const irl_status status = irl_bits_matrix_init(csv->env, &columns, n, plan->n_rows);
  if (status) return status;
  irl_bits_transpose(rows, plan->n_rows, &columns, csv->source->threads);
  for (size_t j = 0; j < n; j++)
    memcpy(plan->table->columns[first + j].cells.low, irl_bits_vector(&columns, j),
           n_words * sizeof(uint64_t));
  irl_bits_matrix_free(&columns);
  return irl_reading_limit_reached(csv->env) ? irl_reading_fail(csv->env, csv->source->path)
                                             : IRL_STATUS_OK;
}

irl_status irl_typed_take_bits(typed_plan *plan) {
  irl_env *env = plan->csv.env;
  const size_t n = plan->csv.n_kept;
  irl_status status = IRL_STATUS_OK;
  assert(n == plan->table->names.n);
  for (size_t i = 0; i < plan->n_pieces && plan->labels; i++) {
    const typed_piece *piece = &plan->pieces[i];
    for (size_t r = 0; r < piece->csv.n_rows; r++)
      plan->labels[piece->first_row + r] = piece->csv.labels[r];
  }
  const uint64_t **rows = irl_mem_alloc(&env->allocator, plan->n_rows, sizeof *rows);
  if (!rows) return irl_fail_memory(env);
  for (size_t first = 0; first < n && !status; first += BATCH)
    status = take_batch(plan, rows, first, n - first < BATCH ? n - first : BATCH);
  irl_mem_free(&env->allocator, rows);
  return status;
}
