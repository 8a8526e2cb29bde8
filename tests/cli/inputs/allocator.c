// Calls what ../allocator.mlir defines, with memory of its own that it counts.

#include "allocator.h"

#include <stdio.h>
#include <stdlib.h>

static int n_blocks;

#ifdef ALIGNED
void *pool_get(size_t alignment, size_t size) {
  n_blocks++;
  return aligned_alloc(alignment, size);
}
#else
// Memory that is not aligned to more than 16 bytes: the block before it is in the way.
void *pool_get(size_t size) {
  char *block = aligned_alloc(256, (size + 16 + 255) / 256 * 256);
  n_blocks++;
  return block ? block + 16 : NULL;
}
#endif

void pool_put(void *block) {
  if (!block)
    return;
  n_blocks--;
#ifdef ALIGNED
  free(block);
#else
  free((char *)block - 16);
#endif
}

int main(void) {
  float data[4] = {1, 2, 3, 4};
  freehold_memref_f32_1d x = {data, data, 0, {4}, {1}};
  freehold_memref_f32_1d y[2];
  float totals[2];
  int is_aligned = 1;
  for (int own = 0; own < 2; own++) {
    _mlir_ciface_choose(&y[own], &x, own);
    totals[own] = _mlir_ciface_sum(&y[own]);
    is_aligned &= (uintptr_t)y[own].aligned % (own ? 64 : 256) == 0;
  }
  printf("sums %g %g, %s\n", totals[0], totals[1], is_aligned ? "aligned" : "not aligned");
  for (int own = 0; own < 2; own++)
    pool_put(y[own].allocated);
  puts(n_blocks ? "memory is left" : "nothing is left");
  return 0;
}
