/* select: against all subsets of tiny pools, with every kind of bound and both losses; made so that
 * covers share controls as well as at random; the same for any number of threads; bounds at limits;
 * choices hidden in pools that are too large for a proof. */
#include "base/memory.h"
#include "base/random.h"
#include "greatest.h"
#include "select/select_pool.h"

#define MAX_CLAUSES 12u
#define SEED        42u

static irl_env *env;
static irl_random numbers;

typedef struct pool {
  irl_data data; /* numbers of samples alone */
  irl_clause_set clauses;
  irl_problem problem;
  irl_select_task task;
} pool;

static uint32_t below(uint64_t n) {
  return (uint32_t)irl_random_below(&numbers, n);
}

static void fill(irl_bits_matrix *m, uint64_t chance) {
  for (size_t i = 0; i < m->n_vectors; i++)
    for (size_t j = 0; j < m->n_bits; j++)
      if (irl_random_bits(&numbers, chance) & 1) irl_bits_set(irl_bits_vector(m, i), j);
}

/* Some clauses get the controls of another one, or cases that contain another's. */
static void share(pool *p) {
  const uint32_t n = (uint32_t)p->clauses.n;
  for (uint32_t i = 0; i < n / 2; i++) {
    irl_bits_matrix *m = below(3) ? &p->clauses.controls : &p->clauses.cases;
    uint64_t *to = irl_bits_vector(m, below(n));
    const uint64_t *from = irl_bits_vector(m, below(n));
    for (size_t w = 0; w < m->stride; w++) to[w] = below(2) ? from[w] : to[w] | from[w];
  }
}

/* n clauses without samples, weights and limits. */
static void init(pool *p, uint32_t n, uint32_t n_cases, uint32_t n_controls, uint32_t K) {
  *p = (pool){.data = {.n_cases = n_cases, .n_controls = n_controls},
              .clauses = {.n = n, .max_size = 4}};
  irl_bits_matrix_init(env, &p->clauses.cases, n, n_cases);
  irl_bits_matrix_init(env, &p->clauses.controls, n, n_controls);
  p->clauses.sizes = irl_mem_alloc(&env->allocator, n, sizeof *p->clauses.sizes);
  for (uint32_t k = 0; k < n; k++) p->clauses.sizes[k] = 1;
  p->problem = (irl_problem){.data = &p->data,
                             .K = K,
                             .M = 4,
                             .case_weight = 1,
                             .control_weight = 1,
                             .max_controls = UINT64_MAX,
                             .max_literals = UINT64_MAX,
                             .max_complexity = UINT64_MAX};
  p->task = irl_select_task_of(&p->problem, &p->clauses, 1);
}

static void draw(pool *p) {
  const uint32_t n = 1 + below(MAX_CLAUSES), n1 = 1 + below(30), n0 = 1 + below(30);
  init(p, n, n1, n0, 1 + below(5));
  fill(&p->clauses.cases, (uint64_t)1 << (29 + below(3)));
  fill(&p->clauses.controls, (uint64_t)1 << (27 + below(5)));
  if (below(2)) share(p);
  p->problem.case_weight = 1 + below(n0);
  p->problem.control_weight = below(n1 + 1);
  const bool has_sizes = below(2);
  for (uint32_t k = 0; k < n && has_sizes; k++) p->clauses.sizes[k] = 1 + below(4);
  if (below(4) == 0) p->problem.penalty = below(5);
  if (below(4) == 0) p->problem.clause_penalty = below(10);
  if (below(3) == 0) p->problem.max_controls = below(n0 + 1);
  if (below(3) == 0) p->problem.min_cases = below(n1 + 1);
  if (below(3) == 0) p->problem.max_literals = below(12);
  if (below(3) == 0) p->problem.max_complexity = below(16);
  p->problem.is_hamming = below(2);
  p->task.proof_share = 1 + below(3);
  p->task.rules = below(64) & below(64);
  if (below(3)) p->task.rules |= IRL_SELECT_ALWAYS;
}

static void drop(pool *p) {
  irl_bits_matrix_free(&p->clauses.cases);
  irl_bits_matrix_free(&p->clauses.controls);
  irl_mem_free(&env->allocator, p->clauses.sizes);
}

static uint64_t covered(const irl_bits_matrix *m, uint32_t set) {
  uint64_t n = 0;
  for (size_t i = 0; i < m->n_bits; i++) {
    bool is_covered = false;
    for (uint32_t k = 0; k < m->n_vectors; k++)
      is_covered = is_covered || (set >> k & 1 && irl_bits_get(irl_bits_vector(m, k), i));
    n += is_covered;
  }
  return n;
}

/* Each sample once for each clause that covers it. */
static uint64_t covered_by_each(const irl_bits_matrix *m, uint32_t set) {
  uint64_t n = 0;
  for (uint32_t k = 0; k < m->n_vectors; k++)
    if (set >> k & 1) n += covered(m, 1u << k);
  return n;
}

static int64_t loss_of(const pool *from, uint32_t set) {
  const irl_problem *p = &from->problem;
  const irl_clause_set *list = &from->clauses;
  uint64_t literals = 0;
  int64_t loss = 0;
  if ((uint32_t)__builtin_popcount(set) > p->K) return IRL_NO_LOSS;
  for (uint32_t k = 0; k < list->n; k++)
    if (set >> k & 1) {
      literals += list->sizes[k];
      loss += p->clause_penalty + p->penalty * (1 + list->sizes[k]);
    }
  const uint64_t cases = covered(&list->cases, set), controls = covered(&list->controls, set);
  const uint64_t complexity = literals + (uint64_t)__builtin_popcount(set);
  if (literals > p->max_literals || complexity > p->max_complexity || cases < p->min_cases ||
      controls > p->max_controls)
    return IRL_NO_LOSS;
  const uint64_t paid = p->is_hamming ? covered_by_each(&list->controls, set) : controls;
  return loss + p->case_weight * (int64_t)(list->cases.n_bits - cases) +
         p->control_weight * (int64_t)paid;
}

static int64_t brute_force(const pool *p) {
  int64_t best = IRL_NO_LOSS;
  for (uint32_t set = 0; set < 1u << p->clauses.n; set++) {
    const int64_t loss = loss_of(p, set);
    if (loss < best) best = loss;
  }
  return best;
}

static irl_limit limit_of(int64_t work) {
  irl_options options;
  irl_limit limit;
  irl_options_init(&options, sizeof options);
  options.limits.work_limit = work;
  irl_limit_init(&limit, env, &options);
  return limit;
}

static uint32_t set_of(const uint32_t *chosen, uint32_t n) {
  uint32_t set = 0;
  for (uint32_t i = 0; i < n; i++) set |= 1u << chosen[i];
  return set;
}

static enum greatest_test_res check_one(const pool *p, int64_t expected, int max_threads) {
  uint32_t chosen[64], again[64];
  irl_select_result r, r2;
  irl_limit limit = limit_of(0);
  ASSERT_EQ(IRL_STATUS_OK, irl_select_solve(env, &p->task, &limit, chosen, &r));
  ASSERT_EQ(expected < IRL_NO_LOSS ? IRL_OUTCOME_OPTIMAL : IRL_OUTCOME_INFEASIBLE, r.outcome);
  ASSERT_EQ_FMT((long long)expected, (long long)r.loss, "%lld");
  ASSERT_EQ(expected, r.bound);
  if (expected < IRL_NO_LOSS) ASSERT_EQ(expected, loss_of(p, set_of(chosen, r.n)));
  for (int threads = 2; threads <= max_threads; threads += 6) {
    irl_select_task task = p->task;
    task.threads = threads;
    ASSERT_EQ(IRL_STATUS_OK, irl_select_solve(env, &task, &limit, again, &r2));
    ASSERT_EQ(r.nodes, r2.nodes);
    ASSERT_EQ(r.work, r2.work);
    ASSERT_EQ(r.n, r2.n);
    ASSERT_MEM_EQ(chosen, again, r.n * sizeof *chosen);
  }
  limit = limit_of(1 + (int64_t)below(400));
  ASSERT_EQ(IRL_STATUS_OK, irl_select_solve(env, &p->task, &limit, chosen, &r));
  ASSERT(r.bound <= expected);
  ASSERT(r.loss >= expected);
  if (r.loss < IRL_NO_LOSS) ASSERT_EQ(r.loss, loss_of(p, set_of(chosen, r.n)));
  irl_select_task without = p->task; /* an exact part */
  without.proof_share = 0;
  if (p->problem.K < 2) PASS();
  limit = limit_of(1 + (int64_t)below(40000));
  ASSERT_EQ(IRL_STATUS_OK, irl_select_solve(env, &without, &limit, chosen, &r));
  ASSERT(r.bound <= expected);
  ASSERT(r.loss >= expected);
  if (r.outcome == IRL_OUTCOME_OPTIMAL) ASSERT_EQ(expected, r.loss);
  if (r.loss < IRL_NO_LOSS) ASSERT_EQ(r.loss, loss_of(p, set_of(chosen, r.n)));
  PASS();
}

/* A pool in which six disjoint clauses hide among many that overlap: too large to prove much about
 * it at this limit, but the six are found. */
TEST tabu_finds_what_greed_misses(void) {
  enum { N = 60, HIDDEN = 6, ALL = 200 };
  pool p;
  irl_select_result first;
  uint32_t chosen[64];
  const irl_limit limit = limit_of(60000000);
  irl_random_init(&numbers, SEED, 1);
  init(&p, ALL, N, 1, HIDDEN);
  irl_bits_matrix *cases = &p.clauses.cases;
  for (uint32_t k = 0; k < ALL; k++)
    for (uint32_t i = 0; i < N / HIDDEN + (k >= HIDDEN); i++)
      irl_bits_set(irl_bits_vector(cases, k), k < HIDDEN ? i * HIDDEN + k : below(N));
  for (int threads = 1; threads <= 4; threads += 3) {
    irl_select_result r;
    p.task.threads = threads;
    ASSERT_EQ(IRL_STATUS_OK, irl_select_solve(env, &p.task, &limit, chosen, &r));
    if (threads == 1) first = r;
    ASSERT_EQ(0, r.loss);
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, r.outcome);
    ASSERT_EQ(first.work, r.work);
    for (uint32_t i = 0; i < HIDDEN; i++) ASSERT_EQ(i, chosen[i]);
  }
  drop(&p);
  PASS();
}

/* Ten clauses that cover all cases, some of them twice, among many of nearly their size that chance
 * made: greed from the right pair finds them, greed from single clauses does not. */
TEST pairs_find_what_greed_misses(void) {
  enum { N = 230, HIDDEN = 10, ALL = 1500 };
  pool p;
  irl_select_pool ready;
  irl_select_choice greedy = {.loss = IRL_NO_LOSS}, first = greedy;
  const irl_limit limit = limit_of(2000000000);
  uint64_t work = 0, first_work = 0;
  irl_random_init(&numbers, SEED, 2);
  init(&p, ALL, N, 1, HIDDEN);
  irl_bits_matrix *cases = &p.clauses.cases;
  for (uint32_t i = 0; i < N; i++) {
    irl_bits_set(irl_bits_vector(cases, below(HIDDEN)), i);
    if (!below(2)) irl_bits_set(irl_bits_vector(cases, below(HIDDEN)), i);
  }
  for (uint32_t k = HIDDEN; k < ALL; k++)
    for (uint32_t i = 0; i < 40 + below(6); i++) irl_bits_set(irl_bits_vector(cases, k), below(N));
  for (int threads = 1; threads <= 4; threads += 3) {
    irl_select_choice found = {.loss = IRL_NO_LOSS};
    p.task.threads = threads;
    ASSERT_EQ(IRL_STATUS_OK, irl_select_pool_init(env, &ready, &p.task, &limit));
    if (threads == 1)
      ASSERT_EQ(IRL_STATUS_OK, irl_select_greedy(env, &ready, &limit, &greedy, &work));
    work = 0;
    ASSERT_EQ(IRL_STATUS_OK, irl_select_from_pairs(env, &ready, &limit, &found, &work));
    ASSERT_EQ(0, found.loss);
    ASSERT(greedy.loss > 0);
    if (threads == 1) first = found, first_work = work;
    ASSERT_EQ(first_work, work);
    ASSERT_EQ(first.n, found.n);
    ASSERT_MEM_EQ(first.k, found.k, found.n * sizeof *found.k);
    irl_select_pool_free(&ready);
  }
  drop(&p);
  PASS();
}

/* Solves from a pool that was made ready for the problem without its bounds. */
static enum greatest_test_res check_prepared(const pool *p, int64_t expected) {
  uint32_t chosen[64];
  irl_problem loosest = p->problem;
  irl_select_task task = p->task;
  irl_select_pool *prepared;
  irl_select_result r;
  const irl_limit limit = limit_of(0);
  if (p->problem.is_hamming) PASS(); /* its costs are those of its weights */
  loosest.max_controls = loosest.max_literals = loosest.max_complexity = UINT64_MAX;
  loosest.min_cases = 0;
  loosest.case_weight = loosest.control_weight = 1;
  task.problem = &loosest;
  ASSERT_EQ(IRL_STATUS_OK, irl_select_prepare(env, &task, &limit, &prepared));
  for (int again = 0; again < 2; again++) {
    ASSERT_EQ(IRL_STATUS_OK,
              irl_select_solve_prepared(env, prepared, &p->task, &limit, chosen, &r));
    ASSERT_EQ(expected < IRL_NO_LOSS ? IRL_OUTCOME_OPTIMAL : IRL_OUTCOME_INFEASIBLE, r.outcome);
    ASSERT_EQ(expected, r.loss);
    ASSERT_EQ(expected, r.bound);
  }
  irl_select_release(prepared);
  PASS();
}

TEST equals_brute_force(void) {
  for (unsigned round = 0; round < 5000; round++) {
    pool p;
    draw(&p);
    CHECK_CALL(check_prepared(&p, brute_force(&p)));
    CHECK_CALL(check_one(&p, brute_force(&p), round % 30 ? 1 : 8));
    drop(&p);
  }
  PASS();
}

/* The trap of the design: B alone has a negative value, yet A or B is the best rule. */
TEST shared_controls_are_paid_once(void) {
  pool p;
  uint32_t chosen[2];
  irl_select_result r;
  const irl_limit limit = limit_of(0);
  init(&p, 2, 100, 100, 2);
  for (size_t i = 0; i < 60; i++)
    irl_bits_set(irl_bits_vector(&p.clauses.cases, i < 50 ? 0 : 1), i);
  for (size_t i = 0; i < 80; i++) irl_bits_set(irl_bits_vector(&p.clauses.controls, i % 2), i / 2);
  p.problem.case_weight = p.problem.control_weight = 100;
  ASSERT_EQ(IRL_STATUS_OK, irl_select_solve(env, &p.task, &limit, chosen, &r));
  ASSERT_EQ(8000, r.loss);
  ASSERT_EQ(2, r.n);
  drop(&p);
  PASS();
}

TEST start_is_used_and_K_is_checked(void) {
  pool p;
  uint32_t chosen[64] = {0};
  irl_select_result r;
  const irl_limit limit = limit_of(0);
  draw(&p);
  p.problem.K = 0;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_select_solve(env, &p.task, &limit, chosen, &r));
  p.problem.K = 65;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_select_solve(env, &p.task, &limit, chosen, &r));
  p.problem.K = 64;
  p.task.n_start = 1;
  ASSERT_EQ(IRL_STATUS_OK, irl_select_solve(env, &p.task, &limit, chosen, &r));
  drop(&p);
  PASS();
}

SUITE(select_suite) {
  printf("seed %u\n", SEED);
  RUN_TEST(equals_brute_force);
  RUN_TEST(shared_controls_are_paid_once);
  RUN_TEST(tabu_finds_what_greed_misses);
  RUN_TEST(pairs_find_what_greed_misses);
  RUN_TEST(start_is_used_and_K_is_checked);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  irl_random_init(&numbers, SEED, 0);
  RUN_SUITE(select_suite);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
