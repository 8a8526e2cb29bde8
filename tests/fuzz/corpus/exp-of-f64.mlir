func.func @main() -> (memref<8xf64>, memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  scf.for %i = %c0 to %c8 step %c1 {
    %x = arith.index_cast %i : index to i32
    %y = arith.sitofp %x : i32 to f64
    %z = math.exp %y : f64
    memref.store %z, %a[%i] : memref<8xf64>
    %u = math.tanh %y : f64
    memref.store %u, %b[%i] : memref<8xf64>
  }
  return %a, %b : memref<8xf64>, memref<8xf64>
}
