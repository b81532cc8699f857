/* The heuristic phase: passes of the beam, each wider than the one before, until the best clause
 * could not be chance, or passes bring nothing, or the work is used up. Narrow passes find what
 * single literals point to; wide ones with all pairs find clauses whose literals show nothing by
 * themselves. After those, passes on the literals of one case: a clause that covers the case has
 * only these, half of all, so that the same width sees four times as many of its pairs. */
#include "clause/heuristic.h"
#include "base/memory.h"
#include "base/random.h"
#include "clause/beam.h"
#include "clause/distributed.h"
#include "clause/worker.h"
#include <math.h>
#include <xxhash.h>

#define N_POLISHED 16u

struct heuristic {
  const irl_clause_search *search;
  const irl_clause_heuristic_settings *settings;
  irl_clause_pool *pool;
  uint64_t start; /* work before */
};

static const irl_clause_pass passes[] = {{200, false}, {1000, true}, {10000, true}, {30000, true}};
#define WIDE     10000u /* a pass of this width that brings nothing is the last */
#define N_PASSES (sizeof passes / sizeof *passes)
#define N_SEEDED 4u /* passes on the literals of one case */

static const irl_clause_pass seeded_pass = {3000, true};

static bool is_affordable(const struct heuristic *h, uint64_t work) {
  const uint64_t used = *h->search->work - h->start;
  return used <= h->settings->max_work && work <= h->settings->max_work - used;
}

/* Has a limit, or the user, ended it? */
static irl_status check_limit(const struct heuristic *h, bool *is_cut) {
  *is_cut = irl_limit_poll(h->search->limit);
  return h->search->model->root.own ? irl_comm_any(h->search->env, is_cut) : IRL_STATUS_OK;
}

bool irl_clause_is_beyond_chance(const irl_clause_model *model, const irl_clause_pool *pool) {
  const irl_clause *clause = pool->clauses;
  const double n_cases = model->root.n_cases, n = n_cases + model->root.n_controls;
  if ((model->problem->is_priced && model->n_planes[0]) || n_cases == n || !pool->n) return false;
  double chance = clause->cases * log(n_cases / n) + clause->controls * log(1 - n_cases / n);
  for (uint32_t i = 0; i < clause->controls; i++)
    chance += log((double)(clause->cases + clause->controls - i) / (i + 1));
  double n_clauses = 0; /* the natural logarithm of their number */
  for (uint32_t i = 0; i < model->max_size && i < model->root.set.n; i++)
    n_clauses += log((double)(model->root.set.n - i) / (i + 1));
  return chance + n_clauses < -15;
}

static irl_status run_pass(struct heuristic *h, irl_clause_beam *beam, const irl_clause_pass *pass,
                           bool *improved) {
  const int64_t before = h->pool->n ? h->pool->clauses[0].value : IRL_CLAUSE_NO_VALUE;
  irl_status status = irl_clause_beam_run(beam, pass, h->pool, h->search->work);
  if (!status) status = irl_clause_local_search(h->search, N_POLISHED, h->pool);
  *improved = h->pool->n && h->pool->clauses[0].value > before;
  assert(status || !h->pool->n || h->pool->clauses[0].value >= before);
  irl_log(h->search->env, IRL_LOG_PROGRESS, "beam %6u%s  best %lld  pool %u  work %.3g",
          pass->width, pass->all_pairs ? " all pairs" : "",
          h->pool->n ? (long long)h->pool->clauses[0].value : -1LL, h->pool->n,
          (double)*h->search->work);
  return status;
}

/* Widening passes over all literals; *is_done: no more passes are wanted. */
static irl_status widen_passes(struct heuristic *h, bool *is_done) {
  irl_clause_beam *beam = NULL;
  irl_status status = irl_clause_beam_create(h->search, &h->search->model->root, &beam);
  for (size_t i = 0; !status && !*is_done && i < N_PASSES; i++) {
    bool improved, is_cut;
    status = check_limit(h, &is_cut);
    if (status || is_cut || !is_affordable(h, irl_clause_beam_work(beam, &passes[i]))) break;
    status = run_pass(h, beam, &passes[i], &improved);
    const bool is_wide = passes[i].width >= WIDE;
    *is_done = (is_wide && !improved) || irl_clause_is_beyond_chance(h->search->model, h->pool);
    if (!status && h->search->model->root.own) status = irl_comm_any(h->search->env, is_done);
  }
  irl_clause_beam_free(beam);
  return status;
}

/* The literals that case `at` (of the root's) has. */
static irl_status literals_of(const struct heuristic *h, uint32_t at, irl_clause_table *table) {
  irl_env *env = h->search->env;
  const irl_clause_model *model = h->search->model;
  const irl_clause_table *root = &model->root;
  const size_t n_words = (root->set.n + 7) / 8;
  irl_literal_set set = {0};
  uint8_t *covers = irl_mem_alloc(&model->allocator, n_words, sizeof(uint64_t)); /* a byte each */
  irl_status status = covers && irl_literal_set_reserve(&model->allocator, &set, root->set.n)
                          ? IRL_STATUS_OK
                          : irl_fail_memory(env);
  if (root->own) status = irl_comm_agree(env, status);
  if (status) goto done;
  for (uint32_t here = 0; here < irl_clause_n_here(root); here++)
    covers[irl_clause_number(root, here)] = irl_bits_get(irl_clause_cases(root, here), at);
  if (root->own) status = irl_comm_allreduce(env, (uint64_t *)covers, n_words); /* no carries */
  if (status) goto done;
  for (uint32_t i = 0; i < root->set.n; i++)
    if (covers[i]) {
      irl_literal_set_put(&set, set.n, &root->set, i);
      set.id[set.n++] = i;
    }
  if (!irl_clause_table_copy(model, root, &set, table)) status = irl_fail_memory(env);
  assert(status || irl_clause_table_check(model, table));
  if (root->own) status = irl_comm_agree(env, status);
done:
  irl_mem_free(&model->allocator, set.memory);
  irl_mem_free(&model->allocator, covers);
  return status;
}

/* A pass on the literals of one case. */
static irl_status run_from_case(struct heuristic *h, uint32_t at) {
  const irl_clause_model *model = h->search->model;
  irl_clause_table table = {0};
  irl_clause_beam *beam = NULL;
  const uint64_t n = model->root.set.n / 2; /* literals, about */
  bool improved;
  if (!is_affordable(h, n * n / 2 * model->root.stride)) return IRL_STATUS_OK; /* all pairs */
  irl_status status = literals_of(h, at, &table);
  if (!status) status = irl_clause_beam_create(h->search, &table, &beam);
  if (!status && is_affordable(h, irl_clause_beam_work(beam, &seeded_pass)))
    status = run_pass(h, beam, &seeded_pass, &improved);
  irl_clause_beam_free(beam);
  irl_clause_table_free(&model->allocator, &table);
  return status;
}

/* Single literals are clauses too. */
static irl_status add_literals(struct heuristic *h) {
  const irl_clause_model *model = h->search->model;
  const irl_clause_table *root = &model->root;
  for (uint32_t here = 0; here < irl_clause_n_here(root); here++) {
    const uint32_t i = irl_clause_number(root, here);
    irl_clause clause = {.value = root->set.gain[i] - root->set.cost[i],
                         .cases = root->set.cases[i],
                         .controls = root->set.controls[i],
                         .n = 1,
                         .literals = {root->set.id[i]}};
    if (clause.controls > model->budget || clause.cases < model->min_cases ||
        root->set.cost[i] > model->problem->max_cost ||
        !irl_clause_pool_wants(h->pool, clause.value))
      continue;
    clause.hash = XXH3_64bits(irl_clause_cases(root, here), root->stride * sizeof(uint64_t));
    irl_clause_pool_add(h->pool, &clause);
  }
  irl_clause_pool_trim(h->pool);
  return root->own ? irl_clause_pool_share(h->search->env, h->pool) : IRL_STATUS_OK;
}

/* The usual passes. */
static irl_status run_passes(struct heuristic *h) {
  const irl_clause_model *model = h->search->model;
  bool is_done = model->max_size < 2 || model->root.set.n < 2 || !model->root.n_cases;
  irl_random random;
  irl_status status = add_literals(h);
  irl_random_init(&random, h->settings->seed, 0);
  if (!status && !is_done) status = widen_passes(h, &is_done);
  for (uint32_t i = 0; !status && !is_done && i < N_SEEDED; i++) {
    bool is_cut;
    status = check_limit(h, &is_cut);
    if (status || is_cut) break;
    status = run_from_case(h, (uint32_t)irl_random_below(&random, model->root.n_cases));
  }
  return status;
}

irl_status irl_clause_heuristic(const irl_clause_search *search,
                                const irl_clause_heuristic_settings *settings,
                                irl_clause_pool *pool) {
  struct heuristic h = {search, settings, pool, *search->work};
  irl_status status = IRL_STATUS_OK;
  assert(!pool->n && search->threads > 0);
  if (search->model->id) { /* the other processes take part */
    irl_message message;
    irl_message_init(&message, search->env);
    irl_message_put_number(&message, search->model->id);
    irl_message_put(&message, settings, sizeof *settings);
    irl_message_put_number(&message, pool->capacity);
    irl_message_put_number(&message, (uint64_t)search->threads);
    irl_limit_put(&message, search->limit);
    status = irl_comm_call_and_agree(search->env, IRL_COMM_HEURISTIC, &message);
  }
  if (status || !settings->width) return status ? status : run_passes(&h);
  const irl_clause_pass pass = {settings->width, true};
  irl_clause_beam *beam = NULL;
  status = irl_clause_beam_create(search, &search->model->root, &beam);
  if (!status) status = irl_clause_beam_run(beam, &pass, pool, search->work);
  irl_clause_beam_free(beam);
  return status ? status : irl_clause_local_search(search, N_POLISHED, pool);
}

irl_status irl_clause_serve_heuristic(irl_env *env, const irl_clause_model *model,
                                      irl_message *message) {
  irl_clause_heuristic_settings settings = {0};
  irl_message_copy(message, &settings, sizeof settings);
  const uint32_t capacity = (uint32_t)irl_message_get_number(message);
  const int threads = (int)irl_message_get_number(message);
  irl_clause_pool pool = {0};
  irl_env *calm = NULL; /* the root alone has the clock and is asked to stop */
  uint64_t work = 0;
  irl_status status = irl_env_create(&env->allocator, &calm) ||
                              !irl_clause_pool_init(&pool, &env->allocator, capacity)
                          ? irl_fail_memory(env)
                          : IRL_STATUS_OK;
  irl_limit limit;
  irl_limit_get(message, env, &limit);
  limit.env = calm;
  limit.deadline = 0;
  if (calm) calm->watch = env->watch; /* memory counts */
  status = irl_comm_agree(env, status);
  if (!status)
    status = irl_clause_heuristic(&(irl_clause_search){env, model, &limit, threads, &work},
                                  &settings, &pool);
  irl_clause_pool_free(&pool);
  irl_env_free(calm);
  return status;
}
