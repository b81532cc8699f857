/* Rows of samples to the processes that hold them.
 *
 * A process has rows of some samples, which stand side by side in the file, and so their cases and
 * their controls stand side by side in the matrices. What another process holds of them is a block:
 * a range of samples of each class, and the features of its row of the grid. The block is turned
 * into columns and sent, some features at a time, to all processes at once; the receiver puts each
 * column at the place where its first sample stands. */
#include "base/arena.h"
#include "data/shard.h"
#include "read/csv.h"

#define BATCH_BYTES ((size_t)16 << 20) /* of columns that a process sends at a time, about */

typedef struct sharing {
  irl_env *env;
  irl_arena arena;
  const irl_data *data;
  int threads, size, rank;
  size_t *starts[2];        /* the first case, control of each process; their number at the end */
  const uint64_t **rows[2]; /* own ones */
  const uint64_t **from;    /* the rows of a block */
  size_t batch, n_batches;  /* features in one, for each process; how many */
  size_t *out_sizes, *in_sizes;
  char *out, *in;
} sharing;

/* Samples of a class that one process has rows of and another one holds. */
static irl_range block_of(const sharing *s, int class, int from, int to) {
  const irl_range words = irl_shard_words(s->data, to, class);
  const size_t start = s->starts[class][from], end = s->starts[class][from + 1];
  irl_range block = {64 * words.first, 64 * words.last};
  if (block.first < start) block.first = start;
  if (block.last > end) block.last = end;
  if (block.last < block.first) block.last = block.first;
  return block;
}

static size_t words_of(irl_range samples) {
  return (irl_range_size(samples) + 63) / 64;
}

/* The features of batch b for a process. */
static irl_range batch_of(const sharing *s, int to, size_t b) {
  return irl_range_batch(irl_shard_held(s->data, to), s->batch, b);
}

static size_t bytes_of(const sharing *s, int from, int to, size_t b) {
  return irl_range_size(batch_of(s, to, b)) *
         (words_of(block_of(s, 0, from, to)) + words_of(block_of(s, 1, from, to))) *
         sizeof(uint64_t);
}

static void count_bytes(const sharing *s, size_t b, size_t *out, size_t *in) {
  *out = *in = 0;
  for (int other = 0; other < s->size; other++) {
    *out += s->out_sizes[other] = bytes_of(s, s->rank, other, b);
    *in += s->in_sizes[other] = bytes_of(s, other, s->rank, b);
  }
}

static irl_status sharing_init(sharing *s, const uint64_t *const *rows, const size_t *n_rows) {
  const irl_data *data = s->data;
  const size_t size = (size_t)s->size, n_own = n_rows[s->rank];
  s->starts[0] = irl_arena_alloc(&s->arena, 4 * size + 2, sizeof *s->starts[0]);
  s->rows[0] = irl_arena_alloc(&s->arena, 3 * n_own, sizeof *s->rows[0]);
  if (!s->starts[0] || !s->rows[0]) return irl_fail_memory(s->env);
  s->starts[1] = s->starts[0] + size + 1;
  s->out_sizes = s->starts[1] + size + 1;
  s->in_sizes = s->out_sizes + size;
  s->rows[1] = s->rows[0] + n_own;
  s->from = s->rows[1] + n_own;
  /* Own rows by class, and where everybody's begin. */
  size_t sample = 0, n[2] = {0, 0}, own[2] = {0, 0}, most = 0;
  for (int member = 0; member <= s->size; member++) {
    s->starts[0][member] = n[0];
    s->starts[1][member] = n[1];
    for (size_t i = 0; member < s->size && i < n_rows[member]; i++, sample++) {
      const int class = !irl_bits_get(data->labels, sample);
      n[class]++;
      if (member == s->rank) s->rows[class][own[class]++] = rows[i];
    }
  }
  assert(own[0] + own[1] == n_own);
  assert(n[0] == data->n_cases && n[1] == data->n_controls);
  /* Batches; columns are made 64 at a time. */
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  s->batch = (BATCH_BYTES * data->shard->columns / bytes / 64 + 1) * 64;
  for (int member = 0; member < s->size; member++) {
    const size_t held = irl_range_size(irl_shard_held(data, member));
    if (held > most) most = held;
  }
  s->n_batches = (most + s->batch - 1) / s->batch;
  size_t out, in;
  count_bytes(s, 0, &out, &in); /* no batch is larger than the first */
  s->out = irl_arena_alloc(&s->arena, out, 1);
  s->in = irl_arena_alloc(&s->arena, in, 1);
  return s->out && s->in ? IRL_STATUS_OK : irl_fail_memory(s->env);
}

/* The columns of own rows of a class that another process holds, to `at`; returns what follows. */
static irl_status pack(sharing *s, int class, int to, size_t b, char **at) {
  const irl_range samples = block_of(s, class, s->rank, to), features = batch_of(s, to, b);
  const size_t n = irl_range_size(samples), bytes = words_of(samples) * sizeof(uint64_t);
  const size_t before = features.first % 64; /* rows are read by the word */
  irl_bits_matrix columns;
  if (!n || !irl_range_size(features)) return IRL_STATUS_OK;
  for (size_t i = 0; i < n; i++)
    s->from[i] =
        s->rows[class][samples.first - s->starts[class][s->rank] + i] + features.first / 64;
  const irl_status status =
      irl_bits_matrix_init(s->env, &columns, before + irl_range_size(features), n);
  if (status) return status;
  irl_bits_transpose(s->from, n, &columns, s->threads);
  for (size_t j = 0; j < irl_range_size(features); j++, *at += bytes)
    memcpy(*at, irl_bits_vector(&columns, before + j), bytes);
  irl_bits_matrix_free(&columns);
  return IRL_STATUS_OK;
}

/* The columns of a class that came from another process, to their places; returns what follows. */
static const char *unpack(const sharing *s, int class, int from, size_t b, const char *at) {
  const irl_shard *shard = s->data->shard;
  const irl_range samples = block_of(s, class, from, s->rank), features = batch_of(s, s->rank, b);
  if (!irl_range_size(samples)) return at;
  for (size_t j = features.first; j < features.last; j++) {
    irl_bits_or_at(irl_bits_vector(&shard->held[class], j - shard->features.first),
                   samples.first - 64 * shard->words[class].first, (const void *)at,
                   irl_range_size(samples));
    at += words_of(samples) * sizeof(uint64_t);
  }
  return at;
}

irl_status irl_csv_scatter(irl_env *env, const irl_data *data, const uint64_t *const *rows,
                           const size_t *n_rows, int threads) {
  sharing s = {.env = env,
               .data = data,
               .threads = threads,
               .size = irl_comm_size(env),
               .rank = irl_comm_rank(env)};
  irl_arena_init(&s.arena, &env->allocator);
  irl_status status = irl_comm_agree(env, sharing_init(&s, rows, n_rows));
  for (size_t b = 0; b < s.n_batches && !status; b++) {
    size_t out, in;
    char *to = s.out;
    const char *from = s.in;
    count_bytes(&s, b, &out, &in);
    for (int other = 0; other < s.size; other++)
      for (int class = 0; class < 2 && !status; class ++) status = pack(&s, class, other, b, &to);
    status = irl_comm_agree(env, status);
    if (!status) status = irl_comm_alltoallv(env, s.out, s.out_sizes, s.in, s.in_sizes);
    for (int other = 0; other < s.size && !status; other++)
      for (int class = 0; class < 2; class ++) from = unpack(&s, class, other, b, from);
  }
  irl_arena_free(&s.arena);
  return status;
}
