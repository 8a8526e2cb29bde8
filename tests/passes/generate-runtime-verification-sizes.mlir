// RUN: freehold opt %s --generate-runtime-verification=verbose-level=0 --one-shot-bufferize=bufferize-function-boundaries --test-cf-assert | freehold run - | FileCheck %s
// RUN: freehold opt %s --generate-runtime-verification | FileCheck %s --check-prefix=TEXT

#id = affine_map<(d0) -> (d0)>
#window = affine_map<(d0, d1) -> (d0 + d1)>
#first = affine_map<(d0, d1) -> (d0)>
#second = affine_map<(d0, d1) -> (d1)>
#back = affine_map<(d0) -> (3 - d0)>

// The sizes of tensors, before they are buffers.
// TEXT-LABEL: func.func @add
// TEXT:         cf.assert %{{.*}}, "ERROR: Runtime op verification failed\0A%{{.*}} = linalg.generic {{.*}}dimension #0 of input/output operand #1 is incompatible with inferred dimension size
func.func @add(%a: tensor<?xi32>, %b: tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<?xi32>
  return
}

// A window must be inside, and reversed subscripts not below zero.
// TEXT-LABEL: func.func @windows
// TEXT:         unexpected negative result on dimension #0 of input/output operand #0
func.func @windows(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>) {
  linalg.generic {indexing_maps = [#window, #second, #first], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%c : memref<?xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    linalg.yield %z : i32
  }
  return
}
func.func @reversed(%a: memref<?xi32>, %b: memref<?xi32>) {
  linalg.generic {indexing_maps = [#back, #id], iterator_types = ["parallel"]}
      ins(%a : memref<?xi32>) outs(%b : memref<?xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %y : i32
  }
  return
}

// TEXT-LABEL: func.func @layout
// TEXT:         memref.rank
// TEXT:         rank mismatch
// TEXT:         size mismatch of dim 0
// TEXT:         offset mismatch
// TEXT:         stride mismatch of dim 0
func.func @layout(%m: memref<*xi32>) {
  %c = memref.cast %m : memref<*xi32> to memref<4xi32, strided<[2], offset: 1>>
  return
}

func.func @copy(%a: memref<?xi32>, %b: memref<4xi32>) {
  memref.copy %a, %b : memref<?xi32> to memref<4xi32>
  return
}

func.func @dim(%a: memref<?xi32>, %i: index) -> index {
  %d = memref.dim %a, %i : memref<?xi32>
  return %d : index
}

// TEXT-LABEL: func.func @elements
// TEXT-COUNT-3: out-of-bounds access
// TEXT:         offset 0 is out-of-bounds
// TEXT:         extract_slice runs out-of-bounds along dimension 0
func.func @elements(%a: tensor<?xi32>, %i: index, %m: memref<?xi32>) -> (i32, tensor<?xi32>, tensor<?xi32>) {
  %v = tensor.extract %a[%i] : tensor<?xi32>
  %w = tensor.insert %v into %a[%i] : tensor<?xi32>
  %o = memref.atomic_rmw addi %v, %m[%i] : (i32, memref<?xi32>) -> i32
  %s = tensor.extract_slice %a[%i] [%i] [1] : tensor<?xi32> to tensor<?xi32>
  return %v, %w, %s : i32, tensor<?xi32>, tensor<?xi32>
}

// TEXT-LABEL: func.func @aligned
// TEXT:         memref.extract_aligned_pointer_as_index
// TEXT:         memref is not aligned to 16
func.func @aligned(%m: memref<?xi32>) {
  memref.assume_alignment %m, 16 : memref<?xi32>
  return
}

// Nothing to check: everything is known, or no element is touched.
// TEXT-LABEL: func.func @known
// TEXT-NOT:     cf.assert
// TEXT:         return
func.func @known(%a: memref<4xi32>, %b: memref<4xi32>, %t: tensor<4x?xi32>) -> index {
  linalg.copy ins(%a : memref<4xi32>) outs(%b : memref<4xi32>)
  memref.copy %a, %b : memref<4xi32> to memref<4xi32>
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c1 : tensor<4x?xi32>
  return %d : index
}

// CHECK:      begin
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: ^ dimension #0 of input/output operand #1 is incompatible with inferred dimension size
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: windows
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: ^ dimension #0 of input/output operand #0 is incompatible with inferred dimension size
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: reversed
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: ^ unexpected negative result on dimension #0 of input/output operand #0
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: ^ dimension #0 of input/output operand #0 is incompatible with inferred dimension size
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: layout
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: ^ offset mismatch
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: ^ stride mismatch of dim 0
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: dim
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: ^ index is out of bounds
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: end
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t4 = arith.constant dense<1> : tensor<4xi32>
  %t5 = arith.constant dense<1> : tensor<5xi32>
  %d4 = tensor.cast %t4 : tensor<4xi32> to tensor<?xi32>
  %d5 = tensor.cast %t5 : tensor<5xi32> to tensor<?xi32>
  vector.print str "begin\0A"
  call @add(%d4, %d4) : (tensor<?xi32>, tensor<?xi32>) -> ()
  call @add(%d4, %d5) : (tensor<?xi32>, tensor<?xi32>) -> ()
  vector.print str "windows\0A"
  %n2 = arith.constant 2 : index
  %n3 = arith.constant 3 : index
  %n4 = arith.constant 4 : index
  %n5 = arith.constant 5 : index
  %m0 = memref.alloc(%c0) : memref<?xi32>
  %m2 = memref.alloc(%n2) : memref<?xi32>
  %m3 = memref.alloc(%n3) : memref<?xi32>
  %m4 = memref.alloc(%n4) : memref<?xi32>
  %m5 = memref.alloc(%n5) : memref<?xi32>
  call @windows(%m4, %m2, %m3) : (memref<?xi32>, memref<?xi32>, memref<?xi32>) -> ()
  call @windows(%m4, %m3, %m3) : (memref<?xi32>, memref<?xi32>, memref<?xi32>) -> ()
  call @windows(%m4, %m0, %m5) : (memref<?xi32>, memref<?xi32>, memref<?xi32>) -> ()
  vector.print str "reversed\0A"
  call @reversed(%m4, %m3) : (memref<?xi32>, memref<?xi32>) -> ()
  call @reversed(%m4, %m5) : (memref<?xi32>, memref<?xi32>) -> ()
  call @reversed(%m3, %m3) : (memref<?xi32>, memref<?xi32>) -> ()
  vector.print str "layout\0A"
  %s = memref.alloc() : memref<4xi32>
  %u = memref.cast %s : memref<4xi32> to memref<*xi32>
  call @layout(%u) : (memref<*xi32>) -> ()
  vector.print str "dim\0A"
  %x = call @dim(%m4, %c0) : (memref<?xi32>, index) -> index
  %y = call @dim(%m4, %c1) : (memref<?xi32>, index) -> index
  vector.print str "end\0A"
  return
}
