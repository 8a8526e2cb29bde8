// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt - | FileCheck %s

// CHECK-LABEL: llvm.func @no_result(%{{.*}}: i64) {
llvm.func @no_result(%a: i64) -> () {
  llvm.return
}
// CHECK-LABEL: llvm.func @lifetime
llvm.func @lifetime() {
  %c = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %c x i32 : (i32) -> !llvm.ptr
  // CHECK: llvm.intr.lifetime.start %[[P:.*]] : !llvm.ptr
  llvm.intr.lifetime.start %p : !llvm.ptr
  // CHECK: llvm.intr.lifetime.end 4, %[[P]] : !llvm.ptr
  llvm.intr.lifetime.end 4, %p : !llvm.ptr
  llvm.return
}

// CHECK: llvm.mlir.global_ctors {ctors = [@no_result_at_start], priorities = [1 : i32]}
llvm.mlir.global_ctors ctors = [@no_result_at_start], priorities = [1 : i32], data = [#llvm.zero]
llvm.func @no_result_at_start() {
  llvm.return
}
