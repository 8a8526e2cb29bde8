// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt - | FileCheck %s
// RUN: freehold run %s | FileCheck %s --check-prefix=OUTPUT

// The only operation besides the terminator has no result: the body is written in full.
// CHECK-LABEL: func @main
// CHECK: linalg.map ins(%{{.*}}) outs(%{{.*}})
// CHECK-NEXT: (%{{.*}}: f32) {
// CHECK-NEXT: vector.print
// OUTPUT: 7
// OUTPUT: 7
func.func @main() {
  %from = memref.alloc() : memref<2xf32>
  %to = memref.alloc() : memref<2xf32>
  %seven = arith.constant 7.0 : f32
  linalg.fill ins(%seven : f32) outs(%from : memref<2xf32>)
  linalg.map ins(%from : memref<2xf32>) outs(%to : memref<2xf32>)
    (%x: f32) {
      vector.print %x : f32
      linalg.yield %x : f32
    }
  return
}
