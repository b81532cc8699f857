#include "search/tree_rounds.h"
#include "base/arena.h"
#include "base/parallel.h"
#include "base/threads.h"
#include <assert.h>

#define FIRST_TURN ((uint64_t)1 << 12) /* words; turns double from round to round */

/* The children of a node that a worker has to go through. */
typedef struct siblings {
  size_t next, end;
  double width; /* share of the tree that each of them is */
} siblings;

typedef struct place {
  siblings *at;         /* by depth */
  uint32_t base, depth; /* of the highest node whose children it goes through, and of its own */
  bool is_idle, is_cut;
  double share; /* closed in this turn */
} place;

typedef struct deal {
  irl_tree_rounds *rounds;
  place *places;
  size_t next_root;
} deal;

/* ---- a turn ---- */

/* The node is closed: what it is of the tree is done. */
static void close_node(const irl_tree_rounds *rounds, place *p, uint32_t worker) {
  assert(p->depth > p->base);
  p->depth--;
  const siblings *s = &p->at[p->depth];
  assert(s->next);
  rounds->leave(rounds->user, worker, p->depth, s->next - 1);
}

static void run_turn(const irl_tree_rounds *rounds, place *p, uint32_t worker, uint64_t turn) {
  while (!p->is_idle && !p->is_cut && rounds->work(rounds->user, worker) < turn) {
    siblings *s = &p->at[p->depth];
    size_t n = 0;
    assert(s->next <= s->end && p->depth <= rounds->max_depth);
    if (s->next == s->end) {
      p->is_idle = p->depth == p->base;
      if (!p->is_idle) close_node(rounds, p, worker);
      continue;
    }
    switch (rounds->enter(rounds->user, worker, p->depth, s->next, &n)) {
    case IRL_TREE_CUT:
      p->is_cut = true;
      break;
    case IRL_TREE_PASSED:
      p->share += (double)(s->end - s->next) * s->width;
      s->next = s->end;
      break;
    case IRL_TREE_ENTERED:
      s->next++;
      p->depth++;
      assert(p->depth <= rounds->max_depth && (p->depth < rounds->max_depth || !n));
      p->at[p->depth] = (siblings){.end = n, .width = n ? s->width / (double)n : 0};
      if (!n) p->share += s->width;
      break;
    }
  }
}

/* ---- between rounds ---- */

/* The highest node of a place with children that are left to others, whose children list clauses
 * themselves; its depth, or UINT32_MAX. */
static uint32_t depth_to_share(const irl_tree_rounds *rounds, const place *p) {
  for (uint32_t d = p->base; !p->is_idle && d <= p->depth && d + 2 <= rounds->max_depth; d++) {
    const size_t left = p->at[d].end - p->at[d].next;
    if (left > (d == p->depth)) return d;
  }
  return UINT32_MAX;
}

/* The worker with most of the tree to share, or IRL_TREE_ROOT if there is none. */
static uint32_t find_richest(const deal *x) {
  uint32_t richest = IRL_TREE_ROOT;
  double most = 0;
  for (uint32_t w = 0; w < x->rounds->n_workers; w++) {
    const uint32_t d = depth_to_share(x->rounds, &x->places[w]);
    if (d == UINT32_MAX) continue;
    const siblings *s = &x->places[w].at[d];
    const double share = (double)(s->end - s->next) * s->width;
    if (share <= most) continue;
    most = share;
    richest = w;
  }
  return richest;
}

/* Gives an idle worker the next child of the root, or a part of what another one has. */
static bool deal_out(deal *x, uint32_t worker) {
  irl_tree_rounds *rounds = x->rounds;
  place *p = &x->places[worker];
  uint32_t from = IRL_TREE_ROOT, depth = 0;
  siblings part = {x->next_root, x->next_root + 1, 1 / (double)rounds->n_root};
  if (x->next_root < rounds->n_root) {
    x->next_root++;
  } else {
    from = find_richest(x);
    if (from == IRL_TREE_ROOT) return true;
    depth = depth_to_share(rounds, &x->places[from]);
    siblings *s = &x->places[from].at[depth];
    const size_t left = s->end - s->next;
    part = (siblings){s->next + (left + (depth == x->places[from].depth)) / 2, s->end, s->width};
    assert(from != worker && s->next <= part.next && part.next < part.end);
    s->end = part.next;
  }
  p->base = p->depth = depth;
  p->at[depth] = part;
  p->is_idle = false;
  return rounds->give(rounds->user, from, worker, depth, part.next);
}

static void leave_open(deal *x) {
  irl_tree_rounds *rounds = x->rounds;
  for (uint32_t w = 0; w < rounds->n_workers; w++) {
    const place *p = &x->places[w];
    for (uint32_t d = p->base; !p->is_idle && d <= p->depth; d++)
      if (p->at[d].next < p->at[d].end) {
        rounds->is_cut = true;
        if (rounds->leave_open) rounds->leave_open(rounds->user, w, d, p->at[d].next);
      }
  }
  if (x->next_root == rounds->n_root) return;
  rounds->is_cut = true;
  if (rounds->leave_open) rounds->leave_open(rounds->user, IRL_TREE_ROOT, 0, x->next_root);
}

/* A round; false: the search ends, closed or not. */
static bool run_round(deal *x, uint64_t turn, bool *has_memory) {
  irl_tree_rounds *rounds = x->rounds;
  const uint32_t n = rounds->n_workers;
  uint32_t n_busy = 0;
  bool is_cut = false;
  for (uint32_t w = 0; w < n && *has_memory; w++) {
    if (x->places[w].is_idle) *has_memory = deal_out(x, w);
    n_busy += !x->places[w].is_idle;
  }
  if (!n_busy || !*has_memory) return false;
#pragma omp parallel for num_threads(                                                              \
    irl_threads_for(n_busy > 1 ? rounds->threads : 1, n_busy, (double)turn)) schedule(dynamic, 1)
  for (uint32_t w = 0; w < n; w++) run_turn(rounds, &x->places[w], w, turn);
  for (uint32_t w = 0; w < n; w++) {
    rounds->share += x->places[w].share;
    x->places[w].share = 0;
    is_cut = is_cut || x->places[w].is_cut;
  }
  assert(rounds->share >= 0 && rounds->share < 1 + 1e-6);
  return rounds->merge(rounds->user, rounds->share < 1 ? rounds->share : 1) && !is_cut;
}

irl_status irl_tree_rounds_run(irl_tree_rounds *rounds) {
  deal x = {.rounds = rounds};
  irl_arena arena;
  assert(rounds->n_workers && rounds->threads > 0 && rounds->turn && rounds->max_depth);
  irl_arena_init(&arena, &rounds->env->allocator);
  rounds->share = 0;
  rounds->is_cut = false;
  x.places = irl_arena_alloc(&arena, rounds->n_workers, sizeof *x.places);
  bool has_memory = x.places;
  for (uint32_t w = 0; has_memory && w < rounds->n_workers; w++) {
    x.places[w].is_idle = true;
    x.places[w].at = irl_arena_alloc(&arena, rounds->max_depth + 1u, sizeof *x.places[w].at);
    has_memory = x.places[w].at;
  }
  uint64_t turn = FIRST_TURN < rounds->turn ? FIRST_TURN : rounds->turn;
  while (has_memory && run_round(&x, turn, &has_memory))
    turn = turn < rounds->turn / 2 ? 2 * turn : rounds->turn;
  if (has_memory) leave_open(&x);
  if (has_memory && !rounds->is_cut) rounds->share = 1;
  irl_arena_free(&arena);
  return has_memory ? IRL_STATUS_OK : irl_fail_memory(rounds->env);
}
