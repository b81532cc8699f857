/* The sub problem (SP)_u and the master problem (MP) of the paper as models for other solvers: our
 * own engines for them are in src/clause and src/select. */
#include "base/memory.h"
#include "milp/bp.h"
#include <math.h>

#define NAME_SIZE 96u

static irl_status begin(irl_bp *bp, irl_env *env, const irl_data *data,
                        const irl_bp_settings *settings) {
  *bp = (irl_bp){.env = env, .data = data, .settings = *settings};
  bp->n_literals = data->n_features * (settings->negations ? 2 : 1);
  irl_status status = irl_lp_names_init(env, &bp->named);
  if (!status) status = irl_bp_class_init(&bp->cases, env, data, true, !settings->is_plain);
  if (!status) status = irl_bp_class_init(&bp->controls, env, data, false, !settings->is_plain);
  bp->named.name = "ireland";
  return status;
}

static irl_status finish(irl_bp *bp, irl_status status, const char *objective) {
  bp->named.objective = objective;
  if (status) irl_bp_free(bp);
  return status;
}

static irl_status add_y(irl_bp *bp, const irl_bp_class *class, double cost, bool is_integer,
                        uint32_t *first) {
  irl_status status = IRL_OK;
  *first = irl_lp_n_columns(bp->named.lp);
  for (uint32_t g = 0; g < class->n && !status; g++)
    status =
        irl_bp_add_column(bp, cost * class->weight[g], is_integer, 0, "y_n%u", class->sample[g]);
  return status;
}

/* sum of value[g] * (first + g) within the sides. */
static irl_status add_sum(irl_bp *bp, uint32_t first, uint32_t n, const uint32_t *weights,
                          double lower, double upper, const char *name) {
  const irl_allocator *a = &bp->env->allocator;
  uint32_t *columns = irl_mem_alloc(a, n, sizeof *columns);
  double *values = irl_mem_alloc(a, n, sizeof *values);
  irl_status status = columns && values ? IRL_OK : irl_fail_memory(bp->env);
  for (uint32_t g = 0; g < n && !status; g++) {
    columns[g] = first + g;
    values[g] = weights ? weights[g] : 1;
  }
  if (!status) status = irl_bp_add_row(bp, lower, upper, n, columns, values, "%s", name);
  irl_mem_free(a, columns);
  irl_mem_free(a, values);
  return status;
}

/* ---- the sub problem ---- */

/* factor * y + misses within the sides. */
static irl_status add_and(irl_bp *bp, const irl_bp_class *class, uint32_t first_y, double factor,
                          double lower, double upper) {
  const uint32_t first_row = irl_lp_n_rows(bp->named.lp);
  irl_status status = IRL_OK;
  for (uint32_t g = 0; g < class->n && !status; g++) {
    const uint32_t column = first_y + g;
    status = irl_bp_add_row(bp, lower, upper, 1, &column, &factor, "and_n%u", class->sample[g]);
  }
  return status ? status : irl_bp_add_misses(bp, class, first_row, bp->first_s);
}

irl_status irl_bp_write_clause(irl_bp *bp, irl_env *env, const irl_data *data,
                               const irl_bp_settings *settings, uint64_t budget) {
  char name[NAME_SIZE];
  irl_status status = begin(bp, env, data, settings);
  const double B = settings->is_plain ? bp->n_literals : settings->M;
  const bool is_binary = settings->is_binary;
  for (uint32_t l = 0; l < bp->n_literals && !status; l++) {
    irl_bp_literal_name(bp, l, name, sizeof name);
    status = irl_bp_add_column(bp, 0, true, 0, "s_%s", name);
  }
  if (!status) status = add_y(bp, &bp->cases, -1, true, &bp->first_case_y);
  if (!status) status = add_y(bp, &bp->controls, 0, is_binary, &bp->first_control_y);
  if (!status)
    status = add_sum(bp, bp->first_control_y, bp->controls.n, bp->controls.weight, -INFINITY,
                     (double)budget, "budget");
  if (!status)
    status = add_sum(bp, 0, bp->n_literals, NULL, settings->is_plain ? -INFINITY : 1, settings->M,
                     "size");
  if (!status) status = add_and(bp, &bp->cases, bp->first_case_y, B, -INFINITY, B);
  if (!status) status = add_and(bp, &bp->controls, bp->first_control_y, 1, 1, INFINITY);
  bp->named.is_maximised = true;
  return finish(bp, status, "covered");
}

/* ---- the master problem ---- */

/* factor * y_n - sum of the q of the clauses that cover n, within the sides. */
static irl_status add_or(irl_bp *bp, const irl_bp_class *class, const irl_bits_matrix *covers,
                         uint32_t n_pool, uint32_t first_y, double factor, double lower,
                         double upper) {
  const irl_allocator *a = &bp->env->allocator;
  uint32_t *columns = irl_mem_alloc(a, (size_t)n_pool + 1, sizeof *columns);
  double *values = irl_mem_alloc(a, (size_t)n_pool + 1, sizeof *values);
  irl_status status = columns && values ? IRL_OK : irl_fail_memory(bp->env);
  for (uint32_t g = 0; g < class->n && !status; g++) {
    uint32_t n = 1;
    columns[0] = first_y + g;
    values[0] = factor;
    for (uint32_t k = 0; k < n_pool; k++) {
      if (!irl_bits_get(irl_bits_vector(covers, k), g)) continue;
      columns[n] = k;
      values[n++] = -1;
    }
    status = irl_bp_add_row(bp, lower, upper, n, columns, values, "or_n%u", class->sample[g]);
  }
  irl_mem_free(a, columns);
  irl_mem_free(a, values);
  return status;
}

irl_status irl_bp_write_master(irl_bp *bp, irl_env *env, const irl_data *data,
                               const irl_bp_settings *settings, const irl_bits_matrix *cases,
                               const irl_bits_matrix *controls, uint32_t n_pool) {
  irl_bp_settings unmerged = *settings;
  unmerged.is_plain = true; /* covers are given by sample */
  irl_status status = begin(bp, env, data, &unmerged);
  const uint32_t most = settings->is_plain || settings->K > n_pool ? n_pool : settings->K;
  for (uint32_t k = 0; k < n_pool && !status; k++)
    status = irl_bp_add_column(bp, 0, true, 0, "q_%u", k + 1);
  if (!status)
    status = add_y(bp, &bp->cases, -(double)settings->case_weight, settings->is_binary,
                   &bp->first_case_y);
  if (!status)
    status = add_y(bp, &bp->controls, (double)settings->control_weight, true, &bp->first_control_y);
  if (!status) status = add_sum(bp, 0, n_pool, NULL, -INFINITY, settings->K, "clauses");
  if (!status) status = add_or(bp, &bp->cases, cases, n_pool, bp->first_case_y, 1, -INFINITY, 0);
  if (!status)
    status = add_or(bp, &bp->controls, controls, n_pool, bp->first_control_y, most, 0, INFINITY);
  if (!status) irl_lp_set_constant(bp->named.lp, (double)settings->case_weight * data->n_cases);
  return finish(bp, status, "loss");
}
