/* Files that gzip has compressed. */
#ifndef IRL_BASE_COMPRESSED_H
#define IRL_BASE_COMPRESSED_H

#include "base/file.h"

/* By its first bytes, whatever its name. */
bool irl_is_compressed(const char *bytes, size_t size);

/* Replaces the bytes of `file` by what they were before; one that fails is left as it is, for the
 * caller to close. */
irl_status irl_decompress(irl_env *env, const char *path, irl_file *file);

#endif
