#ifndef S3HEALTH_CCRYPTO_H
#define S3HEALTH_CCRYPTO_H
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#endif
