/* Rule branch and bound by itself: whatever limit, trial or cap ends it, what it claims holds by
 * brute force (puzzle.h) and is the same on any number of threads, its lines too; and it survives
 * without memory.
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "fuzzing.h"
#include "greatest.h"
#include "learn/fit.h"
#include "miser.h"
#include "prove/rule_bnb.h"
#include "puzzle_data.h"
#include "search_limit.h"
#include <stdio.h>

static irl_env *env;
static uint64_t seed = 47;
static uint64_t n_proven, n_cut, n_bounds, n_found, n_by_size;

/* A learner without a rule. */
static irl_status begin(irl_env *own, const irl_data *data, const irl_options *options,
                        uint32_t threads, irl_learner *learner) {
  irl_problem problem;
  irl_learn_settings settings;
  irl_scope *scope = NULL;
  memset(learner, 0, sizeof *learner);
  irl_status status = irl_fit_settings(own, data, options, &problem, &settings);
  settings.search.threads = threads;
  settings.search.prove = IRL_SEARCH_CERTIFY;
  if (!status) status = irl_scope_make(own, data, options, &scope);
  if (status) return status;
  status = irl_learner_init(learner, own, &problem, &settings, LIMIT_OF(own, options));
  learner->problem.scope = scope;
  if (!status) status = irl_learner_merge_samples(learner);
  return status;
}

static void end(irl_learner *learner) {
  irl_scope *scope = (irl_scope *)learner->problem.scope;
  irl_learner_free(learner);
  irl_scope_free(scope);
}

/* What a search said and did. */
typedef struct outcome {
  irl_rule_bnb_task task;
  int64_t loss;
  uint64_t work, nodes;
  irl_text text;
} outcome;

static irl_status search(const irl_data *data, const irl_options *options, uint32_t threads,
                         uint64_t max_work, outcome *o) {
  irl_learner learner;
  irl_status status = begin(env, data, options, threads, &learner);
  irl_text_init(&o->text, env);
  o->task.target = irl_search_target(&learner.search);
  o->task.nodes = &o->text;
  const irl_limit limit = irl_search_sublimit(&learner.search, max_work);
  if (!status) status = irl_rule_bnb_solve(&learner.search, &limit, &o->task);
  o->loss = learner.search.best.loss;
  o->work = learner.search.work;
  o->nodes = learner.search.nodes;
  end(&learner);
  return status;
}

/* Searches with 1 and with 2 threads: what they say and did is the same, and the first one's. */
static enum greatest_test_res search_both(const irl_data *data, const irl_options *options,
                                          uint64_t max_work, outcome *one) {
  outcome many = *one;
  ASSERT_EQ(IRL_STATUS_OK, search(data, options, 1, max_work, one));
  ASSERT_EQ(IRL_STATUS_OK, search(data, options, 2, max_work, &many));
  ASSERT(one->task.bound == many.task.bound && one->task.target == many.task.target);
  ASSERT(one->task.ending == many.task.ending);
  ASSERT(one->loss == many.loss && one->work == many.work && one->nodes == many.nodes);
  ASSERT(one->task.share == many.task.share && one->task.n_nodes == many.task.n_nodes);
  ASSERT_EQ(one->text.length, many.text.length);
  if (one->text.length) ASSERT_MEM_EQ(one->text.bytes, many.text.bytes, one->text.length);
  irl_text_drop(&one->text);
  irl_text_drop(&many.text);
  PASS();
}

static enum greatest_test_res check_puzzle(const puzzle *p) {
  const int64_t best = p->best < IRL_NO_LOSS ? p->best : IRL_NO_LOSS;
  const uint64_t max_work = below(4) ? (uint64_t)1 << below(18) : UINT64_MAX;
  irl_data *data;
  outcome one = {.task.cap = below(4) ? 100000 : 1 + below(20)};
  if (below(3) == 0) one.task.trial_work = 1 + below(1 << 12);
  if (below(3) == 0) one.task.has_no_bound = true;
  if (below(3) == 0) one.task.least_small = 1 + below(3);
  ASSERT_EQ(IRL_STATUS_OK, puzzle_data(env, p, &data));
  CHECK_CALL(search_both(data, &p->options, max_work, &one));
  ASSERT(one.task.bound <= best && one.loss >= best);
  if (!one.task.ending) ASSERT(one.loss == best || best >= one.task.target);
  n_proven += !one.task.ending;
  n_cut += !!one.task.ending;
  n_bounds += one.task.ending && one.task.bound > 0;
  n_found += one.loss < IRL_NO_LOSS;
  irl_data_free(data);
  PASS();
}

/* What a clause and a literal cost in the units of losses. */
static enum greatest_test_res price_of(puzzle *p, const irl_data *data, int64_t *penalty) {
  irl_problem problem;
  irl_learn_settings settings;
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_settings(env, data, &p->options, &problem, &settings));
  p->case_weight = problem.case_weight;
  p->control_weight = problem.control_weight;
  *penalty = problem.penalty;
  PASS();
}

/* Where literals are limited or cost: with and without counting sizes, with few or many clauses
 * that are branched on in any case, the best rule is that of brute force. */
static enum greatest_test_res check_sizes(puzzle *p) {
  irl_data *data;
  int64_t penalty = 0;
  ASSERT_EQ(IRL_STATUS_OK, puzzle_data(env, p, &data));
  CHECK_CALL(price_of(p, data, &penalty));
  if (penalty)
    solve_charged(p, penalty);
  else
    solve(p);
  const int64_t best = p->best < IRL_NO_LOSS ? p->best : IRL_NO_LOSS;
  for (uint32_t i = 0; i < 5; i++) {
    outcome one = {.task.cap = 100000, .task.least_small = i, .task.ignores_sizes = i == 4};
    if (i == 4) one.task.least_small = below(3);
    ASSERT_EQ(IRL_STATUS_OK, search(data, &p->options, 1 + i % 2, UINT64_MAX, &one));
    n_by_size += strstr(one.text.bytes, "branch size") != NULL;
    irl_text_drop(&one.text);
    ASSERT(!one.task.ending);
    ASSERT(one.loss == best || (best >= one.task.target && one.loss >= best));
  }
  irl_data_free(data);
  PASS();
}

TEST sizes_lose_no_rule(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 1500);
  for (uint64_t i = first; i < first + n; i++) {
    static puzzle p;
    irl_random_init(&numbers, seed + 2, (unsigned)i);
    draw(&p);
    p.options.search.prove = true;
    if (below(4)) p.options.rule.max_literals = 1 + below(8);
    if (p.n_rows <= HAMMING_ROWS && below(3) == 0)
      p.options.rule.penalty = (1 + below(60)) / 1000.0;
    const enum greatest_test_res res = check_sizes(&p);
    if (res) printf("seed %llu, puzzle %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  ASSERT(n_by_size > n / 2);
  PASS();
}

TEST claims_hold_and_threads_agree(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 1500);
  for (uint64_t i = first; i < first + n; i++) {
    static puzzle p;
    irl_random_init(&numbers, seed, (unsigned)i);
    draw(&p);
    p.options.search.prove = true;
    const enum greatest_test_res res = check_puzzle(&p);
    if (res) printf("seed %llu, puzzle %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  if (getenv("IRL_FUZZ"))
    printf("%llu proven, %llu cut, %llu of them with a bound, %llu with a rule\n",
           (unsigned long long)n_proven, (unsigned long long)n_cut, (unsigned long long)n_bounds,
           (unsigned long long)n_found);
  if (n >= 400) ASSERT(n_proven > n / 8 && n_cut > n / 8 && n_bounds && n_found > n / 8);
  PASS();
}

/* Trees of thousands of nodes, parts of which go from worker to worker: wherever they are cut,
 * their bound holds for the best rule, and their own rule is no better. */
static enum greatest_test_res check_cuts(uint64_t number) {
  static const char *const penalties[] = {"0", "0", "0.002", "0.01"};
  static const char *const least[] = {"0", "0", "0", "0.8"};
  static const char *const literals[] = {"0", "4", "5", "6"};
  char text[32];
  irl_data *data;
  irl_rule *rule;
  outcome whole = {.task.cap = 100000};
  irl_random_init(&numbers, seed + 1, (unsigned)number);
  snprintf(text, sizeof text, "%u", 1 + below(1000000));
  const irl_options o =
      options_of(env, "N", below(2) ? "60" : "100", "J", below(2) ? "10" : "14", "K", "3", "M", "2",
                 "noise", below(2) ? "0.1" : "0.2", "seed", text, NULL);
  const irl_options options = options_of(env, "K", below(2) ? "3" : "4", "M", "2", "penalty",
                                         penalties[below(4)], "min_sensitivity", least[below(4)],
                                         "max_literals", literals[below(4)], "prove", "1", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &o, &data, &rule));
  CHECK_CALL(search_both(data, &options, UINT64_MAX, &whole));
  ASSERT(!whole.task.ending);
  for (uint32_t i = 0; i < 6; i++) {
    outcome cut = {.task.cap = 100000};
    if (below(2)) cut.task.trial_work = 1 + below(whole.work);
    CHECK_CALL(search_both(data, &options, 1 + below(whole.work), &cut));
    ASSERT(cut.task.bound <= whole.loss && cut.loss >= whole.loss);
    n_cut += !!cut.task.ending;
  }
  irl_rule_free(rule);
  irl_data_free(data);
  PASS();
}

TEST cut_trees_bound_the_best(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 200) / 20 + 1;
  n_cut = 0;
  for (uint64_t i = first; i < first + n; i++) {
    const enum greatest_test_res res = check_cuts(i);
    if (res) printf("seed %llu, table %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  ASSERT(n_cut);
  PASS();
}

/* ---- without memory ---- */

static irl_status run_rule_bnb(irl_env *own, const kit *k) {
  const irl_options options = settings_of(own, k);
  irl_learner learner;
  irl_text nodes;
  irl_status status = begin(own, k->data, &options, 2, &learner);
  if (!status) {
    irl_rule_bnb_task task = {
        .cap = 100000, .target = irl_search_target(&learner.search), .nodes = &nodes};
    const irl_limit limit = irl_search_sublimit(&learner.search, UINT64_MAX);
    irl_text_init(&nodes, own);
    status = irl_rule_bnb_solve(&learner.search, &limit, &task);
    if (!status && nodes.failed) status = IRL_STATUS_NO_MEMORY;
    irl_text_drop(&nodes);
  }
  end(&learner);
  return status;
}

TEST it_survives_without_memory(void) {
  const irl_options o =
      options_of(calm, "N", "60", "J", "12", "K", "3", "M", "2", "noise", "0.1", "seed", "5", NULL);
  CHECK_CALL(survives_on(run_rule_bnb, "K 3 M 2", &o));
  PASS();
}

SUITE(rule_bnb) {
  RUN_TEST(claims_hold_and_threads_agree);
  RUN_TEST(sizes_lose_no_rule);
  RUN_TEST(cut_trees_bound_the_best);
  RUN_TEST(it_survives_without_memory);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  seed = number_of("IRL_FUZZ_SEED", seed);
  if (irl_env_create(NULL, &env)) return 1;
  calm = env;
  RUN_SUITE(rule_bnb);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
