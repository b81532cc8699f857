/* AND/OR structure as an irl_problem, and the points of its rules.
 *
 * A sample stands in the data as often as it weighs, in units of the objective that the weights of
 * the classes are multiples of. A row over all cases, all controls or all literals alike is a limit
 * of the problem. Where only a limit counts the controls, as in (SP) and perhaps in (MP), their
 * weight is 0. Learning wants weights: with `scale` times that of the cases and 1 for controls, a
 * case weighs more than all controls, so that the least loss has the least in units of the model,
 * and no bound is lost by rounding down.
 *
 * If a rule must have a clause, a case that has all literals is added, of which rules must cover
 * one. Each clause does, and the empty rule does not.
 *
 * Controls that each place has covers of its own for, which nothing joins, are the same samples if
 * each place has the same of them. */
#include "base/memory.h"
#include "milp/andor_find.h"
#include "rule/literal.h"
#include <math.h>
#include <stdlib.h>

#define MAX_LOSS   0x1p53
#define MAX_SIZE   64u     /* literals of a clause */
#define MAX_COPIES 131072u /* of samples, */
#define MAX_EACH   8u      /* beyond so many for each of them */

/* The samples of a class by their outputs. */
typedef struct class {
  bool is_case, is_private;
  uint32_t n, *outputs;
  double *copies; /* NULL: not known yet */
  uint64_t n_copies;
} class;

/* ---- sizes ---- */

/* Are the columns of the loaded side from `first` to before `end` the literals of one place, or of
 * all, with entries of one size? */
static bool are_literals(const irl_andor_finder *f, uint32_t first, uint32_t end, bool of_all) {
  const irl_andor *a = f->andor;
  if (end - first != a->n_literals * (of_all ? a->n_places : 1)) return false;
  for (uint32_t k = first; k < end; k++)
    if (f->role[f->columns[k]] != IRL_ANDOR_LITERAL || f->values[k] != f->values[first] ||
        (!of_all && f->place[f->columns[k]] != f->place[f->columns[first]]))
      return false;
  return true;
}

/* How many literals a clause has at most, in all, and whether it has any. Where places differ the
 * loosest one counts. */
static void read_sizes(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  irl_problem *p = &a->problem;
  uint64_t filled = 0;
  double sizes[IRL_MAX_K], most = 0;
  for (uint32_t k = 0; k < a->n_places; k++) sizes[k] = a->n_literals;
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_next(f, IRL_ANDOR_OPEN, &side);) {
    const bool is_bound =
        f->n - f->n_up <= 1 && irl_andor_have_roles(f, f->n_up, f->n, IRL_ANDOR_USED);
    const bool is_least = f->n_up <= 1 && irl_andor_have_roles(f, 0, f->n_up, IRL_ANDOR_USED);
    const double number = floor(f->capacity / f->values[0] + 1e-9);
    f->kind[side] = IRL_ANDOR_SAID;
    if (is_bound && are_literals(f, 0, f->n_up, false)) {
      double *size = &sizes[f->place[f->columns[0]]];
      *size = fmin(*size, number);
    } else if (is_least && are_literals(f, f->n_up, f->n, false)) {
      filled |= (uint64_t)1 << f->place[f->columns[f->n_up]];
    } else if (f->n == f->n_up && are_literals(f, 0, f->n, true)) {
      p->max_literals = (uint64_t)number;
      a->has_limits = true;
    } else {
      f->kind[side] = IRL_ANDOR_OPEN;
    }
  }
  for (uint32_t k = 0; k < a->n_places; k++) {
    most = fmax(most, sizes[k]);
    a->is_relaxed |= sizes[k] != sizes[0];
  }
  p->K = a->is_choice ? (uint32_t)most : a->n_places;
  p->M = a->is_choice ? 1 : (uint32_t)most;
  a->may_be_unused |= a->is_choice;
  a->may_be_empty = !a->is_choice && filled != irl_andor_all_places(a);
}

/* ---- samples ---- */

/* A private control, for comparing places. */
typedef struct private_cover {
  uint32_t place;
  double cost;
  const uint64_t *missed;
  size_t size;
} private_cover;

static int by_cover(const void *x, const void *y) {
  const private_cover *a = x, *b = y;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  return memcmp(a->missed, b->missed, a->size);
}

static int by_place(const void *x, const void *y) {
  const private_cover *a = x, *b = y;
  return a->place != b->place ? (a->place < b->place ? -1 : 1) : by_cover(x, y);
}

/* Have all places the same private controls? */
static bool are_private_alike(irl_andor_finder *f) {
  const irl_andor *a = f->andor;
  private_cover *list = irl_arena_alloc(&f->arena, f->n_covers, sizeof *list);
  if (!list) return irl_andor_fail_memory(f);
  uint32_t n = 0;
  for (uint32_t j = 0; j < a->model->n_columns; j++)
    if (f->role[j] == IRL_ANDOR_CONTROL_COVER && f->output[j] == j)
      list[n++] = (private_cover){(uint32_t)__builtin_ctzll(f->places[j]), f->m->cost[j],
                                  irl_bits_vector(&a->missed, f->first_cover[j]),
                                  a->missed.stride * sizeof(uint64_t)};
  qsort(list, n, sizeof *list, by_place);
  const uint32_t each = n / a->n_places;
  bool is_alike = n % a->n_places == 0;
  for (uint32_t k = 0; k < n && is_alike; k++)
    is_alike = list[k].place == k / each && !by_cover(&list[k], &list[k % each]);
  return is_alike;
}

/* Of private controls those of the first place. */
static bool list_samples(irl_andor_finder *f, class *c) {
  const irl_andor *a = f->andor;
  const uint64_t all = irl_andor_all_places(a);
  const unsigned roles = c->is_case ? IRL_ANDOR_CASE | IRL_ANDOR_JOINED_CASE
                                    : IRL_ANDOR_CONTROL | IRL_ANDOR_CONTROL_COVER;
  uint32_t n_private = 0;
  c->outputs = irl_arena_alloc(&f->arena, f->n_covers, sizeof *c->outputs);
  if (!c->outputs) return irl_andor_fail_memory(f);
  for (uint32_t j = 0; j < a->model->n_columns; j++) {
    if (!(f->role[j] & roles) || f->output[j] != j) continue;
    const bool is_private = !c->is_case && f->places[j] != all;
    if (is_private && f->places[j] & (f->places[j] - 1)) return false; /* at some places */
    if (is_private && f->places[j] != 1) continue;
    n_private += is_private;
    f->at[j] = c->n;
    c->outputs[c->n++] = j;
  }
  c->is_private = n_private > 0;
  return c->n && (!n_private || (n_private == c->n && are_private_alike(f)));
}

/* Cases that some places cannot cover, and the places in falling order of those that they can. */
static bool restrict_places(irl_andor_finder *f, const class *cases) {
  irl_andor *a = f->andor;
  uint32_t counts[IRL_MAX_K] = {0};
  a->order = irl_arena_alloc(&a->arena, a->n_places, sizeof *a->order);
  a->restricted = irl_arena_alloc(&a->arena, cases->n, sizeof *a->restricted);
  if (!a->order || !a->restricted) return irl_andor_fail_memory(f);
  for (uint32_t i = 0; i < cases->n; i++) {
    const uint32_t y = cases->outputs[i];
    for (uint32_t p = 0; p < a->n_places; p++) counts[p] += f->places[y] >> p & 1;
    if (f->places[y] == irl_andor_all_places(a)) continue;
    a->is_relaxed = true;
    a->restricted[a->n_restricted++] =
        (irl_andor_restricted){irl_bits_vector(&a->missed, f->first_cover[y]),
                               (uint32_t)__builtin_popcountll(f->places[y])};
  }
  for (uint32_t p = 0; p < a->n_places; p++) {
    uint32_t at = p;
    for (; at > 0 && counts[a->order[at - 1]] < counts[p]; at--) a->order[at] = a->order[at - 1];
    a->order[at] = p;
  }
  return true;
}

/* ---- weights and limits ---- */

/* Values of the samples: *factor times how often each of them stands in the data; the first ones
 * that are not 0 say how often that is. */
static bool divide(irl_andor_finder *f, class *c, const double *values, double *factor) {
  *factor = 0;
  for (uint32_t i = 0; i < c->n; i++) *factor = irl_milp_greatest_common(values[i], *factor);
  if (*factor == 0) return true;
  if (!c->copies) {
    c->copies = irl_arena_alloc(&f->arena, c->n, sizeof *c->copies);
    if (!c->copies) return irl_andor_fail_memory(f);
    double n = 0;
    for (uint32_t i = 0; i < c->n; i++) n += c->copies[i] = nearbyint(values[i] / *factor);
    if (n > MAX_COPIES + (double)MAX_EACH * c->n) return false;
    c->n_copies = (uint64_t)n;
  }
  for (uint32_t i = 0; i < c->n; i++)
    if (fabs(values[i] - *factor * c->copies[i]) > 1e-9 * values[i]) return false;
  return true;
}

/* The weight of the class in the objective, which is `base` less the worth of all cases. */
static bool weigh(irl_andor_finder *f, class *c, int64_t *weight) {
  irl_andor *a = f->andor;
  double *values = irl_arena_alloc(&f->arena, c->n, sizeof *values), factor;
  if (!values) return irl_andor_fail_memory(f);
  for (uint32_t i = 0; i < c->n; i++) {
    const double cost = f->m->cost[c->outputs[i]];
    values[i] = nearbyint(fabs(cost) / a->unit);
    if (!(fabs(values[i] * a->unit - fabs(cost)) <= 1e-9 * fabs(cost))) return false;
    if (c->is_case) a->base += cost;
  }
  if (!divide(f, c, values, &factor) || !(factor <= MAX_LOSS)) return false;
  *weight = (int64_t)factor;
  return true;
}

/* The loaded side as a limit on all samples of the class. */
static bool is_limit(irl_andor_finder *f, class *c, double *values) {
  irl_problem *p = &f->andor->problem;
  double factor;
  if (f->n != c->n || c->is_private || f->n_up != (c->is_case ? 0 : f->n)) return false;
  for (uint32_t k = 0; k < f->n; k++) {
    const uint32_t j = f->columns[k], at = f->at[j];
    if (at >= c->n || c->outputs[at] != j) return false;
    values[at] = fabs(f->values[k]);
  }
  if (!divide(f, c, values, &factor)) return false;
  const uint64_t most = (uint64_t)(f->capacity / factor + 1e-6);
  if (!c->is_case && most < p->max_controls) p->max_controls = most;
  if (c->is_case && most < c->n_copies && c->n_copies - most > p->min_cases)
    p->min_cases = c->n_copies - most;
  return true;
}

static bool read_limits(irl_andor_finder *f, class *cases, class *controls) {
  double *values = irl_arena_alloc(&f->arena, f->m->n_columns, sizeof *values);
  if (!values) return irl_andor_fail_memory(f);
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_next(f, IRL_ANDOR_OPEN, &side);)
    if (f->capacity < 0 || !(is_limit(f, controls, values) || is_limit(f, cases, values)))
      f->andor->is_relaxed = true;
    else
      f->andor->has_limits = true;
  return !f->status;
}

/* ---- the problem ---- */

static irl_status make_data(irl_andor_finder *f, const class classes[2]) {
  irl_andor *a = f->andor;
  const size_t n_cases = classes[1].n_copies + f->needs_clause, n = n_cases + classes[0].n_copies;
  uint8_t *labels = irl_mem_alloc(&a->env->allocator, n, sizeof *labels);
  irl_names names;
  irl_names_init(&names, &a->env->allocator);
  const irl_data_frame frame = {"structure", &names, n, labels, {0}};
  irl_status status = labels && irl_names_add_numbered(&names, a->n_literals)
                          ? IRL_STATUS_OK
                          : irl_fail_memory(a->env);
  if (!status) memset(labels, 1, n_cases);
  if (!status) status = irl_data_create(a->env, &frame, &a->data);
  irl_names_free(&names);
  irl_mem_free(&a->env->allocator, labels);
  for (int is_case = 0; is_case < 2 && !status; is_case++) {
    const class *c = &classes[is_case];
    irl_bits_matrix *bits = is_case ? &a->data->cases : &a->data->controls;
    for (uint32_t i = 0, at = 0; i < c->n; at += (uint32_t)c->copies[i++]) {
      const uint64_t *missed = irl_bits_vector(&a->missed, f->first_cover[c->outputs[i]]);
      for (uint32_t l = 0; l < a->n_literals; l++)
        for (uint32_t k = 0; k < c->copies[i] && irl_bits_get(missed, l) == a->is_choice; k++)
          irl_bits_set(irl_bits_vector(bits, l), at + k);
    }
  }
  for (uint32_t l = 0; l < a->n_literals && f->needs_clause && !status; l++)
    irl_bits_set(irl_bits_vector(&a->data->cases, l), n_cases - 1);
  a->problem.min_cases += f->needs_clause;
  return status;
}

bool irl_andor_build(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  irl_problem *p = &a->problem;
  class classes[] = {{.is_case = false}, {.is_case = true}}, *cases = &classes[1];
  *p = (irl_problem){.max_controls = UINT64_MAX,
                     .max_literals = UINT64_MAX,
                     .max_complexity = UINT64_MAX,
                     .divisor = 1};
  a->unit = f->m->grid;
  a->base = f->m->constant;
  for (uint32_t j = 0; j < f->m->n_columns; j++) {
    const unsigned high = IRL_ANDOR_CASE | IRL_ANDOR_JOINED_CASE | IRL_ANDOR_CASE_COVER;
    const bool is_fixed = f->lower[j] == f->upper[j];
    if (is_fixed) a->base += f->m->cost[j] * f->lower[j];
    a->is_high[j] = is_fixed ? f->lower[j] == 1 : (f->role[j] & high) != 0;
  }
  read_sizes(f);
  if (!p->K || !p->M || p->K > IRL_MAX_K || p->M > MAX_SIZE || a->unit == 0) return false;
  if (!list_samples(f, cases) || !list_samples(f, classes) || !restrict_places(f, cases) ||
      !weigh(f, cases, &p->case_weight) || !weigh(f, classes, &p->control_weight) ||
      !read_limits(f, cases, classes) || !cases->n_copies || !classes->n_copies)
    return false;
  const uint64_t n_controls = classes->n_copies;
  if (p->max_controls > n_controls) p->max_controls = n_controls;
  p->is_hamming = classes->is_private;
  a->n_samples[0] = classes->n;
  a->n_samples[1] = cases->n;
  a->scale = p->control_weight ? 1 : (int64_t)n_controls + 1;
  p->all = (double)p->case_weight * (double)cases->n_copies +
           (double)p->control_weight * (double)n_controls;
  if (!(p->all * (double)a->scale * p->K * p->K <= MAX_LOSS)) return false;
  a->loss_of_all = !a->may_be_empty || p->max_controls < n_controls
                       ? INT64_MAX
                       : p->control_weight * (int64_t)n_controls;
  f->status = make_data(f, classes);
  p->data = p->whole = a->data;
  return !f->status;
}

/* ---- points ---- */

/* Does the clause cover the case? */
static bool covers(const irl_andor_restricted *r, const uint32_t *literals, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    if (irl_bits_get(r->missed, literals[i])) return false;
  return true;
}

/* The clauses by places of the order: place k gets one that covers a case of the first k + 1
 * places, unless one before it does. */
static void order_clauses(const irl_andor *a, const irl_andor_rule *rule, uint32_t *clauses) {
  for (uint32_t k = 0; k < a->n_places; k++)
    clauses[k] = k < rule->n ? k : rule->n && !a->may_be_unused ? 0 : IRL_ANDOR_NONE;
  for (uint32_t at = 0; at < a->n_places * a->n_restricted; at++) {
    const uint32_t place = at / a->n_restricted, r = at % a->n_restricted;
    uint32_t i = 0;
    if (a->restricted[r].n_places != place + 1) continue;
    while (i < rule->n &&
           !covers(&a->restricted[r], rule->literals + (size_t)clauses[i] * a->problem.M,
                   rule->sizes[clauses[i]]))
      i++;
    if (i < rule->n && i > place) IRL_SWAP(clauses[i], clauses[place]);
  }
}

/* Fixes the literals of a place, and whether its clause is used. */
static void fix_place(const irl_andor *a, irl_milp_domain *d, uint32_t place,
                      const irl_andor_rule *rule, uint32_t clause) {
  const uint32_t *columns = a->literals + (size_t)place * a->n_literals;
  const bool is_used = clause != IRL_ANDOR_NONE;
  for (uint32_t i = 0; is_used && i < rule->sizes[clause]; i++)
    irl_milp_domain_tighten(d, columns[rule->literals[(size_t)clause * a->problem.M + i]], 1, 1);
  if (a->used[place] != IRL_ANDOR_NONE)
    irl_milp_domain_tighten(d, a->used[place], is_used, is_used);
}

irl_status irl_andor_point(const irl_andor *a, const irl_andor_rule *rule, double *x,
                           bool *is_met) {
  uint32_t clauses[IRL_MAX_K];
  irl_milp_domain d;
  irl_arena arena;
  irl_arena_init(&arena, &a->env->allocator);
  assert(rule->n <= a->problem.K);
  if (!irl_milp_domain_init(&d, &arena, a->model)) d.is_out_of_memory = true;
  if (!d.is_out_of_memory) {
    order_clauses(a, rule, clauses);
    if (a->is_choice)
      for (uint32_t k = 0; k < rule->n; k++) fix_place(a, &d, 0, rule, k);
    for (uint32_t k = 0; k < a->n_places && !a->is_choice; k++)
      fix_place(a, &d, a->order[k], rule, clauses[k]);
    for (uint32_t l = 0; l < a->n_places * a->n_literals; l++)
      if (d.lower[a->literals[l]] < 1) irl_milp_domain_tighten(&d, a->literals[l], 0, 0);
    *is_met = irl_milp_domain_propagate(&d);
    for (uint32_t j = 0; j < a->model->n_columns; j++)
      x[j] = a->is_high[j] ? d.upper[j] : d.lower[j];
  }
  const irl_status status = d.is_out_of_memory ? irl_fail_memory(a->env) : IRL_STATUS_OK;
  irl_milp_domain_free(&d);
  irl_arena_free(&arena);
  return status;
}
