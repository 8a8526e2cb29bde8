// Private globals that nothing refers to are no part of an object: constants of tensors that became scalars are as large
// as the tensors.
// REQUIRES: nm
// RUN: freehold compile %s -o %t.o
// RUN: nm %t.o | FileCheck %s
// RUN: freehold run %s --function=f --input=index=2 | FileCheck %s --check-prefix=RESULT

// CHECK-NOT: unused
// CHECK-DAG: {{[Rr]}} seen
// CHECK-DAG: {{[Rr]}} used
// CHECK-NOT: unused
memref.global "private" constant @unused : memref<1000000xf32> = dense<1.5>
memref.global constant @seen : memref<2xf32> = dense<[7.0, 8.0]>
memref.global "private" constant @used : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

// RESULT: result #0: f32 = 3.0
func.func @f(%i: index) -> f32 {
  %g = memref.get_global @used : memref<4xf32>
  %x = memref.load %g[%i] : memref<4xf32>
  return %x : f32
}
