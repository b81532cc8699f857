/* Nodes of the search: their memory, the columns of their candidates, weights of columns.
 *
 * A node has a column for each candidate with a bit for each sample that the choice so far leaves
 * and some candidate covers, without gaps: deep in the search that is a word or two. Candidates are
 * first listed as columns of the parent (select_bnb.c) and get columns of their own once bounds
 * have dropped most of them. */
#include "base/memory.h"
#include "base/threads.h"
#include "select/select_search.h"

#define CHUNK         256u  /* columns that are weighed while they are in cache */
#define WORTH_THREADS 8192u /* columns at the root */
#define COLUMN_WORK   2u    /* words that it takes to come to a column and to keep its sum */

/* ---- memory ---- */

static size_t words_of(size_t n_samples) {
  return (n_samples + 63) / 64;
}

bool irl_select_worker_init(irl_select_worker *w, const irl_select_pool *pool,
                            const irl_limit *limit) {
  const irl_allocator *allocator = &pool->allocator;
  const size_t K = pool->problem->K, n = pool->n + 1;
  const size_t words = words_of(pool->covers[0].n_samples) + words_of(pool->covers[1].n_samples);
  const size_t planes = (pool->n_value_planes + pool->n_planes[0] + pool->n_planes[1]) * words;
  const size_t n_cases = pool->covers[0].n_samples, closers = IRL_SELECT_CLOSERS * planes;
  const size_t n_words = pool->n_words + 3 * (IRL_SELECT_BUCKETS + 1) + words + planes + 4 * n +
                         words_of(32 * n_cases) + words_of(16 * n_cases) + closers;
  *w = (irl_select_worker){.pool = pool, .limit = limit, .threads = 1};
  w->nodes = irl_mem_alloc(allocator, K + 1, sizeof *w->nodes);
  w->memory = irl_mem_alloc_aligned(allocator, n_words, sizeof *w->memory);
  if (!w->nodes || !w->memory) {
    irl_select_worker_free(w);
    return false;
  }
  uint64_t *at = w->memory + pool->n_words; /* the first are scratch for whole vectors */
  w->any = at, at += IRL_SELECT_BUCKETS + 1;
  w->keep = at, at += IRL_SELECT_BUCKETS + 1;
  w->first = at, at += IRL_SELECT_BUCKETS + 1;
  w->live = at, at += words;
  w->scratch = at, at += planes;
  w->sums = (int64_t *)at, at += n;
  w->more_sums = (int64_t *)at, at += n;
  w->moved = at, at += n;
  w->ids = (uint32_t *)at, w->order = w->ids + n, at += n;
  w->counts = (uint32_t *)at, at += words_of(32 * n_cases);
  w->root_hint = (uint16_t *)at, at += words_of(16 * n_cases);
  w->root_closers = at, at += closers;
  assert(at == w->memory + n_words);
  return true;
}

void irl_select_node_free(const irl_select_pool *pool, irl_select_node *node) {
  irl_mem_free_aligned(&pool->allocator, node->list_memory);
  irl_mem_free_aligned(&pool->allocator, node->sample_memory);
  irl_mem_free_aligned(&pool->allocator, node->columns);
  *node = (irl_select_node){0};
}

void irl_select_worker_free(irl_select_worker *w) {
  if (!w->pool) return;
  const irl_allocator *allocator = &w->pool->allocator;
  /* The first node is that of a root, which is not the worker's. */
  for (uint32_t i = 1; w->nodes && i <= w->pool->problem->K; i++)
    irl_select_node_free(w->pool, &w->nodes[i]);
  irl_mem_free(allocator, w->nodes);
  irl_mem_free_aligned(allocator, w->memory);
  irl_mem_free_aligned(allocator, w->spare);
  *w = (irl_select_worker){0};
}

bool irl_select_reserve(irl_select_worker *w, irl_select_node *node, size_t n) {
  const irl_allocator *allocator = &w->pool->allocator;
  if (n > node->capacity) {
    const size_t capacity = n + n / 4 + 64;
    irl_mem_free_aligned(allocator, node->list_memory);
    node->capacity = 0;
    node->list_memory = irl_mem_alloc_aligned(allocator, 5 * capacity, sizeof(uint64_t));
    if (!node->list_memory) return !(w->ending = IRL_ENDED_BY_MEMORY);
    node->capacity = capacity;
    node->mask = node->list_memory;
    node->cases = (int64_t *)(node->mask + capacity);
    node->controls = node->cases + capacity;
    node->value = node->controls + capacity;
    node->clause = (uint32_t *)(node->value + capacity);
    node->column = node->clause + capacity;
  }
  return true;
}

/* Room for samples and what belongs to each of them. */
static bool reserve_samples(irl_select_worker *w, irl_select_node *node) {
  const irl_select_pool *pool = w->pool;
  const size_t n = node->n_samples[0], both = n + node->n_samples[1];
  const size_t planes = pool->n_planes[0] * node->words[0] + pool->n_planes[1] * node->words[1] +
                        (1 + IRL_SELECT_CLOSERS) * pool->n_value_planes * node->words[0];
  const size_t needed = planes + words_of(32 * both) + 2 * words_of(16 * n) + words_of(8 * n);
  if (needed > node->sample_capacity || !node->sample_memory) {
    irl_mem_free_aligned(&pool->allocator, node->sample_memory);
    node->sample_capacity = 0;
    node->sample_memory =
        irl_mem_alloc_aligned(&pool->allocator, needed + needed / 4, sizeof(uint64_t));
    if (!node->sample_memory) return !(w->ending = IRL_ENDED_BY_MEMORY);
    node->sample_capacity = needed + needed / 4;
  }
  uint64_t *at = node->sample_memory;
  node->weights[0] = at, at += pool->n_planes[0] * node->words[0];
  node->weights[1] = at, at += pool->n_planes[1] * node->words[1];
  node->planes = at, at += pool->n_value_planes * node->words[0];
  node->closers = at, at += IRL_SELECT_CLOSERS * pool->n_value_planes * node->words[0];
  node->sample[0] = (uint32_t *)at, node->sample[1] = node->sample[0] + n;
  at += words_of(32 * both);
  node->fine = (uint16_t *)at, at += words_of(16 * n);
  node->hint = (uint16_t *)at, at += words_of(16 * n);
  node->parts = (uint8_t *)at, at += words_of(8 * n);
  assert(at <= node->sample_memory + node->sample_capacity);
  node->n_closers = 0;
  return true;
}

/* Room for the columns of all candidates. */
static bool reserve_columns(irl_select_worker *w, irl_select_node *node) {
  const size_t needed = (size_t)node->n * node->stride;
  if (needed <= node->column_capacity && node->columns) return true;
  irl_mem_free_aligned(&w->pool->allocator, node->columns);
  node->column_capacity = 0;
  node->columns =
      irl_mem_alloc_aligned(&w->pool->allocator, needed + needed / 4 + 8, sizeof(uint64_t));
  if (!node->columns) return !(w->ending = IRL_ENDED_BY_MEMORY);
  node->column_capacity = needed + needed / 4 + 8;
  return true;
}

/* ---- weights ---- */

void irl_select_weigh_columns(irl_select_worker *w, const irl_select_node *node, int class,
                              const uint64_t *planes, uint32_t n_planes, const uint32_t *ids,
                              uint32_t n, int64_t *sums) {
  const irl_kernels *kernels = w->pool->kernels;
  const size_t words = node->words[class], stride = node->stride;
  const uint64_t *columns = node->columns + (class ? node->words[0] : 0);
  assert(n_planes && words + (class ? node->words[0] : 0) <= stride);
  w->work += (uint64_t)n * (words * n_planes + COLUMN_WORK);
  if (w->threads == 1 || n < WORTH_THREADS) {
    kernels->and_weigh_many(planes, n_planes, columns, stride, ids, n, words, sums);
    return;
  }
  const uint32_t n_chunks = (n + CHUNK - 1) / CHUNK;
#pragma omp parallel for num_threads(irl_threads_here(w->threads)) schedule(static)
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    const uint32_t first = chunk * CHUNK, rest = n - first, size = rest < CHUNK ? rest : CHUNK;
    kernels->and_weigh_many(planes, n_planes, ids ? columns : columns + first * stride, stride,
                            ids ? ids + first : NULL, size, words, sums + first);
  }
}

/* The weights of a node's samples as bit planes. */
static void set_weights(const irl_select_worker *w, irl_select_node *node) {
  for (int class = 0; class < 2; class ++) {
    const int64_t *weights = w->pool->sample_weights[class];
    const int64_t divisor = w->pool->divisor[class];
    const size_t words = node->words[class];
    const uint32_t n = node->n_samples[class];
    uint64_t *planes = node->weights[class];
    if (words) memset(planes, 0, w->pool->n_planes[class] * words * sizeof *planes);
    if (!weights) irl_bits_fill(planes, n, words);
    for (uint32_t i = 0; i < n && weights; i++) {
      const int64_t weight = weights[node->sample[class][i]] / divisor;
      for (uint32_t t = 0; t < w->pool->n_planes[class]; t++)
        if (weight >> t & 1) irl_bits_set(planes + t * words, i);
      assert(weight > 0 && !(weight >> w->pool->n_planes[class]));
    }
  }
}

/* ---- columns ---- */

/* The samples of `live` in the numbers that the node's samples are taken from, NULL: the same. */
static void set_samples(irl_select_node *node, int class, const uint64_t *live, size_t n_words,
                        const uint32_t *numbers) {
  uint32_t n = 0;
  for (size_t word = 0; word < n_words; word++)
    for (uint64_t left = live[word]; left; left &= left - 1) {
      const uint32_t i = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(left);
      node->sample[class][n++] = numbers ? numbers[i] : i;
    }
  assert(n == node->n_samples[class]);
}

/* Sizes of columns over so many samples of each class. */
static void set_words(irl_select_node *node, const uint64_t *live, const size_t n_words[2]) {
  for (int class = 0; class < 2; class ++) {
    uint32_t n = 0;
    for (size_t i = 0; i < n_words[class]; i++)
      n += (uint32_t)__builtin_popcountll(live[(class ? n_words[0] : 0) + i]);
    node->n_samples[class] = n;
    node->words[class] = words_of(n);
    assert(64 * node->words[class] >= n);
  }
  node->stride = node->words[0] + node->words[1];
}

/* The columns of the root over the live samples of a class. */
static void gather_root(const irl_select_worker *w, irl_select_node *root, int class,
                        const uint64_t *live, size_t n_words) {
  const irl_select_covers *covers = &w->pool->covers[class];
  const irl_kernels *kernels = w->pool->kernels;
  uint64_t *columns = root->columns + (class ? root->words[0] : 0);
  assert(root->n == w->pool->n && root->n <= root->capacity);
#pragma omp parallel for num_threads(irl_threads_here(root->n < WORTH_THREADS ? 1 : w->threads))   \
    schedule(static)
  for (uint32_t first = 0; first < root->n; first += CHUNK) {
    const uint32_t rest = root->n - first;
    kernels->gather_many(columns + first * root->stride, root->stride, root->words[class],
                         covers->words + first * covers->stride, covers->stride, NULL,
                         rest < CHUNK ? rest : CHUNK, live, n_words);
  }
}

void irl_select_make_root(irl_select_worker *w, irl_select_node *root) {
  const irl_select_pool *pool = w->pool;
  const irl_kernels *kernels = pool->kernels;
  const size_t n_words[2] = {pool->covers[0].n_words,
                             pool->counts_controls ? pool->covers[1].n_words : 0};
  uint64_t *live = w->memory; /* aligned */
  root->left = pool->problem->K;
  root->loss = pool->all;
  root->n = pool->n;
  memset(live, 0, pool->n_words * sizeof *live);
  for (uint32_t k = 0; k < pool->n; k++) {
    kernels->or_into(live, live, irl_select_cover(pool, 0, k), n_words[0]);
    if (n_words[1])
      kernels->or_into(live + n_words[0], live + n_words[0], irl_select_cover(pool, 1, k),
                       n_words[1]);
  }
  set_words(root, live, n_words);
  if (!irl_select_reserve(w, root, root->n) || !reserve_samples(w, root) ||
      !reserve_columns(w, root))
    return;
  for (int class = 0; class < 2; class ++) {
    const uint64_t *from = live + (class ? n_words[0] : 0);
    set_samples(root, class, from, n_words[class], NULL);
    if (root->words[class]) gather_root(w, root, class, from, n_words[class]);
  }
  set_weights(w, root);
  for (uint32_t k = 0; k < root->n; k++) root->clause[k] = root->column[k] = k;
  irl_select_weigh_columns(w, root, 0, root->weights[0], pool->n_planes[0], NULL, root->n,
                           root->cases);
  irl_select_weigh_columns(w, root, 1, root->weights[1], pool->n_planes[1], NULL, root->n,
                           root->controls);
  for (uint32_t i = 0; i < root->n_samples[0]; i++)
    root->fine[i] = root->hint[i] = IRL_SELECT_PARTS * IRL_SELECT_FINE;
  w->work += (uint64_t)root->n * (pool->n_words + root->stride);
}

void irl_select_pack(irl_select_worker *w, irl_select_node *node, const irl_select_node *from,
                     const uint64_t *live) {
  const irl_kernels *kernels = w->pool->kernels;
  uint64_t *used = w->scratch;
  assert(node != from && node->n <= from->n);
  memset(used, 0, from->stride * sizeof *used);
  for (uint32_t i = 0; i < node->n; i++) {
    const uint64_t *column = from->columns + node->column[i] * from->stride;
    for (size_t word = 0; word < from->stride; word++) used[word] |= column[word];
  }
  for (size_t word = 0; word < from->stride; word++) used[word] &= live[word];
  set_words(node, used, from->words);
  if (!reserve_samples(w, node) || !reserve_columns(w, node)) return;
  for (int class = 0; class < 2; class ++) {
    const size_t offset = class ? from->words[0] : 0;
    set_samples(node, class, used + offset, from->words[class], from->sample[class]);
    if (node->words[class])
      kernels->gather_many(node->columns + (class ? node->words[0] : 0), node->stride,
                           node->words[class], from->columns + offset, from->stride, node->column,
                           node->n, used + offset, from->words[class]);
  }
  uint32_t n = 0; /* multipliers to begin with */
  for (size_t word = 0; word < from->words[0]; word++)
    for (uint64_t left = used[word]; left; left &= left - 1)
      node->fine[n++] = from->hint[64 * word + (size_t)__builtin_ctzll(left)];
  if (n) memcpy(node->hint, node->fine, n * sizeof *node->hint);
  assert(n == node->n_samples[0]);
  for (uint32_t i = 0; i < node->n; i++) node->column[i] = i;
  w->work += 2 * (uint64_t)node->n * from->stride;
  set_weights(w, node);
}

void irl_select_copy(irl_select_worker *w, irl_select_node *node, const irl_select_node *from) {
  const irl_select_node memory = *node;
  *node = *from;
  node->n = 0;
  node->capacity = memory.capacity, node->list_memory = memory.list_memory;
  node->mask = memory.mask, node->cases = memory.cases, node->controls = memory.controls;
  node->value = memory.value, node->clause = memory.clause, node->column = memory.column;
  node->column_capacity = memory.column_capacity, node->columns = memory.columns;
  node->sample_capacity = memory.sample_capacity, node->sample_memory = memory.sample_memory;
  if (!irl_select_reserve(w, node, from->n)) return;
  for (uint32_t i = 0; i < from->n; i++) {
    if (!from->mask[i]) continue;
    node->mask[node->n] = from->mask[i];
    node->cases[node->n] = from->cases[i];
    node->controls[node->n] = from->controls[i];
    node->clause[node->n] = from->clause[i];
    node->column[node->n++] = from->column[i];
  }
  memset(w->live, 0xff, from->stride * sizeof *w->live);
  irl_select_pack(w, node, from, w->live);
}

/* ---- order ---- */

#define DIGIT_BITS 11u
#define FEW        24u

/* order = the candidates by falling value, then as they stand. */
static void find_order(irl_select_worker *w, const irl_select_node *node) {
  const uint32_t n = node->n;
  uint32_t *order = w->order, *other = w->ids, counts[1u << DIGIT_BITS];
  int64_t most = INT64_MIN, least = INT64_MAX;
  for (uint32_t i = 0; i < n; i++) {
    order[i] = i;
    if (node->value[i] > most) most = node->value[i];
    if (node->value[i] < least) least = node->value[i];
  }
  if (n <= FEW) {
    for (uint32_t i = 1; i < n; i++) {
      const uint32_t x = order[i];
      uint32_t at = i;
      for (; at && node->value[order[at - 1]] < node->value[x]; at--) order[at] = order[at - 1];
      order[at] = x;
    }
    return;
  }
  for (unsigned shift = 0; shift < 64 && (uint64_t)(most - least) >> shift; shift += DIGIT_BITS) {
    memset(counts, 0, sizeof counts);
    const uint64_t digit = ((uint64_t)1 << DIGIT_BITS) - 1;
    for (uint32_t i = 0; i < n; i++) counts[(uint64_t)(most - node->value[i]) >> shift & digit]++;
    for (uint32_t i = 0, sum = 0; i <= digit; i++) {
      const uint32_t count = counts[i];
      counts[i] = sum;
      sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
      other[counts[(uint64_t)(most - node->value[order[i]]) >> shift & digit]++] = order[i];
    uint32_t *swap = order;
    order = other;
    other = swap;
  }
  if (order != w->order) memcpy(w->order, order, n * sizeof *order);
}

static void permute(irl_select_worker *w, void *array, uint32_t n) {
  uint64_t *words = array;
  for (uint32_t i = 0; i < n; i++) w->moved[i] = words[w->order[i]];
  memcpy(words, w->moved, n * sizeof *words);
}

static void permute_numbers(irl_select_worker *w, uint32_t *numbers, uint32_t n) {
  uint32_t *moved = (uint32_t *)w->moved;
  for (uint32_t i = 0; i < n; i++) moved[i] = numbers[w->order[i]];
  memcpy(numbers, moved, n * sizeof *numbers);
}

/* Columns in the order of the candidates: into the spare block, which replaces the old. */
static void move_columns(irl_select_worker *w, irl_select_node *node) {
  const size_t bytes = node->stride * sizeof(uint64_t), needed = (size_t)node->n * node->stride;
  if (needed > w->spare_capacity) {
    irl_mem_free_aligned(&w->pool->allocator, w->spare);
    w->spare_capacity = 0;
    w->spare = irl_mem_alloc_aligned(&w->pool->allocator, needed + needed / 4, sizeof *w->spare);
    if (!w->spare) {
      w->ending = IRL_ENDED_BY_MEMORY;
      return;
    }
    w->spare_capacity = needed + needed / 4;
  }
  for (uint32_t i = 0; i < node->n; i++) {
    memcpy(w->spare + i * node->stride, node->columns + node->column[i] * node->stride, bytes);
    node->column[i] = i;
  }
  uint64_t *columns = node->columns;
  const size_t capacity = node->column_capacity;
  node->columns = w->spare, node->column_capacity = w->spare_capacity;
  w->spare = columns, w->spare_capacity = capacity;
  w->work += (uint64_t)node->n * node->stride;
}

void irl_select_sort_by_value(irl_select_worker *w, irl_select_node *node) {
  find_order(w, node);
  permute(w, node->mask, node->n);
  permute(w, node->cases, node->n);
  permute(w, node->controls, node->n);
  permute(w, node->value, node->n);
  permute_numbers(w, node->clause, node->n);
  permute_numbers(w, node->column, node->n);
  if (node->left > 2 && node->n) move_columns(w, node);
}

#ifndef NDEBUG
bool irl_select_node_check(const irl_select_worker *w, uint32_t depth) {
  const irl_select_pool *pool = w->pool;
  const irl_select_node *node = &w->nodes[depth];
  int64_t costs = 0, weights[2] = {0, 0};
  uint64_t literals = 0;
  if (w->path.n != depth || node->left != pool->problem->K - depth) return false;
  for (uint32_t i = 0; i < depth; i++) {
    costs += irl_select_cost(pool, w->path.k[i]);
    literals += pool->size[w->path.k[i]];
  }
  for (int class = 0; class < 2; class ++) {
    uint64_t *covered = w->memory;
    memset(covered, 0, pool->covers[class].n_words * sizeof *covered);
    for (uint32_t i = 0; i < depth; i++)
      pool->kernels->or_into(covered, covered, irl_select_cover(pool, class, w->path.k[i]),
                             pool->covers[class].n_words);
    if (class && !pool->counts_controls) continue;
    for (uint32_t i = 0; i < pool->covers[class].n_samples; i++)
      if (irl_bits_get(covered, i))
        weights[class] +=
            pool->sample_weights[class] ? pool->sample_weights[class][i] / pool->divisor[class] : 1;
  }
  return node->covered == weights[0] && node->paid == weights[1] && node->costs == costs &&
         node->literals == literals &&
         node->loss == pool->all - pool->unit[0] * weights[0] + pool->unit[1] * weights[1] + costs;
}
#endif
