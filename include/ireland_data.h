/* More ways for data to come in: typed columns in memory, codings, bits, rows in blocks, planted
 * data.
 *
 * A complete program: rows that come in blocks become a data set, from which a rule is learnt; then
 * a file of any size is predicted with it, block by block, in little memory.
 *
 *   #include <ireland_data.h>
 *   #include <stdio.h>
 *
 *   int main(int n, char **words) {
 *     const char *names[] = {"fever", "cough"};
 *     const uint8_t cells[] = {1, 1, 1, 0, 0, 1, 0, 0}, labels[] = {1, 0, 0, 0};
 *     irl_env *env = NULL;
 *     irl_builder *builder = NULL;
 *     irl_data *data = NULL, *block = NULL;
 *     irl_fit_result *fit = NULL;
 *     irl_stream *stream = NULL;
 *     irl_options options;
 *     irl_options_init(&options, sizeof options);
 *     if (irl_env_create(NULL, &env) || irl_builder_create(env, 2, names, &builder)) return 1;
 *     for (int day = 0; day < 3; day++) irl_builder_add_bytes(env, builder, 4, cells, labels);
 *     int failed = irl_builder_finish(env, builder, &data) || irl_fit(env, data, &options, &fit) ||
 *                  irl_stream_open_file(env, n > 1 ? words[1] : "-", &options, irl_fit_rule(fit),
 *                                       false, &stream);
 *     while (!failed && !(failed = irl_stream_next(env, stream, 100, &block)) && block) {
 *       uint8_t predicted[100];
 *       irl_data_info info = IRL_SIZED(irl_data_info);
 *       irl_data_describe(block, &info);
 *       failed = irl_predict_bytes(env, irl_fit_rule(fit), block, predicted, NULL);
 *       for (uint64_t i = 0; i < info.samples && !failed; i++) printf("%d\n", predicted[i]);
 *       irl_data_free(block);
 *     }
 *     if (failed) printf("%s\n", irl_env_error(env));
 *     irl_stream_free(stream);
 *     irl_fit_free(fit);
 *     irl_data_free(data);
 *     irl_builder_free(builder);
 *     irl_env_free(env);
 *     return failed != 0;
 *   }
 *
 * States and ownership
 *   object         made by                then, any number of times        its end
 *   irl_builder    irl_builder_create     add_bytes, add_bits, add_data,   irl_builder_free
 *                                         finish (makes an irl_data)
 *   irl_stream     irl_stream_open_file   next (_table), until it is NULL; irl_stream_free
 *                                         after a failure it fails again
 *   irl_evaluator  irl_evaluator_create   add, finish, render              irl_evaluator_free
 *   irl_predictor  irl_predictor_create   add, then finish once            irl_predictor_free
 *   irl_writer     irl_writer_open        add                              irl_writer_close
 *   - These five change with every call: use each in one thread at a time. What they hand out is
 *     the caller's, immutable, and outlives them: data go to irl_data_free, texts to irl_text_free.
 *   - A builder copies all that it is given. The others use the rule where it is, and a stream its
 *     path and the texts of options: these must live as long.
 *   - Tables cannot be appended to: types, categories and cut points of their columns are found
 *     from all rows, so that a table is made of all of them (irl_table_from_columns). Blocks of
 *     typed rows can be predicted and evaluated: a table for each, irl_table_data_for, then
 *     irl_predictor_add or irl_evaluator_add. */
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

/* ---- data that grow ------------------------------------------------------------------------- */

/* Rows that are collected, block after block, to become a data set. */
typedef struct irl_builder irl_builder;

/* `names` NULL gives f1, f2, ...; they are copied. */
IRL_API irl_status irl_builder_create(irl_env *env, uint32_t n_features, const char *const *names,
                                      irl_builder **builder);
/* Rows as irl_data_from_bytes takes them, of any number, 0 too. Either all blocks have labels or
 * none has. A block that fails leaves the builder as it was. */
IRL_API irl_status irl_builder_add_bytes(irl_env *env, irl_builder *builder, uint32_t n_rows,
                                         const uint8_t *cells, const uint8_t *labels);
/* The same as bits: a vector per feature over the rows of this block, row i being bit i % 64 of
 * word i / 64, and one of labels. */
IRL_API irl_status irl_builder_add_bits(irl_env *env, irl_builder *builder, uint32_t n_rows,
                                        const uint64_t *const *columns, const uint64_t *labels);
/* The samples of a data set that has the same features in the same order, 0/1 columns and no
 * weights: so a data set is made longer. */
IRL_API irl_status irl_builder_add_data(irl_env *env, irl_builder *builder, const irl_data *data);
/* Rows so far; 0 without a builder. */
IRL_API uint64_t irl_builder_n_samples(const irl_builder *builder);
/* The data set of all rows so far, the same as irl_data_from_bytes makes of them at once. The
 * builder keeps its rows: more may follow, and another data set. */
IRL_API irl_status irl_builder_finish(irl_env *env, const irl_builder *builder, irl_data **data);
IRL_API void irl_builder_free(irl_builder *builder);

/* ---- files in blocks ------------------------------------------------------------------------- */

/* A file that is handed out in blocks of rows, as data for one rule, so that memory is bounded by
 * the block whatever the size of the file.
 *
 * Texts (CSV, TSV, LIBSVM, compressed by gzip or not) are read so; other formats are read whole
 * first, and divided data of several processes come as one block. The blocks together are what
 * irl_data_read_for gives: the same samples, labels and errors, places being those of the whole
 * file.
 *
 * A text file is looked at whole, in blocks, before the first block is handed out, so a mistake in
 * its last row fails irl_stream_open_file. A pipe cannot be read twice: of a longer one than 16 MB
 * these are looked at, which decide what the labels mean and, unless `labelled`, whether they are
 * used; a mistake beyond fails irl_stream_next, when blocks before it have been handed out. */
typedef struct irl_stream irl_stream;

/* "-" is CSV on standard input. The rule, the path and the texts of the options must live as long
 * as the stream; the time limit begins here. `labelled` as in irl_data_read_for. */
IRL_API irl_status irl_stream_open_file(irl_env *env, const char *path, const irl_options *options,
                                        const irl_rule *rule, bool labelled, irl_stream **stream);
/* The next rows, at most `max_rows` and at most 16 MB of text or one row; 0: as many as that. Free
 * the data before the next call or keep them. NULL at the end, also if asked again. After a failure
 * each call fails again. */
IRL_API irl_status irl_stream_next(irl_env *env, irl_stream *stream, uint32_t max_rows,
                                   irl_data **data);
/* The same rows as a table, with what identifies samples (unless `labelled`), which values are
 * missing, and texts as they are: for irl_predict_table and irl_predictor_add_table. Files that are
 * read whole come at once. A stream is read as data or as tables, not as both. */
IRL_API irl_status irl_stream_next_table(irl_env *env, irl_stream *stream, uint32_t max_rows,
                                         irl_table **table);
/* Rows that were handed out so far: the number of the next block's first sample, from 0. */
IRL_API uint64_t irl_stream_n_samples(const irl_stream *stream);
IRL_API void irl_stream_free(irl_stream *stream);

/* ---- evaluation and prediction of blocks ------------------------------------------------------
 */

/* What is counted of a rule, block after block. */
typedef struct irl_evaluator irl_evaluator;

/* The rule must live as long as the evaluator. */
IRL_API irl_status irl_evaluator_create(irl_env *env, const irl_rule *rule,
                                        irl_evaluator **evaluator);
/* Data with labels; either all blocks have weights or none has. A block that fails leaves the
 * evaluator as it was. */
IRL_API irl_status irl_evaluator_add(irl_env *env, irl_evaluator *evaluator, const irl_data *data);
/* What irl_evaluate says of all blocks so far as one data set; more may follow. */
IRL_API irl_status irl_evaluator_finish(irl_env *env, const irl_evaluator *evaluator,
                                        irl_evaluation *evaluation);
/* What irl_evaluate_render says of them. */
IRL_API irl_status irl_evaluator_render(irl_env *env, const irl_evaluator *evaluator,
                                        irl_format format, char **text);
IRL_API void irl_evaluator_free(irl_evaluator *evaluator);

/* What a rule says of each sample of a table: more than irl_predict of its data, for a table knows
 * what identifies samples and which values they miss. */
IRL_API irl_status irl_predict_table(irl_env *env, const irl_rule *rule, const irl_table *table,
                                     int (*visit)(void *user, const irl_verdict *verdict),
                                     void *user);
/* The text of irl_predict_render, block after block: samples are numbered on. */
typedef struct irl_predictor irl_predictor;

/* The rule must live as long as the predictor. */
IRL_API irl_status irl_predictor_create(irl_env *env, const irl_rule *rule, irl_format format,
                                        bool explain, irl_predictor **predictor);
/* The text of these samples, with the heading before the first ones. Either all blocks have labels
 * or none has. A block that fails leaves the predictor as it was. */
IRL_API irl_status irl_predictor_add(irl_env *env, irl_predictor *predictor, const irl_data *data,
                                     char **text);
/* The same of a table, with what identifies samples and `cannot tell` where missing values decide.
 */
IRL_API irl_status irl_predictor_add_table(irl_env *env, irl_predictor *predictor,
                                           const irl_table *table, char **text);
/* A condition on a missing value is false, as it is when rules are learnt: nothing is undecided. To
 * be asked before the first block. */
IRL_API void irl_predictor_decide(irl_predictor *predictor);
/* What stands behind the last sample; no block may follow. Warnings say which identifiers repeat.
 */
IRL_API irl_status irl_predictor_finish(irl_env *env, irl_predictor *predictor, char **text);
IRL_API void irl_predictor_free(irl_predictor *predictor);

/* ---- files that are written in parts ----------------------------------------------------------
 */

/* A file that grows while it is written, and appears whole or not at all. */
typedef struct irl_writer irl_writer;

IRL_API irl_status irl_writer_open(irl_env *env, const char *path, irl_writer **writer);
IRL_API irl_status irl_writer_add(irl_env *env, irl_writer *writer, const void *bytes, size_t size);
/* Frees the writer; unless `keep` and all has arrived the file is as it was before. */
IRL_API irl_status irl_writer_close(irl_env *env, irl_writer *writer, bool keep);

#ifdef __cplusplus
}
#endif
#endif
