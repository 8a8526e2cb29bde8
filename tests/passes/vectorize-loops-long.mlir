// Bodies of many operations, which elementary functions become, are written once per iteration; others several times, so
// that one operation need not wait for another one. Only few operations run one by one until a store's address is a multiple
// of a register.

// RUN: freehold compile %s --target-cpu=x86-64-v3 --emit=mlir | FileCheck %s

// CHECK-LABEL: func.func @short
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK-COUNT-5: vector.store %{{.*}} : memref<1024xf64>, vector<4xf64>
// CHECK-NOT: vector.store %{{.*}} : memref<1024xf64>, vector<4xf64>
func.func @short(%x: memref<1024xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    %a = memref.load %x[%i] : memref<1024xf64>
    %b = math.sqrt %a : f64
    memref.store %b, %x[%i] : memref<1024xf64>
  }
  return
}

// CHECK-LABEL: func.func @middle
// CHECK-NOT: memref.extract_aligned_pointer_as_index
// CHECK-COUNT-4: vector.store %{{.*}} : memref<1024xf64>, vector<4xf64>
// CHECK-NOT: vector.store %{{.*}} : memref<1024xf64>, vector<4xf64>
func.func @middle(%x: memref<1024xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    %a = memref.load %x[%i] : memref<1024xf64>
    %b = math.exp %a : f64
    memref.store %b, %x[%i] : memref<1024xf64>
  }
  return
}

// CHECK-LABEL: func.func @long
// CHECK: vector.store %{{.*}} : memref<1024xf64>, vector<4xf64>
// CHECK-NOT: vector.store %{{.*}} : memref<1024xf64>, vector<4xf64>
func.func @long(%x: memref<1024xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    %a = memref.load %x[%i] : memref<1024xf64>
    %b = math.tan %a : f64
    memref.store %b, %x[%i] : memref<1024xf64>
  }
  return
}
