/* Files: read whole, written whole or not at all. */
#ifndef IRL_BASE_FILE_H
#define IRL_BASE_FILE_H

#include "base/env.h"
#include <stdio.h>
#include <sys/stat.h>

/* The bytes of a file; followed by nothing in particular. */
typedef struct irl_file {
  const char *bytes;
  size_t size;
  bool is_mapped;          /* in whole pages of their own */
  void *block;             /* otherwise: what the bytes lie at the very end of, */
  irl_allocator allocator; /* from here */
} irl_file;

/* A sanitizer sees who reads past the end of a block, not who does so within a page: where one
 * looks, files are never mapped. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define IRL_FILES_IN_BLOCKS true
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define IRL_FILES_IN_BLOCKS true
#endif
#ifndef IRL_FILES_IN_BLOCKS
#define IRL_FILES_IN_BLOCKS false
#endif

/* Reads files, pipes and "-" (standard input) into memory; a regular file that changes meanwhile is
 * refused. What is compressed by gzip is given as it was before (compressed.c), what is plainly of
 * a format that nobody here reads is refused by its name (foreign.c). */
irl_status irl_file_open(irl_env *env, const char *path, irl_file *file);
void irl_file_close(irl_file *file);
/* A file from a block that is taken over and trimmed to `used` bytes; freed if that fails. */
irl_status irl_file_keep(irl_env *env, char *block, size_t used, irl_file *file);

/* Files that gzip has compressed, known by their first bytes, whatever their names. Decompressing
 * replaces the bytes of `file`; one that fails is left as it is, for the caller to close. */
bool irl_is_compressed(const char *bytes, size_t size);
irl_status irl_decompress(irl_env *env, const char *path, irl_file *file);

/* Bad input, with a sentence that says what the file is and what to do, if it is plainly of
 * another kind than any reader expects. */
irl_status irl_foreign_check(irl_env *env, const char *path, const irl_file *file);

/* Waits until there is something to read; false: it is time to give up. */
bool irl_file_wait(const irl_env *env, int descriptor);
/* Refuses a file that is not as it was before. */
irl_status irl_file_check_same(irl_env *env, const char *path, int descriptor,
                               const struct stat *before);

/* A regular file that is read in parts; a compressed one cannot be. */
typedef struct irl_file_parts {
  irl_env *env;
  const char *path;
  int descriptor; /* -1: closed */
  uint64_t size;
  struct stat about; /* as it was when it was opened */
} irl_file_parts;

irl_status irl_file_open_parts(irl_env *env, const char *path, irl_file_parts *file);
/* For any thread; false: there are no such bytes. */
bool irl_file_get_part(const irl_file_parts *file, uint64_t offset, void *bytes, size_t n);
/* Refuses a file that changed meanwhile. */
irl_status irl_file_check_parts(const irl_file_parts *file);
void irl_file_close_parts(irl_file_parts *file);

/* A file that is being written without a name or under a temporary one beside its own. */
typedef struct irl_output {
  irl_env *env;
  const char *path;
  char *target; /* the path behind symbolic links */
  char *temporary;
  bool is_unnamed; /* it has no name yet */
  bool is_direct;  /* a device or a pipe, written to as it is */
  FILE *stream;
} irl_output;

/* The new file will have mode and, where that is possible, owner of the one that it replaces. */
irl_status irl_output_open(irl_env *env, const char *path, irl_output *output);
/* Renames the file to its own name if all that was written arrived on the disk; otherwise, or if
 * `keep` is false, removes it. */
irl_status irl_output_close(irl_output *output, bool keep);
/* Closes a file whose writing came to this status, which is the answer, and keeps it only if that
 * is good. What a limit cut short (IRL_STATUS_LIMIT) gets its sentence here. */
irl_status irl_output_finish(irl_output *output, irl_status status);

/* The extension of a path in `extension`, without the dot, in lower case; "" if it has none. That
 * of `x.csv.gz` is csv. */
void irl_file_extension(const char *path, char extension[16]);

#endif
