/* The selection problem on a pool: bench/select DATA POOL.json K [THREADS]
 *
 * The pool is {"pool": [[feature, ...], ...]} or an array of arrays, features numbered from 0.
 * Prints loss, bound, nodes, work and seconds of (MP) with the paper's weights, N1 per false
 * positive and N0 per false negative. */
#include "select/select.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "data/dataset.h"
#include <stdio.h>
#include <stdlib.h>

static void fail(irl_env *env) {
  fprintf(stderr, "%s\n", irl_env_error(env));
  exit(1);
}

static const irl_json_value *find_pool(const irl_json_value *root) {
  if (root->type == IRL_JSON_ARRAY) return root;
  const irl_json_value *pool = irl_json_get(root, "pool");
  return pool ? pool : irl_json_get(root, "clauses");
}

static int compare_literals(const void *x, const void *y) {
  const irl_literal a = *(const irl_literal *)x, b = *(const irl_literal *)y;
  return (a > b) - (a < b);
}

static void add_clauses(irl_env *env, const irl_json_value *pool, irl_clause_set *clauses) {
  for (const irl_json_value *clause = pool->first; clause; clause = clause->next) {
    irl_literal literals[IRL_CLAUSE_MAX];
    uint32_t n = 0;
    for (const irl_json_value *v = clause->first; v && n < IRL_CLAUSE_MAX; v = v->next)
      literals[n++] = irl_literal_make((uint32_t)v->number - 1, false);
    qsort(literals, n, sizeof *literals, compare_literals);
    if (irl_clause_set_add(env, clauses, literals, n, NULL, NULL)) fail(env);
  }
}

int main(int argc, char **argv) {
  irl_env *env;
  irl_data *data;
  irl_options options;
  irl_file file;
  irl_arena arena;
  irl_json_value *root;
  irl_clause_set clauses;
  irl_select_result r;
  irl_limit limit;
  if (argc < 4 || irl_env_create(NULL, &env)) return 2;
  irl_options_init(&options, sizeof options);
  irl_arena_init(&arena, &env->allocator);
  if (irl_data_read(env, argv[1], &options, &data) || irl_file_open(env, argv[2], &file) ||
      irl_json_parse(env, argv[2], file.bytes, file.size, &arena, &root))
    fail(env);
  const irl_json_value *pool = find_pool(root);
  irl_clause_set_init(&clauses, data, IRL_CLAUSE_MAX);
  add_clauses(env, pool, &clauses);
  const uint32_t K = (uint32_t)atoi(argv[3]);
  uint32_t *chosen = irl_mem_alloc(&env->allocator, K, sizeof *chosen);
  const irl_problem problem = {.data = data,
                               .K = K,
                               .M = IRL_CLAUSE_MAX,
                               .case_weight = data->n_controls,
                               .control_weight = data->n_cases,
                               .max_controls = UINT64_MAX,
                               .max_literals = UINT64_MAX,
                               .max_complexity = UINT64_MAX};
  const irl_select_task task = irl_select_task_of(&problem, &clauses, argc > 4 ? atoi(argv[4]) : 2);
  irl_limit_init(&limit, env, &options);
  const double start = irl_clock_now();
  if (irl_select_solve(env, &task, &limit, chosen, &r)) fail(env);
  printf("%s K=%u %s loss %lld bound %lld nodes %llu work %llu %.4f s\n", argv[2], K,
         irl_outcome_text(r.outcome), (long long)r.loss, (long long)r.bound,
         (unsigned long long)r.nodes, (unsigned long long)r.work, irl_clock_now() - start);
  irl_clause_set_free(&clauses);
  irl_mem_free(&env->allocator, chosen);
  irl_arena_free(&arena);
  irl_file_close(&file);
  irl_data_free(data);
  irl_env_free(env);
  return 0;
}
