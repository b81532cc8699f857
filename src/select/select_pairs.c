/* The last two clauses of a choice: a loop over pairs by falling value. Values, masks, benefits and
 * prices reject nearly all pairs without touching a bit; what the first clause shares with all
 * partners that remain is then counted at once. */
#include "select/select_search.h"

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* The later candidates that may complete candidate i: into w->ids, their places. */
static uint32_t list_partners(irl_select_worker *w, const irl_select_node *node, uint32_t i,
                              uint32_t end) {
  const irl_select_range *range = &w->range;
  const int64_t unit = w->pool->unit[1];
  const int64_t benefit = irl_select_benefit(w, node, i) - irl_select_required_gain(w, node);
  const int64_t value =
      node->value[i] - IRL_SELECT_PARTS * irl_select_required_gain(w, node) + node->given;
  const int64_t least = node->covered + node->cases[i];
  const int64_t missing = w->pool->case_units - least;
  uint32_t n = 0;
  for (uint32_t j = i + 1; j < end; j++) {
    const uint64_t mask = node->mask[i] & node->mask[j];
    if (!mask || node->cases[j] < missing) continue;
    int64_t controls =
        range->base + (int64_t)((uint64_t)__builtin_ctzll(mask) << range->shift) - node->paid;
    controls = larger(controls, larger(node->controls[i], node->controls[j]));
    /* The pair covers so many new controls, or more. */
    if (benefit + irl_select_benefit(w, node, j) < unit * controls ||
        value + node->value[j] < IRL_SELECT_PARTS * unit * controls)
      continue;
    w->ids[n++] = j;
  }
  w->work += 1 + (end - i) / 4;
  return n;
}

/* Bit planes of the weights of what a candidate adds. */
static const uint64_t *planes_of(irl_select_worker *w, const irl_select_node *node, int class,
                                 uint32_t i) {
  const uint64_t *column =
      node->columns + node->column[i] * node->stride + (class ? node->words[0] : 0);
  const size_t words = node->words[class];
  if (!w->pool->sample_weights[class]) return column;
  for (uint32_t t = 0; t < w->pool->n_planes[class]; t++)
    for (size_t word = 0; word < words; word++)
      w->scratch[t * words + word] = node->weights[class][t * words + word] & column[word];
  return w->scratch;
}

/* Of n partners those that share few cases with candidate i, and the controls that they share. */
static uint32_t weigh_partners(irl_select_worker *w, const irl_select_node *node, uint32_t i,
                               uint32_t n) {
  const irl_select_pool *pool = w->pool;
  const int64_t required_gain = irl_select_required_gain(w, node);
  uint32_t *columns = w->order, kept = 0;
  for (uint32_t x = 0; x < n; x++) columns[x] = node->column[w->ids[x]];
  irl_select_weigh_columns(w, node, 0, planes_of(w, node, 0, i), pool->n_planes[0], columns, n,
                           w->sums);
  for (uint32_t x = 0; x < n; x++) {
    const uint32_t j = w->ids[x];
    const int64_t gain = irl_select_benefit(w, node, i) + irl_select_benefit(w, node, j) -
                         pool->unit[0] * w->sums[x] -
                         pool->unit[1] * larger(node->controls[i], node->controls[j]);
    const int64_t cases = node->covered + node->cases[i] + node->cases[j] - w->sums[x];
    if (gain < required_gain || cases < pool->case_units) continue;
    w->ids[kept] = j;
    columns[kept] = node->column[j];
    w->sums[kept++] = w->sums[x];
  }
  if (kept)
    irl_select_weigh_columns(w, node, 1, planes_of(w, node, 1, i), pool->n_planes[1], columns, kept,
                             w->more_sums);
  return kept;
}

void irl_select_try_partners(irl_select_worker *w, uint32_t depth, uint32_t i, uint32_t end) {
  const irl_select_node *node = &w->nodes[depth];
  const irl_select_pool *pool = w->pool;
  assert(node->left == 2 && w->path.n == depth && end <= node->n);
  uint32_t n = list_partners(w, node, i, end);
  if (n) n = weigh_partners(w, node, i, n);
  for (uint32_t x = 0; x < n; x++) {
    const uint32_t j = w->ids[x], pair[2] = {node->clause[i], node->clause[j]};
    const int64_t cases = node->cases[i] + node->cases[j] - w->sums[x];
    const int64_t controls = node->controls[i] + node->controls[j] - w->more_sums[x];
    const int64_t loss = node->loss - pool->unit[0] * cases + irl_select_cost(pool, pair[0]) +
                         irl_select_cost(pool, pair[1]) + pool->unit[1] * controls;
    const uint64_t literals = node->literals + pool->size[pair[0]] + pool->size[pair[1]];
    assert(loss >= pool->lost && pair[0] != pair[1]);
    if (loss < w->to_beat && node->paid + controls <= pool->control_units &&
        irl_problem_allows_size(pool->problem, pool->problem->K - node->left + 2, literals))
      irl_select_accept(w, loss, pair, 2);
  }
}
