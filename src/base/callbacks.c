#include "base/callbacks.h"
#include "base/clock.h"
#include "base/env.h"
#include <math.h>

void irl_env_set_progress(irl_env *env, irl_progress_hook hook, void *user) {
  if (!env) return;
  env->watch->progress = hook;
  env->watch->progress_user = user;
}

void irl_env_set_incumbent(irl_env *env, irl_incumbent_hook hook, void *user) {
  if (!env) return;
  env->watch->incumbent = hook;
  env->watch->incumbent_user = user;
}

static void begin_memory(irl_callbacks *watch) {
  watch->base_mb = irl_clock_resident_mb();
  watch->is_full = false;
}

void irl_env_count_memory(irl_env *env) {
  if (!env) return;
  begin_memory(&env->own_watch);
  env->own_watch.is_whole = true;
}

bool irl_callbacks_begin_whole(const irl_env *env) {
  irl_callbacks *watch = env->watch;
  if (watch->env != env || watch->is_whole) return false;
  begin_memory(watch);
  watch->is_whole = true;
  return true;
}

void irl_callbacks_end_whole(const irl_env *env, bool is_outermost) {
  if (is_outermost) env->watch->is_whole = false;
}

void irl_callbacks_begin(const irl_env *env) {
  irl_callbacks *watch = env->watch;
  if (!watch || watch->env != env) return;
  if (!watch->is_whole) begin_memory(watch);
  watch->caller = pthread_self();
  watch->next = irl_clock_now() + watch->period;
  watch->is_taken = false;
  watch->now = (irl_progress){.size = sizeof watch->now,
                              .part = "start",
                              .objective = NAN,
                              .bound = NAN,
                              .share = NAN,
                              .left = NAN};
}

static void note(irl_callbacks *watch, const char *part, uint64_t work, double objective,
                 double bound) {
  if (part) watch->now.part = part;
  watch->now.work = work;
  watch->now.objective = objective;
  watch->now.bound = bound;
  watch->now.share = watch->now.left = NAN;
}

void irl_callbacks_note(const irl_env *env, const char *part, uint64_t work, double objective,
                        double bound) {
  if (!env->watch || env->watch->env != env) return;
  env->watch->is_taken = true;
  note(env->watch, part, work, objective, bound);
}

void irl_callbacks_note_engine(const irl_env *env, const char *part, uint64_t work,
                               double objective, double bound) {
  if (!env->watch || env->watch->env != env || env->watch->is_taken) return;
  note(env->watch, part, work, objective, bound);
}

void irl_callbacks_note_share(const irl_env *env, const char *part, double share, double left) {
  if (!env->watch || env->watch->env != env || env->watch->now.part != part) return;
  env->watch->now.share = share;
  env->watch->now.left = left;
}

void irl_callbacks_poll(const irl_env *env) {
  irl_callbacks *watch = env->watch;
  if (!watch || !watch->progress || !pthread_equal(watch->caller, pthread_self())) return;
  const double time = irl_clock_now();
  if (time < watch->next) return;
  watch->next = time + watch->period;
  watch->now.seconds = time - watch->env->started;
  if (watch->progress(watch->progress_user, &watch->now)) irl_env_stop(watch->env);
}

bool irl_callbacks_wants_rules(const irl_env *env) {
  return env->watch && env->watch->incumbent && env->watch->env == env;
}

void irl_callbacks_show_rule(const irl_env *env, const irl_incumbent *incumbent) {
  irl_callbacks *watch = env->watch;
  if (watch->incumbent(watch->incumbent_user, incumbent)) irl_env_stop(watch->env);
}
