/* The sub problem (SP)_u and the master problem (MP) of the paper as models for other solvers: our
 * own engines for them are in src/clause and src/select. */
#include "milp/bp.h"
#include <math.h>

#define NAME_SIZE 96u

/* Sides of all rows of one kind, and the coefficient of y in them. */
typedef struct sides {
  double factor, lower, upper;
} sides;

/* factor * y + misses within the sides. */
static void add_and(irl_bp *bp, const irl_bp_class *class, uint32_t first_y, sides s) {
  for (uint32_t g = 0; g < class->n; g++) {
    irl_bp_put(bp, first_y + g, s.factor);
    irl_bp_end_row(bp, s.lower, s.upper, "and_n%u", class->sample[g]);
  }
  irl_bp_add_misses(bp, class, bp->first_s);
}

irl_status irl_bp_write_clause(irl_bp *bp, irl_env *env, const irl_data *data,
                               const irl_bp_settings *settings, uint64_t budget) {
  char name[NAME_SIZE];
  if (!irl_bp_start(bp, env, data, settings)) return irl_bp_finish(bp, "covered");
  const double B = settings->is_plain ? bp->n_literals : settings->M;
  for (uint32_t l = 0; l < bp->n_literals; l++) {
    irl_bp_literal_name(bp, l, name, sizeof name);
    irl_bp_add_column(bp, 0, true, 0, "s_%s", name);
  }
  bp->first_case_y = irl_bp_add_y(bp, &bp->cases, -1, true);
  bp->first_control_y = irl_bp_add_y(bp, &bp->controls, 0, settings->is_binary);
  for (uint32_t g = 0; g < bp->controls.n; g++)
    irl_bp_put(bp, bp->first_control_y + g, bp->controls.weight[g]);
  irl_bp_end_row(bp, -INFINITY, (double)budget, "budget");
  for (uint32_t l = 0; l < bp->n_literals; l++) irl_bp_put(bp, l, 1);
  irl_bp_end_row(bp, settings->is_plain ? -INFINITY : 1, settings->M, "size");
  add_and(bp, &bp->cases, bp->first_case_y, (sides){B, -INFINITY, B});
  add_and(bp, &bp->controls, bp->first_control_y, (sides){1, 1, INFINITY});
  bp->named.is_maximised = true;
  return irl_bp_finish(bp, "covered");
}

/* factor * y_n - sum of the q of the clauses that cover n, within the sides. */
static void add_or(irl_bp *bp, const irl_bp_class *class, const irl_bits_matrix *covers,
                   uint32_t first_y, sides s) {
  const uint32_t n_pool = bp->first_case_y; /* the columns of the clauses come first */
  for (uint32_t g = 0; g < class->n; g++) {
    irl_bp_put(bp, first_y + g, s.factor);
    for (uint32_t k = 0; k < n_pool; k++)
      if (irl_bits_get(irl_bits_vector(covers, k), g)) irl_bp_put(bp, k, -1);
    irl_bp_end_row(bp, s.lower, s.upper, "or_n%u", class->sample[g]);
  }
}

irl_status irl_bp_write_master(irl_bp *bp, irl_env *env, const irl_data *data,
                               const irl_bp_settings *settings, const irl_bp_pool *pool) {
  irl_bp_settings unmerged = *settings;
  unmerged.is_plain = true; /* covers are given by sample */
  if (!irl_bp_start(bp, env, data, &unmerged)) return irl_bp_finish(bp, "loss");
  const uint32_t most = settings->is_plain || settings->K > pool->n ? pool->n : settings->K;
  for (uint32_t k = 0; k < pool->n; k++) irl_bp_add_column(bp, 0, true, 0, "q_%u", k + 1);
  bp->first_case_y =
      irl_bp_add_y(bp, &bp->cases, -(double)settings->case_weight, settings->is_binary);
  bp->first_control_y = irl_bp_add_y(bp, &bp->controls, (double)settings->control_weight, true);
  for (uint32_t k = 0; k < pool->n; k++) irl_bp_put(bp, k, 1);
  irl_bp_end_row(bp, -INFINITY, settings->K, "clauses");
  add_or(bp, &bp->cases, pool->cases, bp->first_case_y, (sides){1, -INFINITY, 0});
  add_or(bp, &bp->controls, pool->controls, bp->first_control_y, (sides){most, 0, INFINITY});
  irl_lp_set_constant(bp->named.lp, (double)settings->case_weight * data->n_cases);
  return irl_bp_finish(bp, "loss");
}
