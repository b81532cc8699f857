/* The problems of the paper's loop, each solved in two ways: bench/paper_loop DATA K M FOLDER
 *
 * The loop runs with the MILP engine (fit --profile paper --engine milp). Each problem that it asks
 * about is solved as a MILP and, beside it, by the engine on bits with a proof, and is written to
 * FOLDER as an LP file for other solvers. Prints a line for each: its name, its optimum (cases
 * covered, or loss), processor seconds on bits and as a MILP; then the loss of the rule. One
 * thread. */
#include "base/memory.h"
#include "clause/solve.h"
#include "learn/fit.h"
#include "learn/paper_milp.h"
#include "model/lp_names.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *folder;
static unsigned number;
static int n_wrong;

static double cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_model(irl_search *search, irl_bp *bp, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.lp", folder, name);
  if (irl_lp_write(search->env, &bp->named, path)) fprintf(stderr, "%s\n", search->env->error);
  irl_bp_free(bp);
}

static void print_line(const char *name, int64_t bits, int64_t milp, double first, double second) {
  n_wrong += bits != milp;
  printf("%s %lld %.6f %.6f%s\n", name, (long long)bits, first, second,
         bits == milp ? "" : " DIFFERENT");
}

static irl_status find_clause(irl_search *search, const irl_subproblem *subproblem,
                              const irl_limit *limit, irl_clause_pool *found) {
  char name[64];
  irl_bp bp;
  irl_clause_problem problem;
  irl_clause_result result;
  const irl_clause_effort effort = {1, 1, true};
  snprintf(name, sizeof name, "%03u-sp-u%llu", ++number, (unsigned long long)subproblem->budget);
  irl_status status = irl_learn_build_sub(search, subproblem, &bp);
  if (status) return status;
  write_model(search, &bp, name);
  irl_clause_problem_init(&problem, search->problem->data);
  problem.live_cases = subproblem->live_cases;
  problem.case_weight = 1;
  problem.control_weight = 0;
  problem.budget = subproblem->budget;
  problem.max_size = search->problem->M;
  problem.threads = 1;
  const double start = cpu();
  status = irl_clause_problem_solve(search->env, &problem, limit, &effort, NULL, &result);
  const double middle = cpu();
  if (!status) status = irl_learn_milp_engine.find_clause(search, subproblem, limit, found);
  if (!status)
    print_line(name, result.best.cases, found->n ? found->clauses[0].cases : 0, middle - start,
               cpu() - middle);
  return status;
}

static irl_status choose(irl_search *search, const irl_select_problem *problem,
                         const irl_limit *limit, uint32_t *chosen, irl_select_result *result) {
  char name[64];
  irl_bp bp;
  irl_select_result on_bits;
  irl_select_problem own = *problem;
  uint32_t others[IRL_MAX_K];
  irl_search_rule rules[2] = {{.n = 0}, {.n = 0}};
  const bool has_budget = problem->max_controls < search->problem->data->n_controls;
  snprintf(name, sizeof name, has_budget ? "%03u-mp-u%llu" : "%03u-mp", ++number,
           (unsigned long long)problem->max_controls);
  irl_status status = irl_learn_build_master(search, problem, &bp);
  if (status) return status;
  write_model(search, &bp, name);
  own.n_start = 0;
  own.proof_share = 1;
  const double start = cpu();
  status = irl_select_solve(search->env, &own, limit, others, &on_bits);
  const double middle = cpu();
  if (!status) status = irl_learn_milp_engine.choose(search, problem, limit, chosen, result);
  if (status) return status;
  rules[0].n = on_bits.n;
  rules[1].n = result->n;
  memcpy(rules[0].clauses, others, on_bits.n * sizeof *others);
  memcpy(rules[1].clauses, chosen, result->n * sizeof *chosen);
  const double end = cpu();
  for (int i = 0; i < 2; i++) irl_search_weigh(search, &rules[i]);
  if (has_budget)
    print_line(name, (int64_t)rules[0].tp, (int64_t)rules[1].tp, middle - start, end - middle);
  else
    print_line(name, rules[0].loss, rules[1].loss, middle - start, end - middle);
  return IRL_STATUS_OK;
}

int main(int argc, char **argv) {
  static const irl_search_engine both = {find_clause, choose};
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
  options.search.profile = IRL_PROFILE_PAPER;
  options.search.engine = IRL_ENGINE_MILP;
  options.limits.threads = 1;
  irl_status status = irl_data_read(env, argv[1], &options, &data);
  if (!status) status = irl_fit_settings(env, data, &options, &problem, &settings);
  irl_limit_init(&limit, env, &options);
  if (!status) status = irl_learner_init(&learner, env, &problem, &settings, &limit);
  if (status) return fprintf(stderr, "%s\n", irl_env_error(env)), 1;
  learner.search.engine = &both;
  status = irl_learn(&learner);
  if (status) return fprintf(stderr, "%s\n", irl_env_error(env)), 1;
  printf("loss %lld\n", (long long)learner.search.best.loss);
  irl_learner_free(&learner);
  irl_data_free(data);
  irl_env_free(env);
  return n_wrong > 0;
}
