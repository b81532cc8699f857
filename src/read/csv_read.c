/* Reading CSV and TSV; files of 0/1 at the speed of memory.
 *
 * Every file is first taken for one of 0/1. The first cell that is something else ends that, and
 * the file is read anew with types (typed.h), unless options ask for that from the start.
 *
 * The header gives a plan: runs of columns to keep, to skip, and the label column (csv_header.c).
 * The body is cut into pieces at line ends, which threads parse on their own into rows of bits
 * (csv_body.c); the rows are then transposed into the data set's columns.
 *
 * A quoted cell may hold a line end, so pieces may have been cut inside a cell. That shows as an
 * error or as a quoted line end in some piece; if a quote was seen as well, the body is parsed
 * again as one piece, and only what that finds counts. */
#include "base/memory.h"
#include "base/threads.h"
#include "read/typed.h"

size_t irl_csv_cut(const csv_piece *whole, csv_piece *pieces, size_t n_wanted) {
  const size_t size = (size_t)(whole->end - whole->start);
  const char *at = whole->start;
  size_t n = 0;
  for (size_t i = 1; i <= n_wanted && at < whole->end; i++) {
    const char *end = whole->start + size / n_wanted * i;
    if (i == n_wanted) end = whole->end;
    if (end <= at) continue;
    const char *line_end = end < whole->end ? memchr(end, '\n', (size_t)(whole->end - end)) : NULL;
    pieces[n] = (csv_piece){.start = at, .end = line_end ? line_end + 1 : whole->end};
    at = pieces[n++].end;
  }
  assert(n <= n_wanted && (!n || pieces[n - 1].end == whole->end));
  return n;
}

static void free_pieces(const irl_allocator *allocator, csv_piece *pieces, size_t n) {
  for (size_t i = 0; i < n; i++) {
    irl_mem_free(allocator, pieces[i].bits);
    irl_mem_free(allocator, pieces[i].labels);
  }
}

static size_t read_pieces(const csv_plan *plan, const csv_piece *whole, csv_piece *pieces,
                          size_t n_wanted) {
  const irl_allocator *allocator = &plan->env->allocator;
  size_t n = irl_csv_cut(whole, pieces, n_wanted);
#pragma omp parallel for num_threads(irl_threads_here(plan->source->threads)) schedule(dynamic)
  for (size_t i = 0; i < n; i++) irl_csv_body(plan, &pieces[i]);
  bool quotes = false, doubts = false;
  for (size_t i = 0; i < n; i++) {
    quotes |= pieces[i].has_quotes;
    doubts |= pieces[i].has_quoted_line_end || pieces[i].mistake.at;
  }
  if (n == 1 || !quotes || !doubts) return n;
  free_pieces(allocator, pieces, n);
  return read_pieces(plan, whole, pieces, 1);
}

irl_status irl_csv_create(const csv_plan *plan, irl_names *kept, const irl_labels *known,
                          uint8_t *labels, size_t n_rows, irl_data **data) {
  irl_env *env = plan->env;
  const irl_source *source = plan->source;
  irl_data_frame frame = {source->path,
                          kept,
                          n_rows,
                          NULL,
                          {source->target, source->positive, source->negative, false}};
  if (plan->target == plan->n_columns) return irl_data_create_unfilled(env, &frame, data);
  int positive;
  const char *column = irl_names_get(&plan->columns, plan->target);
  const irl_position first = irl_place_find(irl_csv_place(plan, known->text[0]));
  irl_status status = irl_labels_resolve(env, source, known, first, column, &positive);
  if (status) return status;
  for (size_t i = 0; i < n_rows; i++) labels[i] = labels[i] == positive;
  frame.labels = labels;
  frame.called.target = source->no_header ? NULL : column;
  char *texts[2] = {NULL, NULL}; /* of cases and controls, without doubled quotes */
  for (int i = 0; i < (int)known->n && !status; i++) {
    const int class = i != positive;
    size_t length;
    assert(!texts[class]);
    texts[class] = irl_csv_unquote(env, known->text[i], known->length[i], &length);
    if (!texts[class]) status = irl_fail_memory(env);
  }
  if (texts[0]) frame.called.positive = texts[0];
  if (texts[1]) frame.called.negative = texts[1];
  if (!status) status = irl_data_create_unfilled(env, &frame, data);
  irl_mem_free(&env->allocator, texts[0]);
  irl_mem_free(&env->allocator, texts[1]);
  return status;
}

const char *irl_csv_join(const csv_plan *plan, const csv_piece *p, irl_labels *known,
                         uint8_t *labels, const uint64_t **rows) {
  uint8_t number[2] = {0, 0};
  for (size_t k = 0; k < p->known.n; k++) {
    const int found = irl_labels_add(known, p->known.text[k], p->known.length[k]);
    if (found < 0) return p->known.text[k];
    number[k] = (uint8_t)found;
  }
  for (size_t r = 0; r < p->n_rows; r++) {
    labels[r] = plan->target < plan->n_columns ? number[p->labels[r]] : 0;
    rows[r] = p->bits + r * irl_csv_row_words(plan);
  }
  return NULL;
}

/* All pieces' labels by one numbering and all rows one after another, as a data set. */
static irl_status build(const csv_plan *plan, irl_names *kept, const csv_piece *pieces, size_t n,
                        irl_data **out) {
  irl_env *env = plan->env;
  irl_labels known = {.n = 0};
  irl_data *data = NULL;
  size_t n_rows = 0, row = 0;
  for (size_t i = 0; i < n; i++) n_rows += pieces[i].n_rows;
  uint8_t *labels = irl_mem_alloc(&env->allocator, n_rows, 1);
  const uint64_t **rows = irl_mem_alloc(&env->allocator, n_rows, sizeof *rows);
  irl_status status = labels && rows ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status && !n_rows) status = irl_csv_fail(plan, plan->end, "no samples follow the header");
  for (size_t i = 0; i < n && !status; i++) {
    const char *third = irl_csv_join(plan, &pieces[i], &known, labels + row, rows + row);
    if (third) status = irl_csv_fail(plan, third, "this is the third label; two are allowed");
    row += pieces[i].n_rows;
  }
  if (!status) status = irl_csv_create(plan, kept, &known, labels, n_rows, &data);
  if (!status) status = irl_data_init_matrices(env, data);
  if (!status) status = irl_data_fill(env, data, rows, plan->source->threads);
  irl_mem_free(&env->allocator, labels);
  irl_mem_free(&env->allocator, rows);
  return irl_data_deliver(status, data, out);
}

#define PIECE_SIZE ((size_t)4 << 20)
#define MAX_PIECES 4096

size_t irl_csv_n_pieces(const csv_piece *whole) {
  const size_t n = (size_t)(whole->end - whole->start) / PIECE_SIZE + 1;
  return n < MAX_PIECES ? n : MAX_PIECES;
}

/* The file as bits; `*is_typed` instead if it holds more than 0 and 1. */
static irl_status read_bits(csv_plan *plan, const csv_piece *whole, irl_data **data,
                            bool *is_typed) {
  const irl_allocator *allocator = &plan->env->allocator;
  size_t n = irl_csv_n_pieces(whole);
  irl_names kept;
  csv_piece *pieces = irl_mem_alloc(allocator, n, sizeof *pieces);
  if (!pieces) return irl_fail_memory(plan->env);
  irl_names_init(&kept, allocator);
  irl_status status = irl_csv_plan_bits(plan, &kept);
  if (!status) {
    n = read_pieces(plan, whole, pieces, n);
    for (size_t i = 0; i < n; i++) *is_typed |= pieces[i].mistake.at && pieces[i].mistake.is_value;
    for (size_t i = 0; i < n && !*is_typed && !status; i++)
      status = irl_csv_check_piece(plan, &pieces[i]);
    if (!status && !*is_typed) status = build(plan, &kept, pieces, n, data);
    free_pieces(allocator, pieces, n);
  }
  irl_names_free(&kept);
  irl_mem_free(allocator, pieces);
  return status;
}

irl_status irl_csv_find_text(csv_plan *plan, const char *bytes, size_t size, csv_piece *whole) {
  *whole = (csv_piece){.start = bytes, .end = bytes + size};
  if (size >= 3 && !memcmp(whole->start, "\xef\xbb\xbf", 3)) whole->start += 3;
  plan->text = whole->start;
  plan->end = whole->end;
  whole->start = irl_csv_skip_blank_lines(whole->start, whole->end);
  if (whole->start < whole->end) return IRL_STATUS_OK;
  return irl_csv_fail(plan, plan->text, "the file is empty");
}

irl_status irl_csv_read_rows(typed_plan *plan, const csv_piece *rows) {
  bool is_typed = plan->csv.source->is_typed || plan->csv.id;
  irl_status status = IRL_STATUS_OK;
  irl_data *data = NULL;
  if (!is_typed) status = read_bits(&plan->csv, rows, &data, &is_typed);
  if (!status && is_typed) return irl_typed_read(plan, rows);
  if (!status) status = irl_table_from_bits(plan->csv.env, plan->csv.source, data, plan->table);
  plan->table->is_bits = true;
  irl_data_free(data);
  return status;
}

irl_status irl_csv_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_file file;
  csv_piece whole;
  typed_plan plan = {.csv = {.env = env, .source = source}, .table = table};
  irl_status status = irl_file_open(env, source->path, &file);
  if (status) return status;
  irl_names_init(&plan.csv.columns, &env->allocator);
  status = irl_csv_find_text(&plan.csv, file.bytes, file.size, &whole);
  if (!status) status = irl_csv_header(&plan.csv, &whole);
  if (!status) status = irl_csv_read_rows(&plan, &whole);
  irl_typed_free(&plan);
  irl_file_close(&file);
  return status;
}
