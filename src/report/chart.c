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

void irl_chart_begin(irl_chart *chart, double y, const char *name, const irl_chart_axis *x_axis,
                     const irl_chart_axis *y_axis) {
  const double width = irl_chart_full_width(chart), height = irl_chart_full_height(chart);
  const double right = LEFT + chart->width, bottom = TOP + chart->height;
  const double middle = TOP + chart->height / 2;
  irl_text *text = chart->text;
  assert(x_axis->step > 0 && y_axis->step > 0);
  irl_text_printf(text,
                  "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" y=\"%.0f\" "
                  "viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"group\" "
                  "aria-label=\"%s\">\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
                  y, width, height, width, height, name);
  for (int i = 0; x_axis->first + i * x_axis->step <= chart->x_high + x_axis->step / 1000; i++) {
    const double at = x_axis->first + i * x_axis->step;
    irl_text_printf(text, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", px(chart, at), TOP,
                    bottom);
    irl_text_printf(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.*f</text>\n",
                    px(chart, at), bottom + 19, x_axis->decimals,
                    x_axis->is_reversed ? 1 - at : at);
  }
  irl_text_printf(text, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                  LEFT + chart->width / 2, bottom + 41);
  irl_html_put(text, "%s</text>\n", x_axis->label);
  for (int i = 0; y_axis->first + i * y_axis->step <= chart->y_high + y_axis->step / 1000; i++) {
    const double at = y_axis->first + i * y_axis->step;
    irl_text_printf(text, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", LEFT, py(chart, at),
                    right);
    irl_text_printf(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n", LEFT - 8,
                    py(chart, at) + 4.5, y_axis->decimals, at);
  }
  irl_text_printf(text,
                  "<text class=\"label\" x=\"15\" y=\"%.1f\" text-anchor=\"middle\" "
                  "transform=\"rotate(-90 15 %.1f)\">",
                  middle, middle);
  irl_html_put(text, "%s</text>\n", y_axis->label);
  irl_text_printf(text, "<path class=\"frame\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", LEFT, TOP, bottom,
                  right);
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
