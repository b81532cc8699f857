/* The last three literals of a table, k then l then m. Counting the candidates of child k gives the
 * l that keep enough cases with k: the edges of a graph on the columns, kept as bits. Children are
 * taken from the last to the first, so that for l, a later column, its edges to all later columns
 * are known: m must be joined to both k and l, and the AND of two bit vectors leaves few of them.
 * Of l and m, one removes at least half of the controls that have to go: that one is l. Many go
 * through the rows, as in finish.c, but rows that are made once for the whole table; few are looked
 * at one by one, on the first samples first; and what is left is counted exactly. */
#include "clause/worker.h"

/* Samples of one class, turned to rows: a bit per column of the table. */
struct rows {
  uint32_t n_words; /* of samples; 0: none */
  uint64_t *words;
  const uint64_t *flat; /* the sample words of each column, n_words apart */
};

struct triples {
  irl_clause_worker *worker;
  const irl_clause_table *table;
  size_t words; /* of a vector over the columns */
  struct rows cases, controls;
};

#define MAX_WORDS    8u
#define CASE_ROWS    4u  /* words: about 64 rows that both k and l cover */
#define FEW_PARTNERS 12u /* more go through the rows */
#define FIRST_WORDS  8u

static uint64_t *edges_of(const struct triples *triples, uint32_t column) {
  return triples->worker->edges + column * triples->words;
}

/* A row per sample; bad events as ones: a case that is lost, a control that is kept. */
static void turn(const struct triples *triples, struct rows *rows, size_t offset, uint64_t flip,
                 uint64_t *flat) {
  const irl_clause_table *table = triples->table;
  uint64_t tile[64];
  for (uint32_t g = 0; g < table->set.n; g += 64)
    for (uint32_t w = 0; w < rows->n_words; w++) {
      for (uint32_t i = 0; i < 64; i++) {
        tile[i] = g + i < table->set.n ? table->words[(g + i) * table->stride + offset + w] : 0;
        flat[(size_t)(g + i) * rows->n_words + w] = tile[i];
      }
      irl_bits_transpose_tile(tile);
      for (uint32_t i = 0; i < 64; i++)
        rows->words[(64 * (size_t)w + i) * triples->words + g / 64] = tile[i] ^ flip;
    }
  rows->flat = flat;
}

static uint32_t at_most(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static bool make_rows(struct triples *triples) {
  irl_clause_worker *worker = triples->worker;
  const irl_clause_table *table = triples->table;
  const irl_allocator *allocator = &worker->model->allocator;
  /* A word of samples has 16 that both k and l cover. */
  const uint32_t wanted = (irl_clause_rows_wanted(at_most(worker->budget, 1000)) + 15) / 16;
  struct rows *cases = &triples->cases, *controls = &triples->controls;
  controls->n_words = at_most((table->n_controls + 63) / 64, at_most(wanted, MAX_WORDS));
  cases->n_words = at_most((table->n_cases + 63) / 64, CASE_ROWS);
  if (worker->budget > IRL_ROWS_LIMIT && !worker->model->least_control) controls->n_words = 0;
  const size_t n = cases->n_words + controls->n_words, padded = ((size_t)table->set.n + 63) & ~63u;
  if (!irl_clause_reserve_words(allocator, &worker->rows, &worker->rows_capacity,
                                64 * n * triples->words) ||
      !irl_clause_reserve_words(allocator, &worker->samples, &worker->samples_capacity,
                                n * padded + 1))
    return false;
  cases->words = worker->rows;
  controls->words = worker->rows + 64 * cases->n_words * triples->words;
  turn(triples, cases, 0, ~(uint64_t)0, worker->samples);
  turn(triples, controls, table->case_words, 0, worker->samples + cases->n_words * padded);
  worker->work += n * table->set.n;
  return true;
}

/* Strikes out of the mask, from word `start` on, what hits too many of the rows of k and l. */
static void strike(const struct triples *triples, const struct rows *rows, uint32_t k, uint32_t l,
                   uint32_t allowance, size_t start) {
  irl_clause_worker *worker = triples->worker;
  uint64_t selected[MAX_WORDS];
  for (uint32_t w = 0; w < rows->n_words; w++)
    selected[w] =
        rows->flat[(size_t)k * rows->n_words + w] & rows->flat[(size_t)l * rows->n_words + w];
  worker->model->kernels->rows_at_most(worker->mask + start, triples->words - start,
                                       rows->words + start, triples->words, selected, rows->n_words,
                                       allowance);
  worker->work += (triples->words - start) * (rows->n_words + allowance);
}

/* The columns in `rest` that are joined to l, into the mask; returns how many. */
static uint32_t join(const struct triples *triples, const uint64_t *rest, uint32_t l,
                     size_t start) {
  irl_clause_worker *worker = triples->worker;
  const size_t n = triples->words - start;
  worker->work += n;
  return (uint32_t)worker->model->kernels->and_into(worker->mask + start, rest + start,
                                                    edges_of(triples, l) + start, n);
}

/* Drops partners that lose too many of the first cases that k and l cover. */
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
  if (covered <= slack->cases) return n;
  worker->work += words * (n + 1);
  return (uint32_t)kernels->and_keep(both, words, table->words, table->stride, worker->ids, n,
                                     covered - slack->cases);
}

static void try_pair(const struct triples *triples, uint32_t k, const irl_clause_set *set,
                     uint32_t x, const uint64_t *rest) {
  irl_clause_worker *worker = triples->worker;
  const uint32_t l = set->id[x];
  const size_t start = k / 512 * IRL_BITS_BLOCK; /* all partners come after k */
  uint32_t n = join(triples, rest, l, start);
  if (!n) return;
  const irl_clause_slack slack = irl_clause_slack_of(worker, set->gain[x], set->cases[x]);
  if (n > FEW_PARTNERS) {
    const bool by_cases = slack.cases < slack.controls;
    const struct rows *rows = by_cases ? &triples->cases : &triples->controls;
    const uint32_t allowance = by_cases ? slack.cases : slack.controls;
    if (rows->n_words && allowance <= IRL_ROWS_LIMIT) strike(triples, rows, k, l, allowance, start);
  }
  n = 0;
  for (size_t w = start; w < triples->words; w++)
    for (uint64_t bits = worker->mask[w]; bits; bits &= bits - 1)
      worker->ids[n++] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
  if (n) n = keep_close(triples, k, l, &slack, n);
  if (n) irl_clause_verify(worker, triples->table, k, l, set->controls[x], n);
}

/* The controls that a clause with one of these may keep, at most. */
static uint32_t most_controls(const irl_clause_worker *worker, const irl_clause_set *set) {
  int64_t gain = worker->need;
  for (uint32_t i = 0; i < set->n; i++) gain = set->gain[i] > gain ? set->gain[i] : gain;
  return irl_clause_slack_of(worker, gain, worker->min_cases).controls;
}

/* Child k with its candidates; all later children are done. */
static void try_child(const struct triples *triples, uint32_t k, const irl_clause_set *set) {
  irl_clause_worker *worker = triples->worker;
  const irl_clause_table *table = triples->table;
  const uint32_t controls = table->set.controls[k];
  irl_clause_offer_all(worker, table, set, controls);
  if (set->n < 2) return;
  const irl_clause_removals most =
      irl_clause_largest_removals(worker->model, set, controls, table->set.cost[k], 2);
  const int64_t half = (int64_t)controls + most_controls(worker, set);
  uint64_t *rest = worker->mask + triples->words; /* edges of k, without the l that are done */
  memcpy(rest, edges_of(triples, k), triples->words * sizeof *rest);
  for (uint32_t x = 0; x < set->n; x++) {
    if (irl_clause_must_cut(worker)) {
      irl_clause_leave_pairs_open(worker, set, x);
      return;
    }
    if (2 * (int64_t)set->controls[x] > half) continue;
    irl_bits_clear(rest, set->id[x]);
    if (set->gain[x] >= worker->need &&
        irl_clause_bound(worker, set, x, controls, table->set.cost[k], &most) >= worker->need)
      try_pair(triples, k, set, x, rest);
  }
}

static void set_edges(const struct triples *triples, uint32_t k, const irl_clause_set *set) {
  uint64_t *edges = edges_of(triples, k);
  memset(edges, 0, triples->words * sizeof *edges);
  for (uint32_t i = 0; i < set->n; i++) {
    irl_bits_set(edges, set->id[i]);
    irl_bits_set(edges_of(triples, set->id[i]), k);
  }
}

/* Children first .. first + n - 1, the last one first; false: cut. */
static bool try_block(struct triples *triples, uint32_t depth, uint32_t first, uint32_t n,
                      const irl_clause_removals *most) {
  irl_clause_worker *worker = triples->worker;
  const irl_clause_table *table = triples->table;
  irl_clause_frame *frame = &worker->frames[depth];
  if (irl_clause_must_cut(worker)) {
    irl_clause_leave_open(worker, table, 0, first + n, most);
    return false;
  }
  if (!irl_clause_count_children(worker, table, frame, first, n)) return false;
  for (uint32_t i = n; i-- > 0;) {
    const uint32_t k = first + i;
    if (irl_clause_must_cut(worker)) {
      irl_clause_leave_open(worker, table, 0, k + 1, most);
      return false;
    }
    set_edges(triples, k, &frame->children[i]);
    worker->nodes++;
    worker->path.literals[worker->path.n++] = table->set.id[k];
    try_child(triples, k, &frame->children[i]);
    worker->path.n--;
  }
  return true;
}

void irl_clause_triples(irl_clause_worker *worker, const irl_clause_table *table, uint32_t depth) {
  const uint32_t n = table->set.n;
  struct triples triples = {.worker = worker, .table = table, .words = irl_bits_stride(n)};
  const irl_allocator *allocator = &worker->model->allocator;
  const irl_clause_removals most =
      irl_clause_largest_removals(worker->model, &table->set, table->n_controls, table->cost, 3);
  if (n < 2) return;
  if (!irl_clause_reserve_words(allocator, &worker->edges, &worker->edges_capacity,
                                n * triples.words) ||
      !irl_clause_reserve_words(allocator, &worker->mask, &worker->mask_capacity,
                                2 * triples.words) ||
      !make_rows(&triples)) {
    worker->is_out_of_memory = true;
    return;
  }
  uint32_t last = n;
  while (last) {
    const uint32_t size = at_most(last, IRL_CLAUSE_BLOCK);
    if (!try_block(&triples, depth, last - size, size, &most)) return;
    last -= size;
  }
}
