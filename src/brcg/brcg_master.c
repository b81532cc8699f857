/* The restricted master. The LP over clauses k with covers is
 *
 *   min  sum_g u_g xi_g + sum_k controls_k q_k       (in units of the control weight)
 *   s.t. xi_g + sum of q_k over the k that cover g >= 1     for each group g of equal cases
 *        sum_k q_k <= K,  sum_k (1 + size_k) q_k <= C,  sum_k size_k q_k <= L,  xi, q >= 0
 *
 * with u_g = (cases of g) * case_weight / control_weight. It is kept as its dual,
 *
 *   max  sum_g mu_g - K lambda - C rho - L sigma
 *   s.t. sum of mu_g over the g that k covers - lambda - (1 + size_k) rho - size_k sigma
 *                                                       <= controls_k     for each clause k
 *        0 <= mu_g <= u_g,  lambda, rho, sigma >= 0,
 *
 * because a clause that comes in is then a row that the last solution violates: the dual simplex
 * goes on from its basis, which has as many rows as there are clauses, not as there are cases.
 * Clauses of the pool that are not violated stay outside until they are; rows that have become
 * superfluous are dropped when there are too many. */
#include "base/memory.h"
#include "brcg/brcg.h"
#include "lp/tol.h"
#include <math.h>
#include <stdlib.h>

#define VIOLATION 1e-6 /* in units of the control weight: less is rounding */
#define FAR       0.25 /* of the value of the point: so much slack makes a row superfluous */

/* ---- the LP ---- */

void irl_brcg_set_state(irl_brcg *cg, uint32_t group, irl_brcg_state state) {
  const int64_t loss = cg->case_weight * cg->weights[group];
  assert(group < cg->n_groups && cg->weights[group]);
  if (cg->states[group] == IRL_BRCG_LEFT) cg->left_loss -= loss;
  if (state == IRL_BRCG_LEFT) cg->left_loss += loss;
  cg->states[group] = (uint8_t)state;
  irl_lp_set_bounds(cg->lp, group, 0, irl_brcg_most(cg, group));
  cg->is_stale = true;
}

/* What K, complexity and literals cost; those without a bound are free. */
static void set_prices(irl_brcg *cg) {
  const uint64_t most[] = {cg->K, cg->max_complexity, cg->max_literals};
  for (uint32_t i = 0; i < 3; i++) {
    const bool is_bounded = most[i] != UINT64_MAX;
    irl_lp_set_cost(cg->lp, cg->n_groups + i, is_bounded ? (double)most[i] : 0);
    irl_lp_set_bounds(cg->lp, cg->n_groups + i, 0, is_bounded ? IRL_LP_INFINITY : 0);
  }
}

void irl_brcg_set_room(irl_brcg *cg, uint32_t K, uint64_t max_literals) {
  assert(K > 0 && K <= cg->K);
  cg->K = K;
  cg->max_literals = max_literals < (uint64_t)K * cg->M ? max_literals : UINT64_MAX;
  cg->max_complexity = UINT64_MAX;
  set_prices(cg);
  cg->is_stale = true;
}

irl_status irl_brcg_make_master(irl_brcg *cg) {
  irl_status status = irl_lp_create(cg->search->env, &cg->lp);
  for (uint32_t g = 0; g < cg->n_groups && !status; g++)
    status = irl_lp_add_column(cg->lp, -1, 0, cg->now.worth[g], NULL);
  for (int i = 0; i < 3 && !status; i++) status = irl_lp_add_column(cg->lp, 0, 0, 0, NULL);
  if (!status) set_prices(cg);
  return status;
}

void irl_brcg_free_master(irl_brcg *cg) {
  irl_lp_free(cg->lp);
  irl_mem_free(&cg->search->env->allocator, cg->clause_of);
  irl_mem_free(&cg->search->env->allocator, cg->size_in_lp);
  cg->lp = NULL;
  cg->clause_of = NULL;
  cg->size_in_lp = NULL;
}

#ifndef NDEBUG
/* Do the groups hold all cases, is the loss of those left out their sum, and is every row of the LP
 * a clause of the pool that is marked as being there? For assertions. */
static bool is_consistent(const irl_brcg *cg) {
  int64_t n_cases = 0, left_loss = 0;
  for (uint32_t g = 0; g < cg->n_groups; g++) {
    n_cases += cg->weights[g];
    if (cg->states[g] == IRL_BRCG_LEFT) left_loss += cg->case_weight * cg->weights[g];
  }
  for (size_t i = 0; i < cg->n_rows; i++)
    if (cg->clause_of[i] >= cg->pool->n || !cg->size_in_lp[cg->clause_of[i]]) return false;
  return n_cases == (int64_t)cg->n_cases && left_loss == cg->left_loss &&
         irl_lp_n_rows(cg->lp) == cg->n_rows;
}
#endif

/* ---- clauses come in ---- */

/* How much clause k violates the solution, in units of the control weight. */
static double violation_of(const irl_brcg *cg, uint32_t k) {
  const uint64_t *cover = irl_bits_vector(&cg->pool->cases, k);
  const double size = cg->pool->sizes[k];
  const uint64_t controls = irl_brcg_controls(cg, k);
  double sum = 0;
  for (size_t w = 0; w < cg->data->cases.stride; w++)
    for (uint64_t bits = cover[w] & cg->firsts[w]; bits; bits &= bits - 1)
      sum += cg->now.worth[cg->group_of[64 * w + (size_t)__builtin_ctzll(bits)]];
  return sum - (double)controls - cg->now.clause - (1 + size) * cg->now.complexity -
         size * cg->now.literal;
}

static irl_status add_clause(irl_brcg *cg, uint32_t k, uint32_t *columns, double *values) {
  const irl_allocator *allocator = &cg->search->env->allocator;
  const uint64_t *cover = irl_bits_vector(&cg->pool->cases, k);
  const double size = cg->pool->sizes[k], prices[] = {1, 1 + size, size};
  const double controls = (double)irl_brcg_controls(cg, k);
  uint32_t n = 0;
  if (!irl_mem_reserve(allocator, (void **)&cg->clause_of, &cg->rows_capacity, cg->n_rows,
                       sizeof *cg->clause_of))
    return irl_fail_memory(cg->search->env);
  for (size_t w = 0; w < cg->data->cases.stride; w++)
    for (uint64_t bits = cover[w] & cg->firsts[w]; bits; bits &= bits - 1) {
      columns[n] = cg->group_of[64 * w + (size_t)__builtin_ctzll(bits)];
      values[n++] = 1;
    }
  for (uint32_t i = 0; i < 3; i++) {
    columns[n] = cg->n_groups + i;
    values[n++] = -prices[i];
  }
  assert(k < cg->pool->n && n <= cg->n_groups + 3);
  cg->clause_of[cg->n_rows++] = k;
  cg->size_in_lp[k] = (uint8_t)cg->pool->sizes[k];
  cg->search->work += cg->data->cases.stride + n;
  return irl_lp_add_row(cg->lp, -IRL_LP_INFINITY, controls, &(irl_lp_terms){n, columns, values});
}

typedef struct arrival {
  double violation;
  uint32_t k;
} arrival;

static int compare_arrivals(const void *x, const void *y) {
  const arrival *a = x, *b = y;
  if (a->violation != b->violation) return a->violation > b->violation ? -1 : 1;
  return (a->k > b->k) - (a->k < b->k);
}

/* The clauses of the pool that the solution violates come in. One that has become shorter comes in
 * again. */
static irl_status add_violated(irl_brcg *cg, size_t *n_added) {
  irl_env *env = cg->search->env;
  const uint32_t n = (uint32_t)cg->pool->n;
  irl_arena arena;
  irl_arena_init(&arena, &env->allocator);
  arrival *list = irl_arena_alloc(&arena, n, sizeof *list);
  uint32_t *columns = irl_arena_alloc(&arena, cg->n_groups + 3, sizeof *columns);
  double *values = irl_arena_alloc(&arena, cg->n_groups + 3, sizeof *values);
  irl_status status = list && columns && values ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status && n > cg->size_capacity) {
    uint8_t *grown = irl_mem_grow(&env->allocator, cg->size_in_lp, 2 * (size_t)n, sizeof *grown);
    if (grown) {
      memset(grown + cg->size_capacity, 0, 2 * (size_t)n - cg->size_capacity);
      cg->size_in_lp = grown;
      cg->size_capacity = 2 * (size_t)n;
    } else {
      status = irl_fail_memory(env);
    }
  }
  size_t count = 0;
  for (uint32_t k = 0; k < n && !status; k++) {
    if (cg->size_in_lp[k] && cg->size_in_lp[k] <= cg->pool->sizes[k]) continue;
    list[count] = (arrival){violation_of(cg, k), k};
    count += list[count].violation > VIOLATION;
  }
  cg->search->work += n * (cg->data->cases.stride + cg->data->controls.stride);
  if (!status) qsort(list, count, sizeof *list, compare_arrivals);
  const size_t entering = (cg->search->settings.tuning.found + 1) / 2;
  if (count > entering) count = entering;
  for (size_t i = 0; i < count && !status; i++) status = add_clause(cg, list[i].k, columns, values);
  *n_added = count;
  irl_arena_free(&arena);
  return status;
}

/* ---- solving ---- */

/* Rows that are far from tight go when there are too many. */
static irl_status drop_rows(irl_brcg *cg) {
  const irl_allocator *allocator = &cg->search->env->allocator;
  if (cg->n_rows < cg->search->settings.tuning.column_rows) return IRL_STATUS_OK;
  bool *is_gone = irl_mem_alloc(allocator, cg->n_rows, sizeof *is_gone);
  if (!is_gone) return irl_fail_memory(cg->search->env);
  const double *activity = irl_lp_activity(cg->lp), far = FAR * (cg->now.clause + 1);
  size_t kept = 0;
  for (uint32_t i = 0; i < cg->n_rows; i++) {
    double lower, upper;
    irl_lp_row_bounds(cg->lp, i, &lower, &upper);
    is_gone[i] = upper - activity[i] > far;
    if (is_gone[i]) cg->size_in_lp[cg->clause_of[i]] = 0;
  }
  for (uint32_t i = 0; i < cg->n_rows; i++)
    if (!is_gone[i]) {
      cg->size_in_lp[cg->clause_of[i]] = (uint8_t)cg->pool->sizes[cg->clause_of[i]];
      cg->clause_of[kept++] = cg->clause_of[i];
    }
  const irl_status status = kept < cg->n_rows ? irl_lp_delete_rows(cg->lp, is_gone) : IRL_STATUS_OK;
  assert(kept <= cg->n_rows);
  cg->n_rows = kept;
  irl_mem_free(allocator, is_gone);
  return status;
}

irl_status irl_brcg_solve(irl_brcg *cg, size_t *n_added) {
  irl_search *search = cg->search;
  irl_lp_options options;
  irl_lp_result result;
  size_t n;
  irl_lp_options_init(&options, search->env);
  options.limit = irl_search_sublimit(search, UINT64_MAX);
  *n_added = 0;
  irl_status status = add_violated(cg, &n);
  while (!status && (n || cg->is_stale) && !irl_search_is_done(search)) {
    *n_added += n;
    status = irl_lp_solve(cg->lp, &options, &result);
    if (status) break;
    search->work += result.work;
    if (result.end != IRL_LP_OPTIMAL) {
      cg->is_stuck = true;
      break;
    }
    const double *x = irl_lp_primal(cg->lp), *prices = x + cg->n_groups;
    for (uint32_t g = 0; g < cg->n_groups; g++) cg->now.worth[g] = x[g] > 0 ? x[g] : 0;
    cg->now.clause = prices[0] > 0 ? prices[0] : 0;
    cg->now.complexity = prices[1] > 0 ? prices[1] : 0;
    cg->now.literal = prices[2] > 0 ? prices[2] : 0;
    cg->value = (double)cg->left_loss - result.objective * (double)cg->control_weight;
    cg->is_stale = false;
    status = drop_rows(cg);
    if (!status) status = add_violated(cg, &n);
    assert(status || is_consistent(cg));
  }
  return status;
}
