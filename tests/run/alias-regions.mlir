// RUN: freehold compile --emit=clif --merge-alloc=never %s -o - | FileCheck %s
// RUN: freehold run %s -e main --entry-point-result=f32 | FileCheck %s --check-prefix=OUT

// Allocations that only loads and stores know have memory of their own.
// CHECK-LABEL: ; apart
// CHECK-DAG:     region0 = 0 "allocation"
// CHECK-DAG:     region1 = 1 "allocation"
// CHECK:         store notrap aligned region0
// CHECK:         store notrap aligned region1
// CHECK:         load.f32 notrap aligned region0
func.func @apart(%v: f32, %w: f32) -> f32
    attributes {passthrough = ["noinline"]} {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%c1] : memref<4xf32>
  memref.store %w, %n[%c1] : memref<4xf32>
  %r = memref.load %m[%c1] : memref<4xf32>
  %s = memref.load %n[%c1] : memref<4xf32>
  %t = arith.subf %r, %s : f32
  memref.dealloc %m : memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  return %t : f32
}

// Others do not: arguments, and what a function is called with or a block may get.
// CHECK-LABEL: ; shared
// CHECK-NOT:     region{{[0-9]}}
func.func @shared(%a: memref<4xf32>, %flag: i1, %v: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  call @use(%m) : (memref<4xf32>) -> ()
  memref.store %v, %m[%c1] : memref<4xf32>
  memref.store %v, %n[%c1] : memref<4xf32>
  memref.store %v, %a[%c1] : memref<4xf32>
  cf.cond_br %flag, ^bb1(%n : memref<4xf32>), ^bb1(%a : memref<4xf32>)
^bb1(%p: memref<4xf32>):
  %r = memref.load %p[%c1] : memref<4xf32>
  return %r : f32
}
func.func @use(%m: memref<4xf32>) attributes {passthrough = ["noinline"]} {
  return
}

// OUT: 1.500000e+00
func.func @main() -> f32 {
  %v = arith.constant 2.0 : f32
  %w = arith.constant 0.5 : f32
  %r = call @apart(%v, %w) : (f32, f32) -> f32
  return %r : f32
}
