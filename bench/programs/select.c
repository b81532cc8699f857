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

static void make_covers(const irl_data *data, const irl_json_value *pool, irl_bits_matrix *cases,
                        irl_bits_matrix *controls) {
  const irl_kernels *kernels = irl_bits_kernels();
  size_t k = 0;
  for (const irl_json_value *clause = pool->first; clause; clause = clause->next, k++) {
    uint64_t *a = irl_bits_vector(cases, k), *b = irl_bits_vector(controls, k);
    irl_bits_fill(a, data->n_cases, cases->stride);
    irl_bits_fill(b, data->n_controls, controls->stride);
    for (const irl_json_value *v = clause->first; v; v = v->next) {
      kernels->and_into(a, a, irl_bits_vector(&data->cases, (size_t)v->number - 1), cases->stride);
      kernels->and_into(b, b, irl_bits_vector(&data->controls, (size_t)v->number - 1),
                        controls->stride);
    }
  }
}

int main(int argc, char **argv) {
  irl_env *env;
  irl_data *data;
  irl_options options;
  irl_file file;
  irl_arena arena;
  irl_json_value *root;
  irl_bits_matrix cases, controls;
  irl_select_problem problem;
  irl_select_result r;
  irl_limit limit;
  if (argc < 4 || irl_env_create(NULL, &env)) return 2;
  irl_options_init(&options, sizeof options);
  irl_arena_init(&arena, &env->allocator);
  if (irl_data_read(env, argv[1], &options, &data) || irl_file_open(env, argv[2], &file) ||
      irl_json_parse(env, argv[2], file.bytes, file.size, &arena, &root))
    fail(env);
  const irl_json_value *pool = find_pool(root);
  if (irl_bits_matrix_init(env, &cases, pool->n_items, data->n_cases) ||
      irl_bits_matrix_init(env, &controls, pool->n_items, data->n_controls))
    fail(env);
  make_covers(data, pool, &cases, &controls);
  const uint32_t K = (uint32_t)atoi(argv[3]);
  uint32_t *chosen = irl_mem_alloc(&env->allocator, K, sizeof *chosen);
  irl_select_problem_init(&problem, &cases, &controls, K);
  problem.case_weight = data->n_controls;
  problem.control_weight = data->n_cases;
  irl_limit_init(&limit, env, &options);
  const double start = irl_clock_now();
  problem.threads = argc > 4 ? atoi(argv[4]) : 2;
  if (irl_select_solve(env, &problem, &limit, chosen, &r)) fail(env);
  printf("%s K=%u %s loss %lld bound %lld nodes %llu work %llu %.4f s\n", argv[2], K,
         irl_outcome_text(r.outcome), (long long)r.loss, (long long)r.bound,
         (unsigned long long)r.nodes, (unsigned long long)r.work, irl_clock_now() - start);
  irl_bits_matrix_free(&cases);
  irl_bits_matrix_free(&controls);
  irl_mem_free(&env->allocator, chosen);
  irl_arena_free(&arena);
  irl_file_close(&file);
  irl_data_free(data);
  irl_env_free(env);
  return 0;
}
