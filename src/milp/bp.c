/* The six formulations, row by row as bp.h shows them, and the sub problem (SP)_u and the master
 * problem (MP) of the paper. */
#include "milp/bp.h"
#include <math.h>

#define PRIORITY_USED   2u /* is a clause used at all? */
#define PRIORITY_CLAUSE 1u /* its literals; everything else follows from them */
#define NAME_SIZE       96u

/* What the formulations differ in; OR1 and AND1 where it is not OR2 and AND2. */
static const struct form {
  bool pays_per_clause, has_or2, has_and2; /* the first: for controls, as the Hamming loss does */
} forms[] = {[1] = {false, false, false}, [2] = {false, false, true}, [3] = {false, true, false},
             [4] = {false, true, true},   [5] = {true, false, false}, [6] = {true, false, true}};

void irl_bp_free(irl_bp *bp) {
  if (!bp->env) return;
  const irl_allocator allocator = bp->env->allocator;
  irl_lp_names_free(&bp->named);
  irl_bits_matrix_free(&bp->cases.bits);
  irl_bits_matrix_free(&bp->controls.bits);
  irl_array_free(&allocator, &bp->priority);
  irl_array_free(&allocator, &bp->columns);
  irl_array_free(&allocator, &bp->values);
  irl_arena_free(&bp->arena);
  *bp = (irl_bp){0};
}

double irl_bp_count_rows(const irl_problem *problem, const irl_bp_style *style) {
  const irl_data *data = problem->data;
  const double K = problem->K, n1 = data->n_cases, n0 = data->n_controls;
  const double J = data->n_features * (problem->negations ? 2.0 : 1.0);
  const struct form *form = &forms[style->form];
  return K * (3 + n0 * (form->has_or2 ? 2 : 1) + n1 * (form->has_and2 ? J / 2 : 1)) + n0 + n1;
}

double irl_bp_count_misses(const irl_problem *problem, const irl_bp_style *style) {
  const irl_data *data = problem->data;
  const double n = (double)data->n_controls + (forms[style->form].has_and2 ? 0 : data->n_cases);
  return problem->K * n * data->n_features * (problem->negations ? 1 : 0.5);
}

/* ---- columns ---- */

static void add_t(irl_bp *bp, irl_bp_class *class, double cost, bool is_integer) {
  class->first_t = irl_lp_n_columns(bp->named.lp);
  for (uint32_t k = 0; k < bp->problem.K; k++)
    for (uint32_t g = 0; g < class->n; g++)
      irl_bp_add_column(bp, cost * (double)class->weight[g], is_integer, 0, "t_n%u_%u",
                        class->sample[g], k + 1);
}

static void add_y(irl_bp *bp, irl_bp_class *class, double cost, bool is_integer) {
  class->first_y = irl_lp_n_columns(bp->named.lp);
  for (uint32_t g = 0; g < class->n; g++)
    irl_bp_add_column(bp, cost * (double)class->weight[g], is_integer, 0, "y_n%u",
                      class->sample[g]);
}

static void add_columns(irl_bp *bp, const struct form *form) {
  const irl_problem *p = &bp->problem;
  const bool is_binary = bp->style.is_binary, is_plain = bp->style.is_plain;
  const double case_weight = (double)p->case_weight, control_weight = (double)p->control_weight;
  char name[NAME_SIZE];
  for (uint32_t k = 0; k < p->K; k++)
    for (uint32_t l = 0; l < bp->n_literals; l++) {
      irl_bp_literal_name(bp, l, name, sizeof name);
      irl_bp_add_column(bp, 0, true, is_plain ? 0 : PRIORITY_CLAUSE, "s_%u_%s", k + 1, name);
    }
  if (!is_plain) bp->first_u = irl_lp_n_columns(bp->named.lp);
  for (uint32_t k = 0; k < p->K && !is_plain; k++)
    irl_bp_add_column(bp, 0, true, PRIORITY_USED, "u_%u", k + 1);
  add_t(bp, &bp->cases, 0, is_binary || !form->has_and2);
  if (!form->has_or2 || !form->has_and2)
    add_t(bp, &bp->controls, form->pays_per_clause ? control_weight : 0, is_binary);
  add_y(bp, &bp->cases, -case_weight, is_binary);
  if (!form->pays_per_clause) add_y(bp, &bp->controls, control_weight, is_binary || !form->has_or2);
  irl_lp_set_constant(bp->named.lp, case_weight * (double)irl_data_total(p->data, 0));
}

/* ---- rows ---- */

static uint32_t s_of(const irl_bp *bp, uint32_t k) {
  return bp->first_s + k * bp->n_literals;
}

/* The column that says that the clause is used, where there is one. */
static void put_used(irl_bp *bp, uint32_t k, double value) {
  if (bp->first_u != IRL_BP_NONE) irl_bp_put(bp, bp->first_u + k, value);
}

/* AND1: factor * t + misses <= factor for cases, >= for controls; of the clause k, and times its u
 * on the right where there is one. Without t it is y; without a k, in (SP), the only clause. */
static void add_and1(irl_bp *bp, const irl_bp_class *class, uint32_t k, double factor) {
  const bool is_case = class == &bp->cases, is_only = k == IRL_BP_NONE;
  const double side = bp->first_u == IRL_BP_NONE ? factor : 0;
  const double lower = is_case ? -INFINITY : side, upper = is_case ? side : INFINITY;
  const uint32_t first =
      class->first_t == IRL_BP_NONE ? class->first_y : class->first_t + k * class->n;
  for (uint32_t g = 0; g < class->n; g++) {
    irl_bp_put(bp, first + g, factor);
    put_used(bp, k, -factor);
    for (uint32_t l = 0; l < bp->n_literals; l++) {
      const irl_literal literal = irl_bp_literal(bp, l);
      if (!irl_bp_has(class, g, literal)) irl_bp_put(bp, s_of(bp, is_only ? 0 : k) + l, 1);
    }
    if (is_only)
      irl_bp_end_row(bp, lower, upper, "and_n%u", class->sample[g]);
    else
      irl_bp_end_row(bp, lower, upper, "and_n%u_%u", class->sample[g], k + 1);
  }
}

/* AND2a: t + s_j <= 1, or u, for each literal that is missed; t <= u where none is. */
static void add_and2_cases(irl_bp *bp, uint32_t k) {
  const bool is_plain = bp->style.is_plain;
  const irl_bp_class *class = &bp->cases;
  for (uint32_t g = 0; g < class->n; g++) {
    const uint32_t t = class->first_t + k * class->n + g;
    bool has_row = is_plain;
    for (uint32_t l = 0; l < bp->n_literals; l++) {
      const irl_literal literal = irl_bp_literal(bp, l);
      if (irl_bp_has(class, g, literal)) continue;
      irl_bp_put(bp, t, 1);
      irl_bp_put(bp, s_of(bp, k) + l, 1);
      put_used(bp, k, -1);
      irl_bp_end_row(bp, -INFINITY, is_plain, "and_n%u_%u_%u", class->sample[g], k + 1, l + 1);
      has_row = true;
    }
    if (has_row) continue;
    irl_bp_put(bp, t, 1);
    put_used(bp, k, -1);
    irl_bp_end_row(bp, -INFINITY, 0, "and_n%u_%u", class->sample[g], k + 1);
  }
}

/* OR1: factor * y <= the sum of t for cases, >= for controls; of the t of the clauses that may
 * cover the case, or in (MP) of those in the pool that do, whose columns come first. */
static void add_or1(irl_bp *bp, const irl_bp_class *class, double factor, const irl_bp_pool *pool) {
  const bool is_case = class == &bp->cases;
  for (uint32_t g = 0; g < class->n; g++) {
    const uint32_t n = pool ? pool->n : is_case ? irl_bp_first_clauses(bp, g) : bp->problem.K;
    irl_bp_put(bp, class->first_y + g, factor);
    for (uint32_t k = 0; k < n; k++) {
      if (!pool)
        irl_bp_put(bp, class->first_t + k * class->n + g, -1);
      else if (irl_bits_get(irl_bits_vector(is_case ? pool->cases : pool->controls, k), g))
        irl_bp_put(bp, k, -1);
    }
    irl_bp_end_row(bp, is_case ? -INFINITY : 0, is_case ? 0 : INFINITY, "or_n%u", class->sample[g]);
  }
}

/* Where clauses may be unused: unused ones come last, and of the features of a group, which are
 * nested or disjoint, a clause has one: a second one is implied, or covers nothing. */
static void add_order_and_groups(irl_bp *bp) {
  const uint32_t *groups = bp->problem.data->groups, J = bp->problem.data->n_features,
                 K = bp->problem.K;
  for (uint32_t k = 0; k + 1 < K; k++) {
    put_used(bp, k, 1);
    put_used(bp, k + 1, -1);
    irl_bp_end_row(bp, 0, INFINITY, "order_%u", k + 1);
  }
  for (uint32_t first = 0; groups && first < J; first++) {
    uint32_t n_members = 0;
    bool is_first = groups[first] != 0;
    for (uint32_t j = 0; j < first && is_first; j++) is_first = groups[j] != groups[first];
    for (uint32_t j = first; j < J && is_first; j++) n_members += groups[j] == groups[first];
    for (uint32_t k = 0; k < K && n_members > 1; k++) {
      for (uint32_t j = first; j < J; j++)
        if (groups[j] == groups[first]) irl_bp_put(bp, s_of(bp, k) + j, 1);
      irl_bp_end_row(bp, -INFINITY, 1, "group_%u_%u", groups[first], k + 1);
    }
  }
}

static void add_rows(irl_bp *bp, const struct form *form) {
  const irl_problem *p = &bp->problem;
  const bool is_plain = bp->style.is_plain;
  const irl_bp_class *cases = &bp->cases, *controls = &bp->controls;
  /* At most M literals; at least one, if the clause is used. */
  for (uint32_t k = 0; k < p->K; k++) {
    for (uint32_t l = 0; l < bp->n_literals; l++) irl_bp_put(bp, s_of(bp, k) + l, 1);
    put_used(bp, k, -(double)p->M);
    irl_bp_end_row(bp, -INFINITY, is_plain ? p->M : 0, "size_%u", k + 1);
    if (is_plain) continue;
    for (uint32_t l = 0; l < bp->n_literals; l++) irl_bp_put(bp, s_of(bp, k) + l, 1);
    put_used(bp, k, -1);
    irl_bp_end_row(bp, 0, INFINITY, "used_%u", k + 1);
  }
  for (uint32_t k = 0; k < p->K; k++) {
    if (form->has_and2)
      add_and2_cases(bp, k);
    else
      add_and1(bp, cases, k, is_plain ? bp->n_literals : p->M);
    add_and1(bp, controls, k, 1);
  }
  add_or1(bp, cases, 1, NULL);
  if (!form->pays_per_clause && !form->has_or2) add_or1(bp, controls, p->K, NULL);
  /* OR2b: y - t >= 0, which is AND2b's row in the form that has both. */
  for (uint32_t k = 0; k < p->K && form->has_or2 && !form->has_and2; k++)
    for (uint32_t g = 0; g < controls->n; g++) {
      irl_bp_put(bp, controls->first_y + g, 1);
      irl_bp_put(bp, controls->first_t + k * controls->n + g, -1);
      irl_bp_end_row(bp, 0, INFINITY, "or_n%u_%u", controls->sample[g], k + 1);
    }
  if (!is_plain) add_order_and_groups(bp);
}

/* ---- the models ---- */

irl_status irl_bp_init(irl_bp *bp, irl_env *env, const irl_problem *problem,
                       const irl_bp_style *style) {
  assert(style->form >= 1 && style->form <= 6 && problem->K > 0 && problem->M > 0);
  if (irl_bp_start(bp, env, problem, style)) {
    if (!style->is_plain) bp->status = irl_bp_break_symmetry(bp);
    add_columns(bp, &forms[style->form]);
    add_rows(bp, &forms[style->form]);
  }
  return irl_bp_finish(bp, "loss");
}

/* At most so many controls are covered. */
static void add_budget(irl_bp *bp) {
  for (uint32_t g = 0; g < bp->controls.n; g++)
    irl_bp_put(bp, bp->controls.first_y + g, (double)bp->controls.weight[g]);
  irl_bp_end_row(bp, -INFINITY, (double)bp->problem.max_controls, "budget");
}

irl_status irl_bp_write_clause(irl_bp *bp, irl_env *env, const irl_problem *problem,
                               const irl_bp_style *style) {
  char name[NAME_SIZE];
  if (!irl_bp_start(bp, env, problem, style)) return irl_bp_finish(bp, "covered");
  for (uint32_t l = 0; l < bp->n_literals; l++) {
    irl_bp_literal_name(bp, l, name, sizeof name);
    irl_bp_add_column(bp, 0, true, 0, "s_%s", name);
  }
  add_y(bp, &bp->cases, -1, true);
  add_y(bp, &bp->controls, 0, style->is_binary);
  add_budget(bp);
  for (uint32_t l = 0; l < bp->n_literals; l++) irl_bp_put(bp, l, 1);
  irl_bp_end_row(bp, style->is_plain ? -INFINITY : 1, problem->M, "size");
  add_and1(bp, &bp->cases, IRL_BP_NONE, style->is_plain ? bp->n_literals : problem->M);
  add_and1(bp, &bp->controls, IRL_BP_NONE, 1);
  bp->named.is_maximised = true;
  return irl_bp_finish(bp, "covered");
}

irl_status irl_bp_write_master(irl_bp *bp, irl_env *env, const irl_problem *problem,
                               const irl_bp_style *style, const irl_bp_pool *pool) {
  irl_bp_style unmerged = *style;
  unmerged.is_plain = true; /* covers are given by sample */
  if (!irl_bp_start(bp, env, problem, &unmerged)) return irl_bp_finish(bp, "loss");
  const uint32_t most = style->is_plain || problem->K > pool->n ? pool->n : problem->K;
  for (uint32_t k = 0; k < pool->n; k++) irl_bp_add_column(bp, 0, true, 0, "q_%u", k + 1);
  add_y(bp, &bp->cases, -(double)problem->case_weight, style->is_binary);
  add_y(bp, &bp->controls, (double)problem->control_weight, true);
  for (uint32_t k = 0; k < pool->n; k++) irl_bp_put(bp, k, 1);
  irl_bp_end_row(bp, -INFINITY, problem->K, "clauses");
  if (problem->max_controls != UINT64_MAX) add_budget(bp);
  add_or1(bp, &bp->cases, 1, pool);
  add_or1(bp, &bp->controls, most, pool);
  irl_lp_set_constant(bp->named.lp,
                      (double)problem->case_weight * (double)irl_data_total(problem->data, 0));
  return irl_bp_finish(bp, "loss");
}
