// A narrowing conversion rounds under every policy: programs quantize with it. Only flags on both conversions, which
// the program writes itself, say that they may be left out.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O0 --fp=fast | FileCheck %s
// RUN: freehold run %s -O2 --fp=strict | FileCheck %s
// RUN: freehold run %s -O2 --fp=contract | FileCheck %s
// RUN: freehold run %s -O1 --fp=fast | FileCheck %s
// RUN: freehold run %s -O2 --fp=fast | FileCheck %s
// RUN: freehold run %s -O3 --fp=fast --vector-bits=256 | FileCheck %s
// RUN: freehold opt %s --set-fastmath-flags --canonicalize | FileCheck %s --check-prefix=FLAGS

// FLAGS-LABEL: func.func private @eight_bits
// FLAGS:         arith.truncf %{{.*}} : f32 to f8E4M3FN
// FLAGS:         arith.extf %{{.*}} : f8E4M3FN to f32
func.func private @eight_bits(%x: f32) -> f32 {
  %narrow = arith.truncf %x : f32 to f8E4M3FN
  %wide = arith.extf %narrow : f8E4M3FN to f32
  return %wide : f32
}

// FLAGS-LABEL: func.func private @flagged
// FLAGS-NEXT:    return
func.func private @flagged(%x: f32) -> f32 {
  %narrow = arith.truncf %x fastmath<contract> : f32 to f16
  %wide = arith.extf %narrow fastmath<contract> : f16 to f32
  return %wide : f32
}

// Sums of what was quantized.
func.func private @sum(%m: memref<64xf32>) -> f32 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<64xf32>
    %narrow = arith.truncf %x : f32 to bf16
    %wide = arith.extf %narrow : bf16 to f32
    %next = arith.addf %before, %wide : f32
    scf.yield %next : f32
  }
  return %sum : f32
}

func.func @main() {
  // CHECK: 288
  %x = arith.constant 300.0 : f32
  %rounded = call @eight_bits(%x) : (f32) -> f32
  vector.print %rounded : f32
  // CHECK-NEXT: nan
  %y = arith.constant 1000.0 : f32
  %none = call @eight_bits(%y) : (f32) -> f32
  vector.print %none : f32
  // 257 is between 256 and 258.
  // CHECK-NEXT: 16384
  %z = arith.constant 257.0 : f32
  %m = memref.alloc() : memref<64xf32>
  linalg.fill ins(%z : f32) outs(%m : memref<64xf32>)
  %sum = call @sum(%m) : (memref<64xf32>) -> f32
  vector.print %sum : f32
  memref.dealloc %m : memref<64xf32>
  return
}
