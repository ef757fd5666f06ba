#ifndef S3HEALTH_CZLIB_H
#define S3HEALTH_CZLIB_H
#include <string.h>
#include <zlib.h>

/* inflateInit2 is a macro; a negative window says that no zlib header stands before the data. */
static inline int s3h_inflate_begin(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return inflateInit2(stream, -MAX_WBITS);
}

static inline int s3h_inflate(z_stream *stream) { return inflate(stream, Z_NO_FLUSH); }

/* 16 more than the window: a gzip header and trailer instead of zlib's. */
static inline int s3h_gunzip_begin(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return inflateInit2(stream, MAX_WBITS + 16);
}

static inline int s3h_gzip_begin(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}
#endif
