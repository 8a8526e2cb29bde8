// A reduction that a block computes twice is computed once, also where it is one of elementwise operations that are
// there twice; these stay. Other operands, other bodies and other blocks make others.
//
// RUN: freehold opt --linalg-cse-reductions %s | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#m = affine_map<(d0, d1) -> (d0, d1)>
#v = affine_map<(d0, d1) -> (d1)>
#r = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @gradient(
// CHECK: %[[D:.*]] = linalg.generic {{.*}}["parallel"]}
// CHECK: %[[P:.*]] = linalg.generic {{.*}}["parallel", "reduction"]} ins(%{{.*}}, %[[D]] :
// CHECK: linalg.generic {{.*}}["parallel"]}
// CHECK-NOT: "reduction"
// CHECK: linalg.generic {{.*}}["parallel"]} ins(%[[P]], %[[P]] :
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]}
// CHECK: arith.subf
// CHECK: scf.for
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]}
func.func @gradient(%a: tensor<8x8xf32>, %x: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %d0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.negf %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %p0 = linalg.generic {indexing_maps = [#m, #v, #r], iterator_types = ["parallel", "reduction"]} ins(%a, %d0 : tensor<8x8xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.mulf %p, %q : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %d1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.negf %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p1 = linalg.generic {indexing_maps = [#m, #v, #r], iterator_types = ["parallel", "reduction"]} ins(%a, %d1 : tensor<8x8xf32>, tensor<8xf32>) outs(%f1 : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.mulf %p, %q : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %both = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%p0, %p1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %other = linalg.generic {indexing_maps = [#m, #v, #r], iterator_types = ["parallel", "reduction"]} ins(%a, %d1 : tensor<8x8xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.mulf %p, %q : f32
    %s = arith.subf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%y = %e) -> (tensor<8xf32>) {
    %p2 = linalg.generic {indexing_maps = [#m, #v, #r], iterator_types = ["parallel", "reduction"]} ins(%a, %d0 : tensor<8x8xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %t = arith.mulf %p, %q : f32
      %s = arith.addf %o, %t : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    scf.yield %p2 : tensor<8xf32>
  }
  return %both, %other, %last : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
