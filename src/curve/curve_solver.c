/* What all curves share: the pool is made ready once, and each point is a selection from it.
 *
 * The checkpoint of a fit (checkpoint.h) goes on with these selections, so that a curve that was
 * killed goes on too. A selection is known by its key: the clauses of the pool, the problem, the
 * choice that it starts from and the work it may take. An entry with another key, as after learning
 * that a time limit cut short and that now goes further, ends the replay: it and what is behind it
 * are of no use. The counts of a choice are computed from the covers, its bound is taken from the
 * entry. */
#include "base/endian.h"
#include "base/memory.h"
#include "curve/curve.h"
#include "state/effort.h"
#include <inttypes.h>
#include <math.h>

irl_status irl_curve_solver_init(irl_curve_solver *solver, irl_env *env, const irl_fit_result *fit,
                                 const irl_options *options) {
  const irl_data *data = fit->data;
  const irl_checkpoint *from = fit->checkpoint;
  const bool is_plain = !fit->settings.is_hamming && !fit->settings.penalty;
  const size_t words = data->cases.stride + data->controls.stride;
  irl_select_problem loosest;
  *solver = (irl_curve_solver){.env = env,
                               .fit = fit,
                               .threshold = options->output.threshold,
                               .limit = fit->limit,
                               .min_loss = is_plain && fit->bound > 0 ? fit->bound : 0,
                               .least_tp = fit->settings.min_cases,
                               .most_fp = fit->settings.max_controls};
  if (solver->most_fp > data->n_controls) solver->most_fp = data->n_controls;
  uint64_t *left = &solver->limit.max_work;
  if (*left != UINT64_MAX) *left = *left > fit->info.work ? *left - fit->info.work : 1;
  if (from) {
    /* A copy: the fit stays as it is, and two curves may be made of it. */
    solver->pool_hash = irl_clause_set_hash(&fit->pool);
    solver->checkpoint = *from;
    solver->checkpoint.env = env;
    solver->checkpoint.sink = options->search.checkpoint;
    solver->checkpoint.capacity = from->n;
    solver->checkpoint.words = irl_mem_alloc(&env->allocator, from->n, sizeof *from->words);
    if (!solver->checkpoint.words) return irl_fail_memory(env);
    if (from->n) memcpy(solver->checkpoint.words, from->words, from->n * sizeof *from->words);
  }
  solver->scratch = irl_mem_alloc_aligned(&env->allocator, words, sizeof *solver->scratch);
  if (!solver->scratch) return irl_fail_memory(env);
  irl_curve_problem(solver, &loosest);
  solver->work = (uint64_t)fit->pool.n * words;
  return irl_select_prepare(env, &loosest, &solver->limit, &solver->pool);
}

void irl_curve_solver_free(irl_curve_solver *solver) {
  irl_select_release(solver->pool);
  irl_checkpoint_free(&solver->checkpoint);
  if (solver->env) irl_mem_free_aligned(&solver->env->allocator, solver->scratch);
}

void irl_curve_line_free(const irl_allocator *allocator, irl_curve_line *line) {
  irl_mem_free(allocator, line->solutions);
}

bool irl_curve_limit_reached(const irl_curve_solver *solver) {
  return irl_limit_reached(&solver->limit, solver->work);
}

void irl_curve_problem(const irl_curve_solver *solver, irl_select_problem *problem) {
  const irl_fit_result *fit = solver->fit;
  irl_select_problem_init(problem, &fit->pool.cases, &fit->pool.controls, fit->settings.K);
  problem->sizes = fit->pool.sizes;
  problem->max_literals = fit->settings.max_literals;
  problem->case_weight = fit->settings.case_weight;
  problem->control_weight = fit->settings.control_weight;
  problem->threads = fit->settings.threads;
}

/* An entry of the checkpoint: its key, these parts of the result, the clauses. */
enum { KEY, OUTCOME, LOSS, BOUND, NODES, WORK, N_FIXED };

/* The key of a selection that starts from that rule. */
static uint64_t key_of(const irl_curve_solver *solver, const irl_select_problem *p,
                       const irl_learn_rule *start, uint64_t max_work) {
  const uint64_t words[] = {
      solver->pool_hash, p->K,         (uint64_t)p->case_weight, (uint64_t)p->control_weight,
      p->max_controls,   p->min_cases, p->max_literals,          (uint64_t)p->to_beat,
      max_work};
  uint64_t hash = irl_endian_hash(words, sizeof words / sizeof *words);
  for (uint32_t i = 0; i < start->n; i++)
    hash = irl_endian_hash((const uint64_t[]){hash, start->clauses[i]}, 2);
  return hash;
}

/* The result as the checkpoint has it, its clauses in `clauses`; false: it does not. */
static bool replay(irl_curve_solver *solver, const irl_select_problem *problem, uint64_t key,
                   uint32_t *clauses, irl_select_result *result) {
  irl_checkpoint *checkpoint = &solver->checkpoint;
  const irl_clause_set *pool = &solver->fit->pool;
  size_t n = 0;
  const uint64_t *words =
      checkpoint->env ? irl_checkpoint_next(checkpoint, IRL_LEARN_CURVE, &n) : NULL;
  if (!words) return false;
  /* Is it this selection, and are its clauses of this pool? */
  bool is_right = n >= N_FIXED && n - N_FIXED <= problem->K && words[KEY] == key &&
                  words[OUTCOME] < IRL_N_OUTCOME;
  for (size_t i = N_FIXED; i < n && is_right; i++) is_right = words[i] < pool->n;
  if (!is_right) {
    irl_checkpoint_drop(checkpoint, n);
    return false;
  }
  for (size_t i = N_FIXED; i < n; i++) clauses[i - N_FIXED] = (uint32_t)words[i];
  const uint32_t n_clauses = (uint32_t)(n - N_FIXED);
  const irl_cover_counts counts = irl_clause_set_count(pool, clauses, n_clauses, solver->scratch);
  *result = (irl_select_result){.outcome = (irl_outcome)words[OUTCOME],
                                .loss = (int64_t)words[LOSS],
                                .bound = (int64_t)words[BOUND],
                                .nodes = words[NODES],
                                .work = words[WORK],
                                .n = n_clauses,
                                .cases = counts.cases,
                                .controls = counts.controls,
                                .literals = counts.literals};
  return true;
}

static void record(irl_curve_solver *solver, uint64_t key, const uint32_t *clauses,
                   const irl_select_result *result) {
  irl_checkpoint *checkpoint = &solver->checkpoint;
  const uint64_t words[N_FIXED] = {
      key,           result->outcome, (uint64_t)result->loss, (uint64_t)result->bound,
      result->nodes, result->work};
  if (!checkpoint->env || irl_limit_poll(&solver->limit)) return;
  irl_checkpoint_begin(checkpoint, IRL_LEARN_CURVE);
  for (int i = 0; i < N_FIXED; i++) irl_checkpoint_put(checkpoint, words[i]);
  for (uint32_t i = 0; i < result->n; i++) irl_checkpoint_put(checkpoint, clauses[i]);
  irl_checkpoint_end(checkpoint);
}

irl_status irl_curve_select(irl_curve_solver *solver, irl_select_problem *problem,
                            irl_curve_solution *solution, irl_select_result *result,
                            bool *is_found) {
  const uint64_t allowed = solver->fit->settings.prove ? UINT64_MAX : IRL_EFFORT_SELECT_SHORT;
  irl_limit part = solver->limit;
  if (part.max_work != UINT64_MAX)
    part.max_work = part.max_work > solver->work ? part.max_work - solver->work : 1;
  if (part.max_work > allowed) part.max_work = allowed;
  const uint64_t key =
      solver->checkpoint.env ? key_of(solver, problem, &solution->rule, part.max_work) : 0;
  const bool is_known = replay(solver, problem, key, solution->rule.clauses, result);
  if (!is_known) {
    problem->n_start = solution->rule.n;
    const irl_status status = irl_select_solve_prepared(solver->env, solver->pool, problem, &part,
                                                        solution->rule.clauses, result);
    if (status) return status;
    record(solver, key, solution->rule.clauses, result);
  }
  solver->work += result->work;
  solver->nodes += result->nodes;
  solver->n_selections++;
  solver->bounds_are_read |= is_known;
  *is_found = result->loss < problem->to_beat;
  const irl_learn_settings *settings = &solver->fit->settings;
  solution->rule.n = result->n;
  solution->rule.tp = result->cases;
  solution->rule.fp = result->controls;
  solution->rule.loss =
      settings->case_weight * (int64_t)(solver->fit->data->n_cases - result->cases) +
      settings->control_weight * (int64_t)result->controls;
  solution->literals = result->literals;
  solution->outcome = result->outcome;
  irl_callbacks_note(solver->env, "curve", solver->work, NAN, NAN);
  irl_log(solver->env, IRL_LOG_PROGRESS,
          "curve: %" PRIu64 " selections, %" PRIu64 " true and %" PRIu64 " false positives",
          solver->n_selections, result->cases, result->controls);
  /* Its own work ended it, not a limit of the user's. */
  if (solution->outcome == IRL_OUTCOME_LIMIT && !irl_curve_limit_reached(solver))
    solution->outcome = IRL_OUTCOME_FEASIBLE;
  return IRL_STATUS_OK;
}

irl_status irl_curve_insert(irl_env *env, irl_curve_line *line, size_t at,
                            const irl_curve_solution *solution) {
  if (!irl_mem_reserve(&env->allocator, (void **)&line->solutions, &line->capacity, line->n,
                       sizeof *line->solutions))
    return irl_fail_memory(env);
  assert(at <= line->n);
  memmove(line->solutions + at + 1, line->solutions + at, (line->n - at) * sizeof *line->solutions);
  line->solutions[at] = *solution;
  line->n++;
  return IRL_STATUS_OK;
}
