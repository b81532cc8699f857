#include "state/learner.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/memory.h"
#include "data/shard.h"
#include "state/effort.h"
#include <math.h>

#define MAX_PRODUCT 0x1p62 /* of a loss and the number of clauses */

irl_status irl_learner_init(irl_learner *learner, irl_env *env, const irl_data *data,
                            const irl_learn_settings *settings, const irl_options *options) {
  *learner = (irl_learner){.env = env, .data = data, .settings = *settings};
  irl_proof_init(&learner->proof);
  if (!data->n_cases || !data->n_controls)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "there is only one class, so nothing can be learnt");
  /* Losses are whole numbers; the largest that a rule can have must be below that of no rule, and
   * searches multiply by the number of clauses. */
  const double largest = (double)settings->case_weight * data->n_cases +
                         (double)settings->control_weight * data->n_controls *
                             (settings->is_hamming ? settings->K : 1) +
                         (double)settings->penalty * settings->K * (1.0 + settings->M);
  if (largest >= (double)IRL_SELECT_NO_LOSS || settings->K * largest >= MAX_PRODUCT)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "the loss of a rule could be too large to be counted: fewer clauses, unit "
                    "weights or no penalty would do");
  assert(settings->K && settings->K <= IRL_LEARN_MAX_K && settings->M <= IRL_CLAUSE_MAX);
  assert(settings->case_weight > 0 && settings->control_weight > 0 && settings->penalty >= 0);
  if (!settings->max_complexity) learner->settings.max_complexity = UINT64_MAX;
  irl_limit_init(&learner->limit, env, options);
  irl_clause_set_init(&learner->pool, data, settings->M);
  learner->outcome = IRL_OUTCOME_FEASIBLE;
  learner->best_seconds = irl_clock_now() - env->started;
  irl_allowance_init(&learner->allowance, env->started);
  irl_callbacks_note(env, "start", 0, NAN, NAN);
  learner->min_cases = settings->for_curve ? 0 : settings->min_cases;
  learner->max_controls = settings->for_curve ? UINT64_MAX : settings->max_controls;
  const size_t case_words = data->cases.stride, words = case_words + data->controls.stride;
  learner->live_cases = irl_mem_alloc_aligned(&env->allocator, 2 * words, sizeof(uint64_t));
  if (!learner->live_cases) return irl_fail_memory(env);
  learner->live_controls = learner->live_cases + case_words;
  learner->scratch = learner->live_cases + words;
  irl_learner_weigh(learner, &learner->best);
  return IRL_STATUS_OK;
}

int irl_learner_threads(const irl_learner *learner) {
  return irl_learner_words(learner) < IRL_EFFORT_SMALL_DATA ? 1 : learner->settings.threads;
}

irl_status irl_learner_merge_samples(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const bool may_prove = irl_learner_may_prove(learner);
  const bool may_merge = irl_learner_is_simple(learner) && !settings->is_paper && may_prove;
  irl_status status = IRL_STATUS_OK;
  if (learner->data->shard && may_prove)
    status = irl_shard_whole(learner->env, learner->data, "for the proof", &learner->whole);
  if (!status)
    status = irl_merged_init(learner->env, &learner->proof.merged, irl_learner_whole(learner),
                             (const int64_t[2]){settings->case_weight, settings->control_weight},
                             may_merge, irl_learner_threads(learner));
  if (!status && learner->whole)
    status = irl_shard_copy(learner->env,
                            learner->proof.merged.own ? learner->proof.merged.own : learner->whole);
  learner->proof.bound = learner->proof.merged.offset;
  return status;
}

void irl_learner_free(irl_learner *learner) {
  if (learner->pool.data) irl_clause_set_free(&learner->pool);
  irl_checkpoint_free(&learner->checkpoint);
  if (learner->env) irl_mem_free_aligned(&learner->env->allocator, learner->live_cases);
  if (learner->env) irl_proof_free(&learner->proof, &learner->env->allocator);
  irl_data_free(learner->whole);
}

bool irl_learner_may_prove(const irl_learner *learner) {
  return !learner->settings.is_quick && !learner->settings.is_sample &&
         (learner->settings.prove || irl_learner_words(learner) <= IRL_EFFORT_LARGE_DATA);
}

uint64_t irl_learner_pass_work(const irl_learner *learner, uint64_t least) {
  const uint64_t pass = IRL_EFFORT_PASS * learner->settings.M * irl_learner_words(learner);
  return pass > least ? pass : least;
}

size_t irl_learner_affords(const irl_learner *learner, size_t most) {
  const double part = learner->settings.memory_limit_mb * 1e6 / 4;
  return part > 0 && part < (double)most ? (size_t)part : most;
}

bool irl_learner_limit_reached(const irl_learner *learner) {
  return irl_limit_reached(&learner->limit, learner->work);
}

bool irl_learner_is_done(const irl_learner *learner) {
  return learner->best.loss <= learner->proof.bound || !irl_learner_left(learner) ||
         irl_learner_limit_reached(learner);
}

irl_limit irl_learner_sublimit(const irl_learner *learner, uint64_t work) {
  irl_limit part = irl_limit_left(&learner->limit, learner->work);
  const uint64_t phase = irl_learner_left(learner);
  const uint64_t most = phase < part.max_work ? phase : part.max_work;
  part.max_work = !most ? 1 : work < most ? work : most;
  if (learner->settings.is_paper) {
    const double deadline = irl_clock_now() + learner->settings.paper_seconds;
    if (part.deadline == 0 || part.deadline > deadline) part.deadline = deadline;
  }
  return part;
}

void irl_learner_enter(irl_learner *learner, uint32_t M, irl_learner_outer *outer) {
  assert(M && M <= learner->settings.M);
  *outer = (irl_learner_outer){learner->settings, learner->best, learner->proof, learner->allowance,
                               learner->best_seconds};
  learner->settings.M = M;
  learner->best = (irl_learn_rule){.n = 0};
  learner->proof.evidence = (irl_proof_evidence){.target = -1}; /* the bound holds here as well */
  learner->proof.steps = (irl_cutoff_steps){.last = 0};
  irl_learner_weigh(learner, &learner->best);
}

irl_status irl_learner_leave(irl_learner *learner, irl_learner_outer *outer, irl_status status) {
  const irl_learn_rule inner = learner->best;
  irl_proof_evidence_free(&learner->proof.evidence, &learner->env->allocator);
  learner->settings = outer->settings;
  learner->best = outer->best;
  learner->proof = outer->proof;
  learner->best_seconds = outer->best_seconds;
  learner->allowance.best_work = outer->allowance.best_work;
  learner->allowance.counted_from = outer->allowance.counted_from;
  return status ? status : irl_learner_offer(learner, &inner, NULL);
}

uint64_t irl_learner_uncovered(irl_learner *learner, const irl_learn_rule *rule, uint32_t except) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_clause_set *pool = &learner->pool;
  const irl_data *data = learner->data;
  uint64_t *cases = learner->live_cases, *controls = learner->live_controls;
  irl_bits_fill(cases, data->n_cases, data->cases.stride);
  irl_bits_fill(controls, data->n_controls, data->controls.stride);
  for (uint32_t i = 0; i < rule->n; i++) {
    const uint32_t k = rule->clauses[i];
    if (i == except) continue;
    assert(k < pool->n);
    kernels->andnot_into(cases, cases, irl_bits_vector(&pool->cases, k), data->cases.stride);
    if (!learner->settings.is_hamming)
      kernels->andnot_into(controls, controls, irl_bits_vector(&pool->controls, k),
                           data->controls.stride);
  }
  return kernels->count(cases, data->cases.stride);
}

/* ---- selecting ---- */

int64_t irl_learner_cost(const irl_learner *learner, uint32_t n_literals) {
  return learner->settings.penalty * (1 + (int64_t)n_literals);
}

void irl_learner_weigh(const irl_learner *learner, irl_learn_rule *rule) {
  const irl_learn_settings *settings = &learner->settings;
  assert(rule->n <= settings->K && learner->scratch);
  const irl_cover_counts counts =
      irl_clause_set_count(&learner->pool, rule->clauses, rule->n, learner->scratch);
  const uint64_t paid = settings->is_hamming ? counts.control_covers : counts.controls;
  rule->tp = counts.cases;
  rule->fp = counts.controls;
  rule->literals = counts.literals;
  rule->loss = settings->case_weight * (int64_t)(learner->data->n_cases - rule->tp) +
               settings->control_weight * (int64_t)paid +
               settings->penalty * (int64_t)(rule->n + rule->literals);
  if (rule->tp < learner->min_cases || rule->fp > learner->max_controls ||
      rule->literals > settings->max_literals ||
      rule->n + rule->literals > settings->max_complexity)
    rule->loss = IRL_SELECT_NO_LOSS;
  assert(rule->loss >= 0 && rule->loss <= IRL_SELECT_NO_LOSS);
}

bool irl_learner_counts_literals(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  return settings->max_literals != UINT64_MAX || settings->max_complexity != UINT64_MAX ||
         settings->penalty;
}

bool irl_learner_is_simple(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  return !settings->is_hamming && !settings->penalty && !learner->min_cases &&
         learner->max_controls >= learner->data->n_controls &&
         settings->max_complexity == UINT64_MAX;
}

int64_t irl_learner_target(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const int64_t K = settings->K;
  const int64_t most = settings->case_weight * (int64_t)learner->data->n_cases +
                       settings->control_weight * (int64_t)learner->data->n_controls *
                           (settings->is_hamming ? K : 1) +
                       K * irl_learner_cost(learner, settings->M) + 1;
  return learner->best.loss < most ? learner->best.loss : most;
}

void irl_learner_set_goal(const irl_learner *learner, uint64_t budget,
                          irl_select_problem *problem) {
  const irl_learn_settings *settings = &learner->settings;
  const bool is_free = budget == UINT64_MAX;
  irl_select_problem_init(problem, &learner->pool.cases, &learner->pool.controls, settings->K);
  problem->sizes = learner->pool.sizes;
  problem->max_literals = settings->max_literals;
  problem->max_complexity = settings->max_complexity;
  problem->case_weight = is_free ? settings->case_weight : (int64_t)learner->data->n_controls + 1;
  problem->control_weight = is_free ? settings->control_weight : 1;
  problem->is_hamming = is_free && settings->is_hamming;
  problem->max_controls = budget < learner->max_controls ? budget : learner->max_controls;
  problem->min_cases = is_free ? learner->min_cases : 0;
  problem->clause_cost = problem->literal_cost = is_free ? settings->penalty : 0;
  problem->threads = settings->threads;
}

/* Solves the problem, whose start is in `rule`, or takes the choice from a checkpoint. */
static irl_status solve_selection(irl_learner *learner, irl_select_problem *problem,
                                  irl_learn_rule *rule) {
  const irl_learn_settings *settings = &learner->settings;
  irl_checkpoint *checkpoint = &learner->checkpoint;
  size_t n;
  assert(problem->K <= settings->K && rule->n <= problem->K);
  const uint64_t *words = irl_checkpoint_next(checkpoint, IRL_LEARN_SELECT, &n);
  if (words) {
    bool is_right = n >= 1 && n - 1 <= problem->K;
    for (size_t i = 1; i < n && is_right; i++) is_right = words[i] < learner->pool.n;
    if (is_right) {
      learner->work += words[0];
      rule->n = (uint32_t)(n - 1);
      for (uint32_t i = 0; i < rule->n; i++) rule->clauses[i] = (uint32_t)words[i + 1];
      irl_learner_weigh(learner, rule);
    }
    return is_right && (!rule->n || rule->fp <= problem->max_controls)
               ? IRL_STATUS_OK
               : irl_fail(learner->env, IRL_STATUS_BAD_INPUT, "the checkpoint is damaged");
  }
  /* Early choices need not be proven: they change with the next clauses, unless a pool is given. */
  const bool is_final = settings->is_paper || settings->has_pool;
  const uint64_t share = learner->work / 4;
  const uint64_t work = settings->is_quick                      ? IRL_EFFORT_SELECT_QUICK
                        : is_final || share > IRL_EFFORT_SELECT ? IRL_EFFORT_SELECT
                        : share > IRL_EFFORT_SELECT_SHORT       ? share
                                                                : IRL_EFFORT_SELECT_SHORT;
  irl_select_result result;
  const bool is_exact = !settings->is_one_of_many || problem->K <= IRL_EFFORT_SELECT_EXACT;
  problem->proof_share = is_final ? 1 : is_exact ? IRL_EFFORT_SELECT_PROOF : 0;
  problem->n_start = rule->n;
  const irl_limit part = irl_learner_sublimit(learner, work);
  const irl_status status =
      learner->engine ? learner->engine->choose(learner, problem, &part, rule->clauses, &result)
                      : irl_select_solve(learner->env, problem, &part, rule->clauses, &result);
  if (status) return status;
  learner->work += result.work;
  rule->n = result.n;
  assert(rule->n <= problem->K);
  if (!irl_learner_limit_reached(learner)) { /* or it may have been cut */
    irl_checkpoint_begin(checkpoint, IRL_LEARN_SELECT);
    irl_checkpoint_put(checkpoint, result.work);
    for (uint32_t i = 0; i < rule->n; i++) irl_checkpoint_put(checkpoint, rule->clauses[i]);
    irl_checkpoint_end(checkpoint);
  }
  irl_learner_weigh(learner, rule);
  return IRL_STATUS_OK;
}

irl_status irl_learner_select(irl_learner *learner, uint64_t budget, irl_learn_rule *rule) {
  irl_select_problem problem;
  irl_learner_set_goal(learner, budget, &problem);
  const irl_status status = solve_selection(learner, &problem, rule);
  learner->allowance.owes_selection = false;
  return status;
}

irl_status irl_learner_select_for(irl_learner *learner, const irl_learn_goal *goal,
                                  irl_learn_rule *rule) {
  irl_select_problem problem;
  irl_learner_set_goal(learner, UINT64_MAX, &problem);
  problem.K = goal->K;
  problem.case_weight = goal->case_weight;
  problem.control_weight = goal->control_weight;
  if (goal->budget < problem.max_controls) problem.max_controls = goal->budget;
  problem.min_cases = 0;
  problem.clause_cost = problem.literal_cost = 0;
  return solve_selection(learner, &problem, rule);
}

irl_status irl_learner_offer(irl_learner *learner, const irl_learn_rule *rule, bool *is_better) {
  irl_learn_rule offered = *rule, *best = &learner->best;
  const int64_t before = best->loss;
  irl_learner_weigh(learner, &offered);
  const bool is_less = offered.loss < before;
  const bool is_simpler =
      offered.n != best->n ? offered.n < best->n : offered.literals < best->literals;
  if (is_better) *is_better = is_less;
  if (is_less) irl_learner_note_better(learner);
  if (is_less || (offered.loss == before && is_simpler)) *best = offered;
  assert(best->loss <= offered.loss && best->loss <= before);
  assert(learner->proof.is_read || offered.loss >= learner->proof.bound);
  return is_less ? irl_learner_call_hooks(learner) : IRL_STATUS_OK;
}

irl_status irl_learner_offer_logged(irl_learner *learner, const irl_learn_rule *rule,
                                    const char *tag, uint64_t budget) {
  bool is_better;
  const irl_status status = irl_learner_offer(learner, rule, &is_better);
  if (!status && is_better) irl_learner_log(learner, tag, budget);
  return status;
}

irl_status irl_learner_offer_choice(irl_learner *learner, const irl_clause_set *from,
                                    const uint32_t *chosen, uint32_t n, const char *tag) {
  irl_learn_rule rule = {.n = n};
  irl_status status = IRL_STATUS_OK;
  assert(n <= learner->settings.K);
  for (uint32_t i = 0; i < n && !status; i++) {
    assert(chosen[i] < from->n);
    status =
        irl_clause_set_add(learner->env, &learner->pool, irl_clause_set_literals(from, chosen[i]),
                           from->sizes[chosen[i]], &rule.clauses[i], NULL);
  }
  return status ? status : irl_learner_offer_logged(learner, &rule, tag, UINT64_MAX);
}

double irl_learner_objective(const irl_learner *learner, int64_t loss) {
  return (double)loss / learner->settings.divisor;
}

irl_status irl_learner_call_hooks(irl_learner *learner) {
  const bool has_rule = irl_learner_has_rule(learner);
  irl_incumbent incumbent = {
      .size = sizeof incumbent,
      .objective = has_rule ? irl_learner_objective(learner, learner->best.loss) : NAN,
      .bound = irl_learner_objective(learner, learner->proof.bound),
      .work = learner->work};
  irl_rule *rule;
  if (learner->settings.is_sample) return IRL_STATUS_OK;
  irl_callbacks_note(learner->env, NULL, learner->work, incumbent.objective, incumbent.bound);
  irl_callbacks_poll(learner->env);
  const bool is_better = !learner->has_shown || learner->best.loss < learner->loss_shown;
  if (!has_rule || !is_better || !irl_callbacks_wants_rules(learner->env)) return IRL_STATUS_OK;
  const irl_status status = irl_learner_make_rule(learner->env, &learner->pool, learner->settings.K,
                                                  &learner->best, &rule);
  if (status) return status;
  incumbent.rule = rule;
  irl_callbacks_show_rule(learner->env, &incumbent);
  irl_rule_free(rule);
  learner->loss_shown = learner->best.loss;
  learner->has_shown = true;
  return IRL_STATUS_OK;
}

/* A loss in the units of the result; "-": there is no such rule. */
static double show_loss(const irl_learner *learner, int64_t loss, char shown[24]) {
  const bool is_one = loss < IRL_SELECT_NO_LOSS;
  const double value = is_one ? irl_learner_objective(learner, loss) : NAN;
  irl_c_snprintf(shown, 24, is_one ? "%.6g" : "-", value);
  return value;
}

void irl_learner_log(irl_learner *learner, const char *tag, uint64_t budget) {
  if (learner->settings.is_sample) return;
  const irl_data *data = learner->data;
  const irl_learn_rule *best = &learner->best;
  const double sensitivity = (double)best->tp / data->n_cases;
  const double specificity = 1 - (double)best->fp / data->n_controls;
  char shown[24] = "-";
  irl_run run = {.seconds = irl_clock_now() - learner->env->started};
  if (budget != UINT64_MAX) snprintf(shown, sizeof shown, "%llu", (unsigned long long)budget);
  char of_best[24], of_bound[24];
  const double objective = show_loss(learner, best->loss, of_best);
  const double bound = show_loss(learner, learner->proof.bound, of_bound);
  irl_callbacks_note(learner->env, tag, learner->work, objective, bound);
  if (!learner->round++) {
    irl_log(learner->env, IRL_LOG_NOTE,
            "  budget: controls that a clause may cover; pool: clauses; tp, fp: of the best rule; "
            "objective, bound: as in the result; work: words");
    irl_log(learner->env, IRL_LOG_NOTE,
            "  part     budget   pool        tp        fp  balanced  objective      bound    work  "
            "   time");
  }
  irl_log(learner->env, IRL_LOG_NOTE, "  %-8s %6s %6zu %9llu %9llu  %.6f %10s %10s %7.2g %7.2fs",
          tag, shown, learner->pool.n, (unsigned long long)best->tp, (unsigned long long)best->fp,
          (sensitivity + specificity) / 2, of_best, of_bound, (double)learner->work, run.seconds);
}

irl_status irl_learner_make_rule(irl_env *env, const irl_clause_set *pool, uint32_t K,
                                 const irl_learn_rule *chosen, irl_rule **rule) {
  const uint32_t n = chosen->n, M = pool->max_literals;
  uint32_t *sizes = irl_mem_alloc(&env->allocator, n, sizeof *sizes);
  irl_literal *literals = irl_mem_alloc(&env->allocator, (size_t)n * M, sizeof *literals);
  irl_status status = sizes && literals ? IRL_STATUS_OK : irl_fail_memory(env);
  const irl_clause_list list = {K, M, n, sizes, literals};
  if (!status) irl_clause_set_copy(pool, chosen->clauses, n, sizes, literals);
  if (!status) status = irl_rule_from_literals(env, pool->data, &list, rule);
  irl_mem_free(&env->allocator, sizes);
  irl_mem_free(&env->allocator, literals);
  return status;
}
