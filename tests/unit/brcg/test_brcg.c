/* Column generation on tiny data: the LP's value against the LP over all clauses written out, by
 * our own engine and by glpsol; rules and bounds against brute force over all sets of clauses, with
 * every option; the same on any number of threads; limits and requests to stop.
 *
 * IRL_FUZZ_SEED=S tries other problems. */
#include "brcg/brcg.h"
#include "brcg_oracle.h"
#include "fuzzing.h"
#include "greatest.h"
#include "ireland_data.h"
#include "learn/learner.h"
#include "lp/tol.h"
#include "search/proof.h"
#include "search_limit.h"
#include "support.h"
#include <math.h>
#include <stdlib.h>

#define PUZZLES 600u

static irl_env *env;
static irl_random numbers;
static uint64_t seed = 29;

/* ---- the LP over all clauses ---- */

/* A clause has a literal at least, so the other bounds leave room for so many. */
static int64_t most_clauses(const puzzle *p) {
  int64_t n = p->options.rule.K;
  if (p->options.rule.max_literals && p->options.rule.max_literals < n)
    n = p->options.rule.max_literals;
  if (p->options.rule.complexity && p->options.rule.complexity / 2 < n)
    n = p->options.rule.complexity / 2;
  return n;
}

/* Rows: a cover row for each row of the data with cases, then K, complexity and literals. */
static irl_status write_out(const puzzle *p, irl_lp *lp) {
  const irl_options *o = &p->options;
  const double none = IRL_LP_INFINITY;
  irl_status status = IRL_STATUS_OK;
  for (uint32_t r = 0; r < p->n_rows && !status; r++)
    status = irl_lp_add_row(lp, p->cases[r] ? 1 : -none, none, NULL);
  const double most[] = {(double)most_clauses(p),
                         o->rule.complexity ? (double)o->rule.complexity : none,
                         o->rule.max_literals ? (double)o->rule.max_literals : none};
  for (int i = 0; i < 3 && !status; i++) status = irl_lp_add_row(lp, -none, most[i], NULL);
  for (uint32_t r = 0; r < p->n_rows && !status; r++)
    status = irl_lp_add_column(lp, (double)p->case_weight * p->cases[r], 0, none,
                               &(irl_lp_terms){1, &r, (double[]){1}});
  for (uint32_t c = 0; c < 1u << p->n_rows && !status; c++) {
    uint32_t rows[ORACLE_ROWS + 3], n = 0;
    double values[ORACLE_ROWS + 3];
    if (!p->sizes[c]) continue;
    for (uint32_t r = 0; r < p->n_rows; r++)
      if (c >> r & 1) rows[n] = r, values[n++] = 1;
    for (uint32_t i = 0; i < 3; i++) {
      rows[n] = p->n_rows + i;
      values[n++] = i == 0 ? 1 : i == 1 ? 1 + p->sizes[c] : p->sizes[c];
    }
    status = irl_lp_add_column(lp, (double)(p->control_weight * puzzle_controls(p, c)), 0, none,
                               &(irl_lp_terms){n, rows, values});
  }
  return status;
}

static enum greatest_test_res value_of_all(const puzzle *p, double *value) {
  irl_lp *lp;
  irl_lp_options options;
  irl_lp_result result;
  irl_lp_options_init(&options, env);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_create(env, &lp));
  ASSERT_EQ(IRL_STATUS_OK, write_out(p, lp));
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_solve(lp, &options, &result));
  ASSERT_EQ(IRL_LP_OPTIMAL, result.end);
  *value = result.objective;
  irl_lp_free(lp);
  PASS();
}

/* ---- column generation by itself ---- */

static irl_status begin(irl_learner *learner, const puzzle *p, const irl_data *data, int threads) {
  const irl_options *options = &p->options;
  const irl_problem problem = {.data = data,
                               .K = (uint32_t)options->rule.K,
                               .M = (uint32_t)options->rule.M,
                               .negations = options->rule.negations,
                               .is_hamming = true,
                               .case_weight = p->case_weight,
                               .control_weight = p->control_weight,
                               .max_literals = options->rule.max_literals
                                                   ? (uint64_t)options->rule.max_literals
                                                   : UINT64_MAX,
                               .max_controls = UINT64_MAX,
                               .max_complexity = (uint64_t)options->rule.complexity};
  const irl_learn_settings settings = {.method = IRL_METHOD_BRCG,
                                       .search = {.prove = IRL_SEARCH_PROVE, .threads = threads}};
  return irl_learner_init(learner, env, &problem, &settings, LIMIT_OF(env, options));
}

static irl_status read_puzzle(const puzzle *p, irl_data **data) {
  return irl_data_from_bytes(env, p->n_cases + p->n_controls, p->j, p->cells, p->labels, NULL,
                             data);
}

static enum greatest_test_res check_lp(const puzzle *p) {
  irl_data *data;
  irl_learner learner;
  irl_brcg cg;
  double value;
  CHECK_CALL(value_of_all(p, &value));
  ASSERT_EQ(IRL_STATUS_OK, read_puzzle(p, &data));
  ASSERT_EQ(IRL_STATUS_OK, begin(&learner, p, data, 1));
  ASSERT_EQ(IRL_STATUS_OK, irl_brcg_init(&cg, &learner.search));
  ASSERT_EQ(IRL_STATUS_OK, irl_brcg_make_master(&cg));
  ASSERT_EQ(IRL_STATUS_OK, irl_brcg_generate(&cg, INT64_MAX, UINT64_MAX));
  const double close = 1e-3 * (double)p->control_weight;
  if (cg.problem.K) {
    ASSERT(cg.is_solved);
    ASSERT_IN_RANGE(value, cg.value, close);
    ASSERT_IN_RANGE(value, cg.lp_bound, close);
  }
  ASSERT(cg.lp_bound <= value * (1 + 1e-9) + 1e-9);
  ASSERT(cg.bound <= p->best_hamming);
  irl_brcg_free_master(&cg);
  irl_brcg_free(&cg);
  irl_learner_free(&learner);
  irl_data_free(data);
  PASS();
}

TEST lp_is_that_over_all_clauses(void) {
  for (uint32_t i = 0; i < PUZZLES; i++) {
    puzzle p;
    puzzle_draw(&p, &numbers);
    CHECK_CALL(check_lp(&p));
  }
  PASS();
}

/* Reduced costs at any prices, good or bad: the bound may be far below 0, and what is enumerated
 * has to hold the best rule all the same. */
static enum greatest_test_res check_prices(const puzzle *p, bool *is_below) {
  irl_data *data;
  irl_learner learner;
  irl_brcg cg;
  bool is_proven = true, is_complete = true;
  ASSERT_EQ(IRL_STATUS_OK, read_puzzle(p, &data));
  ASSERT_EQ(IRL_STATUS_OK, begin(&learner, p, data, 1));
  ASSERT_EQ(IRL_STATUS_OK, irl_brcg_init(&cg, &learner.search));
  if (cg.problem.K) {
    const uint32_t parts = 1 + puzzle_below(&numbers, 4);
    for (uint32_t g = 0; g < cg.n_groups; g++)
      cg.trial.worth[g] = irl_brcg_most(&cg, g) * puzzle_below(&numbers, parts + 1) / parts;
    cg.trial.complexity =
        cg.problem.max_complexity == UINT64_MAX ? 0 : puzzle_below(&numbers, 4) / 2.0;
    cg.trial.literal = cg.problem.max_literals == UINT64_MAX ? 0 : puzzle_below(&numbers, 4) / 2.0;
    irl_brcg_set_prices(&cg, &cg.trial, 1 + puzzle_below(&numbers, 100));
    ASSERT_EQ(IRL_STATUS_OK, irl_brcg_price_best(&cg, UINT64_MAX, &is_proven));
    ASSERT(is_proven && cg.bound <= p->best_hamming);
    *is_below = *is_below || cg.lp_bound < 0;
    if (cg.bound < learner.search.best.loss)
      ASSERT_EQ(IRL_STATUS_OK, irl_brcg_enumerate(&cg, SIZE_MAX, UINT64_MAX, &is_complete));
    ASSERT(is_complete);
    ASSERT_EQ_FMT((long long)p->best_hamming, (long long)learner.search.best.loss, "%lld");
  }
  irl_brcg_free(&cg);
  irl_learner_free(&learner);
  irl_data_free(data);
  PASS();
}

TEST any_prices_leave_the_best_rule(void) {
  bool is_below = false;
  for (uint32_t i = 0; i < 5 * PUZZLES; i++) {
    puzzle p;
    puzzle_draw(&p, &numbers);
    CHECK_CALL(check_prices(&p, &is_below));
  }
  ASSERT(is_below);
  PASS();
}

/* ---- glpsol ---- */

static void save_lp(const puzzle *p, const char *path) {
  FILE *f = fopen(path, "w");
  if (!f) abort();
  fprintf(f, "Minimize\n obj:");
  for (uint32_t r = 0; r < p->n_rows; r++)
    fprintf(f, " + %lld x%u", (long long)p->case_weight * p->cases[r], r);
  for (uint32_t c = 0; c < 1u << p->n_rows; c++)
    if (p->sizes[c])
      fprintf(f, "\n + %lld q%u", (long long)(p->control_weight * puzzle_controls(p, c)), c);
  fprintf(f, "\nSubject To\n");
  for (uint32_t r = 0; r < p->n_rows; r++) {
    fprintf(f, " r%u: x%u", r, r);
    for (uint32_t c = 0; c < 1u << p->n_rows; c++)
      if (p->sizes[c] && c >> r & 1) fprintf(f, " + q%u", c);
    fprintf(f, " >= 1\n");
  }
  for (int i = 0; i < 3; i++) {
    const int64_t most = i == 0   ? most_clauses(p)
                         : i == 1 ? p->options.rule.complexity
                                  : p->options.rule.max_literals;
    if (i && !most) continue;
    fprintf(f, " b%d:", i);
    for (uint32_t c = 0; c < 1u << p->n_rows; c++)
      if (p->sizes[c]) fprintf(f, " + %d q%u", i == 0 ? 1 : p->sizes[c] + (i == 1), c);
    fprintf(f, " <= %lld\n", (long long)most);
  }
  fprintf(f, "End\n");
  fclose(f);
}

TEST glpsol_says_the_same(void) {
  if (system("command -v glpsol >/dev/null 2>&1")) SKIPm("glpsol is not installed");
  make_folder("build/brcg");
  for (uint32_t i = 0; i < 25; i++) {
    puzzle p;
    double value, other = NAN;
    char line[256];
    puzzle_draw(&p, &numbers);
    CHECK_CALL(value_of_all(&p, &value));
    save_lp(&p, "build/brcg/all.lp");
    remove_file("build/brcg/all.out");
    ASSERT_EQ(0, system("glpsol --lp build/brcg/all.lp -o build/brcg/all.out >/dev/null"));
    FILE *f = fopen("build/brcg/all.out", "r");
    ASSERT(f);
    while (fgets(line, sizeof line, f))
      if (!strncmp(line, "Objective:", 10)) other = strtod(strchr(line, '=') + 1, NULL);
    fclose(f);
    ASSERT_IN_RANGE(value, other, 1e-6 * (1 + fabs(value)));
  }
  PASS();
}

/* ---- whole runs ---- */

static enum greatest_test_res check_fit(const puzzle *p, const irl_data *data, bool is_free) {
  const double n = weights_per_objective(&p->options, p->n_cases + p->n_controls);
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_evaluation evaluation = IRL_SIZED(irl_evaluation);
  irl_rule_info about = IRL_SIZED(irl_rule_info);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &p->options, &result));
  irl_fit_describe(result, &info);
  const irl_rule *rule = irl_fit_rule(result);
  const int64_t loss = llround(info.objective * n), bound = llround(info.bound * n);
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &evaluation));
  if (!p->options.rule.weights)
    ASSERT_IN_RANGE(evaluation.hamming_loss, info.objective, 1e-9 * (1 + info.objective));
  ASSERT(loss >= p->best_hamming);
  ASSERT(bound <= p->best_hamming);
  ASSERT_EQ(info.outcome == IRL_OUTCOME_OPTIMAL, bound == loss);
  irl_rule_describe(rule, &about);
  ASSERT(about.clauses <= p->options.rule.K);
  if (p->options.rule.max_literals) ASSERT(about.literals <= p->options.rule.max_literals);
  if (p->options.rule.complexity)
    ASSERT(about.clauses + about.literals <= p->options.rule.complexity);
  if (is_free) ASSERT_EQ_FMT((long long)p->best_hamming, (long long)loss, "%lld");
  if (is_free) ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
  irl_fit_free(result);
  PASS();
}

TEST rules_equal_brute_force(void) {
  for (uint32_t i = 0; i < PUZZLES; i++) {
    puzzle p;
    irl_data *data;
    puzzle_draw(&p, &numbers);
    ASSERT_EQ(IRL_STATUS_OK, read_puzzle(&p, &data));
    p.options.search.prove = puzzle_below(&numbers, 2);
    CHECK_CALL(check_fit(&p, data, p.options.search.prove));
    p.options.search.prove = false;
    p.options.limits.work_limit = 1 + puzzle_below(&numbers, 200000);
    CHECK_CALL(check_fit(&p, data, false));
    irl_data_free(data);
  }
  PASS();
}

/* Branch and price from a poor start with hardly any listing, so that it has to branch. */
static enum greatest_test_res check_branch(const puzzle *p) {
  irl_data *data;
  irl_learner learner;
  irl_brcg cg;
  ASSERT_EQ(IRL_STATUS_OK, read_puzzle(p, &data));
  ASSERT_EQ(IRL_STATUS_OK, begin(&learner, p, data, 1));
  ASSERT_EQ(IRL_STATUS_OK, irl_brcg_init(&cg, &learner.search));
  ASSERT_EQ(IRL_STATUS_OK, irl_brcg_make_master(&cg));
  cg.node_cap = puzzle_below(&numbers, 3);
  cg.leaf_cap = puzzle_below(&numbers, 2) ? 1000 : cg.node_cap;
  const uint64_t work = puzzle_below(&numbers, 4) ? UINT64_MAX : puzzle_below(&numbers, 1000000);
  ASSERT_EQ(IRL_STATUS_OK, irl_brcg_branch(&cg, work));
  ASSERT(learner.search.best.loss >= p->best_hamming);
  ASSERT(learner.search.proof.bound <= p->best_hamming);
  if (work == UINT64_MAX && cg.leaf_cap == 1000) {
    ASSERT_EQ(p->best_hamming, learner.search.best.loss);
    ASSERT_EQ(p->best_hamming, learner.search.proof.bound);
  }
  irl_brcg_free_master(&cg);
  irl_brcg_free(&cg);
  irl_learner_free(&learner);
  irl_data_free(data);
  PASS();
}

TEST branching_is_exact(void) {
  for (uint32_t i = 0; i < PUZZLES; i++) {
    puzzle p;
    puzzle_draw(&p, &numbers);
    CHECK_CALL(check_branch(&p));
  }
  PASS();
}

/* The answer of a run up to what may differ between two of them. */
static enum greatest_test_res answer_of(const irl_data *data, const irl_options *options,
                                        char **text) {
  irl_fit_result *result;
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, options, &result));
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_render(env, result, IRL_FORMAT_JSON, text));
  char *run = strstr(*text, "\"run\"");
  ASSERT(run);
  *run = '\0';
  irl_fit_free(result);
  PASS();
}

TEST threads_change_nothing(void) {
  for (uint32_t i = 0; i < 6; i++) {
    irl_options options = options_of(env, "N", "200", "J", "30", "K", "3", "noise", "0.05",
                                     "method", "brcg", "threads", "1", NULL);
    irl_data *data;
    options.search.seed = 100 + i;
    if (i % 2) options.rule.complexity = 7;
    if (i == 3) options.limits.work_limit = 2000000;
    ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
    char *first, *other;
    CHECK_CALL(answer_of(data, &options, &first));
    for (options.limits.threads = 2; options.limits.threads <= 8; options.limits.threads += 6) {
      CHECK_CALL(answer_of(data, &options, &other));
      ASSERT_STR_EQ(first, other);
      irl_text_free(env, other);
    }
    irl_text_free(env, first);
    irl_data_free(data);
  }
  PASS();
}

TEST requests_to_stop_end_it(void) {
  irl_env *stopped;
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_data *data;
  irl_options options =
      options_of(env, "N", "2000", "J", "500", "K", "5", "noise", "0.1", "method", "brcg", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(NULL, &stopped));
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(stopped, &options, &data, NULL));
  irl_env_stop(stopped);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(stopped, data, &options, &result));
  irl_fit_describe(result, &info);
  ASSERT_EQ(IRL_OUTCOME_INTERRUPTED, info.outcome);
  ASSERT(info.bound <= info.objective);
  irl_fit_free(result);
  options.limits.time_limit = 0.05;
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
  irl_fit_describe(result, &info);
  ASSERT_EQ(IRL_OUTCOME_LIMIT, info.outcome);
  irl_fit_free(result);
  irl_data_free(data);
  irl_env_free(stopped);
  PASS();
}

/* Data of some size, and an option that goes with the method alone. */
TEST large_data_and_options(void) {
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_data *data;
  irl_options options = options_of(env, "N", "2500", "J", "1100", "K", "2", "M", "2", "method",
                                   "brcg", "threads", "2", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
  irl_fit_describe(result, &info);
  ASSERT_STR_EQ("brcg", info.method);
  ASSERT(info.bound <= info.objective);
  ASSERT(info.objective < 600);
  irl_fit_free(result);
  options.search.method = IRL_METHOD_IRELAND;
  options.rule.complexity = 5;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_fit(env, data, &options, &result));
  irl_data_free(data);
  PASS();
}

/* The puzzle whose rules are the negations of the CNFs: classes exchanged, bits inverted. */
static puzzle complement_of(const puzzle *p) {
  puzzle other = *p;
  other.best_hamming = INT64_MAX;
  memset(other.sizes, 0, sizeof other.sizes);
  for (uint32_t r = 0; r < p->n_rows; r++) {
    other.cases[r] = p->controls[r];
    other.controls[r] = p->cases[r];
    for (uint32_t j = 0; j < p->j; j++) other.rows[r][j] = !p->rows[r][j];
  }
  other.case_weight = p->control_weight;
  other.control_weight = p->case_weight;
  puzzle_clauses(&other, 0, (1u << p->n_rows) - 1, 0);
  puzzle_search(&other, 0, 0, 0, 0, 0);
  return other;
}

TEST cnf_is_the_negation(void) {
  for (uint32_t i = 0; i < PUZZLES / 3; i++) {
    puzzle p;
    irl_data *data;
    irl_fit_result *result;
    irl_fit_info info = IRL_SIZED(irl_fit_info);
    char *text;
    puzzle_draw(&p, &numbers);
    const puzzle other = complement_of(&p);
    p.options.rule.cnf = p.options.search.prove = true;
    ASSERT_EQ(IRL_STATUS_OK, read_puzzle(&p, &data));
    ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &p.options, &result));
    irl_fit_describe(result, &info);
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
    ASSERT_EQ_FMT(
        (long long)other.best_hamming,
        llround(info.objective * weights_per_objective(&p.options, p.n_cases + p.n_controls)),
        "%lld");
    ASSERT_EQ(IRL_STATUS_OK,
              irl_fit_render(env, result, i % 2 ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT, &text));
    ASSERT(strstr(text, i % 2 ? "\"form\": \"cnf\"" : "CNF: "));
    irl_text_free(env, text);
    irl_fit_free(result);
    irl_data_free(data);
  }
  PASS();
}

TEST losses_are_rounded_up(void) {
  for (uint32_t i = 0; i < 2000; i++) {
    const int64_t w1 = 1 + puzzle_below(&numbers, 20), w0 = 1 + puzzle_below(&numbers, 20);
    const int64_t n = 1 + puzzle_below(&numbers, 12), bound = puzzle_below(&numbers, 400);
    int64_t least = INT64_MAX;
    for (int64_t a = 0; a <= n; a++)
      for (int64_t b = 0; b <= 400; b++)
        if (a * w1 + b * w0 >= bound && a * w1 + b * w0 < least) least = a * w1 + b * w0;
    ASSERT_EQ_FMT((long long)least, (long long)irl_loss_round_up(bound, w1, w0, (uint32_t)n),
                  "%lld");
  }
  ASSERT_EQ(0, irl_loss_round_up(-3, 2, 2, 5));
  PASS();
}

SUITE(brcg_suite) {
  printf("seed %llu\n", (unsigned long long)seed);
  RUN_TEST(losses_are_rounded_up);
  RUN_TEST(lp_is_that_over_all_clauses);
  RUN_TEST(any_prices_leave_the_best_rule);
  RUN_TEST(glpsol_says_the_same);
  RUN_TEST(rules_equal_brute_force);
  RUN_TEST(branching_is_exact);
  RUN_TEST(threads_change_nothing);
  RUN_TEST(requests_to_stop_end_it);
  RUN_TEST(large_data_and_options);
  RUN_TEST(cnf_is_the_negation);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  if (irl_env_create(NULL, &env)) return 1;
  seed = number_of("IRL_FUZZ_SEED", seed);
  irl_random_init(&numbers, seed, 0);
  RUN_SUITE(brcg_suite);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
