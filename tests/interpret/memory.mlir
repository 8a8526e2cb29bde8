// RUN: not freehold interpret %s -e beyond 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not freehold interpret %s -e after_free 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: not freehold interpret %s -e twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not freehold interpret %s -e stack 2>&1 | FileCheck %s --check-prefix=STACK
// RUN: not freehold interpret %s -e scope 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not freehold interpret %s -e unwritten 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: not freehold interpret %s -e overlap 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not freehold interpret %s -e alignment 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// RUN: not freehold interpret %s -e odd_view 2>&1 | FileCheck %s --check-prefix=VIEW
// RUN: not freehold interpret %s -e outside_vector 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not freehold interpret %s -e vector_element 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: freehold interpret %s -e vector_of_numbers | FileCheck %s --check-prefix=NUMBERS
// RUN: not freehold interpret %s -e constant 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not freehold interpret %s -e cast --input=index=3 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not freehold interpret %s -e reshaped 2>&1 | FileCheck %s --check-prefix=RESHAPED
// RUN: freehold interpret %s -e leak | FileCheck %s --check-prefix=NOLEAK
// RUN: not freehold interpret %s -e leak --leaks 2>&1 | FileCheck %s --check-prefix=LEAK

// Memory that may not be accessed, or not freed, stops the program with the place and the values.

// BEYOND: memory.mlir:[[@LINE+5]]:{{[0-9]+}}: error: undefined behaviour: access out of bounds: index 4 in dimension 0 of size 4
func.func @beyond() -> i32 {
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xi32>
  %x = arith.constant 1 : i32
  memref.store %x, %m[%c4] : memref<4xi32>
  return %x : i32
}

// Only the dimensions that a vector runs along are padded.
// OUTSIDE: memory.mlir:[[@LINE+5]]:{{[0-9]+}}: error: undefined behaviour: access out of bounds: index 4 in dimension 0 of size 4
func.func @outside_vector() -> vector<2xi32> {
  %c4 = arith.constant 4 : index
  %m = arith.constant dense<1> : tensor<4x4xi32>
  %x = arith.constant 1 : i32
  %v = vector.transfer_read %m[%c4, %c4], %x : tensor<4x4xi32>, vector<2xi32>
  return %v : vector<2xi32>
}

// AFTER: memory.mlir:[[@LINE+7]]:{{[0-9]+}}: error: undefined behaviour: use after free: byte 0 of 16 bytes
// AFTER: memory.mlir:[[@LINE+4]]:{{[0-9]+}}: note: allocated here
// AFTER: memory.mlir:[[@LINE+4]]:{{[0-9]+}}: note: freed here
func.func @after_free() -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  %x = memref.load %m[%c0] : memref<4xi32>
  return %x : i32
}

// TWICE: error: undefined behaviour: double free
func.func @twice() {
  %m = memref.alloc() : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return
}

// STACK: error: undefined behaviour: free of memory of the stack
func.func @stack() {
  %m = memref.alloca() : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return
}

// SCOPE: error: undefined behaviour: use of stack memory after its scope
func.func @scope() -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca_scope -> memref<4xi32> {
    %inner = memref.alloca() : memref<4xi32>
    memref.alloca_scope.return %inner : memref<4xi32>
  }
  %x = memref.load %m[%c0] : memref<4xi32>
  return %x : i32
}

// UNWRITTEN: error: undefined behaviour: a condition was never written
// UNWRITTEN: note: its memory was allocated here
func.func @unwritten() -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xi32>
  %x = memref.load %m[%c0] : memref<4xi32>
  %y = arith.cmpi eq, %x, %x : i32
  %z = scf.if %y -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %x : i32
  }
  return %z : i32
}

// OVERLAP: error: undefined behaviour: source and target of a copy overlap
func.func @overlap() {
  %m = memref.alloc() : memref<4xi32>
  %a = memref.subview %m[0] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1]>>
  %b = memref.subview %m[1] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: 1>>
  memref.copy %a, %b : memref<3xi32, strided<[1]>> to memref<3xi32, strided<[1], offset: 1>>
  return
}

// ALIGNMENT: error: undefined behaviour: memory is not aligned to 64 bytes, but to 16
func.func @alignment() {
  %m = memref.alloc() : memref<4xi32>
  memref.assume_alignment %m, 64 : memref<4xi32>
  return
}

// VIEW: error: undefined behaviour: memory is not aligned to 4 bytes, but to 1
func.func @odd_view() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = memref.alloc() : memref<32xi8>
  %view = memref.view %bytes[%c1][] : memref<32xi8> to memref<4xf32>
  %x = memref.load %view[%c0] : memref<4xf32>
  return %x : f32
}

// VECTOR: error: undefined behaviour: memory is not aligned to 16 bytes, but to 8
func.func @vector_element() {
  %x = arith.constant dense<1.0> : vector<4xf32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %bytes = memref.alloc() : memref<32xi8>
  %view = memref.view %bytes[%c8][] : memref<32xi8> to memref<1xvector<4xf32>>
  memref.store %x, %view[%c0] : memref<1xvector<4xf32>>
  return
}

// Elements of a vector that is loaded from memory of numbers are aligned as those are.
// NUMBERS: result #0: 2xi32 = [2, 3]
func.func @vector_of_numbers() -> vector<2xi32> {
  %c1 = arith.constant 1 : index
  %m = memref.get_global @three : memref<3xi32>
  %v = vector.load %m[%c1] : memref<3xi32>, vector<2xi32>
  return %v : vector<2xi32>
}
memref.global constant @three : memref<3xi32> = dense<[1, 2, 3]>

memref.global constant @numbers : memref<2xi32> = dense<[1, 2]>

// CONSTANT: error: undefined behaviour: write to a constant
func.func @constant() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 3 : i32
  %m = memref.get_global @numbers : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  return
}

// CAST: error: undefined behaviour: a memref is poison
// CAST: note: size 3 of dimension 0 is to be 4 by the type
func.func @cast(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xindex>
  %four = memref.cast %m : memref<?xindex> to memref<4xindex>
  memref.store %c0, %four[%c0] : memref<4xindex>
  return %c0 : index
}

// NOLEAK: result #0: i32 = 7
// LEAK: memory.mlir:[[@LINE+3]]:{{[0-9]+}}: error: leak: 16 bytes are never freed
func.func @leak() -> i32 {
  %x = arith.constant 7 : i32
  %m = memref.alloc() : memref<4xi32>
  return %x : i32
}

// Sizes whose product is beyond 64 bits are no sizes of anything.
// RESHAPED: memory.mlir:[[@LINE+10]]:{{[0-9]+}}: error: undefined behaviour: 4 elements are reshaped to sizes [9223372036854775807, 2]
func.func @reshaped() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 9223372036854775807 : i64
  %two = arith.constant 2 : i64
  %m = memref.alloc() : memref<4xi64>
  %sizes = memref.alloc() : memref<2xi64>
  memref.store %most, %sizes[%c0] : memref<2xi64>
  memref.store %two, %sizes[%c1] : memref<2xi64>
  %r = memref.reshape %m(%sizes) : (memref<4xi64>, memref<2xi64>) -> memref<?x?xi64>
  %x = memref.load %r[%c0, %c0] : memref<?x?xi64>
  return %x : i64
}
