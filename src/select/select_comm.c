/* The selection problem as a message. Processes that have a copy of the merged samples get the
 * clauses as literals, make their covers, and run the same search in step: the tasks of each round
 * are shared out (search/rounds.h). */
#include "select/select_comm.h"
#include "base/memory.h"
#include "rule/literal_columns.h"

irl_status irl_select_call(irl_env *env, const irl_select_problem *problem,
                           const irl_limit *limit) {
  const size_t n = problem->cases->n_vectors;
  irl_message message;
  assert(problem->merged && problem->literals && problem->sizes);
  irl_message_init(&message, env);
  irl_merged_put(&message, problem->merged);
  irl_message_put_number(&message, n);
  irl_message_put_number(&message, problem->max_size);
  for (size_t k = 0; k < n; k++) {
    assert(problem->sizes[k] <= problem->max_size);
    irl_message_put_number(&message, problem->sizes[k]);
    irl_message_put(&message, problem->literals + k * problem->max_size,
                    problem->sizes[k] * sizeof *problem->literals);
  }
  irl_message_put_number(&message, problem->K);
  irl_message_put_number(&message, problem->max_literals);
  irl_message_put_number(&message, problem->has_multipliers);
  irl_message_put_number(&message, (uint64_t)problem->to_beat);
  irl_message_put_number(&message, (uint64_t)problem->threads);
  irl_limit_put(&message, limit);
  const irl_status status = irl_comm_call(env, IRL_COMM_SELECT, &message);
  irl_message_free(&message);
  return status ? status : irl_comm_agree(env, IRL_OK);
}

/* The covers and sizes of n clauses. */
static irl_status get_clauses(irl_env *env, irl_message *message, const irl_data *data,
                              irl_bits_matrix covers[2], uint32_t **sizes) {
  const size_t n = irl_message_get_number(message), max_size = irl_message_get_number(message);
  irl_status status = irl_bits_matrix_init(env, &covers[0], n, data->n_cases);
  if (!status) status = irl_bits_matrix_init(env, &covers[1], n, data->n_controls);
  if (status) return status;
  *sizes = irl_mem_alloc(&env->allocator, n, sizeof **sizes);
  irl_literal *literals = irl_mem_alloc(&env->allocator, max_size, sizeof *literals);
  bool is_ready = *sizes && literals;
  for (size_t k = 0; k < n && is_ready; k++) {
    const size_t size = irl_message_get_number(message);
    const void *bytes = size <= max_size ? irl_message_get(message, size * sizeof *literals) : NULL;
    is_ready = bytes != NULL;
    if (!is_ready) break;
    memcpy(literals, bytes, size * sizeof *literals);
    (*sizes)[k] = (uint32_t)size;
    for (int class = 0; class < 2; class ++)
      irl_literals_cover(data, class, literals, size, irl_bits_vector(&covers[class], k));
  }
  irl_mem_free(&env->allocator, literals);
  return is_ready ? IRL_OK : irl_fail_memory(env);
}

irl_status irl_select_serve(irl_env *env, irl_message *message) {
  irl_merged merged = {.unit = 1};
  irl_bits_matrix covers[2] = {{0}, {0}};
  irl_select_problem problem;
  irl_select_result result;
  irl_limit limit = {.env = env};
  uint32_t *sizes = NULL, chosen[IRL_SELECT_MAX_K];
  irl_status status = irl_merged_get(env, message, &merged);
  if (!status) status = get_clauses(env, message, merged.data, covers, &sizes);
  if (!status) {
    irl_select_problem_init(&problem, &covers[0], &covers[1],
                            (uint32_t)irl_message_get_number(message));
    problem.merged = &merged;
    problem.sizes = sizes;
    problem.max_literals = irl_message_get_number(message);
    problem.has_multipliers = irl_message_get_number(message);
    problem.to_beat = (int64_t)irl_message_get_number(message);
    problem.threads = (int)irl_message_get_number(message);
    irl_limit_get(message, env, &limit);
  }
  status = irl_comm_agree(env, status);
  if (!status) status = irl_select_solve_here(env, &problem, &limit, true, chosen, &result);
  irl_bits_matrix_free(&covers[0]);
  irl_bits_matrix_free(&covers[1]);
  irl_mem_free(&env->allocator, sizes);
  irl_merged_free(&merged);
  return status;
}
