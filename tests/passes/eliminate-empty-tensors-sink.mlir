// RUN: freehold opt %s --split-input-file --eliminate-empty-tensors="sink-producers=true" | FileCheck %s

// Both parts of a concatenation are computed in it; the second one needs no dimension of one element.
// CHECK-LABEL: func.func @parts
// CHECK:         %[[ALL:.*]] = tensor.empty() : tensor<2x16xf32>
// CHECK-NEXT:    %[[PLACE0:.*]] = tensor.extract_slice %[[ALL]][0, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
// CHECK-NEXT:    %[[PART0:.*]] = linalg.map { math.exp } ins(%arg0 : {{.*}}) outs(%[[PLACE0]]
// CHECK-NEXT:    %[[FIRST:.*]] = tensor.insert_slice %[[PART0]] into %[[ALL]][0, 0]
// CHECK-NEXT:    %[[PLACE1:.*]] = tensor.extract_slice %[[FIRST]][1, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
// CHECK-NEXT:    %[[PART1:.*]] = linalg.map { math.sin } ins(%arg0 : {{.*}}) outs(%[[PLACE1]]
// CHECK-NEXT:    tensor.insert_slice %[[PART1]] into %[[FIRST]][1, 0]
func.func @parts(%x: tensor<16xf32>) -> tensor<2x16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.map { math.exp } ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
  %1 = linalg.map { math.sin } ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
  %2 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
  %3 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
  %all = tensor.empty() : tensor<2x16xf32>
  %4 = tensor.insert_slice %2 into %all[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<2x16xf32>
  %5 = tensor.insert_slice %3 into %4[1, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<2x16xf32>
  return %5 : tensor<2x16xf32>
}

// -----

// Short rows, and what others use as well, stay where they are.
// CHECK-LABEL: func.func @short
// CHECK:         linalg.map
// CHECK:         tensor.empty() : tensor<4x8xf32>
// CHECK-LABEL: func.func @used
// CHECK:         linalg.map
// CHECK:         tensor.empty() : tensor<2x16xf32>
func.func @short(%x: tensor<4x4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.map { math.exp } ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
  %all = tensor.empty() : tensor<4x8xf32>
  %1 = tensor.insert_slice %0 into %all[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

func.func @used(%x: tensor<16xf32>) -> (tensor<2x16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.map { math.exp } ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
  %all = tensor.empty() : tensor<2x16xf32>
  %1 = tensor.insert_slice %0 into %all[0, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<2x16xf32>
  return %1, %0 : tensor<2x16xf32>, tensor<16xf32>
}

// -----

// What is read is overwritten in between; it would have to be copied.
// CHECK-LABEL: func.func @overwritten
// CHECK:         linalg.map { math.exp }
// CHECK:         linalg.fill
// CHECK:         tensor.empty() : tensor<2x16xf32>
func.func @overwritten(%x: tensor<16xf32>, %v: f32) -> (tensor<2x16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %y = linalg.map { math.sin } ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
  %f = tensor.empty() : tensor<16xf32>
  %0 = linalg.map { math.exp } ins(%y : tensor<16xf32>) outs(%f : tensor<16xf32>)
  %z = linalg.fill ins(%v : f32) outs(%y : tensor<16xf32>) -> tensor<16xf32>
  %all = tensor.empty() : tensor<2x16xf32>
  %1 = tensor.insert_slice %0 into %all[0, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<2x16xf32>
  return %1, %z : tensor<2x16xf32>, tensor<16xf32>
}

// -----

// The sum is smaller than what it is made of, which would be kept for it.
// CHECK-LABEL: func.func @kept
// CHECK:         linalg.reduce
// CHECK:         tensor.empty() : tensor<2x16xf32>
func.func @kept(%x: tensor<16x64xf32>) -> tensor<2x16xf32> {
  %e = tensor.empty() : tensor<16x64xf32>
  %y = linalg.map { math.sin } ins(%x : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>)
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<16xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %0 = linalg.reduce { arith.addf } ins(%y : tensor<16x64xf32>) outs(%g : tensor<16xf32>) dimensions = [1]
  %all = tensor.empty() : tensor<2x16xf32>
  %1 = tensor.insert_slice %0 into %all[0, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<2x16xf32>
  return %1 : tensor<2x16xf32>
}

// -----

// What bodies read counts like an input: the table of @gathered is only read in between, that of @changed is overwritten.
// CHECK-LABEL: func.func @gathered
// CHECK:         tensor.empty() : tensor<2x16xf32>
// CHECK:         linalg.generic
// CHECK-LABEL: func.func @changed
// CHECK:         linalg.generic
// CHECK:         tensor.empty() : tensor<2x16xf32>
#id = affine_map<(d0) -> (d0)>
func.func @gathered(%x: tensor<16xf32>, %i: tensor<16xindex>, %v: f32) -> tensor<2x16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<16xindex>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: index, %o: f32):
    %1 = tensor.extract %x[%a] : tensor<16xf32>
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  %all = tensor.empty() : tensor<2x16xf32>
  %2 = tensor.insert_slice %0 into %all[0, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<2x16xf32>
  return %2 : tensor<2x16xf32>
}

func.func @changed(%x: tensor<16xf32>, %i: tensor<16xindex>, %v: f32, %at: index) -> (tensor<2x16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<16xindex>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: index, %o: f32):
    %1 = tensor.extract %x[%a] : tensor<16xf32>
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  %new = tensor.insert %v into %x[%at] : tensor<16xf32>
  %all = tensor.empty() : tensor<2x16xf32>
  %2 = tensor.insert_slice %0 into %all[0, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<2x16xf32>
  return %2, %new : tensor<2x16xf32>, tensor<16xf32>
}
