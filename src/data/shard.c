#include "data/shard.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "bits/kernels.h"
#include "ireland_comm.h"
#include <stdlib.h>

#define FEW_FEATURES 16u                /* for a row of the grid: fewer make no row */
#define BATCH_BYTES  ((size_t)16 << 20) /* that are transposed at a time, by each process */
#define PER_LITERAL  64u                /* bytes that a search keeps of each literal, about */

/* Block b of n things in B blocks. */
static irl_range take_block(size_t n, size_t b, size_t B) {
  assert(b < B);
  return (irl_range){n / B * b + n % B * b / B, n / B * (b + 1) + n % B * (b + 1) / B};
}

/* Batch b of a range, `size` things each but for the last ones, which may be empty. */
static irl_range take_batch(irl_range range, size_t size, size_t b) {
  const size_t n = irl_range_size(range);
  range.first += b * size < n ? b * size : n;
  if (irl_range_size(range) > size) range.last = range.first + size;
  return range;
}

/* ---- the plan ---- */

const char *irl_shard_needs_whole(const irl_options *options) {
  const bool is_ireland = options->search.method <= IRL_METHOD_IRELAND;
  return !is_ireland                    ? "method"
         : options->output.test > 0     ? "test"
         : options->output.permutations ? "permutations"
         : options->rule.cnf            ? "cnf"
         : options->output.all_optimal  ? "all_optimal"
         : options->output.within > 0   ? "within"
                                        : NULL;
}

/* The features that process `rank` holds some samples of. */
static irl_range held_by(const irl_data *data, int rank) {
  return take_block(data->n_features, (uint32_t)rank / data->shard->columns, data->shard->rows);
}

/* The features that process `rank` turns around. */
static irl_range own_of(const irl_data *data, int rank) {
  const irl_range row = held_by(data, rank);
  const uint32_t columns = data->shard->columns;
  const irl_range block = take_block(irl_range_size(row), (uint32_t)rank % columns, columns);
  assert(block.last <= irl_range_size(row));
  return (irl_range){row.first + block.first, row.first + block.last};
}

int irl_shard_owner(const irl_data *data, uint32_t feature) {
  int low = 0, high = (int)(data->shard->rows * data->shard->columns) - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (feature < own_of(data, middle).last)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* The words of cases (0) or controls (1) that it holds. */
static irl_range words_of(const irl_data *data, int rank, int class) {
  const uint32_t columns = data->shard->columns;
  const size_t stride = irl_bits_stride(class ? data->n_controls : data->n_cases);
  const irl_range blocks = take_block(stride / IRL_BITS_BLOCK, (uint32_t)rank % columns, columns);
  return (irl_range){blocks.first * IRL_BITS_BLOCK, blocks.last * IRL_BITS_BLOCK};
}

/* What this process will hold, and what a search needs besides. */
static irl_status check_memory(irl_env *env, const irl_source *source, const irl_data *data) {
  const irl_shard *shard = data->shard;
  const irl_comm *comm = &env->comm->comm;
  const uint64_t vector = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const uint64_t held = irl_range_size(shard->features) *
                        (irl_range_size(shard->words[0]) + irl_range_size(shard->words[1])) *
                        sizeof(uint64_t);
  const uint64_t signs = source->options && source->options->rule.negations ? 2 : 1;
  const uint64_t table = signs * irl_range_size(shard->own) * vector;
  const uint64_t whole = comm->rank ? 0 : data->n_features * vector;
  const double limit = source->options ? (double)source->options->limits.memory_limit : 0;
  const int sharing = comm->on_this_machine > 0 ? comm->on_this_machine : 1;
  /* What the first process has of all is no longer available, but counts against a limit. */
  const double needed = 1e-6 * (double)((limit > 0 ? whole : 0) + held + table +
                                        signs * PER_LITERAL * data->n_features + 2 * BATCH_BYTES);
  const double there = limit > 0 ? limit : irl_clock_available_mb() / sharing;
  if (!comm->rank)
    irl_log(
        env, IRL_LOG_NOTE,
        "%d processes as %u x %u: each holds %.1f MB of bits, the first one all %.1f MB too; it "
        "needs about %.0f MB, of %.0f MB",
        comm->n_processes, shard->rows, shard->columns, 1e-6 * (double)held, 1e-6 * (double)whole,
        needed, there);
  if (needed <= there) return IRL_STATUS_OK;
  return irl_fail(
      env, IRL_STATUS_NO_MEMORY,
      "%s: process %d would need %.0f MB and has %.0f MB; more processes need less each",
      source->path, comm->rank, needed, there);
}

static irl_status plan(irl_env *env, const irl_source *source, const irl_data *data) {
  irl_shard *shard = data->shard;
  const char *grid = source->options ? source->options->data.grid : NULL;
  const int rank = irl_comm_rank(env);
  const uint32_t size = (uint32_t)irl_comm_size(env);
  unsigned long rows = size, columns = 1;
  if (grid) {
    char *end;
    rows = strtoul(grid, &end, 10);
    columns = *end == 'x' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || !rows || !columns || rows > size || columns > size || rows * columns != size)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "option grid is '%s', not FxS with F times S being the %u processes", grid,
                      size);
  } else { /* by features if there are enough of them: then nothing need be turned around */
    while (rows > 1 && (size % rows || data->n_features / rows < FEW_FEATURES)) rows--;
    columns = size / rows;
  }
  shard->rows = (uint32_t)rows;
  shard->columns = (uint32_t)columns;
  shard->features = held_by(data, rank);
  shard->own = own_of(data, rank);
  for (int class = 0; class < 2; class ++) shard->words[class] = words_of(data, rank, class);
  return check_memory(env, source, data);
}

irl_status irl_shard_create(irl_env *env, const irl_source *source, uint64_t id, irl_data *data) {
  irl_shard *shard = irl_mem_alloc(&env->allocator, 1, sizeof *shard);
  irl_status status = shard ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status) {
    shard->env = env;
    shard->id = id;
    data->shard = shard;
    status = plan(env, source, data);
  }
  for (int class = 0; class < 2 && !status; class ++) {
    const size_t n = class ? data->n_controls : data->n_cases,
                 before = 64 * shard->words[class].first;
    const size_t held = 64 * irl_range_size(shard->words[class]),
                 left = n > before ? n - before : 0;
    status = irl_bits_matrix_init(env, &shard->held[class], irl_range_size(shard->features),
                                  left < held ? left : held);
    assert(status || shard->held[class].stride == irl_range_size(shard->words[class]));
  }
  return irl_comm_agree(env, status);
}

void irl_shard_free(irl_shard *shard) {
  if (!shard) return;
  if (!irl_comm_rank(shard->env)) irl_comm_forget(shard->env, shard->id);
  irl_bits_matrix_free(&shard->held[0]);
  irl_bits_matrix_free(&shard->held[1]);
  irl_mem_free(&shard->env->allocator, shard);
}

/* ---- counting ---- */

irl_status irl_shard_count(irl_env *env, const irl_data *data, const uint64_t *live_cases,
                           const uint64_t *live_controls, uint64_t *counts) {
  const irl_shard *shard = data->shard;
  const irl_kernels *kernels = irl_bits_kernels();
  const uint64_t *live[2] = {live_cases, live_controls};
  memset(counts, 0, data->n_features * sizeof *counts);
  for (size_t i = 0; i < irl_range_size(shard->features); i++)
    for (int class = 0; class < 2; class ++) {
      const irl_bits_matrix *held = &shard->held[class];
      const uint64_t *vector = irl_bits_vector(held, i);
      const uint64_t n = live[class] ? kernels->and_count(live[class] + shard->words[class].first,
                                                          vector, held->stride)
                                     : kernels->count(vector, held->stride);
      counts[shard->features.first + i] += n << 32 * class;
    }
  return irl_comm_allreduce(env, counts, data->n_features);
}

irl_status irl_data_count(irl_env *env, const irl_data *data, const uint64_t *live_cases,
                          const uint64_t *live_controls, int threads, uint64_t *counts) {
  (void)threads; /* without OpenMP */
  const irl_kernels *kernels = irl_bits_kernels();
  if (data->shard) { /* all are asked */
    irl_message message;
    irl_message_init(&message, env);
    irl_message_put_number(&message, data->shard->id);
    irl_message_put(&message, live_cases, data->cases.stride * sizeof *live_cases);
    irl_message_put(&message, live_controls, data->controls.stride * sizeof *live_controls);
    irl_status status = irl_comm_call(env, IRL_COMM_COUNT, &message);
    irl_message_free(&message);
    if (!status) status = irl_comm_agree(env, IRL_STATUS_OK);
    return status ? status : irl_shard_count(env, data, live_cases, live_controls, counts);
  }
  const size_t words = data->cases.stride + data->controls.stride;
  (void)words; /* without OpenMP */
#pragma omp parallel for num_threads(irl_threads_for(threads, data->n_features, (double)words))    \
    schedule(static)
  for (uint32_t j = 0; j < data->n_features; j++) {
    const uint64_t cases =
        kernels->and_count(live_cases, irl_bits_vector(&data->cases, j), data->cases.stride);
    const uint64_t controls = kernels->and_count(live_controls, irl_bits_vector(&data->controls, j),
                                                 data->controls.stride);
    counts[j] = controls << 32 | cases;
  }
  return IRL_STATUS_OK;
}

/* ---- turning around ---- */

/* Memory of a batch: what goes out, what comes in, and the vectors. */
typedef struct turning {
  irl_arena arena;
  size_t batch, n_batches; /* features in one, of each process; how many */
  size_t *out_sizes, *in_sizes;
  char *out, *in;
  uint64_t *vectors;
} turning;

/* Bytes of a feature in the processes of that column of the grid. */
static size_t vector_bytes(const irl_data *data, uint32_t column) {
  return (irl_range_size(words_of(data, (int)column, 0)) +
          irl_range_size(words_of(data, (int)column, 1))) *
         sizeof(uint64_t);
}

/* The features of batch b that process `rank` gets. */
static irl_range batch_of(const irl_data *data, const turning *t, int rank, size_t b) {
  return take_batch(own_of(data, rank), t->batch, b);
}

static irl_status turning_init(irl_env *env, const irl_data *data, turning *t) {
  const irl_shard *shard = data->shard;
  const int size = irl_comm_size(env);
  const size_t words = data->cases.stride + data->controls.stride;
  const size_t held = (size_t)(shard->held[0].stride + shard->held[1].stride);
  size_t most = 0;
  *t = (turning){.batch = BATCH_BYTES / (words * sizeof(uint64_t)) + 1};
  for (int i = 0; i < size; i++) {
    const size_t n = irl_range_size(own_of(data, i));
    if (n > most) most = n;
  }
  if (t->batch > most) t->batch = most + !most;
  t->n_batches = (most + t->batch - 1) / t->batch;
  irl_arena_init(&t->arena, &env->allocator);
  t->out_sizes = irl_arena_alloc(&t->arena, (size_t)size, sizeof *t->out_sizes);
  t->in_sizes = irl_arena_alloc(&t->arena, (size_t)size, sizeof *t->in_sizes);
  t->out = irl_arena_alloc(&t->arena, shard->columns * t->batch, held * sizeof(uint64_t));
  t->in = irl_arena_alloc(&t->arena, t->batch, words * sizeof(uint64_t));
  t->vectors = irl_arena_alloc_aligned(&t->arena, words, sizeof *t->vectors);
  return t->out_sizes && t->in_sizes && t->out && t->in && t->vectors ? IRL_STATUS_OK
                                                                      : irl_fail_memory(env);
}

/* A feature's words as they are held, cases then controls, to `to`; returns what follows. */
static char *put_vector(const irl_shard *shard, size_t feature, char *to) {
  for (int class = 0; class < 2; class ++) {
    const irl_bits_matrix *held = &shard->held[class];
    const size_t n = held->stride * sizeof(uint64_t);
    if (n) memcpy(to, irl_bits_vector(held, feature - shard->features.first), n);
    to += n;
  }
  return to;
}

/* The words of a process in that column of the grid, into whole vectors; returns what follows. */
static const char *get_vector(const irl_data *data, uint32_t column, const char *from,
                              uint64_t *cases, uint64_t *controls) {
  for (int class = 0; class < 2; class ++) {
    const irl_range words = words_of(data, (int)column, class);
    const size_t n = irl_range_size(words) * sizeof(uint64_t);
    if (n) memcpy((class ? controls : cases) + words.first, from, n);
    from += n;
  }
  return from;
}

static irl_status turn_batch(irl_env *env, const irl_data *data, turning *t, size_t b) {
  const irl_shard *shard = data->shard;
  const int size = irl_comm_size(env), rank = irl_comm_rank(env);
  const int row = rank / (int)shard->columns * (int)shard->columns;
  const size_t n_in = irl_range_size(batch_of(data, t, rank, b));
  char *at = t->out;
  for (int other = 0; other < size; other++) {
    const bool is_same_row = other / (int)shard->columns * (int)shard->columns == row;
    const char *before = at;
    const irl_range batch = batch_of(data, t, other, b);
    for (size_t j = batch.first; is_same_row && j < batch.last; j++) at = put_vector(shard, j, at);
    t->out_sizes[other] = (size_t)(at - before);
    t->in_sizes[other] = is_same_row ? n_in * vector_bytes(data, (uint32_t)(other - row)) : 0;
  }
  return irl_comm_alltoallv(env, t->out, t->out_sizes, t->in, t->in_sizes);
}

irl_status irl_shard_transpose(irl_env *env, const irl_data *data, irl_shard_visit visit,
                               void *user) {
  const irl_shard *shard = data->shard;
  turning t;
  if (shard->columns == 1) { /* they are whole */
    for (size_t i = 0; i < irl_range_size(shard->features); i++)
      visit(user, (uint32_t)(shard->features.first + i), irl_bits_vector(&shard->held[0], i),
            irl_bits_vector(&shard->held[1], i));
    return IRL_STATUS_OK;
  }
  irl_status status = irl_comm_agree(env, turning_init(env, data, &t));
  for (size_t b = 0; b < t.n_batches && !status; b++) {
    const irl_range batch = batch_of(data, &t, irl_comm_rank(env), b);
    status = turn_batch(env, data, &t, b);
    for (size_t j = batch.first; j < batch.last && !status; j++) {
      const char *from = t.in; /* the feature's words from each process of the row */
      for (uint32_t column = 0; column < shard->columns; column++) {
        const size_t bytes = vector_bytes(data, column);
        get_vector(data, column, from + (j - batch.first) * bytes, t.vectors,
                   t.vectors + data->cases.stride);
        from += irl_range_size(batch) * bytes;
      }
      visit(user, (uint32_t)j, t.vectors, t.vectors + data->cases.stride);
    }
  }
  irl_arena_free(&t.arena);
  return status;
}
