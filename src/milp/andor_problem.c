/* AND/OR structure as an irl_problem, so that the engine that learns rules solves it.
 *
 * Samples of one kind have weights that are copies times a factor of the row: a sample stands in
 * the data so many times, and the factors of the objective are the weights of the classes. A row
 * that limits cases, controls, literals, or clauses and literals alike is a limit of the problem.
 * Structure that says more (a price for each literal, limits on a sum of several kinds, controls of
 * both kinds) is no irl_problem.
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

/* Samples of the data, beyond several for each of the structure. */
#define MAX_SAMPLES 131072u
#define MAX_COPIES  8u
#define MAX_LOSS    0x1p53
#define MAX_SIZE    64u /* literals of a clause */

/* How the samples of a side weigh. */
typedef struct kind {
  const irl_andor_side *side;
  int64_t factors[IRL_ANDOR_MAX_ROWS];
  uint32_t *copies; /* of each sample */
  uint32_t n;       /* of all */
} kind;

/* False: the weights of a row are no multiples of those of another. */
static bool find_factors(const irl_andor *a, kind *k) {
  const uint32_t n = k->side->n_samples;
  const uint64_t most = MAX_SAMPLES + (uint64_t)MAX_COPIES * n;
  uint32_t first = 0;
  uint64_t sum = 0;
  double step = 0;
  for (; first < a->n_rows && step == 0; first++)
    for (uint32_t s = 0; s < n; s++)
      step = irl_milp_greatest_common((double)k->side->weights[first][s], step);
  if (step == 0) return false; /* nobody counts them */
  for (uint32_t s = 0; s < n; s++) {
    const int64_t copies = k->side->weights[first - 1][s] / (int64_t)step;
    sum += (uint64_t)copies;
    if (sum > most) return false;
    k->copies[s] = (uint32_t)copies;
  }
  k->n = (uint32_t)sum;
  for (uint32_t i = 0; i < a->n_rows; i++) {
    const int64_t *weights = k->side->weights[i];
    for (uint32_t s = 0; s < n && !k->factors[i]; s++)
      if (k->copies[s]) k->factors[i] = weights[s] / k->copies[s];
    for (uint32_t s = 0; s < n; s++)
      if (weights[s] != k->factors[i] * k->copies[s]) return false;
  }
  return true;
}

/* What every literal costs in the row; -1: they differ. */
static int64_t literal_cost(const irl_andor *a, uint32_t row) {
  const int64_t *costs = a->rows[row].literal_cost;
  for (uint32_t l = 1; l < a->n_literals && costs; l++)
    if (costs[l] != costs[0]) return -1;
  return costs ? costs[0] : 0;
}

/* A row other than the objective as a limit of the problem. */
static bool read_limit(const irl_andor *a, uint32_t i, const kind *kinds, irl_problem *p) {
  const int64_t cases = kinds[0].factors[i], controls = kinds[1].factors[i];
  const int64_t literals = literal_cost(a, i), clauses = a->rows[i].clause_cost;
  const int64_t factor = cases + controls + literals;
  const bool has_costs = literals || clauses;
  if (literals < 0 || a->rows[i].limit < 0 || !factor) return false;
  if ((cases > 0) + (controls > 0) + has_costs != 1) return false;
  const uint64_t most = (uint64_t)(a->rows[i].limit / factor);
  if (cases && most < kinds[0].n && kinds[0].n - most > p->min_cases)
    p->min_cases = kinds[0].n - most;
  if (controls && most < p->max_controls) p->max_controls = most;
  if (literals && clauses && clauses != literals) return false;
  if (literals && clauses && most < p->max_complexity) p->max_complexity = most;
  if (literals && !clauses && most < p->max_literals) p->max_literals = most;
  return true;
}

/* Weights and limits; false: it is no such problem. */
static bool read_rows(const irl_andor *a, const kind *kinds, irl_andor_problem *q) {
  irl_problem *p = &q->problem;
  *p = (irl_problem){.K = a->K,
                     .M = a->M,
                     .case_weight = kinds[0].factors[0],
                     .control_weight = kinds[1].factors[0],
                     .penalty = a->rows[0].clause_cost,
                     .is_hamming = a->controls.n_private > 0,
                     .max_controls = kinds[1].n,
                     .max_literals = UINT64_MAX,
                     .max_complexity = UINT64_MAX,
                     .divisor = 1};
  q->scale = 1;
  if (literal_cost(a, 0) != p->penalty || !p->case_weight) return false;
  for (uint32_t i = 1; i < a->n_rows; i++)
    if (!read_limit(a, i, kinds, p)) return false;
  if (!p->control_weight) q->scale = (int64_t)kinds[1].n + 1;
  p->all = (double)p->case_weight * kinds[0].n + (double)p->control_weight * kinds[1].n;
  q->loss_of_all = !a->may_be_empty || p->max_controls < kinds[1].n
                       ? INT64_MAX
                       : a->rows[0].clause_cost + kinds[1].factors[0] * kinds[1].n;
  const double most = (p->all + (double)p->penalty * (1 + a->M)) * (double)q->scale;
  return most * a->K * a->K <= MAX_LOSS;
}

/* The bits of each sample, so many times. */
static void copy_bits(const kind *k, irl_bits_matrix *to) {
  for (uint32_t l = 0; l < k->side->bits.n_vectors; l++) {
    const uint64_t *from = irl_bits_vector(&k->side->bits, l);
    for (uint32_t s = 0, at = 0; s < k->side->n_samples; at += k->copies[s++])
      for (uint32_t c = 0; c < k->copies[s] && irl_bits_get(from, s); c++)
        irl_bits_set(irl_bits_vector(to, l), at + c);
  }
}

static irl_status make_data(irl_env *env, const kind *kinds, bool needs_clause, irl_data **data) {
  const size_t n_cases = kinds[0].n + needs_clause, n = n_cases + kinds[1].n;
  const uint32_t n_literals = (uint32_t)kinds[0].side->bits.n_vectors;
  uint8_t *labels = irl_mem_alloc(&env->allocator, n, sizeof *labels);
  irl_names names;
  irl_names_init(&names, &env->allocator);
  const irl_data_frame frame = {"structure", &names, n, labels, {0}};
  irl_status status =
      labels && irl_names_add_numbered(&names, n_literals) ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status) memset(labels, 1, n_cases);
  if (!status) status = irl_data_create(env, &frame, data);
  irl_names_free(&names);
  irl_mem_free(&env->allocator, labels);
  if (status) return status;
  copy_bits(&kinds[0], &(*data)->cases);
  copy_bits(&kinds[1], &(*data)->controls);
  for (uint32_t l = 0; l < n_literals && needs_clause; l++)
    irl_bits_set(irl_bits_vector(&(*data)->cases, l), kinds[0].n);
  return IRL_STATUS_OK;
}

irl_status irl_andor_problem_init(irl_andor_problem *q, irl_env *env, const irl_andor *a,
                                  bool needs_clause, bool *is_one) {
  kind kinds[2] = {{.side = &a->cases}, {.side = &a->controls}};
  irl_arena arena;
  irl_status status = IRL_STATUS_OK;
  *q = (irl_andor_problem){.data = NULL};
  irl_arena_init(&arena, &env->allocator);
  for (int i = 0; i < 2 && !status; i++) {
    kinds[i].copies = irl_arena_alloc(&arena, kinds[i].side->n_samples, sizeof *kinds[i].copies);
    if (!kinds[i].copies) status = irl_fail_memory(env);
  }
  *is_one = !status && a->K <= IRL_MAX_K && a->M <= MAX_SIZE &&
            (!a->controls.n_private || a->controls.n_private == a->controls.n_samples) &&
            find_factors(a, &kinds[0]) && find_factors(a, &kinds[1]) && read_rows(a, kinds, q);
  if (*is_one) status = make_data(env, kinds, needs_clause, &q->data);
  q->problem.data = q->problem.whole = q->data;
  if (needs_clause) q->problem.min_cases++;
  irl_arena_free(&arena);
  return status;
}

void irl_andor_problem_free(irl_andor_problem *q) {
  irl_data_free(q->data);
  *q = (irl_andor_problem){.data = NULL};
}
