/* The strongest of all clauses under shuffled labels (Westfall and Young 1993: the distribution of
 * the smallest p-value), for many shuffles at once.
 *
 * What a clause covers does not depend on the labels. So covers are made once for a block of
 * shuffles, in a walk over all clauses of at most M literals, and one kernel counts the cases of
 * all shuffles in a block of covers. How strong a clause is, is the tail of the hypergeometric
 * distribution for what it covers and how many of these are cases; of each shuffle only this is
 * asked: how many of the given tails, from the weakest on, does the strongest clause reach? For a
 * tail and a number of covered samples the fewest cases that reach it stand in a table, so that
 * the test of a clause is a comparison of integers.
 *
 * Left out are clauses that cover so few samples that no labels could make them reach the next tail
 * of any shuffle, with all that is below them, and those that cover what they cover without
 * their last literal. A shuffle that has reached all tails is counted no more. The answer is a
 * maximum, so nothing depends on the order of the walk. */
#include "validate/max_statistic.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "rule/hypergeometric.h"
#include <math.h>

#define COVERS 64u /* of a block */

irl_status irl_classes_join(irl_env *env, const irl_data *data, bool negations,
                            irl_bits_matrix *literals) {
  const bool twice = negations && irl_data_may_negate(data);
  const size_t J = data->n_features;
  const irl_status status = irl_bits_matrix_init(env, literals, twice ? 2 * J : J, data->n_samples);
  for (size_t j = 0; j < J && !status; j++) {
    uint64_t *vector = irl_bits_vector(literals, j);
    irl_bits_or_at(vector, 0, irl_bits_vector(&data->cases, j), data->n_cases);
    irl_bits_or_at(vector, data->n_cases, irl_bits_vector(&data->controls, j), data->n_controls);
    if (!twice) continue;
    uint64_t *opposite = irl_bits_vector(literals, J + j);
    irl_bits_fill(opposite, data->n_samples, literals->stride);
    for (size_t w = 0; w < literals->stride; w++) opposite[w] &= ~vector[w];
  }
  return status;
}

double irl_max_work(const irl_data *data, bool negations, uint32_t M, double n_shuffles) {
  const double J = (double)((size_t)data->n_features << (negations && irl_data_may_negate(data)));
  double clauses = 1, sum = 0;
  for (uint32_t m = 0; m < M && m < J; m++) {
    clauses *= (J - m) / (m + 1);
    sum += clauses;
  }
  return sum * (double)irl_bits_stride(data->n_samples) * (n_shuffles + 1);
}

typedef struct walker {
  const irl_bits_matrix *literals;
  const irl_kernels *kernels;
  const irl_limit *limit;
  uint32_t M, n_tails;
  uint32_t *need;         /* per tail, for each number of covered samples */
  uint32_t *least;        /* per tail: fewer covered samples never reach it */
  irl_bits_matrix active; /* the shuffles that have not reached all tails */
  uint32_t *of_active;    /* their numbers, */
  uint32_t n_active;
  uint32_t *levels;       /* of all shuffles */
  uint32_t least_now;     /* of the lowest level that is left */
  irl_bits_matrix covers; /* a block for each number of literals */
  uint32_t *counts;       /* active x COVERS */
  bool is_cut;
} walker;

/* Forgets shuffles that are done, and finds the lowest level of the others. */
static void settle(walker *w) {
  uint32_t n = 0, lowest = w->n_tails;
  for (uint32_t i = 0; i < w->n_active; i++) {
    const uint32_t level = w->levels[w->of_active[i]];
    if (level == w->n_tails) continue;
    if (level < lowest) lowest = level;
    if (n < i)
      memcpy(irl_bits_vector(&w->active, n), irl_bits_vector(&w->active, i),
             w->active.stride * sizeof(uint64_t));
    w->of_active[n++] = w->of_active[i];
  }
  w->n_active = n;
  w->least_now = lowest < w->n_tails ? w->least[lowest] : UINT32_MAX;
}

/* Tests a block of covers against all active shuffles. */
static void test(walker *w, const uint64_t *covers, const uint32_t *sizes, uint32_t n) {
  const size_t stride = w->literals->stride, n_sizes = w->literals->n_bits + 1;
  bool has_risen = false;
  w->kernels->and_count_block(w->active.words, w->active.stride, w->n_active, covers, stride, n,
                              stride, w->counts, COVERS);
  for (uint32_t i = 0; i < w->n_active; i++) {
    uint32_t *level = &w->levels[w->of_active[i]];
    const uint32_t *counts = w->counts + (size_t)i * COVERS, before = *level;
    for (uint32_t j = 0; j < n && *level < w->n_tails; j++)
      while (*level < w->n_tails && counts[j] >= w->need[*level * n_sizes + sizes[j]]) ++*level;
    has_risen |= *level > before;
  }
  if (has_risen) settle(w);
}

/* All clauses that add literals from `first` on to a clause of `depth` literals with this cover.
 * Covers of a block that are tested are moved together; those to go on from stay in their order. */
static void walk(walker *w, const uint64_t *cover, uint32_t n_covered, uint32_t first,
                 uint32_t depth) {
  const irl_bits_matrix *literals = w->literals;
  uint64_t *block = irl_bits_vector(&w->covers, (size_t)depth * COVERS);
  uint32_t sizes[COVERS], from[COVERS];
  for (uint32_t j = first; j < literals->n_vectors && w->n_active;) {
    uint32_t n = 0;
    for (; j < literals->n_vectors && n < COVERS; j++) {
      const uint64_t *other = irl_bits_vector(literals, j);
      sizes[n] = (uint32_t)w->kernels->and_into(block + n * literals->stride, cover, other,
                                                literals->stride);
      from[n] = j + 1;
      n += sizes[n] < n_covered && sizes[n] >= w->least_now;
    }
    if (irl_limit_poll(w->limit)) w->is_cut = true;
    if (w->is_cut) return;
    test(w, block, sizes, n);
    for (uint32_t i = 0; i < n && depth + 1 < w->M && w->n_active && !w->is_cut; i++)
      if (sizes[i] >= w->least_now)
        walk(w, block + i * literals->stride, sizes[i], from[i], depth + 1);
  }
}

static irl_status make_tables(irl_env *env, walker *w, const irl_max_problem *problem) {
  irl_hypergeometric h = {0};
  const irl_tails *tails = &problem->tails;
  const size_t n = w->literals->n_bits, n_sizes = n + 1;
  irl_status status =
      irl_hypergeometric_init(env, &h, problem->n_cases, (uint32_t)n - problem->n_cases);
  w->need = irl_mem_alloc(&env->allocator, tails->n * n_sizes, sizeof *w->need);
  w->least = irl_mem_alloc(&env->allocator, tails->n, sizeof *w->least);
  if (!status && (!w->need || !w->least)) status = irl_fail_memory(env);
  for (uint32_t t = 0; t < tails->n && !status; t++) {
    uint32_t *need = w->need + t * n_sizes;
    irl_hypergeometric_needs(&h, tails->log_p[t], need);
    while (w->least[t] < n_sizes && need[w->least[t]] == UINT32_MAX) w->least[t]++;
    assert(!t || tails->log_p[t] <= tails->log_p[t - 1]);
  }
  irl_hypergeometric_free(env, &h);
  return status;
}

irl_status irl_max_statistic(irl_env *env, const irl_max_problem *problem, uint32_t *levels,
                             bool *is_done) {
  const irl_bits_matrix *literals = problem->literals, *shuffles = problem->shuffles;
  const irl_tails *tails = &problem->tails;
  const uint32_t n = (uint32_t)shuffles->n_vectors;
  walker w = {.literals = literals,
              .kernels = irl_bits_kernels(),
              .limit = problem->limit,
              .M = problem->M,
              .n_tails = tails->n,
              .levels = levels,
              .n_active = n};
  uint64_t *all = irl_mem_alloc_aligned(&env->allocator, literals->stride, sizeof *all);
  irl_status status = irl_bits_matrix_init(env, &w.active, n, literals->n_bits);
  if (!status)
    status = irl_bits_matrix_init(env, &w.covers, (size_t)problem->M * COVERS, literals->n_bits);
  if (!status) status = make_tables(env, &w, problem);
  w.of_active = irl_mem_alloc(&env->allocator, n, sizeof *w.of_active);
  w.counts = irl_mem_alloc(&env->allocator, (size_t)n * COVERS, sizeof *w.counts);
  if (!status && (!all || !w.of_active || !w.counts)) status = irl_fail_memory(env);
  if (!status) {
    memcpy(w.active.words, shuffles->words, n * literals->stride * sizeof(uint64_t));
    memset(levels, 0, n * sizeof *levels);
    for (uint32_t b = 0; b < n; b++) { /* the empty clause covers all and says nothing */
      w.of_active[b] = b;
      while (levels[b] < tails->n && tails->log_p[levels[b]] >= 0) levels[b]++;
    }
    settle(&w);
    irl_bits_fill(all, literals->n_bits, literals->stride);
    walk(&w, all, UINT32_MAX, 0, 0);
    *is_done = !w.is_cut;
  }
  irl_mem_free_aligned(&env->allocator, all);
  irl_mem_free(&env->allocator, w.of_active);
  irl_mem_free(&env->allocator, w.counts);
  irl_mem_free(&env->allocator, w.need);
  irl_mem_free(&env->allocator, w.least);
  irl_bits_matrix_free(&w.active);
  irl_bits_matrix_free(&w.covers);
  return status;
}
