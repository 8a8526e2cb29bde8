// Loops that load every second element of a row, as pooling does, run in vectors. Nothing behind the last
// element is read: rows end where their buffers do, which `--check` looks at.
//
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v4 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --emit=asm -o - --target-cpu=x86-64-v3 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --vector-bits=256 | FileCheck %s
// RUN: freehold run %s --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s

// V4-LABEL: pool_f32.wide0
// V4:         vpermt2d zmm
// V3-LABEL: pool_f32.wide0
// V3:         vpermd ymm
// V3:         vpermd ymm
// V3:         vpblendd ymm
func.func private @pool_f32(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c2 : index
    %k = arith.addi %j, %c1 : index
    %x = memref.load %a[%j] : memref<?xf32>
    %y = memref.load %a[%k] : memref<?xf32>
    %z = arith.maximumf %x, %y : f32
    memref.store %z, %b[%i] : memref<?xf32>
  }
  return
}

// V4-LABEL: pool_f64.wide0
// V4:         vpermt2q zmm
// V3-LABEL: pool_f64.wide0
// V3:         vpermd ymm
// V3:         vpblendd ymm
func.func private @pool_f64(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c2 : index
    %x = memref.load %a[%j] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  return
}

func.func private @pool_i32(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c2 : index
    %x = memref.load %a[%j] : memref<?xi32>
    %y = memref.load %b[%i] : memref<?xi32>
    %z = arith.addi %x, %y : i32
    memref.store %z, %b[%i] : memref<?xi32>
  }
  return
}

// Elements of different sizes are left to scalar code.
func.func private @pool_mixed(%a: memref<?xi32>, %b: memref<?xf64>, %n: index) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c2 : index
    %x = memref.load %a[%j] : memref<?xi32>
    %y = arith.sitofp %x : i32 to f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  return
}

func.func private @printI64(i64)

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c71 = arith.constant 71 : index
  %zero = arith.constant 0 : i64
  %total = scf.for %n = %c0 to %c71 step %c1 iter_args(%sum = %zero) -> (i64) {
    %twice = arith.muli %n, %c2 : index
    %less = arith.subi %twice, %c1 : index
    // The last element of an odd row is a first one of a pair.
    %size = arith.maxsi %less, %c0 : index
    %af32 = memref.alloc(%twice) : memref<?xf32>
    %af64 = memref.alloc(%size) : memref<?xf64>
    %ai32 = memref.alloc(%size) : memref<?xi32>
    %bf32 = memref.alloc(%n) : memref<?xf32>
    %bf64 = memref.alloc(%n) : memref<?xf64>
    %bi32 = memref.alloc(%n) : memref<?xi32>
    %cf64 = memref.alloc(%n) : memref<?xf64>
    scf.for %i = %c0 to %twice step %c1 {
      %x = arith.index_cast %i : index to i32
      %c13 = arith.constant 13 : i32
      %c31 = arith.constant 31 : i32
      %y = arith.muli %x, %c13 : i32
      %z = arith.remui %y, %c31 : i32
      %f = arith.sitofp %z : i32 to f32
      memref.store %f, %af32[%i] : memref<?xf32>
    }
    scf.for %i = %c0 to %size step %c1 {
      %x = arith.index_cast %i : index to i32
      %f = arith.sitofp %x : i32 to f64
      memref.store %x, %ai32[%i] : memref<?xi32>
      memref.store %f, %af64[%i] : memref<?xf64>
    }
    scf.for %i = %c0 to %n step %c1 {
      %x = arith.index_cast %i : index to i32
      memref.store %x, %bi32[%i] : memref<?xi32>
    }
    func.call @pool_f32(%af32, %bf32, %n) : (memref<?xf32>, memref<?xf32>, index) -> ()
    func.call @pool_f64(%af64, %bf64, %n) : (memref<?xf64>, memref<?xf64>, index) -> ()
    func.call @pool_i32(%ai32, %bi32, %n) : (memref<?xi32>, memref<?xi32>, index) -> ()
    func.call @pool_mixed(%ai32, %cf64, %n) : (memref<?xi32>, memref<?xf64>, index) -> ()
    %all = scf.for %i = %c0 to %n step %c1 iter_args(%old = %sum) -> (i64) {
      %p = memref.load %bf32[%i] : memref<?xf32>
      %q = memref.load %bf64[%i] : memref<?xf64>
      %r = memref.load %bi32[%i] : memref<?xi32>
      %s = memref.load %cf64[%i] : memref<?xf64>
      %pi = arith.fptosi %p : f32 to i64
      %qi = arith.fptosi %q : f64 to i64
      %ri = arith.extsi %r : i32 to i64
      %si = arith.fptosi %s : f64 to i64
      // Places count.
      %w = arith.index_cast %i : index to i64
      %c7 = arith.constant 7 : i64
      %1 = arith.muli %pi, %w : i64
      %2 = arith.muli %qi, %c7 : i64
      %3 = arith.muli %ri, %w : i64
      %4 = arith.addi %1, %2 : i64
      %5 = arith.addi %3, %si : i64
      %6 = arith.addi %4, %5 : i64
      %new = arith.addi %old, %6 : i64
      scf.yield %new : i64
    }
    scf.yield %all : i64
  }
  // CHECK: {{^}}63417089
  func.call @printI64(%total) : (i64) -> ()
  return
}
