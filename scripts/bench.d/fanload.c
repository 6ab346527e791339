// fanload: a WebSocket fan-out load generator that knows no protocol, so that one client can drive
// the hub and, beside it, floor.c. This is the copy that scripts/bench measures with. One thread,
// epoll, loopback only. It opens N connections and sends each the given opening messages; one more
// connection publishes, and every delivery is counted and timed by a marker in its payload.
//
//   cc -O2 -o fanload fanload.c
//   ./fanload --port 8080 --path /v1/ws --conns 1000 --channels 1 --bytes 128 --window 1
//     --seconds 3 --pid SERVER
//     --open '{"id":1,"op":"hello","token":"dev:u%i"}'
//     --open '{"id":2,"op":"subscribe","channel":"room:%c"}'
//     --pub-open '{"id":1,"op":"hello","token":"dev:pub"}'
//     --setup '{"id":2,"op":"channel.create","channel":"room:%c","kind":"public"}'
//     --pub '{"id":9,"op":"message.send","channel":"room:%c","text":"%p"}'
//
// %c channel number, %i connection number, %n message number, %p payload. --setup is sent by the
// publisher for every channel, before the others subscribe. --window W keeps at most W publications
// undelivered (closed loop); --rate R sends R/s instead (open loop). Prints one JSON object:
// throughput, server CPU per delivery (from /proc/PID/stat), latency percentiles, server memory per
// connection. Exits 1 unless everything was delivered.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "frames.h"

#define BUFFER (1 << 18)
#define MESSAGE (1 << 17)

typedef struct {
  const char *text[8];
  int count;
} Messages;

static const char *path = "/", *pub = "%p";
static Messages openers, setup, pub_openers;
static int port = 8080, conns = 100, channels = 1, size = 128, window = 1, pid, quiet_ms = 300, ep;
static double rate, secs = 3;
static Conn *cs;
static char *buf, *msg, *payload;

static void expand(char *out, size_t cap, const char *fmt, int channel, int conn, uint64_t number,
                   const char *payload) {
  size_t o = 0;
  for (; *fmt && o + 1 < cap; fmt++) {
    if (*fmt != '%') {
      out[o++] = *fmt;
      continue;
    }
    switch (*++fmt) {
    case 'c': o += snprintf(out + o, cap - o, "%d", channel); break;
    case 'i': o += snprintf(out + o, cap - o, "%d", conn); break;
    case 'n': o += snprintf(out + o, cap - o, "%llu", (unsigned long long)number); break;
    case 'p': o += snprintf(out + o, cap - o, "%s", payload); break;
    default: out[o++] = *fmt;
    }
  }
  out[o] = 0;
}
static double cpu_seconds(int pid) {
  char p[64], b[2048];
  snprintf(p, 64, "/proc/%d/stat", pid);
  FILE *f = fopen(p, "r");
  if (!f) return 0;
  size_t n = fread(b, 1, sizeof b - 1, f);
  fclose(f);
  b[n] = 0;
  unsigned long u = 0, s = 0;
  char *q = strrchr(b, ')');
  if (q) sscanf(q + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &u, &s);
  return (u + s) / (double)sysconf(_SC_CLK_TCK);
}
static long rss_kb(int pid) {
  char p[64], b[256];
  snprintf(p, 64, "/proc/%d/status", pid);
  FILE *f = fopen(p, "r");
  long r = 0;
  while (f && fgets(b, 256, f))
    if (sscanf(b, "VmRSS: %ld", &r) == 1) break;
  if (f) fclose(f);
  return r;
}
static int by_value(const void *a, const void *b) {
  uint32_t x = *(uint32_t *)a, y = *(uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void options(int argc, char **argv) {
  struct option o[] = {{"port", 1, 0, 'p'},     {"path", 1, 0, 'u'},     {"conns", 1, 0, 'n'},
                       {"channels", 1, 0, 'c'}, {"bytes", 1, 0, 'b'},    {"window", 1, 0, 'w'},
                       {"rate", 1, 0, 'r'},     {"seconds", 1, 0, 's'},  {"pid", 1, 0, 'P'},
                       {"open", 1, 0, 'o'},     {"setup", 1, 0, 'S'},    {"pub-open", 1, 0, 'O'},
                       {"pub", 1, 0, 'm'},      {"quiet-ms", 1, 0, 'q'}, {0}};
  for (int k; (k = getopt_long(argc, argv, "", o, 0)) != -1;) switch (k) {
    case 'p': port = atoi(optarg); break;
    case 'u': path = optarg; break;
    case 'n': conns = atoi(optarg); break;
    case 'c': channels = atoi(optarg); break;
    case 'b': size = atoi(optarg); break;
    case 'w': window = atoi(optarg); break;
    case 'r': rate = atof(optarg); break;
    case 's': secs = atof(optarg); break;
    case 'P': pid = atoi(optarg); break;
    case 'o': openers.text[openers.count++ & 7] = optarg; break;
    case 'S': setup.text[setup.count++ & 7] = optarg; break;
    case 'O': pub_openers.text[pub_openers.count++ & 7] = optarg; break;
    case 'm': pub = optarg; break;
    case 'q': quiet_ms = atoi(optarg); break;
    default: exit(2);
    }
  if (size < 19) size = 19;
}
static void send_all(Conn *c, const Messages *messages, int channel, int conn) {
  for (int m = 0; m < messages->count; m++) {
    expand(msg, MESSAGE, messages->text[m], channel, conn, 0, "");
    send_text(c->fd, msg, strlen(msg));
  }
}
static void handshake(Conn *c) {
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (c->fd < 0) die("socket");
  struct sockaddr_in a = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (connect(c->fd, (void *)&a, sizeof a)) die("connect");
  int one = 1;
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  int n = snprintf(msg, MESSAGE,
                   "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                   "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                   "Sec-WebSocket-Version: 13\r\n\r\n",
                   path, port);
  if (send(c->fd, msg, n, MSG_NOSIGNAL) != n) die("send");
  while (c->state == HANDSHAKE) {
    ssize_t k = recv(c->fd, buf, BUFFER, 0);
    if (k <= 0) die("handshake");
    feed(c, buf, k);
  }
}
static void open_all(void) {
  for (int j = 0; j <= conns; j++) {
    int i = j == 0 ? conns : j - 1; // the publisher first: it sets the channels up
    Conn *c = &cs[i];
    handshake(c);
    if (i == conns) {
      send_all(c, &pub_openers, 0, i);
      for (int ch = 0; ch < channels; ch++) send_all(c, &setup, ch, i);
      if (setup.count) usleep(200000 + channels * 1000);
    } else
      send_all(c, &openers, i % channels, i);
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &e);
  }
}
// Reads what is there; whether there was anything.
static int read_all(int timeout_ms) {
  struct epoll_event ev[1024];
  int n = epoll_wait(ep, ev, 1024, timeout_ms), any = 0;
  for (int i = 0; i < n; i++) {
    Conn *c = ev[i].data.ptr;
    ssize_t k;
    while ((k = recv(c->fd, buf, BUFFER, 0)) > 0) {
      feed(c, buf, k);
      any = 1;
      if (k < BUFFER) break;
    }
    if (k == 0) {
      fprintf(stderr, "connection ended\n");
      exit(1);
    }
  }
  return any;
}
int main(int argc, char **argv) {
  options(argc, argv);
  struct rlimit rl = {1048576, 1048576};
  setrlimit(RLIMIT_NOFILE, &rl);
  lat = malloc(caplat * sizeof *lat);
  cs = calloc(conns + 1, sizeof *cs), publisher = &cs[conns];
  buf = malloc(BUFFER), msg = malloc(MESSAGE), payload = malloc(size + 1);
  ep = epoll_create1(0);
  long rss_before = rss_kb(pid);
  uint64_t t_connect = now_ns();
  open_all();
  double connect_s = (now_ns() - t_connect) / 1e9;
  for (uint64_t last = now_ns(); now_ns() - last < quiet_ms * 1000000ull;) // answers pass
    if (read_all(20)) last = now_ns();
  long rss_open = rss_kb(pid);
  deliveries = delivery_bytes = frames = bytes_in = nlat = 0;
  memset(payload, 'x', size);
  payload[size] = 0;
  int per = conns / channels;
  double cpu0 = cpu_seconds(pid);
  uint64_t start = now_ns(), end = start + secs * 1e9, sent = 0, last = start;
  for (;;) {
    uint64_t t = now_ns();
    if (t < end) {
      uint64_t due = rate > 0 ? (uint64_t)((t - start) / 1e9 * rate) : ~0ull;
      while (sent < due &&
             (rate > 0 || (int64_t)(sent * per - deliveries) < (int64_t)window * per)) {
        char ts[24];
        snprintf(ts, sizeof ts, "TS:%016llx", (unsigned long long)now_ns());
        memcpy(payload, ts, 19);
        expand(msg, MESSAGE, pub, sent % channels, conns, sent, payload);
        if (send_text(publisher->fd, msg, strlen(msg))) break;
        sent++;
      }
    } else if (deliveries >= sent * per || t - last > 2000000000ull)
      break;
    if (read_all(rate > 0 ? 1 : t < end ? 0 : 50)) last = now_ns();
  }
  double elapsed = (last - start) / 1e9, cpu = cpu_seconds(pid) - cpu0;
  qsort(lat, nlat, sizeof *lat, by_value);
#define Q(q) (nlat ? lat[(uint64_t)((nlat - 1) * (q))] / 1000.0 : 0)
#define N(value) (unsigned long long)(value)
  double share = deliveries ? deliveries : 1;
  printf("{\"conns\":%d,\"channels\":%d,\"window\":%d,\"rate\":%.0f,\"sent\":%llu,"
         "\"expected\":%llu,\"delivered\":%llu,\"frames\":%llu,\"seconds\":%.2f,",
         conns, channels, window, rate, N(sent), N(sent * per), N(deliveries), N(frames), elapsed);
  printf("\"deliveries_per_s\":%.0f,\"server_cpu_us_per_delivery\":%.3f,"
         "\"bytes_per_delivery\":%.0f,\"frame_bytes_per_delivery\":%.2f,",
         deliveries / elapsed, cpu * 1e6 / share, bytes_in / share, delivery_bytes / share);
  printf("\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"p999_ms\":%.2f,\"connects_per_s\":%.0f,"
         "\"rss_kb_per_conn\":%.2f,\"rss_mb\":%ld,\"closed\":%llu,\"errors\":%llu}\n",
         Q(.5), Q(.99), Q(.999), (conns + 1) / connect_s, (rss_open - rss_before) / (double)conns,
         rss_kb(pid) / 1024, N(closed), N(errors));
  return deliveries == sent * per ? 0 : 1;
}
