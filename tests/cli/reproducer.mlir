// If a pass fails, the program and the passes can be written to a file that runs them again.
//
// RUN: not freehold opt %s --cse --verify-ownership --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: FileCheck %s --check-prefix=FILE < %t.mlir
// RUN: not freehold opt --run-reproducer %t.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not freehold opt --run-reproducer %s 2>&1 | FileCheck %s --check-prefix=NONE

// NOTE: note: a pass failed; '{{.*}}.mlir' reproduces it
// NOTE: error: buffer allocated here is freed twice
// FILE: memref.dealloc
// FILE: {-#
// FILE: mlir_reproducer: {
// FILE-NEXT: pipeline: "builtin.module(cse,verify-ownership
// AGAIN: error: buffer allocated here is freed twice
// NONE: error: names no passes to run
func.func @twice() {
  %x = memref.alloc() : memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  return
}
