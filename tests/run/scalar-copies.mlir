// A structured operation that yields a scalar copies no tensor.

// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold opt %s --linalg-simplify | freehold run - --check | FileCheck %s

#none = affine_map<(d0) -> ()>
#all = affine_map<(d0) -> (d0)>
#empty = affine_map<() -> ()>

func.func private @row(%x: f32) -> tensor<1xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %r = linalg.generic {indexing_maps = [#none, #all], iterator_types = ["parallel"]} ins(%x : f32) outs(%e : tensor<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}

func.func private @element(%x: f32) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %r = linalg.generic {indexing_maps = [#empty, #empty], iterator_types = []} ins(%x : f32) outs(%e : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 3.0 : f32
  // CHECK: 3
  %r = call @row(%x) : (f32) -> tensor<1xf32>
  %a = tensor.extract %r[%c0] : tensor<1xf32>
  vector.print %a : f32
  // CHECK-NEXT: 3
  %e = call @element(%x) : (f32) -> tensor<f32>
  %b = tensor.extract %e[] : tensor<f32>
  vector.print %b : f32
  return
}
