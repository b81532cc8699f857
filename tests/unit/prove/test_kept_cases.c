/* Proofs on few cases: the way by itself, and what the checker says of kept cases that were drawn
 * at random, for rules that are the best and for others, against brute force (puzzle.h).
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "fuzzing.h"
#include "greatest.h"
#include "learn/fit.h"
#include "learn/learn.h"
#include "prove/certificate.c" /* heads of certificates are private */
#include "prove/kept_cases.h"
#include "puzzle.h"
#include <stdio.h>

static irl_env *env;
static uint64_t seed = 31;
static uint64_t n_proven, n_valid, n_refused;

/* The losses and limits that a proof on few cases is for. */
static void draw_simple(puzzle *p) {
  do draw(p);
  while (p->options.rule.loss || p->options.rule.max_literals || p->min_cases ||
         p->max_controls < p->n_controls || p->options.rule.K < 2 ||
         p->options.search.profile == IRL_PROFILE_PAPER);
  if (p->options.rule.M < 3) {
    p->options.rule.M = 3 + below(2);
    solve(p);
  }
  p->options.search.prove = true;
}

/* A few random rules, or a whole search: the best of them is what is to be proven. */
static irl_status start(irl_learner *learner, const puzzle *p) {
  irl_status status = IRL_STATUS_OK;
  if (below(2)) return irl_learn_loop(learner);
  for (uint32_t tries = 1 + below(6); tries-- && !status;) {
    irl_learn_rule rule = {.n = 0};
    const uint32_t n = 1 + below((uint64_t)p->options.rule.K);
    for (uint32_t k = 0; k < n && !status; k++) {
      irl_clause clause = {.n = 0};
      const uint32_t size = 1 + below((uint64_t)p->options.rule.M);
      for (uint32_t i = 0; i < size; i++) {
        const irl_literal literal =
            irl_literal_make(below(p->j), p->options.rule.negations && below(2));
        bool is_new = true;
        for (uint32_t l = 0; l < clause.n; l++)
          is_new =
              is_new && irl_literal_feature(clause.literals[l]) != irl_literal_feature(literal);
        if (is_new) clause.literals[clause.n++] = literal;
      }
      irl_clause_sort_literals(&clause);
      status = irl_clause_set_add(env, &learner->pool, clause.literals, clause.n,
                                  &rule.clauses[rule.n++], NULL);
    }
    if (!status) status = irl_learner_offer(learner, &rule, NULL);
  }
  return status;
}

static irl_status check_text(const irl_learner *learner, const irl_data *data, const char *text,
                             irl_verify_result *result) {
  irl_options options;
  irl_rule *rule;
  irl_status status =
      irl_learner_make_rule(env, &learner->pool, learner->settings.K, &learner->best, &rule);
  if (status) return status;
  irl_options_init(&options, sizeof options);
  irl_verify_job job = {.rule = rule, .data = data, .bytes = text, .size = strlen(text)};
  irl_limit_init(&job.limit, env, &options);
  status = irl_verify_run(env, &job, result);
  irl_rule_free(rule);
  return status;
}

/* Any kept cases and any threshold: what the checker accepts is so, and it accepts the best rule
 * with all cases and the least threshold. */
static enum greatest_test_res check_drawn(const puzzle *p, const irl_learner *learner,
                                          const irl_data *data) {
  const bool is_whole = below(3) == 0;
  const uint32_t density = 1 + below(6);
  irl_verify_result result;
  irl_text text;
  char *bytes;
  irl_text_init(&text, env);
  ASSERT_EQ(IRL_STATUS_OK, put_head(learner, &text));
  irl_text_printf(&text, "0 kept %u ", is_whole ? 1 : 1 + below(4));
  for (uint32_t i = 0; i < data->n_cases; i += 4) {
    uint32_t digit = 0;
    for (uint32_t b = 0; b < 4 && i + b < data->n_cases; b++)
      digit |= (uint32_t)(is_whole || below(6) < density) << b;
    irl_text_printf(&text, "%x", digit);
  }
  irl_text_puts(&text, "\n");
  irl_certificate_put_end(&text, 0, 1);
  ASSERT_EQ(IRL_STATUS_OK, irl_text_take(&text, &bytes));
  ASSERT_EQ(IRL_STATUS_OK, check_text(learner, data, bytes, &result));
  irl_text_free(env, bytes);
  if (result.is_valid) ASSERT_EQ_FMT((long long)p->best, (long long)learner->best.loss, "%lld");
  const bool has_cases = learner->proof.merged.data->n_cases > 0;
  if (is_whole && has_cases && learner->best.loss == p->best) {
    if (!result.is_valid) printf("%s\n", result.reason);
    ASSERT(result.is_valid);
  }
  n_valid += result.is_valid;
  n_refused += !result.is_valid;
  PASS();
}

/* What the way claims is so, and the checker agrees. */
static enum greatest_test_res check_way(const puzzle *p, irl_learner *learner,
                                        const irl_data *data) {
  irl_kept_cases task = {.cap = below(4) ? (size_t)1 << 20 : 1 + below(30),
                         .tree_work = below(3) ? UINT64_MAX : below(100000)};
  const uint64_t work = below(3) ? UINT64_MAX : learner->work + 2000 + below(200000);
  const irl_limit limit = irl_learner_sublimit(learner, work);
  ASSERT_EQ(IRL_STATUS_OK, irl_prove_kept_cases(learner, &limit, &task));
  ASSERT(learner->best.loss >= p->best && learner->proof.bound <= p->best);
  if (task.is_closed) {
    ASSERT_EQ_FMT((long long)p->best, (long long)learner->best.loss, "%lld");
    n_proven++;
  }
  if (task.evidence.target >= 0) {
    irl_verify_result result;
    char *text;
    irl_proof_close(&learner->proof, learner->best.loss, &task.evidence, &env->allocator);
    ASSERT(irl_proof_check(&learner->proof, learner->best.loss));
    ASSERT_EQ(IRL_STATUS_OK, irl_prove_certify(learner, &text));
    ASSERT(strstr(text, "\n0 kept "));
    ASSERT_EQ(IRL_STATUS_OK, check_text(learner, data, text, &result));
    if (!result.is_valid) printf("line %zu: %s\n", result.line, result.reason);
    ASSERT(result.is_valid);
    irl_text_free(env, text);
  }
  irl_proof_evidence_free(&task.evidence, &env->allocator);
  PASS();
}

static enum greatest_test_res check_puzzle(const puzzle *p) {
  irl_learn_settings settings;
  irl_learner learner;
  irl_data *data;
  irl_scope *scope;
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, p->n_cases + p->n_controls, p->j, p->cells,
                                               p->labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_settings(env, data, &p->options, &settings));
  settings.threads = below(4) ? 1 : 4;
  settings.certify = true;
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_make(env, data, &p->options, &scope));
  ASSERT_EQ(IRL_STATUS_OK, irl_learner_init(&learner, env, data, &settings, &p->options));
  learner.scope = scope;
  ASSERT_EQ(IRL_STATUS_OK, irl_learner_merge_samples(&learner));
  ASSERT_EQ(IRL_STATUS_OK, start(&learner, p));
  if (learner.best.n) CHECK_CALL(check_drawn(p, &learner, data));
  CHECK_CALL(check_way(p, &learner, data));
  irl_learner_free(&learner);
  irl_scope_free(scope);
  irl_data_free(data);
  PASS();
}

TEST puzzles_equal_brute_force(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 400);
  for (uint64_t i = first; i < first + n; i++) {
    static puzzle p;
    irl_random_init(&numbers, seed, (unsigned)i);
    draw_simple(&p);
    const enum greatest_test_res res = check_puzzle(&p);
    if (res) printf("seed %llu, puzzle %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  if (getenv("IRL_FUZZ"))
    printf("%llu proven, %llu valid, %llu refused\n", (unsigned long long)n_proven,
           (unsigned long long)n_valid, (unsigned long long)n_refused);
  if (n >= 400) ASSERT(n_proven > n / 20 && n_valid > n / 8 && n_refused > n / 8);
  PASS();
}

SUITE(kept_cases) {
  RUN_TEST(puzzles_equal_brute_force);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  seed = number_of("IRL_FUZZ_SEED", seed);
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(kept_cases);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
