/* Rising cutoffs: a bound that means something at any limit, for small problems, where listing all
 * clauses is in reach.
 *
 * An enumeration with a cutoff t below the loss U of the best rule proves that no rule has less
 * loss than t, or finds a better one. Fewer clauses are within its budget and every threshold is
 * sharper, so it takes a fraction of the work. From the work of the steps so far follows what the
 * next one will take (cutoff_steps.c): it is as wide as the work allows, and goes straight to U if
 * that fits.
 *
 * A step is not cut where its turn ends but goes on if, by the part of its tasks that are closed,
 * it will end within the limit, which is several turns: what was begun would have to be done again.
 * One that will not is given up soon, and a shorter one follows. */
#include "prove/cutoff_steps.h"
#include "prove/methods.h"
#include "prove/proof_enumerate.h"

/* What is left for steps: of the attempt, and of the work that the limits of the run seem to allow.
 * Once a time limit has allowed more than that, it may end any time. */
static double room_left(const irl_search *search, const irl_limit *part) {
  const double planned = (double)search->limit.planned_work, work = (double)search->work;
  const double most = (double)part->max_work;
  if (planned <= 0 || search->limit.max_work != UINT64_MAX) return most;
  const double left = planned - work, beyond = work / 2;
  const double plan = left > beyond ? left : beyond;
  return plan < most ? plan : most;
}

/* Is so much work all that is left of the run? Then it is not saved for other methods. */
static bool is_rest(const irl_search *search, double most) {
  const irl_limit all = irl_search_sublimit(search, UINT64_MAX);
  return search->limit.planned_work && most >= room_left(search, &all);
}

/* Is it also less than two steps take, with a limit on work? Then it is not saved for later. */
static bool is_last(const irl_search *search, double most) {
  return most < 2 * (double)search->proof.steps.last_work && is_rest(search, most) &&
         search->limit.max_work != UINT64_MAX;
}

/* A step that was begun at that work is over: what it has told about the work of steps. */
static void note_step(irl_search *search, const irl_proof_enumeration *task, int64_t cutoff,
                      uint64_t before, double most) {
  double work = (double)(search->work - before) + (double)task->work_left;
  /* It was given up since it takes more than there was; how much is not known if a list was too
   * long, or work ended it early. */
  if (!task->is_done && work < most) work = most;
  if (!task->is_done && !task->work_left) work *= 2;
  irl_cutoff_note(&search->proof.steps, cutoff, work, task->is_done);
}

/* Below which no step is of use. What a checkpoint says is only where to begin: a step proves all
 * that is below its cutoff. */
static int64_t known_bound(const irl_search *search, int64_t target) {
  const int64_t read = search->checkpoint.read_bound, least = read < target ? read : target - 1;
  return least > search->proof.bound ? least : search->proof.bound;
}

static bool cutoffs_apply(const irl_prover *p) {
  return irl_prover_is_small(p) && p->search->best.loss < p->full_at;
}

/* Where clauses have a price or a limit, no multipliers make the enumeration shorter. */
static double estimate_cutoffs(const irl_prover *p) {
  return irl_problem_is_simple(p->search->problem) ? irl_prover_work_of_all(p->search)
                                                   : irl_prover_unknown(p);
}

/* What an attempt may take with the last step. */
static irl_limit limit_of(const irl_prover *p, uint64_t turn) {
  const uint64_t times = p->search->settings.tuning.prove_overrun, work = p->search->work;
  const uint64_t left = p->last > work ? p->last - work : 1;
  assert(p->last >= p->attempt_end);
  return irl_search_sublimit(p->search, turn < left / times ? turn * times : left);
}

/* Closes the proof, or says why not by the bound alone. After a turn no further cutoff is begun. */
static irl_status run_cutoffs(irl_prover *p) {
  irl_search *search = p->search;
  const irl_tuning *tuning = &search->settings.tuning;
  const uint64_t start = search->work;
  const uint64_t turn = p->attempt_end > start ? p->attempt_end - start : 1;
  const irl_limit limit = limit_of(p, turn);
  bool is_full = false;
  irl_status status = IRL_STATUS_OK;
  while (!status && !irl_proof_is_closed(&search->proof, search->best.loss)) {
    const int64_t target = irl_search_target(search), bound = known_bound(search, target);
    const uint64_t used = search->work - start, before = search->work;
    if (used >= turn || irl_limit_reached(&limit, used)) break;
    irl_limit part = irl_limit_left(&limit, used);
    const double most = room_left(search, &part);
    if (most < (double)part.max_work) part.max_work = most < 1 ? 1 : (uint64_t)most;
    const irl_cutoff_room room = {tuning, bound, target,
                                  is_rest(search, most) ? most : (double)(turn - used), most};
    const int64_t cutoff = irl_cutoff_next(&search->proof.steps, &room);
    assert(cutoff > bound && cutoff <= target);
    const uint64_t trial = part.max_work / tuning->prove_trial / 2;
    const bool is_least = cutoff == bound + 1;
    irl_proof_enumeration task = {.cap = p->cap ? p->cap : irl_prove_max_cap(search),
                                  .cutoff = cutoff < target ? cutoff : 0,
                                  .trial_work = is_least && is_last(search, most) ? 0
                                                : trial > tuning->prove / 10      ? trial
                                                                             : tuning->prove / 10};
    status = irl_proof_enumerate(search, &part, &task);
    if (status) break;
    is_full = task.ending == IRL_ENDED_BY_CAP;
    irl_proof_take_enumeration(search, &task);
    note_step(search, &task, cutoff, before, most);
    if (!task.is_done && is_least) break; /* there is no shorter step */
    if (!task.is_done) continue;
    irl_search_log(search, "cutoff", UINT64_MAX);
    assert(search->proof.bound > bound || search->best.loss < target);
  }
  if (is_full) p->full_at = search->best.loss;
  return status;
}

const irl_prover_method irl_method_cutoffs = {true, 12, cutoffs_apply, estimate_cutoffs,
                                              run_cutoffs};
