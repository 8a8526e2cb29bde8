func.func @filter(%f: tensor<2x3x3x5xi32>, %o: tensor<4x4x5x2xi32>) -> tensor<4x4x5x2xi32> {
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<2x3x3x5xi32>) outs(%o : tensor<4x4x5x2xi32>) -> tensor<4x4x5x2xi32>
  return %0 : tensor<4x4x5x2xi32>
}
