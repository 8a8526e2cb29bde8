// MLIR 19 has no 'data' of functions that run before or after the program, MLIR 22 always has it, in bytecode too. Which
// numbers attributes have depends on the rest of the program.
//
// REQUIRES: mlir-opt-19
// RUN: mlir-opt-19 --emit-bytecode %s | freehold opt - | FileCheck %s
// RUN: freehold opt --emit-bytecode %s | mlir-opt-19 - | FileCheck %s
// RUN: freehold opt --emit-bytecode --mlir-version=22 %s | freehold opt - | FileCheck %s --check-prefix=NEWER
// RUN: freehold opt --mlir-print-op-generic --mlir-version=22 %s | FileCheck %s --check-prefix=GENERIC
// RUN: freehold opt --mlir-print-op-generic --mlir-version=22 %s | freehold opt - | FileCheck %s
//
// CHECK: llvm.mlir.global_ctors {ctors = [@first, @second], priorities = [1 : i32, 7 : i32]}
// CHECK: llvm.mlir.global_dtors {dtors = [@first], priorities = [2 : i32]}
// NEWER: llvm.mlir.global_ctors ctors = [@first, @second], priorities = [1 : i32, 7 : i32], data = [#llvm.zero, #llvm.zero]
// NEWER: llvm.mlir.global_dtors dtors = [@first], priorities = [2 : i32], data = [#llvm.zero]
// GENERIC: "llvm.mlir.global_ctors"() <{ctors = [@first, @second], data = [#llvm.zero, #llvm.zero], priorities = [1 : i32, 7 : i32]}>
llvm.mlir.global_ctors {ctors = [@first, @second], priorities = [1 : i32, 7 : i32]}
llvm.mlir.global_dtors {dtors = [@first], priorities = [2 : i32]}
llvm.func @first() {
  llvm.return
}
llvm.func @second() {
  llvm.return
}
