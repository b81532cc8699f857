/* Files of what the library takes and gives as objects and bytes. */
#ifndef IRL_TESTS_FILES_H
#define IRL_TESTS_FILES_H

#include "ireland.h"
#include "learn/pool_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int keep_checkpoint(void *user, irl_bytes checkpoint) {
  FILE *f = fopen(user, "wb");
  if (!f) return 1;
  const size_t n = fwrite(checkpoint.data, 1, checkpoint.size, f);
  return fclose(f) || n != checkpoint.size;
}

/* Where checkpoints go; the last one counts. NULL: nowhere. */
static inline const irl_checkpoint_sink *sink_to(const char *path) {
  static irl_checkpoint_sink sinks[8];
  static unsigned next;
  if (!path) return NULL;
  irl_checkpoint_sink *sink = &sinks[next++ % 8];
  *sink = (irl_checkpoint_sink){sizeof *sink, keep_checkpoint, (void *)(uintptr_t)path, path};
  return sink;
}

/* Of the certificate of a fit, for the caller to free; NULL: there is none. */
static inline char *certificate_of(irl_env *env, const irl_fit_result *fit) {
  char *text = NULL, *copy = NULL;
  if (irl_fit_certificate(env, fit, &text)) return NULL;
  if (text) copy = strdup(text);
  irl_text_free(env, text);
  return copy;
}

static inline irl_status save_certificate(irl_env *env, const irl_fit_result *fit,
                                          const char *path) {
  char *text = NULL;
  irl_status status = irl_fit_certificate(env, fit, &text);
  if (!status) status = text ? irl_file_write(env, path, text, strlen(text)) : IRL_STATUS_NO_MEMORY;
  irl_text_free(env, text);
  return status;
}

static inline irl_status save_pool(irl_env *env, const irl_fit_result *fit, const char *path) {
  irl_pool *pool = NULL;
  irl_status status = irl_fit_pool(env, fit, &pool);
  if (!status) status = irl_pool_write(env, pool, path);
  irl_pool_free(pool);
  return status;
}

static inline irl_status load_pool(irl_env *env, const char *path, const irl_data *data,
                                   irl_clause_set *clauses, bool *negations) {
  irl_pool *pool = NULL;
  irl_status status = irl_pool_read(env, path, &pool);
  if (!status) status = irl_pool_load(env, pool, data, clauses, negations);
  irl_pool_free(pool);
  return status;
}

#endif
