/* Proofs of the best clause on planted data.
 * clause_prove N J K M exact noise seed budget start threads [weights]
 * weights: 0 none, 1 one per class and no budget, 2 one per sample and no budget (pricing) */
#include "base/clock.h"
#include "clause/solve.h"
#include "planted.h"
#include <time.h>

int main(int argc, char **argv) {
  if (argc < 11) {
    fprintf(stderr, "usage: %s N J K M exact noise seed budget start threads\n", argv[0]);
    return 2;
  }
  irl_env *env;
  if (irl_env_create(NULL, &env)) return 1;
  planted p = planted_of(argv + 1);
  if (planted_make(env, &p)) return 1;
  irl_clause_problem problem;
  irl_clause_problem_init(&problem, p.data);
  problem.max_size = p.M;
  problem.budget = (uint64_t)(atof(argv[8]) * p.data->n_controls);
  const int weights = argc > 11 ? atoi(argv[11]) : 0;
  int64_t *of_cases = malloc(p.N * sizeof *of_cases), *of_controls = malloc(p.N * sizeof *of_cases);
  irl_random random;
  irl_random_init(&random, 1, 1);
  for (uint32_t i = 0; i < p.N; i++) {
    of_cases[i] = 500 + (int64_t)irl_random_below(&random, 1000);
    of_controls[i] = 500 + (int64_t)irl_random_below(&random, 1000);
  }
  if (weights) {
    problem.budget = IRL_CLAUSE_NO_LIMIT;
    problem.case_weight = p.data->n_controls;
    problem.control_weight = p.data->n_cases;
  }
  if (weights == 2) {
    problem.case_weights = of_cases;
    problem.control_weights = of_controls;
  }
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.limits.time_limit = 300;
  irl_limit limit;
  irl_limit_init(&limit, env, &options);
  irl_clause_model model;
  irl_clause_result result;
  double t0 = irl_clock_now();
  if (irl_clause_model_init(env, &model, &problem)) return 1;
  irl_clause best = {.value = IRL_CLAUSE_NO_VALUE};
  if (!planted_count(env, &p, NULL)) return 1;
  for (uint32_t k = 0; k < p.K; k++) {
    if (p.clauses[k].controls <= problem.budget && irl_clause_better(&p.clauses[k], &best))
      best = p.clauses[k];
  }
  double t1 = irl_clock_now();
  const clock_t cpu = clock();
  if (irl_clause_bnb(env, &model, &limit, atoi(argv[10]), atoi(argv[9]) ? &best : NULL, &result))
    return 1;
  double t2 = irl_clock_now();
  printf(
      "N %u J %u K %u M %u exact %d noise %g budget %u cases %u: planted %lld %s %lld bound %lld "
      "nodes %llu work %.3g prepare %.2f s prove %.2f s cpu %.2f s\n",
      p.N, p.J, p.K, p.M, p.is_exact, p.noise, model.budget, p.data->n_cases, (long long)best.value,
      irl_outcome_text(result.outcome), (long long)result.best.value, (long long)result.bound,
      (unsigned long long)result.nodes, (double)result.work, t1 - t0, t2 - t1,
      (double)(clock() - cpu) / CLOCKS_PER_SEC);
  free(of_cases);
  free(of_controls);
  irl_clause_model_free(&model);
  irl_data_free(p.data);
  irl_env_free(env);
  return 0;
}
