// Maps that a named operation carries define it, and are printed where they say something new.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --convert-linalg-to-loops | FileCheck %s --check-prefix=LOOPS
// RUN: freehold run %s --entry-point-result=void | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s -O0 --entry-point-result=void | FileCheck %s --check-prefix=OUT

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

memref.global "private" constant @a : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>
memref.global "private" constant @b : memref<2x2xf32> = dense<[[1.0, 10.0], [100.0, 0.0]]>

func.func private @printF32(f32)
func.func private @printNewline()

// CHECK-LABEL: func.func @product
// LOOPS-LABEL: func.func @product
func.func @product(%a: memref<2x3xf32>, %b: memref<2x2xf32>, %o: memref<3x2xf32>) {
  // CHECK: linalg.matmul {linalg.memoized_indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}]} ins(
  // LOOPS: memref.load %{{.*}}[%[[K:.*]], %[[M:.*]]] : memref<2x3xf32>
  // LOOPS: memref.load %{{.*}}[%[[K]], %[[N:.*]]] : memref<2x2xf32>
  // LOOPS: memref.load %{{.*}}[%[[M]], %[[N]]] : memref<3x2xf32>
  linalg.matmul {linalg.memoized_indexing_maps = [#km, #kn, #mn]} ins(%a, %b : memref<2x3xf32>, memref<2x2xf32>) outs(%o : memref<3x2xf32>)
  return
}

// CHECK-LABEL: func.func @same
func.func @same(%a: memref<2x2xf32>, %b: memref<2x2xf32>, %o: memref<2x2xf32>) {
  // CHECK: linalg.matmul ins(
  linalg.matmul {linalg.memoized_indexing_maps = [#mk, #kn, #mn]} ins(%a, %b : memref<2x2xf32>, memref<2x2xf32>) outs(%o : memref<2x2xf32>)
  return
}

// OUT: 401{{$}}
// OUT-NEXT: 30{{$}}
func.func @main() {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.get_global @a : memref<2x3xf32>
  %b = memref.get_global @b : memref<2x2xf32>
  %o = memref.alloc() : memref<3x2xf32>
  linalg.fill ins(%zero : f32) outs(%o : memref<3x2xf32>)
  call @product(%a, %b, %o) : (memref<2x3xf32>, memref<2x2xf32>, memref<3x2xf32>) -> ()
  %x = memref.load %o[%c0, %c0] : memref<3x2xf32>
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  %y = memref.load %o[%c2, %c1] : memref<3x2xf32>
  call @printF32(%y) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
