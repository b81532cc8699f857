/* Where the rule comes from, what is claimed of it, and all that is needed to make it again. */
#include "base/c_locale.h"
#include "report/page.h"
#include "table/raw_table.h"
#include <inttypes.h>

#define CHECKSUM 16 /* characters */

static void put_data(irl_page *page) {
  irl_data_info about = IRL_SIZED(irl_data_info);
  irl_json *json = &page->json;
  char checksum[CHECKSUM + 1];
  irl_data_describe(page->fit->data, &about);
  irl_json_open(json, "data", '{');
  irl_json_string(json, "file",
                  page->fit->table ? irl_page_file_name(page->fit->table->path) : NULL);
  irl_json_string(json, "target", about.target ? about.target : "y");
  irl_json_string(json, "positive", about.positive ? about.positive : "1");
  irl_json_string(json, "negative", about.negative ? about.negative : "0");
  irl_json_unsigned(json, "samples", about.samples);
  irl_json_unsigned(json, "cases", about.cases);
  irl_json_unsigned(json, "controls", about.controls);
  irl_json_unsigned(json, "features", about.features);
  irl_json_real(json, "density", about.density);
  snprintf(checksum, sizeof checksum, "%016" PRIx64, about.checksum);
  irl_json_string(json, "checksum", checksum);
  irl_json_close(json, '}');
}

static void put_claims(irl_page *page) {
  irl_json *json = &page->json;
  irl_text scope;
  irl_text_init(&scope, page->env);
  irl_scope_print(&scope, page->fit->scope);
  irl_json_take_text(json, "scope", &scope);
  irl_json_string(json, "loss", irl_fit_loss_name(page->fit));
  if (page->fit->certificate) {
    /* Its last line ends with a hash of all before it. */
    const char *end = strrchr(page->fit->certificate, ' ');
    char checksum[CHECKSUM + 1];
    assert(end && strlen(end + 1) >= CHECKSUM);
    snprintf(checksum, sizeof checksum, "%s", end + 1);
    irl_json_string(json, "certificate", checksum);
  }
}

/* Options that decide what is learnt, if they are not the preset: not how many threads did it. */
static void put_options(irl_page *page) {
  const unsigned jobs = IRL_FOR_READ | IRL_FOR_LEARN | IRL_FOR_RUN | IRL_FOR_CURVE;
  irl_json *json = &page->json;
  char shown[512];
  size_t n;
  const irl_option_info *table = irl_options_table(&n);
  irl_json_open(json, "options", '{');
  for (const irl_option_info *option = table; option < table + n; option++) {
    const void *field = (const char *)page->options + option->offset;
    if (!(option->jobs & jobs) || !strcmp(option->name, "threads") ||
        !strcmp(option->name, "seed") || strlen(option->name) == 1 ||
        !irl_option_is_set(option, page->options))
      continue;
    switch (option->type) {
    case IRL_OPTION_FLAG:
      irl_json_bool(json, option->name, *(const bool *)field);
      break;
    case IRL_OPTION_INTEGER:
      irl_json_integer(json, option->name, *(const int64_t *)field);
      break;
    case IRL_OPTION_REAL:
      irl_json_real(json, option->name, *(const double *)field);
      break;
    case IRL_OPTION_TEXT:
      irl_json_string(json, option->name, *(const char *const *)field);
      break;
    case IRL_OPTION_OBJECT:
      irl_json_string(json, option->name, "given");
      break;
    default:
      irl_option_render(option, page->options, shown);
      irl_json_string(json, option->name, shown);
    }
  }
  irl_json_close(json, '}');
  irl_json_bool(json, "by_groups", page->options->data.group != NULL);
  /* Without a limit of time the command gives the same bytes again. */
  irl_json_bool(json, "repeatable",
                page->options->limits.time_limit == 0 &&
                    page->fit->info.outcome != IRL_OUTCOME_INTERRUPTED);
}

void irl_page_facts(irl_page *page) {
  put_data(page);
  put_claims(page);
  put_options(page);
}
