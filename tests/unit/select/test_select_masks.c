/* select: budget masks against all choices of pools that are large enough for every rule of the
 * search; samples of one to several words; each rule on and off gives the same optimum. The
 * checker's own search says the same. */
#include "base/random.h"
#include "greatest.h"
#include "select/select.h"
#include "verify/verify_parts.h"
#include <stdlib.h>

#define SEED    7u
#define PUZZLES 250 /* unless IRELAND_PUZZLES says otherwise, with a seed of IRELAND_SEED */

static irl_env *env;
static irl_random numbers;

typedef struct puzzle {
  irl_data data; /* numbers of samples alone */
  irl_clause_set clauses;
  uint32_t K;
  irl_problem problem;
} puzzle;

static uint32_t below(uint64_t n) {
  return (uint32_t)irl_random_below(&numbers, n);
}

/* Clauses as ANDs of random features: they share samples as those of data do. */
static void draw(puzzle *p, uint32_t n, uint32_t n_cases, uint32_t n_controls) {
  enum { FEATURES = 12 };
  irl_bits_matrix features[2];
  const uint32_t n_samples[2] = {n_cases, n_controls};
  irl_bits_matrix *covers[2] = {&p->clauses.cases, &p->clauses.controls};
  p->data = (irl_data){.n_cases = n_cases, .n_controls = n_controls};
  p->clauses = (irl_clause_set){.n = n, .max_size = 3};
  p->clauses.sizes = irl_mem_alloc(&env->allocator, n, sizeof *p->clauses.sizes);
  for (int class = 0; class < 2; class ++) {
    irl_bits_matrix_init(env, &features[class], FEATURES, n_samples[class]);
    irl_bits_matrix_init(env, covers[class], n, n_samples[class]);
    for (uint32_t f = 0; f < FEATURES; f++)
      for (uint32_t i = 0; i < n_samples[class]; i++)
        if (below(100) < (class ? 30u + 3 * f : 70u - 2 * f))
          irl_bits_set(irl_bits_vector(&features[class], f), i);
  }
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t size = 1 + below(3);
    p->clauses.sizes[k] = size;
    uint32_t literals[3];
    for (uint32_t t = 0; t < size; t++) literals[t] = below(2 * FEATURES);
    for (int class = 0; class < 2; class ++)
      for (uint32_t i = 0; i < n_samples[class]; i++) {
        bool is_covered = true;
        for (uint32_t t = 0; t < size; t++)
          is_covered =
              is_covered && irl_bits_get(irl_bits_vector(&features[class], literals[t] / 2), i) ==
                                !(literals[t] & 1);
        if (is_covered) irl_bits_set(irl_bits_vector(covers[class], k), i);
      }
  }
  irl_bits_matrix_free(&features[0]);
  irl_bits_matrix_free(&features[1]);
  p->problem = (irl_problem){.data = &p->data,
                             .K = p->K,
                             .M = 3,
                             .case_weight = 1,
                             .control_weight = 1,
                             .max_controls = UINT64_MAX,
                             .max_literals = UINT64_MAX,
                             .max_complexity = UINT64_MAX};
}

static void drop(puzzle *p) {
  irl_bits_matrix_free(&p->clauses.cases);
  irl_bits_matrix_free(&p->clauses.controls);
  irl_mem_free(&env->allocator, p->clauses.sizes);
}

/* The least loss of a choice of at most `left` clauses from number `first` on beyond what is
 * covered; vectors of `depth` in `scratch`. */
static int64_t brute_force(const puzzle *p, uint32_t first, uint32_t left, uint64_t *scratch) {
  const irl_problem *q = &p->problem;
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t a = p->clauses.cases.stride, b = p->clauses.controls.stride;
  const uint64_t cases = kernels->count(scratch, a), controls = kernels->count(scratch + a, b);
  int64_t best = IRL_NO_LOSS;
  if (controls <= q->max_controls && cases >= q->min_cases)
    best = q->case_weight * (int64_t)(p->clauses.cases.n_bits - cases) +
           q->control_weight * (int64_t)controls + q->clause_penalty * (int64_t)(p->K - left);
  for (uint32_t k = first; k < p->clauses.cases.n_vectors && left; k++) {
    uint64_t *next = scratch + a + b;
    kernels->or_into(next, scratch, irl_bits_vector(&p->clauses.cases, k), a);
    kernels->or_into(next + a, scratch + a, irl_bits_vector(&p->clauses.controls, k), b);
    const int64_t loss = brute_force(p, k + 1, left - 1, next);
    if (loss < best) best = loss;
  }
  return best;
}

/* What the checker's own search says of a claim that no choice has less loss than `best`. */
static bool checker_finds_better(const puzzle *p, int64_t best) {
  const irl_problem *q = &p->problem;
  irl_verify_meter meter =
      irl_verify_start_meter(&(irl_limit){.env = env, .max_work = UINT64_MAX}, 0);
  const size_t a = p->clauses.cases.stride, b = p->clauses.controls.stride;
  irl_verify_view view = {.env = env,
                          .meter = &meter,
                          .kernels = irl_bits_kernels(),
                          .n_cases = (uint32_t)p->clauses.cases.n_bits,
                          .n_controls = (uint32_t)p->clauses.controls.n_bits,
                          .cases = {.words = a, .weight = q->case_weight},
                          .controls = {.offset = a, .words = b, .weight = q->control_weight},
                          .stride = a + b};
  irl_verify_limits limits = {
      .K = p->K,
      .M = 3,
      .max_literals = UINT64_MAX,
      .max_complexity = UINT64_MAX,
      .best = best,
      .max_uncovered = q->case_weight * ((int64_t)p->clauses.cases.n_bits - (int64_t)q->min_cases),
      .max_controls = q->max_controls > p->clauses.controls.n_bits
                          ? INT64_MAX / 4
                          : q->control_weight * (int64_t)q->max_controls};
  irl_verify_state root = {.left = p->K,
                           .uncovered = q->case_weight * (int64_t)p->clauses.cases.n_bits};
  irl_verify_pool pool = {.width = limits.M + 1};
  irl_verify_choice choice = {.view = &view,
                              .limits = &limits,
                              .state = &root,
                              .pool = &pool,
                              .known = IRL_VERIFY_ALL_KNOWN};
  uint64_t *cover = irl_mem_alloc_aligned(&env->allocator, a + b, sizeof *cover);
  irl_verify_state_init(&view, &root);
  irl_bits_fill(root.live, view.n_cases, a);
  irl_bits_fill(root.live + a, view.n_controls, b);
  for (uint32_t k = 0; k < p->clauses.cases.n_vectors; k++) {
    memcpy(cover, irl_bits_vector(&p->clauses.cases, k), a * sizeof *cover);
    memcpy(cover + a, irl_bits_vector(&p->clauses.controls, k), b * sizeof *cover);
    irl_verify_pool_add(&view, &pool, cover, NULL, p->clauses.sizes[k]);
  }
  irl_verify_pool_reduce(&view, &pool);
  irl_verify_choose(&choice);
  irl_verify_pool_free(&view, &pool);
  irl_verify_state_free(env, &root);
  irl_mem_free_aligned(&env->allocator, cover);
  return choice.is_better;
}

static enum greatest_test_res check(puzzle *p) {
  const irl_limit limit = {.env = env, .max_work = UINT64_MAX};
  const size_t words = p->clauses.cases.stride + p->clauses.controls.stride;
  uint64_t *scratch = irl_mem_alloc_aligned(&env->allocator, (p->K + 1) * words, sizeof *scratch);
  const int64_t expected = brute_force(p, 0, p->K, scratch);
  irl_mem_free_aligned(&env->allocator, scratch);
  for (int round = 0; round < 6; round++) {
    uint32_t chosen[8];
    irl_select_result r;
    irl_select_task task = irl_select_task_of(&p->problem, &p->clauses, 1 + (int)below(3));
    task.rules = round == 0 ? 0 : round == 1 ? IRL_SELECT_ALWAYS : below(128);
    /* A target just above the optimum is the hardest; a loose one finds it on the way. */
    task.to_beat = below(2) || expected == IRL_NO_LOSS ? IRL_NO_LOSS : expected + (int64_t)below(2);
    ASSERT_EQ(IRL_STATUS_OK, irl_select_solve(env, &task, &limit, chosen, &r));
    ASSERT_EQ_FMT((long long)(expected < task.to_beat ? expected : task.to_beat),
                  (long long)r.bound, "%lld");
    if (task.to_beat > expected) ASSERT_EQ_FMT((long long)expected, (long long)r.loss, "%lld");
  }
  if (expected < IRL_NO_LOSS && !p->problem.clause_penalty && p->problem.control_weight) {
    ASSERT_FALSE(checker_finds_better(p, expected));
    ASSERT(checker_finds_better(p, expected + 1));
  }
  PASS();
}

static void draw_limits(puzzle *p) {
  if (!below(4)) p->problem.case_weight = 1 + below(5);
  if (!below(4)) p->problem.control_weight = below(6);
  if (!below(5)) p->problem.max_controls = below((uint32_t)p->clauses.controls.n_bits);
  if (!below(5)) p->problem.min_cases = below((uint32_t)p->clauses.cases.n_bits);
  if (!below(6)) p->problem.clause_penalty = below(5);
}

TEST masks_agree_with_all_choices(void) {
  const char *many = getenv("IRELAND_PUZZLES");
  for (int i = 0, n_puzzles = many ? atoi(many) : PUZZLES; i < n_puzzles; i++) {
    puzzle p = {.K = 2 + below(3)};
    const uint32_t n = p.K == 2 ? 20 + below(200) : p.K == 3 ? 20 + below(50) : 12 + below(18);
    draw(&p, n, 10 + below(120), 10 + below(120));
    draw_limits(&p);
    CHECK_CALL(check(&p));
    drop(&p);
  }
  PASS();
}

/* Across the words of columns and the widths of registers, for both classes. */
TEST sizes_cross_every_word(void) {
  for (uint32_t words = 1; words <= 26; words++)
    for (int i = 0; i < 3; i++) {
      puzzle p = {.K = 2 + below(2)};
      const uint32_t small = 30 + below(60), large = 64 * words + below(3) - 1;
      const bool is_case = below(2);
      draw(&p, p.K == 2 ? 60 : 30, is_case ? large : small, is_case ? small : large);
      CHECK_CALL(check(&p));
      drop(&p);
    }
  PASS();
}

SUITE(select_masks) {
  RUN_TEST(masks_agree_with_all_choices);
  RUN_TEST(sizes_cross_every_word);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  if (irl_env_create(NULL, &env)) return 1;
  GREATEST_MAIN_BEGIN();
  const char *given = getenv("IRELAND_SEED");
  const uint64_t seed = given ? strtoull(given, NULL, 10) : SEED;
  irl_random_init(&numbers, seed, 0);
  printf("seed %llu\n", (unsigned long long)seed);
  RUN_SUITE(select_masks);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
