/* The six formulations, row by row as bp.h shows them. */
#include "milp/bp.h"
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
  irl_array_free(&allocator, &bp->priority);
  irl_array_free(&allocator, &bp->columns);
  irl_array_free(&allocator, &bp->values);
  irl_mem_free(&allocator, bp->representatives);
  *bp = (irl_bp){0};
}

double irl_bp_count_rows(const irl_data *data, const irl_bp_settings *s) {
  const double K = s->K, n1 = data->n_cases, n0 = data->n_controls;
  const double J = data->n_features * (s->negations ? 2.0 : 1.0);
  return K * (3 + n0 * (has_or2(s) ? 2 : 1) + n1 * (has_and2(s) ? J / 2 : 1)) + n0 + n1;
}

/* ---- columns ---- */

static void add_clause_columns(irl_bp *bp) {
  const irl_bp_settings *s = &bp->settings;
  char name[NAME_SIZE];
  bp->first_s = irl_lp_n_columns(bp->named.lp);
  for (uint32_t k = 0; k < s->K; k++)
    for (uint32_t l = 0; l < bp->n_literals; l++) {
      irl_bp_literal_name(bp, l, name, sizeof name);
      irl_bp_add_column(bp, 0, true, s->is_plain ? 0 : PRIORITY_CLAUSE, "s_%u_%s", k + 1, name);
    }
  bp->first_u = irl_lp_n_columns(bp->named.lp);
  for (uint32_t k = 0; k < s->K && !s->is_plain; k++)
    irl_bp_add_column(bp, 0, true, PRIORITY_USED, "u_%u", k + 1);
}

static uint32_t add_t(irl_bp *bp, const irl_bp_class *class, double cost, bool is_integer) {
  const uint32_t first = irl_lp_n_columns(bp->named.lp);
  for (uint32_t k = 0; k < bp->settings.K; k++)
    for (uint32_t g = 0; g < class->n; g++)
      irl_bp_add_column(bp, cost * class->weight[g], is_integer, 0, "t_n%u_%u", class->sample[g],
                        k + 1);
  return first;
}

static void add_columns(irl_bp *bp) {
  const irl_bp_settings *s = &bp->settings;
  const bool is_binary = s->is_binary;
  const double case_weight = (double)s->case_weight, control_weight = (double)s->control_weight;
  bp->has_control_t = s->form != 4;
  bp->has_control_y = !is_hamming(s);
  add_clause_columns(bp);
  bp->first_case_t = add_t(bp, &bp->cases, 0, is_binary || !has_and2(s));
  if (bp->has_control_t)
    bp->first_control_t = add_t(bp, &bp->controls, is_hamming(s) ? control_weight : 0, is_binary);
  bp->first_case_y = irl_bp_add_y(bp, &bp->cases, -case_weight, is_binary);
  if (bp->has_control_y)
    bp->first_control_y = irl_bp_add_y(bp, &bp->controls, control_weight, is_binary || !has_or2(s));
  irl_lp_set_constant(bp->named.lp, case_weight * bp->data->n_cases);
}

/* ---- rows ---- */

static uint32_t s_of(const irl_bp *bp, uint32_t k) {
  return bp->first_s + k * bp->n_literals;
}

/* The columns of the first clause; those of clause k stand k * class->n after them. */
static void put_t(irl_bp *bp, const irl_bp_class *class, uint32_t first, uint32_t n, uint32_t g) {
  assert(n <= bp->settings.K && g < class->n);
  for (uint32_t k = 0; k < n; k++) irl_bp_put(bp, first + k * class->n + g, -1);
}

/* The column that says that the clause is used, where there is one. */
static void put_used(irl_bp *bp, uint32_t k, double value) {
  if (!bp->settings.is_plain) irl_bp_put(bp, bp->first_u + k, value);
}

/* At most M literals; at least one, if the clause is used. */
static void add_sizes(irl_bp *bp) {
  const irl_bp_settings *s = &bp->settings;
  for (uint32_t k = 0; k < s->K; k++) {
    for (uint32_t l = 0; l < bp->n_literals; l++) irl_bp_put(bp, s_of(bp, k) + l, 1);
    put_used(bp, k, -(double)s->M);
    irl_bp_end_row(bp, -INFINITY, s->is_plain ? s->M : 0, "size_%u", k + 1);
    if (s->is_plain) continue;
    for (uint32_t l = 0; l < bp->n_literals; l++) irl_bp_put(bp, s_of(bp, k) + l, 1);
    put_used(bp, k, -1);
    irl_bp_end_row(bp, 0, INFINITY, "used_%u", k + 1);
  }
}

/* Unused clauses come last. */
static void add_order(irl_bp *bp) {
  for (uint32_t k = 0; k + 1 < bp->settings.K; k++) {
    put_used(bp, k, 1);
    put_used(bp, k + 1, -1);
    irl_bp_end_row(bp, 0, INFINITY, "order_%u", k + 1);
  }
}

/* Features of a group are nested or disjoint: a second one in a clause is implied, or covers
 * nothing. */
static void add_groups(irl_bp *bp) {
  const uint32_t *groups = bp->data->groups, J = bp->data->n_features;
  for (uint32_t first = 0; groups && first < J; first++) {
    uint32_t n_members = 0;
    bool is_first = groups[first] != 0;
    for (uint32_t j = 0; j < first && is_first; j++) is_first = groups[j] != groups[first];
    for (uint32_t j = first; j < J && is_first; j++) n_members += groups[j] == groups[first];
    for (uint32_t k = 0; k < bp->settings.K && n_members > 1; k++) {
      for (uint32_t j = first; j < J; j++)
        if (groups[j] == groups[first]) irl_bp_put(bp, s_of(bp, k) + j, 1);
      irl_bp_end_row(bp, -INFINITY, 1, "group_%u_%u", groups[first], k + 1);
    }
  }
}

/* AND1a: B t + misses <= B, or B u. */
static void add_and1_cases(irl_bp *bp, uint32_t k) {
  const irl_bp_settings *s = &bp->settings;
  const irl_bp_class *class = &bp->cases;
  const double B = s->is_plain ? bp->n_literals : s->M;
  for (uint32_t g = 0; g < class->n; g++) {
    irl_bp_put(bp, bp->first_case_t + k * class->n + g, B);
    put_used(bp, k, -B);
    irl_bp_end_row(bp, -INFINITY, s->is_plain ? B : 0, "and_n%u_%u", class->sample[g], k + 1);
  }
  irl_bp_add_misses(bp, class, s_of(bp, k));
}

static bool is_missed(const irl_bp *bp, const irl_bp_class *class, uint32_t g, uint32_t l) {
  const irl_literal literal = irl_bp_literal(bp, l);
  return irl_bits_get(irl_bits_vector(&class->bits, irl_literal_feature(literal)), g) ==
         irl_literal_is_negated(literal);
}

/* AND2a: t + s_j <= 1, or u, for each literal that is missed; t <= u where none is. */
static void add_and2_cases(irl_bp *bp, uint32_t k) {
  const bool is_plain = bp->settings.is_plain;
  const irl_bp_class *class = &bp->cases;
  for (uint32_t g = 0; g < class->n; g++) {
    const uint32_t t = bp->first_case_t + k * class->n + g;
    bool has_row = is_plain;
    for (uint32_t l = 0; l < bp->n_literals; l++) {
      if (!is_missed(bp, class, g, l)) continue;
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

/* AND1b: t + misses >= 1, or u; with y for t in BP4. */
static void add_and_controls(irl_bp *bp, uint32_t k) {
  const irl_bp_class *class = &bp->controls;
  const uint32_t first =
      bp->has_control_t ? bp->first_control_t + k * class->n : bp->first_control_y;
  for (uint32_t g = 0; g < class->n; g++) {
    irl_bp_put(bp, first + g, 1);
    put_used(bp, k, -1);
    irl_bp_end_row(bp, bp->settings.is_plain, INFINITY, "and_n%u_%u", class->sample[g], k + 1);
  }
  irl_bp_add_misses(bp, class, s_of(bp, k));
}

/* OR1a: y <= the sum of t. */
static void add_or_cases(irl_bp *bp) {
  const irl_bp_class *class = &bp->cases;
  for (uint32_t g = 0; g < class->n; g++) {
    irl_bp_put(bp, bp->first_case_y + g, 1);
    put_t(bp, class, bp->first_case_t, irl_bp_first_clauses(bp, g), g);
    irl_bp_end_row(bp, -INFINITY, 0, "or_n%u", class->sample[g]);
  }
}

/* OR1b: K y >= the sum of t. */
static void add_or_controls(irl_bp *bp) {
  const irl_bp_class *class = &bp->controls;
  const uint32_t K = bp->settings.K;
  for (uint32_t g = 0; g < class->n; g++) {
    irl_bp_put(bp, bp->first_control_y + g, K);
    put_t(bp, class, bp->first_control_t, K, g);
    irl_bp_end_row(bp, 0, INFINITY, "or_n%u", class->sample[g]);
  }
}

/* OR2b: y - t >= 0. */
static void add_or2(irl_bp *bp) {
  const irl_bp_class *class = &bp->controls;
  for (uint32_t k = 0; k < bp->settings.K; k++)
    for (uint32_t g = 0; g < class->n; g++) {
      irl_bp_put(bp, bp->first_control_y + g, 1);
      irl_bp_put(bp, bp->first_control_t + k * class->n + g, -1);
      irl_bp_end_row(bp, 0, INFINITY, "or_n%u_%u", class->sample[g], k + 1);
    }
}

static void add_rows(irl_bp *bp) {
  const irl_bp_settings *s = &bp->settings;
  add_sizes(bp);
  for (uint32_t k = 0; k < s->K; k++) {
    if (has_and2(s))
      add_and2_cases(bp, k);
    else
      add_and1_cases(bp, k);
    add_and_controls(bp, k);
  }
  add_or_cases(bp);
  if (s->form == 1 || s->form == 2) add_or_controls(bp);
  if (s->form == 3) add_or2(bp);
  if (!s->is_plain) add_order(bp);
  if (!s->is_plain) add_groups(bp);
}

irl_status irl_bp_init(irl_bp *bp, irl_env *env, const irl_data *data,
                       const irl_bp_settings *settings) {
  assert(settings->form >= 1 && settings->form <= 6 && settings->K > 0 && settings->M > 0);
  if (irl_bp_start(bp, env, data, settings)) {
    if (!settings->is_plain) bp->status = irl_bp_break_symmetry(bp);
    add_columns(bp);
    add_rows(bp);
  }
  return irl_bp_finish(bp, "loss");
}
