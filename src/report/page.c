/* One page in HTML about a fit: it needs no network, loads nothing, and can be kept, mailed and
 * printed. All that comes from the data or the user goes through irl_html_text; a content policy
 * forbids everything that is not in the page itself.
 *
 * The same fit gives the same bytes, so they do not say when or how fast it was made. The reader
 * sees a date all the same: the browser knows when the file was saved, and the script shows it. */
#include "report/page.h"
#include "base/memory.h"
#include "ireland_study.h"
#include "report/html.h"
#include "table/raw_table.h"
#include <inttypes.h>

const char *irl_page_positive(const irl_page *page) {
  return page->about.positive ? page->about.positive : "1";
}

const char *irl_page_negative(const irl_page *page) {
  return page->about.negative ? page->about.negative : "0";
}

const char *irl_page_file_name(const char *path) {
  if (!path || !*path || !strcmp(path, "-")) return NULL;
  const char *name = path;
  for (const char *at = name; *at; at++)
    if ((*at == '/' || *at == '\\') && at[1]) name = at + 1;
  return name;
}

/* SHA-256, in base64, of what stands between the tags of style and of script: a browser applies
 * these and nothing that a name or a cell might smuggle in. tests/cli/test_page.sh computes them
 * anew and says what they should be. */
#define STYLE_SUM  "p0CSxlMBbv/+OK3wNS/s2sXwNFdKoAZQyleyi/BtuQc="
#define SCRIPT_SUM "NUb0JKmFm6aq5xLayCBjN45A/BJqosG29JGjiykhPJs="

static void put_parts(irl_text *text, const char *const *parts) {
  for (; *parts; parts++) irl_text_puts(text, *parts);
}

void irl_page_open(irl_text *text, const char *title, const char *data_name) {
  irl_html_put(text,
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
               "base-uri 'none'; form-action 'none'; style-src 'sha256-" STYLE_SUM
               "'; script-src 'sha256-" SCRIPT_SUM "'\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s%s%s</title>\n"
               "<style>",
               title, data_name ? " in " : "", data_name ? data_name : "");
  put_parts(text, irl_page_style);
  irl_text_puts(text, irl_chart_style);
  irl_text_puts(text, "</style>\n</head>\n<body>\n<main>\n<header>\n");
}

void irl_page_close(irl_text *text) {
  irl_text_puts(text, "<footer>Made by ireland " IRL_VERSION
                      ". The page is complete in itself and loads nothing.</footer>\n"
                      "</main>\n<script>");
  put_parts(text, irl_page_script);
  irl_text_puts(text, "</script>\n</body>\n</html>\n");
}

static irl_status put_head(irl_page *page) {
  irl_text *text = &page->text;
  const irl_data_info *about = &page->about;
  const char *target = about->target ? about->target : "y";
  irl_text title;
  char *shown = NULL;
  irl_text_init(&title, page->env);
  irl_text_printf(&title, "Rule for %s", target);
  const irl_status status = irl_text_take(&title, &shown);
  if (status) return status;
  irl_page_open(text, shown, page->data_name);
  irl_mem_free(&page->env->allocator, shown);
  irl_html_put(text,
               "<h1>When is <code>%s</code> = "
               "<code>%s</code>?</h1>\n<p class=\"lead\">A rule learnt from ",
               target, irl_page_positive(page));
  if (page->data_name) irl_html_put(text, "<code>%s</code>: ", page->data_name);
  irl_text_printf(text,
                  "%" PRIu64 " samples, of which %" PRIu64 " are cases and %" PRIu64
                  " controls; %" PRIu64 " features.<span class=\"saved\"></span></p>\n</header>\n",
                  about->samples, about->cases, about->controls, about->features);
  return IRL_STATUS_OK;
}

static irl_status put_body(irl_page *page) {
  irl_status status;
  irl_page_rule(page);
  irl_page_measures(page);
  irl_page_certainty(page);
  irl_page_confusion(page);
  irl_page_prevalence(page);
  status = irl_page_clauses(page);
  if (!status) status = irl_page_patterns(page);
  if (!status) status = irl_page_equivalents(page);
  if (!status) status = irl_page_optimal_rules(page);
  if (status) return status;
  irl_page_stability(page);
  status = irl_page_variants(page);
  if (status) return status;
  irl_page_curves(page);
  status = irl_page_columns(page);
  irl_page_methods(page);
  irl_page_facts(page);
  return status;
}

irl_status irl_report_page(irl_env *env, const irl_fit_result *fit, const irl_curve *curve,
                           const irl_options *options, const char *command, char **html) {
  irl_page page = {.env = env,
                   .fit = fit,
                   .curve = curve,
                   .options = options,
                   .command = command,
                   .data_name = fit->table ? irl_page_file_name(fit->table->path) : NULL,
                   .about = IRL_SIZED(irl_data_info)};
  irl_status status = irl_rule_bind(env, fit->rule, fit->data, &page.bound);
  if (status) return status;
  irl_text *text = &page.text;
  irl_text_init(text, env);
  irl_data_describe(fit->data, &page.about);
  status = irl_page_measure(&page);
  if (!status) status = put_head(&page);
  if (!status) status = put_body(&page);
  if (!status) irl_page_close(text);
  irl_bound_rule_free(env, &page.bound);
  if (!status) return irl_text_take(text, html);
  irl_text_drop(text);
  return status;
}
