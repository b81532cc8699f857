/* Could a clause be chance? The labels of what it covers are as likely, if it has nothing to do
 * with them, as so many draws with the share of cases among all; and one clause is the best of very
 * many. */
#include "base/posix.h"
#include "learn/learn.h"
#include <math.h>

#define NOISE      0.03 /* of the labels that a clause covers, as the ratio assumes */
#define MOST_NOISE 0.1  /* that a clause may have: a share of the cases that are its part */
#define UNIT       1000 /* of the logarithms that are weights */

/* lgamma itself writes to a variable of the process. */
static double log_factorial(double n) {
  int sign;
  return lgamma_r(n + 1, &sign);
}

double irl_learn_log_chance(const irl_learner *learner, const irl_learn_cover *cover, double rate) {
  const double n_literals =
      (double)learner->data->n_features * (learner->problem.negations ? 2 : 1);
  const double cases = (double)cover->cases, controls = (double)cover->controls;
  double sum = log_factorial(cases + controls) - log_factorial(cases) - log_factorial(controls);
  assert(rate >= 0 && rate <= 1);
  if (cover->cases) sum += cases * log(rate);
  if (cover->controls) sum += controls * log(1 - rate);
  for (uint32_t l = 0; l < cover->n_literals; l++) sum += log((n_literals - l) / (l + 1));
  return sum;
}

/* Not less than nothing, where nearly all that is left is of one class. */
static int64_t weight_of(double ratio) {
  return (int64_t)(UNIT * fmax(0, log(ratio)));
}

irl_subproblem irl_learn_likelihood_problem(const irl_learner *learner,
                                            const irl_learn_left *left) {
  const irl_data *data = learner->data;
  const double cases = (double)left->cases, rate = cases / (cases + (double)left->controls);
  const double mean = (double)irl_data_total(data, 1) / data->n_controls; /* weight of a control */
  assert(left->cases && left->n_clauses);
  irl_problem goal = irl_problem_weighted(&learner->problem, weight_of((1 - NOISE) / rate),
                                          weight_of((1 - rate) / NOISE));
  goal.max_controls = (uint64_t)(MOST_NOISE * cases / left->n_clauses * mean);
  return (irl_subproblem){.goal = goal,
                          .live_cases = learner->live_cases,
                          .live_controls = learner->live_controls,
                          .max_work = learner->search.settings.tuning.generate};
}

bool irl_learn_is_doubtful(const irl_learner *learner) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_clause_set *pool = &learner->search.pool;
  const irl_search_rule *best = &learner->search.best;
  const irl_data *data = learner->data;
  const double rate = data->n_cases / ((double)data->n_cases + data->n_controls);
  uint32_t n_doubtful = 0;
  for (uint32_t i = 0; i < best->n; i++) {
    const uint32_t k = best->clauses[i];
    assert(k < pool->n);
    if (pool->sizes[k] <= 2) continue;
    const irl_learn_cover cover = {
        kernels->count(irl_bits_vector(&pool->cases, k), pool->cases.stride),
        kernels->count(irl_bits_vector(&pool->controls, k), pool->controls.stride), pool->sizes[k]};
    n_doubtful += irl_learn_log_chance(learner, &cover, rate) > 0;
  }
  return n_doubtful > 1;
}
