/* The XXH3 of package/xxh3, which stands in where libxxhash is not installed: known numbers, parts
 * of any size, and where the library is there the same numbers as it. */
#define XXH_versionNumber    own_version
#define XXH3_64bits          own_hash
#define XXH3_64bits_withSeed own_hash_with_seed
#define XXH3_state_s         own_state_s
#define XXH3_state_t         own_state
#define XXH3_createState     own_create
#define XXH3_freeState       own_free
#define XXH3_64bits_reset    own_reset
#define XXH3_64bits_update   own_update
#define XXH3_64bits_digest   own_digest
#include "package/xxh3/xxhash.h"
#undef XXH_versionNumber
#undef XXH3_64bits
#undef XXH3_64bits_withSeed
#undef XXH3_state_s
#undef XXH3_state_t
#undef XXH3_createState
#undef XXH3_freeState
#undef XXH3_64bits_reset
#undef XXH3_64bits_update
#undef XXH3_64bits_digest
#undef XXH_VERSION_NUMBER
#if defined(__has_include)
#if __has_include("/usr/include/xxhash.h")
#define XXH_INLINE_ALL
#include "/usr/include/xxhash.h"
#define HAS_LIBRARY
#endif
#endif
#include "greatest.h"

#define MOST 3000

static uint8_t bytes[MOST + 16];

/* A sequence that every machine makes the same. */
static void fill(void) {
  uint64_t x = 1;
  for (size_t i = 0; i < sizeof bytes; i++) {
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    bytes[i] = (uint8_t)(x >> 56);
  }
}

TEST known_numbers(void) {
  static const struct {
    size_t n;
    uint64_t hash, seeded;
  } known[] = {
      {0, UINT64_C(0x2d06800538d394c2), UINT64_C(0xcc1ca35a1b089c5c)},
      {1, UINT64_C(0xc00f9d4f580c0c3a), UINT64_C(0xf94291a6f7e3302f)},
      {3, UINT64_C(0xe92112d1e602af4a), UINT64_C(0x156ffd90e522109e)},
      {4, UINT64_C(0x9008de7e100606d1), UINT64_C(0x05c9b63decebe08b)},
      {8, UINT64_C(0xcca6ee6f8e080c52), UINT64_C(0xc5a8afd752c7bb03)},
      {9, UINT64_C(0x568f9d2e69ad8bd0), UINT64_C(0x31209b70638c61ad)},
      {16, UINT64_C(0x600a07a4f5a9911c), UINT64_C(0x0635a99a7c6fc9af)},
      {17, UINT64_C(0xdeab0265f35dfc24), UINT64_C(0xb305c421b0a19f06)},
      {64, UINT64_C(0xad0685dabb3ce66b), UINT64_C(0xe7222736b22bc6e8)},
      {128, UINT64_C(0x410bd3b4d8d84f51), UINT64_C(0x27136a70dd0718a4)},
      {129, UINT64_C(0x55964eec39625032), UINT64_C(0xfe19c32e81d26d04)},
      {240, UINT64_C(0x977b659bdc81fdb1), UINT64_C(0x104817d4e7e8ee0c)},
      {241, UINT64_C(0x2cb1ed4a30c8bded), UINT64_C(0x32154f27ccf1a3dd)},
      {1024, UINT64_C(0x5ec111a1e5a293ae), UINT64_C(0x64c3cd2ce23a7d54)},
      {1025, UINT64_C(0x5ea0264528a903fc), UINT64_C(0x4e163f18e31ad4da)},
      {2999, UINT64_C(0x07be8ef721df9bcf), UINT64_C(0x5eb627e1ab051672)},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    ASSERT_EQ(known[i].hash, own_hash(bytes, known[i].n));
    ASSERT_EQ(known[i].seeded, own_hash_with_seed(bytes, known[i].n, UINT64_C(0x123456789abcdef)));
  }
  PASS();
}

TEST parts_of_any_size(void) {
  for (size_t n = 0; n < MOST; n += 1 + n / 37) {
    for (size_t part = 1; part < 900; part = part * 2 + 3) {
      own_state *state = own_create();
      ASSERT(state);
      own_reset(state);
      for (size_t i = 0; i < n; i += part)
        own_update(state, bytes + i, n - i < part ? n - i : part);
      ASSERT_EQ(own_hash(bytes, n), own_digest(state));
      own_free(state);
    }
  }
  PASS();
}

TEST the_same_as_the_library(void) {
#ifdef HAS_LIBRARY
  for (size_t n = 0; n < MOST; n++) {
    const uint8_t *at = bytes + n % 16;
    ASSERT_EQ(XXH3_64bits(at, n), own_hash(at, n));
    for (uint64_t seed = 1; seed; seed <<= 7)
      ASSERT_EQ(XXH3_64bits_withSeed(at, n, seed), own_hash_with_seed(at, n, seed));
  }
  PASS();
#else
  SKIPm("there is no xxhash.h");
#endif
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  fill();
  RUN_TEST(known_numbers);
  RUN_TEST(parts_of_any_size);
  RUN_TEST(the_same_as_the_library);
  GREATEST_MAIN_END();
}
