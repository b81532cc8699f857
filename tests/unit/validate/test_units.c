/* Groups of samples: no part of the samples divides them, parts are as even as groups allow, labels
 * move among groups of one size, and the design effect is that of its definition. */
#include "base/memory.h"
#include "ireland_data.h"
#include "support.h"
#include "validate/units.h"
#include <math.h>

#define SEED   19u
#define ROUNDS 200u
enum { MOST = 300 };

static irl_env *env;
static irl_random numbers;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
  irl_random_init(&numbers, SEED, 1);
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* Random groups of random samples, each with the labels of its own kind or of both. */
typedef struct drawn {
  irl_table of;
  irl_rows rows;
  irl_units units;
  uint32_t groups[2 * MOST], samples[MOST], strata[MOST];
  uint8_t labels[MOST];
  bool is_constant;
} drawn;

static bool draw(drawn *d) {
  const uint32_t n_all = MOST, n = 20 + (uint32_t)irl_random_below(&numbers, MOST - 20);
  const uint32_t n_groups = 4 + (uint32_t)irl_random_below(&numbers, n);
  uint8_t of_group[2 * MOST];
  *d = (drawn){.rows = {.size = sizeof d->rows, .samples = d->samples, .n = n}};
  d->is_constant = irl_random_below(&numbers, 2);
  for (uint32_t g = 0; g < n_groups; g++) of_group[g] = irl_random_below(&numbers, 10) < 4;
  for (uint32_t i = 0; i < n_all; i++)
    d->groups[i] = (uint32_t)irl_random_below(&numbers, n_groups);
  d->of.groups = (irl_sample_sets){d->groups, n_groups};
  d->of.n_samples = n_all;
  for (uint32_t i = 0; i < n; i++) {
    d->samples[i] = (uint32_t)irl_random_below(&numbers, n_all);
    const uint32_t g = d->groups[d->samples[i]];
    d->labels[i] = d->is_constant ? of_group[g] : irl_random_below(&numbers, 10) < 4;
    d->strata[i] = g % 2;
  }
  return !irl_units_init(env, &d->units, &d->of, &d->rows, d->labels);
}

TEST units_are_the_groups(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    drawn d;
    ASSERT(draw(&d));
    const irl_units *u = &d.units;
    uint32_t seen = 0;
    for (uint32_t k = 0; k < u->n; k++) {
      uint32_t cases = 0;
      ASSERT(irl_units_size(u, k) > 0);
      for (uint32_t i = u->start[k]; i < u->start[k + 1]; i++) {
        ASSERT(i == u->start[k] || u->rows[i] > u->rows[i - 1]);
        ASSERT_EQ(k, u->of[u->rows[i]]);
        ASSERT_EQ(d.groups[d.samples[u->rows[i]]], d.groups[d.samples[u->rows[u->start[k]]]]);
        cases += d.labels[u->rows[i]];
        seen++;
      }
      ASSERT_EQ(cases, u->counts[2 * k + 1]);
      ASSERT_EQ(irl_units_size(u, k), u->counts[2 * k] + u->counts[2 * k + 1]);
    }
    ASSERT_EQ(d.rows.n, seen);
    irl_units_free(env, &d.units);
  }
  PASS();
}

/* A fold exceeds its share of a class by no more than a few of the largest groups. */
TEST folds_keep_groups_whole_and_even(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    drawn d;
    uint32_t fold_of[MOST], again[MOST], count[2][10] = {{0}}, largest = 0;
    irl_random first, second;
    ASSERT(draw(&d));
    const uint32_t n_folds = 2 + (uint32_t)irl_random_below(&numbers, 9);
    irl_random_init(&first, 5, round);
    irl_random_init(&second, 5, round);
    ASSERT_EQ(IRL_STATUS_OK, irl_units_folds(env, &d.units, d.labels, &first, n_folds, fold_of));
    ASSERT_EQ(IRL_STATUS_OK, irl_units_folds(env, &d.units, d.labels, &second, n_folds, again));
    ASSERT_MEM_EQ(fold_of, again, d.rows.n * sizeof *fold_of);
    for (uint32_t i = 0; i < d.rows.n; i++) {
      ASSERT(fold_of[i] < n_folds);
      ASSERT_EQ(fold_of[d.units.rows[d.units.start[d.units.of[i]]]], fold_of[i]);
      count[d.labels[i]][fold_of[i]]++;
    }
    for (uint32_t k = 0; k < d.units.n; k++)
      if (irl_units_size(&d.units, k) > largest) largest = irl_units_size(&d.units, k);
    for (uint32_t f = 1; f < n_folds; f++)
      for (int c = 0; c < 2; c++) {
        const int64_t difference = (int64_t)count[c][f] - count[c][0];
        ASSERT((difference < 0 ? -difference : difference) <= 2 * (int64_t)largest + 1);
      }
    irl_units_free(env, &d.units);
  }
  PASS();
}

TEST hold_outs_keep_groups_whole(void) {
  unsigned n_made = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    drawn d;
    uint32_t is_held[MOST], held[2] = {0, 0}, all[2] = {0, 0};
    ASSERT(draw(&d));
    if (!irl_units_hold_out(env, &d.units, d.labels, 0.3, round, is_held)) {
      n_made++;
      for (uint32_t i = 0; i < d.rows.n; i++) {
        ASSERT_EQ(is_held[d.units.rows[d.units.start[d.units.of[i]]]], is_held[i]);
        held[d.labels[i]] += is_held[i];
        all[d.labels[i]]++;
      }
      for (int c = 0; c < 2; c++) ASSERT(held[c] && held[c] < all[c]);
    }
    irl_units_free(env, &d.units);
  }
  ASSERT(n_made > ROUNDS / 2);
  PASS();
}

TEST bags_have_whole_groups(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    drawn d;
    irl_random random;
    uint32_t *bag, n, times[MOST] = {0};
    uint8_t is_in[MOST];
    ASSERT(draw(&d));
    irl_random_init(&random, 3, round);
    ASSERT_EQ(IRL_STATUS_OK, irl_units_bag(env, &d.units, &random, &bag, &n, is_in));
    for (uint32_t i = 0; i < n; i++) times[bag[i]]++;
    for (uint32_t i = 0; i < d.rows.n; i++) {
      ASSERT_EQ(times[d.units.rows[d.units.start[d.units.of[i]]]], times[i]);
      ASSERT_EQ(times[i] > 0, is_in[i] > 0);
    }
    irl_allocator allocator = env->allocator;
    irl_mem_free(&allocator, bag);
    irl_units_free(env, &d.units);
  }
  PASS();
}

/* The labels of a group, as a number: groups are small here. */
static uint64_t read_labels(const irl_units *u, const uint8_t *labels, uint32_t unit) {
  uint64_t found = 1;
  for (uint32_t i = u->start[unit]; i < u->start[unit + 1]; i++)
    found = 2 * found + labels[u->rows[i]];
  return found;
}

TEST shuffles_move_labels_among_groups_of_one_size(void) {
  unsigned n_moved = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    drawn d;
    irl_random random;
    uint32_t order[MOST];
    uint8_t shuffled[MOST];
    ASSERT(draw(&d));
    const uint32_t *strata = round % 2 ? d.strata : NULL;
    irl_random_init(&random, 3, round);
    ASSERT_EQ(IRL_STATUS_OK, irl_units_sort(env, &d.units, strata));
    irl_units_shuffle(&d.units, d.labels, strata, &random, order, shuffled);
    n_moved += memcmp(shuffled, d.labels, d.rows.n) != 0;
    /* Each kind of group has the same sets of labels as before, counted by brute force. */
    for (uint32_t k = 0; k < d.units.n; k++) {
      const uint64_t wanted = read_labels(&d.units, d.labels, k);
      const uint32_t size = irl_units_size(&d.units, k);
      int difference = 0;
      if (size > 60) continue;
      for (uint32_t o = 0; o < d.units.n; o++) {
        if (irl_units_size(&d.units, o) != size) continue;
        if (strata &&
            strata[d.units.rows[d.units.start[o]]] != strata[d.units.rows[d.units.start[k]]])
          continue;
        difference += read_labels(&d.units, d.labels, o) == wanted;
        difference -= read_labels(&d.units, shuffled, o) == wanted;
      }
      ASSERT_EQ(0, difference);
    }
    irl_units_free(env, &d.units);
  }
  ASSERT(n_moved > ROUNDS / 2);
  PASS();
}

/* All orders of three groups come equally often. */
TEST shuffles_are_uniform(void) {
  uint32_t groups[3] = {0, 1, 2}, order[3], counts[3] = {0};
  const uint8_t labels[3] = {1, 0, 0};
  irl_table of = {.groups = {groups, 3}, .n_samples = 3};
  const irl_rows rows = {.size = sizeof rows, .n = 3};
  irl_units u;
  ASSERT_EQ(IRL_STATUS_OK, irl_units_init(env, &u, &of, &rows, labels));
  ASSERT_EQ(IRL_STATUS_OK, irl_units_sort(env, &u, NULL));
  for (unsigned round = 0; round < 3000; round++) {
    uint8_t shuffled[3];
    irl_units_shuffle(&u, labels, NULL, &numbers, order, shuffled);
    for (int i = 0; i < 3; i++) counts[i] += shuffled[i];
  }
  for (int i = 0; i < 3; i++) ASSERT_IN_RANGE(1000, counts[i], 110); /* four standard errors */
  irl_units_free(env, &u);
  PASS();
}

/* Groups of m equal samples are worth one each: the effect is m, but for the G / (G - 1) of an
 * estimated variance. Samples by themselves have the effect 1. */
TEST effect_of_copies_is_their_number(void) {
  for (uint32_t m = 1; m <= 5; m++) {
    const uint32_t n_groups = 40, n = n_groups * m;
    uint32_t groups[200];
    uint8_t labels[200], is_right[200];
    for (uint32_t i = 0; i < n; i++) {
      groups[i] = i / m;
      labels[i] = 1;
      is_right[i] = i / m % 4 > 0;
    }
    irl_table of = {.groups = {groups, n_groups}, .n_samples = n};
    const irl_rows rows = {.size = sizeof rows, .n = n};
    irl_units u;
    ASSERT_EQ(IRL_STATUS_OK, irl_units_init(env, &u, &of, &rows, labels));
    ASSERT_IN_RANGE(m * 40.0 / 39, irl_units_effect(&u, labels, is_right, true), 1e-9);
    memset(is_right, 1, n);
    ASSERT_IN_RANGE(m, irl_units_effect(&u, labels, is_right, true), 1e-9);
    irl_units_free(env, &u);
    of.groups.of = NULL;
    ASSERT_EQ(IRL_STATUS_OK, irl_units_init(env, &u, &of, &rows, labels));
    ASSERT_IN_RANGE(1, irl_units_effect(&u, labels, is_right, true), 0);
    irl_units_free(env, &u);
  }
  PASS();
}

SUITE(units_suite) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(units_are_the_groups);
  RUN_TEST(folds_keep_groups_whole_and_even);
  RUN_TEST(hold_outs_keep_groups_whole);
  RUN_TEST(bags_have_whole_groups);
  RUN_TEST(shuffles_move_labels_among_groups_of_one_size);
  RUN_TEST(shuffles_are_uniform);
  RUN_TEST(effect_of_copies_is_their_number);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  printf("seed %u\n", SEED);
  RUN_SUITE(units_suite);
  GREATEST_MAIN_END();
}
