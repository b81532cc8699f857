/* Could a clause be chance? The labels of what it covers are as likely, if it has nothing to do
 * with them, as so many draws with the share of cases among all; and one clause is the best of very
 * many. */
#include "base/posix.h"
#include "learn/learn.h"
#include <math.h>

/* lgamma itself writes to a variable of the process. */
static double log_factorial(double n) {
  int sign;
  return lgamma_r(n + 1, &sign);
}

double irl_learn_log_chance(const irl_learner *learner, const irl_learn_cover *cover, double rate) {
  const double n_literals =
      (double)learner->data->n_features * (learner->settings.negations ? 2 : 1);
  const double cases = (double)cover->cases, controls = (double)cover->controls;
  double sum = log_factorial(cases + controls) - log_factorial(cases) - log_factorial(controls);
  assert(rate >= 0 && rate <= 1);
  if (cover->cases) sum += cases * log(rate);
  if (cover->controls) sum += controls * log(1 - rate);
  for (uint32_t l = 0; l < cover->n_literals; l++) sum += log((n_literals - l) / (l + 1));
  return sum;
}

bool irl_learn_is_doubtful(const irl_learner *learner) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_clause_set *pool = &learner->pool;
  const irl_learn_rule *best = &learner->best;
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
