// RUN: freehold opt %s --stablehlo-legalize-to-linalg | FileCheck %s
// RUN: freehold run %s --function=part --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 | FileCheck %s --check-prefix=PART
// RUN: freehold run %s --function=repeated --input=2x3xf32=1,2,3,4,5,6 --input=3xf32=10,20,30 | FileCheck %s --check-prefix=REPEATED
// RUN: freehold run %s --function=narrow --input=258xf32=1 | FileCheck %s --check-prefix=NARROW
// RUN: not freehold run %s --function=repeated --input=2x3xf32=1,2,3,4,5,6 --input=2xf32=10,20 2>&1 | FileCheck %s --check-prefix=UNEQUAL

// Sizes that are computed with tensors are scalars, and a slice of known steps is one of the tensor: no memory holds where
// it begins.

// CHECK-LABEL: func.func @part(
// CHECK-SAME:      %[[X:.*]]: tensor<?x4xf32>)
// CHECK:         %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x4xf32>
// CHECK:         %[[N32:.*]] = arith.index_cast %[[N]] : index to i32
// CHECK:         %[[LESS:.*]] = arith.subi %[[N32]], %{{.*}} : i32
// CHECK-NOT:     tensor.concat
// CHECK:         %[[LIMIT:.*]] = arith.maxsi %[[LESS]], %{{.*}} : i32
// CHECK:         %[[END:.*]] = arith.index_cast %[[LIMIT]] : i32 to index
// CHECK:         %[[SIZE:.*]] = arith.subi %[[END]], %{{.*}} : index
// CHECK:         tensor.extract_slice %[[X]][0, 0] [%[[SIZE]], %{{.*}}] [1, 2]
// PART: 2x2xf32
// PART-NEXT: {{\[\[}}1.0, 3.0],
// PART-NEXT: [5.0, 7.0]]
func.func @part(%x: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %less = stablehlo.subtract %n, %one : tensor<i32>
  %rows = stablehlo.reshape %less : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.constant dense<4> : tensor<1xi32>
  %limits = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %starts = stablehlo.constant dense<0> : tensor<2xi32>
  %limits_again = stablehlo.maximum %limits, %starts : tensor<2xi32>
  %steps = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.real_dynamic_slice %x, %starts, %limits_again, %steps : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Whether a row is repeated is known where an assertion says that it is as long as the result.

// CHECK-LABEL: func.func @repeated(
// CHECK:         cf.assert %{{.*}}, "the lengths differ"
// CHECK-NOT:     arith.select
// CHECK:         return
// REPEATED: {{\[\[}}11.0, 22.0, 33.0],
// REPEATED-NEXT: [14.0, 25.0, 36.0]]
// UNEQUAL: dimension 1 of argument #0 is 3 and must be dimension 0 of argument #1, which is 2
func.func @repeated(%x: tensor<?x?xf32>, %row: tensor<?xf32>) -> tensor<?x?xf32> {
  %m = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %length = stablehlo.get_dimension_size %row, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %is_same = stablehlo.compare EQ, %length, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%is_same) {api_version = 2 : i32, error_message = "the lengths differ", has_side_effect = true} : (tensor<i1>) -> ()
  %rows = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %all = stablehlo.dynamic_broadcast_in_dim %row, %sizes, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %0 = stablehlo.add %x, %all : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Without it the row may be of one element, which is seen at run time.

// CHECK-LABEL: func.func @perhaps(
// CHECK:         arith.select
func.func @perhaps(%x: tensor<?x?xf32>, %row: tensor<?xf32>) -> tensor<?x?xf32> {
  %m = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %rows = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %all = stablehlo.dynamic_broadcast_in_dim %row, %sizes, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %all : tensor<?x?xf32>
}

// That a size is itself says nothing of others.

// CHECK-LABEL: func.func @itself(
// CHECK:         cf.assert %{{.*}}, "of course"
// CHECK:         arith.select
func.func @itself(%x: tensor<?x?xf32>, %row: tensor<?xf32>) -> tensor<?x?xf32> {
  %m = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %length = stablehlo.get_dimension_size %row, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %of_course = stablehlo.compare EQ, %length, %length, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%of_course) {api_version = 2 : i32, error_message = "of course", has_side_effect = true} : (tensor<i1>) -> ()
  %rows = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %all = stablehlo.dynamic_broadcast_in_dim %row, %sizes, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %all : tensor<?x?xf32>
}

// Sixteen integers are scalars, more are a tensor.

// CHECK-LABEL: func.func @sixteen(
// CHECK:         %[[A:.*]] = arith.addi %[[N:.*]], %[[N]] : i32
// CHECK-NOT:     linalg
// CHECK:         tensor.from_elements %{{.*}} : tensor<16xi32>
func.func @sixteen(%x: tensor<?xf32>) -> tensor<16xi32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<16xi32>
  %0 = stablehlo.add %all, %all : tensor<16xi32>
  return %0 : tensor<16xi32>
}

// CHECK-LABEL: func.func @seventeen(
// CHECK:         linalg.fill
// CHECK:         return
func.func @seventeen(%x: tensor<?xf32>) -> tensor<17xi32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<17xi32>
  %0 = stablehlo.add %all, %all : tensor<17xi32>
  return %0 : tensor<17xi32>
}

// Bits that a size loses stay lost.

// NARROW: 2xf32 = [1.0, 1.0]
func.func @narrow(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %n = arith.index_cast %size : index to i8
  %sizes = tensor.from_elements %n : tensor<1xi8>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %one, %sizes, dims = [] : (tensor<f32>, tensor<1xi8>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
