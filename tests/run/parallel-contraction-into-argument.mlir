// Iterations that multiply matrices into one argument do not run at the same time.

// RUN: freehold run %s --threads=7 | FileCheck %s
// RUN: freehold run %s | FileCheck %s

func.func @work(%n: index, %a: memref<64x64xf32>, %s: memref<64x64xf32>, %out: memref<?xf32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f32
    %b = memref.alloc() : memref<64x64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64x64xf32>)
    linalg.fill ins(%z : f32) outs(%s : memref<64x64xf32>)
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%s : memref<64x64xf32>)
    %v = memref.load %s[%c5, %c5] : memref<64x64xf32>
    memref.store %v, %out[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

// 64 times the sum of the numbers below 500.
// CHECK: 7.984e+06
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 500 : index
  %a = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<64x64xf32>)
  %s = memref.alloc() : memref<64x64xf32>
  %out = memref.alloc(%n) : memref<?xf32>
  func.call @work(%n, %a, %s, %out) : (index, memref<64x64xf32>, memref<64x64xf32>, memref<?xf32>) -> ()
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> f32 {
    %v = memref.load %out[%i] : memref<?xf32>
    %u = arith.addf %t, %v : f32
    scf.yield %u : f32
  }
  vector.print %sum : f32
  return
}
