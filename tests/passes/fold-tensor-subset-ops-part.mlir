// What mlir-opt 19 forgets: a vector is written to a part of a slice, whose other elements are inserted as well.

// RUN: freehold opt %s --fold-tensor-subset-ops | FileCheck %s

// CHECK-LABEL: func.func @write_part
// CHECK:         insert_slice
func.func @write_part(%t: tensor<?x12xf32>, %v: vector<4xf32>, %s: tensor<8xf32>) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %r = tensor.insert_slice %w into %t[1, 2] [1, 8] [1, 1] : tensor<8xf32> into tensor<?x12xf32>
  return %r : tensor<?x12xf32>
}
