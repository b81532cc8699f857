/* The environment: allocator, log hook, error text and stop flag of one user of the library.
 * Everything that allocates, fails or reports gets one; nothing of it is global. */
#ifndef IRL_BASE_ENV_H
#define IRL_BASE_ENV_H

#include "base/callbacks.h"
#include "base/threads.h"
#include "ireland.h"
#include <stdatomic.h>

#define IRL_ERROR_SIZE 1024

typedef struct irl_comm_state irl_comm_state; /* comm/comm.h */
typedef struct irl_limit irl_limit;           /* base/limit.h */

struct irl_env {
  irl_allocator allocator;
  irl_log_hook log_hook;
  void *log_user;
  double started;   /* irl_clock_now() at creation */
  int threads_used; /* the most threads a job of this env has used */
  atomic_bool stop;
  const irl_env *parent; /* whose request to stop counts too; NULL: none */
  irl_callbacks *watch;  /* its own, or its parent's; NULL: nobody watches */
  irl_callbacks own_watch;
  irl_comm_state *comm;     /* NULL: one process */
  int sharing;              /* processes that share the cores */
  const irl_limit *reading; /* of the data that are being read; NULL: none */
  irl_limit *own_reading;   /* of all that is read with this env; NULL: none */
  char error[IRL_ERROR_SIZE];
};

/* An environment for one of several threads that work on a job of `parent`: errors of its own, no
 * log. It ends before its parent. */
irl_status irl_env_create_child(const irl_env *parent, irl_env **env);

/* Sets the error text and returns `status`, so that callers can `return irl_fail(...)`. */
irl_status irl_fail(irl_env *env, irl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
irl_status irl_fail_memory(irl_env *env);
void irl_log(irl_env *env, irl_log_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails if a field is out of the range that the option table gives it, or not one of its words:
 * callers may have set it themselves. */
irl_status irl_options_check_ranges(irl_env *env, const irl_options *options);
/* The options of a caller, whose struct may be that of an older or a newer header, as this library
 * knows them. Every public function that is given options begins with it; what an older struct
 * lacks has its preset, and what a newer one sets beyond this library's options is refused. */
irl_status irl_options_copy_in(irl_env *env, const irl_options *options, irl_options *own);
/* The loss that counts: that of the method, where it has one of its own. */
irl_loss irl_options_loss(const irl_options *options);
/* The same without a sentence; false: the options have no size. */
bool irl_options_copy(const irl_options *options, irl_options *own);
/* The way back: as much of `own` as the caller's struct has room for. */
void irl_options_copy_out(const irl_options *own, irl_options *options);
/* For a job within a job: without start, pool, checkpoint, resume and certificate. */
void irl_options_clear_objects(irl_options *options);
/* The row of an option, which must be there. */
const irl_option_info *irl_option_find(const char *name);
/* The size of its field. */
size_t irl_option_bytes(const irl_option_info *info);
#define IRL_OPTION_SIZE 32u /* bytes of a word or of cuts as a text */
/* An option of words or cuts as a text that irl_option_parse takes; "" if it is not given. */
void irl_option_render(const irl_option_info *info, const irl_options *options,
                       char text[IRL_OPTION_SIZE]);
void irl_cuts_render(const irl_cuts *cuts, char text[IRL_OPTION_SIZE]);
/* Is it another value than the preset? */
bool irl_option_is_set(const irl_option_info *info, const irl_options *options);

static inline bool irl_stopped(const irl_env *env) {
  return atomic_load_explicit(&env->stop, memory_order_relaxed) ||
         (env->parent && irl_stopped(env->parent));
}

#endif
