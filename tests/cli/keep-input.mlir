// What is read is never overwritten, under no name it may have.

// RUN: cp %s %t.mlir
// RUN: cp %s %t
// RUN: ln -f %t.mlir %t.link.mlir
// RUN: not freehold compile %t.mlir --emit=mlir -o %t.mlir 2>&1 | FileCheck %s
// RUN: not freehold compile %t.mlir --emit=mlir -o %t.link.mlir 2>&1 | FileCheck %s
// RUN: not freehold opt %t.mlir -o %t.mlir 2>&1 | FileCheck %s
// RUN: not freehold import %t.mlir -o %t.mlir 2>&1 | FileCheck %s
// RUN: not freehold compare %t.mlir --html %t.mlir 2>&1 | FileCheck %s
// CHECK: error: output file '{{.*}}' is the input file

// The executable would have the name of the program.
// RUN: not freehold compile %t --emit=exe 2>&1 | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: error: output file '{{.*}}' is the input file

// RUN: cp %S/inputs/five.csv %t.csv
// RUN: not freehold plan %t.csv -o %t.csv 2>&1 | FileCheck %s
// RUN: not freehold plan %t.csv --svg %t.csv 2>&1 | FileCheck %s

// RUN: freehold run %s -e one --output=@%t.npy
// RUN: not freehold run %s -e same --input=@%t.npy --output=@%t.npy 2>&1 | FileCheck %s

// All are as they were, and streams are no files.
// RUN: diff %s %t.mlir && diff %s %t && diff %S/inputs/five.csv %t.csv
// RUN: freehold opt - -o - < %t.mlir

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
