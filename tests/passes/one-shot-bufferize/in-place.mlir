// Which writes are done in place.

// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// An argument belongs to the caller.
// CHECK-LABEL: func.func @argument(
// CHECK-SAME:    %[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    memref.copy %[[T]], %[[A]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[A]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[A]]
// CHECK-NEXT:    return %[[A]] : memref<4xf32>
func.func @argument(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @writable(
// CHECK-SAME:    %[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>, %
// CHECK-NEXT:    memref.store %{{.*}}, %[[T]]
// CHECK-NEXT:    %[[E:.*]] = memref.load %[[T]]
// CHECK-NEXT:    return %[[E]]
func.func @writable(%t: tensor<4xf32> {bufferization.writable = true}, %x: f32, %i: index) -> f32 {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %e = tensor.extract %0[%i] : tensor<4xf32>
  return %e : f32
}

// Of several writes to one tensor, the last is in place.
// CHECK-LABEL: func.func @twice(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[A]]
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK:         memref.copy %[[A]], %[[B]]
// CHECK:         memref.store %{{.*}}, %[[B]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[A]]
// CHECK-NEXT:    return %[[B]], %[[A]]
func.func @twice(%x: f32, %i: index, %j: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %t = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = tensor.insert %x into %t[%j] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The contents of an empty tensor, and of one that is overwritten, need no copy.
// CHECK-LABEL: func.func @no_contents(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @no_contents(%x: f32, %y: f32, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.fill ins(%y : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// Elements that are read right before they are overwritten.
// CHECK-LABEL: func.func @elementwise(
// CHECK:         linalg.add ins(%[[A:.*]], %[[A]] : {{.*}}) outs(%[[A]] :
func.func @elementwise(%x: f32) -> tensor<4xf32> {
  %t = tensor.splat %x : tensor<4xf32>
  %0 = linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A product reads them again.
// CHECK-LABEL: func.func @matmul(
// CHECK:         memref.copy %[[A:.*]], %[[B:.*]] :
// CHECK:         linalg.matmul ins(%[[A]], %[[A]] : {{.*}}) outs(%[[B]] :
func.func @matmul(%x: f32) -> tensor<4x4xf32> {
  %t = tensor.splat %x : tensor<4x4xf32>
  %0 = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// A loop gets what it carries once, and writes it in place.
// CHECK-LABEL: func.func @loop(
// CHECK:         memref.copy
// CHECK:         scf.for
// CHECK-SAME:      iter_args(%[[A:.*]] = %{{.*}}) -> (memref<4xf32>) {
// CHECK-NEXT:      memref.store %{{.*}}, %[[A]]
// CHECK-NEXT:      scf.yield %[[A]]
func.func @loop(%t: tensor<4xf32>, %x: f32, %l: index, %u: index, %s: index) -> tensor<4xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> (tensor<4xf32>) {
    %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Writes in branches that exclude each other.
// CHECK-LABEL: func.func @branches(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @branches(%c: i1, %x: f32, %i: index) -> tensor<4xf32> {
  %t = tensor.splat %x : tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @edges(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @edges(%c: i1, %x: f32, %i: index) -> tensor<4xf32> {
  %t = tensor.splat %x : tensor<4xf32>
  cf.cond_br %c, ^write(%t : tensor<4xf32>), ^done(%t : tensor<4xf32>)
^write(%a: tensor<4xf32>):
  %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
  cf.br ^done(%0 : tensor<4xf32>)
^done(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// Iterations write their parts where they belong.
// CHECK-LABEL: func.func @forall(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         scf.forall (%[[I:.*]]) in (4) {
// CHECK:           %[[PART:.*]] = memref.subview %[[A]][%[[I]]] [1] [1]
// CHECK:           memref.copy %{{.*}}, %[[PART]]
// CHECK:         }
// CHECK:         return %[[A]]
func.func @forall(%t: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}

// What comes from memory is written in place only if it may be.
// CHECK-LABEL: func.func @memory(
// CHECK-SAME:    %[[M:[^:]*]]: memref<4xf32>, %[[N:[^:]*]]: memref<4xf32>
// CHECK:         memref.store %{{.*}}, %[[M]]
// CHECK:         memref.copy %[[N]], %[[C:.*]] :
// CHECK:         memref.store %{{.*}}, %[[C]]
// CHECK:         memref.copy %[[C]], %[[N]]
func.func @memory(%m: memref<4xf32>, %n: memref<4xf32>, %x: f32, %i: index) {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32>
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %u = bufferization.to_tensor %n restrict : memref<4xf32>
  %1 = tensor.insert %x into %u[%i] : tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %n : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Memory that the program may change gets the tensor for itself.
// CHECK-LABEL: func.func @to_memref(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK:         memref.copy %[[A]], %[[B]]
// CHECK:         memref.store %{{.*}}, %[[B]]
// CHECK:         memref.load %[[A]]
func.func @to_memref(%x: f32, %y: f32, %i: index) -> f32 {
  %t = tensor.splat %x : tensor<4xf32>
  %m = bufferization.to_memref %t : memref<4xf32>
  memref.store %y, %m[%i] : memref<4xf32>
  %e = tensor.extract %t[%i] : tensor<4xf32>
  return %e : f32
}

// Memory that is only lent stays as it is, whatever is done to the memory that its tensor becomes.
// CHECK-LABEL: func.func @lent(
// CHECK-SAME:    %[[M:[^:]*]]: memref<4xf32>
// CHECK:         %[[C:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[M]], %[[C]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[C]]
// CHECK-NEXT:    memref.load %[[M]]
func.func @lent(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32>
  %own = bufferization.to_memref %t : memref<4xf32>
  memref.store %x, %own[%i] : memref<4xf32>
  %e = tensor.extract %t[%i] : tensor<4xf32>
  return %e : f32
}

// Memory that is only read needs no copy.
// CHECK-LABEL: func.func @lent_again(
// CHECK-SAME:    %[[M:[^:]*]]: memref<4xf32>
// CHECK-NEXT:    memref.load %[[M]]
func.func @lent_again(%m: memref<4xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32>
  %same = bufferization.to_memref %t read_only : memref<4xf32>
  %e = memref.load %same[%i] : memref<4xf32>
  return %e : f32
}
