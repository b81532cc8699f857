/* What the rule is worth, in figures. The large ones are those that say most about new samples:
 * samples that were held out, or else the estimate by internal validation; those of the samples
 * that the rule was learnt from stand beside them, and are large only where nothing else is known.
 */
#include "report/html.h"
#include "report/page.h"
#include "validate/estimate.h"
#include <inttypes.h>
#include <math.h>

/* ---- where figures come from ---- */

const char *irl_page_source_name(irl_page_source source) {
  static const char *const names[IRL_PAGE_SOURCES] = {
      "samples that were held out", "new samples, as estimated", "samples that it was learnt from"};
  assert(source < IRL_PAGE_SOURCES);
  return names[source];
}

static void take_estimate(irl_page_figures *f, const irl_estimate *e, bool is_turned) {
  const irl_interval of_cases = {e->sensitivity, e->sensitivity_low, e->sensitivity_high};
  const irl_interval of_controls = {e->specificity, e->specificity_low, e->specificity_high};
  f->is_known = true;
  f->balanced_accuracy = (irl_interval){e->balanced_accuracy, e->low, e->high};
  f->shares.sensitivity = is_turned ? of_controls : of_cases;
  f->shares.specificity = is_turned ? of_cases : of_controls;
}

irl_status irl_page_measure(irl_page *page) {
  const irl_fit_result *fit = page->fit;
  irl_page_figures *f = page->figures;
  irl_estimate e = {0};
  const bool is_turned = fit->data->is_reflected; /* test and estimate are of the given classes */
  f[IRL_PAGE_TRAINING].counts = IRL_SIZED(irl_evaluation);
  const irl_status status =
      irl_evaluate(page->env, fit->rule, fit->data, &f[IRL_PAGE_TRAINING].counts);
  if (status) return status;
  irl_estimate_of_counts(&f[IRL_PAGE_TRAINING].counts, &e);
  take_estimate(&f[IRL_PAGE_TRAINING], &e, false);
  if (fit->has_test) {
    f[IRL_PAGE_HELD_OUT].counts = fit->test;
    if (is_turned) irl_evaluation_turn(&f[IRL_PAGE_HELD_OUT].counts);
    irl_estimate held = {0};
    irl_estimate_of_test(fit, &held);
    take_estimate(&f[IRL_PAGE_HELD_OUT], &held, is_turned);
  }
  if (fit->estimate.method && !fit->no_estimate)
    take_estimate(&f[IRL_PAGE_NEW], &fit->estimate, is_turned);
  page->main = 0;
  while (!f[page->main].is_known) page->main++;
  assert(page->main < IRL_PAGE_SOURCES);
  return IRL_STATUS_OK;
}

/* ---- large figures ---- */

void irl_page_put_range(irl_text *text, double low, double high) {
  irl_text_puts(text, "<span class=\"range\">");
  irl_html_percent(text, low);
  irl_text_puts(text, " to ");
  irl_html_percent(text, high);
  irl_text_puts(text, "</span>");
}

static void put_measure(irl_page *page, const char *name, irl_interval value, irl_interval own) {
  irl_text *text = &page->text;
  irl_text_printf(text, "<div><dt>%s</dt><dd><b>", name);
  irl_html_percent(text, value.value);
  irl_text_puts(text, "</b><span>95\xc2\xa0% interval ");
  irl_page_put_range(text, value.low, value.high);
  irl_text_puts(text, "</span>");
  if (page->main != IRL_PAGE_TRAINING) {
    irl_text_puts(text, "<span>samples learnt from: ");
    irl_html_percent(text, own.value);
    irl_text_puts(text, "</span>");
  }
  irl_text_puts(text, "</dd></div>\n");
}

/* What the figures are of, in a sentence. */
static void put_source(irl_page *page) {
  const irl_evaluation *held = &page->figures[IRL_PAGE_HELD_OUT].counts;
  irl_text *text = &page->text, method;
  if (page->main == IRL_PAGE_HELD_OUT) {
    irl_text_printf(text,
                    "<p>On <b>%" PRIu64 " samples that were held out</b>: neither the search nor "
                    "the coding of the columns has seen them.</p>\n",
                    held->tp + held->fp + held->tn + held->fn);
  } else if (page->main == IRL_PAGE_NEW) {
    irl_text_init(&method, page->env);
    irl_report_print_method(&method, &page->fit->estimate);
    irl_html_put(text,
                 "<p>On <b>new samples of the same kind</b>, as estimated by %s: rules are "
                 "learnt in the same way from parts of the samples and tested on the others. The "
                 "estimate is of this way of learning; the rule itself was learnt from all.</p>\n",
                 method.failed ? "" : method.bytes);
    text->failed |= method.failed;
    irl_text_drop(&method);
  } else {
    irl_text_puts(text, "<p><b>Only on the samples that it was learnt from</b>, which flatters: "
                        "new samples may differ, and the more clauses were tried, the more a rule "
                        "fits its own data.</p>\n");
  }
  if (page->fit->no_estimate)
    irl_html_put(text, "<p>There is no estimate for new samples, since %s.</p>\n",
                 page->fit->no_estimate);
}

static void put_figure(irl_text *text, irl_interval x, bool is_share) {
  irl_text_puts(text, "<td>");
  if (is_share) {
    irl_html_percent(text, x.value);
    irl_text_puts(text, "<small>");
    irl_page_put_range(text, x.low, x.high);
  } else if (isnan(x.value)) {
    irl_text_puts(text, "\xe2\x80\x93<small>");
  } else {
    irl_text_printf(text, isinf(x.value) ? "\xe2\x88\x9e" : "%.3g", x.value);
    irl_text_printf(text, isinf(x.high) ? "<small>%.3g to \xe2\x88\x9e" : "<small>%.3g to %.3g",
                    x.low, x.high);
  }
  irl_text_puts(text, "</small></td>");
}

enum { SENSITIVITY, SPECIFICITY, BALANCED, POSITIVE_RATIO, NEGATIVE_RATIO, N_ROWS };

static irl_interval figure_of(const irl_page_figures *f, int row) {
  return row == SENSITIVITY   ? f->shares.sensitivity
         : row == SPECIFICITY ? f->shares.specificity
         : row == BALANCED    ? f->balanced_accuracy
                              : irl_likelihood_ratio(&f->shares, row == POSITIVE_RATIO);
}

/* All figures from all sources, side by side. */
static void put_table(irl_page *page) {
  static const char *const names[N_ROWS] = {
      "sensitivity<small>cases that it finds</small>",
      "specificity<small>controls that it leaves alone</small>",
      "balanced accuracy<small>the mean of both</small>",
      "likelihood ratio +<small>odds rise so if it says yes</small>",
      "likelihood ratio \xe2\x88\x92<small>odds fall so if it says no</small>"};
  irl_text *text = &page->text;
  irl_text_puts(text, "<div class=\"wide\"><table class=\"numbers\" id=\"figures\">\n<thead><tr>"
                      "<th></th>");
  for (irl_page_source s = 0; s < IRL_PAGE_SOURCES; s++)
    if (page->figures[s].is_known)
      irl_text_printf(text, "<th scope=\"col\">%s</th>", irl_page_source_name(s));
  irl_text_puts(text, "</tr></thead>\n<tbody>\n");
  for (int row = 0; row < N_ROWS; row++) {
    irl_text_printf(text, "<tr><th scope=\"row\">%s</th>", names[row]);
    for (irl_page_source s = 0; s < IRL_PAGE_SOURCES; s++)
      if (page->figures[s].is_known)
        put_figure(text, figure_of(&page->figures[s], row), row <= BALANCED);
    irl_text_puts(text, "</tr>\n");
  }
  irl_text_puts(text, "</tbody>\n</table></div>\n<p class=\"hint\">Below each figure its "
                      "95\xc2\xa0% interval, which is about the samples that were tested. ");
  irl_text_puts(text, page->options->data.group
                          ? "For samples that it was not learnt from it knows "
                            "of the groups. "
                          : "It takes them as independent. ");
  irl_text_puts(text, page->main == IRL_PAGE_TRAINING
                          ? "That the rule was chosen because it fits is not in it.</p>\n"
                          : "For the samples that the rule was learnt from it does not allow for "
                            "the choice of the rule.</p>\n");
}

void irl_page_measures(irl_page *page) {
  irl_text *text = &page->text;
  const irl_page_figures *f = &page->figures[page->main], *own = &page->figures[IRL_PAGE_TRAINING];
  irl_text_puts(text, "<section id=\"worth\">\n<h2>What it is worth</h2>\n");
  put_source(page);
  irl_text_puts(text, "<dl class=\"measures\">\n");
  put_measure(page, "Balanced accuracy", f->balanced_accuracy, own->balanced_accuracy);
  put_measure(page, "Sensitivity", f->shares.sensitivity, own->shares.sensitivity);
  put_measure(page, "Specificity", f->shares.specificity, own->shares.specificity);
  irl_text_printf(text,
                  "</dl>\n<p>Of 100 cases the rule finds about %.0f, and of 100 controls it takes "
                  "about %.0f for cases.</p>\n",
                  100 * f->shares.sensitivity.value, 100 * (1 - f->shares.specificity.value));
  put_table(page);
  irl_text_puts(text, "</section>\n");
}

/* ---- right and wrong ---- */

static void put_counts(irl_text *text, uint64_t a, uint64_t b) {
  irl_text_printf(text, "<td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td></tr>\n", a, b,
                  a + b);
}

static void put_matrix(irl_page *page, irl_page_source source) {
  const irl_evaluation *e = &page->figures[source].counts;
  irl_text *text = &page->text;
  irl_text_printf(text,
                  "<div class=\"wide\"><table class=\"numbers\">\n<caption>%s</caption>\n<thead>"
                  "<tr><th></th><th scope=\"col\">cases</th><th scope=\"col\">controls</th>"
                  "<th scope=\"col\">all</th></tr></thead>\n<tbody>\n",
                  source == IRL_PAGE_HELD_OUT ? "Samples that were held out"
                                              : "Samples that it was learnt from");
  irl_html_put(text, "<tr><th scope=\"row\">predicted <code>%s</code></th>",
               irl_page_positive(page));
  put_counts(text, e->tp, e->fp);
  irl_html_put(text, "<tr><th scope=\"row\">predicted <code>%s</code></th>",
               irl_page_negative(page));
  put_counts(text, e->fn, e->tn);
  irl_text_puts(text, "<tr><th scope=\"row\">all</th>");
  put_counts(text, e->tp + e->fn, e->fp + e->tn);
  irl_text_puts(text, "</tbody>\n</table></div>\n");
}

void irl_page_confusion(irl_page *page) {
  irl_text *text = &page->text;
  irl_text_puts(text, "<section id=\"confusion\">\n<h2>What it gets right and wrong</h2>\n"
                      "<div class=\"pair\">\n");
  if (page->figures[IRL_PAGE_HELD_OUT].is_known) put_matrix(page, IRL_PAGE_HELD_OUT);
  put_matrix(page, IRL_PAGE_TRAINING);
  irl_text_puts(text, "</div>\n</section>\n");
}
