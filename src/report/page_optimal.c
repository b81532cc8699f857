/* Rules that are as good as the best, or nearly: what the option all_optimal has listed. */
#include "report/html.h"
#include "report/page.h"
#include <inttypes.h>

#define SHOWN    100u /* rules */
#define LITERALS 40u  /* with a bar each */

/* A bar for each literal, as long as the share of the rules that have it. */
static irl_status put_shares(irl_page *page) {
  irl_text *text = &page->text;
  irl_literal_shares shares;
  const irl_status status = irl_literal_shares_make(page->env, page->fit, &shares);
  if (status) return status;
  irl_text_puts(text, "<div class=\"wide\"><table class=\"numbers upset\">\n<thead><tr><th "
                      "scope=\"col\" class=\"text\">literal</th><th scope=\"col\">rules</th><th "
                      "class=\"bar\"><span class=\"only-read\">bar</span></th><th scope=\"col\" "
                      "class=\"text\">in</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < shares.n && i < LITERALS; i++) {
    irl_text_puts(text, "<tr><td class=\"text\">");
    irl_html_clause(text, shares.rule, i);
    irl_text_printf(text, "</td><td>%" PRIu64 "</td>", shares.items[i].count);
    irl_page_put_bar(text, (double)shares.items[i].count / (double)shares.n_rules, true);
    irl_text_printf(text, "<td class=\"text\">%s</td></tr>\n", irl_literal_share_word(&shares, i));
  }
  irl_text_puts(text, "</tbody>\n</table></div>\n");
  if (shares.n > LITERALS)
    irl_text_printf(text, "<p class=\"hint\">And %zu literals more.</p>\n", shares.n - LITERALS);
  irl_literal_shares_free(page->env, &shares);
  return IRL_STATUS_OK;
}

irl_status irl_page_optimal_rules(irl_page *page) {
  const irl_optimal_rules *rules = &page->fit->optimal_rules;
  irl_text *text = &page->text;
  irl_status status = IRL_STATUS_OK;
  if (!rules->K) return status;
  irl_text_printf(text,
                  "<section id=\"rules\">\n<h2>Rules that are as good</h2>\n<p>%zu rules in which "
                  "every clause and every literal matters%s.</p>\n",
                  rules->n,
                  rules->is_complete ? ", and there are no others" : "; there may be others");
  if (rules->n > 1) status = put_shares(page);
  irl_text_puts(text, "<div class=\"wide\"><table class=\"numbers\">\n<thead><tr><th "
                      "scope=\"col\">objective</th><th scope=\"col\" class=\"text\">rule</th>"
                      "</tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < rules->n && i < SHOWN && !status; i++) {
    irl_rule *rule;
    status = irl_optimal_rules_get(page->env, page->fit->data, rules, i, &rule);
    if (status) break;
    irl_text_printf(text, "<tr><td>%.6g</td><td class=\"text\">",
                    (double)irl_optimal_rules_at(rules, i)->loss / page->fit->problem.divisor);
    irl_html_rule(text, rule);
    irl_text_puts(text, "</td></tr>\n");
    irl_rule_free(rule);
  }
  irl_text_puts(text, "</tbody>\n</table></div>\n");
  if (rules->n > SHOWN)
    irl_text_printf(text,
                    "<p class=\"hint\">The first %u are shown; <code>--json</code> lists all."
                    "</p>\n",
                    SHOWN);
  irl_text_puts(text, "</section>\n");
  return status;
}
