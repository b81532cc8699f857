/* Branch and bound over choices.
 *
 * A node has chosen some clauses and may add `left` more. A candidate's benefit is the weight of
 * the cases that it would newly cover, less its cost. What `left` clauses gain together is at most
 * the sum of their benefits (overlaps only lose) less the controls they newly cover; a control is
 * paid once however many of them cover it, so at least 1/left of the sum of their new controls is
 * paid. Hence with value = left * benefit - control_weight * new controls,
 *
 *   left * (gain of all)  <=  sum of their values.
 *
 * To be of interest the gain must reach `need`. A candidate is dropped if its value and the largest
 * left - 1 positive values do not sum up to left * need: a negative value alone is no reason,
 * because its controls may be shared. The same with benefits alone comes first, as it needs no
 * controls.
 *
 * Candidates are branched on by value, best first; the clause branched on is the first of the
 * choice in this order, so the others come from behind it and no set is seen twice. With two
 * clauses left a loop over pairs does the rest: sorted by benefit, benefits less the larger number
 * of new controls reject nearly all pairs without touching a bit. */
#include "base/memory.h"
#include "select/select_search.h"
#include <stdlib.h>

#define CHECK_INTERVAL ((uint64_t)1 << 22) /* words of work between looks at the clock */

bool irl_select_worker_init(irl_select_worker *worker, const irl_select_pool *pool) {
  const irl_allocator *allocator = &pool->allocator;
  const uint32_t K = pool->problem->K;
  *worker = (irl_select_worker){.pool = pool};
  worker->frames = irl_mem_alloc(allocator, K + 1, sizeof *worker->frames);
  worker->ids = irl_mem_alloc(allocator, pool->n, sizeof *worker->ids);
  worker->counts = irl_mem_alloc(allocator, pool->n, sizeof *worker->counts);
  worker->cover = irl_mem_alloc_aligned(allocator, pool->stride, sizeof *worker->cover);
  worker->path.k = irl_mem_alloc(allocator, K, sizeof *worker->path.k);
  worker->best.k = irl_mem_alloc(allocator, K, sizeof *worker->best.k);
  bool is_ready = worker->frames && worker->ids && worker->counts && worker->cover &&
                  worker->path.k && worker->best.k;
  for (uint32_t i = 0; is_ready && i <= K; i++) {
    worker->frames[i].live = irl_mem_alloc_aligned(allocator, pool->stride, sizeof(uint64_t));
    is_ready = worker->frames[i].live != NULL;
  }
  if (!is_ready) {
    irl_select_worker_free(worker);
    return false;
  }
  irl_bits_fill(worker->frames[0].live, pool->n_cases, pool->case_words);
  irl_bits_fill(worker->frames[0].live + pool->case_words, pool->n_controls, pool->control_words);
  return true;
}

void irl_select_worker_free(irl_select_worker *worker) {
  if (!worker->pool) return;
  const irl_allocator *allocator = &worker->pool->allocator;
  for (uint32_t i = 0; worker->frames && i <= worker->pool->problem->K; i++) {
    irl_mem_free_aligned(allocator, worker->frames[i].live);
    irl_mem_free(allocator, worker->frames[i].list);
  }
  irl_mem_free(allocator, worker->frames);
  irl_mem_free(allocator, worker->ids);
  irl_mem_free(allocator, worker->counts);
  irl_mem_free_aligned(allocator, worker->cover);
  irl_mem_free(allocator, worker->path.k);
  irl_mem_free(allocator, worker->best.k);
  *worker = (irl_select_worker){0};
}

irl_select_node irl_select_root(const irl_select_pool *pool) {
  const irl_select_problem *problem = pool->problem;
  return (irl_select_node){.left = problem->K,
                           .loss = pool->lost + problem->case_weight * (int64_t)pool->n_cases};
}

static bool limit_reached(irl_select_worker *worker) {
  if (worker->is_cut || worker->is_out_of_memory) return true;
  if (worker->work < worker->next_check && worker->work < worker->max_work) return false;
  worker->next_check = worker->work + CHECK_INTERVAL;
  worker->is_cut = worker->work >= worker->max_work || irl_limit_poll(worker->limit);
  return worker->is_cut;
}

static int64_t compute_required_gain(const irl_select_worker *worker, const irl_select_node *node) {
  return node->loss - (worker->to_beat - 1);
}

/* ---- the largest few ---- */

/* Sums of the largest n and n - 1 of the positive numbers put in, n <= TOP_LIMIT. */
#define TOP_LIMIT 64u
typedef struct top {
  uint32_t n, used;
  int64_t number[TOP_LIMIT]; /* descending */
} top;

static void top_put(top *t, int64_t number) {
  if (number <= 0 || (t->used == t->n && (!t->n || number <= t->number[t->n - 1]))) return;
  uint32_t at = t->used < t->n ? t->used++ : t->n - 1;
  for (; at && t->number[at - 1] < number; at--) t->number[at] = t->number[at - 1];
  t->number[at] = number;
}

static int64_t top_sum(const top *t, uint32_t n) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < n && i < t->used; i++) sum += t->number[i];
  return sum;
}

/* With this one among the chosen: the number itself and the largest n - 1 others. */
static int64_t top_sum_with(const top *t, int64_t number, int64_t sum_all, int64_t sum_others) {
  const bool is_in = number > 0 && (t->used < t->n || number >= t->number[t->used - 1]);
  return is_in ? sum_all : sum_others + number;
}

/* ---- candidates ---- */

static bool reserve(irl_select_worker *worker, irl_select_frame *frame, uint32_t n) {
  if (n <= frame->capacity) return true;
  irl_select_candidate *grown =
      irl_mem_grow(&worker->pool->allocator, frame->list, n, sizeof *grown);
  worker->is_out_of_memory = !grown;
  if (!grown) return false;
  frame->list = grown;
  frame->capacity = n;
  return true;
}

/* New cases of each candidate; those whose benefits do not suffice are dropped. */
static uint32_t list_by_benefit(irl_select_worker *worker, uint32_t depth,
                                const irl_select_node *node, const irl_select_candidate *from,
                                uint32_t n, uint32_t left, int64_t required_gain) {
  const irl_select_pool *pool = worker->pool;
  irl_select_frame *frame = &worker->frames[depth];
  const uint64_t room =
      irl_select_literal_budget(pool->problem, pool->problem->K - node->left, node->literals);
  top benefits = {.n = left}, cases = {.n = left};
  uint32_t n_ids = 0, kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t k = from ? from[i].k : i;
    if (pool->size[k] <= room) worker->ids[n_ids++] = k;
  }
  pool->kernels->and_count_many(frame->live, pool->words, pool->stride, worker->ids, n_ids,
                                pool->case_words, worker->counts);
  worker->work += n_ids * pool->case_words;
  for (uint32_t i = 0; i < n_ids; i++) {
    top_put(&benefits, pool->problem->case_weight * worker->counts[i] - pool->cost[worker->ids[i]]);
    top_put(&cases, worker->counts[i]);
  }
  const int64_t missing = (int64_t)pool->min_cases - (int64_t)node->cases;
  const int64_t all_cases = top_sum(&cases, left), other_cases = top_sum(&cases, left - 1);
  const int64_t all = top_sum(&benefits, left), others = top_sum(&benefits, left - 1);
  if (all_cases < missing || all < required_gain || !reserve(worker, frame, n_ids)) return 0;
  for (uint32_t i = 0; i < n_ids; i++) {
    const uint32_t k = worker->ids[i];
    const int64_t benefit = pool->problem->case_weight * worker->counts[i] - pool->cost[k];
    if (!worker->counts[i] || top_sum_with(&benefits, benefit, all, others) < required_gain ||
        top_sum_with(&cases, worker->counts[i], all_cases, other_cases) < missing)
      continue;
    frame->list[kept++] =
        (irl_select_candidate){.benefit = benefit, .k = k, .cases = worker->counts[i]};
  }
  return kept;
}

/* How many more controls a better choice may cover. */
static uint64_t control_room(const irl_select_worker *worker, const irl_select_node *node) {
  const irl_select_pool *pool = worker->pool;
  const uint64_t room = pool->max_controls - node->controls;
  if (!pool->control_weight) return room;
  const int64_t cases_left = (int64_t)(pool->n_cases - node->cases);
  const int64_t gain =
      pool->problem->case_weight * cases_left - compute_required_gain(worker, node);
  if (gain < 0) return 0;
  const uint64_t paid = (uint64_t)(gain / pool->control_weight);
  return paid < room ? paid : room;
}

/* New controls of each candidate into worker->counts; none where they do not matter. */
static void count_controls(irl_select_worker *worker, uint32_t depth, uint32_t n) {
  const irl_select_pool *pool = worker->pool;
  const irl_select_frame *frame = &worker->frames[depth];
  if (!pool->counts_controls) {
    memset(worker->counts, 0, n * sizeof *worker->counts);
    return;
  }
  for (uint32_t i = 0; i < n; i++) worker->ids[i] = frame->list[i].k;
  pool->kernels->and_count_many(frame->live + pool->case_words, pool->words + pool->case_words,
                                pool->stride, worker->ids, n, pool->control_words, worker->counts);
  worker->work += n * pool->control_words;
}

/* New controls of each candidate, its value; those that do not suffice are dropped. */
static uint32_t list_by_value(irl_select_worker *worker, uint32_t depth,
                              const irl_select_node *node, uint32_t n, uint32_t left,
                              int64_t required_gain) {
  const int64_t weight = worker->pool->control_weight;
  irl_select_candidate *list = worker->frames[depth].list;
  const uint64_t room = control_room(worker, node);
  top values = {.n = left};
  uint32_t kept = 0;
  count_controls(worker, depth, n);
  for (uint32_t i = 0; i < n; i++) {
    if (worker->counts[i] > room) continue;
    list[kept] = list[i];
    list[kept].controls = worker->counts[i];
    list[kept].value = left * list[i].benefit - weight * worker->counts[i];
    top_put(&values, list[kept++].value);
  }
  n = kept;
  kept = 0;
  const int64_t all = top_sum(&values, left), others = top_sum(&values, left - 1);
  if (all < left * required_gain) return 0;
  for (uint32_t i = 0; i < n; i++)
    if (top_sum_with(&values, list[i].value, all, others) >= left * required_gain)
      list[kept++] = list[i];
  return kept;
}

static int by_value(const void *x, const void *y) {
  const irl_select_candidate *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

static int by_benefit(const void *x, const void *y) {
  const irl_select_candidate *a = x, *b = y;
  if (a->benefit != b->benefit) return a->benefit > b->benefit ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

/* The candidates among `n` given ones, or of the whole pool, in that order. */
static uint32_t list_in_order(irl_select_worker *worker, uint32_t depth,
                              const irl_select_node *node, const irl_select_candidate *from,
                              uint32_t n, int (*order)(const void *, const void *)) {
  const uint32_t left = node->left;
  assert(left <= TOP_LIMIT);
  const int64_t required_gain = compute_required_gain(worker, node);
  n = list_by_benefit(worker, depth, node, from, n, left, required_gain);
  if (n) n = list_by_value(worker, depth, node, n, left, required_gain);
  if (n) qsort(worker->frames[depth].list, n, sizeof(irl_select_candidate), order);
  return n;
}

uint32_t irl_select_list(irl_select_worker *worker, uint32_t depth, const irl_select_node *node) {
  return list_in_order(worker, depth, node, NULL, worker->pool->n, by_value);
}

int64_t irl_select_bound(const irl_select_node *node, const irl_select_candidate *list, uint32_t n,
                         uint32_t i) {
  int64_t sum = list[i].value;
  for (uint32_t j = i + 1; j < n && j < i + node->left && list[j].value > 0; j++)
    sum += list[j].value;
  const int64_t left = node->left;
  const int64_t gain = sum >= 0 ? sum / left : -((-sum + left - 1) / left);
  return node->loss - gain;
}

/* ---- nodes ---- */

/* The choice so far and `more` further clauses is better than all before. */
static void accept(irl_select_worker *worker, const irl_select_node *node, const uint32_t *more,
                   uint32_t n_more) {
  irl_select_choice *best = &worker->best;
  memcpy(best->k, worker->path.k, worker->path.n * sizeof *best->k);
  memcpy(best->k + worker->path.n, more, n_more * sizeof *best->k);
  best->n = worker->path.n + n_more;
  best->loss = node->loss;
  worker->to_beat = node->loss;
}

static bool is_feasible(const irl_select_worker *worker, const irl_select_node *node) {
  const irl_select_pool *pool = worker->pool;
  return node->cases >= pool->min_cases && node->controls <= pool->max_controls &&
         irl_select_is_short(pool->problem, pool->problem->K - node->left, node->literals);
}

static irl_select_node after(const irl_select_worker *worker, const irl_select_node *node,
                             const irl_select_candidate *c) {
  const irl_select_pool *pool = worker->pool;
  irl_select_node child = {.left = node->left - 1,
                           .loss = node->loss - c->benefit + pool->control_weight * c->controls,
                           .cases = node->cases + c->cases,
                           .controls = node->controls + c->controls,
                           .literals = node->literals + pool->size[c->k]};
  return child;
}

static void try_single(irl_select_worker *worker, const irl_select_node *node,
                       const irl_select_candidate *c) {
  const irl_select_node child = after(worker, node, c);
  if (child.loss < worker->to_beat && is_feasible(worker, &child)) accept(worker, &child, &c->k, 1);
}

/* a and b together; worker->cover is a's cover of what was live. */
static void try_pair(irl_select_worker *worker, const irl_select_node *node,
                     const irl_select_candidate *a, const irl_select_candidate *b) {
  const irl_select_pool *pool = worker->pool;
  const irl_select_problem *problem = pool->problem;
  const uint32_t pair[2] = {a->k, b->k};
  irl_select_candidate both = *b;
  const uint64_t shared =
      pool->kernels->and_count(worker->cover, irl_select_cases(pool, b->k), pool->case_words);
  const irl_select_node first = after(worker, node, a);
  both.cases -= (uint32_t)shared;
  both.benefit -= problem->case_weight * (int64_t)shared;
  worker->work += pool->case_words;
  const uint32_t least = b->controls > a->controls ? b->controls - a->controls : 0;
  if (first.loss - both.benefit + pool->control_weight * least >= worker->to_beat) return;
  if (pool->counts_controls) {
    both.controls -= (uint32_t)pool->kernels->and_count(
        worker->cover + pool->case_words, irl_select_controls(pool, b->k), pool->control_words);
    worker->work += pool->control_words;
  }
  const irl_select_node second = after(worker, &first, &both);
  if (second.loss < worker->to_beat && is_feasible(worker, &second))
    accept(worker, &second, pair, 2);
}

/* Two clauses left; the list is sorted by benefit. */
static void try_pairs(irl_select_worker *worker, uint32_t depth, const irl_select_node *node,
                      const irl_select_candidate *list, uint32_t n) {
  const irl_select_pool *pool = worker->pool;
  const int64_t weight = pool->control_weight;
  const int64_t missing = (int64_t)pool->min_cases - (int64_t)node->cases;
  for (uint32_t i = 0; i < n; i++) {
    try_single(worker, node, &list[i]);
    const int64_t required_gain = compute_required_gain(worker, node),
                  rest = required_gain - list[i].benefit;
    if (i + 1 == n || list[i + 1].benefit < rest + weight * list[i].controls) {
      /* No later pair suffices, and no later one alone: the need may be below 0 where cases must be
       * covered at a cost. */
      if (list[i].benefit < rest && list[i].benefit < required_gain) return;
      continue;
    }
    pool->kernels->and_into(worker->cover, worker->frames[depth].live,
                            irl_select_cases(pool, list[i].k), pool->stride);
    worker->work += pool->stride;
    for (uint32_t j = i + 1; j < n; j++) {
      const int64_t wanted = compute_required_gain(worker, node) - list[i].benefit;
      if (list[j].benefit < wanted + weight * list[i].controls) break;
      if (list[j].benefit >= wanted + weight * list[j].controls &&
          (int64_t)list[i].cases + list[j].cases >= missing)
        try_pair(worker, node, &list[i], &list[j]);
    }
    worker->work += n - i;
    if (limit_reached(worker)) return;
  }
}

static void expand(irl_select_worker *worker, uint32_t depth, const irl_select_node *node,
                   const irl_select_candidate *from, uint32_t n) {
  if (limit_reached(worker)) return;
  n = list_in_order(worker, depth, node, from, n, node->left == 2 ? by_benefit : by_value);
  const irl_select_candidate *list = worker->frames[depth].list;
  if (node->left == 1) {
    for (uint32_t i = 0; i < n; i++) try_single(worker, node, &list[i]);
    return;
  }
  if (node->left == 2) {
    try_pairs(worker, depth, node, list, n);
    return;
  }
  for (uint32_t i = 0; i < n && !limit_reached(worker); i++) {
    if (irl_select_bound(node, list, n, i) >= worker->to_beat) return;
    irl_select_bnb_branch(worker, depth, node, list, n, i);
  }
}

void irl_select_bnb_branch(irl_select_worker *worker, uint32_t depth, const irl_select_node *node,
                           const irl_select_candidate *list, uint32_t n, uint32_t i) {
  const irl_select_pool *pool = worker->pool;
  const irl_select_node child = after(worker, node, &list[i]);
  worker->nodes++;
  if (child.loss < worker->to_beat && is_feasible(worker, &child))
    accept(worker, &child, &list[i].k, 1);
  if (!child.left) return;
  pool->kernels->andnot_into(worker->frames[depth + 1].live, worker->frames[depth].live,
                             irl_select_cases(pool, list[i].k), pool->stride);
  worker->work += pool->stride;
  worker->path.k[worker->path.n++] = list[i].k;
  expand(worker, depth + 1, &child, list + i + 1, n - i - 1);
  worker->path.n--;
}
