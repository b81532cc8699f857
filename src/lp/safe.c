/* Safe bounds by weak duality (Neumaier and Shcherbina 2004).
 *
 * For any y:  c'x = (c - y'A) x + y'(Ax)  >=  sum_j min over bounds of d_j x_j
 *                                            + sum_i min over row bounds of y_i r_i.
 * It holds for every y, so y may come from a simplex run that rounded as it liked; only this sum
 * must not err upward. Each d_j is known up to an error that is bounded a priori, by the number of
 * its terms times half an ulp of the sum of their absolute values; the product takes the worst end
 * of that interval; each operation is rounded one step outward, and the final sum is lowered by
 * its own error bound. No rounding mode is changed, so this is safe in threads and on any CPU. */
#include "base/memory.h"
#include "lp/lp_model.h"
#include <float.h>
#include <math.h>

/* Half an ulp of 1, doubled for the roundings inside the error bound itself. */
#define UNIT DBL_EPSILON

/* A sum that knows how far off it may be. */
typedef struct sum {
  double value, size; /* size: sum of absolute values */
  double n;           /* terms, each a rounded product, and additions */
} sum;

static void add(sum *s, double term) {
  s->value += term;
  s->size += fabs(term);
  s->n++;
}

static double error_of(const sum *s) {
  return s->n == 0 ? 0 : (s->n + 2) * UNIT * s->size + s->n * DBL_MIN;
}

static double down(double value) {
  return nextafter(value, -INFINITY);
}

static double up(double value) {
  return nextafter(value, INFINITY);
}

/* A lower bound on d * x for d in [low, high] and x in [lower, upper]. */
static double least_product(double low, double high, double lower, double upper) {
  assert(!(low > high));
  double least = INFINITY;
  const double d[] = {low, high}, x[] = {lower, upper};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++) {
      /* 0 times an infinite bound is 0: the bound may be taken as large as one likes. */
      const double product = d[i] == 0 || x[k] == 0 ? 0 : d[i] * x[k];
      least = fmin(least, product);
    }
  }
  return least == 0 ? 0 : down(least);
}

typedef struct safe {
  const irl_lp *lp;
  double *y;    /* with entries that no bound supports set to zero */
  sum *columns; /* y'A */
  sum total;
  bool is_costless; /* as if all costs were 0 */
  bool is_negated;  /* -y instead of y */
  double *reduced;  /* NULL: not asked for */
} safe;

static void take_columns(safe *s) {
  const irl_lp *lp = s->lp;
  for (uint32_t j = 0; j < lp->columns.count; j++) {
    sum d = s->columns[j];
    const bool is_exact = d.n == 0;
    const double cost = s->is_costless ? 0 : lp->cost[j];
    d.value = cost - d.value;
    d.size += fabs(cost);
    d.n++;
    const double error = is_exact ? 0 : error_of(&d);
    assert(!(error < 0) && d.n >= 1);
    const double low = is_exact ? d.value : down(d.value - error);
    const double high = is_exact ? d.value : up(d.value + error);
    if (s->reduced) s->reduced[j] = low > 0 ? low : high < 0 ? high : 0;
    add(&s->total, least_product(low, high, lp->columns.lower[j], lp->columns.upper[j]));
  }
}

static irl_status compute_bound(safe *s, const double *y, double *bound) {
  const irl_lp *lp = s->lp;
  const irl_allocator *a = &lp->allocator;
  s->y = irl_mem_alloc(a, lp->rows.count, sizeof *s->y);
  s->columns = irl_mem_alloc(a, lp->columns.count, sizeof *s->columns);
  const bool has_memory = s->y && s->columns;
  if (has_memory) {
    for (uint32_t i = 0; i < lp->rows.count; i++) {
      const double own = s->is_negated ? -y[i] : y[i];
      const double side = own > 0 ? lp->rows.lower[i] : lp->rows.upper[i];
      s->y[i] = isfinite(side) && isfinite(own) ? own : 0;
      if (s->y[i] != 0) add(&s->total, down(s->y[i] * side));
    }
    for (size_t e = 0; e < lp->n_entries; e++) {
      const irl_lp_entry *entry = &lp->entries[e];
      if (s->y[entry->row] != 0) add(&s->columns[entry->column], entry->value * s->y[entry->row]);
    }
    take_columns(s);
    if (!s->is_costless) add(&s->total, lp->constant);
    const double value = down(s->total.value - up(error_of(&s->total)));
    *bound = isnan(value) ? -INFINITY : value;
    assert(!(*bound > s->total.value));
  }
  irl_mem_free(a, s->y);
  irl_mem_free(a, s->columns);
  return has_memory ? IRL_STATUS_OK : irl_fail_memory(lp->env);
}

irl_status irl_lp_safe_bound(const irl_lp *lp, const double *y, double *bound) {
  safe s = {.lp = lp};
  return compute_bound(&s, y, bound);
}

irl_status irl_lp_safe_reduced(const irl_lp *lp, const double *y, double *bound, double *reduced) {
  safe s = {.lp = lp, .reduced = reduced};
  return compute_bound(&s, y, bound);
}

irl_status irl_lp_safe_infeasible(const irl_lp *lp, const double *y, bool *is_proven) {
  irl_status status = IRL_STATUS_OK;
  *is_proven = false;
  for (int sign = 0; sign < 2 && !status && !*is_proven; sign++) {
    safe s = {.lp = lp, .is_costless = true, .is_negated = sign == 0};
    double bound = -INFINITY;
    status = compute_bound(&s, y, &bound);
    *is_proven = !status && bound > 0;
  }
  return status;
}
