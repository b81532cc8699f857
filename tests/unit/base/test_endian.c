/* Bytes of files and checksums that are the same on every machine: known ones, from a little-endian
 * machine. */
#include "base/endian.h"
#include "greatest.h"
#include <string.h>

enum { N = 1500 }; /* words, more than are turned at a time */

static uint64_t words[N];

static void fill(void) {
  for (size_t i = 0; i < N; i++) words[i] = 0x0102030405060708u * (i + 1) ^ (uint64_t)i << 50;
}

TEST numbers_are_turned(void) {
  unsigned char bytes[8];
  const uint32_t small = irl_endian_32(0x04030201u);
  uint64_t large = 0x0807060504030201u;
  memcpy(bytes, &small, sizeof small);
  ASSERT_MEM_EQ("\1\2\3\4", bytes, 4);
  irl_endian_convert(&large, 1);
  memcpy(bytes, &large, sizeof large);
  ASSERT_MEM_EQ("\1\2\3\4\5\6\7\10", bytes, 8);
  ASSERT_EQ(0x0807060504030201u, irl_endian_64(large));
  PASS();
}

TEST hashes_are_known(void) {
  fill();
  ASSERT_EQ_FMT(0x2d06800538d394c2ULL, (unsigned long long)irl_endian_hash(words, 0), "%llx");
  ASSERT_EQ_FMT(0x03a86031799a4e4bULL, (unsigned long long)irl_endian_hash(words, 3), "%llx");
  ASSERT_EQ_FMT(0x360f53e9b07ff784ULL, (unsigned long long)irl_endian_hash(words, N), "%llx");
  PASS();
}

TEST bytes_come_first_in_order(void) {
  const uint64_t a[] = {7, 0x0100}, b[] = {7, 0x0001}, c[] = {7, 0xff00};
  ASSERT(irl_endian_compare(a, b, 2) < 0 && irl_endian_compare(b, a, 2) > 0);
  ASSERT(irl_endian_compare(a, c, 2) < 0 && irl_endian_compare(a, c, 1) == 0);
  ASSERT_EQ(0, irl_endian_compare(c, c, 2));
  PASS();
}

TEST words_have_the_bytes(void) {
  fill();
  uint64_t turned[N];
  memcpy(turned, words, sizeof turned);
  irl_endian_convert(turned, N);
  for (size_t i = 0; i < N; i++)
    for (unsigned k = 0; k < 8; k++)
      ASSERT_EQ((int)(words[i] >> 8 * k & 255), ((unsigned char *)&turned[i])[k]);
  PASS();
}

SUITE(little) {
  RUN_TEST(numbers_are_turned);
  RUN_TEST(hashes_are_known);
  RUN_TEST(bytes_come_first_in_order);
  RUN_TEST(words_have_the_bytes);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(little);
  GREATEST_MAIN_END();
}
