/* Clauses whose literals have a price, against brute force over all clauses: the best one, all that
 * are worth enough, and the bound of a search that a limit ended. */
#include "brcg/brcg.h"
#include "clause_oracle.h"
#include "greatest.h"

#define PROBLEMS 200u

static irl_env *env;

struct wanted {
  int64_t literal, need;
  bool has_any;
  int64_t best; /* worth */
  irl_clause_array store;
};

static int64_t worth_of(const irl_clause *clause, int64_t literal) {
  return clause->value - literal * clause->n;
}

static void keep_wanted(void *user, const irl_clause *clause) {
  struct wanted *wanted = user;
  const int64_t worth = worth_of(clause, wanted->literal);
  if (!wanted->has_any || worth > wanted->best) wanted->best = worth;
  wanted->has_any = true;
  if (worth >= wanted->need) irl_clause_array_add(&wanted->store, clause);
}

static void ask_brute_force(const oracle_case *c, struct wanted *wanted) {
  irl_clause clause = {0};
  uint8_t *covered = malloc(c->n_samples);
  irl_clause_array_init(&wanted->store, &env->allocator, IRL_CLAUSE_MAX);
  oracle_walk(c, &clause, 0, covered, keep_wanted, wanted);
  free(covered);
}

/* A price that is nothing, a few controls or cases, or more than all. */
static int64_t random_price(const oracle_case *c, irl_random *random) {
  const int64_t unit = c->weights[1]               ? 3
                       : c->problem.control_weight ? c->problem.control_weight
                                                   : 1;
  return oracle_pick(random, 0, 5) ? unit * oracle_pick(random, 0, 12) / 4
                                   : unit * oracle_pick(random, 0, c->n_samples);
}

static bool is_right(const oracle_case *c, const irl_clause *clause) {
  irl_clause copy = *clause;
  uint8_t *covered = malloc(c->n_samples);
  oracle_measure(c, &copy, covered);
  free(covered);
  return oracle_allows(c, &copy) && oracle_same(&copy, clause) && copy.n <= c->problem.max_size;
}

static irl_status search_best(const oracle_case *c, int64_t literal, uint64_t max_work,
                              irl_clause_array *met, irl_clause_result *result) {
  irl_options options;
  irl_limit limit;
  uint64_t work = 0;
  irl_options_init(&options, sizeof options);
  options.limits.work_limit = (int64_t)max_work;
  irl_limit_init(&limit, env, &options);
  irl_clause_array_init(met, &env->allocator, c->problem.max_size);
  return irl_brcg_search_best(&c->problem, &(irl_brcg_wish){literal, IRL_CLAUSE_ANY_VALUE, 0, 20},
                              &(irl_clause_search){env, NULL, &limit, 1, &work}, met, result);
}

TEST best_is_that_of_brute_force(void) {
  for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
    oracle_case c;
    irl_random random;
    irl_clause_result result;
    irl_clause_array met;
    irl_clause clause;
    irl_random_init(&random, seed, 3);
    ASSERT_EQ(IRL_STATUS_OK, oracle_make(env, &c, seed));
    struct wanted wanted = {.literal = random_price(&c, &random), .need = INT64_MAX};
    ask_brute_force(&c, &wanted);
    ASSERT_EQ(IRL_STATUS_OK, search_best(&c, wanted.literal, 0, &met, &result));
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, result.outcome);
    ASSERT_EQ(wanted.has_any, result.best.n > 0);
    if (wanted.has_any) {
      ASSERT(is_right(&c, &result.best));
      ASSERT_EQ_FMT((long long)wanted.best, (long long)worth_of(&result.best, wanted.literal),
                    "%lld");
    }
    for (size_t i = 0; i < met.n; i++) {
      irl_clause_array_get(&met, i, &clause);
      ASSERT(is_right(&c, &clause));
    }
    irl_clause_array_free(&met);
    irl_clause_array_free(&wanted.store);
    oracle_free(&c);
  }
  PASS();
}

TEST bound_holds_at_any_work_limit(void) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    oracle_case c;
    irl_random random;
    irl_random_init(&random, seed, 4);
    ASSERT_EQ(IRL_STATUS_OK, oracle_make(env, &c, seed));
    struct wanted wanted = {.literal = random_price(&c, &random), .need = INT64_MAX};
    ask_brute_force(&c, &wanted);
    for (uint64_t work = 1; work < 2000000 && wanted.has_any; work *= 4) {
      irl_clause_result result;
      irl_clause_array met;
      ASSERT_EQ(IRL_STATUS_OK, search_best(&c, wanted.literal, work, &met, &result));
      const int64_t found =
          result.best.n ? worth_of(&result.best, wanted.literal) : IRL_CLAUSE_NO_VALUE;
      ASSERT((found > result.bound ? found : result.bound) >= wanted.best);
      irl_clause_array_free(&met);
    }
    irl_clause_array_free(&wanted.store);
    oracle_free(&c);
  }
  PASS();
}

/* Does the list hold a clause with no more literals that covers all cases of this one and no other
 * controls? */
static bool is_represented(const oracle_case *c, const irl_clause_array *store,
                           const irl_clause *clause) {
  uint8_t *mine = malloc(c->n_samples), *other = malloc(c->n_samples);
  irl_clause copy = *clause;
  bool is_there = false;
  oracle_measure(c, &copy, mine);
  for (size_t i = 0; i < store->n && !is_there; i++) {
    irl_clause_array_get(store, i, &copy);
    is_there = copy.n <= clause->n;
    oracle_measure(c, &copy, other);
    for (uint32_t s = 0; s < c->n_samples; s++)
      if (c->labels[s] ? mine[s] > other[s] : mine[s] < other[s]) is_there = false;
  }
  free(mine);
  free(other);
  return is_there;
}

TEST lists_stand_for_all(void) {
  for (uint64_t seed = 1; seed <= 80; seed++) {
    oracle_case c;
    irl_random random;
    irl_options options;
    irl_limit limit;
    irl_clause_array store;
    irl_clause clause;
    uint64_t work = 0;
    irl_ending ending;
    irl_random_init(&random, seed, 5);
    irl_options_init(&options, sizeof options);
    irl_limit_init(&limit, env, &options);
    ASSERT_EQ(IRL_STATUS_OK, oracle_make(env, &c, seed));
    c.problem.keeps_all = seed % 4 == 0;
    struct wanted wanted = {.literal = random_price(&c, &random)};
    wanted.need = wanted.literal * ((int64_t)oracle_pick(&random, 0, 6) - 4);
    ask_brute_force(&c, &wanted);
    irl_clause_array_init(&store, &env->allocator, c.problem.max_size);
    ASSERT_EQ(IRL_STATUS_OK,
              irl_brcg_search_all(
                  &c.problem,
                  &(irl_brcg_wish){.literal = wanted.literal, .need = wanted.need, .cap = SIZE_MAX},
                  &(irl_clause_search){env, NULL, &limit, 1, &work}, &store, &ending));
    ASSERT(!ending);
    if (c.problem.keeps_all) ASSERT_EQ(wanted.store.n, store.n);
    for (size_t i = 0; i < store.n; i++) {
      irl_clause_array_get(&store, i, &clause);
      ASSERT(is_right(&c, &clause) && worth_of(&clause, wanted.literal) >= wanted.need);
    }
    for (size_t i = 0; i < wanted.store.n; i++) {
      irl_clause_array_get(&wanted.store, i, &clause);
      ASSERT(is_represented(&c, &store, &clause));
    }
    irl_clause_array_free(&store);
    irl_clause_array_free(&wanted.store);
    oracle_free(&c);
  }
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_TEST(best_is_that_of_brute_force);
  RUN_TEST(bound_holds_at_any_work_limit);
  RUN_TEST(lists_stand_for_all);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
