/* Rows that conflict, by the deletion filter (Chinneck and Dravnieks 1991), many at a time: rows
 * are switched off, and if the rest is still infeasible they are no part of the conflict. A range
 * of rows that cannot be left out as a whole is tried again in halves, so that a conflict of c of m
 * rows takes about 2 c log(m / c) solves. A row that could not be left out alone is needed: it
 * stays needed when others go, since a subset of feasible rows is feasible. So the rows that are
 * left at the end are irreducible if every solve has ended.
 *
 * Where already the linear relaxation is infeasible only LPs are solved, each from the basis of the
 * last one, and the multipliers of each Farkas proof leave out all rows that have none. */
#include "milp/conflict.h"
#include "base/memory.h"
#include <math.h>

/* One integer program gets this share of the work: more of them must be able to end undecided. */
#define MILP_SHARE 16u

typedef enum verdict { CAN_HOLD, CANNOT_HOLD, UNDECIDED } verdict;

typedef struct filter {
  irl_env *env;
  const irl_milp_problem *problem;
  const irl_milp_options *options;
  irl_lp *lp; /* the model without costs; switched off rows have no sides */
  double *point;
  bool *is_off;
  uint32_t n_rows;
  bool is_linear, is_complete;
  uint64_t work;
  irl_status status;
} filter;

static void switch_row(filter *f, uint32_t i, bool is_off) {
  double lower, upper;
  irl_lp_row_bounds(f->problem->lp, i, &lower, &upper);
  assert(i < f->n_rows);
  f->is_off[i] = is_off;
  irl_lp_set_row_bounds(f->lp, i, is_off ? -INFINITY : lower, is_off ? INFINITY : upper);
}

static bool is_spent(const filter *f) {
  return irl_limit_reached(&f->options->limit, f->work);
}

static verdict solve_linear(filter *f) {
  irl_lp_options options;
  irl_lp_result result;
  irl_lp_options_init(&options, f->env);
  options.limit = f->options->limit;
  options.limit.max_work -= f->work;
  f->status = irl_lp_solve(f->lp, &options, &result);
  if (f->status) return UNDECIDED;
  f->work += result.work;
  return result.end == IRL_LP_OPTIMAL      ? CAN_HOLD
         : result.end == IRL_LP_INFEASIBLE ? CANNOT_HOLD
                                           : UNDECIDED;
}

static verdict solve_integer(filter *f) {
  irl_milp_options options = *f->options;
  irl_milp_problem problem;
  irl_milp_result result;
  const uint64_t left = f->options->limit.max_work - f->work,
                 share = f->options->limit.max_work / MILP_SHARE + 1;
  irl_milp_problem_init(&problem, f->lp, f->problem->is_integer);
  options.limit.max_work = left < share ? left : share;
  f->status = irl_milp_solve(f->env, &problem, &options, f->point, &result);
  if (f->status) return UNDECIDED;
  f->work += result.work;
  return result.has_point                           ? CAN_HOLD
         : result.outcome == IRL_OUTCOME_INFEASIBLE ? CANNOT_HOLD
                                                    : UNDECIDED;
}

static verdict solve(filter *f) {
  if (is_spent(f)) return UNDECIDED;
  f->work += f->n_rows; /* so that even solves without work come to an end */
  return f->is_linear ? solve_linear(f) : solve_integer(f);
}

/* Rows without a multiplier are no part of the proof that the last LP has left. */
static void drop_by_ray(filter *f) {
  const double *ray = f->is_linear ? irl_lp_ray(f->lp) : NULL;
  for (uint32_t i = 0; ray && i < f->n_rows; i++)
    if (!f->is_off[i] && ray[i] == 0) switch_row(f, i, true);
}

/* Tries to leave out the rows from `first` to before `end`. */
static void drop_range(filter *f, uint32_t first, uint32_t end) {
  while (first < end && f->is_off[first]) first++;
  while (first < end && f->is_off[end - 1]) end--;
  if (first == end || f->status) return;
  bool *was_off = irl_mem_alloc(&f->env->allocator, end - first, sizeof *was_off);
  if (!was_off) {
    f->status = irl_fail_memory(f->env);
    return;
  }
  memcpy(was_off, f->is_off + first, (end - first) * sizeof *was_off);
  for (uint32_t i = first; i < end; i++)
    if (!f->is_off[i]) switch_row(f, i, true);
  const verdict v = solve(f);
  if (v == CANNOT_HOLD) drop_by_ray(f);
  for (uint32_t i = first; i < end && v != CANNOT_HOLD; i++)
    if (!was_off[i - first]) switch_row(f, i, false);
  irl_mem_free(&f->env->allocator, was_off);
  if (v == CANNOT_HOLD) return;
  if (end - first == 1) {
    if (v == UNDECIDED) f->is_complete = false;
    return;
  }
  const uint32_t middle = first + (end - first) / 2;
  drop_range(f, first, middle);
  drop_range(f, middle, end);
}

/* The model without costs, and with only those rows that say something. */
static irl_status copy_model(filter *f) {
  const irl_lp *from = f->problem->lp;
  irl_status status = irl_lp_create(f->env, &f->lp);
  double lower, upper, value;
  uint32_t row, column;
  for (uint32_t j = 0; j < irl_lp_n_columns(from) && !status; j++) {
    irl_lp_bounds(from, j, &lower, &upper);
    status = irl_lp_add_column(f->lp, 0, lower, upper, NULL);
  }
  for (uint32_t i = 0; i < f->n_rows && !status; i++) {
    irl_lp_row_bounds(from, i, &lower, &upper);
    f->is_off[i] = !isfinite(lower) && !isfinite(upper);
    status = irl_lp_add_row(f->lp, lower, upper, NULL);
  }
  for (size_t e = 0; e < irl_lp_n_entries(from) && !status; e++) {
    irl_lp_get_entry(from, e, &row, &column, &value);
    status = irl_lp_add_entry(f->lp, row, column, value);
  }
  return status;
}

static irl_status list_rows(const filter *f, irl_milp_conflict *conflict) {
  uint32_t *rows = irl_mem_alloc(&f->env->allocator, f->n_rows, sizeof *rows), n = 0;
  if (!rows) return irl_fail_memory(f->env);
  for (uint32_t i = 0; i < f->n_rows; i++)
    if (!f->is_off[i]) rows[n++] = i;
  *conflict = (irl_milp_conflict){n, rows, f->is_complete, !f->is_linear, f->work};
  return IRL_STATUS_OK;
}

irl_status irl_milp_find_conflict(irl_env *env, const irl_milp_problem *problem,
                                  const irl_milp_options *options, irl_milp_conflict *conflict) {
  filter f = {.env = env,
              .problem = problem,
              .options = options,
              .n_rows = irl_lp_n_rows(problem->lp),
              .is_linear = true,
              .is_complete = true};
  const irl_allocator *a = &env->allocator;
  f.is_off = irl_mem_alloc(a, f.n_rows, sizeof *f.is_off);
  f.point = irl_mem_alloc(a, irl_lp_n_columns(problem->lp), sizeof *f.point);
  f.status = f.is_off && f.point ? copy_model(&f) : irl_fail_memory(env);
  if (!f.status) {
    f.is_linear = solve(&f) == CANNOT_HOLD;
    drop_by_ray(&f);
    drop_range(&f, 0, f.n_rows);
  }
  if (!f.status) f.status = list_rows(&f, conflict);
  irl_lp_free(f.lp);
  irl_mem_free(a, f.is_off);
  irl_mem_free(a, f.point);
  return f.status;
}
