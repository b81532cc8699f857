/* A text file in blocks of rows (blocks.c), and what its parts tell of the whole. */
#ifndef IRL_READ_BLOCKS_H
#define IRL_READ_BLOCKS_H

#include "data/source.h"

#define IRL_MOST_LABELS 3u /* that are told apart: the third is one too many */

/* What was found in the parts of a file so far. */
typedef struct irl_facts {
  uint64_t n_rows;
  bool has_features;
  bool has_values;                        /* other than 0 and 1: the file is one with types */
  irl_names labels;                       /* the first ones, as they are called, indexed, */
  irl_names raw;                          /* and with their doubled quotes, */
  irl_position label_at[IRL_MOST_LABELS]; /* first there */
  size_t misfit_column;            /* the first whose cells do not fit its type, SIZE_MAX: none, */
  char misfit[IRL_ERROR_SIZE];     /* and why; */
  char unlabelled[IRL_ERROR_SIZE]; /* where a label is missing, "": nowhere */
} irl_facts;

/* A part of a file. */
typedef struct irl_part {
  const char *text, *end;
  irl_position before;
  uint64_t file_size; /* of the whole, as far as it is known */
} irl_part;

/* Adds a label unless it is known or there are three; false: out of memory. */
bool irl_facts_add_label(irl_facts *facts, const char *label, const char *raw, size_t raw_length,
                         irl_place at);

/* Notes that the cells of a column do not fit its type, unless one before it is known. */
void irl_facts_add_misfit(irl_facts *facts, size_t column, const char *why);

/* Lines of a LIBSVM file, of which the features that the source wants are kept, as a table; with
 * `facts` what they tell is added there, and the table has no labels. */
irl_status irl_libsvm_read_part(irl_env *env, const irl_source *source, const irl_part *part,
                                irl_facts *facts, irl_table *table);

typedef struct irl_blocks irl_blocks;

/* Opens a file for what the source asks of it, which must be `only` some columns. With `may_drop`
 * labels that cannot be read are not used. */
irl_status irl_blocks_open(irl_env *env, const irl_source *source, bool may_drop,
                           irl_blocks **blocks);
/* At most so many rows, 0: any; NULL at the end. */
irl_status irl_blocks_next(irl_env *env, irl_blocks *blocks, uint32_t max_rows, irl_table **table);
void irl_blocks_free(irl_blocks *blocks);

#endif
