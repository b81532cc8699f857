/* What a verdict of the rule means where cases are rarer or more frequent than in these data:
 * predictive values at some prevalences and at one that the reader sets, and a decision curve.
 * Without the script the table and the curve at the share of cases of the data are there. */
#include "report/html.h"
#include "report/page.h"
#include <math.h>

#define LEFT   58.0
#define TOP    14.0
#define WIDTH  364.0
#define HEIGHT 220.0
#define BOTTOM 50.0
#define RIGHT  30.0
#define LEAST  (-0.2) /* net benefit at the foot of the chart */
#define STEPS  100    /* of the curves */

static double x_of(double threshold) {
  return LEFT + threshold * WIDTH;
}

static double y_of(double benefit) {
  return TOP + (1 - fmax(LEAST, fmin(1, benefit))) / (1 - LEAST) * HEIGHT;
}

static void put_values(irl_text *text, irl_interval x) {
  irl_text_puts(text, "<td>");
  irl_html_percent(text, x.value);
  irl_text_puts(text, "<small>");
  if (!isnan(x.value)) irl_page_put_range(text, x.low, x.high);
  irl_text_puts(text, "</small></td>");
}

static void put_row(irl_page *page, double prevalence, const char *note) {
  const irl_two_shares *s = &page->figures[page->main].shares;
  irl_text *text = &page->text;
  irl_text_puts(text, "<tr><th scope=\"row\">");
  irl_text_printf(text, "%.3g\xc2\xa0%%%s</th>", 100 * prevalence, note);
  put_values(text, irl_predictive_value(s, prevalence, true));
  put_values(text, irl_predictive_value(s, prevalence, false));
  const double hits = s->sensitivity.value * prevalence,
               alarms = (1 - s->specificity.value) * (1 - prevalence);
  irl_text_printf(text, "<td>%.0f</td><td>%.0f</td><td>%.0f</td></tr>\n", 1000 * (hits + alarms),
                  1000 * hits, 1000 * (prevalence - hits));
}

/* ---- the decision curve ---- */

/* Net benefit at a threshold: 0 the rule, -1 and 1 the limits of its interval, 2 everybody. */
static double benefit_of(const irl_two_shares *s, double prevalence, double threshold, int which) {
  const irl_interval rule = irl_net_benefit(s, prevalence, threshold);
  if (which == 2) return 1 - threshold / (1 - threshold) * (1 - prevalence) / prevalence;
  return which < 0 ? rule.low : which > 0 ? rule.high : rule.value;
}

/* Lines end where they leave the chart; the limits of the interval stay at its foot. */
static void put_points(irl_text *text, const irl_two_shares *s, double prevalence, int which) {
  for (int i = 0; i < STEPS; i++) {
    const double threshold = (double)(which < 0 ? STEPS - 1 - i : i) / STEPS;
    const double benefit = benefit_of(s, prevalence, threshold, which);
    if (benefit < LEAST && (which == 0 || which == 2)) break;
    irl_text_printf(text, "%.1f,%.1f ", x_of(threshold), y_of(benefit));
  }
}

static void put_axes(irl_text *text) {
  for (int i = 0; i <= 5; i++)
    irl_text_printf(text,
                    "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
                    "text-anchor=\"middle\">%d\xc2\xa0%%</text>\n",
                    x_of(0.2 * i), TOP, TOP + HEIGHT, x_of(0.2 * i), TOP + HEIGHT + 19, 20 * i);
  for (int i = -1; i <= 5; i++)
    irl_text_printf(text,
                    "<path class=\"%s\" d=\"M%.1f %.1fH%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
                    "text-anchor=\"end\">%.1f</text>\n",
                    i ? "grid" : "frame", LEFT, y_of(0.2 * i), LEFT + WIDTH, LEFT - 8,
                    y_of(0.2 * i) + 4.5, 0.2 * i);
  irl_text_printf(text,
                  "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">risk from "
                  "which one acts</text>\n<text class=\"label\" x=\"15\" y=\"%.1f\" "
                  "text-anchor=\"middle\" transform=\"rotate(-90 15 %.1f)\">net benefit</text>\n",
                  LEFT + WIDTH / 2, TOP + HEIGHT + 41, TOP + HEIGHT / 2, TOP + HEIGHT / 2);
}

static void put_curve(irl_page *page, double prevalence) {
  const irl_two_shares *s = &page->figures[page->main].shares;
  irl_text *text = &page->text;
  irl_text_printf(text,
                  "<figure><svg class=\"chart\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
                  "height=\"%.0f\" role=\"img\" aria-label=\"Decision curve: net benefit of the "
                  "rule, of acting on everybody and of acting on nobody, against the risk from "
                  "which one acts\">\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
                  LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM, LEFT + WIDTH + RIGHT,
                  TOP + HEIGHT + BOTTOM);
  put_axes(text);
  irl_text_puts(text, "<polygon class=\"wash\" id=\"benefit-range\" points=\"");
  put_points(text, s, prevalence, 1);
  put_points(text, s, prevalence, -1);
  irl_text_puts(text, "\"/>\n<polyline class=\"chance\" id=\"benefit-all\" points=\"");
  put_points(text, s, prevalence, 2);
  irl_text_puts(text, "\"/>\n<polyline class=\"line\" id=\"benefit-rule\" points=\"");
  put_points(text, s, prevalence, 0);
  irl_text_puts(text, "\"/>\n</svg>\n<figcaption class=\"hint\">Blue: acting on what the rule "
                      "says, with its 95\xc2\xa0% interval. Dashed: acting on everybody. The line "
                      "at 0: on nobody. 1 is the benefit of a rule without errors.</figcaption>"
                      "</figure>\n");
}

/* ---- the section ---- */

/* Numbers for the script. */
static void put_numbers(irl_text *text, const char *name, irl_interval x) {
  irl_text_printf(text, " data-%s=\"%.9g %.9g %.9g\"", name, x.value, x.low, x.high);
}

static void put_slider(irl_page *page, double share) {
  irl_text *text = &page->text;
  irl_text_printf(text,
                  "<form class=\"slider\" hidden=\"hidden\" data-share=\"%.9g\">\n<label "
                  "for=\"prevalence-slider\">Share of cases among those who are asked: <output "
                  "for=\"prevalence-slider\"></output></label>\n<input type=\"range\" "
                  "id=\"prevalence-slider\" min=\"-690\" max=\"440\" step=\"1\" value=\"0\"/>\n"
                  "<p class=\"verdict\" aria-live=\"polite\"></p>\n</form>\n",
                  share);
}

void irl_page_prevalence(irl_page *page) {
  static const double some[] = {0.01, 0.05, 0.1, 0.2, 0.5};
  const irl_data_info *about = &page->about;
  const irl_two_shares *s = &page->figures[page->main].shares;
  const double share = (double)about->cases / (double)(about->cases + about->controls);
  irl_text *text = &page->text;
  if (!page->fit->rule->n_clauses || !about->cases || !about->controls) return;
  irl_text_puts(text, "<section id=\"prevalence\"");
  put_numbers(text, "sensitivity", s->sensitivity);
  put_numbers(text, "specificity", s->specificity);
  put_numbers(text, "positive", irl_likelihood_ratio(s, true));
  put_numbers(text, "negative", irl_likelihood_ratio(s, false));
  irl_text_printf(text,
                  ">\n<h2>What its word means for one person</h2>\n<p>It depends on how frequent "
                  "cases are among those who are asked. The figures are those of <b>%s</b>.</p>\n",
                  irl_page_source_name(page->main));
  put_slider(page, share);
  irl_text_puts(text, "<div class=\"wide\"><table class=\"numbers\">\n<thead><tr><th scope=\"col\""
                      ">cases<small>among all</small></th><th scope=\"col\">positive predictive "
                      "value<small>cases if it says yes</small></th><th scope=\"col\">negative "
                      "predictive value<small>controls if it says no</small></th><th scope=\"col\""
                      ">of 1,000<small>it says yes to</small></th><th scope=\"col\">of these"
                      "<small>are cases</small></th><th scope=\"col\">cases<small>that it misses"
                      "</small></th></tr></thead>\n<tbody>\n");
  put_row(page, share, "<small>as in these data</small>");
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) put_row(page, some[i], "");
  irl_text_puts(text, "</tbody>\n</table></div>\n<h3>When acting on it pays</h3>\n");
  const irl_interval positive = irl_predictive_value(s, share, true),
                     negative = irl_predictive_value(s, share, false);
  irl_text_puts(text, "<p class=\"pays\">");
  if (positive.value > 1 - negative.value) {
    irl_text_puts(text, "At the share of cases of these data, for those who act from a risk "
                        "between ");
    irl_page_put_range(text, 1 - negative.value, positive.value);
    irl_text_puts(text, " on: below it acting on everybody is better, above it acting on nobody.");
  } else {
    irl_text_puts(text, "Nowhere: those whom it calls cases are no likelier to be cases than the "
                        "others.");
  }
  irl_text_puts(text, "</p>\n");
  put_curve(page, share);
  irl_text_puts(text, "</section>\n");
}
