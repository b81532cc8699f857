/* Larger LPs with an optimum that is known by construction: a point and multipliers are drawn
 * first, then bounds and costs around them so that both are feasible and complementary. Staircases,
 * many equations, degenerate vertices, free columns, ranges, and entries over many orders of
 * magnitude, solved as they are, presolved, and after being scaled by rows and columns.
 *
 * IRL_FUZZ=N draws N times as many. The largest residuals are printed. */
#include "base/random.h"
#include "fuzzing.h"
#include "model/lp_names.h"
#include "support.h"
#include <math.h>

static irl_env *env;
static irl_lp_residuals largest;
static unsigned long long n_solves;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

typedef struct shape {
  uint32_t m, n, width; /* width: columns that a row may reach, around its place; n: all */
  double share_equations, share_tight;
  double powers; /* entries span 10^-powers .. 10^powers */
  double scales; /* rows and columns are multiplied by 10^-scales .. 10^scales */
} shape;

static double real_between(irl_random *random, double low, double high) {
  return low + (high - low) * irl_random_real(random);
}

static bool happens(irl_random *random, double share) {
  return irl_random_real(random) < share;
}

static double draw_entry(irl_random *random, double powers) {
  const double size = pow(10, real_between(random, -powers, powers));
  return (happens(random, 0.5) ? -1 : 1) * size * (1 + (double)irl_random_below(random, 3));
}

/* Bounds around x. Returns -1 at the lower, 1 at the upper one, 0 between, 2 fixed. */
static int draw_bounds(irl_random *random, double share_tight, double x, double *low, double *up) {
  const uint64_t kind = irl_random_below(random, 5);
  const bool is_tight = happens(random, share_tight);
  *low = kind == 0 || kind == 1 ? -INFINITY : is_tight ? x : x - real_between(random, 0.1, 5);
  *up = kind == 0 || kind == 2 ? INFINITY : x + real_between(random, 0.1, 5);
  if (kind == 1 && is_tight) *up = x;
  if (kind == 4 && happens(random, 0.3)) return *low = *up = x, 2;
  return *low == x ? -1 : *up == x ? 1 : 0;
}

static double draw_multiplier(irl_random *random, int at) {
  const double size = happens(random, 0.3) ? 0 : real_between(random, 0, 2);
  return at == 2 ? size - 1 : at < 0 ? size : at > 0 ? -size : 0;
}

/* Returns the model; *optimum is the cost of the point that was drawn. */
static irl_lp *draw(irl_random *random, const shape *s, double *optimum) {
  double *x = calloc(s->n, sizeof *x), *cost = calloc(s->n, sizeof *cost);
  double *scale = calloc(s->n, sizeof *scale);
  uint32_t columns[8];
  irl_lp *lp;
  if (irl_lp_create(env, &lp)) abort();
  for (uint32_t j = 0; j < s->n; j++) {
    double low, up;
    x[j] = happens(random, 0.5) ? 0 : (double)irl_random_below(random, 9) - 2;
    scale[j] = exp2(nearbyint(real_between(random, -3.3, 3.3) * s->scales));
    const int at = draw_bounds(random, 0.8, x[j], &low, &up);
    cost[j] = draw_multiplier(random, at);
    if (irl_lp_add_column(lp, 0, low / scale[j], up / scale[j], NULL)) abort();
  }
  for (uint32_t i = 0; i < s->m; i++) {
    double values[8], sum = 0, low, up;
    const double row_scale = exp2(nearbyint(real_between(random, -3.3, 3.3) * s->scales));
    const uint32_t first = s->width < s->n ? (uint32_t)((uint64_t)i * (s->n - s->width) / s->m) : 0;
    const uint32_t n = 1 + (uint32_t)irl_random_below(random, 6);
    uint32_t used = 0;
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t j = first + (uint32_t)irl_random_below(random, s->width);
      bool is_new = true;
      for (uint32_t e = 0; e < used; e++) is_new &= columns[e] != j;
      if (!is_new) continue;
      columns[used] = j;
      values[used] = draw_entry(random, s->powers);
      sum += values[used++] * x[j];
    }
    int at = 2;
    if (happens(random, s->share_equations))
      low = up = sum;
    else
      at = draw_bounds(random, s->share_tight, sum, &low, &up);
    const double y = draw_multiplier(random, at);
    for (uint32_t k = 0; k < used; k++) {
      cost[columns[k]] += y * values[k];
      values[k] *= row_scale * scale[columns[k]];
    }
    if (irl_lp_add_row(lp, low * row_scale, up * row_scale, &(irl_lp_terms){used, columns, values}))
      abort();
  }
  *optimum = 0;
  for (uint32_t j = 0; j < s->n; j++) {
    *optimum += cost[j] * x[j];
    irl_lp_set_cost(lp, j, cost[j] * scale[j]);
  }
  free(x);
  free(cost);
  free(scale);
  return lp;
}

static irl_status note_residuals(const irl_lp *lp) {
  irl_lp_residuals r;
  const irl_status status = irl_lp_kkt(lp, &r);
  if (status) return status;
  n_solves++;
  largest.primal = fmax(largest.primal, r.primal);
  largest.dual = fmax(largest.dual, r.dual);
  largest.gap = fmax(largest.gap, r.gap);
  return IRL_STATUS_OK;
}

TEST known_optimum(const shape *s, uint64_t seed) {
  irl_random random;
  irl_lp_options options;
  irl_lp_result result;
  double optimum;
  irl_random_init(&random, seed, 21);
  irl_lp *lp = draw(&random, s, &optimum);
  irl_lp_options_init(&options, env);
  for (int way = 0; way < 2; way++) {
    ASSERT_EQ(IRL_STATUS_OK, way ? irl_lp_solve(lp, &options, &result)
                                 : irl_lp_solve_presolved(lp, &options, &result));
    ASSERT_EQ_FMT((int)IRL_LP_OPTIMAL, (int)result.end, "%d");
    ASSERT_IN_RANGE(optimum, result.objective, 1e-7 * fmax(1, fabs(optimum)));
    ASSERT_EQ(IRL_STATUS_OK, note_residuals(lp));
  }
  irl_lp_free(lp);
  PASS();
}

TEST shapes(void) {
  static const shape all[] = {
      {20, 30, 30, 0.3, 0.5, 0, 0},     /* small, integers */
      {60, 90, 90, 0.6, 0.9, 0, 0},     /* degenerate */
      {150, 220, 24, 0.5, 0.6, 0.5, 0}, /* staircase */
      {100, 110, 20, 0.9, 0.5, 0.5, 0}, /* nearly all equations */
      {80, 120, 120, 0.3, 0.5, 1.5, 0}, /* entries over three orders */
      {60, 90, 90, 0.3, 0.5, 0.5, 1},   /* rows and columns scaled by up to 100 */
      {400, 600, 60, 0.5, 0.7, 0.3, 0}, /* larger */
  };
  const uint64_t times = number_of("IRL_FUZZ", 1);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    for (uint64_t seed = 1; seed <= times * (all[k].m < 300 ? 200 : 20); seed++) {
      if (known_optimum(&all[k], seed) == GREATEST_TEST_RES_PASS) continue;
      fprintf(stderr, "shape %zu, seed %llu\n", k, (unsigned long long)seed);
      FAIL();
    }
  printf("%llu solves, largest residuals, relative: primal %.1e, dual %.1e, gap %.1e\n", n_solves,
         largest.primal, largest.dual, largest.gap);
  PASS();
}

SUITE(hard) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(shapes);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(hard);
  GREATEST_MAIN_END();
}
