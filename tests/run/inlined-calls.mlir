// Loops that call small functions run in vectors, and views, stack memory and results through calls
// mean the same with and without inlining.
//
// RUN: freehold compile %s --emit=clif -o - | FileCheck %s --check-prefix=CLIF
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s --check | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>)

func.func private @line(%x: f32, %slope: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %y = arith.mulf %x, %slope : f32
  %z = arith.addf %y, %one : f32
  return %z : f32
}

// CLIF: ; lines
// CLIF: load.f32x4
// CLIF: fmul
func.func @lines(%from: memref<?xf32>, %to: memref<?xf32>, %slope: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %from, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %from[%i] : memref<?xf32>
    %y = func.call @line(%x, %slope) : (f32, f32) -> f32
    memref.store %y, %to[%i] : memref<?xf32>
  }
  return
}

// A new buffer, from inside of a branch.
func.func private @copy_of(%m: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %new = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %new : memref<?xf32> to memref<?xf32>
  return %new : memref<?xf32>
}

func.func private @on_stack(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<256xf32>
  memref.store %x, %m[%c0] : memref<256xf32>
  %y = memref.load %m[%c0] : memref<256xf32>
  return %y : f32
}

func.func private @sign(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -1.0 : f32
  %plus = arith.constant 1.0 : f32
  %less = arith.cmpf olt, %x, %zero : f32
  cf.cond_br %less, ^done(%minus : f32), ^done(%plus : f32)
^done(%r: f32):
  return %r : f32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %slope = arith.constant 2.0 : f32
  %three = arith.constant -3.0 : f32
  %true = arith.constant true
  %a = memref.alloc(%c9) : memref<?xf32>
  scf.for %i = %c0 to %c9 step %c1 {
    %n = arith.index_cast %i : index to i32
    %x = arith.sitofp %n : i32 to f32
    %y = func.call @on_stack(%x) : (f32) -> f32
    memref.store %y, %a[%i] : memref<?xf32>
  }
  call @lines(%a, %a, %slope) : (memref<?xf32>, memref<?xf32>, f32) -> ()
  %b = scf.if %true -> memref<?xf32> {
    %new = func.call @copy_of(%a) : (memref<?xf32>) -> memref<?xf32>
    scf.yield %new : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  %s = call @sign(%three) : (f32) -> f32
  %t = call @sign(%slope) : (f32) -> f32
  %u = arith.subf %s, %t : f32
  memref.store %u, %b[%c0] : memref<?xf32>
  // CHECK: [-2,  3,  5,  7,  9,  11,  13,  15,  17]
  %p = memref.cast %b : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%p) : (memref<*xf32>) -> ()
  // CHECK: [1,  3,  5,  7,  9,  11,  13,  15,  17]
  %q = memref.cast %a : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%q) : (memref<*xf32>) -> ()
  return
}
