/* Rising cutoffs: a bound that means something at any limit.
 *
 * An enumeration with a cutoff t below the loss U of the best rule proves that no rule has less
 * loss than t, or finds a better one. Fewer clauses are within its budget and every threshold is
 * sharper, so it takes a fraction of the work: experience says that the work grows by about the
 * same factor from each step to the next of equal width. So steps are few and wide at first; from
 * the work of the last two follows what the next ones will take, the step is as wide as the work
 * allows, and goes straight to U if that fits.
 *
 * A step is not cut where its turn ends but goes on if, by the part of its tasks that are closed,
 * it will end within the limit, which is several turns: what was begun would have to be done again.
 * A step that was given up is tried again at a third of its width. */
#include "prove/proof_enumerate.h"
#include "prove/prove_effort.h"
#include <math.h>

void irl_proof_take_enumeration(irl_learner *learner, irl_proof_enumeration *task) {
  const irl_allocator *allocator = &learner->env->allocator;
  assert(task->bound <= learner->best.loss || task->bound == IRL_SELECT_NO_LOSS);
  if (task->bound >= learner->best.loss)
    irl_proof_close(&learner->proof, learner->best.loss, &task->evidence, allocator);
  else
    irl_proof_raise(&learner->proof, task->bound, learner->best.loss);
  irl_proof_evidence_free(&task->evidence, allocator);
}

/* The steps so far. */
typedef struct steps {
  double spent;  /* work of all */
  double cost;   /* of the last one, */
  double growth; /* and how many times as much as one of the same width before; 0: not known */
  int64_t width;
} steps;

/* How far the next cutoff is above the bound: as far as the work of a turn, or some times what was
 * spent, allows. */
static int64_t next_width(const steps *l, int64_t gap, double turn, double most) {
  const double many = IRL_PROVE_CUTOFF_GROWTH * l->spent, allowed = many > turn ? many : turn;
  const double least = allowed < most / 2 ? allowed : most / 2;
  const int64_t unit = (l->width + 1) / 2;
  if (!l->growth) return gap < l->width ? gap : l->width;
  const double growth = sqrt(l->growth); /* of half the width */
  int64_t width = unit;
  double cost = l->cost * growth;
  for (; width < gap && cost * growth <= most / 2; width += unit) cost *= growth;
  if (width >= gap) return gap; /* straight to the best rule */
  cost = l->cost * growth;
  for (width = unit; width < gap && cost * growth <= least; width += unit) cost *= growth;
  return width < gap ? width : gap;
}

/* One step, in the way that suits the number of clauses: one list of them, or, where that is long,
 * ranges of budgets, or, where even a range has as many at the least step, one list of any length
 * after all. A task that was only a change of the way is not done, with a bound perhaps. */
static irl_status take_step(irl_proof_cutoffs *c, irl_learner *learner, const irl_limit *limit,
                            irl_proof_enumeration *task, bool is_least, bool *is_changed) {
  const size_t cap = task->cap;
  irl_status status = IRL_STATUS_OK;
  *is_changed = false;
  assert(!c->ranges || irl_learner_is_simple(learner));
  if (!c->is_whole && cap > IRL_PROVE_LONG_LIST) task->cap = IRL_PROVE_LONG_LIST;
  if (!c->ranges || c->is_whole) {
    status = irl_proof_enumerate(learner, limit, task);
    if (status || !task->is_full || task->cap == cap) return status;
    *is_changed = true;
    c->is_whole = !irl_learner_is_simple(learner);
    if (c->is_whole) return status;
    irl_proof_evidence_free(&task->evidence, &learner->env->allocator);
    *task = (irl_proof_enumeration){.is_bound_only = true};
    status = irl_proof_ranges_create(learner, &c->ranges);
    return status ? status : irl_proof_ranges_raise(c->ranges, limit, task);
  }
  status = irl_proof_ranges_raise(c->ranges, limit, task);
  if (!status && task->is_full && is_least) *is_changed = c->is_whole = true;
  return status;
}

irl_status irl_proof_raise_cutoffs(irl_learner *learner, const irl_limit *limit,
                                   irl_proof_cutoffs *cutoffs) {
  const uint64_t start = learner->work, turn = cutoffs->turn;
  steps l = {.width = 0};
  irl_status status = IRL_STATUS_OK;
  cutoffs->is_full = false;
  while (!status && !irl_proof_is_closed(&learner->proof, learner->best.loss)) {
    const int64_t target = irl_learner_target(learner), gap = target - learner->proof.bound;
    const uint64_t used = learner->work - start, before = learner->work;
    bool is_changed = false;
    if (used >= turn || irl_limit_reached(limit, used)) break;
    irl_limit part = *limit;
    if (part.max_work != UINT64_MAX) part.max_work -= used;
    if (!l.width) /* what is nearly proven is tried as a whole */
      l.width = gap < target / IRL_PROVE_SMALL_GAP
                    ? gap
                    : (gap + IRL_PROVE_FIRST_CUTOFF - 1) / IRL_PROVE_FIRST_CUTOFF;
    const int64_t bound = learner->proof.bound;
    const int64_t width = next_width(&l, gap, (double)(turn - used),
                                     part.max_work == UINT64_MAX ? 1e18 : (double)part.max_work);
    assert(width > 0 && width <= gap);
    /* Half of what is left of the turn, so that a smaller step may follow. */
    const uint64_t trial = (turn - used) / 2;
    irl_proof_enumeration task = {
        .cap = cutoffs->cap,
        .cutoff = width < gap ? bound + width : 0,
        .trial_work = trial > IRL_PROVE_CUTOFF_WORK ? trial : IRL_PROVE_CUTOFF_WORK};
    status = take_step(cutoffs, learner, &part, &task, width == 1, &is_changed);
    if (status) break;
    cutoffs->is_full = task.is_full && !is_changed;
    const bool is_done = task.is_done;
    irl_proof_take_enumeration(learner, &task);
    const double cost = (double)(learner->work - before);
    l.spent += cost;
    if (is_changed) {
      irl_learner_log(learner, "ranges", UINT64_MAX);
      l.width = 0;
      continue;
    }
    if (!is_done) { /* a shorter step, if there is one */
      if (width == 1) break;
      l = (steps){.spent = l.spent, .width = (width + 2) / 3};
      continue;
    }
    irl_learner_log(learner, "cutoff", UINT64_MAX);
    l.growth = l.cost && width >= l.width && cost > l.cost ? cost / l.cost : l.cost ? 1.5 : 0;
    assert(learner->proof.bound > bound || learner->best.loss < target);
    l.cost = cost;
    l.width = width;
  }
  return status;
}
