/* The rule in words, its clauses one by one (what each covers, how
 * precise it is, what only it explains), and for each place of the rule where other literals could
 * stand, which: SNPs in linkage disequilibrium are the usual case. */
#include "base/memory.h"
#include "bits/kernels.h"
#include "ireland_study.h"
#include "learn/equivalent.h"
#include "report/html.h"
#include "report/page.h"
#include "rule/clause_rows.h"
#include "rule/statistics.h"
#include <inttypes.h>

#define SHOWN 20u /* equivalent literals for one place */

void irl_page_put_interval(irl_text *text, uint64_t hits, uint64_t n) {
  double low, high;
  irl_statistics_wilson(hits, n, &low, &high);
  irl_page_put_range(text, low, high);
}

void irl_page_rule(irl_page *page) {
  irl_text *text = &page->text, cnf;
  const irl_rule *rule = page->fit->rule;
  irl_text_puts(text, "<section id=\"rule\">\n<h2>The rule</h2>\n");
  /* All else on the page is about the reflection of a CNF: the other class is that of the cases. */
  if (page->fit->data->is_reflected) {
    irl_text_init(&cnf, page->env);
    irl_rule_print_cnf(&cnf, rule);
    irl_html_put(
        text,
        "<p>A CNF for <code>%s</code>: <code class=\"long\" id=\"cnf\">%s</code></p>\n<p>The same "
        "as "
        "clauses for <code>%s</code>, any of which says so, stands below. This page calls the "
        "samples with that label cases: its sensitivity is the specificity of the CNF, and "
        "the other way round.</p>\n",
        irl_page_negative(page), cnf.failed ? "" : cnf.bytes, irl_page_positive(page));
    text->failed |= cnf.failed;
    irl_text_drop(&cnf);
  }
  irl_html_put(text,
               !rule->n_clauses       ? "<p>Predict <code>%s</code> <i>never</i>; predict "
               : rule->n_clauses == 1 ? "<p>Predict <code>%s</code> if</p>\n<ol class=\"rule\">\n"
                                      : "<p>Predict <code>%s</code> if at least one of these "
                                        "holds:</p>\n<ol class=\"rule\">\n",
               irl_page_positive(page));
  for (size_t k = 0; k < rule->n_clauses; k++) {
    irl_text_puts(text, "<li>");
    irl_html_clause(text, rule, k);
    irl_text_puts(text, "</li>\n");
  }
  irl_html_put(text,
               rule->n_clauses ? "</ol>\n<p>and otherwise <code>%s</code>.</p>\n"
                               : "<code>%s</code> always.</p>\n",
               irl_page_negative(page));
  if (page->fit->reason) irl_html_put(text, "<p>Why: %s.</p>\n", page->fit->reason);
  irl_text_puts(text, "</section>\n");
}

/* ---- clause by clause ---- */

/* Samples that clause k covers and no other; `scratch` is a vector. */
static uint64_t count_alone(const irl_bits_matrix *covers, size_t k, uint64_t *scratch) {
  const irl_kernels *kernels = irl_bits_kernels();
  memcpy(scratch, irl_bits_vector(covers, k), covers->stride * sizeof *scratch);
  for (size_t i = 0; i < covers->n_vectors; i++)
    if (i != k) kernels->andnot_into(scratch, scratch, irl_bits_vector(covers, i), covers->stride);
  return kernels->count(scratch, covers->stride);
}

static void put_row(irl_page *page, const irl_bound_rule *bound, size_t k, uint64_t *scratch) {
  irl_text *text = &page->text;
  const irl_statistics s = irl_clause_row(bound, k);
  irl_text_printf(text, "<tr><td>%zu</td><td class=\"text\">", k + 1);
  irl_html_clause(text, bound->rule, k);
  irl_text_printf(text, "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>", s.tp, s.fp);
  irl_html_percent(text, s.tp + s.fp ? s.precision : 0);
  irl_text_puts(text, "<small>");
  irl_page_put_interval(text, s.tp, s.tp + s.fp);
  irl_text_printf(text,
                  "</small></td><td>%.4g%s<small>%.3g to %.3g</small></td><td>%.3g</td>"
                  "<td>%" PRIu64 "</td><td>%" PRIu64 "</td></tr>\n",
                  s.odds_ratio, s.is_corrected ? "*" : "", s.odds_low, s.odds_high,
                  page->fit->clause_p ? page->fit->clause_p[k] : s.fisher_p,
                  count_alone(&bound->cases, k, scratch),
                  count_alone(&bound->controls, k, scratch));
}

irl_status irl_page_clauses(irl_page *page) {
  irl_text *text = &page->text;
  const irl_bound_rule *bound = &page->bound;
  if (!page->fit->rule->n_clauses) return IRL_STATUS_OK;
  const size_t words =
      bound->cases.stride > bound->controls.stride ? bound->cases.stride : bound->controls.stride;
  uint64_t *scratch = irl_mem_alloc_aligned(&page->env->allocator, words, sizeof *scratch);
  if (!scratch) return irl_fail_memory(page->env);
  irl_text_puts(text, "<section id=\"clauses\">\n<h2>Clause by clause</h2>\n<p>On the samples that "
                      "it was learnt from.</p>\n<div class=\"wide\">"
                      "<table class=\"numbers\">\n<thead><tr><th></th>"
                      "<th scope=\"col\" class=\"text\">clause</th><th scope=\"col\">cases</th>"
                      "<th scope=\"col\">controls</th><th scope=\"col\">precision"
                      "<small>95\xc2\xa0% interval</small></th><th scope=\"col\">odds ratio"
                      "<small>95\xc2\xa0% interval</small></th><th scope=\"col\">");
  irl_text_puts(text, page->fit->clause_p
                          ? "<span class=\"range\">p-value</span><small>of the search</small>"
                          : "nominal p<small>not valid after search</small>");
  irl_text_puts(text, "</th><th scope=\"col\">cases<small>only it "
                      "explains</small></th><th scope=\"col\">controls<small>only it adds</small>"
                      "</th></tr></thead>\n<tbody>\n");
  for (size_t k = 0; k < page->fit->rule->n_clauses; k++) put_row(page, bound, k, scratch);
  irl_text_puts(text,
                "</tbody>\n</table></div>\n<p class=\"hint\">Precision is the share of cases "
                "among the samples that a clause covers; *: a cell of its table is 0, so one half "
                "was added to each for the odds ratio. ");
  irl_text_puts(text, page->fit->clause_p
                          ? "The p-values are those of the whole search with shuffled labels, and "
                            "hold for all clauses together."
                          : "Fisher\xe2\x80\x99s test is for a clause that was fixed before the "
                            "data was seen. These were chosen because they fit, so their nominal p "
                            "is not valid after search, nor do the intervals allow for it; "
                            "<code>--permutations</code> gives p-values that hold.");
  irl_text_puts(text, " A clause that explains few cases of its own is more likely to be "
                      "chance.</p>\n</section>\n");
  irl_mem_free_aligned(&page->env->allocator, scratch);
  return IRL_STATUS_OK;
}

/* ---- equivalent literals ---- */

typedef struct section {
  irl_page *page;
  bool is_open;
} section;

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
  irl_html_put(text, "<code>%s%s</code></td><td class=\"text\">",
               irl_literal_is_negated(place->literal) ? IRL_NEGATION : "",
               irl_rule_name(place->rule, place->literal));
  for (uint32_t i = 0; i < found->n && i < SHOWN; i++) {
    const irl_equivalent *other = &found->others[i];
    const irl_literal_view words = irl_literal_in_words(place->data, other->literal);
    irl_html_put(text, "%s<code>%s%s</code>", i ? ", " : "", words.negated ? IRL_NEGATION : "",
                 words.feature);
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
