/* Checkpoints: a run that goes on from any part of its journal ends with the same rule and work,
 * and a curve with the same points. */
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

#define WHOLE "build/test-journal-whole"
#define PART  "build/test-journal-part"

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

typedef char *job(const irl_data *data, irl_options *options, const char *checkpoint,
                  const char *resume, uint64_t *work);

/* The text of the job, which the first entry has; the caller frees it. */
static char *job_of(const irl_file *file) {
  uint64_t entry[6]; /* the header, kind and number of words */
  memcpy(entry, file->bytes, sizeof entry);
  irl_endian_convert(entry, 6);
  if (entry[4] || !entry[5]) abort();
  char *made = calloc(entry[5] + 1, sizeof *entry);
  if (!made) abort();
  return memcpy(made, file->bytes + sizeof entry, entry[5] * sizeof *entry);
}

/* Saves the first `n_words` words of the journal `from`. */
static bool save_part(const irl_checkpoint *from, size_t n_words) {
  irl_checkpoint part = *from;
  part.sink = sink_to(PART);
  part.replay_end = n_words;
  return irl_checkpoint_save(&part);
}

TEST every_part_leads_to_the_same_end(job *run, bool prove) {
  irl_options options;
  irl_data *data;
  irl_file file;
  irl_checkpoint checkpoint;
  uint64_t work, work_again;
  irl_options_init(&options, sizeof options);
  options.data.N = 120;
  options.data.J = 12;
  options.data.exact_size = true;
  options.data.noise = 0.05;
  options.search.prove = prove;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  char *whole = run(data, &options, WHOLE, NULL, &work);
  ASSERT(whole);
  ASSERT_EQ(IRL_STATUS_OK, irl_file_open(env, WHOLE, &file));
  char *job_text = job_of(&file);
  const irl_bytes bytes = {file.bytes, file.size, WHOLE};
  ASSERT_EQ(IRL_STATUS_OK, irl_checkpoint_init(&checkpoint, env, NULL, job_text));
  ASSERT_EQ(IRL_STATUS_OK, irl_checkpoint_load(&checkpoint, &bytes, job_text));
  irl_file_close(&file);
  free(job_text);
  size_t n_entries = 0;
  for (size_t at = 0;; at += 2 + checkpoint.words[at + 1], n_entries++) {
    ASSERT(save_part(&checkpoint, at));
    char *again = run(data, &options, PART, PART, &work_again);
    ASSERT(again);
    ASSERT_STR_EQ(whole, again);
    ASSERT_EQ(work, work_again);
    irl_text_free(env, again);
    if (at == checkpoint.n) break;
  }
  ASSERT_GT(n_entries, 3);
  irl_checkpoint_free(&checkpoint);
  irl_text_free(env, whole);
  irl_data_free(data);
  PASS();
}

/* What was selected for a curve of other steps is left aside: the same curve as without it. */
TEST another_curve_goes_on_from_the_learning(void) {
  irl_options options;
  irl_data *data;
  uint64_t work, work_again;
  irl_options_init(&options, sizeof options);
  options.data.N = 120;
  options.data.J = 12;
  options.data.noise = 0.05;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  char *first = curve(data, &options, WHOLE, NULL, &work);
  ASSERT(first);
  options.output.threshold = 0.2;
  char *other = curve(data, &options, NULL, NULL, &work);
  char *resumed = curve(data, &options, PART, WHOLE, &work_again);
  ASSERT(other && resumed);
  ASSERT_STR_EQ(other, resumed);
  ASSERT_EQ(work, work_again);
  irl_text_free(env, first);
  irl_text_free(env, other);
  irl_text_free(env, resumed);
  irl_data_free(data);
  PASS();
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

/* ---- W14: the key comes from the option table ---- */

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

static irl_fit_info resume_from(const irl_data *data, irl_options *options, const char *path,
                                bool *rests) {
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  char *text;
  options->search.checkpoint = NULL;
  irl_bytes bytes;
  if (irl_file_read(env, path, &bytes)) abort();
  options->search.resume = &bytes;
  if (irl_fit(env, data, options, &result)) abort();
  irl_bytes_free(env, &bytes);
  irl_fit_describe(result, &info);
  *rests = irl_fit_rests_on(result);
  if (irl_fit_render(env, result, IRL_FORMAT_TEXT, &text)) abort();
  if (*rests != (strstr(text, "the bound rests on checkpoint") != NULL)) abort();
  irl_text_free(env, text);
  if (irl_fit_render(env, result, IRL_FORMAT_JSON, &text)) abort();
  if (*rests != (strstr(text, "\"bound_rests_on\"") != NULL)) abort();
  irl_text_free(env, text);
  irl_fit_free(result);
  return info;
}

/* Limits end a run; they are no part of the job. Whatever limit ended it, the run goes on with
 * another one or none, and ends with the loss of a run that had no limit. */
TEST a_run_that_work_ended_goes_on(void) {
  static const int64_t limits[] = {1, 3000, 30000, 300000, 3000000, 30000000};
  irl_options options;
  irl_data *data;
  uint64_t work;
  bool rests;
  irl_options_init(&options, sizeof options);
  options.data.N = 120;
  options.data.J = 20;
  options.rule.K = 2;
  options.rule.M = 2;
  options.data.noise = 0.1;
  options.search.prove = true;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  irl_text_free(env, fit(data, &options, WHOLE, NULL, &work));
  const irl_fit_info whole = resume_from(data, &options, WHOLE, &rests);
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, whole.outcome);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    options.limits.work_limit = limits[i];
    irl_text_free(env, fit(data, &options, PART, NULL, &work));
    options.limits.work_limit = limits[i] / 2 + 1; /* a lower one, which replaying may pass */
    const irl_fit_info less = resume_from(data, &options, PART, &rests);
    if (less.outcome == IRL_OUTCOME_OPTIMAL) ASSERT_EQ(whole.objective, less.objective);
    ASSERT(isnan(less.bound) || less.bound <= whole.objective);
    options.limits.work_limit = 0;
    options.limits.memory_limit = 4000;
    const irl_fit_info more = resume_from(data, &options, PART, &rests);
    options.limits.memory_limit = 0;
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, more.outcome);
    ASSERT_EQ(whole.objective, more.objective);
    ASSERT_FALSE(rests);
  }
  irl_data_free(data);
  PASS();
}

SUITE(checkpoint) {
  RUN_TEST(a_run_that_work_ended_goes_on);
  RUN_TESTp(every_part_leads_to_the_same_end, fit, false);
  RUN_TESTp(every_part_leads_to_the_same_end, fit, true);
  RUN_TESTp(every_part_leads_to_the_same_end, curve, false);
  RUN_TESTp(every_part_leads_to_the_same_end, curve, true);
  RUN_TEST(another_curve_goes_on_from_the_learning);
  RUN_TEST(damaged_checkpoints_are_refused);
  RUN_TEST(every_option_that_changes_the_answer_is_in_the_job);
  RUN_TEST(another_job_is_refused_by_name);
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
