/* From the list of entries to compressed columns and rows, by counting twice: O(entries). */
#include "lp/lp_model.h"

static bool allocate(irl_lp_matrix *m) {
  irl_arena *a = &m->arena;
  return (m->column_start = irl_arena_alloc(a, (size_t)m->n_columns + 2, sizeof(size_t))) &&
         (m->row_start = irl_arena_alloc(a, (size_t)m->n_rows + 2, sizeof(size_t))) &&
         (m->column_row = irl_arena_alloc(a, m->n_entries, sizeof(uint32_t))) &&
         (m->row_column = irl_arena_alloc(a, m->n_entries, sizeof(uint32_t))) &&
         (m->column_value = irl_arena_alloc(a, m->n_entries, sizeof(double))) &&
         (m->row_value = irl_arena_alloc(a, m->n_entries, sizeof(double)));
}

/* start[i + 1] holds the next free place of i while filling, and the end of i afterwards. */
static void accumulate(size_t *start, size_t n) {
  for (size_t i = 1; i <= n; i++) start[i] += start[i - 1];
}

void irl_lp_matrix_transpose(irl_lp_matrix *m) {
  size_t *start = m->row_start;
  memset(start, 0, ((size_t)m->n_rows + 2) * sizeof *start);
  for (size_t e = 0; e < m->n_entries; e++) start[m->column_row[e] + 2]++;
  accumulate(start, (size_t)m->n_rows + 1);
  for (uint32_t j = 0; j < m->n_columns; j++) {
    for (size_t e = m->column_start[j]; e < m->column_start[j + 1]; e++) {
      const size_t to = start[m->column_row[e] + 1]++;
      m->row_column[to] = j;
      m->row_value[to] = m->column_value[e];
    }
  }
}

irl_status irl_lp_matrix_compile(irl_env *env, const irl_lp *lp, irl_lp_matrix *matrix) {
  irl_lp_matrix m = {
      .n_rows = lp->rows.count, .n_columns = lp->columns.count, .n_entries = lp->n_entries};
  irl_arena_init(&m.arena, &env->allocator);
  if (!allocate(&m)) {
    irl_lp_matrix_free(&m);
    return irl_fail_memory(env);
  }
  for (size_t e = 0; e < lp->n_entries; e++) m.column_start[lp->entries[e].column + 2]++;
  accumulate(m.column_start, (size_t)m.n_columns + 1);
  for (size_t e = 0; e < lp->n_entries; e++) {
    const size_t to = m.column_start[lp->entries[e].column + 1]++;
    assert(to < m.n_entries && lp->entries[e].row < m.n_rows);
    m.column_row[to] = lp->entries[e].row;
    m.column_value[to] = lp->entries[e].value;
  }
  irl_lp_matrix_transpose(&m);
  assert(m.column_start[m.n_columns] == m.n_entries && m.row_start[m.n_rows] == m.n_entries);
  *matrix = m;
  return IRL_OK;
}

void irl_lp_matrix_free(irl_lp_matrix *m) {
  irl_arena_free(&m->arena);
  *m = (irl_lp_matrix){0};
}
