func.func @main() -> (vector<3xi128>, memref<2x2xf32>) {
  %v = arith.constant dense<[1, -1, 170141183460469231731687303715884105727]> : vector<3xi128>
  %x = arith.constant 2.0 : f32
  %m = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<2x2xf32>)
  return %v, %m : vector<3xi128>, memref<2x2xf32>
}
