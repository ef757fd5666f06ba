#ifndef S3HEALTH_CEXPAT_H
#define S3HEALTH_CEXPAT_H
#include <expat.h>

/* One inline each, so that Swift needs none of the macros and enums of expat. */
static inline int s3h_expat_parse(XML_Parser parser, const char *bytes, int count) {
  return XML_Parse(parser, bytes, count, 1) == XML_STATUS_OK;
}

static inline void s3h_expat_stop(XML_Parser parser) { XML_StopParser(parser, XML_FALSE); }

static inline const char *s3h_expat_problem(XML_Parser parser) {
  return XML_ErrorString(XML_GetErrorCode(parser));
}

/* Expat 2.9 has another function for it and deprecates the old one. */
static inline unsigned long long s3h_expat_line(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentLineNumber64(parser);
#else
  return XML_GetCurrentLineNumber(parser);
#endif
}
#endif
