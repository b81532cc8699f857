/* The last three literals of a table, k then l then m. There may be a hundred million pairs k, l,
 * so the table is turned to rows, a bit per column: adding up the rows of the cases that k covers
 * gives at once all l that keep enough of them, a few operations for 256 columns. Both l and m are
 * among those; of the two, one removes at least half of the controls that have to go: that one is
 * l. The first rows that k and l cover strike out whatever loses too many
 * further cases, or keeps too many controls, whichever is fewer: after about log2(n) + 2t rows, t
 * being what is allowed, nobody is left. The few that are get counted exactly. */
#include "bits/row_kernels.h"
#include "clause/worker.h"

/* Samples of one class, turned to rows; bad events are ones: a case that is lost, a control that is
 * kept. */
struct rows {
  uint32_t n_words; /* of samples; 0: none */
  size_t offset;    /* of the samples in a column */
  uint64_t *words;
};

struct triples {
  irl_clause_worker *worker;
  const irl_row_kernels *kernels;
  const irl_clause_table *table;
  irl_literal_set *partners; /* of k */
  irl_literal_set *firsts;   /* those that are l */
  size_t words, used; /* of a vector over the columns; without the half block that is empty */
  struct rows cases, controls;
  uint64_t *rest, *left; /* partners of k that may still be m; what rows leave of them */
};

#define CONTROL_WORDS 8u
#define CASE_WORDS    4u /* where there are more samples than rows can add up */
/* Vectors over the columns are looked at from the half block of the first partner on. */
#define HALF_BITS   256u
#define HALF_WORDS  4u
#define FEW_COLUMNS 64u /* are counted one by one */
#define FIRST_WORDS 8u

static uint32_t at_most(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static bool make_rows(struct triples *triples) {
  irl_clause_worker *worker = triples->worker;
  const irl_clause_table *table = triples->table;
  /* A word of samples has 16 that both k and l cover. */
  const uint32_t wanted = (irl_clause_rows_wanted(at_most(worker->budget, 1000)) + 15) / 16;
  struct rows *cases = &triples->cases, *controls = &triples->controls;
  controls->n_words = at_most((table->n_controls + 63) / 64, at_most(wanted, CONTROL_WORDS));
  cases->n_words = (table->n_cases + 63) / 64;
  if (cases->n_words > IRL_ROWS_WORDS) cases->n_words = CASE_WORDS;
  if (worker->budget > IRL_ROWS_LIMIT && !worker->model->least_weight[1]) controls->n_words = 0;
  const size_t n = cases->n_words + controls->n_words;
  if (!irl_clause_reserve_words(&worker->model->allocator, &worker->rows, 64 * n * triples->words))
    return false;
  controls->offset = table->case_words;
  cases->words = worker->rows.words;
  controls->words = worker->rows.words + 64 * cases->n_words * triples->words;
  irl_clause_turn_rows(table->words, table->stride, table->set.n, cases->n_words, ~(uint64_t)0,
                       cases->words);
  irl_clause_turn_rows(table->words + controls->offset, table->stride, table->set.n,
                       controls->n_words, 0, controls->words);
  worker->work += n * table->set.n;
  return true;
}

/* Rows whose offsets fit into a list of row_kernels.h go through its counters, which take larger
 * steps; for small limits nobody is left before these pay. */
#define LEAST_COUNTED 1u

static bool fits_counters(const struct triples *triples, size_t n_rows, uint32_t limit) {
  return limit >= LEAST_COUNTED && 64 * n_rows * triples->words <= UINT16_MAX;
}

/* Rows, those of them that count, and how many of these a column may hit. */
struct counted {
  const uint64_t *rows, *selected;
  size_t n_words; /* of `selected` */
  uint32_t limit;
};

/* into = what of `from`, in the blocks from word `start` on, hits few enough; is there any? */
static bool count_rows(const struct triples *triples, uint64_t *into, const uint64_t *from,
                       size_t start, const struct counted *counted) {
  const irl_row_kernels *kernels = triples->kernels;
  uint16_t list[64 * IRL_ROWS_WORDS + IRL_ROWS_SLACK];
  const size_t n =
      kernels->list_rows(counted->selected, counted->n_words, (uint32_t)triples->words, list);
  bool is_any = false;
  assert(counted->n_words <= IRL_ROWS_WORDS);
  for (size_t w = start / IRL_BITS_BLOCK * IRL_BITS_BLOCK; w < triples->used; w += IRL_BITS_BLOCK)
    is_any =
        kernels->few_rows(into + w, from + w, counted->rows + w, list, n, counted->limit) || is_any;
  return is_any;
}

/* Leaves of the rest, from word `start` on, what hits at most so many rows of k and l; is there
 * any? */
static bool strike(const struct triples *triples, const struct rows *rows, uint32_t k, uint32_t l,
                   uint32_t allowance, size_t start) {
  irl_clause_worker *worker = triples->worker;
  const irl_clause_table *table = triples->table;
  const uint64_t *a = table->words + k * table->stride + rows->offset;
  const uint64_t *b = table->words + l * table->stride + rows->offset;
  assert(start < triples->used && triples->used <= triples->words);
  const size_t n = triples->used - start;
  const uint32_t n_rows = at_most(rows->n_words, FIRST_WORDS);
  uint64_t selected[FIRST_WORDS];
  if (!n_rows || allowance > IRL_ROWS_LIMIT) {
    memcpy(triples->left + start, triples->rest + start, n * sizeof *triples->left);
    return true;
  }
  for (uint32_t w = 0; w < n_rows; w++) selected[w] = a[w] & b[w];
  worker->work += n * (n_rows + allowance);
  if (fits_counters(triples, n_rows, allowance))
    return count_rows(triples, triples->left, triples->rest, start,
                      &(struct counted){rows->words, selected, n_rows, allowance});
  return worker->model->kernels->rows_at_most(triples->left + start, triples->rest + start, n,
                                              rows->words + start, triples->words, selected, n_rows,
                                              allowance);
}

static uint32_t list_bits(const uint64_t *words, size_t start, size_t end, uint32_t *ids) {
  uint32_t n = 0;
  for (size_t w = start; w < end; w++)
    for (uint64_t bits = words[w]; bits; bits &= bits - 1)
      ids[n++] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
  return n;
}

/* Drops those that lose too many of the first cases that k and l cover. */
static uint32_t keep_close(const struct triples *triples, uint32_t k, uint32_t l,
                           const irl_clause_slack *slack, uint32_t n) {
  irl_clause_worker *worker = triples->worker;
  const irl_clause_table *table = triples->table;
  const irl_kernels *kernels = worker->model->kernels;
  const size_t words = at_most((table->n_cases + 63) / 64, FIRST_WORDS);
  const uint64_t *a = irl_clause_cases(table, k), *b = irl_clause_cases(table, l);
  uint64_t both[FIRST_WORDS] __attribute__((aligned(64))) = {0};
  for (size_t w = 0; w < words; w++) both[w] = a[w] & b[w];
  const uint64_t covered = kernels->count(both, FIRST_WORDS);
  assert(covered <= table->set.cases[k] && covered <= table->set.cases[l]);
  if (covered <= slack->cases) return n;
  worker->work += words * (n + 1);
  return (uint32_t)kernels->and_keep(both, words, table->words, table->stride, worker->ids, n,
                                     covered - slack->cases);
}

/* All m for k and the i-th partner. */
static void try_pair(const struct triples *triples, uint32_t k, uint32_t i, size_t start) {
  irl_clause_worker *worker = triples->worker;
  const irl_literal_set *partners = triples->partners;
  const uint32_t l = partners->id[i];
  assert(l > k && !irl_bits_get(triples->rest, l));
  const irl_clause_slack slack = irl_clause_slack_of(worker, partners->gain[i], partners->cases[i]);
  const bool by_cases = slack.cases < slack.controls || !triples->controls.n_words;
  if (!strike(triples, by_cases ? &triples->cases : &triples->controls, k, l,
              by_cases ? slack.cases : slack.controls, start))
    return;
  uint32_t n = list_bits(triples->left, start, triples->used, worker->ids);
  if (n) n = keep_close(triples, k, l, &slack, n);
  if (!n) return;
  irl_clause_verify(worker, triples->table, k, l, partners->controls[i], n);
}

/* The later columns that keep at least so many cases with k, and how many if that is wanted. */
static uint32_t list_partners(const struct triples *triples, uint32_t k, uint32_t least,
                              bool has_counts) {
  irl_clause_worker *worker = triples->worker;
  const irl_clause_table *table = triples->table;
  const irl_kernels *kernels = worker->model->kernels;
  irl_literal_set *set = triples->partners;
  const uint64_t *cases = irl_clause_cases(table, k);
  const struct rows *rows = &triples->cases;
  const uint32_t first = k + 1;
  if (first == table->set.n || least > table->set.cases[k]) return 0;
  if (64 * rows->n_words < table->n_cases || table->set.n - first < FEW_COLUMNS) {
    const size_t half_blocks = ((size_t)table->n_cases + 255) / 256 * 4;
    worker->work += (table->set.n - first) * half_blocks;
    return (uint32_t)kernels->and_select(cases, irl_clause_cases(table, first), table->stride,
                                         table->set.n - first, half_blocks, least, first, set->id,
                                         set->cases);
  }
  const size_t start = first / HALF_BITS * HALF_WORDS, n_words = triples->used - start;
  uint64_t *rest = triples->rest;
  irl_bits_fill(rest + start, table->set.n - 64 * start, n_words);
  for (size_t w = start; w < first / 64; w++) rest[w] = 0;
  rest[first / 64] &= ~(uint64_t)0 << (first & 63);
  const uint32_t limit = table->set.cases[k] - least;
  worker->work += n_words * at_most(table->set.cases[k], irl_clause_rows_wanted(limit));
  bool is_any;
  if (fits_counters(triples, rows->n_words, limit)) { /* whole blocks */
    memset(rest + start / IRL_BITS_BLOCK * IRL_BITS_BLOCK, 0,
           start % IRL_BITS_BLOCK * sizeof *rest);
    memset(rest + triples->used, 0, (triples->words - triples->used) * sizeof *rest);
    is_any = count_rows(triples, rest, rest, start,
                        &(struct counted){rows->words, cases, rows->n_words, limit});
  } else {
    is_any = kernels->rows_at_most(rest + start, rest + start, n_words, rows->words + start,
                                   triples->words, cases, rows->n_words, limit);
  }
  if (!is_any) return 0;
  const uint32_t n = list_bits(rest, start, triples->used, set->id);
  assert(n && n <= set->capacity && set->id[0] >= first);
  if (!has_counts) return n;
  kernels->and_count_many(cases, table->words, table->stride, set->id, n, table->case_words,
                          set->cases);
  worker->work += n * table->case_words;
  return n;
}

/* Partners between two questions whether to go on. */
#define PAIRS_PER_CHECK 16u

/* False: cut. */
static bool try_child(const struct triples *triples, uint32_t k) {
  irl_clause_worker *worker = triples->worker;
  const irl_clause_table *table = triples->table;
  irl_literal_set *set = triples->partners;
  const bool is_disjoint = irl_clause_is_disjoint(worker);
  const uint32_t n_listed = list_partners(triples, k, irl_clause_least_cases(worker), !is_disjoint);
  if (is_disjoint) {
    set->n = n_listed;
    return irl_clause_disjoint_pairs(worker, table, k, set, triples->firsts);
  }
  set->n = 0;
  irl_clause_complete(worker, table, k, n_listed, set);
  irl_clause_offer_all(worker, table, set, table->set.controls[k]);
  /* What was offered may have raised what is needed above all that k can reach. */
  if (set->n < 2 || table->set.gain[k] < worker->need) return !worker->ending;
  if (irl_clause_prefers_signatures(worker, set))
    return irl_clause_close_pairs(worker, table, k, set);
  memset(triples->rest, 0, triples->words * sizeof *triples->rest);
  for (uint32_t i = 0; i < set->n; i++) {
    assert(set->id[i] > k && set->cases[i] <= table->set.cases[k]);
    irl_bits_set(triples->rest, set->id[i]);
  }
  const irl_clause_slack most =
      irl_clause_slack_of(worker, table->set.gain[k], table->set.cases[k]);
  const uint64_t half = (uint64_t)table->set.controls[k] + most.controls;
  const size_t start = set->id[0] / HALF_BITS * HALF_WORDS;
  /* First which are l, without branches: half of them are, and nobody can guess which. */
  uint32_t n = 0;
  for (uint32_t i = 0; i < set->n; i++) {
    triples->firsts->id[n] = i;
    n += 2 * (uint64_t)set->controls[i] <= half;
  }
  for (uint32_t at = 0; at < n; at++) {
    const uint32_t i = triples->firsts->id[at];
    if (at % PAIRS_PER_CHECK == 0 && irl_clause_limit_reached(worker)) return false;
    irl_bits_clear(triples->rest, set->id[i]);
    if (set->gain[i] >= worker->need) try_pair(triples, k, i, start);
  }
  return !worker->ending;
}

void irl_clause_triples(irl_clause_worker *worker, const irl_clause_table *table, uint32_t depth) {
  const uint32_t n = table->set.n;
  struct triples triples = {.worker = worker,
                            .kernels = irl_bits_row_kernels(),
                            .table = table,
                            .partners = &worker->frames[depth].children[0],
                            .firsts = &worker->frames[depth].children[1],
                            .words = irl_bits_stride(n)};
  const irl_allocator *allocator = &worker->model->allocator;
  if (n < 2) return;
  if (!irl_literal_set_reserve(allocator, triples.partners, n) ||
      !irl_literal_set_reserve(allocator, triples.firsts, n) ||
      !irl_clause_reserve_words(allocator, &worker->mask, 2 * triples.words) ||
      !make_rows(&triples) ||
      (irl_clause_is_disjoint(worker) && !irl_clause_pack_controls(worker, table))) {
    worker->ending = IRL_ENDED_BY_MEMORY;
    return;
  }
  triples.used = ((size_t)n + HALF_BITS - 1) / HALF_BITS * HALF_WORDS;
  assert(worker->path.n + 3 <= worker->model->max_size && depth < worker->n_frames);
  triples.rest = worker->mask.words;
  triples.left = worker->mask.words + triples.words;
  for (uint32_t k = n; k-- > 0;) {
    worker->nodes++;
    worker->path.literals[worker->path.n++] = table->set.id[k];
    const bool is_done = !irl_clause_limit_reached(worker) && try_child(&triples, k);
    worker->path.n--;
    if (is_done) continue;
    const irl_clause_removals most =
        irl_clause_largest_removals(worker->model, &table->set, table->n_controls, table->cost, 3);
    irl_clause_leave_open(worker, table, 0, k + 1, &most);
    return;
  }
}
