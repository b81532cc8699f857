/* Decompression with zlib, where it was found when ireland was built.
 *
 * A file may hold several members one after the other, as those of bgzip do. Deflate makes at most
 * 1032 bytes of one. A table of few ones among zeros comes near that honestly, so such files are
 * read as far as the memory limit allows. Only what is more than MAX_RATIO times as large as the
 * file, and larger than the memory that the machine has free, is refused as it grows. */
#include "base/clock.h"
#include "base/input.h"
#include "base/limit.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

bool irl_is_compressed(const char *bytes, size_t size) {
  return size >= 3 && !memcmp(bytes, "\x1f\x8b\x08", 3);
}

#ifdef IRL_HAS_ZLIB
#include <zlib.h>

#define MAX_RATIO  400u
#define LEAST_ROOM ((size_t)1 << 16)
#define NO_END     "the file does not end with the empty block of bgzip: it was cut off"

/* Is this the first block of bgzip: a member with an extra field BC? */
static bool is_bgzip(const char *bytes, size_t size) {
  return size >= 16 && !memcmp(bytes, "\x1f\x8b\x08\x04", 4) && !memcmp(bytes + 12, "BC", 2);
}

/* Fails if `made` bytes from `taken` of a file are such that no honest table is like this. */
static irl_status check_growth(irl_env *env, const char *path, uint64_t made, uint64_t taken) {
  if (made / MAX_RATIO <= taken) return IRL_STATUS_OK;
  const double free_mb = irl_clock_available_mb();
  if ((double)made / 1e6 <= free_mb) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_INPUT,
                  "%s: the compressed file becomes more than 400 times as large, and larger than "
                  "the %.0f MB of free memory: decompress it first if this is meant",
                  path, free_mb);
}

struct irl_unpacker {
  z_stream z;
  uint64_t used, before;      /* bytes that were made, and those before this member */
  bool is_between, is_behind; /* two members, and all of them */
  bool is_bgzip;              /* so that the last member is empty */
};

static irl_status refuse(const irl_input *in, const char *what) {
  return irl_fail(in->env, IRL_STATUS_BAD_INPUT, "%s: %s", in->place, what);
}

/* Behind a member: another one, or zeros up to the end of the file. */
static irl_status look_behind(irl_input *in, struct irl_unpacker *u) {
  irl_status status = irl_input_fill(in, 3);
  if (status) return status;
  const char *rest = in->raw + in->raw_at;
  if (irl_is_compressed(rest, in->raw_n - in->raw_at) && inflateReset(&u->z) == Z_OK) {
    u->is_between = false;
    u->before = u->used;
    return IRL_STATUS_OK;
  }
  u->is_behind = true;
  if (u->is_bgzip && u->used > u->before) return refuse(in, NO_END);
  while (!status && in->raw_at < in->raw_n) {
    if (in->raw[in->raw_at++]) return refuse(in, "something follows the compressed data");
    status = irl_input_fill(in, 1);
  }
  return status;
}

static irl_status unpack_some(irl_input *in, struct irl_unpacker *u, char *bytes, size_t n,
                              size_t *got) {
  irl_status status = check_growth(in->env, in->place, u->used, in->offset);
  if (!status && u->used && irl_reading_limit_reached(in->env))
    status = irl_reading_fail(in->env, in->place);
  if (!status) status = irl_input_fill(in, 1);
  if (status) return status;
  /* One call of zlib, with as much of both sides as it counts in one. */
  const size_t left = in->raw_n - in->raw_at;
  const uInt wanted = n < IRL_READING_STEP ? (uInt)n : (uInt)IRL_READING_STEP;
  const uInt given = left < IRL_READING_STEP ? (uInt)left : (uInt)IRL_READING_STEP;
  u->z.next_in = (z_const Bytef *)(in->raw + in->raw_at);
  u->z.avail_in = given;
  u->z.next_out = (Bytef *)bytes;
  u->z.avail_out = wanted;
  const int code = inflate(&u->z, Z_NO_FLUSH);
  in->raw_at += given - u->z.avail_in;
  *got = wanted - u->z.avail_out;
  u->used += *got;
  u->is_between = code == Z_STREAM_END;
  if (code == Z_MEM_ERROR) return irl_fail_memory(in->env);
  if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END)
    return refuse(in, "the compressed file is damaged: its checksum or its structure is wrong");
  if (code != Z_STREAM_END && in->is_raw_over && in->raw_at == in->raw_n && u->z.avail_out)
    return refuse(in, "the compressed file ends early: it was cut off");
  return IRL_STATUS_OK;
}

irl_status irl_unpack(irl_input *in, char *bytes, size_t n, size_t *got) {
  irl_status status = IRL_STATUS_OK;
  if (!in->unpacker) {
    in->unpacker = irl_mem_alloc(&in->env->allocator, 1, sizeof *in->unpacker);
    if (!in->unpacker || inflateInit2(&in->unpacker->z, 15 + 16) != Z_OK)
      return irl_fail_memory(in->env);
    status = irl_input_fill(in, 16);
    in->unpacker->is_bgzip = is_bgzip(in->raw + in->raw_at, in->raw_n - in->raw_at);
  }
  struct irl_unpacker *u = in->unpacker;
  const bool is_first = !u->used;
  while (*got < n && !u->is_behind && !status) {
    size_t now = 0;
    status = u->is_between ? look_behind(in, u) : unpack_some(in, u, bytes + *got, n - *got, &now);
    *got += now;
  }
  if (!status && is_first && irl_is_compressed(bytes, *got))
    status = refuse(in, "it is compressed twice");
  return status;
}

/* A file that is in memory: an input of which all bytes were read. */
irl_status irl_decompress(irl_env *env, const char *path, irl_file *file) {
  irl_input in = {.env = env,
                  .place = path,
                  .offset = file->size,
                  .is_raw_over = true,
                  .raw = (char *)file->bytes,
                  .raw_n = file->size};
  irl_file made;
  char *bytes = NULL;
  size_t used = 0, capacity = 0;
  irl_status status = IRL_STATUS_OK;
  while (used == capacity && !status) {
    const size_t wanted = capacity ? 2 * capacity : LEAST_ROOM;
    size_t got = 0;
    char *grown = NULL;
    if (!irl_reading_affords(env, (double)wanted))
      status = irl_reading_fail(env, path);
    else if (!(grown = irl_mem_grow(&env->allocator, bytes, wanted, 1)))
      status = irl_fail_memory(env);
    if (status) break;
    bytes = grown;
    capacity = wanted;
    status = irl_unpack(&in, bytes + used, capacity - used, &got);
    used += got;
  }
  irl_unpacker_free(&env->allocator, in.unpacker);
  if (status)
    irl_mem_free(&env->allocator, bytes);
  else
    status = irl_file_keep(env, bytes, used, &made);
  if (status) return status;
  irl_file_close(file);
  *file = made;
  return IRL_STATUS_OK;
}

void irl_unpacker_free(const irl_allocator *allocator, struct irl_unpacker *unpacker) {
  if (unpacker) inflateEnd(&unpacker->z);
  irl_mem_free(allocator, unpacker);
}

#else

irl_status irl_decompress(irl_env *env, const char *path, irl_file *file) {
  (void)file;
  return irl_fail(
      env, IRL_STATUS_BAD_INPUT,
      "%s: this file is compressed, and this ireland was built without zlib: decompress "
      "it first (gunzip)",
      path);
}

irl_status irl_unpack(irl_input *in, char *bytes, size_t n, size_t *got) {
  (void)bytes, (void)n, (void)got;
  return irl_decompress(in->env, in->place, NULL);
}

void irl_unpacker_free(const irl_allocator *allocator, struct irl_unpacker *unpacker) {
  irl_mem_free(allocator, unpacker);
}

#endif
