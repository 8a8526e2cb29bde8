// RUN: freehold opt %s --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --verify-each | FileCheck %s
// RUN: freehold opt %s --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=private-function-dynamic-ownership=true --verify-ownership=private-function-dynamic-ownership -o /dev/null
// RUN: freehold opt %s --buffer-deallocation-pipeline=private-function-dynamic-ownership=true --verify-each | freehold run - --dealloc=none --check

// Private functions return a flag per buffer instead of cloning what is not theirs. An
// attribute says so, and a second run leaves them alone.
// CHECK-LABEL: func.func private @same
// CHECK-SAME:      (%[[M:.*]]: memref<2xf32>) -> (memref<2xf32>, i1) attributes {freehold.dynamic_ownership}
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT:    return %[[M]], %[[FALSE]]
func.func private @same(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

// Flags come after all results.
// CHECK-LABEL: func.func private @either
// CHECK-SAME:      -> (memref<2xf32>, i32, i1)
// CHECK:         %[[R:.*]] = scf.if %[[C:.*]] -> (memref<2xf32>)
// CHECK:         return %[[R]], %{{.*}}, %[[C]] : memref<2xf32>, i32, i1
func.func private @either(%c: i1, %m: memref<2xf32>, %x: i32) -> (memref<2xf32>, i32) {
  %r = scf.if %c -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  return %r, %x : memref<2xf32>, i32
}

// Of results that are one buffer, the first is owned.
// CHECK-LABEL: func.func private @twice
// CHECK:         return %[[A:.*]], %[[A]], %[[T:.*]], %[[F:.*]] : memref<2xf32>, memref<2xf32>, i1, i1
func.func private @twice() -> (memref<2xf32>, memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  return %a, %a : memref<2xf32>, memref<2xf32>
}

// Somebody may call it who does not know: its type stays.
// CHECK-LABEL: func.func private @address_taken(
// CHECK-SAME:      -> memref<2xf32>
// CHECK:         bufferization.clone
func.func private @address_taken(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

// CHECK-LABEL: func.func @public
// CHECK-SAME:      -> memref<2xf32>
// CHECK:         bufferization.clone
func.func @public(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

// A program that frees a buffer itself gets other ones from calls: cloned, unless they
// belong to it.
// CHECK-LABEL: func.func @frees_itself
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    %[[S:.*]]:2 = call @same(%[[A]])
// CHECK-NEXT:    %[[R:.*]] = scf.if %[[S]]#1
// CHECK:           bufferization.clone %[[S]]#0
// CHECK:         memref.dealloc %[[A]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[R]]
// CHECK-NEXT:    bufferization.dealloc (%[[R]] : memref<2xf32>) if (%true)
func.func @frees_itself(%v: f32, %i: index) {
  %a = memref.alloc() : memref<2xf32>
  %s = call @same(%a) : (memref<2xf32>) -> memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  memref.store %v, %s[%i] : memref<2xf32>
  return
}

// What is passed stays until what comes back is not needed any more: it may be the same.
// CHECK-LABEL: func.func @main
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[S:.*]]:2 = call @same(%[[A]]) : (memref<2xf32>) -> (memref<2xf32>, i1)
// CHECK:         %[[E:.*]]:3 = call @either(%{{.*}}, %[[S]]#0, %{{.*}}) : (i1, memref<2xf32>, i32) -> (memref<2xf32>, i32, i1)
// CHECK:         memref.store %{{.*}}, %[[E]]#0
// CHECK-DAG:     bufferization.dealloc (%[[A]] : memref<2xf32>) if (%true)
// CHECK-DAG:     bufferization.dealloc (%[[S]]#0 : memref<2xf32>) if (%[[S]]#1)
// CHECK-DAG:     bufferization.dealloc (%[[E]]#0 : memref<2xf32>) if (%[[E]]#2)
// CHECK:         %[[T:.*]]:4 = call @twice()
// CHECK-DAG:     bufferization.dealloc (%[[T]]#0 : memref<2xf32>) if (%[[T]]#2)
// CHECK-DAG:     bufferization.dealloc (%[[T]]#1 : memref<2xf32>) if (%[[T]]#3)
func.func @main() {
  %c = arith.constant false
  %x = arith.constant 7 : i32
  %v = arith.constant 1.0 : f32
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  %s = call @same(%a) : (memref<2xf32>) -> memref<2xf32>
  %e:2 = call @either(%c, %s, %x) : (i1, memref<2xf32>, i32) -> (memref<2xf32>, i32)
  memref.store %v, %e#0[%i] : memref<2xf32>
  %t:2 = call @twice() : () -> (memref<2xf32>, memref<2xf32>)
  memref.store %v, %t#0[%i] : memref<2xf32>
  memref.store %v, %t#1[%i] : memref<2xf32>
  %f = func.constant @address_taken : (memref<2xf32>) -> memref<2xf32>
  %g = func.call_indirect %f(%t#1) : (memref<2xf32>) -> memref<2xf32>
  memref.store %v, %g[%i] : memref<2xf32>
  call @frees_itself(%v, %i) : (f32, index) -> ()
  return
}
