/* Nested search: a better rule, clause by clause.
 *
 * A node has chosen some clauses; r more may follow, and together they must gain at least
 * need = loss - (best - 1). With value = r * case_weight * new cases - control_weight * new
 * controls the values of the r clauses sum up to at least r * need (a control is paid once, however
 * many of them cover it), so the one of largest value has at least `need`. The clause engine lists
 * all clauses of that value on what is uncovered, and the search branches on each of them: one of
 * them is part of the better rule. With r = 1 the list holds the rules that are better, and nothing
 * else. A penalty is a cost of each clause, which its benefit must pay as well.
 *
 * Where planted or other strong clauses stand out there are few of them at each node, however many
 * clauses there are in all. */
#include "learn/nest.h"
#include "base/memory.h"
#include "clause/list.h"

/* Words of data from which on a node's list is worth more than one thread. */
#define WORTH_THREADS ((uint64_t)1 << 20)

typedef struct level {
  uint64_t *cases, *controls; /* uncovered */
  irl_clause_store list;
} level;

typedef struct nest {
  irl_learner *learner;
  const irl_limit *limit;
  uint64_t start; /* work before it */
  size_t cap;
  level levels[IRL_LEARN_MAX_K + 1];
  irl_clause path[IRL_LEARN_MAX_K];
  int threads;
  bool is_cut;
  bool is_full; /* cut because a list would be too long */
} nest;

/* A node: what is chosen so far. */
typedef struct node {
  uint32_t n; /* clauses */
  int64_t loss;
  uint64_t controls, literals;
} node;

static bool must_end(nest *s) {
  const uint64_t work = s->learner->work - s->start;
  s->is_cut = s->is_cut || irl_limit_reached(s->limit, work);
  return s->is_cut;
}

static irl_status offer(nest *s, const node *at) {
  irl_learner *learner = s->learner;
  irl_learn_rule rule = {.n = at->n};
  irl_status status = IRL_OK;
  bool is_new;
  for (uint32_t i = 0; i < at->n && !status; i++)
    status = irl_learn_pool_add(learner->env, &learner->pool, s->path[i].literals, s->path[i].n,
                                &rule.clauses[i], &is_new);
  if (status) return status;
  status = irl_learner_offer(learner, &rule, &is_new);
  if (is_new) irl_learner_log(learner, "nested", UINT64_MAX);
  return status;
}

/* Lists the clauses one of which a better rule must add. */
static irl_status list_next(nest *s, const node *at, uint32_t left, int64_t need) {
  irl_learner *learner = s->learner;
  const irl_learn_settings *settings = &learner->settings;
  level *here = &s->levels[at->n];
  irl_clause_problem problem;
  irl_clause_model model;
  bool is_complete = false;
  irl_clause_problem_init(&problem, learner->data);
  problem.live_cases = here->cases;
  problem.live_controls = here->controls;
  problem.case_weight = left * settings->case_weight;
  problem.control_weight = settings->control_weight;
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_literals = settings->M;
  problem.negations = settings->negations;
  problem.keeps_all = settings->max_literals != UINT64_MAX || settings->penalty;
  const int64_t paid = settings->control_weight * (int64_t)at->controls;
  const int64_t room = settings->control_weight
                           ? (learner->best.loss - 1 - paid) / settings->control_weight
                           : INT64_MAX;
  const irl_clause_thresholds thresholds = {
      .min_cases = 1,
      .max_controls = room < learner->data->n_controls ? (uint32_t)room : learner->data->n_controls,
      .min_value = need + left * irl_learner_cost(learner, 1)};
  here->list.n = 0;
  if (room < 0) return IRL_OK;
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  irl_limit part = *s->limit;
  if (part.max_work != UINT64_MAX) part.max_work -= learner->work - s->start;
  status = irl_clause_list_all(learner->env, &model, &part, s->threads, &thresholds, s->cap,
                               &here->list, &is_complete, &learner->work);
  if (!is_complete) s->is_cut = true;
  if (!is_complete && here->list.n >= s->cap) s->is_full = true;
  irl_clause_model_free(&model);
  return status;
}

/* What the clause covers is no longer live. */
static void cover(nest *s, uint32_t depth, const irl_clause *clause) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = s->learner->data;
  const level *from = &s->levels[depth], *to = &s->levels[depth + 1];
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  memcpy(to->cases, from->cases, case_words * sizeof *to->cases);
  memcpy(to->controls, from->controls, control_words * sizeof *to->controls);
  for (uint32_t i = 0; i < clause->n; i++) {
    const uint32_t j = irl_literal_feature(clause->literals[i]);
    const uint64_t *a = irl_bits_vector(&data->cases, j), *b = irl_bits_vector(&data->controls, j);
    const bool negated = irl_literal_is_negated(clause->literals[i]);
    (negated ? kernels->andnot_into : kernels->and_into)(to->cases, to->cases, a, case_words);
    (negated ? kernels->andnot_into : kernels->and_into)(to->controls, to->controls, b,
                                                         control_words);
  }
  kernels->andnot_into(to->cases, from->cases, to->cases, case_words);
  kernels->andnot_into(to->controls, from->controls, to->controls, control_words);
}

static irl_status visit(nest *s, const node *at) {
  irl_learner *learner = s->learner;
  const irl_learn_settings *settings = &learner->settings;
  irl_status status = IRL_OK;
  if (at->loss < learner->best.loss) status = offer(s, at);
  const uint32_t left = settings->K - at->n;
  if (status || !left || must_end(s)) return status;
  learner->nodes++;
  const int64_t need = at->loss - (learner->best.loss - 1);
  status = list_next(s, at, left, need);
  const irl_clause_store *list = &s->levels[at->n].list;
  for (size_t i = 0; i < list->n && !status && !must_end(s); i++) {
    irl_clause *clause = &s->path[at->n];
    irl_clause_store_get(list, i, clause);
    node next = {at->n + 1,
                 at->loss - settings->case_weight * (int64_t)clause->cases +
                     settings->control_weight * (int64_t)clause->controls +
                     irl_learner_cost(learner, clause->n),
                 at->controls + clause->controls, at->literals + clause->n};
    if (next.literals > settings->max_literals ||
        clause->value < need + left * irl_learner_cost(learner, clause->n))
      continue;
    cover(s, at->n, clause);
    status = visit(s, &next);
  }
  return status;
}

static bool make_levels(nest *s) {
  const irl_allocator *allocator = &s->learner->env->allocator;
  const irl_data *data = s->learner->data;
  for (uint32_t i = 0; i <= s->learner->settings.K; i++) {
    level *l = &s->levels[i];
    irl_clause_store_init(&l->list, allocator, s->learner->settings.M);
    l->cases = irl_mem_alloc_aligned(allocator, data->cases.stride, sizeof *l->cases);
    l->controls = irl_mem_alloc_aligned(allocator, data->controls.stride, sizeof *l->controls);
    if (!l->cases || !l->controls) return false;
  }
  irl_bits_fill(s->levels[0].cases, data->n_cases, data->cases.stride);
  irl_bits_fill(s->levels[0].controls, data->n_controls, data->controls.stride);
  return true;
}

irl_status irl_learn_nest(irl_learner *learner, const irl_limit *limit, size_t cap, bool *is_proven,
                          bool *is_full) {
  const irl_allocator *allocator = &learner->env->allocator;
  const node root = {.loss = learner->settings.case_weight * (int64_t)learner->data->n_cases};
  nest *s = irl_mem_alloc(allocator, 1, sizeof *s);
  *is_proven = *is_full = false;
  if (!s) return irl_fail_memory(learner->env);
  s->learner = learner;
  s->limit = limit;
  s->start = learner->work;
  s->cap = cap;
  const uint64_t words = (uint64_t)learner->data->n_features *
                         (learner->data->cases.stride + learner->data->controls.stride);
  s->threads = words < WORTH_THREADS ? 1 : learner->settings.threads;
  const irl_status status = make_levels(s) ? visit(s, &root) : irl_fail_memory(learner->env);
  *is_proven = !status && !s->is_cut;
  *is_full = s->is_full;
  for (uint32_t i = 0; i <= learner->settings.K; i++) {
    if (s->levels[i].list.allocator.resize) irl_clause_store_free(&s->levels[i].list);
    irl_mem_free_aligned(allocator, s->levels[i].cases);
    irl_mem_free_aligned(allocator, s->levels[i].controls);
  }
  irl_mem_free(allocator, s);
  return status;
}
