/* A CNF is the mirror of a DNF: fit with the option cnf against brute force over all CNFs of the
 * literals that fit has without it, and against fit on the table with exchanged classes and
 * complemented literals; 0/1 data and columns of all types with missing values.
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "data/dataset.h"
#include "fuzzing.h"
#include "ireland_data.h"
#include "rule/rule.h"
#include "support.h"
#include <math.h>

#define MAX_SAMPLES  14u
#define MAX_COLUMNS  4u
#define MAX_LITERALS 40u
#define MAX_CLAUSES  900u
#define NEARLY       1e-9

static irl_env *env;
static irl_random numbers;
static uint64_t seed = 22;

static uint32_t below(uint64_t n) {
  return (uint32_t)irl_random_below(&numbers, n);
}

/* ---- problems ---- */

typedef struct problem {
  uint32_t n, n_columns;
  double cells[MAX_COLUMNS][MAX_SAMPLES]; /* NaN: missing; of a category the number of a value */
  int32_t codes[MAX_COLUMNS][MAX_SAMPLES];
  irl_column_type types[MAX_COLUMNS];
  uint8_t labels[MAX_SAMPLES];
  double weights[MAX_SAMPLES];
  bool is_plain, is_weighted;
  irl_options options;
  /* the literals as fit has them, and what a CNF makes of them */
  uint32_t n_literals;
  char names[MAX_LITERALS][40];
  uint32_t holds[MAX_LITERALS];
  double n1, n0; /* weights of the classes, counted in samples */
} problem;

static const char *const column_names[] = {"a", "b", "c", "d"};
static const char *const values[] = {"u", "v", "w"};

static void draw_cells(problem *p) {
  const uint32_t holes = p->is_plain ? 0 : below(3);
  for (uint32_t j = 0; j < p->n_columns; j++) {
    p->types[j] = p->is_plain ? IRL_COLUMN_BINARY : (irl_column_type)below(4);
    const uint32_t n = p->types[j] == IRL_COLUMN_BINARY ? 2 : 3;
    for (uint32_t i = 0; i < p->n; i++) {
      const bool is_missing = holes && below(6) < holes;
      p->codes[j][i] = is_missing ? -1 : (int32_t)below(n);
      p->cells[j][i] = is_missing ? NAN : p->codes[j][i];
    }
  }
}

static void draw_options(problem *p, uint32_t number) {
  static const char *const forbidden[] = {"a", "a = u", "a <=", "!b", "b > 0.5\na:dom", "c !="};
  static const char *const cuts[] = {"all", "quantile:1"};
  irl_options *o = &p->options;
  irl_options_init(o, sizeof *o);
  o->rule.cnf = o->search.prove = true;
  o->limits.threads = 1;
  o->rule.K = 1 + below(2);
  o->rule.M = 1 + below(2);
  o->rule.negations = below(2);
  const char *const drawn = cuts[below(2)];
  for (uint32_t j = 0; j < p->n_columns; j++)
    if (p->types[j] == IRL_COLUMN_NUMBER)
      irl_options_set(env, o, "cuts", drawn); /* of numbers only */
  if (!p->is_plain && !below(3)) o->data.missing = IRL_MISSING_IMPUTE;
  if (!p->is_plain && !below(3)) o->data.forbid = forbidden[below(p->n_columns < 3 ? 3 : 6)];
  if (below(2)) o->rule.weights = below(2) ? IRL_WEIGHTS_UNIT : IRL_WEIGHTS_BALANCED;
  if (!below(3)) o->rule.penalty = 0.01 * (1 + below(20));
  if (!below(3)) o->rule.min_sensitivity = 0.1 * (1 + below(9));
  if (!below(3)) o->rule.min_specificity = 0.1 * (1 + below(9));
  if (!below(4)) o->rule.max_literals = 1 + below(3);
  if (!below(4)) o->rule.loss = IRL_LOSS_HAMMING;
  if (number % 8 == 7) {
    o->search.method = number % 16 == 7 ? IRL_METHOD_BRCG : IRL_METHOD_BP3;
    o->rule.penalty = o->rule.min_sensitivity = o->rule.min_specificity = 0;
    o->rule.loss = IRL_LOSS_DEFAULT;
    if (number % 16 == 15) o->rule.max_literals = 0;
  } else if (!below(3)) {
    o->output.all_optimal = 1000;
  }
}

static void draw(problem *p, uint32_t number) {
  *p = (problem){.n = 4 + below(MAX_SAMPLES - 3), .n_columns = 1 + below(MAX_COLUMNS)};
  p->is_plain = !below(3);
  p->is_weighted = !p->is_plain && !below(3);
  draw_cells(p);
  draw_options(p, number);
  for (uint32_t i = 0; i < p->n; i++) {
    p->labels[i] = i < 2 ? (uint8_t)i : (uint8_t)below(2);
    p->weights[i] = p->is_weighted && i ? 1 + below(3) : 1;
    *(p->labels[i] ? &p->n1 : &p->n0) += p->weights[i];
  }
}

static irl_status make_table(const problem *p, irl_table **raw) {
  irl_column_view columns[MAX_COLUMNS];
  for (uint32_t j = 0; j < p->n_columns; j++)
    columns[j] = (irl_column_view){.size = sizeof(irl_column_view),
                                   .name = column_names[j],
                                   .type = p->types[j],
                                   .numbers = p->cells[j],
                                   .codes = p->codes[j],
                                   .values = values,
                                   .n_values = 3};
  const irl_table_view view = {.size = sizeof view,
                               .n_samples = p->n,
                               .n_columns = p->n_columns,
                               .columns = columns,
                               .labels = p->labels,
                               .weights = p->is_weighted ? p->weights : NULL};
  return irl_table_from_columns(env, &view, &p->options, raw);
}

static uint8_t byte_of(const problem *p, uint32_t literal, uint32_t sample) {
  return p->holds[literal] >> sample & 1;
}

/* ---- the literals ---- */

static uint32_t column_of(const char *name) {
  uint32_t j = 0;
  while (j < MAX_COLUMNS - 1 && strcmp(column_names[j], name)) j++;
  return j;
}

/* Where the literal of a CNF holds: not where its opposite does, which is false on what is missing.
 */
static void add_literal(problem *p, const char *name, uint32_t holds, uint32_t column) {
  const bool imputes = p->options.data.missing != IRL_MISSING_DEFAULT;
  for (uint32_t i = 0; i < p->n; i++)
    if (p->codes[column][i] < 0 && !imputes) holds |= 1u << i;
  snprintf(p->names[p->n_literals], sizeof *p->names, "%s", name);
  p->holds[p->n_literals++] = holds;
}

/* From the features that fit without the option codes. */
static void list_features(problem *p, const irl_data *data) {
  for (uint32_t j = 0; j < data->n_features; j++) {
    uint32_t holds = 0, at[2] = {0, 0};
    for (uint32_t i = 0; i < p->n; i++) {
      const bool is_case = irl_bits_get(data->labels, i);
      const irl_bits_matrix *bits = is_case ? &data->cases : &data->controls;
      if (irl_bits_get(irl_bits_vector(bits, j), at[is_case]++)) holds |= 1u << i;
    }
    const char *name = irl_names_get(&data->names, j);
    const char *column =
        irl_has_conditions(&data->conditions)
            ? irl_names_get(&data->conditions.columns, data->conditions.items[j].column)
            : name;
    add_literal(p, name, holds, column_of(column));
    if (!irl_data_may_negate(data) || !p->options.rule.negations) continue;
    char negated[40];
    snprintf(negated, sizeof negated, "!%s", name);
    add_literal(p, negated, ~holds & ((1u << p->n) - 1), column_of(column));
  }
}

static irl_status make_plain(const problem *p, irl_data **data) {
  uint8_t cells[MAX_SAMPLES * MAX_COLUMNS];
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t j = 0; j < p->n_columns; j++)
      cells[i * p->n_columns + j] = (uint8_t)p->codes[j][i];
  return irl_data_from_bytes(env, p->n, p->n_columns, cells, p->labels, column_names, data);
}

static irl_status list_literals(problem *p, const irl_table *raw) {
  irl_options plain = p->options;
  irl_coding *coding = NULL;
  irl_data *data;
  plain.rule.cnf = false;
  irl_status status =
      p->is_plain ? make_plain(p, &data) : irl_table_code(env, raw, NULL, &plain, &coding);
  if (!status && coding) status = irl_table_data(env, raw, coding, NULL, &data);
  irl_coding_free(coding);
  if (status) return status;
  list_features(p, data);
  irl_data_free(data);
  return IRL_STATUS_OK;
}

/* ---- brute force ---- */

typedef struct disjunction {
  uint32_t holds, size;
} disjunction;

static disjunction clauses[MAX_CLAUSES];
static uint32_t n_clauses;

static void list_clauses(const problem *p) {
  n_clauses = 0;
  for (uint32_t a = 0; a < p->n_literals; a++) {
    clauses[n_clauses++] = (disjunction){p->holds[a], 1};
    for (uint32_t b = a + 1; p->options.rule.M > 1 && b < p->n_literals; b++)
      clauses[n_clauses++] = (disjunction){p->holds[a] | p->holds[b], 2};
  }
}

static bool is_hamming(const problem *p) {
  return p->options.rule.loss || p->options.search.method == IRL_METHOD_BRCG;
}

/* The loss of a CNF in units of weight; INFINITY: not within the limits. */
static double weigh(const problem *p, const disjunction *cnf, uint32_t n) {
  const bool is_unit =
      p->options.rule.weights ? p->options.rule.weights == IRL_WEIGHTS_UNIT : p->is_weighted;
  const double case_weight = is_unit ? 1 : p->n0, control_weight = is_unit ? 1 : p->n1;
  double tp = 0, tn = 0, loss = 0, size = 0;
  for (uint32_t k = 0; k < n; k++) size += cnf[k].size;
  for (uint32_t i = 0; i < p->n; i++) {
    uint32_t failed = 0;
    for (uint32_t k = 0; k < n; k++) failed += !(cnf[k].holds >> i & 1);
    if (p->labels[i]) {
      tp += failed ? 0 : p->weights[i];
      loss += case_weight * p->weights[i] * (is_hamming(p) ? failed : failed > 0);
    } else {
      tn += failed ? p->weights[i] : 0;
      loss += control_weight * p->weights[i] * !failed;
    }
  }
  if (p->options.rule.max_literals && size > (double)p->options.rule.max_literals) return INFINITY;
  if (tp < p->options.rule.min_sensitivity * p->n1 - 1e-6) return INFINITY;
  if (tn < p->options.rule.min_specificity * p->n0 - 1e-6) return INFINITY;
  const double all = case_weight * p->n1 + control_weight * p->n0;
  return loss + p->options.rule.penalty * all * (n + size);
}

static double find_best(const problem *p) {
  double best = weigh(p, NULL, 0);
  list_clauses(p);
  for (uint32_t a = 0; a < n_clauses; a++) {
    disjunction cnf[2] = {clauses[a], clauses[a]};
    best = fmin(best, weigh(p, cnf, 1));
    for (uint32_t b = a + 1; p->options.rule.K > 1 && b < n_clauses; b++) {
      cnf[1] = clauses[b];
      best = fmin(best, weigh(p, cnf, 2));
    }
  }
  return best;
}

/* ---- answers ---- */

/* The literal of the CNF that the rule's is the opposite of. */
static bool find_literal(const problem *p, const irl_rule *rule, irl_literal literal,
                         uint32_t *found) {
  irl_text name;
  irl_text_init(&name, env);
  irl_rule_print_opposite(&name, rule, literal, "!");
  for (*found = 0; *found < p->n_literals && strcmp(p->names[*found], name.bytes);) ++*found;
  irl_text_drop(&name);
  return *found < p->n_literals;
}

/* What a rule is worth as a CNF; NaN if it has a literal that it may not have. */
static double weigh_rule(const problem *p, const irl_rule *rule) {
  disjunction cnf[8];
  for (size_t k = 0; k < rule->n_clauses; k++) {
    cnf[k] = (disjunction){0, (uint32_t)(rule->start[k + 1] - rule->start[k])};
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++) {
      uint32_t found;
      if (!find_literal(p, rule, rule->literals[i], &found)) return NAN;
      cnf[k].holds |= p->holds[found];
    }
  }
  return weigh(p, cnf, (uint32_t)rule->n_clauses);
}

/* The same by fit: classes exchanged, literals complemented, limits exchanged. */
static irl_status fit_mirror(const problem *p, irl_fit_result **result) {
  uint8_t cells[3 * MAX_SAMPLES * MAX_LITERALS], labels[3 * MAX_SAMPLES];
  uint32_t n = 0;
  irl_data *data;
  irl_options o = p->options;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t copy = 0; copy < p->weights[i]; copy++, n++) {
      labels[n] = !p->labels[i];
      for (uint32_t j = 0; j < p->n_literals; j++) cells[n * p->n_literals + j] = !byte_of(p, j, i);
    }
  o.rule.cnf = o.rule.negations = false;
  o.data.forbid = NULL;
  o.data.missing = IRL_MISSING_DEFAULT;
  o.data.cuts = (irl_cuts){0};
  if (p->is_weighted && !o.rule.weights) o.rule.weights = IRL_WEIGHTS_UNIT;
  o.rule.min_sensitivity = p->options.rule.min_specificity;
  o.rule.min_specificity = p->options.rule.min_sensitivity;
  irl_status status = irl_data_from_bytes(env, n, p->n_literals, cells, labels, NULL, &data);
  if (!status) status = irl_fit(env, data, &o, result);
  if (!status) irl_data_free(data);
  return status;
}

static bool is_close(double a, double b) {
  return a == b || fabs(a - b) <= NEARLY * (1 + fabs(a));
}

/* A table without anything to learn from is refused, and so is a forbidden all. */
static bool can_learn(const problem *p) {
  for (uint32_t l = 0; l < p->n_literals; l++)
    if (p->holds[l] && p->holds[l] != (1u << p->n) - 1) return true;
  return false;
}

static enum greatest_test_res check_answer(const problem *p, const irl_fit_result *result) {
  irl_fit_info info = IRL_SIZED(irl_fit_info), other = IRL_SIZED(irl_fit_info);
  irl_fit_result *mirror;
  bool is_all, is_all_too;
  const double best = find_best(p);
  irl_fit_describe(result, &info);
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, fit_mirror(p, &mirror), "%d");
  irl_fit_describe(mirror, &other);
  ASSERT_EQ(other.outcome, info.outcome);
  if (isinf(best)) {
    ASSERT_EQ(IRL_OUTCOME_INFEASIBLE, info.outcome);
  } else {
    ASSERT_EQ(IRL_OUTCOME_OPTIMAL, info.outcome);
    ASSERTm("the best of all CNFs", is_close(best, weigh_rule(p, irl_fit_rule(result))));
    ASSERTm("that of the mirror", is_close(other.objective, info.objective));
    const uint32_t n = irl_fit_n_optimal_rules(result, &is_all);
    ASSERT_EQ(irl_fit_n_optimal_rules(mirror, &is_all_too), n);
    ASSERT_EQ(is_all_too, is_all);
    ASSERT(n || !is_all);
    for (uint32_t i = 0; i < n; i++) {
      irl_rule *rule;
      ASSERT_EQ(IRL_STATUS_OK, irl_fit_optimal_rule(env, result, i, &rule));
      ASSERT(is_close(best, weigh_rule(p, rule)));
      irl_rule_free(rule);
    }
  }
  irl_fit_free(mirror);
  PASS();
}

/* 0/1 data is reflected by fit itself, a table where it is coded. */
static irl_status fit_cnf(const problem *p, const irl_table *raw, irl_data **data,
                          irl_fit_result **result) {
  if (!p->is_plain) return irl_fit_table(env, raw, &p->options, result);
  const irl_status status = make_plain(p, data);
  return status ? status : irl_fit(env, *data, &p->options, result);
}

static enum greatest_test_res try_one(uint32_t number) {
  problem p;
  irl_table *raw;
  irl_data *data = NULL;
  irl_fit_result *result;
  char *text;
  draw(&p, number);
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, make_table(&p, &raw), "%d");
  irl_status status = list_literals(&p, raw);
  if (!status && can_learn(&p)) {
    status = fit_cnf(&p, raw, &data, &result);
    ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, status, "%d");
    CHECK_CALL(check_answer(&p, result));
    ASSERT_EQ(IRL_STATUS_OK,
              irl_fit_render(env, result, number % 2 ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT, &text));
    irl_text_free(env, text);
    irl_fit_free(result);
  } else {
    ASSERT_EQ(IRL_STATUS_BAD_INPUT, fit_cnf(&p, raw, &data, &result));
  }
  irl_data_free(data);
  irl_table_free(raw);
  PASS();
}

TEST cnf_is_the_mirror(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 400);
  for (uint64_t i = first; i < first + n; i++) {
    irl_random_init(&numbers, seed, i);
    const enum greatest_test_res result = try_one((uint32_t)i);
    if (result != GREATEST_TEST_RES_PASS) printf("\nproblem %llu\n", (unsigned long long)i);
    if (result != GREATEST_TEST_RES_PASS) return result;
  }
  PASS();
}

SUITE(cnf_suite) {
  RUN_TEST(cnf_is_the_mirror);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  seed = number_of("IRL_FUZZ_SEED", seed);
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(cnf_suite);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
