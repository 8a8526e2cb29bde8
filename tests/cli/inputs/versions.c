// Calls functions of versions.h before and after a version of them was chosen.

#include <stdint.h>
#include <stdio.h>

#include "versions.h"

extern int64_t calls;

__attribute__((constructor(101))) static void early(void) {
  fused(1.0001f);
  printf("before: %d calls\n", (int)calls);
}

int main(void) {
  float rest = fused(1.0001f);
  if (_mlir_ciface_sum(4) != 8.0f || sum(3) != 6.0f)
    puts("wrong sum");
  printf("after: %d calls, %s\n", (int)calls, rest == 0.0f ? "rounded" : "fused");
  return 0;
}
