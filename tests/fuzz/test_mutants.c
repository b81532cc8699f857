/* Good files with a few bytes changed, in every text format: each is read or refused with a
 * sentence that names it, and what is read survives being written and read again. */
#include "ireland_data.h"
#include "support.h"
#include "table/raw_table.h"

#define FOLDER "build/test-mutants"
#define ROUNDS 1000

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* Bytes that mean something in one of the formats. */
static char odd_byte(irl_random *random) {
  static const char odd[] = "\0\n\r\t \",;|:#!01289-+.eE{}[]\\u/nx\x7f\x80\xc3\xef\xff";
  return odd[irl_random_below(random, sizeof odd - 1)];
}

static buffer mutant(irl_random *random, const char *text, size_t length) {
  buffer b = {0};
  put_bytes(&b, text, length);
  for (uint64_t n = irl_random_below(random, 5); n && b.length; n--) {
    const size_t at = irl_random_below(random, b.length), left = b.length - at;
    const size_t size = irl_random_below(random, left < 20 ? left : 20);
    const char byte = odd_byte(random);
    switch (irl_random_below(random, 5)) {
    case 0:
      b.bytes[at] = byte;
      break;
    case 1: /* cut a piece out */
      memmove(b.bytes + at, b.bytes + at + size, left - size);
      b.length -= size;
      break;
    case 2: /* cut the end off */
      b.length = at;
      break;
    default: /* put a byte in */
      put_bytes(&b, &byte, 1);
      memmove(b.bytes + at + 1, b.bytes + at, b.length - 1 - at);
      b.bytes[at] = byte;
    }
  }
  return b;
}

static char message[2000];

static uint64_t checksum_of_coded(const irl_table *raw, const irl_options *o) {
  irl_coding *coding = NULL;
  irl_data *data = NULL;
  uint64_t checksum = 0;
  if (!irl_table_code(env, raw, NULL, o, &coding) && !irl_table_data(env, raw, coding, NULL, &data))
    checksum = checksum_of(data);
  irl_coding_free(coding);
  irl_data_free(data);
  return checksum;
}

/* The types of all columns as option type takes them; NULL if a name has a sign of the list. */
static char *types_of(const irl_table *raw) {
  buffer list = {0};
  for (size_t j = 0; j < raw->names.n; j++) {
    const char *name = irl_names_get(&raw->names, j);
    if (raw->columns[j].type == IRL_COLUMN_IGNORED) continue;
    if (strpbrk(name, ",\n\r")) {
      free(list.bytes);
      return NULL;
    }
    if (list.length) put(&list, ",");
    put(&list, name);
    put(&list, "=");
    put(&list, irl_column_type_text(raw->columns[j].type));
  }
  return list.bytes;
}

/* What was read survives being written and read again; texts do if their types are given. */
TEST table_survives(const irl_table *raw, const irl_options *o) {
  static const char *const copies[] = {FOLDER "/copy.irb", FOLDER "/copy.csv", FOLDER "/copy.tsv"};
  irl_table_info info = IRL_SIZED(irl_table_info);
  irl_table *again;
  char *types = types_of(raw);
  irl_options named = options_of(env, "threads", "1", NULL); /* waiting would take the time */
  irl_options coded = options_of(env, NULL);
  coded.data.missing = o->data.missing;
  const uint64_t checksum = checksum_of_coded(raw, &coded);
  irl_table_describe(raw, &info);
  named.data.positive = info.positive;
  for (int i = 0; i < 3; i++) {
    remove_file(copies[i]);
    const irl_status written = irl_table_write(env, raw, copies[i]);
    if (i && written == IRL_STATUS_BAD_INPUT &&
        strstr(irl_env_error(env), "would read as a missing"))
      continue;
    ASSERT_EQm(message, IRL_STATUS_OK, written);
    named.data.type = i && !info.is_plain ? types : NULL;
    if (i && !info.is_plain && !types) continue;
    if (irl_table_read(env, copies[i], &named, &again)) FAILm(error_of(env));
    ASSERT_EQm(message, checksum, checksum_of_coded(again, &coded));
    irl_table_free(again);
  }
  free(types);
  PASS();
}

TEST data_survives(const char *path, const irl_options *o, uint64_t round) {
  irl_table *raw = NULL;
  const irl_status status = irl_table_read(env, path, o, &raw);
  snprintf(message, sizeof message, "round %llu: %s", (unsigned long long)round,
           irl_env_error(env));
  if (status) {
    if (!o->data.cuts.method ||
        !strstr(irl_env_error(env), "cuts have no effect")) /* no number is left */
      ASSERT_EQm(message, IRL_STATUS_BAD_INPUT, status);
    ASSERTm(message, strstr(irl_env_error(env), FOLDER));
    ASSERT_FALSEm(message, strpbrk(irl_env_error(env), "\n\r"));
    PASS();
  }
  CHECK_CALL(table_survives(raw, o));
  irl_table_free(raw);
  PASS();
}

TEST mutants_of(const char *path, const char *text, size_t length, const char *data_path,
                const irl_options *o) {
  irl_random random;
  irl_random_init(&random, 1, length);
  for (uint64_t round = 0; round < ROUNDS; round++) {
    buffer b = mutant(&random, text, length);
    save_bytes(path, b.bytes, b.length);
    free(b.bytes);
    CHECK_CALL(data_survives(data_path, o, round));
  }
  save_bytes(path, text, length);
  PASS();
}

TEST csv(void) {
  static const char text[] = "\xef\xbb\xbf"
                             "a,\"b \"\"c\"\"\",d,class\r\n1,0,\"1\",yes\r\n\r\n"
                             " 0 ,1,0,\"no, or\nnever\"\r\n1,1,1,yes";
  irl_options o = options_of(env, "threads", "1", NULL);
  CHECK_CALL(mutants_of(FOLDER "/m.csv", text, sizeof text - 1, FOLDER "/m.csv", &o));
  o.data.no_header = true;
  CHECK_CALL(mutants_of(FOLDER "/m.csv", text + 3, sizeof text - 4, FOLDER "/m.csv", &o));
  PASS();
}

/* More than 64 cells, so that rows are read both ways. */
TEST wide_csv(void) {
  buffer b = {0};
  char name[16];
  for (int j = 0; j < 150; j++) {
    snprintf(name, sizeof name, "x%d\t", j);
    put(&b, name);
  }
  put(&b, "y\n");
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 150; j++) put(&b, (i + j) % 3 ? "1\t" : "0\t");
    put(&b, i % 2 ? "1\n" : "0\n");
  }
  const irl_options o = options_of(env, "threads", "1", NULL);
  const enum greatest_test_res result =
      mutants_of(FOLDER "/m.tsv", b.bytes, b.length, FOLDER "/m.tsv", &o);
  free(b.bytes);
  return result;
}

TEST mixed_csv(void) {
  static const char text[] =
      "age,\"kind of\",flag,size,y\n12.5,red,1,1e3,a\n?,\"dark \"\"blue\"\"\",0,-4,b\n"
      "7,red,,inf,a\n12,green,1,NA,b\n-3.25,\"two\nlines\",0,17,c\n";
  irl_options o = options_of(env, "threads", "1", "vs_rest", "a", "cuts", "all", NULL);
  CHECK_CALL(mutants_of(FOLDER "/m.csv", text, sizeof text - 1, FOLDER "/m.csv", &o));
  o.data.missing = IRL_MISSING_IMPUTE;
  o.data.cuts.method = IRL_CUT_MDL;
  return mutants_of(FOLDER "/m.csv", text, sizeof text - 1, FOLDER "/m.csv", &o);
}

TEST arff(void) {
  static const char text[] =
      "% comment\n@relation r\n@attribute 'the age' numeric\n@attribute kind {red,'dark blue'}\n"
      "@attribute s string\n@attribute class {0,1}\n@data\n12,red,x,1\n?,'dark blue',\"y z\",0\n"
      "% more\n7.5,red,'it\\'s',1\n";
  const irl_options o = options_of(env, "threads", "1", NULL);
  return mutants_of(FOLDER "/m.arff", text, sizeof text - 1, FOLDER "/m.arff", &o);
}

TEST libsvm(void) {
  static const char text[] = "# a comment\n+1 1:1 3:1 12:0 # here\r\n-1 2:1.0\n\n+1 1:1 2:+1\n-1\n";
  const irl_options o = options_of(env, "threads", "1", NULL);
  return mutants_of(FOLDER "/m.svm", text, sizeof text - 1, FOLDER "/m.svm", &o);
}

TEST libsvm_of_numbers(void) {
  static const char text[] = "+1 1:0.5 3:1\n-1 2:-1e3 3:nan\n+1 1:7 2:+1\n-1 1:inf\n";
  const irl_options o = options_of(env, "threads", "1", "ignore", "f2", NULL);
  return mutants_of(FOLDER "/n.svm", text, sizeof text - 1, FOLDER "/n.svm", &o);
}

TEST plink(void) {
  static const char fam[] =
      "a 1 0 0 1 2\nb 2 0 0 1 1\nc\t3\t0\t0\t1\t-9\r\nd 4 0 0 2 1\ne 5 0 0 2 2\n";
  static const char bim[] = "1 rs1 0 10 A C\n1\t.\t0\t20\tG\tT\r\nX rs3 0 30 C 0\n";
  static const char bed[] = "\x6c\x1b\x01\x1b\x01\xe4\x02\xaa\x03";
  const irl_options o = options_of(env, "threads", "1", NULL);
  save_bytes(FOLDER "/p.fam", fam, sizeof fam - 1);
  save_bytes(FOLDER "/p.bim", bim, sizeof bim - 1);
  save_bytes(FOLDER "/p.bed", bed, sizeof bed - 1);
  CHECK_CALL(mutants_of(FOLDER "/p.fam", fam, sizeof fam - 1, FOLDER "/p.bed", &o));
  CHECK_CALL(mutants_of(FOLDER "/p.bim", bim, sizeof bim - 1, FOLDER "/p.bed", &o));
  CHECK_CALL(mutants_of(FOLDER "/p.bed", bed, sizeof bed - 1, FOLDER "/p.bed", &o));
  PASS();
}

/* The texts are copied to blocks of their exact size: the address sanitizer sees a step too far. */
TEST rules(void) {
  static const char text[] =
      "{\"format\": \"ireland-rule\", \"version\": 1, \"K\": 2, \"M\": 3,\n \"target\": \"y\","
      " \"positive\": \"\\u00e9\\ud83d\\ude00\", \"features\": [\"a\", \"b\"],\n"
      " \"literals\": [{\"name\": \"a\", \"column\": \"c\", \"is\": \">\", \"value\": 2.5},"
      " {\"name\": \"b\", \"column\": \"k\", \"is\": \"!=\", \"value\": \"v\", \"missing\": "
      "true}],\n"
      " \"clauses\": [[\"a\", \"!b\"], [\"\\udcff\\n\", \"c d\"]], \"x\": [1.5e-3, true, null]}\n";
  irl_random random;
  irl_random_init(&random, 2, 0);
  for (uint64_t round = 0; round < 10 * ROUNDS; round++) {
    buffer b = mutant(&random, text, sizeof text - 1);
    irl_rule *rule = NULL, *again = NULL;
    char *exact = malloc(b.length ? b.length : 1), *first, *second;
    memcpy(exact, b.bytes, b.length);
    const irl_status status = irl_rule_parse_json(env, exact, b.length, &rule);
    free(exact);
    snprintf(message, sizeof message, "round %llu: %s", (unsigned long long)round, b.bytes);
    free(b.bytes);
    if (status) {
      ASSERT_EQm(message, IRL_STATUS_BAD_INPUT, status);
      continue;
    }
    ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, rule, IRL_FORMAT_JSON, &first));
    ASSERT_EQm(message, IRL_STATUS_OK, irl_rule_parse_json(env, first, strlen(first), &again));
    ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, again, IRL_FORMAT_JSON, &second));
    ASSERT_STR_EQm(message, first, second);
    irl_text_free(env, first);
    irl_text_free(env, second);
    irl_rule_free(rule);
    irl_rule_free(again);
  }
  PASS();
}

SUITE(mutants) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(csv);
  RUN_TEST(wide_csv);
  RUN_TEST(mixed_csv);
  RUN_TEST(arff);
  RUN_TEST(libsvm);
  RUN_TEST(libsvm_of_numbers);
  RUN_TEST(plink);
  RUN_TEST(rules);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  RUN_SUITE(mutants);
  GREATEST_MAIN_END();
}
