// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s --vector-bits=128 --fp=contract | FileCheck %s
// RUN: freehold run %s -O3 --check=accesses | FileCheck %s
// RUN: freehold opt %s --native-pipeline | FileCheck %s --check-prefix=VECTORS

// The sine, cosine and tangent of doubles of all sizes, special ones included, are the same bits in vectors, where some
// lanes are large, as one by one: each line says how many of 4,096 differ.

// VECTORS-COUNT-3: arith.ori %{{.*}} : vector<1xi

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @sin(%x: f64) -> f64 attributes {passthrough = ["noinline"]} {
  %y = math.sin %x : f64
  return %y : f64
}
func.func private @cos(%x: f64) -> f64 attributes {passthrough = ["noinline"]} {
  %y = math.cos %x : f64
  return %y : f64
}
func.func private @tan(%x: f64) -> f64 attributes {passthrough = ["noinline"]} {
  %y = math.tan %x : f64
  return %y : f64
}

// Both NaN, or the same bits.
func.func private @differ(%x: f64, %y: f64) -> i64 attributes {passthrough = ["noinline"]} {
  %a = arith.bitcast %x : f64 to i64
  %b = arith.bitcast %y : f64 to i64
  %differ = arith.cmpi ne, %a, %b : i64
  %numbers = arith.cmpf ord, %x, %y : f64
  %x_nan = arith.cmpf uno, %x, %x : f64
  %y_nan = arith.cmpf uno, %y, %y : f64
  %one_nan = arith.xori %x_nan, %y_nan : i1
  %other = arith.andi %differ, %numbers : i1
  %any = arith.ori %other, %one_nan : i1
  %n = arith.extui %any : i1 to i64
  return %n : i64
}

func.func private @count(%xs: memref<4096xf64>, %ys: memref<4096xf64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4096 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> i64 {
    %x = memref.load %xs[%i] : memref<4096xf64>
    %y = memref.load %ys[%i] : memref<4096xf64>
    %d = func.call @differ(%x, %y) : (f64, f64) -> i64
    %next = arith.addi %sum, %d : i64
    scf.yield %next : i64
  }
  return %sum : i64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4096 : index
  %x = memref.alloc() : memref<4096xf64>
  %y = memref.alloc() : memref<4096xf64>
  %z = memref.alloc() : memref<4096xf64>
  // All exponents, small ones in long rows.
  %scale = arith.constant 4503599627370517 : i64
  %small = arith.constant 0.37 : f64
  %bit = arith.constant 64 : i64
  %none = arith.constant 0 : i64
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i64
    %bits = arith.muli %k, %scale : i64
    %far = arith.bitcast %bits : i64 to f64
    %f = arith.sitofp %k : i64 to f64
    %near = arith.mulf %f, %small : f64
    %which = arith.andi %k, %bit : i64
    %is_near = arith.cmpi eq, %which, %none : i64
    %v = arith.select %is_near, %near, %far : f64
    memref.store %v, %x[%i] : memref<4096xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf64>
    %b = math.sin %a : f64
    memref.store %b, %y[%i] : memref<4096xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf64>
    %b = func.call @sin(%a) : (f64) -> f64
    memref.store %b, %z[%i] : memref<4096xf64>
  }
  // CHECK: {{^}}0{{$}}
  %n0 = call @count(%y, %z) : (memref<4096xf64>, memref<4096xf64>) -> i64
  call @printI64(%n0) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf64>
    %b = math.cos %a : f64
    memref.store %b, %y[%i] : memref<4096xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf64>
    %b = func.call @cos(%a) : (f64) -> f64
    memref.store %b, %z[%i] : memref<4096xf64>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n1 = call @count(%y, %z) : (memref<4096xf64>, memref<4096xf64>) -> i64
  call @printI64(%n1) : (i64) -> ()
  call @printNewline() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf64>
    %b = math.tan %a : f64
    memref.store %b, %y[%i] : memref<4096xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<4096xf64>
    %b = func.call @tan(%a) : (f64) -> f64
    memref.store %b, %z[%i] : memref<4096xf64>
  }
  // CHECK-NEXT: {{^}}0{{$}}
  %n2 = call @count(%y, %z) : (memref<4096xf64>, memref<4096xf64>) -> i64
  call @printI64(%n2) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %x : memref<4096xf64>
  memref.dealloc %y : memref<4096xf64>
  memref.dealloc %z : memref<4096xf64>
  return
}
