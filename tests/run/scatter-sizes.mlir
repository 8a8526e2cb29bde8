// Slices that do not fit the destination, or are not as many as positions, are errors; nothing is written elsewhere.
//
// RUN: freehold run %s --function=rows --input=1x3xi32=7 --input=2x3xi32=0 --input=1x1xi32=1 | FileCheck %s
// RUN: not freehold run %s --function=rows --input=1x4xi32=7 --input=2x3xi32=0 --input=1x1xi32=1 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not freehold run %s --function=rows --input=1x3xi32=7 --input=2x3xi32=0 --input=2x1xi32=1 -O0 2>&1 | FileCheck %s --check-prefix=FEW

// CHECK: 0, 0, 0
// CHECK: 7, 7, 7
// WIDE: dimension #0 of operand #1 of 'linalg.generic' is incompatible with dimension #0 of operand #0
// FEW: dimension #0 of operand #0 of 'tensor.scatter' is incompatible with dimension #0 of operand #2
func.func @rows(%s: tensor<?x?xi32>, %d: tensor<?x?xi32>, %i: tensor<?x1xi32>) -> tensor<?x?xi32> {
  %r = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x1xi32>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}
