/* Choices: what they are worth, which of two is better, and a good one to start from.
 *
 * The greedy method adds the clause that gains most until none gains; it starts once from nothing
 * and once from each of the clauses that gain most by themselves. Then exchanges: one clause is
 * taken out and the best one put in, as long as that gains. */
#include "base/memory.h"
#include "select/select_pool.h"

#define STARTS 16u /* first clauses that the greedy method tries */

void irl_select_weigh(const irl_select_pool *pool, irl_select_choice *choice, uint64_t *scratch) {
  uint64_t *covered[2] = {scratch, scratch + pool->covers[0].n_words};
  int64_t cost = 0;
  choice->literals = 0;
  memset(scratch, 0, pool->n_words * sizeof *scratch);
  for (uint32_t i = 0; i < choice->n; i++) {
    cost += irl_select_cost(pool, choice->k[i]);
    choice->literals += pool->size[choice->k[i]];
  }
  for (int class = 0; class < 2; class ++) {
    const size_t n_words = pool->covers[class].n_words;
    for (uint32_t i = 0; i < choice->n; i++)
      pool->kernels->or_into(covered[class], covered[class],
                             irl_select_cover(pool, class, choice->k[i]), n_words);
  }
  choice->cases = (uint64_t)irl_select_weigh_both(pool, 0, covered[0], covered[0]);
  choice->controls = (uint64_t)irl_select_weigh_both(pool, 1, covered[1], covered[1]);
  const irl_cover_counts counts = {
      .cases = choice->cases, .controls = choice->controls, .literals = choice->literals};
  choice->loss = pool->all + cost -
                 irl_problem_gain(pool->problem, (int64_t)choice->cases, (int64_t)choice->controls);
  assert(choice->loss >= pool->lost);
  if (!irl_problem_allows(pool->problem, choice->n, &counts)) choice->loss = IRL_NO_LOSS;
}

bool irl_select_better(const irl_select_pool *pool, const irl_select_choice *a,
                       const irl_select_choice *b) {
  assert(a->n <= pool->problem->K && b->n <= pool->problem->K);
  if (a->loss != b->loss) return a->loss < b->loss;
  if (a->n != b->n) return a->n < b->n;
  if (a->literals != b->literals) return a->literals < b->literals;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->k[i] != b->k[i]) return irl_select_id(pool, a->k[i]) < irl_select_id(pool, b->k[i]);
  return false;
}

void irl_select_leave(const irl_select_pool *pool, const irl_select_choice *choice,
                      uint64_t *live) {
  irl_select_fill(pool, live);
  for (uint32_t i = 0; i < choice->n; i++) irl_select_uncover(pool, live, live, choice->k[i]);
}

void irl_select_remove(irl_select_choice *choice, uint32_t i) {
  assert(i < choice->n);
  memmove(choice->k + i, choice->k + i + 1, (choice->n - i - 1) * sizeof *choice->k);
  choice->n--;
}

void irl_select_sort(irl_select_choice *choice) {
  for (uint32_t i = 1; i < choice->n; i++)
    for (uint32_t j = i; j && choice->k[j - 1] > choice->k[j]; j--) {
      const uint32_t k = choice->k[j];
      choice->k[j] = choice->k[j - 1];
      choice->k[j - 1] = k;
    }
}

/* A choice that is improved step by step. */
typedef struct greedy {
  const irl_select_pool *pool;
  irl_select_choice now;
  uint64_t *live; /* what the choice leaves uncovered */
  uint64_t *scratch;
  uint64_t work;
  const irl_limit *limit;
  bool is_cut; /* by clock or stop request */
} greedy;

/* Clause k of a loop over all of them is next: has the clock ended it? */
static bool limit_reached(greedy *g, uint32_t k) {
  if (k % IRL_SELECT_CLOCK == IRL_SELECT_CLOCK - 1) g->is_cut = irl_limit_poll(g->limit);
  return g->is_cut;
}

/* Gain of adding clause k to the choice, whose numbers are set; IRL_NO_LOSS negated if it is
 * not allowed. While the choice misses cases that it must cover, cases count before all else. */
static int64_t gain_of(greedy *g, uint32_t k, bool is_short) {
  const irl_select_pool *pool = g->pool;
  if (pool->size[k] > irl_problem_literal_budget(pool->problem, g->now.n, g->now.literals))
    return -IRL_NO_LOSS;
  const size_t n_cases = pool->covers[0].n_words;
  const int64_t cases = irl_select_weigh_both(pool, 0, g->live, irl_select_cover(pool, 0, k));
  if (!cases) return -IRL_NO_LOSS;
  const int64_t more =
      irl_select_weigh_both(pool, 1, g->live + n_cases, irl_select_cover(pool, 1, k));
  g->work += pool->n_words;
  if (g->now.controls + (uint64_t)more > pool->max_controls) return -IRL_NO_LOSS;
  return irl_select_gain(pool, k, is_short, cases, more);
}

/* Adds the clause that gains most; false if none gains. */
static bool add_best(greedy *g) {
  const irl_select_pool *pool = g->pool;
  irl_select_weigh(pool, &g->now, g->scratch);
  const bool is_short = irl_select_misses_cases(pool, &g->now);
  int64_t best = 0;
  uint32_t best_k = UINT32_MAX;
  irl_select_leave(pool, &g->now, g->live);
  g->work += (g->now.n + 1) * pool->n_words;
  for (uint32_t k = 0; k < pool->n && !limit_reached(g, k); k++) {
    const int64_t gain = gain_of(g, k, is_short);
    if (gain <= best) continue;
    best = gain;
    best_k = k;
  }
  if (best_k == UINT32_MAX || g->is_cut) return false;
  assert(g->now.n < pool->problem->K);
  g->now.k[g->now.n++] = best_k;
  return true;
}

/* Adds clauses as long as one gains. */
static void fill_up(greedy *g) {
  while (g->now.n < g->pool->problem->K && add_best(g)) continue;
  irl_select_weigh(g->pool, &g->now, g->scratch);
}

/* Takes one out and fills up again; keeps what is better. */
static bool exchange(greedy *g, irl_select_choice *kept) {
  for (uint32_t i = 0; i < kept->n && !g->is_cut; i++) {
    g->now = *kept;
    irl_select_remove(&g->now, i);
    fill_up(g);
    if (g->now.loss >= kept->loss) continue;
    assert(g->now.n <= g->pool->problem->K);
    *kept = g->now;
    return true;
  }
  return false;
}

irl_status irl_select_greedy(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                             irl_select_choice *best, uint64_t *work) {
  uint32_t starts[STARTS], n_starts = 0;
  int64_t gains[STARTS];
  greedy g = {.pool = pool, .limit = limit};
  assert(!pool->problem->is_merged); /* which is searched as it stands */
  g.live = irl_mem_alloc_aligned(&env->allocator, 2 * pool->n_words, sizeof *g.live);
  if (!g.live) return irl_fail_memory(env);
  g.scratch = g.live + pool->n_words;
  /* The clauses that gain most by themselves, best first. */
  irl_select_fill(pool, g.live);
  g.work += pool->n_words;
  for (uint32_t k = 0; k < pool->n && !limit_reached(&g, k); k++) {
    const int64_t gain = gain_of(&g, k, false);
    if (gain <= 0 || (n_starts == STARTS && gain <= gains[n_starts - 1])) continue;
    uint32_t at = n_starts < STARTS ? n_starts++ : n_starts - 1;
    for (; at && gains[at - 1] < gain; at--) {
      gains[at] = gains[at - 1];
      starts[at] = starts[at - 1];
    }
    gains[at] = gain;
    starts[at] = k;
    assert(n_starts <= STARTS && (!at || gains[at - 1] >= gain));
  }
  /* From nothing always; from those while that takes less than the search may. */
  for (uint32_t i = 0; i <= n_starts && !g.is_cut && (!i || g.work < limit->max_work); i++) {
    g.now.n = i > 0;
    if (i) g.now.k[0] = starts[i - 1];
    fill_up(&g);
    irl_select_choice local = g.now;
    while (exchange(&g, &local)) continue;
    irl_select_sort(&local);
    if (irl_select_better(pool, &local, best)) *best = local;
  }
  *work += g.work;
  irl_mem_free_aligned(&env->allocator, g.live);
  return IRL_STATUS_OK;
}
