/* One page in HTML about a fit: it needs no network, loads nothing, and can be kept, mailed and
 * printed. All that comes from the data or the user goes through irl_html_text; a content policy
 * forbids everything that is not in the page itself. The same fit gives the same bytes, so it says
 * neither when nor how fast it was made. */
#include "report/page.h"
#include "ireland_study.h"
#include "report/html.h"
#include <inttypes.h>

const char *irl_page_positive(const irl_page *page) {
  return page->about.positive ? page->about.positive : "1";
}

const char *irl_page_negative(const irl_page *page) {
  return page->about.negative ? page->about.negative : "0";
}

irl_status irl_report_page(irl_env *env, const irl_fit_result *fit, const irl_curve *curve,
                           const irl_options *options, const char *command, char **html) {
  irl_page page = {.env = env,
                   .fit = fit,
                   .curve = curve,
                   .options = options,
                   .command = command,
                   .evaluation = IRL_SIZED(irl_evaluation),
                   .about = IRL_SIZED(irl_data_info)};
  irl_status status = irl_evaluate(env, fit->rule, fit->data, &page.evaluation);
  if (status) return status;
  irl_data_describe(fit->data, &page.about);
  const irl_data_info *about = &page.about;
  const char *target = about->target ? about->target : "y";
  irl_text *text = &page.text;
  irl_text_init(text, env);
  irl_html_put(
      text,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Rule for %s</title>\n<style>",
      target);
  irl_text_puts(text, irl_page_style);
  irl_text_puts(text, irl_chart_style);
  irl_html_put(text,
               "</style>\n</head>\n<body>\n<main>\n<header>\n<h1>When is <code>%s</code> = "
               "<code>%s</code>?</h1>\n",
               target, irl_page_positive(&page));
  irl_text_printf(text,
                  "<p class=\"lead\">A rule learnt from %" PRIu64 " samples: %" PRIu64
                  " cases and %" PRIu64 " controls, %" PRIu64 " features.</p>\n</header>\n",
                  about->samples, about->cases, about->controls, about->features);
  irl_page_rule(&page);
  irl_page_measures(&page);
  irl_page_certainty(&page);
  irl_page_confusion(&page);
  status = irl_page_clauses(&page);
  if (!status) status = irl_page_equivalents(&page);
  if (!status) irl_page_variants(&page);
  irl_page_curves(&page);
  irl_page_facts(&page);
  irl_text_puts(text, "<footer>Made by ireland " IRL_VERSION
                      ". The page is complete in itself and loads nothing.</footer>\n"
                      "</main>\n<script>");
  irl_text_puts(text, irl_page_script);
  irl_text_puts(text, "</script>\n</body>\n</html>\n");
  if (!status) return irl_text_take(text, html);
  irl_text_drop(text);
  return status;
}
