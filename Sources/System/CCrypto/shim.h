#ifndef S3HEALTH_CCRYPTO_H
#define S3HEALTH_CCRYPTO_H
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

// Without OpenSSL's exit handler: it would free what other threads may still use.
static inline int s3health_openssl_init(void) {
  return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

// A context for HMAC with SHA-256, to be keyed by EVP_MAC_init; NULL if there is none.
static inline EVP_MAC_CTX *s3health_hmac_sha256_new(void) {
  EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  if (mac == NULL) return NULL;
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  EVP_MAC_free(mac);
  if (context == NULL) return NULL;
  char digest[] = "SHA256";
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_end(),
  };
  if (EVP_MAC_CTX_set_params(context, parameters) != 1) {
    EVP_MAC_CTX_free(context);
    return NULL;
  }
  return context;
}
#endif
