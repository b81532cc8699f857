/* How certain the rule is, in words that need no mathematics; and all that is needed to make it
 * again. */
#include "base/c_locale.h"
#include "report/html.h"
#include "report/page.h"
#include <inttypes.h>
#include <math.h>

/* ---- certainty ---- */

static void put_proof(irl_page *page) {
  const irl_fit_info *info = &page->fit->info;
  irl_text *text = &page->text, scope;
  irl_text_init(&scope, page->env);
  irl_scope_print(&scope, page->fit->scope);
  irl_text_puts(text, info->outcome == IRL_OUTCOME_OPTIMAL
                          ? "<b>It is proven to be the best:</b> "
                          : "<b>It is not proven to be the best:</b> ");
  irl_html_put(text, "among all %s", scope.failed ? "" : scope.bytes);
  text->failed |= scope.failed;
  irl_text_drop(&scope);
  if (info->outcome == IRL_OUTCOME_OPTIMAL)
    irl_text_printf(text,
                    ": none has a smaller %s on these data. All rules of these literals are "
                    "accounted for, not only those that were tried; other literals, as by other "
                    "cuts, are not.</p>\n",
                    irl_fit_loss_name(page->fit));
  else if (info->bound > 0)
    irl_text_printf(text,
                    ": it is the best one found, and none could avoid more than "
                    "%.3g\xc2\xa0%% of its %s on these data.</p>\n",
                    100 * info->gap, irl_fit_loss_name(page->fit));
  else
    irl_text_puts(text, ": it is the best one found; how much better another could be is not "
                        "known.</p>\n");
  if (irl_fit_rests_on(page->fit))
    irl_html_put(text,
                 "<p>The bound is that of the checkpoint <code>%s</code>; this run has not shown "
                 "that it holds.</p>\n",
                 irl_fit_rests_on(page->fit));
}

/* On samples that were held out. */
static void put_test(irl_page *page) {
  const irl_evaluation *e = &page->fit->test;
  irl_text *text = &page->text;
  irl_text_printf(text,
                  "<p><b>On %" PRIu64 " samples that were held out</b> the rule finds %" PRIu64
                  " of %" PRIu64 " cases (95\xc2\xa0%% interval ",
                  e->tp + e->fp + e->tn + e->fn, e->tp, e->tp + e->fn);
  irl_page_put_interval(text, e->tp, e->tp + e->fn);
  irl_text_printf(text, ") and takes %" PRIu64 " of %" PRIu64 " controls for cases (", e->fp,
                  e->fp + e->tn);
  irl_page_put_interval(text, e->fp, e->fp + e->tn);
  irl_text_puts(text,
                "). All else on this page is about the samples that it was learnt from.</p>\n");
}

void irl_page_certainty(irl_page *page) {
  const irl_fit_info *info = &page->fit->info;
  irl_text *text = &page->text;
  irl_text_puts(text, "<section id=\"certainty\">\n<h2>How certain it is</h2>\n");
  /* "Of 100 cases it finds 98; of 100 controls it takes 2 for cases." */
  const irl_evaluation *e = &page->evaluation;
  irl_text_printf(&page->text,
                  "<p>Of 100 cases the rule finds about %.0f, and of 100 controls it takes about "
                  "%.0f for cases.</p>\n<p>",
                  100 * e->sensitivity, 100 * (1 - e->specificity));
  put_proof(page);
  if (info->outcome == IRL_OUTCOME_LIMIT || info->outcome == IRL_OUTCOME_INTERRUPTED)
    irl_text_puts(text, info->outcome == IRL_OUTCOME_LIMIT
                            ? "<p>The search ended at its limit of time or work.</p>\n"
                            : "<p>The search was interrupted before its end.</p>\n");
  if (page->fit->has_test)
    put_test(page);
  else
    irl_text_puts(text, "<p>All of this is about the samples that the rule was learnt from. New "
                        "samples may differ, and the more clauses were tried, the more a rule fits "
                        "its own data: test it on samples that were not used here.</p>\n");
  if (info->permutations)
    irl_text_printf(
        text,
        "<p><b>p-value of the whole search: %.4g.</b> With shuffled labels the "
        "strongest clause was as strong as the rule\xe2\x80\x99s strongest in %u of %u runs.</p>\n",
        info->p_value, page->fit->n_as_good, info->permutations);
  irl_text_puts(text, "<table class=\"facts\"><tbody>\n");
  irl_text_printf(text,
                  "<tr><th scope=\"row\">%s (objective)</th><td>%.6g (%.2f\xc2\xa0%%)</td></tr>\n"
                  "<tr><th scope=\"row\">proven bound: no rule has less</th><td>%.6g</td></tr>\n"
                  "<tr><th scope=\"row\">gap between them</th><td>%.2f\xc2\xa0%%</td></tr>\n"
                  "<tr><th scope=\"row\">status</th><td>%s</td></tr>\n</tbody></table>\n"
                  "</section>\n",
                  irl_fit_loss_name(page->fit), info->objective, 100 * info->rate, info->bound,
                  100 * info->gap, irl_outcome_text(info->outcome));
}

/* ---- data, options, command ---- */

static void put_fact(irl_text *text, const char *name, const char *value) {
  irl_html_put(text, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", name, value);
}

static void put_number(irl_text *text, const char *name, uint64_t value) {
  char shown[32];
  snprintf(shown, sizeof shown, "%" PRIu64, value);
  put_fact(text, name, shown);
}

void irl_page_facts(irl_page *page) {
  const irl_fit_info *info = &page->fit->info;
  const irl_data_info *about = &page->about;
  irl_text *text = &page->text;
  char shown[512];
  irl_text_puts(text, "<div class=\"pair\">\n<section id=\"data\">\n<h2>Data</h2>\n"
                      "<table class=\"facts\"><tbody>\n");
  put_number(text, "samples", about->samples);
  put_number(text, "cases", about->cases);
  put_number(text, "controls", about->controls);
  put_number(text, "features", about->features);
  irl_c_snprintf(shown, sizeof shown, "%.1f %%", 100 * about->density);
  put_fact(text, "feature cells that are 1", shown);
  put_fact(text, "label column", about->target ? about->target : "y");
  put_fact(text, "label of the cases", irl_page_positive(page));
  put_fact(text, "label of the controls", irl_page_negative(page));
  snprintf(shown, sizeof shown, "%016" PRIx64, about->checksum);
  put_fact(text, "checksum", shown);
  irl_text_puts(text, "</tbody></table>\n</section>\n<section id=\"origin\">\n"
                      "<h2>How it was made</h2>\n<table class=\"facts\"><tbody>\n");
  put_fact(text, "program", "ireland " IRL_VERSION);
  put_fact(text, "method", info->method);
  put_number(text, "clauses, at most (K)", info->K);
  put_number(text, "literals in a clause, at most (M)", info->M);
  /* Shows options that decide what is learnt, if they are not the preset: not how many threads did
   * it. */
  const unsigned jobs = IRL_FOR_READ | IRL_FOR_LEARN | IRL_FOR_RUN | IRL_FOR_CURVE;
  size_t n;
  const irl_option_info *table = irl_options_table(&n);
  for (const irl_option_info *option = table; option < table + n; option++) {
    const void *field = (const char *)page->options + option->offset;
    if (!(option->jobs & jobs) || !strcmp(option->name, "threads") ||
        !strcmp(option->name, "seed") || strlen(option->name) == 1 ||
        !irl_option_is_set(option, page->options))
      continue;
    if (option->type == IRL_OPTION_FLAG)
      snprintf(shown, sizeof shown, "%s", *(const bool *)field ? "yes" : "no");
    else if (option->type == IRL_OPTION_INTEGER)
      snprintf(shown, sizeof shown, "%" PRId64, *(const int64_t *)field);
    else if (option->type == IRL_OPTION_REAL)
      irl_c_snprintf(shown, sizeof shown, "%.10g", *(const double *)field);
    else if (option->type == IRL_OPTION_TEXT)
      snprintf(shown, sizeof shown, "%s", *(const char *const *)field);
    else if (option->type == IRL_OPTION_OBJECT)
      snprintf(shown, sizeof shown, "given");
    else
      irl_option_render(option, page->options, shown);
    put_fact(text, option->name, shown);
  }
  put_number(text, "seed", info->seed);
  put_number(text, "work", info->work);
  irl_text_puts(text, "</tbody></table>\n</section>\n</div>\n");
  if (page->command) {
    const bool is_exact =
        page->options->limits.time_limit == 0 && info->outcome != IRL_OUTCOME_INTERRUPTED;
    irl_text_puts(text, is_exact ? "<p>This command makes it again, byte for byte:</p>\n"
                                 : "<p>This command makes it again; the clock may end it at "
                                   "another place:</p>\n");
    irl_html_put(text, "<pre tabindex=\"0\">%s</pre>\n", page->command);
  }
}
