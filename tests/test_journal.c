/* Checkpoints: a run that goes on from any part of its journal ends with the same rule and work,
 * and a curve with the same points. */
#include "base/file.h"
#include "base/little.h"
#include "fuzzing.h"
#include "greatest.h"
#include "learn/journal.h"
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
  irl_fit_info info;
  char *text = NULL;
  options->checkpoint = checkpoint;
  options->resume = resume;
  if (irl_fit(env, data, options, &result)) return NULL;
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
  irl_curve_info info;
  char *text = NULL;
  options->checkpoint = checkpoint;
  options->resume = resume;
  options->sizes = true;
  if (irl_fit_for_curve(env, data, options, &result)) return NULL;
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

/* The key stands in the header's second word. */
static uint64_t key_of(const irl_file *file) {
  uint64_t key;
  memcpy(&key, file->bytes + sizeof key, sizeof key);
  return irl_little_64(key);
}

/* Saves the first `n_words` words of the journal `from`. */
static bool save_part(const irl_journal *from, size_t n_words) {
  irl_journal part = *from;
  part.path = PART;
  part.at = n_words;
  return irl_journal_save(&part);
}

TEST every_part_leads_to_the_same_end(job *run, bool prove) {
  irl_options options;
  irl_data *data;
  irl_file file;
  irl_journal journal;
  uint64_t work, work_again;
  irl_options_init(&options);
  options.N = 120;
  options.J = 12;
  options.exact_size = true;
  options.noise = 0.05;
  options.prove = prove;
  ASSERT_EQ(IRL_OK, irl_generate(env, &options, &data, NULL));
  char *whole = run(data, &options, WHOLE, NULL, &work);
  ASSERT(whole);
  ASSERT_EQ(IRL_OK, irl_file_open(env, WHOLE, &file));
  irl_journal_init(&journal, env, NULL, key_of(&file));
  irl_file_close(&file);
  ASSERT_EQ(IRL_OK, irl_journal_load(&journal, WHOLE));
  size_t n_entries = 0;
  for (size_t at = 0;; at += 2 + journal.words[at + 1], n_entries++) {
    ASSERT(save_part(&journal, at));
    char *again = run(data, &options, PART, PART, &work_again);
    ASSERT(again);
    ASSERT_STR_EQ(whole, again);
    ASSERT_EQ(work, work_again);
    irl_text_free(env, again);
    if (at == journal.n) break;
  }
  ASSERT_GT(n_entries, 3);
  irl_journal_free(&journal);
  irl_text_free(env, whole);
  irl_data_free(data);
  PASS();
}

/* What was selected for a curve of other steps is left aside: the same curve as without it. */
TEST another_curve_goes_on_from_the_learning(void) {
  irl_options options;
  irl_data *data;
  uint64_t work, work_again;
  irl_options_init(&options);
  options.N = 120;
  options.J = 12;
  options.noise = 0.05;
  ASSERT_EQ(IRL_OK, irl_generate(env, &options, &data, NULL));
  char *first = curve(data, &options, WHOLE, NULL, &work);
  ASSERT(first);
  options.threshold = 0.2;
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
  irl_options_init(&options);
  options.N = 200;
  options.J = 20;
  ASSERT_EQ(IRL_OK, irl_generate(env, &options, &data, NULL));
  char *whole = fit(data, &options, WHOLE, NULL, &work);
  ASSERT(whole);
  irl_text_free(env, whole);
  ASSERT_EQ(IRL_OK, irl_file_open(env, WHOLE, &file));
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
  options.K++;
  ASSERT_EQ(NULL, fit(data, &options, NULL, WHOLE, &work));
  ASSERT(strstr(irl_env_error(env), "other options"));
  ASSERT_EQ(NULL, fit(data, &options, NULL, "build/no-such-checkpoint", &work));
  ASSERT_EQ(NULL, fit(data, &options, "build/no-such-folder/checkpoint", NULL, &work));
  irl_data_free(data);
  PASS();
}

SUITE(journal) {
  RUN_TESTp(every_part_leads_to_the_same_end, fit, false);
  RUN_TESTp(every_part_leads_to_the_same_end, fit, true);
  RUN_TESTp(every_part_leads_to_the_same_end, curve, false);
  RUN_TESTp(every_part_leads_to_the_same_end, curve, true);
  RUN_TEST(another_curve_goes_on_from_the_learning);
  RUN_TEST(damaged_checkpoints_are_refused);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  mkdir("build", 0777);
  keep_memory();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(journal);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
