/* Learning a coding: which features to make of the columns of a table, from some of its samples.
 *
 * A number gives `x <= c` and `x > c` for each cut point (cuts.h), a category `x = v` for each
 * value that occurs and, with negations, `x != v`; a 0/1 column itself and, where values are
 * missing and negations are wanted, its opposite `!x`; a SNP its two carrier features and theirs.
 * Literals that are nested (`x <= 5`, `x <= 7`) or disjoint (`x = a`, `x = b`) form a group: no
 * clause needs two. For a CNF the features are the opposites of the literals (reflect.c).
 *
 * --missing impute puts the median or the most frequent value of the column for a missing one; a
 * literal then has a fixed answer on a missing value, which is all that needs to be kept. */
#include "base/contract.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/threads.h"
#include "ireland_data.h"
#include "table/cuts.h"
#include "table/forbid.h"
#include "table/one_per.h"
#include <math.h>
#include <stdlib.h>

#define NAMES_PER_LOOK 4096u /* literals that are made between two looks at limits */

typedef struct coder {
  irl_env *env;
  const irl_table *table;
  const irl_rows *rows;
  uint32_t n;
  bool negations, imputes, has_het;
  bool is_part;  /* a fold or shuffled labels, which say nothing of the whole and may be empty */
  bool reflects; /* the opposites of the literals become the features */
  irl_forbidden forbidden;
  irl_cell_reader cells;
  irl_one_per one_per;
  size_t at_column; /* whose literals are made */
  irl_cut_plan cut_plan;
  irl_coding *coding;
  double **cuts; /* per column, found in parallel */
  size_t *n_cuts;
  uint32_t n_groups;
  size_t groups_capacity;
} coder;

/* A feature before it has a name. */
typedef struct draft {
  irl_condition condition;
  const char *column, *value;
  const char *suffix; /* that names it */
  uint32_t group;
} draft;

/* ---- names ---- */

static void print_name(irl_text *text, const draft *d) {
  char number[IRL_NUMBER_SIZE];
  const bool is_opposite =
      d->suffix ? d->condition.relation == IRL_AT_MOST || d->condition.relation == IRL_NOT_HET
                : d->condition.relation == IRL_IS_ZERO;
  if (is_opposite) irl_text_puts(text, "!");
  irl_text_puts(text, d->column);
  if (d->suffix) {
    irl_text_puts(text, d->suffix);
  } else if (d->value) {
    irl_text_printf(text, " %s ", irl_relation_text(d->condition.relation));
    irl_forbidden_print_value(text, d->value);
  } else if (d->condition.relation == IRL_AT_MOST || d->condition.relation == IRL_ABOVE) {
    irl_number_print(d->condition.cut, number);
    irl_text_printf(text, " %s %s", irl_relation_text(d->condition.relation), number);
  }
}

/* A value may differ from several at once, and be neither one allele nor two: such literals are
 * neither nested with others of their column nor disjoint from them. */
static bool is_alone(const irl_condition *condition) {
  return condition->relation == IRL_DIFFERS || condition->relation == IRL_NOT_HET;
}

/* What is forbidden is a literal of the rule, so it is asked before the reflection. */
static irl_status add_feature(coder *c, const draft *literal) {
  irl_coding *coding = c->coding;
  const size_t n = coding->features.n;
  draft d = *literal;
  irl_text name;
  if (n % NAMES_PER_LOOK == NAMES_PER_LOOK - 1 && irl_reading_limit_reached(c->env))
    return irl_reading_fail(c->env, c->table->path);
  irl_text_init(&name, c->env);
  print_name(&name, &d);
  bool done = !name.failed;
  if (done && !irl_forbidden_has(&c->forbidden, name.bytes, d.column, d.condition.relation)) {
    if (c->reflects) {
      d.condition = irl_condition_opposite(&d.condition);
      name.length = 0;
      print_name(&name, &d);
    }
    done = !name.failed &&
           irl_mem_reserve(&coding->allocator, &coding->groups, &c->groups_capacity, n,
                           sizeof *coding->groups) &&
           irl_names_add(&coding->features, name.bytes, name.length) &&
           irl_conditions_add(&coding->conditions, d.condition, d.column, d.value);
    const uint32_t binding = irl_one_per_group(&c->one_per, c->at_column);
    if (done && binding)
      coding->groups[n] = binding;
    else if (done)
      coding->groups[n] = is_alone(&d.condition) ? 0 : d.group;
  }
  irl_text_drop(&name);
  return done ? IRL_STATUS_OK : irl_fail_memory(c->env);
}

/* ---- numbers ---- */

/* The lower median of the values that are there, NaN without any. */
static irl_status find_median(coder *c, const irl_column *column, double *median) {
  size_t n = 0, counts[IRL_CELL_MISSING + 1] = {0};
  *median = NAN;
  if (irl_type_is_packed(column->type)) {
    const irl_packed *cells = irl_cells_read(&c->cells, (uint32_t)(column - c->table->columns));
    for (uint32_t i = 0; cells && i < c->n; i++)
      counts[irl_packed_get(cells, irl_rows_sample(c->rows, i))]++;
    if (!cells) return irl_cells_check(c->env, c->table, false);
    n = c->n - counts[IRL_CELL_MISSING];
    unsigned value = 0;
    for (size_t below = counts[0]; n && below <= (n - 1) / 2;) below += counts[++value];
    if (n) *median = value;
    return IRL_STATUS_OK;
  }
  double *values = irl_mem_alloc(&c->env->allocator, c->n, sizeof *values);
  if (!values) return irl_fail_memory(c->env);
  for (uint32_t i = 0; i < c->n; i++) {
    const double value = column->numbers[irl_rows_sample(c->rows, i)];
    if (!isnan(value)) values[n++] = value;
  }
  qsort(values, n, sizeof *values, irl_compare_numbers);
  if (n) *median = values[(n - 1) / 2];
  irl_mem_free(&c->env->allocator, values);
  return IRL_STATUS_OK;
}

/* At least one counted allele, two, exactly one; or the opposite. */
static draft draft_carrier(const char *column, size_t which, bool is_opposite) {
  static const char *const suffixes[] = {":dom", ":rec", ":het"};
  draft d = {.column = column,
             .suffix = suffixes[which],
             .condition = {.relation = which < 2 ? IRL_ABOVE : IRL_IS_HET,
                           .cut = which < 2 ? 0.5 + (double)which : 0}};
  if (is_opposite) d.condition = irl_condition_opposite(&d.condition);
  return d;
}

/* A number gives both sides of each cut point, a 0/1 column itself and its opposite, a SNP both
 * carriers, then their opposites. x:het is nested with x:dom and disjoint from x:rec. A missing
 * value has the answer of the median, if values are imputed. */
static irl_status code_number(coder *c, size_t j, const char *name) {
  const irl_column *column = &c->table->columns[j];
  const bool is_number = column->type == IRL_COLUMN_NUMBER, is_snp = column->type == IRL_COLUMN_SNP;
  const size_t each = !is_snp ? 1 : c->has_het ? 3 : 2; /* without opposites */
  const size_t n = is_number ? 2 * c->n_cuts[j] : each << c->negations;
  const uint32_t group = c->n_groups + 1;
  double median = NAN;
  irl_status status = c->imputes ? find_median(c, column, &median) : IRL_STATUS_OK;
  c->n_groups += is_number || is_snp ? 2 : c->negations;
  for (size_t i = 0; i < n && !status; i++) {
    draft d = {.column = name};
    if (is_number) {
      const double cut = c->cuts[j][i / 2];
      assert(i < 2 || cut >= c->cuts[j][i / 2 - 1]);
      d.condition = (irl_condition){.relation = i % 2 ? IRL_ABOVE : IRL_AT_MOST, .cut = cut};
      d.group = group + i % 2;
    } else if (is_snp) {
      d = draft_carrier(name, i % each, i >= each);
      d.group = group + (i >= each);
    } else {
      d.condition.relation = i ? IRL_IS_ZERO : IRL_IS_ONE;
      d.group = c->negations ? group : 0;
    }
    d.condition.is_imputed = !isnan(median);
    d.condition.is_true_missing = !isnan(median) && irl_condition_holds(&d.condition, median);
    status = add_feature(c, &d);
  }
  return status;
}

/* ---- categories ---- */

/* The values in the order of their texts: where they stand in the file, and so in other samples,
 * must not matter. */
typedef struct category {
  const char *text;
  uint32_t number;
} category;

static int compare_values(const void *a, const void *b) {
  return strcmp(((const category *)a)->text, ((const category *)b)->text);
}

static irl_status code_category(coder *c, size_t j, const char *name) {
  const irl_column *column = &c->table->columns[j];
  const size_t n_all = column->values->n;
  uint32_t *counts = irl_mem_alloc(&c->env->allocator, n_all, sizeof *counts);
  category *values = irl_mem_alloc(&c->env->allocator, n_all, sizeof *values);
  uint32_t n_known = 0, n_values = 0, mode = IRL_NO_VALUE;
  irl_status status = counts && values ? IRL_STATUS_OK : irl_fail_memory(c->env);
  for (uint32_t i = 0; i < c->n && !status; i++) {
    const uint32_t code = column->codes[irl_rows_sample(c->rows, i)];
    if (code == IRL_NO_VALUE) continue;
    counts[code]++;
    n_known++;
  }
  for (uint32_t v = 0; v < n_all && !status; v++)
    values[v] = (category){irl_names_get(column->values, v), v};
  if (!status) qsort(values, n_all, sizeof *values, compare_values);
  for (uint32_t i = 0; i < n_all && !status; i++) {
    const uint32_t v = values[i].number;
    n_values += counts[v] > 0;
    if (counts[v] && (mode == IRL_NO_VALUE || counts[v] > counts[mode])) mode = v;
  }
  const bool is_constant = n_values < 2 && n_known == c->n;
  const bool is_imputed = c->imputes && mode != IRL_NO_VALUE;
  const uint32_t group = is_constant ? 0 : ++c->n_groups;
  for (uint32_t i = 0; i < n_all && !status && !is_constant; i++) {
    const uint32_t v = values[i].number;
    if (!counts[v]) continue;
    draft d = {.condition = {.relation = IRL_EQUALS, .is_imputed = is_imputed},
               .column = name,
               .value = values[i].text,
               .group = group};
    d.condition.is_true_missing = is_imputed && v == mode;
    status = add_feature(c, &d);
    if (status || !c->negations || n_values <= 2) continue;
    d.condition.relation = IRL_DIFFERS;
    d.condition.is_true_missing = is_imputed && v != mode;
    status = add_feature(c, &d);
  }
  irl_mem_free(&c->env->allocator, counts);
  irl_mem_free(&c->env->allocator, values);
  return status;
}

/* ---- all columns ---- */

/* The cut points of one column; false: out of memory. */
static bool cut_column(coder *c, size_t j) {
  const irl_allocator *allocator = &c->env->allocator;
  const irl_column *column = &c->table->columns[j];
  irl_cut_value *values = irl_mem_alloc(allocator, c->n, sizeof *values);
  size_t *stack = irl_mem_alloc(allocator, 4 * (size_t)c->n + 8, sizeof *stack);
  double *cuts = c->cuts[j] = irl_mem_alloc(allocator, c->n, sizeof *cuts);
  size_t n = 0;
  const bool done = values && stack && cuts;
  for (uint32_t i = 0; done && i < c->n; i++) {
    const uint32_t sample = irl_rows_sample(c->rows, i);
    const double value = column->numbers[sample];
    const bool is_case = c->rows && c->rows->labels ? c->rows->labels[i] != 0
                                                    : c->table->labels && c->table->labels[sample];
    if (!isnan(value)) values[n++] = (irl_cut_value){value, is_case};
  }
  if (done) c->n_cuts[j] = irl_cut_find(&c->cut_plan, values, n, cuts, stack);
  if (done && c->n_cuts[j] != IRL_CUTS_STOPPED) { /* without the room that was not needed */
    double *less = irl_mem_grow(allocator, cuts, c->n_cuts[j], sizeof *cuts);
    if (less) c->cuts[j] = less;
  }
  irl_mem_free(allocator, values);
  irl_mem_free(allocator, stack);
  return done;
}

static irl_status cut_columns(coder *c) {
  const size_t n = c->table->names.n;
  const bool is_long = n * c->n > IRL_READING_STEP;
  bool done = true, is_cut = false;
  double bytes = 0;
  c->cuts = irl_mem_alloc(&c->env->allocator, n, sizeof *c->cuts);
  c->n_cuts = irl_mem_alloc(&c->env->allocator, n, sizeof *c->n_cuts);
  if (!c->cuts || !c->n_cuts) return irl_fail_memory(c->env);
#pragma omp parallel for num_threads(irl_threads_here(c->table->threads)) schedule(dynamic)                     \
    reduction(&& : done) reduction(|| : is_cut)
  for (size_t j = 0; j < n; j++) {
    if (c->table->columns[j].type != IRL_COLUMN_NUMBER || is_cut) continue;
    done = cut_column(c, j) && done;
    is_cut = c->n_cuts[j] == IRL_CUTS_STOPPED || (is_long && irl_reading_limit_reached(c->env));
  }
  if (is_cut) return irl_reading_fail(c->env, c->table->path);
  for (size_t j = 0; j < n; j++) bytes += 2.0 * (double)c->n_cuts[j] * c->n / 8;
  if (!irl_reading_affords(c->env, bytes))
    return irl_fail(c->env, IRL_STATUS_LIMIT,
                    "%s: the literals of all cuts need %.1f GB, more memory than there is or than "
                    "--memory-limit allows (use --cuts mdl or --cuts quantile:9 for fewer cuts)",
                    c->table->path, bytes / 1e9);
  return done ? IRL_STATUS_OK : irl_fail_memory(c->env);
}

static irl_status code_column(coder *c, size_t j) {
  const char *name = irl_names_get(&c->table->names, j);
  const size_t before = c->coding->features.n, forbidden = c->forbidden.n_left;
  const irl_column_type type = c->table->columns[j].type;
  c->at_column = j;
  if (type == IRL_COLUMN_IGNORED) return IRL_STATUS_OK;
  if (*name == '!')
    return irl_fail(c->env, IRL_STATUS_BAD_INPUT,
                    "%s: column name '%s' starts with '!', the negation sign", c->table->path,
                    name);
  const irl_status status =
      type == IRL_COLUMN_CATEGORY ? code_category(c, j, name) : code_number(c, j, name);
  if (!status && !c->is_part && c->coding->features.n == before && c->forbidden.n_left == forbidden)
    irl_log(c->env, IRL_LOG_NOTE, "%s: column '%s' gives no literals%s", c->table->path, name,
            c->cut_plan.method == IRL_CUT_QUANTILE || c->cut_plan.n_extra ? ": it is constant"
                                                                          : "");
  return status;
}

irl_status irl_coding_create(irl_env *env, irl_coding **out) {
  irl_coding *coding = irl_mem_alloc(&env->allocator, 1, sizeof *coding);
  if (!coding) return irl_fail_memory(env);
  coding->allocator = env->allocator;
  irl_names_init(&coding->features, &env->allocator);
  irl_conditions_init(&coding->conditions, &env->allocator);
  *out = coding;
  return IRL_STATUS_OK;
}

irl_status irl_table_accepts(irl_env *env, const irl_table *table, const irl_options *options) {
  bool has_numbers = false, has_snps = false;
  for (size_t j = 0; j < table->names.n; j++) {
    has_numbers |= table->columns[j].type == IRL_COLUMN_NUMBER;
    has_snps |= table->columns[j].type == IRL_COLUMN_SNP;
  }
  if (options->data.cuts.method && !has_numbers)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "cuts have no effect on %s, which has no column of numbers (--type x=number "
                    "makes one, for verify as for fit)",
                    table->path);
  if (options->genotypes.het && !has_snps)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "het has no effect on %s, which has no column of SNPs (--type x=snp makes one, "
                    "for verify as for fit)",
                    table->path);
  return IRL_STATUS_OK;
}

static irl_status code_table(irl_env *env, const irl_table *table, const irl_rows *rows,
                             const irl_options *options, bool is_part, irl_coding **out) {
  coder c = {.env = env,
             .table = table,
             .rows = rows,
             .is_part = is_part,
             .n = rows ? rows->n : table->n_samples,
             .negations = options->rule.negations,
             .reflects = options->rule.cnf,
             .imputes = options->data.missing == IRL_MISSING_IMPUTE,
             .has_het = options->genotypes.het};
  irl_cut_make_plan(&options->data.cuts, &c.cut_plan);
  c.cut_plan.env = env;
  irl_rows own;
  irl_status status = irl_rows_take(env, table, &c.rows, &own);
  if (!status) status = irl_table_accepts(env, table, options);
  if (!status) status = irl_coding_create(env, &c.coding);
  if (status) return status;
  c.coding->is_reflected = options->rule.cnf;
  /* Data may negate the features of a 0/1 table. What is forbidden, bound or imputed is a matter of
   * literals: then opposites are features of their own. */
  c.coding->is_identity =
      irl_table_is_binary(table) && !options->data.forbid && !options->data.one_per && !c.imputes;
  if (c.coding->is_identity) c.negations = c.reflects = false;
  status = irl_forbidden_init(env, &c.forbidden, table, options);
  if (!irl_cell_reader_init(&c.cells, table, &env->allocator)) status = irl_fail_memory(env);
  if (!status) status = irl_one_per_init(env, &c.one_per, table, options->data.one_per, is_part);
  if (!status) status = cut_columns(&c);
  for (size_t j = 0; j < table->names.n && !status; j++) status = code_column(&c, j);
  if (!status && c.forbidden.entries.n && !is_part) {
    status = irl_forbidden_check(env, &c.forbidden, table);
    if (!status)
      irl_log(env, IRL_LOG_NOTE, "%s: %zu literals are left out by --forbid", table->path,
              c.forbidden.n_left);
  }
  if (!status && !c.coding->features.n && !is_part)
    status = irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s: no column gives literals, so nothing can be learnt: %s", table->path,
                      c.cut_plan.method == IRL_CUT_MDL && !c.cut_plan.n_extra
                          ? "no cut pays; --cuts mdl:3 makes some all the same"
                          : "all are constant or forbidden");
  irl_forbidden_free(&c.forbidden);
  irl_one_per_free(&c.one_per);
  if (c.cells.table) irl_cell_reader_end(&c.cells);
  for (size_t j = 0; c.cuts && j < table->names.n; j++) irl_mem_free(&env->allocator, c.cuts[j]);
  irl_mem_free(&env->allocator, c.cuts);
  irl_mem_free(&env->allocator, c.n_cuts);
  if (status)
    irl_coding_free(c.coding);
  else
    *out = c.coding;
  return status;
}

irl_status irl_table_code(irl_env *env, const irl_table *table, const irl_rows *rows,
                          const irl_options *options, irl_coding **coding) {
  IRL_NEED(env, "env, table, options, coding", env, table, options, coding);
  irl_options own;
  const irl_status status = irl_options_copy_in(env, options, &own);
  return status ? status : code_table(env, table, rows, &own, false, coding);
}

irl_status irl_table_code_part(irl_env *env, const irl_table *table, const irl_rows *rows,
                               const irl_options *options, irl_coding **coding) {
  return code_table(env, table, rows, options, true, coding);
}
