// Copies three elements to as many as the command line says.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} memref;

void _mlir_ciface_copied(memref *x, int64_t n);

int main(int argc, char **argv) {
  float data[3] = {1, 2, 3};
  memref x = {data, data, 0, {3}, {1}};
  int64_t n = argc > 1 ? atoi(argv[1]) : 0;
  _mlir_ciface_copied(&x, n);
  printf("%d of 3 elements\n", (int)n);
  return 0;
}
