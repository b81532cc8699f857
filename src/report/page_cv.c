/* The page about a cross-validation: what is chosen and what it is worth, the command that fits it,
 * a picture of all settings by the size of their rules, and the table with the folds that were
 * ended. It is made as that about a fit (page.c): the same bytes for the same result. */
#include "base/contract.h"
#include "ireland_study.h"
#include "report/html.h"
#include "report/page.h"
#include "table/raw_table.h"
#include "validate/cv.h"
#include <inttypes.h>
#include <math.h>

#define LEFT        58.0 /* margins around the plot, for ticks and labels */
#define RIGHT       18.0
#define TOP         14.0
#define BOTTOM      46.0
#define PLOT_WIDTH  364.0
#define PLOT_HEIGHT 220.0

static double size_of(const irl_cv_row *row) {
  return row->clauses + row->literals;
}

/* By what the choice is made, in the words of a page. */
static const char *deciding_figure(const irl_cv_result *result) {
  static const char *const names[IRL_CV_N_FIGURES] = {
      "accuracy",    "balanced accuracy",  "sensitivity",
      "specificity", "accuracy by weight", "balanced accuracy by weight"};
  return names[result->chosen_by];
}

/* Whether the literals of a row may be negated, if both were tried. */
static const char *negations_in_words(const irl_cv_result *result, const irl_cv_row *row) {
  return !result->tries_negations ? "" : row->negations ? ", with negations" : ", no negations";
}

/* ---- the choice ---- */

static void put_large(irl_text *text, const char *name, const irl_cv_measure *m) {
  irl_html_put(text, "<div><dt>%s</dt><dd><b>", name);
  irl_html_percent(text, m->mean);
  irl_text_puts(text, "</b>");
  if (!isnan(m->error))
    irl_text_printf(text, "<span>standard error %.1f\xc2\xa0%%</span>", 100 * m->error);
  irl_text_puts(text, "</dd></div>\n");
}

static void put_figures(irl_text *text, const irl_cv_row *row) {
  irl_text_puts(text, "<dl class=\"measures four\">\n");
  put_large(text, "balanced accuracy", &row->balanced_accuracy);
  put_large(text, "accuracy", &row->accuracy);
  put_large(text, "sensitivity", &row->sensitivity);
  put_large(text, "specificity", &row->specificity);
  irl_text_puts(text, "</dl>\n");
}

static void put_folds(irl_text *text, const irl_cv_result *result, const irl_cv_row *row) {
  irl_text_printf(text, "%u of %u folds", row->folds, result->folds * result->repeats);
}

static void put_nested(irl_text *text, const irl_cv_result *result) {
  const irl_cv_row *chosen = &result->rows[result->info.chosen];
  if (result->nested.folds) {
    irl_text_puts(text, "<p>On new samples, with the setting chosen anew without each fold, which "
                        "is the honest estimate of the whole procedure (");
    put_folds(text, result, &result->nested);
    irl_text_puts(text, "):</p>\n");
    put_figures(text, &result->nested);
    irl_text_puts(text, "<p class=\"hint\">The chosen setting itself has balanced accuracy ");
    irl_html_percent(text, chosen->balanced_accuracy.mean);
    irl_text_puts(text, " and accuracy ");
    irl_html_percent(text, chosen->accuracy.mean);
    irl_text_puts(text, " on the folds that chose it, which is a little too good.</p>\n");
    return;
  }
  irl_text_puts(text, "<p>On the folds that chose it, so a little too good (<code>--nested</code> "
                      "tells by how much), ");
  put_folds(text, result, chosen);
  irl_text_puts(text, ":</p>\n");
  put_figures(text, chosen);
}

static void put_choice(irl_text *text, const irl_cv_result *result) {
  const irl_cv_info *info = &result->info;
  irl_text_puts(text, "<section id=\"choice\">\n<h2>What is chosen</h2>\n");
  if (info->chosen == info->rows) {
    uint32_t most = 0;
    for (uint32_t r = 0; r < info->rows; r++)
      if (result->rows[r].folds > most) most = result->rows[r].folds;
    irl_text_printf(text,
                    "<p>Nothing: %u of %u folds were ended at most, and a choice needs "
                    "%u.</p>\n</section>\n",
                    most, result->folds * result->repeats, result->least_folds);
    return;
  }
  const irl_cv_row *chosen = &result->rows[info->chosen];
  irl_text_printf(text,
                  "<p>At most <b>%u</b> %s of at most <b>%u</b> %s (K\xc2\xa0=\xc2\xa0%u, "
                  "M\xc2\xa0=\xc2\xa0%u), penalty <b>%.4g</b>%s: %s by %s.</p>\n",
                  chosen->K, chosen->K == 1 ? "clause" : "clauses", chosen->M,
                  chosen->M == 1 ? "literal" : "literals", chosen->K, chosen->M, chosen->penalty,
                  negations_in_words(result, chosen),
                  !(result->margin > 0) ? "the best setting"
                  : result->margin < 1
                      ? "the simplest setting within half a standard error of the best"
                      : "the simplest setting within one standard error of the best",
                  deciding_figure(result));
  put_nested(text, result);
  if (chosen->proven)
    irl_text_printf(text,
                    "<p>%u of %u rules are proven the best for the samples they are learnt "
                    "from.</p>\n",
                    chosen->proven, chosen->folds);
  if (result->command)
    irl_html_put(text,
                 "<p>To fit it to all samples:</p>\n<pre class=\"paste\" tabindex=\"0\">%s</pre>\n"
                 "<p><button type=\"button\" class=\"copy\" hidden=\"hidden\">Copy the command"
                 "</button> <span class=\"copied hint\" role=\"status\"></span></p>\n",
                 result->command);
  irl_text_puts(text, "</section>\n");
}

/* ---- the picture ---- */

typedef struct plot {
  double top_size, low, high; /* of rules; of the deciding figure */
  double step;                /* between ticks of the latter */
} plot;

static double px(const plot *p, double size) {
  return LEFT + size / p->top_size * PLOT_WIDTH;
}

static double py(const plot *p, double share) {
  return TOP + (p->high - share) / (p->high - p->low) * PLOT_HEIGHT;
}

/* Room for every mean with its standard error, in twentieths, or tenths if they are many. */
static plot plot_of(const irl_cv_result *result) {
  plot p = {1, 1, 0, 0.05};
  for (uint32_t r = 0; r < result->info.rows; r++) {
    const irl_cv_row *row = &result->rows[r];
    const irl_cv_measure *m = irl_cv_figure_of(row, result->chosen_by);
    const double error = isnan(m->error) ? 0 : m->error;
    if (!row->folds) continue;
    p.top_size = fmax(p.top_size, size_of(row));
    p.low = fmin(p.low, m->mean - error);
    p.high = fmax(p.high, m->mean + error);
  }
  if (p.high - p.low > 0.3) p.step = 0.1;
  p.low = fmax(0, floor(p.low / p.step) * p.step);
  p.high = fmin(1, ceil(p.high / p.step) * p.step);
  if (p.high <= p.low) p.low = p.high - p.step;
  p.top_size = ceil(p.top_size * 1.04);
  return p;
}

static void put_axes(irl_text *text, const plot *p, const char *label) {
  const double bottom = TOP + PLOT_HEIGHT, step = ceil(p->top_size / 6);
  for (double share = p->low; share < p->high + p->step / 2; share += p->step)
    irl_text_printf(text,
                    "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
                    "text-anchor=\"end\">%.0f\xc2\xa0%%</text>\n",
                    LEFT, py(p, share), PLOT_WIDTH, LEFT - 8, py(p, share) + 4, 100 * share);
  for (double size = 0; size <= p->top_size; size += step)
    irl_text_printf(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n",
                    px(p, size), bottom + 18, size);
  irl_text_printf(text,
                  "<path class=\"frame\" d=\"M%.1f %.1fh%.1f\"/><text class=\"label\" x=\"%.1f\" "
                  "y=\"%.1f\" text-anchor=\"middle\">clauses and literals, on average</text>\n",
                  LEFT, bottom, PLOT_WIDTH, LEFT + PLOT_WIDTH / 2, bottom + 38);
  irl_text_printf(text,
                  "<text class=\"label\" transform=\"translate(14 %.1f) rotate(-90)\" "
                  "text-anchor=\"middle\">%s</text>\n",
                  TOP + PLOT_HEIGHT / 2, label);
}

static void put_mark(irl_text *text, const plot *p, const irl_cv_result *result, uint32_t r) {
  const irl_cv_row *row = &result->rows[r];
  const irl_cv_measure *m = irl_cv_figure_of(row, result->chosen_by);
  const double x = px(p, size_of(row)), error = isnan(m->error) ? 0 : m->error;
  const bool is_chosen = r == result->info.chosen, is_best = r == result->info.best;
  if (!row->folds) return;
  if (is_chosen || is_best)
    irl_text_printf(text, "<path class=\"%s\" d=\"M%.1f %.1fV%.1f\"/>\n",
                    is_chosen ? "bound" : "line", x, py(p, fmax(m->mean - error, p->low)),
                    py(p, fmin(m->mean + error, p->high)));
  irl_text_printf(text,
                  "<circle class=\"mark%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"><title>K = %u, "
                  "M = %u, penalty %.4g%s</title></circle>\n",
                  is_chosen ? " of-choice"
                  : is_best ? " of-best"
                            : "",
                  x, py(p, m->mean), is_chosen || is_best ? 5 : 3, row->K, row->M, row->penalty,
                  negations_in_words(result, row));
}

static void put_picture(irl_text *text, const irl_cv_result *result) {
  const irl_cv_info *info = &result->info;
  const plot p = plot_of(result);
  const double width = LEFT + PLOT_WIDTH + RIGHT, height = TOP + PLOT_HEIGHT + BOTTOM;
  const char *label = deciding_figure(result);
  irl_text_puts(text, "<section id=\"sizes\">\n<h2>Larger rules, better rules?</h2>\n"
                      "<p>A point for each setting.");
  if (info->chosen < info->rows)
    irl_text_puts(text, info->chosen == info->best
                            ? " The large one is chosen and the best; its line is one standard "
                              "error up and down."
                            : " The large ones are the chosen setting (dashed line) and the best; "
                              "the lines are one standard error up and down.");
  irl_text_printf(text,
                  "</p>\n<figure><svg class=\"chart settings\" viewBox=\"0 0 %.0f %.0f\" "
                  "role=\"img\" aria-label=\"%s of each setting against the size of its rules; the "
                  "table below has the numbers\">\n",
                  width, height, label);
  put_axes(text, &p, label);
  for (uint32_t r = 0; r < info->rows; r++)
    if (r != info->chosen && r != info->best) put_mark(text, &p, result, r);
  if (info->best < info->rows && info->best != info->chosen) put_mark(text, &p, result, info->best);
  if (info->chosen < info->rows) put_mark(text, &p, result, info->chosen);
  irl_text_puts(text, "</svg></figure>\n</section>\n");
}

/* ---- the table ---- */

static void put_measure(irl_text *text, const irl_cv_measure *m) {
  irl_text_puts(text, "<td>");
  irl_html_percent(text, m->mean);
  if (!isnan(m->error)) irl_text_printf(text, "<small>\xc2\xb1 %.1f</small>", 100 * m->error);
  irl_text_puts(text, "</td>");
}

static void put_row(irl_text *text, const irl_cv_result *result, uint32_t r) {
  const irl_cv_row *row = &result->rows[r];
  const bool is_chosen = r == result->info.chosen, is_best = r == result->info.best;
  const char *word = is_chosen && is_best ? "chosen, best" : is_chosen ? "chosen" : "best";
  const char *open = is_chosen ? "<b>" : "", *close = is_chosen ? "</b>" : "";
  irl_text_printf(text,
                  "<tr%s><th scope=\"row\">%sK\xc2\xa0%u, M\xc2\xa0%u%s%s<small>%s</small></th>"
                  "<td>%.4g</td>",
                  is_chosen ? " class=\"chosen-row\"" : "", open, row->K, row->M,
                  result->tries_negations && row->negations ? ", negations" : "", close,
                  is_chosen || is_best ? word : "", row->penalty);
  for (size_t i = 0; i < IRL_CV_N_FIGURES; i++)
    if (!irl_cv_figures[i].is_by_weight || irl_cv_figures[result->chosen_by].is_by_weight)
      put_measure(text, irl_cv_figure_of(row, i));
  irl_text_printf(text, "<td>%.1f</td><td>%.1f</td><td>%u of %u</td></tr>\n", row->clauses,
                  row->literals, row->folds, result->folds * result->repeats);
}

static void put_table(irl_text *text, const irl_cv_result *result) {
  irl_text_puts(text, "<section id=\"settings\">\n<h2>All settings</h2>\n<p>Means over the folds, "
                      "below each its standard error. Repeats are not independent, so the error "
                      "is that of the folds of one.</p>\n<div class=\"wide\"><table "
                      "class=\"numbers points\">\n<thead><tr><th scope=\"col\">setting</th>"
                      "<th scope=\"col\">penalty</th>");
  for (size_t i = 0; i < IRL_CV_N_FIGURES; i++)
    if (!irl_cv_figures[i].is_by_weight || irl_cv_figures[result->chosen_by].is_by_weight)
      irl_html_put(text, "<th scope=\"col\">%s</th>", irl_cv_figures[i].title);
  irl_text_puts(text, "<th scope=\"col\">clauses</th><th scope=\"col\">literals</th>"
                      "<th scope=\"col\">folds done</th></tr></thead>\n<tbody>\n");
  for (uint32_t r = 0; r < result->info.rows; r++)
    if (result->rows[r].folds) put_row(text, result, r);
  irl_text_puts(text, "</tbody>\n</table></div>\n</section>\n");
}

/* ---- the page ---- */

static void put_header(irl_text *text, const irl_cv_result *result) {
  const bool is_file = strcmp(result->data_path, IRL_TABLE_IN_MEMORY) != 0;
  const char *name = is_file ? irl_page_file_name(result->data_path) : NULL;
  irl_page_open(text, "Cross-validation of rule sizes", name);
  irl_text_puts(text, "<h1>Which size of rule?</h1>\n<p class=\"lead\">");
  if (name) irl_html_put(text, "<code>%s</code>: ", name);
  irl_text_printf(text, "%" PRIu64 " samples, of which %" PRIu64 " are cases (label <code>",
                  result->samples, result->cases);
  irl_html_text(text, result->label_names[1]);
  irl_text_printf(text,
                  "</code>). Cross-validation with %u folds, %u %s, seed %" PRIu64
                  "%s.<span class=\"saved\"></span></p>\n</header>\n",
                  result->folds, result->repeats, result->repeats == 1 ? "repeat" : "repeats",
                  result->seed,
                  result->info.outcome == IRL_OUTCOME_FEASIBLE ? "" : "; not all folds were ended");
}

irl_status irl_cv_report(irl_env *env, const irl_cv_result *result, const char *command,
                         char **html) {
  IRL_NEED(env, "env, result, html", env, result, html);
  irl_text text;
  irl_text_init(&text, env);
  put_header(&text, result);
  put_choice(&text, result);
  put_picture(&text, result);
  put_table(&text, result);
  if (command)
    irl_html_put(&text,
                 "<section id=\"origin\">\n<h2>How it was made</h2>\n<p>In each fold coding and "
                 "rules were learnt without its samples and tested on them, by ireland " IRL_VERSION
                 " and this command:</p>\n<pre tabindex=\"0\">%s</pre>\n</section>\n",
                 command);
  irl_page_close(&text);
  return irl_text_take(&text, html);
}
