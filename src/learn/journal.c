#include "learn/journal.h"
#include "base/clock.h"
#include "base/endian.h"
#include "base/file.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>
#include <xxhash.h>

#define MAGIC         0x314b435f444e4c49u /* "ILND_CK1" */
#define SAVE_INTERVAL 2.0                 /* seconds */

#define JOB_KIND 0u /* of the first entry; those of steps are in learner.h */

enum { AT_MAGIC, AT_KEY, AT_N, AT_HASH, HEADER }; /* words of the header, and how many */
#define HEADER_SIZE (HEADER * sizeof(uint64_t))

irl_status irl_journal_init(irl_journal *journal, irl_env *env, const char *path, const char *job) {
  const size_t length = strlen(job);
  *journal = (irl_journal){.env = env, .path = path, .key = XXH3_64bits(job, length)};
  journal->next_save = irl_clock_now() + SAVE_INTERVAL;
  irl_journal_begin(journal, JOB_KIND);
  for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, job + i, length - i < sizeof word ? length - i : sizeof word);
    irl_journal_put(journal, irl_endian_64(word));
  }
  if (journal->failed) return irl_fail_memory(env);
  irl_journal_end(journal);
  return IRL_OK;
}

void irl_journal_free(irl_journal *journal) {
  if (journal->env) irl_mem_free(&journal->env->allocator, journal->words);
}

/* Do the entries fill the words exactly? */
static bool is_well_formed(const uint64_t *words, uint64_t n) {
  uint64_t at = 0;
  while (n - at >= 2 && words[at + 1] <= n - at - 2) at += 2 + words[at + 1];
  return at == n;
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

/* The first line of the two jobs that is not the same: a name and two values. */
static irl_status name_difference(irl_journal *journal, const char *path, const char *there,
                                  const char *end, const char *here) {
  const char *a, *b, *here_end = here + strlen(here);
  while (there < end && here < here_end) {
    const int n = (int)take_line(&there, end, &a), m = (int)take_line(&here, here_end, &b);
    if (n == m && !memcmp(a, b, (size_t)n)) continue;
    const char *blank = memchr(b, ' ', (size_t)m);
    const int name = blank ? (int)(blank - b) + 1 : m;
    if (n < name || memcmp(a, b, (size_t)name)) break; /* not even the same lines */
    return irl_fail(journal->env, IRL_BAD_INPUT,
                    "%s: this checkpoint is of another data set or other options: %.*swas %.*s and "
                    "is %.*s",
                    path, name, b, n - name, a + name, m - name, b + name);
  }
  return irl_fail(journal->env, IRL_BAD_INPUT,
                  "%s: this checkpoint is of another data set or other options", path);
}

/* The text of the job in its first entry, if it has one. */
static irl_status refuse_job(irl_journal *journal, const char *path, const irl_file *file,
                             const char *job) {
  const char *text = file->bytes + HEADER_SIZE + 2 * sizeof(uint64_t), *end = text;
  uint64_t entry[2] = {JOB_KIND + 1, 0};
  const size_t size = file->size - HEADER_SIZE;
  if (size >= sizeof entry) memcpy(entry, file->bytes + HEADER_SIZE, sizeof entry);
  irl_endian_convert(entry, 2);
  if (entry[0] == JOB_KIND && entry[1] <= (size - sizeof entry) / sizeof(uint64_t))
    end = text + entry[1] * sizeof(uint64_t);
  while (end > text && !end[-1]) end--;
  return name_difference(journal, path, text, end, job);
}

static irl_status check(irl_journal *journal, const char *path, const irl_file *file,
                        const char *job) {
  uint64_t header[HEADER] = {0};
  if (file->size >= HEADER_SIZE) memcpy(header, file->bytes, HEADER_SIZE);
  irl_endian_convert(header, HEADER);
  if (header[AT_MAGIC] != MAGIC)
    return irl_fail(journal->env, IRL_BAD_INPUT, "%s: offset 0: this is not a checkpoint", path);
  const size_t size = file->size - HEADER_SIZE;
  if (header[AT_N] != size / sizeof(uint64_t) || size % sizeof(uint64_t) ||
      header[AT_HASH] != XXH3_64bits(file->bytes + HEADER_SIZE, size))
    return irl_fail(journal->env, IRL_BAD_INPUT,
                    "%s: offset %zu: the checkpoint is damaged or truncated", path, HEADER_SIZE);
  return header[AT_KEY] == journal->key ? IRL_OK : refuse_job(journal, path, file, job);
}

/* The steps begin behind the text of the job. */
static void take_words(irl_journal *journal, uint64_t *words, size_t n) {
  irl_mem_free(&journal->env->allocator, journal->words);
  journal->words = words;
  journal->n = journal->capacity = journal->replay_end = n;
  journal->at = n && words[0] == JOB_KIND ? 2 + words[1] : 0;
}

irl_status irl_journal_load(irl_journal *journal, const char *path, const char *job) {
  irl_file file;
  irl_status status = irl_file_open(journal->env, path, &file);
  if (status) return status;
  status = check(journal, path, &file, job);
  const size_t n = status ? 0 : (file.size - HEADER_SIZE) / sizeof(uint64_t);
  uint64_t *words = status ? NULL : irl_mem_alloc(&journal->env->allocator, n, sizeof *words);
  if (!status && !words) status = irl_fail_memory(journal->env);
  if (!status) {
    memcpy(words, file.bytes + HEADER_SIZE, n * sizeof *words);
    irl_endian_convert(words, n);
    if (!is_well_formed(words, n))
      status = irl_fail(journal->env, IRL_BAD_INPUT, "%s: the checkpoint is damaged", path);
  }
  if (status)
    irl_mem_free(&journal->env->allocator, words);
  else
    take_words(journal, words, n);
  irl_file_close(&file);
  return status;
}

const uint64_t *irl_journal_next(irl_journal *journal, uint64_t kind, size_t *n) {
  if (journal->at >= journal->replay_end) return NULL; /* as in a run without a journal */
  const uint64_t *entry = journal->words + journal->at;
  if (entry[0] != kind) { /* cannot be: runs repeat; what is left is of no use */
    journal->n = journal->replay_end = journal->at;
    return NULL;
  }
  *n = entry[1];
  journal->at += 2 + entry[1];
  return entry + 2;
}

void irl_journal_drop(irl_journal *journal, size_t n) {
  journal->at -= 2 + n;
  journal->n = journal->replay_end = journal->at;
}

void irl_journal_put(irl_journal *journal, uint64_t word) {
  if (!journal->path || journal->failed) return;
  if (journal->n == journal->capacity &&
      !irl_mem_reserve(&journal->env->allocator, (void **)&journal->words, &journal->capacity,
                       journal->n, sizeof *journal->words)) {
    journal->failed = true;
    return;
  }
  journal->words[journal->n++] = word;
}

void irl_journal_begin(irl_journal *journal, uint64_t kind) {
  assert(journal->at == journal->replay_end);
  irl_journal_put(journal, kind);
  irl_journal_put(journal, 0);
}

void irl_journal_end(irl_journal *journal) {
  if (!journal->path || journal->failed) return;
  journal->words[journal->at + 1] = journal->n - journal->at - 2;
  journal->at = journal->replay_end = journal->n;
  if (irl_clock_now() < journal->next_save) return;
  journal->next_save = irl_clock_now() + SAVE_INTERVAL;
  irl_journal_save(journal);
}

static irl_status write_file(const irl_journal *journal) {
  irl_output output;
  const size_t n = journal->replay_end; /* whole entries, also those not yet replayed */
  const uint64_t header[HEADER] = {[AT_MAGIC] = MAGIC,
                                   [AT_KEY] = journal->key,
                                   [AT_N] = n,
                                   [AT_HASH] = irl_endian_hash(journal->words, n)};
  if (journal->failed) return irl_fail_memory(journal->env);
  const irl_status status = irl_output_open(journal->env, journal->path, &output);
  if (status) return status;
  irl_endian_write(header, HEADER, output.stream);
  irl_endian_write(journal->words, n, output.stream);
  return irl_output_close(&output, true);
}

bool irl_journal_save(irl_journal *journal) {
  if (!journal->path) return true;
  journal->is_lost = write_file(journal) != IRL_OK;
  if (journal->is_lost && !journal->has_warned) {
    irl_log(journal->env, IRL_LOG_WARNING, "the checkpoint is not saved, the run goes on: %s",
            irl_env_error(journal->env));
    journal->has_warned = true;
  }
  return !journal->is_lost;
}
