/* The last two literals l, m of a node (child k of a table) whose partners are few of many columns,
 * by signatures: each partner gets a word, its bits on a few of the samples that k covers, and
 * every pair of words is compared, a vector of them at a time.
 *
 * Within a budget of no control l and m must have no control of k in common, so words that have one
 * in the sample are struck out (irl_clause_disjoint_pairs). Otherwise m may take at most so many
 * cases from l, or have so many controls with it, that the clause is still wanted: the sample only
 * has to reject (irl_clause_close_pairs). The pairs that are left are counted exactly. */
#include "bits/row_kernels.h"
#include "clause/worker.h"

#define SHORT_BITS   32u /* samples in a signature of 32 bits */
#define ENOUGH_BITS  20u /* a word that has so many of them will do by itself */
#define PACKED_WORDS 8u  /* words of controls, at most, in which such a word is looked for */
#define LONG_BITS    64u
/* Of n columns n * n / 32 words of work, or n * n / 8 where bits are counted. */
#define SHORT_TESTS 32u
#define LONG_TESTS  8u
/* A column has 32 of 64 samples of k, of which another one takes about 16: more than this is no
 * limit. */
#define MOST_TAKEN 13u

size_t irl_clause_choose_sample(irl_clause_worker *worker, const uint64_t *covered, size_t n_words,
                                uint32_t wanted) {
  uint64_t *mask = worker->cover.words;
  size_t taken = 0;
  for (; taken < n_words && wanted; taken++) {
    mask[taken] = covered[taken];
    uint32_t n = (uint32_t)__builtin_popcountll(mask[taken]);
    for (; n > wanted; n--) mask[taken] &= ~((uint64_t)1 << (63 - __builtin_clzll(mask[taken])));
    wanted -= n;
  }
  return taken;
}

bool irl_clause_pack_controls(irl_clause_worker *worker, const irl_clause_table *table) {
  const uint32_t n = table->set.n;
  const size_t n_words = table->control_words < PACKED_WORDS ? table->control_words : PACKED_WORDS;
  if (!irl_clause_reserve_words(&worker->model->allocator, &worker->packed, n_words * n))
    return false;
  for (uint32_t i = 0; i < n; i++)
    for (size_t w = 0; w < n_words; w++)
      worker->packed.words[w * n + i] = irl_clause_controls(table, i)[w];
  return true;
}

/* The partners' bits on controls of k, into worker->signatures: of a word that has enough of them,
 * otherwise of the first ones. Is a signature empty? */
static bool sign_partners(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                          const irl_literal_set *partners) {
  const uint64_t *controls = irl_clause_controls(table, k);
  const irl_row_kernels *kernels = irl_bits_row_kernels();
  uint32_t *signatures = (uint32_t *)worker->signatures.words;
  size_t w = 0;
  while (w < PACKED_WORDS && w < table->control_words &&
         (uint32_t)__builtin_popcountll(controls[w]) < ENOUGH_BITS)
    w++;
  worker->work += partners->n;
  if (w < PACKED_WORDS && w < table->control_words) {
    irl_clause_choose_sample(worker, controls + w, 1, SHORT_BITS);
    return kernels->sign_columns(worker->packed.words + w * table->set.n, worker->cover.words[0],
                                 partners->id, partners->n, signatures);
  }
  const size_t taken = irl_clause_choose_sample(worker, controls, table->control_words, SHORT_BITS);
  uint64_t *words = worker->samples.words;
  worker->model->kernels->gather_many(words, 1, 1, table->words + table->case_words, table->stride,
                                      partners->id, partners->n, worker->cover.words, taken);
  worker->work += partners->n * taken;
  for (uint32_t i = 0; i < partners->n; i++) signatures[i] = (uint32_t)words[i];
  return true;
}

static bool reserve(irl_clause_worker *worker, uint32_t n) {
  const irl_allocator *allocator = &worker->model->allocator;
  const size_t padded = (size_t)n + IRL_ROWS_SLACK;
  if (irl_clause_reserve_words(allocator, &worker->samples, padded) &&
      irl_clause_reserve_words(allocator, &worker->signatures, 2 * padded) &&
      irl_clause_reserve_words(allocator, &worker->pairs, (size_t)IRL_ROWS_PAIRED * n))
    return true;
  worker->ending = IRL_ENDED_BY_MEMORY;
  return false;
}

/* Counts the pairs that are left exactly, and offers them. */
static void verify_pairs(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                         const irl_literal_set *set, size_t n_pairs) {
  const irl_row_pair *pairs = (const irl_row_pair *)worker->pairs.words;
  const irl_kernels *kernels = worker->model->kernels;
  for (size_t at = 0; at < n_pairs && !worker->ending;) {
    const uint32_t i = pairs[at].i, l = set->id[i];
    uint32_t n = 0;
    for (; at < n_pairs && pairs[at].i == i; at++) worker->ids[n++] = set->id[pairs[at].j];
    const uint32_t controls = (uint32_t)kernels->and_count(
        irl_clause_controls(table, k), irl_clause_controls(table, l), table->control_words);
    irl_clause_verify(worker, table, k, l, controls, n);
  }
}

bool irl_clause_is_disjoint(const irl_clause_worker *worker) {
  return worker->budget == 0 && !worker->model->n_planes[0];
}

/* The path with k and a partner is a clause too; within a budget of 0 its signature is empty. */
static void offer_partners(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                           const irl_literal_set *partners, irl_literal_set *few) {
  const uint32_t *signatures = (const uint32_t *)worker->signatures.words;
  uint32_t n = 0;
  assert(few->capacity >= partners->n);
  for (uint32_t i = 0; i < partners->n; i++)
    if (!signatures[i]) few->id[n++] = partners->id[i];
  few->n = 0;
  if (!n) return;
  worker->model->kernels->and_count_many(irl_clause_cases(table, k), table->words, table->stride,
                                         few->id, n, table->case_words, few->cases);
  irl_clause_complete(worker, table, k, n, few);
  irl_clause_offer_all(worker, table, few, table->set.controls[k]);
}

bool irl_clause_disjoint_pairs(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                               irl_literal_set *partners, irl_literal_set *few) {
  const irl_clause_problem *problem = worker->model->problem;
  const irl_row_kernels *kernels = irl_bits_row_kernels();
  uint32_t n = partners->n;
  if (problem->groups || !irl_clause_least_cases(worker)) { /* grouped literals never meet */
    n = 0;
    for (uint32_t i = 0; i < partners->n; i++) {
      partners->id[n] = partners->id[i];
      n += !irl_clause_are_grouped(problem, table->set.id[k], table->set.id[partners->id[i]]);
    }
    partners->n = n;
  }
  if (!n) return !worker->ending;
  if (!reserve(worker, n)) return false;
  if (sign_partners(worker, table, k, partners)) offer_partners(worker, table, k, partners, few);
  const uint32_t *signatures = (const uint32_t *)worker->signatures.words;
  worker->work += (uint64_t)n * n / SHORT_TESTS;
  for (uint32_t i = 0; i + 1 < n; i += IRL_ROWS_PAIRED) {
    const uint32_t end = n - i < IRL_ROWS_PAIRED ? n : i + IRL_ROWS_PAIRED;
    const size_t n_pairs =
        kernels->disjoint_pairs(signatures, n, i, end, (irl_row_pair *)worker->pairs.words);
    if (n_pairs) verify_pairs(worker, table, k, partners, n_pairs);
    if (irl_clause_limit_reached(worker)) return false;
  }
  return true;
}

bool irl_clause_prefers_signatures(const irl_clause_worker *worker,
                                   const irl_literal_set *partners) {
  const irl_clause_slack slack = irl_clause_mean_slack(worker, partners);
  return (slack.cases < slack.controls ? slack.cases : slack.controls) <= MOST_TAKEN;
}

/* Partners that are still wanted by what they may lose, ascending, into worker->ids, and that into
 * `limits`: of two partners the first rejects the pair, and should be the one that may lose less.
 * How many. */
static uint32_t sort_partners(irl_clause_worker *worker, const irl_literal_set *partners,
                              bool are_cases, uint32_t *limits) {
  uint32_t place[LONG_BITS + 2] = {0}, *limit_of = worker->counts, n = 0;
  assert(partners->n <= worker->n_scratch);
  for (uint32_t i = 0; i < partners->n; i++) {
    limit_of[i] = UINT32_MAX;
    if (partners->gain[i] < worker->need) continue;
    const irl_clause_slack slack =
        irl_clause_slack_of(worker, partners->gain[i], partners->cases[i]);
    const uint32_t limit = are_cases ? slack.cases : slack.controls;
    limit_of[i] = limit < LONG_BITS ? limit : LONG_BITS;
    place[limit_of[i] + 1]++;
  }
  for (uint32_t b = 1; b <= LONG_BITS + 1; b++) place[b] += place[b - 1];
  for (uint32_t i = 0; i < partners->n; i++) {
    if (limit_of[i] == UINT32_MAX) continue;
    const uint32_t at = place[limit_of[i]]++;
    worker->ids[at] = partners->id[i];
    limits[at] = limit_of[i];
    n++;
  }
  return n;
}

/* The words of the partners on samples of k, and what each of them may lose. */
static irl_row_signatures sign_long(irl_clause_worker *worker, const irl_clause_table *table,
                                    uint32_t k, irl_literal_set *partners) {
  const irl_clause_slack mean = irl_clause_mean_slack(worker, partners);
  const bool are_cases = mean.cases < mean.controls;
  const size_t offset = are_cases ? 0 : table->case_words;
  const size_t n_words = are_cases ? table->case_words : table->control_words;
  uint64_t *has = worker->samples.words, *takes = worker->signatures.words;
  uint32_t *limits = (uint32_t *)(takes + partners->n + IRL_ROWS_SLACK);
  const uint32_t n = partners->n = sort_partners(worker, partners, are_cases, limits);
  memcpy(partners->id, worker->ids, n * sizeof *partners->id);
  const uint64_t *columns = table->words + offset;
  const size_t taken =
      irl_clause_choose_sample(worker, columns + (size_t)k * table->stride, n_words, LONG_BITS);
  worker->model->kernels->gather_many(has, 1, 1, columns, table->stride, partners->id, n,
                                      worker->cover.words, taken);
  worker->work += (uint64_t)n * (taken + 1);
  /* A case is taken by who has it not, a control that both have is one too many. */
  for (uint32_t i = 0; i < n; i++) takes[i] = are_cases ? ~has[i] : has[i];
  return (irl_row_signatures){has, takes, limits, n};
}

bool irl_clause_close_pairs(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                            irl_literal_set *partners) {
  const irl_row_kernels *kernels = irl_bits_row_kernels();
  if (!reserve(worker, partners->n)) return false;
  const irl_row_signatures signatures = sign_long(worker, table, k, partners);
  const uint32_t n = signatures.n;
  worker->work += (uint64_t)n * n / LONG_TESTS;
  for (uint32_t i = 0; i + 1 < n; i += IRL_ROWS_PAIRED) {
    const uint32_t end = n - i < IRL_ROWS_PAIRED ? n : i + IRL_ROWS_PAIRED;
    const size_t n_pairs =
        kernels->close_pairs(&signatures, i, end, (irl_row_pair *)worker->pairs.words);
    if (n_pairs) verify_pairs(worker, table, k, partners, n_pairs);
    if (irl_clause_limit_reached(worker)) return false;
  }
  return true;
}
