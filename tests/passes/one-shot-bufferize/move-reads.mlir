// RUN: freehold opt %s --split-input-file --one-shot-bufferize="bufferize-function-boundaries=true move-reads=true" --canonicalize | FileCheck %s

// The element that is read later is read before the tensor is changed, with its subscript; the branch changes it in place.
// CHECK-LABEL: func.func @element
// CHECK:         %[[COPY:.*]] = memref.alloc
// CHECK:         memref.copy
// CHECK:         scf.for %[[I:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %arg2
// CHECK:           %[[J:.*]] = arith.remui %[[I]]
// CHECK-NEXT:      %[[OLD:.*]] = memref.load %[[COPY]][%[[J]]]
// CHECK:           scf.if
// CHECK-NOT:         memref.{{alloc|copy}}
// CHECK:             memref.store %arg2, %[[COPY]][%[[I]]]
// CHECK:           arith.addf %[[SUM]], %[[OLD]]
func.func @element(%x: tensor<8xf32>, %c: i1, %v: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %0:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %x, %sum = %v) -> (tensor<8xf32>, f32) {
    %1 = scf.if %c -> (tensor<8xf32>) {
      %2 = tensor.insert %v into %t[%i] : tensor<8xf32>
      scf.yield %2 : tensor<8xf32>
    } else {
      scf.yield %t : tensor<8xf32>
    }
    %j = arith.remui %i, %c3 : index
    %old = tensor.extract %t[%j] : tensor<8xf32>
    %next = arith.addf %sum, %old : f32
    scf.yield %1, %next : tensor<8xf32>, f32
  }
  return %0#0, %0#1 : tensor<8xf32>, f32
}

// -----

// What reads a slice goes with it. A result of the size of the tensor takes the place of the copy.
// CHECK-LABEL: func.func @slice
// CHECK:         %[[X:.*]] = memref.alloc
// CHECK-NEXT:    linalg.fill ins(%arg0 : f32) outs(%[[X]]
// CHECK-NEXT:    %[[PART:.*]] = memref.subview %[[X]]
// CHECK-NEXT:    %[[Y:.*]] = memref.alloc{{.*}} : memref<4xf32>
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[PART]] {{.*}} outs(%[[Y]]
// CHECK:         memref.store %arg0, %[[X]]
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         return %[[X]], %[[Y]]
#id = affine_map<(d0) -> (d0)>
func.func @slice(%v: f32, %i: index) -> (tensor<8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %new = tensor.insert %v into %x[%i] : tensor<8xf32>
  %part = tensor.extract_slice %x[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %out = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%part : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %new, %y : tensor<8xf32>, tensor<4xf32>
}

// -----

// What needs the new tensor stays behind it.
// CHECK-LABEL: func.func @needs_the_new_one
// CHECK:         %[[X:.*]] = memref.alloc
// CHECK:         memref.copy
// CHECK:         memref.store
// CHECK:         memref.load
// CHECK:         memref.load
func.func @needs_the_new_one(%v: f32, %i: index) -> (tensor<8xf32>, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %new = tensor.insert %v into %x[%i] : tensor<8xf32>
  %a = tensor.extract %new[%i] : tensor<8xf32>
  %j = arith.fptoui %a : f32 to i8
  %k = arith.index_castui %j : i8 to index
  %b = tensor.extract %x[%k] : tensor<8xf32>
  return %new, %b : tensor<8xf32>, f32
}

// -----

// Nothing goes before a check that may end the program, nor is more memory taken than the copy takes.
// CHECK-LABEL: func.func @behind_a_check
// CHECK:         memref.copy
// CHECK:         memref.store
// CHECK:         cf.assert
// CHECK:         memref.load
// CHECK-LABEL: func.func @large_result
// CHECK:         memref.copy
// CHECK:         memref.store
// CHECK:         memref.alloc{{.*}} : memref<8x8xf32>
func.func @behind_a_check(%v: f32, %i: index, %j: index, %ok: i1) -> (tensor<8xf32>, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %new = tensor.insert %v into %x[%i] : tensor<8xf32>
  cf.assert %ok, "no such element"
  %b = tensor.extract %x[%j] : tensor<8xf32>
  return %new, %b : tensor<8xf32>, f32
}

func.func @large_result(%v: f32, %i: index) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %new = tensor.insert %v into %x[%i] : tensor<8xf32>
  %out = tensor.empty() : tensor<8x8xf32>
  %y = linalg.broadcast ins(%x : tensor<8xf32>) outs(%out : tensor<8x8xf32>) dimensions = [0]
  return %new, %y : tensor<8xf32>, tensor<8x8xf32>
}

// -----

// What would overwrite a tensor that is read in between stays where it is.
// CHECK-LABEL: func.func @overwrites
// CHECK:         memref.store %arg0, %[[COPY:.*]][%arg1]
// CHECK:         memref.load %[[Z:.*]][%arg1]
// CHECK:         linalg.generic {{.*}} outs(%[[Z]]
#id = affine_map<(d0) -> (d0)>
func.func @overwrites(%v: f32, %i: index) -> (tensor<8xf32>, f32, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%v : f32) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %new = tensor.insert %v into %x[%i] : tensor<8xf32>
  %between = tensor.extract %z[%i] : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %new, %between, %y : tensor<8xf32>, f32, tensor<8xf32>
}

// -----

// A row goes to another place of the same tensor: the row is copied, not all of them.
// CHECK-LABEL: func.func @row
// CHECK-SAME:    (%[[I:.*]]: index, %[[J:.*]]: index, %[[V:.*]]: f32)
// CHECK:         %[[X:.*]] = memref.alloc() {{.*}} : memref<100x8xf32>
// CHECK:         %[[ROW:.*]] = memref.alloc() {{.*}} : memref<1x8xf32>
// CHECK-NEXT:    memref.copy %{{.*}}, %[[ROW]]
// CHECK-NOT:     memref.alloc
// CHECK:         memref.copy %[[ROW]], %{{.*}}
// CHECK:         return %[[X]]
func.func @row(%i: index, %j: index, %v: f32) -> tensor<100x8xf32> {
  %e = tensor.empty() : tensor<100x8xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<100x8xf32>) -> tensor<100x8xf32>
  %row = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<100x8xf32> to tensor<1x8xf32>
  %y = tensor.insert_slice %row into %x[%j, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<100x8xf32>
  return %y : tensor<100x8xf32>
}

// -----

// Where the tensor is needed afterwards, it is copied, and the row that moves is not: the copy of one row is what is returned.
// CHECK-LABEL: func.func @row_of_kept
// CHECK:         memref.alloc() {{.*}} : memref<100x8xf32>
// CHECK-NOT:     memref<1x8xf32>{{$}}
// CHECK:         memref.alloc() {{.*}} : memref<100x8xf32>
// CHECK:         memref.alloc() {{.*}} : memref<1x8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @row_of_kept(%i: index, %j: index, %v: f32) -> (tensor<100x8xf32>, tensor<1x8xf32>) {
  %e = tensor.empty() : tensor<100x8xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<100x8xf32>) -> tensor<100x8xf32>
  %row = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<100x8xf32> to tensor<1x8xf32>
  %old = tensor.extract_slice %x[%j, 0] [1, 8] [1, 1] : tensor<100x8xf32> to tensor<1x8xf32>
  %y = tensor.insert_slice %row into %x[%j, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<100x8xf32>
  return %y, %old : tensor<100x8xf32>, tensor<1x8xf32>
}
