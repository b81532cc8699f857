/* A model with AND/OR structure, solved on its bits. Every solution is a point of the model as it
 * was given and is checked against all its rows; the bound holds for the model because the
 * structure leaves rows out but adds none. Where rows were left out and the best rule does not meet
 * them, what is proven stays a bound and the general search goes on. */
#include "base/clock.h"
#include "base/memory.h"
#include "milp/andor_search.h"
#include "milp/milp_search.h"
#include <inttypes.h>
#include <math.h>

typedef struct run {
  irl_milp_search *milp;
  const irl_andor *andor;
  double *x;
  bool is_met; /* the last rule is a point that meets all rows */
} run;

static double objective_of(const irl_andor *a, int64_t loss) {
  return a->base + a->unit * (double)loss;
}

/* What the search has done becomes that of the model's search. */
static void take_state(run *r, const irl_andor_search *s) {
  irl_milp_search *milp = r->milp;
  milp->nodes = s->nodes;
  milp->work = s->work + s->seeker.work;
  const double bound = objective_of(r->andor, s->bound);
  if (bound > milp->root_bound) milp->root_bound = bound;
}

static irl_status note(void *user, const irl_andor_search *s, bool is_better) {
  run *r = user;
  irl_milp_search *milp = r->milp;
  double objective;
  take_state(r, s);
  if (!is_better) {
    irl_milp_report(milp, '.');
    return IRL_STATUS_OK;
  }
  irl_status status = irl_andor_point(r->andor, &s->best, r->x);
  if (!status) status = irl_milp_check_solution(&milp->original, r->x, 1, &r->is_met, &objective);
  if (status || !r->is_met) return status;
  assert(objective <= objective_of(r->andor, s->best.loss) + 1e-6 * (1 + fabs(objective)));
  if (objective < milp->objective) {
    memcpy(milp->point, r->x, milp->original.n_columns * sizeof *r->x);
    milp->objective = objective;
    milp->has_point = true;
    milp->best_seconds = irl_clock_now() - milp->env->started;
    irl_milp_report(milp, '*');
  }
  return IRL_STATUS_OK;
}

static void log_structure(const irl_milp_search *milp, const irl_andor *a) {
  irl_log(milp->env, IRL_LOG_NOTE,
          "  AND/OR structure: %" PRIu32 " %s of at most %" PRIu32 " of %" PRIu32
          " literals, %" PRIu32 " cases, %" PRIu32 " controls%s%s; searched on bits",
          a->K, a->K == 1 ? "clause" : "clauses", a->M, a->n_literals, a->cases.n_samples,
          a->controls.n_samples, a->n_rows > 1 ? ", limits on sums" : "",
          a->is_relaxed ? ", other rows left out and checked" : "");
}

static void log_counts(const irl_milp_search *milp, const irl_andor_search *s) {
  const irl_andor_counts *c = &s->counts;
  irl_log(milp->env, IRL_LOG_NOTE,
          "  nodes closed: %" PRIu64 " by the value of a clause, %" PRIu64
          " by sums of values, %" PRIu64 " by multipliers, %" PRIu64 " by limits; %" PRIu64
          " clauses dominated; %" PRIu64 " lists, %" PRIu64 " searches for clauses",
          c->by_value, c->by_sum, c->by_multipliers, c->by_limit, c->by_dominance, c->lists,
          c->searches);
}

/* How the search of the structure leaves that of the model. */
static void conclude(run *r, const irl_andor_search *s, irl_andor_end *end, double *bound) {
  irl_milp_search *milp = r->milp;
  const bool found_none = s->best.loss == INT64_MAX;
  take_state(r, s);
  if (s->is_cut) {
    *end = IRL_ANDOR_CUT;
    return;
  }
  *end = found_none || r->is_met ? IRL_ANDOR_DONE : IRL_ANDOR_BOUNDED;
  *bound = found_none ? (milp->has_point ? milp->objective : -INFINITY)
                      : objective_of(r->andor, s->best.loss);
  if (*end == IRL_ANDOR_DONE && milp->has_point) *bound = milp->objective;
}

irl_status irl_andor_solve(irl_milp_search *milp, irl_andor_end *end, double *bound) {
  irl_andor a;
  irl_andor_search s;
  bool is_found = false;
  *end = IRL_ANDOR_NOT_FOUND;
  irl_status status = irl_andor_find(&a, &milp->original, &milp->options->limit, &is_found);
  if (status || !is_found) return status;
  run r = {.milp = milp, .andor = &a};
  log_structure(milp, &a);
  status = irl_andor_search_init(&s, &a, &milp->options->limit);
  r.x = irl_mem_alloc(&milp->env->allocator, milp->original.n_columns, sizeof *r.x);
  if (!status && !r.x) status = irl_fail_memory(milp->env);
  if (!status) {
    s.note = note;
    s.user = &r;
    s.seed = milp->options->seed;
    s.max_nodes = milp->options->max_nodes;
    /* Every place may have a list. */
    const size_t bytes = (sizeof(irl_andor_found) + a.M * sizeof(uint32_t)) * 2 * (a.K + 1);
    const size_t most = milp->options->max_memory / bytes + 1;
    if (most < s.max_clauses) s.max_clauses = most;
    if (milp->has_point) {
      const double loss = ceil((milp->objective - a.base) / a.unit - 1e-6);
      s.limits[0] = (int64_t)fmin(loss - 1, (double)s.limits[0]);
    }
    status = irl_andor_search_run(&s);
    if (!status) conclude(&r, &s, end, bound);
    if (!status) log_counts(milp, &s);
  }
  if (s.steps) irl_andor_search_free(&s);
  irl_mem_free(&milp->env->allocator, r.x);
  irl_andor_free(&a);
  return status;
}
