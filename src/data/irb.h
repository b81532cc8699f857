/* Inside .irb files: the header, and the part that says what features mean (irb_coding.c). */
#ifndef IRL_DATA_IRB_H
#define IRL_DATA_IRB_H

#include "data/source.h"

#define IRL_IRB_HEADER 512u

typedef struct irl_irb_part {
  uint64_t offset, size, hash;
} irl_irb_part;

typedef struct irl_irb_header {
  char magic[8];
  uint32_t version, has_labels;
  uint32_t n_samples, n_features, n_cases;
  uint32_t is_rest; /* version 2: the controls have several labels */
  irl_irb_part parts[IRL_N_PARTS];
  irl_irb_part coding; /* version 2 */
  uint64_t has_sums;   /* older files have none */
  uint64_t sums[2];
  unsigned char padding[IRL_IRB_HEADER - 32 - (IRL_N_PARTS + 1) * sizeof(irl_irb_part) - 32];
  uint64_t hash;
} irl_irb_header;

_Static_assert(sizeof(irl_irb_header) == IRL_IRB_HEADER, "the header has no gaps");

/* Of the blocks of 64 bytes of a matrix, or of a part of it that begins at that vector and word of
 * one with `stride` words in a vector: the sums of the parts make that of the whole. */
uint64_t irl_irb_sum(const irl_bits_matrix *matrix, size_t first_vector, size_t first_word,
                     size_t stride);
irl_status irl_irb_damaged(irl_env *env, const char *path, uint64_t offset, const char *what);
irl_status irl_irb_check_header(irl_env *env, const char *path, const char *bytes, uint64_t size,
                                irl_irb_header *header);
irl_status irl_irb_check_classes(irl_env *env, const irl_source *source,
                                 const irl_irb_header *header);
irl_status irl_irb_read_names(irl_env *env, const char *path, const char *text,
                              const irl_irb_part *part, irl_data_labels *called, irl_names *names,
                              uint32_t n_features);

/* Is there anything to say? */
bool irl_irb_has_coding(const irl_data *data);
/* NULL: out of memory. */
char *irl_irb_pack_coding(irl_env *env, const irl_data *data, uint64_t *size);
/* False: the part makes no sense. */
bool irl_irb_unpack_coding(irl_env *env, const char *bytes, uint64_t size, irl_data *data,
                           irl_status *status);

#endif
