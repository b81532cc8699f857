/* Out of memory everywhere: each job runs with an allocator that fails at the n-th request, for
 * n = 1, 2, ... until the job succeeds. Every failure must be IRL_NO_MEMORY and leave no block. */
#include "support.h"
#include <stdatomic.h>

#define FOLDER "build/test-memory"

/* Fails the n-th request and, if `stays_out`, all after it. Called by several threads. */
typedef struct miser {
  atomic_long requests, live;
  long fail_at;
  bool stays_out;
} miser;

/* Blocks are filled with rubbish and never grow in place: nobody may rely on zeros or on the old
 * address. Their size stands before them. */
enum { BEFORE = 16 };

static void *miserly_resize(void *user, void *memory, size_t size) {
  miser *m = user;
  char *old = memory ? (char *)memory - BEFORE : NULL;
  if (!size) {
    atomic_fetch_sub(&m->live, 1);
    free(old);
    return NULL;
  }
  const long number = atomic_fetch_add(&m->requests, 1) + 1;
  if (number == m->fail_at || (m->stays_out && number > m->fail_at)) return NULL;
  size_t had = 0;
  if (old) memcpy(&had, old, sizeof had);
  char *block = malloc(size + BEFORE);
  if (!block) abort();
  memcpy(block, &size, sizeof size);
  memset(block + BEFORE, 0xa5, size);
  if (old) memcpy(block + BEFORE, memory, had < size ? had : size);
  if (!old) atomic_fetch_add(&m->live, 1);
  free(old);
  return block + BEFORE;
}

/* What a job works on, made beforehand without failures. */
typedef struct kit {
  irl_data *data;
  irl_rule *rule;
  const char *path;
} kit;

typedef irl_status job(irl_env *env, const kit *k);

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
  irl_data_info info;
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
static irl_status use_table(irl_env *env, const kit *k) {
  static const uint32_t samples[] = {0, 1, 2, 3, 4, 5};
  const irl_rows rows = {samples, 6, NULL};
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
  irl_evaluation e;
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
  irl_evaluation e;
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
  irl_evaluation e;
  irl_rule *rule = NULL;
  irl_status status = irl_rule_parse_json(env, json, strlen(json), &rule);
  if (!status) status = irl_evaluate(env, rule, k->data, &e);
  irl_rule_free(rule);
  return status;
}

/* The searches, on data so small that every request can fail once. */
static irl_status fit(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  char *text = NULL;
  const irl_options o = options_of(env, "K", "2", "M", "2", "threads", "1", NULL);
  irl_status status = irl_fit(env, k->data, &o, &result);
  if (status && result) abort();
  if (!status) status = irl_fit_render(env, result, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  irl_fit_free(result);
  return status;
}

/* The curve from a pool file, and every way to show it. */
static irl_status curve(irl_env *env, const kit *k) {
  static const char *const ways[] = {"csv", "svg", "plot"};
  irl_fit_result *result = NULL;
  irl_curve *made = NULL;
  char *text = NULL;
  const irl_options o =
      options_of(env, "K", "2", "threads", "1", "pool", FOLDER "/small.pool", "sizes", "", NULL);
  irl_status status = irl_fit_for_curve(env, k->data, &o, &result);
  if (!status) status = irl_curve_make(env, result, &o, &made);
  for (int i = 0; i < 3 && !status; i++) {
    status = irl_curve_export(env, made, ways[i], &text);
    if (!status) irl_text_free(env, text);
  }
  for (int i = 0; i < 2 && !status; i++) {
    status = irl_curve_render(env, made, i ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT, &text);
    if (!status) irl_text_free(env, text);
  }
  if (!status) status = irl_report_render(env, result, made, &o, "ireland", &text);
  if (!status) irl_text_free(env, text);
  irl_curve_free(made);
  irl_fit_free(result);
  return status;
}

/* Saves the pool that the job above reads. */
static irl_status save_pool(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  const irl_options o =
      options_of(env, "K", "2", "M", "2", "threads", "1", "save_pool", FOLDER "/small.pool", NULL);
  const irl_status status = irl_fit(env, k->data, &o, &result);
  irl_fit_free(result);
  return status;
}

static irl_status fit_columns(irl_env *env, const kit *k) {
  irl_fit_result *result = NULL;
  const irl_options o = options_of(env, "K", "2", "M", "2", "threads", "1", "method", "brcg", "cnf",
                                   "", "complexity", "4", NULL);
  const irl_status status = irl_fit(env, k->data, &o, &result);
  if (status && result) abort();
  irl_fit_free(result);
  return status;
}

static irl_status solve_clause(irl_env *env, const kit *k) {
  irl_clause_solution *solution = NULL;
  char *text = NULL;
  const irl_options o = options_of(env, "M", "2", "threads", "1", NULL);
  irl_status status = irl_clause_solve(env, k->data, &o, &solution);
  if (status && solution) abort();
  if (!status) status = irl_clause_render(env, solution, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  irl_clause_free(solution);
  return status;
}

static irl_status solve_model(irl_env *env, const kit *k) {
  irl_model *model = NULL;
  char *text = NULL;
  const irl_options o = options_of(env, "threads", "1", NULL);
  irl_status status = irl_model_read(env, k->path, &model);
  if (status && model) abort();
  irl_solution solution;
  if (!status) status = irl_model_solve(env, model, &o, &solution);
  if (!status) status = irl_model_render(env, model, IRL_FORMAT_JSON, &text);
  if (!status) irl_text_free(env, text);
  irl_model_free(model);
  return status;
}

static irl_status make_model(irl_env *env, const kit *k) {
  irl_model *model = NULL;
  irl_solution solution;
  const irl_options o = options_of(env, "form", "bp1", "K", "1", "M", "1", "threads", "1", NULL);
  irl_status status = irl_model_from_data(env, k->data, &o, &model);
  if (status && model) abort();
  if (!status) status = irl_model_write(env, model, FOLDER "/bp1.lp");
  if (!status) status = irl_model_solve(env, model, &o, &solution);
  irl_model_free(model);
  return status;
}

/* ---- running them ---- */

static irl_env *calm; /* never fails */

/* Every request up to the 200th, then fewer and fewer. */
TEST survives(job *run, const kit *k, bool stays_out) {
  static char message[300];
  long n = 1;
  irl_status status = IRL_NO_MEMORY;
  for (; status && n < 1000000; n += n < 200 ? 1 : n / 15) {
    miser m = {.fail_at = n, .stays_out = stays_out};
    const irl_allocator allocator = {miserly_resize, &m};
    irl_env *env = NULL;
    status = irl_env_create(&allocator, &env);
    if (!status) status = run(env, k);
    snprintf(message, sizeof message, "request %ld: %s, %s; %ld blocks are left", n,
             irl_status_text(status), env ? irl_env_error(env) : "", atomic_load(&m.live) - !!env);
    irl_env_free(env);
    if (status && status != IRL_NO_MEMORY) FAILm(message);
    if (atomic_load(&m.live)) FAILm(message);
  }
  if (status) FAILm(message);
  ASSERT_LTm("the allocator was not asked", 1l, n);
  PASS();
}

TEST survives_both(job *run, const kit *k) {
  CHECK_CALL(survives(run, k, false));
  CHECK_CALL(survives(run, k, true));
  PASS();
}

TEST only_env(void) {
  miser m = {.fail_at = 1};
  const irl_allocator allocator = {miserly_resize, &m}, none = {NULL, NULL};
  irl_env *env = NULL;
  ASSERT_EQ(IRL_NO_MEMORY, irl_env_create(&allocator, &env));
  ASSERT_EQ(IRL_BAD_ARGUMENT, irl_env_create(&none, &env));
  ASSERT_EQ(NULL, env);
  irl_env_free(NULL);
  irl_data_free(NULL);
  irl_rule_free(NULL);
  PASS();
}

/* Handles outlive their env. */
TEST freed_in_any_order(void) {
  miser m = {.fail_at = -1};
  const irl_allocator allocator = {miserly_resize, &m};
  irl_env *env;
  irl_data *data, *mapped;
  irl_rule *rule;
  ASSERT_EQ(IRL_OK, irl_env_create(&allocator, &env));
  const irl_options o = options_of(env, NULL);
  ASSERT_EQ(IRL_OK, irl_generate(env, &o, &data, &rule));
  ASSERT_EQ(IRL_OK, irl_data_write(env, data, FOLDER "/order.irb"));
  ASSERT_EQ(IRL_OK, irl_data_read(env, FOLDER "/order.irb", &o, &mapped));
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

static kit make_small_kit(void) {
  kit k = {.path = FOLDER "/small.mps"};
  const irl_options o =
      options_of(calm, "N", "40", "J", "8", "K", "2", "M", "2", "noise", "0.1", NULL);
  if (irl_generate(calm, &o, &k.data, &k.rule)) abort();
  save_text(k.path, "NAME small\nROWS\n N cost\n L r1\n G r2\nCOLUMNS\n"
                    " x cost -1 r1 1\n x r2 1\n y cost -2 r1 2\n z cost 1 r2 1\n"
                    "RHS\n RHS r1 4 r2 1\nBOUNDS\n UP BND x 3\n UP BND y 1\nENDATA\n");
  save_text(FOLDER "/integer.mps",
            "NAME integer\nROWS\n N cost\n L r1\n G r2\nCOLUMNS\n M1 'MARKER' 'INTORG'\n"
            " x cost -5 r1 3\n x r2 1\n y cost -4 r1 2\n z cost -3 r1 2\n M2 'MARKER' 'INTEND'\n"
            " w cost 1 r2 1\nRHS\n RHS r1 8.5 r2 1.5\nBOUNDS\n UP BND x 3\n UP BND y 2\n"
            " UP BND z 4\nENDATA\n");
  return k;
}

static void free_kit(kit *k) {
  irl_data_free(k->data);
  irl_rule_free(k->rule);
}

SUITE(failing_allocator) {
  static const struct {
    const char *name;
    job *run;
    const char *path;
  } jobs[] = {{"generate", generate, NULL},
              {"from_bytes", from_bytes, NULL},
              {"write_csv", write_data, FOLDER "/m.csv"},
              {"read_csv", read_data, FOLDER "/m.csv"},
              {"read_csv_for_rule", read_for_rule, FOLDER "/m.csv"},
              {"write_tsv", write_data, FOLDER "/m.tsv"},
              {"read_tsv", read_data, FOLDER "/m.tsv"},
              {"write_svm", write_data, FOLDER "/m.svm"},
              {"read_svm", read_data, FOLDER "/m.svm"},
              {"read_svm_for_rule", read_for_rule, FOLDER "/m.svm"},
              {"write_irb", write_data, FOLDER "/m.irb"},
              {"read_irb", read_data, FOLDER "/m.irb"},
              {"read_irb_for_rule", read_for_rule, FOLDER "/m.irb"},
              {"read_bed", read_plink, FOLDER "/p.bed"},
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
  kit k = make_kit(), wide = make_wide_kit(), small = make_small_kit();
  make_plink(FOLDER "/p");
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
  greatest_set_test_suffix("fit");
  RUN_TESTp(survives_both, fit, &small);
  if (save_pool(calm, &small)) abort();
  greatest_set_test_suffix("curve");
  RUN_TESTp(survives_both, curve, &small);
  greatest_set_test_suffix("fit_columns");
  RUN_TESTp(survives_both, fit_columns, &small);
  greatest_set_test_suffix("clause");
  RUN_TESTp(survives_both, solve_clause, &small);
  greatest_set_test_suffix("model");
  RUN_TESTp(survives_both, solve_model, &small);
  greatest_set_test_suffix("integer");
  small.path = FOLDER "/integer.mps";
  RUN_TESTp(survives_both, solve_model, &small);
  greatest_set_test_suffix("bp");
  RUN_TESTp(survives, make_model, &small, true);
  free_kit(&k);
  free_kit(&small);
  free_kit(&wide);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  if (irl_env_create(NULL, &calm)) return 1;
  RUN_SUITE(failing_allocator);
  irl_env_free(calm);
  GREATEST_MAIN_END();
}
