// The absolute value of complex<f32>, as C's hypotf has it: no overflow or underflow between, infinities win over NaN.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold compile --emit=exe %s -o %t && %t | FileCheck %s

// CHECK: ( 5, 1.41421e+38, 7.00649e-45, inf, inf, nan, 0, inf, 1.17549e-38, 1 )
func.func private @printNewline()

func.func @main() {
  %z = memref.get_global @z : memref<10xcomplex<f32>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %m = memref.alloc() : memref<10xf32>
  scf.for %i = %c0 to %c10 step %c1 {
    %x = memref.load %z[%i] : memref<10xcomplex<f32>>
    %a = complex.abs %x : complex<f32>
    memref.store %a, %m[%i] : memref<10xf32>
  }
  %v = vector.load %m[%c0] : memref<10xf32>, vector<10xf32>
  vector.print %v : vector<10xf32>
  memref.dealloc %m : memref<10xf32>
  return
}

memref.global @z : memref<10xcomplex<f32>> = dense<[
  (3.0, -4.0), (1.0e38, 1.0e38), (4.2e-45, 5.6e-45), (0xFF800000, 0x7FC00000), (0x7FC00000, 0x7F800000),
  (0x7FC00000, 1.0), (-0.0, 0.0), (3.0e38, 3.0e38), (1.17549435e-38, 0.0), (1.0, 1.0e-20)]>
