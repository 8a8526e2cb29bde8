// Calls functions with indices that fit and with some that do not.
#include "check-arguments.h"

int main(void) {
  float data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int64_t size = 4;
  float found = 0;
  freehold_array array = {data, "f32", 1, &size, 0};
  element_checked(&found, &array, 3, 0, 0);
  printf("%g\n", found);
  // Data is there, but it is not passed.
  element_checked(&found, &array, 4, 0, 0);
  // Of what the type says, nothing else counts.
  freehold_memref_f32_1d memref = {data, data, 0, {0}, {0}};
  found = _mlir_ciface_element(&memref, 3);
  printf("%g\n", found);
  _mlir_ciface_element(&memref, -1);
  fflush(stdout);
  return freehold_check_report();
}
