/* Checkpoints: a run that goes on loses neither rule nor bound and ends with the same loss, and
 * what a file says is proven makes nothing optimal. */
#include "base/endian.h"
#include "base/file.h"
#include "files.h"
#include "fuzzing.h"
#include "greatest.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "learn/learner.h"
#include "search/checkpoint.h"
#include "validate/hold_out.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WHOLE "build/test-checkpoint-whole"
#define PART  "build/test-checkpoint-part"

static irl_env *env;

/* What a run ends with, for comparison; the caller frees it. */
static char *fit(const irl_data *data, irl_options *options, const char *checkpoint,
                 const char *resume, uint64_t *work) {
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  char *text = NULL;
  irl_bytes bytes = {0};
  if (resume && irl_file_read(env, resume, &bytes)) return NULL;
  options->search.checkpoint = sink_to(checkpoint);
  options->search.resume = resume ? &bytes : NULL;
  const irl_status status = irl_fit(env, data, options, &result);
  irl_bytes_free(env, &bytes);
  if (status) return NULL;
  irl_fit_describe(result, &info);
  *work = info.work;
  if (irl_rule_render(env, irl_fit_rule(result), IRL_FORMAT_JSON, &text)) text = NULL;
  irl_fit_free(result);
  return text;
}

/* The same of a curve, with those of sizes. */
static char *curve(const irl_data *data, irl_options *options, const char *checkpoint,
                   const char *resume, uint64_t *work) {
  irl_fit_result *result;
  irl_curve *made;
  irl_curve_info info = IRL_SIZED(irl_curve_info);
  char *text = NULL;
  irl_bytes bytes = {0};
  if (resume && irl_file_read(env, resume, &bytes)) return NULL;
  options->search.checkpoint = sink_to(checkpoint);
  options->search.resume = resume ? &bytes : NULL;
  options->output.sizes = true;
  const irl_status status = irl_fit_for_curve(env, data, options, &result);
  irl_bytes_free(env, &bytes);
  if (status) return NULL;
  if (!irl_curve_make(env, result, options, &made)) {
    irl_curve_describe(made, &info);
    *work = info.work + info.nodes + info.selections;
    if (irl_curve_export(env, made, "csv", &text)) text = NULL;
    irl_curve_free(made);
  }
  irl_fit_free(result);
  return text;
}

static void write_bytes(const char *path, const char *bytes, size_t n) {
  FILE *stream = fopen(path, "wb");
  if (!stream || fwrite(bytes, 1, n, stream) != n) abort();
  fclose(stream);
}

TEST damaged_checkpoints_are_refused(void) {
  irl_options options;
  irl_data *data;
  irl_file file;
  uint64_t work;
  irl_options_init(&options, sizeof options);
  options.data.N = 200;
  options.data.J = 20;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  char *whole = fit(data, &options, WHOLE, NULL, &work);
  ASSERT(whole);
  irl_text_free(env, whole);
  ASSERT_EQ(IRL_STATUS_OK, irl_file_open(env, WHOLE, &file));
  char *copy = malloc(file.size);
  for (size_t i = 0; i < file.size; i++) {
    memcpy(copy, file.bytes, file.size);
    copy[i] ^= 1;
    write_bytes(PART, copy, file.size);
    ASSERT_EQ(NULL, fit(data, &options, NULL, PART, &work));
    ASSERT(strstr(irl_env_error(env), PART));
    write_bytes(PART, copy, i);
    ASSERT_EQ(NULL, fit(data, &options, NULL, PART, &work));
  }
  free(copy);
  irl_file_close(&file);
  options.rule.K++;
  ASSERT_EQ(NULL, fit(data, &options, NULL, WHOLE, &work));
  ASSERT(strstr(irl_env_error(env), "other options"));
  ASSERT_EQ(NULL, fit(data, &options, NULL, "build/no-such-checkpoint", &work));
  irl_data_free(data);
  PASS();
}

TEST other_versions_are_refused(void) {
  irl_options options;
  irl_data *data;
  uint64_t work;
  irl_options_init(&options, sizeof options);
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  write_bytes(PART, "ILND_CK1 and what an earlier version wrote", 42);
  ASSERT_EQ(NULL, fit(data, &options, NULL, PART, &work));
  ASSERT(strstr(irl_env_error(env), "another version of the program"));
  write_bytes(PART, "ILND_XK2 and what another program wrote", 39);
  ASSERT_EQ(NULL, fit(data, &options, NULL, PART, &work));
  ASSERT(strstr(irl_env_error(env), "not a checkpoint"));
  irl_data_free(data);
  PASS();
}

/* ---- W14: the job comes from the option table ---- */

static void change(const irl_option_info *info, irl_options *options) {
  void *field = (char *)options + info->offset;
  switch (info->type) {
  case IRL_OPTION_FLAG:
    *(bool *)field = !*(bool *)field;
    break;
  case IRL_OPTION_INTEGER:
    *(int64_t *)field += 1;
    break;
  case IRL_OPTION_REAL:
    *(double *)field += 0.001;
    break;
  case IRL_OPTION_TEXT:
    *(const char **)field = "other\nx";
    break;
  case IRL_OPTION_WORD:
    *(irl_method *)field = IRL_METHOD_BRCG; /* the second word of any enum */
    break;
  case IRL_OPTION_OBJECT:
    *(const void **)field = field; /* only asked whether it is there */
    break;
  case IRL_OPTION_CUTS:
    *(irl_cuts *)field = (irl_cuts){IRL_CUT_QUANTILE, 7};
    break;
  }
}

TEST every_option_that_changes_the_answer_is_in_the_job(void) {
  irl_options options;
  irl_data *data;
  char *job_text, *other;
  size_t n, n_changing = 0;
  const irl_option_info *table = irl_options_table(&n);
  irl_options_init(&options, sizeof options);
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  irl_learner learner = {.search.env = env, .data = data};
  irl_clause_set_init(&learner.search.pool, data, 3);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_job(&learner, &options, &job_text));
  for (size_t i = 0; i < n; i++) {
    const bool is_elsewhere = table[i].jobs == IRL_FOR_CURVE || table[i].jobs == IRL_FOR_GENERATE;
    irl_options changed = options;
    change(&table[i], &changed);
    ASSERT_EQ(IRL_STATUS_OK, irl_fit_job(&learner, &changed, &other));
    ASSERT_EQm(table[i].name, table[i].changes && !is_elsewhere, strcmp(job_text, other) != 0);
    n_changing += table[i].changes;
    irl_text_free(env, other);
  }
  ASSERT_GT(n_changing, 20);
  irl_text_free(env, job_text);
  irl_clause_set_free(&learner.search.pool);
  irl_data_free(data);
  PASS();
}

TEST another_job_is_refused_by_name(void) {
  irl_options options;
  irl_data *data;
  uint64_t work;
  irl_options_init(&options, sizeof options);
  options.search.profile = IRL_PROFILE_PAPER;
  options.search.paper_sample = 5;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  char *text = fit(data, &options, WHOLE, NULL, &work);
  ASSERT(text);
  irl_text_free(env, text);
  options.search.paper_sample = 100;
  ASSERT_EQ(NULL, fit(data, &options, NULL, WHOLE, &work));
  ASSERT(strstr(irl_env_error(env), "paper_sample was 5 and is 100"));
  options.search.paper_sample = 5;
  ASSERT_EQ(NULL, curve(data, &options, NULL, WHOLE, &work));
  ASSERT(strstr(irl_env_error(env), "command was fit and is curve"));
  irl_data_free(data);
  options.search.seed = 2;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  options.search.seed = 1;
  ASSERT_EQ(NULL, fit(data, &options, NULL, WHOLE, &work));
  ASSERT(strstr(irl_env_error(env), ": data was "));
  irl_data_free(data);
  PASS();
}

/* ---- a run goes on ---- */

/* What a checkpoint has: magic, number of words, hash; length and text of the job; the state. */
enum { AT_MAGIC, AT_N, AT_HASH, AT_JOB, AT_TEXT };
enum { WORK, NODES, BOUND, METHOD, RULE, STATE };

/* A checkpoint in words of this machine. */
typedef struct parsed {
  uint64_t *words, *state;
  size_t n;
} parsed;

static parsed parse(const char *path) {
  irl_file file;
  if (irl_file_open(env, path, &file)) abort();
  parsed p = {.words = malloc(file.size), .n = file.size / sizeof(uint64_t)};
  if (!p.words) abort();
  memcpy(p.words, file.bytes, file.size);
  irl_endian_convert(p.words, p.n);
  p.state = p.words + AT_TEXT + (p.words[AT_JOB] + 7) / 8;
  irl_file_close(&file);
  return p;
}

/* Writes it with a right hash, and frees it. */
static void save_forged(parsed *p, const char *path) {
  p->words[AT_N] = p->n - AT_JOB;
  p->words[AT_HASH] = irl_endian_hash(p->words + AT_JOB, p->n - AT_JOB);
  irl_endian_convert(p->words, p->n);
  write_bytes(path, (const char *)p->words, p->n * sizeof *p->words);
  free(p->words);
}

static void forge(size_t word, uint64_t value) {
  parsed p = parse(WHOLE);
  p.state[word] = value;
  save_forged(&p, PART);
}

/* The fit that goes on from a file, if that is not refused. */
static irl_status try_resume(const irl_data *data, irl_options *options, const char *path,
                             irl_fit_info *info, bool *rests) {
  irl_fit_result *result;
  char *text;
  irl_bytes bytes;
  *info = IRL_SIZED(irl_fit_info);
  options->search.checkpoint = NULL;
  if (irl_file_read(env, path, &bytes)) abort();
  options->search.resume = &bytes;
  const irl_status status = irl_fit(env, data, options, &result);
  irl_bytes_free(env, &bytes);
  if (status) return status;
  irl_fit_describe(result, info);
  *rests = irl_fit_rests_on(result);
  if (irl_fit_render(env, result, IRL_FORMAT_TEXT, &text)) abort();
  if (*rests != (strstr(text, "the bound rests on checkpoint") != NULL)) abort();
  irl_text_free(env, text);
  if (irl_fit_render(env, result, IRL_FORMAT_JSON, &text)) abort();
  if (*rests != (strstr(text, "\"bound_rests_on\"") != NULL)) abort();
  irl_text_free(env, text);
  irl_fit_free(result);
  return IRL_STATUS_OK;
}

static irl_fit_info resume_from(const irl_data *data, irl_options *options, const char *path,
                                bool *rests) {
  irl_fit_info info;
  if (try_resume(data, options, path, &info, rests)) abort();
  return info;
}

/* A run that leaves a checkpoint. */
static irl_fit_info leave(const irl_data *data, irl_options *options, const char *path) {
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  options->search.checkpoint = sink_to(path);
  options->search.resume = NULL;
  if (irl_fit(env, data, options, &result)) abort();
  irl_fit_describe(result, &info);
  irl_fit_free(result);
  return info;
}

static void set_small(irl_options *options) {
  irl_options_init(options, sizeof *options);
  options->data.N = 120;
  options->data.J = 20;
  options->data.noise = 0.1;
  options->rule.K = 2;
  options->rule.M = 2;
  options->search.prove = true;
}

/* Limits are no part of the job. Whatever limit ended a run, another one goes on with a limit of
 * its own, which counts its own work, and loses neither rule nor bound; without one it ends with
 * the loss of a run that had none. */
TEST a_run_that_work_ended_goes_on(bool prove) {
  static const int64_t limits[] = {1, 3000, 30000, 300000, 3000000, 30000000};
  irl_options options;
  irl_data *data;
  bool rests;
  set_small(&options);
  options.search.prove = prove;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  const irl_fit_info whole = leave(data, &options, WHOLE);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    options.limits.work_limit = limits[i];
    const irl_fit_info first = leave(data, &options, PART);
    for (int64_t limit = 1; limit <= limits[i]; limit += limits[i] / 2 + 1) {
      options.limits.work_limit = limit;
      const irl_fit_info next = resume_from(data, &options, PART, &rests);
      ASSERT(isnan(first.objective) || next.objective <= first.objective);
      ASSERT(isnan(first.bound) || next.bound >= first.bound);
      ASSERT(isnan(next.bound) || next.bound <= whole.objective);
      ASSERT(!rests || next.outcome != IRL_OUTCOME_OPTIMAL);
      ASSERT(next.work >= first.work);
      if (next.outcome == IRL_OUTCOME_OPTIMAL) ASSERT_EQ(whole.objective, next.objective);
    }
    options.limits.work_limit = 0;
    options.limits.memory_limit = 4000;
    const irl_fit_info last = resume_from(data, &options, PART, &rests);
    options.limits.memory_limit = 0;
    ASSERT_EQ(whole.outcome, last.outcome);
    ASSERT_EQ(whole.objective, last.objective);
    ASSERT_FALSE(rests && last.outcome == IRL_OUTCOME_OPTIMAL);
  }
  irl_data_free(data);
  PASS();
}

/* Files that follow each other: work adds up, and no bound or rule is lost on the way. */
TEST a_run_goes_on_again_and_again(void) {
  irl_options options;
  irl_data *data;
  set_small(&options);
  options.data.N = 300;
  options.data.J = 60;
  options.rule.K = 4;
  options.rule.M = 3;
  options.data.noise = 0.2;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  options.limits.work_limit = 30000000;
  irl_fit_info before = leave(data, &options, PART);
  for (int i = 0; i < 5; i++) {
    irl_fit_result *result;
    irl_fit_info info = IRL_SIZED(irl_fit_info);
    irl_bytes bytes;
    ASSERT_EQ(IRL_STATUS_OK, irl_file_read(env, PART, &bytes));
    options.search.checkpoint = sink_to(PART);
    options.search.resume = &bytes;
    options.limits.work_limit = i % 2 ? 1 : 20000000;
    ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
    irl_bytes_free(env, &bytes);
    irl_fit_describe(result, &info);
    irl_fit_free(result);
    ASSERT(info.objective <= before.objective && info.bound >= before.bound);
    ASSERT(info.work >= before.work);
    parsed p = parse(PART);
    ASSERT_EQ(info.work, p.state[WORK]);
    free(p.words);
    before = info;
  }
  irl_data_free(data);
  PASS();
}

/* ---- what a file says is proven ---- */

/* With time to prove, nothing that a file says makes a claim false. */
TEST forged_states_prove_nothing(void) {
  static const uint64_t values[] = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    1000,
                                    4000,
                                    100000,
                                    1ull << 54,
                                    (uint64_t)INT64_MAX / 256,
                                    UINT64_MAX / 2,
                                    UINT64_MAX};
  irl_options options;
  irl_data *data;
  bool rests;
  size_t n_taken = 0;
  irl_fit_info info;
  set_small(&options);
  options.data.noise = 0.2;
  options.limits.threads = 1;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  const irl_fit_info truth = leave(data, &options, WHOLE);
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, truth.outcome);
  parsed p = parse(WHOLE);
  const size_t n_words = (size_t)(p.words + p.n - p.state);
  free(p.words);
  for (size_t word = 0; word < n_words; word += word < STATE + 8 ? 1 : 7)
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      forge(word, values[i]);
      for (int64_t limit = 0; limit < 2; limit++) {
        options.limits.work_limit = limit;
        if (try_resume(data, &options, PART, &info, &rests)) {
          ASSERT(strstr(irl_env_error(env), "the checkpoint is damaged"));
          continue;
        }
        n_taken++;
        ASSERT(info.objective >= truth.objective);
        if (info.outcome == IRL_OUTCOME_OPTIMAL) ASSERT_EQ(truth.objective, info.objective);
        ASSERT(!rests || info.outcome != IRL_OUTCOME_OPTIMAL);
        ASSERT(rests || info.bound <= truth.objective);
        if (!limit) ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
      }
    }
  ASSERT_GT(n_taken, 50);
  irl_data_free(data);
  PASS();
}

/* A forged bound between the optimum and the loss of a poor rule, which the run finds first. */
TEST no_forged_bound_ends_a_proof(void) {
  irl_options options;
  irl_data *data;
  bool rests;
  set_small(&options);
  options.data.N = 150;
  options.data.J = 30;
  options.data.noise = 0.15;
  options.rule.K = 3;
  options.rule.M = 3;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  const irl_fit_info truth = leave(data, &options, WHOLE);
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, truth.outcome);
  options.limits.work_limit = 1;
  leave(data, &options, WHOLE);
  options.limits.work_limit = 0;
  for (uint64_t bound = 1; bound < 12000; bound += 487) {
    forge(BOUND, bound);
    const irl_fit_info info = resume_from(data, &options, PART, &rests);
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
    ASSERT_EQ(truth.objective, info.objective);
    ASSERT_FALSE(rests);
  }
  irl_data_free(data);
  PASS();
}

/* A bound that a limit leaves open says where it comes from. */
TEST bounds_of_a_file_say_so(void) {
  irl_options options;
  irl_data *data;
  bool rests;
  set_small(&options);
  options.data.N = 300;
  options.data.J = 60;
  options.rule.K = 4;
  options.rule.M = 3;
  options.data.noise = 0.2;
  options.limits.work_limit = 40000000;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  const irl_fit_info first = leave(data, &options, WHOLE);
  forge(BOUND, 500);
  options.limits.work_limit = 1000000;
  const irl_fit_info info = resume_from(data, &options, PART, &rests);
  ASSERT_EQ(IRL_OUTCOME_LIMIT, info.outcome);
  ASSERT(info.bound > first.bound);
  ASSERT(rests);
  irl_data_free(data);
  PASS();
}

/* ---- curves ---- */

/* The curve that goes on from the file; the caller frees both. */
static irl_curve *resume_curve(const irl_data *data, irl_options *options, const char *path,
                               irl_fit_result **fit_of) {
  irl_bytes bytes;
  irl_curve *made;
  if (irl_file_read(env, path, &bytes)) abort();
  options->search.checkpoint = NULL;
  options->search.resume = &bytes;
  if (irl_fit_for_curve(env, data, options, fit_of)) abort();
  if (irl_curve_make(env, *fit_of, options, &made)) abort();
  irl_bytes_free(env, &bytes);
  return made;
}

/* Is every point that is called optimal one of the true ones? */
static bool tells_the_truth(const irl_curve *said, const irl_curve *truth) {
  for (uint32_t i = 0; i < irl_curve_size(said, IRL_CURVE_TRADEOFF); i++) {
    irl_curve_point a = IRL_SIZED(irl_curve_point), b = IRL_SIZED(irl_curve_point);
    bool is_there = false;
    irl_curve_get(said, IRL_CURVE_TRADEOFF, i, &a);
    for (uint32_t k = 0; k < irl_curve_size(truth, IRL_CURVE_TRADEOFF); k++) {
      irl_curve_get(truth, IRL_CURVE_TRADEOFF, k, &b);
      is_there |= a.tp == b.tp && a.fp == b.fp;
      if (b.fp <= a.fp && b.sensitivity > a.sensitivity_bound + 1e-9) return false;
    }
    if (a.outcome == IRL_OUTCOME_OPTIMAL && !is_there) return false;
  }
  return true;
}

/* No point of a curve is optimal, and no bound holds, because a file says so. */
TEST a_curve_believes_no_file(void) {
  static const uint64_t bounds[] = {0, 1, 300, 100000};
  irl_options options;
  irl_data *data;
  irl_fit_result *fits[2];
  set_small(&options);
  options.data.N = 60;
  options.data.J = 8;
  options.data.noise = 0.2;
  options.output.threshold = 0;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  irl_text_free(env, curve(data, &options, WHOLE, NULL, &(uint64_t){0}));
  irl_curve *truth = resume_curve(data, &options, WHOLE, &fits[0]);
  irl_curve_info info = IRL_SIZED(irl_curve_info);
  irl_curve_describe(truth, &info);
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
    for (int64_t limit = 0; limit < 3; limit++) {
      forge(BOUND, bounds[i]);
      options.limits.work_limit = limit * 5000;
      irl_curve *said = resume_curve(data, &options, PART, &fits[1]);
      ASSERT(tells_the_truth(said, truth));
      irl_curve_free(said);
      irl_fit_free(fits[1]);
    }
  irl_curve_free(truth);
  irl_fit_free(fits[0]);
  irl_data_free(data);
  PASS();
}

/* A curve that goes on after any limit ends with the points of one that had none. */
TEST a_curve_that_work_ended_goes_on(void) {
  static const int64_t limits[] = {1, 3000, 100000, 3000000};
  irl_options options;
  irl_data *data;
  uint64_t work;
  set_small(&options);
  options.data.N = 80;
  options.data.J = 10;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  irl_fit_result *fit_of, *whole;
  irl_curve *truth;
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_for_curve(env, data, &options, &whole));
  ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, whole, &options, &truth));
  const uint32_t n = irl_curve_size(truth, IRL_CURVE_TRADEOFF);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    options.limits.work_limit = limits[i];
    irl_text_free(env, curve(data, &options, PART, NULL, &work));
    options.limits.work_limit = 0;
    irl_curve *resumed = resume_curve(data, &options, PART, &fit_of);
    ASSERT_EQ(n, irl_curve_size(resumed, IRL_CURVE_TRADEOFF));
    for (uint32_t k = 0; k < n; k++) {
      irl_curve_point a = IRL_SIZED(irl_curve_point), b = IRL_SIZED(irl_curve_point);
      irl_curve_get(resumed, IRL_CURVE_TRADEOFF, k, &a);
      irl_curve_get(truth, IRL_CURVE_TRADEOFF, k, &b);
      ASSERT(a.tp == b.tp && a.fp == b.fp && a.outcome == b.outcome);
    }
    irl_curve_free(resumed);
    irl_fit_free(fit_of);
  }
  irl_curve_free(truth);
  irl_fit_free(whole);
  irl_data_free(data);
  PASS();
}

SUITE(checkpoint) {
  RUN_TESTp(a_run_that_work_ended_goes_on, true);
  RUN_TESTp(a_run_that_work_ended_goes_on, false);
  RUN_TEST(a_run_goes_on_again_and_again);
  RUN_TEST(damaged_checkpoints_are_refused);
  RUN_TEST(other_versions_are_refused);
  RUN_TEST(every_option_that_changes_the_answer_is_in_the_job);
  RUN_TEST(another_job_is_refused_by_name);
  RUN_TEST(forged_states_prove_nothing);
  RUN_TEST(no_forged_bound_ends_a_proof);
  RUN_TEST(bounds_of_a_file_say_so);
  RUN_TEST(a_curve_believes_no_file);
  RUN_TEST(a_curve_that_work_ended_goes_on);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  mkdir("build", 0777);
  keep_memory();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(checkpoint);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
