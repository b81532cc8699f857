/* Planted data as in the paper's section 'Datasets'. */
#ifndef IRL_DATA_GENERATE_H
#define IRL_DATA_GENERATE_H

#include "data/dataset.h"

/* The planted rule: clause k has `size[k]` features, ascending, from `features + k * M` on. */
typedef struct irl_planted {
  irl_allocator allocator;
  uint32_t K, M;
  uint32_t *size, *features; /* in one block */
} irl_planted;

/* Out of range combinations (M > J) fail; so does a balance outside 25 .. 75 % after 25 attempts.
 */
irl_status irl_generate_planted(irl_env *env, const irl_options *options, irl_data **data,
                                irl_planted *planted);
void irl_planted_free(irl_planted *planted);

#endif
