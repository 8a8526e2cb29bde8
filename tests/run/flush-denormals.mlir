// Half of the smallest normal number, on this thread and on those of a parallel loop; afterwards the caller's processor is
// as it was.
//
// RUN: freehold run %s | FileCheck %s --check-prefix=IEEE
// RUN: freehold run --flush-denormals %s | FileCheck %s
// RUN: freehold run --flush-denormals -O0 %s | FileCheck %s
// RUN: freehold run --flush-denormals --threads=4 %s | FileCheck %s
// RUN: freehold compile --flush-denormals --emit=exe %s -o %t && %t | FileCheck %s

// IEEE: 5.87747e-39
// IEEE: 5.87747e-39, {{.*}}5.87747e-39
// CHECK: {{^}}0{{$}}
// CHECK: [0,  0,  0,  0,  0,  0,  0,  0]
// Those of narrower formats are no subnormal numbers of f32.
// IEEE: [5.96046e-08,  6.09756e-05,  6.10352e-05,  -5.96046e-08]
// CHECK: [5.96046e-08,  6.09756e-05,  6.10352e-05,  -5.96046e-08]
func.func private @printF32(f32)
func.func private @printNewline()
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @main() {
  %m = memref.get_global @least : memref<1xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %half = arith.constant 0.5 : f32
  %x = memref.load %m[%c0] : memref<1xf32>
  %y = arith.mulf %x, %half : f32
  call @printF32(%y) : (f32) -> ()
  call @printNewline() : () -> ()
  %all = memref.alloc() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %z = arith.mulf %x, %half : f32
    memref.store %z, %all[%i] : memref<8xf32>
  }
  %u = memref.cast %all : memref<8xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  memref.dealloc %all : memref<8xf32>
  %halves = memref.get_global @halves : memref<4xf16>
  %c4 = arith.constant 4 : index
  %wide = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %h = memref.load %halves[%i] : memref<4xf16>
    %w = arith.extf %h : f16 to f32
    %r = arith.truncf %w : f32 to f16
    %again = arith.extf %r : f16 to f32
    memref.store %again, %wide[%i] : memref<4xf32>
  }
  %v = memref.cast %wide : memref<4xf32> to memref<*xf32>
  call @printMemrefF32(%v) : (memref<*xf32>) -> ()
  memref.dealloc %wide : memref<4xf32>
  return
}

memref.global @least : memref<1xf32> = dense<0x00800000>
memref.global @halves : memref<4xf16> = dense<[0x0001, 0x03ff, 0x0400, 0x8001]>
