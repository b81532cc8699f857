/* How often literals come back in resamples, against brute force: the same samples are drawn here,
 * and of every rule of one clause and one literal the loss is counted. Where a resample has one
 * best literal only, its rule must be that one. */
#include "base/random.h"
#include "greatest.h"
#include "ireland.h"
#include "learn/fit_result.h"
#include "support.h"
#include "validate/resampling.h"
#include <math.h>
#include <stdio.h>

#define SEED     20261117u
#define N        30u
#define J        7u
#define B        12u
#define PUZZLES  120u
#define LITERALS (2 * J)

typedef struct puzzle {
  uint8_t cells[N * J], labels[N];
} puzzle;

static irl_env *env;

static void make_puzzle(irl_random *random, puzzle *p) {
  uint32_t n_cases = 0;
  for (uint32_t i = 0; i < N * J; i++) p->cells[i] = (uint8_t)irl_random_below(random, 2);
  for (uint32_t i = 0; i < N; i++) {
    p->labels[i] = p->cells[i * J] ^ (irl_random_below(random, 4) == 0);
    n_cases += p->labels[i];
  }
  if (!n_cases) p->labels[0] = 1;
  if (n_cases == N) p->labels[0] = 0;
}

static bool holds(const puzzle *p, uint32_t sample, uint32_t literal) {
  return p->cells[sample * J + literal / 2] != (literal & 1);
}

/* The samples of resample b. */
static void draw(const puzzle *p, uint32_t b, uint32_t drawn[N]) {
  irl_random random;
  irl_random_init(&random, SEED, IRL_STABILITY_STREAM + b);
  for (bool is_mixed = false; !is_mixed;) {
    uint32_t n_cases = 0;
    for (uint32_t i = 0; i < N; i++) {
      drawn[i] = (uint32_t)irl_random_below(&random, N);
      n_cases += p->labels[drawn[i]];
    }
    is_mixed = n_cases && n_cases < N;
  }
}

/* Bits of the best literals of a resample; bit LITERALS: the rule that says no. */
static uint32_t best_of(const puzzle *p, const uint32_t drawn[N]) {
  uint32_t n_cases = 0, best = 0;
  int64_t least = INT64_MAX;
  for (uint32_t i = 0; i < N; i++) n_cases += p->labels[drawn[i]];
  for (uint32_t l = 0; l <= LITERALS; l++) {
    int64_t loss = 0;
    for (uint32_t i = 0; i < N; i++) {
      const bool says = l < LITERALS && holds(p, drawn[i], l), is_case = p->labels[drawn[i]];
      if (says != is_case) loss += is_case ? N - n_cases : n_cases;
    }
    if (loss < least) best = 0;
    if (loss <= least) best |= 1u << l;
    least = loss < least ? loss : least;
  }
  return best;
}

static double correlation(const puzzle *p, uint32_t a, uint32_t b) {
  double x = 0, y = 0, both = 0;
  for (uint32_t i = 0; i < N; i++) {
    x += holds(p, i, a);
    y += holds(p, i, b);
    both += holds(p, i, a) && holds(p, i, b);
  }
  const double spread = x * (N - x) * y * (N - y);
  return spread > 0 ? (N * both - x * y) / sqrt(spread) : 0;
}

static uint32_t literal_called(const char *name) {
  const bool is_negated = name[0] == '!';
  return 2 * (uint32_t)(atoi(name + is_negated + 1) - 1) + is_negated;
}

static irl_status fit_puzzle(const puzzle *p, int threads, irl_table **made, irl_fit_result **fit) {
  irl_column_view columns[J];
  static char names[J][8];
  static double numbers[J][N];
  for (uint32_t j = 0; j < J; j++) {
    snprintf(names[j], sizeof names[j], "f%u", j + 1);
    for (uint32_t i = 0; i < N; i++) numbers[j][i] = p->cells[i * J + j];
    columns[j] = (irl_column_view){.size = sizeof *columns,
                                   .name = names[j],
                                   .type = IRL_COLUMN_BINARY,
                                   .numbers = numbers[j]};
  }
  const irl_table_view view = {
      .size = sizeof view, .n_samples = N, .n_columns = J, .columns = columns, .labels = p->labels};
  char count[16], number[16], seed[16];
  snprintf(count, sizeof count, "%u", B);
  snprintf(number, sizeof number, "%d", threads);
  snprintf(seed, sizeof seed, "%u", SEED);
  const irl_options o = options_of(env, "K", "1", "M", "1", "negations", "1", "stability", count,
                                   "threads", number, "seed", seed, NULL);
  const irl_status status = irl_table_from_columns(env, &view, &o, made);
  return status ? status : irl_fit_table(env, *made, &o, fit);
}

/* The answer is within what brute force leaves open; exact where it leaves nothing open. */
static bool agrees(const puzzle *p, const irl_stability *s, bool *is_exact) {
  uint32_t low[LITERALS] = {0}, high[LITERALS] = {0};
  const uint32_t own = literal_called(irl_names_get(&s->names, 0));
  double overlap = 0, alike = 0;
  uint32_t substitutes[LITERALS] = {0};
  *is_exact = true;
  for (uint32_t b = 0; b < B; b++) {
    uint32_t drawn[N];
    draw(p, b, drawn);
    const uint32_t best = best_of(p, drawn);
    const bool is_one = !(best & (best - 1));
    *is_exact &= is_one;
    for (uint32_t l = 0; l < LITERALS; l++) {
      high[l] += best >> l & 1;
      low[l] += is_one && best >> l & 1;
    }
    if (!is_one) continue;
    const uint32_t literal = (uint32_t)__builtin_ctz(best);
    double both = 0, either = 0, same = 0;
    for (uint32_t i = 0; i < N; i++) {
      const bool mine = holds(p, i, own), its = literal < LITERALS && holds(p, i, literal);
      both += mine && its;
      either += mine || its;
      same += mine == its;
    }
    overlap += either > 0 ? both / either : 0;
    alike += same / N;
    if (literal != own && literal < LITERALS && correlation(p, own, literal) >= 0.3)
      substitutes[literal]++;
  }
  for (size_t i = 0; i < s->names.n; i++) {
    const uint32_t l = literal_called(irl_names_get(&s->names, i));
    if (s->literals[i].count < low[l] || s->literals[i].count > high[l]) return false;
    low[l] = 0;
  }
  for (uint32_t l = 0; l < LITERALS; l++)
    if (low[l]) return false; /* one that was not told at all */
  if (!*is_exact) return true;
  for (uint32_t i = 0; i < s->literals[0].n_others; i++) {
    const irl_substitute *other = &s->literals[0].others[i];
    const uint32_t l = literal_called(irl_names_get(&s->names, other->literal));
    if (other->count != substitutes[l] || fabs(other->r - correlation(p, own, l)) > 1e-12)
      return false;
    if (i && other->count > s->literals[0].others[i - 1].count) return false;
    substitutes[l] = 0;
  }
  for (uint32_t l = 0; l < LITERALS; l++)
    if (substitutes[l] && s->literals[0].n_others < IRL_SUBSTITUTES) return false;
  return fabs(s->clauses[0].overlap - overlap / B) < 1e-12 &&
         fabs(s->agreement - alike / B) < 1e-12 && s->n_same == s->literals[0].count &&
         s->clauses[0].count == s->literals[0].count;
}

TEST agrees_with_brute_force(void) {
  irl_random random;
  unsigned n_exact = 0;
  irl_random_init(&random, SEED, 1);
  for (unsigned i = 0; i < PUZZLES; i++) {
    puzzle p;
    irl_table *made;
    irl_fit_result *fit;
    bool is_exact;
    make_puzzle(&random, &p);
    ASSERT_EQ(IRL_STATUS_OK, fit_puzzle(&p, 1, &made, &fit));
    if (!fit->stability->none_since) {
      ASSERT_EQ(B, fit->stability->n_done);
      ASSERT(agrees(&p, fit->stability, &is_exact));
      n_exact += is_exact;
    }
    irl_fit_free(fit);
    irl_table_free(made);
  }
  printf("%u of %u exact ", n_exact, PUZZLES);
  ASSERT(n_exact > PUZZLES / 10);
  PASS();
}

static bool same_stability(const irl_stability *a, const irl_stability *b) {
  bool is_same = a->names.n == b->names.n && a->n_same == b->n_same && a->agreement == b->agreement;
  for (size_t i = 0; i < a->names.n && is_same; i++)
    is_same = !strcmp(irl_names_get(&a->names, i), irl_names_get(&b->names, i)) &&
              a->order[i] == b->order[i] && a->literals[i].count == b->literals[i].count &&
              a->literals[i].n_others == b->literals[i].n_others;
  return is_same;
}

TEST threads_do_not_matter(void) {
  irl_random random;
  puzzle p;
  irl_table *made[3];
  irl_fit_result *fit[3];
  static const int threads[3] = {1, 2, 8};
  irl_random_init(&random, SEED, 2);
  make_puzzle(&random, &p);
  for (int i = 0; i < 3; i++)
    ASSERT_EQ(IRL_STATUS_OK, fit_puzzle(&p, threads[i], &made[i], &fit[i]));
  ASSERT(same_stability(fit[0]->stability, fit[1]->stability));
  ASSERT(same_stability(fit[0]->stability, fit[2]->stability));
  for (int i = 0; i < 3; i++) {
    irl_fit_free(fit[i]);
    irl_table_free(made[i]);
  }
  PASS();
}

SUITE(stability) {
  RUN_TEST(agrees_with_brute_force);
  RUN_TEST(threads_do_not_matter);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  printf("seed %u\n", SEED);
  RUN_SUITE(stability);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
