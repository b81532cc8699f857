/* AND/OR structure as an irl_problem, so that the engine that learns rules solves it.
 *
 * A sample stands in the data as often as it has copies, and the factors of the objective are the
 * weights of the classes. A row that limits cases, controls, literals, or clauses and literals
 * alike is a limit of the problem. Structure that says more (limits on a sum of several kinds) is
 * no irl_problem.
 *
 * Where only a limit counts the controls, as in (SP)_u and (MP)_u, their weight is 0. Learning
 * wants weights: with `scale` times that of the cases and 1 for controls, a case weighs more than
 * all controls, so that the least loss has the least loss_0, and no bound is lost by rounding down.
 *
 * A rule that must have a clause: a case that has all literals is added, of which rules must cover
 * one. Each clause does, and the empty rule does not. */
#include "base/memory.h"
#include "milp/andor.h"
#include "rule/literal.h"

#define MAX_LOSS 0x1p53

/* A row other than the objective as a limit of the problem. */
static bool read_limit(const irl_andor *a, uint32_t i, irl_problem *p) {
  const irl_andor_row *row = &a->rows[i];
  const uint64_t n_cases = a->cases.n_copies;
  const int64_t cases = a->cases.factors[i], controls = a->controls.factors[i];
  const int64_t literals = row->literal_cost, clauses = row->clause_cost;
  const int64_t factor = cases + controls + literals;
  const bool has_costs = literals || clauses;
  if (row->limit < 0 || !factor) return false;
  if ((cases > 0) + (controls > 0) + has_costs != 1) return false;
  const uint64_t most = (uint64_t)(row->limit / factor);
  if (cases && most < n_cases && n_cases - most > p->min_cases) p->min_cases = n_cases - most;
  if (controls && most < p->max_controls) p->max_controls = most;
  if (literals && clauses && clauses != literals) return false;
  if (literals && clauses && most < p->max_complexity) p->max_complexity = most;
  if (literals && !clauses && most < p->max_literals) p->max_literals = most;
  return true;
}

/* Weights and limits; false: it is no such problem. */
static bool read_rows(const irl_andor *a, irl_andor_problem *q) {
  irl_problem *p = &q->problem;
  const uint32_t n_cases = a->cases.n_copies, n_controls = a->controls.n_copies;
  *p = (irl_problem){.K = a->K,
                     .M = a->M,
                     .case_weight = a->cases.factors[0],
                     .control_weight = a->controls.factors[0],
                     .penalty = a->rows[0].clause_cost,
                     .is_hamming = a->controls.n_private > 0,
                     .max_controls = n_controls,
                     .max_literals = UINT64_MAX,
                     .max_complexity = UINT64_MAX,
                     .divisor = 1};
  q->scale = 1;
  if (a->rows[0].literal_cost != p->penalty || !p->case_weight) return false;
  for (uint32_t i = 1; i < a->n_rows; i++)
    if (!read_limit(a, i, p)) return false;
  if (!p->control_weight) q->scale = (int64_t)n_controls + 1;
  p->all = (double)p->case_weight * n_cases + (double)p->control_weight * n_controls;
  q->loss_of_all = !a->may_be_empty || p->max_controls < n_controls
                       ? INT64_MAX
                       : p->penalty + p->control_weight * n_controls;
  const double most = (p->all + (double)p->penalty * (1 + a->M)) * (double)q->scale;
  return most * a->K * a->K <= MAX_LOSS;
}

/* The bits of each sample, so many times. */
static void copy_bits(const irl_andor_side *side, irl_bits_matrix *to) {
  for (uint32_t l = 0; l < side->bits.n_vectors; l++) {
    const uint64_t *from = irl_bits_vector(&side->bits, l);
    for (uint32_t s = 0, at = 0; s < side->n_samples; at += side->copies[s++])
      for (uint32_t c = 0; c < side->copies[s] && irl_bits_get(from, s); c++)
        irl_bits_set(irl_bits_vector(to, l), at + c);
  }
}

static irl_status make_data(irl_env *env, const irl_andor *a, bool needs_clause, irl_data **data) {
  const size_t n_cases = a->cases.n_copies + needs_clause, n = n_cases + a->controls.n_copies;
  uint8_t *labels = irl_mem_alloc(&env->allocator, n, sizeof *labels);
  irl_names names;
  irl_names_init(&names, &env->allocator);
  const irl_data_frame frame = {"structure", &names, n, labels, {0}};
  irl_status status = labels && irl_names_add_numbered(&names, a->n_literals)
                          ? IRL_STATUS_OK
                          : irl_fail_memory(env);
  if (!status) memset(labels, 1, n_cases);
  if (!status) status = irl_data_create(env, &frame, data);
  irl_names_free(&names);
  irl_mem_free(&env->allocator, labels);
  if (status) return status;
  copy_bits(&a->cases, &(*data)->cases);
  copy_bits(&a->controls, &(*data)->controls);
  for (uint32_t l = 0; l < a->n_literals && needs_clause; l++)
    irl_bits_set(irl_bits_vector(&(*data)->cases, l), a->cases.n_copies);
  return IRL_STATUS_OK;
}

irl_status irl_andor_problem_init(irl_andor_problem *q, irl_env *env, const irl_andor *a,
                                  bool needs_clause, bool *is_one) {
  *q = (irl_andor_problem){.data = NULL};
  *is_one = read_rows(a, q);
  const irl_status status = *is_one ? make_data(env, a, needs_clause, &q->data) : IRL_STATUS_OK;
  q->problem.data = q->problem.whole = q->data;
  if (needs_clause) q->problem.min_cases++;
  return status;
}

void irl_andor_problem_free(irl_andor_problem *q) {
  irl_data_free(q->data);
  *q = (irl_andor_problem){.data = NULL};
}
