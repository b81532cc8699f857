/* The last two literals. A node (child k of a table) has candidates l with counts; wanted are pairs
 * l, m. Candidates stand by ascending controls: l and m remove at most the sum of what each
 * removes, so the partners of l are the candidates after it up to a position that shrinks as l
 * grows. Whatever m adds to l, it may lose at most s of the cases and keep at most t of the
 * controls that l leaves; both are small near the optimum.
 *
 * So for a sample of the node's controls (or cases) the table is turned to rows, a bit per
 * candidate: the candidates that hit more than t of the rows that l covers are struck out for a
 * whole row of candidates at a time, and after about log2(n) + 2t rows nobody is left. The sample
 * only has to reject; survivors are counted exactly. With noise in 1,000 to 2,000 samples and as
 * many features, M = 3, counting all pairs is up to 160 times the work. */
#include "clause/worker.h"

struct pairs {
  irl_clause_worker *worker;
  const irl_clause_table *table;
  uint32_t k;
  const irl_literal_set *set; /* sorted */
  uint32_t controls;          /* that k covers */
  /* The rows. */
  bool are_cases;
  uint32_t n_sample_words; /* 0: none */
  size_t row_words;
};

/* A word of samples has 32 that l covers, and a candidate hits about 16 of those: an allowance that
 * is not clearly below rejects nobody. */
#define HITS_PER_WORD 13u

static inline uint32_t divide(int64_t slack, int64_t weight, uint32_t most) {
  if (weight == 1) return slack > most ? most : (uint32_t)slack; /* no division: the usual case */
  return weight == 0 || slack / weight > most ? most : (uint32_t)(slack / weight);
}

irl_clause_slack irl_clause_slack_of(const irl_clause_worker *worker, int64_t gain,
                                     uint32_t cases) {
  const irl_clause_model *model = worker->model;
  const int64_t spare = gain - worker->need;
  assert(spare >= 0 && cases >= worker->min_cases);
  return (irl_clause_slack){divide(spare, model->least_weight[0], cases - worker->min_cases),
                            divide(spare, model->least_weight[1], worker->budget)};
}

void irl_clause_turn_rows(const uint64_t *columns, size_t stride, uint32_t n, uint32_t n_words,
                          uint64_t flip, uint64_t *rows) {
  const size_t row_words = irl_bits_stride(n);
  uint64_t tile[64];
  for (uint32_t g = 0; g < n; g += 64)
    for (uint32_t w = 0; w < n_words; w++) {
      for (uint32_t i = 0; i < 64; i++) tile[i] = g + i < n ? columns[(g + i) * stride + w] : 0;
      irl_bits_transpose_tile(tile);
      for (uint32_t i = 0; i < 64; i++)
        rows[(64 * (size_t)w + i) * row_words + g / 64] = tile[i] ^ flip;
    }
}

static bool make_rows(struct pairs *pairs) {
  irl_clause_worker *worker = pairs->worker;
  const irl_allocator *allocator = &worker->model->allocator;
  const irl_clause_table *table = pairs->table;
  const uint32_t n = pairs->set->n, q = pairs->n_sample_words;
  const size_t offset = pairs->are_cases ? 0 : table->case_words;
  const uint64_t *covered =
      pairs->are_cases ? irl_clause_cases(table, pairs->k) : irl_clause_controls(table, pairs->k);
  pairs->row_words = irl_bits_stride(n);
  if (!irl_clause_reserve_words(allocator, &worker->samples, (size_t)n * q) ||
      !irl_clause_reserve_words(allocator, &worker->rows, 64 * q * pairs->row_words))
    return false;
  const size_t n_words = pairs->are_cases ? table->case_words : table->control_words;
  assert(q && q <= IRL_ROWS_WORDS);
  const size_t taken = irl_clause_choose_sample(worker, covered, n_words, 64 * q);
  worker->model->kernels->gather_many(worker->samples.words, q, q, table->words + offset,
                                      table->stride, pairs->set->id, n, worker->cover.words, taken);
  /* Bad events are ones: a case that the candidate loses, a control that it keeps. */
  irl_clause_turn_rows(worker->samples.words, q, n, q, pairs->are_cases ? ~(uint64_t)0 : 0,
                       worker->rows.words);
  worker->work += (uint64_t)n * (taken + q);
  return true;
}

uint32_t irl_clause_rows_wanted(uint32_t allowance) {
  uint32_t root = 0;
  while (root * root < allowance) root++;
  return 2 * allowance + 4 * root + 20;
}

irl_clause_slack irl_clause_mean_slack(const irl_clause_worker *worker,
                                       const irl_literal_set *set) {
  int64_t gain = 0;
  uint64_t cases = 0;
  assert(set->n);
  for (uint32_t i = 0; i < set->n; i++) {
    gain += set->gain[i];
    cases += set->cases[i];
  }
  gain /= set->n;
  return irl_clause_slack_of(worker, gain < worker->need ? worker->need : gain,
                             (uint32_t)(cases / set->n));
}

/* Which side rejects with fewer rows, and how many words of samples it takes. */
static void plan_rows(struct pairs *pairs) {
  const irl_clause_slack slack = irl_clause_mean_slack(pairs->worker, pairs->set);
  pairs->are_cases = slack.cases < slack.controls;
  const uint32_t allowance = pairs->are_cases ? slack.cases : slack.controls;
  const uint32_t samples = pairs->are_cases ? pairs->table->set.cases[pairs->k] : pairs->controls;
  uint32_t q = (irl_clause_rows_wanted(allowance) + 31) / 32;
  if (q > IRL_ROWS_WORDS) q = IRL_ROWS_WORDS;
  if (q > (samples + 63) / 64) q = (samples + 63) / 64;
  pairs->n_sample_words = allowance > q * HITS_PER_WORD ? 0 : q;
  assert(pairs->n_sample_words <= IRL_ROWS_WORDS);
}

bool irl_clause_verify(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                       uint32_t l, uint32_t controls_before, uint32_t n) {
  const irl_clause_model *model = worker->model;
  const irl_kernels *kernels = model->kernels;
  assert(k != l && n <= worker->n_scratch && worker->path.n + 2 <= model->max_size);
  uint64_t *cover = worker->joint.words, *joint = cover + table->stride;
  kernels->and_into(cover, irl_clause_cases(table, k), irl_clause_cases(table, l), table->stride);
  kernels->and_count_many(cover, table->words, table->stride, worker->ids, n, table->case_words,
                          worker->counts);
  worker->work += (uint64_t)(n + 1) * table->stride;
  for (uint32_t i = 0; i < n && !worker->ending; i++) {
    const uint32_t m = worker->ids[i], cases = worker->counts[i];
    assert(m != l && m < table->set.n && cases <= table->set.cases[m]);
    const uint32_t pair[2] = {table->set.id[l], table->set.id[m]};
    if (cases < irl_clause_least_cases(worker) ||
        irl_clause_are_grouped(model->problem, pair[0], pair[1]))
      continue;
    const uint32_t controls =
        (uint32_t)kernels->and_into(joint + table->case_words, cover + table->case_words,
                                    irl_clause_controls(table, m), table->control_words);
    if (controls > worker->budget || (model->may_replace && controls == controls_before)) continue;
    if (model->n_planes[0])
      kernels->and_into(joint, cover, irl_clause_cases(table, m), table->case_words);
    const irl_clause_counts counts = {
        cases, controls, irl_clause_weigh(model, table, 0, joint, cases),
        irl_clause_weigh(model, table, 1, joint + table->case_words, controls)};
    irl_clause_offer(worker, pair, 2, &counts);
  }
  return !worker->ending;
}

/* The partners first .. last of x that the rows let through, into worker->ids. */
static uint32_t partners(struct pairs *pairs, uint32_t x, uint32_t first, uint32_t last,
                         uint32_t allowance) {
  irl_clause_worker *worker = pairs->worker;
  const irl_clause_model *model = worker->model;
  const uint32_t q = pairs->n_sample_words;
  uint32_t n = 0;
  if (!q || allowance > q * HITS_PER_WORD) {
    for (uint32_t m = first; m <= last; m++) worker->ids[n++] = pairs->set->id[m];
    return n;
  }
  const size_t start = first / 512 * 8, end = (last / 512 + 1) * 8;
  uint64_t *mask = worker->mask.words;
  assert(first <= last);
  for (size_t w = start; w < end; w++) mask[w] = w < first / 64 || w > last / 64 ? 0 : ~(uint64_t)0;
  mask[first / 64] &= ~(uint64_t)0 << (first & 63);
  mask[last / 64] &= ~(uint64_t)0 >> (63 - (last & 63));
  model->kernels->rows_at_most(mask + start, mask + start, end - start, worker->rows.words + start,
                               pairs->row_words, worker->samples.words + (size_t)x * q, q,
                               allowance);
  worker->work += (end - start) * (q + allowance);
  for (uint32_t w = first / 64; w <= last / 64; w++)
    for (uint64_t bits = mask[w]; bits; bits &= bits - 1) {
      const uint32_t m = 64 * w + (uint32_t)__builtin_ctzll(bits);
      if (pairs->set->gain[m] >= worker->need) worker->ids[n++] = pairs->set->id[m];
    }
  return n;
}

/* Fewer candidates than this are counted at once. */
#define FEW_CANDIDATES 16u

void irl_clause_last_pair(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                          const irl_literal_set *set) {
  struct pairs pairs = {worker, table, k, &worker->sorted, table->set.controls[k], false, 0, 0};
  const size_t words = irl_bits_stride(set->n);
  if (!irl_clause_sort(worker, set, set->controls, &worker->sorted) ||
      !irl_clause_reserve_words(&worker->model->allocator, &worker->mask, words)) {
    worker->ending = IRL_ENDED_BY_MEMORY;
    return;
  }
  pairs.row_words = irl_bits_stride(set->n);
  if (set->n >= FEW_CANDIDATES) plan_rows(&pairs);
  if (pairs.n_sample_words && !make_rows(&pairs)) {
    worker->ending = IRL_ENDED_BY_MEMORY;
    return;
  }
  set = pairs.set;
  assert(set->n >= 2);
  uint32_t last = set->n - 1;
  for (uint32_t x = 0; x + 1 < set->n; x++) {
    if (irl_clause_limit_reached(worker)) { /* no pair left is worth more than its first's gain */
      for (; x < set->n; x++)
        if (set->gain[x] > worker->open_bound) worker->open_bound = set->gain[x];
      return;
    }
    if (set->gain[x] < worker->need) continue;
    const irl_clause_slack slack = irl_clause_slack_of(worker, set->gain[x], set->cases[x]);
    const int64_t most = (int64_t)pairs.controls + slack.controls - set->controls[x];
    /* The last candidate with at most that many controls; x if there is none after x. Looked for
     * from where the one before ended: neighbours end close to each other. */
    while (last > x && set->controls[last] > most) last--;
    if (last < x) last = x;
    while (last + 1 < set->n && set->controls[last + 1] <= most) last++;
    assert(last >= x && last < set->n && set->controls[x] <= set->controls[last]);
    if (last == x) continue;
    const uint32_t n =
        partners(&pairs, x, x + 1, last, pairs.are_cases ? slack.cases : slack.controls);
    if (n) irl_clause_verify(worker, table, k, set->id[x], set->controls[x], n);
  }
}
