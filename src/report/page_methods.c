/* A paragraph for the methods and results of a paper, with what the run knows of the items of
 * TRIPOD (Collins and others 2015), and the list of those that only the authors know. */
#include "report/html.h"
#include "report/page.h"
#include <inttypes.h>
#include <math.h>

static void put_data(irl_page *page) {
  const irl_data_info *about = &page->about;
  const irl_evaluation *held = &page->figures[IRL_PAGE_HELD_OUT].counts;
  irl_text *text = &page->text;
  irl_html_put(text, "<p>The outcome was %s = %s. ", about->target ? about->target : "y",
               irl_page_positive(page));
  irl_text_printf(text,
                  "The rule was developed on %" PRIu64 " samples (%" PRIu64 " with the outcome, "
                  "%" PRIu64 " without)",
                  about->samples, about->cases, about->controls);
  if (page->data_name) irl_html_put(text, " from the file %s", page->data_name);
  if (page->figures[IRL_PAGE_HELD_OUT].is_known)
    irl_text_printf(text,
                    "; %" PRIu64 " further samples, drawn at random within each class, were held "
                    "out",
                    held->tp + held->fp + held->tn + held->fn);
  irl_text_puts(text, ". ");
}

static void put_predictors(irl_page *page) {
  static const char *const missing[] = {
      [IRL_MISSING_DEFAULT] = "A condition on a missing value was taken not to hold. ",
      [IRL_MISSING_FALSE] = "A condition on a missing value was taken not to hold. ",
      [IRL_MISSING_DROP] = "Samples with missing values were left out. ",
      [IRL_MISSING_IMPUTE] =
          "Missing values were replaced by the median or the most frequent value. ",
      [IRL_MISSING_ERROR] = "There were no missing values. "};
  const irl_data *data = page->fit->data;
  const irl_scope *scope = page->fit->scope;
  irl_text *text = &page->text;
  if (!irl_has_conditions(&data->conditions)) {
    irl_text_printf(text, "There were %u candidate predictors, all of them binary. ",
                    data->n_features);
    return;
  }
  irl_text_printf(text, "There were %zu candidate predictors, which gave %u binary conditions",
                  data->conditions.columns.n, data->n_features);
  if (scope && scope->cuts)
    irl_html_put(text, ": numbers were cut at points found in the same samples (%s)", scope->cuts);
  irl_text_puts(text, ". ");
  irl_text_puts(text, missing[page->options->data.missing]);
}

static void put_model(irl_page *page) {
  const irl_fit_info *info = &page->fit->info;
  irl_text *text = &page->text, scope;
  irl_text_init(&scope, page->env);
  irl_scope_print(&scope, page->fit->scope);
  irl_text_printf(text,
                  "The model is a rule in disjunctive normal form: a sample is predicted to have "
                  "the outcome if at least one clause holds, a clause being a conjunction of "
                  "conditions. It minimises the %s",
                  irl_fit_loss_name(page->fit));
  irl_html_put(text, " among %s", scope.failed ? "" : scope.bytes);
  irl_html_put(text, ", and was found by ireland " IRL_VERSION " (method %s", info->method);
  irl_text_printf(text, ", seed %" PRIu64 ")", info->seed);
  text->failed |= scope.failed;
  irl_text_drop(&scope);
  if (info->outcome == IRL_OUTCOME_OPTIMAL)
    irl_text_printf(text,
                    ", which proved that no rule of this form has a smaller %s on these "
                    "samples. ",
                    irl_fit_loss_name(page->fit));
  else
    irl_text_puts(text, "; that no rule of this form does better was not proven. ");
}

static void put_share(irl_text *text, const char *name, irl_interval x, const char *end) {
  irl_text_printf(text, "%s %.1f\xc2\xa0%% (95\xc2\xa0%% interval %.1f to %.1f)%s", name,
                  100 * x.value, 100 * x.low, 100 * x.high, end);
}

static void put_performance(irl_page *page) {
  irl_text *text = &page->text, method;
  irl_text_init(&method, page->env);
  if (page->figures[IRL_PAGE_NEW].is_known) irl_report_print_method(&method, &page->fit->estimate);
  for (irl_page_source s = 0; s < IRL_PAGE_SOURCES; s++) {
    const irl_page_figures *f = &page->figures[s];
    if (!f->is_known) continue;
    irl_html_put(text,
                 s == IRL_PAGE_HELD_OUT ? "In the held-out samples "
                 : s == IRL_PAGE_NEW    ? "Internal validation of the whole procedure, coding "
                                          "included (%s), gave "
                                        : "In the samples that it was developed on ",
                 method.length && !method.failed ? method.bytes : "");
    put_share(text, s == IRL_PAGE_NEW ? "a sensitivity of" : "sensitivity was",
              f->shares.sensitivity, ", ");
    put_share(text, s == IRL_PAGE_NEW ? "a specificity of" : "specificity", f->shares.specificity,
              " and ");
    put_share(text, s == IRL_PAGE_NEW ? "a balanced accuracy of" : "balanced accuracy",
              f->balanced_accuracy, ". ");
  }
  text->failed |= method.failed;
  irl_text_drop(&method);
  irl_text_puts(text, "Intervals are those of Wilson, for the mean of two shares by Newcombe\xe2"
                      "\x80\x99s square-and-add. ");
  if (page->fit->info.permutations)
    irl_text_printf(text,
                    "The association is beyond chance with p = %.4g by %u permutations of the "
                    "whole search. ",
                    page->fit->info.p_value, page->fit->info.permutations);
  irl_text_printf(text, "The checksum of the data is %016" PRIx64 ".</p>\n", page->about.checksum);
}

void irl_page_methods(irl_page *page) {
  irl_text *text = &page->text;
  irl_text_puts(text, "<section id=\"methods\">\n<h2>For the methods of a paper</h2>\n"
                      "<div class=\"paste\" id=\"methods-text\">\n");
  put_data(page);
  put_predictors(page);
  put_model(page);
  put_performance(page);
  irl_text_puts(text,
                "</div>\n<p><button type=\"button\" class=\"copy\" hidden=\"hidden\">Copy the "
                "text</button> <span class=\"copied\" role=\"status\"></span></p>\n<p "
                "class=\"hint\">What TRIPOD asks for and only you know: aim and intended use (item "
                "3), source of the data, setting and dates (4, 5a), who was eligible and treated "
                "how (5b, 5c), how outcome and predictors were measured, and whether blindly (6, "
                "7), how the number of samples came about (8), funding (22).</p>\n</section>\n");
}
