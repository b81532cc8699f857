/* Every way to an answer against every other, on puzzles (puzzle.h): brute force, the loop with its
 * proof and certificate, column generation, BP1 to BP6, the clause search, choosing from a pool,
 * and the models as files in glpsol and cbc. What fails is made smaller (agree.h) and written to
 * build/test-agree.
 *
 * IRL_FUZZ=N tries N puzzles, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on;
 * IRL_FUZZ_OTHERS=N gives one of N models to the other solvers. */
#include "agree.h"
#include "files.h"
#include "fuzzing.h"
#include "ireland_model.h"
#include "ireland_study.h"
#include "puzzle_data.h"
#include <math.h>

#define FOLDER     "build/test-agree"
#define FEW        40u /* samples that a direct model is tried with */
#define FEW_OTHERS 16u /* and that are left to other solvers */

static irl_env *env;
static uint64_t seed = 3;
static unsigned long long n_answers[16], n_refused[16];
static unsigned now; /* the way that is tried */
static char why[600];
static bool has_glpsol, has_cbc;
static uint64_t others_one = 4; /* of so many models is given to other solvers */
static unsigned long long n_glpsol, n_cbc;

static irl_data *data_of(const puzzle *p) {
  irl_data *data;
  if (puzzle_data(env, p, &data)) abort();
  return data;
}

/* What a fit with these options ends with is the best, or at a limit on the right side of it. */
static const char *check_fit(const puzzle *p, const irl_options *options, int64_t best) {
  irl_data *data = data_of(p);
  irl_fit_result *fit = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  const double n = weights_per_objective(options, p->n_cases + p->n_controls);
  const char *answer = NULL;
  const irl_status status = irl_fit(env, data, options, &fit);
  if (status == IRL_STATUS_BAD_ARGUMENT) {
    n_refused[now]++;
  } else if (status) {
    snprintf(why, sizeof why, "%s", irl_env_error(env));
    answer = why;
  } else {
    irl_fit_describe(fit, &info);
    n_answers[now]++;
    const bool is_free = !options->limits.work_limit;
    const double loss = info.objective * n, bound = info.bound * n, wanted = (double)best;
    bool is_right = best == INT64_MAX ? info.outcome == IRL_OUTCOME_INFEASIBLE
                                      : !(loss < wanted - 1e-6) && bound < wanted + 1e-6;
    if (is_free && best < INT64_MAX)
      is_right &=
          info.outcome == IRL_OUTCOME_OPTIMAL && loss < wanted + 1e-6 && bound > wanted - 1e-6;
    snprintf(why, sizeof why, "%s, loss %.9g, bound %.9g; brute force says %lld",
             irl_outcome_text(info.outcome), loss, bound, (long long)best);
    if (!is_right) answer = why;
  }
  irl_fit_free(fit);
  irl_data_free(data);
  return answer;
}

static const char *by_proof(const puzzle *p) {
  irl_options options = p->options;
  options.search.prove = true;
  return check_fit(p, &options, p->best);
}

static const char *by_threads(const puzzle *p) {
  irl_options options = p->options;
  options.search.prove = true;
  options.limits.threads = 2;
  return check_fit(p, &options, p->best);
}

static const char *by_limit(const puzzle *p) {
  irl_options options = p->options;
  options.search.prove = true;
  options.limits.work_limit = 1 + (options.search.seed * 37) % 20000;
  return p->best == INT64_MAX ? NULL : check_fit(p, &options, p->best);
}

static const char *by_certificate(const puzzle *p) {
  irl_options options = p->options;
  irl_fit_result *fit = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_verification v = IRL_SIZED(irl_verification);
  const char *answer = NULL;
  options.search.prove = true;
  options.search.certificate = true;
  if (options.search.profile || p->best == INT64_MAX) return NULL;
  irl_data *data = data_of(p);
  const irl_status status = irl_fit(env, data, &options, &fit);
  if (status == IRL_STATUS_BAD_ARGUMENT) {
    n_refused[now]++;
  } else if (status || save_certificate(env, fit, FOLDER "/certificate") ||
             verify_file(env, irl_fit_rule(fit), data, FOLDER "/certificate", &v)) {
    snprintf(why, sizeof why, "%s", irl_env_error(env));
    answer = why;
  } else {
    n_answers[now]++;
    irl_fit_describe(fit, &info);
    snprintf(why, sizeof why, "line %llu: %s", (unsigned long long)v.line, v.reason);
    if (!v.valid) answer = why;
  }
  irl_fit_free(fit);
  irl_data_free(data);
  return answer;
}

static const char *by_brcg(const puzzle *p) {
  irl_options options = p->options;
  if (!options.rule.loss || options.search.profile || options.rule.min_sensitivity > 0 ||
      options.rule.min_specificity > 0)
    return NULL;
  options.search.method = IRL_METHOD_BRCG;
  options.rule.loss = IRL_LOSS_DEFAULT;
  options.search.prove = true;
  return check_fit(p, &options, p->best);
}

/* The paper's models have exactly K clauses, which may be equal, and allow the empty clause, which
 * covers everything. That nothing is covered needs a clause that covers nothing, as a AND NOT a. */
static int64_t best_plain(const puzzle *p) {
  static uint8_t clauses[N_COVERS], reached[N_COVERS], next[N_COVERS];
  const uint32_t n = 1u << p->n_rows;
  int64_t best = INT64_MAX;
  memset(clauses, NEVER, n);
  list_clauses(p, 0, n - 1, 0, clauses);
  clauses[n - 1] = 0;
  if (p->options.rule.negations && p->options.rule.M > 1) clauses[0] = 2;
  for (uint32_t c = 0; c < n; c++) reached[c] = clauses[c] != NEVER;
  for (uint32_t k = 1; k < p->options.rule.K; k++) {
    memcpy(next, reached, n);
    for (uint32_t c = 0; c < n; c++)
      for (uint32_t s = 0; clauses[c] != NEVER && s < n; s++) next[s | c] |= reached[s];
    memcpy(reached, next, n);
  }
  for (uint32_t s = 0; s < n; s++)
    if (reached[s] && loss_of(p, s) < best) best = loss_of(p, s);
  return best;
}

static const char *by_bp(const puzzle *p, bool is_plain) {
  const bool is_hamming = p->options.rule.loss == IRL_LOSS_HAMMING;
  irl_options options = p->options;
  const char *answer = NULL;
  if (options.search.profile || options.rule.min_sensitivity > 0 ||
      options.rule.min_specificity > 0 || p->n_cases + p->n_controls > FEW ||
      options.rule.max_literals || (is_plain && is_hamming) || options.rule.K > 3)
    return NULL;
  options.rule.loss = IRL_LOSS_DEFAULT;
  options.search.budgets = NULL;
  options.search.plain = is_plain;
  options.search.no_start = options.search.seed % 2;
  options.search.binary = options.search.seed % 3 == 0;
  for (int i = is_hamming ? 4 : 0; i < (is_hamming ? 6 : 4) && !answer; i++) {
    options.search.method = (irl_method)(IRL_METHOD_BP1 + i);
    answer = check_fit(p, &options, is_plain ? best_plain(p) : p->best);
  }
  return answer;
}

static const char *by_plain_models(const puzzle *p) {
  return by_bp(p, true);
}

static const char *by_models(const puzzle *p) {
  return by_bp(p, false);
}

/* ---- the best clause ---- */

static int64_t best_clause(const puzzle *p, uint64_t budget) {
  static uint8_t clauses[N_COVERS];
  int64_t best = -1;
  memset(clauses, NEVER, sizeof clauses);
  list_clauses(p, 0, (1u << p->n_rows) - 1, 0, clauses);
  for (uint32_t c = 0; c < 1u << p->n_rows; c++) {
    const int64_t cases = count_cover(p->cases, p->n_rows, c);
    if (clauses[c] != NEVER && cases && cases > best &&
        count_cover(p->controls, p->n_rows, c) <= budget)
      best = cases;
  }
  return best;
}

static const char *by_clause(const puzzle *p) {
  irl_options options = p->options;
  irl_clause_solution *solution = NULL;
  irl_clause_info info = IRL_SIZED(irl_clause_info);
  irl_data *data;
  const char *answer = NULL;
  if (puzzle_copies(env, p, &data)) abort(); /* it counts samples */
  options.search.prove = true;
  options.rule.budget_count = options.search.seed % (p->n_controls + 1);
  const int64_t best = best_clause(p, (uint64_t)options.rule.budget_count);
  if (irl_clause_solve(env, data, &options, &solution)) {
    snprintf(why, sizeof why, "%s", irl_env_error(env));
    answer = why;
  } else {
    n_answers[now]++;
    irl_clause_describe(solution, &info);
    snprintf(why, sizeof why, "%s with %lld cases, at most %lld controls; brute force says %lld",
             irl_outcome_text(info.outcome), (long long)info.objective,
             (long long)options.rule.budget_count, (long long)best);
    if (info.outcome != (best < 0 ? IRL_OUTCOME_INFEASIBLE : IRL_OUTCOME_OPTIMAL) ||
        info.objective != best)
      answer = why;
  }
  irl_clause_free(solution);
  irl_data_free(data);
  return answer;
}

/* ---- models ---- */

/* The first line of FOLDER/out that begins with `word`, or "". */
static const char *line_of(const char *word) {
  static char line[400];
  bool is_found = false;
  FILE *f = fopen(FOLDER "/out", "r");
  if (!f) return "";
  while (!is_found && fgets(line, sizeof line, f)) is_found = !strncmp(line, word, strlen(word));
  fclose(f);
  return is_found ? line : "";
}

/* The objective that another solver finds for the model in FOLDER; NaN: none. */
static double glpsol(void) {
  remove_file(FOLDER "/out");
  n_glpsol++;
  if (system("glpsol --lp " FOLDER "/model.lp -o " FOLDER "/out >/dev/null 2>&1") ||
      !strstr(line_of("Status:"), "OPTIMAL"))
    return NAN;
  const char *value = strchr(line_of("Objective:"), '=');
  return value ? strtod(value + 1, NULL) : NAN;
}

static double cbc(void) {
  remove_file(FOLDER "/out");
  n_cbc++;
  if (system("cbc " FOLDER "/model.lp ratio 0 solve solution " FOLDER "/out >/dev/null 2>&1"))
    return NAN;
  const char *line = line_of("Optimal"), *value = strstr(line, "objective value");
  return value ? fabs(strtod(value + strlen("objective value"), NULL))
               : NAN; /* counts; max as min */
}

/* Our engine and, now and then, others on a written model. */
static const char *check_model(const puzzle *p, const irl_options *options, double wanted) {
  const bool with_others =
      options->search.seed % others_one == 0 && p->n_cases + p->n_controls <= FEW_OTHERS;
  irl_data *data = data_of(p);
  irl_model *model = NULL;
  irl_solution solution = {.size = sizeof solution};
  const char *answer = NULL;
  const irl_status status = irl_model_from_data(env, data, options, &model);
  if (status == IRL_STATUS_BAD_ARGUMENT) {
    n_refused[now]++;
  } else if (status || irl_model_solve(env, model, options, &solution) ||
             irl_model_write(env, model, FOLDER "/model.lp")) {
    snprintf(why, sizeof why, "%s", irl_env_error(env));
    answer = why;
  } else {
    n_answers[now]++;
    const double first = with_others && has_glpsol ? glpsol() : wanted;
    const double second = with_others && has_cbc ? cbc() : wanted;
    snprintf(why, sizeof why, "form %d as a file: %s %.9g, glpsol %.9g, cbc %.9g, wanted %.9g",
             (int)options->search.form, irl_outcome_text(solution.outcome), solution.objective,
             first, second, wanted);
    if (solution.outcome != IRL_OUTCOME_OPTIMAL || fabs(solution.objective - wanted) > 1e-6 ||
        !(fabs(first - wanted) < 1e-6) || !(fabs(second - wanted) < 1e-6))
      answer = why;
  }
  irl_model_free(model);
  irl_data_free(data);
  return answer;
}

static const char *by_files(const puzzle *p) {
  static const irl_form forms[] = {IRL_FORM_BP1, IRL_FORM_BP2, IRL_FORM_BP3, IRL_FORM_BP4,
                                   IRL_FORM_SP};
  irl_options options = p->options;
  if (p->n_cases + p->n_controls > FEW_OTHERS || options.rule.max_literals ||
      options.rule.min_sensitivity > 0 || options.rule.min_specificity > 0 || options.rule.loss ||
      options.rule.K > 2)
    return NULL;
  options.search.form = forms[options.search.seed % 5];
  const int64_t budget = options.search.seed % (p->n_controls + 1);
  const int64_t clause = best_clause(p, (uint64_t)budget);
  const bool is_clause = options.search.form == IRL_FORM_SP;
  if (is_clause) { /* which alone has a budget, and no weights */
    options.rule.budget_count = budget;
    options.rule.weights = IRL_WEIGHTS_BALANCED;
  }
  if (is_clause && clause < 0) return NULL;
  return check_model(p, &options, (double)(is_clause ? clause : p->best));
}

/* Choosing from a pool by branch and bound and as a MILP. */
static const char *by_pool(const puzzle *p) {
  irl_options options = p->options;
  irl_fit_result *fit = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_pool *pool = NULL;
  const char *answer = NULL;
  if (options.rule.max_literals || options.rule.min_sensitivity > 0 ||
      options.rule.min_specificity > 0 || options.rule.loss || p->n_cases + p->n_controls > FEW)
    return NULL;
  irl_data *data = data_of(p);
  irl_status status = irl_fit(env, data, &options, &fit);
  if (!status) status = irl_fit_pool(env, fit, &pool);
  irl_fit_free(fit);
  fit = NULL;
  options.search.pool = pool;
  options.search.profile = IRL_PROFILE_DEFAULT;
  options.search.budgets = NULL; /* nothing is sought */
  options.search.prove = false;
  if (!status) status = irl_fit(env, data, &options, &fit);
  if (status) {
    snprintf(why, sizeof why, "%s", irl_env_error(env));
    answer = why;
  } else {
    irl_fit_describe(fit, &info);
    irl_options preset = options_of(env, NULL);
    options.search.form = IRL_FORM_MP;
    options.rule.M = preset.rule.M; /* the pool has its own */
    options.rule.negations = false;
    answer = check_model(
        p, &options,
        round(info.objective * weights_per_objective(&options, p->n_cases + p->n_controls)));
  }
  irl_fit_free(fit);
  irl_pool_free(pool);
  irl_data_free(data);
  return answer;
}

static const struct {
  const char *name;
  agree_check *check;
} ways[] = {{"proof", by_proof},
            {"two threads", by_threads},
            {"work limit", by_limit},
            {"certificate", by_certificate},
            {"brcg", by_brcg},
            {"bp1 to bp6", by_models},
            {"plain bp", by_plain_models},
            {"clause", by_clause},
            {"models as files", by_files},
            {"pool", by_pool}};
enum { N_WAYS = sizeof ways / sizeof *ways };

/* At most two samples of a row and class: few enough for models. */
static void make_few(puzzle *p) {
  for (uint32_t r = 0; r < p->n_rows; r++) {
    p->cases[r] = p->cases[r] < 2 ? p->cases[r] : 2;
    p->controls[r] = p->controls[r] < 2 ? p->controls[r] : 2;
  }
}

TEST all_agree(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 100);
  for (uint64_t i = first; i < first + n; i++) {
    static puzzle p;
    irl_random_init(&numbers, seed, (unsigned)i);
    do {
      draw(&p);
      if (i % 2) make_few(&p);
    } while (!agree_rebuild(&p));
    for (now = 0; now < N_WAYS; now++) {
      const char *wrong = ways[now].check(&p);
      if (!wrong) continue;
      printf("seed %llu, puzzle %llu, %s: %s\n", (unsigned long long)seed, (unsigned long long)i,
             ways[now].name, wrong);
      agree_shrink(&p, ways[now].check);
      agree_save(&p, ways[now].name, ways[now].check(&p), FOLDER);
      FAILm("two ways do not agree");
    }
  }
  for (unsigned w = 0; w < N_WAYS; w++)
    printf("%-16s %8llu answers, %llu refused\n", ways[w].name, n_answers[w], n_refused[w]);
  printf("%-16s %8llu by glpsol, %llu by cbc\n", "other solvers", n_glpsol, n_cbc);
  PASS();
}

/* The shrinking itself: a check that dislikes puzzles with two clauses and a negation. */
static const char *dislike(const puzzle *p) {
  return p->options.rule.K >= 2 && p->options.rule.negations && p->n_cases > 1 ? "disliked" : NULL;
}

TEST shrinking_ends_small(void) {
  static puzzle p;
  irl_random_init(&numbers, 1, 1);
  do draw(&p);
  while (!dislike(&p));
  agree_shrink(&p, dislike);
  ASSERT_EQ(2, p.options.rule.K);
  ASSERT_EQ(1, p.options.rule.M);
  ASSERT_EQ(1, p.j);
  ASSERT_EQ(2, p.n_cases);
  ASSERT_EQ(1, p.n_controls);
  PASS();
}

SUITE(agree) {
  keep_memory();
  seed = number_of("IRL_FUZZ_SEED", seed);
  others_one = number_of("IRL_FUZZ_OTHERS", others_one);
  has_cbc = !system("command -v cbc >/dev/null 2>&1");
  has_glpsol = !system("command -v glpsol >/dev/null 2>&1");
  make_folder(FOLDER);
  if (irl_env_create(NULL, &env)) abort();
  RUN_TEST(all_agree);
  RUN_TEST(shrinking_ends_small);
  irl_env_free(env);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(agree);
  GREATEST_MAIN_END();
}
