/* Fuzz targets: rules, pools, certificates, checkpoints, models, options. */
#ifndef FUZZ_TARGETS_LEARN_H
#define FUZZ_TARGETS_LEARN_H

#include "files.h"
#include "fuzz/harness.h"
#include "ireland_model.h"
#include "ireland_study.h"
#include <math.h>

/* ---- rules ---- */

/* The JSON of a rule gives the same JSON again. */
static void fuzz_check_rule(irl_env *env, const irl_rule *rule) {
  static const char *const languages[] = {"c", "python", "sql", "r", "javascript", "text"};
  irl_evaluation evaluation = IRL_SIZED(irl_evaluation);
  irl_rule *again = NULL;
  char *text = NULL, *same = NULL;
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (fuzz_is_done(env, irl_rule_export(env, rule, languages[i], &text)))
      irl_text_free(env, text);
  fuzz_is_done(env, irl_evaluate(env, rule, fuzz_data(), &evaluation));
  if (!fuzz_is_done(env, irl_rule_render(env, rule, IRL_FORMAT_JSON, &text))) return;
  FUZZ_ASSERT(!irl_rule_parse_json(env, text, strlen(text), &again), irl_env_error(env));
  FUZZ_ASSERT(!irl_rule_render(env, again, IRL_FORMAT_JSON, &same), irl_env_error(env));
  FUZZ_ASSERT(!strcmp(text, same), text);
  fuzz_reach();
  irl_text_free(env, text);
  irl_text_free(env, same);
  irl_rule_free(again);
}

static void fuzz_rule(const uint8_t *bytes, size_t size) {
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin(size);
  irl_rule *rule = NULL;
  if (fuzz_is_done(env, irl_rule_parse_json(env, (const char *)bytes, size, &rule)))
    fuzz_check_rule(env, rule);
  irl_rule_free(rule);
  fuzz_end(env, before);
}

/* ---- what a fit on the small data reads ---- */

static irl_options fuzz_fit_options(irl_env *env) {
  return options_of(env, "K", "2", "M", "2", "threads", "1", "prove", "", "negations", "",
                    "work_limit", "1000000", NULL);
}

/* The objective of the best rule, by a fit that reads nothing. */
static double fuzz_best(void) {
  static double best = -1;
  irl_env *env;
  irl_fit_result *fit;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  if (best >= 0) return best;
  if (irl_env_create(NULL, &env)) abort();
  const irl_options options = fuzz_fit_options(env);
  if (irl_fit(env, fuzz_data(), &options, &fit)) abort();
  irl_fit_describe(fit, &info);
  FUZZ_ASSERT(info.outcome == IRL_OUTCOME_OPTIMAL, "the small data has a proven rule");
  best = info.objective;
  irl_fit_free(fit);
  irl_env_free(env);
  return best;
}

/* A pool or a checkpoint may make an answer worse, never better than the best there is. */
static void fuzz_fit(irl_env *env, const irl_options *options) {
  irl_fit_result *fit = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  if (!fuzz_is_done(env, irl_fit(env, fuzz_data(), options, &fit))) return;
  irl_fit_describe(fit, &info);
  FUZZ_ASSERT(!(info.objective < fuzz_best()), "an objective below the best one");
  if (options->search.pool || options->search.resume) fuzz_reach();
  irl_fit_free(fit);
}

/* The data's checksum is put in place of 16 letters c. */
static void fuzz_pool(const uint8_t *bytes, size_t size) {
  const size_t before = atomic_load(&fuzz_used.live);
  char *text = malloc(size + 1), checksum[20];
  if (!text) abort();
  if (size) memcpy(text, bytes, size);
  snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)checksum_of(fuzz_data()));
  char *place = memmem(text, size, "cccccccccccccccc", 16);
  if (place) memcpy(place, checksum, 16);
  irl_env *env = fuzz_begin(size);
  irl_options options = fuzz_fit_options(env);
  irl_pool *pool = NULL;
  FUZZ_ASSERT(!irl_pool_create(env, "pool", text, size, &pool), irl_env_error(env));
  options.search.pool = pool;
  options.search.prove = false; /* a proof makes its own clauses */
  fuzz_fit(env, &options);
  irl_pool_free(pool);
  fuzz_end(env, before);
  free(text);
}

/* A curve on the small data: its points are what their rules are. */
static void fuzz_curve(irl_env *env, const irl_options *options) {
  irl_fit_result *fit = NULL;
  irl_curve *curve = NULL;
  if (fuzz_is_done(env, irl_fit_for_curve(env, fuzz_data(), options, &fit)) &&
      fuzz_is_done(env, irl_curve_make(env, fit, options, &curve)))
    for (uint32_t i = 0; i < irl_curve_size(curve, IRL_CURVE_TRADEOFF); i++) {
      irl_curve_point point = IRL_SIZED(irl_curve_point);
      irl_evaluation e = IRL_SIZED(irl_evaluation);
      irl_curve_get(curve, IRL_CURVE_TRADEOFF, i, &point);
      FUZZ_ASSERT(!irl_evaluate(env, irl_curve_rule(curve, IRL_CURVE_TRADEOFF, i), fuzz_data(), &e),
                  irl_env_error(env));
      FUZZ_ASSERT(e.tp == point.tp && e.fp == point.fp, "a point is not that of its rule");
    }
  irl_curve_free(curve);
  irl_fit_free(fit);
}

typedef void fuzz_job(irl_env *env, const irl_options *options);

/* The bytes are the state of a checkpoint; header and job of a true one are put before them. */
static void fuzz_resume(irl_env *env, fuzz_job *run, uint64_t **before, const uint8_t *bytes,
                        size_t n) {
  enum { MAGIC, N, HASH, JOB, TEXT }; /* words of a checkpoint: src/search/checkpoint.h */
  irl_options options = fuzz_fit_options(env);
  if (!*before) {
    const char *path = fuzz_path(".checkpoint");
    size_t length;
    options.search.checkpoint = sink_to(path);
    run(env, &options);
    *before = (uint64_t *)(void *)load_bytes(path, &length);
  }
  const size_t first = TEXT + (irl_endian_64((*before)[JOB]) + 7) / 8;
  uint64_t *words = malloc((first + n) * sizeof *words);
  if (!words) abort();
  memcpy(words, *before, first * sizeof *words);
  if (n) memcpy(words + first, bytes, n * sizeof *words);
  words[N] = irl_endian_64(first - JOB + n);
  words[HASH] = irl_endian_64(XXH3_64bits(words + JOB, (first - JOB + n) * sizeof *words));
  options.search.checkpoint = NULL;
  const irl_bytes resume = {words, (first + n) * sizeof *words, "resume"};
  options.search.resume = &resume;
  run(env, &options);
  free(words);
}

static void fuzz_checkpoint(const uint8_t *bytes, size_t size) {
  static uint64_t *of_fit, *of_curve;
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin(size);
  fuzz_resume(env, fuzz_fit, &of_fit, bytes, size / 8);
  fuzz_resume(env, fuzz_curve, &of_curve, bytes, size / 8);
  fuzz_end(env, before);
}

/* ---- genes ---- */

/* A file of genes beside a fit of two variants. */
static void fuzz_genes(const uint8_t *bytes, size_t size) {
  static const char vcf[] =
      "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tS0\tS1\tS2\tS3"
      "\tS4\n1\t700\tr\tA\tC\t.\t.\t.\tGT\t0/0\t1|1\t0/0\t0/1\t0/1\n"
      "chrX\t800\ts\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\t./.\t0/1\n";
  const size_t before = atomic_load(&fuzz_used.live);
  const irl_bytes genes = {bytes, size, "genes"};
  irl_env *env = fuzz_begin(size);
  irl_table *made = NULL;
  irl_fit_result *fit = NULL;
  char *text = NULL;
  irl_options options =
      options_of(env, "K", "1", "M", "1", "threads", "1", "work_limit", "100000", NULL);
  options.genotypes = *fuzz_phenotypes();
  options.genotypes.genes = &genes;
  const char *path = fuzz_save(".vcf", (const uint8_t *)vcf, sizeof vcf - 1);
  FUZZ_ASSERT(!irl_table_read(env, path, &options, &made), irl_env_error(env));
  if (fuzz_is_done(env, irl_fit_table(env, made, &options, &fit)) &&
      fuzz_is_done(env, irl_fit_render(env, fit, IRL_FORMAT_JSON, &text)))
    fuzz_reach();
  irl_text_free(env, text);
  irl_fit_free(fit);
  irl_table_free(made);
  fuzz_end(env, before);
}

/* ---- certificates ---- */

/* Puts the last line right: as many nodes as lines that begin with a digit, and the checksum. */
static void fuzz_mend_certificate(buffer *b) {
  char line[80];
  size_t nodes = 0, end = 0;
  for (size_t i = 0; i < b->length; i++) {
    if (i && b->bytes[i - 1] != '\n') continue;
    if (b->bytes[i] >= '0' && b->bytes[i] <= '9') nodes++;
    if (b->length - i > 4 && !memcmp(b->bytes + i, "end ", 4)) end = i;
  }
  if (!end) return;
  b->length = end;
  snprintf(line, sizeof line, "end %zu %016llx\n", nodes,
           (unsigned long long)XXH3_64bits(b->bytes, b->length));
  put(b, line);
}

/* No certificate with the limits of the fit shows that a rule is best which is not. */
static void fuzz_certificate(const uint8_t *bytes, size_t size) {
  static const char json[] = "{\"clauses\": [[\"a\"]]}";
  static const char limits[] = "limits K 2 M 2 negations 1 ";
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin(size);
  irl_rule *rule = NULL;
  irl_evaluation evaluation = IRL_SIZED(irl_evaluation);
  irl_verification answer = IRL_SIZED(irl_verification);
  buffer b = {0};
  if (size < 1 << 20) put_bytes(&b, (const char *)bytes, size);
  fuzz_mend_certificate(&b);
  const char *path = fuzz_save(".certificate", b.bytes, b.length);
  if (irl_rule_parse_json(env, json, sizeof json - 1, &rule) ||
      irl_evaluate(env, rule, fuzz_data(), &evaluation))
    abort();
  FUZZ_ASSERT(evaluation.weighted_error > fuzz_best(), "the rule is not the best one");
  const bool is_done = fuzz_is_done(env, verify_file(env, rule, fuzz_data(), path, &answer));
  if (is_done) fuzz_reach();
  if (is_done)
    FUZZ_ASSERT(!answer.valid || !strstr(b.bytes, limits) || !strstr(b.bytes, "case 11 control 13"),
                "a false certificate is accepted");
  free(b.bytes);
  irl_rule_free(rule);
  fuzz_end(env, before);
}

/* ---- models ---- */

/* Are the numbers of a written model so far apart that sums of them lose the small ones? */
static bool fuzz_is_torn(const char *path) {
  double least = INFINITY, most = 0;
  size_t size;
  char *text = load_bytes(path, &size), *rest = text;
  for (char *word; (word = strsep(&rest, " \n"));) {
    char *end;
    const double value = fabs(strtod(word, &end));
    if (end == word || *end || !(value > 0) || isinf(value)) continue;
    least = fmin(least, value);
    most = fmax(most, value);
  }
  free(text);
  return most > 1e15 * least;
}

/* Reads a file that was written here, and writes what it has to another one. */
static void fuzz_copy_model(irl_env *env, const char *from, const char *to) {
  irl_model *copy = NULL;
  FUZZ_ASSERT(!irl_model_read(env, from, &copy), irl_env_error(env));
  FUZZ_ASSERT(!irl_model_write(env, copy, to), irl_env_error(env));
  irl_model_free(copy);
}

static void fuzz_compare_files(const char *one, const char *other) {
  size_t size = 0, size_again = 0;
  char *text = load_bytes(one, &size), *same = load_bytes(other, &size_again);
  FUZZ_ASSERT(size == size_again && !memcmp(text, same, size), "the copy is not the same");
  free(text);
  free(same);
}

/* Written and read again it is written the same (in LP format from the second time on: entries of
 * zero and rows without sides are not in it); solving it ends, if its numbers allow. */
static void fuzz_check_model(irl_env *env, irl_model *model) {
  irl_solution solution = {.size = sizeof solution};
  const char *path = fuzz_path(".first.mps"), *second = fuzz_path(".second.mps");
  const char *lp = fuzz_path(".first.lp"), *lp_second = fuzz_path(".second.lp");
  bool is_torn = false;
  irl_options options =
      options_of(env, "threads", "1", "iteration_limit", "200", "node_limit", "20", NULL);
  if (fuzz_is_done(env, irl_model_write(env, model, lp)) &&
      fuzz_is_done(env, irl_model_write(env, model, path))) {
    fuzz_copy_model(env, path, second);
    fuzz_compare_files(path, second);
    fuzz_copy_model(env, lp, lp_second);
    fuzz_copy_model(env, lp_second, lp);
    fuzz_compare_files(lp, lp_second);
    is_torn = fuzz_is_torn(path);
  }
  const irl_status status = irl_model_solve(env, model, &options, &solution);
  if (!status) fuzz_reach();
  if (!is_torn || status != IRL_STATUS_INTERNAL || !strstr(irl_env_error(env), "numerical trouble"))
    fuzz_is_done(env, status);
}

static void fuzz_model(const char *ending, const uint8_t *bytes, size_t size) {
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin(size);
  irl_model *model = NULL;
  irl_solution solution = {.size = sizeof solution};
  const char *path = fuzz_save(ending, bytes, size);
  const irl_options options =
      options_of(env, "threads", "1", "iteration_limit", "200", "node_limit", "20", NULL);
  if (fuzz_is_done(env, irl_model_read(env, path, &model))) fuzz_check_model(env, model);
  irl_model_free(model);
  const size_t n_requests = atomic_load(&fuzz_used.requests);
  fuzz_end(env, before);
  /* Once more, until memory ends. */
  env = fuzz_begin(size);
  fuzz_starve(XXH3_64bits(bytes, size), n_requests);
  if (!irl_model_read(env, path, &model)) {
    irl_model_solve(env, model, &options, &solution);
    irl_model_free(model);
  }
  fuzz_end(env, before);
}

static void fuzz_mps(const uint8_t *bytes, size_t size) {
  fuzz_model(".mps", bytes, size);
}

static void fuzz_lp(const uint8_t *bytes, size_t size) {
  fuzz_model(".lp", bytes, size);
}

/* ---- options ---- */

/* Options that name files are left out: no file but the scratch file is touched. */
static bool fuzz_is_file_option(const char *name) {
  static const char *const files[] = {"types",     "checkpoint", "resume",     "start",
                                      "save_pool", "pool",       "certificate"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (!strcmp(name, files[i])) return true;
  return false;
}

/* Lines NAME=VALUE, then, if all are accepted, a fit and a clause with them. */
static void fuzz_options(const uint8_t *bytes, size_t size) {
  const size_t before = atomic_load(&fuzz_used.live);
  irl_env *env = fuzz_begin(size);
  char *text = malloc(size + 1), *rest = text;
  irl_options options = options_of(env, "threads", "1", NULL);
  irl_fit_result *fit = NULL;
  irl_clause_solution *clause = NULL;
  bool is_fine = true;
  if (!text) abort();
  if (size) memcpy(text, bytes, size);
  text[size] = '\0';
  for (char *line; (line = strsep(&rest, "\n"));) {
    char *value = strchr(line, '=');
    if (value) *value++ = '\0';
    if (*line && !fuzz_is_file_option(line))
      is_fine &= fuzz_is_done(env, irl_options_set(env, &options, line, value));
  }
  if (options.limits.work_limit < 1 || options.limits.work_limit > 100000)
    options.limits.work_limit = 100000;
  if (options.limits.threads != 1) options.limits.threads = 2;
  if (options.output.permutations > 2) options.output.permutations = 2;
  options.limits.time_limit = 2;
  if (is_fine && fuzz_is_done(env, irl_fit(env, fuzz_data(), &options, &fit))) {
    fuzz_reach();
    irl_fit_free(fit);
  }
  if (is_fine && fuzz_is_done(env, irl_clause_solve(env, fuzz_data(), &options, &clause)))
    irl_clause_free(clause);
  free(text);
  fuzz_end(env, before);
}

#endif
