/* Choices: what they are worth, which of two is better, and a good one to start from.
 *
 * The greedy method adds the clause that gains most until none gains; it starts once from nothing
 * and once from each of the clauses that gain most by themselves. Then exchanges: one clause is
 * taken out and the best one put in, as long as that gains. */
#include "base/memory.h"
#include "select/select_pool.h"
#include <stdlib.h>

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

/* ---- a choice that grows ---- */

size_t irl_select_filler_size(const irl_select_pool *pool) {
  return 2 * pool->n_words + irl_select_additions_size(pool);
}

irl_select_filler irl_select_filler_at(const irl_select_pool *pool, const irl_limit *limit,
                                       uint64_t *memory) {
  uint64_t *scratch = memory + pool->n_words;
  assert(!pool->problem->is_merged); /* which is searched as it stands */
  return (irl_select_filler){.pool = pool,
                             .limit = limit,
                             .live = memory,
                             .scratch = scratch,
                             .additions = irl_select_additions_at(pool, scratch + pool->n_words)};
}

bool irl_select_look(irl_select_filler *f) {
  const irl_select_pool *pool = f->pool;
  irl_select_weigh(pool, &f->now, f->scratch);
  if (f->now.n == pool->problem->K || f->now.controls > pool->max_controls) return false;
  if (irl_limit_poll(f->limit)) return false;
  f->misses_cases = f->now.cases < pool->problem->min_cases;
  f->controls_left = pool->max_controls - f->now.controls;
  f->max_size = irl_problem_literal_budget(pool->problem, f->now.n, f->now.literals);
  irl_select_fill(pool, f->live);
  for (uint32_t i = 0; i < f->now.n; i++) irl_select_uncover(pool, f->live, f->live, f->now.k[i]);
  irl_select_add_up(pool, f->live, &f->additions);
  return true;
}

/* Clauses that bring nothing count for nothing. */
static bool look(irl_select_filler *f) {
  const irl_select_pool *pool = f->pool;
  if (!irl_select_look(f)) return false;
  uint64_t n = f->now.n + 1;
  for (uint32_t k = 0; k < pool->n; k++)
    n += f->additions.weights[0][k] > 0 && pool->size[k] <= f->max_size;
  f->work += n * pool->n_words;
  return true;
}

void irl_select_fill_up(irl_select_filler *f) {
  while (look(f)) {
    int64_t best = 0;
    uint32_t pick = f->pool->n;
    for (uint32_t k = 0; k < f->pool->n; k++) {
      const int64_t gain = irl_select_gain(f, k);
      if (gain <= best) continue;
      best = gain;
      pick = k;
    }
    if (pick == f->pool->n) return;
    f->now.k[f->now.n++] = pick;
  }
}

void irl_select_improve(irl_select_filler *f, irl_select_choice *best) {
  irl_select_fill_up(f);
  irl_select_choice kept = f->now;
  for (uint32_t i = 0; i < kept.n && !irl_limit_poll(f->limit); i++) {
    f->now = kept;
    irl_select_remove(&f->now, i);
    irl_select_fill_up(f);
    if (f->now.loss >= kept.loss) continue;
    kept = f->now;
    i = UINT32_MAX; /* from the first on */
  }
  irl_select_sort(&kept);
  if (irl_select_better(f->pool, &kept, best)) *best = kept;
}

static int compare_firsts(const void *x, const void *y) {
  const irl_select_first *a = x, *b = y;
  if (a->gain != b->gain) return a->gain > b->gain ? -1 : 1;
  return (a->k > b->k) - (a->k < b->k);
}

uint32_t irl_select_list_firsts(irl_select_filler *f, irl_select_first *list) {
  uint32_t n = 0;
  f->now.n = 0;
  if (!look(f)) return 0;
  f->misses_cases = false; /* as if that did not matter */
  for (uint32_t k = 0; k < f->pool->n; k++) {
    const int64_t gain = irl_select_gain(f, k);
    if (gain > 0) list[n++] = (irl_select_first){gain, k};
  }
  if (n) qsort(list, n, sizeof *list, compare_firsts);
  return n;
}

/* ---- the greedy method ---- */

irl_status irl_select_greedy(irl_env *env, const irl_select_pool *pool, const irl_limit *limit,
                             irl_select_choice *best, uint64_t *work) {
  const size_t n_words = irl_select_filler_size(pool);
  uint64_t *memory = irl_mem_alloc_aligned(&env->allocator, n_words, sizeof *memory);
  irl_select_first *firsts = irl_mem_alloc(&env->allocator, pool->n + 1, sizeof *firsts);
  const bool is_ready = memory && firsts;
  if (is_ready) {
    irl_select_filler f = irl_select_filler_at(pool, limit, memory);
    const uint32_t n = irl_select_list_firsts(&f, firsts);
    /* From nothing always; from those while that takes less than the search may. */
    for (uint32_t i = 0; i <= n && i <= STARTS && (!i || f.work < limit->max_work); i++) {
      if (irl_limit_poll(limit)) break;
      f.now.n = i > 0;
      if (i) f.now.k[0] = firsts[i - 1].k;
      irl_select_improve(&f, best);
    }
    *work += f.work;
  }
  irl_mem_free_aligned(&env->allocator, memory);
  irl_mem_free(&env->allocator, firsts);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(env);
}
