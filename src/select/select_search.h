/* The branch and bound over choices; see select_mask.c for its bound and select_bnb.c for the
 * search. */
#ifndef IRL_SELECT_SELECT_SEARCH_H
#define IRL_SELECT_SELECT_SEARCH_H

#include "search/ending.h"
#include "select/select_pool.h"

/* The search for multipliers divides each of those parts again, by this number. */
#define IRL_SELECT_FINE    64
#define IRL_SELECT_BUCKETS 8192u /* of values in the tables of masks, at most */
#define IRL_SELECT_CLOSERS 3u    /* multipliers of closed children that are kept at a node */

/* A set of budgets: bit j of a mask stands for the controls from base + (j << shift) on, up to the
 * next bit's. */
typedef struct irl_select_range {
  int64_t base, last; /* controls that a choice covers: at least, at most */
  unsigned shift;
} irl_select_range;

/* A choice in progress, the samples that it leaves and the clauses that may be added. Weights of
 * samples are in units, so that they are 1 where all of a class are equal. */
typedef struct irl_select_node {
  uint32_t left;   /* clauses that may still be added */
  int64_t loss;    /* of the choice so far */
  int64_t costs;   /* of its clauses */
  int64_t covered; /* cases, in units */
  int64_t paid;    /* controls, in units */
  uint64_t literals;
  /* The samples that a candidate covers and the choice does not: of cases, of controls. */
  uint32_t n_samples[2];
  uint32_t *sample[2]; /* in the pool */
  size_t words[2], stride;
  uint64_t *weights[2]; /* their weights as bit planes */
  /* The candidates. */
  uint32_t n;
  uint32_t *clause;          /* in the pool */
  uint32_t *column;          /* among the columns */
  uint64_t *mask;            /* budgets of the better choices that it may be in */
  int64_t *cases, *controls; /* that it adds, in units */
  int64_t *value;            /* in parts: its cases times their multipliers, less its cost */
  uint64_t *columns;         /* what it adds: bits of cases, then of controls, `stride` apart */
  /* Multipliers of the cases: of the order of the values, of the search for them. */
  uint8_t *parts;
  uint16_t *fine;
  uint64_t *planes; /* weights times multipliers, as bit planes */
  int64_t given;    /* the rest of the weights, in parts */
  /* What closed children before. */
  uint16_t *hint;
  uint64_t *closers;
  uint32_t n_closers;
  /* Memory. */
  size_t capacity, column_capacity, sample_capacity;
  uint64_t *list_memory, *sample_memory;
} irl_select_node;

/* All that one thread writes. */
typedef struct irl_select_worker {
  const irl_select_pool *pool;
  const irl_limit *limit;
  int threads; /* that the work at the root may use */
  irl_select_range range;
  irl_select_node *nodes; /* by the number of clauses chosen: K + 1 */
  /* Scratch. */
  uint64_t *any, *keep, *first; /* tables of masks by value */
  uint64_t *live, *scratch;     /* vectors over samples, bit planes */
  uint32_t *ids, *order;        /* one per clause of the pool */
  int64_t *sums, *more_sums;
  uint64_t *moved;
  uint32_t *counts; /* one per case */
  /* What the last tightening of masks found. */
  uint32_t n_first;             /* candidates that may be the first of a choice */
  uint32_t weakest;             /* bit of the budget with the most slack, */
  int64_t weakest_top;          /* and the largest value there */
  irl_select_choice path, best; /* chosen so far; best of this task */
  int64_t to_beat;              /* only a smaller loss is of interest */
  uint64_t nodes_done, work, max_work, next_check;
  irl_ending ending;
  uint64_t *memory, *spare; /* a block for columns that are moved */
  size_t spare_capacity;
  uint64_t *root_closers; /* what this worker remembers at the root */
  uint16_t *root_hint;
} irl_select_worker;

/* ---- select_node.c ---- */
bool irl_select_worker_init(irl_select_worker *worker, const irl_select_pool *pool,
                            const irl_limit *limit);
void irl_select_worker_free(irl_select_worker *worker);
void irl_select_node_free(const irl_select_pool *pool, irl_select_node *node);
/* Room for n candidates; what was there is lost. False: out of memory. */
bool irl_select_reserve(irl_select_worker *worker, irl_select_node *node, size_t n);
/* All clauses of the pool as candidates of an empty choice. */
void irl_select_make_root(irl_select_worker *worker, irl_select_node *root);
/* The candidates of a node, which are columns of another node, get columns of their own, over the
 * samples of `live` (in the other's numbers, cases then controls) that one of them covers. */
void irl_select_pack(irl_select_worker *worker, irl_select_node *node, const irl_select_node *from,
                     const uint64_t *live);
/* Candidate i stays, as number `to`, with that mask. */
static inline void irl_select_keep(irl_select_node *node, uint32_t to, uint32_t i, uint64_t mask) {
  assert(to <= i && i < node->n && mask);
  node->mask[to] = mask;
  node->cases[to] = node->cases[i];
  node->controls[to] = node->controls[i];
  node->value[to] = node->value[i];
  node->clause[to] = node->clause[i];
  node->column[to] = node->column[i];
}
/* A copy of the candidates with their columns, without those whose mask is empty. */
void irl_select_copy(irl_select_worker *worker, irl_select_node *node, const irl_select_node *from);
/* The candidates by falling value; their columns too if they are to be gone through often. */
void irl_select_sort_by_value(irl_select_worker *worker, irl_select_node *node);
/* Weights of `n` columns among those named (NULL: from `first` on) with the samples of bit planes.
 */
void irl_select_weigh_columns(irl_select_worker *worker, const irl_select_node *node, int class,
                              const uint64_t *planes, uint32_t n_planes, const uint32_t *ids,
                              uint32_t n, int64_t *sums);
/* Do loss, weights and counts of the node at that depth agree with the clauses chosen? */
bool irl_select_node_check(const irl_select_worker *worker, uint32_t depth);

/* ---- select_mask.c ---- */
/* What the clauses left must gain for a better choice. */
static inline int64_t irl_select_required_gain(const irl_select_worker *worker,
                                               const irl_select_node *node) {
  return node->loss - (worker->to_beat - 1);
}
/* The most controls of a better choice, in units. */
int64_t irl_select_most_controls(const irl_select_worker *worker, const irl_select_node *node);
void irl_select_set_range(irl_select_range *range, int64_t base, int64_t last);
/* The budgets of at least this many controls, and of at most this many. */
static inline uint64_t irl_select_from(const irl_select_range *range, int64_t controls) {
  if (controls <= range->base) return ~(uint64_t)0;
  const uint64_t bit = (uint64_t)(controls - range->base) >> range->shift;
  return bit > 63 ? 0 : ~(uint64_t)0 << bit;
}
static inline uint64_t irl_select_up_to(const irl_select_range *range, int64_t controls) {
  if (controls < range->base) return 0;
  const uint64_t bit = (uint64_t)(controls - range->base) >> range->shift;
  return bit >= 63 ? ~(uint64_t)0 : ((uint64_t)2 << bit) - 1;
}
/* What the values of a better choice with budget `bit` sum up to, at least. */
int64_t irl_select_needed(const irl_select_worker *worker, const irl_select_node *node,
                          int64_t given, unsigned bit);
/* May a candidate of that value be the first of r by value, where they need so much? */
static inline bool irl_select_may_lead(int64_t value, uint32_t r, int64_t needed) {
  return needed > 0 ? r * value >= needed : value >= needed;
}
/* The budgets with which candidate i may be the first of a better choice. */
uint64_t irl_select_lead_mask(const irl_select_worker *worker, const irl_select_node *node,
                              uint32_t i);
/* Takes budgets from masks by the values as they are, and drops candidates that have none left. */
void irl_select_tighten(irl_select_worker *worker, irl_select_node *node, int64_t given);
/* Values with all multipliers 1; masks are tightened by them, a few times. */
void irl_select_tighten_plain(irl_select_worker *worker, irl_select_node *node);
/* Bit planes of the weights of a node's cases times multipliers (fine ones, rounded). */
int64_t irl_select_set_planes(const irl_select_worker *worker, const irl_select_node *node,
                              const uint16_t *fine, uint64_t *planes);
/* Looks for multipliers in `n_rounds` rounds, beginning with node->fine, and tightens the masks by
 * all of them; the values are then those of the best ones. */
void irl_select_find_multipliers(irl_select_worker *worker, irl_select_node *node,
                                 uint32_t n_rounds);

/* ---- select_followers.c ---- */
/* The candidates of a node that may follow one of them: from `first` on up to the ends, which rise,
 * with the budgets that each part may still have. */
typedef struct irl_select_followers {
  uint64_t lead; /* all their budgets */
  uint32_t first, n;
  uint32_t end[64];
  uint64_t mask[64];
} irl_select_followers;
/* A walk through them; it begins with zeros. */
typedef struct irl_select_place {
  uint32_t part, at, n;
} irl_select_place;
/* Leaves only followers of the least value for a budget; they stand by falling value. */
void irl_select_cut_followers(const irl_select_node *node, irl_select_followers *followers,
                              const int64_t least[64]);
/* The next place->n of them: worker->ids, with their budgets in worker->moved. False: no more. */
bool irl_select_next(irl_select_worker *worker, const irl_select_node *node,
                     const irl_select_followers *followers, irl_select_place *place);

/* ---- select_pairs.c ---- */
/* All choices of candidate i with a later one, up to `end`, with two clauses left. */
void irl_select_try_partners(irl_select_worker *worker, uint32_t depth, uint32_t i, uint32_t end);

/* ---- select_bnb.c ---- */
/* Everything below adding candidate i of node `depth` and later ones. False: no later candidate can
 * be the first of a better choice. */
bool irl_select_branch(irl_select_worker *worker, uint32_t depth, uint32_t i);
/* Drops candidates with which too few cases are covered; where all are too few, all. */
void irl_select_drop_by_cases(const irl_select_pool *pool, irl_select_node *node);
/* Values and order of the candidates of a node with two or more clauses left. */
void irl_select_order(irl_select_worker *worker, irl_select_node *node, bool is_root);
bool irl_select_limit_reached(irl_select_worker *worker);
/* The choice so far and `more` further clauses have that loss, less than any before. */
void irl_select_accept(irl_select_worker *worker, int64_t loss, const uint32_t *more,
                       uint32_t n_more);

/* ---- select_root.c ---- */
#define IRL_SELECT_MAX_RANGES 4u

/* The root of the search for choices with budgets of a range. */
typedef struct irl_select_root {
  irl_select_range range;
  irl_select_node node;
} irl_select_root;

/* Roots for all budgets, in `roots`, which has room for IRL_SELECT_MAX_RANGES; returns how many. */
uint32_t irl_select_make_roots(irl_select_worker *worker, irl_select_root *roots);
/* A worker at that root; what it remembers of children is its own. */
void irl_select_begin(irl_select_worker *worker, const irl_select_root *root);
/* The least loss of a choice that candidate i of the worker's root leads; INT64_MAX: none is
 * better.
 */
int64_t irl_select_bound(const irl_select_worker *worker, uint32_t i);

static inline int64_t irl_select_benefit(const irl_select_worker *worker,
                                         const irl_select_node *node, uint32_t i) {
  return worker->pool->unit[0] * node->cases[i] - irl_select_cost(worker->pool, node->clause[i]);
}

#endif
