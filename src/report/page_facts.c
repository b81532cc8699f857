/* Where the rule comes from, and all that is needed to make it again: data, options, command. */
#include "base/c_locale.h"
#include "report/html.h"
#include "report/page.h"
#include <inttypes.h>

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
  if (page->data_name) put_fact(text, "file", page->data_name);
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
