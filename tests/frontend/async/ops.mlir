// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s
// RUN: freehold opt %s --emit-bytecode -o %t.mlirbc
// RUN: freehold opt %t.mlirbc | FileCheck %s

// CHECK:       async.func @square(%{{.*}}: i64) -> (!async.token, !async.value<i64>) {
// CHECK-NEXT:    %[[Y:.*]] = arith.muli
// CHECK-NEXT:    return %[[Y]] : i64
async.func @square(%x: i64) -> (!async.token, !async.value<i64>) {
  %y = arith.muli %x, %x : i64
  return %y : i64
}

// CHECK:       async.func private @elsewhere(i64) -> !async.token
async.func private @elsewhere(i64) -> !async.token

// CHECK-LABEL: func.func @all
// CHECK-SAME:  (%[[N:.*]]: index, %[[X:.*]]: i64, %[[V:.*]]: !async.value<tensor<?x4xf32>>) -> !async.token
func.func @all(%n: index, %x: i64, %v: !async.value< tensor<?x4xf32> >) -> !async.token {
  // CHECK:         %[[T0:.*]] = async.execute {
  // CHECK-NEXT:      async.yield
  // CHECK-NEXT:    }
  %t0 = async.execute {
    async.yield
  }
  // CHECK:         %[[T1:.*]], %[[B:.*]]:2 = async.execute [%[[T0]]] -> (!async.value<i64>, !async.value<index>) attributes {note} {
  // CHECK-NEXT:      async.yield %[[X]], %[[N]] : i64, index
  %t1, %b:2 = async.execute [%t0] -> (!async.value<i64>, !async.value<index>) attributes {note} {
    async.yield %x, %n : i64, index
  }
  // CHECK:         %[[T2:.*]] = async.execute [%[[T0]], %[[T1]]] (%[[B]]#0 as %{{.*}}: !async.value<i64>, %[[B]]#1 as %{{.*}}: !async.value<index>) {
  %t2 = async.execute [%t0, %t1] (%b#0 as %p: !async.value<i64>, %b#1 as %q: !async.value<index>) {
    async.yield
  }
  // Empty lists are not printed.
  // CHECK:         async.execute {
  %t3 = async.execute [] () -> () { async.yield }
  // CHECK:         %{{.*}} = async.await %[[B]]#0 : !async.value<i64>
  %y = async.await %b#0 : !async.value<i64>
  // CHECK:         async.await %[[T2]] : !async.token
  async.await %t2 : !async.token
  // CHECK:         %[[G:.*]] = async.create_group %[[N]] : !async.group
  %g = async.create_group %n : !async.group
  // CHECK:         async.add_to_group %[[T2]], %[[G]] : !async.token
  %r = async.add_to_group %t2, %g : !async.token
  // CHECK:         async.add_to_group %[[B]]#0, %[[G]] : !async.value<i64>
  %s = async.add_to_group %b#0, %g : !async.value<i64>
  // CHECK:         async.await_all %[[G]]
  async.await_all %g
  // CHECK:         async.runtime.num_worker_threads : index
  %w = async.runtime.num_worker_threads : index
  // CHECK:         %{{.*}}:2 = async.call @square(%[[X]]) : (i64) -> (!async.token, !async.value<i64>)
  %c:2 = async.call @square(%x) : (i64) -> (!async.token, !async.value<i64>)
  return %t1 : !async.token
}
