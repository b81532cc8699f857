/* Random parts of a data set that hold both classes in its proportion: hold-outs, folds, shuffled
 * labels. The same seed and stream give the same parts. */
#ifndef IRL_VALIDATE_FOLDS_H
#define IRL_VALIDATE_FOLDS_H

#include "base/env.h"

/* fold_of[i] for each of n samples, 0 .. n_folds - 1. Each class is spread evenly, and so are the
 * remainders. */
irl_status irl_folds_make(irl_env *env, const uint8_t *labels, uint32_t n, uint32_t n_folds,
                          uint64_t seed, uint64_t stream, uint32_t *fold_of);
/* Marks the share of each class that is held out: at least one sample and all but one at most, as
 * far as the class has two. */
irl_status irl_folds_hold_out(irl_env *env, const uint8_t *labels, uint32_t n, double share,
                              uint64_t seed, uint8_t *is_held);
/* The labels in random order. */
void irl_folds_shuffle(const uint8_t *labels, uint32_t n, uint64_t seed, uint64_t stream,
                       uint8_t *shuffled);

#endif
