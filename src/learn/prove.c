/* Proving the best rule of all, with at most K clauses of at most M literals, in one of two ways.
 *
 * The nested search (nest.c) asks at each of its nodes for the clauses one of which a better rule
 * must add. It is fast where few clauses stand out, however many there are in all.
 *
 * The list: a rule that is better than the best one known, of loss U, pays for every control that
 * one of its clauses covers, so each clause covers at most (U - 1) / control_weight of them. The
 * clause engine lists all clauses within that threshold, and the selection engine proves the best
 * choice of K of them. It is fast where these clauses are few, however many of them a rule has.
 *
 * Which of the two it will be is not known before, so both are tried with a little work and then
 * with more and more. If neither ends there is a bound without them: K clauses gain together at
 * most the largest K * case_weight * cases - control_weight * controls of one clause (a control is
 * paid once, so each of the K clauses that may share it is charged 1/K), and the exact clause
 * search bounds that.
 *
 * A penalty of clauses and literals is a cost of each clause, at least that of one literal. With it
 * a longer clause does not stand for a shorter one that covers less, so the lists keep all.
 *
 * A third way was tried and did not pay: proving bounds for 1, 2, ..., K clauses in turn, each of
 * which says how much a clause of the next rule must gain. */
#include "base/memory.h"
#include "clause/exact.h"
#include "clause/list.h"
#include "learn/learner.h"
#include "learn/nest.h"

#define QUICK_WORK    ((uint64_t)2e9)     /* without --prove: for the whole proof, at least */
#define QUICK_CAP     ((size_t)100000)    /* and clauses in the list */
#define FIRST_WORK    ((uint64_t)1e9)     /* for one attempt, */
#define MORE          4u                  /* and so many times as much for the next */
#define MAX_MEMORY    ((uint64_t)2 << 30) /* bytes of covers in the list */
#define CLOCK_CLAUSES 4096u               /* put into a pool between two looks at the clock */
#define NEST_CAP      ((size_t)20000)     /* clauses listed at a node of the nested search, */
#define NEST_GROW     4u                  /* and so many times as many for the next attempt */

/* An attempt: the work at which it ends, and how long its lists may be. */
typedef struct attempt {
  irl_learner *learner;
  uint64_t end;
  size_t cap, nest_cap, max_nest_cap;
  bool *is_full; /* the way ended because its list would be too long */
} attempt;

static irl_limit part_of(const attempt *a) {
  const irl_learner *learner = a->learner;
  return irl_learner_part(learner, a->end > learner->work ? a->end - learner->work : 1);
}

static bool must_end(const attempt *a) {
  const irl_learner *learner = a->learner;
  return learner->bound >= learner->best.loss || learner->work >= a->end ||
         irl_limit_reached(&learner->limit, learner->work);
}

static void make_problem(const irl_learner *learner, irl_clause_problem *problem,
                         int64_t case_weight) {
  const irl_learn_settings *settings = &learner->settings;
  irl_clause_problem_init(problem, learner->data);
  problem->case_weight = case_weight;
  problem->control_weight = settings->control_weight;
  problem->budget = IRL_CLAUSE_NO_LIMIT;
  problem->max_literals = settings->M;
  problem->negations = settings->negations;
  /* A long clause may cover more than a short one; it is no replacement where literals count. */
  problem->keeps_all = settings->max_literals != UINT64_MAX || settings->penalty;
}

/* ---- the list ---- */

/* The pool of all clauses of the list; only part of it if *is_cut by clock or stop request. */
static irl_status make_pool(irl_learner *learner, const irl_clause_store *store,
                            irl_learn_pool *pool, bool *is_cut) {
  irl_status status = IRL_OK;
  *is_cut = false;
  irl_clause clause;
  uint32_t number;
  bool is_new;
  for (size_t i = 0; i < store->n && !status && !*is_cut; i++) {
    if (i % CLOCK_CLAUSES == CLOCK_CLAUSES - 1) *is_cut = irl_limit_cut(&learner->limit);
    irl_clause_store_get(store, i, &clause);
    status = irl_learn_pool_add(learner->env, pool, clause.literals, clause.n, &number, &is_new);
  }
  learner->work += store->n * (pool->cases.stride + pool->controls.stride);
  return status;
}

/* The rule that the selection found in the list becomes the best, its clauses part of the pool. */
static irl_status take_better(irl_learner *learner, const irl_learn_pool *list,
                              const uint32_t *chosen, uint32_t n) {
  irl_learn_rule rule = {.n = n};
  irl_status status = IRL_OK;
  bool is_new;
  for (uint32_t i = 0; i < n && !status; i++)
    status =
        irl_learn_pool_add(learner->env, &learner->pool, irl_learn_pool_literals(list, chosen[i]),
                           list->sizes[chosen[i]], &rule.clauses[i], &is_new);
  if (status) return status;
  bool is_better;
  status = irl_learner_offer(learner, &rule, &is_better);
  if (is_better) irl_learner_log(learner, "proof", UINT64_MAX);
  return status;
}

static irl_status select_from(const attempt *a, const irl_learn_pool *list) {
  irl_learner *learner = a->learner;
  irl_select_problem problem;
  irl_select_result result;
  uint32_t chosen[IRL_LEARN_MAX_K];
  irl_select_problem_init(&problem, &list->cases, &list->controls, learner->settings.K);
  problem.sizes = list->sizes;
  problem.max_literals = learner->settings.max_literals;
  problem.case_weight = learner->settings.case_weight;
  problem.control_weight = learner->settings.control_weight;
  problem.clause_cost = problem.literal_cost = learner->settings.penalty;
  problem.to_beat = learner->best.loss;
  const irl_limit part = part_of(a);
  const irl_status status = irl_select_solve(learner->env, &problem, &part,
                                             learner->settings.threads, chosen, 0, &result);
  if (status) return status;
  learner->work += result.work;
  learner->nodes += result.nodes;
  if (result.bound > learner->bound) learner->bound = result.bound;
  return result.loss < problem.to_beat ? take_better(learner, list, chosen, result.n) : IRL_OK;
}

static irl_status use_list(const attempt *a, const irl_clause_store *store) {
  irl_learner *learner = a->learner;
  irl_learn_pool list;
  if (!store->n) { /* no clause may be in a better rule */
    learner->bound = learner->best.loss;
    return IRL_OK;
  }
  irl_learn_pool_init(&list, learner->data, learner->settings.M);
  bool is_cut;
  irl_status status = make_pool(learner, store, &list, &is_cut);
  if (!status && !is_cut) status = select_from(a, &list);
  irl_learn_pool_free(&list);
  return status;
}

static irl_status prove_by_list(const attempt *a) {
  irl_learner *learner = a->learner;
  const irl_learn_settings *settings = &learner->settings;
  const int64_t n_controls = learner->data->n_controls;
  const int64_t room =
      settings->control_weight ? (learner->best.loss - 1) / settings->control_weight : n_controls;
  const irl_clause_thresholds thresholds = {.min_cases = 1,
                                            .max_controls =
                                                (uint32_t)(room < n_controls ? room : n_controls),
                                            .min_value = IRL_CLAUSE_NO_VALUE};
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_store store;
  bool is_complete = false;
  make_problem(learner, &problem, settings->case_weight);
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  irl_clause_store_init(&store, &learner->env->allocator, settings->M);
  const irl_limit part = part_of(a);
  status = irl_clause_list_all(learner->env, &model, &part, settings->threads, &thresholds, a->cap,
                               &store, &is_complete, &learner->work);
  *a->is_full = !is_complete && store.n >= a->cap;
  if (!status && is_complete) status = use_list(a, &store);
  irl_clause_store_free(&store);
  irl_clause_model_free(&model);
  return status;
}

/* ---- the others ---- */

static irl_status prove_by_nest(const attempt *a) {
  irl_learner *learner = a->learner;
  bool is_proven;
  const irl_limit part = part_of(a);
  const irl_status status = irl_learn_nest(learner, &part, a->nest_cap, &is_proven, a->is_full);
  if (!status && is_proven) learner->bound = learner->best.loss;
  return status;
}

static irl_status bound_by_clause(const attempt *a) {
  irl_learner *learner = a->learner;
  const irl_learn_settings *settings = &learner->settings;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_result result;
  make_problem(learner, &problem, settings->K * settings->case_weight);
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  const irl_limit part = part_of(a);
  status = irl_clause_prove(learner->env, &model, &part, settings->threads, NULL, &result);
  irl_clause_model_free(&model);
  if (status) return status;
  learner->work += result.work;
  learner->nodes += result.nodes;
  const int64_t empty = settings->case_weight * (int64_t)learner->data->n_cases;
  const int64_t gain = result.bound - settings->K * irl_learner_cost(learner, 1);
  const int64_t bound = empty - (gain > 0 ? gain : 0);
  if (bound > learner->bound) learner->bound = bound;
  return IRL_OK;
}

/* An attempt in the journal: work, nodes, bound, was a list too long, the clauses of the best rule.
 */
static irl_status record(irl_learner *learner, uint64_t work, uint64_t nodes, bool is_full) {
  const irl_learn_pool *pool = &learner->pool;
  if (irl_limit_cut(&learner->limit)) return IRL_OK;
  irl_journal_begin(&learner->journal, IRL_LEARN_PROOF);
  irl_journal_put(&learner->journal, learner->work - work);
  irl_journal_put(&learner->journal, learner->nodes - nodes);
  irl_journal_put(&learner->journal, (uint64_t)learner->bound);
  irl_journal_put(&learner->journal, is_full);
  for (uint32_t i = 0; i < learner->best.n; i++) {
    const uint32_t k = learner->best.clauses[i];
    irl_learner_put_clause(learner, irl_learn_pool_literals(pool, k), pool->sizes[k]);
  }
  return irl_journal_end(&learner->journal);
}

static irl_status replay(irl_learner *learner, const uint64_t *words, size_t n, bool *is_full) {
  const uint64_t *at = words + 4, *end = words + n;
  irl_learn_rule rule = {.n = 0};
  irl_status status = IRL_OK;
  bool is_other;
  if (n < 4) return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
  while (!status && at < end) {
    uint32_t literals[IRL_CLAUSE_MAX];
    const uint32_t size = irl_learner_get_clause(learner, &at, end, literals);
    if (!size || rule.n == learner->settings.K)
      return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
    status = irl_learn_pool_add(learner->env, &learner->pool, literals, size,
                                &rule.clauses[rule.n++], &is_other);
  }
  if (status) return status;
  learner->work += words[0];
  learner->nodes += words[1];
  learner->bound = (int64_t)words[2];
  *is_full = words[3];
  return irl_learner_offer(learner, &rule, &is_other);
}

/* One way with at most that much work. */
static irl_status try_way(const attempt *whole, irl_status (*way)(const attempt *),
                          const char *name, uint64_t work, bool *is_full) {
  irl_learner *learner = whole->learner;
  attempt part = *whole;
  size_t n;
  part.is_full = is_full;
  *is_full = false;
  if (must_end(whole)) return IRL_OK;
  if (part.end - learner->work > work) part.end = learner->work + work;
  const uint64_t work_before = learner->work, nodes_before = learner->nodes;
  const uint64_t *words = irl_journal_next(&learner->journal, IRL_LEARN_PROOF, &n);
  irl_status status = words ? replay(learner, words, n, is_full) : way(&part);
  if (learner->bound > learner->best.loss) learner->bound = learner->best.loss;
  if (!status && !words) status = record(learner, work_before, nodes_before, *is_full);
  if (!status) irl_learner_log(learner, name, UINT64_MAX);
  return status;
}

static size_t list_cap(const irl_learner *learner) {
  const irl_data *data = learner->data;
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const double max_mb = learner->settings.memory_limit_mb;
  uint64_t memory = MAX_MEMORY;
  if (max_mb > 0 && max_mb * 1e6 / 4 < (double)memory) memory = (uint64_t)(max_mb * 1e6 / 4);
  const size_t cap = memory / 2 / bytes;
  return !learner->settings.prove && cap > QUICK_CAP ? QUICK_CAP : cap;
}

/* How long the lists of the nested search may become, one for each clause of a rule. */
static size_t max_nest_cap(const irl_learner *learner) {
  const size_t bytes = sizeof(int64_t) + (3 + (size_t)learner->settings.M) * sizeof(uint32_t);
  return MAX_MEMORY / 2 / bytes / learner->settings.K;
}

/* Both ways with more and more work, until one of them ends or neither can: their lists have the
 * greatest length already, and the best rule, which says how long they are, is the same. */
static irl_status try_ways(attempt *a, uint64_t work, bool is_once) {
  irl_learner *learner = a->learner;
  bool nest_is_full, list_is_full = false;
  int64_t full_at = INT64_MAX; /* the loss for which the list was too long */
  irl_status status = IRL_OK;
  while (!status && !must_end(a)) {
    const int64_t before = learner->best.loss;
    const bool is_last = a->nest_cap >= a->max_nest_cap;
    status = try_way(a, prove_by_nest, "nest", work, &nest_is_full);
    const int64_t loss = learner->best.loss;
    if (!status && loss < full_at) {
      status = try_way(a, prove_by_list, "list", work, &list_is_full);
      if (list_is_full) full_at = loss;
    }
    if (is_once || (is_last && nest_is_full && list_is_full && learner->best.loss == before)) break;
    work = work > UINT64_MAX / MORE ? UINT64_MAX : work * MORE;
    a->nest_cap =
        a->nest_cap > a->max_nest_cap / NEST_GROW ? a->max_nest_cap : a->nest_cap * NEST_GROW;
  }
  return status;
}

irl_status irl_learn_prove(irl_learner *learner) {
  const bool is_quick = !learner->settings.prove;
  const uint64_t share = learner->work / 4 > QUICK_WORK ? learner->work / 4 : QUICK_WORK;
  attempt a = {.learner = learner,
               .end = is_quick ? learner->work + share : UINT64_MAX,
               .cap = list_cap(learner),
               .nest_cap = NEST_CAP,
               .max_nest_cap = max_nest_cap(learner)};
  bool is_full;
  const uint64_t work = is_quick ? share / 3 : FIRST_WORK;
  const irl_status status = try_way(&a, bound_by_clause, "bound", work, &is_full);
  return status ? status : try_ways(&a, work, is_quick);
}
