/* The two walks over the body of a typed file (typed.h), piece by piece in parallel. Texts of
 * categories get numbers in their piece first; the pieces' numberings are then joined in the order
 * of the file, so that the result does not depend on threads. */
#include "base/memory.h"
#include "base/number.h"
#include "base/threads.h"
#include "ireland_data.h"
#include "read/typed.h"
#include <math.h>

#define MOST_LABELS 100000u /* of a piece that are told apart */

typedef struct walk walk;
/* One cell of a column that is not skipped; false: the piece has a mistake now. */
typedef bool visitor(const walk *w, size_t column, const csv_cell *cell);

struct walk {
  const typed_plan *plan;
  typed_piece *piece;
  visitor *visit;
};

static void walk_piece(const walk *w) {
  const csv_plan *csv = &w->plan->csv;
  csv_piece *p = &w->piece->csv;
  const char *at = p->start, *next = NULL;
  p->n_rows = 0;
  while ((at = irl_csv_skip_blank_lines(at, p->end)) < p->end) {
    if (w->plan->is_arff && *at == '%') { /* a comment */
      const char *line_end = memchr(at, '\n', (size_t)(p->end - at));
      at = line_end ? line_end + 1 : p->end;
      continue;
    }
    if (irl_csv_is_cut(csv, p, at, &next)) return;
    csv_cell c;
    for (size_t i = 0; i < csv->n_columns; i++, at = c.next) {
      while (w->plan->columns[i].role == TYPED_SKIP && !w->plan->is_arff &&
             i + 1 < csv->n_columns && (c.next = irl_csv_skip_cell(p, at, csv->delimiter)))
        at = c.next, i++;
      const bool is_whole = w->plan->is_arff ? irl_arff_cell(p, at, csv->delimiter, &c)
                                             : irl_csv_cell(p, at, csv->delimiter, &c);
      if (!is_whole) irl_csv_mistake(p, at, "a quote is not closed, or text follows it");
      if (!is_whole || (w->plan->columns[i].role != TYPED_SKIP && !w->visit(w, i, &c)) ||
          !irl_csv_check_end(csv, p, &c, i))
        return;
    }
    p->n_rows++;
  }
}

/* ---- looking ---- */

/* 1,234 or 12,345,678.9 or 2,5: would it be a number without its commas? */
static bool has_commas(const char *text, size_t length) {
  char digits[32];
  size_t n = 0;
  double value;
  if (length >= sizeof digits || !memchr(text, ',', length)) return false;
  for (size_t i = 0; i < length; i++)
    if (text[i] != ',') digits[n++] = text[i];
  return irl_number_parse(digits, n, &value);
}

static bool look_at(const walk *w, size_t column, const csv_cell *c) {
  typed_look *look = &w->piece->looks[column];
  const typed_na *na = irl_typed_na_of(w->plan, column);
  double value;
  if (memchr(c->text, '\0', c->length))
    return irl_csv_mistake(&w->piece->csv, c->text, "a NUL byte; this is not a text file");
  look->has_value |= c->length != 1 || (*c->text != '0' && *c->text != '1');
  if (irl_typed_is_missing(na, c->text, c->length)) {
    if (!look->n_missing++) look->first_missing = c->text;
  } else if (w->plan->columns[column].role == TYPED_LABEL) {
    look->n_texts++;
  } else if (!irl_csv_number(w->plan->csv.has_decimal_commas, c->text, c->length, &value)) {
    if (!look->n_texts++) look->first_text = c->text;
    look->n_commas += has_commas(c->text, c->length);
  } else if (isnan(value)) {
    if (!look->n_missing++) look->first_missing = c->text;
  } else {
    look->n_numbers++;
    look->has_zeros |= c->length > 1 && *c->text == '0' && !memchr(c->text, '.', c->length) &&
                       !memchr(c->text, ',', c->length) && value > 0;
    if (value == 0 || value == 1) return true;
    if (!look->has_other) look->first_other = c->text;
    look->has_other = true;
    if (value != 2 && !look->has_more) look->first_more = c->text;
    look->has_more |= value != 2;
  }
  return true;
}

static void add_look(typed_look *sum, const typed_look *part) {
  if (!sum->first_missing) sum->first_missing = part->first_missing;
  if (!sum->first_text) sum->first_text = part->first_text;
  if (!sum->first_other) sum->first_other = part->first_other;
  if (!sum->first_more) sum->first_more = part->first_more;
  sum->n_missing += part->n_missing;
  sum->n_numbers += part->n_numbers;
  sum->n_texts += part->n_texts;
  sum->n_commas += part->n_commas;
  sum->has_other |= part->has_other;
  sum->has_value |= part->has_value;
  sum->has_more |= part->has_more;
  sum->has_zeros |= part->has_zeros;
}

/* ---- taking ---- */

/* The number of a text among `values`; false: out of memory. */
static bool intern(const typed_plan *plan, irl_names *values, const char *text, size_t length,
                   uint32_t *number) {
  irl_env *env = plan->csv.env;
  if (!memchr(text, '"', length) && !memchr(text, '\\', length))
    return irl_names_intern(values, text, length, number);
  size_t n;
  char *unquoted = plan->is_arff ? irl_arff_unquote(env, text, length, &n)
                                 : irl_csv_unquote(env, text, length, &n);
  const bool done = unquoted && irl_names_intern(values, unquoted, n, number);
  irl_mem_free(&env->allocator, unquoted);
  return done;
}

bool irl_typed_add_label(const typed_plan *plan, typed_piece *piece, const char *text,
                         size_t length, uint32_t *number) {
  const size_t before = piece->labels.n;
  const bool done = intern(plan, &piece->labels, text, length, number);
  if (done && piece->labels.n > before && before < 3) piece->label_at[before] = text;
  piece->csv.out_of_memory |= !done;
  return done;
}

static bool take_category(const walk *w, size_t column, const csv_cell *c, uint32_t *code) {
  const bool done = intern(w->plan, &w->piece->values[column], c->text, c->length, code);
  w->piece->csv.out_of_memory |= !done;
  return done;
}

static bool take(const walk *w, size_t column, const csv_cell *c) {
  const typed_plan *plan = w->plan;
  const typed_column *from = &plan->columns[column];
  const size_t row = w->piece->first_row + w->piece->csv.n_rows;
  const bool is_missing = irl_typed_is_missing(irl_typed_na_of(plan, column), c->text, c->length);
  double value = NAN;
  assert(row < plan->n_rows);
  if (from->role == TYPED_LABEL) {
    if (!is_missing)
      return irl_typed_add_label(plan, w->piece, c->text, c->length, &plan->labels[row]);
    /* Who learns does without samples that have no label; who applies a rule is told. */
    plan->labels[row] = IRL_NO_VALUE;
    return !plan->csv.source->only ||
           irl_csv_mistake(&w->piece->csv, c->text, "the label in column '%.200s' is %s",
                           irl_names_get(&plan->csv.columns, column),
                           c->length ? "missing" : "empty");
  }
  if (from->role == TYPED_WEIGHT) {
    if (is_missing || !irl_csv_number(plan->csv.has_decimal_commas, c->text, c->length, &value) ||
        !isfinite(value))
      return irl_csv_mistake(&w->piece->csv, c->text, "this weight is not a number");
    if (value < 0) return irl_csv_mistake(&w->piece->csv, c->text, "this weight is negative");
    plan->table->weights[row] = value;
    return true;
  }
  irl_column *into = irl_typed_into(plan, from);
  if (into->type == IRL_COLUMN_IGNORED) return true;
  if (into->type == IRL_COLUMN_CATEGORY) {
    into->codes[row] = IRL_NO_VALUE;
    return is_missing ||
           (from->forced == IRL_NOT_FORCED && w->piece->values[column].n > IRL_MOST_CATEGORIES) ||
           take_category(w, column, c, &into->codes[row]);
  }
  if (!is_missing) irl_csv_number(plan->csv.has_decimal_commas, c->text, c->length, &value);
  irl_column_set_number(into, row, value);
  return true;
}

/* ---- both ---- */

static irl_status walk_all(typed_plan *plan, visitor *visit) {
#pragma omp parallel for num_threads(irl_threads_here(plan->csv.source->threads)) schedule(dynamic)
  for (size_t i = 0; i < plan->n_pieces; i++) {
    const walk w = {plan, &plan->pieces[i], visit};
    walk_piece(&w);
  }
  for (size_t i = 0; i < plan->n_pieces; i++) {
    const irl_status status = irl_csv_check_piece(&plan->csv, &plan->pieces[i].csv);
    if (status) return status;
  }
  return IRL_STATUS_OK;
}

static void free_pieces(typed_plan *plan) {
  const irl_allocator *allocator = &plan->csv.env->allocator;
  for (size_t i = 0; i < plan->n_pieces; i++) {
    for (size_t j = 0; plan->pieces[i].values && j < plan->csv.n_columns; j++)
      irl_names_free(&plan->pieces[i].values[j]);
    irl_names_free(&plan->pieces[i].labels);
    irl_mem_free(allocator, plan->pieces[i].looks);
    irl_mem_free(allocator, plan->pieces[i].values);
    irl_mem_free(allocator, plan->pieces[i].csv.bits);
    irl_mem_free(allocator, plan->pieces[i].csv.labels);
  }
  irl_mem_free(allocator, plan->pieces);
  plan->pieces = NULL;
  plan->n_pieces = 0;
}

/* Looks at a cell, and keeps what labels there are. */
static bool look_for_labels(const walk *w, size_t column, const csv_cell *c) {
  uint32_t code;
  if (!look_at(w, column, c)) return false;
  return w->plan->columns[column].role != TYPED_LABEL ||
         irl_typed_is_missing(irl_typed_na_of(w->plan, column), c->text, c->length) ||
         w->piece->labels.n > MOST_LABELS ||
         irl_typed_add_label(w->plan, w->piece, c->text, c->length, &code);
}

/* ---- pieces ---- */

static size_t cut(const csv_piece *whole, csv_piece *pieces, size_t n_wanted) {
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

#define PIECE_SIZE ((size_t)4 << 20)
#define MAX_PIECES 4096

static size_t count_pieces(const csv_piece *whole) {
  const size_t n = (size_t)(whole->end - whole->start) / PIECE_SIZE + 1;
  return n < MAX_PIECES ? n : MAX_PIECES;
}

static irl_status make_pieces(typed_plan *plan, const csv_piece *whole, size_t n_wanted) {
  irl_env *env = plan->csv.env;
  csv_piece *cuts = irl_mem_alloc(&env->allocator, n_wanted, sizeof *cuts);
  plan->pieces = irl_mem_alloc(&env->allocator, n_wanted, sizeof *plan->pieces);
  const irl_status status = cuts && plan->pieces ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status) plan->n_pieces = cut(whole, cuts, n_wanted);
  for (size_t i = 0; i < plan->n_pieces; i++) {
    plan->pieces[i].csv = cuts[i];
    irl_names_init(&plan->pieces[i].labels, &env->allocator);
  }
  irl_mem_free(&env->allocator, cuts);
  return status;
}

/* Looks at all cells; again as one piece if a quoted cell may have been cut. */
static irl_status scan_cells(typed_plan *plan, const csv_piece *whole, visitor *visit) {
  irl_env *env = plan->csv.env;
  const size_t n_columns = plan->csv.n_columns;
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < plan->n_pieces && !status; i++) {
    typed_piece *piece = &plan->pieces[i];
    piece->looks = irl_mem_alloc(&env->allocator, n_columns, sizeof *piece->looks);
    piece->values = irl_mem_alloc(&env->allocator, n_columns, sizeof *piece->values);
    for (size_t j = 0; piece->values && j < n_columns; j++)
      irl_names_init(&piece->values[j], &env->allocator);
    if (!piece->looks || !piece->values) status = irl_fail_memory(env);
  }
  if (status) return status;
  status = walk_all(plan, visit);
  bool has_quotes = false, has_doubts = status != IRL_STATUS_OK;
  for (size_t i = 0; i < plan->n_pieces; i++) {
    has_quotes |= plan->pieces[i].csv.has_quotes;
    has_doubts |= plan->pieces[i].csv.has_quoted_line_end;
  }
  if (plan->n_pieces == 1 || !has_quotes || !has_doubts) return status;
  free_pieces(plan);
  status = make_pieces(plan, whole, 1);
  return status ? status : scan_cells(plan, whole, visit);
}

double irl_typed_bytes(const typed_plan *plan) {
  double bytes = 0; /* of a row */
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    const typed_column *c = &plan->columns[i];
    bytes += c->role == TYPED_SKIP                                      ? 0
             : c->role == TYPED_KEEP && irl_type_is_packed(c->type)     ? 0.25
             : c->role == TYPED_LABEL || c->type == IRL_COLUMN_CATEGORY ? 4
                                                                        : 8;
  }
  return bytes * (double)plan->n_rows;
}

irl_status irl_typed_make_room(typed_plan *plan) {
  irl_table *table = plan->table;
  const irl_allocator *allocator = &table->allocator;
  bool done = true;
  if (!irl_reading_affords(plan->csv.env, irl_typed_bytes(plan)))
    return irl_reading_fail(plan->csv.env, plan->csv.source->path);
  for (size_t i = 0; i < plan->csv.n_columns && done; i++) {
    const typed_column *from = &plan->columns[i];
    if (from->role == TYPED_LABEL) {
      plan->labels = irl_mem_alloc(allocator, plan->n_rows, sizeof *plan->labels);
      done = plan->labels != NULL;
    } else if (from->role == TYPED_WEIGHT) {
      table->weights = irl_mem_alloc(allocator, plan->n_rows, sizeof *table->weights);
      done = table->weights != NULL;
    } else if (from->role == TYPED_KEEP || from->role == TYPED_ID) {
      irl_column *into = irl_typed_into(plan, from);
      into->n_missing = from->look.n_missing;
      done = from->type == IRL_COLUMN_BINARY && !into->n_missing
                 ? irl_column_init_bits(into, allocator, plan->n_rows)
                 : irl_column_init(into, allocator, from->type, plan->n_rows);
    }
  }
  return done ? IRL_STATUS_OK : irl_fail_memory(plan->csv.env);
}

/* One numbering of the texts of a column over all pieces, or of more than a category has. */
static bool join_column(const typed_plan *plan, size_t column, irl_names *values, uint32_t *codes) {
  const typed_column *from = &plan->columns[column];
  const bool is_free = from->role == TYPED_LABEL || from->forced != IRL_NOT_FORCED;
  irl_names_init(values, &plan->csv.env->allocator);
  if (!irl_names_index(values, NULL)) return false; /* it may stay empty, and be asked */
  for (size_t i = 0; i < plan->n_pieces && (is_free || values->n <= IRL_MOST_CATEGORIES); i++) {
    const typed_piece *piece = &plan->pieces[i];
    const irl_names *own = from->role == TYPED_LABEL ? &piece->labels : &piece->values[column];
    uint32_t *number = irl_mem_alloc(&plan->csv.env->allocator, own->n, sizeof *number);
    bool done = number != NULL;
    for (size_t v = 0; done && v < own->n; v++) {
      const char *text = irl_names_get(own, v);
      done = irl_names_intern(values, text, strlen(text), &number[v]);
    }
    for (size_t r = 0; done && r < piece->csv.n_rows; r++) {
      uint32_t *code = &codes[piece->first_row + r];
      assert(*code == IRL_NO_VALUE || *code < own->n);
      if (*code != IRL_NO_VALUE) *code = number[*code];
    }
    irl_mem_free(&plan->csv.env->allocator, number);
    if (!done) return false;
  }
  return true;
}

/* A first line with numbers may be no header. */
static void doubt_header(const typed_plan *plan) {
  const irl_source *source = plan->csv.source;
  double value;
  if (plan->is_arff || source->no_header || source->only) return;
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    const char *name = irl_names_get(&plan->csv.columns, i);
    if (!irl_number_parse(name, strlen(name), &value)) continue;
    irl_log(plan->csv.env, IRL_LOG_WARNING,
            "%s: '%s' in the first line is taken for a name; --no-header if it is data",
            source->path, name);
    return;
  }
}

/* What the cells of all columns are like. */
static irl_status look(typed_plan *plan, const csv_piece *whole, visitor *visit) {
  irl_status status = make_pieces(plan, whole, count_pieces(whole));
  if (!status) status = irl_typed_find_bits(plan);
  if (!status && !plan->is_bits) {
    doubt_header(plan);
    status = scan_cells(plan, whole, visit);
  }
  for (size_t i = 0; i < plan->n_pieces && !status; i++) {
    typed_piece *piece = &plan->pieces[i];
    piece->first_row = plan->n_rows;
    plan->n_rows += piece->csv.n_rows;
    for (size_t j = 0; j < plan->csv.n_columns; j++) {
      if (plan->is_bits)
        plan->columns[j].look.n_numbers += piece->csv.n_rows;
      else
        add_look(&plan->columns[j].look, &piece->looks[j]);
    }
  }
  return status;
}

irl_status irl_typed_look(typed_plan *plan, const csv_piece *rows) {
  irl_status status = irl_typed_roles(plan);
  if (!status) status = irl_typed_na(plan);
  return status ? status : look(plan, rows, look_for_labels);
}

static irl_status read_body(typed_plan *plan, const csv_piece *whole) {
  irl_status status = look(plan, whole, look_at);
  if (!status && !plan->is_bits && plan->csv.has_decimal_commas && !plan->csv.source->decimal &&
      !plan->csv.source->only)
    irl_log(plan->csv.env, IRL_LOG_NOTE,
            "%s: numbers are read with a decimal comma; --decimal point makes it part of a text",
            plan->csv.source->path);
  if (status) return status;
  if (!plan->n_rows) return irl_csv_fail(&plan->csv, plan->csv.end, "no samples follow the header");
  if (plan->n_rows > UINT32_MAX - 512)
    return irl_csv_fail(&plan->csv, plan->csv.header, "more than 4294966783 samples");
  plan->table->n_samples = (uint32_t)plan->n_rows;
  status = irl_typed_infer(plan);
  if (!status) status = irl_typed_make_room(plan);
  if (!status) status = plan->is_bits ? irl_typed_take_bits(plan) : walk_all(plan, take);
  if (status) return status;
  bool done = true, is_cut = false;
#pragma omp parallel for num_threads(irl_threads_here(plan->csv.source->threads)) schedule(dynamic) reduction(&& : done) reduction(|| : is_cut)
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    const typed_column *from = &plan->columns[i];
    if (from->role == TYPED_LABEL)
      done = join_column(plan, i, &plan->label_values, plan->labels) && done;
    if ((from->role != TYPED_KEEP && from->role != TYPED_ID) || from->type != IRL_COLUMN_CATEGORY)
      continue;
    is_cut = is_cut || irl_reading_limit_reached(plan->csv.env);
    irl_column *into = irl_typed_into(plan, from);
    done = (is_cut || join_column(plan, i, into->values, into->codes)) && done;
  }
  if (is_cut) return irl_reading_fail(plan->csv.env, plan->csv.source->path);
  return done ? IRL_STATUS_OK : irl_fail_memory(plan->csv.env);
}

irl_status irl_typed_read(typed_plan *plan, const csv_piece *whole) {
  irl_status status = irl_typed_roles(plan);
  if (!status) status = irl_typed_na(plan);
  if (!status) status = read_body(plan, whole);
  plan->table->is_bits = plan->is_bits && !plan->csv.source->is_typed;
  return status ? status : irl_typed_finish(plan);
}

void irl_typed_free(typed_plan *plan) {
  const irl_allocator *allocator = &plan->csv.env->allocator;
  free_pieces(plan);
  irl_typed_na_free(plan);
  irl_names_free(&plan->label_values);
  irl_names_free(&plan->csv.columns);
  irl_mem_free(allocator, plan->labels);
  irl_mem_free(allocator, plan->columns);
  irl_mem_free(allocator, plan->csv.steps);
}
