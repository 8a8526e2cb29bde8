// RUN: freehold opt --pass-pipeline='builtin.module(lower-vectors)' %s | FileCheck %s
// RUN: freehold opt --pass-pipeline='builtin.module(native-pipeline)' --mlir-print-ir-after=lower-vectors %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SEEN

// Operations that others stand for are gone before code is generated.
// SEEN-NOT: vector.splat
// SEEN: vector.broadcast

// CHECK-LABEL: @splat
// CHECK: vector.broadcast %{{.*}} : f32 to vector<4xf32>
func.func @splat(%x: f32) -> vector<4xf32> {
  %0 = vector.splat %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: @fma
// CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : vector<4xf32>
func.func @fma(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.fma %a, %b, %a : vector<4xf32>
  return %0 : vector<4xf32>
}

// Positions are natural numbers.
// CHECK-LABEL: @elements
// CHECK: %[[P:.*]] = arith.index_castui %{{.*}} : i8 to index
// CHECK: vector.extract %{{.*}}[%[[P]]] : f32 from vector<200xf32>
// CHECK: vector.insert %{{.*}}, %{{.*}}[%{{.*}}] : f32 into vector<200xf32>
func.func @elements(%v: vector<200xf32>, %i: i8, %j: index) -> vector<200xf32> {
  %0 = vector.extractelement %v[%i : i8] : vector<200xf32>
  %1 = vector.insertelement %0, %v[%j : index] : vector<200xf32>
  return %1 : vector<200xf32>
}

// CHECK-LABEL: @transpose
// CHECK: %[[A:.*]] = vector.shape_cast %{{.*}} : vector<8xf32> to vector<2x4xf32>
// CHECK: %[[B:.*]] = vector.transpose %[[A]], [1, 0] : vector<2x4xf32> to vector<4x2xf32>
// CHECK: vector.shape_cast %[[B]] : vector<4x2xf32> to vector<8xf32>
func.func @transpose(%m: vector<8xf32>) -> vector<8xf32> {
  %0 = vector.flat_transpose %m {rows = 4 : i32, columns = 2 : i32} : vector<8xf32> -> vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: @product
// CHECK: %[[L:.*]] = vector.shape_cast %{{.*}} : vector<6xf32> to vector<3x2xf32>
// CHECK: %[[R:.*]] = vector.shape_cast %{{.*}} : vector<12xf32> to vector<4x3xf32>
// CHECK: %[[Z:.*]] = arith.constant dense<-0.000000e+00> : vector<4x2xf32>
// CHECK: %[[C:.*]] = vector.contract {{.*}} %[[L]], %[[R]], %[[Z]] : vector<3x2xf32>, vector<4x3xf32> into vector<4x2xf32>
// CHECK: vector.shape_cast %[[C]] : vector<4x2xf32> to vector<8xf32>
func.func @product(%a: vector<6xf32>, %b: vector<12xf32>) -> vector<8xf32> {
  %0 = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 4 : i32}
    : (vector<6xf32>, vector<12xf32>) -> vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: @integers
// CHECK: arith.constant dense<0> : vector<1x2xi32>
// CHECK: vector.contract
func.func @integers(%a: vector<6xi32>, %b: vector<3xi32>) -> vector<2xi32> {
  %0 = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 1 : i32}
    : (vector<6xi32>, vector<3xi32>) -> vector<2xi32>
  return %0 : vector<2xi32>
}
