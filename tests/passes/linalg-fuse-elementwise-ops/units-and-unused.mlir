// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops --canonicalize | FileCheck %s

#one = affine_map<(d0) -> (d0)>
#two = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (0, d1)>

// Dimensions of size 1 that come in between or go are no obstacle.
// CHECK-LABEL: func.func @expanded
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
// CHECK-NOT:     expand_shape
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<8xf32>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK:           math.exp
// CHECK:           arith.negf
// CHECK-NOT:     linalg.generic
func.func @expanded(%x: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %r = tensor.expand_shape %y [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %z = linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<1x8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// -----

#one = affine_map<(d0) -> (d0)>
#two = affine_map<(d0, d1) -> (d0, d1)>

// CHECK: #[[$COLUMN:.*]] = affine_map<(d0) -> (0, d0)>
// CHECK-LABEL: func.func @collapsed
// CHECK-NOT:     collapse_shape
// CHECK:         linalg.generic {indexing_maps = [#[[$COLUMN]], #{{.*}}], iterator_types = ["parallel"]} ins(%{{.*}} : tensor<1x8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK-NOT:     linalg.generic
func.func @collapsed(%x: tensor<1x8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<1x8xf32>
  %y = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<1x8xf32>
  %r = tensor.collapse_shape %y [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%r : tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// -----

#two = affine_map<(d0, d1) -> (d0, d1)>
#flat = affine_map<(d0) -> (d0)>

// Reshapes of other dimensions, and those that others use, stay.
// CHECK-LABEL: func.func @not_through
// CHECK-COUNT-2: linalg.generic
func.func @not_through(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %y = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<2x4xf32>
  %r = tensor.collapse_shape %y [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%r : tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// -----

#one = affine_map<(d0) -> (d0)>

// The body looks at one input; what the other one is computed from is not needed either.
// CHECK-LABEL: func.func @unused_input
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>, %{{.*}}: tensor<8xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<8xf32>)
// CHECK-NOT:     linalg.generic
func.func @unused_input(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%x, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %sum = arith.addf %in, %other : f32
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// -----

#one = affine_map<(d0) -> (d0)>

// What was a number in every element before need not be there.
// CHECK-LABEL: func.func @filled_output
// CHECK-NOT:     linalg.fill
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      arith.addf %[[IN]], %{{.*}}
// CHECK-NEXT:      arith.negf
func.func @filled_output(%x: tensor<8xf32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// -----

#pair = affine_map<(d0) -> (d0)>

// An output that is there for its shape alone may be another result of what becomes part of the operation.
// CHECK-LABEL: func.func @other_result_as_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      arith.negf %[[IN]]
// CHECK-NEXT:      math.absf
// CHECK-NOT:     linalg.generic
func.func @other_result_as_shape(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %y:2 = linalg.generic {indexing_maps = [#pair, #pair, #pair], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32, %other: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0, %in : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %z = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel"]} ins(%y#0 : tensor<8xf32>) outs(%y#1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.absf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %z : tensor<8xf32>
}
