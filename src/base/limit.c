#include "base/limit.h"
#include "base/clock.h"

void irl_limit_init(irl_limit *limit, const irl_env *env, const irl_options *options) {
  limit->env = env;
  irl_watch_begin(env);
  limit->deadline = options->time_limit > 0 ? irl_clock_now() + options->time_limit : 0;
  limit->max_mb = (double)options->memory_limit;
  limit->max_work = options->work_limit > 0 ? (uint64_t)options->work_limit : UINT64_MAX;
}

/* What was once too much may have been given back; the peak is the quicker of the two questions. */
static bool has_too_much(const irl_limit *limit) {
  return irl_clock_peak_mb() > limit->max_mb && irl_clock_resident_mb() > limit->max_mb;
}

bool irl_limit_cut(const irl_limit *limit) {
  irl_watch_look(limit->env);
  return irl_stopped(limit->env) || (limit->deadline > 0 && irl_clock_now() > limit->deadline) ||
         (limit->max_mb > 0 && has_too_much(limit));
}

bool irl_limit_reached(const irl_limit *limit, uint64_t work) {
  return work >= limit->max_work || irl_limit_cut(limit);
}

irl_outcome irl_limit_outcome(const irl_limit *limit) {
  return irl_stopped(limit->env) ? IRL_INTERRUPTED : IRL_LIMIT;
}
