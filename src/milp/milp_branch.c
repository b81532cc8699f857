/* Which column to branch on: reliability branching (Achterberg, Koch and Martin 2005).
 *
 * Candidates are the fractional columns of the highest priority. What each child will gain is
 * guessed in two ways: by what the first step of the dual simplex would gain here (Driebeck 1966,
 * Tomlin 1971), and by what the column has gained elsewhere, its pseudo-cost. The larger one
 * counts, but pseudo-costs only in part: in the models of rules a literal that decides much at one
 * node decides nothing at the next, and trees twice as large were grown on history alone. The
 * product of both children is the score. Where a pseudo-cost rests on few observations the children
 * are solved for a few iterations instead (strong branching), best score first, until some
 * candidates in a row bring nothing better. A child that proves infeasible or too expensive on the
 * way gives a bound for this node. */
#include "milp/milp_search.h"
#include "milp/milp_tol.h"
#include <math.h>

#define RELIABLE    4u  /* observations in both directions */
#define MAX_SLOPES  64u /* candidates whose first step is looked at */
#define MAX_PROBES  12u /* candidates solved at a node */
#define PATIENCE    4u  /* candidates in a row without a better score, after which it ends */
#define PROBE_STEPS 60u /* iterations for a child */
/* Iterations of strong branching, as a share of all others and for a start. */
#define PROBE_SHARE 0.2
#define PROBE_FREE  200u
/* What a pseudo-cost counts beside the first step at the node itself. */
#define HISTORY 0.3
/* In place of a gain without end: a child that the first step already shows to be empty. */
#define EMPTY_GAIN 1e9

typedef struct candidate {
  uint32_t column;
  double x, score;
  bool is_reliable;
} candidate;

static double expected_gain(const irl_milp_worker *w, uint32_t j, bool is_up, double slope,
                            double distance) {
  return fmax(HISTORY * irl_milp_pseudocost_expect(&w->pseudo, j, is_up, distance),
              fmin(slope * distance, EMPTY_GAIN));
}

static double score_of(const irl_milp_worker *w, uint32_t j, double x, double down, double up) {
  const double f = x - floor(x);
  assert(f > 0 && f < 1 && down >= 0 && up >= 0);
  return irl_milp_pseudocost_score(expected_gain(w, j, false, down, f),
                                   expected_gain(w, j, true, up, 1 - f));
}

/* The better score first, then the value nearer to the middle. */
static bool is_before(const candidate *a, const candidate *b) {
  if (a->score != b->score) return a->score > b->score;
  return fabs(a->x - floor(a->x) - 0.5) < fabs(b->x - floor(b->x) - 0.5);
}

/* Puts c where it belongs among the first n of `list`, which has room for `most`; the new n. */
static uint32_t insert_candidate(candidate *list, uint32_t n, uint32_t most, const candidate *c) {
  uint32_t place = n;
  while (place > 0 && is_before(c, &list[place - 1])) place--;
  if (place == most) return n;
  if (n < most) n++;
  for (uint32_t i = n - 1; i > place; i--) list[i] = list[i - 1];
  list[place] = *c;
  assert(n <= most && (place == 0 || !is_before(c, &list[place - 1])));
  return n;
}

/* The best candidates of the highest priority by history, then in order of the score with the first
 * step as well. */
static uint32_t list_candidates(irl_milp_worker *w, candidate *list) {
  const uint8_t *priority = w->search->model.priority;
  candidate known[MAX_SLOPES];
  uint32_t n_known = 0, n = 0;
  uint8_t highest = 0;
  for (uint32_t k = 0; k < w->n_fractional; k++)
    if (priority[w->fractional[k]] > highest) highest = priority[w->fractional[k]];
  for (uint32_t k = 0; k < w->n_fractional; k++) {
    const uint32_t j = w->fractional[k];
    if (priority[j] != highest) continue;
    const candidate c = {j, w->x[j], score_of(w, j, w->x[j], 0, 0), false};
    n_known = insert_candidate(known, n_known, MAX_SLOPES, &c);
  }
  for (uint32_t k = 0; k < n_known; k++) {
    candidate c = known[k];
    double down = 0, up = 0;
    irl_lp_slopes(w->lp, c.column, &down, &up, &w->work);
    c.score = score_of(w, c.column, c.x, down, up);
    c.is_reliable = irl_milp_pseudocost_count(&w->pseudo, c.column) >= RELIABLE;
    n = insert_candidate(list, n, MAX_PROBES + 1, &c);
  }
  return n;
}

/* Solves one child; true: there is nothing in it. */
static bool probe_side(irl_milp_worker *w, const candidate *c, bool is_up, double objective,
                       double *gain) {
  const size_t mark = w->domain.trail.n;
  const uint64_t before = w->iterations;
  double value = objective;
  bool is_empty = false;
  irl_milp_domain_branch(&w->domain, c->column, is_up ? ceil(c->x) : floor(c->x), is_up);
  if (!irl_milp_domain_propagate(&w->domain)) {
    is_empty = true;
  } else {
    const irl_lp_end end = irl_milp_worker_lp(w, PROBE_STEPS, &value);
    is_empty = end == IRL_LP_INFEASIBLE || end == IRL_LP_CUTOFF;
    if (end == IRL_LP_TROUBLE || end == IRL_LP_UNBOUNDED) value = objective;
    if (end == IRL_LP_OPTIMAL)
      irl_milp_worker_note_gain(w, c->column, is_up, value - objective,
                                is_up ? ceil(c->x) - c->x : c->x - floor(c->x));
  }
  *gain = fmax(0, value - objective);
  w->probe_iterations += w->iterations - before;
  irl_milp_domain_undo(&w->domain, mark);
  assert(*gain >= 0 && w->domain.trail.n == mark);
  return is_empty;
}

irl_milp_choice irl_milp_select_branching(irl_milp_worker *w, double objective,
                                          irl_milp_branching *branching) {
  const irl_milp_search *s = w->search;
  candidate list[MAX_PROBES + 1];
  irl_milp_choice result = IRL_MILP_CHOSEN;
  const uint32_t n = list_candidates(w, list);
  assert(n > 0 && n <= MAX_PROBES + 1);
  uint32_t best = 0, n_worse = 0, n_probes = 0;
  for (uint32_t k = 0; k < n && n_worse < PATIENCE && result == IRL_MILP_CHOSEN && n > 1; k++) {
    candidate *c = &list[k];
    const uint64_t probes = s->probe_iterations + w->probe_iterations;
    const uint64_t others = s->iterations + w->iterations - probes;
    if (!c->is_reliable && n_probes < MAX_PROBES &&
        (double)probes < PROBE_SHARE * (double)others + PROBE_FREE) {
      double down, up;
      if (!n_probes++) irl_lp_get_basis(w->lp, w->at);
      const bool no_down = probe_side(w, c, false, objective, &down);
      const bool no_up = probe_side(w, c, true, objective, &up);
      if (!no_down && !no_up) c->score = irl_milp_pseudocost_score(down, up);
      if (no_down && no_up) result = IRL_MILP_EMPTY;
      if (no_down != no_up) {
        result = IRL_MILP_TIGHTENED;
        irl_milp_domain_branch(&w->domain, c->column, no_down ? ceil(c->x) : floor(c->x), no_down);
      }
    }
    if (irl_milp_worker_is_cut(w)) break;
    n_worse = k == 0 || c->score > list[best].score ? 0 : n_worse + 1;
    if (k > 0 && c->score > list[best].score) best = k;
  }
  if (n_probes) irl_lp_set_basis(w->lp, w->at);
  const double x = list[best].x;
  const bool is_up = x - floor(x) > 0.5;
  *branching = (irl_milp_branching){is_up ? ceil(x) : floor(x), list[best].column, is_up};
  return result;
}
