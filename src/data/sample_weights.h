/* What the samples of a class weigh: whole numbers, as an array and as bit planes. */
#ifndef IRL_DATA_SAMPLE_WEIGHTS_H
#define IRL_DATA_SAMPLE_WEIGHTS_H

#include "bits/bits.h"

/* Bit b of (each / unit) is plane b, a vector over the samples; where all weigh the same there are
 * no planes. */
typedef struct irl_sample_weights {
  int64_t *each; /* of each sample; NULL: all weigh one, */
  int64_t unit;  /* the greatest common divisor, */
  int64_t least, most;
  int64_t total; /* their sum */
  uint64_t *planes;
  unsigned n_planes;
  size_t head; /* words, whole blocks of them, in which all samples weigh as much as the first */
} irl_sample_weights;

/* Room for the weights of n samples, to be filled in; then what follows from them. */
irl_status irl_sample_weights_init(irl_env *env, irl_sample_weights *weights, size_t n);
irl_status irl_sample_weights_finish(irl_env *env, irl_sample_weights *weights, size_t n);
void irl_sample_weights_free(irl_sample_weights *weights, const irl_allocator *allocator);
/* The weight of the samples that are in both vectors of so many words; `y` may be x. */
int64_t irl_sample_weights_sum(const irl_sample_weights *weights, const uint64_t *x,
                               const uint64_t *y, size_t n_words);

int64_t irl_common_divisor(int64_t a, int64_t b);

#endif
