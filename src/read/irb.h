/* Inside .irb files: the header, and what the readers of both versions share. */
#ifndef IRL_READ_IRB_H
#define IRL_READ_IRB_H

#include "table/raw_table.h"

#define IRL_IRB_HEADER 512u
#define IRL_IRB_BITS   1u  /* the versions: a plain data set, */
#define IRL_IRB_TABLE  3u  /* and a table of columns, */
#define IRL_IRB_RECORD 40u /* with a record of so many bytes for each, */

/* in parts of other names. */
enum { IRL_PART_COLUMNS = IRL_PART_CASES, IRL_PART_CELLS = IRL_PART_CONTROLS };

typedef struct irl_irb_part {
  uint64_t offset, size, hash;
} irl_irb_part;

typedef struct irl_irb_header {
  char magic[8];
  uint32_t version, has_labels;
  uint32_t n_samples, n_features, n_cases;
  uint32_t is_rest; /* of a table: the controls have several labels */
  irl_irb_part parts[IRL_N_PARTS];
  uint64_t reserved[3];
  uint64_t has_sums; /* older files have none, and tables */
  uint64_t sums[2];
  unsigned char padding[IRL_IRB_HEADER - 32 - (IRL_N_PARTS + 1) * sizeof(irl_irb_part) - 32];
  uint64_t hash;
} irl_irb_header;

_Static_assert(sizeof(irl_irb_header) == IRL_IRB_HEADER, "the header has no gaps");

/* The sum of the hashes of the blocks of 64 bytes of a matrix, or of a part of it that begins at
 * that vector and word of one with `stride` words in a vector: the sums of the parts make that of
 * the whole. */
uint64_t irl_irb_sum(const irl_bits_matrix *matrix, size_t first_vector, size_t first_word,
                     size_t stride);
irl_status irl_irb_damaged(irl_env *env, const char *path, uint64_t offset, const char *what);
irl_status irl_irb_check_header(irl_env *env, const char *path, const char *bytes, uint64_t size,
                                irl_irb_header *header);
/* Is this what the header says of a part? */
irl_status irl_irb_check_part(irl_env *env, const char *path, const char *bytes,
                              const irl_irb_part *part, const char *name);
irl_status irl_irb_check_classes(irl_env *env, const irl_source *source,
                                 const irl_irb_header *header);
/* The three texts of the labels, which stay in `text`, and the names, to those that there are. */
irl_status irl_irb_read_names(irl_env *env, const char *path, const char *text,
                              const irl_irb_header *header, irl_data_labels *called,
                              irl_names *names);

/* The names part, to be freed; NULL: out of memory. */
char *irl_irb_pack_names(irl_env *env, const irl_data_labels *called, const irl_names *names,
                         uint64_t *size);
/* Fills in where the parts are, and writes the header. */
void irl_irb_put_header(irl_irb_header *header, const uint64_t sizes[IRL_N_PARTS],
                        const uint64_t hashes[IRL_N_PARTS], FILE *stream);
/* Zeros up to an offset. */
void irl_irb_pad(FILE *stream, uint64_t *at, uint64_t offset);

/* A table from the bytes of a file whose header and hashes are checked. */
irl_status irl_irb_read_table(irl_env *env, const irl_source *source, const char *bytes,
                              const irl_irb_header *header, irl_table *table);

#endif
