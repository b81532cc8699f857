/* Preparing a pool.
 *
 * Clauses are sorted by covered cases (most first), covered controls, size, cost and number;
 * whatever makes clause k superfluous then stands before it. Clause k is dominated by j if j covers
 * all of k's cases, only controls that k covers (where they are not just a part of the cost), and
 * is neither longer nor dearer. The candidates for j come from the transposed covers: a row per
 * case holds a bit per clause, and the AND of the rows of k's cases, rarest case first, is exactly
 * the set of clauses that cover them all; it is empty after a few rows for nearly all k. So the
 * cost is about n * n/64 words times a small number of rows. */
#include "select/select_pool.h"
#include "base/memory.h"
#include "base/threads.h"
#include <stdlib.h>

#define DOMINANCE_LIMIT 200000u /* clauses; beyond that the rows take too much memory */

void irl_select_problem_init(irl_select_problem *problem, const irl_bits_matrix *cases,
                             const irl_bits_matrix *controls, uint32_t K) {
  *problem = (irl_select_problem){.cases = cases,
                                  .controls = controls,
                                  .K = K,
                                  .case_weight = 1,
                                  .control_weight = 1,
                                  .max_controls = UINT64_MAX,
                                  .max_literals = UINT64_MAX,
                                  .max_complexity = UINT64_MAX,
                                  .to_beat = IRL_SELECT_NO_LOSS,
                                  .threads = 1};
}

/* What the sort looks at. */
typedef struct entry {
  uint32_t id, cases, controls, size;
  int64_t cost;
  bool is_dropped;
} entry;

static int compare_entries(const void *x, const void *y) {
  const entry *a = x, *b = y;
  if (a->cases != b->cases) return a->cases > b->cases ? -1 : 1;
  if (a->controls != b->controls) return a->controls < b->controls ? -1 : 1;
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  return a->id < b->id ? -1 : 1;
}

/* Everything that finding dominators needs; the entries are clauses in sorted order. */
typedef struct dominance {
  const irl_select_problem *problem;
  bool counts_controls;
  entry *entries;
  uint32_t n;
  irl_bits_matrix rows; /* a vector per case, a bit per clause */
  uint32_t *case_order; /* the cases, rarest first */
} dominance;

/* Is clause k made superfluous by the earlier clause j, which covers all its cases? */
static bool dominates(const dominance *d, uint32_t j, uint32_t k) {
  const entry *a = &d->entries[j], *b = &d->entries[k];
  assert(j < k && a->cases >= b->cases);
  if (a->size > b->size || a->cost > b->cost) return false;
  if (!d->counts_controls) return true;
  if (a->controls > b->controls) return false;
  return irl_bits_is_subset(irl_bits_vector(d->problem->controls, a->id),
                            irl_bits_vector(d->problem->controls, b->id),
                            d->problem->controls->stride);
}

/* `candidates` has room for a bit per clause. The rows are visited in the order of rarity by
 * walking over all cases, rarest first, until k's cases are used up or no candidate is left. */
static bool find_dominator(const dominance *d, uint32_t k, uint64_t *candidates) {
  const uint64_t *cover = irl_bits_vector(d->problem->cases, d->entries[k].id);
  const size_t n_words = k / 64 + 1;
  uint32_t left = d->entries[k].cases;
  memset(candidates, 0xff, n_words * sizeof *candidates);
  candidates[k / 64] &= ((uint64_t)1 << k % 64) - 1;
  for (uint32_t i = 0; left; i++) {
    assert(i < d->rows.n_vectors);
    const uint32_t sample = d->case_order[i];
    if (!irl_bits_get(cover, sample)) continue;
    const uint64_t *row = irl_bits_vector(&d->rows, sample);
    uint64_t any = 0;
    for (size_t w = 0; w < n_words; w++) any |= candidates[w] &= row[w];
    if (!any) return false;
    left--;
  }
  for (size_t w = 0; w < n_words; w++)
    for (uint64_t word = candidates[w]; word; word &= word - 1)
      if (dominates(d, (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(word), k)) return true;
  return false;
}

/* A case and in how many clauses it is. */
typedef struct rarity {
  uint32_t sample, count;
} rarity;

static int compare_rarities(const void *x, const void *y) {
  const rarity *a = x, *b = y;
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  return a->sample < b->sample ? -1 : 1;
}

/* The covers of the sorted clauses, transposed, and the cases by rarity, rarest first. */
static irl_status make_rows(irl_env *env, dominance *d, const irl_kernels *kernels, int threads) {
  const irl_bits_matrix *cases = d->problem->cases;
  const size_t n = cases->n_bits;
  const uint64_t **vectors = irl_mem_alloc(&env->allocator, d->n, sizeof *vectors);
  rarity *list = irl_mem_alloc(&env->allocator, n, sizeof *list);
  d->case_order = irl_mem_alloc(&env->allocator, n, sizeof *d->case_order);
  irl_status status = vectors && list && d->case_order ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status) status = irl_bits_matrix_init(env, &d->rows, n, d->n);
  if (!status) {
    for (uint32_t k = 0; k < d->n; k++) vectors[k] = irl_bits_vector(cases, d->entries[k].id);
    irl_bits_transpose(vectors, d->n, &d->rows, threads);
    for (uint32_t i = 0; i < n; i++)
      list[i] = (rarity){i, (uint32_t)kernels->count(irl_bits_vector(&d->rows, i), d->rows.stride)};
    qsort(list, n, sizeof *list, compare_rarities);
    for (size_t i = 0; i < n; i++) d->case_order[i] = list[i].sample;
  }
  irl_mem_free(&env->allocator, list);
  irl_mem_free(&env->allocator, vectors);
  return status;
}

/* Marks dominated clauses. Domination is transitive and its dominators stand earlier, so a clause
 * may be found through one that is itself dropped. When time is up the rest simply stays. */
static irl_status drop_dominated(irl_env *env, const irl_select_pool *pool, entry *entries,
                                 uint32_t n, const irl_limit *limit) {
  const int threads = pool->problem->threads;
  dominance d = {.problem = pool->problem,
                 .counts_controls = pool->counts_controls,
                 .entries = entries,
                 .n = n};
  if (n < 2 || n > DOMINANCE_LIMIT) return IRL_STATUS_OK;
  irl_status status = make_rows(env, &d, pool->kernels, threads);
  bool failed = false;
  if (!status) {
#pragma omp parallel num_threads(irl_threads_here(threads))
    {
      uint64_t *candidates = irl_mem_alloc(&env->allocator, n / 64 + 1, sizeof *candidates);
#pragma omp for schedule(dynamic, 64)
      for (uint32_t k = 1; k < n; k++)
        if (candidates && !irl_limit_poll(limit) && find_dominator(&d, k, candidates))
          entries[k].is_dropped = true;
      if (!candidates) {
#pragma omp atomic write
        failed = true;
      }
      irl_mem_free(&env->allocator, candidates);
    }
  }
  if (failed) status = irl_fail_memory(env);
  irl_bits_matrix_free(&d.rows);
  irl_mem_free(&env->allocator, d.case_order);
  return status;
}

/* ---- the prepared pool ---- */

/* Covers over the samples that some clause covers, and all else about the clauses, in one block. */
static irl_status copy_covers(irl_env *env, irl_select_pool *pool, const entry *entries, uint32_t n,
                              const irl_limit *limit) {
  const irl_bits_matrix *matrices[2] = {pool->problem->cases, pool->problem->controls};
  uint64_t *mask[2] = {irl_mem_alloc_aligned(
      &env->allocator, matrices[0]->stride + matrices[1]->stride, sizeof(uint64_t))};
  size_t stride = 0;
  if (!mask[0]) return irl_fail_memory(env);
  mask[1] = mask[0] + matrices[0]->stride;
  for (int class = 0; class < 2; class ++) {
    irl_select_covers *covers = &pool->covers[class];
    for (uint32_t k = 0; k < n; k++)
      covers->n_samples = (uint32_t)pool->kernels->or_into(
          mask[class], mask[class], irl_bits_vector(matrices[class], entries[k].id),
          matrices[class]->stride);
    assert(covers->n_samples <= matrices[class]->n_bits);
    covers->n_words = irl_bits_stride(covers->n_samples);
    stride += covers->n_words;
  }
  pool->memory = irl_mem_alloc_aligned(&env->allocator, n * (stride + 2), sizeof *pool->memory);
  if (!pool->memory) {
    irl_mem_free_aligned(&env->allocator, mask[0]);
    return irl_fail_memory(env);
  }
  int64_t *cost = (int64_t *)(pool->memory + n * stride);
  uint32_t *id = (uint32_t *)(cost + n), *size = id + n;
  for (uint32_t k = 0; k < n && !pool->is_cut; k++) {
    uint64_t *cover = pool->memory + k * stride;
    if (k % IRL_SELECT_CLOCK == IRL_SELECT_CLOCK - 1) pool->is_cut = irl_limit_poll(limit);
    for (int class = 0; class < 2; cover += pool->covers[class ++].n_words)
      pool->kernels->gather_many(cover, stride, pool->covers[class].n_words, matrices[class]->words,
                                 matrices[class]->stride, &entries[k].id, 1, mask[class],
                                 matrices[class]->stride);
    cost[k] = entries[k].cost;
    id[k] = entries[k].id;
    size[k] = entries[k].size;
  }
  pool->covers[0].words = pool->memory;
  pool->covers[1].words = pool->memory + pool->covers[0].n_words;
  pool->covers[0].stride = pool->covers[1].stride = stride;
  pool->cost = cost;
  pool->id = id;
  pool->size = size;
  pool->n = n;
  irl_mem_free_aligned(&env->allocator, mask[0]);
  return IRL_STATUS_OK;
}

/* Drops what the search need not see. */
static irl_status prepare(irl_env *env, irl_select_pool *pool, const irl_limit *limit) {
  const irl_select_problem *problem = pool->problem;
  const irl_bits_matrix *cases = problem->cases, *controls = problem->controls;
  entry *entries = irl_mem_alloc(&env->allocator, cases->n_vectors + 1, sizeof *entries);
  uint32_t n = 0, kept = 0;
  if (!entries) return irl_fail_memory(env);
  for (uint32_t k = 0; k < cases->n_vectors; k++) { /* clauses that may be chosen at all */
    entry *e = &entries[n];
    *e = (entry){.id = k,
                 .size = problem->sizes ? problem->sizes[k] : 1,
                 .cost = problem->costs ? problem->costs[k] : 0};
    e->cost += problem->clause_cost + problem->literal_cost * e->size;
    e->cases = (uint32_t)pool->kernels->count(irl_bits_vector(cases, k), cases->stride);
    e->controls = (uint32_t)pool->kernels->count(irl_bits_vector(controls, k), controls->stride);
    if (problem->is_hamming) e->cost += problem->control_weight * (int64_t)e->controls;
    n += e->cases > 0 && e->controls <= problem->max_controls &&
         e->size <= irl_select_literal_budget(problem, 0, 0);
  }
  qsort(entries, n, sizeof *entries, compare_entries);
  irl_status status = drop_dominated(env, pool, entries, n, limit);
  for (uint32_t k = 0; k < n; k++)
    if (!entries[k].is_dropped) entries[kept++] = entries[k];
  if (!status) status = copy_covers(env, pool, entries, kept, limit);
  irl_mem_free(&env->allocator, entries);
  pool->work = (uint64_t)n * (cases->stride + controls->stride);
  return status;
}

/* The pool as it stands, for merged samples. */
static void borrow(irl_select_pool *pool) {
  const irl_select_problem *problem = pool->problem;
  assert(problem->cases->n_bits == problem->merged->data->n_cases &&
         problem->controls->n_bits == problem->merged->data->n_controls);
  assert(problem->sizes && !problem->costs && !problem->clause_cost && !problem->literal_cost);
  assert(!problem->is_hamming && !problem->min_cases &&
         problem->max_controls >= problem->controls->n_bits);
  for (int class = 0; class < 2; class ++) {
    const irl_bits_matrix *m = class ? problem->controls : problem->cases;
    pool->covers[class] = (irl_select_covers){m->words, m->stride, m->stride, (uint32_t)m->n_bits};
  }
  pool->n = (uint32_t)problem->cases->n_vectors;
  pool->size = problem->sizes;
}

irl_status irl_select_pool_init(irl_env *env, irl_select_pool *pool,
                                const irl_select_problem *problem, const irl_limit *limit) {
  irl_status status = IRL_STATUS_OK;
  *pool = (irl_select_pool){.allocator = env->allocator,
                            .kernels = problem->kernels ? problem->kernels : irl_bits_kernels()};
  irl_select_pool_aim(pool, problem);
  if (problem->merged)
    borrow(pool);
  else
    status = prepare(env, pool, limit);
  if (status) {
    irl_select_pool_free(pool);
    return status;
  }
  irl_select_pool_aim(pool, problem);
  assert(pool->is_cut || irl_select_pool_check(pool));
  return IRL_STATUS_OK;
}

void irl_select_pool_aim(irl_select_pool *pool, const irl_select_problem *problem) {
  const irl_select_covers *covers = pool->covers;
  const irl_merged *merged = problem->merged;
  pool->problem = problem;
  pool->weight[0] = problem->case_weight;
  pool->weight[1] = problem->is_hamming ? 0 : problem->control_weight;
  pool->counts_controls =
      merged || pool->weight[1] || problem->max_controls < problem->controls->n_bits;
  pool->n_words = covers[0].n_words + covers[1].n_words;
  pool->total = merged ? irl_merged_total(merged) : pool->weight[0] * covers[0].n_samples;
  pool->lost =
      merged ? 0 : pool->weight[0] * (int64_t)(problem->cases->n_bits - covers[0].n_samples);
  pool->max_controls =
      problem->max_controls < covers[1].n_samples ? problem->max_controls : covers[1].n_samples;
  pool->min_cases = problem->min_cases;
}

void irl_select_pool_free(irl_select_pool *pool) {
  irl_mem_free_aligned(&pool->allocator, pool->memory);
  *pool = (irl_select_pool){.allocator = pool->allocator};
}

#ifndef NDEBUG
bool irl_select_pool_check(const irl_select_pool *pool) {
  const irl_select_problem *problem = pool->problem;
  entry last = {0};
  for (uint32_t k = 0; k < pool->n; k++) {
    entry e = {
        .id = irl_select_id(pool, k), .size = pool->size[k], .cost = irl_select_cost(pool, k)};
    uint64_t counts[2];
    for (int class = 0; class < 2; class ++) {
      const irl_bits_matrix *from = class ? problem->controls : problem->cases;
      const irl_select_covers *covers = &pool->covers[class];
      const uint64_t *cover = irl_select_cover(pool, class, k);
      counts[class] = pool->kernels->count(cover, covers->n_words);
      const irl_bits_matrix view = {.words = (uint64_t *)(uintptr_t)cover,
                                    .n_vectors = 1,
                                    .n_bits = covers->n_samples,
                                    .stride = covers->n_words};
      if (counts[class] != pool->kernels->count(irl_bits_vector(from, e.id), from->stride) ||
          !irl_bits_tails_are_zero(&view))
        return false;
    }
    if (!pool->memory) continue;
    e.cases = (uint32_t)counts[0];
    e.controls = (uint32_t)counts[1];
    if (!e.cases || e.cost < 0 || (k && compare_entries(&last, &e) > 0)) return false;
    last = e;
  }
  return true;
}
#endif

/* ---- vectors over the samples ---- */

void irl_select_fill(const irl_select_pool *pool, uint64_t *live) {
  const irl_select_covers *cases = &pool->covers[0], *controls = &pool->covers[1];
  irl_bits_fill(live, cases->n_samples, cases->n_words);
  irl_bits_fill(live + cases->n_words, controls->n_samples, controls->n_words);
}

void irl_select_uncover(const irl_select_pool *pool, uint64_t *live, const uint64_t *from,
                        uint32_t k) {
  const size_t n_cases = pool->covers[0].n_words, n_controls = pool->covers[1].n_words;
  pool->kernels->andnot_into(live, from, irl_select_cover(pool, 0, k), n_cases);
  pool->kernels->andnot_into(live + n_cases, from + n_cases, irl_select_cover(pool, 1, k),
                             n_controls);
}

int64_t irl_select_weigh_vector(const irl_select_pool *pool, int class, const uint64_t *vector) {
  if (pool->problem->merged) return irl_merged_weigh(pool->problem->merged, class, vector);
  const uint64_t n = pool->kernels->count(vector, pool->covers[class].n_words);
  return pool->weight[class] * (int64_t)n;
}
