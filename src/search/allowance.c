#include "search/allowance.h"
#include "base/clock.h"
#include "search/search.h"

/* The part of the allowance that a phase leaves to those after it, which is half of what those
 * before left to it: one in so many, or nothing. 0: the phase is not limited. */
static const uint64_t leaves[IRL_N_PHASE] = {[IRL_PHASE_SEARCHING] = 2,
                                             [IRL_PHASE_REFINING] = 4,
                                             [IRL_PHASE_PROVING] = 8,
                                             [IRL_PHASE_SHORTENING] = UINT64_MAX};

void irl_allowance_init(irl_allowance *allowance, double started) {
  const double now = irl_clock_now();
  *allowance = (irl_allowance){.phase = IRL_PHASE_SEARCHING, .since = now, .is_doubtful = true};
  allowance->seconds[IRL_PHASE_READING] = now - started;
}

irl_phase irl_search_begin_phase(irl_search *search, irl_phase phase) {
  irl_allowance *a = &search->allowance;
  const irl_phase before = a->phase;
  const double now = irl_clock_now();
  a->seconds[before] += now - a->since;
  a->since = now;
  if (phase != before) a->begin = search->work;
  a->phase = phase;
  return before;
}

void irl_search_note_better(irl_search *search) {
  search->best_seconds = irl_clock_now() - search->env->started;
  search->allowance.best_work = search->allowance.counted_from = search->work;
}

void irl_search_set_doubtful(irl_search *search, bool is_doubtful) {
  irl_allowance *a = &search->allowance;
  if (a->is_doubtful) a->counted_from = search->work;
  a->is_doubtful = is_doubtful;
}

/* Does the run end when nothing better is found for a while, or is more asked for? */
static bool is_counted(const irl_search *search) {
  return !search->settings.is_open_ended && !search->allowance.is_doubtful && search->best.n &&
         irl_search_has_rule(search);
}

uint64_t irl_search_left(const irl_search *search) {
  const irl_allowance *a = &search->allowance;
  if (!leaves[a->phase] || !is_counted(search)) return UINT64_MAX;
  const uint64_t times = search->settings.tuning.after * a->best_work;
  const uint64_t least = search->settings.tuning.after_least, after = times > least ? times : least;
  const uint64_t begin = a->begin > a->counted_from ? a->begin : a->counted_from;
  const uint64_t end = a->counted_from + after - after / leaves[a->phase];
  const uint64_t own_end = begin + after / 2, first = end < own_end ? end : own_end;
  const uint64_t left = first > search->work ? first - search->work : 0;
  const uint64_t selection = irl_tuning_select_short(&search->settings.tuning);
  return a->owes_selection && left < selection ? selection : left;
}
