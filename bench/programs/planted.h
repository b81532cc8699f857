/* Planted data for the benchmarks: Bernoulli(1/2) features, K clauses, an exact number of labels
 * flipped. */
#ifndef IRL_BENCH_PLANTED_H
#define IRL_BENCH_PLANTED_H

#include "base/memory.h"
#include "base/random.h"
#include "bits/kernels.h"
#include "clause/clause_problem.h"
#include "rule/literal_columns.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct planted {
  uint32_t N, J, K, M;
  bool is_exact; /* clauses of exactly M literals, not 1 .. M */
  double noise;
  uint64_t seed;
  irl_clause clauses[64];
  irl_data *data;
} planted;

/* N J K M exact noise seed, as the programs take them. */
static inline planted planted_of(char **words) {
  return (planted){.N = (uint32_t)atoi(words[0]),
                   .J = (uint32_t)atoi(words[1]),
                   .K = (uint32_t)atoi(words[2]),
                   .M = (uint32_t)atoi(words[3]),
                   .is_exact = atoi(words[4]),
                   .noise = atof(words[5]),
                   .seed = (uint64_t)atoi(words[6])};
}

static void planted_clauses(planted *p, irl_random *random) {
  for (uint32_t k = 0; k < p->K; k++) {
    irl_clause *clause = &p->clauses[k];
    const uint32_t size = p->is_exact ? p->M : 1 + (uint32_t)irl_random_below(random, p->M);
    clause->n = 0;
    while (clause->n < size) {
      const uint32_t literal = 2 * (uint32_t)irl_random_below(random, p->J);
      bool is_new = true;
      for (uint32_t i = 0; i < clause->n; i++) is_new = is_new && clause->literals[i] != literal;
      if (is_new) clause->literals[clause->n++] = literal;
    }
    irl_clause_sort_literals(clause);
  }
}

static bool planted_says(const planted *p, const uint64_t *row) {
  for (uint32_t k = 0; k < p->K; k++) {
    bool covers = true;
    for (uint32_t i = 0; i < p->clauses[k].n; i++)
      covers = covers && irl_bits_get(row, p->clauses[k].literals[i] / 2);
    if (covers) return true;
  }
  return false;
}

static inline irl_status planted_make(irl_env *env, planted *p) {
  irl_random random;
  irl_bits_matrix rows = {0};
  irl_names names;
  irl_random_init(&random, p->seed, 0);
  planted_clauses(p, &random);
  irl_status status = irl_bits_matrix_init(env, &rows, p->N, p->J);
  if (status) return status;
  const uint64_t **pointers = malloc(p->N * sizeof *pointers);
  uint8_t *labels = malloc(p->N);
  for (uint32_t i = 0; i < p->N; i++) {
    uint64_t *row = irl_bits_vector(&rows, i);
    for (size_t w = 0; w < rows.stride; w++) row[w] = 64 * w < p->J ? irl_random_next(&random) : 0;
    if (p->J % 64) row[p->J / 64] &= ~(uint64_t)0 >> (64 - p->J % 64);
    pointers[i] = row;
    labels[i] = planted_says(p, row);
  }
  uint32_t flips = (uint32_t)(p->noise * p->N + 0.5);
  for (uint32_t i = 0; i < p->N && flips; i++) /* Knuth's selection sampling */
    if (irl_random_below(&random, p->N - i) < flips) {
      labels[i] = !labels[i];
      flips--;
    }
  irl_names_init(&names, &env->allocator);
  irl_names_add_numbered(&names, p->J);
  const irl_data_frame frame = {
      .place = "planted data", .names = &names, .n_samples = p->N, .labels = labels};
  status = irl_data_create(env, &frame, &p->data);
  if (!status) status = irl_data_fill(env, p->data, pointers, 2);
  free(pointers);
  free(labels);
  irl_bits_matrix_free(&rows);
  return status;
}

/* Counts what the planted clauses cover, of the cases those that are live (NULL: all). */
static inline bool planted_count(irl_env *env, planted *p, const uint64_t *live) {
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t n_cases = p->data->cases.stride, n_controls = p->data->controls.stride;
  uint64_t *cover = irl_mem_alloc_aligned(
      &env->allocator, n_cases > n_controls ? n_cases : n_controls, sizeof *cover);
  if (!cover) return false;
  for (uint32_t k = 0; k < p->K; k++) {
    irl_clause *clause = &p->clauses[k];
    irl_literals_cover(p->data, true, clause->literals, clause->n, cover);
    clause->controls = kernels->count(cover, n_controls);
    irl_literals_cover(p->data, false, clause->literals, clause->n, cover);
    if (live) kernels->and_into(cover, cover, live, n_cases);
    clause->cases = kernels->count(cover, n_cases);
    clause->value = (int64_t)clause->cases;
  }
  irl_mem_free_aligned(&env->allocator, cover);
  return true;
}

#endif
