// Diagnostics come with the operations that they are about, if asked for: of the verifier, of passes and of code
// generation.

// RUN: not freehold opt %S/inputs/unequal.mlir --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=VERIFIER
// RUN: not freehold run %S/inputs/unequal.mlir --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=VERIFIER
// RUN: not freehold compile %S/inputs/unequal.mlir --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=VERIFIER
// RUN: not freehold run %S/inputs/unequal.mlir 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: not freehold run %s --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=CODE

// VERIFIER: unequal.mlir:2:8: error: 'arith.addi' op requires the same type for all operands and results
// VERIFIER: unequal.mlir:2:8: note: see current operation: %0 = "arith.addi"(%arg0, %arg0)
// SILENT-NOT: see current operation

// CODE: print-op-on-diagnostic.mlir:[[@LINE+6]]:3: error:
// CODE: note: see current operation: "memref.dma_wait"
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_wait %tag[%c0], %c1 : memref<1xi32>
  return
}
