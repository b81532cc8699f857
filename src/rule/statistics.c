/* What biostatisticians ask of a clause, or of any set of samples that a condition picks out: of n1
 * cases and n0 controls it covers tp and fp.
 *
 * Precision has the interval of Wilson, which stays within 0 and 1 and is right for few samples and
 * for shares near 0 and 1, where the usual one (share +- 1.96 standard errors) is not.
 *
 * The odds ratio is tp * tn / (fp * fn), with the interval of Woolf. If a cell is 0 it is 0 or
 * infinite; then one half is added to each cell (Haldane and Anscombe), and `is_corrected` says so.
 *
 * Fisher's test sums hypergeometric probabilities. They are not computed from factorials, whose
 * logarithms lose digits on large tables, but relative to the likeliest table, outwards, each from
 * its neighbour by a ratio of small integers; the sum of all of them is the divisor. Tables that
 * are likelier only by rounding count as equally likely.
 *
 * All of this is about a condition that was fixed before the data was seen. A clause that was
 * chosen because it fits has a p-value that says nothing; the permutation test of the whole search
 * (validate/permute.c) has one that holds. */
#include "rule/statistics.h"
#include "base/contract.h"
#include "ireland_study.h"
#include <assert.h>
#include <math.h>

#define Z_95         1.959963984540054 /* the normal distribution's quantile at 0.975 */
#define AS_LIKELY    (1 + 1e-7)        /* far more than rounding, far less than a true difference */
#define HALDANE_HALF 0.5

void irl_statistics_wilson(uint64_t hits, uint64_t n, double *low, double *high) {
  irl_statistics_wilson_share(n ? (double)hits / (double)n : 0, (double)n, low, high);
}

void irl_statistics_wilson_share(double share, double count, double *low, double *high) {
  const double z2 = Z_95 * Z_95;
  *low = 0;
  *high = 1;
  if (!(count > 0)) return;
  const double middle = (share + z2 / (2 * count)) / (1 + z2 / count);
  const double half =
      Z_95 * sqrt(share * (1 - share) / count + z2 / (4 * count * count)) / (1 + z2 / count);
  if (share > 0) *low = fmax(0, middle - half);
  if (share < 1) *high = fmin(1, middle + half);
}

/* ---- Fisher's exact test ---- */

/* The tables with these margins, by the number of covered cases. */
typedef struct margins {
  double covered, cases, controls;
  double least, most;
} margins;

/* How much likelier x + 1 covered cases are than x. */
static double step_up(const margins *m, double x) {
  return (m->cases - x) * (m->covered - x) / ((x + 1) * (m->controls - m->covered + x + 1));
}

/* The weights of all tables from x on in one direction, the first of them `weight`: their sum, and
 * the sum of those that are no likelier than `limit`. */
static double sum_from(const margins *m, double x, int direction, double weight, double limit,
                       double *unlikely) {
  double sum = 0;
  while (weight > 0) {
    sum += weight;
    if (weight <= limit) *unlikely += weight;
    if (direction > 0 ? x >= m->most : x <= m->least) break;
    weight = direction > 0 ? weight * step_up(m, x) : weight / step_up(m, x - 1);
    x += direction;
  }
  return sum;
}

/* Fisher's exact test, two-sided: the chance, given the margins, of a table that is no likelier
 * than this one. */
static double fisher(uint64_t tp, uint64_t fp, uint64_t fn, uint64_t tn) {
  margins m = {
      .covered = (double)(tp + fp), .cases = (double)(tp + fn), .controls = (double)(fp + tn)};
  m.least = fmax(0, m.covered - m.controls);
  m.most = fmin(m.covered, m.cases);
  const double top =
      floor((m.covered + 1) * (m.cases + 1) / (m.cases + m.controls + 2)); /* the likeliest */
  const double mode = fmax(m.least, fmin(m.most, top));
  assert(m.least <= m.most && (double)tp >= m.least && (double)tp <= m.most);
  /* The weight of this table if that of the likeliest is 1. */
  double weight = 1, unlikely = 0;
  for (double at = mode; at < (double)tp && weight > 0; at++) weight *= step_up(&m, at);
  for (double at = mode; at > (double)tp && weight > 0; at--) weight /= step_up(&m, at - 1);
  const double limit = weight * AS_LIKELY;
  double all = sum_from(&m, mode, 1, 1, limit, &unlikely);
  if (mode > m.least)
    all += sum_from(&m, mode - 1, -1, 1 / step_up(&m, mode - 1), limit, &unlikely);
  return fmin(1, unlikely / all);
}

/* ---- all together ---- */

irl_status irl_statistics_compute(uint64_t tp, uint64_t fp, uint64_t fn, uint64_t tn,
                                  irl_statistics *out) {
  if (!irl_sized_is_set(out)) return IRL_STATUS_BAD_ARGUMENT;
  irl_statistics s = {.tp = tp, .fp = fp};
  s.precision = tp + fp ? (double)tp / (double)(tp + fp) : NAN;
  irl_statistics_wilson(tp, tp + fp, &s.precision_low, &s.precision_high);
  s.is_corrected = !tp || !fp || !fn || !tn;
  const double more = s.is_corrected ? HALDANE_HALF : 0;
  const double a = (double)tp + more, b = (double)fp + more, c = (double)fn + more,
               d = (double)tn + more;
  const double width = exp(Z_95 * sqrt(1 / a + 1 / b + 1 / c + 1 / d));
  s.odds_ratio = a * d / (b * c);
  s.odds_low = s.odds_ratio / width;
  s.odds_high = s.odds_ratio * width;
  s.fisher_p = fisher(tp, fp, fn, tn);
  return irl_sized_copy_out(out, &s, sizeof s);
}

#define FIELD(member)      IRL_FIELD(irl_statistics, member)
#define LIST(name, member) IRL_FIELD_LIST(irl_statistics, name, member, 2)
const irl_field irl_statistics_fields[] = {
    FIELD(tp),
    FIELD(fp),
    FIELD(precision),
    LIST("precision_interval", precision_low),
    FIELD(odds_ratio),
    LIST("odds_ratio_interval", odds_low),
    IRL_FIELD_AS(irl_statistics, "odds_ratio_corrected", is_corrected),
    FIELD(fisher_p),
    IRL_FIELDS_END};
