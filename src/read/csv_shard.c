/* A CSV or TSV file of 0/1 in parts.
 *
 * Every process reads the header, which is at the beginning, and a stretch of the body for each of
 * its threads: the lines that begin in an equal share of its bytes, block by block, so that of the
 * text only blocks are in memory. Labels are exchanged, after which all processes know the classes
 * of all samples and so who holds what; then the rows go to the processes that hold them
 * (csv_scatter.c).
 *
 * Only a clean file is divided: a quote in the body (which may hide a line end), a cell that is
 * neither 0 nor 1, a third label, one class only, anything that would be an error, and all
 * processes drop what they have. The first one then reads the file whole as if alone, which finds
 * types, or says what is wrong, and where.
 *
 * That all have the same file is told by its size and its header. The body is read once, each line
 * by one process, so there is nothing to compare it with; it is in the checksum of the data
 * (irl_shard_hash), and with it in the key of every checkpoint. */
#include "base/memory.h"
#include "base/threads.h"
#include "data/shard.h"
#include "read/csv.h"
#include <omp.h>
#include <xxhash.h>

#define FIRST_BYTES ((uint64_t)1 << 16) /* that are looked at for a header, to begin with */
#define BLOCK_BYTES ((size_t)4 << 20)   /* that a thread reads at a time, longer lines apart */

/* Lines that one thread reads. */
typedef struct stretch {
  uint64_t first, last; /* bytes of the file; the last is not in it */
  csv_piece rows;
  char *labels[2]; /* the texts of its labels */
  irl_status status;
} stretch;

typedef struct reader {
  irl_env *env;
  const irl_source *source;
  irl_file_parts file;
  omp_lock_t reading; /* threads share the disk, and the place for an error */
  char *start;        /* of the file, with the header */
  uint64_t body;
  csv_plan plan;
  irl_names kept;
  stretch *stretches;
  size_t n_stretches;
  bool is_plain; /* nothing was met that only a whole reading can tell */
  char *texts;   /* of all processes' labels, NUL after each */
  size_t *text_sizes;
  irl_labels known;
  uint8_t *labels; /* of all samples, */
  size_t *n_rows;  /* of which each process has so many */
  irl_data *data;
} reader;

/* ---- the header ---- */

/* Bad input is for a whole reading to judge; other failures stay. */
static irl_status doubt(reader *r, irl_status status) {
  if (status != IRL_BAD_INPUT) return status;
  r->is_plain = false;
  return IRL_OK;
}

/* Enough of the start of the file, at most half of it. */
static irl_status read_start(reader *r, csv_piece *whole) {
  const uint64_t most = r->file.size / 2;
  uint64_t size = FIRST_BYTES < most ? FIRST_BYTES : most;
  for (;; size = 2 * size < most ? 2 * size : most) {
    char *grown = irl_mem_grow(&r->env->allocator, r->start, size, 1);
    if (!grown) return irl_fail_memory(r->env);
    r->start = grown;
    const irl_status status = irl_file_read_part(&r->file, 0, r->start, size);
    if (status) return status;
    r->is_plain = !irl_csv_find_text(&r->plan, r->start, size, whole) &&
                  irl_csv_has_header(whole->start, whole->end, r->source->delimiter);
    if (r->is_plain || size == most) return IRL_OK;
  }
}

static irl_status read_header(reader *r) {
  csv_piece whole;
  irl_status status = irl_file_open_parts(r->env, r->source->path, &r->file);
  if (!status) status = read_start(r, &whole);
  if (status || !r->is_plain) return status;
  status = irl_csv_header(&r->plan, &whole);
  if (!status) status = irl_csv_plan_bits(&r->plan, &r->kept);
  if (status) return doubt(r, status);
  r->body = (uint64_t)(whole.start - r->start);
  r->is_plain = r->plan.target < r->plan.n_columns;
  return IRL_OK;
}

/* ---- the body ---- */

/* The first line that begins at `at` or later. */
static irl_status find_line(const reader *r, uint64_t at, uint64_t *found) {
  char bytes[1 << 14];
  *found = r->body;
  if (at <= r->body) return IRL_OK;
  for (at--; at < r->file.size; at += sizeof bytes) {
    const uint64_t left = r->file.size - at;
    const size_t n = left < sizeof bytes ? (size_t)left : sizeof bytes;
    const irl_status status = irl_file_read_part(&r->file, at, bytes, n);
    if (status) return status;
    const char *line_end = memchr(bytes, '\n', n);
    *found = line_end ? at + (uint64_t)(line_end - bytes) + 1 : at + n;
    if (line_end) return IRL_OK;
  }
  return IRL_OK;
}

static irl_status find_stretches(reader *r) {
  const size_t n = r->n_stretches, before = (size_t)irl_comm_rank(r->env) * n;
  irl_status status = IRL_OK;
  for (size_t i = 0; i < n && !status; i++) {
    const irl_range bytes =
        irl_range_block(r->file.size - r->body, before + i, (size_t)irl_comm_size(r->env) * n);
    status = find_line(r, r->body + bytes.first, &r->stretches[i].first);
    if (!status) status = find_line(r, r->body + bytes.last, &r->stretches[i].last);
  }
  return status;
}

/* The block goes, the labels stay. */
static bool keep_labels(const reader *r, stretch *s) {
  irl_labels *known = &s->rows.known;
  for (size_t k = 0; k < known->n; k++) {
    if (!s->labels[k])
      s->labels[k] = irl_mem_copy_text(&r->env->allocator, known->text[k], known->length[k]);
    if (!s->labels[k]) return false;
    known->text[k] = s->labels[k];
  }
  return true;
}

/* A block that begins at a line, up to its last line end; the end of a stretch is one. */
static irl_status read_block(reader *r, const stretch *s, uint64_t at, char *text, size_t capacity,
                             size_t *n) {
  *n = s->last - at < capacity ? (size_t)(s->last - at) : capacity;
  omp_set_lock(&r->reading);
  const irl_status status = irl_file_read_part(&r->file, at, text, *n);
  omp_unset_lock(&r->reading);
  while (!status && at + *n < s->last && *n && text[*n - 1] != '\n') (*n)--;
  return status;
}

static bool is_clean(const csv_piece *rows) {
  return !rows->mistake.at && !rows->has_quotes && !rows->out_of_memory;
}

static void read_stretch(reader *r, stretch *s) {
  const irl_allocator *allocator = &r->env->allocator;
  size_t capacity = BLOCK_BYTES, n;
  if (s->last - s->first < capacity) capacity = (size_t)(s->last - s->first);
  char *text = irl_mem_alloc(allocator, capacity, 1);
  for (uint64_t at = s->first; at < s->last && text && !s->status && is_clean(&s->rows); at += n) {
    s->status = read_block(r, s, at, text, capacity, &n);
    if (s->status) break;
    if (n) {
      s->rows.start = text;
      s->rows.end = text + n;
      irl_csv_body(&r->plan, &s->rows);
      s->rows.out_of_memory |= !keep_labels(r, s);
    } else { /* a longer line */
      irl_mem_free(allocator, text);
      text = irl_mem_alloc(allocator, capacity *= 2, 1);
    }
  }
  s->rows.out_of_memory |= !text;
  irl_mem_free(allocator, text);
}

/* All stretches of this process. */
static irl_status read_body(reader *r) {
  r->n_stretches = r->source->threads > 0 ? (size_t)r->source->threads : 1;
  r->stretches = irl_mem_alloc(&r->env->allocator, r->n_stretches, sizeof *r->stretches);
  if (!r->stretches) return irl_fail_memory(r->env);
  irl_status status = find_stretches(r);
  if (status) return status;
#pragma omp parallel for num_threads(irl_threads_here(r->source->threads)) schedule(static)
  for (size_t i = 0; i < r->n_stretches; i++) read_stretch(r, &r->stretches[i]);
  for (size_t i = 0; i < r->n_stretches && !status; i++) {
    status = r->stretches[i].status;
    if (!status && r->stretches[i].rows.out_of_memory) status = irl_fail_memory(r->env);
    r->is_plain = r->is_plain && is_clean(&r->stretches[i].rows);
  }
  return status ? status : irl_file_check_parts(&r->file);
}

/* Do all think so? Collective. */
static irl_status agree_plain(reader *r) {
  uint64_t n_doubts = !r->is_plain;
  const irl_status status = irl_comm_allreduce(r->env, &n_doubts, 1);
  r->is_plain = !n_doubts;
  return status;
}

/* ---- labels ---- */

static size_t count_rows(const reader *r) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_stretches; i++) n += r->stretches[i].rows.n_rows;
  return n;
}

/* Everybody's label texts, in the order of the file: the same two for all. Collective. */
static irl_status share_texts(reader *r) {
  irl_message mine;
  irl_message_init(&mine, r->env);
  for (size_t i = 0; i < r->n_stretches; i++)
    for (size_t k = 0; k < r->stretches[i].rows.known.n; k++)
      irl_message_put(&mine, r->stretches[i].labels[k], strlen(r->stretches[i].labels[k]) + 1);
  irl_status status = irl_comm_agree(r->env, mine.failed ? irl_fail_memory(r->env) : IRL_OK);
  if (!status)
    status =
        irl_comm_allgather_sizes(r->env, mine.bytes, mine.n, (void **)&r->texts, &r->text_sizes);
  irl_message_free(&mine);
  if (status) return status;
  size_t total = 0;
  for (int i = 0; i < irl_comm_size(r->env); i++) total += r->text_sizes[i];
  for (const char *at = r->texts; at < r->texts + total; at += strlen(at) + 1)
    if (irl_labels_add(&r->known, at, strlen(at)) < 0) r->is_plain = false;
  r->is_plain = r->is_plain && r->known.n;
  return IRL_OK;
}

/* The labels of all samples, by number. Collective. */
static irl_status share_labels(reader *r) {
  const size_t n = count_rows(r);
  uint8_t *mine = irl_mem_alloc(&r->env->allocator, n, 1), *at = mine;
  irl_status status = irl_comm_agree(r->env, mine ? IRL_OK : irl_fail_memory(r->env));
  for (size_t i = 0; i < r->n_stretches && !status; i++) {
    const csv_piece *rows = &r->stretches[i].rows;
    uint8_t number[2] = {0, 0};
    for (size_t k = 0; k < rows->known.n; k++)
      number[k] = (uint8_t)irl_labels_add(&r->known, rows->known.text[k], rows->known.length[k]);
    for (size_t j = 0; j < rows->n_rows; j++) *at++ = number[rows->labels[j]];
  }
  if (!status) status = irl_comm_allgather_sizes(r->env, mine, n, (void **)&r->labels, &r->n_rows);
  irl_mem_free(&r->env->allocator, mine);
  return status;
}

/* Names and labels; the places in messages mean nothing, since what fails is read whole. */
static irl_status create(reader *r) {
  size_t n = 0;
  for (int i = 0; i < irl_comm_size(r->env); i++) n += r->n_rows[i];
  r->plan.text = r->texts;
  return doubt(r, irl_csv_create(&r->plan, &r->kept, &r->known, r->labels, n, &r->data));
}

/* ---- all of it ---- */

static irl_status share_rows(reader *r) {
  const size_t n = count_rows(r), words = irl_csv_row_words(&r->plan);
  const uint64_t **rows = irl_mem_alloc(&r->env->allocator, n, sizeof *rows), **at = rows;
  irl_status status = irl_comm_agree(r->env, rows ? IRL_OK : irl_fail_memory(r->env));
  for (size_t i = 0; i < r->n_stretches && !status; i++)
    for (size_t j = 0; j < r->stretches[i].rows.n_rows; j++)
      *at++ = r->stretches[i].rows.bits + j * words;
  if (!status) status = irl_csv_scatter(r->env, r->data, rows, r->n_rows, r->source->threads);
  irl_mem_free(&r->env->allocator, rows);
  return status;
}

/* From the header to the rows of all; ends early where the file is none of 0/1. Collective. */
static irl_status read_all(reader *r) {
  irl_status status = irl_comm_agree(r->env, read_header(r));
  if (!status) {
    const uint64_t hashes[] = {r->file.size, XXH3_64bits(r->start, r->body)};
    status = irl_shard_compare(r->env, r->source->path, XXH3_64bits(hashes, sizeof hashes));
  }
  if (!status) status = irl_comm_agree(r->env, r->is_plain ? read_body(r) : IRL_OK);
  if (!status) status = agree_plain(r);
  if (!status && r->is_plain) status = share_texts(r);
  if (!status && r->is_plain) status = share_labels(r);
  if (!status && r->is_plain) status = irl_comm_agree(r->env, create(r));
  if (!status && r->is_plain) status = irl_shard_create(r->env, r->source, r->data);
  return status || !r->is_plain ? status : share_rows(r);
}

static void reader_free(reader *r) {
  const irl_allocator *allocator = &r->env->allocator;
  for (size_t i = 0; r->stretches && i < r->n_stretches; i++) {
    irl_mem_free(allocator, r->stretches[i].rows.bits);
    irl_mem_free(allocator, r->stretches[i].rows.labels);
    irl_mem_free(allocator, r->stretches[i].labels[0]);
    irl_mem_free(allocator, r->stretches[i].labels[1]);
  }
  irl_mem_free(allocator, r->stretches);
  irl_mem_free(allocator, r->start);
  irl_mem_free(allocator, r->texts);
  irl_mem_free(allocator, r->text_sizes);
  irl_mem_free(allocator, r->labels);
  irl_mem_free(allocator, r->n_rows);
  irl_mem_free(allocator, r->plan.steps);
  irl_names_free(&r->plan.columns);
  irl_names_free(&r->kept);
  irl_file_close_parts(&r->file);
}

irl_status irl_csv_read_shard(irl_env *env, const irl_source *source, irl_data **out) {
  reader r = {.env = env,
              .source = source,
              .file = {.descriptor = -1},
              .plan = {.env = env, .source = source},
              .is_plain = true};
  irl_names_init(&r.plan.columns, &env->allocator);
  irl_names_init(&r.kept, &env->allocator);
  omp_init_lock(&r.reading);
  const irl_status status = read_all(&r);
  omp_destroy_lock(&r.reading);
  if (status || !r.is_plain)
    irl_data_free(r.data);
  else
    *out = r.data;
  reader_free(&r);
  return status;
}
