// RUN: not freehold interpret %s --input=2xf32=1 2>&1 | FileCheck %s
// RUN: not freehold interpret %s -e nothing 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not freehold interpret %s 2>&1 | FileCheck %s --check-prefix=ARGUMENTS

// What the interpreter does not know ends the program.

// CHECK: unknown.mlir:[[@LINE+5]]:{{[0-9]+}}: error: operation 'stablehlo.add' is not interpreted
// ENTRY: error: entry point not found: no function 'nothing' that is defined
// ARGUMENTS: error: 'main' takes 1 arguments, not 0

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
