/* Clauses that cover many cases: tables of the literals that cover enough cases with those chosen,
 * packed to these cases and turned to rows (covering.c has the method). */
#include "base/memory.h"
#include "clause/covering_worker.h"

#define MANY               128u /* literals that are worth a table */
#define CONTROL_WORDS      4u   /* of controls that a last literal is tried on before the cases */
#define CONTROL_MASK_WORDS 16u  /* among which they are found */

static size_t n_blocks(uint32_t n) {
  return ((size_t)n + IRL_ROWS_COLUMNS - 1) / IRL_ROWS_COLUMNS;
}

/* Room for n candidates over so many cases. */
static bool make_room(const irl_clause_model *model, irl_covering_table *t, uint32_t n,
                      size_t words) {
  const irl_allocator *allocator = &model->allocator;
  const size_t blocks = n_blocks(n), most = model->root.set.n + 1u;
  if (!t->column) { /* what does not depend on the packing, once */
    t->column = irl_mem_alloc(allocator, most, sizeof *t->column);
    t->cases = irl_mem_alloc(allocator, most, sizeof *t->cases);
    t->ids = irl_mem_alloc(allocator, most * model->max_size, sizeof *t->ids);
    t->lists =
        irl_mem_alloc(allocator, IRL_COVERING_CHUNK * 64 * model->root.case_words + IRL_ROWS_SLACK,
                      sizeof *t->lists);
    t->control_lists =
        irl_mem_alloc(allocator, IRL_COVERING_CHUNK * 64 * CONTROL_WORDS + IRL_ROWS_SLACK,
                      sizeof *t->control_lists);
    if (!t->column || !t->cases || !t->ids || !t->lists || !t->control_lists) return false;
  }
  return irl_clause_reserve_words(allocator, &t->columns, n * words) &&
         irl_clause_reserve_words(allocator, &t->control_columns, n * CONTROL_WORDS) &&
         irl_clause_reserve_words(allocator, &t->control_rows,
                                  blocks * 64 * CONTROL_WORDS * IRL_BITS_BLOCK) &&
         irl_clause_reserve_words(allocator, &t->rows, blocks * 64 * words * IRL_BITS_BLOCK) &&
         irl_clause_reserve_words(allocator, &t->alive,
                                  IRL_COVERING_CHUNK * blocks * IRL_BITS_BLOCK);
}

/* The rows of the table's columns: ones where a candidate misses the case. */
static void turn_rows(irl_covering_worker *w, irl_covering_table *t) {
  for (uint32_t first = 0; first < t->n; first += IRL_ROWS_COLUMNS)
    irl_clause_turn_rows(t->columns.words + first * t->words, t->words,
                         t->n - first < IRL_ROWS_COLUMNS ? t->n - first : IRL_ROWS_COLUMNS,
                         (uint32_t)t->words, ~(uint64_t)0,
                         t->rows.words + n_blocks(first) * 64 * t->words * IRL_BITS_BLOCK);
  w->work += 4 * t->n * t->words;
}

/* The last literal of a clause may cover as few controls as a clause may. Where that is less than
 * it may miss of the cases, it is tried on some of the controls first: a random literal covers half
 * of them, so that a whole block is struck out after few rows. */
static void turn_controls(irl_covering_worker *w, irl_covering_table *t) {
  const irl_clause_model *model = w->job->search->model;
  const uint32_t most = w->job->thresholds->max_controls;
  uint64_t mask[CONTROL_MASK_WORDS] = {0};
  uint32_t n = 0;
  t->has_controls = false;
  if (w->clause.n + 2 != model->max_size ||
      !irl_covering_has_controls(w->job->thresholds, t->words))
    return;
  const uint64_t *controls = irl_covering_path_controls(w, w->clause.n);
  const size_t words = model->root.control_words < CONTROL_MASK_WORDS ? model->root.control_words
                                                                      : CONTROL_MASK_WORDS;
  for (size_t i = 0; i < words && n < 64 * CONTROL_WORDS; i++)
    for (uint64_t bits = controls[i]; bits && n < 64 * CONTROL_WORDS; bits &= bits - 1, n++)
      mask[i] |= bits & -bits;
  if (n < 2 * IRL_COVERING_ROWS(most)) return;
  model->kernels->gather_many(t->control_columns.words, CONTROL_WORDS, CONTROL_WORDS,
                              model->root.words + model->root.case_words, model->root.stride,
                              t->column, t->n, mask, words);
  for (uint32_t first = 0; first < t->n; first += IRL_ROWS_COLUMNS)
    irl_clause_turn_rows(
        t->control_columns.words + first * CONTROL_WORDS, CONTROL_WORDS,
        t->n - first < IRL_ROWS_COLUMNS ? t->n - first : IRL_ROWS_COLUMNS, CONTROL_WORDS, 0,
        t->control_rows.words + n_blocks(first) * 64 * CONTROL_WORDS * IRL_BITS_BLOCK);
  t->has_controls = true;
  assert(n <= 64 * CONTROL_WORDS && t->n <= model->root.set.n);
  w->work += t->n * (words + 4 * CONTROL_WORDS);
}

static void try_table(irl_covering_worker *w, irl_covering_table *t);

/* The table for the clause so far, of the literals `ids` of the table before, on the cases of its
 * column c. */
static void open_table(irl_covering_worker *w, const irl_covering_table *t, uint32_t c,
                       const uint32_t *ids, uint32_t n) {
  const irl_clause_model *model = w->job->search->model;
  const irl_kernels *kernels = model->kernels;
  irl_covering_table *next = &w->tables[w->clause.n];
  const uint64_t *mask = t->columns.words + c * t->words;
  const size_t words = ((size_t)t->cases[c] + 63) / 64;
  if (!make_room(model, next, n, words)) {
    w->ending = IRL_ENDED_BY_MEMORY;
    return;
  }
  next->n = n;
  next->words = words;
  kernels->gather_many(next->columns.words, words, words, t->columns.words, t->words, ids, n, mask,
                       t->words);
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t *column = next->columns.words + i * words;
    next->column[i] = t->column[ids[i]];
    next->cases[i] =
        irl_covering_and_words(irl_covering_path_cases(w, w->clause.n), column, column, words);
  }
  w->work += n * (t->words + words);
  turn_rows(w, next);
  turn_controls(w, next);
  try_table(w, next);
}

/* Candidate c is chosen; `alive`: the literals that cover enough cases with it. */
static void take_next(irl_covering_worker *w, irl_covering_table *t, uint32_t c,
                      const uint64_t *alive) {
  const size_t words = n_blocks(t->n) * IRL_BITS_BLOCK;
  uint32_t n = 0;
  irl_covering_push(w, t->column[c]);
  for (size_t word = c / IRL_ROWS_COLUMNS * IRL_BITS_BLOCK; word < words; word++)
    for (uint64_t bits = alive[word]; bits; bits &= bits - 1) {
      const uint32_t b = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(bits);
      assert(b > c && b < t->n);
      if (!irl_covering_is_grouped(w, t->column[b])) t->ids[n++] = b;
    }
  if (n >= MANY && w->clause.n + 1 < w->job->search->model->max_size)
    open_table(w, t, c, t->ids, n);
  else if (n)
    irl_covering_extend(w, t, t->columns.words + c * t->words, t->ids, n);
  w->clause.n--;
}

/* What may follow c in a block: columns after c. */
static void start_alive(const irl_covering_table *t, uint32_t c, size_t block, uint64_t *alive) {
  const uint32_t first = (uint32_t)block * IRL_ROWS_COLUMNS, left = t->n - first;
  irl_bits_fill(alive, left < IRL_ROWS_COLUMNS ? left : IRL_ROWS_COLUMNS, IRL_BITS_BLOCK);
  if (c < first) return;
  const uint32_t gone = c - first + 1; /* up to c itself */
  for (uint32_t w = 0; w < gone / 64; w++) alive[w] = 0;
  if (gone % 64) alive[gone / 64] &= ~(uint64_t)0 << gone % 64;
}

/* Strikes out what covers too many controls with candidate i of the chunk; is any left? */
static bool strike_controls(irl_covering_worker *w, const irl_covering_table *t, uint32_t i,
                            size_t block, uint64_t *alive) {
  const uint32_t most = w->job->thresholds->max_controls, n = t->control_sizes[i];
  assert(t->has_controls && block < n_blocks(t->n));
  w->work += n < IRL_COVERING_ROWS(most) ? n : IRL_COVERING_ROWS(most);
  return w->job->kernels->few_rows(
      alive, alive, t->control_rows.words + block * 64 * CONTROL_WORDS * IRL_BITS_BLOCK,
      t->control_lists + i * 64 * CONTROL_WORDS, n, most);
}

/* The candidates first .. first + n - 1, one after the other. */
static void try_chunk(irl_covering_worker *w, irl_covering_table *t, uint32_t first, uint32_t n) {
  const irl_row_kernels *kernels = w->job->kernels;
  const size_t blocks = n_blocks(t->n), row_words = 64 * t->words * IRL_BITS_BLOCK;
  const uint32_t least = w->job->thresholds->min_cases;
  for (uint32_t i = 0; i < n; i++) { /* the cases that the chosen ones and each of them cover */
    t->list_sizes[i] =
        (uint32_t)kernels->list_rows(t->columns.words + (first + i) * t->words, t->words,
                                     IRL_BITS_BLOCK, t->lists + i * 64 * t->words);
    w->work += t->words;
    assert(t->list_sizes[i] == t->cases[first + i]);
    if (t->has_controls)
      t->control_sizes[i] = (uint32_t)kernels->list_rows(
          t->control_columns.words + (first + i) * CONTROL_WORDS, CONTROL_WORDS, IRL_BITS_BLOCK,
          t->control_lists + i * 64 * CONTROL_WORDS);
  }
  for (size_t block = first / IRL_ROWS_COLUMNS; block < blocks && !irl_covering_must_end(w);
       block++)
    for (uint32_t i = 0; i < n; i++) {
      uint64_t *alive = t->alive.words + (i * blocks + block) * IRL_BITS_BLOCK;
      start_alive(t, first + i, block, alive);
      if (t->has_controls && !strike_controls(w, t, i, block, alive)) continue;
      kernels->few_rows(alive, alive, t->rows.words + block * row_words,
                        t->lists + i * 64 * t->words, t->list_sizes[i], t->list_sizes[i] - least);
      w->work += t->list_sizes[i];
    }
  for (uint32_t i = 0; i < n && !irl_covering_must_end(w); i++)
    take_next(w, t, first + i, t->alive.words + i * blocks * IRL_BITS_BLOCK);
}

/* All clauses that begin with those chosen and have a candidate more, or several. */
static void try_table(irl_covering_worker *w, irl_covering_table *t) {
  for (uint32_t i = 0; i < t->n && !irl_covering_must_end(w); i++)
    irl_covering_keep(w, t->column[i], t->cases[i], irl_covering_count_controls(w, t->column[i]));
  if (w->clause.n + 1 == w->job->search->model->max_size) return;
  for (uint32_t c = 0; c + 1 < t->n && !irl_covering_must_end(w); c += IRL_COVERING_CHUNK)
    try_chunk(w, t, c, t->n - c < IRL_COVERING_CHUNK ? t->n - c : IRL_COVERING_CHUNK);
}

/* The table of the literals after column a of the root that cover enough cases with it. */
void irl_covering_try_first(irl_covering_worker *w, uint32_t a) {
  const irl_clause_model *model = w->job->search->model;
  const irl_clause_table *root = &model->root;
  const uint32_t later = root->set.n - a - 1, least = w->job->thresholds->min_cases;
  irl_covering_table *t = &w->tables[1];
  w->clause.n = 0;
  if (root->set.cases[a] < least) return;
  irl_covering_keep(w, a, root->set.cases[a], root->set.controls[a]);
  t->n = 0;
  t->words = ((size_t)root->set.cases[a] + 63) / 64;
  if (!make_room(model, t, root->set.n, t->words)) w->ending = IRL_ENDED_BY_MEMORY;
  if (!later || irl_covering_must_end(w)) return;
  w->clause.literals[w->clause.n++] = root->set.id[a];
  memcpy(irl_covering_path_controls(w, 1), irl_covering_controls(w, a),
         root->control_words * sizeof(uint64_t));
  model->kernels->and_count_many(irl_clause_cases(root, a), irl_clause_cases(root, a + 1),
                                 root->stride, NULL, later, root->case_words, t->ids);
  for (uint32_t i = 0; i < later; i++) {
    t->column[t->n] = a + 1 + i;
    t->cases[t->n] = t->ids[i];
    t->n += t->ids[i] >= least && !irl_covering_is_grouped(w, a + 1 + i);
  }
  model->kernels->gather_many(t->columns.words, t->words, t->words, root->words, root->stride,
                              t->column, t->n, irl_clause_cases(root, a), root->case_words);
  w->work += (later + t->n) * root->case_words;
  turn_rows(w, t);
  turn_controls(w, t);
  try_table(w, t);
}
