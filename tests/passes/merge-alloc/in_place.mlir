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
