/* Files that are written in parts, for callers who have no stream of the library's (file.h). */
#include "base/contract.h"
#include "base/file.h"
#include "base/memory.h"
#include "ireland_data.h"
#include <errno.h>
#include <string.h>

struct irl_writer {
  irl_output output;
  char *path;
};

irl_status irl_writer_open(irl_env *env, const char *path, irl_writer **out) {
  IRL_NEED(env, "env, path, writer", env, path, out);
  irl_writer *made = irl_mem_alloc(&env->allocator, 1, sizeof *made);
  if (!made) return irl_fail_memory(env);
  made->path = irl_mem_copy_text(&env->allocator, path, strlen(path));
  const irl_status status =
      made->path ? irl_output_open(env, made->path, &made->output) : irl_fail_memory(env);
  if (status) {
    irl_mem_free(&env->allocator, made->path);
    irl_mem_free(&env->allocator, made);
    return status;
  }
  *out = made;
  return IRL_STATUS_OK;
}

irl_status irl_writer_add(irl_env *env, irl_writer *writer, const void *bytes, size_t size) {
  IRL_NEED(env, "env, writer, bytes", env, writer, bytes);
  if (fwrite(bytes, 1, size, writer->output.stream) == size) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_CANNOT_WRITE, "%s: %s", writer->path, strerror(errno));
}

irl_status irl_writer_close(irl_env *env, irl_writer *writer, bool keep) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!writer) return IRL_STATUS_OK;
  writer->output.env = env;
  const irl_status status = irl_output_close(&writer->output, keep);
  irl_mem_free(&env->allocator, writer->path);
  irl_mem_free(&env->allocator, writer);
  return status;
}
