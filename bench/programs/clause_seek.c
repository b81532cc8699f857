/* The heuristic phase on planted data: the best clause, or (rounds) clause after clause on the
 * cases still uncovered until none is left.
 * clause_seek N J K M exact noise seed budget threads rounds */
#include "base/clock.h"
#include "clause/heuristic.h"
#include "planted.h"
#include <time.h>

static void log_line(void *user, irl_log_kind kind, const char *line) {
  (void)user, (void)kind;
  fprintf(stderr, "  %s\n", line);
}

/* Greedy cover by the pool: takes the clause that covers most live cases while it covers enough. */
static uint32_t take(const planted *p, const irl_clause_pool *pool, uint64_t *live,
                     uint32_t *n_live) {
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t words = p->data->cases.stride;
  uint64_t *cover = irl_mem_alloc_aligned(&p->data->allocator, words, 8);
  uint64_t *best_cover = irl_mem_alloc_aligned(&p->data->allocator, words, 8);
  const uint32_t enough = pool->n ? pool->clauses[0].cases / 2 : 0;
  uint32_t taken = 0;
  for (;;) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < pool->n; i++) {
      memcpy(cover, live, words * 8);
      uint64_t n = 0;
      for (uint32_t l = 0; l < pool->clauses[i].n; l++) {
        const uint32_t literal = pool->clauses[i].literals[l];
        n = kernels->and_into(cover, cover, irl_bits_vector(&p->data->cases, literal / 2), words);
      }
      if (n <= most) continue;
      most = n;
      memcpy(best_cover, cover, words * 8);
    }
    if (most < 1 || (taken && most < enough)) break;
    *n_live = (uint32_t)kernels->andnot_into(live, live, best_cover, words);
    taken++;
  }
  irl_mem_free_aligned(&p->data->allocator, cover);
  irl_mem_free_aligned(&p->data->allocator, best_cover);
  return taken;
}

int main(int argc, char **argv) {
  if (argc < 11) {
    fprintf(stderr, "usage: %s N J K M exact noise seed budget threads rounds\n", argv[0]);
    return 2;
  }
  irl_env *env;
  if (irl_env_create(NULL, &env)) return 1;
  if (getenv("VERBOSE")) irl_env_set_log(env, log_line, NULL);
  planted p = planted_of(argv + 1);
  if (planted_make(env, &p)) return 1;
  const int threads = atoi(argv[9]), rounds = atoi(argv[10]);
  irl_options options;
  irl_options_init(&options, sizeof options);
  irl_limit limit;
  irl_limit_init(&limit, env, &options);
  const size_t words = p.data->cases.stride;
  uint64_t *live = irl_mem_alloc_aligned(&env->allocator, words, 8);
  irl_bits_fill(live, p.data->n_cases, words);
  uint32_t n_live = p.data->n_cases, n_clauses = 0;
  const double start = irl_clock_now();
  const clock_t cpu = clock();
  uint64_t work = 0;
  for (int round = 0; round < rounds && n_live; round++) {
    irl_clause_problem problem;
    irl_clause_problem_init(&problem, p.data);
    problem.max_size = p.M;
    problem.budget = (uint64_t)(atof(argv[8]) * p.data->n_controls);
    problem.live_cases = live;
    irl_clause_model model;
    irl_clause_pool pool;
    if (irl_clause_model_init(env, &model, &problem)) return 1;
    int64_t best = 0;
    if (!planted_count(env, &p, live)) return 1;
    for (uint32_t k = 0; k < p.K; k++) {
      if (p.clauses[k].controls <= problem.budget && p.clauses[k].value > best)
        best = p.clauses[k].value;
    }
    if (!irl_clause_pool_init(&pool, &env->allocator, 100)) return 1;
    const irl_clause_heuristic_settings seeking = {.max_work = 20000000000u, .seed = 1};
    if (irl_clause_heuristic(&(irl_clause_search){env, &model, &limit, threads, &work}, &seeking,
                             &pool))
      return 1;
    const int64_t found = pool.n ? pool.clauses[0].value : 0;
    const uint32_t live_before = n_live, taken = take(&p, &pool, live, &n_live);
    n_clauses += taken;
    printf("  round %d: live %u planted best %lld found %lld, took %u, %u left, %.2f s\n", round,
           live_before, (long long)best, (long long)found, taken, n_live, irl_clock_now() - start);
    irl_clause_pool_free(&pool);
    irl_clause_model_free(&model);
    if (!taken) break;
  }
  printf("N %u J %u K %u M %u exact %d noise %g seed %llu: %u clauses, %u of %u cases left, work "
         "%.3g, %.2f s, cpu %.2f s\n",
         p.N, p.J, p.K, p.M, p.is_exact, p.noise, (unsigned long long)p.seed, n_clauses, n_live,
         p.data->n_cases, (double)work, irl_clock_now() - start,
         (double)(clock() - cpu) / CLOCKS_PER_SEC);
  irl_mem_free_aligned(&env->allocator, live);
  irl_data_free(p.data);
  irl_env_free(env);
  return 0;
}
