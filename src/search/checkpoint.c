#include "search/checkpoint.h"
#include "base/clock.h"
#include "base/endian.h"
#include "base/memory.h"
#include "search/search.h"
#include <xxhash.h>

#define MAGIC         0x324b435f444e4c49u /* "ILND_CK2" */
#define MAGIC_LETTERS 0x00ffffffffffffffu /* those before the version */
#define SAVE_INTERVAL 2.0                 /* seconds between two, or more, */
#define SAVE_SHARE    50.0                /* so that saving takes one part in so many */
#define MAX_WORK      (UINT64_MAX / 1024) /* of a file: small multiples of it are numbers, too */

enum { AT_MAGIC, AT_N, AT_HASH, HEADER };                        /* words before those hashed */
enum { AT_WORK, AT_NODES, AT_BOUND, AT_METHOD, AT_RULE, STATE }; /* words behind the job */

static size_t words_of(size_t bytes) {
  return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

void irl_search_set_checkpoint(irl_search *search, const irl_checkpoint_sink *sink, char *job) {
  search->checkpoint = (irl_checkpoint){.sink = sink,
                                        .job = job,
                                        .max_clauses = SIZE_MAX,
                                        .next_save = irl_clock_now() + SAVE_INTERVAL};
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

/* The checkpoint is of another job: the first line of the two that is not the same, a name and two
 * values. */
static irl_status refuse_job(irl_search *search, const char *path, const char *there,
                             size_t length) {
  const char *here = search->checkpoint.job;
  const char *a, *b, *end = there + length, *here_end = here + strlen(here);
  while (there < end && here < here_end) {
    const int n = (int)take_line(&there, end, &a), m = (int)take_line(&here, here_end, &b);
    if (n == m && !memcmp(a, b, (size_t)n)) continue;
    const char *blank = memchr(b, ' ', (size_t)m);
    const int name = blank ? (int)(blank - b) + 1 : m;
    if (n < name || memcmp(a, b, (size_t)name)) break; /* not even the same lines */
    return irl_fail(search->env, IRL_STATUS_BAD_INPUT,
                    "%s: this checkpoint is of another data set or other options: %.*swas %.*s and "
                    "is %.*s",
                    path, name, b, n - name, a + name, m - name, b + name);
  }
  return irl_fail(search->env, IRL_STATUS_BAD_INPUT,
                  "%s: this checkpoint is of another data set or other options", path);
}

static irl_status refuse_damaged(irl_env *env, const char *path) {
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the checkpoint is damaged", path);
}

/* May the literal stand in a clause behind those before it: ascending, one of a feature and of a
 * group, negated only where that is asked for? */
static bool may_follow(const irl_search *search, const uint32_t *literals, uint64_t n,
                       uint64_t literal) {
  const irl_data *data = search->problem->data;
  const uint64_t feature = literal / 2;
  const bool may_negate = search->problem->negations && irl_data_may_negate(data);
  if (feature >= data->n_features || (n && feature <= irl_literal_feature(literals[n - 1])) ||
      (!may_negate && irl_literal_is_negated((uint32_t)literal)))
    return false;
  for (uint64_t i = 0; i < n && data->groups && data->groups[feature]; i++)
    if (data->groups[irl_literal_feature(literals[i])] == data->groups[feature]) return false;
  return true;
}

/* The next clause; its size, 0 if it is none. */
static uint32_t take_clause(const irl_search *search, const uint64_t **words, const uint64_t *end,
                            uint32_t *literals) {
  assert(*words < end);
  const uint64_t n = *(*words)++;
  if (n > search->problem->M || n > (uint64_t)(end - *words)) return 0;
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t literal = *(*words)++;
    if (!may_follow(search, literals, i, literal)) return 0;
    literals[i] = (uint32_t)literal;
  }
  return (uint32_t)n;
}

/* Takes the clauses into the pool, and the first ones as a rule. */
static irl_status take_clauses(irl_search *search, const char *path, const uint64_t *at,
                               const uint64_t *end, irl_search_rule *rule) {
  uint32_t n = 0;
  while (at < end) {
    uint32_t literals[IRL_CLAUSE_MAX], number;
    const uint32_t size = take_clause(search, &at, end, literals);
    if (!size) return refuse_damaged(search->env, path);
    const irl_status status =
        irl_clause_set_add(search->env, &search->pool, literals, size, &number, NULL);
    if (status) return status;
    for (uint32_t i = 0; i < n && n < rule->n; i++)
      if (rule->clauses[i] == number) return refuse_damaged(search->env, path);
    if (n < rule->n) rule->clauses[n++] = number;
  }
  return n < rule->n ? refuse_damaged(search->env, path) : IRL_STATUS_OK;
}

/* What the earlier run came to: the words behind the job. */
static irl_status take_state(irl_search *search, const char *path, const uint64_t *state,
                             const uint64_t *end) {
  irl_limit *limit = &search->limit;
  if (end - state < STATE || state[AT_WORK] > MAX_WORK || state[AT_NODES] > MAX_WORK ||
      state[AT_BOUND] > (uint64_t)IRL_NO_LOSS || state[AT_METHOD] >= IRL_N_PROOF_METHODS ||
      state[AT_RULE] > search->problem->K)
    return refuse_damaged(search->env, path);
  irl_search_rule rule = {.n = (uint32_t)state[AT_RULE]};
  const irl_status status = take_clauses(search, path, state + STATE, end, &rule);
  if (status) return status;
  search->checkpoint.read_bound = (int64_t)state[AT_BOUND];
  search->checkpoint.read_by = (irl_proof_method)state[AT_METHOD];
  search->nodes = state[AT_NODES];
  search->work = state[AT_WORK];
  if (limit->max_work != UINT64_MAX) limit->max_work += search->work;
  if (limit->planned_work) limit->planned_work += search->work;
  return irl_search_offer(search, &rule, NULL);
}

/* Is the file whole, and of this version? */
static irl_status check_header(irl_env *env, const irl_bytes *file, const char *path) {
  const char *bytes = file->data;
  uint64_t header[HEADER] = {0};
  const size_t size = file->size - sizeof header;
  if (file->size >= sizeof header) memcpy(header, bytes, sizeof header);
  irl_endian_convert(header, HEADER);
  if ((header[AT_MAGIC] ^ MAGIC) & MAGIC_LETTERS)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: offset 0: this is not a checkpoint", path);
  if (header[AT_MAGIC] != MAGIC)
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "%s: this checkpoint is of another version of the program, which has to go on "
                    "from it",
                    path);
  if (size % sizeof(uint64_t) || header[AT_N] != size / sizeof(uint64_t) ||
      header[AT_HASH] != XXH3_64bits(bytes + sizeof header, size))
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "%s: offset %zu: the checkpoint is damaged or truncated", path, sizeof header);
  return IRL_STATUS_OK;
}

irl_status irl_search_resume(irl_search *search, const irl_bytes *file) {
  const char *path = irl_checkpoint_name(file->name), *job = search->checkpoint.job;
  irl_status status = check_header(search->env, file, path);
  if (status) return status;
  const size_t n = file->size / sizeof(uint64_t) - HEADER;
  uint64_t *words = irl_mem_alloc(&search->env->allocator, n, sizeof *words);
  if (!words) return irl_fail_memory(search->env);
  memcpy(words, (const char *)file->data + HEADER * sizeof *words, n * sizeof *words);
  const char *text = (const char *)(words + 1); /* in the order of the file */
  const uint64_t length = n ? irl_endian_64(words[0]) : UINT64_MAX;
  if (length > (n - 1) * sizeof *words) {
    status = refuse_damaged(search->env, path);
  } else if (length != strlen(job) || memcmp(text, job, length)) {
    status = refuse_job(search, path, text, length);
  } else {
    irl_endian_convert(words, n);
    status = take_state(search, path, words + 1 + words_of(length), words + n);
  }
  irl_mem_free(&search->env->allocator, words);
  return status;
}

/* ---- writing ---- */

/* The incumbent of the whole run. */
static const irl_search_rule *best_of(const irl_search *search) {
  const irl_search_rule *outer = search->checkpoint.outer_best;
  return outer ? outer : &search->best;
}

int64_t irl_search_bound(const irl_search *search, irl_proof_method *by) {
  const irl_checkpoint *checkpoint = &search->checkpoint;
  const irl_proof *proof = checkpoint->outer_proof ? checkpoint->outer_proof : &search->proof;
  const int64_t loss = best_of(search)->loss; /* of a rule, which no bound is above */
  const int64_t read = checkpoint->read_bound < loss ? checkpoint->read_bound : loss;
  *by = read > proof->bound ? checkpoint->read_by : proof->bound_by;
  return read > proof->bound ? read : proof->bound;
}

static uint64_t *put_clause(uint64_t *at, const irl_clause_set *pool, size_t k) {
  const uint32_t *literals = irl_clause_set_literals(pool, (uint32_t)k);
  *at++ = pool->sizes[k];
  for (uint32_t i = 0; i < pool->sizes[k]; i++) *at++ = literals[i];
  return at;
}

/* All words but the header, `at` being the first of them, to be zero before; the end. */
static uint64_t *put_state(const irl_search *search, size_t n_clauses, uint64_t *at) {
  const char *job = search->checkpoint.job;
  const irl_search_rule *best = best_of(search);
  const size_t length = strlen(job);
  irl_proof_method by;
  *at++ = length;
  memcpy(at, job, length);
  irl_endian_convert(at, words_of(length)); /* and back again with all others */
  at += words_of(length);
  at[AT_WORK] = search->work;
  at[AT_NODES] = search->nodes;
  at[AT_BOUND] = (uint64_t)irl_search_bound(search, &by);
  at[AT_METHOD] = by;
  at[AT_RULE] = best->n;
  at += STATE;
  for (uint32_t i = 0; i < best->n; i++) at = put_clause(at, &search->pool, best->clauses[i]);
  for (size_t k = 0; k < n_clauses; k++) at = put_clause(at, &search->pool, k);
  return at;
}

/* The checkpoint as bytes to the sink. */
static irl_status hand_out(const irl_search *search) {
  irl_env *env = search->env;
  const irl_checkpoint *checkpoint = &search->checkpoint;
  const irl_clause_set *pool = &search->pool;
  const size_t n_clauses = pool->n < checkpoint->max_clauses ? pool->n : checkpoint->max_clauses;
  const size_t most = n_clauses + best_of(search)->n; /* which are twice there */
  const size_t job = words_of(strlen(checkpoint->job));
  uint64_t *words =
      irl_mem_alloc(&env->allocator, HEADER + 1 + job + STATE + most * (1 + (size_t)pool->max_size),
                    sizeof *words);
  if (!words) return irl_fail_memory(env);
  const size_t n = (size_t)(put_state(search, n_clauses, words + HEADER) - words) - HEADER;
  words[AT_MAGIC] = MAGIC;
  words[AT_N] = n;
  words[AT_HASH] = irl_endian_hash(words + HEADER, n);
  irl_endian_convert(words, HEADER + n);
  irl_fail(env, IRL_STATUS_CANNOT_WRITE, "it was not kept"); /* unless the sink says more */
  const bool is_kept = !checkpoint->sink->save(
      checkpoint->sink->user,
      (irl_bytes){words, (HEADER + n) * sizeof *words, checkpoint->sink->name});
  irl_mem_free(&env->allocator, words);
  return is_kept ? IRL_STATUS_OK : IRL_STATUS_CANNOT_WRITE;
}

bool irl_search_save(irl_search *search) {
  irl_checkpoint *checkpoint = &search->checkpoint;
  if (!checkpoint->sink) return true;
  const double start = irl_clock_now();
  checkpoint->is_lost = hand_out(search) != IRL_STATUS_OK;
  if (checkpoint->is_lost && !checkpoint->has_warned) {
    irl_log(search->env, IRL_LOG_WARNING, "the checkpoint is not saved, the run goes on: %s",
            irl_env_error(search->env));
    checkpoint->has_warned = true;
  }
  const double now = irl_clock_now(), pause = SAVE_SHARE * (now - start);
  checkpoint->next_save = now + (pause > SAVE_INTERVAL ? pause : SAVE_INTERVAL);
  return !checkpoint->is_lost;
}

void irl_search_keep(irl_search *search) {
  const irl_checkpoint *checkpoint = &search->checkpoint;
  if (checkpoint->sink && irl_clock_now() >= checkpoint->next_save) irl_search_save(search);
}
