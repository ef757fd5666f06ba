#ifndef S3HEALTH_CCURL_H
#define S3HEALTH_CCURL_H
#define CURL_STRICTER 1
#include <curl/curl.h>
#endif
