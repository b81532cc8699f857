/* AND/OR LPs: relaxations of the master problem (MP) and of BP1 on planted-like random bits, and
 * warm starts after one bound change. Seconds are processor time.
 *
 *   lp_andor mp N P [MPS]       a pool of P clauses of three literals over N samples, around five
 *                               planted ones, as a search leaves it; K = 5
 *   lp_andor covers N P [MPS]   the same with random covers: a fractional LP without structure
 *   lp_andor bp1 N J K [MPS]    the direct model
 *
 * A last argument writes the model for other solvers instead of solving it. LP_SECONDS=S stops the
 * first solve, LP_LOG=1 shows phases. */
#include "base/clock.h"
#include "base/random.h"
#include "bits/bits.h"
#include "lp/lp.h"
#include "model/lp_names.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WARM_COLUMNS 5u

typedef struct bench {
  irl_env *env;
  irl_bits_matrix cases, controls; /* vectors: features or clauses */
  uint32_t n_cases, n_controls;
} bench;

static void must(irl_env *env, irl_status status) {
  if (!status) return;
  fprintf(stderr, "%s\n", irl_env_error(env));
  exit(1);
}

/* Seconds of processor time: the machine may be busy with other things. */
static double cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Planted: a sample is a case if it has all three features of one of five clauses. */
static void make_bits(bench *b, uint32_t n, uint32_t columns, uint64_t chance) {
  irl_random random;
  uint64_t *words = calloc(irl_bits_stride(columns), sizeof *words);
  const uint32_t stride = (uint32_t)irl_bits_stride(columns);
  uint64_t *rows = calloc((size_t)n * stride, sizeof *rows);
  bool *is_case = calloc(n, sizeof *is_case);
  irl_random_init(&random, 1, 0);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t *row = rows + (size_t)i * stride;
    for (uint32_t w = 0; w < stride; w++) row[w] = irl_random_bits(&random, chance);
    for (uint32_t k = 0; k < 5 && 3 * k + 2 < columns; k++)
      is_case[i] |=
          irl_bits_get(row, 3 * k) && irl_bits_get(row, 3 * k + 1) && irl_bits_get(row, 3 * k + 2);
    if (irl_random_below(&random, 20) == 0) is_case[i] = !is_case[i];
    b->n_cases += is_case[i];
  }
  b->n_controls = n - b->n_cases;
  must(b->env, irl_bits_matrix_init(b->env, &b->cases, columns, b->n_cases));
  must(b->env, irl_bits_matrix_init(b->env, &b->controls, columns, b->n_controls));
  uint32_t at[2] = {0, 0};
  for (uint32_t i = 0; i < n; i++) {
    irl_bits_matrix *to = is_case[i] ? &b->cases : &b->controls;
    const uint32_t bit = at[is_case[i]]++;
    for (uint32_t j = 0; j < columns; j++)
      if (irl_bits_get(rows + (size_t)i * stride, j)) irl_bits_set(irl_bits_vector(to, j), bit);
  }
  free(words);
  free(rows);
  free(is_case);
}

/* From features to covers of P clauses: the five planted ones, then each with one literal
 * exchanged at random, so that the pool has rivals for every clause. */
static void make_pool(bench *b, uint32_t n, uint32_t P) {
  enum { J = 60 };
  irl_random random;
  make_bits(b, n, J, 1u << 31);
  bench features = *b;
  irl_random_init(&random, 2, 0);
  must(b->env, irl_bits_matrix_init(b->env, &b->cases, P, b->n_cases));
  must(b->env, irl_bits_matrix_init(b->env, &b->controls, P, b->n_controls));
  for (uint32_t p = 0; p < P; p++) {
    uint32_t literal[3] = {p % 5 * 3, p % 5 * 3 + 1, p % 5 * 3 + 2};
    if (p >= 5) literal[p % 3] = (uint32_t)irl_random_below(&random, J);
    for (int side = 0; side < 2; side++) {
      const irl_bits_matrix *from = side ? &features.controls : &features.cases;
      uint64_t *to = irl_bits_vector(side ? &b->controls : &b->cases, p);
      for (size_t w = 0; w < from->stride; w++)
        to[w] = irl_bits_vector(from, literal[0])[w] & irl_bits_vector(from, literal[1])[w] &
                irl_bits_vector(from, literal[2])[w];
    }
  }
  irl_bits_matrix_free(&features.cases);
  irl_bits_matrix_free(&features.controls);
}

static void add_rows(bench *b, irl_lp *lp, uint32_t n, double lower, double upper) {
  for (uint32_t i = 0; i < n; i++) must(b->env, irl_lp_add_row(lp, lower, upper, NULL));
}

static uint32_t add_column(bench *b, irl_lp *lp, double cost, uint32_t n, const uint32_t *rows,
                           const double *values) {
  must(b->env, irl_lp_add_column(lp, cost, 0, 1, &(irl_lp_terms){n, rows, values}));
  return irl_lp_n_columns(lp) - 1;
}

/* -1 for each one, from that row and column on; or 1 for each zero. */
static void add_bits(bench *b, irl_lp *lp, const irl_bits_matrix *bits, uint32_t row,
                     uint32_t column, bool is_complemented) {
  for (uint32_t i = 0; i < bits->n_bits; i++)
    for (uint32_t j = 0; j < bits->n_vectors; j++)
      if (irl_bits_get(irl_bits_vector(bits, j), i) != is_complemented)
        must(b->env, irl_lp_add_entry(lp, row + i, column + j, is_complemented ? 1 : -1));
}

/* min w1 sum(1 - y_case) + w0 sum y_control; cases: y <= sum of chosen covers; controls:
 * K y >= sum of chosen covers; at most K chosen. */
static irl_lp *build_mp(bench *b) {
  irl_lp *lp;
  const uint32_t n = b->n_cases + b->n_controls, K = 5;
  const double w1 = (double)b->n_controls / n, w0 = (double)b->n_cases / n;
  must(b->env, irl_lp_create(b->env, &lp));
  add_rows(b, lp, b->n_cases, -INFINITY, 0);
  add_rows(b, lp, b->n_controls, 0, INFINITY);
  add_rows(b, lp, 1, -INFINITY, K);
  const double one = 1, k = K;
  for (uint32_t p = 0; p < b->cases.n_vectors; p++) add_column(b, lp, 0, 1, &n, &one);
  for (uint32_t i = 0; i < n; i++)
    add_column(b, lp, i < b->n_cases ? -w1 : w0, 1, &i, i < b->n_cases ? &one : &k);
  irl_lp_set_constant(lp, w1 * b->n_cases);
  add_bits(b, lp, &b->cases, 0, 0, false);
  add_bits(b, lp, &b->controls, b->n_cases, 0, false);
  return lp;
}

/* Rows: K blocks of (cases, controls) AND rows, N OR rows, K size rows. Columns: K blocks of J
 * literals, K blocks of N t, N y. */
static irl_lp *build_bp1(bench *b, uint32_t K, uint32_t M) {
  irl_lp *lp;
  const uint32_t n = b->n_cases + b->n_controls, J = (uint32_t)b->cases.n_vectors;
  must(b->env, irl_lp_create(b->env, &lp));
  for (uint32_t k = 0; k < K; k++) {
    add_rows(b, lp, b->n_cases, -INFINITY, J);
    add_rows(b, lp, b->n_controls, 1, INFINITY);
  }
  add_rows(b, lp, b->n_cases, -INFINITY, 0);
  add_rows(b, lp, b->n_controls, 0, INFINITY);
  add_rows(b, lp, K, -INFINITY, M);
  const uint32_t first_or = K * n, first_size = first_or + n;
  for (uint32_t k = 0; k < K; k++)
    for (uint32_t j = 0; j < J; j++)
      add_column(b, lp, 0, 1, (uint32_t[]){first_size + k}, (double[]){1});
  for (uint32_t k = 0; k < K; k++)
    for (uint32_t i = 0; i < n; i++)
      add_column(b, lp, 0, 2, (uint32_t[]){k * n + i, first_or + i},
                 (double[]){i < b->n_cases ? J : 1, -1});
  for (uint32_t i = 0; i < n; i++)
    add_column(b, lp, i < b->n_cases ? -(double)b->n_controls / n : (double)b->n_cases / n, 1,
               (uint32_t[]){first_or + i}, (double[]){i < b->n_cases ? 1 : K});
  irl_lp_set_constant(lp, (double)b->n_controls / n * b->n_cases);
  for (uint32_t k = 0; k < K; k++) {
    add_bits(b, lp, &b->cases, k * n, k * J, true);
    add_bits(b, lp, &b->controls, k * n + b->n_cases, k * J, true);
  }
  return lp;
}

/* Returns the seconds, or 0 if there was a limit. */
static double solve(bench *b, irl_lp *lp) {
  irl_lp_options options;
  irl_lp_result result;
  irl_lp_options_init(&options, b->env);
  if (getenv("LP_SECONDS")) options.limit.deadline = irl_clock_now() + atof(getenv("LP_SECONDS"));
  const double start = cpu();
  must(b->env, irl_lp_solve(lp, &options, &result));
  const double seconds = cpu() - start;
  printf("end %d objective %.9g iterations %llu seconds %.3f peak %.0f MB\n", (int)result.end,
         result.objective, (unsigned long long)result.iterations, seconds, irl_clock_peak_mb());
  return result.end == IRL_LP_OPTIMAL ? seconds : 0;
}

/* The columns with the largest values that are not integral, as branching takes them; or, if there
 * are none, the largest. */
static uint32_t choose_columns(const irl_lp *lp, uint32_t columns, uint32_t *chosen) {
  bool *is_chosen = calloc(columns, sizeof *is_chosen);
  uint32_t n = 0;
  for (int integral = 0; integral < 2; integral++) {
    while (n < WARM_COLUMNS && n < columns) {
      uint32_t best = UINT32_MAX;
      for (uint32_t j = 0; j < columns; j++) {
        const double x = irl_lp_primal(lp)[j];
        if (is_chosen[j] || (!integral && fabs(x - nearbyint(x)) < 1e-6)) continue;
        if (best == UINT32_MAX || x > irl_lp_primal(lp)[best]) best = j;
      }
      if (best == UINT32_MAX) break;
      is_chosen[best] = true;
      chosen[n++] = best;
    }
  }
  free(is_chosen);
  return n;
}

/* As a branch and bound does it: each chosen column is fixed at 0, and at 1, from the basis of the
 * first solve. `first`: its seconds. */
static void branch(bench *b, irl_lp *lp, uint32_t columns, double first) {
  irl_lp_options options;
  irl_lp_result result;
  uint8_t *root = malloc((size_t)irl_lp_n_rows(lp) + irl_lp_n_columns(lp));
  uint32_t chosen[WARM_COLUMNS];
  const uint32_t n = choose_columns(lp, columns, chosen);
  irl_lp_options_init(&options, b->env);
  if (!root) abort();
  irl_lp_get_basis(lp, root);
  for (int value = 0; value < 2; value++) {
    uint64_t iterations = 0;
    double seconds = 0;
    for (uint32_t k = 0; k < n; k++) {
      irl_lp_set_basis(lp, root);
      irl_lp_set_bounds(lp, chosen[k], value, value);
      const double start = cpu();
      must(b->env, irl_lp_solve(lp, &options, &result));
      seconds += cpu() - start;
      iterations += result.iterations;
      irl_lp_set_bounds(lp, chosen[k], 0, 1);
    }
    printf(
        "warm, x = %d         mean of %u: iterations %.1f seconds %.4f, %.3f of the first solve\n",
        value, n, (double)iterations / n, seconds / n, seconds / n / first);
  }
  free(root);
}

static void logline(void *u, irl_log_kind k, const char *l) {
  (void)u;
  (void)k;
  fprintf(stderr, "%s\n", l);
}

#ifdef IRL_HAS_BLAS
extern void openblas_set_num_threads(int n);
#endif

int main(int argc, char **argv) {
  bench b = {0};
  setvbuf(stdout, NULL, _IOLBF, 0);
#ifdef IRL_HAS_BLAS
  openblas_set_num_threads(1);
#endif
  if (argc < 4) return 2;
  must(NULL, irl_env_create(NULL, &b.env));
  if (getenv("LP_LOG")) irl_env_set_log(b.env, logline, NULL);
  const bool is_pool = !strcmp(argv[1], "mp"), is_mp = is_pool || !strcmp(argv[1], "covers");
  const uint32_t n = (uint32_t)atoi(argv[2]), columns = (uint32_t)atoi(argv[3]);
  const uint32_t K = is_mp ? 5 : (uint32_t)atoi(argv[4]);
  const char *path = argc > (is_mp ? 4 : 5) ? argv[is_mp ? 4 : 5] : NULL;
  if (is_pool)
    make_pool(&b, n, columns);
  else
    make_bits(&b, n, columns, is_mp ? 1u << 29 : 1u << 31);
  const double start = cpu();
  irl_lp *lp = is_mp ? build_mp(&b) : build_bp1(&b, K, 4);
  if (path) {
    irl_lp_names model = {.env = b.env, .lp = lp, .name = "andor", .objective = ""};
    must(b.env, irl_lp_write(b.env, &model, path));
  } else {
    printf("build %.3f s\n", cpu() - start);
    const double first = solve(&b, lp);
    if (first > 0) branch(&b, lp, is_mp ? columns : K * columns, first);
  }
  irl_lp_free(lp);
  irl_bits_matrix_free(&b.cases);
  irl_bits_matrix_free(&b.controls);
  irl_env_free(b.env);
  return 0;
}
