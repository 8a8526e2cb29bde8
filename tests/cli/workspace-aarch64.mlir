// workspace.mlir on AArch64.
//
// REQUIRES: aarch64
// RUN: freehold compile %S/workspace.mlir --target=aarch64-unknown-linux-gnu --workspace=argument -o %T/workspace.h
// RUN: freehold compile %S/workspace.mlir --target=aarch64-unknown-linux-gnu --workspace=argument -o %T/workspace.o
// RUN: aarch64-linux-gnu-gcc -static -Wall -Werror -O2 -I %T %S/inputs/workspace.c %T/workspace.o \
// RUN:   -Wl,--wrap=malloc -o %t
// RUN: qemu-aarch64 %t | FileCheck %S/workspace.mlir
