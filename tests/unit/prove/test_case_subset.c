/* Proofs on few cases: the way by itself, the tree over any list by itself, with and without a
 * price of controls, and what the checker says of kept cases that were
 * drawn at random, for rules that are the best and for others, against brute force (puzzle.h).
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "fuzzing.h"
#include "greatest.h"
#include "learn/fit.h"
#include "learn/learn.h"
#include "miser.h"
#include "prove/certificate.c" /* heads of certificates are private */
#include "prove/methods.h"
#include "prove/rule_bnb.h"
#include "puzzle_data.h"
#include "rule/literal_columns.h"
#include "search_limit.h"
#include <stdio.h>

static irl_env *env;
static uint64_t seed = 31;
static uint64_t n_trees, n_found, n_in_lists; /* of the tree by itself */
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
    irl_search_rule rule = {.n = 0};
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
      status = irl_clause_set_add(env, &learner->search.pool, clause.literals, clause.n,
                                  &rule.clauses[rule.n++], NULL);
    }
    if (!status) status = irl_search_offer(&learner->search, &rule, NULL);
  }
  return status;
}

static irl_status check_text(const irl_learner *learner, const irl_data *data, const char *text,
                             irl_verify_result *result) {
  irl_options options;
  irl_rule *rule;
  irl_status status = irl_search_make_rule(env, &learner->search.pool, learner->problem.K,
                                           &learner->search.best, &rule);
  if (status) return status;
  irl_options_init(&options, sizeof options);
  irl_verify_job asked = {.rule = rule, .data = data, .bytes = text, .size = strlen(text)};
  irl_limit_init(&asked.limit, env, &options);
  status = irl_verify_run(env, &asked, result);
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
  ASSERT_EQ(IRL_STATUS_OK, put_head(&learner->search, &text));
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
  if (result.is_valid)
    ASSERT_EQ_FMT((long long)p->best, (long long)learner->search.best.loss, "%lld");
  const bool has_cases = learner->problem.merged.data->n_cases > 0;
  if (is_whole && has_cases && learner->search.best.loss == p->best) {
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
  irl_search *search = &learner->search;
  irl_prover prover = irl_prover_make(search, UINT64_MAX);
  prover.cap = below(4) ? (size_t)1 << 20 : 1 + below(30);
  prover.is_once = below(4) == 0;
  prover.effort = below(3) ? (uint64_t)1 << 50 : below(25000);
  if (!below(3)) prover.attempt_end = search->work + 2000 + below(200000);
  const bool was_open = !irl_search_is_proven(search);
  ASSERT_EQ(IRL_STATUS_OK, irl_method_case_subset.run(&prover));
  ASSERT(search->best.loss >= p->best && search->proof.bound <= p->best);
  if (was_open && irl_search_is_proven(search)) {
    ASSERT_EQ_FMT((long long)p->best, (long long)search->best.loss, "%lld");
    n_proven++;
  }
  if (was_open && search->proof.evidence.target >= 0) {
    irl_verify_result result;
    char *text;
    ASSERT(irl_proof_check(&learner->search.proof, learner->search.best.loss));
    ASSERT_EQ(IRL_STATUS_OK, irl_prove_find_evidence(&learner->search));
    ASSERT_EQ(IRL_STATUS_OK, irl_prove_certify(&learner->search, &text));
    ASSERT(strstr(text, "\n0 kept "));
    ASSERT_EQ(IRL_STATUS_OK, check_text(learner, data, text, &result));
    if (!result.is_valid) printf("line %zu: %s\n", result.line, result.reason);
    ASSERT(result.is_valid);
    irl_text_free(env, text);
  }
  PASS();
}

/* ---- the tree over a list by itself ---- */

/* Two clauses that share all their controls, which pays only together: a price of controls is hard
 * on the second one, whose controls are paid for once the first is chosen. */
static void draw_shared(puzzle *p) {
  static const uint8_t rows[4][2] = {{1, 0}, {0, 1}, {1, 1}, {0, 0}};
  const uint32_t cases[4] = {5 + below(20), 1 + below(8), 0, 0};
  const uint32_t controls[4] = {0, 0, 1 + below(20), 5 + below(40)};
  uint32_t n = 0;
  p->n_rows = 4;
  p->j = 2;
  p->n_cases = p->n_controls = 0;
  for (uint32_t r = 0; r < p->n_rows; r++) {
    memcpy(p->rows[r], rows[r], p->j);
    p->n_cases += p->cases[r] = cases[r];
    p->n_controls += p->controls[r] = controls[r];
    for (uint32_t i = 0; i < cases[r] + controls[r]; i++, n++) {
      memcpy(p->cells + n * p->j, rows[r], p->j);
      p->labels[n] = i < cases[r];
    }
  }
  p->max_controls = p->n_controls;
  p->case_weight = p->options.rule.weights == IRL_WEIGHTS_UNIT ? 1 : p->n_controls;
  p->control_weight = p->options.rule.weights == IRL_WEIGHTS_UNIT ? 1 : p->n_cases;
  solve(p);
}

typedef struct all_clauses {
  const irl_rule_list *asked;
  int64_t target; /* in units of the merged samples */
  const irl_merged *merged;
  irl_clause_set *list;
  uint32_t K, M, j;
  bool negations;
  irl_clause clause;
} all_clauses;

/* Does a list of that threshold, with or without a price of controls, ask for the clause? */
static bool is_in_list(const all_clauses *a, const irl_clause *clause) {
  const irl_data *data = a->merged->data;
  uint64_t *cases = irl_mem_alloc_aligned(&env->allocator, data->cases.stride, sizeof *cases);
  uint64_t *controls =
      irl_mem_alloc_aligned(&env->allocator, data->controls.stride, sizeof *controls);
  int64_t kept = 0;
  irl_literals_cover(data, false, clause->literals, clause->n, cases);
  irl_literals_cover(data, true, clause->literals, clause->n, controls);
  for (uint32_t i = 0; i < data->n_cases; i++)
    kept += irl_bits_get(cases, i) && irl_bits_get(a->asked->subset, i);
  const int64_t cost = irl_merged_weigh(a->merged, 1, controls), more = kept - a->asked->least + 1;
  irl_mem_free_aligned(&env->allocator, cases);
  irl_mem_free_aligned(&env->allocator, controls);
  return more > 0 && cost < a->target &&
         (!a->asked->is_priced || 2 * (int64_t)a->K * a->asked->unit * more > cost);
}

static irl_status add_clauses(all_clauses *a, uint32_t first) {
  irl_status status = IRL_STATUS_OK;
  for (uint32_t j = first; j < a->j && a->clause.n < a->M && !status; j++)
    for (uint32_t negated = 0; negated <= a->negations && !status; negated++) {
      a->clause.literals[a->clause.n++] = irl_literal_make(j, negated);
      if (is_in_list(a, &a->clause))
        status = irl_clause_set_add(env, a->list, a->clause.literals, a->clause.n, NULL, NULL);
      if (!status) status = add_clauses(a, j + 1);
      a->clause.n--;
    }
  return status;
}

/* Any kept cases, threshold, price and target: a tree that is closed has met the best rule, or
 * there is none below its target. */
static enum greatest_test_res check_tree(const puzzle *p, irl_learner *learner) {
  const irl_merged *merged = &learner->problem.merged;
  const irl_data *data = merged->data;
  const uint32_t density = below(2) ? 6 : 1 + below(5);
  const int64_t most = irl_merged_target(merged, irl_search_target(&learner->search));
  irl_clause_set list;
  if (!data->n_cases || most <= 0) PASS();
  uint64_t *keep = irl_mem_alloc_aligned(&env->allocator, data->cases.stride, sizeof *keep);
  const uint32_t pick = below(data->n_cases);
  const int64_t unit =
      merged->weights[0] && below(2) ? merged->weights[0][pick] : merged->weight[0];
  for (uint32_t i = 0; i < data->n_cases; i++)
    if ((!merged->weights[0] || merged->weights[0][i] >= unit) && below(6) < density)
      irl_bits_set(keep, i);
  const irl_rule_list asked = {.clauses = &list,
                               .subset = keep,
                               .unit = unit,
                               .least = 1 + below(below(3) ? 3 : 1 + data->n_cases / 2),
                               .is_priced = below(3) > 0};
  const int64_t drawn = below(2) ? most : 1 + below((uint64_t)most);
  const int64_t target = irl_merged_loss(merged, drawn);
  irl_rule_bnb_task task = {.cap = SIZE_MAX / 2, .target = target, .list = &asked};
  const irl_limit limit = irl_search_sublimit(&learner->search, UINT64_MAX);
  all_clauses all = {.asked = &asked,
                     .target = drawn,
                     .merged = merged,
                     .list = &list,
                     .K = learner->problem.K,
                     .M = learner->problem.M,
                     .j = p->j,
                     .negations = learner->problem.negations};
  irl_clause_set_init(&list, data, learner->problem.M);
  ASSERT_EQ(IRL_STATUS_OK, add_clauses(&all, 0));
  n_in_lists += list.n;
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_bnb_solve(&learner->search, &limit, &task));
  ASSERT(!task.ending);
  ASSERT(task.bound <= p->best);
  ASSERT(learner->search.best.loss >= p->best);
  ASSERT(p->best >= target || learner->search.best.loss == p->best);
  n_trees += asked.is_priced;
  n_found += task.target < target;
  irl_clause_set_free(&list);
  irl_mem_free_aligned(&env->allocator, keep);
  PASS();
}

static enum greatest_test_res check_puzzle(const puzzle *p, bool is_tree) {
  irl_problem problem;
  irl_learn_settings settings;
  irl_learner learner;
  irl_data *data;
  irl_scope *scope;
  ASSERT_EQ(IRL_STATUS_OK, puzzle_data(env, p, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_settings(env, data, &p->options, &problem, &settings));
  settings.search.threads = below(4) ? 1 : 4;
  settings.search.prove = IRL_SEARCH_CERTIFY;
  if (is_tree) settings.is_paper = below(3) > 0; /* then samples are not merged */
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_make(env, data, &p->options, &scope));
  ASSERT_EQ(IRL_STATUS_OK,
            irl_learner_init(&learner, env, &problem, &settings, LIMIT_OF(env, &p->options)));
  learner.problem.scope = scope;
  ASSERT_EQ(IRL_STATUS_OK, irl_learner_merge_samples(&learner));
  /* A tree alone may begin without a rule, with many clauses in its list. */
  if (!is_tree || below(4) == 0) ASSERT_EQ(IRL_STATUS_OK, start(&learner, p));
  if (is_tree) CHECK_CALL(check_tree(p, &learner));
  if (!is_tree && learner.search.best.n) CHECK_CALL(check_drawn(p, &learner, data));
  if (!is_tree) CHECK_CALL(check_way(p, &learner, data));
  irl_learner_free(&learner);
  irl_scope_free(scope);
  irl_data_free(data);
  PASS();
}

static enum greatest_test_res check_puzzles(uint64_t first, uint64_t n, bool is_tree) {
  for (uint64_t i = first; i < first + n; i++) {
    static puzzle p;
    irl_random_init(&numbers, seed + is_tree, (unsigned)i);
    draw_simple(&p);
    if (is_tree && i % 2) draw_shared(&p);
    const enum greatest_test_res res = check_puzzle(&p, is_tree);
    if (res) printf("seed %llu, puzzle %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  PASS();
}

TEST puzzles_equal_brute_force(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 400);
  CHECK_CALL(check_puzzles(first, n, false));
  if (getenv("IRL_FUZZ"))
    printf("%llu proven, %llu valid, %llu refused\n", (unsigned long long)n_proven,
           (unsigned long long)n_valid, (unsigned long long)n_refused);
  if (n >= 400) ASSERT(n_proven > n / 20 && n_valid > n / 8 && n_refused > n / 8);
  PASS();
}

TEST trees_over_any_list_equal_brute_force(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 1500);
  CHECK_CALL(check_puzzles(first, n, true));
  if (getenv("IRL_FUZZ"))
    printf("%llu trees with a price, %llu found a better rule, %llu clauses\n",
           (unsigned long long)n_trees, (unsigned long long)n_found,
           (unsigned long long)n_in_lists);
  if (n >= 400) ASSERT(n_trees > n / 3 && n_found > n / 20 && n_in_lists > n);
  PASS();
}

/* A tree over the clauses of at least three of all cases, on two threads. */
static irl_status run_tree(irl_env *own, const kit *k) {
  irl_options options = settings_of(own, k);
  irl_problem problem;
  irl_learn_settings settings;
  irl_learner learner;
  irl_clause_set list;
  uint64_t keep[8] __attribute__((aligned(64))) = {0};
  irl_status status = irl_fit_settings(own, k->data, &options, &problem, &settings);
  settings.search.threads = 2;
  if (status) return status;
  status = irl_learner_init(&learner, own, &problem, &settings, LIMIT_OF(own, &options));
  if (!status) status = irl_learner_merge_samples(&learner);
  if (!status) {
    const irl_merged *merged = &learner.problem.merged;
    irl_bits_fill(keep, merged->data->n_cases, merged->data->cases.stride);
    const int64_t target = irl_search_target(&learner.search);
    const irl_rule_list asked = {
        .clauses = &list, .subset = keep, .unit = merged->weight[0], .least = 3, .is_priced = true};
    irl_rule_bnb_task task = {.cap = SIZE_MAX / 2, .target = target, .list = &asked};
    const irl_limit limit = irl_search_sublimit(&learner.search, UINT64_MAX);
    all_clauses all = {.asked = &asked,
                       .target = irl_merged_target(merged, target),
                       .merged = merged,
                       .list = &list,
                       .K = problem.K,
                       .M = problem.M,
                       .j = merged->data->n_features};
    irl_clause_set_init(&list, merged->data, problem.M);
    status = add_clauses(&all, 0);
    if (!status) status = irl_rule_bnb_solve(&learner.search, &limit, &task);
    irl_clause_set_free(&list);
  }
  irl_learner_free(&learner);
  return status;
}

TEST trees_survive_without_memory(void) {
  const irl_options o =
      options_of(calm, "N", "90", "J", "12", "K", "3", "M", "2", "noise", "0.1", "seed", "5", NULL);
  CHECK_CALL(survives_on(run_tree, "K 3 M 2", &o));
  PASS();
}

SUITE(case_subset) {
  RUN_TEST(trees_survive_without_memory);
  RUN_TEST(puzzles_equal_brute_force);
  RUN_TEST(trees_over_any_list_equal_brute_force);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  seed = number_of("IRL_FUZZ_SEED", seed);
  if (irl_env_create(NULL, &env)) return 1;
  calm = env;
  RUN_SUITE(case_subset);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
