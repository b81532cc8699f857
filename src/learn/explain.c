/* Why there is no rule, or why it is empty, and what could be reached: said in words, with the
 * options that reach it. What is named was found, so it is there; more may be possible where the
 * search was not complete.
 *
 * Without a rule one of the limits on sensitivity and specificity has to give way: the most that is
 * found of either beside the other one as it was asked for are the two nearest points. A rule is
 * empty because of the penalty if some clause would pay without it; then the greatest penalty at
 * which one does is told. Otherwise a floor, or no clause that is worth its errors, is the reason.
 */
#include "learn/fit_result.h"
#include <math.h>

/* A share that is reached, as a limit that asks no more: rounded down. */
static double as_limit(uint64_t part, uint64_t whole) {
  assert(whole && part <= whole);
  return floor(1e4 * (double)part / (double)whole) / 1e4;
}

/* The best choice from the pool for a problem; it has no clauses if there is none. */
static irl_status select_point(irl_learner *learner, const irl_problem *problem,
                               irl_select_result *point) {
  const irl_limit part = irl_search_sublimit(
      &learner->search, irl_tuning_select_short(&learner->search.settings.tuning));
  const irl_select_task task =
      irl_select_task_of(problem, &learner->search.pool, learner->search.settings.threads);
  uint32_t chosen[IRL_MAX_K];
  *point = (irl_select_result){.n = 0};
  if (!learner->search.pool.n) return IRL_STATUS_OK;
  return irl_select_solve(learner->search.env, &task, &part, chosen, point);
}

/* The one with as many cases as are asked for, or any, by these weights of cases and controls;
 * *found is false if there is none. */
static irl_status find_point(irl_learner *learner, uint64_t min_cases, const int64_t weights[2],
                             irl_select_result *reach, bool *found) {
  irl_problem problem = irl_problem_weighted(&learner->problem, weights[0], weights[1]);
  problem.min_cases = min_cases;
  const irl_status status = select_point(learner, &problem, reach);
  *found = !status && reach->n && reach->cases >= min_cases;
  assert(!*found ||
         (reach->n <= learner->problem.K && reach->cases <= irl_data_total(learner->data, 0)));
  return status;
}

/* The two limits in the user's terms: counts are in those of the data, which a CNF reflects. The
 * first is on cases of the data, the second on its controls; 0: there is none. */
typedef struct floors {
  const char *names[2];
  double least[2];
} floors;

static floors find_floors(const irl_learner *learner) {
  const irl_scope *scope = learner->problem.scope;
  if (learner->data->is_reflected)
    return (floors){{"specificity", "sensitivity"},
                    {scope->min_specificity, scope->min_sensitivity}};
  return (floors){{"sensitivity", "specificity"}, {scope->min_sensitivity, scope->min_specificity}};
}

/* Limits that could be met: as much of the first as there is beside the second, and as much of the
 * second beside the first or, if no clause is within the limits, at the point where both classes
 * count alike. */
static irl_status offer_limits(irl_learner *learner, const floors *f,
                               const irl_select_result *reach, irl_text *text) {
  const uint64_t n1 = irl_data_total(learner->data, 0), n0 = irl_data_total(learner->data, 1);
  const int64_t fewest[] = {1, irl_problem_first(&learner->problem, 1)};
  const int64_t alike[] = {(int64_t)n0, (int64_t)n1};
  irl_select_result point;
  bool found, is_asked = true;
  irl_status status = find_point(learner, learner->problem.min_cases, fewest, &point, &found);
  if (!status && !found && !reach->cases) {
    is_asked = false;
    status = find_point(learner, 0, alike, &point, &found);
  }
  if (status) return status;
  const double most = as_limit(reach->cases, n1);
  const char *mark = "; within reach:";
  if (most > 0) {
    irl_text_printf(text, "%s --min-%s %.6g", mark, f->names[0], most);
    if (f->least[1] > 0) irl_text_printf(text, " --min-%s %.6g", f->names[1], f->least[1]);
    mark = ", or";
  }
  if (f->least[1] > 0 && found)
    irl_text_printf(text, "%s --min-%s %.6g --min-%s %.6g", mark, f->names[0],
                    is_asked ? f->least[0] : as_limit(point.cases, n1), f->names[1],
                    as_limit(n0 - point.controls, n0));
  return IRL_STATUS_OK;
}

static irl_status explain_none(irl_learner *learner, irl_text *text) {
  const irl_data *data = learner->data;
  const floors f = find_floors(learner);
  irl_select_result reach;
  if (learner->outcome != IRL_OUTCOME_INFEASIBLE) {
    irl_text_puts(text, "no rule was found before the limit");
    return IRL_STATUS_OK;
  }
  const irl_problem widest = irl_problem_within(&learner->problem, UINT64_MAX);
  const irl_status status = select_point(learner, &widest, &reach);
  if (status) return status;
  irl_text_printf(text, "no rule within K = %u, M = %u has %s >= %.6g", learner->problem.K,
                  learner->problem.M, f.names[0], f.least[0]);
  if (f.least[1] > 0) irl_text_printf(text, " and %s >= %.6g", f.names[1], f.least[1]);
  irl_text_printf(text, "; the best found reaches %s %.4g", f.names[0],
                  (double)reach.cases / (double)irl_data_total(data, 0));
  if (f.least[1] > 0)
    irl_text_printf(text, " with %s %.4g", f.names[1],
                    1 - (double)reach.controls / (double)irl_data_total(data, 1));
  return offer_limits(learner, &f, &reach, text);
}

/* What a clause of the pool saves before its price is paid. */
static int64_t find_gain(const irl_learner *learner, uint32_t k, uint64_t *controls) {
  const irl_clause_set *pool = &learner->search.pool;
  const uint64_t tp = irl_data_weigh(pool->data, 0, irl_bits_vector(&pool->cases, k));
  *controls = irl_data_weigh(pool->data, 1, irl_bits_vector(&pool->controls, k));
  return learner->problem.case_weight * (int64_t)tp -
         learner->problem.control_weight * (int64_t)*controls;
}

/* The penalty, or the floor, without which a clause would pay. */
static void explain_price(const irl_learner *learner, irl_text *text) {
  const irl_clause_set *pool = &learner->search.pool;
  const irl_scope *scope = learner->problem.scope;
  double most = 0; /* the greatest share of the penalty at which some clause pays */
  bool pays = false;
  uint64_t fewest = UINT64_MAX; /* controls of a clause that would pay if it were allowed */
  for (uint32_t k = 0; k < pool->n; k++) {
    uint64_t controls;
    const int64_t gain = find_gain(learner, k, &controls);
    const int64_t cost = irl_problem_cost(learner->search.problem, pool->sizes[k]);
    const bool is_allowed = controls <= learner->problem.max_controls;
    if (is_allowed && cost > 0 && gain > 0) most = fmax(most, (double)gain / (double)cost);
    pays |= is_allowed && gain > 0;
    if (!is_allowed && gain > cost && controls < fewest) fewest = controls;
  }
  if (scope->penalty > 0 && most > 0) {
    /* Rounded down, so that the clause is strictly better than none. */
    const double exact = most * scope->penalty, unit = pow(10, floor(log10(exact)) - 2);
    irl_text_printf(text, "; the penalty is what empties it: --penalty %.6g keeps a clause",
                    (ceil(exact / unit) - 1) * unit);
  } else if (!pays && fewest < UINT64_MAX) {
    const bool is_cnf = learner->data->is_reflected;
    irl_text_printf(
        text, "; the floor is what empties it: --min-%s %.6g keeps a clause",
        is_cnf ? "sensitivity" : "specificity",
        as_limit(irl_data_total(learner->data, 1) - fewest, irl_data_total(learner->data, 1)));
  } else if (!pays && scope->weights && !strcmp(scope->weights, "unit")) {
    irl_text_puts(text, "; cases are few, so that every clause adds more errors than it mends: "
                        "--weights balanced weighs both classes alike");
  }
}

static void explain_empty(const irl_learner *learner, irl_text *text) {
  const irl_clause_set *pool = &learner->search.pool;
  irl_text_puts(text, learner->data->is_reflected ? "the best rule is TRUE: no clause "
                                                  : "the best rule is FALSE: no clause ");
  if (!pool->n) {
    irl_text_puts(text, "was found");
    return;
  }
  /* The clause of the pool that would make the best rule by itself. */
  int64_t least = INT64_MAX;
  uint32_t best = 0;
  for (uint32_t k = 0; k < pool->n; k++) {
    uint64_t controls;
    const int64_t all = learner->problem.case_weight * (int64_t)irl_data_total(learner->data, 0);
    const int64_t loss = all - find_gain(learner, k, &controls) +
                         irl_problem_cost(learner->search.problem, pool->sizes[k]);
    if (loss >= least) continue;
    least = loss;
    best = k;
  }
  assert(least < INT64_MAX && pool->sizes[best]);
  irl_text_puts(text, "pays for itself; the best one found, (");
  for (uint32_t i = 0; i < pool->sizes[best]; i++) {
    const irl_literal literal = irl_clause_set_literals(pool, best)[i];
    irl_text_printf(text, "%s%s", i ? " AND " : "",
                    irl_literal_is_negated(literal) ? IRL_NEGATION : "");
    irl_text_puts(text, irl_names_get(&learner->data->names, irl_literal_feature(literal)));
  }
  irl_text_printf(text, "), would cost %.6g, the empty rule costs %.6g",
                  irl_problem_objective(learner->search.problem, least),
                  irl_problem_objective(learner->search.problem, learner->search.best.loss));
  explain_price(learner, text);
}

irl_status irl_learn_explain(irl_learner *learner, char **reason) {
  irl_text text;
  irl_status status = IRL_STATUS_OK;
  *reason = NULL;
  if (irl_search_has_rule(&learner->search) && learner->search.best.n) return IRL_STATUS_OK;
  irl_text_init(&text, learner->search.env);
  if (irl_search_has_rule(&learner->search))
    explain_empty(learner, &text);
  else
    status = explain_none(learner, &text);
  if (!status) return irl_text_take(&text, reason);
  irl_text_drop(&text);
  return status;
}
