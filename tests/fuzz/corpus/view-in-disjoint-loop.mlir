// A row of a buffer that is stored to is loaded by a view that vectorize-loops made, in a loop of which it is said that
// buffers do not overlap: promote-loop-accesses kept the store back.
module {
  memref.global "private" @tab : memref<64xindex> = dense<[0, 1, 2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]>
  func.func @main() -> memref<3x2x3xi64> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c0_0 = arith.constant 0 : index
    %0 = memref.get_global @tab : memref<64xindex>
    %c0_1 = arith.constant 0 : index
    %c2_2 = arith.constant 2 : index
    %1 = memref.load %0[%c2_2] : memref<64xindex>
    %c1_3 = arith.constant 1 : index
    %alloc = memref.alloc() : memref<2x3xi64>
    scf.for %arg0 = %c0 to %c2 step %c1 {
      scf.for %arg1 = %c0 to %c3 step %c1 {
        %2 = arith.addi %c0_0, %arg0 : index
        %3 = arith.index_cast %2 : index to i64
        memref.store %3, %alloc[%arg0, %arg1] : memref<2x3xi64>
      }
    }
    %alloc_4 = memref.alloc() : memref<3x2x3xi64>
    scf.for %arg0 = %c0 to %c3 step %c1 {
      scf.for %arg1 = %c0 to %c2 step %c1 {
        scf.for %arg2 = %c0 to %c3 step %c1 {
          %c0_i64 = arith.constant 0 : i64
          memref.store %c0_i64, %alloc_4[%arg0, %arg1, %arg2] : memref<3x2x3xi64>
        }
      }
    }
    scf.for %arg0 = %c0 to %1 step %c1 {
      %c0_i64 = arith.constant 0 : i64
      scf.for %arg1 = %c0 to %c2 step %c1 {
        %4 = memref.load %alloc[%arg1, %c0_1] : memref<2x3xi64>
        %5 = memref.load %alloc_4[%c0, %c1_3, %c1] : memref<3x2x3xi64>
        %6 = arith.addi %5, %4 : i64
        memref.store %6, %alloc_4[%c0, %c1_3, %c1] : memref<3x2x3xi64>
      }
      %2 = memref.load %alloc[%c1, %c0_1] : memref<2x3xi64>
      %3 = arith.minsi %2, %c0_i64 : i64
      memref.store %3, %alloc[%c1, %c0_1] : memref<2x3xi64>
    }
    return %alloc_4 : memref<3x2x3xi64>
  }
}
