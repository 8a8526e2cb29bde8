// C has a `main` of its own: objects and libraries call that of a program otherwise, by its file or as --entry-name
// says, and give it an interface for C. Programs whose `main` C's can be keep it, as do executables.

// RUN: freehold compile %s --emit=asm | FileCheck %s --check-prefix=FILE
// RUN: freehold compile %s -o %T/entry.h && FileCheck %s --check-prefix=HEADER < %T/entry.h
// RUN: freehold compile %s --entry-name=predict --emit=asm | FileCheck %s --check-prefix=NAMED
// RUN: freehold compile %s --entry-name=predict --emit=mlir | FileCheck %s --check-prefix=MLIR
// RUN: freehold compile %s --emit=mlir | FileCheck %s --check-prefix=KEPT
// RUN: freehold compile %S/inputs/main.mlir --emit=asm | FileCheck %s --check-prefix=PLAIN
// RUN: freehold compile %S/inputs/main.mlir --entry-name=start --emit=asm | FileCheck %s --check-prefix=START
// RUN: not freehold compile %s --entry-name=twice --emit=asm 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not freehold compile %S/inputs/unequal.mlir --entry-name=twice --emit=asm 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not freehold run %s --entry-name=predict 2>&1 | FileCheck %s --check-prefix=NOT-RUN
// RUN: freehold run %s --input=2xf32=1,2 | FileCheck %s --check-prefix=RUNS

// FILE-DAG: {{^}}entry_name:
// FILE-DAG: {{^}}_mlir_ciface_entry_name:
// FILE-NOT: {{^}}main:
// HEADER: entry_name(
// HEADER: _mlir_ciface_entry_name(
// HEADER: entry_name_checked(
// NAMED-DAG: {{^}}predict:
// NAMED-DAG: {{^}}_mlir_ciface_predict:
// MLIR: func.func @predict
// MLIR: call @predict
// KEPT: func.func @main
// PLAIN: {{^}}main:
// PLAIN-NOT: ciface
// START: {{^}}start:
// TAKEN: entry-name.mlir:[[#@LINE+8]]:1: error: 'main' cannot be called 'twice': there is such a symbol already; --entry-name names another one
// BROKEN: error: 'arith.addi' op
// NOT-RUN: error: unexpected argument '--entry-name' found
// RUNS: result #0: 2xf32 = [2.0, 4.0]
func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = arith.addf %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> attributes {passthrough = ["noinline"]} {
  %y = call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @again(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = call @main(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
