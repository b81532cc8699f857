/* Proofs by ranges of budgets (proof_ranges.c), the way by itself: with cutoffs, caps and limits
 * that were drawn at random, against brute force on puzzles (puzzle.h) and on tables whose classes
 * cross the boundaries of words.
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "fuzzing.h"
#include "greatest.h"
#include "learn/fit.h"
#include "prove/proof_enumerate.h"
#include "prove/prove.h"
#include "puzzle_data.h"
#include "search_limit.h"
#include "verify/verify.h"
#include <stdio.h>

static irl_env *env;
static uint64_t seed = 37;
static uint64_t n_proven, n_raised, n_certified;

/* A rule of random clauses to begin with; the best of them is to be proven or beaten. */
static irl_status offer_random(irl_learner *learner, uint32_t n_features) {
  irl_status status = IRL_STATUS_OK;
  for (uint32_t tries = 1 + below(6); tries-- && !status;) {
    irl_search_rule rule = {.n = 0};
    for (uint32_t k = 1 + below(learner->problem.K); k-- && !status;) {
      const irl_literal literal =
          irl_literal_make(below(n_features), learner->problem.negations && below(2));
      status = irl_clause_set_add(env, &learner->search.pool, &literal, 1, &rule.clauses[rule.n++],
                                  NULL);
    }
    if (!status) status = irl_search_offer(&learner->search, &rule, NULL);
  }
  return status;
}

static enum greatest_test_res check_certificate(irl_learner *learner, const irl_data *data) {
  irl_verify_result result;
  irl_options options;
  irl_rule *rule;
  char *text;
  ASSERT_EQ(IRL_STATUS_OK, irl_prove_certify(&learner->search, &text));
  ASSERT_EQ(IRL_STATUS_OK, irl_search_make_rule(env, &learner->search.pool, learner->problem.K,
                                                &learner->search.best, &rule));
  irl_options_init(&options, sizeof options);
  irl_verify_job job = {.rule = rule, .data = data, .bytes = text, .size = strlen(text)};
  irl_limit_init(&job.limit, env, &options);
  ASSERT_EQ(IRL_STATUS_OK, irl_verify_run(env, &job, &result));
  if (!result.is_valid) printf("line %zu: %s\n", result.line, result.reason);
  ASSERT(result.is_valid);
  irl_rule_free(rule);
  irl_text_free(env, text);
  n_certified++;
  PASS();
}

/* Cutoffs, bounds alone and whole proofs until the best rule is proven, or for a while: nothing
 * that is claimed is above the optimum. */
static enum greatest_test_res check_ranges(irl_learner *learner, const irl_data *data,
                                           int64_t optimum) {
  irl_proof_ranges *ranges;
  ASSERT_EQ(IRL_STATUS_OK, irl_proof_ranges_create(&learner->search, &ranges));
  for (uint32_t step = 0; step < 12 && learner->search.best.loss > 0; step++) {
    const int64_t target = irl_search_target(&learner->search), before = learner->search.best.loss;
    const bool is_last = step >= 8;
    const uint64_t work = is_last || below(3) ? UINT64_MAX : 1 + below(50000);
    const irl_limit limit = irl_search_sublimit(&learner->search, work);
    irl_proof_enumeration task = {.cap = is_last || below(3) ? (size_t)1 << 20 : 1 + below(30),
                                  .is_bound_only = !is_last && below(4) == 0,
                                  .trial_work = below(3) ? 0 : 1 + below(2000)};
    if (!is_last && below(2)) task.cutoff = 1 + below((uint64_t)target);
    if (is_last) task.trial_work = 0;
    ASSERT_EQ(IRL_STATUS_OK, irl_proof_ranges_raise(ranges, &limit, &task));
    ASSERT(learner->search.best.loss >= optimum && learner->search.best.loss <= before);
    if (task.bound == IRL_NO_LOSS) {
      ASSERT_EQ_FMT((long long)optimum, (long long)learner->search.best.loss, "%lld");
      ASSERT(task.evidence.target >= 0 && !task.cutoff);
      irl_proof_take_enumeration(&learner->search, &task);
      CHECK_CALL(check_certificate(learner, data));
      n_proven++;
      break;
    }
    ASSERT(task.bound <= optimum);
    n_raised += task.bound > learner->problem.merged.offset;
    irl_proof_take_enumeration(&learner->search, &task);
  }
  irl_proof_ranges_free(ranges);
  PASS();
}

static enum greatest_test_res check_data(const irl_data *data, const irl_options *options,
                                         int64_t optimum) {
  irl_problem problem;
  irl_learn_settings settings;
  irl_learner learner;
  irl_scope *scope;
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_settings(env, data, options, &problem, &settings));
  settings.search.threads = below(4) ? 1 : 4;
  settings.search.certify = true;
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_make(env, data, options, &scope));
  ASSERT_EQ(IRL_STATUS_OK,
            irl_learner_init(&learner, env, &problem, &settings, LIMIT_OF(env, options)));
  learner.problem.scope = scope;
  ASSERT_EQ(IRL_STATUS_OK, irl_learner_merge_samples(&learner));
  ASSERT_EQ(IRL_STATUS_OK, offer_random(&learner, data->n_features));
  if (irl_problem_is_simple(learner.search.problem) && learner.search.best.loss > 0)
    CHECK_CALL(check_ranges(&learner, data, optimum));
  irl_learner_free(&learner);
  irl_scope_free(scope);
  PASS();
}

/* The losses that ranges are for, with a limit on literals or without. */
static void draw_simple(puzzle *p) {
  do draw(p);
  while (p->options.rule.loss || p->min_cases || p->max_controls < p->n_controls ||
         p->options.search.profile == IRL_PROFILE_PAPER || p->best == INT64_MAX);
  p->options.search.prove = true;
}

TEST puzzles_equal_brute_force(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 600);
  for (uint64_t i = first; i < first + n; i++) {
    static puzzle p;
    irl_data *data;
    irl_random_init(&numbers, seed, (unsigned)i);
    draw_simple(&p);
    ASSERT_EQ(IRL_STATUS_OK, puzzle_data(env, &p, &data));
    const enum greatest_test_res res = check_data(data, &p.options, p.best);
    irl_data_free(data);
    if (res) printf("seed %llu, puzzle %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  if (getenv("IRL_FUZZ"))
    printf("%llu proven, %llu certified, %llu bounds\n", (unsigned long long)n_proven,
           (unsigned long long)n_certified, (unsigned long long)n_raised);
  if (n >= 600) ASSERT(n_proven > n / 4 && n_certified == n_proven && n_raised > n / 4);
  PASS();
}

/* ---- tables that cross the boundaries of words ---- */

#define FEATURES    6u
#define LARGEST     1100u
#define MAX_CLAUSES 128u

/* The least loss of two clauses of at most two literals, by trying all. */
static int64_t best_of_pairs(const uint8_t *cells, const uint8_t *labels, uint32_t n,
                             const int64_t weights[2]) {
  static uint8_t covers[MAX_CLAUSES][LARGEST];
  uint32_t n_clauses = 0;
  int64_t best = INT64_MAX;
  for (uint32_t a = 0; a < 2 * FEATURES; a++)
    for (uint32_t b = a; b < 2 * FEATURES; b++, n_clauses++)
      for (uint32_t i = 0; i < n; i++)
        covers[n_clauses][i] =
            (cells[i * FEATURES + a / 2] == a % 2) & (cells[i * FEATURES + b / 2] == b % 2);
  for (uint32_t x = 0; x < n_clauses; x++)
    for (uint32_t y = x; y < n_clauses; y++) {
      int64_t loss = 0;
      for (uint32_t i = 0; i < n; i++)
        if ((covers[x][i] | covers[y][i]) != labels[i]) loss += weights[labels[i]];
      if (loss < best) best = loss;
    }
  int64_t none = 0; /* no clause at all */
  for (uint32_t i = 0; i < n; i++) none += labels[i] ? weights[1] : 0;
  return best < none ? best : none;
}

TEST words_do_not_matter(void) {
  static const uint32_t sizes[] = {1, 63, 64, 65, 127, 128, 129, 511, 512, 513};
  static uint8_t cells[LARGEST * FEATURES], labels[LARGEST];
  const uint32_t n_sizes = sizeof sizes / sizeof *sizes;
  for (uint32_t round = 0; round < 2 * n_sizes; round++) {
    irl_random_init(&numbers, seed, 100000 + round);
    const uint32_t n_cases = sizes[round % n_sizes], n_controls = sizes[below(n_sizes)];
    const uint32_t n = n_cases + n_controls;
    irl_options options;
    irl_data *data;
    for (uint32_t i = 0; i < n; i++) {
      labels[i] = i < n_cases;
      for (uint32_t j = 0; j < FEATURES; j++)
        cells[i * FEATURES + j] = (uint8_t)(below(8) < (labels[i] && j < 3 ? 6 : 3));
    }
    irl_options_init(&options, sizeof options);
    options.rule.K = options.rule.M = 2;
    options.rule.negations = true;
    options.rule.weights = round % 2 ? IRL_WEIGHTS_UNIT : IRL_WEIGHTS_BALANCED;
    options.search.prove = true;
    ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, n, FEATURES, cells, labels, NULL, &data));
    const int64_t unit[2] = {1, 1}, balanced[2] = {n_cases, n_controls};
    CHECK_CALL(
        check_data(data, &options, best_of_pairs(cells, labels, n, round % 2 ? unit : balanced)));
    irl_data_free(data);
  }
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  seed = number_of("IRL_FUZZ_SEED", 37);
  if (irl_env_create(NULL, &env)) return 1;
  RUN_TEST(puzzles_equal_brute_force);
  RUN_TEST(words_do_not_matter);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
