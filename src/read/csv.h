/* CSV inside: the plan, cells and pieces that the csv_*.c files share. */
#ifndef IRL_READ_CSV_H
#define IRL_READ_CSV_H

#include "base/limit.h"
#include "data/source.h"

enum csv_kind { CSV_KEEP, CSV_SKIP, CSV_LABEL };

typedef struct csv_step {
  enum csv_kind kind;
  size_t n; /* columns in the run */
} csv_step;

typedef struct csv_plan {
  irl_env *env;
  const irl_source *source;
  char delimiter;
  size_t n_columns, n_kept, n_steps, steps_capacity;
  csv_step *steps;
  irl_names columns;      /* all columns of the file */
  size_t target;          /* its number, or n_columns if there is none */
  size_t id;              /* the column that identifies samples, plus 1; 0: none */
  const char *text, *end; /* the whole file, or a part of it, for places in messages */
  irl_position before;    /* what is before that part */
  const char *header;     /* its first line */
  bool has_row_names;     /* the first column has no name */
  bool has_decimal_commas;
} csv_plan;

typedef struct csv_cell {
  const char *text;
  size_t length;
  char after; /* the delimiter, '\n', or '\0' at the end of the file */
  const char *next;
} csv_cell;

/* The first error of a piece; `at` NULL: none. */
typedef struct csv_mistake {
  const char *at;
  char text[400];
} csv_mistake;

typedef struct csv_piece {
  const char *start, *end;
  uint64_t *bits;
  uint8_t *labels;
  size_t n_rows, rows_capacity, labels_capacity;
  irl_labels known;
  bool has_quotes, has_quoted_line_end, out_of_memory, is_cut;
  bool is_other; /* a row is not one of bits and of at most two labels */
  csv_mistake mistake;
} csv_piece;

/* Words of a row of bits. */
static inline size_t irl_csv_row_words(const csv_plan *plan) {
  return (plan->n_kept + 63) / 64;
}

/* The first line from `at` on that is more than blanks, or the end. */
static inline const char *irl_csv_skip_blank_lines(const char *at, const char *end) {
  for (const char *p = at;; p++) {
    if (p == end) return end;
    if (*p == '\n')
      at = p + 1;
    else if (*p != ' ' && *p != '\r')
      return at;
  }
}

/* Is the reading of this piece to be given up? Asked for every row; `next` is where to look at the
 * limits again, first NULL. */
static inline bool irl_csv_is_cut(const csv_plan *plan, csv_piece *p, const char *at,
                                  const char **next) {
  const bool is_due = *next && at >= *next;
  if (!*next || is_due)
    *next = p->end - at > (ptrdiff_t)IRL_READING_STEP ? at + IRL_READING_STEP : p->end;
  return is_due && (p->is_cut = irl_reading_limit_reached(plan->env));
}

/* What follows the cell at `at`, if that is plainly a cell before another one: no quote, no blank
 * at its beginning. NULL: whoever reads cells has to look. */
static inline const char *irl_csv_skip_cell(const csv_piece *p, const char *at, char delimiter) {
  if (at == p->end || *at == '"' || *at == ' ') return NULL;
  while (at < p->end && *at != delimiter && *at != '\n') at++;
  return at < p->end && *at == delimiter ? at + 1 : NULL;
}

/* The cell at `at`, blanks around it trimmed. False: a quote that does not end properly. */
bool irl_csv_cell(csv_piece *p, const char *at, char delimiter, csv_cell *found);
/* A number that fills the text; with decimal commas it has no point. */
bool irl_csv_number(bool has_decimal_commas, const char *text, size_t length, double *value);
/* A cell's text without its doubled quotes, NUL terminated; NULL: out of memory. */
char *irl_csv_unquote(irl_env *env, const char *text, size_t length, size_t *unquoted_length);
/* Does a label say that there is none? */
bool irl_typed_is_usual_na(const char *text, size_t length);
static inline irl_place irl_csv_place(const csv_plan *plan, const char *at) {
  return (irl_place){plan->source->path, plan->text, at, plan->before};
}
/* Fails with the place of a byte of the file. */
#define irl_csv_fail(plan, where, ...)                                                             \
  irl_source_fail((plan)->env, irl_csv_place(plan, where), __VA_ARGS__)
/* Notes what is wrong with a piece; always false. */
bool irl_csv_mistake(csv_piece *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Is a cell of the last column the last one of its row, and no other? If not, it is a mistake. */
bool irl_csv_check_end(const csv_plan *plan, csv_piece *p, const csv_cell *c, size_t column);
/* Fails if the piece has a mistake, or was given up. */
irl_status irl_csv_check_piece(const csv_plan *plan, const csv_piece *p);

/* The text after the byte order mark and blank lines; fails if there is none. */
irl_status irl_csv_find_text(csv_plan *plan, const char *bytes, size_t size, csv_piece *whole);
/* Are the two lines that the header depends on there before `end`, wherever cells may end? */
bool irl_csv_has_header(const char *text, const char *end, char delimiter);
/* Reads the header off `whole` and finds the label column. */
irl_status irl_csv_header(csv_plan *plan, csv_piece *whole);
/* The column of the labels, once all columns are named. */
irl_status irl_csv_find_target(csv_plan *plan);
/* Fails if a column of that name cannot be a feature. */
irl_status irl_csv_check_name(const csv_plan *plan, size_t column);
/* What the next column is in a body of bits. */
irl_status irl_csv_add_step(csv_plan *plan, enum csv_kind kind);
/* Reads the rows of bits of one piece, after those that it has, up to one that is something else.
 */
void irl_csv_body(const csv_plan *plan, csv_piece *p);
#endif
