// Every operation in custom form, and the same after a detour through the
// generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @elements
// CHECK-SAME:  (%[[T:.*]]: tensor<?x4xf32>, %[[U:.*]]: tensor<*xf32>, %[[X:.*]]: f32, %[[N:.*]]: index)
func.func @elements(%t: tensor<?x4xf32>, %u: tensor<*xf32>, %x: f32, %n: index) {
  // CHECK-NEXT: tensor.empty(%[[N]]) {note} : tensor<?x4xf32>
  %0 = tensor.empty(%n) {note} : tensor<?x4xf32>
  // CHECK-NEXT: %dim = tensor.dim {note} %[[T]], %[[N]] : tensor<?x4xf32>
  %1 = tensor.dim {note} %t, %n : tensor<?x4xf32>
  // CHECK-NEXT: %rank = tensor.rank %[[U]] : tensor<*xf32>
  %2 = tensor.rank %u : tensor<*xf32>
  // CHECK-NEXT: %extracted = tensor.extract %[[T]][%[[N]], %[[N]]] : tensor<?x4xf32>
  %3 = tensor.extract %t[%n, %n] : tensor<?x4xf32>
  // CHECK-NEXT: %inserted = tensor.insert %[[X]] into %[[T]][%[[N]], %[[N]]] : tensor<?x4xf32>
  %4 = tensor.insert %x into %t[%n, %n] : tensor<?x4xf32>
  // CHECK-NEXT: %from_elements = tensor.from_elements %[[X]], %[[X]] : tensor<2xf32>
  %5 = tensor.from_elements %x, %x : tensor<2xf32>
  // CHECK-NEXT: %splat = tensor.splat %[[X]][%[[N]]] : tensor<?x4xf32>
  %6 = tensor.splat %x[%n] : tensor<?x4xf32>
  // CHECK-NEXT: tensor.splat %[[X]] : tensor<4xf32>
  %7 = tensor.splat %x : tensor<4xf32>
  // CHECK-NEXT: %generated = tensor.generate %[[N]] {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index):
  // CHECK-NEXT:   tensor.yield %[[X]] : f32
  // CHECK-NEXT: } {note} : tensor<?x4xf32>
  %8 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } {note} : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @slices
// CHECK-SAME:  (%[[T:.*]]: tensor<?x4xf32>, %[[X:.*]]: f32, %[[N:.*]]: index)
func.func @slices(%t: tensor<?x4xf32>, %x: f32, %n: index) {
  // CHECK-NEXT: %[[S:extracted_slice]] = tensor.extract_slice %[[T]][%[[N]], 0] [1, %[[N]]] [1, 2] : tensor<?x4xf32> to tensor<1x?xf32>
  %0 = tensor.extract_slice %t[%n, 0] [1, %n] [1, 2] : tensor<?x4xf32> to tensor<1x?xf32>
  // CHECK-NEXT: %inserted_slice = tensor.insert_slice %[[S]] into %[[T]][%[[N]], 0] [1, %[[N]]] [1, 2] {note} : tensor<1x?xf32> into tensor<?x4xf32>
  %1 = tensor.insert_slice %0 into %t[%n, 0] [1, %n] [1, 2] {note} : tensor<1x?xf32> into tensor<?x4xf32>
  // CHECK-NEXT: %padded = tensor.pad %[[T]] nofold low[1, %[[N]]] high[%[[N]], 0] {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index):
  // CHECK-NEXT:   tensor.yield %[[X]] : f32
  // CHECK-NEXT: } : tensor<?x4xf32> to tensor<?x?xf32>
  %2 = tensor.pad %t nofold low[1, %n] high[%n, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @parallel
func.func @parallel(%t: tensor<8xf32>, %x: tensor<1xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> tensor<8xf32> {
    scf.forall.in_parallel {
      // CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%{{.*}}] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @shapes
// CHECK-SAME:  (%[[T:.*]]: tensor<?x4xf32>, %[[S:.*]]: tensor<2xindex>, %[[N:.*]]: index)
func.func @shapes(%t: tensor<?x4xf32>, %s: tensor<2xindex>, %n: index) {
  // CHECK-NEXT: %cast = tensor.cast %[[T]] : tensor<?x4xf32> to tensor<4x4xf32>
  %0 = tensor.cast %t : tensor<?x4xf32> to tensor<4x4xf32>
  // CHECK-NEXT: tensor.bitcast %[[T]] : tensor<?x4xf32> to tensor<?x4xi32>
  %1 = tensor.bitcast %t : tensor<?x4xf32> to tensor<?x4xi32>
  // CHECK-NEXT: %collapsed = tensor.collapse_shape %[[T]] {{\[\[}}0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %2 = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  // CHECK-NEXT: %expanded = tensor.expand_shape %[[T]] {{\[\[}}0, 1], [2, 3]] output_shape [%[[N]], 2, 2, 2] : tensor<?x4xf32> into tensor<?x2x2x2xf32>
  %3 = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [%n, 2, 2, 2] : tensor<?x4xf32> into tensor<?x2x2x2xf32>
  // CHECK-NEXT: %reshape = tensor.reshape %[[T]](%[[S]]) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %4 = tensor.reshape %t(%s) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  // CHECK-NEXT: %concat = tensor.concat dim(0) %[[T]], %[[T]] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %5 = tensor.concat dim(0) %t, %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @packing
// CHECK-SAME:  (%[[A:.*]]: tensor<16x32xf32>, %[[B:.*]]: tensor<2x4x8x8xf32>, %[[C:.*]]: tensor<?x?xf32>, %[[D:.*]]: tensor<?x?x?x8xf32>, %[[N:.*]]: index, %[[X:.*]]: f32)
func.func @packing(%a: tensor<16x32xf32>, %b: tensor<2x4x8x8xf32>, %c: tensor<?x?xf32>, %d: tensor<?x?x?x8xf32>, %n: index, %x: f32) {
  // CHECK-NEXT: %pack = tensor.pack %[[A]] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %[[B]] {note} : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %b {note} : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  // CHECK-NEXT: tensor.pack %[[C]] padding_value(%[[X]] : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%[[N]], 8] into %[[D]] : tensor<?x?xf32> -> tensor<?x?x?x8xf32>
  %1 = tensor.pack %c padding_value(%x : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%n, 8] into %d : tensor<?x?xf32> -> tensor<?x?x?x8xf32>
  // CHECK-NEXT: %unpack = tensor.unpack %[[D]] outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%[[N]], 8] into %[[C]] : tensor<?x?x?x8xf32> -> tensor<?x?xf32>
  %2 = tensor.unpack %d outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%n, 8] into %c : tensor<?x?x?x8xf32> -> tensor<?x?xf32>
  // CHECK-NEXT: tensor.unpack %pack inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %[[A]] : tensor<2x4x8x8xf32> -> tensor<16x32xf32>
  %3 = tensor.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %a : tensor<2x4x8x8xf32> -> tensor<16x32xf32>
  return
}

// CHECK-LABEL: func.func @positions
// CHECK-SAME:  (%[[A:.*]]: tensor<16x32xf32>, %[[I:.*]]: tensor<3x1xindex>, %[[J:.*]]: tensor<2x3x2xi32>)
func.func @positions(%a: tensor<16x32xf32>, %i: tensor<3x1xindex>, %j: tensor<2x3x2xi32>) {
  // CHECK-NEXT: %gather = tensor.gather %[[A]][%[[I]]] gather_dims([1]) unique {note} : (tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<3x16xf32>
  %0 = tensor.gather %a[%i] gather_dims([1]) unique {note} : (tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<3x16xf32>
  // CHECK-NEXT: tensor.gather %[[A]][%[[J]]] gather_dims([0, 1]) : (tensor<16x32xf32>, tensor<2x3x2xi32>) -> tensor<2x3x1x1xf32>
  %1 = tensor.gather %a[%j] gather_dims([0, 1]) : (tensor<16x32xf32>, tensor<2x3x2xi32>) -> tensor<2x3x1x1xf32>
  // CHECK-NEXT: %scatter = tensor.scatter %gather into %[[A]][%[[I]]] scatter_dims([1]) unique : (tensor<3x16xf32>, tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<16x32xf32>
  %2 = tensor.scatter %0 into %a[%i] scatter_dims([1]) unique : (tensor<3x16xf32>, tensor<16x32xf32>, tensor<3x1xindex>) -> tensor<16x32xf32>
  return
}
