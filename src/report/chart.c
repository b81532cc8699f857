#include "report/chart.h"
#include "report/html.h"

#define LEFT   58.0 /* margins around the plot, for ticks and labels */
#define RIGHT  18.0
#define TOP    14.0
#define BOTTOM 50.0

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
    ".chart .chosen{stroke:var(--mark);stroke-width:3}";

double irl_chart_full_width(const irl_chart *chart) {
  return LEFT + chart->width + RIGHT;
}

double irl_chart_full_height(const irl_chart *chart) {
  return TOP + chart->height + BOTTOM;
}

static double px(const irl_chart *chart, double x) {
  return LEFT + (x - chart->x_low) / (chart->x_high - chart->x_low) * chart->width;
}

static double py(const irl_chart *chart, double y) {
  return TOP + (chart->y_high - y) / (chart->y_high - chart->y_low) * chart->height;
}

static void draw_x(irl_chart *chart, const irl_chart_axis *axis) {
  const double bottom = TOP + chart->height, slack = axis->step / 1000;
  for (int i = 0; axis->first + i * axis->step <= chart->x_high + slack; i++) {
    const double x = axis->first + i * axis->step;
    irl_text_printf(chart->text, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", px(chart, x), TOP,
                    bottom);
    irl_text_printf(chart->text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.*f</text>\n",
                    px(chart, x), bottom + 19, axis->decimals, axis->is_reversed ? 1 - x : x);
  }
  irl_text_printf(chart->text,
                  "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                  LEFT + chart->width / 2, bottom + 41);
  irl_html_text(chart->text, axis->label);
  irl_text_puts(chart->text, "</text>\n");
}

static void draw_y(irl_chart *chart, const irl_chart_axis *axis) {
  const double slack = axis->step / 1000, middle = TOP + chart->height / 2;
  for (int i = 0; axis->first + i * axis->step <= chart->y_high + slack; i++) {
    const double y = axis->first + i * axis->step;
    irl_text_printf(chart->text, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", LEFT, py(chart, y),
                    LEFT + chart->width);
    irl_text_printf(chart->text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n",
                    LEFT - 8, py(chart, y) + 4.5, axis->decimals, y);
  }
  irl_text_printf(chart->text,
                  "<text class=\"label\" x=\"15\" y=\"%.1f\" text-anchor=\"middle\" "
                  "transform=\"rotate(-90 15 %.1f)\">",
                  middle, middle);
  irl_html_text(chart->text, axis->label);
  irl_text_puts(chart->text, "</text>\n");
}

void irl_chart_begin(irl_chart *chart, double y, const char *name, const irl_chart_axis *x,
                     const irl_chart_axis *y_axis) {
  const double width = irl_chart_full_width(chart), height = irl_chart_full_height(chart);
  irl_text_printf(chart->text,
                  "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" y=\"%.0f\" "
                  "viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"group\" "
                  "aria-label=\"%s\">\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
                  y, width, height, width, height, name);
  draw_x(chart, x);
  draw_y(chart, y_axis);
  irl_text_printf(chart->text, "<path class=\"frame\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", LEFT, TOP,
                  TOP + chart->height, LEFT + chart->width);
}

void irl_chart_end(irl_chart *chart) {
  irl_text_puts(chart->text, "</svg>\n");
}

void irl_chart_path(irl_chart *chart, const char *class, const double *x, const double *y,
                    size_t n) {
  irl_text_printf(chart->text, "<path class=\"%s\" d=\"", class);
  for (size_t i = 0; i < n; i++)
    irl_text_printf(chart->text, "%s%.1f %.1f", i ? "L" : "M", px(chart, x[i]), py(chart, y[i]));
  irl_text_puts(chart->text, "\"/>\n");
}

void irl_chart_note(irl_chart *chart, double x, double y, const char *anchor, const char *note) {
  irl_text_printf(chart->text,
                  "<text class=\"note\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                  px(chart, x), py(chart, y), anchor, note);
}

void irl_chart_begin_point(irl_chart *chart, const char *class, double x, double y, uint32_t i) {
  irl_text_printf(chart->text,
                  "<circle class=\"%s\" data-row=\"%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\">", class,
                  i, px(chart, x), py(chart, y), chart->radius);
}

void irl_chart_end_point(irl_chart *chart) {
  irl_text_puts(chart->text, "</circle>\n");
}
