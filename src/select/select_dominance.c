/* Dominance between the clauses of a pool.
 *
 * Clause k is dominated by j if j covers all of k's cases, only controls that k covers (where they
 * are not just a part of the cost), and is neither longer nor dearer where that counts: any choice
 * with k may take j instead. Of equal ones the first stays. Dominance is transitive and dominators
 * stand earlier, so a clause may be found dominated by one that is itself dropped, and every clause
 * is looked at by itself, in any order.
 *
 * What dominates k covers k's rarest case. So clauses are grouped by their rarest case; the earlier
 * clauses that cover it come from the transposed covers, and are kept in classes by their number of
 * controls, of which only those up to k's own class count. A pair is compared by two signatures of
 * 64 samples first, those of the cases and of the controls that most clauses cover, which decides
 * nearly all of them.
 *
 * Pairs are many where clauses are: a group takes as many as it has members times clauses that
 * cover its case. The groups of the rarest cases come first, which take least for each member, and
 * those that go beyond a share of the work limit are left out, with all their members kept. */
#include "select/select_dominance.h"
#include "base/memory.h"
#include "base/threads.h"
#include <stdlib.h>

#define N_CLASSES 32u
#define MAX_BYTES ((size_t)1 << 29) /* of the transposed covers: beyond that nothing is dropped */
#define SIGNATURE 64u               /* samples in a signature */
#define SHARE     4u                /* of the work limit: one part in so many */
#define PAIRS     4u                /* compared in the time of a word of work */
#define CHUNK     4096u             /* clauses whose signatures are made at once */

int irl_select_compare_entries(const void *x, const void *y) {
  const irl_select_entry *a = x, *b = y;
  if (a->cases != b->cases) return a->cases > b->cases ? -1 : 1;
  if (a->controls != b->controls) return a->controls < b->controls ? -1 : 1;
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  return (a->id > b->id) - (a->id < b->id);
}

typedef struct ranked {
  uint32_t sample, count;
} ranked;

static int most_first(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->count != b->count) return a->count > b->count ? -1 : 1;
  return (a->sample > b->sample) - (a->sample < b->sample);
}

static int fewest_first(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  return a->count == b->count ? most_first(x, y) : most_first(y, x);
}

/* What all threads read. */
typedef struct dominance {
  const irl_select_pool *pool;
  bool counts_controls, counts_sizes;
  irl_select_entry *entries;
  uint32_t n;
  irl_bits_matrix rows; /* a vector per case, a bit per clause */
  uint32_t *frequency;  /* clauses that cover each case */
  uint32_t *members;    /* clauses by their rarest case, */
  uint32_t *first;      /* from where on those of each case */
  ranked *order;        /* the cases by that number, the rarest first, */
  uint32_t n_groups;    /* and for how many of them there is work */
  uint64_t *signature[2];
  uint32_t *class_of; /* of a number of controls */
} dominance;

/* What a thread writes: the clauses that cover a case, by class. */
typedef struct group {
  uint32_t *clauses;
  uint64_t *signature[2];
  uint32_t start[N_CLASSES + 1];
} group;

static const uint64_t *cover_of(const dominance *d, int class, uint32_t k) {
  const irl_bits_matrix *m =
      class ? &d->pool->task->clauses->controls : &d->pool->task->clauses->cases;
  return irl_bits_vector(m, d->entries[k].id);
}

/* Is clause k made superfluous by the earlier clause j? */
static bool dominates(const dominance *d, uint32_t j, uint32_t k) {
  const irl_select_entry *a = &d->entries[j], *b = &d->entries[k];
  const irl_clause_set *clauses = d->pool->task->clauses;
  assert(j < k && a->cases >= b->cases);
  if ((d->counts_sizes && a->size > b->size) || a->cost > b->cost) return false;
  if (!irl_bits_is_subset(cover_of(d, 0, k), cover_of(d, 0, j), clauses->cases.stride))
    return false;
  return !d->counts_controls ||
         (a->controls <= b->controls &&
          irl_bits_is_subset(cover_of(d, 1, j), cover_of(d, 1, k), clauses->controls.stride));
}

/* The clauses before `end` that cover a case, by class, each class in their order. */
static void fill_group(const dominance *d, group *g, uint32_t sample, uint32_t end) {
  const uint64_t *row = irl_bits_vector(&d->rows, sample);
  assert(end && end <= d->n && irl_bits_get(row, end - 1)); /* its last member covers the case */
  uint32_t at[N_CLASSES] = {0};
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t word = 0; word <= (end - 1) / 64; word++)
      for (uint64_t left = row[word]; left; left &= left - 1) {
        const uint32_t j = 64 * word + (uint32_t)__builtin_ctzll(left);
        const uint32_t class = d->class_of[d->entries[j].controls];
        if (j >= end) break;
        if (pass) {
          g->clauses[at[class]] = j;
          g->signature[0][at[class]] = d->signature[0][j];
          g->signature[1][at[class]] = d->signature[1][j];
        }
        at[class]++;
      }
    for (uint32_t c = 0, sum = 0; c < N_CLASSES && !pass; c++) {
      g->start[c] = sum;
      sum += at[c];
      at[c] = g->start[c];
      g->start[c + 1] = sum;
    }
  }
}

static bool find_dominator(const dominance *d, const group *g, uint32_t k, uint64_t *work) {
  const uint64_t cases = d->signature[0][k], others = ~d->signature[1][k];
  assert(k < d->n && g->start[N_CLASSES] <= d->n);
  const uint32_t last = d->class_of[d->entries[k].controls];
  for (uint32_t c = 0; c <= last; c++) {
    const uint32_t end = g->start[c + 1];
    for (uint32_t i = g->start[c]; i < end && g->clauses[i] < k; i++) {
      if ((cases & ~g->signature[0][i]) | (others & g->signature[1][i])) continue;
      if (dominates(d, g->clauses[i], k)) return true;
      *work += 2;
    }
    *work += (end - g->start[c]) / PAIRS;
  }
  return false;
}

/* All clauses whose rarest case is `sample`. */
static void search_group(const dominance *d, group *g, uint32_t sample, const irl_limit *limit,
                         uint64_t *work) {
  const uint32_t begin = d->first[sample], end = d->first[sample + 1];
  assert(begin <= end && end <= d->n);
  if (begin == end) return;
  fill_group(d, g, sample, d->members[end - 1] + 1);
  *work += g->start[N_CLASSES] + d->rows.stride;
  for (uint32_t i = begin; i < end; i++) {
    if (i % 256 == 255 && irl_limit_poll(limit)) return;
    d->entries[d->members[i]].is_dropped = find_dominator(d, g, d->members[i], work);
  }
}

/* ---- preparing ---- */

/* The rarest case of each clause, and the clauses of each rarest case. */
static void set_members(dominance *d, uint32_t *rarest) {
  const size_t words = d->pool->task->clauses->cases.stride;
  const uint32_t n_cases = (uint32_t)d->pool->task->clauses->cases.n_bits;
#pragma omp parallel for num_threads(                                                              \
    irl_threads_for(d->pool->task->threads, d->n, 16.0 * (double)words)) schedule(static)
  for (uint32_t k = 0; k < d->n; k++) {
    const uint64_t *cover = cover_of(d, 0, k);
    uint32_t best = UINT32_MAX;
    for (size_t word = 0; word < words; word++)
      for (uint64_t left = cover[word]; left; left &= left - 1) {
        const uint32_t i = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(left);
        if (best == UINT32_MAX || d->frequency[i] < d->frequency[best]) best = i;
      }
    assert(best != UINT32_MAX);
    rarest[k] = best;
  }
  for (uint32_t k = 0; k < d->n; k++) d->first[rarest[k] + 1]++;
  for (uint32_t i = 0; i < n_cases; i++) d->first[i + 1] += d->first[i];
  for (uint32_t k = 0; k < d->n; k++) d->members[d->first[rarest[k]]++] = k;
  for (uint32_t i = n_cases; i; i--) d->first[i] = d->first[i - 1];
  d->first[0] = 0;
  assert(d->first[n_cases] == d->n);
}

/* How many clauses cover each sample: of the cases from the transposed covers; of the controls each
 * thread counts some words of all covers. */
static void count_samples(const dominance *d, int class, ranked *order) {
  const irl_bits_matrix *m =
      class ? &d->pool->task->clauses->controls : &d->pool->task->clauses->cases;
  const uint32_t n_bits = (uint32_t)m->n_bits, n_words = (n_bits + 63) / 64;
  const int parts = irl_threads_for(d->pool->task->threads, n_words, 8.0 * d->n);
  for (uint32_t i = 0; i < n_bits; i++) order[i] = (ranked){i, 0};
#pragma omp parallel for num_threads(irl_threads_here(parts)) schedule(static, 1)
  for (int part = 0; part < parts; part++) {
    const uint32_t begin = n_words * (uint32_t)part / (uint32_t)parts;
    const uint32_t end = n_words * ((uint32_t)part + 1) / (uint32_t)parts;
    for (uint32_t i = 64 * begin; i < 64 * end && i < n_bits && !class; i++)
      order[i].count =
          (uint32_t)d->pool->kernels->count(irl_bits_vector(&d->rows, i), d->rows.stride);
    for (uint32_t k = 0; k < d->n && class; k++)
      for (uint32_t word = begin; word < end; word++)
        for (uint64_t left = cover_of(d, class, k)[word]; left; left &= left - 1)
          order[64 * word + (uint32_t)__builtin_ctzll(left)].count++;
  }
}

/* A bit of each clause for each of the 64 samples that most of them cover. */
static irl_status set_signatures(irl_env *env, dominance *d, int class, const uint32_t *ids) {
  const irl_bits_matrix *m =
      class ? &d->pool->task->clauses->controls : &d->pool->task->clauses->cases;
  ranked *order = irl_mem_alloc(&env->allocator, m->n_bits, sizeof *order);
  uint64_t *mask = irl_mem_alloc_aligned(&env->allocator, m->stride, sizeof *mask);
  const irl_status status = order && mask ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status && m->n_bits) {
    count_samples(d, class, order);
    for (uint32_t i = 0; i < m->n_bits && !class; i++) d->frequency[i] = order[i].count;
    qsort(order, m->n_bits, sizeof *order, most_first);
    for (uint32_t i = 0; i < m->n_bits && i < SIGNATURE; i++) irl_bits_set(mask, order[i].sample);
#pragma omp parallel for num_threads(                                                              \
    irl_threads_for(d->pool->task->threads, d->n, 4.0 * (double)m->stride)) schedule(static)
    for (uint32_t first = 0; first < d->n; first += CHUNK)
      d->pool->kernels->gather_many(d->signature[class] + first, 1, 1, m->words, m->stride,
                                    ids + first, d->n - first < CHUNK ? d->n - first : CHUNK, mask,
                                    m->stride);
  }
  irl_mem_free(&env->allocator, order);
  irl_mem_free_aligned(&env->allocator, mask);
  return status;
}

/* Classes of about as many clauses each, by rising number of controls. */
static void set_classes(dominance *d, uint32_t n_numbers) {
  uint64_t sum = 0;
  for (uint32_t k = 0; k < d->n && d->counts_controls; k++) d->class_of[d->entries[k].controls]++;
  for (uint32_t i = 0; i < n_numbers; i++) {
    const uint32_t count = d->class_of[i];
    const uint64_t class = sum * N_CLASSES / d->n;
    d->class_of[i] = class < N_CLASSES ? (uint32_t) class : N_CLASSES - 1;
    sum += count;
    assert(!i || d->class_of[i] >= d->class_of[i - 1]);
  }
  assert(sum == (d->counts_controls ? d->n : 0));
}

/* The groups for which there is work, by what comparing half of their pairs takes. */
static void set_groups(dominance *d, const irl_limit *limit) {
  const uint32_t n_cases = (uint32_t)d->pool->task->clauses->cases.n_bits;
  const double most = (double)(limit->max_work / SHARE);
  double work = 0;
  for (uint32_t i = 0; i < n_cases; i++) d->order[i] = (ranked){i, d->frequency[i]};
  qsort(d->order, n_cases, sizeof *d->order, fewest_first);
  for (d->n_groups = 0; d->n_groups < n_cases; d->n_groups++) {
    const ranked *next = &d->order[d->n_groups];
    const uint32_t n_members = d->first[next->sample + 1] - d->first[next->sample];
    work += (double)n_members * next->count / 2 / PAIRS;
    if (work > most) break;
  }
}

static irl_status prepare(irl_env *env, dominance *d, const irl_limit *limit) {
  const irl_allocator *allocator = &env->allocator;
  const irl_clause_set *clauses = d->pool->task->clauses;
  const size_t n_cases = clauses->cases.n_bits, n_controls = clauses->controls.n_bits;
  const uint64_t **vectors = irl_mem_alloc(allocator, d->n, sizeof *vectors);
  uint32_t *ids = irl_mem_alloc(allocator, d->n, sizeof *ids);
  d->frequency = irl_mem_alloc(allocator, n_cases + 1, sizeof *d->frequency);
  d->order = irl_mem_alloc(allocator, n_cases + 1, sizeof *d->order);
  d->members = irl_mem_alloc(allocator, d->n, sizeof *d->members);
  d->first = irl_mem_alloc(allocator, n_cases + 1, sizeof *d->first);
  d->signature[0] = irl_mem_alloc(allocator, d->n, sizeof **d->signature);
  d->signature[1] = irl_mem_alloc(allocator, d->n, sizeof **d->signature);
  d->class_of = irl_mem_alloc(allocator, n_controls + 1, sizeof *d->class_of);
  irl_status status = vectors && ids && d->frequency && d->order && d->members && d->first &&
                              d->signature[0] && d->signature[1] && d->class_of
                          ? irl_bits_matrix_init(env, &d->rows, n_cases, d->n)
                          : irl_fail_memory(env);
  for (uint32_t k = 0; k < d->n && !status; k++) {
    vectors[k] = cover_of(d, 0, k);
    ids[k] = d->entries[k].id;
  }
  if (!status) irl_bits_transpose(vectors, d->n, &d->rows, d->pool->task->threads);
  if (!status) status = set_signatures(env, d, 0, ids);
  if (!status && d->counts_controls) status = set_signatures(env, d, 1, ids);
  if (!status) set_members(d, ids);
  if (!status) set_classes(d, (uint32_t)n_controls + 1);
  if (!status) set_groups(d, limit);
  irl_mem_free(allocator, vectors);
  irl_mem_free(allocator, ids);
  return status;
}

static void release(const irl_allocator *allocator, dominance *d) {
  irl_bits_matrix_free(&d->rows);
  irl_mem_free(allocator, d->frequency);
  irl_mem_free(allocator, d->order);
  irl_mem_free(allocator, d->members);
  irl_mem_free(allocator, d->first);
  irl_mem_free(allocator, d->signature[0]);
  irl_mem_free(allocator, d->signature[1]);
  irl_mem_free(allocator, d->class_of);
}

irl_status irl_select_drop_dominated(irl_env *env, irl_select_pool *pool, irl_select_entry *entries,
                                     uint32_t n, const irl_limit *limit) {
  const irl_problem *problem = pool->problem;
  const uint32_t n_cases = (uint32_t)pool->task->clauses->cases.n_bits;
  const irl_allocator *allocator = &env->allocator;
  /* Proofs do not care how long a clause is; all others had rather the shorter of two. */
  dominance d = {.pool = pool,
                 .counts_controls = pool->counts_controls,
                 .counts_sizes = !problem->is_merged || irl_problem_counts_literals(problem),
                 .entries = entries,
                 .n = n};
  bool failed = false;
  uint64_t work = 0;
  if (n < 2 || (double)n / 8 * n_cases > (double)MAX_BYTES) return IRL_STATUS_OK;
  irl_status status = prepare(env, &d, limit);
  if (!status) {
#pragma omp parallel num_threads(irl_threads_for(pool->task->threads, n, 4.0 * n)) reduction(+ : work)
    {
      group g = {.clauses = irl_mem_alloc(allocator, n, sizeof *g.clauses)};
      g.signature[0] = irl_mem_alloc(allocator, n, sizeof **g.signature);
      g.signature[1] = irl_mem_alloc(allocator, n, sizeof **g.signature);
      const bool is_ready = g.clauses && g.signature[0] && g.signature[1];
#pragma omp for schedule(dynamic, 1)
      for (uint32_t i = 0; i < d.n_groups; i++)
        if (is_ready) search_group(&d, &g, d.order[i].sample, limit, &work);
      if (!is_ready) {
#pragma omp atomic write
        failed = true;
      }
      irl_mem_free(allocator, g.clauses);
      irl_mem_free(allocator, g.signature[0]);
      irl_mem_free(allocator, g.signature[1]);
    }
  }
  if (failed) status = irl_fail_memory(env);
  pool->work += work;
  release(allocator, &d);
  return status;
}
