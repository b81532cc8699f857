/* The curves: a chart each, and a table of its points. The script shows the row of the point that
 * is hovered, tapped, clicked or reached by the arrow keys; without it, and on paper, the table is
 * there all the same. */
#include "ireland_study.h"
#include "report/html.h"
#include "report/page.h"
#include <inttypes.h>
#include <math.h>

static void put_row(irl_page *page, irl_curve_kind kind, uint32_t i) {
  irl_text *text = &page->text;
  irl_curve_point p = IRL_SIZED(irl_curve_point);
  irl_curve_get(page->curve, kind, i, &p);
  irl_text_puts(text, "<tr><td>");
  if (kind != IRL_CURVE_TRADEOFF) {
    irl_text_printf(text, "%u</td><td>", kind == IRL_CURVE_LITERALS ? p.literals : p.clauses);
    irl_html_percent(text, p.accuracy);
    irl_text_puts(text, "</td><td>");
  }
  irl_html_percent(text, p.sensitivity);
  irl_text_puts(text, "</td><td>");
  irl_html_percent(text, p.specificity);
  irl_text_printf(text, "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td class=\"text\">", p.tp,
                  p.fp);
  irl_html_rule(text, irl_curve_rule(page->curve, kind, i));
  /* A bound is shown where it says more than that a share is at most 1. */
  const bool is_tradeoff = isnan(p.accuracy_bound), is_proven = p.outcome == IRL_OUTCOME_OPTIMAL;
  const double bound = is_tradeoff ? p.sensitivity_bound : p.accuracy_bound;
  irl_text_puts(text, is_proven ? "</td><td class=\"text\">proven"
                                : "</td><td class=\"text\">not proven");
  if (!is_proven && bound < 1) {
    irl_text_puts(text, is_tradeoff ? "; sensitivity at most " : "; at most ");
    irl_html_percent(text, bound);
  }
  irl_text_puts(text, "</td></tr>\n");
}

static void put_curve(irl_page *page, irl_curve_kind kind, const char *title, const char *about) {
  irl_text *text = &page->text;
  if (irl_curve_size(page->curve, kind) < 2) return;
  irl_text_printf(text,
                  "<section class=\"curve\" id=\"%s\">\n<h2>%s</h2>\n<p>%s</p>\n"
                  "<div class=\"pair\">\n<figure>\n",
                  irl_report_curve_name(kind), title, about);
  irl_chart_curve(text, page->curve, kind, 0, false);
  irl_text_puts(text, "</figure>\n<div class=\"shown\" aria-live=\"polite\"></div>\n</div>\n"
                      "<details><summary>All points as a table</summary><div class=\"wide\">"
                      "<table class=\"numbers points\">\n<thead><tr>");
  if (kind != IRL_CURVE_TRADEOFF)
    irl_text_printf(text, "<th scope=\"col\">%s</th><th scope=\"col\">%s</th>",
                    irl_report_curve_name(kind), page->curve->info.accuracy_is);
  irl_text_puts(text, "<th scope=\"col\">sensitivity</th><th scope=\"col\">specificity</th>"
                      "<th scope=\"col\">true positives</th><th scope=\"col\">false positives</th>"
                      "<th scope=\"col\" class=\"text\">rule</th>"
                      "<th scope=\"col\" class=\"text\">certainty</th></tr></thead>\n<tbody>\n");
  for (uint32_t i = 0; i < irl_curve_size(page->curve, kind); i++) put_row(page, kind, i);
  irl_text_puts(text, "</tbody>\n</table></div></details>\n</section>\n");
}

void irl_page_curves(irl_page *page) {
  if (!page->curve) return;
  put_curve(
      page, IRL_CURVE_TRADEOFF, "Other choices: sensitivity against specificity",
      page->curve->info.is_complete
          ? "Each point is another rule: to find more cases, more controls are taken for "
            "cases. The rule of this page is marked. A point is proven if no rule of this "
            "form is better."
          : "Each point is another rule, from the same clauses: to find more cases, more "
            "controls are taken for cases. The rule of this page is marked. With other clauses "
            "there may be better ones, unless a point is proven.");
  put_curve(page, IRL_CURVE_LITERALS, "Shorter rules: accuracy against literals",
            "The best rule for each number of literals, all clauses together. A dashed line "
            "rises to the limit that is proven where a point is not.");
  put_curve(page, IRL_CURVE_CLAUSES, "Fewer clauses: accuracy against clauses",
            "The best rule for each number of clauses.");
}
