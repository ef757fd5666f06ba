#ifndef S3HEALTH_CMEMORY_H
#define S3HEALTH_CMEMORY_H
#ifdef __linux__
#include <malloc.h>
#endif

/* Blocks of a megabyte and more go back to the system at once. glibc would raise its bound with the
   first of them, and a program that runs for long would keep what the largest ones took.
   Once that bound is set, glibc would also return each free 128 KiB, only to take them again for the
   next body of a request. It may keep twice the bound, as it does where it sets both. */
static inline void s3h_return_large_blocks(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 2 << 20);
#endif
}
#endif
