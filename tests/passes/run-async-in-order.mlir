// RUN: freehold opt %s --run-async-in-order --canonicalize | FileCheck %s
// RUN: freehold opt %s --run-async-in-order=threads=2 | FileCheck %s --check-prefix=THREADS

// A body runs where it stands; what it yields is its value.
// CHECK-LABEL: func.func @value(
// CHECK:         %[[X:.*]] = memref.load
// CHECK-NEXT:    return %[[X]]
// With threads, that goes through memory.
// THREADS-LABEL: func.func @value(
// THREADS:         %[[PLACE:.*]] = memref.alloca() : memref<f32>
// THREADS:         %[[T:.*]] = async.execute {
// THREADS:           memref.store %{{.*}}, %[[PLACE]][] : memref<f32>
// THREADS-NEXT:      async.yield
// THREADS:         async.await %[[T]] : !async.token
// THREADS-NEXT:    %[[X:.*]] = memref.load %[[PLACE]][] : memref<f32>
// THREADS-NEXT:    return %[[X]]
func.func @value(%m: memref<4xf32>, %i: index) -> f32 {
  %t, %v = async.execute -> !async.value<f32> {
    %x = memref.load %m[%i] : memref<4xf32>
    async.yield %x : f32
  }
  %y = async.await %v : !async.value<f32>
  return %y : f32
}

// Somebody has to own what is handed on: in order.
// CHECK-LABEL: func.func @buffer(
// CHECK:         memref.alloc
// CHECK-NEXT:    memref.load
// CHECK-NOT:     async
// THREADS-LABEL: func.func @buffer(
// THREADS-NOT:     async.execute
// THREADS:         return
func.func @buffer(%i: index) -> f32 {
  %t, %v = async.execute -> !async.value<memref<4xf32>> {
    %m = memref.alloc() : memref<4xf32>
    async.yield %m : memref<4xf32>
  }
  %m = async.await %v : !async.value<memref<4xf32>>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}

// Nobody waits: the block does.
// THREADS-LABEL: func.func @lost(
// THREADS:         %[[T:.*]] = async.execute
// THREADS:         async.await %[[T]]
// THREADS-NEXT:    return
func.func @lost(%m: memref<4xf32>, %i: index, %x: f32) {
  %t = async.execute {
    memref.store %x, %m[%i] : memref<4xf32>
    async.yield
  }
  return
}

// A token goes round a loop: it was waited for before.
// THREADS-LABEL: func.func @carried(
// THREADS:         scf.for {{.*}} -> (i1) {
// THREADS:           %[[T:.*]] = async.execute {
// THREADS:           async.await %[[T]]
// THREADS:           scf.yield %{{.*}} : i1
// THREADS:         return %{{.*}} : i1
func.func @carried(%m: memref<4xf32>, %n: index, %x: f32, %start: !async.token) -> !async.token {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> !async.token {
    %u = async.execute [%t] {
      memref.store %x, %m[%i] : memref<4xf32>
      async.yield
    }
    scf.yield %u : !async.token
  }
  return %r : !async.token
}

// A group is waited for where it is made.
// CHECK-LABEL: func.func @group(
// CHECK:         cf.assert %{{.*}}, "async.add_to_group: more is added to the group than its size says"
// CHECK:         cf.assert %{{.*}}, "async.await_all: less is added to the group than its size says"
// THREADS-LABEL: func.func @group(
// THREADS:         scf.for
// THREADS-NOT:       async.await %
// THREADS:         async.await_all
func.func @group(%m: memref<4xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %u = async.execute {
      memref.store %x, %m[%i] : memref<4xf32>
      async.yield
    }
    %rank = async.add_to_group %u, %g : !async.token
  }
  async.await_all %g
  return
}

// But a buffer of the iteration would be gone by then.
// THREADS-LABEL: func.func @own_buffer(
// THREADS:         %[[T:.*]] = async.execute
// THREADS:         async.add_to_group %[[T]]
// THREADS-NEXT:    async.await %[[T]]
func.func @own_buffer(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc() : memref<4xf32>
    %u = async.execute {
      memref.store %x, %m[%c0] : memref<4xf32>
      async.yield
    }
    %rank = async.add_to_group %u, %g : !async.token
  }
  async.await_all %g
  return
}
