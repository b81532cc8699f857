/* How stable the rule is, as a picture: a bar per literal, as long as the share of the resamples
 * that have it, what stands in its place, and how near clauses come back. */
#include "base/number.h"
#include "report/html.h"
#include "report/page.h"
#include <math.h>

#define SHOWN 12u /* literals that the rule has not */

void irl_page_put_bar(irl_text *text, double share, bool is_dark) {
  irl_text_printf(text,
                  "<td class=\"bar\"><svg class=\"chart many\" viewBox=\"0 0 150 14\" "
                  "width=\"150\" preserveAspectRatio=\"none\" "
                  "height=\"14\" aria-hidden=\"true\"><rect class=\"track\" width=\"150\" "
                  "height=\"14\"/><rect class=\"%s\" width=\"%.1f\" height=\"14\"/></svg></td>",
                  is_dark ? "cases" : "controls", 150 * share);
}

static void put_literal(irl_page *page, const irl_stability *s, uint32_t number) {
  const irl_stable_literal *l = &s->literals[number];
  irl_text *text = &page->text;
  char low[IRL_NUMBER_SIZE], high[IRL_NUMBER_SIZE];
  irl_text_puts(text, "<tr><td class=\"text\">");
  irl_html_name(text, irl_names_get(&s->names, number));
  if (!isnan(l->low)) {
    irl_number_print(l->low, low);
    irl_number_print(l->high, high);
    irl_text_printf(text, l->low < l->high ? "<small>%s to %s</small>" : "<small>%s</small>", low,
                    high);
  }
  irl_text_puts(text, "</td><td>");
  irl_html_percent(text, (double)l->count / s->n_done);
  irl_text_puts(text, "</td>");
  irl_page_put_bar(text, (double)l->count / s->n_done, l->is_in_rule);
  irl_text_puts(text, "<td class=\"text\">");
  for (uint32_t i = 0; i < l->n_others; i++) {
    if (i) irl_text_puts(text, ", ");
    irl_html_name(text, irl_names_get(&s->names, l->others[i].literal));
    irl_text_printf(text, " <span class=\"range\">%.0f\xc2\xa0%% (r\xc2\xa0%.2f)</span>",
                    100.0 * l->others[i].count / s->n_done, l->others[i].r);
  }
  irl_text_puts(text, "</td></tr>\n");
}

static void put_clauses(irl_page *page, const irl_stability *s) {
  irl_text *text = &page->text;
  irl_text_puts(text, "<div class=\"wide\"><table class=\"numbers upset\">\n<thead><tr>"
                      "<th scope=\"col\" class=\"text\">clause</th><th scope=\"col\">comes back"
                      "<small>same literals</small></th><th scope=\"col\">overlap<small>with the "
                      "nearest clause</small></th><th class=\"bar\"><span class=\"only-read\">bar"
                      "</span></th></tr></thead>\n<tbody>\n");
  for (size_t k = 0; k < s->n_clauses; k++) {
    irl_text_puts(text, "<tr><td class=\"text\">");
    irl_html_clause(text, page->fit->rule, k);
    irl_text_puts(text, "</td><td>");
    irl_html_percent(text, (double)s->clauses[k].count / s->n_done);
    irl_text_puts(text, "</td><td>");
    irl_html_percent(text, s->clauses[k].overlap);
    irl_text_puts(text, "</td>");
    irl_page_put_bar(text, s->clauses[k].overlap, true);
    irl_text_puts(text, "</tr>\n");
  }
  irl_text_puts(text, "</tbody>\n</table></div>\n");
}

void irl_page_stability(irl_page *page) {
  const irl_stability *s = page->fit->stability;
  irl_text *text = &page->text;
  uint32_t n_others = 0;
  if (!s) return;
  irl_text_puts(text, "<section id=\"stability\">\n<h2>How stable it is</h2>\n");
  if (s->none_since) {
    irl_html_put(text, "<p>That is not known, since %s.</p>\n</section>\n", s->none_since);
    return;
  }
  irl_text_printf(text,
                  "<p>The whole way of learning was repeated on %u bootstrap resamples%s. %u of "
                  "them gave the same clauses, cut points aside; %.1f\xc2\xa0%% of the samples are "
                  "predicted alike on average.</p>\n<div class=\"wide\"><table class=\"numbers "
                  "upset\">\n<thead><tr><th scope=\"col\" class=\"text\">literal<small>cut points "
                  "in resamples</small></th><th scope=\"col\">comes back</th><th class=\"bar\">"
                  "<span class=\"only-read\">bar</span></th><th scope=\"col\" class=\"text\">in "
                  "its place<small>and correlation with it</small></th></tr></thead>\n<tbody>\n",
                  s->n_done, s->n_done < s->n_asked ? ", fewer than were asked for" : "", s->n_same,
                  100 * s->agreement);
  for (size_t i = 0; i < s->names.n; i++) {
    if (!s->literals[s->order[i]].is_in_rule && n_others++ == SHOWN) break;
    put_literal(page, s, s->order[i]);
  }
  irl_text_puts(text, "</tbody>\n</table></div>\n<p class=\"hint\">Dark: literals of the rule; "
                      "light: the most frequent of the others.</p>\n");
  put_clauses(page, s);
  irl_text_puts(text,
                "<p class=\"hint\">Overlap: samples that a clause and the nearest clause of a "
                "resample\xe2\x80\x99s rule both cover, over those that one of them covers. A "
                "clause may come back in other words: then overlap is high though its "
                "literals differ.</p>\n</section>\n");
}
