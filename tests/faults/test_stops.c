/* Fits that end anywhere: a request to stop, a memory limit, a request for memory that fails and a
 * limit on work, each at a random moment of a run that proves in one of the ways; then the run goes
 * on from its last checkpoint.
 *
 * What must hold, against the same run without an end: no rule is better than the optimum and no
 * bound above it; the loss of the rule is what the data say and no more than that of the last rule
 * that was shown; what is called optimal is; a run that goes on loses neither the rule nor the
 * bound of the one before; and in the end it proves the optimum.
 *
 * IRL_FUZZ=N makes N trials, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "base/env.h"
#include "fuzzing.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "support.h"
#include <limits.h>
#include <math.h>

/* Options as "name value name value"; each is there for a way to prove, which the log must name. */
static const struct scenario {
  const char *name, *way, *table, *settings;
} scenarios[] = {
    {"cutoffs", "cutoff ", "N 130 J 25 K 4 M 3 exact_size 1 noise 0.25 seed 3", "K 4 M 3"},
    {"subset", "subset ", "N 150 J 60 K 3 M 4 exact_size 1 noise 0.1 seed 2",
     "K 3 M 4 internal rule_bnb=0,enumeration=0"},
    {"rule_bnb", "rule-bnb ", "N 250 J 60 K 4 M 3 exact_size 1 noise 0.15 seed 3",
     "K 3 M 3 penalty 0.002"},
    {"sensitive", "rule-bnb ", "N 150 J 50 K 4 M 3 exact_size 1 noise 0.15 seed 3",
     "K 3 M 3 min_sensitivity 0.8"},
    {"memory", "cutoff ", "N 130 J 25 K 4 M 3 exact_size 1 noise 0.25 seed 1",
     "K 4 M 3 memory_limit 100000"},
    {"work", "cutoff ", "N 130 J 25 K 4 M 3 exact_size 1 noise 0.25 seed 3",
     "K 4 M 3 work_limit 250000000"},
    {"subset_work", "subset ", "N 240 J 80 K 4 M 4 exact_size 1 noise 0.05 seed 2",
     "K 4 M 4 internal rule_bnb=0,enumeration=0 work_limit 200000000"},
};
enum { N_SCENARIOS = sizeof scenarios / sizeof *scenarios };

typedef enum ending { BY_NOTHING, BY_REQUEST, BY_MEMORY_LIMIT, BY_FAILURE } ending;

/* A run: what is to end it, where, and what it has come to. */
typedef struct trial {
  ending ending;
  long at;        /* the number of the question or of the request for memory that it ends at */
  bool stays_out; /* all requests for memory after it fail, too */
  int threads;
  const char *way; /* that the log is to name */
  irl_bytes resume;
  /* Results. */
  irl_env *env;
  pthread_t caller;
  long n_polls;
  atomic_long n_requests, n_live;
  irl_bytes kept; /* the last checkpoint */
  double shown;   /* objective of the last rule that was shown */
  bool has_way;
  char part[40]; /* where it was ended */
  irl_status status;
  irl_fit_info info;
  double loss; /* of the rule, by the data */
  char *text;  /* rule, certificate and numbers */
} trial;

/* ---- hooks ---- */

static void free_bytes(irl_bytes *bytes) {
  free((void *)(uintptr_t)bytes->data);
  *bytes = (irl_bytes){0};
}

static irl_bytes copy_bytes(const void *data, size_t size) {
  void *copy = malloc(size + 1);
  if (!copy) abort();
  memcpy(copy, data, size);
  return (irl_bytes){copy, size, "kept"};
}

static int keep(void *user, irl_bytes checkpoint) {
  trial *t = user;
  free_bytes(&t->kept);
  t->kept = copy_bytes(checkpoint.data, checkpoint.size);
  return 0;
}

/* From here on every question whether to go on comes to the hook. */
static void ask_always(const trial *t) {
  if (t->env && pthread_equal(t->caller, pthread_self())) t->env->watch->next = 0;
}

static int poll(void *user, const irl_progress *progress) {
  trial *t = user;
  ask_always(t);
  if (++t->n_polls != t->at || t->ending == BY_NOTHING || t->ending == BY_FAILURE) return 0;
  snprintf(t->part, sizeof t->part, "%s", progress->part);
  if (t->ending == BY_MEMORY_LIMIT) t->env->watch->is_full = true;
  return t->ending == BY_REQUEST;
}

static int show(void *user, const irl_incumbent *incumbent) {
  trial *t = user;
  t->shown = incumbent->objective;
  return 0;
}

static void look_for_way(void *user, irl_log_kind kind, const char *line) {
  trial *t = user;
  (void)kind;
  line += strspn(line, " ");
  if (!strncmp(line, t->way, strlen(t->way))) t->has_way = true;
}

static void *resize(void *user, void *memory, size_t size) {
  trial *t = user;
  ask_always(t);
  if (!size) {
    atomic_fetch_sub(&t->n_live, 1);
    free(memory);
    return NULL;
  }
  const long number = atomic_fetch_add(&t->n_requests, 1) + 1;
  const bool fails = number == t->at || (t->stays_out && number > t->at);
  if (t->ending == BY_FAILURE && fails) return NULL;
  void *block = realloc(memory, size);
  if (!block) abort();
  if (!memory) atomic_fetch_add(&t->n_live, 1);
  return block;
}

static irl_env *calm;

/* ---- a run ---- */

static void set_all(irl_env *env, irl_options *options, const char *settings) {
  static char text[300]; /* options keep words where they stand */
  char *rest = text;
  snprintf(text, sizeof text, "%s", settings);
  for (char *name; (name = strsep(&rest, " "));)
    if (irl_options_set(env, options, name, strsep(&rest, " "))) abort();
}

static irl_data *make_table(const char *settings) {
  irl_data *data;
  irl_options o;
  irl_options_init(&o, sizeof o);
  set_all(calm, &o, settings);
  if (irl_generate(calm, &o, &data, NULL)) abort();
  return data;
}

static void describe(trial *t, const irl_data *data, const irl_fit_result *result) {
  irl_evaluation evaluation = IRL_SIZED(irl_evaluation);
  char *rule = NULL, *certificate = NULL;
  irl_fit_describe(result, &t->info);
  t->loss = NAN;
  if (irl_fit_rule(result) && !irl_evaluate(t->env, irl_fit_rule(result), data, &evaluation))
    t->loss = evaluation.weighted_error;
  if (irl_fit_rule(result) && irl_rule_render(t->env, irl_fit_rule(result), IRL_FORMAT_JSON, &rule))
    rule = NULL;
  if (irl_fit_certificate(t->env, result, &certificate)) certificate = NULL;
  buffer b = {0};
  char numbers[200];
  snprintf(numbers, sizeof numbers, "\n%s %.17g %.17g work %llu nodes %llu\n",
           irl_outcome_text(t->info.outcome), t->info.objective, t->info.bound,
           (unsigned long long)t->info.work, (unsigned long long)t->info.nodes);
  put(&b, rule ? rule : "no rule");
  put(&b, numbers);
  put(&b, certificate ? certificate : "no certificate");
  t->text = b.bytes;
  irl_text_free(t->env, rule);
  irl_text_free(t->env, certificate);
}

static void run(trial *t, const struct scenario *s, const irl_data *data, int64_t work_limit) {
  const irl_allocator allocator = {sizeof allocator, resize, t};
  const irl_checkpoint_sink sink = {sizeof sink, keep, t, "kept"};
  irl_fit_result *result = NULL;
  irl_options o;
  t->caller = pthread_self();
  t->info = IRL_SIZED(irl_fit_info);
  t->shown = NAN;
  t->way = s->way;
  const long at = t->at;
  t->at = LONG_MAX; /* only the fit is at risk */
  if (irl_env_create(&allocator, &t->env)) abort();
  irl_options_init(&o, sizeof o);
  set_all(t->env, &o, s->settings);
  o.search.prove = true;
  o.search.certificate = true;
  o.limits.threads = t->threads;
  o.search.checkpoint = &sink;
  o.search.resume = t->resume.data ? &t->resume : NULL;
  if (work_limit) o.limits.work_limit = work_limit;
  irl_env_set_progress(t->env, poll, t);
  irl_env_set_incumbent(t->env, show, t);
  irl_env_set_log(t->env, look_for_way, t);
  t->at = t->ending == BY_FAILURE ? at + atomic_load(&t->n_requests) : at;
  t->status = irl_fit(t->env, data, &o, &result);
  t->at = LONG_MAX;
  t->stays_out = false;
  if (!t->status) describe(t, data, result);
  irl_fit_free(result);
  irl_env *env = t->env;
  t->env = NULL;
  irl_env_free(env);
}

static void end_trial(trial *t) {
  free(t->text);
  free_bytes(&t->kept);
}

/* ---- trials ---- */

/* The tables, and what runs without an end come to. */
typedef struct reference {
  irl_data *data;
  trial whole;
  double optimum; /* or the least that is known, if there is a limit on work */
  bool is_proven;
} reference;

static reference references[N_SCENARIOS];
static irl_random numbers;
static uint64_t seed;

static long below(long n) {
  return (long)irl_random_below(&numbers, (uint64_t)(n < 1 ? 1 : n));
}

static const char *describe_trial(const trial *t, const struct scenario *s, uint64_t number) {
  static char text[300];
  snprintf(text, sizeof text,
           "%s, ended by %d at %ld of %s, %d threads: IRL_FUZZ_SEED=%llu IRL_FUZZ_FIRST=%llu "
           "IRL_FUZZ=1; %s %.9g, bound %.9g",
           s->name, (int)t->ending, t->at, t->part, t->threads, (unsigned long long)seed,
           (unsigned long long)number, irl_outcome_text(t->info.outcome), t->info.objective,
           t->info.bound);
  return text;
}

#define NEARLY 1e-9

/* What holds of every run, however it ended. */
static const char *what_is_wrong(const trial *t, const struct scenario *s, const reference *r) {
  if (t->n_live) return "memory is left";
  if (t->status)
    return t->status == IRL_STATUS_NO_MEMORY && t->ending == BY_FAILURE ? NULL : "it failed";
  const double best = t->info.objective, bound = t->info.bound;
  if (r->is_proven && best < r->optimum - NEARLY) return "a rule is better than the optimum";
  if (bound > r->optimum + NEARLY) return "the bound is above the optimum";
  if (!strstr(s->settings, "penalty") && !isnan(best) && fabs(t->loss - best) > NEARLY)
    return "the rule has another loss";
  if (!isnan(t->shown) && !(best <= t->shown + NEARLY)) return "a better rule was lost";
  if (t->info.outcome != IRL_OUTCOME_OPTIMAL) return NULL;
  if (r->is_proven && !(fabs(best - r->optimum) < NEARLY)) return "what is called optimal is not";
  if (!(fabs(bound - best) < NEARLY)) return "what is called optimal has another bound";
  return NULL;
}

/* A run that went on from a checkpoint has its rule and its bound, or better ones. */
static const char *what_is_lost(const trial *t, double objective, double bound) {
  if (t->status) return NULL;
  if (isfinite(objective) && !(t->info.objective <= objective + NEARLY)) return "the rule was lost";
  if (!isnan(t->info.bound) && t->info.bound < bound - NEARLY) return "the bound was lost";
  return NULL;
}

static uint64_t n_stopped[4], n_kept, n_resumed;

/* Ends a run up to three times, each time going on from what is left, then lets it come to its own
 * end. */
TEST ends_and_goes_on(const struct scenario *s, const reference *r, uint64_t number) {
  static const int threads[] = {1, 1, 2, 8};
  irl_bytes left = {0};
  double objective = INFINITY, bound = 0; /* of the run that left it */
  trial t;
  const char *wrong;
  for (long times = 1 + below(3); times--;) {
    t = (trial){.resume = left, .threads = threads[below(4)]};
    t.ending = strstr(s->settings, "memory_limit") && below(2) ? BY_MEMORY_LIMIT
               : below(4)                                      ? BY_REQUEST
                                                               : BY_FAILURE;
    t.stays_out = below(2);
    t.at = 1 + below(t.ending == BY_FAILURE ? r->whole.n_requests : r->whole.n_polls);
    const long at = t.at;
    run(&t, s, r->data, 0);
    wrong = what_is_wrong(&t, s, r);
    if (!wrong) wrong = what_is_lost(&t, objective, bound);
    t.at = at;
    if (wrong) printf("%s: %s\n", wrong, describe_trial(&t, s, number));
    ASSERT_FALSE(wrong);
    n_stopped[t.ending]++;
    if (t.kept.data) {
      free_bytes(&left);
      left = copy_bytes(t.kept.data, t.kept.size);
      n_kept++;
      if (!t.status && !isnan(t.info.objective)) objective = t.info.objective;
      if (!t.status && !isnan(t.info.bound)) bound = t.info.bound;
    }
    end_trial(&t);
  }
  t = (trial){.resume = left, .threads = threads[below(4)]};
  run(&t, s, r->data, 0);
  n_resumed += left.data != NULL;
  free_bytes(&left);
  wrong = what_is_wrong(&t, s, r);
  if (!wrong) wrong = what_is_lost(&t, objective, bound);
  if (!wrong && r->is_proven && t.info.outcome != IRL_OUTCOME_OPTIMAL)
    wrong = "the run that went on proved nothing";
  if (wrong) printf("%s: %s\n", wrong, describe_trial(&t, s, number));
  ASSERT_FALSE(wrong);
  end_trial(&t);
  PASS();
}

/* A limit on work leaves the same on every number of threads. */
TEST ends_at_any_work(const struct scenario *s, const reference *r, uint64_t number) {
  static const int threads[] = {1, 2, 8};
  const int64_t limit =
      (int64_t)exp(log((double)r->whole.info.work) * (0.5 + 0.5 * (double)below(10000) / 10000));
  char *first = NULL;
  const int other = threads[1 + below(2)];
  for (int i = 0; i < 2; i++) {
    trial t = {.threads = i ? other : 1};
    run(&t, s, r->data, limit);
    const char *wrong = what_is_wrong(&t, s, r);
    if (!wrong && first && strcmp(first, t.text)) wrong = "another number of threads";
    if (wrong)
      printf("%s: work limit %lld, %s\n", wrong, (long long)limit, describe_trial(&t, s, number));
    ASSERT_FALSE(wrong);
    free(first);
    first = t.text;
    t.text = NULL;
    end_trial(&t);
  }
  free(first);
  PASS();
}

static void make_reference(reference *r, const struct scenario *s) {
  r->data = make_table(s->table);
  r->whole.threads = 1;
  run(&r->whole, s, r->data, 0);
  if (r->whole.status) abort();
  r->optimum = r->whole.info.objective;
  r->is_proven = r->whole.info.outcome == IRL_OUTCOME_OPTIMAL;
}

/* ---- the clause problem, which has no checkpoint ---- */

static const struct clause_scenario {
  const char *name, *table, *settings;
} clause_scenarios[] = {
    {"pairs", "N 300 J 100 K 3 M 4 exact_size 1 noise 0.05 seed 2", "M 4 budget 0"},
    {"close_pairs", "N 300 J 100 K 3 M 4 exact_size 1 noise 0.05 seed 2", "M 4 budget 0.05"},
    {"noise", "N 400 J 40 K 5 M 3 noise 0.3 seed 4", "M 5 budget 0.1 negations 1"},
};
enum { N_CLAUSE_SCENARIOS = sizeof clause_scenarios / sizeof *clause_scenarios };

static irl_status solve_clause(trial *t, const struct clause_scenario *s, const irl_data *data,
                               int64_t work_limit, irl_clause_info *info) {
  const irl_allocator allocator = {sizeof allocator, resize, t};
  irl_clause_solution *solution = NULL;
  irl_options o;
  const long at = t->at;
  t->at = LONG_MAX;
  t->caller = pthread_self();
  if (irl_env_create(&allocator, &t->env)) abort();
  irl_options_init(&o, sizeof o);
  set_all(t->env, &o, s->settings);
  o.search.prove = true;
  o.limits.threads = t->threads;
  o.limits.work_limit = work_limit;
  irl_env_set_progress(t->env, poll, t);
  t->at = t->ending == BY_FAILURE ? at + atomic_load(&t->n_requests) : at;
  const irl_status status = irl_clause_solve(t->env, data, &o, &solution);
  t->at = LONG_MAX;
  t->stays_out = false;
  *info = IRL_SIZED(irl_clause_info);
  if (!status) irl_clause_describe(solution, info);
  irl_clause_free(solution);
  irl_env *env = t->env;
  t->env = NULL;
  irl_env_free(env);
  return status;
}

static uint64_t n_open; /* clause problems that ended before their proof */

TEST clause_ends_anywhere(const struct clause_scenario *s, uint64_t first, uint64_t n) {
  static const int threads[] = {1, 1, 2, 8};
  irl_data *data = make_table(s->table);
  trial whole = {.threads = 1};
  irl_clause_info best, info;
  ASSERT_EQ(IRL_STATUS_OK, solve_clause(&whole, s, data, 0, &best));
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, best.outcome);
  for (uint64_t i = first; i < first + n; i++) {
    irl_random_init(&numbers, seed, i);
    const ending by = (ending[]){BY_NOTHING, BY_REQUEST, BY_REQUEST, BY_FAILURE}[below(4)];
    const int64_t work = by == BY_NOTHING ? 1 + below((long)best.work) : 0;
    const long at = 1 + below(by == BY_FAILURE ? whole.n_requests : whole.n_polls);
    trial t = {.ending = by, .at = at, .stays_out = below(2), .threads = threads[below(4)]};
    const irl_status status = solve_clause(&t, s, data, work, &info);
    const bool is_right =
        status ? by == BY_FAILURE && status == IRL_STATUS_NO_MEMORY
               : info.objective <= best.objective && info.bound >= best.bound &&
                     (info.outcome != IRL_OUTCOME_OPTIMAL || info.objective == best.objective);
    if (!is_right || t.n_live)
      printf("%s, %d at %ld, work limit %lld, IRL_FUZZ_SEED=%llu IRL_FUZZ_FIRST=%llu: %s, %lld, "
             "bound %lld, %ld blocks left\n",
             s->name, (int)by, at, (long long)work, (unsigned long long)seed, (unsigned long long)i,
             irl_status_text(status), (long long)info.objective, (long long)info.bound,
             atomic_load(&t.n_live));
    ASSERT(is_right && !t.n_live);
    n_open += !status && info.outcome != IRL_OUTCOME_OPTIMAL;
    if (by != BY_NOTHING) continue;
    irl_clause_info other;
    trial again = {.threads = 8};
    ASSERT_EQ(IRL_STATUS_OK, solve_clause(&again, s, data, work, &other));
    ASSERT(other.objective == info.objective && other.bound == info.bound &&
           other.work == info.work && other.nodes == info.nodes && other.outcome == info.outcome);
  }
  irl_data_free(data);
  PASS();
}

SUITE(clause_stops) {
  enum { N_TRIALS = 60 };
  const uint64_t n = number_of("IRL_FUZZ", N_TRIALS), first = number_of("IRL_FUZZ_FIRST", 0);
  seed = number_of("IRL_FUZZ_SEED", 1);
  for (size_t i = 0; i < N_CLAUSE_SCENARIOS; i++) {
    greatest_set_test_suffix(clause_scenarios[i].name);
    RUN_TESTp(clause_ends_anywhere, &clause_scenarios[i], first, n);
  }
  printf("%llu clause problems ended before their proof\n", (unsigned long long)n_open);
}

SUITE(stops) {
  enum { N_TRIALS = N_SCENARIOS > 1 ? 2 * N_SCENARIOS : 4 };
  const uint64_t n = number_of("IRL_FUZZ", N_TRIALS), first = number_of("IRL_FUZZ_FIRST", 0);
  seed = number_of("IRL_FUZZ_SEED", 1);
  for (size_t i = 0; i < N_SCENARIOS; i++) {
    make_reference(&references[i], &scenarios[i]);
    const trial *t = &references[i].whole;
    printf("%s: %ld polls, %ld requests, optimum %g, ends %s with bound %g, work %llu%s\n",
           scenarios[i].name, t->n_polls, t->n_requests, references[i].optimum,
           irl_outcome_text(t->info.outcome), t->info.bound, (unsigned long long)t->info.work,
           t->has_way ? "" : ", not in its way");
    if (!t->has_way) abort();
  }
  for (uint64_t i = first; i < first + n; i++) {
    const size_t k = i % N_SCENARIOS;
    irl_random_init(&numbers, seed, i);
    if (i / N_SCENARIOS % 4 == 1)
      RUN_TESTp(ends_at_any_work, &scenarios[k], &references[k], i);
    else
      RUN_TESTp(ends_and_goes_on, &scenarios[k], &references[k], i);
  }
  printf("seed %llu: %llu requests to stop, %llu memory limits, %llu failures of memory; %llu "
         "checkpoints, %llu resumed\n",
         (unsigned long long)seed, (unsigned long long)n_stopped[BY_REQUEST],
         (unsigned long long)n_stopped[BY_MEMORY_LIMIT], (unsigned long long)n_stopped[BY_FAILURE],
         (unsigned long long)n_kept, (unsigned long long)n_resumed);
  for (size_t i = 0; i < N_SCENARIOS; i++) {
    irl_data_free(references[i].data);
    end_trial(&references[i].whole);
  }
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  if (irl_env_create(NULL, &calm)) return 1;
  RUN_SUITE(clause_stops);
  RUN_SUITE(stops);
  irl_env_free(calm);
  GREATEST_MAIN_END();
}
