/* The whole question: which rule of at most K clauses of at most M literals has the least loss?
 * Nothing is reduced but equal samples, so that it is short to say and to check: it is what proofs
 * for VeriPB are about, and thirty lines of Python make the same (src/python/ireland_question.py).
 *
 *   p_k_m_j  place m of clause k has the literal j: 0 is FALSE (a clause that is not used), from
 *            J + 1 on negations; a literal may be there twice
 *   t_k_n    clause k covers row n, one of the distinct rows in lexicographic order
 *   u_n      the cases of row n are left out       (costs their weight)
 *   f_n      its controls are covered              (costs theirs)
 *
 *   place    sum_j p_k_m_j = 1
 *   holds    sum over the j that hold for row n of p_k_m_j >= t_k_n       for each place m
 *   covers   sum over m and the j that do not hold of p_k_m_j + t_k_n >= 1
 *   pays     f_n >= t_k_n
 *   misses   sum_k t_k_n + u_n >= 1
 *
 * At least so many cases and at most so many controls are covered, if that is asked. Where literals
 * are limited or penalised, the last literal is an empty place, of which a clause has fewer than M,
 * and at most so many others are there; v_k: clause k is used (costs the penalty, as each literal
 * does), p_k_m_0 + v_k >= 1 for each place m. */
#include "base/memory.h"
#include "milp/bp.h"
#include <stdlib.h>

#define MOST_ENTRIES 3e8 /* some gigabytes of text */

/* A sample as bits by feature, and the number of words. */
typedef struct row {
  const uint64_t *bits;
  size_t words;
  int64_t weight;
  bool is_case;
} row;

/* The first feature in which they differ decides. */
static int compare_rows(const void *x, const void *y) {
  const row *a = x, *b = y;
  for (size_t w = 0; w < a->words; w++) {
    const uint64_t differ = a->bits[w] ^ b->bits[w];
    if (differ) return a->bits[w] & (differ & (0 - differ)) ? 1 : -1;
  }
  return 0;
}

/* Distinct rows with the weights of their cases and controls. */
typedef struct question {
  irl_bp *bp;
  irl_bits_matrix matrices[2]; /* controls, cases: a vector per sample */
  row *rows;
  int64_t (*loss)[2]; /* of the controls and of the cases of a row */
  const irl_problem *problem;
  bool has_empty; /* places, the last literal */
  uint32_t n, n_literals;
  uint32_t first_t, first_u, first_f, first_v; /* columns */
} question;

static irl_status find_rows(question *q) {
  const irl_data *data = q->problem->data;
  irl_env *env = q->bp->env;
  const uint32_t counts[] = {data->n_controls, data->n_cases};
  const int64_t weights[] = {q->problem->control_weight, q->problem->case_weight};
  const size_t n = (size_t)counts[0] + counts[1];
  irl_status status = irl_data_check_whole(env, data);
  if (!status) status = irl_bits_transposed(env, &data->controls, &q->matrices[0], 1);
  if (!status) status = irl_bits_transposed(env, &data->cases, &q->matrices[1], 1);
  if (status) return status;
  q->rows = irl_arena_alloc(&q->bp->arena, n, sizeof *q->rows);
  q->loss = irl_arena_alloc(&q->bp->arena, n, sizeof *q->loss);
  if (!q->rows || !q->loss) return irl_fail_memory(env);
  size_t all = 0;
  for (int kind = 0; kind < 2; kind++)
    for (uint32_t i = 0; i < counts[kind]; i++)
      q->rows[all++] = (row){irl_bits_vector(&q->matrices[kind], i), q->matrices[kind].stride,
                             data->weights[!kind].each ? data->weights[!kind].each[i] : 1, kind};
  assert(all == n && n);
  qsort(q->rows, n, sizeof *q->rows, compare_rows);
  for (size_t i = 0; i < n; i++) {
    if (!i || compare_rows(&q->rows[q->n - 1], &q->rows[i])) q->rows[q->n++] = q->rows[i];
    q->loss[q->n - 1][q->rows[i].is_case] += weights[q->rows[i].is_case] * q->rows[i].weight;
  }
  return IRL_STATUS_OK;
}

/* Is literal j neither FALSE nor an empty place? */
static bool is_real(const question *q, uint32_t j) {
  return j && j + q->has_empty < q->n_literals;
}

/* Does literal j hold for row n? */
static bool holds(const question *q, uint32_t n, uint32_t j) {
  const uint32_t J = q->problem->data->n_features;
  if (q->has_empty && j + 1 == q->n_literals) return true;
  return j && irl_bits_get(q->rows[n].bits, (j - 1) % J) == (j <= J);
}

static uint32_t place(const question *q, uint32_t k, uint32_t m, uint32_t j) {
  return (k * q->problem->M + m) * q->n_literals + j;
}

static void add_columns(question *q) {
  irl_bp *bp = q->bp;
  const uint32_t K = q->problem->K, M = q->problem->M;
  for (uint32_t k = 0; k < K; k++)
    for (uint32_t m = 0; m < M; m++)
      for (uint32_t j = 0; j < q->n_literals; j++)
        irl_bp_add_column(bp, is_real(q, j) ? (double)q->problem->penalty : 0, true, 0, "p%u_%u_%u",
                          k + 1, m + 1, j);
  q->first_t = K * M * q->n_literals;
  for (uint32_t k = 0; k < K; k++)
    for (uint32_t n = 0; n < q->n; n++) irl_bp_add_column(bp, 0, true, 0, "t%u_%u", k + 1, n);
  q->first_u = q->first_t + K * q->n;
  for (int kind = 1; kind >= 0; kind--) {
    if (!kind) q->first_f = irl_lp_n_columns(bp->named.lp);
    for (uint32_t n = 0; n < q->n; n++)
      if (q->loss[n][kind])
        irl_bp_add_column(bp, (double)q->loss[n][kind], true, 0, "%c%u", kind ? 'u' : 'f', n);
  }
  q->first_v = irl_lp_n_columns(bp->named.lp);
  for (uint32_t k = 0; k < K && q->problem->penalty; k++)
    irl_bp_add_column(bp, (double)q->problem->penalty, true, 0, "v%u", k + 1);
}

/* Empty places of clause k: fewer than M of them; whether it is used. */
static void add_places(question *q, uint32_t k) {
  irl_bp *bp = q->bp;
  const uint32_t M = q->problem->M;
  for (uint32_t m = 0; m < M && q->has_empty; m++)
    irl_bp_put(bp, place(q, k, m, q->n_literals - 1), 1);
  if (q->has_empty) irl_bp_end_row(bp, -INFINITY, M - 1, "empty%u", k + 1);
  for (uint32_t m = 0; m < M && q->problem->penalty; m++) {
    irl_bp_put(bp, place(q, k, m, 0), 1);
    irl_bp_put(bp, q->first_v + k, 1);
    irl_bp_end_row(bp, 1, INFINITY, "used%u_%u", k + 1, m + 1);
  }
}

/* What the whole rule is limited to. */
static void add_limits(question *q) {
  irl_bp *bp = q->bp;
  const irl_problem *p = q->problem;
  const uint64_t places = (uint64_t)p->K * p->M;
  const uint64_t n1 = irl_data_total(p->data, 0), n0 = irl_data_total(p->data, 1);
  assert(p->min_cases <= n1 && p->max_controls <= n0);
  for (uint32_t n = 0, u = q->first_u; n < q->n && p->min_cases; n++)
    if (q->loss[n][1]) irl_bp_put(bp, u++, (double)(q->loss[n][1] / p->case_weight));
  if (p->min_cases) irl_bp_end_row(bp, -INFINITY, (double)(n1 - p->min_cases), "cases");
  for (uint32_t n = 0, f = q->first_f; n < q->n && p->max_controls < n0; n++)
    if (q->loss[n][0]) irl_bp_put(bp, f++, (double)(q->loss[n][0] / p->control_weight));
  if (p->max_controls < n0) irl_bp_end_row(bp, -INFINITY, (double)p->max_controls, "controls");
  if (p->max_literals == UINT64_MAX || (p->max_literals >= places && p->penalty))
    return; /* all rules have so few */
  for (uint32_t i = 0; i < places * q->n_literals; i++)
    if (is_real(q, i % q->n_literals)) irl_bp_put(bp, i, 1);
  irl_bp_end_row(bp, -INFINITY, (double)p->max_literals, "literals");
}

/* The rows of clause k. */
static void add_clause(question *q, uint32_t k) {
  irl_bp *bp = q->bp;
  const uint32_t M = q->problem->M;
  for (uint32_t m = 0; m < M; m++) {
    for (uint32_t j = 0; j < q->n_literals; j++) irl_bp_put(bp, place(q, k, m, j), 1);
    irl_bp_end_row(bp, 1, 1, "place%u_%u", k + 1, m + 1);
  }
  add_places(q, k);
  for (uint32_t n = 0, f = q->first_f; n < q->n; n++) {
    const uint32_t t = q->first_t + k * q->n + n;
    for (uint32_t m = 0; m < M; m++) {
      for (uint32_t j = 0; j < q->n_literals; j++)
        if (holds(q, n, j)) irl_bp_put(bp, place(q, k, m, j), 1);
      irl_bp_put(bp, t, -1);
      irl_bp_end_row(bp, 0, INFINITY, "holds%u_%u_%u", k + 1, m + 1, n);
    }
    for (uint32_t m = 0; m < M; m++)
      for (uint32_t j = 0; j < q->n_literals; j++)
        if (!holds(q, n, j)) irl_bp_put(bp, place(q, k, m, j), 1);
    irl_bp_put(bp, t, 1);
    irl_bp_end_row(bp, 1, INFINITY, "covers%u_%u", k + 1, n);
    if (!q->loss[n][0]) continue;
    irl_bp_put(bp, t, -1);
    irl_bp_put(bp, f++, 1);
    irl_bp_end_row(bp, 0, INFINITY, "pays%u_%u", k + 1, n);
  }
}

irl_status irl_bp_write_whole(irl_bp *bp, irl_env *env, const irl_problem *problem) {
  question q = {.bp = bp,
                .problem = problem,
                .has_empty = problem->penalty || problem->max_literals != UINT64_MAX};
  const uint32_t K = problem->K;
  /* Rows are merged here, those of both classes together. */
  if (irl_bp_start(bp, env, problem, &(irl_bp_style){.is_plain = true})) bp->status = find_rows(&q);
  q.n_literals = bp->n_literals + 1 + q.has_empty;
  const double entries = (double)K * (problem->M + 1) * q.n * q.n_literals;
  if (!bp->status && entries > MOST_ENTRIES)
    bp->status = irl_fail(env, IRL_STATUS_BAD_INPUT,
                          "the whole question has some %.2g entries, more than %.0e: it is for "
                          "smaller tables",
                          entries, MOST_ENTRIES);
  if (!bp->status) add_columns(&q);
  for (uint32_t k = 0; k < K && !bp->status; k++) add_clause(&q, k);
  for (uint32_t n = 0, u = q.first_u; n < q.n && !bp->status; n++) {
    if (!q.loss[n][1]) continue;
    for (uint32_t k = 0; k < K; k++) irl_bp_put(bp, q.first_t + k * q.n + n, 1);
    irl_bp_put(bp, u++, 1);
    irl_bp_end_row(bp, 1, INFINITY, "misses%u", n);
  }
  if (!bp->status) add_limits(&q);
  irl_bits_matrix_free(&q.matrices[0]);
  irl_bits_matrix_free(&q.matrices[1]);
  return irl_bp_finish(bp, "loss");
}
