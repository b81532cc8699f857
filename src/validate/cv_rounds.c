/* The rounds of a cross-validation: what is tried next.
 *
 * Literals are tried as they are and also negated, each with a coding of its own. Unless numbers
 * of literals are named, the small ones are tried first and a greater one while the greatest so far
 * is as good as any: rounds of jobs, after each of which every group of folds that chooses (the
 * whole, and with --nested the inner folds of each) decides by its own figures whether it goes on.
 */
#include "base/memory.h"
#include "validate/cv_validator.h"
#include <math.h>

/* Words for the clauses of one M in one fold, about a second. Most searches end by themselves with
 * less. On the HIV set (1,600 literals with negations) two and three literals take 14.8 s in two
 * folds without a limit and 2.0 s with half of this one, and its rules predict no worse. */
#define SEARCH_WORK ((uint64_t)1000000000)

/* ---- the table ---- */

/* The folds that choose together: group 0 those of the whole, group 1 + o the inner ones of o. */
static irl_cv_scored group_at(const irl_cv_validator *v, uint32_t g) {
  const irl_resampling *p = &v->parts;
  if (!g) return (irl_cv_scored){v->scores, p->n_outer, v->n_rows, p->n_folds};
  const size_t first = p->n_outer + (size_t)(g - 1) * p->n_inner;
  return (irl_cv_scored){v->scores + first * v->n_rows, p->n_inner, v->n_rows, p->n_inner};
}

/* The coding of a row, and which of the numbers of literals it has. */
static uint32_t coding_of(const irl_cv_validator *v, uint32_t number, uint32_t *m) {
  const uint32_t n = irl_cv_n_rows(&v->axes);
  *m = number % n / (v->axes.penalty.n * v->axes.K.n);
  return number / n;
}

void irl_cv_make_rows(const irl_cv_validator *v, uint32_t g, irl_cv_row *rows) {
  const irl_cv_scored all = group_at(v, g), none = {.stride = v->n_rows};
  for (uint32_t number = 0; number < v->n_rows; number++) {
    const irl_cv_setting setting = irl_cv_setting_at(&v->axes, number % irl_cv_n_rows(&v->axes));
    uint32_t m;
    const uint32_t coding = coding_of(v, number, &m);
    rows[number] = (irl_cv_row){.K = setting.K,
                                .M = setting.M,
                                .penalty = setting.penalty,
                                .negations = v->axes.negations.numbers[coding] > 0};
    irl_cv_make_row(m < v->tried[g].end[coding] ? &all : &none, number, &rows[number]);
  }
}

/* ---- one part ---- */

/* Learns and tests the settings of a job, one coding after the other. `predicted` has room for what
 * those of one say and is kept with the fold's; NULL: that is not wanted. */
static irl_status run_codings(irl_env *env, const irl_cv_validator *v, uint32_t job,
                              irl_split *split, uint8_t *predicted) {
  const irl_cv_job *wanted = &v->jobs[job];
  const uint32_t n_path = v->axes.penalty.n * v->axes.K.n, n_test = split->test_rows.n;
  const uint32_t part = v->numbers[job];
  irl_status status = IRL_STATUS_OK;
  for (uint32_t i = 0; i < v->axes.negations.n && !status; i++) {
    const uint32_t begin = wanted->begin[i], n = wanted->end[i] - begin;
    const size_t first = ((size_t)i * v->axes.M.n + begin) * n_path;
    irl_options own = v->options;
    irl_cv_axes axes = {.K = v->axes.K, .penalty = v->axes.penalty, .M.n = n};
    if (!n) continue;
    memcpy(axes.M.numbers, v->axes.M.numbers + begin, n * sizeof *axes.M.numbers);
    own.rule.negations = v->axes.negations.numbers[i] > 0;
    irl_split_drop(split);
    status = irl_split_code(env, v->parts.table, &own, split);
    if (status) break;
    const irl_cv_fold fold = {.from = &v->parts,
                              .split = split,
                              .predicted = predicted,
                              .axes = &axes,
                              .search_work = SEARCH_WORK,
                              .scores = v->scores + (size_t)part * v->n_rows + first};
    status = irl_cv_fold_run(env, &fold, &own);
    for (size_t k = 0; k < (size_t)n * n_path * n_test && !status && predicted; k++) {
      const size_t bit = first * n_test + k;
      v->predicted[part][bit / 64] |= (uint64_t)(predicted[k] != 0) << bit % 64;
    }
  }
  return status;
}

static irl_status learn(irl_env *env, void *user, uint32_t job, irl_split *split) {
  const irl_cv_validator *v = user;
  const uint32_t part = v->numbers[job];
  if (!v->predicted || part >= v->parts.n_outer) return run_codings(env, v, job, split, NULL);
  const size_t n_coding = (size_t)split->test_rows.n * irl_cv_n_rows(&v->axes);
  const size_t n_words = (n_coding * v->axes.negations.n + 63) / 64;
  uint8_t *predicted = irl_mem_alloc(&env->allocator, n_coding, 1);
  uint64_t **bits = &v->predicted[part];
  if (!*bits) *bits = irl_mem_alloc(&env->allocator, n_words, sizeof **bits);
  const irl_status status =
      predicted && *bits ? run_codings(env, v, job, split, predicted) : irl_fail_memory(env);
  irl_mem_free(&env->allocator, predicted);
  return status;
}

/* ---- rounds ---- */

/* Has the last number of literals that the group tried in this coding other figures than the one
 * before? If not, longer clauses bring nothing there. */
static bool is_other(const irl_cv_validator *v, const irl_cv_row *rows, uint32_t coding,
                     uint32_t end) {
  const uint32_t n = v->axes.penalty.n * v->axes.K.n;
  assert(end > 1 && end <= v->axes.M.n);
  const irl_cv_row *last = rows + ((size_t)coding * v->axes.M.n + end - 1) * n;
  for (uint32_t i = 0; i < n; i++)
    if (irl_cv_figure_of(&last[i], v->chosen_by)->mean !=
        irl_cv_figure_of(&last[i] - n, v->chosen_by)->mean)
      return true;
  return false;
}

/* Has the greatest number of literals that the group tried in this coding a row as good as any
 * other, all of its folds being ended, and does it bring anything? */
static bool wants_more(const irl_cv_validator *v, const irl_cv_row *rows, uint32_t g,
                       uint32_t coding) {
  const uint32_t end = v->tried[g].end[coding], n_folds = group_at(v, g).n;
  double last = -1, others = -1;
  if (end == v->axes.M.n || end < v->axes.first_M) return false;
  for (uint32_t number = 0; number < v->n_rows; number++) {
    uint32_t m;
    const uint32_t other = coding_of(v, number, &m);
    if (m >= v->tried[g].end[other]) continue;
    if (rows[number].folds < n_folds) return false;
    const double mean = irl_cv_figure_of(&rows[number], v->chosen_by)->mean;
    if (other == coding && m + 1 == end)
      last = fmax(last, mean);
    else
      others = fmax(others, mean);
  }
  return last >= others && is_other(v, rows, coding, end);
}

/* Every group goes on as its figures say; returns the number of jobs. */
static uint32_t next_jobs(const irl_cv_validator *v, irl_cv_row *rows) {
  const irl_resampling *p = &v->parts;
  uint32_t n = 0;
  for (uint32_t g = 0; g < (p->n_inner ? 1 + p->n_outer : 1); g++) {
    irl_cv_job *tried = &v->tried[g];
    irl_cv_make_rows(v, g, rows);
    uint32_t more[IRL_CV_MAX_CODINGS] = {0};
    for (uint32_t i = 0; i < v->axes.negations.n; i++)
      more[i] = tried->end[i] ? wants_more(v, rows, g, i) : v->axes.first_M;
    for (uint32_t i = 0; i < v->axes.negations.n; i++) {
      tried->begin[i] = tried->end[i];
      tried->end[i] += more[i];
    }
  }
  for (uint32_t part = 0; part < p->n_outer * (1 + p->n_inner); part++) {
    const bool is_inner = part >= p->n_outer;
    const irl_cv_job *tried = &v->tried[is_inner ? 1 + (part - p->n_outer) / p->n_inner : 0];
    bool is_wanted = false;
    for (uint32_t i = 0; i < v->axes.negations.n; i++) is_wanted |= tried->end[i] > tried->begin[i];
    v->jobs[n] = *tried;
    v->numbers[n] = part;
    n += is_wanted;
  }
  return n;
}

/* What the inner folds of a fold choose is learnt there too, if the whole has not tried it. */
static uint32_t nested_jobs(const irl_cv_validator *v, irl_cv_row *rows) {
  uint32_t n = 0, best, m;
  for (uint32_t o = 0; o < v->parts.n_outer; o++) {
    v->nested[o] = v->n_rows;
    if (!v->parts.n_inner) continue;
    irl_cv_make_rows(v, 1 + o, rows);
    const uint32_t chosen = v->nested[o] = irl_cv_choose(v, rows, v->parts.n_inner, &best);
    if (chosen == v->n_rows) continue;
    const uint32_t coding = coding_of(v, chosen, &m);
    if (m < v->tried[0].end[coding]) continue;
    v->numbers[n] = o;
    v->jobs[n] = (irl_cv_job){{0}, {0}};
    v->jobs[n].begin[coding] = m;
    v->jobs[n++].end[coding] = m + 1;
  }
  return n;
}

irl_status irl_cv_run_rounds(irl_cv_validator *v) {
  const uint32_t n_parts = v->parts.n_outer * (1 + v->parts.n_inner);
  irl_parts parts = {.title = "cross-validation", .unit = "folds", .user = v, .learn = learn};
  irl_cv_row *rows = irl_arena_alloc(&v->arena, v->n_rows, sizeof *rows);
  v->jobs = irl_arena_alloc(&v->arena, n_parts, sizeof *v->jobs);
  v->numbers = irl_arena_alloc(&v->arena, n_parts, sizeof *v->numbers);
  v->tried = irl_arena_alloc(&v->arena, 1 + v->parts.n_outer, sizeof *v->tried);
  v->nested = irl_arena_alloc(&v->arena, v->parts.n_outer, sizeof *v->nested);
  if (!rows || !v->jobs || !v->numbers || !v->tried || !v->nested) return irl_fail_memory(v->env);
  irl_status status = IRL_STATUS_OK;
  parts.numbers = v->numbers;
  while (!status && (parts.n = next_jobs(v, rows))) status = irl_resampling_run(&v->parts, &parts);
  parts.n = status ? 0 : nested_jobs(v, rows);
  return parts.n ? irl_resampling_run(&v->parts, &parts) : status;
}
