/* A file that is read from its beginning on, piece by piece: regular files, pipes, "-". What gzip
 * has compressed comes as it was before. A regular file can be read again, a pipe cannot. */
#ifndef IRL_BASE_INPUT_H
#define IRL_BASE_INPUT_H

#include "base/file.h"

typedef struct irl_input {
  irl_env *env;
  irl_allocator allocator;
  const char *place; /* its name in messages */
  int descriptor;
  bool is_owned;          /* the descriptor is closed in the end */
  bool is_regular;        /* so it can be read again */
  bool is_raw_over;       /* all bytes of the file were read, */
  bool is_packed;         /* which gzip has compressed */
  struct stat about;      /* as it was when it was opened */
  uint64_t first, offset; /* where reading began, and has come to */
  char *raw;              /* bytes of the file, from raw_at up to raw_n not yet looked at */
  size_t raw_at, raw_n;
  struct irl_unpacker *unpacker;
} irl_input;

irl_status irl_input_open(irl_env *env, const char *path, irl_input *input);
/* Fewer bytes than asked for: the file ends here. */
irl_status irl_input_read(irl_input *input, char *bytes, size_t n, size_t *got);
/* Back to the beginning of a regular file. */
irl_status irl_input_rewind(irl_input *input);
/* Bytes of the file, or if that is not known before, those that were read. */
uint64_t irl_input_size(const irl_input *input);
void irl_input_close(irl_input *input);

/* At least so many bytes that were not looked at, unless the file ends. */
irl_status irl_input_fill(irl_input *input, size_t least);

/* What gzip has compressed, as irl_input_read (compressed.c). */
irl_status irl_unpack(irl_input *input, char *bytes, size_t n, size_t *got);
void irl_unpacker_free(const irl_allocator *allocator, struct irl_unpacker *unpacker);

#endif
