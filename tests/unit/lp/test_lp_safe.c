/* Safe bounds against exact arithmetic: all numbers are multiples of powers of two that are small
 * enough for sums of products to fit 128 bits, so the true bound is known to the last digit. */
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

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;

/* Units: entries 2^-55, y and costs 2^-52, so products and the bound are in 2^-107. */
enum { ENTRY_BITS = 55, DUAL_BITS = 52, BOUND_BITS = ENTRY_BITS + DUAL_BITS };

static int64_t random_units(irl_random *random) {
  return (int64_t)(irl_random_next(random) >> 11) - ((int64_t)1 << 52);
}

typedef struct exact {
  uint32_t m, n;
  int64_t a[6][6], y[6], c[6];
  int lower[6], upper[6], row_lower[6], row_upper[6];
} exact;

static exact random_exact(irl_random *random) {
  exact e = {.m = 1 + (uint32_t)irl_random_below(random, 6),
             .n = 1 + (uint32_t)irl_random_below(random, 6)};
  for (uint32_t i = 0; i < e.m; i++) {
    e.y[i] = random_units(random);
    e.row_lower[i] = small_integer(random, -3, 2);
    e.row_upper[i] = e.row_lower[i] + small_integer(random, 0, 3);
    for (uint32_t j = 0; j < e.n; j++) e.a[i][j] = random_units(random);
  }
  for (uint32_t j = 0; j < e.n; j++) {
    e.c[j] = random_units(random);
    e.lower[j] = small_integer(random, -3, 2);
    e.upper[j] = e.lower[j] + small_integer(random, 0, 3);
  }
  return e;
}

static wide smaller(wide a, wide b) {
  return a < b ? a : b;
}

static wide true_bound(const exact *e) {
  wide sum = 0;
  for (uint32_t j = 0; j < e->n; j++) {
    wide d = (wide)e->c[j] * ((int64_t)1 << ENTRY_BITS);
    for (uint32_t i = 0; i < e->m; i++) d -= (wide)e->a[i][j] * e->y[i];
    sum += smaller(d * e->lower[j], d * e->upper[j]);
  }
  for (uint32_t i = 0; i < e->m; i++) {
    const wide y = (wide)e->y[i] * ((int64_t)1 << ENTRY_BITS);
    sum += smaller(y * e->row_lower[i], y * e->row_upper[i]);
  }
  return sum;
}

static irl_lp *model_of_exact(const exact *e) {
  irl_lp *lp;
  if (irl_lp_create(env, &lp)) abort();
  for (uint32_t i = 0; i < e->m; i++)
    if (irl_lp_add_row(lp, e->row_lower[i], e->row_upper[i], NULL)) abort();
  for (uint32_t j = 0; j < e->n; j++) {
    uint32_t rows[6];
    double values[6];
    for (uint32_t i = 0; i < e->m; i++) {
      rows[i] = i;
      values[i] = ldexp((double)e->a[i][j], -ENTRY_BITS);
    }
    if (irl_lp_add_column(lp, ldexp((double)e->c[j], -DUAL_BITS), e->lower[j], e->upper[j],
                          &(irl_lp_terms){e->m, rows, values}))
      abort();
  }
  return lp;
}

TEST never_above(void) {
  for (uint64_t seed = 1; seed <= 5000; seed++) {
    irl_random random;
    double y[6], bound;
    irl_random_init(&random, seed, 0);
    const exact e = random_exact(&random);
    const wide wanted = true_bound(&e);
    irl_lp *lp = model_of_exact(&e);
    for (uint32_t i = 0; i < e.m; i++) y[i] = ldexp((double)e.y[i], -DUAL_BITS);
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_safe_bound(lp, y, &bound));
    irl_lp_free(lp);
    const double scaled = ldexp(bound, BOUND_BITS);
    if ((wide)floor(scaled) > wanted) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    ASSERT((wide)floor(scaled) <= wanted);
    ASSERT((double)(wanted - (wide)floor(scaled)) < ldexp(1e-12, BOUND_BITS));
  }
  PASS();
}
#else
TEST never_above(void) {
  SKIPm("the exact sums need integers of 128 bits");
}
#endif

/* Below the optimum for any y, near it for the optimal one. */
TEST below_the_optimum(void) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    irl_random random;
    double bound, y[MAX_M];
    irl_random_init(&random, seed, 1);
    const dense d = random_dense(&random, 8, 10, false);
    irl_lp *lp = model_of(env, &d);
    const irl_lp_result result = solve_lp(env, lp);
    if (result.end == IRL_LP_OPTIMAL) {
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_safe_bound(lp, irl_lp_dual(lp), &bound));
      ASSERT(bound <= result.objective + 1e-12 && bound > result.objective - 1e-9);
      for (uint32_t i = 0; i < d.m; i++) y[i] = irl_random_real(&random) * 4 - 2;
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_safe_bound(lp, y, &bound));
      ASSERT(bound <= result.objective && isfinite(bound));
    }
    irl_lp_free(lp);
  }
  PASS();
}

TEST unbounded_columns(void) {
  irl_lp *lp;
  double bound;
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_create(env, &lp));
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_column(lp, 1, 0, INFINITY, NULL));
  ASSERT_EQ(IRL_STATUS_OK,
            irl_lp_add_row(lp, 2, INFINITY, &(irl_lp_terms){1, (uint32_t[]){0}, (double[]){1}}));
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_safe_bound(lp, (double[]){0.5}, &bound));
  ASSERT(bound <= 1 && bound > 0.999);
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_safe_bound(lp, (double[]){1.5}, &bound));
  ASSERT(bound == -INFINITY);
  ASSERT_EQ(IRL_STATUS_OK,
            irl_lp_safe_bound(lp, (double[]){-3}, &bound)); /* no upper side: y = 0 */
  ASSERT(bound <= 0 && bound > -1e-9);
  irl_lp_free(lp);
  PASS();
}

SUITE(safe) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(never_above);
  RUN_TEST(below_the_optimum);
  RUN_TEST(unbounded_columns);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(safe);
  GREATEST_MAIN_END();
}
