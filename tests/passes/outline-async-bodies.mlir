// RUN: freehold opt %s --outline-async-bodies | FileCheck %s

// CHECK-LABEL: func.func @body(
// CHECK-SAME:  %[[M:.*]]: memref<4xf32>, %[[I:.*]]: index, %[[X:.*]]: f32)
// CHECK:         %[[A:.*]] = call @body_async_1(%[[X]], %[[M]], %[[I]]) : (f32, memref<4xf32>, index) -> i64
// CHECK-NEXT:    %[[B:.*]] = call @body_async_0(%[[A]], %[[M]], %[[I]]) : (i64, memref<4xf32>, index) -> i64
// CHECK-NEXT:    call @freehold_async_await(%[[B]]) : (i64) -> i64
// CHECK-NEXT:    return
func.func @body(%m: memref<4xf32>, %i: index, %x: f32) {
  %a = async.execute {
    memref.store %x, %m[%i] : memref<4xf32>
    async.yield
  }
  %b = async.execute [%a] {
    %y = memref.load %m[%i] : memref<4xf32>
    %z = arith.addf %y, %y : f32
    memref.store %z, %m[%i] : memref<4xf32>
    async.yield
  }
  async.await %b : !async.token
  return
}

// CHECK-LABEL: func.func @group(
// CHECK:         %[[MEMORY:.*]] = memref.alloca() : memref<4xi64>
// CHECK:         %[[G:.*]] = call @freehold_async_create_group(
// CHECK:         call @freehold_async_add_to_group(%{{.*}}, %[[G]]) : (i64, i64) -> i64
// CHECK:         call @freehold_async_await_all(%[[G]]) : (i64) -> i64
func.func @group(%n: index) {
  %g = async.create_group %n : !async.group
  %a = async.execute {
    async.yield
  }
  %r = async.add_to_group %a, %g : !async.token
  async.await_all %g
  return
}

// What it depends on comes first.
// CHECK-LABEL: func.func private @body_async_0(
// CHECK-SAME:  %[[T:.*]]: i64,
// CHECK-SAME:  -> i64 attributes {freehold.async} {
// CHECK:           func.call @freehold_async_await(%[[T]]) : (i64) -> i64
// CHECK-NEXT:      memref.load
// CHECK:         %[[DONE:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    return %[[DONE]] : i64

// CHECK:       func.func private @freehold_async_await(i64) -> i64
