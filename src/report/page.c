/* One page in HTML about a fit or a cross-validation: it needs no network, loads nothing, and can
 * be kept, mailed and printed.
 *
 * The page is a shell around the answers as --json prints them. The script of report/page, which
 * the web page of src/web shares, shows them; without it the answer as text stands there. All that
 * comes from the data or the user is JSON in a block of data, or goes through irl_html_put; a
 * content policy forbids everything that is not in the page itself.
 *
 * The same fit gives the same bytes, so they do not say when or how fast it was made. The reader
 * sees a date all the same: the browser knows when the file was saved, and the script shows it. */
#include "report/page.h"
#include "base/contract.h"
#include "base/memory.h"
#include "report/html.h"
#include "table/raw_table.h"
#include "validate/cv.h"

/* SHA-256, in base64, of what stands between the tags of style and of script: a browser applies
 * these and nothing that a name or a cell might smuggle in. tests/cli/test_page.sh computes them
 * anew and says what they should be. */
#define STYLE_SUM  "WS0uDgaKh/sYfdC4V7OvCHkqGQLElKM2MBdwrlY2nig="
#define SCRIPT_SUM "SdaPbyzAABU1OWWSmnZGkVGXg1g9QkIkgxlZx04/J7s="

const char *irl_page_file_name(const char *path) {
  if (!path || !*path || !strcmp(path, "-") || !strcmp(path, IRL_TABLE_IN_MEMORY)) return NULL;
  const char *name = path;
  for (const char *at = name; *at; at++)
    if ((*at == '/' || *at == '\\') && at[1]) name = at + 1;
  return name;
}

/* ---- the shell ---- */

static void put_parts(irl_text *text, const char *const *parts) {
  for (; *parts; parts++) irl_text_puts(text, *parts);
}

static void open_page(irl_text *text, const char *what, const char *target, const char *file) {
  irl_html_put(text,
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
               "base-uri 'none'; form-action 'none'; style-src 'sha256-" STYLE_SUM
               "'; script-src 'sha256-" SCRIPT_SUM "'\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s%s%s%s</title>\n"
               "<style>",
               what, target, file ? " in " : "", file ? file : "");
  put_parts(text, irl_page_style);
  irl_text_puts(text, irl_chart_style);
  irl_text_puts(text, "</style>\n</head>\n<body>\n<main id=\"page\">\n");
  irl_html_put(text, "<h1>%s%s</h1>\n", what, target);
}

/* An answer as text, for readers without the script. */
static void put_text(irl_text *text, const char *answer) {
  irl_html_put(text, "<pre tabindex=\"0\">%s</pre>\n", answer);
}

/* JSON in an element of script: no end and no comment may begin in a string of it. */
static void put_json(irl_text *text, const char *json, size_t length) {
  for (const char *end = json + length; json < end;) {
    const char *mark = memchr(json, '<', (size_t)(end - json));
    irl_text_add(text, json, (size_t)((mark ? mark : end) - json));
    if (!mark) return;
    irl_text_puts(text, "\\u003c");
    json = mark + 1;
  }
}

/* An answer of --json without its last member, which is what differs between two runs: no string
 * has a line end of its own. */
static void put_answer(irl_text *text, const char *key, const char *json) {
  const char *run = NULL;
  for (const char *at = json; (at = strstr(at, ",\n  \"run\": ")); at++) run = at;
  assert(run);
  irl_text_printf(text, "\"%s\": ", key);
  put_json(text, json, (size_t)(run - json));
  irl_text_puts(text, "\n},\n");
}

static void close_page(irl_text *text, const char *facts) {
  irl_text_puts(text, "\"page\": ");
  put_json(text, facts, strlen(facts));
  irl_text_puts(text, "}\n</script>\n<script>");
  put_parts(text, irl_page_script);
  irl_text_puts(text, "</script>\n</body>\n</html>\n");
}

static void begin_data(irl_text *text) {
  irl_text_puts(text, "</main>\n<script type=\"application/json\" id=\"result\">\n{");
}

/* ---- a fit ---- */

static void begin_facts(irl_json *json, irl_env *env, const char *command) {
  irl_json_init(json, env);
  irl_json_open(json, NULL, '{');
  irl_json_string(json, "version", IRL_VERSION);
  irl_json_string(json, "command", command);
}

/* All that the page shows and no answer says. */
static irl_status render_facts(irl_env *env, const irl_fit_result *fit, const irl_options *options,
                               const char *command, char **facts) {
  irl_page page = {.env = env, .fit = fit, .options = options};
  begin_facts(&page.json, env, command);
  irl_page_facts(&page);
  irl_status status = irl_page_patterns(&page);
  if (!status) status = irl_page_ld(&page);
  if (!status) status = irl_page_genotypes(&page);
  if (!status) status = irl_page_columns(&page);
  irl_json_close(&page.json, '}');
  if (!status) return irl_json_take(&page.json, facts);
  irl_json_drop(&page.json);
  return status;
}

irl_status irl_report_page(irl_env *env, const irl_fit_result *fit, const irl_curve *curve,
                           const irl_options *options, const char *command, char **html) {
  enum { TEXT, ANSWER, FACTS, CURVE_TEXT, CURVE, PARTS };
  char *parts[PARTS] = {NULL};
  irl_data_info about = IRL_SIZED(irl_data_info);
  irl_text text;
  irl_status status = irl_fit_render(env, fit, IRL_FORMAT_TEXT, &parts[TEXT]);
  if (!status) status = irl_fit_render(env, fit, IRL_FORMAT_JSON, &parts[ANSWER]);
  if (!status) status = render_facts(env, fit, options, command, &parts[FACTS]);
  if (!status && curve) status = irl_report_curve_table(env, curve, &parts[CURVE_TEXT]);
  if (!status && curve) status = irl_report_curve_json(env, curve, &parts[CURVE]);
  if (!status) {
    irl_text_init(&text, env);
    irl_data_describe(fit->data, &about);
    open_page(&text, "Rule for ", about.target ? about.target : "y",
              fit->table ? irl_page_file_name(fit->table->path) : NULL);
    put_text(&text, parts[TEXT]);
    if (curve) put_text(&text, parts[CURVE_TEXT]);
    begin_data(&text);
    put_answer(&text, "fit", parts[ANSWER]);
    if (curve) put_answer(&text, "curve", parts[CURVE]);
    close_page(&text, parts[FACTS]);
    status = irl_text_take(&text, html);
  }
  for (int i = 0; i < PARTS; i++) irl_mem_free(&env->allocator, parts[i]);
  return status;
}

/* ---- a cross-validation ---- */

irl_status irl_cv_report(irl_env *env, const irl_cv_result *result, const char *command,
                         char **html) {
  IRL_NEED(env, "env, result, html", env, result, html);
  const char *file = irl_page_file_name(result->data_path);
  char *shown = NULL, *answer = NULL, *facts = NULL;
  irl_json json;
  irl_text text;
  irl_status status = irl_cv_render(env, result, IRL_FORMAT_TEXT, &shown);
  if (!status) status = irl_cv_render(env, result, IRL_FORMAT_JSON, &answer);
  if (!status) {
    begin_facts(&json, env, command);
    irl_json_string(&json, "file", file);
    irl_json_string(&json, "positive", result->positive);
    irl_json_close(&json, '}');
    status = irl_json_take(&json, &facts);
  }
  if (!status) {
    irl_text_init(&text, env);
    open_page(&text, "Cross-validation of rule sizes", "", file);
    put_text(&text, shown);
    begin_data(&text);
    put_answer(&text, "cv", answer);
    close_page(&text, facts);
    status = irl_text_take(&text, html);
  }
  irl_mem_free(&env->allocator, shown);
  irl_mem_free(&env->allocator, answer);
  irl_mem_free(&env->allocator, facts);
  return status;
}
