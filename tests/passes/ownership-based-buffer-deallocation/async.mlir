// RUN: freehold opt %s --ownership-based-buffer-deallocation | FileCheck %s

// The token holds the buffer until it was waited for.
// CHECK-LABEL: func.func @awaited
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         async.execute
// CHECK:           %[[B:.*]] = memref.alloc
// CHECK:           bufferization.dealloc (%[[B]] : memref<4xf32>) if
// CHECK:           async.yield
// CHECK-NOT:     dealloc
// CHECK:         async.await
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<4xf32>) if
func.func @awaited(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    %b = memref.alloc() : memref<4xf32>
    memref.store %x, %b[%i] : memref<4xf32>
    memref.copy %b, %a : memref<4xf32> to memref<4xf32>
    async.yield
  }
  async.await %t : !async.token
  return
}

// What depends on it is waited for.
// CHECK-LABEL: func.func @dependency
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NOT:     dealloc
// CHECK:         async.await
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<4xf32>) if
func.func @dependency(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.store %x, %a[%i] : memref<4xf32>
    async.yield
  }
  %u = async.execute [%t] {
    async.yield
  }
  async.await %u : !async.token
  return
}
