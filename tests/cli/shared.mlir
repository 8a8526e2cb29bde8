// Shared libraries, loaded by a C program on this machine and on AArch64: what is exported can be found and
// called, everything else is hidden, and the program has a main of its own.
//
// REQUIRES: cc, aarch64
// RUN: freehold compile %s -o %T/libshared.so
// RUN: freehold compile %s --emit=header -o %T/shared.h
// RUN: FileCheck %s --input-file=%T/shared.h --check-prefix=HEADER
// RUN: cc -std=c11 -Wall -Wextra -Werror -I %T %S/inputs/shared.c -ldl -o %t
// RUN: %t %T/libshared.so | FileCheck %s
//
// RUN: freehold compile %s --target=aarch64-unknown-linux-gnu --emit=shared -o %T/aarch64.so
// RUN: aarch64-linux-gnu-gcc -I %T %S/inputs/shared.c -ldl -o %t.aarch64
// RUN: qemu-aarch64 -L /usr/aarch64-linux-gnu %t.aarch64 %T/aarch64.so | FileCheck %s
//
// Plain objects can be linked like that by hand.
// RUN: freehold compile %s -o %t.o
// RUN: cc -shared %t.o -o %T/plain.so
// RUN: freehold compile %s --target=aarch64-unknown-linux-gnu -g -o %t.aarch64.o
// RUN: aarch64-linux-gnu-gcc -shared %t.aarch64.o -o %T/plain-aarch64.so
//
// HEADER-NOT: {{[a-z] main\(}}
// HEADER: int64_t twice(
// HEADER-NOT: {{[a-z] main\(}}

// CHECK: calls 42, global 7
memref.global @seven : memref<i64> = dense<7>

func.func @once(%x: i64) -> i64 attributes {passthrough = ["noinline"]} {
  %m = memref.get_global @seven : memref<i64>
  %seven = memref.load %m[] : memref<i64>
  %y = arith.muli %x, %seven : i64
  return %y : i64
}

func.func private @hidden(%x: i64) -> i64 attributes {passthrough = ["noinline"]} {
  %y = arith.addi %x, %x : i64
  return %y : i64
}

func.func @twice(%x: i64) -> i64 {
  %y = func.call @once(%x) : (i64) -> i64
  %z = func.call @hidden(%y) : (i64) -> i64
  return %z : i64
}

func.func @main() {
  return
}

// CHECK: hidden (nil), runtime (nil)
