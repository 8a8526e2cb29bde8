// What the operations of iree_linalg_ext compute, on tensors and on buffers.

// RUN: freehold run %s --check=accesses | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O3 --check | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>)
func.func private @printMemrefI32(memref<*xi32>)

func.func @show(%t: tensor<*xf32>) attributes {passthrough = ["noinline"]} {
  %m = bufferization.to_memref %t read_only : memref<*xf32>
  call @printMemrefF32(%m) : (memref<*xf32>) -> ()
  return
}
func.func @show_integers(%t: tensor<*xi32>) attributes {passthrough = ["noinline"]} {
  %m = bufferization.to_memref %t read_only : memref<*xi32>
  call @printMemrefI32(%m) : (memref<*xi32>) -> ()
  return
}

// Equal keys stay in their order: 1, 3 and 5 have key 2.
func.func @stable_sort() {
  %keys = arith.constant dense<[3, 2, 1, 2, 9, 2, 0]> : tensor<7xi32>
  %values = arith.constant dense<[0, 1, 2, 3, 4, 5, 6]> : tensor<7xi32>
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%keys, %values : tensor<7xi32>, tensor<7xi32>) {
  ^bb0(%a: i32, %b: i32, %x: i32, %y: i32):
    %c = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<7xi32>, tensor<7xi32>
  %k = tensor.cast %0#0 : tensor<7xi32> to tensor<*xi32>
  %v = tensor.cast %0#1 : tensor<7xi32> to tensor<*xi32>
  call @show_integers(%k) : (tensor<*xi32>) -> ()
  call @show_integers(%v) : (tensor<*xi32>) -> ()
  return
}

// Along the outer dimension, of any size, the largest first; also without a row and with one.
func.func @sort_columns(%n: index) {
  %t = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %i2 = arith.muli %i, %i : index
    %five = arith.constant 5 : index
    %r = arith.remui %i2, %five : index
    %s = arith.addi %r, %j : index
    %x = arith.index_cast %s : index to i64
    %f = arith.sitofp %x : i64 to f32
    tensor.yield %f : f32
  } : tensor<?x2xf32>
  %0 = iree_linalg_ext.sort dimension(0) outs(%t : tensor<?x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<?x2xf32>
  %u = tensor.cast %0 : tensor<?x2xf32> to tensor<*xf32>
  call @show(%u) : (tensor<*xf32>) -> ()
  return
}

func.func @scan() {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %empty = tensor.empty() : tensor<2x3xf32>
  %rows = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(false) ins(%x : tensor<2x3xf32>) outs(%empty, %rows : tensor<2x3xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    iree_linalg_ext.yield %c : f32
  } -> tensor<2x3xf32>, tensor<2xf32>
  %columns = arith.constant dense<0.0> : tensor<3xf32>
  %1:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%x : tensor<2x3xf32>) outs(%empty, %columns : tensor<2x3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    iree_linalg_ext.yield %c : f32
  } -> tensor<2x3xf32>, tensor<3xf32>
  %u0 = tensor.cast %0#0 : tensor<2x3xf32> to tensor<*xf32>
  %u1 = tensor.cast %0#1 : tensor<2xf32> to tensor<*xf32>
  %u2 = tensor.cast %1#0 : tensor<2x3xf32> to tensor<*xf32>
  %u3 = tensor.cast %1#1 : tensor<3xf32> to tensor<*xf32>
  call @show(%u0) : (tensor<*xf32>) -> ()
  call @show(%u1) : (tensor<*xf32>) -> ()
  call @show(%u2) : (tensor<*xf32>) -> ()
  call @show(%u3) : (tensor<*xf32>) -> ()
  return
}

// The second coordinate is that of dimension 0. Positions repeat, and three lie outside.
func.func @scatter() {
  %original = arith.constant dense<1.0> : tensor<2x3x2xf32>
  %updates = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 7.0], [8.0, 8.0], [9.0, 9.0]]> : tensor<6x2xf32>
  %indices = arith.constant dense<[[2, 0], [0, 1], [2, 0], [3, 0], [0, -1], [0, 2]]> : tensor<6x2xi32>
  %0 = iree_linalg_ext.scatter dimension_map = [1, 0] unique_indices(false) ins(%updates, %indices : tensor<6x2xf32>, tensor<6x2xi32>) outs(%original : tensor<2x3x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    iree_linalg_ext.yield %c : f32
  } -> tensor<2x3x2xf32>
  %u = tensor.cast %0 : tensor<2x3x2xf32> to tensor<*xf32>
  call @show(%u) : (tensor<*xf32>) -> ()
  return
}

func.func @gather() {
  %source = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %indices = arith.constant dense<[2, 0, 2]> : tensor<3xi64>
  %empty = tensor.empty() : tensor<3x2xf32>
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%source, %indices : tensor<3x2xf32>, tensor<3xi64>) outs(%empty : tensor<3x2xf32>) -> tensor<3x2xf32>
  %u = tensor.cast %0 : tensor<3x2xf32> to tensor<*xf32>
  call @show(%u) : (tensor<*xf32>) -> ()
  %pairs = arith.constant dense<[[[1, 2]], [[0, 1]]]> : tensor<2x1x2xindex>
  %scalars = tensor.empty() : tensor<2x1xf32>
  %1 = iree_linalg_ext.gather dimension_map = [1, 0] ins(%source, %pairs : tensor<3x2xf32>, tensor<2x1x2xindex>) outs(%scalars : tensor<2x1xf32>) -> tensor<2x1xf32>
  %v = tensor.cast %1 : tensor<2x1xf32> to tensor<*xf32>
  call @show(%v) : (tensor<*xf32>) -> ()
  return
}

// Of equal elements the first; with given positions, the one with the smaller position.
func.func @topk() {
  %x = arith.constant dense<[[1.0, 7.0, 3.0, 7.0, 5.0], [0.0, 0.0, 0.0, 9.0, -1.0]]> : tensor<2x5xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %none = arith.constant dense<2147483647> : tensor<2x3xi32>
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<2x5xf32>) outs(%lowest, %none : tensor<2x3xf32>, tensor<2x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2x3xf32>, tensor<2x3xi32>
  %positions = arith.constant dense<[[4, 3, 2, 1, 0], [40, 30, 20, 10, 0]]> : tensor<2x5xi32>
  %1:2 = iree_linalg_ext.topk dimension(1) ins(%x, %positions : tensor<2x5xf32>, tensor<2x5xi32>) outs(%lowest, %none : tensor<2x3xf32>, tensor<2x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2x3xf32>, tensor<2x3xi32>
  %u0 = tensor.cast %0#0 : tensor<2x3xf32> to tensor<*xf32>
  %u1 = tensor.cast %0#1 : tensor<2x3xi32> to tensor<*xi32>
  %u2 = tensor.cast %1#1 : tensor<2x3xi32> to tensor<*xi32>
  call @show(%u0) : (tensor<*xf32>) -> ()
  call @show_integers(%u1) : (tensor<*xi32>) -> ()
  call @show_integers(%u2) : (tensor<*xi32>) -> ()
  return
}

func.func @arg_compare(%base: index) {
  %x = arith.constant dense<[[1.0, 7.0, 3.0, 7.0, 5.0], [0.0, 0.0, 0.0, 9.0, -1.0]]> : tensor<2x5xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<2xf32>
  %none = arith.constant dense<-1> : tensor<2xi32>
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<2x5xf32>) outs(%lowest, %none : tensor<2xf32>, tensor<2xi32>) index_base(%base : index) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2xf32>, tensor<2xi32>
  %u0 = tensor.cast %0#0 : tensor<2xf32> to tensor<*xf32>
  %u1 = tensor.cast %0#1 : tensor<2xi32> to tensor<*xi32>
  call @show(%u0) : (tensor<*xf32>) -> ()
  call @show_integers(%u1) : (tensor<*xi32>) -> ()
  return
}

// All three stages, of (1, 2, ..., 8) in bit-reversed order.
func.func @fft() {
  %real = arith.constant dense<[1.0, 5.0, 3.0, 7.0, 2.0, 6.0, 4.0, 8.0]> : tensor<8xf32>
  %imag = arith.constant dense<0.0> : tensor<8xf32>
  %first = arith.constant 1 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 4 : index
  %0:2 = scf.for %stage = %first to %end step %c1 iter_args(%r = %real, %i = %imag) -> (tensor<8xf32>, tensor<8xf32>) {
    %1:2 = iree_linalg_ext.fft ins(%stage : index) outs(%r, %i : tensor<8xf32>, tensor<8xf32>) : tensor<8xf32>, tensor<8xf32>
    scf.yield %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>
  }
  %hundred = arith.constant dense<100.0> : tensor<8xf32>
  %scaled = arith.mulf %0#1, %hundred : tensor<8xf32>
  %rounded = math.roundeven %scaled : tensor<8xf32>
  %sum = tensor.extract_slice %0#0[0] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %u0 = tensor.cast %sum : tensor<1xf32> to tensor<*xf32>
  %u1 = tensor.cast %rounded : tensor<8xf32> to tensor<*xf32>
  call @show(%u0) : (tensor<*xf32>) -> ()
  call @show(%u1) : (tensor<*xf32>) -> ()
  return
}

func.func @reverse() {
  %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %empty = tensor.empty() : tensor<2x3xi32>
  %0 = iree_linalg_ext.reverse dimensions(dense<1> : tensor<1xi64>) ins(%x : tensor<2x3xi32>) outs(%empty : tensor<2x3xi32>) : tensor<2x3xi32>
  %u = tensor.cast %0 : tensor<2x3xi32> to tensor<*xi32>
  call @show_integers(%u) : (tensor<*xi32>) -> ()
  return
}

func.func @main() {
  // CHECK: [0, 1, 2, 2, 2, 3, 9]
  // CHECK: [6, 2, 1, 3, 5, 0, 4]
  call @stable_sort() : () -> ()
  // CHECK: sizes = [0, 2]
  %c0 = arith.constant 0 : index
  call @sort_columns(%c0) : (index) -> ()
  // CHECK: sizes = [1, 2]
  // CHECK-NEXT: 0, 1
  %c1 = arith.constant 1 : index
  call @sort_columns(%c1) : (index) -> ()
  // CHECK: sizes = [7, 2]
  // CHECK-NEXT: 4, 5
  // CHECK-NEXT: 4, 5
  // CHECK-NEXT: 1, 2
  // CHECK-NEXT: 1, 2
  // CHECK-NEXT: 1, 2
  // CHECK-NEXT: 0, 1
  // CHECK-NEXT: 0, 1
  %c7 = arith.constant 7 : index
  call @sort_columns(%c7) : (index) -> ()
  // CHECK: 10, 11, 13
  // CHECK: 20, 24, 29
  // CHECK: [13, 29]
  // CHECK: 1, 2, 3
  // CHECK: 4, 10, 18
  // CHECK: [4, 10, 18]
  call @scan() : () -> ()
  // CHECK:      1, 1
  // CHECK-NEXT: 1, 1
  // CHECK-NEXT: 7, 9
  // CHECK-NEXT: 4, 5
  // CHECK-NEXT: 1, 1
  // CHECK-NEXT: 1, 1
  call @scatter() : () -> ()
  // CHECK:      5, 6
  // CHECK-NEXT: 1, 2
  // CHECK-NEXT: 5, 6
  // CHECK:      6],
  // CHECK-NEXT: 3]]
  call @gather() : () -> ()
  // CHECK:      7, 7, 5
  // CHECK-NEXT: 9, 0, 0
  // CHECK:      1, 3, 4
  // CHECK-NEXT: 3, 0, 1
  // CHECK:      1, 3, 0
  // CHECK-NEXT: 10, 20, 30
  call @topk() : () -> ()
  // CHECK: [7, 9]
  // CHECK: [8, 10]
  call @arg_compare(%c7) : (index) -> ()
  // CHECK: [36]
  // CHECK: [0, 966, 400, 166, 0, -166, -400, -966]
  call @fft() : () -> ()
  // CHECK:      3, 2, 1
  // CHECK-NEXT: 6, 5, 4
  call @reverse() : () -> ()
  return
}
