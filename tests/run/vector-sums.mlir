// Floats are added in order: in registers of 256 bits at most, which leave more units for additions, and without those
// that a mask leaves out if the mask stays the same.
//
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v4 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v4 \
// RUN:   | FileCheck %s --check-prefix=MASKED
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v4 --remarks -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --vector-bits=256 | FileCheck %s
// RUN: freehold run %s --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s

// V4-LABEL: plain.wide0
// V4-NOT: zmm
// V4: vmovups ymm
// V4: vaddps xmm
// REMARK: :[[#@LINE + 6]]:{{.*}}: remark: this loop runs in vectors of 256 bits
func.func private @plain(%m: memref<64xf32>, %first: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 64 : index
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%before = %first) -> f32 {
    %v = vector.load %m[%i] : memref<64xf32>, vector<16xf32>
    %s = vector.reduction <add>, %v, %before : vector<16xf32> into f32
    scf.yield %s : f32
  }
  return %r : f32
}

// MASKED-LABEL: masked:
// MASKED: addss
// MASKED-NEXT: testq
// MASKED-NEXT: jle $next
// REMARK: :[[#@LINE + 8]]:{{.*}}: remark: no 512-bit form of 'vector.reduction': additions that a mask leaves out
func.func private @masked(%m: memref<64xf32>, %first: f32, %k: index) -> f32 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 64 : index
  %mask = vector.create_mask %k : vector<16xi1>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%before = %first) -> f32 {
    %v = vector.load %m[%i] : memref<64xf32>, vector<16xf32>
    %s = vector.mask %mask { vector.reduction <add>, %v, %before : vector<16xf32> into f32 } : vector<16xi1> -> f32
    scf.yield %s : f32
  }
  return %r : f32
}

// A mask that is computed of the numbers is another one each time.
// V4-LABEL: positive.wide0
// V4-NOT: zmm
// V4: vpblendmd ymm
func.func private @positive(%m: memref<64xf32>, %first: f32) -> f32 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 64 : index
  %limit = arith.constant dense<3.0> : vector<16xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%before = %first) -> f32 {
    %v = vector.load %m[%i] : memref<64xf32>, vector<16xf32>
    %mask = arith.cmpf olt, %v, %limit : vector<16xf32>
    %s = vector.mask %mask { vector.reduction <add>, %v, %before : vector<16xf32> into f32 } : vector<16xi1> -> f32
    scf.yield %s : f32
  }
  return %r : f32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %minus = arith.constant -0.0 : f32
  %large = arith.constant 16777216.0 : f32
  %m = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %j = arith.remui %i, %c5 : index
    %k = arith.index_cast %j : index to i32
    %x = arith.sitofp %k : i32 to f32
    memref.store %x, %m[%i] : memref<64xf32>
  }
  // CHECK: 1.67773e+07
  %a = func.call @plain(%m, %large) : (memref<64xf32>, f32) -> f32
  vector.print %a : f32
  // CHECK: 40
  %b = func.call @masked(%m, %minus, %c5) : (memref<64xf32>, f32, index) -> f32
  vector.print %b : f32
  // CHECK: -0
  %c = func.call @masked(%m, %minus, %c0) : (memref<64xf32>, f32, index) -> f32
  vector.print %c : f32
  // CHECK: 39
  %d = func.call @positive(%m, %minus) : (memref<64xf32>, f32) -> f32
  vector.print %d : f32
  memref.dealloc %m : memref<64xf32>
  return
}
