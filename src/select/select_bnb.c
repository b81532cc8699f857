/* Branch and bound over choices of clauses.
 *
 * Candidates of a node (select_bound.c) are branched on by value, the largest first; the clause
 * branched on is the first of the choice in this order, so the others come from behind it and no
 * set is seen twice. The last two clauses are found by a loop over pairs (select_pairs.c). The
 * first clauses of a choice are the tasks of a search in rounds (select_solve.c). */
#include "base/memory.h"
#include "select/select_search.h"

#define CHECK_INTERVAL ((uint64_t)1 << 20) /* words of work between looks at the clock */

/* ---- the memory of a thread ---- */

bool irl_select_worker_init(irl_select_worker *w, const irl_select_pool *pool,
                            const irl_limit *limit) {
  const irl_allocator *allocator = &pool->allocator;
  const size_t K = pool->problem->K, n = pool->n, both = pool->n_words,
               cases = pool->covers[0].n_words;
  const size_t n_words = (K + 2) * (both + cases) + 3 * cases + 2 * n;
  *w = (irl_select_worker){.pool = pool, .limit = limit};
  w->nodes = irl_mem_alloc(allocator, K + 1, sizeof *w->nodes);
  w->partners = irl_mem_alloc(allocator, n, sizeof *w->partners);
  w->memory = irl_mem_alloc_aligned(allocator, n_words, sizeof *w->memory);
  if (!w->nodes || !w->partners || !w->memory) {
    irl_select_worker_free(w);
    return false;
  }
  uint64_t *at = w->memory; /* vectors first: they are whole blocks, and so aligned */
  for (size_t i = 0; i <= K; i++, at += both + cases) {
    w->nodes[i].live = at;
    w->nodes[i].relaxed = at + both;
  }
  w->cover = at, at += both;
  w->counted = at, at += cases;
  w->once = at, at += cases;
  w->twice = at, at += cases;
  w->best_relaxed = at, at += cases;
  w->weights = (int64_t *)at, at += n;
  w->ids = (uint32_t *)at, w->counts = w->ids + n, at += n;
  assert(at == w->memory + n_words);
  irl_select_fill(pool, w->nodes[0].live);
  w->nodes[0].left = pool->problem->K;
  w->nodes[0].uncovered = pool->total;
  w->nodes[0].loss = pool->lost + pool->total;
  return true;
}

void irl_select_worker_free(irl_select_worker *w) {
  if (!w->pool) return;
  const irl_allocator *allocator = &w->pool->allocator;
  for (uint32_t i = 0; w->nodes && i <= w->pool->problem->K; i++)
    irl_mem_free(allocator, w->nodes[i].list);
  irl_mem_free(allocator, w->nodes);
  irl_mem_free(allocator, w->partners);
  irl_mem_free_aligned(allocator, w->memory);
  *w = (irl_select_worker){0};
}

/* ---- nodes ---- */

bool irl_select_limit_reached(irl_select_worker *w) {
  if (w->is_cut || w->is_out_of_memory) return true;
  if (w->work < w->next_check && w->work < w->max_work) return false;
  w->next_check = w->work + CHECK_INTERVAL;
  w->is_cut = w->work >= w->max_work || irl_limit_poll(w->limit);
  return w->is_cut;
}

void irl_select_accept(irl_select_worker *w, int64_t loss, const uint32_t *more, uint32_t n_more) {
  irl_select_choice *best = &w->best;
  assert(loss < w->to_beat && loss >= w->pool->lost);
  assert(w->path.n + n_more <= w->pool->problem->K);
  memcpy(best->k, w->path.k, w->path.n * sizeof *best->k);
  memcpy(best->k + w->path.n, more, n_more * sizeof *best->k);
  best->n = w->path.n + n_more;
  best->loss = w->to_beat = loss;
}

void irl_select_try_single(irl_select_worker *w, const irl_select_node *node,
                           const irl_select_candidate *c) {
  const irl_select_pool *pool = w->pool;
  const int64_t loss = node->loss - c->benefit + c->price;
  assert(loss >= pool->lost && node->left);
  if (loss < w->to_beat && node->cases + c->cases >= pool->min_cases &&
      node->controls + c->controls <= pool->max_controls &&
      irl_select_is_short(pool->problem, pool->problem->K - node->left + 1,
                          node->literals + pool->size[c->k]))
    irl_select_accept(w, loss, &c->k, 1);
}

#ifndef NDEBUG
bool irl_select_node_check(const irl_select_worker *w, uint32_t depth) {
  const irl_select_pool *pool = w->pool;
  const irl_select_node *node = &w->nodes[depth];
  const uint64_t *live[2] = {node->live, node->live + pool->covers[0].n_words};
  uint64_t n_covered[2], literals = 0;
  int64_t cost = 0, price = 0;
  if (w->path.n != depth || node->left != pool->problem->K - depth) return false;
  for (uint32_t i = 0; i < depth; i++) {
    cost += irl_select_cost(pool, w->path.k[i]);
    literals += pool->size[w->path.k[i]];
  }
  for (int class = 0; class < 2; class ++) {
    const size_t n_words = pool->covers[class].n_words;
    uint64_t *covered = w->cover + (class ? pool->covers[0].n_words : 0);
    memset(covered, 0, n_words * sizeof *covered);
    for (uint32_t i = 0; i < depth; i++)
      pool->kernels->or_into(covered, covered, irl_select_cover(pool, class, w->path.k[i]),
                             n_words);
    n_covered[class] = pool->kernels->count(covered, n_words);
    if (pool->kernels->and_count(covered, live[class], n_words)) return false;
    if (n_covered[class] + pool->kernels->count(live[class], n_words) !=
        pool->covers[class].n_samples)
      return false;
    if (class) price = irl_select_weigh_vector(pool, 1, covered);
  }
  return node->cases == n_covered[0] && node->literals == literals &&
         (!pool->counts_controls || node->controls == n_covered[1]) &&
         node->uncovered == irl_select_weigh_vector(pool, 0, live[0]) &&
         node->loss == pool->lost + node->uncovered + cost + price;
}
#endif

/* How many candidates after number i of a list by value may follow it in a better choice: with the
 * largest others after it their values reach what is needed. */
static uint32_t count_followers(const irl_select_worker *w, const irl_select_node *node,
                                const irl_select_candidate *list, uint32_t n, uint32_t i) {
  int64_t least = node->left * (irl_select_required_gain(w, node) - node->relaxed_weight);
  least -= list[i].value;
  for (uint32_t j = i + 1; j < n && j < i + node->left - 1 && list[j].value > 0; j++)
    least -= list[j].value;
  uint32_t low = i + 1;
  for (uint32_t high = n; low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    if (list[middle].value >= least)
      low = middle + 1;
    else
      high = middle;
  }
  assert(low == n || list[low].value < least);
  assert(low == i + 1 || list[low - 1].value >= least);
  return low - i - 1;
}

static void expand(irl_select_worker *w, uint32_t depth, const irl_select_candidate *from,
                   uint32_t n) {
  irl_select_node *node = &w->nodes[depth];
  if (irl_select_limit_reached(w)) return;
  assert(irl_select_node_check(w, depth));
  irl_select_list(w, depth, from, n);
  if (node->left == 1) {
    for (uint32_t i = 0; i < node->n; i++) irl_select_try_single(w, node, &node->list[i]);
    return;
  }
  if (node->left == 2) {
    irl_select_try_pairs(w, depth);
    return;
  }
  irl_select_sort_by_value(node);
  for (uint32_t i = 0; i < node->n && !irl_select_limit_reached(w); i++) {
    if (irl_select_bound(node, node->list, node->n, i) >= w->to_beat) return;
    irl_select_branch(w, depth, node->list, node->n, i);
  }
}

void irl_select_branch(irl_select_worker *w, uint32_t depth, const irl_select_candidate *list,
                       uint32_t n, uint32_t i) {
  const irl_select_pool *pool = w->pool;
  const irl_select_node *node = &w->nodes[depth];
  const irl_select_candidate *c = &list[i];
  assert(i < n && depth < pool->problem->K);
  w->nodes_done++;
  irl_select_try_single(w, node, c);
  if (node->left == 1) return;
  const uint32_t n_followers = count_followers(w, node, list, n, i);
  irl_select_node *child = &w->nodes[depth + 1]; /* with one more clause */
  child->left = node->left - 1;
  child->loss = node->loss - c->benefit + c->price;
  child->uncovered = node->uncovered - c->benefit - irl_select_cost(pool, c->k);
  child->cases = node->cases + c->cases;
  child->controls = node->controls + c->controls;
  child->literals = node->literals + pool->size[c->k];
  irl_select_uncover(pool, child->live, node->live, c->k);
  if (pool->problem->has_multipliers)
    memcpy(child->relaxed, node->relaxed, pool->covers[0].n_words * sizeof *child->relaxed);
  w->work += pool->n_words;
  assert(child->uncovered >= 0 && child->controls <= pool->max_controls && w->path.n == depth);
  w->path.k[w->path.n++] = c->k;
  expand(w, depth + 1, list + i + 1, n_followers);
  w->path.n--;
}
