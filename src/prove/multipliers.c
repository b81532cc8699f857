/* Cases to give away, so that few clauses can be part of a better rule (proof_enumerate.c says
 * why).
 *
 * With a set D of cases given away, need' = need - weight of D, and m the largest value
 * K * (cases outside D) - controls of a clause, every clause of a better rule has a value of at
 * least K * need' - (K - 1) * m. That is to be large. Giving a case away costs K times its weight
 * in the first term and brings K * (K - 1) times its weight in the second if all clauses of the
 * largest value cover it. The start is what the best rule covers more than once. Then, again and
 * again, some cases of the clause with the largest value go, those first that most of the clauses
 * next to it cover too; the best D met on the way is kept, or none if that is better.
 * What is known of clauses decides how good D is, not whether it is right. */
#include "prove/multipliers.h"
#include "base/memory.h"

#define MAX_STEPS  400u
#define MAX_KNOWN  600u /* clauses, the best by value */
#define MAX_LEVELS 4u   /* cases are told apart by how many top clauses cover them, up to this */

typedef struct searcher {
  irl_multipliers *task;
  uint32_t *ids; /* clauses that are looked at */
  int64_t *values, *costs;
  uint32_t n;
  uint64_t *counted;            /* cases outside D */
  uint64_t *levels[MAX_LEVELS]; /* cases that so many of the top clauses cover, or more */
  uint64_t *start;
  int64_t weight, best;
} searcher;

static const uint64_t *cases_of(const searcher *g, uint32_t i) {
  return irl_bits_vector(&g->task->known->cases, g->ids[i]);
}

static void put_values(searcher *g) {
  const irl_merged *merged = g->task->merged;
  for (uint32_t i = 0; i < g->n; i++)
    g->values[i] =
        g->task->K * irl_merged_weigh_both(merged, 0, g->counted, cases_of(g, i)) - g->costs[i];
  g->task->work += g->n * merged->data->cases.stride;
}

/* The clauses that may be part of a better rule, and what they pay. */
static void put_costs(searcher *g) {
  const irl_multipliers *task = g->task;
  for (uint32_t k = 0; k < task->known->n; k++) {
    const int64_t cost =
        irl_merged_weigh(task->merged, 1, irl_bits_vector(&task->known->controls, k));
    if (cost > task->budget) continue;
    g->ids[g->n] = k;
    g->costs[g->n++] = cost;
  }
}

/* Only the best clauses count for the rest. */
static void keep_best(searcher *g) {
  for (uint32_t kept = 0; g->n > MAX_KNOWN && kept < MAX_KNOWN; kept++)
    for (uint32_t i = kept + 1; i < g->n; i++) {
      if (g->values[i] <= g->values[kept]) continue;
      const int64_t value = g->values[i];
      const uint32_t id = g->ids[i];
      g->values[i] = g->values[kept];
      g->ids[i] = g->ids[kept];
      g->values[kept] = value;
      g->ids[kept] = id;
      const int64_t cost = g->costs[i];
      g->costs[i] = g->costs[kept];
      g->costs[kept] = cost;
    }
  if (g->n > MAX_KNOWN) g->n = MAX_KNOWN;
}

/* How many of the top clauses cover each counted case; `floor` is the least value among them. */
static uint32_t count_levels(searcher *g, int64_t *floor) {
  const size_t words = g->task->merged->data->cases.stride;
  uint32_t first = 0;
  for (uint32_t i = 1; i < g->n; i++)
    if (g->values[i] > g->values[first]) first = i;
  /* The top: above the K-th or so, found by halving the distance to the mean. */
  int64_t low = g->values[first];
  for (uint32_t tries = 0, n_top = 0; tries < 40 && n_top < 2 * g->task->K; tries++) {
    low -= 1 + (g->values[first] > 0 ? g->values[first] / 50 : 0);
    n_top = 0;
    for (uint32_t i = 0; i < g->n; i++) n_top += g->values[i] >= low;
  }
  for (uint32_t l = 0; l < MAX_LEVELS; l++) memset(g->levels[l], 0, words * sizeof(uint64_t));
  for (uint32_t i = 0; i < g->n; i++) {
    if (g->values[i] < low) continue;
    const uint64_t *cover = cases_of(g, i);
    for (size_t w = 0; w < words; w++) {
      uint64_t carry = cover[w] & g->counted[w];
      for (uint32_t l = 0; l < MAX_LEVELS && carry; l++) {
        const uint64_t both = g->levels[l][w] & carry;
        g->levels[l][w] |= carry;
        carry = both;
      }
    }
  }
  *floor = low;
  return first;
}

/* Gives away cases of the first clause, about as much as brings it down to the floor. */
static void relax_cases(searcher *g, uint32_t first, int64_t floor) {
  const irl_merged *merged = g->task->merged;
  const size_t words = merged->data->cases.stride;
  const uint64_t *cover = cases_of(g, first);
  const int64_t wanted = (g->values[first] - floor) / (2 * (int64_t)g->task->K);
  int64_t gone = 0;
  for (uint32_t l = MAX_LEVELS; l-- && !gone;)
    for (size_t w = 0; w < words && gone <= wanted; w++) {
      uint64_t left = cover[w] & g->counted[w] & g->levels[l][w];
      for (; left && gone <= wanted; left &= left - 1) {
        const size_t i = 64 * w + (size_t)__builtin_ctzll(left);
        gone += merged->own ? merged->weights[0][i] : merged->weight[0];
        irl_bits_clear(g->counted, i);
      }
    }
  g->weight += gone;
}

static int64_t largest_of(const searcher *g) {
  int64_t largest = g->task->required_gain - g->weight;
  for (uint32_t i = 0; i < g->n; i++)
    if (g->values[i] > largest) largest = g->values[i];
  return largest;
}

/* The set as it is now: is it the best so far? */
static void judge(searcher *g) {
  irl_multipliers *task = g->task;
  const size_t words = task->merged->data->cases.stride;
  const int64_t K = task->K;
  put_values(g);
  const int64_t largest = largest_of(g);
  const int64_t least = K * (task->required_gain - g->weight) - (K - 1) * largest;
  if (least <= g->best) return;
  g->best = least;
  task->weight = g->weight;
  task->largest = largest;
  irl_bits_fill(task->relaxed, task->merged->data->n_cases, words);
  irl_bits_kernels()->andnot_into(task->relaxed, task->relaxed, g->counted, words);
}

/* Nothing, then from the start on. */
static void search(searcher *g) {
  irl_multipliers *task = g->task;
  const size_t words = task->merged->data->cases.stride;
  const int64_t weight = irl_merged_weigh(task->merged, 0, task->relaxed);
  memcpy(g->start, task->relaxed, words * sizeof *g->start);
  irl_bits_fill(g->counted, task->merged->data->n_cases, words);
  judge(g);
  keep_best(g);
  irl_bits_kernels()->andnot_into(g->counted, g->counted, g->start, words);
  g->weight = weight;
  for (uint32_t step = 0; step < MAX_STEPS && g->n && g->weight < task->required_gain; step++) {
    judge(g);
    int64_t floor = 0;
    const int64_t before = g->weight;
    const uint32_t first = count_levels(g, &floor);
    relax_cases(g, first, floor);
    if (g->weight == before) break;
  }
}

irl_status irl_multipliers_search(irl_env *env, irl_multipliers *task) {
  const irl_allocator *allocator = &env->allocator;
  const irl_data *data = task->merged->data;
  const size_t words = data->cases.stride;
  searcher g = {.task = task, .best = INT64_MIN};
  const size_t n = task->known->n;
  bool is_ready = true;
  task->weight = task->largest = 0;
  task->work = 0;
  g.ids = irl_mem_alloc(allocator, n, sizeof *g.ids);
  g.values = irl_mem_alloc(allocator, n, sizeof *g.values);
  g.costs = irl_mem_alloc(allocator, n, sizeof *g.costs);
  g.counted = irl_mem_alloc_aligned(allocator, words, sizeof *g.counted);
  g.start = irl_mem_alloc_aligned(allocator, words, sizeof *g.start);
  for (uint32_t l = 0; l < MAX_LEVELS; l++) {
    g.levels[l] = irl_mem_alloc_aligned(allocator, words, sizeof *g.levels[l]);
    is_ready = is_ready && g.levels[l];
  }
  is_ready = is_ready && g.ids && g.values && g.costs && g.counted && g.start;
  if (is_ready) {
    put_costs(&g);
    search(&g);
  }
  irl_mem_free(allocator, g.ids);
  irl_mem_free(allocator, g.values);
  irl_mem_free(allocator, g.costs);
  irl_mem_free_aligned(allocator, g.counted);
  irl_mem_free_aligned(allocator, g.start);
  for (uint32_t l = 0; l < MAX_LEVELS; l++) irl_mem_free_aligned(allocator, g.levels[l]);
  return is_ready ? IRL_OK : irl_fail_memory(env);
}
