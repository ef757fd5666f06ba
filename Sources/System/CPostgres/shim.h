#ifndef S3HEALTH_CPOSTGRES_H
#define S3HEALTH_CPOSTGRES_H
#include <libpq-fe.h>
#endif
