/* Who watches a job: the hooks of the environment and what is known so far. Jobs note what they
 * have come to; limits look here whenever they are checked, so that every long loop reports now and
 * then without knowing of it. Hooks are called from the caller's own thread and from no other. */
#ifndef IRL_BASE_CALLBACKS_H
#define IRL_BASE_CALLBACKS_H

#include "ireland.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct irl_callbacks {
  irl_env *env; /* whose hooks they are */
  irl_progress_hook progress;
  void *progress_user;
  irl_incumbent_hook incumbent;
  void *incumbent_user;
  pthread_t caller;
  double period; /* seconds between two calls of the progress hook; 0: at every look at limits */
  double next;   /* on irl_clock_now(): when the progress hook is due */
  irl_progress now;
  bool is_taken; /* `now` speaks of a job that uses engines, which then keep silent */
  bool is_whole; /* a call with several jobs is under way: its base of memory is that of them all */
  double base_mb;      /* what the process had when the job or the call began */
  atomic_bool is_full; /* the job has had more than its memory limit beyond that */
} irl_callbacks;

/* A job begins in this thread. Jobs of child environments are part of another one. */
void irl_callbacks_begin(const irl_env *env);
/* A call that consists of several jobs, whose memory counts from here. False: it is itself part of
 * one; give the answer to the end. */
bool irl_callbacks_begin_whole(const irl_env *env);
void irl_callbacks_end_whole(const irl_env *env, bool is_outermost);
/* What a job has come to; NaN: not known. `part` must be a constant; NULL: the same as before. */
void irl_callbacks_note(const irl_env *env, const char *part, uint64_t work, double objective,
                        double bound);
/* What an engine has come to, which may be at work for a greater job. */
void irl_callbacks_note_engine(const irl_env *env, const char *part, uint64_t work,
                               double objective, double bound);
/* What share of its work the engine that has noted this has done, and the seconds that are left.
 * The next note forgets it. */
void irl_callbacks_note_share(const irl_env *env, const char *part, double share, double left);
/* Calls the progress hook if it is due. */
void irl_callbacks_poll(const irl_env *env);
/* Does somebody want to see rules of this environment's own job? */
bool irl_callbacks_wants_rules(const irl_env *env);
void irl_callbacks_show_rule(const irl_env *env, const irl_incumbent *incumbent);

#endif
