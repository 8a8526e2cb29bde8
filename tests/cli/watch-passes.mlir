// Flags of MLIR's tools that say what passes do, of `opt`, `run` and `compile`.
//
// RUN: freehold opt %s --canonicalize --cse --mlir-print-ir-after-change 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: freehold opt %s --canonicalize --cse --mlir-print-ir-after=cse 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: freehold opt %s --canonicalize --cse --mlir-print-ir-before=cse 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not freehold opt %s --mlir-print-ir-after=sce 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not freehold run %s --mlir-print-ir-after=cse,sce 2>&1 | FileCheck %s --check-prefix=NO-PASS
// RUN: not freehold compile %s --mlir-print-ir-before=canonicalise 2>&1 | FileCheck %s --check-prefix=CLOSE
// RUN: freehold run %s --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: freehold compile %s -o %t.o --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: freehold run %s --mlir-print-ir-after-all --mlir-timing 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: freehold compile %s --mlir-print-ir-after=convert-scf-to-cf -o %t.o 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: freehold opt --list-passes | FileCheck %s --check-prefix=PASSES
// RUN: freehold opt --show-dialects | FileCheck %s --check-prefix=DIALECTS

// CHANGE: IR Dump After canonicalize
// CHANGE-NOT: IR Dump
// AFTER-NOT: IR Dump After canonicalize
// AFTER: IR Dump After cse
// BEFORE: IR Dump Before cse
// UNKNOWN: there is no pass 'sce'
// NO-PASS: error: invalid value 'sce' for '--mlir-print-ir-after <PASS>'
// CLOSE: error: invalid value 'canonicalise' for '--mlir-print-ir-before <PASS>'
// CLOSE: a similar value exists: 'canonicalize'
// PIPELINE: Pass Manager with {{[0-9]+}} passes:
// RUNS: IR Dump After canonicalize
// RUNS: Execution time report
// COMPILE: IR Dump After convert-scf-to-cf
// PASSES: {{^}}canonicalize{{$}}
// PASSES: {{^}}buffer-deallocation-pipeline{{$}}
// DIALECTS: {{^}}memref{{$}}
func.func @main() {
  %c1 = arith.constant 1 : i32
  %unused = arith.addi %c1, %c1 : i32
  return
}
