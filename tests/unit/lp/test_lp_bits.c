/* Bits inside the factors: a basis whose columns are partly blocks of bits solves the same systems
 * as the matrix written out, over exchanges of columns with bits and without. */
#include "base/random.h"
#include "lp/lu.h"
#include "support.h"
#include <math.h>

enum { M = 90, N = 40, N_BLOCKS = 2 };

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* Columns 0 .. N - 1 have bits in rows 0 .. 59 (two blocks) and an entry or two below; column N + i
 * is a unit vector, or has one further entry. */
typedef struct fixture {
  irl_bits_matrix bits[N_BLOCKS];
  irl_lp_block blocks[N_BLOCKS];
  double sparse[N + M][M];
} fixture;

static void make(irl_random *random, fixture *f) {
  memset(f, 0, sizeof *f);
  for (uint32_t b = 0; b < N_BLOCKS; b++) {
    if (irl_bits_matrix_init(env, &f->bits[b], N, 30)) abort();
    for (uint32_t j = 0; j < N; j++)
      for (uint32_t i = 0; i < 30; i++)
        if (irl_random_below(random, 3) == 0) irl_bits_set(irl_bits_vector(&f->bits[b], j), i);
    f->blocks[b] = (irl_lp_block){&f->bits[b], 30 * b, 0, b ? 2 : -1, b == 1};
  }
  for (uint32_t j = 0; j < N; j++) {
    f->sparse[j][60 + irl_random_below(random, 30)] = 1.5;
    f->sparse[j][60 + irl_random_below(random, 30)] += irl_random_real(random);
  }
  for (uint32_t i = 0; i < M; i++) {
    f->sparse[N + i][i] = i % 2 ? -1 : 3;
    if (irl_random_below(random, 4) == 0) f->sparse[N + i][irl_random_below(random, M)] += 0.7;
  }
}

static double entry(const fixture *f, uint32_t column, uint32_t row) {
  double sum = f->sparse[column][row];
  for (uint32_t b = 0; column < N && b < N_BLOCKS; b++) {
    const uint32_t first = f->blocks[b].first_row;
    if (row >= first && row < first + 30 && irl_lp_block_get(&f->blocks[b], row - first, column))
      sum += f->blocks[b].coefficient;
  }
  return sum;
}

static irl_status factor(const fixture *f, irl_lp_lu *lu, uint32_t *head) {
  static size_t start[M + 1];
  static uint32_t row[M * M], bits[M];
  static double value[M * M];
  irl_lp_lists columns = {.start = start, .index = row, .value = value, .n = M};
  size_t used = 0;
  for (uint32_t p = 0; p < M; p++) {
    bits[p] = head[p] < N ? head[p] : UINT32_MAX;
    for (uint32_t i = 0; i < M; i++) {
      if (f->sparse[head[p]][i] == 0) continue;
      row[used] = i;
      value[used++] = f->sparse[head[p]][i];
    }
    start[p + 1] = used;
  }
  columns.used = used;
  const irl_status status = irl_lp_lu_factor(lu, &columns, bits);
  if (status || lu->n_deficient) return status;
  uint32_t old[M];
  memcpy(old, head, sizeof old);
  for (uint32_t p = 0; p < M; p++) head[lu->row_of_column[p]] = old[p];
  return IRL_STATUS_OK;
}

/* Largest residual of a solve with a random right-hand side. */
static double residual(irl_random *random, const fixture *f, irl_lp_lu *lu, const uint32_t *head,
                       irl_lp_vector *v, bool is_transposed) {
  double b[M], worst = 0, size = 1;
  irl_lp_vector_clear(v);
  for (uint32_t i = 0; i < M; i++)
    v->x[i] = b[i] = irl_random_below(random, 3) ? 0 : irl_random_real(random) - 0.5;
  v->n = M;
  if (is_transposed)
    irl_lp_lu_btran(lu, v, false);
  else
    irl_lp_lu_ftran(lu, v, false, UINT32_MAX);
  for (uint32_t k = 0; k < M; k++) {
    double sum = -b[k];
    for (uint32_t p = 0; p < M; p++)
      sum += v->x[p] * (is_transposed ? entry(f, head[k], p) : entry(f, head[p], k));
    worst = fmax(worst, fabs(sum));
    size = fmax(size, fabs(v->x[k]));
  }
  return worst / size;
}

/* Exchanges a random basic column for a random other one, if the pivot allows it. */
static irl_status exchange(irl_random *random, const fixture *f, irl_lp_lu *lu, uint32_t *head,
                           irl_lp_vector *unit, irl_lp_vector *column) {
  const uint32_t p = (uint32_t)irl_random_below(random, M);
  const uint32_t q = (uint32_t)irl_random_below(random, N + M);
  for (uint32_t i = 0; i < M; i++)
    if (head[i] == q) return IRL_STATUS_OK;
  irl_lp_vector_clear(unit);
  unit->x[p] = 1;
  unit->index[0] = p;
  unit->n = 1;
  irl_lp_lu_btran(lu, unit, true);
  irl_lp_vector_clear(column);
  memcpy(column->x, f->sparse[q], sizeof f->sparse[q]);
  column->n = M;
  irl_lp_lu_ftran(lu, column, true, q < N ? q : UINT32_MAX);
  double by_row = 0;
  for (uint32_t i = 0; i < M; i++) by_row += unit->x[i] * entry(f, q, i);
  if (fabs(by_row - column->x[p]) > 1e-8 * (1 + fabs(by_row))) return IRL_STATUS_INTERNAL;
  if (fabs(column->x[p]) < 0.05) return IRL_STATUS_OK;
  head[p] = q;
  return irl_lp_lu_update(lu, p, column->x[p]);
}

TEST solves(uint64_t seed) {
  static fixture f;
  irl_random random;
  irl_lp_lu lu;
  irl_lp_vector v, unit, column;
  irl_arena arena;
  uint32_t head[M];
  irl_arena_init(&arena, &env->allocator);
  irl_random_init(&random, seed, 0);
  make(&random, &f);
  ASSERT(irl_lp_vector_init(&arena, &v, M));
  ASSERT(irl_lp_vector_init(&arena, &unit, M));
  ASSERT(irl_lp_vector_init(&arena, &column, M));
  ASSERT_EQ(IRL_STATUS_OK, irl_lp_lu_init(env, &lu, M, f.blocks, N_BLOCKS));
  for (uint32_t i = 0; i < M; i++) head[i] = N + i;
  for (int factors = 0; factors < 4; factors++) {
    ASSERT_EQ(IRL_STATUS_OK, factor(&f, &lu, head));
    if (lu.n_deficient) break;
    if (factors == 0) ASSERT(lu.n_leading > M / 2);
    for (int k = 0; k < 40; k++) {
      ASSERT(residual(&random, &f, &lu, head, &v, false) < 1e-8);
      ASSERT(residual(&random, &f, &lu, head, &v, true) < 1e-8);
      ASSERT_EQ(IRL_STATUS_OK, exchange(&random, &f, &lu, head, &unit, &column));
    }
  }
  irl_lp_lu_free(&lu);
  irl_arena_free(&arena);
  for (uint32_t b = 0; b < N_BLOCKS; b++) irl_bits_matrix_free(&f.bits[b]);
  PASS();
}

TEST exchanges(void) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    if (solves(seed) == GREATEST_TEST_RES_PASS) continue;
    fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    FAIL();
  }
  PASS();
}

SUITE(bits) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(exchanges);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(bits);
  GREATEST_MAIN_END();
}
