/* .irb, LIBSVM and CSV: round trips keep the checksum, and a damaged .irb is always refused. */
#include "base/endian.h"
#include "ireland_data.h"
#include "mend_irb.h"
#include "support.h"
#include <math.h>
#include <pthread.h>
#include <xxhash.h>

#define FOLDER "build/test-formats"

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

static irl_data *make_data(uint64_t seed, uint32_t n, uint32_t j) {
  irl_random random;
  irl_data *data;
  irl_random_init(&random, seed, 3);
  table t = random_table(&random, n, j);
  if (irl_data_from_bytes(env, n, j, t.cells, t.labels, NULL, &data)) abort();
  free_table(&t);
  return data;
}

/* ---- round trips ---- */

TEST round_trip(const irl_data *data, const char *from, const char *to) {
  static char message[1200];
  const irl_options o = options_of(env, "threads", "1", NULL);
  irl_data *first = NULL, *second = NULL;
  remove_file(from);
  remove_file(to);
  irl_status status = irl_data_write(env, data, from);
  if (!status) status = irl_data_read(env, from, &o, &first);
  if (!status) status = irl_data_write(env, first, to);
  if (!status) status = irl_data_read(env, to, &o, &second);
  snprintf(message, sizeof message, "%s to %s: %s", from, to, irl_env_error(env));
  const bool same = !status && checksum_of(data) == checksum_of(first) &&
                    checksum_of(data) == checksum_of(second);
  irl_data_free(first);
  irl_data_free(second);
  ASSERTm(message, same);
  PASS();
}

TEST round_trips(void) {
  static const uint32_t sizes[][2] = {{2, 1},   {3, 64},   {64, 65},   {65, 63},  {511, 7},
                                      {512, 8}, {513, 70}, {100, 512}, {33, 513}, {1025, 129}};
  static const char *const files[] = {FOLDER "/a.csv", FOLDER "/a.tsv", FOLDER "/a.svm",
                                      FOLDER "/a.libsvm", FOLDER "/a.irb"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    irl_data *data = make_data(i, sizes[i][0], sizes[i][1]);
    for (int from = 0; from < 5; from++)
      for (int to = 0; to < 5; to++) CHECK_CALL(round_trip(data, files[from], files[to]));
    irl_data_free(data);
  }
  PASS();
}

/* Features that are all zero, the last one among them, survive the sparse format. */
TEST empty_features(void) {
  static const uint8_t cells[] = {0, 0, 0, 0, 1, 0}, labels[] = {1, 0};
  irl_data *data;
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 2, 3, cells, labels, NULL, &data));
  CHECK_CALL(round_trip(data, FOLDER "/z.svm", FOLDER "/z.csv"));
  irl_data_free(data);
  PASS();
}

/* Without features a row has its label, or nothing. */
TEST no_features(void) {
  static const uint8_t cells[1], labels[] = {1, 0};
  static const char *const wanted[] = {"\n\n\n", "y\n1\n0\n"};
  for (int has_labels = 0; has_labels < 2; has_labels++) {
    irl_data *data;
    size_t size;
    ASSERT_EQ(IRL_STATUS_OK,
              irl_data_from_bytes(env, 2, 0, cells, has_labels ? labels : NULL, NULL, &data));
    ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/none.csv"));
    char *text = load_bytes(FOLDER "/none.csv", &size);
    ASSERT_EQ(strlen(wanted[has_labels]), size);
    ASSERT_MEM_EQ(wanted[has_labels], text, size);
    free(text);
    irl_data_free(data);
  }
  PASS();
}

TEST labels_are_kept(void) {
  static const char *const files[] = {FOLDER "/l.irb", FOLDER "/l.tsv", FOLDER "/l2.csv"};
  irl_options o = options_of(env, "positive", "sick, very", NULL);
  irl_data *data, *again;
  irl_data_info info = IRL_SIZED(irl_data_info);
  save_text(FOLDER "/l.csv", "a,b,state\n1,0,well\n0,1,\"sick, very\"\n1,1,well\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/l.csv", &o, &data));
  for (int i = 0; i < 3; i++) {
    ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, files[i]));
    ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, files[i], &o, &again));
    irl_data_describe(again, &info);
    ASSERT_STR_EQ("sick, very", info.positive);
    ASSERT_STR_EQ("well", info.negative);
    ASSERT_STR_EQ("state", info.target);
    ASSERT_EQ(checksum_of(data), info.checksum);
    irl_data_free(again);
  }
  irl_data_free(data);
  PASS();
}

TEST classes_are_swapped(void) {
  irl_options o = options_of(env, NULL), swapped = options_of(env, "positive", "0", NULL);
  irl_data *data = make_data(9, 130, 70), *direct, *mapped, *sparse;
  irl_data_info info = IRL_SIZED(irl_data_info), wanted = IRL_SIZED(irl_data_info);
  irl_data_describe(data, &wanted);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/s.csv"));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/s.irb"));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/s.svm"));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/s.csv", &swapped, &direct));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/s.irb", &swapped, &mapped));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/s.svm", &swapped, &sparse));
  ASSERT_EQ(checksum_of(direct), checksum_of(mapped));
  ASSERT_EQ(checksum_of(direct), checksum_of(sparse));
  ASSERT_NEQ(checksum_of(direct), checksum_of(data));
  irl_data_describe(mapped, &info);
  ASSERT_EQ(wanted.cases, info.controls);
  ASSERT_STR_EQ("0", info.positive);
  ASSERT_STR_EQ("1", info.negative);
  for (uint32_t i = 0; i < 130; i++) ASSERT_EQ(!irl_data_label(data, i), irl_data_label(mapped, i));
  irl_data_free(mapped);
  o.data.positive = "2";
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/s.irb", &o, &mapped));
  irl_data_free(direct);
  irl_data_free(sparse);
  irl_data_free(data);
  PASS();
}

/* Data without labels can be kept and used, not learned from. */
TEST without_labels(void) {
  static const uint8_t cells[] = {1, 0, 0, 1, 1, 1};
  const char *json = "{\"positive\": \"yes\", \"negative\": \"no\", \"target\": \"t\","
                     " \"clauses\": [[\"f1\"]]}";
  const irl_options o = options_of(env, NULL);
  irl_data *data, *again = NULL;
  irl_rule *rule;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  char *text;
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, strlen(json), &rule));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 3, 2, cells, NULL, NULL, &data));
  ASSERT_EQ(-1, irl_data_label(data, 0));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/u.irb"));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/u.irb", &o, &again));
  if (irl_data_read_for(env, FOLDER "/u.irb", &o, rule, false, &again)) FAILm(error_of(env));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_evaluate(env, rule, again, &e));
  ASSERT_EQ(IRL_STATUS_OK, irl_predict_render(env, rule, again, IRL_FORMAT_TEXT, false, &text));
  ASSERT_STR_EQ("sample\tpredicted\n1\tyes\n2\tno\n3\tyes\n", text);
  irl_text_free(env, text);
  irl_data_free(again);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/u.csv"));
  if (irl_data_read_for(env, FOLDER "/u.csv", &o, rule, false, &again)) FAILm(error_of(env));
  ASSERT_EQ(-1, irl_data_label(again, 0));
  irl_data_free(again);
  irl_data_free(data);
  irl_rule_free(rule);
  PASS();
}

/* A rule without clauses needs no feature, and a data set may have none. */
TEST without_features(void) {
  const char *json = "{\"target\": \"y\", \"clauses\": []}";
  const irl_options o = options_of(env, NULL);
  irl_rule *rule;
  irl_data *data, *again = NULL;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, strlen(json), &rule));
  save_text(FOLDER "/w.csv", "a,y\n1,1\n0,0\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read_for(env, FOLDER "/w.csv", &o, rule, true, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &e));
  ASSERT_EQ(1, (int)e.fn);
  static const char *const files[] = {FOLDER "/w.irb", FOLDER "/w2.csv", FOLDER "/w.svm"};
  for (int i = 0; i < 3; i++) {
    ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, files[i]));
    if (!irl_data_read_for(env, files[i], &o, rule, true, &again)) irl_data_free(again);
  }
  irl_data_free(data);
  irl_rule_free(rule);
  PASS();
}

TEST bad_bytes_in_memory(void) {
  static const uint8_t cells[] = {1, 2, 0, 1}, labels[] = {1, 0};
  static const char *const twice[] = {"a", "a"}, *const none[] = {"a", ""},
                           *const not [] = {"!", "b"};
  static const uint8_t good[] = {1, 0, 0, 1};
  irl_data *data = NULL;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_data_from_bytes(env, 2, 2, cells, labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_from_bytes(env, 2, 2, good, labels, twice, &data));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_from_bytes(env, 2, 2, good, labels, none, &data));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_from_bytes(env, 2, 2, good, labels, not, &data));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_data_from_bytes(env, 0, 2, good, labels, NULL, &data));
  ASSERT_EQ(NULL, data);
  PASS();
}

/* Fields that the caller has set to what the setter would refuse. */
TEST options_out_of_range(void) {
  irl_data *data = NULL;
  irl_rule *rule = NULL;
  irl_options good = options_of(env, NULL), o;
#define REFUSED(group, field, value)                                                               \
  o = good;                                                                                        \
  o.group.field = value;                                                                           \
  ASSERT_EQm(#field, IRL_STATUS_BAD_ARGUMENT, irl_generate(env, &o, &data, &rule));                \
  ASSERTm(error_of(env), strstr(irl_env_error(env), "option " #field))
  REFUSED(data, N, 0);
  REFUSED(data, N, -5);
  REFUSED(data, J, 0);
  REFUSED(rule, K, 0);
  REFUSED(rule, M, 0);
  REFUSED(rule, M, INT64_MAX);
  REFUSED(data, noise, 0.6);
  REFUSED(data, noise, -0.1);
  REFUSED(data, density, (double)NAN);
  REFUSED(limits, threads, 1 << 30);
#undef REFUSED
  o = good;
  o.limits.threads = -1;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_data_read(env, FOLDER "/a.csv", &o, &data));
  ASSERT_EQ(NULL, data);
  ASSERT_EQ(NULL, rule);
  PASS();
}

/* ---- LIBSVM ---- */

TEST svm_refused(const char *text, const char *place) {
  irl_data *data = NULL;
  char wanted[200];
  const irl_options o = options_of(env, NULL);
  save_text(FOLDER "/bad.svm", text);
  snprintf(wanted, sizeof wanted, FOLDER "/bad.svm:%s: ", place);
  ASSERT_EQm(text, IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/bad.svm", &o, &data));
  ASSERT_STRN_EQ(wanted, irl_env_error(env), strlen(wanted));
  ASSERT_EQ(NULL, data);
  PASS();
}

TEST svm_mistakes(void) {
  static const char *const rows[][2] = {{"", "1:1"},
                                        {"# nothing\n\n", "3:1"},
                                        {"1\n0\n", "3:1"},
                                        {"1 1:1\n1 2:1\n", "1:1"},
                                        {"1 1:1\n0 2:1\n2 1:1\n", "3:1"},
                                        {"1 2:1 2:1\n0 1:1\n", "1:7"},
                                        {"1 2:1 1:1\n0 1:1\n", "1:7"},
                                        {"1 0:1\n0 1:1\n", "1:3"},
                                        {"1 1:x\n0 1:1\n", "1:5"},
                                        {"1 1:\n0 1:1\n", "1:5"},
                                        {"1 1:0,5\n0 1:1\n", "1:5"},
                                        {"1 1\n0 1:1\n", "1:3"},
                                        {"1 x:1\n0 1:1\n", "1:3"},
                                        {"1 1 :1\n0 1:1\n", "1:3"},
                                        {"1:1 2:1\n0 1:1\n", "1:1"},
                                        {"1 -1:1\n0 1:1\n", "1:3"},
                                        {"1 4294967297:1\n0 1:1\n", "1:3"},
                                        {"1 99999999999999999999999:1\n0 1:1\n", "1:3"},
                                        {"1 4294966271:1\n0 1:1\n", "1:3"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_CALL(svm_refused(rows[i][0], rows[i][1]));
  PASS();
}

TEST svm_styles(void) {
  static const uint8_t cells[] = {1, 0, 1, 0, 0, 0, 0, 1, 0}, labels[] = {1, 0, 1};
  const irl_options o = options_of(env, NULL);
  irl_data *data, *made;
  save_text(FOLDER "/st.svm", "# head\n+1 1:1 2:0 3:1.0\t# rest\r\n\n-1\r\n  +1   2:+1.000   \n");
  if (irl_data_read(env, FOLDER "/st.svm", &o, &data)) FAILm(error_of(env));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, 3, 3, cells, labels, NULL, &made));
  ASSERT_EQ(checksum_of(made), checksum_of(data));
  irl_data_free(data);
  irl_data_free(made);
  PASS();
}

/* In a sparse file a feature that no sample has does not show; for a rule it is 0. */
TEST svm_for_a_rule(void) {
  const char *json = "{\"clauses\": [[\"f1\", \"!f9\"]]}";
  const irl_options o = options_of(env, NULL);
  irl_rule *rule;
  irl_data *data;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, strlen(json), &rule));
  save_text(FOLDER "/r.svm", "1 1:1\n0 2:1\n");
  if (irl_data_read_for(env, FOLDER "/r.svm", &o, rule, true, &data)) FAILm(error_of(env));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &e));
  ASSERT_EQ(1, (int)e.tp);
  ASSERT_EQ(1, (int)e.tn);
  irl_data_free(data);
  irl_rule_free(rule);
  PASS();
}

/* Values other than 0 and 1 are numbers, in which 0 is what a line does not say. */
TEST svm_of_numbers(void) {
  const char *text = "a 1:0.5 2:1\nb 1:-2 3:1\nb 3:0\na 1:0.75\nc 1:nan\n";
  const irl_options o = options_of(env, "vs_rest", "a", "cuts", "all", NULL);
  irl_table *raw;
  irl_table_info info = IRL_SIZED(irl_table_info);
  irl_fit_result *fit;
  irl_data *data;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  save_text(FOLDER "/n.svm", text);
  if (irl_table_read(env, FOLDER "/n.svm", &o, &raw)) FAILm(error_of(env));
  irl_table_describe(raw, &info);
  ASSERT(!info.is_plain && info.samples == 5 && info.columns == 3 && info.cases == 2);
  if (irl_fit_table(env, raw, &o, &fit)) FAILm(error_of(env));
  ASSERT_STR_EQ("f1 > 0.2", irl_rule_literal(irl_fit_rule(fit), 0, 0, NULL));
  if (irl_data_read_for(env, FOLDER "/n.svm", &o, irl_fit_rule(fit), true, &data))
    FAILm(error_of(env));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, irl_fit_rule(fit), data, &e));
  ASSERT(e.tp == 2 && e.tn == 3);
  irl_data_free(data);
  irl_fit_free(fit);
  irl_table_free(raw);
  PASS();
}

/* ---- labels that a rule does not know ---- */

static irl_status read_for_prediction(const char *path, const irl_rule *rule, bool *has_labels,
                                      uint64_t *samples) {
  const irl_options o = options_of(env, NULL);
  irl_data *data;
  irl_data_info info = IRL_SIZED(irl_data_info);
  const irl_status status = irl_data_read_for(env, path, &o, rule, false, &data);
  if (status) return status;
  irl_data_describe(data, &info);
  *has_labels = info.has_labels;
  *samples = info.samples;
  irl_data_free(data);
  return status;
}

/* Prediction needs none, whatever the format says of them; evaluation does. */
TEST labels_of_others(void) {
  static const char *const files[][2] = {{FOLDER "/o1.csv", "f1,y\n1,a\n0,b\n1,c\n"},
                                         {FOLDER "/o2.csv", "f1,y\n1,\n0,1\n1,0\n"},
                                         {FOLDER "/o3.csv", "y,f1\nu,1\nv,0\nu,1\n"},
                                         {FOLDER "/o4.svm", "a 1:1\nb 2:1\nc 1:1\n"},
                                         {FOLDER "/o5.irb", NULL}};
  const char *json =
      "{\"target\": \"y\", \"positive\": \"1\", \"negative\": \"0\", \"clauses\": [[\"f1\"]]}";
  const irl_options o = options_of(env, NULL), first = options_of(env, "target", "y", NULL);
  irl_rule *rule;
  irl_data *data;
  bool has_labels;
  uint64_t samples;
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, strlen(json), &rule));
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (files[i][1]) {
      save_text(files[i][0], files[i][1]);
    } else {
      ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/o3.csv", &first, &data));
      ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, files[i][0]));
      irl_data_free(data);
    }
    ASSERT_EQm(files[i][0], IRL_STATUS_BAD_INPUT,
               irl_data_read_for(env, files[i][0], &o, rule, true, &data));
    if (read_for_prediction(files[i][0], rule, &has_labels, &samples)) FAILm(error_of(env));
    ASSERT(!has_labels && samples == 3);
  }
  save_text(FOLDER "/o6.csv", "f2,y\n1,a\n");
  ASSERT_EQ(IRL_STATUS_BAD_INPUT,
            read_for_prediction(FOLDER "/o6.csv", rule, &has_labels, &samples));
  ASSERT(strstr(irl_env_error(env), "f1"));
  irl_rule_free(rule);
  PASS();
}

/* ---- damaged .irb ---- */

static irl_status read_damaged(const char *bytes, size_t size) {
  irl_data *data = NULL;
  const irl_options o = options_of(env, NULL);
  save_bytes(FOLDER "/damaged.irb", bytes, size);
  const irl_status status = irl_data_read(env, FOLDER "/damaged.irb", &o, &data);
  irl_data_free(data);
  return status;
}

TEST truncated(void) {
  size_t size;
  irl_data *data = make_data(1, 700, 30);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/whole.irb"));
  irl_data_free(data);
  char *bytes = load_bytes(FOLDER "/whole.irb", &size);
  ASSERT_EQ(IRL_STATUS_OK, read_damaged(bytes, size));
  for (size_t n = 0; n < size; n += n < 600 || n + 100 > size || (n + 3) % 512 < 6 ? 1 : 53) {
    ASSERT_EQ(IRL_STATUS_BAD_INPUT, read_damaged(bytes, n));
    ASSERT(strstr(irl_env_error(env), FOLDER "/damaged.irb: offset "));
  }
  char *longer = calloc(size + 5000, 1);
  memcpy(longer, bytes, size);
  for (size_t more = 1; more < 5000; more *= 7)
    ASSERT_EQ(IRL_STATUS_BAD_INPUT, read_damaged(longer, size + more));
  free(longer);
  free(bytes);
  PASS();
}

TEST flipped(void) {
  size_t size;
  irl_random random;
  char *bytes = load_bytes(FOLDER "/whole.irb", &size);
  irl_random_init(&random, 17, 0);
  for (size_t i = 0; i < 4096 + 600; i++) {
    const size_t at = i < 600 ? i : (size_t)irl_random_below(&random, size);
    const char bit = (char)(1u << irl_random_below(&random, 8));
    bytes[at] ^= bit;
    const irl_status status = read_damaged(bytes, size);
    bytes[at] ^= bit;
    ASSERT_EQ(IRL_STATUS_BAD_INPUT, status);
    ASSERT(strstr(irl_env_error(env), ": offset "));
  }
  for (int i = 0; i < 300; i++) {
    char *copy = malloc(size);
    memcpy(copy, bytes, size);
    for (uint64_t n = 1 + irl_random_below(&random, 20); n; n--)
      copy[irl_random_below(&random, i % 2 ? size : 512)] = (char)irl_random_next(&random);
    if (memcmp(copy, bytes, size)) ASSERT_EQ(IRL_STATUS_BAD_INPUT, read_damaged(copy, size));
    free(copy);
  }
  free(bytes);
  PASS();
}

/* A file made by an enemy: all hashes are right, the contents are not. It may only be refused, or
 * read as a data set that is consistent in itself. */
static void change(irl_random *random, char *bytes, size_t size) {
  static const uint64_t values[] = {0,
                                    1,
                                    2,
                                    64,
                                    4095,
                                    4096,
                                    1u << 31,
                                    UINT32_MAX,
                                    UINT64_MAX,
                                    (uint64_t)1 << 63,
                                    UINT32_MAX - 511};
  const uint64_t value = values[irl_random_below(random, sizeof values / sizeof *values)];
  const uint64_t where = irl_random_below(random, 4);
  const size_t head = irb_head_size(bytes, size), n_parts = (head - IRB_HEAD) / IRB_PART;
  if (!head) return; /* changed already: there are other parts now */
  if (where == 0) {  /* version, has_labels, sizes */
    irb_put(bytes, 8 + 8 * irl_random_below(random, 6), value);
  } else if (where == 1 && n_parts) { /* a number of a part */
    const size_t at =
        IRB_HEAD + IRB_PART * irl_random_below(random, n_parts) + 8 * irl_random_below(random, 5);
    const uint64_t old = irb_get(bytes, at) + irl_random_below(random, 9) - 4;
    irb_put(bytes, at, irl_random_below(random, 2) ? value : old);
  } else {
    bytes[head + irl_random_below(random, where == 2 ? size - head : 200)] =
        (char)irl_random_next(random);
  }
}

TEST hostile(void) {
  size_t size;
  irl_random random;
  const irl_options o = options_of(env, NULL);
  char *bytes = load_bytes(FOLDER "/whole.irb", &size), *copy = malloc(size);
  irl_random_init(&random, 23, 0);
  int n_read = 0;
  for (int i = 0; i < 3000; i++) {
    irl_data *data = NULL;
    char *text;
    memcpy(copy, bytes, size);
    for (uint64_t n = 1 + irl_random_below(&random, 3); n; n--) change(&random, copy, size);
    irb_mend(copy, size);
    save_bytes(FOLDER "/hostile.irb", copy, size);
    const irl_status status = irl_data_read(env, FOLDER "/hostile.irb", &o, &data);
    if (status) {
      ASSERT_EQ(IRL_STATUS_BAD_INPUT, status);
      continue;
    }
    n_read++;
    ASSERT_EQ(IRL_STATUS_OK, irl_data_render(env, data, IRL_FORMAT_JSON, &text));
    irl_text_free(env, text);
    remove_file(FOLDER "/hostile.csv");
    ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/hostile.csv"));
    irl_data_free(data);
  }
  ASSERT_GTm("some changes are harmless", n_read, 0);
  free(bytes);
  free(copy);
  PASS();
}

/* A pipe cannot be mapped: what is read from it must be aligned all the same. */
static void *feed(void *path) {
  size_t size;
  char *bytes = load_bytes(FOLDER "/whole.irb", &size);
  save_bytes(path, bytes, size);
  free(bytes);
  return NULL;
}

/* Addresses that are 16 more than a multiple of 64. */
static void *odd_resize(void *user, void *memory, size_t size) {
  char *old = memory ? (char *)memory - 16 : NULL, *block = NULL;
  size_t had = 0;
  (void)user;
  if (old) memcpy(&had, old, sizeof had);
  if (size) {
    block = aligned_alloc(64, (size + 16 + 63) / 64 * 64);
    if (!block) return NULL;
    memcpy(block, &size, sizeof size);
    if (old) memcpy(block + 16, memory, had < size ? had : size);
  }
  free(old);
  return block ? block + 16 : NULL;
}

TEST from_a_pipe(void) {
  const irl_allocator odd = {sizeof odd, odd_resize, NULL};
  irl_env_free(env);
  if (irl_env_create(&odd, &env)) abort();
  const irl_options o = options_of(env, NULL);
  const char *json = "{\"clauses\": [[\"f1\", \"f2\"], [\"!f3\"]]}";
  char path[] = FOLDER "/pipe.irb";
  pthread_t feeder;
  irl_data *piped = NULL, *mapped = NULL;
  irl_rule *rule;
  irl_evaluation a = IRL_SIZED(irl_evaluation), b = IRL_SIZED(irl_evaluation);
  unlink(path);
  if (mkfifo(path, 0600)) SKIPm("no named pipes here");
  ASSERT_EQ(0, pthread_create(&feeder, NULL, feed, path));
  const irl_status status = irl_data_read(env, path, &o, &piped);
  pthread_join(feeder, NULL);
  unlink(path);
  ASSERT_EQ(IRL_STATUS_OK, status);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/whole.irb", &o, &mapped));
  ASSERT_EQ(checksum_of(mapped), checksum_of(piped));
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, strlen(json), &rule));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, mapped, &a));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, piped, &b));
  ASSERT_EQ(a.tp, b.tp);
  ASSERT_EQ(a.fp, b.fp);
  irl_rule_free(rule);
  irl_data_free(piped);
  irl_data_free(mapped);
  PASS();
}

/* ---- where files go ---- */

TEST special_outputs(void) {
  irl_data *data = make_data(3, 10, 3), *again = NULL;
  struct stat about;
  const irl_options o = options_of(env, NULL);
  /* a device is written to, not replaced */
  ASSERT_EQ(IRL_STATUS_OK, irl_file_write(env, "/dev/null", "text", 4));
  ASSERT_EQ(0, lstat("/dev/null", &about));
  ASSERT(S_ISCHR(about.st_mode));
  if (!stat("/dev/full", &about)) {
    ASSERT_EQ(IRL_STATUS_CANNOT_WRITE, irl_file_write(env, "/dev/full", "text", 4));
    ASSERT_EQ(0, lstat("/dev/full", &about));
    ASSERT(S_ISCHR(about.st_mode));
  }
  /* a link stays one */
  unlink(FOLDER "/link.irb");
  save_text(FOLDER "/linked.irb", "");
  ASSERT_EQ(0, symlink("linked.irb", FOLDER "/link.irb"));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/link.irb"));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, data, FOLDER "/link.irb"));
  ASSERT_EQ(0, lstat(FOLDER "/link.irb", &about));
  ASSERT(S_ISLNK(about.st_mode));
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/linked.irb", &o, &again));
  irl_data_free(again);
  /* what cannot be written says so */
  ASSERT_EQ(IRL_STATUS_CANNOT_WRITE, irl_data_write(env, data, FOLDER "/none/x.irb"));
  ASSERT_EQ(IRL_STATUS_CANNOT_WRITE, irl_file_write(env, FOLDER, "text", strlen("text")));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_data_write(env, data, FOLDER "/x.bed"));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_data_write(env, data, FOLDER "/x"));
  irl_data_free(data);
  PASS();
}

/* ---- several users in one process ---- */

typedef struct user_of_library {
  pthread_t thread;
  int number;
  const char *wrong;
} user_of_library;

/* Own env, own data; the file that all of them write is always whole. */
static const char *work(irl_env *own, int number) {
  char path[100], seed[16];
  irl_data *data = NULL, *again = NULL, *shared = NULL;
  irl_rule *rule = NULL;
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  snprintf(path, sizeof path, FOLDER "/user%d.csv", number);
  snprintf(seed, sizeof seed, "%d", number);
  const irl_options o = options_of(own, "N", "400", "J", "80", "threads", "2", "seed", seed, NULL);
  const char *wrong = NULL;
  if (irl_generate(own, &o, &data, &rule)) return "generate";
  if (irl_data_write(own, data, path) || irl_data_read(own, path, &o, &again))
    wrong = "write or read";
  else if (checksum_of(data) != checksum_of(again))
    wrong = "another checksum";
  else if (irl_evaluate(own, rule, again, &e) || e.fp || e.fn)
    wrong = "evaluate";
  else if (irl_data_write(own, data, FOLDER "/shared.irb") ||
           irl_data_read(own, FOLDER "/shared.irb", &o, &shared))
    wrong = "the shared file";
  else if (!irl_data_read(own, FOLDER "/no-such-file.csv", &o, &shared))
    wrong = "a file that is not there";
  irl_data_free(data);
  irl_data_free(again);
  irl_data_free(shared);
  irl_rule_free(rule);
  return wrong;
}

static void *use_library(void *argument) {
  user_of_library *user = argument;
  irl_env *own;
  if (irl_env_create(NULL, &own)) abort();
  for (int i = 0; i < 5 && !user->wrong; i++) user->wrong = work(own, user->number);
  irl_env_free(own);
  return NULL;
}

TEST several_users(void) {
  user_of_library users[4];
  for (int i = 0; i < 4; i++) {
    users[i] = (user_of_library){.number = i + 1};
    ASSERT_EQ(0, pthread_create(&users[i].thread, NULL, use_library, &users[i]));
  }
  for (int i = 0; i < 4; i++) pthread_join(users[i].thread, NULL);
  for (int i = 0; i < 4; i++)
    if (users[i].wrong) FAILm(users[i].wrong);
  PASS();
}

/* A few bytes cannot ask for gigabytes, and the memory limit counts while data are read. */
TEST short_files_take_little(void) {
  irl_table *raw = NULL;
  buffer b = {0};
  for (int i = 0; i < 2000; i++) put(&b, i % 2 ? "1 1:1\n" : "0 1:0.5\n");
  put(&b, "1 1000000:2\n");
  save_bytes(FOLDER "/short.svm", b.bytes, b.length);
  const irl_options any = options_of(env, NULL);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_table_read(env, FOLDER "/short.svm", &any, &raw));
  ASSERT(strstr(irl_env_error(env), "short.svm:1:5: 2001 samples with indices up to 1000000"));
  b.length = 0;
  for (int i = 0; i < 2000; i++) put(&b, i % 2 ? "1 1:1 250000:1\n" : "0 1:1\n");
  save_bytes(FOLDER "/short.svm", b.bytes, b.length);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_table_read(env, FOLDER "/short.svm", &any, &raw));
  ASSERT(strstr(irl_env_error(env), "more than so short a file can have meant"));
  b.length = 0;
  for (int i = 0; i < 20000; i++) put(&b, i % 2 ? "1 1:1 10000:1\n" : "0 1:1\n");
  save_bytes(FOLDER "/short.svm", b.bytes, b.length);
  const irl_options little = options_of(env, "memory_limit", "10", NULL);
  ASSERT_EQ(IRL_STATUS_LIMIT, irl_table_read(env, FOLDER "/short.svm", &little, &raw));
  ASSERT(strstr(irl_env_error(env), "memory"));
  free(b.bytes);
  PASS();
}

SUITE(trips) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(round_trips);
  RUN_TEST(empty_features);
  RUN_TEST(no_features);
  RUN_TEST(labels_are_kept);
  RUN_TEST(classes_are_swapped);
  RUN_TEST(without_labels);
  RUN_TEST(without_features);
  RUN_TEST(bad_bytes_in_memory);
  RUN_TEST(options_out_of_range);
  RUN_TEST(special_outputs);
  RUN_TEST(several_users);
  RUN_TEST(short_files_take_little);
}

SUITE(libsvm) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(svm_mistakes);
  RUN_TEST(svm_styles);
  RUN_TEST(svm_for_a_rule);
  RUN_TEST(svm_of_numbers);
  RUN_TEST(labels_of_others);
}

SUITE(damage) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(truncated);
  RUN_TEST(flipped);
  RUN_TEST(hostile);
  RUN_TEST(from_a_pipe);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  RUN_SUITE(trips);
  RUN_SUITE(libsvm);
  RUN_SUITE(damage);
  GREATEST_MAIN_END();
}
