/* The charts of a curve, and the picture that they make. The trade-off looks as ROC curves do:
 * specificity from 1 at the left to 0 at the right, sensitivity upwards, straight lines from (1, 0)
 * through the points to (0, 1). Complexity is a staircase: a rule of some size is also one of any
 * larger size. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "report/chart.h"
#include "report/html.h"
#include <math.h>

#define PLOT_WIDTH    364.0
#define SQUARE_HEIGHT 364.0
#define FLAT_HEIGHT   220.0
#define MANY_POINTS   40u /* that are drawn smaller */

/* Coordinates of a path; two per point of the curve and two for its ends are enough. */
typedef struct track {
  double *x, *y;
  size_t n;
} track;

static void track_put(track *t, double x, double y) {
  t->x[t->n] = x;
  t->y[t->n++] = y;
}

static void put_points(irl_chart *chart, const irl_curve *curve, irl_curve_kind kind, bool titles) {
  chart->radius = irl_curve_size(curve, kind) > MANY_POINTS ? 3 : 4;
  for (uint32_t i = 0; i < irl_curve_size(curve, kind); i++) {
    irl_curve_point p;
    irl_curve_get(curve, kind, i, &p);
    const bool is_fit = p.tp == curve->fit->best.tp && p.fp == curve->fit->best.fp;
    const double x = kind == IRL_CURVE_TRADEOFF   ? 1 - p.specificity
                     : kind == IRL_CURVE_LITERALS ? p.literals
                                                  : p.clauses;
    irl_chart_begin_point(chart, is_fit ? "point chosen" : "point", x,
                          kind == IRL_CURVE_TRADEOFF ? p.sensitivity : p.accuracy, i);
    if (titles) {
      irl_text_printf(chart->text, "<title>sensitivity %.4f, specificity %.4f: ", p.sensitivity,
                      p.specificity);
      irl_text rule;
      irl_text_init(&rule, chart->text->env);
      irl_rule_print_all(&rule, irl_curve_rule(curve, kind, i));
      irl_html_text(chart->text, rule.bytes ? rule.bytes : "");
      irl_text_drop(&rule);
      irl_text_puts(chart->text, "</title>");
    }
    irl_text_puts(chart->text, "</circle>\n");
  }
}

/* ---- trade-off ---- */

static void draw_tradeoff(irl_chart *chart, const irl_curve *curve, double y, bool titles,
                          track *t) {
  static const irl_chart_axis x_axis = {"specificity", 0, 0.2, 1, true};
  static const irl_chart_axis y_axis = {"sensitivity", 0, 0.2, 1, false};
  static const double ends[2] = {0, 1};
  char area[64];
  *chart = (irl_chart){chart->text, 0, 1, 0, 1, PLOT_WIDTH, SQUARE_HEIGHT, 0};
  irl_chart_begin(chart, y, "Trade-off of sensitivity and specificity", &x_axis, &y_axis);
  irl_chart_path(chart, "chance", ends, ends, 2);
  track_put(t, 0, 0);
  for (uint32_t i = 0; i < irl_curve_size(curve, IRL_CURVE_TRADEOFF); i++) {
    irl_curve_point p;
    irl_curve_get(curve, IRL_CURVE_TRADEOFF, i, &p);
    track_put(t, 1 - p.specificity, p.sensitivity);
  }
  track_put(t, 1, 1);
  track_put(t, 1, 0);
  irl_chart_path(chart, "wash", t->x, t->y, t->n);
  irl_chart_path(chart, "line", t->x, t->y, t->n - 1);
  irl_c_snprintf(area, sizeof area, "area under the curve %.3f", curve->info.area);
  irl_chart_note(chart, 0.97, 0.05, "end", area);
  put_points(chart, curve, IRL_CURVE_TRADEOFF, titles);
}

/* ---- complexity ---- */

/* The smallest step that makes at most `most` ticks: 1, 2 or 5 times a power of ten. */
static double nice_step(double span, double least, int most) {
  static const double factors[] = {1, 2, 5};
  for (double power = least;; power *= 10)
    for (int i = 0; i < 3; i++)
      if (span / (power * factors[i]) <= most) return power * factors[i];
}

static double size_of(const irl_curve_point *p, irl_curve_kind kind) {
  return kind == IRL_CURVE_LITERALS ? p->literals : p->clauses;
}

static void draw_complexity(irl_chart *chart, const irl_curve *curve, irl_curve_kind kind, double y,
                            bool titles, track *t) {
  const uint32_t n = irl_curve_size(curve, kind);
  irl_curve_point first = {0}, last = {0};
  irl_curve_get(curve, kind, 0, &first);
  irl_curve_get(curve, kind, n - 1, &last);
  const double end = size_of(&last, kind) + 0.5;
  const double step = nice_step(1 - first.accuracy, 0.001, 5);
  const double low = fmax(0, floor(first.accuracy / step - 0.2) * step);
  const double x_step = nice_step(end, 1, 10);
  const irl_chart_axis x_axis = {kind == IRL_CURVE_LITERALS ? "literals in the rule, at most"
                                                            : "clauses in the rule, at most",
                                 x_step == 1 ? 1 : 0, x_step, 0, false};
  const irl_chart_axis y_axis = {curve->info.accuracy_is, low, step,
                                 step < 0.01  ? 3
                                 : step < 0.1 ? 2
                                              : 1,
                                 false};
  *chart = (irl_chart){chart->text, 0, end, low, 1, PLOT_WIDTH, FLAT_HEIGHT, 0};
  irl_chart_begin(chart, y,
                  kind == IRL_CURVE_LITERALS ? "Accuracy by literals" : "Accuracy by clauses",
                  &x_axis, &y_axis);
  for (uint32_t i = 0; i < n; i++) {
    irl_curve_point p;
    irl_curve_get(curve, kind, i, &p);
    /* Above a point that is not proven, a line up to its bound. */
    const double at[2] = {size_of(&p, kind), size_of(&p, kind)};
    const double ends[2] = {p.accuracy, p.accuracy_bound};
    if (ends[1] > ends[0]) irl_chart_path(chart, "bound", at, ends, 2);
    /* A staircase, to the right end of the chart. */
    if (t->n) track_put(t, at[0], t->y[t->n - 1]);
    track_put(t, at[0], p.accuracy);
  }
  if (t->n) track_put(t, end, t->y[t->n - 1]);
  irl_chart_path(chart, "line", t->x, t->y, t->n);
  put_points(chart, curve, kind, titles);
}

irl_chart irl_chart_curve(irl_text *text, const irl_curve *curve, irl_curve_kind kind, double y,
                          bool titles) {
  const size_t room = 2 * (size_t)irl_curve_size(curve, kind) + 4;
  irl_chart chart = {.text = text};
  track t = {.x = irl_mem_alloc(&curve->allocator, 2 * room, sizeof *t.x)};
  if (!t.x) {
    text->failed = true;
    return chart;
  }
  t.y = t.x + room;
  if (kind == IRL_CURVE_TRADEOFF)
    draw_tradeoff(&chart, curve, y, titles, &t);
  else
    draw_complexity(&chart, curve, kind, y, titles, &t);
  assert(t.n <= room);
  irl_text_puts(text, "</svg>\n");
  irl_mem_free(&curve->allocator, t.x);
  return chart;
}

/* ---- the picture ---- */

irl_status irl_report_curve_svg(irl_env *env, const irl_curve *curve, char **out) {
  irl_text charts, text;
  double width = 0, total = 0;
  irl_text_init(&charts, env);
  irl_text_init(&text, env);
  for (irl_curve_kind kind = 0; kind < IRL_N_CURVES; kind++) {
    if (kind && !irl_curve_size(curve, kind)) continue;
    const irl_chart chart = irl_chart_curve(&charts, curve, kind, total, true);
    width = irl_chart_full_width(&chart);
    total += irl_chart_full_height(&chart);
  }
  irl_text_printf(&text,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                  "width=\"%.0f\" height=\"%.0f\">\n<style>",
                  width, total, 1.5 * width, 1.5 * total);
  irl_text_puts(&text, irl_chart_style);
  irl_text_puts(&text, "</style>\n");
  if (charts.bytes) irl_text_add(&text, charts.bytes, charts.length);
  irl_text_puts(&text, "</svg>\n");
  text.failed |= charts.failed;
  irl_text_drop(&charts);
  return irl_text_take(&text, out);
}
