// RUN: freehold opt %s --merge-alloc | FileCheck %s

// Elementwise operations write where they read, when the input dies there.
// CHECK-LABEL: func.func @chain
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
func.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.add ins(%a, %x : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
  %c = memref.alloc() : memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%c : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// Not if it lives on,
// CHECK-LABEL: func.func @lives_on
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @lives_on(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// not if they lie in another order,
// CHECK-LABEL: func.func @layouts
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @layouts(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32, strided<[1, 4]>>
  linalg.exp ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32, strided<[1, 4]>>)
  memref.copy %b, %y : memref<4x4xf32, strided<[1, 4]>> to memref<4x4xf32>
  return
}

// not if elements are read in another order, or more than once,
// CHECK-LABEL: func.func @transposed
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @transposed(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  memref.copy %b, %y : memref<4x4xf32> to memref<4x4xf32>
  return
}

// CHECK-LABEL: func.func @matmul
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @matmul(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.matmul ins(%a, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  memref.copy %b, %y : memref<4x4xf32> to memref<4x4xf32>
  return
}

// not if an operand is another view of it.
// CHECK-LABEL: func.func @another_view
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @another_view(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.add ins(%a, %t : memref<4x4xf32>, memref<4x4xf32, strided<[1, 4]>>) outs(%b : memref<4x4xf32>)
  memref.copy %b, %y : memref<4x4xf32> to memref<4x4xf32>
  return
}

// Loops are such operations too: each iteration reads and writes elements of its own, reads first,
// CHECK-LABEL: func.func @loops
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
func.func @loops(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %v = memref.load %a[%j, %i] : memref<4x4xf32>
      %w = arith.negf %v : f32
      memref.store %w, %b[%j, %i] : memref<4x4xf32>
    }
  }
  memref.copy %b, %y : memref<4x4xf32> to memref<4x4xf32>
  return
}

// several vectors of them in one iteration,
// CHECK-LABEL: func.func @vectors
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @vectors(%x: memref<32xf32>, %y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xf32>
  memref.copy %x, %a : memref<32xf32> to memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  scf.for %i = %c0 to %c32 step %c8 {
    %v = vector.load %a[%i] : memref<32xf32>, vector<4xf32>
    vector.store %v, %b[%i] : memref<32xf32>, vector<4xf32>
    %j = arith.addi %i, %c4 : index
    %w = vector.load %a[%j] : memref<32xf32>, vector<4xf32>
    vector.store %w, %b[%j] : memref<32xf32>, vector<4xf32>
  }
  memref.copy %b, %y : memref<32xf32> to memref<32xf32>
  return
}

// not if an iteration reaches into the next one,
// CHECK-LABEL: func.func @stencil
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @stencil(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c15 step %c1 {
    %v = memref.load %a[%i] : memref<16xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %v, %b[%j] : memref<16xf32>
  }
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}

// CHECK-LABEL: func.func @overlapping_vectors
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @overlapping_vectors(%x: memref<32xf32>, %y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c28 = arith.constant 28 : index
  %a = memref.alloc() : memref<32xf32>
  memref.copy %x, %a : memref<32xf32> to memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  scf.for %i = %c0 to %c28 step %c2 {
    %v = vector.load %a[%i] : memref<32xf32>, vector<4xf32>
    vector.store %v, %b[%i] : memref<32xf32>, vector<4xf32>
  }
  memref.copy %b, %y : memref<32xf32> to memref<32xf32>
  return
}

// reads what it wrote,
// CHECK-LABEL: func.func @written_first
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @written_first(%x: memref<16xf32>, %y: memref<16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %v, %b[%i] : memref<16xf32>
    %w = memref.load %a[%i] : memref<16xf32>
    memref.store %w, %x[%i] : memref<16xf32>
  }
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}

// comes back to the same elements,
// CHECK-LABEL: func.func @again
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @again(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.for %k = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %a[%i] : memref<16xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %b[%i] : memref<16xf32>
    }
  }
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}

// or reads in another order.
// CHECK-LABEL: func.func @another_order
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @another_order(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    %v = memref.load %a[%j, %i] : memref<4x4xf32>
    memref.store %v, %b[%i, %j] : memref<4x4xf32>
    scf.reduce
  }
  memref.copy %b, %y : memref<4x4xf32> to memref<4x4xf32>
  return
}

// All that holds inside of other operations as well: two buffers of 64 bytes rather than three.
// CHECK-LABEL: func.func @inside
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
func.func @inside(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  scf.if %p {
    linalg.exp ins(%a : memref<16xf32>) outs(%c : memref<16xf32>)
    memref.copy %c, %y : memref<16xf32> to memref<16xf32>
  } else {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %b[%i] : memref<16xf32>
      memref.store %v, %d[%i] : memref<16xf32>
    }
    memref.copy %d, %y : memref<16xf32> to memref<16xf32>
  }
  return
}

// Rows that are written out work in place, if nothing is read that was written before.
// CHECK-LABEL: func.func @rows
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @rows(%x: memref<4x16xf32>, %y: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<4x16xf32>
  memref.copy %x, %a : memref<4x16xf32> to memref<4x16xf32>
  %b = memref.alloc() : memref<4x16xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.load %a[%i, %c0] : memref<4x16xf32>, vector<8xf32>
    vector.store %v, %b[%i, %c0] : memref<4x16xf32>, vector<8xf32>
    %w = vector.load %a[%i, %c8] : memref<4x16xf32>, vector<8xf32>
    vector.store %w, %b[%i, %c8] : memref<4x16xf32>, vector<8xf32>
  }
  memref.copy %b, %y : memref<4x16xf32> to memref<4x16xf32>
  return
}

// Here the second half is read behind the store of a part of it.
// CHECK-LABEL: func.func @halves_of_rows
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @halves_of_rows(%x: memref<4x16xf32>, %y: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<4x16xf32>
  memref.copy %x, %a : memref<4x16xf32> to memref<4x16xf32>
  %b = memref.alloc() : memref<4x16xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.load %a[%i, %c0] : memref<4x16xf32>, vector<8xf32>
    vector.store %v, %b[%i, %c4] : memref<4x16xf32>, vector<8xf32>
    %w = vector.load %a[%i, %c8] : memref<4x16xf32>, vector<8xf32>
    vector.store %w, %b[%i, %c8] : memref<4x16xf32>, vector<8xf32>
  }
  memref.copy %b, %y : memref<4x16xf32> to memref<4x16xf32>
  return
}
