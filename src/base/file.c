#define _GNU_SOURCE /* O_TMPFILE */
#include "base/file.h"
#include "base/c_locale.h"
#include "base/contract.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/posix.h"

#define MAX_TEMPORARIES 1000u /* of one process beside one file */
#define PATIENCE        100   /* milliseconds between two looks at limits */
#define CHUNK           (16 * IRL_READING_STEP)
#define DESCRIPTORS     "/proc/self/fd" /* where files without a name have one */

static bool has_ending(const char *path, const char *ending) {
  const size_t n = strlen(path), length = strlen(ending);
  return n > length && irl_c_equal_ignoring_case(path + n - length, ending, length);
}

/* A signal may come just before the wait, so it is never a long one; what is there already is not
 * waited for, so a limit does not count. */
bool irl_file_wait(const irl_env *env, int descriptor) {
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  for (int patience = 0; !irl_stopped(env); patience = PATIENCE) {
    const int n = poll(&wanted, 1, patience);
    if (patience && irl_reading_limit_reached(env)) return false;
    if (n > 0 || (n < 0 && errno != EINTR)) return true;
  }
  return false;
}

irl_status irl_file_keep(irl_env *env, char *block, size_t used, irl_file *file) {
  char *trimmed = irl_mem_grow(&env->allocator, block, used, 1);
  if (!trimmed) {
    irl_mem_free(&env->allocator, block);
    return irl_fail_memory(env);
  }
  /* The bytes end where the block does, also if there are none. */
  *file = (irl_file){
      .bytes = trimmed + !used, .size = used, .block = trimmed, .allocator = env->allocator};
  return IRL_STATUS_OK;
}

static irl_status read_stream(irl_env *env, const char *path, int descriptor, irl_file *file) {
  size_t used = 0, capacity = 1 << 16;
  char *bytes = irl_mem_grow(&env->allocator, NULL, capacity, 1);
  for (;;) {
    if (!bytes) return irl_fail_memory(env);
    if (!irl_file_wait(env, descriptor) ||
        (used > IRL_READING_STEP && irl_reading_limit_reached(env))) {
      irl_mem_free(&env->allocator, bytes);
      return irl_reading_fail(env, path);
    }
    const ssize_t got = read(descriptor, bytes + used, capacity - used);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) {
      irl_mem_free(&env->allocator, bytes);
      return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    }
    if (!got) return irl_file_keep(env, bytes, used, file);
    used += (size_t)got;
    if (used < capacity) continue;
    char *grown = irl_mem_grow(&env->allocator, bytes, capacity *= 2, 1);
    if (!grown) irl_mem_free(&env->allocator, bytes);
    bytes = grown;
  }
}

/* Up to `size` bytes from that place on; -1: an error. */
static ssize_t read_at(int descriptor, uint64_t offset, char *bytes, size_t size) {
  size_t used = 0;
  while (used < size) {
    const ssize_t got = pread(descriptor, bytes + used, size - used, (off_t)(offset + used));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (!got) break;
    used += (size_t)got;
  }
  return (ssize_t)used;
}

irl_status irl_file_check_same(irl_env *env, const char *path, int descriptor,
                               const struct stat *before) {
  struct stat after;
  if (!fstat(descriptor, &after) && after.st_size == before->st_size &&
      after.st_mtime == before->st_mtime &&
      IRL_STAT_NANOSECONDS(&after) == IRL_STAT_NANOSECONDS(before))
    return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the file changed while it was read", path);
}

/* A copy of the file in pages of its own. Were the file itself mapped, another process that cuts it
 * off would end ours, and one that writes to it would change data under a proof. */
static irl_status read_regular(irl_env *env, const char *path, int descriptor,
                               const struct stat *about, irl_file *file) {
  const size_t size = (size_t)about->st_size;
  irl_file made = {.size = size, .is_mapped = !IRL_FILES_IN_BLOCKS, .allocator = env->allocator};
  irl_status status = IRL_STATUS_OK;
  if (made.is_mapped) {
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    made.bytes = pages == MAP_FAILED ? NULL : pages;
  } else {
    made.bytes = made.block = irl_mem_grow(&env->allocator, NULL, size, 1);
  }
  if (!made.bytes) return irl_fail_memory(env);
  for (size_t used = 0; used < size && !status; used += CHUNK) {
    const size_t n = size - used < CHUNK ? size - used : CHUNK;
    if (used && irl_reading_limit_reached(env)) {
      status = irl_reading_fail(env, path);
    } else {
      const ssize_t got = read_at(descriptor, used, (char *)made.bytes + used, n);
      if (got < 0) status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
      if (!status && (size_t)got != n)
        status =
            irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the file changed while it was read", path);
    }
  }
  if (!status) status = irl_file_check_same(env, path, descriptor, about);
  if (status)
    irl_file_close(&made);
  else
    *file = made;
  return status;
}

static irl_status open_as_it_is(irl_env *env, const char *path, irl_file *file) {
  struct stat about;
  irl_status status;
  if (!strcmp(path, "-")) return read_stream(env, "standard input", STDIN_FILENO, file);
  /* Or a named pipe would be waited for here until somebody writes to it. */
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0 || fstat(descriptor, &about))
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
  else if (S_ISDIR(about.st_mode))
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: this is a directory, not a file", path);
  else if (S_ISREG(about.st_mode) && about.st_size > 0)
    status = read_regular(env, path, descriptor, &about, file);
  else
    status = read_stream(env, path, descriptor, file);
  if (descriptor >= 0) close(descriptor);
  return status;
}

irl_status irl_file_open(irl_env *env, const char *path, irl_file *file) {
  irl_file made;
  irl_status status = open_as_it_is(env, path, &made);
  if (status) return status;
  const char *place = strcmp(path, "-") ? path : "standard input";
  if (irl_is_compressed(made.bytes, made.size)) status = irl_decompress(env, place, &made);
  if (!status) status = irl_foreign_check(env, place, &made);
  if (status)
    irl_file_close(&made);
  else
    *file = made;
  return status;
}

void irl_file_close(irl_file *file) {
  if (file->is_mapped)
    munmap((void *)file->bytes, file->size);
  else if (file->allocator.resize)
    irl_mem_free(&file->allocator, file->block);
  *file = (irl_file){0};
}

irl_status irl_file_open_parts(irl_env *env, const char *path, irl_file_parts *file) {
  char start[4];
  *file =
      (irl_file_parts){.env = env, .path = path, .descriptor = open(path, O_RDONLY | O_CLOEXEC)};
  const char *obstacle = NULL;
  if (file->descriptor < 0 || fstat(file->descriptor, &file->about)) {
    obstacle = strerror(errno);
  } else if (!S_ISREG(file->about.st_mode)) {
    obstacle = "only a regular file can be read in parts";
  } else {
    const ssize_t got = read_at(file->descriptor, 0, start, sizeof start);
    if (got > 0 && irl_is_compressed(start, (size_t)got))
      obstacle = "a compressed file cannot be read in parts";
  }
  file->size = (uint64_t)file->about.st_size;
  if (!obstacle) return IRL_STATUS_OK;
  const irl_status status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %s", path, obstacle);
  irl_file_close_parts(file);
  return status;
}

bool irl_file_get_part(const irl_file_parts *file, uint64_t offset, void *bytes, size_t n) {
  return read_at(file->descriptor, offset, bytes, n) == (ssize_t)n;
}

irl_status irl_file_check_parts(const irl_file_parts *file) {
  return irl_file_check_same(file->env, file->path, file->descriptor, &file->about);
}

void irl_file_close_parts(irl_file_parts *file) {
  if (file->descriptor >= 0) close(file->descriptor);
  file->descriptor = -1;
}

static irl_status cannot_write(irl_env *env, const char *path) {
  return irl_fail(env, IRL_STATUS_CANNOT_WRITE, "%s: cannot write: %s", path, strerror(errno));
}

/* A link of another user in a folder where anybody may leave one, such as /tmp: whoever follows it
 * lets that user choose which file is replaced. */
static bool is_planted(const char *path) {
  struct stat link, folder;
  char above[PATH_MAX];
  const char *slash = strrchr(path, '/');
  const int length = slash ? (int)(slash - path) + 1 : 1;
  snprintf(above, sizeof above, "%.*s", length, slash ? path : ".");
  return !lstat(path, &link) && S_ISLNK(link.st_mode) && link.st_uid != geteuid() &&
         !stat(above, &folder) && folder.st_mode & S_ISVTX && folder.st_mode & 02 &&
         link.st_uid != folder.st_uid;
}

/* Devices and pipes are written to as they are. */
static bool is_special(const char *path) {
  struct stat about;
  return !stat(path, &about) && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* The new file gets owner and mode of the old one, before anything is in it. A group that cannot be
 * kept has no more rights than everybody. */
static bool take_mode(int descriptor, const struct stat *old) {
  struct stat made;
  mode_t mode = old->st_mode & 0777;
  if (fstat(descriptor, &made)) return false;
  if (made.st_uid != old->st_uid || made.st_gid != old->st_gid) {
    if (fchown(descriptor, old->st_uid, old->st_gid) && fchown(descriptor, (uid_t)-1, old->st_gid))
      mode &= ~(mode_t)070 | (mode & 07) << 3;
  }
  return !fchmod(descriptor, mode);
}

/* The names to try for a temporary file; false: there are no more. */
static bool name_temporary(irl_output *output, unsigned i) {
  const size_t size = strlen(output->target) + 32;
  snprintf(output->temporary, size, "%s.%ld-%u.tmp", output->target, (long)getpid(), i);
  return i < MAX_TEMPORARIES;
}

/* A file without a name in the folder of the target: nothing is left of it if the process is
 * killed. -1: not every system and file system has them. */
static int open_unnamed(irl_output *output, mode_t mode) {
  int descriptor = -1;
#ifdef O_TMPFILE
  const char *slash = strrchr(output->target, '/');
  const size_t length = slash > output->target ? (size_t)(slash - output->target) : 1;
  memcpy(output->temporary, slash ? output->target : ".", length);
  output->temporary[length] = '\0';
  if (!access(DESCRIPTORS, X_OK))
    descriptor = open(output->temporary, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
#else
  (void)mode;
#endif
  output->is_unnamed = descriptor >= 0;
  return descriptor;
}

/* Gives it the name of a temporary file, for a moment. */
static bool name_unnamed(irl_output *output) {
  char link[sizeof DESCRIPTORS + 24];
  snprintf(link, sizeof link, DESCRIPTORS "/%d", fileno(output->stream));
  for (unsigned i = 0; output->is_unnamed && name_temporary(output, i); i++) {
    output->is_unnamed =
        linkat(AT_FDCWD, link, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW) != 0;
    if (output->is_unnamed && errno != EEXIST) return false;
  }
  return !output->is_unnamed;
}

/* A file in the folder of the target that will replace it. A new one has the mode that the umask
 * gives it. */
static int open_replacement(irl_output *output) {
  struct stat old;
  const bool is_there = !stat(output->target, &old), is_file = is_there && S_ISREG(old.st_mode);
  const mode_t mode = is_file ? 0600 : 0666;
  /* The folder might let us replace a file that is to stay as it is: it stays. */
  if (is_there && S_ISDIR(old.st_mode)) {
    errno = EISDIR;
    return -1;
  }
  if (faccessat(AT_FDCWD, output->target, W_OK, AT_EACCESS) && errno != ENOENT) return -1;
  int descriptor = open_unnamed(output, mode);
  for (unsigned i = 0; descriptor < 0 && name_temporary(output, i); i++) {
    descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0 && errno != EEXIST) return -1;
  }
  if (descriptor < 0 || !is_file || take_mode(descriptor, &old)) return descriptor;
  const int error = errno;
  close(descriptor);
  if (!output->is_unnamed) unlink(output->temporary);
  errno = error;
  return -1;
}

static irl_status open_target(irl_output *output) {
  output->is_direct = is_special(output->target);
  const int descriptor =
      output->is_direct ? open(output->target, O_WRONLY | O_CLOEXEC) : open_replacement(output);
  if (descriptor < 0) return cannot_write(output->env, output->path);
  output->stream = fdopen(descriptor, "wb");
  if (output->stream) return IRL_STATUS_OK;
  const irl_status status = cannot_write(output->env, output->path);
  close(descriptor);
  if (!output->is_direct && !output->is_unnamed) unlink(output->temporary);
  return status;
}

static void free_names(irl_output *output) {
  irl_mem_free(&output->env->allocator, output->target);
  irl_mem_free(&output->env->allocator, output->temporary);
}

irl_status irl_output_open(irl_env *env, const char *path, irl_output *output) {
  char target[PATH_MAX];
  if (has_ending(path, ".gz"))
    return irl_fail(env, IRL_STATUS_CANNOT_WRITE,
                    "%s: cannot write: .gz files are read, not written; write it without .gz and "
                    "compress it then",
                    path);
  if (is_planted(path))
    return irl_fail(env, IRL_STATUS_CANNOT_WRITE,
                    "%s: cannot write: this symbolic link belongs to another user, in a folder "
                    "that everybody can write to; remove it or choose another name",
                    path);
  /* The file that the path leads to, so that a link stays a link; one that leads nowhere is
   * replaced. */
  if (!realpath(path, target)) {
    errno = ENAMETOOLONG;
    if (strlen(path) >= PATH_MAX) return cannot_write(env, path);
    strcpy(target, path);
  }
  const size_t length = strlen(target);
  irl_output made = {.env = env,
                     .path = path,
                     .target = irl_mem_copy_text(&env->allocator, target, length),
                     .temporary = irl_mem_alloc(&env->allocator, length + 32, 1)};
  const irl_status status =
      made.target && made.temporary ? open_target(&made) : irl_fail_memory(env);
  if (status)
    free_names(&made);
  else
    *output = made;
  return status;
}

/* The folder of the target, so that the new name outlives a failure of power. The file is in its
 * place by then, so nothing comes of an error. */
static void sync_folder(irl_output *output) {
  char *slash = strrchr(output->target, '/');
  if (slash) slash[slash == output->target] = '\0';
  const int descriptor = open(slash ? output->target : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)!fsync(descriptor);
  close(descriptor);
}

irl_status irl_output_close(irl_output *output, bool keep) {
  bool is_done = !fflush(output->stream) && !ferror(output->stream);
  irl_status status = IRL_STATUS_OK;
  if (is_done && keep && !output->is_direct) {
    /* What was written is on the disk before it gets its name; file systems that cannot say so are
     * believed. */
    int error;
    while ((error = fsync(fileno(output->stream))) && errno == EINTR) continue;
    is_done = !error || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
  }
  if (keep && (!is_done || !name_unnamed(output))) status = cannot_write(output->env, output->path);
  if (fclose(output->stream) && keep && !status) status = cannot_write(output->env, output->path);
  if (!output->is_direct) {
    if (keep && !status && rename(output->temporary, output->target))
      status = cannot_write(output->env, output->path);
    if ((!keep || status) && !output->is_unnamed) unlink(output->temporary);
    if (keep && !status) sync_folder(output);
  }
  free_names(output);
  return status;
}

irl_status irl_output_finish(irl_output *output, irl_status status) {
  if (status == IRL_STATUS_LIMIT)
    status = irl_writing_fail(output->env, output->path, !output->is_direct);
  const irl_status closed = irl_output_close(output, !status);
  return status ? status : closed;
}

irl_status irl_file_write(irl_env *env, const char *path, const void *bytes, size_t size) {
  IRL_NEED(env, "env, path", env, path);
  if (size) IRL_NEED(env, "bytes", bytes);
  irl_output output;
  const irl_status status = irl_output_open(env, path, &output);
  if (status) return status;
  if (size) fwrite(bytes, 1, size, output.stream); /* closing tells of errors */
  return irl_output_close(&output, true);
}

irl_status irl_file_read(irl_env *env, const char *path, irl_bytes *bytes) {
  IRL_NEED(env, "env, path, bytes", env, path, bytes);
  irl_file file;
  const irl_status status = irl_file_open(env, path, &file);
  if (status) return status;
  char *copy = irl_mem_copy_text(&env->allocator, file.bytes, file.size);
  char *name = irl_mem_copy_text(&env->allocator, path, strlen(path));
  const size_t size = file.size;
  irl_file_close(&file);
  if (!copy || !name) {
    irl_mem_free(&env->allocator, copy);
    irl_mem_free(&env->allocator, name);
    return irl_fail_memory(env);
  }
  *bytes = (irl_bytes){copy, size, name};
  return IRL_STATUS_OK;
}

void irl_bytes_free(irl_env *env, irl_bytes *bytes) {
  if (!env || !bytes) return;
  irl_mem_free(&env->allocator, (void *)bytes->data);
  irl_mem_free(&env->allocator, (void *)bytes->name);
  *bytes = (irl_bytes){0};
}

irl_status irl_file_check(irl_env *env, const char *path) {
  IRL_NEED(env, "env, path", env, path);
  irl_output output;
  if (is_special(path)) return access(path, W_OK) ? cannot_write(env, path) : IRL_STATUS_OK;
  const irl_status status = irl_output_open(env, path, &output);
  return status ? status : irl_output_close(&output, false);
}

void irl_file_extension(const char *path, char extension[16]) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t end = strlen(name), n = 0;
  if (has_ending(name, ".gz")) end -= strlen(".gz");
  size_t start = end;
  while (start && name[start - 1] != '.') start--;
  for (size_t i = start; start && i < end && n < 15; i++) extension[n++] = irl_c_lower(name[i]);
  extension[n] = '\0';
}
