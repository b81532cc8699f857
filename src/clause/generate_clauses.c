/* Generating clauses for the pool: a search by the clause engine, of whose clauses the best go to
 * the pool and then, for variety, layer after layer of those that cover most of what the ones
 * before leave. */
#include "clause/generate_clauses.h"
#include "base/arena.h"
#include "base/memory.h"
#include "clause/heuristic.h"
#include "rule/literal_columns.h"

#define FOUND_BYTES ((size_t)16 << 20) /* of covers that are compared for variety, */
#define ADDED_BYTES                                                                                \
  ((size_t)3 << 20) /* and that go to the pool, unless that is very few clauses                    \
                     */

/* Of the clauses that go to the pool, the first by value. */
static uint32_t best_of_added(const irl_search *search) {
  return (uint32_t)search->settings.tuning.added / 7;
}

uint32_t irl_search_n_added(const irl_search *search) {
  const irl_data *data = search->problem->data;
  const size_t words = data->cases.stride + data->controls.stride;
  const size_t room = ADDED_BYTES / sizeof(uint64_t) / words, most = search->settings.tuning.added;
  const size_t least = best_of_added(search) ? 2 * best_of_added(search) : 1;
  return (uint32_t)(room >= most ? most : room < least ? least : room);
}

/* Which clauses to keep: the best by value and then, for variety, layer after layer of clauses that
 * cover most of what those before leave. Few are looked at and kept if their covers are large. */
static irl_status choose_varied(irl_search *search, const irl_clause_pool *found,
                                const uint64_t *live_cases, uint32_t picks[IRL_TUNING_MOST_ADDED],
                                uint32_t *n) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = search->problem->data;
  const size_t words = data->cases.stride;
  const size_t bytes = (words + data->controls.stride) * sizeof(uint64_t);
  const uint32_t wanted = irl_search_n_added(search);
  const size_t looked_at = FOUND_BYTES / bytes, added = search->settings.tuning.added;
  const size_t most = looked_at > added ? looked_at : added;
  const uint32_t n_found = found->n < most ? found->n : (uint32_t)most;
  const uint32_t n_best = best_of_added(search);
  irl_clause_set covers;
  irl_arena arena;
  irl_clause_set_init(&covers, data, search->problem->M);
  irl_arena_init(&arena, &search->env->allocator);
  uint64_t *left = irl_arena_alloc_aligned(&arena, words, sizeof *left); /* by the layer so far */
  uint64_t *live = irl_arena_alloc_aligned(&arena, words, sizeof *live);
  uint32_t *number = irl_arena_alloc(&arena, n_found, sizeof *number); /* in covers, of each */
  bool *is_picked = irl_arena_alloc(&arena, n_found, sizeof *is_picked);
  irl_status status =
      left && live && number && is_picked ? IRL_STATUS_OK : irl_fail_memory(search->env);
  for (uint32_t i = 0; i < n_found && !status; i++)
    status = irl_clause_set_add(search->env, &covers, found->clauses[i].literals,
                                found->clauses[i].n, &number[i], NULL);
  *n = 0;
  if (status) goto done;
  if (live_cases)
    memcpy(live, live_cases, words * sizeof *live);
  else
    irl_bits_fill(live, data->n_cases, words);
  memcpy(left, live, words * sizeof *left);
  for (bool is_fresh = true; *n < wanted && *n < n_found;) {
    uint32_t pick = *n < n_best ? *n : n_found;
    uint64_t covered = 0;
    for (uint32_t i = 0; i < n_found && *n >= n_best; i++) {
      if (is_picked[i]) continue;
      const uint64_t more =
          kernels->and_count(left, irl_bits_vector(&covers.cases, number[i]), words);
      if (more > covered) covered = more, pick = i;
    }
    if (pick == n_found && is_fresh) break;
    is_fresh = pick == n_found;
    if (is_fresh) { /* a new layer: everything live is uncovered again */
      memcpy(left, live, words * sizeof *left);
      continue;
    }
    kernels->andnot_into(left, left, irl_bits_vector(&covers.cases, number[pick]), words);
    assert(!is_picked[pick] && *n < wanted);
    is_picked[pick] = true;
    picks[(*n)++] = pick;
  }
done:
  irl_clause_set_free(&covers);
  irl_arena_free(&arena);
  return status;
}

/* The search itself, and what it brings into the pool. */
static irl_status search_and_add(irl_search *search, const irl_subproblem *subproblem,
                                 const irl_clause_model *model, irl_clause_pool *found,
                                 irl_generated *generated) {
  const irl_problem *problem = search->problem;
  const uint64_t before = search->work;
  uint32_t picks[IRL_TUNING_MOST_ADDED], n = 0;
  const irl_limit part = irl_search_sublimit(search, subproblem->max_work);
  const irl_clause_search task = {search->env, model, &part, irl_search_threads(search),
                                  &search->work};
  const irl_clause_heuristic_settings heuristic = {part.max_work, search->settings.seed,
                                                   subproblem->width};
  irl_status status = irl_clause_heuristic(&task, &heuristic, found);
  if (subproblem->case_weights) { /* of what was found, what is worth enough */
    uint32_t n_kept = 0;
    for (uint32_t i = 0; i < found->n; i++) {
      const irl_clause *clause = &found->clauses[i];
      if (clause->value >= subproblem->min_value + subproblem->literal_weight * clause->n)
        found->clauses[n_kept++] = *clause;
    }
    found->n = n_kept;
  }
  const irl_clause *best = found->n ? &found->clauses[0] : NULL;
  generated->is_chance = search->work - before > search->settings.tuning.generate / 5 &&
                         !irl_clause_is_beyond_chance(model, found);
  generated->is_small = !best || (uint64_t)best->cases * problem->K < model->root.n_cases;
  if (subproblem->n_wanted)
    n = found->n;
  else if (!status && found->n)
    status = choose_varied(search, found, subproblem->live_cases, picks, &n);
  for (uint32_t i = 0; i < n && !status; i++) {
    const irl_clause *clause = &found->clauses[subproblem->n_wanted ? i : picks[i]];
    bool is_new;
    assert(clause->n && clause->n <= problem->M);
    status =
        irl_clause_set_add(search->env, &search->pool, clause->literals, clause->n, NULL, &is_new);
    generated->n_new += !status && is_new;
  }
  if (!status) irl_search_keep(search);
  return status;
}

/* What each sample counts in a subproblem: its weight times that of its class, in an array that the
 * caller frees; a case its price instead, if it has one. */
static irl_status weigh_samples(irl_env *env, const irl_subproblem *subproblem,
                                irl_clause_problem *problem, int64_t **weights) {
  const irl_problem *goal = &subproblem->goal;
  const irl_data *data = goal->data;
  problem->case_weights = subproblem->case_weights;
  problem->is_priced = subproblem->case_weights;
  problem->case_weight = goal->case_weight;
  problem->control_weight = goal->control_weight;
  problem->budget = goal->max_controls < data->n_controls ? goal->max_controls : data->n_controls;
  *weights = NULL;
  if (!irl_data_has_weights(data)) return IRL_STATUS_OK;
  int64_t *cases = irl_mem_alloc(&env->allocator, data->n_samples, sizeof *cases);
  if (!cases) return irl_fail_memory(env);
  int64_t *controls = cases + data->n_cases;
  *weights = cases;
  for (uint32_t i = 0; i < data->n_cases; i++)
    cases[i] = goal->case_weight * data->weights[0].each[i];
  for (uint32_t i = 0; i < data->n_controls; i++)
    controls[i] = goal->control_weight * data->weights[1].each[i];
  if (!problem->is_priced) problem->case_weights = cases;
  problem->control_weights = controls;
  if (goal->max_controls < irl_data_total(data, 1) && goal->control_weight)
    problem->max_cost = goal->control_weight * (int64_t)goal->max_controls;
  return IRL_STATUS_OK;
}

static irl_status generate_once(irl_search *search, const irl_subproblem *subproblem,
                                irl_generated *generated) {
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_pool found;
  int64_t *weights;
  *generated = (irl_generated){0};
  assert(subproblem->goal.M && subproblem->goal.M <= search->problem->M);
  irl_clause_problem_init(&problem, subproblem->goal.data);
  problem.live_cases = subproblem->live_cases;
  problem.live_controls = subproblem->live_controls;
  problem.max_size = subproblem->goal.M;
  problem.negations = subproblem->goal.negations;
  problem.threads = irl_search_threads(search);
  irl_status status = weigh_samples(search->env, subproblem, &problem, &weights);
  if (!status) status = irl_clause_model_init(search->env, &model, &problem);
  if (status) {
    irl_mem_free(&search->env->allocator, weights);
    return status;
  }
  if (irl_clause_pool_init(&found, &search->env->allocator,
                           subproblem->n_wanted ? subproblem->n_wanted
                                                : (uint32_t)search->settings.tuning.found)) {
    status = search_and_add(search, subproblem, &model, &found, generated);
    irl_clause_pool_free(&found);
  } else {
    status = irl_fail_memory(search->env);
  }
  irl_clause_model_free(&model);
  irl_mem_free(&search->env->allocator, weights);
  return status;
}

/* Where literals cost something, the best clause of each length may be the one that is wanted. */
irl_status irl_search_generate(irl_search *search, const irl_subproblem *subproblem,
                               irl_generated *generated) {
  irl_status status = generate_once(search, subproblem, generated);
  irl_subproblem shorter = *subproblem;
  while (search->problem->penalty && --shorter.goal.M && !status && !irl_search_is_done(search)) {
    irl_generated more;
    status = generate_once(search, &shorter, &more);
    if (!status) generated->n_new += more.n_new;
  }
  return status;
}

irl_status irl_search_generate_within(irl_search *search, const uint64_t *live_cases,
                                      uint64_t budget, uint64_t max_work,
                                      irl_generated *generated) {
  const irl_subproblem subproblem = {.goal = irl_problem_within(search->problem, budget),
                                     .live_cases = live_cases,
                                     .max_work = max_work};
  return irl_search_generate(search, &subproblem, generated);
}
