/* A do-nothing HTTP/1.1 server, to measure what a client costs by itself.

   Answers every request with a fixed 200 and keeps the connection; request bodies are skipped by
   their Content-Length. One thread, epoll. Listens on 127.0.0.1 at the port given (0: any) and
   prints the port.

     cc -O2 -o nothing_server nothing_server.c && ./nothing_server 0 [response body bytes] */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { head_room = 16 << 10, most = 4096 };

struct client {
  size_t used;      /* bytes of a header gathered so far */
  size_t body_left; /* bytes of a request body still to skip */
  char head[head_room];
};

static struct client *clients[most];
static char *answer;
static size_t answer_size;

static void drop(int fd) {
  close(fd);
  free(clients[fd]);
  clients[fd] = NULL;
}

static int reply(int fd) {
  size_t sent = 0;
  while (sent < answer_size) {
    ssize_t n = send(fd, answer + sent, answer_size - sent, MSG_NOSIGNAL);
    if (n <= 0) return 0;
    sent += (size_t)n;
  }
  return 1;
}

/* Handles all whole requests in the buffer; 0 if the client is to be dropped. */
static int handle(int fd, struct client *c) {
  for (;;) {
    c->head[c->used] = 0;
    char *end = strstr(c->head, "\r\n\r\n");
    if (!end) return c->used < head_room - 1;
    size_t head_size = (size_t)(end - c->head) + 4, body = 0;
    for (char *line = c->head; line < end; line = strstr(line, "\r\n") + 2)
      if (!strncasecmp(line, "content-length:", 15)) body = strtoull(line + 15, NULL, 10);
    size_t here = c->used - head_size;
    if (here < body) {
      c->body_left = body - here;
      c->used = 0;
      return 1; /* answered when the body is in */
    }
    c->used = here - body;
    memmove(c->head, c->head + head_size + body, c->used);
    if (!reply(fd)) return 0;
  }
}

static int readable(int fd, struct client *c) {
  static char sink[256 << 10];
  if (c->body_left) {
    size_t want = c->body_left < sizeof sink ? c->body_left : sizeof sink;
    ssize_t n = recv(fd, sink, want, 0);
    if (n <= 0) return 0;
    c->body_left -= (size_t)n;
    return c->body_left ? 1 : reply(fd);
  }
  ssize_t n = recv(fd, c->head + c->used, head_room - 1 - c->used, 0);
  if (n <= 0) return 0;
  c->used += (size_t)n;
  return handle(fd, c);
}

int main(int argc, char **argv) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  at.sin_port = htons((unsigned short)(argc > 1 ? atoi(argv[1]) : 0));
  size_t body = argc > 2 ? strtoull(argv[2], NULL, 10) : 2;
  answer = malloc(body + 512);
  int head = sprintf(
      answer,
      "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\nETag: \"d41d8cd98f00b204e9800998ecf8427e\"\r\n"
      "x-amz-request-id: 17A3E5D2C1B0\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
      "Server: nothing\r\nContent-Type: application/json\r\n\r\n",
      body);
  memset(answer + head, 'x', body);
  answer_size = (size_t)head + body;

  int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  socklen_t size = sizeof at;
  if (bind(listener, (struct sockaddr *)&at, size) || listen(listener, 1024)) return 1;
  getsockname(listener, (struct sockaddr *)&at, &size);
  printf("%d\n", ntohs(at.sin_port));
  fflush(stdout);
  int queue = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[256];
  epoll_ctl(queue, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    int count = epoll_wait(queue, ready, 256, -1);
    for (int i = 0; i < count; i++) {
      int fd = ready[i].data.fd;
      if (fd != listener) {
        if (!readable(fd, clients[fd])) drop(fd);
        continue;
      }
      int new = accept(listener, NULL, NULL);
      if (new < 0) continue;
      if (new >= most || !(clients[new] = calloc(1, sizeof **clients))) {
        close(new);
        continue;
      }
      setsockopt(new, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      struct epoll_event wanted = {.events = EPOLLIN, .data.fd = new};
      epoll_ctl(queue, EPOLL_CTL_ADD, new, &wanted);
    }
  }
}
