#include "search/search.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/memory.h"
#include <math.h>

#define SMALL_DATA                                                                                 \
  ((uint64_t)1 << 11) /* words up to which threads wait for each other too often                   \
                       */
/* Words beyond which a proof that nobody asked for is not worth its memory (64 MB). */
#define LARGE_DATA ((uint64_t)1 << 23)

irl_status irl_search_init(irl_search *search, irl_env *env, const irl_problem *problem,
                           const irl_search_settings *settings, const irl_limit *limit) {
  const irl_data *data = problem->data;
  *search = (irl_search){.env = env, .problem = problem, .settings = *settings, .limit = *limit};
  search->limit.env = env;
  irl_proof_init(&search->proof);
  assert(!irl_data_has_weights(data) || (data->weights[0].least && data->weights[1].least));
  if (!data->n_cases || !data->n_controls)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "there is only one class, so nothing can be learnt");
  const irl_status status = irl_problem_check(env, problem);
  if (status) return status;
  irl_clause_set_init(&search->pool, data, problem->M);
  search->best_seconds = irl_clock_now() - env->started;
  irl_allowance_init(&search->allowance, env->started);
  irl_callbacks_note(env, "start", 0, NAN, NAN);
  search->scratch = irl_mem_alloc_aligned(
      &env->allocator, data->cases.stride + data->controls.stride, sizeof(uint64_t));
  if (!search->scratch) return irl_fail_memory(env);
  irl_search_weigh(search, &search->best);
  return IRL_STATUS_OK;
}

void irl_search_free(irl_search *search) {
  const irl_allocator *allocator = &search->env->allocator;
  if (search->pool.data) irl_clause_set_free(&search->pool);
  irl_mem_free(allocator, search->checkpoint.job);
  irl_mem_free_aligned(allocator, search->scratch);
  irl_proof_evidence_free(&search->proof.evidence, allocator);
}

/* ---- limits ---- */

uint64_t irl_search_words(const irl_search *search) {
  const irl_data *data = search->problem->data;
  return (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
}

int irl_search_threads(const irl_search *search) {
  return irl_search_words(search) < SMALL_DATA ? 1 : search->settings.threads;
}

bool irl_search_may_prove(const irl_search *search) {
  return search->settings.effort == IRL_SEARCH_FULL && !search->settings.is_sample &&
         (search->settings.prove || irl_search_words(search) <= LARGE_DATA);
}

uint64_t irl_search_pass_work(const irl_search *search, uint64_t least) {
  const uint64_t pass =
      search->settings.tuning.beam_width * search->problem->M * irl_search_words(search);
  return pass > least ? pass : least;
}

/* For one of many fits a search rarely brings more than a beam as narrow. */
uint64_t irl_search_generate_work(const irl_search *search) {
  static const uint64_t parts[] = {
      [IRL_SEARCH_FULL] = 1, [IRL_SEARCH_QUICK] = 20, [IRL_SEARCH_RESAMPLE] = 200};
  return search->settings.tuning.generate / parts[search->settings.effort];
}

size_t irl_search_affords(const irl_search *search, size_t most) {
  const double part = search->settings.memory_limit_mb * 1e6 / 4;
  return part > 0 && part < (double)most ? (size_t)part : most;
}

bool irl_search_limit_reached(const irl_search *search) {
  return irl_limit_reached(&search->limit, search->work);
}

bool irl_search_is_done(const irl_search *search) {
  return search->best.loss <= search->proof.bound || !irl_search_left(search) ||
         irl_search_limit_reached(search);
}

irl_limit irl_search_sublimit(const irl_search *search, uint64_t work) {
  irl_limit part = irl_limit_left(&search->limit, search->work);
  const uint64_t phase = irl_search_left(search);
  const uint64_t most = phase < part.max_work ? phase : part.max_work;
  part.max_work = !most ? 1 : work < most ? work : most;
  return part;
}

/* ---- the incumbent ---- */

void irl_search_weigh(const irl_search *search, irl_search_rule *rule) {
  assert(rule->n <= search->problem->K && search->scratch);
  const irl_cover_counts counts =
      irl_clause_set_count(&search->pool, rule->clauses, rule->n, search->scratch);
  rule->tp = counts.cases;
  rule->fp = counts.controls;
  rule->literals = counts.literals;
  rule->loss = irl_problem_loss(search->problem, rule->n, &counts);
  assert(rule->loss >= 0 && rule->loss <= IRL_NO_LOSS);
}

int64_t irl_search_target(const irl_search *search) {
  const int64_t most = irl_problem_max_loss(search->problem);
  return search->best.loss < most ? search->best.loss : most;
}

irl_status irl_search_offer(irl_search *search, const irl_search_rule *rule, bool *is_better) {
  irl_search_rule offered = *rule, *best = &search->best;
  const int64_t before = best->loss;
  irl_search_weigh(search, &offered);
  const bool is_less = offered.loss < before;
  const bool is_simpler =
      offered.n != best->n ? offered.n < best->n : offered.literals < best->literals;
  if (is_better) *is_better = is_less;
  if (is_less) irl_search_note_better(search);
  if (is_less || (offered.loss == before && is_simpler)) *best = offered;
  assert(best->loss <= offered.loss && best->loss <= before);
  assert(offered.loss >= search->proof.bound);
  return is_less ? irl_search_call_hooks(search) : IRL_STATUS_OK;
}

irl_status irl_search_offer_logged(irl_search *search, const irl_search_rule *rule, const char *tag,
                                   uint64_t budget) {
  bool is_better;
  const irl_status status = irl_search_offer(search, rule, &is_better);
  if (!status && is_better) irl_search_log(search, tag, budget);
  return status;
}

irl_status irl_search_offer_choice(irl_search *search, const irl_clause_set *from,
                                   const uint32_t *chosen, uint32_t n, const char *tag) {
  irl_search_rule rule = {.n = n};
  irl_status status = IRL_STATUS_OK;
  assert(n <= search->problem->K);
  for (uint32_t i = 0; i < n && !status; i++) {
    assert(chosen[i] < from->n);
    status =
        irl_clause_set_add(search->env, &search->pool, irl_clause_set_literals(from, chosen[i]),
                           from->sizes[chosen[i]], &rule.clauses[i], NULL);
  }
  return status ? status : irl_search_offer_logged(search, &rule, tag, UINT64_MAX);
}

/* ---- log ---- */

irl_status irl_search_call_hooks(irl_search *search) {
  const bool has_rule = irl_search_has_rule(search);
  irl_incumbent incumbent = {
      .size = sizeof incumbent,
      .objective = has_rule ? irl_problem_objective(search->problem, search->best.loss) : NAN,
      .bound = irl_problem_objective(search->problem, search->proof.bound),
      .work = search->work};
  irl_rule *rule;
  if (search->settings.is_sample) return IRL_STATUS_OK;
  irl_callbacks_note(search->env, NULL, search->work, incumbent.objective, incumbent.bound);
  irl_callbacks_poll(search->env);
  const bool is_better = !search->has_shown || search->best.loss < search->loss_shown;
  if (!has_rule || !is_better || !irl_callbacks_wants_rules(search->env)) return IRL_STATUS_OK;
  const irl_status status =
      irl_search_make_rule(search->env, &search->pool, search->problem->K, &search->best, &rule);
  if (status) return status;
  incumbent.rule = rule;
  irl_callbacks_show_rule(search->env, &incumbent);
  irl_rule_free(rule);
  search->loss_shown = search->best.loss;
  search->has_shown = true;
  return IRL_STATUS_OK;
}

/* A loss in the units of the result; "-": there is no such rule. */
static double show_loss(const irl_search *search, int64_t loss, char shown[24]) {
  const bool is_one = loss < IRL_NO_LOSS;
  const double value = is_one ? irl_problem_objective(search->problem, loss) : NAN;
  irl_c_snprintf(shown, 24, is_one ? "%.6g" : "-", value);
  return value;
}

void irl_search_log(irl_search *search, const char *tag, uint64_t budget) {
  irl_search_keep(search);
  if (search->settings.is_sample) return;
  const irl_data *data = search->problem->data;
  const irl_search_rule *best = &search->best;
  const double sensitivity = (double)best->tp / (double)irl_data_total(data, 0);
  const double specificity = 1 - (double)best->fp / (double)irl_data_total(data, 1);
  char shown[24] = "-";
  irl_run run = {.seconds = irl_clock_now() - search->env->started};
  if (budget != UINT64_MAX) snprintf(shown, sizeof shown, "%llu", (unsigned long long)budget);
  char of_best[24], of_bound[24];
  const double objective = show_loss(search, best->loss, of_best);
  const double bound = show_loss(search, search->proof.bound, of_bound);
  irl_callbacks_note(search->env, tag, search->work, objective, bound);
  if (!search->round++) {
    irl_log(search->env, IRL_LOG_NOTE,
            "  budget: controls that a clause may cover; pool: clauses; tp, fp: of the best rule; "
            "objective, bound: as in the result; work: words");
    irl_log(search->env, IRL_LOG_NOTE,
            "  part     budget   pool        tp        fp  balanced  objective      bound    work  "
            "   time");
  }
  irl_log(search->env, IRL_LOG_NOTE, "  %-8s %6s %6zu %9llu %9llu  %.6f %10s %10s %7.2g %7.2fs",
          tag, shown, search->pool.n, (unsigned long long)best->tp, (unsigned long long)best->fp,
          (sensitivity + specificity) / 2, of_best, of_bound, (double)search->work, run.seconds);
}

irl_status irl_search_make_rule(irl_env *env, const irl_clause_set *pool, uint32_t K,
                                const irl_search_rule *chosen, irl_rule **rule) {
  const uint32_t n = chosen->n, M = pool->max_size;
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
