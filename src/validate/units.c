#include "validate/units.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

/* Streams of random numbers */
#define HOLD_OUT_STREAM ((uint64_t)1 << 40)
#define HOLD_OUT_UNITS  ((uint64_t)1 << 44)

/* ---- single samples ---- */

/* The samples of a class in random order; returns how many. */
static uint32_t list_class(const uint8_t *labels, uint32_t n, bool is_case, irl_random *random,
                           uint32_t *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++)
    if ((labels[i] != 0) == is_case) list[count++] = i;
  for (uint32_t i = count; i > 1; i--) {
    const uint64_t k = irl_random_below(random, i);
    const uint32_t kept = list[i - 1];
    list[i - 1] = list[k];
    list[k] = kept;
  }
  return count;
}

static irl_status fold_samples(irl_env *env, irl_random *random, const uint8_t *labels, uint32_t n,
                               uint32_t n_folds, uint32_t *fold_of) {
  uint32_t *list = irl_mem_alloc(&env->allocator, n, sizeof *list), next = 0;
  assert(n_folds);
  if (!list) return irl_fail_memory(env);
  for (int is_case = 1; is_case >= 0; is_case--) {
    const uint32_t count = list_class(labels, n, is_case, random, list);
    for (uint32_t i = 0; i < count; i++, next = (next + 1) % n_folds) fold_of[list[i]] = next;
  }
  irl_mem_free(&env->allocator, list);
  return IRL_STATUS_OK;
}

static irl_status hold_out_samples(irl_env *env, const uint8_t *labels, uint32_t n, double share,
                                   uint64_t seed, uint32_t *is_held) {
  uint32_t *list = irl_mem_alloc(&env->allocator, n, sizeof *list);
  irl_random random;
  assert(share > 0 && share < 1);
  if (!list) return irl_fail_memory(env);
  irl_random_init(&random, seed, HOLD_OUT_STREAM);
  memset(is_held, 0, n * sizeof *is_held);
  for (int is_case = 1; is_case >= 0; is_case--) {
    const uint32_t count = list_class(labels, n, is_case, &random, list);
    uint32_t wanted = (uint32_t)lround(share * count);
    if (!wanted && count > 1) wanted = 1;
    if (wanted >= count && count) wanted = count - 1;
    for (uint32_t i = 0; i < wanted; i++) is_held[list[i]] = 1;
  }
  irl_mem_free(&env->allocator, list);
  return IRL_STATUS_OK;
}

/* ---- the units ---- */

/* Numbers the groups that occur, in the order of their first samples. */
static irl_status number_groups(irl_env *env, irl_units *units, const irl_table *table,
                                const irl_rows *rows) {
  uint32_t *number = irl_mem_alloc(&env->allocator, table->groups.n, sizeof *number);
  if (!number) return irl_fail_memory(env);
  units->n = 0;
  for (uint32_t i = 0; i < units->n_rows; i++) {
    uint32_t *own = &number[table->groups.of[irl_rows_sample(rows, i)]];
    if (!*own) *own = ++units->n;
    units->of[i] = *own - 1;
  }
  irl_mem_free(&env->allocator, number);
  return IRL_STATUS_OK;
}

irl_status irl_units_init(irl_env *env, irl_units *units, const irl_table *table,
                          const irl_rows *rows, const uint8_t *labels) {
  const uint32_t n = rows->n;
  *units = (irl_units){.n = n, .n_rows = n, .are_groups = table->groups.of != NULL};
  units->of = irl_mem_alloc(&env->allocator, n, sizeof *units->of);
  if (!units->of) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++) units->of[i] = i;
  const irl_status status =
      units->are_groups ? number_groups(env, units, table, rows) : IRL_STATUS_OK;
  if (status) return status;
  units->start = irl_mem_alloc(&env->allocator, units->n + 1, sizeof *units->start);
  units->rows = irl_mem_alloc(&env->allocator, n, sizeof *units->rows);
  units->counts = irl_mem_alloc(&env->allocator, 2 * (size_t)units->n, sizeof *units->counts);
  if (!units->start || !units->rows || !units->counts) return irl_fail_memory(env);
  for (uint32_t i = 0; i < n; i++) {
    units->start[units->of[i] + 1]++;
    units->counts[2 * units->of[i] + (labels[i] != 0)]++;
  }
  for (uint32_t u = 0; u < units->n; u++) units->start[u + 1] += units->start[u];
  for (uint32_t i = n; i-- > 0;) units->rows[--units->start[units->of[i] + 1]] = i;
  /* Each start has moved to that of the unit before it. */
  for (uint32_t u = 0; u < units->n; u++) units->start[u] = units->start[u + 1];
  units->start[units->n] = n;
  return IRL_STATUS_OK;
}

void irl_units_free(irl_env *env, irl_units *units) {
  irl_mem_free(&env->allocator, units->of);
  irl_mem_free(&env->allocator, units->start);
  irl_mem_free(&env->allocator, units->rows);
  irl_mem_free(&env->allocator, units->counts);
  irl_mem_free(&env->allocator, units->alike);
  *units = (irl_units){0};
}

uint32_t irl_units_most_folds(const irl_units *units) {
  uint32_t with[2] = {0, 0};
  for (uint32_t u = 0; u < units->n; u++)
    for (int c = 0; c < 2; c++) with[c] += units->counts[2 * u + (uint32_t)c] > 0;
  return with[0] < with[1] ? with[0] : with[1];
}

/* Samples of each class. */
static void count_classes(const irl_units *units, double *counts) {
  counts[0] = counts[1] = 0;
  for (uint32_t u = 0; u < units->n; u++)
    for (int c = 0; c < 2; c++) counts[c] += units->counts[2 * u + (uint32_t)c];
}

/* ---- folds ---- */

typedef struct placed {
  uint32_t size, place, unit;
} placed;

/* The largest first, those of one size in their random order. */
static int compare_placed(const void *a, const void *b) {
  const placed *x = a, *y = b;
  if (x->size != y->size) return x->size > y->size ? -1 : 1;
  if (x->place != y->place) return x->place < y->place ? -1 : 1;
  return (x->unit > y->unit) - (x->unit < y->unit);
}

static void put_in_order(const irl_units *units, irl_random *random, placed *order) {
  for (uint32_t u = 0; u < units->n; u++) order[u] = (placed){irl_units_size(units, u), u, u};
  for (uint32_t i = units->n; i > 1; i--) {
    const uint64_t k = irl_random_below(random, i);
    const uint32_t kept = order[i - 1].place;
    order[i - 1].place = order[k].place;
    order[k].place = kept;
  }
  qsort(order, units->n, sizeof *order, compare_placed);
}

/* The sum over folds and classes of the squared shares of the class is least where all have the
 * same. So each unit goes where this sum grows least. */
irl_status irl_units_folds(irl_env *env, const irl_units *units, const uint8_t *labels,
                           irl_random *random, uint32_t n_folds, uint32_t *fold_of) {
  if (!units->are_groups) return fold_samples(env, random, labels, units->n_rows, n_folds, fold_of);
  placed *order = irl_mem_alloc(&env->allocator, units->n, sizeof *order);
  double *held = irl_mem_alloc(&env->allocator, 2 * (size_t)n_folds, sizeof *held), all[2];
  const bool is_ready = order && held;
  assert(n_folds);
  count_classes(units, all);
  if (is_ready) put_in_order(units, random, order);
  for (uint32_t i = 0; i < units->n && is_ready; i++) {
    const uint32_t u = order[i].unit, *counts = &units->counts[2 * u];
    uint32_t best = 0;
    double least = 0;
    for (uint32_t f = 0; f < n_folds; f++) {
      double growth = 0;
      for (int c = 0; c < 2; c++)
        if (all[c] > 0) growth += held[2 * f + (uint32_t)c] * counts[c] / (all[c] * all[c]);
      const bool is_smaller = held[2 * f] + held[2 * f + 1] < held[2 * best] + held[2 * best + 1];
      if (f && !(growth < least) && (growth > least || !is_smaller)) continue;
      best = f;
      least = growth;
    }
    for (int c = 0; c < 2; c++) held[2 * best + (uint32_t)c] += counts[c];
    for (uint32_t k = units->start[u]; k < units->start[u + 1]; k++) fold_of[units->rows[k]] = best;
  }
  irl_mem_free(&env->allocator, order);
  irl_mem_free(&env->allocator, held);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(env);
}

uint32_t irl_units_given_folds(const irl_table *table, const irl_rows *rows, uint32_t *fold_of) {
  uint32_t n = 0;
  assert(table->folds.of);
  for (uint32_t f = 0; f < table->folds.n; f++) { /* folds may have no sample here */
    bool is_used = false;
    for (uint32_t i = 0; i < rows->n; i++)
      if (table->folds.of[irl_rows_sample(rows, i)] == f) {
        if (fold_of) fold_of[i] = n;
        is_used = true;
      }
    n += is_used;
  }
  return n;
}

irl_status irl_units_hold_out(irl_env *env, const irl_units *units, const uint8_t *labels,
                              double share, uint64_t seed, uint32_t *is_held) {
  if (!units->are_groups) return hold_out_samples(env, labels, units->n_rows, share, seed, is_held);
  placed *order = irl_mem_alloc(&env->allocator, units->n, sizeof *order);
  double all[2], held[2] = {0, 0};
  irl_random random;
  if (!order) return irl_fail_memory(env);
  irl_random_init(&random, seed, HOLD_OUT_UNITS);
  count_classes(units, all);
  put_in_order(units, &random, order);
  memset(is_held, 0, units->n_rows * sizeof *is_held);
  for (uint32_t i = 0; i < units->n; i++) { /* whatever brings both shares nearer */
    const uint32_t u = order[i].unit, *counts = &units->counts[2 * u];
    double change = 0;
    for (int c = 0; c < 2; c++) {
      const double now = held[c] / all[c] - share, then = (held[c] + counts[c]) / all[c] - share;
      change += then * then - now * now;
    }
    if (!(change < 0)) continue;
    for (int c = 0; c < 2; c++) held[c] += counts[c];
    for (uint32_t k = units->start[u]; k < units->start[u + 1]; k++) is_held[units->rows[k]] = 1;
  }
  irl_mem_free(&env->allocator, order);
  for (int c = 0; c < 2; c++)
    if (!(held[c] > 0) || !(held[c] < all[c]))
      return irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "groups are held out whole, and these leave no %s to %s",
                      c ? "case" : "control", held[c] > 0 ? "learn from" : "test on");
  return IRL_STATUS_OK;
}

/* ---- bags and shuffles ---- */

irl_status irl_units_bag(irl_env *env, const irl_units *units, irl_random *random, uint32_t **bag,
                         uint32_t *n, uint8_t *is_in) {
  uint32_t *drawn = irl_mem_alloc(&env->allocator, units->n, sizeof *drawn);
  size_t size = 0;
  *bag = NULL;
  *n = 0;
  if (!drawn) return irl_fail_memory(env);
  for (uint32_t i = 0; i < units->n; i++) {
    drawn[i] = (uint32_t)irl_random_below(random, units->n);
    size += irl_units_size(units, drawn[i]);
  }
  if (size < UINT32_MAX) *bag = irl_mem_alloc(&env->allocator, size, sizeof **bag);
  memset(is_in, 0, units->n_rows);
  for (uint32_t i = 0; i < units->n && *bag; i++)
    for (uint32_t k = units->start[drawn[i]]; k < units->start[drawn[i] + 1]; k++) {
      is_in[units->rows[k]] = 1;
      (*bag)[(*n)++] = units->rows[k];
    }
  irl_mem_free(&env->allocator, drawn);
  return *bag ? IRL_STATUS_OK : irl_fail_memory(env);
}

/* The stratum of a unit, which all its samples have. */
static uint32_t stratum_of(const irl_units *units, const uint32_t *strata, uint32_t unit) {
  return strata ? strata[units->rows[units->start[unit]]] : 0;
}

/* By size, and within a size by stratum: those that are alike in both stand together. */
irl_status irl_units_sort(irl_env *env, irl_units *units, const uint32_t *strata) {
  placed *order = irl_mem_alloc(&env->allocator, units->n, sizeof *order);
  units->alike = irl_mem_alloc(&env->allocator, units->n, sizeof *units->alike);
  const bool is_ready = order && units->alike;
  for (uint32_t u = 0; u < units->n && is_ready; u++)
    order[u] = (placed){irl_units_size(units, u), stratum_of(units, strata, u), u};
  if (is_ready) qsort(order, units->n, sizeof *order, compare_placed);
  for (uint32_t u = 0; u < units->n && is_ready; u++) units->alike[u] = order[u].unit;
  irl_mem_free(&env->allocator, order);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(env);
}

void irl_units_shuffle(const irl_units *units, const uint8_t *labels, const uint32_t *strata,
                       irl_random *random, uint32_t *order, uint8_t *shuffled) {
  assert(units->alike);
  memcpy(order, units->alike, units->n * sizeof *order); /* whose labels each gets */
  for (uint32_t first = 0, end; first < units->n; first = end) {
    const uint32_t leader = units->alike[first];
    for (end = first + 1; end < units->n; end++) /* those that are alike */
      if (irl_units_size(units, units->alike[end]) != irl_units_size(units, leader) ||
          stratum_of(units, strata, units->alike[end]) != stratum_of(units, strata, leader))
        break;
    for (uint32_t i = end; i > first + 1; i--) {
      const uint64_t k = first + irl_random_below(random, i - first);
      IRL_SWAP(order[i - 1], order[k]);
    }
  }
  for (uint32_t i = 0; i < units->n; i++)
    for (uint32_t k = 0; k < irl_units_size(units, units->alike[i]); k++)
      shuffled[units->rows[units->start[units->alike[i]] + k]] =
          labels[units->rows[units->start[order[i]] + k]];
}

double irl_units_effect(const irl_units *units, const uint8_t *labels, const uint8_t *is_right,
                        bool of_cases) {
  double n = 0, hits = 0, squares = 0, n_units = 0;
  for (uint32_t i = 0; i < units->n_rows; i++)
    if ((labels[i] != 0) == of_cases) {
      n++;
      hits += is_right[i];
    }
  const double share = hits / n, simple = share * (1 - share) / n;
  if (!units->are_groups) return 1;
  for (uint32_t u = 0; u < units->n; u++) {
    double own = 0, right = 0;
    for (uint32_t k = units->start[u]; k < units->start[u + 1]; k++) {
      const uint32_t i = units->rows[k];
      if ((labels[i] != 0) != of_cases) continue;
      own++;
      right += is_right[i];
    }
    n_units += own > 0;
    squares += (right - share * own) * (right - share * own);
  }
  if (n_units < 2 || !(simple > 0)) return n / n_units; /* each group counts once */
  const double effect = n_units / (n_units - 1) * squares / (n * n) / simple;
  return effect > 1 ? effect : 1;
}
