// A mistake is one error: a value whose type is not compiled is used three times, and calls of a function without a
// workspace are not called wrong as well.

// RUN: not freehold run %s 2>&1 | FileCheck %s --check-prefix=LAYOUT --implicit-check-not=error:
// RUN: not freehold compile -O0 --workspace=argument %S/inputs/grows-in-loop.mlir -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WORKSPACE --implicit-check-not=error:

// LAYOUT: [[@LINE+6]]:8: error: 'memref.alloc' op cannot be lowered to native code on type 'memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>'
// WORKSPACE: grows-in-loop.mlir:8:12: error: 'memref.alloc' op cannot be part of a workspace: its size is not known when the function begins
func.func private @printF32(f32)
func.func @main() {
  %c1 = arith.constant 1 : index
  %f = arith.constant 3.0 : f32
  %m = memref.alloc() : memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>
  memref.store %f, %m[%c1] : memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>
  %v = memref.load %m[%c1] : memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>
  call @printF32(%v) : (f32) -> ()
  return
}
