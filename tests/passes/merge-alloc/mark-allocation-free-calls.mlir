// RUN: freehold opt %s --mark-allocation-free-calls --allow-unregistered-dialect | FileCheck %s

func.func private @printI64(i64)
func.func private @unknown()

// Reads, writes and prints.
func.func @reads(%m: memref<4xi64>, %i: index) {
  %x = memref.load %m[%i] : memref<4xi64>
  func.call @printI64(%x) : (i64) -> ()
  %s = memref.alloca() : memref<4xi64>
  memref.store %x, %s[%i] : memref<4xi64>
  return
}

func.func @allocates() {
  %m = memref.alloc() : memref<4xi64>
  return
}

// Frees what others may count on.
func.func @frees(%m: memref<4xi64>) {
  memref.dealloc %m : memref<4xi64>
  return
}

// Returning what is not its own makes it copy.
func.func @returns(%m: memref<4xi64>) -> memref<4xi64> {
  return %m : memref<4xi64>
}

func.func @anything() {
  "test.op"() : () -> ()
  return
}

// Two that call each other, and nothing else.
func.func @even(%n: i64) {
  func.call @odd(%n) : (i64) -> ()
  return
}
func.func @odd(%n: i64) {
  func.call @even(%n) : (i64) -> ()
  return
}

// Two of which one allocates.
func.func @first(%n: i64) {
  func.call @second(%n) : (i64) -> ()
  return
}
func.func @second(%n: i64) {
  func.call @first(%n) : (i64) -> ()
  func.call @allocates() : () -> ()
  return
}

func.func @indirect(%f: () -> ()) {
  func.call_indirect %f() : () -> ()
  return
}

// CHECK-LABEL: func.func @main
// CHECK:         call @reads({{.*}}) {__mergealloc_no_heap} :
// CHECK:         call @printI64({{.*}}) {__mergealloc_no_heap} :
// CHECK:         call @even({{.*}}) {__mergealloc_no_heap} :
// CHECK:         call @unknown() : () -> ()
// CHECK:         call @allocates() : () -> ()
// CHECK:         call @frees(%{{.*}}) : (
// CHECK:         call @returns(%{{.*}}) : (
// CHECK:         call @anything() : () -> ()
// CHECK:         call @first(%{{.*}}) : (
// CHECK:         call @indirect(%{{.*}}) : (
func.func @main(%m: memref<4xi64>, %i: index, %n: i64, %f: () -> ()) {
  call @reads(%m, %i) : (memref<4xi64>, index) -> ()
  call @printI64(%n) : (i64) -> ()
  call @even(%n) : (i64) -> ()
  call @unknown() : () -> ()
  call @allocates() : () -> ()
  call @frees(%m) : (memref<4xi64>) -> ()
  %r = call @returns(%m) : (memref<4xi64>) -> memref<4xi64>
  call @anything() : () -> ()
  call @first(%n) : (i64) -> ()
  call @indirect(%f) : (() -> ()) -> ()
  return
}
