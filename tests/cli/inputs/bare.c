// Both sides of bare-pointers.mlir.
#include <stdint.h>
#include <stdio.h>

void fill(double *m, double x) {
  for (int i = 0; i < 4; i++) m[i] = i + x;
}

#ifdef MAIN
#include "bare.h"
int main(void) {
  double m[4];
  fill(m, 3);
  printf("%g\n", ends(m, 3));
}
#endif
