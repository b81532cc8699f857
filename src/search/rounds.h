/* Rounds: independent tasks of a search, in parallel and repeatable. The tasks of a round know only
 * what earlier rounds found; results are merged in the order of the tasks by one thread. So nodes,
 * work and answers do not depend on the number of threads.
 *
 * Processes may share the tasks of a round: all run the same search, each takes tasks as long as
 * there are any, and all get the results of all before they are merged. Only the root looks at
 * limits but that on memory.
 *
 * Work is shared out: each task of a round may use an equal part of what is left and is cut there.
 * Cut tasks stay open; they are tried again, with more, once every task had its turn and work is
 * left. */
#ifndef IRL_SEARCH_ROUNDS_H
#define IRL_SEARCH_ROUNDS_H

#include "base/limit.h"
#include "comm/comm.h"

typedef struct irl_search_rounds {
  irl_env *env;
  const irl_limit *limit; /* its max_work is the work of all tasks */
  int threads;
  uint32_t n_tasks;
  double task_work; /* about that of a large task, for the first round; 0: not known */
  void *user;
  /* Runs a task in thread 0 .. threads - 1 until it is done or has used max_work. Returns the work
   * it used; *is_done says how it ended. */
  uint64_t (*run)(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done);
  /* After a round, by one thread, for each of its tasks in order; a task that is not done may run
   * again from its start. */
  void (*merge)(void *user, uint32_t task, bool is_done);
  /* After a round; false ends the search. May be NULL. */
  bool (*report)(void *user, uint32_t n_open, uint64_t work);
  /* For several processes, otherwise NULL: `put` sends what a task found, `get` receives it from
   * the process that ran it; false: out of memory. */
  void (*put)(void *user, uint32_t task, irl_message *message);
  bool (*get)(void *user, uint32_t task, irl_message *message);
  /* Could this process merge all results? NULL: it always can. */
  bool (*is_well)(void *user);
  /* Results. */
  uint64_t work;
  uint32_t n_open;
  bool *is_open; /* of each task; the caller frees it */
} irl_search_rounds;

irl_status irl_search_run(irl_search_rounds *rounds);

#endif
