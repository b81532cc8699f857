/* Which cutoff comes next: few steps, and a last one that fits what is left of the work.
 *
 * The work of a step depends on its cutoff t alone, not on the bound that it starts from. Measured
 * on real tables it grows about as a power of t, the tenth or so where K = 4 (between 6 and 12 on
 * diabetes, german, australian and yeast). So two steps tell the power, between which and the usual
 * one the mean is taken, and from the last step and the power follows what any cutoff takes.
 * Nothing rests on that: a wrong guess costs work.
 *
 * A step that was given up has told what it would have taken, by the share of its tasks that were
 * closed (select_solve.c). Then the work in between is interpolated. */
#include "prove/cutoff_steps.h"
#include <assert.h>
#include <math.h>

#define USUAL_POWER 10.0
#define LEAST_POWER 1.0 /* where what all steps take is most of it */
#define MOST_POWER  60.0
#define SHORTER     4   /* a step after one that was given up is shorter by one part in so many */
#define WIDE        1.2 /* cutoffs that tell a power are so many times apart, if there are such */

static double power_between(int64_t low, double low_work, int64_t high, double high_work) {
  assert(0 < low && low < high && low_work > 0 && high_work > 0);
  const double power = log(high_work / low_work) / log((double)high / (double)low);
  return power < LEAST_POWER ? LEAST_POWER : power > MOST_POWER ? MOST_POWER : power;
}

/* With which power the work grows above the last cutoff that was reached. */
static double power_of(const irl_cutoff_steps *s) {
  if (s->failed > s->last && s->last > 0)
    return power_between(s->last, (double)s->last_work, s->failed, (double)s->failed_work);
  if (s->before <= 0) return USUAL_POWER;
  return sqrt(USUAL_POWER *
              power_between(s->before, (double)s->before_work, s->last, (double)s->last_work));
}

/* The first cutoff: a part of the gap, or all of it where it is nearly proven. */
static int64_t first_cutoff(const irl_cutoff_room *room) {
  const int64_t gap = room->target - room->bound;
  const int64_t first = (int64_t)room->tuning->cutoff_first;
  return gap < room->target / (int64_t)room->tuning->cutoff_small_gap
             ? room->target
             : room->bound + (gap + first - 1) / first;
}

int64_t irl_cutoff_next(const irl_cutoff_steps *steps, const irl_cutoff_room *room) {
  const bool has_failed = steps->failed > steps->last && steps->failed > room->bound;
  assert(0 <= room->bound && room->bound < room->target);
  if (steps->last <= 0 && !has_failed) return first_cutoff(room);
  const double known = (double)(steps->last > 0 ? steps->last : steps->failed);
  const double work = (double)(steps->last > 0 ? steps->last_work : steps->failed_work);
  const double power = power_of(steps), all = work * pow((double)room->target / known, power);
  /* What was given up is not begun again with no more work than then. */
  const bool is_barred = has_failed && room->most <= (double)steps->failed_work;
  if (all <= room->most / (double)room->tuning->cutoff_straight &&
      !(is_barred && room->target >= steps->failed))
    return room->target;
  /* At least twice what the last one took, unless less is left. */
  double allowed = room->turn > 2 * work ? room->turn : 2 * work;
  allowed = fmin(allowed, (double)room->tuning->cutoff_growth * work); /* more is a wild guess */
  allowed = fmin(allowed, room->most * (double)room->tuning->list_fill / 100);
  const double next = known * pow(allowed / work, 1 / power);
  int64_t cutoff = next < (double)room->target ? (int64_t)next : room->target;
  /* Work that a step which was given up would have taken is a guess, too low perhaps. */
  const int64_t shorter = steps->failed - (steps->failed - room->bound + SHORTER - 1) / SHORTER;
  if (is_barred && cutoff > shorter) cutoff = shorter;
  return cutoff > room->bound ? cutoff : room->bound + 1;
}

void irl_cutoff_note(irl_cutoff_steps *steps, int64_t cutoff, double work, bool is_done) {
  const uint64_t words = work < 1 ? 1 : work < 1e18 ? (uint64_t)work : (uint64_t)1e18;
  assert(cutoff > 0);
  if (!is_done) {
    steps->failed = cutoff; /* it takes more than a lower one, whatever was guessed */
    steps->failed_work = words > steps->last_work ? words : steps->last_work;
    return;
  }
  if (steps->failed && steps->failed <= cutoff) steps->failed = 0;
  if (cutoff <= steps->last) return;
  if (!steps->before || (double)cutoff > WIDE * (double)steps->last) {
    steps->before = steps->last;
    steps->before_work = steps->last_work;
  }
  steps->last = cutoff;
  steps->last_work = words;
}
