// Who reads StableHLO as bytecode follows upstream's newest version: the producer is named and properties are laid out as
// MLIR 22 has them. What is read from such a file is printed as MLIR 22 has it, too.
//
// RUN: freehold opt --emit-bytecode %s -o %t.mlirbc
// RUN: FileCheck --input-file=%t.mlirbc --check-prefix=V22 %s
// RUN: freehold opt --emit-bytecode --mlir-version=19 %s -o %t.old.mlirbc
// RUN: FileCheck --input-file=%t.old.mlirbc --check-prefix=V19 %s
// RUN: freehold opt %t.mlirbc --emit-bytecode | freehold opt - | FileCheck %s
// RUN: freehold opt %t.old.mlirbc | FileCheck %s

// V22: for MLIR22
// V19: for MLIR19
// CHECK: func.func @f(%{{.*}}: tensor<2xf32> {jax.buffer_donor = true}) -> tensor<2xf32>
// CHECK:   stablehlo.abs
func.func @f(%x: tensor<2xf32> {jax.buffer_donor = true}) -> tensor<2xf32> {
  %0 = stablehlo.abs %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
