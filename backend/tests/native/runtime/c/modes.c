// Programs as the compiler would make them, in counting and checking mode; the first argument
// says which. The test compares exit status and standard error.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const char *file; uint64_t length; uint32_t line, column; } Site;
typedef struct {
  uint64_t allocs, frees, bytesAllocated, peakBytes, liveAllocs, liveBytes, clones, copies,
      bytesCopied, foreignFrees;
} Stats;
typedef struct { uint64_t nanoseconds; int64_t delta; uint64_t address; const Site *site; } Event;

void *freehold_count_alloc(uint64_t, uint64_t, const Site *);
void freehold_count_free(void *, const Site *);
void freehold_count_clone(uint64_t);
void freehold_count_copy(uint64_t);
void freehold_stats_get(Stats *);
void freehold_stats_report(bool);
void freehold_stats_reset(void);
void freehold_events_enable(void);
uint64_t freehold_events_len(void);
uint64_t freehold_events_copy(Event *, uint64_t);
void *freehold_check_alloc(uint64_t, uint64_t, const Site *);
void freehold_check_free(void *, const Site *);
void freehold_check_access(const void *, uint64_t, const Site *);
void freehold_check_access_in(const void *, const void *, uint64_t, bool, const Site *);
void freehold_check_foreign_result(void *, const Site *);
void freehold_check_set_quarantine(uint64_t);
void freehold_check_reset(void);
int32_t freehold_check_report(void);
void freehold_assert_failed(const char *, uint64_t, const Site *);
uint64_t freehold_dealloc_helper(const void **, uint64_t, uint64_t, uint8_t *);
void freehold_i128_divsi(__int128 *, const __int128 *, const __int128 *);
float freehold_f32_from_f16(uint16_t);
uint16_t freehold_f16_from_f32(float);
uint8_t freehold_f8e4m3fn_from_f64(double);

#define AT(line) (&(Site){"prog.mlir", 9, line, 5})

static int counting(bool json) {
  freehold_events_enable();
  void *a = freehold_count_alloc(100, 16, AT(1)), *b = freehold_count_alloc(28, 64, AT(2));
  memset(a, 1, 100);
  freehold_count_free(a, AT(3));
  void *c = freehold_count_alloc(10, 8, AT(4));
  freehold_count_clone(10);
  freehold_count_copy(4);
  freehold_count_free(c, AT(5));
  freehold_count_free(malloc(7), AT(6));
  freehold_count_free(0, AT(6));
  Event events[8];
  if (freehold_events_len() != 5 || freehold_events_copy(events, 8) != 5) return 1;
  if (events[0].delta != 100 || events[2].delta != -100 || events[2].site->line != 3) return 1;
  fputs("stdout first\n", stdout);
  freehold_stats_report(json);
  free(b); // C may free it: the buffer is an ordinary block.
  freehold_stats_reset();
  Stats stats;
  freehold_stats_get(&stats);
  return stats.allocs || stats.liveBytes || freehold_events_len();
}

static int clean(void) {
  for (int i = 0; i < 1000; ++i) {
    char *a = freehold_check_alloc(i, 1 << i % 8, AT(1));
    memset(a, 0, i);
    freehold_check_access(a, i, AT(2));
    freehold_check_free(a, AT(3));
  }
  void *foreign = malloc(10);
  freehold_check_foreign_result(foreign, AT(4));
  freehold_check_free(foreign, AT(5));
  Stats stats;
  freehold_stats_get(&stats);
  if (stats.allocs != 1000 || stats.frees != 1000 || stats.liveBytes || stats.foreignFrees != 1) return 1;
  return freehold_check_report();
}

static int errors(void) {
  char *leak = freehold_check_alloc(64, 8, AT(12));
  char *twice = freehold_check_alloc(64, 8, AT(20));
  freehold_check_free(twice, AT(21));
  freehold_check_free(twice, AT(22));
  char *over = freehold_check_alloc(10, 1, AT(30));
  over[10] = 1;
  freehold_check_free(over, AT(31));
  char *after = freehold_check_alloc(16, 8, AT(40));
  freehold_check_free(after, AT(41));
  after[3] = 1;
  freehold_check_access_in(leak, leak + 64, 4, true, AT(50));
  freehold_check_free(leak + 8, AT(51));
  freehold_check_foreign_result(leak, AT(52));
  freehold_check_free("global", 0);
  return freehold_check_report();
}

static void *worker(void *unused) {
  for (int i = 0; i < 20000; ++i) {
    void *a = freehold_count_alloc(i % 100, 8, AT(1)), *b = freehold_check_alloc(i % 50, 8, AT(2));
    freehold_check_free(b, AT(3));
    freehold_count_free(a, AT(4));
  }
  return 0;
}

static int threads(void) {
  pthread_t ids[4];
  for (int i = 0; i < 4; ++i) pthread_create(&ids[i], 0, worker, 0);
  for (int i = 0; i < 4; ++i) pthread_join(ids[i], 0);
  Stats stats;
  freehold_stats_get(&stats);
  if (stats.allocs != 160000 || stats.frees != 160000 || stats.liveAllocs || stats.liveBytes) return 1;
  return freehold_check_report();
}

static int helpers(void) {
  int a, b, c;
  // Two retained buffers, then five entries.
  const void *pointers[] = {&b, &c, 0, &a, &a, &b, &a};
  uint8_t owned[] = {9, 9};
  uint64_t end = freehold_dealloc_helper(pointers, 2, 7, owned);
  // Null is a pointer like any other, and harmless to free.
  if (owned[0] != 1 || owned[1] != 0) return 1;
  if (end != 4 || pointers[2] || pointers[3] != &a) return 1;
  __int128 x = ((__int128)123456789 << 70) + 5, y = -987654321, z;
  freehold_i128_divsi(&z, &x, &y);
  if (z != x / y) return 2;
  if (freehold_f32_from_f16(0x3e00) != 1.5f || freehold_f16_from_f32(-2) != 0xc000) return 3;
  return freehold_f8e4m3fn_from_f64(1) == 0x38 ? 0 : 4;
}

int main(int count, char **arguments) {
  const char *mode = arguments[1];
  if (!strcmp(mode, "table")) return counting(false);
  if (!strcmp(mode, "json")) return counting(true);
  if (!strcmp(mode, "clean")) return clean();
  if (!strcmp(mode, "errors")) return errors();
  if (!strcmp(mode, "threads")) return threads();
  if (!strcmp(mode, "helpers")) return helpers();
  if (!strcmp(mode, "reset")) {
    errors();
    freehold_check_reset();
    freehold_stats_reset();
    return clean();
  }
  if (!strcmp(mode, "assert")) {
    fputs("printed before", stdout);
    freehold_assert_failed("index out of range", 18, AT(7));
  }
  if (!strcmp(mode, "huge")) freehold_count_alloc(UINT64_MAX / 4, 64, AT(8));
  if (!strcmp(mode, "huge-check")) freehold_check_alloc(UINT64_MAX / 2, 64, AT(9));
  return 100;
}
