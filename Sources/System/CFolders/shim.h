#ifndef S3HEALTH_CFOLDERS_H
#define S3HEALTH_CFOLDERS_H
#include <errno.h>
#if defined(__linux__) && __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* Opens a path below an open folder in one call, if no part of it is a symbolic link and it does not
   leave the folder. -1 with errno otherwise; ENOSYS where the system has no such call. */
static inline int s3h_open_below(int folder, const char *path, int flags) {
#ifdef SYS_openat2
  struct open_how how = {
      .flags = (unsigned int)flags, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH};
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
#else
  (void)folder, (void)path, (void)flags;
  errno = ENOSYS;
  return -1;
#endif
}
#endif
