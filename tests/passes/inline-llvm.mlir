// RUN: freehold opt --inline %s | FileCheck %s

// Functions of other dialects stay as they are.
// CHECK: llvm.func @other() {
// CHECK-NEXT: llvm.return
// CHECK: func.func @main() -> i32 {
// CHECK-NEXT: %[[C:.*]] = arith.constant 1 : i32
// CHECK-NEXT: return %[[C]] : i32
llvm.func @other() {
  llvm.return
}
func.func private @callee() -> i32 {
  %c = arith.constant 1 : i32
  return %c : i32
}
func.func @main() -> i32 {
  %c = call @callee() : () -> i32
  return %c : i32
}
