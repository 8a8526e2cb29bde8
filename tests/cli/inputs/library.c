// Uses every kind of symbol of library.mlir.
#include "library.h"
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

int64_t _mlir_ciface_count(freehold_memref_f32_2d *m) { return m->sizes[0] * m->sizes[1]; }

// What the caller does with the address of a struct that is returned in memory is up to it.
__attribute__((noinline)) static void fill(many_results *r) {
  *r = many(true, -3, 0.25, 1.0, -2.0);
}

int main(void) {
  printf("%d %g\n", primes[0][0] + primes[0][1] + primes[1][0] + primes[1][1], factor);

  freehold_memref_f32_2d m;
  _mlir_ciface_iota(&m, 3, 3);
  printf("trace %g\n", trace(m.allocated, m.aligned, 0, 2, 2, 3, 1) * 2);

  div_rem_results d = div_rem(19, 3);
  printf("%ld remainder %ld\n", (long)d.r0, (long)d.r1);

  many_results r;
  fill(&r);
  printf("many %d %d %g %g %g %ld\n", r.r0, r.r1, r.r2, creal(r.r3), cimag(r.r3), (long)r.r10);

  printf("%ld %d %d\n", (long)triple_2(7), int_(9), any(3, NULL));
  fflush(stdout);
  count_twice(m.allocated, m.aligned, m.offset, m.sizes[0], m.sizes[1], m.strides[0], m.strides[1]);
  printf("\n");
  free(m.allocated);
  return 0;
}
