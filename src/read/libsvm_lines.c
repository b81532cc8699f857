#include "base/limit.h"
#include "base/memory.h"
#include "base/number.h"
#include "read/libsvm.h"
#include <math.h>

#define MAX_INDEX 100000000u /* as many as features can be generated */
/* Each feature costs memory, so a few bytes of text may not name very many: */
#define FREE_INDEX     4000000u /* up to here: half a gigabyte, */
#define INDEX_PER_BYTE 16u      /* and so many more for each byte of the file */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(irl_libsvm *r) {
  while (r->at < r->end && is_blank(*r->at)) r->at++;
}

static bool at_line_end(const irl_libsvm *r) {
  return r->at == r->end || *r->at == '\n' || *r->at == '#';
}

uint64_t irl_libsvm_max_index(const irl_libsvm *r) {
  const uint64_t most = FREE_INDEX + INDEX_PER_BYTE * r->file_size;
  return most < MAX_INDEX ? most : MAX_INDEX;
}

/* The number of the feature with that index; of a part, UINT32_MAX if it is not wanted. */
static uint32_t find_feature(const irl_libsvm *r, uint32_t index) {
  size_t low = 0, high = r->n_wanted;
  if (!r->is_part) return index - 1;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (r->wanted[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < r->n_wanted && r->wanted[low] == index ? (uint32_t)low : UINT32_MAX;
}

/* One `index:value`; *last is the index before it on the line. */
static irl_status read_entry(irl_libsvm *r, uint32_t *last) {
  const irl_allocator *allocator = &r->env->allocator;
  const char *start = r->at;
  uint64_t index = 0;
  double value;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && index < UINT32_MAX)
    index = index * 10 + (uint64_t)(*r->at++ - '0');
  if (r->at == start || r->at == r->end || *r->at != ':')
    return irl_libsvm_fail(r, start, "expected index:value");
  if (index < 1 || index > MAX_INDEX)
    return irl_libsvm_fail(r, start, "an index must be from 1 to 100000000");
  if (index > irl_libsvm_max_index(r))
    return irl_libsvm_fail(r, start, "this index is too large for so short a file");
  if (index <= *last) return irl_libsvm_fail(r, start, "indices must ascend");
  *last = (uint32_t)index;
  if (r->n_features < *last) r->n_features = *last;
  start = ++r->at;
  while (!at_line_end(r) && !is_blank(*r->at)) r->at++;
  if (!irl_number_parse(start, (size_t)(r->at - start), &value))
    return irl_libsvm_fail(r, start, "this value is not a number");
  const uint32_t feature = find_feature(r, *last);
  r->has_values |= value != 0 && value != 1;
  if (feature == UINT32_MAX) return IRL_STATUS_OK;
  if (value != 0 && value != 1 && !r->not_a_bit) r->not_a_bit = start;
  if (value == 0) return IRL_STATUS_OK;
  bool done = !isnan(value) || irl_array_push(allocator, &r->missing, start);
  /* Values are kept from the first one on that is not 0 or 1; all entries before it are 1. */
  while (done && r->not_a_bit && r->values.n < r->entries.n)
    done = irl_array_push(allocator, &r->values, 1);
  if (done && r->not_a_bit) done = irl_array_push(allocator, &r->values, value);
  return done && irl_array_push(allocator, &r->entries, feature) ? IRL_STATUS_OK
                                                                 : irl_fail_memory(r->env);
}

static irl_status read_line(irl_libsvm *r) {
  const irl_allocator *allocator = &r->env->allocator;
  const char *label = r->at, *rest = r->source->vs_rest;
  while (!at_line_end(r) && !is_blank(*r->at)) r->at++;
  const size_t length = (size_t)(r->at - label);
  if (memchr(label, ':', length) || memchr(label, '\0', length))
    return irl_libsvm_fail(r, label, "a line must start with a label");
  /* Of one label against all others, the others are what is known. */
  const bool is_rest_case = rest && strlen(rest) == length && !memcmp(rest, label, length);
  int number = is_rest_case && !r->source->no_labels;
  if (!is_rest_case && !r->source->no_labels) {
    const int added = irl_labels_add(&r->known, label, length);
    number = rest ? 0 : added;
  }
  if (number < 0)
    return irl_libsvm_fail(r, label,
                           "this is the third label; two are allowed, or --vs-rest VALUE for one "
                           "of them against all others");
  if (!irl_array_push(allocator, &r->labels, (uint8_t)number) ||
      !irl_array_push(allocator, &r->start, r->entries.n))
    return irl_fail_memory(r->env);
  uint32_t last = 0;
  for (skip_blanks(r); !at_line_end(r); skip_blanks(r)) {
    const irl_status status = read_entry(r, &last);
    if (status) return status;
  }
  return IRL_STATUS_OK;
}

irl_status irl_libsvm_lines(irl_libsvm *r) {
  size_t left = (size_t)(r->end - r->at);
  while (r->at < r->end) {
    skip_blanks(r);
    const irl_status status = at_line_end(r) ? IRL_STATUS_OK : read_line(r);
    if (status) return status;
    const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = line_end ? line_end + 1 : r->end;
    if (left - (size_t)(r->end - r->at) < IRL_READING_STEP) continue;
    left = (size_t)(r->end - r->at);
    if (irl_reading_limit_reached(r->env)) return irl_reading_fail(r->env, r->source->path);
  }
  if (r->is_part) return IRL_STATUS_OK;
  if (!r->start.n) return irl_libsvm_fail(r, r->end, "the file has no samples");
  return r->n_features ? IRL_STATUS_OK : irl_libsvm_fail(r, r->end, "the file has no features");
}
