// RUN: freehold opt %s --async-func-to-async-runtime | FileCheck %s

// CHECK-LABEL: func.func @both(%{{.*}}: f32) -> (f32 {some.attr}) {
// CHECK-NEXT:    return %{{.*}} : f32
async.func @both(%x: f32) -> (!async.token, !async.value<f32> {some.attr}) {
  return %x : f32
}

// CHECK-LABEL: func.func private @token(i64)
async.func private @token(i64) -> !async.token

// What calls it is a body.
// CHECK-LABEL: func.func @calls
// CHECK:         %[[T:.*]], %[[V:.*]] = async.execute -> !async.value<f32> {
// CHECK-NEXT:      %[[R:.*]] = func.call @both
// CHECK-NEXT:      async.yield %[[R]] : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[U:.*]] = async.execute {
// CHECK-NEXT:      func.call @token
// CHECK-NEXT:      async.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    async.await %[[U]] : !async.token
// CHECK-NEXT:    async.await %[[V]] : !async.value<f32>
func.func @calls(%x: f32, %n: i64) -> f32 {
  %0:2 = async.call @both(%x) : (f32) -> (!async.token, !async.value<f32>)
  %1 = async.call @token(%n) : (i64) -> !async.token
  async.await %1 : !async.token
  %2 = async.await %0#1 : !async.value<f32>
  return %2 : f32
}

// A call that nothing runs.
// CHECK: async.execute {
// CHECK-NEXT: func.call @token
async.call @token(%n) : (i64) -> !async.token
%n = arith.constant 1 : i64
