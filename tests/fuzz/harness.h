/* What the fuzz targets share: an environment whose memory is watched, a scratch file for the
 * bytes, and small data to apply what was read to.
 *
 * A target is a function of some bytes. It may refuse them, with a sentence, but not crash, leak,
 * take memory out of proportion to them, or accept what it does not read back the same. libFuzzer
 * calls it through fuzz_main.c, the suite test_fuzz.c with the seeds and with what was once found.
 *
 * A target whose inputs are all refused early tests nothing. So each says where one was accepted
 * and all of it was checked (fuzz_reach), and the suite asks the seeds of every target to get
 * there. */
#ifndef FUZZ_HARNESS_H
#define FUZZ_HARNESS_H

#include "base/endian.h"
#include "base/file.h"
#include "ireland.h"
#include "support.h"
#include <stdatomic.h>
#include <xxhash.h>

#define FUZZ_BASE_MEMORY ((size_t)1 << 29) /* whatever the input */
#define FUZZ_INDEX_MEMORY                                                                          \
  (SIZE_MAX > UINT32_MAX ? (size_t)4 << 30                                                         \
                         : (size_t)1 << 30) /* where a number in it is that of a feature */
#define FUZZ_BYTES_MEMORY (1u << 16) /* more for each byte of it: a vector of bits and a name */

/* Something is wrong: where libFuzzer or the suite sees it. */
#define FUZZ_ASSERT(condition, text)                                                               \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, (text));                  \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

typedef struct fuzz_memory {
  atomic_size_t live, limit;
  atomic_size_t requests, fail_from; /* so far, and the first one that fails; 0: none */
} fuzz_memory;

static fuzz_memory fuzz_used;
static size_t fuzz_n_reached; /* inputs that were accepted and checked */

static void fuzz_reach(void) {
  fuzz_n_reached++;
}

/* The size stands before the block. */
static void *fuzz_resize(void *user, void *memory, size_t size) {
  enum { BEFORE = 16 };
  fuzz_memory *used = user;
  char *old = memory ? (char *)memory - BEFORE : NULL;
  size_t had = 0;
  if (old) memcpy(&had, old, sizeof had);
  const size_t request = size ? atomic_fetch_add(&used->requests, 1) + 1 : 0;
  const size_t fail_from = atomic_load(&used->fail_from);
  if (fail_from && request >= fail_from) return NULL;
  atomic_fetch_sub(&used->live, had);
  if (!size) {
    free(old);
    return NULL;
  }
  const size_t live = atomic_fetch_add(&used->live, size) + size;
  FUZZ_ASSERT(live <= atomic_load(&used->limit), "memory out of proportion to the input");
  char *block = realloc(old, size + BEFORE);
  FUZZ_ASSERT(block != NULL, "no memory");
  memcpy(block, &size, sizeof size);
  return block + BEFORE;
}

/* A job on `size` bytes begins, with so much memory besides; fuzz_end looks whether all is back. */
static irl_env *fuzz_begin_with(size_t base, size_t size) {
  const irl_allocator allocator = {sizeof allocator, fuzz_resize, &fuzz_used};
  irl_env *env = NULL;
  atomic_store(&fuzz_used.limit, atomic_load(&fuzz_used.live) + base + FUZZ_BYTES_MEMORY * size);
  if (irl_env_create(&allocator, &env)) abort();
  atomic_store(&fuzz_used.requests, 0);
  return env;
}

static irl_env *fuzz_begin(size_t size) {
  return fuzz_begin_with(FUZZ_BASE_MEMORY, size);
}

/* From the n-th request on there is no memory, n drawn from those that a job took before. */
static void fuzz_starve(uint64_t draw, size_t n_requests) {
  atomic_store(&fuzz_used.fail_from, 1 + (size_t)(draw % (n_requests + 1)));
}

static void fuzz_end(irl_env *env, size_t live_before) {
  atomic_store(&fuzz_used.fail_from, 0);
  irl_env_free(env);
  FUZZ_ASSERT(atomic_load(&fuzz_used.live) == live_before, "blocks are left");
}

/* A status other than done has a sentence of one line; FUZZ_SAY=1 prints them. */
static bool fuzz_is_done(irl_env *env, irl_status status) {
  if (!status) return true;
  if (getenv("FUZZ_SAY")) fprintf(stderr, "refused: %s\n", irl_env_error(env));
  FUZZ_ASSERT(status != IRL_STATUS_INTERNAL, irl_env_error(env));
  FUZZ_ASSERT(irl_env_error(env)[0] && !strchr(irl_env_error(env), '\n'), irl_env_error(env));
  return false;
}

/* The scratch file of that ending; FUZZ_DIR names another folder, as one in memory. */
static const char *fuzz_path(const char *ending) {
  static char paths[8][200];
  static unsigned next;
  const char *folder = getenv("FUZZ_DIR");
  if (!folder) make_folder("build/fuzz");
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/s%ld%s", folder ? folder : "build/fuzz", (long)getpid(),
           ending);
  return path;
}

/* Cuts an input of several files, with a line %%%% between two, into at most `most`; how many. */
static size_t fuzz_parts(const uint8_t *bytes, size_t size, irl_bytes *parts, size_t most) {
  static const char line[] = "%%%%\n";
  size_t n = 0;
  for (;;) {
    const uint8_t *end = n + 1 < most ? memmem(bytes, size, line, sizeof line - 1) : NULL;
    const size_t length = end ? (size_t)(end - bytes) : size;
    parts[n++] = (irl_bytes){bytes, length, "part"};
    if (!end) return n;
    bytes = end + sizeof line - 1;
    size -= length + sizeof line - 1;
  }
}

static const char *fuzz_save(const char *ending, const void *bytes, size_t size) {
  const char *path = fuzz_path(ending);
  save_bytes(path, bytes, size);
  return path;
}

/* Data of 24 samples with the features a, b, c, d; made once, freed never. */
static const irl_data *fuzz_data(void) {
  static const uint8_t cells[] = {1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1,
                                  0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1,
                                  0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1,
                                  0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1,
                                  1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1};
  static const uint8_t labels[] = {1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1,
                                   1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1};
  static const char *const names[] = {"a", "b", "c", "d"};
  static irl_env *env;
  static irl_data *data;
  if (!data &&
      (irl_env_create(NULL, &env) || irl_data_from_bytes(env, 24, 4, cells, labels, names, &data)))
    abort();
  return data;
}

#endif
