/* Files of 10 MB: rules, read and written in every form, pools, certificates. They take a second or
 * less. Where something is done for every pair of their 90,000 items or more it would be minutes,
 * which is what is looked for here: a minute of processor time is far from both. */
#include "base/memory.h"
#include "files.h"
#include "learn/pool_file.h"
#include "support.h"
#include <time.h>
#include <xxhash.h>

#define FOLDER "build/test-large"
#define SIZE   10000000u
#define BORDER 60.0 /* processor seconds */

static irl_env *env;
static irl_data *data; /* many features, few samples */

/* A text of `size` bytes, a job on it. */
typedef void solver(buffer *text, size_t size);
typedef bool job(const buffer *text);

TEST is_not_done_for_pairs(const char *name, solver *make, job *run) {
  buffer text = {0};
  make(&text, SIZE);
  const clock_t start = clock();
  const bool is_done = run(&text);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  free(text.bytes);
  printf("%-22s %.3f s\n", name, seconds);
  ASSERTm(irl_env_error(env), is_done);
  ASSERTm("minutes", seconds < BORDER);
  PASS();
}

/* ---- rules ---- */

static void make_rule(buffer *text, size_t size) {
  buffer clauses = {0};
  char line[200];
  put(text, "{\"literals\": [");
  for (size_t i = 0; text->length + clauses.length < size; i++) {
    static const char *const is[] = {"\"is\": \">\", \"value\": 1.5",
                                     "\"is\": \"=\", \"value\": \"a\\nb\"", "\"is\": \"is 0\""};
    snprintf(line, sizeof line, "%s{\"name\": \"n%zu\", \"column\": \"c%zu\", %s}", i ? "," : "", i,
             i, is[i % 3]);
    put(text, line);
    snprintf(line, sizeof line, "%s[\"n%zu\", \"!n%zu\"]", i ? "," : "", i, i / 2);
    put(&clauses, line);
  }
  put(text, "], \"clauses\": [");
  put_bytes(text, clauses.bytes, clauses.length);
  put(text, "]}");
  free(clauses.bytes);
}

static bool with_rule(const buffer *text, const char *to) {
  irl_rule *rule = NULL;
  char *out = NULL;
  irl_status status = irl_rule_parse_json(env, text->bytes, text->length, &rule);
  if (!status && to)
    status = strcmp(to, "json") ? irl_rule_export(env, rule, to, &out)
                                : irl_rule_render(env, rule, IRL_FORMAT_JSON, &out);
  irl_text_free(env, out);
  irl_rule_free(rule);
  return !status;
}

#define EXPORT_JOB(to)                                                                             \
  static bool export_##to(const buffer *text) {                                                    \
    return with_rule(text, #to);                                                                   \
  }
EXPORT_JOB(json)
EXPORT_JOB(c)
EXPORT_JOB(python)
EXPORT_JOB(sql)
EXPORT_JOB(r)
EXPORT_JOB(javascript)
EXPORT_JOB(text)

static bool read_rule(const buffer *text) {
  return with_rule(text, NULL);
}

/* Members that nobody knows stand before what is looked for. */
static void make_members(buffer *text, size_t size) {
  char line[100];
  put(text, "{");
  for (size_t i = 0; text->length < size; i++) {
    snprintf(line, sizeof line, "\"member %zu\": [%zu, {\"a\": null}], ", i, i);
    put(text, line);
  }
  put(text, "\"clauses\": [[\"a\"], [\"b\"]], \"literals\": []}");
}

/* A mistake at the end of the only line. */
static void make_mistake(buffer *text, size_t size) {
  put(text, "[");
  while (text->length < size) put(text, "[],");
  put(text, "x]");
}

static bool refuse_rule(const buffer *text) {
  irl_rule *rule = NULL;
  return irl_rule_parse_json(env, text->bytes, text->length, &rule) == IRL_STATUS_BAD_INPUT;
}

/* A rule of negated literals, and data with a feature for each of them. */
static void make_negated(buffer *text, size_t size) {
  buffer cells = {0};
  char name[120];
  size_t n = 0;
  put(text, "{\"clauses\": [");
  for (; text->length < size; n++) {
    snprintf(name, sizeof name, "%s[\"!n%0100zu\"]", n ? "," : "", n);
    put(text, name);
    snprintf(name, sizeof name, "_n%0100zu,", n);
    put(&cells, name);
  }
  put(text, "]}");
  put(&cells, "y\n");
  for (int i = 0; i < 2; i++) {
    for (size_t j = 0; j < n; j++) put(&cells, i ? "0," : "1,");
    put(&cells, i ? "1\n" : "0\n");
  }
  save_bytes(FOLDER "/negated.csv", cells.bytes, cells.length);
  free(cells.bytes);
}

/* The features become opposites as coded data may have them: without the feature itself. */
static bool make_opposites(irl_data *own) {
  uint32_t twice;
  for (size_t i = 0; i < own->names.n; i++) own->names.text[own->names.start[i]] = '!';
  return irl_names_index(&own->names, &twice);
}

/* They are there, and ask something else. */
static bool refuse_features(const buffer *text) {
  irl_rule *rule = NULL;
  irl_data *own = NULL;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  const irl_options options = options_of(env, NULL);
  irl_status status = irl_rule_parse_json(env, text->bytes, text->length, &rule);
  if (!status) status = irl_data_read(env, FOLDER "/negated.csv", &options, &own);
  if (!status && !make_opposites(own)) status = IRL_STATUS_NO_MEMORY;
  if (!status) status = irl_evaluate(env, rule, own, &e);
  irl_data_free(own);
  irl_rule_free(rule);
  return status == IRL_STATUS_BAD_INPUT && strstr(irl_env_error(env), "asks something else");
}

/* ---- pools and certificates ---- */

enum { FEATURES = 700, SAMPLES = 4 };

static void make_data(void) {
  buffer text = {0};
  char cell[400];
  for (int j = 0; j < FEATURES; j++) {
    snprintf(cell, sizeof cell, "feature_with_a_long_name_%0100d,", j);
    put(&text, cell);
  }
  put(&text, "y\n");
  for (int i = 0; i < SAMPLES; i++) {
    for (int j = 0; j < FEATURES; j++) put(&text, (i + j) % 3 ? "0," : "1,");
    put(&text, i % 2 ? "1\n" : "0\n");
  }
  save_bytes(FOLDER "/data.csv", text.bytes, text.length);
  free(text.bytes);
  irl_options options = options_of(env, NULL);
  if (irl_data_read(env, FOLDER "/data.csv", &options, &data)) abort();
}

static void make_pool(buffer *text, size_t size) {
  char line[600];
  snprintf(line, sizeof line,
           "{\"format\": \"ireland-pool\", \"version\": 1, \"checksum\": \"%016llx\", \"M\": 2, "
           "\"negations\": false, "
           "\"clauses\": [",
           (unsigned long long)checksum_of(data));
  put(text, line);
  for (int i = 0; i < FEATURES && text->length < size; i++)
    for (int j = i + 1; j < FEATURES && text->length < size; j++) {
      snprintf(line, sizeof line,
               "%s[\"feature_with_a_long_name_%0100d\", \"feature_with_a_long_name_%0100d\"]",
               i || j > 1 ? "," : "", i, j);
      put(text, line);
    }
  put(text, "]}");
}

static bool read_pool(const buffer *text) {
  irl_clause_set pool;
  bool negations;
  save_bytes(FOLDER "/pool.json", text->bytes, text->length);
  if (load_pool(env, FOLDER "/pool.json", data, &pool, &negations)) return false;
  irl_clause_set_free(&pool);
  return true;
}

static void make_certificate(buffer *text, size_t size) {
  size_t n = 0;
  char line[100];
  put(text, "ireland certificate 3\nscope {\"K\": 2, \"M\": 2, \"literals\": 9, \"samples\": 9, "
            "\"loss\": \"weighted\", \"weights\": \"unit\", \"form\": \"dnf\", \"checksum\": \"");
  for (size_t i = 0; text->length < size / 2; i++) put(text, "0123456789abcdef");
  put(text, "\"}\n");
  for (; text->length < size; n++) put(text, "1 !12 13 branch value 4\n");
  snprintf(line, sizeof line, "end %zu %016llx\n", n,
           (unsigned long long)XXH3_64bits(text->bytes, text->length));
  put(text, line);
}

/* Whatever it says: it is no proof of this rule. */
static bool read_certificate(const buffer *text) {
  static const char json[] = "{\"clauses\": []}";
  irl_rule *rule = NULL;
  irl_verification answer = IRL_SIZED(irl_verification);
  save_bytes(FOLDER "/certificate", text->bytes, text->length);
  if (irl_rule_parse_json(env, json, sizeof json - 1, &rule)) return false;
  const irl_status status = verify_file(env, rule, data, FOLDER "/certificate", &answer);
  irl_rule_free(rule);
  return status == IRL_STATUS_BAD_INPUT || (!status && !answer.valid);
}

static void test_one(const char *name, solver *make, job *run) {
  greatest_set_test_suffix(name);
  RUN_TESTp(is_not_done_for_pairs, name, make, run);
}

SUITE(large) {
  make_folder(FOLDER);
  if (irl_env_create(NULL, &env)) abort();
  make_data();
  test_one("rule", make_rule, read_rule);
  test_one("rule and its JSON", make_rule, export_json);
  test_one("rule to C", make_rule, export_c);
  test_one("rule to Python", make_rule, export_python);
  test_one("rule to SQL", make_rule, export_sql);
  test_one("rule to R", make_rule, export_r);
  test_one("rule to JavaScript", make_rule, export_javascript);
  test_one("rule to text", make_rule, export_text);
  test_one("rule and features", make_negated, refuse_features);
  test_one("unknown members", make_members, read_rule);
  test_one("mistake at the end", make_mistake, refuse_rule);
  test_one("pool", make_pool, read_pool);
  test_one("certificate", make_certificate, read_certificate);
  irl_data_free(data);
  irl_env_free(env);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(large);
  GREATEST_MAIN_END();
}
