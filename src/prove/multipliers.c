/* Search for 0/1 multipliers of the cases (proof_enumerate.c has the lemma).
 *
 * Let D be the relaxed cases, those with multiplier 1, g = required_gain - weight of D, and m the
 * largest value K * (cases outside D) - controls of a known clause. Every clause of a better rule
 * has a value of at least t = K * g - (K - 1) * m, and t is to be large. Relaxing a case costs K
 * times its weight in the first term and brings K * (K - 1) times its weight in the second if all
 * clauses of the largest value cover it.
 *
 * The search starts with what the incumbent covers more than once. Then, step by step, some cases
 * of the clause of largest value are relaxed, those first that most of the clauses next to it cover
 * too; the best D met on the way is kept, or none if that is better. Which clauses are known
 * decides how good D is, not whether it is right.
 *
 * The selection looks for multipliers too (select_mask.c), at every node, in few rounds and in
 * sevenths. Its rounded subgradient steps in place of those here made lists so much longer that
 * proofs of small noisy tables took 1.1 to 2.6 times the work, and 0/1 multipliers there, as here,
 * made long proofs take up to 1.3 times the time. */
#include "base/arena.h"
#include "prove/proof_enumerate.h"

#define MAX_LEVELS 4u  /* cases are told apart by how many top clauses cover them, up to this */
#define TOP_TRIES  40u /* of a value that twice K clauses reach */

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

/* How many of the top clauses cover each counted case; `floor` is the least value among them. */
static uint32_t count_levels(searcher *g, int64_t *floor) {
  const size_t words = g->task->merged->data->cases.stride;
  uint32_t first = 0;
  for (uint32_t i = 1; i < g->n; i++)
    if (g->values[i] > g->values[first]) first = i;
  /* The top: above the K-th or so, found by halving the distance to the mean. */
  int64_t low = g->values[first];
  for (uint32_t tries = 0, n_top = 0; tries < TOP_TRIES && n_top < 2 * g->task->K; tries++) {
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

/* Relaxes cases of the first clause, about as much as brings it down to the floor. */
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
        gone += merged->weights[0] ? merged->weights[0][i] : merged->weight[0];
        irl_bits_clear(g->counted, i);
      }
    }
  g->weight += gone;
  assert(gone >= 0);
}

/* Keeps the set as it is now if it is the best so far. */
static void judge(searcher *g) {
  irl_multipliers *task = g->task;
  const size_t words = task->merged->data->cases.stride;
  const int64_t K = task->K;
  int64_t largest = task->required_gain - g->weight;
  for (uint32_t i = 0; i < g->n; i++) {
    g->values[i] =
        K * irl_merged_weigh_both(task->merged, 0, g->counted, cases_of(g, i)) - g->costs[i];
    if (g->values[i] > largest) largest = g->values[i];
  }
  task->work += g->n * words;
  const int64_t least = K * (task->required_gain - g->weight) - (K - 1) * largest;
  assert(least <= largest);
  if (least <= g->best) return;
  g->best = least;
  task->weight = g->weight;
  task->largest = largest;
  irl_bits_fill(task->relaxed, task->merged->data->n_cases, words);
  irl_bits_kernels()->andnot_into(task->relaxed, task->relaxed, g->counted, words);
}

static void exchange(searcher *g, uint32_t a, uint32_t b) {
  const uint32_t id = g->ids[a];
  const int64_t value = g->values[a], cost = g->costs[a];
  g->ids[a] = g->ids[b], g->values[a] = g->values[b], g->costs[a] = g->costs[b];
  g->ids[b] = id, g->values[b] = value, g->costs[b] = cost;
}

/* Only the clauses of largest value count for the rest, and those that proved a guess wrong: these
 * have large values at multipliers that would be found again without them. */
static void keep_largest(searcher *g) {
  uint32_t n_learnt = 0;
  for (uint32_t i = 0; i < g->n; i++)
    if (g->ids[i] >= g->task->n_pool) exchange(g, i, n_learnt++);
  const uint32_t most = n_learnt + 3 * (uint32_t)g->task->tuning->learnt;
  for (uint32_t kept = n_learnt; kept < most && g->n > most; kept++)
    for (uint32_t i = kept + 1; i < g->n; i++)
      if (g->values[i] > g->values[kept]) exchange(g, i, kept);
  if (g->n > most) g->n = most;
}

/* No multipliers, then from the start on. */
static void search(searcher *g) {
  irl_multipliers *task = g->task;
  const size_t words = task->merged->data->cases.stride;
  const int64_t weight = irl_merged_weigh(task->merged, 0, task->relaxed);
  memcpy(g->start, task->relaxed, words * sizeof *g->start);
  irl_bits_fill(g->counted, task->merged->data->n_cases, words);
  judge(g);
  keep_largest(g);
  irl_bits_kernels()->andnot_into(g->counted, g->counted, g->start, words);
  g->weight = weight;
  for (uint32_t step = 0;
       step < task->tuning->multiplier_steps && g->n && g->weight < task->required_gain; step++) {
    judge(g);
    int64_t floor = 0;
    const int64_t before = g->weight;
    const uint32_t first = count_levels(g, &floor);
    relax_cases(g, first, floor);
    assert(g->weight >= before);
    if (g->weight == before) break;
  }
}

irl_status irl_multipliers_search(irl_env *env, irl_multipliers *task) {
  const size_t words = task->merged->data->cases.stride, n = task->known->n;
  searcher g = {.task = task, .best = INT64_MIN};
  irl_arena arena;
  assert(task->K && task->budget >= 0 && task->known->data == task->merged->data);
  task->weight = task->largest = 0;
  task->work = 0;
  irl_arena_init(&arena, &env->allocator);
  g.ids = irl_arena_alloc(&arena, n + 1, sizeof *g.ids);
  g.values = irl_arena_alloc(&arena, 2 * (n + 1), sizeof *g.values);
  uint64_t *vectors = irl_arena_alloc_aligned(&arena, (2 + MAX_LEVELS) * words, sizeof *vectors);
  const bool is_ready = g.ids && g.values && vectors;
  if (is_ready) {
    g.costs = g.values + n + 1;
    g.counted = vectors;
    g.start = vectors + words;
    for (uint32_t l = 0; l < MAX_LEVELS; l++) g.levels[l] = vectors + (2 + l) * words;
    /* The clauses that may be part of a better rule, and what their controls cost. */
    for (uint32_t k = 0; k < n; k++) {
      const int64_t cost =
          irl_merged_weigh(task->merged, 1, irl_bits_vector(&task->known->controls, k));
      if (cost > task->budget) continue;
      g.ids[g.n] = k;
      g.costs[g.n++] = cost;
    }
    search(&g);
    assert(task->weight == irl_merged_weigh(task->merged, 0, task->relaxed));
    assert(task->largest >= task->required_gain - task->weight);
  }
  irl_arena_free(&arena);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(env);
}
