// The ending of the output says what `compile` writes, unless `--emit` does.
//
// RUN: freehold compile %s -o %t.h && FileCheck %s --check-prefix=HEADER < %t.h
// RUN: freehold compile %s -o %t.clif && FileCheck %s --check-prefix=CLIF < %t.clif
// RUN: freehold compile %s -o %t.s --target=x86_64-unknown-linux-gnu && FileCheck %s --check-prefix=ASM < %t.s
// RUN: freehold compile %s -o %t.h --emit=clif && FileCheck %s --check-prefix=CLIF < %t.h

// HEADER: int32_t one(void);
// CLIF: function {{.*}}() -> i32
// ASM: one:
func.func @one() -> i32 {
  %c1 = arith.constant 1 : i32
  return %c1 : i32
}
