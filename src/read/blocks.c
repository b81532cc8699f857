/* A text file in blocks of rows, each a table of its own, the same as if the file were read whole.
 *
 * Of the text a window is in memory; a block is what rows of it are complete. What the rows mean
 * may depend on the whole file: which labels there are and which of them has the cases, whether a
 * later row is wrong. So there are two passes. The first inspects all blocks and keeps
 * facts; they are judged in the order in which a whole reading would (typed_body.c): a row of the
 * wrong shape first, then cells that do not fit their column, then labels. The second reads
 * blocks, the labels of the cases being known.
 *
 * A file that fits into the window is not read twice. A longer pipe cannot be: there the window is
 * looked at first, and every block once more before it is read; labels that are new may not change
 * what others mean.
 *
 * A row ends at a line end unless that is quoted: lines with quotes are walked cell by cell. A
 * quote that is not closed would make the rest of the file one row; a cell may be as long as the
 * window, not longer. */
#include "base/memory.h"
#include "read/block_parts.h"
#include "read/formats.h"

#define WINDOW      ((size_t)16 << 20) /* the usual one */
#define FIRST_BYTES ((size_t)1 << 16)  /* of the window, to begin with */

/* ---- the window ---- */

/* More bytes behind those that are there; what was handed out goes. */
static irl_status read_more(irl_blocks *b) {
  const size_t first = FIRST_BYTES < b->window ? FIRST_BYTES : b->window;
  size_t got;
  assert(!b->is_over && !b->is_held);
  if (b->at) {
    memmove(b->text, b->text + b->at, b->used - b->at);
    b->used -= b->at;
    b->at = 0;
  }
  if (b->used == b->capacity || b->capacity < b->window) {
    const size_t wanted = b->capacity ? 2 * b->capacity : first;
    if (!irl_reading_affords(b->env, (double)wanted))
      return irl_reading_fail(b->env, b->source.path);
    char *grown = irl_mem_grow(&b->allocator, b->text, wanted, 1);
    if (!grown) return irl_fail_memory(b->env);
    b->text = grown;
    b->capacity = wanted;
  }
  const irl_status status =
      irl_input_read(&b->input, b->text + b->used, b->capacity - b->used, &got);
  if (status) return status;
  b->used += got;
  b->is_over = b->used < b->capacity;
  return IRL_STATUS_OK;
}

/* The window from the beginning of the file on. */
static irl_status fill_window(irl_blocks *b) {
  irl_status status = IRL_STATUS_OK;
  b->at = b->used = 0;
  b->is_over = false;
  while (!status && !b->is_over && b->used < b->window) status = read_more(b);
  return status;
}

/* Back to the beginning: the window may have it still. */
static irl_status rewind_to_start(irl_blocks *b, bool is_window_first) {
  irl_status status = IRL_STATUS_OK;
  if (!is_window_first) {
    status = irl_input_rewind(&b->input);
    if (!status) status = fill_window(b);
  }
  b->at = 0;
  b->before = (irl_position){0, 0};
  return status;
}

static void advance(irl_blocks *b, const char *to) {
  const char *at = b->text + b->at;
  for (const char *line; (line = memchr(at, '\n', (size_t)(to - at))); at = line + 1) {
    b->before.line++;
    b->before.column = 0;
  }
  b->before.column += (size_t)(to - at);
  b->at = (size_t)(to - b->text);
}

/* ---- rows ---- */

/* What follows the row at `at`; NULL: it is not known before there are more bytes. */
static const char *find_row_end(const irl_blocks *b, const char *at) {
  const char *end = b->text + b->used, *line_end = memchr(at, '\n', (size_t)(end - at));
  const char *stop = line_end ? line_end + 1 : end;
  csv_piece rest = {.start = at, .end = end};
  csv_cell c;
  if (!line_end && !b->is_over) return NULL;
  if (b->is_libsvm || !memchr(at, '"', (size_t)(stop - at))) return stop;
  do {
    if (!irl_csv_cell(&rest, at, b->header.delimiter, &c)) {
      /* Not closed, or followed by text: whoever reads the row says so. */
      return b->is_over || (size_t)(end - at) >= b->window ? end : NULL;
    }
    at = c.next;
  } while (c.after == b->header.delimiter);
  return c.after || b->is_over ? c.next : NULL;
}

/* Where the next row begins; the end of the window if none does. */
static const char *find_row(const irl_blocks *b, const char *at) {
  const char *end = b->text + b->used;
  if (!b->is_libsvm) return irl_csv_skip_blank_lines(at, end);
  for (const char *p = at;; p++) {
    if (p == end) return end;
    if (*p == '#') p = memchr(p, '\n', (size_t)(end - p));
    if (!p) return end;
    if (*p == '\n')
      at = p + 1;
    else if (*p != ' ' && *p != '\t' && *p != '\r')
      return at;
  }
}

/* Rows that are complete in the window, from `at` on; returns what follows them. */
static const char *find_rows(const irl_blocks *b, uint32_t max_rows, uint32_t *n) {
  const char *end = b->text + b->used, *at = b->text + b->at;
  const char *last = (size_t)(end - at) > b->window ? at + b->window : end;
  for (*n = 0; at < last && (!max_rows || *n < max_rows); ++*n) {
    const char *row = find_row(b, at), *next = row < end ? find_row_end(b, row) : NULL;
    if (row == end && b->is_over) return end;
    if (!next) return at;
    at = next;
  }
  return at;
}

/* The next rows; no bytes at the end. */
static irl_status take_rows(irl_blocks *b, uint32_t max_rows, irl_part *part) {
  uint32_t n;
  const char *end = find_rows(b, max_rows, &n);
  irl_status status = IRL_STATUS_OK;
  /* What is left of the window is less than a block, or not even a row. */
  bool is_little = (!max_rows || n < max_rows) && b->used - b->at < b->window / 2;
  while (!status && (is_little || !n) && !b->is_over && !b->is_held) {
    status = read_more(b);
    end = find_rows(b, max_rows, &n);
    is_little = false;
  }
  *part = (irl_part){b->text + b->at, end, b->before, irl_input_size(&b->input)};
  return status;
}

/* ---- the two passes ---- */

/* The plan for rows of the file. */
static typed_plan plan_rows(const irl_blocks *b, const irl_part *part, irl_table *table) {
  typed_plan plan = {.csv = b->header, .table = table};
  plan.csv.env = b->env;
  plan.csv.source = &b->source;
  plan.csv.text = plan.csv.header = part->text;
  plan.csv.end = part->end;
  plan.csv.before = part->before;
  return plan;
}

static void free_plan(typed_plan *plan) {
  plan->csv.columns = (irl_names){0}; /* they are those of all blocks */
  irl_typed_free(plan);
}

static irl_status collect_labels(irl_blocks *b, const typed_plan *plan) {
  const size_t target = plan->csv.target;
  for (size_t i = 0; i < plan->n_pieces; i++) {
    const irl_names *own = &plan->pieces[i].labels;
    for (size_t k = 0; k < own->n && k < IRL_MOST_LABELS; k++) {
      const char *label = irl_names_get(own, k), *at = plan->pieces[i].label_at[k];
      const size_t length = irl_typed_cell_length(&plan->csv, at, strlen(label));
      if (!irl_facts_add_label(&b->facts, label, at, length, irl_csv_place(&plan->csv, at)))
        return irl_fail_memory(b->env);
    }
  }
  const char *missing = plan->columns[target].look.first_missing;
  if (!missing || *b->facts.unlabelled) return IRL_STATUS_OK;
  csv_piece rest = {.start = missing, .end = plan->csv.end};
  csv_cell c;
  const bool is_quoted = missing > plan->csv.text && missing[-1] == '"';
  const bool is_empty =
      irl_csv_cell(&rest, missing - is_quoted, plan->csv.delimiter, &c) && !c.length;
  irl_csv_fail(&plan->csv, missing, "the label in column '%.200s' is %s",
               irl_names_get(&plan->csv.columns, target), is_empty ? "empty" : "missing");
  snprintf(b->facts.unlabelled, sizeof b->facts.unlabelled, "%s", irl_env_error(b->env));
  return IRL_STATUS_OK;
}

static irl_status inspect_rows(irl_blocks *b, const irl_part *part, irl_table *table) {
  const csv_piece rows = {.start = part->text, .end = part->end};
  typed_plan plan = plan_rows(b, part, table);
  irl_status status = irl_typed_look(&plan, &rows);
  if (!status) {
    b->facts.n_rows += plan.n_rows;
    for (size_t i = 0; i < plan.csv.n_columns; i++)
      b->facts.has_values |= plan.columns[i].role == TYPED_KEEP && plan.columns[i].look.has_value;
    status = irl_typed_infer(&plan);
    if (status == IRL_STATUS_BAD_INPUT) {
      irl_facts_add_misfit(&b->facts, plan.at_column, irl_env_error(b->env));
      status = IRL_STATUS_OK;
    }
  }
  if (!status && plan.csv.target < plan.csv.n_columns) status = collect_labels(b, &plan);
  free_plan(&plan);
  return status;
}

/* Adds what these rows tell to the facts. */
static irl_status inspect_part(irl_blocks *b, const irl_part *part) {
  irl_table *table;
  irl_status status = irl_table_create(b->env, &b->source, &table);
  if (status) return status;
  status = b->is_libsvm ? irl_libsvm_read_part(b->env, &b->asked, part, &b->facts, table)
                        : inspect_rows(b, part, table);
  irl_table_free(table);
  return status;
}

/* The rows as a table of its own. */
static irl_status read_part(irl_blocks *b, const irl_part *part, irl_table *table) {
  if (b->is_libsvm) return irl_libsvm_read_part(b->env, &b->source, part, NULL, table);
  const csv_piece rows = {.start = part->text, .end = part->end};
  typed_plan plan = plan_rows(b, part, table);
  const irl_status status = irl_typed_read(&plan, &rows);
  free_plan(&plan);
  return status;
}

/* ---- opening ---- */

/* The header of a CSV file, all of which must be in the window. */
static irl_status read_header(irl_blocks *b) {
  csv_piece whole;
  csv_plan *plan = &b->header;
  irl_status status = IRL_STATUS_OK;
  irl_names_free(&plan->columns);
  *plan = (csv_plan){.env = b->env, .source = &b->source};
  irl_names_init(&plan->columns, &b->allocator);
  for (;;) {
    status = irl_csv_find_text(plan, b->text, b->used, &whole);
    if (b->is_over || b->is_held ||
        (!status && irl_csv_has_header(whole.start, whole.end, b->source.delimiter)))
      break;
    status = read_more(b);
    if (status) return status;
  }
  if (!status) status = irl_csv_header(plan, &whole);
  if (status) return status;
  b->body = (size_t)(whole.start - b->text);
  irl_text_place(plan->text, (size_t)(whole.start - plan->text), &b->body_spot.line,
                 &b->body_spot.column);
  b->body_spot.line--;
  b->body_spot.column--;
  /* Can the columns be features? Each block asks again, where the header is gone. */
  for (size_t i = 0; i < plan->n_columns && !status; i++) {
    const char *name = irl_names_get(&plan->columns, i);
    if (irl_names_find(b->source.only, name, strlen(name)) != IRL_NO_NAME && i != plan->target)
      status = irl_csv_check_name(plan, i);
  }
  return status;
}

static irl_status go_to_body(irl_blocks *b, bool is_window_first) {
  irl_status status = rewind_to_start(b, is_window_first);
  while (!status && b->used < b->body && !b->is_over) status = read_more(b);
  if (!status && b->used < b->body) /* of a compressed file that was read before */
    status = irl_fail(b->env, IRL_STATUS_BAD_INPUT, "%s: the file changed while it was read",
                      b->asked.path);
  b->at = b->body;
  b->before = b->body_spot;
  return status;
}

/* The header and the first pass, from the beginning of the file. */
static irl_status first_pass(irl_blocks *b) {
  irl_part part = {0};
  irl_status status = b->is_libsvm ? IRL_STATUS_OK : read_header(b);
  irl_facts_reset(&b->facts, &b->allocator);
  b->source = b->asked;
  b->n_resolved = 0;
  b->at = b->body;
  b->before = b->body_spot;
  b->is_held = !b->is_over && !b->input.is_regular;
  while (!status) {
    status = take_rows(b, 0, &part);
    if (status || part.text == part.end) break;
    status = inspect_part(b, &part);
    if (!status) advance(b, part.end);
    if (!status && !irl_reading_affords(b->env, 0))
      status = irl_reading_fail(b->env, b->asked.path);
  }
  return status ? status : irl_blocks_judge(b);
}

irl_status irl_blocks_open(irl_env *env, const irl_source *source, bool may_drop,
                           irl_blocks **out) {
  char why[IRL_ERROR_SIZE];
  irl_blocks *b = irl_mem_alloc(&env->allocator, 1, sizeof *b);
  if (!b) return irl_fail_memory(env);
  assert(source->only);
  b->env = env;
  b->allocator = env->allocator;
  b->asked = b->source = *source;
  b->window = source->window ? source->window : WINDOW;
  b->is_libsvm = irl_source_input(source->path) == IRL_FROM_LIBSVM;
  irl_status status = irl_input_open(env, source->path, &b->input);
  if (!status) status = fill_window(b);
  const irl_file first = {.bytes = b->text, .size = b->used};
  if (!status) status = irl_foreign_check(env, b->input.place, &first);
  const bool is_whole = b->is_over, is_pipe = !is_whole && !b->input.is_regular;
  const bool is_open = !status;
  if (is_open) status = first_pass(b);
  if (is_open && status == IRL_STATUS_BAD_INPUT && may_drop) {
    /* Prediction needs no labels: if they are what cannot be read, it does without. */
    snprintf(why, sizeof why, "%s", irl_env_error(env));
    b->asked.no_labels = b->source.no_labels = true;
    status = rewind_to_start(b, is_whole || is_pipe);
    if (!status) status = first_pass(b);
    if (!status) irl_log(env, IRL_LOG_NOTE, "the labels are not used: %s", why);
  }
  if (!status && b->is_libsvm) status = irl_source_check_target(env, source, "y");
  if (!status) status = go_to_body(b, is_whole || is_pipe);
  b->is_held = false;
  b->is_known = !is_pipe;
  if (status)
    irl_blocks_free(b);
  else
    *out = b;
  return status;
}

void irl_blocks_free(irl_blocks *b) {
  if (!b) return;
  const irl_allocator allocator = b->allocator;
  irl_input_close(&b->input);
  irl_names_free(&b->header.columns);
  irl_names_free(&b->facts.labels);
  irl_names_free(&b->facts.raw);
  irl_mem_free(&allocator, b->rest);
  irl_mem_free(&allocator, b->text);
  irl_mem_free(&allocator, b);
}

/* ---- handing out ---- */

/* What the others are called where one label stands against them, in the whole file. */
static irl_status name_rest(const irl_blocks *b, irl_table *table) {
  if (!b->rest || b->asked.no_labels) return IRL_STATUS_OK;
  char *copy = irl_mem_copy_text(&b->allocator, b->rest, strlen(b->rest));
  if (!copy) return irl_fail_memory(b->env);
  irl_mem_free(&b->allocator, table->negative);
  table->negative = copy;
  table->is_rest = b->is_rest;
  return IRL_STATUS_OK;
}

irl_status irl_blocks_next(irl_env *env, irl_blocks *b, uint32_t max_rows, irl_table **out) {
  irl_part part;
  irl_table *table = NULL;
  b->env = b->input.env = env;
  irl_status status = take_rows(b, max_rows, &part);
  const bool is_end = part.text == part.end || find_row(b, part.text) >= part.end;
  if (!status && is_end) {
    *out = NULL;
    return IRL_STATUS_OK;
  }
  if (!status && !b->is_known) status = inspect_part(b, &part);
  if (!status && !b->is_known) status = irl_blocks_judge(b);
  if (!status) status = irl_table_create(env, &b->source, &table);
  if (!status) status = read_part(b, &part, table);
  if (!status) status = name_rest(b, table);
  if (!status && !irl_reading_affords(env, 0)) status = irl_reading_fail(env, b->asked.path);
  if (!status) advance(b, part.end);
  assert(status || irl_table_check(table));
  if (status)
    irl_table_free(table);
  else
    *out = table;
  return status;
}
