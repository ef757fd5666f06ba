#ifndef S3HEALTH_CQRCODE_H
#define S3HEALTH_CQRCODE_H
#include <qrencode.h>
#endif
