/* Out of memory while data and rules are made, read, written and used. */
#include "base/env.h"
#include "comm_threads.h"
#include "ireland_data.h"
#include "miser.h"
#include <limits.h>

#define FOLDER "build/test-memory"

static irl_status generate(irl_env *env, const kit *k) {
  (void)k;
  irl_data *data = NULL;
  irl_rule *rule = NULL;
  const irl_options o =
      options_of(env, "N", "300", "J", "70", "noise", "0.1", "threads", "2", NULL);
  const irl_status status = irl_generate(env, &o, &data, &rule);
  if (status && (data || rule)) abort(); /* out-parameters are untouched on failure */
  irl_data_free(data);
  irl_rule_free(rule);
  return status;
}

static irl_status from_bytes(irl_env *env, const kit *k) {
  (void)k;
  static const uint8_t cells[] = {1, 0, 0, 1, 1, 1}, labels[] = {1, 0, 1};
  static const char *const names[] = {"a", "b"};
  irl_data *data = NULL;
  const irl_status status = irl_data_from_bytes(env, 3, 2, cells, labels, names, &data);
  if (status && data) abort();
  irl_data_free(data);
  return status;
}

static irl_status from_bits(irl_env *env, const kit *k) {
  (void)k;
  static const uint64_t a[] = {5}, b[] = {6}, labels[] = {3};
  static const uint64_t *const columns[] = {a, b};
  static _Alignas(64) const uint64_t words[16] = {1, 0};
  const irl_class_bits side = {sizeof side, 2, words};
  irl_data *copied = NULL, *borrowed = NULL;
  irl_status status = irl_data_from_bits(env, 3, 2, columns, labels, NULL, &copied);
  if (!status) status = irl_data_borrow(env, 2, &side, &side, NULL, &borrowed);
  irl_data_free(copied);
  irl_data_free(borrowed);
  return status;
}

/* The caller's columns: a table, learnt from, predicted for. */
static irl_status from_columns(irl_env *env, const kit *k) {
  (void)k;
  static const double ages[] = {3, 9, 4, 8, 2, 7}, weights[] = {1, 2, 1, 1, 1, 1};
  static const int32_t codes[] = {0, 1, -1, 1, 0, 1};
  static const char *const values[] = {"red", "blue"};
  static const uint8_t labels[] = {0, 1, 0, 1, 0, 1};
  const irl_column_view columns[] = {
      {.size = sizeof *columns, .name = "age", .type = IRL_COLUMN_NUMBER, .numbers = ages},
      {.size = sizeof *columns,
       .name = "kind",
       .type = IRL_COLUMN_CATEGORY,
       .codes = codes,
       .values = values,
       .n_values = 2}};
  const irl_table_view view = {sizeof view, 6, 2, columns, labels, weights, NULL, NULL, NULL};
  const irl_options o = options_of(env, "threads", "1", "K", "1", "M", "1", NULL);
  irl_table *raw = NULL;
  irl_fit_result *result = NULL;
  irl_data *data = NULL;
  uint8_t predicted[6];
  irl_status status = irl_table_from_columns(env, &view, &o, &raw);
  if (!status) status = irl_fit_table(env, raw, &o, &result);
  if (!status) status = irl_table_data_for(env, raw, irl_fit_rule(result), &data);
  if (!status) status = irl_predict_bytes(env, irl_fit_rule(result), data, predicted, NULL);
  irl_data_free(data);
  irl_fit_free(result);
  irl_table_free(raw);
  return status;
}

static irl_status export_rule(irl_env *env, const kit *k) {
  static const char *const languages[] = {"c", "python", "sql", "r", "javascript", "text"};
  irl_status status = IRL_STATUS_OK;
  for (int i = 0; i < 6 && !status; i++) {
    char *text = NULL;
    status = irl_rule_export(env, k->rule, languages[i], &text);
    if (!status) irl_text_free(env, text);
  }
  return status;
}

static irl_status write_data(irl_env *env, const kit *k) {
  unlink(k->path);
  const irl_status status = irl_data_write(env, k->data, k->path);
  if (status && !access(k->path, F_OK)) abort(); /* whole or not at all */
  return status;
}

static irl_status read_data(irl_env *env, const kit *k) {
  irl_data *data = NULL;
  const irl_options o = options_of(env, "threads", "2", NULL);
  const irl_status status = irl_data_read(env, k->path, &o, &data);
  if (status && data) abort();
  if (!status && checksum_of(data) != checksum_of(k->data)) abort();
  irl_data_info info = IRL_SIZED(irl_data_info);
  if (!status) irl_data_describe(data, &info);
  if (!status && (strcmp(info.positive, "1") || strcmp(info.negative, "0"))) abort();
  irl_data_free(data);
  return status;
}

static irl_status read_for_rule(irl_env *env, const kit *k) {
  irl_data *data = NULL;
  const irl_options o = options_of(env, NULL);
  const irl_status status = irl_data_read_for(env, k->path, &o, k->rule, true, &data);
  if (status && data) abort();
  irl_data_free(data);
  return status;
}

/* A raw file: read, coded from some samples, applied to others, described, learnt from. */
/* A file in blocks of rows, counted and predicted; a builder takes them too. */
static irl_status stream_for_rule(irl_env *env, const kit *k) {
  const irl_options o = settings_of(env, k);
  irl_stream *stream = NULL;
  irl_evaluator *evaluator = NULL;
  irl_predictor *predictor = NULL;
  irl_data *data = NULL;
  char *text = NULL;
  irl_status status = irl_evaluator_create(env, k->rule, &evaluator);
  if (!status) status = irl_predictor_create(env, k->rule, IRL_FORMAT_JSON, true, &predictor);
  if (!status) status = irl_stream_open_file(env, k->path, &o, k->rule, true, &stream);
  while (!status && !(status = irl_stream_next(env, stream, 7, &data)) && data) {
    status = irl_evaluator_add(env, evaluator, data);
    if (!status) status = irl_predictor_add(env, predictor, data, &text);
    if (!status) irl_text_free(env, text);
    irl_data_free(data);
  }
  if (!status) status = irl_evaluator_render(env, evaluator, IRL_FORMAT_TEXT, &text);
  if (!status) irl_text_free(env, text);
  irl_stream_free(stream);
  irl_evaluator_free(evaluator);
  irl_predictor_free(predictor);
  return status;
}

static irl_status build_data(irl_env *env, const kit *k) {
  static const uint8_t cells[] = {0, 1, 1, 0, 1, 1}, labels[] = {0, 1, 1};
  irl_builder *builder = NULL;
  irl_data *data = NULL;
  (void)k;
  irl_status status = irl_builder_create(env, 2, NULL, &builder);
  for (int i = 0; i < 9 && !status; i++)
    status = irl_builder_add_bytes(env, builder, 3, cells, labels);
  if (!status) status = irl_builder_finish(env, builder, &data);
  if (!status) status = irl_builder_add_data(env, builder, data);
  irl_data_free(data);
  irl_builder_free(builder);
  return status;
}

static irl_status use_table(irl_env *env, const kit *k) {
  static const uint32_t samples[] = {0, 1, 2, 3, 4, 5};
  const irl_rows rows = {sizeof rows, samples, 6, NULL};
  irl_table *raw = NULL;
  irl_coding *coding = NULL;
  irl_data *data = NULL;
  char *text = NULL;
  const irl_options o = options_of(env, "threads", "1", "negations", "1", "missing", "impute",
                                   "weight_column", "w", NULL);
  irl_status status = irl_table_read(env, k->path, &o, &raw);
  if (!status) status = irl_table_render(env, raw, IRL_FORMAT_JSON, &text);
  if (!status) status = irl_table_code(env, raw, &rows, &o, &coding);
  if (!status) status = irl_table_data(env, raw, coding, NULL, &data);
  if (text) irl_text_free(env, text);
  irl_data_free(data);
  irl_coding_free(coding);
  irl_table_free(raw);
  return status;
}

static irl_status learn_table(irl_env *env, const kit *k) {
  irl_data *data = NULL, *again = NULL;
  irl_fit_result *result = NULL;
  char *text = NULL;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  const irl_options o =
      options_of(env, "threads", "1", "K", "2", "M", "2", "weight_column", "w", NULL);
  irl_status status = irl_data_read(env, k->path, &o, &data);
  if (!status) status = irl_fit(env, data, &o, &result);
  if (!status) status = irl_rule_export(env, irl_fit_rule(result), "c", &text);
  const irl_options plain = options_of(env, "threads", "1", NULL);
  if (!status) status = irl_data_read_for(env, k->path, &plain, irl_fit_rule(result), true, &again);
  if (!status) status = irl_evaluate(env, irl_fit_rule(result), again, &e);
  if (text) irl_text_free(env, text);
  irl_fit_free(result);
  irl_data_free(again);
  irl_data_free(data);
  return status;
}

static irl_status read_plink(irl_env *env, const kit *k) {
  irl_data *data = NULL;
  const irl_options o = options_of(env, NULL);
  const irl_status status = irl_data_read(env, k->path, &o, &data);
  irl_data_free(data);
  return status;
}

/* With phenotypes, lists and all filters. */
static irl_status read_vcf(irl_env *env, const kit *k) {
  static const char pheno[] = "IID,ill\na,2\nb,1\nc,2\nd,1\n", people[] = "a a\nb b\nc c\nd d\n",
                    names[] = "rs1 rs2";
  const irl_bytes given = {pheno, sizeof pheno - 1, "pheno"},
                  kept = {people, sizeof people - 1, "keep"},
                  used = {names, sizeof names - 1, "extract"};
  irl_data *data = NULL;
  irl_options o = options_of(env, "maf", "0.01", "geno", "0.5", "mind", "0.9", "hwe", "1e-6", "chr",
                             "1-3", "region", "1:1-100", NULL);
  o.genotypes.pheno = &given;
  o.genotypes.keep = &kept;
  o.genotypes.extract = &used;
  const irl_status status = irl_data_read(env, k->path, &o, &data);
  irl_data_free(data);
  return status;
}

static irl_status render_data(irl_env *env, const kit *k) {
  char *text = NULL;
  irl_status status = irl_data_render(env, k->data, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  if (!status) status = irl_data_render(env, k->data, IRL_FORMAT_TEXT, &text);
  if (!status) irl_text_free(env, text);
  return status;
}

static irl_status read_rule(irl_env *env, const kit *k) {
  irl_rule *rule = NULL;
  const irl_status status = irl_rule_read(env, k->path, &rule);
  if (status && rule) abort();
  irl_rule_free(rule);
  return status;
}

static irl_status write_rule(irl_env *env, const kit *k) {
  unlink(k->path);
  const irl_status status = irl_rule_write(env, k->rule, k->path);
  if (status && !access(k->path, F_OK)) abort();
  return status;
}

static irl_status render_rule(irl_env *env, const kit *k) {
  char *text = NULL;
  irl_status status = irl_rule_render(env, k->rule, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  if (!status) status = irl_rule_render(env, k->rule, IRL_FORMAT_TEXT, &text);
  if (!status) irl_text_free(env, text);
  return status;
}

static irl_status evaluate(irl_env *env, const kit *k) {
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  char *text = NULL;
  irl_status status = irl_evaluate(env, k->rule, k->data, &e);
  if (!status) status = irl_evaluate_render(env, k->rule, k->data, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  if (!status) status = irl_evaluate_render(env, k->rule, k->data, IRL_FORMAT_TEXT, &text);
  if (!status) irl_text_free(env, text);
  return status;
}

static irl_status predict(irl_env *env, const kit *k) {
  char *text = NULL;
  irl_status status = irl_predict_render(env, k->rule, k->data, IRL_FORMAT_JSON, true, &text);
  if (!status) irl_text_free(env, text);
  if (!status) status = irl_predict_render(env, k->rule, k->data, IRL_FORMAT_TEXT, true, &text);
  if (!status) irl_text_free(env, text);
  return status;
}

/* Missing features are named even if there is no memory for their names. */
static irl_status match(irl_env *env, const kit *k) {
  static const char json[] = "{\"clauses\": [[\"f1\"]]}";
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  irl_rule *rule = NULL;
  irl_status status = irl_rule_parse_json(env, json, strlen(json), &rule);
  if (!status) status = irl_evaluate(env, rule, k->data, &e);
  irl_rule_free(rule);
  return status;
}

TEST only_env(void) {
  miser m = {.fail_at = 1};
  const irl_allocator allocator = {sizeof allocator, miserly_resize, &m},
                      none = {sizeof none, NULL, NULL};
  irl_env *env = NULL;
  ASSERT_EQ(IRL_STATUS_NO_MEMORY, irl_env_create(&allocator, &env));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_env_create(&none, &env));
  ASSERT_EQ(NULL, env);
  irl_env_free(NULL);
  irl_data_free(NULL);
  irl_rule_free(NULL);
  PASS();
}

/* Handles outlive their env. */
TEST freed_in_any_order(void) {
  miser m = {.fail_at = -1};
  const irl_allocator allocator = {sizeof allocator, miserly_resize, &m};
  irl_env *env;
  irl_data *data, *mapped;
  irl_rule *rule;
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(&allocator, &env));
  const irl_options o = options_of(env, NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &o, &data, &rule));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/order.irb"));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/order.irb", &o, &mapped));
  irl_env_free(env);
  irl_data_free(data);
  irl_rule_free(rule);
  irl_data_free(mapped);
  ASSERT_EQ_FMT(0l, (long)m.live, "%ld");
  PASS();
}

static kit make_kit(void) {
  kit k = {0};
  const irl_options o =
      options_of(calm, "N", "120", "J", "70", "K", "12", "M", "5", "exact_size", "1", NULL);
  if (irl_generate(calm, &o, &k.data, &k.rule)) abort();
  return k;
}

static void make_vcf(const char *path) {
  FILE *out = fopen(path, "w");
  if (!out) abort();
  fputs("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\td\n"
        "1\t5\trs1\tA\tC\t.\tPASS\t.\tGT\t0/1\t0/0\t1|1\t0/1\n"
        "1\t9\trs2\tA\tC,G\t.\tPASS\t.\tGT\t0/1\t0/2\t1|1\t./.\n",
        out);
  fclose(out);
}

static void make_plink(const char *stem) {
  char path[200];
  snprintf(path, sizeof path, "%s.fam", stem);
  save_text(path, "a 1 0 0 1 2\nb 2 0 0 1 1\nc 3 0 0 1 -9\n");
  snprintf(path, sizeof path, "%s.bim", stem);
  save_text(path, "1 rs1 0 10 A C\n1 . 0 20 G T\n2 rs3 0 30 C T\n");
  snprintf(path, sizeof path, "%s.bed", stem);
  save_bytes(path, "\x6c\x1b\x01\x1b\x1b\x1b", 6);
}

static void make_raw(const char *stem) {
  static const char rows[] = "3,red,1,2,0\n?,blue,0,1,1\n5,'it s',?,1,0\n8,red,1,3,1\n"
                             "9,?,0,1,1\n2,blue,1,1,0\n7,red,0,2,1\n1,blue,1,1,0\n";
  char path[200], text[800];
  snprintf(path, sizeof path, "%s.csv", stem);
  snprintf(text, sizeof text, "a,kind,flag,w,y\n%s", rows);
  save_text(path, text);
  snprintf(path, sizeof path, "%s.arff", stem);
  snprintf(text, sizeof text,
           "@relation r\n@attribute a numeric\n@attribute kind {red}\n@attribute flag {0,1}\n"
           "@attribute w numeric\n@attribute y {0,1}\n@data\n%s",
           rows);
  save_text(path, text);
  snprintf(path, sizeof path, "%s.svm", stem);
  save_text(path, "a 1:1 2:1.5\nb 2:nan 3:1\nc 1:1\na 2:-4 4:1\nb 3:1\na 1:1 2:7\n");
}

static irl_status use_numbers(irl_env *env, const kit *k) {
  irl_data *data = NULL;
  const irl_options o = options_of(env, "threads", "1", "vs_rest", "a", NULL);
  const irl_status status = irl_data_read(env, k->path, &o, &data);
  irl_data_free(data);
  return status;
}

/* Wide enough for two pieces of CSV, which are read by two threads. */
static kit make_wide_kit(void) {
  kit k = {.path = FOLDER "/wide.csv"};
  const irl_options o = options_of(calm, "N", "2200", "J", "1000", NULL);
  if (irl_generate(calm, &o, &k.data, &k.rule)) abort();
  if (irl_data_write(calm, k.data, k.path)) abort();
  return k;
}

/* In parts, by a team whose first member runs out of memory once the others serve it: nobody may
 * wait for it. */
static irl_status read_in_parts(irl_env *env, const kit *k) {
  irl_data *data = NULL;
  team_run run;
  miser *m = env->allocator.user;
  const long fail_at = m->fail_at;
  m->fail_at = LONG_MAX;
  team_begin(&run, env, 3, -1);
  m->fail_at = fail_at + atomic_load(&m->requests);
  const irl_options o = options_of(env, "threads", "1", NULL);
  const irl_status status = irl_data_read(env, k->path, &o, &data);
  if (status && data) abort();
  irl_data_free(data);
  team_finish(&run, env);
  return status;
}

SUITE(failing_allocator) {
  static const struct {
    const char *name;
    job *run;
    const char *path;
  } jobs[] = {{"generate", generate, NULL},
              {"from_bytes", from_bytes, NULL},
              {"from_bits", from_bits, NULL},
              {"from_columns", from_columns, NULL},
              {"export_rule", export_rule, NULL},
              {"write_csv", write_data, FOLDER "/m.csv"},
              {"read_csv", read_data, FOLDER "/m.csv"},
              {"read_csv_for_rule", read_for_rule, FOLDER "/m.csv"},
              {"stream_csv_for_rule", stream_for_rule, FOLDER "/m.csv"},
              {"build_data", build_data, NULL},
              {"write_tsv", write_data, FOLDER "/m.tsv"},
              {"read_tsv", read_data, FOLDER "/m.tsv"},
              {"write_svm", write_data, FOLDER "/m.svm"},
              {"read_svm", read_data, FOLDER "/m.svm"},
              {"read_svm_for_rule", read_for_rule, FOLDER "/m.svm"},
              {"stream_svm_for_rule", stream_for_rule, FOLDER "/m.svm"},
              {"write_irb", write_data, FOLDER "/m.irb"},
              {"read_irb", read_data, FOLDER "/m.irb"},
              {"read_irb_for_rule", read_for_rule, FOLDER "/m.irb"},
              {"read_bed", read_plink, FOLDER "/p.bed"},
              {"read_vcf", read_vcf, FOLDER "/v.vcf"},
              {"csv_in_parts", read_in_parts, FOLDER "/m.csv"},
              {"irb_in_parts", read_in_parts, FOLDER "/m.irb"},
              {"bed_in_parts", read_in_parts, FOLDER "/p.bed"},
              {"use_table", use_table, FOLDER "/raw.csv"},
              {"use_arff", use_table, FOLDER "/raw.arff"},
              {"use_numbers", use_numbers, FOLDER "/raw.svm"},
              {"learn_table", learn_table, FOLDER "/raw.csv"},
              {"render_data", render_data, NULL},
              {"write_rule", write_rule, FOLDER "/m.json"},
              {"read_rule", read_rule, FOLDER "/m.json"},
              {"render_rule", render_rule, NULL},
              {"evaluate", evaluate, NULL},
              {"predict", predict, NULL},
              {"match", match, NULL}};
  kit k = make_kit(), wide = make_wide_kit();
  make_plink(FOLDER "/p");
  make_vcf(FOLDER "/v.vcf");
  make_raw(FOLDER "/raw");
  RUN_TEST(only_env);
  RUN_TEST(freed_in_any_order);
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    k.path = jobs[i].path;
    greatest_set_test_suffix(jobs[i].name);
    RUN_TESTp(survives_both, jobs[i].run, &k);
  }
  greatest_set_test_suffix("read_pieces");
  RUN_TESTp(survives, read_data, &wide, false);
  free_kit(&k);
  free_kit(&wide);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  make_folder(FOLDER);
  if (irl_env_create(NULL, &calm)) return 1;
  RUN_SUITE(failing_allocator);
  irl_env_free(calm);
  GREATEST_MAIN_END();
}
