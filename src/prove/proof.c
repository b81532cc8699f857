/* The proof: a portfolio of exact methods with growing effort.
 *
 * Problem: minimise the loss over all rules of at most K clauses of at most M literals. An
 * incumbent of loss U is known from the heuristics; to prove it is to show that no rule has loss U
 * - 1 or less (losses are integers). Three complete methods do that, and each may find a better
 * incumbent and go on with it:
 *
 *   rule branch and bound (rule_bnb.c)   A node fixes some clauses and enumerates those of which a
 *                                        better rule must add one. Fast where few clauses stand
 *                                        out, however many there are in all.
 *   enumeration (proof_enumerate.c)      All clauses that can be part of a better rule, cut down by
 *                                        0/1 multipliers; then the best choice of K of them. Fast
 *                                        where these clauses are few, however large K is. Small
 *                                        problems: below rising cutoffs (proof_cutoffs.c).
 *   few cases (kept_cases.c)             Branch and bound over one list of clauses, on some of the
 *                                        cases alone. Fast where a few heavy cases decide.
 *
 * Which of them ends is not known before. All get a little work, then more and more
 * (IRL_PROVE_WORK_GROWTH), with longer arrays of clauses (IRL_PROVE_CAP_GROWTH). Between attempts
 * the bound is raised by dual ascent (dual_ascent.c), so that a limit leaves a good bound.
 *
 * Attempts are recorded in the checkpoint, and a resumed run takes their bounds from there: what
 * rests on them says so (irl_proof.is_read). An attempt that closed the proof is run once more
 * instead, so that nothing is called proven which only a file says.
 *
 * Proving bounds for 1, 2, ..., K clauses in turn, each of which says how much a clause of the next
 * rule must gain, was tried and did not pay. */
#include "prove/kept_cases.h"
#include "prove/proof_enumerate.h"
#include "prove/prove.h"
#include "prove/prove_effort.h"
#include "prove/rule_bnb.h"

#define MAX_WORK (UINT64_MAX / 16) /* of an attempt: small multiples of it are numbers, too */

/* A proof under way, and the limits of its present attempt. */
typedef struct portfolio {
  irl_search *search;
  uint64_t end;                /* work of the search at which the proof ends, */
  uint64_t last;               /* and at which what is about to end it does */
  size_t cap, max_cap;         /* clauses of an enumeration, now and at most */
  size_t bnb_cap, max_bnb_cap; /* and at a node of the rule branch and bound */
  bool has_no_checkpoint;      /* attempts are neither replayed nor recorded */
  uint64_t bnb_work;           /* that the rule branch and bound is expected to take in all */
  uint64_t attempt_end;        /* work of the search at which the attempt ends */
  int64_t full_at;             /* the loss at which an enumeration of the greatest cap was full */
  uint64_t work;               /* of an attempt in this round */
  bool is_once;                /* one round, with little work */
  bool is_full;                /* the attempt ended because it met too many clauses */
  irl_proof_cutoffs cutoffs;   /* what the last attempt with cutoffs came to */
} portfolio;

typedef irl_status prove_way(portfolio *p);

static bool is_proven(const irl_search *search) {
  return irl_proof_is_closed(&search->proof, search->best.loss);
}

static irl_limit attempt_limit(const portfolio *p) {
  const uint64_t work = p->search->work;
  return irl_search_sublimit(p->search, p->attempt_end > work ? p->attempt_end - work : 1);
}

static bool is_done(const portfolio *p) {
  const irl_search *search = p->search;
  return is_proven(search) || search->work >= p->end || irl_search_limit_reached(search);
}

/* ---- the ways ---- */

static irl_status prove_by_enumeration(portfolio *p) {
  irl_proof_enumeration task = {.cap = p->cap};
  const irl_limit part = attempt_limit(p);
  const irl_status status = irl_proof_enumerate(p->search, &part, &task);
  if (status) return status;
  p->is_full = task.is_full;
  irl_proof_take_enumeration(p->search, &task);
  return IRL_STATUS_OK;
}

static irl_status prove_by_cutoffs(portfolio *p) {
  const uint64_t work = p->search->work;
  assert(p->last >= p->attempt_end);
  const uint64_t turn = p->attempt_end > work ? p->attempt_end - work : 1;
  const uint64_t left = p->last > work ? p->last - work : 1, many = left / IRL_PROVE_CUTOFF_OVERRUN;
  const irl_limit part =
      irl_search_sublimit(p->search, turn < many ? turn * IRL_PROVE_CUTOFF_OVERRUN : left);
  p->cutoffs.turn = turn;
  p->cutoffs.cap = p->max_cap;
  const irl_status status = irl_proof_raise_cutoffs(p->search, &part, &p->cutoffs);
  p->is_full = p->cutoffs.is_full;
  return status;
}

/* Branch and bound for rules of less loss than the target. Its nodes are evidence if it ends with
 * the target that it began with. */
static irl_status solve_rule_bnb(portfolio *p, int64_t target, irl_text *nodes, double *share) {
  irl_search *search = p->search;
  const irl_allocator *allocator = &search->env->allocator;
  const irl_limit part = attempt_limit(p);
  irl_rule_bnb_task task = {.cap = p->bnb_cap,
                            .target = target,
                            .trial_work = part.max_work / IRL_PROVE_TRIAL_SHARE,
                            .nodes = nodes};
  const irl_status status = irl_rule_bnb_solve(search, &part, &task);
  if (status) return status;
  p->is_full = task.is_full;
  *share = task.share;
  assert(!nodes || nodes->failed || !task.is_proven || task.n_nodes);
  assert(task.bound <= task.target && task.target <= target);
  if (!task.is_proven || task.target < irl_search_target(search)) {
    irl_proof_raise(&search->proof, task.bound, search->best.loss);
    return IRL_STATUS_OK;
  }
  irl_proof_evidence evidence = {.way = IRL_PROOF_BY_RULE_BNB, .target = target};
  if (nodes && !nodes->failed && target == task.target) {
    evidence.nodes = nodes->bytes;
    evidence.n_nodes = task.n_nodes;
    nodes->bytes = NULL;
  }
  irl_proof_close(&search->proof, search->best.loss, &evidence, allocator);
  return IRL_STATUS_OK;
}

static irl_status prove_by_rule_bnb(portfolio *p) {
  irl_search *search = p->search;
  const uint64_t before = search->work;
  double share = 1;
  irl_text nodes;
  irl_text_init(&nodes, search->env);
  const irl_status status = solve_rule_bnb(p, irl_search_target(search),
                                           search->settings.certify ? &nodes : NULL, &share);
  irl_text_drop(&nodes);
  const double all = (double)(search->work - before) / (share > 1e-9 ? share : 1e-9);
  if (!status) p->bnb_work = all < 1e18 ? (uint64_t)all : (uint64_t)1e18;
  return status;
}

static irl_status prove_by_kept_cases(portfolio *p) {
  irl_search *search = p->search;
  const irl_limit part = attempt_limit(p);
  irl_kept_cases task = {
      .cap = p->max_cap, .is_whole = p->is_once, .tree_work = IRL_PROVE_TREE_RATIO * p->work};
  const irl_status status = irl_prove_kept_cases(search, &part, &task);
  search->proof.method = IRL_PROOF_CASE_SUBSET;
  if (!status && task.is_closed)
    irl_proof_close(&search->proof, search->best.loss, &task.evidence, &search->env->allocator);
  irl_proof_evidence_free(&task.evidence, &search->env->allocator);
  return status;
}

static irl_status bound_by_dual_ascent(portfolio *p) {
  const irl_limit part = attempt_limit(p);
  return irl_prove_dual_ascent(p->search, part.max_work);
}

/* ---- checkpoints ---- */

/* An attempt in the checkpoint: words, then the clauses of the incumbent. */
enum { WORK, NODES, BOUND, FLAGS, BNB_WORK, STEPS, N_WORDS = STEPS + 6 };
enum { IS_FULL = 1, IS_END = 2, IS_RANGED = 4, IS_WHOLE = 8 };

/* Offers the rule of an entry; its loss is computed from the data. */
static irl_status replay_rule(irl_search *search, const uint64_t *at, const uint64_t *end) {
  irl_search_rule rule = {.n = 0};
  irl_status status = IRL_STATUS_OK;
  while (!status && at < end) {
    uint32_t literals[IRL_CLAUSE_MAX];
    const uint32_t size = irl_search_get_clause(search, &at, end, literals);
    if (!size || rule.n == search->problem->K)
      return irl_fail(search->env, IRL_STATUS_BAD_INPUT, "the checkpoint is damaged");
    status = irl_clause_set_add(search->env, &search->pool, literals, size, &rule.clauses[rule.n++],
                                NULL);
  }
  return status ? status : irl_search_offer(search, &rule, NULL);
}

/* What the steps of rising cutoffs took, so that a resumed run goes on with it. */
static void get_steps(irl_cutoff_steps *steps, const uint64_t *words) {
  *steps = (irl_cutoff_steps){(int64_t)words[0], (int64_t)words[1], words[2],
                              words[3],          (int64_t)words[4], words[5]};
}

static void put_steps(const irl_cutoff_steps *steps, uint64_t *words) {
  words[0] = (uint64_t)steps->last;
  words[1] = (uint64_t)steps->before;
  words[2] = steps->last_work;
  words[3] = steps->before_work;
  words[4] = (uint64_t)steps->failed;
  words[5] = steps->failed_work;
}

/* A replayed attempt brings its rule, work and bound; one that is run is recorded. */
static irl_status run_or_replay(portfolio *p, prove_way *way) {
  irl_search *search = p->search;
  irl_proof *proof = &search->proof;
  irl_checkpoint *checkpoint = &search->checkpoint;
  const irl_clause_set *pool = &search->pool;
  const uint64_t work = search->work, nodes = search->nodes;
  size_t n;
  if (p->has_no_checkpoint) return way(p);
  const uint64_t *words = irl_checkpoint_next(checkpoint, IRL_SEARCH_PROOF, &n);
  if (words && n < N_WORDS)
    return irl_fail(search->env, IRL_STATUS_BAD_INPUT, "the checkpoint is damaged");
  if (words && !(words[FLAGS] & IS_END)) {
    const int64_t bound = (int64_t)words[BOUND];
    const irl_status status = replay_rule(search, words + N_WORDS, words + n);
    if (status) return status;
    search->work += words[WORK];
    search->nodes += words[NODES];
    p->is_full = words[FLAGS] & IS_FULL;
    p->bnb_work = words[BNB_WORK];
    p->cutoffs.is_ranged = words[FLAGS] & IS_RANGED;
    p->cutoffs.is_whole = words[FLAGS] & IS_WHOLE;
    get_steps(&proof->steps, words + STEPS);
    if (bound > proof->bound) {
      proof->is_read = true;
      proof->method = IRL_PROOF_CHECKPOINT;
    }
    irl_proof_raise(proof, bound, search->best.loss);
    return IRL_STATUS_OK;
  }
  const irl_status status = way(p);
  if (status) return status;
  assert(search->work >= work && search->nodes >= nodes);
  /* A limit may come earlier than in the run that wrote the entry. */
  if (words) return replay_rule(search, words + N_WORDS, words + n);
  if (irl_search_limit_reached(search)) return IRL_STATUS_OK;
  uint64_t made[N_WORDS] = {
      [WORK] = search->work - work,
      [NODES] = search->nodes - nodes,
      [BOUND] = (uint64_t)proof->bound,
      [FLAGS] = (p->is_full ? IS_FULL : 0) | (is_proven(search) ? IS_END : 0) |
                (p->cutoffs.is_ranged ? IS_RANGED : 0) | (p->cutoffs.is_whole ? IS_WHOLE : 0),
      [BNB_WORK] = p->bnb_work};
  put_steps(&proof->steps, made + STEPS);
  irl_checkpoint_begin(checkpoint, IRL_SEARCH_PROOF);
  for (int i = 0; i < N_WORDS; i++) irl_checkpoint_put(checkpoint, made[i]);
  for (uint32_t i = 0; i < search->best.n; i++) {
    const uint32_t k = search->best.clauses[i];
    irl_search_put_clause(search, irl_clause_set_literals(pool, k), pool->sizes[k]);
  }
  irl_checkpoint_end(checkpoint);
  return IRL_STATUS_OK;
}

/* ---- attempts ---- */

/* One way with at most that much work. */
static irl_status attempt(portfolio *p, prove_way *way, irl_proof_method method, const char *tag,
                          uint64_t work, bool *is_full) {
  irl_search *search = p->search;
  *is_full = p->is_full = false;
  if (is_done(p)) return IRL_STATUS_OK;
  if (!irl_search_uses(search, method) && method != IRL_PROOF_CASE_SUBSET) {
    *is_full = true; /* growing caps will not help */
    return IRL_STATUS_OK;
  }
  search->proof.method = method;
  p->attempt_end = p->end - search->work > work ? search->work + work : p->end;
  assert(p->attempt_end <= p->end && p->cap <= p->max_cap);
  const irl_status status = run_or_replay(p, way);
  if (status) return status;
  *is_full = p->is_full;
  assert(irl_proof_check(&search->proof, search->best.loss));
  assert(irl_clause_set_check(&search->pool));
  irl_search_log(search, tag, UINT64_MAX);
  return IRL_STATUS_OK;
}

/* Enough work to enumerate all clauses. For more than three literals no such number says anything,
 * since few clauses are ever reached. */
static uint64_t enumeration_work(const irl_search *search) {
  const irl_data *data = search->problem->merged.data;
  const irl_problem *problem = search->problem;
  const double literals = (double)data->n_features * (problem->negations ? 2 : 1);
  double work = (double)(data->cases.stride + data->controls.stride);
  if (problem->M > 3) return UINT64_MAX;
  for (uint32_t i = 0; i < problem->M; i++) work *= literals / (i + 1);
  return work < 1e18 ? (uint64_t)work : UINT64_MAX;
}

/* Can some rules of K clauses of M literals not be had? */
static bool limits_literals(const irl_search *search) {
  const irl_problem *problem = search->problem;
  return problem->max_literals < (uint64_t)problem->K * problem->M;
}

/* Are literals so few that the rule branch and bound comes first? It is the way that counts them
 * (rule_sizes.c): the work that all rules of so many literals would take is not far beyond its own.
 */
static bool has_few_literals(const irl_search *search, uint64_t work) {
  const irl_data *data = search->problem->merged.data;
  const irl_problem *problem = search->problem;
  const double literals = (double)data->n_features * (problem->negations ? 2 : 1);
  double all = (double)(data->cases.stride + data->controls.stride) / 2;
  if (!limits_literals(search)) return false;
  for (uint64_t i = 0; i < problem->max_literals && all < 1e18; i++) all *= literals;
  return all / IRL_PROVE_FEW_LITERALS <= (double)work;
}

static size_t grow(size_t cap, size_t most) {
  return cap > most / IRL_PROVE_CAP_GROWTH ? most : cap * IRL_PROVE_CAP_GROWTH;
}

/* Attempts of all ways with more and more work, until one closes the proof or none can: both
 * complete ways met too many clauses at their greatest caps, and the incumbent, which decides how
 * many there are, stays the same. An enumeration is more often what ends a proof: it gets more
 * work, and comes first, with rising cutoffs, if what surely enumerates all clauses is not much
 * more than its turn. A branch and bound that is expected to take far more than its turn is left
 * out for a while. */
static irl_status run_portfolio(portfolio *p, uint64_t work, bool is_once) {
  irl_search *search = p->search;
  bool bnb_is_full = false, enumeration_is_full = false, is_full;
  unsigned n_skipped = 0;
  p->is_once = is_once;
  irl_status status = IRL_STATUS_OK;
  for (unsigned round = 0; !status && !is_done(p); round++) {
    const int64_t before = search->best.loss;
    const uint64_t all = enumeration_work(search);
    p->work = work;
    const bool is_last = p->bnb_cap >= p->max_bnb_cap && p->cap >= p->max_cap;
    /* Where all clauses are soon enumerated, cutoffs come first and are all that is needed. */
    const bool is_small = irl_search_has_rule(search) && all / IRL_PROVE_SKIP_RATIO <= work;
    const uint64_t ratio = is_once ? (uint64_t)IRL_PROVE_MAX_OVERRUN : IRL_PROVE_SKIP_RATIO;
    /* Where clauses have a price or a limit, no multipliers make the enumeration shorter. */
    const bool is_bnb_first =
        ((is_small && !irl_problem_is_simple(search->problem)) || has_few_literals(search, work)) &&
        p->bnb_work / ratio <= work;
    if (is_bnb_first)
      status = attempt(p, prove_by_rule_bnb, IRL_PROOF_RULE_BNB, "rule-bnb",
                       IRL_PROVE_CUTOFF_SHARE * work, &bnb_is_full);
    if (!status && is_small && before < p->full_at) {
      status =
          attempt(p, prove_by_cutoffs, IRL_PROOF_CUTOFFS, "cutoffs",
                  IRL_PROVE_CUTOFF_SHARE * work + (all < MAX_WORK ? all : 0), &enumeration_is_full);
      if (enumeration_is_full) p->full_at = search->best.loss;
    }
    if (!status && !is_small)
      status = attempt(p, prove_by_kept_cases, IRL_PROOF_CASE_SUBSET, "kept",
                       IRL_PROVE_KEPT_RATIO * work, &is_full);
    /* A little of both ways was tried before, so a bound comes first. */
    if (!status && !is_once && !round && !is_small)
      status = attempt(p, bound_by_dual_ascent, IRL_PROOF_DUAL_ASCENT, "bound", work, &is_full);
    const bool is_tried_anyway =
        !is_once && (n_skipped == IRL_PROVE_MAX_SKIPPED || before >= p->full_at);
    if (!status && !is_bnb_first && (p->bnb_work / ratio <= work || is_tried_anyway))
      status = attempt(p, prove_by_rule_bnb, IRL_PROOF_RULE_BNB, "rule-bnb", work, &bnb_is_full);
    else if (!is_bnb_first)
      n_skipped++;
    const int64_t loss = search->best.loss;
    assert(loss <= before);
    if (!status && !is_small && loss < p->full_at) {
      status = attempt(p, prove_by_enumeration, IRL_PROOF_ENUMERATE, "enum", 2 * work,
                       &enumeration_is_full);
      if (enumeration_is_full && p->cap >= p->max_cap) p->full_at = loss;
    }
    if (!status && !is_small && (is_once || round))
      status = attempt(p, bound_by_dual_ascent, IRL_PROOF_DUAL_ASCENT, "bound", 2 * work, &is_full);
    if (is_once || (is_last && bnb_is_full && enumeration_is_full && search->best.loss == before))
      break;
    work = work > MAX_WORK / IRL_PROVE_WORK_GROWTH ? MAX_WORK : work * IRL_PROVE_WORK_GROWTH;
    p->bnb_cap = grow(p->bnb_cap, p->max_bnb_cap);
    p->cap = grow(p->cap, p->max_cap);
  }
  return status;
}

size_t irl_prove_max_cap(const irl_search *search) {
  const irl_data *data = search->problem->data;
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const size_t cap = irl_search_affords(search, IRL_PROVE_MAX_MEMORY) / 2 / bytes;
  return !search->settings.prove && cap > IRL_PROVE_QUICK_CAP ? IRL_PROVE_QUICK_CAP : cap;
}

/* A proof that goes on for that much more work. */
static portfolio make_portfolio(irl_search *search, uint64_t work) {
  const irl_problem *problem = search->problem;
  const size_t bytes = sizeof(int64_t) + (3 + (size_t)problem->M) * sizeof(uint32_t);
  const size_t max_cap = irl_prove_max_cap(search);
  const uint64_t end = work < UINT64_MAX - search->work ? search->work + work : UINT64_MAX;
  return (portfolio){
      .search = search,
      .end = end,
      .last = end,
      .cap = IRL_PROVE_ENUMERATION_CAP < max_cap ? IRL_PROVE_ENUMERATION_CAP : max_cap,
      .max_cap = max_cap,
      .full_at = INT64_MAX,
      .bnb_cap = IRL_PROVE_BNB_CAP,
      .max_bnb_cap = irl_search_affords(search, IRL_PROVE_MAX_MEMORY) / 2 / bytes / problem->K};
}

irl_status irl_prove_early(irl_search *search) {
  const irl_phase outer = irl_search_begin_phase(search, IRL_PHASE_PROVING);
  const uint64_t least = search->settings.prove ? IRL_PROVE_EARLY_PROOF_WORK : IRL_PROVE_EARLY_WORK;
  const uint64_t left = irl_search_left(search) / IRL_PROVE_EARLY_SHARE;
  const uint64_t most = search->work > least ? search->work : least;
  const uint64_t work = most < left ? most : left;
  portfolio p = make_portfolio(search, work);
  bool is_full;
  if (search->settings.prove)
    p.last = search->work +
             (most < left / IRL_PROVE_CUTOFF_OVERRUN ? most * IRL_PROVE_CUTOFF_OVERRUN : left);
  const bool is_bnb_first = has_few_literals(search, work / 3);
  irl_status status = IRL_STATUS_OK;
  if (limits_literals(search) && !is_bnb_first)
    status = attempt(&p, prove_by_rule_bnb, IRL_PROOF_RULE_BNB, "rule-bnb",
                     work / IRL_PROVE_SIZES_SHARE, &is_full);
  if (!status && !is_bnb_first)
    status = attempt(&p, prove_by_enumeration, IRL_PROOF_ENUMERATE, "enum",
                     work / IRL_PROVE_FIRST_SHARE, &is_full);
  if (!status) status = run_portfolio(&p, work / 3, true);
  search->proof.tried =
      (irl_proof_attempt){search->best.loss, p.bnb_work, p.full_at == search->best.loss};
  irl_search_begin_phase(search, outer);
  return status;
}

static irl_status prove(irl_search *search, bool has_no_checkpoint) {
  const bool is_wanted = search->settings.prove;
  const uint64_t least = is_wanted ? IRL_PROVE_FIRST_WORK : IRL_PROVE_QUICK_WORK;
  const uint64_t share = search->work / (is_wanted ? 2 : 4);
  const uint64_t most = share > least ? share : least, left = irl_search_left(search);
  const uint64_t work = most < left ? most : left;
  portfolio p = make_portfolio(search, is_wanted ? UINT64_MAX : work);
  p.has_no_checkpoint = has_no_checkpoint;
  /* An extra begins only what may end: the attempts before the budgets told what it takes. */
  const irl_proof_attempt *tried = &search->proof.tried;
  if (!is_wanted && tried->loss == search->best.loss) {
    p.bnb_work = tried->bnb_work;
    if (tried->is_full) p.full_at = tried->loss;
  }
  return run_portfolio(&p, is_wanted ? work : work / 2, !is_wanted);
}

irl_status irl_prove_rule(irl_search *search) {
  return prove(search, false);
}

bool irl_prove_read_is_due(const irl_search *search) {
  return is_proven(search) && search->proof.is_read;
}

irl_status irl_prove_read(irl_search *search) {
  const int64_t read = search->proof.bound;
  assert(search->proof.is_read && search->proof.evidence.target < 0);
  const uint64_t work = search->work, nodes = search->nodes;
  irl_proof_restart(&search->proof, &search->env->allocator);
  const irl_status status = prove(search, true);
  irl_proof_raise(&search->proof, read, search->best.loss);
  search->work = work; /* what is counted is that of the run that made the checkpoint */
  search->nodes = nodes;
  return status;
}
