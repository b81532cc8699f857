/* The best rule for the Hamming loss, proven: what branch and bound on BP5 and BP6 begins with.
 *
 * Every clause pays its own controls here, so a rule of K clauses saves
 *
 *     case_weight * (cases that any of them covers) - control_weight * (controls of each, summed)
 *
 * over the rule without clauses, and what a clause adds to that only falls as others are chosen.
 * Hence a clause of a best rule adds something on its own, and covers few enough controls to be
 * better than the rule known: the clause engine lists all such clauses. The search then takes them
 * in the order of what they add, keeps for the next choice only those that come later and still
 * add something, and gives up where the largest r additions do not reach the best. */
#include "base/memory.h"
#include "clause/list.h"
#include "learn/learner.h"
#include <stdlib.h>

#define MAX_CLAUSES ((size_t)100000)
#define QUICK_WORK  ((uint64_t)2e9) /* unless the best rule is to be proven at any cost */

typedef struct candidate {
  int64_t gain;
  uint32_t clause;
} candidate;

typedef struct search {
  irl_learner *learner;
  const irl_learn_pool *list;
  const irl_kernels *kernels;
  irl_limit limit;
  int64_t *cost;        /* of each clause's controls */
  candidate **levels;   /* by number of clauses chosen */
  uint64_t **uncovered; /* cases, alike */
  int64_t best;         /* saved by the best rule, chosen below if has_found */
  uint32_t chosen[IRL_LEARN_MAX_K], found[IRL_LEARN_MAX_K], n_found;
  uint64_t work, nodes;
  bool has_found, is_cut;
} search;

static int by_gain(const void *a, const void *b) {
  const candidate *p = a, *q = b;
  if (p->gain != q->gain) return p->gain > q->gain ? -1 : 1;
  return (p->clause > q->clause) - (p->clause < q->clause);
}

static void record(search *s, uint32_t depth, int64_t gain) {
  if (gain <= s->best) return;
  s->best = gain;
  s->has_found = true;
  s->n_found = depth;
  memcpy(s->found, s->chosen, depth * sizeof *s->found);
}

/* The candidates after number i that still add something once it is chosen. */
static size_t narrow(search *s, uint32_t depth, size_t n, size_t i) {
  const irl_bits_matrix *cases = &s->list->cases;
  const candidate *from = s->levels[depth];
  candidate *to = s->levels[depth + 1];
  const int64_t weight = s->learner->settings.case_weight;
  size_t kept = 0;
  s->kernels->andnot_into(s->uncovered[depth + 1], s->uncovered[depth],
                          irl_bits_vector(cases, from[i].clause), cases->stride);
  for (size_t k = i + 1; k < n; k++) {
    const uint32_t clause = from[k].clause;
    const int64_t adds = (int64_t)s->kernels->and_count(
        s->uncovered[depth + 1], irl_bits_vector(cases, clause), cases->stride);
    const int64_t gain = weight * adds - s->cost[clause];
    if (gain > 0) to[kept++] = (candidate){gain, clause};
  }
  qsort(to, kept, sizeof *to, by_gain);
  s->work += (n - i) * cases->stride;
  return kept;
}

static void visit(search *s, uint32_t depth, size_t n, int64_t gain) {
  const candidate *list = s->levels[depth];
  const uint32_t left = s->learner->settings.K - depth;
  s->nodes++;
  record(s, depth, gain);
  if (irl_limit_reached(&s->limit, s->work)) s->is_cut = true;
  for (size_t i = 0; i < n && !s->is_cut; i++) {
    int64_t most = gain;
    for (size_t k = i; k < n && k < i + left; k++) most += list[k].gain;
    if (most <= s->best) return;
    s->chosen[depth] = list[i].clause;
    if (left == 1) {
      record(s, depth + 1, gain + list[i].gain);
      return;
    }
    visit(s, depth + 1, narrow(s, depth, n, i), gain + list[i].gain);
  }
}

static irl_status allocate(search *s) {
  const irl_learner *learner = s->learner;
  const irl_allocator *a = &learner->env->allocator;
  const uint32_t K = learner->settings.K;
  bool is_good = (s->cost = irl_mem_alloc(a, s->list->n, sizeof *s->cost)) &&
                 (s->levels = irl_mem_alloc(a, (size_t)K + 1, sizeof *s->levels)) &&
                 (s->uncovered = irl_mem_alloc(a, (size_t)K + 1, sizeof *s->uncovered));
  for (uint32_t d = 0; d <= K && is_good; d++)
    is_good = (s->levels[d] = irl_mem_alloc(a, s->list->n, sizeof **s->levels)) &&
              (s->uncovered[d] = irl_mem_alloc_aligned(a, s->list->cases.stride, 8));
  return is_good ? IRL_OK : irl_fail_memory(learner->env);
}

static void release(search *s) {
  const irl_allocator *a = &s->learner->env->allocator;
  for (uint32_t d = 0; d <= s->learner->settings.K; d++) {
    if (s->levels) irl_mem_free(a, s->levels[d]);
    if (s->uncovered) irl_mem_free_aligned(a, s->uncovered[d]);
  }
  irl_mem_free(a, s->cost);
  irl_mem_free(a, s->levels);
  irl_mem_free(a, s->uncovered);
}

static irl_status take_found(search *s) {
  irl_learner *learner = s->learner;
  irl_learn_rule rule = {.n = s->n_found};
  irl_status status = IRL_OK;
  bool is_new;
  for (uint32_t i = 0; i < rule.n && !status; i++)
    status = irl_learn_pool_add(learner->env, &learner->pool,
                                irl_learn_pool_literals(s->list, s->found[i]),
                                s->list->sizes[s->found[i]], &rule.clauses[i], &is_new);
  if (!status) status = irl_learner_weigh(learner, &rule);
  if (!status) learner->best = rule;
  return status;
}

static irl_status choose(irl_learner *learner, const irl_learn_pool *list, const irl_limit *limit) {
  const irl_learn_settings *settings = &learner->settings;
  const int64_t all = settings->case_weight * (int64_t)learner->data->n_cases;
  search s = {.learner = learner,
              .list = list,
              .kernels = irl_bits_kernels(),
              .limit = *limit,
              .best = all - learner->best.loss};
  irl_status status = allocate(&s);
  if (!status) {
    size_t n = 0;
    irl_bits_fill(s.uncovered[0], learner->data->n_cases, list->cases.stride);
    for (uint32_t k = 0; k < list->n; k++) {
      const uint64_t cases = s.kernels->count(irl_bits_vector(&list->cases, k), list->cases.stride);
      s.cost[k] =
          settings->control_weight *
          (int64_t)s.kernels->count(irl_bits_vector(&list->controls, k), list->controls.stride);
      const int64_t gain = settings->case_weight * (int64_t)cases - s.cost[k];
      if (gain > 0) s.levels[0][n++] = (candidate){gain, k};
    }
    if (n) qsort(s.levels[0], n, sizeof **s.levels, by_gain);
    visit(&s, 0, n, 0);
    if (s.has_found) status = take_found(&s);
    if (s.has_found) learner->best.loss = all - s.best;
    if (!s.is_cut && learner->bound < learner->best.loss) learner->bound = learner->best.loss;
  }
  learner->work += s.work;
  learner->nodes += s.nodes;
  release(&s);
  return status;
}

static irl_status make_pool(irl_learner *learner, const irl_clause_store *store,
                            irl_learn_pool *pool) {
  irl_status status = IRL_OK;
  irl_clause clause;
  uint32_t number;
  bool is_new;
  for (size_t i = 0; i < store->n && !status; i++) {
    irl_clause_store_get(store, i, &clause);
    status = irl_learn_pool_add(learner->env, pool, clause.literals, clause.n, &number, &is_new);
  }
  return status;
}

irl_status irl_learn_hamming(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const int64_t room = (learner->best.loss - 1) / settings->control_weight;
  const irl_clause_thresholds thresholds = {
      .min_cases = 1,
      .max_controls =
          (uint32_t)(room < learner->data->n_controls ? room : learner->data->n_controls),
      .min_value = 1};
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_store store;
  irl_learn_pool list;
  bool is_complete;
  if (learner->best.loss <= learner->bound) return IRL_OK;
  irl_clause_problem_init(&problem, learner->data);
  problem.case_weight = settings->case_weight;
  problem.control_weight = settings->control_weight;
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_literals = settings->M;
  problem.negations = settings->negations;
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  irl_clause_store_init(&store, &learner->env->allocator, settings->M);
  irl_learn_pool_init(&list, learner->data, settings->M);
  const irl_limit limit = irl_learner_part(learner, settings->prove ? UINT64_MAX : QUICK_WORK);
  status = irl_clause_list_all(learner->env, &model, &limit, settings->threads, &thresholds,
                               MAX_CLAUSES, &store, &is_complete, &learner->work);
  if (!status && is_complete) status = make_pool(learner, &store, &list);
  const irl_limit rest = irl_learner_part(learner, settings->prove ? UINT64_MAX : QUICK_WORK);
  if (!status && is_complete) status = choose(learner, &list, &rest);
  irl_learn_pool_free(&list);
  irl_clause_store_free(&store);
  irl_clause_model_free(&model);
  return status;
}
