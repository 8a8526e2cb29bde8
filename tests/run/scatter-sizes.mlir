// Slices that do not fit the destination, or are not as many as positions, end the program; nothing is written elsewhere.
//
// RUN: not freehold run %s -e wide 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not freehold run %s -e few -O0 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not freehold run %s -e outside -O0 --check=accesses 2>&1 | FileCheck %s --check-prefix=OUTSIDE

func.func private @scatter(%n: index, %m: index, %at: index) -> i32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %seven = arith.constant 7 : i32
  %s0 = tensor.empty(%n, %m) : tensor<?x?xi32>
  %s = linalg.fill ins(%seven : i32) outs(%s0 : tensor<?x?xi32>) -> tensor<?x?xi32>
  %d0 = tensor.empty(%c3, %c3) : tensor<?x?xi32>
  %d = linalg.fill ins(%seven : i32) outs(%d0 : tensor<?x?xi32>) -> tensor<?x?xi32>
  %one = tensor.from_elements %at : tensor<1x1xindex>
  %i = tensor.cast %one : tensor<1x1xindex> to tensor<?x1xindex>
  %r = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x1xindex>) -> tensor<?x?xi32>
  %x = tensor.extract %r[%c0, %c0] : tensor<?x?xi32>
  return %x : i32
}

// WIDE: incompatible
func.func @wide() -> i32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = call @scatter(%c1, %c4, %c1) : (index, index, index) -> i32
  return %x : i32
}

// FEW: dimension #0 of operand #0 of 'tensor.scatter' is incompatible with dimension #0 of operand #2
func.func @few() -> i32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %x = call @scatter(%c0, %c3, %c0) : (index, index, index) -> i32
  return %x : i32
}

// OUTSIDE: error: out of bounds
func.func @outside() -> i32 {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %x = call @scatter(%c1, %c3, %c7) : (index, index, index) -> i32
  return %x : i32
}
