// The linker is found by every name of a target.

// REQUIRES: aarch64
// RUN: freehold compile %s --target=aarch64 --static --emit=exe -o %t.short
// RUN: qemu-aarch64 %t.short | FileCheck %s
// RUN: freehold compile %s --target=aarch64-linux --static --emit=exe -o %t.linux
// RUN: qemu-aarch64 %t.linux | FileCheck %s

// CHECK: 7
func.func private @printI64(i64)
func.func @main() {
  %0 = arith.constant 7 : i64
  call @printI64(%0) : (i64) -> ()
  return
}
