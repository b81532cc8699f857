#include "base/env.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/contract.h"
#include "base/memory.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <stdlib.h>

#define PROGRESS_PERIOD 0.1 /* seconds */

#define TEXT_ROW(name, text) [name] = text,

const char *irl_status_text(irl_status status) {
  static const char *const texts[] = {IRL_STATUS_TABLE(TEXT_ROW)};
  return (unsigned)status < IRL_N_STATUS ? texts[status] : "unknown status";
}

const char *irl_outcome_text(irl_outcome outcome) {
  static const char *const texts[] = {IRL_OUTCOME_TABLE(TEXT_ROW)};
  return (unsigned)outcome < IRL_N_OUTCOME ? texts[outcome] : "unknown outcome";
}

const char *irl_phase_text(irl_phase phase) {
  static const char *const texts[] = {IRL_PHASE_TABLE(TEXT_ROW)};
  return (unsigned)phase < IRL_N_PHASE ? texts[phase] : "unknown phase";
}

static void *malloc_resize(void *user, void *memory, size_t size) {
  (void)user;
  if (size) return realloc(memory, size);
  free(memory);
  return NULL;
}

irl_status irl_env_create(const irl_allocator *allocator, irl_env **env) {
  irl_allocator own = {sizeof own, malloc_resize, NULL};
  if (!env || (allocator && !irl_sized_is_set(allocator))) return IRL_STATUS_BAD_ARGUMENT;
  if (allocator) irl_sized_copy_in(allocator, &own, sizeof own);
  if (!own.resize) return IRL_STATUS_BAD_ARGUMENT;
  irl_env *made = irl_mem_alloc(&own, 1, sizeof *made);
  if (!made) return IRL_STATUS_NO_MEMORY;
  made->allocator = own;
  made->started = irl_clock_now();
  atomic_init(&made->stop, false);
  made->own_watch.env = made;
  made->own_watch.period = PROGRESS_PERIOD;
  made->watch = &made->own_watch;
  *env = made;
  return IRL_STATUS_OK;
}

irl_status irl_env_create_child(const irl_env *parent, irl_env **env) {
  const irl_status status = irl_env_create(&parent->allocator, env);
  if (status) return status;
  (*env)->parent = parent;
  (*env)->watch = parent->watch;
  return IRL_STATUS_OK;
}

void irl_env_free(irl_env *env) {
  if (!env) return;
  const irl_allocator allocator = env->allocator;
  irl_mem_free(&allocator, env->comm);
  irl_mem_free(&allocator, env->own_reading);
  irl_mem_free(&allocator, env);
}

void irl_env_set_log(irl_env *env, irl_log_hook hook, void *user) {
  if (!env) return;
  env->log_hook = hook;
  env->log_user = user;
}

const char *irl_env_error(const irl_env *env) {
  return env ? env->error : irl_status_text(IRL_STATUS_NO_MEMORY);
}

void irl_env_stop(irl_env *env) {
  if (env) atomic_store_explicit(&env->stop, true, memory_order_relaxed);
}

void irl_env_clear_stop(irl_env *env) {
  if (env) atomic_store_explicit(&env->stop, false, memory_order_relaxed);
}

void irl_text_free(irl_env *env, char *text) {
  if (env) irl_mem_free(&env->allocator, text);
}

/* What a file holds must not break the line that speaks of it, nor steer a terminal. */
static void print_line(char line[IRL_ERROR_SIZE], const char *format, va_list arguments) {
  char text[IRL_ERROR_SIZE];
  irl_c_vsnprintf(text, sizeof text, format, arguments);
  irl_utf8_show_all(text, line, IRL_ERROR_SIZE);
}

irl_status irl_fail(irl_env *env, irl_status status, const char *format, ...) {
  va_list arguments;
  if (!env) return status; /* of a caller who has none there is nobody to tell */
  va_start(arguments, format);
  print_line(env->error, format, arguments);
  va_end(arguments);
  return status;
}

irl_status irl_fail_memory(irl_env *env) {
  return irl_fail(env, IRL_STATUS_NO_MEMORY, "%s", irl_status_text(IRL_STATUS_NO_MEMORY));
}

void irl_log(irl_env *env, irl_log_kind kind, const char *format, ...) {
  char line[IRL_ERROR_SIZE];
  if (!env->log_hook) return;
  va_list arguments;
  va_start(arguments, format);
  print_line(line, format, arguments);
  va_end(arguments);
  env->log_hook(env->log_user, kind, line);
}
