/* The beam. A level extends each clause of the level before by every literal and keeps the best
 * by z-score: how many more cases it covers than a clause without any relation to the labels would,
 * in standard deviations. Planted structure stands out by this at every level, while the objective
 * itself only shows at the last one. Every clause within the budget that is met goes to the pool:
 * one pass meets many planted clauses at once.
 *
 * A chunk of clauses goes over the columns together, tile by tile, as in count.c. Each thread keeps
 * the best of what it saw; the best of the union are the same however the chunks were
 * shared out, so the result does not depend on the threads.
 *
 * The last literal needs no counting of all: the rows of the controls that a clause still covers
 * strike out all literals that keep more than the budget of them, a row at a time (rows_at_most).
 */
#include "clause/beam.h"
#include "base/memory.h"
#include "clause/worker.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <xxhash.h>

#define CHUNK       8u  /* clauses that go over the columns together */
#define ROW_WORDS   64u /* words of controls that the last level looks at: 4096 rows, */
#define ROW_BYTES   ((size_t)64 << 20) /* or as many as fit into this, where literals are many */
#define MIN_WIDTH   100u
#define COVER_BYTES ((size_t)64 << 20) /* of the clauses of a level, unless they are so few */
#define KEPT        2u /* extensions per clause of the next level: some are the same clause */

/* An extension that may go on. */
struct item {
  double score; /* squared z */
  uint32_t parent, column;
};

struct thread {
  struct item *items;
  uint32_t n;
  double least; /* a lower score is not among the best KEPT * width that it saw */
  irl_clause_pool pool;
  uint64_t *scratch; /* a cover, then a mask over the columns */
  uint64_t work;
  bool is_out_of_memory;
};

struct irl_clause_beam {
  irl_env *env;
  const irl_clause_model *model;
  const irl_clause_table *table;
  const irl_limit *limit;
  int n_threads;
  struct thread *threads;
  irl_bits_matrix rows; /* of the first controls: a bit per column */
  /* The clauses of the current level; columns of the table stand for themselves at the first. */
  irl_clause *clauses;
  uint64_t *covers;
  uint32_t n, capacity;
  /* This level. */
  uint32_t level, width;
  bool is_last, is_pairs;
  double rate; /* of cases among all */
};

static int compare_items(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  if (x->score != y->score) return x->score < y->score ? 1 : -1;
  if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

static const uint64_t *cover_of(const irl_clause_beam *beam, uint32_t i) {
  return beam->is_pairs ? irl_clause_cases(beam->table, i) : beam->covers + i * beam->table->stride;
}

static void push(const irl_clause_beam *beam, struct thread *thread, double score, uint32_t parent,
                 uint32_t column) {
  if (score <= thread->least) return;
  thread->items[thread->n++] = (struct item){score, parent, column};
  if (thread->n < 2 * KEPT * beam->width) return;
  qsort(thread->items, thread->n, sizeof *thread->items, compare_items);
  thread->n = KEPT * beam->width;
  thread->least = thread->items[thread->n - 1].score;
  /* Equal scores may still be among the best by their order: keep looking at them. */
  thread->least = nextafter(thread->least, 0);
}

/* The clause of entry `parent`, extended. */
static irl_clause extend(const irl_clause_beam *beam, uint32_t parent, uint32_t column) {
  irl_clause clause = {.n = 1};
  if (beam->is_pairs)
    clause.literals[0] = beam->table->set.id[parent];
  else
    clause = beam->clauses[parent];
  clause.literals[clause.n++] = beam->table->set.id[column];
  irl_clause_sort_literals(&clause);
  return clause;
}

static bool holds_group(const irl_clause_beam *beam, uint32_t parent, uint32_t column) {
  const uint32_t literal = beam->table->set.id[column];
  if (beam->is_pairs)
    return irl_clause_are_grouped(beam->model->problem, beam->table->set.id[parent], literal);
  const irl_clause *clause = &beam->clauses[parent];
  for (uint32_t i = 0; i < clause->n; i++)
    if (irl_clause_are_grouped(beam->model->problem, clause->literals[i], literal)) return true;
  return false;
}

static void offer(const irl_clause_beam *beam, struct thread *thread, uint32_t parent,
                  uint32_t column, uint32_t cases, uint32_t controls) {
  const irl_clause_model *model = beam->model;
  const irl_clause_table *table = beam->table;
  if (cases < model->min_cases ||
      !irl_clause_pool_wants(&thread->pool,
                             cases * model->case_weight - controls * model->least_control) ||
      holds_group(beam, parent, column))
    return;
  uint64_t *cover = thread->scratch;
  irl_clause clause = extend(beam, parent, column);
  model->kernels->and_into(cover, cover_of(beam, parent), irl_clause_cases(table, column),
                           table->stride);
  clause.cases = cases;
  clause.controls = controls;
  clause.value = irl_clause_weigh_cases(model, table, cover, cases) -
                 irl_clause_weigh_controls(model, table, cover + table->case_words, controls);
  if (!irl_clause_pool_wants(&thread->pool, clause.value)) return;
  clause.hash = XXH3_64bits(cover, table->stride * sizeof *cover);
  if (!irl_clause_model_excludes(model, &clause, cover))
    irl_clause_pool_add(&thread->pool, &clause);
}

/* Four counts at a time: the vectors that every CPU has. */
typedef float floats __attribute__((vector_size(16)));
typedef int32_t flags __attribute__((vector_size(16)));

/* Nonzero for columns that are within the budget or whose score is above the least, about: a
 * column that fails by a rounding error is no loss, and it fails everywhere alike. */
static void flag_tile(const irl_clause_beam *beam, double least, const flags *cases,
                      const flags *controls, flags *out) {
  const float rate = (float)beam->rate, floor = (float)least;
  const int32_t budget =
      (int32_t)(beam->model->budget < INT32_MAX ? beam->model->budget : INT32_MAX);
  const flags goes_on = (flags){0} - !beam->is_last;
  for (uint32_t i = 0; i < IRL_CLAUSE_TILE / 4; i++) {
    const floats p = __builtin_convertvector(cases[i], floats);
    const floats both = p + __builtin_convertvector(controls[i], floats);
    const floats more = p - rate * both;
    out[i] = (controls[i] <= budget) | ((more > 0) & (more * more > floor * both) & goes_on);
  }
}

/* One extension that was flagged. */
static void take_column(const irl_clause_beam *beam, struct thread *thread, uint32_t parent,
                        uint32_t before, uint32_t column, uint32_t cases, uint32_t controls) {
  if (controls <= beam->model->budget) {
    offer(beam, thread, parent, column, cases, controls);
    if (!beam->model->control_weight) return;
  }
  const double both = (double)cases + controls, more = cases - beam->rate * both;
  if (!beam->is_last && controls != before && more > 0)
    push(beam, thread, more * more / both, parent, column);
}

static void scan_tile(const irl_clause_beam *beam, struct thread *thread, uint32_t parent,
                      uint32_t first, uint32_t n) {
  const irl_clause_model *model = beam->model;
  const irl_clause_table *table = beam->table;
  const uint64_t *cover = cover_of(beam, parent), *columns = irl_clause_cases(table, first);
  const uint32_t before =
      beam->is_pairs ? table->set.controls[parent] : beam->clauses[parent].controls;
  union {
    flags vectors[IRL_CLAUSE_TILE / 4];
    uint32_t items[IRL_CLAUSE_TILE];
  } cases, controls, flagged;
  model->kernels->and_count_many(cover, columns, table->stride, NULL, n, table->case_words,
                                 cases.items);
  model->kernels->and_count_many(cover + table->case_words, columns + table->case_words,
                                 table->stride, NULL, n, table->control_words, controls.items);
  for (uint32_t i = n; i < IRL_CLAUSE_TILE; i++) cases.items[i] = controls.items[i] = 0;
  thread->work += n * table->stride;
  flag_tile(beam, thread->least, cases.vectors, controls.vectors, flagged.vectors);
  for (uint32_t i = 0; i < n; i++)
    if (flagged.items[i])
      take_column(beam, thread, parent, before, first + i, cases.items[i], controls.items[i]);
}

static void scan_chunk(const irl_clause_beam *beam, struct thread *thread, uint32_t first,
                       uint32_t n) {
  const uint32_t n_columns = beam->table->set.n;
  for (uint32_t start = 0; start < n_columns; start += IRL_CLAUSE_TILE) {
    const uint32_t end = n_columns - start < IRL_CLAUSE_TILE ? n_columns : start + IRL_CLAUSE_TILE;
    for (uint32_t parent = first; parent < first + n; parent++) {
      const uint32_t from = beam->is_pairs && start <= parent ? parent + 1 : start;
      if (from < end) scan_tile(beam, thread, parent, from, end - from);
    }
  }
}

/* The last literal by rows. */
static void finish_clause(const irl_clause_beam *beam, struct thread *thread, uint32_t parent) {
  const irl_clause_model *model = beam->model;
  const irl_clause_table *table = beam->table;
  const uint64_t *cover = cover_of(beam, parent);
  uint64_t *mask = thread->scratch + table->stride;
  const size_t words = irl_bits_stride(table->set.n);
  const size_t selected = beam->rows.n_vectors / 64;
  irl_bits_fill(mask, table->set.n, words);
  model->kernels->rows_at_most(mask, mask, words, beam->rows.words, beam->rows.stride,
                               cover + table->case_words, selected, model->budget);
  thread->work += words * (16 + 2 * model->budget);
  for (size_t w = 0; w < words; w++)
    for (uint64_t bits = mask[w]; bits; bits &= bits - 1) {
      const uint32_t column = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
      const uint32_t cases = (uint32_t)model->kernels->and_count(
          cover, irl_clause_cases(table, column), table->case_words);
      const uint32_t controls = (uint32_t)model->kernels->and_count(
          cover + table->case_words, irl_clause_controls(table, column), table->control_words);
      thread->work += table->stride;
      if (controls <= model->budget) offer(beam, thread, parent, column, cases, controls);
    }
}

/* Extends all clauses of the level; false: cut. */
static bool scan_level(irl_clause_beam *beam) {
  const uint32_t n_chunks = (beam->n + CHUNK - 1) / CHUNK;
  const bool by_rows = beam->is_last && beam->rows.words;
  bool is_cut = false;
#pragma omp parallel for num_threads(beam->n_threads) schedule(dynamic, 1) reduction(|| : is_cut)
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    struct thread *thread = &beam->threads[omp_get_thread_num()];
    const uint32_t first = chunk * CHUNK;
    const uint32_t n = beam->n - first < CHUNK ? beam->n - first : CHUNK;
    if (is_cut || irl_limit_cut(beam->limit)) {
      is_cut = true;
      continue;
    }
    if (by_rows)
      for (uint32_t i = first; i < first + n; i++) finish_clause(beam, thread, i);
    else
      scan_chunk(beam, thread, first, n);
  }
  return !is_cut;
}

/* The best extensions of all threads, each clause once, become the clauses of the next level. */
static bool next_level(irl_clause_beam *beam, struct item *items, uint32_t *slots, size_t n_slots,
                       irl_clause *clauses, uint64_t *covers) {
  const irl_clause_table *table = beam->table;
  uint32_t n_items = 0, n = 0;
  for (int t = 0; t < beam->n_threads; t++) {
    memcpy(items + n_items, beam->threads[t].items, beam->threads[t].n * sizeof *items);
    n_items += beam->threads[t].n;
  }
  qsort(items, n_items, sizeof *items, compare_items);
  /* Beyond these, what a thread still has depends on what else it saw. */
  if (n_items > KEPT * beam->width) n_items = KEPT * beam->width;
  memset(slots, 0, n_slots * sizeof *slots);
  for (uint32_t i = 0; i < n_items && n < beam->width; i++) {
    if (holds_group(beam, items[i].parent, items[i].column)) continue;
    clauses[n] = extend(beam, items[i].parent, items[i].column);
    const size_t bytes = clauses[n].n * sizeof(uint32_t);
    size_t slot = (size_t)XXH3_64bits(clauses[n].literals, bytes) & (n_slots - 1);
    while (slots[slot] && memcmp(clauses[slots[slot] - 1].literals, clauses[n].literals, bytes))
      slot = (slot + 1) & (n_slots - 1);
    if (slots[slot]) continue;
    uint64_t *cover = covers + n * table->stride;
    beam->model->kernels->and_into(cover, cover_of(beam, items[i].parent),
                                   irl_clause_cases(table, items[i].column), table->stride);
    clauses[n].controls =
        (uint32_t)beam->model->kernels->count(cover + table->case_words, table->control_words);
    slots[slot] = ++n;
  }
  beam->n = n;
  return n > 0;
}

/* Memory of a pass, two levels of clauses. */
struct levels {
  irl_clause *clauses[2];
  uint64_t *covers[2];
  struct item *items;
  uint32_t *slots;
  size_t n_slots;
};

static bool make_levels(irl_clause_beam *beam, struct levels *levels, uint32_t width) {
  const irl_allocator *allocator = &beam->env->allocator;
  const size_t threads = (size_t)beam->n_threads;
  bool done = true;
  *levels = (struct levels){.n_slots = 64};
  while (levels->n_slots < 2 * (size_t)width) levels->n_slots *= 2;
  for (int i = 0; i < 2; i++) {
    levels->clauses[i] = irl_mem_alloc(allocator, (size_t)width + 1, sizeof(irl_clause));
    levels->covers[i] = irl_mem_alloc_aligned(
        allocator, (size_t)width * beam->table->stride + IRL_BITS_BLOCK, sizeof(uint64_t));
    done = done && levels->clauses[i] && levels->covers[i];
  }
  levels->items = irl_mem_alloc(allocator, 2 * KEPT * (size_t)width * threads, sizeof(struct item));
  levels->slots = irl_mem_alloc(allocator, levels->n_slots, sizeof(uint32_t));
  for (size_t t = 0; t < threads; t++) {
    beam->threads[t].items =
        irl_mem_alloc(allocator, 2 * KEPT * (size_t)width, sizeof(struct item));
    done = done && beam->threads[t].items;
  }
  return done && levels->items && levels->slots;
}

static void free_levels(irl_clause_beam *beam, struct levels *levels) {
  const irl_allocator *allocator = &beam->env->allocator;
  for (int i = 0; i < 2; i++) {
    irl_mem_free(allocator, levels->clauses[i]);
    irl_mem_free_aligned(allocator, levels->covers[i]);
  }
  irl_mem_free(allocator, levels->items);
  irl_mem_free(allocator, levels->slots);
  for (int t = 0; t < beam->n_threads; t++) {
    irl_mem_free(allocator, beam->threads[t].items);
    beam->threads[t].items = NULL;
  }
}

static void start_level(irl_clause_beam *beam, uint32_t level, uint32_t width) {
  beam->level = level;
  beam->width = width < MIN_WIDTH ? MIN_WIDTH : width;
  beam->is_last = level == beam->model->max_literals;
  for (int t = 0; t < beam->n_threads; t++) {
    beam->threads[t].n = 0;
    beam->threads[t].least = 0;
  }
}

/* The single literals with the best scores, where pairs are not all looked at. */
static void first_level(irl_clause_beam *beam) {
  const irl_clause_set *set = &beam->table->set;
  struct thread *thread = &beam->threads[0];
  for (uint32_t i = 0; i < set->n; i++) {
    const double both = (double)set->cases[i] + set->controls[i];
    const double more = set->cases[i] - beam->rate * both;
    if (set->controls[i] <= beam->model->budget && !beam->model->control_weight) continue;
    if (more > 0) push(beam, thread, more * more / both, 0, i);
  }
}

static void take_first(irl_clause_beam *beam, struct levels *levels) {
  const irl_clause_table *table = beam->table;
  struct thread *thread = &beam->threads[0];
  qsort(thread->items, thread->n, sizeof *thread->items, compare_items);
  beam->n = thread->n < beam->width ? thread->n : beam->width;
  for (uint32_t i = 0; i < beam->n; i++) {
    const uint32_t column = thread->items[i].column;
    levels->clauses[0][i] = (irl_clause){.n = 1, .literals = {table->set.id[column]}};
    levels->clauses[0][i].controls = table->set.controls[column];
    memcpy(levels->covers[0] + i * table->stride, irl_clause_cases(table, column),
           table->stride * sizeof(uint64_t));
  }
}

static void run_levels(irl_clause_beam *beam, const irl_clause_pass *pass, struct levels *levels) {
  uint32_t width = pass->width;
  beam->is_pairs = pass->all_pairs;
  beam->n = beam->table->set.n;
  if (!pass->all_pairs) {
    start_level(beam, 1, width);
    first_level(beam);
    take_first(beam, levels);
  }
  beam->clauses = levels->clauses[0];
  beam->covers = levels->covers[0];
  for (uint32_t level = 2; level <= beam->model->max_literals && beam->n; level++) {
    start_level(beam, level, width);
    if (!scan_level(beam) || beam->is_last) break;
    const int other = level % 2 == 0;
    if (!next_level(beam, levels->items, levels->slots, levels->n_slots, levels->clauses[other],
                    levels->covers[other]))
      break;
    beam->is_pairs = false;
    beam->clauses = levels->clauses[other];
    beam->covers = levels->covers[other];
    if (level > 2 || !pass->all_pairs) width = width / 3 > MIN_WIDTH ? width / 3 : MIN_WIDTH;
  }
}

irl_status irl_clause_beam_run(irl_clause_beam *beam, const irl_clause_pass *pass,
                               irl_clause_pool *pool, uint64_t *work) {
  struct levels levels;
  const size_t affordable = COVER_BYTES / (beam->table->stride * sizeof(uint64_t) + 1);
  uint32_t width = pass->width < affordable ? pass->width : (uint32_t)affordable;
  if (width < MIN_WIDTH) width = MIN_WIDTH;
  bool done = make_levels(beam, &levels, width);
  for (int t = 0; done && t < beam->n_threads; t++) {
    beam->threads[t].work = 0;
    done = irl_clause_pool_init(&beam->threads[t].pool, &beam->env->allocator, pool->capacity);
  }
  if (done) {
    run_levels(beam, &(irl_clause_pass){width, pass->all_pairs}, &levels);
    for (int t = 0; t < beam->n_threads; t++) {
      irl_clause_pool *found = &beam->threads[t].pool;
      irl_clause_pool_settle(found);
      for (uint32_t i = 0; i < found->n; i++) irl_clause_pool_add(pool, &found->clauses[i]);
      *work += beam->threads[t].work;
    }
    irl_clause_pool_settle(pool);
  }
  for (int t = 0; t < beam->n_threads; t++) irl_clause_pool_free(&beam->threads[t].pool);
  free_levels(beam, &levels);
  return done ? IRL_OK : irl_fail_memory(beam->env);
}

uint64_t irl_clause_beam_work(const irl_clause_beam *beam, const irl_clause_pass *pass) {
  const uint64_t n = beam->table->set.n, stride = beam->table->stride;
  uint64_t width = pass->width, work = pass->all_pairs ? n * n / 2 * stride : 0;
  for (uint32_t level = pass->all_pairs ? 3 : 2; level < beam->model->max_literals; level++) {
    work += width * n * stride;
    width = width / 3 > MIN_WIDTH ? width / 3 : MIN_WIDTH;
  }
  return work;
}

static irl_status make_rows(irl_clause_beam *beam) {
  const irl_clause_table *table = beam->table;
  if (beam->model->budget > IRL_ROWS_LIMIT || !table->set.n || !table->n_controls) return IRL_OK;
  const size_t affordable = ROW_BYTES / (irl_bits_stride(table->set.n) * sizeof(uint64_t));
  size_t n_rows = table->n_controls < 64 * ROW_WORDS ? table->n_controls : 64 * ROW_WORDS;
  if (n_rows > affordable) n_rows = affordable < 64 ? 64 : affordable / 64 * 64;
  const uint64_t **columns = irl_mem_alloc(&beam->env->allocator, table->set.n, sizeof *columns);
  if (!columns) return irl_fail_memory(beam->env);
  for (uint32_t i = 0; i < table->set.n; i++) columns[i] = irl_clause_controls(table, i);
  const irl_status status =
      irl_bits_matrix_init(beam->env, &beam->rows, (n_rows + 63) / 64 * 64, table->set.n);
  if (!status) irl_bits_transpose(columns, table->set.n, &beam->rows, beam->n_threads);
  irl_mem_free(&beam->env->allocator, columns);
  return status;
}

irl_status irl_clause_beam_create(irl_env *env, const irl_clause_model *model,
                                  const irl_clause_table *table, const irl_limit *limit,
                                  int threads, irl_clause_beam **out) {
  irl_clause_beam *beam = irl_mem_alloc(&env->allocator, 1, sizeof *beam);
  if (!beam) return irl_fail_memory(env);
  *beam = (irl_clause_beam){.env = env, .model = model, .table = table, .limit = limit};
  beam->threads = irl_mem_alloc(&env->allocator, (size_t)threads, sizeof *beam->threads);
  irl_status status = beam->threads ? IRL_OK : irl_fail_memory(env);
  if (!status) beam->n_threads = threads;
  const size_t words = table->stride + irl_bits_stride(table->set.n) + IRL_BITS_BLOCK;
  for (int t = 0; !status && t < threads; t++) {
    beam->threads[t].scratch = irl_mem_alloc_aligned(&env->allocator, words, sizeof(uint64_t));
    if (!beam->threads[t].scratch) status = irl_fail_memory(env);
  }
  beam->rate = (double)table->n_cases / ((double)table->n_cases + table->n_controls);
  if (!status) status = make_rows(beam);
  if (status)
    irl_clause_beam_free(beam);
  else
    *out = beam;
  return status;
}

void irl_clause_beam_free(irl_clause_beam *beam) {
  if (!beam) return;
  const irl_allocator allocator = beam->env->allocator;
  for (int t = 0; t < beam->n_threads; t++)
    irl_mem_free_aligned(&allocator, beam->threads[t].scratch);
  irl_mem_free(&allocator, beam->threads);
  irl_bits_matrix_free(&beam->rows);
  irl_mem_free(&allocator, beam);
}
