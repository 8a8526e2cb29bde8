// Sums of products of narrow integers: pairs of 16 bits are multiplied and added by one instruction, in registers of
// every width, with the same results.
//
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - -O3 --target-cpu=x86-64-v4 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - -O3 --target-cpu=x86-64-v3 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: freehold run -O3 %s | FileCheck %s
// RUN: freehold run -O3 %s --vector-bits=128 | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

// V4-LABEL: bytes.wide0
// V4: vpmovsxbw zmm
// V4: vpmaddwd zmm
// V3-LABEL: bytes.wide0
// V3: vpmovsxbw ymm
// V3: vpmaddwd ymm
func.func private @bytes(%a: memref<1000xi8>, %b: memref<1000xi8>, %sum: memref<i32>) attributes {passthrough = ["noinline"]} {
  linalg.dot ins(%a, %b : memref<1000xi8>, memref<1000xi8>) outs(%sum : memref<i32>)
  return
}

// Bytes without a sign times words with one. The largest products wrap around when they are added.
// V4-LABEL: mixed.wide0
// V4: vpmovzxbw zmm
// V4: vpmaddwd zmm
func.func private @mixed(%a: memref<1000xi8>, %b: memref<1000xi16>) -> i32 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<1000xi8>
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (i32) {
    %x = memref.load %a[%i] : memref<1000xi8>
    %y = memref.load %b[%i] : memref<1000xi16>
    %w = arith.extui %x : i8 to i32
    %v = arith.extsi %y : i16 to i32
    %p = arith.muli %w, %v : i32
    %next = arith.addi %before, %p : i32
    scf.yield %next : i32
  }
  return %sum : i32
}

// The square of the smallest number, twice, is one more than the largest sum.
// V4-LABEL: squares.wide0
// V4: vpmaddwd zmm
func.func private @squares(%b: memref<1000xi16>) -> i32 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (i32) {
    %y = memref.load %b[%i] : memref<1000xi16>
    %v = arith.extsi %y : i16 to i32
    %p = arith.muli %v, %v : i32
    %next = arith.addi %before, %p : i32
    scf.yield %next : i32
  }
  return %sum : i32
}

func.func private @printI64(i64)
func.func private @printNewline()
func.func private @show(%value: i32) {
  %wide = arith.extsi %value : i32 to i64
  call @printI64(%wide) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %a = memref.alloc() : memref<1000xi8>
  %b = memref.alloc() : memref<1000xi8>
  %w = memref.alloc() : memref<1000xi16>
  %sum = memref.alloc() : memref<i32>
  %factor = arith.constant 37 : index
  scf.for %i = %c0 to %n step %c1 {
    %f = arith.muli %i, %factor : index
    %x = arith.index_cast %f : index to i8
    %y = arith.index_cast %i : index to i8
    %z = arith.index_cast %f : index to i16
    memref.store %x, %a[%i] : memref<1000xi8>
    memref.store %y, %b[%i] : memref<1000xi8>
    memref.store %z, %w[%i] : memref<1000xi16>
  }
  %start = arith.constant 5 : i32
  memref.store %start, %sum[] : memref<i32>
  call @bytes(%a, %b, %sum) : (memref<1000xi8>, memref<1000xi8>, memref<i32>) -> ()
  // CHECK: {{^}}339921{{$}}
  %first = memref.load %sum[] : memref<i32>
  call @show(%first) : (i32) -> ()
  // CHECK-NEXT: {{^}}1410783356{{$}}
  %second = call @mixed(%a, %w) : (memref<1000xi8>, memref<1000xi16>) -> i32
  call @show(%second) : (i32) -> ()
  %least = arith.constant -32768 : i16
  linalg.fill ins(%least : i16) outs(%w : memref<1000xi16>)
  // 1000 * 2^30 modulo 2^32 is zero.
  // CHECK-NEXT: {{^}}0{{$}}
  %third = call @squares(%w) : (memref<1000xi16>) -> i32
  call @show(%third) : (i32) -> ()
  memref.dealloc %a : memref<1000xi8>
  memref.dealloc %b : memref<1000xi8>
  memref.dealloc %w : memref<1000xi16>
  memref.dealloc %sum : memref<i32>
  return
}
