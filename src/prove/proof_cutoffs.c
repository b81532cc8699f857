/* Rising cutoffs: a bound that means something at any limit.
 *
 * An enumeration with a cutoff t below the loss U of the best rule proves that no rule has less
 * loss than t, or finds a better one. Fewer clauses are within its budget and every threshold is
 * sharper, so it takes a fraction of the work: experience says that the work grows by about the
 * same factor from each step to the next of equal width. So steps are few and wide at first; from
 * the work of the last two follows what the next ones will take, the step is as wide as the work
 * allows, and goes straight to U if that fits. A step that was cut is tried again at a third of its
 * width. */
#include "prove/proof_enumerate.h"
#include "prove/prove_effort.h"

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

/* How far the next cutoff is above the bound. */
static int64_t next_width(const steps *l, int64_t gap, double left) {
  const double allowed =
      IRL_PROVE_CUTOFF_GROWTH * l->spent < left / 2 ? IRL_PROVE_CUTOFF_GROWTH * l->spent : left / 2;
  int64_t width = l->width;
  double cost = l->cost;
  if (!l->growth) return gap < width ? gap : width;
  cost *= l->growth;
  if (cost > allowed) width = (width + 1) / 2;
  for (; cost <= allowed && width < gap; width += l->width) cost *= l->growth;
  return width < gap ? width : gap;
}

irl_status irl_proof_raise_cutoffs(irl_learner *learner, const irl_limit *limit, size_t cap,
                                   bool *is_full) {
  const uint64_t start = learner->work;
  steps l = {.width = 0};
  irl_status status = IRL_STATUS_OK;
  *is_full = false;
  while (!status && !irl_proof_is_closed(&learner->proof, learner->best.loss)) {
    const int64_t target = irl_learner_target(learner), gap = target - learner->proof.bound;
    const uint64_t used = learner->work - start, before = learner->work;
    irl_limit part = *limit;
    if (irl_limit_reached(limit, used)) break;
    const double left = limit->max_work == UINT64_MAX ? 1e18 : (double)(limit->max_work - used);
    if (!l.width) l.width = (gap + IRL_PROVE_FIRST_CUTOFF - 1) / IRL_PROVE_FIRST_CUTOFF;
    const int64_t width = next_width(&l, gap, left), bound = learner->proof.bound;
    assert(width > 0 && width <= gap);
    if (part.max_work != UINT64_MAX) { /* half of what is left, so that a smaller step may follow */
      part.max_work = limit->max_work - used;
      if (part.max_work > 2 * IRL_PROVE_CUTOFF_WORK) part.max_work /= 2;
    }
    irl_proof_enumeration task = {.cap = cap, .cutoff = width < gap ? bound + width : 0};
    status = irl_proof_enumerate(learner, &part, &task);
    if (status) break;
    *is_full = task.is_full;
    const bool is_done = task.is_done;
    irl_proof_take_enumeration(learner, &task);
    const double cost = (double)(learner->work - before);
    l.spent += cost;
    if (!is_done) { /* a shorter step, if there is one */
      if (width == 1) break;
      l = (steps){.spent = l.spent, .width = (width + 2) / 3};
      continue;
    }
    irl_learner_log(learner, "cutoff", UINT64_MAX);
    l.growth = l.cost && width >= l.width && cost > l.cost ? cost / l.cost : l.cost ? 1.5 : 0;
    l.cost = cost;
    l.width = width;
  }
  return status;
}
