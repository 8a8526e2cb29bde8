// RUN: freehold opt %s --convert-tensor-to-linalg="computed-in-place" | FileCheck %s
// RUN: freehold opt %s --convert-tensor-to-linalg="computed-in-place" --eliminate-empty-tensors | FileCheck %s --check-prefix=PLACE

// The tensor is filled first, so that the middle is computed in its place.
// CHECK-LABEL: func.func @computed
// CHECK:         %[[ZERO:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK:         %[[FILLED:.*]] = linalg.fill ins(%[[ZERO]]
// CHECK:         %[[SUM:.*]] = linalg.generic
// CHECK:         tensor.insert_slice %[[SUM]] into %[[FILLED]][0] [4] [1]
// PLACE-LABEL: func.func @computed
// PLACE:         %[[FILLED:.*]] = linalg.fill
// PLACE-NEXT:    %[[PLACE:.*]] = tensor.extract_slice %[[FILLED]][0] [4] [1]
// PLACE-NEXT:    linalg.generic {{.*}} outs(%[[PLACE]]
func.func @computed(%x: tensor<4xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %n = arith.constant 0 : i32
  %zero = arith.sitofp %n : i32 to f32
  %p = tensor.pad %sum low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<5xf32>
  return %p : tensor<5xf32>
}

// Arguments are copied anyway, and a number that is not known may be computed later than the middle.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: tensor.pad
func.func @others(%x: tensor<4xf32>, %f: f32) -> (tensor<5xf32>, tensor<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %q = tensor.pad %sum low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<5xf32>
  return %p, %q : tensor<5xf32>, tensor<5xf32>
}
