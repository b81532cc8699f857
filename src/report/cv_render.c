/* The answer of a cross-validation. */
#include "base/c_locale.h"
#include "base/contract.h"
#include "ireland_study.h"
#include "report/report.h"
#include "validate/cv.h"
#include <inttypes.h>
#include <math.h>

#define SHOWN 12u /* rows of the text, unless all are asked for */

static const irl_field setting_fields[] = IRL_FIELDS(irl_cv_row, K, M, penalty, negations);
static const irl_field size_fields[] = IRL_FIELDS(irl_cv_row, clauses, literals, proven);

static const irl_field sample_fields[] = IRL_FIELDS(irl_cv_result, samples, cases);
static const irl_field draw_fields[] = IRL_FIELDS(irl_cv_result, repeats, seed);

/* NULL: the row does not have it. */
static const irl_cv_measure *measure_of(const irl_cv_row *row, size_t i) {
  const bool is_missing = irl_cv_figures[i].is_by_weight && isnan(row->accuracy_by_weight.mean);
  return is_missing ? NULL : irl_cv_figure_of(row, i);
}

/* ---- text ---- */

/* Says of how many folds a figure is, if not of all. */
static void print_folds(irl_text *text, const irl_cv_result *result, const irl_cv_row *row) {
  const uint32_t all = result->folds * result->repeats;
  if (row->folds < all) irl_text_printf(text, ", from %u of %u folds", row->folds, all);
  irl_text_puts(text, "\n");
}

/* The chosen setting, and why it. */
static void print_setting(irl_text *text, const irl_cv_result *result) {
  const irl_cv_row *chosen = &result->rows[result->info.chosen];
  irl_text_printf(text, "K = %u, M = %u, penalty %.4g%s, %s", chosen->K, chosen->M, chosen->penalty,
                  !result->tries_negations ? ""
                  : chosen->negations      ? ", with negations"
                                           : ", without negations",
                  !(result->margin > 0) ? "the best"
                  : result->margin < 1  ? "the simplest within half a standard error of the best"
                                        : "the simplest within one standard error of the best");
}

static void print_nested(irl_text *text, const irl_cv_result *result) {
  if (!result->nested.folds) return;
  irl_text_printf(text,
                  "new samples, chosen anew without each fold: accuracy %.4f (%.4f), balanced "
                  "accuracy %.4f (%.4f)",
                  result->nested.accuracy.mean, result->nested.accuracy.error,
                  result->nested.balanced_accuracy.mean, result->nested.balanced_accuracy.error);
  print_folds(text, result, &result->nested);
}

static void print_choice(irl_text *text, const irl_cv_result *result) {
  const irl_cv_row *chosen = &result->rows[result->info.chosen];
  irl_text_puts(text, "\n* chosen: ");
  print_setting(text, result);
  irl_text_printf(text,
                  "%s\non the folds that chose it, so a little too good%s: accuracy %.4f, balanced "
                  "accuracy %.4f",
                  result->margin > 0 ? " (+)" : "",
                  result->inner_folds ? "" : " (--nested tells by how much)", chosen->accuracy.mean,
                  chosen->balanced_accuracy.mean);
  print_folds(text, result, chosen);
  if (chosen->proven)
    irl_text_printf(text,
                    "%u of %u rules are proven the best for the samples they are learnt from\n",
                    chosen->proven, chosen->folds);
  if (irl_cv_figures[result->chosen_by].is_by_weight) {
    irl_text_printf(text, "by weight: accuracy %.4f, balanced accuracy %.4f",
                    chosen->accuracy_by_weight.mean, chosen->balanced_accuracy_by_weight.mean);
    print_folds(text, result, chosen);
  }
  print_nested(text, result);
}

static void print_row(irl_text *text, const irl_cv_result *result, uint32_t r) {
  const irl_cv_info *info = &result->info;
  const irl_cv_row *row = &result->rows[r];
  const char mark = r == info->chosen ? '*' : r == info->best ? '+' : ' ';
  irl_text_printf(text, "%c %4u %4u %8.4g", mark, row->K, row->M, row->penalty);
  if (result->tries_negations) irl_text_printf(text, "  %-9s", row->negations ? "yes" : "no");
  for (size_t i = 0; i < IRL_CV_N_FIGURES; i++) {
    const irl_cv_measure *m = measure_of(row, i);
    if (m) irl_text_printf(text, "  %.4f (%.4f)", m->mean, m->error);
  }
  irl_text_printf(text, "  %7.1f %8.1f %5u/%u\n", row->clauses, row->literals, row->folds,
                  result->folds * result->repeats);
}

/* Rows that may be chosen come first, then those of the greater mean. */
static bool is_better(const irl_cv_result *result, const irl_cv_row *row, const irl_cv_row *other) {
  const bool may_be = row->folds >= result->least_folds;
  if (may_be != (other->folds >= result->least_folds)) return may_be;
  return irl_cv_figure_of(row, result->chosen_by)->mean >
         irl_cv_figure_of(other, result->chosen_by)->mean;
}

/* More clauses or literals than a rule needs give the same rules once more. */
static bool has_same_figures(const irl_cv_row *row, const irl_cv_row *other) {
  return row->folds == other->folds &&
         !memcmp(&row->accuracy, &other->accuracy,
                 offsetof(irl_cv_row, proven) - offsetof(irl_cv_row, accuracy));
}

/* Puts a row among the best, in order, unless one of them has the same figures; how many there are
 * now. */
static uint32_t add_to_best(const irl_cv_result *result, uint32_t r, uint32_t *best, uint32_t n) {
  const irl_cv_row *rows = result->rows;
  uint32_t at = n;
  for (uint32_t i = 0; i < n; i++)
    if (has_same_figures(&rows[best[i]], &rows[r])) return n;
  while (at && is_better(result, &rows[r], &rows[best[at - 1]])) at--;
  if (at == SHOWN) return n;
  if (n < SHOWN) n++;
  memmove(best + at + 1, best + at, (n - at - 1) * sizeof *best);
  best[at] = r;
  return n;
}

/* The best rows with the chosen one among them, or all in the order of the grid. */
static void print_rows(irl_text *text, const irl_cv_result *result) {
  const uint32_t chosen = result->info.chosen;
  uint32_t best[SHOWN], n = 0, n_done = 0;
  bool has_chosen = chosen == result->info.rows;
  for (uint32_t r = 0; r < result->info.rows; r++) {
    if (!result->rows[r].folds) continue;
    n_done++;
    if (result->shows_all)
      print_row(text, result, r);
    else
      n = add_to_best(result, r, best, n);
  }
  if (result->shows_all) return;
  for (uint32_t i = 0; i < n; i++) has_chosen |= best[i] == chosen;
  if (!has_chosen) best[n - 1] = chosen;
  for (uint32_t i = 0; i < n; i++) print_row(text, result, best[i]);
  if (n < n_done)
    irl_text_printf(text, "and %u more %s: --all prints them\n", n_done - n,
                    n_done - n == 1 ? "setting" : "settings");
}

/* Why nothing is chosen. */
static void print_no_choice(irl_text *text, const irl_cv_result *result) {
  uint32_t most = 0;
  for (uint32_t r = 0; r < result->info.rows; r++)
    if (result->rows[r].folds > most) most = result->rows[r].folds;
  if (most)
    irl_text_printf(text, "\nno choice: %u of %u folds were ended at most, and a choice needs %u\n",
                    most, result->folds * result->repeats, result->least_folds);
  else
    irl_text_puts(text, "no fold was ended\n");
}

static irl_status render_text(irl_env *env, const irl_cv_result *result, char **out) {
  const irl_cv_info *info = &result->info;
  irl_text text;
  irl_text_init(&text, env);
  irl_text_printf(&text, "%u folds, %u %s, seed %" PRIu64 "%s\n\n", result->folds, result->repeats,
                  result->repeats == 1 ? "repeat" : "repeats", result->seed,
                  info->outcome == IRL_OUTCOME_FEASIBLE ? "" : "; not all folds were ended");
  if (result->cuts.method) {
    char cuts[IRL_OPTION_SIZE];
    irl_cuts_render(&result->cuts, cuts);
    irl_text_printf(&text, "numbers are cut by --cuts %s\n\n", cuts);
  }
  irl_text_printf(&text, "  %4s %4s %8s", "K", "M", "penalty");
  if (result->tries_negations) irl_text_puts(&text, "  negations");
  for (size_t i = 0; i < IRL_CV_N_FIGURES; i++)
    if (!irl_cv_figures[i].is_by_weight || irl_cv_figures[result->chosen_by].is_by_weight)
      irl_text_printf(&text, "  %-15s", irl_cv_figures[i].title);
  irl_text_printf(&text, "  %7s %8s %9s\n", "clauses", "literals", "folds");
  print_rows(&text, result);
  if (info->chosen < info->rows)
    print_choice(&text, result);
  else
    print_no_choice(&text, result);
  if (result->command) irl_text_printf(&text, "to fit it to all samples: %s\n", result->command);
  return irl_text_take_shown(&text, out);
}

/* ---- JSON ---- */

static void put_measures(irl_json *json, const irl_cv_row *row) {
  irl_json_unsigned(json, "folds", row->folds);
  for (size_t i = 0; i < IRL_CV_N_FIGURES; i++) {
    const irl_cv_measure *m = measure_of(row, i);
    char error[64];
    if (!m) continue;
    irl_c_snprintf(error, sizeof error, "%s_se", irl_cv_figures[i].key);
    irl_json_real(json, irl_cv_figures[i].key, m->mean);
    irl_json_real(json, error, m->error);
  }
  irl_fields_put(json, size_fields, row);
}

static void put_setting(irl_json *json, const irl_cv_row *row) {
  irl_fields_put(json, setting_fields, row);
  put_measures(json, row);
}

static void put_row(irl_json *json, const char *key, const irl_cv_row *row) {
  irl_json_open_flat(json, key, '{');
  put_setting(json, row);
  irl_json_close(json, '}');
}

/* The members of the answer. */
static void put_answer(irl_json *json, const irl_cv_result *result) {
  const irl_cv_info *info = &result->info;
  const bool is_whole = info->outcome == IRL_OUTCOME_FEASIBLE;
  char cuts[IRL_OPTION_SIZE];
  irl_json_string(json, "chosen_by", irl_cv_figures[result->chosen_by].key);
  irl_json_string(json, "choose",
                  !(result->margin > 0) ? "best"
                  : result->margin < 1  ? "half-se"
                                        : "one-se");
  if (info->chosen < info->rows) {
    put_setting(json, &result->rows[info->chosen]);
    put_row(json, "best", &result->rows[info->best]);
    if (result->nested.folds) {
      irl_json_open_flat(json, "nested", '{');
      irl_json_unsigned(json, "inner_folds", result->inner_folds);
      put_measures(json, &result->nested);
      irl_json_close(json, '}');
    }
  }
  if (info->chosen < info->rows)
    irl_json_string(json, "figures_are", "of the folds that chose the setting: a little too good");
  if (result->command) irl_json_string(json, "fit_command", result->command);
  irl_cuts_render(&result->cuts, cuts);
  irl_json_string(json, "cuts", cuts);
  irl_json_unsigned(json, "folds_needed", result->least_folds);
  irl_fields_put(json, sample_fields, result);
  irl_json_unsigned(json, "all_folds", (uint64_t)result->folds * result->repeats);
  irl_fields_put(json, draw_fields, result);
  irl_json_open(json, "table", '[');
  for (uint32_t i = 0; i < info->rows; i++) /* greater M that were not tried are left out */
    if (result->rows[i].folds || !is_whole) put_row(json, NULL, &result->rows[i]);
  irl_json_close(json, ']');
}

static irl_status render_json(irl_env *env, const irl_cv_result *result, char **text) {
  const bool is_whole = result->info.outcome == IRL_OUTCOME_FEASIBLE;
  irl_json json;
  irl_report_open(&json, env, is_whole ? "done" : irl_outcome_text(result->info.outcome));
  put_answer(&json, result);
  return irl_report_close(&json, NULL, text);
}

/* ---- of a fit ---- */

void irl_report_print_tuning(irl_text *text, const irl_cv_result *tuning) {
  if (!tuning || tuning->info.chosen == tuning->info.rows) return;
  uint32_t n_tried = 0;
  for (uint32_t r = 0; r < tuning->info.rows; r++) n_tried += tuning->rows[r].folds > 0;
  irl_text_puts(text, "tuned: ");
  print_setting(text, tuning);
  irl_text_printf(text, " of %u settings, %u folds\n", n_tried, tuning->folds);
  print_nested(text, tuning);
}

void irl_report_put_tuning(irl_json *json, const irl_cv_result *tuning) {
  if (!tuning) return;
  irl_json_open(json, "tuning", '{');
  put_answer(json, tuning);
  irl_json_close(json, '}');
}

irl_status irl_cv_render(irl_env *env, const irl_cv_result *result, irl_format format,
                         char **text) {
  IRL_NEED(env, "env, result, text", env, result, text);
  IRL_NEED_FORMAT(env, format);
  return format == IRL_FORMAT_JSON ? render_json(env, result, text)
                                   : render_text(env, result, text);
}
