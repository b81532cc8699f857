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
#include "base/parallel.h"
#include "base/threads.h"
#include "data/shard.h"
#include "read/csv.h"
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
  irl_lock reading; /* threads share the disk, and the place for an error */
  char *start;      /* of the file, with the header */
  uint64_t body;
  csv_plan plan;
  irl_names kept;
  stretch *stretches;
  size_t n_stretches, n_own; /* rows of this process, in all of them */
  bool is_plain;             /* nothing was met that only a whole reading can tell */
  char *texts;               /* of all processes' labels, NUL after each */
  size_t *text_sizes;
  irl_labels known;
  uint8_t *labels; /* of all samples, */
  size_t *n_rows;  /* of which each process has so many */
  irl_data *data;
} reader;

/* ---- the header ---- */

/* Bad input is for a whole reading to judge; other failures stay. */
static irl_status doubt(reader *r, irl_status status) {
  if (status != IRL_STATUS_BAD_INPUT) return status;
  r->is_plain = false;
  return IRL_STATUS_OK;
}

/* All columns but the labels are features. */
static irl_status plan_columns(reader *r) {
  csv_plan *plan = &r->plan;
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < plan->n_columns && !status; i++) {
    const char *name = irl_names_get(&plan->columns, i);
    const bool is_label = i == plan->target;
    status = irl_csv_add_step(plan, is_label ? CSV_LABEL : CSV_KEEP);
    if (status || is_label) continue;
    status = irl_csv_check_name(plan, i);
    if (!status && !irl_names_add(&r->kept, name, strlen(name)))
      status = irl_fail_memory(plan->env);
  }
  return status;
}

static irl_status read_header(reader *r) {
  csv_piece whole;
  irl_status status = irl_file_open_parts(r->env, r->source->path, &r->file);
  if (status) return status;
  /* Enough of the start of the file, at most half of it. */
  const uint64_t most = r->file.size / 2;
  uint64_t size = FIRST_BYTES < most ? FIRST_BYTES : most;
  for (;; size = 2 * size < most ? 2 * size : most) {
    char *grown = irl_mem_grow(&r->env->allocator, r->start, size, 1);
    if (!grown) return irl_fail_memory(r->env);
    r->start = grown;
    status = irl_file_read_part(&r->file, 0, r->start, size);
    if (status) return status;
    r->is_plain = !irl_csv_find_text(&r->plan, r->start, size, &whole) &&
                  irl_csv_has_header(whole.start, whole.end, r->source->delimiter);
    if (r->is_plain || size == most) break;
  }
  if (!r->is_plain) return IRL_STATUS_OK;
  status = irl_csv_header(&r->plan, &whole);
  if (!status) status = plan_columns(r);
  if (status) return doubt(r, status);
  r->body = (uint64_t)(whole.start - r->start);
  r->is_plain = r->plan.target < r->plan.n_columns && r->plan.n_kept && !r->plan.has_row_names;
  return IRL_STATUS_OK;
}

/* ---- the body ---- */

/* The first line that begins at `at` or later. */
static irl_status find_line(const reader *r, uint64_t at, uint64_t *found) {
  char bytes[1 << 14];
  *found = r->body;
  if (at <= r->body) return IRL_STATUS_OK;
  for (at--; at < r->file.size; at += sizeof bytes) {
    const uint64_t left = r->file.size - at;
    const size_t n = left < sizeof bytes ? (size_t)left : sizeof bytes;
    const irl_status status = irl_file_read_part(&r->file, at, bytes, n);
    if (status) return status;
    const char *line_end = memchr(bytes, '\n', n);
    *found = line_end ? at + (uint64_t)(line_end - bytes) + 1 : at + n;
    if (line_end) return IRL_STATUS_OK;
  }
  return IRL_STATUS_OK;
}

static bool is_clean(const csv_piece *rows) {
  return !rows->is_other && !rows->has_quotes && !rows->out_of_memory;
}

static void read_stretch(reader *r, stretch *s) {
  const irl_allocator *allocator = &r->env->allocator;
  irl_labels *known = &s->rows.known;
  size_t capacity = BLOCK_BYTES, n;
  if (s->last - s->first < capacity) capacity = (size_t)(s->last - s->first);
  char *text = irl_mem_alloc(allocator, capacity, 1);
  for (uint64_t at = s->first; at < s->last && text && is_clean(&s->rows); at += n) {
    /* A block that begins at a line, up to its last line end; the end of a stretch is one. */
    n = s->last - at < capacity ? (size_t)(s->last - at) : capacity;
    irl_lock_set(&r->reading);
    s->status = irl_file_read_part(&r->file, at, text, n);
    irl_lock_unset(&r->reading);
    if (s->status) break;
    while (at + n < s->last && n && text[n - 1] != '\n') n--;
    if (!n) { /* a longer line */
      irl_mem_free(allocator, text);
      text = irl_mem_alloc(allocator, capacity *= 2, 1);
      continue;
    }
    s->rows.start = text;
    s->rows.end = text + n;
    irl_csv_body(&r->plan, &s->rows);
    /* The block goes, the labels stay. */
    for (size_t k = 0; k < known->n && !s->rows.out_of_memory; k++) {
      s->rows.has_quotes |= memchr(known->text[k], '"', known->length[k]) != NULL;
      if (!s->labels[k])
        s->labels[k] = irl_mem_copy_text(allocator, known->text[k], known->length[k]);
      s->rows.out_of_memory = !s->labels[k];
      known->text[k] = s->labels[k];
    }
  }
  s->rows.out_of_memory |= !text;
  irl_mem_free(allocator, text);
}

/* All stretches of this process. */
static irl_status read_body(reader *r) {
  const size_t n = r->source->threads > 0 ? (size_t)r->source->threads : 1;
  const size_t before = (size_t)irl_comm_rank(r->env) * n;
  irl_status status = IRL_STATUS_OK;
  r->stretches = irl_mem_alloc(&r->env->allocator, n, sizeof *r->stretches);
  if (!r->stretches) return irl_fail_memory(r->env);
  r->n_stretches = n;
  for (size_t i = 0; i < n && !status; i++) {
    const irl_range bytes =
        irl_range_block(r->file.size - r->body, before + i, (size_t)irl_comm_size(r->env) * n);
    status = find_line(r, r->body + bytes.first, &r->stretches[i].first);
    if (!status) status = find_line(r, r->body + bytes.last, &r->stretches[i].last);
  }
  if (status) return status;
#pragma omp parallel for num_threads(irl_threads_here(r->source->threads)) schedule(static)
  for (size_t i = 0; i < n; i++) read_stretch(r, &r->stretches[i]);
  for (size_t i = 0; i < n && !status; i++) {
    status = r->stretches[i].status;
    if (!status && r->stretches[i].rows.out_of_memory) status = irl_fail_memory(r->env);
    r->is_plain = r->is_plain && is_clean(&r->stretches[i].rows);
    r->n_own += r->stretches[i].rows.n_rows;
  }
  return status ? status : irl_file_check_parts(&r->file);
}

/* ---- labels ---- */

/* Everybody's label texts, in the order of the file: the same two for all. Collective. */
static irl_status share_texts(reader *r) {
  irl_message mine;
  irl_message_init(&mine, r->env);
  for (size_t i = 0; i < r->n_stretches; i++)
    for (size_t k = 0; k < r->stretches[i].rows.known.n; k++)
      irl_message_put(&mine, r->stretches[i].labels[k], strlen(r->stretches[i].labels[k]) + 1);
  irl_status status = irl_comm_agree(r->env, mine.failed ? irl_fail_memory(r->env) : IRL_STATUS_OK);
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
  return IRL_STATUS_OK;
}

/* ---- all of it ---- */

/* The data set of all rows, without matrices, for labels by number, which become 1 for cases. The
 * places in messages mean nothing, since what fails is read whole. */
static irl_status create(reader *r, size_t n_rows) {
  irl_env *env = r->env;
  const irl_source *source = r->source;
  const char *column = irl_names_get(&r->plan.columns, r->plan.target);
  int positive;
  irl_status status =
      irl_labels_resolve(env, source, &r->known, (irl_position){1, 1}, column, &positive);
  if (status) return status;
  for (size_t i = 0; i < n_rows; i++) r->labels[i] = r->labels[i] == positive;
  irl_data_frame frame = {
      source->path,
      &r->kept,
      n_rows,
      r->labels,
      {source->no_header ? NULL : column, source->positive, source->negative, false}};
  for (int i = 0; i < (int)r->known.n; i++)
    *(i == positive ? &frame.called.positive : &frame.called.negative) = r->known.text[i];
  return irl_data_create_unfilled(env, &frame, &r->data);
}

/* Labels and rows of all processes; ends early where the file is none of 0/1 after all.
 * Collective. */
static irl_status share(reader *r) {
  irl_env *env = r->env;
  size_t n_rows = 0, row = 0;
  irl_status status = share_texts(r);
  if (status || !r->is_plain) return status;
  /* Own labels by number, and where own rows are. */
  uint8_t *labels = irl_mem_alloc(&env->allocator, r->n_own, 1);
  const uint64_t **rows = irl_mem_alloc(&env->allocator, r->n_own, sizeof *rows);
  status = irl_comm_agree(env, labels && rows ? IRL_STATUS_OK : irl_fail_memory(env));
  for (size_t i = 0; i < r->n_stretches && !status; i++) {
    const csv_piece *p = &r->stretches[i].rows;
    uint8_t number[2] = {0, 0};
    for (size_t k = 0; k < p->known.n; k++)
      number[k] = (uint8_t)irl_labels_add(&r->known, p->known.text[k], p->known.length[k]);
    for (size_t k = 0; k < p->n_rows; k++, row++) {
      labels[row] = number[p->labels[k]];
      rows[row] = p->bits + k * irl_csv_row_words(&r->plan);
    }
  }
  assert(status || row == r->n_own);
  if (!status)
    status = irl_comm_allgather_sizes(env, labels, r->n_own, (void **)&r->labels, &r->n_rows);
  if (!status) {
    for (int i = 0; i < irl_comm_size(env); i++) n_rows += r->n_rows[i];
    status = irl_comm_agree(env, doubt(r, create(r, n_rows)));
  }
  if (!status && r->is_plain) status = irl_shard_create(env, r->source, r->data);
  if (!status && r->is_plain)
    status = irl_csv_scatter(env, r->data, rows, r->n_rows, r->source->threads);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, rows);
  return status;
}

irl_status irl_csv_read_shard(irl_env *env, const irl_source *source, irl_data **out) {
  const irl_allocator *allocator = &env->allocator;
  reader r = {.env = env,
              .source = source,
              .file = {.descriptor = -1},
              .plan = {.env = env, .source = source},
              .is_plain = true};
  irl_names_init(&r.plan.columns, allocator);
  irl_names_init(&r.kept, allocator);
  irl_lock_init(&r.reading);
  irl_status status = irl_comm_agree(env, read_header(&r));
  if (!status) {
    const uint64_t hashes[] = {r.file.size, XXH3_64bits(r.start, r.body)};
    status = irl_shard_compare(env, source->path, XXH3_64bits(hashes, sizeof hashes));
  }
  if (!status) status = irl_comm_agree(env, r.is_plain ? read_body(&r) : IRL_STATUS_OK);
  uint64_t n_doubts = !r.is_plain; /* of all processes */
  if (!status) status = irl_comm_allreduce(env, &n_doubts, 1);
  r.is_plain = !n_doubts;
  if (!status && r.is_plain) status = share(&r);
  irl_lock_free(&r.reading);
  if (status || !r.is_plain)
    irl_data_free(r.data);
  else
    *out = r.data;
  for (size_t i = 0; i < r.n_stretches; i++) {
    irl_mem_free(allocator, r.stretches[i].rows.bits);
    irl_mem_free(allocator, r.stretches[i].rows.labels);
    irl_mem_free(allocator, r.stretches[i].labels[0]);
    irl_mem_free(allocator, r.stretches[i].labels[1]);
  }
  void *const blocks[] = {r.stretches, r.start,  r.texts,     r.text_sizes,
                          r.labels,    r.n_rows, r.plan.steps};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) irl_mem_free(allocator, blocks[i]);
  irl_names_free(&r.plan.columns);
  irl_names_free(&r.kept);
  irl_file_close_parts(&r.file);
  return status;
}
