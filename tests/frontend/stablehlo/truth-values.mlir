// Many truth values as digits are bytes in programs of StableHLO, as upstream's newest version reads them, and bits in
// others and for MLIR 19 and 22. Both are read.
//
// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt - | FileCheck %s
// RUN: freehold opt %s --mlir-version=22 | FileCheck %s --check-prefix=BITS
// RUN: freehold opt %s --mlir-version=22 | freehold opt - | FileCheck %s
// RUN: freehold opt %s --stablehlo-legalize-to-linalg | FileCheck %s --check-prefix=BITS

// CHECK: dense<"0x{{(010100)+(00)*}}"> : tensor<3x40xi1>
// BITS: dense<"0xDBB66DDBB66DDBB66DDBB66DDB0600"> : tensor<3x40xi1>
func.func @f() -> tensor<3x40xi1> {
  %0 = stablehlo.constant dense<"0x010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100010100000000000000000000000000"> : tensor<3x40xi1>
  return %0 : tensor<3x40xi1>
}
