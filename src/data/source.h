/* What the readers share: the request, labels, and the formats themselves. */
#ifndef IRL_DATA_SOURCE_H
#define IRL_DATA_SOURCE_H

#include "base/text.h"
#include "data/dataset.h"

/* What to read of a file and how. */
typedef struct irl_source {
  const char *path;
  const char *target;         /* label column: name or number; NULL: the last one */
  const char *positive;       /* label of the cases; NULL: found */
  const char *negative;       /* the other label, if known */
  const char *vs_rest;        /* label of the cases, all others being controls' */
  const irl_names *only;      /* columns to keep, the others may hold anything; NULL: all */
  const uint8_t *only_types;  /* their irl_column_type; NULL: they are 0/1 */
  const irl_options *options; /* types, columns, missing values; NULL: none */
  bool is_typed;              /* those ask for more than 0/1 */
  bool labels_optional;       /* the label column may be missing, */
  bool one_class_ok;          /* and all samples may be of one class */
  bool no_labels;             /* what it says of them is not looked at */
  bool no_header;
  bool keeps_ids; /* what identifies a sample is kept: a column of that kind, or this one: */
  const char *id; /* NULL: found by its name */
  char delimiter; /* 0: found */
  char decimal;   /* ',' or '.' in numbers; 0: found */
  int threads;
  size_t window; /* bytes of text in memory while it is read in blocks; 0: the usual */
} irl_source;

/* The kind of a file by its name: IRL_FROM_... */
unsigned irl_source_input(const char *path);

/* Line and column: from 1, or how many are before. */
typedef struct irl_position {
  size_t line, column;
} irl_position;

/* A byte of a file. */
typedef struct irl_place {
  const char *path;
  const char *text, *at; /* the whole file, and the place in it */
  irl_position before;   /* if the text is a part of the file: what is before it */
} irl_place;

/* Line and column of it. */
irl_position irl_place_find(irl_place place);

/* Bad input: `path:line:column: what is wrong`. */
irl_status irl_source_fail(irl_env *env, irl_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The distinct labels of a file, at most two. */
typedef struct irl_labels {
  const char *text[2];
  size_t length[2];
  size_t n;
} irl_labels;

/* The number (0 or 1) of a label, added if it is new; -1 if it would be the third. */
int irl_labels_add(irl_labels *labels, const char *text, size_t length);
/* Which of the labels means case: 0, 1, or -1 if all samples are controls. `first` is where the
 * first one stands. */
irl_status irl_labels_resolve(irl_env *env, const irl_source *source, const irl_labels *labels,
                              irl_position first, const char *column, int *positive);

/* Would the first of two labels be taken as the cases' where nothing is said? */
bool irl_labels_is_positive(const char *first, const char *second);

irl_status irl_csv_read(irl_env *env, const irl_source *source, irl_table *table);
irl_status irl_arff_read(irl_env *env, const irl_source *source, irl_table *table);
irl_status irl_libsvm_read(irl_env *env, const irl_source *source, irl_table *table);
irl_status irl_plink_read(irl_env *env, const irl_source *source, irl_table *table);
irl_status irl_vcf_read(irl_env *env, const irl_source *source, irl_table *table);
irl_status irl_bcf_read(irl_env *env, const irl_source *source, irl_table *table);
irl_status irl_counts_read(irl_env *env, const irl_source *source, irl_table *table);
irl_status irl_irb_read(irl_env *env, const irl_source *source, irl_table *table);
irl_status irl_source_read(irl_env *env, const irl_source *source, irl_table **table);
/* Formats that carry their labels have one column of them: the options may name it, no other. */
irl_status irl_source_check_target(irl_env *env, const irl_source *source, const char *target);
/* Fails if data are to be divided over processes, and this is one alone. */
irl_status irl_source_check_grid(irl_env *env, const irl_source *source);

irl_status irl_irb_write(irl_env *env, const irl_table *table, FILE *stream);

/* A line of `ireland info`: "cases     151 (49.8 %), target = label". */
void irl_text_print_class(irl_text *text, const char *class, uint64_t n, uint64_t all,
                          const char *target, const char *label);

/* One hash per part of a data set, the parts in a fixed order. */
enum { IRL_PART_NAMES, IRL_PART_LABELS, IRL_PART_CASES, IRL_PART_CONTROLS, IRL_N_PARTS };

#endif
