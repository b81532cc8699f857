/* Bases in and out of the model: as plain bytes, or saved with their weights.
 *
 * A saved basis packs four variables into a byte and keeps one float per basic variable, in the
 * order of the variables: for a search with thousands of open nodes, which needs the weights only
 * to choose good rows and not to be right. */
#include "base/memory.h"
#include "lp/lp_model.h"

struct irl_lp_basis {
  irl_allocator allocator;
  uint32_t n_columns, n_rows, n_basic;
  uint8_t *at; /* two bits per variable: columns, then rows */
  float *weight;
};

void irl_lp_get_basis(const irl_lp *lp, uint8_t *at) {
  memcpy(at, lp->columns.at, lp->columns.count);
  memcpy(at + lp->columns.count, lp->rows.at, lp->rows.count);
}

void irl_lp_set_basis(irl_lp *lp, const uint8_t *at) {
  memcpy(lp->columns.at, at, lp->columns.count);
  memcpy(lp->rows.at, at + lp->columns.count, lp->rows.count);
  memset(lp->columns.weight, 0, lp->columns.count * sizeof(double));
  memset(lp->rows.weight, 0, lp->rows.count * sizeof(double));
  lp->is_rebased = true;
}

void irl_lp_basis_free(irl_lp_basis *basis) {
  if (!basis) return;
  const irl_allocator allocator = basis->allocator;
  irl_mem_free(&allocator, basis->at);
  irl_mem_free(&allocator, basis->weight);
  irl_mem_free(&allocator, basis);
}

static uint32_t count_basic(const irl_lp_side *side) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < side->count; i++) n += side->at[i] == IRL_LP_BASIC;
  return n;
}

static void pack(irl_lp_basis *basis, const irl_lp_side *side, size_t first) {
  for (uint32_t i = 0; i < side->count; i++) {
    const size_t v = first + i;
    basis->at[v / 4] |= (uint8_t)(side->at[i] << v % 4 * 2);
    if (side->at[i] == IRL_LP_BASIC) basis->weight[basis->n_basic++] = (float)side->weight[i];
  }
}

irl_status irl_lp_basis_save(const irl_lp *lp, irl_lp_basis **basis) {
  const irl_allocator *a = &lp->allocator;
  irl_lp_basis *made = irl_mem_alloc(a, 1, sizeof *made);
  if (!made) return irl_fail_memory(lp->env);
  made->allocator = *a;
  made->n_columns = lp->columns.count;
  made->n_rows = lp->rows.count;
  made->at = irl_mem_alloc(a, ((size_t)made->n_columns + made->n_rows) / 4 + 1, 1);
  made->weight = irl_mem_alloc(a, (size_t)count_basic(&lp->columns) + count_basic(&lp->rows),
                               sizeof *made->weight);
  if (!made->at || !made->weight) {
    irl_lp_basis_free(made);
    return irl_fail_memory(lp->env);
  }
  pack(made, &lp->columns, 0);
  pack(made, &lp->rows, made->n_columns);
  *basis = made;
  return IRL_OK;
}

/* Returns the next weight. */
static const float *unpack(const irl_lp_basis *basis, size_t first, uint32_t n, const float *weight,
                           irl_lp_side *side) {
  for (uint32_t i = 0; i < n; i++) {
    const size_t v = first + i;
    side->at[i] = basis->at[v / 4] >> v % 4 * 2 & 3;
    side->weight[i] = side->at[i] == IRL_LP_BASIC ? (double)*weight++ : 0;
  }
  return weight;
}

irl_status irl_lp_basis_restore(irl_lp *lp, const irl_lp_basis *basis) {
  irl_lp_side *columns = &lp->columns, *rows = &lp->rows;
  if (basis->n_columns > columns->count || basis->n_rows > rows->count)
    return irl_fail(lp->env, IRL_BAD_ARGUMENT, "the basis is that of a larger model");
  const float *weight = unpack(basis, 0, basis->n_columns, basis->weight, columns);
  unpack(basis, basis->n_columns, basis->n_rows, weight, rows);
  for (uint32_t j = basis->n_columns; j < columns->count; j++)
    columns->at[j] = (uint8_t)irl_lp_at_some_bound(columns->lower[j], columns->upper[j]);
  for (uint32_t i = basis->n_rows; i < rows->count; i++) {
    rows->at[i] = IRL_LP_BASIC;
    rows->weight[i] = 0;
  }
  lp->is_rebased = true;
  return IRL_OK;
}

size_t irl_lp_basis_bytes(const irl_lp_basis *basis) {
  return sizeof *basis + ((size_t)basis->n_columns + basis->n_rows) / 4 + 1 +
         basis->n_basic * sizeof *basis->weight;
}
