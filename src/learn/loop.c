/* The IRELAND loop (Balvert 2024): for each budget of false positives, select the best clauses of
 * the pool within the budget, generate clauses for the cases that this selection leaves out, and go
 * on until nothing is left out or nothing changes; then select from the whole pool for the least
 * loss.
 *
 * Two differences to the paper in the default profile. All false negatives are used, not 100 of
 * them, because bits make them cheap. And where no budgets are given they are found: a first rule
 * is made clause by clause, each the best by weighted error on what is uncovered, and the budgets
 * are spread around its number of false positives; without false positives 0 is the only one.
 * Budget 0 itself comes first, as long as it gets on as it would without noise; otherwise it is put
 * off. */
#include "base/random.h"
#include "learn/learn.h"
#include "prove/prove.h"

typedef struct loop {
  irl_learner *learner;
  uint64_t generate_work; /* for one search of clauses */
  bool has_found;         /* something that is not chance */
  bool is_put_off;        /* budget 0, which brought too little */
  irl_random random;
} loop;

/* What a search brought: once it is not chance, the run's work is counted (search/allowance.h). */
static void note_found(loop *l, const irl_generated *result) {
  if (l->has_found || !result->n_new || result->is_chance) return;
  l->has_found = true;
  irl_search_set_doubtful(&l->learner->search, false);
}

/* ---- the first rule ---- */

static irl_status first_rule(loop *l) {
  irl_learner *learner = l->learner;
  irl_search_rule rule = {.n = 0};
  irl_status status = IRL_STATUS_OK;
  for (uint32_t i = 0; i < learner->problem.K && !status && !irl_search_is_done(&learner->search);
       i++) {
    const irl_subproblem problem = irl_learn_uncovered_problem(learner, l->generate_work);
    const int64_t before = rule.loss;
    const uint32_t n_before = rule.n;
    irl_generated result;
    if (!irl_learner_uncovered(learner, &rule, IRL_MAX_K)) break;
    status = irl_search_generate(&learner->search, &problem, &result);
    if (status || !result.n_new) break;
    note_found(l, &result);
    status = irl_search_select(&learner->search, UINT64_MAX, &rule);
    if (!status) status = irl_search_offer_logged(&learner->search, &rule, "first", UINT64_MAX);
    if ((n_before && rule.loss >= before) || result.is_chance) break;
  }
  return status;
}

static void add_budgets(irl_learn_settings *settings, const double *shares, size_t n,
                        uint64_t whole) {
  for (size_t i = 0; i < n; i++) {
    const uint64_t budget = (uint64_t)(shares[i] * (double)whole);
    if (budget <= (settings->n_budgets ? settings->budgets[settings->n_budgets - 1] : 0)) continue;
    assert(settings->n_budgets < IRL_LEARN_MAX_BUDGETS);
    settings->budgets[settings->n_budgets++] = budget;
  }
}

/* ---- one budget ---- */

/* Keeps as many of the live cases as the paper's sub problem has, at random. */
static void sub_sample(loop *l) {
  irl_learner *learner = l->learner;
  uint64_t n = irl_bits_kernels()->count(learner->live_cases, learner->data->cases.stride);
  uint64_t wanted = learner->settings.paper_sample;
  for (uint32_t i = 0; i < learner->data->n_cases && n > wanted; i++) {
    if (!irl_bits_get(learner->live_cases, i)) continue;
    if (irl_random_below(&l->random, n--) < wanted)
      wanted--;
    else
      irl_bits_clear(learner->live_cases, i);
  }
  assert(irl_bits_kernels()->count(learner->live_cases, learner->data->cases.stride) <=
         learner->settings.paper_sample);
}

/* Select, find what is left out, generate for it: until that brings nothing, or in a trial little.
 * Without noise K clauses cover what is left out, so one of them covers a K-th of it: a trial ends
 * if less than half of that comes in. */
static irl_status run_budget(loop *l, uint64_t budget, bool is_trial) {
  irl_learner *learner = l->learner;
  irl_search_rule rule = {.n = 0};
  uint64_t most = 0;
  uint32_t n_idle = 0;
  irl_generated result = {.n_new = 1};
  irl_status status = IRL_STATUS_OK;
  for (uint32_t round = 0; !irl_search_is_done(&learner->search); round++) {
    if (learner->search.pool.n) status = irl_search_select(&learner->search, budget, &rule);
    if (status) break;
    assert(rule.fp <= budget || !rule.n);
    n_idle = round && rule.tp <= most ? n_idle + 1 : 0;
    const uint64_t n_left = irl_learner_uncovered(learner, &rule, IRL_MAX_K);
    l->is_put_off = is_trial && round && 2 * learner->problem.K * (rule.tp - most) < n_left;
    most = rule.tp;
    status = irl_search_offer_logged(&learner->search, &rule, "budget", budget);
    if (status || l->is_put_off || !n_left ||
        n_idle >= learner->search.settings.tuning.idle_rounds || !result.n_new ||
        (result.is_chance && result.is_small))
      break;
    if (learner->settings.is_paper) sub_sample(l);
    status = irl_search_generate_within(&learner->search, learner->live_cases, budget,
                                        l->generate_work, &result);
    if (status) break;
    note_found(l, &result);
    learner->search.allowance.owes_selection = result.n_new;
  }
  if (status || !learner->search.pool.n || irl_search_is_done(&learner->search)) return status;
  return irl_search_select_best(&learner->search, "master", budget);
}

bool irl_learn_loop_is_due(const irl_learner *learner) {
  return !learner->settings.has_pool && learner->settings.method != IRL_METHOD_BRCG &&
         !learner->is_settled;
}

irl_status irl_learn_loop(irl_learner *learner) {
  static const double around[] = {0.5, 1, 2, 4}, wide[] = {0.05, 0.1, 0.2, 0.4};
  irl_learn_settings *settings = &learner->settings;
  loop l = {.learner = learner,
            .generate_work =
                irl_search_pass_work(&learner->search, irl_search_generate_work(&learner->search))};
  irl_status status = IRL_STATUS_OK;
  irl_random_init(&l.random, learner->search.settings.seed, 1);
  /* Budget 0, if the budgets are to be found, and the first rule; wider and further if these find
   * only chance. */
  const int n_levels = settings->is_paper                                   ? 0
                       : learner->search.settings.effort != IRL_SEARCH_FULL ? 1
                                                                            : 2;
  for (int level = 0; level < n_levels && !status && !l.has_found; level++) {
    /* Far enough to see clauses of three literals. */
    if (level)
      l.generate_work =
          irl_search_pass_work(&learner->search, 25 * irl_search_generate_work(&learner->search));
    if (!settings->n_budgets) status = run_budget(&l, 0, true);
    if (!status && !irl_search_is_done(&learner->search)) status = first_rule(&l);
    if (status || learner->search.settings.effort != IRL_SEARCH_FULL) continue;
    /* Exchanging is cheap and often all that is missing, so it comes before a wide beam, and once
     * more if that brings something. */
    status = irl_learn_cover_cases(learner);
    if (!status) status = irl_learn_exchange_quickly(learner);
    const int64_t loss = learner->search.best.loss;
    if (!status && !level) status = irl_learn_wide_beam(learner);
    if (!status && learner->search.best.loss < loss) status = irl_learn_exchange_quickly(learner);
  }
  irl_search_set_doubtful(&learner->search, false);
  if (!status && !settings->is_paper && irl_search_may_prove(&learner->search) &&
      !irl_search_is_done(&learner->search))
    status = irl_prove_early(&learner->search);
  if (!status && l.is_put_off && !irl_search_is_done(&learner->search))
    status = run_budget(&l, 0, false);
  /* Half of, and up to four times as many as the false positives of the first rule; for a curve,
   * or without a rule within the limits, also larger shares of the controls. */
  if (!status && !settings->n_budgets) {
    add_budgets(settings, around, sizeof around / sizeof *around, learner->search.best.fp);
    if (settings->aim || !irl_search_has_rule(&learner->search))
      add_budgets(settings, wide, sizeof wide / sizeof *wide, irl_data_total(learner->data, 1));
  }
  for (uint32_t u = 0; u < settings->n_budgets && !status && !irl_search_is_done(&learner->search);
       u++)
    status = run_budget(&l, settings->budgets[u], false);
  return status;
}

/* ---- smaller clauses ---- */

bool irl_learn_smaller_is_due(const irl_learner *learner) {
  return irl_learn_loop_is_due(learner) && learner->settings.aim == IRL_LEARN_SIZES;
}

/* The loop once more for each smaller M, so that the pool has clauses of every size. */
irl_status irl_learn_smaller(irl_learner *learner) {
  irl_status status = IRL_STATUS_OK;
  assert(learner->problem.M); /* else the first m below is none */
  for (uint32_t m = learner->problem.M - 1;
       m && !status && !irl_search_limit_reached(&learner->search); m--) {
    irl_learner_outer outer;
    irl_learner_enter(learner, m, &outer);
    status = irl_learner_leave(learner, &outer, irl_learn_loop(learner));
  }
  return status;
}
