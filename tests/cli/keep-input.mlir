// What is read is never overwritten, under no name it may have.

// RUN: cat %s > %t.mlir
// RUN: not freehold compile %t.mlir --emit=mlir -o %t.mlir 2>&1 | FileCheck %s
// RUN: not freehold opt %t.mlir -o %t.mlir 2>&1 | FileCheck %s
// RUN: not freehold import %t.mlir -o %t.mlir 2>&1 | FileCheck %s
// RUN: not freehold compare %t.mlir --html %t.mlir 2>&1 | FileCheck %s
// CHECK: error: output file '{{.*}}' is the input file

// RUN: cat %S/inputs/five.csv > %t.csv
// RUN: not freehold plan %t.csv -o %t.csv 2>&1 | FileCheck %s
// RUN: not freehold plan %t.csv --svg %t.csv 2>&1 | FileCheck %s

// RUN: freehold run %s -e one --output=@%t.npy
// RUN: not freehold run %s -e same --input=@%t.npy --output=@%t.npy 2>&1 | FileCheck %s

// All are as they were, and streams are no files.
// RUN: freehold run %t.mlir && freehold plan %t.csv | FileCheck %s --check-prefix=PLAN
// RUN: cat %t.mlir | freehold opt - -o - | FileCheck %s --check-prefix=STREAM
// PLAN: peak 120
// STREAM: func.func @main

func.func @main() {
  return
}

func.func @one() -> i32 {
  %c1 = arith.constant 1 : i32
  return %c1 : i32
}

func.func @same(%n: i32) -> i32 {
  return %n : i32
}
