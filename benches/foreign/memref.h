/* Memrefs as upstream's lowering passes them: their parts as arguments, and as a result by value. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  void *allocated, *aligned;
  intptr_t offset, size, stride;
} Row;

#define ROW(x) void *x##_allocated, void *x##_aligned, intptr_t x##_offset, intptr_t x##_size, intptr_t x##_stride
#define MATRIX(x)                                                                                                      \
  void *x##_allocated, void *x##_aligned, intptr_t x##_offset, intptr_t x##_rows, intptr_t x##_columns,                \
      intptr_t x##_row_stride, intptr_t x##_stride

/* What C code allocates is counted here, and said at the end. */
static unsigned long allocations;

static inline void *allocate(size_t size) {
  allocations++;
  return malloc(size);
}

__attribute__((destructor)) static void report(void) { fprintf(stderr, "foreign allocations: %lu\n", allocations); }
