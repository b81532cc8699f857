/* A puzzle (puzzle.h) as data: each sample by itself, or equal ones as one or two with weights. */
#ifndef PUZZLE_DATA_H
#define PUZZLE_DATA_H

#include "data/dataset.h"
#include "puzzle.h"

/* The samples of a row and class as one sample that weighs as much, or as two. */
static inline irl_status puzzle_weighted(irl_env *env, const puzzle *p, irl_data **data) {
  uint8_t cells[4 * MAX_ROWS * MAX_FEATURES], labels[4 * MAX_ROWS];
  int64_t weights[2][4 * MAX_ROWS];
  size_t n_class[2] = {0, 0};
  irl_random random;
  irl_random_init(&random, (uint64_t)p->options.search.seed, p->n_rows);
  uint32_t n = 0;
  for (uint32_t r = 0; r < p->n_rows; r++)
    for (int class = 0; class < 2; class ++) {
      uint32_t left = class ? p->controls[r] : p->cases[r];
      while (left) {
        const bool is_part = left > 1 && (!n || !n_class[class] || irl_random_below(&random, 2));
        const uint32_t weight =
            is_part && n < 3 * MAX_ROWS ? 1 + (uint32_t)irl_random_below(&random, left) : left;
        memcpy(cells + (size_t)n * p->j, p->rows[r], p->j);
        labels[n++] = !class;
        weights[class][n_class[class]++] = weight;
        left -= weight;
        if (n + 2 * (p->n_rows - r) < 4 * MAX_ROWS) continue;
        weights[class][n_class[class] - 1] += left;
        left = 0;
      }
    }
  irl_status status = irl_data_from_bytes(env, n, p->j, cells, labels, NULL, data);
  for (int class = 0; class < 2 && !status; class ++) {
    status = irl_sample_weights_init(env, &(*data)->weights[class], n_class[class]);
    if (status) break;
    memcpy((*data)->weights[class].each, weights[class], n_class[class] * sizeof **weights);
    status = irl_sample_weights_finish(env, &(*data)->weights[class], n_class[class]);
  }
  if (!status) (*data)->weight_unit = 1;
  return status;
}

static inline irl_status puzzle_copies(irl_env *env, const puzzle *p, irl_data **data) {
  return irl_data_from_bytes(env, p->n_cases + p->n_controls, p->j, p->cells, p->labels, NULL,
                             data);
}

/* The one or the other, always the same of a puzzle. */
static inline irl_status puzzle_data(irl_env *env, const puzzle *p, irl_data **data) {
  const bool is_weighted = p->options.search.seed % 2;
  return is_weighted ? puzzle_weighted(env, p, data) : puzzle_copies(env, p, data);
}

#endif
