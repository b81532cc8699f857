/* What the suites of the data and rule layers share: files under build/, tables of random cells,
 * reading with options, and a plain oracle beside the bits. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "base/random.h"
#include "greatest.h"
#include "ireland.h"
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline void make_folder(const char *folder) {
  if (mkdir("build", 0777) && errno != EEXIST) abort();
  if (mkdir(folder, 0777) && errno != EEXIST) abort();
}

/* Files are removed before they are made anew: some file systems wait for the disk when a file is
 * replaced. Named pipes stay. */
static inline void remove_file(const char *path) {
  struct stat about;
  if (!lstat(path, &about) && S_ISREG(about.st_mode)) unlink(path);
}

static inline void save_bytes(const char *path, const void *bytes, size_t size) {
  remove_file(path);
  FILE *stream = fopen(path, "wb");
  if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream)) abort();
}

static inline void save_text(const char *path, const char *text) {
  save_bytes(path, text, strlen(text));
}

/* The whole file, NUL terminated; free it. */
static inline char *load_bytes(const char *path, size_t *size) {
  FILE *stream = fopen(path, "rb");
  if (!stream || fseek(stream, 0, SEEK_END)) abort();
  *size = (size_t)ftell(stream);
  rewind(stream);
  char *bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, stream) != *size) abort();
  bytes[*size] = '\0';
  fclose(stream);
  return bytes;
}

/* A growing text of the test's own. */
typedef struct buffer {
  char *bytes;
  size_t length, capacity;
} buffer;

static inline void put_bytes(buffer *b, const char *bytes, size_t n) {
  if (b->length + n + 1 > b->capacity) {
    b->capacity = 2 * b->capacity + n + 256;
    b->bytes = realloc(b->bytes, b->capacity);
    if (!b->bytes) abort();
  }
  memcpy(b->bytes + b->length, bytes, n);
  b->length += n;
  b->bytes[b->length] = '\0';
}

static inline void put(buffer *b, const char *text) {
  put_bytes(b, text, strlen(text));
}

/* Options from pairs of name and value, ended by NULL. */
static inline irl_options options_of(irl_env *env, ...) {
  irl_options options;
  va_list pairs;
  irl_options_init(&options, sizeof options);
  va_start(pairs, env);
  for (const char *name; (name = va_arg(pairs, const char *));)
    if (irl_options_set(env, &options, name, va_arg(pairs, const char *))) abort();
  va_end(pairs);
  return options;
}

/* Checks the certificate of a file without limits. */
static inline irl_status verify_file(irl_env *env, const irl_rule *rule, const irl_data *data,
                                     const char *path, irl_verification *answer) {
  irl_options options;
  irl_certificate *certificate = NULL;
  irl_options_init(&options, sizeof options);
  irl_status status = irl_certificate_read(env, path, &certificate);
  if (!status) status = irl_verify(env, rule, data, &options, certificate, answer);
  irl_certificate_free(certificate);
  return status;
}

/* The last error in memory that outlives the env, for the message of a failed test. */
/* An objective times this is an oracle's sum of integer weights: with balanced ones the public sum
 * is over the number of samples. */
static inline double weights_per_objective(const irl_options *options, double n_samples) {
  return options->rule.weights == IRL_WEIGHTS_UNIT ? 1 : n_samples;
}

static inline const char *error_of(const irl_env *env) {
  static char text[2000];
  snprintf(text, sizeof text, "%s", irl_env_error(env));
  return text;
}

static inline uint64_t checksum_of(const irl_data *data) {
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_data_describe(data, &info);
  return info.checksum;
}

/* ---- tables ---- */

/* Random cells and labels, a byte each; both classes occur. */
typedef struct table {
  uint32_t n, j;
  uint8_t *cells, *labels;
} table;

static inline table random_table(irl_random *random, uint32_t n, uint32_t j) {
  table t = {n, j, malloc((size_t)n * j), malloc(n)};
  if (!t.cells || !t.labels || n < 2) abort();
  for (size_t i = 0; i < (size_t)n * j; i++) t.cells[i] = irl_random_next(random) >> 63;
  for (uint32_t i = 0; i < n; i++) t.labels[i] = irl_random_next(random) >> 63;
  t.labels[0] = 0;
  t.labels[n - 1] = 1;
  return t;
}

static inline void free_table(table *t) {
  free(t->cells);
  free(t->labels);
}

/* The checksum of the same table given as bytes. */
static inline uint64_t checksum_of_table(irl_env *env, const table *t, const char *const *names) {
  irl_data *data;
  if (irl_data_from_bytes(env, t->n, t->j, t->cells, t->labels, names, &data)) abort();
  const uint64_t checksum = checksum_of(data);
  irl_data_free(data);
  return checksum;
}

#endif
