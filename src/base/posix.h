/* The calls of POSIX that files and clocks make, on systems that lack some of them.
 *
 * On Windows (MinGW) each that is missing has the least here that its callers need: files are
 * opened as bytes and read in blocks, owners and modes are left alone, nothing is waited for (the
 * limits of reading are looked at between blocks), a file that is replaced must not be open
 * elsewhere. macOS has all of them, but for two names. Only .c files include this header. */
#ifndef IRL_BASE_POSIX_H
#define IRL_BASE_POSIX_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef _WIN32

#include <poll.h>
#include <sys/mman.h>
#if defined(__APPLE__)
/* Its header declares it only for _REENTRANT. */
extern __attribute__((visibility("default"))) double lgamma_r(double x, int *sign);
#define IRL_STAT_NANOSECONDS(about) ((about)->st_mtimespec.tv_nsec)
#else
#define IRL_STAT_NANOSECONDS(about) ((about)->st_mtim.tv_nsec)
#endif

#else

#include <io.h>
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#define IRL_STAT_NANOSECONDS(about) 0
#define O_CLOEXEC                   (O_NOINHERIT | O_BINARY)
#define O_NONBLOCK                  0
#define O_DIRECTORY                 0
#define AT_FDCWD                    (-100)
#define AT_EACCESS                  0
#define AT_SYMLINK_FOLLOW           0
#define S_ISLNK(mode)               0
#define S_ISVTX                     0
#define POLLIN                      1
#define PROT_READ                   1
#define PROT_WRITE                  2
#define MAP_PRIVATE                 2
#define MAP_ANONYMOUS               32
#define MAP_FAILED                  ((void *)-1)
#ifndef ENOTSUP
#define ENOTSUP EINVAL
#endif

typedef int uid_t;
typedef int gid_t;

struct pollfd {
  int fd;
  short events;
};

static inline int poll(struct pollfd *wanted, int n, int milliseconds) {
  (void)wanted, (void)milliseconds;
  return n;
}

static inline void *mmap(void *at, size_t size, int rights, int kind, int descriptor,
                         int64_t offset) {
  (void)at, (void)rights, (void)kind, (void)descriptor, (void)offset;
  void *pages = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  return pages ? pages : MAP_FAILED;
}

static inline int munmap(void *pages, size_t size) {
  (void)size;
  return VirtualFree(pages, 0, MEM_RELEASE) ? 0 : -1;
}

static inline ssize_t pread(int descriptor, void *bytes, size_t n, int64_t offset) {
  OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
  DWORD got = 0;
  const DWORD wanted = n > INT_MAX ? INT_MAX : (DWORD)n;
  if (ReadFile((HANDLE)_get_osfhandle(descriptor), bytes, wanted, &got, &at) ||
      GetLastError() == ERROR_HANDLE_EOF)
    return (ssize_t)got;
  errno = EIO;
  return -1;
}

static inline int fsync(int descriptor) {
  return _commit(descriptor);
}

static inline int lstat(const char *path, struct stat *about) {
  return stat(path, about);
}

static inline uid_t geteuid(void) {
  return 0;
}

static inline int fchmod(int descriptor, unsigned mode) {
  (void)descriptor, (void)mode;
  return 0;
}

static inline int fchown(int descriptor, uid_t owner, gid_t group) {
  (void)descriptor, (void)owner, (void)group;
  return 0;
}

static inline int faccessat(int folder, const char *path, int rights, int flags) {
  (void)folder, (void)flags;
  return _access(path, rights);
}

static inline int linkat(int from, const char *path, int to, const char *name, int flags) {
  (void)from, (void)path, (void)to, (void)name, (void)flags;
  errno = ENOSYS;
  return -1;
}

static inline char *realpath(const char *path, char *target) {
  return _access(path, 0) ? NULL : _fullpath(target, path, PATH_MAX);
}

/* Over a file that is there, too. */
static inline int irl_replace(const char *from, const char *to) {
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return 0;
  errno = EACCES;
  return -1;
}
#define rename(from, to) irl_replace(from, to)

static inline void *memmem(const void *text, size_t n, const void *part, size_t length) {
  for (const char *at = text; n >= length; at++, n--)
    if (!memcmp(at, part, length)) return (void *)at;
  return NULL;
}

/* That of Windows keeps the sign for each thread. */
static inline double lgamma_r(double x, int *sign) {
  *sign = 1;
  return lgamma(x);
}

#endif
#endif
