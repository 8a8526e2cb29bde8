// A sum over what a loop does not change is computed before it, and a factor of a product in the loop; what depends on
// the loop stays, and what would be larger than what it is computed from.
//
// RUN: freehold opt --linalg-hoist-invariants %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @k_means(
// CHECK-SAME: %[[POINTS:.*]]: tensor<64x4xf32>,
// CHECK: %[[SQUARES:.*]] = linalg.generic {{.*}} ins(%[[POINTS]], %[[POINTS]]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[SQUARES]]
// CHECK: %[[TWICE:.*]] = linalg.generic {{.*}} ins(%[[POINTS]] :
// CHECK: arith.addf
// CHECK: scf.for
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%[[TWICE]], %{{.*}} :
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] :
// CHECK: linalg.generic {{.*}}"reduction"]}
// CHECK: scf.yield
func.func @k_means(%points: tensor<64x4xf32>, %x0: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> (tensor<4x4xf32>) {
    %zero = arith.constant 0.0 : f32
    %e0 = tensor.empty() : tensor<64x4xf32>
    %squares = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%points, %points : tensor<64x4xf32>, tensor<64x4xf32>) outs(%e0 : tensor<64x4xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.mulf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<64x4xf32>
    %e1 = tensor.empty() : tensor<64xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%squares : tensor<64x4xf32>) outs(%f1 : tensor<64xf32>) {
    ^bb0(%p: f32, %o: f32):
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<64xf32>
    %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%points : tensor<64x4xf32>) outs(%e0 : tensor<64x4xf32>) {
    ^bb0(%p: f32, %o: f32):
      %s = arith.addf %p, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x4xf32>
    %f2 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x4xf32>) -> tensor<64x4xf32>
    %product = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%twice, %x : tensor<64x4xf32>, tensor<4x4xf32>) outs(%f2 : tensor<64x4xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<64x4xf32>
    %distance = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<64xf32>) outs(%product : tensor<64x4xf32>) {
    ^bb0(%p: f32, %o: f32):
      %s = arith.subf %p, %o : f32
      linalg.yield %s : f32
    } -> tensor<64x4xf32>
    %e3 = tensor.empty() : tensor<4x4xf32>
    %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %next = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%distance, %distance : tensor<64x4xf32>, tensor<64x4xf32>) outs(%f3 : tensor<4x4xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    scf.yield %next : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// An integer division has no result where the divisor is zero, which the loop may have been there to avoid; a table of
// all products is larger than its factors; bytes that become floats are too.
// CHECK-LABEL: func.func @stay(
// CHECK-NOT: linalg.generic
// CHECK: scf.for
// CHECK: arith.divsi
// CHECK: arith.mulf
// CHECK: arith.sitofp
func.func @stay(%a: tensor<16x4xi32>, %v: tensor<64x1xf32>, %w: tensor<1x64xf32>, %q: tensor<4x4xi8>, %n: index) -> (i32, tensor<64x64xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i32
  %init = tensor.empty() : tensor<64x64xf32>
  %y0 = tensor.empty() : tensor<4x4xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one, %t = %init, %y = %y0) -> (i32, tensor<64x64xf32>, tensor<4x4xf32>) {
    %e1 = tensor.empty() : tensor<16xi32>
    %f1 = linalg.fill ins(%one : i32) outs(%e1 : tensor<16xi32>) -> tensor<16xi32>
    %d = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<16x4xi32>) outs(%f1 : tensor<16xi32>) {
    ^bb0(%p: i32, %o: i32):
      %s = arith.divsi %o, %p : i32
      linalg.yield %s : i32
    } -> tensor<16xi32>
    %e2 = tensor.empty() : tensor<64x64xf32>
    %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %all = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v, %w : tensor<64x1xf32>, tensor<1x64xf32>) outs(%f2 : tensor<64x64xf32>) {
    ^bb0(%p: f32, %u: f32, %o: f32):
      %m = arith.mulf %p, %u : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    %e3 = tensor.empty() : tensor<4x4xf32>
    %f3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<4x4xi8>) outs(%e3 : tensor<4x4xf32>) {
    ^bb0(%p: i8, %o: f32):
      %s = arith.sitofp %p : i8 to f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %e4 = tensor.empty() : tensor<4x4xf32>
    %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %p4 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%f3, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f4 : tensor<4x4xf32>) {
    ^bb0(%p: f32, %u: f32, %o: f32):
      %m = arith.mulf %p, %u : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %first = tensor.extract %d[%c0] : tensor<16xi32>
    scf.yield %first, %all, %p4 : i32, tensor<64x64xf32>, tensor<4x4xf32>
  }
  return %r#0, %r#1, %r#2 : i32, tensor<64x64xf32>, tensor<4x4xf32>
}

// A size that is known when the program runs may not fit: then nothing is read where the loop does not run.
// CHECK-LABEL: func.func @unknown_size
// CHECK:         scf.for
// CHECK:           linalg.generic
// CHECK:           tensor.insert
func.func @unknown_size(%t: tensor<?xf32>, %u: tensor<8x4xf32>, %n: index, %x0: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%t, %u : tensor<?xf32>, tensor<8x4xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %p = arith.addf %m, %o : f32
      linalg.yield %p : f32
    } -> tensor<8xf32>
    %v = tensor.extract %s[%c1] : tensor<8xf32>
    %y = tensor.insert %v into %x[%i] : tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
