// mlir-opt 19 and 22 read what is printed here and print the same.

// REQUIRES: mlir-opt-22
// RUN: mlir-opt-22 %s > %t.theirs
// RUN: freehold opt %s --mlir-version=22 > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-22 %s --mlir-print-op-generic > %t.theirs
// RUN: freehold opt %s --mlir-version=22 --mlir-print-op-generic > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: freehold opt %t.theirs --mlir-version=22 | mlir-opt-22 --mlir-print-op-generic > %t.ours
// RUN: diff -B %t.theirs %t.ours

async.func @af(%x: f32) -> (!async.token, !async.value<f32>) {
  return %x : f32
}
async.func private @decl(%x: f32) -> !async.token
async.func @only_value(%x: f32) -> !async.value<f32> attributes {a = 1 : i32} {
  return %x : f32
}
async.func @nothing() -> !async.token {
  return
}
func.func @f(%m: memref<4xf32>, %x: f32, %n: index, %tv: !async.value<tensor<?x4xf32>>) -> !async.token {
  %token = async.execute {
    memref.store %x, %m[%n] : memref<4xf32>
    async.yield
  }
  %t2, %v:2 = async.execute [%token] -> (!async.value<f32>, !async.value<i32>) {
    %c = arith.constant 1 : i32
    async.yield %x, %c : f32, i32
  }
  %t3, %v3 = async.execute [%token, %t2] (%v#0 as %a: !async.value<f32>, %v#1 as %b : !async.value<i32>) -> !async.value<f32> attributes {foo} {
    async.yield %a : f32
  }
  %t4 = async.execute (%v3 as %a: !async.value<f32>) {
    async.yield
  }
  %r = async.await %v3 : !async.value<f32>
  async.await %t4 : !async.token
  %g = async.create_group %n : !async.group
  %k = async.add_to_group %t4, %g : !async.token
  %k2 = async.add_to_group %v3, %g : !async.value<f32>
  async.await_all %g
  %w = async.runtime.num_worker_threads : index
  %q:2 = async.call @af(%x) : (f32) -> (!async.token, !async.value<f32>)
  async.call @nothing() : () -> !async.token
  return %t3 : !async.token
}
