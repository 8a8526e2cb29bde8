// RUN: freehold opt %s --canonicalize | FileCheck %s

// Nothing is added: there is nothing to wait for.
// CHECK-LABEL: func.func @empty
// CHECK-NEXT:    return
func.func @empty(%n: index) {
  %g = async.create_group %n : !async.group
  async.await_all %g
  return
}

// CHECK-LABEL: func.func @used
// CHECK:         async.create_group
// CHECK-NEXT:    async.add_to_group
// CHECK-NEXT:    async.await_all
func.func @used(%n: index, %t: !async.token) {
  %g = async.create_group %n : !async.group
  %r = async.add_to_group %t, %g : !async.token
  async.await_all %g
  return
}
