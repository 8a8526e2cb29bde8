// Floats of 16 bits run in registers of 256 bits and more: smaller ones are the code generator's, which has them one
// by one.
//
// RUN: freehold opt %s --vectorize-loops | FileCheck %s --check-prefix=NARROW
// RUN: freehold opt %s --vectorize-loops="vector-bits=256" | FileCheck %s --check-prefix=WIDE
// RUN: freehold opt %s --vectorize-loops="vector-bits=512" | FileCheck %s --check-prefix=WIDEST

// NARROW-NOT: vector.load

// No loop with registers of 128 bits is left over.
// WIDE-LABEL: func.func @halves
// WIDE:         vector.load %arg0[%{{.*}}] : memref<?xf16>, vector<16xf16>
// WIDE:         arith.mulf %{{.*}}, %{{.*}} : vector<16xf16>
// WIDE-NOT:     vector<8x
// WIDE:         return
// WIDEST-LABEL: func.func @halves
// WIDEST:       vector.load %arg0[%{{.*}}] : memref<?xf16>, vector<32xf16>
// WIDEST:       vector.load %arg0[%{{.*}}] : memref<?xf16>, vector<16xf16>
// WIDEST-NOT:   vector<8x
// WIDEST:       return
func.func @halves(%a: memref<?xf16>, %b: memref<?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf16>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf16>
    %y = arith.mulf %x, %x : f16
    memref.store %y, %b[%i] : memref<?xf16>
  }
  return
}

// WIDE-LABEL: func.func @mixed
// WIDE:         arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
// WIDE:         arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
func.func @mixed(%a: memref<?xbf16>, %b: memref<?xf32>, %c: memref<?xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xbf16>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xbf16>
    %y = memref.load %b[%i] : memref<?xf32>
    %w = arith.extf %x : bf16 to f32
    %s = arith.addf %w, %y : f32
    %u = arith.truncf %s : f32 to bf16
    memref.store %u, %c[%i] : memref<?xbf16>
  }
  return
}

// Not in one rounding, not from or to other types, not added up.
// WIDE-LABEL: func.func @scalar
// WIDE-NOT:     vector.load
func.func @scalar(%a: memref<?xf16>, %b: memref<?xf64>, %c: memref<?xi16>) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  %n = memref.dim %a, %c0 : memref<?xf16>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf16>
    %y = math.fma %x, %x, %x : f16
    memref.store %y, %a[%i] : memref<?xf16>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf16>
    %y = arith.extf %x : f16 to f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %c[%i] : memref<?xi16>
    %y = arith.sitofp %x : i16 to f16
    memref.store %y, %a[%i] : memref<?xf16>
  }
  %most = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (f16) {
    %x = memref.load %a[%i] : memref<?xf16>
    %next = arith.maximumf %before, %x : f16
    scf.yield %next : f16
  }
  return %most : f16
}
