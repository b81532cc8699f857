/* Data and models from the caller's memory: the same whichever way they come, as from files, and
 * mistakes in them said. */
#include "ireland_data.h"
#include "ireland_model.h"
#include "model_arrays.h"
#include "support.h"
#include <math.h>

#define FOLDER "build/test-input"

static irl_env *env;

/* ---- bits ---- */

static uint64_t *pack_column(const table *t, uint32_t j) {
  uint64_t *bits = calloc(t->n / 64 + 1, sizeof *bits);
  for (uint32_t i = 0; i < t->n; i++)
    bits[i / 64] |= (uint64_t)(j < t->j ? t->cells[(size_t)i * t->j + j] : t->labels[i]) << i % 64;
  return bits;
}

TEST bits_are_bytes(uint64_t seed) {
  irl_random random;
  irl_random_init(&random, seed, 0);
  table t = random_table(&random, 2 + (uint32_t)irl_random_below(&random, 300), 17);
  const uint64_t *columns[18];
  irl_data *data;
  for (uint32_t j = 0; j < 18; j++) columns[j] = pack_column(&t, j);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bits(env, t.n, t.j, columns, columns[17], NULL, &data));
  ASSERT_EQ(checksum_of_table(env, &t, NULL), checksum_of(data));
  for (uint32_t i = 0; i < t.n; i++) ASSERT_EQ(t.labels[i], irl_data_label(data, i));
  irl_data_free(data);
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bits(env, t.n, t.j, columns, NULL, NULL, &data));
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_data_describe(data, &info);
  ASSERT_FALSE(info.has_labels);
  irl_data_free(data);
  for (uint32_t j = 0; j < 18; j++) free((void *)columns[j]);
  free_table(&t);
  PASS();
}

/* Cases first, each class in vectors of its own. */
TEST borrowed_bits(void) {
  enum { CASES = 3, CONTROLS = 70, FEATURES = 2 };
  const size_t a = irl_data_stride(CASES), b = irl_data_stride(CONTROLS);
  uint64_t *words = aligned_alloc(64, FEATURES * (a + b) * sizeof *words);
  uint8_t cells[(CASES + CONTROLS) * FEATURES], labels[CASES + CONTROLS];
  irl_data *borrowed, *copied;
  memset(words, 0, FEATURES * (a + b) * sizeof *words);
  for (uint32_t i = 0; i < CASES + CONTROLS; i++) {
    labels[i] = i < CASES;
    for (uint32_t j = 0; j < FEATURES; j++) {
      cells[i * FEATURES + j] = (i * 7 + j * 3) % 5 < 2;
      uint64_t *vector = i < CASES ? words + j * a : words + FEATURES * a + j * b;
      const uint32_t at = i < CASES ? i : i - CASES;
      vector[at / 64] |= (uint64_t)cells[i * FEATURES + j] << at % 64;
    }
  }
  const irl_class_bits cases = {sizeof cases, CASES, words},
                       controls = {sizeof controls, CONTROLS, words + FEATURES * a};
  ASSERT_EQ(IRL_STATUS_OK, irl_data_borrow(env, FEATURES, &cases, &controls, NULL, &borrowed));
  ASSERT_EQ(IRL_STATUS_OK,
            irl_data_from_bytes(env, CASES + CONTROLS, FEATURES, cells, labels, NULL, &copied));
  ASSERT_EQ(checksum_of(copied), checksum_of(borrowed));
  irl_data_free(borrowed);
  irl_data_free(copied);
  words[0] |= (uint64_t)1 << CASES; /* a bit past the end */
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT,
            irl_data_borrow(env, FEATURES, &cases, &controls, NULL, &borrowed));
  const irl_class_bits crooked = {sizeof crooked, CASES, words + 1};
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT,
            irl_data_borrow(env, FEATURES, &crooked, &controls, NULL, &borrowed));
  free(words);
  PASS();
}

/* ---- columns ---- */

enum { N = 60 };

/* A number, a category, a flag, a SNP, with missing cells; and the same as CSV. */
typedef struct sheet {
  double age[N], flag[N], snp[N], weight[N];
  int32_t kind[N];
  uint8_t labels[N];
  irl_column_view columns[4];
  irl_table_view view;
} sheet;

static const char *const kinds[] = {"red", "green", "blue"};

static void put_number(buffer *b, double value, const char *after) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  put(b, isnan(value) ? "NA" : text);
  put(b, after);
}

static void make_sheet(sheet *s, const char *path) {
  irl_random random;
  buffer csv = {0};
  irl_random_init(&random, 11, 0);
  put(&csv, "age,flag,snp,kind,w,y\n");
  for (uint32_t i = 0; i < N; i++) {
    s->age[i] = i % 9 == 4 ? NAN : (double)irl_random_below(&random, 500) / 8;
    s->flag[i] = i % 11 == 7 ? NAN : (double)irl_random_below(&random, 2);
    s->snp[i] = (double)irl_random_below(&random, 3);
    s->kind[i] = i < 3 ? (int32_t)i : (int32_t)irl_random_below(&random, 4) - 1;
    s->weight[i] = (double)(1 + irl_random_below(&random, 3)) / 2;
    s->labels[i] = i < 2 ? i == 1 : s->age[i] > 30 || (s->kind[i] == 1 && s->flag[i] == 1);
    put_number(&csv, s->age[i], ",");
    put_number(&csv, s->flag[i], ",");
    put_number(&csv, s->snp[i], ",");
    put(&csv, s->kind[i] < 0 ? "" : kinds[s->kind[i]]);
    put(&csv, ",");
    put_number(&csv, s->weight[i], s->labels[i] ? ",1\n" : ",0\n");
  }
  save_text(path, csv.bytes);
  free(csv.bytes);
  s->columns[0] = (irl_column_view){
      .size = sizeof(irl_column_view), .name = "age", .type = IRL_COLUMN_NUMBER, .numbers = s->age};
  s->columns[1] = (irl_column_view){.size = sizeof(irl_column_view),
                                    .name = "flag",
                                    .type = IRL_COLUMN_BINARY,
                                    .numbers = s->flag};
  s->columns[2] = (irl_column_view){
      .size = sizeof(irl_column_view), .name = "snp", .type = IRL_COLUMN_SNP, .numbers = s->snp};
  s->columns[3] = (irl_column_view){.size = sizeof(irl_column_view),
                                    .name = "kind",
                                    .type = IRL_COLUMN_CATEGORY,
                                    .codes = s->kind,
                                    .values = kinds,
                                    .n_values = 3};
  s->view = (irl_table_view){.size = sizeof(irl_table_view),
                             .n_samples = N,
                             .n_columns = 4,
                             .columns = s->columns,
                             .labels = s->labels};
}

/* A fit from the file and one from memory are the same to the last letter, but for the run. */
static char *fit_text(const irl_table *raw, const irl_options *o, irl_fit_result **result) {
  char *text;
  if (irl_fit_table(env, raw, o, result)) return NULL;
  if (irl_rule_render(env, irl_fit_rule(*result), IRL_FORMAT_JSON, &text)) return NULL;
  return text;
}

/* The walk of option_walk.py for tables in memory: what reading takes is honoured, and then a name
 * that is not there is an error, or it is refused by its own name. */
TEST options_count_in_memory(void) {
  sheet s;
  size_t n;
  irl_table *memory;
  const irl_option_info *rows = irl_options_table(&n);
  make_sheet(&s, FOLDER "/sheet.csv");
  for (size_t i = 0; i < n; i++) {
    const bool is_text = rows[i].type == IRL_OPTION_TEXT;
    const bool is_share = rows[i].type == IRL_OPTION_REAL; /* 1 may be what it is anyway */
    if (!(rows[i].jobs & (IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE)) ||
        !strcmp(rows[i].name, "memory_limit") ||
        !strcmp(rows[i].name, "het")) /* the sheet has a column of SNPs, on which it counts */
      continue;
    irl_options o = options_of(env, NULL);
    irl_status status = irl_option_parse(env, &rows[i], &o,
                                         is_text    ? "nosuch"
                                         : is_share ? "0.5"
                                                    : "1");
    if (!status) status = irl_table_from_columns(env, &s.view, &o, &memory);
    if (!status) { /* literals are looked up once there are some */
      irl_coding *coding = NULL;
      status = irl_table_code(env, memory, NULL, &o, &coding);
      irl_coding_free(coding);
      irl_table_free(memory);
    }
    ASSERTm(rows[i].name, status == IRL_STATUS_BAD_ARGUMENT || status == IRL_STATUS_BAD_INPUT);
    if (!(rows[i].inputs & IRL_FROM_MEMORY))
      ASSERTm(error_of(env), strstr(irl_env_error(env), rows[i].name));
  }
  PASS();
}

TEST columns_are_a_file(const char *missing, bool is_weighted) {
  sheet s;
  irl_table *file, *memory;
  irl_fit_result *a, *b;
  make_sheet(&s, FOLDER "/sheet.csv");
  irl_options o = options_of(env, "K", "2", "M", "2", "threads", "1", "negations", "", "missing",
                             missing, "type", "snp=snp", NULL);
  if (is_weighted)
    o.data.weight_column = "w";
  else
    o.data.ignore = "w";
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_table_read(env, FOLDER "/sheet.csv", &o, &file),
                 "%d");
  if (is_weighted) s.view.weights = s.weight;
  o.data.weight_column = o.data.ignore = o.data.type = NULL; /* of the file */
  ASSERT_EQ(IRL_STATUS_OK, irl_table_from_columns(env, &s.view, &o, &memory));
  char *first = fit_text(file, &o, &a), *second = fit_text(memory, &o, &b);
  ASSERTm(error_of(env), first && second);
  ASSERT_STR_EQ(first, second);

  /* The rule on the table from memory says what it says on the file. */
  irl_data *from_file, *from_memory;
  uint8_t x[N], y[N];
  irl_data_info info = IRL_SIZED(irl_data_info);
  const irl_options plain = options_of(env, NULL);
  const irl_rule *rule = irl_fit_rule(a);
  ASSERT_EQ(IRL_STATUS_OK,
            irl_data_read_for(env, FOLDER "/sheet.csv", &plain, rule, true, &from_file));
  irl_table_free(memory);
  ASSERT_EQ(IRL_STATUS_OK, irl_table_from_columns(env, &s.view, &plain, &memory));
  ASSERT_EQ(IRL_STATUS_OK, irl_table_data_for(env, memory, rule, &from_memory));
  irl_data_describe(from_memory, &info);
  ASSERT_EQ(N, info.samples);
  ASSERT_EQ(IRL_STATUS_OK, irl_predict_bytes(env, rule, from_file, x, NULL));
  ASSERT_EQ(IRL_STATUS_OK, irl_predict_bytes(env, rule, from_memory, y, NULL));
  ASSERT_MEM_EQ(x, y, N);
  irl_data_free(from_file);
  irl_data_free(from_memory);
  irl_text_free(env, first);
  irl_text_free(env, second);
  irl_fit_free(a);
  irl_fit_free(b);
  irl_table_free(file);
  irl_table_free(memory);
  PASS();
}

static irl_status try_sheet(const sheet *s, const char *part) {
  irl_table *raw = NULL;
  const irl_options o = options_of(env, NULL);
  const irl_status status = irl_table_from_columns(env, &s->view, &o, &raw);
  irl_table_free(raw);
  return status && !strstr(irl_env_error(env), part) ? IRL_STATUS_INTERNAL : status;
}

TEST bad_columns(void) {
  sheet s;
  make_sheet(&s, FOLDER "/bad.csv");
  ASSERT_EQ(IRL_STATUS_OK, try_sheet(&s, ""));
  s.flag[5] = 2;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, try_sheet(&s, "column 'flag', sample 5: this is not 0 or 1"));
  s.flag[5] = 1;
  s.kind[9] = 3;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, try_sheet(&s, "column 'kind', sample 9"));
  s.kind[9] = 0;
  s.columns[1].name = "age";
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, try_sheet(&s, "'age' is there twice"));
  s.columns[1].name = "!x";
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, try_sheet(&s, "column 2 needs a name"));
  s.columns[1].name = "flag";
  s.weight[3] = -1;
  s.view.weights = s.weight;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, try_sheet(&s, "the weight of sample 3"));
  s.view.weights = NULL;
  s.view.n_samples = 0;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, try_sheet(&s, "at least one sample"));
  PASS();
}

/* ---- predictions into memory ---- */

typedef struct both {
  const uint8_t *predicted, *fired;
  uint32_t n_clauses;
  bool is_same;
} both;

static int compare(void *user, const irl_verdict *v) {
  both *b = user;
  uint32_t n = 0;
  b->is_same &= b->predicted[v->sample] == v->predicted;
  for (uint32_t k = 0; k < b->n_clauses; k++) n += b->fired[v->sample * b->n_clauses + k];
  b->is_same &= n == v->n_fired;
  for (uint32_t i = 0; i < v->n_fired; i++)
    b->is_same &= b->fired[v->sample * b->n_clauses + v->fired[i]];
  return 0;
}

TEST predictions_agree(void) {
  irl_data *data;
  irl_rule *rule;
  irl_rule_info info = IRL_SIZED(irl_rule_info);
  uint8_t predicted[200], fired[200 * 8];
  const irl_options o =
      options_of(env, "N", "200", "J", "60", "K", "8", "M", "4", "exact_size", "", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &o, &data, &rule));
  irl_rule_describe(rule, &info);
  ASSERT_EQ(IRL_STATUS_OK, irl_predict_bytes(env, rule, data, predicted, fired));
  both b = {predicted, fired, info.clauses, true};
  ASSERT_EQ(IRL_STATUS_OK, irl_predict(env, rule, data, compare, &b));
  ASSERT(b.is_same);
  irl_rule_free(rule);
  irl_data_free(data);
  PASS();
}

/* ---- models ---- */

/* Knapsack: maximise 5x + 4y + 3z, 2x + 3y + z <= 5, 4x + y + 2z <= 11, 3x + 4y + 2z <= 8. */
TEST model_from_arrays(bool is_integer) {
  static const double cost[] = {5, 4, 3}, high[] = {5, 11, 8};
  static const double values[] = {2, 4, 3, 3, 1, 4, 1, 2, 2};
  static const size_t start[] = {0, 3, 6, 9};
  static const uint32_t rows[] = {0, 1, 2, 0, 1, 2, 0, 1, 2}, twice[] = {0, 0, 2, 0, 1, 2, 0, 1, 2};
  static const uint8_t whole[] = {1, 1, 1};
  static const char *const names[] = {"x", "y", "z"};
  model_view view = {.n_rows = 3,
                     .n_columns = 3,
                     .is_maximised = true,
                     .cost = cost,
                     .is_integer = is_integer ? whole : NULL,
                     .row_upper = high,
                     .start = start,
                     .rows = rows,
                     .values = values,
                     .column_names = names};
  irl_model *model, *again;
  irl_solution solution = {.size = sizeof solution}, from_file = {.size = sizeof from_file};
  double value;
  const irl_options o = options_of(env, NULL);
  ASSERT_EQ(IRL_STATUS_OK, model_of_arrays(env, &view, &model));
  ASSERT_EQ(IRL_STATUS_OK, irl_model_solve(env, model, &o, &solution));
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, solution.outcome);
  ASSERT_IN_RANGE(13.0, solution.objective, 1e-9);
  ASSERT_STR_EQ("x", irl_model_column(model, 0, &value));
  ASSERT_IN_RANGE(2.0, value, 1e-9);
  ASSERT_EQ(IRL_STATUS_OK, irl_model_write(env, model, FOLDER "/model.mps"));
  ASSERT_EQ(IRL_STATUS_OK, irl_model_read(env, FOLDER "/model.mps", &again));
  ASSERT_EQ(IRL_STATUS_OK, irl_model_solve(env, again, &o, &from_file));
  ASSERT_IN_RANGE(solution.objective, from_file.objective, 1e-9);
  irl_model_free(again);
  irl_model_free(model);
  view.rows = twice;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, model_of_arrays(env, &view, &model));
  view.rows = rows;
  static const double nan_cost[] = {5, NAN, 3};
  view.cost = nan_cost;
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, model_of_arrays(env, &view, &model));
  PASS();
}

SUITE(input) {
  static const char *const missing[] = {"false", "drop", "impute"};
  for (uint64_t seed = 1; seed <= 20; seed++) RUN_TESTp(bits_are_bytes, seed);
  RUN_TEST(borrowed_bits);
  RUN_TEST(options_count_in_memory);
  for (int i = 0; i < 6; i++) RUN_TESTp(columns_are_a_file, missing[i / 2], i % 2);
  RUN_TEST(bad_columns);
  RUN_TEST(predictions_agree);
  RUN_TESTp(model_from_arrays, false);
  RUN_TESTp(model_from_arrays, true);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(input);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
