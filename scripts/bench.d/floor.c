// floor: the least a WebSocket fan-out server can do, as a yardstick. One thread, epoll, raw
// send(), no protocol, no checks, no limits, nothing kept: do not use it for anything but measuring
// beside the hub in the same run.
//   cc -O2 -o floor floor.c && ./floor 9001
// Text messages: "SUB <channel>" subscribes, "PUB <channel> <payload>" goes to all subscribers.
// Everything for one channel within one loop turn leaves as one send() per subscriber.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#define CHANNELS 4096
typedef struct {
  int fd, upgraded;
  size_t n, cap;
  unsigned char *in;
} Conn;
static struct {
  int *fds;
  int n, cap;
  unsigned char *out;
  size_t len, outcap;
  char name[64];
} ch[CHANNELS];
static int dirty[CHANNELS], ndirty, nch;
static int channel(const char *s, size_t n) {
  for (int i = 0; i < nch; i++)
    if (strlen(ch[i].name) == n && !memcmp(ch[i].name, s, n)) return i;
  if (nch == CHANNELS || n > 63) exit(1);
  memcpy(ch[nch].name, s, n);
  return nch++;
}
static void handle(Conn *c, char *m, size_t n) {
  if (n > 4 && !memcmp(m, "SUB ", 4)) {
    int k = channel(m + 4, n - 4);
    if (ch[k].n == ch[k].cap)
      ch[k].fds = realloc(ch[k].fds, sizeof(int) * (ch[k].cap = ch[k].cap * 2 + 16));
    ch[k].fds[ch[k].n++] = c->fd;
  } else if (n > 4 && !memcmp(m, "PUB ", 4)) {
    char *sp = memchr(m + 4, ' ', n - 4);
    if (!sp) return;
    int k = channel(m + 4, sp - m - 4);
    size_t len = m + n - sp - 1;
    if (ch[k].len + len + 10 > ch[k].outcap)
      ch[k].out = realloc(ch[k].out, ch[k].outcap = (ch[k].len + len + 10) * 2);
    if (!ch[k].len) dirty[ndirty++] = k;
    unsigned char *o = ch[k].out + ch[k].len;
    *o++ = 0x81;
    if (len < 126)
      *o++ = len;
    else {
      *o++ = 126;
      *o++ = len >> 8;
      *o++ = len;
    }
    memcpy(o, sp + 1, len);
    ch[k].len = o + len - ch[k].out;
  }
}
static void flush_all(void) {
  for (int d = 0; d < ndirty; d++) {
    int k = dirty[d];
    for (int i = 0; i < ch[k].n; i++) {
      size_t off = 0;
      while (off < ch[k].len) {
        ssize_t w =
            send(ch[k].fds[i], ch[k].out + off, ch[k].len - off, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (w > 0) {
          off += w;
          continue;
        }
        if (errno != EAGAIN) break;
        struct pollfd p = {ch[k].fds[i], POLLOUT, 0};
        poll(&p, 1, 100);
      }
    }
    ch[k].len = 0;
  }
  ndirty = 0;
}
int main(int argc, char **argv) {
  struct rlimit rl = {1048576, 1048576};
  setrlimit(RLIMIT_NOFILE, &rl);
  int ls = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1, ep = epoll_create1(0);
  setsockopt(ls, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_port = htons(argc > 1 ? atoi(argv[1]) : 9001),
                          .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(ls, (void *)&a, sizeof a) || listen(ls, 4096)) {
    perror("listen");
    return 1;
  }
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = 0}, ev[1024];
  epoll_ctl(ep, EPOLL_CTL_ADD, ls, &e);
  static unsigned char buf[1 << 18];
  for (;;) {
    int n = epoll_wait(ep, ev, 1024, -1);
    for (int i = 0; i < n; i++) {
      Conn *c = ev[i].data.ptr;
      if (!c) {
        for (int fd; (fd = accept4(ls, 0, 0, SOCK_NONBLOCK)) >= 0;) {
          setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
          c = calloc(1, sizeof *c);
          c->fd = fd;
          e.data.ptr = c;
          epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e);
        }
        continue;
      }
      ssize_t k = recv(c->fd, buf, sizeof buf, 0);
      if (k <= 0) {
        if (k == 0 || errno != EAGAIN) {
          epoll_ctl(ep, EPOLL_CTL_DEL, c->fd, 0);
          for (int x = 0; x < nch; x++)
            for (int y = 0; y < ch[x].n; y++)
              if (ch[x].fds[y] == c->fd) ch[x].fds[y--] = ch[x].fds[--ch[x].n];
          close(c->fd);
          free(c->in);
          free(c);
        }
        continue;
      }
      if (c->n + k > c->cap) c->in = realloc(c->in, c->cap = (c->n + k) * 2);
      memcpy(c->in + c->n, buf, k);
      c->n += k;
      size_t used = 0;
      if (!c->upgraded) {
        unsigned char *end = memmem(c->in, c->n, "\r\n\r\n", 4);
        if (!end) continue;
        used = end + 4 - c->in;
        c->upgraded = 1; // the accept value of the fixed key that fanload sends
        const char *ok = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
                         "Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
        if (send(c->fd, ok, strlen(ok), MSG_NOSIGNAL) < 0) {}
      }
      while (c->n - used >= 6) {
        unsigned char *f = c->in + used;
        size_t len = f[1] & 127, h = 2;
        if (len == 126) {
          if (c->n - used < 8) break;
          len = f[2] << 8 | f[3];
          h = 4;
        }
        if (c->n - used < h + 4 + len) break;
        for (size_t x = 0; x < len; x++) f[h + 4 + x] ^= f[h + (x & 3)];
        if ((f[0] & 15) == 1) handle(c, (char *)f + h + 4, len);
        used += h + 4 + len;
      }
      memmove(c->in, c->in + used, c->n - used);
      c->n -= used;
      if (!c->n) {
        free(c->in);
        c->in = 0;
        c->cap = 0;
      }
    }
    flush_all();
  }
}
