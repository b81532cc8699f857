/* Covering the cases by clauses that chance did not make. Where a rule has many clauses and the
 * data few samples for their features, the best clause of a narrow search is chance, and a rule
 * that takes it hides the cases by which the others would show. Here a clause is accepted only if
 * no clause of its length would be as good by chance, and the search for the next one is on the
 * cases that the accepted ones leave: with each of them the others stand out more, so that what a
 * wide pass found first is followed by narrow ones that find the rest.
 *
 * A search (irl_learn_likelihood_problem) brings many clauses, and all that are beyond chance are
 * accepted, the most significant first, each judged by what those before it leave. Where a search
 * brings none, the next one is wider; where the widest brings none, this ends. */
#include "learn/learn.h"
#include <math.h>

#define NONE       UINT32_MAX
#define MOST_NOISE 0.2  /* controls that an accepted clause may cover, as a share of its cases */
#define LEVELS     1.5  /* what later levels of a pass take, in units of the first */
#define MARGIN     3.0  /* logarithm: so many times less likely than once it would be chance */
#define LARGER     1.25 /* than the mean are some clauses, by chance */

typedef struct covering {
  irl_learner *learner;
  irl_search_rule accepted;
  uint64_t n_cases, n_controls; /* that the accepted clauses leave */
} covering;

static double rate_of(const covering *c) {
  assert(c->n_cases + c->n_controls);
  return (double)c->n_cases / (double)(c->n_cases + c->n_controls);
}

/* The clause of the pool that is least likely to be chance on what is live; NONE: all may be. */
static uint32_t most_significant(const covering *c) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_learner *learner = c->learner;
  const irl_clause_set *pool = &learner->search.pool;
  double best = -MARGIN;
  uint32_t pick = NONE;
  for (uint32_t k = 0; k < pool->n; k++) {
    const irl_learn_cover cover = {
        kernels->and_count(learner->live_cases, irl_bits_vector(&pool->cases, k),
                           pool->cases.stride),
        kernels->and_count(learner->live_controls, irl_bits_vector(&pool->controls, k),
                           pool->controls.stride),
        pool->sizes[k]};
    if ((double)cover.controls > MOST_NOISE * (double)cover.cases) continue;
    const double chance = irl_learn_log_chance(learner, &cover, rate_of(c));
    if (chance >= best) continue;
    best = chance;
    pick = k;
  }
  return pick;
}

/* Accepts what is beyond chance. */
static void accept(covering *c) {
  irl_learner *learner = c->learner;
  for (uint32_t k = 0; k != NONE;) {
    irl_learner_uncovered(learner, &c->accepted, IRL_MAX_K);
    c->n_cases = irl_bits_kernels()->count(learner->live_cases, learner->data->cases.stride);
    c->n_controls =
        irl_bits_kernels()->count(learner->live_controls, learner->data->controls.stride);
    if (!c->n_cases || c->accepted.n == learner->problem.K) return;
    k = most_significant(c);
    assert(k == NONE || k < learner->search.pool.n);
    if (k != NONE) c->accepted.clauses[c->accepted.n++] = k;
  }
}

/* A search on what is left: narrow, or a pass over all pairs that takes about so much work. */
static irl_subproblem make_search(const covering *c, uint64_t work) {
  const irl_learn_left left = {c->n_cases, c->n_controls, c->learner->problem.K - c->accepted.n};
  irl_subproblem problem = irl_learn_likelihood_problem(c->learner, &left);
  const double literals =
      (double)c->learner->data->n_features * (c->learner->problem.negations ? 2 : 1);
  const double words = (double)(irl_bits_stride(c->n_cases) + irl_bits_stride(c->n_controls));
  const double pairs = literals * literals / 2 * words;
  if (!work) return problem;
  problem.width =
      (uint32_t)fmax(0, fmin(((double)work - pairs) / (literals * words * LEVELS), UINT32_MAX));
  problem.max_work = UINT64_MAX;
  return problem;
}

/* Would a clause stand out that covers somewhat more than the K of a rule without noise would have
 * to cover of what is left? */
static bool is_promising(const covering *c) {
  assert(c->accepted.n < c->learner->problem.K);
  const double share = 1 - pow(1 - rate_of(c), 1.0 / (c->learner->problem.K - c->accepted.n));
  const double cases = LARGER * share * (double)(c->n_cases + c->n_controls);
  const irl_learn_cover cover = {(uint64_t)cases, 0, c->learner->problem.M};
  return irl_learn_log_chance(c->learner, &cover, rate_of(c)) < 0;
}

/* Some clauses are missing, or may be chance. */
static bool is_due(const irl_learner *learner) {
  return !irl_search_is_done(&learner->search) && learner->problem.M > 1 &&
         (learner->search.best.n < learner->problem.K || irl_learn_is_doubtful(learner));
}

irl_status irl_learn_cover_cases(irl_learner *learner) {
  const irl_tuning *tuning = &learner->search.settings.tuning;
  const uint64_t works[] = {0, tuning->generate, 4 * tuning->generate, 16 * tuning->generate};
  covering c = {.learner = learner};
  irl_generated result;
  irl_status status = IRL_STATUS_OK;
  bool is_wide = false; /* the last search was as wide as it helps */
  if (!is_due(learner)) return IRL_STATUS_OK;
  const bool outer = learner->search.allowance.is_doubtful;
  irl_search_set_doubtful(&learner->search, true); /* so it may go far, while it is promising */
  for (uint32_t i = 0; i < sizeof works / sizeof *works && !status; i++) {
    const uint32_t before = c.accepted.n;
    accept(&c);
    if (c.accepted.n > before) i = 0;
    status = irl_search_offer_logged(&learner->search, &c.accepted, "cover", UINT64_MAX);
    if (status || irl_search_is_done(&learner->search) || !c.n_cases || !c.n_controls ||
        c.accepted.n == learner->problem.K || (i && (is_wide || !is_promising(&c))))
      break;
    const irl_subproblem problem = make_search(&c, works[i]);
    is_wide = problem.width >= 5 * tuning->wide_width;
    if (!works[i] || problem.width >= tuning->beam_width)
      status = irl_search_generate(&learner->search, &problem, &result);
  }
  irl_search_set_doubtful(&learner->search, outer);
  if (status || irl_search_is_done(&learner->search)) return status;
  return irl_search_select_best(&learner->search, "cover", UINT64_MAX);
}
