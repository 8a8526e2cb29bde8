// Remarks say which operation keeps a loop at 128 bits, and why.
//
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v4 --remarks -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: freehold compile %s --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v3 --remarks -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=V3

func.func @divide(%a: memref<?xi64>, %b: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  scf.for %i = %c0 to %n step %c8 {
    %x = vector.load %a[%i] : memref<?xi64>, vector<8xi64>
    %y = vector.load %b[%i] : memref<?xi64>, vector<8xi64>
    // V4: :[[#@LINE + 2]]:10: remark: no 512-bit form of 'arith.divsi'{{$}}
    // V3: :[[#@LINE + 1]]:10: remark: no 256-bit form of 'arith.divsi'{{$}}
    %z = arith.divsi %x, %y : vector<8xi64>
    vector.store %z, %b[%i] : memref<?xi64>, vector<8xi64>
  }
  return
}

func.func @scatter(%a: memref<?xf32>, %b: memref<?xf32>, %p: memref<?xi32>, %m: vector<16xi1>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c16 {
    // V4: :[[#@LINE + 1]]:10: remark: this loop runs in vectors of 512 bits
    %x = vector.load %a[%i] : memref<?xf32>, vector<16xf32>
    %q = vector.load %p[%i] : memref<?xi32>, vector<16xi32>
    // V3: :[[#@LINE + 1]]:5: remark: no 256-bit form of 'vector.scatter': scattered elements need AVX-512
    vector.scatter %b[%c0] [%q], %m, %x : memref<?xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32>
  }
  return
}
