// library.mlir on AArch64, where other results fit in registers.
//
// REQUIRES: aarch64
// RUN: freehold compile %S/library.mlir --target=aarch64-unknown-linux-gnu --emit=header \
// RUN:   -o %T/library.h
// RUN: FileCheck %s --input-file=%T/library.h
// RUN: freehold compile %S/library.mlir --target=aarch64-unknown-linux-gnu --emit=lib \
// RUN:   -o %T/liblibrary.a
// RUN: aarch64-linux-gnu-gcc -static -Wall -Werror -O2 -I %T %S/inputs/library.c \
// RUN:   %T/liblibrary.a -lm -o %t
// RUN: qemu-aarch64 %t | FileCheck %S/library.mlir --check-prefix=OUT

// CHECK: Made by freehold for aarch64-unknown-linux-gnu
// CHECK: div_rem_results div_rem(int64_t a0, int64_t a1);
// CHECK: /* many(
// CHECK: many_results many(
