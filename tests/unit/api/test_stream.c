/* Rows in blocks: data that grow, files that are handed out in blocks, evaluation and prediction of
 * blocks. The oracle is always the same rows at once: irl_data_from_bytes, irl_data_read_for on the
 * whole file, irl_evaluate. Random files have quoted line ends, CRLF, blank lines, missing values,
 * and in some of them something is wrong. */
#include "api/rule_source.h"
#include "fuzzing.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "read/blocks.h"
#include "support.h"
#include <math.h>

#define FOLDER "build/test-stream"

static irl_env *env;
static irl_random dice;
static char failure[10000];

static uint32_t below(uint32_t n) {
  return (uint32_t)(irl_random_next(&dice) >> 33) % n;
}

static bool one_in(uint32_t n) {
  return !below(n);
}

static irl_rule *parse(const char *json) {
  irl_rule *rule = NULL;
  if (irl_rule_parse_json(env, json, strlen(json), &rule)) {
    puts(irl_env_error(env));
    abort();
  }
  return rule;
}

/* ---- builder ---- */

static void pack_columns(const table *t, uint32_t first, uint32_t n, uint64_t *words,
                         const uint64_t **columns, uint64_t *labels) {
  const size_t stride = (n + 63) / 64;
  memset(words, 0, stride * t->j * sizeof *words);
  memset(labels, 0, stride * sizeof *labels);
  for (uint32_t j = 0; j < t->j; j++) columns[j] = words + j * stride;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < t->j; j++)
      words[j * stride + i / 64] |= (uint64_t)t->cells[(size_t)(first + i) * t->j + j] << i % 64;
    labels[i / 64] |= (uint64_t)t->labels[first + i] << i % 64;
  }
}

/* Blocks of random sizes, as bytes, bits or data, are the table at once. */
TEST builder_is_from_bytes(uint64_t seed) {
  irl_random_init(&dice, seed, 0);
  const uint32_t n = 2 + below(300), j = below(150);
  table t = random_table(&dice, n, j ? j : 1);
  irl_builder *builder = NULL;
  irl_data *data = NULL, *again = NULL;
  static uint64_t words[150 * 8], labels[8];
  static const uint64_t *columns[150];
  ASSERT_EQ(IRL_STATUS_OK, irl_builder_create(env, t.j, NULL, &builder));
  for (uint32_t at = 0, size; at < n; at += size) {
    size = 1 + below(n - at < 400 ? n - at : 400);
    const uint8_t *cells = t.cells + (size_t)at * t.j;
    irl_data *block = NULL;
    switch (below(3)) {
    case 0:
      ASSERT_EQ(IRL_STATUS_OK, irl_builder_add_bytes(env, builder, size, cells, t.labels + at));
      break;
    case 1:
      pack_columns(&t, at, size, words, columns, labels);
      ASSERT_EQ(IRL_STATUS_OK, irl_builder_add_bits(env, builder, size, columns, labels));
      break;
    default:
      ASSERT_EQ(IRL_STATUS_OK,
                irl_data_from_bytes(env, size, t.j, cells, t.labels + at, NULL, &block));
      ASSERT_EQ(IRL_STATUS_OK, irl_builder_add_data(env, builder, block));
      irl_data_free(block);
    }
    ASSERT_EQ(at + size, irl_builder_n_samples(builder));
  }
  ASSERT_EQ(IRL_STATUS_OK, irl_builder_finish(env, builder, &data));
  ASSERT_EQ(checksum_of_table(env, &t, NULL), checksum_of(data));
  for (uint32_t i = 0; i < n; i++) ASSERT_EQ(t.labels[i], irl_data_label(data, i));
  ASSERT_EQ(IRL_STATUS_OK, irl_builder_finish(env, builder, &again)); /* it keeps its rows */
  ASSERT_EQ(checksum_of(data), checksum_of(again));
  irl_data_free(data);
  irl_data_free(again);
  irl_builder_free(builder);
  free_table(&t);
  PASS();
}

/* The same rule is learnt from both. */
TEST builder_gives_the_rule(void) {
  irl_options options = options_of(env, "K", "2", "M", "2", "prove", "", NULL);
  irl_random_init(&dice, 7, 0);
  table t = random_table(&dice, 60, 8);
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  irl_builder *builder = NULL;
  irl_data *data[2] = {NULL, NULL};
  char *rules[2];
  ASSERT_EQ(IRL_STATUS_OK, irl_builder_create(env, 8, names, &builder));
  for (uint32_t i = 0; i < 60; i += 7)
    ASSERT_EQ(IRL_STATUS_OK, irl_builder_add_bytes(env, builder, i + 7 < 60 ? 7 : 60 - i,
                                                   t.cells + 8 * i, t.labels + i));
  ASSERT_EQ(IRL_STATUS_OK, irl_builder_finish(env, builder, &data[0]));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 60, 8, t.cells, t.labels, names, &data[1]));
  for (int i = 0; i < 2; i++) {
    irl_fit_result *fit = NULL;
    ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data[i], &options, &fit));
    ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_JSON, &rules[i]));
    irl_fit_free(fit);
    irl_data_free(data[i]);
  }
  ASSERT_STR_EQ(rules[1], rules[0]);
  for (int i = 0; i < 2; i++) irl_text_free(env, rules[i]);
  irl_builder_free(builder);
  free_table(&t);
  PASS();
}

TEST builder_refuses(void) {
  static const char *const twice[] = {"a", "a"}, *const hole[] = {"a", NULL},
                           *const sign[] = {"!a"};
  static const uint8_t cells[] = {0, 1, 1, 2}, fine[] = {0, 1, 1, 0}, labels[] = {1, 0};
  irl_builder *b = NULL, *none = NULL;
  irl_data *data = NULL;
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_builder_create(env, 2, twice, &none));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_create(env, 2, hole, &none));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_builder_create(env, 1, sign, &none));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_create(env, 1, NULL, NULL));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_create(NULL, 1, NULL, &none));
  ASSERT(!none);
  ASSERT_EQ(IRL_STATUS_OK, irl_builder_create(env, 2, NULL, &b));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_finish(env, b, &data)); /* no samples */
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_add_bytes(env, b, 2, cells, labels));
  ASSERT(strstr(irl_env_error(env), "sample 1, feature 1 is 2"));
  ASSERT_EQ(0, irl_builder_n_samples(b));
  ASSERT_EQ(IRL_STATUS_OK, irl_builder_add_bytes(env, b, 0, NULL, NULL));
  ASSERT_EQ(IRL_STATUS_OK, irl_builder_add_bytes(env, b, 2, fine, labels));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_add_bytes(env, b, 2, fine, NULL));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_add_bytes(env, b, 2, NULL, labels));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_add_bits(env, b, 2, NULL, NULL));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_add_data(env, b, NULL));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_add_bytes(env, NULL, 2, fine, labels));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_finish(env, b, NULL));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 1, 1, fine, labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_builder_add_data(env, b, data)); /* other features */
  ASSERT_EQ(2, irl_builder_n_samples(b));
  ASSERT_EQ(0, irl_builder_n_samples(NULL));
  irl_data_free(data);
  irl_builder_free(b);
  irl_builder_free(NULL);
  PASS();
}

/* ---- random files ---- */

/* What a column holds. */
typedef enum kind { BITS, NUMBERS, TEXTS, JUNK } kind;

static const char *const plain_rule =
    "{\"format\": \"ireland-rule\", \"version\": 1, \"K\": 2, \"M\": 2, \"target\": \"y\","
    " \"positive\": \"yes\", \"negative\": \"no\", \"features\": [\"a\", \"b\", \"c\"],"
    " \"clauses\": [[\"a\", \"!b\"], [\"c\"]]}";
static const char *const typed_rule =
    "{\"format\": \"ireland-rule\", \"version\": 1, \"K\": 2, \"M\": 2, \"target\": \"y\","
    " \"positive\": \"yes\", \"negative\": \"no\", \"features\": [\"a > 1\", \"b = p q\", \"c\"],"
    " \"literals\": [{\"name\": \"a > 1\", \"column\": \"a\", \"is\": \">\", \"value\": 1},"
    " {\"name\": \"b = p q\", \"column\": \"b\", \"is\": \"=\", \"value\": \"p q\"},"
    " {\"name\": \"c\", \"column\": \"c\", \"is\": \"is 1\"}],"
    " \"clauses\": [[\"a > 1\", \"b = p q\"], [\"c\"]]}";
static const char *const bare_rule = /* it does not say what the labels are */
    "{\"format\": \"ireland-rule\", \"version\": 1, \"K\": 1, \"M\": 2, \"target\": \"y\","
    " \"features\": [\"a\", \"b\"], \"clauses\": [[\"a\", \"b\"]]}";

typedef struct file {
  buffer text;
  char delimiter[2];
  const char *end; /* of a line */
  uint32_t n_labels;
  uint32_t oddness; /* one cell in so many is wrong; 0: none */
} file;

static void put_cell(file *f, kind k) {
  static const char *const numbers[] = {"0", "1", "2.5", "-1", "1e3", "", "NA", " 7 ", "\"3\""};
  static const char *const texts[] = {"p q", "\"p q\"", "\"r\ns\"", "\"t,\t;\"", "\"u\"\"v\"",
                                      "w",   "",        "NA",       "\"\r\n\"",  "x\"y"};
  static const char *const odd[] = {"1,2", "?x", "\"", "\"a\"b", "3", "oh"};
  if (f->oddness && one_in(f->oddness)) {
    put(&f->text, odd[below(6)]);
    return;
  }
  switch (k) {
  case BITS:
    put(&f->text, one_in(25) ? "NA" : one_in(9) ? " 1" : one_in(2) ? "1" : "0");
    break;
  case NUMBERS:
    put(&f->text, numbers[below(9)]);
    break;
  default:
    put(&f->text, texts[below(10)]);
  }
}

static void put_label(file *f) {
  static const char *const labels[] = {"no", "yes", "perhaps", "\"n\"\"o\""};
  if (f->oddness && one_in(4 * f->oddness))
    put(&f->text, one_in(2) ? "" : "NA");
  else
    put(&f->text, labels[below(f->n_labels)]);
}

/* A file with columns a, b, c, y and others, in any order. */
static void make_csv(file *f, bool is_typed) {
  static const char *const delimiters[] = {",", "\t", ";", "|"};
  static const char *const names[] = {"a", "b", "c", "y", "z", "\"n\nm\""};
  uint32_t order[6] = {0, 1, 2, 3, 4, 5};
  const uint32_t n_columns = one_in(8) ? 5 : 6, n_rows = below(30);
  const bool has_blanks = one_in(3);
  f->text.length = 0;
  strcpy(f->delimiter, delimiters[below(4)]);
  f->end = one_in(3) ? "\r\n" : "\n";
  f->n_labels = one_in(6) ? 3 : 1 + below(2);
  f->oddness = one_in(3) ? 10 + below(200) : 0;
  for (uint32_t i = 6; i > 1; i--) {
    const uint32_t k = below(i), kept = order[i - 1];
    order[i - 1] = order[k];
    order[k] = kept;
  }
  if (one_in(5)) put(&f->text, "\xef\xbb\xbf");
  if (one_in(5)) put(&f->text, f->end);
  for (uint32_t j = 0; j < n_columns; j++) {
    if (j) put(&f->text, f->delimiter);
    put(&f->text, names[order[j]]);
  }
  for (uint32_t i = 0; i < n_rows; i++) {
    put(&f->text, f->end);
    if (has_blanks && one_in(4)) put(&f->text, one_in(2) ? "  \n" : "\n");
    const uint32_t n = f->oddness && one_in(4 * f->oddness) ? 1 + below(8) : n_columns;
    for (uint32_t j = 0; j < n; j++) {
      const uint32_t column = j < n_columns ? order[j] : 5;
      if (j) put(&f->text, f->delimiter);
      if (column == 3)
        put_label(f);
      else
        put_cell(f, column >= 4                ? TEXTS
                    : !is_typed || column == 2 ? BITS
                    : column                   ? TEXTS
                                               : NUMBERS);
    }
  }
  if (!one_in(4)) put(&f->text, f->end);
  if (one_in(9)) put(&f->text, " \n\n");
}

static void make_libsvm(file *f) {
  static const char *const values[] = {"1", "0", "2.5", "nan", "1"};
  static const char *const odd[] = {"3", "3:", ":1", "2:x", "0:1", "1:1 1:1"};
  const uint32_t n_rows = below(30), n_values = one_in(2) ? 2 : 5;
  f->text.length = 0;
  put(&f->text, "");
  f->n_labels = one_in(6) ? 3 : 1 + below(2);
  f->oddness = one_in(3) ? 10 + below(100) : 0;
  for (uint32_t i = 0; i < n_rows; i++) {
    static const char *const labels[] = {"no", "yes", "perhaps"};
    char entry[40];
    if (one_in(6)) put(&f->text, one_in(2) ? "# so\n" : " \t\n");
    put(&f->text, labels[below(f->n_labels)]);
    for (uint32_t j = 1; j < 9; j++) {
      if (one_in(2)) continue;
      snprintf(entry, sizeof entry, " %u:%s", j == 8 ? 100000 : j, values[below(n_values)]);
      put(&f->text, entry);
    }
    if (f->oddness && one_in(f->oddness)) {
      put(&f->text, " ");
      put(&f->text, odd[below(6)]);
    }
    put(&f->text, one_in(5) ? " # tail\r\n" : i + 1 == n_rows && one_in(3) ? "" : "\n");
  }
}

/* What was read: of each sample label and prediction, and what classes are called; or the error. */
typedef struct answer {
  irl_status status;
  char error[2000], names[300];
  uint32_t n;
  int labels[200];
  uint8_t predicted[200];
  irl_evaluation evaluation;
  bool has_evaluation;
} answer;

static void take_answer(answer *a, const irl_rule *rule, const irl_data *data) {
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_data_describe(data, &info);
  if (a->n + info.samples > 200) abort();
  snprintf(a->names, sizeof a->names, "%s %s %s", info.target, info.positive, info.negative);
  for (uint32_t i = 0; i < info.samples; i++)
    a->labels[a->n + i] = info.has_labels ? irl_data_label(data, i) : -1;
  if (irl_predict_bytes(env, rule, data, a->predicted + a->n, NULL)) abort();
  a->n += (uint32_t)info.samples;
}

static void keep_error(answer *a) {
  if (a->status) snprintf(a->error, sizeof a->error, "%s", irl_env_error(env));
}

static answer read_whole(const char *path, const irl_options *options, const irl_rule *rule,
                         bool labelled) {
  answer a = {.evaluation = IRL_SIZED(irl_evaluation)};
  irl_data *data = NULL;
  a.status = irl_data_read_for(env, path, options, rule, labelled, &data);
  keep_error(&a);
  if (!a.status) take_answer(&a, rule, data);
  if (!a.status && labelled) a.has_evaluation = !irl_evaluate(env, rule, data, &a.evaluation);
  irl_data_free(data);
  return a;
}

static answer read_stream(const char *path, const irl_options *options, const irl_rule *rule,
                          bool labelled, uint32_t max_rows) {
  answer a = {.evaluation = IRL_SIZED(irl_evaluation)};
  irl_stream *stream = NULL;
  irl_evaluator *evaluator = NULL;
  irl_data *data = NULL;
  if (irl_evaluator_create(env, rule, &evaluator)) abort();
  a.status = irl_stream_open_file(env, path, options, rule, labelled, &stream);
  while (!a.status && !(a.status = irl_stream_next(env, stream, max_rows, &data)) && data) {
    irl_data_info info = IRL_SIZED(irl_data_info);
    irl_data_describe(data, &info);
    if (max_rows && info.samples > max_rows) abort();
    take_answer(&a, rule, data);
    if (a.n != irl_stream_n_samples(stream)) abort();
    if (labelled && irl_evaluator_add(env, evaluator, data)) abort();
    irl_data_free(data);
  }
  keep_error(&a);
  if (stream && a.status) /* it fails again */
    if (irl_stream_next(env, stream, 0, &data) != a.status || strcmp(a.error, irl_env_error(env)))
      abort();
  if (!a.status && (irl_stream_next(env, stream, 1, &data) || data)) abort(); /* it stays over */
  if (!a.status && labelled)
    a.has_evaluation = !irl_evaluator_finish(env, evaluator, &a.evaluation);
  irl_evaluator_free(evaluator);
  irl_stream_free(stream);
  return a;
}

/* The blocks below the public stream, with a window of so many bytes. */
static answer read_blocks(const char *path, const irl_options *options, const irl_rule *rule,
                          bool labelled, size_t window) {
  answer a = {.evaluation = IRL_SIZED(irl_evaluation)};
  irl_rule_source wish;
  irl_blocks *blocks = NULL;
  irl_table *t = NULL;
  irl_data *data = NULL;
  a.status = irl_rule_source_init(env, path, options, rule, labelled, &wish);
  wish.source.window = window;
  if (!a.status) a.status = irl_blocks_open(env, &wish.source, !wish.needs_labels, &blocks);
  while (!a.status && !(a.status = irl_blocks_next(env, blocks, below(9), &t)) && t) {
    a.status = irl_rule_source_data(env, &wish, t, &data);
    if (!a.status) take_answer(&a, rule, data);
    if (!a.status) irl_data_free(data);
    irl_table_free(t);
    if (a.status) break;
  }
  keep_error(&a);
  irl_blocks_free(blocks);
  irl_rule_source_free(env, &wish);
  return a;
}

static bool is_same_number(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

static bool is_same(const answer *a, const answer *b) {
  const irl_evaluation *x = &a->evaluation, *y = &b->evaluation;
  if (a->status != b->status || strcmp(a->error, b->error)) return false;
  if (a->status) return true;
  return a->n == b->n && !strcmp(a->names, b->names) &&
         !memcmp(a->labels, b->labels, a->n * sizeof *a->labels) &&
         !memcmp(a->predicted, b->predicted, a->n) &&
         (a->has_evaluation != b->has_evaluation || !a->has_evaluation ||
          (x->tp == y->tp && x->fp == y->fp && x->tn == y->tn && x->fn == y->fn &&
           is_same_number(x->balanced_accuracy, y->balanced_accuracy) &&
           is_same_number(x->hamming_loss, y->hamming_loss) &&
           is_same_number(x->weighted_error, y->weighted_error)));
}

static const char *explain(const char *how, const answer *whole, const answer *got, const file *f) {
  snprintf(failure, sizeof failure, "%s: whole %u '%s' %s %u rows, blocks %u '%s' %s %u rows\n%s",
           how, whole->status, whole->error, whole->names, whole->n, got->status, got->error,
           got->names, got->n, f->text.bytes);
  return failure;
}

static irl_options random_options(const file *f, bool is_csv) {
  irl_options options = options_of(env, "threads", one_in(2) ? "1" : "2", NULL);
  /* Delimiter and decimal sign are found in the first lines, which a small window does not hold. */
  if (is_csv && irl_options_set(env, &options, "delimiter", f->delimiter)) abort();
  const bool has_commas = *f->delimiter != ',' && one_in(2);
  if (is_csv && irl_options_set(env, &options, "decimal", has_commas ? "comma" : "point")) abort();
  if (one_in(6) && irl_options_set(env, &options, "positive", "no")) abort();
  if (one_in(6) && irl_options_set(env, &options, "vs_rest", "yes")) abort();
  if (options.data.positive) options.data.vs_rest = NULL;
  if (is_csv && one_in(9) && irl_options_set(env, &options, "na", "NA,w")) abort();
  return options;
}

/* Every block size gives what the whole file gives, errors included, and so do small windows. */
TEST file_is_whole_file(uint64_t seed) {
  static file f;
  irl_random_init(&dice, seed, 0);
  const bool is_csv = !one_in(4), is_typed = is_csv && one_in(2), labelled = one_in(2);
  const char *path = is_csv ? FOLDER "/random.csv" : FOLDER "/random.svm";
  irl_rule *rule;
  if (is_csv) {
    make_csv(&f, is_typed);
    rule = parse(is_typed ? typed_rule : one_in(3) ? bare_rule : plain_rule);
  } else {
    make_libsvm(&f);
    rule = parse("{\"format\": \"ireland-rule\", \"version\": 1, \"K\": 2, \"M\": 2,"
                 " \"positive\": \"yes\", \"negative\": \"no\","
                 " \"features\": [\"f2\", \"f3\", \"f100000\"],"
                 " \"clauses\": [[\"f2\", \"!f3\"], [\"f100000\"]]}");
  }
  const irl_options options = random_options(&f, is_csv);
  save_bytes(path, f.text.bytes, f.text.length);
  const answer whole = read_whole(path, &options, rule, labelled);
  for (uint32_t max_rows = 0; max_rows < 32; max_rows++) {
    const answer got = read_stream(path, &options, rule, labelled, max_rows);
    ASSERTm(explain("stream", &whole, &got, &f), is_same(&whole, &got));
  }
  for (size_t window = 64; window < 2000; window = window * 3 / 2 + 1) {
    const answer got = read_blocks(path, &options, rule, labelled, window);
    ASSERTm(explain("window", &whole, &got, &f), is_same(&whole, &got));
  }
  irl_rule_free(rule);
  PASS();
}

static answer read_pipe(const file *f, const irl_options *options, const irl_rule *rule,
                        bool labelled, size_t window) {
  int ends[2];
  char path[40];
  if (pipe(ends) || write(ends[1], f->text.bytes, f->text.length) != (ssize_t)f->text.length)
    abort();
  close(ends[1]);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  const answer a = window ? read_blocks(path, options, rule, labelled, window)
                          : read_stream(path, options, rule, labelled, 3);
  close(ends[0]);
  return a;
}

/* Pipes: short ones are as files; of longer ones what is right is right, and what is wrong fails.
 */
TEST pipe_is_whole_file(uint64_t seed) {
  static file f;
  irl_random_init(&dice, seed, 1);
  const bool is_typed = one_in(2), labelled = one_in(2);
  make_csv(&f, is_typed);
  irl_rule *rule = parse(is_typed ? typed_rule : one_in(3) ? bare_rule : plain_rule);
  const irl_options options = random_options(&f, true);
  save_bytes(FOLDER "/pipe", f.text.bytes, f.text.length);
  const answer whole = read_whole(FOLDER "/pipe", &options, rule, labelled);
  const answer got = read_pipe(&f, &options, rule, labelled, 0);
  const char *error = strstr(whole.error, "pipe:");
  if (whole.status && error && !strstr(got.error, error + 5)) /* the path is another one */
    FAILm(explain("pipe", &whole, &got, &f));
  if (!whole.status) ASSERTm(explain("pipe", &whole, &got, &f), is_same(&whole, &got));
  const answer part = read_pipe(&f, &options, rule, labelled, 100 + below(400));
  if (whole.status && labelled) ASSERTm(explain("long", &whole, &part, &f), part.status);
  if (!whole.status && !part.status && part.n && part.labels[0] >= 0 && whole.labels[0] >= 0 &&
      !options.data.vs_rest)
    ASSERTm(explain("long", &whole, &part, &f),
            whole.n == part.n && !memcmp(whole.predicted, part.predicted, part.n) &&
                !memcmp(whole.labels, part.labels, part.n * sizeof *part.labels));
  irl_rule_free(rule);
  PASS();
}

/* A row in the middle of a long file that is wrong is named by its place in the file. */
TEST place_is_of_the_file(void) {
  buffer text = {0};
  irl_options options = options_of(env, NULL);
  irl_stream *stream = NULL;
  irl_rule *rule = parse(plain_rule);
  put(&text, "a,b,c,y\n");
  for (int i = 0; i < 2000000; i++)
    put(&text, i == 1500000 ? "1,0,1\n" : i % 2 ? "1,0,1,yes\n" : "0,0,0,no\n");
  save_bytes(FOLDER "/long.csv", text.bytes, text.length);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT,
            irl_stream_open_file(env, FOLDER "/long.csv", &options, rule, false, &stream));
  ASSERT_STR_EQ(FOLDER "/long.csv:1500002:6: this row has 3 columns, where the header has 4",
                irl_env_error(env));
  ASSERT(!stream);
  irl_rule_free(rule);
  free(text.bytes);
  PASS();
}

/* What an allocator has given, now and at most. */
typedef struct purse {
  size_t live, most;
} purse;

static void *counted_resize(void *user, void *memory, size_t size) {
  enum { BEFORE = 16 };
  purse *p = user;
  char *old = memory ? (char *)memory - BEFORE : NULL;
  size_t had = 0;
  if (old) memcpy(&had, old, sizeof had);
  char *block = size ? realloc(old, size + BEFORE) : NULL;
  if (!size) free(old);
  if (size && !block) return NULL;
  if (block) memcpy(block, &size, sizeof size);
  p->live = p->live - had + size;
  if (p->live > p->most) p->most = p->live;
  return block ? block + BEFORE : NULL;
}

/* A file of 9 MB with a window of 64 KB takes what a small one takes. */
TEST memory_is_bounded(const char *path, const char *line) {
  buffer text = {0};
  purse p = {0, 0};
  const irl_allocator allocator = {.size = sizeof allocator, .resize = counted_resize, .user = &p};
  irl_env *frugal = NULL, *usual = env;
  irl_options options = options_of(env, "threads", "1", NULL);
  const bool is_csv = strstr(path, "csv");
  if (is_csv) put(&text, "a,b,c,y\n");
  while (text.length < 9000000) {
    put(&text, line);
    put(&text, is_csv ? "0,1,0,no\n" : "no 2:1 77:1\n");
  }
  save_bytes(path, text.bytes, text.length);
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(&allocator, &frugal));
  env = frugal;
  irl_rule *rule = parse(is_csv ? plain_rule
                                : "{\"format\": \"ireland-rule\", \"version\": 1, \"K\": 1,"
                                  " \"M\": 1, \"positive\": \"yes\", \"negative\": \"no\","
                                  " \"features\": [\"f2\"], \"clauses\": [[\"f2\"]]}");
  irl_rule_source wish;
  irl_blocks *blocks = NULL;
  irl_table *t = NULL;
  irl_data *data = NULL;
  size_t n = 0, lines = 0;
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_source_init(env, path, &options, rule, true, &wish));
  wish.source.window = 1 << 16;
  ASSERT_EQ(IRL_STATUS_OK, irl_blocks_open(env, &wish.source, false, &blocks));
  while (!irl_blocks_next(env, blocks, 0, &t) && t) {
    ASSERT_EQ(IRL_STATUS_OK, irl_rule_source_data(env, &wish, t, &data));
    irl_data_info info = IRL_SIZED(irl_data_info);
    irl_data_describe(data, &info);
    n += info.samples;
    irl_data_free(data);
    irl_table_free(t);
  }
  for (const char *at = text.bytes; (at = strchr(at, '\n')); at++) lines++;
  ASSERT_EQ(lines - is_csv, n);
  ASSERT(p.most < 3000000);
  irl_blocks_free(blocks);
  irl_rule_source_free(env, &wish);
  irl_rule_free(rule);
  env = usual;
  irl_env_free(frugal);
  ASSERT_EQ(0, p.live);
  free(text.bytes);
  PASS();
}

/* ---- blocks of data ---- */

TEST evaluator_and_predictor(uint64_t seed) {
  irl_random_init(&dice, seed, 2);
  static const char *const names[] = {"a", "b", "c"};
  const uint32_t n = 2 + below(200);
  table t = random_table(&dice, n, 3);
  irl_rule *rule = parse(plain_rule);
  for (int format = 0; format < 2; format++) {
    irl_data *whole = NULL;
    irl_evaluator *evaluator = NULL;
    irl_predictor *predictor = NULL;
    irl_evaluation a = IRL_SIZED(irl_evaluation), b = a;
    buffer said = {0};
    char *expected, *text;
    ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, n, 3, t.cells, t.labels, names, &whole));
    ASSERT_EQ(IRL_STATUS_OK, irl_evaluator_create(env, rule, &evaluator));
    ASSERT_EQ(IRL_STATUS_OK, irl_predictor_create(env, rule, (irl_format)format, true, &predictor));
    for (uint32_t at = 0, size; at < n; at += size) {
      irl_data *block = NULL;
      size = 1 + below(n - at);
      ASSERT_EQ(IRL_STATUS_OK,
                irl_data_from_bytes(env, size, 3, t.cells + 3 * at, t.labels + at, names, &block));
      ASSERT_EQ(IRL_STATUS_OK, irl_evaluator_add(env, evaluator, block));
      ASSERT_EQ(IRL_STATUS_OK, irl_predictor_add(env, predictor, block, &text));
      put(&said, text);
      irl_text_free(env, text);
      irl_data_free(block);
    }
    ASSERT_EQ(IRL_STATUS_OK, irl_predictor_finish(env, predictor, &text));
    put(&said, text);
    irl_text_free(env, text);
    ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_predictor_finish(env, predictor, &text));
    ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_predictor_add(env, predictor, whole, &text));
    ASSERT_EQ(IRL_STATUS_OK,
              irl_predict_render(env, rule, whole, (irl_format)format, true, &expected));
    ASSERT_STR_EQ(expected, said.bytes);
    irl_text_free(env, expected);
    ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, whole, &a));
    ASSERT_EQ(IRL_STATUS_OK, irl_evaluator_finish(env, evaluator, &b));
    ASSERT(a.tp == b.tp && a.fp == b.fp && a.tn == b.tn && a.fn == b.fn);
    ASSERT(is_same_number(a.normalized, b.normalized) &&
           is_same_number(a.hamming_loss, b.hamming_loss));
    ASSERT_EQ(IRL_STATUS_OK, irl_evaluate_render(env, rule, whole, (irl_format)format, &expected));
    ASSERT_EQ(IRL_STATUS_OK, irl_evaluator_render(env, evaluator, (irl_format)format, &text));
    ASSERT_STR_EQ(expected, text);
    irl_text_free(env, expected);
    irl_text_free(env, text);
    irl_evaluator_free(evaluator);
    irl_predictor_free(predictor);
    irl_data_free(whole);
    free(said.bytes);
  }
  irl_rule_free(rule);
  free_table(&t);
  PASS();
}

/* Weights of samples, also where blocks have other units of them. */
TEST evaluator_weighs(void) {
  const double bits[] = {1, 0, 1, 0, 1, 0}, weights[] = {1, 2, 3, 0.5, 0.25, 4};
  const uint8_t labels[] = {1, 0, 0, 1, 1, 0};
  const irl_options options = options_of(env, NULL);
  irl_rule *rule = parse("{\"format\": \"ireland-rule\", \"version\": 1, \"K\": 1, \"M\": 1,"
                         " \"features\": [\"a\"], \"clauses\": [[\"a\"]]}");
  irl_evaluation whole = IRL_SIZED(irl_evaluation), got = whole;
  irl_evaluator *evaluator = NULL;
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluator_create(env, rule, &evaluator));
  for (int part = 0; part < 3; part++) { /* all, then two halves */
    const uint32_t first = part == 2 ? 3 : 0, n = part ? 3 : 6;
    const irl_column_view column = {
        .size = sizeof column, .name = "a", .type = IRL_COLUMN_BINARY, .numbers = bits + first};
    const irl_table_view view = {.size = sizeof view,
                                 .n_samples = n,
                                 .n_columns = 1,
                                 .columns = &column,
                                 .labels = labels + first,
                                 .weights = weights + first};
    irl_table *t = NULL;
    irl_data *data = NULL;
    ASSERT_EQ(IRL_STATUS_OK, irl_table_from_columns(env, &view, &options, &t));
    ASSERT_EQ(IRL_STATUS_OK, irl_table_data_for(env, t, rule, &data));
    if (part)
      ASSERT_EQ(IRL_STATUS_OK, irl_evaluator_add(env, evaluator, data));
    else
      ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &whole));
    irl_data_free(data);
    irl_table_free(t);
  }
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluator_finish(env, evaluator, &got));
  ASSERT_IN_RANGE(whole.errors_by_weight, got.errors_by_weight, 1e-12);
  ASSERT_IN_RANGE(whole.accuracy_by_weight, got.accuracy_by_weight, 1e-12);
  ASSERT_IN_RANGE(whole.weighted_error_by_weight, got.weighted_error_by_weight, 1e-12);
  ASSERT_IN_RANGE(3.5, whole.errors_by_weight, 1e-12);
  irl_evaluator_free(evaluator);
  irl_rule_free(rule);
  PASS();
}

TEST calls_are_checked(void) {
  irl_options options = options_of(env, NULL);
  irl_rule *rule = parse(plain_rule);
  irl_stream *stream = NULL;
  irl_evaluator *e = NULL;
  irl_predictor *p = NULL;
  irl_evaluation evaluation = IRL_SIZED(irl_evaluation);
  irl_data *data = NULL;
  char *text;
  static const uint8_t cells[] = {1, 0, 1};
  static const char *const names[] = {"a", "b", "c"};
  save_text(FOLDER "/one.csv", "a,b,c,y\n1,0,1,yes\n");
  const irl_status bad = IRL_STATUS_BAD_ARGUMENT;
  ASSERT_EQ(bad, irl_stream_open_file(NULL, "x", &options, rule, false, &stream));
  ASSERT_EQ(bad, irl_stream_open_file(env, NULL, &options, rule, false, &stream));
  ASSERT_EQ(bad, irl_stream_open_file(env, "x", NULL, rule, false, &stream));
  ASSERT_EQ(bad, irl_stream_open_file(env, "x", &options, NULL, false, &stream));
  ASSERT_EQ(bad, irl_stream_open_file(env, "x", &options, rule, false, NULL));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT,
            irl_stream_open_file(env, FOLDER "/none.csv", &options, rule, false, &stream));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT,
            irl_stream_open_file(env, FOLDER, &options, rule, false, &stream));
  ASSERT(!stream);
  ASSERT_EQ(IRL_STATUS_OK,
            irl_stream_open_file(env, FOLDER "/one.csv", &options, rule, true, &stream));
  ASSERT_EQ(bad, irl_stream_next(env, stream, 0, NULL));
  ASSERT_EQ(bad, irl_stream_next(env, NULL, 0, &data));
  ASSERT_EQ(bad, irl_stream_next(NULL, stream, 0, &data));
  ASSERT_EQ(0, irl_stream_n_samples(NULL));
  irl_stream_free(stream);
  irl_stream_free(NULL);
  ASSERT_EQ(bad, irl_evaluator_create(env, NULL, &e));
  ASSERT_EQ(bad, irl_evaluator_create(env, rule, NULL));
  ASSERT_EQ(bad, irl_evaluator_create(NULL, rule, &e));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluator_create(env, rule, &e));
  ASSERT_EQ(bad, irl_evaluator_add(env, e, NULL));
  ASSERT_EQ(bad, irl_evaluator_add(env, NULL, data));
  ASSERT_EQ(bad, irl_evaluator_finish(env, e, NULL));
  ASSERT_EQ(bad, irl_evaluator_finish(env, NULL, &evaluation));
  ASSERT_EQ(bad, irl_evaluator_render(env, NULL, IRL_FORMAT_TEXT, &text));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluator_finish(env, e, &evaluation)); /* of nothing */
  ASSERT(isnan(evaluation.accuracy));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 1, 3, cells, NULL, names, &data));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_evaluator_add(env, e, data)); /* no labels */
  ASSERT_EQ(bad, irl_predictor_create(env, NULL, IRL_FORMAT_TEXT, false, &p));
  ASSERT_EQ(bad, irl_predictor_create(env, rule, (irl_format)7, false, &p));
  ASSERT_EQ(IRL_STATUS_OK, irl_predictor_create(env, rule, IRL_FORMAT_TEXT, false, &p));
  ASSERT_EQ(bad, irl_predictor_add(env, p, NULL, &text));
  ASSERT_EQ(bad, irl_predictor_add(env, p, data, NULL));
  ASSERT_EQ(IRL_STATUS_OK, irl_predictor_add(env, p, data, &text));
  ASSERT_STR_EQ("sample\tpredicted\n1\tyes\n", text);
  irl_text_free(env, text);
  irl_data_free(data);
  irl_evaluator_free(e);
  irl_evaluator_free(NULL);
  irl_predictor_free(p);
  irl_predictor_free(NULL);
  irl_rule_free(rule);
  PASS();
}

SUITE(streams) {
  const uint64_t seed = number_of("IRL_FUZZ_SEED", 1), n = number_of("IRL_FUZZ", 150);
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0);
  static char suffix[40];
  RUN_TEST(builder_gives_the_rule);
  RUN_TEST(builder_refuses);
  RUN_TEST(evaluator_weighs);
  RUN_TEST(calls_are_checked);
  RUN_TEST(place_is_of_the_file);
  RUN_TESTp(memory_is_bounded, FOLDER "/bits.csv", "1,0,1,yes\n");
  RUN_TESTp(memory_is_bounded, FOLDER "/missing.csv", "1,NA,1,yes\n");
  RUN_TESTp(memory_is_bounded, FOLDER "/long.svm", "yes 1:1 2:0 90000:1\n");
  for (uint64_t i = first; i < first + n; i++) {
    const uint64_t own = seed * 1000003 + i;
    snprintf(suffix, sizeof suffix, "%llu", (unsigned long long)i);
    greatest_set_test_suffix(suffix);
    RUN_TESTp(file_is_whole_file, own);
    greatest_set_test_suffix(suffix);
    RUN_TESTp(pipe_is_whole_file, own);
    if (i % 5) continue;
    greatest_set_test_suffix(suffix);
    RUN_TESTp(builder_is_from_bytes, own);
    greatest_set_test_suffix(suffix);
    RUN_TESTp(evaluator_and_predictor, own);
  }
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  if (irl_env_create(NULL, &env)) return 1;
  printf("IRL_FUZZ_SEED=%llu\n", (unsigned long long)number_of("IRL_FUZZ_SEED", 1));
  RUN_SUITE(streams);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
