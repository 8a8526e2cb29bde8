module {
  func.func @main() -> (vector<4xi1>, vector<8x1xf16>) {
    %c0 = arith.constant 0 : index
    %alloca = memref.alloca() : memref<4xindex>
    %c0_0 = arith.constant 0 : index
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.sitofp %c0_i32 : i32 to f16
    %1 = vector.broadcast %0 : f16 to vector<8x1xf16>
    %2 = math.tanh %1 : vector<8x1xf16>
    %3 = vector.transfer_read %alloca[%c0_0], %c0 : memref<4xindex>, vector<4xindex>
    %4 = arith.index_castui %3 : vector<4xindex> to vector<4xi1>
    return %4, %2 : vector<4xi1>, vector<8x1xf16>
  }
}
