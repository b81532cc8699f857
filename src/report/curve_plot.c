/* A curve drawn in a terminal: a grid of characters, sensitivity upwards, specificity from 1 at the
 * left to 0 at the right, so that it looks as ROC curves do. Plain ASCII, so that it survives any
 * terminal, mail and log. */
#include "ireland_study.h"
#include "report/report.h"
#include <math.h>

#define WIDTH  61u /* cells; both are 1 more than a multiple of what the axes are divided by */
#define HEIGHT 21u

typedef struct grid {
  char cells[HEIGHT][WIDTH];
} grid;

static uint32_t column_of(double x) {
  return (uint32_t)lround(x * (WIDTH - 1));
}

static uint32_t row_of(double y) {
  return HEIGHT - 1 - (uint32_t)lround(y * (HEIGHT - 1));
}

/* A straight line between neighbours: a dot per column or, where it is steep, per row. */
static void draw_line(grid *g, double x0, double y0, double x1, double y1) {
  assert(x0 >= 0 && x0 <= x1 && x1 <= 1 && y0 >= 0 && y0 <= y1 && y1 <= 1);
  const uint32_t columns = column_of(x1) - column_of(x0), rows = row_of(y0) - row_of(y1);
  const uint32_t steps = columns > rows ? columns : rows;
  for (uint32_t i = 0; i <= steps; i++) {
    const double share = steps ? (double)i / steps : 0;
    g->cells[row_of(y0 + share * (y1 - y0))][column_of(x0 + share * (x1 - x0))] = '.';
  }
}

irl_status irl_report_curve_plot(irl_env *env, const irl_curve *curve, char **out) {
  grid g;
  irl_text text;
  const uint32_t n = irl_curve_size(curve, IRL_CURVE_TRADEOFF);
  irl_curve_point p = IRL_SIZED(irl_curve_point), last = {.specificity = 1};
  irl_text_init(&text, env);
  memset(g.cells, ' ', sizeof g.cells);
  for (uint32_t i = 0; i < n; i++) {
    irl_curve_get(curve, IRL_CURVE_TRADEOFF, i, &p);
    draw_line(&g, 1 - last.specificity, last.sensitivity, 1 - p.specificity, p.sensitivity);
    last = p;
  }
  draw_line(&g, 1 - last.specificity, last.sensitivity, 1, 1);
  for (uint32_t i = 0; i < n; i++) {
    irl_curve_get(curve, IRL_CURVE_TRADEOFF, i, &p);
    g.cells[row_of(p.sensitivity)][column_of(1 - p.specificity)] = 'o';
  }
  irl_text_puts(&text, "sensitivity\n");
  for (uint32_t row = 0; row < HEIGHT; row++) {
    if (row % 4)
      irl_text_puts(&text, "     |");
    else
      irl_text_printf(&text, "%4.1f +", 1 - (double)row / (HEIGHT - 1));
    uint32_t end = WIDTH;
    while (end && g.cells[row][end - 1] == ' ') end--;
    irl_text_add(&text, g.cells[row], end);
    irl_text_puts(&text, "\n");
  }
  irl_text_puts(&text, "     +");
  for (uint32_t column = 1; column < WIDTH; column++) irl_text_puts(&text, column % 12 ? "-" : "+");
  irl_text_printf(&text, "\n%7.1f", 1.0);
  for (int tenths = 8; tenths >= 0; tenths -= 2)
    irl_text_printf(&text, "%12.1f", (double)tenths / 10);
  irl_text_printf(&text, "\n%67s\narea under the curve %.4f\n", "specificity", curve->info.area);
  return irl_text_take(&text, out);
}
