// Bits that are shifted out on one side and come in on the other: one instruction with AVX-512.
//
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - -O3 --target-cpu=x86-64-v4 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - -O3 --target-cpu=x86-64-v3 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: freehold run -O3 %s | FileCheck %s
// RUN: freehold run -O3 %s --vector-bits=256 | FileCheck %s
// RUN: freehold run -O3 %s --vector-bits=128 | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

// V4-LABEL: rotated.wide0
// V4-NOT: vpsl
// V4-NOT: vpsr
// V4: vprold zmm{{[0-9]+}},zmm{{[0-9]+}},7h
// V4-NOT: vpsl
// V4-NOT: vpsr
// V4: ret
// V3-LABEL: rotated.wide0
// V3: vpslld ymm
// V3: vpsrld ymm
func.func private @rotated(%a: memref<256xi32>, %b: memref<256xi32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 256 : index
  %left = arith.constant 7 : i32
  %right = arith.constant 25 : i32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<256xi32>
    %l = arith.shli %x, %left : i32
    %r = arith.shrui %x, %right : i32
    %y = arith.ori %r, %l : i32
    memref.store %y, %b[%i] : memref<256xi32>
  }
  return
}

// A bit is missing, and another one is there twice.
// V4-LABEL: almost.wide0
// V4-NOT: vprol
// V4: ret
func.func private @almost(%a: memref<256xi32>, %b: memref<256xi32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 256 : index
  %left = arith.constant 7 : i32
  %right = arith.constant 24 : i32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<256xi32>
    %l = arith.shli %x, %left : i32
    %r = arith.shrui %x, %right : i32
    %y = arith.addi %r, %l : i32
    memref.store %y, %b[%i] : memref<256xi32>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c255 = arith.constant 255 : index
  %n = arith.constant 256 : index
  %a = memref.alloc() : memref<256xi32>
  %b = memref.alloc() : memref<256xi32>
  %factor = arith.constant 16909321 : i32
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %x = arith.muli %k, %factor : i32
    memref.store %x, %a[%i] : memref<256xi32>
  }
  call @rotated(%a, %b) : (memref<256xi32>, memref<256xi32>) -> ()
  %x = memref.load %b[%c255] : memref<256xi32>
  // CHECK: -2130543744
  vector.print %x : i32
  call @almost(%a, %b) : (memref<256xi32>, memref<256xi32>) -> ()
  %y = memref.load %b[%c255] : memref<256xi32>
  // CHECK: -2130543743
  vector.print %y : i32
  return
}
