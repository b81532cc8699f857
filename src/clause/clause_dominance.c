/* Columns that others make superfluous: of equal columns one stays; a column that covers no more
 * cases and no fewer controls than another is dominated, since any clause with it can take the
 * other instead. Deeper nodes cover less and so have more of both, but on data without structure
 * there are none for a long time: a table is only looked at if its parent's gave some, or if its
 * samples are so few that chance makes some. */
#include "base/memory.h"
#include "clause/worker.h"

#define FEW_SAMPLES  48u    /* columns over fewer samples are often equal or nested */
#define MANY_COLUMNS 20000u /* pairs of more columns take too long to compare */

static void keep_column(irl_clause_table *table, uint32_t to, uint32_t from) {
  assert(to <= from && from < table->set.n);
  if (to == from) return;
  memcpy(irl_clause_cases(table, to), irl_clause_cases(table, from),
         table->stride * sizeof(uint64_t));
  irl_literal_set_put(&table->set, to, &table->set, from);
}

/* Of equal columns the first one stays. False: out of memory. */
static bool merge_equal(irl_clause_table *table, irl_hash_index *index) {
  const size_t bytes = table->stride * sizeof(uint64_t);
  uint32_t kept = 0;
  if (!irl_hash_index_reset(index, table->set.n)) return false;
  for (uint32_t i = 0; i < table->set.n; i++) {
    const uint64_t *column = irl_clause_cases(table, i);
    const uint64_t hash = irl_hash_of(index, column, bytes);
    irl_hash_probe probe = irl_hash_probe_start(index, hash);
    uint32_t k;
    do k = irl_hash_probe_next(&probe);
    while (k != IRL_HASH_NONE && memcmp(irl_clause_cases(table, k), column, bytes));
    if (k != IRL_HASH_NONE) continue;
    irl_hash_index_insert(index, hash, kept);
    keep_column(table, kept++, i);
  }
  assert(kept == index->n);
  table->set.n = kept;
  return true;
}

static bool is_dominated(const irl_clause_table *table, uint32_t i) {
  const irl_literal_set *set = &table->set;
  for (uint32_t j = i + 1; j < set->n; j++) { /* by ascending cases: dominators come later */
    assert(set->cases[j] >= set->cases[i]);
    if (set->controls[j] <= set->controls[i] &&
        irl_bits_is_subset(irl_clause_cases(table, i), irl_clause_cases(table, j),
                           table->case_words) &&
        irl_bits_is_subset(irl_clause_controls(table, j), irl_clause_controls(table, i),
                           table->control_words))
      return true;
  }
  return false;
}

void irl_clause_drop_dominated(irl_clause_worker *worker, irl_clause_table *table) {
  const uint32_t before = table->set.n;
  uint32_t kept = 0;
  assert(!table->own);
  if (!table->is_reducible && table->n_cases + table->n_controls > FEW_SAMPLES) return;
  table->is_reducible = false;
  if (!worker->model->may_replace) return;
  if (!merge_equal(table, &worker->index)) {
    worker->ending = IRL_ENDED_BY_MEMORY;
    return;
  }
  worker->work += before * table->stride;
  if (table->set.n <= MANY_COLUMNS) {
    for (uint32_t i = 0; i < table->set.n; i++)
      if (!is_dominated(table, i)) keep_column(table, kept++, i);
    worker->work += (uint64_t)table->set.n * table->set.n / 2;
    table->set.n = kept;
  }
  table->is_reducible = table->set.n < before;
  assert(table->set.n <= before && (table->set.n || !before)); /* some column dominates */
}
