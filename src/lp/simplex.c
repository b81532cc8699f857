/* Loading a model into the simplex and storing the solution back. The working state is kept in the
 * model between solves: if only bounds and costs changed, factors and weights are used again.
 *
 * Matrix: scaled by a few passes of geometric means over rows and columns, rounded to powers of
 * two, so that scaling and unscaling are exact. Models whose entries are close to each other
 * already are left as they are.
 *
 * Bounds and costs: tolerances are absolute, so all bounds together and all costs together are
 * brought near 1 as well if their geometric mean is far from it. The mean, since a few huge bounds
 * that stand for 'none' must not drown the others. */
#include "lp/simplex.h"
#include "base/memory.h"
#include "lp/tol.h"
#include <math.h>

#define N_PASSES 4 /* of geometric means */

void irl_lp_simplex_free(irl_lp_simplex *s) {
  if (!s) return;
  const irl_allocator allocator = s->allocator;
  irl_lp_matrix_free(&allocator, &s->a);
  irl_lp_lists_free(&allocator, &s->basis);
  irl_lp_lu_free(&s->lu);
  irl_arena_free(&s->arena);
  irl_mem_free(&allocator, s);
}

/* A basis has at most the entries of all columns and one for each row. */
static bool allocate_arrays(irl_lp_simplex *s) {
  irl_arena *a = &s->arena;
  const size_t total = s->total, m = s->m, d = sizeof(double);
  double **by_variable[] = {&s->scale, &s->lower, &s->upper,       &s->cost,     &s->true_cost,
                            &s->x,     &s->d,     &s->by_variable, &s->reference};
  irl_lp_vector *by_row[] = {&s->rho, &s->column, &s->tau, &s->flips};
  for (size_t k = 0; k < sizeof by_variable / sizeof *by_variable; k++)
    if (!(*by_variable[k] = irl_arena_alloc(a, total, d))) return false;
  for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
    if (!irl_lp_vector_init(a, by_row[k], s->m)) return false;
  return (s->at = irl_arena_alloc(a, total, 1)) && irl_lp_vector_init(a, &s->row, s->total) &&
         (s->candidates = irl_arena_alloc(a, total, sizeof *s->candidates)) &&
         (s->head = irl_arena_alloc(a, m, sizeof(uint32_t))) &&
         (s->weight = irl_arena_alloc(a, m, d)) && (s->infeasibility = irl_arena_alloc(a, m, d)) &&
         (s->is_banned = irl_arena_alloc(a, m, sizeof(bool))) &&
         irl_lp_lists_reserve(&s->allocator, &s->basis, m, s->a.columns.used + m);
}

static void scale_lists(const irl_lp_lists *lists, const double *other, double *scale) {
  for (size_t i = 0; i < lists->n; i++) {
    double least = INFINITY, largest = 0;
    for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++) {
      const double v = fabs(lists->value[e]) * other[lists->index[e]];
      least = fmin(least, v);
      largest = fmax(largest, v);
    }
    scale[i] = largest > 0 ? 1 / (sqrt(least) * sqrt(largest)) : 1;
  }
}

static void scale_values(irl_lp_lists *lists, const double *other, const double *scale) {
  for (size_t i = 0; i < lists->n; i++)
    for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++)
      lists->value[e] *= other[lists->index[e]] * scale[i];
}

static double round_to_power_of_two(double value) {
  assert(value > 0 && isfinite(value));
  return exp2(nearbyint(log2(value)));
}

/* Fills the scale factors from the unscaled matrix, and scales it. */
static void scale_matrix(irl_lp_simplex *s, double *row_scale) {
  irl_lp_matrix *a = &s->a;
  double *column_scale = s->scale;
  for (uint32_t v = 0; v < s->total; v++) s->scale[v] = 1;
  for (uint32_t i = 0; i < s->m; i++) row_scale[i] = 1;
  double least = INFINITY, largest = 0;
  for (size_t e = 0; e < a->columns.used; e++) {
    least = fmin(least, fabs(a->columns.value[e]));
    largest = fmax(largest, fabs(a->columns.value[e]));
  }
  const bool is_scaled = s->wants_scaling && a->columns.used > 0 &&
                         (largest / least > IRL_LP_SCALE_RANGE || largest > IRL_LP_SCALE_RANGE ||
                          least * IRL_LP_SCALE_RANGE < 1);
  /* Factors of entries beyond that would leave the range of doubles. */
  if (!is_scaled || least * IRL_LP_SCALE_LIMIT < 1 || largest > IRL_LP_SCALE_LIMIT) return;
  for (int pass = 0; pass < N_PASSES; pass++) {
    scale_lists(&a->rows, column_scale, row_scale);
    scale_lists(&a->columns, row_scale, column_scale);
  }
  for (uint32_t i = 0; i < s->m; i++) row_scale[i] = round_to_power_of_two(row_scale[i]);
  for (uint32_t j = 0; j < s->n; j++) column_scale[j] = round_to_power_of_two(column_scale[j]);
  scale_values(&a->columns, row_scale, column_scale);
  scale_values(&a->rows, column_scale, row_scale);
  for (uint32_t i = 0; i < s->m; i++) s->scale[s->n + i] = 1 / row_scale[i];
}

typedef struct mean {
  double sum; /* of logarithms */
  double n;
} mean;

static void add_to_mean(mean *m, double value) {
  if (value == 0 || !isfinite(value)) return;
  m->sum += log2(fabs(value));
  m->n++;
}

static double unit_of(const mean *m) {
  const double power = m->n > 0 ? nearbyint(m->sum / m->n) : 0;
  return fabs(power) > IRL_LP_SCALE_POWER ? exp2(power) : 1;
}

/* Sets the units of bounds and costs. */
static void scale_sides(irl_lp_simplex *s) {
  mean bounds = {0}, costs = {0};
  for (uint32_t v = 0; v < s->total; v++) {
    const irl_lp_side *side = v < s->n ? &s->lp->columns : &s->lp->rows;
    const uint32_t i = v < s->n ? v : v - s->n;
    add_to_mean(&bounds, side->lower[i] / s->scale[v]);
    add_to_mean(&bounds, side->upper[i] / s->scale[v]);
    if (v < s->n) add_to_mean(&costs, s->lp->cost[v] * s->scale[v]);
  }
  s->bound_unit = unit_of(&bounds);
  s->cost_unit = unit_of(&costs);
  assert(s->bound_unit > 0 && s->cost_unit > 0);
}

static irl_status create_simplex(irl_lp *lp, const irl_lp_options *options, irl_lp_simplex **made) {
  irl_env *env = lp->env;
  irl_lp_simplex *s = irl_mem_alloc(&env->allocator, 1, sizeof *s);
  if (!s) return irl_fail_memory(env);
  s->env = env;
  s->allocator = env->allocator;
  irl_arena_init(&s->arena, &env->allocator);
  s->lp = lp;
  s->options = options;
  s->wants_scaling = !options->no_scaling;
  s->n = lp->columns.count;
  s->m = lp->rows.count;
  s->total = s->n + s->m;
  irl_status status = irl_lp_matrix_compile(env, lp, &s->a);
  if (!status && !allocate_arrays(s)) status = irl_fail_memory(env);
  if (!status) status = irl_lp_lu_init(env, &s->lu, s->m);
  if (status) {
    irl_lp_simplex_free(s);
    return status;
  }
  scale_matrix(s, s->by_variable);
  *made = s;
  return IRL_STATUS_OK;
}

void irl_lp_load_bounds(irl_lp_simplex *s) {
  for (uint32_t v = 0; v < s->total; v++) {
    const irl_lp_side *side = v < s->n ? &s->lp->columns : &s->lp->rows;
    const uint32_t i = v < s->n ? v : v - s->n;
    s->lower[v] = side->lower[i] / s->bound_unit / s->scale[v];
    s->upper[v] = side->upper[i] / s->bound_unit / s->scale[v];
  }
  s->is_loosened = false;
}

void irl_lp_load_costs(irl_lp_simplex *s) {
  for (uint32_t j = 0; j < s->n; j++) s->true_cost[j] = s->lp->cost[j] / s->cost_unit * s->scale[j];
  memcpy(s->cost, s->true_cost, s->total * sizeof *s->cost);
  s->is_shifted = false;
}

/* The basis of the model; a wrong number of basic variables is mended here, dependent ones when
 * they are factored. */
static void load_basis(irl_lp_simplex *s) {
  irl_lp *lp = s->lp;
  uint32_t n = 0;
  memcpy(s->at, lp->columns.at, s->n);
  memcpy(s->at + s->n, lp->rows.at, s->m);
  for (uint32_t v = s->total; v-- > 0;) {
    if (s->at[v] != IRL_LP_BASIC) continue;
    if (n == s->m) {
      s->at[v] = IRL_LP_LOWER;
      continue;
    }
    const double weight = v < s->n ? lp->columns.weight[v] : lp->rows.weight[v - s->n];
    s->weight[n] = weight > 0 ? weight : 1;
    s->head[n++] = v;
  }
  for (uint32_t i = 0; n < s->m; i++) {
    if (s->at[s->n + i] == IRL_LP_BASIC) continue;
    s->at[s->n + i] = IRL_LP_BASIC;
    s->weight[n] = 1;
    s->head[n++] = s->n + i;
  }
  assert(n == s->m);
  memset(s->d, 0, s->total * sizeof *s->d); /* says nothing of this basis */
  s->has_factors = s->has_values = false;
}

/* Takes the caller's basis; if the same variables are basic, the factors stay. */
static void rebase(irl_lp_simplex *s) {
  const irl_lp *lp = s->lp;
  bool is_same = s->has_factors;
  for (uint32_t v = 0; v < s->total && is_same; v++) {
    const uint8_t at = v < s->n ? lp->columns.at[v] : lp->rows.at[v - s->n];
    is_same = (at == IRL_LP_BASIC) == (s->at[v] == IRL_LP_BASIC);
  }
  if (!is_same) {
    load_basis(s);
    return;
  }
  memcpy(s->at, lp->columns.at, s->n);
  memcpy(s->at + s->n, lp->rows.at, s->m);
  for (uint32_t v = 0; v < s->total; v++) {
    if (s->at[v] == IRL_LP_LOWER) s->x[v] = s->lower[v];
    if (s->at[v] == IRL_LP_UPPER) s->x[v] = s->upper[v];
  }
  s->has_values = false;
}

void irl_lp_place(irl_lp_simplex *s, uint32_t v) {
  const bool has_lower = isfinite(s->lower[v]), has_upper = isfinite(s->upper[v]);
  if (s->at[v] == IRL_LP_BASIC) return;
  if (has_lower && has_upper) {
    if (s->d[v] > s->dual_tolerance) s->at[v] = IRL_LP_LOWER;
    if (s->d[v] < -s->dual_tolerance) s->at[v] = IRL_LP_UPPER;
    if (s->at[v] == IRL_LP_ZERO) s->at[v] = IRL_LP_LOWER;
  } else {
    s->at[v] = has_lower ? IRL_LP_LOWER : has_upper ? IRL_LP_UPPER : IRL_LP_ZERO;
  }
  s->x[v] = s->at[v] == IRL_LP_LOWER ? s->lower[v] : s->at[v] == IRL_LP_UPPER ? s->upper[v] : 0;
  assert(isfinite(s->x[v]) && s->x[v] >= s->lower[v] && s->x[v] <= s->upper[v]);
}

irl_status irl_lp_simplex_load(irl_lp *lp, const irl_lp_options *options) {
  const bool wants_scaling = !options->no_scaling;
  irl_lp_simplex *s = lp->simplex;
  const bool is_new = !s || lp->is_reshaped || s->wants_scaling != wants_scaling;
  if (is_new) {
    irl_lp_simplex_free(s);
    lp->simplex = NULL;
    const irl_status status = create_simplex(lp, options, &s);
    if (status) return status;
    lp->simplex = s;
    load_basis(s);
    lp->is_reshaped = lp->is_rebased = false;
  }
  s->options = options;
  s->lu.limit = &options->limit;
  s->lu.is_cut = false;
  s->iterations = s->work_other = s->lu.work = 0;
  s->n_lost = 0;
  s->primal_tolerance = IRL_LP_TOL_PRIMAL;
  s->dual_tolerance = IRL_LP_TOL_DUAL;
  irl_random_init(&s->random, options->seed, 4);
  assert(s->m == lp->rows.count && s->n == lp->columns.count);
  if (is_new || lp->is_repriced) scale_sides(s);
  irl_lp_load_bounds(s);
  if (lp->is_rebased) rebase(s);
  lp->is_rebased = false;
  if (is_new || lp->is_repriced || s->is_shifted) {
    irl_lp_load_costs(s);
    s->has_values = false;
  }
  lp->is_repriced = false;
  return IRL_STATUS_OK;
}

static void store_side(irl_lp_simplex *s, irl_lp_side *side, uint32_t first) {
  for (uint32_t i = 0; i < side->count; i++) {
    const uint32_t v = first + i;
    side->at[i] = s->at[v];
    side->weight[i] = 0;
    /* A bound that was not moved comes back bit by bit. */
    side->value[i] = s->at[v] == IRL_LP_LOWER && s->x[v] == s->lower[v] ? side->lower[i]
                     : s->at[v] == IRL_LP_UPPER && s->x[v] == s->upper[v]
                         ? side->upper[i]
                         : s->x[v] * s->scale[v] * s->bound_unit;
    side->dual[i] = s->d[v] / s->scale[v] * s->cost_unit;
  }
}

void irl_lp_simplex_store(irl_lp_simplex *s) {
  store_side(s, &s->lp->columns, 0);
  store_side(s, &s->lp->rows, s->n);
  for (uint32_t p = 0; p < s->m; p++) {
    const uint32_t v = s->head[p];
    if (v < s->n)
      s->lp->columns.weight[v] = s->weight[p];
    else
      s->lp->rows.weight[v - s->n] = s->weight[p];
  }
}

/* Two copies of the matrix and one of the basis, the factors, and what there is for each variable
 * and each row. */
size_t irl_lp_simplex_bytes(const irl_lp_simplex *s) {
  const size_t entry = sizeof(uint32_t) + sizeof(double);
  const size_t variable = 11 * sizeof(double) + sizeof *s->candidates, row = 12 * sizeof(double);
  return (3 * s->a.columns.used + s->lu.size_fresh) * entry + s->total * variable + s->m * row;
}

uint64_t irl_lp_work(const irl_lp_simplex *s) {
  return s->lu.work + s->work_other;
}

bool irl_lp_limit_reached(const irl_lp_simplex *s) {
  return s->iterations >= s->options->max_iterations ||
         irl_limit_reached(&s->options->limit, irl_lp_work(s));
}
