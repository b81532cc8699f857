/* More ways for data to come in: typed columns in memory, codings, bits, planted data. */
#ifndef IRELAND_DATA_H
#define IRELAND_DATA_H

#include "ireland.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bits -------------------------------------------------------------------------------- */

/* Data from bits: sample i is bit i % 64 of word i / 64, in a vector per feature and in the
 * labels. */
IRL_API irl_status irl_data_from_bits(irl_env *env, uint32_t n_samples, uint32_t n_features,
                                      const uint64_t *const *columns, const uint64_t *labels,
                                      const char *const *names, irl_data **data);

/* The samples of one class: n_features vectors of bits, irl_data_stride(n_samples) words each. */
typedef struct irl_class_bits {
  size_t size;
  uint32_t n_samples;
  const uint64_t *words; /* aligned to 64 bytes; bits beyond the last sample are 0 */
} irl_class_bits;

/* 64-bit words of a vector: whole blocks of 64 bytes. */
IRL_API size_t irl_data_stride(uint32_t n_samples);
/* Uses the caller's bits where they are, as the library keeps its own: they must stay, unchanged,
 * as long as the data set. The cases are the first samples. */
IRL_API irl_status irl_data_borrow(irl_env *env, uint32_t n_features, const irl_class_bits *cases,
                                   const irl_class_bits *controls, const char *const *names,
                                   irl_data **data);

/* ---- planted data ------------------------------------------------------------------------ */

/* Planted data as in the paper; `planted` may be NULL. */
IRL_API irl_status irl_generate(irl_env *env, const irl_options *options, irl_data **data,
                                irl_rule **planted);

/* ---- tables ------------------------------------------------------------------------------- */

typedef struct irl_table_info {
  size_t size;
  uint64_t samples, columns, cases, controls; /* columns without labels and weights */
  bool has_labels, has_weights;
  bool is_plain;                            /* 0/1 throughout: the columns are the features */
  const char *target, *positive, *negative; /* as in irl_data_info */
} irl_table_info;

/* X(name, text): what a column holds. A SNP counts alleles: 0, 1 or 2. */
#define IRL_COLUMN_TABLE(X)                                                                        \
  X(IRL_COLUMN_BINARY, "binary")                                                                   \
  X(IRL_COLUMN_NUMBER, "number")                                                                   \
  X(IRL_COLUMN_CATEGORY, "category")                                                               \
  X(IRL_COLUMN_SNP, "snp")                                                                         \
  X(IRL_COLUMN_IGNORED, "ignore")

#define IRL_ENUM_ROW(name, text) name,
typedef enum irl_column_type { IRL_COLUMN_TABLE(IRL_ENUM_ROW) IRL_N_COLUMN_TYPES } irl_column_type;
#undef IRL_ENUM_ROW

/* A column of the caller's. In an array all have the size of the first. */
typedef struct irl_column_view {
  size_t size;
  const char *name;
  irl_column_type type;
  const double *numbers;     /* per sample, NaN where it is missing; not for categories: */
  const int32_t *codes;      /* per sample the number of its value, negative where it is missing, */
  const char *const *values; /* and the values */
  uint32_t n_values;
} irl_column_view;

typedef struct irl_table_view {
  size_t size;
  uint32_t n_samples, n_columns;
  const irl_column_view *columns;
  const uint8_t *labels;                    /* per sample, 1 case, 0 control; NULL: none */
  const double *weights;                    /* per sample, NULL: none */
  const char *target, *positive, *negative; /* what labels are called; NULL: y, 1, 0 */
} irl_table_view;

/* All is copied. Of the options for reading, those about files do not matter: `missing` does. */
IRL_API irl_status irl_table_from_columns(irl_env *env, const irl_table_view *view,
                                          const irl_options *options, irl_table **table);
/* The cells as they are, missing ones empty in texts: .csv .tsv .svm .libsvm .irb by extension.
 * LIBSVM has neither texts nor missing values: such a table is refused. A note says which options
 * make a text file the same table again. The file appears whole or not at all. */
IRL_API irl_status irl_table_write(irl_env *env, const irl_table *table, const char *path);
IRL_API irl_status irl_table_describe(const irl_table *table, irl_table_info *info);
/* 1 case, 0 control, -1 without labels. */
IRL_API int irl_table_label(const irl_table *table, uint32_t sample);
/* A row or an object per column: type, values, missing ones. */
IRL_API irl_status irl_table_render(irl_env *env, const irl_table *table, irl_format format,
                                    char **text);
/* All samples with the features of a rule, for irl_predict and irl_evaluate; columns that it does
 * not name do not matter. */
IRL_API irl_status irl_table_data_for(irl_env *env, const irl_table *table, const irl_rule *rule,
                                      irl_data **data);

/* ---- codings ------------------------------------------------------------------------------ */

/* What features are made of the columns of a table: cut points, categories. Learnt from some of
 * its rows, applied to any; independent of the table once made. */
typedef struct irl_coding irl_coding;

/* Some samples of a table. */
typedef struct irl_rows {
  size_t size;
  const uint32_t *samples; /* numbers in the order of the file; NULL: the first n */
  uint32_t n;
  const uint8_t *labels; /* 1 or 0 for each of them in place of their own; NULL: their own */
} irl_rows;

/* Learns the coding from these samples alone; `rows` NULL: from all. With the option negations the
 * opposites of literals are features too: give it here as well as to irl_fit. With the option cnf
 * the features are the opposites of literals, and data of this coding has its classes exchanged. */
IRL_API irl_status irl_table_code(irl_env *env, const irl_table *table, const irl_rows *rows,
                                  const irl_options *options, irl_coding **coding);
IRL_API void irl_coding_free(irl_coding *coding);
/* These samples as bits, in that order; `rows` NULL: all. Data of one coding has the same features,
 * so a rule learnt from some samples can be evaluated on others. */
IRL_API irl_status irl_table_data(irl_env *env, const irl_table *table, const irl_coding *coding,
                                  const irl_rows *rows, irl_data **data);

#ifdef __cplusplus
}
#endif
#endif
