/* Rules: JSON in and out, the text form, and every measure and verdict against plain loops over
 * samples. */
#include "base/json.h"
#include "support.h"
#include <math.h>

#define FOLDER "build/test-rule"

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* ---- JSON ---- */

TEST json_refused(const char *text, size_t length, const char *place, const char *part) {
  irl_arena arena;
  irl_json_value *value;
  char wanted[64];
  snprintf(wanted, sizeof wanted, "it:%s: ", place);
  irl_arena_init(&arena, &env->allocator);
  const irl_status status = irl_json_parse(env, "it", text, length, &arena, &value);
  irl_arena_free(&arena);
  ASSERT_EQm(text, IRL_STATUS_BAD_INPUT, status);
  ASSERT_STRN_EQ(wanted, irl_env_error(env), strlen(wanted));
  if (!strstr(irl_env_error(env), part)) FAILm(error_of(env));
  PASS();
}

TEST json_mistakes(void) {
  static const char *const rows[][3] = {{"", "1:1", "ends"},
                                        {" \n ", "2:2", "ends"},
                                        {"x", "1:1", "not a JSON value"},
                                        {"nul", "1:1", "not a JSON value"},
                                        {"True", "1:1", "not a JSON value"},
                                        {"{", "1:2", "member name"},
                                        {"{\n \"a\" 1}", "2:6", "':'"},
                                        {"{\"a\": 1,}", "1:9", "member name"},
                                        {"{\"a\": 1 \"b\": 2}", "1:9", "',' or '}'"},
                                        {"{a: 1}", "1:2", "member name"},
                                        {"{\"a\": }", "1:7", "not a JSON value"},
                                        {"[1, 2", "1:6", "',' or ']'"},
                                        {"[1 2]", "1:4", "',' or ']'"},
                                        {"[1,]", "1:4", "not a JSON value"},
                                        {"[,1]", "1:2", "not a JSON value"},
                                        {"[1}", "1:3", "',' or ']'"},
                                        {"[1] 2", "1:5", "follows"},
                                        {"\"abc", "1:1", "does not end"},
                                        {"\"abc\\\"", "1:1", "does not end"},
                                        {"\"abc\\", "1:1", "does not end"},
                                        {"\"a\nb\"", "1:3", "control"},
                                        {"\"a\tb\"", "1:3", "control"},
                                        {"\"\\x\"", "1:3", "escape"},
                                        {"\"\\u12g4\"", "1:4", "hexadecimal"},
                                        {"\"\\u12\"", "1:4", "hexadecimal"},
                                        {"\"\\ud800\"", "1:8", "surrogate"},
                                        {"\"\\ud800x\"", "1:8", "surrogate"},
                                        {"\"\\ud800\\u0041\"", "1:8", "surrogate"},
                                        {"\"\\udc00\"", "1:8", "surrogate"},
                                        {"\"\\udd00\"", "1:8", "surrogate"},
                                        {"01", "1:1", "not a JSON value"},
                                        {"+1", "1:1", "not a JSON value"},
                                        {".5", "1:1", "not a JSON value"},
                                        {"1.", "1:1", "not a JSON value"},
                                        {"-", "1:1", "not a JSON value"},
                                        {"1e", "1:1", "not a JSON value"},
                                        {"1e+", "1:1", "not a JSON value"},
                                        {"0x10", "1:2", "follows"},
                                        {"NaN", "1:1", "not a JSON value"},
                                        {"Infinity", "1:1", "not a JSON value"},
                                        {"'a'", "1:1", "not a JSON value"},
                                        {"// c\n1", "1:1", "not a JSON value"},
                                        {"[1, // c\n2]", "1:5", "not a JSON value"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_CALL(json_refused(rows[i][0], strlen(rows[i][0]), rows[i][1], rows[i][2]));
  CHECK_CALL(json_refused("[1\0]", 4, "1:3", "',' or ']'"));
  CHECK_CALL(json_refused("\0", 1, "1:1", "not a JSON value"));
  CHECK_CALL(json_refused("\"a\0b\"", 5, "1:3", "control"));
  CHECK_CALL(json_refused("\"\\\0\"", 4, "1:3", "escape"));
  PASS();
}

/* Cut anywhere, a text is refused and nothing past its end is read (the sanitizers see that). */
TEST json_cut(void) {
  static const char text[] = "{\"a\": [1.5e+3, true, null, \"\\ud83d\\ude00\\n\"], \"b\": {}}";
  for (size_t n = 0; n < sizeof text; n++) {
    irl_arena arena;
    irl_json_value *value;
    char *exact = malloc(n ? n : 1);
    memcpy(exact, text, n);
    irl_arena_init(&arena, &env->allocator);
    const irl_status status = irl_json_parse(env, "it", exact, n, &arena, &value);
    irl_arena_free(&arena);
    free(exact);
    ASSERT_EQ(n < sizeof text - 1 ? IRL_STATUS_BAD_INPUT : IRL_STATUS_OK,
              n < sizeof text ? status : IRL_STATUS_OK);
    if (n == sizeof text - 1) break;
  }
  PASS();
}

TEST json_depth(void) {
  char text[300];
  for (int depth = 1; depth < 140; depth++) {
    irl_arena arena;
    irl_json_value *value;
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    irl_arena_init(&arena, &env->allocator);
    const irl_status status = irl_json_parse(env, "it", text, 2 * (size_t)depth, &arena, &value);
    irl_arena_free(&arena);
    if (depth <= 64) ASSERT_EQ(IRL_STATUS_OK, status);
    if (depth > 70) ASSERT_EQ(IRL_STATUS_BAD_INPUT, status);
  }
  PASS();
}

static irl_json_value *parse(irl_arena *arena, const char *text) {
  irl_json_value *value = NULL;
  irl_arena_init(arena, &env->allocator);
  return irl_json_parse(env, "it", text, strlen(text), arena, &value) ? NULL : value;
}

TEST json_numbers(void) {
  static const struct {
    const char *text;
    double value;
  } rows[] = {{"0", 0},
              {"-0", 0},
              {"12", 12},
              {"-1.5", -1.5},
              {"1e3", 1000},
              {"1E-2", 0.01},
              {"0.1", 0.1},
              {"1.7976931348623157e308", 1.7976931348623157e308},
              {"5e-324", 5e-324},
              {"1e999", INFINITY},
              {"0.10000000000000000000000000000000000000000000000000000000000000000000001", 0.1}};
  irl_arena arena;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const irl_json_value *value = parse(&arena, rows[i].text);
    ASSERTm(rows[i].text, value && value->type == IRL_JSON_NUMBER);
    ASSERT_EQm(rows[i].text, rows[i].value, value->number);
    irl_arena_free(&arena);
  }
  PASS();
}

TEST json_reals_come_back(void) {
  irl_random random;
  irl_random_init(&random, 3, 0);
  for (int i = 0; i < 2000; i++) {
    irl_json json;
    irl_arena arena;
    char *text;
    double x;
    const uint64_t bits = irl_random_next(&random);
    memcpy(&x, &bits, sizeof x);
    if (i < 100) x = i / 10.0;
    irl_json_init(&json, env);
    irl_json_real(&json, NULL, x);
    ASSERT_EQ(IRL_STATUS_OK, irl_json_take(&json, &text));
    const irl_json_value *value = parse(&arena, text);
    ASSERT(value);
    if (isfinite(x)) ASSERT_EQm(text, x, value->number);
    ASSERT_EQ(isfinite(x) ? IRL_JSON_NUMBER : IRL_JSON_NULL, value->type);
    irl_text_free(env, text);
    irl_arena_free(&arena);
  }
  PASS();
}

/* What the writer makes is ASCII or UTF-8, and the reader gives the same bytes back. */
TEST string_comes_back(const char *string) {
  irl_json json;
  irl_arena arena;
  char *text;
  irl_json_init(&json, env);
  irl_json_open(&json, NULL, '{');
  irl_json_string(&json, string, string);
  irl_json_close(&json, '}');
  ASSERT_EQ(IRL_STATUS_OK, irl_json_take(&json, &text));
  const irl_json_value *value = parse(&arena, text);
  if (!value) FAILm(error_of(env));
  ASSERT_STR_EQ(string, value->first->key);
  ASSERT_STR_EQ(string, value->first->text);
  ASSERT_EQ(strlen(string), value->first->length);
  irl_text_free(env, text);
  irl_arena_free(&arena);
  PASS();
}

TEST json_strings(void) {
  static const char *const strings[] = {"",
                                        "a",
                                        "\"\\/\b\f\n\r\t",
                                        "\x01\x1f\x7f",
                                        "caf\xc3\xa9",
                                        "\xe6\x97\xa5\xe6\x9c\xac",
                                        "\xf0\x9f\x98\x80",
                                        "caf\xe9",
                                        "\x80\xff",
                                        "\xc3",
                                        "\xe6\x97",
                                        "\xf0\x9f\x98",
                                        "\xc0\x80",
                                        "\xe0\x80\x80",
                                        "\xed\xa0\x80",
                                        "\xed\xb2\x80",
                                        "\xf4\x90\x80\x80",
                                        "\xf8\x88\x80\x80\x80",
                                        "\xc3\xa9\xc3"};
  irl_random random;
  for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
    CHECK_CALL(string_comes_back(strings[i]));
  irl_random_init(&random, 8, 0);
  for (int i = 0; i < 3000; i++) {
    char string[20];
    const size_t n = irl_random_below(&random, 19);
    for (size_t k = 0; k < n; k++) {
      const uint64_t x = irl_random_next(&random);
      string[k] = (char)(x & 256 ? 0x80 | (x & 0x7f) : x & 255);
      if (!string[k]) string[k] = '?';
    }
    string[n] = '\0';
    CHECK_CALL(string_comes_back(string));
  }
  irl_arena arena;
  const irl_json_value *value = parse(&arena, "\"\\u0041\\u00e9\\u65E5\\uD83D\\uDE00\\udcff\\/\"");
  ASSERT(value);
  ASSERT_STR_EQ("A\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80\xff/", value->text);
  irl_arena_free(&arena);
  PASS();
}

/* ---- rules as JSON and text ---- */

TEST rule_refused(const char *text, const char *place, const char *part) {
  char wanted[64];
  irl_rule *rule = NULL;
  snprintf(wanted, sizeof wanted, "rule:%s: ", place);
  ASSERT_EQm(text, IRL_STATUS_BAD_INPUT, irl_rule_parse_json(env, text, strlen(text), &rule));
  ASSERT_STRN_EQ(wanted, irl_env_error(env), strlen(wanted));
  if (!strstr(irl_env_error(env), part)) FAILm(error_of(env));
  ASSERT_EQ(NULL, rule);
  PASS();
}

TEST rule_mistakes(void) {
  static const char *const rows[][3] = {
      {"{}", "1:1", "not a rule"},
      {"[]", "1:1", "not a rule"},
      {"3", "1:1", "not a rule"},
      {"\"clauses\"", "1:1", "not a rule"},
      {"{\"clauses\": 3}", "1:13", "not a rule"},
      {"{\"clauses\": null}", "1:13", "not a rule"},
      {"{\n  \"clauses\": [\n    3]}", "3:5", "array of literals"},
      {"{\"clauses\": [[3]]}", "1:15", "text"},
      {"{\"clauses\": [[\"\"]]}", "1:15", "no feature name"},
      {"{\"clauses\": [[\"!\"]]}", "1:15", "no feature name"},
      {"{\"clauses\": [[\"!!a\"]]}", "1:15", "no feature name"},
      {"{\"clauses\": [[\"a\\u0000b\"]]}", "1:15", "text"},
      {"{\"clauses\": [[\"a\"], [\"b\", [\"c\"]]]}", "1:27", "text"},
      {"{\"format\": \"x\", \"clauses\": []}", "1:12", "not a rule"},
      {"{\"format\": 1, \"clauses\": []}", "1:12", "not a rule"},
      {"{\"version\": 2, \"clauses\": []}", "1:13", "version"},
      {"{\"version\": \"1\", \"clauses\": []}", "1:13", "version"},
      {"{\"K\": -1, \"clauses\": []}", "1:7", "whole number"},
      {"{\"K\": 1.5, \"clauses\": []}", "1:7", "whole number"},
      {"{\"M\": 1e99, \"clauses\": []}", "1:7", "whole number"},
      {"{\"M\": \"3\", \"clauses\": []}", "1:7", "whole number"},
      {"{\"target\": 3, \"clauses\": []}", "1:12", "text"},
      {"{\"positive\": 1, \"clauses\": []}", "1:14", "text"},
      {"{\"negative\": [], \"clauses\": []}", "1:14", "text"},
      {"{\"clauses\": [[\"a\"]]} x", "1:22", "follows"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_CALL(rule_refused(rows[i][0], rows[i][1], rows[i][2]));
  irl_rule *rule = NULL;
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_rule_read(env, FOLDER "/none.json", &rule));
  ASSERT(strstr(irl_env_error(env), FOLDER "/none.json: No such file"));
  save_text(FOLDER "/bad.json", "{\"clauses\":\n [[3]]}");
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_rule_read(env, FOLDER "/bad.json", &rule));
  ASSERT(strstr(irl_env_error(env), FOLDER "/bad.json:2:4: "));
  PASS();
}

static irl_rule *rule_of(const char *json) {
  irl_rule *rule = NULL;
  return irl_rule_parse_json(env, json, strlen(json), &rule) ? NULL : rule;
}

TEST text_is(const char *json, const char *wanted) {
  char *text;
  irl_rule *rule = rule_of(json);
  ASSERT(rule);
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, rule, IRL_FORMAT_TEXT, &text));
  ASSERT_STR_EQ(wanted, text);
  irl_text_free(env, text);
  irl_rule_free(rule);
  PASS();
}

TEST text_form(void) {
  CHECK_CALL(text_is("{\"clauses\": []}", "FALSE"));
  CHECK_CALL(text_is("{\"clauses\": [[\"a\"]]}", "(a)"));
  CHECK_CALL(text_is("{\"clauses\": [[\"a\", \"!b\"], [\"c\"]]}", "(a AND !b) OR (c)"));
  CHECK_CALL(text_is("{\"clauses\": [[\"x <= 3\", \"a!\"]]}", "(x <= 3 AND a!)"));
  PASS();
}

/* Written and read, the rule is the same, and written again it is the same text. */
TEST comes_back(const char *json) {
  char *first, *second, *text, *text_again;
  irl_rule_info a = IRL_SIZED(irl_rule_info), b = IRL_SIZED(irl_rule_info);
  irl_rule *rule = rule_of(json), *again;
  ASSERTm(json, rule);
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_write(env, rule, FOLDER "/rule.json"));
  if (irl_rule_read(env, FOLDER "/rule.json", &again)) FAILm(error_of(env));
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, rule, IRL_FORMAT_JSON, &first));
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, again, IRL_FORMAT_JSON, &second));
  ASSERT_STR_EQ(first, second);
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, rule, IRL_FORMAT_TEXT, &text));
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, again, IRL_FORMAT_TEXT, &text_again));
  ASSERT_STR_EQ(text, text_again);
  irl_rule_describe(rule, &a);
  irl_rule_describe(again, &b);
  ASSERT_EQ(a.clauses, b.clauses);
  ASSERT_EQ(a.literals, b.literals);
  ASSERT_EQ(a.K, b.K);
  ASSERT_EQ(a.M, b.M);
  for (uint32_t k = 0; k < a.clauses; k++)
    for (uint32_t i = 0; i < irl_rule_clause_size(rule, k); i++) {
      bool x, y;
      ASSERT_STR_EQ(irl_rule_literal(rule, k, i, &x), irl_rule_literal(again, k, i, &y));
      ASSERT_EQ(x, y);
    }
  irl_text_free(env, first);
  irl_text_free(env, second);
  irl_text_free(env, text);
  irl_text_free(env, text_again);
  irl_rule_free(rule);
  irl_rule_free(again);
  PASS();
}

TEST round_trips(void) {
  CHECK_CALL(comes_back("{\"clauses\": []}"));
  CHECK_CALL(comes_back("{\"K\": 7, \"M\": 5, \"target\": \"t\\n\", \"positive\": \"\\u00e9\","
                        "\"negative\": \"\", \"clauses\": [[\"a\", \"!b\"], [\"b\"]]}"));
  CHECK_CALL(comes_back("{\"clauses\": [[\"caf\xe9\", \"!\\udcff\"], [\"\\ud83d\\ude00\"]],"
                        "\"more\": {\"x\": [1, {}]}}"));
  CHECK_CALL(comes_back("{\"clauses\": [[\"a\", \"a\", \"!a\"]], \"features\": [\"q\"]}"));
  irl_random random;
  irl_random_init(&random, 4, 0);
  for (int i = 0; i < 100; i++) {
    buffer b = {0};
    char literal[64];
    put(&b, "{\"clauses\": [");
    const uint64_t n = irl_random_below(&random, 30);
    for (uint64_t k = 0; k < n; k++) {
      put(&b, k ? ", [" : "[");
      for (uint64_t m = irl_random_below(&random, 20) + 1; m; m--) {
        snprintf(literal, sizeof literal, "\"%sf%llu\"%s", irl_random_below(&random, 2) ? "!" : "",
                 (unsigned long long)irl_random_below(&random, 100), m > 1 ? ", " : "");
        put(&b, literal);
      }
      put(&b, "]");
    }
    put(&b, "]}");
    CHECK_CALL(comes_back(b.bytes));
    free(b.bytes);
  }
  PASS();
}

TEST limits_of_a_rule(void) {
  irl_rule_info info = IRL_SIZED(irl_rule_info);
  irl_rule *rule = rule_of("{\"K\": 1, \"M\": 1, \"clauses\": [[\"a\", \"b\"], [\"c\"]]}");
  ASSERT(rule);
  irl_rule_describe(rule, &info);
  ASSERT_EQ_FMT(2u, info.K, "%u");
  ASSERT_EQ_FMT(2u, info.M, "%u");
  ASSERT_EQ(NULL, info.target);
  ASSERT_EQ_FMT(0u, irl_rule_clause_size(rule, 2), "%u");
  ASSERT_EQ(NULL, irl_rule_literal(rule, 0, 2, NULL));
  ASSERT_EQ(NULL, irl_rule_literal(rule, 9, 0, NULL));
  irl_rule_free(rule);
  PASS();
}

/* ---- rules on data, against plain loops ---- */

typedef struct literal {
  uint32_t feature;
  bool negated;
} literal;

enum { MAX_CLAUSES = 9, MAX_LITERALS = 6 };

typedef struct plain_rule {
  uint32_t n, size[MAX_CLAUSES];
  literal literals[MAX_CLAUSES][MAX_LITERALS];
} plain_rule;

static plain_rule random_rule(irl_random *random, uint32_t n_features) {
  plain_rule r = {.n = (uint32_t)irl_random_below(random, MAX_CLAUSES + 1)};
  for (uint32_t k = 0; k < r.n; k++) {
    r.size[k] = 1 + (uint32_t)irl_random_below(random, MAX_LITERALS);
    for (uint32_t i = 0; i < r.size[k]; i++)
      r.literals[k][i] =
          (literal){(uint32_t)irl_random_below(random, n_features), irl_random_below(random, 2)};
  }
  return r;
}

static irl_rule *to_rule(const plain_rule *r, const char *labels) {
  buffer b = {0};
  char text[32];
  put(&b, "{");
  put(&b, labels);
  put(&b, "\"clauses\": [");
  for (uint32_t k = 0; k < r->n; k++) {
    put(&b, k ? ", [" : "[");
    for (uint32_t i = 0; i < r->size[k]; i++) {
      snprintf(text, sizeof text, "%s\"%sf%u\"", i ? ", " : "",
               r->literals[k][i].negated ? "!" : "", r->literals[k][i].feature + 1);
      put(&b, text);
    }
    put(&b, "]");
  }
  put(&b, "]}");
  irl_rule *rule = rule_of(b.bytes);
  free(b.bytes);
  return rule;
}

static bool is_missed(const table *t, uint32_t sample, literal l) {
  return t->cells[(size_t)sample * t->j + l.feature] == l.negated;
}

static uint32_t count_missed(const table *t, const plain_rule *r, uint32_t sample, uint32_t k) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->size[k]; i++) n += is_missed(t, sample, r->literals[k][i]);
  return n;
}

static uint32_t count_fired(const table *t, const plain_rule *r, uint32_t sample) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < r->n; k++) n += !count_missed(t, r, sample, k);
  return n;
}

TEST measures_are(const table *t, const plain_rule *r, const irl_evaluation *e) {
  double n1 = 0, n0 = 0, satisfied = 0;
  uint64_t tp = 0, fp = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    const uint32_t fired = count_fired(t, r, i);
    if (t->labels[i]) {
      n1++;
      tp += fired > 0;
    } else {
      n0++;
      fp += fired > 0;
      satisfied += fired;
    }
  }
  const double n = n1 + n0, fn = n1 - (double)tp, tn = n0 - (double)fp;
  ASSERT_EQ(tp, e->tp);
  ASSERT_EQ(fp, e->fp);
  ASSERT_EQ((uint64_t)fn, e->fn);
  ASSERT_EQ((uint64_t)tn, e->tn);
  ASSERT_IN_RANGE((double)tp / n1, e->sensitivity, 1e-12);
  ASSERT_IN_RANGE(tn / n0, e->specificity, 1e-12);
  ASSERT_IN_RANGE(((double)tp + tn) / n, e->accuracy, 1e-12);
  ASSERT_IN_RANGE(((double)tp / n1 + tn / n0) / 2, e->balanced_accuracy, 1e-12);
  ASSERT_IN_RANGE((n1 * (double)fp + n0 * fn) / n, e->weighted_error, 1e-9);
  ASSERT_IN_RANGE((n1 * (double)fp + n0 * fn) / n / n, e->normalized, 1e-12);
  ASSERT_IN_RANGE((n1 * satisfied + n0 * fn) / n, e->hamming_loss, 1e-9);
  /* balanced accuracy follows from the weighted error: 1 - BA = error * N / (2 * N1 * N0) */
  ASSERT_IN_RANGE(1 - e->balanced_accuracy, e->weighted_error * n / (2 * n1 * n0), 1e-9);
  PASS();
}

typedef struct checker {
  const table *t;
  const plain_rule *r;
  uint32_t n;
  const char *wrong;
} checker;

static const char *check_closest(const checker *c, const irl_verdict *v) {
  uint32_t best = UINT32_MAX, closest = 0, n = 0;
  for (uint32_t k = 0; k < c->r->n; k++) {
    const uint32_t missed = count_missed(c->t, c->r, v->sample, k);
    if (missed < best) {
      best = missed;
      closest = k;
    }
  }
  if (!c->r->n) return v->n_missed ? "misses without clauses" : NULL;
  if (v->closest != closest || v->n_missed != best) return "the closest clause";
  for (uint32_t i = 0; i < c->r->size[closest]; i++)
    if (is_missed(c->t, v->sample, c->r->literals[closest][i]) && v->missed[n++] != i)
      return "a missed literal";
  return NULL;
}

static int check_verdict(void *user, const irl_verdict *v) {
  checker *c = user;
  uint32_t n = 0;
  if (v->sample != c->n++) c->wrong = "the order of the samples";
  if (v->label != c->t->labels[v->sample]) c->wrong = "the label";
  if (v->n_fired != count_fired(c->t, c->r, v->sample)) c->wrong = "the number that fired";
  for (uint32_t k = 0; k < c->r->n && !c->wrong; k++)
    if (!count_missed(c->t, c->r, v->sample, k) && v->fired[n++] != k) c->wrong = "what fired";
  if (v->predicted != (v->n_fired > 0)) c->wrong = "the prediction";
  if (!v->n_fired && !c->wrong) c->wrong = check_closest(c, v);
  return c->wrong != NULL;
}

TEST one_random_case(uint64_t seed) {
  static char message[200];
  irl_random random;
  irl_data *data;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  irl_random_init(&random, seed, 1);
  table t = random_table(&random, 2 + (uint32_t)irl_random_below(&random, 1300),
                         1 + (uint32_t)irl_random_below(&random, 40));
  const plain_rule r = random_rule(&random, t.j);
  irl_rule *rule = to_rule(&r, "");
  ASSERT(rule);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, t.n, t.j, t.cells, t.labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &e));
  CHECK_CALL(measures_are(&t, &r, &e));
  checker c = {&t, &r, 0, NULL};
  ASSERT_EQ(IRL_STATUS_OK, irl_predict(env, rule, data, check_verdict, &c));
  snprintf(message, sizeof message, "seed %llu: %s", (unsigned long long)seed,
           c.wrong ? c.wrong : "");
  if (c.wrong) FAILm(message);
  ASSERT_EQ(t.n, c.n);
  irl_data_free(data);
  irl_rule_free(rule);
  free_table(&t);
  PASS();
}

TEST evaluate_and_predict(void) {
  const char *relaxed = getenv("SEED");
  const uint64_t first = relaxed ? strtoull(relaxed, NULL, 10) : (uint64_t)time(NULL);
  printf("seed %llu (SEED=%llu repeats it)\n", (unsigned long long)first,
         (unsigned long long)first);
  for (uint64_t i = 0; i < 300; i++) CHECK_CALL(one_random_case(first + i));
  PASS();
}

/* The same samples with the columns in another order, and columns of text between them. */
static void write_shuffled(irl_random *random, const table *t, const char *path) {
  buffer b = {0};
  char text[64];
  uint32_t order[64];
  for (uint32_t j = 0; j < t->j; j++) order[j] = j;
  for (uint32_t j = 0; j < t->j; j++) {
    const uint32_t other = j + (uint32_t)irl_random_below(random, t->j - j);
    const uint32_t chosen = order[other];
    order[other] = order[j];
    order[j] = chosen;
  }
  put(&b, "id,class");
  for (uint32_t j = 0; j < t->j; j++) {
    snprintf(text, sizeof text, ",f%u,extra%u", order[j] + 1, j);
    put(&b, text);
  }
  put(&b, "\n");
  for (uint32_t i = 0; i < t->n; i++) {
    snprintf(text, sizeof text, "sample %u,%s", i, t->labels[i] ? "ill" : "healthy");
    put(&b, text);
    for (uint32_t j = 0; j < t->j; j++) {
      snprintf(text, sizeof text, ",%u,\"%u,x\"", t->cells[(size_t)i * t->j + order[j]], i);
      put(&b, j % 3 ? text : t->cells[(size_t)i * t->j + order[j]] ? ",1,2.5" : ",0,");
    }
    put(&b, "\n");
  }
  save_bytes(path, b.bytes, b.length);
  free(b.bytes);
}

TEST any_order_and_extra_columns(void) {
  const irl_options o = options_of(env, NULL);
  irl_random random;
  irl_random_init(&random, 6, 0);
  for (int i = 0; i < 20; i++) {
    irl_data *data;
    irl_evaluation e = IRL_SIZED(irl_evaluation);
    table t = random_table(&random, 150, 1 + (uint32_t)irl_random_below(&random, 40));
    const plain_rule r = random_rule(&random, t.j);
    irl_rule *rule = to_rule(&r, "\"target\": \"class\", \"positive\": \"ill\",");
    write_shuffled(&random, &t, FOLDER "/shuffled.csv");
    if (irl_data_read_for(env, FOLDER "/shuffled.csv", &o, rule, true, &data)) FAILm(error_of(env));
    ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &e));
    CHECK_CALL(measures_are(&t, &r, &e));
    irl_data_free(data);
    irl_rule_free(rule);
    free_table(&t);
  }
  PASS();
}

TEST missing_features_are_named(void) {
  const irl_options o = options_of(env, NULL);
  irl_data *data = NULL;
  irl_rule *rule = rule_of("{\"clauses\": [[\"a\", \"gone\"], [\"!also gone\"]]}");
  save_text(FOLDER "/few.csv", "a,y\n1,1\n0,0\n");
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read_for(env, FOLDER "/few.csv", &o, rule, true, &data));
  ASSERT_STR_EQ(FOLDER "/few.csv: 2 of the rule's 3 columns are missing: 'gone', 'also gone'",
                irl_env_error(env));
  ASSERT_EQ(NULL, data);
  irl_rule_free(rule);
  PASS();
}

/* One class only: what is not defined is NaN, null in JSON. */
TEST undefined_measures(void) {
  static const uint8_t cells[] = {1, 0}, labels[] = {1, 1};
  irl_data *data;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  char *text;
  irl_rule *rule = rule_of("{\"clauses\": [[\"f1\"], [\"f1\", \"!f1\"]]}");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 2, 1, cells, labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &e));
  ASSERT(isnan(e.specificity));
  ASSERT(isnan(e.balanced_accuracy));
  ASSERT_EQ(0.5, e.sensitivity);
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate_render(env, rule, data, IRL_FORMAT_JSON, &text));
  ASSERT(strstr(text, "\"specificity\": null"));
  irl_arena arena;
  ASSERT(parse(&arena, text));
  irl_arena_free(&arena);
  irl_text_free(env, text);
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate_render(env, rule, data, IRL_FORMAT_TEXT, &text));
  ASSERT(strstr(text, "not defined"));
  irl_text_free(env, text);
  irl_data_free(data);
  irl_rule_free(rule);
  PASS();
}

TEST explanations(void) {
  static const uint8_t cells[] = {1, 0, 0, 1, 1, 1}, labels[] = {1, 0};
  irl_data *data;
  irl_arena arena;
  char *text;
  irl_rule *rule =
      rule_of("{\"positive\": \"ill\", \"negative\": \"well\","
              " \"clauses\": [[\"f1\", \"!f2\"], [\"!f3\"], [\"f2\", \"!f3\", \"f1\"]]}");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 2, 3, cells, labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_predict_render(env, rule, data, IRL_FORMAT_TEXT, true, &text));
  ASSERT_STR_EQ("sample\tpredicted\tlabel\twhy\n"
                "1\till\till\till, because f1 and !f2; and because !f3\n"
                "2\twell\twell\twell: closest is f1 and !f2, but f2 is 1\n",
                text);
  irl_text_free(env, text);
  ASSERT_EQ(IRL_STATUS_OK, irl_predict_render(env, rule, data, IRL_FORMAT_JSON, true, &text));
  const irl_json_value *root = parse(&arena, text);
  ASSERT(root);
  ASSERT_EQ_FMT((size_t)2, root->n_items, "%zu");
  ASSERT_STR_EQ("ill", irl_json_get(root->first, "predicted")->text);
  ASSERT_STR_EQ("!f2", irl_json_get(root->first->next, "misses")->first->text);
  irl_arena_free(&arena);
  irl_text_free(env, text);
  irl_data_free(data);
  irl_rule_free(rule);
  PASS();
}

SUITE(json) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(json_mistakes);
  RUN_TEST(json_cut);
  RUN_TEST(json_depth);
  RUN_TEST(json_numbers);
  RUN_TEST(json_reals_come_back);
  RUN_TEST(json_strings);
}

SUITE(rules) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(rule_mistakes);
  RUN_TEST(text_form);
  RUN_TEST(round_trips);
  RUN_TEST(limits_of_a_rule);
}

SUITE(on_data) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(evaluate_and_predict);
  RUN_TEST(any_order_and_extra_columns);
  RUN_TEST(missing_features_are_named);
  RUN_TEST(undefined_measures);
  RUN_TEST(explanations);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  RUN_SUITE(json);
  RUN_SUITE(rules);
  RUN_SUITE(on_data);
  GREATEST_MAIN_END();
}
