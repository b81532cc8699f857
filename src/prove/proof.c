/* Proving the best rule of all, with at most K clauses of at most M literals, in one of two ways.
 *
 * The nested search (rule_bnb.c) asks at each of its nodes for the clauses one of which a better
 * rule must add. It is fast where few clauses stand out, however many there are in all.
 *
 * The list (proof_enumerate.c) has all clauses that can be part of a better rule, and the best
 * choice of K of them is proven. It is fast where these clauses are few, however many of them a
 * rule has.
 *
 * Which of the two it will be is not known before, so both are tried with a little work and then
 * with more and more. In between, and if neither ends, prices of the cases give a bound
 * (dual_ascent.c).
 *
 * Bounds of attempts that failed go to the journal, and a resumed run takes them from there: what
 * rests on them says so. An attempt that ended the proof is made once more instead, so that nothing
 * is called proven which only a file says.
 *
 * A third way was tried and did not pay: proving bounds for 1, 2, ..., K clauses in turn, each of
 * which says how much a clause of the next rule must gain. */
#include "prove/proof_enumerate.h"
#include "prove/prove.h"
#include "prove/rule_bnb.h"
#include "state/learner.h"

#define QUICK_WORK  ((uint64_t)2e9)  /* without --prove: for the whole proof, at least */
#define QUICK_CAP   ((size_t)100000) /* and clauses in the list */
#define FIRST_WORK  ((uint64_t)1e9)  /* for one attempt, */
#define EARLY_WORK  ((uint64_t)2e7)  /* for a proof in between, at least, */
#define EARLY_PROOF ((uint64_t)3e9)  /* if it is asked for */
#define FIRST_SHARE 60u              /* the share of it that the list gets first */
#define TRIAL_SHARE 8u               /* the share of its work in which nesting must get on */
#define AGAIN_WORK  ((uint64_t)1e9)  /* for a shorter certificate */
#define WORK_GROWTH 6u               /* and so many times as much for the next */
#define SKIP_RATIO  8u /* than its turn gives: nesting is left out, no list is finished, */
#define MAX_SKIPPED 2u /* but not more often than this */
#define MAX_MEMORY  ((uint64_t)2 << 30) /* bytes of covers in the list */
#define LIST_CAP    ((size_t)200000)    /* clauses in a list, */
#define BNB_CAP     ((size_t)20000)     /* or listed at a node of the nested search, */
#define CAP_GROW    4u                  /* and so many times as many for the next attempt */

/* An attempt: the work at which it ends, and how long its lists may be. */
typedef struct attempt {
  irl_learner *learner;
  uint64_t end;
  size_t cap, max_cap, bnb_cap, max_bnb_cap;
  bool *is_full;   /* the way ended because its list would be too long */
  uint64_t *needs; /* work that the nested search is thought to need */
} attempt;

static irl_limit part_of(const attempt *a) {
  const irl_learner *learner = a->learner;
  return irl_learner_sublimit(learner, a->end > learner->work ? a->end - learner->work : 1);
}

static bool is_done(const attempt *a) {
  const irl_learner *learner = a->learner;
  return learner->bound >= learner->best.loss || learner->work >= a->end ||
         irl_limit_reached(&learner->limit, learner->work);
}

/* No rule has less loss; no bound is above the best rule's. */
static void raise_bound(irl_learner *learner, int64_t bound) {
  if (bound > learner->best.loss) bound = learner->best.loss;
  if (bound > learner->bound) learner->bound = bound;
}

/* A search that knew nothing of the bound has ended: no rule has less loss than the best. */
static void close_proof(irl_learner *learner) {
  raise_bound(learner, IRL_SELECT_NO_LOSS);
  learner->bound_is_read = false;
}

/* ---- the ways ---- */

static irl_status prove_by_enumeration(const attempt *a) {
  irl_learner *learner = a->learner;
  irl_proof_enumeration listing = {.cap = a->cap};
  const irl_limit part = part_of(a);
  const irl_status status = irl_proof_enumerate(learner, &part, &listing);
  if (status) return status;
  *a->is_full = listing.is_full;
  if (listing.bound >= learner->best.loss)
    close_proof(learner);
  else
    raise_bound(learner, listing.bound);
  return IRL_OK;
}

/* All of the work, if that much of it has done such a share. */
static uint64_t estimate(uint64_t work, double share) {
  const double all = (double)work / (share > 1e-9 ? share : 1e-9);
  return all < 1e18 ? (uint64_t)all : (uint64_t)1e18;
}

/* Rules of less loss than the target: none, or better ones than the best. */
static irl_status rule_bnb_below(const attempt *a, int64_t target, uint64_t *needs) {
  irl_learner *learner = a->learner;
  const irl_limit part = part_of(a);
  irl_rule_bnb_task task = {
      .cap = a->bnb_cap, .target = target, .trial = part.max_work / TRIAL_SHARE};
  const uint64_t before = learner->work;
  const irl_status status = irl_rule_bnb_solve(learner, &part, &task);
  if (status) return status;
  *a->is_full = task.is_full;
  *needs = estimate(learner->work - before, task.share);
  const bool is_all = task.is_proven && task.target >= irl_learner_target(learner);
  if (is_all)
    close_proof(learner);
  else
    raise_bound(learner, task.bound);
  return IRL_OK;
}

static irl_status prove_by_rule_bnb(const attempt *a) {
  return rule_bnb_below(a, irl_learner_target(a->learner), a->needs);
}

/* Half of the way from the bound to the best rule: less to search, and a better bound at a limit.
 */
static irl_status bound_by_rule_bnb(const attempt *a) {
  const irl_learner *learner = a->learner;
  const int64_t target = irl_learner_target(learner);
  uint64_t needs;
  return rule_bnb_below(a, target - (target - learner->bound) / 2, &needs);
}

static irl_status bound_by_dual_ascent(const attempt *a) {
  const irl_limit part = part_of(a);
  return irl_prove_dual_ascent(a->learner, part.max_work);
}

/* ---- the journal ---- */

enum { IS_FULL = 1, IS_END = 2 };

/* An attempt in the journal: work, nodes, bound, was a list too long and did it end the proof, what
 * the nested search needs, the clauses of the best rule. */
static void record(const attempt *a, uint64_t work, uint64_t nodes) {
  irl_learner *learner = a->learner;
  const irl_clause_set *pool = &learner->pool;
  if (irl_limit_poll(&learner->limit)) return;
  irl_checkpoint_begin(&learner->checkpoint, IRL_LEARN_PROOF);
  irl_checkpoint_put(&learner->checkpoint, learner->work - work);
  irl_checkpoint_put(&learner->checkpoint, learner->nodes - nodes);
  irl_checkpoint_put(&learner->checkpoint, (uint64_t)learner->bound);
  irl_checkpoint_put(&learner->checkpoint, (*a->is_full ? IS_FULL : 0) |
                                               (learner->bound >= learner->best.loss ? IS_END : 0));
  irl_checkpoint_put(&learner->checkpoint, *a->needs);
  for (uint32_t i = 0; i < learner->best.n; i++) {
    const uint32_t k = learner->best.clauses[i];
    irl_learner_put_clause(learner, irl_clause_set_literals(pool, k), pool->sizes[k]);
  }
  irl_checkpoint_end(&learner->checkpoint);
}

/* Offers the rule of an entry, which is weighed on the data. */
static irl_status replay_rule(irl_learner *learner, const uint64_t *at, const uint64_t *end) {
  irl_learn_rule rule = {.n = 0};
  irl_status status = IRL_OK;
  bool is_other;
  while (!status && at < end) {
    uint32_t literals[IRL_CLAUSE_MAX];
    const uint32_t size = irl_learner_get_clause(learner, &at, end, literals);
    if (!size || rule.n == learner->settings.K)
      return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
    status = irl_clause_set_add(learner->env, &learner->pool, literals, size,
                                &rule.clauses[rule.n++], &is_other);
  }
  return status ? status : irl_learner_offer(learner, &rule, &is_other);
}

static irl_status replay(const attempt *a, const uint64_t *words, size_t n) {
  irl_learner *learner = a->learner;
  const int64_t bound = (int64_t)words[2];
  const irl_status status = replay_rule(learner, words + 5, words + n);
  if (status) return status;
  learner->work += words[0];
  learner->nodes += words[1];
  *a->is_full = words[3] & IS_FULL;
  *a->needs = words[4];
  if (bound > learner->bound) learner->bound_is_read = true;
  raise_bound(learner, bound);
  return IRL_OK;
}

/* A way, or what the journal has of it. */
static irl_status run_or_replay(const attempt *a, irl_status (*way)(const attempt *)) {
  irl_learner *learner = a->learner;
  const uint64_t work = learner->work, nodes = learner->nodes;
  size_t n;
  const uint64_t *words = irl_checkpoint_next(&learner->checkpoint, IRL_LEARN_PROOF, &n);
  if (words && n < 5) return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
  if (words && !(words[3] & IS_END)) return replay(a, words, n);
  const irl_status status = way(a);
  if (status) return status;
  if (words) return replay_rule(learner, words + 5, words + n); /* a limit may have come first */
  record(a, work, nodes);
  return IRL_OK;
}

/* One way with at most that much work. */
static irl_status try_way(const attempt *whole, irl_status (*way)(const attempt *),
                          const char *name, uint64_t work, bool *is_full) {
  irl_learner *learner = whole->learner;
  attempt part = *whole;
  part.is_full = is_full;
  *is_full = false;
  if (is_done(whole)) return IRL_OK;
  if (part.end - learner->work > work) part.end = learner->work + work;
  const irl_status status = run_or_replay(&part, way);
  if (!status && learner->bound >= learner->best.loss)
    learner->is_enumerated = way == prove_by_enumeration;
  if (!status) irl_learner_log(learner, name, UINT64_MAX);
  return status;
}

static size_t list_cap(const irl_learner *learner) {
  const irl_data *data = learner->data;
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const size_t cap = irl_learner_affords(learner, MAX_MEMORY) / 2 / bytes;
  return !learner->settings.prove && cap > QUICK_CAP ? QUICK_CAP : cap;
}

/* How long the lists of the nested search may become, one for each clause of a rule. */
static size_t max_bnb_cap(const irl_learner *learner) {
  const size_t bytes = sizeof(int64_t) + (3 + (size_t)learner->settings.M) * sizeof(uint32_t);
  return irl_learner_affords(learner, MAX_MEMORY) / 2 / bytes / learner->settings.K;
}

static size_t grow(size_t cap, size_t most) {
  return cap > most / CAP_GROW ? most : cap * CAP_GROW;
}

/* At most so much work lists all clauses; for more than three literals that says nothing, since
 * few are ever reached. */
static uint64_t listing_work(const irl_learner *learner) {
  const irl_data *data = learner->merged.data;
  const irl_learn_settings *settings = &learner->settings;
  const double literals = (double)data->n_features * (settings->negations ? 2 : 1);
  double work = (double)(data->cases.stride + data->controls.stride);
  if (settings->M > 3) return UINT64_MAX;
  for (uint32_t i = 0; i < settings->M; i++) work *= literals / (i + 1);
  return work < 1e18 ? (uint64_t)work : UINT64_MAX;
}

/* Both ways with more and more work, until one of them ends or neither can: their lists have the
 * greatest length already, and the best rule, which says how long they are, is the same. Where
 * attempts fail, bounds are sought in between: one by prices, later also nesting below half of the
 * gap. A list is one enumeration of clauses and more often what ends a proof: it gets
 * twice as much, or what it needs for sure to list all, if that is not much more. If nesting is
 * thought to need far more than its turn gives it is left out, for a while: that is a guess from
 * the part of it that was done. */
static irl_status try_ways(attempt *a, uint64_t work, bool is_once) {
  irl_learner *learner = a->learner;
  bool bnb_is_full = false, list_is_full = false, is_full;
  int64_t full_at = INT64_MAX; /* the loss for which the list was too long */
  unsigned n_skipped = 0;
  irl_status status = IRL_OK;
  for (unsigned round = 0; !status && !is_done(a); round++) {
    const int64_t before = learner->best.loss;
    /* A little of both ways was tried before, so a bound comes first. */
    const uint64_t listing = listing_work(learner);
    const bool lists_all = listing > work && listing / SKIP_RATIO <= work;
    if (!is_once && !round && !lists_all)
      status = try_way(a, bound_by_dual_ascent, "bound", work, &is_full);
    const bool is_last = a->bnb_cap >= a->max_bnb_cap && a->cap >= a->max_cap;
    if (!status &&
        (*a->needs / SKIP_RATIO <= work || n_skipped == MAX_SKIPPED || before >= full_at))
      status = try_way(a, prove_by_rule_bnb, "nest", work, &bnb_is_full);
    else
      n_skipped++;
    const int64_t loss = learner->best.loss;
    if (!status && loss < full_at) {
      status = try_way(a, prove_by_enumeration, "list", 2 * work + (lists_all ? listing : 0),
                       &list_is_full);
      if (list_is_full && a->cap >= a->max_cap) full_at = loss;
    }
    if (!status && (is_once || round))
      status = try_way(a, bound_by_dual_ascent, "bound", 2 * work, &is_full);
    if (!status && !is_once && round)
      status = try_way(a, bound_by_rule_bnb, "half", work, &is_full);
    if (is_once || (is_last && bnb_is_full && list_is_full && learner->best.loss == before)) break;
    work = work > UINT64_MAX / 2 / WORK_GROWTH ? UINT64_MAX / 2 : work * WORK_GROWTH;
    a->bnb_cap = grow(a->bnb_cap, a->max_bnb_cap);
    a->cap = grow(a->cap, a->max_cap);
  }
  return status;
}

/* A proof that goes on for that much more work. */
static attempt start_attempt(irl_learner *learner, uint64_t work, uint64_t *needs) {
  *needs = 0;
  return (attempt){.learner = learner,
                   .needs = needs,
                   .end = work < UINT64_MAX - learner->work ? learner->work + work : UINT64_MAX,
                   .cap = LIST_CAP < list_cap(learner) ? LIST_CAP : list_cap(learner),
                   .max_cap = list_cap(learner),
                   .bnb_cap = BNB_CAP,
                   .max_bnb_cap = max_bnb_cap(learner)};
}

irl_status irl_prove_again(irl_learner *learner, bool *is_enumerated) {
  uint64_t needs;
  attempt a = start_attempt(learner, learner->is_enumerated ? UINT64_MAX : AGAIN_WORK, &needs);
  bool is_full;
  const int64_t bound = learner->bound;
  learner->bound = 0;
  a.is_full = &is_full;
  a.cap = learner->is_enumerated ? a.max_cap : QUICK_CAP;
  const irl_status status = prove_by_enumeration(&a);
  *is_enumerated = learner->bound >= learner->best.loss;
  learner->bound = bound;
  return status;
}

irl_status irl_prove_early(irl_learner *learner) {
  const uint64_t least = learner->settings.prove ? EARLY_PROOF : EARLY_WORK;
  const uint64_t work = learner->work > least ? learner->work : least;
  uint64_t needs;
  attempt a = start_attempt(learner, work, &needs);
  bool is_full;
  const irl_status status = try_way(&a, prove_by_enumeration, "list", work / FIRST_SHARE, &is_full);
  return status ? status : try_ways(&a, work / 3, true);
}

irl_status irl_prove_rule(irl_learner *learner) {
  const uint64_t share = learner->work / 4 > QUICK_WORK ? learner->work / 4 : QUICK_WORK;
  uint64_t needs;
  if (learner->settings.prove) {
    attempt a = start_attempt(learner, UINT64_MAX, &needs);
    return try_ways(&a, learner->work / 2 > FIRST_WORK ? learner->work / 2 : FIRST_WORK, false);
  }
  attempt a = start_attempt(learner, share, &needs);
  return try_ways(&a, share / 5, true);
}

irl_status irl_prove_read(irl_learner *learner) {
  const uint64_t work = learner->work, nodes = learner->nodes;
  const int64_t bound = learner->bound;
  const irl_checkpoint checkpoint = learner->checkpoint;
  learner->bound = learner->merged.offset;
  learner->checkpoint = (irl_checkpoint){0};
  const irl_status status = irl_prove_rule(learner);
  learner->checkpoint = checkpoint;
  learner->work = work; /* as in the run that made the checkpoint */
  learner->nodes = nodes;
  raise_bound(learner, bound);
  return status;
}
