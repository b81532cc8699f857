/* The raw table: typed columns as they stand in a file, and what belongs to them. */
#ifndef IRL_TABLE_RAW_TABLE_H
#define IRL_TABLE_RAW_TABLE_H

#include "data/source.h"
#include "ireland_data.h"
#include "table/cell_file.h"
#include "table/packed.h"
#include "table/variants.h"
#include <math.h>

#define IRL_NO_VALUE        UINT32_MAX
#define IRL_TABLE_IN_MEMORY "table in memory" /* the path of one that has no file */

typedef struct irl_column {
  irl_column_type type;
  double *numbers;   /* NUMBER; NaN: missing */
  irl_packed cells;  /* BINARY, SNP; NULL: they are in their file */
  uint32_t *codes;   /* CATEGORY: number in `values`; IRL_NO_VALUE: missing */
  irl_names *values; /* of a category, indexed; NULL: it is none */
  size_t n_missing;
} irl_column;

static inline bool irl_type_is_packed(irl_column_type type) {
  return type == IRL_COLUMN_BINARY || type == IRL_COLUMN_SNP;
}

/* The value of a cell that is no category; NaN: missing. */
static inline double irl_column_number(const irl_column *column, size_t sample) {
  if (column->type == IRL_COLUMN_NUMBER) return column->numbers[sample];
  const unsigned value = irl_packed_get(&column->cells, sample);
  return value == IRL_CELL_MISSING ? (double)NAN : value;
}

/* A set for each sample, 0 .. n - 1; `of` NULL: there are none. */
typedef struct irl_sample_sets {
  uint32_t *of, n;
} irl_sample_sets;

struct irl_table {
  irl_allocator allocator;
  char *path; /* for messages */
  /* The data of a table that is divided among processes, which has neither samples nor columns
   * here; NULL: it is whole. */
  irl_data *divided;
  bool is_bits; /* the whole file has no cells but 0 and 1, and nothing asks for other columns */
  uint32_t n_samples;
  uint32_t *numbers;        /* of the samples in their file, from 0; NULL: none was left out */
  bool has_labels, is_rest; /* rest: the controls have several labels */
  irl_names names;          /* of the columns, indexed */
  irl_column *columns;
  uint8_t *labels; /* 1 case */
  char *target, *positive, *negative;
  double *weights;          /* per sample, NULL: none; */
  double weight_unit;       /* they count in multiples of it, */
  bool is_rounded;          /* to which they had to be rounded */
  uint32_t *strata;         /* per sample; NULL: none. A sample weighs then */
  double *stratum_weights;  /* what is at 2 * stratum + label */
  irl_sample_sets groups;   /* samples that belong together, */
  irl_sample_sets folds;    /* and folds that were made before */
  irl_cell_file *cell_file; /* of SNPs whose cells stay in their file; NULL: none do */
  irl_variants variants;    /* of genotypes: where the columns lie, one item per column */
  irl_column ids;           /* a category: what identifies samples; no values: nothing does, */
  char *id_name;            /* and the name of that column */
  int threads;
};

/* A coding is the names of features, what they mean, and how literals of one column relate. */
struct irl_coding {
  irl_allocator allocator;
  bool is_identity;  /* the features are the 0/1 columns themselves, which data may negate */
  bool is_reflected; /* features are the opposites of literals, data gets its classes exchanged */
  irl_names features;
  irl_conditions conditions;
  uint32_t *groups; /* of each feature; 0: none */
};

const char *irl_column_type_text(irl_column_type type);
/* As irl_table_code, of a fold or of shuffled labels: these may give no literals at all. */
irl_status irl_table_code_part(irl_env *env, const irl_table *table, const irl_rows *rows,
                               const irl_options *options, irl_coding **coding);
/* Without features. */
irl_status irl_coding_create(irl_env *env, irl_coding **coding);

/* Room for the cells of a column of that type; false: out of memory. */
bool irl_column_init(irl_column *column, const irl_allocator *allocator, irl_column_type type,
                     size_t n_samples);
/* The same for 0/1 without missing cells. */
bool irl_column_init_bits(irl_column *column, const irl_allocator *allocator, size_t n_samples);
/* Sets a cell that is 0, of a column of numbers or a packed one; NaN: it is missing. */
static inline void irl_column_set_number(irl_column *column, size_t sample, double value) {
  if (column->type == IRL_COLUMN_NUMBER)
    column->numbers[sample] = value + 0.0; /* -0 is 0 */
  else
    irl_packed_set(&column->cells, sample, isnan(value) ? IRL_CELL_MISSING : (unsigned)value);
}
void irl_column_free(irl_column *column, const irl_allocator *allocator);
bool irl_column_is_missing(const irl_column *column, size_t sample);
size_t irl_column_count_missing(const irl_column *column, size_t n_samples);

/* The units that all weights may have in sum: so losses, with limits and penalties, are counted in
 * 64 bits. */
#define IRL_WEIGHTS_MOST 0x1p40
/* Finds the unit of the weights, if there are any; `column` names them in messages. */
irl_status irl_table_weigh(irl_env *env, irl_table *table, const char *column);
/* Groups and folds by the columns that the options name, which give no literals then (groups.c). */
irl_status irl_table_set_groups(irl_env *env, irl_table *table, const irl_options *options);
/* Weights by the values of a column, which gives no literals then (strata.c). */
irl_status irl_table_stratify(irl_env *env, irl_table *table, const char *column);
/* Leaves out samples: a byte for each, 0 for those that go. Those that stay keep their numbers. */
irl_status irl_table_keep(irl_env *env, irl_table *table, const uint8_t *is_kept);
/* Leaves out the samples that miss a value. */
irl_status irl_table_drop_missing(irl_env *env, irl_table *table);
/* What the option missing says to samples that miss a value. */
irl_status irl_table_treat_missing(irl_env *env, irl_table *table, const irl_options *options);

/* Are all columns that are used 0/1 without missing cells, and the samples without weights? Then
 * the columns are the features, unless options ask for others. */
bool irl_table_is_binary(const irl_table *table);
/* Fails if an option for codings can have no effect on this table. */
irl_status irl_table_accepts(irl_env *env, const irl_table *table, const irl_options *options);
/* A data set of 0/1 as a table (read/table_bits.c). */
irl_status irl_table_from_bits(irl_env *env, const irl_data *data, irl_table **table);
/* A table whose columns are the features, as data. */
irl_status irl_table_bits(irl_env *env, const irl_table *table, irl_data **data);
irl_status irl_table_create(irl_env *env, const irl_source *source, irl_table **table);
/* What the labels of a table without columns yet are called; NULL stands for y, 1 and 0. */
irl_status irl_table_name_labels(irl_env *env, irl_table *table, const irl_data_labels *called);
/* Have all columns cells of their types, and are the missing ones counted? For assertions. */
bool irl_table_check(const irl_table *table);

/* What identifies a sample; NULL: nothing does. */
const char *irl_table_id(const irl_table *table, uint32_t sample);

/* The order of doubles, for qsort. */
int irl_compare_numbers(const void *a, const void *b);

/* The i-th of the selected samples; NULL selects all. */
static inline uint32_t irl_rows_sample(const irl_rows *rows, uint32_t i) {
  return rows && rows->samples ? rows->samples[i] : i;
}
/* Fails unless some samples are selected, all of them below n; `what` has the samples. */
irl_status irl_rows_check(irl_env *env, const irl_rows *rows, uint32_t n, const char *what);
/* The samples that a caller selects, as this library knows them, checked: *rows becomes `own`
 * unless it is NULL. */
irl_status irl_rows_take(irl_env *env, const irl_table *table, const irl_rows **rows,
                         irl_rows *own);
/* Samples `rows` of a data set, as a data set. */
irl_status irl_data_subset(irl_env *env, const irl_data *data, const irl_rows *rows, int threads,
                           irl_data **selected);
/* Some cases and controls by their numbers within the class, as a data set: straight from column to
 * column, for few of many. */
typedef struct irl_members {
  const uint32_t *numbers[2]; /* of cases, of controls; ascending they are found faster */
  uint32_t n[2];
} irl_members;
irl_status irl_data_gather(irl_env *env, const irl_data *data, const irl_members *members,
                           int threads, irl_data **selected);
/* The samples that weigh something, which is all that learning looks at; cases come first. NULL:
 * all of them do. Fails if a class weighs nothing. */
irl_status irl_data_drop_weightless(irl_env *env, const irl_data *data, int threads,
                                    irl_data **kept);

/* The reflection (reflect.c): exchanges the classes of data whose features are the opposites
 * already, if they are coded, and complements the bits if they are not. */
void irl_data_reflect(irl_data *data);
/* A reflected copy of 0/1 data. Fails on coded data, whose opposites only its table can tell. */
irl_status irl_data_reflected(irl_env *env, const irl_data *data, int threads, irl_data **copy);

#endif
