#ifndef S3HEALTH_CDEFLATE_H
#define S3HEALTH_CDEFLATE_H
#include <libdeflate.h>
#endif
