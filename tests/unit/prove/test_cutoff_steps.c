/* The choice of cutoffs (cutoff_steps.c) where the work of a step is a known function of its
 * cutoff: it ends, stays between bound and target, and comes near to the greatest cutoff that the
 * work allows. */
#include "greatest.h"
#include "prove/cutoff_steps.h"
#include <math.h>

/* A power of the cutoff and what a step takes in any case. */
typedef struct shape {
  double factor, power, fixed;
} shape;

static double work_of(const shape *s, int64_t cutoff) {
  return s->fixed + s->factor * pow((double)cutoff, s->power);
}

/* Takes steps as long as work is left. A step that would take more is given up after a part of its
 * work, with a guess that is `wrong` times the truth. Returns the bound. */
static int64_t climb(const shape *s, int64_t target, double most, double wrong, unsigned *n_steps) {
  irl_cutoff_steps steps = {.last = 0};
  int64_t bound = 0;
  for (*n_steps = 0; bound < target && most > 0 && *n_steps < 1000; ++*n_steps) {
    const irl_cutoff_room room = {&irl_tuning_usual, bound, target, most, most};
    const int64_t cutoff = irl_cutoff_next(&steps, &room);
    const double work = work_of(s, cutoff);
    if (cutoff <= bound || cutoff > target) return -1;
    if (work <= most) {
      most -= work;
      bound = cutoff;
      irl_cutoff_note(&steps, cutoff, work, true);
      continue;
    }
    irl_cutoff_note(&steps, cutoff, wrong * work > most ? wrong * work : most, false);
    most -= s->fixed + most / 16;
    if (cutoff == bound + 1) break;
  }
  return bound;
}

TEST steps_fill_the_work(void) {
  static const double powers[] = {3, 6, 8, 10, 12, 20};
  static const double wrongs[] = {0.5, 1, 2};
  for (size_t p = 0; p < sizeof powers / sizeof *powers; p++)
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
      for (int64_t target = 20; target <= 2000; target *= 10)
        for (double part = 0.3; part < 1; part += 0.1) {
          /* The greatest cutoff that the work allows is that part of the target. */
          const int64_t best = (int64_t)(part * (double)target);
          const shape s = {5e10 / pow((double)best, powers[p]), powers[p], 1e8};
          unsigned n_steps;
          const int64_t bound = climb(&s, target, work_of(&s, best), wrongs[i], &n_steps);
          ASSERT(bound >= 0 && bound <= best && n_steps < 60);
          ASSERT(bound >= best - 1 || (double)bound >= 0.6 * (double)best);
          if (powers[p] >= 8 && powers[p] <= 12 && wrongs[i] == 1)
            ASSERT(bound >= best - 2 || (double)bound >= 0.9 * (double)best);
        }
  PASS();
}

/* What takes a part of the work is done in one step. */
TEST cheap_steps_go_straight(void) {
  irl_cutoff_steps steps = {.last = 0};
  const irl_cutoff_room room = {&irl_tuning_usual, 30, 100, 1e9, 1e12};
  irl_cutoff_note(&steps, 30, 1e6, true);
  ASSERT_EQ(100, irl_cutoff_next(&steps, &room));
  /* 16 of 20 are proven: the rest at once, whatever it takes. */
  const irl_cutoff_room small = {&irl_tuning_usual, 17, 20, 1e9, 1e9};
  ASSERT_EQ(20, irl_cutoff_next(&(irl_cutoff_steps){.last = 0}, &small));
  PASS();
}

/* After a step was given up the next one is below it, until there is more work. */
TEST given_up_steps_are_shortened(void) {
  irl_cutoff_steps steps = {.last = 0};
  irl_cutoff_note(&steps, 50, 1e9, true);
  irl_cutoff_note(&steps, 90, 1e11, false);
  const irl_cutoff_room room = {&irl_tuning_usual, 50, 100, 1e10, 1e10},
                        more = {&irl_tuning_usual, 50, 100, 1e12, 1e12};
  ASSERT(irl_cutoff_next(&steps, &room) < 90 && irl_cutoff_next(&steps, &room) > 50);
  ASSERT(irl_cutoff_next(&steps, &more) > irl_cutoff_next(&steps, &room));
  /* A guess below what a lower cutoff took is wrong. */
  irl_cutoff_note(&steps, 60, 1e7, false);
  ASSERT_EQ((uint64_t)1e9, steps.failed_work);
  ASSERT(irl_cutoff_next(&steps, &room) > 50);
  /* Nor is it begun again because it seemed cheap. */
  irl_cutoff_steps cheap = {.last = 0};
  irl_cutoff_note(&cheap, 50, 1, true);
  irl_cutoff_note(&cheap, 100, 1e12, false);
  const irl_cutoff_room wide = {&irl_tuning_usual, 50, 100, 1e12, 1e12};
  ASSERT(irl_cutoff_next(&cheap, &wide) < 100);
  /* What was reached after all is no longer given up. */
  irl_cutoff_note(&steps, 60, 2e9, true);
  ASSERT_EQ(0, steps.failed);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(steps_fill_the_work);
  RUN_TEST(cheap_steps_go_straight);
  RUN_TEST(given_up_steps_are_shortened);
  GREATEST_MAIN_END();
}
