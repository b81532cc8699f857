/* What readers see: text from data is shown and never obeyed, numbers have one form, JSON parses,
 * and the page is well-formed whatever names and labels a table has. */
#include "ireland_study.h"
#include "report/html.h"
#include "report/report.h"
#include "support.h"
#include <ctype.h>
#include <math.h>

#define FOLDER "build/test-report"
#define SEED   5u
#define DEEP   64

static irl_env *env;
static irl_random numbers;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
  irl_random_init(&numbers, SEED, 1);
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* ---- pieces ---- */

TEST texts_are_escaped(void) {
  static const char *const cases[][2] = {{"plain", "plain"},
                                         {"<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;"},
                                         {"a\tb\nc\rd", "a b\nc d"},
                                         {"\x01", "\xef\xbf\xbd"},
                                         {"\xe2\x80\xae", "\xef\xbf\xbd"},
                                         {"\xff", "\\xff"},
                                         {"\xc3\xa9", "\xc3\xa9"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    irl_text text;
    char *made;
    irl_text_init(&text, env);
    irl_html_put(&text, "[%s|%s]", cases[i][0], "x");
    ASSERT_EQ(IRL_STATUS_OK, irl_text_take(&text, &made));
    char wanted[64];
    snprintf(wanted, sizeof wanted, "[%s|x]", cases[i][1]);
    ASSERT_STR_EQ(wanted, made);
    irl_text_free(env, made);
  }
  PASS();
}

TEST answers_in_json_parse(void) {
  const irl_fit_info info = {.objective = NAN, .phase_seconds = {[IRL_PHASE_PROVING] = 0.5}};
  irl_json json;
  irl_arena arena;
  irl_json_value *root;
  char *text;
  irl_arena_init(&arena, &env->allocator);
  irl_report_open(&json, env, "\"done\"\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_report_close(&json, &info, &text));
  ASSERT_EQ(IRL_STATUS_OK, irl_json_parse(env, "answer", text, strlen(text), &arena, &root));
  ASSERT_STR_EQ("\"done\"\n", irl_json_get(root, "status")->text);
  const irl_json_value *run = irl_json_get(root, "run");
  ASSERT_EQ(IRL_JSON_NUMBER, irl_json_get(run, "threads")->type);
  ASSERT_EQ(IRL_JSON_NULL, irl_json_get(run, "best_seconds")->type);
  const irl_json_value *proving = irl_json_get(irl_json_get(run, "phases"), "proving");
  ASSERT(proving && proving->number == 0.5);
  irl_arena_free(&arena);
  irl_text_free(env, text);
  PASS();
}

/* ---- the page ---- */

/* Where markup is not well-formed; NULL: nowhere. Elements of HTML that have no end are known;
 * whatever is between the tags of a script or a style is not looked at. */
static const char *find_fault(const char *at) {
  char open[DEEP][16];
  int depth = 0;
  for (; *at; at++) {
    if (*at == '&') { /* an entity */
      const char *end = at + 1 + (at[1] == '#');
      while (isalnum((unsigned char)*end)) end++;
      if (end < at + 3 || *end != ';') return at;
    }
    if (*at == '>') return at;
    if (*at != '<') continue;
    const char *start = at;
    const bool is_end = at[1] == '/', is_doctype = at[1] == '!';
    char name[16] = "";
    at += 1 + is_end;
    for (size_t n = 0; isalnum((unsigned char)*at) && n < sizeof name - 1; at++) name[n++] = *at;
    for (bool is_quoted = false; *at && (is_quoted || *at != '>'); at++) {
      if (*at == '"') is_quoted = !is_quoted;
      if (*at == '<') return start;
    }
    if (!*at) return start;
    if (is_doctype || at[-1] == '/' || !strcmp(name, "meta")) continue;
    if (!*name || depth == DEEP) return start;
    if (is_end && (!depth || strcmp(open[--depth], name))) return start;
    if (!is_end) strcpy(open[depth++], name);
    if (!is_end && (!strcmp(name, "style") || !strcmp(name, "script"))) {
      const char *end = strstr(at, name[1] == 't' ? "</style>" : "</script>");
      if (!end) return start;
      at = end - 1;
    }
  }
  return depth ? "an element has no end" : NULL;
}

TEST faults_are_found(void) {
  ASSERT_EQ(NULL, find_fault("<p>a &amp; b<br/></p>"));
  static const char *const faults[] = {"<p>",  "</p>",     "<p></b>", "a & b",  "a > b",
                                       "< p>", "<p a=\"x", "&nosuch", "<p><b>", "<style>"};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) ASSERT(find_fault(faults[i]));
  PASS();
}

/* A table whose names and labels are markup; the first column tells most of the label. */
static irl_table *make_table(const irl_options *options) {
  buffer b = {0};
  irl_table *made;
  put(&b, "<script>alert(1)</script>,a&b,\"x\"\"y'z\",\"<i>&amp;\",\"</td>\"\n");
  for (int i = 0; i < 60; i++) {
    const bool first = irl_random_below(&numbers, 2), is_odd = irl_random_below(&numbers, 10) == 0;
    char row[80];
    snprintf(row, sizeof row, "%d,%d,%d,%d,%s\n", first, (int)irl_random_below(&numbers, 2),
             (int)irl_random_below(&numbers, 2), (int)irl_random_below(&numbers, 2),
             first != is_odd ? "<yes>" : "&no");
    put(&b, row);
  }
  save_text(FOLDER "/table.csv", b.bytes);
  free(b.bytes);
  if (irl_table_read(env, FOLDER "/table.csv", options, &made)) abort();
  return made;
}

TEST pages_are_well_formed(void) {
  static const char *const settings[][2] = {
      {"prove", "1"}, {"cnf", "1"}, {"test", "0.3"}, {"permutations", "3"}, {"equivalent", "0.1"}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    irl_options o = options_of(env, "K", "2", "M", "2", "negations", "1", "target", "</td>",
                               "positive", "<yes>", settings[i][0], settings[i][1], NULL);
    irl_table *made = make_table(&o);
    irl_fit_result *fit;
    irl_curve *curve;
    char *html, *svg;
    ASSERT_EQ(IRL_STATUS_OK, irl_fit_table(env, made, &o, &fit));
    o.output.sizes = true;
    ASSERT_EQ(IRL_STATUS_OK, irl_curve_make(env, fit, &o, &curve));
    ASSERT_EQ(IRL_STATUS_OK, irl_report_render(env, fit, curve, &o, "ireland fit '<x>&'", &html));
    ASSERT_EQ(NULL, find_fault(html));
    ASSERT(!strstr(html, "<script>alert"));
    ASSERT(strstr(html, "\"\\u003cyes>\"") && !strstr(html, "\"<yes>\""));
    ASSERT_EQ(IRL_STATUS_OK, irl_curve_export(env, curve, "svg", &svg));
    ASSERT_EQ(NULL, find_fault(svg));
    irl_text_free(env, html);
    irl_text_free(env, svg);
    irl_curve_free(curve);
    irl_fit_free(fit);
    irl_table_free(made);
  }
  PASS();
}

SUITE(report) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(texts_are_escaped);
  RUN_TEST(answers_in_json_parse);
  RUN_TEST(faults_are_found);
  RUN_TEST(pages_are_well_formed);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  make_folder(FOLDER);
  GREATEST_MAIN_BEGIN();
  printf("seed %u\n", SEED);
  RUN_SUITE(report);
  GREATEST_MAIN_END();
}
