/* Preparing a pool: clauses that may be chosen at all are sorted so that whatever makes one of them
 * superfluous stands before it, dominated ones are dropped, and the covers of the others are put
 * next to each other. */
#include "select/select_pool.h"
#include "base/memory.h"
#include "base/threads.h"
#include "select/select_dominance.h"
#include <stdatomic.h>
#include <stdlib.h>

#define GATHERED_WORDS 4.0 /* words of work that gathering a word takes, about */

irl_select_task irl_select_task_of(const irl_problem *problem, const irl_clause_set *clauses,
                                   int threads) {
  return (irl_select_task){.problem = problem,
                           .clauses = clauses,
                           .to_beat = IRL_NO_LOSS,
                           .proof_share = 1,
                           .threads = threads};
}

/* ---- the prepared pool ---- */

/* Weights belong to the numbers of samples. */
static bool keeps_samples(const irl_select_pool *pool) {
  return pool->problem->is_merged || pool->weights[0]->each || pool->weights[1]->each;
}

/* Covers over the samples that some clause covers, and all else about the clauses, in one block. */
static irl_status copy_covers(irl_env *env, irl_select_pool *pool, const irl_select_entry *entries,
                              uint32_t n, const irl_limit *limit) {
  const irl_clause_set *clauses = pool->task->clauses;
  const irl_bits_matrix *matrices[2] = {&clauses->cases, &clauses->controls};
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
    if (keeps_samples(pool)) {
      covers->n_samples = (uint32_t)matrices[class]->n_bits;
      irl_bits_fill(mask[class], covers->n_samples, matrices[class]->stride);
    }
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
  for (uint32_t k = 0; k < n; k++) {
    cost[k] = entries[k].cost;
    id[k] = entries[k].id;
    size[k] = entries[k].size;
    assert(id[k] < matrices[0]->n_vectors && cost[k] >= 0);
  }
  atomic_bool is_cut;
  atomic_init(&is_cut, false);
#pragma omp parallel for num_threads(                                                              \
    irl_threads_for(pool->task->threads, n, GATHERED_WORDS *(double)stride))
  for (uint32_t first = 0; first < n; first += IRL_SELECT_CLOCK) {
    const uint32_t rest = n - first, part = rest < IRL_SELECT_CLOCK ? rest : IRL_SELECT_CLOCK;
    uint64_t *cover = pool->memory + first * stride;
    if (irl_limit_poll(limit)) atomic_store(&is_cut, true);
    for (int class = 0; class < 2 && !atomic_load(&is_cut); cover += pool->covers[class ++].n_words)
      pool->kernels->gather_many(cover, stride, pool->covers[class].n_words, matrices[class]->words,
                                 matrices[class]->stride, id + first, part, mask[class],
                                 matrices[class]->stride);
  }
  pool->is_cut = pool->is_cut || atomic_load(&is_cut);
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

/* What clause k is by itself, and what its controls weigh. */
static uint64_t make_entry(const irl_select_pool *pool, uint32_t k, irl_select_entry *e) {
  const irl_clause_set *clauses = pool->task->clauses;
  const uint64_t *cases = irl_bits_vector(&clauses->cases, k);
  const uint64_t *controls = irl_bits_vector(&clauses->controls, k);
  const size_t n_words = clauses->controls.stride;
  *e = (irl_select_entry){.id = k, .size = clauses->sizes[k]};
  e->cases = (uint32_t)pool->kernels->count(cases, clauses->cases.stride);
  e->controls = (uint32_t)pool->kernels->count(controls, n_words);
  const uint64_t weight =
      pool->weights[1]->each
          ? (uint64_t)irl_sample_weights_sum(pool->weights[1], controls, controls, n_words)
          : e->controls;
  e->cost = irl_problem_clause_cost(pool->problem, e->size, weight);
  assert(e->cases <= clauses->cases.n_bits && e->controls <= clauses->controls.n_bits);
  assert(e->cost >= 0);
  return weight;
}

/* Drops what the search need not see. */
static irl_status prepare(irl_env *env, irl_select_pool *pool, const irl_limit *limit) {
  const irl_clause_set *clauses = pool->task->clauses;
  const size_t n_words = clauses->cases.stride + clauses->controls.stride;
  const uint64_t most = irl_problem_literal_budget(pool->problem, 0, 0);
  irl_select_entry *entries = irl_mem_alloc(&env->allocator, clauses->n + 1, sizeof *entries);
  uint32_t n = 0, kept = 0;
  if (!entries) return irl_fail_memory(env);
#pragma omp parallel for num_threads(                                                              \
    irl_threads_for(pool->task->threads, (double)clauses->n, (double)n_words)) schedule(static)
  for (uint32_t k = 0; k < clauses->n; k++) { /* not all may be chosen */
    const uint64_t weight = make_entry(pool, k, &entries[k]);
    entries[k].is_dropped = !entries[k].cases || weight > pool->problem->max_controls;
    entries[k].is_dropped |= entries[k].size > most;
  }
  for (uint32_t k = 0; k < clauses->n; k++)
    if (!entries[k].is_dropped) entries[n++] = entries[k];
  qsort(entries, n, sizeof *entries, irl_select_compare_entries);
  irl_status status = pool->task->rules & IRL_SELECT_WITHOUT_DOMINANCE
                          ? IRL_STATUS_OK
                          : irl_select_drop_dominated(env, pool, entries, n, limit);
  for (uint32_t k = 0; k < n; k++)
    if (!entries[k].is_dropped) entries[kept++] = entries[k];
  assert(kept <= n && (kept || !n)); /* the first one is dominated by none */
  if (!status) status = copy_covers(env, pool, entries, kept, limit);
  irl_mem_free(&env->allocator, entries);
  pool->work += (uint64_t)n * n_words;
  return status;
}

irl_status irl_select_pool_init(irl_env *env, irl_select_pool *pool, const irl_select_task *task,
                                const irl_limit *limit) {
  *pool = (irl_select_pool){.allocator = env->allocator, .kernels = irl_bits_kernels()};
  irl_select_pool_aim(pool, task);
  const irl_status status = prepare(env, pool, limit);
  if (status) {
    irl_select_pool_free(pool);
    return status;
  }
  irl_select_pool_aim(pool, task);
  assert(pool->is_cut || irl_select_pool_check(pool));
  return IRL_STATUS_OK;
}

/* How many binary digits a number has. */
static uint32_t digits_of(uint64_t number) {
  uint32_t n = 0;
  while (number >> n) n++;
  return n;
}

/* The weights in units, for the search. */
static void set_units(irl_select_pool *pool) {
  for (int class = 0; class < 2; class ++) {
    const irl_sample_weights *weights = pool->weights[class];
    const int64_t divisor = weights->each && weights->unit ? weights->unit : 1;
    pool->divisor[class] = divisor;
    pool->unit[class] = class ? -irl_problem_gain(pool->problem, 0, divisor)
                              : irl_problem_gain(pool->problem, divisor, 0);
    pool->sample_weights[class] = weights->planes ? weights->each : NULL;
    pool->n_planes[class] = weights->planes ? weights->n_planes : 1;
  }
  const int64_t most = pool->sample_weights[0] ? pool->weights[0]->most / pool->divisor[0] : 1;
  pool->n_value_planes = digits_of(IRL_SELECT_PARTS * (uint64_t)most);
  pool->control_units = (int64_t)pool->max_controls / pool->divisor[1];
  const uint64_t min_cases = pool->problem->min_cases, unit = (uint64_t)pool->divisor[0];
  pool->case_units = (int64_t)(min_cases / unit + (min_cases % unit != 0));
}

void irl_select_pool_aim(irl_select_pool *pool, const irl_select_task *task) {
  const irl_problem *problem = task->problem;
  const uint64_t n1 = irl_problem_total(problem, 0), n0 = irl_problem_total(problem, 1);
  pool->task = task;
  pool->problem = problem;
  for (int class = 0; class < 2; class ++)
    pool->weights[class] = irl_problem_weights(problem, class);
  pool->counts_controls = irl_problem_gain(problem, 0, 1) || problem->max_controls < n0;
  const uint64_t covered = pool->weights[1]->each ? n0 : pool->covers[1].n_samples;
  pool->max_controls = problem->max_controls < covered ? problem->max_controls : covered;
  pool->n_words = pool->covers[0].n_words + pool->covers[1].n_words;
  pool->all = irl_problem_gain(problem, (int64_t)n1, 0);
  pool->lost = keeps_samples(pool)
                   ? 0
                   : irl_problem_gain(problem, (int64_t)n1 - pool->covers[0].n_samples, 0);
  const int64_t most = INT64_MAX / 2 / (pool->weights[0]->total + 1);
  pool->before_all = most < (int64_t)1 << 32 ? most : (int64_t)1 << 32;
  set_units(pool);
}

void irl_select_pool_free(irl_select_pool *pool) {
  irl_mem_free_aligned(&pool->allocator, pool->memory);
  *pool = (irl_select_pool){.allocator = pool->allocator};
}

#ifndef NDEBUG
bool irl_select_pool_check(const irl_select_pool *pool) {
  const irl_clause_set *clauses = pool->task->clauses;
  irl_select_entry last = {0};
  for (uint32_t k = 0; k < pool->n; k++) {
    irl_select_entry e = {
        .id = irl_select_id(pool, k), .size = pool->size[k], .cost = irl_select_cost(pool, k)};
    uint64_t counts[2];
    for (int class = 0; class < 2; class ++) {
      const irl_bits_matrix *from = class ? &clauses->controls : &clauses->cases;
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
    e.cases = (uint32_t)counts[0];
    e.controls = (uint32_t)counts[1];
    if (!e.cases || e.cost < 0 || (k && irl_select_compare_entries(&last, &e) > 0)) return false;
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

/* ---- what clauses add ---- */

/* Words of the planes of what is live. */
static size_t mask_size(const irl_select_pool *pool) {
  const size_t a = pool->weights[0]->n_planes * pool->covers[0].n_words;
  const size_t b = pool->weights[1]->n_planes * pool->covers[1].n_words;
  return a > b ? a : b;
}

size_t irl_select_additions_size(const irl_select_pool *pool) {
  const size_t n = mask_size(pool) + 3 * (size_t)pool->n;
  return (n + IRL_BITS_BLOCK - 1) / IRL_BITS_BLOCK * IRL_BITS_BLOCK;
}

irl_select_additions irl_select_additions_at(const irl_select_pool *pool, uint64_t *memory) {
  int64_t *weights = (int64_t *)(memory + mask_size(pool));
  return (irl_select_additions){.weights = {weights, weights + pool->n},
                                .counts = (uint32_t *)(weights + 2 * (size_t)pool->n),
                                .mask = memory};
}

void irl_select_add_up(const irl_select_pool *pool, const uint64_t *live,
                       irl_select_additions *additions) {
  for (int class = 0; class < 2; class ++) {
    const irl_select_covers *covers = &pool->covers[class];
    const irl_sample_weights *weights = pool->weights[class];
    int64_t *sums = additions->weights[class];
    const size_t n_words = covers->n_words;
    for (unsigned b = 0; b < weights->n_planes; b++)
      for (size_t w = 0; w < n_words; w++)
        additions->mask[b * n_words + w] = live[w] & weights->planes[b * n_words + w];
    if (weights->planes)
      pool->kernels->and_weigh_many(additions->mask, weights->n_planes, covers->words,
                                    covers->stride, NULL, pool->n, n_words, sums);
    else
      pool->kernels->and_count_many(live, covers->words, covers->stride, NULL, pool->n, n_words,
                                    additions->counts);
    for (uint32_t k = 0; k < pool->n && !weights->planes; k++) sums[k] = additions->counts[k];
    for (uint32_t k = 0; k < pool->n && pool->divisor[class] > 1; k++)
      sums[k] *= pool->divisor[class];
    live += n_words;
  }
}
