/* A reader of an MPS file at work: lines and sections (mps_read.c), what they say
 * (mps_sections.c). */
#ifndef IRL_MODEL_MPS_WORK_H
#define IRL_MODEL_MPS_WORK_H

#include "model/lp_names.h"

#define IRL_MPS_MAX_FIELDS 6u
#define IRL_MPS_OBJECTIVE  UINT32_MAX

typedef enum irl_mps_section {
  NO_SECTION,
  OBJSENSE,
  ROWS,
  COLUMNS,
  RHS,
  RANGES,
  BOUNDS,
  ENDATA
} irl_mps_section;

typedef struct irl_mps_field {
  const char *text;
  size_t length, column; /* column counts from 1 */
} irl_mps_field;

/* A row before it is known what its bounds are. */
typedef struct irl_mps_row {
  char kind; /* N, L, G, E */
  bool has_range;
  double rhs, range;
  uint32_t number;      /* in the model, or IRL_MPS_OBJECTIVE */
  uint32_t last_column; /* the one that last had an entry here, + 1 */
} irl_mps_row;

typedef struct irl_mps_reader {
  irl_env *env;
  const char *path;
  irl_lp_names *model;
  bool is_fixed;
  irl_mps_section now;
  bool has_begun[ENDATA + 1]; /* by section */
  size_t line;
  irl_mps_field fields[IRL_MPS_MAX_FIELDS];
  size_t n_fields;
  irl_hash_index row_index, column_index;
  const char **all_rows; /* names, with the objective */
  irl_mps_row *rows;
  size_t n_rows, rows_capacity, names_capacity;
  bool has_objective, is_in_integers, has_column;
  irl_mps_field column_name; /* of the column that is being read, in the file's bytes */
  bool column_is_integer;
  uint32_t *entry_rows;
  double *entry_values, cost;
  size_t n_entries, entry_rows_capacity, entry_values_capacity;
  double constant;
  bool *is_bounded;        /* by column: BOUNDS has named it */
  const char *set[ENDATA]; /* name of the set in use, by section */
  size_t set_length[ENDATA];
} irl_mps_reader;

/* A sentence with file, line and column; the name is quoted if there is one. */
irl_status irl_mps_bad(irl_mps_reader *r, size_t column, const char *what,
                       const irl_mps_field *name);
irl_status irl_mps_bad_count(irl_mps_reader *r);
bool irl_mps_equals(const irl_mps_field *f, const char *text);

irl_status irl_mps_add_row(irl_mps_reader *r, const irl_mps_field *kind, const irl_mps_field *name);
irl_status irl_mps_read_column(irl_mps_reader *r);
irl_status irl_mps_end_column(irl_mps_reader *r);
irl_status irl_mps_read_sides(irl_mps_reader *r);
irl_status irl_mps_read_bound(irl_mps_reader *r);

/* When all is read: the sides of the rows from their kinds, right-hand sides and ranges. */
irl_status irl_mps_set_sides(irl_mps_reader *r);

#endif
