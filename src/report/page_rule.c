/* The rule in words, and what it gets right and wrong. */
#include "report/html.h"
#include "report/page.h"
#include "rule/statistics.h"

void irl_page_put_interval(irl_text *text, uint64_t hits, uint64_t n) {
  double low, high;
  irl_statistics_wilson(hits, n, &low, &high);
  irl_html_percent(text, low);
  irl_text_puts(text, " to ");
  irl_html_percent(text, high);
}

/* All else on the page is about the reflection of a CNF: the other class is that of the cases. */
static void put_cnf(irl_page *page) {
  irl_text *text = &page->text, cnf;
  irl_text_init(&cnf, page->env);
  irl_rule_print_cnf(&cnf, page->fit->rule);
  irl_html_put(
      text,
      "<p>A CNF for <code>%s</code>: <code id=\"cnf\">%s</code></p>\n<p>The same as "
      "clauses for <code>%s</code>, any of which says so, stands below. This page calls the "
      "samples with that label cases: its sensitivity is the specificity of the CNF, and "
      "the other way round.</p>\n",
      irl_page_negative(page), cnf.failed ? "" : cnf.bytes, irl_page_positive(page));
  text->failed |= cnf.failed;
  irl_text_drop(&cnf);
}

void irl_page_rule(irl_page *page) {
  irl_text *text = &page->text;
  const irl_rule *rule = page->fit->rule;
  irl_text_puts(text, "<section id=\"rule\">\n<h2>The rule</h2>\n");
  if (page->fit->data->is_reflected) put_cnf(page);
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

/* A large number, what it is, and how sure it is. */
static void put_measure(irl_text *text, const char *name, double value, const char *note,
                        uint64_t hits, uint64_t n) {
  irl_text_printf(text, "<div><dt>%s</dt><dd><b>", name);
  irl_html_percent(text, value);
  irl_text_printf(text, "</b><span>%s</span>", note);
  if (n) {
    irl_text_puts(text, "<span>95\xc2\xa0% interval ");
    irl_page_put_interval(text, hits, n);
    irl_text_puts(text, "</span>");
  }
  irl_text_puts(text, "</dd></div>\n");
}

void irl_page_measures(irl_page *page) {
  const irl_evaluation *e = &page->evaluation;
  irl_text *text = &page->text;
  char cases[80], controls[80];
  snprintf(cases, sizeof cases, "%llu of %llu cases found", (unsigned long long)e->tp,
           (unsigned long long)(e->tp + e->fn));
  snprintf(controls, sizeof controls, "%llu of %llu controls left alone", (unsigned long long)e->tn,
           (unsigned long long)(e->tn + e->fp));
  irl_text_puts(text, "<dl class=\"measures\">\n");
  put_measure(text, "Sensitivity", e->sensitivity, cases, e->tp, e->tp + e->fn);
  put_measure(text, "Specificity", e->specificity, controls, e->tn, e->tn + e->fp);
  put_measure(text, "Balanced accuracy", e->balanced_accuracy, "the mean of both", 0, 0);
  irl_text_puts(text, "</dl>\n");
}

static void put_counts(irl_text *text, uint64_t a, uint64_t b) {
  irl_text_printf(text, "<td>%llu</td><td>%llu</td><td>%llu</td></tr>\n", (unsigned long long)a,
                  (unsigned long long)b, (unsigned long long)(a + b));
}

void irl_page_confusion(irl_page *page) {
  const irl_evaluation *e = &page->evaluation;
  irl_text *text = &page->text;
  irl_html_put(text,
               "<section id=\"confusion\">\n<h2>What it gets right and wrong</h2>\n"
               "<div class=\"wide\"><table class=\"numbers\">\n<thead><tr><th></th>"
               "<th scope=\"col\">cases</th><th scope=\"col\">controls</th>"
               "<th scope=\"col\">all</th></tr></thead>\n<tbody>\n"
               "<tr><th scope=\"row\">predicted <code>%s</code></th>",
               irl_page_positive(page));
  put_counts(text, e->tp, e->fp);
  irl_html_put(text, "<tr><th scope=\"row\">predicted <code>%s</code></th>",
               irl_page_negative(page));
  put_counts(text, e->fn, e->tn);
  irl_text_puts(text, "<tr><th scope=\"row\">all</th>");
  put_counts(text, e->tp + e->fn, e->fp + e->tn);
  irl_text_puts(text, "</tbody>\n</table></div>\n");
  if (e->tp + e->fp) {
    irl_text_puts(text, "<p>Of those it predicts to be cases, ");
    irl_html_percent(text, (double)e->tp / (double)(e->tp + e->fp));
    irl_text_puts(text, " are (95\xc2\xa0% interval ");
    irl_page_put_interval(text, e->tp, e->tp + e->fp);
    irl_text_puts(text, "), at the share of cases that these data have.</p>\n");
  }
  irl_text_puts(text, "</section>\n");
}
