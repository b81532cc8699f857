/* The permutation test of the whole search. Labels are shuffled among the samples and everything
 * that has seen labels is done again: the coding, the search for clauses, the choice of a rule. How
 * often does the search reach with shuffled labels what it reaches with the true ones? With B
 * permutations, of which b are as good, the p-value is (1 + b) / (1 + B): the true labels are one
 * of the permutations that could have been.
 *
 * All searches have to be the same for that to be right, and there are many of them. So it is the
 * quick search, and it is made with the true labels too, whatever the rule itself was found by. */
#include "base/memory.h"
#include "ireland_data.h"
#include "learn/learn.h"
#include "search/parallel_jobs.h"
#include "validate/folds.h"
#include "validate/hold_out.h"
#include <math.h>

#define PERMUTE_STREAM ((uint64_t)1 << 41) /* apart from those of folds and hold-outs */

typedef struct permuter {
  irl_env *env;
  const irl_table *table;
  irl_options options;
  const irl_rows *rows;
  const uint8_t *labels;  /* true ones, of the rows */
  const uint32_t *strata; /* of the rows; NULL: none */
  irl_limit limit;
  uint32_t n;        /* permutations */
  double *objective; /* of the true labels and of each permutation; NaN: not ended */
} permuter;

/* The objective that the quick search reaches; job 0 has the true labels. */
static irl_status run_one(irl_env *env, void *user, uint32_t job) {
  const permuter *p = user;
  irl_split split = {.train_rows = *p->rows};
  irl_learner learner = {0};
  irl_learn_settings settings;
  uint8_t *labels = irl_mem_alloc(&env->allocator, p->rows->n, 1);
  uint32_t *order = irl_mem_alloc(&env->allocator, p->rows->n, sizeof *order);
  irl_status status = labels && order ? IRL_STATUS_OK : irl_fail_memory(env);
  assert(job <= p->n);
  if (!status && job) {
    irl_random random;
    irl_random_init(&random, (uint64_t)p->options.search.seed, PERMUTE_STREAM + job);
    if (p->strata)
      irl_folds_shuffle_within(p->labels, p->strata, p->rows->n, &random, order, labels);
    else
      irl_folds_shuffle(p->labels, p->rows->n, (uint64_t)p->options.search.seed,
                        PERMUTE_STREAM + job, labels);
    split.train_rows.labels = labels;
  }
  if (!status) status = irl_split_code(env, p->table, &p->options, &split);
  if (!status) status = irl_fit_settings(env, split.train, &p->options, &settings);
  if (!status) status = irl_learner_init(&learner, env, split.train, &settings, &p->options);
  learner.limit.deadline = p->limit.deadline;
  if (!status && split.train->n_features) status = irl_learn(&learner); /* or nothing is to learn */
  if (!status && !irl_limit_poll(&p->limit))
    p->objective[job] = irl_learner_objective(&learner, learner.best.loss);
  irl_learner_free(&learner);
  irl_data_free(split.train);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, order);
  return status;
}

irl_status irl_fit_permute(irl_env *env, const irl_table *table, const irl_options *options,
                           const irl_rows *rows, irl_fit_result *result) {
  permuter p = {.env = env,
                .table = table,
                .options = *options,
                .rows = rows,
                .n = (uint32_t)options->output.permutations};
  p.options.search.effort = IRL_EFFORT_QUICK;
  p.options.limits.threads = 1;
  p.options.search.prove = false;
  irl_options_clear_objects(&p.options);
  irl_limit_init(&p.limit, env, options);
  p.objective = irl_mem_alloc(&env->allocator, (size_t)p.n + 1, sizeof *p.objective);
  uint8_t *labels = irl_mem_alloc(&env->allocator, rows->n, 1);
  uint32_t *strata = irl_mem_alloc(&env->allocator, rows->n, sizeof *strata);
  irl_status status = p.objective && labels && strata ? IRL_STATUS_OK : irl_fail_memory(env);
  for (uint32_t i = 0; i < rows->n && !status && table->strata; i++)
    strata[i] = table->strata[rows->samples[i]];
  if (table->strata) p.strata = strata;
  for (uint32_t i = 0; i < rows->n && !status; i++)
    labels[i] = irl_table_label(table, rows->samples[i]) == 1;
  for (uint32_t i = 0; i <= p.n && !status; i++) p.objective[i] = NAN;
  p.labels = labels;
  const irl_parallel_jobs jobs = {.env = env,
                                  .limit = &p.limit,
                                  .threads = irl_threads(env, options->limits.threads),
                                  .n = p.n + 1,
                                  .title = "permutations",
                                  .unit = "searches",
                                  .user = &p,
                                  .run = run_one};
  if (!status) status = irl_parallel_jobs_run(&jobs);
  for (uint32_t i = 1; i <= p.n && !status && !isnan(p.objective[0]); i++) {
    if (isnan(p.objective[i])) continue;
    result->n_permutations++;
    result->n_as_good += p.objective[i] <= p.objective[0];
  }
  if (!status) result->info.permutations = result->n_permutations;
  if (!status && result->n_permutations)
    result->info.p_value = (1.0 + result->n_as_good) / (1.0 + result->n_permutations);
  assert(result->n_as_good <= result->n_permutations);
  if (!status && irl_limit_poll(&p.limit) && result->info.outcome != IRL_OUTCOME_OPTIMAL)
    result->info.outcome = irl_limit_outcome(&p.limit);
  result->wants_permutations = true;
  irl_mem_free(&env->allocator, p.objective);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, strata);
  return status;
}
