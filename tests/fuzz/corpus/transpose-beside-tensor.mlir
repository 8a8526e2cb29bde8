module {
  func.func @main() -> (memref<1xf32>, tensor<f32>) {
    %alloca = memref.alloca() : memref<1xf32>
    %cst = arith.constant -1.500000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%alloca : memref<1xf32>)
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %alloc = memref.alloc() : memref<1xf32>
    linalg.transpose ins(%alloca : memref<1xf32>) outs(%alloc : memref<1xf32>) permutation = [0]
    return %alloc, %cst_0 : memref<1xf32>, tensor<f32>
  }
}
