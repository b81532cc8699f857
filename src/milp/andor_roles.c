/* Which column is a literal, a cover, an output? It follows from the shape of the rows, whatever
 * their order, their scale and their names:
 *
 *   case output y     it is worth something; its only row is  y <= sum of covers, or it is a cover;
 *                     and rows may ask for many of them
 *   cover of a case   a t + misses <= a, or a t + misses <= a u, where a misses entry is a literal
 *                     that the sample lacks and u says that the clause is used
 *   cover of control  a t + misses >= a, or >= a u; each entry of misses is a or more
 *   control output y  b y >= sum of covers; or it is the cover itself, by all places
 *   size              sum of literals <= M, or <= M u
 *   filled            sum of literals >= 1, or >= u
 *
 * In (MP) the covers are the decisions: outputs are ORs of them.
 *
 * A row that fits nothing stays open: it may limit a sum of outputs and literals (andor_build.c),
 * or it is left out. */
#include "milp/andor_find.h"
#include <math.h>

#define ROLE(f, j) ((f)->andor->role[j])

/* How the column with entry `a` stands in the loaded side. */
typedef struct shape {
  double a;
  uint32_t n_up, n_down; /* other columns by sign */
  uint32_t down;         /* the last of the negative ones */
  double down_value;
  double largest, sum; /* of the positive ones */
} shape;

static shape shape_of(const irl_andor_finder *f, uint32_t column) {
  shape s = {0};
  for (uint32_t k = 0; k < f->n; k++) {
    if (f->columns[k] == column) {
      s.a = f->values[k];
    } else if (f->values[k] > 0) {
      s.n_up++;
      s.largest = fmax(s.largest, f->values[k]);
      s.sum += f->values[k];
    } else {
      s.n_down++;
      s.down = f->columns[k];
      s.down_value = f->values[k];
    }
  }
  return s;
}

/* a t + misses <= a, or <= a u, or t <= u. */
static bool is_case_and(const irl_andor_finder *f, const shape *s) {
  if (s->a <= 0 || s->n_down > 1) return false;
  if (s->n_down == 0) return s->n_up > 0 && irl_andor_near(f->rhs, s->a);
  return irl_andor_is_zero(f->rhs, s->a) && irl_andor_near(-s->down_value, s->a);
}

/* y <= sum of columns, each of which alone is enough. */
static bool is_case_or(const irl_andor_finder *f, const shape *s) {
  if (s->a <= 0 || s->n_up > 0 || !s->n_down || !irl_andor_is_zero(f->rhs, s->a)) return false;
  for (uint32_t k = 0; k < f->n; k++)
    if (f->values[k] < 0 && -f->values[k] < s->a * (1 - 1e-9)) return false;
  return true;
}

/* ---- cases ---- */

/* The role of a column that had none, or the same. */
static bool give_role(irl_andor_finder *f, uint32_t j, irl_andor_role role) {
  if (ROLE(f, j) != IRL_ANDOR_UNKNOWN && ROLE(f, j) != role) return false;
  ROLE(f, j) = (uint8_t)role;
  return role != IRL_ANDOR_LITERAL && role != IRL_ANDOR_USED ? true : f->m->is_integer[j];
}

/* The loaded side is the AND of a case: its other columns are literals and perhaps a used one. A
 * continuous t would be t <= 1 - misses / a. */
static bool take_case_and(irl_andor_finder *f, uint32_t side, uint32_t t) {
  const shape s = shape_of(f, t);
  uint32_t last = IRL_ANDOR_NONE;
  if (!is_case_and(f, &s)) return false;
  if (!f->m->is_integer[t] && s.n_up > 1) return false;
  f->kind[side] = IRL_ANDOR_AND_CASE;
  for (uint32_t k = 0; k < f->n; k++) {
    const uint32_t j = f->columns[k];
    if (j == t) continue;
    if (!f->m->is_integer[t] && f->values[k] > 0 && !irl_andor_near(f->values[k], s.a))
      return false;
    if (!give_role(f, j, f->values[k] > 0 ? IRL_ANDOR_LITERAL : IRL_ANDOR_USED)) return false;
    if (last != IRL_ANDOR_NONE) irl_andor_join(f, last, j);
    last = j;
  }
  return true;
}

/* All sides of the cover, but the one where it stands for its output, and those that ask for
 * outputs if it is one. */
static bool take_case_cover(irl_andor_finder *f, uint32_t t, uint32_t or_side) {
  uint32_t side, last = IRL_ANDOR_NONE;
  if (f->m->cost[t] != 0 && or_side != IRL_ANDOR_NONE) return false;
  for (size_t at = 0; irl_andor_next_side(f, t, IRL_ANDOR_ANY, &at, &side);) {
    if (side == or_side) continue;
    if (or_side == IRL_ANDOR_NONE && shape_of(f, t).a < 0) continue;
    if (!take_case_and(f, side, t)) return false;
    /* Of AND2, which has a row for each literal, all are of one place. */
    for (uint32_t k = 0; k < f->n; k++) {
      if (f->columns[k] == t) continue;
      if (last != IRL_ANDOR_NONE) irl_andor_join(f, last, f->columns[k]);
      last = f->columns[k];
    }
  }
  return last != IRL_ANDOR_NONE;
}

/* Outputs of cases: those that are covers themselves first, so that a used column is known. */
static bool find_cases(irl_andor_finder *f, bool are_covers) {
  const irl_milp_model *m = f->m;
  for (uint32_t y = 0; y < m->n_columns; y++) {
    uint32_t side, n_sides = 0, or_side = IRL_ANDOR_NONE;
    bool is_cover = false;
    if (!(m->cost[y] < 0) || ROLE(f, y) != IRL_ANDOR_UNKNOWN) continue;
    for (size_t at = 0; irl_andor_next_side(f, y, IRL_ANDOR_ANY, &at, &side);) {
      const shape s = shape_of(f, y);
      n_sides += s.a > 0; /* others ask for cases that are covered */
      is_cover |= s.n_up > 0 && is_case_and(f, &s);
      if (is_case_or(f, &s)) or_side = side;
    }
    if (or_side != IRL_ANDOR_NONE && n_sides == 1) {
      irl_andor_load_side(f, or_side);
      const shape s = shape_of(f, y);
      is_cover |= s.n_down == 1 && ROLE(f, s.down) == IRL_ANDOR_USED && is_case_and(f, &s);
    }
    if (is_cover) {
      if (!give_role(f, y, IRL_ANDOR_CASE) || !take_case_cover(f, y, IRL_ANDOR_NONE)) return false;
      continue;
    }
    if (are_covers) continue;
    if (n_sides != 1 || or_side == IRL_ANDOR_NONE) return false;
    ROLE(f, y) = IRL_ANDOR_CASE;
    f->kind[or_side] = IRL_ANDOR_OR_CASE;
    irl_andor_load_side(f, or_side);
    const uint32_t n = f->n, row = or_side / 2;
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1] && n; e++) {
      const uint32_t t = m->row_column[e];
      if (t == y || ROLE(f, t) == IRL_ANDOR_CONSTANT) continue;
      if (!give_role(f, t, IRL_ANDOR_CASE_COVER) || !take_case_cover(f, t, or_side)) return false;
    }
  }
  return true;
}

/* ---- controls ---- */

/* a t + misses >= a, or >= a u, where t is the only column of the side that is neither; as it is
 * loaded all signs are turned. */
static bool take_control_and(irl_andor_finder *f, uint32_t side) {
  uint32_t t = IRL_ANDOR_NONE, last = IRL_ANDOR_NONE;
  double a = 0;
  for (uint32_t k = 0; k < f->n; k++) {
    const uint8_t role = ROLE(f, f->columns[k]);
    if (role == IRL_ANDOR_LITERAL || role == IRL_ANDOR_USED) {
      last = f->columns[k];
      continue;
    }
    if (t != IRL_ANDOR_NONE || (role != IRL_ANDOR_UNKNOWN && role != IRL_ANDOR_CONTROL_COVER))
      return false;
    t = f->columns[k];
    a = -f->values[k];
  }
  if (t == IRL_ANDOR_NONE || last == IRL_ANDOR_NONE || !(a > 0) || f->m->cost[t] < 0) return false;
  double side_value = -a;
  for (uint32_t k = 0; k < f->n; k++) {
    const uint32_t j = f->columns[k];
    if (j == t) continue;
    if (ROLE(f, j) == IRL_ANDOR_LITERAL && -f->values[k] < a * (1 - 1e-9)) return false;
    if (ROLE(f, j) != IRL_ANDOR_USED) continue;
    if (!irl_andor_near(f->values[k], a) || side_value == 0) return false;
    side_value = 0;
  }
  if (side_value == 0 ? !irl_andor_is_zero(f->rhs, a) : !irl_andor_near(f->rhs, -a)) return false;
  for (uint32_t k = 0; k < f->n; k++)
    if (f->columns[k] != t) irl_andor_join(f, last, f->columns[k]);
  ROLE(f, t) = IRL_ANDOR_CONTROL_COVER;
  f->kind[side] = IRL_ANDOR_AND_CONTROL;
  return true;
}

/* b y >= sum of columns with the role `of`, of which at most so many are 1. With several of them y
 * must be integer and b large enough for all; a continuous y goes as far as the only one. */
static bool take_control_or(irl_andor_finder *f, uint32_t side, irl_andor_role of, double most) {
  uint32_t y = IRL_ANDOR_NONE;
  double b = 0, sum = 0, single = 0, largest = 0;
  for (uint32_t k = 0; k < f->n; k++) {
    const uint32_t j = f->columns[k];
    if (f->values[k] < 0) {
      if (y != IRL_ANDOR_NONE) return false;
      y = j;
      b = -f->values[k];
      continue;
    }
    if (ROLE(f, j) != of) return false;
    sum += f->values[k];
    single = f->values[k];
    largest = fmax(largest, single);
  }
  if (y == IRL_ANDOR_NONE || f->n < 2 || f->m->cost[y] < 0 || !irl_andor_is_zero(f->rhs, b))
    return false;
  if (ROLE(f, y) != IRL_ANDOR_UNKNOWN && ROLE(f, y) != IRL_ANDOR_CONTROL) return false;
  if (fmin(sum, most * largest) > b * (1 + 1e-9)) return false;
  if (!f->m->is_integer[y] && !(f->n == 2 && irl_andor_near(single, b))) return false;
  ROLE(f, y) = IRL_ANDOR_CONTROL;
  f->kind[side] = IRL_ANDOR_OR_CONTROL;
  return true;
}

static void find_controls(irl_andor_finder *f, irl_andor_role covers, double most) {
  uint32_t side = covers == IRL_ANDOR_CONTROL_COVER ? IRL_ANDOR_NONE : 2 * f->m->n_rows;
  while (irl_andor_load_next(f, IRL_ANDOR_OPENS, &side)) take_control_and(f, side);
  side = IRL_ANDOR_NONE;
  while (irl_andor_load_next(f, IRL_ANDOR_OPENS, &side)) take_control_or(f, side, covers, most);
}

/* ---- literals that no case misses ---- */

/* A bound on a sum of literals, perhaps times a used column: those that no case misses stand there
 * too. */
static void take_literals(irl_andor_finder *f) {
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, IRL_ANDOR_OPENS, &side);) {
    bool has_literal = false, is_sum = true;
    double entry = 0;
    for (uint32_t k = 0; k < f->n && is_sum; k++) {
      const uint8_t role = ROLE(f, f->columns[k]);
      if (role == IRL_ANDOR_USED) continue;
      if (entry == 0) entry = f->values[k];
      has_literal |= role == IRL_ANDOR_LITERAL;
      is_sum = (role == IRL_ANDOR_LITERAL || role == IRL_ANDOR_UNKNOWN) && entry > 0 &&
               f->m->is_integer[f->columns[k]] && irl_andor_near(f->values[k], entry);
    }
    for (uint32_t k = 0; k < f->n && is_sum && has_literal; k++)
      if (ROLE(f, f->columns[k]) == IRL_ANDOR_UNKNOWN) ROLE(f, f->columns[k]) = IRL_ANDOR_LITERAL;
  }
}

/* ---- literals that every sample has ---- */

/* They stand in rows of literals only. */
static bool find_other_literals(irl_andor_finder *f) {
  for (uint32_t j = 0; j < f->m->n_columns; j++) {
    uint32_t side;
    if (ROLE(f, j) != IRL_ANDOR_UNKNOWN) continue;
    if (!f->m->is_integer[j]) return false;
    for (size_t at = 0; irl_andor_next_side(f, j, IRL_ANDOR_ANY, &at, &side);)
      for (uint32_t k = 0; k < f->n; k++) {
        const uint8_t role = ROLE(f, f->columns[k]);
        if (role != IRL_ANDOR_LITERAL && role != IRL_ANDOR_USED && role != IRL_ANDOR_UNKNOWN)
          return false;
      }
    ROLE(f, j) = IRL_ANDOR_LITERAL;
  }
  return true;
}

bool irl_andor_find_roles(irl_andor_finder *f) {
  if (!find_cases(f, true) || !find_cases(f, false)) return false;
  take_literals(f);
  find_controls(f, IRL_ANDOR_CONTROL_COVER, INFINITY);
  return find_other_literals(f);
}

/* How many of all literals may be chosen together, by a row of them alone. */
static double most_literals(irl_andor_finder *f) {
  uint32_t n_literals = 0;
  double most = INFINITY;
  for (uint32_t j = 0; j < f->m->n_columns; j++) n_literals += ROLE(f, j) == IRL_ANDOR_LITERAL;
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, IRL_ANDOR_OPENS, &side);) {
    bool is_number = f->n == n_literals && f->n && f->values[0] > 0 && f->rhs >= 0;
    for (uint32_t k = 0; k < f->n && is_number; k++)
      is_number =
          ROLE(f, f->columns[k]) == IRL_ANDOR_LITERAL && irl_andor_near(f->values[k], f->values[0]);
    if (is_number) most = fmin(most, floor(f->rhs / f->values[0] + 1e-9));
  }
  return most;
}

bool irl_andor_find_choice(irl_andor_finder *f) {
  const irl_milp_model *m = f->m;
  uint32_t n_cases = 0;
  for (uint32_t y = 0; y < m->n_columns; y++) {
    uint32_t side = 0, n_sides = 0;
    if (!(m->cost[y] < 0) || ROLE(f, y) != IRL_ANDOR_UNKNOWN) continue;
    for (size_t at = 0; irl_andor_next_side(f, y, IRL_ANDOR_ANY, &at, &side);) {
      const shape s = shape_of(f, y);
      if (s.a < 0) continue; /* it asks for cases that are covered */
      if (n_sides++ > 0 || !is_case_or(f, &s)) return false;
      f->kind[side] = IRL_ANDOR_OR_CASE;
      for (uint32_t k = 0; k < f->n; k++)
        if (f->columns[k] != y && !give_role(f, f->columns[k], IRL_ANDOR_LITERAL)) return false;
    }
    if (ROLE(f, y) != IRL_ANDOR_UNKNOWN) return false;
    ROLE(f, y) = IRL_ANDOR_CASE;
    n_cases++;
  }
  take_literals(f);
  find_controls(f, IRL_ANDOR_LITERAL, most_literals(f));
  return n_cases > 0 && find_other_literals(f);
}
