/* The problems of the paper's loop, each solved in two ways: bench/paper_loop DATA K M FOLDER
 *
 * For each budget u of false positives: select from the pool by (MP)_u, generate a clause by (SP)_u
 * for at most 100 cases that the selection leaves out, until that brings no new clause; then select
 * for the least loss by (MP). Each problem is solved as a MILP (milp/bp.h) and, beside it, by the
 * engine on bits with a proof, and is written to FOLDER as an LP file for other solvers. Prints a
 * line for each: its name, its optimum (cases covered, or loss), processor seconds on bits and as a
 * MILP; then the loss of the rule. One thread. */
#include "base/memory.h"
#include "base/random.h"
#include "clause/solve.h"
#include "learn/fit.h"
#include "learn/learn.h"
#include "learn/solve_structure.h"
#include "milp/bp.h"
#include "milp/milp.h"
#include "model/lp_names.h"
#include "rule/literal_columns.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLE = 100, ROUNDS = 100 }; /* cases of a sub problem; rounds of a budget */

static const char *folder;
static unsigned number;
static int n_wrong;

static double cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_line(const char *name, int64_t bits, int64_t milp, double first, double second) {
  n_wrong += bits != milp;
  printf("%s %lld %.6f %.6f%s\n", name, (long long)bits, first, second,
         bits == milp ? "" : " DIFFERENT");
}

/* Writes the model, solves it and frees it; *x is the best point, to be freed, or NULL. */
static irl_status solve_model(irl_search *search, irl_bp *bp, const char *name, double **x) {
  irl_env *env = search->env;
  irl_milp_problem problem;
  irl_milp_options options;
  irl_milp_result result;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.lp", folder, name);
  irl_status status = irl_lp_write(env, &bp->named, path);
  irl_milp_problem_init(&problem, bp->named.lp, bp->named.is_integer);
  irl_milp_options_init(&options, env);
  options.limit = search->limit;
  options.solve_structure = irl_learn_structure;
  *x = irl_mem_alloc(&env->allocator, irl_lp_n_columns(bp->named.lp), sizeof **x);
  if (!status && !*x) status = irl_fail_memory(env);
  if (!status) status = irl_milp_solve(env, &problem, &options, *x, &result);
  if (status || !result.has_point) {
    irl_mem_free(&env->allocator, *x);
    *x = NULL;
  }
  irl_bp_free(bp);
  return status;
}

/* (SP)_u: the clause of at most M literals that covers most of the live cases and at most `budget`
 * controls; *is_new: it was not in the pool. */
static irl_status find_clause(irl_search *search, const uint64_t *live, uint64_t budget,
                              bool *is_new) {
  const irl_problem *p = search->problem;
  const irl_bp_style style = {.is_plain = true, .live_cases = live};
  char name[64];
  irl_bp bp;
  irl_problem within = *p;
  irl_clause_problem problem;
  irl_clause_result result;
  irl_clause clause = {.n = 0};
  double *x;
  *is_new = false;
  snprintf(name, sizeof name, "%03u-sp-u%llu", ++number, (unsigned long long)budget);
  irl_clause_problem_init(&problem, p->data);
  problem.live_cases = live;
  problem.case_weight = 1;
  problem.control_weight = 0;
  problem.budget = budget;
  problem.max_size = p->M;
  problem.threads = 1;
  const double start = cpu();
  irl_status status = irl_clause_problem_solve(search->env, &problem, &search->limit,
                                               &(irl_clause_effort){1, 1, true}, NULL, &result);
  within.negations = false;
  within.max_controls = budget;
  if (!status) status = irl_bp_write_clause(&bp, search->env, &within, &style);
  if (status) return status;
  const double middle = cpu();
  const uint32_t n_literals = bp.n_literals;
  status = solve_model(search, &bp, name, &x);
  if (status || !x) return status;
  for (uint32_t l = 0; l < n_literals; l++)
    if (x[l] > 0.5) clause.literals[clause.n++] = irl_literal_make(l, false);
  irl_mem_free(&search->env->allocator, x);
  if (!clause.n) return IRL_STATUS_OK; /* the empty one, which covers everything, is none */
  irl_literals_cover(p->data, 0, clause.literals, clause.n, search->scratch);
  const uint64_t covered =
      irl_bits_kernels()->and_count(search->scratch, live, p->data->cases.stride);
  print_line(name, result.best.cases, (int64_t)covered, middle - start, cpu() - middle);
  uint32_t at;
  return irl_clause_set_add(search->env, &search->pool, clause.literals, clause.n, &at, is_new);
}

/* (MP)_u: at most K clauses of the pool that cover most cases and at most `budget` controls; (MP),
 * without a budget: those of the least loss. */
static irl_status choose(irl_search *search, uint64_t budget, irl_search_rule *rule) {
  const irl_problem *p = search->problem;
  const bool has_budget = budget < irl_data_total(p->data, 1);
  const irl_bp_pool pool = {&search->pool.cases, &search->pool.controls, search->pool.n};
  irl_search_rule on_bits = {.n = 0};
  irl_problem problem =
      irl_problem_weighted(p, has_budget ? 1 : p->case_weight, has_budget ? 0 : p->control_weight);
  irl_select_result result;
  irl_bp bp;
  char name[64];
  double *x;
  snprintf(name, sizeof name, has_budget ? "%03u-mp-u%llu" : "%03u-mp", ++number,
           (unsigned long long)budget);
  if (has_budget) problem.max_controls = budget;
  const irl_select_task task = irl_select_task_of(&problem, &search->pool, 1);
  const double start = cpu();
  irl_status status =
      irl_select_solve(search->env, &task, &search->limit, on_bits.clauses, &result);
  if (!status)
    status =
        irl_bp_write_master(&bp, search->env, &problem, &(irl_bp_style){.is_plain = true}, &pool);
  if (status) return status;
  const double middle = cpu();
  status = solve_model(search, &bp, name, &x);
  if (status || !x) return status;
  rule->n = 0;
  for (uint32_t k = 0; k < pool.n; k++)
    if (x[k] > 0.5) rule->clauses[rule->n++] = k;
  irl_mem_free(&search->env->allocator, x);
  const double end = cpu();
  on_bits.n = result.n;
  irl_search_weigh(search, &on_bits);
  irl_search_weigh(search, rule);
  print_line(name, has_budget ? (int64_t)on_bits.tp : on_bits.loss,
             has_budget ? (int64_t)rule->tp : rule->loss, middle - start, end - middle);
  return IRL_STATUS_OK;
}

/* Keeps at most SAMPLE of the live cases, at random. */
static void sample(irl_learner *learner, irl_random *random) {
  uint64_t n = irl_bits_kernels()->count(learner->live_cases, learner->data->cases.stride);
  uint64_t wanted = SAMPLE;
  for (uint32_t i = 0; i < learner->data->n_cases && n > wanted; i++) {
    if (!irl_bits_get(learner->live_cases, i)) continue;
    if (irl_random_below(random, n--) < wanted)
      wanted--;
    else
      irl_bits_clear(learner->live_cases, i);
  }
}

static irl_status run(irl_learner *learner) {
  irl_search *search = &learner->search;
  irl_search_rule all = {.n = 0};
  irl_random random;
  irl_status status = IRL_STATUS_OK;
  irl_random_init(&random, 1, 1);
  for (uint32_t u = 0; u < learner->settings.n_budgets && !status; u++) {
    const uint64_t budget = learner->settings.budgets[u];
    irl_search_rule rule = {.n = 0};
    bool is_new = true;
    for (int round = 0; round < ROUNDS && is_new && !status; round++) {
      if (search->pool.n) status = choose(search, budget, &rule);
      if (status || !irl_learner_uncovered(learner, &rule, IRL_MAX_K)) break;
      sample(learner, &random);
      status = find_clause(search, learner->live_cases, budget, &is_new);
    }
    if (!status && search->pool.n) status = choose(search, UINT64_MAX, &all);
  }
  printf("loss %lld\n", (long long)all.loss);
  return status;
}

int main(int argc, char **argv) {
  irl_env *env;
  irl_data *data;
  irl_options options;
  irl_problem problem;
  irl_learn_settings settings;
  irl_learner learner;
  irl_limit limit;
  if (argc != 5 || irl_env_create(NULL, &env)) return 2;
  folder = argv[4];
  irl_options_init(&options, sizeof options);
  options.rule.K = atoi(argv[2]);
  options.rule.M = atoi(argv[3]);
  options.search.profile = IRL_PROFILE_PAPER; /* its budgets */
  options.limits.threads = 1;
  irl_status status = irl_data_read(env, argv[1], &options, &data);
  if (!status) status = irl_fit_settings(env, data, &options, &problem, &settings);
  irl_limit_init(&limit, env, &options);
  if (!status) status = irl_learner_init(&learner, env, &problem, &settings, &limit);
  if (!status) status = run(&learner);
  if (status) return fprintf(stderr, "%s\n", irl_env_error(env)), 1;
  irl_learner_free(&learner);
  irl_data_free(data);
  irl_env_free(env);
  return n_wrong > 0;
}
