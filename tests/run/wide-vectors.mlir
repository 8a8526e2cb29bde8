// Loops run in vectors of 256 and 512 bits where the processor has them, with the same results; what is in
// the way of that is said on demand.
//
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v4 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v3 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v4 \
// RUN:   --vector-bits=128 | FileCheck %s --check-prefix=NARROW
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v4 --remarks -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v4 --remarks --emit=header 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HEADER --implicit-check-not=remark
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --vector-bits=256 | FileCheck %s
// RUN: freehold run %s --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s

// NARROW: scale:
// NARROW-NOT: wide0
// NARROW-NOT: zmm

// Of headers, no code is generated.
// HEADER: void scale(

// V4-LABEL: scale.wide0
// V4: vmulps zmm
// V4: vzeroupper
// V3-LABEL: scale.wide0
// V3: vmulps ymm
// V3: vzeroupper
// REMARK: :[[#@LINE + 6]]:{{.*}}: remark: this loop runs in vectors of 512 bits
func.func @scale(%a: memref<?xf32>, %b: memref<?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %f : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  return
}

// What is carried, compared and converted; a view and reductions inside of an outer loop, which is a kernel as
// a whole.
// V4-LABEL: rows.wide0
// V4: vpblendmd zmm
// V4: vextracti64x4
// V4: ret
// V4-NOT: rows.wide1
// V3-LABEL: rows.wide0
// V3: vpblendvb ymm
// V3: vextracti128
// REMARK: :[[#@LINE + 9]]:{{.*}}: remark: this loop runs in vectors of 512 bits
func.func private @rows(%a: memref<4x64xi32>, %largest: memref<4xi32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0> : vector<16xi32>
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %row = memref.subview %a[%i, 0] [1, 64] [1, 1] : memref<4x64xi32> to memref<64xi32, strided<[1], offset: ?>>
    %all = scf.for %j = %c0 to %c64 step %c16 iter_args(%before = %zero) -> (vector<16xi32>) {
      %x = vector.load %row[%j] : memref<64xi32, strided<[1], offset: ?>>, vector<16xi32>
      %is_larger = arith.cmpi sgt, %x, %before : vector<16xi32>
      %next = arith.select %is_larger, %x, %before : vector<16xi1>, vector<16xi32>
      scf.yield %next : vector<16xi32>
    }
    %max = vector.reduction <maxsi>, %all : vector<16xi32> into i32
    memref.store %max, %largest[%i] : memref<4xi32>
  }
  return
}

func.func private @printF32(f32)
func.func private @printI64(i64)
func.func private @printNewline()

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 333 : index
  %f = arith.constant 1.5 : f32
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %y = arith.sitofp %k : i32 to f32
    memref.store %y, %a[%i] : memref<?xf32>
  }
  func.call @scale(%a, %b, %f) : (memref<?xf32>, memref<?xf32>, f32) -> ()
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (f32) {
    %x = memref.load %b[%i] : memref<?xf32>
    %next = arith.addf %before, %x : f32
    scf.yield %next : f32
  }
  // CHECK: 82917
  call @printF32(%sum) : (f32) -> ()
  call @printNewline() : () -> ()
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c37 = arith.constant 37 : i32
  %c101 = arith.constant 101 : i32
  %matrix = memref.alloc() : memref<4x64xi32>
  %largest = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %product = arith.muli %i, %j : index
      %number = arith.index_cast %product : index to i32
      %large = arith.muli %number, %c37 : i32
      %rest = arith.remsi %large, %c101 : i32
      memref.store %rest, %matrix[%i, %j] : memref<4x64xi32>
    }
  }
  func.call @rows(%matrix, %largest) : (memref<4x64xi32>, memref<4xi32>) -> ()
  // CHECK: 0
  // CHECK: 100
  // CHECK: 100
  // CHECK: 100
  scf.for %i = %c0 to %c4 step %c1 {
    %number = memref.load %largest[%i] : memref<4xi32>
    %wide = arith.extsi %number : i32 to i64
    func.call @printI64(%wide) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
