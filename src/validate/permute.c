/* The permutation test of the search: p-values of clauses that were chosen because they fit.
 *
 * Labels are shuffled among the samples (within strata, where there are some) and everything that
 * has seen labels is done again. What is compared is the strongest clause of each shuffle, so that
 * the p-values hold for all clauses of the rule together (family-wise; Westfall and Young 1993):
 * the p-value of a clause is the share of shuffles whose strongest clause is at least as strong,
 * and that of the whole search the one of the rule's strongest clause. Strong is what has a small
 * tail of the hypergeometric distribution (rule/hypergeometric.h).
 *
 * Which clauses are looked at has to be the same with true and shuffled labels:
 * - All clauses of at most M literals, where they are not too many: then it does not matter how the
 *   rule was found. If the coding has not seen the labels, shuffles share the data's bits
 *   (max_statistic.c), otherwise each is coded anew.
 * - Else those that the quick search finds, with the true labels too; a clause of the rule that is
 *   stronger than all of these counts as the strongest of them.
 *
 * Groups of samples (units.h) keep their labels together: these are exchanged among groups of the
 * same size, within a stratum.
 *
 * With B shuffles, of which b are as good, the p-value is (1 + b) / (1 + B): the true labels are
 * one of the orders that could have been. Once ENOUGH shuffles are as good as the whole search the
 * test stops, for it will not be significant: with the ENOUGH-th at number l the p-value is ENOUGH
 * / l, for each clause by its own count (Besag and Clifford 1991). Shuffles count in their order,
 * so threads change nothing. */
#include "base/memory.h"
#include "bits/kernels.h"
#include "ireland_data.h"
#include "learn/learn.h"
#include "rule/clause_rows.h"
#include "rule/hypergeometric.h"
#include "validate/fit_extras.h"
#include "validate/max_statistic.h"
#include "validate/resampling.h"
#include <math.h>
#include <stdlib.h>

#define ENOUGH    20u  /* the p-value is known to about a fifth of itself then */
#define BLOCK     64u  /* shuffles that share covers */
#define ALL_WORK  4e12 /* words, to look at all clauses in all shuffles */
#define NOT_ENDED UINT32_MAX

typedef enum kind { SHARED, CODED_ANEW, SEARCHED } kind;

typedef struct permuter {
  irl_resampling parts;
  irl_options options;
  const irl_rule *rule;
  kind kind;
  double *own;            /* how strong the clauses of the rule are, in their order */
  uint32_t n;             /* permutations */
  irl_bits_matrix joined; /* SHARED: all samples, */
  uint32_t n_cases;
  uint32_t *place;  /* and where in it each of the rows stands */
  double *log_p;    /* of the clauses, the weakest first */
  irl_tails tails;  /* these */
  uint32_t *levels; /* of each permutation: how many of them it reaches; NOT_ENDED */
} permuter;

static uint32_t level_of(const permuter *p, double log_p) {
  uint32_t level = 0;
  while (level < p->tails.n && log_p <= p->tails.log_p[level] + 1e-9) level++;
  return level;
}

/* ---- one shuffle by itself ---- */

/* The strongest clause that the quick search finds. */
static irl_status search(irl_env *env, const permuter *p, const irl_data *data, double *log_p) {
  const irl_kernels *kernels = irl_bits_kernels();
  irl_learner learner = {0};
  irl_problem problem;
  irl_learn_settings settings;
  irl_hypergeometric h = {0};
  irl_status status = irl_fit_settings(env, data, &p->options, &problem, &settings);
  if (!status) status = irl_learner_init(&learner, env, &problem, &settings, p->parts.limit);
  if (!status && data->n_features) status = irl_learn(&learner); /* or nothing is to learn */
  if (!status) status = irl_hypergeometric_init(env, &h, data->n_cases, data->n_controls);
  *log_p = 0;
  for (size_t k = 0; k < learner.search.pool.n && !status; k++) {
    const irl_bits_matrix *cases = &learner.search.pool.cases,
                          *controls = &learner.search.pool.controls;
    const uint64_t tp = kernels->count(irl_bits_vector(cases, k), cases->stride),
                   fp = kernels->count(irl_bits_vector(controls, k), controls->stride);
    *log_p = fmin(*log_p, irl_hypergeometric_tail(&h, (uint32_t)(tp + fp), (uint32_t)tp));
  }
  irl_hypergeometric_free(env, &h);
  irl_learner_free(&learner);
  return status;
}

static irl_max_problem problem_of(const permuter *p, const irl_bits_matrix *literals,
                                  uint32_t n_cases, const irl_bits_matrix *shuffles) {
  return (irl_max_problem){literals, n_cases,  (uint32_t)p->options.rule.M,
                           p->tails, shuffles, p->parts.limit};
}

/* The strongest of all clauses of data that were coded for these labels. */
static irl_status look_at_all(irl_env *env, const permuter *p, const irl_data *data,
                              uint32_t *level, bool *is_done) {
  irl_bits_matrix joined = {0}, cases = {0};
  irl_status status = irl_classes_join(env, data, p->options.rule.negations, &joined);
  if (!status) status = irl_bits_matrix_init(env, &cases, 1, data->n_samples);
  if (!status) irl_bits_fill(cases.words, data->n_cases, cases.stride);
  const irl_max_problem problem = problem_of(p, &joined, data->n_cases, &cases);
  if (!status) status = irl_max_statistic(env, &problem, level, is_done);
  irl_bits_matrix_free(&cases);
  irl_bits_matrix_free(&joined);
  return status;
}

static irl_status learn_alone(irl_env *env, void *user, uint32_t number, irl_split *split) {
  permuter *p = user;
  uint32_t level = 0;
  bool is_done = true;
  double log_p = 0;
  irl_status status = irl_split_code(env, p->parts.table, &p->options, split);
  if (!status && p->kind == SEARCHED) {
    status = search(env, p, split->train, &log_p);
    level = level_of(p, log_p);
  } else if (!status) {
    status = look_at_all(env, p, split->train, &level, &is_done);
  }
  if (!status && is_done && !irl_limit_poll(p->parts.limit)) p->levels[number] = level;
  return status;
}

/* ---- a block of shuffles on the same bits ---- */

static irl_status learn_block(irl_env *env, void *user, uint32_t block, irl_split *none) {
  permuter *p = user;
  const uint32_t first = block * BLOCK, n = p->n - first < BLOCK ? p->n - first : BLOCK;
  const uint32_t n_rows = p->parts.rows.n;
  uint8_t *labels = irl_mem_alloc(&env->allocator, n_rows, 1);
  uint32_t *order = irl_mem_alloc(&env->allocator, n_rows, sizeof *order), levels[BLOCK];
  (void)none;
  irl_bits_matrix shuffles = {0};
  bool is_done = false;
  irl_status status = labels && order ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status) status = irl_bits_matrix_init(env, &shuffles, n, n_rows);
  for (uint32_t b = 0; b < n && !status; b++) {
    irl_resampling_shuffle(&p->parts, first + b, order, labels);
    for (uint32_t i = 0; i < n_rows; i++)
      if (labels[i]) irl_bits_set(irl_bits_vector(&shuffles, b), p->place[i]);
  }
  const irl_max_problem problem = problem_of(p, &p->joined, p->n_cases, &shuffles);
  if (!status) status = irl_max_statistic(env, &problem, levels, &is_done);
  for (uint32_t b = 0; b < n && !status && is_done; b++) p->levels[first + b] = levels[b];
  irl_bits_matrix_free(&shuffles);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, order);
  return status;
}

/* ---- what the true labels give ---- */

static int compare_weakest_first(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* How strong the clauses of the rule are on these data: in their order, and sorted in tails.
 * None is stronger than `most`. A rule without clauses is as strong as nothing. */
static irl_status weigh_clauses(permuter *p, const irl_data *data, double most) {
  const size_t n = p->rule->n_clauses;
  irl_evaluator *counted = NULL;
  irl_hypergeometric h = {0};
  irl_status status = irl_evaluator_of(p->parts.env, p->rule, data, &counted);
  if (!status) status = irl_hypergeometric_init(p->parts.env, &h, data->n_cases, data->n_controls);
  for (size_t k = 0; k < n && !status; k++) {
    const irl_clause_count *c = &counted->clauses[k];
    const double log_p = irl_hypergeometric_tail(&h, (uint32_t)(c->tp + c->fp), (uint32_t)c->tp);
    p->own[k] = p->log_p[k] = fmax(log_p, most);
  }
  qsort(p->log_p, n, sizeof *p->log_p, compare_weakest_first);
  p->tails = (irl_tails){p->log_p, n ? (uint32_t)n : 1};
  irl_hypergeometric_free(p->parts.env, &h);
  irl_evaluator_free(counted);
  return status;
}

/* Have labels been seen before the bits were there? */
static bool is_shared(const permuter *p, const irl_data *data) {
  const irl_cut_method cuts = p->options.data.cuts.method;
  const irl_table *table = p->parts.table;
  if (data->n_samples != p->parts.rows.n)
    return false; /* samples that weigh more stand there often */
  if (cuts == IRL_CUT_QUANTILE || cuts == IRL_CUT_ALL) return true;
  for (uint32_t i = 0; i < table->names.n; i++)
    if (table->columns[i].type == IRL_COLUMN_NUMBER) return false;
  return true;
}

static irl_status share(permuter *p, const irl_data *data) {
  uint32_t n[2] = {0, 0};
  p->place = irl_mem_alloc(&p->parts.env->allocator, data->n_samples, sizeof *p->place);
  if (!p->place) return irl_fail_memory(p->parts.env);
  for (uint32_t i = 0; i < data->n_samples; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    p->place[i] = n[is_case]++ + (is_case ? 0 : data->n_cases);
  }
  p->n_cases = data->n_cases;
  return irl_classes_join(p->parts.env, data, p->options.rule.negations, &p->joined);
}

/* Which clauses are looked at, and how strong those of the rule are among them. */
static irl_status prepare(permuter *p, const irl_data *data) {
  irl_split split = {.train_rows = p->parts.rows};
  const irl_rule_options *rule = &p->options.rule;
  const bool is_all =
      !data->shard && irl_max_work(data, rule->negations, (uint32_t)rule->M, p->n) <= ALL_WORK;
  double most = -INFINITY;
  irl_status status = IRL_STATUS_OK;
  p->kind = !is_all ? SEARCHED : is_shared(p, data) ? SHARED : CODED_ANEW;
  if (p->kind == SHARED) {
    status = share(p, data);
    return status ? status : weigh_clauses(p, data, most);
  }
  status = irl_split_code(p->parts.env, p->parts.table, &p->options, &split);
  if (!status && p->kind == SEARCHED) status = search(p->parts.env, p, split.train, &most);
  if (!status) status = weigh_clauses(p, split.train, most);
  irl_split_drop(&split);
  return status;
}

/* ---- the test ---- */

/* Shuffles in their order up to the one that is enough for this level: how many, and how many of
 * them reach it. */
static void count_as_good(const permuter *p, uint32_t level, uint32_t *n, uint32_t *n_as_good) {
  *n = *n_as_good = 0;
  for (uint32_t b = 0; b < p->n && *n_as_good < ENOUGH; b++) {
    if (p->levels[b] == NOT_ENDED) continue;
    ++*n;
    *n_as_good += p->levels[b] >= level;
  }
}

static double p_value(const permuter *p, uint32_t level) {
  uint32_t n, n_as_good;
  count_as_good(p, level, &n, &n_as_good);
  if (!n) return NAN;
  return n_as_good == ENOUGH ? (double)n_as_good / n : (1.0 + n_as_good) / (1.0 + n);
}

/* Waves of jobs, until all are done or enough is known. */
static irl_status run_all(permuter *p, int threads) {
  const bool in_blocks = p->kind == SHARED;
  const uint32_t n_jobs = in_blocks ? (p->n + BLOCK - 1) / BLOCK : p->n;
  const uint32_t wave = (uint32_t)threads * (in_blocks ? 1 : 8);
  uint32_t n = 0, n_as_good = 0;
  irl_status status = IRL_STATUS_OK;
  p->options.limits.threads = p->parts.threads;
  if (in_blocks) p->parts.jobs = threads; /* they share the data's bits */
  p->parts.draw = in_blocks ? IRL_DRAW_NOTHING : IRL_DRAW_SHUFFLES;
  for (uint32_t first = 0; first < n_jobs && !status && n_as_good < ENOUGH; first += wave) {
    const irl_parts parts = {.title = "permutations",
                             .unit = in_blocks ? "blocks" : "searches",
                             .first = first,
                             .n = n_jobs - first < wave ? n_jobs - first : wave,
                             .n_all = n_jobs,
                             .user = p,
                             .learn = in_blocks ? learn_block : learn_alone};
    status = irl_resampling_run(&p->parts, &parts);
    count_as_good(p, p->tails.n, &n, &n_as_good);
    if (irl_limit_poll(p->parts.limit)) break;
  }
  return status;
}

static irl_status allocate(irl_env *env, permuter *p, irl_fit_result *result) {
  const irl_allocator *allocator = &env->allocator;
  const size_t n_clauses = p->rule->n_clauses;
  p->own = irl_mem_alloc(allocator, n_clauses + 1, sizeof *p->own);
  p->levels = irl_mem_alloc(allocator, p->n, sizeof *p->levels);
  p->log_p = irl_mem_alloc(allocator, n_clauses + 1, sizeof *p->log_p);
  result->clause_p = irl_mem_alloc(allocator, n_clauses + 1, sizeof *result->clause_p);
  if (!p->own || !p->levels || !p->log_p || !result->clause_p) return irl_fail_memory(env);
  for (uint32_t b = 0; b < p->n; b++) p->levels[b] = NOT_ENDED;
  return IRL_STATUS_OK;
}

irl_status irl_fit_check_permute(irl_env *env, const irl_table *table, const irl_rows *rows) {
  bool is_within = true;
  if (!table->groups.of || !table->strata) return IRL_STATUS_OK;
  uint32_t *stratum_of = irl_mem_alloc(&env->allocator, table->groups.n, sizeof *stratum_of);
  if (!stratum_of) return irl_fail_memory(env);
  for (uint32_t i = 0; i < rows->n && is_within; i++) {
    const uint32_t sample = irl_rows_sample(rows, i), stratum = table->strata[sample] + 1;
    uint32_t *own = &stratum_of[table->groups.of[sample]]; /* 0: no sample of it came yet */
    is_within = !*own || *own == stratum;
    *own = stratum;
  }
  irl_mem_free(&env->allocator, stratum_of);
  return is_within ? IRL_STATUS_OK
                   : irl_fail(env, IRL_STATUS_BAD_INPUT,
                              "a group has samples of several strata, so its labels cannot be "
                              "exchanged with those of other groups of its stratum");
}

irl_status irl_fit_permute(irl_env *env, const irl_table *table, const irl_options *options,
                           const irl_limit *limit, const irl_rows *rows, irl_fit_result *result) {
  permuter p = {
      .options = *options, .rule = result->rule, .n = (uint32_t)options->output.permutations};
  p.options.search.effort = IRL_EFFORT_QUICK;
  p.options.search.prove = false;
  irl_options_clear_objects(&p.options);
  irl_status status = irl_data_check_bits(env, result->data);
  if (!status) status = irl_resampling_init(env, &p.parts, table, rows, options, limit);
  if (!status) status = irl_resampling_make_strata(&p.parts);
  if (!status) status = allocate(env, &p, result);
  if (!status) status = prepare(&p, result->data);
  if (!status) status = run_all(&p, irl_threads(env, options->limits.threads));
  if (!status) {
    count_as_good(&p, p.tails.n, &result->n_permutations, &result->n_as_good);
    result->info.permutations = result->n_permutations;
    result->info.p_value = p_value(&p, p.tails.n);
    result->n_permutations_asked = p.n;
    result->all_clauses_permuted = p.kind != SEARCHED;
    for (size_t k = 0; k < p.rule->n_clauses; k++)
      result->clause_p[k] = p_value(&p, level_of(&p, p.own[k]));
    if (irl_limit_poll(limit) && result->info.outcome != IRL_OUTCOME_OPTIMAL)
      result->info.outcome = irl_limit_outcome(limit);
  } else { /* zeros would be p-values */
    irl_mem_free(&env->allocator, result->clause_p);
    result->clause_p = NULL;
  }
  assert(result->n_as_good <= result->n_permutations);
  result->wants_permutations = true;
  irl_bits_matrix_free(&p.joined);
  irl_resampling_free(&p.parts);
  irl_mem_free(&env->allocator, p.place);
  irl_mem_free(&env->allocator, p.levels);
  irl_mem_free(&env->allocator, p.log_p);
  irl_mem_free(&env->allocator, p.own);
  return status;
}
