/* The structure from what was recognised: sizes of clauses, the rows that limit sums of outputs and
 * literals, and the samples as bits. Every place is compared with the first one here. */
#include "milp/andor_find.h"
#include <stdlib.h>

#define ROLE(f, j)   ((f)->andor->role[j])
#define MAX_DECIMALS 6
#define MAX_TOTAL    1e12    /* of the weights of a row: times IRL_MAX_K squared it fits 64 bits */
#define MAX_SIZE     64u     /* literals of a clause */
#define MAX_COPIES   131072u /* of samples, */
#define MAX_EACH     8u      /* beyond so many for each of them */

/* ---- sizes ---- */

/* Are the columns of the loaded side all the literals of a place, with entries of one size, and
 * perhaps its used column? The entry, or 0; *of_used is the entry of the used column. */
static double entry_of_literals(const irl_andor_finder *f, uint32_t *place, double *of_used) {
  const irl_andor *a = f->andor;
  double entry = 0;
  uint32_t n = 0;
  *of_used = 0;
  *place = IRL_ANDOR_NONE;
  for (uint32_t k = 0; k < f->n; k++) {
    const uint32_t j = f->columns[k];
    if (*place != IRL_ANDOR_NONE && a->place[j] != *place) return 0;
    *place = a->place[j];
    if (ROLE(f, j) == IRL_ANDOR_USED) {
      *of_used = f->values[k];
      continue;
    }
    if (ROLE(f, j) != IRL_ANDOR_LITERAL) return 0;
    if (n++ && !irl_andor_near(entry, f->values[k])) return 0;
    entry = f->values[k];
  }
  return n == a->n_literals ? entry : 0;
}

/* Does the loaded side bound the size of the clause at *place? The bound, or -1. */
static double size_of(const irl_andor_finder *f, uint32_t *place) {
  double of_used;
  const double entry = entry_of_literals(f, place, &of_used);
  if (!(entry > 0) || of_used > 0) return -1;
  if (of_used < 0 && !irl_andor_is_zero(f->rhs, of_used)) return -1;
  return floor((of_used < 0 ? -of_used : f->rhs) / entry + 1e-9);
}

/* Does it say that the clause has a literal, if it is used? */
static bool is_filled(const irl_andor_finder *f, uint32_t *place) {
  double of_used;
  const double entry = entry_of_literals(f, place, &of_used);
  if (!(entry < 0)) return false;
  if (of_used == 0) return irl_andor_near(f->rhs, entry);
  return irl_andor_is_zero(f->rhs, entry) && irl_andor_near(of_used, -entry);
}

/* Sizes of the clauses: where places differ the loosest one counts, and rows are left out. */
static bool find_sizes(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  uint32_t n_filled = 0, n_used = 0, place;
  double *sizes = irl_arena_alloc(&f->arena, a->K, sizeof *sizes), most = 0;
  bool *has_literal = irl_arena_alloc(&f->arena, a->K, sizeof *has_literal);
  if (!sizes || !has_literal) return false;
  for (uint32_t p = 0; p < a->K; p++) sizes[p] = a->n_literals;
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, IRL_ANDOR_OPENS, &side);) {
    const double size = size_of(f, &place);
    if (size >= 0) {
      sizes[place] = fmin(sizes[place], size);
      f->kind[side] = IRL_ANDOR_SIZE;
    } else if (is_filled(f, &place)) {
      has_literal[place] = true;
      f->kind[side] = IRL_ANDOR_FILLED;
    }
  }
  for (uint32_t p = 0; p < a->K; p++) {
    most = fmax(most, sizes[p]);
    a->is_relaxed |= sizes[p] != sizes[0];
    n_filled += has_literal[p];
    n_used += f->used[p] != IRL_ANDOR_NONE;
  }
  a->M = (uint32_t)most;
  a->may_be_unused = n_used == a->K;
  a->may_be_empty = n_filled < a->K;
  a->is_relaxed |= n_filled && n_filled < a->K;
  return n_used == 0 || n_used == a->K;
}

/* Of a choice: how many at most. */
static void find_number(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  a->K = a->n_literals;
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, IRL_ANDOR_OPENS, &side);) {
    uint32_t place;
    double of_used;
    const double entry = entry_of_literals(f, &place, &of_used);
    if (!(entry > 0) || f->rhs < 0) continue;
    const double most = floor(f->rhs / entry + 1e-9);
    if (most < a->K) a->K = (uint32_t)most;
    f->kind[side] = IRL_ANDOR_SIZE;
  }
  a->M = 1;
  a->may_be_unused = true;
}

/* A row a t + misses <= a must not forbid, with t = 0, what the size allows. */
static bool are_ands_wide(irl_andor_finder *f) {
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, 1u << IRL_ANDOR_AND_CASE, &side);) {
    double largest = 0, sum = 0, a = 0;
    for (uint32_t k = 0; k < f->n; k++) {
      if (ROLE(f, f->columns[k]) == IRL_ANDOR_LITERAL) {
        largest = fmax(largest, f->values[k]);
        sum += f->values[k];
      } else if (ROLE(f, f->columns[k]) != IRL_ANDOR_USED) {
        a = f->values[k];
      }
    }
    if (fmin(sum, largest * f->andor->M) > a * (1 + 1e-9)) return false;
  }
  return true;
}

/* ---- rows as sums ---- */

/* Does every place add to a sum in the same way? */
static bool are_places_alike(const irl_andor_finder *f, const double *values) {
  const irl_andor *a = f->andor;
  for (uint32_t p = 1; p < a->K && !a->is_choice; p++) {
    for (uint32_t l = 0; l < a->n_literals; l++)
      if (values[f->literals[p * a->n_literals + l]] != values[f->literals[l]]) return false;
    if (f->used[p] != IRL_ANDOR_NONE && values[f->used[p]] != values[f->used[0]]) return false;
  }
  return true;
}

/* Does the loaded side limit such a sum? */
static bool is_sum(irl_andor_finder *f, double *values) {
  for (uint32_t k = 0; k < f->n; k++) {
    const uint32_t j = f->columns[k];
    const double v = f->values[k];
    values[j] = v;
    switch (ROLE(f, j)) {
    case IRL_ANDOR_CASE:
      if (v > 0) return false;
      break;
    case IRL_ANDOR_CONTROL:
    case IRL_ANDOR_LITERAL:
    case IRL_ANDOR_USED:
      if (v < 0) return false;
      break;
    default:
      return false;
    }
  }
  return are_places_alike(f, values);
}

/* The objective, and open sides that are sums. */
static bool find_sums(irl_andor_finder *f) {
  const uint32_t n = f->m->n_columns;
  irl_andor *a = f->andor;
  f->n_sums = 1;
  f->sums[0].values = f->m->cost;
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, IRL_ANDOR_OPENS, &side);) {
    if (f->n_sums == IRL_ANDOR_MAX_ROWS) {
      a->is_relaxed = true;
      break;
    }
    irl_andor_sum *sum = &f->sums[f->n_sums];
    if (!sum->values) sum->values = irl_arena_alloc(&f->arena, n, sizeof *sum->values);
    if (!sum->values) return irl_andor_fail_memory(f);
    sum->limit = f->rhs;
    if (is_sum(f, sum->values)) {
      f->n_sums++;
    } else {
      memset(sum->values, 0, n * sizeof *sum->values);
      a->is_relaxed = true;
    }
  }
  /* The objective must treat the places alike too. */
  for (uint32_t j = 0; j < n; j++)
    if ((ROLE(f, j) == IRL_ANDOR_LITERAL || ROLE(f, j) == IRL_ANDOR_USED) && f->m->cost[j] < 0)
      return false;
  return are_places_alike(f, f->m->cost);
}

/* The unit in which all values of the sum are whole numbers; 0: none. */
static double unit_of(const irl_andor_finder *f, const irl_andor_sum *sum) {
  double power = 1, total = 0;
  for (uint32_t j = 0; j < f->m->n_columns; j++) total += fabs(sum->values[j]);
  for (int k = 0; k <= MAX_DECIMALS; k++, power *= 10) {
    double step = 0;
    bool is_whole = true;
    for (uint32_t j = 0; j < f->m->n_columns && is_whole; j++) {
      const double v = fabs(sum->values[j]) * power, whole = nearbyint(v);
      if (ROLE(f, j) == IRL_ANDOR_CONSTANT || v == 0) continue;
      is_whole = whole >= 1 && fabs(v - whole) <= (k ? 1e-12 * whole : 0);
      step = irl_milp_greatest_common(whole, step);
    }
    if (is_whole && total * power <= MAX_TOTAL) return step > 0 ? step / power : 1;
  }
  return 0;
}

/* ---- bits ---- */

/* What the column weighs in the row. */
static int64_t weight_of(const irl_andor_finder *f, uint32_t row, uint32_t column, double unit) {
  return (int64_t)nearbyint(fabs(f->sums[row].values[column]) / unit);
}

/* Units and limits of the rows, and what literals and clauses cost: not each its own. */
static bool weigh(irl_andor_finder *f, double *units) {
  irl_andor *a = f->andor;
  a->n_rows = f->n_sums;
  for (uint32_t i = 0; i < a->n_rows; i++) {
    irl_andor_row *row = &a->rows[i];
    double limit = f->sums[i].limit;
    units[i] = unit_of(f, &f->sums[i]);
    if (units[i] == 0) return false;
    row->literal_cost = weight_of(f, i, f->literals[0], units[i]);
    for (uint32_t l = 1; l < a->n_literals; l++)
      if (weight_of(f, i, f->literals[l], units[i]) != row->literal_cost) return false;
    if (f->used[0] != IRL_ANDOR_NONE) row->clause_cost = weight_of(f, i, f->used[0], units[i]);
    /* A case that is not covered loses what covering it would have been worth. */
    for (uint32_t k = 0; k < f->n_samples; k++)
      if (f->samples[k].is_case) limit -= f->sums[i].values[f->samples[k].output];
    row->limit = i ? (int64_t)floor(limit / units[i] + 1e-6) : INT64_MAX / 4;
  }
  a->unit = units[0];
  a->base = f->m->constant;
  for (uint32_t j = 0; j < f->m->n_columns; j++)
    if (ROLE(f, j) == IRL_ANDOR_CONSTANT) a->base += f->m->cost[j] * a->value[j];
  for (uint32_t k = 0; k < f->n_samples; k++)
    if (f->samples[k].is_case) a->base += f->m->cost[f->samples[k].output];
  return true;
}

/* Private controls of other places are like those of the first one. */
static bool is_listed(const irl_andor_sample *s) {
  return s->place == IRL_ANDOR_NONE || s->place == 0;
}

/* The weights of the samples in a row; false: they are no multiples of those in another. No number
 * divides all copies, so the factor is what divides all weights. */
static bool take_weights(irl_andor_side *side, uint32_t row, const int64_t *weights) {
  const uint64_t most = MAX_COPIES + (uint64_t)MAX_EACH * side->n_samples;
  uint64_t n = 0;
  double step = 0;
  for (uint32_t s = 0; s < side->n_samples; s++)
    step = irl_milp_greatest_common((double)weights[s], step);
  const int64_t factor = side->factors[row] = (int64_t)step;
  for (uint32_t s = 0; s < side->n_samples && factor && !side->n_copies; s++) {
    n += (uint64_t)(weights[s] / factor);
    if (n > most) return false;
    side->copies[s] = (uint32_t)(weights[s] / factor);
  }
  if (n) side->n_copies = (uint32_t)n;
  for (uint32_t s = 0; s < side->n_samples; s++)
    if (weights[s] != factor * side->copies[s]) return false;
  return true;
}

/* Where the samples stand, and what they weigh; false also if nobody counts them. */
static bool place_samples(irl_andor_finder *f, irl_andor_side *side, const double *units) {
  irl_andor *a = f->andor;
  const bool is_case = side == &a->cases;
  for (uint32_t k = 0; k < f->n_samples; k++) {
    irl_andor_sample *s = &f->samples[k];
    if (s->is_case != is_case || !is_listed(s)) continue;
    s->at = side->n_samples++;
    side->n_private += s->place == 0;
  }
  if (side->n_private && side->n_private < side->n_samples) return false;
  int64_t *weights = irl_arena_alloc(&f->arena, side->n_samples, sizeof *weights);
  side->copies = irl_arena_alloc(&a->arena, side->n_samples, sizeof *side->copies);
  if (!weights || !side->copies) return irl_andor_fail_memory(f);
  for (uint32_t i = 0; i < a->n_rows; i++) {
    for (uint32_t k = 0; k < f->n_samples; k++)
      if (f->samples[k].is_case == is_case && is_listed(&f->samples[k]))
        weights[f->samples[k].at] = weight_of(f, i, f->samples[k].output, units[i]);
    if (!take_weights(side, i, weights)) return false;
  }
  f->status = irl_bits_matrix_init(a->env, &side->bits, a->n_literals, side->n_samples);
  return !f->status && side->n_copies;
}

static void put_bits(irl_andor_finder *f, const irl_andor_sample *s) {
  irl_andor_side *side = s->is_case ? &f->andor->cases : &f->andor->controls;
  for (uint32_t l = 0; l < f->andor->n_literals; l++)
    if (!f->is_missed[l]) irl_bits_set(irl_bits_vector(&side->bits, l), s->at);
}

static bool is_as_put(const irl_andor_finder *f, const irl_andor_sample *s) {
  const irl_andor_side *side = s->is_case ? &f->andor->cases : &f->andor->controls;
  for (uint32_t l = 0; l < f->andor->n_literals; l++)
    if (irl_bits_get(irl_bits_vector(&side->bits, l), s->at) == f->is_missed[l]) return false;
  return true;
}

/* A sample with an output: the same in all places where it has a cover. A case may lack some: there
 * it is taken to be covered like in the others, which leaves a row out. */
static bool put_sample(irl_andor_finder *f, irl_andor_sample *s, uint32_t *counts) {
  irl_andor *a = f->andor;
  bool is_put = false;
  uint32_t n_places = 0;
  for (uint32_t p = 0; p < a->K; p++) {
    const uint32_t n_missed = irl_andor_misses(f, s, p);
    const bool has_cover = n_missed != IRL_ANDOR_NONE;
    bool is_good = n_missed != IRL_ANDOR_BAD && (has_cover || s->is_case);
    if (has_cover && is_put) is_good = is_as_put(f, s);
    if (has_cover && !is_put) put_bits(f, s);
    is_put |= has_cover;
    n_places += has_cover;
    counts[p] += has_cover;
    irl_andor_forget(f);
    if (!is_good) return false;
  }
  for (uint32_t c = 0; c < s->n_covers; c++) a->at[f->covers[s->first + c]] = s->at;
  a->at[s->output] = s->at;
  if (n_places < a->K) {
    a->is_relaxed = true;
    a->restricted_at[a->n_restricted] = s->at;
    a->restricted_places[a->n_restricted++] = n_places;
  }
  return is_put;
}

/* All samples with outputs; then the places in falling order of their cases. */
static bool put_samples(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  uint32_t *counts = irl_arena_alloc(&f->arena, a->K, sizeof *counts);
  a->order = irl_arena_alloc(&a->arena, a->K, sizeof *a->order);
  a->restricted_at = irl_arena_alloc(&a->arena, f->n_samples, sizeof *a->restricted_at);
  a->restricted_places = irl_arena_alloc(&a->arena, f->n_samples, sizeof *a->restricted_places);
  if (!counts || !a->order || !a->restricted_at || !a->restricted_places)
    return irl_andor_fail_memory(f);
  for (uint32_t k = 0; k < f->n_samples; k++) {
    irl_andor_sample *s = &f->samples[k];
    if (s->place == IRL_ANDOR_NONE && !put_sample(f, s, counts)) return false;
  }
  for (uint32_t p = 0; p < a->K; p++) {
    uint32_t at = p;
    for (; at > 0 && counts[a->order[at - 1]] < counts[p]; at--) a->order[at] = a->order[at - 1];
    a->order[at] = p;
  }
  return true;
}

/* The place of each cover, for the point. */
static void place_covers(irl_andor_finder *f) {
  uint32_t side;
  for (uint32_t j = 0; j < f->m->n_columns; j++) {
    if (ROLE(f, j) != IRL_ANDOR_CASE_COVER && ROLE(f, j) != IRL_ANDOR_CONTROL_COVER) continue;
    for (size_t at = 0; irl_andor_next_side(f, j, IRL_ANDOR_ANDS, &at, &side);)
      for (uint32_t k = 0; k < f->n; k++)
        if (ROLE(f, f->columns[k]) == IRL_ANDOR_LITERAL || ROLE(f, f->columns[k]) == IRL_ANDOR_USED)
          f->andor->place[j] = f->andor->place[f->columns[k]];
  }
}

/* ---- private controls ---- */

typedef struct pattern {
  uint64_t hash;
  uint32_t sample;
} pattern;

static int by_pattern(const void *x, const void *y) {
  const pattern *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return (a->sample > b->sample) - (a->sample < b->sample);
}

/* The private controls of a place by what they miss; how many, or IRL_ANDOR_NONE if one of them is
 * no AND of literals. */
static uint32_t list_private(irl_andor_finder *f, uint32_t place, pattern *list) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < f->n_samples; k++) {
    const irl_andor_sample *s = &f->samples[k];
    if (s->place != place) continue;
    uint64_t hash = (uint64_t)nearbyint(fabs(f->m->cost[s->output]) / f->andor->unit);
    if (irl_andor_misses(f, s, place) >= IRL_ANDOR_BAD) return IRL_ANDOR_NONE;
    for (uint32_t l = 0; l < f->andor->n_literals; l++)
      hash = (hash ^ f->is_missed[l]) * 0x9e3779b97f4a7c15u + (hash >> 29);
    irl_andor_forget(f);
    list[n++] = (pattern){hash, k};
  }
  qsort(list, n, sizeof *list, by_pattern);
  return n;
}

static bool put_private(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  pattern *first = irl_arena_alloc(&f->arena, f->n_samples + 1, sizeof *first);
  pattern *other = irl_arena_alloc(&f->arena, f->n_samples + 1, sizeof *other);
  if (!first || !other) return irl_andor_fail_memory(f);
  const uint32_t n = list_private(f, 0, first);
  if (n == IRL_ANDOR_NONE) return false;
  for (uint32_t k = 0; k < n; k++) {
    irl_andor_sample *s = &f->samples[first[k].sample];
    irl_andor_misses(f, s, 0);
    put_bits(f, s);
    irl_andor_forget(f);
    if (a->role[s->output] == IRL_ANDOR_CONTROL_COVER) a->at[s->output] = s->at;
  }
  for (uint32_t p = 1; p < a->K; p++) {
    if (list_private(f, p, other) != n) return false;
    for (uint32_t k = 0; k < n; k++) {
      irl_andor_sample *s = &f->samples[other[k].sample];
      const irl_andor_sample *like = &f->samples[first[k].sample];
      s->at = like->at;
      irl_andor_misses(f, s, p);
      const bool is_same =
          is_as_put(f, s) && irl_andor_near(f->m->cost[s->output], f->m->cost[like->output]);
      irl_andor_forget(f);
      if (!is_same) return false;
      a->at[s->output] = s->at;
    }
  }
  return true;
}

/* ---- choices ---- */

static void put_choice(irl_andor_finder *f, irl_andor_sample *s) {
  memset(f->is_missed, 1, f->andor->n_literals);
  for (uint32_t c = 0; c < s->n_covers; c++) {
    const uint32_t j = f->covers[s->first + c];
    if (ROLE(f, j) == IRL_ANDOR_LITERAL) f->is_missed[f->andor->at[j]] = false;
  }
  put_bits(f, s);
  f->andor->at[s->output] = s->at;
  irl_andor_forget(f);
}

bool irl_andor_build(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  double units[IRL_ANDOR_MAX_ROWS];
  if (a->is_choice)
    find_number(f);
  else if (!find_sizes(f))
    return false;
  if (!a->K || !a->M || a->K > IRL_MAX_K || a->M > MAX_SIZE) return false;
  if (!a->is_choice && !are_ands_wide(f)) return false;
  if (!find_sums(f) || !weigh(f, units)) return false;
  if (!place_samples(f, &a->cases, units) || !place_samples(f, &a->controls, units)) return false;
  if (a->is_choice) {
    for (uint32_t k = 0; k < f->n_samples; k++) put_choice(f, &f->samples[k]);
    return true;
  }
  if (!put_samples(f) || !put_private(f)) return false;
  place_covers(f);
  return true;
}
