// Calls functions that take their workspace from here, and counts calls of malloc (linked with --wrap=malloc).
#include "workspace.h"

#include <stdio.h>
#include <stdlib.h>

static int calls;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
  calls++;
  return __real_malloc(bytes);
}

static _Alignas(GRAM_WORKSPACE_ALIGNMENT) int8_t memory[GRAM_WORKSPACE_BYTES];

int main(void) {
  int at_first = calls;
  float x[8] = {1, 2, 1, 2, 2, 2, 2, 2}, y[4];
  _mlir_ciface_gram(&(freehold_memref_f32_2d){x, x, 0, {2, 4}, {4, 1}},
                          &(freehold_memref_f32_2d){y, y, 0, {2, 2}, {2, 1}},
                          &(freehold_memref_i8_1d){memory, memory, 0, {sizeof memory}, {1}});
  float z[5] = {1, 5, 3, 1, 5};
  freehold_memref_f32_1d line = {z, z, 0, {5}, {1}};
  int8_t more[256];
  int64_t bytes = _mlir_ciface_smooth_workspace_size(&line);
  if (bytes > (int64_t)sizeof more)
    return 1;
  _mlir_ciface_smooth(&line, &(freehold_memref_i8_1d){more, more, 0, {bytes}, {1}});
  int counted = calls - at_first;
  printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  printf("%g %g %g\n", z[1], z[2], z[3]);
  printf("malloc was called %d times\n", counted);
}
