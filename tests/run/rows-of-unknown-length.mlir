// Rows whose length only the run knows, in vectors of any width: what is left over at their ends is one vector that begins
// early enough, or scalars, whose bits the same kernel takes as integers.
//
// RUN: freehold run -O3 %s | FileCheck %s
// RUN: freehold run -O3 --target-cpu=native %s | FileCheck %s
// RUN: freehold run -O3 --vector-bits=256 %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

// Four times each element of 3 rows of 1, 2, ..., 3 m, twice by its exponent; of floats that another array gets, and of wider ones in
// place.
func.func private @times_four(%m: index) -> (memref<?x?xf32>, memref<?x?xf64>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 8388608 : i32
  %wide_one = arith.constant 4503599627370496 : i64
  %a = memref.alloc(%c3, %m) : memref<?x?xf32>
  %b = memref.alloc(%c3, %m) : memref<?x?xf64>
  %four = memref.alloc(%c3, %m) : memref<?x?xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %row = arith.muli %i, %m : index
      %place = arith.addi %row, %j : index
      %after = arith.addi %place, %c1 : index
      %word = arith.index_cast %after : index to i32
      %x = arith.sitofp %word : i32 to f32
      %wide = arith.sitofp %word : i32 to f64
      memref.store %x, %a[%i, %j] : memref<?x?xf32>
      memref.store %wide, %b[%i, %j] : memref<?x?xf64>
    }
  }
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      %sum = arith.addf %x, %x : f32
      %bits = arith.bitcast %sum : f32 to i32
      %more = arith.addi %bits, %one : i32
      %y = arith.bitcast %more : i32 to f32
      memref.store %y, %four[%i, %j] : memref<?x?xf32>
    }
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %b[%i, %j] : memref<?x?xf64>
      %sum = arith.addf %x, %x : f64
      %bits = arith.bitcast %sum : f64 to i64
      %more = arith.addi %bits, %wide_one : i64
      %y = arith.bitcast %more : i64 to f64
      memref.store %y, %b[%i, %j] : memref<?x?xf64>
    }
  }
  return %four, %b : memref<?x?xf32>, memref<?x?xf64>
}

// The sum for m from 1 to 70.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c71 = arith.constant 71 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %m = %c1 to %c71 step %c1 iter_args(%s = %zero) -> f64 {
    %a, %b = func.call @times_four(%m) : (index) -> (memref<?x?xf32>, memref<?x?xf64>)
    %all = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %s) -> f64 {
      %of_row = scf.for %j = %c0 to %m step %c1 iter_args(%q = %p) -> f64 {
        %x = memref.load %a[%i, %j] : memref<?x?xf32>
        %y = memref.load %b[%i, %j] : memref<?x?xf64>
        %wide = arith.extf %x : f32 to f64
        %both = arith.addf %wide, %y : f64
        %next = arith.addf %q, %both : f64
        scf.yield %next : f64
      }
      scf.yield %of_row : f64
    }
    scf.yield %all : f64
  }
  %whole = arith.fptosi %sum : f64 to i64
  vector.print %whole : i64
  return
}
// With k = 3 m: 4 k (k + 1).
// CHECK: 4234440
