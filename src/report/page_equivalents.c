/* Equivalent literals on the page: for each place of the rule where others could stand, which. SNPs
 * in linkage disequilibrium are the usual case. */
#include "learn/equivalent.h"
#include "report/html.h"
#include "report/page.h"

#define SHOWN 20u /* for one place */

typedef struct section {
  irl_page *page;
  bool is_open;
} section;

static void put_literal(irl_text *text, const char *name, bool is_negated) {
  irl_html_put(text, is_negated ? "not <code>%s</code>" : "<code>%s</code>", name);
}

static void put_place(void *user, const irl_equivalent_place *place) {
  section *s = user;
  irl_text *text = &s->page->text;
  const irl_equivalents *found = place->found;
  if (!s->is_open)
    irl_text_puts(text,
                  "<section id=\"equivalents\">\n<h2>What could stand instead</h2>\n"
                  "<div class=\"wide\"><table class=\"numbers\">\n<thead><tr><th>clause</th>"
                  "<th scope=\"col\" class=\"text\">in place of</th>"
                  "<th scope=\"col\" class=\"text\">could stand</th></tr></thead>\n<tbody>\n");
  s->is_open = true;
  irl_text_printf(text, "<tr><td>%zu</td><td class=\"text\">", place->clause + 1);
  put_literal(text, irl_rule_name(place->rule, place->literal),
              irl_literal_is_negated(place->literal));
  irl_text_puts(text, "</td><td class=\"text\">");
  for (uint32_t i = 0; i < found->n && i < SHOWN; i++) {
    const irl_equivalent *other = &found->others[i];
    const irl_literal_view words = irl_literal_in_words(place->data, other->literal);
    if (i) irl_text_puts(text, ", ");
    put_literal(text, words.feature, words.negated);
    if (other->change) irl_text_printf(text, " (%+.4g)", (double)other->change / place->divisor);
  }
  if (found->n_all > SHOWN) irl_text_printf(text, " and %u more", found->n_all - SHOWN);
  irl_text_puts(text, "</td></tr>\n");
}

irl_status irl_page_equivalents(irl_page *page) {
  section s = {.page = page};
  const irl_status status = irl_equivalents_walk(page->env, page->fit, put_place, &s);
  if (!s.is_open) return status;
  irl_text_puts(&page->text,
                "</tbody>\n</table></div>\n<p class=\"hint\">Each of these, one at a time, gives "
                "a rule that is as good on these data, or, with a number, one whose objective "
                "changes by it. Which of them the rule holds is chance.</p>\n</section>\n");
  return status;
}
