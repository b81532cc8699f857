/* Models in files: every section and bound type of MPS, mistakes with their places, what is written
 * reads back, the public functions, a failing allocator, and the Netlib models if they are here. */
#include "base/env.h"
#include "ireland_model.h"
#include "lp_oracle.h"
#include "model/lp_names.h"

#define FOLDER   "build/test-lp"
#define FILE_MPS FOLDER "/model.mps"

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* The last error in a place that outlives the environment. */
static const char *message(void) {
  static char kept[1024];
  snprintf(kept, sizeof kept, "%s", irl_env_error(env));
  return kept;
}

static const char *const all_sections =
    "* a comment\n"
    "NAME          everything of many words here to read\n"
    "OBJSENSE\n    MAX\n"
    "ROWS\n N  profit\n L  l1\n G  g1\n E  e1\n E  e2\n N  other\n L  l2\n"
    "COLUMNS\n"
    "    x1  profit  2   l1  1\n"
    "    x1  g1  1.5D0   other  7\n"
    "    M1  'MARKER'  'INTORG'\n"
    "    x2  profit  -1  e1  1\n"
    "    x2  e2  1\n"
    "    x10  l2  1\n"
    "    M2  'MARKER'  'INTEND'\n"
    "    x3  l2  1  l1  -1\n"
    "    x4  l2  1\n    x5  l2  1\n    x6  l2  1\n    x7  l2  1\n    x8  l2  1\n    x9  l2  1\n"
    "RHS\n"
    "    RHS  profit  -10  l1  4\n"
    "    RHS  g1  1  e1  2\n"
    "    RHS  e2  3  l2  100\n"
    "    OTHER  l1  77\n"
    "RANGES\n"
    "    R  l1  3  g1  2\n"
    "    R  e1  1.5  e2  -1.5\n"
    "BOUNDS\n"
    " UP B x1 8\n LO B x2 1\n FX B x3 0.5\n FR B x4\n MI B x5\n UP B x5 2\n BV B x6\n LI B x7 2\n"
    " UI B x7 9\n UP B x8 -1\n PL B x9\n"
    "ENDATA\n";

static bool has_bounds(const irl_lp *lp, uint32_t j, double lower, double upper) {
  double l, u;
  irl_lp_bounds(lp, j, &l, &u);
  return l == lower && u == upper;
}

static bool has_row(const irl_lp *lp, uint32_t i, double lower, double upper) {
  double l, u;
  irl_lp_row_bounds(lp, i, &l, &u);
  return l == lower && u == upper;
}

TEST every_section(void) {
  irl_lp_names m;
  save_text(FILE_MPS, all_sections);
  ASSERT_EQm(message(), IRL_STATUS_OK, irl_lp_read(env, FILE_MPS, &m));
  const irl_lp *lp = m.lp;
  ASSERT_STR_EQ("everything", m.name);
  ASSERT_STR_EQ("profit", m.objective);
  ASSERT(m.is_maximised && m.n_integer == 4 && m.is_integer[1] && m.is_integer[6]);
  ASSERT(irl_lp_n_rows(lp) == 6 && irl_lp_n_columns(lp) == 10);
  ASSERT(irl_lp_cost(lp, 0) == -2 && irl_lp_cost(lp, 1) == 1 && irl_lp_constant(lp) == -10);
  ASSERT(has_row(lp, 0, 1, 4) && has_row(lp, 1, 1, 3) && has_row(lp, 2, 2, 3.5));
  ASSERT(has_row(lp, 3, 1.5, 3) && has_row(lp, 4, -INFINITY, INFINITY) &&
         has_row(lp, 5, -INFINITY, 100));
  ASSERT(has_bounds(lp, 0, 0, 8) && has_bounds(lp, 1, 1, INFINITY) && has_bounds(lp, 2, 0, 1));
  ASSERT(has_bounds(lp, 3, 0.5, 0.5) && has_bounds(lp, 4, -INFINITY, INFINITY));
  ASSERT(has_bounds(lp, 5, -INFINITY, 2) && has_bounds(lp, 6, 0, 1) && has_bounds(lp, 7, 2, 9));
  ASSERT(has_bounds(lp, 8, -INFINITY, -1) && has_bounds(lp, 9, 0, INFINITY));
  irl_lp_names_free(&m);
  PASS();
}

/* Names with spaces, fields by columns; free format would see other words. */
TEST fixed_format(void) {
  irl_lp_names m;
  save_text(FILE_MPS, "NAME          FIXED\n"
                      "ROWS\n"
                      " N  COST ROW\n"
                      " L  ROW A\n"
                      " E  ROW B\n"
                      "COLUMNS\n"
                      "    COL 1     COST ROW           1.0   ROW A              2.0\n"
                      "    COL 1     ROW B              3.0\n"
                      "    COL 2     ROW B             -1.0\n"
                      "RHS\n"
                      "    RHS       ROW A              4.0   ROW B              5.0\n"
                      "BOUNDS\n"
                      " UP BND       COL 1             10.0\n"
                      " FR BND       COL 2   \n"
                      "ENDATA\n");
  ASSERT_EQm(message(), IRL_STATUS_OK, irl_lp_read(env, FILE_MPS, &m));
  ASSERT_STR_EQ("COL 2", m.column_names[1]);
  ASSERT_STR_EQ("ROW A", m.row_names[0]);
  ASSERT(has_row(m.lp, 0, -INFINITY, 4) && has_row(m.lp, 1, 5, 5));
  ASSERT(has_bounds(m.lp, 0, 0, 10) && has_bounds(m.lp, 1, -INFINITY, INFINITY));
  irl_lp_names_free(&m);
  PASS();
}

TEST mistakes(void) {
  static const char *const rows[][3] = {
      {"ROWS\n N o\n Q r\nENDATA\n", "3:2", "N, L, G or E"},
      {"ROWS\n N o\n L o\nENDATA\n", "3:4", "second row"},
      {"ROWS\n N o\nCOLUMNS\n x y 1\nENDATA\n", "4:4", "no row 'y'"},
      {"ROWS\n N o\nCOLUMNS\n x o 1x\nENDATA\n", "4:6", "not a number"},
      {"ROWS\n N o\nCOLUMNS\n x o nan\nENDATA\n", "4:6", "not a number"},
      {"ROWS\n N o\nCOLUMNS\n x o 1e999\nENDATA\n", "4:6", "finite"},
      {"ROWS\n N o\nCOLUMNS\n x o -1e20\nENDATA\n", "4:6", "beyond 1e20"},
      {"ROWS\n N o\nCOLUMNS\n x o 1 o 2\nENDATA\n", "4:8", "second entry"},
      {"ROWS\n N o\nCOLUMNS\n x o 1\n y o 1\n x o 1\nENDATA\n", "6:2", "together"},
      {"ROWS\n N o\nCOLUMNS\n x o\nENDATA\n", "4:1", "fields"},
      {"ROWS\n N o\nCOLUMNS\n x o 1\nBOUNDS\n UP b z 1\nENDATA\n", "6:7", "no column 'z'"},
      {"ROWS\n N o\nCOLUMNS\n x o 1\nBOUNDS\n SC b x 1\nENDATA\n", "6:2", "bound type"},
      {"ROWS\n N o\nCOLUMNS\n x o 1\nSOS\nENDATA\n", "5:1", "section"},
      {"ROWS\n N o\nCOLUMNS\n x o 1\n", "4:1", "without ENDATA"},
      {"ROWS\n N o\nROWS\nENDATA\n", "3:1", "twice"},
      {"ROWS\n N o\nCOLUMNS\n x o 1\nOBJSENSE\n MAX\nCOLUMNS\nENDATA\n", "7:1", "twice"},
      {"ROWS\n N o\nBOUNDS\nCOLUMNS\nENDATA\n", "3:1", "COLUMNS must come before"},
      {"COLUMNS\nROWS\n N o\nENDATA\n", "1:1", "ROWS must come before"},
      {"ROWS\n N o\nNAME x\nENDATA\n", "3:1", "after ROWS"},
      {" N o\n", "1:2", "before the first section"},
      {"OBJSENSE\n UP\nENDATA\n", "2:2", "MAX or MIN"},
      {"ENDATA\n", "1:1", "empty"},
      {"", "0:1", "ENDATA"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    irl_lp_names m;
    char place[64];
    snprintf(place, sizeof place, FILE_MPS ":%s: ", rows[k][1]);
    save_text(FILE_MPS, rows[k][0]);
    ASSERT_EQm(rows[k][0], IRL_STATUS_BAD_INPUT, irl_lp_read(env, FILE_MPS, &m));
    ASSERT_STRN_EQ(place, irl_env_error(env), strlen(place));
    if (!strstr(irl_env_error(env), rows[k][2])) FAILm(message());
  }
  irl_lp_names m;
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_lp_read(env, FOLDER "/none.mps", &m));
  PASS();
}

/* The sections of a small model in any number and order: an answer or an error, never a crash, and
 * an answer only where each came once and after what it needs. */
TEST sections_in_any_order(void) {
  static const char *const sections[] = {"OBJSENSE\n MAX\n",
                                         "ROWS\n N o\n L r\n",
                                         "COLUMNS\n x o 1 r 1\n y o 1\n",
                                         "RHS\n RHS r 4\n",
                                         "RANGES\n R r 2\n",
                                         "BOUNDS\n UP b x 1\n UP b y 2\n",
                                         "COLUMNS\n z o 1 r 1\n w o 1\n",
                                         "BOUNDS\n UP b w 1\n"};
  enum { N = sizeof sections / sizeof *sections };
  irl_random random;
  irl_random_init(&random, 5, 0);
  unsigned n_read = 0;
  for (int round = 0; round < 3000; round++) {
    irl_lp_names m;
    char text[800] = "NAME x\n";
    unsigned seen = 0;
    bool is_fine = true;
    for (size_t k = irl_random_below(&random, 8); k-- > 0;) {
      static const unsigned kind[N] = {0, 1, 2, 3, 4, 5, 2, 5}, needs[N] = {0, 0, 2, 4, 4, 4, 2, 4};
      const size_t next = irl_random_below(&random, N);
      strcat(text, sections[next]);
      is_fine = is_fine && !(seen >> kind[next] & 1) && (seen & needs[next]) == needs[next] &&
                !(next == N - 1 && !strstr(text, " w o"));
      seen |= 1u << kind[next];
    }
    strcat(text, "ENDATA\n");
    save_text(FILE_MPS, text);
    const irl_status status = irl_lp_read(env, FILE_MPS, &m);
    if (!status) irl_lp_names_free(&m);
    if (!status && !is_fine) FAILm(strdup(text));
    n_read += !status;
  }
  ASSERT_GT(n_read, 20u);
  PASS();
}

/* Cut off or damaged at any byte: an answer or an error, never a crash. */
TEST hostile_bytes(void) {
  const size_t size = strlen(all_sections);
  char *copy = malloc(size);
  irl_random random;
  irl_random_init(&random, 1, 0);
  for (int round = 0; round < 2000; round++) {
    irl_lp_names m;
    memcpy(copy, all_sections, size);
    const size_t length = round % 2 ? size : irl_random_below(&random, size);
    for (int k = round % 2 ? 3 : 0; k-- > 0;)
      copy[irl_random_below(&random, size)] = (char)irl_random_next(&random);
    save_bytes(FILE_MPS, copy, length);
    if (!irl_lp_read(env, FILE_MPS, &m)) irl_lp_names_free(&m);
  }
  free(copy);
  PASS();
}

/* ---- the LP format ---- */

#define FILE_LP FOLDER "/model.lp"

static const char *const lp_everything =
    "\\ everything\n"
    "\\* and a comment *\\\n"
    "MAXIMISE\n profit: 2 x1 - x2 + 1.5e1x3 + 2 x1\n  + 7 constant_ - 4\n"
    "such that\n"
    " l1: x1 + 2 x2 - 0.5 x3 <= 4\n g1: x1 >= -1.5\n 3 x1 + x4 = 2\n"
    " two: -2 <= x1 - x4 <= 8.25\n 7 >= x2 + x5\n"
    " long: x1 + x2 +\n x3\n - x4 + 0 x6 + 1 =< 12 \\ more\n"
    "st : x1 - x1 >= -3\n"
    "Bounds\n x1 <= 8\n -inf <= x2 <= 3\n x3 free\n x4 = 2.5\n 9 >= x5 >= -1\n x6 >= 1\n"
    " -Infinity <= x7\n constant_ = 1\n 2 <= x8\n"
    "General\n x1 x2\nBINARY\n x9\n x6\n"
    "End\n";

TEST lp_everything_is_read(void) {
  irl_lp_names m;
  save_text(FILE_LP, lp_everything);
  ASSERT_EQm(message(), IRL_STATUS_OK, irl_lp_read(env, FILE_LP, &m));
  const irl_lp *lp = m.lp;
  ASSERT_STR_EQ("everything", m.name);
  ASSERT_STR_EQ("profit", m.objective);
  ASSERT(m.is_maximised && irl_lp_n_columns(lp) == 9 && irl_lp_n_rows(lp) == 7 && m.n_integer == 4);
  ASSERT_STR_EQ("x9", m.column_names[8]);
  ASSERT(irl_lp_cost(lp, 0) == -4 && irl_lp_cost(lp, 1) == 1 && irl_lp_cost(lp, 2) == -15);
  ASSERT_EQ(-3.0, irl_lp_constant(lp));
  ASSERT_STR_EQ("c3", m.row_names[2]);
  ASSERT_STR_EQ("st", m.row_names[6]);
  ASSERT(has_row(lp, 0, -INFINITY, 4) && has_row(lp, 1, -1.5, INFINITY) && has_row(lp, 2, 2, 2));
  ASSERT(has_row(lp, 3, -2, 8.25) && has_row(lp, 4, -INFINITY, 7) && has_row(lp, 5, -INFINITY, 11));
  ASSERT(has_row(lp, 6, -3, INFINITY));
  ASSERT(has_bounds(lp, 0, 0, 8) && has_bounds(lp, 1, -INFINITY, 3));
  ASSERT(has_bounds(lp, 2, -INFINITY, INFINITY) && has_bounds(lp, 3, 2.5, 2.5));
  ASSERT(has_bounds(lp, 4, -1, 9) && has_bounds(lp, 5, 1, 1) && has_bounds(lp, 8, 0, 1));
  ASSERT(has_bounds(lp, 6, -INFINITY, INFINITY) && has_bounds(lp, 7, 2, INFINITY));
  ASSERT(m.is_integer[0] && m.is_integer[1] && m.is_integer[5] && m.is_integer[8]);
  irl_lp_names_free(&m);
  PASS();
}

TEST lp_mistakes(void) {
  static const char *const rows[][3] = {
      {"", "1:1", "begins with Minimize or Maximize"},
      {"x + y\n", "1:1", "begins with Minimize or Maximize"},
      {"Bounds\n", "1:1", "begins with Minimize or Maximize"},
      {"Minimize\n x\nEnd\n", "0", ""},
      {"Minimize\nSubject To\nEnd\n", "1:1", "empty"},
      {"Minimize\n x\nSubject To\n c: x >= 1\n", "5:1", "without End"},
      {"Minimize\n x\nSubject To\n c: x >= \nEnd\n", "5:1", "expected a number"},
      {"Minimize\n x\nSubject To\n c: x 3\nEnd\n", "4:7", "behind the terms of a row"},
      {"Minimize\n x\nSubject To\n c: x + >= 3\nEnd\n", "4:9", "expected a number or the name"},
      {"Minimize\n x\nSubject To\n c: x >= 3 y\nEnd\n", "4:12", "single number"},
      {"Minimize\n x\nSubject To\n c: x <> 3\nEnd\n", "4:8", "expected a number"},
      {"Minimize\n x\nSubject To\n c: 1 <= x >= 3\nEnd\n", "4:12", "two sides"},
      {"Minimize\n x\nSubject To\n c: 1 = x = 3\nEnd\n", "4:11", "two sides"},
      {"Minimize\n x\nSubject To\n c: x >= 3\n c: x <= 4\nEnd\n", "5:2", "second row"},
      {"Minimize\n x\nSubject To\n c: 3 >= 2\nEnd\n", "5:1", "needs a column"},
      {"Minimize\n 1e20 x\nSubject To\nEnd\n", "2:7", "beyond 1e20"},
      {"Minimize\n inf x\nSubject To\nEnd\n", "2:2", "infinite"},
      {"Minimize\n x\nSubject To\n c: x >= inf\nEnd\n", "5:1", "beyond 1e20"},
      {"Minimize\n x + [ x ^ 2 ] / 2\nSubject To\nEnd\n", "2:6", "expected a number or"},
      {"Minimize\n x ^ 2\nSubject To\nEnd\n", "2:4", "squares"},
      {"Minimize\n x\nSubject To\nBounds\n x\nEnd\n", "6:1", "free behind a column"},
      {"Minimize\n x\nSubject To\nBounds\n 3 <= 4\nEnd\n", "5:7", "name of a column"},
      {"Minimize\n x\nSubject To\nGeneral\n 3\nEnd\n", "5:2", "name of a column"},
      {"Minimize\n x\nBounds\nEnd\n", "3:1", "expected 'Subject To'"},
      {"Minimize\n x\nst\nBounds\nst\nEnd\n", "5:1", "comes twice"},
      {"Minimize\n x\nst\nMaximize\n x\nEnd\n", "4:1", "one objective"},
      {"Minimize\n x\nst\nSOS1\nEnd\n", "4:1", "not read"},
      {"Minimize\n x\nst\nsemi-continuous\n x\nEnd\n", "4:1", "not read"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    irl_lp_names m;
    char place[64];
    snprintf(place, sizeof place, FILE_LP ":%s: ", rows[k][1]);
    save_text(FILE_LP, rows[k][0]);
    const irl_status status = irl_lp_read(env, FILE_LP, &m);
    if (!status) irl_lp_names_free(&m);
    if (!strcmp(rows[k][1], "0")) {
      ASSERT_EQm(rows[k][0], IRL_STATUS_OK, status);
      continue;
    }
    ASSERT_EQm(rows[k][0], IRL_STATUS_BAD_INPUT, status);
    if (strncmp(place, irl_env_error(env), strlen(place))) FAILm(message());
    if (!strstr(irl_env_error(env), rows[k][2])) FAILm(message());
  }
  PASS();
}

TEST lp_hostile_bytes(void) {
  const size_t size = strlen(lp_everything);
  char *copy = malloc(size);
  irl_random random;
  irl_random_init(&random, 1, 0);
  for (int round = 0; round < 2000; round++) {
    irl_lp_names m;
    memcpy(copy, lp_everything, size);
    const size_t length = round % 2 ? size : irl_random_below(&random, size);
    for (int k = round % 2 ? 3 : 0; k-- > 0;)
      copy[irl_random_below(&random, size)] = (char)irl_random_next(&random);
    save_bytes(FILE_LP, copy, length);
    if (!irl_lp_read(env, FILE_LP, &m)) irl_lp_names_free(&m);
  }
  free(copy);
  PASS();
}

/* What is written is read, and written again with the same bytes; names that mean something else in
 * an LP file are not kept. */
TEST lp_is_written_the_same(void) {
  static const char *const names[][3] = {
      {"x", "y", "z"},     {"end", "y", "z"},    {"x", "free", "z"},     {"x", "y", "constant_"},
      {"e1", "3x", "y z"}, {"Bin", "inf", "st"}, {"\xc3\xa9", "b:", ""}, {"s.t.", "r1", "r1_up"}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    irl_lp_names m, again, third;
    size_t sizes[2];
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_names_init(env, &m));
    m.is_maximised = k % 2;
    for (uint32_t j = 0; j < 3; j++) {
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_name_column(&m, names[k][j], strlen(names[k][j]), j == 1));
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_column(m.lp, j == 1 ? 0 : 0.1 * j - 3, j ? -INFINITY : 2,
                                                 j == 2 ? INFINITY : 7.5, NULL));
    }
    for (uint32_t i = 0; i < 3; i++) {
      const uint32_t columns[] = {i, (i + 1) % 3};
      const double values[] = {-1.25 * (i + 1), 1.0 / 3};
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_name_row(&m, names[k][i], strlen(names[k][i])));
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_add_row(m.lp, i == 2 ? -4 : 1, i == 1 ? 1 : 8,
                                              &(irl_lp_terms){i == 0 ? 0 : 2, columns, values}));
    }
    irl_lp_set_constant(m.lp, k < 4 ? -2.5 : 0);
    ASSERT_EQm(message(), IRL_STATUS_OK, irl_lp_write(env, &m, FILE_LP));
    ASSERT_EQm(message(), IRL_STATUS_OK, irl_lp_read(env, FILE_LP, &again));
    ASSERT(irl_lp_n_columns(again.lp) == 3 && irl_lp_constant(again.lp) == irl_lp_constant(m.lp));
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_write(env, &again, FOLDER "/again.lp"));
    char *first = load_bytes(FILE_LP, &sizes[0]),
         *second = load_bytes(FOLDER "/again.lp", &sizes[1]);
    if (sizes[0] != sizes[1] || memcmp(first, second, sizes[0])) FAILm(second);
    ASSERT_EQm(message(), IRL_STATUS_OK, irl_lp_read(env, FOLDER "/again.lp", &third));
    free(first);
    free(second);
    irl_lp_names_free(&m);
    irl_lp_names_free(&again);
    irl_lp_names_free(&third);
  }
  PASS();
}

/* ---- writing ---- */

static bool is_same_model(const irl_lp_names *a, const irl_lp_names *b) {
  const uint32_t m = irl_lp_n_rows(a->lp), n = irl_lp_n_columns(a->lp);
  double x[64], y[64], p[64], q[64];
  if (m != irl_lp_n_rows(b->lp) || n != irl_lp_n_columns(b->lp)) return false;
  if (a->is_maximised != b->is_maximised || a->n_integer != b->n_integer) return false;
  if (irl_lp_constant(a->lp) != irl_lp_constant(b->lp)) return false;
  for (uint32_t j = 0; j < n; j++) {
    double lower, upper;
    irl_lp_bounds(b->lp, j, &lower, &upper);
    if (!has_bounds(a->lp, j, lower, upper) || irl_lp_cost(a->lp, j) != irl_lp_cost(b->lp, j))
      return false;
    for (uint32_t k = 0; k < n; k++) x[k] = k == j;
    irl_lp_multiply(a->lp, x, p);
    irl_lp_multiply(b->lp, x, q);
    if (memcmp(p, q, m * sizeof *p)) return false;
  }
  for (uint32_t i = 0; i < m; i++) {
    irl_lp_row_bounds(b->lp, i, &y[0], &y[1]);
    if (!has_row(a->lp, i, y[0], y[1])) return false;
  }
  return true;
}

TEST round_trips(void) {
  for (uint64_t seed = 0; seed <= 100; seed++) {
    irl_lp_names a, b;
    irl_random random;
    irl_random_init(&random, seed, 1);
    if (seed == 0) {
      save_text(FILE_MPS, all_sections);
      ASSERT_EQ(IRL_STATUS_OK, irl_lp_read(env, FILE_MPS, &a));
    } else {
      dense d = random_dense(&random, 5, 7, true);
      for (uint32_t j = 0; j < d.n; j++) d.c[j] *= irl_random_real(&random);
      for (uint32_t j = 0; j < d.n; j++) d.a[2][j] *= irl_random_real(&random);
      a = (irl_lp_names){.env = env,
                         .allocator = env->allocator,
                         .lp = model_of(env, &d),
                         .name = "",
                         .objective = ""};
    }
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_write(env, &a, FILE_MPS));
    ASSERT_EQm(message(), IRL_STATUS_OK, irl_lp_read(env, FILE_MPS, &b));
    if (!is_same_model(&a, &b)) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    ASSERT(is_same_model(&a, &b));
    ASSERT_EQ(IRL_STATUS_OK, irl_lp_write(env, &a, FOLDER "/model.lp"));
    irl_lp_names_free(&a);
    irl_lp_names_free(&b);
  }
  PASS();
}

/* ---- the public functions ---- */

TEST public_functions(void) {
  irl_model *model;
  irl_model_info info = {.size = sizeof info};
  irl_solution solution = {.size = sizeof solution};
  char *text;
  double value;
  size_t size;
  save_text(FILE_MPS, "NAME t\nOBJSENSE\n MAX\nROWS\n N o\n L r\nCOLUMNS\n x o 3 r 1\n y o 2 r 1\n"
                      "RHS\n RHS r 4 o -1\nBOUNDS\n UP b x 2.5\n UI b y 9\nENDATA\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_model_read(env, FILE_MPS, &model));
  irl_model_describe(model, &info);
  ASSERT(info.rows == 1 && info.columns == 2 && info.entries == 2 && info.integers == 1);
  irl_options options = options_of(env, NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_model_solve(env, model, &options, &solution));
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, solution.outcome);
  ASSERT_IN_RANGE(11.0, solution.objective, 1e-9);
  options = options_of(env, "relax", "", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_model_solve(env, model, &options, &solution));
  ASSERT_EQ(IRL_OUTCOME_OPTIMAL, solution.outcome);
  ASSERT_IN_RANGE(11.5, solution.objective, 1e-9);
  ASSERT(solution.bound >= solution.objective && solution.gap >= 0 && solution.gap < 1e-9);
  ASSERT_STR_EQ("x", irl_model_column(model, 0, &value));
  ASSERT_IN_RANGE(2.5, value, 1e-9);
  ASSERT_EQ(IRL_STATUS_OK, irl_model_render(env, model, IRL_FORMAT_JSON, &text));
  ASSERT(strstr(text, "\"status\": \"optimal\"") && strstr(text, "\"nodes\": 0"));
  irl_text_free(env, text);
  ASSERT_EQ(IRL_STATUS_OK, irl_model_render(env, model, IRL_FORMAT_TEXT, &text));
  ASSERT(strstr(text, "11.5"));
  irl_text_free(env, text);
  ASSERT_EQ(IRL_STATUS_OK, irl_model_write_solution(env, model, FOLDER "/solution.txt"));
  char *file = load_bytes(FOLDER "/solution.txt", &size);
  ASSERT(strstr(file, "Status:     OPTIMAL") && strstr(file, "     1 x            "));
  free(file);
  ASSERT_EQ(IRL_STATUS_OK, irl_model_write_solution(env, model, FOLDER "/solution.sol"));
  file = load_bytes(FOLDER "/solution.sol", &size);
  ASSERT(strstr(file, "Model status\nOptimal\n") && strstr(file, "\nx 2.5\n"));
  ASSERT(strstr(file, "# Dual solution values\nFeasible\n") && strstr(file, "HiGHS v1\nValid\n"));
  free(file);
  irl_model_free(model);
  PASS();
}

/* A model may outlive its environment. */
TEST freed_last(void) {
  irl_env *other;
  irl_model *model;
  irl_solution solution = {.size = sizeof solution};
  const irl_options options = options_of(env, "relax", "", NULL);
  save_text(FILE_MPS, all_sections);
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(NULL, &other));
  ASSERT_EQ(IRL_STATUS_OK, irl_model_read(other, FILE_MPS, &model));
  ASSERT_EQ(IRL_STATUS_OK, irl_model_solve(other, model, &options, &solution));
  irl_env_free(other);
  ASSERT_EQ(IRL_STATUS_OK, irl_model_solve(env, model, &options, &solution));
  irl_model_free(model);
  PASS();
}

/* ---- out of memory ---- */

typedef struct stingy {
  long left; /* allocations until all fail */
} stingy;

static void *stingy_resize(void *user, void *memory, size_t size) {
  stingy *s = user;
  if (!size) {
    free(memory);
    return NULL;
  }
  return s->left-- > 0 ? realloc(memory, size) : NULL;
}

TEST failing_allocator(void) {
  save_text(FILE_MPS, all_sections);
  bool is_done = false;
  for (long allowed = 1; !is_done && allowed < 5000; allowed++) {
    stingy s = {allowed};
    const irl_allocator allocator = {sizeof allocator, stingy_resize, &s};
    irl_env *poor;
    irl_model *model = NULL;
    irl_solution solution = {.size = sizeof solution};
    irl_options options = options_of(env, "relax", "", NULL);
    if (irl_env_create(&allocator, &poor)) continue;
    irl_status status = irl_model_read(poor, FILE_MPS, &model);
    if (!status) status = irl_model_solve(poor, model, &options, &solution);
    ASSERT(!status || status == IRL_STATUS_NO_MEMORY);
    is_done = !status;
    irl_model_free(model);
    irl_env_free(poor);
  }
  ASSERT(is_done);
  PASS();
}

/* ---- Netlib ---- */

static const char *netlib_folder(void) {
  static const char *const places[] = {"../shared/lp", "../../shared/lp"};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    char path[64];
    snprintf(path, sizeof path, "%s/optimum.csv", places[k]);
    if (!access(path, R_OK)) return places[k];
  }
  return NULL;
}

static enum greatest_test_res netlib_model(const char *folder, const char *name,
                                           const char *wanted) {
  char path[256];
  irl_model *model;
  irl_solution solution = {.size = sizeof solution};
  const irl_options options = options_of(env, NULL);
  snprintf(path, sizeof path, "%s/%s.mps", folder, name);
  ASSERT_EQm(message(), IRL_STATUS_OK, irl_model_read(env, path, &model));
  ASSERT_EQm(name, IRL_STATUS_OK, irl_model_solve(env, model, &options, &solution));
  irl_model_free(model);
  if (!strcmp(wanted, "infeasible") || !strcmp(wanted, "unbounded")) {
    ASSERT_STR_EQm(name, wanted, irl_outcome_text(solution.outcome));
    PASS();
  }
  ASSERT_EQm(name, IRL_OUTCOME_OPTIMAL, solution.outcome);
  /* The table has e226 without its constant, which is minus the right-hand side of its cost row. */
  const double objective = solution.objective - (strcmp(name, "e226") ? 0 : 7.113);
  const double optimum = strtod(wanted, NULL);
  ASSERTm(name, fabs(objective - optimum) <= 1e-7 * fmax(1, fabs(optimum)));
  PASS();
}

TEST netlib(void) {
  const char *folder = netlib_folder();
  char path[64], line[512];
  if (!folder) SKIPm("no folder ../shared/lp");
  snprintf(path, sizeof path, "%s/optimum.csv", folder);
  FILE *optima = fopen(path, "r");
  ASSERT(optima && fgets(line, sizeof line, optima));
  while (fgets(line, sizeof line, optima)) {
    char *field[5], *rest = line;
    for (int k = 0; k < 5; k++) field[k] = strsep(&rest, ",");
    CHECK_CALL(netlib_model(folder, field[0], field[4]));
  }
  fclose(optima);
  PASS();
}

SUITE(files) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(every_section);
  RUN_TEST(fixed_format);
  RUN_TEST(mistakes);
  RUN_TEST(sections_in_any_order);
  RUN_TEST(lp_everything_is_read);
  RUN_TEST(lp_mistakes);
  RUN_TEST(lp_hostile_bytes);
  RUN_TEST(lp_is_written_the_same);
  RUN_TEST(hostile_bytes);
  RUN_TEST(round_trips);
  RUN_TEST(public_functions);
  RUN_TEST(freed_last);
  RUN_TEST(failing_allocator);
  RUN_TEST(netlib);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  RUN_SUITE(files);
  GREATEST_MAIN_END();
}
