// Where a buffer in another layout, memory space or rank is wanted, it is cast if that
// forgets what is known of it, and copied otherwise.

// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=IDENTITY
// RUN: freehold opt %s --one-shot-bufferize | FileCheck %s --check-prefix=KEEP

func.func private @any(%t: tensor<4xf32> {bufferization.access = "read"})

// CHECK-LABEL: func.func @slice_as_argument(
// CHECK:         %[[S:.*]] = memref.subview
// CHECK-NEXT:    %[[C:.*]] = memref.cast %[[S]] : memref<4xf32, strided<[2], offset: 1>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    call @any(%[[C]])
// IDENTITY-LABEL: func.func @slice_as_argument(
// IDENTITY:         %[[S:.*]] = memref.subview
// IDENTITY-NEXT:    %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// IDENTITY-NEXT:    memref.copy %[[S]], %[[A]]
// IDENTITY-NEXT:    call @any(%[[A]])
func.func @slice_as_argument(%x: f32) {
  %t = tensor.splat %x : tensor<9xf32>
  %s = tensor.extract_slice %t[1] [4] [2] : tensor<9xf32> to tensor<4xf32>
  call @any(%s) : (tensor<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @with_gaps(
// CHECK:         memref.reinterpret_cast {{.*}} to memref<4xf32, strided<[2], offset: 1>>
func.func @with_gaps(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_memref %t : memref<4xf32, strided<[2], offset: 1>>
  %v = memref.load %m[%i] : memref<4xf32, strided<[2], offset: 1>>
  return %v : f32
}

// CHECK-LABEL: func.func @elsewhere(
// CHECK:         %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1>
// CHECK-NEXT:    memref.copy %{{.*}}, %[[A]]
// CHECK-NEXT:    memref.load %[[A]]
func.func @elsewhere(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_memref %t : memref<4xf32, 1>
  %v = memref.load %m[%i] : memref<4xf32, 1>
  return %v : f32
}

// The dimensions of a scalar have strides of one.
// CHECK-LABEL: func.func @scalar_with_dimensions(
// CHECK:         memref.expand_shape %{{.*}} [] output_shape [1, 1] : memref<f32, strided<[], offset: ?>> into memref<1x1xf32, strided<[1, 1], offset: ?>>
func.func @scalar_with_dimensions(%t: tensor<f32>) -> tensor<1x1xf32> {
  %r = tensor.expand_shape %t [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// CHECK-LABEL: func.func @copy_before_cast(
// CHECK-SAME:    %[[T:.*]]: memref<?xf32, strided<[?], offset: ?>>) -> memref<*xf32> {
// CHECK:         %[[A:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    memref.copy %[[T]], %[[A]]
// CHECK-NEXT:    %[[U:.*]] = memref.cast %[[A]] : memref<?xf32> to memref<*xf32>
// CHECK-NEXT:    return %[[U]]
func.func @copy_before_cast(%t: tensor<?xf32>) -> tensor<*xf32> {
  %u = tensor.cast %t : tensor<?xf32> to tensor<*xf32>
  return %u : tensor<*xf32>
}

// Nobody knows the rank: the copy is made of as many elements as there are.
// CHECK-LABEL: func.func @copy_of_any_rank(
// CHECK-SAME:    %[[T:.*]]: memref<*xf32>) -> memref<*xf32> {
// CHECK:         %[[RANK:.*]] = memref.rank %[[T]]
// CHECK:         %[[SHAPE:.*]] = memref.alloca(%[[RANK]]) : memref<?xindex>
// CHECK:         %[[N:.*]] = scf.for
// CHECK:         %[[A:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK-NEXT:    %[[U:.*]] = memref.reshape %[[A]](%[[SHAPE]])
// CHECK-NEXT:    memref.copy %[[T]], %[[U]] : memref<*xf32> to memref<*xf32>
// CHECK-NEXT:    return %[[U]]
// KEEP-LABEL: func.func @copy_of_any_rank(
// KEEP:         return %{{.*}} : tensor<*xf32>
func.func @copy_of_any_rank(%t: tensor<*xf32>) -> tensor<*xf32> {
  return %t : tensor<*xf32>
}

// What a call returns is a buffer at once, and what is made of it one that was asked for.
// CHECK-LABEL: func.func @buffer_of_call(
// CHECK:         %[[R:.*]] = call @copy_of_any_rank
// CHECK-NEXT:    memref.rank %[[R]]
// KEEP-LABEL: func.func @buffer_of_call(
// KEEP:         %[[R:.*]] = call @copy_of_any_rank
// KEEP-NEXT:    bufferization.to_memref %[[R]] : memref<*xf32>
func.func @buffer_of_call(%t: tensor<*xf32>) -> index {
  %r = call @copy_of_any_rank(%t) : (tensor<*xf32>) -> tensor<*xf32>
  %m = bufferization.to_memref %r : memref<*xf32>
  %n = memref.rank %m : memref<*xf32>
  return %n : index
}

// A vector is gathered from a tensor, and written where a mask is set: in place, as the tensor is
// not read later, or into a copy that is made before.
// CHECK-LABEL: func.func @vectors(
// CHECK-SAME:    %[[T:[^:]*]]: memref<8xf32, strided<[?], offset: ?>>
// CHECK:         %[[V:.*]] = vector.gather %[[T]]
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[T]], %[[A]]
// CHECK-NEXT:    vector.mask %[[M:.*]] { vector.transfer_write %[[V]], %[[A]][%{{.*}}] : vector<4xf32>, memref<8xf32> } : vector<4xi1>
// CHECK-NEXT:    vector.mask %[[M]] { vector.transfer_write %[[V]], %[[A]][%{{.*}}] : vector<4xf32>, memref<8xf32> } : vector<4xi1>
// CHECK-NEXT:    return %[[A]]
func.func @vectors(%t: tensor<8xf32>, %i: index, %j: index, %at: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>) -> tensor<8xf32> {
  %v = vector.gather %t[%i][%at], %m, %p : tensor<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %r = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32> } : vector<4xi1> -> tensor<8xf32>
  %s = vector.mask %m { vector.transfer_write %v, %r[%j] : vector<4xf32>, tensor<8xf32> } : vector<4xi1> -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// Arithmetic on whole tensors.
// CHECK-LABEL: func.func @arithmetic(
// CHECK:         linalg.generic
// CHECK:           arith.index_cast {{.*}} : i32 to index
func.func @arithmetic(%t: tensor<4xi32>) -> tensor<4xindex> {
  %r = arith.index_cast %t : tensor<4xi32> to tensor<4xindex>
  return %r : tensor<4xindex>
}

// Dimensions of size 1 are left out first, where their strides are not those of the others.
// CHECK-LABEL: func.func @collapse_row(
// CHECK:         %[[S:.*]] = memref.subview %{{.*}}[1, 2] [1, 3] [1, 1] : memref<6x6xf32> to memref<1x3xf32, strided<[6, 1], offset: 8>>
// CHECK-NEXT:    %[[C:.*]] = memref.subview %[[S]][0, 0] [1, 3] [1, 1] : memref<1x3xf32, strided<[6, 1], offset: 8>> to memref<3xf32, strided<[1], offset: 8>>
// CHECK-NEXT:    memref.load %[[C]]
func.func @collapse_row(%x: f32, %i: index) -> f32 {
  %t = tensor.splat %x : tensor<6x6xf32>
  %s = tensor.extract_slice %t[1, 2] [1, 3] [1, 1] : tensor<6x6xf32> to tensor<1x3xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
  %e = tensor.extract %c[%i] : tensor<3xf32>
  return %e : f32
}

// What is left is collapsed if it lies together, and copied before if not.
// CHECK-LABEL: func.func @collapse_rest(
// CHECK:         memref.subview {{.*}} to memref<2x3xf32, strided<[3, 1], offset: 6>>
// CHECK-NEXT:    memref.collapse_shape {{.*}} {{\[}}[0, 1]] : memref<2x3xf32, strided<[3, 1], offset: 6>> into memref<6xf32, strided<[1], offset: 6>>
// CHECK:         memref.subview {{.*}} to memref<2x2xf32, strided<[3, 1], offset: 6>>
// CHECK:         memref.copy
// CHECK-NEXT:    memref.collapse_shape {{.*}} {{\[}}[0, 1]] : memref<2x2xf32> into memref<4xf32>
func.func @collapse_rest(%x: f32, %i: index) -> (f32, f32) {
  %t = tensor.splat %x : tensor<2x4x3xf32>
  %s = tensor.extract_slice %t[0, 2, 0] [1, 2, 3] [1, 1, 1] : tensor<2x4x3xf32> to tensor<1x2x3xf32>
  %c = tensor.collapse_shape %s [[0, 1, 2]] : tensor<1x2x3xf32> into tensor<6xf32>
  %e = tensor.extract %c[%i] : tensor<6xf32>
  %u = tensor.extract_slice %t[0, 2, 0] [1, 2, 2] [1, 1, 1] : tensor<2x4x3xf32> to tensor<1x2x2xf32>
  %d = tensor.collapse_shape %u [[0, 1, 2]] : tensor<1x2x2xf32> into tensor<4xf32>
  %f = tensor.extract %d[%i] : tensor<4xf32>
  return %e, %f : f32, f32
}
