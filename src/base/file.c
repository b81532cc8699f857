#include "base/file.h"
#include "base/memory.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static irl_status read_stream(irl_env *env, const char *path, int descriptor, irl_file *file) {
  size_t used = 0, capacity = 1 << 16;
  char *bytes = irl_mem_grow(&env->allocator, NULL, capacity, 1);
  for (;;) {
    if (!bytes) return irl_fail_memory(env);
    const ssize_t got = read(descriptor, bytes + used, capacity - used);
    if (got < 0 && errno == EINTR && !irl_stopped(env)) continue;
    if (got < 0) {
      irl_mem_free(&env->allocator, bytes);
      return irl_fail(env, IRL_BAD_INPUT, "%s: %s", path, strerror(errno));
    }
    if (!got) break;
    used += (size_t)got;
    if (used < capacity) continue;
    char *grown = irl_mem_grow(&env->allocator, bytes, capacity *= 2, 1);
    if (!grown) irl_mem_free(&env->allocator, bytes);
    bytes = grown;
  }
  *file = (irl_file){bytes, used, false, env->allocator};
  return IRL_OK;
}

static irl_status map_or_read(irl_env *env, const char *path, int descriptor, irl_file *file) {
  struct stat about;
  if (fstat(descriptor, &about))
    return irl_fail(env, IRL_BAD_INPUT, "%s: %s", path, strerror(errno));
  if (S_ISDIR(about.st_mode))
    return irl_fail(env, IRL_BAD_INPUT, "%s: this is a directory, not a file", path);
  if (S_ISREG(about.st_mode) && about.st_size > 0) {
    void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) {
      *file = (irl_file){bytes, (size_t)about.st_size, true, env->allocator};
      return IRL_OK;
    }
  }
  return read_stream(env, path, descriptor, file);
}

irl_status irl_file_open(irl_env *env, const char *path, irl_file *file) {
  if (!strcmp(path, "-")) return read_stream(env, "standard input", STDIN_FILENO, file);
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return irl_fail(env, IRL_BAD_INPUT, "%s: %s", path, strerror(errno));
  const irl_status status = map_or_read(env, path, descriptor, file);
  close(descriptor);
  return status;
}

void irl_file_close(irl_file *file) {
  if (file->is_mapped)
    munmap((void *)file->bytes, file->size);
  else if (file->allocator.resize)
    irl_mem_free(&file->allocator, (void *)file->bytes);
  *file = (irl_file){0};
}

static irl_status cannot_write(irl_env *env, const char *path) {
  return irl_fail(env, IRL_CANNOT_WRITE, "%s: cannot write: %s", path, strerror(errno));
}

irl_status irl_output_open(irl_env *env, const char *path, irl_output *output) {
  const size_t length = strlen(path);
  char *temporary = irl_mem_alloc(&env->allocator, length + 16, 1);
  if (!temporary) return irl_fail_memory(env);
  snprintf(temporary, length + 16, "%s.XXXXXX", path);
  const int descriptor = mkstemp(temporary);
  FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
  if (!stream) {
    const irl_status status = cannot_write(env, path);
    if (descriptor >= 0) {
      close(descriptor);
      unlink(temporary);
    }
    irl_mem_free(&env->allocator, temporary);
    return status;
  }
  *output = (irl_output){env, path, temporary, stream};
  return IRL_OK;
}

/* mkstemp makes private files; a result gets the mode that any other new file would. */
static bool use_ordinary_mode(int descriptor) {
  const mode_t mask = umask(0);
  umask(mask);
  return !fchmod(descriptor, 0666 & ~mask);
}

irl_status irl_output_close(irl_output *output, bool keep) {
  irl_status status = IRL_OK;
  const bool complete = !fflush(output->stream) && !ferror(output->stream) &&
                        use_ordinary_mode(fileno(output->stream));
  if (keep && !complete) status = cannot_write(output->env, output->path);
  if (fclose(output->stream) && keep && !status) status = cannot_write(output->env, output->path);
  if (keep && !status && rename(output->temporary, output->path))
    status = cannot_write(output->env, output->path);
  if (!keep || status) unlink(output->temporary);
  irl_mem_free(&output->env->allocator, output->temporary);
  return status;
}

void irl_file_extension(const char *path, char extension[16]) {
  const char *dot = strrchr(path, '.');
  const char *slash = strrchr(path, '/');
  size_t n = 0;
  if (dot && (!slash || dot > slash))
    for (const char *c = dot + 1; *c && n < 15; c++)
      extension[n++] = (char)tolower((unsigned char)*c);
  extension[n] = '\0';
}
