// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s
// RUN: freehold opt %s --emit-bytecode | freehold opt | FileCheck %s
// RUN: freehold run %s -e lossless
// RUN: freehold interpret %s -e lossless
// RUN: not freehold interpret %s -e remainder 2>&1 | FileCheck %s --check-prefix=REMAINDER
// RUN: not freehold interpret %s -e bits 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not freehold interpret %s -e common 2>&1 | FileCheck %s --check-prefix=COMMON

// Promises that no remainder and no bit is lost, as newer MLIR writes them.

// CHECK-LABEL: func.func @lossless
func.func @lossless() {
  %a = arith.constant -12 : i32
  %b = arith.constant 4 : i32
  %c = arith.constant 2 : i32
  // CHECK: arith.divsi %{{.*}}, %{{.*}} exact : i32
  %0 = arith.divsi %a, %b exact : i32
  // CHECK: arith.divui %{{.*}}, %{{.*}} exact : i32
  %1 = arith.divui %a, %b exact : i32
  // CHECK: arith.shrsi %{{.*}}, %{{.*}} exact : i32
  %2 = arith.shrsi %a, %c exact : i32
  // CHECK: arith.shrui %{{.*}}, %{{.*}} exact : i32
  %3 = arith.shrui %a, %c exact : i32
  // CHECK: llvm.sdiv exact
  %4 = llvm.sdiv exact %a, %b : i32
  // CHECK: llvm.udiv exact
  %5 = llvm.udiv exact %a, %b : i32
  // CHECK: llvm.ashr exact
  %6 = llvm.ashr exact %a, %c : i32
  // CHECK: llvm.lshr exact
  %7 = llvm.lshr exact %a, %c : i32
  // CHECK: llvm.or disjoint
  %8 = llvm.or disjoint %b, %c : i32
  %signed = arith.cmpi eq, %0, %2 : i32
  %unsigned = arith.cmpi eq, %1, %3 : i32
  %signed_too = arith.cmpi eq, %4, %6 : i32
  %unsigned_too = arith.cmpi eq, %5, %7 : i32
  %sum = arith.addi %b, %c : i32
  %or = arith.cmpi eq, %8, %sum : i32
  cf.assert %signed, "signed"
  cf.assert %unsigned, "unsigned"
  cf.assert %signed_too, "signed, llvm"
  cf.assert %unsigned_too, "unsigned, llvm"
  cf.assert %or, "or"
  return
}

// REMAINDER: is not exact
func.func @remainder() {
  %a = arith.constant 13 : i32
  %b = arith.constant 4 : i32
  %0 = arith.divsi %a, %b exact : i32
  %1 = arith.cmpi eq, %0, %b : i32
  cf.assert %1, "poison"
  return
}

// BITS: 13 >> 2 is not exact
func.func @bits() {
  %a = arith.constant 13 : i32
  %b = arith.constant 2 : i32
  %0 = arith.shrui %a, %b exact : i32
  %1 = arith.cmpi eq, %0, %b : i32
  cf.assert %1, "poison"
  return
}

// COMMON: 6 | 2 is not disjoint
func.func @common() {
  %a = arith.constant 6 : i32
  %b = arith.constant 2 : i32
  %0 = llvm.or disjoint %a, %b : i32
  %1 = arith.cmpi eq, %0, %b : i32
  cf.assert %1, "poison"
  return
}
