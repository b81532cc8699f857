/* All clauses that cover many cases, for many features and few cases.
 *
 * Where a threshold on the cases is all that prunes, almost every pair of literals passes it and
 * hardly any triple: all triples have to be counted, J^3 / 6 of them. So the first literal is
 * fixed, the columns are packed to the cases that it covers and turned to rows, a bit per column,
 * in blocks of 512 columns which stay in the first cache. The second literal then picks the rows of
 * the cases that both cover; a third literal of a block may miss at most as many of them as are
 * beyond the threshold, and one pass of counters over these rows (bits/row_kernels.h) says for all
 * 512 at once which do. A random literal misses half of the rows, so that the whole block is struck
 * out before the last row.
 *
 * What is left are the triples that cover enough cases, exactly. The third literals of a pair are
 * also all that a clause with this pair can be longer by. Where they are few, further literals are
 * tried among them depth first, a column of a few words each; where they are many, as for two
 * literals of a clause that stands out, they are a table of their own, packed to the cases of the
 * pair, and it begins again. Every set of literals is met once, in the order of the columns
 * (ascending cases).
 *
 * A single literal that covers hardly a control would make a list of millions, all of them within
 * its cover: where such lists are for a bound, it stands for all of them (a stem).
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

#define CHUNK              64u  /* next literals whose lists of rows are made together */
#define TASK_FIRSTS        2u   /* first literals of a task */
#define MANY               128u /* literals that are worth a table */
#define CONTROL_WORDS      4u   /* of controls that a last literal is tried on before the cases */
#define CONTROL_MASK_WORDS 16u  /* among which they are found */
#define WORK_TO_POLL       1000000u

struct covering {
  const irl_clause_search *search;
  const irl_clause_thresholds *thresholds;
  int64_t stem_controls;
  const irl_row_kernels *kernels;
  struct worker *workers;   /* one per thread */
  irl_clause_array *stores; /* of each task, empty once joined */
  irl_clause_array *all;
  size_t cap;
  uint32_t n_tasks;
  double began, reported; /* by the clock */
  bool is_full;
  atomic_bool is_out_of_memory;
};

/* The literals that cover enough cases with those chosen so far. */
struct candidates {
  uint32_t n;
  uint32_t *column, *cases; /* in the root; covered together with the chosen ones */
  size_t words;             /* of a column, packed to the cases of the chosen ones */
  irl_clause_words columns, rows, alive;
  /* The same for the first controls of the chosen ones, where the next but one literal is the last
   * of a clause: ones where a candidate covers the control. */
  bool has_controls;
  irl_clause_words control_columns, control_rows;
  uint16_t *control_lists;
  uint32_t control_sizes[CHUNK];
  uint16_t *lists;            /* of rows, for each next literal of a chunk */
  uint32_t list_sizes[CHUNK]; /* their lengths */
  uint32_t *ids;              /* literals after the next, n for each further depth */
};

/* All that one thread writes. */
struct worker {
  const struct covering *job;
  uint64_t work, max_work, next_poll;
  bool is_cut, is_out_of_memory;
  irl_clause_array *store;
  irl_clause clause;         /* the literals chosen so far, in the order of choice */
  struct candidates *tables; /* by the number of literals chosen, from 1 */
  irl_clause_words covers;   /* by that number: controls, and a column of cases */
};

static bool must_end(struct worker *w) {
  if (w->is_cut || w->is_out_of_memory) return true;
  if (w->work >= w->max_work) return w->is_cut = true;
  if (w->work < w->next_poll) return false;
  w->next_poll = w->work + WORK_TO_POLL;
  return w->is_cut = irl_limit_poll(w->job->search->limit);
}

static size_t n_blocks(uint32_t n) {
  return ((size_t)n + IRL_ROWS_COLUMNS - 1) / IRL_ROWS_COLUMNS;
}

static const uint64_t *controls_of(const struct worker *w, uint32_t column) {
  return irl_clause_controls(&w->job->search->model->root, column);
}

/* The controls of the first n literals chosen, and scratch for their cases. */
static uint64_t *path_controls(const struct worker *w, uint32_t n) {
  return w->covers.words + n * w->job->search->model->root.stride;
}
static uint64_t *path_cases(const struct worker *w, uint32_t n) {
  return path_controls(w, n) + w->job->search->model->root.control_words;
}

/* One more literal is chosen; how many controls all of them cover. */
static uint64_t push(struct worker *w, uint32_t column) {
  const irl_clause_model *model = w->job->search->model;
  const uint32_t n = w->clause.n++;
  w->clause.literals[n] = model->root.set.id[column];
  w->work += model->root.control_words;
  return model->kernels->and_into(path_controls(w, n + 1), path_controls(w, n),
                                  controls_of(w, column), model->root.control_words);
}

/* Controls of the clause so far and one more literal, counted until they are too many. */
static uint64_t count_controls(struct worker *w, uint32_t column) {
  const irl_clause_model *model = w->job->search->model;
  const uint64_t *a = path_controls(w, w->clause.n), *b = controls_of(w, column);
  const size_t words = model->root.control_words;
  const uint32_t most = w->job->thresholds->max_controls;
  uint64_t n = 0;
  size_t at = 0;
  assert(w->clause.n && w->clause.n < model->max_literals);
  while (at < words && n <= most) {
    const size_t part =
        words - at < IRL_COVERING_CONTROL_PART ? words - at : IRL_COVERING_CONTROL_PART;
    n += model->kernels->and_count(a + at, b + at, part);
    at += part;
  }
  w->work += at;
  return n;
}

static bool is_grouped(const struct worker *w, uint32_t column) {
  const irl_clause_model *model = w->job->search->model;
  for (uint32_t i = 0; i < w->clause.n; i++)
    if (irl_clause_are_grouped(model->problem, w->clause.literals[i], model->root.set.id[column]))
      return true;
  return false;
}

static void add(struct worker *w, irl_clause *clause) {
  if (w->is_cut) return;
  irl_clause_sort_literals(clause);
  if (w->store->n > w->job->cap) /* one more than the list has room for says that there are more */
    w->is_cut = true;
  else if (!irl_clause_array_add(w->store, clause))
    w->is_out_of_memory = true;
}

/* Does the literal stand for all clauses that contain it? */
static bool is_stem(const struct covering *job, uint32_t column) {
  return (int64_t)job->search->model->root.set.controls[column] <= job->stem_controls;
}

/* Keeps a literal that stands for all clauses that contain it. */
static void keep_stem(struct worker *w, uint32_t column) {
  const irl_clause_table *root = &w->job->search->model->root;
  irl_clause clause = {.value = IRL_COVERING_STEM, .n = 1};
  assert(!w->clause.n && root->set.cases[column] >= w->job->thresholds->min_cases);
  clause.literals[0] = root->set.id[column];
  clause.cases = root->set.cases[column];
  clause.controls = root->set.controls[column];
  add(w, &clause);
}

/* Keeps the clause so far and one more literal. */
static void keep(struct worker *w, uint32_t column, uint32_t cases, uint64_t controls) {
  const struct covering *job = w->job;
  assert(cases >= job->thresholds->min_cases);
  if (!irl_covering_is_wanted(job->search->model, job->thresholds, cases, controls)) return;
  irl_clause clause = w->clause;
  clause.literals[clause.n++] = job->search->model->root.set.id[column];
  clause.value = 0;
  clause.cases = cases;
  clause.controls = (uint32_t)controls;
  add(w, &clause);
}

/* ---- few literals ---- */

static uint32_t and_words(uint64_t *into, const uint64_t *a, const uint64_t *b, size_t n_words) {
  uint32_t n = 0;
  for (size_t w = 0; w < n_words; w++) n += (uint32_t)__builtin_popcountll(into[w] = a[w] & b[w]);
  return n;
}

/* The clause so far, whose cases are given as a column of the table, with one of the n literals
 * each, which all cover enough cases with it; and with more of them. */
static void extend(struct worker *w, const struct candidates *t, const uint64_t *cases,
                   uint32_t *ids, uint32_t n) {
  const irl_clause_search *search = w->job->search;
  const uint32_t depth = w->clause.n, least = w->job->thresholds->min_cases;
  uint64_t *joint = path_cases(w, depth + 1);
  for (uint32_t i = 0; i < n && !must_end(w); i++) {
    const uint32_t column = t->column[ids[i]];
    const uint32_t covered =
        and_words(joint, cases, t->columns.words + ids[i] * t->words, t->words);
    w->work += t->words;
    if (depth + 1 == search->model->max_literals || i + 1 == n) {
      keep(w, column, covered, count_controls(w, column));
      continue;
    }
    const uint64_t controls = push(w, column);
    w->clause.n--;
    keep(w, column, covered, controls);
    w->clause.n++;
    uint32_t *further = ids + n, n_further = n - i - 1, kept = 0;
    memcpy(further, ids + i + 1, n_further * sizeof *further);
    w->work += 2 * n_further; /* most are out at the first word or the second */
    n_further = (uint32_t)w->job->kernels->keep_close(joint, t->words, t->columns.words, t->words,
                                                      further, n_further, covered - least);
    for (uint32_t k = 0; k < n_further; k++)
      if (!is_grouped(w, t->column[further[k]])) further[kept++] = further[k];
    if (kept) extend(w, t, joint, further, kept);
    w->clause.n--;
  }
}

/* ---- many literals: a table ---- */

/* Room for n candidates over so many cases. */
static bool make_room(const irl_clause_model *model, struct candidates *t, uint32_t n,
                      size_t words) {
  const irl_allocator *allocator = &model->allocator;
  const size_t blocks = n_blocks(n), most = model->root.set.n + 1u;
  if (!t->column) { /* what does not depend on the packing, once */
    t->column = irl_mem_alloc(allocator, most, sizeof *t->column);
    t->cases = irl_mem_alloc(allocator, most, sizeof *t->cases);
    t->ids = irl_mem_alloc(allocator, most * model->max_literals, sizeof *t->ids);
    t->lists = irl_mem_alloc(allocator, CHUNK * 64 * model->root.case_words + IRL_ROWS_SLACK,
                             sizeof *t->lists);
    t->control_lists = irl_mem_alloc(allocator, CHUNK * 64 * CONTROL_WORDS + IRL_ROWS_SLACK,
                                     sizeof *t->control_lists);
    if (!t->column || !t->cases || !t->ids || !t->lists || !t->control_lists) return false;
  }
  return irl_clause_reserve_words(allocator, &t->columns, n * words) &&
         irl_clause_reserve_words(allocator, &t->control_columns, n * CONTROL_WORDS) &&
         irl_clause_reserve_words(allocator, &t->control_rows,
                                  blocks * 64 * CONTROL_WORDS * IRL_BITS_BLOCK) &&
         irl_clause_reserve_words(allocator, &t->rows, blocks * 64 * words * IRL_BITS_BLOCK) &&
         irl_clause_reserve_words(allocator, &t->alive, CHUNK * blocks * IRL_BITS_BLOCK);
}

/* The rows of the table's columns: ones where a candidate misses the case. */
static void turn_rows(struct worker *w, struct candidates *t) {
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
static void turn_controls(struct worker *w, struct candidates *t) {
  const irl_clause_model *model = w->job->search->model;
  const uint32_t most = w->job->thresholds->max_controls;
  uint64_t mask[CONTROL_MASK_WORDS] = {0};
  uint32_t n = 0;
  t->has_controls = false;
  if (w->clause.n + 2 != model->max_literals ||
      !irl_covering_has_controls(w->job->thresholds, t->words))
    return;
  const uint64_t *controls = path_controls(w, w->clause.n);
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

static void try_table(struct worker *w, struct candidates *t);

/* The table for the clause so far, of the literals `ids` of the table before, on the cases of its
 * column c. */
static void open_table(struct worker *w, const struct candidates *t, uint32_t c,
                       const uint32_t *ids, uint32_t n) {
  const irl_clause_model *model = w->job->search->model;
  const irl_kernels *kernels = model->kernels;
  struct candidates *next = &w->tables[w->clause.n];
  const uint64_t *mask = t->columns.words + c * t->words;
  const size_t words = ((size_t)t->cases[c] + 63) / 64;
  if (!make_room(model, next, n, words)) {
    w->is_out_of_memory = true;
    return;
  }
  next->n = n;
  next->words = words;
  kernels->gather_many(next->columns.words, words, words, t->columns.words, t->words, ids, n, mask,
                       t->words);
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t *column = next->columns.words + i * words;
    next->column[i] = t->column[ids[i]];
    next->cases[i] = and_words(path_cases(w, w->clause.n), column, column, words);
  }
  w->work += n * (t->words + words);
  turn_rows(w, next);
  turn_controls(w, next);
  try_table(w, next);
}

/* Candidate c is chosen; `alive`: the literals that cover enough cases with it. */
static void take_next(struct worker *w, struct candidates *t, uint32_t c, const uint64_t *alive) {
  const size_t words = n_blocks(t->n) * IRL_BITS_BLOCK;
  uint32_t n = 0;
  push(w, t->column[c]);
  for (size_t word = c / IRL_ROWS_COLUMNS * IRL_BITS_BLOCK; word < words; word++)
    for (uint64_t bits = alive[word]; bits; bits &= bits - 1) {
      const uint32_t b = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(bits);
      assert(b > c && b < t->n);
      if (!is_grouped(w, t->column[b])) t->ids[n++] = b;
    }
  if (n >= MANY && w->clause.n + 1 < w->job->search->model->max_literals)
    open_table(w, t, c, t->ids, n);
  else if (n)
    extend(w, t, t->columns.words + c * t->words, t->ids, n);
  w->clause.n--;
}

/* What may follow c in a block: columns after c. */
static void start_alive(const struct candidates *t, uint32_t c, size_t block, uint64_t *alive) {
  const uint32_t first = (uint32_t)block * IRL_ROWS_COLUMNS, left = t->n - first;
  irl_bits_fill(alive, left < IRL_ROWS_COLUMNS ? left : IRL_ROWS_COLUMNS, IRL_BITS_BLOCK);
  if (c < first) return;
  const uint32_t gone = c - first + 1; /* up to c itself */
  for (uint32_t w = 0; w < gone / 64; w++) alive[w] = 0;
  if (gone % 64) alive[gone / 64] &= ~(uint64_t)0 << gone % 64;
}

/* Strikes out what covers too many controls with candidate i of the chunk; is any left? */
static bool strike_controls(struct worker *w, const struct candidates *t, uint32_t i, size_t block,
                            uint64_t *alive) {
  const uint32_t most = w->job->thresholds->max_controls, n = t->control_sizes[i];
  assert(t->has_controls && block < n_blocks(t->n));
  w->work += n < IRL_COVERING_ROWS(most) ? n : IRL_COVERING_ROWS(most);
  return w->job->kernels->few_rows(
      alive, alive, t->control_rows.words + block * 64 * CONTROL_WORDS * IRL_BITS_BLOCK,
      t->control_lists + i * 64 * CONTROL_WORDS, n, most);
}

/* The candidates first .. first + n - 1, one after the other. */
static void try_chunk(struct worker *w, struct candidates *t, uint32_t first, uint32_t n) {
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
  for (size_t block = first / IRL_ROWS_COLUMNS; block < blocks && !must_end(w); block++)
    for (uint32_t i = 0; i < n; i++) {
      uint64_t *alive = t->alive.words + (i * blocks + block) * IRL_BITS_BLOCK;
      start_alive(t, first + i, block, alive);
      if (t->has_controls && !strike_controls(w, t, i, block, alive)) continue;
      kernels->few_rows(alive, alive, t->rows.words + block * row_words,
                        t->lists + i * 64 * t->words, t->list_sizes[i], t->list_sizes[i] - least);
      w->work += t->list_sizes[i];
    }
  for (uint32_t i = 0; i < n && !must_end(w); i++)
    take_next(w, t, first + i, t->alive.words + i * blocks * IRL_BITS_BLOCK);
}

/* All clauses that begin with those chosen and have a candidate more, or several. */
static void try_table(struct worker *w, struct candidates *t) {
  for (uint32_t i = 0; i < t->n && !must_end(w); i++)
    keep(w, t->column[i], t->cases[i], count_controls(w, t->column[i]));
  if (w->clause.n + 1 == w->job->search->model->max_literals) return;
  for (uint32_t c = 0; c + 1 < t->n && !must_end(w); c += CHUNK)
    try_chunk(w, t, c, t->n - c < CHUNK ? t->n - c : CHUNK);
}

/* The table of the literals after column a of the root that cover enough cases with it. */
static void try_first(struct worker *w, uint32_t a) {
  const irl_clause_model *model = w->job->search->model;
  const irl_clause_table *root = &model->root;
  const uint32_t later = root->set.n - a - 1, least = w->job->thresholds->min_cases;
  struct candidates *t = &w->tables[1];
  w->clause.n = 0;
  if (root->set.cases[a] < least) return;
  if (is_stem(w->job, a)) {
    keep_stem(w, a);
    return;
  }
  keep(w, a, root->set.cases[a], root->set.controls[a]);
  t->n = 0;
  t->words = ((size_t)root->set.cases[a] + 63) / 64;
  if (!make_room(model, t, root->set.n, t->words)) w->is_out_of_memory = true;
  if (!later || must_end(w)) return;
  w->clause.literals[w->clause.n++] = root->set.id[a];
  memcpy(path_controls(w, 1), controls_of(w, a), root->control_words * sizeof(uint64_t));
  model->kernels->and_count_many(irl_clause_cases(root, a), irl_clause_cases(root, a + 1),
                                 root->stride, NULL, later, root->case_words, t->ids);
  for (uint32_t i = 0; i < later; i++) {
    t->column[t->n] = a + 1 + i;
    t->cases[t->n] = t->ids[i];
    t->n += t->ids[i] >= least && !is_grouped(w, a + 1 + i) && !is_stem(w->job, a + 1 + i);
  }
  model->kernels->gather_many(t->columns.words, t->words, t->words, root->words, root->stride,
                              t->column, t->n, irl_clause_cases(root, a), root->case_words);
  w->work += (later + t->n) * root->case_words;
  turn_rows(w, t);
  turn_controls(w, t);
  try_table(w, t);
}

/* ---- tasks ---- */
static uint64_t run_task(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done) {
  struct covering *job = user;
  struct worker *w = &job->workers[thread];
  const uint32_t n = job->search->model->root.set.n;
  w->store = &job->stores[task];
  w->store->n = 0;
  w->work = w->next_poll = 0;
  w->max_work = max_work;
  w->is_cut = false;
  for (uint32_t a = task * TASK_FIRSTS; a < n && a < (task + 1) * TASK_FIRSTS && !must_end(w); a++)
    try_first(w, a);
  if (w->is_out_of_memory) job->is_out_of_memory = true;
  *is_done = !w->is_cut || w->store->n > job->cap;
  return w->work;
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

static bool make_worker(const struct covering *job, struct worker *w) {
  const irl_clause_model *model = job->search->model;
  const size_t n = model->max_literals + 1;
  w->job = job;
  w->tables = irl_mem_alloc(&model->allocator, n, sizeof *w->tables);
  return w->tables &&
         irl_clause_reserve_words(&model->allocator, &w->covers, n * model->root.stride);
}

static void free_worker(struct worker *w, uint32_t max_literals, const irl_allocator *allocator) {
  for (uint32_t i = 0; w->tables && i <= max_literals; i++) {
    struct candidates *t = &w->tables[i];
    irl_mem_free(allocator, t->column);
    irl_mem_free(allocator, t->cases);
    irl_mem_free(allocator, t->ids);
    irl_mem_free(allocator, t->lists);
    irl_mem_free(allocator, t->control_lists);
    irl_mem_free_aligned(allocator, t->control_columns.words);
    irl_mem_free_aligned(allocator, t->control_rows.words);
    irl_mem_free_aligned(allocator, t->columns.words);
    irl_mem_free_aligned(allocator, t->rows.words);
    irl_mem_free_aligned(allocator, t->alive.words);
  }
  irl_mem_free(allocator, w->tables);
  irl_mem_free_aligned(allocator, w->covers.words);
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
                                    const irl_clause_thresholds *thresholds, int64_t stem_controls,
                                    size_t cap, irl_clause_array *store, bool *is_complete) {
  const irl_allocator *allocator = &search->env->allocator;
  const irl_clause_model *model = search->model;
  const uint32_t n_tasks = (model->root.set.n + TASK_FIRSTS - 1) / TASK_FIRSTS;
  struct covering job = {.search = search,
                         .thresholds = thresholds,
                         .stem_controls = stem_controls,
                         .kernels = irl_bits_row_kernels(),
                         .all = store,
                         .n_tasks = n_tasks,
                         .began = irl_clock_now(),
                         .cap = cap == SIZE_MAX ? cap - 1 : cap};
  job.reported = job.began;
  assert(thresholds->min_cases && !model->root.own && model->max_literals > 2);
  assert(model->root.n_cases <= IRL_COVERING_MAX_CASES);
  *is_complete = false;
  job.workers = irl_mem_alloc(allocator, (size_t)search->threads, sizeof *job.workers);
  job.stores = irl_mem_alloc(allocator, (size_t)n_tasks + 1, sizeof *job.stores);
  bool is_made = job.workers && job.stores;
  for (int i = 0; is_made && i < search->threads; i++) is_made = make_worker(&job, &job.workers[i]);
  for (uint32_t i = 0; is_made && i < n_tasks; i++)
    irl_clause_array_init(&job.stores[i], allocator, model->max_literals);
  const irl_status status =
      is_made ? search_tasks(&job, n_tasks, is_complete) : irl_fail_memory(search->env);
  for (int i = 0; job.workers && i < search->threads; i++)
    free_worker(&job.workers[i], model->max_literals, allocator);
  for (uint32_t i = 0; job.stores && i < n_tasks; i++) irl_clause_array_free(&job.stores[i]);
  irl_mem_free(allocator, job.workers);
  irl_mem_free(allocator, job.stores);
  return status;
}
