#include "base/limit.h"
#include "base/clock.h"
#include "base/contract.h"
#include "base/memory.h"
#include <math.h>

/* For plans, so that they are the same on every machine. */
#define WORDS_PER_SECOND 1e9
#define MUCH             1e9 /* bytes */

void irl_limit_init(irl_limit *limit, const irl_env *env, const irl_options *options) {
  limit->env = env;
  irl_callbacks_begin(env);
  limit->base_mb = options->limits.memory_limit > 0 ? env->watch->base_mb : 0;
  limit->deadline =
      options->limits.time_limit > 0 ? irl_clock_now() + options->limits.time_limit : 0;
  limit->max_mb = (double)options->limits.memory_limit;
  limit->max_work =
      options->limits.work_limit > 0 ? (uint64_t)options->limits.work_limit : UINT64_MAX;
  const double planned = WORDS_PER_SECOND * options->limits.time_limit;
  limit->planned_work = limit->max_work != UINT64_MAX                      ? limit->max_work
                        : options->limits.time_limit > 0 && planned < 1e18 ? (uint64_t)planned + 1
                                                                           : 0;
}

/* What the job has beyond its base. The peak of the process is the quicker of the two questions. A
 * job that had too much ends: were it to go on once that is given back, it would ask for it again
 * and again. */
static bool has_too_much(const irl_limit *limit) {
  const double most = limit->base_mb + limit->max_mb;
  if (limit->env->watch->is_full) return true;
  if (irl_clock_peak_mb() <= most || irl_clock_resident_mb() <= most) return false;
  limit->env->watch->is_full = true;
  return true;
}

bool irl_limit_poll(const irl_limit *limit) {
  irl_callbacks_poll(limit->env);
  return irl_stopped(limit->env) || (limit->deadline > 0 && irl_clock_now() > limit->deadline) ||
         (limit->max_mb > 0 && has_too_much(limit));
}

bool irl_limit_reached(const irl_limit *limit, uint64_t work) {
  return work >= limit->max_work || irl_limit_poll(limit);
}

irl_limit irl_limit_left(const irl_limit *limit, uint64_t work) {
  irl_limit left = *limit;
  if (left.max_work != UINT64_MAX) left.max_work = left.max_work > work ? left.max_work - work : 1;
  return left;
}

irl_outcome irl_limit_outcome(const irl_limit *limit) {
  return irl_stopped(limit->env) ? IRL_OUTCOME_INTERRUPTED : IRL_OUTCOME_LIMIT;
}

static void begin_reading(irl_env *env, const irl_limit *limit) {
  irl_callbacks_note(env, IRL_PART_READING, 0, NAN, NAN);
  env->reading = limit;
}

void irl_reading_begin(irl_env *env, irl_limit *limit, const irl_options *options) {
  if (env->reading) return;
  irl_limit_init(limit, env, options);
  begin_reading(env, limit);
}

void irl_reading_begin_within(irl_env *env, const irl_limit *limit) {
  if (!env->reading) begin_reading(env, limit);
}

void irl_reading_end(irl_env *env, const irl_limit *limit) {
  if (env->reading == limit) env->reading = NULL;
}

bool irl_reading_limit_reached(const irl_env *env) {
  return env->reading ? irl_limit_poll(env->reading) : irl_stopped(env);
}

bool irl_reading_limit_reached_at(const irl_env *env, size_t *next, size_t at) {
  if (!*next) *next = IRL_READING_STEP; /* little is read whatever the limits */
  if (at < *next) return false;
  *next = at + IRL_READING_STEP;
  return irl_reading_limit_reached(env);
}

bool irl_pace_is_cut(irl_pace *pace, size_t more) {
  pace->at += more;
  if (pace->is_cut || pace->at < IRL_READING_STEP) return pace->is_cut;
  pace->at = 0;
  return pace->is_cut =
             pace->limit ? irl_limit_poll(pace->limit) : irl_reading_limit_reached(pace->env);
}

irl_status irl_env_limit_reading(irl_env *env, const irl_options *options) {
  IRL_NEED(env, "env, options", env, options);
  irl_options own;
  const irl_status status = irl_options_copy_in(env, options, &own);
  if (status) return status;
  if (!env->own_reading)
    env->own_reading = irl_mem_alloc(&env->allocator, 1, sizeof *env->own_reading);
  if (!env->own_reading) return irl_fail_memory(env);
  irl_limit_init(env->own_reading, env, &own);
  begin_reading(env, env->own_reading);
  return IRL_STATUS_OK;
}

/* The system is asked only where much is wanted. */
static bool machine_affords(double bytes) {
  return bytes < MUCH || bytes / 1e6 <= irl_clock_available_mb();
}

bool irl_limit_affords(const irl_limit *limit, double bytes) {
  if (!machine_affords(bytes)) return false;
  return limit->max_mb <= 0 ||
         irl_clock_resident_mb() + bytes / 1e6 <= limit->base_mb + limit->max_mb;
}

bool irl_reading_affords(const irl_env *env, double bytes) {
  return env->reading ? irl_limit_affords(env->reading, bytes) : machine_affords(bytes);
}

irl_status irl_writing_fail(irl_env *env, const char *path, bool is_removed) {
  return irl_fail(env, IRL_STATUS_LIMIT, "%s: %s while writing; %s", path,
                  irl_stopped(env) ? "interrupted" : "time or memory limit reached",
                  is_removed ? "the partial file was removed" : "the output is not complete");
}

irl_status irl_reading_fail(irl_env *env, const char *path) {
  const irl_limit *limit = env->reading;
  if (irl_stopped(env))
    return irl_fail(env, IRL_STATUS_LIMIT, "%s: stopped while the data were read", path);
  if (limit && limit->deadline > 0 && irl_clock_now() > limit->deadline)
    return irl_fail(env, IRL_STATUS_LIMIT, "%s: the time limit came while the data were read",
                    path);
  if (!limit || limit->max_mb <= 0)
    return irl_fail(env, IRL_STATUS_LIMIT, "%s: the data take more memory than there is", path);
  return irl_fail(env, IRL_STATUS_LIMIT, "%s: the data take more memory than the limit of %.0f MB",
                  path, limit->max_mb);
}
