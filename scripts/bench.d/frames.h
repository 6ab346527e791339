// The connection side of fanload: reads WebSocket frames of any server, counts and times what has
// the marker "TS:" + 16 hex digits, answers pings, writes text frames. Included by fanload.c only.
enum { HANDSHAKE, HEADER, BODY };
typedef struct {
  int fd, state, nhs, hlen;
  uint64_t need, got;
  unsigned char hdr[14];
  char hs[1024];
  uint32_t cap, npeek;
  char *peek;
} Conn;

// `delivery_bytes`: of the frames that brought deliveries, their headers included.
static uint64_t deliveries, frames, bytes_in, delivery_bytes, closed, errors;
static Conn *publisher; // what it hears, an answer or a preview, is no delivery
static uint32_t *lat;
static uint64_t nlat, caplat = 20 * 1000 * 1000;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}
static void die(const char *what) {
  perror(what);
  exit(1);
}

static void message(Conn *c) {
  frames++;
  char *b = c->peek, *e = c->peek + c->npeek, *p;
  uint64_t t = now_ns(), before = deliveries;
  if (memmem(b, e - b, "\"error\"", 7)) {
    if (errors++ < 3)
      fprintf(stderr, "error from server: %.*s\n", (int)(e - b > 300 ? 300 : e - b), b);
  }
  while (c != publisher && b < e && (p = memmem(b, e - b, "TS:", 3))) {
    if (p + 19 <= e) {
      deliveries++;
      char hex[17];
      memcpy(hex, p + 3, 16);
      hex[16] = 0;
      uint64_t us = (t - strtoull(hex, 0, 16)) / 1000;
      if (nlat < caplat) lat[nlat++] = us > 4000000000ull ? 4000000000u : us;
    }
    b = p + 3;
  }
  if (deliveries > before) delivery_bytes += c->npeek + (c->npeek < 126 ? 2 : 4);
}
static void control(Conn *c) {
  int op = c->hdr[0] & 15;
  if (op == 9) {
    unsigned char f[140] = {0x8a, 0x80 | (c->npeek & 127)};
    memcpy(f + 6, c->peek, c->npeek);
    if (send(c->fd, f, 6 + c->npeek, MSG_NOSIGNAL) < 0) {}
  } else if (op == 8) {
    closed++;
    if (closed < 4)
      fprintf(stderr, "closed by server: %d\n",
              c->npeek >= 2 ? (unsigned char)c->peek[0] << 8 | (unsigned char)c->peek[1] : 0);
  }
}
static void complete(Conn *c) {
  if ((c->hdr[0] & 15) >= 8)
    control(c);
  else
    message(c);
  c->state = HEADER;
}
static void feed(Conn *c, char *b, ssize_t n) {
  bytes_in += n;
  while (n > 0) {
    if (c->state == HANDSHAKE) {
      c->hs[c->nhs++] = *b++;
      n--;
      if (c->nhs >= 4 && !memcmp(c->hs + c->nhs - 4, "\r\n\r\n", 4)) {
        if (strncmp(c->hs, "HTTP/1.1 101", 12)) {
          fprintf(stderr, "refused: %.*s\n", 100, c->hs);
          exit(1);
        }
        c->state = HEADER;
        c->hlen = 0;
      } else if (c->nhs == sizeof c->hs) {
        fprintf(stderr, "handshake too long\n");
        exit(1);
      }
    } else if (c->state == HEADER) {
      c->hdr[c->hlen++] = *b++;
      n--;
      if (c->hlen < 2) continue;
      int l = c->hdr[1] & 127, want = l == 126 ? 4 : l == 127 ? 10 : 2;
      if (c->hlen < want) continue;
      uint64_t len = l;
      if (l == 126)
        len = c->hdr[2] << 8 | c->hdr[3];
      else if (l == 127) {
        len = 0;
        for (int i = 0; i < 8; i++) len = len << 8 | c->hdr[2 + i];
      }
      c->need = len;
      c->got = 0;
      c->npeek = 0;
      c->hlen = 0;
      if (len > c->cap) {
        c->cap = len;
        c->peek = realloc(c->peek, len);
      }
      c->state = BODY;
      if (!len) complete(c);
    } else {
      uint64_t k = c->need - c->got;
      if (k > (uint64_t)n) k = n;
      memcpy(c->peek + c->npeek, b, k);
      c->npeek += k;
      c->got += k;
      b += k;
      n -= k;
      if (c->got == c->need) complete(c);
    }
  }
}
static int send_text(int fd, const char *p, size_t n) {
  unsigned char h[8] = {0x81};
  int hl;
  if (n < 126) {
    h[1] = 0x80 | n;
    hl = 2;
  } else {
    h[1] = 0x80 | 126;
    h[2] = n >> 8;
    h[3] = n;
    hl = 4;
  }
  char *f = alloca(n + 8);
  memcpy(f, h, hl);
  memset(f + hl, 0, 4);
  memcpy(f + hl + 4, p, n); // a zero mask leaves the payload as it is
  size_t total = hl + 4 + n, off = 0;
  while (off < total) {
    ssize_t k = send(fd, f + off, total - off, MSG_NOSIGNAL);
    if (k < 0) {
      if (errno == EAGAIN) {
        if (off == 0) return -1;
        usleep(50);
        continue;
      }
      die("send");
    }
    off += k;
  }
  return 0;
}
