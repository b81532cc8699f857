/* Choices: what they are worth, which of two is better, and a good one to start from.
 *
 * The greedy method adds the clause that gains most until none gains; it starts once from nothing
 * and once from each of the clauses that gain most by themselves. Then exchanges: one clause is
 * taken out and the best one put in, as long as that gains. */
#include "base/memory.h"
#include "select/select_pool.h"

#define STARTS 16u /* first clauses that the greedy method tries */

void irl_select_weigh(const irl_select_pool *pool, irl_select_choice *choice, uint64_t *scratch) {
  uint64_t *covered[2] = {scratch, scratch + pool->covers[0].n_words}, n[2];
  int64_t cost = 0;
  choice->literals = 0;
  memset(scratch, 0, pool->n_words * sizeof *scratch);
  for (uint32_t i = 0; i < choice->n; i++) {
    cost += irl_select_cost(pool, choice->k[i]);
    choice->literals += pool->size[choice->k[i]];
  }
  for (int class = 0; class < 2; class ++) {
    const size_t n_words = pool->covers[class].n_words;
    n[class] = 0;
    for (uint32_t i = 0; i < choice->n; i++)
      n[class] = pool->kernels->or_into(covered[class], covered[class],
                                        irl_select_cover(pool, class, choice->k[i]), n_words);
  }
  choice->cases = n[0];
  choice->controls = n[1];
  choice->loss = pool->lost + pool->total - irl_select_weigh_vector(pool, 0, covered[0]) +
                 irl_select_weigh_vector(pool, 1, covered[1]) + cost;
  assert(choice->loss >= pool->lost);
  if (choice->controls > pool->max_controls || choice->cases < pool->min_cases ||
      !irl_select_is_short(pool->problem, choice->n, choice->literals))
    choice->loss = IRL_SELECT_NO_LOSS;
}

bool irl_select_better(const irl_select_pool *pool, const irl_select_choice *a,
                       const irl_select_choice *b) {
  if (a->loss != b->loss) return a->loss < b->loss;
  if (a->n != b->n) return a->n < b->n;
  if (a->literals != b->literals) return a->literals < b->literals;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->k[i] != b->k[i]) return irl_select_id(pool, a->k[i]) < irl_select_id(pool, b->k[i]);
  return false;
}

typedef struct climber {
  const irl_select_pool *pool;
  irl_select_choice now;
  uint64_t *live; /* what the choice leaves uncovered */
  uint64_t *scratch;
  uint64_t work;
  const irl_limit *limit;
  bool is_cut; /* by clock or stop request */
} climber;

/* Clause k of a loop over all of them is next: has the clock ended it? */
static bool limit_reached(climber *c, uint32_t k) {
  if (k % IRL_SELECT_CLOCK == IRL_SELECT_CLOCK - 1) c->is_cut = irl_limit_poll(c->limit);
  return c->is_cut;
}

static void uncover(climber *c) {
  const irl_select_pool *pool = c->pool;
  irl_select_fill(pool, c->live);
  for (uint32_t i = 0; i < c->now.n; i++) irl_select_uncover(pool, c->live, c->live, c->now.k[i]);
  c->work += (c->now.n + 1) * pool->n_words;
}

/* Gain of adding clause k to what `live` leaves; IRL_SELECT_NO_LOSS negated if it is not allowed.
 * While the choice misses cases that it must cover, cases count before all else. */
static int64_t gain_of(climber *c, uint32_t k, uint64_t controls, uint64_t literals,
                       bool is_short) {
  const irl_select_pool *pool = c->pool;
  const irl_select_problem *problem = pool->problem;
  if (pool->size[k] > irl_select_literal_budget(problem, c->now.n, literals))
    return -IRL_SELECT_NO_LOSS;
  const size_t n_cases = pool->covers[0].n_words;
  const int64_t cases =
      (int64_t)pool->kernels->and_count(c->live, irl_select_cover(pool, 0, k), n_cases);
  if (!cases) return -IRL_SELECT_NO_LOSS;
  const int64_t more = (int64_t)pool->kernels->and_count(
      c->live + n_cases, irl_select_cover(pool, 1, k), pool->covers[1].n_words);
  c->work += pool->n_words;
  if (controls + (uint64_t)more > pool->max_controls) return -IRL_SELECT_NO_LOSS;
  const int64_t gain = pool->weight[0] * cases - pool->weight[1] * more - pool->cost[k];
  return is_short ? cases * ((int64_t)1 << 32) - more : gain;
}

/* Adds the clause that gains most; false if none gains. */
static bool add_best(climber *c) {
  const irl_select_pool *pool = c->pool;
  irl_select_weigh(pool, &c->now, c->scratch);
  const bool is_short = c->now.cases < pool->min_cases;
  int64_t best = 0;
  uint32_t best_k = UINT32_MAX;
  uncover(c);
  for (uint32_t k = 0; k < pool->n && !limit_reached(c, k); k++) {
    const int64_t gain = gain_of(c, k, c->now.controls, c->now.literals, is_short);
    if (gain <= best) continue;
    best = gain;
    best_k = k;
  }
  if (best_k == UINT32_MAX || c->is_cut) return false;
  assert(c->now.n < pool->problem->K);
  c->now.k[c->now.n++] = best_k;
  return true;
}

static void remove_at(irl_select_choice *choice, uint32_t i) {
  assert(i < choice->n);
  memmove(choice->k + i, choice->k + i + 1, (choice->n - i - 1) * sizeof *choice->k);
  choice->n--;
}

/* Takes one out and fills up again; keeps what is better. */
static bool exchange(climber *c, irl_select_choice *kept) {
  const uint32_t K = c->pool->problem->K;
  for (uint32_t i = 0; i < kept->n && !c->is_cut; i++) {
    c->now = *kept;
    remove_at(&c->now, i);
    while (c->now.n < K && add_best(c)) continue;
    irl_select_weigh(c->pool, &c->now, c->scratch);
    if (c->now.loss >= kept->loss) continue;
    *kept = c->now;
    return true;
  }
  return false;
}

void irl_select_sort(irl_select_choice *choice) {
  for (uint32_t i = 1; i < choice->n; i++)
    for (uint32_t j = i; j && choice->k[j - 1] > choice->k[j]; j--) {
      const uint32_t k = choice->k[j];
      choice->k[j] = choice->k[j - 1];
      choice->k[j - 1] = k;
    }
}

static void climb(climber *c, irl_select_choice *best) {
  while (c->now.n < c->pool->problem->K && add_best(c)) continue;
  irl_select_weigh(c->pool, &c->now, c->scratch);
  irl_select_choice local = c->now;
  while (exchange(c, &local)) continue;
  irl_select_sort(&local);
  if (irl_select_better(c->pool, &local, best)) *best = local;
}

/* The clauses that gain most by themselves, best first. */
static uint32_t list_starts(climber *c, uint32_t starts[STARTS]) {
  int64_t gains[STARTS];
  uint32_t n = 0;
  c->now.n = 0;
  uncover(c);
  for (uint32_t k = 0; k < c->pool->n && !limit_reached(c, k); k++) {
    const int64_t gain = gain_of(c, k, 0, 0, false);
    if (gain <= 0 || (n == STARTS && gain <= gains[n - 1])) continue;
    uint32_t at = n < STARTS ? n++ : n - 1;
    for (; at && gains[at - 1] < gain; at--) {
      gains[at] = gains[at - 1];
      starts[at] = starts[at - 1];
    }
    gains[at] = gain;
    starts[at] = k;
  }
  return n;
}

irl_status irl_select_greedy(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                             irl_select_choice *best, uint64_t *work) {
  uint32_t starts[STARTS];
  climber c = {.pool = pool, .limit = limit};
  assert(!pool->problem->merged); /* gains are counted */
  c.live = irl_mem_alloc_aligned(&env->allocator, 2 * pool->n_words, sizeof *c.live);
  if (!c.live) return irl_fail_memory(env);
  c.scratch = c.live + pool->n_words;
  const uint32_t n_starts = list_starts(&c, starts);
  /* One climb always; more while they take less than the search may. */
  for (uint32_t i = 0; i <= n_starts && !c.is_cut && (!i || c.work < limit->max_work); i++) {
    c.now.n = i > 0;
    if (i) c.now.k[0] = starts[i - 1];
    climb(&c, best);
  }
  *work += c.work;
  irl_mem_free_aligned(&env->allocator, c.live);
  return IRL_OK;
}
