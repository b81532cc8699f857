/* Every long job looks at its limits often enough, and ends soon after it is asked to stop. No
 * clock is read: a job of two sizes counts how often it looks.
 *
 *   - The larger job looks more often than the smaller one, at least once for every `per_look`
 *     units of what it has more. A unit is a byte that is read or written, a cell that is coded or
 *     written, an entry of a model, a pivot, a fold, a permutation, or a word of work.
 *   - A job that is asked to stop at any of these looks returns after few more, with
 *     IRL_STATUS_LIMIT and a sentence if it has no result, otherwise with its result; no memory is
 *     left and no file.
 *
 * A request to stop and a time limit are one question (irl_limit_poll), so what holds for one holds
 * for the other. */
#include "base/env.h"
#include "base/limit.h"
#include "ireland_data.h"
#include "ireland_model.h"
#include "ireland_study.h"
#include "support.h"
#include <math.h>

#define FOLDER "build/limits"
#define STEP   ((double)IRL_READING_STEP)

typedef struct watcher {
  long looks, stop_at; /* 0: at none */
  long live;           /* blocks of memory */
} watcher;

static int look(void *user, const irl_progress *progress) {
  watcher *w = user;
  (void)progress;
  return ++w->looks == w->stop_at;
}

static void *resize(void *user, void *memory, size_t size) {
  watcher *w = user;
  if (!size) {
    w->live--;
    free(memory);
    return NULL;
  }
  void *block = realloc(memory, size);
  if (!block) abort();
  w->live += !memory;
  return block;
}

static irl_env *calm;

/* What a job does: from a file and options. Whatever it makes it frees. `units` is added to. */
typedef struct job job;
typedef irl_status run_job(irl_env *env, const job *j, const char *path, irl_options *options,
                           double *units, bool *has_result);

struct job {
  const char *name, *extension;
  void (*write)(buffer *b, size_t n, const char *extension);
  size_t small, large; /* rows */
  run_job *run;
  const char *settings[8]; /* names and values of options */
  double per_look;
  bool has_result; /* that a request to stop leaves */
  long after;      /* looks that may follow the request; 0: the least */
};

/* ---- files ---- */

static irl_random numbers; /* the same for every file */

static uint32_t draw(void) {
  return (uint32_t)irl_random_below(&numbers, 1000000000);
}

static void put_number(buffer *b, const char *format, uint32_t number) {
  char text[64];
  snprintf(text, sizeof text, format, number);
  put(b, text);
}

/* 0/1 columns, and a label that says something of two of them. */
static void write_bits(buffer *b, size_t n, const char *extension) {
  enum { COLUMNS = 100 };
  bool bits[COLUMNS];
  (void)extension;
  for (uint32_t j = 0; j < COLUMNS; j++) put_number(b, "f%u,", j);
  put(b, "y\n");
  for (size_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < COLUMNS; j++) put(b, (bits[j] = draw() % 2) ? "1," : "0,");
    put(b, (draw() % 8 ? bits[0] || bits[1] : draw() % 2) ? "1\n" : "0\n");
  }
}

/* A number of many values, a text and a label. */
static void write_numbers(buffer *b, size_t n, const char *extension) {
  put(b, strcmp(extension, "arff") ? "x,s,y\n"
                                   : "@relation r\n@attribute x numeric\n@attribute s string\n"
                                     "@attribute y {0,1}\n@data\n");
  for (size_t i = 0; i < n; i++) {
    put_number(b, "0.%09u", draw());
    put_number(b, ",t%u", draw() % 5);
    put_number(b, ",%u\n", draw() % 2);
  }
}

static void write_libsvm(buffer *b, size_t n, const char *extension) {
  (void)extension;
  for (size_t i = 0; i < n; i++) {
    put_number(b, "%u", draw() % 2);
    for (uint32_t j = 1; j < 20; j++) {
      put_number(b, " %u", j);
      put_number(b, ":%u", draw() % 2);
    }
    put(b, "\n");
  }
}

enum { SAMPLES = 50 };

static void write_vcf(buffer *b, size_t n, const char *extension) {
  (void)extension;
  put(b, "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT");
  for (uint32_t i = 0; i < SAMPLES; i++) put_number(b, "\ts%u", i);
  for (uint32_t j = 0; j < n; j++) {
    put_number(b, "\n1\t%u", j + 1);
    put_number(b, "\trs%u\tA\tG\t.\tPASS\t.\tGT", j);
    for (uint32_t i = 0; i < SAMPLES; i++) put(b, draw() % 2 ? "\t0/1" : "\t0/0");
  }
  put(b, "\n");
}

static void write_raw(buffer *b, size_t n, const char *extension) {
  enum { SNPS = 200 };
  (void)extension;
  put(b, "FID IID PAT MAT SEX PHENOTYPE");
  for (uint32_t j = 0; j < SNPS; j++) put_number(b, " rs%u_A", j);
  for (uint32_t i = 0; i < n; i++) {
    put_number(b, "\nf%u", i);
    put_number(b, " i%u 0 0 0", i);
    put_number(b, " %u", 1 + i % 2);
    for (uint32_t j = 0; j < SNPS; j++) put_number(b, " %u", draw() % 3);
  }
  put(b, "\n");
}

/* A knapsack of integers: the row is as long as the file. */
static void write_lp(buffer *b, size_t n, const char *extension) {
  (void)extension;
  put(b, "Maximize\n obj: 0 x0");
  for (uint32_t j = 0; j < n; j++) {
    put_number(b, "\n + %u", 1 + draw() % 100);
    put_number(b, " x%u", j);
  }
  put(b, "\nSubject To\n c: 0 x0");
  for (uint32_t j = 0; j < n; j++) {
    put_number(b, "\n + %u", 1 + draw() % 100);
    put_number(b, " x%u", j);
  }
  put_number(b, " <= %u\nBounds\n", (uint32_t)(25 * n));
  for (uint32_t j = 0; j < n; j++) put_number(b, " 0 <= x%u <= 1\n", j);
  put(b, "Generals\n");
  for (uint32_t j = 0; j < n; j++) put_number(b, " x%u\n", j);
  put(b, "End\n");
}

/* Columns that equations make one, each in a row with two others: presolve takes all of it apart,
 * and a column that every row has in the end must not be walked along for each of them. */
static void write_equal(buffer *b, size_t n, const char *extension) {
  (void)extension;
  put(b, "Minimize\n obj: k");
  for (uint32_t j = 0; j < n; j++) put_number(b, "\n + x%u", j);
  put(b, "\nSubject To\n");
  for (uint32_t j = 0; j < n; j++) {
    put_number(b, " x%u - k = 0\n", j);
    put_number(b, " x%u", j);
    put_number(b, " + z%u", j);
    put_number(b, " + y%u >= 1\n", draw() % (uint32_t)n);
  }
  put(b, "Bounds\n 1 <= k <= 5\nEnd\n");
}

/* Covers by few of many columns: pivots without end. */
static void write_cover(buffer *b, size_t n, const char *extension) {
  put(b, "Minimize\n obj: 0 x0");
  for (uint32_t j = 0; j < n; j++) {
    put_number(b, "\n + %u", 10 + draw() % 90);
    put_number(b, " x%u", j);
  }
  put(b, "\nSubject To\n");
  for (uint32_t i = 0; i < n; i++) {
    put_number(b, " x%u", i);
    for (uint32_t k = 1; k < 6; k++) put_number(b, " + x%u", (i + k * (1 + draw() % 7)) % n);
    put(b, " >= 1\n");
  }
  put(b, "Bounds\n");
  for (uint32_t j = 0; j < n; j++) put_number(b, " 0 <= x%u <= 1\n", j);
  (void)extension;
  put(b, "Generals\n");
  for (uint32_t j = 0; j < n; j++) put_number(b, " x%u\n", j);
  put(b, "End\n");
}

static void write_rule(buffer *b, size_t n, const char *extension) {
  (void)extension;
  put(b, "{\"clauses\": [[\"f0\"]");
  for (size_t i = 1; i < n; i++) {
    put_number(b, ",\n[\"f%u\"", draw() % 1000);
    put_number(b, ", \"f%u\"]", 1000 + draw() % 1000);
  }
  put(b, "]}\n");
}

static void write_bed(buffer *b, size_t n, const char *extension) {
  enum { BYTES = (SAMPLES + 3) / 4 };
  char row[BYTES];
  (void)extension;
  put_bytes(b, "\x6c\x1b\x01", 3);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < BYTES; i++) row[i] = (char)(draw() % 2 ? 0xec : 0x3b);
    row[BYTES - 1] &= 0xf; /* of 50 samples */
    put_bytes(b, row, BYTES);
  }
}

/* The files that stand beside a .bed file. */
static void write_beside_bed(const char *path, size_t n) {
  buffer fam = {0}, bim = {0};
  char other[220];
  for (uint32_t i = 0; i < SAMPLES; i++) {
    put_number(&fam, "f%u", i);
    put_number(&fam, " i%u 0 0 0", i);
    put_number(&fam, " %u\n", 1 + i % 2);
  }
  for (uint32_t j = 0; j < n; j++) {
    put_number(&bim, "1 rs%u 0", j);
    put_number(&bim, " %u A G\n", j + 1);
  }
  snprintf(other, sizeof other, "%.*s.fam", (int)strlen(path) - 4, path);
  save_text(other, fam.bytes);
  snprintf(other, sizeof other, "%.*s.bim", (int)strlen(path) - 4, path);
  save_text(other, bim.bytes);
  free(fam.bytes);
  free(bim.bytes);
}

static double size_of(const char *path) {
  struct stat about;
  if (stat(path, &about)) abort();
  return (double)about.st_size;
}

/* ---- jobs ---- */

static irl_status read_it(irl_env *env, const job *j, const char *path, irl_options *options,
                          double *units, bool *has_result) {
  irl_table *t = NULL;
  (void)j;
  *units += size_of(path);
  const irl_status status = irl_table_read(env, path, options, &t);
  *has_result = !status;
  irl_table_free(t);
  return status;
}

/* The table is read in peace. */
static irl_table *table_of(const char *path, const irl_options *options) {
  irl_table *t = NULL;
  if (irl_table_read(calm, path, options, &t)) {
    printf("%s\n", irl_env_error(calm));
    abort();
  }
  return t;
}

static irl_status code_it(irl_env *env, const job *j, const char *path, irl_options *options,
                          double *units, bool *has_result) {
  irl_table *t = table_of(path, options);
  irl_coding *coding = NULL;
  irl_data *data = NULL;
  irl_table_info info = IRL_SIZED(irl_table_info);
  (void)j;
  irl_table_describe(t, &info);
  irl_status status = irl_table_code(env, t, NULL, options, &coding);
  if (!status) status = irl_table_data(env, t, coding, NULL, &data);
  *units += (double)info.samples;
  *has_result = !status;
  irl_data_free(data);
  irl_coding_free(coding);
  irl_table_free(t);
  return status;
}

/* The file appears whole or not at all, nor anything beside it. */
static irl_status write_it(irl_env *env, const job *j, const char *path, irl_options *options,
                           double *units, bool *has_result) {
  irl_table *t = table_of(path, options);
  char to[200];
  struct stat about;
  (void)j;
  snprintf(to, sizeof to, FOLDER "/written.%s", strrchr(j->name, '_') + 1);
  remove_file(to);
  const irl_status status = irl_table_write(env, t, to);
  *units += size_of(path);
  *has_result = !status;
  if (!stat(to, &about) != !status) abort();
  irl_table_free(t);
  return status;
}

/* Of the packed format, made in peace: 250 kB for each row of the file. */
static irl_status read_irb(irl_env *env, const job *j, const char *path, irl_options *options,
                           double *units, bool *has_result) {
  irl_data *data;
  irl_options made = *options;
  made.data.N = 200 * (int64_t)(size_of(path) / 200);
  made.data.J = 10000;
  if (irl_generate(calm, &made, &data, NULL) || irl_data_write(calm, data, FOLDER "/packed.irb"))
    abort();
  irl_data_free(data);
  return read_it(env, j, FOLDER "/packed.irb", options, units, has_result);
}

static irl_status generate(irl_env *env, const job *j, const char *path, irl_options *options,
                           double *units, bool *has_result) {
  irl_data *data = NULL;
  (void)j;
  options->data.N = (int64_t)size_of(path);
  options->data.J = 1000;
  const irl_status status = irl_generate(env, options, &data, NULL);
  *units += 1000 * (double)options->data.N;
  *has_result = !status;
  irl_data_free(data);
  return status;
}

static irl_status predict(irl_env *env, const job *j, const char *path, irl_options *options,
                          double *units, bool *has_result) {
  irl_table *t = NULL;
  irl_rule *rule = NULL;
  irl_predictor *predictor = NULL;
  irl_stream *stream = NULL;
  char *text;
  (void)j;
  static const char json[] = "{\"clauses\": [[\"f1\"]]}";
  irl_status status = irl_rule_parse_json(env, json, sizeof json - 1, &rule);
  if (!status) status = irl_predictor_create(env, rule, IRL_FORMAT_TEXT, false, &predictor);
  if (!status) status = irl_stream_open_file(env, path, options, rule, false, &stream);
  while (!status && !(status = irl_stream_next_table(env, stream, 0, &t)) && t) {
    status = irl_predictor_add_table(env, predictor, t, &text);
    irl_table_free(t);
    if (!status) irl_text_free(env, text);
  }
  *units += size_of(path);
  *has_result = !status;
  irl_stream_free(stream);
  irl_predictor_free(predictor);
  irl_rule_free(rule);
  return status;
}

static irl_status fit_it(irl_env *env, const job *j, const char *path, irl_options *options,
                         double *units, bool *has_result) {
  irl_table *t = table_of(path, options);
  irl_fit_result *result = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  (void)j;
  const irl_status status = irl_fit_table(env, t, options, &result);
  if (!status) irl_fit_describe(result, &info);
  *has_result = !status && irl_fit_rule(result);
  irl_estimate estimate = IRL_SIZED(irl_estimate);
  const double parts = (double)(options->output.permutations + options->output.stability) +
                       (irl_fit_estimate(result, &estimate) ? estimate.parts_done : 0);
  const bool counts_parts = parts > 0 || options->output.validate == IRL_VALIDATE_NONE;
  *units += counts_parts ? parts : (double)info.work;
  irl_fit_free(result);
  irl_table_free(t);
  return status;
}

/* The page of a fit that was asked to stop is made all the same, as its rule is. */
static irl_status report_it(irl_env *env, const job *j, const char *path, irl_options *options,
                            double *units, bool *has_result) {
  irl_table *t = table_of(path, options);
  irl_fit_result *result = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  char *page = NULL;
  (void)j;
  irl_status status = irl_fit_table(env, t, options, &result);
  if (!status) status = irl_report_render(env, result, NULL, options, NULL, &page);
  if (!status) irl_fit_describe(result, &info);
  *has_result = !status && strstr(page, "</html>");
  *units += (double)info.work;
  if (page) irl_text_free(env, page);
  irl_fit_free(result);
  irl_table_free(t);
  return status;
}

static irl_status export_it(irl_env *env, const job *j, const char *path, irl_options *options,
                            double *units, bool *has_result) {
  irl_rule *rule = NULL;
  char *text = NULL;
  (void)options;
  if (irl_rule_read(calm, path, &rule)) abort();
  const irl_status status = irl_rule_export(env, rule, strrchr(j->name, '_') + 1, &text);
  *units += text ? (double)strlen(text) : 0;
  *has_result = !status;
  if (text) irl_text_free(env, text);
  irl_rule_free(rule);
  return status;
}

static irl_status cross_validate(irl_env *env, const job *j, const char *path, irl_options *options,
                                 double *units, bool *has_result) {
  irl_table *t = table_of(path, options);
  irl_cv_result *result = NULL;
  irl_cv_grid grid = IRL_SIZED(irl_cv_grid);
  (void)j;
  const irl_status status = irl_cv(env, t, options, &grid, &result);
  *units += (double)options->output.folds;
  *has_result = !status;
  irl_cv_free(result);
  irl_table_free(t);
  return status;
}

static irl_status verify_it(irl_env *env, const job *j, const char *path, irl_options *options,
                            double *units, bool *has_result) {
  irl_data *data = NULL;
  irl_fit_result *result = NULL;
  irl_certificate *certificate = NULL;
  irl_verification answer = IRL_SIZED(irl_verification);
  char *text = NULL;
  (void)j;
  if (irl_data_read(calm, path, options, &data) || irl_fit(calm, data, options, &result) ||
      irl_fit_certificate(calm, result, &text) || !text)
    abort();
  const irl_bytes bytes = {text, strlen(text), "certificate"};
  irl_status status = irl_certificate_parse(env, &bytes, &certificate);
  if (!status) status = irl_verify(env, irl_fit_rule(result), data, options, certificate, &answer);
  *units += (double)answer.work;
  *has_result = !status;
  if (!status && !answer.valid && !(answer.cut && strstr(answer.reason, "interrupted"))) abort();
  irl_certificate_free(certificate);
  irl_text_free(calm, text);
  irl_fit_free(result);
  irl_data_free(data);
  return status;
}

static irl_status trade_off(irl_env *env, const job *j, const char *path, irl_options *options,
                            double *units, bool *has_result) {
  irl_data *data = NULL;
  irl_fit_result *result = NULL;
  irl_curve *curve = NULL;
  irl_curve_info info = IRL_SIZED(irl_curve_info);
  (void)j;
  if (irl_data_read(calm, path, options, &data)) abort();
  irl_status status = irl_fit_for_curve(env, data, options, &result);
  if (!status) status = irl_curve_make(env, result, options, &curve);
  irl_fit_info fit = IRL_SIZED(irl_fit_info);
  if (!status) irl_curve_describe(curve, &info);
  if (result) irl_fit_describe(result, &fit);
  *units += (double)(fit.work + info.work);
  *has_result = !status;
  irl_curve_free(curve);
  irl_fit_free(result);
  irl_data_free(data);
  return status;
}

static irl_status read_model(irl_env *env, const job *j, const char *path, irl_options *options,
                             double *units, bool *has_result) {
  irl_model *model = NULL;
  (void)j;
  (void)options;
  const irl_status status = irl_model_read(env, path, &model);
  *units += size_of(path);
  *has_result = !status;
  irl_model_free(model);
  return status;
}

/* A model that stops has an answer: which bound is known. The units are pivots, or with the job
 * `presolve` the entries of the model. */
static irl_status solve_it(irl_env *env, const job *j, const char *path, irl_options *options,
                           double *units, bool *has_result) {
  irl_model *model = NULL;
  irl_model_info info = IRL_SIZED(irl_model_info);
  irl_solution solution = IRL_SIZED(irl_solution);
  if (irl_model_read(calm, path, &model)) abort();
  irl_model_describe(model, &info);
  const irl_status status = irl_model_solve(env, model, options, &solution);
  *units += !strcmp(j->name, "presolve") ? (double)info.entries : (double)solution.iterations;
  *has_result = !status && (solution.outcome == IRL_OUTCOME_OPTIMAL ||
                            solution.outcome == IRL_OUTCOME_INTERRUPTED);
  irl_model_free(model);
  return status;
}

static irl_status write_model(irl_env *env, const job *j, const char *path, irl_options *options,
                              double *units, bool *has_result) {
  irl_model *model = NULL;
  char to[200];
  struct stat about;
  (void)options;
  if (irl_model_read(calm, path, &model)) abort();
  snprintf(to, sizeof to, FOLDER "/written.%s", strrchr(j->name, '_') + 1);
  remove_file(to);
  const irl_status status = irl_model_write(env, model, to);
  *units += size_of(path);
  *has_result = !status;
  if (!stat(to, &about) != !status) abort();
  irl_model_free(model);
  return status;
}

static const job jobs[] = {
    {"read_csv_bits", "csv", write_bits, 10000, 30000, read_it, {0}, 2 * STEP, false, 0},
    {"read_csv", "csv", write_numbers, 100000, 300000, read_it, {0}, 2 * STEP, false, 0},
    {"read_arff", "arff", write_numbers, 100000, 300000, read_it, {0}, 2 * STEP, false, 0},
    {"read_libsvm", "svm", write_libsvm, 20000, 60000, read_it, {0}, 2 * STEP, false, 0},
    {"read_vcf", "vcf", write_vcf, 10000, 30000, read_it, {0}, 2 * STEP, false, 0},
    {"read_raw", "raw", write_raw, 5000, 15000, read_it, {0}, 2 * STEP, false, 0},
    {"read_lp", "lp", write_lp, 30000, 90000, read_model, {0}, 2 * STEP, false, 0},
    {"read_bed", "bed", write_bed, 50000, 200000, read_it, {0}, STEP, false, 0},
    {"read_irb", "csv", write_bits, 80, 320, read_irb, {0}, 24 * STEP, false, 0},
    {"generate", "csv", write_bits, 10, 40, generate, {0}, 4 * STEP, false, 0},
    {"predict", "csv", write_bits, 10000, 30000, predict, {0}, 2 * STEP, false, 0},
    {"code_all", "csv", write_numbers, 5000, 20000, code_it, {"cuts", "all"}, 8192, false, 0},
    {"code_mdl",
     "csv",
     write_numbers,
     60000,
     240000,
     code_it,
     {"cuts", "mdl:9"},
     STEP / 4,
     false,
     0},
    {"code_quantile",
     "csv",
     write_numbers,
     60000,
     240000,
     code_it,
     {"cuts", "quantile:99"},
     65536,
     false,
     0},
    {"write_csv", "csv", write_numbers, 60000, 180000, write_it, {0}, STEP, false, 0},
    {"write_svm", "svm", write_libsvm, 50000, 150000, write_it, {0}, 8 * STEP, false, 0},
    {"write_irb", "csv", write_numbers, 60000, 240000, write_it, {0}, 2 * STEP, false, 0},
    {"write_bits_csv", "csv", write_bits, 10000, 40000, write_it, {0}, 2 * STEP, false, 0},
    {"export_c", "json", write_rule, 50000, 200000, export_it, {0}, STEP, false, 0},
    {"export_text", "json", write_rule, 50000, 200000, export_it, {0}, STEP, false, 0},
    /* Each entry is seen at least twice, from its row and from its column, in each of two passes
     * or more: the last one finds nothing. */
    {"presolve", "lp", write_equal, 50000, 200000, solve_it, {0}, STEP / 4, true, 0},
    /* Every pivot looks. */
    {"solve_lp", "lp", write_cover, 50, 150, solve_it, {"relax", "1"}, 1, true, 0},
    {"solve_milp", "lp", write_cover, 50, 100, solve_it, {0}, 1, true, 60},
    {"write_lp", "lp", write_lp, 30000, 90000, write_model, {0}, 4 * STEP, false, 0},
    {"write_mps", "lp", write_lp, 30000, 90000, write_model, {0}, 4 * STEP, false, 0},
};
enum { N_JOBS = sizeof jobs / sizeof *jobs };

/* Jobs of searches: the file is the same, the number that grows is an option. */
static const job searches[] = {
    {"permutations", "csv", write_bits, 10, 30, fit_it, {"permutations"}, 2, true, 60},
    {"stability", "csv", write_bits, 10, 30, fit_it, {"stability"}, 1, true, 150},
    {"folds", "csv", write_bits, 3, 9, cross_validate, {"folds"}, 1, true, 300},
    {"verify", "csv", write_bits, 2, 3, verify_it, {"K"}, 1e7, true, 10},
    {"curve", "csv", write_bits, 1, 3, trade_off, {"K"}, 1e7, true, 300},
    /* Every part looks at least once, whatever its search does, and so does each of the 30 or 50
     * parts that are left when the search of one is asked to stop. */
    {"validate_cv", "csv", write_bits, 0, 0, fit_it, {"M", "1", "validate"}, 1, true, 60 + 30},
    {"validate_bootstrap",
     "csv",
     write_bits,
     0,
     0,
     fit_it,
     {"M", "1", "validate"},
     1,
     true,
     60 + 50},
    {"report", "csv", write_bits, 1, 3, report_it, {"K"}, 1e7, true, 60},
    {"fit", "csv", write_bits, 1, 3, fit_it, {"K"}, 1e7, true, 60},
    {"certificate",
     "csv",
     write_bits,
     1,
     3,
     fit_it,
     {"prove", "1", "certificate", "1", "K"},
     1e7,
     true,
     60},
};
enum { N_SEARCHES = sizeof searches / sizeof *searches };

/* ---- runs ---- */

typedef struct outcome {
  irl_status status;
  watcher watcher;
  double units;
  bool has_result;
  char error[300];
} outcome;

static outcome run(const job *j, const char *path, const char *value, long stop_at) {
  outcome o = {.watcher = {.stop_at = stop_at}};
  const irl_allocator allocator = {sizeof allocator, resize, &o.watcher};
  irl_env *env;
  irl_options options;
  if (irl_env_create(&allocator, &env)) abort();
  irl_options_init(&options, sizeof options);
  options.limits.threads = 1;
  for (size_t i = 0; i < 8 && j->settings[i]; i += 2) {
    const char *given = j->settings[i + 1] ? j->settings[i + 1] : value;
    if (irl_options_set(env, &options, j->settings[i], given)) abort();
  }
  if (j->run == verify_it) options.search.prove = options.search.certificate = true;
  if (irl_env_limit_reading(env, &options)) abort();
  irl_env_set_progress(env, look, &o.watcher);
  env->watch->period = 0;
  env->watch->next = 0;
  o.status = j->run(env, j, path, &options, &o.units, &o.has_result);
  snprintf(o.error, sizeof o.error, "%s", irl_env_error(env));
  irl_env_free(env);
  return o;
}

static void make_file(const job *j, size_t n, char path[200]) {
  buffer b = {0};
  snprintf(path, 200, FOLDER "/%s_%zu.%s", j->name, n, j->extension);
  irl_random_init(&numbers, 43, 1);
  j->write(&b, n, j->extension);
  save_bytes(path, b.bytes, b.length);
  free(b.bytes);
  if (j->write == write_bed) write_beside_bed(path, n);
}

/* Asked to stop at some of its looks, among them the first and the last. */
TEST stops(const job *j, const char *path, const char *value, long looks) {
  const long most = looks < 10 ? looks : 10;
  for (long i = 0; i < most; i++) {
    const long at = most > 1 ? 1 + i * (looks - 1) / (most - 1) : 1;
    const outcome o = run(j, path, value, at);
    const long after = o.watcher.looks - at;
    const bool is_told = o.status == IRL_STATUS_LIMIT && (strstr(o.error, "stopped while") ||
                                                          strstr(o.error, "interrupted while") ||
                                                          strstr(o.error, "request to stop"));
    /* What is written is read again for a note, which may be left out. */
    const bool is_written = j->run == write_it && !o.status && at > looks / 3;
    const bool is_right = j->has_result ? !o.status && o.has_result : is_told || is_written;
    const bool is_soon = after <= (j->after ? j->after : 3);
    if (!is_right || !is_soon || o.watcher.live)
      printf("%s: stopped at look %ld of %ld: %ld more, status %d '%s', %ld blocks left\n", j->name,
             at, looks, after, (int)o.status, o.error, o.watcher.live);
    ASSERT(is_right);
    ASSERT(is_soon);
    ASSERT_EQ(0, o.watcher.live);
  }
  PASS();
}

static bool grows(const job *j, const outcome *a, const outcome *b) {
  const double more = b->units - a->units, looks = (double)(b->watcher.looks - a->watcher.looks);
  printf("%-16s %12.0f units %6ld looks, %12.0f units %6ld looks: one for %.0f\n", j->name,
         a->units, a->watcher.looks, b->units, b->watcher.looks, more / looks);
  if (a->status || b->status) printf("%s: %s%s\n", j->name, a->error, b->error);
  return !a->status && !b->status && more > 0 && looks >= more / j->per_look && looks > 0;
}

TEST looks_grow(const job *j) {
  char paths[2][200];
  make_file(j, j->small, paths[0]);
  make_file(j, j->large, paths[1]);
  const outcome a = run(j, paths[0], NULL, 0), b = run(j, paths[1], NULL, 0);
  ASSERT(grows(j, &a, &b));
  ASSERT_EQ(0, a.watcher.live + b.watcher.live);
  CHECK_CALL(stops(j, paths[1], NULL, b.watcher.looks));
  unlink(paths[0]);
  unlink(paths[1]);
  PASS();
}

TEST searches_look(const job *j) {
  enum { ROWS = 60 };
  char path[200], small[24], large[24];
  make_file(j, ROWS, path);
  snprintf(small, sizeof small, "%zu", j->small);
  snprintf(large, sizeof large, "%zu", j->large);
  if (!strncmp(j->name, "validate_", 9)) { /* by no method, and by the one of the name */
    strcpy(small, "none");
    strcpy(large, strrchr(j->name, '_') + 1);
  }
  const outcome a = run(j, path, small, 0), b = run(j, path, large, 0);
  ASSERT(grows(j, &a, &b));
  ASSERT_EQ(0, a.watcher.live + b.watcher.live);
  CHECK_CALL(stops(j, path, large, b.watcher.looks));
  unlink(path);
  PASS();
}

SUITE(limits) {
  make_folder(FOLDER);
  for (size_t i = 0; i < N_JOBS; i++) {
    greatest_set_test_suffix(jobs[i].name);
    RUN_TESTp(looks_grow, &jobs[i]);
  }
  for (size_t i = 0; i < N_SEARCHES; i++) {
    greatest_set_test_suffix(searches[i].name);
    RUN_TESTp(searches_look, &searches[i]);
  }
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &calm)) return 1;
  RUN_SUITE(limits);
  irl_env_free(calm);
  GREATEST_MAIN_END();
}
