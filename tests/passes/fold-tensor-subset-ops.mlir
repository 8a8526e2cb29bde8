// RUN: freehold opt %s --fold-tensor-subset-ops --split-input-file | FileCheck %s

// CHECK-DAG: #[[$ADD:.*]] = affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-DAG: #[[$PLUS4:.*]] = affine_map<()[s0] -> (s0 + 4)>
// CHECK-DAG: #[[$COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @read(
// CHECK-SAME:    %[[T:.*]]: tensor<?x?x?xf32>, %[[I:.*]]: index, %[[J:.*]]: index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[K:.*]] = affine.apply #[[$PLUS4]]()[%[[I]]]
// CHECK:         vector.transfer_read %[[T]][%[[C8]], %[[J]], %[[K]]], %{{.*}} {in_bounds = [true, true], permutation_map = #[[$COLUMNS]]} : tensor<?x?x?xf32>, vector<5x6xf32>
func.func @read(%t: tensor<?x?x?xf32>, %i: index, %j: index) -> vector<5x6xf32> {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %t[5, %j, %i] [%j, 1, 12] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x12xf32>
  %v = vector.transfer_read %s[%c3, %c4], %zero {in_bounds = [true, true]} : tensor<?x12xf32>, vector<5x6xf32>
  return %v : vector<5x6xf32>
}

// CHECK-LABEL: func.func @read_masked(
// CHECK-SAME:    %[[T:.*]]: tensor<?x?xf32>, %[[I:.*]]: index, %[[J:.*]]: index
// CHECK:         %[[K:.*]] = affine.apply #[[$ADD]]()[%[[I]], %[[J]]]
// CHECK:         vector.mask %{{.*}} { vector.transfer_read %[[T]][%[[K]], %{{.*}}]{{.*}} }
func.func @read_masked(%t: tensor<?x?xf32>, %i: index, %j: index, %mask: vector<4xi1>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %t[%i, 0] [%i, 8] [1, 1] : tensor<?x?xf32> to tensor<?x8xf32>
  %v = vector.mask %mask { vector.transfer_read %s[%j, %c0], %zero {in_bounds = [true]} : tensor<?x8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %v : vector<4xf32>
}

// Every second element, and what may be beyond the edge of the slice but is not beyond that of the tensor.
// CHECK-LABEL: func.func @not_read
// CHECK:         extract_slice
// CHECK:         extract_slice
func.func @not_read(%t: tensor<8x8xf32>, %i: index) -> (vector<4xf32>, vector<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = tensor.extract_slice %t[0, 0] [4, 4] [1, 2] : tensor<8x8xf32> to tensor<4x4xf32>
  %v = vector.transfer_read %a[%i, %i], %zero {in_bounds = [true]} : tensor<4x4xf32>, vector<4xf32>
  %b = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %w = vector.transfer_read %b[%i, %i], %zero : tensor<4x4xf32>, vector<4xf32>
  return %v, %w : vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @write(
// CHECK-SAME:    %[[T:.*]]: tensor<?x?x12xf32>, %[[V:.*]]: vector<5x6xf32>, %[[I:.*]]: index
// CHECK-NOT:     insert_slice
// CHECK:         vector.transfer_write %[[V]], %[[T]][%{{.*}}, %{{.*}}, %[[I]]] {in_bounds = [true, true], permutation_map = #[[$COLUMNS]]} : vector<5x6xf32>, tensor<?x?x12xf32>
func.func @write(%t: tensor<?x?x12xf32>, %v: vector<5x6xf32>, %i: index, %s: tensor<5x6xf32>) -> tensor<?x?x12xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<5x6xf32>, tensor<5x6xf32>
  %r = tensor.insert_slice %w into %t[4, 3, %i] [5, 1, 6] [1, 1, 1] : tensor<5x6xf32> into tensor<?x?x12xf32>
  return %r : tensor<?x?x12xf32>
}

// CHECK-LABEL: func.func @insert(
// CHECK-SAME:    %[[A:.*]]: tensor<f32>, %{{.*}}: tensor<1xf32>, %[[X:.*]]: tensor<1x14xf32>, %[[I:.*]]: index
// CHECK-NEXT:    %[[R:.*]] = tensor.insert_slice %[[A]] into %[[X]][0, %[[I]]] [1, 1] [1, 1] : tensor<f32> into tensor<1x14xf32>
// CHECK-NEXT:    return %[[R]]
func.func @insert(%a: tensor<f32>, %b: tensor<1xf32>, %x: tensor<1x14xf32>, %i: index) -> tensor<1x14xf32> {
  %s = tensor.insert_slice %a into %b[0] [1] [1] : tensor<f32> into tensor<1xf32>
  %r = tensor.insert_slice %s into %x[0, %i] [1, 1] [1, 1] : tensor<1xf32> into tensor<1x14xf32>
  return %r : tensor<1x14xf32>
}

// CHECK-LABEL: func.func @insert_part
// CHECK:         insert_slice
// CHECK:         insert_slice
func.func @insert_part(%a: tensor<4xf32>, %b: tensor<8xf32>, %x: tensor<16xf32>) -> tensor<16xf32> {
  %s = tensor.insert_slice %a into %b[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %r = tensor.insert_slice %s into %x[3] [8] [1] : tensor<8xf32> into tensor<16xf32>
  return %r : tensor<16xf32>
}

// CHECK-LABEL: func.func @insert_in_parallel(
// CHECK:         scf.forall (%[[I:.*]]) in (4) shared_outs(%[[O:.*]] = %{{.*}})
// CHECK:           tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[I]], 1] [1, 3] [1, 1] : tensor<3xf32> into tensor<4x8xf32>
func.func @insert_in_parallel(%a: tensor<3xf32>, %b: tensor<1x3xf32>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %x) -> tensor<4x8xf32> {
    %s = tensor.insert_slice %a into %b[0, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<1x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 1] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<4x8xf32>
    }
  }
  return %r : tensor<4x8xf32>
}
