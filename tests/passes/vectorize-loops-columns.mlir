// Lanes that go through rows of their own: several iterations of the inner loop are written one behind the other, with
// squares that are transposed in registers, and what is left over is loaded and stored one by one.
//
// RUN: freehold opt %s --vectorize-loops --canonicalize --cse | FileCheck %s
// RUN: freehold run -O3 %s | FileCheck %s --check-prefix=SUM
// RUN: freehold run -O3 --vector-bits=256 %s | FileCheck %s --check-prefix=SUM
// RUN: freehold run -O0 %s | FileCheck %s --check-prefix=SUM

// CHECK-LABEL: func.func private @rows_times_rows
// CHECK:         scf.for %[[J:.*]] = %c0 to %{{.*}} step %c8 {
// CHECK:           scf.for %[[K:.*]] = %c0 to %{{.*}} step %c4 {
// CHECK-COUNT-8:     vector.load %arg1[%{{.*}}, %[[K]]] : memref<?x?xf32>, vector<4xf32>
// CHECK:             vector.shuffle %{{.*}}, %{{.*}} [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xf32>, vector<8xf32>
// CHECK:             vector.shuffle %{{.*}}, %{{.*}} [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xf32>, vector<8xf32>
// CHECK-COUNT-4:     arith.addf %{{.*}} : vector<8xf32>
// CHECK:           scf.for
// CHECK-COUNT-8:     memref.load %arg1
// CHECK:             vector.from_elements
func.func private @rows_times_rows(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %b, %c0 : memref<?x?xf32>
  %l = memref.dim %a, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      scf.for %k = %c0 to %l step %c1 {
        %x = memref.load %a[%i, %k] : memref<?x?xf32>
        %y = memref.load %b[%j, %k] : memref<?x?xf32>
        %sum = memref.load %c[%i, %j] : memref<?x?xf32>
        %product = arith.mulf %x, %y : f32
        %next = arith.addf %sum, %product : f32
        memref.store %next, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func private @transpose
// CHECK:         scf.for %[[I:.*]] = %c0 to %{{.*}} step %c8 {
// CHECK:           scf.for %[[J:.*]] = %c0 to %{{.*}} step %c4 {
// CHECK-COUNT-4:     vector.store %{{.*}}, %arg1[%{{.*}}, %[[I]]] : memref<?x?xf32>, vector<8xf32>
func.func private @transpose(%a: memref<?x?xf32>, %b: memref<?x?xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      memref.store %x, %b[%j, %i] : memref<?x?xf32>
    }
  }
  return
}

// The elements of a row depend on each other: loads of later ones must not come first.
// CHECK-LABEL: func.func private @running
// CHECK-NOT:     vector
// CHECK:         return
func.func private @running(%a: memref<40x40xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  scf.for %i = %c0 to %c40 step %c1 {
    scf.for %j = %c1 to %c40 step %c1 {
      %before = arith.subi %j, %c1 : index
      %x = memref.load %a[%i, %before] : memref<40x40xf32>
      %y = memref.load %a[%i, %j] : memref<40x40xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %a[%i, %j] : memref<40x40xf32>
    }
  }
  return
}

// Sums of integers have an order of their own in vectors, along the rows.
// CHECK-LABEL: func.func private @integers
// CHECK-NOT:     vector
// CHECK:         return
func.func private @integers(%a: memref<?x?xi8>, %b: memref<?xi8>, %c: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi8>
  %l = memref.dim %a, %c1 : memref<?x?xi8>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %l step %c1 {
      %x = memref.load %a[%i, %k] : memref<?x?xi8>
      %y = memref.load %b[%k] : memref<?xi8>
      %wide_x = arith.extsi %x : i8 to i32
      %wide_y = arith.extsi %y : i8 to i32
      %sum = memref.load %c[%i] : memref<?xi32>
      %product = arith.muli %wide_x, %wide_y : i32
      %next = arith.addi %sum, %product : i32
      memref.store %next, %c[%i] : memref<?xi32>
    }
  }
  return
}

func.func private @printF32(f32)
func.func private @printNewline()

func.func private @print_sum(%a: memref<?x?xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (f32) {
    %inner = scf.for %j = %c0 to %m step %c1 iter_args(%total = %before) -> (f32) {
      %weight = arith.index_cast %i : index to i32
      %factor = arith.sitofp %weight : i32 to f32
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      %y = arith.mulf %x, %factor : f32
      %next = arith.addf %total, %y : f32
      scf.yield %next : f32
    }
    scf.yield %inner : f32
  }
  call @printF32(%sum) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c21 = arith.constant 21 : index
  %c39 = arith.constant 39 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc(%c21, %c39) : memref<?x?xf32>
  %b = memref.alloc(%c39, %c21) : memref<?x?xf32>
  %c = memref.alloc(%c21, %c21) : memref<?x?xf32>
  %square = memref.alloc() : memref<40x40xf32>
  scf.for %i = %c0 to %c21 step %c1 {
    scf.for %j = %c0 to %c39 step %c1 {
      %two = arith.addi %j, %j : index
      %both = arith.subi %two, %i : index
      %number = arith.index_cast %both : index to i32
      %x = arith.sitofp %number : i32 to f32
      memref.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32>)
  call @rows_times_rows(%a, %a, %c) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  // sum(i * (2 k - i) * (2 k - j)) for i and j below 21, k below 39
  // SUM: 2.04324e+08
  call @print_sum(%c) : (memref<?x?xf32>) -> ()
  call @transpose(%a, %b) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  // SUM-NEXT: 643188
  call @print_sum(%b) : (memref<?x?xf32>) -> ()
  linalg.fill ins(%zero : f32) outs(%square : memref<40x40xf32>)
  %one = arith.constant 1.0 : f32
  memref.store %one, %square[%c1, %c0] : memref<40x40xf32>
  memref.store %one, %square[%c1, %c1] : memref<40x40xf32>
  call @running(%square) : (memref<40x40xf32>) -> ()
  %all = memref.cast %square : memref<40x40xf32> to memref<?x?xf32>
  // 1, and 39 times 2
  // SUM-NEXT: 79
  call @print_sum(%all) : (memref<?x?xf32>) -> ()
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  memref.dealloc %c : memref<?x?xf32>
  memref.dealloc %square : memref<40x40xf32>
  return
}
