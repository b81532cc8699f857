/* A wide beam, where clauses that chance made are as good as those that matter (few samples, many
 * literals): then no search for single clauses can tell them apart, and what a search keeps is a
 * few of very many. Only together do the right ones show, because they cover different cases. So a
 * wide pass collects thousands of clauses within the least budget, and from these the best choices
 * of K, K - 1 and K - 2 clauses are made. The smaller choices leave room for what the pass cannot
 * see: a clause with few cases stands out only among the cases that the others leave. */
#include "clause/problem.h"
#include "learn/learn.h"
#include "state/effort.h"
#include <math.h>

/* lgamma itself writes to a variable of the process. */
static double log_factorial(double n) {
  int sign;
  return lgamma_r(n + 1, &sign);
}

/* The natural logarithm of the number of clauses with n literals, times the chance that one covers
 * no more than `controls` among as many samples. */
static double log_chance(const irl_learner *learner, uint32_t n, double cases, double controls) {
  const irl_data *data = learner->data;
  const double n_literals = (double)data->n_features * (learner->settings.negations ? 2 : 1);
  const double rate = data->n_cases / ((double)data->n_cases + data->n_controls);
  double sum = cases * log(rate) + controls * log(1 - rate);
  sum += log_factorial(cases + controls) - log_factorial(cases) - log_factorial(controls);
  for (uint32_t i = 0; i < n; i++) sum += log((n_literals - i) / (i + 1));
  return sum;
}

/* Might clauses of the best rule be chance? */
static bool is_doubtful(const irl_learner *learner) {
  const irl_clause_set *pool = &learner->pool;
  const irl_learn_rule *best = &learner->best;
  uint32_t n_doubtful = 0;
  for (uint32_t i = 0; i < best->n; i++) {
    const uint32_t k = best->clauses[i];
    const irl_kernels *kernels = irl_bits_kernels();
    const uint64_t cases = kernels->count(irl_bits_vector(&pool->cases, k), pool->cases.stride);
    const uint64_t controls =
        kernels->count(irl_bits_vector(&pool->controls, k), pool->controls.stride);
    if (pool->sizes[k] > 2)
      n_doubtful += log_chance(learner, pool->sizes[k], (double)cases, (double)controls) > 0;
  }
  return n_doubtful > 1;
}

static uint32_t affordable_width(const irl_learner *learner) {
  const irl_data *data = learner->data;
  const double literals = (double)data->n_features * (learner->settings.negations ? 2 : 1);
  const double words = (double)(data->cases.stride + data->controls.stride);
  const double pairs = literals * literals / 2 * words;
  const double width = ((double)IRL_EFFORT_WIDE - pairs) / (literals * words * 1.5);
  const size_t most =
      irl_learner_affords(learner, IRL_EFFORT_WIDE_MAX_WIDTH * IRL_EFFORT_WIDE_BYTES) /
      IRL_EFFORT_WIDE_BYTES;
  return width < 0 ? 0 : width > (double)most ? (uint32_t)most : (uint32_t)width;
}

static irl_status offer(irl_learner *learner, const irl_learn_rule *rule, uint64_t budget,
                        bool *is_better) {
  const irl_status status = irl_learner_offer(learner, rule, is_better);
  if (*is_better) irl_learner_log(learner, "deep", budget);
  return status;
}

/* A choice of K - n_left clauses, then of K with what is found for the cases it leaves. */
static irl_status complete_choice(irl_learner *learner, uint64_t budget, uint32_t n_left) {
  irl_learn_rule rule = {.n = 0};
  bool is_better;
  irl_status status = irl_learner_select_few(learner, budget, learner->settings.K - n_left, &rule);
  for (uint32_t i = 0; i < IRL_EFFORT_WIDE_ROUNDS && !status && !irl_learner_is_done(learner);
       i++) {
    irl_learn_generated result;
    status = offer(learner, &rule, budget, &is_better);
    if (status || !irl_learner_uncovered(learner, &rule, IRL_LEARN_MAX_K)) break;
    status = irl_learner_generate_within(learner, learner->live_cases, budget, IRL_EFFORT_GENERATE,
                                         &result);
    if (status || !result.n_new) break;
    const uint64_t before = rule.tp;
    status = irl_learner_select(learner, budget, &rule);
    if (!n_left && rule.tp <= before) break;
  }
  return status ? status : offer(learner, &rule, budget, &is_better);
}

irl_status irl_learn_wide_beam(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const irl_learn_subproblem problem = {.case_weight = (int64_t)learner->data->n_controls + 1,
                                        .control_weight = 1,
                                        .budget = settings->n_budgets ? settings->budgets[0] : 0,
                                        .max_work = UINT64_MAX,
                                        .width = affordable_width(learner),
                                        .n_wanted = IRL_EFFORT_WIDE_FOUND};
  irl_learn_generated result;
  if (irl_learner_is_done(learner) || problem.width < IRL_EFFORT_WIDE_MIN_WIDTH ||
      settings->M < 3 || !is_doubtful(learner))
    return IRL_OK;
  irl_status status = irl_learner_generate(learner, &problem, &result);
  for (uint32_t n_left = 0; n_left <= IRL_EFFORT_WIDE_LEFT && n_left < settings->K && !status;
       n_left++) {
    if (irl_learner_is_done(learner)) break;
    status = complete_choice(learner, problem.budget, n_left);
  }
  return status;
}
