/* Proving the best rule of all, with at most K clauses.
 *
 * Let L(k) be a proven lower bound on the loss of every rule with at most k clauses; L(0) is the
 * loss of the empty rule. Suppose a rule with at most k clauses has less loss than the best one
 * known, U(k). Without one of its clauses it has at most k - 1, so its loss is then at least
 * L(k-1): each of its clauses gains at least
 *
 *   g = max(1, L(k-1) - (U(k) - 1))
 *
 * (1, because a clause that gains nothing can be left out). What a clause gains are cases, so it
 * covers at least g / case_weight of them; and it covers at most (U(k) - 1) / control_weight
 * controls, which are all paid. The clause engine lists every clause within these two thresholds,
 * and the selection engine proves the best choice of k of them: if the list is complete, that is
 * L(k). Where clauses matter, as planted ones do, the step from L(k-1) to U(k) is large and the
 * lists are short.
 *
 * The list for K is tried first with g = 1, as it is often short enough by its second threshold
 * alone; only then come the steps k = 1, 2, ..., K.
 *
 * Where a list would be too long there is a bound without it: k clauses gain together at most the
 * largest k * case_weight * cases - control_weight * controls of one clause (a control is paid
 * once, so each of the k clauses that may share it is charged 1/k), which the exact clause search
 * bounds. */
#include "base/memory.h"
#include "clause/exact.h"
#include "clause/list.h"
#include "learn/learner.h"

#define QUICK_WORK ((uint64_t)3e8)     /* without --prove: for the whole proof, at least */
#define QUICK_CAP  ((size_t)100000)    /* and clauses in a list */
#define MAX_MEMORY ((uint64_t)2 << 30) /* bytes of covers in a list */

/* The first attempt, without steps. */
#define DIRECT_WORK ((uint64_t)4e9)
#define DIRECT_CAP  ((size_t)200000)

typedef struct prover {
  irl_learner *learner;
  size_t cap;    /* clauses in a list */
  uint64_t end;  /* work at which the proof ends */
  int64_t empty; /* L(0) */
} prover;

static irl_limit part_of(const prover *p) {
  const irl_learner *learner = p->learner;
  return irl_learner_part(learner, p->end > learner->work ? p->end - learner->work : 1);
}

static bool must_end(const prover *p) {
  return p->learner->work >= p->end || irl_limit_reached(&p->learner->limit, p->learner->work);
}

static void make_problem(const prover *p, irl_clause_problem *problem, int64_t case_weight) {
  const irl_learn_settings *settings = &p->learner->settings;
  irl_clause_problem_init(problem, p->learner->data);
  problem->case_weight = case_weight;
  problem->control_weight = settings->control_weight;
  problem->budget = IRL_CLAUSE_NO_LIMIT;
  problem->max_literals = settings->M;
  problem->negations = settings->negations;
  /* A long clause may cover more than a short one; it is no replacement where literals count. */
  problem->keeps_all = settings->max_literals != UINT64_MAX;
}

/* The best rule of the pool with at most k clauses. */
static irl_status best_of_pool(prover *p, uint32_t k, irl_learn_rule *rule) {
  irl_learner *learner = p->learner;
  const uint32_t K = learner->settings.K;
  *rule = learner->best;
  if (k == K || rule->n <= k) return IRL_OK;
  rule->n = 0;
  learner->settings.K = k;
  const irl_status status = irl_learner_select(learner, UINT64_MAX, rule);
  learner->settings.K = K;
  return status;
}

/* ---- lists ---- */

/* The listed clauses as a pool for the selection; its memory is checked by the cap. */
static irl_status make_pool(prover *p, const irl_clause_store *store, irl_learn_pool *pool) {
  irl_learner *learner = p->learner;
  irl_status status = IRL_OK;
  irl_clause clause;
  uint32_t number;
  bool is_new;
  for (size_t i = 0; i < store->n && !status; i++) {
    irl_clause_store_get(store, i, &clause);
    status = irl_learn_pool_add(learner->env, pool, clause.literals, clause.n, &number, &is_new);
    if (i % 1024 == 0 && irl_limit_cut(&learner->limit)) break;
  }
  learner->work += store->n * (pool->cases.stride + pool->controls.stride);
  return status;
}

/* The rule that the selection found in a list becomes the best, its clauses part of the pool. */
static irl_status take_better(prover *p, const irl_learn_pool *list, const uint32_t *chosen,
                              uint32_t n) {
  irl_learner *learner = p->learner;
  irl_learn_rule rule = {.n = n};
  irl_status status = IRL_OK;
  bool is_new;
  for (uint32_t i = 0; i < n && !status; i++)
    status =
        irl_learn_pool_add(learner->env, &learner->pool, irl_learn_pool_literals(list, chosen[i]),
                           list->sizes[chosen[i]], &rule.clauses[i], &is_new);
  if (!status && irl_learner_offer(learner, &rule)) irl_learner_log(learner, "proof", UINT64_MAX);
  return status;
}

/* L(k) from the complete list; unchanged if the selection was cut. */
static irl_status select_from(prover *p, const irl_learn_pool *list, uint32_t k, int64_t to_beat,
                              int64_t *bound) {
  irl_learner *learner = p->learner;
  irl_select_problem problem;
  irl_select_result result;
  uint32_t chosen[IRL_LEARN_MAX_K];
  irl_select_problem_init(&problem, &list->cases, &list->controls, k);
  problem.sizes = list->sizes;
  problem.max_literals = learner->settings.max_literals;
  problem.case_weight = learner->settings.case_weight;
  problem.control_weight = learner->settings.control_weight;
  problem.to_beat = to_beat;
  const irl_limit part = part_of(p);
  irl_status status = irl_select_solve(learner->env, &problem, &part, learner->settings.threads,
                                       chosen, 0, &result);
  if (status) return status;
  learner->work += result.work;
  learner->nodes += result.nodes;
  const int64_t found = result.bound < to_beat ? result.bound : to_beat;
  if (found > *bound) *bound = found;
  if (k == learner->settings.K && result.loss < to_beat)
    status = take_better(p, list, chosen, result.n);
  return status;
}

static size_t list_cap(const irl_learner *learner) {
  const irl_data *data = learner->data;
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const size_t cap = MAX_MEMORY / 2 / bytes;
  return !learner->settings.prove && cap > QUICK_CAP ? QUICK_CAP : cap;
}

/* L(k), given L(k-1) and U(k). */
static irl_status prove_by_list(prover *p, uint32_t k, int64_t before, int64_t best,
                                int64_t *bound) {
  irl_learner *learner = p->learner;
  const irl_learn_settings *settings = &learner->settings;
  const int64_t step = before - (best - 1), gain = step > 1 ? step : 1;
  const int64_t room = settings->control_weight ? (best - 1) / settings->control_weight : INT64_MAX;
  const irl_clause_thresholds thresholds = {
      .min_cases = (uint32_t)((gain + settings->case_weight - 1) / settings->case_weight),
      .max_controls = room < learner->data->n_controls ? (uint32_t)room : learner->data->n_controls,
      .min_value = k == 1 ? gain : IRL_CLAUSE_NO_VALUE};
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_store store;
  irl_learn_pool list;
  bool is_complete = false;
  make_problem(p, &problem, settings->case_weight);
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  irl_clause_store_init(&store, &learner->env->allocator, settings->M);
  irl_learn_pool_init(&list, learner->data, settings->M);
  const irl_limit part = part_of(p);
  status = irl_clause_list_all(learner->env, &model, &part, settings->threads, &thresholds, p->cap,
                               &store, &is_complete, &learner->work);
  irl_log(learner->env, IRL_LOG_PROGRESS, "  proof    %u clauses: %zu usable%s", k, store.n,
          is_complete ? "" : ", and more");
  if (!status && is_complete && !store.n && best > *bound) *bound = best;
  if (!status && is_complete && store.n) status = make_pool(p, &store, &list);
  if (!status && list.n && !irl_limit_cut(&learner->limit))
    status = select_from(p, &list, k, best, bound);
  irl_learn_pool_free(&list);
  irl_clause_store_free(&store);
  irl_clause_model_free(&model);
  return status;
}

/* ---- without a list ---- */

static irl_status prove_by_clause(prover *p, uint32_t k, int64_t *bound) {
  irl_learner *learner = p->learner;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_result result;
  make_problem(p, &problem, k * learner->settings.case_weight);
  problem.min_cases = 1;
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  const irl_limit part = part_of(p);
  status = irl_clause_prove(learner->env, &model, &part, learner->settings.threads, NULL, &result);
  if (!status) {
    learner->work += result.work;
    learner->nodes += result.nodes;
    const int64_t gain = result.bound > 0 ? result.bound : 0;
    if (p->empty - gain > *bound) *bound = p->empty - gain;
  }
  irl_clause_model_free(&model);
  return status;
}

/* ---- the chain ---- */

static irl_status prove_step(prover *p, uint32_t k, int64_t before, int64_t *bound) {
  irl_learn_rule rule;
  irl_status status = best_of_pool(p, k, &rule);
  *bound = 0;
  if (status || must_end(p)) return status;
  status = prove_by_list(p, k, before, rule.loss, bound);
  const int64_t best = k == p->learner->settings.K ? p->learner->best.loss : rule.loss;
  if (!status && *bound < best && !must_end(p)) status = prove_by_clause(p, k, bound);
  return status;
}

/* The list for K alone. */
static irl_status prove_directly(irl_learner *learner, const prover *whole) {
  prover p = *whole;
  int64_t bound = 0;
  if (p.end > learner->work + DIRECT_WORK) p.end = learner->work + DIRECT_WORK;
  if (p.cap > DIRECT_CAP) p.cap = DIRECT_CAP;
  const irl_status status = prove_by_list(&p, learner->settings.K, 0, learner->best.loss, &bound);
  if (bound > learner->bound) learner->bound = bound;
  return status;
}

irl_status irl_learn_prove(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const uint64_t share = learner->work / 4 > QUICK_WORK ? learner->work / 4 : QUICK_WORK;
  prover p = {.learner = learner,
              .cap = list_cap(learner),
              .end = settings->prove ? UINT64_MAX : learner->work + share,
              .empty = settings->case_weight * (int64_t)learner->data->n_cases};
  int64_t before = p.empty;
  irl_status status = prove_directly(learner, &p);
  for (uint32_t k = 1; k <= settings->K && !status && learner->bound < learner->best.loss; k++) {
    int64_t bound = 0;
    status = prove_step(&p, k, before, &bound);
    before = bound;
    if (k == settings->K && bound > learner->bound) learner->bound = bound;
  }
  assert(learner->bound <= learner->best.loss);
  return status;
}
