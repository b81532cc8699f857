/* AND/OR structure: it is found in every model of the paper, whatever the order of rows and columns
 * and the scale and direction of rows, and is a problem whose losses are the objectives of the
 * model's points; what the engines on bits say is what general branch and bound says, with rows and
 * bounds of the user's too; limits leave bounds that hold. IRL_FUZZ=N tries N times as many
 * problems, from IRL_FUZZ_SEED on. */
#include "learn/solve_structure.h"
#include "milp/andor.h"
#include "milp/bp.h"
#include "support.h"
#include <math.h>

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

static uint64_t number_of(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

static uint32_t below(irl_random *random, uint32_t n) {
  return (uint32_t)irl_random_below(random, n);
}

/* ---- models ---- */

enum { N_KINDS = 8 }; /* BP1 .. BP6, SP, MP */

/* What a model was made from. */
typedef struct origin {
  int kind;
  irl_problem problem;
  irl_bp_style style;
  uint32_t n, j, n_pool;
} origin;

static void make_pool(irl_random *random, const irl_data *data, irl_bits_matrix *cases,
                      irl_bits_matrix *controls, uint32_t n) {
  if (irl_bits_matrix_init(env, cases, n, data->n_cases) ||
      irl_bits_matrix_init(env, controls, n, data->n_controls))
    abort();
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = 0; i < data->n_cases; i++)
      if (below(random, 2)) irl_bits_set(irl_bits_vector(cases, k), i);
    for (uint32_t i = 0; i < data->n_controls; i++)
      if (below(random, 4) == 0) irl_bits_set(irl_bits_vector(controls, k), i);
  }
}

static void make_model(irl_random *random, const irl_data *data, origin *o, irl_bp *bp) {
  irl_bits_matrix cases = {0}, controls = {0};
  irl_status status;
  o->style.form = o->kind <= 6 ? (uint32_t)o->kind : 1;
  o->problem.data = data;
  o->n_pool = 3 + below(random, 5);
  if (o->kind == 7) {
    o->problem.max_controls = below(random, 4);
    status = irl_bp_write_clause(bp, env, &o->problem, &o->style);
  } else if (o->kind == 8) {
    make_pool(random, data, &cases, &controls, o->n_pool);
    const irl_bp_pool pool = {&cases, &controls, o->n_pool};
    status = irl_bp_write_master(bp, env, &o->problem, &o->style, &pool);
  } else {
    status = irl_bp_init(bp, env, &o->problem, &o->style);
  }
  if (status) abort();
  irl_bits_matrix_free(&cases);
  irl_bits_matrix_free(&controls);
}

/* ---- the same model in other words ---- */

typedef struct scrambled {
  irl_lp *lp;
  bool *is_integer;
  uint32_t *column; /* by column of the original */
} scrambled;

static void shuffle(irl_random *random, uint32_t *order, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) order[i] = i;
  for (uint32_t i = n; i > 1; i--) {
    const uint32_t other = below(random, i), kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
}

/* Rows and columns in another order, rows times a number of either sign. */
static scrambled scramble(irl_random *random, const irl_milp_model *m, bool is_scrambled) {
  scrambled s = {0};
  uint32_t *rows = malloc((m->n_rows + 1) * sizeof *rows), n = m->n_columns;
  uint32_t *index = malloc(n * sizeof *index), *inverse = malloc(n * sizeof *inverse);
  double *values = malloc(n * sizeof *values);
  s.column = malloc(n * sizeof *s.column);
  s.is_integer = calloc(n, 1);
  if (!rows || !index || !inverse || !values || !s.column || irl_lp_create(env, &s.lp)) abort();
  shuffle(random, rows, m->n_rows);
  shuffle(random, s.column, n);
  for (uint32_t j = 0; j < n && !is_scrambled; j++) s.column[j] = j;
  for (uint32_t j = 0; j < n; j++) inverse[s.column[j]] = j;
  for (uint32_t j = 0; j < n; j++) {
    const uint32_t from = inverse[j];
    s.is_integer[j] = m->is_integer[from];
    if (irl_lp_add_column(s.lp, m->cost[from], m->lower[from], m->upper[from], NULL)) abort();
  }
  for (uint32_t r = 0; r < m->n_rows; r++) {
    const uint32_t i = is_scrambled ? rows[r] : r;
    uint32_t length = 0;
    const double factors[] = {1, 2, -1, -3, 0.5};
    const double factor = is_scrambled ? factors[below(random, 5)] : 1;
    for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
      index[length] = s.column[m->row_column[e]];
      values[length++] = factor * m->row_value[e];
    }
    const double a = factor * m->row_lower[i], b = factor * m->row_upper[i];
    if (irl_lp_add_row(s.lp, fmin(a, b), fmax(a, b), &(irl_lp_terms){length, index, values}))
      abort();
  }
  irl_lp_set_constant(s.lp, m->constant);
  free(rows);
  free(index);
  free(inverse);
  free(values);
  return s;
}

static void free_scrambled(scrambled *s) {
  irl_lp_free(s->lp);
  free(s->is_integer);
  free(s->column);
}

/* Rows and bounds that the paper's models do not have. */
static void add_rows(irl_random *random, const origin *o, const irl_bp *bp, scrambled *s) {
  const uint32_t n = irl_lp_n_columns(s->lp), what = below(random, 8);
  uint32_t *index = malloc(n * sizeof *index), length = 0;
  double *values = malloc(n * sizeof *values), side = 0;
  if (!index || !values) abort();
  const uint32_t n_s = o->kind == 8   ? o->n_pool
                       : o->kind == 7 ? bp->n_literals
                                      : bp->n_literals * o->problem.K;
  if (what == 0) { /* literals in all */
    for (uint32_t j = 0; j < n_s; j++) {
      index[length] = s->column[j];
      values[length++] = 1;
    }
    side = below(random, 4);
  } else if (what == 1 || what == 2) { /* cases covered, controls covered */
    const irl_bp_class *class = what == 1 ? &bp->cases : &bp->controls;
    for (uint32_t g = 0; g < class->n && class->first_y != IRL_BP_NONE; g++) {
      index[length] = s->column[class->first_y + g];
      values[length++] = what == 1 ? -1 : 1;
    }
    side = what == 1 ? -(double)below(random, class->n + 1) : below(random, 3);
  } else if (what == 3) { /* anything */
    for (uint32_t j = 0; j < n; j++) {
      if (below(random, 4)) continue;
      index[length] = s->column[j];
      values[length++] = (double)below(random, 7) - 3;
      if (values[length - 1] == 0) length--;
    }
    side = (double)below(random, 5) - 1;
  } else if (what == 4) { /* a literal is forbidden, or asked for, at one place */
    const double value = below(random, 2);
    irl_lp_set_bounds(s->lp, s->column[below(random, n_s)], value, value);
  } else if (what == 5) { /* one place has few literals, or at least one */
    const bool is_least = below(random, 2);
    const uint32_t size = o->kind == 8 ? o->n_pool : bp->n_literals;
    const uint32_t first = o->kind > 6 ? 0 : size * below(random, o->problem.K);
    for (uint32_t j = 0; j < size; j++) {
      index[length] = s->column[first + j];
      values[length++] = is_least ? -1 : 1;
    }
    side = is_least ? -1 : 1;
  } else if (what == 6) { /* covers of one sample cost more */
    irl_lp_set_cost(s->lp, s->column[n_s + below(random, n - n_s)], (double)below(random, 9) - 4);
  } else { /* a column of any kind is fixed */
    const double value = below(random, 2);
    irl_lp_set_bounds(s->lp, s->column[below(random, n)], value, value);
  }
  if (length && irl_lp_add_row(s->lp, -INFINITY, side, &(irl_lp_terms){length, index, values}))
    abort();
  free(index);
  free(values);
}

/* ---- the tests ---- */

static irl_data *random_data(irl_random *random, origin *o, bool is_large) {
  irl_data *data;
  o->n = (is_large ? 30 : 4) + below(random, 7);
  o->j = (is_large ? 8 : 2) + below(random, 4);
  table t = random_table(random, o->n, o->j);
  t.cells[0] = !t.cells[(o->n - 1) * o->j];
  if (irl_data_from_bytes(env, t.n, t.j, t.cells, t.labels, NULL, &data)) abort();
  free_table(&t);
  o->problem = (irl_problem){.K = 1 + below(random, 4),
                             .M = 1 + below(random, 3),
                             .case_weight = 1 + below(random, 5),
                             .control_weight = 1 + below(random, 5),
                             .negations = below(random, 4) == 0,
                             .max_controls = UINT64_MAX};
  o->style = (irl_bp_style){.is_binary = below(random, 2), .is_plain = below(random, 2)};
  return data;
}

static irl_milp_result solve(const scrambled *s, bool is_general, double *x) {
  irl_milp_problem problem;
  irl_milp_options options;
  irl_milp_result result;
  irl_milp_problem_init(&problem, s->lp, s->is_integer);
  irl_milp_options_init(&options, env);
  options.solve_structure = is_general ? NULL : irl_learn_structure;
  if (irl_milp_solve(env, &problem, &options, x, &result)) abort();
  return result;
}

static bool find(irl_andor *andor, const irl_milp_model *model) {
  const irl_limit limit = {.env = env, .max_work = UINT64_MAX};
  bool found;
  if (irl_andor_find(andor, model, false, &limit, &found)) abort();
  return found;
}

/* Is the structure found? */
static bool is_found(const scrambled *s, const origin *o) {
  irl_milp_problem problem;
  irl_milp_model model;
  irl_andor andor;
  irl_milp_problem_init(&problem, s->lp, s->is_integer);
  if (irl_milp_model_init(&model, env, &problem)) abort();
  if (irl_milp_imply_integers(&model, &(irl_limit){.env = env})) abort();
  const bool found = find(&andor, &model);
  bool is_right = found;
  if (found) {
    is_right = andor.problem.M <= o->problem.M && (o->kind != 7 || andor.problem.K == 1) &&
               (o->kind > 6 || andor.problem.K == o->problem.K);
    irl_andor_free(&andor);
  }
  irl_milp_model_free(&model);
  return is_right;
}

/* *n_found counts the models whose structure was found. */
static bool is_problem_right(uint64_t seed, bool is_extended, uint32_t *n_found) {
  irl_random random;
  origin o = {0};
  irl_bp bp;
  irl_milp_problem problem;
  irl_milp_model m;
  irl_random_init(&random, seed, 11);
  o.kind = 1 + (int)(seed % N_KINDS);
  irl_data *data = random_data(&random, &o, false);
  make_model(&random, data, &o, &bp);
  irl_milp_problem_init(&problem, bp.named.lp, bp.named.is_integer);
  if (irl_milp_model_init(&m, env, &problem)) abort();
  scrambled s = scramble(&random, &m, seed % 3 > 0);
  if (is_extended) add_rows(&random, &o, &bp, &s);
  double *x = malloc(m.n_columns * sizeof *x);
  *n_found += is_found(&s, &o);
  const irl_milp_result bits = solve(&s, false, x), general = solve(&s, true, x);
  const bool is_good =
      bits.outcome == general.outcome &&
      (bits.outcome == IRL_OUTCOME_INFEASIBLE ||
       (bits.outcome == IRL_OUTCOME_OPTIMAL && fabs(bits.objective - general.objective) < 1e-6));
  if (!is_good)
    fprintf(stderr, "IRL_FUZZ_SEED=%llu kind %d%s: %s %g on bits, %s %g in general\n",
            (unsigned long long)seed, o.kind, is_extended ? " extended" : "",
            irl_outcome_text(bits.outcome), bits.objective, irl_outcome_text(general.outcome),
            general.objective);
  free(x);
  free_scrambled(&s);
  irl_milp_model_free(&m);
  irl_bp_free(&bp);
  irl_data_free(data);
  return is_good;
}

TEST models_of_the_paper(void) {
  const uint64_t first = number_of("IRL_FUZZ_SEED", 1), n = 200 * number_of("IRL_FUZZ", 1);
  bool is_good = true;
  uint32_t n_found = 0;
  for (uint64_t seed = first; seed < first + n; seed++)
    is_good &= is_problem_right(seed, false, &n_found);
  ASSERT(is_good);
  /* In a tiny table a feature may tell nothing, and columns of its model are constants. */

  ASSERT(n_found > n * 6 / 10);
  PASS();
}

TEST larger_models_are_recognised(void) {
  for (uint64_t seed = 1; seed <= 160; seed++) {
    irl_random random;
    origin o = {.kind = 1 + (int)(seed % N_KINDS)};
    irl_bp bp;
    irl_milp_problem problem;
    irl_milp_model m;
    irl_random_init(&random, seed, 12);
    irl_data *data = random_data(&random, &o, true);
    make_model(&random, data, &o, &bp);
    irl_milp_problem_init(&problem, bp.named.lp, bp.named.is_integer);
    if (irl_milp_model_init(&m, env, &problem)) abort();
    scrambled s = scramble(&random, &m, seed % 3 > 0);
    if (!is_found(&s, &o)) fprintf(stderr, "seed %d kind %d\n", (int)seed, o.kind);
    ASSERT(is_found(&s, &o));
    free_scrambled(&s);
    irl_milp_model_free(&m);
    irl_bp_free(&bp);
    irl_data_free(data);
  }
  PASS();
}

TEST models_with_other_rows(void) {
  const uint64_t first = number_of("IRL_FUZZ_SEED", 1), n = 400 * number_of("IRL_FUZZ", 1);
  bool is_good = true;
  uint32_t n_found = 0;
  for (uint64_t seed = first; seed < first + n; seed++)
    is_good &= is_problem_right(seed, true, &n_found);
  ASSERT(is_good);

  ASSERT(n_found > n / 4);
  PASS();
}

/* ---- the problem against the model ---- */

typedef struct naive {
  uint32_t n, sizes[4], literals[4 * 3];
} naive;

static naive random_rule(irl_random *random, const irl_andor *a) {
  const uint32_t M = a->problem.M;
  naive rule = {.n = 1 + below(random, a->problem.K)};
  for (uint32_t k = 0; k < rule.n; k++) {
    rule.sizes[k] = 1 + below(random, M);
    for (uint32_t i = 0; i < rule.sizes[k]; i++)
      rule.literals[k * M + i] = below(random, a->n_literals);
  }
  return rule;
}

/* Samples of a class that the rule covers; each clause counts in *covers. */
static uint64_t count_covered(const irl_bits_matrix *bits, const naive *rule, uint32_t M,
                              uint64_t *covers) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < bits->n_bits; i++) {
    const uint64_t before = *covers;
    for (uint32_t k = 0; k < rule->n; k++) {
      bool has_all = true;
      for (uint32_t l = 0; l < rule->sizes[k]; l++)
        has_all &= irl_bits_get(irl_bits_vector(bits, rule->literals[k * M + l]), i);
      *covers += has_all;
    }
    count += *covers > before;
  }
  return count;
}

/* Is the loss of a random rule, counted sample by sample, the objective of its point? */
static bool is_loss_right(irl_random *random, const irl_andor *a) {
  const irl_problem *p = &a->problem;
  naive rule = random_rule(random, a);
  irl_cover_counts counts = {0};
  uint64_t any = 0;
  bool is_met;
  double objective, *x = malloc(a->model->n_columns * sizeof *x);
  if (!a->may_be_unused && p->is_hamming) rule.n = 1; /* K times the same */
  counts.cases = count_covered(&a->data->cases, &rule, p->M, &any);
  counts.controls = count_covered(&a->data->controls, &rule, p->M, &counts.control_covers);
  if (!a->may_be_unused) counts.control_covers *= p->K;
  for (uint32_t k = 0; k < rule.n; k++) counts.literals += rule.sizes[k];
  const int64_t loss = irl_problem_loss(p, rule.n, &counts);
  if (irl_andor_point(a, &(irl_andor_rule){rule.n, rule.sizes, rule.literals}, x, &is_met)) abort();
  is_met = is_met && irl_milp_check_solution(a->model, x, 1, &objective);
  free(x);
  if (!is_met) return a->is_relaxed || loss == IRL_NO_LOSS;
  return fabs(objective - (a->base + a->unit * (double)loss)) < 1e-6;
}

TEST losses_are_objectives(void) {
  uint32_t n_found = 0;
  for (uint64_t seed = 1; seed <= 240; seed++) {
    irl_random random;
    origin o = {.kind = 1 + (int)(seed % N_KINDS)};
    irl_bp bp;
    irl_milp_problem problem;
    irl_milp_model m;
    irl_andor andor;
    irl_random_init(&random, seed, 13);
    irl_data *data = random_data(&random, &o, seed % 2);
    make_model(&random, data, &o, &bp);
    irl_milp_problem_init(&problem, bp.named.lp, bp.named.is_integer);
    if (irl_milp_model_init(&m, env, &problem)) abort();
    if (irl_milp_imply_integers(&m, &(irl_limit){.env = env})) abort();
    if (find(&andor, &m)) {
      for (int k = 0; k < 20; k++) ASSERT(is_loss_right(&random, &andor));
      n_found++;
      irl_andor_free(&andor);
    }
    irl_milp_model_free(&m);
    irl_bp_free(&bp);
    irl_data_free(data);
  }
  ASSERT(n_found > 160);
  PASS();
}

/* Whatever a limit leaves: the bound is not above the optimum, and the point is one. */
TEST limits_leave_bounds(void) {
  uint32_t n_cut = 0;
  for (uint64_t seed = 1; seed <= 120; seed++) {
    irl_random random;
    origin o = {.kind = 1 + (int)(seed % 6)};
    irl_bp bp;
    irl_milp_problem problem;
    irl_milp_options options;
    irl_milp_result whole, part;
    irl_random_init(&random, seed, 14);
    irl_data *data = random_data(&random, &o, true);
    make_model(&random, data, &o, &bp);
    double *x = malloc(irl_lp_n_columns(bp.named.lp) * sizeof *x);
    irl_milp_problem_init(&problem, bp.named.lp, bp.named.is_integer);
    irl_milp_options_init(&options, env);
    options.solve_structure = irl_learn_structure;
    ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, x, &whole));
    options.limit.max_work = 1000 + below(&random, 400000);
    ASSERT_EQ(IRL_STATUS_OK, irl_milp_solve(env, &problem, &options, x, &part));
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, whole.outcome);
    ASSERT(part.bound <= whole.objective + 1e-9);
    ASSERT(!part.has_point || part.objective >= whole.objective - 1e-9);
    ASSERT(part.outcome != IRL_OUTCOME_OPTIMAL || part.objective == whole.objective);
    n_cut += part.outcome == IRL_OUTCOME_LIMIT;
    free(x);
    irl_bp_free(&bp);
    irl_data_free(data);
  }
  ASSERT(n_cut > 20);
  PASS();
}

/* ---- how often a row is read ---- */

typedef struct watcher {
  long looks, stop_at; /* 0: at none */
} watcher;

static int look(void *user, const irl_progress *progress) {
  watcher *w = user;
  (void)progress;
  return ++w->looks == w->stop_at;
}

/* One long row of n columns. Either the budget of (SP) with a literal, a case that misses it and
 * controls that do; or a row over the outputs of cases, which no structure has. */
static irl_lp *make_long(uint32_t n, bool is_budget) {
  irl_lp *lp;
  const uint32_t n_columns = is_budget ? n + 2 : 2 * n;
  uint32_t *columns = malloc(n_columns * sizeof *columns);
  double *ones = malloc(n_columns * sizeof *ones);
  if (!columns || !ones || irl_lp_create(env, &lp)) abort();
  for (uint32_t j = 0; j < n_columns; j++) {
    const bool is_worth = is_budget ? j == n : j < n;
    columns[j] = j;
    ones[j] = 1;
    if (irl_lp_add_column(lp, is_worth ? -1 : is_budget ? 0 : 0.5, 0, 1, NULL)) abort();
  }
  /* Columns 0 .. n - 1 are in the long row; of (SP) column n is the case, n + 1 the literal. */
  const double together[] = {1, 1}, apart[] = {1, -1};
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t pair[] = {i, is_budget ? n + 1 : n + i};
    const irl_lp_terms terms = {2, pair, is_budget ? together : apart};
    if (irl_lp_add_row(lp, is_budget ? 1 : -INFINITY, is_budget ? INFINITY : 0, &terms)) abort();
  }
  const irl_lp_terms of_case = {2, (const uint32_t[]){n, n + 1}, together};
  if (irl_lp_add_row(lp, -INFINITY, n / 2, &(irl_lp_terms){n, columns, ones}) ||
      (is_budget && irl_lp_add_row(lp, -INFINITY, 1, &of_case)))
    abort();
  free(columns);
  free(ones);
  return lp;
}

/* Looks at the limit while structure is looked for. */
static long count_looks(uint32_t n, bool is_budget, long stop_at, bool *found) {
  watcher w = {.stop_at = stop_at};
  irl_env *own;
  irl_options options;
  irl_limit limit;
  irl_andor andor;
  irl_milp_problem problem;
  irl_milp_model m;
  irl_lp *lp = make_long(n, is_budget);
  if (irl_env_create(NULL, &own)) abort();
  irl_env_set_progress(own, look, &w);
  irl_options_init(&options, sizeof options);
  irl_limit_init(&limit, own, &options);
  own->watch->period = own->watch->next = 0;
  bool *is_integer = malloc(irl_lp_n_columns(lp));
  if (!is_integer) abort();
  memset(is_integer, true, irl_lp_n_columns(lp));
  irl_milp_problem_init(&problem, lp, is_integer);
  if (irl_milp_model_init(&m, own, &problem) || irl_andor_find(&andor, &m, false, &limit, found))
    abort();
  if (*found) irl_andor_free(&andor);
  irl_milp_model_free(&m);
  irl_lp_free(lp);
  irl_env_free(own);
  free(is_integer);
  return w.looks;
}

/* The model has 3 n entries, and each row is read a few times, not once for each of its columns:
 * that would be n squared entries, some 1,500 looks. */
TEST long_rows_are_read_once(void) {
  enum { N = 40000, READINGS = 30 };
  bool found;
  const long most = (long)(3.0 * N * READINGS / (double)IRL_READING_STEP);
  ASSERT(count_looks(N, true, 0, &found) <= most);
  ASSERT(found);
  ASSERT(count_looks(N, false, 0, &found) <= most);
  ASSERT(!found);
  PASS();
}

/* A request to stop ends it. */
TEST recognition_stops(void) {
  enum { N = 150000 };
  bool found;
  const long looks = count_looks(N, true, 0, &found);
  ASSERT(found && looks > 2);
  for (long at = 1; at <= looks; at++) {
    ASSERT_EQ(at, count_looks(N, true, at, &found));
    ASSERT(!found);
  }
  PASS();
}

SUITE(solve_structure) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(models_of_the_paper);
  RUN_TEST(larger_models_are_recognised);
  RUN_TEST(models_with_other_rows);
  RUN_TEST(losses_are_objectives);
  RUN_TEST(limits_leave_bounds);
  RUN_TEST(long_rows_are_read_once);
  RUN_TEST(recognition_stops);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(solve_structure);
  GREATEST_MAIN_END();
}
