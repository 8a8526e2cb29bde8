// Elements of 8 and 16 bits are gathered one by one, and what is done with them stays in large registers. Indices may be
// negative.
//
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v3 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v4 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s

// V3-LABEL: bytes.wide0
// V3: vpbroadcastb xmm
// V3: vpunpcklqdq xmm
// V3: vpaddb ymm
// V4-LABEL: bytes.wide0
// V4: vpaddb ymm
func.func private @bytes(%table: memref<256xi8>, %at: memref<64xi8>, %out: memref<64xi8>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %all = arith.constant dense<true> : vector<32xi1>
  %none = arith.constant dense<0> : vector<32xi8>
  scf.for %i = %c0 to %c64 step %c32 {
    %index = vector.load %at[%i] : memref<64xi8>, vector<32xi8>
    %wide = arith.extsi %index : vector<32xi8> to vector<32xi32>
    %x = vector.gather %table[%c128] [%wide], %all, %none : memref<256xi8>, vector<32xi32>, vector<32xi1>, vector<32xi8> into vector<32xi8>
    %y = arith.addi %x, %index : vector<32xi8>
    vector.store %y, %out[%i] : memref<64xi8>, vector<32xi8>
  }
  return
}

func.func private @halves(%table: memref<256xf16>, %at: memref<64xi8>, %out: memref<64xf16>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %all = arith.constant dense<true> : vector<16xi1>
  %none = arith.constant dense<0.0> : vector<16xf16>
  scf.for %i = %c0 to %c64 step %c16 {
    %index = vector.load %at[%i] : memref<64xi8>, vector<16xi8>
    %wide = arith.extsi %index : vector<16xi8> to vector<16xi64>
    %x = vector.gather %table[%c128] [%wide], %all, %none : memref<256xf16>, vector<16xi64>, vector<16xi1>, vector<16xf16> into vector<16xf16>
    %y = arith.addf %x, %x : vector<16xf16>
    vector.store %y, %out[%i] : memref<64xf16>, vector<16xf16>
  }
  return
}

func.func private @printI64(i64)
func.func private @printF32(f32)
func.func private @printNewline()

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c7 = arith.constant 7 : index
  %table = memref.alloc() : memref<256xi8>
  %numbers = memref.alloc() : memref<256xf16>
  %at = memref.alloc() : memref<64xi8>
  %out = memref.alloc() : memref<64xi8>
  %halves = memref.alloc() : memref<64xf16>
  scf.for %i = %c0 to %c256 step %c1 {
    %product = arith.muli %i, %c7 : index
    %number = arith.index_cast %product : index to i8
    memref.store %number, %table[%i] : memref<256xi8>
    %real = arith.sitofp %number : i8 to f16
    memref.store %real, %numbers[%i] : memref<256xf16>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %square = arith.muli %i, %i : index
    %number = arith.index_cast %square : index to i8
    memref.store %number, %at[%i] : memref<64xi8>
  }
  call @bytes(%table, %at, %out) : (memref<256xi8>, memref<64xi8>, memref<64xi8>) -> ()
  call @halves(%numbers, %at, %halves) : (memref<256xf16>, memref<64xi8>, memref<64xf16>) -> ()
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f32
  %sum, %total = scf.for %i = %c0 to %c64 step %c1 iter_args(%before = %zero, %first = %none) -> (i64, f32) {
    %j = arith.addi %i, %c1 : index
    %weight = arith.index_cast %j : index to i64
    %x = memref.load %out[%i] : memref<64xi8>
    %wide = arith.extsi %x : i8 to i64
    %product = arith.muli %wide, %weight : i64
    %next = arith.addi %before, %product : i64
    %y = memref.load %halves[%i] : memref<64xf16>
    %real = arith.extf %y : f16 to f32
    %factor = arith.sitofp %weight : i64 to f32
    %scaled = arith.mulf %real, %factor : f32
    %added = arith.addf %first, %scaled : f32
    scf.yield %next, %added : i64, f32
  }
  // CHECK: -105728
  // CHECK-NEXT: 59200
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printF32(%total) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %table : memref<256xi8>
  memref.dealloc %numbers : memref<256xf16>
  memref.dealloc %at : memref<64xi8>
  memref.dealloc %out : memref<64xi8>
  memref.dealloc %halves : memref<64xf16>
  return
}
