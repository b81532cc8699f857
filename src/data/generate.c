/* Planted data: Bernoulli features, a random DNF, labels from it, an exact fraction of them
 * inverted; kept if 25 to 75 % of the samples are cases, 25 attempts (the paper, section
 * 'Datasets').
 *
 * Every sample has a random stream of its own, so that rows can be made in any order by any number
 * of threads; stream 0 of an attempt makes the rule and the noise. */
#include "data/generate.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include <math.h>
#include <stdlib.h>

#define ATTEMPTS       25u
#define LEAST_BALANCE  0.25
#define CLAUSE_RETRIES 100u /* for a clause that is there already */

typedef struct maker {
  irl_env *env;
  const irl_options *options;
  irl_planted *planted;
  irl_bits_matrix rows;
  uint8_t *labels;
  uint32_t n_samples, n_features;
  int threads;
} maker;

static int compare_numbers(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* False: the clause is there already. */
static bool draw_clause(const maker *m, irl_random *random, uint32_t k) {
  irl_planted *p = m->planted;
  uint32_t *features = p->features + (size_t)k * p->M, other = 0;
  const uint32_t size =
      m->options->data.exact_size ? p->M : 1 + (uint32_t)irl_random_below(random, p->M);
  for (uint32_t n = 0; n < size;) {
    const uint32_t feature = (uint32_t)irl_random_below(random, m->n_features);
    uint32_t i = 0;
    while (i < n && features[i] != feature) i++;
    if (i == n) features[n++] = feature;
  }
  assert(size && size <= p->M);
  qsort(features, size, sizeof *features, compare_numbers);
  p->size[k] = size;
  while (other < k && (p->size[other] != size || memcmp(p->features + (size_t)other * p->M,
                                                        features, size * sizeof *features)))
    other++;
  return other == k;
}

static void draw_row(const maker *m, uint64_t stream, uint64_t chance, uint32_t i) {
  const irl_planted *p = m->planted;
  irl_random random;
  uint64_t *row = irl_bits_vector(&m->rows, i);
  irl_random_init(&random, (uint64_t)m->options->search.seed, stream);
  for (uint32_t j = 0; j < m->n_features; j += 64) row[j / 64] = irl_random_bits(&random, chance);
  if (m->n_features % 64) row[m->n_features / 64] &= ((uint64_t)1 << m->n_features % 64) - 1;
  m->labels[i] = 0;
  for (uint32_t k = 0; k < p->K && !m->labels[i]; k++) {
    const uint32_t *features = p->features + (size_t)k * p->M;
    uint32_t n = 0;
    while (n < p->size[k] && irl_bits_get(row, features[n])) n++;
    m->labels[i] = n == p->size[k];
  }
}

/* The first n of a random order of the samples get the other label. */
static irl_status invert_labels(const maker *m, irl_random *random) {
  const uint32_t n = (uint32_t)floor(m->options->data.noise * m->n_samples + 0.5);
  uint32_t *order = irl_mem_alloc(&m->env->allocator, m->n_samples, sizeof *order);
  if (!order) return irl_fail_memory(m->env);
  for (uint32_t i = 0; i < m->n_samples; i++) order[i] = i;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t other = i + (uint32_t)irl_random_below(random, m->n_samples - i);
    const uint32_t chosen = order[other];
    order[other] = order[i];
    m->labels[chosen] ^= 1;
  }
  irl_mem_free(&m->env->allocator, order);
  return IRL_STATUS_OK;
}

static irl_status fail_cut(irl_env *env) {
  return irl_fail(env, IRL_STATUS_LIMIT,
                  "a limit or a request to stop came before the data were there");
}

static irl_status attempt(const maker *m, uint64_t number, double *share) {
  irl_random random;
  const uint64_t chance = (uint64_t)floor(m->options->data.density * 0x1p32 + 0.5);
  const uint64_t stream = number << 32;
  const uint32_t step = (uint32_t)(IRL_READING_STEP / (m->n_features + 1)) + 1; /* rows per look */
  irl_random_init(&random, (uint64_t)m->options->search.seed, stream);
  for (uint32_t k = 0; k < m->planted->K; k++) {
    unsigned retries = CLAUSE_RETRIES;
    while (!draw_clause(m, &random, k) && --retries) {
    }
  }
  atomic_bool is_cut = false;
#pragma omp parallel for num_threads(irl_threads_here(m->threads)) schedule(static)
  for (uint32_t i = 0; i < m->n_samples; i++) {
    if (i % step == step - 1 && !is_cut && irl_reading_limit_reached(m->env)) is_cut = true;
    if (!is_cut) draw_row(m, stream + 1 + i, chance, i);
  }
  if (is_cut) return fail_cut(m->env);
  const irl_status status = invert_labels(m, &random);
  uint32_t n_cases = 0;
  for (uint32_t i = 0; i < m->n_samples; i++) n_cases += m->labels[i];
  *share = (double)n_cases / m->n_samples;
  return status;
}

static irl_status attempts(const maker *m) {
  double share = 0;
  for (uint64_t number = 0; number < ATTEMPTS; number++) {
    const irl_status status = attempt(m, number, &share);
    if (status || (share >= LEAST_BALANCE && share <= 1 - LEAST_BALANCE)) return status;
  }
  return irl_fail(
      m->env, IRL_STATUS_BAD_INPUT,
      "no data set with 25 to 75 %% cases in %u attempts (the last had %.1f %%); try other "
      "values of K, M or density",
      ATTEMPTS, 100 * share);
}

static irl_status build(const maker *m, irl_data **out) {
  irl_names names;
  irl_data *data = NULL;
  irl_names_init(&names, &m->env->allocator);
  const irl_data_frame frame = {"generated data", &names, m->n_samples, m->labels, {0}};
  const uint64_t **rows = irl_mem_alloc(&m->env->allocator, m->n_samples, sizeof *rows);
  irl_status status = rows && irl_names_add_numbered(&names, m->n_features)
                          ? IRL_STATUS_OK
                          : irl_fail_memory(m->env);
  if (!status) status = irl_data_create(m->env, &frame, &data);
  for (uint32_t i = 0; !status && i < m->n_samples; i++) rows[i] = irl_bits_vector(&m->rows, i);
  if (!status) status = irl_data_fill(m->env, data, rows, m->threads);
  irl_mem_free(&m->env->allocator, rows);
  irl_names_free(&names);
  return irl_data_deliver(status, data, out);
}

static irl_status planted_init(irl_env *env, const irl_options *options, irl_planted *planted) {
  *planted = (irl_planted){
      .allocator = env->allocator, .K = (uint32_t)options->rule.K, .M = (uint32_t)options->rule.M};
  if (options->rule.M > options->data.J) {
    if (options->data.exact_size)
      return irl_fail(
          env, IRL_STATUS_BAD_ARGUMENT, "clauses of exactly %lld features need J >= %lld, not %lld",
          (long long)options->rule.M, (long long)options->rule.M, (long long)options->data.J);
    planted->M = (uint32_t)options->data.J;
  }
  const size_t K = planted->K;
  planted->size = irl_mem_alloc(&env->allocator, K + K * planted->M, sizeof *planted->size);
  if (!planted->size) return irl_fail_memory(env);
  planted->features = planted->size + K;
  return IRL_STATUS_OK;
}

irl_status irl_generate_planted(irl_env *env, const irl_options *options, irl_data **data,
                                irl_planted *planted) {
  irl_limit limit;
  maker m = {.env = env,
             .options = options,
             .planted = planted,
             .n_samples = (uint32_t)options->data.N,
             .n_features = (uint32_t)options->data.J,
             .threads = irl_threads(env, options->limits.threads)};
  irl_status status = planted_init(env, options, planted);
  irl_reading_begin(env, &limit, options);
  /* Rows and columns of bits. */
  if (!status) {
    const double bytes = 2.0 * m.n_samples * m.n_features / 8;
    status = irl_reading_affords(m.env, bytes) ? IRL_STATUS_OK : fail_cut(m.env);
  }
  if (!status) status = irl_bits_matrix_init(env, &m.rows, m.n_samples, m.n_features);
  if (!status) m.labels = irl_mem_alloc(&env->allocator, m.n_samples, 1);
  if (!status && !m.labels) status = irl_fail_memory(env);
  if (!status) status = attempts(&m);
  if (!status) status = build(&m, data);
  irl_reading_end(env, &limit);
  irl_bits_matrix_free(&m.rows);
  irl_mem_free(&env->allocator, m.labels);
  if (status) irl_planted_free(planted);
  return status;
}

void irl_planted_free(irl_planted *planted) {
  irl_mem_free(&planted->allocator, planted->size);
  *planted = (irl_planted){.allocator = planted->allocator};
}
