/* The IRELAND loop (Balvert 2024): for each budget of false positives, choose the best clauses of
 * the pool within the budget, seek clauses for the cases that this choice leaves out, and go on
 * until nothing is left out or nothing changes; then choose from the whole pool for the least loss.
 *
 * Two differences to the paper in the default profile. All false negatives are used, not 100 of
 * them, because bits make them cheap. And where no budgets are given they are found: a first rule
 * is made clause by clause, each the best by weighted error on what is uncovered, and the budgets
 * are spread around its number of false positives; without false positives 0 is the only one.
 * Budget 0 itself comes first, as long as it gets on as it would without noise; otherwise it is put
 * off. */
#include "base/memory.h"
#include "base/random.h"
#include "learn/learn.h"
#include "prove/prove.h"
#include "state/learner.h"

#define SEEK_WORK     ((uint64_t)1e9)    /* for one search of clauses, */
#define FAR_SEEK_WORK ((uint64_t)2.5e10) /* if such searches found nothing but chance, */
#define QUICK_WORK    ((uint64_t)5e7)    /* if it has to be quick */
#define PASS_WORK     250u /* times the words of the data, for a literal of each clause of the beam */
#define IDLE_ROUNDS   2u   /* without a better choice, before a budget is left */
#define MAX_ROUNDS    200u /* of one budget */

typedef struct loop {
  irl_learner *learner;
  uint64_t *cases, *controls; /* uncovered */
  uint64_t seek_work;         /* for one search of clauses */
  bool has_found;             /* something that is not chance */
  bool is_put_off;            /* budget 0, which brought too little */
  irl_random random;
} loop;

static uint64_t count_cases(const loop *l) {
  return irl_bits_kernels()->count(l->cases, l->learner->data->cases.stride);
}

/* Takes the rule if it is better, and says so. */
static irl_status take(irl_learner *learner, const irl_learn_rule *rule, const char *tag,
                       uint64_t budget) {
  bool is_better;
  const irl_status status = irl_learner_offer(learner, rule, &is_better);
  if (is_better) irl_learner_log(learner, tag, budget);
  return status;
}

/* ---- the first rule ---- */

static irl_status first_rule(loop *l) {
  irl_learner *learner = l->learner;
  const irl_learn_settings *settings = &learner->settings;
  irl_learn_rule rule = {.n = 0};
  irl_status status = IRL_OK;
  for (uint32_t i = 0; i < settings->K && !status && !irl_learner_is_done(learner); i++) {
    irl_learn_generated answer;
    irl_learner_uncovered(learner, &rule, IRL_LEARN_MAX_K, l->cases, l->controls);
    if (!count_cases(l)) break;
    const irl_learn_subproblem question = {.live_cases = l->cases,
                                           .live_controls = l->controls,
                                           .case_weight = settings->case_weight,
                                           .control_weight = settings->control_weight,
                                           .budget = UINT64_MAX,
                                           .max_work = l->seek_work};
    status = irl_learner_generate(learner, &question, &answer);
    if (status || !answer.n_new) break;
    l->has_found |= !answer.is_chance;
    const int64_t before = rule.loss;
    const uint32_t n_before = rule.n;
    status = irl_learner_select(learner, UINT64_MAX, &rule);
    if (!status) status = take(learner, &rule, "first", UINT64_MAX);
    if ((n_before && rule.loss >= before) || answer.is_chance) break;
  }
  return status;
}

static void add_budgets(irl_learn_settings *settings, const double *shares, size_t n,
                        uint64_t whole) {
  for (size_t i = 0; i < n; i++) {
    const uint64_t budget = (uint64_t)(shares[i] * (double)whole);
    if (budget <= (settings->n_budgets ? settings->budgets[settings->n_budgets - 1] : 0)) continue;
    settings->budgets[settings->n_budgets++] = budget;
  }
}

/* Half of, and up to four times as many as the false positives of the first rule; for a curve, or
 * without a rule within the limits, also larger shares of the controls. */
static void find_budgets(irl_learner *learner) {
  static const double around[] = {0.5, 1, 2, 4}, wide[] = {0.05, 0.1, 0.2, 0.4};
  irl_learn_settings *settings = &learner->settings;
  add_budgets(settings, around, sizeof around / sizeof *around, learner->best.fp);
  if (settings->for_curve || learner->best.loss == IRL_SELECT_NO_LOSS)
    add_budgets(settings, wide, sizeof wide / sizeof *wide, learner->data->n_controls);
}

/* ---- one budget ---- */

/* Keeps as many of the live cases as the paper's sub problem has, at random. */
static void sub_sample(loop *l) {
  uint64_t wanted = l->learner->settings.paper_sample, left = count_cases(l);
  for (uint32_t i = 0; i < l->learner->data->n_cases && left > wanted; i++) {
    if (!irl_bits_get(l->cases, i)) continue;
    if (irl_random_below(&l->random, left--) < wanted)
      wanted--;
    else
      irl_bits_clear(l->cases, i);
  }
}

static irl_status seek_for(loop *l, uint64_t budget, irl_learn_generated *answer) {
  irl_learner *learner = l->learner;
  if (learner->settings.is_paper) sub_sample(l);
  return irl_learner_generate_within(learner, l->cases, budget, l->seek_work, answer);
}

/* Without noise K clauses cover what is left out, so one of them covers a K-th of it. */
static bool is_slow(const loop *l, uint64_t gain) {
  return 2 * l->learner->settings.K * gain < count_cases(l);
}

/* Choose, find what is left out, seek for it: until that brings nothing, or in a trial little. */
static irl_status run_budget(loop *l, uint64_t budget, bool is_trial) {
  irl_learner *learner = l->learner;
  irl_learn_rule rule = {.n = 0}, all;
  uint64_t most = 0;
  uint32_t n_idle = 0;
  irl_learn_generated answer = {.n_new = 1};
  irl_status status = IRL_OK;
  for (uint32_t round = 0; round < MAX_ROUNDS && !irl_learner_is_done(learner); round++) {
    if (learner->pool.n) status = irl_learner_select(learner, budget, &rule);
    if (status) break;
    n_idle = round && rule.tp <= most ? n_idle + 1 : 0;
    irl_learner_uncovered(learner, &rule, IRL_LEARN_MAX_K, l->cases, l->controls);
    l->is_put_off = is_trial && round && is_slow(l, rule.tp - most);
    most = rule.tp;
    status = take(learner, &rule, "budget", budget);
    if (status || l->is_put_off) break;
    if (!count_cases(l) || n_idle >= IDLE_ROUNDS || !answer.n_new ||
        (answer.is_chance && answer.is_small))
      break;
    status = seek_for(l, budget, &answer);
    if (status) break;
    l->has_found |= answer.n_new && !answer.is_chance;
  }
  all = learner->best;
  if (!status && learner->pool.n && !irl_learner_is_done(learner))
    status = irl_learner_select(learner, UINT64_MAX, &all);
  return status ? status : take(learner, &all, "master", budget);
}

/* On large data a search must at least be able to make its first pass. */
static uint64_t seek_work(const irl_learner *learner, uint64_t usual) {
  const irl_data *data = learner->data;
  const uint64_t words = (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
  const uint64_t least = PASS_WORK * learner->settings.M * words;
  return least > usual ? least : usual;
}

/* Refining is cheap and often all that is missing, so it comes before going deep, and once more if
 * that brings something. */
static irl_status refine_and_deepen(irl_learner *learner, bool may_deepen) {
  irl_status status = irl_learn_exchange(learner, true);
  const int64_t loss = learner->best.loss;
  if (!status && may_deepen) status = irl_learn_wide_beam(learner);
  return !status && learner->best.loss < loss ? irl_learn_exchange(learner, true) : status;
}

/* Budget 0, if the budgets are to be found, and the first rule; deeper and further if these find
 * only chance. */
static irl_status begin(loop *l) {
  irl_learner *learner = l->learner;
  irl_status status = IRL_OK;
  const bool is_quick = learner->settings.is_quick;
  for (int level = 0; level < 2 - is_quick && !status && !l->has_found; level++) {
    l->seek_work = seek_work(learner, level ? FAR_SEEK_WORK : is_quick ? QUICK_WORK : SEEK_WORK);
    if (!learner->settings.n_budgets) status = run_budget(l, 0, true);
    if (!status && !irl_learner_is_done(learner)) status = first_rule(l);
    if (!status && !is_quick) status = refine_and_deepen(learner, !level);
  }
  return status;
}

irl_status irl_learn_loop(irl_learner *learner) {
  const irl_allocator *allocator = &learner->env->allocator;
  irl_learn_settings *settings = &learner->settings;
  loop l = {.learner = learner, .seek_work = 0};
  l.seek_work = seek_work(learner, settings->is_quick ? QUICK_WORK : SEEK_WORK);
  l.cases = irl_mem_alloc_aligned(allocator, learner->data->cases.stride, sizeof *l.cases);
  l.controls = irl_mem_alloc_aligned(allocator, learner->data->controls.stride, sizeof *l.controls);
  irl_status status = l.cases && l.controls ? IRL_OK : irl_fail_memory(learner->env);
  irl_random_init(&l.random, settings->seed, 1);
  if (!status && !settings->is_paper) status = begin(&l);
  if (!status && !settings->is_paper && irl_learner_may_prove(learner) &&
      !irl_learner_is_done(learner))
    status = irl_prove_early(learner);
  if (!status && l.is_put_off && !irl_learner_is_done(learner)) status = run_budget(&l, 0, false);
  if (!status && !settings->n_budgets) find_budgets(learner);
  for (uint32_t u = 0; u < settings->n_budgets && !status && !irl_learner_is_done(learner); u++)
    status = run_budget(&l, settings->budgets[u], false);
  irl_mem_free_aligned(allocator, l.cases);
  irl_mem_free_aligned(allocator, l.controls);
  return status;
}
