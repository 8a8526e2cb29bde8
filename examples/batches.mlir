// A network whose batch size is known at run time only, for batches of 3, 8 and 1 rows. Nothing is
// freed in the source.
//
// With --merge-alloc the seven buffers of a run, whose sizes are all multiples of the number of rows n,
// are one arena of n * 512 bytes: additions and rectifiers work in place.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check=accesses | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --check=accesses | FileCheck %s
// RUN: freehold run %s --merge-alloc=never --stats=json 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: freehold run %s --stats=json 2>&1 | FileCheck %s --check-prefix=MERGED

// CHECK-COUNT-3: 304

// EACH:   {"allocs": 31, {{.*}}"peak_bytes": 22784,
// MERGED: {"allocs": 7, {{.*}}"peak_bytes": 22784,

func.func private @printF64(f64)
func.func private @printNewline()

#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>

// Three layers: n x 16 to n x 32 to n x 32 to n x 16; in between a bias is added and what is negative
// becomes zero, at the end the input is added.
func.func @forward(%x: memref<?x16xf64>, %w1: memref<16x32xf64>, %w2: memref<32x32xf64>,
                   %w3: memref<32x16xf64>, %bias: memref<32xf64>, %out: memref<?x16xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x16xf64>

  %p1 = memref.alloc(%n) : memref<?x32xf64>
  linalg.fill ins(%zero : f64) outs(%p1 : memref<?x32xf64>)
  linalg.matmul ins(%x, %w1 : memref<?x16xf64>, memref<16x32xf64>) outs(%p1 : memref<?x32xf64>)
  %b1 = memref.alloc(%n) : memref<?x32xf64>
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p1, %bias : memref<?x32xf64>, memref<32xf64>) outs(%b1 : memref<?x32xf64>) {
    ^bb0(%p: f64, %b: f64, %old: f64):
      %s = arith.addf %p, %b : f64
      linalg.yield %s : f64
  }
  %r1 = memref.alloc(%n) : memref<?x32xf64>
  linalg.map ins(%b1 : memref<?x32xf64>) outs(%r1 : memref<?x32xf64>)
    (%v: f64) {
      %m = arith.maximumf %v, %zero : f64
      linalg.yield %m : f64
    }

  %p2 = memref.alloc(%n) : memref<?x32xf64>
  linalg.fill ins(%zero : f64) outs(%p2 : memref<?x32xf64>)
  linalg.matmul ins(%r1, %w2 : memref<?x32xf64>, memref<32x32xf64>) outs(%p2 : memref<?x32xf64>)
  %b2 = memref.alloc(%n) : memref<?x32xf64>
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p2, %bias : memref<?x32xf64>, memref<32xf64>) outs(%b2 : memref<?x32xf64>) {
    ^bb0(%p: f64, %b: f64, %old: f64):
      %s = arith.addf %p, %b : f64
      linalg.yield %s : f64
  }
  %r2 = memref.alloc(%n) : memref<?x32xf64>
  linalg.map ins(%b2 : memref<?x32xf64>) outs(%r2 : memref<?x32xf64>)
    (%v: f64) {
      %m = arith.maximumf %v, %zero : f64
      linalg.yield %m : f64
    }

  %p3 = memref.alloc(%n) : memref<?x16xf64>
  linalg.fill ins(%zero : f64) outs(%p3 : memref<?x16xf64>)
  linalg.matmul ins(%r2, %w3 : memref<?x32xf64>, memref<32x16xf64>) outs(%p3 : memref<?x16xf64>)
  linalg.add ins(%p3, %x : memref<?x16xf64>, memref<?x16xf64>) outs(%out : memref<?x16xf64>)
  return
}

// One batch of n rows; prints the sum of the first row.
func.func @batch(%n: index, %w1: memref<16x32xf64>, %w2: memref<32x32xf64>, %w3: memref<32x16xf64>,
                 %bias: memref<32xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f64
  %value = arith.constant 0.5 : f64
  %x = memref.alloc(%n) : memref<?x16xf64>
  %y = memref.alloc(%n) : memref<?x16xf64>
  linalg.fill ins(%value : f64) outs(%x : memref<?x16xf64>)
  call @forward(%x, %w1, %w2, %w3, %bias, %y)
      : (memref<?x16xf64>, memref<16x32xf64>, memref<32x32xf64>, memref<32x16xf64>, memref<32xf64>,
         memref<?x16xf64>) -> ()
  %sum = scf.for %j = %c0 to %c16 step %c1 iter_args(%old = %zero) -> (f64) {
    %v = memref.load %y[%c0, %j] : memref<?x16xf64>
    %new = arith.addf %old, %v : f64
    scf.yield %new : f64
  }
  call @printF64(%sum) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %eighth = arith.constant 0.125 : f64
  %w1 = memref.alloc() : memref<16x32xf64>
  %w2 = memref.alloc() : memref<32x32xf64>
  %w3 = memref.alloc() : memref<32x16xf64>
  %bias = memref.alloc() : memref<32xf64>
  linalg.fill ins(%eighth : f64) outs(%w1 : memref<16x32xf64>)
  linalg.fill ins(%eighth : f64) outs(%w2 : memref<32x32xf64>)
  linalg.fill ins(%eighth : f64) outs(%w3 : memref<32x16xf64>)
  linalg.fill ins(%eighth : f64) outs(%bias : memref<32xf64>)
  call @batch(%c3, %w1, %w2, %w3, %bias)
      : (index, memref<16x32xf64>, memref<32x32xf64>, memref<32x16xf64>, memref<32xf64>) -> ()
  call @batch(%c8, %w1, %w2, %w3, %bias)
      : (index, memref<16x32xf64>, memref<32x32xf64>, memref<32x16xf64>, memref<32xf64>) -> ()
  call @batch(%c1, %w1, %w2, %w3, %bias)
      : (index, memref<16x32xf64>, memref<32x32xf64>, memref<32x16xf64>, memref<32xf64>) -> ()
  return
}
