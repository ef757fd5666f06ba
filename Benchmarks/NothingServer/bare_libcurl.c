/* What libcurl alone costs for a small PUT, one after the other on one connection: the yardstick
   for RequestBenchmark's rows with one request in flight.

     cc -O2 -o bare_libcurl bare_libcurl.c -lcurl && ./bare_libcurl http://127.0.0.1:PORT/key [requests] */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { body_size = 900 };

static size_t ignore(char *bytes, size_t size, size_t times, void *user) {
  (void)bytes, (void)user;
  return size * times;
}

static double microseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

int main(int arguments, char **argument) {
  if (arguments < 2) return 64;
  int count = arguments > 2 ? atoi(argument[2]) : 20000;
  char body[body_size];
  memset(body, 'x', sizeof body);
  CURL *curl = curl_easy_init();
  struct curl_slist *headers = curl_slist_append(NULL, "Expect:");
  curl_easy_setopt(curl, CURLOPT_URL, argument[1]);
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PUT");
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)sizeof body);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore);
  if (curl_easy_perform(curl) != CURLE_OK) return 69;
  double cpu = microseconds(CLOCK_PROCESS_CPUTIME_ID), wall = microseconds(CLOCK_MONOTONIC);
  for (int sent = 0; sent < count; sent++)
    if (curl_easy_perform(curl) != CURLE_OK) return 69;
  cpu = microseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = microseconds(CLOCK_MONOTONIC) - wall;
  printf("| bare libcurl PUT | 1 | %.0f | %.0f |\n", cpu / count, wall / count);
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  return 0;
}
