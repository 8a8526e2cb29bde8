// Loops over layouts with every second place, computed with in a wider type, and truth values combined down columns.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O3 | FileCheck %s
// RUN: freehold run %s -O3 --vector-bits=512 | FileCheck %s

// CHECK: 21, 33, 45
// CHECK: 7, 25, 36
// CHECK: 1, 0, 1
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %c37 = arith.constant 37 : index
  %a = memref.alloc() : memref<37x2xf32>
  scf.for %i = %c0 to %c37 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %n = arith.muli %i, %c2 : index
      %m = arith.addi %n, %j : index
      %k = arith.index_cast %m : index to i32
      %f = arith.sitofp %k : i32 to f32
      memref.store %f, %a[%i, %j] : memref<37x2xf32>
    }
  }
  %out = memref.alloc() : memref<37xf32>
  %column = memref.subview %a[0, 1] [37, 1] [1, 1] : memref<37x2xf32> to memref<37xf32, strided<[2], offset: 1>>
  %three = arith.constant 3.0 : f64
  scf.for %i = %c0 to %c37 step %c1 {
    %x = memref.load %column[%i] : memref<37xf32, strided<[2], offset: 1>>
    %y = arith.extf %x : f32 to f64
    %z = arith.mulf %y, %three : f64
    %w = arith.truncf %z : f64 to f32
    memref.store %w, %out[%i] : memref<37xf32>
  }
  %lane3 = arith.constant 3 : index
  %lane5 = arith.constant 5 : index
  %lane7 = arith.constant 7 : index
  call @print(%out, %lane3, %lane5, %lane7) : (memref<37xf32>, index, index, index) -> ()
  // The other column, and what is left over.
  %first = memref.subview %a[0, 0] [37, 1] [1, 1] : memref<37x2xf32> to memref<37xf32, strided<[2]>>
  %half = arith.constant 0.5 : f64
  scf.for %i = %c0 to %c37 step %c1 {
    %x = memref.load %first[%i] : memref<37xf32, strided<[2]>>
    %y = arith.extf %x : f32 to f64
    %z = arith.mulf %y, %half : f64
    %w = arith.truncf %z : f64 to f32
    memref.store %w, %out[%i] : memref<37xf32>
  }
  %lane25 = arith.constant 25 : index
  %lane36 = arith.constant 36 : index
  call @print(%out, %lane7, %lane25, %lane36) : (memref<37xf32>, index, index, index) -> ()
  // Whether all numbers of a column are not 25.
  %t = memref.alloc() : memref<9x37xi32>
  scf.for %i = %c0 to %c9 step %c1 {
    scf.for %j = %c0 to %c37 step %c1 {
      %n = arith.muli %i, %j : index
      %k = arith.index_cast %n : index to i32
      memref.store %k, %t[%i, %j] : memref<9x37xi32>
    }
  }
  %all = memref.alloc() : memref<37xi1>
  %true = arith.constant true
  %c25 = arith.constant 25 : i32
  scf.for %j = %c0 to %c37 step %c1 {
    memref.store %true, %all[%j] : memref<37xi1>
    scf.for %i = %c0 to %c9 step %c1 {
      %x = memref.load %t[%i, %j] : memref<9x37xi32>
      %b = memref.load %all[%j] : memref<37xi1>
      %differs = arith.cmpi ne, %x, %c25 : i32
      %both = arith.andi %b, %differs : i1
      memref.store %both, %all[%j] : memref<37xi1>
    }
  }
  scf.for %j = %c0 to %c37 step %c1 {
    %b = memref.load %all[%j] : memref<37xi1>
    %f = arith.uitofp %b : i1 to f32
    memref.store %f, %out[%j] : memref<37xf32>
  }
  call @print(%out, %lane3, %lane5, %lane36) : (memref<37xf32>, index, index, index) -> ()
  return
}
func.func @print(%m: memref<37xf32>, %i: index, %j: index, %k: index) {
  %x = memref.load %m[%i] : memref<37xf32>
  %y = memref.load %m[%j] : memref<37xf32>
  %z = memref.load %m[%k] : memref<37xf32>
  %v = vector.from_elements %x, %y, %z : vector<3xf32>
  vector.print %v : vector<3xf32>
  return
}
