/* Rules that are as good as the best, or nearly: what the option all_optimal has listed. */
#include "report/html.h"
#include "report/page.h"

#define SHOWN 100u /* rules */

irl_status irl_page_optimal_rules(irl_page *page) {
  const irl_optimal_rules *rules = &page->fit->optimal_rules;
  irl_text *text = &page->text;
  irl_status status = IRL_STATUS_OK;
  if (!rules->K) return status;
  irl_text_printf(text,
                  "<section id=\"rules\">\n<h2>Rules that are as good</h2>\n<p>%zu rules in which "
                  "every clause and every literal matters%s.</p>\n<div class=\"wide\"><table "
                  "class=\"numbers\">\n<thead><tr><th scope=\"col\">objective</th><th "
                  "scope=\"col\" class=\"text\">rule</th></tr></thead>\n<tbody>\n",
                  rules->n,
                  rules->is_complete ? ", and there are no others" : "; there may be others");
  for (size_t i = 0; i < rules->n && i < SHOWN && !status; i++) {
    irl_rule *rule;
    status = irl_optimal_rules_get(page->env, page->fit->data, rules, i, &rule);
    if (status) break;
    irl_text_printf(text, "<tr><td>%.6g</td><td class=\"text\">",
                    (double)irl_optimal_rules_at(rules, i)->loss / page->fit->settings.divisor);
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
