// Code of the vector dialect as people write it: microseconds per call of each function, least of five runs. In
// order: a product of matrices by outer products (4x512 and 512x64), a loop over 4093 elements with transfers that
// end at the edge, gathers, bytes, f16, transposes of 16x16.
//
// freehold run -O3 benches/vectors.mlir [--vector-bits=256]

func.func private @rtclock() -> f64
func.func private @printF64(f64)
func.func private @printNewline()
func.func private @gemm(%a: memref<4x?xf32>, %b: memref<?x64xf32>, %c: memref<4x64xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %b, %c0 : memref<?x64xf32>
  %init = vector.transfer_read %c[%c0, %c0], %z {in_bounds=[true,true]} : memref<4x64xf32>, vector<4x64xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %init) -> (vector<4x64xf32>) {
    %l = vector.transfer_read %a[%c0, %k], %z {in_bounds=[true], permutation_map = affine_map<(d0,d1)->(d0)>} : memref<4x?xf32>, vector<4xf32>
    %w = vector.transfer_read %b[%k, %c0], %z {in_bounds=[true]} : memref<?x64xf32>, vector<64xf32>
    %o = vector.outerproduct %l, %w, %acc : vector<4xf32>, vector<64xf32>
    scf.yield %o : vector<4x64xf32>
  }
  vector.transfer_write %r, %c[%c0, %c0] {in_bounds=[true,true]} : vector<4x64xf32>, memref<4x64xf32>
  return
}
func.func private @edge(%a: memref<?xf32>, %b: memref<?xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c16 {
    %x = vector.transfer_read %a[%i], %zero : memref<?xf32>, vector<16xf32>
    %y = arith.mulf %x, %x : vector<16xf32>
    %w = arith.addf %y, %x : vector<16xf32>
    vector.transfer_write %w, %b[%i] : vector<16xf32>, memref<?xf32>
  }
  return
}
func.func private @gath(%p: memref<?xi32>, %a: memref<?xf32>, %b: memref<?xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %t = arith.constant dense<true> : vector<16xi1>
  %z = arith.constant dense<0.0> : vector<16xf32>
  %n = memref.dim %p, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c16 {
    %x = vector.load %p[%i] : memref<?xi32>, vector<16xi32>
    %g = vector.gather %a[%c0] [%x], %t, %z : memref<?xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.store %g, %b[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}
func.func private @bytes(%a: memref<?xi8>, %b: memref<?xi8>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %a, %c0 : memref<?xi8>
  scf.for %i = %c0 to %n step %c64 {
    %x = vector.load %a[%i] : memref<?xi8>, vector<64xi8>
    %y = vector.load %b[%i] : memref<?xi8>, vector<64xi8>
    %m = arith.cmpi ult, %x, %y : vector<64xi8>
    %s = arith.select %m, %x, %y : vector<64xi1>, vector<64xi8>
    %u = arith.addi %s, %y : vector<64xi8>
    vector.store %u, %b[%i] : memref<?xi8>, vector<64xi8>
  }
  return
}
func.func private @halves(%a: memref<?xf16>, %b: memref<?xf16>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %a, %c0 : memref<?xf16>
  scf.for %i = %c0 to %n step %c32 {
    %x = vector.load %a[%i] : memref<?xf16>, vector<32xf16>
    %y = vector.load %b[%i] : memref<?xf16>, vector<32xf16>
    %s = arith.mulf %x, %y : vector<32xf16>
    %u = arith.addf %s, %y : vector<32xf16>
    vector.store %u, %b[%i] : memref<?xf16>, vector<32xf16>
  }
  return
}
func.func private @turn(%a: memref<?x16xf32>, %b: memref<?x16xf32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?x16xf32>
  scf.for %i = %c0 to %n step %c16 {
    %x = vector.transfer_read %a[%i, %c0], %z {in_bounds=[true,true]} : memref<?x16xf32>, vector<16x16xf32>
    %y = vector.transpose %x, [1,0] : vector<16x16xf32> to vector<16x16xf32>
    vector.transfer_write %y, %b[%i, %c0] {in_bounds=[true,true]} : vector<16x16xf32>, memref<?x16xf32>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4093 : index
  %n16 = arith.constant 4096 : index
  %k = arith.constant 512 : index
  %rows = arith.constant 256 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %f1 = arith.constant 1.0 : f32
  %h1 = arith.constant 0.5 : f16
  %i1 = arith.constant 3 : i8
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n16) : memref<?xf32>
  %p = memref.alloc(%n16) : memref<?xi32>
  %x = memref.alloc(%n16) : memref<?xi8>
  %y = memref.alloc(%n16) : memref<?xi8>
  %g = memref.alloc(%n16) : memref<?xf16>
  %h = memref.alloc(%n16) : memref<?xf16>
  %m = memref.alloc(%rows) : memref<?x16xf32>
  %o = memref.alloc(%rows) : memref<?x16xf32>
  %l = memref.alloc(%k) : memref<4x?xf32>
  %r = memref.alloc(%k) : memref<?x64xf32>
  %c = memref.alloc() : memref<4x64xf32>
  linalg.fill ins(%f1 : f32) outs(%a : memref<?xf32>)
  linalg.fill ins(%f1 : f32) outs(%b : memref<?xf32>)
  linalg.fill ins(%f1 : f32) outs(%m : memref<?x16xf32>)
  linalg.fill ins(%f1 : f32) outs(%o : memref<?x16xf32>)
  linalg.fill ins(%f1 : f32) outs(%l : memref<4x?xf32>)
  linalg.fill ins(%f1 : f32) outs(%r : memref<?x64xf32>)
  linalg.fill ins(%f1 : f32) outs(%c : memref<4x64xf32>)
  linalg.fill ins(%h1 : f16) outs(%g : memref<?xf16>)
  linalg.fill ins(%h1 : f16) outs(%h : memref<?xf16>)
  linalg.fill ins(%i1 : i8) outs(%x : memref<?xi8>)
  linalg.fill ins(%i1 : i8) outs(%y : memref<?xi8>)
  scf.for %i = %c0 to %n16 step %c1 {
    %j = arith.index_cast %i : index to i32
    %q = arith.constant 2039 : i32
    %w = arith.muli %j, %q : i32
    %lim = arith.constant 2047 : i32
    %at = arith.andi %w, %lim : i32
    memref.store %at, %p[%i] : memref<?xi32>
  }
  %big = arith.constant 1.0e9 : f64
  %c5 = arith.constant 5 : index
  %reps0 = arith.constant 400 : index
  %best0 = scf.for %t = %c0 to %c5 step %c1 iter_args(%before = %big) -> (f64) {
    %t0 = func.call @rtclock() : () -> f64
    scf.for %u = %c0 to %reps0 step %c1 {
      func.call @gemm(%l, %r, %c) : (memref<4x?xf32>, memref<?x64xf32>, memref<4x64xf32>) -> ()
    }
    %t1 = func.call @rtclock() : () -> f64
    %d = arith.subf %t1, %t0 : f64
    %min = arith.minimumf %d, %before : f64
    scf.yield %min : f64
  }
  %e0 = arith.constant 1.0e6 : f64
  %rr0 = arith.constant 400.0 : f64
  %us0 = arith.mulf %best0, %e0 : f64
  %each0 = arith.divf %us0, %rr0 : f64
  func.call @printF64(%each0) : (f64) -> ()
  func.call @printNewline() : () -> ()
  %reps1 = arith.constant 2000 : index
  %best1 = scf.for %t = %c0 to %c5 step %c1 iter_args(%before = %big) -> (f64) {
    %t0 = func.call @rtclock() : () -> f64
    scf.for %u = %c0 to %reps1 step %c1 {
      func.call @edge(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
    }
    %t1 = func.call @rtclock() : () -> f64
    %d = arith.subf %t1, %t0 : f64
    %min = arith.minimumf %d, %before : f64
    scf.yield %min : f64
  }
  %e1 = arith.constant 1.0e6 : f64
  %rr1 = arith.constant 2000.0 : f64
  %us1 = arith.mulf %best1, %e1 : f64
  %each1 = arith.divf %us1, %rr1 : f64
  func.call @printF64(%each1) : (f64) -> ()
  func.call @printNewline() : () -> ()
  %reps2 = arith.constant 800 : index
  %best2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%before = %big) -> (f64) {
    %t0 = func.call @rtclock() : () -> f64
    scf.for %u = %c0 to %reps2 step %c1 {
      func.call @gath(%p, %a, %b) : (memref<?xi32>, memref<?xf32>, memref<?xf32>) -> ()
    }
    %t1 = func.call @rtclock() : () -> f64
    %d = arith.subf %t1, %t0 : f64
    %min = arith.minimumf %d, %before : f64
    scf.yield %min : f64
  }
  %e2 = arith.constant 1.0e6 : f64
  %rr2 = arith.constant 800.0 : f64
  %us2 = arith.mulf %best2, %e2 : f64
  %each2 = arith.divf %us2, %rr2 : f64
  func.call @printF64(%each2) : (f64) -> ()
  func.call @printNewline() : () -> ()
  %reps3 = arith.constant 4000 : index
  %best3 = scf.for %t = %c0 to %c5 step %c1 iter_args(%before = %big) -> (f64) {
    %t0 = func.call @rtclock() : () -> f64
    scf.for %u = %c0 to %reps3 step %c1 {
      func.call @bytes(%x, %y) : (memref<?xi8>, memref<?xi8>) -> ()
    }
    %t1 = func.call @rtclock() : () -> f64
    %d = arith.subf %t1, %t0 : f64
    %min = arith.minimumf %d, %before : f64
    scf.yield %min : f64
  }
  %e3 = arith.constant 1.0e6 : f64
  %rr3 = arith.constant 4000.0 : f64
  %us3 = arith.mulf %best3, %e3 : f64
  %each3 = arith.divf %us3, %rr3 : f64
  func.call @printF64(%each3) : (f64) -> ()
  func.call @printNewline() : () -> ()
  %reps4 = arith.constant 1500 : index
  %best4 = scf.for %t = %c0 to %c5 step %c1 iter_args(%before = %big) -> (f64) {
    %t0 = func.call @rtclock() : () -> f64
    scf.for %u = %c0 to %reps4 step %c1 {
      func.call @halves(%g, %h) : (memref<?xf16>, memref<?xf16>) -> ()
    }
    %t1 = func.call @rtclock() : () -> f64
    %d = arith.subf %t1, %t0 : f64
    %min = arith.minimumf %d, %before : f64
    scf.yield %min : f64
  }
  %e4 = arith.constant 1.0e6 : f64
  %rr4 = arith.constant 1500.0 : f64
  %us4 = arith.mulf %best4, %e4 : f64
  %each4 = arith.divf %us4, %rr4 : f64
  func.call @printF64(%each4) : (f64) -> ()
  func.call @printNewline() : () -> ()
  %reps5 = arith.constant 800 : index
  %best5 = scf.for %t = %c0 to %c5 step %c1 iter_args(%before = %big) -> (f64) {
    %t0 = func.call @rtclock() : () -> f64
    scf.for %u = %c0 to %reps5 step %c1 {
      func.call @turn(%m, %o) : (memref<?x16xf32>, memref<?x16xf32>) -> ()
    }
    %t1 = func.call @rtclock() : () -> f64
    %d = arith.subf %t1, %t0 : f64
    %min = arith.minimumf %d, %before : f64
    scf.yield %min : f64
  }
  %e5 = arith.constant 1.0e6 : f64
  %rr5 = arith.constant 800.0 : f64
  %us5 = arith.mulf %best5, %e5 : f64
  %each5 = arith.divf %us5, %rr5 : f64
  func.call @printF64(%each5) : (f64) -> ()
  func.call @printNewline() : () -> ()
  return
}
