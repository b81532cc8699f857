/* Listings: all clauses within thresholds once, then many small calls in scopes that shrink, as the
 * proof of a whole rule makes them.
 * clause_list N J K M noise min_cases max_controls calls threads */
#include "base/clock.h"
#include "clause/enumerate.h"
#include "planted.h"

static bool count_one(void *user, const irl_clause *clause) {
  (void)clause;
  ++*(uint64_t *)user;
  return false;
}

int main(int argc, char **argv) {
  if (argc < 10) {
    fprintf(stderr, "usage: %s N J K M noise min_cases max_controls calls threads\n", argv[0]);
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
  problem.max_literals = p.M;
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  irl_clause_model model;
  irl_clause_array store;
  irl_limit limit;
  irl_options options;
  bool is_complete;
  uint64_t work = 0, n_listed = 0;
  irl_options_init(&options);
  irl_limit_init(&limit, env, &options);
  if (irl_clause_model_init(env, &model, &problem)) return 1;
  irl_clause_array_init(&store, &env->allocator, p.M);
  double start = irl_clock_now();
  if (irl_clause_enumerate_all(env, &model, &limit, atoi(argv[9]), &thresholds, 10000000, &store,
                               &is_complete, &work))
    return 1;
  printf("N %u J %u M %u, %u cases or more, %u controls or fewer: %zu clauses%s in %.3f s\n", p.N,
         p.J, p.M, thresholds.min_cases, thresholds.max_controls, store.n,
         is_complete ? "" : " (cap)", irl_clock_now() - start);
  /* Calls on the samples that random clauses of the list leave. */
  irl_clause_enumerator lister;
  irl_clause_scope scope = {0};
  if (irl_clause_enumerator_init(env, &lister, &model)) return 1;
  uint64_t *mask = irl_mem_alloc_aligned(&env->allocator, model.root.stride + 8, 8);
  irl_random random;
  irl_random_init(&random, 1, 2);
  start = irl_clock_now();
  const int calls = store.n ? atoi(argv[8]) : 0;
  for (int i = 0; i < calls; i++) {
    irl_clause clause;
    irl_clause_array_get(&store, irl_random_below(&random, store.n), &clause);
    irl_clause_model_cover(&model, &clause, mask);
    /* What it covers: a small scope. */
    const irl_clause_thresholds inner = {clause.cases / 2, thresholds.max_controls / 2, 1};
    if (!irl_clause_scope_narrow(&lister, &lister.root, mask, &inner, &scope) ||
        !irl_clause_enumerate(&lister, &scope, &inner, count_one, &n_listed))
      return 1;
  }
  printf("%d calls on %u samples or so: %.2f us each, %.1f clauses each\n", calls,
         thresholds.min_cases, (irl_clock_now() - start) / (calls + !calls) * 1e6,
         (double)n_listed / (calls + !calls));
  irl_clause_scope_free(&lister, &scope);
  irl_clause_enumerator_free(&lister);
  irl_clause_array_free(&store);
  irl_clause_model_free(&model);
  irl_mem_free_aligned(&env->allocator, mask);
  irl_data_free(p.data);
  irl_env_free(env);
  return 0;
}
