// Masks for one register of narrow elements, and for two of wide ones, are put together lane by lane.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O3 --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O3 --vector-bits=256 | FileCheck %s
// RUN: freehold run %s -O3 | FileCheck %s

func.func private @mix(%x: memref<64xf32>, %y: memref<64xi64>, %out: memref<64xi64>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %four = arith.constant dense<4> : vector<16xi64>
  scf.for %i = %c0 to %c64 step %c16 {
    %a = vector.load %x[%i] : memref<64xf32>, vector<16xf32>
    %b = vector.load %y[%i] : memref<64xi64>, vector<16xi64>
    %narrow = arith.cmpf oge, %a, %zero : vector<16xf32>
    %wide = arith.cmpi slt, %b, %four : vector<16xi64>
    %first = arith.xori %wide, %narrow : vector<16xi1>
    %both = arith.andi %narrow, %first : vector<16xi1>
    vector.maskedstore %out[%i], %both, %b : memref<64xi64>, vector<16xi1>, vector<16xi64>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %minus = arith.constant -1 : i64
  %one = arith.constant 1.0 : f32
  %less = arith.constant -1.0 : f32
  %x = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<64xi64>
  %out = memref.alloc() : memref<64xi64>
  scf.for %i = %c0 to %c64 step %c1 {
    %lane = arith.remui %i, %c16 : index
    %below = arith.cmpi ult, %lane, %c12 : index
    %value = arith.select %below, %one, %less : f32
    memref.store %value, %x[%i] : memref<64xf32>
    %part = arith.remui %i, %c8 : index
    %number = arith.index_cast %part : index to i64
    memref.store %number, %y[%i] : memref<64xi64>
    memref.store %minus, %out[%i] : memref<64xi64>
  }
  call @mix(%x, %y, %out) : (memref<64xf32>, memref<64xi64>, memref<64xi64>) -> ()
  // Lanes 0 to 11 are not negative, and of these 4 to 7 hold four or more.
  // CHECK:      [-1,  -1,  -1,  -1,  4,  5,  6,  7,  -1,  -1,  -1,  -1,  -1,  -1,  -1,  -1,
  // CHECK-SAME:  -1,  -1,  -1,  -1,  4,  5,  6,  7,  -1,  -1,  -1,  -1,  -1,  -1,  -1,  -1,
  %any = memref.cast %out : memref<64xi64> to memref<*xi64>
  call @printMemrefI64(%any) : (memref<*xi64>) -> ()
  return
}
func.func private @printMemrefI64(memref<*xi64>) attributes {llvm.emit_c_interface}
