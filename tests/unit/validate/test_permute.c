/* The permutation test: tails against sums of binomials, the strongest clause of shuffled labels
 * against a walk over all clauses one by one, p-values against their definition. */
#include "ireland_data.h"
#include "ireland_study.h"
#include "rule/hypergeometric.h"
#include "support.h"
#include "validate/max_statistic.h"
#include <math.h>

#define SEED 5u

static irl_env *env;
static irl_random numbers;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
  irl_random_init(&numbers, SEED, 1);
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

static double choose(uint32_t n, uint32_t k) {
  double product = 1;
  for (uint32_t i = 1; i <= k; i++) product = product * (n - k + i) / i;
  return round(product);
}

/* P(X >= hits) by its definition. */
static double tail(uint32_t n1, uint32_t n0, uint32_t covered, uint32_t hits) {
  double sum = 0;
  for (uint32_t x = hits; x <= covered && x <= n1; x++)
    if (covered - x <= n0) sum += choose(n1, x) * choose(n0, covered - x);
  return sum / choose(n1 + n0, covered);
}

TEST tails_are_those_of_binomials(void) {
  for (uint32_t n1 = 0; n1 <= 9; n1++)
    for (uint32_t n0 = 0; n0 <= 9; n0++) {
      irl_hypergeometric h;
      uint32_t need[20];
      ASSERT_EQ(IRL_STATUS_OK, irl_hypergeometric_init(env, &h, n1, n0));
      for (uint32_t c = 0; c <= n1 + n0; c++)
        for (uint32_t hits = 0; hits <= c + 1; hits++)
          ASSERT_IN_RANGE(tail(n1, n0, c, hits), exp(irl_hypergeometric_tail(&h, c, hits)), 1e-12);
      for (double p = 1; p > 1e-4; p *= 0.37) {
        irl_hypergeometric_needs(&h, log(p), need);
        for (uint32_t c = 0; c <= n1 + n0; c++) {
          uint32_t least = 0;
          while (least <= c && least <= n1 && tail(n1, n0, c, least) > p * (1 + 1e-9)) least++;
          ASSERT_EQ_FMT(least <= c && least <= n1 ? least : UINT32_MAX, need[c], "%u");
        }
      }
      irl_hypergeometric_free(env, &h);
    }
  PASS();
}

/* Far out, where the tail is below the smallest double: 400 of 400 covered of 1000 and 1000. */
TEST tails_reach_below_doubles(void) {
  irl_hypergeometric h;
  double sum = 0;
  ASSERT_EQ(IRL_STATUS_OK, irl_hypergeometric_init(env, &h, 5000, 5000));
  for (uint32_t i = 0; i < 1500; i++) sum += log((5000.0 - i) / (10000.0 - i));
  ASSERT_IN_RANGE(sum, irl_hypergeometric_tail(&h, 1500, 1500), 1e-8);
  ASSERT(sum < -1000);
  irl_hypergeometric_free(env, &h);
  PASS();
}

/* The strongest of all clauses of at most M of the literals, for cases as given; recursion over
 * bytes. */
typedef struct brute {
  uint8_t literals[16][80], is_case[80];
  uint32_t n, J, M, n1;
  double best;
} brute;

static void descend(brute *b, const uint8_t *cover, uint32_t first, uint32_t left) {
  for (uint32_t j = first; j < b->J; j++) {
    uint8_t own[80];
    uint32_t c = 0, hits = 0;
    for (uint32_t i = 0; i < b->n; i++) {
      own[i] = cover[i] & b->literals[j][i];
      c += own[i];
      hits += own[i] & b->is_case[i];
    }
    irl_hypergeometric h;
    if (irl_hypergeometric_init(env, &h, b->n1, b->n - b->n1)) abort();
    b->best = fmin(b->best, irl_hypergeometric_tail(&h, c, hits));
    irl_hypergeometric_free(env, &h);
    if (left > 1) descend(b, own, j + 1, left - 1);
  }
}

TEST strongest_clauses_agree_with_brute_force(void) {
  for (unsigned round = 0; round < 40; round++) {
    enum { SHUFFLES = 11 };
    brute b = {.n = 20 + (uint32_t)irl_random_below(&numbers, 60),
               .M = 1 + (uint32_t)irl_random_below(&numbers, 3)};
    const uint32_t J = 2 + (uint32_t)irl_random_below(&numbers, 6);
    const bool negations = round % 2;
    uint8_t labels[80], all[80], cells[80 * 8];
    for (uint32_t i = 0; i < b.n; i++) {
      labels[i] = i < 2 ? i : irl_random_below(&numbers, 3) == 0;
      b.n1 += labels[i];
      all[i] = 1;
      for (uint32_t j = 0; j < J; j++) cells[i * J + j] = irl_random_below(&numbers, 3) > 0;
    }
    irl_data *data;
    ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK,
                   irl_data_from_bytes(env, b.n, J, cells, labels, NULL, &data), "%d");
    irl_bits_matrix joined;
    ASSERT_EQ(IRL_STATUS_OK, irl_classes_join(env, data, negations, &joined));
    b.J = negations ? 2 * J : J;
    ASSERT_EQ(b.J, joined.n_vectors);
    for (uint32_t j = 0; j < b.J; j++)
      for (uint32_t i = 0; i < b.n; i++)
        b.literals[j][i] = irl_bits_get(irl_bits_vector(&joined, j), i);
    irl_bits_matrix shuffles;
    double best[SHUFFLES], log_p[4] = {0, log(0.2), log(0.02), log(0.001)};
    uint32_t levels[SHUFFLES];
    ASSERT_EQ(IRL_STATUS_OK, irl_bits_matrix_init(env, &shuffles, SHUFFLES, b.n));
    for (uint32_t s = 0; s < SHUFFLES; s++) {
      memset(b.is_case, 0, sizeof b.is_case);
      for (uint32_t k = 0; k < b.n1;) {
        const uint64_t i = irl_random_below(&numbers, b.n);
        if (b.is_case[i]) continue;
        b.is_case[i] = 1;
        k++;
        irl_bits_set(irl_bits_vector(&shuffles, s), i);
      }
      b.best = 0;
      descend(&b, all, 0, b.M);
      best[s] = b.best;
    }
    if (round % 3 == 0) log_p[3] = best[0] < log_p[2] ? best[0] : log_p[2]; /* ties are reached */
    irl_limit limit;
    irl_options options;
    bool is_done = false;
    irl_options_init(&options, sizeof options);
    irl_limit_init(&limit, env, &options);
    const irl_max_problem problem = {&joined, b.n1, b.M, {log_p, 4}, &shuffles, &limit};
    ASSERT_EQ(IRL_STATUS_OK, irl_max_statistic(env, &problem, levels, &is_done));
    ASSERT(is_done);
    for (uint32_t s = 0; s < SHUFFLES; s++) {
      uint32_t wanted = 0;
      while (wanted < 4 && best[s] <= log_p[wanted] + 1e-9) wanted++;
      ASSERT_EQ_FMT(wanted, levels[s], "%u");
    }
    irl_bits_matrix_free(&shuffles);
    irl_bits_matrix_free(&joined);
    irl_data_free(data);
  }
  PASS();
}

SUITE(permute_suite) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(tails_are_those_of_binomials);
  RUN_TEST(tails_reach_below_doubles);
  RUN_TEST(strongest_clauses_agree_with_brute_force);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  printf("seed %u\n", SEED);
  RUN_SUITE(permute_suite);
  GREATEST_MAIN_END();
}
