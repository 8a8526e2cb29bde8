// The text of every operation, as IREE 3.13 prints it, and the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @sort
func.func @sort(%a: tensor<?x4xi32>, %b: tensor<?x4xf32>) -> (tensor<?x4xi32>, tensor<?x4xf32>) {
  // CHECK-NEXT: %[[R:.*]]:2 = iree_linalg_ext.sort dimension(0) outs(%{{.*}}, %{{.*}} : tensor<?x4xi32>, tensor<?x4xf32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: f32):
  // CHECK-NEXT:   %[[C:.*]] = arith.cmpf ogt
  // CHECK-NEXT:   iree_linalg_ext.yield %[[C]] : i1
  // CHECK-NEXT: } -> tensor<?x4xi32>, tensor<?x4xf32>
  // GENERIC: "iree_linalg_ext.sort"({{.*}}) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 2>}> ({
  // GENERIC: "iree_linalg_ext.yield"(%{{.*}}) : (i1) -> ()
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%a, %b : tensor<?x4xi32>, tensor<?x4xf32>) {
  ^bb0(%x: i32, %y: i32, %z: f32, %w: f32):
    %c = arith.cmpf ogt, %z, %w : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<?x4xi32>, tensor<?x4xf32>
  return %0#0, %0#1 : tensor<?x4xi32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @sort_buffer
func.func @sort_buffer(%a: memref<2x10xf32>) {
  // CHECK-NEXT: iree_linalg_ext.sort {note = 1 : i64} dimension(1) outs(%{{.*}} : memref<2x10xf32>) {
  // CHECK:        iree_linalg_ext.yield {note} %{{.*}} : i1
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  iree_linalg_ext.sort {note = 1} dimension(1) outs(%a : memref<2x10xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf ogt, %x, %y : f32
    iree_linalg_ext.yield {note} %c : i1
  }
  return
}

// CHECK-LABEL: func.func @scan
func.func @scan(%a: tensor<4x5xf32>, %o: tensor<4x5xf32>, %acc: tensor<5xf32>) -> tensor<4x5xf32> {
  // CHECK-NEXT: iree_linalg_ext.scan dimension(0) inclusive(false) ins(%{{.*}} : tensor<4x5xf32>) outs(%{{.*}}, %{{.*}} : tensor<4x5xf32>, tensor<5xf32>) {
  // CHECK:      } -> tensor<4x5xf32>, tensor<5xf32>
  // GENERIC: "iree_linalg_ext.scan"({{.*}}) <{dimension = 0 : i64, inclusive = false}> ({
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(false) ins(%a : tensor<4x5xf32>) outs(%o, %acc : tensor<4x5xf32>, tensor<5xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    iree_linalg_ext.yield %c : f32
  } -> tensor<4x5xf32>, tensor<5xf32>
  return %0#0 : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%u: tensor<4x3xf32>, %i: tensor<4x2xi32>, %o: tensor<8x16x3xf32>) -> tensor<8x16x3xf32> {
  // CHECK-NEXT: iree_linalg_ext.scatter dimension_map = [1, 0] unique_indices(true) ins(%{{.*}}, %{{.*}} : tensor<4x3xf32>, tensor<4x2xi32>) outs(%{{.*}} : tensor<8x16x3xf32>) {
  // CHECK:      } -> tensor<8x16x3xf32>
  // GENERIC: "iree_linalg_ext.scatter"({{.*}}) <{dimension_map = array<i64: 1, 0>, unique_indices = true}> ({
  %0 = iree_linalg_ext.scatter dimension_map = [1, 0] unique_indices(true) ins(%u, %i : tensor<4x3xf32>, tensor<4x2xi32>) outs(%o : tensor<8x16x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<8x16x3xf32>
  // CHECK: iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(false)
  %1 = iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(false) ins(%u, %i : tensor<4x3xf32>, tensor<4x2xi32>) outs(%0 : tensor<8x16x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<8x16x3xf32>
  return %1 : tensor<8x16x3xf32>
}

// CHECK-LABEL: func.func @gather
func.func @gather(%s: tensor<10x16xf32>, %i: tensor<4xi32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK-NEXT: iree_linalg_ext.gather dimension_map = [0] ins(%{{.*}}, %{{.*}} : tensor<10x16xf32>, tensor<4xi32>) outs(%{{.*}} : tensor<4x16xf32>) -> tensor<4x16xf32>
  // GENERIC: "iree_linalg_ext.gather"({{.*}}) <{dimension_map = array<i64: 0>}> :
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<10x16xf32>, tensor<4xi32>) outs(%o : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// CHECK-LABEL: func.func @topk
func.func @topk(%a: memref<2x10xf32>, %i: memref<2x10xi32>, %v: memref<2x3xf32>, %p: memref<2x3xi32>) {
  // CHECK-NEXT: iree_linalg_ext.topk dimension(1) ins(%{{.*}}, %{{.*}} : memref<2x10xf32>, memref<2x10xi32>) outs(
  // GENERIC: "iree_linalg_ext.topk"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{dimension = 1 : i64}> ({
  iree_linalg_ext.topk dimension(1) ins(%a, %i : memref<2x10xf32>, memref<2x10xi32>) outs(%v, %p : memref<2x3xf32>, memref<2x3xi32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf ogt, %x, %y : f32
    iree_linalg_ext.yield %c : i1
  }
  // CHECK: iree_linalg_ext.topk dimension(1) ins(%{{.*}} : memref<2x10xf32>) outs(
  iree_linalg_ext.topk dimension(1) ins(%a : memref<2x10xf32>) outs(%v, %p : memref<2x3xf32>, memref<2x3xi32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf ogt, %x, %y : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// CHECK-LABEL: func.func @arg_compare
func.func @arg_compare(%a: memref<2x10xf32>, %i: memref<2x10xi64>, %v: memref<2xf32>, %p: memref<2xi64>, %base: index) {
  // CHECK-NEXT: iree_linalg_ext.arg_compare dimension(1) ins(%{{.*}} : memref<2x10xf32>) outs(%{{.*}}, %{{.*}} : memref<2xf32>, memref<2xi64>) index_base(%{{.*}} : index) {
  // GENERIC: "iree_linalg_ext.arg_compare"({{.*}}) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}> ({
  iree_linalg_ext.arg_compare dimension(1) ins(%a : memref<2x10xf32>) outs(%v, %p : memref<2xf32>, memref<2xi64>) index_base(%base : index) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf ogt, %x, %y : f32
    iree_linalg_ext.yield %c : i1
  }
  // CHECK: iree_linalg_ext.arg_compare dimension(1) ins(%{{.*}}, %{{.*}} : memref<2x10xf32>, memref<2x10xi64>) outs(
  // GENERIC: operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>
  iree_linalg_ext.arg_compare dimension(1) ins(%a, %i : memref<2x10xf32>, memref<2x10xi64>) outs(%v, %p : memref<2xf32>, memref<2xi64>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf ogt, %x, %y : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// CHECK-LABEL: func.func @fft
func.func @fft(%r: tensor<2x8xf32>, %i: tensor<2x8xf32>, %cr: tensor<1xf32>, %ci: tensor<1xf32>, %stage: index) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  // CHECK-NEXT: iree_linalg_ext.fft ins(%{{.*}} : index) outs(%{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<2x8xf32>) : tensor<2x8xf32>, tensor<2x8xf32>
  // CHECK-NEXT: iree_linalg_ext.fft ins(%{{.*}}, %{{.*}}, %{{.*}} : index, tensor<1xf32>, tensor<1xf32>) outs(
  // GENERIC: "iree_linalg_ext.fft"({{.*}}) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>}> :
  // GENERIC: "iree_linalg_ext.fft"({{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> :
  %0:2 = iree_linalg_ext.fft ins(%stage : index) outs(%r, %i : tensor<2x8xf32>, tensor<2x8xf32>) : tensor<2x8xf32>, tensor<2x8xf32>
  %1:2 = iree_linalg_ext.fft ins(%stage, %cr, %ci : index, tensor<1xf32>, tensor<1xf32>) outs(%0#0, %0#1 : tensor<2x8xf32>, tensor<2x8xf32>) : tensor<2x8xf32>, tensor<2x8xf32>
  return %1#0, %1#1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// As older versions of IREE print it.
// CHECK-LABEL: func.func @reverse
func.func @reverse(%a: tensor<3x5xi32>, %o: tensor<3x5xi32>) -> tensor<3x5xi32> {
  // CHECK-NEXT: iree_linalg_ext.reverse dimensions(dense<[0, 1]> : tensor<2xi64>) ins(%{{.*}} : tensor<3x5xi32>) outs(%{{.*}} : tensor<3x5xi32>) : tensor<3x5xi32>
  %0 = iree_linalg_ext.reverse dimensions(dense<[0, 1]> : tensor<2xi64>) ins(%a : tensor<3x5xi32>) outs(%o : tensor<3x5xi32>) : tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}
