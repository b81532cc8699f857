/* The six formulations, row by row as bp.h shows them. */
#include "milp/bp.h"
#include "base/memory.h"
#include <math.h>

#define PRIORITY_USED   2u /* is a clause used at all? */
#define PRIORITY_CLAUSE 1u /* its literals; everything else follows from them */
#define NAME_SIZE       96u

static bool has_and2(const irl_bp_settings *s) {
  return s->form == 2 || s->form == 4 || s->form == 6;
}

static bool has_or2(const irl_bp_settings *s) {
  return s->form == 3 || s->form == 4;
}

static bool is_hamming(const irl_bp_settings *s) {
  return s->form >= 5;
}

void irl_bp_free(irl_bp *bp) {
  if (!bp->env) return;
  const irl_allocator allocator = bp->env->allocator;
  irl_lp_names_free(&bp->named);
  irl_bp_class_free(&bp->cases, &allocator);
  irl_bp_class_free(&bp->controls, &allocator);
  irl_mem_free(&allocator, bp->priority);
  irl_mem_free(&allocator, bp->leaders);
  *bp = (irl_bp){0};
}

double irl_bp_count_rows(const irl_data *data, const irl_bp_settings *s) {
  const double K = s->K, n1 = data->n_cases, n0 = data->n_controls;
  const double J = data->n_features * (s->negations ? 2.0 : 1.0);
  return K * (3 + n0 * (has_or2(s) ? 2 : 1) + n1 * (has_and2(s) ? J / 2 : 1)) + n0 + n1;
}

/* ---- columns ---- */

static irl_status add_clause_columns(irl_bp *bp) {
  const irl_bp_settings *s = &bp->settings;
  char name[NAME_SIZE];
  irl_status status = IRL_OK;
  bp->first_s = irl_lp_n_columns(bp->named.lp);
  for (uint32_t k = 0; k < s->K; k++)
    for (uint32_t l = 0; l < bp->n_literals && !status; l++) {
      irl_bp_literal_name(bp, l, name, sizeof name);
      status =
          irl_bp_add_column(bp, 0, true, s->is_plain ? 0 : PRIORITY_CLAUSE, "s_%u_%s", k + 1, name);
    }
  bp->first_u = irl_lp_n_columns(bp->named.lp);
  for (uint32_t k = 0; k < s->K && !s->is_plain && !status; k++)
    status = irl_bp_add_column(bp, 0, true, PRIORITY_USED, "u_%u", k + 1);
  return status;
}

static irl_status add_t(irl_bp *bp, const irl_bp_class *class, double cost, bool is_integer) {
  irl_status status = IRL_OK;
  for (uint32_t k = 0; k < bp->settings.K; k++)
    for (uint32_t g = 0; g < class->n && !status; g++)
      status = irl_bp_add_column(bp, cost * class->weight[g], is_integer, 0, "t_n%u_%u",
                                 class->sample[g], k + 1);
  return status;
}

static irl_status add_y(irl_bp *bp, const irl_bp_class *class, double cost, bool is_integer) {
  irl_status status = IRL_OK;
  for (uint32_t g = 0; g < class->n && !status; g++)
    status =
        irl_bp_add_column(bp, cost * class->weight[g], is_integer, 0, "y_n%u", class->sample[g]);
  return status;
}

static irl_status add_columns(irl_bp *bp) {
  const irl_bp_settings *s = &bp->settings;
  irl_lp *lp = bp->named.lp;
  const bool is_binary = s->is_binary;
  bp->has_control_t = s->form != 4;
  bp->has_control_y = !is_hamming(s);
  irl_status status = add_clause_columns(bp);
  bp->first_case_t = irl_lp_n_columns(lp);
  if (!status) status = add_t(bp, &bp->cases, 0, is_binary || !has_and2(s));
  bp->first_control_t = irl_lp_n_columns(lp);
  if (!status && bp->has_control_t)
    status = add_t(bp, &bp->controls, is_hamming(s) ? (double)s->control_weight : 0, is_binary);
  bp->first_case_y = irl_lp_n_columns(lp);
  if (!status) status = add_y(bp, &bp->cases, -(double)s->case_weight, is_binary);
  bp->first_control_y = irl_lp_n_columns(lp);
  if (!status && bp->has_control_y)
    status = add_y(bp, &bp->controls, (double)s->control_weight, is_binary || !has_or2(s));
  irl_lp_set_constant(lp, (double)s->case_weight * bp->data->n_cases);
  return status;
}

/* ---- rows ---- */

static uint32_t s_of(const irl_bp *bp, uint32_t k) {
  return bp->first_s + k * bp->n_literals;
}

/* At most M literals; at least one, if the clause is used. */
static irl_status add_sizes(irl_bp *bp, uint32_t *columns, double *values) {
  const irl_bp_settings *s = &bp->settings;
  const uint32_t L = bp->n_literals;
  irl_status status = IRL_OK;
  for (uint32_t k = 0; k < s->K && !status; k++) {
    for (uint32_t l = 0; l < L; l++) {
      columns[l] = s_of(bp, k) + l;
      values[l] = 1;
    }
    if (s->is_plain) {
      status = irl_bp_add_row(bp, -INFINITY, s->M, L, columns, values, "size_%u", k + 1);
      continue;
    }
    columns[L] = bp->first_u + k;
    values[L] = -(double)s->M;
    status = irl_bp_add_row(bp, -INFINITY, 0, L + 1, columns, values, "size_%u", k + 1);
    values[L] = -1;
    if (!status) status = irl_bp_add_row(bp, 0, INFINITY, L + 1, columns, values, "used_%u", k + 1);
  }
  return status;
}

/* Unused clauses come last. */
static irl_status add_order(irl_bp *bp) {
  irl_status status = IRL_OK;
  for (uint32_t k = 0; k + 1 < bp->settings.K && !status; k++) {
    const uint32_t columns[] = {bp->first_u + k, bp->first_u + k + 1};
    const double values[] = {1, -1};
    status = irl_bp_add_row(bp, 0, INFINITY, 2, columns, values, "order_%u", k + 1);
  }
  return status;
}

/* Features of a group are nested or disjoint: a second one in a clause is implied, or covers
 * nothing. */
static irl_status add_groups(irl_bp *bp, uint32_t *columns, double *values) {
  const uint32_t *groups = bp->data->groups, J = bp->data->n_features;
  irl_status status = IRL_OK;
  for (uint32_t first = 0; groups && first < J; first++) {
    uint32_t members = 0;
    bool is_first = groups[first] != 0;
    for (uint32_t j = 0; j < first && is_first; j++) is_first = groups[j] != groups[first];
    for (uint32_t j = first; j < J && is_first; j++) {
      if (groups[j] != groups[first]) continue;
      assert(members < bp->n_literals);
      columns[members] = j;
      values[members++] = 1;
    }
    for (uint32_t k = 0; k < bp->settings.K && members > 1 && !status; k++) {
      status = irl_bp_add_row(bp, -INFINITY, 1, members, columns, values, "group_%u_%u",
                              groups[first], k + 1);
      for (uint32_t i = 0; i < members; i++) columns[i] += bp->n_literals;
    }
  }
  return status;
}

/* AND1a: B t + misses <= B, or B u. */
static irl_status add_and1_cases(irl_bp *bp, uint32_t k) {
  const irl_bp_settings *s = &bp->settings;
  const irl_bp_class *class = &bp->cases;
  const uint32_t first_row = irl_lp_n_rows(bp->named.lp);
  const double B = s->is_plain ? bp->n_literals : s->M;
  irl_status status = IRL_OK;
  for (uint32_t g = 0; g < class->n && !status; g++) {
    const uint32_t columns[] = {bp->first_case_t + k * class->n + g, bp->first_u + k};
    const double values[] = {B, -B};
    status = irl_bp_add_row(bp, -INFINITY, s->is_plain ? B : 0, s->is_plain ? 1 : 2, columns,
                            values, "and_n%u_%u", class->sample[g], k + 1);
  }
  return status ? status : irl_bp_add_misses(bp, class, first_row, s_of(bp, k));
}

static bool is_missed(const irl_bp *bp, const irl_bp_class *class, uint32_t g, uint32_t l) {
  const irl_literal literal = irl_bp_literal(bp, l);
  return irl_bits_get(irl_bits_vector(&class->bits, irl_literal_feature(literal)), g) ==
         irl_literal_is_negated(literal);
}

/* AND2a: t + s_j <= 1, or u, for each literal that is missed; t <= u where none is. */
static irl_status add_and2_cases(irl_bp *bp, uint32_t k) {
  const irl_bp_settings *s = &bp->settings;
  const irl_bp_class *class = &bp->cases;
  irl_status status = IRL_OK;
  for (uint32_t g = 0; g < class->n; g++) {
    const uint32_t t = bp->first_case_t + k * class->n + g;
    const double values[] = {1, 1, -1};
    bool has_row = false;
    for (uint32_t l = 0; l < bp->n_literals && !status; l++) {
      if (!is_missed(bp, class, g, l)) continue;
      const uint32_t columns[] = {t, s_of(bp, k) + l, bp->first_u + k};
      status = irl_bp_add_row(bp, -INFINITY, s->is_plain ? 1 : 0, s->is_plain ? 2 : 3, columns,
                              values, "and_n%u_%u_%u", class->sample[g], k + 1, l + 1);
      has_row = true;
    }
    const uint32_t columns[] = {t, bp->first_u + k};
    if (!has_row && !s->is_plain && !status)
      status = irl_bp_add_row(bp, -INFINITY, 0, 2, columns, values + 1, "and_n%u_%u",
                              class->sample[g], k + 1);
  }
  return status;
}

/* AND1b: t + misses >= 1, or u; with y for t in BP4. */
static irl_status add_and_controls(irl_bp *bp, uint32_t k) {
  const irl_bp_class *class = &bp->controls;
  const bool is_plain = bp->settings.is_plain;
  const uint32_t first_row = irl_lp_n_rows(bp->named.lp);
  irl_status status = IRL_OK;
  for (uint32_t g = 0; g < class->n && !status; g++) {
    const uint32_t covered =
        bp->has_control_t ? bp->first_control_t + k * class->n + g : bp->first_control_y + g;
    const uint32_t columns[] = {covered, bp->first_u + k};
    const double values[] = {1, -1};
    status = irl_bp_add_row(bp, is_plain ? 1 : 0, INFINITY, is_plain ? 1 : 2, columns, values,
                            "and_n%u_%u", class->sample[g], k + 1);
  }
  return status ? status : irl_bp_add_misses(bp, class, first_row, s_of(bp, k));
}

/* OR1a: y <= the sum of t. */
static irl_status add_or_cases(irl_bp *bp, uint32_t *columns, double *values) {
  const irl_bp_class *class = &bp->cases;
  irl_status status = IRL_OK;
  for (uint32_t g = 0; g < class->n && !status; g++) {
    const uint32_t n = irl_bp_first_clauses(bp, g);
    assert(n > 0 && n <= bp->settings.K);
    columns[0] = bp->first_case_y + g;
    values[0] = 1;
    for (uint32_t k = 0; k < n; k++) {
      columns[k + 1] = bp->first_case_t + k * class->n + g;
      values[k + 1] = -1;
    }
    status = irl_bp_add_row(bp, -INFINITY, 0, n + 1, columns, values, "or_n%u", class->sample[g]);
  }
  return status;
}

/* OR1b: K y >= the sum of t. */
static irl_status add_or_controls(irl_bp *bp, uint32_t *columns, double *values) {
  const irl_bp_class *class = &bp->controls;
  const uint32_t K = bp->settings.K;
  irl_status status = IRL_OK;
  for (uint32_t g = 0; g < class->n && !status; g++) {
    columns[0] = bp->first_control_y + g;
    values[0] = K;
    for (uint32_t k = 0; k < K; k++) {
      columns[k + 1] = bp->first_control_t + k * class->n + g;
      values[k + 1] = -1;
    }
    status = irl_bp_add_row(bp, 0, INFINITY, K + 1, columns, values, "or_n%u", class->sample[g]);
  }
  return status;
}

/* OR2b: y - t >= 0. */
static irl_status add_or2(irl_bp *bp) {
  const irl_bp_class *class = &bp->controls;
  irl_status status = IRL_OK;
  for (uint32_t k = 0; k < bp->settings.K; k++)
    for (uint32_t g = 0; g < class->n && !status; g++) {
      const uint32_t columns[] = {bp->first_control_y + g, bp->first_control_t + k * class->n + g};
      const double values[] = {1, -1};
      status =
          irl_bp_add_row(bp, 0, INFINITY, 2, columns, values, "or_n%u_%u", class->sample[g], k + 1);
    }
  return status;
}

static irl_status add_rows(irl_bp *bp) {
  const irl_bp_settings *s = &bp->settings;
  const irl_allocator *a = &bp->env->allocator;
  const size_t most = 2 * (size_t)bp->n_literals + s->K + 2;
  uint32_t *columns = irl_mem_alloc(a, most, sizeof *columns);
  double *values = irl_mem_alloc(a, most, sizeof *values);
  irl_status status = columns && values ? IRL_OK : irl_fail_memory(bp->env);
  if (!status) status = add_sizes(bp, columns, values);
  for (uint32_t k = 0; k < s->K && !status; k++) {
    status = has_and2(s) ? add_and2_cases(bp, k) : add_and1_cases(bp, k);
    if (!status) status = add_and_controls(bp, k);
  }
  if (!status) status = add_or_cases(bp, columns, values);
  if (!status && (s->form == 1 || s->form == 2)) status = add_or_controls(bp, columns, values);
  if (!status && s->form == 3) status = add_or2(bp);
  if (!status && !s->is_plain) status = add_order(bp);
  if (!status && !s->is_plain) status = add_groups(bp, columns, values);
  irl_mem_free(a, columns);
  irl_mem_free(a, values);
  return status;
}

irl_status irl_bp_init(irl_bp *bp, irl_env *env, const irl_data *data,
                       const irl_bp_settings *settings) {
  assert(settings->form >= 1 && settings->form <= 6 && settings->K > 0 && settings->M > 0);
  *bp = (irl_bp){.env = env, .data = data, .settings = *settings};
  bp->n_literals = data->n_features * (settings->negations ? 2 : 1);
  irl_status status = irl_lp_names_init(env, &bp->named);
  if (!status) status = irl_bp_class_init(&bp->cases, env, data, true, !settings->is_plain);
  if (!status) status = irl_bp_class_init(&bp->controls, env, data, false, !settings->is_plain);
  if (!status && !settings->is_plain) status = irl_bp_break_symmetry(bp);
  if (!status) status = add_columns(bp);
  if (!status) status = add_rows(bp);
  bp->named.name = "ireland";
  bp->named.objective = "loss";
  if (status) irl_bp_free(bp);
  return status;
}
