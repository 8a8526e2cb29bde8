// RUN: freehold opt %s --ownership-based-buffer-deallocation | FileCheck %s
// RUN: freehold run %s --check

// A parallel loop that reduces buffers becomes a loop that carries one; each
// iteration frees what it replaces.
// CHECK-LABEL: func.func @main
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (memref<1xi32>)
// CHECK:           %[[A:.*]] = memref.alloc
// CHECK:           %[[S:.*]] = memref.alloc
// CHECK-DAG:       bufferization.dealloc (%[[ACC]]
// CHECK-DAG:       bufferization.dealloc (%[[A]]
// CHECK:           scf.yield %[[S]]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<1xi32>
  memref.store %one, %init[%c0] : memref<1xi32>
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%init) -> memref<1xi32> {
    %a = memref.alloc() : memref<1xi32>
    memref.store %one, %a[%c0] : memref<1xi32>
    scf.reduce(%a : memref<1xi32>) {
    ^bb0(%lhs: memref<1xi32>, %rhs: memref<1xi32>):
      %s = memref.alloc() : memref<1xi32>
      %x = memref.load %lhs[%c0] : memref<1xi32>
      %y = memref.load %rhs[%c0] : memref<1xi32>
      %z = arith.addi %x, %y : i32
      memref.store %z, %s[%c0] : memref<1xi32>
      scf.reduce.return %s : memref<1xi32>
    }
  }
  %sum = memref.load %r[%c0] : memref<1xi32>
  %five = arith.constant 5 : i32
  %is_five = arith.cmpi eq, %sum, %five : i32
  cf.assert %is_five, "one and four"
  return
}
