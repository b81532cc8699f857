/* Puts the checksums of an .irb file right (src/read/irb.c), or nothing behind them would ever be
 * looked at: of every part that lies in the file, and of the head. */
#ifndef MEND_IRB_H
#define MEND_IRB_H

#include "base/endian.h"
#include "read/irb.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { IRB_HEAD = sizeof(irl_irb_head), IRB_PART = sizeof(irl_irb_part) };

static inline uint64_t irb_get(const void *bytes, size_t at) {
  uint64_t word;
  memcpy(&word, (const char *)bytes + at, sizeof word);
  return irl_endian_64(word);
}

static inline void irb_put(void *bytes, size_t at, uint64_t word) {
  word = irl_endian_64(word);
  memcpy((char *)bytes + at, &word, sizeof word);
}

/* Bytes of the head, without its checksum; 0: it does not lie in the file. */
static inline size_t irb_head_size(const void *bytes, size_t size) {
  const uint64_t n = size < IRB_HEAD ? UINT64_MAX : irb_get(bytes, 48);
  return n < size / IRB_PART && IRB_HEAD + n * IRB_PART + 8 <= size ? IRB_HEAD + n * IRB_PART : 0;
}

static inline void irb_mend(void *bytes, size_t size) {
  const size_t n = irb_head_size(bytes, size);
  uint64_t *words = malloc(n ? n : 1);
  if (!words) abort();
  for (size_t i = 0; i < n / 8; i++) words[i] = irb_get(bytes, 8 * i);
  const irl_irb_head *head = (const irl_irb_head *)words;
  uint64_t at = n + 8;
  for (uint64_t i = 0; n && i < head->n_parts && at <= size; i++) {
    const uint64_t part = irl_irb_size(head, i);
    if (head->n_samples > UINT32_MAX || part > size - at) break;
    irb_put(bytes, IRB_HEAD + (i + 1) * IRB_PART - 8, XXH3_64bits((const char *)bytes + at, part));
    at += part;
  }
  if (n) irb_put(bytes, n, XXH3_64bits(bytes, n));
  free(words);
}

#endif
