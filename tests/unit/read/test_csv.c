/* CSV and TSV in: hand-written texts for each rule of the format, then random tables written in
 * random styles, whose checksum must be that of the same table given as bytes. */
#include "ireland_data.h"
#include "support.h"

#define FOLDER "build/test-csv"

static irl_env *env;
static char last_log[1024];

static void on_log(void *user, irl_log_kind kind, const char *line) {
  (void)user;
  (void)kind;
  snprintf(last_log, sizeof last_log, "%s", line);
}

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
  irl_env_set_log(env, on_log, NULL);
  last_log[0] = '\0';
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* What a text must become: names, labels and cells as strings ("a b", "01", "10 01"). */
typedef struct expected {
  const char *names, *labels, *cells;
} expected;

/* The cells are seen through rules of one literal. */
static int cell_of(const irl_data *data, uint32_t sample, const char *name);

typedef struct cell_finder {
  uint32_t sample;
  int found;
} cell_finder;

static int find_cell(void *user, const irl_verdict *verdict) {
  cell_finder *f = user;
  if (verdict->sample != f->sample) return 0;
  f->found = verdict->predicted;
  return 1;
}

static int cell_of(const irl_data *data, uint32_t sample, const char *name) {
  char json[256];
  irl_rule *rule;
  cell_finder f = {sample, -1};
  snprintf(json, sizeof json, "{\"clauses\": [[\"%s\"]]}", name);
  if (irl_rule_parse_json(env, json, strlen(json), &rule)) return -2;
  if (irl_predict(env, rule, data, find_cell, &f)) f.found = -3;
  irl_rule_free(rule);
  return f.found;
}

TEST read_as(const char *file, const char *text, const irl_options *options, expected e) {
  char path[256], names[256] = "", labels[64] = "", cells[256] = "";
  irl_data *data = NULL;
  irl_data_info info = IRL_SIZED(irl_data_info);
  snprintf(path, sizeof path, FOLDER "/%s", file);
  save_text(path, text);
  const irl_status status = irl_data_read(env, path, options, &data);
  if (status) FAILm(error_of(env));
  irl_data_describe(data, &info);
  for (uint32_t j = 0; j < info.features; j++) {
    if (j) strcat(names, " ");
    strcat(names, irl_data_feature(data, j));
  }
  for (uint32_t i = 0; i < info.samples; i++) {
    strcat(labels, irl_data_label(data, i) ? "1" : "0");
    if (i) strcat(cells, " ");
    for (uint32_t j = 0; j < info.features; j++)
      strcat(cells, cell_of(data, i, irl_data_feature(data, j)) ? "1" : "0");
  }
  irl_data_free(data);
  ASSERT_STR_EQ(e.names, names);
  ASSERT_STR_EQ(e.labels, labels);
  ASSERT_STR_EQ(e.cells, cells);
  PASS();
}

static const expected plain = {"a b", "10", "10 01"};

TEST delimiters_are_found(void) {
  const irl_options o = options_of(env, NULL);
  CHECK_CALL(read_as("c.csv", "a,b,y\n1,0,1\n0,1,0\n", &o, plain));
  CHECK_CALL(read_as("t.tsv", "a\tb\ty\n1\t0\t1\n0\t1\t0\n", &o, plain));
  CHECK_CALL(read_as("s.csv", "a;b;y\n1;0;1\n0;1;0\n", &o, plain));
  CHECK_CALL(read_as("p.txt", "a|b|y\n1|0|1\n0|1|0\n", &o, plain));
  CHECK_CALL(read_as("b.txt", "a b y\n1 0 1\n0 1 0\n", &o, plain));
  /* delimiters of other kinds in names do not win against the one that the rows have */
  const expected odd = {"a;b;c;d x|y|z", "10", "10 01"};
  CHECK_CALL(read_as("odd.csv", "a;b;c;d,x|y|z,y\n1,0,1\n0,1,0\n", &o, odd));
  const expected quoted = {"a,1,2,3 b", "10", "10 01"};
  CHECK_CALL(read_as("q.csv", "\"a,1,2,3\";b;y\n1;0;1\n0;1;0\n", &o, quoted));
  PASS();
}

TEST delimiters_are_taken(void) {
  const expected e = {"a,b c;d", "10", "10 01"};
  irl_options o = options_of(env, "delimiter", "tab", NULL);
  CHECK_CALL(read_as("t.csv", "a,b\tc;d\ty\n1\t0\t1\n0\t1\t0\n", &o, e));
  o = options_of(env, "delimiter", "semicolon", NULL);
  CHECK_CALL(read_as("s.csv", "a;b;y\n1;0;1\n0;1;0\n", &o, plain));
  o = options_of(env, "delimiter", "space", NULL);
  CHECK_CALL(read_as("b.csv", "a b y\n1 0 1\n0 1 0\n", &o, plain));
  CHECK_CALL(read_as("bq.csv", "\"a\" \"b\" y\n\"1\" 0 1\n0 \"1\" \"0\"\n", &o, plain));
  o = options_of(env, "delimiter", ":", NULL);
  CHECK_CALL(read_as("k.csv", "a:b:y\n1:0:1\n0:1:0\n", &o, plain));
  o = options_of(env, "delimiter", "", NULL);
  irl_data *data = NULL;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_data_read(env, FOLDER "/k.csv", &o, &data));
  o = options_of(env, "delimiter", "1", NULL);
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_data_read(env, FOLDER "/k.csv", &o, &data));
  ASSERT_EQ(NULL, data);
  PASS();
}

TEST quotes_are_undone(void) {
  const irl_options o = options_of(env, NULL);
  CHECK_CALL(
      read_as("q.csv", "\"a\",\"b\",\"y\"\n\"1\",\"0\",\"1\"\n\"0\",\"1\",\"0\"\n", &o, plain));
  irl_data *data = NULL;
  save_text(FOLDER "/d.csv", "\"a,b\",\"it's \"\"it\"\"\",y\n1,0,1\n0,1,0\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/d.csv", &o, &data));
  ASSERT_STR_EQ("a,b", irl_data_feature(data, 0));
  ASSERT_STR_EQ("it's \"it\"", irl_data_feature(data, 1));
  irl_data_free(data);
  /* a line end inside quotes, in the header and in the labels */
  save_text(FOLDER "/n.csv", "\"a\nb\",c,y\n1,0,\"yes\nsir\"\n0,1,no\n0,0,\"yes\nsir\"\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/n.csv", &o, &data));
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_data_describe(data, &info);
  ASSERT_STR_EQ("a\nb", irl_data_feature(data, 0));
  ASSERT_EQ_FMT(3ull, (unsigned long long)info.samples, "%llu");
  ASSERT_STR_EQ("yes\nsir", info.positive);
  ASSERT_STR_EQ("no", info.negative);
  irl_data_free(data);
  PASS();
}

TEST quoted_labels_can_be_chosen(void) {
  irl_data *data = NULL;
  irl_data_info info = IRL_SIZED(irl_data_info);
  const irl_options o = options_of(env, "positive", "a\"b", NULL);
  save_text(FOLDER "/l.csv", "x,y\n1,\"a\"\"b\"\n0,z\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/l.csv", &o, &data));
  irl_data_describe(data, &info);
  ASSERT_STR_EQ("a\"b", info.positive);
  ASSERT_STR_EQ("z", info.negative);
  ASSERT_EQ(1, irl_data_label(data, 0));
  irl_data_free(data);
  PASS();
}

TEST line_ends_and_blanks(void) {
  const irl_options o = options_of(env, NULL);
  CHECK_CALL(read_as("crlf.csv", "a,b,y\r\n1,0,1\r\n0,1,0\r\n", &o, plain));
  CHECK_CALL(read_as("bom.csv",
                     "\xef\xbb\xbf"
                     "a,b,y\n1,0,1\n0,1,0\n",
                     &o, plain));
  CHECK_CALL(read_as("bomq.csv", "\xef\xbb\xbf\"a\",b,y\n1,0,1\n0,1,0\n", &o, plain));
  CHECK_CALL(read_as("open.csv", "a,b,y\n1,0,1\n0,1,0", &o, plain));
  CHECK_CALL(read_as("openr.csv", "a,b,y\r\n1,0,1\r\n0,1,0\r", &o, plain));
  CHECK_CALL(read_as("blank.csv", "\n\r\n  \na,b,y\n\n1,0,1\n   \n\r\n0,1,0\n\n\n", &o, plain));
  CHECK_CALL(read_as("wide.csv", " a , b ,y \n 1 , 0, 1\n0 ,1 ,0  \n", &o, plain));
  CHECK_CALL(read_as("wideq.csv", " \"a\" , \"b\" ,y \r\n \"1\" , 0, 1\r\n0 ,1 ,0  \n", &o, plain));
  CHECK_CALL(read_as("tsv.tsv", "\n a \t b\ty\n1\t0 \t1\n\n0\t1\t0\n", &o, plain));
  PASS();
}

TEST no_header(void) {
  irl_options o = options_of(env, "no_header", NULL, NULL);
  const expected e = {"f1 f2", "10", "10 01"};
  CHECK_CALL(read_as("n.csv", "1,0,1\n0,1,0\n", &o, e));
  CHECK_CALL(read_as("nb.csv", "\n1,0,1\n0,1,0\n", &o, e));
  o = options_of(env, "no_header", "1", "target", "1", NULL);
  const expected first = {"f2 f3", "10", "01 10"};
  CHECK_CALL(read_as("n1.csv", "1,0,1\n0,1,0\n", &o, first));
  /* without the option, the message says so */
  irl_data *data = NULL;
  o = options_of(env, NULL);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/n.csv", &o, &data));
  ASSERT(strstr(irl_env_error(env), "--no-header"));
  PASS();
}

/* A rule from a file without a header applies to it again. */
TEST no_header_and_rules(void) {
  irl_options o = options_of(env, "no_header", NULL, NULL);
  irl_data *data = NULL;
  irl_rule *rule = NULL;
  irl_evaluation result = IRL_SIZED(irl_evaluation);
  const char *json = "{\"target\": \"y\", \"positive\": \"1\", \"clauses\": [[\"f1\", \"!f2\"]]}";
  save_text(FOLDER "/r.csv", "1,0,1\n0,1,0\n1,1,1\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, strlen(json), &rule));
  if (irl_data_read_for(env, FOLDER "/r.csv", &o, rule, true, &data)) FAILm(error_of(env));
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &result));
  ASSERT_EQ(1, (int)result.tp);
  ASSERT_EQ(1, (int)result.fn);
  ASSERT_EQ(1, (int)result.tn);
  irl_data_free(data);
  irl_rule_free(rule);
  PASS();
}

TEST target_by_name_and_number(void) {
  const char *text = "y,a,b\n1,1,0\n0,0,1\n";
  irl_options o = options_of(env, "target", "y", NULL);
  CHECK_CALL(read_as("t.csv", text, &o, plain));
  o = options_of(env, "target", "1", NULL);
  CHECK_CALL(read_as("t.csv", text, &o, plain));
  o = options_of(env, "target", "2", NULL);
  const expected middle = {"y b", "10", "10 01"};
  CHECK_CALL(read_as("t.csv", text, &o, middle));
  /* a name that looks like a number is a name first */
  const expected named = {"2 x", "10", "01 10"};
  o = options_of(env, "target", "1", NULL);
  CHECK_CALL(read_as("t1.csv", "2,x,1\n0,1,1\n1,0,0\n", &o, named));
  irl_data *data = NULL;
  static const char *const wrong[] = {"4", "0", "-1", "z", "", "1x", "99999999999999999999"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    o = options_of(env, "target", wrong[i], NULL);
    ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/t.csv", &o, &data));
    ASSERT(strstr(irl_env_error(env), "t.csv:1:"));
  }
  PASS();
}

TEST label_pair(const char *control, const char *case_label) {
  char text[256], path[64] = FOLDER "/l.csv";
  irl_data *data = NULL;
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_options o = options_of(env, NULL);
  for (int order = 0; order < 2; order++) {
    snprintf(text, sizeof text, "a,y\n1,%s\n0,%s\n", order ? control : case_label,
             order ? case_label : control);
    save_text(path, text);
    ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, path, &o, &data));
    irl_data_describe(data, &info);
    ASSERT_STR_EQ(case_label, info.positive);
    ASSERT_STR_EQ(control, info.negative);
    ASSERT_EQ(!order, irl_data_label(data, 0));
    irl_data_free(data);
  }
  PASS();
}

TEST positive_is_found(void) {
  static const char *const pairs[][2] = {{"0", "1"},
                                         {"-1", "1"},
                                         {"-1", "+1"},
                                         {"no", "yes"},
                                         {"No", "YES"},
                                         {"F", "T"},
                                         {"n", "y"},
                                         {"FALSE", "TRUE"},
                                         {"control", "case"},
                                         {"neg", "pos"},
                                         {"1", "2"},
                                         {"9", "10"},
                                         {"alive", "dead"},
                                         {"a", "ab"},
                                         {"0.0", "1.0"},
                                         {"2", "ten"},
                                         {"-9", "-1"},
                                         {"\xe9t\xe9", "\xfc"},
                                         {"no disease", "has disease"},
                                         {"tested_negative", "tested_positive"},
                                         {"normal", "abnormal"},
                                         {"non-spam", "Spam"},
                                         {"<=50K", ">50K"},
                                         {"zebra", "died"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    CHECK_CALL(label_pair(pairs[i][0], pairs[i][1]));
  PASS();
}

TEST positive_is_chosen(void) {
  irl_data *data = NULL;
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_options o = options_of(env, "positive", "no", NULL);
  save_text(FOLDER "/p.csv", "a,y\n1,yes\n0,no\n1,no\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/p.csv", &o, &data));
  irl_data_describe(data, &info);
  ASSERT_EQ(2, (int)info.cases);
  ASSERT_STR_EQ("no", info.positive);
  ASSERT_STR_EQ("yes", info.negative);
  irl_data_free(data);
  o = options_of(env, "positive", "maybe", NULL);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/p.csv", &o, &data));
  ASSERT(strstr(irl_env_error(env), "'maybe'"));
  ASSERT(strstr(irl_env_error(env), "p.csv"));
  PASS();
}

/* One label only, read for a rule: a label that the rule does not know is no control. */
TEST one_class_for_a_rule(void) {
  irl_data *data = NULL;
  irl_rule *rule = NULL;
  irl_data_info info = IRL_SIZED(irl_data_info);
  const irl_options o = options_of(env, NULL);
  const char *json = "{\"target\": \"y\", \"positive\": \"sick\", \"negative\": \"well\","
                     "\"clauses\": [[\"a\"]]}";
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, strlen(json), &rule));
  save_text(FOLDER "/one.csv", "a,y\n1,well\n0,well\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read_for(env, FOLDER "/one.csv", &o, rule, true, &data));
  irl_data_describe(data, &info);
  ASSERT_EQ(2, (int)info.controls);
  ASSERT_STR_EQ("sick", info.positive);
  irl_data_free(data);
  save_text(FOLDER "/one.csv", "a,y\n1,sick\n0,sick\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read_for(env, FOLDER "/one.csv", &o, rule, true, &data));
  irl_data_describe(data, &info);
  ASSERT_EQ(2, (int)info.cases);
  ASSERT_STR_EQ("well", info.negative);
  irl_data_free(data);
  save_text(FOLDER "/one.csv", "a,y\n1,dead\n0,dead\n");
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read_for(env, FOLDER "/one.csv", &o, rule, true, &data));
  ASSERT(strstr(irl_env_error(env), "'dead'"));
  ASSERT_STR_EQ("", last_log);
  save_text(FOLDER "/one.csv", "a,y\n1,sick\n0,dead\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read_for(env, FOLDER "/one.csv", &o, rule, true, &data));
  ASSERT(strstr(last_log, "'dead' is taken as the controls"));
  irl_data_free(data);
  irl_rule_free(rule);
  PASS();
}

/* Rows without a label are left out to learn from, and refused where a rule is evaluated. */
TEST rows_without_labels(void) {
  irl_data *data = NULL;
  irl_rule *rule = NULL;
  irl_data_info info = IRL_SIZED(irl_data_info);
  const irl_options o = options_of(env, NULL);
  static const char json[] = "{\"target\": \"y\", \"positive\": \"1\", \"clauses\": [[\"a\"]]}";
  save_text(FOLDER "/unlabelled.csv", "a,b,y\n1,0,1\n0,1,\n1,1,0\n0,,NA\n0,0,?\n1,0,0\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, FOLDER "/unlabelled.csv", &o, &data));
  irl_data_describe(data, &info);
  ASSERT_EQ(3, (int)info.samples);
  ASSERT_EQ(1, (int)info.cases);
  ASSERT_EQ(2, (int)info.features);
  ASSERT(strstr(last_log, "3 rows have no label and are left out"));
  irl_data_free(data);
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, json, sizeof json - 1, &rule));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT,
            irl_data_read_for(env, FOLDER "/unlabelled.csv", &o, rule, true, &data));
  ASSERT(strstr(irl_env_error(env), "unlabelled.csv:3:5: the label in column 'y' is empty"));
  irl_rule_free(rule);
  PASS();
}

/* --na says nothing of the labels, and COL=TEXT of one column alone. */
TEST missing_texts_of_columns(void) {
  irl_table *raw;
  char *text;
  save_text(FOLDER "/na.csv", "a,b,y\n0,0,0\n2,5,1\n0,7,1\n3,0,0\n");
  const struct {
    const char *na, *a, *b;
  } cases[] = {{"0", "\"missing\": 2", "\"missing\": 2"},
               {"a=0", "\"missing\": 2", "\"missing\": 0"},
               {"a=0,b=5,b=7", "\"missing\": 2", "\"missing\": 2"},
               {"7,a=3", "\"missing\": 1", "\"missing\": 1"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const irl_options o = options_of(env, "na", cases[i].na, NULL);
    ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_table_read(env, FOLDER "/na.csv", &o, &raw),
                   "%d");
    ASSERT_EQ(IRL_STATUS_OK, irl_table_render(env, raw, IRL_FORMAT_JSON, &text));
    const char *a = strstr(text, "\"name\": \"a\""), *b = strstr(text, "\"name\": \"b\"");
    ASSERT(a && b && strstr(text, "\"samples\": 4"));
    ASSERT_STRN_EQ(cases[i].a, strstr(a, "\"missing\""), strlen(cases[i].a));
    ASSERT_STRN_EQ(cases[i].b, strstr(b, "\"missing\""), strlen(cases[i].b));
    irl_text_free(env, text);
    irl_table_free(raw);
  }
  const irl_options o = options_of(env, "na", "A=0", NULL);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_table_read(env, FOLDER "/na.csv", &o, &raw));
  ASSERT(strstr(irl_env_error(env), "there is no column 'A' for --na; did you mean 'a'?"));
  PASS();
}

/* The delimiter under which every line has as many cells; quotes that it would break do not fit. */
TEST delimiters_fit_every_line(void) {
  static const char *const texts[] = {"\"t\",\"x;;\"\n\"1\",\"0\"\n\"0\",\"1\"\n",
                                      "a;b;y, or z\n1;0;1\n0;1;0\n", "a,b,y\n1,0,x;u\n0,1,z;v\n",
                                      "a\tb, c\ty\n1\t0\t1\n0\t1\t0\n",
                                      "x;n;y\n1,5;2,5;1\n2;3,5;0\n1,5;2,5;1\n"};
  static const uint64_t columns[] = {1, 2, 2, 2, 2};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    irl_table *raw;
    irl_table_info info = IRL_SIZED(irl_table_info);
    const irl_options o = options_of(env, "type", "x=category,n=category", NULL);
    const irl_options none = options_of(env, NULL);
    save_text(FOLDER "/delimited.csv", texts[i]);
    ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK,
                   irl_table_read(env, FOLDER "/delimited.csv", i == 4 ? &o : &none, &raw), "%d");
    irl_table_describe(raw, &info);
    ASSERT_EQ(columns[i], info.columns);
    irl_table_free(raw);
  }
  PASS();
}

/* ---- what is wrong, and where ---- */

TEST refused(const char *text, const char *place, const char *part) {
  char wanted[300];
  irl_data *data = NULL;
  const irl_options o = options_of(env, NULL);
  save_text(FOLDER "/bad.csv", text);
  snprintf(wanted, sizeof wanted, FOLDER "/bad.csv:%s: ", place);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/bad.csv", &o, &data));
  ASSERT_EQ(NULL, data);
  ASSERT_STRN_EQ(wanted, irl_env_error(env), strlen(wanted));
  if (!strstr(irl_env_error(env), part)) FAILm(error_of(env));
  ASSERT_EQm(error_of(env), NULL, strpbrk(irl_env_error(env), "\r\n"));
  PASS();
}

TEST mistakes_are_named(void) {
  static const char *const rows[][3] = {
      {"", "1:1", "empty"},
      {"\n\n  \r\n", "1:1", "empty"},
      {"\xef\xbb\xbf", "1:1", "empty"},
      {"a,b,y\n", "2:1", "no samples"},
      {"a,b,y\n1,0,1\n0,1\n", "3:4", "2 columns"},
      {"a,b,y\n1,0,1\n0,1,0,1\n", "3:6", "more than 3"},
      {"a,b,y\n1,0,1\n0,\"1,234\",0\n", "3:4", "comma"},
      {"a,b,y\n1,0,1\n0,1,\n", "2:5", "only one class"},
      {"a,b,y\n1,0,\n0,1,NA\n", "1:1", "no row has a label"},
      {"a,b,y\n1,0,1\n0,1,0\n0,1,2\n", "4:5", "third label"},
      {"a,b,y\n1,0,1\n1,1,1\n", "2:5", "one class"},
      {"a,b,a,y\n1,0,1,1\n1,1,1,0\n", "1:5", "'a' is there twice"},
      {"\xef\xbb\xbf"
       "a,b,a,y\n1,0,1,1\n1,1,1,0\n",
       "1:5", "'a' is there twice"},
      {"a,!b,y\n1,0,1\n1,1,0\n", "1:3", "'!b'"},
      {"a,b,y\n1,\"0,1\n1,1,0\n", "2:3", "quote"},
      {"a,b,y\n1,\"0\"1,1\n1,1,0\n", "2:3", "quote"},
      {"a,\"b,y\n1,0,1\n1,1,0\n", "1:3", "quote"},
      {"y\n1\n0\n", "1:1", "one column"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_CALL(refused(rows[i][0], rows[i][1], rows[i][2]));
  PASS();
}

TEST files_that_are_no_files(void) {
  irl_data *data = NULL;
  const irl_options o = options_of(env, NULL);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/not-there.csv", &o, &data));
  ASSERT(strstr(irl_env_error(env), FOLDER "/not-there.csv: No such file"));
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER, &o, &data));
  ASSERT(strstr(irl_env_error(env), "directory"));
  static const char utf16[] = "a\0,\0y\0\n\0"
                              "1\0,\0"
                              "1\0\n\0";
  save_bytes(FOLDER "/utf16.csv", utf16, sizeof utf16 - 1);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/utf16.csv", &o, &data));
  static const char nul[] = "a,y\n1,p\0q\n0,p\0r\n";
  save_bytes(FOLDER "/nul.csv", nul, sizeof nul - 1);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/nul.csv", &o, &data));
  ASSERT(strstr(irl_env_error(env), ":2:3:"));
  ASSERT_EQ(NULL, data);
  PASS();
}

TEST odd_names(void) {
  static const char *const names[] = {"caf\xc3\xa9",
                                      "caf\xe9",
                                      "\xff\xfe\xfd",
                                      "a b",
                                      "a'b",
                                      "a\"b",
                                      "a,b",
                                      "a;b",
                                      "a\tb",
                                      " lead",
                                      "trail ",
                                      "trail\t",
                                      "\tlead",
                                      "line\nend",
                                      "cr\r",
                                      "\"",
                                      "\"\"",
                                      "a\"\"b",
                                      "x=1",
                                      "a!",
                                      "\xe6\x97\xa5",
                                      "\x01\x7f",
                                      "-",
                                      "0",
                                      "1",
                                      "\xf0\x9f\x98\x80"};
  enum { J = sizeof names / sizeof *names };
  irl_random random;
  irl_random_init(&random, 5, 0);
  table t = random_table(&random, 7, J);
  irl_data *made, *data;
  const irl_options o = options_of(env, NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, t.n, t.j, t.cells, t.labels, names, &made));
  static const char *const files[] = {FOLDER "/odd.csv", FOLDER "/odd.tsv", FOLDER "/odd.irb"};
  for (int i = 0; i < 3; i++) {
    ASSERT_EQ(IRL_STATUS_OK, irl_data_write(env, made, files[i]));
    if (irl_data_read(env, files[i], &o, &data)) FAILm(error_of(env));
    for (uint32_t j = 0; j < J; j++) ASSERT_STR_EQ(names[j], irl_data_feature(data, j));
    ASSERT_EQ(checksum_of(made), checksum_of(data));
    irl_data_free(data);
  }
  irl_data_free(made);
  free_table(&t);
  PASS();
}

/* ---- random tables in random styles ---- */

typedef struct style {
  char delimiter;
  unsigned quotes, blanks; /* in 1000 cells */
  bool crlf, bom, no_final_newline, blank_lines, label_first;
} style;

static void put_cell(buffer *b, const style *s, irl_random *random, const char *text) {
  const char blank[] = "   ";
  const bool is_quoted = irl_random_below(random, 1000) < s->quotes;
  const bool has_blanks = s->delimiter != ' ' && irl_random_below(random, 1000) < s->blanks;
  if (has_blanks) put_bytes(b, blank, 1 + irl_random_below(random, 3));
  if (is_quoted) put(b, "\"");
  put(b, text);
  if (is_quoted) put(b, "\"");
  if (has_blanks) put_bytes(b, blank, irl_random_below(random, 4));
}

static void put_row(buffer *b, const style *s, irl_random *random, const table *t, uint32_t i,
                    const char *const labels[2]) {
  const char end[] = {s->delimiter};
  if (s->label_first) put_cell(b, s, random, labels[t->labels[i]]);
  for (uint32_t j = 0; j < t->j; j++) {
    if (j || s->label_first) put_bytes(b, end, 1);
    put_cell(b, s, random, t->cells[(size_t)i * t->j + j] ? "1" : "0");
  }
  if (s->label_first) return;
  put_bytes(b, end, 1);
  put_cell(b, s, random, labels[t->labels[i]]);
}

static void put_names(buffer *b, const style *s, uint32_t n) {
  char name[32];
  if (s->label_first) put(b, "y");
  for (uint32_t j = 0; j < n; j++) {
    if (j || s->label_first) put_bytes(b, &s->delimiter, 1);
    snprintf(name, sizeof name, "f%u", j + 1);
    put(b, name);
  }
  if (s->label_first) return;
  put_bytes(b, &s->delimiter, 1);
  put(b, "y");
}

static buffer write_table(const table *t, const style *s, irl_random *random,
                          const char *const labels[2]) {
  buffer b = {0};
  const char *line_end = s->crlf ? "\r\n" : "\n";
  if (s->bom) put(&b, "\xef\xbb\xbf");
  put_names(&b, s, t->j);
  for (uint32_t i = 0; i < t->n; i++) {
    put(&b, line_end);
    if (s->blank_lines && !irl_random_below(random, 4)) put(&b, line_end);
    put_row(&b, s, random, t, i, labels);
  }
  if (!s->no_final_newline) put(&b, line_end);
  return b;
}

static style random_style(irl_random *random) {
  static const char delimiters[] = ",\t;| ";
  style s = {.delimiter = delimiters[irl_random_below(random, 5)]};
  const uint64_t bits = irl_random_next(random);
  s.quotes = bits & 1 ? 0 : bits & 2 ? 20 : 1000;
  s.blanks = bits & 4 ? 0 : bits & 8 ? 10 : 1000;
  s.crlf = bits & 16;
  s.bom = bits & 32;
  s.no_final_newline = bits & 64;
  s.blank_lines = bits & 128;
  s.label_first = bits & 256;
  return s;
}

TEST one_random_table(uint64_t seed) {
  static const uint32_t widths[] = {1, 2, 7, 62, 63, 64, 65, 66, 127, 128, 129, 191, 200, 513};
  static const uint32_t heights[] = {2, 3, 63, 64, 65, 100, 511, 512, 513};
  static const char *const labels[][2] = {{"0", "1"}, {"no", "yes"}, {"1", "2"}, {"a x", "b x"}};
  static char message[512];
  irl_random random;
  irl_data *data = NULL;
  irl_random_init(&random, seed, 77);
  const uint32_t j = widths[irl_random_below(&random, sizeof widths / sizeof *widths)];
  const uint32_t n = heights[irl_random_below(&random, sizeof heights / sizeof *heights)];
  table t = random_table(&random, n, j);
  style s = random_style(&random);
  const uint64_t pair = irl_random_below(&random, s.delimiter == ' ' ? 3 : 4);
  buffer b = write_table(&t, &s, &random, labels[pair]);
  const char *path = s.delimiter == '\t' ? FOLDER "/random.tsv" : FOLDER "/random.csv";
  save_bytes(path, b.bytes, b.length);
  irl_options o = options_of(env, "threads", irl_random_below(&random, 2) ? "1" : "3", NULL);
  if (s.label_first) o.data.target = "y";
  const irl_status status = irl_data_read(env, path, &o, &data);
  snprintf(message, sizeof message, "seed %llu, %u x %u: %s", (unsigned long long)seed, n, j,
           status ? irl_env_error(env) : "another checksum");
  const bool equal = !status && checksum_of(data) == checksum_of_table(env, &t, NULL);
  irl_data_free(data);
  free(b.bytes);
  free_table(&t);
  if (!equal) FAILm(message);
  PASS();
}

TEST random_tables(void) {
  const char *relaxed = getenv("SEED");
  const uint64_t first = relaxed ? strtoull(relaxed, NULL, 10) : (uint64_t)time(NULL);
  printf("seed %llu (SEED=%llu repeats it)\n", (unsigned long long)first,
         (unsigned long long)first);
  for (uint64_t i = 0; i < 200; i++) CHECK_CALL(one_random_table(first + i));
  PASS();
}

/* ---- several pieces ---- */

TEST read_by_threads(const char *path, const irl_options *base, uint64_t wanted) {
  static const char *const counts[] = {"1", "2", "8"};
  for (int i = 0; i < 3; i++) {
    irl_data *data = NULL;
    irl_options o = *base;
    ASSERT_EQ(IRL_STATUS_OK, irl_options_set(env, &o, "threads", counts[i]));
    if (irl_data_read(env, path, &o, &data)) FAILm(error_of(env));
    const uint64_t got = checksum_of(data);
    irl_data_free(data);
    ASSERT_EQ_FMT((unsigned long long)wanted, (unsigned long long)got, "%llx");
  }
  PASS();
}

/* More than 9 MB, so three pieces at least; 97 features leave words half full. */
TEST pieces(unsigned quotes, bool label_first) {
  static const char *const labels[2] = {"0", "1"};
  irl_random random;
  irl_random_init(&random, 11, quotes);
  table t = random_table(&random, 50000, 97);
  const style s = {.delimiter = ',', .quotes = quotes, .label_first = label_first};
  buffer b = write_table(&t, &s, &random, labels);
  ASSERT(b.length > 9000000);
  save_bytes(FOLDER "/pieces.csv", b.bytes, b.length);
  const irl_options o = options_of(env, "target", "y", NULL);
  const uint64_t wanted = checksum_of_table(env, &t, NULL);
  free(b.bytes);
  free_table(&t);
  return read_by_threads(FOLDER "/pieces.csv", &o, wanted);
}

/* Labels that hold line ends and what looks like rows: pieces are cut inside them. */
TEST pieces_cut_inside_quotes(void) {
  static char labels_text[2][4000];
  irl_random random;
  irl_random_init(&random, 12, 0);
  for (int k = 0; k < 2; k++) {
    strcpy(labels_text[k], k ? "\"case" : "\"a control");
    for (int i = 0; i < 400; i++) strcat(labels_text[k], "\n0,1,0,1");
    strcat(labels_text[k], "\"");
  }
  const char *const labels[2] = {labels_text[0], labels_text[1]};
  table t = random_table(&random, 3000, 3);
  const style s = {.delimiter = ','};
  buffer b = write_table(&t, &s, &random, labels);
  ASSERT(b.length > 9000000);
  save_bytes(FOLDER "/cut.csv", b.bytes, b.length);
  const irl_options o = options_of(env, NULL);
  const uint64_t wanted = checksum_of_table(env, &t, NULL);
  free(b.bytes);
  free_table(&t);
  return read_by_threads(FOLDER "/cut.csv", &o, wanted);
}

/* The first mistake is the one reported, whatever the number of threads. */
TEST mistakes_in_pieces(void) {
  static const char *const labels[2] = {"0", "1"};
  static const char *const counts[] = {"1", "2", "8"};
  irl_random random;
  irl_random_init(&random, 13, 0);
  table t = random_table(&random, 50000, 97);
  const style s = {.delimiter = ','};
  buffer b = write_table(&t, &s, &random, labels);
  const size_t header = strcspn(b.bytes, "\n") + 1, row = 2 * 98;
  b.bytes[header + 30000 * row + 10] = 'x';
  b.bytes[header + 45000 * row] = '\n';
  save_bytes(FOLDER "/mistakes.csv", b.bytes, b.length);
  for (int i = 0; i < 3; i++) {
    irl_data *data = NULL;
    const irl_options o = options_of(env, "threads", counts[i], NULL);
    ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/mistakes.csv", &o, &data));
    if (!strstr(irl_env_error(env), "mistakes.csv:30002:11: 'x'")) FAILm(error_of(env));
  }
  b.bytes[header + 30000 * row + 10] = '0';
  b.bytes[header + 45000 * row] = '0';
  b.bytes[header + 40000 * row + 2 * 97] = '2';
  save_bytes(FOLDER "/mistakes.csv", b.bytes, b.length);
  for (int i = 0; i < 3; i++) {
    irl_data *data = NULL;
    const irl_options o = options_of(env, "threads", counts[i], NULL);
    ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_data_read(env, FOLDER "/mistakes.csv", &o, &data));
    if (!strstr(irl_env_error(env), "mistakes.csv:40002:195:")) FAILm(error_of(env));
  }
  free(b.bytes);
  free_table(&t);
  PASS();
}

SUITE(texts) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(delimiters_are_found);
  RUN_TEST(delimiters_are_taken);
  RUN_TEST(quotes_are_undone);
  RUN_TEST(quoted_labels_can_be_chosen);
  RUN_TEST(line_ends_and_blanks);
  RUN_TEST(no_header);
  RUN_TEST(no_header_and_rules);
  RUN_TEST(target_by_name_and_number);
  RUN_TEST(positive_is_found);
  RUN_TEST(positive_is_chosen);
  RUN_TEST(one_class_for_a_rule);
  RUN_TEST(rows_without_labels);
  RUN_TEST(missing_texts_of_columns);
  RUN_TEST(delimiters_fit_every_line);
  RUN_TEST(odd_names);
}

SUITE(mistakes) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(mistakes_are_named);
  RUN_TEST(files_that_are_no_files);
}

SUITE(tables) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(random_tables);
  RUN_TESTp(pieces, 0, false);
  RUN_TESTp(pieces, 0, true);
  RUN_TESTp(pieces, 3, false);
  RUN_TEST(pieces_cut_inside_quotes);
  RUN_TEST(mistakes_in_pieces);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  RUN_SUITE(texts);
  RUN_SUITE(mistakes);
  RUN_SUITE(tables);
  GREATEST_MAIN_END();
}
