// delay NAMESPACE... MICROSECONDS: gives each network namespace an interface `eth0` on one switch that holds every frame
// back for so long, for kernels without netem. Runs until it is killed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { MAX = 8, FRAMES = 1 << 10, SIZE = 1 << 16 };
static struct frame { long due; int from, length; unsigned char bytes[SIZE]; } frames[FRAMES];

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(int argc, char **argv) {
  int n = argc - 2, fds[MAX];
  long wait = atol(argv[argc - 1]) * 1000;
  if (n < 1 || n > MAX) return 2;
  for (int i = 0; i < n; i++) {
    char command[256];
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    snprintf(request.ifr_name, IFNAMSIZ, "delay%d", i);
    fds[i] = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    if (fds[i] < 0 || ioctl(fds[i], TUNSETIFF, &request) < 0) return perror("tun"), 1;
    snprintf(command, sizeof command, "ip link set delay%d netns %s name eth0", i, argv[1 + i]);
    if (system(command)) return 1;
  }
  puts("ready");
  fflush(stdout);
  unsigned head = 0, tail = 0;
  for (;;) {
    struct pollfd polls[MAX];
    for (int i = 0; i < n; i++) polls[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
    struct timespec timeout = {1, 0}, *limit = &timeout;
    if (head != tail) {
      long left = frames[head % FRAMES].due - now();
      if (left < 0) left = 0;
      timeout = (struct timespec){left / 1000000000L, left % 1000000000L};
    }
    ppoll(polls, n, limit, NULL);
    for (int i = 0; i < n; i++)
      while (tail - head < FRAMES) {
        struct frame *f = &frames[tail % FRAMES];
        f->length = read(fds[i], f->bytes, SIZE);
        if (f->length <= 0) break;
        f->due = now() + wait;
        f->from = i;
        tail++;
      }
    for (; head != tail && frames[head % FRAMES].due <= now(); head++) {
      struct frame *f = &frames[head % FRAMES];
      // Without learning who is where: the last byte of addresses that the driver gives says it, or all get it.
      int to = f->bytes[5];
      for (int i = 0; i < n; i++)
        if (i != f->from && (f->bytes[0] == 0xff || f->bytes[0] & 1 || to == i + 1))
          if (write(fds[i], f->bytes, f->length) < 0) continue;
    }
  }
}
