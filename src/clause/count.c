/* Counting the candidates of children: for child k and each later candidate l, the cases that both
 * cover; only where those could suffice, the controls too.
 *
 * A block of children goes over the columns together, a tile of columns at a time, so that a column
 * comes from far memory once per block and not once per child. */
#include "clause/worker.h"

/* The weights of one class that child k and each of the n candidates after the set's last cover,
 * plane by plane, into the gains or costs of the set. */
static void weigh_many(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                       bool is_control, uint32_t n, irl_literal_set *set) {
  const irl_clause_model *model = worker->model;
  const size_t n_words = is_control ? table->control_words : table->case_words;
  const size_t offset = is_control ? table->case_words : 0;
  const unsigned n_planes = model->n_planes[is_control];
  const uint64_t *plane = irl_clause_planes(model, table, is_control);
  const uint64_t *columns = table->words + offset, *v = columns + k * table->stride;
  int64_t *sums = (is_control ? set->cost : set->gain) + set->n;
  uint32_t *counts = worker->counts;
  memset(sums, 0, n * sizeof *sums);
  for (unsigned b = 0; b < n_planes; b++, plane += n_words) {
    if (!model->kernels->and_into(worker->cover.words, v, plane, n_words)) continue;
    model->kernels->and_count_many(worker->cover.words, columns, table->stride, set->id + set->n, n,
                                   n_words, counts);
    for (uint32_t i = 0; i < n; i++) sums[i] += (int64_t)counts[i] << b;
  }
  worker->work += (uint64_t)n_planes * (n + 1) * n_words;
}

bool irl_clause_are_grouped(const irl_clause_problem *problem, uint32_t a, uint32_t b) {
  const uint32_t feature = irl_literal_feature(a), other = irl_literal_feature(b);
  if (feature == other) return true;
  return problem->groups && problem->groups[feature] &&
         problem->groups[feature] == problem->groups[other];
}

void irl_clause_complete(irl_clause_worker *worker, const irl_clause_table *table, uint32_t k,
                         uint32_t n, irl_literal_set *set) {
  const irl_clause_model *model = worker->model;
  const uint64_t *controls = irl_clause_controls(table, k);
  uint32_t *ids = set->id + set->n, kept = 0;
  int64_t *gain = set->gain + set->n, *cost = set->cost + set->n;
  assert(set->n + n <= set->capacity);
  if (!n) return;
  if (model->n_planes[0])
    weigh_many(worker, table, k, false, n, set);
  else
    for (uint32_t i = 0; i < n; i++) gain[i] = model->weight[0] * set->cases[set->n + i];
  for (uint32_t i = 0; i < n; i++) {
    assert(ids[i] > k && ids[i] < table->set.n);
    assert(gain[i] <= table->set.gain[k] && gain[i] <= table->set.gain[ids[i]]);
    if (gain[i] < worker->need ||
        irl_clause_are_grouped(model->problem, table->set.id[k], table->set.id[ids[i]]))
      continue;
    ids[kept] = ids[i];
    set->cases[set->n + kept] = set->cases[set->n + i];
    gain[kept++] = gain[i];
  }
  if (!kept) return;
  model->kernels->and_count_many(controls, table->words + table->case_words, table->stride, ids,
                                 kept, table->control_words, set->controls + set->n);
  worker->work += (uint64_t)kept * table->control_words;
  if (model->n_planes[1])
    weigh_many(worker, table, k, true, kept, set);
  else
    for (uint32_t i = 0; i < kept; i++) cost[i] = model->weight[1] * set->controls[set->n + i];
  for (uint32_t i = 0; i < kept; i++) {
    assert(set->controls[set->n + i] <= table->set.controls[k]);
    assert(cost[i] >= 0 && cost[i] <= table->set.cost[k]);
  }
  set->n += kept;
}

bool irl_clause_count_children(irl_clause_worker *worker, const irl_clause_table *table,
                               irl_clause_frame *frame, uint32_t first, uint32_t n) {
  const irl_allocator *allocator = &worker->model->allocator;
  const size_t half_blocks = ((size_t)table->n_cases + 255) / 256 * 4;
  assert(n <= IRL_CLAUSE_BLOCK && first + n <= table->set.n);
  for (uint32_t i = 0; i < n; i++) {
    /* A tile is written whole before it is filtered. */
    const uint32_t most = table->set.n - first + IRL_CLAUSE_TILE;
    if (!irl_literal_set_reserve(allocator, &frame->children[i], most)) {
      worker->ending = IRL_ENDED_BY_MEMORY;
      return false;
    }
    frame->children[i].n = 0;
  }
  for (uint32_t start = first + 1; start < table->set.n; start += IRL_CLAUSE_TILE) {
    const uint32_t left = table->set.n - start;
    const uint32_t end = start + (left < IRL_CLAUSE_TILE ? left : IRL_CLAUSE_TILE);
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t k = first + i, from = start > k + 1 ? start : k + 1;
      irl_literal_set *set = &frame->children[i];
      if (from >= end) continue;
      const uint32_t n_close = (uint32_t)worker->model->kernels->and_select(
          irl_clause_cases(table, k), irl_clause_cases(table, from), table->stride, end - from,
          half_blocks, irl_clause_least_cases(worker), from, set->id + set->n, set->cases + set->n);
      worker->work += (uint64_t)(end - from) * half_blocks;
      irl_clause_complete(worker, table, k, n_close, set);
    }
  }
  return true;
}
