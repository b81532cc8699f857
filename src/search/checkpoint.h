/* The checkpoint of a run: the results of its expensive steps, in order. A run is repeatable, so a
 * run that is started again with the checkpoint of an earlier one, which may have ended anywhere,
 * takes these steps from it and goes on where it ends, to the same rule.
 *
 * As bytes a checkpoint has little-endian words of 64 bits,
 *
 *   "ILND_CK1"   eight letters
 *   key          a hash of the job: a text that names the version, the data, the clauses that it
 *                began with and all options that decide the course of the run (irl_fit_job)
 *   n            how many words follow the header
 *   hash         XXH3 of them
 *   entries      kind, number of words, the words. The first one has the text of the job (kind 0,
 *                padded with zeros), so that a run of another job can say what differs. Others have
 *                the work that a step took, then what it found (clauses as numbers of literals,
 *                each after its size; a choice as numbers of the pool; bounds of a proof).
 *
 * What a file says was found is computed again from the data. What it says was proven is not, so a
 * result that rests on it says so, and none is called optimal for that alone (prove.c).
 *
 * It goes to the caller as bytes, and is read only by the version that made it. */
#ifndef IRL_SEARCH_CHECKPOINT_H
#define IRL_SEARCH_CHECKPOINT_H

#include "base/env.h"

typedef struct irl_checkpoint {
  irl_env *env;
  const irl_checkpoint_sink *sink; /* where it is saved; NULL: nowhere */
  uint64_t key;                    /* of the job: whose checkpoint it is */
  uint64_t *words;                 /* entries: kind, number of words, the words */
  size_t n, capacity;
  size_t at, replay_end; /* entries before replay_end are still to be replayed from `at` on */
  double next_save;
  bool failed;     /* out of memory: the checkpoint is no longer kept */
  bool is_lost;    /* it could not be kept the last time */
  bool has_warned; /* and that was said */
} irl_checkpoint;

/* A checkpoint that begins with the text of the job. */
irl_status irl_checkpoint_init(irl_checkpoint *checkpoint, irl_env *env,
                               const irl_checkpoint_sink *sink, const char *job);
void irl_checkpoint_free(irl_checkpoint *checkpoint);
/* Reads the checkpoint of an earlier run of the same job; that of another one is refused with the
 * line of the job that differs. */
irl_status irl_checkpoint_load(irl_checkpoint *checkpoint, const irl_bytes *bytes, const char *job);
/* What messages call it. */
static inline const char *irl_checkpoint_name(const char *name) {
  return name ? name : "checkpoint";
}

/* The next entry if it is of that kind, and its number of words; NULL when nothing is left to
 * replay. */
const uint64_t *irl_checkpoint_next(irl_checkpoint *checkpoint, uint64_t kind, size_t *n);

/* Adds an entry: begin, words, end. Saves every few seconds. */
void irl_checkpoint_begin(irl_checkpoint *checkpoint, uint64_t kind);
void irl_checkpoint_put(irl_checkpoint *checkpoint, uint64_t word);
void irl_checkpoint_end(irl_checkpoint *checkpoint);
/* Saves now. Bytes that the caller could not keep do not end the run: false, and a warning the
 * first time. */
bool irl_checkpoint_save(irl_checkpoint *checkpoint);

#endif
