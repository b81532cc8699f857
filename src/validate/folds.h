/* Random parts of a data set that hold both classes in its proportion: hold-outs, folds, shuffled
 * labels. The same random numbers give the same parts. */
#ifndef IRL_VALIDATE_FOLDS_H
#define IRL_VALIDATE_FOLDS_H

#include "base/env.h"
#include "base/random.h"

/* fold_of[i] for each of n samples, 0 .. n_folds - 1. Each class is spread evenly, and so are the
 * remainders. */
irl_status irl_folds_make(irl_env *env, irl_random *random, const uint8_t *labels, uint32_t n,
                          uint32_t n_folds, uint32_t *fold_of);
/* 1 for the share of each class that is held out, 0 else: at least one sample and all but one at
 * most, as far as the class has two. */
irl_status irl_folds_hold_out(irl_env *env, const uint8_t *labels, uint32_t n, double share,
                              uint64_t seed, uint32_t *is_held);
/* The labels in random order within strata, a number per sample; `order` is room for n numbers. */
void irl_folds_shuffle(const uint8_t *labels, const uint32_t *strata, uint32_t n,
                       irl_random *random, uint32_t *order, uint8_t *shuffled);

#endif
