// MLIR bytecode is written by `opt` and `compile`, and read wherever text is: told by what it begins with, whatever
// the file is called.

// RUN: freehold opt %s --emit-bytecode -o %t.mlirbc && freehold opt %t.mlirbc | FileCheck %s
// RUN: freehold opt %s --emit-bytecode --emit-bytecode-version=0 | freehold opt - | FileCheck %s
// RUN: freehold run %t.mlirbc -e scaled --input=3xf32=1,2,3 | FileCheck %s --check-prefix=VALUES
// RUN: freehold explain %t.mlirbc | FileCheck %s --check-prefix=EXPLAIN
// RUN: freehold compile %t.mlirbc --emit=asm -o %t.1.s && freehold compile %s --emit=asm -o %t.2.s && diff %t.1.s %t.2.s
// RUN: freehold compile %s -o %t.lowered.mlirbc && freehold compile %s --emit=mlir -o %t.mlir && freehold opt %t.lowered.mlirbc | diff - %t.mlir
// RUN: freehold run %t.mlirbc --cache=%t.cache -e scaled --input=3xf32=1,2,3 | FileCheck %s --check-prefix=VALUES
// RUN: freehold run %t.mlirbc --cache=%t.cache -e scaled --input=3xf32=1,2,3 | FileCheck %s --check-prefix=VALUES

// RUN: not freehold opt %s --emit-bytecode --emit-bytecode-version=7 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: unsupported version requested 7, must be in range [0, 6]

// CHECK-LABEL: func.func @scaled(
// CHECK:         linalg.map { arith.mulf }
// VALUES: 3xf32 = [2.0, 4.0, 6.0]
// EXPLAIN: emit-bytecode.mlir:{{[0-9:]+}}: remark: buffer allocated here is handed to the caller
func.func @scaled(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty(%n) : tensor<?xf32>
  %twos = linalg.fill ins(%two : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %scaled = linalg.map { arith.mulf } ins(%x, %twos : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>)
  return %scaled : tensor<?xf32>
}
