// RUN: not freehold interpret %s -e write 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not freehold interpret %s -e neighbour 2>&1 | FileCheck %s --check-prefix=NEIGHBOUR
// RUN: not freehold interpret %s -e slices 2>&1 | FileCheck %s --check-prefix=SLICES
// RUN: not freehold interpret %s -e affine 2>&1 | FileCheck %s --check-prefix=AFFINE
// RUN: freehold interpret %s -e atomic | FileCheck %s --check-prefix=ATOMIC
// RUN: freehold interpret %s -e apart | FileCheck %s --check-prefix=APART

// Two iterations of a parallel loop that access the same bytes, one of them to write.

// WRITE: races.mlir:[[@LINE+9]]:{{[0-9]+}}: error: undefined behaviour: race between iterations of a parallel loop: 4 bytes at byte 0 of 4 bytes
// WRITE: note: another iteration writes here
func.func @write() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 1 : i32
  %m = memref.alloc() : memref<i32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %x, %m[] : memref<i32>
  }
  return
}

// NEIGHBOUR: error: undefined behaviour: race between iterations of a parallel loop
// NEIGHBOUR: note: another iteration reads here
func.func @neighbour() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<4xi32>
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    %j = arith.addi %i, %c1 : index
    %x = memref.load %m[%j] : memref<4xi32>
    memref.store %x, %m[%i] : memref<4xi32>
  }
  return
}

// SLICES: error: undefined behaviour: race between iterations of a parallel loop: two insert element 1 of result #0
func.func @slices() -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<4xi32>
  %part = arith.constant dense<1> : tensor<2xi32>
  %r = scf.forall (%i) in (3) shared_outs(%out = %zero) -> tensor<4xi32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %out[%i] [2] [1] : tensor<2xi32> into tensor<4xi32>
    }
  }
  return %r : tensor<4xi32>
}

// AFFINE: error: undefined behaviour: race between iterations of a parallel loop
func.func @affine() {
  %x = arith.constant 1 : i32
  %m = memref.alloc() : memref<8xi32>
  affine.parallel (%i) = (0) to (8) {
    affine.store %x, %m[%i floordiv 2] : memref<8xi32>
  }
  return
}

// ATOMIC: result #0: i32 = 10
func.func @atomic() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i32
  %x = arith.constant 1 : i32
  %m = memref.alloc() : memref<i32>
  memref.store %zero, %m[] : memref<i32>
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    %old = memref.atomic_rmw addi %x, %m[] : (i32, memref<i32>) -> i32
  }
  %y = memref.load %m[] : memref<i32>
  return %y : i32
}

// APART: result #0: 4xi32 = [0, 1, 2, 3]
func.func @apart() -> memref<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xi32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %m[%i] : memref<4xi32>
  }
  return %m : memref<4xi32>
}
