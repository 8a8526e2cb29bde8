// Of rows at a distance at which they share places in the cache, only as many are accessed together as stay there: with
// 512 floats between them 16, with 1024 eight.
//
// RUN: freehold opt %s --vectorize-loops=vector-bits=512 --canonicalize --cse | FileCheck %s
// RUN: freehold opt %s --vectorize-loops=vector-bits=256 --canonicalize --cse | FileCheck %s --check-prefix=HALF
// RUN: freehold run -O3 %s | FileCheck %s --check-prefix=SUM
// RUN: freehold run -O0 %s | FileCheck %s --check-prefix=SUM

// CHECK-LABEL: func.func private @any
// CHECK:         vector.load %arg0{{.*}}, vector<32xf32>
// HALF-LABEL: func.func private @any
// HALF:          vector.load %arg0{{.*}}, vector<16xf32>
func.func private @any(%a: memref<48x500xf32>, %b: memref<500x48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %c500 = arith.constant 500 : index
  scf.for %i = %c0 to %c500 step %c1 {
    scf.for %j = %c0 to %c48 step %c1 {
      %x = memref.load %a[%j, %i] : memref<48x500xf32>
      memref.store %x, %b[%i, %j] : memref<500x48xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func private @sixteen
// CHECK-NOT:     vector<32xf32>
// CHECK:         vector.load %arg0{{.*}}, vector<16xf32>
// HALF-LABEL: func.func private @sixteen
// HALF:          vector.load %arg0{{.*}}, vector<16xf32>
func.func private @sixteen(%a: memref<512x48xf32>, %b: memref<48x512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %c512 = arith.constant 512 : index
  scf.for %i = %c0 to %c48 step %c1 {
    scf.for %j = %c0 to %c512 step %c1 {
      %x = memref.load %a[%j, %i] : memref<512x48xf32>
      memref.store %x, %b[%i, %j] : memref<48x512xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func private @eight
// CHECK-NOT:     vector<{{16|32}}xf32>
// CHECK:         vector.load %arg0{{.*}}, vector<8xf32>
// HALF-LABEL: func.func private @eight
// HALF-NOT:      vector<16xf32>
// HALF:          vector.load %arg0{{.*}}, vector<8xf32>
func.func private @eight(%a: memref<1024x48xf32>, %b: memref<48x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c48 step %c1 {
    scf.for %j = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%j, %i] : memref<1024x48xf32>
      memref.store %x, %b[%i, %j] : memref<48x1024xf32>
    }
  }
  return
}

// Element 31 of row 700.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c48 = arith.constant 48 : index
  %c700 = arith.constant 700 : index
  %c1024 = arith.constant 1024 : index
  %a = memref.alloc() : memref<1024x48xf32>
  %b = memref.alloc() : memref<48x1024xf32>
  scf.for %i = %c0 to %c1024 step %c1 {
    scf.for %j = %c0 to %c48 step %c1 {
      %row = arith.muli %i, %c48 : index
      %n = arith.addi %row, %j : index
      %word = arith.index_cast %n : index to i32
      %x = arith.sitofp %word : i32 to f32
      memref.store %x, %a[%i, %j] : memref<1024x48xf32>
    }
  }
  func.call @eight(%a, %b) : (memref<1024x48xf32>, memref<48x1024xf32>) -> ()
  %first = memref.load %b[%c31, %c700] : memref<48x1024xf32>
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %c0 to %c1024 step %c1 iter_args(%s = %zero) -> f64 {
    %x = memref.load %b[%c31, %j] : memref<48x1024xf32>
    %wide = arith.extf %x : f32 to f64
    %next = arith.addf %s, %wide : f64
    scf.yield %next : f64
  }
  memref.dealloc %a : memref<1024x48xf32>
  memref.dealloc %b : memref<48x1024xf32>
  vector.print %first : f32
  %whole = arith.fptosi %sum : f64 to i64
  vector.print %whole : i64
  return
}
// SUM: 33631
// The sum of column 31 of all rows: 48 * (0 + ... + 1023) + 31 * 1024.
// SUM: 25172992
