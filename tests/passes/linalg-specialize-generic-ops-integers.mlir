// Upstream's pass gives these names that mean something else: bytes that are extended with zeros become a product of
// bytes that have a sign.
//
// RUN: freehold opt %s --linalg-specialize-generic-ops | FileCheck %s

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// Products of integers get a name, but not those of `i1`, which named operations take for conditions, nor those of what is
// widened, which does not say how.
// CHECK-LABEL: func.func @integers
// CHECK:         linalg.matmul ins(%arg0, %arg0 : tensor<4x4xi32>
// CHECK:         linalg.generic
// CHECK:         arith.muli %{{.*}} : i1
// CHECK:         linalg.generic
// CHECK:         arith.extui
func.func @integers(%x: tensor<4x4xi32>, %f: tensor<4x4xi1>, %b: tensor<4x4xi8>) -> (tensor<4x4xi32>, tensor<4x4xi1>, tensor<4x4xi32>) {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %x : tensor<4x4xi32>, tensor<4x4xi32>) outs(%x : tensor<4x4xi32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %m = arith.muli %p, %q : i32
    %n = arith.addi %o, %m : i32
    linalg.yield %n : i32
  } -> tensor<4x4xi32>
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%f, %f : tensor<4x4xi1>, tensor<4x4xi1>) outs(%f : tensor<4x4xi1>) {
  ^bb0(%p: i1, %q: i1, %o: i1):
    %m = arith.muli %p, %q : i1
    %n = arith.addi %o, %m : i1
    linalg.yield %n : i1
  } -> tensor<4x4xi1>
  %2 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%b, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%x : tensor<4x4xi32>) {
  ^bb0(%p: i8, %q: i8, %o: i32):
    %r = arith.extui %p : i8 to i32
    %s = arith.extui %q : i8 to i32
    %m = arith.muli %r, %s : i32
    %n = arith.addi %o, %m : i32
    linalg.yield %n : i32
  } -> tensor<4x4xi32>
  return %0, %1, %2 : tensor<4x4xi32>, tensor<4x4xi1>, tensor<4x4xi32>
}
