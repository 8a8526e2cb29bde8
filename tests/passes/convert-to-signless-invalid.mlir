// RUN: freehold opt %s --convert-to-signless --verify-diagnostics

// Of signless integers, it would be a division with signs.
func.func @division(%x: tensor<4xui32>, %y: tensor<4xui32>) -> tensor<4xui32> {
  // expected-error @+1 {{'stablehlo.divide' op reads integers as their types say: lower it before 'convert-to-signless'}}
  %0 = stablehlo.divide %x, %y : tensor<4xui32>
  return %0 : tensor<4xui32>
}
