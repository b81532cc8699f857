/* What folds say of each setting, and which of the settings is chosen.
 *
 * The standard error of a mean is the standard deviation over the folds divided by the root of
 * their number; repeats lower the deviation's own error but are not independent samples, so they do
 * not count there. The choice is as that of Breiman et al. (1984): the simplest setting whose mean
 * is within a margin of the best, half a standard error unless their whole one is asked for, which
 * gives up more than it saves (src/doc/statistics.md). (The error of the paired difference to the
 * best is smaller, but by the nested estimate what it chooses is no better.) */
#include "validate/cv_validator.h"
#include <math.h>

const irl_cv_figure irl_cv_figures[IRL_CV_N_FIGURES] = {
#define FIGURE(name, title, is_by_weight)                                                          \
  { #name, title, offsetof(irl_evaluation, name), offsetof(irl_cv_row, name), is_by_weight }
    FIGURE(accuracy, "accuracy", false),
    FIGURE(balanced_accuracy, "balanced", false),
    FIGURE(sensitivity, "sensitivity", false),
    FIGURE(specificity, "specificity", false),
    FIGURE(accuracy_by_weight, "by weight", true),
    FIGURE(balanced_accuracy_by_weight, "balanced, by w.", true),
#undef FIGURE
};

void irl_cv_make_row(const irl_cv_scored *s, uint32_t number, irl_cv_row *row) {
  double sums[IRL_CV_N_FIGURES] = {0}, squares[IRL_CV_N_FIGURES] = {0};
  assert(number < s->stride);
  for (uint32_t i = 0; i < s->n; i++) {
    const irl_cv_score *score = s->scores + i * s->stride + number;
    if (!score->is_done) continue;
    row->folds++;
    row->clauses += score->clauses;
    row->literals += score->literals;
    row->proven += score->is_proven;
    for (size_t f = 0; f < IRL_CV_N_FIGURES; f++) {
      const char *evaluation = (const char *)&score->e;
      const double x = *(const double *)(evaluation + irl_cv_figures[f].of_evaluation);
      sums[f] += x;
      squares[f] += x * x;
    }
  }
  const uint32_t n = row->folds;
  for (size_t f = 0; f < IRL_CV_N_FIGURES; f++) {
    const double mean = n ? sums[f] / n : NAN;
    const double variance = n > 1 ? fmax(0, (squares[f] - sums[f] * mean) / (n - 1)) : NAN;
    const irl_cv_measure measure = {mean, sqrt(variance / (n < s->folds ? n : s->folds))};
    *(irl_cv_measure *)((char *)row + irl_cv_figures[f].of_row) = measure;
  }
  row->clauses /= n;
  row->literals /= n;
}

uint32_t irl_cv_choose(const irl_cv_validator *v, const irl_cv_row *rows, uint32_t n_folds,
                       uint32_t *best) {
  const size_t by = v->chosen_by;
  const uint32_t n_rows = v->n_rows, needed = irl_cv_least_folds(n_folds);
  uint32_t chosen = n_rows;
  double top = NAN, least_size = NAN;
  *best = n_rows;
  for (uint32_t i = 0; i < n_rows; i++) {
    const double mean = irl_cv_figure_of(&rows[i], by)->mean;
    if (rows[i].folds < needed || (*best < n_rows && !(mean > top))) continue;
    *best = i;
    top = mean;
  }
  if (*best == n_rows || !(v->margin > 0)) return *best;
  const double error = irl_cv_figure_of(&rows[*best], by)->error;
  const double least = top - (isnan(error) ? 0 : v->margin * error);
  for (uint32_t i = 0; i < n_rows; i++) {
    const double mean = irl_cv_figure_of(&rows[i], by)->mean;
    const double size = rows[i].clauses + rows[i].literals;
    if (rows[i].folds < needed || mean < least) continue;
    if (chosen < n_rows &&
        (size != least_size ? size > least_size
                            : !(mean > irl_cv_figure_of(&rows[chosen], by)->mean)))
      continue;
    chosen = i;
    least_size = size;
  }
  assert(chosen < n_rows);
  return chosen;
}
