/* All clauses that cover many cases, for many features and few cases.
 *
 * Where a threshold on the cases is all that prunes, almost every pair of literals passes it and
 * hardly any triple: all triples have to be counted, J^3 / 6 of them. So the first literal a is
 * fixed, the columns are packed to the cases that it covers and turned to rows, a bit per column,
 * in blocks of 512 columns which stay in the first cache. The second literal c then picks the rows
 * of the cases that both cover; a third literal b of a block may miss at most as many of them as
 * are beyond the threshold, and one pass of counters over these rows (bits/row_kernels.h) says for
 * all 512 at once which do. A random b misses half of the rows, so the whole block is struck out
 * before the last row.
 *
 * What is left are the triples that cover enough cases, exactly. The third literals of a and c are
 * also all that a clause with a and c can be longer by: further literals are tried among them,
 * depth first, a column of a few words each. Every set of literals is met once, in the order of the
 * columns (ascending cases).
 *
 * Work counts a row of a block as one word, which is about what it takes. */
#include "clause/covering.h"
#include "base/callbacks.h"
#include "base/clock.h"
#include "base/memory.h"
#include "bits/row_kernels.h"
#include "search/rounds.h"
#include <math.h>
#include <stdatomic.h>

#define CHUNK        64u /* second literals whose lists of rows are made together */
#define TASK_FIRSTS  2u  /* first literals of a task */
#define WORK_TO_POLL 1000000u

struct covering {
  const irl_clause_search *search;
  const irl_clause_thresholds *thresholds;
  const irl_row_kernels *kernels;
  struct hand *hands;       /* one per thread */
  irl_clause_array *stores; /* of each task, empty once joined */
  irl_clause_array *all;
  size_t cap;
  uint32_t n_tasks;
  double began, reported; /* by the clock */
  bool is_full;
  atomic_bool is_out_of_memory;
};

/* All that one thread writes. */
struct hand {
  const struct covering *job;
  uint64_t work, max_work, next_poll;
  bool is_cut, is_out_of_memory;
  irl_clause_array *store;
  irl_clause clause; /* the literals chosen so far, in the order of choice */
  /* Candidates beside the first literal: */
  uint32_t n;
  uint32_t *column, *cases; /* in the root; covered together with the first */
  size_t words;             /* of a column, packed to the cases of the first literal */
  irl_clause_words columns, rows, alive, covers;
  uint16_t *lists;              /* of rows, for each second literal of a chunk */
  uint32_t list_sizes[CHUNK];   /* their lengths */
  uint32_t *ids;                /* third and further literals, n for each depth */
  uint64_t n_triples, n_listed; /* that were found */
};

static bool must_end(struct hand *h) {
  if (h->is_cut || h->is_out_of_memory) return true;
  if (h->work >= h->max_work) return h->is_cut = true;
  if (h->work < h->next_poll) return false;
  h->next_poll = h->work + WORK_TO_POLL;
  return h->is_cut = irl_limit_poll(h->job->search->limit);
}

static size_t n_blocks(uint32_t n) {
  return ((size_t)n + IRL_ROWS_COLUMNS - 1) / IRL_ROWS_COLUMNS;
}

static const uint64_t *controls_of(const struct hand *h, uint32_t candidate) {
  return irl_clause_controls(&h->job->search->model->root, h->column[candidate]);
}

/* The controls of the clause so far, and scratch for its cases, at a depth. */
static uint64_t *level_controls(const struct hand *h, uint32_t depth) {
  return h->covers.words + depth * h->job->search->model->root.stride;
}
static uint64_t *level_cases(const struct hand *h, uint32_t depth) {
  return level_controls(h, depth) + h->job->search->model->root.control_words;
}

static bool is_grouped(const struct hand *h, uint32_t candidate) {
  const irl_clause_model *model = h->job->search->model;
  const uint32_t literal = model->root.set.id[h->column[candidate]];
  for (uint32_t i = 0; i < h->clause.n; i++)
    if (irl_clause_are_grouped(model->problem, h->clause.literals[i], literal)) return true;
  return false;
}

/* Keeps the clause so far and one more literal. */
static void keep(struct hand *h, uint32_t column, uint32_t cases, uint64_t controls) {
  const struct covering *job = h->job;
  assert(cases >= job->thresholds->min_cases);
  if (controls > job->thresholds->max_controls || h->is_cut) return;
  h->n_listed++;
  irl_clause clause = h->clause;
  clause.literals[clause.n++] = job->search->model->root.set.id[column];
  clause.value = 0;
  clause.cases = cases;
  clause.controls = (uint32_t)controls;
  irl_clause_sort_literals(&clause);
  if (h->store->n > job->cap) /* one more than the list has room for says that there are more */
    h->is_cut = true;
  else if (!irl_clause_array_add(h->store, &clause))
    h->is_out_of_memory = true;
}

static uint32_t and_words(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint32_t n = 0;
  for (size_t w = 0; w < n_words; w++) n += (uint32_t)__builtin_popcountll(into[w] = a[w] & b[w]);
  return n;
}

/* The clause so far, whose cover is given, with one of the n candidates each, which all cover
 * enough cases with it; and with more of them. */
static void extend(struct hand *h, const uint64_t *cases, const uint64_t *controls, uint32_t *ids,
                   uint32_t n) {
  const irl_clause_search *search = h->job->search;
  const irl_clause_table *root = &search->model->root;
  const irl_kernels *kernels = search->model->kernels;
  const uint32_t depth = h->clause.n, least = h->job->thresholds->min_cases;
  uint64_t *own_cases = level_cases(h, depth), *own_controls = level_controls(h, depth);
  for (uint32_t i = 0; i < n && !must_end(h); i++) {
    const uint64_t *column = h->columns.words + ids[i] * h->words;
    const uint32_t covered = and_words(own_cases, cases, column, h->words);
    const uint64_t n_controls =
        kernels->and_into(own_controls, controls, controls_of(h, ids[i]), root->control_words);
    h->work += h->words + root->control_words;
    keep(h, h->column[ids[i]], covered, n_controls);
    if (depth + 1 == search->model->max_literals || i + 1 == n) continue;
    uint32_t *further = ids + n, n_further = n - i - 1;
    memcpy(further, ids + i + 1, n_further * sizeof *further);
    h->clause.literals[h->clause.n++] = root->set.id[h->column[ids[i]]];
    h->work += n_further * h->words;
    n_further = (uint32_t)kernels->and_keep(own_cases, h->words, h->columns.words, h->words,
                                            further, n_further, least);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n_further; k++)
      if (!is_grouped(h, further[k])) further[kept++] = further[k];
    if (kept) extend(h, own_cases, own_controls, further, kept);
    h->clause.n--;
  }
}

/* ---- the second literal ---- */

/* The third literals of c that the counters left, and what follows from them. */
static void finish_second(struct hand *h, uint32_t c, const uint64_t *alive) {
  const irl_clause_table *root = &h->job->search->model->root;
  const size_t words = n_blocks(h->n) * IRL_BITS_BLOCK;
  uint32_t n = 0;
  h->clause.literals[h->clause.n++] = root->set.id[h->column[c]];
  for (size_t w = c / IRL_ROWS_COLUMNS * IRL_BITS_BLOCK; w < words; w++)
    for (uint64_t bits = alive[w]; bits; bits &= bits - 1) {
      const uint32_t b = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
      assert(b > c && b < h->n);
      if (!is_grouped(h, b)) h->ids[n++] = b;
    }
  h->n_triples += n;
  if (n) {
    uint64_t *controls = level_controls(h, 1); /* of the first alone, and then: */
    uint64_t *both = level_controls(h, 0);
    h->job->search->model->kernels->and_into(both, controls, controls_of(h, c),
                                             root->control_words);
    h->work += root->control_words;
    extend(h, h->columns.words + c * h->words, both, h->ids, n);
  }
  h->clause.n--;
}

/* What may be a third literal of c in a block: columns after c. */
static void start_alive(const struct hand *h, uint32_t c, size_t block, uint64_t *alive) {
  const uint32_t first = (uint32_t)block * IRL_ROWS_COLUMNS;
  const uint32_t left = h->n - first;
  irl_bits_fill(alive, left < IRL_ROWS_COLUMNS ? left : IRL_ROWS_COLUMNS, IRL_BITS_BLOCK);
  if (c < first) return;
  const uint32_t gone = c - first + 1; /* up to c itself */
  for (uint32_t w = 0; w < gone / 64; w++) alive[w] = 0;
  if (gone % 64) alive[gone / 64] &= ~(uint64_t)0 << gone % 64;
}

/* The candidates first .. first + n - 1 as second literals. */
static void try_seconds(struct hand *h, uint32_t first, uint32_t n) {
  const size_t blocks = n_blocks(h->n), row_words = 64 * h->words * IRL_BITS_BLOCK;
  const uint32_t least = h->job->thresholds->min_cases;
  /* The rows of the cases that the first and each of them cover. */
  for (uint32_t i = 0; i < n; i++) {
    h->list_sizes[i] = (uint32_t)h->job->kernels->list_rows(
        h->columns.words + (first + i) * h->words, h->words, h->lists + i * 64 * h->words);
    h->work += h->words;
    assert(h->list_sizes[i] == h->cases[first + i]);
  }
  for (size_t block = first / IRL_ROWS_COLUMNS; block < blocks && !must_end(h); block++)
    for (uint32_t i = 0; i < n; i++) {
      uint64_t *alive = h->alive.words + (i * blocks + block) * IRL_BITS_BLOCK;
      start_alive(h, first + i, block, alive);
      h->job->kernels->few_rows(alive, alive, h->rows.words + block * row_words,
                                h->lists + i * 64 * h->words, h->list_sizes[i],
                                h->list_sizes[i] - least);
      h->work += h->list_sizes[i];
    }
  for (uint32_t i = 0; i < n && !must_end(h); i++)
    finish_second(h, first + i, h->alive.words + i * blocks * IRL_BITS_BLOCK);
}

/* ---- the first literal ---- */

/* The later columns that cover enough cases together with column a. */
static void find_candidates(struct hand *h, uint32_t a) {
  const irl_clause_model *model = h->job->search->model;
  const irl_clause_table *root = &model->root;
  const uint32_t later = root->set.n - a - 1;
  uint32_t *counts = h->ids;
  h->n = 0;
  h->clause.n = 0;
  h->clause.literals[h->clause.n++] = root->set.id[a];
  if (!later) return;
  model->kernels->and_count_many(irl_clause_cases(root, a), irl_clause_cases(root, a + 1),
                                 root->stride, NULL, later, root->case_words, counts);
  h->work += later * root->case_words;
  for (uint32_t i = 0; i < later; i++) {
    h->column[h->n] = a + 1 + i;
    h->cases[h->n] = counts[i];
    h->n += counts[i] >= h->job->thresholds->min_cases && !is_grouped(h, h->n);
  }
}

/* Columns of the candidates, packed to the cases of column a, and the rows of their blocks: ones
 * where a candidate misses the case. */
static void pack_candidates(struct hand *h, uint32_t a) {
  const irl_clause_model *model = h->job->search->model;
  const irl_clause_table *root = &model->root;
  h->words = ((size_t)root->set.cases[a] + 63) / 64;
  model->kernels->gather_many(h->columns.words, h->words, h->words, root->words, root->stride,
                              h->column, h->n, irl_clause_cases(root, a), root->case_words);
  for (uint32_t first = 0; first < h->n; first += IRL_ROWS_COLUMNS) {
    const uint32_t n = h->n - first < IRL_ROWS_COLUMNS ? h->n - first : IRL_ROWS_COLUMNS;
    irl_clause_turn_rows(h->columns.words + first * h->words, h->words, n, (uint32_t)h->words,
                         ~(uint64_t)0,
                         h->rows.words + n_blocks(first) * 64 * h->words * IRL_BITS_BLOCK);
  }
  h->work += h->n * (root->case_words + 4 * h->words);
}

static void try_first(struct hand *h, uint32_t a) {
  const irl_clause_model *model = h->job->search->model;
  const irl_clause_table *root = &model->root;
  const uint64_t *controls = irl_clause_controls(root, a);
  h->clause.n = 0;
  if (root->set.cases[a] < h->job->thresholds->min_cases) return;
  keep(h, a, root->set.cases[a], root->set.controls[a]);
  find_candidates(h, a);
  for (uint32_t i = 0; i < h->n && !must_end(h); i++) {
    h->work += root->control_words;
    keep(h, h->column[i], h->cases[i],
         model->kernels->and_count(controls, controls_of(h, i), root->control_words));
  }
  if (h->n < 2 || must_end(h)) return;
  pack_candidates(h, a);
  memcpy(level_controls(h, 1), controls, root->control_words * sizeof *controls);
  for (uint32_t c = 0; c + 1 < h->n && !must_end(h); c += CHUNK)
    try_seconds(h, c, h->n - c < CHUNK ? h->n - c : CHUNK);
}

/* ---- tasks ---- */

static uint64_t run_task(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done) {
  struct covering *job = user;
  struct hand *h = &job->hands[thread];
  const uint32_t n = job->search->model->root.set.n;
  h->store = &job->stores[task];
  h->store->n = 0;
  h->work = h->next_poll = 0;
  h->max_work = max_work;
  h->is_cut = false;
  for (uint32_t a = task * TASK_FIRSTS; a < n && a < (task + 1) * TASK_FIRSTS && !must_end(h); a++)
    try_first(h, a);
  if (h->is_out_of_memory) job->is_out_of_memory = true;
  *is_done = !h->is_cut || h->store->n > job->cap;
  return h->work;
}

static void merge_task(void *user, uint32_t task, bool is_done) {
  struct covering *job = user;
  irl_clause_array *store = &job->stores[task];
  irl_clause clause;
  for (size_t i = 0; is_done && i < store->n; i++) {
    if (job->all->n >= job->cap) {
      job->is_full = true;
      break;
    }
    irl_clause_array_get(store, i, &clause);
    if (!irl_clause_array_add(job->all, &clause)) job->is_out_of_memory = true;
  }
  irl_clause_array_free(store);
  irl_clause_array_init(store, &job->search->env->allocator, job->search->model->max_literals);
}

/* Seconds between two lines of progress. */
#define PROGRESS_PERIOD 0.25

/* What is left are the triples of the columns whose tasks have not run. */
static bool report(void *user, uint32_t n_open, uint64_t work) {
  struct covering *job = user;
  const double now = irl_clock_now(), left = (double)n_open / job->n_tasks;
  const double done = 1 - left * left * left;
  if (now > job->reported + PROGRESS_PERIOD) {
    job->reported = now;
    irl_callbacks_note_engine(job->search->env, "clause list", work, NAN, NAN);
    irl_log(job->search->env, IRL_LOG_PROGRESS,
            "triples  %.1f %% counted  clauses %zu  work %.3g  %.0f s left", 100 * done,
            job->all->n, (double)work, (now - job->began) * (1 - done) / done);
  }
  return !job->is_full && !job->is_out_of_memory;
}

static bool make_hand(const struct covering *job, struct hand *h) {
  const irl_clause_model *model = job->search->model;
  const irl_clause_table *root = &model->root;
  const irl_allocator *allocator = &model->allocator;
  const size_t n = (size_t)root->set.n + 1, blocks = n_blocks(root->set.n);
  h->job = job;
  h->column = irl_mem_alloc(allocator, n, sizeof *h->column);
  h->cases = irl_mem_alloc(allocator, n, sizeof *h->cases);
  h->ids = irl_mem_alloc(allocator, n * model->max_literals, sizeof *h->ids);
  h->lists =
      irl_mem_alloc(allocator, CHUNK * 64 * root->case_words + IRL_ROWS_SLACK, sizeof *h->lists);
  return h->column && h->cases && h->ids && h->lists &&
         irl_clause_reserve_words(allocator, &h->columns, n * root->case_words) &&
         irl_clause_reserve_words(allocator, &h->rows,
                                  blocks * 64 * root->case_words * IRL_BITS_BLOCK) &&
         irl_clause_reserve_words(allocator, &h->alive, CHUNK * blocks * IRL_BITS_BLOCK) &&
         irl_clause_reserve_words(allocator, &h->covers, (model->max_literals + 1) * root->stride);
}

static void free_hand(struct hand *h, const irl_allocator *allocator) {
  irl_mem_free(allocator, h->column);
  irl_mem_free(allocator, h->cases);
  irl_mem_free(allocator, h->ids);
  irl_mem_free(allocator, h->lists);
  irl_clause_words *const words[] = {&h->columns, &h->rows, &h->alive, &h->covers};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    irl_mem_free_aligned(allocator, words[i]->words);
}

static irl_status search_tasks(struct covering *job, uint32_t n_tasks, bool *is_complete) {
  const irl_clause_search *search = job->search;
  irl_search_rounds rounds = {.env = search->env,
                              .limit = search->limit,
                              .threads = search->threads,
                              .n_tasks = n_tasks,
                              .user = job,
                              .run = run_task,
                              .merge = merge_task,
                              .report = report};
  const irl_status status = irl_search_run(&rounds);
  *search->work += rounds.work;
  if (status) return status;
  *is_complete = !rounds.n_open && !job->is_full;
  irl_mem_free(&search->env->allocator, rounds.is_open);
  return job->is_out_of_memory ? irl_fail_memory(search->env) : IRL_STATUS_OK;
}

irl_status irl_clause_list_covering(const irl_clause_search *search,
                                    const irl_clause_thresholds *thresholds, size_t cap,
                                    irl_clause_array *store, bool *is_complete) {
  const irl_allocator *allocator = &search->env->allocator;
  const irl_clause_model *model = search->model;
  const uint32_t n_tasks = (model->root.set.n + TASK_FIRSTS - 1) / TASK_FIRSTS;
  struct covering job = {.search = search,
                         .thresholds = thresholds,
                         .kernels = irl_bits_row_kernels(),
                         .all = store,
                         .n_tasks = n_tasks,
                         .began = irl_clock_now(),
                         .cap = cap == SIZE_MAX ? cap - 1 : cap};
  job.reported = job.began;
  assert(thresholds->min_cases && !model->root.own && model->max_literals > 2);
  assert(model->root.n_cases <= IRL_COVERING_MAX_CASES);
  *is_complete = false;
  job.hands = irl_mem_alloc(allocator, (size_t)search->threads, sizeof *job.hands);
  job.stores = irl_mem_alloc(allocator, (size_t)n_tasks + 1, sizeof *job.stores);
  bool is_made = job.hands && job.stores;
  for (int i = 0; is_made && i < search->threads; i++) is_made = make_hand(&job, &job.hands[i]);
  for (uint32_t i = 0; is_made && i < n_tasks; i++)
    irl_clause_array_init(&job.stores[i], allocator, model->max_literals);
  const irl_status status =
      is_made ? search_tasks(&job, n_tasks, is_complete) : irl_fail_memory(search->env);
  for (int i = 0; job.hands && i < search->threads; i++) free_hand(&job.hands[i], allocator);
  for (uint32_t i = 0; job.stores && i < n_tasks; i++) irl_clause_array_free(&job.stores[i]);
  irl_mem_free(allocator, job.hands);
  irl_mem_free(allocator, job.stores);
  return status;
}
