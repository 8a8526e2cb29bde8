/* Sets the threads of the library of thread-pools.mlir, and replaces them. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "pools.h"

enum { SIZE = 10000, EDGE = 128 };

static float data[SIZE], a[EDGE * EDGE], b[EDGE * EDGE], c[EDGE * EDGE];

/* How many threads called `seen`. */
static atomic_int n_threads;
static _Atomic int64_t round_now;
static _Thread_local int64_t round_seen;

void seen(void) {
  if (round_seen != round_now) {
    round_seen = round_now;
    n_threads++;
  }
}

/* A pool that makes its threads anew for each loop. */
typedef struct {
  freehold_body body;
  const void *context;
  int64_t begin, end;
} Part;

static void *run_part(void *argument) {
  Part *part = argument;
  part->body(part->context, part->begin, part->end);
  return NULL;
}

static void pool(void *host, freehold_body body, const void *context, int64_t begin, int64_t end, int64_t threads) {
  pthread_t handles[16];
  Part parts[16];
  int64_t i, step = (end - begin + threads - 1) / threads, n = 0;
  *(int64_t *)host = threads;
  for (i = begin; i < end; i += step, n++) {
    parts[n] = (Part){body, context, i, i + step < end ? i + step : end};
    pthread_create(&handles[n], NULL, run_part, &parts[n]);
  }
  while (n-- > 0)
    pthread_join(handles[n], NULL);
}

static const char *outcome(void) {
  int i;
  for (i = 0; i < SIZE; i++)
    if (data[i] != (float)i)
      return "wrong";
  return "right";
}

static void fill_by(void (*fill)(freehold_memref_f32_1d *)) {
  freehold_memref_f32_1d memref = {data, data, 0, {SIZE}, {1}};
  memset(data, 0, sizeof data);
  n_threads = 0;
  round_now++;
  fill(&memref);
}

static void own_threads(const char *name, int64_t most) {
  fill_by(_mlir_ciface_fill);
  printf("%s: at most %d, %s\n", name, n_threads > most ? n_threads : (int)most, outcome());
}

static freehold_memref_f32_2d matrix(float *of) {
  return (freehold_memref_f32_2d){of, of, 0, {EDGE, EDGE}, {EDGE, 1}};
}

int main(int argc, char **argv) {
  int64_t called = 0;
  int i;
  own_threads("own threads", 3);
  freehold_set_threads(1);
  own_threads("one thread", 1);
  freehold_set_threads(8);
  own_threads("eight threads", 8);
  freehold_set_threads(0);

  freehold_set_pool(pool, &called);
  fill_by(_mlir_ciface_fill);
  printf("pool of the host: called with %d threads, %s\n", (int)called, outcome());
  freehold_set_threads(5);
  fill_by(_mlir_ciface_fill);
  printf("pool of the host: called with %d threads, %s\n", (int)called, outcome());
  freehold_set_threads(0);
  freehold_set_pool(NULL, NULL);
  called = 0;
  fill_by(_mlir_ciface_fill);
  printf("own threads again: %s, %s\n", called ? "called" : "not called", outcome());

  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (library == NULL) {
    printf("not loaded: %s\n", dlerror());
    return 1;
  }
  void (*set_pool)(freehold_pool, void *) = (void (*)(freehold_pool, void *))dlsym(library, "freehold_set_pool");
  void (*fill)(freehold_memref_f32_1d *) = (void (*)(freehold_memref_f32_1d *))dlsym(library, "_mlir_ciface_fill");
  set_pool(pool, &called);
  fill_by(fill);
  printf("shared library: called with %d threads, %s\n", (int)called, outcome());

  freehold_memref_f32_2d ma = matrix(a), mb = matrix(b), mc = matrix(c);
  for (i = 0; i < EDGE * EDGE; i++)
    a[i] = b[i] = i / EDGE == i % EDGE ? 2 : 0;
  called = 0;
  freehold_set_pool(pool, &called);
  _mlir_ciface_product(&ma, &mb, &mc);
  printf("product of matrices: %s, %s\n", called ? "called" : "not called", c[0] == 4 && c[1] == 0 ? "right" : "wrong");
  return 0;
}
