/* The problem of a proof: samples with equal features as one; see merge_samples.c. */
#ifndef IRL_RULE_MERGE_SAMPLES_H
#define IRL_RULE_MERGE_SAMPLES_H

#include "bits/kernels.h"
#include "comm/comm.h"
#include "data/dataset.h"

typedef struct irl_merged {
  irl_allocator allocator;
  const irl_data *data; /* the same features */
  irl_data *own;        /* NULL: the samples are those of the original, with weights if it has */
  uint32_t *case_index; /* an original case of each, where samples are merged */
  irl_sample_weights sums[2];
  const int64_t *weights[2]; /* of each case, of each control; NULL: all the same */
  int64_t weight[2];         /* then this, otherwise the least of them */
  int64_t common[2];         /* the commonest of merged ones, or that of the class */
  /* loss = offset + unit * (weights of uncovered cases and of covered controls) */
  int64_t offset, unit;
} irl_merged;

/* Merged if that is allowed and changes anything; weights of a case and of a control, times what
 * the data says that each sample weighs. */
irl_status irl_merged_init(irl_env *env, irl_merged *merged, const irl_data *data,
                           const int64_t weight[2], bool may_merge, int threads);
void irl_merged_free(irl_merged *merged);

/* As a message to processes that have a copy of its samples; the copy stays theirs. */
void irl_merged_put(irl_message *message, const irl_merged *merged);
irl_status irl_merged_get(irl_env *env, irl_message *message, irl_merged *merged);

/* The weight of all cases. */
int64_t irl_merged_total(const irl_merged *merged);
/* The weight of a vector over the cases (class 0) or controls (class 1). */
int64_t irl_merged_weigh(const irl_merged *merged, int class, const uint64_t *vector);
/* The weight of the samples that are in both vectors. */
int64_t irl_merged_weigh_both(const irl_merged *merged, int class, const uint64_t *x,
                              const uint64_t *y);
/* Losses of the original below `target` are those below this one here. */
static inline int64_t irl_merged_target(const irl_merged *merged, int64_t target) {
  const int64_t most = target - 1 - merged->offset;
  return most < 0 ? 0 : most / merged->unit + 1;
}
static inline int64_t irl_merged_loss(const irl_merged *merged, int64_t loss) {
  return merged->offset + merged->unit * loss;
}

#endif
