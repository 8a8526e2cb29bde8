// RUN: freehold opt --pass-pipeline='builtin.module(vectorize-loops)' %s | FileCheck %s --check-prefixes=ALL
// RUN: freehold opt --pass-pipeline='builtin.module(vectorize-loops{lacks=fma,rounding,comparisons})' %s \
// RUN:   | FileCheck %s --check-prefixes=LACKS
// RUN: freehold opt --pass-pipeline='builtin.module(vectorize-loops{vector-bits=256})' %s \
// RUN:   | FileCheck %s --check-prefixes=HALVES
// RUN: freehold opt --pass-pipeline='builtin.module(vectorize-loops{vector-bits=256 lacks=f16c})' %s \
// RUN:   | FileCheck %s --check-prefixes=NOF16C
// RUN: not freehold opt --pass-pipeline='builtin.module(vectorize-loops{lacks=mmx})' %s 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=ERROR

// Loops whose operations the processor does one by one stay as they are.

// ERROR: 'mmx' value invalid for option lacks

// ALL-LABEL: @floor
// ALL: math.floor %{{.*}} : vector<4xf32>
// LACKS-LABEL: @floor
// LACKS-NOT: vector<
func.func @floor(%a: memref<64xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = math.floor %x : f32
    memref.store %y, %b[%i] : memref<64xf32>
  }
  return
}

// ALL-LABEL: @fma
// ALL: math.fma %{{.*}} : vector<4xf32>
// LACKS-LABEL: @fma
// LACKS-NOT: vector<
func.func @fma(%a: memref<64xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = math.fma %x, %x, %x : f32
    memref.store %y, %b[%i] : memref<64xf32>
  }
  return
}

// ALL-LABEL: @positive
// ALL: arith.cmpf ogt, %{{.*}} : vector<4xf32>
// LACKS-LABEL: @positive
// LACKS-NOT: vector<
func.func @positive(%a: memref<64xf32>, %b: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %is = arith.cmpf ogt, %x, %f : f32
    %y = arith.select %is, %x, %f : f32
    memref.store %y, %b[%i] : memref<64xf32>
  }
  return
}

// HALVES-LABEL: @half
// HALVES: arith.addf %{{.*}} : vector<16xf16>
// NOF16C-LABEL: @half
// NOF16C-NOT: vector<
func.func @half(%a: memref<64xf16>, %b: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf16>
    %y = arith.addf %x, %x : f16
    memref.store %y, %b[%i] : memref<64xf16>
  }
  return
}
