#include "learn/journal.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/little.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>
#include <xxhash.h>

#define MAGIC         0x314b435f444e4c49u /* "ILND_CK1" */
#define SAVE_INTERVAL 2.0                 /* seconds */

enum { AT_MAGIC, AT_KEY, AT_N, AT_HASH, HEADER }; /* words of the header, and how many */
#define HEADER_SIZE (HEADER * sizeof(uint64_t))

void irl_journal_init(irl_journal *journal, irl_env *env, const char *path, uint64_t key) {
  *journal = (irl_journal){.env = env, .path = path, .key = key};
  journal->next_save = irl_clock_now() + SAVE_INTERVAL;
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

static irl_status check(irl_journal *journal, const char *path, const irl_file *file) {
  uint64_t header[HEADER] = {0};
  if (file->size >= HEADER_SIZE) memcpy(header, file->bytes, HEADER_SIZE);
  irl_little_turn(header, HEADER);
  if (header[AT_MAGIC] != MAGIC)
    return irl_fail(journal->env, IRL_BAD_INPUT, "%s: offset 0: this is not a checkpoint", path);
  const size_t size = file->size - HEADER_SIZE;
  if (header[AT_N] != size / sizeof(uint64_t) || size % sizeof(uint64_t) ||
      header[AT_HASH] != XXH3_64bits(file->bytes + HEADER_SIZE, size))
    return irl_fail(journal->env, IRL_BAD_INPUT,
                    "%s: offset %zu: the checkpoint is damaged or truncated", path, HEADER_SIZE);
  if (header[AT_KEY] != journal->key)
    return irl_fail(journal->env, IRL_BAD_INPUT,
                    "%s: offset 8: this checkpoint is of another data set or other options", path);
  return IRL_OK;
}

irl_status irl_journal_load(irl_journal *journal, const char *path) {
  irl_file file;
  irl_status status = irl_file_open(journal->env, path, &file);
  if (status) return status;
  status = check(journal, path, &file);
  const size_t n = status ? 0 : (file.size - HEADER_SIZE) / sizeof(uint64_t);
  uint64_t *words = irl_mem_alloc(&journal->env->allocator, n, sizeof *words);
  if (!status && !words) status = irl_fail_memory(journal->env);
  if (!status) {
    memcpy(words, file.bytes + HEADER_SIZE, n * sizeof *words);
    irl_little_turn(words, n);
    if (!is_well_formed(words, n))
      status = irl_fail(journal->env, IRL_BAD_INPUT, "%s: the checkpoint is damaged", path);
  }
  if (status) {
    irl_mem_free(&journal->env->allocator, words);
  } else {
    journal->words = words;
    journal->n = journal->capacity = journal->replay_end = n;
  }
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
  const size_t n = journal->at; /* whole entries only */
  const uint64_t header[HEADER] = {[AT_MAGIC] = MAGIC,
                                   [AT_KEY] = journal->key,
                                   [AT_N] = n,
                                   [AT_HASH] = irl_little_hash(journal->words, n)};
  if (journal->failed) return irl_fail_memory(journal->env);
  const irl_status status = irl_output_open(journal->env, journal->path, &output);
  if (status) return status;
  irl_little_write(header, HEADER, output.stream);
  irl_little_write(journal->words, n, output.stream);
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
