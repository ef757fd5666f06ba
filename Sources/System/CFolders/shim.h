#ifndef S3HEALTH_CFOLDERS_H
#define S3HEALTH_CFOLDERS_H
#include <errno.h>
#include <stddef.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#define S3H_HAS_OPENAT2
#endif
#endif

/* Opens a path below an open folder in one call, if no part of it is a symbolic link and it does not
   leave the folder. -1 with errno otherwise; ENOSYS where the system has no such call. */
static inline int s3h_open_below(int folder, const char *path, int flags) {
#if defined(SYS_openat2) && defined(S3H_HAS_OPENAT2)
  struct open_how how = {
      .flags = (unsigned int)flags, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH};
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
#else
  (void)folder, (void)path, (void)flags;
  errno = ENOSYS;
  return -1;
#endif
}

/* Reads entries of an open folder as the kernel lays them out: at byte 16 a length in two bytes, at 18
   the type, from 19 the name with a 0 at its end. How many bytes, 0 at the end, -1 with errno; ENOSYS where
   the system has no such call. */
static inline long s3h_read_entries(int folder, void *buffer, size_t size) {
#ifdef SYS_getdents64
  return syscall(SYS_getdents64, folder, buffer, size);
#else
  (void)folder, (void)buffer, (void)size;
  errno = ENOSYS;
  return -1;
#endif
}
#endif
