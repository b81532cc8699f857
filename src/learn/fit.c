/* Learning, for the public: the run from the data to its result. */
#include "learn/fit.h"
#include "base/contract.h"
#include "base/memory.h"
#include "bits/kernels.h"
#include "data/shard.h"
#include "ireland_study.h"
#include "learn/learn.h"
#include "learn/pool_file.h"
#include "prove/prove.h"
#include "rule/training.h"
#include "table/raw_table.h"
#include <math.h>

bool irl_fit_has_choice(const irl_data *data) {
  const irl_kernels *kernels = irl_bits_kernels();
  for (uint32_t j = 0; j < data->n_features; j++) {
    const uint64_t ones =
        kernels->count(irl_bits_vector(&data->cases, j), data->cases.stride) +
        kernels->count(irl_bits_vector(&data->controls, j), data->controls.stride);
    if (ones && ones < data->n_samples) return true;
  }
  return false;
}

static irl_fit_info make_info(const irl_learner *learner) {
  static const char *const methods[IRL_N_METHOD] = {
#define METHOD_ROW(name, text) text,
      IRL_METHOD_TABLE(METHOD_ROW)
#undef METHOD_ROW
  };
  const irl_method method = learner->settings.method;
  const irl_data *data = learner->data;
  irl_proof_method bound_by;
  const int64_t least = irl_search_bound(&learner->search, &bound_by);
  const double loss = (double)learner->search.best.loss, bound = (double)least;
  const bool has_rule = irl_search_has_rule(&learner->search);
  assert(!has_rule || bound <= loss);
  assert(learner->problem.divisor > 0 && learner->problem.all > 0);
  irl_fit_info info = {
      .outcome = learner->outcome,
      .objective = has_rule
                       ? irl_problem_objective(learner->search.problem, learner->search.best.loss)
                       : NAN,
      .bound =
          has_rule || bound < loss ? irl_problem_objective(learner->search.problem, least) : NAN,
      .gap = !has_rule  ? NAN
             : loss > 0 ? (loss - bound) / loss
                        : 0,
      .total = learner->problem.all / learner->problem.divisor,
      .rate = has_rule ? loss / learner->problem.all : NAN,
      .samples = data->n_samples,
      .features = data->n_features,
      .K = learner->problem.K,
      .M = learner->problem.M,
      .bound_by = irl_proof_method_name(bound_by),
      .method = method == IRL_METHOD_DEFAULT ? "ireland" : methods[method],
      .seed = learner->search.settings.seed,
      .work = learner->search.work,
      .nodes = learner->search.nodes,
      .p_value = NAN,
      .best_seconds = learner->search.best_seconds,
      .best_work = learner->search.allowance.best_work};
  _Static_assert(IRL_N_PHASE <= sizeof info.phase_seconds / sizeof *info.phase_seconds, "room");
  memcpy(info.phase_seconds, learner->search.allowance.seconds,
         sizeof learner->search.allowance.seconds);
  return info;
}

/* What is to be learnt. */
typedef struct fit_job {
  const irl_options *options;
  const irl_limit *limit;
  const irl_rule *start; /* NULL: none */
  bool for_curve;
  const irl_scope *scope; /* of what it will claim */
} fit_job;

/* The pool that the options name; what they say of its clauses must be so. */
static irl_status take_pool(irl_env *env, const irl_data *data, const irl_options *options,
                            irl_clause_set *pool, irl_problem *problem) {
  irl_options preset;
  irl_options_init(&preset, sizeof preset);
  const irl_status status =
      irl_pool_load(env, options->search.pool, data, pool, &problem->negations);
  if (status) return status;
  if (options->rule.M != preset.rule.M && (uint64_t)options->rule.M < pool->max_size)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "%s has clauses of %u literals, more than M, which is %lld",
                    options->search.pool->name, pool->max_size, (long long)options->rule.M);
  if (options->rule.negations && irl_data_may_negate(data) && !problem->negations)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "%s was made without negations, so they have no effect",
                    options->search.pool->name);
  problem->M = pool->max_size;
  return IRL_STATUS_OK;
}

static irl_status check_start(irl_env *env, const irl_learner *learner, const irl_rule *start) {
  const irl_data *data = learner->data;
  if (start->positive && strcmp(start->positive, data->positive) &&
      !strcmp(start->positive, data->negative))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "the rule to start from is for '%s', and the clauses to be learnt are for "
                    "'%s'%s",
                    start->positive, data->positive,
                    data->is_reflected ? ": a CNF says no where one of them holds" : "");
  for (size_t k = 0; k < start->n_clauses; k++) {
    const size_t n = start->start[k + 1] - start->start[k];
    if (!n || n > learner->problem.M)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "clause %zu of the rule to start from has %zu literals, not 1 to M = %u",
                      k + 1, n, learner->problem.M);
  }
  for (size_t i = 0; i < start->n_literals && !learner->problem.negations; i++)
    if (irl_data_may_negate(data) &&
        irl_literal_is_negated(start->literals[i]) != irl_data_is_complemented(data))
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "the rule to start from has negated literals: option negations allows them");
  return IRL_STATUS_OK;
}

/* A warm start: the clauses of a rule go to the pool before the run, and the rule itself is the
 * first one if it is within the limits. The bound does not depend on it, only how soon it helps. */
static irl_status take_start(irl_learner *learner, const irl_rule *start) {
  irl_bound_rule bound;
  irl_search_rule rule = {.n = 0};
  irl_status status = check_start(learner->search.env, learner, start);
  if (!status) status = irl_rule_bind(learner->search.env, start, learner->data, &bound);
  if (status) return status;
  for (size_t k = 0; k < start->n_clauses && !status; k++) {
    uint32_t literals[IRL_CLAUSE_MAX], number, n = 0;
    bool is_new;
    for (size_t i = start->start[k]; i < start->start[k + 1]; i++)
      irl_literal_insert(literals, n++, irl_bound_rule_literal(&bound, start->literals[i]));
    assert(n && n <= learner->problem.M); /* check_start refuses others */
    status = irl_clause_set_add(learner->search.env, &learner->search.pool, literals, n, &number,
                                &is_new);
    if (!status && rule.n < learner->problem.K && is_new) rule.clauses[rule.n++] = number;
  }
  irl_bound_rule_free(learner->search.env, &bound);
  return status ? status : irl_search_offer(&learner->search, &rule, NULL);
}

/* A learner that is ready to run: with an empty pool, or with the one that the options name, and
 * with a checkpoint if there is to be one. */
static irl_status prepare_learner(irl_env *env, const irl_data *data, const fit_job *job,
                                  irl_learner *learner) {
  const irl_options *options = job->options;
  irl_problem problem;
  irl_learn_settings settings;
  irl_clause_set pool = {0};
  char *text;
  irl_status status = irl_fit_settings(env, data, options, &problem, &settings);
  if (!status && !irl_fit_has_choice(data))
    status =
        irl_fail(env, IRL_STATUS_BAD_INPUT, "every feature is constant, so nothing can be learnt");
  settings.aim = !job->for_curve         ? IRL_LEARN_RULE
                 : options->output.sizes ? IRL_LEARN_SIZES
                                         : IRL_LEARN_CURVE;
  settings.least_tp = problem.min_cases;
  settings.most_fp = problem.max_controls;
  if (job->for_curve) { /* whose points have limits of their own */
    problem.min_cases = 0;
    problem.max_controls = UINT64_MAX;
  }
  if (!status && options->search.pool) status = take_pool(env, data, options, &pool, &problem);
  if (!status) status = irl_learner_init(learner, env, &problem, &settings, job->limit);
  if (pool.data && status) irl_clause_set_free(&pool);
  if (status) return status;
  if (pool.data) learner->search.pool = pool;
  assert(learner->search.pool.data == data && irl_clause_set_check(&learner->search.pool));
  learner->problem.scope = job->scope;
  if (job->start) status = take_start(learner, job->start);
  if (status || (!options->search.checkpoint && !options->search.resume)) return status;
  if (!status) status = irl_fit_job(learner, options, &text);
  if (status) return status;
  irl_search_set_checkpoint(&learner->search, options->search.checkpoint, text);
  return options->search.resume ? irl_search_resume(&learner->search, options->search.resume)
                                : IRL_STATUS_OK;
}

/* The rule comes before all that is made beside it, so that nothing takes its memory. */
static irl_status make_rule(irl_env *env, irl_learner *learner, const irl_options *options,
                            irl_fit_result *result) {
  const irl_status status = irl_search_make_rule(env, &learner->search.pool, learner->problem.K,
                                                 &learner->search.best, &result->rule);
  if (status || !options->search.resume) return status;
  const char *name = irl_checkpoint_name(options->search.resume->name);
  result->resumed = irl_mem_copy_text(&env->allocator, name, strlen(name));
  return result->resumed ? IRL_STATUS_OK : irl_fail_memory(env);
}

/* What the run came to. The result takes the learner's pool over. */
static void fill_result(irl_learner *learner, irl_fit_result *result) {
  irl_proof_method by;
  result->data = learner->data;
  result->info = make_info(learner);
  result->settings = learner->settings;
  result->problem = learner->problem;
  result->problem.merged = (irl_merged){0};
  result->is_complete = learner->is_complete;
  result->best = learner->search.best;
  result->bound = learner->search.proof.bound;
  result->lost_checkpoint = learner->search.checkpoint.is_lost;
  result->bound_is_read = irl_search_bound(&learner->search, &by) > result->bound;
  result->pool = learner->search.pool;
  learner->search.pool = (irl_clause_set){0};
  assert(irl_fit_is_true(learner->search.env, result));
}

#define DEFAULT_OPTIMAL_RULES 1000u /* rules, if only `within` is given */

/* Another process is lost: what was learnt is in the checkpoint. */
static irl_status save_what_is_left(irl_learner *learner, const irl_checkpoint_sink *sink) {
  const char *path = sink ? irl_checkpoint_name(sink->name) : NULL;
  const bool is_saved = path && irl_search_save(&learner->search);
  return irl_fail(learner->search.env, IRL_STATUS_PROCESS_LOST,
                  "a process of this run has ended, and the run with it; %s%s%s",
                  !path      ? "with --checkpoint it could go on from there"
                  : is_saved ? "--resume "
                             : "its checkpoint ",
                  path ? path : "",
                  !path      ? ""
                  : is_saved ? " goes on, with any number of processes"
                             : " could not be saved");
}

/* The certificate of a complete list in place of that of the best rule alone. */
static irl_status certify_list(irl_learner *learner, irl_fit_result *result) {
  char *certificate = NULL;
  const irl_status status =
      irl_prove_certify_all(&learner->search, &result->optimal_rules, &certificate);
  if (certificate) irl_text_free(learner->search.env, result->certificate);
  if (certificate) result->certificate = certificate;
  return irl_fit_go_without(learner->search.env, result, status, "certificate of the list");
}

/* The loss that near-optimal rules may have. */
static int64_t most_loss(const irl_learner *learner, const irl_options *options) {
  assert(options->output.within >= 0 && irl_search_has_rule(&learner->search));
  return (int64_t)floor((double)learner->search.best.loss * (1 + options->output.within) +
                        IRL_FIT_ROUNDING);
}

static irl_status count_within(irl_learner *learner, const irl_options *options,
                               irl_fit_result *result) {
  if (learner->outcome != IRL_OUTCOME_OPTIMAL) {
    irl_fit_add_note(learner->search.env, result, "rules are not counted: the rule is not proven");
    return IRL_STATUS_OK;
  }
  const irl_status status =
      irl_prove_count_rules(&learner->search, most_loss(learner, options), &result->within);
  if (!status && result->within.none_since)
    irl_fit_add_note(learner->search.env, result, "rules are not counted: %s",
                     result->within.none_since);
  return irl_fit_go_without(learner->search.env, result, status, "count of rules");
}

/* Learns from data in which every sample weighs something. */
static irl_status fit_samples(irl_env *env, const irl_data *data, const fit_job *job,
                              irl_fit_result **out) {
  const irl_options *options = job->options;
  irl_learner learner = {0};
  irl_fit_result *result = irl_mem_alloc(&env->allocator, 1, sizeof *result);
  if (!result) return irl_fail_memory(env);
  irl_status status = prepare_learner(env, data, job, &learner);
  const irl_limit *whole = &result->limit;
  result->allocator = env->allocator;
  result->limit = learner.search.limit;
  if (job->for_curve) { /* learning takes half of what is allowed, the curve has the rest */
    if (whole->deadline > 0) learner.search.limit.deadline -= options->limits.time_limit / 2;
    if (whole->max_work != UINT64_MAX)
      learner.search.limit.max_work -= (whole->max_work - learner.search.work) / 2;
  }
  if (!status) status = irl_learn(&learner);
  if (!status) status = irl_search_call_hooks(&learner.search);
  if (!status) irl_search_save(&learner.search);
  if (status == IRL_STATUS_PROCESS_LOST)
    status = save_what_is_left(&learner, options->search.checkpoint);
  if (!status) status = make_rule(env, &learner, options, result);
  if (!status && options->search.certificate && learner.outcome == IRL_OUTCOME_OPTIMAL) {
    irl_log(env, IRL_LOG_NOTE, "proven; now the certificate");
    status = irl_prove_find_evidence(&learner.search);
    if (!status) status = irl_prove_certify(&learner.search, &result->certificate);
    status = irl_fit_go_without(env, result, status, "certificate");
  } else if (!status && options->search.certificate && !job->for_curve) {
    irl_fit_add_note(env, result, "there is no certificate: the rule is not proven");
  }
  const bool wants_rules = options->output.all_optimal || options->output.within > 0;
  if (!status && wants_rules && learner.outcome == IRL_OUTCOME_OPTIMAL) {
    const size_t max =
        options->output.all_optimal ? (size_t)options->output.all_optimal : DEFAULT_OPTIMAL_RULES;
    status = irl_prove_optimal_rules(&learner.search, most_loss(&learner, options), max,
                                     &result->optimal_rules);
    status = irl_fit_go_without(env, result, status, "list of rules as good");
    if (!status && options->search.certificate && result->optimal_rules.is_complete)
      status = certify_list(&learner, result);
  } else if (!status && wants_rules) {
    irl_fit_add_note(env, result, "rules that are as good are not listed: the rule is not proven");
  }
  if (!status && options->output.count_within) status = count_within(&learner, options, result);
  irl_search_begin_phase(&learner.search, IRL_PHASE_FINISHING); /* which has an end by that */
  if (!status)
    status = irl_fit_go_without(env, result, irl_learn_explain(&learner, &result->reason),
                                "reason why the rule is empty");
  if (!status) fill_result(&learner, result);
  irl_learner_free(&learner);
  if (status)
    irl_fit_free(result);
  else
    *out = result;
  return status;
}

static irl_status fit_from(irl_env *env, const irl_data *data, fit_job *job, irl_fit_result **out) {
  const irl_options *options = job->options;
  const unsigned jobs = IRL_FOR_LEARN | (job->for_curve ? IRL_FOR_CURVE : IRL_FOR_FIT);
  assert(options->size == sizeof *options); /* copied in at the entry */
  irl_data *reflected = NULL, *kept = NULL;
  irl_scope *scope = NULL, *of_rule = NULL;
  irl_fit_result *result = NULL;
  irl_status status = irl_options_check(env, options, jobs, 0);
  if (!status && options->rule.cnf && job->for_curve)
    status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "a curve is of rules in DNF: option cnf goes with fit");
  if (!status && data->is_reflected && !options->rule.cnf)
    status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "this data was coded for a CNF, so learning from it needs option cnf");
  if (!status && irl_shard_needs_whole(options)) status = irl_data_check_whole(env, data);
  if (!status && job->start && options->search.pool)
    status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "a rule to start from goes without a pool");
  if (!status && options->output.equivalent > 0 && irl_data_has_weights(data))
    status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "option equivalent has no effect with weights of samples");
  /* Data for a CNF is reflected: here, if it was not made so. */
  if (!status && options->rule.cnf && !data->is_reflected)
    status = irl_data_reflected(env, data, irl_threads(env, options->limits.threads), &reflected);
  if (reflected) data = reflected;
  if (!status) status = irl_scope_make(env, data, options, &scope);
  if (!status) status = irl_scope_copy(env, scope, &of_rule);
  job->scope = scope;
  if (!status)
    status = irl_data_drop_weightless(env, data, irl_threads(env, options->limits.threads), &kept);
  if (!status) status = fit_samples(env, kept ? kept : data, job, &result);
  if (!status) {
    scope->M = of_rule->M = result->problem.M; /* a pool has its own */
    result->scope = scope;
    result->rule->scope = of_rule;
    result->pool_data = kept;
    if (kept && !job->for_curve) { /* whose points are over what was learnt from */
      result->data = data;
      result->info.samples = data->n_samples;
    }
    if (reflected) result->own_data = reflected;
    *out = result;
    return IRL_STATUS_OK;
  }
  irl_scope_free(scope);
  irl_scope_free(of_rule);
  irl_data_free(reflected);
  irl_data_free(kept);
  return status;
}

irl_status irl_fit_part(irl_env *env, const irl_data *data, const irl_options *options,
                        const irl_limit *limit, irl_fit_result **result) {
  fit_job job = {.options = options, .limit = limit, .start = options->search.start};
  return fit_from(env, data, &job, result);
}

irl_status irl_fit_remember(irl_env *env, irl_fit_result *result) {
  const bool has_rule = !isnan(result->info.objective);
  return has_rule ? irl_training_count(env, result->rule, result->data) : IRL_STATUS_OK;
}

irl_status irl_fit(irl_env *env, const irl_data *data, const irl_options *options,
                   irl_fit_result **result) {
  IRL_NEED(env, "env, data, options, result", env, data, options, result);
  irl_options own;
  irl_status status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_options_check(env, &own, IRL_FOR_FIT, IRL_FROM_DATA);
  irl_fit_result *made = NULL;
  irl_limit limit;
  if (status) return status;
  irl_limit_init(&limit, env, &own);
  status = irl_fit_part(env, data, &own, &limit, &made);
  if (!status) status = irl_fit_go_without(env, made, irl_fit_remember(env, made), IRL_FIT_COUNTS);
  if (status)
    irl_fit_free(made);
  else
    *result = made;
  return status;
}

irl_status irl_fit_for_curve(irl_env *env, const irl_data *data, const irl_options *options,
                             irl_fit_result **result) {
  IRL_NEED(env, "env, data, options, result", env, data, options, result);
  irl_options own;
  irl_limit limit;
  const irl_status status = irl_options_copy_in(env, options, &own);
  if (status) return status;
  irl_limit_init(&limit, env, &own);
  fit_job job = {.options = &own, .limit = &limit, .for_curve = true};
  return fit_from(env, data, &job, result);
}

void irl_fit_free(irl_fit_result *result) {
  if (!result) return;
  const irl_allocator allocator = result->allocator;
  irl_rule_free(result->rule);
  irl_scope_free(result->scope);
  irl_clause_set_free(&result->pool);
  irl_optimal_rules_free(&result->optimal_rules);
  irl_rule_count_free(&result->within);
  irl_variant_facts_free(&result->variants);
  irl_data_free(result->own_data);
  irl_data_free(result->pool_data);
  irl_data_free(result->test_data);
  irl_stability_free(result->stability);
  irl_cv_free(result->tuning);
  irl_mem_free(&allocator, result->certificate);
  irl_mem_free(&allocator, result->resumed);
  irl_mem_free(&allocator, result->clause_p);
  irl_mem_free(&allocator, result->reason);
  irl_mem_free(&allocator, result);
}

const irl_rule *irl_fit_rule(const irl_fit_result *result) {
  return result ? result->rule : NULL;
}

irl_status irl_fit_certificate(irl_env *env, const irl_fit_result *result, char **text) {
  IRL_NEED(env, "env, result, text", env, result, text);
  char *copy = NULL;
  if (result->certificate) {
    copy = irl_mem_copy_text(&env->allocator, result->certificate, strlen(result->certificate));
    if (!copy) return irl_fail_memory(env);
  }
  *text = copy;
  return IRL_STATUS_OK;
}

irl_status irl_fit_pool(irl_env *env, const irl_fit_result *result, irl_pool **pool) {
  IRL_NEED(env, "env, result, pool", env, result, pool);
  char *text;
  irl_status status = irl_pool_render(env, &result->pool, result->problem.negations, &text);
  if (status) return status;
  status = irl_pool_create(env, "pool", text, strlen(text), pool);
  irl_text_free(env, text);
  return status;
}

const char *irl_fit_rests_on(const irl_fit_result *result) {
  return result && result->bound_is_read ? result->resumed : NULL;
}

bool irl_fit_lost_checkpoint(const irl_fit_result *result) {
  return result && result->lost_checkpoint;
}

const char *irl_fit_reason(const irl_fit_result *result) {
  return result ? result->reason : NULL;
}

irl_status irl_fit_describe(const irl_fit_result *result, irl_fit_info *info) {
  return result ? irl_sized_copy_out(info, &result->info, sizeof *info) : IRL_STATUS_BAD_ARGUMENT;
}

uint32_t irl_fit_n_optimal_rules(const irl_fit_result *result, bool *is_complete) {
  if (!result) return 0;
  if (is_complete) *is_complete = result->optimal_rules.is_complete;
  return (uint32_t)result->optimal_rules.n;
}

irl_status irl_fit_optimal_rule(irl_env *env, const irl_fit_result *result, uint32_t i,
                                irl_rule **rule) {
  IRL_NEED(env, "env, result, rule", env, result, rule);
  if (i >= result->optimal_rules.n)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "there are %zu rules", result->optimal_rules.n);
  return irl_optimal_rules_get(env, result->data, &result->optimal_rules, i, rule);
}
