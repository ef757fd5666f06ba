/* What Swift cannot import of libcurl: one typed inline function per kind of variadic argument,
   and the one thread that drives the transfers. */
#ifndef S3HEALTH_CCURL_H
#define S3HEALTH_CCURL_H

/* Without CURL_STRICTER, which libcurl 8.11 dropped: handles are void pointers in every release. */
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#if LIBCURL_VERSION_NUM < 0x075500
#error "libcurl 7.85 or newer is needed (CURLOPT_PROTOCOLS_STR)"
#endif

static inline CURLcode s3h_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode s3h_set_offset(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

/* libcurl copies the string. */
static inline CURLcode s3h_set_string(
    CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

/* libcurl keeps the pointer, except for COPYPOSTFIELDS. */
static inline CURLcode s3h_set_pointer(
    CURL *_Nonnull easy, CURLoption option, const void *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

/* For READ, WRITE and HEADER functions, which have one shape. */
static inline CURLcode s3h_set_transfer_callback(
    CURL *_Nonnull easy, CURLoption option, curl_write_callback _Nonnull callback) {
  return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode s3h_set_seek_callback(
    CURL *_Nonnull easy, curl_seek_callback _Nonnull callback) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}

static inline CURLcode s3h_set_prereq_callback(
    CURL *_Nonnull easy, curl_prereq_callback _Nonnull callback) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

/* Without it, dropping a transfer that waits for a name blocks until the resolver gives up. */
static inline CURLcode s3h_set_quick_exit(CURL *_Nonnull easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
  return CURLE_OK;
#endif
}

static inline long s3h_get_long(CURL *_Nonnull easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

/* The socket of a finished transfer's connection, while that is kept for reuse; else -1. */
static inline curl_socket_t s3h_get_kept_socket(CURL *_Nonnull easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : -1;
}

static inline int s3h_port(const struct sockaddr_storage *_Nonnull address) {
  switch (address->ss_family) {
    case AF_INET: return ntohs(((const struct sockaddr_in *)address)->sin_port);
    case AF_INET6: return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
    default: return -1;
  }
}

/* Whether `socket` is connected between these two ports, and there is something to read on it or
   it has ended. */
static inline int s3h_has_input(curl_socket_t socket, int local_port, int remote_port) {
  struct sockaddr_storage local, remote;
  socklen_t local_size = sizeof local, remote_size = sizeof remote;
  struct pollfd watch = {socket, POLLIN, 0};
  return poll(&watch, 1, 0) > 0 &&
         getsockname(socket, (struct sockaddr *)&local, &local_size) == 0 &&
         getpeername(socket, (struct sockaddr *)&remote, &remote_size) == 0 &&
         s3h_port(&local) == local_port && s3h_port(&remote) == remote_port;
}

static inline void *_Nullable s3h_get_private(CURL *_Nonnull easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode s3h_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* libcurl tells both with `owner` which sockets it wants watched and when it wants to be called. */
static inline CURLMcode s3h_multi_set_callbacks(
    CURLM *_Nonnull multi, curl_socket_callback _Nonnull on_socket,
    curl_multi_timer_callback _Nonnull on_timer, void *_Nonnull owner) {
  CURLMcode result = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  if (result == CURLM_OK) result = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, owner);
  if (result == CURLM_OK) result = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  if (result == CURLM_OK) result = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, owner);
  return result;
}

/* A macro with a cast, which Swift does not import. */
static const curl_socket_t s3h_socket_timeout = CURL_SOCKET_TIMEOUT;

/* struct pollfd under a name that needs no system module. */
typedef struct {
  int descriptor;
  short wanted;
  short found;
} s3h_watch;
_Static_assert(
    sizeof(s3h_watch) == sizeof(struct pollfd) &&
        offsetof(s3h_watch, descriptor) == offsetof(struct pollfd, fd) &&
        offsetof(s3h_watch, wanted) == offsetof(struct pollfd, events) &&
        offsetof(s3h_watch, found) == offsetof(struct pollfd, revents),
    "s3h_watch stands for struct pollfd");

/* What to watch a socket for, of a CURL_POLL_* value. */
static inline short s3h_poll_events(int what) {
  return (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0));
}

/* What poll found, as CURL_CSELECT_* bits: a socket that hung up can be read to its end. */
static inline int s3h_select_bits(short found) {
  return (found & (POLLIN | POLLHUP) ? CURL_CSELECT_IN : 0) |
         (found & POLLOUT ? CURL_CSELECT_OUT : 0) |
         (found & (POLLERR | POLLNVAL) ? CURL_CSELECT_ERR : 0);
}

/* How many of them something was found on; below 0 where the wait was cut short. */
static inline int s3h_wait(s3h_watch *_Nonnull watches, size_t count, int milliseconds) {
  return poll((struct pollfd *)watches, (nfds_t)count, milliseconds);
}

/* A pipe by which other threads end a wait; both ends at -1 where none could be had. */
typedef struct {
  int reader;
  int writer;
} s3h_bell;

static inline s3h_bell s3h_bell_make(void) {
  int ends[2];
  if (pipe(ends) != 0) return (s3h_bell){-1, -1};
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  return (s3h_bell){ends[0], ends[1]};
}

/* How many descriptors may still be opened: the bell has the newest, and the lowest free numbers are
   taken first. */
static inline long s3h_descriptors_left(s3h_bell bell) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > (1 << 20)) return 1 << 20;
  int newest = bell.reader > bell.writer ? bell.reader : bell.writer;
  return (long)limit.rlim_cur - newest - 1;
}

/* A full pipe rings already. */
static inline void s3h_bell_ring(s3h_bell bell) {
  ssize_t written = write(bell.writer, "", 1);
  (void)written;
}

static inline void s3h_bell_hush(s3h_bell bell) {
  char rings[64];
  while (read(bell.reader, rings, sizeof rings) == (ssize_t)sizeof rings) {
  }
}

static inline void s3h_bell_close(s3h_bell bell) {
  if (bell.reader >= 0) close(bell.reader);
  if (bell.writer >= 0) close(bell.writer);
}

/* One finished transfer, or false. */
static inline int s3h_multi_next_done(
    CURLM *_Nonnull multi, CURL *_Nullable *_Nonnull easy, CURLcode *_Nonnull result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *easy = message->easy_handle;
      *result = message->data.result;
      return 1;
    }
  }
  return 0;
}

/* pthread_t differs between systems in its nullability and shape; in a struct it does not. Any
   thread may join another, which Swift can't know where an id is a pointer, as on Darwin. */
typedef struct __attribute__((swift_attr("@Sendable"))) {
  pthread_t id;
} s3h_thread;

/* Starts a thread that takes no signals: they belong to the program's own threads. */
static inline int s3h_thread_start(
    s3h_thread *_Nonnull thread, void *_Nullable (*_Nonnull body)(void *_Nullable),
    void *_Nullable argument) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int result = pthread_create(&thread->id, NULL, body, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

static inline int s3h_at_exit(void (*_Nonnull handler)(void)) { return atexit(handler); }

/* A seek's origin that libcurl uses: the body's start. */
static const int s3h_seek_set = SEEK_SET;

static inline void s3h_thread_join(s3h_thread thread) { pthread_join(thread.id, NULL); }
static inline void s3h_thread_detach(s3h_thread thread) { pthread_detach(thread.id); }
static inline int s3h_thread_is_current(s3h_thread thread) {
  return pthread_equal(thread.id, pthread_self());
}

#endif
