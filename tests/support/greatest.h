/* A unit test library in one header, with the API of 'greatest' 1.5.0
 * (https://github.com/silentbicycle/greatest). Written from that library's documentation, none of
 * its code is in here; upstream's own header can be dropped in the place of this one.
 *
 *   TEST adds(void) { ASSERT_EQ_FMT(4, 2 + 2, "%d"); PASS(); }
 *   SUITE(sums) { RUN_TEST(adds); }
 *   GREATEST_MAIN_DEFS();
 *   int main(int argc, char **argv) {
 *     GREATEST_MAIN_BEGIN();
 *     RUN_SUITE(sums);
 *     GREATEST_MAIN_END();
 *   }
 *
 * A test is a function that returns a result: every assertion is a `return` when it fails, so a
 * helper that asserts returns `enum greatest_test_res` too and is called through CHECK_CALL.
 * Assertions take the expected value first; the forms with an `m` take a message before it, which
 * must outlive the test. GREATEST_MAIN_DEFS() stands once in a program and defines its only state.
 *
 * Left out of upstream's API: SHUFFLE_*, *_LONGJMP, GREATEST_FLOAT and its like, C++ and C89. */
#ifndef GREATEST_H
#define GREATEST_H

/* No header that upstream's does not include, or a test file could come to lean on it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef GREATEST_USE_ABBREVS
#define GREATEST_USE_ABBREVS 1
#endif
#ifndef GREATEST_STDOUT
#define GREATEST_STDOUT stdout
#endif
#define GREATEST_PRINT(...) fprintf(GREATEST_STDOUT, __VA_ARGS__)

/* Sizes: of a test's name with its suffix, of a line of dots, of a row of bytes in hexadecimal. */
enum { GREATEST_NAME_SIZE = 128, GREATEST_N_DOTS = 72, GREATEST_N_BYTES = 16 };

/* ---- types ---- */

typedef enum greatest_test_res {
  GREATEST_TEST_RES_PASS = 0,
  GREATEST_TEST_RES_FAIL = -1,
  GREATEST_TEST_RES_SKIP = 1
} greatest_test_res;

typedef enum {
  GREATEST_FLAG_FIRST_FAIL = 0x01,
  GREATEST_FLAG_LIST_ONLY = 0x02,
  GREATEST_FLAG_ABORT_ON_FAIL = 0x04
} greatest_flag_t;

typedef void greatest_suite_cb(void);
typedef void greatest_setup_cb(void *udata);
typedef void greatest_teardown_cb(void *udata);
typedef const char *greatest_enum_str_fun(int value);
typedef int greatest_equal_cb(const void *expd, const void *got, void *udata); /* 0: they differ */
typedef int greatest_printf_cb(const void *t, void *udata);

typedef struct greatest_type_info {
  greatest_equal_cb *equal;
  greatest_printf_cb *print; /* may be NULL */
} greatest_type_info;

struct greatest_report_t {
  unsigned passed, failed, skipped, assertions;
};

struct greatest_run_info {
  struct greatest_report_t done; /* in the whole run so far */
  unsigned flags, verbosity, column;
  int is_exact, is_in_test;
  const char *suite_filter, *test_filter, *test_exclude; /* NULL: none */
  const char *name_suffix;                               /* of the next test, or NULL */
  char name[GREATEST_NAME_SIZE];
  const char *message, *fail_file;
  unsigned fail_line;
  greatest_setup_cb *setup;
  greatest_teardown_cb *teardown;
  void *setup_udata, *teardown_udata;
  clock_t run_began, test_began;
};

extern struct greatest_run_info greatest_info;

/* ---- settings and state ---- */

#define greatest_set_flag(FLAG)           ((void)(greatest_info.flags |= (unsigned)(FLAG)))
#define greatest_stop_at_first_fail()     greatest_set_flag(GREATEST_FLAG_FIRST_FAIL)
#define greatest_abort_on_fail()          greatest_set_flag(GREATEST_FLAG_ABORT_ON_FAIL)
#define greatest_list_only()              greatest_set_flag(GREATEST_FLAG_LIST_ONLY)
#define greatest_set_exact_name_match()   ((void)(greatest_info.is_exact = 1))
#define greatest_set_suite_filter(FILTER) ((void)(greatest_info.suite_filter = (FILTER)))
#define greatest_set_test_filter(FILTER)  ((void)(greatest_info.test_filter = (FILTER)))
#define greatest_set_test_exclude(FILTER) ((void)(greatest_info.test_exclude = (FILTER)))
#define greatest_set_test_suffix(SUFFIX)  ((void)(greatest_info.name_suffix = (SUFFIX)))
#define greatest_set_verbosity(VERBOSITY) ((void)(greatest_info.verbosity = (VERBOSITY)))
#define greatest_get_verbosity()          (greatest_info.verbosity)
#define greatest_get_report(REPORT)       ((void)(*(REPORT) = greatest_info.done))
#define greatest_all_passed()             (greatest_info.done.failed == 0)
#define GREATEST_IS_VERBOSE()             (greatest_info.verbosity > 0)
#define GREATEST_LIST_ONLY()              ((greatest_info.flags & GREATEST_FLAG_LIST_ONLY) != 0)
#define GREATEST_FIRST_FAIL()             ((greatest_info.flags & GREATEST_FLAG_FIRST_FAIL) != 0)
#define GREATEST_ABORT_ON_FAIL()          ((greatest_info.flags & GREATEST_FLAG_ABORT_ON_FAIL) != 0)
#define GREATEST_FAILURE_ABORT()          (GREATEST_FIRST_FAIL() && greatest_info.done.failed > 0)
#define GREATEST_SET_SETUP_CB(CB, UDATA)                                                           \
  ((void)(greatest_info.setup = (CB), greatest_info.setup_udata = (UDATA)))
#define GREATEST_SET_TEARDOWN_CB(CB, UDATA)                                                        \
  ((void)(greatest_info.teardown = (CB), greatest_info.teardown_udata = (UDATA)))

/* ---- running ---- */

static inline void greatest_print_time(clock_t began) {
  const clock_t ticks = clock() - began;
  GREATEST_PRINT(" (%lu ticks, %.3f sec)", (unsigned long)ticks, (double)ticks / CLOCKS_PER_SEC);
}

static inline int greatest_name_matches(const char *name, const char *filter, int if_no_filter) {
  if (!filter || !*filter) return if_no_filter;
  return greatest_info.is_exact ? !strcmp(name, filter) : strstr(name, filter) != NULL;
}

/* Names the test; 1: it is to run now, and its setup has been done. A test that is started from
 * inside another one is ignored. */
static inline int greatest_test_pre(const char *name) {
  struct greatest_run_info *info = &greatest_info;
  if (info->is_in_test) return 0;
  const char *suffix = info->name_suffix;
  snprintf(info->name, sizeof info->name, "%s%s%s", name, suffix ? "_" : "", suffix ? suffix : "");
  info->name_suffix = NULL;
  if (!greatest_name_matches(info->name, info->test_filter, 1)) return 0;
  if (greatest_name_matches(info->name, info->test_exclude, 0)) return 0;
  if (GREATEST_LIST_ONLY()) GREATEST_PRINT("  %s\n", info->name);
  if (GREATEST_LIST_ONLY() || GREATEST_FAILURE_ABORT()) return 0;
  info->is_in_test = 1;
  info->test_began = clock();
  if (info->setup) info->setup(info->setup_udata);
  return 1;
}

static inline void greatest_print_result(enum greatest_test_res result) {
  struct greatest_run_info *info = &greatest_info;
  const int has_failed = result == GREATEST_TEST_RES_FAIL;
  const int is_skipped = result == GREATEST_TEST_RES_SKIP;
  if (!GREATEST_IS_VERBOSE()) {
    GREATEST_PRINT(has_failed ? "F\n" : is_skipped ? "s" : ".");
    info->column = has_failed ? 0 : (info->column + 1) % GREATEST_N_DOTS;
    if (!has_failed && info->column == 0) GREATEST_PRINT("\n");
    if (!has_failed) return;
  }
  GREATEST_PRINT("%s ", has_failed ? "FAIL" : is_skipped ? "SKIP" : "PASS");
  GREATEST_PRINT("%s: %s", info->name, info->message ? info->message : "");
  if (has_failed) GREATEST_PRINT(" (%s:%u)", info->fail_file, info->fail_line);
  if (GREATEST_IS_VERBOSE()) greatest_print_time(info->test_began);
  GREATEST_PRINT("\n");
}

/* The end of a test function: remembers what PASS, SKIP or a failure said. With -a the process
 * ends right here, where a debugger still shows the failed assertion. */
static inline enum greatest_test_res greatest_leave(enum greatest_test_res result,
                                                    const char *message, const char *file,
                                                    unsigned line) {
  greatest_info.message = message;
  greatest_info.fail_file = file;
  greatest_info.fail_line = line;
  if (result == GREATEST_TEST_RES_FAIL && GREATEST_ABORT_ON_FAIL()) {
    greatest_print_result(result);
    fflush(GREATEST_STDOUT);
    abort();
  }
  return result;
}

static inline void greatest_test_post(enum greatest_test_res result) {
  struct greatest_run_info *info = &greatest_info;
  if (info->teardown) info->teardown(info->teardown_udata);
  info->is_in_test = 0;
  info->done.passed += result == GREATEST_TEST_RES_PASS;
  info->done.failed += result == GREATEST_TEST_RES_FAIL;
  info->done.skipped += result == GREATEST_TEST_RES_SKIP;
  greatest_print_result(result);
  fflush(GREATEST_STDOUT);
}

/* Setup and teardown last to the end of the suite that set them; it begins without any. */
static inline void greatest_run_suite(greatest_suite_cb *suite, const char *name) {
  struct greatest_run_info *info = &greatest_info;
  if (!greatest_name_matches(name, info->suite_filter, 1) || GREATEST_FAILURE_ABORT()) return;
  const struct greatest_report_t before = info->done;
  const clock_t began = clock();
  GREATEST_SET_SETUP_CB(NULL, NULL);
  GREATEST_SET_TEARDOWN_CB(NULL, NULL);
  GREATEST_PRINT("\n* Suite %s:\n", name);
  info->column = 0;
  suite();
  info->column = 0;
  GREATEST_SET_SETUP_CB(NULL, NULL);
  GREATEST_SET_TEARDOWN_CB(NULL, NULL);
  const unsigned passed = info->done.passed - before.passed;
  const unsigned failed = info->done.failed - before.failed;
  const unsigned skipped = info->done.skipped - before.skipped;
  const unsigned n_tests = passed + failed + skipped;
  if (!n_tests) return;
  GREATEST_PRINT("\n%u test%s - %u passed, %u failed, %u skipped", n_tests, n_tests == 1 ? "" : "s",
                 passed, failed, skipped);
  greatest_print_time(began);
  GREATEST_PRINT("\n");
}

static inline void GREATEST_INIT(void) {
  memset(&greatest_info, 0, sizeof greatest_info);
  greatest_info.run_began = clock();
}

static inline void GREATEST_PRINT_REPORT(void) {
  const struct greatest_report_t *done = &greatest_info.done;
  const unsigned n_tests = done->passed + done->failed + done->skipped;
  if (GREATEST_LIST_ONLY()) return;
  GREATEST_PRINT("\nTotal: %u test%s", n_tests, n_tests == 1 ? "" : "s");
  greatest_print_time(greatest_info.run_began);
  GREATEST_PRINT(", %u assertion%s\n", done->assertions, done->assertions == 1 ? "" : "s");
  GREATEST_PRINT("Pass: %u, fail: %u, skip: %u.\n", done->passed, done->failed, done->skipped);
  fflush(GREATEST_STDOUT); /* a leak checker may end the process without it */
}

static inline void greatest_usage(const char *program) {
  GREATEST_PRINT("Usage: %s [-hlfave] [-s SUITE] [-t TEST] [-x EXCLUDE]\n"
                 "  -h, --help  print this help\n"
                 "  -l          list suites and tests, then exit (dry run)\n"
                 "  -f          stop after the first failure\n"
                 "  -a          abort at the first failure (implies -f)\n"
                 "  -v          verbose output\n"
                 "  -s SUITE    run only suites whose name contains SUITE\n"
                 "  -t TEST     run only tests whose name contains TEST\n"
                 "  -x EXCLUDE  leave out tests whose name contains EXCLUDE\n"
                 "  -e          the names given must match whole names\n"
                 "Arguments without a dash and all after -- are ignored.\n",
                 program);
}

/* clang-format off */
/* Sets what one option asks for; 0: there is no such option, or its value is missing. */
static inline int greatest_set_option(const char *option, const char *value) {
  switch (option[1] && !option[2] ? option[1] : 0) {
  case 'a': greatest_abort_on_fail(); /* fall through */
  case 'f': greatest_stop_at_first_fail(); return 1;
  case 'l': greatest_list_only(); return 1;
  case 'e': greatest_set_exact_name_match(); return 1;
  case 'v': greatest_info.verbosity++; return 1;
  case 's': greatest_set_suite_filter(value); return value != NULL;
  case 't': greatest_set_test_filter(value); return value != NULL;
  case 'x': greatest_set_test_exclude(value); return value != NULL;
  default: GREATEST_PRINT("Unknown argument '%s'\n", option); return 0;
  }
}
/* clang-format on */

static inline void greatest_parse_options(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (argv[i][0] != '-') continue; /* not ours */
    const int asks_help = !strcmp(argv[i], "-h") || !strcmp(argv[i], "--help");
    if (asks_help || !greatest_set_option(argv[i], i + 1 < argc ? argv[i + 1] : NULL)) {
      greatest_usage(argv[0]);
      exit(asks_help ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    if (strchr("stx", argv[i][1])) i++;
  }
}

/* ---- comparisons: 0, and both values printed, if they differ ---- */

/* `size`: how many bytes count at most, NULL for whole strings. NULL equals only NULL. */
static inline int greatest_check_str(const void *expd, const void *got, const size_t *size) {
  const char *a = expd, *b = got;
  if (a == b) return 1;
  if (a && b && !(size ? strncmp(a, b, *size) : strcmp(a, b))) return 1;
  const int width = size ? (int)*size : -1; /* the strings may have no end */
  GREATEST_PRINT("\nExpected: %.*s", width, a ? a : "(null)");
  GREATEST_PRINT("\n     Got: %.*s\n", width, b ? b : "(null)");
  return 0;
}

static inline void greatest_print_bytes(const unsigned char *mine, const unsigned char *other,
                                        size_t size) {
  for (size_t i = 0; i < size; i++)
    GREATEST_PRINT(mine[i] == other[i] ? " %02x " : "<%02x>", (unsigned)mine[i]);
}

static inline int greatest_check_mem(const void *expd, const void *got, size_t size) {
  const unsigned char *a = expd, *b = got;
  size_t same = 0;
  while (same < size && a[same] == b[same]) same++;
  if (same == size) return 1;
  const size_t n_shown = size - same < GREATEST_N_BYTES ? size - same : (size_t)GREATEST_N_BYTES;
  GREATEST_PRINT("\nFrom byte %zu of %zu on, what differs in <>:\nExpected: ", same, size);
  greatest_print_bytes(a + same, b + same, n_shown);
  GREATEST_PRINT("\n     Got: ");
  greatest_print_bytes(b + same, a + same, n_shown);
  GREATEST_PRINT("\n");
  return 0;
}

/* `type` is no pointer to const because upstream's is none. */
static inline int greatest_check_type(const void *expd, const void *got, greatest_type_info *type,
                                      void *udata) {
  if (!type || !type->equal) return 0;
  if (type->equal(expd, got, udata)) return 1;
  if (!type->print) return 0;
  GREATEST_PRINT("\nExpected: ");
  type->print(expd, udata);
  GREATEST_PRINT("\n     Got: ");
  type->print(got, udata);
  GREATEST_PRINT("\n");
  return 0;
}

/* A NaN is in no range. */
static inline int greatest_check_range(double expd, double got, double tolerance) {
  if (expd == got) return 1; /* also two infinities */
  if (got < expd ? expd - got <= tolerance : got - expd <= tolerance) return 1;
  GREATEST_PRINT("\nExpected: %g +/- %g\n     Got: %g\n", expd, tolerance, got);
  return 0;
}

static inline int greatest_check_enum(int expd, int got, greatest_enum_str_fun *name) {
  if (expd == got) return 1;
  GREATEST_PRINT("\nExpected: %s", name(expd));
  GREATEST_PRINT("\n     Got: %s\n", name(got));
  return 0;
}

/* ---- tests, suites and main ---- */
/* clang-format off */

#define GREATEST_TEST                 static enum greatest_test_res
#define GREATEST_SUITE(NAME)          void NAME(void); void NAME(void)
#define GREATEST_SUITE_EXTERN(NAME)   void NAME(void)
#define GREATEST_RUN_SUITE(NAME)      greatest_run_suite(NAME, #NAME)
#define GREATEST_IGNORE_TEST(NAME)    (void)NAME
#define GREATEST_RUN_TEST(NAME)       GREATEST_RUN_CALL(#NAME, NAME())
#define GREATEST_RUN_TEST1(NAME, ENV) GREATEST_RUN_CALL(#NAME, NAME(ENV))
#define GREATEST_RUN_TESTp(NAME, ...) GREATEST_RUN_CALL(#NAME, NAME(__VA_ARGS__))
#define GREATEST_RUN_CALL(TEXT, CALL) \
  do { if (greatest_test_pre(TEXT)) greatest_test_post(CALL); } while (0)

#define GREATEST_MAIN_DEFS()  struct greatest_run_info greatest_info
#define GREATEST_MAIN_BEGIN() do { GREATEST_INIT(); greatest_parse_options(argc, argv); } while (0)
#define GREATEST_MAIN_END() \
  do { \
    GREATEST_PRINT_REPORT(); \
    return greatest_all_passed() ? EXIT_SUCCESS : EXIT_FAILURE; \
  } while (0)

#define GREATEST_PASSm(MSG) GREATEST_LEAVE(GREATEST_TEST_RES_PASS, MSG)
#define GREATEST_FAILm(MSG) GREATEST_LEAVE(GREATEST_TEST_RES_FAIL, MSG)
#define GREATEST_SKIPm(MSG) GREATEST_LEAVE(GREATEST_TEST_RES_SKIP, MSG)
#define GREATEST_PASS()     GREATEST_PASSm(NULL)
#define GREATEST_FAIL()     GREATEST_FAILm(NULL)
#define GREATEST_SKIP()     GREATEST_SKIPm(NULL)
#define GREATEST_LEAVE(RES, MSG) \
  do { return greatest_leave(RES, MSG, __FILE__, __LINE__); } while (0)
#define GREATEST_CHECK_CALL(CALL) \
  do { \
    const enum greatest_test_res greatest_called = CALL; \
    if (greatest_called != GREATEST_TEST_RES_PASS) return greatest_called; \
  } while (0)

/* ---- assertions: M is the message, E the expected value, G what was got ---- */

#define GREATEST_ASSERTm(M, COND) \
  do { greatest_info.done.assertions++; if (!(COND)) GREATEST_FAILm(M); } while (0)
#define GREATEST_ASSERT_FALSEm(M, COND) GREATEST_ASSERTm(M, !(COND))
#define GREATEST_ASSERT_EQm(M, E, G)    GREATEST_ASSERTm(M, (E) == (G))
#define GREATEST_ASSERT_NEQm(M, E, G)   GREATEST_ASSERTm(M, (E) != (G))
#define GREATEST_ASSERT_GTm(M, E, G)    GREATEST_ASSERTm(M, (E) > (G))
#define GREATEST_ASSERT_GTEm(M, E, G)   GREATEST_ASSERTm(M, (E) >= (G))
#define GREATEST_ASSERT_LTm(M, E, G)    GREATEST_ASSERTm(M, (E) < (G))
#define GREATEST_ASSERT_LTEm(M, E, G)   GREATEST_ASSERTm(M, (E) <= (G))

/* Of any type, so that both are evaluated a second time when they differ. */
#define GREATEST_ASSERT_EQ_FMTm(M, E, G, FORMAT) \
  do { \
    greatest_info.done.assertions++; \
    if ((E) != (G)) { \
      GREATEST_PRINT("\nExpected: "); GREATEST_PRINT(FORMAT, E); \
      GREATEST_PRINT("\n     Got: "); GREATEST_PRINT(FORMAT, G); \
      GREATEST_PRINT("\n"); \
      GREATEST_FAILm(M); \
    } \
  } while (0)

#define GREATEST_ASSERT_IN_RANGEm(M, E, G, T)   GREATEST_ASSERTm(M, greatest_check_range(E, G, T))
#define GREATEST_ASSERT_STR_EQm(M, E, G)        GREATEST_ASSERTm(M, greatest_check_str(E, G, NULL))
#define GREATEST_ASSERT_STRN_EQm(M, E, G, N) \
  GREATEST_ASSERTm(M, greatest_check_str(E, G, &(const size_t){N}))
#define GREATEST_ASSERT_MEM_EQm(M, E, G, N)     GREATEST_ASSERTm(M, greatest_check_mem(E, G, N))
#define GREATEST_ASSERT_ENUM_EQm(M, E, G, STR) \
  GREATEST_ASSERTm(M, greatest_check_enum((int)(E), (int)(G), STR))
#define GREATEST_ASSERT_EQUAL_Tm(M, E, G, TYPE, UDATA) \
  GREATEST_ASSERTm(M, greatest_check_type(E, G, TYPE, UDATA))

/* The same with a message made from the text of the operands. */
#define GREATEST_ASSERT(COND)            GREATEST_ASSERTm(#COND, COND)
#define GREATEST_ASSERT_FALSE(COND)      GREATEST_ASSERT_FALSEm(#COND, COND)
#define GREATEST_ASSERT_EQ(E, G)         GREATEST_ASSERT_EQm(#E " != " #G, E, G)
#define GREATEST_ASSERT_NEQ(E, G)        GREATEST_ASSERT_NEQm(#E " == " #G, E, G)
#define GREATEST_ASSERT_GT(E, G)         GREATEST_ASSERT_GTm(#E " <= " #G, E, G)
#define GREATEST_ASSERT_GTE(E, G)        GREATEST_ASSERT_GTEm(#E " < " #G, E, G)
#define GREATEST_ASSERT_LT(E, G)         GREATEST_ASSERT_LTm(#E " >= " #G, E, G)
#define GREATEST_ASSERT_LTE(E, G)        GREATEST_ASSERT_LTEm(#E " > " #G, E, G)
#define GREATEST_ASSERT_EQ_FMT(E, G, F)  GREATEST_ASSERT_EQ_FMTm(#E " != " #G, E, G, F)
#define GREATEST_ASSERT_IN_RANGE(E, G, T) \
  GREATEST_ASSERT_IN_RANGEm(#E " != " #G " +/- " #T, E, G, T)
#define GREATEST_ASSERT_STR_EQ(E, G)         GREATEST_ASSERT_STR_EQm(#E " != " #G, E, G)
#define GREATEST_ASSERT_STRN_EQ(E, G, N)     GREATEST_ASSERT_STRN_EQm(#E " != " #G, E, G, N)
#define GREATEST_ASSERT_MEM_EQ(E, G, N)      GREATEST_ASSERT_MEM_EQm(#E " != " #G, E, G, N)
#define GREATEST_ASSERT_ENUM_EQ(E, G, STR)   GREATEST_ASSERT_ENUM_EQm(#E " != " #G, E, G, STR)
#define GREATEST_ASSERT_EQUAL_T(E, G, T, U)  GREATEST_ASSERT_EQUAL_Tm(#E " != " #G, E, G, T, U)

/* clang-format on */
/* ---- short names ---- */

#if GREATEST_USE_ABBREVS
#define TEST             GREATEST_TEST
#define SUITE            GREATEST_SUITE
#define SUITE_EXTERN     GREATEST_SUITE_EXTERN
#define RUN_TEST         GREATEST_RUN_TEST
#define RUN_TEST1        GREATEST_RUN_TEST1
#define RUN_TESTp        GREATEST_RUN_TESTp
#define RUN_SUITE        GREATEST_RUN_SUITE
#define IGNORE_TEST      GREATEST_IGNORE_TEST
#define SET_SETUP        GREATEST_SET_SETUP_CB
#define SET_TEARDOWN     GREATEST_SET_TEARDOWN_CB
#define CHECK_CALL       GREATEST_CHECK_CALL
#define PASS             GREATEST_PASS
#define PASSm            GREATEST_PASSm
#define FAIL             GREATEST_FAIL
#define FAILm            GREATEST_FAILm
#define SKIP             GREATEST_SKIP
#define SKIPm            GREATEST_SKIPm
#define ASSERT           GREATEST_ASSERT
#define ASSERTm          GREATEST_ASSERTm
#define ASSERT_FALSE     GREATEST_ASSERT_FALSE
#define ASSERT_FALSEm    GREATEST_ASSERT_FALSEm
#define ASSERT_EQ        GREATEST_ASSERT_EQ
#define ASSERT_EQm       GREATEST_ASSERT_EQm
#define ASSERT_EQ_FMT    GREATEST_ASSERT_EQ_FMT
#define ASSERT_EQ_FMTm   GREATEST_ASSERT_EQ_FMTm
#define ASSERT_NEQ       GREATEST_ASSERT_NEQ
#define ASSERT_NEQm      GREATEST_ASSERT_NEQm
#define ASSERT_GT        GREATEST_ASSERT_GT
#define ASSERT_GTm       GREATEST_ASSERT_GTm
#define ASSERT_GTE       GREATEST_ASSERT_GTE
#define ASSERT_GTEm      GREATEST_ASSERT_GTEm
#define ASSERT_LT        GREATEST_ASSERT_LT
#define ASSERT_LTm       GREATEST_ASSERT_LTm
#define ASSERT_LTE       GREATEST_ASSERT_LTE
#define ASSERT_LTEm      GREATEST_ASSERT_LTEm
#define ASSERT_IN_RANGE  GREATEST_ASSERT_IN_RANGE
#define ASSERT_IN_RANGEm GREATEST_ASSERT_IN_RANGEm
#define ASSERT_STR_EQ    GREATEST_ASSERT_STR_EQ
#define ASSERT_STR_EQm   GREATEST_ASSERT_STR_EQm
#define ASSERT_STRN_EQ   GREATEST_ASSERT_STRN_EQ
#define ASSERT_STRN_EQm  GREATEST_ASSERT_STRN_EQm
#define ASSERT_MEM_EQ    GREATEST_ASSERT_MEM_EQ
#define ASSERT_MEM_EQm   GREATEST_ASSERT_MEM_EQm
#define ASSERT_ENUM_EQ   GREATEST_ASSERT_ENUM_EQ
#define ASSERT_ENUM_EQm  GREATEST_ASSERT_ENUM_EQm
#define ASSERT_EQUAL_T   GREATEST_ASSERT_EQUAL_T
#define ASSERT_EQUAL_Tm  GREATEST_ASSERT_EQUAL_Tm
#endif

#endif
