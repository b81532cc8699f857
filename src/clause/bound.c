/* Bounds. A node covers C controls of cost W, candidate l leaves c_l of cost w_l. Of the literals
 * that may still be added, l and left - 1 others, each removes at most what it would remove alone:
 * so a clause with l keeps at least C minus the removals of l and of the left - 1 largest others.
 * More than the budget: l is of no use. Likewise its value is at most its gain minus the cost that
 * must stay.
 *
 * In a search for the best clause a literal that removes no control is useless too: the clause
 * without it covers at least as many cases and the same controls. */
#include "clause/worker.h"

irl_clause_removals irl_clause_largest_removals(const irl_clause_model *model,
                                                const irl_literal_set *set, uint32_t controls,
                                                int64_t cost, uint32_t left) {
  irl_top top;
  irl_clause_removals most;
  irl_top_init(&top, left);
  for (uint32_t i = 0; i < set->n; i++) {
    assert(set->controls[i] <= controls && set->cost[i] <= cost);
    irl_top_put(&top, (int64_t)(controls - set->controls[i]), i);
  }
  most.count = irl_top_add(&top);
  most.cost.sum = most.count.sum * model->weight[1];
  most.cost.least = most.count.least * model->weight[1];
  if (!model->n_planes[1]) return most;
  irl_top_init(&top, left);
  for (uint32_t i = 0; i < set->n; i++) irl_top_put(&top, cost - set->cost[i], i);
  most.cost = irl_top_add(&top);
  return most;
}

int64_t irl_clause_bound(const irl_clause_worker *worker, const irl_literal_set *set, uint32_t i,
                         uint32_t controls, int64_t cost, const irl_clause_removals *most) {
  const int64_t removed = (int64_t)controls - set->controls[i];
  assert(i < set->n && removed >= 0 && cost >= set->cost[i]);
  if (controls - irl_top_with(most->count, removed) > (int64_t)worker->budget)
    return IRL_CLAUSE_NO_VALUE;
  int64_t stays = cost - irl_top_with(most->cost, cost - set->cost[i]);
  if (stays < 0) stays = 0;
  assert(stays <= set->cost[i]);
  return set->gain[i] - stays;
}

void irl_clause_filter(irl_clause_worker *worker, irl_literal_set *set, uint32_t controls,
                       int64_t cost, uint32_t left) {
  const irl_clause_model *model = worker->model;
  const bool is_listing = worker->visit != NULL;
  for (int pass = 0; pass < 2; pass++) {
    const irl_clause_removals most = irl_clause_largest_removals(model, set, controls, cost, left);
    const uint32_t before = set->n;
    uint32_t n = 0;
    for (uint32_t i = 0; i < before; i++) {
      if (set->controls[i] == controls && model->may_replace) continue;
      if (irl_clause_bound(worker, set, i, controls, cost, &most) < worker->need) continue;
      irl_literal_set_put(set, n++, set, i);
    }
    set->n = n;
    assert(n <= before);
    if (is_listing || n > before - before / 8) break;
  }
  worker->work += set->n;
}

void irl_clause_offer_all(irl_clause_worker *worker, const irl_clause_table *table,
                          const irl_literal_set *set, uint32_t controls) {
  const bool may_skip = worker->model->may_replace;
  assert(worker->path.n < worker->model->max_size);
  for (uint32_t i = 0; i < set->n; i++)
    if (set->controls[i] <= worker->budget && set->gain[i] - set->cost[i] >= worker->need &&
        !(may_skip && set->controls[i] == controls)) {
      const uint32_t literal = table->set.id[set->id[i]];
      irl_clause_offer(
          worker, &literal, 1,
          &(irl_clause_counts){set->cases[i], set->controls[i], set->gain[i], set->cost[i]});
    }
}
