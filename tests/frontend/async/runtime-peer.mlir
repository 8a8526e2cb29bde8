// MLIR 19 reads the operations of the runtime and of coroutines that are printed here, and prints the same.

// REQUIRES: mlir-opt-19
// RUN: mlir-opt-19 %s > %t.theirs
// RUN: freehold opt %s > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: mlir-opt-19 %s --mlir-print-op-generic > %t.theirs
// RUN: freehold opt %s --mlir-print-op-generic > %t.ours
// RUN: diff -B %t.theirs %t.ours
// RUN: freehold opt %t.theirs | mlir-opt-19 --mlir-print-op-generic > %t.ours
// RUN: diff -B %t.theirs %t.ours

func.func @create_token() -> !async.token {
  %0 = async.runtime.create : !async.token
  return %0 : !async.token
}
func.func @create_group() -> !async.group {
  %c = arith.constant 10 : index
  %0 = async.runtime.create_group %c : !async.group
  return %0 : !async.group
}
func.func @all(%t: !async.token, %v: !async.value<f32>, %g: !async.group, %h: !async.coro.handle, %x: f32) -> i1 {
  async.runtime.set_available %t : !async.token
  async.runtime.set_available %v : !async.value<f32>
  async.runtime.set_error %v : !async.value<f32>
  %0 = async.runtime.is_error %g : !async.group
  async.runtime.await %g {a = 1 : i32} : !async.group
  async.runtime.await_and_resume %v, %h : !async.value<f32>
  async.runtime.resume %h
  async.runtime.store %x, %v : <f32>
  %y = async.runtime.load %v : <f32>
  %z = async.runtime.load %v : !async.value<f32>
  async.runtime.store %z, %v {a = 1 : i32} : !async.value<f32>
  %r = async.runtime.add_to_group %t, %g : !async.token
  async.runtime.add_ref %t {count = 1 : i64} : !async.token
  async.runtime.drop_ref %g {count = 2 : i64} : !async.group
  return %0 : i1
}
func.func @coro() -> !async.token {
  %id = async.coro.id
  %h = async.coro.begin %id
  %s = async.coro.save %h
  async.coro.suspend %s, ^sus, ^res, ^clean
^res:
  cf.br ^clean
^clean:
  async.coro.free %id, %h
  cf.br ^sus
^sus:
  async.coro.end %h
  %0 = async.runtime.create : !async.token
  return %0 : !async.token
}
func.func @types(%a: !async.coro.id, %b: !async.coro.state) { return }
