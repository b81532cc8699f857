/* Raw tables: reading, coding learnt from some samples, bits of others. */
#include "support.h"

#define FOLDER "build/test-table"

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* A 0/1 file is its own coding: any rows in any order, with any labels, as from bytes. */
TEST plain_rows(void) {
  irl_random random;
  irl_random_init(&random, 5, 1);
  table t = random_table(&random, 200, 70);
  irl_data *data, *picked;
  irl_table *raw;
  irl_coding *coding;
  const irl_options o = options_of(env, "threads", "1", NULL);
  if (irl_data_from_bytes(env, t.n, t.j, t.cells, t.labels, NULL, &data)) abort();
  ASSERT_FALSE(irl_data_write(env, data, FOLDER "/plain.csv"));
  ASSERT_FALSEm(error_of(env), irl_table_read(env, FOLDER "/plain.csv", &o, &raw));
  uint32_t samples[90];
  uint8_t labels[90];
  table part = {90, t.j, malloc(90 * t.j), malloc(90)};
  for (uint32_t i = 0; i < 90; i++) {
    samples[i] = (uint32_t)(irl_random_next(&random) % t.n);
    labels[i] = i % 3 == 0;
    memcpy(part.cells + (size_t)i * t.j, t.cells + (size_t)samples[i] * t.j, t.j);
    part.labels[i] = t.labels[samples[i]];
  }
  const irl_rows rows = {samples, 90, NULL}, shuffled = {samples, 90, labels};
  ASSERT_FALSE(irl_table_code(env, raw, &rows, &o, &coding));
  ASSERT_FALSE(irl_table_data(env, raw, coding, &rows, &picked));
  ASSERT_EQ(checksum_of(picked), checksum_of_table(env, &part, NULL));
  irl_data_free(picked);
  memcpy(part.labels, labels, 90);
  ASSERT_FALSE(irl_table_data(env, raw, coding, &shuffled, &picked));
  ASSERT_EQ(checksum_of(picked), checksum_of_table(env, &part, NULL));
  irl_data_free(picked);
  ASSERT_FALSE(irl_table_data(env, raw, coding, NULL, &picked));
  ASSERT_EQ(checksum_of(picked), checksum_of(data));
  irl_data_free(picked);
  irl_coding_free(coding);
  irl_table_free(raw);
  irl_data_free(data);
  free_table(&part);
  free_table(&t);
  PASS();
}

SUITE(tables) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(plain_rows);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  RUN_SUITE(tables);
  GREATEST_MAIN_END();
}
