/* Tiny problems for column generation: few distinct rows, so that samples repeat and carry both
 * labels; brute force over all sets of clauses for the Hamming loss and for the weighted error; the
 * LP over all clauses, written out. */
#ifndef IRL_BRCG_ORACLE_H
#define IRL_BRCG_ORACLE_H

#include "base/random.h"
#include "ireland.h"
#include <string.h>

#define ORACLE_ROWS     7u
#define ORACLE_FEATURES 6u
#define ORACLE_SAMPLES  300u
#define ORACLE_COVERS   (1u << ORACLE_ROWS)
#define ORACLE_LITERALS 20u

typedef struct puzzle {
  uint32_t n_rows, j;
  uint8_t rows[ORACLE_ROWS][ORACLE_FEATURES];
  uint32_t cases[ORACLE_ROWS], controls[ORACLE_ROWS]; /* samples of each row */
  uint32_t n_cases, n_controls;
  uint8_t cells[ORACLE_SAMPLES * ORACLE_FEATURES], labels[ORACLE_SAMPLES];
  irl_options options;
  int64_t case_weight, control_weight;
  uint8_t sizes[ORACLE_COVERS]; /* the shortest clause with this cover; 0: none */
  int64_t best_hamming;         /* by brute force */
} puzzle;

static inline uint32_t puzzle_below(irl_random *random, uint64_t n) {
  return (uint32_t)irl_random_below(random, n);
}

static inline void puzzle_rows(puzzle *p, irl_random *random) {
  const uint32_t density = 1 + puzzle_below(random, 5);
  p->n_rows = 2 + puzzle_below(random, ORACLE_ROWS - 1);
  p->j = 1 + puzzle_below(random, ORACLE_FEATURES);
  for (uint32_t r = 0; r < p->n_rows; r++)
    for (uint32_t j = 0; j < p->j; j++) p->rows[r][j] = puzzle_below(random, 6) < density;
  for (uint32_t j = 1; j < p->j; j++)
    for (uint32_t r = 0, kind = puzzle_below(random, 8); r < p->n_rows; r++) {
      if (kind == 0) p->rows[r][j] = p->rows[r][j - 1];
      if (kind == 1) p->rows[r][j] = 1 - p->rows[r][j - 1];
    }
}

static inline uint32_t puzzle_count(irl_random *random, uint32_t kind) {
  if (kind == 0) return puzzle_below(random, 3);
  if (kind == 1) return puzzle_below(random, 3) ? 0 : 1 + puzzle_below(random, 12);
  return kind == 2 ? puzzle_below(random, 2) : puzzle_below(random, 20);
}

static inline void puzzle_samples(puzzle *p, irl_random *random) {
  const uint32_t case_kind = puzzle_below(random, 4), control_kind = puzzle_below(random, 4);
  uint32_t n = 0;
  do {
    p->n_cases = p->n_controls = 0;
    for (uint32_t r = 0; r < p->n_rows; r++) {
      p->n_cases += p->cases[r] = puzzle_count(random, case_kind);
      p->n_controls += p->controls[r] = puzzle_count(random, control_kind);
    }
  } while (!p->n_cases || !p->n_controls);
  for (uint32_t r = 0; r < p->n_rows; r++)
    for (uint32_t i = 0; i < p->cases[r] + p->controls[r]; i++, n++) {
      memcpy(p->cells + n * p->j, p->rows[r], p->j);
      p->labels[n] = i < p->cases[r];
    }
}

static inline bool puzzle_is_constant(const puzzle *p) {
  const uint32_t n = p->n_cases + p->n_controls;
  for (uint32_t j = 0; j < p->j; j++) {
    uint32_t ones = 0;
    for (uint32_t i = 0; i < n; i++) ones += p->cells[i * p->j + j];
    if (ones && ones < n) return false;
  }
  return true;
}

static inline void puzzle_options(puzzle *p, irl_random *random) {
  irl_options *options = &p->options;
  irl_options_init(options, sizeof *options);
  options->search.method = IRL_METHOD_BRCG;
  options->rule.K = 1 + puzzle_below(random, 4);
  options->rule.M = 1 + puzzle_below(random, 4);
  options->rule.negations = puzzle_below(random, 2);
  options->limits.threads = 1;
  options->search.seed = puzzle_below(random, 1000);
  if (puzzle_below(random, 3) == 0) options->rule.weights = IRL_WEIGHTS_UNIT;
  if (puzzle_below(random, 3) == 0) options->rule.max_literals = 1 + puzzle_below(random, 8);
  if (puzzle_below(random, 3) == 0) options->rule.complexity = 1 + puzzle_below(random, 12);
  p->case_weight = options->rule.weights ? 1 : p->n_controls;
  p->control_weight = options->rule.weights ? 1 : p->n_cases;
}

/* ---- brute force ---- */

static inline void puzzle_clauses(puzzle *p, uint32_t first, uint32_t cover, uint8_t size) {
  if (size && (!p->sizes[cover] || size < p->sizes[cover])) p->sizes[cover] = size;
  if (size == p->options.rule.M) return;
  for (uint32_t j = first; j < p->j; j++) {
    uint32_t ones = 0;
    for (uint32_t r = 0; r < p->n_rows; r++) ones |= (uint32_t)p->rows[r][j] << r;
    puzzle_clauses(p, j + 1, cover & ones, size + 1);
    if (p->options.rule.negations) puzzle_clauses(p, j + 1, cover & ~ones, size + 1);
  }
}

static inline int64_t puzzle_controls(const puzzle *p, uint32_t cover) {
  int64_t n = 0;
  for (uint32_t r = 0; r < p->n_rows; r++) n += cover >> r & 1 ? p->controls[r] : 0;
  return n;
}

static inline int64_t puzzle_missed(const puzzle *p, uint32_t cover) {
  int64_t n = 0;
  for (uint32_t r = 0; r < p->n_rows; r++) n += cover >> r & 1 ? 0 : p->cases[r];
  return n;
}

/* Adds clauses with covers from `first` on; n clauses so far. */
static inline void puzzle_search(puzzle *p, uint32_t first, uint32_t n, uint32_t literals,
                                 uint32_t cover, int64_t paid) {
  const irl_options *o = &p->options;
  const int64_t missed = p->case_weight * puzzle_missed(p, cover);
  const int64_t hamming = missed + p->control_weight * paid;
  if (hamming < p->best_hamming) p->best_hamming = hamming;
  if (n == o->rule.K) return;
  for (uint32_t c = first; c < 1u << p->n_rows; c++) {
    const uint32_t more = literals + p->sizes[c];
    if (!p->sizes[c] || !(c & ~cover) || (o->rule.max_literals && more > o->rule.max_literals) ||
        (o->rule.complexity && more + n + 1 > o->rule.complexity))
      continue;
    puzzle_search(p, c + 1, n + 1, more, cover | c, paid + puzzle_controls(p, c));
  }
}

static inline void puzzle_draw(puzzle *p, irl_random *random) {
  do {
    *p = (puzzle){.best_hamming = INT64_MAX};
    puzzle_rows(p, random);
    puzzle_samples(p, random);
  } while (puzzle_is_constant(p));
  puzzle_options(p, random);
  puzzle_clauses(p, 0, (1u << p->n_rows) - 1, 0);
  puzzle_search(p, 0, 0, 0, 0, 0);
}

#endif
