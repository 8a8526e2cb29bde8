/* A function that returns its argument, which callers must not be given. */

#include <stdint.h>

typedef struct {
  float *allocated;
  float *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;
} memref;

memref same(float *allocated, float *aligned, int64_t offset, int64_t size,
            int64_t stride) {
  memref result = {allocated, aligned, offset, size, stride};
  return result;
}
