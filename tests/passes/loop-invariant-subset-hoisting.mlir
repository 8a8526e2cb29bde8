// RUN: freehold opt %s --allow-unregistered-dialect --loop-invariant-subset-hoisting | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --loop-invariant-subset-hoisting --verify-each | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: func.func @two
// CHECK-DAG:     %[[A:.*]] = tensor.extract_slice %arg0[0] [5] [1]
// CHECK-DAG:     %[[B:.*]] = tensor.extract_slice %arg0[5] [4] [1]
// CHECK:         %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[T:.*]] = %arg0, %[[C:.*]] = %[[A]], %[[D:.*]] = %[[B]]) -> (tensor<9xf32>, tensor<5xf32>, tensor<4xf32>)
// CHECK-NEXT:      %[[X:.*]] = "test.foo"(%[[C]])
// CHECK-NEXT:      %[[Y:.*]] = "test.foo"(%[[D]])
// CHECK-NEXT:      scf.yield %[[T]], %[[X]], %[[Y]]
// CHECK:         %[[E:.*]] = tensor.insert_slice %[[R]]#2 into %[[R]]#0[5] [4] [1]
// CHECK-NEXT:    %[[F:.*]] = tensor.insert_slice %[[R]]#1 into %[[E]][0] [5] [1]
// CHECK-NEXT:    return %[[F]]
func.func @two(%a: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<9xf32> {
    %0 = tensor.extract_slice %t[0][5][1] : tensor<9xf32> to tensor<5xf32>
    %1 = "test.foo"(%0) : (tensor<5xf32>) -> tensor<5xf32>
    %2 = tensor.insert_slice %1 into %t[0][5][1] : tensor<5xf32> into tensor<9xf32>
    %3 = tensor.extract_slice %2[5][4][1] : tensor<9xf32> to tensor<4xf32>
    %4 = "test.foo"(%3) : (tensor<4xf32>) -> tensor<4xf32>
    %5 = tensor.insert_slice %4 into %2[5][4][1] : tensor<4xf32> into tensor<9xf32>
    scf.yield %5 : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// The loop runs, so the vector is there.
// CHECK-LABEL: func.func @vector
// CHECK:         %[[A:.*]] = vector.transfer_read %arg0
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[T:.*]] = %arg0, %[[C:.*]] = %[[A]]) -> (tensor<?xf32>, vector<4xf32>)
// CHECK-NEXT:      %[[X:.*]] = "test.foo"(%[[C]])
// CHECK-NEXT:      scf.yield %[[T]], %[[X]]
// CHECK:         vector.transfer_write %[[R]]#1, %[[R]]#0
func.func @vector(%a: tensor<?xf32>, %p: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %0 = vector.transfer_read %t[%c0], %p {in_bounds = [true]} : tensor<?xf32>, vector<4xf32>
    %1 = "test.foo"(%0) : (vector<4xf32>) -> vector<4xf32>
    %2 = vector.transfer_write %1, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Through two loops.
// CHECK-LABEL: func.func @nest
// CHECK:         %[[A:.*]] = tensor.extract_slice %arg0
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[T:.*]] = %arg0, %[[C:.*]] = %[[A]])
// CHECK:           %[[Q:.*]]:2 = scf.for {{.*}} iter_args(%[[U:.*]] = %[[T]], %[[D:.*]] = %[[C]])
// CHECK:             %[[X:.*]] = "test.foo"(%[[D]])
// CHECK:             scf.yield %[[U]], %[[X]]
// CHECK:           scf.yield %[[Q]]#0, %[[Q]]#1
// CHECK:         tensor.insert_slice %[[R]]#1 into %[[R]]#0
func.func @nest(%a: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<9xf32> {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%u = %t) -> tensor<9xf32> {
      %0 = tensor.extract_slice %u[0][5][1] : tensor<9xf32> to tensor<5xf32>
      %1 = "test.foo"(%0) : (tensor<5xf32>) -> tensor<5xf32>
      %2 = tensor.insert_slice %1 into %u[0][5][1] : tensor<5xf32> into tensor<9xf32>
      scf.yield %2 : tensor<9xf32>
    }
    scf.yield %q : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// Not: another part overlaps; the part moves; nobody knows that it is there in a loop that may not run; beyond the bounds.
// KEPT-LABEL: func.func @overlap
// KEPT:         scf.for
// KEPT:           tensor.insert_slice
// KEPT:         return
func.func @overlap(%a: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<9xf32> {
    %3 = tensor.extract_slice %t[2][5][1] : tensor<9xf32> to tensor<5xf32>
    "test.use"(%3) : (tensor<5xf32>) -> ()
    %0 = tensor.extract_slice %t[0][5][1] : tensor<9xf32> to tensor<5xf32>
    %1 = "test.foo"(%0) : (tensor<5xf32>) -> tensor<5xf32>
    %2 = tensor.insert_slice %1 into %t[0][5][1] : tensor<5xf32> into tensor<9xf32>
    scf.yield %2 : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// KEPT-LABEL: func.func @moves
// KEPT:         scf.for
// KEPT:           tensor.insert_slice
// KEPT:         return
func.func @moves(%a: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %a) -> tensor<9xf32> {
    %0 = tensor.extract_slice %t[%i][5][1] : tensor<9xf32> to tensor<5xf32>
    %1 = "test.foo"(%0) : (tensor<5xf32>) -> tensor<5xf32>
    %2 = tensor.insert_slice %1 into %t[%i][5][1] : tensor<5xf32> into tensor<9xf32>
    scf.yield %2 : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// KEPT-LABEL: func.func @maybe
// KEPT:         scf.for
// KEPT:           tensor.insert_slice
// KEPT:         return
func.func @maybe(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %0 = tensor.extract_slice %t[0][5][1] : tensor<?xf32> to tensor<5xf32>
    %1 = "test.foo"(%0) : (tensor<5xf32>) -> tensor<5xf32>
    %2 = tensor.insert_slice %1 into %t[0][5][1] : tensor<5xf32> into tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// KEPT-LABEL: func.func @beyond
// KEPT:         scf.for
// KEPT:           vector.transfer_write
// KEPT:         return
func.func @beyond(%a: tensor<?xf32>, %p: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %0 = vector.transfer_read %t[%c0], %p : tensor<?xf32>, vector<4xf32>
    %1 = "test.foo"(%0) : (vector<4xf32>) -> vector<4xf32>
    %2 = vector.transfer_write %1, %t[%c0] : vector<4xf32>, tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// The padding of a read, and constants, stay where they are computed, and so do parts that need them.
// CHECK-LABEL: func.func @inside(
// CHECK:         scf.for
// CHECK:           arith.sitofp
// CHECK-NEXT:      vector.transfer_read
// CHECK:           vector.transfer_write
// CHECK-NEXT:      scf.yield
func.func @inside(%a: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %a) -> (tensor<9xf32>) {
    %j = arith.index_cast %i : index to i32
    %pad = arith.sitofp %j : i32 to f32
    %v = vector.transfer_read %t[%c0], %pad {in_bounds = [true]} : tensor<9xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    %u = vector.transfer_write %w, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<9xf32>
    scf.yield %u : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// CHECK-LABEL: func.func @number_inside(
// CHECK:         scf.for
// CHECK:           arith.constant 2 : index
// CHECK-NEXT:      tensor.extract_slice
func.func @number_inside(%a: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %a) -> (tensor<9xf32>) {
    %two = arith.constant 2 : index
    %v = tensor.extract_slice %t[%two] [4] [1] : tensor<9xf32> to tensor<4xf32>
    %w = math.exp %v : tensor<4xf32>
    %u = tensor.insert_slice %w into %t[%two] [4] [1] : tensor<4xf32> into tensor<9xf32>
    scf.yield %u : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// Buffers are not carried in parts.
// CHECK-LABEL: func.func @buffer(
// CHECK:         scf.for
// CHECK-NEXT:      vector.transfer_read
// CHECK:           vector.transfer_write
func.func @buffer(%a: memref<9xf32>) -> memref<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %a) -> (memref<9xf32>) {
    %v = vector.transfer_read %t[%c0], %pad {in_bounds = [true]} : memref<9xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    vector.transfer_write %w, %t[%c0] {in_bounds = [true]} : vector<4xf32>, memref<9xf32>
    scf.yield %t : memref<9xf32>
  }
  return %r : memref<9xf32>
}
