/* What all curves share: the pool is made ready once, and each point is a selection from it. */
#include "base/memory.h"
#include "learn/curve.h"
#include <math.h>

/* Without --prove one selection may take so much; a point that is not proven by then says so. Most
 * points take a hundredth of it, and those that it is not enough for tend to take a thousand times
 * as much, where hundreds of clauses are nearly alike. */
#define POINT_WORK ((uint64_t)1e8)

static irl_limit limit_left(const irl_fit_result *fit) {
  irl_limit limit = fit->limit;
  if (limit.max_work != UINT64_MAX)
    limit.max_work = limit.max_work > fit->info.work ? limit.max_work - fit->info.work : 1;
  return limit;
}

/* The fit stays as it is: two curves may be made of it. */
static irl_status copy_journal(irl_curve_maker *maker, const irl_options *options) {
  const irl_journal *from = maker->fit->journal;
  if (!from) return IRL_OK;
  maker->pool_hash = irl_learn_pool_hash(&maker->fit->pool);
  maker->journal = *from;
  maker->journal.env = maker->env;
  maker->journal.path = options->checkpoint;
  maker->journal.capacity = from->n;
  maker->journal.words = irl_mem_alloc(&maker->env->allocator, from->n, sizeof *from->words);
  if (!maker->journal.words) return irl_fail_memory(maker->env);
  if (from->n) memcpy(maker->journal.words, from->words, from->n * sizeof *from->words);
  return IRL_OK;
}

irl_status irl_curve_maker_init(irl_curve_maker *maker, irl_env *env, const irl_fit_result *fit,
                                const irl_options *options) {
  const irl_data *data = fit->data;
  irl_select_problem loosest;
  *maker = (irl_curve_maker){.env = env, .fit = fit, .threshold = options->threshold};
  maker->limit = limit_left(fit);
  const bool is_plain = !fit->settings.is_hamming && !fit->settings.penalty;
  maker->min_loss = is_plain && fit->bound > 0 ? fit->bound : 0;
  maker->least_tp = fit->settings.min_cases;
  maker->most_fp =
      fit->settings.max_controls < data->n_controls ? fit->settings.max_controls : data->n_controls;
  irl_status status = copy_journal(maker, options);
  if (status) return status;
  irl_curve_problem(maker, &loosest);
  status = irl_select_prepare(env, &loosest, &maker->limit, fit->settings.threads, &maker->pool);
  maker->work = (uint64_t)fit->pool.n * (data->cases.stride + data->controls.stride);
  return status;
}

void irl_curve_maker_free(irl_curve_maker *maker) {
  irl_select_release(maker->pool);
  irl_journal_free(&maker->journal);
}

void irl_curve_line_free(const irl_allocator *allocator, irl_curve_line *line) {
  irl_mem_free(allocator, line->spots);
}

bool irl_curve_must_end(const irl_curve_maker *maker) {
  return irl_limit_reached(&maker->limit, maker->work);
}

void irl_curve_problem(const irl_curve_maker *maker, irl_select_problem *problem) {
  const irl_fit_result *fit = maker->fit;
  irl_select_problem_init(problem, &fit->pool.cases, &fit->pool.controls, fit->settings.K);
  problem->sizes = fit->pool.sizes;
  problem->max_literals = fit->settings.max_literals;
  problem->case_weight = fit->settings.case_weight;
  problem->control_weight = fit->settings.control_weight;
}

/* What a choice is worth; cases and controls are counted by the selection. */
static void take_result(const irl_curve_maker *maker, const irl_select_result *result,
                        irl_curve_spot *spot) {
  const irl_learn_settings *settings = &maker->fit->settings;
  spot->rule.n = result->n;
  spot->rule.tp = result->cases;
  spot->rule.fp = result->controls;
  spot->rule.loss = settings->case_weight * (int64_t)(maker->fit->data->n_cases - result->cases) +
                    settings->control_weight * (int64_t)result->controls;
  spot->literals = result->literals;
}

irl_status irl_curve_select(irl_curve_maker *maker, irl_select_problem *problem,
                            irl_curve_spot *spot, irl_select_result *result, bool *is_found) {
  const uint64_t allowed = maker->fit->settings.prove ? UINT64_MAX : POINT_WORK;
  irl_limit part = maker->limit;
  bool is_known;
  if (part.max_work != UINT64_MAX)
    part.max_work = part.max_work > maker->work ? part.max_work - maker->work : 1;
  if (part.max_work > allowed) part.max_work = allowed;
  irl_curve_question question = {maker, problem, spot, part.max_work, 0};
  question.key = irl_curve_key(&question);
  irl_status status = irl_curve_replay(&question, result, &is_known);
  if (!status && !is_known) {
    status = irl_select_solve_prepared(maker->env, maker->pool, problem, &part,
                                       maker->fit->settings.threads, spot->rule.clauses,
                                       spot->rule.n, result);
    if (!status) irl_curve_record(&question, result);
  }
  if (status) return status;
  maker->work += result->work;
  maker->nodes += result->nodes;
  maker->n_selections++;
  maker->bounds_are_read |= is_known;
  *is_found = result->loss < problem->to_beat;
  take_result(maker, result, spot);
  spot->outcome = result->outcome;
  irl_callbacks_note(maker->env, "curve", maker->work, NAN, NAN);
  irl_log(maker->env, IRL_LOG_PROGRESS,
          "curve: %llu selections, %llu true and %llu false positives",
          (unsigned long long)maker->n_selections, (unsigned long long)result->cases,
          (unsigned long long)result->controls);
  /* Its own work ended it, not a limit of the user's. */
  if (spot->outcome == IRL_LIMIT && !irl_curve_must_end(maker)) spot->outcome = IRL_FEASIBLE;
  return IRL_OK;
}

irl_status irl_curve_insert(irl_env *env, irl_curve_line *line, size_t at,
                            const irl_curve_spot *spot) {
  if (!irl_mem_reserve(&env->allocator, (void **)&line->spots, &line->capacity, line->n,
                       sizeof *line->spots))
    return irl_fail_memory(env);
  memmove(line->spots + at + 1, line->spots + at, (line->n - at) * sizeof *line->spots);
  line->spots[at] = *spot;
  line->n++;
  return IRL_OK;
}
