#include "search/checkpoint.h"
#include "base/clock.h"
#include "base/endian.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>
#include <xxhash.h>

#define MAGIC         0x314b435f444e4c49u /* "ILND_CK1" */
#define SAVE_INTERVAL 2.0                 /* seconds */

#define JOB_KIND 0u /* of the first entry; those of steps are in learner.h */

enum { AT_MAGIC, AT_KEY, AT_N, AT_HASH, HEADER }; /* words of the header, and how many */
#define HEADER_SIZE (HEADER * sizeof(uint64_t))

irl_status irl_checkpoint_init(irl_checkpoint *checkpoint, irl_env *env,
                               const irl_checkpoint_sink *sink, const char *job) {
  const size_t length = strlen(job);
  *checkpoint = (irl_checkpoint){.env = env, .sink = sink, .key = XXH3_64bits(job, length)};
  checkpoint->next_save = irl_clock_now() + SAVE_INTERVAL;
  irl_checkpoint_begin(checkpoint, JOB_KIND);
  for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, job + i, length - i < sizeof word ? length - i : sizeof word);
    irl_checkpoint_put(checkpoint, irl_endian_64(word));
  }
  if (checkpoint->failed) return irl_fail_memory(env);
  irl_checkpoint_end(checkpoint);
  return IRL_STATUS_OK;
}

void irl_checkpoint_free(irl_checkpoint *checkpoint) {
  if (checkpoint->env) irl_mem_free(&checkpoint->env->allocator, checkpoint->words);
}

/* ---- reading ---- */

/* The line of a text, without its end; *at goes to the next one. */
static size_t take_line(const char **at, const char *end, const char **line) {
  const char *stop = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
  *line = *at;
  const size_t length = (size_t)((stop ? stop : end) - *at);
  *at = stop ? stop + 1 : end;
  return length;
}

/* The checkpoint is of another job, whose text is in its first entry, if it has one: the first line
 * of the two that is not the same, a name and two values. */
static irl_status refuse_job(irl_checkpoint *checkpoint, const char *path, const irl_bytes *file,
                             const char *here) {
  const char *there = (const char *)file->data + HEADER_SIZE + 2 * sizeof(uint64_t), *end = there;
  const char *a, *b, *here_end = here + strlen(here);
  uint64_t entry[2] = {JOB_KIND + 1, 0};
  const size_t size = file->size - HEADER_SIZE;
  if (size >= sizeof entry) memcpy(entry, (const char *)file->data + HEADER_SIZE, sizeof entry);
  irl_endian_convert(entry, 2);
  if (entry[0] == JOB_KIND && entry[1] <= (size - sizeof entry) / sizeof(uint64_t))
    end = there + entry[1] * sizeof(uint64_t);
  while (end > there && !end[-1]) end--;
  while (there < end && here < here_end) {
    const int n = (int)take_line(&there, end, &a), m = (int)take_line(&here, here_end, &b);
    if (n == m && !memcmp(a, b, (size_t)n)) continue;
    const char *blank = memchr(b, ' ', (size_t)m);
    const int name = blank ? (int)(blank - b) + 1 : m;
    if (n < name || memcmp(a, b, (size_t)name)) break; /* not even the same lines */
    return irl_fail(checkpoint->env, IRL_STATUS_BAD_INPUT,
                    "%s: this checkpoint is of another data set or other options: %.*swas %.*s and "
                    "is %.*s",
                    path, name, b, n - name, a + name, m - name, b + name);
  }
  return irl_fail(checkpoint->env, IRL_STATUS_BAD_INPUT,
                  "%s: this checkpoint is of another data set or other options", path);
}

irl_status irl_checkpoint_load(irl_checkpoint *checkpoint, const irl_bytes *file, const char *job) {
  const char *path = irl_checkpoint_name(file->name), *bytes = file->data;
  irl_env *env = checkpoint->env;
  uint64_t header[HEADER] = {0}, *words = NULL;
  assert(checkpoint->at == checkpoint->replay_end); /* nothing is being written */
  irl_status status = IRL_STATUS_OK;
  if (file->size >= HEADER_SIZE) memcpy(header, bytes, HEADER_SIZE);
  irl_endian_convert(header, HEADER);
  const size_t size = file->size - HEADER_SIZE, n = size / sizeof(uint64_t);
  if (header[AT_MAGIC] != MAGIC)
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: offset 0: this is not a checkpoint", path);
  else if (header[AT_N] != n || size % sizeof(uint64_t) ||
           header[AT_HASH] != XXH3_64bits(bytes + HEADER_SIZE, size))
    status = irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s: offset %zu: the checkpoint is damaged or truncated", path, HEADER_SIZE);
  else if (header[AT_KEY] != checkpoint->key)
    status = refuse_job(checkpoint, path, file, job);
  else if (!(words = irl_mem_alloc(&env->allocator, n, sizeof *words)))
    status = irl_fail_memory(env);
  if (status) return status;
  memcpy(words, bytes + HEADER_SIZE, n * sizeof *words);
  irl_endian_convert(words, n);
  uint64_t at = 0; /* entries fill the words exactly */
  while (n - at >= 2 && words[at + 1] <= n - at - 2) at += 2 + words[at + 1];
  if (at != n) {
    irl_mem_free(&env->allocator, words);
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the checkpoint is damaged", path);
  }
  irl_mem_free(&env->allocator, checkpoint->words);
  checkpoint->words = words;
  checkpoint->n = checkpoint->capacity = checkpoint->replay_end = n;
  checkpoint->at = n && words[0] == JOB_KIND ? 2 + words[1] : 0; /* steps follow the job */
  assert(checkpoint->at <= checkpoint->replay_end);
  return IRL_STATUS_OK;
}

const uint64_t *irl_checkpoint_next(irl_checkpoint *checkpoint, uint64_t kind, size_t *n) {
  if (checkpoint->at >= checkpoint->replay_end) return NULL; /* as in a run without a checkpoint */
  const uint64_t *entry = checkpoint->words + checkpoint->at;
  assert(checkpoint->at + 2 + entry[1] <= checkpoint->replay_end);
  if (entry[0] != kind) { /* cannot be: runs repeat; what is left is of no use */
    checkpoint->n = checkpoint->replay_end = checkpoint->at;
    return NULL;
  }
  *n = entry[1];
  checkpoint->at += 2 + entry[1];
  return entry + 2;
}

void irl_checkpoint_put(irl_checkpoint *checkpoint, uint64_t word) {
  if (!checkpoint->sink || checkpoint->failed) return;
  if (checkpoint->n == checkpoint->capacity &&
      !irl_mem_reserve(&checkpoint->env->allocator, &checkpoint->words, &checkpoint->capacity,
                       checkpoint->n, sizeof *checkpoint->words)) {
    checkpoint->failed = true;
    return;
  }
  checkpoint->words[checkpoint->n++] = word;
}

void irl_checkpoint_begin(irl_checkpoint *checkpoint, uint64_t kind) {
  assert(checkpoint->at == checkpoint->replay_end);
  irl_checkpoint_put(checkpoint, kind);
  irl_checkpoint_put(checkpoint, 0);
}

void irl_checkpoint_end(irl_checkpoint *checkpoint) {
  if (!checkpoint->sink || checkpoint->failed) return;
  assert(checkpoint->n >= checkpoint->at + 2 && !checkpoint->words[checkpoint->at + 1]);
  checkpoint->words[checkpoint->at + 1] = checkpoint->n - checkpoint->at - 2;
  checkpoint->at = checkpoint->replay_end = checkpoint->n;
  if (irl_clock_now() < checkpoint->next_save) return;
  checkpoint->next_save = irl_clock_now() + SAVE_INTERVAL;
  irl_checkpoint_save(checkpoint);
}

/* The header and whole entries, also those not yet replayed, as little-endian bytes to the sink. */
static irl_status hand_out(const irl_checkpoint *checkpoint) {
  irl_env *env = checkpoint->env;
  const size_t n = checkpoint->replay_end;
  const uint64_t header[HEADER] = {[AT_MAGIC] = MAGIC,
                                   [AT_KEY] = checkpoint->key,
                                   [AT_N] = n,
                                   [AT_HASH] = irl_endian_hash(checkpoint->words, n)};
  uint64_t *words =
      checkpoint->failed ? NULL : irl_mem_alloc(&env->allocator, HEADER + n, sizeof *words);
  if (!words) return irl_fail_memory(env);
  memcpy(words, header, sizeof header);
  if (n) memcpy(words + HEADER, checkpoint->words, n * sizeof *words);
  irl_endian_convert(words, HEADER + n);
  irl_fail(env, IRL_STATUS_CANNOT_WRITE, "it was not kept"); /* unless the sink says more */
  const bool is_kept = !checkpoint->sink->save(
      checkpoint->sink->user,
      (irl_bytes){words, (HEADER + n) * sizeof *words, checkpoint->sink->name});
  irl_mem_free(&env->allocator, words);
  return is_kept ? IRL_STATUS_OK : IRL_STATUS_CANNOT_WRITE;
}

bool irl_checkpoint_save(irl_checkpoint *checkpoint) {
  if (!checkpoint->sink) return true;
  checkpoint->is_lost = hand_out(checkpoint) != IRL_STATUS_OK;
  if (checkpoint->is_lost && !checkpoint->has_warned) {
    irl_log(checkpoint->env, IRL_LOG_WARNING, "the checkpoint is not saved, the run goes on: %s",
            irl_env_error(checkpoint->env));
    checkpoint->has_warned = true;
  }
  return !checkpoint->is_lost;
}
