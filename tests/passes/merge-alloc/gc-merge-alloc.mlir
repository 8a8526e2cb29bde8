// The name of the pass in graph-compiler.

// RUN: freehold opt %s --gc-merge-alloc="planner-options=size-first alignment=16" --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --pass-pipeline='builtin.module(func.func(gc-merge-alloc{planner-options=cost-model alignment=16}))' --allow-unregistered-dialect | FileCheck %s

// CHECK: memref.alloc() {alignment = 16 : i64} : memref<32xi8>
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  "x.use"(%a) : (memref<4xf32>) -> ()
  %b = memref.alloc() : memref<3xf32>
  %c = memref.alloc() : memref<1xi8>
  "x.use"(%b, %c) : (memref<3xf32>, memref<1xi8>) -> ()
  return
}
