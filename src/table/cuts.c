/* Where to cut the values of a number column, learnt from some samples.
 *
 * quantile:Q  at most Q cut points that split the values into parts of about equal size; a cut lies
 *             between two neighbouring values, the nearest such place to the quantile. Columns of
 *             few values get all of theirs.
 * mdl         U. M. Fayyad and K. B. Irani, Multi-interval discretization of continuous-valued
 *             attributes for classification learning, IJCAI 1993: split where the entropy of the
 *             classes falls most, as long as that pays for its description length, and then both
 *             sides on their own. Columns that tell nothing about the class get no cut, except
 *             those of few values, which get all of theirs here too: what says nothing alone may
 *             say all together with others (x1 = x2). mdl:Q has Q quantiles besides, for columns
 *             that matter in company only; mdl:3 is the default.
 * all         every place where the class changes (E. Boros, P. L. Hammer, T. Ibaraki, A. Kogan,
 *             Logical analysis of numerical data, Mathematical Programming 79, 1997): between
 *             neighbouring values unless both belong to the same class alone. No other cut can
 *             separate more.
 *
 * A cut point is the number of fewest digits near the middle of the two values (base/number.h). */
#include "table/cuts.h"
#include "base/limit.h"
#include "base/number.h"
#include "table/raw_table.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_QUANTILES 9u
#define DEFAULT_EXTRA     3u /* measured in bench/results/RESULTS.md */

void irl_cut_make_plan(const irl_cuts *cuts, irl_cut_plan *plan) {
  const uint32_t n = cuts->n_quantiles;
  const bool is_quantile = cuts->method == IRL_CUT_QUANTILE;
  *plan = (irl_cut_plan){.method = cuts->method ? cuts->method : IRL_CUT_MDL,
                         .n_quantiles = is_quantile && n ? n : DEFAULT_QUANTILES,
                         .n_extra = cuts->method == IRL_CUT_DEFAULT ? DEFAULT_EXTRA
                                    : cuts->method == IRL_CUT_MDL   ? n
                                                                    : 0};
}

static int compare(const void *a, const void *b) {
  const double x = ((const irl_cut_value *)a)->value, y = ((const irl_cut_value *)b)->value;
  return (x > y) - (x < y);
}

/* Has a limit come, after so much more work in values? To write a cut in few digits is as much work
 * as CUT_WORK values. */
#define CUT_WORK 64u
static bool is_stopped(const irl_cut_plan *plan, size_t *work, size_t more) {
  *work += more;
  if (!plan->env || *work < IRL_READING_STEP) return false;
  *work = 0;
  return irl_reading_limit_reached(plan->env);
}

/* May a cut lie before values[i]? */
static bool is_place(const irl_cut_value *values, size_t i) {
  return values[i - 1].value < values[i].value;
}

static double cut_before(const irl_cut_value *values, size_t i) {
  return irl_number_between(values[i - 1].value, values[i].value);
}

/* ---- quantiles ---- */

/* The place nearest to `i`, the lower of two; 0 if there is none. */
static size_t nearest_place(const irl_cut_value *values, size_t n, size_t i) {
  for (size_t d = 0; d < n; d++) {
    if (i > d && i - d < n && is_place(values, i - d)) return i - d;
    if (i + d > 0 && i + d < n && is_place(values, i + d)) return i + d;
  }
  return 0;
}

static size_t count_places(const irl_cut_value *values, size_t n) {
  size_t places = 0;
  for (size_t i = 1; i < n; i++) places += is_place(values, i);
  return places;
}

static size_t find_quantiles(const irl_cut_plan *plan, const irl_cut_value *values, size_t n,
                             double *cuts) {
  const size_t places = count_places(values, n), q = plan->n_quantiles;
  size_t n_cuts = 0, last = 0, work = 0;
  if (places <= q) {
    for (size_t i = 1; i < n; i++)
      if (is_place(values, i)) cuts[n_cuts++] = cut_before(values, i);
    return n_cuts;
  }
  for (size_t k = 1; k <= q; k++) {
    if (is_stopped(plan, &work, n)) return IRL_CUTS_STOPPED;
    const size_t place =
        nearest_place(values, n, (size_t)((double)n * (double)k / (double)(q + 1)));
    if (place <= last) continue;
    cuts[n_cuts++] = cut_before(values, place);
    last = place;
  }
  return n_cuts;
}

/* ---- class boundaries ---- */

static size_t find_boundaries(const irl_cut_plan *plan, const irl_cut_value *values, size_t n,
                              double *cuts) {
  size_t n_cuts = 0, start = 0, work = 0;
  int before = -1;
  for (size_t i = 1; i <= n; i++) {
    if (i < n && !is_place(values, i)) continue;
    if (is_stopped(plan, &work, CUT_WORK)) return IRL_CUTS_STOPPED;
    int class = values[start].is_case; /* of equal values; -1: they are of both */
    for (size_t k = start + 1; k < i; k++)
      if (values[k].is_case != values[start].is_case) class = -1;
    if (start && (class < 0 || class != before)) cuts[n_cuts++] = cut_before(values, start);
    before = class;
    start = i;
  }
  return n_cuts;
}

/* ---- minimum description length ---- */

static double entropy(double cases, double all) {
  if (cases <= 0 || cases >= all) return 0;
  const double p = cases / all;
  return -p * log2(p) - (1 - p) * log2(1 - p);
}

static double n_classes(double cases, double all) {
  return cases > 0 && cases < all ? 2 : 1;
}

/* The best place to split values[from .. to - 1], 0 if none pays. */
static size_t best_split(const irl_cut_value *values, size_t from, size_t to) {
  double total = 0, left = 0, best = INFINITY, best_left = 0;
  size_t place = 0;
  const double n = (double)(to - from);
  for (size_t i = from; i < to; i++) total += values[i].is_case;
  for (size_t i = from + 1; i < to; i++) {
    left += values[i - 1].is_case;
    if (!is_place(values, i)) continue;
    const double a = (double)(i - from), b = n - a;
    const double after = a / n * entropy(left, a) + b / n * entropy(total - left, b);
    if (after >= best) continue;
    best = after;
    best_left = left;
    place = i;
  }
  if (!place) return 0;
  const double a = (double)(place - from), b = n - a;
  const double gain = entropy(total, n) - best;
  const double k = n_classes(total, n), k1 = n_classes(best_left, a),
               k2 = n_classes(total - best_left, b);
  const double delta = log2(pow(3, k) - 2) - (k * entropy(total, n) - k1 * entropy(best_left, a) -
                                              k2 * entropy(total - best_left, b));
  return gain > (log2(n - 1) + delta) / n ? place : 0;
}

/* Left parts first, so that cuts come in ascending order; a part of the stack is from and to, and
 * to = 0 marks a cut that is due. */
static size_t find_mdl(const irl_cut_plan *plan, const irl_cut_value *values, size_t n,
                       double *cuts, size_t *stack) {
  size_t n_cuts = 0, depth = 0, work = 0;
  stack[depth++] = 0;
  stack[depth++] = n;
  while (depth) {
    const size_t to = stack[--depth], from = stack[--depth];
    if (is_stopped(plan, &work, to ? to - from : CUT_WORK)) return IRL_CUTS_STOPPED;
    if (!to) {
      cuts[n_cuts++] = cut_before(values, from);
      continue;
    }
    const size_t place = to - from > 1 ? best_split(values, from, to) : 0;
    if (!place) continue;
    stack[depth++] = place;
    stack[depth++] = to;
    stack[depth++] = place;
    stack[depth++] = 0;
    stack[depth++] = from;
    stack[depth++] = place;
  }
  return n_cuts;
}

/* Both kinds, each cut once. There are fewer places than values, so that room is left for one
 * quantile at a time. */
static size_t add_quantiles(const irl_cut_plan *plan, const irl_cut_value *values, size_t n,
                            double *cuts, size_t n_cuts) {
  const size_t q = plan->n_extra;
  size_t work = 0;
  for (size_t k = 1; k <= q; k++) {
    if (is_stopped(plan, &work, n)) return IRL_CUTS_STOPPED;
    const size_t place =
        nearest_place(values, n, (size_t)((double)n * (double)k / (double)(q + 1)));
    if (!place) continue;
    const double cut = cut_before(values, place);
    size_t i = 0;
    while (i < n_cuts && cuts[i] != cut) i++;
    if (i == n_cuts) cuts[n_cuts++] = cut;
  }
  qsort(cuts, n_cuts, sizeof *cuts, irl_compare_numbers);
  return n_cuts;
}

size_t irl_cut_find(const irl_cut_plan *plan, irl_cut_value *values, size_t n, double *cuts,
                    size_t *stack) {
  if (n < 2) return 0;
  qsort(values, n, sizeof *values, compare);
  const bool is_few = count_places(values, n) <= plan->n_quantiles;
  if (plan->method == IRL_CUT_ALL) return find_boundaries(plan, values, n, cuts);
  if (plan->method == IRL_CUT_QUANTILE || is_few) return find_quantiles(plan, values, n, cuts);
  const size_t n_cuts = find_mdl(plan, values, n, cuts, stack);
  assert(n_cuts < n || n_cuts == IRL_CUTS_STOPPED);
  return n_cuts == IRL_CUTS_STOPPED ? n_cuts : add_quantiles(plan, values, n, cuts, n_cuts);
}
