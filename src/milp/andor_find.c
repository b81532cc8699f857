/* Recognition of AND/OR structure (andor.h): which column is a literal, a cover, an output? It
 * follows from what single rows imply, whatever their order, their scale and their names:
 *
 *   case output y     it is worth something;  y <= sum of covers, or it is a cover itself
 *   cover of a case   it excludes literals, those that the sample lacks:  a t + misses <= a, or
 *                     t + s <= 1 for each; and a clause that is not used:  <= a u in place of a
 *   cover of control  t + misses >= 1, or >= u
 *   control output y  each cover implies it:  b y >= sum of covers; or it is the cover itself
 *
 * In (MP) the covers are the decisions, so that several outputs have the same: literals are chosen
 * as they are. Literals that no case lacks stand in a bound of a sum of others.
 *
 * Rows join the literals of a place. A literal is the same one in two places if the same samples
 * lack it, which a hash of their outputs tells; the covers of a sample are compared literal by
 * literal afterwards, so a wrong guess costs the structure but not the truth. */
#include "milp/andor_find.h"
#include <math.h>
#include <stdlib.h>

#define ROLE(f, k) ((f)->role[(f)->columns[k]])

enum { MAX_PASSES = 6, MAY_NOT_RISE = 1, MAY_NOT_FALL = 2 };

bool irl_andor_fail_memory(irl_andor_finder *f) {
  f->status = irl_fail_memory(f->andor->env);
  return false;
}

/* ---- rows ---- */

static void swap(irl_andor_finder *f, uint32_t a, uint32_t b) {
  IRL_SWAP(f->columns[a], f->columns[b]);
  IRL_SWAP(f->values[a], f->values[b]);
}

static bool load(irl_andor_finder *f, uint32_t side) {
  const irl_milp_model *m = f->m;
  const uint32_t i = side / 2;
  double total = 0;
  f->n = f->n_up = 0;
  f->capacity = (side % 2 ? -m->row_lower[i] : m->row_upper[i]) + m->tolerance[i];
  if (!isfinite(f->capacity) || irl_pace_is_cut(&f->pace, m->row_start[i + 1] - m->row_start[i]))
    return false;
  for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
    const uint32_t j = m->row_column[e];
    const double a = side % 2 ? -m->row_value[e] : m->row_value[e];
    if (f->lower[j] == f->upper[j]) f->capacity -= a * f->lower[j];
    if (a == 0 || f->lower[j] == f->upper[j]) continue;
    f->columns[f->n] = j;
    f->values[f->n] = a;
    total += fabs(a);
    if (a > 0) swap(f, f->n_up++, f->n);
    if (a < 0) f->capacity -= a;
    f->n++;
  }
  return total > f->capacity;
}

bool irl_andor_next(irl_andor_finder *f, irl_andor_kind kind, uint32_t *side) {
  while (++*side < 2 * f->m->n_rows)
    if (f->kind[*side] == kind && load(f, *side)) return true;
  return false;
}

bool irl_andor_have_roles(const irl_andor_finder *f, uint32_t first, uint32_t end, unsigned roles) {
  for (uint32_t k = first; k < end; k++)
    if (!(ROLE(f, k) & roles)) return false;
  return true;
}

/* Fixes the columns of rows without any others, and those that no side and no cost keeps from a
 * bound; true: there are such. */
static bool fix_free(irl_andor_finder *f) {
  bool has_fixed = false;
  memset(f->role, 0, f->m->n_columns);
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_next(f, IRL_ANDOR_OPEN, &side);) {
    for (uint32_t k = 0; k < f->n; k++) ROLE(f, k) |= k < f->n_up ? MAY_NOT_RISE : MAY_NOT_FALL;
    if (f->n != 1) continue;
    f->lower[f->columns[0]] = f->upper[f->columns[0]] = !f->n_up;
    has_fixed = true;
  }
  for (uint32_t j = 0; j < f->m->n_columns; j++) {
    const bool falls = f->m->cost[j] >= 0 && !(f->role[j] & MAY_NOT_FALL);
    const bool rises = f->m->cost[j] <= 0 && !(f->role[j] & MAY_NOT_RISE);
    if (f->lower[j] == f->upper[j] || !(falls || rises)) continue;
    f->lower[j] = f->upper[j] = !falls;
    has_fixed = true;
  }
  return has_fixed;
}

/* Does the k-th literal of the loaded side exclude each other one? */
static bool excludes(const irl_andor_finder *f, uint32_t k) {
  for (uint32_t l = 0; l < f->n; l++)
    if (l != k && !(fabs(f->values[k]) + fabs(f->values[l]) > f->capacity)) return false;
  return true;
}

/* ---- places ---- */

static uint32_t root_of(irl_andor_finder *f, uint32_t column) {
  while (f->parent[column] != column) column = f->parent[column] = f->parent[f->parent[column]];
  return column;
}

/* Joins the columns of the loaded side but one with each other and with `anchor`, if there is one;
 * returns one of them. */
static uint32_t join(irl_andor_finder *f, uint32_t skipped, uint32_t anchor) {
  for (uint32_t k = 0; k < f->n; k++) {
    if (k == skipped) continue;
    if (anchor == IRL_ANDOR_NONE) anchor = f->columns[k];
    const uint32_t a = root_of(f, anchor), b = root_of(f, f->columns[k]);
    f->parent[a > b ? a : b] = a > b ? b : a;
  }
  return anchor;
}

/* ---- roles ---- */

static bool take_case_or(irl_andor_finder *f) {
  if (f->n_up != 1 || f->n < 2 || ROLE(f, 0) != IRL_ANDOR_CASE ||
      !irl_andor_have_roles(f, 1, f->n, IRL_ANDOR_UNKNOWN | IRL_ANDOR_CASE_COVER))
    return false;
  ROLE(f, 0) = IRL_ANDOR_JOINED_CASE;
  for (uint32_t k = 1; k < f->n; k++) {
    f->andor->is_choice |= ROLE(f, k) == IRL_ANDOR_CASE_COVER;
    ROLE(f, k) = IRL_ANDOR_CASE_COVER;
    f->output[f->columns[k]] = f->columns[0];
  }
  if (f->n - 1 > f->most_covers) f->most_covers = f->n - 1;
  return true;
}

static bool take_case_and(irl_andor_finder *f) {
  uint32_t t = 0;
  while (t < f->n_up && !(ROLE(f, t) & (IRL_ANDOR_CASE | IRL_ANDOR_CASE_COVER))) t++;
  if (t == f->n_up || f->n < 2 || f->n - f->n_up > 1) return false;
  swap(f, 0, t);
  if (!irl_andor_have_roles(f, 1, f->n_up, IRL_ANDOR_UNKNOWN | IRL_ANDOR_LITERAL) ||
      !irl_andor_have_roles(f, f->n_up, f->n, IRL_ANDOR_UNKNOWN | IRL_ANDOR_USED) ||
      !excludes(f, 0))
    return false;
  for (uint32_t k = 1; k < f->n; k++) ROLE(f, k) = k < f->n_up ? IRL_ANDOR_LITERAL : IRL_ANDOR_USED;
  f->anchor[f->columns[0]] = join(f, 0, f->anchor[f->columns[0]]);
  return true;
}

/* Of a bound on a sum of literals, perhaps times a used column, those that no case lacks. */
static bool take_literals(irl_andor_finder *f) {
  bool has_literal = f->n > f->n_up;
  if (f->n - f->n_up > 1 || !irl_andor_have_roles(f, f->n_up, f->n, IRL_ANDOR_USED)) return false;
  for (uint32_t k = 0; k < f->n_up; k++) {
    has_literal |= ROLE(f, k) == IRL_ANDOR_LITERAL;
    if (f->values[k] != f->values[0] || f->m->cost[f->columns[k]] != 0) return false;
  }
  if (!has_literal || !irl_andor_have_roles(f, 0, f->n_up, IRL_ANDOR_UNKNOWN | IRL_ANDOR_LITERAL))
    return false;
  for (uint32_t k = 0; k < f->n_up; k++) ROLE(f, k) = IRL_ANDOR_LITERAL;
  if (f->n > f->n_up) join(f, f->n, IRL_ANDOR_NONE);
  return false; /* how many, is asked later */
}

static bool take_control_and(irl_andor_finder *f) {
  uint32_t t = f->n_up;
  while (t < f->n && ROLE(f, t) == IRL_ANDOR_LITERAL) t++;
  if (t == f->n || f->n < 2 || f->n_up > 1) return false;
  swap(f, f->n_up, t);
  if (!irl_andor_have_roles(f, 0, f->n_up, IRL_ANDOR_USED) ||
      !(ROLE(f, f->n_up) & (IRL_ANDOR_UNKNOWN | IRL_ANDOR_CONTROL_COVER)) ||
      !irl_andor_have_roles(f, f->n_up + 1, f->n, IRL_ANDOR_LITERAL))
    return false;
  ROLE(f, f->n_up) = IRL_ANDOR_CONTROL_COVER;
  join(f, f->n_up, IRL_ANDOR_NONE);
  return true;
}

static bool take_control_or(irl_andor_finder *f) {
  const unsigned covers = f->andor->is_choice ? IRL_ANDOR_LITERAL : IRL_ANDOR_CONTROL_COVER;
  const uint32_t last = f->n - 1;
  if (!f->n_up || f->n_up != last || !irl_andor_have_roles(f, 0, last, covers) ||
      !(ROLE(f, last) & (IRL_ANDOR_UNKNOWN | IRL_ANDOR_CONTROL)) || !excludes(f, last))
    return false;
  ROLE(f, last) = IRL_ANDOR_CONTROL;
  for (uint32_t k = 0; k < last; k++) f->output[f->columns[k]] = f->columns[last];
  return true;
}

static void take_all(irl_andor_finder *f, bool (*take)(irl_andor_finder *), irl_andor_kind kind) {
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_next(f, IRL_ANDOR_OPEN, &side);)
    if (take(f)) f->kind[side] = (uint8_t)kind;
}

static bool find_roles(irl_andor_finder *f) {
  const irl_milp_model *m = f->m;
  for (uint32_t j = 0; j < m->n_columns; j++)
    if (m->lower[j] != m->upper[j] && !irl_milp_is_binary(m, j)) return false;
  for (uint32_t pass = 0; pass < MAX_PASSES && fix_free(f); pass++) continue;
  for (uint32_t j = 0; j < m->n_columns; j++) {
    const bool is_fixed = f->lower[j] == f->upper[j];
    f->parent[j] = f->output[j] = j;
    f->anchor[j] = f->place[j] = f->first_cover[j] = IRL_ANDOR_NONE;
    f->role[j] = m->cost[j] < 0 && !is_fixed ? IRL_ANDOR_CASE : IRL_ANDOR_UNKNOWN;
  }
  take_all(f, take_case_or, IRL_ANDOR_CASE_OR);
  if (!f->andor->is_choice) take_all(f, take_case_and, IRL_ANDOR_CASE_AND);
  for (uint32_t j = 0; j < m->n_columns; j++) {
    if (f->role[j] == IRL_ANDOR_CASE && f->anchor[j] == IRL_ANDOR_NONE) return false;
    if (f->andor->is_choice && f->role[j] == IRL_ANDOR_CASE_COVER) f->role[j] = IRL_ANDOR_LITERAL;
  }
  take_all(f, take_literals, IRL_ANDOR_OPEN);
  if (!f->andor->is_choice) take_all(f, take_control_and, IRL_ANDOR_CONTROL_AND);
  take_all(f, take_control_or, IRL_ANDOR_CONTROL_OR);
  return true;
}

/* Numbers the places by their first literals; their columns go into `literals` and `used`. Where no
 * case has two covers there is one place. */
static bool number_places(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  const uint32_t n = f->m->n_columns;
  const bool is_one = a->is_choice || f->most_covers <= 1;
  uint32_t n_all = 0, n_used = 0, sizes[IRL_MAX_K] = {0};
  for (uint32_t j = 0; j < n; j++) {
    if (f->role[j] != IRL_ANDOR_LITERAL) continue;
    uint32_t *number = &f->place[is_one ? 0 : root_of(f, j)];
    if (*number == IRL_ANDOR_NONE) *number = a->n_places++;
    n_all++;
  }
  if (!n_all || n_all % a->n_places || a->n_places > IRL_MAX_K) return false;
  a->n_literals = n_all / a->n_places;
  a->literals = irl_arena_alloc(&a->arena, n_all, sizeof *a->literals);
  a->used = irl_arena_alloc_unset(&a->arena, a->n_places, sizeof *a->used);
  if (!a->literals || !a->used) return irl_andor_fail_memory(f);
  memset(a->used, 0xff, a->n_places * sizeof *a->used);
  for (uint32_t j = 0; j < n; j++) {
    if (!(f->role[j] & (IRL_ANDOR_LITERAL | IRL_ANDOR_USED))) continue;
    const uint32_t p = f->place[is_one ? 0 : root_of(f, j)];
    if (p == IRL_ANDOR_NONE) return false;
    f->place[j] = p;
    if (f->role[j] == IRL_ANDOR_USED) {
      if (a->used[p] != IRL_ANDOR_NONE) return false;
      a->used[p] = j;
      n_used++;
    } else {
      if (sizes[p] == a->n_literals) return false;
      a->literals[p * a->n_literals + sizes[p]++] = j;
    }
  }
  a->may_be_unused = n_used > 0;
  return !n_used || n_used == a->n_places;
}

/* ---- covers ---- */

/* Calls `take` with the number and the output of the cover for each AND; in (MP), where every
 * output is a cover of the literals, for each OR. Covers of cases have the first numbers. */
static void each_cover(irl_andor_finder *f, void (*take)(irl_andor_finder *f, uint32_t number,
                                                         uint32_t output, uint32_t place)) {
  const bool is_choice = f->andor->is_choice;
  const irl_andor_kind kinds[] = {is_choice ? IRL_ANDOR_CASE_OR : IRL_ANDOR_CASE_AND,
                                  is_choice ? IRL_ANDOR_CONTROL_OR : IRL_ANDOR_CONTROL_AND};
  const unsigned roles = is_choice ? IRL_ANDOR_JOINED_CASE | IRL_ANDOR_CONTROL : IRL_ANDOR_COVERS;
  uint32_t n = f->n_numbered;
  for (int is_control = 0; is_control < 2; is_control++)
    for (uint32_t side = IRL_ANDOR_NONE; irl_andor_next(f, kinds[is_control], &side);) {
      uint32_t k = 0;
      while (!(ROLE(f, k) & roles)) k++;
      const uint32_t t = f->columns[k];
      take(f, is_control && !is_choice ? n++ : f->number[t], f->output[t],
           f->place[f->columns[k == 0]]);
    }
  f->n_covers = n;
}

static void note_place(irl_andor_finder *f, uint32_t number, uint32_t output, uint32_t place) {
  (void)number;
  f->is_bad |= f->andor->may_be_unused && f->n == f->n_up; /* it covers cases though not used */
  f->places[output] |= (uint64_t)1 << place;
}

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* A sample that some places do not cover would tell them apart. */
static void add_hash(irl_andor_finder *f, uint32_t number, uint32_t output, uint32_t place) {
  (void)number, (void)place;
  for (uint32_t k = 0; k < f->n && f->places[output] == irl_andor_all_places(f->andor); k++)
    if (ROLE(f, k) == IRL_ANDOR_LITERAL) f->hash[f->columns[k]] += mix(output + 1);
}

static void put_bits(irl_andor_finder *f, uint32_t number, uint32_t output, uint32_t place) {
  uint64_t *bits = irl_bits_vector(&f->andor->missed, number);
  (void)place;
  f->cover_output[number] = output;
  for (uint32_t k = 0; k < f->n; k++)
    if (ROLE(f, k) == IRL_ANDOR_LITERAL) irl_bits_set(bits, f->at[f->columns[k]]);
}

typedef struct key {
  uint64_t hash;
  uint32_t column;
} key;

static int by_hash(const void *x, const void *y) {
  const key *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

/* Puts the literals of all places in the order of those of the first place, by their hashes. */
static bool match_literals(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  const uint32_t n = a->n_literals;
  key *keys = irl_arena_alloc(&f->arena, 2 * (size_t)n, sizeof *keys);
  if (!keys) return irl_andor_fail_memory(f);
  for (uint32_t p = 0; p < a->n_places; p++) {
    uint32_t *own = a->literals + (size_t)p * n;
    key *sorted = keys + (p ? n : 0);
    for (uint32_t l = 0; l < n; l++) {
      if (!p) f->at[own[l]] = l;
      sorted[l] = (key){f->hash[own[l]], own[l]};
    }
    qsort(sorted, n, sizeof *sorted, by_hash);
    for (uint32_t l = 0; l < n; l++) {
      f->at[sorted[l].column] = f->at[keys[l].column];
      own[f->at[sorted[l].column]] = sorted[l].column;
    }
  }
  return true;
}

/* The literals that each cover misses, in (MP) those that it has; false: the covers of a sample
 * differ, or clauses that are not used may cover cases. */
static bool find_covers(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  const uint32_t n = f->m->n_columns;
  for (uint32_t j = 0; j < n; j++) {
    const unsigned numbered = a->is_choice ? IRL_ANDOR_JOINED_CASE | IRL_ANDOR_CONTROL
                                           : IRL_ANDOR_CASE | IRL_ANDOR_CASE_COVER;
    if (!(f->role[j] & numbered)) continue;
    f->number[j] = f->n_numbered++;
    if (a->is_choice || f->anchor[j] != IRL_ANDOR_NONE) continue;
    f->places[f->output[j]] = irl_andor_all_places(a); /* it misses nothing */
    if (a->may_be_unused) return false;
  }
  each_cover(f, note_place);
  if (f->is_bad) return false;
  each_cover(f, add_hash);
  f->cover_output = irl_arena_alloc(&f->arena, f->n_covers, sizeof *f->cover_output);
  if (!f->cover_output) return irl_andor_fail_memory(f);
  f->status = irl_bits_matrix_init(a->env, &a->missed, f->n_covers, a->n_literals);
  if (f->status || !match_literals(f)) return false;
  for (uint32_t j = 0; j < n; j++)
    if (f->role[j] & (IRL_ANDOR_CASE | IRL_ANDOR_CASE_COVER) && !a->is_choice)
      f->cover_output[f->number[j]] = f->output[j];
  each_cover(f, put_bits);
  const size_t size = a->missed.stride * sizeof *a->missed.words;
  for (uint32_t c = 0; c < f->n_covers && !f->pace.is_cut; c++) {
    uint32_t *first = &f->first_cover[f->cover_output[c]];
    if (*first == IRL_ANDOR_NONE) *first = c;
    if (memcmp(irl_bits_vector(&a->missed, c), irl_bits_vector(&a->missed, *first), size))
      return false;
  }
  return !f->pace.is_cut;
}

/* ---- the whole ---- */

void irl_andor_free(irl_andor *a) {
  irl_bits_matrix_free(&a->missed);
  irl_data_free(a->data);
  irl_arena_free(&a->arena);
  *a = (irl_andor){0};
}

static bool start(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  const size_t n = f->m->n_columns;
  uint32_t **by_column[] = {&f->parent, &f->place,       &f->at,     &f->output,
                            &f->anchor, &f->first_cover, &f->number, &f->columns};
  bool done = (f->lower = irl_arena_alloc(&f->arena, n, sizeof *f->lower)) &&
              (f->upper = irl_arena_alloc(&f->arena, n, sizeof *f->upper)) &&
              (f->role = irl_arena_alloc(&f->arena, n, 1)) &&
              (f->kind = irl_arena_alloc(&f->arena, 2 * (size_t)f->m->n_rows, 1)) &&
              (f->values = irl_arena_alloc(&f->arena, n, sizeof *f->values)) &&
              (f->places = irl_arena_alloc(&f->arena, n, sizeof *f->places)) &&
              (f->hash = irl_arena_alloc(&f->arena, n, sizeof *f->hash)) &&
              (a->is_high = irl_arena_alloc(&a->arena, n, sizeof *a->is_high));
  for (size_t k = 0; k < sizeof by_column / sizeof *by_column && done; k++)
    done = (*by_column[k] = irl_arena_alloc(&f->arena, n, sizeof **by_column[k]));
  if (!done) return irl_andor_fail_memory(f);
  memcpy(f->lower, f->m->lower, n * sizeof *f->lower);
  memcpy(f->upper, f->m->upper, n * sizeof *f->upper);
  return true;
}

irl_status irl_andor_find(irl_andor *a, const irl_milp_model *m, bool needs_clause,
                          const irl_limit *limit, bool *is_found) {
  irl_andor_finder f = {.andor = a, .m = m, .pace.limit = limit, .needs_clause = needs_clause};
  *a = (irl_andor){.env = m->env, .model = m};
  irl_arena_init(&a->arena, &a->env->allocator);
  irl_arena_init(&f.arena, &a->env->allocator);
  *is_found = !m->is_infeasible && start(&f) && find_roles(&f) && number_places(&f) &&
              find_covers(&f) && irl_andor_build(&f) && !f.pace.is_cut;
  irl_arena_free(&f.arena);
  if (!*is_found) irl_andor_free(a);
  return f.status;
}
