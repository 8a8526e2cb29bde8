// RUN: freehold opt %s --ownership-based-buffer-deallocation | FileCheck %s
// RUN: freehold run %s --check | FileCheck %s --check-prefix=PRINTED
// RUN: freehold interpret %s | FileCheck %s --check-prefix=PRINTED

// PRINTED: 4

// A loop with one iteration carries the flag of each buffer that it hands on, as others do.
// CHECK-LABEL: func.func private @once
// CHECK:         %[[R:.*]]:4 = affine.for %{{.*}} = 0 to 1 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (memref<?xf64>, memref<?xf64>, i1, i1) {
// CHECK:           affine.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<?xf64>, memref<?xf64>, i1, i1
// CHECK:         bufferization.dealloc (%[[R]]#0 : memref<?xf64>) if (%[[R]]#2)
func.func private @once(%c: i1, %n: index) {
  %f = arith.constant 1.0 : f64
  %a = memref.alloc(%n) : memref<?xf64>
  %r:2 = affine.for %i = 0 to 1 iter_args(%p = %a, %q = %a) -> (memref<?xf64>, memref<?xf64>) {
    %b = memref.alloc(%n) : memref<?xf64>
    %s = arith.select %c, %b, %q : memref<?xf64>
    affine.yield %s, %q : memref<?xf64>, memref<?xf64>
  }
  affine.store %f, %r#0[0] : memref<?xf64>
  affine.store %f, %r#1[0] : memref<?xf64>
  return
}

// So does one without any.
// CHECK-LABEL: func.func private @never
// CHECK:         affine.for
// CHECK:         return
func.func private @never(%c: i1, %n: index) {
  %f = arith.constant 1.0 : f64
  %a = memref.alloc(%n) : memref<?xf64>
  %r:2 = affine.for %i = 0 to 0 iter_args(%p = %a, %q = %a) -> (memref<?xf64>, memref<?xf64>) {
    %b = memref.alloc(%n) : memref<?xf64>
    %s = arith.select %c, %b, %q : memref<?xf64>
    affine.yield %s, %q : memref<?xf64>, memref<?xf64>
  }
  affine.store %f, %r#0[0] : memref<?xf64>
  affine.store %f, %r#1[0] : memref<?xf64>
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %n = arith.constant 4 : index
  call @once(%true, %n) : (i1, index) -> ()
  call @once(%false, %n) : (i1, index) -> ()
  call @never(%true, %n) : (i1, index) -> ()
  vector.print %n : index
  return
}
