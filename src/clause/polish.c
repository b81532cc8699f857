/* Local moves on finished clauses: leave a literal out, put another in its place, add one; the best
 * move that improves is taken until there is none. A move leaves one literal of the clause out (or
 * none), takes the cover of the rest and counts every column against it. */
#include "base/memory.h"
#include "clause/seek.h"
#include "clause/worker.h"
#include <xxhash.h>

struct mover {
  const irl_clause_model *model;
  uint64_t *cover, *joint;
  uint32_t *ids, *cases;
  uint64_t work;
};

/* The cover of the clause without literal `out`, in mover->cover. */
static void cover_rest(struct mover *mover, const irl_clause *clause, uint32_t out) {
  const irl_clause_table *root = &mover->model->root;
  bool is_first = true;
  for (uint32_t i = 0; i < clause->n; i++) {
    if (i == out) continue;
    const uint64_t *column = irl_clause_cases(root, mover->model->column_of[clause->literals[i]]);
    if (is_first)
      memcpy(mover->cover, column, root->stride * sizeof *column);
    else
      mover->model->kernels->and_into(mover->cover, mover->cover, column, root->stride);
    is_first = false;
  }
  if (!is_first) return;
  irl_bits_fill(mover->cover, root->n_cases, root->case_words);
  irl_bits_fill(mover->cover + root->case_words, root->n_controls, root->control_words);
}

static irl_clause without(const irl_clause *clause, uint32_t out) {
  irl_clause rest = {0};
  for (uint32_t i = 0; i < clause->n; i++)
    if (i != out) rest.literals[rest.n++] = clause->literals[i];
  return rest;
}

/* Takes `next` for *best if it is allowed and better. `vector` is its cover. */
static void consider(struct mover *mover, irl_clause *next, const uint64_t *vector,
                     irl_clause *best) {
  const irl_clause_model *model = mover->model;
  const irl_clause_table *root = &model->root;
  if (next->controls > model->budget || next->cases < model->min_cases) return;
  next->value = irl_clause_weigh_cases(model, root, vector, next->cases) -
                irl_clause_weigh_controls(model, root, vector + root->case_words, next->controls);
  irl_clause_sort_literals(next);
  if (irl_clause_better(next, best) && !irl_clause_model_excludes(model, next, mover->joint))
    *best = *next;
}

/* All clauses that differ from `clause` in literal `out` (n: one more literal). */
static void try_position(struct mover *mover, const irl_clause *clause, uint32_t out,
                         irl_clause *best) {
  const irl_clause_model *model = mover->model;
  const irl_clause_table *root = &model->root;
  const irl_clause rest = without(clause, out);
  cover_rest(mover, clause, out);
  if (rest.n && out < clause->n) {
    irl_clause next = rest;
    irl_clause_model_cover(model, &next, mover->joint);
    consider(mover, &next, mover->cover, best);
  }
  const int64_t wanted =
      best->value > 0 ? best->value / (model->case_weight + !model->case_weight) : 0;
  const uint32_t least = wanted > model->min_cases ? (uint32_t)wanted : model->min_cases;
  const size_t n = model->kernels->and_select(mover->cover, root->words, root->stride, root->set.n,
                                              root->case_words, least, 0, mover->ids, mover->cases);
  mover->work += (uint64_t)root->set.n * root->case_words + n * root->control_words;
  for (size_t i = 0; i < n; i++) {
    const uint32_t literal = root->set.id[mover->ids[i]];
    irl_clause next = rest;
    bool is_grouped = false;
    for (uint32_t j = 0; j < rest.n; j++)
      is_grouped = is_grouped || irl_clause_are_grouped(model->problem, rest.literals[j], literal);
    if (is_grouped) continue;
    next.literals[next.n++] = literal;
    next.cases = mover->cases[i];
    next.controls = (uint32_t)model->kernels->and_count(mover->cover + root->case_words,
                                                        irl_clause_controls(root, mover->ids[i]),
                                                        root->control_words);
    if (next.controls > model->budget) continue;
    model->kernels->and_into(mover->joint, mover->cover, irl_clause_cases(root, mover->ids[i]),
                             root->stride);
    consider(mover, &next, mover->joint, best);
  }
}

static void improve(struct mover *mover, const irl_limit *limit, irl_clause *clause) {
  for (bool improves = true; improves;) {
    irl_clause best = *clause;
    const uint32_t n = clause->n + (clause->n < mover->model->max_literals);
    for (uint32_t out = 0; out < n && !irl_limit_cut(limit); out++)
      try_position(mover, clause, out, &best);
    improves = irl_clause_better(&best, clause);
    *clause = best;
  }
}

static bool mover_init(struct mover *mover, const irl_clause_model *model) {
  const irl_clause_table *root = &model->root;
  mover->model = model;
  mover->cover =
      irl_mem_alloc_aligned(&model->allocator, 2 * root->stride + IRL_BITS_BLOCK, sizeof(uint64_t));
  mover->joint = mover->cover + root->stride;
  mover->ids = irl_mem_alloc(&model->allocator, (size_t)root->set.n + 1, sizeof(uint32_t));
  mover->cases = irl_mem_alloc(&model->allocator, (size_t)root->set.n + 1, sizeof(uint32_t));
  return mover->cover && mover->ids && mover->cases;
}

static void mover_free(struct mover *mover, const irl_allocator *allocator) {
  irl_mem_free_aligned(allocator, mover->cover);
  irl_mem_free(allocator, mover->ids);
  irl_mem_free(allocator, mover->cases);
}

irl_status irl_clause_polish(irl_env *env, const irl_clause_model *model, const irl_limit *limit,
                             int threads, uint32_t n, irl_clause_pool *pool, uint64_t *work) {
  if (n > pool->n) n = pool->n;
  if (!n) return IRL_OK;
  irl_clause *clauses = irl_mem_alloc(&env->allocator, n, sizeof *clauses);
  if (!clauses) return irl_fail_memory(env);
  memcpy(clauses, pool->clauses, n * sizeof *clauses);
  uint64_t used = 0;
  bool failed = false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(+ : used)             \
    reduction(|| : failed)
  for (uint32_t i = 0; i < n; i++) {
    struct mover mover = {0};
    if (mover_init(&mover, model))
      improve(&mover, limit, &clauses[i]);
    else
      failed = true;
    used += mover.work;
    mover_free(&mover, &model->allocator);
  }
  struct mover mover = {0};
  failed = failed || !mover_init(&mover, model);
  for (uint32_t i = 0; i < n && !failed; i++) {
    irl_clause_model_cover(model, &clauses[i], mover.cover);
    clauses[i].hash = XXH3_64bits(mover.cover, model->root.stride * sizeof(uint64_t));
    irl_clause_pool_add(pool, &clauses[i]);
  }
  irl_clause_pool_settle(pool);
  mover_free(&mover, &model->allocator);
  irl_mem_free(&env->allocator, clauses);
  *work += used;
  return failed ? irl_fail_memory(env) : IRL_OK;
}
