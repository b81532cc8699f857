/* Searches on samples, where there are very many samples: a search takes time in proportion to
 * them, while what it has to tell apart does not change with their number.
 *
 * Two disjoint random samples are drawn, so many cases and so many controls each, and the loop runs
 * on each as if it were all there is, with weights by which its loss is that expected on all
 * samples. Its rule is then counted on all samples, and literals are exchanged there as long as
 * that makes it better. If both come to the same loss on all samples, the best choice from the
 * clauses of both is no better, and, where the rule has room for one more clause, a search on a
 * fresh sample of what it leaves uncovered brings nothing, then the rule is settled: the loop on
 * all samples is left out. Otherwise the same happens with larger samples, and at last the loop
 * runs on all samples as it does on small data, with the best rule and the clauses found so far.
 *
 * Why this loses nothing in practice: losses that are reported, compared and improved are those of
 * all samples. A clause that a sample of 2 n misses because it is rare or weak is one that chance
 * hides, and chance differs between disjoint samples: then both come to different rules, which is
 * seen. Nothing is claimed about optimality by it; a proof is over all samples as ever.
 *
 * Not for rules within limits of sensitivity and specificity, or budgets that are given: what just
 * meets a limit on a sample need not do so on all. A resumed run repeats the searches, as cheap as
 * they are. */
#include "base/memory.h"
#include "base/random.h"
#include "learn/learn.h"
#include "table/raw_table.h"
#include <math.h>

#define STREAM    1000u /* of random numbers: those of samples begin here */
#define N_SAMPLES 2u    /* that have to agree */

/* Are samples of that size small beside all, and is there enough of each class? */
static bool is_small(const irl_learner *learner, uint64_t size) {
  const irl_data *data = learner->data;
  const uint64_t growth = learner->search.settings.tuning.sample_growth;
  const uint32_t fewest = data->n_cases < data->n_controls ? data->n_cases : data->n_controls;
  return size * 2 * N_SAMPLES * growth <= data->n_samples && size <= 2 * fewest;
}

bool irl_learn_samples_is_due(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const irl_data *data = learner->data;
  return irl_learn_loop_is_due(learner) && !data->shard && !settings->is_paper &&
         !irl_learn_form(settings) && !settings->n_budgets && !settings->aim &&
         !irl_problem_has_floors(&learner->problem) && !irl_search_is_done(&learner->search) &&
         is_small(learner, learner->search.settings.tuning.sample);
}

/* ---- drawing ---- */

/* About `size` members of each class, or its share of those that there are. */
typedef struct drawing {
  uint32_t level, part, n_parts; /* of equal level: those of other parts have no members of this */
  uint32_t size;
  const uint64_t *live[2]; /* NULL: all */
} drawing;

/* Members of a class, ascending; `numbers` has room for n_parts times the size. */
static uint32_t draw_members(const drawing *d, uint64_t seed, int class, size_t n,
                             uint32_t *numbers) {
  const uint64_t *live = d->live[class];
  irl_random random;
  irl_random_init(&random, seed, STREAM + 2 * d->level + (uint32_t) class);
  uint64_t left = live ? irl_bits_kernels()->count(live, irl_bits_stride(n)) : n;
  uint64_t wanted = (uint64_t)d->size * d->n_parts; /* in all parts */
  uint32_t n_drawn = 0;
  assert(d->part < d->n_parts && left <= n);
  for (size_t i = 0; i < n && wanted; i++) {
    if (live && !irl_bits_get(live, i)) continue;
    if (irl_random_below(&random, left--) >= wanted) continue;
    wanted--;
    assert(n_drawn < d->size * d->n_parts); /* the room for numbers */
    if (irl_random_below(&random, d->n_parts) == d->part) numbers[n_drawn++] = (uint32_t)i;
  }
  return n_drawn;
}

static irl_status draw_data(irl_learner *learner, const drawing *d, irl_data **data) {
  irl_env *env = learner->search.env;
  const size_t room = (size_t)d->size * d->n_parts;
  uint32_t *numbers = irl_mem_alloc(&env->allocator, 2 * room, sizeof *numbers);
  if (!numbers) return irl_fail_memory(env);
  irl_members members = {.numbers = {numbers, numbers + room}};
  for (int class = 0; class < 2; class ++)
    members.n[class] = draw_members(d, learner->search.settings.seed, class,
                                    class ? learner->data->n_controls : learner->data->n_cases,
                                    numbers + (size_t) class * room);
  const irl_status status =
      irl_data_gather(env, learner->data, &members, learner->search.settings.threads, data);
  learner->search.work += (uint64_t)learner->data->n_features * (members.n[0] + members.n[1]);
  irl_mem_free(&env->allocator, numbers);
  return status;
}

/* ---- a search on a sample ---- */

/* A learner whose loss is an estimate of that on the samples drawn from, of which there are n. */
static irl_status begin(const irl_learner *learner, const irl_data *data, const uint64_t n[2],
                        irl_learner *inner) {
  const irl_problem problem = irl_problem_on_sample(&learner->problem, data, n);
  irl_learn_settings settings = learner->settings;
  settings.search = learner->search.settings;
  settings.search.is_sample = true;
  settings.search.tuning.sample = UINT32_MAX; /* no samples of a sample */
  if (settings.search.effort == IRL_SEARCH_FULL) settings.search.effort = IRL_SEARCH_QUICK;
  settings.search.prove = IRL_SEARCH_UNASKED;
  const irl_limit limit = irl_search_sublimit(&learner->search, UINT64_MAX);
  return irl_learner_init(inner, learner->search.env, &problem, &settings, &limit);
}

/* The rule of a sample, and the best clauses of its pool, for the pool of all samples. */
static irl_status take_clauses(irl_learner *learner, const irl_learner *inner,
                               irl_search_rule *rule) {
  const irl_clause_set *pool = &inner->search.pool;
  const size_t words = learner->data->cases.stride + learner->data->controls.stride;
  const size_t most = irl_search_n_added(&learner->search);
  assert(most && most <= IRL_TUNING_MOST_ADDED && inner->search.best.n <= inner->problem.K);
  uint32_t kept[IRL_TUNING_MOST_ADDED]; /* the best by value, in order */
  int64_t values[IRL_TUNING_MOST_ADDED];
  size_t n = 0;
  irl_status status = IRL_STATUS_OK;
  *rule = (irl_search_rule){.n = inner->search.best.n};
  for (uint32_t i = 0; i < rule->n && !status; i++)
    status = irl_clause_set_take(learner->search.env, &learner->search.pool, pool,
                                 inner->search.best.clauses[i], &rule->clauses[i]);
  for (uint32_t k = 0; k < pool->n; k++) {
    const int64_t cases = (int64_t)irl_data_weigh(pool->data, 0, irl_bits_vector(&pool->cases, k));
    const int64_t controls =
        (int64_t)irl_data_weigh(pool->data, 1, irl_bits_vector(&pool->controls, k));
    const int64_t value =
        inner->problem.case_weight * cases - inner->problem.control_weight * controls;
    size_t at = n < most ? n++ : most;
    for (; at && values[at - 1] < value; at--)
      if (at < most) values[at] = values[at - 1], kept[at] = kept[at - 1];
    if (at < most) values[at] = value, kept[at] = k;
  }
  for (size_t i = 0; i < n && !status; i++)
    status = irl_clause_set_take(learner->search.env, &learner->search.pool, pool, kept[i], NULL);
  learner->search.work += (rule->n + n) * inner->problem.M * words;
  return status;
}

typedef irl_status search(irl_learner *inner);

/* The loop, and simpler rules of the same loss. */
static irl_status search_rule(irl_learner *inner) {
  irl_status status = irl_learn_loop(inner);
  if (!status) status = irl_learn_exchange_quickly(inner);
  if (!status) status = irl_learn_prune_rule(inner);
  if (!status && irl_learn_shorten_is_due(inner)) status = irl_learn_shorten_rule(inner);
  return status ? status : irl_learn_prune_rule(inner);
}

/* Single clauses. */
static irl_status search_clause(irl_learner *inner) {
  const uint64_t work =
      irl_search_pass_work(&inner->search, inner->search.settings.tuning.generate);
  const irl_problem *p = &inner->problem;
  const irl_subproblem problem = {
      .goal = irl_problem_weighted(p, p->case_weight, p->control_weight), .max_work = work};
  irl_generated result;
  return irl_search_generate(&inner->search, &problem, &result);
}

/* Searches a sample; its rule, and clauses of its pool, go to the pool of all samples. */
static irl_status search_sample(irl_learner *learner, const drawing *d, search *act,
                                irl_search_rule *rule) {
  irl_data *data = NULL;
  irl_learner inner = {0};
  uint64_t n[2]; /* drawn from */
  for (int class = 0; class < 2; class ++) {
    const irl_bits_matrix *all = class ? &learner->data->controls : &learner->data->cases;
    n[class] =
        d->live[class] ? irl_bits_kernels()->count(d->live[class], all->stride) : all->n_bits;
  }
  *rule = (irl_search_rule){.n = 0};
  if (!n[0] || !n[1]) return IRL_STATUS_OK;
  irl_status status = draw_data(learner, d, &data);
  if (!status && data->n_cases && data->n_controls) {
    status = begin(learner, data, n, &inner);
    if (!status) status = act(&inner);
    learner->search.work += inner.search.work;
    learner->search.nodes += inner.search.nodes;
    if (!status) status = take_clauses(learner, &inner, rule);
    irl_learner_free(&inner);
  }
  irl_data_free(data);
  return status;
}

/* ---- what it is worth on all samples ---- */

/* The rule that a sample leads to on all samples; its loss. */
static irl_status follow_sample(irl_learner *learner, const drawing *d, int64_t *loss) {
  irl_learner_outer outer;
  irl_search_rule rule;
  irl_learner_enter(learner, learner->problem.M, &outer);
  irl_status status = search_sample(learner, d, search_rule, &rule);
  if (!status) status = irl_search_offer(&learner->search, &rule, NULL);
  if (!status && irl_learn_exchange_literal_is_due(learner) &&
      !irl_search_is_done(&learner->search))
    status = irl_learn_exchange_literal(learner);
  *loss = learner->search.best.loss;
  assert(learner->search.best.n <= learner->problem.K);
  const int64_t before = outer.best.loss;
  status = irl_learner_leave(learner, &outer, status);
  if (!status && learner->search.best.loss < before)
    irl_search_log(&learner->search, "sample", UINT64_MAX);
  return status;
}

/* Two samples of a size: is what they lead to settled? */
static irl_status try_size(irl_learner *learner, uint32_t level, uint32_t size) {
  drawing d = {.level = level, .n_parts = N_SAMPLES, .size = size};
  int64_t losses[N_SAMPLES], least;
  irl_status status = IRL_STATUS_OK;
  for (d.part = 0; d.part < N_SAMPLES && !status; d.part++) {
    if (irl_search_is_done(&learner->search)) return IRL_STATUS_OK;
    status = follow_sample(learner, &d, &losses[d.part]);
  }
  if (status || irl_search_is_done(&learner->search)) return status;
  status = irl_search_select_best(&learner->search, "master", UINT64_MAX);
  least = learner->search.best.loss;
  bool is_settled = least < IRL_NO_LOSS;
  for (uint32_t i = 0; i < N_SAMPLES; i++) is_settled &= losses[i] == least;
  if (!status && is_settled && learner->search.best.n < learner->problem.K) {
    irl_search_rule unused;
    irl_learner_uncovered(learner, &learner->search.best, IRL_MAX_K);
    const drawing rest = {.level = level + UINT16_MAX,
                          .n_parts = 1,
                          .size = N_SAMPLES * size,
                          .live = {learner->live_cases, learner->live_controls}};
    status = search_sample(learner, &rest, search_clause, &unused);
    if (!status) status = irl_search_select_best(&learner->search, "master", UINT64_MAX);
    is_settled = learner->search.best.loss == least;
  }
  learner->is_settled = !status && is_settled && !irl_search_limit_reached(&learner->search);
  irl_log(learner->search.env, IRL_LOG_NOTE, "two samples of up to %u of each class lead to %s",
          size, is_settled ? "the same rule: no search on all" : "different rules");
  return status;
}

irl_status irl_learn_samples(irl_learner *learner) {
  irl_status status = IRL_STATUS_OK;
  uint64_t size = learner->search.settings.tuning.sample;
  for (uint32_t level = 0; is_small(learner, size) || !level; level++) {
    if (status || learner->is_settled || irl_search_is_done(&learner->search)) break;
    status = try_size(learner, level, (uint32_t)size);
    size *= learner->search.settings.tuning.sample_growth;
  }
  return status;
}
