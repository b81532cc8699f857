/* Limits of a run: work (repeatable), wall clock, memory and a request to stop (none of them is). A
 * search checks work where its rounds end, so that it stops at the same place on every machine, and
 * calls irl_limit_poll inside every long loop, where only clock, memory and stop request count. */
#ifndef IRL_BASE_LIMIT_H
#define IRL_BASE_LIMIT_H

#include "base/env.h"

struct irl_limit {
  const irl_env *env;
  double deadline;   /* on irl_clock_now(); 0: none */
  double max_mb;     /* beyond base_mb; 0: any */
  double base_mb;    /* what the process had when the job began */
  uint64_t max_work; /* UINT64_MAX: none */
  /* Work of the whole job that a limit on work or time allows, about, for plans; 0: any. */
  uint64_t planned_work;
};

/* Starts the clock of the options' time limit. */
void irl_limit_init(irl_limit *limit, const irl_env *env, const irl_options *options);
bool irl_limit_poll(const irl_limit *limit);
/* Is there room for so many bytes more? To be asked before a size from a file is allocated. */
bool irl_limit_affords(const irl_limit *limit, double bytes);
bool irl_limit_reached(const irl_limit *limit, uint64_t work);
/* What is left of the limit after so much work: at least one word. */
irl_limit irl_limit_left(const irl_limit *limit, uint64_t work);
/* How a search that was cut short ended: IRL_OUTCOME_INTERRUPTED or IRL_OUTCOME_LIMIT. */
irl_outcome irl_limit_outcome(const irl_limit *limit);

/* Data that are being read and coded have no result to keep: whoever does it asks now and then,
 * every IRL_READING_STEP bytes or cells, and gives up if it is time to. A reading within another
 * one has the limit of that. */
#define IRL_READING_STEP ((size_t)1 << 20)
#define IRL_PART_READING "reading" /* what progress hooks are told then */
void irl_reading_begin(irl_env *env, irl_limit *limit, const irl_options *options);
/* The same with the limit of a job that reads. */
void irl_reading_begin_within(irl_env *env, const irl_limit *limit);
void irl_reading_end(irl_env *env, const irl_limit *limit);
bool irl_reading_limit_reached(const irl_env *env);
/* Is a limit reached, for who walks over a text in memory, at byte `at` of it now; *next is 0 at
 * first. */
bool irl_reading_limit_reached_at(const irl_env *env, size_t *next, size_t at);
/* The same for who goes on in many small steps: once a limit is reached it stays so, and no more is
 * to be done. */
typedef struct irl_pace {
  const irl_env *env;     /* that data are read or written in, or: */
  const irl_limit *limit; /* of a search */
  size_t at;              /* bytes or cells since the last look */
  bool is_cut;
} irl_pace;
bool irl_pace_is_cut(irl_pace *pace, size_t more);
bool irl_reading_affords(const irl_env *env, double bytes);
/* The sentence of what cut it: a request, the time limit, otherwise memory. */
irl_status irl_reading_fail(irl_env *env, const char *path);
/* The same limits hold for data that are written, and whoever writes asks as a reader does. */
irl_status irl_writing_fail(irl_env *env, const char *path, bool is_removed);

#endif
