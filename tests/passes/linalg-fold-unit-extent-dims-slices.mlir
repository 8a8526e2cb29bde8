// RUN: freehold opt %s --linalg-fold-unit-extent-dims=use-rank-reducing-slices | FileCheck %s
// RUN: freehold opt %s --linalg-fold-unit-extent-dims=use-rank-reducing-slices --one-shot-bufferize="bufferize-function-boundaries=true" > /dev/null

#all = affine_map<(d0, d1) -> (d0, d1)>

// Slices take dimensions of size 1 away, and the result goes where the output was.
// CHECK-LABEL: func.func @output
// CHECK-SAME:    (%[[X:.*]]: tensor<1x?xf32>, %[[O:.*]]: tensor<1x?xf32>)
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][0, 0] [1, %{{.*}}] [1, 1] : tensor<1x?xf32> to tensor<?xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[S]], %{{.*}} : tensor<?xf32>, tensor<?xf32>)
// CHECK:         %[[I:.*]] = tensor.insert_slice %[[R]] into %[[O]][0, 0] [1, %{{.*}}] [1, 1] : tensor<?xf32> into tensor<1x?xf32>
// CHECK:         return %[[I]]
func.func @output(%x: tensor<1x?xf32>, %o: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x?xf32>) outs(%o : tensor<1x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<1x?xf32>
  return %r : tensor<1x?xf32>
}

// Nothing is sliced of an empty tensor.
// CHECK-LABEL: func.func @empty
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<1x8xf32>
// CHECK:         %[[S:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} outs(%[[S]] : tensor<8xf32>)
// CHECK:         tensor.insert_slice %[[R]] into %[[E]][0, 0] [1, 8] [1, 1]
func.func @empty(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %e = tensor.empty() : tensor<1x8xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %a : f32
    linalg.yield %c : f32
  } -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK:         %[[P:.*]] = tensor.pad %{{.*}} low[1, 0] high[1, 0]
// CHECK:         %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<1x6x?xf32>
// CHECK:         tensor.insert_slice %[[P]] into %[[E]][0, 0, 0] [1, 6, %{{.*}}] [1, 1, 1] : tensor<6x?xf32> into tensor<1x6x?xf32>
func.func @pad(%x: tensor<1x4x?xf32>, %f: f32) -> tensor<1x6x?xf32> {
  %r = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %f : f32
  } : tensor<1x4x?xf32> to tensor<1x6x?xf32>
  return %r : tensor<1x6x?xf32>
}
