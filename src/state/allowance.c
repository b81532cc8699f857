#include "state/allowance.h"
#include "base/clock.h"
#include "state/effort.h"
#include "state/learner.h"

/* In IRL_EFFORT_AFTER_PARTS of the allowance; 0: the phase is not limited. */
static const struct shares {
  uint64_t up_to, own;
} shares[IRL_N_PHASE] = {[IRL_PHASE_SEARCHING] = {IRL_EFFORT_SEARCHING},
                         [IRL_PHASE_REFINING] = {IRL_EFFORT_REFINING},
                         [IRL_PHASE_PROVING] = {IRL_EFFORT_PROVING},
                         [IRL_PHASE_SHORTENING] = {IRL_EFFORT_SHORTENING}};

void irl_allowance_init(irl_allowance *allowance, double started) {
  const double now = irl_clock_now();
  *allowance = (irl_allowance){.phase = IRL_PHASE_SEARCHING, .since = now, .is_doubtful = true};
  allowance->seconds[IRL_PHASE_READING] = now - started;
}

irl_phase irl_learner_begin_phase(irl_learner *learner, irl_phase phase) {
  irl_allowance *a = &learner->allowance;
  const irl_phase before = a->phase;
  const double now = irl_clock_now();
  a->seconds[before] += now - a->since;
  a->since = now;
  if (phase != before) a->begin = learner->work;
  a->phase = phase;
  return before;
}

void irl_learner_note_better(irl_learner *learner) {
  learner->best_seconds = irl_clock_now() - learner->env->started;
  learner->allowance.best_work = learner->allowance.counted_from = learner->work;
}

void irl_learner_set_doubtful(irl_learner *learner, bool is_doubtful) {
  irl_allowance *a = &learner->allowance;
  if (a->is_doubtful) a->counted_from = learner->work;
  a->is_doubtful = is_doubtful;
}

/* Does the run end when nothing better is found for a while, or is more asked for? */
static bool is_counted(const irl_learner *learner) {
  const irl_learn_settings *s = &learner->settings;
  const bool wants_more = s->prove || s->for_curve || s->is_paper || s->is_brcg || s->is_quick ||
                          s->has_pool || s->form;
  return !wants_more && !learner->allowance.is_doubtful && learner->best.n &&
         irl_learner_has_rule(learner);
}

uint64_t irl_learner_left(const irl_learner *learner) {
  const irl_allowance *a = &learner->allowance;
  const struct shares *share = &shares[a->phase];
  if (!share->up_to || !is_counted(learner)) return UINT64_MAX;
  const uint64_t least = IRL_EFFORT_AFTER_LEAST / IRL_EFFORT_AFTER;
  const uint64_t part =
      IRL_EFFORT_AFTER * (a->best_work > least ? a->best_work : least) / IRL_EFFORT_AFTER_PARTS;
  const uint64_t begin = a->begin > a->counted_from ? a->begin : a->counted_from;
  const uint64_t end = a->counted_from + share->up_to * part, own_end = begin + share->own * part;
  const uint64_t first = end < own_end ? end : own_end;
  const uint64_t left = first > learner->work ? first - learner->work : 0;
  return a->owes_selection && left < IRL_EFFORT_SELECT_SHORT ? IRL_EFFORT_SELECT_SHORT : left;
}
