/* LIBSVM inside: what its reader hands to the maker of number columns. */
#ifndef IRL_READ_LIBSVM_H
#define IRL_READ_LIBSVM_H

#include "base/array.h"
#include "table/raw_table.h"

typedef struct irl_libsvm {
  irl_env *env;
  const irl_source *source;
  const char *text, *end, *at;
  irl_labels known; /* labels as they were met; with vs_rest those of the controls, two at most */
  struct {
    IRL_ARRAY(uint8_t)
  } labels; /* number in `known`; with vs_rest 1 for the cases */
  struct {
    IRL_ARRAY(size_t)
  } start; /* of each row's entries */
  struct {
    IRL_ARRAY(uint32_t)
  } entries; /* features */
  struct {
    IRL_ARRAY(double)
  } values;              /* of the entries; none: all are 1 */
  const char *not_a_bit; /* where the first value other than 0 and 1 stands */
  struct {
    IRL_ARRAY(const char *)
  } missing; /* where values are not a number, in the order of the entries */
  uint32_t n_features;
} irl_libsvm;

/* Fails if so many bytes are more than the memory limit leaves, or than the file can justify. */
irl_status irl_libsvm_afford(const irl_libsvm *r, double bytes);
/* Entries of row i: from start[i] up to this one. */
size_t irl_libsvm_row_end(const irl_libsvm *r, size_t row);
/* Number columns of the table; its labels are there already. */
irl_status irl_libsvm_numbers(const irl_libsvm *r, irl_table *table);

#endif
