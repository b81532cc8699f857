/* The beam. A level extends each clause of the level before by every literal and keeps the best
 * by z-score: how many more cases it covers than a clause without any relation to the labels would,
 * in standard deviations. Planted structure stands out by this at every level, while the objective
 * itself only shows at the last one. Every clause within the budget that is met goes to the pool:
 * one pass meets many planted clauses at once. How a level is extended is in beam_scan.c.
 *
 * On divided data the processes go through the levels together: each extends all clauses by its own
 * columns, the best of all are chosen by all alike, and their covers are made from the columns that
 * they need. */
#include "clause/beam.h"
#include "base/memory.h"
#include <stdlib.h>
#include <xxhash.h>

#define ROW_WORDS   64u /* words of controls that the last level looks at: 4096 rows, */
#define ROW_BYTES   ((size_t)64 << 20)    /* or as many as fit into this, where literals are many */
#define PART_BYTES  ((size_t)8 << 20)     /* of these rows that are there at once */
#define PART_STEP   (64 * IRL_BITS_BLOCK) /* columns */
#define MIN_WIDTH   100u
#define COVER_BYTES ((size_t)64 << 20) /* of the clauses of a level, unless they are so few */
#define BATCH       64u                /* clauses whose covers are made together */

/* ---- the next level ---- */

/* Memory of a pass, two levels of clauses. */
struct levels {
  irl_arena arena;
  irl_clause *clauses[2];
  uint64_t *covers[2];
  irl_beam_item *items, *chosen;
  irl_hash_index index; /* of the clauses of the next level, by literals */
};

/* The best extensions that were seen, here and by all processes, best first; beyond so many, what a
 * thread still has depends on what else it saw. */
static irl_status join_items(const irl_clause_beam *beam, irl_beam_item *items, uint32_t *n_items) {
  const uint32_t most = IRL_BEAM_KEPT * beam->width;
  size_t n = 0, *sizes;
  void *all;
  for (int t = 0; t < beam->n_threads; t++) {
    memcpy(items + n, beam->threads[t].items, beam->threads[t].n * sizeof *items);
    n += beam->threads[t].n;
  }
  assert(n <= 2 * most * (size_t)beam->n_threads);
  qsort(items, n, sizeof *items, irl_beam_compare);
  *n_items = n < most ? (uint32_t)n : most;
  if (!beam->table->own) return IRL_STATUS_OK;
  const irl_status status =
      irl_comm_allgather_sizes(beam->env, items, *n_items * sizeof *items, &all, &sizes);
  if (status) return status;
  n = 0;
  for (int rank = 0; rank < irl_comm_size(beam->env); rank++) n += sizes[rank] / sizeof *items;
  qsort(all, n, sizeof *items, irl_beam_compare);
  *n_items = n < most ? (uint32_t)n : most;
  memcpy(items, all, *n_items * sizeof *items);
  irl_mem_free(&beam->env->allocator, all);
  irl_mem_free(&beam->env->allocator, sizes);
  return IRL_STATUS_OK;
}

/* Columns with these numbers: from here, or from all processes. `place` has room for them. */
static irl_status get_columns(const irl_clause_beam *beam, const uint32_t *numbers, uint32_t n,
                              const uint64_t **columns, uint64_t *place) {
  const irl_clause_table *table = beam->table;
  irl_status status = IRL_STATUS_OK;
  if (table->own) status = irl_clause_fetch(beam->env, beam->model, table, numbers, n, place);
  for (uint32_t i = 0; i < n; i++)
    columns[i] = table->own ? place + i * table->stride : irl_clause_cases(table, numbers[i]);
  return status;
}

/* Covers of the chosen extensions first .. first + n - 1. */
static irl_status cover_some(const irl_clause_beam *beam, const struct levels *levels,
                             uint32_t first, uint32_t n, irl_clause *clauses, uint64_t *covers) {
  const irl_clause_table *table = beam->table;
  const uint64_t *columns[BATCH], *parents[BATCH];
  uint32_t numbers[BATCH];
  for (uint32_t i = 0; i < n; i++) numbers[i] = levels->chosen[first + i].column;
  irl_status status = get_columns(beam, numbers, n, columns, beam->block);
  for (uint32_t i = 0; i < n; i++) numbers[i] = levels->chosen[first + i].parent;
  if (!status && beam->is_pairs)
    status = get_columns(beam, numbers, n, parents,
                         beam->block ? beam->block + BATCH * table->stride : NULL);
  for (uint32_t i = 0; i < n && !status; i++) {
    uint64_t *cover = covers + (first + i) * table->stride;
    const uint64_t *parent = beam->is_pairs ? parents[i] : irl_beam_cover(beam, numbers[i]);
    beam->model->kernels->and_into(cover, parent, columns[i], table->stride);
    clauses[first + i].controls =
        (uint32_t)beam->model->kernels->count(cover + table->case_words, table->control_words);
    assert(clauses[first + i].controls <= table->set.controls[levels->chosen[first + i].column]);
  }
  return status;
}

/* The best extensions, each clause once, up to the width, become the clauses of the next level,
 * which are kept in half 0 or 1 of the memory. */
static irl_status next_level(irl_clause_beam *beam, struct levels *levels, int half) {
  irl_clause *clauses = levels->clauses[half];
  uint32_t n_items, n = 0;
  irl_status status = join_items(beam, levels->items, &n_items);
  if (status) return status;
  irl_hash_index_reset(&levels->index, beam->width); /* has its memory */
  for (uint32_t i = 0; i < n_items && n < beam->width; i++) {
    const irl_beam_item *item = &levels->items[i];
    assert(!i || irl_beam_compare(item - 1, item) < 0);
    if (irl_beam_holds_group(beam, item->parent, item->column)) continue;
    clauses[n] = irl_beam_extend(beam, item->parent, item->column);
    const size_t bytes = clauses[n].n * sizeof(uint32_t);
    const uint64_t hash = XXH3_64bits(clauses[n].literals, bytes);
    irl_hash_probe probe = irl_hash_probe_start(&levels->index, hash);
    uint32_t k;
    do k = irl_hash_probe_next(&probe);
    while (k != IRL_HASH_NONE && memcmp(clauses[k].literals, clauses[n].literals, bytes));
    if (k != IRL_HASH_NONE) continue;
    irl_hash_index_insert(&levels->index, hash, n);
    levels->chosen[n++] = *item;
  }
  for (uint32_t first = 0; first < n && !status; first += BATCH)
    status = cover_some(beam, levels, first, n - first < BATCH ? n - first : BATCH, clauses,
                        levels->covers[half]);
  beam->clauses = clauses;
  beam->covers = levels->covers[half];
  beam->is_pairs = false;
  beam->n = n;
  assert(n <= beam->width);
  return status;
}

static bool make_levels(irl_clause_beam *beam, struct levels *levels, uint32_t width) {
  const irl_allocator *allocator = &beam->env->allocator;
  const size_t n_items = 2 * IRL_BEAM_KEPT * (size_t)width, n_threads = (size_t)beam->n_threads;
  const size_t n_words = (size_t)width * beam->table->stride + IRL_BITS_BLOCK;
  bool done = true;
  *levels = (struct levels){.index.allocator = *allocator};
  irl_arena *arena = &levels->arena;
  irl_arena_init(arena, allocator);
  for (int i = 0; i < 2 && done; i++) {
    levels->clauses[i] = irl_arena_alloc_unset(arena, (size_t)width + 1, sizeof(irl_clause));
    levels->covers[i] = irl_arena_alloc_unset(arena, n_words, sizeof(uint64_t));
    done = levels->clauses[i] && levels->covers[i];
  }
  levels->items = irl_arena_alloc_unset(arena, n_items * n_threads, sizeof(irl_beam_item));
  levels->chosen = irl_arena_alloc_unset(arena, width, sizeof *levels->chosen);
  for (size_t t = 0; t < n_threads && done; t++) {
    beam->threads[t].items = irl_arena_alloc_unset(arena, n_items, sizeof(irl_beam_item));
    done = beam->threads[t].items;
  }
  return done && levels->items && levels->chosen && irl_hash_index_reset(&levels->index, width);
}

static void start_level(irl_clause_beam *beam, uint32_t level, uint32_t width) {
  assert(level && level <= beam->model->max_size);
  beam->level = level;
  beam->width = width < MIN_WIDTH ? MIN_WIDTH : width;
  beam->is_last = level == beam->model->max_size;
  for (int t = 0; t < beam->n_threads; t++) {
    beam->threads[t].n = 0;
    beam->threads[t].least = 0;
  }
}

/* The single literals with the best scores, where pairs are not all looked at: extensions of the
 * empty clause, which covers everything. */
static irl_status first_level(irl_clause_beam *beam, struct levels *levels) {
  const irl_clause_table *table = beam->table;
  const irl_literal_set *set = &table->set;
  beam->clauses = levels->clauses[1];
  beam->covers = levels->covers[1];
  beam->clauses[0] = (irl_clause){.controls = table->n_controls};
  irl_bits_fill(beam->covers, table->n_cases, table->case_words);
  irl_bits_fill(beam->covers + table->case_words, table->n_controls, table->control_words);
  const bool is_mine = !table->own || !irl_comm_rank(beam->env); /* all have the counts */
  for (uint32_t i = 0; i < set->n && is_mine; i++) {
    const double both = (double)set->cases[i] + set->controls[i];
    const double more = set->cases[i] - beam->rate * both;
    if (set->controls[i] <= beam->model->budget && !beam->model->weight[1]) continue;
    if (more > 0) irl_beam_push(beam, &beam->threads[0], more * more / both, 0, i);
  }
  return next_level(beam, levels, 0);
}

/* ---- a pass ---- */

static irl_status run_levels(irl_clause_beam *beam, const irl_clause_pass *pass,
                             struct levels *levels) {
  uint32_t width = pass->width;
  irl_status status = IRL_STATUS_OK;
  beam->is_pairs = pass->all_pairs;
  beam->n = beam->table->set.n;
  if (!pass->all_pairs) {
    start_level(beam, 1, width);
    status = first_level(beam, levels);
  }
  for (uint32_t level = 2; level <= beam->model->max_size && beam->n && !status; level++) {
    bool is_cut;
    start_level(beam, level, width);
    status = irl_beam_scan(beam, &is_cut);
    if (status || is_cut || beam->is_last) break;
    status = next_level(beam, levels, level % 2 == 0);
    if (level > 2 || !pass->all_pairs) width = width / 3 > MIN_WIDTH ? width / 3 : MIN_WIDTH;
  }
  return status;
}

irl_status irl_clause_beam_run(irl_clause_beam *beam, const irl_clause_pass *pass,
                               irl_clause_pool *pool, uint64_t *work) {
  struct levels levels;
  const size_t affordable = COVER_BYTES / (beam->table->stride * sizeof(uint64_t) + 1);
  uint32_t width = pass->width < affordable ? pass->width : (uint32_t)affordable;
  uint64_t used = 0;
  if (width < MIN_WIDTH) width = MIN_WIDTH;
  bool done = make_levels(beam, &levels, width);
  for (int t = 0; done && t < beam->n_threads; t++) {
    beam->threads[t].work = 0;
    done = irl_clause_pool_init(&beam->threads[t].pool, &beam->env->allocator, pool->capacity);
  }
  irl_status status = done ? IRL_STATUS_OK : irl_fail_memory(beam->env);
  if (beam->table->own) status = irl_comm_agree(beam->env, status);
  if (!status) status = run_levels(beam, &(irl_clause_pass){width, pass->all_pairs}, &levels);
  /* What the threads, and the processes, found together. */
  for (int t = 0; t < beam->n_threads; t++) {
    irl_clause_pool *found = &beam->threads[t].pool;
    if (!status) irl_clause_pool_trim(found);
    for (uint32_t i = 0; !status && i < found->n; i++)
      irl_clause_pool_add(pool, &found->clauses[i]);
    used += beam->threads[t].work;
    irl_clause_pool_free(found);
    beam->threads[t].items = NULL;
  }
  if (!status && beam->table->own) {
    status = irl_clause_pool_share(beam->env, pool);
    if (!status) status = irl_comm_allreduce(beam->env, &used, 1);
  }
  if (!status) {
    irl_clause_pool_trim(pool);
    *work += used;
  }
  irl_hash_index_free(&levels.index);
  irl_arena_free(&levels.arena);
  return status;
}

uint64_t irl_clause_beam_work(const irl_clause_beam *beam, const irl_clause_pass *pass) {
  const uint64_t n = beam->table->set.n, stride = beam->table->stride;
  uint64_t width = pass->width, work = pass->all_pairs ? n * n / 2 * stride : 0;
  for (uint32_t level = pass->all_pairs ? 3 : 2; level < beam->model->max_size; level++) {
    work += width * n * stride;
    width = width / 3 > MIN_WIDTH ? width / 3 : MIN_WIDTH;
  }
  return work;
}

/* The rows of the columns from `first` on, as many as there is room for. */
void irl_beam_turn(irl_clause_beam *beam, uint32_t first) {
  const uint32_t left = irl_clause_n_here(beam->table) - first;
  const uint32_t n = left < beam->n_part ? left : beam->n_part;
  for (uint32_t i = 0; i < n; i++) beam->part[i] = irl_clause_controls(beam->table, first + i);
  beam->rows = irl_bits_borrow(beam->rows.words, beam->rows.n_vectors, n);
  memset(beam->rows.words, 0, beam->rows.n_vectors * beam->rows.stride * sizeof(uint64_t));
  irl_bits_transpose(beam->part, n, &beam->rows, beam->n_threads);
  beam->part_first = first;
}

static irl_status make_rows(irl_clause_beam *beam) {
  const irl_clause_table *table = beam->table;
  const uint32_t n_columns = irl_clause_n_here(table);
  if (beam->model->budget > IRL_ROWS_LIMIT || !table->set.n || !table->n_controls || !n_columns)
    return IRL_STATUS_OK;
  const size_t affordable = ROW_BYTES / (irl_bits_stride(table->set.n) * sizeof(uint64_t));
  size_t n_rows = table->n_controls < 64 * ROW_WORDS ? table->n_controls : 64 * ROW_WORDS;
  if (n_rows > affordable) n_rows = affordable < 64 ? 64 : affordable / 64 * 64;
  n_rows = (n_rows + 63) / 64 * 64;
  const size_t fitting = PART_BYTES * 8 / n_rows / PART_STEP * PART_STEP;
  beam->n_part = fitting < n_columns ? (uint32_t)fitting : n_columns;
  const size_t stride = irl_bits_stride(beam->n_part);
  beam->part = irl_arena_alloc(&beam->arena, beam->n_part, sizeof *beam->part);
  beam->rows.words = irl_arena_alloc_aligned(&beam->arena, n_rows * stride, sizeof(uint64_t));
  if (!beam->part || !beam->rows.words) return irl_fail_memory(beam->env);
  beam->rows.n_vectors = n_rows;
  irl_beam_turn(beam, 0);
  return IRL_STATUS_OK;
}

irl_status irl_clause_beam_create(const irl_clause_search *search, const irl_clause_table *table,
                                  irl_clause_beam **out) {
  irl_env *env = search->env;
  irl_clause_beam *beam = irl_mem_alloc(&env->allocator, 1, sizeof *beam);
  if (!beam) {
    const irl_status none = irl_fail_memory(env);
    return table->own ? irl_comm_agree(env, none) : none;
  }
  *beam = (irl_clause_beam){.env = env,
                            .model = search->model,
                            .table = table,
                            .limit = search->limit,
                            .n_threads = search->threads};
  irl_arena_init(&beam->arena, &env->allocator);
  beam->threads = irl_arena_alloc(&beam->arena, (size_t)beam->n_threads, sizeof *beam->threads);
  bool done = beam->threads;
  const size_t words = table->stride + irl_bits_stride(table->set.n) + IRL_BITS_BLOCK;
  for (int t = 0; done && t < beam->n_threads; t++) {
    beam->threads[t].scratch = irl_arena_alloc_aligned(&beam->arena, words, sizeof(uint64_t));
    done = beam->threads[t].scratch;
  }
  if (done && table->own) {
    /* Columns that are here for a while: those that stand for clauses while they are extended, or
     * two for each of a batch of new clauses. */
    const size_t n = irl_beam_block(table, irl_comm_size(env));
    beam->block = irl_arena_alloc_aligned(
        &beam->arena, (n > 2 * BATCH ? n : 2 * BATCH) * table->stride, sizeof *beam->block);
    done = beam->block;
  }
  irl_status status = done ? IRL_STATUS_OK : irl_fail_memory(env);
  beam->rate = (double)table->n_cases / ((double)table->n_cases + table->n_controls);
  if (!status) status = make_rows(beam);
  if (table->own) status = irl_comm_agree(env, status);
  if (status)
    irl_clause_beam_free(beam);
  else
    *out = beam;
  return status;
}

void irl_clause_beam_free(irl_clause_beam *beam) {
  if (!beam) return;
  const irl_allocator allocator = beam->env->allocator;
  irl_arena_free(&beam->arena);
  irl_mem_free(&allocator, beam);
}
