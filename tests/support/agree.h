/* Puzzles (puzzle.h) made smaller while they still show what is wrong, and written to a file. */
#ifndef AGREE_H
#define AGREE_H

#include "puzzle.h"
#include "support.h"

/* Why a way of solving is wrong about a puzzle; NULL: it is right, or does not apply. */
typedef const char *agree_check(const puzzle *p);

/* Samples, weights, limits and optimum after rows, counts or options have changed; false: no
 * puzzle. */
static inline bool agree_rebuild(puzzle *p) {
  p->n_cases = p->n_controls = 0;
  for (uint32_t r = 0; r < p->n_rows; r++) {
    p->n_cases += p->cases[r];
    p->n_controls += p->controls[r];
  }
  if (!p->n_cases || !p->n_controls || !p->j || is_constant(p)) return false;
  uint32_t n = 0;
  for (uint32_t r = 0; r < p->n_rows; r++)
    for (uint32_t i = 0; i < p->cases[r] + p->controls[r]; i++, n++) {
      memcpy(p->cells + n * p->j, p->rows[r], p->j);
      p->labels[n] = i < p->cases[r];
    }
  const irl_options *o = &p->options;
  const uint32_t sensitivity = (uint32_t)(o->rule.min_sensitivity * 100 + 0.5);
  const uint32_t specificity = (uint32_t)(o->rule.min_specificity * 100 + 0.5);
  p->min_cases = (sensitivity * p->n_cases + 99) / 100;
  p->max_controls = p->n_controls - (specificity * p->n_controls + 99) / 100;
  p->case_weight = o->rule.weights == IRL_WEIGHTS_UNIT ? 1 : p->n_controls;
  p->control_weight = o->rule.weights == IRL_WEIGHTS_UNIT ? 1 : p->n_cases;
  solve(p);
  return true;
}

static inline void agree_drop_row(puzzle *p, uint32_t r) {
  const uint32_t after = --p->n_rows - r;
  memmove(p->rows[r], p->rows[r + 1], after * sizeof p->rows[0]);
  memmove(p->cases + r, p->cases + r + 1, after * sizeof p->cases[0]);
  memmove(p->controls + r, p->controls + r + 1, after * sizeof p->controls[0]);
}

static inline void agree_drop_feature(puzzle *p, uint32_t j) {
  for (uint32_t r = 0; r < p->n_rows; r++)
    memmove(p->rows[r] + j, p->rows[r] + j + 1, p->j - j - 1);
  p->j--;
}

static inline void agree_simplify_option(puzzle *p, uint32_t i) {
  irl_options *o = &p->options;
  if (i == 0) o->rule.K -= o->rule.K > 1;
  if (i == 1) o->rule.M -= o->rule.M > 1;
  if (i == 2) o->rule.negations = false;
  if (i == 3) o->rule.weights = IRL_WEIGHTS_BALANCED;
  if (i == 4) o->rule.max_literals = 0;
  if (i == 5) o->search.budgets = NULL;
  if (i == 6) o->search.profile = IRL_PROFILE_DEFAULT;
  if (i == 7) o->rule.min_sensitivity = 0;
  if (i == 8) o->rule.min_specificity = 0;
  if (i == 9) o->search.seed = 0;
  if (i == 10) o->limits.threads = 1;
}

/* Change number `i` of a puzzle; false: there are no more. */
static inline bool agree_reduce(puzzle *p, uint32_t i) {
  enum { N_OPTIONS = 11 };
  if (i < p->n_rows) return agree_drop_row(p, i), true;
  i -= p->n_rows;
  if (i < p->j) return agree_drop_feature(p, i), true;
  i -= p->j;
  if (i < N_OPTIONS) return agree_simplify_option(p, i), true;
  i -= N_OPTIONS;
  if (i < 2 * p->n_rows) { /* half of the samples, */
    uint32_t *count = i < p->n_rows ? &p->cases[i] : &p->controls[i - p->n_rows];
    *count /= 2;
    return true;
  }
  i -= 2 * p->n_rows;
  if (i < 2 * p->n_rows) { /* one less, */
    uint32_t *count = i < p->n_rows ? &p->cases[i] : &p->controls[i - p->n_rows];
    *count -= *count > 0;
    return true;
  }
  i -= 2 * p->n_rows;
  if (i < p->n_rows * p->j) { /* a cell that is 0 */
    p->rows[i / p->j][i % p->j] = 0;
    return true;
  }
  return false;
}

/* The smallest puzzle that any one change makes right. */
static inline void agree_shrink(puzzle *p, agree_check *check) {
  static puzzle smaller;
  for (uint32_t i = 0;; i++) {
    smaller = *p;
    if (!agree_reduce(&smaller, i)) return;
    if (!memcmp(&smaller, p, sizeof smaller) || !agree_rebuild(&smaller) || !check(&smaller))
      continue;
    *p = smaller;
    i = UINT32_MAX;
  }
}

/* As CSV, with the options in a file beside it. */
static inline void agree_save(const puzzle *p, const char *name, const char *why,
                              const char *folder) {
  char path[200];
  const irl_options *o = &p->options;
  snprintf(path, sizeof path, "%s/failing.csv", folder);
  FILE *f = fopen(path, "w");
  if (!f) abort();
  for (uint32_t j = 0; j < p->j; j++) fprintf(f, "f%u,", j + 1);
  fprintf(f, "y\n");
  for (uint32_t n = 0; n < p->n_cases + p->n_controls; n++) {
    for (uint32_t j = 0; j < p->j; j++) fprintf(f, "%d,", p->cells[n * p->j + j]);
    fprintf(f, "%d\n", p->labels[n]);
  }
  fclose(f);
  snprintf(path, sizeof path, "%s/failing.txt", folder);
  f = fopen(path, "w");
  if (!f) abort();
  fprintf(f,
          "%s: %s\nbest loss %lld\n-K %lld -M %lld%s --weights %s --loss %s --max-literals %lld "
          "--budgets %s --profile %s --min-sensitivity %g --min-specificity %g --seed %lld "
          "--threads %lld\n",
          name, why, (long long)p->best, (long long)o->rule.K, (long long)o->rule.M,
          o->rule.negations ? " --negations" : "",
          o->rule.weights == IRL_WEIGHTS_UNIT ? "unit" : "balanced",
          o->rule.loss == IRL_LOSS_HAMMING ? "hamming" : "weighted",
          (long long)o->rule.max_literals, o->search.budgets ? o->search.budgets : "-",
          o->search.profile == IRL_PROFILE_PAPER ? "paper" : "default", o->rule.min_sensitivity,
          o->rule.min_specificity, (long long)o->search.seed, (long long)o->limits.threads);
  fclose(f);
  printf("the smallest case is in %s/failing.csv, its options in %s\n", folder, path);
}

#endif
