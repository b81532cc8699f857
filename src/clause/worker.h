/* A worker: all that one thread writes while it searches. Between workers and the read-only model
 * stands only what the driver hands from round to round. */
#ifndef IRL_CLAUSE_WORKER_H
#define IRL_CLAUSE_WORKER_H

#include "clause/table.h"
#include "search/ending.h"
#include "search/top.h"

#define IRL_CLAUSE_BLOCK 8u  /* children whose candidates are counted together */
#define IRL_CLAUSE_TILE  32u /* columns that stay in the first cache meanwhile */

/* Memory of one depth. */
typedef struct irl_clause_frame {
  irl_clause_table table;
  irl_literal_set children[IRL_CLAUSE_BLOCK]; /* candidates of each child of a block */
} irl_clause_frame;

/* Called for each clause of a listing; anything but IRL_ENDED ends it. */
typedef irl_ending (*irl_clause_visit)(void *user, const irl_clause *clause);

typedef struct irl_clause_worker {
  const irl_clause_model *model;
  const irl_limit *limit; /* clock and stop request only; may be NULL */
  uint64_t max_work;      /* cut when `work` gets there */
  uint32_t budget, min_cases;
  int64_t need;    /* the least value that is still wanted */
  irl_clause best; /* n = 0: none found */
  irl_clause path; /* literals chosen so far, in the order of choice */
  uint64_t nodes, work;
  irl_ending ending;
  int64_t open_bound; /* when cut: no clause that was left out is better */
  uint64_t next_check;
  /* A listing wants every clause, not the best. */
  irl_clause_visit visit;
  void *user;
  irl_clause_frame *frames;
  uint32_t n_frames;
  /* Scratch of the last two literals and of the weights. */
  irl_literal_set sorted;
  uint32_t *buckets;
  size_t n_buckets;
  uint32_t *counts, *ids;
  size_t n_scratch;
  irl_clause_words samples, rows, mask, cover, joint, packed, signatures, pairs;
  irl_hash_index index; /* of equal columns */
} irl_clause_worker;

/* What an enumeration wants. */
typedef struct irl_clause_thresholds {
  uint32_t min_cases;    /* at least; counts as 1 if it is 0 */
  uint32_t max_controls; /* at most */
  int64_t min_value;     /* at least */
} irl_clause_thresholds;

/* One for each thread, in one block; NULL: out of memory. */
irl_clause_worker *irl_clause_workers_create(const irl_clause_model *model, int threads);
void irl_clause_workers_free(irl_clause_worker *workers, int threads,
                             const irl_allocator *allocator);
/* For a further problem; memory is kept. */
bool irl_clause_worker_reset(irl_clause_worker *worker, const irl_clause_model *model);
/* Before the root is searched: offers the single literals; those that a clause that is wanted may
 * hold go into `table`, less what others make superfluous. Several processes do it together. */
irl_status irl_clause_open_root(irl_env *env, irl_clause_worker *worker, bool is_together,
                                irl_clause_table *table);

void irl_clause_set_thresholds(irl_clause_worker *worker, const irl_clause_thresholds *thresholds);

/* Is it time to end? Asks clock and work. */
bool irl_clause_limit_reached(irl_clause_worker *worker);

/* What a clause covers, and the weights of that. */
typedef struct irl_clause_counts {
  uint32_t cases, controls;
  int64_t gain, cost;
} irl_clause_counts;
/* The clause of the path and up to two more literals: becomes the best, or is visited, if it is
 * wanted. */
void irl_clause_offer(irl_clause_worker *worker, const uint32_t *more, uint32_t n_more,
                      const irl_clause_counts *counts);

/* A clause that covers fewer cases is not wanted. */
static inline uint32_t irl_clause_least_cases(const irl_clause_worker *worker) {
  const irl_clause_model *model = worker->model;
  if (worker->need <= 0) return worker->min_cases;
  if (!model->weight[0]) return UINT32_MAX;
  const int64_t least = (worker->need + model->weight[0] - 1) / model->weight[0];
  if (least > UINT32_MAX) return UINT32_MAX;
  return least > worker->min_cases ? (uint32_t)least : worker->min_cases;
}
/* Literals of one feature or group: no clause holds both. */
bool irl_clause_are_grouped(const irl_clause_problem *problem, uint32_t a, uint32_t b);
/* Candidates of the children first .. first + n - 1 of `table` into the frame's sets: those after
 * each that could reach what is wanted by themselves. */
bool irl_clause_count_children(irl_clause_worker *worker, const irl_clause_table *table,
                               irl_clause_frame *frame, uint32_t first, uint32_t n);
/* Of n candidates of child k that stand after the set's last, ids and cases: appends those that are
 * wanted, with weights and controls. */
void irl_clause_complete(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                         uint32_t n, irl_literal_set *set);
/* Offers path + candidate for each; not those that cover as many controls as the path by itself
 * (UINT32_MAX: the path is empty), where the path may stand for them. */
void irl_clause_offer_all(irl_clause_worker *worker, const irl_clause_table *table,
                          const irl_literal_set *set, uint32_t controls);
/* Drops candidates that no clause that is wanted can hold, with at most `left` literals more
 * (itself among them) at a node that covers these controls. */
void irl_clause_filter(irl_clause_worker *worker, irl_literal_set *set, uint32_t controls,
                       int64_t cost, uint32_t left);
/* What the `left` literals that remove most can remove of the controls and of their cost. */
typedef struct irl_clause_removals {
  irl_top_total count, cost;
} irl_clause_removals;
irl_clause_removals irl_clause_largest_removals(const irl_clause_model *model,
                                                const irl_literal_set *set, uint32_t controls,
                                                int64_t cost, uint32_t left);
/* No clause that holds candidate i is better; IRL_CLAUSE_NO_VALUE if none is within the budget. */
int64_t irl_clause_bound(const irl_clause_worker *worker, const irl_literal_set *set, uint32_t i,
                         uint32_t controls, int64_t cost, const irl_clause_removals *most);
/* `set` by ascending keys (stable) into `sorted`; keys are at most `most`. False: no memory. */
bool irl_clause_sort(irl_clause_worker *worker, const irl_literal_set *set, const uint32_t *keys,
                     irl_literal_set *sorted);

/* The children first .. last - 1 of a node with `left` literals left; table in frame `depth`, or
 * the root. */
void irl_clause_bnb_branch(irl_clause_worker *worker, const irl_clause_table *table, uint32_t depth,
                           uint32_t first, uint32_t last, uint32_t left);
/* Finishes a whole table with three literals left. */
void irl_clause_triples(irl_clause_worker *worker, const irl_clause_table *table, uint32_t depth);
/* The children first .. last - 1 are left out: their bounds stay open. */
void irl_clause_leave_open(irl_clause_worker *worker, const irl_clause_table *table, uint32_t first,
                           uint32_t last, const irl_clause_removals *most);
/* Turns n columns of `n_words` words, `stride` apart, to 64 * n_words rows of a bit per column, of
 * irl_bits_stride(n) words; `flip` is what each word of a row is xored with. */
void irl_clause_turn_rows(const uint64_t *columns, size_t stride, uint32_t n, uint32_t n_words,
                          uint64_t flip, uint64_t *rows);
/* A sample of what a column covers, in so many words of a table: the first ones, at most `wanted`,
 * as a mask into worker->cover; how many words they take. */
size_t irl_clause_choose_sample(irl_clause_worker *worker, const uint64_t *covered, size_t n_words,
                                uint32_t wanted);
/* How many of the cases it covers a clause may lose to a further literal, and how many of the
 * controls it may keep, at most, if the result is to be wanted. */
typedef struct irl_clause_slack {
  uint32_t cases, controls;
} irl_clause_slack;
irl_clause_slack irl_clause_slack_of(const irl_clause_worker *worker, int64_t gain, uint32_t cases);
/* Of a candidate of mean gain and cases. */
irl_clause_slack irl_clause_mean_slack(const irl_clause_worker *worker, const irl_literal_set *set);
/* Rows that let few of many candidates through which hit each with chance one half. */
uint32_t irl_clause_rows_wanted(uint32_t allowance);
/* Counts path + l + m exactly for the n columns m in worker->ids, where column k is the path's last
 * literal and k + l cover so many controls; offers them. */
bool irl_clause_verify(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                       uint32_t l, uint32_t controls, uint32_t n);
/* Is nothing wanted that covers a control, where all cases weigh the same? */
bool irl_clause_is_disjoint(const irl_clause_worker *worker);
/* The first words of all controls side by side, for the function below. False: out of memory. */
bool irl_clause_pack_controls(irl_clause_worker *worker, const irl_clause_table *table);
/* The last two literals for k where that is so, from the ids of all partners that keep enough
 * cases; `few` is scratch of as much room. False: cut. */
bool irl_clause_disjoint_pairs(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                               irl_literal_set *partners, irl_literal_set *few);
/* May the partners lose so little that signatures reject most pairs of them? */
bool irl_clause_prefers_signatures(const irl_clause_worker *worker,
                                   const irl_literal_set *partners);
/* The last two literals for k, from such partners, whose ids are put into another order. False:
 * cut. */
bool irl_clause_close_pairs(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                            irl_literal_set *partners);
/* The last two literals, from the candidates `set` of child k. */
void irl_clause_last_pair(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                          const irl_literal_set *set);
/* Removes columns that others make superfluous. */
void irl_clause_drop_dominated(irl_clause_worker *worker, irl_clause_table *table);

#endif
