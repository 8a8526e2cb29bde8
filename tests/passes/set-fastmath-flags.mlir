// RUN: freehold opt %s --set-fastmath-flags | FileCheck %s
// RUN: freehold opt %s --set-fastmath-flags=fp=contract | FileCheck %s --check-prefix=CONTRACT
// RUN: freehold opt %s --set-fastmath-flags=fp=strict | FileCheck %s --check-prefix=STRICT
// RUN: freehold opt %s --set-fastmath-flags --vectorize-loops | FileCheck %s --check-prefix=VECTOR
// RUN: freehold opt %s --vectorize-loops | FileCheck %s --check-prefix=ORDER

// Operations keep the flags that they have; those on integers have none.
// CHECK-LABEL: func.func @ops
// CHECK-NEXT:    arith.mulf %{{.*}}, %{{.*}} fastmath<reassoc,nnan,contract> : f32
// CHECK-NEXT:    math.exp %{{.*}} fastmath<reassoc,contract> : f32
// CHECK-NEXT:    arith.addi %{{.*}}, %{{.*}} : i32
// CONTRACT-LABEL: func.func @ops
// CONTRACT-NEXT:    arith.mulf %{{.*}}, %{{.*}} fastmath<nnan,contract> : f32
// CONTRACT-NEXT:    math.exp %{{.*}} fastmath<contract> : f32
// STRICT-LABEL: func.func @ops
// STRICT-NEXT:    arith.mulf %{{.*}}, %{{.*}} fastmath<nnan> : f32
// STRICT-NEXT:    math.exp %{{.*}} : f32
func.func @ops(%x: f32, %i: i32) -> (f32, i32) {
  %y = arith.mulf %x, %x fastmath<nnan> : f32
  %z = math.exp %y : f32
  %j = arith.addi %i, %i : i32
  return %z, %j : f32, i32
}

// Sums that may be regrouped are made in lanes, from -0.0 on, which changes nothing.
// VECTOR-LABEL: func.func @sum
// VECTOR:         arith.constant -0.000000e+00 : f32
// VECTOR:         vector.reduction <add>
// ORDER-LABEL: func.func @sum
// ORDER-NOT:     vector
// ORDER:         return
func.func @sum(%m: memref<1000xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<1000xf32>
    %next = arith.addf %s, %x : f32
    scf.yield %next : f32
  }
  return %sum : f32
}
