// RUN: freehold opt %s --allow-unregistered-dialect --ownership-based-buffer-deallocation | FileCheck %s

// What goes on after the operation that starts it keeps its buffers until
// somebody has waited for it. The original rejects all of these.

func.func private @use(memref<4xf32>)

// A transfer ends where its tag is waited for.
// CHECK-LABEL: func.func @transfer
// CHECK:         %[[FROM:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         %[[TO:.*]] = memref.alloc() : memref<4xf32, 1>
// CHECK:         memref.dma_start
// CHECK-NEXT:    memref.dma_wait %[[TAG:.*]][
// CHECK-DAG:     bufferization.dealloc (%[[FROM]] : memref<4xf32>) if (%true)
// CHECK-DAG:     bufferization.dealloc (%[[TO]] : memref<4xf32, 1>) if (%true)
// CHECK-DAG:     bufferization.dealloc (%[[TAG]] : memref<1xi32>) if (%true)
// CHECK:         return
func.func @transfer(%i: index) {
  %n = arith.constant 4 : index
  %from = memref.alloc() : memref<4xf32>
  %to = memref.alloc() : memref<4xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%i], %to[%i], %n, %tag[%i] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%i], %n : memref<1xi32>
  return
}

// A token of an operation that nobody knows may stand for its operands, and
// for what its regions use.
// CHECK-LABEL: func.func @token
// CHECK:         "other.execute"
// CHECK:         "other.await"
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    return
func.func @token() {
  %a = memref.alloc() : memref<4xf32>
  %token = "other.execute"() ({
    func.call @use(%a) : (memref<4xf32>) -> ()
    "other.yield"() : () -> ()
  }) : () -> !other.token
  %later = "other.then"(%token) : (!other.token) -> !other.token
  "other.await"(%later) : (!other.token) -> ()
  return
}

// A region of an unknown operation frees what it allocates (the original
// leaks it).
// CHECK-LABEL: func.func @region
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    func.call @use(%[[A]])
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<4xf32>) if (%true)
// CHECK-NEXT:    "omp.terminator"
func.func @region() {
  "omp.parallel"() ({
    %a = memref.alloc() : memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
    "omp.terminator"() : () -> ()
  }) : () -> ()
  return
}

// Where a buffer comes from that an unknown operation makes, nobody knows; so it is
// not freed as memory of the host (the original does that to those of a GPU).
// CHECK-LABEL: func.func @made_by_others
// CHECK-NOT:     bufferization.dealloc
// CHECK:         return
func.func @made_by_others() {
  %a = "gpu.alloc"() : () -> memref<4xf32>
  func.call @use(%a) : (memref<4xf32>) -> ()
  "gpu.dealloc"(%a) : (memref<4xf32>) -> ()
  return
}

// A path that ends without a return frees what it does not need, too.
// CHECK-LABEL: func.func @never_returns
// CHECK:       ^bb2:
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    llvm.unreachable
func.func @never_returns(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  func.call @use(%a) : (memref<4xf32>) -> ()
  return
^bb2:
  "llvm.unreachable"() : () -> ()
}
