/* Local moves on finished clauses: leave a literal out, put another in its place, add one; the best
 * move that improves is taken until there is none. A move leaves one literal of the clause out (or
 * none), takes the cover of the rest and counts every column against it.
 *
 * All clauses go through their positions together. On divided data each process counts its own
 * columns, and after each position the best of all is everybody's best. */
#include "base/arena.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "clause/distributed.h"
#include "clause/heuristic.h"
#include "clause/worker.h"
#include <xxhash.h>

#define TILE 64u /* columns whose controls are counted together */

/* A clause that is being improved. */
typedef struct mover {
  irl_clause clause, best;
  bool is_done;
  const uint64_t *columns[IRL_CLAUSE_MAX]; /* of its literals */
  uint64_t work;
} mover;

typedef struct local_search {
  const irl_clause_search *search;
  irl_arena arena; /* of all that follows */
  mover *movers;
  uint32_t n;
  irl_clause_worker *workers; /* for their scratch */
  uint64_t *fetched;          /* columns of divided data */
  uint32_t *numbers;          /* of the columns */
} local_search;

/* The cover of the clause without literal `out`. */
static void cover_rest(const irl_clause_model *model, const mover *m, uint32_t out,
                       uint64_t *cover) {
  const irl_clause_table *root = &model->root;
  irl_bits_fill(cover, root->n_cases, root->case_words);
  irl_bits_fill(cover + root->case_words, root->n_controls, root->control_words);
  for (uint32_t i = 0; i < m->clause.n; i++)
    if (i != out) model->kernels->and_into(cover, cover, m->columns[i], root->stride);
}

/* Takes `next` for the best if it is allowed and better. `vector` is its cover. */
static void consider(const irl_clause_model *model, mover *m, irl_clause *next,
                     const uint64_t *vector) {
  if (next->controls > model->budget || next->cases < model->min_cases) return;
  irl_clause_set_value(model, &model->root, vector, next);
  irl_clause_sort_literals(next);
  if (irl_clause_better(next, &m->best)) m->best = *next;
}

/* All clauses that differ from the clause in literal `out` (n: one more literal). */
static void try_position(const irl_clause_worker *worker, mover *m, uint32_t out) {
  const irl_clause_model *model = worker->model;
  const irl_clause_table *root = &model->root;
  uint64_t *cover = worker->joint.words, *joint = cover + root->stride;
  irl_clause rest = {0};
  for (uint32_t i = 0; i < m->clause.n; i++)
    if (i != out) rest.literals[rest.n++] = m->clause.literals[i];
  assert(out <= m->clause.n && rest.n < model->max_size);
  cover_rest(model, m, out, cover);
  if (rest.n && out < m->clause.n) { /* a literal less */
    irl_clause shorter = rest;
    irl_clause_set_counts(model, root, cover, &shorter);
    consider(model, m, &shorter, cover);
  }
  const int64_t wanted =
      m->best.value > 0 ? m->best.value / (model->weight[0] + !model->weight[0]) : 0;
  const uint32_t least = wanted > model->min_cases ? (uint32_t)wanted : model->min_cases;
  const uint32_t n_columns = irl_clause_n_here(root);
  const size_t n =
      model->kernels->and_select(cover, root->words, root->stride, n_columns, root->case_words,
                                 least, 0, worker->ids, worker->counts);
  m->work += (uint64_t)n_columns * root->case_words + n * root->control_words;
  uint32_t controls[TILE];
  for (size_t i = 0; i < n; i++) {
    const uint32_t here = worker->ids[i], literal = root->set.id[irl_clause_number(root, here)];
    irl_clause next = rest;
    if (i % TILE == 0)
      model->kernels->and_count_many(cover + root->case_words, root->words + root->case_words,
                                     root->stride, worker->ids + i, n - i < TILE ? n - i : TILE,
                                     root->control_words, controls);
    next.cases = worker->counts[i];
    next.controls = controls[i % TILE];
    /* Most are worth less than the best, whatever their literals are. */
    if (next.controls > model->budget ||
        next.cases * model->weight[0] - next.controls * model->least_weight[1] < m->best.value)
      continue;
    bool is_grouped = false;
    for (uint32_t j = 0; j < rest.n; j++)
      is_grouped = is_grouped || irl_clause_are_grouped(model->problem, rest.literals[j], literal);
    if (is_grouped) continue;
    next.literals[next.n++] = literal;
    model->kernels->and_into(joint, cover, irl_clause_cases(root, here), root->stride);
    consider(model, m, &next, joint);
  }
}

/* ---- all clauses together ---- */

/* The columns of the clauses' literals. */
static irl_status find_columns(local_search *p) {
  const irl_clause_table *root = &p->search->model->root;
  irl_status status = IRL_STATUS_OK;
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t j = 0; j < p->movers[i].clause.n; j++)
      p->numbers[n++] = p->search->model->column_of[p->movers[i].clause.literals[j]];
  for (uint32_t i = 0; i < n; i++) assert(p->numbers[i] < root->set.n);
  if (root->own)
    status = irl_clause_fetch(p->search->env, p->search->model, root, p->numbers, n, p->fetched);
  n = 0;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t j = 0; j < p->movers[i].clause.n; j++, n++)
      p->movers[i].columns[j] =
          root->own ? p->fetched + n * root->stride : irl_clause_cases(root, p->numbers[n]);
  return status;
}

/* The best of all processes for each clause. */
static irl_status share_best(local_search *p) {
  irl_env *env = p->search->env;
  irl_clause *mine = irl_mem_alloc(&env->allocator, p->n, sizeof *mine), theirs;
  void *all = NULL;
  size_t *sizes = NULL;
  irl_status status = irl_comm_agree(env, mine ? IRL_STATUS_OK : irl_fail_memory(env));
  for (uint32_t i = 0; !status && i < p->n; i++) mine[i] = p->movers[i].best;
  if (!status) status = irl_comm_allgather_sizes(env, mine, p->n * sizeof *mine, &all, &sizes);
  for (size_t k = 0; !status && k < (size_t)irl_comm_size(env) * p->n; k++) {
    irl_clause *best = &p->movers[k % p->n].best;
    memcpy(&theirs, (char *)all + k * sizeof theirs, sizeof theirs);
    if (irl_clause_better(&theirs, best)) *best = theirs;
  }
  irl_mem_free(&env->allocator, mine);
  irl_mem_free(&env->allocator, all);
  irl_mem_free(&env->allocator, sizes);
  return status;
}

/* A move of each clause that is not done; *improves: any. */
static irl_status move_all(local_search *p, bool *improves) {
  uint32_t n_positions = 0;
  irl_status status = find_columns(p);
  bool is_cut = false; /* where the data is divided, the root decides */
  for (uint32_t i = 0; i < p->n; i++) {
    const irl_clause *clause = &p->movers[i].clause;
    const uint32_t n = clause->n + (clause->n < p->search->model->max_size);
    if (!p->movers[i].is_done && n > n_positions) n_positions = n;
    p->movers[i].best = *clause;
  }
  for (uint32_t out = 0; out < n_positions && !status; out++) {
    is_cut = irl_limit_poll(p->search->limit);
    if (p->search->model->root.own) status = irl_comm_any(p->search->env, &is_cut);
    if (status || is_cut) break;
#pragma omp parallel for num_threads(irl_threads_for(                                              \
    p->search->threads, p->n, irl_clause_scan_work(&p->search->model->root))) schedule(dynamic, 1)
    for (uint32_t i = 0; i < p->n; i++) {
      mover *m = &p->movers[i];
      if (!m->is_done &&
          (out < m->clause.n || (out == m->clause.n && out < p->search->model->max_size)))
        try_position(&p->workers[irl_thread_number()], m, out);
    }
    if (p->search->model->root.own) status = share_best(p);
  }
  *improves = false;
  for (uint32_t i = 0; i < p->n && !status; i++) {
    mover *m = &p->movers[i];
    m->is_done = m->is_done || !irl_clause_better(&m->best, &m->clause);
    assert(m->is_done || m->best.value >= m->clause.value);
    m->clause = m->best;
    *improves = *improves || (!m->is_done && !is_cut);
  }
  return status;
}

irl_status irl_clause_local_search(const irl_clause_search *search, uint32_t n,
                                   irl_clause_pool *pool) {
  local_search p = {.search = search, .n = n < pool->n ? n : pool->n};
  const irl_clause_table *root = &search->model->root;
  const size_t n_literals = (size_t)p.n * search->model->max_size;
  uint64_t used = 0;
  bool improves = true;
  if (!p.n) return IRL_STATUS_OK;
  irl_arena_init(&p.arena, &search->env->allocator);
  p.movers = irl_arena_alloc(&p.arena, p.n, sizeof *p.movers);
  p.numbers = irl_arena_alloc(&p.arena, n_literals, sizeof *p.numbers);
  p.fetched = irl_arena_alloc_aligned(&p.arena, root->own ? n_literals * root->stride : 0,
                                      sizeof *p.fetched);
  p.workers = irl_clause_workers_create(search->model, search->threads);
  irl_status status = p.movers && p.numbers && p.fetched && p.workers
                          ? IRL_STATUS_OK
                          : irl_fail_memory(search->env);
  if (root->own) status = irl_comm_agree(search->env, status);
  for (uint32_t i = 0; !status && i < p.n; i++) p.movers[i].clause = pool->clauses[i];
  while (improves && !status) status = move_all(&p, &improves);
  /* Into the pool, with the hashes of their covers. */
  if (!status) status = find_columns(&p);
  for (uint32_t i = 0; p.movers && i < p.n; i++) {
    mover *m = &p.movers[i];
    used += m->work;
    if (status) continue;
    cover_rest(search->model, m, IRL_CLAUSE_MAX, p.workers->joint.words);
    m->clause.hash = XXH3_64bits(p.workers->joint.words, root->stride * sizeof(uint64_t));
    irl_clause_pool_add(pool, &m->clause);
  }
  if (!status) irl_clause_pool_trim(pool);
  if (!status && root->own) status = irl_comm_allreduce(search->env, &used, 1);
  *search->work += used;
  irl_clause_workers_free(p.workers, search->threads, &search->model->allocator);
  irl_arena_free(&p.arena);
  return status;
}
