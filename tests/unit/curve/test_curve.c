/* Curves: every point against all choices from the pool of tiny data; nothing missing by the
 * threshold; bounds at limits; points as `evaluate` sees them; the same for any number of threads.
 */
#include "curve/curve.h"
#include "data/dataset.h"
#include "greatest.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "support.h"

#define SEED       11u
#define MAX_COUNTS 64u /* samples of a class, at most, less one */

static irl_env *env;
static irl_random numbers;

static uint32_t below(uint64_t n) {
  return (uint32_t)irl_random_below(&numbers, n);
}

/* ---- all choices from a pool ---- */

typedef struct oracle {
  const irl_fit_result *fit;
  uint64_t fewest_fp[MAX_COUNTS];  /* of a choice with so many true positives; UINT64_MAX: none */
  int64_t by_literals[MAX_COUNTS]; /* least loss with at most so many literals, */
  int64_t by_clauses[MAX_COUNTS];  /* and clauses */
} oracle;

static void note(oracle *o, uint64_t cases, uint64_t controls, uint32_t clauses,
                 uint32_t literals) {
  const irl_problem *s = &o->fit->problem;
  const uint64_t tp = (uint64_t)__builtin_popcountll(cases);
  const uint64_t fp = (uint64_t)__builtin_popcountll(controls);
  const int64_t loss =
      s->case_weight * (int64_t)(o->fit->data->n_cases - tp) + s->control_weight * (int64_t)fp;
  if (fp < o->fewest_fp[tp]) o->fewest_fp[tp] = fp;
  for (uint32_t i = literals; i < MAX_COUNTS; i++)
    if (loss < o->by_literals[i]) o->by_literals[i] = loss;
  for (uint32_t i = clauses; i < MAX_COUNTS; i++)
    if (loss < o->by_clauses[i]) o->by_clauses[i] = loss;
}

static void choose(oracle *o, size_t from, uint64_t cases, uint64_t controls, uint32_t clauses,
                   uint32_t literals) {
  const irl_clause_set *pool = &o->fit->pool;
  note(o, cases, controls, clauses, literals);
  if (clauses == o->fit->problem.K) return;
  for (size_t k = from; k < pool->n; k++)
    choose(o, k + 1, cases | *irl_bits_vector(&pool->cases, k),
           controls | *irl_bits_vector(&pool->controls, k), clauses + 1, literals + pool->sizes[k]);
}

static void ask_all(oracle *o, const irl_fit_result *fit) {
  o->fit = fit;
  for (uint32_t i = 0; i < MAX_COUNTS; i++) {
    o->fewest_fp[i] = UINT64_MAX;
    o->by_literals[i] = o->by_clauses[i] = INT64_MAX;
  }
  choose(o, 0, 0, 0, 0, 0);
}

static bool is_dominated(const oracle *o, uint64_t tp, uint64_t fp) {
  for (uint64_t t = tp; t < MAX_COUNTS; t++)
    if (o->fewest_fp[t] < fp || (o->fewest_fp[t] == fp && t > tp)) return true;
  return false;
}

/* Non-dominated points strictly between two others. */
static uint32_t count_between(const oracle *o, const irl_curve_point *a, const irl_curve_point *b) {
  uint32_t n = 0;
  for (uint64_t tp = a->tp + 1; tp < b->tp; tp++)
    n += o->fewest_fp[tp] != UINT64_MAX && o->fewest_fp[tp] > a->fp && o->fewest_fp[tp] < b->fp &&
         !is_dominated(o, tp, o->fewest_fp[tp]);
  return n;
}

/* ---- checks ---- */

typedef struct job {
  irl_data *data;
  irl_fit_result *fit;
  irl_options options;
  char K[8], M[8];
} job;

static void begin(job *j) {
  const uint32_t n = 12 + below(40), features = 3 + below(5);
  table t = random_table(&numbers, n, features);
  for (uint32_t i = 0; i < n; i++) /* some structure */
    if (t.cells[i * features] && t.cells[i * features + 1]) t.labels[i] = below(8) > 0;
  t.labels[0] = 0;
  t.labels[n - 1] = 1;
  if (irl_data_from_bytes(env, t.n, t.j, t.cells, t.labels, NULL, &j->data)) abort();
  free_table(&t);
  j->options = options_of(env, "sizes", "", NULL);
  j->options.rule.K = 1 + below(3);
  j->options.rule.M = 1 + below(2);
  j->options.rule.negations = below(2);
  j->options.limits.threads = 1;
  j->options.search.prove =
      true; /* so that the pool has all clauses: what is optimal is so for all rules */
  j->options.rule.weights = below(3) ? IRL_WEIGHTS_DEFAULT : IRL_WEIGHTS_UNIT;
  if (irl_fit_for_curve(env, j->data, &j->options, &j->fit)) abort();
}

static void end(job *j) {
  irl_fit_free(j->fit);
  irl_data_free(j->data);
}

/* A rule without literal l of clause k, or without the clause; evaluated. */
static bool is_as_good_without(const irl_data *data, const irl_rule *rule, size_t k, size_t l,
                               const irl_evaluation *e) {
  const irl_data_labels called = {NULL, NULL, NULL, false};
  const size_t size = rule->start[k + 1] - rule->start[k];
  irl_rule *other;
  irl_evaluation now = IRL_SIZED(irl_evaluation);
  if (irl_rule_create(env, rule->K, rule->M, &called, &other)) abort();
  for (size_t i = 0; i < rule->n_clauses; i++) {
    if (i == k && l == size) continue;
    for (size_t m = rule->start[i]; m < rule->start[i + 1]; m++) {
      const char *name = irl_rule_name(rule, rule->literals[m]);
      if (i == k && m == rule->start[i] + l) continue;
      if (irl_rule_add_literal(env, other, name, strlen(name),
                               irl_literal_is_negated(rule->literals[m])))
        abort();
    }
    if (irl_rule_end_clause(env, other)) abort();
  }
  if (irl_evaluate(env, other, data, &now)) abort();
  irl_rule_free(other);
  return now.tp >= e->tp && now.fp <= e->fp;
}

static bool is_tight(const irl_data *data, const irl_rule *rule, const irl_evaluation *e) {
  for (size_t k = 0; k < rule->n_clauses; k++) {
    const size_t size = rule->start[k + 1] - rule->start[k];
    for (size_t l = size > 1 ? 0 : 1; l <= size; l++)
      if (is_as_good_without(data, rule, k, l, e)) return false;
  }
  return true;
}

static enum greatest_test_res check_rule(const job *j, const irl_curve *curve, irl_curve_kind kind,
                                         uint32_t i, const irl_curve_point *p) {
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  irl_rule_info info = IRL_SIZED(irl_rule_info);
  const irl_rule *rule = irl_curve_rule(curve, kind, i);
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, j->data, &e));
  ASSERT_EQ(e.tp, p->tp);
  ASSERT_EQ(e.fp, p->fp);
  ASSERT_IN_RANGE(e.sensitivity, p->sensitivity, 1e-12);
  ASSERT_IN_RANGE(e.specificity, p->specificity, 1e-12);
  ASSERT_IN_RANGE(j->options.rule.weights ? e.accuracy : e.balanced_accuracy, p->accuracy, 1e-12);
  irl_rule_describe(rule, &info);
  ASSERT_EQ(info.clauses, p->clauses);
  ASSERT_EQ(info.literals, p->literals);
  ASSERTm("nothing is superfluous", is_tight(j->data, rule, &e));
  PASS();
}

/* Proven to the threshold: every point is right, and between neighbours that are further apart
 * there is nothing. */
static enum greatest_test_res check_tradeoff(const job *j, const oracle *o, double threshold) {
  irl_options options = j->options;
  irl_curve *curve;
  irl_curve_info info = IRL_SIZED(irl_curve_info);
  irl_curve_point p = IRL_SIZED(irl_curve_point), last = IRL_SIZED(irl_curve_point);
  options.output.threshold = threshold;
  ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, j->fit, &options, &curve));
  irl_curve_describe(curve, &info);
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
  ASSERT(irl_curve_size(curve, IRL_CURVE_TRADEOFF) > 0);
  for (uint32_t i = 0; i < irl_curve_size(curve, IRL_CURVE_TRADEOFF); i++) {
    irl_curve_get(curve, IRL_CURVE_TRADEOFF, i, &p);
    CHECK_CALL(check_rule(j, curve, IRL_CURVE_TRADEOFF, i, &p));
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, p.outcome);
    ASSERT_EQ(o->fewest_fp[p.tp], p.fp);
    ASSERT_FALSE(is_dominated(o, p.tp, p.fp));
    ASSERT_EQ(p.sensitivity, p.sensitivity_bound);
    ASSERT_EQ(p.specificity, p.specificity_bound);
    if (i) {
      ASSERT(p.tp > last.tp && p.fp > last.fp);
      if (p.sensitivity - last.sensitivity > threshold ||
          last.specificity - p.specificity > threshold)
        ASSERT_EQ(0u, count_between(o, &last, &p));
    }
    last = p;
  }
  for (uint64_t tp = 0; tp < MAX_COUNTS; tp++) /* the ends are there */
    if (o->fewest_fp[tp] != UINT64_MAX) ASSERT(tp <= last.tp);
  irl_curve_free(curve);
  PASS();
}

static enum greatest_test_res check_sizes(const job *j, const oracle *o) {
  irl_curve *curve;
  ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, j->fit, &j->options, &curve));
  for (irl_curve_kind kind = IRL_CURVE_LITERALS; kind < IRL_N_CURVE_KINDS; kind++) {
    const int64_t *least = kind == IRL_CURVE_LITERALS ? o->by_literals : o->by_clauses;
    const irl_curve_line *line = &curve->lines[kind];
    size_t at = 0;
    int64_t loss = least[0];
    for (uint32_t size = 1; size < MAX_COUNTS; size++) { /* a point wherever the loss falls */
      if (least[size] == loss) continue;
      loss = least[size];
      ASSERT(at < line->n);
      irl_curve_point p = IRL_SIZED(irl_curve_point);
      irl_curve_get(curve, kind, (uint32_t)at, &p);
      CHECK_CALL(check_rule(j, curve, kind, (uint32_t)at, &p));
      ASSERT_EQ(size, kind == IRL_CURVE_LITERALS ? p.literals : p.clauses);
      ASSERT_EQ(loss, line->solutions[at].rule.loss);
      ASSERT_EQ(loss, line->solutions[at].min_loss);
      at++;
    }
    ASSERT_EQ(at, line->n);
  }
  irl_curve_free(curve);
  PASS();
}

/* Bounds on both counts cut the curve and change nothing else. */
static enum greatest_test_res check_range(const job *j, const oracle *o) {
  irl_learn_settings *settings = &j->fit->settings;
  irl_options options = j->options;
  irl_curve *curve;
  irl_curve_point p = IRL_SIZED(irl_curve_point);
  uint32_t at = 0;
  options.output.threshold = 0;
  settings->least_tp = below(j->data->n_cases + 1);
  settings->most_fp = below(j->data->n_controls + 1);
  ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, j->fit, &options, &curve));
  for (uint64_t tp = settings->least_tp; tp < MAX_COUNTS; tp++) {
    if (o->fewest_fp[tp] > settings->most_fp || is_dominated(o, tp, o->fewest_fp[tp])) continue;
    ASSERT(at < irl_curve_size(curve, IRL_CURVE_TRADEOFF));
    irl_curve_get(curve, IRL_CURVE_TRADEOFF, at++, &p);
    ASSERT_EQ(tp, p.tp);
    ASSERT_EQ(o->fewest_fp[tp], p.fp);
  }
  ASSERT_EQ(at, irl_curve_size(curve, IRL_CURVE_TRADEOFF));
  ASSERT_EQ(at ? IRL_OUTCOME_OPTIMAL : IRL_OUTCOME_INFEASIBLE,
            curve->lines[IRL_CURVE_TRADEOFF].outcome);
  for (irl_curve_kind kind = IRL_CURVE_LITERALS; kind < IRL_N_CURVE_KINDS; kind++) {
    ASSERT(!at || irl_curve_size(curve, kind) || !settings->least_tp);
    for (uint32_t i = 0; i < irl_curve_size(curve, kind); i++) {
      irl_curve_get(curve, kind, i, &p);
      CHECK_CALL(check_rule(j, curve, kind, i, &p));
      ASSERT(p.tp >= settings->least_tp && p.fp <= settings->most_fp);
    }
  }
  irl_curve_free(curve);
  settings->least_tp = 0;
  settings->most_fp = j->data->n_controls;
  PASS();
}

TEST equals_brute_force(void) {
  for (unsigned round = 0; round < 60; round++) {
    job j;
    oracle o;
    begin(&j);
    ask_all(&o, j.fit);
    CHECK_CALL(check_tradeoff(&j, &o, 0));
    CHECK_CALL(check_tradeoff(&j, &o, 0.05 + below(30) / 100.0));
    CHECK_CALL(check_sizes(&j, &o));
    CHECK_CALL(check_range(&j, &o));
    end(&j);
  }
  PASS();
}

/* ---- all rules ---- */

#define MAX_ALL 200u

/* Every clause of at most two literals, straight from the cells. */
typedef struct all_clauses {
  uint64_t cases[MAX_ALL], controls[MAX_ALL];
  uint32_t n;
} all_clauses;

static void add_clause(all_clauses *all, const job *j, uint32_t a, uint32_t b) {
  const irl_data *data = j->data;
  uint64_t covers[2];
  for (int class = 0; class < 2; class ++) {
    const irl_bits_matrix *m = class ? &data->cases : &data->controls;
    const uint64_t every = ((uint64_t)1 << m->n_bits) - 1;
    const uint64_t x = *irl_bits_vector(m, a / 2) ^ (a % 2 ? every : 0);
    const uint64_t y = *irl_bits_vector(m, b / 2) ^ (b % 2 ? every : 0);
    covers[class] = x & y;
  }
  all->cases[all->n] = covers[1];
  all->controls[all->n++] = covers[0];
}

static void list_all(all_clauses *all, const job *j) {
  const uint32_t step = j->options.rule.negations ? 1 : 2;
  all->n = 0;
  for (uint32_t a = 0; a < 2 * j->data->n_features; a += step)
    for (uint32_t b = a; b < (j->options.rule.M > 1 ? 2 * j->data->n_features : a + 1); b += step)
      add_clause(all, j, a, b);
}

static void choose_any(oracle *o, const all_clauses *all, uint32_t from, uint64_t cases,
                       uint64_t controls, uint32_t left) {
  note(o, cases, controls, 0, 0);
  for (uint32_t k = from; left && k < all->n; k++)
    choose_any(o, all, k + 1, cases | all->cases[k], controls | all->controls[k], left - 1);
}

/* With --prove the curve is that of all rules, not only of the clauses that were found. */
TEST proven_curve_is_of_all_rules(void) {
  for (unsigned round = 0; round < 25; round++) {
    job j;
    oracle o;
    all_clauses all;
    begin(&j);
    irl_fit_free(j.fit);
    j.options.search.prove = true;
    ASSERT_EQ(IRL_STATUS_OK, irl_fit_for_curve(env, j.data, &j.options, &j.fit));
    ASSERT(j.fit->is_complete);
    list_all(&all, &j);
    o.fit = j.fit;
    for (uint32_t i = 0; i < MAX_COUNTS; i++) o.fewest_fp[i] = UINT64_MAX;
    choose_any(&o, &all, 0, 0, 0, (uint32_t)j.options.rule.K);
    CHECK_CALL(check_tradeoff(&j, &o, 0));
    end(&j);
  }
  PASS();
}

/* A work limit anywhere: points do not dominate each other, and no bound is wrong. */
TEST bounds_hold_at_limits(void) {
  for (unsigned round = 0; round < 40; round++) {
    job j;
    oracle o;
    irl_curve *curve;
    begin(&j);
    ask_all(&o, j.fit);
    j.fit->limit.max_work = j.fit->info.work + 1 + below(4000);
    ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, j.fit, &j.options, &curve));
    const irl_curve_line *line = &curve->lines[IRL_CURVE_TRADEOFF];
    ASSERT(line->n > 0);
    for (size_t i = 0; i < line->n; i++) {
      const irl_curve_solution *s = &line->solutions[i];
      if (i) ASSERT(s->rule.tp > s[-1].rule.tp && s->rule.fp > s[-1].rule.fp);
      for (uint64_t tp = 0; tp < MAX_COUNTS; tp++) {
        if (o.fewest_fp[tp] <= s->rule.fp) ASSERT(s->max_tp >= tp);
        if (tp >= s->rule.tp) ASSERT(s->min_fp <= o.fewest_fp[tp]);
      }
    }
    line = &curve->lines[IRL_CURVE_LITERALS];
    for (size_t i = 0; i < line->n; i++)
      ASSERT(line->solutions[i].min_loss <= o.by_literals[line->solutions[i].literals]);
    irl_curve_free(curve);
    end(&j);
  }
  PASS();
}

TEST same_for_any_number_of_threads(void) {
  for (unsigned round = 0; round < 3; round++) {
    char *first = NULL, *again;
    job j;
    begin(&j);
    for (int threads = 1; threads <= 8; threads = threads == 1 ? 2 : 4 * threads) {
      irl_curve *curve;
      j.fit->settings.search.threads = threads;
      ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, j.fit, &j.options, &curve));
      ASSERT_EQ(IRL_STATUS_OK, irl_curve_export(env, curve, "csv", &again));
      irl_curve_free(curve);
      if (first) ASSERT_STR_EQ(first, again);
      if (first) irl_text_free(env, again);
      if (!first) first = again;
    }
    irl_text_free(env, first);
    end(&j);
  }
  PASS();
}

/* A stop request before the curve: the fit's own rule is there, or a better one. */
TEST stopped_curve_has_the_rule(void) {
  irl_curve *curve;
  irl_curve_info info = IRL_SIZED(irl_curve_info);
  bool is_there = false;
  job j;
  begin(&j);
  irl_env_stop(env);
  ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, j.fit, &j.options, &curve));
  irl_curve_describe(curve, &info);
  ASSERT_EQ(IRL_OUTCOME_INTERRUPTED, info.outcome);
  for (uint32_t i = 0; i < irl_curve_size(curve, IRL_CURVE_TRADEOFF); i++) {
    irl_curve_point p = IRL_SIZED(irl_curve_point);
    irl_curve_get(curve, IRL_CURVE_TRADEOFF, i, &p);
    is_there |= p.tp >= j.fit->best.tp && p.fp <= j.fit->best.fp;
  }
  ASSERT(is_there);
  irl_curve_free(curve);
  end(&j);
  PASS();
}

/* Stopped, or out of time, before any clause was found: what there is is no answer. */
TEST stopped_learning_is_no_answer(bool is_stopped) {
  irl_data *data;
  irl_fit_result *fit;
  irl_curve *curve;
  irl_curve_info info = IRL_SIZED(irl_curve_info);
  irl_options options = options_of(env, "N", "1000", "J", "300", "noise", "0.1", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  if (is_stopped)
    irl_env_stop(env);
  else
    options.limits.time_limit = 1e-9;
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_for_curve(env, data, &options, &fit));
  ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, fit, &options, &curve));
  irl_curve_describe(curve, &info);
  ASSERT_EQ(0, info.pool);
  ASSERT_EQ(is_stopped ? IRL_OUTCOME_INTERRUPTED : IRL_OUTCOME_LIMIT, info.outcome);
  irl_env_clear_stop(env);
  irl_curve_free(curve);
  irl_fit_free(fit);
  irl_data_free(data);
  PASS();
}

TEST other_formats_are_refused(void) {
  irl_curve *curve;
  char *text;
  job j;
  begin(&j);
  ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, j.fit, &j.options, &curve));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_curve_export(env, curve, "bmp", &text));
  ASSERT(strstr(irl_env_error(env), "bmp"));
  j.options.output.threshold = 2;
  irl_curve *none;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_curve_make(env, j.fit, &j.options, &none));
  irl_curve_free(curve);
  end(&j);
  PASS();
}

SUITE(curve_suite) {
  printf("seed %u\n", SEED);
  RUN_TEST(equals_brute_force);
  RUN_TEST(proven_curve_is_of_all_rules);
  RUN_TEST(bounds_hold_at_limits);
  RUN_TEST(same_for_any_number_of_threads);
  RUN_TEST(other_formats_are_refused);
  RUN_TESTp(stopped_learning_is_no_answer, true);
  RUN_TESTp(stopped_learning_is_no_answer, false);
  RUN_TEST(stopped_curve_has_the_rule); /* the last: nothing in this env goes on after it */
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  irl_random_init(&numbers, SEED, 0);
  RUN_SUITE(curve_suite);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
