/* The proof: of the methods that apply, the one with the smallest estimate; then more effort.
 *
 * Problem: minimise the loss over all rules of at most K clauses of at most M literals. An
 * incumbent of loss U is known from the heuristics; to prove it is to show that no rule has loss
 * U - 1 or less (losses are integers). Methods that can do that may find a better incumbent and go
 * on with it; others only raise the bound, so that a limit leaves a good one.
 *
 * Which method ends is not known before. In a round every method that applies is tried once, by
 * rising estimate, with its share of the round's effort; methods that seem to take far more wait
 * for a later round, which has several times the effort.
 *
 * Proving bounds for 1, 2, ..., K clauses in turn, each of which says how much a clause of the next
 * rule must gain, was tried and did not pay. */
#include "prove/prove.h"
#include "prove/methods.h"

#define MAX_EFFORT (UINT64_MAX / 64) /* small multiples of it are numbers, too */

static bool is_done(const irl_prover *p) {
  const irl_search *search = p->search;
  return irl_proof_is_closed(&search->proof, search->best.loss) || search->work >= p->end ||
         irl_search_limit_reached(search);
}

/* One attempt with its share of the effort, if the method is in use. */
static irl_status attempt(irl_prover *p, const irl_prover_row *row) {
  irl_search *search = p->search;
  const uint64_t work = row->method->share * p->effort;
  if (!irl_search_uses(search, row->id)) return IRL_STATUS_OK;
  search->proof.method = row->id;
  p->attempt_end = p->end - search->work > work ? search->work + work : p->end;
  const irl_status status = row->method->run(p);
  if (status) return status;
  assert(irl_proof_check(&search->proof, search->best.loss));
  assert(irl_clause_set_check(&search->pool));
  irl_search_log(search, row->tag, UINT64_MAX);
  return IRL_STATUS_OK;
}

/* Every method once, the most promising first. */
static irl_status run_round(irl_prover *p) {
  size_t n;
  const irl_prover_row *table = irl_prover_table(&n);
  uint32_t tried = 0;
  irl_status status = IRL_STATUS_OK;
  while (!status && !is_done(p)) {
    const irl_prover_row *next = NULL;
    double least = 0;
    for (size_t i = 0; i < n; i++) {
      if (tried >> i & 1u || !table[i].method->applies(p)) continue;
      const double estimate = table[i].method->estimate(p);
      if (estimate > irl_prover_unknown(p)) continue;
      if (!next || estimate < least) next = &table[i], least = estimate;
    }
    if (!next) break;
    tried |= 1u << (next - table);
    status = attempt(p, next);
  }
  return status;
}

/* Would more effort end the proof? */
static bool may_close(const irl_prover *p) {
  size_t n;
  const irl_prover_row *table = irl_prover_table(&n);
  for (size_t i = 0; i < n; i++)
    if (table[i].method->is_complete && irl_search_uses(p->search, table[i].id) &&
        table[i].method->applies(p))
      return true;
  return false;
}

static irl_status run_rounds(irl_prover *p, uint64_t effort, bool is_once) {
  irl_status status = IRL_STATUS_OK;
  const uint64_t growth = p->search->settings.tuning.prove_growth;
  p->is_once = is_once;
  p->effort = effort;
  do {
    status = run_round(p);
    p->effort = p->effort > MAX_EFFORT / growth ? MAX_EFFORT : p->effort * growth;
  } while (!status && !is_once && !is_done(p) && may_close(p));
  return status;
}

irl_status irl_prove_early(irl_search *search) {
  const irl_phase outer = irl_search_begin_phase(search, IRL_PHASE_PROVING);
  const irl_tuning *tuning = &search->settings.tuning;
  const uint64_t least = search->settings.prove ? 3 * tuning->prove : tuning->prove / 50;
  const uint64_t left = irl_search_left(search) / tuning->prove_early;
  const uint64_t most = search->work > least ? search->work : least;
  const uint64_t work = most < left ? most : left;
  irl_prover p = irl_prover_make(search, work);
  if (search->settings.prove)
    p.last =
        search->work + (most < left / tuning->prove_overrun ? most * tuning->prove_overrun : left);
  irl_status status = run_rounds(&p, work / tuning->prove_easy, true);
  if (!status) status = run_rounds(&p, work / tuning->prove_early, true);
  search->proof.tried = (irl_proof_attempt){search->best.loss, p.bnb_work, p.full_at};
  irl_search_begin_phase(search, outer);
  return status;
}

irl_status irl_prove_rule(irl_search *search) {
  const irl_tuning *tuning = &search->settings.tuning;
  const bool is_wanted = search->settings.prove;
  const uint64_t least = is_wanted ? tuning->prove : tuning->after_least;
  const uint64_t share = search->work / (is_wanted ? 2 : 4);
  const uint64_t most = share > least ? share : least, left = irl_search_left(search);
  const uint64_t work = most < left ? most : left;
  irl_prover p = irl_prover_make(search, is_wanted ? UINT64_MAX : work);
  /* An extra begins only what may end: the attempts before the budgets told what it takes. */
  const irl_proof_attempt *tried = &search->proof.tried;
  if (!is_wanted && tried->loss == search->best.loss) {
    p.bnb_work = tried->bnb_work;
    p.full_at = tried->full_at;
  }
  return run_rounds(&p, is_wanted ? work : work / 2, !is_wanted);
}
