/* Random tiny clause problems and brute force over all clauses, for the clause tests. */
#ifndef IRL_CLAUSE_ORACLE_H
#define IRL_CLAUSE_ORACLE_H

#include "base/memory.h"
#include "base/random.h"
#include "clause/clause_problem.h"
#include <stdlib.h>

typedef struct oracle_case {
  irl_clause_problem problem;
  irl_data *data;
  uint32_t n_samples, n_features;
  uint8_t *cells, *labels;
  uint64_t *live[2];
  int64_t *weights[2];
  uint32_t *groups;
} oracle_case;

static inline uint32_t oracle_pick(irl_random *random, uint32_t low, uint32_t high) {
  return low + (uint32_t)irl_random_below(random, high - low + 1);
}

static inline void oracle_cells(oracle_case *c, irl_random *random) {
  const uint32_t density = oracle_pick(random, 2, 8);
  c->cells = malloc((size_t)c->n_samples * c->n_features);
  c->labels = malloc(c->n_samples);
  for (uint32_t i = 0; i < c->n_samples; i++) {
    for (uint32_t j = 0; j < c->n_features; j++)
      c->cells[i * c->n_features + j] = irl_random_below(random, 10) < density;
    c->labels[i] = irl_random_below(random, 2);
  }
  for (uint32_t j = 1; j < c->n_features; j++) { /* duplicates, constants, nested columns */
    const uint32_t kind = oracle_pick(random, 0, 11);
    for (uint32_t i = 0; i < c->n_samples; i++) {
      uint8_t *row = c->cells + i * c->n_features;
      if (kind == 0) row[j] = row[j - 1];
      if (kind == 1) row[j] = 1;
      if (kind == 2) row[j] &= row[j - 1];
      if (kind == 3) row[j] = !row[j - 1];
    }
  }
}

static inline void oracle_weights(oracle_case *c, irl_random *random, int class, uint32_t n) {
  const uint32_t kind = oracle_pick(random, 0, 4);
  int64_t *one = class ? &c->problem.control_weight : &c->problem.case_weight;
  *one = class ? (int64_t)oracle_pick(random, 0, 1) : 1;
  if (kind == 1) *one = oracle_pick(random, 1, 50);
  if (kind == 2) *one = (int64_t)oracle_pick(random, 1, 50) << 40;
  if (kind < 3) return;
  c->weights[class] = malloc((n + 1) * sizeof(int64_t));
  for (uint32_t i = 0; i < n; i++)
    c->weights[class][i] = kind == 3 ? oracle_pick(random, 0, 3) : oracle_pick(random, 1, 1000);
  if (class)
    c->problem.control_weights = c->weights[class];
  else
    c->problem.case_weights = c->weights[class];
}

static inline void oracle_live(oracle_case *c, irl_random *random, int class, uint32_t n) {
  if (oracle_pick(random, 0, 1)) return;
  const irl_allocator *allocator = &c->data->allocator;
  c->live[class] = irl_mem_alloc_aligned(allocator, irl_bits_stride(n) + 8, 8);
  for (uint32_t i = 0; i < n; i++)
    if (irl_random_below(random, 4)) irl_bits_set(c->live[class], i);
  if (class)
    c->problem.live_controls = c->live[class];
  else
    c->problem.live_cases = c->live[class];
}

static inline irl_status oracle_make(irl_env *env, oracle_case *c, uint64_t seed) {
  irl_random random;
  irl_random_init(&random, seed, 7);
  *c = (oracle_case){0};
  c->n_samples = oracle_pick(&random, 2, oracle_pick(&random, 0, 3) ? 60 : 1200);
  c->n_features = oracle_pick(&random, 1, 9);
  if (c->n_samples < 61 && !oracle_pick(&random, 0, 9))
    c->n_features = oracle_pick(&random, 30, 40);
  oracle_cells(c, &random);
  const irl_status status =
      irl_data_from_bytes(env, c->n_samples, c->n_features, c->cells, c->labels, NULL, &c->data);
  if (status) return status;
  irl_clause_problem_init(&c->problem, c->data);
  c->problem.max_size = oracle_pick(&random, 1, c->n_features > 9 ? 3 : 5);
  c->problem.negations = c->n_features < 10 && oracle_pick(&random, 0, 1);
  c->problem.min_cases = oracle_pick(&random, 0, 2);
  c->problem.budget =
      oracle_pick(&random, 0, 3) ? oracle_pick(&random, 0, c->n_samples / 8) : IRL_CLAUSE_NO_LIMIT;
  oracle_weights(c, &random, 0, c->data->n_cases);
  oracle_weights(c, &random, 1, c->data->n_controls);
  oracle_live(c, &random, 0, c->data->n_cases);
  oracle_live(c, &random, 1, c->data->n_controls);
  return IRL_STATUS_OK;
}

/* More literals, so that long lists of candidates are met; random labels, so that nothing ends the
 * search early. */
static inline irl_status oracle_make_wide(irl_env *env, oracle_case *c, uint64_t seed) {
  irl_random random;
  irl_random_init(&random, seed, 8);
  *c = (oracle_case){0};
  c->n_samples = oracle_pick(&random, 60, 240);
  c->n_features = oracle_pick(&random, 26, 38);
  c->cells = malloc((size_t)c->n_samples * c->n_features);
  c->labels = malloc(c->n_samples);
  for (size_t i = 0; i < (size_t)c->n_samples * c->n_features; i++)
    c->cells[i] = irl_random_below(&random, 5) > seed % 3;
  for (uint32_t i = 0; i < c->n_samples; i++) c->labels[i] = irl_random_below(&random, 2);
  const irl_status status =
      irl_data_from_bytes(env, c->n_samples, c->n_features, c->cells, c->labels, NULL, &c->data);
  if (status) return status;
  irl_clause_problem_init(&c->problem, c->data);
  c->problem.max_size = 4;
  c->problem.budget = oracle_pick(&random, 0, c->n_samples / 10);
  if (seed % 4 == 0) {
    oracle_weights(c, &random, 0, c->data->n_cases);
    oracle_weights(c, &random, 1, c->data->n_controls);
  }
  if (seed % 8 == 0) c->problem.budget = IRL_CLAUSE_NO_LIMIT;
  return IRL_STATUS_OK;
}

/* Four literals within a budget of no control or a few, dense and sparse columns, columns that are
 * nested, from less than a word of samples to several: what signatures of pairs are for. */
static inline irl_status oracle_make_strict(irl_env *env, oracle_case *c, uint64_t seed) {
  irl_random random;
  irl_random_init(&random, seed, 9);
  *c = (oracle_case){0};
  c->n_samples = oracle_pick(&random, 12, seed % 3 ? 140 : 700);
  c->n_features = oracle_pick(&random, 8, 15);
  oracle_cells(c, &random);
  for (uint32_t i = 0; i < c->n_samples;
       i++) { /* most samples that have three features are cases */
    const uint8_t *row = c->cells + i * c->n_features;
    if (row[0] && row[3] && row[5] && oracle_pick(&random, 0, 9)) c->labels[i] = 1;
  }
  const irl_status status =
      irl_data_from_bytes(env, c->n_samples, c->n_features, c->cells, c->labels, NULL, &c->data);
  if (status) return status;
  irl_clause_problem_init(&c->problem, c->data);
  c->problem.max_size = 4;
  c->problem.negations = c->n_features < 10;
  c->problem.min_cases = oracle_pick(&random, 0, 1);
  c->problem.budget = oracle_pick(&random, 0, 1) ? 0 : oracle_pick(&random, 0, 4);
  if (seed % 7 == 0) { /* groups of which a clause holds one literal */
    c->groups = malloc(c->n_features * sizeof *c->groups);
    for (uint32_t j = 0; j < c->n_features; j++)
      c->groups[j] = j % 3 ? (1 + j / 3) | IRL_GROUP_BINDS : 0;
    c->problem.groups = c->groups;
  }
  if (seed % 5 == 0) oracle_weights(c, &random, 1, c->data->n_controls);
  if (seed % 4 == 0) oracle_live(c, &random, 1, c->data->n_controls);
  return IRL_STATUS_OK;
}

static inline void oracle_free(oracle_case *c) {
  const irl_allocator allocator = c->data->allocator;
  for (int class = 0; class < 2; class ++) {
    irl_mem_free_aligned(&allocator, c->live[class]);
    free(c->weights[class]);
  }
  free(c->cells);
  free(c->labels);
  free(c->groups);
  irl_data_free(c->data);
}

/* Counts a clause sample by sample; covered[i] says which. */
static inline void oracle_measure(const oracle_case *c, irl_clause *clause, uint8_t *covered) {
  const irl_clause_problem *problem = &c->problem;
  uint32_t number[2] = {0, 0}; /* of the next control, case */
  clause->value = 0;
  clause->cases = clause->controls = 0;
  for (uint32_t i = 0; i < c->n_samples; i++) {
    const int class = c->labels[i] ? 0 : 1;
    const uint32_t at = number[class]++;
    bool is_covered = !c->live[class] || irl_bits_get(c->live[class], at);
    for (uint32_t l = 0; l < clause->n; l++)
      is_covered =
          is_covered && c->cells[i * c->n_features + irl_literal_feature(clause->literals[l])] !=
                            irl_literal_is_negated(clause->literals[l]);
    covered[i] = is_covered;
    if (!is_covered) continue;
    if (class) {
      clause->controls++;
      clause->value -= c->weights[1] ? c->weights[1][at] : problem->control_weight;
    } else {
      clause->cases++;
      clause->value += c->weights[0] ? c->weights[0][at] : problem->case_weight;
    }
  }
}

static inline bool oracle_allows(const oracle_case *c, const irl_clause *clause) {
  return clause->controls <= c->problem.budget && clause->cases >= c->problem.min_cases;
}

/* Is the last literal of a group that the clause has already? */
static inline bool oracle_is_grouped(const oracle_case *c, const irl_clause *clause) {
  const uint32_t *groups = c->problem.groups;
  const uint32_t last = irl_literal_feature(clause->literals[clause->n - 1]);
  for (uint32_t i = 0; groups && groups[last] && i + 1 < clause->n; i++)
    if (groups[irl_literal_feature(clause->literals[i])] == groups[last]) return true;
  return false;
}

/* Calls visit for each allowed clause. */
static inline void oracle_walk(const oracle_case *c, irl_clause *clause, uint32_t first,
                               uint8_t *covered, void (*visit)(void *, const irl_clause *),
                               void *user) {
  if (clause->n == c->problem.max_size) return;
  for (uint32_t feature = first; feature < c->n_features; feature++)
    for (uint32_t negated = 0; negated <= c->problem.negations; negated++) {
      clause->literals[clause->n++] = irl_literal_make(feature, negated);
      if (!oracle_is_grouped(c, clause)) {
        oracle_measure(c, clause, covered);
        if (oracle_allows(c, clause)) visit(user, clause);
        oracle_walk(c, clause, feature + 1, covered, visit, user);
      }
      clause->n--;
    }
}

static inline void oracle_keep_best(void *user, const irl_clause *clause) {
  irl_clause *best = user;
  if (!best->n || irl_clause_better(clause, best)) *best = *clause;
}

static inline irl_clause oracle_best(const oracle_case *c) {
  irl_clause best = {0}, clause = {0};
  uint8_t *covered = malloc(c->n_samples);
  oracle_walk(c, &clause, 0, covered, oracle_keep_best, &best);
  free(covered);
  return best;
}

/* What stands after the literals does not count. */
static inline bool oracle_same(const irl_clause *a, const irl_clause *b) {
  return a->value == b->value && a->cases == b->cases && a->controls == b->controls &&
         a->n == b->n && !memcmp(a->literals, b->literals, a->n * sizeof *a->literals);
}

#endif
