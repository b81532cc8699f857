/* Pools in files: what is written reads back clause by clause, and whatever is wrong in a file is
 * refused with its place. */
#include "base/random.h"
#include "files.h"
#include "greatest.h"
#include "learn/pool_file.h"
#include "support.h"

#define FOLDER "build/test-pool-file"
#define PATH   FOLDER "/pool.json"
#define SEED   7u

static irl_env *env;
static irl_data *data;
static char checksum[20];

static const char *const names[] = {"plain", "with \"quotes\"", "<script>", "a b", "caf\xe9", "x"};

static void make_data(void) {
  irl_random random;
  irl_random_init(&random, SEED, 1);
  table t = random_table(&random, 40, 6);
  if (irl_data_from_bytes(env, t.n, t.j, t.cells, t.labels, names, &data)) abort();
  snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)checksum_of(data));
  free_table(&t);
}

TEST reads_back(void) {
  const uint32_t clauses[][3] = {{0, 2, 0}, {4, 0, 0}, {3, 5, 10}, {6, 9, 0}, {8, 0, 0}};
  const uint32_t sizes[] = {2, 1, 3, 2, 1};
  irl_clause_set pool, again;
  uint32_t number;
  bool is_new, negations = false;
  char *text;
  irl_clause_set_init(&pool, data, 3);
  for (size_t k = 0; k < 5; k++)
    ASSERT_EQ(IRL_STATUS_OK,
              irl_clause_set_add(env, &pool, clauses[k], sizes[k], &number, &is_new));
  remove_file(PATH);
  ASSERT_EQ(IRL_STATUS_OK, irl_pool_render(env, &pool, true, &text));
  ASSERT_EQ(IRL_STATUS_OK, irl_file_write(env, PATH, text, strlen(text)));
  irl_text_free(env, text);
  ASSERT_EQm(error_of(env), IRL_STATUS_OK, load_pool(env, PATH, data, &again, &negations));
  ASSERT(negations);
  ASSERT_EQ(pool.n, again.n);
  ASSERT_EQ(3u, again.max_size);
  for (size_t k = 0; k < pool.n; k++) {
    ASSERT_EQ(pool.sizes[k], again.sizes[k]);
    ASSERT_MEM_EQ(irl_clause_set_literals(&pool, k), irl_clause_set_literals(&again, k),
                  pool.sizes[k] * sizeof(uint32_t));
    ASSERT_MEM_EQ(irl_bits_vector(&pool.cases, k), irl_bits_vector(&again.cases, k),
                  pool.cases.stride * sizeof(uint64_t));
  }
  irl_clause_set_free(&pool);
  irl_clause_set_free(&again);
  PASS();
}

/* `%s` in the text stands for the checksum; the message must begin with the path and `place`. */
static enum greatest_test_res refused(const char *text, const char *place, const char *what) {
  irl_clause_set pool;
  bool negations;
  char whole[1000], expected[200];
  snprintf(whole, sizeof whole, text, checksum);
  save_text(PATH, whole);
  snprintf(expected, sizeof expected, PATH ":%s: ", place);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, load_pool(env, PATH, data, &pool, &negations));
  ASSERT_STRN_EQ(expected, irl_env_error(env), strlen(expected));
  ASSERTm(error_of(env), strstr(irl_env_error(env), what));
  PASS();
}

#define HEAD "{\"format\": \"ireland-pool\", \"version\": 1, \"checksum\": \"%s\",\n"
#define BODY HEAD "\"M\": 2, \"negations\": false,\n"

TEST refuses(void) {
  CHECK_CALL(refused("", "1:1", ""));
  CHECK_CALL(refused("[1, 2", "1:6", ""));
  CHECK_CALL(refused("[]", "1:1", "not a pool"));
  CHECK_CALL(refused("{\"format\": \"ireland-rule\"}", "1:12", "not a pool"));
  CHECK_CALL(refused("{\"format\": \"ireland-pool\", \"version\": 2}", "1:39", "version 1"));
  CHECK_CALL(refused("{\"format\": \"ireland-pool\", \"version\": 1,\n \"checksum\": \"0\"}",
                     "2:14", "other data"));
  CHECK_CALL(refused(HEAD "\"M\": 2, \"negations\": true}", "1:1", "clauses"));
  CHECK_CALL(refused(HEAD "\"M\": 2.5, \"negations\": true, \"clauses\": []}", "2:6", "M"));
  CHECK_CALL(refused(HEAD "\"M\": 65, \"negations\": true, \"clauses\": []}", "2:6", "M"));
  CHECK_CALL(refused(HEAD "\"M\": 2, \"negations\": 1, \"clauses\": []}", "2:22", "negations"));
  CHECK_CALL(refused(BODY "\"clauses\": {}}", "3:12", "array"));
  CHECK_CALL(refused(BODY "\"clauses\": [3]}", "3:13", "array of literals"));
  CHECK_CALL(refused(BODY "\"clauses\": [[]]}", "3:13", "at least one"));
  CHECK_CALL(refused(BODY "\"clauses\": [[\"x\"], [7]]}", "3:21", "a text"));
  CHECK_CALL(refused(BODY "\"clauses\": [[\"x\", \"y\"]]}", "3:19", "no feature"));
  CHECK_CALL(refused(BODY "\"clauses\": [[\"!x\"]]}", "3:14", "negated"));
  CHECK_CALL(refused(BODY "\"clauses\": [[\"x\", \"x\"]]}", "3:19", "twice"));
  CHECK_CALL(refused(BODY "\"clauses\": [[\"x\", \"plain\", \"a b\"]]}", "3:13", "more than M"));
  PASS();
}

TEST refuses_contradictions(void) {
  CHECK_CALL(refused(HEAD "\"M\": 2, \"negations\": true, \"clauses\": [[\"!x\", \"x\"]]}", "2:47",
                     "twice"));
  PASS();
}

/* Any byte of a good file changed: read or refused, never worse. */
TEST survives_changes(void) {
  char text[1000];
  irl_random random;
  irl_random_init(&random, SEED, 2);
  snprintf(text, sizeof text, BODY "\"clauses\": [[\"x\", \"plain\"], [\"a b\"]]}", checksum);
  for (size_t i = 0; i < strlen(text); i++) {
    char changed[1000];
    irl_clause_set pool;
    bool negations;
    memcpy(changed, text, sizeof text);
    changed[i] = (char)irl_random_below(&random, 256);
    save_bytes(PATH, changed, strlen(text));
    if (!load_pool(env, PATH, data, &pool, &negations)) irl_clause_set_free(&pool);
  }
  PASS();
}

SUITE(pool_file) {
  make_folder(FOLDER);
  if (irl_env_create(NULL, &env)) abort();
  make_data();
  RUN_TEST(reads_back);
  RUN_TEST(refuses);
  RUN_TEST(refuses_contradictions);
  RUN_TEST(survives_changes);
  irl_data_free(data);
  irl_env_free(env);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(pool_file);
  GREATEST_MAIN_END();
}
