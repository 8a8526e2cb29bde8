// An architecture alone is Linux on it with GNU's C library, as is Linux without a library.

// RUN: freehold compile %s --target=aarch64-unknown-linux-gnu -o %t.full
// RUN: freehold compile %s --target=aarch64-linux -o %t.linux
// RUN: diff %t.full %t.linux
// RUN: freehold compile %s --target=aarch64 -o %t.short
// RUN: diff %t.full %t.short
// RUN: freehold compile %s --target=x86_64 --emit=header -o - | FileCheck %s --check-prefix=X86
// RUN: not freehold compile %s --target=riscv64 -o %t 2>&1 | FileCheck %s --check-prefix=RISCV
// RUN: not freehold compile %s --target=aarch64-apple-darwin -o %t 2>&1 | FileCheck %s --check-prefix=APPLE

// X86: x86_64-unknown-linux-gnu
// RISCV: error: unknown target 'riscv64': supported are x86_64-unknown-linux-gnu and aarch64-unknown-linux-gnu
// APPLE: error: unknown target 'aarch64-apple-darwin': supported are
func.func @main() -> i32 attributes {llvm.emit_c_interface} {
  %0 = arith.constant 7 : i32
  return %0 : i32
}
