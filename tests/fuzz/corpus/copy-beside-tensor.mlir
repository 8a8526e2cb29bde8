module {
  func.func @main() -> (memref<1xi8>, tensor<1x1xi8>) {
    %alloca = memref.alloca() : memref<1xi8>
    %cst = arith.constant dense<0> : tensor<1x1xi8>
    %c0 = arith.constant 0 : index
    %c1_i8 = arith.constant 1 : i8
    %0 = arith.index_cast %c0 : index to i8
    %1 = vector.from_elements %c1_i8, %0, %0, %c1_i8, %0, %c1_i8, %c1_i8, %c1_i8 : vector<8xi8>
    %c0_0 = arith.constant 0 : index
    vector.transfer_write %1, %alloca[%c0_0] : vector<8xi8>, memref<1xi8>
    %alloc = memref.alloc() : memref<1xi8>
    linalg.copy ins(%alloca : memref<1xi8>) outs(%alloc : memref<1xi8>)
    return %alloc, %cst : memref<1xi8>, tensor<1x1xi8>
  }
}
