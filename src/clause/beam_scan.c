/* How a level of the beam is extended.
 *
 * A chunk of clauses goes over the columns together, tile by tile: each tile is counted for all of
 * them at once, as a block of a matrix product is. Each thread keeps
 * the best of what it saw; the best of the union are the same however the chunks, or the columns of
 * divided data, were shared out, so the result does not depend on threads or processes.
 *
 * The last literal needs no counting of all: the rows of the controls that a clause still covers
 * strike out all literals that keep more than the budget of them, a row at a time (rows_at_most).
 */
#include "base/parallel.h"
#include "base/threads.h"
#include "clause/beam.h"
#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#define CHUNK 16u /* clauses that go over the columns together */

int irl_beam_compare(const void *a, const void *b) {
  const irl_beam_item *x = a, *y = b;
  if (x->score != y->score) return x->score < y->score ? 1 : -1;
  if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

void irl_beam_push(const irl_clause_beam *beam, irl_beam_thread *thread, double score,
                   uint32_t parent, uint32_t column) {
  assert(score > 0 && thread->n < 2 * IRL_BEAM_KEPT * beam->width);
  if (score <= thread->least) return;
  thread->items[thread->n++] = (irl_beam_item){score, parent, column};
  if (thread->n < 2 * IRL_BEAM_KEPT * beam->width) return;
  qsort(thread->items, thread->n, sizeof *thread->items, irl_beam_compare);
  thread->n = IRL_BEAM_KEPT * beam->width;
  thread->least = thread->items[thread->n - 1].score;
  /* Equal scores may still be among the best by their order: keep looking at them. */
  thread->least = nextafter(thread->least, 0);
}

/* The clause of entry `parent`, extended. */
irl_clause irl_beam_extend(const irl_clause_beam *beam, uint32_t parent, uint32_t column) {
  irl_clause clause = {.n = 1};
  if (beam->is_pairs)
    clause.literals[0] = beam->table->set.id[parent];
  else
    clause = beam->clauses[parent];
  assert(clause.n < beam->model->max_size && clause.n + 1 == beam->level);
  clause.literals[clause.n++] = beam->table->set.id[column];
  irl_clause_sort_literals(&clause);
  return clause;
}

bool irl_beam_holds_group(const irl_clause_beam *beam, uint32_t parent, uint32_t column) {
  const uint32_t literal = beam->table->set.id[column];
  if (beam->is_pairs)
    return irl_clause_are_grouped(beam->model->problem, beam->table->set.id[parent], literal);
  const irl_clause *clause = &beam->clauses[parent];
  for (uint32_t i = 0; i < clause->n; i++)
    if (irl_clause_are_grouped(beam->model->problem, clause->literals[i], literal)) return true;
  return false;
}

/* `here`: where the column stands here. */
static void offer(const irl_clause_beam *beam, irl_beam_thread *thread, uint32_t parent,
                  uint32_t here, uint32_t cases, uint32_t controls) {
  const irl_clause_model *model = beam->model;
  const irl_clause_table *table = beam->table;
  const uint32_t column = irl_clause_number(table, here);
  if (cases < model->min_cases ||
      !irl_clause_pool_wants(&thread->pool,
                             cases * model->weight[0] - controls * model->least_weight[1]) ||
      irl_beam_holds_group(beam, parent, column))
    return;
  uint64_t *cover = thread->scratch;
  irl_clause clause = irl_beam_extend(beam, parent, column);
  model->kernels->and_into(cover, irl_beam_cover(beam, parent), irl_clause_cases(table, here),
                           table->stride);
  assert(cases == model->kernels->count(cover, table->case_words));
  assert(controls == model->kernels->count(cover + table->case_words, table->control_words));
  clause.cases = cases;
  clause.controls = controls;
  irl_clause_set_value(model, table, cover, &clause);
  if (clause.value == IRL_CLAUSE_NO_VALUE || !irl_clause_pool_wants(&thread->pool, clause.value))
    return;
  clause.hash = XXH3_64bits(cover, table->stride * sizeof *cover);
  irl_clause_pool_add(&thread->pool, &clause);
}

/* Four counts at a time: the vectors that every CPU has. */
typedef float floats __attribute__((vector_size(16)));
typedef int32_t flags __attribute__((vector_size(16)));

/* Nonzero for columns (is there one?) that are within the budget or whose score is above the least,
 * or not far below it: what a rounding error leaves out must not depend on what the thread saw
 * before. */
#define ROUNDING 1e-3

static bool flag_tile(const irl_clause_beam *beam, double least, const flags *cases,
                      const flags *controls, flags *out) {
  const float rate = (float)beam->rate, floor = (float)(least * (1 - ROUNDING));
  const int32_t budget =
      (int32_t)(beam->model->budget < INT32_MAX ? beam->model->budget : INT32_MAX);
  const flags goes_on = (flags){0} - !beam->is_last;
  flags any = {0};
  for (uint32_t i = 0; i < IRL_CLAUSE_TILE / 4; i++) {
    const floats p = __builtin_convertvector(cases[i], floats);
    const floats both = p + __builtin_convertvector(controls[i], floats);
    const floats more = p - rate * both;
    out[i] = (controls[i] <= budget) | ((more > 0) & (more * more > floor * both) & goes_on);
    any |= out[i];
  }
  return any[0] | any[1] | any[2] | any[3];
}

/* Counts of a chunk of clauses over a tile of columns; zero behind the last column. */
typedef union tile_counts {
  flags vectors[IRL_CLAUSE_TILE / 4];
  uint32_t items[IRL_CLAUSE_TILE];
} tile_counts;

/* What entry `parent` and the columns of a tile, those from `skipped` on, make. */
static void scan_tile(const irl_clause_beam *beam, irl_beam_thread *thread, uint32_t parent,
                      uint32_t first, uint32_t skipped, const tile_counts *const counts[2]) {
  const irl_clause_model *model = beam->model;
  const irl_clause_table *table = beam->table;
  const tile_counts *cases = counts[0], *controls = counts[1];
  const uint32_t n_columns = irl_clause_n_here(table), left = n_columns - first;
  const uint32_t n = left < IRL_CLAUSE_TILE ? left : IRL_CLAUSE_TILE;
  const uint32_t before =
      beam->is_pairs ? table->set.controls[parent] : beam->clauses[parent].controls;
  tile_counts flagged;
  assert(skipped < n);
  thread->work += (n - skipped) * table->stride;
  if (!flag_tile(beam, thread->least, cases->vectors, controls->vectors, flagged.vectors)) return;
  for (uint32_t i = skipped; i < n; i++) {
    if (!flagged.items[i]) continue;
    const uint32_t p = cases->items[i], q = controls->items[i];
    if (q <= model->budget) {
      offer(beam, thread, parent, first + i, p, q);
      if (!model->weight[1]) continue;
    }
    const double both = (double)p + q, more = p - beam->rate * both;
    if (!beam->is_last && q != before && more > 0)
      irl_beam_push(beam, thread, more * more / both, parent, irl_clause_number(table, first + i));
  }
}

static void scan_chunk(const irl_clause_beam *beam, irl_beam_thread *thread, uint32_t first,
                       uint32_t n) {
  const irl_clause_table *table = beam->table;
  const irl_kernels *kernels = beam->model->kernels;
  const uint32_t n_columns = irl_clause_n_here(table), *own = table->own;
  const uint64_t *covers = irl_beam_cover(beam, first);
  uint32_t after[CHUNK] = {0}; /* pairs: columns before these were counted already */
  tile_counts counts[2][CHUNK];
  memset(counts, 0, sizeof counts);
  assert(n && n <= CHUNK &&
         irl_beam_cover(beam, first + n - 1) == covers + (n - 1) * table->stride);
  for (uint32_t i = 0; beam->is_pairs && i < n; i++) {
    after[i] = own ? 0 : first + i + 1;
    while (own && after[i] < n_columns && own[after[i]] <= first + i) after[i]++;
  }
  for (uint32_t start = after[0] / IRL_CLAUSE_TILE * IRL_CLAUSE_TILE; start < n_columns;
       start += IRL_CLAUSE_TILE) {
    const uint32_t end = n_columns - start < IRL_CLAUSE_TILE ? n_columns : start + IRL_CLAUSE_TILE;
    const uint64_t *columns = irl_clause_cases(table, start);
    if (end < start + IRL_CLAUSE_TILE) memset(counts, 0, sizeof counts);
    kernels->and_count_block(covers, table->stride, n, columns, table->stride, end - start,
                             table->case_words, counts[0][0].items, IRL_CLAUSE_TILE);
    kernels->and_count_block(covers + table->case_words, table->stride, n,
                             columns + table->case_words, table->stride, end - start,
                             table->control_words, counts[1][0].items, IRL_CLAUSE_TILE);
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t skipped = start < after[i] ? after[i] - start : 0;
      const tile_counts *const both[2] = {&counts[0][i], &counts[1][i]};
      if (start + skipped < end) scan_tile(beam, thread, first + i, start, skipped, both);
    }
  }
}

/* The last literal by rows, if it is one of those whose rows are there. */
static void finish_clause(const irl_clause_beam *beam, irl_beam_thread *thread, uint32_t parent) {
  const irl_clause_model *model = beam->model;
  const irl_clause_table *table = beam->table;
  const uint64_t *cover = irl_beam_cover(beam, parent);
  uint64_t *mask = thread->scratch + table->stride;
  const size_t words = beam->rows.stride;
  const size_t selected = beam->rows.n_vectors / 64;
  assert(selected && selected <= table->control_words && model->budget <= IRL_ROWS_LIMIT);
  irl_bits_fill(mask, beam->rows.n_bits, words);
  model->kernels->rows_at_most(mask, mask, words, beam->rows.words, beam->rows.stride,
                               cover + table->case_words, selected, model->budget);
  /* Counted once, whoever has the columns. */
  if (!irl_comm_rank(beam->env) && !beam->part_first)
    thread->work += irl_bits_stride(table->set.n) * (16 + 2 * model->budget);
  for (size_t w = 0; w < words; w++)
    for (uint64_t bits = mask[w]; bits; bits &= bits - 1) {
      const uint32_t here = beam->part_first + (uint32_t)(64 * w + (uint32_t)__builtin_ctzll(bits));
      const uint32_t cases = (uint32_t)model->kernels->and_count(
          cover, irl_clause_cases(table, here), table->case_words);
      const uint32_t controls = (uint32_t)model->kernels->and_count(
          cover + table->case_words, irl_clause_controls(table, here), table->control_words);
      thread->work += table->stride;
      if (controls <= model->budget) offer(beam, thread, parent, here, cases, controls);
    }
}

/* Extends the first n clauses, one by one or by rows, by what these are about; false: cut. */
static bool scan_some(irl_clause_beam *beam, uint32_t begin, uint32_t n_clauses, bool by_rows) {
  const uint32_t n_chunks = (n_clauses + CHUNK - 1) / CHUNK;
  bool is_cut = false;
#pragma omp parallel for num_threads(                                                              \
    irl_threads_for(beam->n_threads, n_clauses, irl_clause_scan_work(beam->table)))                \
    schedule(dynamic, 1) reduction(||                                                              \
                                   : is_cut)
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    irl_beam_thread *thread = &beam->threads[irl_thread_number()];
    const uint32_t first = begin + chunk * CHUNK, left = begin + n_clauses - first;
    const uint32_t n = left < CHUNK ? left : CHUNK;
    if (is_cut || irl_limit_poll(beam->limit)) {
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

static bool scan_range(irl_clause_beam *beam, uint32_t begin, uint32_t n_clauses) {
  const bool by_rows = beam->is_last && beam->rows.words;
  const uint32_t n_columns = irl_clause_n_here(beam->table);
  if (!by_rows) return scan_some(beam, begin, n_clauses, false);
  for (uint32_t first = 0; first < n_columns; first += beam->n_part) {
    if (beam->part_first != first) irl_beam_turn(beam, first);
    if (!scan_some(beam, begin, n_clauses, true)) return false;
  }
  return true;
}

/* Divided data: some clauses at a time, so that the columns that stand for them at the first level
 * need not be held all at once, and that all end together when one is cut. */
irl_status irl_beam_scan(irl_clause_beam *beam, bool *is_cut) {
  const bool is_divided = beam->table->own;
  const uint32_t size =
      is_divided ? irl_beam_block(beam->table, irl_comm_size(beam->env)) : beam->n;
  uint32_t numbers[IRL_BEAM_BLOCK];
  irl_status status = IRL_STATUS_OK;
  *is_cut = false;
  for (uint32_t first = 0; first < beam->n && !status && !*is_cut; first += size) {
    const uint32_t n = beam->n - first < size ? beam->n - first : size;
    beam->block_first = first;
    for (uint32_t i = 0; is_divided && i < n; i++) numbers[i] = first + i;
    if (is_divided && beam->is_pairs)
      status = irl_clause_fetch(beam->env, beam->model, beam->table, numbers, n, beam->block);
    if (status) break;
    *is_cut = !scan_range(beam, first, n);
    if (is_divided) status = irl_comm_any(beam->env, is_cut);
  }
  return status;
}
