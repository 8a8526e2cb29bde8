// Functions that run before the rest of the program and after it, by their priorities: in memory, in executables, and
// interpreted.
//
// RUN: freehold run - -e entry -entry-point-result=void < %s | FileCheck %s
// RUN: freehold run %s -e entry -O0 | FileCheck %s
// RUN: freehold opt %s --raise-llvm | freehold interpret - -e entry | FileCheck %s
// RUN: freehold compile %s -e entry --emit=exe -o %t && %t | FileCheck %s
// RUN: freehold compile %s -e entry --emit=exe --multiversion=v3 --target=x86_64-unknown-linux-gnu -o %t.versions
// RUN: %t.versions | FileCheck %s
// RUN: not freehold run %s -e number -entry-point-result=void 2>&1 | FileCheck %s --check-prefix=VOID
//
// CHECK:      1
// CHECK-NEXT: 2
// CHECK-NEXT: 3
// CHECK-NEXT: 100
// CHECK-NEXT: 6
// CHECK-NEXT: 5
// CHECK-NEXT: 4
// CHECK-NOT:  {{.}}
// VOID: error: entry point 'number': expected void function

llvm.func @printNewline()
llvm.func @printI64(i64)
llvm.func internal @print(%x: i64) {
  llvm.call @printI64(%x) : (i64) -> ()
  llvm.call @printNewline() : () -> ()
  llvm.return
}
llvm.mlir.global_ctors ctors = [@three, @one], priorities = [65535 : i32, 7 : i32], data = [#llvm.zero, #llvm.zero]
llvm.mlir.global_ctors {ctors = [@two], priorities = [7 : i32]}
llvm.mlir.global_dtors {dtors = [@four, @five, @six], priorities = [0 : i32, 0 : i32, 300 : i32]}
llvm.func internal @one() {
  %x = llvm.mlir.constant(1 : i64) : i64
  llvm.call @print(%x) : (i64) -> ()
  llvm.return
}
llvm.func @two() {
  %x = llvm.mlir.constant(2 : i64) : i64
  llvm.call @print(%x) : (i64) -> ()
  llvm.return
}
llvm.func @three() {
  %x = llvm.mlir.constant(3 : i64) : i64
  llvm.call @print(%x) : (i64) -> ()
  llvm.return
}
llvm.func @four() {
  %x = llvm.mlir.constant(4 : i64) : i64
  llvm.call @print(%x) : (i64) -> ()
  llvm.return
}
llvm.func internal @five() {
  %x = llvm.mlir.constant(5 : i64) : i64
  llvm.call @print(%x) : (i64) -> ()
  llvm.return
}
llvm.func @six() {
  %x = llvm.mlir.constant(6 : i64) : i64
  llvm.call @print(%x) : (i64) -> ()
  llvm.return
}
llvm.func @entry() {
  %x = llvm.mlir.constant(100 : i64) : i64
  llvm.call @print(%x) : (i64) -> ()
  llvm.return
}
llvm.func @number() -> i32 {
  %x = llvm.mlir.constant(0 : i32) : i32
  llvm.return %x : i32
}
