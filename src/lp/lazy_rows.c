/* Row generation: in a model with far more rows than columns few rows bind at a time. A row whose
 * activity is basic has no part in the LP but that it must hold; so the simplex works on a core,
 * all columns with some of the rows, and the others are idle. When the core is solved the idle rows
 * are looked at, the most violated join it, and the dual simplex goes on from where it was: their
 * activities are basic and infeasible. During a solve rows join and never leave, so it ends; before
 * a solve those that do not bind leave if the core has grown to twice its size.
 *
 * What the core proves holds for the model: if it has no point, or none below the cutoff, neither
 * has the model; the duals of idle rows are zero. Only 'unbounded' and 'trouble' say nothing, and
 * then the whole model is solved as if there were no core. The caller sees one model: its rows have
 * places in bases, duals and multipliers whether they are idle or not.
 *
 * Rows with fewer entries than average begin idle. The paper's AND2 models have a row of two
 * entries for each zero of the data, 5,000 for 100 x 50, and some hundreds of them matter. */
#include "lp/lazy_rows.h"
#include "base/memory.h"
#include "lp/tol.h"
#include <math.h>
#include <stdlib.h>

/* Rows per column, and share of rows that would be idle, from which on it pays. */
#define MANY_ROWS 2u
#define IDLE      0.5
/* Rows that join at a time: this many, or a share of the core. */
#define JOIN_LEAST 50u
#define JOIN_SHARE 0.25
#define GROWTH     2u /* of the core, after which it is cleared out */

typedef struct irl_lp_broken {
  double violation;
  uint32_t row;
} irl_lp_broken;

void irl_lp_lazy_rows_free(irl_lp_lazy_rows *core) {
  if (!core) return;
  const irl_allocator allocator = core->allocator;
  irl_lp_free(core->lp);
  irl_lp_matrix_free(&core->matrix);
  irl_arena_free(&core->arena);
  irl_mem_free(&allocator, core);
}

void irl_lp_lazy_rows_drop(irl_lp *lp) {
  irl_lp_lazy_rows_free(lp->core);
  lp->core = NULL;
}

/* ---- which rows ---- */

/* With these many entries of its own; a row that binds, or did lately (it has a weight), is in. */
static bool begins_idle(const irl_lp *lp, uint32_t i, size_t n) {
  const irl_lp_side *rows = &lp->rows;
  return n * rows->count < lp->n_entries && rows->lower[i] != rows->upper[i] &&
         rows->at[i] == IRL_LP_BASIC && rows->weight[i] == 0;
}

bool irl_lp_lazy_rows_pay(const irl_lp *lp) {
  if (lp->n_blocks || lp->has_no_core || lp->rows.count < JOIN_LEAST) return false;
  if (lp->rows.count < MANY_ROWS * (size_t)lp->columns.count) return false;
  if (lp->core && !lp->is_reshaped) return true;
  /* Rows of one kind are all average: then none is idle. */
  size_t short_rows = 0, *n = irl_mem_alloc(&lp->allocator, lp->rows.count, sizeof *n);
  if (!n) return false;
  for (size_t e = 0; e < lp->n_entries; e++) n[lp->entries[e].row]++;
  for (uint32_t i = 0; i < lp->rows.count; i++) short_rows += n[i] * lp->rows.count < lp->n_entries;
  irl_mem_free(&lp->allocator, n);
  return (double)short_rows > IDLE * lp->rows.count;
}

static irl_status join(irl_lp *lp, uint32_t i) {
  irl_lp_lazy_rows *core = lp->core;
  const irl_lp_matrix *m = &core->matrix;
  const size_t first = m->row_start[i];
  uint32_t place;
  assert(core->place_of[i] == UINT32_MAX);
  const irl_status status = irl_lp_add_row(core->lp, lp->rows.lower[i], lp->rows.upper[i],
                                           (uint32_t)(m->row_start[i + 1] - first),
                                           m->row_column + first, m->row_value + first, &place);
  if (status) return status;
  core->lp->rows.at[place] = lp->rows.at[i];
  core->lp->rows.weight[place] = lp->rows.weight[i];
  core->row_of[place] = i;
  core->place_of[i] = place;
  return IRL_OK;
}

static irl_status fill(irl_lp *lp, irl_lp_lazy_rows *core) {
  irl_status status = irl_lp_create(lp->env, &core->lp);
  const irl_lp_matrix *m = &core->matrix;
  if (!status) core->lp->has_no_core = true;
  for (uint32_t j = 0; j < lp->columns.count && !status; j++) {
    status = irl_lp_add_column(core->lp, lp->cost[j], lp->columns.lower[j], lp->columns.upper[j], 0,
                               NULL, NULL, NULL);
    if (!status) core->lp->columns.at[j] = lp->columns.at[j];
    if (!status) core->lp->columns.weight[j] = lp->columns.weight[j];
  }
  for (uint32_t i = 0; i < lp->rows.count && !status; i++) {
    core->place_of[i] = UINT32_MAX;
    if (!begins_idle(lp, i, m->row_start[i + 1] - m->row_start[i])) status = join(lp, i);
  }
  if (!status) core->most = GROWTH * (core->lp->rows.count + JOIN_LEAST);
  return status;
}

static irl_status create(irl_lp *lp) {
  const irl_allocator *a = &lp->allocator;
  const size_t m = lp->rows.count;
  irl_lp_lazy_rows *core = irl_mem_alloc(a, 1, sizeof *core);
  if (!core) return irl_fail_memory(lp->env);
  irl_lp_lazy_rows_free(lp->core);
  lp->core = core;
  core->allocator = *a;
  irl_arena_init(&core->arena, a);
  if (!(core->row_of = irl_arena_alloc(&core->arena, m, sizeof *core->row_of)) ||
      !(core->place_of = irl_arena_alloc(&core->arena, m, sizeof *core->place_of)) ||
      !(core->by_row = irl_arena_alloc(&core->arena, m, sizeof *core->by_row)) ||
      !(core->broken = irl_arena_alloc(&core->arena, m, sizeof *core->broken)))
    return irl_fail_memory(lp->env);
  const irl_status status = irl_lp_matrix_compile(lp->env, lp, &core->matrix);
  return status ? status : fill(lp, core);
}

/* ---- from the model to the core and back ---- */

static irl_status take_basis(irl_lp *lp) {
  irl_lp *inner = lp->core->lp;
  irl_status status = IRL_OK;
  for (uint32_t i = 0; i < lp->rows.count && !status; i++) {
    const uint32_t place = lp->core->place_of[i];
    if (place == UINT32_MAX) {
      if (lp->rows.at[i] != IRL_LP_BASIC) status = join(lp, i);
      continue;
    }
    inner->rows.at[place] = lp->rows.at[i];
    inner->rows.weight[place] = lp->rows.weight[i];
  }
  memcpy(inner->columns.at, lp->columns.at, lp->columns.count);
  memcpy(inner->columns.weight, lp->columns.weight, lp->columns.count * sizeof(double));
  inner->is_rebased = true;
  return status;
}

static irl_status update(irl_lp *lp) {
  irl_lp *inner = lp->core->lp;
  const size_t size = lp->columns.count * sizeof(double);
  irl_lp_use_env(inner, lp->env);
  memcpy(inner->columns.lower, lp->columns.lower, size);
  memcpy(inner->columns.upper, lp->columns.upper, size);
  for (uint32_t p = 0; p < inner->rows.count; p++) {
    inner->rows.lower[p] = lp->rows.lower[lp->core->row_of[p]];
    inner->rows.upper[p] = lp->rows.upper[lp->core->row_of[p]];
  }
  if (lp->is_repriced) memcpy(inner->cost, lp->cost, size);
  inner->is_repriced |= lp->is_repriced;
  inner->constant = lp->constant;
  return lp->is_rebased ? take_basis(lp) : IRL_OK;
}

static double activity_of(const irl_lp *lp, uint32_t i) {
  const irl_lp_matrix *m = &lp->core->matrix;
  double sum = 0;
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++)
    sum += m->row_value[e] * lp->columns.value[m->row_column[e]];
  return sum;
}

static irl_status store_ray(irl_lp *lp, irl_lp_end end) {
  const irl_lp *inner = lp->core->lp;
  if (!inner->ray || end != IRL_LP_INFEASIBLE) return IRL_OK;
  lp->ray = irl_mem_alloc(&lp->allocator, (size_t)lp->rows.count + 1, sizeof *lp->ray);
  if (!lp->ray) return irl_fail_memory(lp->env);
  for (uint32_t p = 0; p < inner->rows.count; p++) lp->ray[lp->core->row_of[p]] = inner->ray[p];
  return IRL_OK;
}

static void store(irl_lp *lp) {
  const irl_lp *inner = lp->core->lp;
  const size_t size = lp->columns.count * sizeof(double);
  memcpy(lp->columns.at, inner->columns.at, lp->columns.count);
  memcpy(lp->columns.weight, inner->columns.weight, size);
  memcpy(lp->columns.value, inner->columns.value, size);
  memcpy(lp->columns.dual, inner->columns.dual, size);
  for (uint32_t i = 0; i < lp->rows.count; i++) {
    const uint32_t p = lp->core->place_of[i];
    const bool is_idle = p == UINT32_MAX;
    lp->rows.at[i] = is_idle ? (uint8_t)IRL_LP_BASIC : inner->rows.at[p];
    lp->rows.weight[i] = is_idle ? 0 : inner->rows.weight[p];
    lp->rows.dual[i] = is_idle ? 0 : inner->rows.dual[p];
    lp->rows.value[i] = is_idle ? activity_of(lp, i) : inner->rows.value[p];
  }
}

bool irl_lp_lazy_rows_multipliers(irl_lp *lp, uint32_t column, double *y) {
  const irl_lp_lazy_rows *core = lp->core;
  if (!irl_lp_tableau_multipliers(core->lp, column, core->by_row)) return false;
  memset(y, 0, lp->rows.count * sizeof *y);
  for (uint32_t p = 0; p < core->lp->rows.count; p++) y[core->row_of[p]] = core->by_row[p];
  return true;
}

/* ---- idle rows that are violated ---- */

static int by_violation(const void *a, const void *b) {
  const irl_lp_broken *p = a, *q = b;
  if (p->violation != q->violation) return p->violation > q->violation ? -1 : 1;
  return (p->row > q->row) - (p->row < q->row);
}

static size_t find_broken(irl_lp *lp) {
  const irl_lp_side *rows = &lp->rows;
  irl_lp_broken *broken = lp->core->broken;
  size_t n = 0;
  for (uint32_t i = 0; i < rows->count; i++) {
    if (lp->core->place_of[i] != UINT32_MAX) continue;
    const double over = fmax(rows->lower[i] - rows->value[i], rows->value[i] - rows->upper[i]);
    if (over > IRL_LP_TOL_FINAL * fmax(1, fabs(rows->value[i])))
      broken[n++] = (irl_lp_broken){over, i};
  }
  return n;
}

static irl_status join_broken(irl_lp *lp, size_t n) {
  const size_t share = (size_t)(JOIN_SHARE * lp->core->lp->rows.count);
  const size_t most = share > JOIN_LEAST ? share : JOIN_LEAST;
  irl_lp_broken *broken = lp->core->broken;
  irl_status status = IRL_OK;
  assert(n > 0 && n <= lp->rows.count);
  qsort(broken, n, sizeof *broken, by_violation);
  for (size_t k = 0; k < n && k < most && !status; k++) status = join(lp, broken[k].row);
  return status;
}

/* ---- the solve ---- */

bool irl_lp_lazy_rows_check(const irl_lp *lp) {
  const irl_lp_lazy_rows *core = lp->core;
  uint32_t n_idle = 0;
  if (core->lp->columns.count != lp->columns.count) return false;
  for (uint32_t i = 0; i < lp->rows.count; i++) {
    n_idle += core->place_of[i] == UINT32_MAX;
    if (core->place_of[i] != UINT32_MAX && core->row_of[core->place_of[i]] != i) return false;
  }
  return n_idle + core->lp->rows.count == lp->rows.count;
}

static irl_status prepare(irl_lp *lp) {
  if (lp->is_reshaped || !lp->core) return create(lp);
  if (lp->core->lp->rows.count <= lp->core->most) return update(lp);
  for (uint32_t i = 0; i < lp->rows.count; i++)
    if (lp->rows.at[i] == IRL_LP_BASIC) lp->rows.weight[i] = 0;
  return create(lp);
}

static irl_status solve_inner(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result) {
  irl_lp_options own = *options;
  irl_lp_result part;
  own.max_iterations -= result->iterations;
  if (own.limit.max_work != UINT64_MAX)
    own.limit.max_work = own.limit.max_work > result->work ? own.limit.max_work - result->work : 1;
  const irl_status status = irl_lp_solve(lp->core->lp, &own, &part);
  if (status) return status;
  result->end = part.end;
  result->objective = part.objective;
  result->iterations += part.iterations;
  result->work += part.work + lp->n_entries;
  return IRL_OK;
}

irl_status irl_lp_lazy_rows_solve(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result,
                                  bool *has_answer) {
  irl_status status = prepare(lp);
  size_t n_broken = 0;
  *has_answer = false;
  if (status) goto done;
  lp->is_reshaped = lp->is_rebased = lp->is_repriced = false;
  do {
    if (n_broken && (status = join_broken(lp, n_broken))) goto done;
    if ((status = solve_inner(lp, options, result))) goto done;
    assert(irl_lp_lazy_rows_check(lp));
    store(lp);
    n_broken = result->end == IRL_LP_OPTIMAL ? find_broken(lp) : 0;
    if (n_broken && result->iterations >= options->max_iterations) result->end = IRL_LP_LIMIT;
  } while (n_broken && result->end == IRL_LP_OPTIMAL);
  *has_answer = result->end != IRL_LP_UNBOUNDED && result->end != IRL_LP_TROUBLE;
  if (*has_answer) status = store_ray(lp, result->end);
done:
  if (!status && *has_answer) return IRL_OK;
  irl_lp_lazy_rows_drop(lp);
  lp->has_no_core = lp->is_reshaped = true;
  return status;
}
