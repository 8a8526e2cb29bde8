// Calls everything that MLIR's runner libraries and the runtime both export. The test links it
// once with each and compares what the two programs print. Data lies at a fixed address, so that
// printed addresses agree.
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

typedef struct { int64_t rank; void *descriptor; } Unranked;
typedef struct { void *allocated, *aligned; int64_t offset, numbers[16]; } Ranked;

void printI64(int64_t); void printU64(uint64_t); void printF32(float); void printF64(double);
void printF16(uint16_t); void printBF16(uint16_t); void printString(const char *);
void printOpen(void); void printClose(void); void printComma(void); void printNewline(void);
void printFlops(double); double rtclock(void); int64_t _mlir_ciface_nanoTime(void);
void memrefCopy(int64_t, Unranked *, Unranked *);
void *mlirAlloc(uint64_t); void *mlirAlignedAlloc(uint64_t, uint64_t);
void mlirFree(void *); void mlirAlignedFree(void *);
void *rtsrand(uint64_t); uint64_t rtrand(void *, uint64_t); void rtdrand(void *);
void _mlir_ciface_shuffle(Ranked *, void *);
void _mlir_ciface_stdSortI64(uint64_t, Ranked *);
void _mlir_ciface_stdSortF64(uint64_t, Ranked *);
void _mlir_ciface_stdSortF32(uint64_t, Ranked *);

// Type, whether the shape printer exists, whether the plain print and verify functions exist.
#define TYPES(X) \
  X(I8, 1, 1, 0, 0) X(I16, 2, 0, 0, 0) X(I32, 4, 1, 1, 1) X(I64, 8, 1, 1, 0) X(Ind, 8, 1, 1, 1) \
  X(F16, 2, 0, 0, 0) X(BF16, 2, 0, 0, 0) X(F32, 4, 1, 1, 1) X(F64, 8, 1, 1, 1) \
  X(C32, 8, 1, 1, 1) X(C64, 16, 1, 1, 1)
#define DECLARE(T, size, shape, plain, verify) \
  void _mlir_ciface_printMemref##T(Unranked *); \
  int64_t _mlir_ciface_verifyMemRef##T(Unranked *, Unranked *); \
  IF_##shape(void _mlir_ciface_printMemrefShape##T(Unranked *);) \
  IF_##plain(void printMemref##T(int64_t, void *);) \
  IF_##verify(int64_t verifyMemRef##T(int64_t, void *, void *);)
#define IF_0(...)
#define IF_1(...) __VA_ARGS__
TYPES(DECLARE)

void _mlir_ciface_printMemref0dF32(Ranked *); void _mlir_ciface_printMemref1dF32(Ranked *);
void _mlir_ciface_printMemref2dF32(Ranked *); void _mlir_ciface_printMemref3dF32(Ranked *);
void _mlir_ciface_printMemref4dF32(Ranked *); void _mlir_ciface_printMemref1dI8(Ranked *);
void _mlir_ciface_printMemref1dI32(Ranked *); void _mlir_ciface_printMemref1dI64(Ranked *);
void _mlir_ciface_printMemref1dF64(Ranked *); void _mlir_ciface_printMemref1dInd(Ranked *);
void _mlir_ciface_printMemref1dC32(Ranked *); void _mlir_ciface_printMemref1dC64(Ranked *);
void _mlir_ciface_printMemrefVector4x4xf32(Ranked *);

static uint64_t state = 1;
static uint64_t draw(void) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t x = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

enum { BYTES = 1 << 20 };
static unsigned char *memory;

static Ranked ranked(int64_t rank, void *data, int64_t offset, const int64_t *sizes,
                     const int64_t *strides) {
  Ranked r = {data, data, offset, {0}};
  for (int64_t i = 0; i < rank; ++i) {
    r.numbers[i] = sizes[i];
    r.numbers[rank + i] = strides[i];
  }
  return r;
}

static void scalars(void) {
  int64_t values[] = {0, 1, -1, 42, 1000000, INT64_MAX, INT64_MIN, 1234567890123};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) {
    printI64(values[i]); printComma(); printU64(values[i]); printNewline();
  }
  printOpen(); printI64(1); printComma(); printF64(2.5); printClose(); printNewline();
  printString("a string\nand another"); printf(" from printf %d ", 7); printString(""); puts("puts");
  for (int exponent = -320; exponent < 310; ++exponent)
    for (int digits = 1; digits < 10000000; digits = digits * 10 + 9) {
      char text[40];
      sprintf(text, "%de%d", digits, exponent);
      printF64(strtod(text, 0)); printComma(); printF32(strtod(text, 0)); printNewline();
    }
  for (int i = -1200; i < 1200; ++i) {
    printF64(i / 8.0); printComma(); printF32(i * 999.5f); printComma(); printF64(i * 12345.678);
    printNewline();
  }
  for (int i = 0; i < 20000; ++i) {
    union { uint64_t bits; double value; } d = {draw()};
    union { uint32_t bits; float value; } f = {draw()};
    printF64(d.value); printComma(); printF32(f.value); printNewline();
  }
  for (uint32_t code = 0; code < 65536; ++code) {
    printF16(code); printComma(); printBF16(code); printNewline();
  }
  union { uint64_t bits; double value; } nan = {0xfff8000000000000u};
  printF64(nan.value); printF32(nan.value); printF64(-nan.value); printF32(-nan.value);
  printNewline();
}

// Fills the memory with values that are interesting for a type.
static void fill(const char *type) {
  for (int i = 0; i < BYTES / 8; ++i) {
    uint64_t bits = draw();
    float small[2] = {(float)((int)(bits & 2047) - 1024) / 16, (float)(bits >> 40)};
    double large = (double)(int64_t)(bits >> 20) / 1000;
    if (i % 4 == 3) memcpy(memory + 8 * i, &bits, 8);
    else if (!strcmp(type, "F32") || !strcmp(type, "C32")) memcpy(memory + 8 * i, small, 8);
    else if (!strcmp(type, "F64") || !strcmp(type, "C64")) memcpy(memory + 8 * i, &large, 8);
    else memcpy(memory + 8 * i, &bits, 8);
  }
}

// A random layout: sizes from one, dimensions in some order, gaps, sometimes a reversed one.
static Ranked layout(int64_t rank, int most) {
  int64_t sizes[8], strides[8], extent = 1, offset = draw() % 5;
  for (int i = 0; i < rank; ++i) sizes[i] = 1 + draw() % most;
  int backwards = draw() % 2;
  for (int i = 0; i < rank; ++i) {
    int dim = backwards ? i : rank - 1 - i;
    strides[dim] = extent;
    extent = extent * sizes[dim] + (draw() % 4 == 0);
  }
  if (rank && draw() % 4 == 0) {
    offset += strides[0] * (sizes[0] - 1);
    strides[0] = -strides[0];
  }
  return ranked(rank, memory + 64, offset, sizes, strides);
}

static void sayCount(const char *what, int64_t count) { printf("%s: %lld\n", what, (long long)count); }

// A second buffer that differs here and there.
static void spoil(Ranked *other, int changes) {
  memcpy(memory + BYTES / 2, memory, BYTES / 2);
  other->aligned = memory + BYTES / 2 + 64;
  for (int i = 0; i < changes; ++i) memory[BYTES / 2 + 64 + draw() % 200] ^= 1 << draw() % 8;
}

#define EXERCISE(T, size, shape, plain, verify) \
  puts("== " #T); \
  fill(#T); \
  for (int round = 0; round < 60; ++round) { \
    int64_t rank = round % 6; \
    Ranked r = layout(rank, rank > 3 ? 3 : 5); \
    Unranked u = {rank, &r}; \
    printf("before "); \
    _mlir_ciface_printMemref##T(&u); \
    IF_##shape(_mlir_ciface_printMemrefShape##T(&u);) \
    IF_##plain(printMemref##T(rank, &r);) \
    Ranked other = r; \
    spoil(&other, round % 3 * 5); \
    Unranked v = {rank, &other}; \
    sayCount("verify", _mlir_ciface_verifyMemRef##T(&u, &v)); \
    IF_##verify(sayCount("verify", verifyMemRef##T(rank, &r, &other));) \
    if (rank) { other.numbers[round % (2 * rank)] += 1; } else other.offset += 1; \
    sayCount("shapes", _mlir_ciface_verifyMemRef##T(&u, &v)); \
    v.rank = rank + 1; \
    if (rank) sayCount("ranks", _mlir_ciface_verifyMemRef##T(&u, &v)); \
  }

static void memrefs(void) {
  TYPES(EXERCISE)
  puts("== null and other addresses");
  int64_t one[] = {1, 1, 1};
  for (int i = 0; i < 3; ++i) {
    Ranked r = ranked(3, i ? (void *)(intptr_t)-(4096 * i) : 0, i, one, one);
    Unranked u = {3, &r};
    _mlir_ciface_printMemrefShapeF32(&u);
  }
  puts("== ranked");
  fill("F32");
  Ranked r;
  for (int i = 0; i < 4; ++i) {
    r = layout(0, 4); _mlir_ciface_printMemref0dF32(&r);
    r = layout(1, 4); _mlir_ciface_printMemref1dF32(&r);
    r = layout(2, 4); _mlir_ciface_printMemref2dF32(&r);
    r = layout(3, 4); _mlir_ciface_printMemref3dF32(&r);
    r = layout(4, 3); _mlir_ciface_printMemref4dF32(&r);
    r = layout(1, 9); _mlir_ciface_printMemref1dI8(&r); _mlir_ciface_printMemref1dI32(&r);
    _mlir_ciface_printMemref1dI64(&r); _mlir_ciface_printMemref1dF64(&r);
    _mlir_ciface_printMemref1dInd(&r); _mlir_ciface_printMemref1dC32(&r);
    _mlir_ciface_printMemref1dC64(&r);
    r = layout(2, 3); _mlir_ciface_printMemrefVector4x4xf32(&r);
  }
}

static void copies(void) {
  puts("== copies");
  int64_t elementSizes[] = {1, 2, 3, 4, 8, 16, 24};
  for (int round = 0; round < 300; ++round) {
    fill("I8");
    int64_t rank = round % 5, size = elementSizes[draw() % 7];
    Ranked from = layout(rank, 4), to = layout(rank, 4);
    for (int i = 0; i < rank; ++i) to.numbers[i] = from.numbers[i];
    // The target's own strides may overlap with these sizes; take row-major ones with a gap.
    int64_t extent = 1;
    for (int i = rank - 1; i >= 0; --i) {
      to.numbers[rank + i] = extent;
      extent = extent * to.numbers[i] + draw() % 2;
    }
    to.offset = draw() % 3;
    to.aligned = memory + BYTES / 2;
    if (round % 50 == 49 && rank) from.numbers[rank - 1] = to.numbers[rank - 1] = 0;
    Unranked a = {rank, &from}, b = {rank, &to};
    memrefCopy(size, &a, &b);
    uint64_t hash = 0;
    for (int i = 0; i < BYTES; ++i) hash = hash * 31 + memory[i];
    printf("%d: %016llx\n", round, (unsigned long long)hash);
  }
}

static void others(void) {
  puts("== others");
  printFlops(1.5e9); printFlops(0); printFlops(1e300); printFlops(-12345678);
  struct timeval now;
  gettimeofday(&now, 0);
  double seconds = now.tv_sec + 1e-6 * now.tv_usec;
  printf("clocks %d %d\n", rtclock() - seconds >= 0 && rtclock() - seconds < 5,
         _mlir_ciface_nanoTime() * 1e-9 - seconds > -1 && _mlir_ciface_nanoTime() * 1e-9 - seconds < 5);
  void *block = mlirAlloc(100), *aligned = mlirAlignedAlloc(256, 512);
  printf("blocks %d %d\n", block != 0, (int)((uintptr_t)aligned % 256));
  mlirFree(block); mlirAlignedFree(aligned);

  uint64_t bounds[] = {0, 1, 2, 6, 99, 1u << 31, 0xfffffffeu, 0xffffffffu, 0x100000000u,
                       0x123456789abu, INT64_MAX, UINT64_MAX, UINT64_MAX - 1};
  uint64_t seeds[] = {0, 1, 5489, 0x123456789abcdefu};
  for (int s = 0; s < 4; ++s) {
    void *generator = rtsrand(seeds[s]);
    for (int i = 0; i < 2000; ++i)
      printf("%llu\n", (unsigned long long)rtrand(generator, bounds[i % 13]));
    int64_t stride = 1;
    for (int64_t size = 0; size < 40; ++size) {
      Ranked r = ranked(1, memory, 0, &size, &stride);
      _mlir_ciface_shuffle(&r, generator);
      for (int i = 0; i < size; ++i) printf("%llu ", ((unsigned long long *)memory)[i]);
      puts("");
    }
    int64_t size = 70000;
    Ranked r = ranked(1, memory, 0, &size, &stride);
    _mlir_ciface_shuffle(&r, generator);
    for (int i = 0; i < size; i += 97) printf("%llu ", ((unsigned long long *)memory)[i]);
    puts("");
    rtdrand(generator);
  }
  for (int64_t size = 0; size < 200; size += 13) {
    int64_t stride = 1;
    Ranked r = ranked(1, memory, 3, &size, &stride);
    Unranked u = {1, &r};
    for (int i = 0; i < 1000; ++i) ((int64_t *)memory)[i] = (int64_t)draw() >> draw() % 60;
    _mlir_ciface_stdSortI64(size, &r);
    if (size) _mlir_ciface_printMemrefI64(&u);
    for (int i = 0; i < 1000; ++i) ((double *)memory)[i] = (double)(int64_t)draw() / 1e15;
    _mlir_ciface_stdSortF64(size, &r);
    if (size) _mlir_ciface_printMemrefF64(&u);
    for (int i = 0; i < 1000; ++i) ((float *)memory)[i] = (float)(int64_t)draw() / 1e15f;
    _mlir_ciface_stdSortF32(size, &r);
    if (size) _mlir_ciface_printMemrefF32(&u);
  }
}

int main(void) {
  memory = mmap((void *)0x200000000000, BYTES + 4096, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (memory == MAP_FAILED) return 1;
  scalars();
  memrefs();
  copies();
  others();
  return 0;
}
