/* base: random numbers, memory, arena, options, limits, texts, files. */
#include "base/arena.h"
#include "base/array.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/hash_index.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "base/threads.h"
#include "greatest.h"
#include "support.h"
#include <math.h>
#include <string.h>
#include <sys/mman.h>

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* ---- random ---- */

/* The first numbers of a seed are part of the file format of planted data: they must never change.
 */
TEST random_numbers_are_fixed(void) {
  irl_random random;
  irl_random_init(&random, 1, 0);
  const uint64_t first = irl_random_next(&random), second = irl_random_next(&random);
  ASSERT_EQ_FMT(0xee127fe613436e33ull, (unsigned long long)first, "%llx");
  ASSERT_EQ_FMT(0xd6dad8d34a1874eaull, (unsigned long long)second, "%llx");
  PASS();
}

/* The published test vector of xoshiro256**. */
TEST generator_is_xoshiro(void) {
  static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240u};
  irl_random random = {{1, 2, 3, 4}};
  for (int i = 0; i < 4; i++) ASSERT_EQ(expected[i], irl_random_next(&random));
  PASS();
}

TEST streams_differ(void) {
  irl_random a, b;
  irl_random_init(&a, 7, 1);
  irl_random_init(&b, 7, 2);
  for (int i = 0; i < 100; i++) ASSERT_NEQ(irl_random_next(&a), irl_random_next(&b));
  PASS();
}

TEST below_is_uniform(void) {
  irl_random random;
  unsigned counts[7] = {0};
  irl_random_init(&random, 3, 0);
  for (int i = 0; i < 70000; i++) counts[irl_random_below(&random, 7)]++;
  for (int i = 0; i < 7; i++) ASSERT_IN_RANGE(10000, (int)counts[i], 500);
  PASS();
}

TEST bits_have_their_chance(void) {
  static const double chances[] = {0, 0.001, 0.25, 0.3, 0.5, 0.9, 1};
  irl_random random;
  irl_random_init(&random, 5, 0);
  for (size_t c = 0; c < sizeof chances / sizeof *chances; c++) {
    unsigned ones = 0;
    for (int i = 0; i < 10000; i++)
      ones +=
          (unsigned)__builtin_popcountll(irl_random_bits(&random, (uint64_t)(chances[c] * 0x1p32)));
    ASSERT_IN_RANGE(chances[c], ones / 640000.0, 0.003);
  }
  PASS();
}

/* ---- memory ---- */

TEST memory_is_zeroed_and_checked(void) {
  const irl_allocator *allocator = &env->allocator;
  unsigned char *bytes = irl_mem_alloc(allocator, 100, 3);
  for (int i = 0; i < 300; i++) ASSERT_EQ(0, bytes[i]);
  irl_mem_free(allocator, bytes);
  ASSERT_EQ(NULL, irl_mem_alloc(allocator, SIZE_MAX / 2, 3));
  ASSERT_EQ(NULL, irl_mem_alloc_aligned(allocator, SIZE_MAX, 8));
  for (size_t n = 0; n < 200; n += 7) {
    void *aligned = irl_mem_alloc_aligned(allocator, n, 1);
    ASSERT_EQ(0, (uintptr_t)aligned % 64);
    irl_mem_free_aligned(allocator, aligned);
  }
  PASS();
}

TEST small_work_has_one_thread(void) {
  ASSERT_EQ(1, irl_threads_for(8, 10, 10));
  ASSERT_EQ(1, irl_threads_for(8, 0, 1e9));
  ASSERT_EQ(1, irl_threads_for(1, 1e6, 1e6));
  ASSERT_EQ(irl_threads_here(8), irl_threads_for(8, 1e6, 1e6));
  PASS();
}

TEST arena_keeps_blocks_until_freed(void) {
  irl_arena arena;
  irl_arena_init(&arena, &env->allocator);
  char *first = irl_arena_copy_text(&arena, "first", 5);
  for (size_t i = 1; i < 3000; i++) {
    unsigned char *block = irl_arena_alloc(&arena, i, 1);
    ASSERT(block);
    ASSERT_EQ(0, block[i - 1]);
    memset(block, 0xaa, i);
    if (i % 100) continue;
    block = irl_arena_alloc_aligned(&arena, i, 8);
    ASSERT_EQ(0, (uintptr_t)block % 64);
    ASSERT_EQ(0, block[8 * i - 1]);
    memset(block, 0xaa, 8 * i);
  }
  ASSERT(irl_arena_alloc_aligned(&arena, 1 << 20, 1));
  unsigned char *unset = irl_arena_alloc_unset(&arena, 1000, 3);
  ASSERT(unset && (uintptr_t)unset % 64 == 0);
  memset(unset, 7, 3000); /* the sanitizer sees that it is all ours */
  ASSERT_STR_EQ("first", first);
  ASSERT_EQ(NULL, irl_arena_alloc(&arena, SIZE_MAX / 2, 4));
  irl_arena_free(&arena);
  ASSERT(irl_arena_alloc(&arena, 64, 1));
  irl_arena_free(&arena);
  PASS();
}

TEST hash_index_finds_all_entries(void) {
  irl_hash_index index;
  irl_hash_index_init(&index, &env->allocator);
  irl_hash_probe probe = irl_hash_probe_start(&index, 1);
  ASSERT_EQ(IRL_HASH_NONE, irl_hash_probe_next(&probe));
  for (uint32_t round = 0; round < 2; round++) {
    /* Four numbers per hash, and hashes that fall into the same slots. */
    for (uint32_t i = 0; i < 4000; i++)
      ASSERT(irl_hash_index_insert(&index, (uint64_t)(i / 4) << 5, i));
    ASSERT_EQ(4000, index.n);
    for (uint32_t hash = 0; hash < 1000; hash++) {
      uint32_t k, n = 0;
      probe = irl_hash_probe_start(&index, (uint64_t)hash << 5);
      for (; (k = irl_hash_probe_next(&probe)) != IRL_HASH_NONE; n++) ASSERT_EQ(hash, k / 4);
      ASSERT_EQ(4, n);
    }
    probe = irl_hash_probe_start(&index, 7);
    ASSERT_EQ(IRL_HASH_NONE, irl_hash_probe_next(&probe));
    ASSERT(irl_hash_index_reset(&index, 100));
    probe = irl_hash_probe_start(&index, 0);
    ASSERT_EQ(IRL_HASH_NONE, irl_hash_probe_next(&probe));
  }
  irl_hash_index_free(&index);
  PASS();
}

/* A table keeps its seed as it grows; another one has another. */
TEST hashes_are_seeded(void) {
  irl_hash_index a, b;
  irl_hash_index_init(&a, &env->allocator);
  irl_hash_index_init(&b, &env->allocator);
  const uint64_t before = irl_hash_of(&a, "name", 4);
  ASSERT(before != irl_hash_of(&b, "name", 4));
  ASSERT(irl_hash_index_insert(&a, before, 7));
  ASSERT(irl_hash_index_reserve(&a, 1000));
  ASSERT_EQ(before, irl_hash_of(&a, "name", 4));
  irl_hash_probe probe = irl_hash_probe_start(&a, before);
  ASSERT_EQ(7, irl_hash_probe_next(&probe));
  irl_hash_index_free(&a);
  irl_hash_index_free(&b);
  PASS();
}

TEST arrays_grow(void) {
  struct {
    IRL_ARRAY(uint32_t)
  } squares = {0};
  for (uint32_t i = 0; i < 1000; i++) ASSERT(irl_array_push(&env->allocator, &squares, i * i));
  ASSERT_EQ(1000, squares.n);
  for (uint32_t i = 0; i < 1000; i++) ASSERT_EQ(i * i, squares.items[i]);
  ASSERT(irl_array_reserve(&env->allocator, &squares, 5000));
  ASSERT(squares.capacity >= 6000);
  ASSERT_FALSE(irl_array_reserve(&env->allocator, &squares, SIZE_MAX / 2));
  irl_array_free(&env->allocator, &squares);
  PASS();
}

/* ---- options ---- */

TEST options_have_their_defaults(void) {
  irl_options options;
  irl_options_init(&options, sizeof options);
  ASSERT_EQ(3, options.rule.K);
  ASSERT_EQ(0.5, options.data.density);
  ASSERT_EQ(NULL, options.data.target);
  ASSERT_FALSE(options.data.exact_size);
  PASS();
}

/* Every number option takes its ends and its default, and nothing beyond its ends. */
TEST options_keep_their_ranges(void) {
  size_t n;
  char value[64];
  irl_options options;
  const irl_option_info *rows = irl_options_table(&n);
  irl_options_init(&options, sizeof options);
  for (size_t i = 0; i < n; i++) {
    if (rows[i].type != IRL_OPTION_INTEGER && rows[i].type != IRL_OPTION_REAL) continue;
    snprintf(value, sizeof value, "%.15g", rows[i].preset);
    ASSERT_EQm(rows[i].name, IRL_STATUS_OK, irl_options_set(env, &options, rows[i].name, value));
    if (rows[i].high < 1e15) {
      snprintf(value, sizeof value, "%.15g", rows[i].high);
      ASSERT_EQm(rows[i].name, IRL_STATUS_OK, irl_options_set(env, &options, rows[i].name, value));
      snprintf(value, sizeof value, "%.15g", rows[i].high + 1);
      ASSERT_EQm(rows[i].name, IRL_STATUS_BAD_ARGUMENT,
                 irl_options_set(env, &options, rows[i].name, value));
    }
    snprintf(value, sizeof value, "%.15g", rows[i].low - 1);
    ASSERT_EQm(rows[i].name, IRL_STATUS_BAD_ARGUMENT,
               irl_options_set(env, &options, rows[i].name, value));
  }
  PASS();
}

TEST options_refuse_nonsense(void) {
  static const char *const bad[][2] = {
      {"K", "three"},   {"K", ""},      {"K", "3x"},      {"K", "2.5"}, {"K", "1e99"},
      {"noise", "nan"}, {"noise", "-"}, {"no_such", "1"}, {"K", NULL},  {"exact_size", "maybe"}};
  irl_options options;
  irl_options_init(&options, sizeof options);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_options_set(env, &options, bad[i][0], bad[i][1]));
    ASSERT(strstr(irl_env_error(env), bad[i][0]));
  }
  ASSERT_EQ(3, options.rule.K);
  ASSERT_EQ(IRL_STATUS_OK, irl_options_set(env, &options, "work_limit", "1.5e6"));
  ASSERT_EQ(1500000, options.limits.work_limit);
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_options_set(env, &options, "work_limit", "1.55e1"));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_options_set(env, &options, "work_limit", "0x1e"));
  ASSERT_EQ(IRL_STATUS_OK, irl_options_set(env, &options, "work_limit", "1e6"));
  ASSERT_EQ(1000000, options.limits.work_limit);
  ASSERT_EQ(IRL_STATUS_OK, irl_options_set(env, &options, "exact_size", NULL));
  ASSERT(options.data.exact_size);
  PASS();
}

/* ---- limits, log, texts ---- */

#define MB ((size_t)1000000)

/* Pages that are there, and given back at once when they are freed. */
static char *take_mb(size_t mb) {
  char *bytes = mmap(NULL, mb * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) return NULL;
  memset(bytes, 1, mb * MB);
  return bytes;
}

/* C9: what the host has, or once had, before the job begins is not the job's. */
TEST memory_of_the_host_does_not_count(void) {
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.limits.memory_limit = 40;
  irl_limit limit;
  char *host = take_mb(100), *peak = take_mb(100);
  ASSERT(host && peak);
  munmap(peak, 100 * MB);
  irl_limit_init(&limit, env, &options);
  ASSERT_FALSE(irl_limit_poll(&limit));
  ASSERT(irl_limit_affords(&limit, 20 * MB));
  ASSERT_FALSE(irl_limit_affords(&limit, 60 * MB));
  char *own = take_mb(120); /* the peak was higher: it is what there is now that counts */
  ASSERT(own);
  ASSERT(irl_limit_poll(&limit));
  ASSERT_EQ(IRL_OUTCOME_LIMIT, irl_limit_outcome(&limit));
  munmap(own, 120 * MB);
  ASSERT(irl_limit_poll(&limit)); /* or it would ask for it again */
  irl_limit_init(&limit, env, &options);
  ASSERT_FALSE(irl_limit_poll(&limit));
  munmap(host, 100 * MB);
  PASS();
}

/* A program of many calls has one limit for all of them. */
TEST memory_counts_from_where_it_is_told(void) {
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.limits.memory_limit = 40;
  irl_limit limit;
  irl_env *own;
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(NULL, &own));
  irl_env_count_memory(own);
  char *read = take_mb(120);
  ASSERT(read);
  irl_limit_init(&limit, own, &options);
  ASSERT(irl_limit_poll(&limit));
  munmap(read, 120 * MB);
  irl_env_free(own);
  PASS();
}

TEST limits_are_reached(void) {
  irl_options options;
  irl_limit limit;
  irl_options_init(&options, sizeof options);
  irl_limit_init(&limit, env, &options);
  ASSERT_FALSE(irl_limit_reached(&limit, UINT64_MAX - 1));
  options.limits.work_limit = 10;
  irl_limit_init(&limit, env, &options);
  ASSERT_FALSE(irl_limit_reached(&limit, 9));
  ASSERT(irl_limit_reached(&limit, 10));
  ASSERT_EQ(IRL_OUTCOME_LIMIT, irl_limit_outcome(&limit));
  options.limits.time_limit = 1e-9;
  irl_limit_init(&limit, env, &options);
  while (!irl_limit_poll(&limit)) {
  }
  irl_env_stop(env);
  ASSERT_EQ(IRL_OUTCOME_INTERRUPTED, irl_limit_outcome(&limit));
  PASS();
}

static void remember(void *user, irl_log_kind kind, const char *line) {
  snprintf(user, 64, "%d %s", (int)kind, line);
}

TEST log_goes_to_the_hook(void) {
  char line[64] = "";
  irl_log(env, IRL_LOG_NOTE, "nobody listens");
  irl_env_set_log(env, remember, line);
  irl_log(env, IRL_LOG_WARNING, "%d of %d", 3, 4);
  ASSERT_STR_EQ("1 3 of 4", line);
  PASS();
}

TEST texts_grow(void) {
  irl_text text;
  char *bytes;
  size_t line, column;
  irl_text_init(&text, env);
  for (int i = 0; i < 1000; i++) irl_text_printf(&text, "%d\n", i);
  ASSERT_EQ(IRL_STATUS_OK, irl_text_take(&text, &bytes));
  ASSERT_EQ(3890, strlen(bytes));
  irl_text_place(bytes, (size_t)(strstr(bytes, "\n120") - bytes) + 2, &line, &column);
  ASSERT_EQ(121, line);
  ASSERT_EQ(2, column);
  irl_text_free(env, bytes);
  PASS();
}

TEST every_status_has_a_text(void) {
  for (int i = 0; i < IRL_N_STATUS; i++) ASSERT(*irl_status_text((irl_status)i));
  for (int i = 0; i < IRL_N_OUTCOME; i++) ASSERT(*irl_outcome_text((irl_outcome)i));
  for (int i = 0; i < IRL_N_PHASE; i++) ASSERT(*irl_phase_text((irl_phase)i));
  ASSERT_STR_EQ("unknown status", irl_status_text((irl_status)99));
  PASS();
}

#ifdef __SANITIZE_ADDRESS__
void *__asan_region_is_poisoned(void *begin, size_t size);
#endif

/* Nothing follows the bytes of a file, so that a sanitizer sees who reads on. */
TEST files_end_where_they_end(void) {
  static const size_t sizes[] = {0, 1, 17, 4096, 100000};
  make_folder("build");
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    irl_file file;
    char *text = calloc(1, sizes[k] + 1);
    save_bytes("build/test-base-file", memset(text, 'x', sizes[k]), sizes[k]);
    ASSERT_EQ(IRL_STATUS_OK, irl_file_open(env, "build/test-base-file", &file));
    ASSERT(file.size == sizes[k] && !memcmp(file.bytes, text, sizes[k]));
    if (IRL_FILES_IN_BLOCKS) ASSERT(!file.is_mapped);
#ifdef __SANITIZE_ADDRESS__
    ASSERT(__asan_region_is_poisoned((void *)(file.bytes + file.size), 1));
#endif
    irl_file_close(&file);
    free(text);
  }
  PASS();
}

TEST extensions_are_found(void) {
  static const char *const rows[][2] = {
      {"a.csv", "csv"}, {"a.CSV.gz", "csv"},  {"a.gz", ""},  {"x.y/a", ""},
      {"x.y/a.gz", ""}, {"a.b.irb", "irb"},   {".gz", "gz"}, {"a.lp.GZ", "lp"},
      {"", ""},         {"d.gz/a.mps", "mps"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char extension[16];
    irl_file_extension(rows[k][0], extension);
    ASSERT_STR_EQ(rows[k][1], extension);
  }
  PASS();
}

typedef struct figures {
  bool is_done;
  int64_t none, some;
  uint32_t small;
  uint64_t large;
  double half, low, high, unknown;
  const char *name, *nobody;
} figures;

TEST fields_make_json_and_text(void) {
  static const irl_field fields[] =
      IRL_FIELDS(figures, is_done, none, some, small, large, half, unknown, name, nobody);
  static const irl_field more[] = {IRL_FIELD_AS(figures, "share", half),
                                   IRL_FIELD_LIST(figures, "range", low, 2), IRL_FIELDS_END};
  const figures f = {.is_done = true,
                     .none = -1,
                     .some = 7,
                     .small = 3,
                     .large = UINT64_MAX,
                     .half = 0.5,
                     .low = 1,
                     .high = 2.25,
                     .unknown = NAN,
                     .name = "x"};
  irl_json json;
  irl_text text;
  char *made;
  irl_json_init(&json, env);
  irl_json_open_flat(&json, NULL, '{');
  irl_fields_put(&json, fields, &f);
  irl_fields_put_object(&json, "more", more, &f);
  irl_json_close(&json, '}');
  ASSERT_EQ(IRL_STATUS_OK, irl_json_take(&json, &made));
  ASSERT_STR_EQ("{\"is_done\": true, \"none\": null, \"some\": 7, \"small\": 3, "
                "\"large\": 18446744073709551615, \"half\": 0.5, \"unknown\": null, "
                "\"name\": \"x\", \"nobody\": null, "
                "\"more\": {\"share\": 0.5, \"range\": [1, 2.25]}}\n",
                made);
  irl_text_free(env, made);
  irl_text_init(&text, env);
  irl_fields_print(&text, fields, &f, "{name:3}{name:-3}|{small:4} of {large}, {half}, {none}");
  irl_fields_print(&text, more, &f, ", {share:.1p} %, {range[0]:.2f} to {range[1]:6.3}.");
  ASSERT_EQ(IRL_STATUS_OK, irl_text_take(&text, &made));
  ASSERT_STR_EQ("  xx  |   3 of 18446744073709551615, 0.5, -1, 50.0 %, 1.00 to   2.25.", made);
  irl_text_free(env, made);
  PASS();
}

SUITE(base) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(random_numbers_are_fixed);
  RUN_TEST(generator_is_xoshiro);
  RUN_TEST(streams_differ);
  RUN_TEST(below_is_uniform);
  RUN_TEST(bits_have_their_chance);
  RUN_TEST(memory_is_zeroed_and_checked);
  RUN_TEST(arena_keeps_blocks_until_freed);
  RUN_TEST(small_work_has_one_thread);
  RUN_TEST(hash_index_finds_all_entries);
  RUN_TEST(hashes_are_seeded);
  RUN_TEST(arrays_grow);
  RUN_TEST(options_have_their_defaults);
  RUN_TEST(options_keep_their_ranges);
  RUN_TEST(options_refuse_nonsense);
  RUN_TEST(limits_are_reached);
  RUN_TEST(memory_of_the_host_does_not_count);
  RUN_TEST(memory_counts_from_where_it_is_told);
  RUN_TEST(log_goes_to_the_hook);
  RUN_TEST(texts_grow);
  RUN_TEST(fields_make_json_and_text);
  RUN_TEST(every_status_has_a_text);
  RUN_TEST(files_end_where_they_end);
  RUN_TEST(extensions_are_found);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(base);
  GREATEST_MAIN_END();
}
