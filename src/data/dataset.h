/* The data set: bits by feature, cases and controls apart, and what belongs to them. */
#ifndef IRL_DATA_DATASET_H
#define IRL_DATA_DATASET_H

#include "base/file.h"
#include "bits/bits.h"
#include "data/condition.h"
#include "data/sample_weights.h"

typedef struct irl_shard irl_shard; /* shard.h */

struct irl_data {
  irl_allocator allocator;
  uint32_t n_samples, n_features, n_cases, n_controls;
  irl_bits_matrix cases, controls; /* a vector per feature, over the samples of one class */
  uint64_t *labels; /* a bit per sample in the order of the file: 1 case. The i-th one
                       is case i of the matrix, the i-th zero control i. */
  bool has_labels;  /* false: every sample counts as a control */
  irl_names names;  /* of the features, indexed */
  char *target, *positive, *negative;
  bool is_rest;      /* the controls have several labels: `negative` stands for them */
  bool is_reflected; /* classes and literals are those of the reflected problem (reflect.h) */
  irl_conditions conditions; /* of the features; none: each is a 0/1 column */
  uint32_t *groups;          /* per feature, 0 for none; NULL. Features of a group are nested or
                                disjoint, unless the user has made it: then it binds. */
  bool has_opposites;        /* opposites are features of their own: none is negated by its sign */
  irl_sample_weights weights[2]; /* of the cases, of the controls; both have some, or neither, */
  double weight_unit;            /* in this unit of the user's weights, */
  bool is_rounded;               /* which are no multiples of it, */
  double *given[2];              /* and are kept here; else NULL */
  irl_shard *shard;              /* divided over processes; NULL: not */
  irl_env *copied_by;            /* the other processes have a copy each, */
  uint64_t copy_id;              /* under this number */
};

#define IRL_GROUP_BINDS 0x80000000u /* in the number of a group that the user has made */

/* May no clause hold both, although it could gain by it? */
static inline bool irl_data_are_bound(const uint32_t *groups, uint32_t a, uint32_t b) {
  return groups && groups[a] & IRL_GROUP_BINDS && groups[a] == groups[b];
}
/* Does any group bind? */
bool irl_groups_bind(const uint32_t *groups, uint32_t n_features);

/* A matrix whose words somebody else owns; NULL: sizes alone. */
static inline irl_bits_matrix irl_bits_borrow(const uint64_t *words, size_t n_vectors,
                                              size_t n_bits) {
  return (irl_bits_matrix){.words = (uint64_t *)words,
                           .n_vectors = n_vectors,
                           .n_bits = n_bits,
                           .stride = irl_bits_stride(n_bits)};
}

/* The bits of a feature over the cases or the controls. */
static inline const uint64_t *irl_data_column(const irl_data *data, bool is_control,
                                              uint32_t feature) {
  return irl_bits_vector(is_control ? &data->controls : &data->cases, feature);
}

/* What labels are called; NULL stands for y, 1 and 0. */
typedef struct irl_data_labels {
  const char *target, *positive, *negative;
  bool is_coded; /* a feature may be called `!x` where there is no x */
} irl_data_labels;

/* What a data set is made of. */
typedef struct irl_data_frame {
  const char *place; /* starts errors about names and sizes: the name of a file */
  irl_names *names;  /* of the features; taken over, left empty */
  size_t n_samples;
  const uint8_t *labels; /* a byte per sample; NULL: there are none */
  irl_data_labels called;
} irl_data_frame;

/* The names that a caller gives, or f1, f2, ...; on failure there are none. */
irl_status irl_names_take(irl_env *env, uint32_t n, const char *const *given, irl_names *names);
/* Can features be called so, each by a name of its own? Makes the index. */
irl_status irl_names_check(irl_env *env, const char *place, irl_names *names);
/* Copies of the three texts into fields that are NULL; where one is not given, of y, 1 and 0. */
irl_status irl_data_labels_copy(irl_env *env, const irl_data_labels *called, char **const into[3]);
/* A data set without matrices. */
irl_status irl_data_create_unfilled(irl_env *env, const irl_data_frame *frame, irl_data **data);
/* Matrices of zeros for a data set that has none. */
irl_status irl_data_init_matrices(irl_env *env, irl_data *data);
/* A data set with matrices of zeros to be filled. */
irl_status irl_data_create(irl_env *env, const irl_data_frame *frame, irl_data **data);
/* How whoever makes data ends: they go to *out, or are freed if he failed. Returns `status`. */
irl_status irl_data_deliver(irl_status status, irl_data *data, irl_data **out);
/* Fills the matrices from rows in the order of the file. */
irl_status irl_data_fill(irl_env *env, irl_data *data, const uint64_t *const *rows, int threads);
/* The bits of each sample, in the order of the file, as rows: one matrix of cases, one of controls.
 */
typedef struct irl_data_rows {
  irl_bits_matrix cases, controls;
} irl_data_rows;
irl_status irl_data_rows_init(irl_env *env, irl_data_rows *rows, const irl_data *data, int threads);
void irl_data_rows_free(irl_data_rows *rows);

/* May the complement of a feature be a literal? Not where opposites are features too. */
static inline bool irl_data_may_negate(const irl_data *data) {
  return !data->has_opposites;
}

/* Does each feature stand for the negation of its name? */
static inline bool irl_data_is_complemented(const irl_data *data) {
  return data->is_reflected && !data->has_opposites;
}

/* Have the samples weights of their own? */
static inline bool irl_data_has_weights(const irl_data *data) {
  return data->weights[0].each;
}
/* What all cases (class 0) or controls (class 1) weigh: their number, if each counts once. */
static inline uint64_t irl_data_total(const irl_data *data, int class) {
  if (irl_data_has_weights(data)) return (uint64_t)data->weights[class].total;
  return class ? data->n_controls : data->n_cases;
}
/* The weight of the samples of a class that are in both vectors; `y` may be x. */
static inline uint64_t irl_data_weigh_both(const irl_data *data, int class, const uint64_t *x,
                                           const uint64_t *y) {
  const size_t n_words = (class ? &data->controls : &data->cases)->stride;
  return (uint64_t)irl_sample_weights_sum(&data->weights[class], x, y, n_words);
}
static inline uint64_t irl_data_weigh(const irl_data *data, int class, const uint64_t *x) {
  return irl_data_weigh_both(data, class, x, x);
}
/* Of what is there and what everything weighs, without which the bits do not say what is learnt. */
uint64_t irl_data_checksum(const irl_data *data);

/* Copies conditions and groups, which may be NULL; opposites are features from now on. */
irl_status irl_data_set_conditions(irl_env *env, irl_data *data, const irl_conditions *conditions,
                                   const uint32_t *groups);

#define IRL_SWAP(a, b)                                                                             \
  do {                                                                                             \
    const __typeof__(a) kept = a;                                                                  \
    a = b;                                                                                         \
    b = kept;                                                                                      \
  } while (0)
/* Cases become controls and controls cases. */
void irl_data_swap_classes(irl_data *data);

/* Fails for divided data, which has no bits of its own. */
irl_status irl_data_check_whole(irl_env *env, const irl_data *data);
/* Data whose bits made room for others (validate/estimate.c) may have failed to get them back. */
irl_status irl_data_check_bits(irl_env *env, const irl_data *data);

/* Do sizes, labels and tails of a finished data set agree? For assertions and files. */
bool irl_data_check(const irl_data *data);

#endif
