/* Inside the reading of LIBSVM's text: the lines as entries, before they are a table. */
#ifndef IRL_READ_LIBSVM_H
#define IRL_READ_LIBSVM_H

#include "base/array.h"
#include "data/source.h"

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
  irl_position before; /* of a part of a file: what is before it, */
  uint64_t file_size;  /* bytes of the whole, */
  bool is_part, has_values;
  uint32_t *wanted; /* and the indices that are kept, ascending */
  size_t n_wanted;
  size_t at_column; /* that was made last */
} irl_libsvm;

#define irl_libsvm_fail(r, where, ...)                                                             \
  irl_source_fail((r)->env, (irl_place){(r)->source->path, (r)->text, where, (r)->before},         \
                  __VA_ARGS__)

/* The greatest index that a file of its size may have. */
uint64_t irl_libsvm_max_index(const irl_libsvm *reader);
/* All lines, from `at` on. */
irl_status irl_libsvm_lines(irl_libsvm *reader);

#endif
