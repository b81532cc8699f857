/* The proof methods: when each applies, what it is expected to take, and how it is run.
 *
 *   rule-bnb   Branch and bound over rules (rule_bnb.c). A node fixes some clauses and enumerates
 *              those of which a better rule must add one. Fast where few clauses stand out,
 *              however many there are in all.
 *   cutoffs    All clauses that can be part of a better rule, then the best choice of K of them,
 *              below rising cutoffs (proof_cutoffs.c). For small problems, where listing all
 *              clauses is in reach.
 *   subset     The branch and bound over one list of clauses on a subset of the cases
 *              (case_subset.c). Fast where a few heavy cases decide.
 *   enum       All clauses that can be part of a better rule, cut down by 0/1 multipliers
 *              (proof_enumerate.c). Fast where these clauses are few, however large K is. */
#include "prove/methods.h"
#include "prove/case_subset.h"
#include "prove/prove.h"
#include "prove/rule_bnb.h"

/* Of estimates. */
#define MOST_TIMES 512.0 /* times what a branch and bound had that it is taken to need, at most */
#define FEW_LITERALS                                                                               \
  1024.0 /* one part in so many of all rules is met where literals are limited                     \
          */

/* ---- what there is to go by ---- */

static const irl_tuning *tuning_of(const irl_prover *p) {
  return &p->search->settings.tuning;
}

static irl_limit attempt_limit(const irl_prover *p) {
  const uint64_t work = p->search->work;
  return irl_search_sublimit(p->search, p->attempt_end > work ? p->attempt_end - work : 1);
}

/* What is not known is taken to be the most that is tried at all. */
static double unknown(const irl_prover *p) {
  return (double)tuning_of(p)->prove_overrun * (double)p->effort;
}

/* More effort may keep longer lists. */
static size_t cap_of(const irl_prover *p, size_t least, size_t most) {
  const uint64_t more = p->effort / tuning_of(p)->prove;
  const size_t cap = more > most / least ? most : more > 1 ? (size_t)more * least : least;
  return p->cap ? p->cap : cap < most ? cap : most;
}

static double n_literals(const irl_search *search) {
  return (double)search->problem->merged.data->n_features * (search->problem->negations ? 2 : 1);
}

static double words_of_sample(const irl_search *search) {
  const irl_data *data = search->problem->merged.data;
  return (double)(data->cases.stride + data->controls.stride);
}

/* Enough work to enumerate all clauses. For more than three literals no such number says anything,
 * since few clauses are ever reached. */
static double work_of_all_clauses(const irl_search *search) {
  const irl_problem *problem = search->problem;
  double work = words_of_sample(search);
  for (uint32_t i = 0; i < problem->M; i++) work *= n_literals(search) / (i + 1);
  return problem->M > 3 ? 1e300 : work;
}

/* Are all clauses soon enumerated? */
static bool is_small(const irl_prover *p) {
  return irl_search_has_rule(p->search) && work_of_all_clauses(p->search) <= unknown(p);
}

size_t irl_prove_max_cap(const irl_search *search) {
  const irl_data *data = search->problem->data;
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const size_t cap = irl_search_affords(search, IRL_PROVE_MEMORY) / 2 / bytes;
  /* An enumeration that is an extra stays small. */
  const size_t quick = 5 * search->settings.tuning.list_cap;
  return !search->settings.prove && cap > quick ? quick : cap;
}

irl_prover irl_prover_make(irl_search *search, uint64_t work) {
  const uint64_t end = work < UINT64_MAX - search->work ? search->work + work : UINT64_MAX;
  return (irl_prover){.search = search,
                      .end = end,
                      .last = end,
                      .attempt_end = end,
                      .effort = work,
                      .bnb_full_at = INT64_MAX,
                      .full_at = INT64_MAX};
}

/* ---- rule branch and bound ---- */

static size_t max_bnb_cap(const irl_search *search) {
  const size_t bytes = sizeof(int64_t) + (3 + (size_t)search->problem->M) * sizeof(uint32_t);
  return irl_search_affords(search, IRL_PROVE_MEMORY) / 2 / bytes / search->problem->K;
}

static bool rule_bnb_applies(const irl_prover *p) {
  return p->search->best.loss < p->bnb_full_at;
}

/* It is the method that counts literals (rule_sizes.c): where they are limited, most of the rules
 * of so many literals are never met. */
static double rule_bnb_estimate(const irl_prover *p) {
  const irl_problem *problem = p->search->problem;
  double all = words_of_sample(p->search) / 2 / FEW_LITERALS;
  if (p->bnb_work) return (double)p->bnb_work;
  if (problem->max_literals >= (uint64_t)problem->K * problem->M) return unknown(p);
  for (uint64_t i = 0; i < problem->max_literals && all < 1e18; i++) all *= n_literals(p->search);
  return all < unknown(p) ? all : unknown(p);
}

/* The proof is closed, by nodes that are evidence if the search ended with the target that it began
 * with. */
static void close_by_nodes(irl_search *search, const irl_rule_bnb_task *task, int64_t target) {
  irl_proof_evidence evidence = {.way = IRL_PROOF_BY_RULE_BNB, .target = target};
  irl_text *nodes = task->nodes;
  if (nodes && !nodes->failed && target == task->target) {
    evidence.nodes = nodes->bytes;
    evidence.n_nodes = task->n_nodes;
    nodes->bytes = NULL;
  }
  irl_proof_close(&search->proof, search->best.loss, &evidence, &search->env->allocator);
}

static irl_status rule_bnb_run(irl_prover *p) {
  irl_search *search = p->search;
  const uint64_t before = search->work;
  const int64_t target = irl_search_target(search);
  const irl_limit part = attempt_limit(p);
  const size_t most = max_bnb_cap(search);
  irl_text nodes;
  irl_text_init(&nodes, search->env);
  irl_rule_bnb_task task = {.cap = cap_of(p, tuning_of(p)->list_cap, most),
                            .target = target,
                            .trial_work = part.max_work / tuning_of(p)->prove_trial,
                            .nodes = search->settings.certify ? &nodes : NULL};
  const irl_status status = irl_rule_bnb_solve(search, &part, &task);
  assert(status || (task.bound <= task.target && task.target <= target));
  if (!status && task.is_proven && task.target == irl_search_target(search))
    close_by_nodes(search, &task, target);
  else if (!status)
    irl_proof_raise(&search->proof, task.bound, search->best.loss);
  irl_text_drop(&nodes);
  /* By the share that is closed, which is a guess: a wild one is not believed. */
  const double share = task.share * MOST_TIMES > 1 ? task.share : 1.0 / MOST_TIMES;
  if (!status) p->bnb_work = 1 + (uint64_t)((double)(search->work - before) / share);
  if (!status && task.is_full && (p->cap || task.cap >= most)) p->bnb_full_at = search->best.loss;
  return status;
}

/* ---- enumeration, with rising cutoffs on small problems ---- */

static bool enumeration_is_open(const irl_prover *p) {
  return p->search->best.loss < p->full_at;
}

static bool cutoffs_apply(const irl_prover *p) {
  return is_small(p) && enumeration_is_open(p);
}

/* Where clauses have a price or a limit, no multipliers make the enumeration shorter. */
static double cutoffs_estimate(const irl_prover *p) {
  return irl_problem_is_simple(p->search->problem) ? work_of_all_clauses(p->search) : unknown(p);
}

static irl_status cutoffs_run(irl_prover *p) {
  const uint64_t work = p->search->work;
  assert(p->last >= p->attempt_end);
  const uint64_t turn = p->attempt_end > work ? p->attempt_end - work : 1;
  const uint64_t left = p->last > work ? p->last - work : 1,
                 many = left / tuning_of(p)->prove_overrun;
  const irl_limit part =
      irl_search_sublimit(p->search, turn < many ? turn * tuning_of(p)->prove_overrun : left);
  const size_t cap = p->cap ? p->cap : irl_prove_max_cap(p->search);
  bool is_full = false;
  const irl_status status = irl_proof_raise_cutoffs(p->search, &part, turn, cap, &is_full);
  if (is_full) p->full_at = p->search->best.loss;
  return status;
}

static bool enumeration_applies(const irl_prover *p) {
  const bool has_cutoffs = is_small(p) && irl_search_uses(p->search, IRL_PROOF_CUTOFFS);
  return !has_cutoffs && enumeration_is_open(p);
}

static irl_status enumeration_run(irl_prover *p) {
  const size_t most = irl_prove_max_cap(p->search);
  irl_proof_enumeration task = {.cap = cap_of(p, 10 * tuning_of(p)->list_cap, most)};
  const irl_limit part = attempt_limit(p);
  const irl_status status = irl_proof_enumerate(p->search, &part, &task);
  if (status) return status;
  if (task.is_full && (p->cap || task.cap >= most)) p->full_at = p->search->best.loss;
  irl_proof_take_enumeration(p->search, &task);
  return IRL_STATUS_OK;
}

/* ---- a subset of the cases ---- */

static bool subset_applies(const irl_prover *p) {
  return !is_small(p) && p->effort >= tuning_of(p)->prove / 10 &&
         irl_case_subset_applies(p->search);
}

/* It makes plans itself, and begins only what fits. */
static double subset_estimate(const irl_prover *p) {
  return (double)p->effort;
}

static irl_status subset_run(irl_prover *p) {
  irl_search *search = p->search;
  const irl_limit part = attempt_limit(p);
  irl_case_subset task = {.cap = p->cap ? p->cap : irl_prove_max_cap(search),
                          .is_whole = p->is_once,
                          .tree_work = tuning_of(p)->tree_ratio * p->effort};
  const irl_status status = irl_prove_case_subset(search, &part, &task);
  search->proof.method = IRL_PROOF_CASE_SUBSET;
  if (!status && task.is_closed)
    irl_proof_close(&search->proof, search->best.loss, &task.evidence, &search->env->allocator);
  irl_proof_evidence_free(&task.evidence, &search->env->allocator);
  return status;
}

/* ---- the table ---- */

static const irl_prover_method methods[] = {
    {IRL_PROOF_RULE_BNB, "rule-bnb", true, 4, rule_bnb_applies, rule_bnb_estimate, rule_bnb_run},
    {IRL_PROOF_CUTOFFS, "cutoffs", true, 12, cutoffs_apply, cutoffs_estimate, cutoffs_run},
    {IRL_PROOF_CASE_SUBSET, "subset", false, 32, subset_applies, subset_estimate, subset_run},
    {IRL_PROOF_ENUMERATE, "enum", true, 2, enumeration_applies, unknown, enumeration_run},
};

const irl_prover_method *irl_prover_methods(size_t *n) {
  *n = sizeof methods / sizeof *methods;
  return methods;
}
