// RUN: freehold opt %s --split-input-file --linalg-simplify | FileCheck %s

// The place of the largest element, which nobody asks for, goes.
// CHECK-LABEL: func.func @largest
// CHECK:         %[[MAX:.*]] = linalg.generic
// CHECK-SAME:      outs(%{{[a-z0-9_]*}} : tensor<4xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK-NEXT:      %[[NEW:.*]] = arith.maximumf %[[IN]], %[[OLD]]
// CHECK-NEXT:      linalg.yield %[[NEW]] : f32
// CHECK:         return %[[MAX]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @largest(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %p: tensor<4xi64>) -> tensor<4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %old: f32, %place: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %larger = arith.cmpf ogt, %in, %old : f32
    %new = arith.maximumf %in, %old : f32
    %at = arith.select %larger, %j, %place : i64
    linalg.yield %new, %at : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0 : tensor<4xf32>
}

// What the other result is computed from stays.
// CHECK-LABEL: func.func @needed
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{[a-z0-9_]*}}, %{{[a-z0-9_]*}} : tensor<4xf32>, tensor<4xf32>)
func.func @needed(%x: tensor<4x8xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%v, %v : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %s = arith.addf %in, %b : f32
    %t = arith.addf %s, %a : f32
    linalg.yield %t, %s : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4xf32>
}

// -----

// Copies that only add dimensions.
// CHECK-LABEL: func.func @copies
// CHECK-SAME:    (%[[W:.*]]: tensor<8x4xf32>, %[[V:.*]]: tensor<4xf32>)
// CHECK:         %[[A:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2]] output_shape [1, 8, 4]
// CHECK:         %[[B:.*]] = tensor.expand_shape %[[V]] {{\[\[}}0, 1, 2]] output_shape [1, 4, 1]
// CHECK:         return %[[A]], %[[B]], %[[W]]
#rows = affine_map<(d0, d1, d2) -> (d1, d2)>
#middle = affine_map<(d0, d1, d2) -> (d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#two = affine_map<(d0, d1) -> (d0, d1)>
func.func @copies(%w: tensor<8x4xf32>, %v: tensor<4xf32>) -> (tensor<1x8x4xf32>, tensor<1x4x1xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<1x8x4xf32>
  %f = tensor.empty() : tensor<1x4x1xf32>
  %g = tensor.empty() : tensor<8x4xf32>
  %a = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<8x4xf32>) outs(%e : tensor<1x8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8x4xf32>
  %b = linalg.generic {indexing_maps = [#middle, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : tensor<4xf32>) outs(%f : tensor<1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x1xf32>
  %c = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<8x4xf32>) outs(%g : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x4xf32>
  return %a, %b, %c : tensor<1x8x4xf32>, tensor<1x4x1xf32>, tensor<8x4xf32>
}

// A broadcast repeats elements, a transposition moves them.
// CHECK-LABEL: func.func @no_copies
// CHECK-COUNT-2: linalg.generic
#t = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @no_copies(%w: tensor<8x4xf32>, %v: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<2x4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<2x4xf32>
  %a = linalg.generic {indexing_maps = [#t, #two], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<4xf32>) outs(%f : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4xf32>
  return %a, %b : tensor<4x8xf32>, tensor<2x4xf32>
}

// -----

// Each product writes to zeros of its own.
// CHECK-LABEL: func.func @fills
// CHECK:         %[[ZERO:.*]] = linalg.fill
// CHECK:         linalg.matmul {{.*}} outs(%[[ZERO]]
// CHECK:         %[[SECOND:.*]] = linalg.fill
// CHECK:         linalg.matmul {{.*}} outs(%[[SECOND]]
func.func @fills(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = linalg.matmul ins(%b, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %p, %q : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

#one = affine_map<(d0) -> (d0)>

// Nobody uses what they compute; one does more.
// CHECK-LABEL: func.func @unused
// CHECK-NOT:     math.exp
// CHECK:         linalg.generic
// CHECK:           call @print
func.func private @print()
func.func @unused(%x: tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %z = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    func.call @print() : () -> ()
    linalg.yield %out : f32
  } -> tensor<4xf32>
  return
}

// -----

// An element is read where a slice of it is taken, so that the tensor may be overwritten before it is used.
// CHECK-LABEL: func.func @exchange
// CHECK:         %[[OLD:.*]] = tensor.extract %[[T:.*]][%{{.*}}] : tensor<4xi32>
// CHECK-NOT:     tensor.extract_slice
// CHECK:         scf.if
// CHECK:           tensor.insert %[[OLD]] into %[[T]]
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @exchange(%t: tensor<4xi32>, %i: index, %j: index, %x: i32, %c: i1) -> (tensor<4xi32>, i32) {
  %slice = tensor.extract_slice %t[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
  %scalar = tensor.collapse_shape %slice [] : tensor<1xi32> into tensor<i32>
  %e = tensor.empty() : tensor<1xi32>
  %one = linalg.fill ins(%x : i32) outs(%e : tensor<1xi32>) -> tensor<1xi32>
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (tensor<4xi32>) {
    %old = tensor.extract %scalar[] : tensor<i32>
    %new = tensor.insert %old into %t[%j] : tensor<4xi32>
    scf.yield %new : tensor<4xi32>
  } else {
    scf.yield %t : tensor<4xi32>
  }
  %y = tensor.extract %one[%c0] : tensor<1xi32>
  return %r, %y : tensor<4xi32>, i32
}

// -----

// Places to scatter to: elements of a concatenation that nothing else needs are those of its parts, and those of a tensor
// with dimensions of size 1 are those of the one without.
// CHECK-LABEL: func.func @places
// CHECK-SAME:    (%[[X:.*]]: tensor<8xindex>, %[[Y:.*]]: tensor<8xindex>, %[[I:.*]]: index)
// CHECK-NOT:     tensor.insert_slice
// CHECK-NOT:     tensor.expand_shape
// CHECK:         %[[A:.*]] = tensor.extract %[[X]][%[[I]]]
// CHECK:         %[[B:.*]] = tensor.extract %[[Y]][%[[I]]]
// CHECK:         return %[[A]], %[[B]]
func.func @places(%x: tensor<8xindex>, %y: tensor<8xindex>, %i: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [8, 1] : tensor<8xindex> into tensor<8x1xindex>
  %e = tensor.empty() : tensor<8x2xindex>
  %1 = tensor.insert_slice %0 into %e[0, 0] [8, 1] [1, 1] : tensor<8x1xindex> into tensor<8x2xindex>
  %2 = tensor.insert_slice %y into %1[0, 1] [8, 1] [1, 1] : tensor<8xindex> into tensor<8x2xindex>
  %a = tensor.extract %2[%i, %c0] : tensor<8x2xindex>
  %b = tensor.extract %2[%i, %c1] : tensor<8x2xindex>
  return %a, %b : index, index
}

// -----

// What others need as well stays.
// CHECK-LABEL: func.func @needed
// CHECK:         %[[W:.*]] = tensor.insert_slice
// CHECK:         tensor.extract %[[W]]
func.func @needed(%x: tensor<8x1xindex>, %d: tensor<8x2xindex>, %i: index) -> (index, tensor<8x2xindex>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert_slice %x into %d[0, 0] [8, 1] [1, 1] : tensor<8x1xindex> into tensor<8x2xindex>
  %a = tensor.extract %0[%i, %c0] : tensor<8x2xindex>
  return %a, %0 : index, tensor<8x2xindex>
}
