/* Tests of the test library itself, through its API only, so that they also hold for upstream's
 * greatest.h. What passes is tested right here. What fails, skips, aborts or depends on the
 * command line is tested from outside: the program starts itself with CHILD_VARIABLE set to the
 * name of a deliberately failing scene, and reads what that prints and how it ends. */
#include "greatest.h"
#include <sys/wait.h>

#define CHILD_VARIABLE "TEST_GREATEST_SCENE"
#define SELF_VARIABLE  "TEST_GREATEST_SELF"

enum { NO_EXIT = -1, SHELL_SIGNAL = 128 }; /* the shell's exit code for a signal is above */

enum colour { RED, GREEN };

static greatest_enum_str_fun colour_text;

static const char *colour_text(int value) {
  return value == RED ? "the colour red" : "the colour green";
}

/* Two numbers are equal if they differ by at most *udata. */
static int is_near(const void *expd, const void *got, void *udata) {
  return abs(*(const int *)expd - *(const int *)got) <= *(const int *)udata;
}

static int print_number(const void *number, void *udata) {
  (void)udata;
  return printf("<number %d>", *(const int *)number);
}

static greatest_type_info near_type = {is_near, print_number};

/* ---- scene "fruit": suites to choose from ---- */

TEST loner(void) {
  PASS();
}

TEST apple(void) {
  ASSERT(1);
  PASS();
}

TEST pineapple(void) {
  PASSm("sweet");
}

TEST cherry(void) {
  SKIPm("not ripe");
}

enum { RED_LINE = __LINE__ + 2 };
TEST red(void) {
  FAILm("too red");
}

TEST crimson_red(void) {
  FAIL();
}

TEST green(void) {
  ASSERT(1);
  ASSERT(1);
  PASS();
}

SUITE_EXTERN(colour);

SUITE(fruit) {
  RUN_TEST(apple);
  RUN_TEST(pineapple);
  RUN_TEST(cherry);
}

SUITE(colour) {
  RUN_TEST(red);
  RUN_TEST(crimson_red);
  RUN_TEST(green);
}

/* ---- scene "failures": every kind of failure ---- */

TEST fails_assert(void) {
  ASSERT(2 > 3);
  PASS();
}

TEST fails_assert_false(void) {
  ASSERT_FALSE(3 > 2);
  PASS();
}

TEST fails_eq(void) {
  int four = 4;
  ASSERT_EQ(5, four);
  PASS();
}

TEST fails_eq_message(void) {
  ASSERT_EQm("message of eq", 5, 4);
  PASS();
}

TEST fails_eq_fmt(void) {
  ASSERT_EQ_FMT(0x1fu, 0x2fu, "0x%04x");
  PASS();
}

TEST fails_neq(void) {
  ASSERT_NEQ(5, 5);
  PASS();
}

TEST fails_gt(void) {
  ASSERT_GT(5, 5);
  PASS();
}

TEST fails_gte(void) {
  ASSERT_GTE(4, 5);
  PASS();
}

TEST fails_lt(void) {
  ASSERT_LT(5, 5);
  PASS();
}

TEST fails_lte(void) {
  ASSERT_LTE(5, 4);
  PASS();
}

TEST fails_in_range(void) {
  ASSERT_IN_RANGE(10.0, 12.5, 2.0);
  PASS();
}

TEST fails_str_eq(void) {
  ASSERT_STR_EQ("oranges", "lemons");
  PASS();
}

TEST fails_strn_eq(void) {
  ASSERT_STRN_EQm("message of strn", "abcd", "abce", 4);
  PASS();
}

TEST fails_mem_eq(void) {
  unsigned char some[40] = {0}, other[40] = {0};
  other[21] = 0xa5;
  ASSERT_MEM_EQ(some, other, sizeof some);
  PASS();
}

TEST fails_enum_eq(void) {
  ASSERT_ENUM_EQ(RED, GREEN, colour_text);
  PASS();
}

TEST fails_equal_t(void) {
  int six = 6, nine = 9, slack = 2;
  ASSERT_EQUAL_T(&six, &nine, &near_type, &slack);
  PASS();
}

TEST fails_equal_t_without_callbacks(void) {
  greatest_type_info none = {NULL, NULL};
  int six = 6;
  ASSERT_EQUAL_T(&six, &six, &none, NULL);
  PASS();
}

static enum greatest_test_res is_below_three(int number) {
  ASSERT_LTm("message of helper", number, 3);
  PASS();
}

TEST fails_in_helper(void) {
  CHECK_CALL(is_below_three(2));
  CHECK_CALL(is_below_three(4));
  PASS();
}

SUITE(failures) {
  RUN_TEST(fails_assert);
  RUN_TEST(fails_assert_false);
  RUN_TEST(fails_eq);
  RUN_TEST(fails_eq_message);
  RUN_TEST(fails_eq_fmt);
  RUN_TEST(fails_neq);
  RUN_TEST(fails_gt);
  RUN_TEST(fails_gte);
  RUN_TEST(fails_lt);
  RUN_TEST(fails_lte);
  RUN_TEST(fails_in_range);
  RUN_TEST(fails_str_eq);
  RUN_TEST(fails_strn_eq);
  RUN_TEST(fails_mem_eq);
  RUN_TEST(fails_enum_eq);
  RUN_TEST(fails_equal_t);
  RUN_TEST(fails_equal_t_without_callbacks);
  RUN_TEST(fails_in_helper);
}

/* ---- scene "hooks": setup, teardown, arguments, suffixes, a test inside a test ---- */

static void print_setup(void *udata) {
  printf("[setup %s]", (const char *)udata);
}

static void print_teardown(void *udata) {
  printf("[teardown %s]", (const char *)udata);
}

TEST has_no_nested(void) {
  RUN_TEST(red);
  PASS();
}

TEST takes_pointer(const int *number) {
  ASSERT_EQ(7, *number);
  PASS();
}

TEST takes_two(int a, int b) {
  ASSERT_EQ(a + 1, b);
  PASS();
}

SUITE(with_hooks) {
  SET_SETUP(print_setup, (void *)"up");
  SET_TEARDOWN(print_teardown, (void *)"down");
  RUN_TEST(apple);
  RUN_TEST(red);
  RUN_TEST(cherry);
}

SUITE(without_hooks) {
  int seven = 7;
  RUN_TEST(has_no_nested);
  RUN_TEST1(takes_pointer, &seven);
  greatest_set_test_suffix("small");
  RUN_TESTp(takes_two, 1, 2);
  RUN_TESTp(takes_two, 3, 4);
}

GREATEST_MAIN_DEFS();

/* ---- the child's main ---- */

/* Without a command line: settings by function, counts by greatest_get_report. */
static int library_scene(void) {
  struct greatest_report_t report = {0, 0, 0, 0};
  GREATEST_INIT();
  greatest_set_suite_filter("colour");
  greatest_set_test_exclude("crimson");
  greatest_set_verbosity(2);
  RUN_SUITE(fruit);
  RUN_SUITE(colour);
  GREATEST_PRINT_REPORT();
  greatest_get_report(&report);
  printf("counts %u %u %u %u, verbosity %u\n", report.passed, report.failed, report.skipped,
         report.assertions, greatest_get_verbosity());
  return greatest_all_passed() ? 0 : 3;
}

/* 100 passes and no suite, to see lines of dots. */
static int many_scene(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  for (int i = 0; i < 100; i++) RUN_TEST(loner);
  GREATEST_MAIN_END();
}

static int child_main(const char *scene, int argc, char **argv) {
  if (!strcmp(scene, "library")) return library_scene();
  if (!strcmp(scene, "many")) return many_scene(argc, argv);
  GREATEST_MAIN_BEGIN();
  if (!strcmp(scene, "fruit")) {
    RUN_TEST(loner);
    RUN_SUITE(fruit);
    RUN_SUITE(colour);
  } else if (!strcmp(scene, "failures")) {
    RUN_SUITE(failures);
  } else if (!strcmp(scene, "hooks")) {
    RUN_SUITE(with_hooks);
    RUN_SUITE(without_hooks);
  }
  GREATEST_MAIN_END();
}

/* ---- running a child ---- */

static char output[1 << 16]; /* what the last child printed */
static int exit_code;        /* of the last child; NO_EXIT if it could not be had */

static void run_child(const char *scene, const char *options) {
  char command[256];
  setenv(CHILD_VARIABLE, scene, 1);
  snprintf(command, sizeof command, "ulimit -c 0; exec \"$" SELF_VARIABLE "\" %s 2>&1", options);
  exit_code = NO_EXIT;
  output[0] = 0;
  FILE *pipe = popen(command, "r");
  if (pipe) {
    output[fread(output, 1, sizeof output - 1, pipe)] = 0;
    const int status = pclose(pipe);
    exit_code = WIFSIGNALED(status) ? SHELL_SIGNAL + WTERMSIG(status)
                : WIFEXITED(status) ? WEXITSTATUS(status)
                                    : NO_EXIT;
  }
  unsetenv(CHILD_VARIABLE);
}

static int n_found(const char *text) {
  int n = 0;
  for (const char *at = output; (at = strstr(at, text)); at++) n++;
  return n;
}

/* The child printed this report once, as its last line, and ended with the code for it. */
static enum greatest_test_res reports(const char *scene, const char *options, const char *report) {
  run_child(scene, options);
  ASSERT_EQ_FMTm(options, 1, n_found("\nPass: "), "%d");
  ASSERT_STR_EQm(options, report, strstr(output, "\nPass: ") + 1);
  ASSERT_EQ_FMTm(options, strstr(report, "fail: 0,") ? 0 : 1, exit_code, "%d");
  PASS();
}

/* ---- what the parent tests: assertions that hold ---- */

static int n_calls;

static int next_number(void) {
  return ++n_calls;
}

TEST comparisons_hold(void) {
  const unsigned many = 3000000000u;
  ASSERT(many > 0);
  ASSERTm("m", many > 0);
  ASSERT_FALSE(many == 0);
  ASSERT_FALSEm("m", many == 0);
  ASSERT_EQ(3000000000u, many);
  ASSERT_EQm("m", 3000000000u, many);
  ASSERT_EQ_FMT(3000000000u, many, "%u");
  ASSERT_EQ_FMTm("m", 3000000000u, many, "%u");
  ASSERT_NEQ(1u, many);
  ASSERT_NEQm("m", 1u, many);
  ASSERT_GT(3, 2);
  ASSERT_GTm("m", 3, 2);
  ASSERT_GTE(3, 3);
  ASSERT_GTEm("m", 3, 3);
  ASSERT_LT(-3, 2);
  ASSERT_LTm("m", -3, 2);
  ASSERT_LTE(2, 2);
  ASSERT_LTEm("m", 2, 2);
  ASSERT_EQ((void *)0, NULL);
  PASS();
}

TEST ranges_hold(void) {
  ASSERT_IN_RANGE(1.0, 1.25, 0.25);
  ASSERT_IN_RANGE(1.0, 0.75, 0.25);
  ASSERT_IN_RANGEm("m", -5, -5, 0);
  PASS();
}

TEST strings_and_bytes_hold(void) {
  const char word[] = "word";
  const unsigned char bytes[] = {0, 1, 2, 255};
  const unsigned char optimal_rules[] = {0, 1, 2, 254};
  ASSERT_STR_EQ("word", word);
  ASSERT_STR_EQm("m", "word", word);
  ASSERT_STRN_EQ("wording", word, 4);
  ASSERT_STRN_EQm("m", "work", word, 3);
  ASSERT_MEM_EQ(bytes, optimal_rules, 3);
  ASSERT_MEM_EQm("m", bytes, bytes, sizeof bytes);
  PASS();
}

TEST types_hold(void) {
  int six = 6, eight = 8, slack = 2;
  ASSERT_EQUAL_T(&six, &eight, &near_type, &slack);
  ASSERT_EQUAL_Tm("m", &six, &six, &near_type, &slack);
  ASSERT_ENUM_EQ(RED, RED, colour_text);
  ASSERT_ENUM_EQm("m", GREEN, GREEN, colour_text);
  PASS();
}

/* An assertion that holds evaluates its operands once, and is one statement. */
TEST assertions_are_plain_statements(void) {
  n_calls = 0;
  if (n_calls == 0)
    ASSERT_EQ(1, next_number());
  else
    FAIL();
  ASSERT(next_number());
  ASSERT_EQ_FMT(3, next_number(), "%d");
  ASSERT_ENUM_EQ((enum colour)4, (enum colour)next_number(), colour_text);
  ASSERT_IN_RANGE(5.0, next_number(), 0.0);
  ASSERT_EQ_FMT(5, n_calls, "%d");
  PASS();
}

TEST helpers_pass(void) {
  CHECK_CALL(is_below_three(1));
  CHECK_CALL(is_below_three(2));
  PASS();
}

GREATEST_TEST long_names_work(void) {
  int one = 1;
  GREATEST_ASSERT(one);
  GREATEST_ASSERT_EQ(1, one);
  GREATEST_ASSERT_EQm("m", 1, one);
  GREATEST_ASSERT_STR_EQ("a", "a");
  GREATEST_CHECK_CALL(is_below_three(one));
  GREATEST_PASS();
}

SUITE(assertions) {
  RUN_TEST(comparisons_hold);
  RUN_TEST(ranges_hold);
  RUN_TEST(strings_and_bytes_hold);
  RUN_TEST(types_hold);
  RUN_TEST(assertions_are_plain_statements);
  RUN_TEST(helpers_pass);
  GREATEST_RUN_TEST(long_names_work);
}

/* ---- what the parent tests: the command line ---- */

TEST runs_everything(void) {
  unsigned n_tests = 0, n_assertions = 0;
  unsigned long ticks;
  double seconds;
  CHECK_CALL(reports("fruit", "", "Pass: 4, fail: 2, skip: 1.\n"));
  const char *total = strstr(output, "\nTotal: ");
  ASSERT(total);
  ASSERT_EQ(4, sscanf(total, "\nTotal: %u tests (%lu ticks, %lf sec), %u assertions", &n_tests,
                      &ticks, &seconds, &n_assertions));
  ASSERT_EQ_FMT(7u, n_tests, "%u");
  ASSERT_EQ_FMT(3u, n_assertions, "%u");
  ASSERT(strstr(output, "\n* Suite fruit:\n..s\n3 tests - 2 passed, 0 failed, 1 skipped ("));
  ASSERT(strstr(output, "\n3 tests - 1 passed, 2 failed, 0 skipped ("));
  ASSERT_EQ(0, n_found("apple"));
  ASSERT_EQ(0, n_found("not ripe"));
  PASS();
}

TEST names_the_place(void) {
  char line[256];
  run_child("fruit", "-t red");
  snprintf(line, sizeof line, "\nFAIL red: too red (%s:%d)\n", __FILE__, (int)RED_LINE);
  ASSERT_EQ_FMT(1, n_found(line), "%d");
  ASSERT_EQ_FMT(1, n_found("\nFAIL crimson_red: "), "%d");
  PASS();
}

TEST filters_by_name(void) {
  CHECK_CALL(reports("fruit", "-s fruit", "Pass: 3, fail: 0, skip: 1.\n"));
  CHECK_CALL(reports("fruit", "-s olou", "Pass: 2, fail: 2, skip: 0.\n"));
  CHECK_CALL(reports("fruit", "-t apple", "Pass: 2, fail: 0, skip: 0.\n"));
  CHECK_CALL(reports("fruit", "-x red", "Pass: 4, fail: 0, skip: 1.\n"));
  CHECK_CALL(reports("fruit", "-t red -x crimson", "Pass: 0, fail: 1, skip: 0.\n"));
  CHECK_CALL(reports("fruit", "-s fruit -t red", "Pass: 0, fail: 0, skip: 0.\n"));
  PASS();
}

TEST matches_exactly(void) {
  CHECK_CALL(reports("fruit", "-e -t apple", "Pass: 1, fail: 0, skip: 0.\n"));
  CHECK_CALL(reports("fruit", "-t red -e", "Pass: 0, fail: 1, skip: 0.\n"));
  CHECK_CALL(reports("fruit", "-e -s olou", "Pass: 1, fail: 0, skip: 0.\n"));
  CHECK_CALL(reports("fruit", "-e -s colour", "Pass: 2, fail: 2, skip: 0.\n"));
  PASS();
}

TEST stops_at_first_failure(void) {
  CHECK_CALL(reports("fruit", "-f", "Pass: 3, fail: 1, skip: 1.\n"));
  CHECK_CALL(reports("hooks", "-f", "Pass: 1, fail: 1, skip: 0.\n"));
  ASSERT_EQ(0, n_found("without_hooks"));
  PASS();
}

TEST aborts_at_first_failure(void) {
  run_child("fruit", "-a");
  ASSERT_GT(exit_code, SHELL_SIGNAL);
  ASSERT_EQ(0, n_found("Pass: "));
  CHECK_CALL(reports("fruit", "-a -x red", "Pass: 4, fail: 0, skip: 1.\n"));
  PASS();
}

TEST lists_without_running(void) {
  run_child("fruit", "-l");
  ASSERT_EQ_FMT(0, exit_code, "%d");
  ASSERT_EQ(1, n_found("* Suite fruit:\n  apple\n  pineapple\n  cherry\n"));
  ASSERT_EQ(1, n_found("* Suite colour:\n  red\n  crimson_red\n  green\n"));
  ASSERT_EQ(0, n_found("Pass: "));
  ASSERT_EQ(0, n_found("FAIL"));
  run_child("fruit", "-l -t apple -x pine");
  ASSERT_EQ_FMT(1, n_found("  apple\n"), "%d");
  ASSERT_EQ_FMT(1, n_found("apple"), "%d");
  PASS();
}

TEST is_verbose(void) {
  CHECK_CALL(reports("fruit", "-v", "Pass: 4, fail: 2, skip: 1.\n"));
  ASSERT_EQ_FMT(1, n_found("\nPASS apple"), "%d");
  ASSERT_EQ_FMT(1, n_found("\nPASS pineapple: sweet"), "%d");
  ASSERT_EQ_FMT(1, n_found("\nSKIP cherry: not ripe"), "%d");
  ASSERT_EQ_FMT(1, n_found("\nFAIL red: too red ("), "%d");
  ASSERT_EQ_FMT(4, n_found("\nPASS ") + !strncmp(output, "PASS ", 5), "%d");
  PASS();
}

TEST wraps_dots(void) {
  CHECK_CALL(reports("many", "", "Pass: 100, fail: 0, skip: 0.\n"));
  ASSERT_EQ_FMT(72, (int)strspn(output, "."), "%d");
  PASS();
}

TEST helps(void) {
  run_child("fruit", "-h");
  ASSERT_EQ_FMT(0, exit_code, "%d");
  ASSERT(strstr(output, "Usage: "));
  ASSERT(strstr(output, "-s SUITE"));
  ASSERT_EQ(0, n_found("Pass: "));
  run_child("fruit", "--help");
  ASSERT_EQ_FMT(0, exit_code, "%d");
  ASSERT(strstr(output, "Usage: "));
  PASS();
}

TEST rejects_bad_arguments(void) {
  const char *bad[] = {"-q", "--quiet", "-s", "-t", "-x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    run_child("fruit", bad[i]);
    ASSERT_EQ_FMTm(bad[i], 1, exit_code, "%d");
    ASSERTm(bad[i], strstr(output, "Usage: "));
    ASSERT_EQm(bad[i], 0, n_found("Pass: "));
  }
  CHECK_CALL(reports("fruit", "apple -x red -- -q", "Pass: 4, fail: 0, skip: 1.\n"));
  PASS();
}

SUITE(command_line) {
  RUN_TEST(runs_everything);
  RUN_TEST(names_the_place);
  RUN_TEST(filters_by_name);
  RUN_TEST(matches_exactly);
  RUN_TEST(stops_at_first_failure);
  RUN_TEST(aborts_at_first_failure);
  RUN_TEST(lists_without_running);
  RUN_TEST(is_verbose);
  RUN_TEST(wraps_dots);
  RUN_TEST(helps);
  RUN_TEST(rejects_bad_arguments);
}

/* ---- what the parent tests: failures, hooks, use as a library ---- */

/* After the text `before`, on the same line, the child printed `text`. */
static int is_on_line(const char *before, const char *text) {
  const char *line = strstr(output, before);
  const char *found = line ? strstr(line, text) : NULL;
  return found && found < line + strcspn(line, "\n");
}

/* Reads the output of one failing test: its FAIL line with a place in this file, and the values. */
static enum greatest_test_res fails(const char *test, const char *expected, const char *got) {
  static char options[64]; /* also a message, which outlives this call */
  char fail[64];
  snprintf(options, sizeof options, "-e -t %s", test);
  snprintf(fail, sizeof fail, "FAIL %s: ", test);
  CHECK_CALL(reports("failures", options, "Pass: 0, fail: 1, skip: 0.\n"));
  ASSERTm(test, is_on_line(fail, "(" __FILE__ ":"));
  if (expected) ASSERTm(test, is_on_line("Expected: ", expected));
  if (got) ASSERTm(test, is_on_line("Got: ", got));
  PASS();
}

TEST failures_show_values(void) {
  CHECK_CALL(fails("fails_eq_fmt", "0x001f", "0x002f"));
  CHECK_CALL(fails("fails_in_range", "10 +/- 2", "12.5"));
  CHECK_CALL(fails("fails_str_eq", "oranges", "lemons"));
  CHECK_CALL(fails("fails_strn_eq", "abcd", "abce"));
  CHECK_CALL(fails("fails_enum_eq", "the colour red", "the colour green"));
  CHECK_CALL(fails("fails_equal_t", "<number 6>", "<number 9>"));
  CHECK_CALL(fails("fails_mem_eq", NULL, NULL));
  ASSERT(strstr(output, "a5"));
  PASS();
}

TEST failures_show_messages(void) {
  CHECK_CALL(reports("failures", "", "Pass: 0, fail: 18, skip: 0.\n"));
  ASSERT(strstr(output, "\nFAIL fails_assert: 2 > 3 ("));
  ASSERT(strstr(output, "\nFAIL fails_assert_false: 3 > 2 ("));
  ASSERT(strstr(output, "\nFAIL fails_eq: 5 != four ("));
  ASSERT(strstr(output, "\nFAIL fails_eq_message: message of eq ("));
  ASSERT(strstr(output, "\nFAIL fails_strn_eq: message of strn ("));
  ASSERT(strstr(output, "\nFAIL fails_in_helper: message of helper ("));
  PASS();
}

TEST hooks_surround_tests(void) {
  CHECK_CALL(reports("hooks", "-v", "Pass: 5, fail: 1, skip: 1.\n"));
  ASSERT_EQ_FMT(3, n_found("[setup up]"), "%d");
  ASSERT_EQ_FMT(3, n_found("[teardown down]"), "%d");
  ASSERT(strstr(strstr(output, "[setup up]"), "[teardown down]"));
  PASS();
}

TEST arguments_and_suffixes_work(void) {
  CHECK_CALL(reports("hooks", "-s without -v", "Pass: 4, fail: 0, skip: 0.\n"));
  ASSERT(strstr(output, "\nPASS takes_pointer"));
  ASSERT(strstr(output, "\nPASS takes_two_small"));
  ASSERT_EQ_FMT(2, n_found("\nPASS takes_two"), "%d");
  CHECK_CALL(reports("hooks", "-t two_small", "Pass: 1, fail: 0, skip: 0.\n"));
  PASS();
}

TEST works_without_command_line(void) {
  run_child("library", "");
  ASSERT_EQ_FMT(3, exit_code, "%d");
  ASSERT(strstr(output, "\nPass: 1, fail: 1, skip: 0.\n"));
  ASSERT(strstr(output, "counts 1 1 0 2, verbosity 2\n"));
  ASSERT(strstr(output, "\nPASS green"));
  PASS();
}

SUITE(results) {
  RUN_TEST(failures_show_values);
  RUN_TEST(failures_show_messages);
  RUN_TEST(hooks_surround_tests);
  RUN_TEST(arguments_and_suffixes_work);
  RUN_TEST(works_without_command_line);
}

int main(int argc, char **argv) {
  const char *scene = getenv(CHILD_VARIABLE);
  if (scene) return child_main(scene, argc, argv);
  setenv(SELF_VARIABLE, argv[0], 1);
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(assertions);
  RUN_SUITE(command_line);
  RUN_SUITE(results);
  GREATEST_MAIN_END();
}
