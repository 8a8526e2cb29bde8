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
func.func @computed(%x: tensor<4xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %n = arith.constant 0 : i32
  %zero = arith.sitofp %n : i32 to f32
  %p = tensor.pad %sum low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %p : tensor<6xf32>
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

// Margins that are a small part of the tensor are filled alone, each element once.
// CHECK-LABEL: func.func @margins
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %{{.*}}[0, 0] [1, 24] [1, 1]
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[ROWS]]
// CHECK:         %[[COLUMNS:.*]] = tensor.extract_slice %{{.*}}[1, 22] [20, 2] [1, 1]
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[COLUMNS]]
// CHECK:         %[[FILLED:.*]] = tensor.insert_slice %{{.*}}[1, 22] [20, 2] [1, 1]
// CHECK:         %[[SUM:.*]] = linalg.generic
// CHECK:         tensor.insert_slice %[[SUM]] into %[[FILLED]][1, 0] [20, 22] [1, 1]
func.func @margins(%x: tensor<20x22xf32>) -> tensor<21x24xf32> {
  %e = tensor.empty() : tensor<20x22xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<20x22xf32>) outs(%e : tensor<20x22xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<20x22xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %sum low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<20x22xf32> to tensor<21x24xf32>
  return %p : tensor<21x24xf32>
}
