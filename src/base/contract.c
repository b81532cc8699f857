#include "base/contract.h"
#include <assert.h>
#include <string.h>

#define LEAST_SIZE (2 * sizeof(size_t)) /* the size itself and something beside it */
#define MOST_SIZE  65536u               /* far beyond any struct of the headers */

irl_status irl_need(irl_env *env, const char *names, const void *const *pointers, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const size_t length = strcspn(names, ",");
    assert(length && (i + 1 == n) == !names[length]);
    if (!pointers[i])
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "argument '%.*s' must not be NULL", (int)length,
                      names);
    names += names[length] ? length + strlen(", ") : length;
  }
  return IRL_STATUS_OK;
}

irl_status irl_fail_format(irl_env *env, int format) {
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "argument 'format' is IRL_FORMAT_TEXT or IRL_FORMAT_JSON, not %d", format);
}

static size_t size_of(const void *theirs) {
  size_t size;
  memcpy(&size, theirs, sizeof size);
  return size;
}

bool irl_sized_is_set(const void *theirs) {
  return theirs && size_of(theirs) >= LEAST_SIZE && size_of(theirs) <= MOST_SIZE;
}

irl_status irl_sized_need(irl_env *env, const void *theirs, const char *argument) {
  IRL_NEED(env, argument, theirs);
  if (irl_sized_is_set(theirs)) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "argument '%s' must begin with its size, which IRL_SIZED sets", argument);
}

irl_status irl_sized_copy_out(void *theirs, const void *ours, size_t size) {
  if (!irl_sized_is_set(theirs)) return IRL_STATUS_BAD_ARGUMENT;
  const size_t given = size_of(theirs) < size ? size_of(theirs) : size, from = sizeof(size_t);
  assert(ours && given >= from);
  memcpy((char *)theirs + from, (const char *)ours + from, given - from);
  return IRL_STATUS_OK;
}

void irl_sized_copy_in(const void *theirs, void *ours, size_t size) {
  assert(irl_sized_is_set(theirs) && ours && size >= LEAST_SIZE);
  memset(ours, 0, size);
  memcpy(ours, theirs, size_of(theirs) < size ? size_of(theirs) : size);
  memcpy(ours, &size, sizeof size);
}
