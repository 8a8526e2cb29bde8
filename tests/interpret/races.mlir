// RUN: not freehold interpret %s -e write 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not freehold interpret %s -e neighbour 2>&1 | FileCheck %s --check-prefix=NEIGHBOUR
// RUN: not freehold interpret %s -e slices 2>&1 | FileCheck %s --check-prefix=SLICES
// RUN: not freehold interpret %s -e affine 2>&1 | FileCheck %s --check-prefix=AFFINE
// RUN: not freehold interpret %s -e body 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not freehold interpret %s -e shifted 2>&1 | FileCheck %s --check-prefix=SHIFTED
// RUN: freehold interpret %s -e sums | FileCheck %s --check-prefix=SUMS
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

// Parallel iterations of structured operations are iterations as well.
// BODY: error: undefined behaviour: race between iterations of a parallel loop
func.func @body() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i32
  %m = memref.alloc() : memref<4xi32>
  linalg.fill ins(%x : i32) outs(%m : memref<4xi32>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<4xi32>) {
  ^bb0(%old: i32):
    %first = memref.load %m[%c0] : memref<4xi32>
    %sum = arith.addi %old, %first : i32
    linalg.yield %sum : i32
  }
  return
}

// SHIFTED: error: undefined behaviour: race between iterations of a parallel loop
func.func @shifted() {
  %x = arith.constant 1 : i32
  %m = memref.alloc() : memref<4xi32>
  linalg.fill ins(%x : i32) outs(%m : memref<4xi32>)
  %a = memref.subview %m[0] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1]>>
  %b = memref.subview %m[1] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: 1>>
  linalg.copy ins(%a : memref<3xi32, strided<[1]>>) outs(%b : memref<3xi32, strided<[1], offset: 1>>)
  return
}

// Those of a reduction run one after the other.
// SUMS: result #0: i32 = 7
func.func @sums() -> i32 {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i32
  %m = memref.alloc() : memref<1xi32>
  linalg.fill ins(%x : i32) outs(%m : memref<1xi32>)
  %a = memref.alloc() : memref<2x3xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<2x3xi32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0)>], iterator_types = ["reduction", "reduction"]} ins(%a : memref<2x3xi32>) outs(%m : memref<1xi32>) {
  ^bb0(%in: i32, %old: i32):
    %sum = arith.addi %old, %in : i32
    linalg.yield %sum : i32
  }
  %r = memref.load %m[%c0] : memref<1xi32>
  return %r : i32
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
