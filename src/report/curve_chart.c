/* The charts of a curve in SVG, and the picture that they make. Colours and fonts come from
 * classes, so that one style serves pictures and pages, light and dark.
 *
 * The trade-off looks as ROC curves do: specificity from 1 at the left to 0 at the right,
 * sensitivity upwards, straight lines from (1, 0) through the points to (0, 1). Complexity is a
 * staircase: a rule of some size is also one of any larger size. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "ireland_study.h"
#include "report/html.h"
#include "report/report.h"
#include <math.h>

#define LEFT          58.0 /* margins around the plot, for ticks and labels */
#define RIGHT         18.0
#define TOP           14.0
#define BOTTOM        50.0
#define PLOT_WIDTH    364.0
#define SQUARE_HEIGHT 364.0
#define FLAT_HEIGHT   220.0
#define MANY_POINTS   40u /* that are drawn smaller */

const char irl_chart_style[] =
    ".chart{font:13px system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
    "--ink:#1d232b;--soft:#5b6672;--rule:#e3e7ec;--accent:#0b5cad;--wash:#0b5cad14;"
    "--paper:#fff;--mark:#b4490a}"
    "@media(prefers-color-scheme:dark){.chart{--ink:#e8ebef;--soft:#a3adb8;--rule:#343b44;"
    "--accent:#6cb4ff;--wash:#6cb4ff1f;--paper:#14181d;--mark:#ffa657}}"
    ".chart .paper{fill:var(--paper)}.chart text{fill:var(--soft)}"
    ".chart .label{fill:var(--ink);font-weight:600}.chart .note{fill:var(--ink)}"
    ".chart .grid{stroke:var(--rule);fill:none}.chart .frame{stroke:var(--soft);fill:none}"
    ".chart .wash{fill:var(--wash);stroke:none}"
    ".chart .line{fill:none;stroke:var(--accent);stroke-width:2;stroke-linejoin:round}"
    ".chart .chance{fill:none;stroke:var(--soft);stroke-dasharray:3 5}"
    ".chart .bound{fill:none;stroke:var(--mark);stroke-width:1.5;stroke-dasharray:5 3}"
    ".chart .point{fill:var(--paper);stroke:var(--accent);stroke-width:2}"
    ".chart .chosen{stroke:var(--mark);stroke-width:3}"
    ".chart .mark{fill:var(--accent);fill-opacity:.45;stroke:none}"
    ".chart .of-best{fill-opacity:1}.chart .of-choice{fill:var(--mark);fill-opacity:1}";

typedef struct axis {
  const char *label;
  double low, high, first, step; /* of the plot, and of the ticks, in the units of the data */
  int decimals;
  bool is_reversed; /* shows 1 - x */
} axis;

typedef struct chart {
  irl_text *text;
  const irl_curve *curve;
  irl_curve_kind kind;
  axis x, y;
  double height; /* of the plot */
  double *path_x, *path_y;
  size_t n; /* points of the path, two per point of the curve and a few for its ends */
} chart;

static double px(const chart *c, double x) {
  return LEFT + (x - c->x.low) / (c->x.high - c->x.low) * PLOT_WIDTH;
}

static double py(const chart *c, double y) {
  return TOP + (c->y.high - y) / (c->y.high - c->y.low) * c->height;
}

/* A path through the points: moves to the first, then draws. */
static void draw_path(const chart *c, const char *class, const double *x, const double *y,
                      size_t n) {
  irl_text_printf(c->text, "<path class=\"%s\" d=\"", class);
  for (size_t i = 0; i < n; i++)
    irl_text_printf(c->text, "%s%.1f %.1f", i ? "L" : "M", px(c, x[i]), py(c, y[i]));
  irl_text_puts(c->text, "\"/>\n");
}

static void add_to_path(chart *c, double x, double y) {
  c->path_x[c->n] = x;
  c->path_y[c->n++] = y;
}

/* Begins the svg element, `top` from the top of the one it stands in, with axes and grid. `name` is
 * for those who cannot see it. */
static void begin_chart(const chart *c, double top, const char *name) {
  const double width = LEFT + PLOT_WIDTH + RIGHT, height = TOP + c->height + BOTTOM;
  const double right = LEFT + PLOT_WIDTH, bottom = TOP + c->height, middle = TOP + c->height / 2;
  irl_text *text = c->text;
  assert(c->x.step > 0 && c->y.step > 0 && c->x.low < c->x.high && c->y.low < c->y.high);
  irl_text_printf(text,
                  "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" y=\"%.0f\" "
                  "viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"group\" "
                  "aria-label=\"%s\">\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
                  top, width, height, width, height, name);
  for (int i = 0; c->x.first + i * c->x.step <= c->x.high + c->x.step / 1000; i++) {
    const double at = c->x.first + i * c->x.step;
    irl_text_printf(text, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", px(c, at), TOP, bottom);
    irl_text_printf(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.*f</text>\n",
                    px(c, at), bottom + 19, c->x.decimals, c->x.is_reversed ? 1 - at : at);
  }
  irl_text_printf(text, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                  LEFT + PLOT_WIDTH / 2, bottom + 41);
  irl_html_put(text, "%s</text>\n", c->x.label);
  for (int i = 0; c->y.first + i * c->y.step <= c->y.high + c->y.step / 1000; i++) {
    const double at = c->y.first + i * c->y.step;
    irl_text_printf(text, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", LEFT, py(c, at), right);
    irl_text_printf(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n", LEFT - 8,
                    py(c, at) + 4.5, c->y.decimals, at);
  }
  irl_text_printf(text,
                  "<text class=\"label\" x=\"15\" y=\"%.1f\" text-anchor=\"middle\" "
                  "transform=\"rotate(-90 15 %.1f)\">",
                  middle, middle);
  irl_html_put(text, "%s</text>\n", c->y.label);
  irl_text_printf(text, "<path class=\"frame\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", LEFT, TOP, bottom,
                  right);
}

static double size_of(const irl_curve_point *p, irl_curve_kind kind) {
  return kind == IRL_CURVE_LITERALS ? p->literals : p->clauses;
}

/* Each point tells its rule to the mouse. */
static void put_points(const chart *c) {
  const uint32_t n = irl_curve_size(c->curve, c->kind);
  const bool is_tradeoff = c->kind == IRL_CURVE_TRADEOFF;
  for (uint32_t i = 0; i < n; i++) {
    irl_curve_point p = IRL_SIZED(irl_curve_point);
    irl_curve_get(c->curve, c->kind, i, &p);
    const bool is_fit = p.tp == c->curve->fit->best.tp && p.fp == c->curve->fit->best.fp;
    irl_text_printf(c->text, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\">",
                    is_fit ? "point chosen" : "point",
                    px(c, is_tradeoff ? 1 - p.specificity : size_of(&p, c->kind)),
                    py(c, is_tradeoff ? p.sensitivity : p.accuracy), n > MANY_POINTS ? 3.0 : 4.0);
    irl_text_printf(c->text, "<title>sensitivity %.4f, specificity %.4f: ", p.sensitivity,
                    p.specificity);
    irl_text rule;
    irl_text_init(&rule, c->text->env);
    irl_rule_print_all(&rule, irl_curve_rule(c->curve, c->kind, i));
    irl_html_put(c->text, "%s</title>", rule.bytes ? rule.bytes : "");
    irl_text_drop(&rule);
    irl_text_puts(c->text, "</circle>\n");
  }
}

static void draw_tradeoff(chart *c, double top) {
  static const double ends[2] = {0, 1};
  c->x = (axis){"specificity", 0, 1, 0, 0.2, 1, true};
  c->y = (axis){"sensitivity", 0, 1, 0, 0.2, 1, false};
  c->height = SQUARE_HEIGHT;
  begin_chart(c, top, "Trade-off of sensitivity and specificity");
  draw_path(c, "chance", ends, ends, 2);
  add_to_path(c, 0, 0);
  for (uint32_t i = 0; i < irl_curve_size(c->curve, IRL_CURVE_TRADEOFF); i++) {
    irl_curve_point p = IRL_SIZED(irl_curve_point);
    irl_curve_get(c->curve, IRL_CURVE_TRADEOFF, i, &p);
    add_to_path(c, 1 - p.specificity, p.sensitivity);
  }
  add_to_path(c, 1, 1);
  add_to_path(c, 1, 0);
  draw_path(c, "wash", c->path_x, c->path_y, c->n);
  draw_path(c, "line", c->path_x, c->path_y, c->n - 1);
  irl_text_printf(c->text,
                  "<text class=\"note\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">"
                  "area under the curve %.3f</text>\n",
                  px(c, 0.97), py(c, 0.05), c->curve->info.area);
}

/* The smallest step that makes at most `most` ticks: 1, 2 or 5 times a power of ten. */
static double nice_step(double span, double least, int most) {
  static const double factors[] = {1, 2, 5};
  for (double power = least;; power *= 10)
    for (int i = 0; i < 3; i++)
      if (span / (power * factors[i]) <= most) return power * factors[i];
}

static void draw_complexity(chart *c, double top) {
  const uint32_t n = irl_curve_size(c->curve, c->kind);
  const bool is_literals = c->kind == IRL_CURVE_LITERALS;
  irl_curve_point first = IRL_SIZED(irl_curve_point), last = IRL_SIZED(irl_curve_point);
  irl_curve_get(c->curve, c->kind, 0, &first);
  irl_curve_get(c->curve, c->kind, n - 1, &last);
  const double end = size_of(&last, c->kind) + 0.5, x_step = nice_step(end, 1, 10);
  const double step = nice_step(1 - first.accuracy, 0.001, 5);
  const double low = fmax(0, floor(first.accuracy / step - 0.2) * step);
  c->x = (axis){is_literals ? "literals in the rule, at most" : "clauses in the rule, at most",
                0,
                end,
                x_step == 1 ? 1 : 0,
                x_step,
                0,
                false};
  c->y = (axis){c->curve->info.accuracy_is,           low,  1, low, step,
                step < 0.01 ? 3 : step < 0.1 ? 2 : 1, false};
  c->height = FLAT_HEIGHT;
  begin_chart(c, top, is_literals ? "Accuracy by literals" : "Accuracy by clauses");
  for (uint32_t i = 0; i < n; i++) {
    irl_curve_point p = IRL_SIZED(irl_curve_point);
    irl_curve_get(c->curve, c->kind, i, &p);
    /* Above a point that is not proven, a line up to its bound. */
    const double at[2] = {size_of(&p, c->kind), size_of(&p, c->kind)};
    const double ends[2] = {p.accuracy, p.accuracy_bound};
    if (ends[1] > ends[0]) draw_path(c, "bound", at, ends, 2);
    /* A staircase, to the right end of the chart. */
    if (c->n) add_to_path(c, at[0], c->path_y[c->n - 1]);
    add_to_path(c, at[0], p.accuracy);
  }
  if (c->n) add_to_path(c, end, c->path_y[c->n - 1]);
  draw_path(c, "line", c->path_x, c->path_y, c->n);
}

/* Appends the chart of that kind, `top` from the top of what it stands in; its height. */
static double draw_chart(irl_text *text, const irl_curve *curve, irl_curve_kind kind, double top) {
  const size_t room = 2 * (size_t)irl_curve_size(curve, kind) + 4;
  chart c = {.text = text, .curve = curve, .kind = kind};
  c.path_x = irl_mem_alloc(&curve->allocator, 2 * room, sizeof *c.path_x);
  if (!c.path_x) {
    text->failed = true;
    return 0;
  }
  c.path_y = c.path_x + room;
  if (kind == IRL_CURVE_TRADEOFF)
    draw_tradeoff(&c, top);
  else
    draw_complexity(&c, top);
  assert(c.n <= room);
  put_points(&c);
  irl_text_puts(text, "</svg>\n");
  irl_mem_free(&curve->allocator, c.path_x);
  return TOP + c.height + BOTTOM;
}

irl_status irl_report_curve_svg(irl_env *env, const irl_curve *curve, char **out) {
  const double width = LEFT + PLOT_WIDTH + RIGHT;
  irl_text charts, text;
  double total = 0;
  irl_text_init(&charts, env);
  irl_text_init(&text, env);
  for (irl_curve_kind kind = 0; kind < IRL_N_CURVE_KINDS; kind++)
    if (!kind || irl_curve_size(curve, kind)) total += draw_chart(&charts, curve, kind, total);
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
