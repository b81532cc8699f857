/* The factorisation: solves against the matrix itself, over updates, for sparse, dense, singular
 * and nearly empty matrices. */
#include "base/random.h"
#include "lp/lu.h"
#include "support.h"
#include <math.h>

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* A square matrix by columns, dense beside sparse. */
typedef struct square {
  uint32_t m;
  double *a; /* column j at a + j * m */
  irl_lp_lists columns;
} square;

static void compress(square *s) {
  size_t used = 0;
  for (uint32_t j = 0; j < s->m; j++) {
    s->columns.start[j] = used;
    for (uint32_t i = 0; i < s->m; i++) {
      if (s->a[(size_t)j * s->m + i] == 0) continue;
      s->columns.index[used] = i;
      s->columns.value[used++] = s->a[(size_t)j * s->m + i];
    }
  }
  s->columns.start[s->m] = s->columns.used = used;
  s->columns.n = s->m;
}

static square make_square(irl_random *random, uint32_t m, uint32_t density) {
  square s = {m, calloc((size_t)m * m, sizeof(double)), {0}};
  s.columns.start = calloc(m + 1, sizeof(size_t));
  s.columns.index = calloc((size_t)m * m, sizeof(uint32_t));
  s.columns.value = calloc((size_t)m * m, sizeof(double));
  for (size_t k = 0; k < (size_t)m * m; k++)
    if (irl_random_below(random, 100) < density) s.a[k] = irl_random_real(random) * 4 - 2;
  for (uint32_t j = 0; j < m; j++)
    if (irl_random_below(random, 3)) s.a[(size_t)j * m + (j * 7 + 3) % m] = 3;
  compress(&s);
  return s;
}

static void free_square(square *s) {
  free(s->a);
  free(s->columns.start);
  free(s->columns.index);
  free(s->columns.value);
}

/* Column at position p: `name[p]` of the matrix. max |B x - b| and max |B'y - b|. */
static double residual(irl_lp_lu *lu, const square *s, const uint32_t *name, const double *b,
                       bool is_transposed) {
  irl_lp_vector v;
  irl_arena arena;
  double worst = 0;
  irl_arena_init(&arena, &env->allocator);
  if (!irl_lp_vector_init(&arena, &v, s->m)) abort();
  memcpy(v.x, b, s->m * sizeof *b);
  v.n = s->m;
  if (is_transposed)
    irl_lp_lu_btran(lu, &v, false);
  else
    irl_lp_lu_ftran(lu, &v, false);
  for (uint32_t k = 0; k < s->m; k++) {
    double sum = -b[k];
    for (uint32_t p = 0; p < s->m; p++)
      sum += is_transposed ? v.x[p] * s->a[(size_t)name[k] * s->m + p]
                           : v.x[p] * s->a[(size_t)name[p] * s->m + k];
    worst = fmax(worst, fabs(sum));
  }
  double size = 1;
  for (uint32_t p = 0; p < s->m; p++) size = fmax(size, fabs(v.x[p]));
  irl_arena_free(&arena);
  return worst / size;
}

/* Puts a new random column at a position. */
static enum greatest_test_res exchange(irl_random *random, irl_lp_lu *lu, square *s,
                                       const uint32_t *name) {
  irl_lp_vector column, unit;
  irl_arena arena;
  const uint32_t p = (uint32_t)irl_random_below(random, s->m);
  irl_arena_init(&arena, &env->allocator);
  if (!irl_lp_vector_init(&arena, &column, s->m) || !irl_lp_vector_init(&arena, &unit, s->m))
    abort();
  double *to = s->a + (size_t)name[p] * s->m;
  memset(to, 0, s->m * sizeof *to);
  for (int k = 0; k < 4; k++) to[irl_random_below(random, s->m)] = irl_random_real(random) + 0.5;
  memcpy(column.x, to, s->m * sizeof *to);
  column.n = s->m;
  unit.x[p] = 1;
  unit.n = s->m;
  irl_lp_lu_btran(lu, &unit, true);
  irl_lp_lu_ftran(lu, &column, true);
  const double pivot = column.x[p];
  irl_arena_free(&arena);
  if (fabs(pivot) < 1e-2) SKIP();
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_update(lu, p, pivot));
  PASS();
}

TEST solves(uint64_t seed) {
  irl_random random;
  irl_lp_lu lu;
  irl_random_init(&random, seed, 0);
  const uint32_t m = 1 + (uint32_t)irl_random_below(&random, seed % 10 ? 60 : 200);
  square s = make_square(&random, m, (uint32_t)irl_random_below(&random, seed % 3 ? 8 : 60));
  double *b = calloc(m, sizeof *b);
  uint32_t *name = calloc(m, sizeof *name);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_init(env, &lu, m));
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_factor(&lu, &s.columns));
  uint32_t row = 0;
  while (lu.n_deficient) {
    for (uint32_t j = 0; j < m; j++) {
      if (lu.row_of_column[j] != UINT32_MAX) continue;
      while (lu.column_of_row[row] != UINT32_MAX) row++;
      memset(s.a + (size_t)j * m, 0, m * sizeof(double));
      s.a[(size_t)j * m + row++] = -1;
    }
    compress(&s);
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_factor(&lu, &s.columns));
    row = 0;
  }
  for (uint32_t j = 0; j < m; j++) name[lu.row_of_column[j]] = j;
  for (int round = 0; round < 20; round++) {
    for (uint32_t i = 0; i < m; i++)
      b[i] = irl_random_below(&random, 4) ? 0 : irl_random_real(&random) - 0.5;
    ASSERT(residual(&lu, &s, name, b, false) < 1e-8);
    ASSERT(residual(&lu, &s, name, b, true) < 1e-8);
    if (exchange(&random, &lu, &s, name) != GREATEST_TEST_RES_PASS) break;
  }
  irl_lp_lu_free(&lu);
  free_square(&s);
  free(b);
  free(name);
  PASS();
}

TEST random_matrices(void) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    if (solves(seed) == GREATEST_TEST_RES_PASS) continue;
    fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    FAIL();
  }
  PASS();
}

/* Over several panels; a request to stop ends it, and the next one is whole again. */
TEST long_dense(void) {
  irl_random random;
  irl_lp_lu lu;
  irl_limit limit = {.env = env, .deadline = 1e-9, .max_work = UINT64_MAX};
  const uint32_t m = 300;
  irl_random_init(&random, 5, 1);
  square s = make_square(&random, m, 100);
  double *b = calloc(m, sizeof *b);
  uint32_t *name = calloc(m, sizeof *name);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_init(env, &lu, m));
  lu.limit = &limit;
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_factor(&lu, &s.columns));
  ASSERT(lu.is_cut);
  lu.limit = NULL;
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_factor(&lu, &s.columns));
  ASSERT(!lu.is_cut);
  ASSERT_EQ_FMT(m, lu.n_dense, "%u");
  for (uint32_t j = 0; j < m; j++) name[lu.row_of_column[j]] = j;
  for (uint32_t i = 0; i < m; i++) b[i] = irl_random_real(&random) - 0.5;
  ASSERT(residual(&lu, &s, name, b, false) < 1e-8);
  ASSERT(residual(&lu, &s, name, b, true) < 1e-8);
  irl_lp_lu_free(&lu);
  free_square(&s);
  free(b);
  free(name);
  PASS();
}

/* Full matrices go to the dense end, triangular ones are peeled whole. */
TEST stages(void) {
  irl_random random;
  irl_lp_lu lu;
  irl_random_init(&random, 1, 1);
  square s = make_square(&random, 50, 100);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_init(env, &lu, 50));
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_factor(&lu, &s.columns));
  ASSERT_EQ_FMT(50u, lu.n_dense, "%u");
  for (uint32_t j = 0; j < 50; j++)
    for (uint32_t i = 0; i < 50; i++)
      s.a[j * 50 + i] = i == j ? 1 : i > j ? irl_random_real(&random) : 0;
  compress(&s);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_factor(&lu, &s.columns));
  ASSERT_EQ_FMT(0u, lu.n_active, "%u");
  for (uint32_t i = 0; i < 50; i++) s.a[49 * 50 + i] = s.a[48 * 50 + i];
  compress(&s);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_factor(&lu, &s.columns));
  ASSERT_EQ_FMT(1u, lu.n_deficient, "%u");
  irl_lp_lu_free(&lu);
  free_square(&s);
  PASS();
}

SUITE(factors) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(random_matrices);
  RUN_TEST(long_dense);
  RUN_TEST(stages);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(factors);
  GREATEST_MAIN_END();
}
