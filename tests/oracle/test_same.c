/* Same data, same rule: random tables of 0/1, numbers, categories, SNPs, missing cells and weights
 * go as CSV, TSV, ARFF, LIBSVM, .irb and from memory, through conversions in several orders, into
 * fits with random options. Rule, certificate, objective, checksum and predictions are the same
 * bytes, or all are refused alike. IRL_SAME sets how many tables, IRL_SAME_FIRST the first of them,
 * IRL_SEED another seed. */
#include "base/number.h"
#include "files.h"
#include "ireland_data.h"
#include "support.h"
#include "table/raw_table.h"

#define FOLDER       "build/test-same"
#define MOST_ROWS    60u
#define MOST_COLUMNS 6u
#define MOST_FILES   16u
#define TEXT_SIZE    400u

static irl_env *env;
static irl_random numbers;
static uint64_t seed = 20260117;

static uint32_t below(uint32_t n) {
  return (uint32_t)irl_random_below(&numbers, n);
}

static uint64_t number_of(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- a table ---- */

typedef struct sheet {
  uint32_t n, n_columns;       /* the last column is the weights, if there are any */
  bool has_weights, is_sparse; /* LIBSVM can say it */
  irl_column_type types[MOST_COLUMNS];
  double cells[MOST_COLUMNS][MOST_ROWS]; /* NaN: missing; of a category the number of its value */
  uint8_t labels[MOST_ROWS];
  const char *names[MOST_COLUMNS], *target, *yes, *no;
  char type[TEXT_SIZE]; /* the option for texts */
} sheet;

static const char *const odd_names[] = {"age, years", "sex", "rs1_A", "a \"b\"", "x y", "weight"};
static const char *const plain_names[] = {"f1", "f2", "f3", "f4", "f5", "f6"};
static const char *const values[] = {"red", "it's, blue", "say \"no\"", "x = y"};

static double draw_number(void) {
  static const double few[] = {-1.5, 0, 1, 2.25, 7};
  return below(2) ? few[below(5)] : (double)below(1000) / 8 - 20;
}

static void draw_column(sheet *s, uint32_t j, uint32_t holes) {
  const irl_column_type type = s->types[j];
  for (uint32_t i = 0; i < s->n; i++) {
    double value = type == IRL_COLUMN_NUMBER   ? draw_number()
                   : type == IRL_COLUMN_BINARY ? below(2)
                   : type == IRL_COLUMN_SNP    ? below(3)
                                               : below(4);
    if (i < 2) value = type == IRL_COLUMN_NUMBER ? 0.5 + i : i; /* so that the type shows */
    s->cells[j][i] = i >= 2 && holes && below(8) < holes ? (double)NAN : value;
  }
}

static void draw(sheet *s) {
  static const irl_column_type types[] = {IRL_COLUMN_BINARY, IRL_COLUMN_NUMBER, IRL_COLUMN_SNP,
                                          IRL_COLUMN_CATEGORY};
  *s = (sheet){.n = 22 + below(MOST_ROWS - 21), .n_columns = 1 + below(MOST_COLUMNS - 1)};
  s->is_sparse = !below(3);
  s->has_weights = !below(3);
  const bool is_plain = !below(4), has_odd_names = !s->is_sparse && below(2);
  const uint32_t holes = s->is_sparse ? 0 : below(3);
  for (uint32_t j = 0; j < s->n_columns; j++) {
    s->types[j] = is_plain ? IRL_COLUMN_BINARY : types[below(s->is_sparse ? 3 : 4)];
    s->names[j] = has_odd_names ? odd_names[j] : plain_names[j];
    draw_column(s, j, is_plain && below(2) ? 0 : holes);
  }
  if (s->has_weights) {
    const uint32_t j = s->n_columns++;
    s->types[j] = IRL_COLUMN_NUMBER;
    s->names[j] = has_odd_names ? odd_names[j] : plain_names[j];
    for (uint32_t i = 0; i < s->n; i++) s->cells[j][i] = (double)(1 + below(4)) / 2;
    s->cells[j][0] = 1.5;
  }
  const bool has_words = !s->is_sparse && below(2);
  s->target = has_words ? "the \"class\"" : "y";
  s->yes = has_words ? "yes" : "1";
  s->no = has_words ? "no" : "0";
  for (uint32_t i = 0; i < s->n; i++)
    s->labels[i] = i < 4 ? i % 2 : (s->cells[0][i] > 1) != !below(4);
  for (uint32_t j = 0; j < s->n_columns; j++)
    if (s->types[j] == IRL_COLUMN_SNP)
      snprintf(s->type + strlen(s->type), TEXT_SIZE - strlen(s->type), "%s%s=snp",
               *s->type ? "," : "", s->names[j]);
}

/* ---- files of the test's own ---- */

static void put_quoted(buffer *b, const char *text, char quote) {
  const char one[2] = {quote, '\0'};
  put(b, one);
  for (; *text; text++) {
    const char c[2] = {*text, '\0'};
    if (*text == quote) put(b, quote == '"' ? "\"" : "\\");
    put(b, c);
  }
  put(b, one);
}

static void put_cell(buffer *b, const sheet *s, uint32_t j, uint32_t i, bool is_arff) {
  char text[IRL_NUMBER_SIZE];
  const double value = s->cells[j][i];
  if (isnan(value)) {
    put(b, is_arff || below(2) ? "?" : "");
  } else if (s->types[j] == IRL_COLUMN_CATEGORY) {
    put_quoted(b, values[(int)value], is_arff ? '\'' : '"');
  } else {
    irl_number_print(value, text);
    put(b, text);
  }
}

static void save_csv(const sheet *s, const char *path) {
  buffer b = {0};
  for (uint32_t j = 0; j < s->n_columns; j++) {
    put_quoted(&b, s->names[j], '"');
    put(&b, ",");
  }
  put_quoted(&b, s->target, '"');
  put(&b, "\n");
  for (uint32_t i = 0; i < s->n; i++) {
    for (uint32_t j = 0; j < s->n_columns; j++) {
      put_cell(&b, s, j, i, false);
      put(&b, ",");
    }
    put(&b, s->labels[i] ? s->yes : s->no);
    put(&b, "\n");
  }
  save_bytes(path, b.bytes, b.length);
  free(b.bytes);
}

static void save_arff(const sheet *s, const char *path) {
  buffer b = {0};
  put(&b, "@relation same\n");
  for (uint32_t j = 0; j < s->n_columns; j++) {
    put(&b, "@attribute ");
    put_quoted(&b, s->names[j], '\'');
    put(&b, s->types[j] == IRL_COLUMN_BINARY     ? " {0,1}\n"
            : s->types[j] == IRL_COLUMN_CATEGORY ? " string\n"
                                                 : " numeric\n");
  }
  put(&b, "@attribute ");
  put_quoted(&b, s->target, '\'');
  put(&b, " string\n@data\n");
  for (uint32_t i = 0; i < s->n; i++) {
    for (uint32_t j = 0; j < s->n_columns; j++) {
      put_cell(&b, s, j, i, true);
      put(&b, ",");
    }
    put(&b, s->labels[i] ? s->yes : s->no);
    put(&b, "\n");
  }
  save_bytes(path, b.bytes, b.length);
  free(b.bytes);
}

/* ---- options ---- */

/* An entry of --forbid for a column, one that has to be among its literals. */
static void draw_forbidden(const sheet *s, char text[TEXT_SIZE]) {
  const uint32_t j = below(s->n_columns);
  static const char *const forms[] = {[IRL_COLUMN_BINARY] = "%s",
                                      [IRL_COLUMN_NUMBER] = "%s >",
                                      [IRL_COLUMN_CATEGORY] = "%s = red",
                                      [IRL_COLUMN_SNP] = "%s:dom"};
  snprintf(text, TEXT_SIZE, forms[s->types[j]], s->names[j]);
}

static void draw_options(const sheet *s, irl_options *o, char texts[2][TEXT_SIZE]) {
  static const char *const cuts[] = {"all", "quantile:2", "mdl"}, *const missing[] = {
                                                                      "false", "drop", "impute"};
  irl_options_init(o, sizeof *o);
  o->limits.threads = 1;
  o->rule.K = 1 + below(2);
  o->rule.M = 1 + below(2);
  o->rule.negations = below(2);
  o->search.prove = below(2);
  if (o->search.prove) o->search.certificate = true;
  if (!below(3)) o->rule.weights = IRL_WEIGHTS_UNIT;
  if (below(2)) irl_options_set(env, o, "missing", missing[below(3)]);
  if (s->has_weights && below(2)) o->data.weight_column = s->names[s->n_columns - 1];
  if (!below(3)) o->rule.cnf = true;
  if (!below(3)) {
    draw_forbidden(s, texts[0]);
    o->data.forbid = texts[0];
  }
  if (s->n_columns > 1 && !below(3)) {
    snprintf(texts[1], TEXT_SIZE, "%s", s->names[below(s->n_columns)]);
    if (below(2))
      o->data.only = texts[1];
    else
      o->data.ignore = texts[1];
  }
  for (uint32_t j = 0; j < s->n_columns; j++)
    if (s->types[j] == IRL_COLUMN_NUMBER && !below(2))
      irl_options_set(env, o, "cuts", cuts[below(3)]);
}

/* ---- one table in many files ---- */

typedef struct files {
  char paths[MOST_FILES][64];
  uint32_t n;
} files;

static bool is_packed(const char *path) {
  return strstr(path, ".irb") != NULL;
}

static irl_status convert(const sheet *s, files *f, uint32_t from, const char *extension) {
  irl_options o;
  irl_table *raw;
  char *to = f->paths[f->n];
  irl_options_init(&o, sizeof o);
  o.limits.threads = 1;
  if (*s->type && !is_packed(f->paths[from])) o.data.type = s->type;
  snprintf(to, sizeof f->paths[0], FOLDER "/%u.%s", f->n, extension);
  irl_status status = irl_table_read(env, f->paths[from], &o, &raw);
  if (status) return status;
  remove_file(to);
  status = irl_table_write(env, raw, to);
  irl_table_free(raw);
  if (!status) f->n++;
  return status;
}

static irl_status make_files(const sheet *s, files *f) {
  static const struct {
    uint32_t from;
    const char *extension;
  } ways[] = {{0, "irb"}, {2, "tsv"}, {3, "irb"}, {4, "csv"}, {1, "irb"}, {2, "irb"}, {6, "csv"}};
  irl_status status = IRL_STATUS_OK;
  *f = (files){.n = 2};
  snprintf(f->paths[0], sizeof f->paths[0], FOLDER "/0.csv");
  snprintf(f->paths[1], sizeof f->paths[1], FOLDER "/1.arff");
  save_csv(s, f->paths[0]);
  save_arff(s, f->paths[1]);
  for (size_t i = 0; i < sizeof ways / sizeof *ways && !status; i++)
    status = convert(s, f, ways[i].from, ways[i].extension);
  if (status || !s->is_sparse) return status;
  status = convert(s, f, 2, "svm");
  return status ? status : convert(s, f, f->n - 1, "irb");
}

/* ---- what comes of a file ---- */

typedef struct answer {
  irl_status status;
  irl_outcome outcome;
  double objective, bound;
  uint64_t checksum;
  char *rule, *certificate; /* NULL: nothing is to be proven */
  uint8_t predicted[MOST_ROWS];
} answer;

static void put_predictions(const char *path, const irl_table *raw, const irl_options *o,
                            const irl_rule *rule, answer *a) {
  irl_options bare;
  irl_data *data = NULL;
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_options_init(&bare, sizeof bare);
  bare.limits.threads = 1;
  memset(a->predicted, 2, sizeof a->predicted);
  if (path)
    a->status = irl_data_read_for(env, path, &bare, rule, true, &data);
  else
    a->status = irl_table_data_for(env, raw, rule, &data);
  if (!a->status) irl_data_describe(data, &info);
  if (!a->status && info.samples <= MOST_ROWS)
    a->status = irl_predict_bytes(env, rule, data, a->predicted, NULL);
  irl_data_free(data);
  (void)o;
}

static void solve(const irl_table *raw, const char *path, const irl_options *o, answer *a) {
  irl_fit_result *fit = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_data *data = NULL;
  irl_coding *coding = NULL;
  a->status = irl_fit_table(env, raw, o, &fit);
  if (a->status) return;
  irl_fit_describe(fit, &info);
  a->outcome = info.outcome;
  a->objective = info.objective;
  a->bound = info.bound;
  a->certificate = certificate_of(env, fit);
  assert(!a->certificate == !(o->search.prove && a->outcome == IRL_OUTCOME_OPTIMAL));
  a->status = irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_JSON, &a->rule);
  if (!a->status) put_predictions(path, raw, o, irl_fit_rule(fit), a);
  if (!a->status) a->status = irl_table_code(env, raw, NULL, o, &coding);
  if (!a->status) a->status = irl_table_data(env, raw, coding, NULL, &data);
  if (!a->status) a->checksum = checksum_of(data);
  irl_data_free(data);
  irl_coding_free(coding);
  irl_fit_free(fit);
}

static void free_answer(const answer *a) {
  irl_text_free(env, a->rule);
  free(a->certificate);
}

static answer answer_of(const sheet *s, const char *path, const irl_options *relaxed) {
  answer a = {.status = IRL_STATUS_OK};
  irl_table *raw = NULL;
  irl_options o = *relaxed;
  if (*s->type && !is_packed(path)) o.data.type = s->type;
  a.status = irl_table_read(env, path, &o, &raw);
  if (!a.status) solve(raw, path, &o, &a);
  irl_table_free(raw);
  return a;
}

static enum greatest_test_res compare(const answer *first, const answer *other, const char *path) {
  static char where[2000];
  snprintf(where, sizeof where, "%s: %s", path, irl_env_error(env));
  ASSERT_EQ_FMTm(where, first->status, other->status, "%d");
  if (first->status) PASS();
  ASSERT_STR_EQm(where, first->rule, other->rule);
  ASSERT_EQm(where, !first->certificate, !other->certificate);
  if (first->certificate) ASSERT_STR_EQm(where, first->certificate, other->certificate);
  ASSERT_EQm(where, first->outcome, other->outcome);
  ASSERT_MEM_EQm(where, &first->objective, &other->objective, sizeof first->objective);
  ASSERT_MEM_EQm(where, &first->bound, &other->bound, sizeof first->bound);
  ASSERT_EQm(where, first->checksum, other->checksum);
  ASSERT_MEM_EQm(where, first->predicted, other->predicted, sizeof first->predicted);
  PASS();
}

/* ---- from memory ---- */

static answer answer_of_memory(const sheet *s, const irl_options *o) {
  answer a = {.status = IRL_STATUS_OK};
  irl_column_view views[MOST_COLUMNS];
  int32_t codes[MOST_COLUMNS][MOST_ROWS];
  irl_table *raw = NULL;
  for (uint32_t j = 0; j < s->n_columns; j++) {
    for (uint32_t i = 0; i < s->n; i++)
      codes[j][i] = isnan(s->cells[j][i]) ? -1 : (int32_t)s->cells[j][i];
    views[j] = (irl_column_view){.size = sizeof(irl_column_view),
                                 .name = s->names[j],
                                 .type = s->types[j],
                                 .numbers = s->cells[j],
                                 .codes = codes[j],
                                 .values = values,
                                 .n_values = 4};
  }
  const irl_table_view view = {.size = sizeof view,
                               .n_samples = s->n,
                               .n_columns = s->n_columns,
                               .columns = views,
                               .labels = s->labels,
                               .target = s->target,
                               .positive = s->yes,
                               .negative = s->no};
  a.status = irl_table_from_columns(env, &view, o, &raw);
  if (!a.status) solve(raw, NULL, o, &a);
  irl_table_free(raw);
  return a;
}

/* ---- all together ---- */

static enum greatest_test_res try_one(bool *is_fitted) {
  sheet s;
  files f;
  irl_options o;
  char texts[2][TEXT_SIZE];
  draw(&s);
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, make_files(&s, &f), "%d");
  draw_options(&s, &o, texts);
  const answer first = answer_of(&s, f.paths[0], &o);
  *is_fitted = !first.status;
  for (uint32_t i = 1; i < f.n; i++) {
    const answer other = answer_of(&s, f.paths[i], &o);
    CHECK_CALL(compare(&first, &other, f.paths[i]));
    free_answer(&other);
  }
  /* Of a table in memory the weights are no column, and no sample that is left out is predicted. */
  if (!o.data.weight_column && o.data.missing != IRL_MISSING_DROP) {
    const answer other = answer_of_memory(&s, &o);
    CHECK_CALL(compare(&first, &other, "memory"));
    free_answer(&other);
  }
  free_answer(&first);
  PASS();
}

TEST every_format_gives_the_same_rule(void) {
  const uint64_t first = number_of("IRL_SAME_FIRST", 0), n = number_of("IRL_SAME", 100);
  uint64_t n_fitted = 0;
  for (uint64_t i = first; i < first + n; i++) {
    bool is_fitted = false;
    irl_random_init(&numbers, seed, i);
    const enum greatest_test_res result = try_one(&is_fitted);
    if (result != GREATEST_TEST_RES_PASS)
      printf("\nIRL_SEED=%llu IRL_SAME_FIRST=%llu IRL_SAME=1\n", (unsigned long long)seed,
             (unsigned long long)i);
    if (result != GREATEST_TEST_RES_PASS) return result;
    n_fitted += is_fitted;
  }
  printf("%llu of %llu tables were learnt from\n", (unsigned long long)n_fitted,
         (unsigned long long)n);
  ASSERT(2 * n_fitted >= n || n < 10);
  PASS();
}

SUITE(same) {
  RUN_TEST(every_format_gives_the_same_rule);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  seed = number_of("IRL_SEED", seed);
  printf("seed %llu\n", (unsigned long long)seed);
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(same);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
