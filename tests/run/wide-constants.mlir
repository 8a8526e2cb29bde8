// Constants that do not fit into registers beside other vectors are read where they are used: by the instruction
// itself where it takes one element of memory for all lanes, else into a register. None of them is spilled.
//
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - -O3 --target-cpu=x86-64-v4 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - -O3 --target-cpu=x86-64-v3 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: freehold run -O3 %s | FileCheck %s
// RUN: freehold run -O3 %s --vector-bits=256 | FileCheck %s
// RUN: freehold run -O3 %s --vector-bits=128 | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

// V4-LABEL: chain.wide0
// V4-NOT: [rsp
// V4: vaddps zmm{{[0-9]+}},zmm{{[0-9]+}},dword bcst [
// V4-NOT: [rsp
// V4: ret
// V3-LABEL: chain.wide0
// V3-NOT: [rsp
// V3: vpbroadcastd ymm{{[0-9]+}},[
// V3-NOT: [rsp
// V3: ret
func.func private @chain(%a: memref<1000xf32>, %b: memref<1000xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %k0 = arith.constant 1.5 : f32
  %k1 = arith.constant 1.0078125 : f32
  %k2 = arith.constant 3.5 : f32
  %k3 = arith.constant -4.5 : f32
  %k4 = arith.constant 5.5 : f32
  %k5 = arith.constant 1.0390625 : f32
  %k6 = arith.constant 7.5 : f32
  %k7 = arith.constant -8.5 : f32
  %k8 = arith.constant 9.5 : f32
  %k9 = arith.constant 1.0703125 : f32
  %k10 = arith.constant 11.5 : f32
  %k11 = arith.constant -12.5 : f32
  %k12 = arith.constant 13.5 : f32
  %k13 = arith.constant 1.1015625 : f32
  %k14 = arith.constant 15.5 : f32
  %k15 = arith.constant -16.5 : f32
  %k16 = arith.constant 17.5 : f32
  %k17 = arith.constant 1.1328125 : f32
  %k18 = arith.constant 19.5 : f32
  %k19 = arith.constant -20.5 : f32
  %k20 = arith.constant 21.5 : f32
  %k21 = arith.constant 1.1640625 : f32
  %k22 = arith.constant 23.5 : f32
  %k23 = arith.constant -24.5 : f32
  %k24 = arith.constant 25.5 : f32
  %k25 = arith.constant 1.1953125 : f32
  %k26 = arith.constant 27.5 : f32
  %k27 = arith.constant -28.5 : f32
  %k28 = arith.constant 29.5 : f32
  %k29 = arith.constant 1.2265625 : f32
  %k30 = arith.constant 31.5 : f32
  %k31 = arith.constant -32.5 : f32
  %k32 = arith.constant 33.5 : f32
  %k33 = arith.constant 1.2578125 : f32
  %k34 = arith.constant 35.5 : f32
  %k35 = arith.constant -36.5 : f32
  scf.for %i = %c0 to %n step %c1 {
    %x0 = memref.load %a[%i] : memref<1000xf32>
    %x1 = arith.addf %k0, %x0 : f32
    %x2 = arith.mulf %x1, %k1 : f32
    %x3 = arith.subf %x2, %k2 : f32
    %x4 = arith.maximumf %x3, %k3 : f32
    %x5 = arith.addf %x4, %k4 : f32
    %x6 = arith.mulf %k5, %x5 : f32
    %x7 = arith.subf %x6, %k6 : f32
    %x8 = arith.maximumf %x7, %k7 : f32
    %x9 = arith.addf %x8, %k8 : f32
    %x10 = arith.mulf %x9, %k9 : f32
    %x11 = arith.subf %k10, %x10 : f32
    %x12 = arith.maximumf %x11, %k11 : f32
    %x13 = arith.addf %x12, %k12 : f32
    %x14 = arith.mulf %x13, %k13 : f32
    %x15 = arith.subf %x14, %k14 : f32
    %x16 = arith.maximumf %k15, %x15 : f32
    %x17 = arith.addf %x16, %k16 : f32
    %x18 = arith.mulf %x17, %k17 : f32
    %x19 = arith.subf %x18, %k18 : f32
    %x20 = arith.maximumf %x19, %k19 : f32
    %x21 = arith.addf %k20, %x20 : f32
    %x22 = arith.mulf %x21, %k21 : f32
    %x23 = arith.subf %x22, %k22 : f32
    %x24 = arith.maximumf %x23, %k23 : f32
    %x25 = arith.addf %x24, %k24 : f32
    %x26 = arith.mulf %k25, %x25 : f32
    %x27 = arith.subf %x26, %k26 : f32
    %x28 = arith.maximumf %x27, %k27 : f32
    %x29 = arith.addf %x28, %k28 : f32
    %x30 = arith.mulf %x29, %k29 : f32
    %x31 = arith.subf %k30, %x30 : f32
    %x32 = arith.maximumf %x31, %k31 : f32
    %x33 = arith.addf %x32, %k32 : f32
    %x34 = arith.mulf %x33, %k33 : f32
    %x35 = arith.subf %x34, %k34 : f32
    %x36 = arith.maximumf %k35, %x35 : f32
    memref.store %x36, %b[%i] : memref<1000xf32>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %n = arith.constant 1000 : index
  %a = memref.alloc() : memref<1000xf32>
  %b = memref.alloc() : memref<1000xf32>
  scf.for %i = %c0 to %n step %c1 {
    %m = arith.remui %i, %c7 : index
    %w = arith.index_cast %m : index to i32
    %x = arith.sitofp %w : i32 to f32
    memref.store %x, %a[%i] : memref<1000xf32>
  }
  func.call @chain(%a, %b) : (memref<1000xf32>, memref<1000xf32>) -> ()
  %part = memref.subview %b[990] [10] [1] : memref<1000xf32> to memref<10xf32, strided<[1], offset: 990>>
  %whole = memref.cast %part : memref<10xf32, strided<[1], offset: 990>> to memref<*xf32>
  // CHECK: data =
  // CHECK-NEXT: [-11.4384,  -8.43601,  -5.43364,  -2.43129,  -20.4454,  -17.4431,  -14.4407,  -11.4384,  -8.43601,  -5.43364]
  call @printMemrefF32(%whole) : (memref<*xf32>) -> ()
  return
}

func.func private @printMemrefF32(memref<*xf32>)
