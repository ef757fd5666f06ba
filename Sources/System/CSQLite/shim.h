#ifndef S3HEALTH_CSQLITE_H
#define S3HEALTH_CSQLITE_H
#include <sqlite3.h>

/* SQLITE_TRANSIENT casts a number to a function pointer, which Swift does not import. */
static inline int s3h_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
  return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

static inline int s3h_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT);
}
#endif
