/* Groups of equal vectors: samples that no rule tells apart. */
#ifndef IRL_BITS_EQUAL_ROWS_H
#define IRL_BITS_EQUAL_ROWS_H

#include "bits/bits.h"

/* The arrays are the caller's, each with room for all vectors. */
typedef struct irl_equal_rows {
  uint32_t n;         /* groups, numbered by their first vectors */
  uint32_t *group_of; /* each vector */
  uint32_t *first;    /* vector of each group */
  uint32_t *size;     /* vectors of each group */
} irl_equal_rows;

/* Groups the vectors of one or two matrices (NULL: one) of equal length; those of the second are
 * numbered after those of the first. */
irl_status irl_equal_rows_find(irl_env *env, const irl_bits_matrix *a, const irl_bits_matrix *b,
                               irl_equal_rows *groups);

#endif
