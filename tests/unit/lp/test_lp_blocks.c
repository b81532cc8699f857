/* Blocks of bits: products against plain loops, and models with blocks against the same models
 * written out. */
#include "lp/block.h"
#include "lp_oracle.h"

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

static irl_bits_matrix random_bits(irl_random *random, uint32_t columns, uint32_t rows) {
  irl_bits_matrix bits;
  if (irl_bits_matrix_init(env, &bits, columns, rows)) abort();
  const uint64_t one_in = 2 + irl_random_below(random, 4);
  for (uint32_t j = 0; j < columns; j++)
    for (uint32_t i = 0; i < rows; i++)
      if (irl_random_below(random, one_in) == 0) irl_bits_set(irl_bits_vector(&bits, j), i);
  return bits;
}

TEST products(void) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    irl_random random;
    irl_random_init(&random, seed, 0);
    const uint32_t m = 1 + (uint32_t)irl_random_below(&random, 700);
    const uint32_t n = 1 + (uint32_t)irl_random_below(&random, 150), r0 = 3, c0 = 2;
    irl_bits_matrix bits = random_bits(&random, n, m), rows;
    ASSERT_EQ(IRL_STATUS_OK, irl_bits_transposed(env, &bits, &rows, 1));
    const irl_lp_block block = {&bits, r0, c0, seed % 2 ? -1.5 : 2, seed % 3 == 0};
    double *y = calloc(m + r0, sizeof *y), *x = calloc(n + c0, sizeof *x);
    double *by_column = calloc(n + c0, sizeof *y), *by_row = calloc(m + r0, sizeof *y);
    double *sparse = calloc(n + c0, sizeof *y), *sums = calloc(IRL_LP_BLOCK_TABLE, sizeof *y);
    uint32_t *index = calloc(m + r0, sizeof *index), n_index = 0;
    for (uint32_t i = 0; i < m + r0; i++) {
      y[i] = irl_random_below(&random, 5) < seed % 5 ? 0 : irl_random_real(&random) - 0.5;
      if (y[i] != 0) index[n_index++] = i;
    }
    for (uint32_t j = 0; j < n + c0; j++)
      x[j] = irl_random_below(&random, 4) ? 0 : irl_random_real(&random);
    irl_lp_block_price(&block, y, sums, by_column);
    irl_lp_block_price_sparse(&block, &rows, y, index, n_index, sparse);
    irl_lp_block_multiply(&block, x, sums, by_row);
    for (uint32_t j = 0; j < n; j++) {
      double sum = 0;
      for (uint32_t i = 0; i < m; i++)
        if (irl_lp_block_get(&block, i, j)) sum += block.coefficient * y[r0 + i];
      ASSERT_IN_RANGE(sum, by_column[c0 + j], 1e-11);
      ASSERT_IN_RANGE(sum, sparse[c0 + j], 1e-11);
      ASSERT_IN_RANGE(sum, irl_lp_block_dot(&block, c0 + j, y), 1e-11);
    }
    for (uint32_t i = 0; i < m; i++) {
      double sum = 0;
      for (uint32_t j = 0; j < n; j++)
        if (irl_lp_block_get(&block, i, j)) sum += block.coefficient * x[c0 + j];
      ASSERT_IN_RANGE(sum, by_row[r0 + i], 1e-11);
    }
    ASSERT(by_column[0] == 0 && by_row[0] == 0);
    free(y), free(x), free(by_column), free(by_row), free(sparse), free(sums), free(index);
    irl_bits_matrix_free(&bits);
    irl_bits_matrix_free(&rows);
  }
  PASS();
}

/* Choose at most K of n covers: cases want one (y <= sum), controls none (K y >= sum). */
static irl_lp *cover_model(const irl_bits_matrix *bits, uint32_t n_cases, bool expands) {
  irl_lp *lp;
  const uint32_t m = (uint32_t)bits->n_bits, n = (uint32_t)bits->n_vectors, K = 3;
  if (irl_lp_create(env, &lp)) abort();
  for (uint32_t i = 0; i < m; i++)
    if (irl_lp_add_row(lp, i < n_cases ? -INFINITY : 0, i < n_cases ? 0 : INFINITY, NULL)) abort();
  if (irl_lp_add_row(lp, -INFINITY, K, NULL)) abort();
  for (uint32_t j = 0; j < n; j++)
    if (irl_lp_add_column(lp, 0.01 * j, 0, 1, &(irl_lp_terms){1, &m, (double[]){1}})) abort();
  for (uint32_t i = 0; i < m; i++)
    if (irl_lp_add_column(lp, i < n_cases ? -1 : 1, 0, 1,
                          &(irl_lp_terms){1, &i, (double[]){i < n_cases ? 1 : (double)K}}))
      abort();
  const irl_lp_block block = {bits, 0, 0, -1, false};
  if (!expands && irl_lp_add_block(lp, &block)) abort();
  for (uint32_t i = 0; expands && i < m; i++)
    for (uint32_t j = 0; j < n; j++)
      if (irl_lp_block_get(&block, i, j) && irl_lp_add_entry(lp, i, j, -1)) abort();
  return lp;
}

TEST same_as_written_out(void) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    irl_random random;
    double bound;
    irl_random_init(&random, seed, 1);
    const uint32_t m = 2 + (uint32_t)irl_random_below(&random, 150);
    irl_bits_matrix bits = random_bits(&random, 1 + (uint32_t)irl_random_below(&random, 40), m);
    irl_lp *lp = cover_model(&bits, m / 2, false), *other = cover_model(&bits, m / 2, true);
    for (int step = 0; step < 4; step++) {
      const irl_lp_result a = solve_lp(env, lp), b = solve_lp(env, other);
      ASSERT_EQ(IRL_LP_OPTIMAL, a.end);
      ASSERT_EQ(IRL_LP_OPTIMAL, b.end);
      ASSERT(is_close(a.objective, b.objective));
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_safe_bound(lp, irl_lp_dual(lp), &bound));
      ASSERT(bound <= a.objective + 1e-12 && bound > a.objective - 1e-8);
      const uint32_t j = (uint32_t)irl_random_below(&random, bits.n_vectors);
      irl_lp_set_bounds(lp, j, step % 2, step % 2);
      irl_lp_set_bounds(other, j, step % 2, step % 2);
      if (step % 2) irl_lp_set_bounds(lp, j, 0, 1), irl_lp_set_bounds(other, j, 0, 1);
    }
    irl_lp_free(lp);
    irl_lp_free(other);
    irl_bits_matrix_free(&bits);
  }
  PASS();
}

TEST outside_is_refused(void) {
  irl_random random;
  irl_lp *lp;
  irl_random_init(&random, 1, 2);
  irl_bits_matrix bits = random_bits(&random, 3, 5);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_create(env, &lp));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_lp_add_block(lp, &(irl_lp_block){&bits, 0, 0, 1, false}));
  irl_lp_free(lp);
  irl_bits_matrix_free(&bits);
  PASS();
}

SUITE(blocks) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(products);
  RUN_TEST(same_as_written_out);
  RUN_TEST(outside_is_refused);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(blocks);
  GREATEST_MAIN_END();
}
