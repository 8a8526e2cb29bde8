// Two layers of an encoder with attention, 16 tokens of 32 features, fifty times. Nothing is freed in
// the source.
//
// With --merge-alloc the ten buffers of a layer, of three sizes, are one arena: queries, keys and scores make
// room for what comes after them. The peak is lower too: rectifiers and additions work in place.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check=accesses | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --check=accesses | FileCheck %s
// RUN: freehold run %s --merge-alloc=never --stats=json 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: freehold run %s --stats=json 2>&1 | FileCheck %s --check-prefix=MERGED
// RUN: freehold run %s -O0 --merge-alloc --stats=json 2>&1 | FileCheck %s --check-prefix=IN-PLACE

// CHECK: 7.18741e+08

// EACH:   {"allocs": 1006, {{.*}}"peak_bytes": 122880,
// MERGED: {"allocs": 101, {{.*}}"peak_bytes": 110592,
// IN-PLACE: {"allocs": 101, {{.*}}"peak_bytes": 110592,

func.func private @printF64(f64)
func.func private @printNewline()

// Attention without normalization, then two products with a rectifier in between; each with its input
// added to the result.
func.func @layer(%x: memref<16x32xf64>, %wq: memref<32x32xf64>, %wk: memref<32x32xf64>,
                 %wv: memref<32x32xf64>, %up: memref<32x128xf64>, %down: memref<128x32xf64>,
                 %out: memref<16x32xf64>) {
  %zero = arith.constant 0.0 : f64
  %scale = arith.constant 0.0625 : f64

  %q = memref.alloc() : memref<16x32xf64>
  linalg.fill ins(%zero : f64) outs(%q : memref<16x32xf64>)
  linalg.matmul ins(%x, %wq : memref<16x32xf64>, memref<32x32xf64>) outs(%q : memref<16x32xf64>)
  %k = memref.alloc() : memref<16x32xf64>
  linalg.fill ins(%zero : f64) outs(%k : memref<16x32xf64>)
  linalg.matmul ins(%x, %wk : memref<16x32xf64>, memref<32x32xf64>) outs(%k : memref<16x32xf64>)
  %scores = memref.alloc() : memref<16x16xf64>
  linalg.fill ins(%zero : f64) outs(%scores : memref<16x16xf64>)
  linalg.matmul_transpose_b ins(%q, %k : memref<16x32xf64>, memref<16x32xf64>)
      outs(%scores : memref<16x16xf64>)
  %weights = memref.alloc() : memref<16x16xf64>
  linalg.map ins(%scores : memref<16x16xf64>) outs(%weights : memref<16x16xf64>)
    (%s: f64) {
      %scaled = arith.mulf %s, %scale : f64
      %positive = arith.maximumf %scaled, %zero : f64
      linalg.yield %positive : f64
    }
  %v = memref.alloc() : memref<16x32xf64>
  linalg.fill ins(%zero : f64) outs(%v : memref<16x32xf64>)
  linalg.matmul ins(%x, %wv : memref<16x32xf64>, memref<32x32xf64>) outs(%v : memref<16x32xf64>)
  %mixed = memref.alloc() : memref<16x32xf64>
  linalg.fill ins(%zero : f64) outs(%mixed : memref<16x32xf64>)
  linalg.matmul ins(%weights, %v : memref<16x16xf64>, memref<16x32xf64>)
      outs(%mixed : memref<16x32xf64>)
  %attended = memref.alloc() : memref<16x32xf64>
  linalg.add ins(%mixed, %x : memref<16x32xf64>, memref<16x32xf64>)
      outs(%attended : memref<16x32xf64>)

  %wide = memref.alloc() : memref<16x128xf64>
  linalg.fill ins(%zero : f64) outs(%wide : memref<16x128xf64>)
  linalg.matmul ins(%attended, %up : memref<16x32xf64>, memref<32x128xf64>)
      outs(%wide : memref<16x128xf64>)
  %positive = memref.alloc() : memref<16x128xf64>
  linalg.map ins(%wide : memref<16x128xf64>) outs(%positive : memref<16x128xf64>)
    (%w: f64) {
      %m = arith.maximumf %w, %zero : f64
      linalg.yield %m : f64
    }
  %narrow = memref.alloc() : memref<16x32xf64>
  linalg.fill ins(%zero : f64) outs(%narrow : memref<16x32xf64>)
  linalg.matmul ins(%positive, %down : memref<16x128xf64>, memref<128x32xf64>)
      outs(%narrow : memref<16x32xf64>)
  linalg.add ins(%narrow, %attended : memref<16x32xf64>, memref<16x32xf64>)
      outs(%out : memref<16x32xf64>)
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %one = arith.constant 1.0 : f64
  %small = arith.constant 0.03125 : f64
  %x = memref.alloc() : memref<16x32xf64>
  %h = memref.alloc() : memref<16x32xf64>
  %y = memref.alloc() : memref<16x32xf64>
  %w = memref.alloc() : memref<32x32xf64>
  %up = memref.alloc() : memref<32x128xf64>
  %down = memref.alloc() : memref<128x32xf64>
  linalg.fill ins(%one : f64) outs(%x : memref<16x32xf64>)
  linalg.fill ins(%small : f64) outs(%w : memref<32x32xf64>)
  linalg.fill ins(%small : f64) outs(%up : memref<32x128xf64>)
  linalg.fill ins(%small : f64) outs(%down : memref<128x32xf64>)
  scf.for %i = %c0 to %c50 step %c1 {
    func.call @layer(%x, %w, %w, %w, %up, %down, %h)
        : (memref<16x32xf64>, memref<32x32xf64>, memref<32x32xf64>, memref<32x32xf64>,
           memref<32x128xf64>, memref<128x32xf64>, memref<16x32xf64>) -> ()
    func.call @layer(%h, %w, %w, %w, %up, %down, %y)
        : (memref<16x32xf64>, memref<32x32xf64>, memref<32x32xf64>, memref<32x32xf64>,
           memref<32x128xf64>, memref<128x32xf64>, memref<16x32xf64>) -> ()
  }
  %v = memref.load %y[%c0, %c0] : memref<16x32xf64>
  call @printF64(%v) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}
