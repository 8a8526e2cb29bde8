// RUN: freehold opt %s --symbol-dce | FileCheck %s

// CHECK-NOT: @unused
// CHECK-NOT: @only_from_unused
// CHECK: func.func private @used
// CHECK: memref.global "private" @data
// CHECK: func.func @main
func.func private @only_from_unused() {
  return
}
func.func private @unused() {
  call @only_from_unused() : () -> ()
  return
}
func.func private @used() {
  return
}
memref.global "private" @data : memref<2xi32>
func.func @main() {
  %g = memref.get_global @data : memref<2xi32>
  call @used() : () -> ()
  return
}
