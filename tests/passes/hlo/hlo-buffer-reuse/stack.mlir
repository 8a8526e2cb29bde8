// RUN: freehold opt %s --hlo-buffer-reuse=max-stack-bytes=300 --allow-unregistered-dialect \
// RUN:   | FileCheck %s --implicit-check-not=memref.alloc --implicit-check-not=memref.dealloc

func.func private @use(memref<100xi8>)

// 400 bytes of buffers are too many for a budget of 300.
// CHECK-LABEL: func.func @budget(
// CHECK:         %[[ALLOCA:.*]] = memref.alloca() {alignment = 32 : i64} : memref<100xi8>
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<250xi8>
// CHECK:         %[[ALLOCA_0:.*]] = memref.alloca() : memref<25xi64>
// CHECK:         call @use(%[[ALLOCA]]) : (memref<100xi8>) -> ()
// CHECK:         "test.use"(%[[ALLOC]], %[[ALLOCA_0]]) : (memref<250xi8>, memref<25xi64>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<250xi8>
// CHECK:         return
func.func @budget() {
  %a = memref.alloc() {alignment = 32 : i64} : memref<100xi8>
  %b = memref.alloc() : memref<250xi8>
  %c = memref.alloc() : memref<25xi64>
  call @use(%a) : (memref<100xi8>) -> ()
  "test.use"(%b, %c) : (memref<250xi8>, memref<25xi64>) -> ()
  memref.dealloc %a : memref<100xi8>
  memref.dealloc %b : memref<250xi8>
  memref.dealloc %c : memref<25xi64>
  return
}

// Buffers that nobody uses go, of any size.
// CHECK-LABEL: func.func @unused(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         return
func.func @unused(%n: index) {
  %a = memref.alloc(%n) : memref<?xi8>
  memref.dealloc %a : memref<?xi8>
  return
}

// What may be in use in several calls at a time stays on the heap.
// CHECK-LABEL: func.func @recursive(
// CHECK-SAME:  %[[ARG0:.*]]: i1)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi8>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi8>) -> ()
// CHECK:         scf.if %[[ARG0]] {
// CHECK:           func.call @recursive(%[[ARG0]]) : (i1) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi8>
// CHECK:         return
func.func @recursive(%c: i1) {
  %a = memref.alloc() : memref<100xi8>
  call @use(%a) : (memref<100xi8>) -> ()
  scf.if %c {
    func.call @recursive(%c) : (i1) -> ()
  }
  memref.dealloc %a : memref<100xi8>
  return
}

// What leaves the function stays on the heap.
// CHECK-LABEL: func.func @returned(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi8>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi8>) -> ()
// CHECK:         return %[[ALLOC]] : memref<100xi8>
func.func @returned() -> memref<100xi8> {
  %a = memref.alloc() : memref<100xi8>
  call @use(%a) : (memref<100xi8>) -> ()
  return %a : memref<100xi8>
}
