/* Raw tables: reading, coding learnt from some samples, bits of others. */
#include "base/number.h"
#include "ireland_data.h"
#include "mend_irb.h"
#include "rule/rule.h"
#include "support.h"
#include "table/cuts.h"
#include "table/raw_table.h"
#include <math.h>

#define FOLDER "build/test-table"
#define ROWS   120

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* A 0/1 file is its own coding: any rows in any order, with any labels, as from bytes. */
TEST plain_rows(void) {
  irl_random random;
  irl_random_init(&random, 5, 1);
  table t = random_table(&random, 200, 70);
  irl_data *data, *picked;
  irl_table *raw;
  irl_coding *coding;
  const irl_options o = options_of(env, "threads", "1", NULL);
  if (irl_data_from_bytes(env, t.n, t.j, t.cells, t.labels, NULL, &data)) abort();
  ASSERT_FALSE(irl_data_write(env, data, FOLDER "/plain.csv"));
  ASSERT_FALSEm(error_of(env), irl_table_read(env, FOLDER "/plain.csv", &o, &raw));
  uint32_t samples[90];
  uint8_t labels[90];
  table part = {90, t.j, malloc(90 * t.j), malloc(90)};
  for (uint32_t i = 0; i < 90; i++) {
    samples[i] = (uint32_t)(irl_random_next(&random) % t.n);
    labels[i] = i % 3 == 0;
    memcpy(part.cells + (size_t)i * t.j, t.cells + (size_t)samples[i] * t.j, t.j);
    part.labels[i] = t.labels[samples[i]];
  }
  const irl_rows rows = {sizeof rows, samples, 90, NULL},
                 shuffled = {sizeof shuffled, samples, 90, labels};
  ASSERT_FALSE(irl_table_code(env, raw, &rows, &o, &coding));
  ASSERT_FALSE(irl_table_data(env, raw, coding, &rows, &picked));
  ASSERT_EQ(checksum_of(picked), checksum_of_table(env, &part, NULL));
  irl_data_free(picked);
  memcpy(part.labels, labels, 90);
  ASSERT_FALSE(irl_table_data(env, raw, coding, &shuffled, &picked));
  ASSERT_EQ(checksum_of(picked), checksum_of_table(env, &part, NULL));
  irl_data_free(picked);
  ASSERT_FALSE(irl_table_data(env, raw, coding, NULL, &picked));
  ASSERT_EQ(checksum_of(picked), checksum_of(data));
  irl_data_free(picked);
  irl_coding_free(coding);
  irl_table_free(raw);
  irl_data_free(data);
  free_table(&part);
  free_table(&t);
  PASS();
}

/* ---- mixed columns ---- */

/* Two numbers, a category, a 0/1 column, a SNP; any cell may be missing. */
typedef struct cells {
  double number[2][ROWS];                            /* NAN: missing */
  int kind[ROWS], bit[ROWS], snp[ROWS], label[ROWS]; /* -1: missing */
  int weight[ROWS];
} cells;

static const char *const kinds[] = {"red", "dark blue", "it's", "\"x\", y"};

static void make_cells(irl_random *random, cells *c, bool is_whole) {
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < 2; k++) {
      c->number[k][i] = (double)irl_random_below(random, k ? 8 : 1000) / (k ? 1 : 8) - 3;
      if (!is_whole && !irl_random_below(random, 9)) c->number[k][i] = NAN;
    }
    c->kind[i] = (int)irl_random_below(random, is_whole ? 4 : 5) - !is_whole;
    c->bit[i] = (int)irl_random_below(random, is_whole ? 2 : 3) - !is_whole;
    c->snp[i] = (int)irl_random_below(random, is_whole ? 3 : 4) - !is_whole;
    c->label[i] = (int)irl_random_below(random, 2);
    c->weight[i] = (int)irl_random_below(random, 5);
  }
  c->label[0] = 0, c->label[1] = 1;
}

static void save_cells(const cells *c, const char *path) {
  buffer b = {0};
  char text[200], number[IRL_NUMBER_SIZE];
  put(&b, "a,b,kind,bit,rs1,w,y\n");
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < 2; k++) {
      irl_number_print(c->number[k][i], number);
      put(&b, isnan(c->number[k][i]) ? "?" : number);
      put(&b, ",");
    }
    if (c->kind[i] == 3)
      put(&b, "\"\"\"x\"\", y\"");
    else
      put(&b, c->kind[i] < 0 ? "NA" : kinds[c->kind[i]]);
    snprintf(text, sizeof text, c->bit[i] < 0 ? ",," : ",%d,", c->bit[i]);
    put(&b, text);
    snprintf(text, sizeof text, c->snp[i] < 0 ? "." : "%d", c->snp[i]);
    put(&b, text);
    snprintf(text, sizeof text, ",%d,%s\n", c->weight[i], c->label[i] ? "ill" : "well");
    put(&b, text);
  }
  save_bytes(path, b.bytes, b.length);
  free(b.bytes);
}

/* What a literal says of a row, from its name alone: the oracle. -1: the name is not understood. */
static int naive(const cells *c, const char *name, int i) {
  static const char *const relations[] = {" <= ", " > ", " = ", " != "};
  const char *column = name + (*name == '!');
  if (!strcmp(column, "bit")) return c->bit[i] == (*name != '!');
  if (!strcmp(column, "rs1:dom")) return c->snp[i] < 0 ? 0 : (c->snp[i] >= 1) == (*name != '!');
  if (!strcmp(column, "rs1:rec")) return c->snp[i] < 0 ? 0 : (c->snp[i] == 2) == (*name != '!');
  for (int r = 0; r < 4; r++) {
    const char *at = strstr(name, relations[r]);
    if (!at) continue;
    const char *value = at + strlen(relations[r]);
    if (r < 2) {
      const double x = c->number[*name == 'b'][i], cut = strtod(value, NULL);
      return r ? x > cut : x <= cut;
    }
    return c->kind[i] >= 0 && !strcmp(kinds[c->kind[i]], value) == (r == 2);
  }
  return -1;
}

static bool bit_of(const irl_data *data, uint32_t feature, uint32_t row) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < row; i++)
    before += irl_bits_get(data->labels, i) == irl_bits_get(data->labels, row);
  return irl_bits_get(
      irl_bits_vector(irl_bits_get(data->labels, row) ? &data->cases : &data->controls, feature),
      before);
}

TEST coded_as_named(uint64_t seed, const char *cuts, const char *negations) {
  irl_random random;
  cells c;
  irl_table *raw;
  irl_coding *coding;
  irl_data *data;
  char message[200];
  irl_random_init(&random, seed, 2);
  make_cells(&random, &c, seed % 3 == 0);
  save_cells(&c, FOLDER "/mixed.csv");
  const irl_options o =
      options_of(env, "cuts", cuts, "negations", negations, "type", "rs1=snp", "ignore", "w", NULL);
  ASSERT_FALSEm(error_of(env), irl_table_read(env, FOLDER "/mixed.csv", &o, &raw));
  uint32_t samples[70];
  for (uint32_t i = 0; i < 70; i++)
    samples[i] = i < 2 ? i : (uint32_t)irl_random_below(&random, ROWS);
  const irl_rows rows = {sizeof rows, samples, 70, NULL};
  ASSERT_FALSEm(error_of(env), irl_table_code(env, raw, &rows, &o, &coding));
  ASSERT_FALSEm(error_of(env), irl_table_data(env, raw, coding, NULL, &data));
  ASSERT(data->n_features > 5);
  for (uint32_t j = 0; j < data->n_features; j++)
    for (uint32_t i = 0; i < ROWS; i++) {
      snprintf(message, sizeof message, "seed %d: '%s' on row %u", (int)seed,
               irl_data_feature(data, j), i);
      ASSERT_EQm(message, naive(&c, irl_data_feature(data, j), (int)i), bit_of(data, j, i));
    }
  irl_data_free(data);
  irl_coding_free(coding);
  irl_table_free(raw);
  PASS();
}

TEST literals_mean_what_they_say(void) {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    CHECK_CALL(coded_as_named(seed, "quantile:4", seed % 2 ? "1" : "0"));
    CHECK_CALL(coded_as_named(seed, "all", "1"));
    CHECK_CALL(coded_as_named(seed, "mdl", "1"));
  }
  PASS();
}

/* What other rows hold must not change a coding: no leak from a test fold. */
TEST coding_sees_its_rows_only(void) {
  irl_random random;
  cells c;
  char *names[2] = {NULL, NULL};
  const irl_options o = options_of(env, "cuts", "all", "negations", "1", NULL);
  irl_random_init(&random, 77, 2);
  make_cells(&random, &c, false);
  uint32_t samples[60];
  for (uint32_t i = 0; i < 60; i++) samples[i] = 2 * i;
  for (int round = 0; round < 2; round++) {
    irl_table *raw;
    irl_coding *coding;
    buffer b = {0};
    save_cells(&c, FOLDER "/leak.csv");
    const irl_rows rows = {sizeof rows, samples, 60, NULL};
    ASSERT_FALSE(irl_table_read(env, FOLDER "/leak.csv", &o, &raw));
    ASSERT_FALSE(irl_table_code(env, raw, &rows, &o, &coding));
    for (size_t i = 0; i < coding->features.n; i++) {
      put(&b, irl_names_get(&coding->features, i));
      put(&b, "\n");
    }
    names[round] = b.bytes;
    irl_coding_free(coding);
    irl_table_free(raw);
    for (int i = 1; i < ROWS; i += 2) {
      c.number[0][i] = 1000 * c.number[0][i] + 7;
      c.number[1][i] = -c.number[1][i];
      c.kind[i] = c.kind[i] < 0 ? 0 : 3 - c.kind[i];
      if (i > 1) c.label[i] = !c.label[i];
    }
  }
  ASSERT_STR_EQ(names[0], names[1]);
  free(names[0]);
  free(names[1]);
  PASS();
}

/* ---- the best rule, by brute force ---- */

static double loss_of(const cells *c, const bool *covered, bool has_weights) {
  double loss = 0;
  for (int i = 0; i < ROWS; i++)
    loss += (covered[i] != (c->label[i] == 1)) * (has_weights ? c->weight[i] : 1);
  return loss;
}

/* The least loss of a clause of one or two literals. */
static double best_by_force(const cells *c, const irl_data *data, bool has_weights) {
  double best = INFINITY;
  bool(*holds)[ROWS] = malloc(data->n_features * sizeof *holds);
  for (uint32_t a = 0; a < data->n_features; a++)
    for (int i = 0; i < ROWS; i++) holds[a][i] = naive(c, irl_data_feature(data, a), i) == 1;
  for (uint32_t a = 0; a < data->n_features; a++)
    for (uint32_t b = a; b < data->n_features; b++)
      for (int signs = 0; signs < 4; signs++) {
        const bool not_a = signs & 1, not_b = signs >> 1;
        bool covered[ROWS];
        if ((not_a && !irl_data_may_negate(data)) || (not_b && !irl_data_may_negate(data)))
          continue;
        for (int i = 0; i < ROWS; i++) covered[i] = holds[a][i] != not_a && holds[b][i] != not_b;
        const double loss = loss_of(c, covered, has_weights);
        if (loss < best) best = loss;
      }
  free(holds);
  return best;
}

TEST best_clause(uint64_t seed, bool has_weights) {
  irl_random random;
  cells c;
  irl_data *data;
  irl_fit_result *result;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  static char message[2100];
  irl_random_init(&random, seed, 4);
  make_cells(&random, &c, seed % 4 == 0);
  for (int i = 2; i < ROWS; i++)
    if (irl_random_below(&random, 3)) c.label[i] = c.number[0][i] > 40 && c.bit[i] == 0;
  save_cells(&c, FOLDER "/best.csv");
  irl_options o = options_of(env, "K", "1", "M", "2", "negations", "1", "weights", "unit", "type",
                             "rs1=snp", "prove", "1", "positive", "ill", NULL);
  if (has_weights)
    o.data.weight_column = "w";
  else
    o.data.ignore = "w";
  snprintf(message, sizeof message, "seed %d: %s", (int)seed, error_of(env));
  ASSERT_FALSEm(message, irl_data_read(env, FOLDER "/best.csv", &o, &data));
  ASSERT_FALSEm(message, irl_fit(env, data, &o, &result));
  irl_fit_describe(result, &info);
  bool nothing[ROWS] = {false};
  const double empty = loss_of(&c, nothing, has_weights),
               force = best_by_force(&c, data, has_weights);
  ASSERT_EQm(message, IRL_OUTCOME_OPTIMAL, info.outcome);
  ASSERT_IN_RANGEm(message, force < empty ? force : empty, info.objective, 1e-6);
  irl_fit_free(result);
  irl_data_free(data);
  PASS();
}

TEST best_clauses(void) {
  for (uint64_t seed = 3; seed <= 5; seed++) {
    CHECK_CALL(best_clause(seed, false));
    CHECK_CALL(best_clause(seed, true));
  }
  PASS();
}

/* ---- rules on raw files ---- */

/* A rule says of a file with other columns and missing values what its literals say. */
TEST rules_travel(void) {
  irl_random random;
  irl_random_init(&random, 31, 5);
  for (int round = 0; round < 4; round++) {
    cells c, other;
    irl_data *data, *seen;
    irl_fit_result *result;
    irl_rule *rule;
    irl_evaluation e = IRL_SIZED(irl_evaluation);
    char *json;
    make_cells(&random, &c, round % 2);
    make_cells(&random, &other, false);
    for (int i = 2; i < ROWS; i++)
      if (irl_random_below(&random, 8)) c.label[i] = c.number[1][i] > 0 && c.bit[i] != 1;
    save_cells(&c, FOLDER "/from.csv");
    save_cells(&other, FOLDER "/to.csv");
    const irl_options o =
        options_of(env, "K", "3", "M", "3", "negations", "1", "type", "rs1=snp", "ignore", "w",
                   "work_limit", "2000000", "positive", "ill", NULL);
    ASSERT_FALSEm(error_of(env), irl_data_read(env, FOLDER "/from.csv", &o, &data));
    ASSERT_FALSEm(error_of(env), irl_fit(env, data, &o, &result));
    ASSERT_FALSE(irl_rule_render(env, irl_fit_rule(result), IRL_FORMAT_JSON, &json));
    ASSERT_FALSEm(error_of(env), irl_rule_parse_json(env, json, strlen(json), &rule));
    irl_text_free(env, json);
    const irl_options plain = options_of(env, NULL);
    ASSERT_FALSEm(error_of(env),
                  irl_data_read_for(env, FOLDER "/to.csv", &plain, rule, true, &seen));
    ASSERT_FALSE(irl_evaluate(env, rule, seen, &e));
    uint64_t tp = 0, fp = 0;
    for (int i = 0; i < ROWS; i++) {
      bool fires = false;
      for (uint32_t k = 0; k < rule->n_clauses; k++) {
        bool holds = true;
        for (uint32_t l = 0; l < irl_rule_clause_size(rule, k); l++) {
          char name[100];
          bool is_negated;
          const char *feature = irl_rule_literal(rule, k, l, &is_negated);
          snprintf(name, sizeof name, "%s%s", is_negated ? "!" : "", feature);
          holds = holds && naive(&other, name, i) == 1;
        }
        fires |= holds;
      }
      tp += fires && other.label[i], fp += fires && !other.label[i];
    }
    ASSERT_EQ(tp, e.tp);
    ASSERT_EQ(fp, e.fp);
    irl_data_free(seen);
    irl_rule_free(rule);
    irl_fit_free(result);
    irl_data_free(data);
  }
  PASS();
}

/* A table survives .irb: the same features, with the same conditions, from either. */
TEST packed_table(void) {
  irl_random random;
  cells c;
  irl_table *raw;
  irl_data *data, *packed;
  irl_random_init(&random, 9, 9);
  make_cells(&random, &c, false);
  save_cells(&c, FOLDER "/pack.csv");
  const irl_options o = options_of(env, "negations", "1", "type", "rs1=snp", NULL);
  const irl_options of_irb = options_of(env, "negations", "1", NULL);
  ASSERT_FALSEm(error_of(env), irl_table_read(env, FOLDER "/pack.csv", &o, &raw));
  ASSERT_FALSEm(error_of(env), irl_table_write(env, raw, FOLDER "/pack.irb"));
  irl_table_free(raw);
  ASSERT_FALSEm(error_of(env), irl_data_read(env, FOLDER "/pack.csv", &o, &data));
  ASSERT_FALSEm(error_of(env), irl_data_read(env, FOLDER "/pack.irb", &of_irb, &packed));
  ASSERT_EQ(checksum_of(data), checksum_of(packed));
  for (uint32_t j = 0; j < data->n_features; j++) {
    const irl_condition *a = &data->conditions.items[j], *b = &packed->conditions.items[j];
    ASSERT_EQ(a->relation, b->relation);
    ASSERT_EQ(a->cut, b->cut);
    ASSERT_STR_EQ(irl_names_get(&data->conditions.columns, a->column),
                  irl_names_get(&packed->conditions.columns, b->column));
    ASSERT_EQ(data->groups[j], packed->groups[j]);
    ASSERT_EQ(irl_data_may_negate(data), irl_data_may_negate(packed));
  }
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_data_write(env, data, FOLDER "/features.irb"));
  irl_data_free(data);
  irl_data_free(packed);
  PASS();
}

/* No field of a table in a file is believed: what is changed and signed again is refused, or is a
 * table that holds what its columns may. */
TEST forged_tables(void) {
  irl_random random;
  cells c;
  irl_table *raw;
  size_t size, refused = 0;
  irl_random_init(&random, 12, 3);
  make_cells(&random, &c, false);
  save_cells(&c, FOLDER "/forged.csv");
  const irl_options o = options_of(env, "type", "rs1=snp", "threads", "1", NULL);
  const irl_options plain = options_of(env, "threads", "1", NULL);
  ASSERT_FALSEm(error_of(env), irl_table_read(env, FOLDER "/forged.csv", &o, &raw));
  ASSERT_FALSEm(error_of(env), irl_table_write(env, raw, FOLDER "/forged.irb"));
  irl_table_free(raw);
  char *good = load_bytes(FOLDER "/forged.irb", &size), *bytes = malloc(size);
  const size_t head = irb_head_size(good, size);
  for (int round = 0; round < 400; round++) {
    memcpy(bytes, good, size);
    const size_t from = round % 2 ? IRB_HEAD : head + 8, to = round % 2 ? head : size;
    for (int k = 0; k < 2; k++)
      bytes[from + irl_random_below(&random, to - from)] ^=
          (char)(1u << irl_random_below(&random, 8));
    irb_mend(bytes, size);
    save_bytes(FOLDER "/forged.irb", bytes, size);
    raw = NULL;
    const irl_status status = irl_table_read(env, FOLDER "/forged.irb", &plain, &raw);
    ASSERTm(error_of(env), status == IRL_STATUS_OK || status == IRL_STATUS_BAD_INPUT);
    refused += status != IRL_STATUS_OK;
    for (size_t j = 0; !status && j < raw->names.n; j++) {
      const irl_column *column = &raw->columns[j];
      ASSERT_EQ(irl_column_count_missing(column, raw->n_samples), column->n_missing);
      for (uint32_t i = 0; i < raw->n_samples && column->type == IRL_COLUMN_CATEGORY; i++)
        ASSERT(column->codes[i] < column->values->n || column->codes[i] == IRL_NO_VALUE);
    }
    irl_table_free(raw);
  }
  ASSERT(refused > 100);
  memcpy(bytes, good, size);
  bytes[8] = 3;
  irb_mend(bytes, size);
  save_bytes(FOLDER "/forged.irb", bytes, size);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_table_read(env, FOLDER "/forged.irb", &plain, &raw));
  ASSERT(strstr(irl_env_error(env), "made by an older ireland: convert the original again"));
  free(good);
  free(bytes);
  PASS();
}

/* Genotypes: dom, rec and their opposites, all false where one is missing. */
TEST genotypes(void) {
  enum { PEOPLE = 50, VARIANTS = 9 };
  irl_random random;
  irl_data *data;
  unsigned char bed[3 + VARIANTS * ((PEOPLE + 3) / 4)] = {0x6c, 0x1b, 1};
  int code[VARIANTS][PEOPLE];
  buffer fam = {0}, bim = {0};
  char text[100];
  irl_random_init(&random, 6, 6);
  for (int i = 0; i < PEOPLE; i++) {
    snprintf(text, sizeof text, "f %d 0 0 1 %d\n", i, i % 3 ? 1 : 2);
    put(&fam, text);
  }
  for (int v = 0; v < VARIANTS; v++) {
    snprintf(text, sizeof text, "1 rs%d 0 %d A C\n", v, v);
    put(&bim, text);
    for (int i = 0; i < PEOPLE; i++) {
      code[v][i] = (int)irl_random_below(&random, 4);
      bed[3 + v * ((PEOPLE + 3) / 4) + i / 4] |= (unsigned char)(code[v][i] << 2 * (i % 4));
    }
  }
  save_bytes(FOLDER "/g.fam", fam.bytes, fam.length);
  save_bytes(FOLDER "/g.bim", bim.bytes, bim.length);
  save_bytes(FOLDER "/g.bed", bed, sizeof bed);
  const irl_options o = options_of(env, "negations", "1", NULL);
  ASSERT_FALSEm(error_of(env), irl_data_read(env, FOLDER "/g.bed", &o, &data));
  ASSERT_EQ(4u * VARIANTS, data->n_features);
  for (uint32_t j = 0; j < data->n_features; j++)
    for (uint32_t i = 0; i < PEOPLE; i++) {
      const char *name = irl_data_feature(data, j);
      const bool negated = *name == '!', is_rec = strstr(name, ":rec") != NULL;
      const int genotype = code[name[negated + 2] - '0'][i];
      const int alleles = genotype == 0 ? 2 : genotype == 2 ? 1 : 0;
      ASSERT_EQ(genotype != 1 && (alleles > is_rec) != negated, bit_of(data, j, i));
      ASSERT_FALSE(irl_data_may_negate(data));
    }
  irl_data_free(data);
  free(fam.bytes);
  free(bim.bytes);
  PASS();
}

/* ---- cut points ---- */

TEST cut_points(void) {
  irl_random random;
  irl_random_init(&random, 3, 3);
  for (int round = 0; round < 200; round++) {
    irl_cut_value values[60], copy[60];
    double cuts[60];
    size_t stack[300];
    const size_t n = 2 + irl_random_below(&random, 58);
    for (size_t i = 0; i < n; i++)
      values[i] =
          (irl_cut_value){(double)irl_random_below(&random, 30) / 7, irl_random_below(&random, 2)};
    memcpy(copy, values, sizeof values);
    const irl_cut_plan all = {IRL_CUT_ALL, 0, 0, NULL}, few = {IRL_CUT_QUANTILE, 5, 0, NULL};
    const irl_cut_plan mdl = {IRL_CUT_MDL, 0, 0, NULL}, more = {IRL_CUT_MDL, 0, 3, NULL};
    const size_t n_all = irl_cut_find(&all, values, n, cuts, stack);
    for (size_t i = 0; i < n; i++) /* a case and a control of different values are separated */
      for (size_t k = 0; k < n; k++) {
        if (values[i].is_case == values[k].is_case || values[i].value >= values[k].value) continue;
        bool is_separated = false;
        for (size_t j = 0; j < n_all; j++)
          is_separated |= values[i].value <= cuts[j] && cuts[j] < values[k].value;
        ASSERT(is_separated);
      }
    ASSERT(irl_cut_find(&few, values, n, cuts, stack) <= 5);
    const size_t n_mdl = irl_cut_find(&mdl, values, n, cuts, stack);
    for (size_t j = 1; j < n_mdl; j++) ASSERT(cuts[j - 1] < cuts[j]);
    const size_t n_more = irl_cut_find(&more, values, n, cuts, stack);
    ASSERT(n_more >= n_mdl && n_more <= n_mdl + 3);
    for (size_t j = 1; j < n_more; j++) ASSERT(cuts[j - 1] < cuts[j]);
  }
  PASS();
}

/* 20 controls below, 20 cases above: one cut, in the middle; labels without order: none. */
TEST cuts_by_length(void) {
  irl_cut_value values[40];
  double cuts[40];
  size_t stack[200];
  const irl_cut_plan mdl = {IRL_CUT_MDL, 0, 0, NULL}, more = {IRL_CUT_MDL, 0, 3, NULL};
  for (int i = 0; i < 40; i++) values[i] = (irl_cut_value){i, i >= 20};
  ASSERT_EQ(1u, irl_cut_find(&mdl, values, 40, cuts, stack));
  ASSERT_EQ(19.5, cuts[0]);
  for (int i = 0; i < 40; i++) values[i] = (irl_cut_value){i, i % 2};
  ASSERT_EQ(0u, irl_cut_find(&mdl, values, 40, cuts, stack));
  ASSERT_EQ(3u, irl_cut_find(&more, values, 40, cuts, stack));
  ASSERT_EQ(9.5, cuts[0]);
  ASSERT_EQ(29.5, cuts[2]);
  PASS();
}

TEST numbers_between(void) {
  irl_random random;
  irl_random_init(&random, 8, 8);
  ASSERT_EQ(52.5, irl_number_between(52, 53));
  ASSERT_EQ(0.13, irl_number_between(0.1234, 0.1366));
  ASSERT_EQ(15, irl_number_between(10, 20));
  for (int i = 0; i < 20000; i++) {
    const double size = pow(10, (double)irl_random_below(&random, 30) - 15);
    const double a = size * ((double)irl_random_below(&random, 2000001) - 1e6);
    const double b =
        i % 3 ? nextafter(a, INFINITY) : a + size * (double)irl_random_below(&random, 100);
    if (!(a < b)) continue;
    const double cut = irl_number_between(a, b);
    char text[IRL_NUMBER_SIZE];
    double back;
    irl_number_print(cut, text);
    ASSERT(a <= cut && cut < b);
    ASSERT(irl_number_parse(text, strlen(text), &back) && back == cut);
    ASSERT_EQ(cut, strtod(text, NULL));
  }
  PASS();
}

SUITE(tables) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(plain_rows);
  RUN_TEST(literals_mean_what_they_say);
  RUN_TEST(coding_sees_its_rows_only);
  RUN_TEST(best_clauses);
  RUN_TEST(rules_travel);
  RUN_TEST(packed_table);
  if (IRL_IS_LITTLE_ENDIAN) RUN_TEST(forged_tables); /* it mends numbers as they stand in memory */
  RUN_TEST(genotypes);
}

SUITE(cuts) {
  RUN_TEST(cut_points);
  RUN_TEST(cuts_by_length);
  RUN_TEST(numbers_between);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  RUN_SUITE(tables);
  RUN_SUITE(cuts);
  GREATEST_MAIN_END();
}
