// RUN: freehold opt %s --split-input-file --simplify-tensor-loops --canonicalize | FileCheck %s

// What no iteration changes is not carried, so it need not be copied before the loop.
// CHECK-LABEL: func.func @invariant
// CHECK-SAME:    (%[[X:.*]]: tensor<64xf32>, %[[Y:.*]]: tensor<64xf32>, %[[N:.*]]: index)
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[Z:.*]] = %[[Y]]) -> (tensor<64xf32>)
// CHECK:           linalg.add ins(%[[X]], %[[Z]]
// CHECK:         return %[[X]], %[[R]]
func.func @invariant(%x: tensor<64xf32>, %y: tensor<64xf32>, %n: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<64xf32>, tensor<64xf32>) {
    %e = tensor.empty() : tensor<64xf32>
    %s = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %a, %s : tensor<64xf32>, tensor<64xf32>
  }
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}

// -----

// A round for each of two constants, which rotate. Elements of constants are known then.
// CHECK-LABEL: func.func @rounds
// CHECK-DAG:     %[[C13:.*]] = arith.constant 13 : i32
// CHECK-DAG:     %[[C17:.*]] = arith.constant 17 : i32
// CHECK:         %[[A:.*]] = linalg.generic
// CHECK:           arith.shli %{{.*}}, %[[C13]]
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]]
// CHECK:           arith.shli %{{.*}}, %[[C17]]
// CHECK:         %[[C:.*]] = linalg.generic {{.*}} ins(%[[B]]
// CHECK:           arith.shli %{{.*}}, %[[C13]]
// CHECK:         return %[[C]]
#id = affine_map<(d0) -> (d0)>
func.func @rounds(%x: tensor<1000xi32>) -> tensor<1000xi32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %c0 = arith.index_cast %zero : i32 to index
  %c3 = arith.index_cast %three : i32 to index
  %c1 = arith.constant 1 : index
  %p = arith.constant dense<[13, 15]> : tensor<2xi32>
  %q = arith.constant dense<[17, 19]> : tensor<2xi32>
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %s = %p, %t = %q) -> (tensor<1000xi32>, tensor<2xi32>, tensor<2xi32>) {
    %part = tensor.extract_slice %s[0] [1] [1] : tensor<2xi32> to tensor<1xi32>
    %one = tensor.collapse_shape %part [] : tensor<1xi32> into tensor<i32>
    %k = tensor.extract %one[] : tensor<i32>
    %e = tensor.empty() : tensor<1000xi32>
    %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<1000xi32>) outs(%e : tensor<1000xi32>) {
    ^bb0(%in: i32, %out: i32):
      %z = arith.shli %in, %k : i32
      linalg.yield %z : i32
    } -> tensor<1000xi32>
    scf.yield %y, %t, %s : tensor<1000xi32>, tensor<2xi32>, tensor<2xi32>
  }
  return %r#0 : tensor<1000xi32>
}

// -----

// Neighbours would have to be there as a whole, sums are no elementwise operations, and 100 iterations are too many.
// CHECK-LABEL: func.func @shifted
// CHECK:         scf.for
// CHECK-LABEL: func.func @sums
// CHECK:         scf.for
// CHECK-LABEL: func.func @many
// CHECK:         scf.for
#id = affine_map<(d0) -> (d0)>
#next = affine_map<(d0) -> (99 - d0)>
#row = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0)>
func.func @shifted(%x: tensor<100xf32>) -> tensor<100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (tensor<100xf32>) {
    %e = tensor.empty() : tensor<100xf32>
    %y = linalg.generic {indexing_maps = [#next, #id], iterator_types = ["parallel"]} ins(%a : tensor<100xf32>) outs(%e : tensor<100xf32>) {
    ^bb0(%in: f32, %out: f32):
      %z = arith.addf %in, %in : f32
      linalg.yield %z : f32
    } -> tensor<100xf32>
    scf.yield %y : tensor<100xf32>
  }
  return %r : tensor<100xf32>
}
func.func @sums(%x: tensor<100xf32>) -> tensor<100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (tensor<100xf32>) {
    %e = tensor.empty() : tensor<100xf32>
    %y = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<100xf32>) outs(%e : tensor<100xf32>) {
    ^bb0(%in: f32, %out: f32):
      %z = arith.addf %in, %out : f32
      linalg.yield %z : f32
    } -> tensor<100xf32>
    scf.yield %y : tensor<100xf32>
  }
  return %r : tensor<100xf32>
}
func.func @many(%x: tensor<100xf32>) -> tensor<100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%a = %x) -> (tensor<100xf32>) {
    %e = tensor.empty() : tensor<100xf32>
    %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<100xf32>) outs(%e : tensor<100xf32>) {
    ^bb0(%in: f32, %out: f32):
      %z = arith.addf %in, %in : f32
      linalg.yield %z : f32
    } -> tensor<100xf32>
    scf.yield %y : tensor<100xf32>
  }
  return %r : tensor<100xf32>
}

// -----

// The logarithm of what does not change is computed once, with the sum under it. What is cheap stays: it fuses.
// CHECK-LABEL: func.func @functions
// CHECK:         arith.addf
// CHECK:         %[[LOG:.*]] = linalg.generic
// CHECK:           math.log
// CHECK:         scf.for
// CHECK-NOT:       math.log
// CHECK:           tensor.empty
// CHECK:           arith.subf
// CHECK:           linalg.generic {{.*}} ins(%[[LOG]],
#id = affine_map<(d0) -> (d0)>
func.func @functions(%x: tensor<100xf32>, %p: tensor<100xf32>) -> tensor<100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%a = %x) -> (tensor<100xf32>) {
    %e = tensor.empty() : tensor<100xf32>
    %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<100xf32>) outs(%e : tensor<100xf32>) {
    ^bb0(%in: f32, %out: f32):
      %z = arith.addf %in, %in : f32
      linalg.yield %z : f32
    } -> tensor<100xf32>
    %log = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sum : tensor<100xf32>) outs(%e : tensor<100xf32>) {
    ^bb0(%in: f32, %out: f32):
      %z = math.log %in : f32
      linalg.yield %z : f32
    } -> tensor<100xf32>
    %cheap = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<100xf32>) outs(%e : tensor<100xf32>) {
    ^bb0(%in: f32, %out: f32):
      %z = arith.subf %in, %in : f32
      linalg.yield %z : f32
    } -> tensor<100xf32>
    %y = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%log, %cheap, %a : tensor<100xf32>, tensor<100xf32>, tensor<100xf32>) outs(%e : tensor<100xf32>) {
    ^bb0(%l: f32, %c: f32, %in: f32, %out: f32):
      %z = arith.addf %in, %l : f32
      %w = arith.addf %z, %c : f32
      linalg.yield %w : f32
    } -> tensor<100xf32>
    scf.yield %y : tensor<100xf32>
  }
  return %r : tensor<100xf32>
}

// -----

// What iterations store for nobody is not carried; what another result is made of is, and what is used.
// CHECK-LABEL: func.func @unused
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<4xi32>, tensor<100xi32>)
// CHECK-COUNT-2: tensor.insert
// CHECK-NOT:     tensor.insert
// CHECK:         return
func.func @unused(%x: tensor<100xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r:3 = scf.for %i = %c0 to %c100 step %c1 iter_args(%stack = %x, %state = %y, %read = %x) -> (tensor<100xi32>, tensor<4xi32>, tensor<100xi32>) {
    %a = tensor.extract %state[%c0] : tensor<4xi32>
    %pushed = tensor.insert %a into %stack[%i] : tensor<100xi32>
    %b = tensor.extract %read[%i] : tensor<100xi32>
    %sum = arith.addi %a, %b : i32
    %next = tensor.insert %sum into %state[%c1] : tensor<4xi32>
    %written = tensor.insert %sum into %read[%c1] : tensor<100xi32>
    scf.yield %pushed, %next, %written : tensor<100xi32>, tensor<4xi32>, tensor<100xi32>
  }
  return %r#1 : tensor<4xi32>
}

// -----

// Of equal constants, the one that is left stands in front of all that need it.
// CHECK-LABEL: func.func @equal_constants
// CHECK:         %[[C1:.*]] = arith.constant 1 : index
// CHECK:         tensor.extract_slice %{{.*}}[%[[C1]]]
// CHECK:         scf.for {{.*}} step %[[C1]] iter_args(%{{.*}} = %{{.*}}) -> (tensor<f32>)
func.func @equal_constants(%x: tensor<6xf32>) -> tensor<f32> {
  %one = arith.constant 1 : index
  %y = tensor.extract_slice %x[%one] [1] [1] : tensor<6xf32> to tensor<f32>
  %unused = tensor.insert_slice %y into %x[%one] [1] [1] : tensor<f32> into tensor<6xf32>
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %c20 step %c1 iter_args(%a = %y, %b = %unused) -> (tensor<f32>, tensor<6xf32>) {
    %z = tensor.extract %a[] : tensor<f32>
    %t = arith.addf %z, %z : f32
    %u = tensor.insert %t into %a[] : tensor<f32>
    scf.yield %u, %unused : tensor<f32>, tensor<6xf32>
  }
  return %r#0 : tensor<f32>
}

// -----

// Scalars that are computed with elements of a constant, as one random number is.
// CHECK-LABEL: func.func @scalars
// CHECK-NOT:     scf.for
// CHECK:         %[[X:.*]] = arith.shli %arg0, %c7_i32
// CHECK:         %[[Y:.*]] = arith.xori %[[X]], %arg0
// CHECK:         arith.shli %[[Y]], %c3_i32
// CHECK-NOT:     tensor.extract
// CHECK:         return
func.func @scalars(%v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = arith.constant dense<7> : tensor<4xi32>
  %b = arith.constant dense<3> : tensor<4xi32>
  %r:3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %v, %now = %a, %next = %b) -> (i32, tensor<4xi32>, tensor<4xi32>) {
    %n = tensor.extract %now[%c1] : tensor<4xi32>
    %y = arith.shli %x, %n : i32
    %z = arith.xori %y, %x : i32
    scf.yield %z, %next, %now : i32, tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : i32
}

// -----

// What iterations only exchange may be read anywhere, as keys of several random numbers are; what they compute may not.
// CHECK-LABEL: func.func @exchanged
// CHECK-NOT:     scf.for
// CHECK:         return
// CHECK-LABEL: func.func @computed
// CHECK:         scf.for
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
func.func @exchanged(%x: tensor<8x2xi32>, %k0: tensor<8x1xi32>, %k1: tensor<8x1xi32>) -> tensor<8x2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x2xi32>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%y = %x, %now = %k0, %next = %k1) -> (tensor<8x2xi32>, tensor<8x1xi32>, tensor<8x1xi32>) {
    %z = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %now : tensor<8x2xi32>, tensor<8x1xi32>) outs(%e : tensor<8x2xi32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %s = arith.addi %a, %b : i32
      linalg.yield %s : i32
    } -> tensor<8x2xi32>
    scf.yield %z, %next, %now : tensor<8x2xi32>, tensor<8x1xi32>, tensor<8x1xi32>
  }
  return %r#0 : tensor<8x2xi32>
}

func.func @computed(%x: tensor<8x2xi32>, %k: tensor<8x1xi32>) -> tensor<8x2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x2xi32>
  %f = tensor.empty() : tensor<8x1xi32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%y = %x, %now = %k) -> (tensor<8x2xi32>, tensor<8x1xi32>) {
    %z = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %now : tensor<8x2xi32>, tensor<8x1xi32>) outs(%e : tensor<8x2xi32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %s = arith.addi %a, %b : i32
      linalg.yield %s : i32
    } -> tensor<8x2xi32>
    %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%now : tensor<8x1xi32>) outs(%f : tensor<8x1xi32>) {
    ^bb0(%a: i32, %o: i32):
      %s = arith.muli %a, %a : i32
      linalg.yield %s : i32
    } -> tensor<8x1xi32>
    scf.yield %z, %n : tensor<8x2xi32>, tensor<8x1xi32>
  }
  return %r#0 : tensor<8x2xi32>
}
