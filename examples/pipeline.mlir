// Four layers with shortcuts on 64 by 64 matrices, twenty times. Nothing is freed in the source.
//
// With --merge-alloc the twelve buffers of a run are one arena of two matrices: additions work in
// place, and products write where nothing is needed any more.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check | FileCheck %s
// RUN: freehold run %s --merge-alloc=never --stats=json 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: freehold run %s --stats=json 2>&1 | FileCheck %s --check-prefix=MERGED

// CHECK: 1.81295e+07

// EACH:   {"allocs": 243,
// MERGED: {"allocs": 21,

func.func private @printF64(f64)
func.func private @printNewline()

// One run: each layer is a product with the weights and two additions of what came before.
func.func @network(%x: memref<64x64xf64>, %w: memref<64x64xf64>, %out: memref<64x64xf64>) {
  %zero = arith.constant 0.0 : f64
  %p0 = memref.alloc() : memref<64x64xf64>
  linalg.fill ins(%zero : f64) outs(%p0 : memref<64x64xf64>)
  linalg.matmul ins(%x, %w : memref<64x64xf64>, memref<64x64xf64>) outs(%p0 : memref<64x64xf64>)
  %s0 = memref.alloc() : memref<64x64xf64>
  linalg.add ins(%p0, %x : memref<64x64xf64>, memref<64x64xf64>) outs(%s0 : memref<64x64xf64>)
  %t0 = memref.alloc() : memref<64x64xf64>
  linalg.add ins(%s0, %x : memref<64x64xf64>, memref<64x64xf64>) outs(%t0 : memref<64x64xf64>)
  %p1 = memref.alloc() : memref<64x64xf64>
  linalg.fill ins(%zero : f64) outs(%p1 : memref<64x64xf64>)
  linalg.matmul ins(%t0, %w : memref<64x64xf64>, memref<64x64xf64>) outs(%p1 : memref<64x64xf64>)
  %s1 = memref.alloc() : memref<64x64xf64>
  linalg.add ins(%p1, %t0 : memref<64x64xf64>, memref<64x64xf64>) outs(%s1 : memref<64x64xf64>)
  %t1 = memref.alloc() : memref<64x64xf64>
  linalg.add ins(%s1, %x : memref<64x64xf64>, memref<64x64xf64>) outs(%t1 : memref<64x64xf64>)
  %p2 = memref.alloc() : memref<64x64xf64>
  linalg.fill ins(%zero : f64) outs(%p2 : memref<64x64xf64>)
  linalg.matmul ins(%t1, %w : memref<64x64xf64>, memref<64x64xf64>) outs(%p2 : memref<64x64xf64>)
  %s2 = memref.alloc() : memref<64x64xf64>
  linalg.add ins(%p2, %t1 : memref<64x64xf64>, memref<64x64xf64>) outs(%s2 : memref<64x64xf64>)
  %t2 = memref.alloc() : memref<64x64xf64>
  linalg.add ins(%s2, %x : memref<64x64xf64>, memref<64x64xf64>) outs(%t2 : memref<64x64xf64>)
  %p3 = memref.alloc() : memref<64x64xf64>
  linalg.fill ins(%zero : f64) outs(%p3 : memref<64x64xf64>)
  linalg.matmul ins(%t2, %w : memref<64x64xf64>, memref<64x64xf64>) outs(%p3 : memref<64x64xf64>)
  %s3 = memref.alloc() : memref<64x64xf64>
  linalg.add ins(%p3, %t2 : memref<64x64xf64>, memref<64x64xf64>) outs(%s3 : memref<64x64xf64>)
  %t3 = memref.alloc() : memref<64x64xf64>
  linalg.add ins(%s3, %x : memref<64x64xf64>, memref<64x64xf64>) outs(%t3 : memref<64x64xf64>)
  memref.copy %t3, %out : memref<64x64xf64> to memref<64x64xf64>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 20 : index
  %one = arith.constant 1.0 : f64
  %x = memref.alloc() : memref<64x64xf64>
  %w = memref.alloc() : memref<64x64xf64>
  %out = memref.alloc() : memref<64x64xf64>
  linalg.fill ins(%one : f64) outs(%x : memref<64x64xf64>)
  linalg.fill ins(%one : f64) outs(%w : memref<64x64xf64>)
  scf.for %i = %c0 to %n step %c1 {
    func.call @network(%x, %w, %out) : (memref<64x64xf64>, memref<64x64xf64>, memref<64x64xf64>) -> ()
  }
  %y = memref.load %out[%c0, %c0] : memref<64x64xf64>
  call @printF64(%y) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}
