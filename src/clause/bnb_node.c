/* The inner nodes of the exact search: depth first over literals. A node holds a table of the
 * candidates that are left, packed to the samples it still covers; child k takes literal k and sees
 * only the candidates after it, so every set of literals comes up once. Counting against the
 * child gives its candidates; bounds thin them out; what is left becomes the child's own table, or
 * goes to irl_clause_last_pair when two literals are left. */
#include "clause/worker.h"

#define CHECKED_COLUMNS 32u /* assertions look at whole tables of up to so many columns */

void irl_clause_leave_open(irl_clause_worker *worker, const irl_clause_table *table, uint32_t first,
                           uint32_t last, const irl_clause_removals *most) {
  for (uint32_t k = first; k < last; k++) {
    const int64_t bound =
        irl_clause_bound(worker, &table->set, k, table->n_controls, table->cost, most);
    if (bound > worker->open_bound) worker->open_bound = bound;
  }
}

#ifndef NDEBUG
/* Are the bounds of a child's candidates not above that of the child? For assertions. */
static bool node_check(const irl_clause_worker *worker, const irl_literal_set *set,
                       uint32_t controls, int64_t cost, uint32_t left, int64_t bound) {
  if (!left || !set->n) return true;
  const irl_clause_removals most =
      irl_clause_largest_removals(worker->model, set, controls, cost, left);
  for (uint32_t i = 0; i < set->n; i++)
    if (irl_clause_bound(worker, set, i, controls, cost, &most) > bound) return false;
  return true;
}
#endif

static void descend(irl_clause_worker *worker, const irl_clause_table *table, uint32_t depth,
                    uint32_t k, irl_literal_set *set, uint32_t left) {
  irl_clause_offer_all(worker, table, set, table->set.controls[k]);
  if (left < 2) return;
  irl_clause_filter(worker, set, table->set.controls[k], table->set.cost[k], left);
  if (set->n < 2) return;
  if (left == 2) {
    irl_clause_last_pair(worker, table, k, set);
    return;
  }
  irl_clause_table *next = &worker->frames[depth + 1].table;
  if (!irl_clause_sort(worker, set, set->cases, &worker->sorted) ||
      !irl_clause_table_narrow(worker->model, table, k, &worker->sorted, next)) {
    worker->ending = IRL_ENDED_BY_MEMORY;
    return;
  }
  worker->work += (uint64_t)set->n * table->stride;
  assert(next->n_cases <= table->n_cases && next->n_controls <= table->n_controls);
  irl_clause_drop_dominated(worker, next);
  assert(next->set.n > CHECKED_COLUMNS || irl_clause_table_check(worker->model, next));
  if (left == 3)
    irl_clause_triples(worker, next, depth + 1);
  else
    irl_clause_bnb_branch(worker, next, depth + 1, 0, next->set.n, left);
}

void irl_clause_bnb_branch(irl_clause_worker *worker, const irl_clause_table *table, uint32_t depth,
                           uint32_t first, uint32_t last, uint32_t left) {
  irl_clause_frame *frame = &worker->frames[depth];
  assert(depth < worker->n_frames && last <= table->set.n);
  assert(left && worker->path.n + left <= worker->model->max_size);
  const irl_clause_removals most =
      irl_clause_largest_removals(worker->model, &table->set, table->n_controls, table->cost, left);
  for (uint32_t start = first; start < last; start += IRL_CLAUSE_BLOCK) {
    const uint32_t n = last - start < IRL_CLAUSE_BLOCK ? last - start : IRL_CLAUSE_BLOCK;
    if (irl_clause_limit_reached(worker)) {
      irl_clause_leave_open(worker, table, start, last, &most);
      return;
    }
    if (!irl_clause_count_children(worker, table, frame, start, n)) return;
    for (uint32_t k = start; k < start + n; k++) {
      if (irl_clause_limit_reached(worker)) {
        irl_clause_leave_open(worker, table, k, last, &most);
        return;
      }
      const int64_t bound =
          irl_clause_bound(worker, &table->set, k, table->n_controls, table->cost, &most);
      if (bound < worker->need) continue;
      assert(node_check(worker, &frame->children[k - start], table->set.controls[k],
                        table->set.cost[k], left - 1, bound));
      worker->nodes++;
      worker->path.literals[worker->path.n++] = table->set.id[k];
      descend(worker, table, depth, k, &frame->children[k - start], left - 1);
      worker->path.n--;
      assert(worker->path.literals[worker->path.n] == table->set.id[k]);
    }
  }
}
