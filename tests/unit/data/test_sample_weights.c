/* Sums of sample weights against adding them up one by one, of any length, whatever the kernels. */
#include "base/memory.h"
#include "base/random.h"
#include "data/sample_weights.h"
#include "support.h"

static irl_env *env;

/* Weights of a kind: all the same, the first ones the same, any, large ones, with a divisor. */
static int64_t draw_weight(irl_random *random, uint32_t kind, size_t i, size_t n) {
  if (kind == 0 || (kind == 1 && i < n / 2)) return 6;
  if (kind == 3) return (int64_t)irl_random_below(random, (uint64_t)1 << 39);
  return (kind == 4 ? 5 : 1) * (int64_t)irl_random_below(random, 9);
}

static enum greatest_test_res check_sums(irl_random *random, size_t n) {
  const size_t words = irl_bits_stride(n);
  const uint32_t kind = (uint32_t)irl_random_below(random, 5);
  irl_sample_weights weights = {0};
  irl_bits_matrix vectors;
  ASSERT_EQ(IRL_STATUS_OK, irl_bits_matrix_init(env, &vectors, 2, n));
  ASSERT_EQ(IRL_STATUS_OK, irl_sample_weights_init(env, &weights, n));
  uint64_t *x = irl_bits_vector(&vectors, 0), *y = irl_bits_vector(&vectors, 1);
  int64_t total = 0, in_x = 0, in_both = 0, least = INT64_MAX, most = 0;
  for (size_t i = 0; i < n; i++) {
    const int64_t weight = weights.each[i] = draw_weight(random, kind, i, n);
    if (irl_random_below(random, 3)) irl_bits_set(x, i);
    if (irl_random_below(random, 2)) irl_bits_set(y, i);
    total += weight;
    if (irl_bits_get(x, i)) in_x += weight;
    if (irl_bits_get(x, i) && irl_bits_get(y, i)) in_both += weight;
    if (weight < least) least = weight;
    if (weight > most) most = weight;
  }
  ASSERT_EQ(IRL_STATUS_OK, irl_sample_weights_finish(env, &weights, n));
  ASSERT_EQ(total, weights.total);
  ASSERT(weights.least == least && weights.most == most);
  for (size_t i = 0; i < n && weights.unit; i++) ASSERT_EQ(0, weights.each[i] % weights.unit);
  ASSERT_EQ(in_x, irl_sample_weights_sum(&weights, x, x, words));
  ASSERT_EQ(in_both, irl_sample_weights_sum(&weights, x, y, words));
  irl_sample_weights_free(&weights, &env->allocator);
  irl_bits_matrix_free(&vectors);
  PASS();
}

TEST sums_are_those_of_each(void) {
  irl_random random;
  irl_random_init(&random, 7, 0);
  for (int round = 0; round < 2000; round++)
    CHECK_CALL(check_sums(&random, 1 + irl_random_below(&random, round % 10 ? 700 : 20000)));
  PASS();
}

TEST none_weigh_one(void) {
  const irl_sample_weights none = {0};
  irl_bits_matrix ones;
  ASSERT_EQ(IRL_STATUS_OK, irl_bits_matrix_init(env, &ones, 1, 1000));
  irl_bits_fill(ones.words, 777, ones.stride);
  ASSERT_EQ(777, irl_sample_weights_sum(&none, ones.words, ones.words, ones.stride));
  irl_bits_matrix_free(&ones);
  PASS();
}

SUITE(sample_weights) {
  RUN_TEST(sums_are_those_of_each);
  RUN_TEST(none_weigh_one);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(sample_weights);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
