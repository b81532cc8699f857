/* Random linear and integer models, with coefficients from nice to nasty, in our engine and in
 * glpsol; where they differ cbc is asked too. Small integer ones are enumerated as well by
 * test_milp.c and test_lp_simplex.c. What fails is made smaller and left in build/test-agree-lp.
 *
 * IRL_FUZZ=N tries N models, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "fuzzing.h"
#include "ireland_model.h"
#include "model_arrays.h"
#include "support.h"
#include <math.h>

#define FOLDER    "build/test-agree-lp"
#define TOLERANCE 1e-6 /* of objectives, relative: what the other solvers promise */
#define EDGE      1e-4 /* of rows: how far theirs may be from the model that was given */

enum { MOST_ROWS = 8, MOST_COLUMNS = 8 };

typedef struct model {
  uint32_t m, n;
  double a[MOST_ROWS][MOST_COLUMNS], cost[MOST_COLUMNS];
  double low[MOST_ROWS], high[MOST_ROWS], lower[MOST_COLUMNS], upper[MOST_COLUMNS];
  uint8_t is_integer[MOST_COLUMNS];
} model;

/* How a solver ended. */
typedef struct answer {
  enum { OTHER, OPTIMAL, INFEASIBLE } end;
  double value;
} answer;

static irl_env *env;
static irl_random numbers;
static uint64_t seed = 4;
static unsigned long long n_same, n_infeasible, n_other, n_alone, n_edge;
static double largest_difference;

static int64_t below(uint64_t n) {
  return (int64_t)irl_random_below(&numbers, n);
}

/* Kinds: small integers, decimals, orders of magnitude, large integers. */
static double coefficient(int kind) {
  const double sign = below(2) ? 1 : -1;
  switch (kind) {
  case 0:
    return (double)(below(9) - 4);
  case 1:
    return sign * (double)below(100000) / 1000;
  case 2:
    return sign * pow(10, (double)below(8001) / 1000 - 4);
  default:
    return sign * (double)below(1000000);
  }
}

static model draw_model(void) {
  const int kind = (int)below(4);
  model d = {.m = 1 + (uint32_t)below(MOST_ROWS), .n = 1 + (uint32_t)below(MOST_COLUMNS)};
  const bool has_integers = below(2), has_point = below(6) > 0; /* one that all rows allow */
  double point[MOST_COLUMNS];
  for (uint32_t j = 0; j < d.n; j++) {
    d.cost[j] = coefficient(kind);
    d.is_integer[j] = has_integers && below(3) > 0;
    d.lower[j] = below(4) ? 0 : (double)(below(5) - 4);
    d.upper[j] = below(5) || d.is_integer[j] ? d.lower[j] + (double)below(12) : INFINITY;
    if (!d.is_integer[j] && below(12) == 0) d.lower[j] = -INFINITY;
    point[j] = fmin(isfinite(d.lower[j]) ? d.lower[j] + (double)below(4) : 0, d.upper[j]);
  }
  for (uint32_t i = 0; i < d.m; i++) {
    double middle = 0;
    for (uint32_t j = 0; j < d.n; j++) {
      d.a[i][j] = below(3) ? coefficient(kind) : 0;
      middle += d.a[i][j] * (has_point ? point[j] : (double)below(4));
    }
    middle = kind == 0 || kind == 3 ? floor(middle) : middle;
    if (kind == 1 || kind == 2) middle -= fabs(middle) * 1e-3;
    const int64_t side = below(5);
    d.low[i] = side == 0 ? -INFINITY : middle;
    d.high[i] = side == 1 ? INFINITY : side == 2 ? middle : middle + fabs(coefficient(kind));
  }
  return d;
}

static irl_model *build(const model *d) {
  size_t start[MOST_COLUMNS + 1] = {0}, k = 0;
  uint32_t rows[MOST_ROWS * MOST_COLUMNS];
  double values[MOST_ROWS * MOST_COLUMNS];
  irl_model *made;
  for (uint32_t j = 0; j < d->n; j++) {
    for (uint32_t i = 0; i < d->m; i++)
      if (d->a[i][j] != 0) {
        rows[k] = i;
        values[k++] = d->a[i][j];
      }
    start[j + 1] = k;
  }
  const model_view view = {.n_rows = d->m,
                           .n_columns = d->n,
                           .cost = d->cost,
                           .lower = d->lower,
                           .upper = d->upper,
                           .is_integer = d->is_integer,
                           .row_lower = d->low,
                           .row_upper = d->high,
                           .start = start,
                           .rows = rows,
                           .values = values};
  if (model_of_arrays(env, &view, &made)) abort();
  return made;
}

/* Our own answer, with the model left in files. */
static answer ours(const model *d) {
  irl_model *made = build(d);
  irl_options options = options_of(env, "threads", "1", NULL);
  irl_solution solution = {.size = sizeof solution};
  if (irl_model_write(env, made, FOLDER "/model.lp") ||
      irl_model_write(env, made, FOLDER "/model.mps") ||
      irl_model_solve(env, made, &options, &solution)) {
    fprintf(stderr, "%s\n", irl_env_error(env));
    abort();
  }
  irl_model_free(made);
  if (solution.outcome == IRL_OUTCOME_INFEASIBLE) return (answer){INFEASIBLE, 0};
  if (solution.outcome != IRL_OUTCOME_OPTIMAL) return (answer){OTHER, 0};
  return (answer){OPTIMAL, solution.objective};
}

/* The first line of FOLDER/out that begins with `word`, or "". */
static const char *line_of(const char *word) {
  static char line[400];
  FILE *f = fopen(FOLDER "/out", "r");
  if (!f) return "";
  while (fgets(line, sizeof line, f))
    if (!strncmp(line, word, strlen(word))) {
      fclose(f);
      return line;
    }
  fclose(f);
  return "";
}

static answer glpsol(void) {
  remove_file(FOLDER "/out");
  if (system("glpsol --lp " FOLDER "/model.lp --nopresol --tmlim 10 -o " FOLDER
             "/out >/dev/null 2>&1"))
    return (answer){OTHER, 0};
  const char *status = line_of("Status:");
  const bool is_optimal = strstr(status, "OPTIMAL");
  const bool is_empty = strstr(status, "EMPTY") || strstr(status, "INFEASIBLE");
  const char *objective = strchr(line_of("Objective:"), '=');
  if (is_optimal && objective) return (answer){OPTIMAL, strtod(objective + 1, NULL)};
  return (answer){is_empty ? INFEASIBLE : OTHER, 0};
}

static answer cbc(void) {
  remove_file(FOLDER "/out");
  if (system("cbc " FOLDER "/model.mps ratio 0 sec 10 solve solution " FOLDER
             "/out >/dev/null 2>&1"))
    return (answer){OTHER, 0};
  const char *line = line_of("");
  const char *value = strstr(line, "objective value");
  if (!strncmp(line, "Optimal", 7) && value) return (answer){OPTIMAL, strtod(value + 15, NULL)};
  return (answer){!strncmp(line, "Infeasible", 10) ? INFEASIBLE : OTHER, 0};
}

static double difference(double a, double b) {
  return fabs(a - b) / fmax(1, fmax(fabs(a), fabs(b)));
}

static bool contradict(answer a, answer b) {
  if (a.end == OTHER || b.end == OTHER) return false;
  return a.end != b.end || (a.end == OPTIMAL && difference(a.value, b.value) > TOLERANCE);
}

/* All rows wider by a little, or narrower if it is negative, down to a point. */
static model widened(const model *d, double little) {
  model w = *d;
  for (uint32_t i = 0; i < d->m; i++) {
    if (isfinite(w.low[i])) w.low[i] -= little * (1 + fabs(w.low[i]));
    if (isfinite(w.high[i])) w.high[i] += little * (1 + fabs(w.high[i]));
    if (w.low[i] > w.high[i]) w.low[i] = w.high[i] = (d->low[i] + d->high[i]) / 2;
  }
  return w;
}

/* Others, who scale a model and round it, may be right about one that is nearly the same. */
static bool is_edge(const model *d, answer other) {
  const model wide = widened(d, EDGE), narrow = widened(d, -EDGE);
  const answer low = ours(&wide), high = ours(&narrow);
  if (other.end == INFEASIBLE) return high.end != OPTIMAL;
  return low.end == OPTIMAL && low.value <= other.value + TOLERANCE * fabs(other.value) &&
         (high.end != OPTIMAL || high.value >= other.value - TOLERANCE * fabs(other.value));
}

/* Do two solvers say that we are wrong? One alone may be wrong itself. */
static bool is_wrong(const model *d) {
  const answer mine = ours(d);
  const answer other = glpsol();
  if (!contradict(mine, other)) {
    n_same += mine.end == OPTIMAL && other.end == OPTIMAL;
    n_infeasible += mine.end == INFEASIBLE && other.end == INFEASIBLE;
    n_other += mine.end == OTHER || other.end == OTHER;
    if (mine.end == OPTIMAL && other.end == OPTIMAL)
      largest_difference = fmax(largest_difference, difference(mine.value, other.value));
    return false;
  }
  const answer third = cbc();
  const bool are_two = third.end != OTHER && !contradict(other, third);
  if (are_two && !is_edge(d, third)) return true;
  n_edge += are_two;
  n_alone += !are_two;
  return false;
}

/* ---- smaller ---- */

static bool reduce(model *d, uint32_t i) {
  if (i < d->m) {
    d->m--;
    memcpy(d->a[i], d->a[d->m], sizeof d->a[i]);
    d->low[i] = d->low[d->m];
    d->high[i] = d->high[d->m];
    return true;
  }
  i -= d->m;
  if (i < d->n) {
    d->n--;
    for (uint32_t r = 0; r < d->m; r++) d->a[r][i] = d->a[r][d->n];
    d->cost[i] = d->cost[d->n];
    d->lower[i] = d->lower[d->n];
    d->upper[i] = d->upper[d->n];
    d->is_integer[i] = d->is_integer[d->n];
    return d->n > 0;
  }
  i -= d->n;
  if (i < d->m * d->n) return d->a[i / d->n][i % d->n] = 0, true;
  i -= d->m * d->n;
  if (i < d->n) return d->is_integer[i] = 0, true;
  i -= d->n;
  if (i < d->m * d->n) return d->a[i / d->n][i % d->n] = round(d->a[i / d->n][i % d->n]), true;
  return false;
}

static void shrink(model *d) {
  for (uint32_t i = 0;; i++) {
    model smaller = *d;
    if (!reduce(&smaller, i)) break;
    if (!memcmp(&smaller, d, sizeof smaller) || !is_wrong(&smaller)) continue;
    *d = smaller;
    i = UINT32_MAX;
  }
  ours(d); /* the files are those of the smallest */
}

static model numbered_model(uint64_t of_seed, uint64_t number) {
  irl_random_init(&numbers, of_seed, (unsigned)number);
  return draw_model();
}

/* A row that no point can satisfy, whose proof had small multipliers of other rows in it. */
TEST no_trouble_with_past_ones(void) {
  const model d = numbered_model(21, 24051);
  ASSERT_EQ(INFEASIBLE, ours(&d).end);
  PASS();
}

TEST models_agree(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 60);
  if (system("command -v glpsol >/dev/null 2>&1")) SKIPm("glpsol is not installed");
  for (uint64_t i = first; i < first + n; i++) {
    model d = numbered_model(seed, i);
    if (!is_wrong(&d)) continue;
    printf("seed %llu, model %llu\n", (unsigned long long)seed, (unsigned long long)i);
    shrink(&d);
    FAILm("two solvers do not agree with ours: " FOLDER "/model.lp");
  }
  printf("%llu optima the same, largest relative difference %.2g; %llu infeasible, %llu other "
         "ends; glpsol alone differs %llu times; on the edge of feasibility %llu\n",
         n_same, largest_difference, n_infeasible, n_other, n_alone, n_edge);
  PASS();
}

SUITE(agree_lp) {
  seed = number_of("IRL_FUZZ_SEED", seed);
  make_folder(FOLDER);
  if (irl_env_create(NULL, &env)) abort();
  RUN_TEST(no_trouble_with_past_ones);
  RUN_TEST(models_agree);
  irl_env_free(env);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(agree_lp);
  GREATEST_MAIN_END();
}
