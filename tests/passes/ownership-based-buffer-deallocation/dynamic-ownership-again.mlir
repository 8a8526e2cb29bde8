// RUN: freehold opt %s --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --buffer-deallocation-pipeline=private-function-dynamic-ownership=true --verify-each | FileCheck %s
// RUN: freehold opt %s --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --buffer-deallocation-pipeline=private-function-dynamic-ownership=true | freehold run - --dealloc=none --check | FileCheck %s --check-prefix=OUT

func.func private @printF32(f32)

// It is used as a value, so the first run leaves it as it is. That its address is
// called directly turns out after its caller was changed; so the second run does too.
// CHECK-LABEL: func.func private @used_as_a_value
// CHECK-SAME:      -> memref<2xf32> {
func.func private @used_as_a_value(%v: f32) -> memref<2xf32> {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%i] : memref<2xf32>
  return %a : memref<2xf32>
}

// CHECK-LABEL: func.func private @caller
// CHECK-SAME:      -> (memref<2xf32>, i1)
// CHECK:         %{{.*}} = call @used_as_a_value(%{{.*}}) : (f32) -> memref<2xf32>
func.func private @caller(%v: f32, %m: memref<2xf32>, %c: i1) -> memref<2xf32> {
  %callee = func.constant @used_as_a_value : (f32) -> memref<2xf32>
  %b = func.call_indirect %callee(%v) : (f32) -> memref<2xf32>
  %r = arith.select %c, %b, %m : memref<2xf32>
  return %r : memref<2xf32>
}

// OUT: 1.52.5
func.func @main() {
  %i = arith.constant 0 : index
  %one = arith.constant 1.5 : f32
  %two = arith.constant 2.5 : f32
  %m = memref.alloc() : memref<2xf32>
  memref.store %two, %m[%i] : memref<2xf32>
  %true = arith.constant true
  %false = arith.constant false
  %x = call @caller(%one, %m, %true) : (f32, memref<2xf32>, i1) -> memref<2xf32>
  %y = call @caller(%one, %m, %false) : (f32, memref<2xf32>, i1) -> memref<2xf32>
  %v = memref.load %x[%i] : memref<2xf32>
  %w = memref.load %y[%i] : memref<2xf32>
  call @printF32(%v) : (f32) -> ()
  call @printF32(%w) : (f32) -> ()
  return
}
