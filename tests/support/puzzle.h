/* Tiny problems that are hard for a proof, and their optima by brute force: few distinct rows, so
 * that samples repeat, carry both labels and are covered together; some rows with nothing but
 * controls, which clauses share; doubled features; classes of very different size. */
#ifndef PUZZLE_H
#define PUZZLE_H

#include "base/random.h"
#include "ireland.h"
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS     12u
#define MAX_FEATURES 7u
#define MAX_SAMPLES  700u
#define N_COVERS     (1u << MAX_ROWS)
#define NEVER        UINT8_MAX
#define HAMMING_ROWS 8u /* brute force takes longer there */
#define MAX_LITERALS 20u

static irl_random numbers;

static inline uint32_t below(uint64_t n) {
  return (uint32_t)irl_random_below(&numbers, n);
}

typedef struct puzzle {
  uint32_t n_rows, j;
  uint8_t rows[MAX_ROWS][MAX_FEATURES];
  uint32_t cases[MAX_ROWS], controls[MAX_ROWS]; /* samples of each row */
  uint32_t n_cases, n_controls;
  uint8_t cells[MAX_SAMPLES * MAX_FEATURES], labels[MAX_SAMPLES];
  irl_options options;
  int64_t case_weight, control_weight;
  uint64_t min_cases, max_controls;
  int64_t best; /* by brute force; INT64_MAX: no rule is within the limits */
} puzzle;

/* ---- making ---- */

static inline void draw_rows(puzzle *p) {
  const uint32_t density = 1 + below(5);
  p->n_rows = 2 + below(MAX_ROWS - 1);
  p->j = 1 + below(MAX_FEATURES);
  for (uint32_t r = 0; r < p->n_rows; r++)
    for (uint32_t j = 0; j < p->j; j++) p->rows[r][j] = below(6) < density;
  for (uint32_t j = 1; j < p->j; j++) {
    const uint32_t kind = below(8), from = below(j);
    for (uint32_t r = 0; r < p->n_rows; r++) {
      if (kind == 0) p->rows[r][j] = p->rows[r][from];     /* twice */
      if (kind == 1) p->rows[r][j] |= p->rows[r][from];    /* contains another */
      if (kind == 2) p->rows[r][j] = 1 - p->rows[r][from]; /* the opposite */
    }
  }
}

/* How many samples a row has of a class: often none or one, sometimes many. */
static inline uint32_t draw_count(uint32_t kind) {
  switch (kind) {
  case 0:
    return below(3);
  case 1:
    return below(3) ? 0 : 1 + below(12);
  case 2:
    return below(2) ? 0 : 1;
  default:
    return below(25);
  }
}

static inline void draw_samples(puzzle *p) {
  const uint32_t case_kind = below(4), control_kind = below(4);
  do {
    p->n_cases = p->n_controls = 0;
    for (uint32_t r = 0; r < p->n_rows; r++) {
      p->n_cases += p->cases[r] = draw_count(case_kind);
      p->n_controls += p->controls[r] = draw_count(control_kind);
    }
  } while (!p->n_cases || !p->n_controls);
  uint32_t n = 0;
  for (uint32_t r = 0; r < p->n_rows; r++)
    for (uint32_t i = 0; i < p->cases[r] + p->controls[r]; i++, n++) {
      memcpy(p->cells + n * p->j, p->rows[r], p->j);
      p->labels[n] = i < p->cases[r];
    }
}

static inline void draw_options(puzzle *p) {
  static const char *const budgets[] = {"0", "0.1", "0,0.3,1", "0.5,0.05"};
  irl_options *options = &p->options;
  irl_options_init(options, sizeof *options);
  options->rule.K = 1 + below(5);
  options->rule.M = 1 + below(4);
  options->rule.negations = below(2);
  options->limits.threads = 1;
  options->search.seed = below(1000);
  options->rule.weights = below(3) ? IRL_WEIGHTS_BALANCED : IRL_WEIGHTS_UNIT;
  if (below(3) == 0) options->rule.max_literals = 1 + below(8);
  if (below(4) == 0) options->search.budgets = budgets[below(4)];
  if (below(6) == 0) options->search.profile = IRL_PROFILE_PAPER;
  if (p->n_rows <= HAMMING_ROWS && below(2) == 0) options->rule.loss = IRL_LOSS_HAMMING;
  const uint32_t hundredth = 1 + below(100);
  if (below(4) == 0) options->rule.min_sensitivity = hundredth / 100.0;
  if (below(4) == 0) options->rule.min_specificity = hundredth / 100.0;
  p->min_cases = options->rule.min_sensitivity > 0 ? (hundredth * p->n_cases + 99) / 100 : 0;
  p->max_controls = options->rule.min_specificity > 0
                        ? p->n_controls - (hundredth * p->n_controls + 99) / 100
                        : p->n_controls;
  p->case_weight = options->rule.weights == IRL_WEIGHTS_UNIT ? 1 : p->n_controls;
  p->control_weight = options->rule.weights == IRL_WEIGHTS_UNIT ? 1 : p->n_cases;
}

static inline bool is_constant(const puzzle *p) {
  for (uint32_t j = 0; j < p->j; j++) {
    uint32_t ones = 0, n = 0;
    for (uint32_t r = 0; r < p->n_rows; r++) {
      const uint32_t samples = p->cases[r] + p->controls[r];
      n += samples;
      ones += p->rows[r][j] * samples;
    }
    if (ones && ones < n) return false;
  }
  return true;
}

/* ---- brute force: the least literals for every cover by at most K clauses ---- */

static inline void list_clauses(const puzzle *p, uint32_t first, uint32_t cover, uint8_t size,
                                uint8_t *sizes) {
  if (size && size < sizes[cover]) sizes[cover] = size;
  if (size == p->options.rule.M) return;
  for (uint32_t j = first; j < p->j; j++) {
    uint32_t ones = 0;
    for (uint32_t r = 0; r < p->n_rows && r < MAX_ROWS; r++) ones |= (uint32_t)p->rows[r][j] << r;
    list_clauses(p, j + 1, cover & ones, size + 1, sizes);
    if (p->options.rule.negations) list_clauses(p, j + 1, cover & ~ones, size + 1, sizes);
  }
}

static inline uint32_t count_cover(const uint32_t *samples, uint32_t n_rows, uint32_t cover) {
  uint32_t n = 0;
  for (uint32_t r = 0; r < n_rows; r++) n += cover >> r & 1 ? samples[r] : 0;
  return n;
}

static inline int64_t loss_of(const puzzle *p, uint32_t cover) {
  return p->case_weight * (p->n_cases - count_cover(p->cases, p->n_rows, cover)) +
         p->control_weight * count_cover(p->controls, p->n_rows, cover);
}

static inline bool is_within(const puzzle *p, uint32_t cover) {
  return count_cover(p->cases, p->n_rows, cover) >= p->min_cases &&
         count_cover(p->controls, p->n_rows, cover) <= p->max_controls;
}

static inline uint32_t max_literals_of(const puzzle *p) {
  const uint32_t all = (uint32_t)(p->options.rule.K * p->options.rule.M);
  const uint64_t wanted = (uint64_t)p->options.rule.max_literals;
  return wanted && wanted < all ? (uint32_t)wanted : all;
}

/* The least loss for every cover. */
static inline void solve_weighted(puzzle *p, const uint8_t *clauses) {
  static uint8_t least[N_COVERS], next[N_COVERS];
  const uint32_t n = 1u << p->n_rows;
  memset(least, NEVER, n);
  least[0] = 0;
  for (uint32_t k = 0; k < p->options.rule.K; k++) {
    memcpy(next, least, n);
    for (uint32_t c = 0; c < n; c++)
      for (uint32_t s = 0; clauses[c] != NEVER && s < n; s++)
        if (least[s] != NEVER && least[s] + clauses[c] < next[s | c])
          next[s | c] = (uint8_t)(least[s] + clauses[c]);
    memcpy(least, next, n);
  }
  for (uint32_t s = 0; s < n; s++)
    if (least[s] != NEVER && least[s] <= max_literals_of(p) && is_within(p, s) &&
        loss_of(p, s) < p->best)
      p->best = loss_of(p, s);
}

/* The least controls paid by the clauses of every cover, for every number of literals. */
static inline void solve_hamming(puzzle *p, const uint8_t *clauses) {
  enum { N = 1 << HAMMING_ROWS };
  static uint32_t least[N][MAX_LITERALS + 1], next[N][MAX_LITERALS + 1];
  const uint32_t n = 1u << p->n_rows, most = max_literals_of(p);
  memset(least, 0xff, sizeof least);
  least[0][0] = 0;
  for (uint32_t k = 0; k < p->options.rule.K; k++) {
    memcpy(next, least, sizeof least);
    for (uint32_t c = 0; c < n; c++) {
      if (clauses[c] == NEVER) continue;
      const uint32_t cost = count_cover(p->controls, p->n_rows, c);
      for (uint32_t s = 0; s < n; s++)
        for (uint32_t l = 0; l + clauses[c] <= most; l++) {
          uint32_t *place = &next[s | c][l + clauses[c]];
          if (least[s][l] != UINT32_MAX && least[s][l] + cost < *place) *place = least[s][l] + cost;
        }
    }
    memcpy(least, next, sizeof least);
  }
  for (uint32_t s = 0; s < n; s++)
    for (uint32_t l = 0; l <= most; l++) {
      if (least[s][l] == UINT32_MAX || !is_within(p, s)) continue;
      const int64_t loss = p->case_weight * (p->n_cases - count_cover(p->cases, p->n_rows, s)) +
                           p->control_weight * (int64_t)least[s][l];
      if (loss < p->best) p->best = loss;
    }
}

/* The least loss if clauses and literals cost too, for few rows. */
static inline void solve_charged(puzzle *p, int64_t penalty) {
  enum { N = 1 << HAMMING_ROWS };
  static int64_t least[N][MAX_LITERALS + 1], next[N][MAX_LITERALS + 1];
  static uint8_t clauses[N_COVERS];
  const uint32_t n = 1u << p->n_rows, most = max_literals_of(p);
  memset(clauses, NEVER, n);
  list_clauses(p, 0, n - 1, 0, clauses);
  for (uint32_t s = 0; s < n; s++)
    for (uint32_t l = 0; l <= most; l++) least[s][l] = s || l ? INT64_MAX : 0;
  for (uint32_t k = 0; k < p->options.rule.K; k++) {
    memcpy(next, least, sizeof least);
    for (uint32_t c = 0; c < n; c++) {
      if (clauses[c] == NEVER) continue;
      int64_t cost = penalty * (1 + clauses[c]);
      if (p->options.rule.loss) cost += p->control_weight * count_cover(p->controls, p->n_rows, c);
      for (uint32_t s = 0; s < n; s++)
        for (uint32_t l = 0; l + clauses[c] <= most; l++) {
          int64_t *place = &next[s | c][l + clauses[c]];
          if (least[s][l] != INT64_MAX && least[s][l] + cost < *place) *place = least[s][l] + cost;
        }
    }
    memcpy(least, next, sizeof least);
  }
  p->best = INT64_MAX;
  for (uint32_t s = 0; s < n; s++)
    for (uint32_t l = 0; l <= most; l++) {
      if (least[s][l] == INT64_MAX || !is_within(p, s)) continue;
      const int64_t uncovered = p->n_cases - count_cover(p->cases, p->n_rows, s);
      const int64_t controls = p->options.rule.loss ? 0 : count_cover(p->controls, p->n_rows, s);
      const int64_t loss = p->case_weight * uncovered + p->control_weight * controls + least[s][l];
      if (loss < p->best) p->best = loss;
    }
}

static inline void solve(puzzle *p) {
  static uint8_t clauses[N_COVERS];
  const uint32_t n = 1u << p->n_rows;
  memset(clauses, NEVER, n);
  list_clauses(p, 0, n - 1, 0, clauses);
  p->best = INT64_MAX;
  if (p->options.rule.loss)
    solve_hamming(p, clauses);
  else
    solve_weighted(p, clauses);
}

static inline void draw(puzzle *p) {
  do {
    draw_rows(p);
    draw_samples(p);
  } while (is_constant(p));
  draw_options(p);
  solve(p);
}

#endif
