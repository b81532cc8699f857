/* Depth-first searches of one tree at the same time, repeatable. A fixed number of workers,
 * whatever the number of threads, each have a part of the tree and go through it depth first. A
 * round gives every worker a turn of so much work; what they found is merged after it, in their
 * order, by one thread. So nodes, work and answers do not depend on the number of threads, and a
 * node that takes long holds nothing back but its round.
 *
 * Best first at the root: its children, which come by falling promise, are dealt out one by one. A
 * worker that has nothing to do once they are all dealt out takes the later half of the children
 * that are left at the highest such node of another one.
 *
 * Where siblings that come earlier count as closed, they do so as soon as they are dealt out: what
 * is said of a later one is then true once all are closed, and a search that is cut leaves the
 * earlier ones open by their own bounds. */
#ifndef IRL_SEARCH_TREE_ROUNDS_H
#define IRL_SEARCH_TREE_ROUNDS_H

#include "base/env.h"

#define IRL_TREE_ROOT    UINT32_MAX /* in the place of a worker: the root itself */
#define IRL_TREE_WORKERS 16u        /* more than there are threads on most machines */

typedef enum irl_tree_answer {
  IRL_TREE_ENTERED, /* the child is the worker's node now */
  IRL_TREE_PASSED,  /* neither this child nor a later one needs a visit */
  IRL_TREE_CUT      /* the child stays open, and the search ends with this round */
} irl_tree_answer;

typedef struct irl_tree_rounds {
  irl_env *env;
  int threads;
  uint32_t n_workers;
  uint32_t max_depth; /* of a node; the root has depth 0, and leaves list nothing */
  size_t n_root;      /* children of the root */
  uint64_t turn;      /* work of a worker in a round, at most about; early rounds have less */
  void *user;
  /* Enters child i of the worker's node, which has that depth, and lists its children. */
  irl_tree_answer (*enter)(void *user, uint32_t worker, uint32_t depth, size_t i,
                           size_t *n_children);
  /* Child i of the node at that depth is closed, or handed out; the worker is back at the node. */
  void (*leave)(void *user, uint32_t worker, uint32_t depth, size_t i);
  /* Work of the worker since the last merge. */
  uint64_t (*work)(void *user, uint32_t worker);
  /* By one thread: worker `to` is to have the node at that depth of `from`, or the root, and to go
   * through its children from number `first` on. False: out of memory. */
  bool (*give)(void *user, uint32_t from, uint32_t to, uint32_t depth, size_t first);
  /* By one thread after each round, with the share of the tree that is closed if all children of a
   * node are alike. False ends the search. */
  bool (*merge)(void *user, double share);
  /* By one thread at the end, if the search did not end by itself: child i of the node at that
   * depth of a worker, or of the root, and all later ones are open. NULL: that does not matter. */
  void (*leave_open)(void *user, uint32_t worker, uint32_t depth, size_t i);
  /* Results. */
  double share;
  bool is_cut; /* something is open */
} irl_tree_rounds;

/* Fails only where memory does. */
irl_status irl_tree_rounds_run(irl_tree_rounds *rounds);

#endif
