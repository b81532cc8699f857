/* Cross-validation: folds in parallel (resampling.h, cv_rounds.c), then the table and the choice.
 *
 * The mean of the chosen setting is a little too good, because it was chosen by it. --nested
 * repeats the choice for each fold by a cross-validation of the other samples alone. */
#include "validate/cv.h"
#include "base/arena.h"
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include "validate/cv_validator.h"
#include <inttypes.h>

#define INNER_FOLDS  5u  /* of the nested choice, at most */
#define USUAL_MARGIN 0.5 /* standard errors: see cv_choice.c */

/* Quantiles besides those of MDL, if no cuts are named: parts of at least so many samples each, but
 * within these numbers, the lesser of which is fit's own (src/doc/statistics.md has figures). */
#define SAMPLES_PER_PART 75u
#define LEAST_QUANTILES  3u
#define MOST_QUANTILES   9u

/* Only folds of groups, and folds that are given, can lack a class. */
static irl_status check_classes(irl_env *env, const irl_cv_validator *v) {
  const irl_resampling *p = &v->parts;
  if (!irl_resampling_lacks_class(p, false) && !irl_resampling_lacks_class(p, true))
    return IRL_STATUS_OK;
  const char *given = v->options.data.fold_column;
  return given ? irl_fail(env, IRL_STATUS_BAD_INPUT,
                          "the folds of column '%s' leave one with samples of a single class, so "
                          "that its sensitivity or specificity cannot be told",
                          given)
               : irl_fail(env, IRL_STATUS_BAD_INPUT,
                          "the groups of column '%s' leave a fold with samples of a single class%s",
                          v->options.data.group ? v->options.data.group : "",
                          p->n_folds > 2 ? "; fewer folds may do" : "");
}

static irl_status check(const irl_cv_validator *v, const irl_table *table,
                        const irl_table_info *info) {
  irl_env *env = v->env;
  const irl_options *options = &v->options;
  const irl_status status = irl_options_check(env, options, IRL_FOR_LEARN | IRL_FOR_CV, 0);
  if (status) return status;
  if (options->search.pool)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a pool is of one data set; every fold of a cross-validation has its own");
  if (options->rule.cnf)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "cross-validation is of DNFs: option cnf goes with fit");
  if (!info->has_labels)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "the data has no labels; --target names theirs");
  if (table->folds.of || table->groups.of || v->is_tuning)
    return IRL_STATUS_OK; /* their folds are looked at */
  if ((info->cases < info->controls ? info->cases : info->controls) <
      (uint64_t)options->output.folds)
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "%" PRId64 " folds need as many samples of each class, and there are %" PRIu64
                    " and %" PRIu64,
                    options->output.folds, info->cases, info->controls);
  return IRL_STATUS_OK;
}

/* The nested estimate: for each fold the score of the setting that its inner folds choose. */
static irl_status make_nested(irl_cv_validator *v, irl_cv_result *result) {
  const irl_resampling *p = &v->parts;
  irl_cv_score *scores = irl_arena_alloc(&v->arena, p->n_outer, sizeof *scores);
  if (!scores) return irl_fail_memory(v->env);
  for (uint32_t o = 0; o < p->n_outer; o++)
    if (v->nested[o] < v->n_rows) scores[o] = v->scores[(size_t)o * v->n_rows + v->nested[o]];
  const irl_cv_scored chosen = {scores, p->n_outer, 1, p->n_folds};
  irl_cv_make_row(&chosen, 0, &result->nested);
  return IRL_STATUS_OK;
}

/* What fails beside the table of settings does not cost it: a warning. */
static void go_without(irl_env *env, irl_status status, const char *what) {
  if (status) irl_log(env, IRL_LOG_WARNING, "there is no %s: %s", what, irl_env_error(env));
}

static char *copy_text(irl_cv_result *result, const char *text) {
  return irl_mem_copy_text(&result->allocator, text, strlen(text));
}

static irl_status make_result(irl_cv_validator *v, const irl_table_info *info,
                              irl_cv_result **out) {
  irl_env *env = v->env;
  irl_cv_result *result = irl_mem_alloc(&env->allocator, 1, sizeof *result);
  if (!result) return irl_fail_memory(env);
  const irl_resampling *p = &v->parts;
  const char *positive = p->table->positive;
  const bool is_ended = p->n_missing || irl_limit_poll(p->limit);
  *result = (irl_cv_result){
      .allocator = env->allocator,
      .info = {.outcome = is_ended ? irl_limit_outcome(p->limit) : IRL_OUTCOME_FEASIBLE,
               .rows = v->n_rows},
      .folds = p->n_folds,
      .repeats = p->n_outer / p->n_folds,
      .inner_folds = p->n_inner,
      .chosen_by = v->chosen_by,
      .margin = v->margin,
      .tries_negations = v->axes.negations.n > 1,
      .least_folds = irl_cv_least_folds(p->n_outer),
      .cuts = v->options.data.cuts,
      .samples = info->samples,
      .cases = info->cases,
      .seed = (uint64_t)v->options.search.seed,
      .shows_all = v->options.output.all,
      .wants_predictions = v->predicted != NULL};
  *out = result;
  result->rows = irl_mem_alloc(&env->allocator, v->n_rows, sizeof *result->rows);
  result->data_path = copy_text(result, p->table->path);
  result->positive = copy_text(result, positive ? positive : "1");
  if (!result->rows || !result->data_path || !result->positive) return irl_fail_memory(env);
  irl_cv_make_rows(v, 0, result->rows);
  result->info.chosen = irl_cv_choose(v, result->rows, p->n_outer, &result->info.best);
  if (p->n_inner) {
    const irl_status status = make_nested(v, result);
    go_without(env, status, "nested estimate");
    if (status) result->inner_folds = 0;
  }
  if (v->predicted)
    go_without(env, irl_cv_make_predictions(v, result->info.chosen, &result->predictions),
               "table of predictions");
  return IRL_STATUS_OK;
}

/* More samples bear more cut points; the command of the result names them. */
static void choose_cuts(const irl_table *table, uint64_t n_samples, irl_options *options) {
  const uint64_t parts = n_samples / SAMPLES_PER_PART;
  const uint64_t n = parts > MOST_QUANTILES ? MOST_QUANTILES : parts ? parts - 1 : 0;
  bool has_numbers = false;
  for (uint32_t j = 0; j < table->names.n; j++)
    has_numbers |= table->columns[j].type == IRL_COLUMN_NUMBER;
  if (options->data.cuts.method != IRL_CUT_DEFAULT || !has_numbers || n <= LEAST_QUANTILES) return;
  options->data.cuts = (irl_cuts){IRL_CUT_MDL, (uint32_t)n};
}

static bool has_genotypes(const irl_table *table) {
  for (uint32_t j = 0; j < table->names.n; j++)
    if (table->columns[j].type == IRL_COLUMN_SNP) return true;
  return false;
}

/* Numbers have the literals <= and > in any case, a category of two values both of them. Of
 * genotypes there are many and both alleles may be counted, so negations are tried if they are
 * asked for. */
static bool has_words(const irl_table *table) {
  if (has_genotypes(table)) return false;
  for (uint32_t j = 0; j < table->names.n; j++)
    if (table->columns[j].type == IRL_COLUMN_BINARY ||
        (table->columns[j].type == IRL_COLUMN_CATEGORY && table->columns[j].values->n > 2))
      return true;
  return false;
}

/* Folds, each of which must have both classes, and room for the scores. */
static irl_status make_parts(irl_cv_validator *v) {
  irl_resampling *p = &v->parts;
  const irl_options *options = &v->options;
  const bool is_given = p->table->folds.of != NULL, is_tuning = v->is_tuning;
  const uint32_t repeats = (uint32_t)options->output.repeats;
  const uint32_t asked = (uint32_t)options->output.folds, most = irl_units_most_folds(&p->units);
  const uint32_t n_folds = is_given ? p->table->folds.n : is_tuning && most < asked ? most : asked;
  if (n_folds < 2)
    return irl_fail(v->env, IRL_STATUS_BAD_INPUT,
                    "option tune: a class has a single sample, or all of its samples are in one "
                    "group, so that there are no folds to choose by");
  uint32_t left = n_folds - is_given;
  /* What a fold leaves of the rarer class. */
  if (is_tuning && !is_given && most - (most + n_folds - 1) / n_folds < left)
    left = most - (most + n_folds - 1) / n_folds;
  uint32_t n_inner = !options->output.nested ? 0 : left < INNER_FOLDS ? left : INNER_FOLDS;
  if (is_tuning && n_inner == 1) n_inner = 0;
  if (n_inner == 1)
    return irl_fail(v->env, IRL_STATUS_BAD_INPUT, "option nested needs three given folds or more");
  irl_status status = irl_resampling_make_folds(p, n_folds, repeats, n_inner);
  if (!status) status = check_classes(v->env, v);
  if (status) return status;
  const size_t n_parts = (size_t)p->n_outer * (1 + p->n_inner);
  v->scores = irl_arena_alloc(&v->arena, n_parts * v->n_rows, sizeof *v->scores);
  if (options->output.predictions)
    v->predicted = irl_arena_alloc(&v->arena, p->n_outer, sizeof *v->predicted);
  return v->scores && (v->predicted || !options->output.predictions) ? IRL_STATUS_OK
                                                                     : irl_fail_memory(v->env);
}

/* The settings that are tried, and the figure that decides among them. */
static irl_status make_settings(irl_cv_validator *v, const irl_table *table,
                                const irl_table_info *info, const irl_cv_grid *grid) {
  irl_options *options = &v->options;
  irl_cv_axes *axes = &v->axes;
  const bool is_genetic = has_genotypes(table);
  const irl_choice choose = options->output.choose;
  irl_status status = check(v, table, info);
  if (!status && options->data.forbid) {
    /* Every entry forbids a literal of the whole table; that a fold may lack it is no mistake. */
    irl_coding *coding = NULL;
    status = irl_table_code(v->env, table, NULL, options, &coding);
    irl_coding_free(coding);
  }
  if (!status) status = irl_cv_parse_grid(v->env, options, grid, has_words(table), axes);
  if (status) return status;
  if (is_genetic && grid && grid->size >= sizeof *grid && grid->negations &&
      !axes->negations.numbers[axes->negations.n - 1])
    return irl_fail(v->env, IRL_STATUS_BAD_ARGUMENT,
                    "option no-negations: negations of genotypes are not tried in any case");
  if (info->has_weights && !options->rule.weights)
    options->rule.weights = IRL_WEIGHTS_UNIT; /* as fit does */
  irl_options_clear_objects(options);
  v->n_rows = irl_cv_n_rows(axes) * axes->negations.n;
  v->margin = choose == IRL_CHOICE_BEST ? 0 : choose == IRL_CHOICE_ONE_SE ? 1 : USUAL_MARGIN;
  v->chosen_by = (info->has_weights ? IRL_CV_BY_WEIGHT : 0) +
                 (options->rule.weights == IRL_WEIGHTS_UNIT ? 0 : 1);
  return IRL_STATUS_OK;
}

/* Samples of each class among some rows. */
static void count_rows(const irl_table *table, const irl_rows *rows, irl_table_info *info) {
  irl_table_describe(table, info);
  if (!rows || !info->has_labels) return;
  info->samples = rows->n;
  info->cases = 0;
  for (uint32_t i = 0; i < rows->n; i++)
    info->cases += irl_table_label(table, irl_rows_sample(rows, i)) == 1;
  info->controls = info->samples - info->cases;
}

irl_status irl_cv_run(irl_env *env, const irl_table *table, const irl_rows *rows,
                      const irl_options *options, const irl_cv_grid *grid, const irl_limit *limit,
                      irl_cv_result **result) {
  irl_cv_validator v = {.env = env, .options = *options, .is_tuning = options->search.tune != NULL};
  irl_cv_result *made = NULL;
  irl_table_info info = IRL_SIZED(irl_table_info);
  count_rows(table, rows, &info);
  choose_cuts(table, info.samples, &v.options);
  const irl_options own = v.options;
  irl_arena_init(&v.arena, &env->allocator);
  irl_status status = make_settings(&v, table, &info, grid);
  if (!status) status = irl_resampling_init(env, &v.parts, table, rows, &own, limit);
  if (!status) status = make_parts(&v);
  if (!status) status = irl_cv_run_rounds(&v);
  if (status == IRL_STATUS_LIMIT && v.nested) status = IRL_STATUS_OK; /* no fold is ended */
  if (!status) status = make_result(&v, &info, &made);
  if (!status && !v.is_tuning && made->info.chosen < v.n_rows &&
      strcmp(table->path, IRL_TABLE_IN_MEMORY))
    go_without(env, irl_cv_make_command(env, table, &own, made), "command for the chosen setting");
  if (status)
    irl_cv_free(made);
  else
    *result = made;
  for (uint32_t o = 0; v.predicted && o < v.parts.n_outer; o++)
    irl_mem_free(&env->allocator, v.predicted[o]);
  irl_resampling_free(&v.parts);
  irl_arena_free(&v.arena);
  return status;
}

irl_status irl_cv(irl_env *env, const irl_table *table, const irl_options *options,
                  const irl_cv_grid *grid, irl_cv_result **result) {
  IRL_NEED(env, "env, table, options, result", env, table, options, result);
  irl_limit limit;
  irl_options own;
  const irl_status status = irl_options_copy_in(env, options, &own);
  if (status) return status;
  own.search.tune = NULL;
  irl_limit_init(&limit, env, &own);
  return irl_cv_run(env, table, NULL, &own, grid, &limit, result);
}

void irl_cv_free(irl_cv_result *result) {
  if (!result) return;
  const irl_allocator allocator = result->allocator;
  irl_mem_free(&allocator, result->predictions);
  irl_mem_free(&allocator, result->positive);
  irl_mem_free(&allocator, result->command);
  irl_mem_free(&allocator, result->data_path);
  irl_mem_free(&allocator, result->rows);
  irl_mem_free(&allocator, result);
}

const char *irl_cv_command(const irl_cv_result *result) {
  return result ? result->command : NULL;
}

irl_status irl_cv_describe(const irl_cv_result *result, irl_cv_info *info) {
  return result ? irl_sized_copy_out(info, &result->info, sizeof *info) : IRL_STATUS_BAD_ARGUMENT;
}

irl_status irl_cv_row_at(const irl_cv_result *result, uint32_t i, irl_cv_row *row) {
  if (!result || i >= result->info.rows) return IRL_STATUS_BAD_ARGUMENT;
  return irl_sized_copy_out(row, &result->rows[i], sizeof *row);
}

irl_status irl_cv_nested(const irl_cv_result *result, irl_cv_row *row) {
  return result ? irl_sized_copy_out(row, &result->nested, sizeof *row) : IRL_STATUS_BAD_ARGUMENT;
}
