/* Learning against brute force on problems made to be hard for a proof (puzzle.h). All methods of
 * proof are forced one by one, with lists that are cut, and whole runs with all their options.
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "clause/enumerate.h"
#include "fuzzing.h"
#include "greatest.h"
#include "learn/learn.h"
#include "prove/prove.c" /* rounds are private */
#include "puzzle_data.h"
#include "search_limit.h"
#include "support.h"
#include <math.h>

static irl_env *env;
static uint64_t seed = 11;

/* ---- each method by itself ---- */

static irl_status begin(irl_learner *learner, const puzzle *p, const irl_data *data, int threads) {
  const irl_options *options = &p->options;
  const irl_problem problem = {.data = data,
                               .K = (uint32_t)options->rule.K,
                               .M = (uint32_t)options->rule.M,
                               .negations = options->rule.negations,
                               .case_weight = p->case_weight,
                               .control_weight = p->control_weight,
                               .max_literals = options->rule.max_literals
                                                   ? (uint64_t)options->rule.max_literals
                                                   : UINT64_MAX,
                               .is_hamming = options->rule.loss == IRL_LOSS_HAMMING,
                               .min_cases = p->min_cases,
                               .max_controls = p->max_controls,
                               .max_complexity = UINT64_MAX};
  const irl_learn_settings settings = {.search = {.prove = IRL_SEARCH_PROVE, .threads = threads}};
  const irl_status status =
      irl_learner_init(learner, env, &problem, &settings, LIMIT_OF(env, options));
  return status ? status : irl_learner_merge_samples(learner);
}

static uint64_t literals_of(const irl_learner *learner) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < learner->search.best.n; i++)
    n += learner->search.pool.sizes[learner->search.best.clauses[i]];
  return n;
}

/* Nothing is claimed that is not so; without limits all is proven. */
static enum greatest_test_res check_learner(const puzzle *p, const irl_learner *learner,
                                            bool is_free) {
  const int64_t best = p->best < IRL_NO_LOSS ? p->best : IRL_NO_LOSS;
  ASSERT(learner->search.best.loss >= best);
  ASSERT(learner->search.proof.bound <= best);
  ASSERT(learner->search.best.n <= p->options.rule.K);
  ASSERT(literals_of(learner) <= learner->problem.max_literals);
  if (is_free) ASSERT_EQ_FMT((long long)best, (long long)learner->search.proof.bound, "%lld");
  if (is_free) ASSERT_EQ_FMT((long long)best, (long long)learner->search.best.loss, "%lld");
  PASS();
}

/* A start that is as good as a few searches make it, or no rule at all. */
static irl_status start(irl_learner *learner) {
  static const uint64_t works[] = {0, 2000, UINT64_MAX};
  const uint64_t limit = learner->search.limit.max_work;
  learner->search.limit.max_work = works[below(3)];
  const irl_status status =
      learner->search.limit.max_work ? irl_learn_loop(learner) : IRL_STATUS_OK;
  learner->search.limit.max_work = limit;
  return status;
}

static uint64_t n_kept; /* proofs on few cases that were closed; they need a good rule to start */

/* With all it may take, with lists that are cut, and with little work; applies() is not asked,
 * since run() has to be right on any problem. Complete methods end by themselves. */
static enum greatest_test_res check_method(const puzzle *p, const irl_data *data,
                                           const irl_prover_row *row) {
  const irl_prover_method *method = row->method;
  for (int round = 0; round < 3; round++) {
    irl_learner learner;
    ASSERT_EQ(IRL_STATUS_OK, begin(&learner, p, data, below(4) ? 1 : 4));
    ASSERT_EQ(IRL_STATUS_OK, start(&learner));
    irl_prover a = irl_prover_make(&learner.search, UINT64_MAX);
    a.effort = irl_tuning_usual.prove;
    if (round == 1) a.cap = 1 + below(12);
    if (round == 1) a.attempt_end = learner.search.work + 100000; /* steps of cutoffs may be many */
    if (round == 2) a.attempt_end = learner.search.work + 1 + below(3000);
    const bool was_open = !irl_proof_is_closed(&learner.search.proof, learner.search.best.loss);
    const bool is_asked = row->id != IRL_PROOF_CUTOFFS || method->applies(&a);
    const bool is_free = !round && method->is_complete && is_asked;
    learner.search.proof.method = row->id;
    if (is_asked) ASSERT_EQ(IRL_STATUS_OK, method->run(&a));
    n_kept += row->id == IRL_PROOF_CASE_SUBSET && was_open &&
              irl_proof_is_closed(&learner.search.proof, learner.search.best.loss);
    CHECK_CALL(check_learner(p, &learner, is_free));
    ASSERT(irl_proof_check(&learner.search.proof, learner.search.best.loss));
    ASSERT((a.full_at == INT64_MAX && a.bnb_full_at == INT64_MAX) || round == 1);
    irl_learner_free(&learner);
  }
  PASS();
}

/* The rows that clause i of the rule covers, literal `without` left out. */
static uint32_t cover_of(const puzzle *p, const irl_learner *learner, uint32_t i,
                         uint32_t without) {
  const uint32_t k = learner->search.best.clauses[i];
  const uint32_t *literals = irl_clause_set_literals(&learner->search.pool, k);
  uint32_t cover = (1u << p->n_rows) - 1;
  for (uint32_t l = 0; l < learner->search.pool.sizes[k]; l++)
    for (uint32_t r = 0; l != without && r < p->n_rows; r++)
      if (p->rows[r][irl_literal_feature(literals[l])] == irl_literal_is_negated(literals[l]))
        cover &= ~(1u << r);
  return cover;
}

/* The loss without a clause (literal UINT32_MAX) or one of its literals. */
static int64_t loss_without(const puzzle *p, const irl_learner *learner, uint32_t clause,
                            uint32_t literal) {
  uint32_t cover = 0, paid = 0;
  for (uint32_t i = 0; i < learner->search.best.n; i++) {
    if (i == clause && literal == UINT32_MAX) continue;
    const uint32_t own = cover_of(p, learner, i, i == clause ? literal : UINT32_MAX);
    cover |= own;
    paid += count_cover(p->controls, p->n_rows, own);
  }
  if (!is_within(p, cover)) return IRL_NO_LOSS;
  if (!p->options.rule.loss) return loss_of(p, cover);
  return p->case_weight * (p->n_cases - count_cover(p->cases, p->n_rows, cover)) +
         p->control_weight * (int64_t)paid;
}

/* A rule that was tidied has nothing that can go. */
static enum greatest_test_res check_tidy(const puzzle *p, irl_learner *learner) {
  ASSERT_EQ(IRL_STATUS_OK, irl_learn_prune_rule(learner));
  const int64_t loss = learner->search.best.loss;
  if (loss == IRL_NO_LOSS) PASS();
  ASSERT_EQ(loss, loss_without(p, learner, UINT32_MAX, UINT32_MAX));
  for (uint32_t i = 0; i < learner->search.best.n; i++) {
    const uint32_t n = learner->search.pool.sizes[learner->search.best.clauses[i]];
    ASSERT(loss_without(p, learner, i, UINT32_MAX) > loss);
    for (uint32_t l = 0; l < n && n > 1; l++) ASSERT(loss_without(p, learner, i, l) > loss);
  }
  PASS();
}

/* Where all lists are too long the search ends without a proof. */
static enum greatest_test_res check_ends(const puzzle *p, const irl_data *data) {
  irl_learner learner;
  ASSERT_EQ(IRL_STATUS_OK, begin(&learner, p, data, 1));
  irl_prover a = irl_prover_make(&learner.search, UINT64_MAX);
  a.cap = 1 + below(8);
  ASSERT_EQ(IRL_STATUS_OK, run_rounds(&a, irl_tuning_usual.prove, false));
  CHECK_CALL(check_learner(p, &learner, learner.search.proof.bound >= learner.search.best.loss));
  CHECK_CALL(check_tidy(p, &learner));
  irl_learner_free(&learner);
  PASS();
}

/* ---- lists that are cut ---- */

static irl_status list(const puzzle *p, const irl_data *data, const irl_clause_thresholds *wanted,
                       size_t cap, size_t *n, irl_ending *ending) {
  const irl_limit limit = {.env = env, .max_work = UINT64_MAX};
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_array store;
  uint64_t work = 0;
  irl_clause_problem_init(&problem, data);
  problem.control_weight = 1;
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_size = (uint32_t)p->options.rule.M;
  problem.negations = p->options.rule.negations;
  irl_status status = irl_clause_model_init(env, &model, &problem);
  if (status) return status;
  irl_clause_array_init(&store, &data->allocator, problem.max_size);
  status = irl_clause_enumerate_all(&(irl_clause_search){env, &model, &limit, 1, &work}, wanted,
                                    cap, &store, ending);
  *n = store.n;
  irl_clause_array_free(&store);
  irl_clause_model_free(&model);
  return status;
}

/* Complete is said exactly if there is room for all. */
static enum greatest_test_res check_lists(const puzzle *p, const irl_data *data) {
  const irl_clause_thresholds wanted = {1 + below(3), below(p->n_controls + 1),
                                        IRL_CLAUSE_NO_VALUE};
  size_t total, n;
  irl_ending ending;
  ASSERT_EQ(IRL_STATUS_OK, list(p, data, &wanted, SIZE_MAX, &total, &ending));
  ASSERT(!ending);
  for (size_t cap = total < 4 ? 0 : total - 4; cap < total + 2; cap++) {
    ASSERT_EQ(IRL_STATUS_OK, list(p, data, &wanted, cap, &n, &ending));
    ASSERT_EQ(cap >= total, !ending);
    ASSERT_EQ(cap < total ? cap : total, n);
  }
  PASS();
}

/* ---- whole runs ---- */

/* How many controls the clauses pay for: the evaluation has it with balanced weights. */
static double hamming_controls(const irl_evaluation *e, const puzzle *p) {
  const double n1 = p->n_cases, n0 = p->n_controls;
  return (e->hamming_loss * (n1 + n0) - n0 * (double)e->fn) / n1;
}

static enum greatest_test_res check_fit(const puzzle *p, const irl_data *data, char **text) {
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_rule_info rule = IRL_SIZED(irl_rule_info);
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  const double n = weights_per_objective(&p->options, p->n_cases + p->n_controls),
               best = (double)p->best;
  ASSERT_EQ_FMTm(irl_env_error(env), IRL_STATUS_OK, irl_fit(env, data, &p->options, &result), "%d");
  irl_fit_describe(result, &info);
  irl_rule_describe(irl_fit_rule(result), &rule);
  if (isnan(info.objective)) { /* no rule within the limits, or none was found */
    ASSERT_EQ(p->best == INT64_MAX && p->options.search.prove && !p->options.limits.work_limit,
              info.outcome == IRL_OUTCOME_INFEASIBLE && p->options.search.prove &&
                  !p->options.limits.work_limit);
    if (info.outcome == IRL_OUTCOME_INFEASIBLE) ASSERT_EQ(INT64_MAX, p->best);
    if (text)
      ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, irl_fit_rule(result), IRL_FORMAT_JSON, text));
    irl_fit_free(result);
    PASS();
  }
  irl_data *copies; /* where samples are counted */
  ASSERT_EQ(IRL_STATUS_OK, puzzle_copies(env, p, &copies));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, irl_fit_rule(result), copies, &e));
  irl_data_free(copies);
  const int64_t paid = p->options.rule.loss ? llround(hamming_controls(&e, p)) : (int64_t)e.fp;
  const int64_t loss = p->case_weight * (int64_t)e.fn + p->control_weight * paid;
  ASSERT(e.tp >= p->min_cases && e.fp <= p->max_controls);
  ASSERT_IN_RANGE((double)loss, info.objective * n, 1e-6);
  ASSERT(rule.clauses <= p->options.rule.K && rule.M <= p->options.rule.M);
  if (p->options.rule.max_literals) ASSERT(rule.literals <= p->options.rule.max_literals);
  ASSERT(info.bound * n <= best + 1e-6);
  ASSERT(info.objective * n >= best - 1e-6);
  ASSERT(info.bound <= info.objective);
  ASSERT_EQ(info.outcome == IRL_OUTCOME_OPTIMAL, info.bound * n > (double)loss - 0.5);
  if (p->options.search.prove && !p->options.limits.work_limit)
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
  if (p->options.limits.work_limit && info.outcome != IRL_OUTCOME_OPTIMAL)
    ASSERT(info.outcome == IRL_OUTCOME_LIMIT || info.outcome == IRL_OUTCOME_FEASIBLE);
  if (text)
    ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, irl_fit_rule(result), IRL_FORMAT_JSON, text));
  irl_fit_free(result);
  PASS();
}

static enum greatest_test_res check_threads(puzzle *p, const irl_data *data) {
  char *one, *four;
  p->options.limits.threads = 1;
  CHECK_CALL(check_fit(p, data, &one));
  p->options.limits.threads = 4;
  CHECK_CALL(check_fit(p, data, &four));
  ASSERT_STR_EQ(one, four);
  irl_text_free(env, one);
  irl_text_free(env, four);
  p->options.limits.threads = 1;
  PASS();
}

static enum greatest_test_res check_puzzle(puzzle *p) {
  irl_data *data;
  ASSERT_EQ(IRL_STATUS_OK, puzzle_data(env, p, &data));
  CHECK_CALL(check_lists(p, data));
  size_t n_rows;
  const irl_prover_row *rows = irl_prover_table(&n_rows);
  const uint64_t own = below(UINT32_MAX); /* what one method draws does not depend on the others */
  for (size_t i = 0; i < n_rows; i++) {
    irl_random_init(&numbers, own, rows[i].id);
    CHECK_CALL(check_method(p, data, &rows[i]));
  }
  irl_random_init(&numbers, own, IRL_N_PROOF_METHODS);
  CHECK_CALL(check_ends(p, data));
  p->options.search.prove = true;
  if (below(8))
    CHECK_CALL(check_fit(p, data, NULL));
  else
    CHECK_CALL(check_threads(p, data));
  p->options.limits.work_limit = 1 + below(below(2) ? 2000 : 40000);
  CHECK_CALL(check_fit(p, data, NULL));
  p->options.search.prove = false;
  p->options.limits.work_limit = below(2) ? 0 : 1 + below(10000);
  CHECK_CALL(check_fit(p, data, NULL));
  irl_data_free(data);
  PASS();
}

TEST puzzles_equal_brute_force(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 200);
  for (uint64_t i = first; i < first + n; i++) {
    static puzzle p;
    irl_random_init(&numbers, seed, (unsigned)i);
    draw(&p);
    const enum greatest_test_res res = check_puzzle(&p);
    if (res) printf("seed %llu, puzzle %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  if (n >= 200) ASSERT(n_kept >= n / 200);
  PASS();
}

/* C9: K = 64 clauses of which each pays for 400 million controls. */
TEST losses_that_cannot_be_counted_are_refused(void) {
  irl_data data = {.n_cases = 400000000, .n_controls = 400000000, .n_samples = 800000000};
  irl_problem problem = {.data = &data,
                         .K = 64,
                         .M = 3,
                         .case_weight = data.n_controls,
                         .control_weight = data.n_cases,
                         .is_hamming = true};
  irl_learn_settings settings = {.search = {.threads = 1}};
  irl_learner learner;
  irl_options options;
  irl_options_init(&options, sizeof options);
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT,
            irl_learner_init(&learner, env, &problem, &settings, LIMIT_OF(env, &options)));
  ASSERT(strstr(irl_env_error(env), "too large to be counted"));
  PASS();
}

SUITE(learn) {
  seed = number_of("IRL_FUZZ_SEED", seed);
  printf("seed %llu\n", (unsigned long long)seed);
  RUN_TEST(losses_that_cannot_be_counted_are_refused);
  RUN_TEST(puzzles_equal_brute_force);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(learn);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
