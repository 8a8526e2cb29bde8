// The flags of upstream's tutorials before its runner: the lowered program runs as it is.
// RUN: freehold opt %s -convert-vector-to-scf -convert-scf-to-cf -expand-strided-metadata -lower-affine -convert-arith-to-llvm -convert-vector-to-llvm -finalize-memref-to-llvm -convert-func-to-llvm -reconcile-unrealized-casts | freehold run - -e entry -entry-point-result=void | FileCheck %s

// CHECK: ( ( 0, 1, 2 ), ( 10, 11, 12 ) )
func.func @entry() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %m = memref.alloc() : memref<2x3xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %t = arith.muli %i, %c10 : index
      %s = arith.addi %t, %j : index
      %w = arith.index_cast %s : index to i32
      %f = arith.sitofp %w : i32 to f32
      memref.store %f, %m[%i, %j] : memref<2x3xf32>
    }
  }
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0, %c0], %p : memref<2x3xf32>, vector<2x3xf32>
  vector.print %v : vector<2x3xf32>
  memref.dealloc %m : memref<2x3xf32>
  return
}
