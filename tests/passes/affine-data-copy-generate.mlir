// RUN: freehold opt %s --affine-data-copy-generate | FileCheck %s
// RUN: freehold opt %s --affine-data-copy-generate="fast-mem-capacity=1 fast-mem-space=3" | FileCheck %s --check-prefix=SMALL
// RUN: freehold run %s | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --affine-data-copy-generate=fast-mem-space=0 | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --affine-data-copy-generate="fast-mem-space=0 fast-mem-capacity=1" | freehold interpret - | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --affine-data-copy-generate="fast-mem-space=0 skip-non-unit-stride-loops" | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: not freehold opt %s --affine-data-copy-generate=generate-dma 2>&1 | FileCheck %s --check-prefix=DMA

// DMA: invalid for option generate-dma: expected false: operations of DMA are not compiled, loops copy elements

// SMALL-DAG: #[[MAX:.*]] = affine_map<(d0) -> (d0, 0)>
// SMALL-DAG: #[[MIN:.*]] = affine_map<(d0) -> (d0 + 240, 1000)>

// What is read: exactly the part of the row. What is written, and all of it, is not filled.
// CHECK-LABEL: func.func @row
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref<1x34xf32, 1>
// CHECK-NEXT:    affine.for %[[K:.*]] = 3 to 37 {
// CHECK-NEXT:      %[[X:.*]] = affine.load %arg0[symbol(%arg2), %[[K]]] : memref<8x64xf32>
// CHECK-NEXT:      affine.store %[[X]], %[[A]][0, %[[K]] - 3] : memref<1x34xf32, 1>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<32xf32, 1>
// CHECK-NEXT:    affine.for %[[I:.*]] = 0 to 32 {
// CHECK-NEXT:      affine.load %[[A]][0, %[[I]] + 2]
// CHECK-NEXT:      affine.load %[[A]][0, %[[I]]]
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      affine.store %{{.*}}, %[[B]][%[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    affine.for %[[K:.*]] = 0 to 32 {
// CHECK-NEXT:      affine.load %[[B]][%[[K]]]
// CHECK-NEXT:      affine.store %{{.*}}, %arg1[%[[K]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @row(%A: memref<8x64xf32> {llvm.noalias}, %B: memref<32xf32> {llvm.noalias}, %k: index) {
  affine.for %i = 0 to 32 {
    %a = affine.load %A[symbol(%k), %i + 5] : memref<8x64xf32>
    %b = affine.load %A[symbol(%k), %i + 3] : memref<8x64xf32>
    %s = arith.addf %a, %b : f32
    affine.store %s, %B[%i] : memref<32xf32>
  }
  return
}

// 1 KiB: tiles of both fit, rows or columns of tiles do not.
// SMALL-LABEL: func.func @tiles
// SMALL:         affine.for %[[I:.*]] = 0 to 32 step 8 {
// SMALL-NEXT:      affine.for %[[J:.*]] = 0 to 32 step 8 {
// SMALL-NEXT:        %[[F:.*]] = memref.alloc() : memref<8x8xf32, 3>
// SMALL-NEXT:        affine.for %[[K:.*]] = #{{.*}}(%[[J]]) to #{{.*}}(%[[J]]) {
// SMALL-NEXT:          affine.for %[[L:.*]] = #{{.*}}(%[[I]]) to #{{.*}}(%[[I]]) {
// SMALL-NEXT:            affine.load %arg0[%[[K]], %[[L]]]
// SMALL-NEXT:            affine.store %{{.*}}, %[[F]][%[[K]] - %[[J]], %[[L]] - %[[I]]]
// SMALL:             affine.load %[[F]][-%[[J]] + %{{.*}}, -%[[I]] + %{{.*}}]
// CHECK-LABEL: func.func @tiles
// CHECK:         memref.alloc() : memref<32x32xf32, 1>
// CHECK:         memref.alloc() : memref<32x32xf32, 1>
func.func @tiles(%A: memref<32x32xf32> {llvm.noalias}, %B: memref<32x32xf32> {llvm.noalias}) {
  affine.for %i = 0 to 32 step 8 {
    affine.for %j = 0 to 32 step 8 {
      affine.for %ii = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 8)>(%i) {
        affine.for %jj = affine_map<(d0) -> (d0)>(%j) to affine_map<(d0) -> (d0 + 8)>(%j) {
          %a = affine.load %A[%jj, %ii] : memref<32x32xf32>
          affine.store %a, %B[%ii, %jj] : memref<32x32xf32>
        }
      }
    }
  }
  return
}

// A store that leaves out elements: what is copied back is what was there.
// CHECK-LABEL: func.func @holes
// CHECK:         %[[F:.*]] = memref.alloc() : memref<19xf32, 1>
// CHECK-NEXT:    affine.for %[[K:.*]] = 1 to 20 {
// CHECK-NEXT:      affine.load %arg0[%[[K]]]
// CHECK-NEXT:      affine.store %{{.*}}, %[[F]][%[[K]] - 1]
// CHECK:         affine.store %arg1, %[[F]][%{{.*}} * 2]
// CHECK:         affine.for
// CHECK:         %[[G:.*]] = memref.alloc() : memref<10xf32, 1>
// CHECK-NEXT:    affine.for %[[K:.*]] = 0 to 10 {
// CHECK-NEXT:      affine.load %arg0[%[[K]]]
// CHECK:         affine.if
func.func @holes(%A: memref<20xf32>, %f: f32) {
  affine.for %i = 0 to 10 {
    affine.store %f, %A[2 * %i + 1] : memref<20xf32>
  }
  affine.for %i = 0 to 10 {
    affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) {
      affine.store %f, %A[%i] : memref<20xf32>
    }
  }
  return
}

// A box that may reach beyond the end is cut there.
// SMALL-LABEL: func.func @edge
// SMALL:         affine.for %[[I:.*]] = 0 to 1000 step 240 {
// SMALL-NEXT:      %[[F:.*]] = memref.alloc() : memref<240xf32, 3>
// SMALL-NEXT:      affine.for %[[K:.*]] = max #[[MAX]](%[[I]]) to min #[[MIN]](%[[I]]) {
// SMALL-NEXT:        affine.load %arg0[%[[K]]]
// SMALL-NEXT:        affine.store %{{.*}}, %[[F]][%[[K]] - %[[I]]]
func.func @edge(%A: memref<1000xf32>, %f: f32) {
  affine.for %i = 0 to 1000 step 240 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (d0 + 240, 1000)>(%i) {
      %a = affine.load %A[%j] : memref<1000xf32>
      %b = arith.addf %a, %f : f32
      affine.store %b, %A[%j] : memref<1000xf32>
    }
  }
  return
}

// Not: two arguments that may be one buffer, a size that is not known and a loop that may have no iterations, a
// buffer that the loop allocates, memory of another space.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     memref<{{.*}}, 1>
// CHECK:         return
func.func @kept(%A: memref<20xf32>, %B: memref<20xf32>, %C: memref<?xf32>, %D: memref<20xf32, 2>, %n: index) {
  affine.for %i = 0 to 10 {
    %a = affine.load %A[%i] : memref<20xf32>
    affine.store %a, %B[%i + 1] : memref<20xf32>
  }
  affine.for %i = 0 to %n {
    %a = affine.load %C[%i] : memref<?xf32>
    affine.store %a, %C[%i] : memref<?xf32>
  }
  affine.for %i = 0 to 10 {
    %E = memref.alloc() : memref<20xf32>
    %a = affine.load %D[%i] : memref<20xf32, 2>
    affine.store %a, %E[%i] : memref<20xf32>
    memref.dealloc %E : memref<20xf32>
  }
  return
}

// A size that is not known, and elements that are there.
// CHECK-LABEL: func.func @there
// CHECK:         memref.alloc() : memref<10xf32, 1>
func.func @there(%C: memref<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %a = affine.load %C[%i + 4] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}

// In rows that overlap, a store changes elements of other rows, which their copy would not.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @rows(%m: memref<8x4xf32, strided<[1, 1]>>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %v = affine.load %m[%i, %j] : memref<8x4xf32, strided<[1, 1]>>
      %w = arith.addf %v, %v : f32
      affine.store %w, %m[%i, %j] : memref<8x4xf32, strided<[1, 1]>>
    }
  }
  return
}

// Where nothing is read, the buffer may be gone.
// CHECK-LABEL: func.func @freed
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT:     memref.alloc()
// CHECK:         return
func.func @freed(%c: i1, %f: f32) -> f32 {
  %m = memref.alloc() : memref<8xf32>
  affine.store %f, %m[0] : memref<8xf32>
  scf.if %c {
    memref.dealloc %m : memref<8xf32>
  }
  %r = scf.if %c -> f32 {
    scf.yield %f : f32
  } else {
    %v = affine.load %m[0] : memref<8xf32>
    memref.dealloc %m : memref<8xf32>
    scf.yield %v : f32
  }
  return %r : f32
}

// PRINTED:      [0, 1, 2, 3, 4, 105, 106, 107, 108, 109, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
// PRINTED:      [100, 100, 2, 100, 4, 100, 6, 100, 8, 100, 10, 100, 12, 100, 14, 100, 16, 100, 18, 100]
func.func @main() {
  %m = memref.alloc() : memref<20xi32>
  %k = arith.constant 100 : i32
  affine.for %i = 0 to 20 {
    %v = arith.index_cast %i : index to i32
    affine.store %v, %m[%i] : memref<20xi32>
  }
  affine.for %i = 0 to 10 {
    affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) {
      %a = affine.load %m[%i] : memref<20xi32>
      %b = arith.addi %a, %k : i32
      affine.store %b, %m[%i] : memref<20xi32>
    }
  }
  call @show(%m) : (memref<20xi32>) -> ()
  affine.for %i = 0 to 20 {
    %v = arith.index_cast %i : index to i32
    affine.store %v, %m[%i] : memref<20xi32>
  }
  affine.for %i = 0 to 10 {
    affine.store %k, %m[2 * %i + 1] : memref<20xi32>
  }
  affine.store %k, %m[0] : memref<20xi32>
  call @show(%m) : (memref<20xi32>) -> ()
  memref.dealloc %m : memref<20xi32>
  return
}
func.func private @printMemrefI32(memref<*xi32>)
func.func @show(%m: memref<20xi32>) {
  %u = memref.cast %m : memref<20xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}
