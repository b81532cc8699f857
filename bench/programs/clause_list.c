/* All clauses within thresholds.
 * clause_list N J K M noise min_cases max_controls threads */
#include "base/clock.h"
#include "clause/enumerate.h"
#include "planted.h"

int main(int argc, char **argv) {
  if (argc < 9) {
    fprintf(stderr, "usage: %s N J K M noise min_cases max_controls threads\n", argv[0]);
    return 2;
  }
  irl_env *env;
  if (irl_env_create(NULL, &env)) return 1;
  planted p = {.N = (uint32_t)atoi(argv[1]),
               .J = (uint32_t)atoi(argv[2]),
               .K = (uint32_t)atoi(argv[3]),
               .M = (uint32_t)atoi(argv[4]),
               .is_exact = true,
               .noise = atof(argv[5]),
               .seed = 1};
  const irl_clause_thresholds thresholds = {(uint32_t)atoi(argv[6]), (uint32_t)atoi(argv[7]), 1};
  if (planted_make(env, &p)) return 1;
  irl_clause_problem problem;
  irl_clause_problem_init(&problem, p.data);
  problem.max_size = p.M;
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  irl_clause_model model;
  irl_clause_array store;
  irl_limit limit;
  irl_options options;
  bool is_complete;
  uint64_t work = 0;
  irl_options_init(&options, sizeof options);
  irl_limit_init(&limit, env, &options);
  if (irl_clause_model_init(env, &model, &problem)) return 1;
  irl_clause_array_init(&store, &env->allocator, p.M);
  const double start = irl_clock_now();
  if (irl_clause_enumerate_all(&(irl_clause_search){env, &model, &limit, atoi(argv[8]), &work},
                               &thresholds, 10000000, &store, &is_complete))
    return 1;
  printf("N %u J %u M %u, %u cases or more, %u controls or fewer: %zu clauses%s in %.3f s\n", p.N,
         p.J, p.M, thresholds.min_cases, thresholds.max_controls, store.n,
         is_complete ? "" : " (cap)", irl_clock_now() - start);
  irl_clause_array_free(&store);
  irl_clause_model_free(&model);
  irl_data_free(p.data);
  irl_env_free(env);
  return 0;
}
