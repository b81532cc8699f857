/* The rounds of a cross-validation: what is tried next.
 *
 * Literals are tried as they are and also negated, each with a coding of its own. Unless numbers
 * of literals are named, the small ones are tried first and a greater one while the greatest so far
 * is as good as any: rounds of jobs, after each of which every group of folds that chooses (the
 * whole, and with --nested the inner folds of each) decides by its own figures whether it goes on.
 */
#include "base/arena.h"
#include "base/threads.h"
#include "search/parallel_jobs.h"
#include "validate/cv_validator.h"
#include <math.h>

#define USUAL_MARGIN 0.5 /* standard errors: see cv_choice.c */

/* ---- the table ---- */

/* The folds that choose together: group 0 those of the whole, group 1 + o the inner ones of o. */
static irl_cv_scored group_at(const irl_cv_validator *v, uint32_t g) {
  if (!g) return (irl_cv_scored){v->outer, v->n_outer, v->n_rows, v->n_folds};
  const irl_cv_score *scores = v->inner + (size_t)(g - 1) * v->n_inner * v->n_rows;
  return (irl_cv_scored){scores, v->n_inner, v->n_rows, v->n_inner};
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

/* ---- rounds ---- */
/* ---- rounds ---- */

double irl_cv_margin(const irl_options *options) {
  if (options->output.choose == IRL_CHOICE_BEST) return 0;
  return options->output.choose == IRL_CHOICE_ONE_SE ? 1 : USUAL_MARGIN;
}

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
static uint32_t next_jobs(const irl_cv_validator *v, irl_cv_row *rows, irl_cv_job *jobs) {
  const uint32_t n_groups = v->n_inner ? 1 + v->n_outer : 1;
  uint32_t n = 0;
  for (uint32_t g = 0; g < n_groups; g++) {
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
  for (uint32_t t = 0; t < v->n_outer * (1 + v->n_inner); t++) {
    const irl_cv_job *tried = &v->tried[t < v->n_outer ? 0 : 1 + t % v->n_outer];
    bool is_wanted = false;
    for (uint32_t i = 0; i < v->axes.negations.n; i++) is_wanted |= tried->end[i] > tried->begin[i];
    jobs[n] = *tried;
    jobs[n].task = t;
    n += is_wanted;
  }
  return n;
}

/* What the inner folds of a fold choose is learnt there too, if the whole has not tried it. */
static uint32_t nested_jobs(const irl_cv_validator *v, const irl_cv_result *by, irl_cv_row *rows,
                            irl_cv_job *jobs) {
  uint32_t n = 0, best, m;
  for (uint32_t o = 0; o < v->n_outer && v->n_inner; o++) {
    irl_cv_make_rows(v, 1 + o, rows);
    const uint32_t chosen = irl_cv_choose(by, rows, v->n_inner, &best);
    if (chosen == v->n_rows) continue;
    const uint32_t coding = coding_of(v, chosen, &m);
    if (m < v->tried[0].end[coding]) continue;
    jobs[n] = (irl_cv_job){.task = o};
    jobs[n].begin[coding] = m;
    jobs[n++].end[coding] = m + 1;
  }
  return n;
}

irl_status irl_cv_run_rounds(irl_cv_validator *v) {
  const int threads = irl_threads(v->env, v->options.limits.threads);
  const uint32_t n_tasks = v->n_outer * (1 + v->n_inner);
  irl_parallel_jobs jobs = {.env = v->env,
                            .limit = &v->limit,
                            .threads = irl_split_jobs(v->table, threads),
                            .title = "cross-validation",
                            .unit = "folds",
                            .user = v,
                            .run = irl_cv_run_job};
  const irl_cv_result by = {
      .chosen_by = v->chosen_by, .margin = irl_cv_margin(&v->options), .info.rows = v->n_rows};
  irl_cv_row *rows = irl_arena_alloc(&v->arena, v->n_rows, sizeof *rows);
  irl_cv_job *list = irl_arena_alloc(&v->arena, n_tasks, sizeof *list);
  v->tried = irl_arena_alloc(&v->arena, 1 + v->n_outer, sizeof *v->tried);
  if (!rows || !list || !v->tried) return irl_fail_memory(v->env);
  if (jobs.threads == 1) v->threads = threads;
  v->jobs = list;
  irl_status status = IRL_STATUS_OK;
  while (!status && (jobs.n = next_jobs(v, rows, list))) status = irl_parallel_jobs_run(&jobs);
  jobs.n = status ? 0 : nested_jobs(v, &by, rows, list);
  return jobs.n ? irl_parallel_jobs_run(&jobs) : status;
}
