/* bits/equal_rows: groups of equal vectors, against a loop over all pairs. */
#include "base/random.h"
#include "bits/bits.h"
#include "greatest.h"
#include <time.h>

#define MOST_VECTORS 40u
#define ROUNDS       400u

static irl_env *env;
static irl_random numbers;

/* Few different vectors of few ones, so that many are equal, some in the last bit only. */
static irl_bits_matrix draw(size_t n_vectors, size_t n_bits) {
  irl_bits_matrix matrix;
  if (irl_bits_matrix_init(env, &matrix, n_vectors, n_bits)) abort();
  for (size_t i = 0; i < n_vectors; i++) {
    uint64_t *vector = irl_bits_vector(&matrix, i);
    if (irl_random_below(&numbers, 2)) irl_bits_set(vector, n_bits - 1);
    if (irl_random_below(&numbers, 2)) irl_bits_set(vector, irl_random_below(&numbers, n_bits));
  }
  return matrix;
}

static bool is_equal(const irl_bits_matrix *a, const irl_bits_matrix *b, size_t i, size_t j) {
  for (size_t bit = 0; bit < a->n_bits; bit++) {
    const bool x = irl_bits_get(
        irl_bits_vector(i < a->n_vectors ? a : b, i < a->n_vectors ? i : i - a->n_vectors), bit);
    const bool y = irl_bits_get(
        irl_bits_vector(j < a->n_vectors ? a : b, j < a->n_vectors ? j : j - a->n_vectors), bit);
    if (x != y) return false;
  }
  return true;
}

TEST groups_are_those_of_all_pairs(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    const size_t n_bits = 1 + irl_random_below(&numbers, 700);
    const size_t n_a = 1 + irl_random_below(&numbers, MOST_VECTORS);
    const size_t n_b =
        irl_random_below(&numbers, 2) ? 1 + irl_random_below(&numbers, MOST_VECTORS) : 0;
    uint32_t group_of[2 * MOST_VECTORS], first[2 * MOST_VECTORS], size[2 * MOST_VECTORS], n = 0;
    irl_equal_rows groups = {0, group_of, first, size};
    irl_bits_matrix a = draw(n_a, n_bits), b = draw(n_b ? n_b : 1, n_bits);
    ASSERT_EQ(IRL_STATUS_OK, irl_equal_rows_find(env, &a, n_b ? &b : NULL, &groups));
    for (size_t i = 0; i < n_a + n_b; i++) {
      size_t before = 0, all = 0;
      while (!is_equal(&a, &b, before, i)) before++;
      for (size_t j = 0; j < n_a + n_b; j++) all += is_equal(&a, &b, i, j);
      if (before == i) { /* the first of its group */
        ASSERT_EQ(n, group_of[i]);
        ASSERT_EQ(i, first[n]);
        n++;
      }
      ASSERT_EQ(group_of[before], group_of[i]);
      ASSERT_EQ(all, size[group_of[i]]);
    }
    ASSERT_EQ(n, groups.n);
    irl_bits_matrix_free(&a);
    irl_bits_matrix_free(&b);
  }
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  const char *given = getenv("SEED");
  const unsigned long seed = given ? strtoul(given, NULL, 10) : (unsigned long)time(NULL);
  printf("seed %lu\n", seed);
  if (irl_env_create(NULL, &env)) return 1;
  irl_random_init(&numbers, seed, 0);
  RUN_TEST(groups_are_those_of_all_pairs);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
