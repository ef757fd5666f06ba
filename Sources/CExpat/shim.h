#ifndef S3HEALTH_CEXPAT_H
#define S3HEALTH_CEXPAT_H
#include <expat.h>
#endif
