/* Charts in SVG: a frame with axes and grid, lines and points in the units of the data. Colours and
 * fonts come from classes, so that one style serves pictures and pages, light and dark. */
#ifndef IRL_REPORT_CHART_H
#define IRL_REPORT_CHART_H

#include "report/report.h"

typedef struct irl_chart {
  irl_text *text;
  double x_low, x_high, y_low, y_high; /* of the data */
  double width, height;                /* of the plot, in the units of the picture, */
  double radius;                       /* and of a point */
} irl_chart;

typedef struct irl_chart_axis {
  const char *label;
  double first, step; /* of the ticks, in the units of the data */
  int decimals;
  bool is_reversed; /* shows 1 - x */
} irl_chart_axis;

/* What a chart takes, its margins included. */
double irl_chart_full_width(const irl_chart *chart);
double irl_chart_full_height(const irl_chart *chart);

/* Begins an svg element, `y` from the top of the one it stands in, with axes and grid. `name` is
 * for those who cannot see it. */
void irl_chart_begin(irl_chart *chart, double y, const char *name, const irl_chart_axis *x,
                     const irl_chart_axis *y_axis);
/* A path through the points: moves to the first, then draws. */
void irl_chart_path(irl_chart *chart, const char *class, const double *x, const double *y,
                    size_t n);
void irl_chart_note(irl_chart *chart, double x, double y, const char *anchor, const char *note);
/* Begins a circle element, which may get a title. */
void irl_chart_begin_point(irl_chart *chart, const char *class, double x, double y, uint32_t i);

/* ---- the charts of a curve ---- */

/* Appends the chart of that kind to the text and says how large it is. With `titles` each point
 * tells its rule to the mouse, for pictures that stand alone. */
irl_chart irl_chart_curve(irl_text *text, const irl_curve *curve, irl_curve_kind kind, double y,
                          bool titles);
/* The style of charts, light and dark; for pages and pictures. */
extern const char irl_chart_style[];

#endif
