/* Typed reading inside: what typed_*.c and arff.c share.
 *
 * Two walks over the text. The first looks at every cell: is it missing, a number, a text? That
 * gives each column its type. The second takes the values straight to their places in the table.
 * Both go over pieces of the file in parallel, as the reader of bits does (csv_read.c). */
#ifndef IRL_READ_TYPED_H
#define IRL_READ_TYPED_H

#include "ireland_data.h"
#include "read/csv.h"
#include "table/raw_table.h"

#define IRL_NOT_FORCED (-1)
/* Values of a category; a column of more is taken for identifiers, unless its type is given. */
#define IRL_MOST_CATEGORIES 1000u

enum typed_role { TYPED_SKIP, TYPED_KEEP, TYPED_LABEL, TYPED_WEIGHT, TYPED_ID };

/* What the cells of a column are like. */
typedef struct typed_look {
  size_t n_missing, n_numbers, n_texts;
  size_t n_commas; /* texts that would be numbers without their commas */
  bool has_other;  /* a number other than 0 and 1, */
  bool has_more;   /* and other than 2 */
  bool has_value;  /* any that is not written as 0 or 1 */
  bool has_zeros;  /* a whole number with zeros before it, as codes have */
  const char *first_missing, *first_text, *first_other, *first_more;
} typed_look;

/* Texts that mean a missing value. */
typedef struct typed_na {
  irl_names texts; /* indexed */
  bool starts[256];
  bool has_empty;
} typed_na;

/* A column of the file. */
typedef struct typed_column {
  enum typed_role role;
  typed_na *na;  /* its own missing values; NULL: the usual ones */
  int forced;    /* an irl_column_type, or IRL_NOT_FORCED */
  uint32_t into; /* its number in the table */
  irl_column_type type;
  typed_look look;
} typed_column;

typedef struct typed_piece {
  csv_piece csv;
  size_t first_row;
  typed_look *looks;       /* per column of the file */
  irl_names *values;       /* texts of categories in this piece, the same */
  irl_names labels;        /* texts of labels */
  const char *label_at[3]; /* the first cells with the first three labels */
} typed_piece;

typedef struct typed_plan typed_plan;
struct typed_plan {
  csv_plan csv;
  bool is_arff;
  bool has_types; /* the file says what its columns are */
  typed_column *columns;
  typed_na na, label_na; /* of columns that have none of their own, and of the labels */
  typed_piece *pieces;
  bool is_bits; /* all that is kept is 0 or 1, and in the pieces as rows of bits */
  size_t n_pieces, n_rows;
  irl_table *table;
  uint32_t *labels; /* numbers in label_values, per row */
  irl_names label_values;
  size_t at_column; /* whose type was looked for last */
};

/* Missing values from the option, or the usual ones: TEXT for all columns but the labels, COL=TEXT
 * for one. */
irl_status irl_typed_na(typed_plan *plan);
void irl_typed_na_free(typed_plan *plan);
irl_status irl_typed_usual_na(irl_env *env, typed_na *na);
static inline const typed_na *irl_typed_na_of(const typed_plan *plan, size_t column) {
  const typed_column *c = &plan->columns[column];
  return c->na ? c->na : c->role == TYPED_LABEL ? &plan->label_na : &plan->na;
}
/* Where the cells of a column go that is kept. */
static inline irl_column *irl_typed_into(const typed_plan *plan, const typed_column *from) {
  return from->role == TYPED_ID ? &plan->table->ids : &plan->table->columns[from->into];
}
bool irl_typed_is_missing(const typed_na *na, const char *text, size_t length);

/* Roles and forced types of the columns, from options or from the rule that wants them. */
irl_status irl_typed_roles(typed_plan *plan);
/* The bytes of a cell's text with its doubled quotes, of which `length` would be left without. */
size_t irl_typed_cell_length(const csv_plan *plan, const char *text, size_t length);
/* The first walk alone, which then finds labels too, as pieces[].labels and label_at. */
irl_status irl_typed_look(typed_plan *plan, const csv_piece *rows);
/* Types from what the cells are like. */
irl_status irl_typed_infer(typed_plan *plan);
/* What the cells of the columns take that are kept, and room for them, once types are known. */
double irl_typed_bytes(const typed_plan *plan);
irl_status irl_typed_make_room(typed_plan *plan);
/* Labels, weights, missing values: what is decided once all values are there. */
irl_status irl_typed_finish(typed_plan *plan);
/* Weights and missing values alone, of a table that has its labels. */
irl_status irl_typed_check(typed_plan *plan);
/* Takes the pieces for rows of bits; plan->is_bits: they are. */
irl_status irl_typed_find_bits(typed_plan *plan);
/* Brings these bits to their columns, and the labels. */
irl_status irl_typed_take_bits(typed_plan *plan);
/* The number of a label among those of the piece; false: out of memory. */
bool irl_typed_add_label(const typed_plan *plan, typed_piece *piece, const char *text,
                         size_t length, uint32_t *number);
/* Reads a file whose header is in the plan; `whole` is what follows it. */
irl_status irl_typed_read(typed_plan *plan, const csv_piece *whole);
void irl_typed_free(typed_plan *plan);

/* Brings column `i` of a file, its cells and its number of missing ones, into an empty column. */
typedef irl_status typed_bring(void *user, size_t i, irl_column *into);
/* The columns of a file that says what they are, those that the source asks for; samples and labels
 * of the table are there already. */
irl_status irl_typed_file(irl_env *env, const irl_source *source, const irl_names *names,
                          irl_table *table, typed_bring *bring, void *user);

/* A cell as ARFF quotes it. */
bool irl_arff_cell(csv_piece *p, const char *at, char delimiter, csv_cell *found);
char *irl_arff_unquote(irl_env *env, const char *text, size_t length, size_t *unquoted_length);

/* A list in an option, item by item: one begins at `at` and ends before any of `ends`. Returns
 * where the next one begins, NULL: this is the last. */
static inline const char *irl_list_item(const char *at, const char *ends, size_t *length) {
  *length = strcspn(at, ends);
  return at[*length] ? at + *length + 1 : NULL;
}

#endif
