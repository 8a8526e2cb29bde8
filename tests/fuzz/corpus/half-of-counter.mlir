module {
  memref.global "private" @g1 : memref<64xindex> = dense<[0, 1, 1, 1, 1, 1, 1, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]>
  func.func @main() -> tensor<?x7xf16> {
    %0 = memref.get_global @g1 : memref<64xindex>
    %c7 = arith.constant 7 : index
    %1 = memref.load %0[%c7] : memref<64xindex>
    %generated = tensor.generate %1 {
    ^bb0(%arg0: index, %arg1: index):
      %3 = arith.index_cast %arg0 : index to i32
      %4 = arith.sitofp %3 : i32 to f16
      tensor.yield %4 : f16
    } : tensor<7x?xf16>
    %cst = arith.constant 0.000000e+00 : f16
    %splat = tensor.splat %cst[%c7] : tensor<?x7xf16>
    %2 = linalg.matmul_transpose_a ins(%generated, %generated : tensor<7x?xf16>, tensor<7x?xf16>) outs(%splat : tensor<?x7xf16>) -> tensor<?x7xf16>
    return %2 : tensor<?x7xf16>
  }
}
