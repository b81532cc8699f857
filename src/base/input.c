#include "base/input.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/posix.h"
#include <assert.h>

#define RAW_BYTES IRL_READING_STEP

static irl_status fail(const irl_input *input, const char *what) {
  return irl_fail(input->env, IRL_STATUS_BAD_INPUT, "%s: %s", input->place, what);
}

/* One read; 0 bytes at the end of the file. */
static irl_status read_some(irl_input *input, char *bytes, size_t n, size_t *got) {
  irl_env *env = input->env;
  for (;;) {
    if (!input->is_regular && !irl_file_wait(env, input->descriptor))
      return irl_reading_fail(env, input->place);
    const ssize_t now = input->is_regular ? pread(input->descriptor, bytes, n,
                                                  (off_t)(input->first + input->offset))
                                          : read(input->descriptor, bytes, n);
    if (now < 0 && (errno == EINTR || (errno == EAGAIN && !input->is_regular))) continue;
    if (now < 0) return fail(input, strerror(errno));
    *got = (size_t)now;
    return IRL_STATUS_OK;
  }
}

irl_status irl_input_fill(irl_input *input, size_t least) {
  assert(least <= RAW_BYTES && input->raw_at <= input->raw_n);
  if (input->raw_n - input->raw_at >= least) return IRL_STATUS_OK;
  memmove(input->raw, input->raw + input->raw_at, input->raw_n - input->raw_at);
  input->raw_n -= input->raw_at;
  input->raw_at = 0;
  while (input->raw_n < least && !input->is_raw_over) {
    size_t got = 0;
    if (input->offset > RAW_BYTES && irl_reading_limit_reached(input->env))
      return irl_reading_fail(input->env, input->place);
    const irl_status status =
        read_some(input, input->raw + input->raw_n, RAW_BYTES - input->raw_n, &got);
    if (status) return status;
    input->raw_n += got;
    input->offset += got;
    input->is_raw_over = !got;
    if (!got && input->is_regular)
      return irl_file_check_same(input->env, input->place, input->descriptor, &input->about);
  }
  return IRL_STATUS_OK;
}

static irl_status begin(irl_input *input) {
  const irl_status status = irl_input_fill(input, 3);
  input->is_packed = irl_is_compressed(input->raw, input->raw_n);
  return status;
}

irl_status irl_input_open(irl_env *env, const char *path, irl_input *input) {
  const bool is_standard = !strcmp(path, "-");
  irl_input made = {.env = env,
                    .allocator = env->allocator,
                    .place = is_standard ? "standard input" : path,
                    .descriptor = STDIN_FILENO,
                    .is_owned = !is_standard,
                    .raw = irl_mem_grow(&env->allocator, NULL, RAW_BYTES, 1)};
  irl_status status = made.raw ? IRL_STATUS_OK : irl_fail_memory(env);
  /* Or a named pipe would be waited for here until somebody writes to it. */
  if (!is_standard) made.descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (!status && (made.descriptor < 0 || fstat(made.descriptor, &made.about)))
    status = fail(&made, strerror(errno));
  if (!status && S_ISDIR(made.about.st_mode))
    status = fail(&made, is_standard ? strerror(EISDIR) : "this is a directory, not a file");
  if (!status && S_ISREG(made.about.st_mode) && made.about.st_size > 0) {
    const off_t at = is_standard ? lseek(made.descriptor, 0, SEEK_CUR) : 0;
    made.is_regular = at >= 0;
    made.first = at > 0 ? (uint64_t)at : 0;
  }
  if (!status) status = begin(&made);
  if (status)
    irl_input_close(&made);
  else
    *input = made;
  return status;
}

irl_status irl_input_read(irl_input *input, char *bytes, size_t n, size_t *got) {
  *got = 0;
  if (input->is_packed) return irl_unpack(input, bytes, n, got);
  while (*got < n) {
    const irl_status status = irl_input_fill(input, 1);
    const size_t there = input->raw_n - input->raw_at, now = there < n - *got ? there : n - *got;
    if (status) return status;
    if (!there) break;
    memcpy(bytes + *got, input->raw + input->raw_at, now);
    input->raw_at += now;
    *got += now;
  }
  return IRL_STATUS_OK;
}

irl_status irl_input_rewind(irl_input *input) {
  assert(input->is_regular);
  irl_unpacker_free(&input->allocator, input->unpacker);
  input->unpacker = NULL;
  input->is_raw_over = false;
  input->offset = 0;
  input->raw_at = input->raw_n = 0;
  return begin(input);
}

uint64_t irl_input_size(const irl_input *input) {
  return input->is_regular ? (uint64_t)input->about.st_size : input->offset;
}

void irl_input_close(irl_input *input) {
  if (!input->env) return;
  if (input->is_owned && input->descriptor >= 0) close(input->descriptor);
  irl_unpacker_free(&input->allocator, input->unpacker);
  irl_mem_free(&input->allocator, input->raw);
  *input = (irl_input){0};
}
