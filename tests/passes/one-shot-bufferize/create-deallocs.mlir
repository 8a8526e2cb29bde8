// RUN: freehold opt %s --one-shot-bufferize="create-deallocs" | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize="create-deallocs=0" | FileCheck %s --check-prefix=NONE
// RUN: freehold opt %s --one-shot-bufferize="create-deallocs" --ownership-based-buffer-deallocation --verify-ownership | FileCheck %s --check-prefix=ALL
// RUN: freehold opt %s --one-shot-bufferize="create-deallocs" --ownership-based-buffer-deallocation --bufferization-lower-deallocations | freehold run - --check | FileCheck %s --check-prefix=PRINTED

// NONE-NOT: dealloc
// PRINTED: 4

// Buffers that stay in their block are freed there; what a branch hands on is left.
// CHECK-LABEL: func.func @f
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         scf.for
// CHECK:           %[[B:.*]] = memref.alloc
// CHECK:           memref.load %[[B]]
// CHECK-NEXT:      memref.dealloc %[[B]]
// CHECK-NEXT:      scf.yield
// CHECK:         scf.if
// CHECK-NOT:     dealloc
// CHECK:         return
// ALL-LABEL: func.func @f
func.func @f(%x: f32, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
    %g = tensor.insert %x into %f[%i] : tensor<?xf32>
    %h = tensor.extract %g[%c0] : tensor<?xf32>
    scf.yield %h : f32
  }
  %t = scf.if %c -> tensor<?xf32> {
    scf.yield %f : tensor<?xf32>
  } else {
    %k = tensor.splat %x[%n] : tensor<?xf32>
    scf.yield %k : tensor<?xf32>
  }
  %r = tensor.extract %t[%c0] : tensor<?xf32>
  %y = arith.addf %r, %s : f32
  return %y : f32
}

func.func @main() {
  %x = arith.constant 2.0 : f32
  %n = arith.constant 3 : index
  %c = arith.constant false
  %y = call @f(%x, %n, %c) : (f32, index, i1) -> f32
  vector.print %y : f32
  return
}
