/* What a listing of clauses that cover many cases will find and take (covering.c), by a sample.
 *
 * Pairs of literals are drawn, and every literal that covers enough cases with a pair is counted.
 * A triple has three pairs and a quadruple six, so the means over the pairs give the numbers of
 * triples, and of pairs of triples, that the listing meets. Of the triples and quadruples that are
 * found a few are looked at closely: which of them are within the controls. The sample sees what is
 * common; the clauses that stand out, which a sample misses, are few. */
#include "base/memory.h"
#include "base/random.h"
#include "bits/row_kernels.h"
#include "clause/covering.h"

#define LOOKED_AT                                                                                  \
  4u /* triples of a pair, and quadruples of a triple, that are looked at closely                  \
      */

struct sample {
  const irl_clause_search *search;
  const irl_clause_thresholds *thresholds;
  uint64_t *cover[3];      /* of a pair, a triple, a quadruple: cases, then controls */
  uint32_t *counts, *ids;  /* of all columns */
  double rows;             /* of the pairs that were drawn: cases covered, if enough, */
  double triples, squares; /* triples that cover enough cases, halves of their squares, */
  double in_triples;       /* those of them within the controls, */
  double in_quadruples;    /* and the same for quadruples */
};

/* Columns that cover enough cases with a vector, all but those of the clause. */
static uint32_t count_columns(struct sample *s, const uint64_t *cover, const uint32_t *chosen,
                              uint32_t n_chosen) {
  const irl_clause_model *model = s->search->model;
  const irl_clause_table *root = &model->root;
  uint32_t n = 0;
  model->kernels->and_count_many(cover, root->words, root->stride, NULL, root->set.n,
                                 root->case_words, s->counts);
  *s->search->work += root->set.n * root->case_words;
  for (uint32_t i = 0; i < root->set.n; i++) {
    bool is_free = s->counts[i] >= s->thresholds->min_cases;
    for (uint32_t j = 0; j < n_chosen && is_free; j++)
      is_free = !irl_clause_are_grouped(model->problem, root->set.id[chosen[j]], root->set.id[i]);
    s->ids[n] = i;
    n += is_free;
  }
  return n;
}

/* The cover of the clause with one more column; is it within controls and value? */
static bool cover_more(const struct sample *s, uint64_t *into, const uint64_t *cover,
                       uint32_t column) {
  const irl_clause_model *model = s->search->model;
  const irl_clause_table *root = &model->root;
  const uint64_t *words = irl_clause_cases(root, column);
  const uint64_t cases = model->kernels->and_into(into, cover, words, root->case_words);
  const uint64_t controls =
      model->kernels->and_into(into + root->case_words, cover + root->case_words,
                               words + root->case_words, root->control_words);
  assert(column < root->set.n);
  return irl_covering_is_wanted(model, s->thresholds, cases, controls);
}

static void look_at_pair(struct sample *s, irl_random *random) {
  const irl_clause_model *model = s->search->model;
  const irl_clause_table *root = &model->root;
  uint32_t taken[LOOKED_AT], further[LOOKED_AT];
  uint32_t chosen[3] = {(uint32_t)irl_random_below(random, root->set.n),
                        (uint32_t)irl_random_below(random, root->set.n)};
  if (irl_clause_are_grouped(model->problem, root->set.id[chosen[0]], root->set.id[chosen[1]]))
    return;
  cover_more(s, s->cover[0], irl_clause_cases(root, chosen[0]), chosen[1]);
  const uint32_t cases = (uint32_t)model->kernels->count(s->cover[0], root->case_words);
  if (cases < s->thresholds->min_cases) return;
  s->rows += cases;
  const uint32_t n = count_columns(s, s->cover[0], chosen, 2);
  const uint32_t n_taken = n < LOOKED_AT ? n : LOOKED_AT;
  s->triples += n;
  s->squares += (double)n * n / 2;
  for (uint32_t i = 0; i < n_taken; i++) taken[i] = s->ids[irl_random_below(random, n)];
  for (uint32_t i = 0; i < n_taken; i++) {
    s->in_triples += cover_more(s, s->cover[1], s->cover[0], taken[i]) ? (double)n / n_taken : 0;
    if (model->max_size < 4) continue;
    chosen[2] = taken[i];
    const uint32_t m = count_columns(s, s->cover[1], chosen, 3);
    const uint32_t m_taken = m < LOOKED_AT ? m : LOOKED_AT;
    for (uint32_t j = 0; j < m_taken; j++) further[j] = s->ids[irl_random_below(random, m)];
    for (uint32_t j = 0; j < m_taken; j++)
      if (cover_more(s, s->cover[2], s->cover[1], further[j]))
        s->in_quadruples += (double)n / n_taken * m / m_taken;
  }
}

irl_status irl_clause_estimate_covering(const irl_clause_search *search,
                                        const irl_clause_thresholds *thresholds, uint32_t n_sampled,
                                        irl_covering_estimate *estimate) {
  const irl_allocator *allocator = &search->env->allocator;
  const irl_clause_table *root = &search->model->root;
  struct sample s = {.search = search, .thresholds = thresholds};
  irl_random random;
  assert(thresholds->min_cases && n_sampled);
  *estimate = (irl_covering_estimate){0};
  if (root->set.n < 3) return IRL_STATUS_OK;
  s.cover[0] = irl_mem_alloc_aligned(allocator, 3 * root->stride, sizeof **s.cover);
  s.counts = irl_mem_alloc(allocator, root->set.n, sizeof *s.counts);
  s.ids = irl_mem_alloc(allocator, root->set.n, sizeof *s.ids);
  const bool is_made = s.cover[0] && s.counts && s.ids;
  irl_random_init(&random, root->set.n, root->n_cases);
  if (is_made) {
    s.cover[1] = s.cover[0] + root->stride;
    s.cover[2] = s.cover[1] + root->stride;
  }
  for (uint32_t i = 0; is_made && i < n_sampled && !irl_limit_poll(search->limit); i++)
    look_at_pair(&s, &random);
  irl_mem_free_aligned(allocator, s.cover[0]);
  irl_mem_free(allocator, s.counts);
  irl_mem_free(allocator, s.ids);
  if (!is_made) return irl_fail_memory(search->env);
  const double n = root->set.n, pairs = n * (n - 1) / 2, scale = pairs / n_sampled;
  estimate->triples = scale * s.triples / 3;
  estimate->clauses = scale * (s.in_triples / 3 + s.in_quadruples / 12);
  /* Blocks after the second literal are a third of all and one half of a block; a packed column has
   * half the words; what is tested further is a pair of triples. */
  const uint32_t most = thresholds->max_controls;
  const double counted =
      IRL_COVERING_CONTROL_PART * (1 + 8.0 * most / (64 * IRL_COVERING_CONTROL_PART));
  const double controls =
      counted < (double)root->control_words ? counted : (double)root->control_words;
  const double blocks = n / 3 / IRL_ROWS_COLUMNS + 0.5;
  const bool has_controls = search->model->max_size == 3 &&
                            irl_covering_has_controls(thresholds, (root->n_cases / 2 + 63) / 64);
  const double rows = has_controls && s.rows > n_sampled * (double)IRL_COVERING_ROWS(most)
                          ? n_sampled * (double)IRL_COVERING_ROWS(most)
                          : s.rows;
  estimate->work = scale * rows * blocks + pairs * (controls + 3 * (double)root->case_words) +
                   estimate->triples * (controls + (double)root->case_words) +
                   scale * s.squares / 6 * 2;
  return IRL_STATUS_OK;
}
